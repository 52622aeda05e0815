/*
 * The linking API: a what-if question changes nothing, reserving does, ticket changes may be repeated, and two
 * threads cannot spend the same buying power.
 */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "ordergate/ordergate.h"

#define NOON "2026-01-15T17:00:00Z"
#define FACTS                                                                                                     \
    "{\"asOf\":\"" NOON "\",\"accountId\":\"L1\",\"account\":{\"account\":\"L1\",\"accountStatus\":\"Active\","   \
    "\"accountType\":\"Live\",\"bp\":10000,\"overnightBp\":10000,\"availableCash\":10000,\"optLevel\":4,"         \
    "\"optionTradingLevel\":4},\"positions\":[{\"symbol\":\"AAPL\",\"securityType\":\"Stock\",\"side\":\"Long\"," \
    "\"shares\":100}],\"orders\":[],\"routes\":[{\"routeName\":\"SMART\",\"securityTypes\":[\"Stock\"],"          \
    "\"timesInForce\":[\"Day\"]}],\"usedClientOrderIds\":[],\"borrow\":{},\"locateInventory\":[]}"

struct gate {
    struct og_book *book;
    struct og_scratch *scratch;
    struct og_order *order;
    int64_t now;
};

static struct gate g;

static int set_up(void **state)
{
    struct og_policy *policy;
    struct og_error err = { 0 };

    (void)state;
    if (og_policy_load("default", &policy, NULL, NULL, &err) || og_book_new(policy, &g.book))
        return -1;
    g.scratch = og_scratch_new();
    g.order = og_order_new();
    if (!og_time_read(NOON, strlen(NOON), &g.now))
        return -1;
    if (og_book_apply(g.book, NULL, FACTS, strlen(FACTS), "facts", &err)) {
        print_message("%s\n", err.text);
        return -1;
    }
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    og_scratch_free(g.scratch);
    og_order_free(g.order);
    og_book_free(g.book);
    return 0;
}

static void line_of(char *to, size_t size, const char *id, const char *action, const char *symbol, int quantity)
{
    snprintf(to, size,
             "{\"securityType\":\"Stock\",\"symbol\":\"%s\",%s,\"orderType\":\"Limit\",\"orderQuantity\":%d,"
             "\"timeInForce\":\"Day\",\"limitPrice\":50,\"route\":\"SMART\",\"clientOrderId\":\"%s\"}",
             symbol, action, quantity, id);
}

#define BUY  "\"side\":\"Buy\",\"openClose\":\"Open\""
#define SELL "\"side\":\"Sell\",\"openClose\":\"Close\""

static void read_order(const char *id, const char *action, const char *symbol, int quantity)
{
    char line[512];

    line_of(line, sizeof line, id, action, symbol, quantity);
    assert_int_equal(og_order_read(g.order, line, strlen(line)), OG_OK);
}

static bool finds(const struct og_decision *d, const char *reason, enum og_level level)
{
    for (int i = 0; i < d->count; i++)
        if (strcmp(d->findings[i].reason, reason) == 0 && d->findings[i].level == level)
            return true;
    return false;
}

static og_ticket reserve(struct og_decision *d)
{
    og_ticket ticket;

    assert_int_equal(og_reserve(g.book, g.order, g.now, g.scratch, d, &ticket), OG_OK);
    assert_int_equal(ticket != 0, d->accepted);
    return ticket;
}

/* The positions in AAPL: 100 shares and a vertical spread. */
#define HELD                                                                                            \
    "{\"accountId\":\"L1\",\"asOf\":\"" NOON                                                            \
    "\",\"positions\":[{\"symbol\":\"AAPL\",\"side\":\"Long\",\"shares\":100},"                         \
    "{\"symbol\":\"" CALL "\",\"side\":\"Long\",\"shares\":1},"                                         \
    "{\"symbol\":\"" CALL2 "\",\"side\":\"Short\",\"shares\":1}],\"routes\":[{\"routeName\":\"SMART\"," \
    "\"securityTypes\":[\"Stock\",\"Option\",\"Mleg\"],\"timesInForce\":[\"Day\"]}]}"
#define CALL              "AAPL260220C00150000"
#define TYPE              "\"orderType\":\"Limit\",\"limitPrice\":1,\"orderQuantity\":1,"
#define CALL2             "AAPL260220C00155000"
#define TERMS             TYPE "\"timeInForce\":\"Day\",\"route\":\"SMART\""
#define LEG(symbol, side) "{\"symbol\":\"" symbol "\",\"side\":\"" side "\",\"ratio\":1,\"openClose\":\"Close\"}"

#define VERTICAL(id)                                                                         \
    "{\"securityType\":\"Mleg\",\"symbol\":\"AAPL\"," TERMS ",\"clientOrderId\":\"" id "\"," \
    "\"legs\":[" LEG(CALL, "Sell") "," LEG(CALL2, "Buy") "]}"
#define OPTION(id, symbol, side)                                                                     \
    "{\"securityType\":\"Option\",\"symbol\":\"" symbol "\"," TERMS ",\"clientOrderId\":\"" id "\"," \
    "\"side\":\"" side "\",\"openClose\":\"Close\"}"

