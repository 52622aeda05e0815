/*
 * ordergate: runs the offline commands, and starts the other programs: `ordergate send` runs ordergate-send.
 * They are started from this program's own folder; PATH is never searched.
 */
#include "ordergate/ordergate.h"
#include "tools/common/commands.h"
#include "tools/common/exit.h"
#include "tools/common/sibling_program.h"
#include "tools/common/messages.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct command {
    const char *name, *summary;
    int (*run)(int argc, char **argv); /* NULL: a program of its own */
} commands[] = {
    { "check", "decide orders offline", og_cmd_check },
    { "lint", "report what is wrong with a policy, or does not do what it seems to", og_cmd_lint },
    { "test", "run the tests of policies", og_cmd_test },
    { "rules", "list the rules with their settings and reasons", og_cmd_rules },
    { "explain", "explain a rule, a reason, a reject code of the broker or a code of lint", og_cmd_explain },
    { "policy", "show the effective policy, compare two, sign", og_cmd_policy },
    { "schema", "print the JSON Schema of decisions, orders, facts or policies", og_cmd_schema },
    { "send", "decide, record, post and track orders", NULL },
    { "watch", "print the broker's streams", NULL },
    { "broker", "make one call and print the answer", NULL },
    { "ledger", "look into the record of what was sent", NULL },
    { "waive", "let one order through one rule", NULL },
    { "halt", "stop sending", NULL },
    { "resume", "let sending go on", NULL },
    { "paper", "run a paper brokerage that serves the same API", NULL },
};
#define COMMANDS (sizeof commands / sizeof commands[0])

static const char usage[] =
    "usage: ordergate COMMAND [ARGUMENTS]\n"
    "\n"
    "The gate in front of a brokerage API: decides whether an order may go.  Orders are JSON, one a line; a policy\n"
    "says which rules apply and how strongly.\n"
    "\n"
    "Decide, in a pipeline:\n"
    "  ordergate check -p live -f facts.json < orders.ndjson      one decision a line; exit 1: some were refused\n"
    "Check a policy, in CI:\n"
    "  ordergate lint --strict desk.yaml                          everything wrong, with line and column\n";

static const char usage_send[] =
    "Send, from a program or a pipeline:\n"
    "  ordergate send -p live --ledger day.db < orders.ndjson     decides, records, posts, tracks\n";

static const char usage_end[] =
    "\n"
    "`ordergate COMMAND --help` says more.  --version prints the version.\n"
    "exit: 0 done, 1 refused, rejected or found something, 2 usage, 3 policy or facts cannot be used,\n"
    "      4 cannot read, write or reach the broker, 5 the outcome of an order is unknown\n";

/* A descriptor 0-2 that is closed would be given to the next file opened; writing to it must fail instead. */
static bool hold_descriptors(void)
{
    for (int fd = 0; fd <= 2; fd++)
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY) != fd)
            return false;
    return true;
}

/* Run another program.  Returns only if that fails, with errno. */
static void run_sibling(const char *name, char **argv)
{
    char path[SIBLING_PATH_MOST];

    if (!sibling_program_path(name, path))
        return;
    argv[0] = path;
    execv(path, argv);
}

static bool is_here(const char *name)
{
    char path[SIBLING_PATH_MOST];

    return sibling_program_path(name, path) && access(path, X_OK) == 0;
}

/* List the commands, without those whose program is not installed beside this one. */
static void print_usage(FILE *to)
{
    fputs(usage, to);
    fputs(is_here("send") ? usage_send : "", to);
    fputc('\n', to);
    for (size_t i = 0; i < COMMANDS; i++)
        if (commands[i].run || is_here(commands[i].name))
            fprintf(to, "  %-9s %s\n", commands[i].name, commands[i].summary);
    fputs(usage_end, to);
}

static int no_such_command(const char *name)
{
    const char *names[COMMANDS], *nearest;

    for (size_t i = 0; i < COMMANDS; i++) {
        if (strcmp(commands[i].name, name) == 0) {
            fprintf(stderr,
                    "ordergate: command '%s' needs the program ordergate-%s beside this one, which is not installed\n",
                    name, name);
            return EXIT_IO;
        }
        names[i] = commands[i].name;
    }
    nearest = og_nearest_word(name, names, COMMANDS);
    fprintf(stderr, "ordergate: unknown command '%s'", name);
    if (nearest)
        fprintf(stderr, "; did you mean '%s'?", nearest);
    fputs("\nordergate: see ordergate --help\n", stderr);
    return EXIT_USAGE;
}

static bool is_word(const char *name)
{
    return name[0] && strspn(name, "abcdefghijklmnopqrstuvwxyz-") == strlen(name) && name[0] != '-';
}

static int version(void)
{
    puts("ordergate " OG_VERSION);
    return og_close_stdout("ordergate");
}

static bool asks_version(int argc, char **argv)
{
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], "--version") == 0)
            return true;
    return false;
}

static int run(const char *name, int argc, char **argv)
{
    char title[32];

    for (size_t i = 0; i < COMMANDS; i++)
        if (commands[i].run && strcmp(commands[i].name, name) == 0) {
            if (asks_version(argc, argv))
                return version();
            snprintf(title, sizeof title, "ordergate %s", name);
            argv[0] = title; /* for messages of getopt */
            return commands[i].run(argc, argv);
        }
    if (is_word(name)) {
        run_sibling(name, argv);
        if (errno != ENOENT) {
            fprintf(stderr, "ordergate: ordergate-%s cannot be run: %s\n", name, strerror(errno));
            return EXIT_IO;
        }
    }
    return no_such_command(name);
}

int main(int argc, char **argv)
{
    char help[] = "--help";

    if (!hold_descriptors())
        return EXIT_IO;
    signal(SIGPIPE, SIG_DFL); /* end when the reader closes the pipe, even if the parent ignores SIGPIPE */
    if (argc < 2) {
        print_usage(stderr);
        return EXIT_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 || (argc == 2 && strcmp(argv[1], "help") == 0)) {
        print_usage(stdout);
        return og_close_stdout("ordergate");
    }
    if (strcmp(argv[1], "--version") == 0)
        return version();
    if (strcmp(argv[1], "help") == 0) {
        argv[1] = argv[2];
        argv[2] = help;
        argv[3] = NULL;
        return run(argv[1], 2, argv + 1);
    }
    return run(argv[1], argc - 1, argv + 1);
}
