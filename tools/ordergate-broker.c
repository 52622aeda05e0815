/*
 * ordergate broker: one call to the service, and its answer; or a locate from quote to shares, or a facts file.
 * It refuses to post orders: that is ordergate send's, with a decision and a record.
 */
#include "ordergate/broker.h"
#include "ordergate/ordergate.h"

#include "tools/common/file.h"
#include "tools/common/json.h"
#include "tools/common/say.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { EXIT_NO = 1, EXIT_USAGE = 2, EXIT_UNUSABLE = 3, EXIT_IO = 4, EXIT_UNKNOWN = 5, SYMBOLS_MOST = 256, POSITIONS = 3 };

static const char program[] = "ordergate broker";

static const char usage[] =
    "usage: ordergate broker [options] CALL [ARGUMENTS]\n"
    "\n"
    "Makes one call and prints the service's JSON.\n"
    "\n"
    "  ordergate broker --broker broker.yaml orders\n"
    "  ordergate broker locate --symbol GME --quantity 100 --max-price 0.05\n"
    "  ordergate broker facts GME -o facts.json && ordergate check -p live -f facts.json < orders.ndjson\n"
    "\n"
    "  accounts                       what the keys reach\n"
    "  account [ACCOUNT]              balances; likewise pnl, positions, closed, routes, orders, locate-history,\n"
    "                                 locate-inventory\n"
    "  order ID                       one order, by its clientOrderId\n"
    "  cash START                     the cash ledger from a day on (--days, --offset, --limit, --all)\n"
    "  history START                  fills from a day on (--days, --offset, --limit, --symbol, --all; --week: a week at once)\n"
    "  cancel ID                      cancel an order\n"
    "  cancel-all                     cancel all that works, or all of --symbol\n"
    "  borrow SYMBOL                  whether it is easy to borrow\n"
    "  locate-quote SYMBOL QUANTITY ID   ask for a quote under a new id; free\n"
    "  locate-accept ID               take an offer; charged\n"
    "  locate-sell ID TYPE QUANTITY   credit back (--symbol); TYPE is Locate, PreBorrow or SingleUse\n"
    "  locate-cancel ID               give a quote up\n"
    "  locate                         quote, wait for the offer, take the cheaper one if it is cheap enough, confirm:\n"
    "                                 --symbol, --quantity, --max-price (dollars a share), --type any|reusable|single-use,\n"
    "                                 --wait DURATION for the offer (default: 30s), --poll DURATION (default: 2s)\n"
    "  facts [SYMBOL]...              a facts file for ordergate check, with the borrow status of the symbols\n"
    "\n"
    "      --broker FILE       base_url, key_id, secret_key_file, account ... (default: ORDERGATE_* variables)\n"
    "      --account ID        whose (default: the broker file's, ORDERGATE_ACCOUNT, or the only one)\n"
    "      --id, --symbol, --start, --quantity, --type   the arguments above, by name\n"
    "      --days N            of a history: 1 to 365\n"
    "      --offset N          rows to skip\n"
    "      --limit N           rows a page\n"
    "      --all               every page, as one answer\n"
    "      --wait DURATION     how long 429s and failures are waited out (default: 30s); of locate: for the offer\n"
    "      --timeout DURATION  how long one request may take (default: 10s)\n"
    "      --force             send what the rules refuse\n"
    "  -o, --output FILE       write there, whole or not at all, mode 600\n"
    "  -h, --help              this text\n"
    "      --version           the version\n"
    "\n"
    "exit: 0 done, 1 the service or a rule said no, 2 usage, 3 the policy cannot be used, 4 cannot read, write or reach the\n"
    "      broker, 5 it is not known whether the call had effect\n";

enum field { NONE = 0, ACCOUNT, ID, SYMBOL, START, QUANTITY, TYPE, DAYS, OFFSET, LIMIT, MAX_PRICE, WAIT, POLL, ALL, WEEK, FIELDS };

static const char *const field_names[FIELDS] = { "",     "account", "id",     "symbol", "start",     "quantity", "type", "days",
                                                 "offset", "limit",   "max-price", "wait", "poll", "all",  "week" };

enum { O_BROKER = 256, O_TIMEOUT, O_FORCE, O_VERSION, O_FIELD };

