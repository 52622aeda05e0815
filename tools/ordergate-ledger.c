/*
 * ordergate ledger: prints the records of what was sent, verifies that they were not changed, and records the outcome
 * of an unknown order after a person found it out.  Writes JSON lines to stdout, and messages to stderr.  This file
 * only parses options; the library reads the ledger (ordergate/ledger.h).
 */
#include <errno.h>
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ordergate/ledger.h"
#include "ordergate/rules.h"
#include "ordergate/time.h"
#include "tools/common/complete.h"
#include "tools/common/exit.h"
#include "tools/common/json.h"
#include "tools/common/messages.h"
#include "tools/common/options.h"
#include "tools/common/terminal.h"

static const char program[] = "ordergate ledger";

#define NAMES_MOST 1024 /* maximum number of ids of rules and reasons among which the nearest one is searched */

struct asked {
    const char *path, *expected, *broker, *tag;
    struct og_ledger *ledger;
    bool all;
    struct og_ledger_filter filter; /* for list, which adds the account and the tag */
    struct option_list states;
    int format, colour;
    struct og_ledger_archive archive;
    /* --account and --id are kept here for every command, not only to resolve */
    struct og_ledger_settlement settlement;
};

/* --- printing ----------------------------------------------------------------------------------------------------- */

/* Print a fault as JSON, and also as a message. */
static int put_fault(void *with, const char *json, size_t len)
{
    char words[512];

    if (og_json_member(json, "\"message\":\"", words, sizeof words))
        fprintf(stderr, "%s: %s\n", program, words);
    return og_print_line(with, json, len);
}

/* Print a record, if it belongs to the strategy that was asked for. */
static int put_row(void *with, const char *json, size_t len)
{
    const struct asked *a = with;
    char tag[256];

    if (a->tag && (!og_json_member(json, "\"tag\":\"", tag, sizeof tag) || strcmp(tag, a->tag) != 0))
        return 0;
    return og_print_line(NULL, json, len);
}

static int exit_code_of(enum og_status status)
{
    switch (status) {
    case OG_OK: return 0;
    case OG_EINVAL: return EXIT_USAGE;
    case OG_EBUSY:
    case OG_ENOENT:
        return EXIT_NO; /* the ledger has no such order; that a ledger is missing is reported when it is
                         * opened */
    default: return EXIT_IO;
    }
}

/* --- the commands ------------------------------------------------------------------------------------------------- */

static struct og_ledger_look look_of(const struct asked *a)
{
    const bool table = terminal_wants_table(a->format);

    return (struct og_ledger_look){ .format = table                     ? OG_LEDGER_TABLE
                                              : a->format == FORMAT_CSV ? OG_LEDGER_CSV
                                                                        : OG_LEDGER_JSON,
                                    .columns = table ? terminal_columns() : 0,
                                    .colour = table && terminal_colour(a->colour) };
}

/* Returns true if a rule or a reason has this id. names[]: the ids; *count: how many there are, NAMES_MOST at most. */
static bool list_ids(const char *id, const char *names[NAMES_MOST], size_t *count)
{
    const struct og_rule *rule;
    bool found = false;

    *count = 0;
    for (size_t i = 0; (rule = og_rules_at(i)); i++) {
        struct og_reason_info reason = { .id = og_rule_id(rule) };

        for (size_t k = 0; *count < NAMES_MOST && reason.id; k++) {
            found |= strcmp(reason.id, id) == 0;
            names[(*count)++] = reason.id;
            reason.id = NULL;
            (void)og_rule_reason(rule, k, &reason);
        }
    }
    return found;
}

/* Nothing was listed: say if that is because no rule and no reason has the id. It may be one of a policy's own rule. */
static void say_unknown_rule(const char *id)
{
    const char *names[NAMES_MOST], *nearest;
    size_t count;

    if (list_ids(id, names, &count))
        return;
    nearest = og_nearest_word(id, names, count);
    fprintf(stderr,
            "%s: no rule or reason is called '%s', and no decision has a finding of a policy's own rule of that id",
            program, id);
    if (nearest)
        fprintf(stderr, "; did you mean '%s'?", nearest);
    fputc('\n', stderr);
}

