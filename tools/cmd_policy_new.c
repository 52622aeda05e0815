/*
 * ordergate policy new: writes a policy that extends another one, and a test that states how the policy decides a few
 * orders.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ordergate/ordergate.h"
#include "tools/common/commands.h"
#include "tools/common/complete.h"
#include "tools/common/exit.h"
#include "tools/common/json.h"
#include "tools/common/messages.h"
#include "tools/common/options.h"
#include "tools/common/reload.h"

#define PROGRAM "ordergate policy new"

struct making {
    const char *from;                     /* the policy that the new one extends */
    char *extends;                        /* `extends` of the new policy: the path of the same policy, relative to
                                           * the new policy's folder */
    char stem[4000];                      /* path of the new policy, without its ending */
    char policy[4096], test[4096];        /* paths */
    const char *name;                     /* name of the new policy: the last part of `stem` */
    bool paper, wrote_policy, wrote_test; /* paper: the policy is for paper accounts; wrote_policy, wrote_test: the file
                                           * was written */
};

static const struct option_row rows[] = {
    OPTION_ROW("from", 0, "POLICY", NAME_AT(struct making, from),
               "what it extends: a shipped policy or a file (default: live)"),
    OPTION_END,
};

static const struct option_spec spec = {
    .program = PROGRAM,
    .synopsis = "[--from POLICY] NAME",
    .about =
        "Writes NAME.yaml, a policy that extends another, and NAME_test.yaml, its test: a few orders, and what the "
        "policy makes of them now.  Read the test, put in what the desk means, and change the policy until it "
        "passes.\n"
        "\n"
        "  ordergate policy new desk --from live\n"
        "  ordergate test desk_test.yaml\n",
    .rows = rows,
    .notes = "Neither file may exist: nothing is replaced, and where one cannot be written none is left.",
    .exits = "0 written, 2 usage, 3 the policy that it extends cannot be used, 4 cannot write",
    .word = complete_word,
};

static const char policy_text[] = "# What %s adds to %s.  After each change: ordergate test %s_test.yaml\n"
                                  "ordergate: 1\n"
                                  "name: \"%s\"\n"
                                  "extends: [%s]\n"
                                  "# rules:\n"
                                  "#   order-notional: {level: refuse, most: 10000}\n";

/* The facts are those of a calm day; each `...` is replaced by what the policy decides. */
static const char test_text[] =
    "# What %s promises, order by order.  Run it: ordergate test %s_test.yaml\n"
    "ordergate-test: 1\n"
    "at: 2026-01-15T10:00:00-05:00 # a Thursday\n"
    "facts:\n"
    "  accountId: DESK1\n"
    "  accountList: [{account: DESK1, accountType: %s, accountStatus: Active}]\n"
    "  account: {account: DESK1, accountType: %s, accountStatus: Active, optLevel: 4, optionTradingLevel: 4, bp: "
    "100000,\n"
    "            overnightBp: 100000, availableCash: 100000, equity: 100000, sodEquity: 100000, marginDeficit: 0,\n"
    "            maintenanceDeficit: 0}\n"
    "  positions: []\n"
    "  orders: []\n"
    "  usedClientOrderIds: []\n"
    "  routes: [{routeName: SMART, securityTypes: [Stock], timesInForce: [Day, GoodTillCancel]}]\n"
    "  pnl: {dayPnl: 0}\n"
    "  borrow: {AAPL: true}\n"
    "  locateInventory: []\n"
    "  gate: {trading: \"on\", ordersLastSecond: 0, ordersLastMinute: 0, ordersToday: 0, rejectionsInARow: 0}\n"
    "  averageVolume: {AAPL: 50000000}\n"
    "  quotes: {AAPL: {bid: 189.98, ask: 190.02, last: 190}}\n"
    "order: {securityType: Stock, symbol: AAPL, side: Buy, openClose: Open, orderType: Limit, orderQuantity: 10,\n"
    "        timeInForce: Day, limitPrice: 190, clientOrderId: t1, route: SMART}\n"
    "cases:\n"
    "  - name: ten shares near the market\n"
    "    expect: ...\n"
    "  - name: a hundred times as many\n"
    "    order: {orderQuantity: 1000}\n"
    "    expect: ...\n"
    "  - name: a limit far above the market\n"
    "    order: {limitPrice: 250}\n"
    "    expect: ...\n"
    "  - name: a market order after the close\n"
    "    at: 16:05\n"
    "    order: {orderType: Market, limitPrice: ~}\n"
    "    expect: ...\n"
    "  - name: an account of which nothing is known\n"
    "    facts: {account: ~}\n"
    "    expect: ...\n";

/* --- names -------------------------------------------------------------------------------------------------------- */

static bool is_name(const char *name)
{
    size_t len = strlen(name);

    for (size_t i = 0; i < len; i++)
        if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._+-", name[i]))
            return false;
    return len > 0 && len <= 64 && name[0] != '.' && !(len > 5 && strcmp(name + len - 5, "_test") == 0);
}

/* Returns -1 to go on, or the exit code. */
static int set_name(struct making *m, const char *word)
{
    size_t len = strlen(word);
    const char *slash;

    if (len > 5 && strcmp(word + len - 5, ".yaml") == 0)
        len -= 5;
    if (len >= sizeof m->stem)
        return options_misuse(&spec, "the name is longer than %zu bytes", sizeof m->stem - 1);
    memcpy(m->stem, word, len);
    slash = strrchr(m->stem, '/');
    m->name = slash ? slash + 1 : m->stem;
    if (!is_name(m->name))
        return options_misuse(&spec,
                              "'%s' is not a name for a policy: 1 to 64 of letters, digits, '.', '_', '-' and '+', not "
                              "'.' first, nor '_test' last",
                              m->name);
    snprintf(m->policy, sizeof m->policy, "%s.yaml", m->stem);
    snprintf(m->test, sizeof m->test, "%s_test.yaml", m->stem);
    return -1;
}

