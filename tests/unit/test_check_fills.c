/*
 * Fills of orders reserved in a linked book, compared with an independent model of the broker.
 *
 * Fills, acknowledgements, cancels and documents of any age arrive in any order: the room that is left is never more
 * than the true one, and exactly the true one after a complete new reading.
 */
#include "gate.h"

/* --- single cases ------------------------------------------------------------------------------------------------- */

static void a_part_fills_and_the_rest_is_canceled(void **state)
{
    struct gate g = open_gate();
    og_ticket t;

    (void)state;
    apply_at(&g, 0, NOTHING);
    t = reserve(&g, 1, STOCK("a", "Buy", "Open", "100", "190"));
    bp_is(&g, "81000");
    og_ticket_sent(g.book, t, START + 2 * MS);
    assert_int_equal(fill(&g, t, 40, "190", 3), OG_OK);
    bp_is(&g, "81000");
    holds(&g, "AAPL", "40 0, 60 0 0 0");
    og_ticket_release(g.book, t);
    og_ticket_release(g.book, t);
    bp_is(&g, "92400");
    holds(&g, "AAPL", "40 0, 0 0 0 0");                 /* 40 shares can be sold */
    assert_int_equal(fill(&g, t, 40, "190", 4), OG_OK); /* the same fill as reported before */
    bp_is(&g, "92400");
    assert_int_equal(og_facts_id(facts(&g), OG_STR("a")), OG_ID_ACCEPTED);
    close_gate(&g);
}

static void a_better_price_gives_the_difference_back(void **state)
{
    struct gate g = open_gate();
    og_ticket t;

    (void)state;
    apply_at(&g, 0, NOTHING);
    t = reserve(&g, 1, STOCK("a", "Buy", "Open", "100", "190"));
    assert_int_equal(fill(&g, t, 40, "180", 3), OG_OK);
    bp_is(&g, "81400");                                  /* paid 7,200 and 11,400 */
    assert_int_equal(fill(&g, t, 100, "186", 4), OG_OK); /* 186 is the average price */
    bp_is(&g, "81400");
    assert_int_equal(fill(&g, t, 60, "150", 5), OG_OK); /* an old report: it has a lower quantity than is known */
    bp_is(&g, "81400");
    holds(&g, "AAPL", "100 0, 0 0 0 0");
    assert_int_equal(og_facts_totals(facts(&g))->longs, 1860000);
    close_gate(&g);
}

static void tells_whether_positions_may_lack_a_fill(void **state)
{
    struct gate g = open_gate();
    og_ticket t;

    (void)state;
    assert_int_equal(og_book_settle_lag(g.book, 5 * MS), OG_OK);
    apply_at(&g, 0, NOTHING);
    t = reserve(&g, 1, STOCK("a", "Buy", "Open", "100", "190"));
    assert_false(og_book_lacks_fills(g.book, "L1", INT64_MAX));
    assert_int_equal(fill(&g, t, 40, "190", 10), OG_OK);
    assert_false(og_book_lacks_fills(g.book, "L1", START + 9 * MS)); /* not heard of by then */
    assert_false(og_book_lacks_fills(g.book, "another", INT64_MAX));
    assert_true(og_book_lacks_fills(g.book, "L1", START + 10 * MS));
    apply_at(&g, 14, NOTHING);
    assert_true(og_book_lacks_fills(g.book, "L1", START + 10 * MS));
    apply_at(&g, 15, NOTHING);
    assert_false(og_book_lacks_fills(g.book, "L1", INT64_MAX));
    close_gate(&g);
}

static void an_overfill_changes_nothing(void **state)
{
    struct gate g = open_gate();
    og_ticket t;

    (void)state;
    apply_at(&g, 0, NOTHING);
    t = reserve(&g, 1, STOCK("a", "Buy", "Open", "100", "190"));
    assert_int_equal(fill(&g, t, 101, "190", 3), OG_EINVAL);
    assert_int_equal(fill(&g, t, -2, "190", 3), OG_EINVAL);
    assert_int_equal(fill(&g, t, INT64_MAX, "190", 3), OG_EINVAL);
    assert_int_equal(fill(&g, t, INT64_MIN, "190", 3), OG_EINVAL);
    assert_int_equal(fill(&g, t, 1, "-1", 3), OG_EINVAL);
    for (int32_t scale = -1; scale <= 19; scale += 20) {
        struct og_money price = { 190, scale };

        assert_int_equal(og_ticket_fill(g.book, t, 1, price, START), OG_EINVAL);
        assert_int_equal(og_ticket_fill(g.book, t + 1, 1, price, START), OG_EINVAL);
    }
    assert_int_equal(fill(&g, t + 1, 101, "190", 3), OG_OK); /* there is no such ticket, so the report is ignored */
    bp_is(&g, "81000");
    holds(&g, "AAPL", "0 0, 100 0 0 0");
    close_gate(&g);
}

static void closes_options_and_spreads_fill_in_parts(void **state)
{
    struct gate g = open_gate();
    og_ticket t;

    (void)state;
    apply_at(&g, 0,
             BP("100000") ",\"orders\":[],\"positions\":[{\"symbol\":\"AAPL\",\"securityType\":\"Stock\","
                          "\"side\":\"Long\",\"shares\":100,\"priceAvg\":100}]");
    t = reserve(&g, 1, STOCK("s", "Sell", "Close", "70", "190"));
    assert_int_equal(fill(&g, t, 30, "191", 2), OG_OK);
    holds(&g, "AAPL", "70 0, 0 0 0 40");
    og_ticket_release(g.book, t);
    holds(&g, "AAPL", "70 0, 0 0 0 0");
    bp_is(&g, "100000"); /* only a document says how much buying power a sale gives back */

    t = reserve(&g, 3, OPTION("o", "Buy", "Open", "10", "2"));
    bp_is(&g, "98000");
    assert_int_equal(fill(&g, t, 4, "1.5", 4), OG_OK);
    bp_is(&g, "98200"); /* paid 600 and 1,200 */
    holds(&g, CALL, "4 0, 6 0 0 0");
    og_ticket_release(g.book, t);
    bp_is(&g, "99400");

    t = reserve(&g, 5, SPREAD("m", "6"));
    bp_is(&g, "98200");
    assert_int_equal(fill(&g, t, 2, "2", 6), OG_OK);
    bp_is(&g, "98200");
    holds(&g, CALL, "6 0, 4 0 0 0");
    holds(&g, CALL2, "0 2, 0 4 0 0");
    og_ticket_release(g.book, t);
    bp_is(&g, "99000");
    holds(&g, CALL2, "0 2, 0 0 0 0");

    t = reserve(&g, 7, STOCK("h", "Sell", "Open", "100", "190"));
    bp_is(&g, "80000");
    assert_int_equal(fill(&g, t, 50, "195", 8), OG_OK);
    bp_is(&g, "79750"); /* 9,750 for the shorts, and 9,500 for the rest, which still works */
    close_gate(&g);
}

