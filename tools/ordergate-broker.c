/*
 * ordergate broker: makes one call to the service and prints the answer, runs the locate workflow, or writes a facts
 * file.  Posting orders is left to ordergate send, which decides and records them.
 */
#include "tools/common/broker.h"

#include "tools/common/messages.h"
#include "tools/common/secret.h"

#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char program[] = BROKER_PROGRAM;

static const char usage[] =
    "usage: ordergate broker [options] CALL [ARGUMENTS]\n"
    "\n"
    "Makes one call and prints the service's JSON.\n"
    "\n"
    "  ordergate broker --broker broker.yaml orders\n"
    "  ordergate broker locate --symbol GME --quantity 100 --max-price 0.05\n"
    "  ordergate broker facts GME -o facts.json && ordergate check -p live -f facts.json < orders.ndjson\n"
    "\n"
    "  accounts                       the accounts that the keys reach\n"
    "  account [ACCOUNT]              balances; likewise pnl, positions, closed, routes, orders, locate-history,\n"
    "                                 locate-inventory\n"
    "  order ID                       one order, by its clientOrderId\n"
    "  cash START                     the cash ledger from a day on (--days, --offset, --limit, --all)\n"
    "  history START                  fills from a day on (--days, --offset, --limit, --symbol, --all; --week: a week "
    "at once)\n  cancel ID                      cancel an order\n"
    "  cancel-all                     cancel all working orders, or those of --symbol\n"
    "  borrow SYMBOL                  whether the symbol is easy to borrow\n"
    "  locate-quote SYMBOL QUANTITY ID   request a quote with a new id; free\n"
    "  locate-accept ID               accept an offer; charged\n"
    "  locate-sell ID TYPE QUANTITY   give shares back for credit (--symbol); TYPE is Locate, PreBorrow or SingleUse\n"
    "  locate-cancel ID               cancel a quote\n"
    "  locate                         quote, wait for the offer, accept the cheaper if cheap enough, confirm:\n"
    "                                 --symbol, --quantity, --max-price (dollars a share), --type "
    "any|reusable|single-use,\n"
    "                                 --wait DURATION for the offer (default: 30s), --poll DURATION (default: 2s)\n"
    "  facts [SYMBOL]...              a facts file for ordergate check, with the borrow status of the symbols\n"
    "\n"
    "      --broker FILE       base_url, key_id, secret_key_file, account ... (default: ORDERGATE_* variables)\n"
    "      --account ID        the account (default: the broker file's, ORDERGATE_ACCOUNT, or the only one)\n"
    "      --id, --symbol, --start, --quantity, --type   the arguments above, by name\n"
    "      --days N            of a history: 1 to 365\n"
    "      --offset N          rows to skip\n"
    "      --limit N           rows a page\n"
    "      --all               every page, as one answer\n"
    "      --wait DURATION     how long to go on after 429s and failures (30s); for locate: wait for the offer\n"
    "      --timeout DURATION  how long one request may take (default: 10s)\n"
    "      --force             send what the rules refuse\n"
    "  -o, --output FILE       write to this file, completely or not at all, mode 600\n"
    "  -h, --help              this text\n"
    "      --version           the version\n"
    "\n"
    "exit: 0 done, 1 the service or a rule rejected the call, 2 usage, 3 the policy cannot be used, 4 cannot read,\n"
    "      write or reach the broker, 5 it is not known whether the call had an effect\n";

const char *const broker_fields[FIELD_COUNT] = { "",          "account", "id",   "symbol", "start",
                                                 "quantity",  "type",    "days", "offset", "limit",
                                                 "max-price", "wait",    "poll", "all",    "week" };

enum { O_BROKER = 256, O_TIMEOUT, O_FORCE, O_VERSION, O_FIELD };

static const struct option options[] = {
    { "broker", required_argument, NULL, O_BROKER },
    { "timeout", required_argument, NULL, O_TIMEOUT },
    { "force", no_argument, NULL, O_FORCE },
    { "output", required_argument, NULL, 'o' },
    { "help", no_argument, NULL, 'h' },
    { "version", no_argument, NULL, O_VERSION },
    { "account", required_argument, NULL, O_FIELD + FIELD_ACCOUNT },
    { "id", required_argument, NULL, O_FIELD + FIELD_ID },
    { "symbol", required_argument, NULL, O_FIELD + FIELD_SYMBOL },
    { "start", required_argument, NULL, O_FIELD + FIELD_START },
    { "quantity", required_argument, NULL, O_FIELD + FIELD_QUANTITY },
    { "type", required_argument, NULL, O_FIELD + FIELD_TYPE },
    { "days", required_argument, NULL, O_FIELD + FIELD_DAYS },
    { "offset", required_argument, NULL, O_FIELD + FIELD_OFFSET },
    { "limit", required_argument, NULL, O_FIELD + FIELD_LIMIT },
    { "max-price", required_argument, NULL, O_FIELD + FIELD_MAX_PRICE },
    { "wait", required_argument, NULL, O_FIELD + FIELD_WAIT },
    { "poll", required_argument, NULL, O_FIELD + FIELD_POLL },
    { "all", no_argument, NULL, O_FIELD + FIELD_ALL },
    { "week", no_argument, NULL, O_FIELD + FIELD_WEEK },
    { NULL, 0, NULL, 0 },
};

