/*
 * ordergate test: runs the tests of policies.  Nothing is skipped silently: a folder without tests, a filter that
 * matches no case and a file with a fault are reported.
 */
#include "ordergate/ordergate.h"

#include "tools/common/commands.h"
#include "tools/common/exit.h"
#include "tools/common/messages.h"
#include "tools/common/test_report.h"
#include "tools/common/directory_walk.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { KINDS = 4 };

struct tests {
    struct report report;
    struct og_policy_test_options options;
    struct og_policy_coverage *coverage;
    struct path_list files;
    bool covers, covers_all, list;
    int least[KINDS + 1]; /* required percent of each kind, and of all; -1: not required */
    long long listed;
    bool io_failed, unusable;
    char first[512]; /* the first fault of a file */
};

static const char usage[] =
    "usage: ordergate test [OPTION]... DIR|FILE...\n"
    "\n"
    "Runs the tests of policies: each *_test.yaml of a folder and the folders in it.  desk_test.yaml tests desk.yaml "
    "in\n"
    "the same folder:\n"
    "\n"
    "  ordergate-test: 1\n"
    "  at: 2026-01-15T10:00:00-05:00\n"
    "  facts: {quotes: {AAPL: {bid: 189.98, ask: 190.02, last: 190}}}\n"
    "  order: {securityType: Stock, symbol: AAPL, side: Buy, openClose: Open, orderType: Limit, orderQuantity: 100,\n"
    "          timeInForce: Day, limitPrice: 190, clientOrderId: t1, route: SMART}\n"
    "  cases:\n"
    "    - name: a market order after the close is refused\n"
    "      at: 16:05\n"
    "      order: {orderType: Market, limitPrice: ~}\n"
    "      expect: {verdict: refuse, reasons: [market-outside-hours]}\n"
    "\n"
    "      --filter TEXT          only cases whose name contains this\n"
    "      --list                 list the cases and run none\n"
    "      --format FORMAT        text (default), tap, junit, json or github (annotations)\n"
    "  -v, --verbose              one line for each decision, not only for those that fail\n"
    "      --update               replace expectations that were not met by what was seen; all else stays as it is\n"
    "      --coverage[=all]       report which parts of the policies were reached; all: also of what they inherit, "
    "and\n"
    "                             every reason of every rule in force\n"
    "      --coverage-least [KIND=]PERCENT\n"
    "                             fail below it; KIND is rules, reasons, overrides or custom; may be given for each\n"
    "      --color WHEN           auto (default), always, never\n"
    "  -h, --help                 this text\n"
    "\n"
    "man ordergate-test has every key of a test file.\n"
    "\n"
    "exit: 0 all as expected, 1 something was not (or coverage is too low), 2 usage, 3 a test file, policy or "
    "facts\n"
    "      file cannot be used, 4 something cannot be read or written\n";

static const struct option options[] = {
    { "filter", required_argument, NULL, 'f' },
    { "list", no_argument, NULL, 'l' },
    { "format", required_argument, NULL, 'o' },
    { "verbose", no_argument, NULL, 'v' },
    { "update", no_argument, NULL, 'u' },
    { "coverage", optional_argument, NULL, 'c' },
    { "coverage-least", required_argument, NULL, 'm' },
    { "color", required_argument, NULL, 'k' },
    { "help", no_argument, NULL, 'h' },
    { NULL, 0, NULL, 0 },
};

static int bad_usage(const char *option, const char *seen, const char *allowed)
{
    return og_bad_usage("ordergate test", option, seen, allowed);
}

static int set_format(struct tests *t, const char *name)
{
    static const char *const names[] = { "text", "tap", "junit", "json", "github" };

    for (int i = 0; i < 5; i++)
        if (strcmp(name, names[i]) == 0) {
            t->report.format = (enum report_format)i;
            return 0;
        }
    return bad_usage("--format", name, "text, tap, junit, json or github");
}

static int set_colour(struct tests *t, const char *when)
{
    const char *no = getenv("NO_COLOR");

    t->report.colour =
        strcmp(when, "always") == 0 || (strcmp(when, "auto") == 0 && isatty(STDOUT_FILENO) && !(no && no[0]));
    if (t->report.colour || strcmp(when, "auto") == 0 || strcmp(when, "never") == 0)
        return 0;
    return bad_usage("--color", when, "auto, always or never");
}

