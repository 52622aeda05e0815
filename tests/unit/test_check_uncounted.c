/*
 * How limits decide an order that cannot be counted while the rules of form that would refuse it are off: each limit
 * alone refuses it, however wide it is set, and under `unsure: warn` too.
 */
#include <stdio.h>

#include "ordergate/ordergate.h"
#include "rules/rule.h"
#include "unit.h"

#define NOON "2026-01-15T17:00:00Z"

/* With this policy the rules of form are off, and one limit refuses what is unsure. */
static const char off[] = "  order-quantity: off\n  symbol-form: off\n  occ-symbol: off\n  limit-price: off\n"
                          "  stop-price: off\n  mleg-structure: off\n  mleg-strategy: off\n  client-order-id: off\n"
                          "  time-in-force: off\n  route: off\n  account: off\n";

/* For every limit and each kind of order: settings that accept every order that can be counted. */
static const struct {
    const char *rule, *settings;
} limits[] = {
    { "order-notional", "most: 1000000000" },
    { "order-quantity-limit", "shares: 1000000, contracts: 1000000" },
    { "position-limit", "shares: 2000000, contracts: 2000000" },
    { "exposure", "gross: 1000000000, short: 1000000000" },
    { "concentration", "most: 100%" },
    { "group-limit", "limits: [of gross 1000000000, of orders 100]" },
    { "weighted-exposure", "limits: [by gross 1000000000, by net 1000000000]" },
    { "uncovered-options", "allow: none" },
    { "option-contracts", "an_order: 10000000, in_total: 10000000" },
    { "open-orders", "in_total: 100, of_symbol: 100" },
    { "traded-limit", "notional: 1000000, shares: 1000000, contracts: 1000000" },
    { "allowed-symbols", "barred: [GME]" },
    { "allowed-terms", "barred: [CTDL]" },
    { "short-sales", "allow: easy" },
    { "price-floor", "stock: 0.01, option: 0.01" },
    { "self-cross", "" },
    { "repeated-order", "window: 2s" },
    { "expiry-day", "" },
    { "volume-share", "most: 1000%" },
    { "price-collar", "away: 100%, stale_away: 1000%, reasons: {limit-away-from-quote: refuse}" },
    { "buying-power", "" },
    { "settled-cash", "" },
};

#define STOCK(symbol, side, type, rest)                                                                              \
    "{\"securityType\":\"Stock\",\"symbol\":" symbol ",\"side\":" side ",\"openClose\":\"Open\",\"orderType\":" type \
    ",\"timeInForce\":\"Day\"," rest "}"
#define SIZED(quantity, price) \
    STOCK("\"F\"", "\"Buy\"", "\"Limit\"", "\"orderQuantity\":" quantity ",\"limitPrice\":" price)
#define OPTION(symbol, rest)                          \
    "{\"securityType\":\"Option\",\"symbol\":" symbol \
    ",\"side\":\"Sell\",\"openClose\":\"Open\",\"orderType\":\"Limit\",\"timeInForce\":\"Day\"," rest "}"
#define LEG(symbol, side, ratio) "{\"symbol\":" symbol ",\"side\":" side ",\"ratio\":" ratio ",\"openClose\":\"Open\"}"
#define SPREAD(legs)                                                                                            \
    "{\"securityType\":\"Mleg\",\"symbol\":\"F\",\"orderType\":\"Limit\",\"limitPrice\":1,\"orderQuantity\":1," \
    "\"timeInForce\":\"Day\",\"legs\":[" legs "]}"
#define CALL   "\"F260320C00012000\""
#define HIGHER "\"F260320C00013000\""