static void what_is_sold_may_be_heard_before_what_was_bought(void **state)
{
    struct gate g = open_gate();
    og_ticket bought, sold;

    (void)state;
    apply_at(&g, 0, NOTHING);
    bought = reserve(&g, 1, STOCK("b", "Buy", "Open", "30", "190"));
    sold = reserve(&g, 2, STOCK("s", "Sell", "Close", "8", "190"));
    assert_int_equal(fill(&g, sold, 5, "190", 3), OG_OK);
    assert_int_equal(fill(&g, bought, 30, "190", 4), OG_OK);
    holds(&g, "AAPL", "30 0, 0 0 0 8"); /* 22 are left to sell */
    assert_int_equal(fill(&g, sold, 6, "190", 5), OG_OK);
    holds(&g, "AAPL", "24 0, 0 0 0 2");
    close_gate(&g);
}

/* Two closes sell the position twice, and both fill: one perhaps before positions were read, the other afterwards. The
 * second counts as the close, but it may be the one that opened a short position, whose worth is then the price at
 * which it sold. */
static void a_close_of_unknown_worth_that_filled_may_have_opened(void **state)
{
    static const struct {
        const char *held, *side, *of;
    } closes[] = {
        { "\"symbol\":\"AAPL\",\"securityType\":\"Stock\",\"side\":\"Long\"", "Sell", "AAPL" },
        { "\"symbol\":\"AAPL\",\"securityType\":\"Stock\",\"side\":\"Short\"", "Buy", "AAPL" },
        { "\"symbol\":\"AAPL\",\"securityType\":\"Option\",\"tradedSymbol\":\"" CALL "\",\"side\":\"Long\"", "Sell",
          CALL },
        { "\"symbol\":\"AAPL\",\"securityType\":\"Option\",\"tradedSymbol\":\"" CALL "\",\"side\":\"Short\"", "Buy",
          CALL },
    };
    char document[300], line[300], quote[100];

    (void)state;
    for (size_t i = 0; i < sizeof closes / sizeof closes[0]; i++) {
        struct gate g = open_gate();
        og_ticket t[3];

        snprintf(document, sizeof document,
                 BP("100000") ",\"orders\":[],\"positions\":[{%s,\"shares\":3,\"priceAvg\":100}]", closes[i].held);
        apply_at(&g, 0, document);
        for (int k = 0; k < 3; k++) {
            snprintf(line, sizeof line,
                     "{\"securityType\":\"%s\",\"symbol\":\"%s\",\"side\":\"%s\",\"openClose\":\"Close\",\"orderType\":"
                     "\"Market\",\"orderQuantity\":%d,\"timeInForce\":\"Day\",\"clientOrderId\":\"c%d\"}",
                     closes[i].of[4] ? "Option" : "Stock", closes[i].of, closes[i].side, k == 2 ? 1 : 3, k);
            snprintf(quote, sizeof quote, "{\"symbol\":\"%s\",\"bid\":%d,\"ask\":%d}", closes[i].of, k ? 0 : 90,
                     k ? 0 : 91);
            assert_int_equal(og_book_quote(g.book, quote, strlen(quote), NULL), OG_OK);
            t[k] = reserve(&g, 1 + k, line);
            if (k == 0)
                apply_at(&g, 2, document);
            assert_int_equal(og_facts_exposure(facts(&g)).unpriced, k > 0);
        }
        assert_int_equal(fill(&g, t[0], 3, "0", 4), OG_OK);
        og_ticket_release(g.book, t[2]);
        assert_int_equal(og_facts_exposure(facts(&g)).unpriced, 1);
        assert_int_equal(fill(&g, t[1], 3, "0", 60000), OG_OK);
        assert_int_equal(og_facts_exposure(facts(&g)).unpriced, 1);
        close_gate(&g);
    }
}

static void a_row_and_a_ticket_count_once(void **state)
{
    struct gate g = open_gate();
    og_ticket t;

    (void)state;
    apply_at(&g, 0, NOTHING);
    t = reserve(&g, 1, STOCK("a", "Buy", "Open", "100", "190"));
    apply_at(&g, 500,
             "\"orders\":[{\"accountId\":\"L1\",\"clientOrderId\":\"a\",\"orderStatus\":\"New\",\"symbol\":\"AAPL\","
             "\"securityType\":\"Stock\",\"side\":\"Buy\",\"openClose\":\"Open\",\"orderQuantity\":100,"
             "\"leavesQuantity\":100,\"executed\":0,\"limitPrice\":190}]");
    holds(&g, "AAPL", "0 0, 100 0 0 0");
    bp_is(&g, "81000"); /* the document's bp is the account's bp again */
    assert_int_equal(og_facts_totals(facts(&g))->orders, 1);
    apply_at(&g, 900, BP("90000"));
    bp_is(&g, "71000"); /* the document may not include the fill */
    apply_at(&g, 4499, BP("81000"));
    bp_is(&g, "62000");
    apply_at(&g, 4500, BP("81000"));
    bp_is(&g, "81000"); /* this document includes the fill */
    og_ticket_forget(g.book, t);
    holds(&g, "AAPL", "0 0, 100 0 0 0"); /* counted by the row, in the list loaded before */
    bp_is(&g, "81000");
    close_gate(&g);
}

