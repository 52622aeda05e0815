/*
 * Every rule that counts working orders, under three policies. A replacement that the rule refuses even without the
 * old order is refused for good. One that it refuses only beside the old order is accepted once that is canceled.
 * Until then both orders count.
 */
#include <stdio.h>

#include "ordergate/ordergate.h"
#include "ordergate/requests.h"
#include "rules/rule.h"
#include "unit.h"

#define NOW   INT64_C(1768496400000000000) /* 2026-01-15T17:00:00Z */
#define CALL  "SPY260220C00520000"
#define STOCK "\"securityType\":\"Stock\",\"orderType\":\"Limit\",\"timeInForce\":\"Day\",\"route\":\"SMART\","
#define BUY   STOCK "\"symbol\":\"AAPL\",\"side\":\"Buy\",\"openClose\":\"Open\","
#define CLOSE STOCK "\"symbol\":\"AAPL\",\"side\":\"Sell\",\"openClose\":\"Close\","
#define SHORT STOCK "\"symbol\":\"AAPL\",\"side\":\"Sell\",\"openClose\":\"Open\","
#define HARD  STOCK "\"symbol\":\"GME\",\"side\":\"Sell\",\"openClose\":\"Open\","
#define WRITE                                                                                                     \
    "\"securityType\":\"Option\",\"symbol\":\"" CALL "\",\"side\":\"Sell\",\"openClose\":\"Open\",\"orderType\":" \
    "\"Limit\",\"timeInForce\":\"Day\",\"route\":\"SMARTO\","
#define OF(quantity, price) "\"orderQuantity\":" #quantity ",\"limitPrice\":" #price
#define LONG(symbol, shares) \
    "{\"symbol\":\"" symbol "\",\"side\":\"Long\",\"shares\":" #shares ",\"priceAvg\":100,\"dayOvernight\":\"Day\"}"

#define PUT(strike, side, contracts)                                                                                   \
    "{\"symbol\":\"SPY\",\"securityType\":\"Option\",\"tradedSymbol\":\"SPY260220P00" #strike "000\",\"side\":\"" side \
    "\",\"shares\":" #contracts ",\"priceAvg\":3,\"dayOvernight\":\"Day\"}"
#define UNCOVER                                                                                                \
    "\"securityType\":\"Option\",\"symbol\":\"SPY260220P00500000\",\"side\":\"Sell\",\"openClose\":\"Close\"," \
    "\"orderType\":"                                                                                           \
    "\"Limit\",\"timeInForce\":\"Day\",\"route\":\"SMARTO\","

