/*
 * Prints the results of `ordergate test`; see tools/common/test_report.h.  Durations are not printed: the same tests
 * always print the same bytes.
 */
#include <stdlib.h>
#include <string.h>

#include "ordergate/time.h"
#include "tools/common/github.h"
#include "tools/common/json.h"
#include "tools/common/test_report.h"

#define SHOWN_MOST 20   /* maximum number of failures of one case that are printed as text */
#define ORDER_MOST 1000 /* maximum number of bytes of an order that are printed */

static const char *const outcomes[] = { "passed", "failed", "updated", "unusable" };

/* --- details, for people ------------------------------------------------------------------------------------------ */

static void put_prediction(FILE *to, const struct og_prediction *p)
{
    fputs(p->channel ? og_channel_name(p->channel) : "nothing", to);
    if (p->code)
        fprintf(to, " %s", p->code);
    if (p->certainty)
        fprintf(to, " (%s)", og_certainty_name(p->certainty));
}

static void put_findings(FILE *to, const struct og_finding *f, int count, const char *before)
{
    for (int i = 0; i < count; i++, f++) {
        fprintf(to, "      %s%s%s %s/%s", before, og_level_name(f->level), f->unsure ? " (unsure)" : "", f->rule,
                f->reason);
        if (f->field[0])
            fprintf(to, " at %s", f->field);
        fprintf(to, ": %s", f->message);
        if (f->predicts.channel) {
            fputs(" [predicts ", to);
            put_prediction(to, &f->predicts);
            fputc(']', to);
        }
        fputc('\n', to);
    }
}

/* Returns why an update did not rewrite the expectation; "" if it did, or no update was asked for. */
static const char *not_rewritten(const struct report *r, const struct og_policy_test_miss *m)
{
    if (r->update == OG_TEST_UPDATE_NONE || m->rewritten)
        return "";
    return r->update == OG_TEST_UPDATE_ALL || strcmp(m->expected, "...") == 0
               ? " (cannot be rewritten here: change it by hand)"
               : " (stated: only --update=all replaces it)";
}

static void put_misses(FILE *to, const struct report *r, const struct og_policy_test_result *t)
{
    for (size_t i = 0; i < t->miss_count; i++) {
        const struct og_policy_test_miss *m = &t->misses[i];

        fprintf(to, "  %s:%d:%d: %s%s\n", r->file, m->line, m->col, m->what, not_rewritten(r, m));
        fprintf(to, "      expected  %s\n      %s  %s\n", m->expected, m->rewritten ? "now     " : "seen    ", m->seen);
    }
}

/* An order may have any bytes of a file: control characters are masked, and a long line is cut. */
static void put_order(FILE *to, const char *order)
{
    size_t len = strlen(order), shown = len < ORDER_MOST ? len : ORDER_MOST;

    fputs("  ", to);
    for (size_t i = 0; i < shown; i++)
        fputc(order[i] >= ' ' && order[i] <= '~' ? order[i] : '?', to);
    fputs(shown < len ? "...\n" : "\n", to);
}

static void put_details(FILE *to, const struct report *r, const struct og_policy_test_result *t)
{
    const struct og_decision *d = t->decision;

    if (t->outcome == OG_TEST_UNUSABLE) {
        fprintf(to, "  %s\n", t->why);
        return;
    }
    put_misses(to, r, t);
    put_order(to, t->order);
    fprintf(to, "    %s at %s by %.*s, which predicts ", d->accepted ? "accepted" : "refused", og_time_text(d->at).s,
            (int)strcspn(d->policy, "@"), d->policy);
    put_prediction(to, &d->predicts);
    fputs(d->count ? ":\n" : "; nothing was found\n", to);
    put_findings(to, d->findings, d->count, "");
    put_findings(to, d->shadow, d->shadow_count, "shadow: ");
}

/* --- text --------------------------------------------------------------------------------------------------------- */

