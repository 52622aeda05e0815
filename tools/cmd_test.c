/*
 * ordergate test: runs the tests of policies.  Nothing is skipped silently: folders without tests, filters that match
 * no case, and files with a fault are reported.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ordergate/ordergate.h"
#include "tools/common/commands.h"
#include "tools/common/directory_walk.h"
#include "tools/common/exit.h"
#include "tools/common/file_watch.h"
#include "tools/common/messages.h"
#include "tools/common/options.h"
#include "tools/common/progress.h"
#include "tools/common/terminal.h"
#include "tools/common/test_report.h"

enum { KINDS = 4 };

struct tests {
    struct report report;
    struct og_policy_test_options options;
    struct og_policy_coverage *coverage;
    struct path_list files;
    bool covers, covers_all, list, watch;
    int color;
    int least[KINDS + 1]; /* least coverage of each kind in percent, and of all kinds; -1 if none is required */
    long long listed;
    bool io_failed, unusable;
    char first[512]; /* the first fault found in a file, for the report of that file */
};

/* Parse "80%" or "overrides=100%". */
static int set_least(void *to, const struct option_row *row, const char *text)
{
    struct tests *t = to;
    const char *equals = strchr(text, '='), *number = equals ? equals + 1 : text;
    int kind = KINDS;
    char *end;
    long least;

    (void)row;
    for (int i = 0; equals && i < KINDS; i++)
        if (strlen(og_covered_name((enum og_covered)i)) == (size_t)(equals - text) &&
            strncmp(text, og_covered_name((enum og_covered)i), (size_t)(equals - text)) == 0)
            kind = i;
    least = strtol(number, &end, 10);
    if ((equals && kind == KINDS) || *number < '0' || *number > '9' || least > 100 || (*end && strcmp(end, "%") != 0))
        return -1;
    t->least[kind] = (int)least;
    t->covers = true;
    return 0;
}

static int set_coverage(void *to, const struct option_row *row, const char *how)
{
    struct tests *t = to;

    t->covers = true;
    t->covers_all = how != NULL;
    return how && strcmp(how, "all") ? og_bad_usage("ordergate test", "--coverage", how, row->expected) : 0;
}

static int set_update(void *to, const struct option_row *row, const char *which)
{
    struct tests *t = to;

    t->options.update = which ? OG_TEST_UPDATE_ALL : OG_TEST_UPDATE_OPEN;
    return which && strcmp(which, "all") ? og_bad_usage("ordergate test", "--update", which, row->expected) : 0;
}

static const struct option_row rows[] = {
    OPTION_ROW("filter", 0, "TEXT", TEXT_AT(struct tests, options.filter), "only cases whose name contains this"),
    OPTION_ROW("list", 0, NULL, FLAG_AT(struct tests, list), "list the cases and run none"),
    OPTION_ROW("format", 0, "text|tap|junit|json|github", CHOICE_AT(struct tests, report.format),
               "text (default), tap, junit, json or github (annotations)"),
    OPTION_ROW("verbose", 'v', NULL, FLAG_AT(struct tests, report.verbose),
               "one line for each decision, not only for those that fail"),
    OPTION_ROW("update", 0, "[=all]", SET_BY(set_update, "nothing, or all"),
               "fill in what is left open (`...`, cases that expect nothing) by what was seen; all: replace stated "
               "expectations that were not met too; all else stays as it is"),
    OPTION_ROW(
        "coverage", 0, "[=all]", SET_BY(set_coverage, "nothing, or all"),
        "report which parts of the policies were reached; all: also of what they inherit, and every reason of every "
        "rule in force"),
    OPTION_ROW("coverage-least", 0, "[KIND=]PERCENT",
               SET_BY(set_least, "a percentage up to 100%, or one of a kind like overrides=100%"),
               "fail if less is covered; KIND is rules, reasons, overrides or custom; may be given for each"),
    OPTION_ROW("watch", 0, NULL, FLAG_AT(struct tests, watch),
               "run again whenever a file changes that was read, until interrupted"),
    OPTION_ROW("color", 0, OPTION_COLOUR_WORDS, CHOICE_AT(struct tests, color), "auto is the default"),
    OPTION_END,
};

