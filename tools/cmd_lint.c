/*
 * ordergate lint: everything that is wrong with policies, each with its place.
 * It refuses to stop at the first fault, and to lay /etc/ordergate/floor.yaml over what it reads: a policy is judged
 * alone.
 */
#include "ordergate/ordergate.h"

#include "tools/common/commands.h"
#include "tools/common/json.h"
#include "tools/common/say.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { EXIT_FOUND = 1, EXIT_USAGE = 2, EXIT_IO = 4 };
enum format { FORMAT_TEXT, FORMAT_JSON, FORMAT_SARIF };

struct lint {
    enum format format;
    bool strict, colour, excerpt;
    long errors, warnings; /* over all files */
    bool unreadable;
};

static const char usage[] =
    "usage: ordergate lint [--format text|json|sarif] [--strict] POLICY...\n"
    "\n"
    "Says everything that is wrong with each policy (a file, a shipped name, or - for stdin), with line and column.\n"
    "\n"
    "  ordergate lint --strict desk.yaml\n"
    "\n"
    "      --format FORMAT   text (default): file:line:col: error: message [code]\n"
    "                        json: an array of {file, line, col, severity, code, message}\n"
    "                        sarif: a SARIF 2.1.0 log\n"
    "      --strict          a warning counts as an error\n"
    "      --color WHEN      auto (default), always, never\n"
    "  -h, --help            this text\n"
    "\n"
    "exit: 0 clean, 1 an error was found (or, with --strict, a warning), 2 usage, 4 a policy cannot be read\n";

static const struct option options[] = {
    { "format", required_argument, NULL, 'f' },
    { "strict", no_argument, NULL, 's' },
    { "color", required_argument, NULL, 'c' },
    { "help", no_argument, NULL, 'h' },
    { NULL, 0, NULL, 0 },
};

/* Line number of a file, into the caller's room; NULL when it cannot be had again. */
static char *line_of(const char *path, int number, char *to, size_t size)
{
    struct stat st;
    FILE *f = stat(path, &st) == 0 && S_ISREG(st.st_mode) ? fopen(path, "re") : NULL; /* a pipe would be waited for */
    char *line = NULL;

    if (!f)
        return NULL;
    while (number-- > 0)
        if (!(line = fgets(to, (int)size, f)))
            break;
    fclose(f);
    if (line)
        line[strcspn(line, "\r\n")] = '\0';
    return line;
}

/* The line with a caret below the place; only for people, and only where it can be shown safely. */
static void print_excerpt(const struct og_fault *fault)
{
    char room[200], *line = fault->line > 0 ? line_of(fault->file, fault->line, room, sizeof room) : NULL;

    if (!line || fault->col > (int)strlen(line) + 1)
        return;
    for (char *c = line; *c; c++)
        if ((unsigned char)*c < 0x20 || (unsigned char)*c >= 0x7f)
            *c = *c == '\t' ? ' ' : '?';
    printf("    %s\n    %*s\n", line, fault->col, "^");
}

static void print_text(const struct lint *l, const struct og_fault *fault)
{
    if (l->colour)
        fputs(fault->severity == OG_ERROR ? "\033[31m" : "\033[33m", stdout);
    og_print_fault(stdout, fault);
    if (l->colour)
        fputs("\033[0m", stdout);
    if (l->excerpt)
        print_excerpt(fault);
}

static const char *word(const struct og_fault *fault)
{
    return fault->severity == OG_ERROR ? "error" : "warning";
}

static void print_json(const struct og_fault *fault, bool first)
{
    og_json_pair(stdout, first ? "\n{" : ",\n{", "file", fault->file);
    printf(",\"line\":%d,\"col\":%d", fault->line, fault->col);
    og_json_pair(stdout, ",", "severity", word(fault));
    og_json_pair(stdout, ",", "code", fault->code);
    og_json_pair(stdout, ",", "message", fault->text);
    fputc('}', stdout);
}

static void print_uri(const char *path)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";

    fputs("\"uri\":\"", stdout);
    for (; *path; path++)
        printf(strchr(plain, *path) ? "%c" : "%%%02X", (unsigned char)*path);
    fputc('"', stdout);
}