static void text_result(struct report *r, const struct og_policy_test_result *t)
{
    static const char *const words[] = { "ok", "FAIL", "updated", "UNUSABLE" }, *const colours[] = { "32", "31", "33",
                                                                                                     "31" };
    bool quiet = t->outcome == OG_TEST_PASSED && !r->verbose;

    if (t->outcome != OG_TEST_PASSED && ++r->of_last > SHOWN_MOST)
        quiet = true;
    if (quiet)
        return;
    if (r->colour)
        printf("\033[%sm", colours[t->outcome]);
    printf("%s", words[t->outcome]);
    printf("%s %s:%d:%d: %s%s%s\n", r->colour ? "\033[0m" : "", r->file, t->line, t->col, t->name,
           t->part[0] ? " / " : "", t->part);
    if (t->outcome != OG_TEST_PASSED)
        put_details(stdout, r, t);
}

static void text_case_end(const struct report *r)
{
    if (r->format == REPORT_TEXT && r->of_last > SHOWN_MOST)
        printf("    ... and %lld more of this case\n", r->of_last - SHOWN_MOST);
}

static void put_counts(FILE *to, const long long count[4])
{
    fprintf(to, "%lld passed, %lld failed", count[OG_TEST_PASSED], count[OG_TEST_FAILED]);
    for (int i = OG_TEST_UPDATED; i <= OG_TEST_UNUSABLE; i++)
        if (count[i])
            fprintf(to, ", %lld %s", count[i], outcomes[i]);
}

static void text_file_end(const struct report *r)
{
    bool ok = !r->in_file[OG_TEST_FAILED] && !r->in_file[OG_TEST_UNUSABLE];

    printf("%s%s%s %s: ", r->colour ? ok ? "\033[32m" : "\033[31m" : "", ok ? "ok  " : "FAIL",
           r->colour ? "\033[0m" : "", r->file);
    put_counts(stdout, r->in_file);
    putchar('\n');
}

/* --- TAP 14 ------------------------------------------------------------------------------------------------------- */

static void put_tap(const char *s)
{
    for (; *s; s++) {
        if (*s == '#' || *s == '\\')
            putchar('\\');
        putchar(*s == '\n' ? ' ' : *s);
    }
}

static void tap_details(const struct report *r, const struct og_policy_test_result *t)
{
    og_json(stdout, "  ---\n  file: %s\n  line: %d\n  column: %d\n  outcome: %s\n", r->file, t->line, t->col,
            outcomes[t->outcome]);
    if (t->why[0])
        og_json(stdout, "  why: %s\n", t->why);
    if (t->miss_count)
        puts("  misses:");
    for (size_t i = 0; i < t->miss_count; i++) {
        const struct og_policy_test_miss *m = &t->misses[i];

        og_json(stdout, "    - {line: %d, column: %d, 'what':%s, 'expected':%s, 'seen':%s}\n", m->line, m->col, m->what,
                m->expected, m->seen);
    }
    if (t->decision) {
        og_json(stdout, "  order: %s\n", t->order);
        puts(t->decision->count ? "  findings:" : "  findings: []");
    }
    for (int i = 0; t->decision && i < t->decision->count; i++) {
        const struct og_finding *f = &t->decision->findings[i];

        og_json(stdout, "    - {'rule':%s, 'reason':%s, 'level':%s, 'message':%s}\n", f->rule, f->reason,
                og_level_name(f->level), f->message);
    }
    puts("  ...");
}

static void tap_line(bool ok, long long number, const char *file, const struct og_policy_test_result *t)
{
    printf("%s %lld - ", ok ? "ok" : "not ok", number);
    put_tap(file);
    if (t) {
        printf(": ");
        put_tap(t->name);
        if (t->part[0])
            printf(" / ");
        put_tap(t->part);
    }
    putchar('\n');
}

static long long told(const struct report *r)
{
    return r->count[0] + r->count[1] + r->count[2] + r->count[3];
}

static void tap_result(const struct report *r, const struct og_policy_test_result *t)
{
    bool ok = t->outcome == OG_TEST_PASSED || t->outcome == OG_TEST_UPDATED;

    tap_line(ok, told(r), r->file, t);
    if (!ok)
        tap_details(r, t);
}

/* --- JUnit -------------------------------------------------------------------------------------------------------- */

