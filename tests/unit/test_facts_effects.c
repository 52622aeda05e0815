/*
 * Effects of accepted orders: what each reserves, that removing them is exact in any order, what a fill leaves, and
 * that loading a document removes them all.
 */
#include <stdio.h>

#include "facts_doc.h"

#define CALL  "AAPL260116C00150000"
#define CALL2 "AAPL260116C00155000"
#define PUT   "AAPL260116P00140000"

#define DOC                                                                                                            \
    "{\"account\":{\"bp\":10000.5,\"overnightBp\":5000},\"positions\":["                                               \
    "{\"symbol\":\"AAPL\",\"side\":\"Long\",\"shares\":100.25},{\"symbol\":\"AAPL\",\"side\":\"Long\",\"shares\":10}," \
    "{\"symbol\":\"" CALL "\",\"side\":\"Long\",\"shares\":3},{\"symbol\":\"" CALL2                                    \
    "\",\"side\":\"Short\",\"shares\":3}],"                                                                            \
    "\"orders\":[{\"clientOrderId\":\"w\",\"orderStatus\":\"New\",\"symbol\":\"AAPL\",\"side\":\"Sell\","              \
    "\"openClose\":\"Close\","                                                                                         \
    "\"leavesQuantity\":5.5}]}"

#define STOCK(id, side, oc, q)                                                                  \
    "{\"securityType\":\"Stock\",\"symbol\":\"AAPL\",\"side\":\"" side "\",\"openClose\":\"" oc \
    "\",\"orderType\":\"Limit\",\"limitPrice\":1,\"orderQuantity\":" q                          \
    ",\"timeInForce\":\"Day\",\"clientOrderId\":\"" id "\"}"
#define OPTION(id, symbol, side, oc, q)                                                                \
    "{\"securityType\":\"Option\",\"symbol\":\"" symbol "\",\"side\":\"" side "\",\"openClose\":\"" oc \
    "\",\"orderType\":\"Limit\",\"limitPrice\":1,\"orderQuantity\":" q                                 \
    ",\"timeInForce\":\"Day\",\"clientOrderId\":\"" id "\"}"
#define SPREAD(id, oc, q)                                                                                          \
    "{\"securityType\":\"Mleg\",\"symbol\":\"AAPL\",\"orderType\":\"Limit\",\"limitPrice\":1,\"orderQuantity\":" q \
    ",\"timeInForce\":\"Day\",\"clientOrderId\":\"" id "\",\"legs\":[{\"symbol\":\"" CALL                          \
    "\",\"side\":\"Sell\",\"ratio\":1,\"openClose\":\"" oc "\"},{\"symbol\":\"" CALL2                              \
    "\",\"side\":\"Buy\",\"ratio\":2,\"openClose\":\"" oc "\"}]}"

static enum og_status add(struct og_facts *f, const char *line, const char *cost)
{
    struct og_order *o = order_of(line);
    enum og_status s = og_facts_add(f, &(struct og_effect){ .order = o, .bp_cost = money(cost), .value = 700 });

    og_order_free(o);
    return s;
}

static void drop(struct og_facts *f, const char *line, const char *cost)
{
    struct og_order *o = order_of(line);

    og_facts_remove(f, &(struct og_effect){ .order = o, .bp_cost = money(cost), .value = 700 });
    og_order_free(o);
}

static enum og_status fill(struct og_facts *f, const char *line, const char *cost)
{
    struct og_order *o = order_of(line);
    enum og_status s =
        og_facts_fill(f, &(struct og_effect){ .order = o, .bp_cost = money(cost), .value = 700 }, o->quantity, 700);

    og_order_free(o);
    return s;
}

