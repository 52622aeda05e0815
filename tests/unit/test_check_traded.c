/*
 * Rule traded-limit over the orders of a book: an accepted order counts in whole until it ends, and then by what filled
 * of it, at its price. Tested by the day and in a window, and with fills that the ticket, the row or the caller
 * reports.
 */
#include <stdio.h>

#include "ordergate/ordergate.h"
#include "unit.h"

#define NOON   "2026-01-15T17:00:00Z"
#define SECOND INT64_C(1000000000)
#define HOUR   (3600 * SECOND)

struct gate {
    struct og_book *book;
    struct og_scratch *scratch;
    struct og_order *order;
    int64_t now;
    int ids;
};

static void apply(struct gate *g, const char *facts)
{
    struct og_error err = { 0 };

    if (og_book_apply(g->book, NULL, facts, strlen(facts), "facts", &err))
        fail_msg("%s: %s", facts, err.text);
}

static struct gate open_gate(const char *settings)
{
    struct gate g = { .scratch = og_scratch_new(), .order = og_order_new() };
    struct og_error err = { 0 };
    struct og_policy *policy;
    char yaml[1024];

    snprintf(yaml, sizeof yaml,
             "ordergate: 1\nname: t\nextends: []\nrules:\n  traded-limit: {level: refuse, unsure: refuse, %s}\n",
             settings);
    if (og_policy_read(yaml, strlen(yaml), "t", &policy, NULL, NULL, &err))
        fail_msg("%s: %s", settings, err.text);
    assert_int_equal(og_book_new(policy, &g.book), OG_OK);
    assert_true(g.scratch && g.order && og_time_read(NOON, strlen(NOON), &g.now));
    apply(&g, "{\"asOf\":\"" NOON "\",\"orders\":[]}");
    return g;
}

static void close_gate(struct gate *g)
{
    og_book_free(g->book);
    og_scratch_free(g->scratch);
    og_order_free(g->order);
}

static void read_order(struct gate *g, const char *symbol, int quantity, const char *id)
{
    char line[400];

    snprintf(line, sizeof line,
             "{\"securityType\":\"Stock\",\"symbol\":\"%s\",\"side\":\"Buy\",\"openClose\":\"Open\",\"orderType\":"
             "\"Limit\",\"limitPrice\":10,\"orderQuantity\":%d,\"timeInForce\":\"Day\"%s%s%s}",
             symbol, quantity, id ? ",\"clientOrderId\":\"" : "", id ? id : "", id ? "\"" : "");
    assert_int_equal(og_order_read(g->order, line, strlen(line)), OG_OK);
}

/* Returns true if an order for so many shares at 10 is accepted, with its reservation in *ticket (may be NULL). */
static bool takes(struct gate *g, const char *symbol, int quantity, const char *id, og_ticket *ticket)
{
    struct og_decision d;
    og_ticket mine;

    read_order(g, symbol, quantity, id);
    assert_int_equal(og_reserve(g->book, g->order, g->now, g->scratch, &d, &mine), OG_OK);
    if (ticket)
        *ticket = mine;
    return d.accepted;
}

/* Assert that exactly so many shares at 10 are left, and leave them. */
static void left(struct gate *g, int shares)
{
    og_ticket t;

    assert_false(takes(g, "AAPL", shares + 1, NULL, NULL));
    if (shares == 0)
        return;
    assert_true(takes(g, "AAPL", shares, NULL, &t));
    og_ticket_release(g->book, t);
}

static struct og_money dollars(int64_t n)
{
    return og_money_from(n);
}

static void what_ends_leaves_what_filled(void **state)
{
    struct gate g = open_gate("notional: 1000");
    og_ticket a, b, c;

    (void)state;
    assert_true(takes(&g, "AAPL", 50, "a", &a));
    left(&g, 50);
    assert_int_equal(og_ticket_fill(g.book, a, 20, dollars(8), g.now), OG_OK); /* 160 for the fill, and 300 for the rest
                                                                                * that still works */
    left(&g, 54);
    og_ticket_release(g.book, a); /* canceled */
    left(&g, 84);
    assert_true(takes(&g, "MSFT", 30, NULL, &b)); /* without an id */
    assert_int_equal(og_ticket_fill(g.book, b, 10, dollars(10), g.now), OG_OK);
    assert_int_equal(og_ticket_fill(g.book, b, 10, dollars(10), g.now), OG_OK); /* the same fill is reported twice */
    og_ticket_release(g.book, b);
    left(&g, 74);
    assert_true(takes(&g, "MSFT", 70, "c", &c));
    left(&g, 4);
    og_ticket_rejected(g.book, c);
    left(&g, 74);
    g.now += 8 * HOUR; /* 20:00 */
    apply(&g, "{\"asOf\":\"2026-01-16T01:00:00Z\",\"orders\":[]}");
    left(&g, 74);
    g.now += 4 * HOUR; /* the next day in New York */
    apply(&g, "{\"asOf\":\"2026-01-16T05:00:00Z\",\"orders\":[]}");
    left(&g, 100);
    close_gate(&g);
}