static void a_row_of_other_terms_counts_beside_the_ticket(void **state)
{
    struct gate g = open_gate();

    (void)state;
    apply_at(&g, 0, NOTHING);
    reserve(&g, 1, STOCK("a", "Buy", "Open", "100", "190"));
    apply_at(&g, 500,
             "\"orders\":[{\"accountId\":\"L1\",\"clientOrderId\":\"a\",\"orderStatus\":\"New\",\"symbol\":\"AAPL\","
             "\"securityType\":\"Stock\",\"side\":\"Buy\",\"openClose\":\"Open\",\"orderQuantity\":70,"
             "\"leavesQuantity\":70,\"executed\":0,\"limitPrice\":190}]");
    holds(&g, "AAPL", "0 0, 170 0 0 0");
    close_gate(&g);
}

#define ROW_OF(side, limit, stop)                                                                            \
    "\"orders\":[{\"accountId\":\"L1\",\"clientOrderId\":\"a\",\"orderStatus\":\"New\",\"symbol\":\"AAPL\"," \
    "\"securityType\":\"Stock\",\"side\":\"" side "\",\"openClose\":\"Open\",\"orderQuantity\":100,"         \
    "\"leavesQuantity\":100,\"executed\":0,\"limitPrice\":" limit ",\"priceStop\":" stop "}]"

/* A field that the broker repeats as it was sent shows that the row is another program's order with the same id. */
static void a_row_of_another_side_or_price_counts_beside_the_ticket(void **state)
{
    static const struct {
        const char *row, *counts;
        bool sells;
    } rows[] = {
        { ROW_OF("Sell", "190", "0"), "0 0, 100 100 0 0", false },
        { ROW_OF("SellShort", "190", "0"), "0 0, 100 100 0 0", false },
        { ROW_OF("Buy", "1900", "0"), "0 0, 200 0 0 0", false },
        { ROW_OF("Buy", "190.01", "0"), "0 0, 200 0 0 0", false },
        { ROW_OF("Buy", "190.00", "0"), "0 0, 100 0 0 0", false },
        { ROW_OF("Buy", "0", "180"), "0 0, 100 0 0 0", false }, /* the quantity that is not shown cannot be compared */
        { ROW_OF("Buy", "190", "0"), "0 0, 100 100 0 0", true },
        { ROW_OF("SellShort", "190", "0"), "0 0, 0 100 0 0", true },
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct gate g = open_gate();

        apply_at(&g, 0, NOTHING);
        reserve(&g, 1,
                rows[i].sells ? STOCK("a", "Sell", "Open", "100", "190") : STOCK("a", "Buy", "Open", "100", "190"));
        apply_at(&g, 500, rows[i].row);
        holds(&g, "AAPL", rows[i].counts);
        close_gate(&g);
    }
}

static void an_order_in_flight_and_its_ticket_count_once(void **state)
{
    struct gate g = open_gate();

    (void)state;
    apply_at(&g, 0, NOTHING);
    reserve(&g, 1, STOCK("a", "Buy", "Open", "100", "190"));
    apply_at(&g, 500, "\"gate\":{\"inFlight\":[" STOCK("a", "Buy", "Open", "100", "190") "]}");
    holds(&g, "AAPL", "0 0, 100 0 0 0");
    bp_is(&g, "81000");
    close_gate(&g);
}

static void positions_from_before_a_fill_do_not_end_it(void **state)
{
    struct gate g = open_gate();
    og_ticket t;

    (void)state;
    apply_at(&g, 0, NOTHING);
    t = reserve(&g, 1, STOCK("a", "Buy", "Open", "100", "190"));
    assert_int_equal(fill(&g, t, 100, "190", 1000), OG_OK);
    holds(&g, "AAPL", "100 0, 0 0 0 0");
    apply_at(&g, 900, "\"positions\":[]"); /* requested before the fill, answered after it */
    /* counted, but not available to be sold: the answer may be from before or after the fill */
    holds(&g, "AAPL", "0 0, 100 0 0 0");
    apply_at(&g, 2000, "\"positions\":[]");
    holds(&g, "AAPL", "0 0, 100 0 0 0");
    apply_at(&g, 3000, "\"positions\":[{\"symbol\":\"AAPL\",\"side\":\"Long\",\"shares\":100,\"priceAvg\":190}]");
    holds(&g, "AAPL", "100 0, 0 0 0 0");
    bp_is(&g, "81000"); /* the account document is from before the fill */
    apply_at(&g, 3000, BP("81000"));
    bp_is(&g, "81000");
    apply_at(&g, 100, BP("100000") ",\"positions\":[]"); /* an older document that arrives late */
    bp_is(&g, "81000");
    holds(&g, "AAPL", "100 0, 0 0 0 0");
    close_gate(&g);
}

/* A list whose request took nine seconds shows a fill that has just happened: late positions may lack it. */
static void a_list_that_took_long_shows_what_has_just_happened(void **state)
{
#define HELD(n) "\"positions\":[{\"symbol\":\"AAPL\",\"side\":\"Long\",\"shares\":" n "}]"
#define ROWS                                                                                                 \
    "\"orders\":[{\"clientOrderId\":\"a\",\"symbol\":\"AAPL\",\"securityType\":\"Stock\",\"side\":\"Sell\"," \
    "\"orderStatus\":\"Filled\",\"orderQuantity\":10,\"executed\":10,\"leavesQuantity\":0,\"priceAvg\":190," \
    "\"orderType\":\"Limit\",\"limitPrice\":190,\"priceStop\":0}]"
    struct og_error err;

    (void)state;
    for (int heard = 0; heard < 2; heard++) { /* reported by a frame before the list, or by the list alone */
        struct gate g = open_gate();
        og_ticket t;

        assert_int_equal(og_book_settle_lag(g.book, 2 * S), OG_OK);
        apply_at(&g, 0, BP("100000") ",\"orders\":[]," HELD("55"));
        t = reserve(&g, 1, STOCK("a", "Sell", "Close", "10", "190"));
        if (heard)
            assert_int_equal(fill(&g, t, 10, "190", 14400), OG_OK);
        assert_false(og_book_distrust_future(g.book, START + 14600 * MS, &err));
        apply_at(&g, 5000, ROWS "," HELD("55"));
        holds(&g, "AAPL", "55 0, 0 0 0 10");
        apply_at(&g, 15000, ROWS "," HELD("55"));
        holds(&g, "AAPL", "55 0, 0 0 0 10");
        apply_at(&g, 16700, ROWS "," HELD("45"));
        holds(&g, "AAPL", "45 0, 0 0 0 0");
        close_gate(&g);
    }
}

