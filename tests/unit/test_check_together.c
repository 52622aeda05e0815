/*
 * A batch of orders is decided exactly as one after the other, whatever the batch size: checked independently, and
 * reserved until buying power is used up.  Prefetching for them, also by another thread, changes nothing.
 */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "ordergate/ordergate.h"

enum { ORDERS = 600, LINE = 640, TEXT = 16384 };

#define NOON "2026-01-15T17:00:00Z"
#define FACTS                                                                                                     \
    "{\"asOf\":\"" NOON "\",\"accountId\":\"L1\",\"account\":{\"account\":\"L1\",\"accountStatus\":\"Active\","   \
    "\"accountType\":\"Paper\",\"bp\":%d,\"overnightBp\":%d,\"availableCash\":600000,\"optLevel\":4,"             \
    "\"optionTradingLevel\":4},\"positions\":[{\"symbol\":\"AAPL\",\"securityType\":\"Stock\",\"side\":\"Long\"," \
    "\"shares\":1000}],\"orders\":[],\"usedClientOrderIds\":[],\"borrow\":{},\"locateInventory\":[],"             \
    "\"quotes\":{\"AAPL\":{\"bid\":189.99,\"ask\":190.01},\"MSFT\":{\"bid\":410,\"ask\":410.02}}}"

static char lines[ORDERS][LINE];
static int64_t now;
static struct og_order *order[ORDERS];
static struct og_scratch *scratch[ORDERS];
static char *told[ORDERS]; /* decisions of a book that decides the orders one after the other */

static unsigned long long seed = 20261121;

static unsigned below(unsigned n)
{
    seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return (unsigned)(seed >> 33) % n;
}

static void make_line(char *to, int i)
{
    static const char *const sides[] = { "Buy", "Sell" }, *const effects[] = { "Open", "Close" };
    static const char *const stocks[] = { "AAPL", "MSFT", "F" };
    char contract[2][32];
    unsigned id = below(3) ? (unsigned)i : below((unsigned)i + 1), quantity = below(9) ? 1 + below(12) : 2000000;
    int n = snprintf(to, LINE,
                     "{\"clientOrderId\":\"t-%u\",\"orderQuantity\":%u,\"timeInForce\":\"Day\","
                     "\"orderType\":\"Limit\",\"limitPrice\":%u.%02u,",
                     id, quantity, below(20), below(100));

    for (int k = 0; k < 2; k++)
        snprintf(contract[k], sizeof contract[k], "AAPL%s%c00%u0000", below(4) ? "260320" : "260618", "CP"[below(2)],
                 15 + below(8));
    switch (below(4)) {
    case 0:
        snprintf(to + n, LINE - (size_t)n,
                 "\"securityType\":\"Stock\",\"symbol\":\"%s\",\"side\":\"%s\",\"openClose\":\"%s\"}", stocks[below(3)],
                 sides[below(2)], effects[below(2)]);
        break;
    case 1:
        snprintf(to + n, LINE - (size_t)n,
                 "\"securityType\":\"Mleg\",\"symbol\":\"AAPL\","
                 "\"legs\":[{\"symbol\":\"%s\",\"side\":\"Buy\",\"ratio\":1,\"openClose\":\"Open\"},"
                 "{\"symbol\":\"%s\",\"side\":\"Sell\",\"ratio\":%u,\"openClose\":\"Open\"}]}",
                 contract[0], contract[1], 1 + below(2));
        break;
    case 2: snprintf(to + n, LINE - (size_t)n, "\"securityType\":\"Stok\""); break; /* the line has no closing brace */
    default:
        snprintf(to + n, LINE - (size_t)n,
                 "\"securityType\":\"Option\",\"symbol\":\"%s\",\"side\":\"%s\",\"openClose\":\"%s\"}", contract[0],
                 sides[below(2)], effects[below(8) == 0]);
    }
}

static struct og_book *book_of(int dollars)
{
    char facts[sizeof FACTS + 16];
    struct og_policy *policy;
    struct og_book *book;
    struct og_error err = { 0 };