static int put_counted(void *lines, const char *json, size_t len)
{
    ++*(long long *)lines;
    return og_print_line(NULL, json, len);
}

static int list(struct asked *a, struct og_error *err)
{
    const struct og_ledger_look look = look_of(a);
    long long lines = look.format == OG_LEDGER_CSV ? -1 : 0; /* the names of the columns do not count */
    enum og_status status;

    if (a->filter.halts == OG_LEDGER_NO_HALTS && !a->filter.open)
        a->filter.halts = OG_LEDGER_HALTS_TOO;
    a->filter.account = a->settlement.account;
    a->filter.tag = a->tag;
    a->filter.states = a->states.item;
    a->filter.state_count = a->states.count;
    status = og_ledger_list(a->ledger, &a->filter, &look, put_counted, &lines, err);
    if (status == OG_OK && lines == 0 && a->filter.rule)
        say_unknown_rule(a->filter.rule);
    return exit_code_of(status);
}

static int unknown(struct asked *a, struct og_error *err)
{
    if (!terminal_wants_table(a->format) && a->format != FORMAT_CSV)
        return exit_code_of(og_ledger_print(a->ledger, OG_LEDGER_OPEN, a->settlement.account, NULL, put_row, a, err));
    a->states = (struct option_list){ .item = { "unknown" }, .count = 1 };
    a->filter.open = true;
    return list(a, err);
}

static int show(struct asked *a, struct og_error *err)
{
    const struct og_ledger_look look = look_of(a);

    if (look.format != OG_LEDGER_TABLE)
        return exit_code_of(
            og_ledger_print(a->ledger, OG_LEDGER_SHOW, a->settlement.account, a->settlement.id, put_row, a, err));
    return exit_code_of(
        og_ledger_story(a->ledger, a->settlement.account, a->settlement.id, &look, og_print_line, NULL, err));
}

static int stats(struct asked *a, struct og_error *err)
{
    return exit_code_of(og_ledger_stats(a->ledger, og_print_line, NULL, err));
}

static int positions(struct asked *a, struct og_error *err)
{
    return exit_code_of(og_ledger_positions(a->ledger, a->settlement.account, put_row, a, err));
}

static int facts(struct asked *a, struct og_error *err)
{
    return exit_code_of(og_ledger_facts(a->ledger, a->settlement.account, og_print_line, NULL, err));
}

static int latches(struct asked *a, struct og_error *err)
{
    return exit_code_of(og_ledger_latches(a->ledger, a->settlement.account, a->all, og_print_line, NULL, err));
}

static int verify(struct asked *a, struct og_error *err)
{
    long long faults;
    enum og_status status = og_ledger_verify(a->ledger, a->expected, put_fault, NULL, &faults, err);

    return status == OG_OK && faults > 0 ? EXIT_NO : exit_code_of(status);
}

static int resolve(struct asked *a, struct og_error *err)
{
    const struct passwd *user = getpwuid(getuid());
    char by[64];

    snprintf(by, sizeof by, "uid %lu", (unsigned long)getuid());
    a->settlement.by = user && user->pw_name[0] ? user->pw_name : by;
    og_ledger_close(a->ledger); /* close the ledger, which is open for reading: it will be opened again for writing */
    a->ledger = NULL;
    return exit_code_of(og_ledger_resolve(a->path, &a->settlement, og_print_line, NULL, err));
}

static int archive(struct asked *a, struct og_error *err)
{
    const struct passwd *user = getpwuid(getuid());

    a->archive.by = user ? user->pw_name : NULL;
    og_ledger_close(a->ledger); /* it will be opened again for writing */
    a->ledger = NULL;
    return exit_code_of(og_ledger_archive(a->path, &a->archive, og_print_line, NULL, err));
}

