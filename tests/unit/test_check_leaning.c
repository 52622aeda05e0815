/*
 * Calls that working orders write, and long calls of the account that cover them until they are sold. A spread counts
 * with what its own calls can lose, whatever is held beside it. What a single order writes counts beside the long calls
 * that are held: their sale is refused where that passes a limit, and after the sale the order counts with more.
 */
#include <stdio.h>

#include "ordergate/ordergate.h"
#include "unit.h"

#define NOW    INT64_C(1768492800000000000) /* 2026-01-15 16:00 UTC, during the session */
#define SECOND INT64_C(1000000000)

#define CALL(strike) "NVDA260220C00" strike "000"
#define HELD(strike, side, size)                                                                     \
    "{\"symbol\":\"NVDA\",\"tradedSymbol\":\"" CALL(strike) "\",\"securityType\":\"Option\","        \
                                                            "\"side\":\"" side "\",\"shares\":" size \
                                                            ",\"priceAvg\":0.3}"
#define LONG(strike, size)  HELD(strike, "Long", size)
#define SHORT(strike, size) HELD(strike, "Short", size)
#define SINGLE(id, strike, side, effect, size)                                                               \
    "{\"securityType\":\"Option\",\"symbol\":\"" CALL(                                                       \
        strike) "\",\"orderType\":\"Limit\",\"limitPrice\":0.4,"                                             \
                "\"timeInForce\":\"Day\",\"accountId\":\"A1\",\"clientOrderId\":\"" id "\",\"side\":\"" side \
                "\",\"openClose\":\"" effect "\",\"orderQuantity\":" size "}"
#define LEG_OF(strike, side, ratio, effect) \
    "{\"symbol\":\"" CALL(strike) "\",\"side\":\"" side "\",\"ratio\":" ratio ",\"openClose\":\"" effect "\"}"
#define LEG(strike, side, ratio) LEG_OF(strike, side, ratio, "Open")
#define SPREAD(id, size, legs)                                                                          \
    "{\"securityType\":\"Mleg\",\"symbol\":\"NVDA\",\"orderType\":\"Limit\",\"limitPrice\":0.1,"        \
    "\"timeInForce\":\"Day\",\"accountId\":\"A1\",\"clientOrderId\":\"" id "\",\"orderQuantity\":" size \
    ",\"legs\":[" legs "]}"
#define BEAR(id)                   SPREAD(id, "20", LEG("140", "Sell", "1") "," LEG("150", "Buy", "1"))
#define DOWN(id)                   SPREAD(id, "5", LEG_OF("160", "Sell", "1", "Close") "," LEG("140", "Sell", "1"))
#define RATIO(id)                  SPREAD(id, "10", LEG("140", "Sell", "2") "," LEG("150", "Buy", "1"))
#define WRITE(id)                  SINGLE(id, "140", "Sell", "Open", "5")
#define WRITE_130(id)              SINGLE(id, "130", "Sell", "Open", "5")
#define CLOSE_130(id)              SINGLE(id, "130", "Sell", "Close", "5")
#define BUY_BACK(id, strike, size) SINGLE(id, strike, "Buy", "Close", size)
#define SHARES(id, size)                                                                                      \
    "{\"securityType\":\"Stock\",\"symbol\":\"F\",\"orderType\":\"Limit\",\"limitPrice\":1,\"side\":\"Buy\"," \
    "\"timeInForce\":\"Day\",\"accountId\":\"A1\",\"clientOrderId\":\"" id                                    \
    "\",\"openClose\":\"Open\",\"orderQuantity\":" size "}"

struct gate {
    struct og_policy *policy;
    struct og_book *book;
    struct og_order *order;
    struct og_scratch *scratch;
};

static void open_gate(struct gate *g, int gross)
{
    struct og_error err = { 0 };
    char text[200];

    snprintf(text, sizeof text,
             "ordergate: 1\nname: t\nextends: []\nunsure: refuse\nrules:\n  exposure: {level: refuse, gross: %d}\n",
             gross);
    assert_int_equal(og_policy_read(text, strlen(text), "t", &g->policy, NULL, NULL, &err), OG_OK);
    assert_int_equal(og_book_new(g->policy, &g->book), OG_OK);
    g->order = og_order_new();
    g->scratch = og_scratch_new();
}

