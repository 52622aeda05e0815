/*
 * Lint's claims about redundant and contradictory rules, compared with decisions on random orders, for random custom
 * rules with the register's rules. A rule said never to bind must refuse no order that the other rule accepts; of two
 * rules said to leave nothing, no order that they apply to may pass both. OG_SEED, OG_POLICIES and OG_ORDERS make
 * other and longer runs.
 */
#include "lint_world.h"
#include "ordergate/lint.h"
#include "unit.h"

static const char *const whens[] = { "",
                                     "",
                                     "",
                                     "",
                                     "order.opens",
                                     "order.securityType == \"Stock\"",
                                     "order.side == \"Buy\"",
                                     "order.symbol == \"GME\"",
                                     "order.action == \"Short\"",
                                     "has(order.limitPrice)",
                                     "order.orderQuantity > 100",
                                     "order.orderType != \"Market\"",
                                     "order.opens && order.securityType == \"Option\"" };
static const char *const names[] = { "order.orderQuantity",  "order.orderQuantity",
                                     "order.notional",       "order.limitPrice",
                                     "order.price",          "order.contracts",
                                     "counters.ordersToday", "position.long + order.orderQuantity",
                                     "order.daysToExpiry" };
static const char *const bounds[] = { "1", "5", "10", "100", "101", "500", "1000", "20000" };
static const char *const rules[] = {
    "order-quantity-limit: {level: refuse, shares: 500, contracts: 50}",
    "order-quantity-limit: {level: refuse, shares: 100, contracts: 100, exits: bind}",
    "order-notional: {level: refuse, most: 5000}",
    "order-notional: {level: refuse, most: 50000, exits: bind, overrides: [{match: {symbol: GME}, most: 500}]}",
    "option-contracts: {level: refuse, an_order: 10}",
    "price-floor: {level: refuse, stock: 5, option: 1}",
    "order-rate: {level: refuse, a_day: 5}",
    "allowed-terms: {level: refuse, order_types: [Limit], exits: bind}",
    "expiry-day: {level: refuse, least_days: 10}",
    "expiry-day: {level: refuse, least_days: 101}"
};

static size_t put_rule(char *to, size_t size, unsigned i)
{
    const char *when = PICK(whens);
    size_t len = (size_t)snprintf(to, size, "  - {id: own-%u", i);

    if (*when)
        len += (size_t)snprintf(to + len, size - len, ", when: '%s'", when);
    len += (size_t)snprintf(to + len, size - len, ", require: '%s %s %s'", PICK(names),
                            chance(70)   ? "<="
                            : chance(50) ? ">="
                                         : "!=",
                            PICK(bounds));
    if (chance(15))
        len += (size_t)snprintf(to + len, size - len, ", unsure: %s", chance(50) ? "refuse" : "warn");
    return len +
           (size_t)snprintf(to + len, size - len, "%s}\n", chance(8) ? ", until: 2026-06-01T00:00:00Z, reason: x" : "");
}

static void make(char *to, size_t size)
{
    size_t len =
        (size_t)snprintf(to, size, "ordergate: 1\nname: t\nunsure: %s\ncustom:\n", chance(50) ? "warn" : "refuse");

    for (unsigned i = 0, count = 1 + below(4); i < count; i++)
        len += put_rule(to + len, size - len, i);
    if (chance(60))
        snprintf(to + len, size - len, "rules:\n  %s\n", PICK(rules));
}

enum kind { IDLE, IDLE_BUT_EXITS, SETTING_IDLE, CONTRARY, CONTRARY_OPENS };
struct claim {
    enum kind kind;
    bool clean;
    char wide[64], tight[64]; /* rules: a rule that never binds, and the rule that makes it redundant */
};

/* Copy the i-th quoted name of a text. */
static void quoted(const char *text, int i, char to[64])
{
    const char *from = text, *end;

    for (;; i--) {
        from = strchr(from, '\'');
        end = from ? strchr(from + 1, '\'') : NULL;
        assert_non_null(end);
        if (i == 0)
            break;
        from = end + 1;
    }
    snprintf(to, 64, "%.*s", (int)(end - from - 1), from + 1);
}

