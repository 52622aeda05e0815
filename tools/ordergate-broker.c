/*
 * ordergate broker: makes one call to the service and prints the answer, runs the locate workflow, or writes a facts
 * file.  Posting orders is left to ordergate send, which decides and records them.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/common/broker.h"
#include "tools/common/messages.h"
#include "tools/common/secret.h"
#include "tools/common/terminal.h"

static const char program[] = BROKER_PROGRAM;

/* --- options ------------------------------------------------------------------------------------------------------ */

static bool is_number(const char *text, enum broker_field f, long long *n)
{
    char *end;

    errno = 0;
    *n = strtoll(text, &end, 10);
    return !errno && end != text && !*end && *n >= 0 && (f == FIELD_OFFSET || *n <= INT32_MAX);
}

/* Set the field whose number is row->at. */
static int set_field(void *to, const struct option_row *row, const char *value)
{
    enum broker_field f = (enum broker_field)row->at;
    struct broker *b = to;
    bool ok = true;

    b->field[f] = value ? value : "";
    switch (f) {
    case FIELD_QUANTITY:
    case FIELD_DAYS:
    case FIELD_OFFSET:
    case FIELD_LIMIT: ok = is_number(value, f, &b->number[f]); break;
    case FIELD_MAX_PRICE: ok = og_money_read(value, strlen(value), &b->price) && b->price.coef >= 0; break;
    case FIELD_WAIT:
    case FIELD_POLL: ok = og_duration_read(value, strlen(value), &b->duration[f]) && b->duration[f] > 0; break;
    default: ok = !value || *value;
    }
    return ok ? 0 : -1;
}

#define A_TEXT     "a text"
#define A_NUMBER   "a whole number"
#define A_DURATION "a duration like 500ms, 30s, 5m"
/* The rows of the table, in the sequence of enum broker_field: the option of FIELD_X is rows[FIELD_X - 1], as
 * place_arguments() needs it. */
#define FIELD(field, name_, value_, expected_, help_) \
    [(field)-1] = { .name = name_, .value = value_, SET_BY(set_field, expected_), .at = (field), .help = help_ }

static const struct option_row rows[] = {
    FIELD(FIELD_ACCOUNT, "account", "ID", A_TEXT,
          "the account (default: the broker file's, ORDERGATE_ACCOUNT, or the only one)"),
    FIELD(FIELD_ID, "id", "ID", A_TEXT, "the argument ID, by name"),
    FIELD(FIELD_SYMBOL, "symbol", "SYMBOL", A_TEXT,
          "the argument SYMBOL, by name; for cancel-all and history: only this symbol"),
    FIELD(FIELD_START, "start", "DAY", A_TEXT, "the argument START, by name"),
    FIELD(FIELD_QUANTITY, "quantity", "N", A_NUMBER, "the argument QUANTITY, by name"),
    FIELD(FIELD_TYPE, "type", "TYPE", A_TEXT, "the argument TYPE, by name"),
    FIELD(FIELD_DAYS, "days", "N", A_NUMBER, "of a history: 1 to 365"),
    FIELD(FIELD_OFFSET, "offset", "N", A_NUMBER, "rows to skip"),
    FIELD(FIELD_LIMIT, "limit", "N", A_NUMBER, "rows a page"),
    FIELD(FIELD_MAX_PRICE, "max-price", "PRICE", "dollars a share like 0.05",
          "for locate: the highest price per share"),
    FIELD(FIELD_WAIT, "wait", "DURATION", A_DURATION,
          "how long to retry after 429s and failures (30s); for locate: how long to wait for the offer"),
    FIELD(FIELD_POLL, "poll", "DURATION", A_DURATION, "for locate: how often to look for the offer (default: 2s)"),
    FIELD(FIELD_ALL, "all", NULL, NULL, "every page, as one answer"),
    FIELD(FIELD_WEEK, "week", NULL, NULL, "for history: a week in one answer"),
    OPTION_ROW("broker", 0, "FILE", TEXT_AT(struct broker, client_options.broker),
               "base_url, key_id, secret_key_file, account ... (default: ORDERGATE_* variables)"),
    OPTION_ROW("timeout", 0, "DURATION", DURATION_AT(struct broker, client_options.timeout_ns),
               "how long one request may take (default: 10s)"),
    OPTION_ROW("force", 0, NULL, FLAG_AT(struct broker, force), "send the request even if the rules refuse it"),
    OPTION_ROW("output", 'o', "FILE", TEXT_AT(struct broker, output),
               "write to this file, completely or not at all, mode 600"),
    OPTION_ROW("format", 0, "auto|table|json|ndjson|csv", CHOICE_AT(struct broker, format),
               "a table, the service's JSON, each row of its list as a line, or CSV (default: a table if stdout is a "
               "terminal, else the service's JSON)"),
    OPTION_ROW("color", 0, OPTION_COLOUR_WORDS, CHOICE_AT(struct broker, colour), OPTION_COLOUR_HELP),
    OPTION_END,
};