static void close_gate(struct gate *g)
{
    og_book_free(g->book);
    og_order_free(g->order);
    og_scratch_free(g->scratch);
}

/* Apply facts that are a second newer than those before. The calls of 130 are quoted 0.50 to 0.52, those of 140 0.40 to
 * 0.42, all others 0.30 to 0.32. */
static void apply(struct gate *g, int second, const char *positions, const char *orders)
{
    struct og_error err = { 0 };
    char json[4000];

    snprintf(
        json, sizeof json,
        "{\"accountId\":\"A1\",\"asOf\":\"2026-01-15T15:59:%02dZ\",\"positions\":[%s],\"orders\":[%s],\"quotes\":{"
        "\"" CALL("130") "\":{\"bid\":0.5,\"ask\":0.52},\"" CALL(
            "140") "\":{\"bid\":0.4,\"ask\":0.42},"
                   "\"" CALL("150") "\":{\"bid\":0.3,\"ask\":0.32},\"" CALL("160") "\":{\"bid\":0.3,\"ask\":0.32}}}",
        second, positions, orders);
    if (og_book_apply(g->book, NULL, json, strlen(json), "facts", &err))
        fail_msg("%s: %s", err.text, json);
}

/* Returns the ticket of an accepted order; 0 if the order is refused. */
static og_ticket send(struct gate *g, const char *line, int64_t now)
{
    og_ticket t = 0;
    struct og_decision d;

    assert_int_equal(og_order_read(g->order, line, strlen(line)), OG_OK);
    assert_int_equal(og_reserve(g->book, g->order, now, g->scratch, &d, &t), OG_OK);
    return d.accepted ? t : 0;
}

static const struct {
    const char *name, *positions, *order[3]; /* sent one after the other */
    int gross;                               /* the lowest limit that accepts all of them */
} books[] = {
    /* a spread: its legs at their asks, 42 + 32 dollars, raised by 1,000 of width less twice the 42 of the call sold */
    { "spread alone", "", { BEAR("a") }, 20 * 990 },
    { "spread beside a long call that could cover", LONG("130", "5"), { BEAR("a") }, 260 + 20 * 990 },
    { "two spreads beside it", LONG("130", "5"), { BEAR("a"), BEAR("b") }, 260 + 40 * 990 },
    /* ten of the calls lean on what is held, 5 of 130 and 5 of 160. With 130 sold, in whole or in part, they may lose
     * the width to 160; the ten that the spread buys lose the width to 150 */
    { "ratio, sale of its cover",
      LONG("130", "5") "," LONG("160", "5"),
      { RATIO("a"), CLOSE_130("b") },
      260 + 160 + 10 * 1000 + 10 * 2000 },
    { "single", LONG("130", "5") "," LONG("150", "5"), { WRITE("a") }, 260 + 160 + 210 },
    { "single, sale of its cover",
      LONG("130", "5") "," LONG("150", "5"),
      { WRITE("a"), CLOSE_130("b") },
      260 + 160 + 5000 - 200 },
    { "sale, then the single",
      LONG("130", "5") "," LONG("150", "5"),
      { CLOSE_130("b"), WRITE("a") },
      260 + 160 + 5000 - 200 },
    { "spread and single", LONG("130", "5"), { BEAR("a"), WRITE("b") }, 260 + 20 * 990 + 210 },
    /* the spread closes one call and writes another one, which the third covers until it is sold */
    { "a call sold and one written",
      LONG("130", "5") "," LONG("150", "5") "," LONG("160", "5"),
      { DOWN("a"), CLOSE_130("b"), SHARES("c", "100") },
      260 + 160 + 160 + 5 * 1000 + 100 },
    /* the call that is covered loses the width, less what it was sold for and counts at; the two others count at their
     * price, and what they were sold for is no part of the first one's loss */
    { "shorts, one with cover",
      SHORT("140", "3") "," LONG("150", "1"),
      { SHARES("c", "100") },
      126 + 32 + (1000 - 30 - 42) + 100 },
    { "the same, two bought back",
      SHORT("140", "3") "," LONG("150", "1"),
      { BUY_BACK("a", "140", "2"), SHARES("c", "100") },
      126 + 32 + (1000 - 30 - 42) + 100 },
    /* cover is free for the call that is written as soon as the other is bought back */
    { "single beside shorts",
      SHORT("140", "5") "," LONG("150", "5"),
      { WRITE_130("a") },
      210 + 160 + 5 * (1000 - 30 - 42) + 260 },
    { "single, shorts bought back",
      SHORT("140", "5") "," LONG("150", "5"),
      { BUY_BACK("b", "140", "5"), WRITE_130("a") },
      210 + 160 + 5 * (1000 - 30 - 42) + 5 * (2000 - 40) },
    { "single, then shorts bought back",
      SHORT("140", "5") "," LONG("150", "5"),
      { WRITE_130("a"), BUY_BACK("b", "140", "5"), SHARES("c", "100") },
      210 + 160 + 5 * (2000 - 40) + 100 },
    /* and for the one that had no cover */
    { "two strikes",
      SHORT("140", "1") "," SHORT("130", "1") "," LONG("150", "1"),
      { SHARES("c", "100") },
      94 + 32 + (1000 - 30 - 42) + 100 },
    { "two strikes, the higher bought back",
      SHORT("140", "1") "," SHORT("130", "1") "," LONG("150", "1"),
      { BUY_BACK("a", "140", "1"), SHARES("c", "100") },
      94 + 32 + (2000 - 30 - 52) + 100 },
};