/* --- the table -------------------------------------------------------------------------------------------------- */

#define BIT(field) (1u << (field))
#define PAGES      (BIT(FIELD_DAYS) | BIT(FIELD_OFFSET) | BIT(FIELD_LIMIT) | BIT(FIELD_ALL))

static const struct broker_command commands[] = {
    { "accounts", { FIELD_NONE }, 0, 0, broker_accounts, NULL, NULL, NULL },
    { "account", { FIELD_ACCOUNT }, 0, 0, broker_account, NULL, NULL, NULL },
    { "pnl", { FIELD_ACCOUNT }, 0, 0, broker_pnl, NULL, NULL, NULL },
    { "positions", { FIELD_ACCOUNT }, 0, 0, broker_positions, NULL, NULL, NULL },
    { "closed", { FIELD_ACCOUNT }, 0, 0, broker_closed, NULL, NULL, NULL },
    { "cash", { FIELD_START }, BIT(FIELD_START), PAGES, broker_cash, og_check_read, "read", "GET cash" },
    { "routes", { FIELD_ACCOUNT }, 0, 0, broker_routes, NULL, NULL, NULL },
    { "orders", { FIELD_ACCOUNT }, 0, 0, broker_orders, NULL, NULL, NULL },
    { "order", { FIELD_ID }, BIT(FIELD_ID), 0, broker_order, NULL, NULL, NULL },
    { "history",
      { FIELD_START },
      BIT(FIELD_START),
      PAGES | BIT(FIELD_SYMBOL) | BIT(FIELD_WEEK),
      broker_history,
      og_check_read,
      "read",
      "GET history-pages" },
    { "cancel", { FIELD_ID }, BIT(FIELD_ID), 0, broker_cancel, og_check_cancel, "cancel", NULL },
    { "cancel-all", { FIELD_NONE }, 0, BIT(FIELD_SYMBOL), broker_cancel_all, NULL, NULL, NULL },
    { "borrow", { FIELD_SYMBOL }, BIT(FIELD_SYMBOL), 0, broker_borrow, NULL, NULL, NULL },
    { "locate-quote",
      { FIELD_SYMBOL, FIELD_QUANTITY, FIELD_ID },
      BIT(FIELD_SYMBOL) | BIT(FIELD_QUANTITY) | BIT(FIELD_ID),
      0,
      broker_locate_quote,
      og_check_locate,
      "locate-quote",
      NULL },
    { "locate-accept", { FIELD_ID }, BIT(FIELD_ID), 0, broker_locate_accept, og_check_locate, "locate-accept", NULL },
    { "locate-sell",
      { FIELD_ID, FIELD_TYPE, FIELD_QUANTITY },
      BIT(FIELD_ID) | BIT(FIELD_TYPE) | BIT(FIELD_QUANTITY),
      BIT(FIELD_SYMBOL),
      broker_locate_sell,
      og_check_locate,
      "locate-sell",
      NULL },
    { "locate-cancel", { FIELD_ID }, BIT(FIELD_ID), 0, broker_locate_cancel, og_check_locate, "locate-cancel", NULL },
    { "locate-history", { FIELD_ACCOUNT }, 0, 0, broker_locate_history, NULL, NULL, NULL },
    { "locate-inventory", { FIELD_ACCOUNT }, 0, 0, broker_locate_inventory, NULL, NULL, NULL },
    { "locate",
      { FIELD_SYMBOL, FIELD_QUANTITY, FIELD_MAX_PRICE },
      BIT(FIELD_SYMBOL) | BIT(FIELD_QUANTITY) | BIT(FIELD_MAX_PRICE),
      BIT(FIELD_TYPE) | BIT(FIELD_ID) | BIT(FIELD_POLL),
      NULL,
      og_check_locate,
      "locate-quote",
      NULL },
    { "facts", { FIELD_NONE }, 0, 0, broker_facts, NULL, NULL, NULL },
};
enum { COMMANDS = sizeof commands / sizeof *commands };

/* --- arguments -------------------------------------------------------------------------------------------------- */

static int bad_field(enum broker_field f, const char *allowed)
{
    char name[32];

    snprintf(name, sizeof name, "--%s", broker_fields[f]);
    return og_bad_usage(program, name, optarg, allowed);
}