static void many_fills_after_positions_count_beside_them(void **state)
{
    struct gate g = open_gate();
    og_ticket t;

    (void)state;
    apply_at(&g, 0, BP("100000") ",\"positions\":[{\"symbol\":\"AAPL\",\"side\":\"Long\",\"shares\":50}]");
    t = reserve(&g, 1, STOCK("a", "Sell", "Close", "50", "190"));
    assert_int_equal(fill(&g, t, 13, "190", 3), OG_OK);
    apply_at(&g, 60000, "\"positions\":[{\"symbol\":\"AAPL\",\"side\":\"Long\",\"shares\":37}]");
    for (int i = 0; i < 36; i++) {
        assert_int_equal(fill(&g, t, 14 + i, "190", 60001 + i), OG_OK);
        holds(&g, "AAPL", "37 0, 0 0 0 37"); /* the closed quantity is neither a position nor left to close */
    }
    og_ticket_release(g.book, t);
    holds(&g, "AAPL", "37 0, 0 0 0 36"); /* one is left to close */
    apply_at(&g, 120000, "\"positions\":[{\"symbol\":\"AAPL\",\"side\":\"Long\",\"shares\":1}]");
    holds(&g, "AAPL", "1 0, 0 0 0 0");
    close_gate(&g);
}

static void many_fills_after_an_account_leave_what_filled_near_it(void **state)
{
    struct gate g = open_gate();
    og_ticket t;

    (void)state;
    assert_int_equal(og_book_settle_lag(g.book, 2 * S), OG_OK);
    apply_at(&g, 0, NOTHING);
    t = reserve(&g, 1, STOCK("a", "Buy", "Open", "100", "190"));
    og_ticket_sent(g.book, t, START + 2 * MS);
    apply_at(&g, 60000, BP("81000")); /* the bp is net of the working order */
    assert_int_equal(fill(&g, t, 20, "190", 61000), OG_OK);
    bp_is(&g, "77200"); /* the fill may be of the resting quantity: this bp deducts it as reserved, and not as paid */
    for (int i = 1; i < 30; i++) {
        assert_int_equal(fill(&g, t, 20 + i, "190", 70000 + i), OG_OK);
        bp_is(&g, "77200");
    }
    close_gate(&g);
}

#define ROW(what, side, size, price) \
    "{\"symbol\":\"AAPL\"," what ",\"side\":\"" side "\",\"shares\":" size ",\"priceAvg\":" price "}"
#define CONTRACT(name) "\"securityType\":\"Option\",\"tradedSymbol\":\"" name "\""
#define SHARES         ROW("\"securityType\":\"Stock\"", "Long", "100", "190")
#define SHORT_CALL     ROW(CONTRACT("AAPL260220C00150000"), "Short", "1", "5")
#define LONG_CALL      ROW(CONTRACT("AAPL260220C00160000"), "Long", "1", "4")

/* Shares cover a written call, and a long call covers it if the shares are sold, so the sale reserves the width of
 * the two. The reservation lasts until an account document certainly includes it, even if the call is bought back
 * before. */
static void what_a_sale_of_cover_takes_ends_with_the_account(void **state)
{
    struct gate g = open_gate();
    og_ticket t;

    (void)state;
    assert_int_equal(og_book_settle_lag(g.book, 2 * S), OG_OK);
    apply_at(&g, 0, BP("100000") ",\"orders\":[],\"positions\":[" SHARES "," SHORT_CALL "," LONG_CALL "]");
    t = reserve(&g, 1, STOCK("a", "Sell", "Close", "100", "190"));
    bp_is(&g, "99000");
    apply_at(&g, 5000, BP("100000") ",\"orders\":[],\"positions\":[" SHARES "," LONG_CALL "]");
    bp_is(&g, "99000"); /* not sent yet */
    og_ticket_sent(g.book, t, START + 6 * S);
    apply_at(&g, 7999, BP("100000"));
    bp_is(&g, "99000");
    apply_at(&g, 8000,
             BP("100000")); /* this document includes the order, and that it no longer reserves buying power */
    bp_is(&g, "100000");
    assert_int_equal(fill(&g, t, 100, "190", 9000), OG_OK);
    bp_is(&g, "99000"); /* the fill may have happened before that reading began */
    apply_at(&g, 11000, BP("100000"));
    bp_is(&g, "100000");
    close_gate(&g);
}

static void what_left_the_list_ends(void **state)
{
    struct gate g = open_gate();
    struct og_ticket_info info;
    og_ticket t;

    (void)state;
    apply_at(&g, 0, NOTHING);
    t = reserve(&g, 1, STOCK("a", "Buy", "Open", "100", "190"));
    og_ticket_sent(g.book, t, START + 100 * MS);
    apply_at(&g, 2000, NOTHING); /* too early to conclude anything */
    bp_is(&g, "81000");
    apply_at(&g, 2100, NOTHING); /* over: filled or canceled */
    holds(&g, "AAPL", "0 0, 100 0 0 0");
    apply_at(&g, 6099, NOTHING);
    holds(&g, "AAPL", "0 0, 100 0 0 0"); /* the order may have filled by the end of that reading, whose figures lag */
    apply_at(&g, 6100,
             BP("81000") ",\"orders\":[],\"positions\":[{\"symbol\":\"AAPL\",\"side\":\"Long\",\"shares\":100,"
                         "\"priceAvg\":190}]");
    holds(&g, "AAPL", "100 0, 0 0 0 0");
    bp_is(&g, "81000");
    assert_int_equal(og_book_tickets(g.book, 0, g.order, &info), 0);
    close_gate(&g);
}

