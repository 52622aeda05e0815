/*
 * The user's limits over several orders: accepted orders count for later ones, by the clock; which limits cover an
 * order's size; and no limit accepts an order in two halves that it refuses as a whole.
 */
#include <stdio.h>

#include "ordergate/ordergate.h"
#include "unit.h"

#define NOON   "2026-01-15T17:00:00Z"
#define SECOND INT64_C(1000000000)

struct gate {
    struct og_book *book;
    struct og_scratch *scratch;
    struct og_order *order;
    int64_t now;
};

static void apply(struct gate *g, const char *facts)
{
    struct og_error err = { 0 };

    if (og_book_apply(g->book, NULL, facts, strlen(facts), "facts", &err))
        fail_msg("%s: %s", facts, err.text);
}

static struct gate open_gate(const char *rules, const char *facts)
{
    struct gate g = { .scratch = og_scratch_new(), .order = og_order_new() };
    struct og_error err = { 0 };
    struct og_policy *policy;
    char yaml[1024];

    snprintf(yaml, sizeof yaml, "ordergate: 1\nname: t\nextends: []\nrules:\n%s", rules);
    if (og_policy_read(yaml, strlen(yaml), "t", &policy, NULL, NULL, &err))
        fail_msg("%s: %s", rules, err.text);
    assert_int_equal(og_book_new(policy, &g.book), OG_OK);
    assert_true(g.scratch && g.order && og_time_read(NOON, strlen(NOON), &g.now));
    if (facts)
        apply(&g, facts);
    return g;
}

static void close_gate(struct gate *g)
{
    og_book_free(g->book);
    og_scratch_free(g->scratch);
    og_order_free(g->order);
}

static const char *stock(const char *side, const char *opens, int quantity, const char *price)
{
    static char line[400];

    snprintf(line, sizeof line,
             "{\"securityType\":\"Stock\",\"symbol\":\"AAPL\",\"side\":\"%s\",\"openClose\":\"%s\","
             "\"orderType\":\"Limit\",\"limitPrice\":%s,\"orderQuantity\":%d,\"timeInForce\":\"Day\"}",
             side, opens, price, quantity);
    return line;
}

/* Returns the reason of the first refusal; "" if the order was accepted, with its reservation in *ticket. */
static const char *decide(struct gate *g, const char *line, og_ticket *ticket)
{
    struct og_decision d;
    og_ticket mine;

    assert_int_equal(og_order_read(g->order, line, strlen(line)), OG_OK);
    assert_int_equal(og_reserve(g->book, g->order, g->now, g->scratch, &d, &mine), OG_OK);
    if (ticket)
        *ticket = mine;
    for (int i = 0; i < d.count; i++)
        if (d.findings[i].level == OG_LEVEL_REFUSE)
            return d.findings[i].reason;
    assert_true(d.accepted);
    return "";
}

static void orders_of_a_run_count_by_the_clock(void **state)
{
    struct gate g = open_gate("  order-rate: {level: refuse, a_second: 3, a_minute: 5, a_day: 7}\n", NULL);

    (void)state;
    for (int i = 0; i < 3; i++)
        assert_string_equal(decide(&g, stock("Buy", "Open", 1, "10"), NULL), "");
    assert_string_equal(decide(&g, stock("Buy", "Open", 1, "10"), NULL), "orders-a-second-above-limit");
    g.now += SECOND - 1;
    assert_string_equal(decide(&g, stock("Buy", "Open", 1, "10"), NULL), "orders-a-second-above-limit");
    g.now += 1;
    assert_string_equal(decide(&g, stock("Buy", "Open", 1, "10"), NULL), "");
    assert_string_equal(decide(&g, stock("Buy", "Open", 1, "10"), NULL), "");
    assert_string_equal(decide(&g, stock("Buy", "Open", 1, "10"), NULL), "orders-a-minute-above-limit");
    assert_string_equal(decide(&g, stock("Sell", "Close", 1, "10"), NULL), ""); /* a close passes, and counts */
    g.now += 60 * SECOND;
    apply(&g, "{\"positions\":[],\"orders\":[]}"); /* a document never removes what was counted */
    assert_string_equal(decide(&g, stock("Buy", "Open", 1, "10"), NULL), "");
    assert_string_equal(decide(&g, stock("Buy", "Open", 1, "10"), NULL), "orders-a-day-above-limit");
    g.now += 12 * 3600 * SECOND;
    assert_string_equal(decide(&g, stock("Buy", "Open", 1, "10"), NULL), "");
    close_gate(&g);
}

