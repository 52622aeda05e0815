/*
 * ordergate watch: prints the messages of the service's streams, decoded, one JSON object a line.
 * It sends nothing but the keys and the subscription.
 */
#include "ordergate/ordergate.h"
#include "ordergate/watch.h"

#include "tools/common/exit.h"
#include "tools/common/messages.h"
#include "tools/common/secret.h"

#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char program[] = "ordergate watch";

static const char usage[] =
    "usage: ordergate watch [--stream portfolio|pnl] [options]\n"
    "\n"
    "Writes the messages of a stream, decoded, one JSON object a line, until it is interrupted.\n"
    "\"ready\" and \"down\" enclose what was seen: read changes from outside with `ordergate broker`.\n"
    "\n"
    "  ordergate watch | jq -c 'select(.event == \"order\") | [.order.clientOrderId, .order.orderStatus]'\n"
    "\n"
    "      --stream NAME       portfolio (default): orders and positions; pnl: figures\n"
    "      --broker FILE       base_url, ws_url, key_id, secret_key_file, account ... (default: ORDERGATE_* "
    "variables)\n"
    "      --account ID        the account (default: the broker file's, ORDERGATE_ACCOUNT, or the only one)\n"
    "      --count N           end after N messages\n"
    "      --for DURATION      end after this time\n"
    "  -h, --help              this text\n"
    "      --version           the version\n"
    "\n"
    "exit: 0 done or interrupted, 1 the service does not know the keys or the account, 2 usage, 4 cannot read, write "
    "or reach\n      the broker\n";

enum { O_STREAM = 256, O_BROKER, O_ACCOUNT, O_COUNT, O_FOR, O_VERSION };

static const struct option options[] = {
    { "stream", required_argument, NULL, O_STREAM },
    { "broker", required_argument, NULL, O_BROKER },
    { "account", required_argument, NULL, O_ACCOUNT },
    { "count", required_argument, NULL, O_COUNT },
    { "for", required_argument, NULL, O_FOR },
    { "version", no_argument, NULL, O_VERSION },
    { "help", no_argument, NULL, 'h' },
    { NULL, 0, NULL, 0 },
};

static struct og_watch *running; /* for the signal handler */

static int set_stream(struct og_watch_options *o)
{
    o->pnl = strcmp(optarg, "pnl") == 0;
    return o->pnl || strcmp(optarg, "portfolio") == 0 ? 0
                                                      : og_bad_usage(program, "--stream", optarg, "portfolio or pnl");
}

static int set_count(struct og_watch_options *o)
{
    char *end;

    errno = 0;
    o->count = strtoll(optarg, &end, 10);
    return !errno && !*end && o->count > 0 ? 0 : og_bad_usage(program, "--count", optarg, "a whole number from 1");
}

static int set_for(struct og_watch_options *o)
{
    if (og_duration_read(optarg, strlen(optarg), &o->for_ns) && o->for_ns > 0)
        return 0;
    return og_bad_usage(program, "--for", optarg, "a duration like 500ms, 30s, 5m, 1h");
}

/* Returns -1 to go on; else the exit code. */
static int read_options(struct og_watch_options *o, int argc, char **argv)
{
    int option, bad = 0;

    while (!bad && (option = getopt_long(argc, argv, "h", options, NULL)) != -1) {
        switch (option) {
        case 'h': fputs(usage, stdout); return og_close_stdout(program);
        case O_VERSION: puts("ordergate " OG_VERSION); return og_close_stdout(program);
        case O_STREAM: bad = set_stream(o); break;
        case O_BROKER: o->broker = optarg; break;
        case O_ACCOUNT: o->account = optarg; break;
        case O_COUNT: bad = set_count(o); break;
        case O_FOR: bad = set_for(o); break;
        default: fprintf(stderr, "%s: see %s --help\n", program, program); return EXIT_USAGE;
        }
    }
    if (bad)
        return bad;
    if (optind < argc) {
        fprintf(stderr, "%s: there is no argument '%s'; see %s --help\n", program, argv[optind], program);
        return EXIT_USAGE;
    }
    return -1;
}

static int put_line(void *with, const char *line, size_t len)
{
    (void)with;
    if (fwrite(line, 1, len, stdout) == len && putc('\n', stdout) != EOF && fflush(stdout) == 0)
        return 0;
    fprintf(stderr, "%s: stdout: cannot be written: %s\n", program, strerror(errno));
    return -1;
}

static void stop(int signal)
{
    (void)signal;
    og_watch_stop(running);
}

static int say(const struct og_error *err)
{
    char text[512];

    fprintf(stderr, "%s: %s\n", program, og_tool_error(err, text, sizeof text));
    switch (err->status) {
    case OG_EINVAL: return EXIT_USAGE;
    case OG_EAUTH:
    case OG_ENOENT: return EXIT_NO;
    default: return EXIT_IO;
    }
}

int main(int argc, char **argv)
{
    struct og_watch_options o = { .line = put_line };
    struct sigaction action = { .sa_handler = stop };
    struct og_error err = { 0 };
    int code = read_options(&o, argc, argv);

    secret_guard();
    if (code >= 0)
        return code;
    if (og_watch_new(&o, &running, &err))
        return say(&err);
    secret_forget();
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    action.sa_handler = SIG_IGN;
    sigaction(SIGPIPE, &action, NULL);
    code = 0;
    if (og_watch_run(running, &err))
        code = err.status == OG_EIO ? EXIT_IO : say(&err);
    signal(SIGINT, SIG_IGN); /* the run is over */
    signal(SIGTERM, SIG_IGN);
    og_watch_free(running);
    return code ? code : og_close_stdout(program);
}
