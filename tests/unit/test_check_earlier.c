/*
 * Orders that the book did not decide: what they take is reserved, and they are counted, once.
 */
#include "unit.h"

#include "ordergate/ordergate.h"

#include <stdio.h>

#define NOW    INT64_C(1768496400000000000) /* 2026-01-15T17:00:00Z */
#define SECOND INT64_C(1000000000)
#define DAY    (86400 * SECOND)

struct gate {
    struct og_book *book;
    struct og_order *order;
    struct og_scratch *scratch;
    struct og_decision d;
};

static void apply(struct gate *g, const char *facts)
{
    struct og_error err = { 0 };

    if (og_book_apply(g->book, NULL, facts, strlen(facts), "t", &err))
        fail_msg("%s", err.text);
}

static struct gate open_gate(const char *rules, const char *facts)
{
    struct og_error err = { 0 };
    struct og_policy *policy = NULL;
    struct gate g = { .order = og_order_new(), .scratch = og_scratch_new() };
    char yaml[400];

    snprintf(yaml, sizeof yaml, "ordergate: 1\nname: t\nextends: []\nrules:\n%s", rules);
    if (og_policy_read(yaml, strlen(yaml), "t", &policy, NULL, NULL, &err))
        fail_msg("%s", err.text);
    assert_int_equal(og_book_new(policy, &g.book), OG_OK);
    assert_true(g.order && g.scratch);
    apply(&g, facts);
    return g;
}

static void close_gate(struct gate *g)
{
    og_order_free(g->order);
    og_scratch_free(g->scratch);
    og_book_free(g->book);
}

static void read_order(struct gate *g, const char *id)
{
    char line[300];

    snprintf(line, sizeof line,
             "{\"securityType\":\"Stock\",\"symbol\":\"AAPL\",\"side\":\"Buy\",\"openClose\":\"Open\","
             "\"orderType\":\"Limit\","
             "\"limitPrice\":100,\"orderQuantity\":10,\"timeInForce\":\"Day\",\"clientOrderId\":\"%s\"}",
             id);
    assert_int_equal(og_order_read(g->order, line, strlen(line)), OG_OK);
}

static bool passes(struct gate *g)
{
    read_order(g, "asked");
    og_check(g->book, g->order, NOW, g->scratch, &g->d);
    return g->d.accepted;
}

static void count(struct gate *g, int64_t at, enum og_sent_fate fate)
{
    read_order(g, "earlier");
    assert_int_equal(og_book_count_sent(g->book, g->order, at, fate, g->scratch), OG_OK);
}

static void rates(void **state)
{
    struct gate g = open_gate("  order-rate: {level: refuse, a_day: 3, a_minute: 2}\n", "{\"accountId\":\"A1\"}");

    (void)state;
    count(&g, NOW - DAY, OG_SENT_TAKEN); /* another day */
    count(&g, NOW - 120 * SECOND, OG_SENT_TAKEN);
    assert_true(passes(&g));
    count(&g, NOW - 59 * SECOND, OG_SENT_OPEN);
    assert_true(passes(&g));
    count(&g, NOW - 2 * SECOND, OG_SENT_REJECTED);
    assert_false(passes(&g)); /* three a day, and two a minute */
    assert_int_equal(g.d.count, 2);
    close_gate(&g);
}

/* By clocks that differ: each was sent after the one before it, and none of them is forgotten. */
static void clocks_that_differ(void **state)
{
    const int64_t midnight = NOW + 12 * 3600 * SECOND; /* of New York */
    struct gate g = open_gate("  order-rate: {level: refuse, a_day: 3, a_minute: 3}\n", "{\"accountId\":\"A1\"}");

    (void)state;
    count(&g, NOW - 20 * SECOND, OG_SENT_TAKEN);
    count(&g, NOW - 90 * SECOND, OG_SENT_TAKEN);
    count(&g, NOW - 80 * SECOND, OG_SENT_TAKEN);
    assert_false(passes(&g));
    assert_int_equal(g.d.count, 2);
    close_gate(&g);
    g = open_gate("  order-rate: {level: refuse, a_day: 2}\n", "{\"accountId\":\"A1\"}");
    count(&g, midnight + SECOND, OG_SENT_TAKEN);
    count(&g, midnight - SECOND, OG_SENT_TAKEN); /* the day that began goes on */
    read_order(&g, "asked");
    og_check(g.book, g.order, midnight + 2 * SECOND, g.scratch, &g.d);
    assert_false(g.d.accepted);
    close_gate(&g);
}