/* Returns everything that can be queried for the symbols and ids of these tests, as text. */
static char *told(const struct og_facts *f)
{
    static const char *const symbols[] = { "AAPL", CALL, CALL2, PUT, "MSFT" };
    static const char *const ids[] = { "a", "b", "c", "d", "e", "w" };
    const struct og_account *a = og_facts_account(f);
    const struct og_totals *t = og_facts_totals(f);
    struct og_money puts;
    struct og_buf b;
    int contracts = 0;

    og_buf_init(&b, 0);
    og_buf_format(&b, "bp %s %s\n", a ? og_money_text(a->bp).s : "-", a ? og_money_text(a->overnight_bp).s : "-");
    for (size_t i = 0; i < COUNT(symbols); i++) {
        const struct og_holding *h = og_facts_holding(f, og_str_of(symbols[i]));

        if (h)
            og_buf_format(&b, "%s held %s %s lots %d opening %d %d maybe %d %d closing %s %s writing %s working %d\n",
                          symbols[i], og_money_text(h->held_long).s, og_money_text(h->held_short).s, h->lots,
                          h->opening_buys, h->opening_sells, h->opening_buys_maybe, h->opening_sells_maybe,
                          og_money_text(h->closing_sells).s, og_money_text(h->closing_buys).s,
                          og_money_text(h->opening_sell_leaves).s, h->working);
    }
    for (const struct og_holding *h = og_facts_contracts(f, OG_STR("AAPL")); h; h = h->next_of_root) {
        assert_ptr_equal(og_facts_holding(f, h->traded), h); /* the chain has exactly the contracts with a position or a
                                                              * working order */
        contracts++;
    }
    og_buf_format(&b, "shorts %d %d\n", (int)og_facts_shorts(f, OG_STR("AAPL"), 'C'),
                  (int)og_facts_shorts(f, OG_STR("AAPL"), 'P'));
    for (size_t i = 1; i < 4; i++)
        contracts -= og_facts_holding(f, og_str_of(symbols[i])) != NULL;
    assert_int_equal(contracts, 0);
    for (size_t i = 0; i < COUNT(ids); i++)
        og_buf_format(&b, "%s=%d ", ids[i], (int)og_facts_id(f, (struct og_str){ ids[i], strlen(ids[i]) }));
    og_buf_format(&b, "worth %lld %lld unpriced %d orders %d contracts %d\n", (long long)t->longs, (long long)t->shorts,
                  t->unpriced, t->orders, (int)t->contracts);
    assert_true(og_facts_put_reserve(f, 0, &puts));
    og_buf_format(&b, "puts %s\n", og_money_text(puts).s);
    assert_false(b.bad);
    return b.s;
}

static void test_stock(void **state)
{
    struct og_facts *f = facts_of(DOC);
    const struct og_holding *h = og_facts_holding(f, OG_STR("AAPL"));

    (void)state;
    assert_int_equal(add(f, STOCK("a", "Buy", "Open", "7"), "70.25"), OG_OK);
    assert_int_equal(h->opening_buys, 1);
    assert_money(og_facts_account(f)->bp, "9930.25");
    assert_money(og_facts_account(f)->overnight_bp, "4929.75");
    assert_int_equal(og_facts_id(f, OG_STR("a")), OG_ID_ACCEPTED);
    assert_int_equal(add(f, STOCK("b", "Sell", "Close", "20"), "0"), OG_OK);
    assert_money(h->closing_sells, "25.5");
    assert_money(h->held_long, "110.25"); /* an order only reserves: what it may free is free only after it filled */
    assert_int_equal(add(f, STOCK("c", "Sell", "Open", "30"), "0"), OG_OK);
    assert_int_equal(h->opening_sells, 1);
    assert_money(h->opening_sell_leaves, "30");
    assert_int_equal(add(f, STOCK("d", "Buy", "Close", "4"), "0"), OG_OK);
    assert_money(h->closing_buys, "4");
    assert_int_equal(h->working, 5);
    og_facts_free(f);
}