const char *broker_field_name(enum broker_field f)
{
    return rows[f - 1].name;
}

/* --- the table ---------------------------------------------------------------------------------------------------- */

#define BIT(field) (1u << (field))
#define PAGES      (BIT(FIELD_DAYS) | BIT(FIELD_OFFSET) | BIT(FIELD_LIMIT) | BIT(FIELD_ALL))

static const struct broker_command commands[] = {
    { { "accounts", "the accounts that the keys reach" }, .run = broker_accounts },
    { { "account [ACCOUNT]", "balances" }, { FIELD_ACCOUNT }, .run = broker_account },
    { { "pnl [ACCOUNT]", "figures of the day" }, { FIELD_ACCOUNT }, .run = broker_pnl },
    { { "positions [ACCOUNT]", "what is held" }, { FIELD_ACCOUNT }, .run = broker_positions },
    { { "position-pnl [ACCOUNT]", "what is held, each position with its figures; P&L rows of no position" },
      { FIELD_ACCOUNT },
      .run = broker_position_pnl },
    { { "closed [ACCOUNT]", "positions closed today" }, { FIELD_ACCOUNT }, .run = broker_closed },
    { { "closed-totals [ACCOUNT]", "positions closed today, added up for each symbol or contract" },
      { FIELD_ACCOUNT },
      .run = broker_closed_totals },
    { { "cash START", "the cash ledger from a day on (--days, --offset, --limit, --all)" },
      { FIELD_START },
      PAGES,
      broker_cash,
      og_check_read,
      "read",
      "GET cash" },
    { { "routes [ACCOUNT]", "the routes that orders may take" }, { FIELD_ACCOUNT }, .run = broker_routes },
    { { "orders [ACCOUNT]", "the orders of the day" }, { FIELD_ACCOUNT }, .run = broker_orders },
    { { "order ID", "one order, by its clientOrderId" }, { FIELD_ID }, .run = broker_order },
    { { "history START", "fills from a day on (--days, --offset, --limit, --symbol, --all; --week: a week at once)" },
      { FIELD_START },
      PAGES | BIT(FIELD_SYMBOL) | BIT(FIELD_WEEK),
      broker_history,
      og_check_read,
      "read",
      "GET history-pages" },
    { { "fills START", "fills from a day on, each with its order of the session, if that can be told (as history)" },
      { FIELD_START },
      PAGES | BIT(FIELD_SYMBOL),
      broker_fills,
      og_check_read,
      "read",
      "GET history-pages" },
    { { "cancel ID", "cancel an order" }, { FIELD_ID }, 0, broker_cancel, og_check_cancel, "cancel", NULL },
    { { "cancel-all", "cancel all working orders, or those of --symbol" },
      .allowed = BIT(FIELD_SYMBOL),
      .run = broker_cancel_all },
    { { "borrow SYMBOL", "whether the symbol is easy to borrow" }, { FIELD_SYMBOL }, .run = broker_borrow },
    { { "locate-quote SYMBOL QUANTITY ID", "request a quote with a new id; free" },
      { FIELD_SYMBOL, FIELD_QUANTITY, FIELD_ID },
      0,
      broker_locate_quote,
      og_check_locate,
      "locate-quote",
      NULL },
    { { "locate-accept ID", "accept an offer; charged" },
      { FIELD_ID },
      0,
      broker_locate_accept,
      og_check_locate,
      "locate-accept",
      NULL },
    { { "locate-sell ID TYPE QUANTITY",
        "give shares back for credit (--symbol); TYPE is Locate, PreBorrow or SingleUse" },
      { FIELD_ID, FIELD_TYPE, FIELD_QUANTITY },
      BIT(FIELD_SYMBOL),
      broker_locate_sell,
      og_check_locate,
      "locate-sell",
      NULL },
    { { "locate-cancel ID", "cancel a quote" },
      { FIELD_ID },
      0,
      broker_locate_cancel,
      og_check_locate,
      "locate-cancel",
      NULL },
    { { "locate-history [ACCOUNT]", "the locates of the day" }, { FIELD_ACCOUNT }, .run = broker_locate_history },
    { { "locate-inventory [ACCOUNT]", "the shares located" }, { FIELD_ACCOUNT }, .run = broker_locate_inventory },
    { { "locate", "quote, wait for the offer, accept the cheaper if cheap enough, confirm: --symbol, --quantity, "
                  "--max-price (dollars a share), --type any|reusable|single-use, --wait DURATION for the offer "
                  "(default: 30s), --poll DURATION (default: 2s)" },
      { FIELD_SYMBOL, FIELD_QUANTITY, FIELD_MAX_PRICE },
      BIT(FIELD_TYPE) | BIT(FIELD_ID) | BIT(FIELD_POLL),
      NULL,
      og_check_locate,
      "locate-quote",
      NULL },
    { { "facts [SYMBOL]...", "a facts file for ordergate check, with the borrow status of the symbols" },
      .run = broker_facts },
};

