/*
 * ordergate policy diff: reports the orders that two policies decide differently, with the reasons, and the settings
 * that differ.
 * A ledger is read by a child process, `ordergate-ledger export`, so that this program need not be linked with SQLite.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ordergate/diff.h"
#include "ordergate/file.h"
#include "ordergate/ordergate.h"
#include "tools/common/commands.h"
#include "tools/common/complete.h"
#include "tools/common/diff.h"
#include "tools/common/exit.h"
#include "tools/common/facts.h"
#include "tools/common/json.h"
#include "tools/common/lines.h"
#include "tools/common/messages.h"
#include "tools/common/options.h"
#include "tools/common/reload.h"
#include "tools/common/sibling_program.h"

enum { EXAMPLES = 3 };

#define PROGRAM   "ordergate policy diff"
#define GENERATED 10000

/* A copy of one order whose decision changed. */
struct example {
    struct example *next;
    char *order, *facts, *with, *message;
    int64_t at;
};

/* Orders whose decision changed in the same way and for the same reason. */
struct group {
    struct group *next;
    enum og_diff_what what;
    char *rule, *reason;
    const char *from, *to;
    long long count;
    struct example *example, **last;
    int examples;
};

/* How often a rule finds something that it did not find under the policy before, and the other way round. */
struct rule_count {
    struct rule_count *next;
    char *rule;
    long long fires, silent;
};

struct diff {
    struct option_list facts;
    const char *policy[2], *orders, *ledger, *account;
    long long generate; /* number of orders to generate; -1 if the option was not given */
    long long seed;
    enum { TEXT, JSON } format;
    int64_t at;
    bool allowed, unproved_allowed, strict, all, replay;

    struct og_policy *loaded[2];
    struct og_diff *diff;
    struct group *group;
    struct rule_count *rule_count;
    /* with --replay: the first order of the ledger that is decided differently; NULL if there is none yet */
    char *first;
    long long decided, count[4], left_out;
    bool failed;
};

static const struct option_row rows[] = {
    OPTION_ROW("orders", 0, "FILE", TEXT_AT(struct diff, orders),
               "decide the orders of this file, in the form that ordergate check reads"),
    OPTION_ROW("ledger", 0, "FILE", TEXT_AT(struct diff, ledger),
               "decide the orders of a ledger: its file, or what `ordergate ledger export` wrote; a ledger keeps no "
               "facts"),
    OPTION_ROW("replay", 0, NULL, FLAG_AT(struct diff, replay),
               "with --ledger: orders that were sent count for the later ones, with what became of them"),
    OPTION_ROW("generate", 0, "N", NUMBER_AT(struct diff, generate, 0, 100000000),
               "generate this many orders (default: 10000)"),
    OPTION_ROW("seed", 0, "N", NUMBER_AT(struct diff, seed, 0, 0), "generate other orders: each seed gives its own"),
    OPTION_ROW("facts", 'f', "FILE", LIST_AT(struct diff, facts, OPTION_LIST_MOST),
               "what is known of the account, JSON; once per account"),
    OPTION_ROW("account", 0, "ID", NAME_AT(struct diff, account), "the account of lines without accountId"),
    OPTION_ROW("at", 0, "TIME", TIME_AT(struct diff, at),
               "decide as of this instant (default: now for --orders; for --ledger, when each was recorded; generated "
               "orders have their own times)"),
    OPTION_ROW("format", 0, "text|json", CHOICE_AT(struct diff, format), "text (default) or json"),
    OPTION_ROW("all", 0, NULL, FLAG_AT(struct diff, all),
               "show every order that changed, not only the first three of each reason"),
    OPTION_ROW("allow-loosening", 0, NULL, FLAG_AT(struct diff, allowed), "exit 0 even if something is loosened"),
    OPTION_ROW("allow-unproved", 0, NULL, FLAG_AT(struct diff, unproved_allowed),
               "exit 0 if something is only perhaps looser"),
    OPTION_ROW("strict", 0, NULL, FLAG_AT(struct diff, strict),
               "exit 1 also if something is perhaps looser, which is the default"),
    OPTION_END,
};