    assert_int_equal(og_policy_load("default", &policy, NULL, NULL, &err), OG_OK);
    assert_int_equal(og_book_new(policy, &book), OG_OK);
    snprintf(facts, sizeof facts, FACTS, dollars, dollars);
    assert_int_equal(og_book_apply(book, NULL, facts, strlen(facts), "facts", &err), OG_OK);
    return book;
}

static struct og_book *book_new(void)
{
    return book_of(600000);
}

static void write_decision(const struct og_decision *d, char *to)
{
    size_t len;

    assert_int_equal(og_decision_write(d, NULL, to, TEXT, &len), OG_OK);
}

/* Decide all orders, in batches of that size, and store each decision as text. */
static void decide(struct og_book *book, bool reserve, size_t batch)
{
    static struct og_decision d[ORDERS];
    static og_ticket ticket[ORDERS];
    static char text[TEXT];

    for (size_t i = 0, n; i < ORDERS; i += n) {
        n = ORDERS - i < batch ? ORDERS - i : batch;
        if (reserve)
            assert_int_equal(og_reserve_all(book, order + i, n, now, scratch + i, d + i, ticket + i), OG_OK);
        else
            og_check_all(book, order + i, n, now, scratch + i, d + i);
    }
    for (size_t i = 0; i < ORDERS; i++) {
        write_decision(&d[i], text);
        assert_string_equal(text, told[i]);
        if (reserve)
            assert_int_equal(ticket[i] != 0, d[i].accepted);
    }
}

static int tell(bool reserve)
{
    struct og_book *book = book_new();
    struct og_decision d;
    int accepted = 0;

    for (size_t i = 0; i < ORDERS; i++) {
        og_ticket ticket;

        if (reserve)
            assert_int_equal(og_reserve(book, order[i], now, scratch[0], &d, &ticket), OG_OK);
        else
            og_check(book, order[i], now, scratch[0], &d);
        write_decision(&d, told[i]);
        accepted += d.accepted;
    }
    og_book_free(book);
    return accepted;
}

static const size_t batches[] = { 1, 2, 7, 64, 65, ORDERS };

static void checked(void **state)
{
    (void)state;
    assert_in_range(tell(false), 50, ORDERS - 50);
    for (size_t i = 0; i < sizeof batches / sizeof batches[0]; i++) {
        struct og_book *book = book_new();

        decide(book, false, batches[i]);
        og_book_free(book);
    }
}

static void reserved(void **state)
{
    int alone = tell(false), accepted = tell(true);

    (void)state;
    assert_in_range(accepted, 30, alone - 30); /* accepted orders left less buying power for later ones */
    for (size_t i = 0; i < sizeof batches / sizeof batches[0]; i++) {
        struct og_book *book = book_new();

        decide(book, true, batches[i]);
        og_book_free(book);
    }
}

/* Accepted ids are used, also if exact amounts replaced upper bounds meanwhile: later orders know what was reserved. */
static void each_accepted_id_is_used(void **state)
{
    struct og_decision d;
    og_ticket ticket;

    (void)state;
    for (int dollars = 60000; dollars <= 600000; dollars += 180000) {
        struct og_book *book = book_of(dollars);

        for (int i = 0; i < ORDERS; i++) {
            bool used = false;

            assert_int_equal(og_reserve(book, order[i], now, scratch[0], &d, &ticket), OG_OK);
            if (!d.accepted)
                continue;
            og_check(book, order[i], now, scratch[0], &d);
            for (int k = 0; k < d.count; k++)
                used |= strcmp(d.findings[k].reason, "client-order-id-reused") == 0;
            assert_true(used);
        }
        og_book_free(book);
    }
}

/* The parts that decisions share (time, facts, policy) change between batches. Decisions made earlier keep their
 * own. */