static const struct option_spec spec = {
    .program = "ordergate test",
    .synopsis = "[options] DIR|FILE...",
    .about = "Runs the tests of policies: each *_test.yaml of a folder and the folders in it.  desk_test.yaml tests "
             "desk.yaml in the same folder:\n"
             "\n"
             "  ordergate-test: 1\n"
             "  at: 2026-01-15T10:00:00-05:00\n"
             "  facts: {quotes: {AAPL: {bid: 189.98, ask: 190.02, last: 190}}}\n"
             "  order: {securityType: Stock, symbol: AAPL, side: Buy, openClose: Open, orderType: Limit, "
             "orderQuantity: 100,\n"
             "          timeInForce: Day, limitPrice: 190, clientOrderId: t1, route: SMART}\n"
             "  cases:\n"
             "    - name: a market order after the close is refused\n"
             "      at: 16:05\n"
             "      order: {orderType: Market, limitPrice: ~}\n"
             "      expect: {verdict: refuse, reasons: [market-outside-hours]}\n",
    .rows = rows,
    .notes = "man ordergate-test has every key of a test file.",
    .exits = "0 all as expected, 1 something was not (or coverage is too low), 2 usage, 3 a test file, policy or facts "
             "file cannot be used, 4 something cannot be read or written",
};

/* Returns -1 to go on, or the exit code. */
static int read_options(struct tests *t, int argc, char **argv)
{
    int code = options_read(&spec, t, argc, argv);

    if (code >= 0)
        return code;
    t->report.update = t->options.update;
    t->report.colour = terminal_colour(t->color);
    if (optind == argc)
        return options_misuse(&spec, "no folder or file was named");
    if (t->watch && (t->list || t->options.update || t->report.format != REPORT_TEXT))
        return options_misuse(&spec, "--watch needs a run that prints text: leave out --list, --update and --format");
    for (int i = optind; t->watch && i < argc; i++)
        if (strcmp(argv[i], "-") == 0)
            return og_bad_usage(spec.program, "--watch", "-", "files, since standard input cannot be read again");
    for (int i = optind; t->options.update && i < argc; i++)
        if (strcmp(argv[i], "-") == 0)
            return og_bad_usage(spec.program, "--update", "-", "files, since standard input cannot be rewritten");
    return -1;
}

/* --- which files -------------------------------------------------------------------------------------------------- */

static void say_unread(struct tests *t, const char *path, const char *why)
{
    fprintf(stderr, "ordergate test: %s: %s\n", path, why);
    t->io_failed = true;
}

static const char *const endings[] = { "_test.yaml", "_test.yml", NULL };

static void find_in(struct tests *t, const char *folder)
{
    size_t before = t->files.count;
    char wrong[4096];

    if (!directory_walk(folder, endings, &t->files, wrong, sizeof wrong)) {
        char why[200];

        snprintf(why, sizeof why, "cannot be read: %s", strerror(errno));
        say_unread(t, wrong, why);
    } else if (t->files.count == before) {
        say_unread(t, folder, "holds no *_test.yaml: nothing was tested");
    }
}

static void find_files(struct tests *t, int count, char **names)
{
    struct stat st;

    for (int i = 0; i < count; i++) {
        if (strcmp(names[i], "-") != 0 && stat(names[i], &st) == 0 && S_ISDIR(st.st_mode))
            find_in(t, names[i]);
        else if (!path_list_add(&t->files, names[i]))
            say_unread(t, names[i], "out of memory");
    }
}

/* --- one file ----------------------------------------------------------------------------------------------------- */

static void hear_fault(void *with, const struct og_diagnostic *fault)
{
    struct tests *t = with;

    og_print_fault(stderr, fault);
    if (fault->severity == OG_ERROR && !t->first[0])
        snprintf(t->first, sizeof t->first, "%s:%d:%d: %s", fault->file, fault->line, fault->col, fault->text);
}

static void hear_result(void *with, const struct og_policy_test_result *result)
{
    struct tests *t = with;

    report_result(&t->report, result);
    og_progress("ordergate test", t->report.count[0] + t->report.count[1] + t->report.count[2] + t->report.count[3],
                t->report.count[OG_TEST_FAILED], "failed", 0);
    t->unusable = t->unusable || result->outcome == OG_TEST_UNUSABLE;
}

static void tell_error(struct tests *t, const struct og_error *err)
{
    (void)og_say(spec.program, err, 0);
    t->io_failed = true;
}

static void save(struct tests *t, struct og_policy_test *test)
{
    struct og_error err = { 0 };
    bool changed;

    if (og_policy_test_save(test, &changed, &err))
        tell_error(t, &err);
    else if (changed)
        fprintf(stderr, "ordergate test: %s: rewritten\n", og_policy_test_file(test));
}

static void list(struct tests *t, const struct og_policy_test *test)
{
    struct og_policy_test_entry e;

    for (size_t i = 0; og_policy_test_entry(test, i, t->options.filter, &e); i++, t->listed++)
        printf("%s:%d:%d: %s%s%s\n", og_policy_test_file(test), e.line, e.col, e.name, e.part[0] ? " / " : "", e.part);
}