static void test_spread(void **state)
{
    struct og_facts *f = facts_of(DOC);
    char *before = told(f), *after;
    const struct og_holding *h;

    (void)state;
    assert_int_equal(add(f, SPREAD("a", "Close", "3"), "12"), OG_OK);
    h = og_facts_holding(f, OG_STR(CALL));
    assert_money(h->closing_sells, "3");
    assert_int_equal(h->working, 1);
    assert_money(og_facts_holding(f, OG_STR(CALL2))->closing_buys, "6"); /* ratio 2 */
    assert_int_equal(og_facts_holding(f, OG_STR("AAPL"))->working, 2);
    assert_money(og_facts_account(f)->bp, "9988.5");
    assert_int_equal(add(f, SPREAD("b", "Open", "5"), "0"), OG_OK);
    assert_int_equal(h->opening_sells, 0);
    assert_int_equal(h->opening_sells_maybe, 1); /* a leg may or may not count as opposite */
    assert_money(h->opening_sell_leaves, "5");
    drop(f, SPREAD("a", "Close", "3"), "12");
    drop(f, SPREAD("b", "Open", "5"), "0");
    after = told(f);
    assert_string_equal(before, after);
    free(before);
    free(after);
    og_facts_free(f);
}

static void test_id_of_effects(void **state)
{
    struct og_facts *f = facts_of("{\"usedClientOrderIds\":[{\"id\":\"a\",\"outcome\":\"rejected\"}]}");

    (void)state;
    assert_int_equal(add(f, STOCK("a", "Buy", "Open", "1"), "0"), OG_OK);
    assert_int_equal(add(f, STOCK("a", "Buy", "Open", "1"), "0"), OG_OK);
    assert_int_equal(og_facts_id(f, OG_STR("a")), OG_ID_ACCEPTED);
    drop(f, STOCK("a", "Buy", "Open", "1"), "0");
    assert_int_equal(og_facts_id(f, OG_STR("a")), OG_ID_ACCEPTED);
    drop(f, STOCK("a", "Buy", "Open", "1"), "0");
    assert_int_equal(og_facts_id(f, OG_STR("a")), OG_ID_REJECTED);
    assert_int_equal(add(f, STOCK("b", "Buy", "Open", "1"), "0"), OG_OK);
    assert_int_equal(og_facts_use_id(f, OG_STR("b"), OG_ID_ACCEPTED), OG_OK);
    drop(f, STOCK("b", "Buy", "Open", "1"), "0");
    assert_int_equal(og_facts_id(f, OG_STR("b")), OG_ID_ACCEPTED); /* the id can never be used again */
    /* an order without symbol, side and id, which some policy accepted */
    assert_int_equal(add(f, "{}", "0"), OG_OK);
    drop(f, "{}", "0");
    assert_int_equal(add(f, "{\"symbol\":\"MSFT\"}", "0"), OG_OK);
    assert_int_equal(og_facts_holding(f, OG_STR("MSFT"))->working, 1);
    drop(f, "{\"symbol\":\"MSFT\"}", "0");
    assert_null(og_facts_holding(f, OG_STR("MSFT")));
    og_facts_free(f);
}

static void test_documents_drop_effects(void **state)
{
    struct og_facts *f = facts_of(DOC);
    char *before = told(f), *after;

    (void)state;
    assert_int_equal(add(f, STOCK("a", "Buy", "Open", "7"), "70.25"), OG_OK);
    assert_int_equal(add(f, STOCK("b", "Sell", "Close", "7"), "0"), OG_OK);
    assert_int_equal(add(f, OPTION("c", PUT, "Sell", "Open", "2"), "5"), OG_OK);
    take(f, "{}");
    after = told(f);
    assert_string_equal(before, after);
    free(before);
    free(after);
    og_facts_free(f);
}

