/*
 * ordergate lint: reports all errors in policies, and settings and rules without the effect that they seem to have.
 * Each finding has its place and, if possible, an order that shows it.  /etc/ordergate/floor.yaml is not laid over the
 * policies: a floor is named by --floor.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ordergate/file.h"
#include "ordergate/ordergate.h"
#include "tools/common/commands.h"
#include "tools/common/exit.h"
#include "tools/common/facts.h"
#include "tools/common/lint.h"
#include "tools/common/messages.h"
#include "tools/common/options.h"
#include "tools/common/rewrite.h"
#include "tools/common/terminal.h"

enum { ROUNDS_MOST = 10 };

struct lint {
    struct lint_print print;
    struct og_lint_options options;
    const char *facts_path;
    char *facts;
    int use, color;
    bool strict, fix, dry, list;
    long errors, warnings; /* number of findings in all files */
    int trouble;           /* exit code of the last failure, such as a file that cannot be read; 0 if there is none */
};

static const struct option_row rows[] = {
    OPTION_ROW(
        "format", 0, "text|json|sarif|github", CHOICE_AT(struct lint, print.format),
        "text (default): file:line:col: error: message [code]; json: an array of {file, line, col, width, severity, "
        "code, message, witness, fix}; sarif: a SARIF 2.1.0 log; github: annotations of a GitHub workflow"),
    OPTION_ROW("strict", 0, NULL, FLAG_AT(struct lint, strict), "a warning counts as an error"),
    OPTION_ROW("fix", 0, NULL, FLAG_AT(struct lint, fix),
               "make the mechanical repairs in the file itself, and report them"),
    OPTION_ROW("dry-run", 0, NULL, FLAG_AT(struct lint, dry), "with --fix: print a unified diff and change nothing"),
    OPTION_ROW("at", 0, "TIME", TIME_AT(struct lint, options.now),
               "dates before this instant are past (RFC 3339; default now)"),
    OPTION_ROW("facts", 'f', "FILE", TEXT_AT(struct lint, facts_path),
               "decide the orders that are shown by these facts, at --at, instead of by made-up ones"),
    OPTION_ROW(
        "for", 0, "check|send", CHOICE_AT(struct lint, use),
        "report which facts its rules will lack: in `check` (only --facts; the default if they are given), or in "
        "`send` (also what the broker and the ledger have)"),
    OPTION_ROW("floor", 0, "FILE", TEXT_AT(struct lint, options.floor),
               "lay that floor over the policy first, and check both together"),
    OPTION_ROW("no-witness", 0, NULL, FLAG_AT(struct lint, options.no_witness), "show no orders"),
    OPTION_ROW("list", 0, NULL, FLAG_AT(struct lint, list), "list all findings that lint can report"),
    OPTION_ROW("color", 0, OPTION_COLOUR_WORDS, CHOICE_AT(struct lint, color), "auto is the default"),
    OPTION_END,
};

static const struct option_spec spec = {
    .program = "ordergate lint",
    .synopsis = "[--format text|json|sarif|github] [--strict] [--fix [--dry-run]] [options] POLICY...\n"
                "--list [--format json]",
    .about = "Reports all errors of each policy (a file, a pipe, a shipped name, or - for stdin), which keep it from "
             "loading, "
             "and warnings about all that does not do what it seems to say, with line and column, and with an order "
             "that shows it if one can.  `ordergate explain CODE` describes each.\n"
             "\n"
             "  ordergate lint --strict desk.yaml\n"
             "\n"
             "A comment silences a warning on its own line or, alone on its line, those on the next line:\n"
             "  most: 100   # ordergate-lint: ignore unit-slip - an account for tests\n",
    .rows = rows,
    .exits = "0 clean, 1 an error was found (or, with --strict, a warning), 2 usage, 3 the facts cannot be used, 4 a "
             "policy cannot be read or written",
};

static int bad_usage(const char *option, const char *seen, const char *allowed)
{
    return og_bad_usage("ordergate lint", option, seen, allowed);
}

/* --- one policy --------------------------------------------------------------------------------------------------- */

static void say_error(struct lint *l, enum og_status status, const struct og_error *err)
{
    l->trouble = og_say("ordergate lint", err, status == OG_EFACTS || status == OG_ESYNTAX ? EXIT_UNUSABLE : EXIT_IO);
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

static void say_edits(const struct og_lint_report *report)
{
    const struct og_lint_finding *f;

    for (size_t i = 0; (f = og_lint_at(report, i)); i++)
        if (f->edit && !f->ignored)
            printf("%s:%d:%d: fixed: %s [%s]\n", f->fault.file, f->fault.line, f->fault.col, f->edit->says,
                   f->fault.code);
}

/* Write the edits of `count` reports to the file, and print each edit; each report after the first is about the text
 * that the edits of the one before produced. With --dry-run, print a diff instead. */
static bool write_edits(const struct lint *l, const char *path, struct og_lint_report *const *round, int count)
{
    size_t old_len, new_len;
    const char *old = og_lint_text(round[0], &old_len), *new = og_lint_fixed(round[count - 1], &new_len);

    if (l->dry)
        return rewrite_print_diff("ordergate lint", path, old, old_len, new, new_len);
    if (!rewrite_file("ordergate lint", path, old, old_len, new, new_len))
        return false;
    for (int i = 0; i < count; i++)
        say_edits(round[i]);
    return true;
}

/* Repair the policy in memory, again and again, since a repair may uncover another finding. Returns the report of the
 * findings that are left. */
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
    if (round[count] && count > 0 && !write_edits(l, name, round, count))
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

/* --- options ------------------------------------------------------------------------------------------------------ */

static int set_facts(struct lint *l, const char *path)
{
    struct og_error err = { 0 };

    if (og_file_read(path, OG_FILE_READ, FACTS_FILE_MOST, &l->facts, &l->options.facts_len, NULL, &err) == OG_OK) {
        l->options.facts = l->facts;
        return 0;
    }
    fprintf(stderr, "ordergate lint: facts %s: %s\n", path, err.text);
    return EXIT_UNUSABLE;
}

static bool is_shipped(const char *name)
{
    const char *shipped;

    for (size_t i = 0; (shipped = og_policy_shipped(i)); i++)
        if (strcmp(name, shipped) == 0)
            return true;
    return false;
}

/* Returns true if the policy is not in a file that can be written. */
static bool has_no_file(const char *name)
{
    struct stat st;

    return strcmp(name, "-") == 0 || is_shipped(name) || (stat(name, &st) == 0 && S_ISFIFO(st.st_mode));
}

/* Report options that exclude each other. */
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
        if (has_no_file(argv[i]))
            return bad_usage("--fix", argv[i], "a file");
    return 0;
}

/* Returns -1 to go on, or the exit code. */
static int read_options(struct lint *l, int argc, char **argv)
{
    int code = options_read(&spec, l, argc, argv);

    if (code >= 0)
        return code;
    if (l->use >= 0)
        l->options.use = l->use == 0 ? OG_LINT_FOR_CHECK : OG_LINT_FOR_SEND;
    l->print.excerpt = isatty(STDOUT_FILENO);
    l->print.colour = terminal_colour(l->color);
    code = judge_options(l, argc, argv);
    if (!code && l->facts_path)
        code = set_facts(l, l->facts_path);
    return code ? code : -1;
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
    struct lint l = { .options.now = og_time_now(), .use = -1 };
    int code = read_options(&l, argc, argv);

    if (code < 0)
        code = run(&l, argc, argv);
    free(l.facts);
    return code;
}
