/*
 * Runs rule cases: text tables with orders, facts, settings and the complete findings of one rule, through the
 * public API.
 *
 * run_cases FILE.cases...      runs them; each file must cover its rule (see covers())
 * run_cases --print FILE...    writes what every case finds, in the form of the tables
 * run_cases --complete DIR     checks that every rule has a table in DIR, and every table a rule
 *
 * The form of a table is described in tests/rules/README.md.  An unknown keyword is an error, since a mistyped one
 * would test nothing.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

#include "check/check.h"
#include "ordergate/ordergate.h"
#include "rules/rule.h"
#include "text/doc.h"

#define VALUES_MOST   24
#define BOUNDS_MOST   32
#define BASKET_ORDERS 4                      /* most orders of a basket in a case */
#define AT_DEFAULT    "2026-01-15T15:00:00Z" /* a Thursday, 10:00 in New York */

/* One case; its texts are parts of the file, with the lines of one keyword joined by newlines. */
struct values {
    int line; /* of "case:" */
    char *name, *order, *with, *without, *pad, *facts, *account, *tag, *environment, *at, *settings, *policy, *bound,
        *before;
    struct og_buf expect;
};

struct table {
    const char *path;
    char *text;
    int line;
    char *base; /* facts of every case that says "with:" or nothing */
    const struct og_rule *rule;
    bool seen[OG_REASONS_MOST], passed, print;
    struct {
        char name[96];
        bool at, over;
    } bound[BOUNDS_MOST];
    int bounds, good, bad;
};

static unsigned asked_undeclared; /* facts that the rule under test read in this case without declaring them */
static const struct og_rule *under_test;

static void note_asked(const struct og_rule *rule, unsigned asked)
{
    if (rule == under_test)
        asked_undeclared = asked & ~rule->reads;
}

static void fail(struct table *t, int line, const char *what, const char *detail)
{
    fprintf(stderr, "%s:%d: %s%s%s\n", t->path, line, what, detail ? ": " : "", detail ? detail : "");
    t->bad++;
}

/* --- what a decision found, as the tables write it ---------------------------------------------------------------- */

static void put_prediction(struct og_buf *b, const struct og_prediction *p)
{
    if (p->channel == OG_CHANNEL_NONE)
        return;
    og_buf_format(b, "  predicts %s", og_channel_name(p->channel));
    if (p->codes[0])
        for (int i = 0; i < 3 && p->codes[i]; i++)
            og_buf_format(b, "%c%s", i ? '|' : ' ', p->codes[i]);
    else if (p->code)
        og_buf_format(b, " %s", p->code);
    og_buf_format(b, " %s", og_certainty_name(p->certainty));
    if (p->codes[0] && (!p->code || strcmp(p->code, p->codes[0]) != 0))
        og_buf_text(b, " (code is not the first)");
    if (p->text)
        og_buf_format(b, ": %s", p->text);
    og_buf_char(b, '\n');
}

static void put_findings(struct og_buf *b, const struct og_decision *d, const char *rule)
{
    bool any = false;

    for (int i = 0; i < d->count; i++) {
        const struct og_finding *f = &d->findings[i];

        if (strcmp(f->rule, rule) != 0)
            continue;
        any = true;
        og_buf_format(b, "%s%s %s %s: %s\n", og_level_name(f->level), f->unsure ? "?" : "", f->reason,
                      f->field[0] ? f->field : "(root)", f->message);
        put_prediction(b, &f->predicts);
    }
    if (!any)
        og_buf_text(b, "pass\n");
}

static bool finds(const struct og_decision *d, const char *rule, const char *reason)
{
    for (int i = 0; i < d->count; i++)
        if (strcmp(d->findings[i].rule, rule) == 0 && strcmp(d->findings[i].reason, reason) == 0)
            return true;
    return false;
}

/* --- one case ----------------------------------------------------------------------------------------------------- */