static void what_the_gate_counted_counts_once(void **state)
{
    struct gate g = open_gate("  order-rate: {level: refuse, a_second: 5, a_day: 5}\n", NULL);

    (void)state;
    for (int i = 0; i < 3; i++)
        assert_string_equal(decide(&g, stock("Buy", "Open", 1, "10"), NULL), "");
    /* these three orders are included in the document's number */
    apply(&g, "{\"gate\":{\"asOf\":\"" NOON "\",\"ordersLastSecond\":4,\"ordersToday\":4}}");
    assert_string_equal(decide(&g, stock("Buy", "Open", 1, "10"), NULL), "");
    assert_string_equal(decide(&g, stock("Buy", "Open", 1, "10"), NULL), "orders-a-second-above-limit");
    apply(
        &g,
        "{\"gate\":{\"ordersLastSecond\":4,\"ordersToday\":4}}"); /* without a time the number may be of other orders */
    assert_string_equal(decide(&g, stock("Buy", "Open", 1, "10"), NULL), "orders-a-second-above-limit");
    close_gate(&g);
}

static void more_than_the_ring_holds(void **state)
{
    struct gate g = open_gate("  order-rate: {level: refuse, a_day: 9000}\n", NULL);

    (void)state;
    for (int i = 0; i < 9000; i++) {
        assert_string_equal(decide(&g, stock("Buy", "Open", 1, "10"), NULL), "");
        g.now += SECOND / 1000;
    }
    assert_string_equal(decide(&g, stock("Buy", "Open", 1, "10"), NULL), "orders-a-day-above-limit");
    close_gate(&g);
}

static void the_same_order_again(void **state)
{
    struct gate g = open_gate("  repeated-order: {level: refuse, window: 2s}\n", NULL);
    og_ticket ticket;

    (void)state;
    assert_string_equal(decide(&g, stock("Buy", "Open", 1, "10"), &ticket), "");
    og_ticket_release(g.book, ticket); /* the order was sent, so it counts whatever became of it */
    assert_string_equal(decide(&g, stock("Buy", "Open", 1, "10.0"), NULL), "order-repeated");
    assert_string_equal(decide(&g, stock("Buy", "Open", 2, "10"), NULL), "");
    g.now += 2 * SECOND;
    assert_string_equal(decide(&g, stock("Buy", "Open", 1, "10"), NULL), "");
    close_gate(&g);
}

static void a_streak_of_rejections(void **state)
{
    struct gate g = open_gate("  rejection-streak: {level: refuse, most: 2}\n", "{\"gate\":{\"rejectionsInARow\":1}}");
    og_ticket ticket;

    (void)state;
    assert_string_equal(decide(&g, stock("Buy", "Open", 1, "10"), &ticket), "");
    og_ticket_rejected(g.book, ticket);
    og_ticket_rejected(g.book, ticket); /* a rejected order may be repeated */
    assert_string_equal(decide(&g, stock("Buy", "Open", 1, "10"), &ticket), "");
    og_ticket_rejected(g.book, ticket);
    assert_string_equal(decide(&g, stock("Buy", "Open", 1, "10"), NULL), "rejections-in-a-row");
    assert_string_equal(decide(&g, stock("Sell", "Close", 1, "10"), &ticket), "");
    og_ticket_sent(g.book, ticket, g.now); /* an accepted order ends the streak of rejections */
    assert_string_equal(decide(&g, stock("Buy", "Open", 1, "10"), NULL), "");
    close_gate(&g);
}

/* An outcome counts as unknown until something is reported of the order, and is not again after that. */
static void an_unknown_outcome(void **state)
{
    struct gate g = open_gate("  unknown-outcomes: refuse\n", NULL);
    const char *const open = stock("Buy", "Open", 1, "10");
    og_ticket ticket = 0;

    (void)state;
    for (int end = 0; end < 7; end++) {
        assert_string_equal(decide(&g, open, &ticket), "");
        og_ticket_unknown(g.book, ticket, true);
        og_ticket_unknown(g.book, ticket, true);
        assert_string_equal(decide(&g, open, NULL), "outcomes-unknown");
        assert_string_equal(decide(&g, stock("Sell", "Close", 1, "10"), NULL), "");
        (void)stock("Buy", "Open", 1, "10");
        switch (end) {
        case 0: og_ticket_unknown(g.book, ticket, false); break;
        case 1: og_ticket_sent(g.book, ticket, g.now); break;
        case 2: assert_int_equal(og_ticket_fill(g.book, ticket, 1, og_money_from(10), g.now), OG_OK); break;
        case 3: og_ticket_rejected(g.book, ticket); break;
        case 4: og_ticket_release(g.book, ticket); break;
        case 5: og_ticket_forget(g.book, ticket); break;
        default: og_ticket_sent(g.book, ticket, OG_TIME_UNKNOWN); break;
        }
        assert_string_equal(decide(&g, open, NULL), "");
        if (end > 0)
            og_ticket_unknown(g.book, ticket, true);
        assert_string_equal(decide(&g, open, NULL), "");
    }
    og_ticket_unknown(g.book, 0, true);
    og_ticket_unknown(NULL, ticket, true);
    close_gate(&g);
}