static bool accepts_all(size_t book, int gross)
{
    bool accepted = true;
    struct gate g;

    open_gate(&g, gross);
    apply(&g, 50, books[book].positions, "");
    for (int i = 0; i < 3 && books[book].order[i]; i++)
        accepted = accepted && send(&g, books[book].order[i], NOW) != 0;
    close_gate(&g);
    return accepted;
}

static void orders_count_beside_what_is_held(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(books); i++) {
        int least = 0;

        for (int step = 1 << 16; step; step >>= 1)
            least += accepts_all(i, least + step) ? 0 : step;
        if (least + 1 != books[i].gross)
            fail_msg("%s: accepted from a limit of %d on, wanted %d", books[i].name, least + 1, books[i].gross);
    }
}

/* The single order works while its cover is sold, and both the close and its ticket are gone: the order counts with the
 * width to the call that is left, whether the gate has its ticket or only its row. */
static void what_was_sold_covers_no_more(void **state)
{
    const char *left = LONG("150", "5");
    const char *row =
        "{\"accountId\":\"A1\",\"clientOrderId\":\"a\",\"orderStatus\":\"New\",\"orderQuantity\":5,"
        "\"leavesQuantity\":5,\"orderType\":\"Limit\",\"symbol\":\"NVDA\",\"limitPrice\":0.4,"
        "\"securityType\":\"Option\",\"side\":\"Sell\",\"openClose\":\"Open\",\"tradedSymbol\":\"" CALL("140") "\"}";

    (void)state;
    for (int rows = 0; rows < 2; rows++) {
        struct gate g;
        og_ticket t;

        open_gate(&g, 6000);
        apply(&g, 40, LONG("130", "5") "," LONG("150", "5"), rows ? row : "");
        if (!rows)
            assert_true(send(&g, WRITE("a"), NOW - 15 * SECOND) != 0);
        t = send(&g, CLOSE_130("b"), NOW - 14 * SECOND);
        assert_true(t != 0);
        assert_int_equal(og_ticket_fill(g.book, t, 5, (struct og_money){ 5, 1 }, NOW - 13 * SECOND), OG_OK);
        apply(&g, 58, left, row);
        og_ticket_release(g.book, t);
        /* 160 of the call of 150, and 4,800 or (for the row, by its price alone) 4,800 of the one written */
        assert_true(send(&g, SHARES("c", "1100"), NOW) == 0);
        assert_true(send(&g, SHARES("d", "900"), NOW) != 0);
        close_gate(&g);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(orders_count_beside_what_is_held),
                                        cmocka_unit_test(what_was_sold_covers_no_more) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
