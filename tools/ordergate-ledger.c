/*
 * ordergate ledger: prints the records of what was sent, verifies that they were not changed, and records the outcome
 * of an unknown order that a person found out.  Writes JSON lines to stdout, and messages to stderr.  This file only
 * parses options; the library reads the ledger (ordergate/ledger.h).
 */
#include "ordergate/ledger.h"
#include "tools/common/exit.h"
#include "tools/common/json.h"
#include "tools/common/messages.h"

#include <errno.h>
#include <getopt.h>
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char program[] = "ordergate ledger";

static const char usage[] =
    "usage: ordergate ledger [--ledger FILE] [--account ID] COMMAND\n"
    "\n"
    "The ledger is what ordergate send keeps: every decision, every intent before its POST, every answer, update and\n"
    "outcome, appended and never changed.  Writes a JSON object a line.\n"
    "\n"
    "  list                 the newest record of every order\n"
    "  show ID              every record of one order in time order; ID: clientOrderId, or the broker's id\n"
    "  unknown              orders whose outcome is not known: an answer was lost, or a run died\n"
    "  resolve ID --as OUTCOME --reason TEXT\n"
    "                       record the outcome of an unknown order by hand: not-sent, rejected, filled, canceled,\n"
    "                       expired, done or working; your name is recorded with it\n"
    "  verify               find every record that was changed, removed, inserted or moved; with --expect-head also\n"
    "                       records removed from the end, and records that were written anew\n"
    "  export               every record, with its detail and hash\n"
    "  stats                counts by outcome, reject code and reason of refusal, times from POST to answer; a line a "
    "run\n                       of send, by send's clock, then one for all\n"
    "  facts                a facts document for ordergate check -f: used ids, orders in flight and unknown\n"
    "\n"
    "The states of yesterday's orders, the unknown ones first:\n"
    "  ordergate ledger unknown && ordergate ledger list | jq -c '[.clientOrderId, .state, .text]'\n"
    "An order is unknown and you called the broker:\n"
    "  ordergate send --recover                                   asks the broker; then, if it stays unknown:\n"
    "  ordergate ledger resolve a3 --as not-sent --reason 'desk says they never had it'\n"
    "Every run of send prints its head on stderr; kept elsewhere, it proves that all records up to it are unchanged:\n"
    "  ordergate ledger verify --expect-head sha256:9f86d0...\n"
    "\n"
    "      --ledger FILE      the ledger (default: $XDG_STATE_HOME/ordergate/ledger.db)\n"
    "      --ledger-key FILE  key of a keyed ledger, for verify and resolve (default: ORDERGATE_LEDGER_KEY)\n"
    "      --account ID       only this account\n"
    "      --as OUTCOME       for resolve\n"
    "      --reason TEXT      for resolve: how you know\n"
    "      --executed N       for resolve: filled quantity (default: the whole order if filled, else as last heard)\n"
    "      --price P          for resolve: average price (default: as last heard)\n"
    "      --expect-head HASH for verify: a head that must be among the records\n"
    "      --broker FILE      accepted because send has it; no broker is contacted\n"
    "  -h, --help             this text\n"
    "      --version          the version\n"
    "\n"
    "exit: 0 done, 1 verify found a fault, no such order, or its state is known, 2 usage, 4 the ledger cannot be read "
    "or\n      written\n";

enum { O_LEDGER = 256, O_ACCOUNT, O_AS, O_REASON, O_EXECUTED, O_PRICE, O_EXPECT, O_LEDGER_KEY, O_BROKER, O_VERSION };

static const struct option options[] = {
    { "ledger", required_argument, NULL, O_LEDGER },
    { "ledger-key", required_argument, NULL, O_LEDGER_KEY },
    { "account", required_argument, NULL, O_ACCOUNT },
    { "as", required_argument, NULL, O_AS },
    { "reason", required_argument, NULL, O_REASON },
    { "executed", required_argument, NULL, O_EXECUTED },
    { "price", required_argument, NULL, O_PRICE },
    { "expect-head", required_argument, NULL, O_EXPECT },
    { "broker", required_argument, NULL, O_BROKER },
    { "version", no_argument, NULL, O_VERSION },
    { "help", no_argument, NULL, 'h' },
    { NULL, 0, NULL, 0 },
};

