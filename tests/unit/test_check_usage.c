/*
 * og_book_usage(): lists every limit that a policy sets, with figures computed here by hand; and a check agrees: an
 * order that takes exactly what is left of a limit passes it, and one that takes more is refused by it.
 */
#include <stdio.h>

#include "check/book.h"
#include "ordergate/ordergate.h"
#include "policy/value.h"
#include "unit.h"

#define NOON "2026-01-15T17:00:00Z"
#define CALL "AAPL260320C00200000"

struct gate {
    struct og_book *book;
    struct og_scratch *scratch;
    struct og_order *order;
    int64_t now;
};

static struct og_policy *policy_of(const char *rules)
{
    struct og_error err = { 0 };
    struct og_policy *policy;
    char yaml[2048];

    snprintf(yaml, sizeof yaml, "ordergate: 1\nname: t\nextends: []\n%s", rules);
    if (og_policy_read(yaml, strlen(yaml), "t", &policy, NULL, NULL, &err))
        fail_msg("%s: %s", rules, err.text);
    return policy;
}

static struct gate gate_of(struct og_policy *policy, const char *facts)
{
    struct gate g = { .scratch = og_scratch_new(), .order = og_order_new() };
    struct og_error err = { 0 };

    assert_int_equal(og_book_new(policy, &g.book), OG_OK);
    assert_int_equal(og_book_halt_source(g.book, "", NULL), OG_OK);
    assert_true(g.scratch && g.order && og_time_read(NOON, strlen(NOON), &g.now));
    if (facts && og_book_apply(g.book, NULL, facts, strlen(facts), "facts", &err))
        fail_msg("%s", err.text);
    return g;
}

static void close_gate(struct gate *g)
{
    og_book_free(g->book);
    og_scratch_free(g->scratch);
    og_order_free(g->order);
}

/* Long 100 AAPL at 190, short 10 MSFT at 400, 2 long calls at 3; a buy of 40 AAPL at 200 works. */
static const char facts[] =
    "{\"asOf\":\"" NOON "\",\"accountId\":\"L1\",\"account\":{\"account\":\"L1\",\"accountStatus\":\"Active\",\"bp\":"
    "1000000,\"overnightBp\":1000000,\"equity\":200000,\"sodEquity\":100000,\"availableCash\":50000},"
    "\"positions\":[{\"symbol\":\"AAPL\",\"side\":\"Long\",\"shares\":100,\"priceAvg\":190,\"dayOvernight\":\"Day\"},"
    "{\"symbol\":\"MSFT\",\"side\":\"Short\",\"shares\":10,\"priceAvg\":400,\"dayOvernight\":\"Day\"},"
    "{\"symbol\":\"" CALL "\",\"side\":\"Long\",\"shares\":2,\"priceAvg\":3,\"dayOvernight\":\"Day\"}],"
    "\"orders\":[{\"clientOrderId\":\"w\",\"symbol\":\"AAPL\",\"securityType\":\"Stock\",\"side\":\"Buy\","
    "\"openClose\":"
    "\"Open\",\"orderType\":\"Limit\",\"limitPrice\":200,\"orderQuantity\":40,\"leavesQuantity\":40,\"executed\":0,"
    "\"orderStatus\":\"New\",\"timeInForce\":\"Day\"}],\"pnl\":{\"dayPnl\":-300,\"dayPnlPeak\":200},"
    "\"gate\":{\"trading\":\"on\",\"ordersLastSecond\":1,\"ordersLastMinute\":2,\"ordersToday\":12,"
    "\"rejectionsInARow\":1,\"tradedToday\":1000,\"sharesTradedToday\":10,\"contractsTradedToday\":0,\"unknown\":[]}}";

/* --- what is listed ----------------------------------------------------------------------------------------------- */

struct wanted {
    const char *rule, *setting, *measure, *name;
    int found;
    struct og_usage is; /* without its texts */
    char only[200], account[40];
};

