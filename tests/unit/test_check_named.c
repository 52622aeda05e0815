/*
 * Which working orders findings name: those among the newest tickets, however many orders of other symbols were
 * accepted since.
 */
#include <stdio.h>
#include <stdlib.h>

#include "ordergate/ordergate.h"
#include "unit.h"

#define NOW      INT64_C(1768496400000000000) /* 2026-01-15T17:00:00Z */
#define SEARCHED 512                          /* newest tickets that are searched */

struct gate {
    struct og_book *book;
    struct og_order *order;
    struct og_scratch *scratch;
    struct og_decision d;
};

static struct gate open_gate(void)
{
    static const char yaml[] = "ordergate: 1\nname: t\nextends: []\nrules:\n  opposite-orders: warn\n",
                      facts[] = "{\"accountId\":\"L1\",\"orders\":[],\"positions\":[]}";
    struct og_error err = { 0 };
    struct og_policy *policy = NULL;
    struct gate g = { .order = og_order_new(), .scratch = og_scratch_new() };

    if (og_policy_read(yaml, sizeof yaml - 1, "t", &policy, NULL, NULL, &err))
        fail_msg("%s", err.text);
    assert_int_equal(og_book_new(policy, &g.book), OG_OK);
    if (og_book_apply(g.book, NULL, facts, sizeof facts - 1, "facts", &err))
        fail_msg("%s", err.text);
    assert_true(g.order && g.scratch);
    return g;
}

static void close_gate(struct gate *g)
{
    og_order_free(g->order);
    og_scratch_free(g->scratch);
    og_book_free(g->book);
}

/* Reserve for an opening order of a stock, whose id is the symbol. Returns the ticket. */
static og_ticket reserve(struct gate *g, const char *symbol, const char *side)
{
    char line[400];
    og_ticket ticket;

    snprintf(line, sizeof line,
             "{\"securityType\":\"Stock\",\"symbol\":\"%s\",\"side\":\"%s\",\"openClose\":\"Open\","
             "\"orderType\":\"Limit\",\"limitPrice\":10,\"orderQuantity\":10,\"timeInForce\":\"Day\","
             "\"clientOrderId\":\"%s-%s\"}",
             symbol, side, symbol, side);
    assert_int_equal(og_order_read(g->order, line, strlen(line)), OG_OK);
    assert_int_equal(og_reserve(g->book, g->order, NOW, g->scratch, &g->d, &ticket), OG_OK);
    assert_true(ticket);
    return ticket;
}

static void reserve_others(struct gate *g, int count)
{
    for (int i = 0; i < count; i++) {
        char symbol[] = { 'A', (char)('A' + i / 676 % 26), (char)('A' + i / 26 % 26), (char)('A' + i % 26), '\0' };

        (void)reserve(g, symbol, "Buy");
        assert_int_equal(g->d.count, 0);
    }
}

/* Returns true if a purchase of XYZ is said to be against the sale of it. */
static bool names_sale(struct gate *g)
{
    (void)reserve(g, "XYZ", "Buy");
    assert_int_equal(g->d.count, 1);
    return strstr(g->d.findings[0].message, "('XYZ-Sell')") != NULL;
}

static void an_order_among_the_newest_is_named(void **state)
{
    static const int later[] = { 0, 1, 62, 63, 64, 65, 127, 128, 300, 448, 510, SEARCHED - 1, SEARCHED, 577, 1500 };

    (void)state;
    for (size_t i = 0; i < sizeof later / sizeof *later; i++)
        for (int before = 0; before <= 65; before += 13) { /* tickets are searched by blocks of 64 */
            struct gate g = open_gate();

            for (int k = 0; k < before; k++)
                og_ticket_release(g.book, reserve(&g, "OLD", "Sell"));
            (void)reserve(&g, "XYZ", "Sell");
            reserve_others(&g, later[i]);
            if (names_sale(&g) != (later[i] < SEARCHED))
                fail_msg("%d tickets before, %d later", before, later[i]);
            close_gate(&g);
        }
}

static void an_order_that_ended_is_not_named(void **state)
{
    struct gate g = open_gate();
    const og_ticket sale = reserve(&g, "XYZ", "Sell");

    (void)state;
    reserve_others(&g, 100);
    og_ticket_release(g.book, sale);
    (void)reserve(&g, "XYZ", "Buy");
    assert_int_equal(g.d.count, 0);
    close_gate(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_order_among_the_newest_is_named),
        cmocka_unit_test(an_order_that_ended_is_not_named),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