static void print_sarif(const struct og_fault *fault, bool first)
{
    og_json_pair(stdout, first ? "\n{" : ",\n{", "ruleId", fault->code);
    og_json_pair(stdout, ",", "level", word(fault));
    og_json_pair(stdout, ",\"message\":{", "text", fault->text);
    fputs("},\"locations\":[{\"physicalLocation\":{\"artifactLocation\":{", stdout);
    print_uri(fault->file);
    fputc('}', stdout);
    if (fault->line > 0)
        printf(",\"region\":{\"startLine\":%d,\"startColumn\":%d}", fault->line, fault->col);
    fputs("}}]}", stdout);
}

static void hear(void *with, const struct og_fault *fault)
{
    struct lint *l = with;
    bool first = l->errors + l->warnings == 0;

    if (l->format == FORMAT_TEXT)
        print_text(l, fault);
    else if (l->format == FORMAT_JSON)
        print_json(fault, first);
    else
        print_sarif(fault, first);
    if (fault->severity == OG_ERROR)
        l->errors++;
    else
        l->warnings++;
}

static void lint_one(struct lint *l, const char *name)
{
    long before = l->errors;
    struct og_policy *policy;
    struct og_error err = { 0 };
    char text[512];
    enum og_status status = og_policy_load(name, &policy, hear, l, &err);

    og_policy_free(policy);
    if (status == OG_OK || l->errors > before)
        return;
    fprintf(stderr, "ordergate lint: %s\n", og_tool_error(&err, text, sizeof text));
    l->unreadable = true;
}

static int bad_usage(const char *option, const char *seen, const char *allowed)
{
    return og_bad_usage("ordergate lint", option, seen, allowed);
}

static int set_format(struct lint *l, const char *name)
{
    static const char *const names[] = { "text", "json", "sarif" };

    for (int i = 0; i < 3; i++)
        if (strcmp(name, names[i]) == 0) {
            l->format = (enum format)i;
            return 0;
        }
    return bad_usage("--format", name, "text, json or sarif");
}

static int set_colour(struct lint *l, const char *when)
{
    const char *no = getenv("NO_COLOR");

    l->excerpt = isatty(STDOUT_FILENO);
    l->colour = strcmp(when, "always") == 0 || (strcmp(when, "auto") == 0 && l->excerpt && !(no && no[0]));
    if (l->colour || strcmp(when, "auto") == 0 || strcmp(when, "never") == 0)
        return 0;
    return bad_usage("--color", when, "auto, always or never");
}

/* -1: go on; else the exit code. */
static int read_options(struct lint *l, int argc, char **argv)
{
    int option, bad = set_colour(l, "auto");

    while (!bad && (option = getopt_long(argc, argv, "h", options, NULL)) != -1) {
        if (option == 'h') {
            fputs(usage, stdout);
            return og_close_stdout("ordergate lint");
        }
        if (option == 's')
            l->strict = true;
        else if (option == 'f')
            bad = set_format(l, optarg);
        else if (option == 'c')
            bad = set_colour(l, optarg);
        else
            bad = EXIT_USAGE;
    }
    if (bad == 0 && optind == argc) {
        fputs("ordergate lint: no policy was named; see ordergate lint --help\n", stderr);
        bad = EXIT_USAGE;
    }
    return bad ? bad : -1;
}

int og_cmd_lint(int argc, char **argv)
{
    struct lint l = { FORMAT_TEXT, false, false, false, 0, 0, false };
    int code = read_options(&l, argc, argv);

    if (code >= 0)
        return code;
    if (l.format == FORMAT_JSON)
        fputc('[', stdout);
    if (l.format == FORMAT_SARIF)
        fputs(
            "{\"$schema\":\"https://json.schemastore.org/sarif-2.1.0.json\",\"version\":\"2.1.0\",\"runs\":[{\"tool\":"
            "{\"driver\":{\"name\":\"ordergate\",\"version\":\"" OG_VERSION "\"}},\"results\":[",
            stdout);
    for (int i = optind; i < argc; i++)
        lint_one(&l, argv[i]);
    if (l.format != FORMAT_TEXT)
        puts(l.format == FORMAT_JSON ? "\n]" : "\n]}]}");
    code = og_close_stdout("ordergate lint");
    if (code == 0 && l.unreadable)
        code = EXIT_IO;
    if (code == 0 && (l.errors || (l.strict && l.warnings)))
        code = EXIT_FOUND;
    return code;
}