static const struct option options[] = {
    { "broker", required_argument, NULL, O_BROKER },
    { "timeout", required_argument, NULL, O_TIMEOUT },
    { "force", no_argument, NULL, O_FORCE },
    { "output", required_argument, NULL, 'o' },
    { "help", no_argument, NULL, 'h' },
    { "version", no_argument, NULL, O_VERSION },
    { "account", required_argument, NULL, O_FIELD + ACCOUNT },
    { "id", required_argument, NULL, O_FIELD + ID },
    { "symbol", required_argument, NULL, O_FIELD + SYMBOL },
    { "start", required_argument, NULL, O_FIELD + START },
    { "quantity", required_argument, NULL, O_FIELD + QUANTITY },
    { "type", required_argument, NULL, O_FIELD + TYPE },
    { "days", required_argument, NULL, O_FIELD + DAYS },
    { "offset", required_argument, NULL, O_FIELD + OFFSET },
    { "limit", required_argument, NULL, O_FIELD + LIMIT },
    { "max-price", required_argument, NULL, O_FIELD + MAX_PRICE },
    { "wait", required_argument, NULL, O_FIELD + WAIT },
    { "poll", required_argument, NULL, O_FIELD + POLL },
    { "all", no_argument, NULL, O_FIELD + ALL },
    { "week", no_argument, NULL, O_FIELD + WEEK },
    { NULL, 0, NULL, 0 },
};

struct broker {
    struct og_client_options client_options;
    struct og_client *client;
    const char *field[FIELDS]; /* as given; NULL: not */
    long long number[FIELDS];
    int64_t duration[FIELDS];
    struct og_money price;
    const char *symbol[SYMBOLS_MOST];
    size_t symbols;
    const char *output;
    bool force;
};

typedef enum og_status call(struct broker *b, struct og_answer *a, struct og_error *err);
typedef void check(struct og_book *book, const struct og_request *request, int64_t now, struct og_scratch *scratch,
                   struct og_decision *decision);

/* --- the calls -------------------------------------------------------------------------------------------------- */

/* Rows are not looked at here: what the service wrote is what is printed.  An answer that holds no such rows fails. */
#define LIST_CALL(name, type, function)                                                                                \
    static enum og_status name(struct broker *b, struct og_answer *a, struct og_error *err)                            \
    {                                                                                                                  \
        struct type to = { 0 };                                                                                        \
        enum og_status status = function(b->client, b->field[ACCOUNT], &to, err);                                     \
                                                                                                                       \
        *a = to.answer;                                                                                                \
        return status;                                                                                                 \
    }

LIST_CALL(get_account, og_account_detail, og_client_account)
LIST_CALL(get_pnl, og_pnl_detail, og_client_pnl)
LIST_CALL(get_positions, og_positions, og_client_positions)
LIST_CALL(get_closed, og_positions, og_client_closed)
LIST_CALL(get_routes, og_routes, og_client_routes)
LIST_CALL(get_orders, og_orders_today, og_client_orders)
LIST_CALL(get_locates, og_locates, og_client_locate_history)
LIST_CALL(get_inventory, og_locate_inventory, og_client_locate_inventory)

static enum og_status get_accounts(struct broker *b, struct og_answer *a, struct og_error *err)
{
    struct og_accounts to = { 0 };
    enum og_status status = og_client_accounts(b->client, &to, err);

    *a = to.answer;
    return status;
}

static enum og_status get_order(struct broker *b, struct og_answer *a, struct og_error *err)
{
    struct og_order_detail to = { 0 };
    enum og_status status = og_client_order(b->client, b->field[ACCOUNT], b->field[ID], &to, err);

    *a = to.answer;
    return status;
}

static struct og_window window_of(const struct broker *b)
{
    return (struct og_window){ .start = b->field[START],
                               .days = (int)b->number[DAYS],
                               .offset = b->number[OFFSET],
                               .limit = (int)b->number[LIMIT],
                               .symbol = b->field[SYMBOL],
                               .all = b->field[ALL] != NULL };
}

static enum og_status get_cash(struct broker *b, struct og_answer *a, struct og_error *err)
{
    struct og_window window = window_of(b);
    struct og_cash to = { 0 };
    enum og_status status = og_client_cash(b->client, b->field[ACCOUNT], &window, &to, err);

    *a = to.answer;
    return status;
}