static const struct option_spec spec = {
    .program = program,
    .synopsis = "[options] CALL [ARGUMENT]...",
    .about = "Makes one call and prints the service's JSON; on a terminal a table.\n"
             "\n"
             "  ordergate broker --broker broker.yaml orders\n"
             "  ordergate broker locate --symbol GME --quantity 100 --max-price 0.05\n"
             "  ordergate broker facts GME -o facts.json && ordergate check -p live -f facts.json < orders.ndjson\n",
    OPTION_COMMANDS(commands),
    .command_kind = "call",
    .rows = rows,
    .exits = "0 done, 1 the service or a rule rejected the call, 2 usage, 3 the policy cannot be used, 4 cannot read, "
             "write or reach the broker, 5 it is not known whether the call had an effect",
};

/* --- arguments ---------------------------------------------------------------------------------------------------- */

/* Set fields from arguments without a name.  Returns 0, or the exit code after a message. */
static int place_arguments(struct broker *b, const struct broker_command *c, const char *name, int count, char **words)
{
    for (int i = 0, at = 0; i < count; i++) {
        if (c->run == broker_facts && b->symbols < BROKER_SYMBOLS_MOST) {
            b->symbol[b->symbols++] = words[i];
            continue;
        }
        while (at < BROKER_ARGUMENTS && c->position[at] != FIELD_NONE && b->field[c->position[at]])
            at++; /* an option has set this field */
        if (at == BROKER_ARGUMENTS || c->position[at] == FIELD_NONE)
            return options_misuse(&spec, "%s does not take '%s'", name, words[i]);
        if (options_set(&spec, &rows[c->position[at] - 1], words[i], b))
            return EXIT_USAGE;
    }
    return 0;
}

/* Check the fields of a command.  Returns 0, or the exit code after a message. */
static int judge_fields(const struct broker *b, const struct broker_command *c, const char *name)
{
    unsigned needed = 0, allowed = c->allowed | BIT(FIELD_ACCOUNT) | BIT(FIELD_WAIT);

    for (int i = 0; i < BROKER_ARGUMENTS; i++)
        needed |= c->position[i] == FIELD_ACCOUNT ? 0 : BIT(c->position[i]);
    for (enum broker_field f = 1; f < FIELD_COUNT; f++) {
        if ((needed & BIT(f)) && !b->field[f])
            return options_misuse(&spec, "%s needs --%s", name, broker_field_name(f));
        if (!((needed | allowed) & BIT(f)) && b->field[f])
            return options_misuse(&spec, "%s does not take --%s", name, broker_field_name(f));
    }
    return 0;
}

/* --- answers ------------------------------------------------------------------------------------------------------ */

int broker_exit_code(enum og_status status)
{
    switch (status) {
    case OG_OK: return 0;
    case OG_EINVAL: return EXIT_USAGE;
    case OG_EREJECTED:
    case OG_EAUTH:
    case OG_ENOENT: return EXIT_NO;
    case OG_EUNKNOWN: return EXIT_UNKNOWN;
    default: return EXIT_IO;
    }
}

static int cannot_write(const char *path)
{
    fprintf(stderr, "%s: %s: cannot be written: %s\n", program, path, strerror(errno));
    return EXIT_IO;
}

/* Write the file atomically: readers see the old content until the new one is complete. */
static int write_file(const char *path, const char *bytes, size_t len)
{
    char *beside = NULL;
    int fd = asprintf(&beside, "%s.XXXXXX", path) < 0 ? -1 : mkstemp(beside);
    FILE *to = fd < 0 ? NULL : fdopen(fd, "w");
    bool ok = to && fwrite(bytes, 1, len, to) == len && fputc('\n', to) != EOF;

    ok = to && fclose(to) == 0 && ok && rename(beside, path) == 0;
    if (!ok) {
        cannot_write(path);
        if (fd >= 0)
            unlink(beside);
    }
    free(beside);
    return ok ? 0 : EXIT_IO;
}

