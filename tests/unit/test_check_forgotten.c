/*
 * An order whose ticket is forgotten counts by its row, at no less than its ticket was worth, until a list of orders
 * is read again: when the row was read, its quote may have been old, wrong or missing.
 */
#include "gate.h"

#define QUOTE(symbol, bid, ask, at) "\"" symbol "\":{\"bid\":" bid ",\"ask\":" ask ",\"asOf\":\"" at "\"}"
#define NOON                        "2026-01-15T17:00:00Z"
#define GOOD                                                                                                          \
    "\"quotes\":{" QUOTE("AAPL", "189.9", "190", NOON) "," QUOTE(CALL, "3.9", "4", NOON) "," QUOTE(CALL2, "1.9", "2", \
                                                                                                   NOON) "}"
#define OLD                                                                                      \
    "\"quotes\":{" QUOTE("AAPL", "45", "46", "2026-01-15T14:00:00Z") "," QUOTE(CALL, "1", "1.1", \
                                                                               "2026-01-15T14:00:00Z") "}"
#define BAD \
    "\"quotes\":{" QUOTE("AAPL", "0", "0", NOON) "," QUOTE(CALL, "9", "4", NOON) "," QUOTE(CALL2, "0", "0", NOON) "}"

#define BUY(id, quantity)                                                                                    \
    "{\"securityType\":\"Stock\",\"symbol\":\"AAPL\",\"side\":\"Buy\",\"openClose\":\"Open\",\"orderType\":" \
    "\"Market\",\"orderQuantity\":" quantity ",\"timeInForce\":\"Day\",\"clientOrderId\":\"" id "\"}"

#define ROW(id, security, traded, side, oc, type, quantity, left, limit)                                              \
    "{\"accountId\":\"L1\",\"clientOrderId\":\"" id "\",\"orderStatus\":\"New\",\"symbol\":\"AAPL\",\"tradedSymbol\"" \
    ":\"" traded "\",\"securityType\":\"" security "\",\"side\":\"" side "\",\"openClose\":\"" oc                     \
    "\",\"orderType\":\"" type "\",\"orderQuantity\":" quantity ",\"leavesQuantity\":" left ",\"limitPrice\":" limit  \
    "}"
#define LIST(positions, row) "\"positions\":[" positions "],\"orders\":[" row "]"

/* Assert the cents of longs and shorts, and the number of unknown values. */
static void exposed(const struct gate *g, int64_t longs, int64_t shorts, int unpriced)
{
    const struct og_beyond e = og_facts_exposure(facts(g));
    char is[100], wanted[100];

    snprintf(is, sizeof is, "%lld %lld, %d", (long long)e.longs, (long long)e.shorts, e.unpriced);
    snprintf(wanted, sizeof wanted, "%lld %lld, %d", (long long)longs, (long long)shorts, unpriced);
    assert_string_equal(is, wanted);
}

/* Reserve an order while quotes are right, and forget its ticket after a list that was read with other quotes. */
static og_ticket forgotten(struct gate *g, const char *line, const char *quotes, const char *list)
{
    char rest[1900];
    og_ticket t;

    t = reserve(g, 100, line);
    og_ticket_sent(g->book, t, START + 200 * MS);
    snprintf(rest, sizeof rest, "%s,%s", quotes, list);
    apply_at(g, 4000, rest);
    og_ticket_forget(g->book, t);
    return t;
}

static struct gate quoted(void)
{
    struct gate g = open_gate();

    apply_at(&g, 0, NOTHING "," GOOD);
    return g;
}

static void a_quote_that_is_old_takes_nothing_off(void **state)
{
    struct gate g = quoted();

    (void)state;
    (void)forgotten(&g, BUY("a", "20"), OLD,
                    LIST("", ROW("a", "Stock", "AAPL", "Buy", "Open", "Market", "20", "20", "0")));
    exposed(&g, 380000, 0, 0);
    close_gate(&g);
}

static void a_quote_that_is_none_leaves_it_known(void **state)
{
    struct gate g = quoted();

    (void)state;
    (void)forgotten(&g, BUY("a", "20"), BAD,
                    LIST("", ROW("a", "Stock", "AAPL", "Buy", "Open", "Market", "20", "20", "0")));
    exposed(&g, 380000, 0, 0);
    close_gate(&g);
}

static void a_higher_quote_counts(void **state)
{
    static const char high[] = "\"quotes\":{" QUOTE("AAPL", "199", "200", NOON) "}";
    struct gate g = quoted();

    (void)state;
    (void)forgotten(&g, BUY("a", "20"), high,
                    LIST("", ROW("a", "Stock", "AAPL", "Buy", "Open", "Market", "20", "20", "0")));
    exposed(&g, 400000, 0, 0);
    close_gate(&g);
}

static void the_rest_of_it_counts_in_part(void **state)
{
    struct gate g = quoted();

    (void)state;
    (void)forgotten(&g, BUY("a", "20"), BAD,
                    LIST("", ROW("a", "Stock", "AAPL", "Buy", "Open", "Market", "20", "5", "0")));
    exposed(&g, 95000, 0, 0);
    close_gate(&g);
}

