/*
 * ordergate halt and ordergate resume, told apart by the name they are run by: the flag that every sender and every
 * linked program obeys, and cancels for when nothing else answers.
 * It refuses to wait for anything before the flag is on the disk.
 */
#include "ordergate/emergency.h"
#include "ordergate/halt.h"
#include "tools/common/say.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EXIT_FAILED = 1, EXIT_USAGE = 2, EXIT_IO = 4 };

static const char usage_halt[] =
    "usage: ordergate halt [--reduce-only] [--all] [--cancel-own|--cancel-all] [--reason TEXT] [options]\n"
    "\n"
    "Halts trading: from the next second on every running ordergate send, and every program that links the gate, "
    "refuses\n"
    "orders that open, those that wait too.  Orders that only close pass.  The flag is a file in the state folder; it "
    "needs\nno ledger and no broker, and stays until ordergate resume.\n"
    "\n"
    "  ordergate halt --cancel-own --reason 'feed is wrong'\n"
    "  ordergate resume --reason 'feed is back'\n"
    "\n"
    "      --reduce-only      orders that reduce what is held pass, whatever the policy says of a halt\n"
    "      --all              orders that only close are refused too\n"
    "      --cancel-own       then cancel the orders that this gate made, as the ledger knows them\n"
    "      --cancel-all       then cancel everything of the account, or of every account the keys reach\n"
    "      --reason TEXT      why, for those who find out\n"
    "      --broker FILE      for cancels: how the broker is reached (default: ORDERGATE_* variables)\n"
    "      --account ID       cancel of this account only\n"
    "      --ledger FILE      for --cancel-own (default: $XDG_STATE_HOME/ordergate/ledger.db)\n"
    "  -h, --help             this text\n"
    "      --version          the version\n"
    "\n"
    "exit: 0 done, 1 trading is halted, and some cancels failed, 2 usage, 4 the flag cannot be written; or it stands, "
    "and\n      the ledger cannot be read or the broker not be reached\n";
static const char usage_resume[] = "usage: ordergate resume --reason TEXT\n"
                                   "\n"
                                   "Lets trading go on after ordergate halt.\n"
                                   "\n"
                                   "      --reason TEXT      why it may\n"
                                   "  -h, --help             this text\n"
                                   "      --version          the version\n"
                                   "\n"
                                   "exit: 0 done, 2 usage, 4 the flag cannot be written\n";

enum { O_REDUCE = 256, O_ALL, O_OWN, O_EVERY, O_REASON, O_BROKER, O_ACCOUNT, O_LEDGER, O_VERSION };

static const struct option options[] = {
    { "reason", required_argument, NULL, O_REASON },
    { "version", no_argument, NULL, O_VERSION },
    { "help", no_argument, NULL, 'h' },
    { "reduce-only", no_argument, NULL, O_REDUCE },
    { "all", no_argument, NULL, O_ALL },
    { "cancel-own", no_argument, NULL, O_OWN },
    { "cancel-all", no_argument, NULL, O_EVERY },
    { "broker", required_argument, NULL, O_BROKER },
    { "account", required_argument, NULL, O_ACCOUNT },
    { "ledger", required_argument, NULL, O_LEDGER },
    { NULL, 0, NULL, 0 },
};

struct asked {
    bool resume, reduce_only, all, own, every;
    const char *program, *reason, *broker, *account, *ledger;
};

static int say(const struct asked *a, const struct og_error *err, int code)
{
    char text[512];

    fprintf(stderr, "%s: %s\n", a->program, og_tool_error(err, text, sizeof text));
    return code;
}

static bool set_option(struct asked *a, int option)
{
    switch (option) {
    case O_REASON: a->reason = optarg; return true;
    case O_REDUCE: a->reduce_only = true; return !a->resume;
    case O_ALL: a->all = true; return !a->resume;
    case O_OWN: a->own = true; return !a->resume;
    case O_EVERY: a->every = true; return !a->resume;
    case O_BROKER: a->broker = optarg; return !a->resume;
    case O_ACCOUNT: a->account = optarg; return !a->resume;
    case O_LEDGER: a->ledger = optarg; return !a->resume;
    default: return false;
    }
}