static void what_left_the_list_counts_where_lists_prove_nothing(void **state)
{
    static const int64_t lags[] = { 1000 * MS, OG_SETTLE_MOST, OG_LIST_LAG_FOREVER };
    struct og_ticket_info info;
    og_ticket t;

    (void)state;
    for (size_t i = 0; i < sizeof lags / sizeof *lags; i++) {
        struct gate g = open_gate();

        assert_int_equal(og_book_list_lag(g.book, lags[i]), OG_OK);
        apply_at(&g, 0, NOTHING);
        t = reserve(&g, 1, STOCK("a", "Buy", "Open", "100", "190"));
        og_ticket_sent(g.book, t, START + 100 * MS);
        for (int at = 900; at < 86400000; at += 6000000)
            apply_at(&g, at, NOTHING);
        assert_int_equal(og_book_tickets(g.book, 0, g.order, &info), i == 0 ? 0 : t);
        if (i != 0)
            holds(&g, "AAPL", "0 0, 100 0 0 0");
        og_ticket_release(g.book, t);
        assert_int_equal(og_book_tickets(g.book, 0, g.order, &info), 0);
        close_gate(&g);
    }
}

static void a_list_lag_has_bounds(void **state)
{
    struct gate g = open_gate();

    (void)state;
    assert_int_equal(og_book_list_lag(g.book, -1), OG_EINVAL);
    assert_int_equal(og_book_list_lag(g.book, OG_SETTLE_MOST + 1), OG_EINVAL);
    assert_int_equal(og_book_list_lag(g.book, 0), OG_OK);
    assert_int_equal(og_book_list_lag(NULL, 0), OG_EINVAL);
    close_gate(&g);
}

static void another_programs_order_counts_once(void **state)
{
    struct gate g = open_gate();
    og_ticket t;

    (void)state;
    apply_at(&g, 1000,
             BP("100000") ",\"positions\":[],\"orders\":[{\"accountId\":\"L1\",\"clientOrderId\":\"a\",\"orderStatus\":"
                          "\"PartiallyFilled\",\"symbol\":\"AAPL\",\"securityType\":\"Stock\",\"side\":\"Buy\","
                          "\"openClose\":\"Open\","
                          "\"orderQuantity\":100,\"leavesQuantity\":60,\"executed\":40,\"priceAvg\":190,\"limitPrice\":"
                          "190}]");
    assert_int_equal(og_order_read(g.order, STOCK("a", "Buy", "Open", "100", "190"),
                                   strlen(STOCK("a", "Buy", "Open", "100", "190"))),
                     OG_OK);
    assert_int_equal(og_reserve_sent(g.book, g.order, START + 500 * MS, g.scratch, &t), OG_OK);
    holds(&g, "AAPL", "0 0, 100 0 0 0"); /* it is not known whether the positions include the 40 */
    assert_int_equal(og_facts_totals(facts(&g))->orders, 1);
    bp_is(&g, "81000");
    og_ticket_release(g.book, t);
    holds(&g, "AAPL", "0 0, 40 0 0 0");
    close_gate(&g);
}

static void tickets_can_be_listed(void **state)
{
    struct gate g = open_gate();
    struct og_ticket_info info;
    og_ticket t[3];

    (void)state;
    apply_at(&g, 0, NOTHING);
    t[0] = reserve(&g, 1, STOCK("a", "Buy", "Open", "100", "190"));
    t[1] = reserve(&g, 2, STOCK("b", "Buy", "Open", "10", "190"));
    t[2] = reserve(&g, 3, STOCK("c", "Buy", "Open", "1", "190"));
    assert_int_equal(fill(&g, t[2], 1, "190", 4), OG_OK);
    og_ticket_release(g.book, t[0]);
    assert_int_equal(og_book_tickets(g.book, 0, g.order, &info), t[1]);
    assert_string_equal(og_order_client_id(g.order), "b");
    assert_string_equal(og_order_account(g.order), "L1");
    assert_int_equal(info.state, OG_TICKET_HELD);
    assert_int_equal(info.at_ns, START + 2 * MS);
    assert_int_equal(info.quantity, 10);
    assert_string_equal(og_money_text(info.reserved).s, "1900");
    assert_int_equal(og_book_tickets(g.book, t[1], g.order, &info), t[2]);
    assert_int_equal(info.state, OG_TICKET_OVER);
    assert_int_equal(info.executed, 1);
    assert_int_equal(og_book_tickets(g.book, t[2], g.order, &info), 0);
    og_ticket_forget(g.book, t[2]);
    assert_int_equal(og_book_tickets(g.book, t[1], g.order, &info), 0);
    close_gate(&g);
}

/* --- the model ---------------------------------------------------------------------------------------------------- */

#define ORDERS 24
#define LOTS   200
#define LAG    (2 * S)

static uint64_t seed;

static int rnd(int below)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (int)((seed >> 33) % (uint64_t)below);
}

struct fill_event {
    int64_t at, in_positions, in_bp; /* when the fill happened, and from when on the figures include it */
    int quantity, price;
};

struct mine {
    bool buys, told, acked, other;
    og_ticket ticket;
    int quantity, limit, executed;
    int64_t cents;                  /* dollars paid for `executed` */
    int64_t made, at_broker, ended; /* time of each step; 0: not yet */
    struct fill_event fill[12];
    int fills, heard; /* number of events that happened, and of those that the book was told */
    bool ended_heard;
    int64_t hear_at; /* when the book will be told the oldest event that it does not know */
};

struct world {
    struct gate g;
    int64_t now;
    struct mine order[ORDERS];
    int orders;
    int shares; /* shares held at the start, bought at 100 dollars each */
    bool trace;
};

static int leaves(const struct mine *o, int64_t at)
{
    int left = o->quantity;

    if (!o->at_broker || o->at_broker > at || (o->ended && o->ended <= at))
        return 0;
    for (int i = 0; i < o->fills; i++)
        left -= o->fill[i].at <= at ? o->fill[i].quantity : 0;
    return left;
}