static const char *const of_vertical[] = { VERTICAL("m1"), VERTICAL("m2"), OPTION("o1", CALL2, "Buy"),
                                           OPTION("o2", CALL, "Sell") };

/* Try two closes each of which fits alone: once the first is accepted, the second one no longer fits. */
static void share_what_is_held(const char *name)
{
    struct og_policy *policy;
    struct og_error err = { 0 };
    struct og_decision d;
    char id[8];

    assert_int_equal(og_policy_load(name, &policy, NULL, NULL, &err), OG_OK);
    og_book_swap_policy(g.book, policy);
    assert_int_equal(og_book_apply(g.book, NULL, HELD, strlen(HELD), "facts", &err), OG_OK);
    for (int i = 0; i < 4; i++) {
        snprintf(id, sizeof id, "s%d", i);
        read_order(id, SELL, "AAPL", 100 - i);
        og_check(g.book, g.order, g.now, g.scratch, &d);
        assert_int_equal(finds(&d, "close-exceeds-position", OG_LEVEL_REFUSE), i > 0);
        assert_int_equal(d.reduces, i == 0);
        assert_int_equal(reserve(&d) != 0, i == 0);
    }
    for (int i = 0; i < 4; i++) {
        assert_int_equal(og_order_read(g.order, of_vertical[i], strlen(of_vertical[i])), OG_OK);
        assert_int_equal(reserve(&d) != 0, i == 0);
        assert_int_equal(d.reduces, i == 0);
        assert_int_equal(finds(&d, i < 2 ? "mleg-close-not-held" : "close-exceeds-position", OG_LEVEL_REFUSE), i > 0);
    }
}

static void closes_share_what_is_held_under_live(void **state)
{
    (void)state;
    share_what_is_held("live");
}

static void closes_share_what_is_held_under_cautious(void **state)
{
    (void)state;
    share_what_is_held("cautious");
}

static void what_if_changes_nothing(void **state)
{
    struct og_decision d;

    (void)state;
    read_order("a1", BUY, "MSFT", 150);
    for (int i = 0; i < 3; i++) {
        og_check(g.book, g.order, g.now, g.scratch, &d);
        assert_true(d.accepted);
    }
    reserve(&d);
    assert_true(d.accepted);
    og_check(g.book, g.order, g.now, g.scratch, &d);
    assert_true(finds(&d, "client-order-id-reused", OG_LEVEL_REFUSE));
}

static void reserved_buying_power_comes_back(void **state)
{
    struct og_decision d;
    og_ticket first;

    (void)state;
    read_order("a1", BUY, "MSFT", 150); /* takes 7,500 of 10,000 */
    first = reserve(&d);
    assert_true(d.accepted);
    read_order("a2", BUY, "TSLA", 60); /* 3,000 */
    reserve(&d);
    assert_true(finds(&d, "buying-power-exceeded", OG_LEVEL_REFUSE));
    og_ticket_release(g.book, first);
    og_ticket_release(g.book, first);
    reserve(&d);
    assert_true(d.accepted);
    read_order("a1", BUY, "MSFT", 1); /* it was never sent, so its id is free again */
    og_check(g.book, g.order, g.now, g.scratch, &d);
    assert_true(d.accepted);
}

static void a_sent_id_is_used_for_good(void **state)
{
    struct og_decision d;
    og_ticket t;

    (void)state;
    read_order("a1", BUY, "MSFT", 1);
    t = reserve(&d);
    og_ticket_sent(g.book, t, g.now);
    og_ticket_sent(g.book, t, g.now);
    og_ticket_release(g.book, t);
    og_ticket_release(g.book, 999);
    og_check(g.book, g.order, g.now, g.scratch, &d);
    assert_true(finds(&d, "client-order-id-reused", OG_LEVEL_REFUSE));
}

static void closable_shares_are_taken_once(void **state)
{
    struct og_decision d;
    og_ticket t;

    (void)state;
    read_order("s1", SELL, "AAPL", 70);
    t = reserve(&d);
    assert_true(d.accepted);
    read_order("s2", SELL, "AAPL", 40);
    og_check(g.book, g.order, g.now, g.scratch, &d);
    assert_true(finds(&d, "close-exceeds-position", OG_LEVEL_WARN) ||
                finds(&d, "close-exceeds-position", OG_LEVEL_REFUSE));
    assert_int_equal(og_ticket_fill(g.book, t, OG_FILL_WHOLE, og_money_from(0), g.now), OG_OK);
    assert_int_equal(og_ticket_fill(g.book, t, OG_FILL_WHOLE, og_money_from(0), g.now), OG_OK);
    og_check(g.book, g.order, g.now, g.scratch, &d);
    assert_true(finds(&d, "close-exceeds-position", OG_LEVEL_REFUSE));
    read_order("s3", SELL, "AAPL", 30);
    og_check(g.book, g.order, g.now, g.scratch, &d);
    assert_false(finds(&d, "close-exceeds-position", OG_LEVEL_REFUSE));
}