static enum og_status get_history(struct broker *b, struct og_answer *a, struct og_error *err)
{
    struct og_window window = window_of(b);
    struct og_fills to = { 0 };
    enum og_status status = b->field[WEEK] ? og_client_week(b->client, b->field[ACCOUNT], b->field[START], &to, err)
                                           : og_client_history(b->client, b->field[ACCOUNT], &window, &to, err);

    *a = to.answer;
    return status;
}

static enum og_status cancel(struct broker *b, struct og_answer *a, struct og_error *err)
{
    struct og_order_detail to = { 0 };
    enum og_status status = og_client_cancel(b->client, b->field[ACCOUNT], b->field[ID], &to, err);

    *a = to.answer;
    return status;
}

static enum og_status cancel_all(struct broker *b, struct og_answer *a, struct og_error *err)
{
    return og_client_cancel_all(b->client, b->field[ACCOUNT], b->field[SYMBOL], a, err);
}

static enum og_status get_borrow(struct broker *b, struct og_answer *a, struct og_error *err)
{
    struct og_borrow_detail to = { 0 };
    enum og_status status = og_client_borrow(b->client, b->field[ACCOUNT], b->field[SYMBOL], &to, err);

    *a = to.answer;
    return status;
}

static enum og_status locate_quote(struct broker *b, struct og_answer *a, struct og_error *err)
{
    return og_client_locate_quote(b->client, b->field[ACCOUNT], b->field[SYMBOL], b->number[QUANTITY], b->field[ID], a, err);
}

static enum og_status locate_accept(struct broker *b, struct og_answer *a, struct og_error *err)
{
    return og_client_locate_accept(b->client, b->field[ACCOUNT], b->field[ID], a, err);
}

static enum og_status locate_sell(struct broker *b, struct og_answer *a, struct og_error *err)
{
    return og_client_locate_sell(b->client, b->field[ACCOUNT], b->field[SYMBOL], b->field[TYPE], b->number[QUANTITY],
                                 b->field[ID], a, err);
}

static enum og_status locate_cancel(struct broker *b, struct og_answer *a, struct og_error *err)
{
    return og_client_locate_cancel(b->client, b->field[ACCOUNT], b->field[ID], a, err);
}

static enum og_status get_facts(struct broker *b, struct og_answer *a, struct og_error *err)
{
    return og_client_facts(b->client, b->field[ACCOUNT], b->symbol, b->symbols, a, err);
}

/* --- the table -------------------------------------------------------------------------------------------------- */

#define BIT(field) (1u << (field))
#define PAGES (BIT(DAYS) | BIT(OFFSET) | BIT(LIMIT) | BIT(ALL))

static const struct command {
    const char *name;
    enum field position[POSITIONS]; /* arguments without a name, in order */
    unsigned needed, allowed;       /* allowed: beside those and the account */
    call *run;                      /* NULL: the locate workflow */
    check *check;                   /* NULL: nothing to decide */
    const char *op, *endpoint;      /* of the request that is decided */
} commands[] = {
    { "accounts", { NONE }, 0, 0, get_accounts, NULL, NULL, NULL },
    { "account", { ACCOUNT }, 0, 0, get_account, NULL, NULL, NULL },
    { "pnl", { ACCOUNT }, 0, 0, get_pnl, NULL, NULL, NULL },
    { "positions", { ACCOUNT }, 0, 0, get_positions, NULL, NULL, NULL },
    { "closed", { ACCOUNT }, 0, 0, get_closed, NULL, NULL, NULL },
    { "cash", { START }, BIT(START), PAGES, get_cash, og_check_read, "read", "GET cash" },
    { "routes", { ACCOUNT }, 0, 0, get_routes, NULL, NULL, NULL },
    { "orders", { ACCOUNT }, 0, 0, get_orders, NULL, NULL, NULL },
    { "order", { ID }, BIT(ID), 0, get_order, NULL, NULL, NULL },
    { "history", { START }, BIT(START), PAGES | BIT(SYMBOL) | BIT(WEEK), get_history, og_check_read, "read", "GET history-pages" },
    { "cancel", { ID }, BIT(ID), 0, cancel, og_check_cancel, "cancel", NULL },
    { "cancel-all", { NONE }, 0, BIT(SYMBOL), cancel_all, NULL, NULL, NULL },
    { "borrow", { SYMBOL }, BIT(SYMBOL), 0, get_borrow, NULL, NULL, NULL },
    { "locate-quote", { SYMBOL, QUANTITY, ID }, BIT(SYMBOL) | BIT(QUANTITY) | BIT(ID), 0, locate_quote, og_check_locate,
      "locate-quote", NULL },
    { "locate-accept", { ID }, BIT(ID), 0, locate_accept, og_check_locate, "locate-accept", NULL },
    { "locate-sell", { ID, TYPE, QUANTITY }, BIT(ID) | BIT(TYPE) | BIT(QUANTITY), BIT(SYMBOL), locate_sell, og_check_locate,
      "locate-sell", NULL },
    { "locate-cancel", { ID }, BIT(ID), 0, locate_cancel, og_check_locate, "locate-cancel", NULL },
    { "locate-history", { ACCOUNT }, 0, 0, get_locates, NULL, NULL, NULL },
    { "locate-inventory", { ACCOUNT }, 0, 0, get_inventory, NULL, NULL, NULL },
    { "locate", { SYMBOL, QUANTITY, MAX_PRICE }, BIT(SYMBOL) | BIT(QUANTITY) | BIT(MAX_PRICE), BIT(TYPE) | BIT(ID) | BIT(POLL),
      NULL, og_check_locate, "locate-quote", NULL },
    { "facts", { NONE }, 0, 0, get_facts, NULL, NULL, NULL },
};
enum { COMMANDS = sizeof commands / sizeof *commands };