/* `beside` is another working order, needed where `bad` is to be refused. */
struct example {
    enum og_rule_code rule;
    const char *reason, *settings, *held, *old, *beside, *bad, *good;
    int bp, left; /* bp without the old order, and beside it; 0 means more than enough */
};
static const struct example examples[] = {
    { OG_CODE_position_limit, "position-above-limit", "{level: refuse, shares: 300}", "", BUY OF(200, 189), NULL,
      BUY OF(301, 188), BUY OF(300, 188), 0, 0 },
    { OG_CODE_exposure, "gross-exposure-above-limit", "{level: refuse, gross: 50000}", "", BUY OF(200, 189), NULL,
      BUY OF(270, 188), BUY OF(250, 188), 0, 0 },
    { OG_CODE_concentration, "concentration-above-limit", "{level: refuse, most: 50%}", "", BUY OF(200, 189), NULL,
      BUY OF(270, 188), BUY OF(250, 188), 0, 0 },
    { OG_CODE_group_limit, "group-gross-above-limit", "{level: refuse, limits: [tech gross 50000]}", "",
      BUY OF(200, 189), NULL, BUY OF(270, 188), BUY OF(250, 188), 0, 0 },
    { OG_CODE_weighted_exposure, "weighted-gross-above-limit", "{level: refuse, limits: [beta gross 100000]}", "",
      BUY OF(200, 189), NULL, BUY OF(270, 188), BUY OF(250, 188), 0, 0 },
    { OG_CODE_order_notional, "notional-above-limit", "{level: refuse, most: 5000}",
      PUT(520, "Short", 1) "," PUT(500, "Long", 2), UNCOVER OF(1, 3.1), NULL, UNCOVER OF(2, 3.1), UNCOVER OF(1, 3.2), 0,
      0 },
    { OG_CODE_open_orders, "open-orders-above-limit", "{level: refuse, in_total: 1}", "", BUY OF(200, 189),
      STOCK "\"symbol\":\"F\",\"side\":\"Buy\",\"openClose\":\"Open\"," OF(1, 11.8), BUY OF(200, 188), BUY OF(200, 188),
      0, 0 },
    { OG_CODE_traded_limit, "traded-day", "{level: refuse, shares: 300}", "", BUY OF(200, 189), NULL, BUY OF(301, 188),
      BUY OF(200, 188), 0, 0 },
    { OG_CODE_option_contracts, "contracts-total-above-limit", "{level: refuse, in_total: 2}", LONG("SPY", 300),
      WRITE OF(2, 3.1), NULL, WRITE OF(3, 3.1), WRITE OF(2, 3.2), 0, 0 },
    { OG_CODE_buying_power, "buying-power-exceeded", "{}", "", BUY OF(100, 189), NULL, BUY OF(106, 189),
      BUY OF(100, 190), 20000, 1100 },
    { OG_CODE_option_level, "option-level-insufficient", "{reasons: {option-level-insufficient: refuse}}",
      LONG("SPY", 100), WRITE OF(1, 3.1), NULL, WRITE OF(2, 3.1), WRITE OF(1, 3.2), 0, 0 },
    { OG_CODE_uncovered_options, "option-uncovered", "{level: refuse, allow: none}", LONG("SPY", 100), WRITE OF(1, 3.1),
      NULL, WRITE OF(2, 3.1), WRITE OF(1, 3.2), 0, 0 },
    { OG_CODE_settled_cash, "settled-cash-exceeded", "refuse", "", BUY OF(400, 189), NULL, BUY OF(540, 189),
      BUY OF(500, 189), 0, 0 },
    { OG_CODE_self_cross, "crosses-own-order", "refuse", LONG("AAPL", 100), CLOSE OF(50, 190.5), CLOSE OF(50, 190.6),
      BUY OF(50, 191), BUY OF(50, 191), 0, 0 },
    { OG_CODE_duplicate_order, "duplicate-working-order", "{reasons: {duplicate-working-order: refuse}}", "",
      BUY OF(100, 189), BUY OF(100, 189), BUY OF(100, 189), BUY OF(100, 189), 0, 0 },
    { OG_CODE_opposite_orders, "opposite-opening-orders", "refuse", "", BUY OF(100, 189), BUY OF(100, 188),
      SHORT OF(100, 191), SHORT OF(100, 191), 0, 0 },
    { OG_CODE_close_position, "close-exceeds-position", "{reasons: {close-exceeds-position: refuse}}",
      LONG("AAPL", 100), CLOSE OF(100, 191), NULL, CLOSE OF(101, 192), CLOSE OF(100, 192), 0, 0 },
    { OG_CODE_borrow_locate, "short-locate-insufficient", "refuse", "", HARD OF(100, 25.5), NULL, HARD OF(101, 25.6),
      HARD OF(100, 25.6), 0, 0 },
    { OG_CODE_replace_order, "replace-before-canceled", "{reasons: {replace-before-canceled: refuse}}", "",
      BUY OF(100, 189), NULL, NULL, BUY OF(100, 188), 0, 0 },
    /* a custom rule of a policy */
    { (enum og_rule_code)0, "one-at-a-time", NULL, "", BUY OF(100, 189), BUY OF(100, 188), BUY OF(100, 187),
      BUY OF(100, 187), 0, 0 },
};

struct gate {
    struct og_book *book;
    struct og_order *order;
    struct og_scratch *scratch;
    struct og_decision d;
};