static void a_sale_that_opens_is_worth_what_was_bid(void **state)
{
    struct gate g = quoted();

    (void)state;
    (void)forgotten(&g, STOCK("a", "Sell", "Open", "10", "150"), BAD,
                    LIST("", ROW("a", "Stock", "AAPL", "SellShort", "Open", "Limit", "10", "10", "150")));
    exposed(&g, 0, 190000, 0);
    close_gate(&g);
}

static void contracts_are_worth_a_hundred_shares(void **state)
{
    struct gate g = quoted();

    (void)state;
    (void)forgotten(&g, OPTION("a", "Sell", "Open", "3", "3"), BAD,
                    LIST("", ROW("a", "Option", CALL, "Sell", "Open", "Limit", "3", "3", "3")));
    exposed(&g, 0, 120000, 0);
    close_gate(&g);
}

/* Closes sell 8, and only 5 are held: the other 3 may be sold short. */
static void closes_of_more_than_is_held_are_worth_what_was_bid(void **state)
{
    static const char held[] = "{\"symbol\":\"AAPL\",\"securityType\":\"Stock\",\"side\":\"Long\",\"shares\":5,"
                               "\"priceAvg\":190}";
    struct gate g = open_gate();
    char list[1500];

    (void)state;
    snprintf(list, sizeof list, BP("100000") ",\"positions\":[%s],\"orders\":[]," GOOD, held);
    apply_at(&g, 0, list);
    snprintf(list, sizeof list, "\"positions\":[%s],\"orders\":[%s]", held,
             ROW("a", "Stock", "AAPL", "Sell", "Close", "Limit", "8", "8", "150"));
    (void)forgotten(&g, STOCK("a", "Sell", "Close", "8", "150"), BAD, list);
    exposed(&g, 95000, 57000, 0);
    close_gate(&g);
}

#define LEG(symbol, side) \
    "{\"symbol\":\"" symbol "\",\"side\":\"" side "\",\"qty\":5,\"lvsQty\":5,\"openClose\":\"Open\"}"
#define SPREAD_ROW                                                                                                \
    "{\"accountId\":\"L1\",\"clientOrderId\":\"a\",\"orderStatus\":\"New\",\"symbol\":\"AAPL\",\"securityType\":" \
    "\"MLEG\",\"orderQuantity\":5,\"leavesQuantity\":5,\"limitPrice\":2,\"legs\":[" LEG(CALL, "Buy") "," LEG(     \
        CALL2, "Sell") "]}"

/* A spread that bought 5 at 4.00 and sold 5 at 2.00. */
static void a_spread_is_worth_its_legs(void **state)
{
    static const char *const quotes[] = { OLD, BAD };

    (void)state;
    for (int i = 0; i < 2; i++) {
        struct gate g = quoted();

        (void)forgotten(&g, SPREAD("a", "5"), quotes[i], LIST("", SPREAD_ROW));
        exposed(&g, 200000, 100000, 0);
        holds(&g, CALL2, "0 0, 0 5 0 0");
        close_gate(&g);
    }
}

/* Other documents do not change the order's value; the next list is valued by the quotes at its time. */
static void until_a_list_is_read(void **state)
{
    const char *const row = ROW("a", "Stock", "AAPL", "Buy", "Open", "Market", "20", "20", "0");
    struct gate g = quoted();
    char list[1000];

    (void)state;
    snprintf(list, sizeof list, "\"positions\":[],\"orders\":[%s]", row);
    (void)forgotten(&g, BUY("a", "20"), OLD, list);
    apply_at(&g, 5000, BP("90000"));
    exposed(&g, 380000, 0, 0);
    apply_at(&g, 6000, "\"positions\":[]," BAD);
    exposed(&g, 380000, 0, 0);
    apply_at(&g, 7000, list);
    exposed(&g, 0, 0, 1);
    close_gate(&g);
}

/* If an order was accepted without a quote, its value is bounded only by the order's own prices. */
static void what_no_ticket_knew_stays_unknown(void **state)
{
    struct gate g = open_gate();

    (void)state;
    apply_at(&g, 0, NOTHING);
    (void)forgotten(&g, STOCK("a", "Sell", "Open", "10", "150"), BAD,
                    LIST("", ROW("a", "Stock", "AAPL", "SellShort", "Open", "Limit", "10", "10", "150")));
    exposed(&g, 0, 150000, 1);
    close_gate(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_quote_that_is_old_takes_nothing_off),
        cmocka_unit_test(a_quote_that_is_none_leaves_it_known),
        cmocka_unit_test(a_higher_quote_counts),
        cmocka_unit_test(the_rest_of_it_counts_in_part),
        cmocka_unit_test(a_sale_that_opens_is_worth_what_was_bid),
        cmocka_unit_test(contracts_are_worth_a_hundred_shares),
        cmocka_unit_test(closes_of_more_than_is_held_are_worth_what_was_bid),
        cmocka_unit_test(a_spread_is_worth_its_legs),
        cmocka_unit_test(until_a_list_is_read),
        cmocka_unit_test(what_no_ticket_knew_stays_unknown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