static int seek(void *with, const struct og_usage *u)
{
    struct wanted *w = with;

    if (strcmp(u->rule, w->rule) != 0 || strcmp(u->setting, w->setting) != 0 ||
        (w->measure && strcmp(u->measure, w->measure) != 0) || (w->name && strcmp(u->name, w->name) != 0))
        return 0;
    w->found++;
    w->is = *u;
    snprintf(w->only, sizeof w->only, "%s", u->only);
    snprintf(w->account, sizeof w->account, "%s", u->account_id);
    return 0;
}

static struct wanted find(const struct gate *g, const char *rule, const char *setting, const char *measure,
                          const char *name)
{
    struct wanted w = { .rule = rule, .setting = setting, .measure = measure, .name = name };

    assert_int_equal(og_book_usage(g->book, NULL, g->now, seek, &w), OG_OK);
    return w;
}

static bool is_number(const struct og_param *p)
{
    return (p->kind == OG_PARAM_INT || p->kind == OG_PARAM_MONEY || p->kind == OG_PARAM_BPS) && !p->aside &&
           !p->shared && p->tighter != OG_TIGHTER_UNKNOWN;
}

/* A value between the bounds of each kind of number. */
static const char *value_of(const struct og_param *p)
{
    return p->kind == OG_PARAM_MONEY ? "1234" : p->kind == OG_PARAM_BPS ? "12%" : "7";
}

/* A rule with a limit that says nothing of its use fails here: give it .usage, or its setting .each_order. */
static void each_number_of_each_limit_is_listed(void **state)
{
    int numbers = 0;

    (void)state;
    for (size_t i = 0; i < og_rules_size; i++)
        OG_EACH_PARAM (p, og_rules[i]) {
            char rules[400];
            struct gate g;
            struct wanted w;

            if (!og_rules[i]->limit || !is_number(p))
                continue;
            snprintf(rules, sizeof rules, "rules:\n  %s: {level: refuse, %s: %s}\n", og_rules[i]->id, p->key,
                     value_of(p));
            for (int held = 0; held < 2; held++) {
                g = gate_of(policy_of(rules), held ? facts : NULL);
                w = find(&g, og_rules[i]->id, p->key, NULL, NULL);
                if (!w.found)
                    fail_msg(
                        "%s of rule %s is a limit, and og_book_usage() does not list it: its rule needs .usage, or "
                        "the setting .each_order",
                        p->key, og_rules[i]->id);
                assert_true(p->each_order ? !w.is.has_used : w.is.has_used || !held);
                close_gate(&g);
            }
            numbers++;
        }
    assert_in_range(numbers, 40, 1000);
}

static void shipped_policies_have_each_limit_listed(void **state)
{
    const char *name;

    (void)state;
    for (size_t k = 0; (name = og_policy_shipped(k)); k++) {
        struct og_policy *policy;
        struct og_error err = { 0 };
        struct gate g;

        if (og_policy_load_all(&name, 1, "", &policy, NULL, NULL, &err))
            fail_msg("%s: %s", name, err.text);
        g = gate_of(policy, facts);
        for (size_t i = 0; i < og_rules_size; i++) {
            const struct og_policy_rule *r = &policy->rules[i];

            for (size_t o = 0; o <= r->override_count; o++) {
                const struct og_rule_setting *s = o < r->override_count ? &r->overrides[o].setting : &r->setting;

                OG_EACH_PARAM (p, r->rule)
                    if (r->rule->limit && is_number(p) && !s->idle && s->level != OG_LEVEL_OFF && s->settings &&
                        !og_value_is_widest(p, s->settings) && !find(&g, r->rule->id, p->key, NULL, NULL).found)
                        fail_msg("%s of rule %s is not listed under %s", p->key, r->rule->id, name);
            }
        }
        close_gate(&g);
    }
}

/* --- figures ------------------------------------------------------------------------------------------------------ */