static int bad_usage(const struct asked *a, const char *what)
{
    fprintf(stderr, "%s: %s; see %s --help\n", a->program, what, a->program);
    return EXIT_USAGE;
}

/* -1: go on; else the exit code. */
static int read_options(struct asked *a, int argc, char **argv)
{
    int option;

    while ((option = getopt_long(argc, argv, "h", options, NULL)) != -1) {
        if (option == 'h' || option == O_VERSION) {
            fputs(option == O_VERSION ? "ordergate " OG_VERSION "\n" : a->resume ? usage_resume : usage_halt, stdout);
            return og_close_stdout(a->program);
        }
        if (!set_option(a, option))
            return bad_usage(a, option == '?' ? "an option it does not have" : "an option of halt alone");
    }
    if (optind < argc)
        return bad_usage(a, "it takes no arguments");
    if (a->resume && (!a->reason || !a->reason[0]))
        return bad_usage(a, "--reason is missing: say why trading may go on");
    if (a->reduce_only && a->all)
        return bad_usage(a, "--reduce-only lets orders pass that --all stops: give one of them");
    if (a->own && a->every)
        return bad_usage(a, "--cancel-all includes --cancel-own: give one of them");
    if (a->reason && strlen(a->reason) >= sizeof((struct og_halt *)0)->reason)
        return bad_usage(a, "--reason is longer than 399 bytes");
    return -1;
}

static int put_line(void *with, const char *json, size_t len)
{
    (void)with;
    return fwrite(json, 1, len, stdout) == len && putc('\n', stdout) != EOF && fflush(stdout) == 0 ? 0 : -1;
}

static int cancel(const struct asked *a)
{
    struct og_client_options how = { .broker = a->broker, .account = a->account, .urgent = true };
    struct og_client *client;
    struct og_error err = { 0 };
    enum og_status status = og_client_open(&how, &client, &err);
    int failed = 0;

    if (status)
        return say(a, &err, EXIT_IO);
    if (a->every)
        status = og_emergency_cancel_all(client, a->account, put_line, NULL, &failed, &err);
    else
        status = og_emergency_cancel_own(client, a->ledger, a->account, put_line, NULL, &failed, &err);
    og_client_close(client);
    if (status)
        return say(a, &err, EXIT_IO);
    if (failed)
        fprintf(stderr, "%s: %d cancel%s failed; see what works with ordergate broker orders\n", a->program, failed,
                failed == 1 ? "" : "s");
    return failed ? EXIT_FAILED : 0;
}

static int run(const struct asked *a)
{
    struct og_halt halt = { .trading = a->resume        ? OG_TRADING_ON
                                       : a->all         ? OG_TRADING_HALTED_ALL
                                       : a->reduce_only ? OG_TRADING_REDUCE_ONLY
                                                        : OG_TRADING_HALTED };
    struct og_error err = { 0 };
    int code = 0, closed;

    snprintf(halt.reason, sizeof halt.reason, "%s", a->reason ? a->reason : "");
    if (og_halt_write(NULL, &halt, &err))
        return say(a, &err, EXIT_IO);
    fprintf(stderr, "%s: trading is %s\n", a->program, og_trading_name(halt.trading));
    if (a->own || a->every)
        code = cancel(a);
    closed = og_close_stdout(a->program);
    return closed ? closed : code;
}

int main(int argc, char **argv)
{
    const char *name = strrchr(argv[0], '/');
    struct asked a = { .resume = strstr(name ? name : argv[0], "resume") != NULL };
    int code;

    a.program = a.resume ? "ordergate resume" : "ordergate halt";
    code = read_options(&a, argc, argv);
    return code >= 0 ? code : run(&a);
}