static void what_works_counts_every_day(void **state)
{
    struct gate g = open_gate("shares: 100, window: 1m, window_shares: 100");
    og_ticket a;

    (void)state;
    assert_true(takes(&g, "AAPL", 50, "a", &a));
    assert_int_equal(og_ticket_fill(g.book, a, 10, dollars(10), g.now), OG_OK);
    g.now += 24 * HOUR;
    left(&g, 60); /* 40 shares may still fill; the 10 filled yesterday */
    og_ticket_release(g.book, a);
    left(&g, 100);
    close_gate(&g);
}

static void a_window_slides(void **state)
{
    struct gate g = open_gate("window: 1m, window_notional: 1000");
    og_ticket t;

    (void)state;
    for (int i = 0; i < 2; i++) { /* the two orders are sent 30 s apart */
        assert_true(takes(&g, "AAPL", 50, i ? "b" : "a", &t));
        assert_int_equal(og_ticket_fill(g.book, t, OG_FILL_WHOLE, dollars(10), g.now), OG_OK);
        g.now += 30 * SECOND;
    }
    left(&g, 50); /* the first order is now a minute old */
    g.now -= 1;
    left(&g, 0);
    g.now += 1 + 30 * SECOND;
    left(&g, 100);
    close_gate(&g);
}

static void a_fill_counts_once(void **state)
{
    static const char row[] =
        "{\"asOf\":\"2026-01-15T17:00:%02dZ\",\"orders\":[{\"clientOrderId\":\"%s\",\"orderStatus\":"
        "\"Filled\",\"symbol\":\"AAPL\",\"securityType\":\"Stock\",\"side\":\"Buy\",\"openClose\":"
        "\"Open\",\"orderQuantity\":40,\"executed\":40,\"priceAvg\":10,\"limitPrice\":10}]}";
    struct gate g = open_gate("shares: 100");
    char text[400];
    og_ticket a;

    (void)state;
    assert_true(takes(&g, "AAPL", 40, "a", &a));
    og_ticket_sent(g.book, a, g.now);
    for (int i = 1; i < 4; i++) {
        g.now += SECOND;
        snprintf(text, sizeof text, row, i, "a");
        apply(&g, text);
        left(&g, 60);
    }
    read_order(&g, "AAPL", 40, "a"); /* the ledger reports the same order too */
    assert_int_equal(og_book_count_traded(g.book, g.order, OG_FILL_WHOLE, dollars(10), g.now, g.scratch), OG_OK);
    left(&g, 60);
    g.now += SECOND;
    snprintf(text, sizeof text, row, 4, "elsewhere");
    apply(&g, text);
    left(&g, 20);
    read_order(&g, "MSFT", 15, "earlier");
    assert_int_equal(og_book_count_traded(g.book, g.order, 15, dollars(0), g.now, g.scratch), OG_OK);
    left(&g, 5);
    assert_int_equal(og_book_count_traded(g.book, g.order, 16, dollars(0), g.now, g.scratch), OG_EINVAL);
    assert_int_equal(og_book_count_traded(g.book, g.order, -2, dollars(0), g.now, g.scratch), OG_EINVAL);
    assert_int_equal(og_book_count_traded(g.book, g.order, 1, dollars(-1), g.now, g.scratch), OG_EINVAL);
    close_gate(&g);
}

/* Many fills, some reported late and in any sequence: the sum of a window is that of the fills in it. */
static void many_fills_in_any_sequence(void **state)
{
    struct gate g = open_gate("window: 1h, window_shares: 1000000");
    int64_t at[3000];
    uint64_t seed = 7;
    int within = 0;
    char id[16];

    (void)state;
    for (int i = 0; i < 3000; i++) {
        seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407;
        at[i] = g.now - (int64_t)(seed >> 33) % (48 * HOUR);
        within += at[i] > g.now - HOUR;
        snprintf(id, sizeof id, "m%d", i);
        read_order(&g, "AAPL", 7, id);
        assert_int_equal(og_book_count_traded(g.book, g.order, 7, dollars(10), at[i], g.scratch), OG_OK);
    }
    assert_true(within > 20);
    assert_false(takes(&g, "AAPL", 1000000 - 7 * within + 1, NULL, NULL));
    assert_true(takes(&g, "AAPL", 1000000 - 7 * within, NULL, NULL));
    close_gate(&g);
}

static void underlyings_count_apart(void **state)
{
    struct gate g = open_gate("underlying_shares: 100, underlying_window_notional: 1000");
    og_ticket t;

    (void)state;
    assert_true(takes(&g, "MSFT", 100, "m", &t));
    left(&g, 100);
    assert_true(takes(&g, "BRK.B", 60, "k", &t));
    assert_int_equal(og_ticket_fill(g.book, t, OG_FILL_WHOLE, dollars(10), g.now), OG_OK);
    assert_false(takes(&g, "BRK.B", 41, NULL, NULL));
    assert_true(takes(&g, "BRK.B", 40, NULL, NULL));
    close_gate(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_ends_leaves_what_filled),
        cmocka_unit_test(what_works_counts_every_day),
        cmocka_unit_test(a_window_slides),
        cmocka_unit_test(a_fill_counts_once),
        cmocka_unit_test(many_fills_in_any_sequence),
        cmocka_unit_test(underlyings_count_apart),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
