/*
 * ordergate report: sums up the records of a day.  This file only parses options; the library reads the ledger
 * (ordergate/ledger.h).
 */
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "ordergate/ledger.h"
#include "ordergate/time.h"
#include "tools/common/exit.h"
#include "tools/common/messages.h"
#include "tools/common/options.h"
#include "tools/common/terminal.h"

static const char program[] = "ordergate report";

struct asked {
    const char *path, *account, *day;
    int format, colour;
};

static const struct option_row rows[] = {
    OPTION_ROW(
        "date", 0, "DAY", NAME_AT(struct asked, day),
        "the day: 2026-01-15, today or yesterday (default: today); a day of the exchange, from midnight to midnight "
        "in New York"),
    OPTION_ROW("ledger", 0, "FILE", TEXT_AT(struct asked, path),
               "the ledger (default: $XDG_STATE_HOME/ordergate/ledger.db)"),
    OPTION_ROW("account", 0, "ID", TEXT_AT(struct asked, account), "only this account"),
    OPTION_ROW(
        "format", 0, "auto|table|json|ndjson|csv|html", CHOICE_AT(struct asked, format),
        "words and tables; one JSON object; the orders of the day, a row each, as flat NDJSON or as CSV; or a page "
        "with plots (default: words if stdout is a terminal, else JSON)"),
    OPTION_ROW("color", 0, OPTION_COLOUR_WORDS, CHOICE_AT(struct asked, colour),
               "colour the words (default: if stdout is a terminal and NO_COLOR is not set)"),
    OPTION_ROW("ledger-key", 0, "FILE", SET_BY(options_set_ledger_key, NULL),
               "key of a keyed ledger (default: ORDERGATE_LEDGER_KEY)"),
    OPTION_END,
};

static const struct option_spec spec = {
    .program = program,
    .synopsis = "[--date DAY] [--ledger FILE] [--account ID] [--format FORMAT]",
    .about = "Tells what the records of one day add up to: orders decided, accepted and refused, fills by symbol, "
             "refusals by rule, rejections by code, how long the broker took to answer, what was at its highest, "
             "halts, latches, anomalies, and what people did by hand.  It only reads, also while a sender writes.\n"
             "\n"
             "  ordergate report --date yesterday\n"
             "  ordergate report --date 2026-01-15 --format html > day.html\n"
             "  ordergate report --date 2026-01-15 --format csv > day.csv\n"
             "  ordergate report --date 2026-01-15 --format json | jq '.refusals[] | [.count, .rule, .reason]'\n",
    .rows = rows,
    .notes =
        "A record counts on the day of its time, which is that of the sender's clock.  How much of each limit was "
        "used is not on record: the report has the highest rates and open orders, the day's highest P&L, latches and "
        "refusals; ordergate status has the limits while a sender runs.",
    .exits = "0 done, 2 usage, 4 the ledger cannot be read, or stdout not be written",
};

static enum og_status print_report(const struct asked *a, struct og_ledger *ledger, struct og_error *err)
{
    struct og_ledger_look look = { .format = a->format == FORMAT_HTML ? OG_LEDGER_HTML : OG_LEDGER_JSON };

    if (terminal_wants_table(a->format))
        look = (struct og_ledger_look){ OG_LEDGER_TABLE, terminal_columns(), terminal_colour(a->colour) };
    return og_ledger_report(ledger, a->day, a->account, &look, og_print_line, NULL, err);
}

/* Print the orders that have a record of the day, in their present state. */
static enum og_status print_orders(const struct asked *a, struct og_ledger *ledger, struct og_error *err)
{
    const struct og_ledger_look look = { .format = a->format == FORMAT_CSV ? OG_LEDGER_CSV : OG_LEDGER_FLAT };
    struct og_ledger_filter filter = { .account = a->account };

    if (!og_time_read_day(a->day, strlen(a->day), og_time_now(), &filter.since, &filter.until)) {
        snprintf(err->text, sizeof err->text, "'%.40s' is not a day: 2026-01-15, today or yesterday", a->day);
        return err->status = OG_EINVAL;
    }
    return og_ledger_list(ledger, &filter, &look, og_print_line, NULL, err);
}

int main(int argc, char **argv)
{
    struct asked a = { .day = "today" };
    struct og_ledger *ledger = NULL;
    struct og_error err = { 0 };
    enum og_status status;
    int code, closed;

    signal(SIGPIPE, SIG_DFL); /* the program ends quietly if the reader closes the pipe */
    code = options_read(&spec, &a, argc, argv);
    if (code >= 0)
        return code;
    if (optind < argc)
        return options_misuse(&spec, "it takes no arguments; the day is --date DAY");
    status = og_ledger_peek(a.path, &ledger, &err);
    if (status == OG_OK)
        status = a.format == FORMAT_CSV || a.format == FORMAT_NDJSON ? print_orders(&a, ledger, &err)
                                                                     : print_report(&a, ledger, &err);
    og_ledger_close(ledger);
    code = status == OG_OK ? 0 : status == OG_EINVAL ? EXIT_USAGE : EXIT_IO;
    if (status != OG_OK && status != OG_EIO) /* OG_EIO: stdout cannot be written, which og_close_stdout() reports */
        (void)og_say(program, &err, code);
    closed = og_close_stdout(program);
    return closed > code ? closed : code;
}