static int set_number(struct broker *b, enum broker_field f)
{
    char *end;

    errno = 0;
    b->number[f] = strtoll(optarg, &end, 10);
    if (errno || end == optarg || *end || b->number[f] < 0 || (f != FIELD_OFFSET && b->number[f] > INT32_MAX))
        return bad_field(f, "a whole number");
    return 0;
}

/* Set a field from optarg. */
static int set_field(struct broker *b, enum broker_field f)
{
    b->field[f] = optarg ? optarg : "";
    switch (f) {
    case FIELD_QUANTITY:
    case FIELD_DAYS:
    case FIELD_OFFSET:
    case FIELD_LIMIT: return set_number(b, f);
    case FIELD_MAX_PRICE:
        return og_money_read(optarg, strlen(optarg), &b->price) && b->price.coef >= 0
                   ? 0
                   : bad_field(f, "dollars a share like 0.05");
    case FIELD_WAIT:
    case FIELD_POLL:
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

/* Returns -1 to go on; else the exit code. */
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
        default: bad = set_field(b, (enum broker_field)(option - O_FIELD));
        }
    }
    return bad ? bad : -1;
}

static const struct broker_command *find_command(const char *name)
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

static int place_arguments(struct broker *b, const struct broker_command *c, int count, char **words)
{
    for (int i = 0, at = 0; i < count; i++) {
        if (c->run == broker_facts && b->symbols < BROKER_SYMBOLS_MOST) {
            b->symbol[b->symbols++] = words[i];
            continue;
        }
        while (at < BROKER_ARGUMENTS && c->position[at] != FIELD_NONE && b->field[c->position[at]])
            at++; /* given by its name */
        if (at == BROKER_ARGUMENTS || c->position[at] == FIELD_NONE) {
            fprintf(stderr, "%s: %s does not take '%s'; see %s --help\n", program, c->name, words[i], program);
            return EXIT_USAGE;
        }
        optarg = words[i];
        if (set_field(b, c->position[at]))
            return EXIT_USAGE;
    }
    return 0;
}

static int judge_fields(const struct broker *b, const struct broker_command *c)
{
    unsigned allowed = c->needed | c->allowed | BIT(FIELD_ACCOUNT) | BIT(FIELD_WAIT);

    for (int f = 1; f < FIELD_COUNT; f++) {
        if ((c->needed & BIT(f)) && !b->field[f]) {
            fprintf(stderr, "%s: %s needs --%s; see %s --help\n", program, c->name, broker_fields[f], program);
            return EXIT_USAGE;
        }
        if (!(allowed & BIT(f)) && b->field[f]) {
            fprintf(stderr, "%s: %s does not take --%s; see %s --help\n", program, c->name, broker_fields[f], program);
            return EXIT_USAGE;
        }
    }
    return 0;
}

/* --- answers ---------------------------------------------------------------------------------------------------- */

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

int broker_say(const struct og_error *err, int code)
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

/* Write the file atomically: until it is complete, readers see the old one. */
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

int broker_print(const struct broker *b, const char *bytes, size_t len)
{
    while (len > 0 && (bytes[len - 1] == '\n' || bytes[len - 1] == '\r'))
        len--;
    if (b->output)
        return write_file(b->output, bytes, len);
    fwrite(bytes, 1, len, stdout);
    putchar('\n');
    return 0;
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
        broker_say(&err, code);
    og_answer_clear(&answer);
    return code;
}

/* --- main ------------------------------------------------------------------------------------------------------- */

static int run(struct broker *b, const struct broker_command *c)
{
    struct og_error err = { 0 };
    const char *account = b->field[FIELD_ACCOUNT];
    int code = 0;

    if (c->run != broker_accounts && og_client_account_id(b->client, &account, &err))
        return broker_say(&err, err.status == OG_ENOENT ? EXIT_USAGE : broker_exit_code(err.status));
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
    int code = read_options(&b, argc, argv), closed;

    secret_guard();
    if (code >= 0)
        return code;
    if (optind == argc) {
        fputs(usage, stderr);
        return EXIT_USAGE;
    }
    if (!(c = find_command(argv[optind])) || place_arguments(&b, c, argc - optind - 1, argv + optind + 1) ||
        judge_fields(&b, c))
        return EXIT_USAGE;
    signal(SIGPIPE, SIG_IGN);       /* a closed socket or stdout is then a failed write */
    b.client_options.urgent = true; /* a person's cancel may use the budget reserved for emergencies */
    b.client_options.unchecked = b.force;
    b.client_options.account = b.field[FIELD_ACCOUNT];
    b.client_options.wait_ns = c->run ? b.duration[FIELD_WAIT] : 0;
    status = secret_client_open(&b.client_options, &b.client, &err);
    if (status)
        return broker_say(&err, broker_exit_code(status));
    code = run(&b, c);
    og_client_close(b.client);
    closed = og_close_stdout(program);
    return code ? code : closed;
}
