/*
 * ordergate status: shows the senders that run on this machine, and the ledgers.  This file only parses options and
 * prints; the library asks the senders and reads the ledgers (ordergate/desk.h).
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "ordergate/desk.h"
#include "ordergate/time.h"
#include "tools/common/exit.h"
#include "tools/common/messages.h"
#include "tools/common/options.h"
#include "tools/common/terminal.h"

#define LEDGERS_MOST 16
#define WATCH_NS     (2 * OG_NS_PER_S)

static const char program[] = "ordergate status";

struct asked {
    struct option_list ledgers;
    const char *account;
    int format, colour;
    int64_t watch_ns; /* pause before the status is printed again; used if `watch` is set */
    bool watch;
};

static int set_watch(void *to, const struct option_row *row, const char *value)
{
    struct asked *a = to;
    char *end = NULL;
    long seconds = value ? strtol(value, &end, 10) : WATCH_NS / OG_NS_PER_S;

    (void)row;
    if (value && (*value < '0' || *value > '9' || *end || seconds < 1 || seconds > 3600))
        return -1;
    a->watch = true;
    a->watch_ns = seconds * OG_NS_PER_S;
    return 0;
}

static const struct option_row rows[] = {
    OPTION_ROW("ledger", 'l', "FILE", LIST_AT(struct asked, ledgers, LEDGERS_MOST),
               "only this ledger, and the senders on it (default: all senders, and their ledgers; without a sender "
               "$XDG_STATE_HOME/ordergate/ledger.db)"),
    OPTION_ROW("account", 0, "ID", TEXT_AT(struct asked, account), "only of this account"),
    OPTION_ROW("format", 0, "auto|table|json|ndjson", CHOICE_AT(struct asked, format),
               "a table, or a JSON object on a line of its own (default: a table if stdout is a terminal)"),
    OPTION_ROW("color", 0, OPTION_COLOUR_WORDS, CHOICE_AT(struct asked, colour),
               "colour the table (default: if stdout is a terminal and NO_COLOR is not set)"),
    OPTION_ROW("watch", 0, "[=SECONDS]", SET_BY(set_watch, "a number of seconds from 1 to 3600"),
               "again every SECONDS (default: 2), until it is interrupted"),
    OPTION_ROW("ledger-key", 0, "FILE", SET_BY(options_set_ledger_key, NULL),
               "key of a keyed ledger (default: ORDERGATE_LEDGER_KEY)"),
    OPTION_END,
};

static const struct option_spec spec = {
    .program = program,
    .synopsis = "[-l LEDGER]... [--account ID] [--format auto|table|json|ndjson] [--watch[=SECONDS]]",
    .about =
        "Shows what runs: each sender of this user (for root: of every user) with its policy, halt, keys, accounts, "
        "streams, ages of facts, request budgets and every limit as used and allowed; and what the ledgers have: "
        "orders of unknown outcome, tripped latches, what was refused lately.  What needs somebody comes first.  "
        "Senders are asked over the socket by which ordergate halt finds them; nothing is written and nothing "
        "sent, and no sender waits for it.  It works without a sender, by the ledger alone.\n"
        "\n"
        "  ordergate status                     a table\n"
        "  ordergate status --watch=5           again every 5 seconds\n"
        "  ordergate status > /dev/null || page-somebody\n"
        "  ordergate status --format json | jq '.needs[].text'\n",
    .rows = rows,
    .notes =
        "A limit that is 80 % used or more is listed among what needs somebody soon; it does not make the exit 1.  "
        "Limits of one symbol or underlying are shown from 80 % on.  A figure with '?' is made of facts that are "
        "not all known or fresh.",
    .exits = "0 healthy, 1 something needs somebody, 2 usage, 4 a ledger or the list of senders cannot be read",
};

/* Print the status once.  Returns the exit code. */
static int look(const struct asked *a)
{
    const bool table = terminal_wants_table(a->format), clear = table && a->watch && isatty(STDOUT_FILENO);
    const struct og_desk_options o = { .ledgers = a->ledgers.item,
                                       .ledger_count = a->ledgers.count,
                                       .account = a->account,
                                       .columns = table ? terminal_columns() : 0,
                                       .colour = table && terminal_colour(a->colour) };
    struct og_error err = { 0 };
    bool needs = false;

    if (clear)
        printf("\033[H\033[2J");
    if (og_desk_status(&o, og_print_line, NULL, &needs, &err))
        return og_say(program, &err, EXIT_IO);
    if (fflush(stdout))
        return EXIT_IO;
    return needs ? EXIT_NO : 0;
}

int main(int argc, char **argv)
{
    struct asked a = { .format = FORMAT_AUTO };
    int code = options_read(&spec, &a, argc, argv), closed;

    if (code >= 0)
        return code;
    if (optind < argc)
        return options_misuse(&spec, "it takes no arguments");
    signal(SIGPIPE, SIG_IGN);
    code = look(&a);
    while (a.watch && code <= EXIT_NO) {
        const struct timespec pause = { .tv_sec = (time_t)(a.watch_ns / OG_NS_PER_S) };

        nanosleep(&pause, NULL);
        code = look(&a);
    }
    closed = og_close_stdout(program);
    return closed ? closed : code;
}