struct asked {
    const char *path, *expected;
    struct og_ledger_settlement settlement; /* account and id are used by every command */
};

/* --- printing ----------------------------------------------------------------------------------------------------- */

static int put(void *with, const char *json, size_t len)
{
    (void)with;
    return fwrite(json, 1, len, stdout) == len && putc('\n', stdout) != EOF ? 0 : -1;
}

/* Print a fault also as a message. */
static int put_fault(void *with, const char *json, size_t len)
{
    char words[512];

    if (og_json_member(json, "\"message\":\"", words, sizeof words))
        fprintf(stderr, "%s: %s\n", program, words);
    return put(with, json, len);
}

static int say(const struct og_error *err, int code)
{
    char text[512];

    if (err->status == OG_EIO) /* closing stdout reports why */
        return code;
    fprintf(stderr, "%s: %s\n", program, og_tool_error(err, text, sizeof text));
    return code;
}

static int exit_code_of(enum og_status status)
{
    switch (status) {
    case OG_OK: return 0;
    case OG_EINVAL: return EXIT_USAGE;
    case OG_EBUSY: return EXIT_NO;
    default: return EXIT_IO;
    }
}

/* --- the commands ------------------------------------------------------------------------------------------------- */

static enum og_status print(const struct asked *a, struct og_ledger *l, enum og_ledger_view view, struct og_error *err)
{
    return og_ledger_print(l, view, a->settlement.account, a->settlement.id, put, NULL, err);
}

static int list(const struct asked *a, struct og_ledger *l, struct og_error *err)
{
    return exit_code_of(print(a, l, OG_LEDGER_LIST, err));
}

static int unknown(const struct asked *a, struct og_ledger *l, struct og_error *err)
{
    return exit_code_of(print(a, l, OG_LEDGER_OPEN, err));
}

static int export(const struct asked *a, struct og_ledger *l, struct og_error *err)
{
    return exit_code_of(print(a, l, OG_LEDGER_EXPORT, err));
}

static int show(const struct asked *a, struct og_ledger *l, struct og_error *err)
{
    enum og_status status = print(a, l, OG_LEDGER_SHOW, err);

    return status == OG_ENOENT ? EXIT_NO : exit_code_of(status);
}

static int stats(const struct asked *a, struct og_ledger *l, struct og_error *err)
{
    (void)a;
    return exit_code_of(og_ledger_stats(l, put, NULL, err));
}

static int facts(const struct asked *a, struct og_ledger *l, struct og_error *err)
{
    enum og_status status = og_ledger_facts(l, a->settlement.account, put, NULL, err);

    return status == OG_ENOENT ? EXIT_NO : exit_code_of(status);
}

static int verify(const struct asked *a, struct og_ledger *l, struct og_error *err)
{
    long long faults;
    enum og_status status = og_ledger_verify(l, a->expected, put_fault, NULL, &faults, err);

    return status == OG_OK && faults > 0 ? EXIT_NO : exit_code_of(status);
}

static int resolve(struct asked *a, struct og_error *err)
{
    const struct passwd *user = getpwuid(getuid());
    struct og_ledger *l = NULL;
    char by[64];
    enum og_status status;

    snprintf(by, sizeof by, "uid %lu", (unsigned long)getuid());
    a->settlement.by = user && user->pw_name[0] ? user->pw_name : by;
    status = og_ledger_peek(a->path, &l, err); /* no ledger: exit code 4; no such order: 1 */
    og_ledger_close(l);
    if (status != OG_OK)
        return EXIT_IO;
    status = og_ledger_resolve(a->path, &a->settlement, put, NULL, err);
    return status == OG_ENOENT ? EXIT_NO : exit_code_of(status);
}