/* "80%", "overrides=100%" */
static int set_least(struct tests *t, const char *text)
{
    const char *equals = strchr(text, '='), *number = equals ? equals + 1 : text;
    int kind = KINDS;
    char *end;
    long least;

    for (int i = 0; equals && i < KINDS; i++)
        if (strlen(og_covered_name((enum og_covered)i)) == (size_t)(equals - text) &&
            strncmp(text, og_covered_name((enum og_covered)i), (size_t)(equals - text)) == 0)
            kind = i;
    least = strtol(number, &end, 10);
    if ((equals && kind == KINDS) || *number < '0' || *number > '9' || least > 100 || (*end && strcmp(end, "%") != 0))
        return bad_usage("--coverage-least", text, "a percentage up to 100%, or one of a kind like overrides=100%");
    t->least[kind] = (int)least;
    t->covers = true;
    return 0;
}

static int set_option(struct tests *t, int option)
{
    switch (option) {
    case 'f': t->options.filter = optarg; return 0;
    case 'l': t->list = true; return 0;
    case 'o': return set_format(t, optarg);
    case 'v': t->report.verbose = true; return 0;
    case 'u': t->options.update = t->report.update = true; return 0;
    case 'c':
        t->covers = true;
        t->covers_all = optarg != NULL;
        return optarg && strcmp(optarg, "all") ? bad_usage("--coverage", optarg, "nothing, or all") : 0;
    case 'm': return set_least(t, optarg);
    case 'k': return set_colour(t, optarg);
    default: return EXIT_USAGE;
    }
}

/* Returns -1 to go on; else the exit code. */
static int read_options(struct tests *t, int argc, char **argv)
{
    int option, bad = set_colour(t, "auto");

    while (!bad && (option = getopt_long(argc, argv, "vh", options, NULL)) != -1) {
        if (option == 'h') {
            fputs(usage, stdout);
            return og_close_stdout("ordergate test");
        }
        bad = set_option(t, option);
    }
    if (!bad && optind == argc) {
        fputs("ordergate test: no folder or file was named; see ordergate test --help\n", stderr);
        bad = EXIT_USAGE;
    }
    for (int i = optind; t->options.update && !bad && i < argc; i++)
        if (strcmp(argv[i], "-") == 0)
            bad = bad_usage("--update", "-", "files, since standard input cannot be rewritten");
    return bad ? bad : -1;
}

/* --- which files --- */

static void say_unread(struct tests *t, const char *path, const char *why)
{
    fprintf(stderr, "ordergate test: %s: %s\n", path, why);
    t->io_failed = true;
}

static void find_in(struct tests *t, const char *folder)
{
    static const char *const endings[] = { "_test.yaml", "_test.yml", NULL };
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

/* --- one file --- */

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
                t->report.count[OG_TEST_FAILED], "failed");
    t->unusable = t->unusable || result->outcome == OG_TEST_UNUSABLE;
}

static void tell_error(struct tests *t, const struct og_error *err)
{
    char text[512];

    fprintf(stderr, "ordergate test: %s\n", og_tool_error(err, text, sizeof text));
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

/* --- the end --- */

/* Returns true if a kind (KINDS: all) is covered as required. */
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
    int code;

    og_progress_end();
    if (!t->list)
        report_end(&t->report, t->coverage);
    failed = !all_covered(t) || failed;
    if (none)
        fprintf(stderr, "ordergate test: no case has '%s' in its name; --list names them\n", t->options.filter);
    code = og_close_stdout("ordergate test");
    return code || t->io_failed ? EXIT_IO : t->unusable ? EXIT_UNUSABLE : none ? EXIT_USAGE : failed ? EXIT_NO : 0;
}

int og_cmd_test(int argc, char **argv)
{
    struct tests t = { .least = { -1, -1, -1, -1, -1 } };
    int code = read_options(&t, argc, argv);

    if (code >= 0)
        return code;
    if (t.covers && !t.list) {
        t.coverage = og_policy_coverage_new(t.covers_all);
        t.options.coverage = t.coverage;
        if (!t.coverage)
            return EXIT_IO;
    }
    find_files(&t, argc - optind, argv + optind);
    if (!t.list)
        report_begin(&t.report);
    for (size_t i = 0; i < t.files.count; i++)
        run_file(&t, t.files.path[i]);
    code = finish(&t);
    og_policy_coverage_free(t.coverage);
    path_list_clear(&t.files);
    return code;
}