static void put_xml(FILE *to, const char *s)
{
    for (; *s; s++) {
        unsigned char c = (unsigned char)*s;

        if (c == '&')
            fputs("&amp;", to);
        else if (c == '<')
            fputs("&lt;", to);
        else if (c == '>')
            fputs("&gt;", to);
        else if (c == '"')
            fputs("&quot;", to);
        else
            fputc(c < 0x20 && c != '\n' ? '?' : c, to);
    }
}

static void junit_failure(FILE *to, const struct report *r, const struct og_policy_test_result *t)
{
    const char *element = t->outcome == OG_TEST_UNUSABLE ? "error" : "failure";
    char *text = NULL;
    size_t len;
    FILE *details = open_memstream(&text, &len);

    fprintf(to, ">\n      <%s message=\"", element);
    if (t->miss_count) {
        put_xml(to, t->misses[0].what);
        fputs(": expected ", to);
        put_xml(to, t->misses[0].expected);
        fputs(", seen ", to);
        put_xml(to, t->misses[0].seen);
    } else {
        put_xml(to, t->why);
    }
    fputs("\">\n", to);
    if (details) {
        put_details(details, r, t);
        fclose(details);
        put_xml(to, text ? text : "");
    }
    fprintf(to, "</%s>\n    </testcase>\n", element);
    free(text);
}

static void junit_result(struct report *r, const struct og_policy_test_result *t)
{
    FILE *to = r->suite ? r->suite : stdout;

    fputs("    <testcase classname=\"", to);
    put_xml(to, r->file);
    fputs("\" name=\"", to);
    put_xml(to, t->name);
    put_xml(to, t->part[0] ? " / " : "");
    put_xml(to, t->part);
    fputs("\" file=\"", to);
    put_xml(to, r->file);
    fprintf(to, "\" line=\"%d\"", t->line);
    if (t->outcome == OG_TEST_FAILED || t->outcome == OG_TEST_UNUSABLE)
        junit_failure(to, r, t);
    else
        fputs("/>\n", to);
}

static void junit_suite(const char *file, const long long count[4])
{
    fputs("  <testsuite name=\"", stdout);
    put_xml(stdout, file);
    printf("\" tests=\"%lld\" failures=\"%lld\" errors=\"%lld\" skipped=\"0\">\n",
           count[0] + count[1] + count[2] + count[3], count[OG_TEST_FAILED], count[OG_TEST_UNUSABLE]);
}

static void junit_file_end(struct report *r)
{
    junit_suite(r->file, r->in_file);
    if (r->suite) {
        fclose(r->suite);
        fputs(r->suite_text ? r->suite_text : "", stdout);
    }
    free(r->suite_text);
    r->suite = NULL;
    r->suite_text = NULL;
    puts("  </testsuite>");
}

/* --- JSON --------------------------------------------------------------------------------------------------------- */

static void json_decision(const struct og_decision *d)
{
    size_t room = 65536, len = 0;
    char *text = malloc(room);

    while (text && og_decision_write(d, NULL, text, room, &len)) {
        free(text);
        room = 2 * room;
        text = malloc(room);
    }
    fputs(text ? text : "null", stdout);
    free(text);
}

static void json_result(const struct report *r, const struct og_policy_test_result *t)
{
    bool first = r->in_file[0] + r->in_file[1] + r->in_file[2] + r->in_file[3] == 1;

    og_json(stdout, "%c\n  {'name':%s", first ? 0 : ',', t->name);
    if (t->part[0])
        og_json(stdout, ",'part':%s", t->part);
    og_json(stdout, ",'line':%d,'col':%d,'outcome':%s", t->line, t->col, outcomes[t->outcome]);
    if (t->why[0])
        og_json(stdout, ",'why':%s", t->why);
    if (t->outcome != OG_TEST_PASSED && t->decision) {
        og_json(stdout, ",'order':%s,'misses':[", t->order);
        for (size_t i = 0; i < t->miss_count; i++) {
            const struct og_policy_test_miss *m = &t->misses[i];

            og_json(stdout, "%c{'line':%d,'col':%d,'what':%s,'expected':%s,'seen':%s", i ? ',' : 0, m->line, m->col,
                    m->what, m->expected, m->seen);
            printf(",\"rewritten\":%s}", m->rewritten ? "true" : "false");
        }
        fputs("],\"decision\":", stdout);
        json_decision(t->decision);
    }
    putchar('}');
}