static bool read_claim(const struct og_lint_finding *f, const char *yaml, struct claim *c)
{
    const char *text = f->fault.text, *rule;

    c->clean = strstr(text, "except for an order") != NULL;
    if (strcmp(f->fault.code, "limits-contradict") == 0) {
        c->kind = strstr(text, "that opens") ? CONTRARY_OPENS : CONTRARY;
        quoted(text, 0, c->wide);
        quoted(text, 1, c->tight);
        return strstr(text, "of those") == NULL; /* such a claim is about a condition that this test would have to
                                                  * parse */
    }
    if (strcmp(f->fault.code, "limit-idle") != 0 || !strstr(text, "own-"))
        return false;
    c->kind = strstr(text, "binds only exits") ? IDLE_BUT_EXITS : strncmp(text, "rule '", 6) == 0 ? IDLE : SETTING_IDLE;
    quoted(text, 0, c->wide);
    quoted(text, 1, c->tight);
    if (c->kind == SETTING_IDLE) { /* the key of the only rule */
        rule = strstr(yaml, "rules:\n  ") + 9;
        snprintf(c->wide, sizeof c->wide, "%.*s", (int)strcspn(rule, ":"), rule);
        return !strstr(rule, "shares") && !strstr(rule, "stock") &&
               !strstr(rule, "overrides"); /* overrides have rules of their own that may refuse */
    }
    return true;
}

static bool refuses(const struct lint_world *w, const char *rule)
{
    for (int i = 0; i < w->decision.count; i++)
        if (strcmp(w->decision.findings[i].rule, rule) == 0 && w->decision.findings[i].level == OG_LEVEL_REFUSE)
            return true;
    return false;
}

static void hold_against(const struct claim *c, const char *yaml, const struct lint_world *w)
{
    bool opens = og_order_may_open(w->order), wide = refuses(w, c->wide), tight = refuses(w, c->tight), wrong = false;

    if (c->clean && !w->clean)
        return;
    for (int i = 0; i < w->decision.count; i++) /* rules of the register refuse a contract that has expired */
        if (strcmp(w->decision.findings[i].reason, "option-contract-expired") == 0)
            return;
    switch (c->kind) {
    case IDLE:
    case SETTING_IDLE: wrong = wide && !tight; break;
    case IDLE_BUT_EXITS: wrong = opens && wide && !tight; break;
    case CONTRARY: wrong = !wide && !tight; break;
    case CONTRARY_OPENS: wrong = opens && !wide && !tight; break;
    }
    if (wrong)
        fail_msg("%s\n%d: '%s' against '%s' is wrong of %s at %s, facts %s", yaml, (int)c->kind, c->wide, c->tight,
                 w->line, lint_instants[w->instant], w->facts);
}

static void test_what_is_said_is_so(void **state)
{
    static const struct og_lint_options options = { .now = INT64_C(1768000000000000000), .no_witness = true };
    long policies = lint_size("OG_POLICIES", 300), orders = lint_size("OG_ORDERS", 60), claims = 0;
    struct lint_world w;

    (void)state;
    lint_seed += (uint64_t)lint_size("OG_SEED", 0) * 2654435761u;
    lint_world_open(&w);
    for (long i = 0; i < policies; i++) {
        struct og_lint_report *report;
        struct claim claim[16];
        size_t count = 0;
        char yaml[3000];

        make(yaml, sizeof yaml);
        assert_int_equal(og_lint_read(yaml, strlen(yaml), "t", &options, &report, NULL), OG_OK);
        for (size_t k = 0; k < og_lint_count(report) && count < 16; k++) {
            if (og_lint_at(report, k)->fault.severity == OG_ERROR)
                fail_msg("%s: %s", yaml, og_lint_at(report, k)->fault.text);
            count += read_claim(og_lint_at(report, k), yaml, &claim[count]);
        }
        claims += (long)count;
        for (long n = 0; count && n < orders; n++)
            for (size_t k = 0; lint_world_next(&w, yaml) && k < count; k++)
                hold_against(&claim[k], yaml, &w);
        og_lint_free(report);
    }
    assert_true(claims > policies / 16); /* the number of claims depends on the seed and on the compiler */
    lint_world_close(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_what_is_said_is_so) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