static const char *const odd[] = {
    /* order-quantity */
    SIZED("1000001", "12"),
    SIZED("100000.5", "12"),
    SIZED("-5", "12"),
    SIZED("0", "12"),
    SIZED("\"5\"", "12"),
    SIZED("null", "12"),
    SIZED("1e30", "12"),
    STOCK("\"F\"", "\"Buy\"", "\"Limit\"", "\"limitPrice\":12"),
    OPTION(CALL, "\"orderQuantity\":1000001,\"limitPrice\":1"),
    "{\"securityType\":\"Stock\",\"symbol\":\"F\",\"side\":\"Sell\",\"openClose\":\"Close\",\"orderType\":\"Limit\","
    "\"timeInForce\":\"Day\",\"orderQuantity\":1000001,\"limitPrice\":12}",
    /* cases for limit-price and stop-price */
    SIZED("5", "-12"),
    SIZED("5", "0"),
    SIZED("5", "\"12\""),
    SIZED("5", "1e-30"),
    STOCK("\"F\"", "\"Buy\"", "\"Limit\"", "\"orderQuantity\":5"),
    STOCK("\"F\"", "\"Buy\"", "\"Stop\"", "\"orderQuantity\":5"),
    STOCK("\"F\"", "\"Buy\"", "\"StopLimit\"", "\"orderQuantity\":5,\"limitPrice\":12,\"stopPrice\":-1"),
    /* cases for request-fields and order-form */
    STOCK("\"F\"", "\"Hold\"", "\"Limit\"", "\"orderQuantity\":5,\"limitPrice\":12"),
    STOCK("\"F\"", "\"Buy\"", "\"Best\"", "\"orderQuantity\":5,\"limitPrice\":12"),
    "{\"securityType\":\"Bond\",\"symbol\":\"F\",\"side\":\"Buy\",\"openClose\":\"Open\",\"orderType\":\"Limit\","
    "\"timeInForce\":\"Day\",\"orderQuantity\":5,\"limitPrice\":12}",
    /* cases for symbol-form and occ-symbol */
    STOCK("\"F \"", "\"Buy\"", "\"Limit\"", "\"orderQuantity\":5,\"limitPrice\":12"),
    STOCK("\"f\"", "\"Buy\"", "\"Limit\"", "\"orderQuantity\":5,\"limitPrice\":12"),
    STOCK("\"\"", "\"Buy\"", "\"Limit\"", "\"orderQuantity\":5,\"limitPrice\":12"),
    STOCK(CALL, "\"Buy\"", "\"Limit\"", "\"orderQuantity\":5,\"limitPrice\":12"),
    OPTION("\"F\"", "\"orderQuantity\":1,\"limitPrice\":1"),
    OPTION("\"F261399C00012000\"", "\"orderQuantity\":1,\"limitPrice\":1"),
    OPTION("\"F260320C00000000\"", "\"orderQuantity\":1,\"limitPrice\":1"),
    OPTION("\"f260320C00012000\"", "\"orderQuantity\":1,\"limitPrice\":1"),
    /* mleg-structure */
    SPREAD(""),
    SPREAD(LEG(CALL, "\"Sell\"", "1")),
    SPREAD(LEG(CALL, "\"Sell\"", "1") ",7"),
    SPREAD(LEG(CALL, "\"Sell\"", "1") "," LEG("\"f260320C00013000\"", "\"Buy\"", "1")),
    SPREAD(LEG(CALL, "\"Sell\"", "101") "," LEG(HIGHER, "\"Buy\"", "101")),
    SPREAD(LEG(CALL, "\"Sell\"", "1.5") "," LEG(HIGHER, "\"Buy\"", "1")),
    SPREAD(LEG(CALL, "\"Sell\"", "1") "," LEG(HIGHER, "\"Hold\"", "1")),
    SPREAD(LEG(CALL, "\"Sell\"", "1") "," LEG("\"F260320C0001300\"", "\"Buy\"", "1")),
    SPREAD(LEG(CALL, "\"Sell\"", "1") "," LEG("\"F260320C00013000 \"", "\"Buy\"", "1")),
    SPREAD(LEG(CALL, "\"Sell\"", "1") "," LEG(HIGHER, "\"Buy\"", "1") "," LEG(CALL, "\"Sell\"", "1") "," LEG(
        HIGHER, "\"Buy\"", "1") "," LEG(CALL, "\"Sell\"", "1")),
};