static const struct option_spec spec = {
    .program = PROGRAM,
    .synopsis = "[--orders FILE|--ledger FILE|--generate N] [options] BEFORE AFTER",
    .about = "Says for each kind of order whether the policy after is the same, tighter, looser or neither, proved by "
             "its settings or only as far as the orders decided show.  Decides the same orders by both policies, each "
             "order alone, and says which change verdict and why, and which settings differ.  Without a source of "
             "orders they are made: orders, facts and times at and beyond what differs.\n"
             "\n"
             "  ordergate policy diff live desk.yaml\n"
             "  ordergate policy diff --ledger day.db -f facts.json old.yaml new.yaml\n",
    .rows = rows,
    .notes = "What may be looser although no order shows it is reported separately; if its setting tells that it is "
             "looser, it counts as a loosening.  Conditions, and lists they name, are proved the same, tighter or "
             "looser where they can "
             "be.",
    .exits = "0 nothing is let through that was refused, 1 something is, perhaps is, or a setting says so, 2 usage, 3 "
             "a policy or facts cannot be used, 4 cannot read or write",
    .word = complete_word,
    .argument = "POLICY",
};

/* Returns -1 to go on, or the exit code. */
static int read_options(struct diff *d, int argc, char **argv)
{
    int code = options_read(&spec, d, argc, argv);

    if (code >= 0)
        return code;
    if ((d->orders != NULL) + (d->ledger != NULL) + (d->generate >= 0) > 1)
        return options_misuse(&spec, "--orders, --ledger and --generate exclude one another");
    if (d->replay && !d->ledger)
        return options_misuse(&spec, "--replay needs --ledger");
    if (d->strict && d->unproved_allowed)
        return options_misuse(&spec, "--strict and --allow-unproved exclude one another");
    if (argc - optind != 2)
        return options_misuse(&spec, "takes two policies, the one before and the one after");
    d->policy[0] = argv[optind];
    d->policy[1] = argv[optind + 1];
    return -1;
}

/* --- collecting changes ------------------------------------------------------------------------------------------- */

static char *copy(const char *text)
{
    return text ? strdup(text) : NULL;
}

static struct group *group_of(struct diff *d, enum og_diff_what what, const struct og_diff_finding *f)
{
    struct group **at = &d->group, *g;

    for (; (g = *at); at = &g->next)
        if (g->what == what && strcmp(g->rule, f->rule) == 0 && strcmp(g->reason, f->reason) == 0 &&
            g->from == f->from && g->to == f->to)
            return g;
    g = calloc(1, sizeof *g);
    if (!g)
        return NULL;
    *g = (struct group){ .what = what, .rule = copy(f->rule), .reason = copy(f->reason), .from = f->from, .to = f->to };
    g->last = &g->example;
    *at = g;
    return g->rule && g->reason ? g : NULL;
}

static bool add_example(struct diff *d, struct group *g, const struct og_diff_change *c,
                        const struct og_diff_finding *f)
{
    struct example *e;

    g->count++;
    if (!d->all && g->examples >= EXAMPLES)
        return true;
    e = calloc(1, sizeof *e);
    if (!e)
        return false;
    *e = (struct example){ .order = copy(c->order),
                           .facts = copy(c->facts),
                           .with = copy(c->with),
                           .message = copy(f->message),
                           .at = c->at };
    g->examples++;
    *g->last = e;
    g->last = &e->next;
    return e->order && e->message;
}

static bool count_rule(struct diff *d, const struct og_diff_finding *f)
{
    struct rule_count **at = &d->rule_count, *r;

    while ((r = *at) && strcmp(r->rule, f->rule) != 0)
        at = &r->next;
    if (!r) {
        r = calloc(1, sizeof *r);
        if (!r || !(r->rule = copy(f->rule))) {
            free(r);
            return false;
        }
        *at = r;
    }
    r->fires += strcmp(f->from, "none") == 0;
    r->silent += strcmp(f->to, "none") == 0;
    return true;
}

static void on_change(void *with, const struct og_diff_change *c)
{
    struct diff *d = with;

    d->count[c->what]++;
    if (d->replay && !d->first && !(d->first = copy(c->order)))
        d->failed = true;
    for (size_t i = 0; i < c->count && d->replay; i++)
        d->failed |= !count_rule(d, &c->finding[i]);
    for (size_t i = 0; i < c->count; i++) {
        struct group *g = c->finding[i].explains ? group_of(d, c->what, &c->finding[i]) : NULL;

        if (c->finding[i].explains && (!g || !add_example(d, g, c, &c->finding[i])))
            d->failed = true;
    }
}

/* --- orders ------------------------------------------------------------------------------------------------------- */