/* Returns bp in dollars: as the broker's figures show it at that time if `figures`, otherwise the true amount. */
static int64_t bp_of(const struct world *w, int64_t at, bool figures)
{
    int64_t bp = 1000000;

    for (int i = 0; i < w->orders; i++) {
        const struct mine *o = &w->order[i];

        if (!o->buys)
            continue;
        bp -= (int64_t)leaves(o, at) * o->limit;
        for (int k = 0; k < o->fills; k++)
            if ((figures ? o->fill[k].in_bp : o->fill[k].at) <= at)
                bp -= (int64_t)o->fill[k].quantity * o->fill[k].price;
    }
    return bp;
}

static int64_t held_of(const struct world *w, int64_t at, bool figures)
{
    int64_t held = w->shares;

    for (int i = 0; i < w->orders; i++)
        for (int k = 0; k < w->order[i].fills; k++)
            if ((figures ? w->order[i].fill[k].in_positions : w->order[i].fill[k].at) <= at)
                held += w->order[i].buys ? w->order[i].fill[k].quantity : -w->order[i].fill[k].quantity;
    return held;
}

static int64_t closing_of(const struct world *w, int64_t at)
{
    int64_t closing = 0;

    for (int i = 0; i < w->orders; i++)
        closing += w->order[i].buys ? 0 : leaves(&w->order[i], at);
    return closing;
}

/* Returns the value of what is held and of what may still be bought. */
static int64_t at_stake_of(const struct world *w, int64_t at)
{
    int64_t all = held_of(w, at, false);

    for (int i = 0; i < w->orders; i++)
        all += w->order[i].buys ? leaves(&w->order[i], at) : 0;
    return all;
}

static void write_orders(const struct world *w, struct og_buf *b, int64_t at, bool with_ended)
{
    bool first = true;

    og_buf_text(b, ",\"orders\":[");
    for (int i = 0; i < w->orders; i++) {
        const struct mine *o = &w->order[i];
        int left = leaves(o, at), done = 0;

        for (int k = 0; k < o->fills; k++)
            done += o->fill[k].at <= at ? o->fill[k].quantity : 0;
        if (!o->at_broker || o->at_broker > at || (!left && !with_ended))
            continue;
        og_buf_format(b,
                      "%s{\"accountId\":\"L1\",\"clientOrderId\":\"o%d\",\"orderStatus\":\"%s\",\"symbol\":\"AAPL\","
                      "\"securityType\":\"Stock\",\"side\":\"%s\",\"openClose\":\"%s\",\"orderQuantity\":%d,"
                      "\"leavesQuantity\":%d,\"executed\":%d,\"limitPrice\":%d}",
                      first ? "" : ",", i,
                      done == o->quantity ? "Filled"
                      : !left             ? "Canceled"
                      : done              ? "PartiallyFilled"
                                          : "New",
                      o->buys ? "Buy" : "Sell", o->buys ? "Open" : "Close", o->quantity, left, done, o->limit);
        first = false;
    }
    og_buf_text(b, "]");
}

/* A document whose request began at `began`; each part of it is from a later moment of its own. */
static char *document(struct world *w, int64_t began, int parts)
{
    struct og_buf b;
    int64_t held;

    og_buf_init(&b, 0);
    og_buf_format(&b, "{\"asOf\":\"%s\",\"accountId\":\"L1\"", og_time_text(began).s);
    if (parts & 1)
        og_buf_format(
            &b, ",\"account\":{\"account\":\"L1\",\"bp\":%lld}",
            (long long)bp_of(w, began + rnd((int)(w->now - began > S ? 1000 : (w->now - began) / MS + 1)) * MS, true));
    held = held_of(w, began + rnd((int)(w->now - began > S ? 1000 : (w->now - began) / MS + 1)) * MS, true);
    if (parts & 2)
        og_buf_format(
            &b, held ? ",\"positions\":[{\"symbol\":\"AAPL\",\"side\":\"Long\",\"shares\":%lld}]" : ",\"positions\":[]",
            (long long)held);
    if (parts & 4)
        write_orders(w, &b, began + rnd((int)(w->now - began > S ? 1000 : (w->now - began) / MS + 1)) * MS, rnd(2));
    og_buf_text(&b, "}");
    assert_false(b.bad);
    og_buf_char(&b, '\0');
    return b.s;
}

static void line_of(const struct mine *o, int i, char *line, size_t size)
{
    snprintf(line, size,
             "{\"securityType\":\"Stock\",\"symbol\":\"AAPL\",\"side\":\"%s\",\"openClose\":\"%s\",\"orderType\":"
             "\"Limit\",\"orderQuantity\":%d,\"limitPrice\":%d,\"timeInForce\":\"Day\",\"clientOrderId\":\"o%d\"}",
             o->buys ? "Buy" : "Sell", o->buys ? "Open" : "Close", o->quantity, o->limit, i);
}

/* Report the order to the book by a row of the broker, in either shape; sometimes an earlier state comes again. */
static void tell_by_row(struct world *w, int i)
{
    struct mine *o = &w->order[i];
    const bool frame = rnd(2);
    const int old = rnd(3) ? o->fills : rnd(o->fills + 1);
    char row[400];
    og_ticket moved;

    for (int upto = o->fills;; upto = old) {
        int done = 0;
        int64_t paid = 0;
        const bool ended = upto == o->fills && o->ended;

        for (int k = 0; k < upto; k++) {
            done += o->fill[k].quantity;
            paid += (int64_t)o->fill[k].quantity * o->fill[k].price;
        }
        snprintf(row, sizeof row,
                 "{\"accountId\":\"L1\",\"%s\":\"%so%d\",\"orderStatus\":\"%s\",\"orderQuantity\":%d,\"executed\":%d,"
                 "\"priceAvg\":%s,\"symbol\":\"AAPL\"}",
                 frame ? "userOrderId" : "clientOrderId", frame ? "L1:" : "", i,
                 done == o->quantity ? "Filled"
                 : ended             ? "Canceled"
                 : done              ? "PartiallyFilled"
                                     : "New",
                 o->quantity, done,
                 done ? og_money_text((struct og_money){ (paid * 1000000000 + done - 1) / done, 9 }).s : "0");
        assert_int_equal(og_book_row(w->g.book, "L1", row, strlen(row), w->now, &moved, NULL), OG_OK);
        assert_true(moved == o->ticket || moved == 0);
        if (upto == old)
            break;
    }
    o->acked = true;
    o->heard = o->fills;
    o->ended_heard |= o->ended != 0;
    o->hear_at = 0;
}

