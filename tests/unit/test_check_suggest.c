/*
 * Each suggestion passes, while the next larger quantity, the price one tick nearer, and the second before do not.
 */
#include <stdio.h>

#include "ordergate/ordergate.h"
#include "unit.h"

#define AT INT64_C(1768489200000000000) /* 2026-01-15T15:00:00Z, a Thursday, 10:00 in New York */

static const char facts[] =
    "{\"asOf\":\"2026-01-15T14:59:59Z\",\"accountId\":\"L1\",\"account\":{\"account\":\"L1\","
    "\"accountStatus\":\"Active\","
    "\"accountType\":\"Live\",\"bp\":100000,\"overnightBp\":100000,\"availableCash\":50000,\"optLevel\":4,"
    "\"optionTradingLevel\":4},\"positions\":[{\"symbol\":\"MSFT\",\"securityType\":\"Stock\",\"side\":\"Long\","
    "\"shares\":250,\"priceAvg\":400}],\"orders\":[],\"usedClientOrderIds\":[],\"routes\":[{\"routeName\":\"SMART\","
    "\"securityTypes\":[\"Stock\",\"Option\",\"MLEG\"],\"timesInForce\":[\"Day\"]}],"
    "\"quotes\":{\"AAPL\":{\"bid\":190.4,\"ask\":190.5,"
    "\"last\":190.45},\"MSFT\":{\"bid\":400,\"ask\":400.1,\"last\":400},\"PENY\":{\"bid\":0.5,\"ask\":0.51,"
    "\"last\":0.5},\"XRSD\":{\"bid\":190.03,\"ask\":190.02},\"FARO\":{\"bid\":0,\"ask\":190.02},"
    "\"FINE\":{\"bid\":190.4,\"ask\":190.4567,\"last\":190.4},"
    "\"AAPL261218C00190000\":{\"bid\":12,\"ask\":12.1,\"last\":12},"
    "\"AAPL261218P00190000\":{\"bid\":11,\"ask\":11.1,\"last\":11}}}";

/* 250 MSFT are held: a stop closes 100 of them, a target 150 */
static const char closing[] =
    "{\"asOf\":\"2026-01-15T14:59:59Z\",\"accountId\":\"L1\",\"orders\":[{\"clientOrderId\":\"stop1\","
    "\"symbol\":\"MSFT\",\"securityType\":\"Stock\",\"side\":\"Sell\",\"openClose\":\"Close\",\"orderStatus\":\"New\","
    "\"orderType\":\"Stop\",\"orderQuantity\":100,\"leavesQuantity\":100,\"priceStop\":350},"
    "{\"clientOrderId\":\"target1\",\"symbol\":\"MSFT\",\"securityType\":\"Stock\",\"side\":\"Sell\","
    "\"openClose\":\"Close\",\"orderStatus\":\"New\",\"orderType\":\"Limit\",\"orderQuantity\":150,"
    "\"leavesQuantity\":150,\"limitPrice\":405}]}";

static const char policy_text[] =
    "ordergate: 1\nname: suggest\nextends: [default]\nrules:\n  price-collar:\n    away: "
    "5%\n    reasons: {limit-away-from-quote: refuse, stop-away-from-market: refuse}\n"
    "  close-position:\n    reasons: {close-exceeds-position: refuse, mleg-close-not-held: refuse}\n"
    "  mleg-strategy:\n    reasons: {mleg-net-price-impossible: refuse}\n"
    "  stop-price:\n    reasons: {stop-price-sub-penny: refuse}\n";

struct gate {
    struct og_book *book;
    struct og_order *order;
    struct og_scratch *scratch;
};

static void gate_open(struct gate *g)
{
    struct og_error err = { 0 };
    struct og_policy *policy = NULL;

    assert_int_equal(og_policy_read(policy_text, sizeof policy_text - 1, "suggest", &policy, NULL, NULL, &err), OG_OK);
    assert_int_equal(og_book_new(policy, &g->book), OG_OK);
    assert_int_equal(og_book_apply(g->book, NULL, facts, sizeof facts - 1, "facts", &err), OG_OK);
    g->order = og_order_new();
    g->scratch = og_scratch_new();
    assert_true(g->order && g->scratch);
}