/* A document whose counters include them: those up to its time are in its number. */
static void counted_already(void **state)
{
    struct gate g = open_gate("  order-rate: {level: refuse, a_day: 3}\n",
                              "{\"accountId\":\"A1\",\"gate\":{\"asOf\":\"2026-01-15T16:00:00Z\",\"ordersToday\":2}}");

    (void)state;
    count(&g, NOW - 7200 * SECOND, OG_SENT_TAKEN);
    count(&g, NOW - 3601 * SECOND, OG_SENT_TAKEN);
    assert_true(passes(&g));
    count(&g, NOW - 3599 * SECOND, OG_SENT_TAKEN);
    assert_false(passes(&g));
    close_gate(&g);
}

static void repeats(void **state)
{
    struct gate g = open_gate("  repeated-order: {level: refuse, window: 10s}\n", "{\"accountId\":\"A1\"}");

    (void)state;
    count(&g, NOW - 11 * SECOND, OG_SENT_TAKEN);
    assert_true(passes(&g));
    count(&g, NOW - 9 * SECOND, OG_SENT_TAKEN);
    assert_false(passes(&g));
    close_gate(&g);
}

static void rejections(void **state)
{
    static const char rule[] = "  rejection-streak: {level: refuse, most: 1}\n";
    struct gate g = open_gate(rule, "{\"accountId\":\"A1\"}");

    (void)state;
    count(&g, NOW - 9 * SECOND, OG_SENT_REJECTED);
    count(&g, NOW - 8 * SECOND, OG_SENT_TAKEN);
    count(&g, NOW - 7 * SECOND, OG_SENT_REJECTED);
    count(&g, NOW - 6 * SECOND, OG_SENT_OPEN);
    assert_true(passes(&g));
    count(&g, NOW - 5 * SECOND, OG_SENT_REJECTED);
    assert_false(passes(&g));
    close_gate(&g);
    g = open_gate(rule, "{\"accountId\":\"A1\",\"gate\":{\"asOf\":\"2026-01-15T16:59:59Z\",\"rejectionsInARow\":0}}");
    count(&g, NOW - 9 * SECOND, OG_SENT_REJECTED);
    count(&g, NOW - 8 * SECOND, OG_SENT_REJECTED);
    assert_true(passes(&g)); /* the document said how many */
    close_gate(&g);
}

static void what_they_take(void **state)
{
    struct gate g = open_gate("  buying-power: refuse\n",
                              "{\"accountId\":\"A1\",\"asOf\":\"2026-01-15T16:59:59Z\",\"account\":{\"account\":\"A1\","
                              "\"bp\":1500},\"positions\":[],\"orders\":[]}");
    og_ticket ticket = 7;

    (void)state;
    assert_true(passes(&g));
    read_order(&g, "theirs");
    assert_int_equal(og_reserve_sent(g.book, g.order, NOW, g.scratch, &ticket), OG_OK);
    assert_false(passes(&g)); /* 1000 of 1500 are theirs */
    og_ticket_release(g.book, ticket);
    assert_true(passes(&g));
    assert_int_equal(og_order_read(g.order, "{\"op\":\"heartbeat\"}", 18), OG_OK);
    assert_int_equal(og_reserve_sent(g.book, g.order, NOW, g.scratch, &ticket), OG_EINVAL);
    assert_int_equal(ticket, 0);
    assert_int_equal(og_book_count_sent(g.book, g.order, NOW, OG_SENT_TAKEN, g.scratch), OG_EINVAL);
    close_gate(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rates),   cmocka_unit_test(clocks_that_differ), cmocka_unit_test(counted_already),
        cmocka_unit_test(repeats), cmocka_unit_test(rejections),         cmocka_unit_test(what_they_take),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