#define LISTS "lists: {tech: [AAPL, MSFT], beta: [AAPL=2, default=1]}\n"
static const char all_rules[] = LISTS
    "rules:\n"
    "  exposure: {level: refuse, gross: 50000, short: 9000}\n"
    "  concentration: {level: refuse, most: 15%}\n"
    "  open-orders: {level: refuse, in_total: 5, of_symbol: 3}\n"
    "  order-rate: {level: refuse, a_second: 4, a_minute: 9, a_day: 20}\n"
    "  day-loss: {level: refuse, most: 1000, drawdown: 1500, of_equity: 2%}\n"
    "  position-limit: {level: refuse, shares: 500, contracts: 10}\n"
    "  option-contracts: {level: refuse, in_total: 12}\n"
    "  group-limit: {level: refuse, limits: [tech gross 40000, tech net 30%, tech positions 2, tech orders 4]}\n"
    "  weighted-exposure: {level: refuse, limits: [beta gross 70000, beta net 80000]}\n"
    "  traded-limit: {level: refuse, notional: 20000, underlying_shares: 300, window: 5m, window_notional: 9000}\n"
    "  rejection-streak: {level: refuse, most: 3}\n"
    "  unknown-outcomes: {level: refuse, most: 2}\n"
    "  settled-cash: refuse\n"
    "  uncovered-options: {level: refuse, puts: cash-secured}\n";

static const struct {
    const char *rule, *setting, *measure, *name, *used, *allowed;
} figures[] = {
    { "exposure", "gross", "", "", "31600", "50000" }, /* 19000 + 4000 + 600 + 8000 */
    { "exposure", "short", "", "", "4000", "9000" },
    { "concentration", "most", "", "AAPL", "27600", "30000" },
    { "concentration", "most", "", "MSFT", "4000", "30000" },
    { "open-orders", "in_total", "", "", "1", "5" },
    { "open-orders", "of_symbol", "", "AAPL", "1", "3" },
    { "open-orders", "of_symbol", "", "MSFT", "0", "3" },
    { "order-rate", "a_second", "", "", "1", "4" },
    { "order-rate", "a_minute", "", "", "2", "9" },
    { "order-rate", "a_day", "", "", "12", "20" },
    { "day-loss", "most", "", "", "300", "1000" },
    { "day-loss", "drawdown", "", "", "500", "1500" },
    { "day-loss", "of_equity", "", "", "300", "2000" },
    { "position-limit", "shares", "long", "AAPL", "140", "500" },
    { "position-limit", "shares", "short", "MSFT", "10", "500" },
    { "position-limit", "contracts", "long", CALL, "2", "10" },
    { "option-contracts", "in_total", "", "", "2", "12" },
    { "group-limit", "limits", "gross", "tech", "31600", "40000" },
    { "group-limit", "limits", "net", "tech", "23600", "60000" }, /* 27600 - 4000 */
    { "group-limit", "limits", "positions", "tech", "2", "2" },
    { "group-limit", "limits", "orders", "tech", "1", "4" },
    { "weighted-exposure", "limits", "gross", "beta", "59200", "70000" }, /* 2 * 27600 + 4000 */
    { "weighted-exposure", "limits", "net", "beta", "55200",
      "80000" },                                             /* MSFT is not in the list: it offsets nothing */
    { "traded-limit", "notional", "", "", "9000", "20000" }, /* 1000 traded, 8000 works */
    { "traded-limit", "window_notional", "", "", "8000", "9000" },
    { "traded-limit", "underlying_shares", "", "AAPL", "40", "300" },
    { "rejection-streak", "most", "", "", "1", "3" },
    { "unknown-outcomes", "most", "", "", "0", "2" },
    { "settled-cash", "availableCash", "", "", "8000", "50000" },
    { "uncovered-options", "puts", "", "", "8000", "50000" },
};