static void apply(struct gate *g, const struct example *e, int bp, const char *rows)
{
    static const char facts[] =
        "{\"asOf\":\"2026-01-15T17:00:00Z\",\"accountId\":\"D1\",\"accountList\":[{\"account\":\"D1\",\"accountType\":"
        "\"Live\",\"accountStatus\":\"Active\"}],\"account\":{\"account\":\"D1\",\"accountType\":\"Live\","
        "\"accountStatus\":\"Active\",\"optLevel\":3,\"optionTradingLevel\":3,\"bp\":%d,\"overnightBp\":%d,"
        "\"availableCash\":100000,\"equity\":100000,\"sodEquity\":100000,\"marginDeficit\":0,\"maintenanceDeficit\":0},"
        "\"positions\":[%s],\"orders\":[%s],\"usedClientOrderIds\":[],\"routes\":[{\"routeName\":\"SMART\","
        "\"securityTypes\":[\"Stock\"],\"timesInForce\":[\"Day\"]},{\"routeName\":\"SMARTO\",\"securityTypes\":["
        "\"Option\"],\"timesInForce\":[\"Day\"]}],\"pnl\":{\"dayPnl\":0},\"borrow\":{\"AAPL\":true,\"GME\":false},"
        "\"locateInventory\":[{\"accountId\":\"D1\",\"symbol\":\"GME\",\"available\":100}],\"gate\":{\"trading\":"
        "\"on\",\"ordersLastSecond\":0,\"ordersLastMinute\":0,\"ordersToday\":0,\"rejectionsInARow\":0},"
        "\"averageVolume\":{\"AAPL\":50000000,\"SPY\":60000000,\"GME\":8000000,\"F\":40000000},\"quotes\":{"
        "\"AAPL\":{\"bid\":189.98,\"ask\":190.02,\"last\":190},\"SPY\":{\"bid\":499.95,\"ask\":500.05,\"last\":500},"
        "\"F\":{\"bid\":11.99,\"ask\":12.01,\"last\":12},\"GME\":{\"bid\":24.95,\"ask\":25.05,\"last\":25},\"" CALL
        "\":{\"bid\":3,\"ask\":3.04,\"last\":3.02}}}";
    struct og_error err = { 0 };
    char text[6000];

    bp = bp ? bp : 1000000;
    snprintf(text, sizeof text, facts, bp, bp, e->held, rows);
    if (og_book_apply(g->book, NULL, text, strlen(text), "t", &err))
        fail_msg("%s", err.text);
}

static struct gate open_gate(const struct example *e, const char *policy)
{
    /* other limits are tested elsewhere */
    static const char *const others[] = { "position-limit", "exposure",       "concentration",   "open-orders",
                                          "short-sales",    "repeated-order", "duplicate-order", "uncovered-options",
                                          "replace-order",  "order-notional", "self-cross" };
    const struct og_rule *rule = NULL;
    struct og_error err = { 0 };
    struct og_policy *loaded = NULL;
    struct gate g = { .order = og_order_new(), .scratch = og_scratch_new() };
    char yaml[2000];
    int n;

    for (size_t i = 0; i < og_rules_size; i++)
        rule = (enum og_rule_code)og_rules[i]->code == e->rule ? og_rules[i] : rule;
    n = snprintf(yaml, sizeof yaml,
                 "ordergate: 1\nname: t\nextends: [%s]\nlists: {tech: [AAPL], beta: [AAPL=2]}\nrules:\n", policy);
    for (size_t i = 0; i < COUNT(others); i++)
        if (!rule || strcmp(others[i], rule->id) != 0)
            n += snprintf(yaml + n, sizeof yaml - (size_t)n, "  %s: off\n", others[i]);
    if (rule && e->settings)
        snprintf(yaml + n, sizeof yaml - (size_t)n, "  %s: %s\n", rule->id, e->settings);
    else
        snprintf(yaml + n, sizeof yaml - (size_t)n,
                 "custom:\n  - {id: %s, require: position.openOrders < 1, message: another works}\n", e->reason);
    if (og_policy_read(yaml, strlen(yaml), "t", &loaded, NULL, NULL, &err))
        fail_msg("%s", err.text);
    assert_int_equal(og_book_new(loaded, &g.book), OG_OK);
    assert_true(g.order && g.scratch);
    return g;
}

static void close_gate(struct gate *g)
{
    og_order_free(g->order);
    og_scratch_free(g->scratch);
    og_book_free(g->book);
}

static void read_order(struct gate *g, const char *id, const char *members, bool replaces)
{
    char line[600];

    snprintf(line, sizeof line, "{\"accountId\":\"D1\",%s,\"clientOrderId\":\"%s\"%s}", members, id,
             replaces ? ",\"replaces\":\"old\"" : "");
    assert_int_equal(og_order_read(g->order, line, strlen(line)), OG_OK);
}