static void gate_close(struct gate *g)
{
    og_order_free(g->order);
    og_scratch_free(g->scratch);
    og_book_free(g->book);
}

static bool passes(struct gate *g, int64_t at)
{
    struct og_decision d;

    og_check(g->book, g->order, at, g->scratch, &d);
    return d.accepted;
}

static struct og_suggestion suggest(struct gate *g, const char *line, int64_t at)
{
    struct og_suggestion s;

    assert_int_equal(og_order_read(g->order, line, strlen(line)), OG_OK);
    og_suggest(g->book, g->order, at, g->scratch, &s);
    return s;
}

#define STOCK(symbol, rest)                            \
    "{\"securityType\":\"Stock\",\"symbol\":\"" symbol \
    "\",\"timeInForce\":\"Day\",\"clientOrderId\":\"a1\",\"route\":\"SMART\"," rest "}"

static void the_largest_quantity(void **state)
{
    struct gate g;
    struct og_suggestion s;

    (void)state;
    gate_open(&g);
    s = suggest(&g,
                STOCK("AAPL", "\"side\":\"Buy\",\"openClose\":\"Open\",\"orderType\":\"Limit\","
                              "\"limitPrice\":190.5,\"orderQuantity\":1000"),
                AT);
    assert_int_equal(s.what, OG_SUGGEST_QUANTITY);
    assert_int_equal(s.quantity, 524); /* 100,000 / 190.5 */
    s = suggest(
        &g, STOCK("MSFT", "\"side\":\"Sell\",\"openClose\":\"Close\",\"orderType\":\"Market\",\"orderQuantity\":300"),
        AT);
    assert_int_equal(s.what, OG_SUGGEST_QUANTITY);
    assert_int_equal(s.quantity, 250);
    s = suggest(
        &g, STOCK("MSFT", "\"side\":\"Sell\",\"openClose\":\"Close\",\"orderType\":\"Market\",\"orderQuantity\":99.5"),
        AT);
    assert_int_equal(s.quantity, 99);
    gate_close(&g);
}

#define LIMIT(symbol, side, limit)                                                                             \
    STOCK(symbol, "\"side\":\"" side "\",\"openClose\":\"Open\",\"orderType\":\"Limit\",\"limitPrice\":" limit \
                  ",\"orderQuantity\":1")
#define STOP(symbol, side, open_close, stop)                                                                          \
    STOCK(symbol, "\"side\":\"" side "\",\"openClose\":\"" open_close "\",\"orderType\":\"Stop\",\"stopPrice\":" stop \
                  ",\"orderQuantity\":1")
#define CALL(side, limit)                                                                                        \
    "{\"securityType\":\"Option\",\"symbol\":\"AAPL261218C00190000\",\"timeInForce\":\"Day\",\"clientOrderId\":" \
    "\"a1\",\"route\":\"SMART\",\"side\":\"" side                                                                \
    "\",\"openClose\":\"Open\",\"orderType\":\"Limit\",\"limitPrice\":" limit ",\"orderQuantity\":1}"

/* A price that is rounded to a tick is suggested; in place of a mistyped one, only the market's price for a limit, and
 * nothing for a stop. */