static void figures_are_those_of_the_account(void **state)
{
    struct gate g = gate_of(policy_of(all_rules), facts);

    (void)state;
    for (size_t i = 0; i < COUNT(figures); i++) {
        const struct wanted w = find(&g, figures[i].rule, figures[i].setting, figures[i].measure, figures[i].name);
        struct og_money used, allowed;

        assert_true(og_money_read(figures[i].used, strlen(figures[i].used), &used));
        assert_true(og_money_read(figures[i].allowed, strlen(figures[i].allowed), &allowed));
        if (w.found != 1 || !w.is.has_used || !w.is.sure || !w.is.refuses || og_money_cmp(w.is.used, used) != 0 ||
            og_money_cmp(w.is.allowed, allowed) != 0)
            fail_msg("%s %s %s %s: listed %d times, used %s of %s, sure %d", figures[i].rule, figures[i].setting,
                     figures[i].measure, figures[i].name, w.found, og_money_text(w.is.used).s,
                     og_money_text(w.is.allowed).s, w.is.sure);
        assert_string_equal(w.only, "");
    }
    close_gate(&g);
}

/* --- a check at the bound ----------------------------------------------------------------------------------------- */

/* Returns true if the rule refuses the order; *ticket is set if the order is accepted. */
static bool is_refused(struct gate *g, const char *line, const char *rule)
{
    struct og_decision d;
    og_ticket ticket;
    bool by_rule = false;

    assert_int_equal(og_order_read(g->order, line, strlen(line)), OG_OK);
    assert_int_equal(og_reserve(g->book, g->order, g->now, g->scratch, &d, &ticket), OG_OK);
    for (int i = 0; i < d.count; i++)
        by_rule |= d.findings[i].level == OG_LEVEL_REFUSE && strcmp(d.findings[i].rule, rule) == 0;
    if (!ticket && !by_rule)
        fail_msg("%s: refused, not by %s but by %s: %s", line, rule, d.findings[0].rule, d.findings[0].message);
    return by_rule;
}