static bool is_path(const char *policy)
{
    size_t len = strlen(policy);

    return strchr(policy, '/') || (len > 5 && strcmp(policy + len - 5, ".yaml") == 0) ||
           (len > 4 && strcmp(policy + len - 4, ".yml") == 0);
}

/* Set m->extends. Paths in a policy are relative to its folder: if that is not the working directory, the path becomes
 * absolute. */
static int set_extends(struct making *m)
{
    char *whole = NULL, *quoted = NULL;
    size_t size = 0;
    FILE *to;

    if (!is_path(m->from)) {
        m->extends = strdup(m->from);
        return m->extends ? -1 : og_print_text(PROGRAM, NULL);
    }
    if (m->from[0] != '/' && m->name != m->stem && !(whole = realpath(m->from, NULL))) {
        fprintf(stderr, PROGRAM ": %s: %s\n", m->from, strerror(errno));
        return EXIT_UNUSABLE;
    }
    to = open_memstream(&quoted, &size);
    if (to)
        og_json_string(to, whole ? whole : m->from);
    free(whole);
    if (!to || fclose(to) != 0)
        return og_print_text(PROGRAM, NULL);
    m->extends = quoted;
    return -1;
}

/* --- files -------------------------------------------------------------------------------------------------------- */

/* Create a file; it is an error if the file exists. */
static int create(const char *path, const char *text, size_t len, bool *wrote)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    FILE *to = fd < 0 ? NULL : fdopen(fd, "w");
    bool whole = to && fwrite(text, 1, len, to) == len;

    if (fd >= 0)
        *wrote = true;
    if (to && fclose(to) == 0 && whole)
        return -1;
    fprintf(stderr, PROGRAM ": %s: %s\n", path,
            errno == EEXIST ? "exists already; nothing was written" : strerror(errno));
    if (fd >= 0 && !to)
        close(fd);
    return EXIT_IO;
}

/* Create a file with a text, in the layout of `ordergate fmt`; frees the text. */
static int create_laid_out(const char *path, char *text, bool *wrote)
{
    struct og_error err = { 0 };
    char *laid = NULL;
    size_t len;
    int code;

    if (!text)
        return og_print_text(PROGRAM, NULL);
    if (og_yaml_format(text, strlen(text), path, &laid, &len, NULL, NULL, &err) == OG_OK)
        code = create(path, laid, len, wrote);
    else
        code = og_say(PROGRAM, &err, EXIT_IO);
    free(laid);
    free(text);
    return code;
}

static void ignore_result(void *with, const struct og_policy_test_result *result)
{
    (void)with;
    (void)result;
}

/* Replace each `...` in the test by what the policy decides. */
static int fill_in(struct making *m)
{
    const struct og_policy_test_options options = { .update = OG_TEST_UPDATE_OPEN };
    struct og_policy_test *test = NULL;
    struct og_error err = { 0 };
    bool changed;
    enum og_status status = og_policy_test_load(m->test, &test, og_print_fault, stderr, &err);

    if (status == OG_OK)
        status = og_policy_test_run(test, &options, ignore_result, NULL, &err);
    if (status == OG_OK)
        status = og_policy_test_save(test, &changed, &err);
    og_policy_test_free(test);
    return status == OG_OK ? -1 : og_say(PROGRAM, &err, status == OG_EPOLICY ? EXIT_UNUSABLE : EXIT_IO);
}

static int write_policy(struct making *m)
{
    char *text;

    if (asprintf(&text, policy_text, m->name, m->extends, m->name, m->name, m->extends) < 0)
        text = NULL;
    return create_laid_out(m->policy, text, &m->wrote_policy);
}

static int write_test(struct making *m)
{
    const char *type = m->paper ? "Paper" : "Live";
    char *text;

    if (asprintf(&text, test_text, m->name, m->name, type, type) < 0)
        text = NULL;
    return create_laid_out(m->test, text, &m->wrote_test);
}

static int make(struct making *m)
{
    struct og_policy *base;
    int code = load_policy(PROGRAM, &m->from, 1, &base);

    if (code)
        return code;
    m->paper = strcmp(og_policy_environment(base), "paper") == 0;
    og_policy_free(base);
    code = set_extends(m);
    if (code < 0)
        code = write_policy(m);
    if (code < 0)
        code = write_test(m);
    if (code < 0)
        code = fill_in(m);
    if (code >= 0) {
        if (m->wrote_test)
            (void)unlink(m->test);
        if (m->wrote_policy)
            (void)unlink(m->policy);
        return code;
    }
    printf("%s\n%s\n", m->policy, m->test);
    return og_close_stdout(PROGRAM);
}

int og_cmd_policy_new(int argc, char **argv)
{
    struct making m = { .from = "live" };
    int code = options_read(&spec, &m, argc, argv);

    if (code < 0 && argc - optind != 1)
        code = options_misuse(&spec, "takes one name, got %d", argc - optind);
    if (code < 0)
        code = set_name(&m, argv[optind]);
    if (code < 0)
        code = make(&m);
    free(m.extends);
    return code;
}