static bool refuses(const struct og_decision *d, const char *reason)
{
    for (int i = 0; i < d->count; i++)
        if (d->findings[i].level == OG_LEVEL_REFUSE && strcmp(d->findings[i].reason, reason) == 0)
            return true;
    return false;
}

static const char *first_refusal(const struct og_decision *d)
{
    for (int i = 0; i < d->count; i++)
        if (d->findings[i].level == OG_LEVEL_REFUSE)
            return d->findings[i].message;
    return "nothing";
}

static og_ticket reserve(struct gate *g, const struct example *e, const char *id, const char *members)
{
    og_ticket ticket = 0;

    read_order(g, id, members, false);
    assert_int_equal(og_reserve(g->book, g->order, NOW, g->scratch, &g->d, &ticket), OG_OK);
    if (!g->d.accepted)
        fail_msg("%s: '%s' refused: %s", e->reason, id, first_refusal(&g->d));
    return ticket;
}

/* Assert how the order is decided beside the old order, as by og_check(), and as if the old order were canceled. */
static void expect(struct gate *g, const struct example *e, const char *members, bool beside, bool alone)
{
    read_order(g, "new", members, true);
    for (int again = 0; again < 2; again++) {
        og_check(g->book, g->order, NOW, g->scratch, &g->d);
        if (g->d.accepted != beside)
            fail_msg("%s beside the old order: %s", e->reason, first_refusal(&g->d));
        if (!beside)
            assert_true(refuses(&g->d, e->reason));
        assert_true(og_check_replacement(g->book, g->order, NOW, g->scratch, &g->d));
        if (g->d.accepted != alone)
            fail_msg("%s in place: %s", e->reason, first_refusal(&g->d));
        if (!alone && !refuses(&g->d, e->reason))
            fail_msg("%s in place for another reason: %s", e->reason, first_refusal(&g->d));
    }
}

static void decide_bad(const struct example *e, const char *policy)
{
    struct gate g = open_gate(e, policy);

    apply(&g, e, e->bp, "");
    if (e->beside) { /* another program sent this order, so the book did not decide it */
        og_ticket ticket;

        read_order(&g, "beside", e->beside, false);
        assert_int_equal(og_reserve_sent(g.book, g.order, NOW, g.scratch, &ticket), OG_OK);
        read_order(&g, "old", e->old, false);
        assert_int_equal(og_reserve_sent(g.book, g.order, NOW, g.scratch, &ticket), OG_OK);
    } else {
        (void)reserve(&g, e, "old", e->old);
    }
    expect(&g, e, e->bad, false, false);
    close_gate(&g);
}

/* Test with an old order that has a ticket. */
static void decide_good(const struct example *e, const char *policy)
{
    struct gate g = open_gate(e, policy);
    og_ticket ticket, both = 0;

    apply(&g, e, e->bp, "");
    ticket = reserve(&g, e, "old", e->old);
    og_ticket_sent(g.book, ticket, NOW);
    expect(&g, e, e->good, false, true);
    assert_int_equal(og_reserve(g.book, g.order, NOW, g.scratch, &g.d, &both), OG_OK);
    assert_false(g.d.accepted);
    og_ticket_release(g.book, ticket);
    og_check(g.book, g.order, NOW, g.scratch, &g.d);
    if (!g.d.accepted)
        fail_msg("%s after the cancel: %s", e->reason, first_refusal(&g.d));
    close_gate(&g);
}

static const char *row_of(const struct example *e, const char *status, char *to, size_t size)
{
    snprintf(to, size, "{%s,\"accountId\":\"D1\",\"clientOrderId\":\"old\",\"executed\":0,\"orderStatus\":\"%s\"}",
             e->old, status);
    return to;
}

/* Test with an old order that is a row of the list; bp is net of it. */
static void decide_rows(const struct example *e, const char *policy)
{
    struct gate g = open_gate(e, policy);
    char row[600];

    apply(&g, e, e->left, row_of(e, "New", row, sizeof row));
    if (e->bad && !e->beside)
        expect(&g, e, e->bad, false, false);
    expect(&g, e, e->good, false, true);
    apply(&g, e, e->bp, row_of(e, "Canceled", row, sizeof row));
    og_check(g.book, g.order, NOW, g.scratch, &g.d);
    if (!g.d.accepted)
        fail_msg("%s after the cancel: %s", e->reason, first_refusal(&g.d));
    close_gate(&g);
}