/* How an order takes of a limit: a dollar for each share, a share or contract for each, or one for each order. */
enum takes { A_DOLLAR, A_UNIT, AN_ORDER };
static const struct {
    const char *rules, *rule, *setting, *measure, *name, *symbol, *side;
    enum takes takes;
    int step; /* of a unit of the order's quantity, in the limit's unit */
} bounds[] = {
    { "exposure: {level: refuse, gross: 40000}", "exposure", "gross", "", "", "F", "Buy", A_DOLLAR, 1 },
    { "exposure: {level: refuse, short: 9000}", "exposure", "short", "", "", "F", "Sell", A_DOLLAR, 1 },
    { "concentration: {level: refuse, most: 15%}", "concentration", "most", "", "AAPL", "AAPL", "Buy", A_DOLLAR, 1 },
    { "concentration: {level: refuse, most: 5%}", "concentration", "most", "", "MSFT", "MSFT", "Sell", A_DOLLAR, 1 },
    { "position-limit: {level: refuse, shares: 300}", "position-limit", "shares", "long", "AAPL", "AAPL", "Buy", A_UNIT,
      1 },
    { "position-limit: {level: refuse, shares: 300}", "position-limit", "shares", "short", "MSFT", "MSFT", "Sell",
      A_UNIT, 1 },
    { "position-limit: {level: refuse, contracts: 9}", "position-limit", "contracts", "long", CALL, CALL, "Buy", A_UNIT,
      1 },
    { "option-contracts: {level: refuse, in_total: 9}", "option-contracts", "in_total", "", "", CALL, "Buy", A_UNIT,
      1 },
    { "group-limit: {level: refuse, limits: [tech gross 40000]}", "group-limit", "limits", "gross", "tech", "MSFT",
      "Sell", A_DOLLAR, 1 },
    { "group-limit: {level: refuse, limits: [tech short 9000]}", "group-limit", "limits", "short", "tech", "MSFT",
      "Sell", A_DOLLAR, 1 },
    { "group-limit: {level: refuse, limits: [tech long 40000]}", "group-limit", "limits", "long", "tech", "AAPL", "Buy",
      A_DOLLAR, 1 },
    { "group-limit: {level: refuse, limits: [tech net 20%]}", "group-limit", "limits", "net", "tech", "AAPL", "Buy",
      A_DOLLAR, 1 },
    { "group-limit: {level: refuse, limits: [tech orders 4]}", "group-limit", "limits", "orders", "tech", "AAPL", "Buy",
      AN_ORDER, 1 },
    { "weighted-exposure: {level: refuse, limits: [beta gross 70000]}", "weighted-exposure", "limits", "gross", "beta",
      "AAPL", "Buy", A_DOLLAR, 2 },
    { "weighted-exposure: {level: refuse, limits: [beta net 60000]}", "weighted-exposure", "limits", "net", "beta",
      "AAPL", "Buy", A_DOLLAR, 2 },
    { "traded-limit: {level: refuse, notional: 20000}", "traded-limit", "notional", "", "", "F", "Buy", A_DOLLAR, 1 },
    { "traded-limit: {level: refuse, window_notional: 20000}", "traded-limit", "window_notional", "", "", "F", "Buy",
      A_DOLLAR, 1 },
    { "traded-limit: {level: refuse, underlying_shares: 300}", "traded-limit", "underlying_shares", "", "AAPL", "AAPL",
      "Buy", A_UNIT, 1 },
    { "open-orders: {level: refuse, in_total: 5}", "open-orders", "in_total", "", "", "F", "Buy", AN_ORDER, 1 },
    { "open-orders: {level: refuse, of_symbol: 3}", "open-orders", "of_symbol", "", "AAPL", "AAPL", "Buy", AN_ORDER,
      1 },
    { "order-rate: {level: refuse, a_second: 4}", "order-rate", "a_second", "", "", "F", "Buy", AN_ORDER, 1 },
    { "order-rate: {level: refuse, a_minute: 4}", "order-rate", "a_minute", "", "", "F", "Buy", AN_ORDER, 1 },
    { "order-rate: {level: refuse, a_day: 15}", "order-rate", "a_day", "", "", "F", "Buy", AN_ORDER, 1 },
    { "tag-limits: {level: refuse, a_minute: 3}", "tag-limits", "a_minute", "", "mm", "F", "Buy", AN_ORDER, 1 },
    { "tag-limits: {level: refuse, a_day: 3}", "tag-limits", "a_day", "", "mm", "F", "Buy", AN_ORDER, 1 },
    { "settled-cash: refuse", "settled-cash", "availableCash", "", "", "F", "Buy", A_DOLLAR, 1 },
};

static const char *line_of(size_t i, int64_t quantity, int number)
{
    static char line[400];
    const bool contract = strlen(bounds[i].symbol) > 6;

    snprintf(
        line, sizeof line,
        "{\"securityType\":\"%s\",\"symbol\":\"%s\",\"side\":\"%s\",\"openClose\":\"Open\",\"orderType\":\"Limit\","
        "\"limitPrice\":1,\"orderQuantity\":%lld,\"timeInForce\":\"Day\",\"clientOrderId\":\"b%d\",\"tag\":\"mm\"}",
        contract ? "Option" : "Stock", bounds[i].symbol, bounds[i].side, (long long)quantity, number);
    return line;
}

/* Returns what is left of the limit, in units of the order's quantity, or in orders. */
static int64_t room_of(const struct gate *g, size_t i)
{
    const struct wanted w = find(g, bounds[i].rule, bounds[i].setting, bounds[i].measure, bounds[i].name);
    struct og_money room;

    if (w.found != 1 || !w.is.has_used)
        fail_msg("%s: listed %d times", bounds[i].rules, w.found);
    assert_true(og_money_sub(w.is.allowed, w.is.used, &room));
    return og_money_floor(room) / bounds[i].step;
}