static void the_price_that_was_meant(void **state)
{
    static const struct {
        const char *line, *price; /* NULL: no price is suggested */
    } cases[] = {
        { LIMIT("AAPL", "Buy", "190.456"), "190.46" },
        { LIMIT("AAPL", "Sell", "190.456"), "190.46" },
        { LIMIT("AAPL", "Buy", "250"), "190.5" },  /* not 200.02, 5% above the ask */
        { LIMIT("AAPL", "Buy", "1900"), "190.5" }, /* a slipped decimal point */
        { LIMIT("AAPL", "Buy", "-10"), "190.5" },
        { LIMIT("AAPL", "Buy", "0"), "190.5" },
        { LIMIT("XRSD", "Buy", "1900"), "190.02" }, /* by a crossed quote */
        { LIMIT("FARO", "Buy", "1900"), "190.02" }, /* by one without a bid */
        { LIMIT("AAPL", "Sell", "19"), "190.4" },   /* not 180.88, 5% below the bid */
        { LIMIT("AAPL", "Sell", "-10"), "190.4" },
        { LIMIT("PENY", "Buy", "0.99"), "0.51" },
        { LIMIT("PENY", "Buy", "0.50001"), "0.5" },
        { LIMIT("FINE", "Buy", "250"), NULL }, /* the ask is between two ticks */
        { LIMIT("NONE", "Buy", "-10"), NULL }, /* there is no quote */
        { CALL("Buy", "120"), "12.1" },
        { CALL("Buy", "-1"), "12.1" },
        { STOP("AAPL", "Sell", "Open", "200"), NULL }, /* on the wrong side of the market: it would trigger at once */
        { STOP("MSFT", "Sell", "Close", "40"), NULL }, /* a slipped decimal point: at 60.01 it protects nothing */
        { STOP("MSFT", "Sell", "Close", "-1"), NULL },
        { STOP("MSFT", "Sell", "Close", "390.123"), "390.12" },
    };
    struct gate g;

    (void)state;
    gate_open(&g);
    for (size_t i = 0; i < COUNT(cases); i++) {
        const struct og_suggestion s = suggest(&g, cases[i].line, AT);
        const bool priced = s.what == OG_SUGGEST_LIMIT || s.what == OG_SUGGEST_STOP;

        if (priced != !!cases[i].price || (priced && strcmp(og_money_text(s.price).s, cases[i].price)))
            fail_msg("%s: suggests %s, not %s", cases[i].line, priced ? og_money_text(s.price).s : "no price",
                     cases[i].price ? cases[i].price : "none");
    }
    gate_close(&g);
}

static void the_earliest_time(void **state)
{
    static const char market[] =
        STOCK("AAPL", "\"side\":\"Buy\",\"openClose\":\"Open\",\"orderType\":\"Market\",\"orderQuantity\":1");
    struct gate g;
    struct og_suggestion s;
    int64_t friday_evening, eve_of_daylight;

    (void)state;
    gate_open(&g);
    assert_true(og_time_read("2026-01-16T23:00:00Z", 20, &friday_evening));
    s = suggest(&g, market, friday_evening);
    assert_int_equal(s.what, OG_SUGGEST_AT);
    assert_true(passes(&g, s.at) && !passes(&g, s.at - OG_NS_PER_S));
    assert_string_equal(og_time_text(s.at).s, "2026-01-20T14:30:00Z"); /* Monday is Martin Luther King Day */
    assert_true(og_time_read("2026-03-07T20:00:00.5Z", 22, &eve_of_daylight));
    s = suggest(&g, market, eve_of_daylight);
    assert_string_equal(og_time_text(s.at).s, "2026-03-09T13:30:00Z");
    gate_close(&g);
}

/* For a repeated order only waiting is suggested: with another quantity it would be a different order, which nobody
 * meant to send. */
static void what_was_sent_before_only_waits(void **state)
{
    static const char again[] = "ordergate: 1\nname: again\nrules: {repeated-order: {level: refuse, window: 3s}}\n";
    static const char line[] = STOCK("AAPL", "\"side\":\"Buy\",\"openClose\":\"Open\",\"orderType\":\"Limit\","
                                             "\"limitPrice\":190,\"orderQuantity\":9");
    struct gate g;
    struct og_suggestion s;
    struct og_policy *policy = NULL;
    struct og_decision d;
    og_ticket ticket;

    (void)state;
    gate_open(&g);
    assert_int_equal(og_policy_read(again, sizeof again - 1, "again", &policy, NULL, NULL, NULL), OG_OK);
    og_book_swap_policy(g.book, policy);
    assert_int_equal(og_order_read(g.order, line, strlen(line)), OG_OK);
    assert_int_equal(og_reserve(g.book, g.order, AT, g.scratch, &d, &ticket), OG_OK);
    assert_true(d.accepted);
    assert_int_equal(og_order_read(g.order, line, strlen(line)), OG_OK);
    assert_int_equal(og_order_set_client_id(g.order, "a2"), OG_OK);
    og_suggest(g.book, g.order, AT, g.scratch, &s);
    assert_int_equal(s.what, OG_SUGGEST_AT);
    assert_int_equal(s.at, AT + 3 * OG_NS_PER_S);
    gate_close(&g);
}

