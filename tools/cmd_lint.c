/*
 * ordergate lint: reports all errors of policies, and what in them does not do what it seems to say, each with its
 * place and, if an order can show it, with that order.  It does not stop at the first fault.  /etc/ordergate/floor.yaml
 * is not laid over the policies: a floor is named by --floor.
 */
#include "ordergate/ordergate.h"

#include "tools/common/commands.h"
#include "tools/common/exit.h"
#include "tools/common/file.h"
#include "tools/common/lint.h"
#include "tools/common/messages.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ROUNDS_MOST = 10 };

struct lint {
    struct lint_print print;
    struct og_lint_options options;
    char *facts;
    bool strict, fix, dry, list;
    long errors, warnings; /* of all files */
    int trouble;           /* exit code of what could not be done; 0: nothing */
};

static const char usage[] =
    "usage: ordergate lint [--format FORMAT] [--strict] [--fix [--dry-run]] POLICY...\n"
    "       ordergate lint --list [--format json]\n"
    "\n"
    "Reports all errors of each policy (a file, a shipped name, or - for stdin), which keep it from loading, and "
    "warnings\n"
    "about all that does not do what it seems to say, with line and column, and with an order that shows it if one "
    "can.\n"
    "`ordergate explain CODE` describes each.\n"
    "\n"
    "  ordergate lint --strict desk.yaml\n"
    "\n"
    "A comment silences a warning on its own line or, alone on its line, those on the next line:\n"
    "  most: 100   # ordergate-lint: ignore unit-slip - an account for tests\n"
    "\n"
    "      --format FORMAT   text (default): file:line:col: error: message [code]\n"
    "                        json: an array of {file, line, col, width, severity, code, message, witness,\n"
    "                        fix}\n"
    "                        sarif: a SARIF 2.1.0 log\n"
    "                        github: annotations of a GitHub workflow\n"
    "      --strict          a warning counts as an error\n"
    "      --fix             make the mechanical repairs in the file itself, and report them\n"
    "      --dry-run         with --fix: print a unified diff and change nothing\n"
    "      --at TIME         the instant by which dates are past (RFC 3339; default now)\n"
    "  -f, --facts FILE      decide the orders shown by these facts, at --at, instead of made-up ones\n"
    "      --for WHAT        report which facts its rules will lack: in `check` (only --facts; the default if they "
    "are\n"
    "                        given), or in `send` (also what the broker and the ledger have)\n"
    "      --floor FILE      lay that floor over the policy first, and check both together\n"
    "      --no-witness      show no orders\n"
    "      --list            list all findings that lint can report\n"
    "      --color WHEN      auto (default), always, never\n"
    "  -h, --help            this text\n"
    "\n"
    "exit: 0 clean, 1 an error was found (or, with --strict, a warning), 2 usage, 3 the facts cannot be used,\n"
    "      4 a policy cannot be read or written\n";

enum {
    OPT_FORMAT = 256,
    OPT_STRICT,
    OPT_COLOUR,
    OPT_FIX,
    OPT_DRY,
    OPT_AT,
    OPT_NO_WITNESS,
    OPT_LIST,
    OPT_FLOOR,
    OPT_FOR
};

static const struct option options[] = {
    { "format", required_argument, NULL, OPT_FORMAT },
    { "strict", no_argument, NULL, OPT_STRICT },
    { "color", required_argument, NULL, OPT_COLOUR },
    { "fix", no_argument, NULL, OPT_FIX },
    { "dry-run", no_argument, NULL, OPT_DRY },
    { "at", required_argument, NULL, OPT_AT },
    { "facts", required_argument, NULL, 'f' },
    { "for", required_argument, NULL, OPT_FOR },
    { "floor", required_argument, NULL, OPT_FLOOR },
    { "no-witness", no_argument, NULL, OPT_NO_WITNESS },
    { "list", no_argument, NULL, OPT_LIST },
    { "help", no_argument, NULL, 'h' },
    { NULL, 0, NULL, 0 },
};