/* A document's list counts for orders without a ticket; of one that waits for its answer it says what became of it. */
static void an_unknown_outcome_told_by_facts(void **state)
{
    static const char lost[] = "{\"gate\":{\"unknown\":[\"x1\"]}}";
    static const char line[] =
        "{\"securityType\":\"Stock\",\"symbol\":\"AAPL\",\"side\":\"Buy\",\"openClose\":\"Open\","
        "\"orderType\":\"Limit\",\"limitPrice\":9,\"orderQuantity\":1,\"timeInForce\":\"Day\","
        "\"clientOrderId\":\"x1\"}";
    struct gate g = open_gate("  unknown-outcomes: refuse\n", NULL);
    og_ticket ticket;

    (void)state;
    assert_string_equal(decide(&g, line, &ticket), "");
    apply(&g, lost);
    assert_string_equal(decide(&g, stock("Buy", "Open", 1, "10"), NULL), "outcomes-unknown");
    og_ticket_sent(g.book, ticket, g.now);
    assert_string_equal(decide(&g, stock("Buy", "Open", 1, "10"), NULL), "");
    apply(&g, lost); /* the ticket knows better */
    assert_string_equal(decide(&g, stock("Buy", "Open", 1, "10"), NULL), "");
    apply(&g, "{\"gate\":{\"unknown\":[\"x2\"]}}");
    assert_string_equal(decide(&g, stock("Buy", "Open", 1, "10"), NULL), "outcomes-unknown");
    close_gate(&g);
}

static void own_orders_meet(void **state)
{
    struct gate g = open_gate("  self-cross: refuse\n", "{\"orders\":[]}");
    og_ticket low, high;

    (void)state;
    assert_string_equal(decide(&g, stock("Sell", "Close", 1, "11"), &low), "");
    assert_string_equal(decide(&g, stock("Sell", "Close", 1, "12"), &high), "");
    assert_string_equal(decide(&g, stock("Buy", "Open", 1, "11"), NULL), "crosses-own-order");
    og_ticket_release(g.book, low);
    assert_string_equal(decide(&g, stock("Buy", "Open", 1, "11"), NULL), "");
    assert_string_equal(decide(&g, stock("Buy", "Open", 1, "12"), NULL), "crosses-own-order");
    og_ticket_release(g.book, high);
    assert_string_equal(decide(&g, stock("Buy", "Open", 1, "5000"), NULL), "");
    close_gate(&g);
}

static void working_orders_are_open_until_they_end(void **state)
{
    struct gate g = open_gate("  open-orders: {level: refuse, in_total: 2}\n", "{\"orders\":[]}");
    og_ticket ticket;

    (void)state;
    assert_string_equal(decide(&g, stock("Buy", "Open", 1, "10"), NULL), "");
    assert_string_equal(decide(&g, stock("Buy", "Open", 1, "10"), &ticket), "");
    assert_string_equal(decide(&g, stock("Buy", "Open", 1, "10"), NULL), "open-orders-above-limit");
    assert_int_equal(og_ticket_fill(g.book, ticket, OG_FILL_WHOLE, og_money_from(0), g.now), OG_OK);
    assert_string_equal(decide(&g, stock("Buy", "Open", 1, "10"), NULL), "");
    close_gate(&g);
}

/* A spread whose legs close more than is held writes options: a put counts at its strike less its price, a call at its
 * price. It is accepted while positions are unknown, and counts as soon as they are known. */