static void a_check_at_the_bound_agrees(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(bounds); i++) {
        char rules[600];
        struct gate g;
        int64_t room;

        snprintf(rules, sizeof rules, LISTS "rules:\n  order-tag: {level: refuse, known: [mm]}\n  %s\n",
                 bounds[i].rules);
        g = gate_of(policy_of(rules), facts);
        room = room_of(&g, i);
        assert_in_range(room, 1, 100000);
        if (bounds[i].takes != AN_ORDER) {
            if (!is_refused(&g, line_of(i, room + 1, 0), bounds[i].rule))
                fail_msg("%s: %lld are left, one more passes", bounds[i].rules, (long long)room);
            if (is_refused(&g, line_of(i, room, 1), bounds[i].rule))
                fail_msg("%s: %lld are left, and are refused", bounds[i].rules, (long long)room);
        } else {
            for (int k = 0; k < room; k++)
                if (is_refused(&g, line_of(i, 1 + k, k), bounds[i].rule))
                    fail_msg("%s: of %lld orders left, number %d is refused", bounds[i].rules, (long long)room, k);
        }
        if (room_of(&g, i) != 0) /* what was accepted is used */
            fail_msg("%s: %lld are left", bounds[i].rules, (long long)room_of(&g, i));
        if (!is_refused(&g, line_of(i, 1, 1000), bounds[i].rule))
            fail_msg("%s: nothing is left, one more passes", bounds[i].rules);
        close_gate(&g);
    }
}

/* --- overrides, ages, shares -------------------------------------------------------------------------------------- */

static void overrides_set_the_limit_of_their_orders(void **state)
{
    struct gate g = gate_of(
        policy_of("rules:\n"
                  "  position-limit:\n"
                  "    level: refuse\n"
                  "    shares: 500\n"
                  "    overrides:\n"
                  "      - {match: {symbol: MSFT}, shares: 50}\n"
                  "      - {match: {side: Buy}, when: 'order.orderQuantity > 10', shares: 300}\n"
                  "  open-orders: {level: warn, in_total: 5, overrides: [{match: {account: 'X.*'}, in_total: 9}]}\n"
                  "  order-rate: {level: refuse, a_day: 5, overrides: [{match: {account: 'L.*'}, a_day: 7}]}\n"),
        facts);
    struct wanted w = find(&g, "position-limit", "shares", "short", "MSFT");

    (void)state;
    assert_int_equal(w.found, 1);
    assert_string_equal(og_money_text(w.is.allowed).s, "50");
    assert_string_equal(w.only, "");
    w = find(&g, "position-limit", "shares", "long", "AAPL");
    assert_int_equal(w.found, 2);
    assert_string_equal(og_money_text(w.is.allowed).s, "300");
    assert_string_equal(w.only, "{side: [Buy]} when order.orderQuantity > 10");
    w = find(&g, "open-orders", "in_total", "", "");
    assert_int_equal(w.found, 1);
    assert_false(w.is.refuses);
    w = find(&g, "order-rate", "a_day", "", "");
    assert_int_equal(w.found, 1);
    assert_string_equal(og_money_text(w.is.allowed).s, "7");
    close_gate(&g);
}

static void what_is_not_known_is_not_sure(void **state)
{
    struct gate g = gate_of(policy_of("max_age: {positions: 5s}\nrules:\n"
                                      "  exposure: {level: refuse, gross: 50000}\n"
                                      "  day-loss: {level: refuse, most: 100}\n"
                                      "  concentration: {level: refuse, most: 10%}\n"),
                            NULL);
    struct wanted w = find(&g, "exposure", "gross", "", "");
    struct og_error err = { 0 };

    (void)state;
    assert_true(w.is.has_used && !w.is.sure);
    assert_string_equal(w.account, "");
    assert_false(find(&g, "day-loss", "most", "", "").is.has_used);
    assert_false(find(&g, "concentration", "most", "", "").is.has_used);
    assert_int_equal(og_book_apply(g.book, NULL, facts, strlen(facts), "facts", &err), OG_OK);
    assert_true(find(&g, "exposure", "gross", "", "").is.sure);
    g.now += 6 * OG_NS_PER_S;
    w = find(&g, "exposure", "gross", "", "");
    assert_true(w.is.has_used && !w.is.sure);
    assert_true(find(&g, "day-loss", "most", "", "").is.sure);
    assert_int_equal(og_book_usage(g.book, "L1", g.now, seek, &w), OG_OK);
    assert_int_equal(og_book_usage(g.book, "L2", g.now, seek, &w), OG_EINVAL);
    close_gate(&g);
}