static void each_rule(const char *policy)
{
    for (size_t i = 0; i < COUNT(examples); i++) {
        if (examples[i].bad)
            decide_bad(&examples[i], policy);
        if (examples[i].rule != OG_CODE_replace_order) /* rule replace-order needs the old order's row */
            decide_good(&examples[i], policy);
        decide_rows(&examples[i], policy);
    }
}

static void under_default(void **state)
{
    (void)state;
    each_rule("default");
}

static void under_live(void **state)
{
    (void)state;
    each_rule("live");
}

static void under_cautious(void **state)
{
    (void)state;
    each_rule("cautious");
}

static bool replaced(struct gate *g, const char *id, og_ticket *ticket)
{
    read_order(g, id, BUY OF(1, 189), true);
    assert_int_equal(og_reserve(g->book, g->order, NOW, g->scratch, &g->d, ticket), OG_OK);
    if (!g->d.accepted)
        assert_true(refuses(&g->d, "replace-replaced"));
    return g->d.accepted;
}

static void an_order_is_replaced_once(void **state)
{
    static const struct example none = { OG_CODE_replace_order, "", "refuse", "", "", NULL, NULL, "", 0, 0 };
    struct gate g = open_gate(&none, "default");
    og_ticket first, second;

    (void)state;
    apply(&g, &none, 0, "");
    assert_true(replaced(&g, "first", &first));
    assert_false(replaced(&g, "second", &second));
    og_ticket_release(g.book, first); /* the replacement was not sent */
    assert_true(replaced(&g, "second", &second));
    assert_false(replaced(&g, "third", &first));
    og_ticket_rejected(g.book, second);
    assert_true(replaced(&g, "third", &first));
    og_ticket_sent(g.book, first, NOW);
    apply(&g, &none, 0, "");
    og_ticket_release(g.book, first); /* the replacement was canceled after it was sent: it replaced the old order all
                                       * the same */
    assert_false(replaced(&g, "fourth", &second));
    assert_int_equal(og_book_replaced(g.book, "D1", "old", NULL), OG_OK);
    assert_int_equal(og_book_replaced(g.book, "D1", "other", "another"), OG_OK);
    assert_true(replaced(&g, "fifth", &second));
    assert_int_equal(og_book_replaced(g.book, "D1", "old", "theirs"), OG_OK);
    assert_false(replaced(&g, "sixth", &second));
    assert_int_equal(og_book_replaced(NULL, "D1", "old", NULL), OG_EINVAL);
    assert_int_equal(og_book_replaced(g.book, NULL, "old", NULL), OG_EINVAL);
    assert_int_equal(og_book_replaced(g.book, "D1", "", NULL), OG_EINVAL);
    assert_int_equal(og_book_replaced(g.book, "D1", "old", ""), OG_EINVAL);
    close_gate(&g);
}

/* of the two tests below: what was reported of the order that is replaced */
static const struct example told = { OG_CODE_replace_order,
                                     "replace-before-canceled",
                                     "{reasons: {replace-before-canceled: refuse}}",
                                     "",
                                     BUY OF(100, 189),
                                     NULL,
                                     NULL,
                                     "",
                                     0,
                                     0 };

/* A fill that was reported counts before the old order is canceled, also if the list is older or lacks the order. So
 * does a fill that only the list shows. */