static struct og_book *book_with(size_t limit, const char *lock)
{
    static const char facts[] = "{\"positions\":[{\"symbol\":\"F\",\"side\":\"Long\",\"shares\":100,\"priceAvg\":1}],"
                                "\"orders\":[],\"quotes\":{\"F\":{\"bid\":11.99,\"ask\":12,\"last\":12}},"
                                "\"account\":{\"equity\":100000000,\"bp\":100000000}}";
    struct og_error err = { 0 };
    struct og_policy *policy;
    struct og_book *book;
    char yaml[1024];

    snprintf(yaml, sizeof yaml,
             "ordergate: 1\nname: t\nextends: []\nlists: {of: [F, GME], by: [F=2, default=1]}\nrules:\n%s  %s: {level: "
             "refuse, %s%s%s}\n",
             off, limits[limit].rule, lock, limits[limit].settings[0] ? ", " : "", limits[limit].settings);
    if (og_policy_read(yaml, strlen(yaml), "t", &policy, NULL, NULL, &err))
        fail_msg("%s: %s", yaml, err.text);
    assert_int_equal(og_book_new(policy, &book), OG_OK);
    if (og_book_apply(book, NULL, facts, sizeof facts - 1, "facts", &err))
        fail_msg("%s", err.text);
    return book;
}

/* Returns whether the limit made a finding about the order; *accepted: whether the order was accepted. */
static bool is_found(struct og_book *book, const char *line, const char *rule, bool *accepted)
{
    struct og_scratch *scratch = og_scratch_new();
    struct og_order *order = og_order_new();
    struct og_decision d;
    int64_t now = 0;
    bool found = false;

    assert_true(scratch && order && og_time_read(NOON, strlen(NOON), &now));
    assert_int_equal(og_order_read(order, line, strlen(line)), OG_OK);
    og_check(book, order, now, scratch, &d);
    *accepted = d.accepted;
    for (int i = 0; i < d.count; i++) /* a rule that no policy can turn off may have refused the order first */
        found = found || strcmp(d.findings[i].rule, rule) == 0 ||
                (d.findings[i].level == OG_LEVEL_REFUSE && strcmp(rule, "") != 0);
    og_order_free(order);
    og_scratch_free(scratch);
    return found;
}

/* Returns true if the limit looks at orders of the line's type. */
static bool is_looked_at(const char *rule, const char *line)
{
    const enum og_security security = strstr(line, "\"Stock\"")    ? OG_STOCK
                                      : strstr(line, "\"Option\"") ? OG_OPTION
                                      : strstr(line, "\"Mleg\"")   ? OG_MLEG
                                                                   : OG_SECURITY_NONE;

    for (size_t i = 0; i < og_rules_size; i++)
        if (strcmp(og_rules[i]->id, rule) == 0 && og_rules[i]->securities)
            return og_rules[i]->securities >> security & 1;
    return true;
}

/* Returns true if the amounts can be counted, but the symbol is in small letters. */
static bool is_symbol_only(const char *line)
{
    return strstr(line, "\"f\"") || strstr(line, "\"f2603");
}

static bool is_limit(const char *rule)
{
    return strcmp(rule, "buying-power") != 0 && strcmp(rule, "price-collar") != 0;
}

/* Returns true if the limit may only warn. `unsure: warn` is about facts, and no fact makes an order countable; but a
 * check that the broker makes itself, or a symbol that the service may read as another one, may be a warning. */
static bool may_warn(const char *rule, const char *line)
{
    return strcmp(rule, "buying-power") == 0 || is_symbol_only(line);
}