/* Write the base document into `into`, with the keys of `with` replaced and those of `without` removed. */
static bool merge(const char *base, const char *with, char *without, struct og_buf *into)
{
    struct og_error err = { 0 };
    cJSON *doc = NULL, *more = NULL;
    bool ok = og_doc_read(base, strlen(base), "base", &doc, &err) == OG_OK &&
              (!with || og_doc_read(with, strlen(with), "with", &more, &err) == OG_OK);

    while (ok && more && more->child) {
        cJSON *item = cJSON_DetachItemViaPointer(more, more->child);

        cJSON_DeleteItemFromObjectCaseSensitive(doc, item->string);
        ok = cJSON_AddItemToArray(doc, item) != 0; /* the item keeps its name */
    }
    for (char *key = without; ok && key && *key;) {
        size_t len = strcspn(key, " ");
        bool last = key[len] == '\0';

        key[len] = '\0';
        cJSON_DeleteItemFromObjectCaseSensitive(doc, key);
        key += last ? len : len + 1;
    }
    ok = ok && og_doc_text(doc, into);
    cJSON_Delete(doc);
    cJSON_Delete(more);
    if (!ok)
        fprintf(stderr, "%s\n", err.text);
    return ok;
}

static bool order_bytes(const struct table *t, struct values *v, struct og_buf *into)
{
    size_t length = v->pad ? strtoul(v->pad, NULL, 10) : 0;

    if (v->order)
        og_buf_text(into, v->order);
    else if (!t->base || !merge(t->base, v->with, v->without, into))
        return false;
    while (!into->bad && into->len < length)
        og_buf_char(into, ' ');
    return !into->bad;
}

static void put_indented(struct og_buf *b, const char *text, int by)
{
    while (*text) {
        size_t len = strcspn(text, "\n");

        og_buf_format(b, "%*s%.*s\n", by, "", (int)len, text);
        text += len + (text[len] == '\n');
    }
}

static void say_fault(void *with, const struct og_diagnostic *fault)
{
    (void)with;
    fprintf(stderr, "policy:%d:%d: %s [%s]\n", fault->line, fault->col, fault->text, fault->code);
}

static struct og_policy *policy_of(const struct table *t, const struct values *v)
{
    struct og_error err = { 0 };
    struct og_policy *policy = NULL;
    struct og_buf b;

    og_buf_init(&b, 0);
    og_buf_text(&b, "ordergate: 1\nname: cases\nextends: []\n");
    if (v->policy)
        put_indented(&b, v->policy, 0);
    og_buf_format(&b, "rules:\n  %s:\n    level: refuse\n", t->rule->id);
    if (v->settings)
        put_indented(&b, v->settings, 4);
    if (og_policy_read(b.s, b.len, "case", &policy, say_fault, NULL, &err) != OG_OK)
        fprintf(stderr, "%s\n", err.text);
    og_buf_clear(&b);
    return policy;
}

static enum og_environment_declared declared(const char *word)
{
    return strcmp(word, "paper") == 0  ? OG_DECLARED_PAPER
           : strcmp(word, "live") == 0 ? OG_DECLARED_LIVE
                                       : OG_DECLARED_NONE;
}

static struct og_book *book_of(const struct table *t, const struct values *v)
{
    struct og_error err = { 0 };
    struct og_book *book = NULL;
    struct og_policy *policy = policy_of(t, v);
    char *facts = v->facts;

    if (!policy || og_book_new(policy, &book) != OG_OK) {
        og_policy_free(policy);
        return NULL;
    }
    while (facts && *facts) { /* one document on each line */
        size_t len = strcspn(facts, "\n");

        if (og_book_apply(book, NULL, facts, len, "facts", &err) != OG_OK) {
            fprintf(stderr, "facts: %s\n", err.text);
            og_book_free(book);
            return NULL;
        }
        facts += len + (facts[len] == '\n');
    }
    if ((v->tag && og_book_client_tag(book, v->tag) != OG_OK) ||
        (v->account && og_book_default_account(book, v->account) != OG_OK) ||
        (v->environment && og_book_declare(book, v->account ? v->account : "", declared(v->environment)) != OG_OK)) {
        og_book_free(book);
        return NULL;
    }
    return book;
}

/* "bound: SETTING/REASON at" or "REASON over": at the bound the reason is absent, beyond it it is found. */
static void take_bound(struct table *t, const struct values *v, const struct og_decision *d)
{
    char *side = strrchr(v->bound, ' '), *reason;
    bool over;
    int i = 0;

    if (!side || (strcmp(side, " at") != 0 && strcmp(side, " over") != 0)) {
        fail(t, v->line, "a bound is 'REASON at', 'REASON over', or SETTING/REASON", v->bound);
        return;
    }
    over = side[1] == 'o';
    *side = '\0';
    reason = strchr(v->bound, '/');
    reason = reason ? reason + 1 : v->bound;
    if (finds(d, t->rule->id, reason) != over)
        fail(t, v->line, over ? "over the bound it must be found" : "at the bound it must not be found", reason);
    while (i < t->bounds && strcmp(t->bound[i].name, v->bound) != 0)
        i++;
    if (i == BOUNDS_MOST) {
        fail(t, v->line, "too many bounds", NULL);
        return;
    }
    if (i == t->bounds)
        snprintf(t->bound[t->bounds++].name, sizeof t->bound[0].name, "%s", v->bound);
    *(over ? &t->bound[i].over : &t->bound[i].at) = true;
}