static void facts_that_come_later_keep_reservations(void **state)
{
    struct og_decision d;
    struct og_error err = { 0 };

    (void)state;
    read_order("a1", BUY, "MSFT", 150);
    reserve(&d);
    assert_int_equal(og_book_apply(g.book, NULL, FACTS, strlen(FACTS), "facts", &err), OG_OK);
    read_order("a2", BUY, "TSLA", 60);
    og_check(g.book, g.order, g.now, g.scratch, &d);
    assert_true(finds(&d, "buying-power-exceeded", OG_LEVEL_REFUSE));
}

static void bad_facts_change_nothing(void **state)
{
    static const char bad[] = "{\"accountId\":\"L1\",\"positions\":[{\"symbol\":\"AAPL\",\"shares\":\"ten\"}]}";
    struct og_decision d;
    struct og_error err = { 0 };
    char digest[80];

    (void)state;
    snprintf(digest, sizeof digest, "%s", og_book_facts_digest(g.book));
    assert_int_equal(og_book_apply(g.book, NULL, bad, strlen(bad), "bad.json", &err), OG_EFACTS);
    assert_string_equal(err.source, "bad.json");
    assert_string_equal(og_book_facts_digest(g.book), digest);
    read_order("s1", SELL, "AAPL", 100);
    og_check(g.book, g.order, g.now, g.scratch, &d);
    assert_true(d.accepted);
}

static void accounts_are_kept_apart(void **state)
{
    static const char other[] = "{\"asOf\":\"" NOON "\",\"accountId\":\"P1\",\"account\":{\"account\":\"P1\","
                                "\"accountStatus\":\"Active\",\"accountType\":\"Paper\",\"bp\":5}}";
    struct og_decision d;
    struct og_error err = { 0 };

    (void)state;
    assert_int_equal(og_book_apply(g.book, NULL, other, strlen(other), "other", &err), OG_OK);
    read_order("a1", BUY, "MSFT", 10);
    og_check(g.book, g.order, g.now, g.scratch, &d);
    assert_true(finds(&d, "account-open", OG_LEVEL_REFUSE));
    assert_int_equal(og_order_set_account(g.order, "l1"), OG_OK);
    og_check(g.book, g.order, g.now, g.scratch, &d);
    assert_true(d.accepted);
    assert_string_equal(d.account_id, "L1");
    assert_int_equal(og_order_set_account(g.order, "P1"), OG_OK);
    og_check(g.book, g.order, g.now, g.scratch, &d);
    assert_true(finds(&d, "buying-power-exceeded", OG_LEVEL_REFUSE));
    assert_int_equal(og_book_default_account(g.book, "L1"), OG_OK);
    og_check(g.book, g.order, g.now, g.scratch, &d);
    assert_true(finds(&d, "account-conflict", OG_LEVEL_REFUSE));
}

#define THREADS 4
#define ORDERS  50

static void *spend(void *with)
{
    int me = (int)(intptr_t)with;
    struct og_scratch *scratch = og_scratch_new();
    struct og_order *order = og_order_new();
    intptr_t accepted = 0;

    for (int i = 0; scratch && order && i < ORDERS; i++) {
        struct og_decision d;
        og_ticket ticket;
        char id[32], line[512];

        snprintf(id, sizeof id, "t%d-%d", me, i);
        line_of(line, sizeof line, id, BUY, "MSFT", 10); /* each order takes 500, so 20 fit */
        if (og_order_read(order, line, strlen(line)) || og_reserve(g.book, order, g.now, scratch, &d, &ticket))
            break;
        accepted += d.accepted;
    }
    og_scratch_free(scratch);
    og_order_free(order);
    return (void *)accepted;
}

static void two_threads_cannot_spend_the_same_buying_power(void **state)
{
    pthread_t thread[THREADS];
    intptr_t accepted = 0;

    (void)state;
    for (intptr_t i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&thread[i], NULL, spend, (void *)i), 0);
    for (int i = 0; i < 20; i++) { /* the policy is replaced meanwhile */
        struct og_policy *policy;

        assert_int_equal(og_policy_load(i % 2 ? "paper" : "default", &policy, NULL, NULL, NULL), OG_OK);
        og_book_swap_policy(g.book, policy);
    }
    for (int i = 0; i < THREADS; i++) {
        void *n;

        assert_int_equal(pthread_join(thread[i], &n), 0);
        accepted += (intptr_t)n;
    }
    assert_int_equal(accepted, 20);
}

int main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        T(what_if_changes_nothing),
        T(closes_share_what_is_held_under_live),
        T(closes_share_what_is_held_under_cautious),
        T(reserved_buying_power_comes_back),
        T(a_sent_id_is_used_for_good),
        T(closable_shares_are_taken_once),
        T(facts_that_come_later_keep_reservations),
        T(bad_facts_change_nothing),
        T(accounts_are_kept_apart),
        T(two_threads_cannot_spend_the_same_buying_power),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