static void json_counts(const long long count[4])
{
    for (int i = 0; i < 4; i++)
        printf("%s\"%s\":%lld", i ? "," : "", outcomes[i], count[i]);
}

/* --- GitHub ------------------------------------------------------------------------------------------------------- */

/* Print an annotation for each failure, at the failure's line in the test file. */
static void github_result(const struct report *r, const struct og_policy_test_result *t)
{
    char title[512];

    snprintf(title, sizeof title, "%s%s%s", t->name, t->part[0] ? " / " : "", t->part);
    if (t->outcome == OG_TEST_UNUSABLE) {
        og_github_begin(stdout, "error", r->file, t->line, t->col, title);
        og_github_text(stdout, t->why);
        putchar('\n');
    }
    for (size_t i = 0; i < t->miss_count; i++) {
        const struct og_policy_test_miss *m = &t->misses[i];

        og_github_begin(stdout, m->rewritten ? "notice" : "error", r->file, m->line, m->col, title);
        printf("%s: expected ", m->what);
        og_github_text(stdout, m->expected);
        fputs(m->rewritten ? ", now " : ", seen ", stdout);
        og_github_text(stdout, m->seen);
        putchar('\n');
    }
}

/* --- coverage ----------------------------------------------------------------------------------------------------- */

void report_covered(const struct og_policy_coverage *c, int kind, long long *reached, long long *all)
{
    struct og_policy_coverage_item item;

    *reached = *all = 0;
    for (size_t i = 0; og_policy_coverage_at(c, i, &item); i++) {
        if (kind >= 0 && (int)item.kind != kind)
            continue;
        *reached += item.reached > 0;
        ++*all;
    }
}

static long long percent(long long reached, long long all)
{
    return all ? 100 * reached / all : 100;
}

static void put_place(FILE *to, const struct og_policy_coverage_item *item)
{
    if (item->line)
        fprintf(to, "%s:%d:%d: ", item->file, item->line, item->col);
    else
        fprintf(to, "%s: ", item->file);
}

static void text_coverage(FILE *to, const struct og_policy_coverage *c, const char *before)
{
    static const char *const one[] = { "rule", "reason", "", "custom rule" };
    struct og_policy_coverage_item item;
    long long reached, all, never;

    report_covered(c, -1, &reached, &all);
    never = all - reached;
    fprintf(to, "%scoverage: %lld of %lld reached, %lld%%\n", before, reached, all, percent(reached, all));
    for (int kind = 0; og_covered_name((enum og_covered)kind); kind++) {
        report_covered(c, kind, &reached, &all);
        if (all)
            fprintf(to, "%s  %-9s %lld of %lld, %lld%%\n", before, og_covered_name((enum og_covered)kind), reached, all,
                    percent(reached, all));
    }
    if (never)
        fprintf(to, "%snever reached:\n", before);
    for (size_t i = 0; og_policy_coverage_at(c, i, &item); i++) {
        if (item.reached)
            continue;
        fprintf(to, "%s  ", before);
        put_place(to, &item);
        fprintf(to, "%s%s%s\n", one[item.kind], one[item.kind][0] ? " " : "", item.name);
    }
}

static void json_coverage(const struct og_policy_coverage *c)
{
    struct og_policy_coverage_item item;
    long long reached, all;

    fputs(",\n\"coverage\":{", stdout);
    for (int kind = 0; og_covered_name((enum og_covered)kind); kind++) {
        report_covered(c, kind, &reached, &all);
        og_json(stdout, "%s:{'reached':%lld,'of':%lld},", og_covered_name((enum og_covered)kind), reached, all);
    }
    report_covered(c, -1, &reached, &all);
    og_json(stdout, "'reached':%lld,'of':%lld,'items':[", reached, all);
    for (size_t i = 0; og_policy_coverage_at(c, i, &item); i++)
        og_json(stdout, "%c\n  {'kind':%s,'name':%s,'file':%s,'line':%d,'col':%d,'reached':%lld}", i ? ',' : 0,
                og_covered_name(item.kind), item.name, item.file, item.line, item.col, item.reached);
    fputs("]}", stdout);
}

/* --- the report --------------------------------------------------------------------------------------------------- */

