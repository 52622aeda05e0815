/*
 * ordergate watch: prints the messages of the service's streams, decoded, one JSON object a line.
 * It sends nothing but the keys and the subscription.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ordergate/ordergate.h"
#include "ordergate/watch.h"
#include "tools/common/exit.h"
#include "tools/common/messages.h"
#include "tools/common/options.h"
#include "tools/common/secret.h"

static char program[] = "ordergate watch";

struct asked {
    struct og_watch_options options;
    int stream;
};

static const struct option_row rows[] = {
    OPTION_ROW("stream", 0, "portfolio|pnl", CHOICE_AT(struct asked, stream),
               "portfolio (default): orders and positions; pnl: figures"),
    OPTION_ROW("snapshot", 0, NULL, FLAG_AT(struct asked, options.snapshot),
               "orders and positions first, and again after each gap; then what changes"),
    OPTION_ROW("broker", 0, "FILE", TEXT_AT(struct asked, options.broker),
               "base_url, ws_url, key_id, secret_key_file, account ... (default: ORDERGATE_* variables)"),
    OPTION_ROW("account", 0, "ID", TEXT_AT(struct asked, options.account),
               "the account (default: the broker file's, ORDERGATE_ACCOUNT, or the only one)"),
    OPTION_ROW("count", 0, "N", NUMBER_AT(struct asked, options.count, 1, 0), "end after N messages"),
    OPTION_ROW("for", 0, "DURATION", DURATION_AT(struct asked, options.for_ns), "end after this time"),
    OPTION_END,
};

static const struct option_spec spec = {
    .program = program,
    .synopsis = "[options]",
    .about = "Writes the messages of a stream, decoded, one JSON object a line, until it is interrupted.\n"
             "Changes before \"ready\" and after \"down\" are not seen: --snapshot reads them.\n"
             "\n"
             "  ordergate watch --snapshot > account.ndjson\n"
             "  ordergate watch | jq -c 'select(.event == \"order\") | [.order.clientOrderId, .order.orderStatus]'\n",
    .rows = rows,
    .exits =
        "0 done or interrupted, 1 the service does not know the keys or the account, 2 usage, 4 cannot read, write "
        "or reach the broker",
};

static struct og_watch *running; /* the watch that the signal handler stops */

/* Returns -1 to go on, or the exit code. */
static int read_options(struct asked *a, int argc, char **argv)
{
    int code = options_read(&spec, a, argc, argv);

    a->options.pnl = a->stream == 1;
    if (code >= 0)
        return code;
    if (a->options.snapshot && a->options.pnl)
        return options_misuse(&spec,
                              "--snapshot goes with --stream portfolio: the P&L stream begins with one, pnl-init");
    return optind < argc ? options_misuse(&spec, "there is no argument '%s'", argv[optind]) : -1;
}

static void stop(int signal)
{
    (void)signal;
    og_watch_stop(running);
}

static int say(const struct og_error *err)
{
    (void)og_say(program, err, 0);
    switch (err->status) {
    case OG_EINVAL: return EXIT_USAGE;
    case OG_EAUTH:
    case OG_ENOENT: return EXIT_NO;
    default: return EXIT_IO;
    }
}

int main(int argc, char **argv)
{
    struct asked a = { .options = { .line = og_print_line_now, .with = program } };
    struct sigaction action = { .sa_handler = stop };
    struct og_error err = { 0 };
    int code = read_options(&a, argc, argv);

    secret_guard();
    if (code >= 0)
        return code;
    if (og_watch_new(&a.options, &running, &err))
        return say(&err);
    secret_forget();
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    action.sa_handler = SIG_IGN;
    sigaction(SIGPIPE, &action, NULL);
    code = 0;
    if (og_watch_run(running, &err))
        code = err.status == OG_EIO ? EXIT_IO : say(&err);
    signal(SIGINT, SIG_IGN); /* the watch is over: the signal handler must not use it while it is freed */
    signal(SIGTERM, SIG_IGN);
    og_watch_free(running);
    return code ? code : og_close_stdout(program);
}
