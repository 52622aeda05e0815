/*
 * og_check_once(): an order that is refused only because another may count twice passes if that one counts once. The
 * book is the same afterwards.
 */
#include "gate.h"
#include "ordergate/requests.h"

#define HELD(shares)                                                                                          \
    "\"positions\":[{\"symbol\":\"AAPL\",\"securityType\":\"Stock\",\"side\":\"Long\",\"shares\":" shares "," \
    "\"priceAvg\":190}]"

/* A book with a settle lag of 5 ms, an account of 100,000 dollars, and a limit of 500 shares of a symbol. */
static struct gate open_limited(void)
{
    static const char yaml[] = "ordergate: 1\nname: t\nextends: []\nunsure: warn\nrules:\n  buying-power: refuse\n"
                               "  position-limit: {level: refuse, shares: 500}\n";
    struct gate g = open_gate();
    struct og_policy *policy;
    struct og_error err = { 0 };

    if (og_policy_read(yaml, sizeof yaml - 1, "t", &policy, NULL, NULL, &err))
        fail_msg("%s", err.text);
    og_book_free(g.book);
    assert_int_equal(og_book_new(policy, &g.book), OG_OK);
    assert_int_equal(og_book_halt_source(g.book, "", NULL), OG_OK);
    assert_int_equal(og_book_settle_lag(g.book, 5 * MS), OG_OK);
    apply_at(&g, 0, NOTHING);
    return g;
}

enum answer { REFUSED, REFUSED_IF_ONCE, FITS_IF_ONCE, FITS };

/* Returns what becomes of the order. */
static enum answer ask(struct gate *g, int ms, const char *line, og_ticket *up_to)
{
    struct og_decision d;
    bool accepted;

    assert_int_equal(og_order_read(g->order, line, strlen(line)), OG_OK);
    og_check(g->book, g->order, START + ms * MS, g->scratch, &d);
    accepted = d.accepted;
    if (!og_check_once(g->book, g->order, START + ms * MS, g->scratch, &d, up_to))
        return accepted ? FITS : REFUSED;
    if (accepted)
        assert_true(d.accepted);
    accepted = d.accepted;
    og_check(g->book, g->order, START + ms * MS, g->scratch, &d);
    return d.accepted ? FITS : accepted ? FITS_IF_ONCE : REFUSED_IF_ONCE;
}

static enum answer ask_all(struct gate *g, int ms, const char *line)
{
    og_ticket all = 0;

    return ask(g, ms, line, &all);
}

static void buying_power(void **state)
{
    struct gate g = open_limited();
    og_ticket t, none = 1, all = 0;

    (void)state;
    t = reserve(&g, 10, STOCK("a", "Buy", "Open", "300", "200"));
    assert_int_equal(ask_all(&g, 11, STOCK("c", "Buy", "Open", "300", "200")), REFUSED);
    og_ticket_sent(g.book, t, START + 20 * MS);
    assert_int_equal(ask_all(&g, 21, STOCK("c", "Buy", "Open", "300", "200")), REFUSED); /* no reading can have it */
    apply_at(&g, 24, BP("40000") ",\"positions\":[],\"orders\":[]");
    bp_is(&g, "-20000");
    assert_int_equal(ask_all(&g, 25, STOCK("b", "Buy", "Open", "150", "200")), FITS_IF_ONCE);
    assert_int_equal(ask_all(&g, 25, STOCK("c", "Buy", "Open", "201", "200")), REFUSED_IF_ONCE);
    bp_is(&g, "-20000");
    assert_int_equal(ask(&g, 25, STOCK("b", "Buy", "Open", "150", "200"), &all), FITS_IF_ONCE);
    assert_int_equal(all, t);
    apply_at(&g, 25, BP("40000") ",\"positions\":[],\"orders\":[]");
    assert_int_equal(ask(&g, 26, STOCK("b", "Buy", "Open", "150", "200"), &none), FITS);
    assert_int_equal(ask_all(&g, 26, STOCK("c", "Buy", "Open", "201", "200")), REFUSED);
    close_gate(&g);
}

static void orders_after_the_newest_that_is_asked_for(void **state)
{
    struct gate g = open_limited();
    og_ticket t, first = reserve(&g, 10, STOCK("first", "Buy", "Open", "1", "200"));

    (void)state;
    t = reserve(&g, 10, STOCK("a", "Buy", "Open", "300", "200"));
    og_ticket_sent(g.book, t, START + 20 * MS);
    apply_at(&g, 24, BP("40000") ",\"positions\":[],\"orders\":[]");
    assert_int_equal(ask(&g, 25, STOCK("b", "Buy", "Open", "150", "200"), &first), REFUSED);
    close_gate(&g);
}

static void unknown_outcomes(void **state)
{
    struct gate g = open_limited();
    struct og_decision d;
    const og_ticket t = reserve(&g, 10, STOCK("a", "Buy", "Open", "300", "200"));

    (void)state;
    assert_int_equal(og_reserve_again(g.book, t, START + 11 * MS, g.order, g.scratch, &d), OG_OK);
    apply_at(&g, 24, BP("40000") ",\"positions\":[],\"orders\":[]");
    assert_int_equal(ask_all(&g, 25, STOCK("b", "Buy", "Open", "150", "200")), FITS_IF_ONCE); /* it is in flight */
    og_ticket_unknown(g.book, t, true);
    assert_int_equal(ask_all(&g, 25, STOCK("b", "Buy", "Open", "150", "200")), REFUSED);
    close_gate(&g);
}

static void an_order_that_has_not_left(void **state)
{
    struct gate g = open_limited();

    (void)state;
    (void)reserve(&g, 10, STOCK("a", "Buy", "Open", "300", "200"));
    apply_at(&g, 24, BP("40000") ",\"positions\":[],\"orders\":[]");
    assert_int_equal(ask_all(&g, 25, STOCK("b", "Buy", "Open", "150", "200")), REFUSED);
    close_gate(&g);
}

static void a_position_limit(void **state)
{
    struct gate g = open_limited();
    og_ticket t;

    (void)state;
    t = reserve(&g, 10, STOCK("a", "Buy", "Open", "300", "20"));
    assert_int_equal(fill(&g, t, 200, "20", 20), OG_OK);
    assert_int_equal(ask_all(&g, 21, STOCK("b", "Buy", "Open", "201", "20")), REFUSED);
    apply_at(&g, 24, BP("94000") "," HELD("200") ",\"orders\":[]");
    holds(&g, "AAPL", "200 0, 300 0 0 0");
    assert_int_equal(ask_all(&g, 25, STOCK("b", "Buy", "Open", "200", "20")), FITS_IF_ONCE);
    assert_int_equal(ask_all(&g, 25, STOCK("c", "Buy", "Open", "201", "20")), REFUSED_IF_ONCE);
    holds(&g, "AAPL", "200 0, 300 0 0 0");
    apply_at(&g, 25, BP("94000") "," HELD("200") ",\"orders\":[]");
    assert_int_equal(ask_all(&g, 26, STOCK("b", "Buy", "Open", "200", "20")), FITS);
    close_gate(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(buying_power),     cmocka_unit_test(orders_after_the_newest_that_is_asked_for),
        cmocka_unit_test(unknown_outcomes), cmocka_unit_test(an_order_that_has_not_left),
        cmocka_unit_test(a_position_limit),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