/* --- arguments -------------------------------------------------------------------------------------------------- */

static int bad_field(enum field f, const char *allowed)
{
    char name[32];

    snprintf(name, sizeof name, "--%s", field_names[f]);
    return og_bad_usage(program, name, optarg, allowed);
}

static int set_number(struct broker *b, enum field f)
{
    char *end;

    errno = 0;
    b->number[f] = strtoll(optarg, &end, 10);
    if (errno || end == optarg || *end || b->number[f] < 0 || (f != OFFSET && b->number[f] > INT32_MAX))
        return bad_field(f, "a whole number");
    return 0;
}

/* What is given for a field, from optarg. */
static int set_field(struct broker *b, enum field f)
{
    b->field[f] = optarg ? optarg : "";
    switch (f) {
    case QUANTITY:
    case DAYS:
    case OFFSET:
    case LIMIT: return set_number(b, f);
    case MAX_PRICE:
        return og_money_read(optarg, strlen(optarg), &b->price) && b->price.coef >= 0 ? 0 : bad_field(f, "dollars a share like 0.05");
    case WAIT:
    case POLL:
        return og_duration_read(optarg, strlen(optarg), &b->duration[f]) && b->duration[f] > 0
                   ? 0
                   : bad_field(f, "a duration like 500ms, 30s, 5m");
    default: return optarg && !*optarg ? bad_field(f, "a text") : 0;
    }
}

static int set_timeout(struct broker *b)
{
    if (og_duration_read(optarg, strlen(optarg), &b->client_options.timeout_ns) && b->client_options.timeout_ns > 0)
        return 0;
    return og_bad_usage(program, "--timeout", optarg, "a duration like 500ms, 30s, 5m");
}

/* -1: go on; else the exit code. */
static int read_options(struct broker *b, int argc, char **argv)
{
    int option, bad = 0;

    while (!bad && (option = getopt_long(argc, argv, "o:h", options, NULL)) != -1) {
        switch (option) {
        case 'h': fputs(usage, stdout); return og_close_stdout(program);
        case O_VERSION: puts("ordergate " OG_VERSION); return og_close_stdout(program);
        case O_BROKER: b->client_options.broker = optarg; break;
        case O_TIMEOUT: bad = set_timeout(b); break;
        case O_FORCE: b->force = true; break;
        case 'o': b->output = optarg; break;
        case '?': fprintf(stderr, "%s: see %s --help\n", program, program); return EXIT_USAGE;
        default: bad = set_field(b, (enum field)(option - O_FIELD));
        }
    }
    return bad ? bad : -1;
}

static const struct command *find_command(const char *name)
{
    const char *names[COMMANDS], *nearest;

    for (int i = 0; i < COMMANDS; i++) {
        if (strcmp(commands[i].name, name) == 0)
            return &commands[i];
        names[i] = commands[i].name;
    }
    nearest = og_nearest_word(name, names, COMMANDS);
    fprintf(stderr, "%s: unknown call '%s'%s%s%s; see %s --help\n", program, name, nearest ? ", did you mean '" : "",
            nearest ? nearest : "", nearest ? "'?" : "", program);
    return NULL;
}