static void nothing_where_nothing_helps(void **state)
{
    struct gate g;

    (void)state;
    gate_open(&g);
    assert_int_equal(suggest(&g,
                             STOCK("AAPL", "\"side\":\"Buy\",\"openClose\":\"Open\",\"orderType\":\"Limit\","
                                           "\"limitPrice\":190,\"orderQuantity\":1"),
                             AT)
                         .what,
                     OG_SUGGEST_NONE); /* nothing is suggested, since the order passes */
    assert_int_equal(suggest(&g,
                             STOCK("AAPL", "\"side\":\"Hold\",\"openClose\":\"Open\",\"orderType\":\"Limit\","
                                           "\"limitPrice\":190,\"orderQuantity\":1"),
                             AT)
                         .what,
                     OG_SUGGEST_NONE);
    assert_int_equal(suggest(&g, "[]", AT).what, OG_SUGGEST_NONE);
    assert_int_equal(suggest(&g, "{\"op\":\"cancel\",\"clientOrderId\":\"a1\"}", AT).what, OG_SUGGEST_NONE);
    gate_close(&g);
}

/* --- properties over many orders ---------------------------------------------------------------------------------- */

static unsigned pick(unsigned *seed, unsigned most)
{
    *seed = *seed * 1103515245u + 12345u;
    return (*seed >> 16) % most;
}

static const char *side(unsigned *seed)
{
    return pick(seed, 2) ? "Buy" : "Sell";
}

static void make_stock(unsigned *seed, char *line, size_t size)
{
    static const char *const symbols[] = { "AAPL", "MSFT", "PENY" };
    unsigned symbol = pick(seed, 3), dollars = symbol == 2 ? 2 : 500;

    snprintf(line, size,
             "\"securityType\":\"Stock\",\"symbol\":\"%s\",\"side\":\"%s\",\"openClose\":\"%s\",\"stopPrice\":%u.%03u,"
             "\"limitPrice\":%u.%03u",
             symbols[symbol], side(seed), pick(seed, 3) ? "Open" : "Close", pick(seed, dollars), pick(seed, 1000),
             pick(seed, dollars), pick(seed, 1000));
}

static void make_option(unsigned *seed, char *line, size_t size)
{
    snprintf(line, size,
             "\"securityType\":\"Option\",\"symbol\":\"AAPL261218%c00%u000\",\"side\":\"%s\",\"openClose\":\"%s\","
             "\"stopPrice\":%u.%03u,\"limitPrice\":%u.%03u",
             "CP"[pick(seed, 2)], 185 + 5 * pick(seed, 2), side(seed), pick(seed, 3) ? "Open" : "Close", pick(seed, 30),
             pick(seed, 1000), pick(seed, 30), pick(seed, 1000));
}

/* A vertical, bought or sold. */
static void make_spread(unsigned *seed, char *line, size_t size)
{
    unsigned buy = pick(seed, 2);
    char type = "CP"[pick(seed, 2)];

    snprintf(line, size,
             "\"securityType\":\"Mleg\",\"symbol\":\"AAPL\",\"stopPrice\":%u.%02u,\"limitPrice\":%u.%02u,\"legs\":["
             "{\"symbol\":\"AAPL261218%c00180000\",\"side\":\"%s\",\"ratio\":1,\"openClose\":\"Open\"},"
             "{\"symbol\":\"AAPL261218%c00%u000\",\"side\":\"%s\",\"ratio\":1,\"openClose\":\"Open\"}]",
             pick(seed, 30), pick(seed, 100), pick(seed, 12), pick(seed, 100), type, buy ? "Buy" : "Sell", type,
             185 + 5 * pick(seed, 3), buy ? "Sell" : "Buy");
}

enum { OPTION = 1 }; /* returned by make_line() for an option */