static void run_file(struct tests *t, const char *path)
{
    struct og_policy_test *test;
    struct og_error err = { 0 };
    enum og_status status;
    char text[512];

    t->first[0] = '\0';
    status = og_policy_test_load(path, &test, hear_fault, t, &err);
    if (status) {
        if (status != OG_EPOLICY)
            tell_error(t, &err);
        t->unusable = true;
        if (!t->list)
            report_unusable(&t->report, path, t->first[0] ? t->first : og_tool_error(&err, text, sizeof text));
        return;
    }
    if (t->list) {
        list(t, test);
    } else {
        report_file(&t->report, test);
        if (og_policy_test_run(test, &t->options, hear_result, t, &err))
            tell_error(t, &err);
        report_file_end(&t->report);
        if (t->options.update)
            save(t, test);
    }
    og_policy_test_free(test);
}

/* --- the end ------------------------------------------------------------------------------------------------------ */

/* Returns true if the coverage of a kind (KINDS: of all) is as high as required. */
static bool is_covered(const struct tests *t, int kind)
{
    const char *name = kind < KINDS ? og_covered_name((enum og_covered)kind) : "all";
    long long reached, all;

    if (t->least[kind] < 0)
        return true;
    report_covered(t->coverage, kind < KINDS ? kind : -1, &reached, &all);
    if (reached * 100 >= t->least[kind] * all)
        return true;
    fprintf(stderr, "ordergate test: coverage of %s is %lld of %lld, %lld%%; the least allowed is %d%%\n", name,
            reached, all, 100 * reached / all, t->least[kind]);
    return false;
}

static bool all_covered(const struct tests *t)
{
    bool ok = true;

    for (int kind = 0; t->coverage && kind <= KINDS; kind++)
        ok = is_covered(t, kind) && ok;
    return ok;
}

static int finish(struct tests *t)
{
    bool failed = t->report.count[OG_TEST_FAILED] > 0;
    long long told = t->report.count[0] + t->report.count[1] + t->report.count[2] + t->report.count[3];
    bool none = t->options.filter && !(t->list ? t->listed : told) && !t->unusable && !t->io_failed;
    int code = 0;

    og_progress_end();
    if (!t->list)
        report_end(&t->report, t->coverage);
    failed = !all_covered(t) || failed;
    if (none)
        fprintf(stderr, "ordergate test: no case has '%s' in its name; --list names them\n", t->options.filter);
    if (!t->watch)
        code = og_close_stdout("ordergate test");
    else if (fflush(stdout) != 0)
        say_unread(t, "standard output", strerror(errno));
    return code || t->io_failed ? EXIT_IO : t->unusable ? EXIT_UNUSABLE : none ? EXIT_USAGE : failed ? EXIT_NO : 0;
}

/* Run all tests once.  Returns the exit code. */
static int run_all(struct tests *t, int count, char **names)
{
    int code;

    if (t->covers && !t->list) {
        t->coverage = og_policy_coverage_new(t->covers_all);
        t->options.coverage = t->coverage;
        if (!t->coverage)
            return EXIT_IO;
    }
    find_files(t, count, names);
    if (!t->list)
        report_begin(&t->report);
    for (size_t i = 0; i < t->files.count; i++)
        run_file(t, t->files.path[i]);
    code = finish(t);
    og_policy_coverage_free(t->coverage);
    path_list_clear(&t->files);
    return code;
}

/* Watch a path of the command line; in a folder, also watch for new test files. */
static void watch_argument(struct file_watch *w, const char *name)
{
    char path[4096];
    struct stat st;

    snprintf(path, sizeof path, "%s%s", name, stat(name, &st) == 0 && S_ISDIR(st.st_mode) ? "/_test.yaml" : "");
    file_watch_add(w, path);
}

/* Run all tests now, and again whenever a file changes that they read.  Ends only if the watch or the output fails. */
static int watch(struct tests *asked, int count, char **names)
{
    struct file_watch w;
    bool ok = file_watch_begin(&w, endings);

    while (ok && !ferror(stdout)) {
        struct tests t = *asked;

        for (int i = 0; i < count; i++)
            watch_argument(&w, names[i]);
        (void)run_all(&t, count, names); /* a file that cannot be read now may be there again later */
        if (ferror(stdout))
            break;
        fprintf(stderr, "ordergate test: waiting for a change\n");
        ok = file_watch_wait(&w);
    }
    if (!ok)
        fprintf(stderr, "ordergate test: cannot wait for changes: %s\n", strerror(errno));
    file_watch_end(&w);
    return EXIT_IO;
}

int og_cmd_test(int argc, char **argv)
{
    struct tests t = { .least = { -1, -1, -1, -1, -1 } };
    int code = read_options(&t, argc, argv);

    if (code >= 0)
        return code;
    return (t.watch ? watch : run_all)(&t, argc - optind, argv + optind);
}