static void a_spread_closes_what_is_not_held(void **state)
{
    static const struct {
        const char *legs, *most, *less;
    } spreads[] = {
        { "{\"symbol\":\"AAPL260220P00150000\",\"side\":\"Sell\",\"ratio\":1,\"openClose\":\"Close\"},"
          "{\"symbol\":\"AAPL260220C00150000\",\"side\":\"Sell\",\"ratio\":1,\"openClose\":\"Close\"}",
          "30010", "30009.99" }, /* 2 x (15000 - 100 + 100), and 10 for the order */
        { "{\"symbol\":\"AAPL260220P00150000\",\"side\":\"Sell\",\"ratio\":1,\"openClose\":\"Close\"},"
          "{\"symbol\":\"AAPL260220P00140000\",\"side\":\"Buy\",\"ratio\":1,\"openClose\":\"Close\"}",
          "30010", "30009.99" },
        { "{\"symbol\":\"AAPL260220P00140000\",\"side\":\"Sell\",\"ratio\":2,\"openClose\":\"Close\"},"
          "{\"symbol\":\"AAPL260220P00150000\",\"side\":\"Buy\",\"ratio\":1,\"openClose\":\"Close\"}",
          "55810", "55809.99" }, /* 4 x (14000 - 100) + 2 x 100 + 10 */
        { "{\"symbol\":\"AAPL260220C00150000\",\"side\":\"Sell\",\"ratio\":1,\"openClose\":\"Close\"},"
          "{\"symbol\":\"AAPL260220C00140000\",\"side\":\"Buy\",\"ratio\":1,\"openClose\":\"Close\"}",
          "410", "409.99" },
    };
    char rules[200], line[600];

    (void)state;
    for (size_t i = 0; i < 2 * sizeof spreads / sizeof *spreads; i++) {
        struct gate g;

        snprintf(rules, sizeof rules, "  exposure: {level: refuse, unsure: refuse, gross: %s}\n",
                 i % 2 ? spreads[i / 2].less : spreads[i / 2].most);
        g = open_gate(rules, "{\"asOf\":\"" NOON "\",\"quotes\":{\"AAPL260220P00150000\":{\"bid\":1,\"ask\":1},"
                             "\"AAPL260220P00140000\":{\"bid\":1,\"ask\":1},"
                             "\"AAPL260220C00140000\":{\"bid\":1,\"ask\":1},"
                             "\"AAPL260220C00150000\":{\"bid\":1,\"ask\":1}}}");
        snprintf(line, sizeof line,
                 "{\"securityType\":\"Mleg\",\"symbol\":\"AAPL\",\"orderType\":\"Limit\",\"limitPrice\":1,"
                 "\"orderQuantity\":2,\"timeInForce\":\"Day\",\"legs\":[%s]}",
                 spreads[i / 2].legs);
        assert_string_equal(decide(&g, line, NULL), "");
        apply(&g, "{\"asOf\":\"" NOON "\",\"positions\":[],\"orders\":[]}");
        assert_string_equal(decide(&g, stock("Buy", "Open", 1, "10"), NULL), i % 2 ? "gross-exposure-above-limit" : "");
        close_gate(&g);
    }
}

/* A call that is written beside a long one counts at the width less its limit while it works, when it has filled, and
 * as long as the positions may not include it; when they do, at the width less its average price. */