static int bad_usage(const char *option, const char *seen, const char *allowed)
{
    return og_bad_usage("ordergate lint", option, seen, allowed);
}

/* --- one policy --- */

static void say_error(struct lint *l, enum og_status status, const struct og_error *err)
{
    char text[512];

    fprintf(stderr, "ordergate lint: %s\n", og_tool_error(err, text, sizeof text));
    l->trouble = status == OG_EFACTS || status == OG_ESYNTAX ? EXIT_UNUSABLE : EXIT_IO;
}

static struct og_lint_report *look(struct lint *l, const char *name)
{
    struct og_lint_report *report;
    struct og_error err = { 0 };
    enum og_status status = og_lint(name, &l->options, &report, &err);

    if (status != OG_OK)
        say_error(l, status, &err);
    return report;
}

static bool has_edits(const struct og_lint_report *report)
{
    size_t a, b;
    const char *text = og_lint_text(report, &a), *fixed = og_lint_fixed(report, &b);

    return a != b || memcmp(text, fixed, a) != 0;
}

/* A repair may uncover another finding, so repairs are repeated, in memory.  Returns the report of what is left. */
static struct og_lint_report *fix(struct lint *l, const char *name, struct og_lint_report *report)
{
    struct og_lint_report *round[ROUNDS_MOST + 1] = { report };
    int count = 0;

    while (count < ROUNDS_MOST && round[count] && has_edits(round[count])) {
        struct og_error err = { 0 };
        size_t len;
        const char *fixed = og_lint_fixed(round[count], &len);
        enum og_status status = og_lint_read(fixed, len, name, &l->options, &round[count + 1], &err);

        if (status != OG_OK)
            say_error(l, status, &err);
        count++;
    }
    if (round[count] && count > 0 && !lint_fix(name, round, count, l->dry))
        l->trouble = EXIT_IO;
    for (int i = 0; i <= count; i++)
        if (i != (l->dry || l->trouble ? 0 : count))
            og_lint_free(round[i]);
    return round[l->dry || l->trouble ? 0 : count];
}

static void lint_one(struct lint *l, const char *name)
{
    struct og_lint_report *report = look(l, name);
    const struct og_lint_finding *f;

    if (report && l->fix)
        report = fix(l, name, report);
    for (size_t i = 0; report && (f = og_lint_at(report, i)); i++) {
        if (!l->dry)
            lint_print_one(&l->print, f);
        if (!f->ignored && f->fault.severity == OG_ERROR)
            l->errors++;
        else if (!f->ignored)
            l->warnings++;
    }
    if (report && !l->dry)
        lint_print_unmade(&l->print, name, og_lint_unmade(report));
    og_lint_free(report);
}

/* --- options --- */

static int set_format(struct lint *l, const char *name)
{
    static const char *const names[] = { "text", "json", "sarif", "github" };

    for (int i = 0; i < 4; i++)
        if (strcmp(name, names[i]) == 0) {
            l->print.format = (enum lint_format)i;
            return 0;
        }
    return bad_usage("--format", name, "text, json, sarif or github");
}

static int set_use(struct lint *l, const char *what)
{
    bool check = strcmp(what, "check") == 0;

    if (!check && strcmp(what, "send") != 0)
        return bad_usage("--for", what, "check or send");
    l->options.use = check ? OG_LINT_FOR_CHECK : OG_LINT_FOR_SEND;
    return 0;
}

static int set_colour(struct lint *l, const char *when)
{
    const char *no = getenv("NO_COLOR");

    l->print.excerpt = isatty(STDOUT_FILENO);
    l->print.colour = strcmp(when, "always") == 0 || (strcmp(when, "auto") == 0 && l->print.excerpt && !(no && no[0]));
    if (l->print.colour || strcmp(when, "auto") == 0 || strcmp(when, "never") == 0)
        return 0;
    return bad_usage("--color", when, "auto, always or never");
}