static void test_fill(void **state)
{
    struct og_facts *f = facts_of(DOC);
    const struct og_holding *h = og_facts_holding(f, OG_STR("AAPL"));
    struct og_money m;

    (void)state;
    assert_int_equal(add(f, STOCK("a", "Buy", "Open", "7"), "70"), OG_OK);
    assert_int_equal(fill(f, STOCK("a", "Buy", "Open", "7"), "70"), OG_OK);
    assert_money(h->held_long, "117.25");
    assert_int_equal(h->lots, 3);
    assert_int_equal(h->opening_buys, 0);
    assert_int_equal(h->working, 1);
    assert_money(og_facts_account(f)->bp, "9930.5"); /* spent */
    assert_int_equal(og_facts_id(f, OG_STR("a")), OG_ID_ACCEPTED);
    assert_int_equal(add(f, STOCK("b", "Sell", "Close", "17"), "0"), OG_OK);
    assert_int_equal(fill(f, STOCK("b", "Sell", "Close", "17"), "0"), OG_OK);
    assert_money(h->held_long, "100.25");
    assert_money(h->closing_sells, "5.5"); /* the order in the document still works */
    assert_int_equal(h->lots, 3);
    /* closes that exceed the position leave nothing, never a negative quantity */
    assert_int_equal(add(f, STOCK("c", "Sell", "Close", "500"), "0"), OG_OK);
    assert_int_equal(fill(f, STOCK("c", "Sell", "Close", "500"), "0"), OG_OK);
    assert_money(h->held_long, "0");
    assert_int_equal(h->lots, 0);
    assert_int_equal(add(f, STOCK("d", "Sell", "Open", "8"), "0"), OG_OK);
    assert_int_equal(fill(f, STOCK("d", "Sell", "Open", "8"), "0"), OG_OK);
    assert_money(h->held_short, "8");
    assert_money(h->opening_sell_leaves, "0");
    assert_int_equal(add(f, STOCK("e", "Buy", "Close", "3"), "0"), OG_OK);
    assert_int_equal(fill(f, STOCK("e", "Buy", "Close", "3"), "0"), OG_OK);
    assert_money(h->held_short, "5");
    assert_money(h->closing_buys, "0");
    /* the same for options and spreads */
    assert_int_equal(add(f, OPTION("x", PUT, "Sell", "Open", "2"), "0"), OG_OK);
    assert_true(og_facts_put_reserve(f, 0, &m));
    assert_money(m, "28000");
    assert_int_equal(fill(f, OPTION("x", PUT, "Sell", "Open", "2"), "0"), OG_OK);
    assert_true(og_facts_put_reserve(f, 0, &m));
    assert_money(m, "28000");
    assert_money(og_facts_holding(f, OG_STR(PUT))->held_short, "2");
    assert_int_equal(add(f, SPREAD("y", "Close", "1"), "0"), OG_OK);
    assert_int_equal(fill(f, SPREAD("y", "Close", "1"), "0"), OG_OK);
    assert_money(og_facts_holding(f, OG_STR(CALL))->held_long, "2");
    assert_money(og_facts_holding(f, OG_STR(CALL2))->held_short, "1");
    assert_int_equal(h->working, 1);
    assert_int_equal(og_facts_holding(f, OG_STR(CALL))->working, 0);
    og_facts_free(f);
}

#define UNSAID(id, symbol, side, q)                                           \
    "{\"securityType\":\"Option\",\"symbol\":\"" symbol "\",\"side\":\"" side \
    "\",\"orderType\":\"Limit\",\"limitPrice\":1,\"orderQuantity\":" q        \
    ",\"timeInForce\":\"Day\",\"clientOrderId\":\"" id "\"}"

/* An order without openClose closes what it may close, and also opens what it may open. Both count while it works, and
 * after it filled until positions are read again. */