static const struct command {
    struct option_command word;
    int (*run)(struct asked *a, struct og_error *err); /* NULL if the command prints the view */
    enum og_ledger_view view;
} commands[] = {
    { { "list",
        "the newest record of every order, or of those that --since, --until, --state, --symbol, --tag, --rule and "
        "--open let through; and halts of trading, latches and resumes, which are of no order: --halts for these "
        "alone" },
      list,
      0 },
    { { "show ID", "one order: on a terminal what it is, its decision with what was known, and its records, in words; "
                   "else every record in time order; ID: clientOrderId, or the broker's id" },
      show,
      0 },
    { { "unknown", "orders whose outcome is not known: an answer was lost, or a run died" }, unknown, 0 },
    { { "resolve ID --as OUTCOME --reason TEXT",
        "record the outcome of an unknown order by hand: not-sent, rejected, filled, canceled, expired, done or "
        "working; your name is recorded with it" },
      resolve,
      0 },
    { { "verify", "find every record that was changed, removed, inserted or moved; with --expect-head also records "
                  "removed from the end, and records that were written anew" },
      verify,
      0 },
    { { "export", "every record, with its detail and hash" }, NULL, OG_LEDGER_EXPORT },
    { { "stats", "counts by outcome, reject code and reason of refusal, times from POST to answer; a line a run of "
                 "send, by send's clock, then one for all" },
      stats,
      0 },
    { { "positions", "what each strategy (tag) holds and has realized, by the fills of its orders" }, positions, 0 },
    { { "facts", "a facts document for ordergate check -f: used ids, orders in flight and unknown, latches" },
      facts,
      0 },
    { { "archive --before DAY",
        "move the records of before that day into a file of their own; the ledger keeps used ids, outcomes, fills and "
        "whatever is open; verify works on both" },
      archive,
      0 },
    { { "latches", "the limits that were exceeded and stop orders until ordergate resume --latch, or for a day" },
      latches,
      0 },
};

/* Set a bound of time: an instant, or a day, which stands for its beginning in New York. */
static int set_bound(void *to, const struct option_row *row, const char *value)
{
    struct asked *a = to;
    int64_t at, ends;

    if (!og_time_read(value, strlen(value), &at) && !og_time_read_day(value, strlen(value), og_time_now(), &at, &ends))
        return -1;
    if (row->name[0] == 's')
        a->filter.since = at;
    else
        a->filter.until = at;
    return 0;
}

static int set_halts(void *to, const struct option_row *row, const char *value)
{
    struct asked *a = to;

    (void)row;
    (void)value;
    a->filter.halts = OG_LEDGER_HALTS_ONLY;
    return 0;
}

#define BOUND "a day, as 2026-01-15, today or yesterday, or an instant, as 2026-01-15T14:30:00Z"