/* Report to the book the oldest event that it does not know. */
static void tell(struct world *w, int i)
{
    struct mine *o = &w->order[i];
    struct og_decision d;
    char line[400];
    int done = 0;
    int64_t paid = 0;

    if (!o->told) {
        line_of(o, i, line, sizeof line);
        assert_int_equal(og_order_read(w->g.order, line, strlen(line)), OG_OK);
        assert_int_equal(o->other ? og_reserve_sent(w->g.book, w->g.order, o->made, w->g.scratch, &o->ticket)
                                  : og_reserve(w->g.book, w->g.order, w->now, w->g.scratch, &d, &o->ticket),
                         OG_OK);
        assert_true(o->ticket);
        o->told = true;
        if (!o->other)
            return;
    }
    if (o->at_broker && rnd(3) == 0) {
        tell_by_row(w, i);
        return;
    }
    if (o->at_broker && (!o->acked || rnd(4) == 0)) {
        og_ticket_sent(w->g.book, o->ticket, w->now);
        o->acked = true;
    }
    for (int k = 0; k < o->fills; k++) {
        done += o->fill[k].quantity;
        paid += (int64_t)o->fill[k].quantity * o->fill[k].price;
        if (k + 1 > o->heard && (k + 1 == o->fills || rnd(2))) {                  /* two events may be told together */
            struct og_money price = { (paid * 1000000000 + done - 1) / done, 9 }; /* rounded up, since the price is an
                                                                                   * average */

            if (paid % done == 0)
                price = og_money_from(paid / done);
            assert_int_equal(og_ticket_fill(w->g.book, o->ticket, done, price, w->now), OG_OK);
            o->heard = k + 1;
        }
    }
    if (o->ended && !o->ended_heard) {
        og_ticket_release(w->g.book, o->ticket);
        o->ended_heard = true;
    }
    o->hear_at = 0;
}

static void happened(struct world *w, struct mine *o)
{
    if (!o->hear_at)
        o->hear_at = w->now + rnd(900) * MS;
}

static void happens(struct world *w, int i)
{
    struct mine *o = &w->order[i];
    int left;

    if (!o->at_broker) {
        if (o->told || o->other)
            o->at_broker = w->now, happened(w, o);
        return;
    }
    left = leaves(o, w->now);
    if (!left)
        return;
    if (rnd(4) == 0) {
        o->ended = w->now;
    } else if (o->fills < 12) {
        struct fill_event *e = &o->fill[o->fills++];

        *e = (struct fill_event){ .at = w->now,
                                  .quantity = rnd(2) ? left : 1 + rnd(left),
                                  .price = o->limit - (o->buys ? rnd(3) : 0) };
        e->in_positions = w->now + rnd(1950) * MS;
        e->in_bp = w->now + rnd(1950) * MS;
        if (leaves(o, w->now) == 0)
            o->ended = w->now;
    }
    happened(w, o);
}

static bool all_heard(const struct world *w)
{
    for (int i = 0; i < w->orders; i++)
        if (w->order[i].hear_at || (w->order[i].at_broker && !w->order[i].told))
            return false;
    return true;
}

static struct og_money book_bp(const struct world *w)
{
    return og_facts_account(facts(&w->g))->bp;
}

#define TRACE(...) (getenv("OG_FILL_TRACE") ? print_message(__VA_ARGS__) : (void)0)
static void never_more_than_there_is(const struct world *w)
{
    const struct og_holding *h = og_facts_holding(facts(&w->g), OG_STR("AAPL"));
    int64_t closable = h ? og_money_floor(h->held_long) - og_money_floor(h->closing_sells) : 0;
    int64_t stake = h ? og_money_floor(h->held_long) + og_money_floor(h->opening_buy_leaves) : 0;
    struct og_money most;

    /* average prices are rounded, so an amount computed from two of them may differ by less than a cent */
    assert_true(og_money_add(og_money_from(bp_of(w, w->now, false)), (struct og_money){ 1, 2 }, &most));
    if (og_money_cmp(book_bp(w), most) > 0)
        fail_msg("bp is %s, truly %lld", og_money_text(book_bp(w)).s, (long long)bp_of(w, w->now, false));
    if (closable > held_of(w, w->now, false) - closing_of(w, w->now))
        fail_msg("%lld can be sold, truly %lld", (long long)closable,
                 (long long)(held_of(w, w->now, false) - closing_of(w, w->now)));
    if (stake < at_stake_of(w, w->now))
        fail_msg("%lld at stake, truly %lld", (long long)stake, (long long)at_stake_of(w, w->now));
}

static void exactly_what_there_is(const struct world *w)
{
    const struct og_holding *h = og_facts_holding(facts(&w->g), OG_STR("AAPL"));

    assert_string_equal(og_money_text(book_bp(w)).s, og_money_text(og_money_from(bp_of(w, w->now, false))).s);
    assert_int_equal(h ? og_money_floor(h->held_long) : 0, held_of(w, w->now, false));
    assert_int_equal(h ? og_money_floor(h->closing_sells) : 0, closing_of(w, w->now));
    assert_int_equal(h ? og_money_floor(h->held_long) + og_money_floor(h->opening_buy_leaves) : 0,
                     at_stake_of(w, w->now));
}

static void make(struct world *w)
{
    struct mine *o = &w->order[w->orders];
    int64_t closable = held_of(w, w->now, false) - closing_of(w, w->now);

    for (int i = 0; i < w->orders; i++) /* the orders that are still to come will close as well */
        if (!w->order[i].buys && !w->order[i].at_broker)
            closable -= w->order[i].quantity;
    *o = (struct mine){ .buys = closable < 1 || rnd(3), .other = rnd(4) == 0, .limit = 50 + rnd(10), .made = w->now };
    o->quantity = 1 + rnd(o->buys ? 40 : (int)closable);
    if (o->other)
        o->at_broker = w->now, o->hear_at = w->now + rnd(900) * MS;
    w->orders++;
    if (!o->other)
        tell(w, w->orders - 1);
}