/* Returns true if the answer is to be shown in another form than it came in; *look: which. */
static bool is_shown(const struct broker *b, struct og_show_look *look)
{
    const bool shown = terminal_look(b->output && b->format == FORMAT_AUTO ? FORMAT_JSON : b->format, b->colour, look);

    if (b->format == FORMAT_NDJSON)
        look->format = OG_SHOW_ROWS;
    return !b->is_document && (shown || b->format == FORMAT_NDJSON);
}

static int print_bytes(const struct broker *b, const char *bytes, size_t len)
{
    while (len > 0 && (bytes[len - 1] == '\n' || bytes[len - 1] == '\r'))
        len--;
    if (b->output)
        return write_file(b->output, bytes, len);
    fwrite(bytes, 1, len, stdout);
    putchar('\n');
    return 0;
}

int broker_print(const struct broker *b, const char *bytes, size_t len)
{
    struct og_show_look look;
    struct og_show *show;
    enum og_status status;
    const char *text;
    int code;

    if (!is_shown(b, &look))
        return print_bytes(b, bytes, len);
    status = og_show_new(&look, &show);
    if (status == OG_OK)
        status = og_show_answer(show, bytes, len);
    if (status == OG_OK)
        status = og_show_text(show, &text, &len);
    if (status == OG_ENOMEM)
        fprintf(stderr, "%s: %s\n", program, og_status_text(status));
    code = status == OG_OK ? print_bytes(b, text, len) : status == OG_ENOMEM ? EXIT_IO : print_bytes(b, bytes, len);
    og_show_free(show);
    return code;
}

static int run_call(struct broker *b, const struct broker_command *c)
{
    struct og_answer answer = { 0 };
    struct og_error err = { 0 };
    enum og_status status = c->run(b, &answer, &err);
    int code = broker_exit_code(status);

    if (status == OG_OK)
        code = broker_print(b, answer.body, answer.len);
    else
        og_say(program, &err, code);
    og_answer_clear(&answer);
    return code;
}

/* --- main --------------------------------------------------------------------------------------------------------- */

static int run(struct broker *b, const struct broker_command *c)
{
    struct og_error err = { 0 };
    const char *account = b->field[FIELD_ACCOUNT];
    int code = 0;

    if (c->run != broker_accounts && og_client_account_id(b->client, &account, &err))
        return og_say(program, &err, err.status == OG_ENOENT ? EXIT_USAGE : broker_exit_code(err.status));
    b->field[FIELD_ACCOUNT] = account;
    if (c->check)
        code = broker_decide(b, c, account);
    if (code)
        return code;
    return c->run ? run_call(b, c) : broker_locate(b, account);
}

int main(int argc, char **argv)
{
    struct broker b = { 0 };
    struct og_error err = { 0 };
    const struct broker_command *c;
    enum og_status status;
    int code = options_read(&spec, &b, argc, argv), closed, at;

    secret_guard();
    if (code >= 0)
        return code;
    if (optind == argc)
        return options_usage(&spec);
    argv += optind;
    at = options_command(&spec, argv[0]);
    if (at < 0)
        return EXIT_USAGE;
    c = &commands[at];
    b.is_document = c->run == broker_facts;
    if (b.is_document && b.format != FORMAT_AUTO && b.format != FORMAT_JSON)
        return options_misuse(&spec, "facts writes JSON alone");
    if (place_arguments(&b, c, argv[0], argc - optind - 1, argv + 1) || judge_fields(&b, c, argv[0]))
        return EXIT_USAGE;
    signal(SIGPIPE, SIG_IGN);       /* a write to a closed socket or pipe then fails, instead of ending the program */
    b.client_options.urgent = true; /* a cancel by a person may use the part of the budget that is reserved for
                                     * emergencies */
    b.client_options.unchecked = b.force;
    b.client_options.account = b.field[FIELD_ACCOUNT];
    b.client_options.wait_ns = c->run ? b.duration[FIELD_WAIT] : 0;
    status = secret_client_open(&b.client_options, &b.client, &err);
    if (status)
        return og_say(program, &err, broker_exit_code(status));
    code = run(&b, c);
    og_client_close(b.client);
    closed = og_close_stdout(program);
    return code ? code : closed;
}