static const struct option_row rows[] = {
    OPTION_ROW("ledger", 0, "FILE", TEXT_AT(struct asked, path),
               "the ledger (default: $XDG_STATE_HOME/ordergate/ledger.db)"),
    OPTION_ROW("ledger-key", 0, "FILE", SET_BY(options_set_ledger_key, NULL),
               "key of a keyed ledger, for verify and resolve (default: ORDERGATE_LEDGER_KEY)"),
    OPTION_ROW("account", 0, "ID", TEXT_AT(struct asked, settlement.account), "only this account"),
    OPTION_ROW("tag", 0, "NAME", TEXT_AT(struct asked, tag), "only records of orders of this strategy"),
    OPTION_ROW(
        "since", 0, "TIME", SET_BY(set_bound, BOUND),
        "for list: orders with a record of that time or later; a day (2026-01-15, today, yesterday) stands for its "
        "beginning in New York, whose days are the exchange's"),
    OPTION_ROW("until", 0, "TIME", SET_BY(set_bound, BOUND), "for list: orders with a record of before that time"),
    OPTION_ROW("state", 0, "STATE", LIST_AT(struct asked, states, OPTION_LIST_MOST),
               "for list: orders whose state that is now, as the list shows it; may be given again"),
    OPTION_ROW("symbol", 0, "SYMBOL", NAME_AT(struct asked, filter.symbol),
               "for list: orders for this symbol, and spreads with a leg of it"),
    OPTION_ROW("rule", 0, "RULE", NAME_AT(struct asked, filter.rule),
               "for list: orders of which a decision has a finding of this rule, or with this reason"),
    OPTION_ROW("open", 0, NULL, FLAG_AT(struct asked, filter.open),
               "for list: orders that are not over: intended, posted, working or unknown"),
    OPTION_ROW("halts", 0, NULL, SET_BY(set_halts, NULL),
               "for list: only when trading was halted or went on, and when a latch tripped or was resumed: who, why"),
    OPTION_ROW("format", 0, "auto|table|json|ndjson|csv", CHOICE_AT(struct asked, format),
               "for list, unknown and show: for people, or a JSON object a line (default: for people if stdout is a "
               "terminal); for list and unknown also CSV"),
    OPTION_ROW("color", 0, OPTION_COLOUR_WORDS, CHOICE_AT(struct asked, colour),
               "colour what is for people (default: if stdout is a terminal and NO_COLOR is not set)"),
    OPTION_ROW("all", 0, NULL, FLAG_AT(struct asked, all), "for latches: those that were resumed too, by whom and why"),
    OPTION_ROW("before", 0, "DAY", NAME_AT(struct asked, archive.before),
               "for archive: a day of the exchange that began 26 hours ago or more"),
    OPTION_ROW("to", 0, "FILE", NAME_AT(struct asked, archive.to),
               "for archive: the new file (default: beside the ledger, ledger-before-DAY.db)"),
    OPTION_ROW("as", 0, "OUTCOME", TEXT_AT(struct asked, settlement.outcome), "for resolve"),
    OPTION_ROW("reason", 0, "TEXT", TEXT_AT(struct asked, settlement.reason), "for resolve: how you know"),
    OPTION_ROW("executed", 0, "N", TEXT_AT(struct asked, settlement.executed),
               "for resolve: filled quantity (default: the whole order if filled, else as last heard)"),
    OPTION_ROW("price", 0, "P", TEXT_AT(struct asked, settlement.price),
               "for resolve: average price (default: as last heard)"),
    OPTION_ROW("expect-head", 0, "HASH", TEXT_AT(struct asked, expected),
               "for verify: a head that must be among the records"),
    OPTION_ROW("broker", 0, "FILE", TEXT_AT(struct asked, broker),
               "accepted because send has it; no broker is contacted"),
    OPTION_END,
};

/* Returns the i-th word for a value of an option: the states of orders, and what complete_word() has. */
static const char *word_of(const char *value, size_t i)
{
    static const char *const states[] = { "refused", "intended", "posted",   "unknown", "not-sent", "working",
                                          "filled",  "canceled", "rejected", "expired", "done" };

    if (strcmp(value, "STATE") == 0)
        return i < sizeof states / sizeof states[0] ? states[i] : NULL;
    return complete_word(strcmp(value, "RULE") == 0 ? "REASON" : value, i);
}

static const struct option_spec spec = {
    .program = program,
    .synopsis = "[--ledger FILE] [--account ID] list|unknown|export|stats|positions|facts\n"
                "list [--since TIME] [--until TIME] [--state STATE]... [--symbol SYMBOL] [--rule RULE] [--open]\n"
                "list --halts [--since TIME] [--until TIME]\n"
                "[--ledger FILE] [--account ID] latches [--all]\n"
                "[--ledger FILE] [--account ID] show ID\n"
                "[--ledger FILE] [--ledger-key FILE] archive --before DAY [--to FILE]\n"
                "[--ledger FILE] [--ledger-key FILE] verify [--expect-head HASH]\n"
                "[--ledger FILE] [--ledger-key FILE] [options] resolve ID --as OUTCOME --reason TEXT",
    .about = "The ledger is what ordergate send keeps: every decision, every intent before its POST, every answer, "
             "update and outcome, appended and never changed.  Writes a JSON object a line.\n",
    OPTION_COMMANDS(commands),
    .rows = rows,
    .notes = "The states of yesterday's orders, the unknown ones first:\n"
             "  ordergate ledger unknown && ordergate ledger list | jq -c '[.clientOrderId, .state, .text]'\n"
             "What was refused yesterday by a rule, and what still works:\n"
             "  ordergate ledger list --since yesterday --until today --state refused --rule price-collar\n"
             "  ordergate ledger list --open\n"
             "Who halted trading yesterday, or a latch did, and who resumed it:\n"
             "  ordergate ledger list --halts --since yesterday --until today\n"
             "An order is unknown and you called the broker:\n"
             "  ordergate send --recover                            asks the broker; then, if it stays unknown:\n"
             "  ordergate ledger resolve a3 --as not-sent --reason 'desk says they never had it'\n"
             "Every run of send prints its head on stderr; kept elsewhere, it proves that all records up to it are "
             "unchanged:\n"
             "  ordergate ledger verify --expect-head sha256:9f86d0...",
    .exits = "0 done, 1 verify found a fault, no such order, or its state is known, 2 usage, 4 the ledger cannot be "
             "read or written",
    .word = word_of,
};