static void a_call_is_written_beside_a_long_one(void **state)
{
    static const char call[] = "{\"securityType\":\"Option\",\"symbol\":\"AAPL260220C00150000\",\"side\":\"Sell\","
                               "\"openClose\":\"Open\",\"orderType\":\"Limit\",\"limitPrice\":3,"
                               "\"orderQuantity\":2,\"timeInForce\":\"Day\",\"clientOrderId\":\"c\"}";
    static const char far[] = "{\"symbol\":\"AAPL\",\"tradedSymbol\":\"AAPL260220C00250000\",\"securityType\":"
                              "\"Option\",\"side\":\"Long\",\"shares\":2,\"priceAvg\":0.1}";
    static const char written[] = ",{\"symbol\":\"AAPL\",\"tradedSymbol\":\"AAPL260220C00150000\",\"securityType\":"
                                  "\"Option\",\"side\":\"Short\",\"shares\":2,\"priceAvg\":2}";
    /* 2 x 10000 - 600 of premium, 20 for the far ones, and 10 for the order; once it is a position, 400 of premium */
    static const char *const most[] = { "19430", "19430", "19430", "19430", "19630" }, *const less[] = {
        "19429.99", "19429.99", "19429.99", "19429.99", "19629.99"
    };
    char rules[100], facts[700];

    (void)state;
    for (int i = 0; i < 10; i++) {
        const char *limit = i % 2 ? less[i / 2] : most[i / 2];
        og_ticket ticket;
        struct gate g;

        snprintf(rules, sizeof rules, "  exposure: {level: refuse, gross: %s}\n", limit);
        snprintf(facts, sizeof facts,
                 "{\"asOf\":\"" NOON "\",\"positions\":[%s],\"orders\":[],\"quotes\":{\"AAPL260220C00150000\":"
                 "{\"bid\":3,\"ask\":3}}}",
                 far);
        g = open_gate(rules, facts);
        assert_string_equal(decide(&g, call, &ticket), "");
        if (i / 2 == 2) /* read after the order was made: a fill is not certainly in them */
            apply(&g, facts);
        if (i / 2 == 1 || i / 2 == 2)
            assert_int_equal(og_ticket_fill(g.book, ticket, OG_FILL_WHOLE, og_money_from(0), g.now), OG_OK);
        if (i / 2 == 3)
            assert_int_equal(og_ticket_fill(g.book, ticket, 1, og_money_from(0), g.now), OG_OK);
        if (i / 2 == 4) {
            assert_int_equal(og_ticket_fill(g.book, ticket, OG_FILL_WHOLE, og_money_from(0), g.now), OG_OK);
            g.now += 60 * SECOND;
            snprintf(facts, sizeof facts, "{\"asOf\":\"2026-01-15T17:01:00Z\",\"positions\":[%s%s],\"orders\":[]}", far,
                     written);
            apply(&g, facts);
        }
        assert_string_equal(decide(&g, stock("Buy", "Open", 1, "10"), NULL), i % 2 ? "gross-exposure-above-limit" : "");
        close_gate(&g);
    }
}

/* A limit covers an order if it refuses and has a value in force for it. */
static void what_limits_an_orders_size(void **state)
{
    static const struct {
        const char *rules, *reason;
    } cases[] = {
        { "", "unlimited" },
        { "  order-quantity-limit: {level: refuse, shares: 10}\n", "" },
        { "  order-quantity-limit: {level: refuse, contracts: 10}\n", "unlimited" },
        { "  order-quantity-limit: {level: warn, shares: 10}\n", "unlimited" },
        { "  order-notional: {level: refuse, most: 1000}\n", "" },
        { "  option-contracts: {level: refuse, an_order: 10}\n", "unlimited" },
        { "  order-notional: {level: refuse, most: 1000, overrides: [{match: {symbol: AAPL}, level: off}]}\n",
          "unlimited" },
        { "  order-notional: {level: off, overrides: [{match: {symbol: AAPL}, level: refuse, most: 1000}]}\n", "" },
        { "  order-notional: {level: off, overrides: [{match: {securityType: Option}, level: refuse, most: 1000}]}\n",
          "unlimited" },
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        char rules[512];
        struct gate g;

        snprintf(rules, sizeof rules, "  size-limit: refuse\n%s", cases[i].rules);
        g = open_gate(rules, NULL);
        assert_string_equal(decide(&g, stock("Buy", "Open", 1, "10"), NULL), cases[i].reason);
        assert_string_equal(decide(&g, stock("Sell", "Close", 1, "10"), NULL), "");
        close_gate(&g);
    }
}

/* --- halves ------------------------------------------------------------------------------------------------------- */