void report_begin(struct report *r)
{
    if (r->format == REPORT_TAP)
        puts("TAP version 14");
    else if (r->format == REPORT_JUNIT)
        puts("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"ordergate test\">");
    else if (r->format == REPORT_JSON)
        fputs("{\"files\":[", stdout);
}

void report_file(struct report *r, const struct og_policy_test *test)
{
    r->test = test;
    r->file = og_policy_test_file(test);
    memset(r->in_file, 0, sizeof r->in_file);
    r->last[0] = '\0';
    r->of_last = 0;
    if (r->format == REPORT_JUNIT)
        r->suite = open_memstream(&r->suite_text, &r->suite_len);
    if (r->format == REPORT_JSON)
        og_json(stdout, "%c\n {'file':%s,'policy':%s,'description':%s,'tests':[", r->files ? ',' : 0, r->file,
                og_policy_test_policy(test), og_policy_test_description(test));
    r->files++;
}

void report_result(void *report, const struct og_policy_test_result *t)
{
    struct report *r = report;

    if (strncmp(r->last, t->name, sizeof r->last - 1) != 0) {
        text_case_end(r);
        snprintf(r->last, sizeof r->last, "%s", t->name);
        r->of_last = 0;
    }
    r->count[t->outcome]++;
    r->in_file[t->outcome]++;
    switch (r->format) {
    case REPORT_TEXT: text_result(r, t); break;
    case REPORT_TAP: tap_result(r, t); break;
    case REPORT_JUNIT: junit_result(r, t); break;
    case REPORT_JSON: json_result(r, t); break;
    case REPORT_GITHUB: github_result(r, t); break;
    }
}

void report_file_end(struct report *r)
{
    text_case_end(r);
    if (r->format == REPORT_TEXT)
        text_file_end(r);
    else if (r->format == REPORT_JUNIT)
        junit_file_end(r);
    else if (r->format == REPORT_JSON)
        fputs("]}", stdout);
}

void report_unusable(struct report *r, const char *file, const char *why)
{
    static const long long one[4] = { [OG_TEST_UNUSABLE] = 1 };

    r->count[OG_TEST_UNUSABLE]++;
    switch (r->format) {
    case REPORT_TEXT:
        printf("%sFAIL%s %s: cannot be used\n", r->colour ? "\033[31m" : "", r->colour ? "\033[0m" : "", file);
        break;
    case REPORT_TAP:
        tap_line(false, told(r), file, NULL);
        og_json(stdout, "  ---\n  why: %s\n  ...\n", why);
        break;
    case REPORT_JUNIT:
        junit_suite(file, one);
        fputs("    <testcase classname=\"", stdout);
        put_xml(stdout, file);
        fputs("\" name=\"the file\">\n      <error message=\"", stdout);
        put_xml(stdout, why);
        fputs("\"/>\n    </testcase>\n  </testsuite>\n", stdout);
        break;
    case REPORT_JSON: og_json(stdout, "%c\n {'file':%s,'why':%s,'tests':[]}", r->files ? ',' : 0, file, why); break;
    case REPORT_GITHUB:
        og_github_begin(stdout, "error", file, 0, 0, "cannot be used");
        og_github_text(stdout, why);
        putchar('\n');
        break;
    }
    r->files++;
}

void report_end(struct report *r, const struct og_policy_coverage *coverage)
{
    if (r->format == REPORT_TEXT || r->format == REPORT_GITHUB) {
        printf("%lld file%s: ", r->files, r->files == 1 ? "" : "s");
        put_counts(stdout, r->count);
        putchar('\n');
    } else if (r->format == REPORT_TAP) {
        printf("1..%lld\n", told(r));
    } else if (r->format == REPORT_JUNIT) {
        puts("</testsuites>");
    } else {
        fputs("],\n", stdout);
        json_counts(r->count);
    }
    if (coverage && r->format == REPORT_JSON)
        json_coverage(coverage);
    else if (coverage && r->format == REPORT_JUNIT) /* JUnit's format has no coverage */
        text_coverage(stderr, coverage, "");
    else if (coverage)
        text_coverage(stdout, coverage, r->format == REPORT_TAP ? "# " : "");
    if (r->format == REPORT_JSON)
        puts("}");
}