static void no_limit_passes_what_it_cannot_count(void **state)
{
    static const char *const unsure[] = { "unsure: refuse", "unsure: warn" };
    int silent = 0;

    (void)state;
    for (size_t l = 0; l < COUNT(limits); l++)
        for (size_t u = 0; u < COUNT(unsure); u++) {
            struct og_book *book = book_with(l, unsure[u]);

            for (size_t i = 0; i < COUNT(odd); i++) {
                if (!is_looked_at(limits[l].rule, odd[i]))
                    continue;
                bool accepted, found = is_found(book, odd[i], limits[l].rule, &accepted);

                if (!found && is_symbol_only(odd[i]) && !is_limit(limits[l].rule))
                    continue;
                if (!found || (accepted && (u == 0 || !may_warn(limits[l].rule, odd[i])))) {
                    print_error("%s {%s}: %s %s\n", limits[l].rule, unsure[u], found ? "accepted" : "silent", odd[i]);
                    silent++;
                }
            }
            og_book_free(book);
        }
    assert_int_equal(silent, 0);
}

/* A limit that is not listed here must not depend on what kind of thing an order trades. */
static void every_limit_is_tried(void **state)
{
    static const char *const others[] = { "day-loss",   "order-rate",      "order-tag",  "rejection-streak",
                                          "size-limit", "symbol-status",   "tag-limits", "time-window",
                                          "trading",    "unknown-outcomes" };

    (void)state;
    for (size_t i = 0; i < og_rules_size; i++) {
        bool tried = false, other = !og_rules[i]->limit;

        for (size_t l = 0; l < COUNT(limits); l++)
            tried = tried || strcmp(og_rules[i]->id, limits[l].rule) == 0;
        for (size_t k = 0; k < COUNT(others); k++)
            other = other || strcmp(og_rules[i]->id, others[k]) == 0;
        if (tried != og_rules[i]->counts || tried + other < 1)
            fail_msg("%s: tried %d, counts %d", og_rules[i]->id, tried, og_rules[i]->counts);
    }
}

/* Returns true if the policy, which accepts an ordinary order, accepts the line too. */
static bool accepts(const char *yaml, const char *line)
{
    struct og_error err = { 0 };
    struct og_policy *policy;
    struct og_book *book;
    bool accepted;

    if (og_policy_read(yaml, strlen(yaml), "t", &policy, NULL, NULL, &err))
        fail_msg("%s: %s", yaml, err.text);
    assert_int_equal(og_book_new(policy, &book), OG_OK);
    is_found(book, line, "", &accepted);
    og_book_free(book);
    return accepted;
}

/* An order that the condition of a custom rule cannot read does not pass the rule, whatever `unsure` is. */
static void no_custom_rule_passes_what_it_cannot_read(void **state)
{
    static const struct {
        const char *require, *wrong;
    } cases[] = {
        { "order.orderQuantity <= 100", SIZED("1e30", "12") },
        { "order.orderQuantity <= 100", STOCK("\"F\"", "\"Buy\"", "\"Limit\"", "\"limitPrice\":12") },
        { "order.limitPrice <= 100", SIZED("5", "1e-30") },
        { "order.limitPrice <= 100", STOCK("\"F\"", "\"Buy\"", "\"Limit\"", "\"orderQuantity\":5") },
        { "order.notional <= 100", SIZED("5", "1e-30") },
        { "order.notional <= 100", SIZED("100000.5", "12") },
        { "order.stopPrice <= 100", STOCK("\"F\"", "\"Buy\"", "\"Stop\"", "\"orderQuantity\":5") },
    };
    char yaml[2048];
    int passed = 0;

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        snprintf(yaml, sizeof yaml,
                 "ordergate: 1\nname: t\nextends: []\nunsure: warn\nrules:\n%scustom:\n"
                 "  - {id: own, level: refuse, require: \"%s\"}\n",
                 off, cases[i].require);
        if (!accepts(yaml, STOCK("\"F\"", "\"Buy\"", "\"StopLimit\"",
                                 "\"orderQuantity\":5,\"limitPrice\":12,\"stopPrice\":11")))
            fail_msg("%s refuses an ordinary order", cases[i].require);
        if (accepts(yaml, cases[i].wrong)) {
            print_error("%s accepts %s\n", cases[i].require, cases[i].wrong);
            passed++;
        }
    }
    assert_int_equal(passed, 0);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_limit_passes_what_it_cannot_count),
        cmocka_unit_test(every_limit_is_tried),
        cmocka_unit_test(no_custom_rule_passes_what_it_cannot_read),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