static int place_arguments(struct broker *b, const struct command *c, int count, char **words)
{
    for (int i = 0, at = 0; i < count; i++) {
        if (c->run == get_facts && b->symbols < SYMBOLS_MOST) {
            b->symbol[b->symbols++] = words[i];
            continue;
        }
        while (at < POSITIONS && c->position[at] != NONE && b->field[c->position[at]])
            at++; /* given by its name */
        if (at == POSITIONS || c->position[at] == NONE) {
            fprintf(stderr, "%s: %s does not take '%s'; see %s --help\n", program, c->name, words[i], program);
            return EXIT_USAGE;
        }
        optarg = words[i];
        if (set_field(b, c->position[at]))
            return EXIT_USAGE;
    }
    return 0;
}

static int judge_fields(const struct broker *b, const struct command *c)
{
    unsigned allowed = c->needed | c->allowed | BIT(ACCOUNT) | BIT(WAIT);

    for (int f = 1; f < FIELDS; f++) {
        if ((c->needed & BIT(f)) && !b->field[f]) {
            fprintf(stderr, "%s: %s needs --%s; see %s --help\n", program, c->name, field_names[f], program);
            return EXIT_USAGE;
        }
        if (!(allowed & BIT(f)) && b->field[f]) {
            fprintf(stderr, "%s: %s does not take --%s; see %s --help\n", program, c->name, field_names[f], program);
            return EXIT_USAGE;
        }
    }
    return 0;
}

/* --- deciding --------------------------------------------------------------------------------------------------- */

static void write_text(FILE *to, const char *key, const char *text)
{
    if (text)
        og_json_pair(to, ",", key, text);
}

/* The request as ordergate/requests.h has it; the caller frees it. */
static char *write_request(const struct broker *b, const struct command *c, const char *account, size_t *len)
{
    bool names_account = strcmp(c->op, "locate-quote") == 0 || strcmp(c->op, "locate-sell") == 0;
    char *text = NULL;
    FILE *to = open_memstream(&text, len);

    if (!to)
        return NULL;
    og_json_pair(to, "{", "op", c->op);
    write_text(to, "endpoint", b->field[WEEK] ? "GET history" : c->endpoint);
    write_text(to, names_account ? "account" : "accountId", account);
    write_text(to, c->check == og_check_cancel ? "clientOrderId" : "quoteReqID", c->run ? b->field[ID] : b->field[ID] ? b->field[ID] : "new");
    write_text(to, "symbol", c->check == og_check_read ? NULL : b->field[SYMBOL]);
    write_text(to, "locateType", c->run == locate_sell ? b->field[TYPE] : NULL);
    write_text(to, "startDate", b->field[START]);
    for (int f = 1; f < FIELDS; f++)
        if (b->field[f] && (f == QUANTITY || f == DAYS || f == LIMIT))
            fprintf(to, ",\"%s\":%lld", f == DAYS ? "numberOfDays" : field_names[f], b->number[f]);
    fputc('}', to);
    return fclose(to) == 0 ? text : NULL;
}

/* Refusals, and what is known to be doubtful; a fact that is missing here is not worth a word. */
static void print_findings(const struct og_decision *d)
{
    for (int i = 0; i < d->count; i++) {
        const struct og_finding *f = &d->findings[i];

        if (f->level == OG_LEVEL_REFUSE || (f->level == OG_LEVEL_WARN && !f->unsure))
            fprintf(stderr, "%s: %s: %s [%s]\n", program, og_level_name(f->level), f->message, f->reason);
    }
}

static int judge(const struct broker *b, const struct command *c, struct og_book *book, const char *account)
{
    struct og_scratch *scratch = og_scratch_new();
    struct og_request *request = og_request_new();
    struct og_decision decision;
    size_t len = 0;
    char *text = write_request(b, c, account, &len);
    int code = EXIT_IO;

    if (scratch && request && text && og_request_read(request, text, len) == OG_OK) {
        c->check(book, request, og_time_now(), scratch, &decision);
        print_findings(&decision);
        code = decision.accepted || b->force ? 0 : EXIT_NO;
        if (code)
            fprintf(stderr, "%s: nothing was sent; --force sends it all the same\n", program);
    } else {
        fprintf(stderr, "%s: out of memory\n", program);
    }
    free(text);
    og_request_free(request);
    og_scratch_free(scratch);
    return code;
}