static const struct command {
    const char *name;
    bool takes_id;
    int (*run)(const struct asked *a, struct og_ledger *l, struct og_error *err); /* NULL: resolve, which writes */
} commands[] = {
    { "list", false, list },     { "show", true, show },      { "unknown", false, unknown }, { "resolve", true, NULL },
    { "verify", false, verify }, { "export", false, export }, { "stats", false, stats },     { "facts", false, facts },
};
#define COMMANDS (sizeof commands / sizeof commands[0])

static int run(const struct command *c, struct asked *a)
{
    struct og_error err = { 0 };
    struct og_ledger *l = NULL;
    int code, closed;

    if (c->run == NULL) {
        code = resolve(a, &err);
    } else if (og_ledger_peek(a->path, &l, &err) != OG_OK) {
        code = EXIT_IO;
    } else {
        code = c->run(a, l, &err);
    }
    og_ledger_close(l);
    if (err.status != OG_OK)
        say(&err, code);
    closed = og_close_stdout(program);
    return closed > code ? closed : code;
}

/* --- options ------------------------------------------------------------------------------------------------------ */

static int bad_usage(const char *format, const char *seen)
{
    fprintf(stderr, "%s: ", program);
    fprintf(stderr, format, seen);
    fprintf(stderr, "; see %s --help\n", program);
    return EXIT_USAGE;
}

/* Returns -1 to go on; else the exit code. */
static int read_options(struct asked *a, int argc, char **argv)
{
    int option;

    while ((option = getopt_long(argc, argv, "h", options, NULL)) != -1) {
        switch (option) {
        case O_LEDGER: a->path = optarg; break;
        case O_LEDGER_KEY:
            if (setenv("ORDERGATE_LEDGER_KEY", optarg, 1))
                return EXIT_IO;
            break;
        case O_ACCOUNT: a->settlement.account = optarg; break;
        case O_AS: a->settlement.outcome = optarg; break;
        case O_REASON: a->settlement.reason = optarg; break;
        case O_EXECUTED: a->settlement.executed = optarg; break;
        case O_PRICE: a->settlement.price = optarg; break;
        case O_EXPECT: a->expected = optarg; break;
        case O_BROKER: break;
        case 'h':
        case O_VERSION:
            fputs(option == 'h' ? usage : "ordergate " OG_VERSION "\n", stdout);
            return og_close_stdout(program);
        default: fprintf(stderr, "%s: see %s --help\n", program, program); return EXIT_USAGE;
        }
    }
    return -1;
}

static const struct command *find_command(const char *name)
{
    for (size_t i = 0; i < COMMANDS; i++)
        if (strcmp(commands[i].name, name) == 0)
            return &commands[i];
    return NULL;
}

/* Check the arguments.  Returns -1 if they are right; else the exit code. */
static int check_arguments(const struct command *c, const struct asked *a, int count, char **names)
{
    if (c->takes_id && count < 2)
        return bad_usage("%s needs the id of an order", c->name);
    if (count > (c->takes_id ? 2 : 1))
        return bad_usage("'%s' is one argument too many", names[c->takes_id ? 2 : 1]);
    if (!c->run && !a->settlement.outcome)
        return bad_usage("%s needs --as OUTCOME", c->name);
    if (!c->run && !a->settlement.reason)
        return bad_usage("%s needs --reason TEXT: how you know", c->name);
    return -1;
}

int main(int argc, char **argv)
{
    struct asked a = { .path = NULL };
    const struct command *c;
    int code;

    signal(SIGPIPE, SIG_DFL); /* ends quietly if the reader closes the pipe */
    code = read_options(&a, argc, argv);
    if (code >= 0)
        return code;
    argc -= optind;
    argv += optind;
    if (argc == 0) {
        fputs(usage, stderr);
        return EXIT_USAGE;
    }
    c = find_command(argv[0]);
    if (!c)
        return bad_usage("unknown command '%s'", argv[0]);
    code = check_arguments(c, &a, argc, argv);
    if (code >= 0)
        return code;
    a.settlement.id = c->takes_id ? argv[1] : NULL;
    return run(c, &a);
}
