/*
 * The legs of working spreads, as self-cross counts them by symbol and side, while spreads of a linked book fill
 * and go.
 */
#include "gate.h"

/* Assert how many legs of working spreads buy and sell each of the two calls. */
static void legs_are(const struct gate *g, const char *expected)
{
    const struct og_holding *a = og_facts_holding(facts(g), OG_STR(CALL)),
                            *b = og_facts_holding(facts(g), OG_STR(CALL2));
    char text[80];

    snprintf(text, sizeof text, "%d %d, %d %d", a ? a->leg_buys : 0, a ? a->leg_sells : 0, b ? b->leg_buys : 0,
             b ? b->leg_sells : 0);
    assert_string_equal(text, expected);
}

static void legs_count_while_their_spread_works(void **state)
{
    struct gate g = open_gate();
    og_ticket t, other;

    (void)state;
    apply_at(&g, 0, NOTHING);
    legs_are(&g, "0 0, 0 0");
    t = reserve(&g, 1, SPREAD("s", "5"));
    other = reserve(&g, 2, SPREAD("r", "5"));
    legs_are(&g, "2 0, 0 2");
    assert_int_equal(fill(&g, t, 2, "2", 3), OG_OK);
    legs_are(&g, "2 0, 0 2");
    assert_int_equal(fill(&g, t, 5, "2", 4), OG_OK);
    legs_are(&g, "1 0, 0 1");
    og_ticket_release(g.book, other);
    legs_are(&g, "0 0, 0 0");
    close_gate(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(legs_count_while_their_spread_works),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