/* Returns true if an option that only list has was given. */
static bool filters(const struct asked *a)
{
    const struct og_ledger_filter *f = &a->filter;

    return f->since || f->until || f->halts || f->symbol || f->rule || f->open || a->states.count > 0;
}

static int print(struct asked *a, enum og_ledger_view view, struct og_error *err)
{
    return exit_code_of(og_ledger_print(a->ledger, view, a->settlement.account, a->settlement.id, put_row, a, err));
}

static int run(const struct command *c, struct asked *a)
{
    struct og_error err = { 0 };
    int code = EXIT_IO, closed;

    if (og_ledger_peek(a->path, &a->ledger, &err) == OG_OK)
        code = c->run ? c->run(a, &err) : print(a, c->view, &err);
    og_ledger_close(a->ledger);
    if (err.status != OG_OK && err.status != OG_EIO) /* OG_EIO: stdout cannot be written, which og_close_stdout()
                                                      * reports */
        (void)og_say(program, &err, code);
    closed = og_close_stdout(program);
    return closed > code ? closed : code;
}

/* --- arguments ---------------------------------------------------------------------------------------------------- */

/* Check the arguments.  Returns -1 if they are valid, or the exit code. */
static int check_arguments(const struct command *c, const struct asked *a, int count, char **names)
{
    int most = strncmp(c->word.usage + strlen(names[0]), " ID", 3) == 0 ? 2 : 1;

    if (count < most)
        return options_misuse(&spec, "%s needs the id of an order", names[0]);
    if (count > most)
        return options_misuse(&spec, "'%s' is one argument too many", names[most]);
    if (a->format == FORMAT_CSV && c->run != list && c->run != unknown)
        return options_misuse(&spec, "--format csv works only with list and unknown");
    if (c->run != list && filters(a))
        return options_misuse(&spec,
                              "--since, --until, --state, --symbol, --rule, --open and --halts work only with list");
    if (a->filter.halts && (a->states.count > 0 || a->filter.symbol || a->tag || a->filter.rule || a->filter.open))
        return options_misuse(&spec, "--halts lists no orders: --state, --symbol, --tag, --rule and --open are about "
                                     "orders");
    if (c->run == archive && !a->archive.before)
        return options_misuse(&spec, "%s needs --before DAY", names[0]);
    if (c->run == resolve && !a->settlement.outcome)
        return options_misuse(&spec, "%s needs --as OUTCOME", names[0]);
    if (c->run == resolve && !a->settlement.reason)
        return options_misuse(&spec, "%s needs --reason TEXT: how you know", names[0]);
    return -1;
}

int main(int argc, char **argv)
{
    struct asked a = { .path = NULL };
    int code, at;

    signal(SIGPIPE, SIG_DFL); /* the program ends quietly if the reader closes the pipe */
    code = options_read(&spec, &a, argc, argv);
    if (code >= 0)
        return code;
    argc -= optind;
    argv += optind;
    if (argc == 0)
        return options_usage(&spec);
    at = options_command(&spec, argv[0]);
    if (at < 0)
        return EXIT_USAGE;
    code = check_arguments(&commands[at], &a, argc, argv);
    if (code >= 0)
        return code;
    a.settlement.id = argv[1];
    return run(&commands[at], &a);
}