static void another_moment(void **state)
{
    static const char quote[] = "{\"op\":\"quote\",\"symbol\":\"F\",\"bid\":11.99,\"ask\":12.01}";
    static char before[TEXT], text[TEXT];
    struct og_book *book = book_new();
    struct og_decision d[8], alone;
    struct og_policy *policy;
    struct og_error err = { 0 };

    (void)state;
    og_check_all(book, order, 4, now, scratch, d);
    write_decision(&d[3], before);
    for (int step = 0; step < 3; step++) {
        const int64_t later = now + (step + 1) * INT64_C(1000000);

        if (step == 1)
            assert_int_equal(og_book_quote(book, quote, strlen(quote), &err), OG_OK);
        if (step == 2) {
            assert_int_equal(og_policy_load("cautious", &policy, NULL, NULL, &err), OG_OK);
            og_book_swap_policy(book, policy);
        }
        og_check_all(book, order, 4, later, scratch + 4, d + 4);
        for (int i = 0; i < 4; i++) {
            og_check(book, order[i], later, scratch[8], &alone);
            write_decision(&alone, told[0]);
            write_decision(&d[4 + i], text);
            assert_string_equal(text, told[0]);
        }
        assert_string_not_equal(text, before);
        write_decision(&d[3], text);
        assert_string_equal(text, before);
    }
    og_book_free(book);
}

/* A decision by a custom rule stays the same when its policy is gone. */
static void by_a_policy_that_is_gone(void **state)
{
    static const char yaml[] = "ordergate: 1\nname: own\ndescription: one rule\ncustom:\n"
                               "  - {id: nothing-passes-it, require: order.orderQuantity < 0}\n"
                               "  - {id: it-is-watched, require: order.orderQuantity < 0, mode: shadow}\n";
    static char before[TEXT], text[TEXT];
    struct og_book *book = book_new();
    struct og_policy *policy;
    struct og_decision d;
    struct og_error err = { 0 };

    (void)state;
    assert_int_equal(og_policy_read(yaml, strlen(yaml), "own.yaml", &policy, NULL, NULL, &err), OG_OK);
    og_book_swap_policy(book, policy);
    og_check(book, order[0], now, scratch[0], &d);
    write_decision(&d, before);
    assert_non_null(strstr(before, "\"rule\":\"nothing-passes-it\",\"reason\":\"nothing-passes-it\""));
    assert_non_null(strstr(before, "\"rule\":\"it-is-watched\""));
    for (int i = 0; i < 4; i++) { /* policies loaded now may get the memory of the freed one */
        assert_int_equal(og_policy_load(i % 2 ? "paper" : "short-seller", &policy, NULL, NULL, &err), OG_OK);
        og_book_swap_policy(book, policy);
    }
    write_decision(&d, text);
    assert_string_equal(text, before);
    og_book_free(book);
}

static struct og_book *shared;
static atomic_bool over;

static void *make_room(void *with)
{
    int *made = with;

    while (!atomic_load(&over) || *made == 0)
        *made += og_book_make_room(shared);
    return NULL;
}

static void with_room_made(void **state)
{
    pthread_t thread;
    int made = 0;

    (void)state;
    tell(true);
    shared = book_new();
    atomic_store(&over, false);
    assert_int_equal(pthread_create(&thread, NULL, make_room, &made), 0);
    decide(shared, true, 64);
    atomic_store(&over, true);
    pthread_join(thread, NULL);
    assert_true(made > 0);
    while (og_book_make_room(shared))
        made++;
    assert_in_range(made, 1, 16); /* the loop ends */
    og_book_free(shared);
}

static int set_up(void **state)
{
    (void)state;
    if (!og_time_read(NOON, strlen(NOON), &now))
        return -1;
    for (int i = 0; i < ORDERS; i++) {
        make_line(lines[i], i);
        order[i] = og_order_new();
        scratch[i] = og_scratch_new();
        told[i] = malloc(TEXT);
        if (!order[i] || !scratch[i] || !told[i] || og_order_read(order[i], lines[i], strlen(lines[i])) != OG_OK)
            return -1;
    }
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    for (int i = 0; i < ORDERS; i++) {
        og_order_free(order[i]);
        og_scratch_free(scratch[i]);
        free(told[i]);
    }
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(checked),
        cmocka_unit_test(another_moment),
        cmocka_unit_test(by_a_policy_that_is_gone),
        cmocka_unit_test(reserved),
        cmocka_unit_test(each_accepted_id_is_used),
        cmocka_unit_test(with_room_made),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