/* Returns true if the finding is certain, or if its reason is always unsure. */
static bool in_own_words(const struct og_finding *f)
{
    return !f->unsure || !strstr(f->message, " not decided: ");
}

static void mark_seen(struct table *t, const struct og_decision *d)
{
    bool any = false;

    for (int i = 0; i < d->count; i++)
        if (strcmp(d->findings[i].rule, t->rule->id) == 0)
            any = true;
    t->passed |= !any;
    for (size_t r = 0; r < t->rule->reason_count; r++)
        for (int i = 0; i < d->count; i++)
            if (in_own_words(&d->findings[i]) && strcmp(d->findings[i].rule, t->rule->id) == 0 &&
                strcmp(d->findings[i].reason, t->rule->reasons[r].id) == 0)
                t->seen[r] = true;
}

static void compare(struct table *t, struct values *v, const struct og_decision *d)
{
    struct og_buf found;
    int before = t->bad;

    og_buf_init(&found, 0);
    put_findings(&found, d, t->rule->id);
    if (t->print)
        printf("case: %s\n%s\n", v->name, found.s);
    else if (v->expect.len == 0 || strcmp(found.s, v->expect.s) != 0) {
        fail(t, v->line, "findings differ", v->name);
        fprintf(stderr, "--- expected\n%s--- found\n%s", v->expect.len ? v->expect.s : "(nothing said)\n", found.s);
    }
    if (asked_undeclared)
        fail(t, v->line, "the rule asks for a fact that its .reads does not name", v->name);
    if (v->bound)
        take_bound(t, v, d);
    mark_seen(t, d);
    t->good += t->bad == before;
    og_buf_clear(&found);
}

/* Accept and reserve the orders that come before the case's order, one on each line. */
static bool reserve_before(struct og_book *book, char *line, int64_t now, struct og_order *order,
                           struct og_scratch *scratch)
{
    struct og_decision d;
    og_ticket ticket = 1;

    for (size_t len; line && *line && ticket; line += len + (line[len] == '\n')) {
        len = strcspn(line, "\n");
        if (og_order_read(order, line, len) != OG_OK || og_reserve(book, order, now, scratch, &d, &ticket) != OG_OK)
            return false;
    }
    return ticket != 0;
}

/* Decide the line as a basket of at most BASKET_ORDERS; *d is of its last order, or of the line if it is no basket. */
static bool decide_basket(struct og_book *book, const struct og_buf *bytes, int64_t now, struct og_scratch *scratch,
                          struct og_decision *d)
{
    static struct og_scratch *others[BASKET_ORDERS];
    static struct og_basket *basket; /* kept, since the decision points into its orders */
    struct og_scratch *each[BASKET_ORDERS];
    struct og_decision all[BASKET_ORDERS];
    size_t count;

    og_basket_free(basket);
    if (!(basket = og_basket_new()) || og_basket_read(basket, bytes->s, bytes->len) != OG_OK)
        return false;
    if ((count = og_basket_count(basket)) == 0) {
        og_check(book, og_basket_line(basket), now, scratch, d);
        return true;
    }
    for (size_t i = 0; i < count && count <= BASKET_ORDERS; i++) {
        if (!others[i])
            others[i] = og_scratch_new();
        each[i] = i + 1 < count ? others[i] : scratch;
    }
    if (count > BASKET_ORDERS ||
        og_reserve_basket(book, og_basket_orders(basket), count, now, each, all, (og_ticket[BASKET_ORDERS]){ 0 }))
        return false;
    *d = all[count - 1];
    return true;
}

/* Decide the line as an order or a basket, or as a request if it is one. */
static bool decide(struct og_book *book, const struct og_buf *bytes, int64_t now, struct og_order *order,
                   struct og_request *request, struct og_scratch *scratch, struct og_decision *d)
{
    if (og_request_read(request, bytes->s, bytes->len) != OG_OK || og_order_read(order, bytes->s, bytes->len) != OG_OK)
        return false;
    if (og_order_op(order) == OG_OP_BASKET)
        return decide_basket(book, bytes, now, scratch, d);
    switch (og_request_what(request)) {
    case OG_REQUEST_NONE: return og_reserve(book, order, now, scratch, d, &(og_ticket){ 0 }) == OG_OK;
    case OG_REQUEST_CANCEL: og_check_cancel(book, request, now, scratch, d); break;
    case OG_REQUEST_READ: og_check_read(book, request, now, scratch, d); break;
    default: og_check_locate(book, request, now, scratch, d); break;
    }
    return true;
}