/* By the built-in policy and the floor, without facts: the form of what is asked. */
static int decide(const struct broker *b, const struct command *c, const char *account)
{
    struct og_policy *policy = NULL;
    struct og_book *book = NULL;
    struct og_error err = { 0 };
    int code;

    if (og_policy_load_all(NULL, 0, NULL, &policy, og_print_fault, stderr, &err)) {
        fprintf(stderr, "%s: %s\n", program, err.text);
        return EXIT_UNUSABLE;
    }
    if (og_book_new(policy, &book)) {
        og_policy_free(policy);
        fprintf(stderr, "%s: out of memory\n", program);
        return EXIT_IO;
    }
    code = judge(b, c, book, account);
    og_book_free(book);
    return code;
}

/* --- answers ---------------------------------------------------------------------------------------------------- */

static int exit_code_of(enum og_status status)
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

static int say(const struct og_error *err, int code)
{
    char text[512];

    fprintf(stderr, "%s: %s\n", program, og_tool_error(err, text, sizeof text));
    return code;
}

static int cannot_write(const char *path)
{
    fprintf(stderr, "%s: %s: cannot be written: %s\n", program, path, strerror(errno));
    return EXIT_IO;
}

/* Whole or not at all: who reads the file meanwhile reads the old one. */
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

static int print(const struct broker *b, const char *bytes, size_t len)
{
    while (len > 0 && (bytes[len - 1] == '\n' || bytes[len - 1] == '\r'))
        len--;
    if (b->output)
        return write_file(b->output, bytes, len);
    fwrite(bytes, 1, len, stdout);
    putchar('\n');
    return 0;
}

static int run_call(struct broker *b, const struct command *c)
{
    struct og_answer answer = { 0 };
    struct og_error err = { 0 };
    enum og_status status = c->run(b, &answer, &err);
    int code = exit_code_of(status);

    if (status == OG_OK)
        code = print(b, answer.body, answer.len);
    else
        say(&err, code);
    og_answer_clear(&answer);
    return code;
}

/* --- the workflow ----------------------------------------------------------------------------------------------- */

static bool set_kind(const char *word, struct og_locate_wish *wish)
{
    wish->kind = OG_LOCATE_ANY;
    if (!word || strcmp(word, "any") == 0)
        return true;
    wish->kind = strcmp(word, "reusable") == 0 ? OG_LOCATE_REUSABLE : OG_LOCATE_SINGLE;
    return wish->kind == OG_LOCATE_REUSABLE || strcmp(word, "single-use") == 0;
}

static void write_offer(FILE *to, const struct og_locate_result *r)
{
    struct og_money cost;

    if (!r->has_row) {
        fputs(",\"offer\":null,\"cost\":null", to);
        return;
    }
    og_json_pair(to, ",\"offer\":{", "quoteReqID", r->row.quote_id);
    fprintf(to, ",\"locateStatus\":%lld,\"locateType\":%lld,\"locateShares\":%s,\"filledShares\":%s,\"locatePrice\":%s,\"text\":",
            (long long)r->row.status, (long long)r->row.type, og_money_text(r->row.shares).s, og_money_text(r->row.filled).s,
            og_money_text(r->row.price).s);
    og_json_string(to, r->row.text);
    fputs("},\"cost\":", to);
    if (r->end == OG_LOCATED && og_money_mul(r->row.price, r->row.shares, &cost))
        fputs(og_money_text(cost).s, to);
    else
        fputs("null", to);
}

static void write_stock(FILE *to, const struct og_locate_result *r)
{
    if (!r->has_stock) {
        fputs(",\"inventory\":null}", to);
        return;
    }
    fprintf(to, ",\"inventory\":{\"available\":%s,\"sold\":%s,\"toBeSold\":%s,\"unavailable\":%s,\"locateType\":%lld}}",
            og_money_text(r->stock.available).s, og_money_text(r->stock.sold).s, og_money_text(r->stock.to_be_sold).s,
            og_money_text(r->stock.unavailable).s, (long long)r->stock.type);
}