static void test_what_may_do_either(void **state)
{
    struct og_facts *f = facts_of(DOC);
    const struct og_holding *h = og_facts_holding(f, OG_STR(CALL));
    char *before = told(f), *after;
    struct og_money over;

    (void)state;
    assert_int_equal(add(f, UNSAID("a", CALL, "Sell", "2"), "0"), OG_OK);
    assert_money(h->closing_sells, "2");
    assert_money(h->opening_sell_leaves, "2");
    assert_int_equal(h->opening_sells_maybe, 1);
    assert_int_equal(og_facts_shorts(f, OG_STR("AAPL"), 'C'), 5);
    drop(f, UNSAID("a", CALL, "Sell", "2"), "0");
    after = told(f);
    assert_string_equal(after, before);
    free(after);
    assert_int_equal(add(f, UNSAID("a", CALL, "Sell", "2"), "0"), OG_OK);
    assert_int_equal(fill(f, UNSAID("a", CALL, "Sell", "2"), "0"), OG_OK);
    assert_money(h->held_long, "3");
    assert_money(h->held_short,
                 "0"); /* it is not certain that any position is left to close: all of it may have been closed */
    assert_money(h->closing_sells, "2");
    assert_money(h->opening_sell_leaves, "2");
    assert_int_equal(og_facts_totals(f)->contracts, 8);
    /* the excess of closes counts as opening; what may open in addition is counted once */
    assert_int_equal(add(f, OPTION("b", CALL, "Sell", "Close", "5"), "0"), OG_OK);
    assert_true(og_holding_over(h, OG_SELL, og_money_from(0), &over));
    assert_money(over, "2"); /* in addition to the two that count as opening */
    assert_int_equal(og_facts_totals(f)->over, 2);
    drop(f, OPTION("b", CALL, "Sell", "Close", "5"), "0");
    assert_int_equal(og_facts_totals(f)->over, 0);
    assert_int_equal(add(f, UNSAID("c", CALL, "Sell", "5"), "0"), OG_OK);
    assert_true(og_holding_over(h, OG_SELL, og_money_from(0), &over));
    assert_money(over, "0");
    free(before);
    og_facts_free(f);
}

/* A sum that og_money cannot represent exactly changes nothing. */
static void test_what_does_not_fit(void **state)
{
    struct og_facts *f = facts_of("{\"account\":{\"bp\":0.000000000000000001,\"overnightBp\":5},\"positions\":[{"
                                  "\"symbol\":\"AAPL\",\"side\":\"Long\","
                                  "\"shares\":0.000000000000000001}],\"orders\":[{\"clientOrderId\":\"w\","
                                  "\"orderStatus\":\"New\",\"symbol\":\"" CALL2 "\","
                                  "\"side\":\"Buy\",\"openClose\":\"Close\",\"leavesQuantity\":9223372036854775807}]}");
    char *before = told(f), *after;

    (void)state;
    assert_int_equal(add(f, STOCK("a", "Buy", "Open", "7"), "10"), OG_EINVAL); /* bp */
    assert_int_equal(add(f, SPREAD("a", "Close", "7"), "0"), OG_EINVAL);       /* only the second leg's sum fails */
    after = told(f);
    assert_string_equal(before, after);
    free(after);
    assert_int_equal(add(f, STOCK("a", "Buy", "Open", "1000000"), "0"), OG_OK);
    assert_int_equal(fill(f, STOCK("a", "Buy", "Open", "1000000"), "0"), OG_EINVAL);
    drop(f, STOCK("a", "Buy", "Open", "1000000"), "0"); /* the first order's effect was still applied */
    after = told(f);
    assert_string_equal(before, after);
    free(after);
    free(before);
    og_facts_free(f);
}

static void test_shorts_of_a_root(void **state)
{
    struct og_facts *f = facts_of(DOC);

    (void)state;
    assert_int_equal(og_facts_shorts(f, OG_STR("AAPL"), 'C'), 3);
    assert_int_equal(og_facts_shorts(f, OG_STR("AAPL"), 'P'), 0);
    assert_int_equal(og_facts_shorts(f, OG_STR("MSFT"), 'C'), 0);
    assert_int_equal(add(f, OPTION("a", PUT, "Sell", "Open", "2"), "0"), OG_OK);
    assert_int_equal(add(f, OPTION("b", CALL, "Sell", "Open", "5"), "0"), OG_OK);
    assert_int_equal(add(f, OPTION("c", CALL2, "Buy", "Close", "1"), "0"), OG_OK); /* the position stays short until the
                                                                                    * order fills */
    assert_int_equal(og_facts_shorts(f, OG_STR("AAPL"), 'C'), 8);
    assert_int_equal(og_facts_shorts(f, OG_STR("AAPL"), 'P'), 2);
    assert_int_equal(fill(f, OPTION("c", CALL2, "Buy", "Close", "1"), "0"), OG_OK);
    assert_int_equal(fill(f, OPTION("b", CALL, "Sell", "Open", "5"), "0"), OG_OK);
    assert_int_equal(og_facts_shorts(f, OG_STR("AAPL"), 'C'), 7);
    drop(f, OPTION("a", PUT, "Sell", "Open", "2"), "0");
    assert_int_equal(og_facts_shorts(f, OG_STR("AAPL"), 'P'), 0);
    take(f, "{\"positions\":[{\"symbol\":\"" PUT "\",\"side\":\"Short\",\"shares\":9223372036854775807},"
            "{\"symbol\":\"AAPL260116P00130000\",\"side\":\"Short\",\"shares\":9223372036854775807}]}");
    assert_true(og_facts_shorts(f, OG_STR("AAPL"), 'P') == INT64_MAX);
    og_facts_free(f);
}