static void run_case(struct table *t, struct values *v)
{
    const char *at = v->at ? v->at : AT_DEFAULT;
    struct og_scratch *scratch = og_scratch_new();
    struct og_order *order = og_order_new();
    struct og_request *request = og_request_new();
    struct og_book *book = book_of(t, v);
    struct og_decision d;
    struct og_buf bytes;
    int64_t now;

    og_buf_init(&bytes, 0);
    asked_undeclared = 0;
    under_test = t->rule;
    if (!scratch || !order || !request || !book || !og_time_read(at, strlen(at), &now) || !order_bytes(t, v, &bytes) ||
        !reserve_before(book, v->before, now, order, scratch) ||
        !decide(book, &bytes, now, order, request, scratch, &d))
        fail(t, v->line, "the case cannot be set up", v->name);
    else
        compare(t, v, &d);
    og_buf_clear(&bytes);
    og_book_free(book);
    og_request_free(request);
    og_order_free(order);
    og_scratch_free(scratch);
}

/* --- tables ------------------------------------------------------------------------------------------------------- */

/* Returns the next line of the text, NUL-terminated; NULL at the end. */
static char *next_line(struct table *t, char **rest)
{
    char *line = *rest, *end;

    if (!line || !*line)
        return NULL;
    end = strchr(line, '\n');
    *rest = end ? end + 1 : NULL;
    if (end)
        *end = '\0';
    t->line++;
    return line;
}

static char **slot(struct table *t, struct values *v, const char *word, size_t len)
{
    const struct {
        const char *word;
        char **value;
    } words[] = {
        { "base", &t->base },   { "case", &v->name },         { "order", &v->order },
        { "with", &v->with },   { "without", &v->without },   { "pad", &v->pad },
        { "facts", &v->facts }, { "account", &v->account },   { "environment", &v->environment },
        { "at", &v->at },       { "settings", &v->settings }, { "policy", &v->policy },
        { "bound", &v->bound }, { "before", &v->before },     { "tag", &v->tag },
    };

    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strlen(words[i].word) == len && memcmp(words[i].word, word, len) == 0)
            return words[i].value;
    return NULL;
}

static bool is_finding(const char *line)
{
    return strcmp(line, "pass") == 0 || strncmp(line, "refuse ", 7) == 0 || strncmp(line, "refuse? ", 8) == 0 ||
           strncmp(line, "warn ", 5) == 0 || strncmp(line, "warn? ", 6) == 0 || strncmp(line, "info ", 5) == 0 ||
           strncmp(line, "info? ", 6) == 0 || strncmp(line, "  predicts ", 11) == 0;
}

/* Append a line that continues a value: it is indented by two, and joined by a newline, in place. */
static void go_on(char *value, const char *line)
{
    size_t len = strlen(value), more = strlen(line);

    value[len] = len ? '\n' : '\0';
    memmove(value + len + (len ? 1 : 0), line, more + 1);
}

static void end_case(struct table *t, struct values *v)
{
    if (v->name)
        run_case(t, v);
    og_buf_clear(&v->expect);
    *v = (struct values){ .line = 0 };
    og_buf_init(&v->expect, 0);
}

static void run_table(struct table *t)
{
    struct values v = { .line = 0 };
    char *rest = t->text, *line, *value = NULL;

    og_buf_init(&v.expect, 0);
    while ((line = next_line(t, &rest))) {
        size_t len = strcspn(line, ":");
        char **place = line[len] == ':' ? slot(t, &v, line, len) : NULL;

        if (line[0] == '#' || line[0] == '\0')
            continue;
        if (is_finding(line)) {
            og_buf_format(&v.expect, "%s\n", line);
        } else if (value && strncmp(line, "  ", 2) == 0) {
            go_on(value, line + 2);
        } else if (!place) {
            fail(t, t->line, "no such word", line);
        } else {
            if (place == &v.name)
                end_case(t, &v);
            if (place == &v.name)
                v.line = t->line;
            else if (*place && place != &t->base)
                fail(t, t->line, "said twice in one case", line);
            value = line + len + 1;
            value += strspn(value, " ");
            *place = value;
        }
    }
    end_case(t, &v);
}