static int write_result(struct broker *b, const char *account, const struct og_locate_wish *wish, const struct og_locate_result *r)
{
    char *text = NULL;
    size_t len = 0;
    FILE *to = open_memstream(&text, &len);
    int code;

    if (!to)
        return EXIT_IO;
    og_json_pair(to, "{", "outcome", og_locate_end_name(r->end));
    og_json_pair(to, ",", "accountId", account);
    og_json_pair(to, ",", "symbol", wish->symbol);
    fprintf(to, ",\"quantity\":%lld,\"maxPrice\":%s", (long long)wish->quantity, og_money_text(wish->most).s);
    og_json_pair(to, ",", "quoteReqID", r->quote_id);
    fprintf(to, ",\"accepted\":%s", r->accepted ? "true" : "false");
    write_offer(to, r);
    write_stock(to, r);
    code = fclose(to) == 0 ? print(b, text, len) : EXIT_IO;
    free(text);
    return code;
}

static void say_end(const struct og_locate_result *r)
{
    static const char *const words[] = {
        [OG_LOCATED] = "",
        [OG_LOCATE_TOO_DEAR] = "every offer costs more than --max-price; the quote was canceled",
        [OG_LOCATE_NOT_OFFERED] = "there is no such offer",
        [OG_LOCATE_RAN_OUT] = "the offer ran out before it was taken; nothing is charged",
        [OG_LOCATE_GAVE_UP] = "no offer came within the wait; the quote was canceled",
        [OG_LOCATE_UNKNOWN] = "the offer was accepted, and that is not confirmed; ask locate-history",
    };
    const char *more = r->has_row && r->row.text ? r->row.text : r->answer.text ? r->answer.text : "";

    if (r->end != OG_LOCATED && r->end != OG_LOCATE_NOT_ASKED)
        fprintf(stderr, "%s: %s%s%s\n", program, words[r->end], *more ? ": " : "", more);
}

static int run_locate(struct broker *b, const char *account)
{
    struct og_locate_wish wish = { .symbol = b->field[SYMBOL],
                                   .quantity = b->number[QUANTITY],
                                   .most = b->price,
                                   .quote_id = b->field[ID],
                                   .wait_ns = b->duration[WAIT],
                                   .every_ns = b->duration[POLL] };
    struct og_locate_result result = { 0 };
    struct og_error err = { 0 };
    enum og_status status;
    int code, written;

    if (!set_kind(b->field[TYPE], &wish))
        return og_bad_usage(program, "--type", b->field[TYPE], "any, reusable or single-use");
    status = og_client_locate(b->client, account, &wish, &result, &err);
    code = status ? exit_code_of(status) : result.end == OG_LOCATED ? 0 : result.end == OG_LOCATE_UNKNOWN ? EXIT_UNKNOWN : EXIT_NO;
    written = status == OG_EINVAL ? 0 : write_result(b, account, &wish, &result);
    if (status)
        say(&err, code);
    else
        say_end(&result);
    og_answer_clear(&result.answer);
    return code ? code : written;
}

/* --- together --------------------------------------------------------------------------------------------------- */

static int run(struct broker *b, const struct command *c)
{
    struct og_error err = { 0 };
    const char *account = b->field[ACCOUNT];
    int code = 0;

    if (c->run != get_accounts && og_client_account_id(b->client, &account, &err))
        return say(&err, err.status == OG_ENOENT ? EXIT_USAGE : exit_code_of(err.status));
    b->field[ACCOUNT] = account;
    if (c->check)
        code = decide(b, c, account);
    if (code)
        return code;
    return c->run ? run_call(b, c) : run_locate(b, account);
}

int main(int argc, char **argv)
{
    struct broker b = { 0 };
    struct og_error err = { 0 };
    const struct command *c;
    enum og_status status;
    int code = read_options(&b, argc, argv), closed;

    if (code >= 0)
        return code;
    if (optind == argc) {
        fputs(usage, stderr);
        return EXIT_USAGE;
    }
    if (!(c = find_command(argv[optind])) || place_arguments(&b, c, argc - optind - 1, argv + optind + 1) || judge_fields(&b, c))
        return EXIT_USAGE;
    b.client_options.unchecked = b.force;
    b.client_options.account = b.field[ACCOUNT];
    b.client_options.wait_ns = c->run ? b.duration[WAIT] : 0;
    status = og_client_open(&b.client_options, &b.client, &err);
    if (status)
        return say(&err, exit_code_of(status));
    code = run(&b, c);
    og_client_close(b.client);
    closed = og_close_stdout(program);
    return code ? code : closed;
}