static int one_line(struct diff *d, const char *name, long long number, const char *line, size_t len, int64_t now)
{
    struct og_error err = { 0 };
    enum og_diff_what what;
    enum og_status status;
    bool refused = false;
    char text[512];

    status = d->ledger ? og_diff_ledger_row(d->diff, line, len, &refused, &what, on_change, d, &err)
                       : og_diff_line(d->diff, line, len, now, &what, on_change, d, &err);
    d->left_out += refused && status == OG_ENOENT;
    d->decided += status == OG_OK;
    if (status == OG_OK || status == OG_ENOENT)
        return 0;
    fprintf(stderr, PROGRAM ": %s:%lld: %s\n", name, number, og_tool_error(&err, text, sizeof text));
    return status == OG_ENOMEM || d->ledger ? EXIT_IO : EXIT_UNUSABLE;
}

static int all_lines(struct diff *d, int fd, const char *name)
{
    int64_t now = d->at == OG_TIME_UNKNOWN ? og_time_now() : d->at;
    enum lines_answer answer = LINES_FAILED;
    struct lines lines;
    const char *line;
    size_t len;
    int code = 0;

    if (!lines_init(&lines, fd))
        return EXIT_IO;
    while (!code && (answer = lines_next(&lines, true, &line, &len)) == LINES_LINE)
        code = one_line(d, name, lines.number, line, len, now);
    if (!code && answer == LINES_FAILED) {
        fprintf(stderr, PROGRAM ": %s: cannot be read: %s\n", name, strerror(errno));
        code = EXIT_IO;
    }
    lines_clear(&lines);
    return code;
}

static int from_file(struct diff *d, const char *name)
{
    int fd = strcmp(name, "-") == 0 ? STDIN_FILENO : open(name, O_RDONLY | O_CLOEXEC), code;

    if (fd < 0) {
        fprintf(stderr, PROGRAM ": %s: cannot be read: %s\n", name, strerror(errno));
        return EXIT_IO;
    }
    code = all_lines(d, fd, strcmp(name, "-") == 0 ? "stdin" : name);
    if (fd != STDIN_FILENO)
        close(fd);
    return code;
}

/* Returns true if the file begins like an SQLite database. */
static bool is_database(const char *name)
{
    static const char magic[16] = "SQLite format 3";
    char first[sizeof magic] = "";
    struct stat st;
    ssize_t n = 0;
    int fd;

    if (stat(name, &st) != 0 || !S_ISREG(st.st_mode) || og_file_open(name, OG_FILE_READ, &fd, NULL, NULL) != OG_OK)
        return false; /* do not look into a pipe: what is read here could not be read again */
    n = pread(fd, first, sizeof first, 0);
    close(fd);
    return n == (ssize_t)sizeof magic && memcmp(first, magic, sizeof magic) == 0;
}

static void export_ledger(const char *name, int to)
{
    char path[SIBLING_PATH_MOST], *argv[] = { path, "--ledger", (char *)(uintptr_t)name, "export", NULL };

    if (dup2(to, STDOUT_FILENO) >= 0 && sibling_program_path("ledger", path))
        execv(path, argv);
    fprintf(stderr, PROGRAM ": ordergate-ledger, which reads it, cannot be run: %s\n", strerror(errno));
    _exit(127);
}

static int from_database(struct diff *d, const char *name)
{
    int fd[2], code, status = 0;
    pid_t child;

    if (pipe2(fd, O_CLOEXEC) || (child = fork()) < 0) {
        fprintf(stderr, PROGRAM ": %s\n", strerror(errno));
        return EXIT_IO;
    }
    if (child == 0)
        export_ledger(name, fd[1]);
    close(fd[1]);
    code = all_lines(d, fd[0], name);
    close(fd[0]);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    /* if the child failed, it has printed the reason on stderr */
    return code ? code : WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : EXIT_IO;
}

static int decide_all(struct diff *d)
{
    struct og_error err = { 0 };

    if (d->replay && og_diff_replay(d->diff) != OG_OK) {
        fprintf(stderr, PROGRAM ": %s\n", og_status_text(OG_ENOMEM));
        return EXIT_IO;
    }
    if (d->orders)
        return from_file(d, d->orders);
    if (d->ledger)
        return is_database(d->ledger) ? from_database(d, d->ledger) : from_file(d, d->ledger);
    d->decided = d->generate < 0 ? GENERATED : d->generate;
    if (og_diff_generate(d->diff, (size_t)d->decided, (uint64_t)d->seed, d->at, on_change, d, &err))
        return og_say(PROGRAM, &err, err.status == OG_ENOMEM ? EXIT_IO : EXIT_UNUSABLE);
    return 0;
}

/* --- printing ----------------------------------------------------------------------------------------------------- */

static const char *const words[] = { "same", "loosened", "tightened", "noted" };