/* Load a whole document of this moment. */
static void apply_whole(struct world *w)
{
    char *json = document(w, w->now, 7);

    apply(&w->g, json);
    free(json);
}

#define LATER 8
struct later {
    char *json;
    int64_t due;
};

/* Carry out everything that is due until then, each at its time. */
static void go_on(struct world *w, struct later *later, int64_t until)
{
    for (;;) {
        int64_t next = until;
        int hears = -1, comes = -1;

        for (int i = 0; i < w->orders; i++)
            if (w->order[i].hear_at && w->order[i].hear_at <= next) {
                next = w->order[i].hear_at;
                hears = i;
            }
        for (int i = 0; i < LATER; i++)
            if (later[i].json && later[i].due <= next) {
                next = later[i].due;
                comes = i;
            }
        w->now = next > w->now ? next : w->now;
        if (comes >= 0) {
            TRACE("%lld apply %s\n", (long long)((w->now - START) / MS), later[comes].json);
            apply(&w->g, later[comes].json);
            free(later[comes].json);
            later[comes].json = NULL;
        } else if (hears >= 0) {
            TRACE("%lld tell %d: %d of %d\n", (long long)((w->now - START) / MS), hears,
                  w->order[hears].quantity - leaves(&w->order[hears], w->now), w->order[hears].quantity);
            tell(w, hears);
        } else {
            return;
        }
        if (all_heard(w))
            never_more_than_there_is(w);
    }
}

static void run(uint64_t number)
{
    struct world w = { .g = open_gate(), .now = START, .shares = 0 };
    struct later later[LATER] = { { 0 } };

    seed = number * 7919 + 1;
    w.shares = rnd(100);
    w.now += S;
    apply_whole(&w);
    for (int step = 0; step < 120; step++) {
        go_on(&w, later, w.now + rnd(rnd(3) ? 100 : 1500) * MS);
        switch (rnd(6)) {
        case 0:
            if (w.orders < ORDERS)
                make(&w);
            break;
        case 1:
        case 2:
        case 3:
            if (w.orders) {
                int i = rnd(w.orders);

                happens(&w, i);
                TRACE("%lld %s %d leaves %d fills %d ended %d\n", (long long)((w.now - START) / MS),
                      w.order[i].buys ? "buy" : "sell", i, leaves(&w.order[i], w.now), w.order[i].fills,
                      w.order[i].ended != 0);
            }
            break;
        default: {
            size_t at = (size_t)rnd(LATER);

            if (!later[at].json) { /* its request begins now, and its answer arrives some time later */
                later[at].json = document(&w, w.now - (int64_t)rnd(1000) * MS, 1 + rnd(7));
                later[at].due = w.now + (rnd(3) ? 0 : (int64_t)rnd(6000) * MS);
            }
        }
        }
        if (all_heard(&w))
            never_more_than_there_is(&w);
    }
    go_on(&w, later, w.now + 8 * S);   /* all documents have arrived, and all fills are in the figures */
    for (int i = 0; i < w.orders; i++) /* orders that never reached the broker are known to have failed */
        if (!w.order[i].at_broker)
            og_ticket_release(w.g.book, w.order[i].ticket);
    apply_whole(&w);
    never_more_than_there_is(&w);
    exactly_what_there_is(&w);
    close_gate(&w.g);
}

static void as_the_broker_has_it(void **state)
{
    const char *many = getenv("OG_FILL_RUNS"), *from = getenv("OG_FILL_SEED");
    const uint64_t first = from ? strtoull(from, NULL, 10) : 1, runs = many ? strtoull(many, NULL, 10) : 400;

    (void)state;
    for (uint64_t n = first; n < first + runs; n++) {
        char text[60];

        snprintf(text, sizeof text, "%llu", (unsigned long long)n);
        setenv("OG_FILL_AT", text, 1);
        run(n);
    }
}

static int name_the_seed(void **state)
{
    (void)state;
    if (getenv("OG_FILL_AT"))
        print_message("the last run was OG_FILL_SEED=%s\n", getenv("OG_FILL_AT"));
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_part_fills_and_the_rest_is_canceled),
        cmocka_unit_test(a_better_price_gives_the_difference_back),
        cmocka_unit_test(an_overfill_changes_nothing),
        cmocka_unit_test(closes_options_and_spreads_fill_in_parts),
        cmocka_unit_test(what_is_sold_may_be_heard_before_what_was_bought),
        cmocka_unit_test(a_close_of_unknown_worth_that_filled_may_have_opened),
        cmocka_unit_test(a_row_and_a_ticket_count_once),
        cmocka_unit_test(a_row_of_other_terms_counts_beside_the_ticket),
        cmocka_unit_test(a_row_of_another_side_or_price_counts_beside_the_ticket),
        cmocka_unit_test(an_order_in_flight_and_its_ticket_count_once),
        cmocka_unit_test(positions_from_before_a_fill_do_not_end_it),
        cmocka_unit_test(a_list_that_took_long_shows_what_has_just_happened),
        cmocka_unit_test(many_fills_after_positions_count_beside_them),
        cmocka_unit_test(many_fills_after_an_account_leave_what_filled_near_it),
        cmocka_unit_test(what_a_sale_of_cover_takes_ends_with_the_account),
        cmocka_unit_test(what_left_the_list_ends),
        cmocka_unit_test(what_left_the_list_counts_where_lists_prove_nothing),
        cmocka_unit_test(a_list_lag_has_bounds),
        cmocka_unit_test(another_programs_order_counts_once),
        cmocka_unit_test(tickets_can_be_listed),
        cmocka_unit_test(tells_whether_positions_may_lack_a_fill),
        cmocka_unit_test(as_the_broker_has_it),
    };

    return cmocka_run_group_tests(tests, NULL, name_the_seed);
}