static void test_put_reserve_out_of_range(void **state)
{
    struct og_facts *f =
        facts_of("{\"positions\":[{\"symbol\":\"X260116P99999999\",\"side\":\"Short\",\"shares\":1000000000000},"
                 "{\"symbol\":\"X260116P00000001\",\"side\":\"Short\",\"shares\":1}]}");
    struct og_money m;

    (void)state;
    assert_false(og_facts_put_reserve(f, 0, &m));
    assert_money(m, "0");
    take(f, "{\"positions\":[{\"symbol\":\"X260116P00000001\",\"side\":\"Short\",\"shares\":1}]}");
    assert_true(og_facts_put_reserve(f, 0, &m));
    assert_money(m, "0.1");
    og_facts_free(f);
}

/* --- random sequences --------------------------------------------------------------------------------------------- */

static uint64_t seed = 20260115;

static unsigned below(unsigned n)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (unsigned)(seed % n);
}

static const char *const lines[] = {
    STOCK("a", "Buy", "Open", "7"),
    STOCK("b", "Sell", "Close", "9"),
    STOCK("c", "Sell", "Open", "1000000"),
    STOCK("d", "Buy", "Close", "1"),
    OPTION("e", PUT, "Sell", "Open", "2"),
    OPTION("a", CALL, "Sell", "Close", "2"),
    OPTION("b", CALL2, "Buy", "Open", "4"),
    SPREAD("c", "Open", "3"),
    SPREAD("d", "Close", "100"),
    "{\"symbol\":\"MSFT\",\"securityType\":\"Stock\"}",
};
static const char *const costs[] = { "0", "0.1", "12.345", "99999", "1e9" };

enum { MOST_ON = 40, STEPS = 3000 };

/* After effects were added and removed in any sequence, the facts are as if only the remaining ones had ever been
 * added. */
static void test_any_order_of_adding_and_undoing(void **state)
{
    struct og_facts *f = facts_of(DOC), *fresh;
    struct {
        const char *line, *cost;
    } on[MOST_ON];
    char *seen, *wanted;
    unsigned count = 0;

    (void)state;
    for (int step = 0; step < STEPS; step++) {
        if (count < MOST_ON && (count == 0 || below(2))) {
            on[count].line = lines[below(COUNT(lines))];
            on[count].cost = costs[below(COUNT(costs))];
            assert_int_equal(add(f, on[count].line, on[count].cost), OG_OK);
            count++;
        } else {
            unsigned i = below(count);

            drop(f, on[i].line, on[i].cost);
            on[i] = on[--count];
        }
        if (step % 50 && count)
            continue;
        fresh = facts_of(DOC);
        for (unsigned i = 0; i < count; i++)
            assert_int_equal(add(fresh, on[i].line, on[i].cost), OG_OK);
        seen = told(f);
        wanted = told(fresh);
        assert_string_equal(seen, wanted);
        free(seen);
        free(wanted);
        og_facts_free(fresh);
    }
    og_facts_free(f);
}