#define PUT(symbol, side) \
    "{\"symbol\":\"" symbol "\",\"side\":\"" side "\",\"shares\":1,\"priceAvg\":1,\"dayOvernight\":\"Overnight\"}"

/* The broker may list contracts on the day after they expired. */
static void expired_puts_use_up_no_cash(void **state)
{
    static const struct {
        const char *positions, *used;
    } cases[] = {
        { PUT("AAPL260114P00100000", "Short"), "0" },
        { PUT("AAPL260115P00100000", "Short"), "10000" },
        { PUT("AAPL260114P00100000", "Short") "," PUT("AAPL260320P00050000", "Short"), "5000" },
        { PUT("AAPL260114P00100000", "Short") "," PUT("MSFT260320P00050000", "Short"), "5000" },
        { PUT("AAPL260114P00050000", "Long") "," PUT("AAPL260320P00050000", "Short"), "5000" },
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        static const char *const rules[][2] = { { "settled-cash", "availableCash" }, { "uncovered-options", "puts" } };
        char document[1024];
        struct gate g;

        snprintf(document, sizeof document,
                 "{\"asOf\":\"" NOON "\",\"account\":{\"account\":\"L1\",\"availableCash\":50000},\"orders\":[],"
                 "\"positions\":[%s]}",
                 cases[i].positions);
        g = gate_of(policy_of(all_rules), document);
        for (size_t k = 0; k < COUNT(rules); k++)
            assert_string_equal(og_money_text(find(&g, rules[k][0], rules[k][1], "", "").is.used).s, cases[i].used);
        close_gate(&g);
    }
}

static void shares_are_rounded_down(void **state)
{
    static const struct {
        int64_t used, allowed;
        int share;
    } cases[] = { { 0, 10, 0 },      { -5, 10, 0 },     { 8, 10, 8000 }, { 1, 3, 3333 },       { 10, 10, 10000 },
                  { 11, 10, 11000 }, { 1, 0, 1000000 }, { 0, 0, 0 },     { 5000, 10, 1000000 } };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        const struct og_usage u = { .has_used = true,
                                    .used = { cases[i].used, 0 },
                                    .allowed = { cases[i].allowed, 0 } };

        assert_int_equal(og_usage_share(&u), cases[i].share);
    }
    assert_int_equal(og_usage_share(&(struct og_usage){ .used = { 5, 0 }, .allowed = { 5, 0 } }), 0);
}

static int stop(void *with, const struct og_usage *u)
{
    (void)u;
    return ++*(int *)with;
}

static void a_listener_ends_the_list(void **state)
{
    struct gate g = gate_of(policy_of(all_rules), facts);
    int count = 0;

    (void)state;
    assert_int_equal(og_book_usage(g.book, NULL, g.now, stop, &count), OG_EIO);
    assert_int_equal(count, 1);
    close_gate(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_number_of_each_limit_is_listed),
        cmocka_unit_test(shipped_policies_have_each_limit_listed),
        cmocka_unit_test(figures_are_those_of_the_account),
        cmocka_unit_test(a_check_at_the_bound_agrees),
        cmocka_unit_test(overrides_set_the_limit_of_their_orders),
        cmocka_unit_test(what_is_not_known_is_not_sure),
        cmocka_unit_test(expired_puts_use_up_no_cash),
        cmocka_unit_test(shares_are_rounded_down),
        cmocka_unit_test(a_listener_ends_the_list),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
