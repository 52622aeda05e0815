/*
 * ordergate: runs the offline commands, and starts the other programs: `ordergate send` runs ordergate-send.
 * They are started from this program's own folder; PATH is never searched.
 */
#include "ordergate/ordergate.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/common/commands.h"
#include "tools/common/exit.h"
#include "tools/common/messages.h"
#include "tools/common/options.h"
#include "tools/common/sibling_program.h"

static const struct command {
    struct option_command word;
    int (*run)(int argc, char **argv); /* NULL if the command is a program of its own */
} commands[] = {
    { { "check", "decide orders offline" }, og_cmd_check },
    { { "lint", "report what is wrong with a policy, or does not do what it seems to" }, og_cmd_lint },
    { { "test", "run the tests of policies" }, og_cmd_test },
    { { "rules", "list the rules with their settings and reasons" }, og_cmd_rules },
    { { "explain", "explain a rule, a reason, a reject code of the broker or a code of lint" }, og_cmd_explain },
    { { "policy", "show the effective policy, compare two, sign" }, og_cmd_policy },
    { { "fmt", "lay out policies and policy tests in the usual way" }, og_cmd_fmt },
    { { "lsp", "serve an editor: findings, explanations, completion of policies and tests" }, NULL },
    { { "schema", "print the JSON Schema of decisions, orders, facts or policies" }, og_cmd_schema },
    { { "send", "decide, record, post and track orders" }, NULL },
    { { "watch", "print the broker's streams" }, NULL },
    { { "broker", "make one call and print the answer" }, NULL },
    { { "ledger", "look into the record of what was sent" }, NULL },
    { { "waive", "let one order through one rule" }, NULL },
    { { "status", "show what runs, what needs somebody, and the limits as used and allowed" }, NULL },
    { { "report", "tell what a day adds up to: orders, fills, refusals, rejections, latency, anomalies" }, NULL },
    { { "guard", "watch senders from outside: halt and cancel when one dies" }, NULL },
    { { "flatten", "cancel what works and close what is held" }, NULL },
    { { "halt", "stop sending" }, NULL },
    { { "resume", "let sending go on" }, NULL },
    { { "paper", "run a paper brokerage that serves the same API" }, NULL },
};
#define COMMANDS (sizeof commands / sizeof commands[0])

#define ABOUT                                                                                                        \
    "The gate in front of a brokerage API: decides whether an order may go.  Orders are JSON, one a line; a policy " \
    "says which rules apply and how strongly.\n"                                                                     \
    "\n"                                                                                                             \
    "Decide, in a pipeline:\n"                                                                                       \
    "  ordergate check -p live -f facts.json < orders.ndjson      one decision a line; exit 1: some were refused\n"  \
    "Check a policy, in CI:\n"                                                                                       \
    "  ordergate lint --strict desk.yaml                          everything wrong, with line and column\n"
#define ABOUT_SEND                          \
    "Send, from a program or a pipeline:\n" \
    "  ordergate send -p live --ledger day.db < orders.ndjson     decides, records, posts, tracks\n"

/* Run another program instead of this one.  Returns only if that fails, with errno. */
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

/* Fill a table of the commands; a command whose program is not installed beside this one is left out. */
static struct option_spec spec_of_all(struct command *to)
{
    for (size_t i = 0; i < COMMANDS; i++) {
        to[i] = commands[i];
        if (!to[i].run && !is_here(to[i].word.usage))
            to[i].word.help = NULL;
    }
    return (struct option_spec){
        .program = "ordergate",
        .synopsis = "COMMAND [ARGUMENTS]",
        .about = is_here("send") ? ABOUT ABOUT_SEND : ABOUT,
        .commands = to,
        .command_size = sizeof *to,
        .command_count = COMMANDS,
        .in_order = true,
        .notes = "`ordergate COMMAND --help` says more.",
        .exits = "0 done, 1 refused, rejected or found something, 2 usage, 3 policy or facts cannot be used, 4 cannot "
                 "read, write or reach the broker, 5 the outcome of an order is unknown",
    };
}

static bool is_word(const char *name)
{
    return name[0] && strspn(name, "abcdefghijklmnopqrstuvwxyz-") == strlen(name) && name[0] != '-';
}

static int run(const struct option_spec *spec, int argc, char **argv)
{
    const char *name = argv[0];
    int at;

    for (size_t i = 0; i < COMMANDS; i++)
        if (commands[i].run && strcmp(commands[i].word.usage, name) == 0)
            return commands[i].run(argc, argv);
    if (is_word(name)) {
        run_sibling(name, argv);
        if (errno != ENOENT) {
            fprintf(stderr, "ordergate: ordergate-%s cannot be run: %s\n", name, strerror(errno));
            return EXIT_IO;
        }
    }
    at = options_command(spec, name);
    if (at < 0)
        return EXIT_USAGE;
    fprintf(stderr, "ordergate: command '%s' needs the program ordergate-%s beside this one, which is not installed\n",
            name, name);
    return EXIT_IO;
}

int main(int argc, char **argv)
{
    struct command listed[COMMANDS];
    struct option_spec spec;
    char help[] = "--help", *helped[] = { NULL, help, NULL };
    int code;

    signal(SIGPIPE, SIG_DFL); /* end when the reader closes the pipe, even if the parent process ignores SIGPIPE */
    spec = spec_of_all(listed);
    code = options_read(&spec, NULL, argc, argv);
    if (code >= 0)
        return code;
    argc -= optind;
    argv += optind;
    if (argc == 0)
        return options_usage(&spec);
    if (strcmp(argv[0], "help") != 0)
        return run(&spec, argc, argv);
    helped[0] = argv[1];
    if (argc > 1)
        return run(&spec, 2, helped);
    helped[0] = help;
    return options_read(&spec, NULL, 2, helped);
}