/* A hundred thousand orders on one symbol and as many contracts: with a step of linear cost this would take hours. */
static void test_many_orders(void **state)
{
    enum { MANY = 100000 };
    struct og_facts *f = facts_of("{}");
    char line[256];

    (void)state;
    for (int i = 0; i < MANY; i++) {
        snprintf(line, sizeof line, STOCK("n%d", "Buy", "Open", "1"), i);
        assert_int_equal(add(f, line, "0"), OG_OK);
        snprintf(line, sizeof line, OPTION("o%d", "AAPL260116P%08d", "Sell", "Open", "1"), i, i);
        assert_int_equal(add(f, line, "0"), OG_OK);
    }
    assert_int_equal(og_facts_holding(f, OG_STR("AAPL"))->opening_buys, MANY);
    assert_int_equal(og_facts_id(f, OG_STR("n99999")), OG_ID_ACCEPTED);
    assert_int_equal(og_facts_id(f, OG_STR("n100000")), OG_ID_FREE);
    for (int i = 0; i < MANY; i++) {
        snprintf(line, sizeof line, OPTION("o%d", "AAPL260116P%08d", "Sell", "Open", "1"), i, i);
        drop(f, line, "0");
    }
    assert_null(og_facts_contracts(f, OG_STR("AAPL")));
    og_facts_free(f);
}

static int twins(const struct og_facts *f, const char *line)
{
    struct og_order *o = order_of(line);
    struct og_lookup_keys hashes = { .have = 0 };
    int n = og_facts_duplicates(f, o, &hashes);

    og_order_free(o);
    return n;
}

/* Orders with the same terms are counted while they work, those of documents and those of this run. */
static void test_twins(void **state)
{
    static const char *const working =
        "{\"orders\":[{\"clientOrderId\":\"w\",\"orderStatus\":\"New\",\"symbol\":\"AAPL\","
        "\"side\":\"Buy\",\"openClose\":\"Open\",\"orderQuantity\":7,\"limitPrice\":1}]}";
    struct og_facts *f = facts_of(NULL);
    cJSON *doc = doc_of(working);

    (void)state;
    assert_int_equal(twins(f, STOCK("z", "Buy", "Open", "7")), 0);
    assert_int_equal(add(f, STOCK("a", "Buy", "Open", "7"), "0"), OG_OK);
    assert_int_equal(add(f, STOCK("b", "Buy", "Open", "7"), "0"), OG_OK);
    assert_int_equal(add(f, STOCK("c", "Buy", "Open", "8"), "0"), OG_OK);
    assert_int_equal(add(f, SPREAD("d", "Open", "7"), "0"), OG_OK);
    assert_int_equal(twins(f, STOCK("z", "Buy", "Open", "7")), 2);
    assert_int_equal(twins(f, STOCK("z", "Buy", "Close", "7")), 0);
    assert_int_equal(twins(f, SPREAD("z", "Open", "7")), 0);
    drop(f, STOCK("a", "Buy", "Open", "7"), "0");
    assert_int_equal(twins(f, STOCK("z", "Buy", "Open", "7")), 1);
    assert_int_equal(fill(f, STOCK("b", "Buy", "Open", "7"), "0"), OG_OK);
    assert_int_equal(twins(f, STOCK("z", "Buy", "Open", "7")), 0);
    assert_int_equal(og_facts_load(f, doc, "again", NULL), OG_OK);
    assert_int_equal(twins(f, STOCK("z", "Buy", "Open", "7")), 1);
    assert_int_equal(twins(f, STOCK("z", "Buy", "Open", "8")), 0);
    cJSON_Delete(doc);
    og_facts_free(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stock),
        cmocka_unit_test(test_spread),
        cmocka_unit_test(test_id_of_effects),
        cmocka_unit_test(test_documents_drop_effects),
        cmocka_unit_test(test_fill),
        cmocka_unit_test(test_what_may_do_either),
        cmocka_unit_test(test_what_does_not_fit),
        cmocka_unit_test(test_shorts_of_a_root),
        cmocka_unit_test(test_put_reserve_out_of_range),
        cmocka_unit_test(test_any_order_of_adding_and_undoing),
        cmocka_unit_test(test_many_orders),
        cmocka_unit_test(test_twins),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