static void put_groups(const struct diff *d, enum og_diff_what what, const char *title)
{
    for (const struct group *g = d->count[what] ? d->group : NULL; g; g = g->next) {
        if (g->what != what)
            continue;
        printf("%s%s %s: %s -> %s, %lld order%s\n", title, g->rule, g->reason, g->from, g->to, g->count,
               g->count == 1 ? "" : "s");
        title = "";
        for (const struct example *e = g->example; e; e = e->next) {
            printf("  %s\n    at %s%s%s\n    %s\n", e->order, og_time_text(e->at).s, e->with ? ", " : "",
                   e->with ? e->with : "", e->message);
        }
    }
}

static void put_replayed(const struct diff *d, const struct og_diff_replayed *r)
{
    if (d->first)
        printf("the first that is decided differently: %s\n", d->first);
    for (const struct rule_count *of = d->rule_count; of; of = of->next)
        if (of->fires || of->silent)
            printf("  %s: %lld findings more, %lld fewer\n", of->rule, of->fires, of->silent);
    printf("%lld of %lld recorded decisions reproduced by the policy before", r->reproduced, r->recorded - r->others);
    if (r->others)
        printf("; %lld by another policy are not compared", r->others);
    printf("%s%s\n", r->first[0] ? "; the first that is not: " : "", r->first);
}

static void put_text(const struct diff *d)
{
    struct og_diff_replayed replayed;
    struct og_diff_setting s;
    bool any = d->group || og_diff_setting(d->diff, 0, &s);

    diff_put_verdicts(d->diff);
    putchar('\n');
    diff_put_settings(d->diff, DIFF_TOLD_DIFFERS, "settings that differ:\n");
    put_groups(d, OG_DIFF_LOOSENED, "\nloosened, refused before and accepted after:\n");
    put_groups(d, OG_DIFF_TIGHTENED, "\ntightened, accepted before and refused after:\n");
    put_groups(d, OG_DIFF_NOTED, "\nthe same verdict, other findings:\n");
    diff_put_settings(d->diff, DIFF_TOLD_LOOSER,
                      "\nlooser by the setting itself, though none of these orders shows it:\n");
    diff_put_settings(d->diff, DIFF_TOLD_PERHAPS,
                      "\nperhaps looser: none of these orders shows it, nor that it is not; look at it, or give "
                      "--orders, --ledger or\n"
                      "--generate with more:\n");
    printf("%s%lld orders decided by both: %lld loosened, %lld tightened, %lld with other findings\n", any ? "\n" : "",
           d->decided, d->count[OG_DIFF_LOOSENED], d->count[OG_DIFF_TIGHTENED], d->count[OG_DIFF_NOTED]);
    if (d->ledger)
        printf("decided by %s; %lld refused lines left out that are not orders\n",
               d->facts.count ? "the facts given, not those known then" : "no facts: rules that need facts are unsure",
               d->left_out);
    if (og_diff_replayed(d->diff, &replayed))
        put_replayed(d, &replayed);
}

static void put_example(const struct example *e, const char *before)
{
    printf("%s{\"order\":%s", before, e->order);
    og_json(stdout, ",'at':%s", og_time_text(e->at).s);
    if (e->with)
        og_json(stdout, ",'with':%s", e->with);
    og_json(stdout, ",'message':%s", e->message);
    if (e->facts)
        printf(",\"facts\":%s", e->facts);
    putchar('}');
}

static void put_replayed_json(const struct diff *d, const struct og_diff_replayed *r)
{
    og_json(stdout, ",'replay':{'recorded':%lld,'others':%lld,'reproduced':%lld,'first':%s,'rules':[", r->recorded,
            r->others, r->reproduced, r->first[0] ? r->first : NULL);
    for (const struct rule_count *of = d->rule_count; of; of = of->next)
        og_json(stdout, "%c{'rule':%s,'more':%lld,'fewer':%lld}", of == d->rule_count ? 0 : ',', of->rule, of->fires,
                of->silent);
    printf("],\"differs\":%s}", d->first ? d->first : "null");
}