static int make_line(unsigned *seed, char *line, size_t size)
{
    static const char *const types[] = { "Market", "Limit", "Stop", "StopLimit" };
    static void (*const make[])(unsigned *, char *, size_t) = { make_stock, make_option, make_spread };
    unsigned kind = pick(seed, 3);
    char order[400];

    make[kind](seed, order, sizeof order);
    snprintf(line, size,
             "{%s,\"orderType\":\"%s\",\"orderQuantity\":%u,\"timeInForce\":\"Day\",\"clientOrderId\":\"a1\","
             "\"route\":\"SMART\"}",
             order, types[pick(seed, 4)], 1 + pick(seed, pick(seed, 2) ? 400 : 4000));
    return (int)kind;
}

/* Set *price to the price one tick nearer to the given one (in cents), which must not pass. Returns false if it is
 * less than a tick away. */
static bool nearer(struct og_money given, struct og_money price, int64_t ticks, struct og_money *next)
{
    struct og_money tick = { ticks, 2 };
    bool ok = og_money_cmp(price, given) < 0 ? og_money_add(price, tick, next) : og_money_sub(price, tick, next);

    return ok && og_money_cmp(price, given) != 0 &&
           (og_money_cmp(price, given) < 0) == (og_money_cmp(*next, given) < 0);
}

/* Returns true if the price is the bid or the ask of a quote. */
static bool is_of_market(struct og_money price)
{
    static const struct og_money quoted[] = { { 1904, 1 }, { 1905, 1 }, { 400, 0 }, { 4001, 1 }, { 5, 1 },
                                              { 51, 2 },   { 12, 0 },   { 121, 1 }, { 11, 0 },   { 111, 1 } };

    for (size_t i = 0; i < COUNT(quoted); i++)
        if (og_money_cmp(price, quoted[i]) == 0)
            return true;
    return false;
}

static void each_passes_and_the_next_does_not(void **state)
{
    int counts[3][6] = { 0 };
    unsigned seed = 7;
    struct gate g;
    char line[700];

    (void)state;
    gate_open(&g);
    for (int i = 0; i < 12000; i++) {
        int64_t at = AT + (int64_t)pick(&seed, 14 * 24 * 3600) * OG_NS_PER_S;
        struct og_suggestion s;
        struct og_money next, given;
        int kind = make_line(&seed, line, sizeof line);

        s = suggest(&g, line, at);
        counts[kind][s.what]++;
        switch (s.what) {
        case OG_SUGGEST_NONE: break;
        case OG_SUGGEST_REPLACES: fail_msg("nothing works that could be replaced: %s", line); break;
        case OG_SUGGEST_QUANTITY:
            assert_int_equal(og_order_set_quantity(g.order, s.quantity), OG_OK);
            assert_true(passes(&g, at));
            assert_int_equal(og_order_set_quantity(g.order, s.quantity + 1), OG_OK);
            assert_false(passes(&g, at));
            break;
        case OG_SUGGEST_LIMIT:
        case OG_SUGGEST_STOP: {
            bool limit = s.what == OG_SUGGEST_LIMIT;
            const char *number = strstr(line, limit ? "limitPrice\":" : "stopPrice\":") + (limit ? 12 : 11);

            assert_true(og_money_read(number, strcspn(number, ","), &given));
            assert_int_equal((limit ? og_order_set_limit : og_order_set_stop)(g.order, s.price), OG_OK);
            assert_true(passes(&g, at));
            assert_true(limit || !nearer(given, s.price, kind == OPTION ? 5 : 1, &next));
            if (limit && is_of_market(s.price))
                break; /* nearer prices may pass, but are worse than the market's */
            assert_true(kind != OPTION || og_money_is_multiple(s.price, (struct og_money){ 5, 2 }));
            if (og_money_cmp(s.price, og_money_from(1)) < 0 || !nearer(given, s.price, kind == OPTION ? 5 : 1, &next))
                break;
            assert_int_equal((limit ? og_order_set_limit : og_order_set_stop)(g.order, next), OG_OK);
            assert_false(passes(&g, at));
            break;
        }
        case OG_SUGGEST_AT:
            assert_true(s.at > at);
            assert_true(passes(&g, s.at));
            assert_false(passes(&g, s.at - OG_NS_PER_S));
            break;
        }
    }
    for (int what = 0; what < 5; what++)
        for (int kind = 0; kind < 3; kind++) {
            print_message("kind %d, suggestion %d: %d\n", kind, what, counts[kind][what]);
            assert_true(counts[kind][what] >= 20 || (what == OG_SUGGEST_STOP && kind > 0) || /* only stock is rounded */
                        (what == OG_SUGGEST_LIMIT && kind == 2));                            /* a spread has no quote */
        }
    gate_close(&g);
}