static uint64_t next(uint64_t *seed)
{
    uint64_t z = *seed += UINT64_C(0x9E3779B97F4A7C15); /* splitmix64 */

    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

static int below(uint64_t *seed, int n)
{
    return (int)(next(seed) % (uint64_t)n);
}

enum { STOCK, CONTRACT, SPREAD, KINDS };

struct terms {
    int kind, cents;
    bool sells;
};

static const char *line_of(struct terms t, int quantity)
{
    static char line[700];
    const char *side = t.sells ? "Sell" : "Buy";
    int len =
        snprintf(line, sizeof line,
                 "{\"securityType\":\"%s\",\"symbol\":\"%s\",\"orderType\":\"Limit\","
                 "\"limitPrice\":%d.%04d,\"orderQuantity\":%d,\"timeInForce\":\"Day\",",
                 t.kind == STOCK      ? "Stock"
                 : t.kind == CONTRACT ? "Option"
                                      : "Mleg",
                 t.kind == CONTRACT ? "AAPL260220C00150000" : "AAPL", t.cents / 100, t.cents * 37 % 10000, quantity);

    if (t.kind != SPREAD)
        snprintf(line + len, sizeof line - (size_t)len, "\"side\":\"%s\",\"openClose\":\"Open\"}", side);
    else
        snprintf(line + len, sizeof line - (size_t)len,
                 "\"legs\":[{\"symbol\":\"AAPL260220C00150000\",\"side\":\"%s\",\"ratio\":1,\"openClose\":\"Open\"},"
                 "{\"symbol\":\"AAPL260220C00160000\",\"side\":\"%s\",\"ratio\":2,\"openClose\":\"Open\"}]}",
                 side, t.sells ? "Buy" : "Sell");
    return line;
}

/* Returns a random book with limits close to what it already holds. */
static struct gate random_gate(uint64_t seed)
{
    char rules[600], facts[900];
    int held = below(&seed, 200), contracts = below(&seed, 20), working = below(&seed, 100);

    snprintf(rules, sizeof rules,
             "  position-limit: {level: refuse, shares: %d, contracts: %d}\n"
             "  exposure: {level: refuse, gross: %d, short: %d}\n"
             "  concentration: {level: refuse, most: %d%%}\n"
             "  option-contracts: {level: refuse, in_total: %d}\n"
             "  open-orders: {level: refuse, in_total: %d}\n"
             "  order-rate: {level: refuse, a_second: %d}\n",
             100 + below(&seed, 500), 10 + below(&seed, 60), 5000 + below(&seed, 30000), 1000 + below(&seed, 20000),
             10 + below(&seed, 90), 10 + below(&seed, 120), 2 + below(&seed, 3), 1 + below(&seed, 3));
    snprintf(facts, sizeof facts,
             "{\"account\":{\"equity\":%d},\"positions\":[{\"symbol\":\"AAPL\",\"side\":\"%s\",\"shares\":%d,"
             "\"priceAvg\":33.333333333333},{\"symbol\":\"AAPL\",\"tradedSymbol\":\"AAPL260220C00150000\","
             "\"securityType\":"
             "\"Option\",\"side\":\"Long\",\"shares\":%d,\"priceAvg\":1.2345}],\"orders\":[{\"clientOrderId\":\"w\","
             "\"orderStatus\":\"New\",\"symbol\":\"AAPL\",\"side\":\"Buy\",\"openClose\":\"Open\",\"orderQuantity\":%d,"
             "\"limitPrice\":20}]}",
             10000 + below(&seed, 60000), below(&seed, 2) ? "Long" : "Short", held + 1, contracts + 1, working + 1);
    return open_gate(rules, facts);
}

static void halves_pass_no_limit_that_stops_the_whole(void **state)
{
    int stopped = 0, passed = 0, halves_stopped = 0;

    (void)state;
    for (uint64_t seed = 1; seed <= 4000; seed++) {
        uint64_t dice = seed * 977;
        struct terms t = { below(&dice, KINDS), 1 + below(&dice, 6000), below(&dice, 2) };
        int quantity = 2 + below(&dice, t.kind == STOCK ? 400 : 30), part = 1 + below(&dice, quantity - 1);
        struct gate whole = random_gate(seed), halves = random_gate(seed);
        bool all = *decide(&whole, line_of(t, quantity), NULL) == '\0';
        bool both = *decide(&halves, line_of(t, part), NULL) == '\0' &&
                    *decide(&halves, line_of(t, quantity - part), NULL) == '\0';

        if (both && !all)
            fail_msg("seed %d: %s passes in two", (int)seed, line_of(t, quantity));
        passed += all;
        stopped += !all;
        halves_stopped += !both;
        close_gate(&whole);
        close_gate(&halves);
    }
    assert_true(passed > 400 && stopped > 400 && halves_stopped > stopped);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(orders_of_a_run_count_by_the_clock),
        cmocka_unit_test(what_the_gate_counted_counts_once),
        cmocka_unit_test(more_than_the_ring_holds),
        cmocka_unit_test(the_same_order_again),
        cmocka_unit_test(a_streak_of_rejections),
        cmocka_unit_test(an_unknown_outcome),
        cmocka_unit_test(an_unknown_outcome_told_by_facts),
        cmocka_unit_test(own_orders_meet),
        cmocka_unit_test(working_orders_are_open_until_they_end),
        cmocka_unit_test(a_spread_closes_what_is_not_held),
        cmocka_unit_test(a_call_is_written_beside_a_long_one),
        cmocka_unit_test(what_limits_an_orders_size),
        cmocka_unit_test(halves_pass_no_limit_that_stops_the_whole),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