static void put_json(const struct diff *d)
{
    struct og_diff_replayed replayed;
    struct og_diff_setting s;
    char comma = '\0';

    og_json(stdout, "{'before':%s,'after':%s,'orders':%lld,'loosened':%lld,'tightened':%lld,'noted':%lld,'settings':[",
            og_policy_digest(d->loaded[0]), og_policy_digest(d->loaded[1]), d->decided, d->count[OG_DIFF_LOOSENED],
            d->count[OG_DIFF_TIGHTENED], d->count[OG_DIFF_NOTED]);
    for (size_t i = 0; og_diff_setting(d->diff, i, &s); i++)
        og_json(stdout, "%c{'path':%s,'before':%s,'after':%s,'change':%s}", i ? ',' : 0, s.path, s.before, s.after,
                s.what == OG_DIFF_NOTED ? NULL : words[s.what]);
    fputs("],\"kinds\":", stdout);
    diff_put_verdicts_json(d->diff);
    fputs(",\"unshown\":[", stdout);
    for (size_t i = 0; og_diff_setting(d->diff, i, &s); i++) {
        if (!diff_is_told(&s, DIFF_TOLD_LOOSER) && !diff_is_told(&s, DIFF_TOLD_PERHAPS))
            continue;
        og_json(stdout, "%c{'path':%s,'change':%s}", comma, s.path, s.what == OG_DIFF_LOOSENED ? words[s.what] : NULL);
        comma = ',';
    }
    fputs("],\"groups\":[", stdout);
    for (const struct group *g = d->group; g; g = g->next) {
        og_json(stdout, "%c{'change':%s,'rule':%s,'reason':%s,'from':%s,'to':%s,'count':%lld,'examples':[",
                g == d->group ? 0 : ',', words[g->what], g->rule, g->reason, g->from, g->to, g->count);
        for (const struct example *e = g->example; e; e = e->next)
            put_example(e, e == g->example ? "" : ",");
        fputs("]}", stdout);
    }
    fputs("]", stdout);
    if (og_diff_replayed(d->diff, &replayed))
        put_replayed_json(d, &replayed);
    puts("}");
}

/* --- the command -------------------------------------------------------------------------------------------------- */

static int load(struct diff *d)
{
    struct og_error err = { 0 };

    for (int i = 0; i < 2; i++)
        if (load_policy(PROGRAM, &d->policy[i], 1, &d->loaded[i]))
            return EXIT_UNUSABLE;
    if (og_diff_new(d->loaded[0], d->loaded[1], &d->diff) || og_diff_account(d->diff, d->account)) {
        fprintf(stderr, PROGRAM ": %s\n", og_status_text(OG_ENOMEM));
        return EXIT_IO;
    }
    for (size_t i = 0; i < d->facts.count; i++) {
        const char *path = d->facts.item[i];
        char *json;
        size_t len;
        enum og_status status = og_file_read(path, OG_FILE_READ, FACTS_FILE_MOST, &json, &len, NULL, &err);

        if (status == OG_OK)
            status = og_diff_facts(d->diff, json, len, path, &err);
        free(json);
        if (status)
            return og_say(PROGRAM, &err, EXIT_UNUSABLE);
    }
    return 0;
}

/* Returns true if the new policy accepts an order that the old one refuses; if a setting shows that it may accept such
 * an order; or if it is not proved that it cannot. */
static bool is_looser(const struct diff *d)
{
    struct og_diff_setting s;
    bool looser = d->count[OG_DIFF_LOOSENED] > 0;

    for (size_t i = 0; !looser && og_diff_setting(d->diff, i, &s); i++)
        looser = s.may_pass && (s.what == OG_DIFF_LOOSENED || (!d->unproved_allowed && !s.shown));
    return looser;
}

static void finish(struct diff *d)
{
    struct rule_count *of;
    struct group *g;
    struct example *e;

    while ((of = d->rule_count)) {
        d->rule_count = of->next;
        free(of->rule);
        free(of);
    }
    free(d->first);
    while ((g = d->group)) {
        d->group = g->next;
        while ((e = g->example)) {
            g->example = e->next;
            free(e->order);
            free(e->facts);
            free(e->with);
            free(e->message);
            free(e);
        }
        free(g->rule);
        free(g->reason);
        free(g);
    }
    og_diff_free(d->diff);
    og_policy_free(d->loaded[0]);
    og_policy_free(d->loaded[1]);
}

int og_cmd_policy_diff(int argc, char **argv)
{
    struct diff d = { .generate = -1, .at = OG_TIME_UNKNOWN, .seed = 1 };
    int code = read_options(&d, argc, argv), closed;

    if (code < 0) {
        code = load(&d);
        if (!code)
            code = decide_all(&d);
        if (!code && d.failed) {
            fprintf(stderr, PROGRAM ": %s\n", og_status_text(OG_ENOMEM));
            code = EXIT_IO;
        }
        if (!code) {
            (d.format == JSON ? put_json : put_text)(&d);
            closed = og_close_stdout(PROGRAM);
            code = closed ? closed : is_looser(&d) && !d.allowed ? EXIT_NO : 0;
        }
    }
    finish(&d);
    return code;
}