#define SELL(quantity, more)                                                                                \
    STOCK("MSFT", "\"side\":\"Sell\",\"openClose\":\"Close\",\"orderType\":\"Limit\",\"limitPrice\":400.5," \
                  "\"orderQuantity\":" #quantity more)

static void the_working_order_to_replace(void **state)
{
    static const struct {
        const char *line, *replaces;
    } cases[] = {
        { SELL(150, ""), "target1" }, /* beside it the stop closes the other 100 */
        { SELL(100, ""), "target1" },
        { SELL(151, ""), "" },                        /* too large beside either of them: what would fit is suggested */
        { SELL(251, ""), "" },                        /* more than is held */
        { SELL(100, ",\"replaces\":\"stop1\""), "" }, /* it replaces one already; the quantity is suggested */
    };
    struct og_suggestion s;
    struct og_decision d;
    struct og_error err;
    struct gate g;
    char line[500];

    (void)state;
    gate_open(&g);
    assert_int_equal(suggest(&g, cases[0].line, AT).what, OG_SUGGEST_NONE); /* nothing works: it is accepted */
    assert_int_equal(og_book_apply(g.book, NULL, closing, sizeof closing - 1, "closing", &err), OG_OK);
    for (size_t i = 0; i < COUNT(cases); i++) {
        s = suggest(&g, cases[i].line, AT);
        assert_int_equal(s.what == OG_SUGGEST_REPLACES, cases[i].replaces[0] != '\0');
        if (s.what != OG_SUGGEST_REPLACES)
            continue;
        assert_string_equal(s.replaces, cases[i].replaces);
        assert_false(passes(&g, AT));
        snprintf(line, sizeof line, "%.*s,\"replaces\":\"%s\"}", (int)strlen(cases[i].line) - 1, cases[i].line,
                 s.replaces);
        assert_int_equal(og_order_read(g.order, line, strlen(line)), OG_OK);
        assert_true(og_check_replacement(g.book, g.order, AT, g.scratch, &d) && d.accepted);
    }
    gate_close(&g);
}

/* A stop that this book accepted is replaced too, before any document shows it. */
static void a_working_order_of_this_run(void **state)
{
    static const char stop[] = "{\"securityType\":\"Stock\",\"symbol\":\"MSFT\",\"timeInForce\":\"Day\","
                               "\"clientOrderId\":\"stop2\",\"route\":\"SMART\",\"side\":\"Sell\","
                               "\"openClose\":\"Close\",\"orderType\":\"Stop\",\"stopPrice\":350,"
                               "\"orderQuantity\":250}";
    struct og_suggestion s;
    struct og_decision d;
    struct gate g;
    og_ticket ticket;

    (void)state;
    gate_open(&g);
    assert_int_equal(og_order_read(g.order, stop, sizeof stop - 1), OG_OK);
    assert_int_equal(og_reserve(g.book, g.order, AT, g.scratch, &d, &ticket), OG_OK);
    assert_true(ticket != 0);
    s = suggest(&g, SELL(250, ""), AT);
    assert_int_equal(s.what, OG_SUGGEST_REPLACES);
    assert_string_equal(s.replaces, "stop2");
    gate_close(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_largest_quantity),
        cmocka_unit_test(the_price_that_was_meant),
        cmocka_unit_test(the_earliest_time),
        cmocka_unit_test(what_was_sent_before_only_waits),
        cmocka_unit_test(nothing_where_nothing_helps),
        cmocka_unit_test(each_passes_and_the_next_does_not),
        cmocka_unit_test(the_working_order_to_replace),
        cmocka_unit_test(a_working_order_of_this_run),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