static void a_fill_counts_before_the_cancel(void **state)
{
    static const struct {
        int reported, listed; /* listed -1: the list lacks the order */
    } fills[] = { { 60, -1 }, { 60, 0 }, { 60, 30 }, { 30, 60 }, { 60, 60 }, { 0, 60 }, { 60, 100 }, { 0, 0 } };

    (void)state;
    for (size_t i = 0; i < COUNT(fills); i++) {
        struct gate g = open_gate(&told, "default");
        const int filled = fills[i].reported > fills[i].listed ? fills[i].reported : fills[i].listed;
        char row[600] = "", line[200];
        og_ticket ticket;

        apply(&g, &told, 0, "");
        ticket = reserve(&g, &told, "old", told.old);
        og_ticket_sent(g.book, ticket, NOW);
        if (fills[i].listed >= 0)
            snprintf(row, sizeof row,
                     "{%s,\"accountId\":\"D1\",\"clientOrderId\":\"old\",\"executed\":%d,\"orderStatus\":\"New\"}",
                     told.old, fills[i].listed);
        apply(&g, &told, 0, row);
        if (fills[i].reported > 0)
            assert_int_equal(og_ticket_fill(g.book, ticket, fills[i].reported, og_money_from(189), NOW), OG_OK);
        for (int more = 0; more < 2; more++) {
            const bool fits = more == 0 || filled == 0;

            snprintf(line, sizeof line, BUY "\"orderQuantity\":%d,\"limitPrice\":188", 100 - filled + more);
            if (filled == 100 && more == 0)
                continue;
            read_order(&g, "new", line, true);
            (void)og_check_replacement(g.book, g.order, NOW, g.scratch, &g.d);
            if (g.d.accepted != fits || (!fits && !refuses(&g.d, told.reason)))
                fail_msg("%d reported, %d listed, %d more: %s", fills[i].reported, fills[i].listed, more,
                         first_refusal(&g.d));
        }
        close_gate(&g);
    }
}

/* The report that the old order was canceled counts although the list is older and shows that it works, or lacks it.
 * What the old order had filled by then must not be in the new order. */
static void a_reported_cancel_counts(void **state)
{
    static const struct {
        int reported, listed; /* listed -1: the list lacks the order */
    } fills[] = { { 0, 0 }, { 60, 0 }, { 60, 30 }, { 30, 60 }, { 0, -1 } };

    (void)state;
    for (size_t i = 0; i < COUNT(fills); i++) {
        struct gate g = open_gate(&told, "default");
        const int filled = fills[i].reported > fills[i].listed ? fills[i].reported : fills[i].listed;
        char row[600] = "", line[200];

        if (fills[i].listed >= 0)
            snprintf(row, sizeof row,
                     "{%s,\"accountId\":\"D1\",\"clientOrderId\":\"old\",\"executed\":%d,\"orderStatus\":\"New\"}",
                     told.old, fills[i].listed);
        apply(&g, &told, 0, row);
        for (int reported = 0; reported < 2; reported++) {
            for (int more = 0; more < 2; more++) {
                const bool fits = reported && (more == 0 || filled <= 0);

                snprintf(line, sizeof line, BUY "\"orderQuantity\":%d,\"limitPrice\":188",
                         100 - (filled > 0 ? filled : 0) + more * (filled > 0));
                read_order(&g, "new", line, true);
                og_check(g.book, g.order, NOW, g.scratch, &g.d);
                if (fills[i].listed >= 0 && (g.d.accepted != fits || (!fits && !refuses(&g.d, told.reason))))
                    fail_msg("%d reported, %d listed, %d more: %s", fills[i].reported, fills[i].listed, more,
                             first_refusal(&g.d));
                assert_true(fills[i].listed >= 0 || g.d.accepted);
            }
            assert_int_equal(og_book_canceled(g.book, "D1", "old", fills[i].reported), OG_OK);
            apply(&g, &told, 0, row); /* a list that was requested before the cancel may arrive after it */
        }
        assert_int_equal(og_book_canceled(NULL, "D1", "old", 0), OG_EINVAL);
        assert_int_equal(og_book_canceled(g.book, "", "old", 0), OG_EINVAL);
        assert_int_equal(og_book_canceled(g.book, "D1", "", 0), OG_EINVAL);
        assert_int_equal(og_book_canceled(g.book, "D1", "old", -1), OG_EINVAL);
        close_gate(&g);
    }
}

static void every_rule_that_counts_them_is_asked(void **state)
{
    (void)state;
    for (size_t i = 0; i < og_rules_size; i++) {
        bool found = false;

        for (size_t k = 0; k < COUNT(examples); k++)
            found |= (int)examples[k].rule == og_rules[i]->code;
        if (found != og_rule_counts_working(og_rules[i]))
            fail_msg("%s has %s example", og_rules[i]->id, found ? "an" : "no");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(under_default),
        cmocka_unit_test(under_live),
        cmocka_unit_test(under_cautious),
        cmocka_unit_test(an_order_is_replaced_once),
        cmocka_unit_test(a_fill_counts_before_the_cancel),
        cmocka_unit_test(a_reported_cancel_counts),
        cmocka_unit_test(every_rule_that_counts_them_is_asked),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