static int set_facts(struct lint *l, const char *path)
{
    struct stat st;
    char why[256];

    free(l->facts);
    l->facts = file_read(path, &l->options.facts_len, &st, why, sizeof why);
    l->options.facts = l->facts;
    if (l->facts)
        return 0;
    fprintf(stderr, "ordergate lint: facts %s: %s\n", path, why);
    return EXIT_UNUSABLE;
}

static int take_option(struct lint *l, int option)
{
    switch (option) {
    case OPT_STRICT: l->strict = true; return 0;
    case OPT_FIX: l->fix = true; return 0;
    case OPT_DRY: l->dry = true; return 0;
    case OPT_NO_WITNESS: l->options.no_witness = true; return 0;
    case OPT_LIST: l->list = true; return 0;
    case OPT_FLOOR: l->options.floor = optarg; return 0;
    case OPT_FOR: return set_use(l, optarg);
    case OPT_FORMAT: return set_format(l, optarg);
    case OPT_COLOUR: return set_colour(l, optarg);
    case 'f': return set_facts(l, optarg);
    case OPT_AT:
        return og_time_read(optarg, strlen(optarg), &l->options.now)
                   ? 0
                   : bad_usage("--at", optarg, "an instant (like 2026-01-15T14:31:00Z)");
    default: return EXIT_USAGE;
    }
}

static bool is_shipped(const char *name)
{
    const char *shipped;

    for (size_t i = 0; (shipped = og_policy_shipped(i)); i++)
        if (strcmp(name, shipped) == 0)
            return true;
    return false;
}

/* Reject options that exclude each other. */
static int judge_options(const struct lint *l, int argc, char **argv)
{
    if (l->list && optind < argc)
        return bad_usage("--list", argv[optind], "no policy beside it");
    if (l->list && l->print.format != LINT_TEXT && l->print.format != LINT_JSON)
        return bad_usage("--list", "--format", "text or json");
    if (l->list)
        return 0;
    if (l->dry && !l->fix)
        return bad_usage("--dry-run", "alone", "--fix beside it");
    if (l->fix && l->print.format != LINT_TEXT)
        return bad_usage("--fix", "--format", "text");
    if (optind == argc) {
        fputs("ordergate lint: no policy was named; see ordergate lint --help\n", stderr);
        return EXIT_USAGE;
    }
    for (int i = optind; l->fix && i < argc; i++)
        if (strcmp(argv[i], "-") == 0 || is_shipped(argv[i]))
            return bad_usage("--fix", argv[i], "a file");
    return 0;
}

/* Returns -1 to go on; else the exit code. */
static int read_options(struct lint *l, int argc, char **argv)
{
    int option, bad = set_colour(l, "auto");

    while (!bad && (option = getopt_long(argc, argv, "hf:", options, NULL)) != -1) {
        if (option == 'h') {
            fputs(usage, stdout);
            return og_close_stdout("ordergate lint");
        }
        bad = take_option(l, option);
    }
    bad = bad ? bad : judge_options(l, argc, argv);
    return bad ? bad : -1;
}

static int run(struct lint *l, int argc, char **argv)
{
    int code;

    if (l->list) {
        lint_print_pages(l->print.format == LINT_JSON);
        return og_close_stdout("ordergate lint");
    }
    lint_print_begin(&l->print);
    for (int i = optind; i < argc; i++)
        lint_one(l, argv[i]);
    lint_print_end(&l->print);
    code = og_close_stdout("ordergate lint");
    if (code == 0)
        code = l->trouble;
    if (code == 0 && (l->errors || (l->strict && l->warnings)))
        code = EXIT_NO;
    return code;
}

int og_cmd_lint(int argc, char **argv)
{
    struct lint l = { .options.now = og_time_now() };
    int code = read_options(&l, argc, argv);

    if (code < 0)
        code = run(&l, argc, argv);
    free(l.facts);
    return code;
}