static bool is_numeric(enum og_param_kind kind)
{
    return kind == OG_PARAM_INT || kind == OG_PARAM_MONEY || kind == OG_PARAM_BPS || kind == OG_PARAM_DURATION;
}

static bool has_pair(const struct table *t, const char *setting)
{
    size_t len = strlen(setting);

    for (int i = 0; i < t->bounds; i++)
        if (strncmp(t->bound[i].name, setting, len) == 0 && t->bound[i].name[len] == '/' && t->bound[i].at &&
            t->bound[i].over)
            return true;
    return false;
}

/* Check that the cases include a pass, a certain finding for every reason, and values on both sides of every bound and
 * of every numeric setting. */
static void covers(struct table *t)
{
    if (!t->passed)
        fail(t, t->line, "no case passes", t->rule->id);
    for (size_t r = 0; r < t->rule->reason_count; r++)
        if (!t->seen[r])
            fail(t, t->line, "no case finds", t->rule->reasons[r].id);
    for (int i = 0; i < t->bounds; i++)
        if (!t->bound[i].at || !t->bound[i].over)
            fail(t, t->line, t->bound[i].at ? "no case over the bound" : "no case at the bound", t->bound[i].name);
    OG_EACH_PARAM (p, t->rule)
        if (is_numeric(p->kind) && !has_pair(t, p->key))
            fail(t, t->line, "no cases 'bound: SETTING/REASON at' and 'over' for the setting", p->key);
}

static char *read_file(const char *path)
{
    FILE *f = fopen(path, "r");
    char chunk[4096];
    struct og_buf b;
    size_t n;

    if (!f)
        return NULL;
    og_buf_init(&b, 0);
    while ((n = fread(chunk, 1, sizeof chunk, f)) > 0)
        og_buf_bytes(&b, chunk, n);
    fclose(f);
    return b.s;
}

/* Returns the rule of a path such as ".../market-hours.cases". */
static const struct og_rule *rule_of(const char *path)
{
    const char *name = strrchr(path, '/'), *dot = strrchr(path, '.');
    char id[64];

    name = name ? name + 1 : path;
    if (!dot || strcmp(dot, ".cases") != 0)
        return NULL;
    snprintf(id, sizeof id, "%.*s", (int)(dot - name), name);
    return og_rules_find(id);
}

static void run_file(const char *path, bool print, int *good, int *bad)
{
    struct table t = { .path = path, .print = print, .text = read_file(path), .rule = rule_of(path) };

    if (!t.text || !t.rule)
        fail(&t, 0, t.rule ? "cannot be read" : "named after no rule", NULL);
    else {
        run_table(&t);
        if (!print)
            covers(&t);
    }
    free(t.text);
    *good += t.good;
    *bad += t.bad;
}

static void complete(const char *folder, int *good, int *bad)
{
    DIR *dir = opendir(folder);
    struct dirent *entry;
    char path[1024];

    for (size_t i = 0; i < og_rules_count(); i++) {
        FILE *f;

        snprintf(path, sizeof path, "%s/%s.cases", folder, og_rule_id(og_rules_at(i)));
        f = fopen(path, "r");
        if (f)
            fclose(f);
        else
            fprintf(stderr, "%s: no such table: every rule has one\n", path);
        ++*(f ? good : bad);
    }
    while (dir && (entry = readdir(dir)) != NULL) {
        const char *dot = strrchr(entry->d_name, '.');

        if (!dot || strcmp(dot, ".cases") != 0 || rule_of(entry->d_name))
            continue;
        fprintf(stderr, "%s/%s: named after no rule\n", folder, entry->d_name);
        ++*bad;
    }
    if (dir)
        closedir(dir);
}

int main(int argc, char **argv)
{
    bool print = argc > 1 && strcmp(argv[1], "--print") == 0;
    int good = 0, bad = 0;

    og_check_asked = note_asked;
    if (argc == 3 && strcmp(argv[1], "--complete") == 0)
        complete(argv[2], &good, &bad);
    else if (argc > 1 + print)
        for (int i = 1 + print; i < argc; i++)
            run_file(argv[i], print, &good, &bad);
    else {
        fprintf(stderr, "usage: run_cases [--print] FILE.cases... | --complete DIR\n");
        return 2;
    }
    printf("%d passed, %d failed\n", good, bad);
    return bad > 0;
}
