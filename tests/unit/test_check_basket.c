/*
 * Baskets of a book: a basket is accepted exactly if its orders are accepted one after the other; a refused basket
 * leaves the book as if it had never been decided. A second book decides the same orders one by one, over random
 * baskets and every limit that counts orders, and the two books are compared.
 */
#include <stdio.h>

#include "count_alloc.h"
#include "ordergate/halt.h"
#include "ordergate/ordergate.h"
#include "unit.h"

#define REPLACES "\"replaces\":\"t-0\","
enum { BASKETS = 400, ORDERS = 6, LINE = 512, TEXT = 16384 };

#define NOON "2026-01-15T17:00:00Z"
#define FACTS                                                                                                     \
    "{\"asOf\":\"" NOON "\",\"accountId\":\"L1\",\"account\":{\"account\":\"L1\",\"accountStatus\":\"Active\","   \
    "\"accountType\":\"Paper\",\"bp\":200000,\"overnightBp\":200000,\"availableCash\":200000,\"optLevel\":4,"     \
    "\"equity\":500000},\"positions\":[{\"symbol\":\"AAPL\",\"securityType\":\"Stock\",\"side\":\"Long\","        \
    "\"shares\":40,\"priceOpen\":12},{\"symbol\":\"F\",\"securityType\":\"Stock\",\"side\":\"Short\",\"shares\":" \
    "30,\"priceOpen\":12}],\"orders\":[],\"usedClientOrderIds\":[\"t-3\"],\"quotes\":{\"AAPL\":{\"bid\":10,"      \
    "\"ask\":10.02},\"MSFT\":{\"bid\":11,\"ask\":11.02},\"F\":{\"bid\":12,\"ask\":12.02}}}"

static const char policy_text[] =
    "ordergate: 1\nname: t\nextends: []\nunsure: warn\nrules:\n  buying-power: refuse\n  duplicate-order: refuse\n"
    "  client-order-id: refuse\n  close-position: refuse\n"
    "  opposite-orders: refuse\n  order-rate: {level: refuse, a_second: 30, a_day: 500}\n"
    "  repeated-order: {level: refuse, window: 1m, most: 3}\n  open-orders: {level: refuse, in_total: 300}\n"
    "  position-limit: {level: refuse, shares: 900, contracts: 40}\n  exposure: {level: refuse, gross: 90000}\n"
    "  concentration: {level: refuse, most: 9%}\n  uncovered-options: {level: refuse, allow: puts}\n"
    "  option-contracts: {level: refuse, in_total: 60}\n  self-cross: refuse\n"
    "  order-tag: {from: prefix}\n  tag-limits: {level: refuse, a_day: 200}\n";

static char lines[BASKETS][ORDERS][LINE];
static size_t counts[BASKETS];
static bool accepted[BASKETS];
static struct og_order *order[ORDERS];
static struct og_scratch *scratch[ORDERS];
static char told[ORDERS][TEXT], text[TEXT];
static int64_t noon;
static unsigned long long seed = 20261128;

static unsigned below(unsigned n)
{
    seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return (unsigned)(seed >> 33) % n;
}

static void make_line(char *to, unsigned id)
{
    static const char *const sides[] = { "Buy", "Sell" }, *const effects[] = { "Open", "Close" };
    static const char *const stocks[] = { "AAPL", "MSFT", "F", "KO", "GE", "T", "PFE", "XOM", "IBM", "CVX", "BA", "C" };
    char contract[2][32];
    int n;

    if (below(40) == 0)
        id = below(id + 1);
    n = snprintf(to, LINE,
                 "{\"clientOrderId\":\"t-%u\",\"orderQuantity\":%u,\"timeInForce\":\"Day\",\"orderType\":\"Limit\","
                 "\"limitPrice\":%u.%0*u,%s",
                 id, 1 + below(12), 9 + below(4), below(8) ? 2 : 4, below(100), below(60) ? "" : REPLACES);
    for (int k = 0; k < 2; k++)
        snprintf(contract[k], sizeof contract[k], "AAPL%s%c000%u0000", below(4) ? "260320" : "260618", "CP"[below(2)],
                 8 + below(2));
    switch (below(24)) {
    case 0:
        snprintf(to + n, LINE - (size_t)n,
                 "\"securityType\":\"Mleg\",\"symbol\":\"AAPL\","
                 "\"legs\":[{\"symbol\":\"%s\",\"side\":\"Buy\",\"ratio\":1,\"openClose\":\"Open\"},"
                 "{\"symbol\":\"%s\",\"side\":\"Sell\",\"ratio\":1,\"openClose\":\"Open\"}]}",
                 contract[0], contract[1]);
        break;
    case 1:
        snprintf(to + n, LINE - (size_t)n,
                 "\"securityType\":\"Option\",\"symbol\":\"%s\",\"side\":\"%s\",\"openClose\":\"%s\"}", contract[0],
                 sides[below(2)], effects[below(8) == 0]);
        break;
    default:
        snprintf(to + n, LINE - (size_t)n,
                 "\"securityType\":\"Stock\",\"symbol\":\"%s\",\"side\":\"%s\",\"openClose\":\"%s\"}",
                 stocks[below(12)], sides[below(40) == 0], effects[below(40) == 0]);
    }
}

static struct og_book *book_new(const char *facts)
{
    struct og_policy *policy;
    struct og_book *book;
    struct og_error err = { 0 };

    if (og_policy_read(policy_text, sizeof policy_text - 1, "t", &policy, NULL, NULL, &err))
        fail_msg("%s", err.text);
    assert_int_equal(og_book_new(policy, &book), OG_OK);
    assert_int_equal(og_book_halt_source(book, "", NULL), OG_OK);
    if (facts)
        assert_int_equal(og_book_apply(book, NULL, facts, strlen(facts), "facts", &err), OG_OK);
    return book;
}

static void read_basket(size_t n)
{
    for (size_t i = 0; i < counts[n]; i++)
        assert_int_equal(og_order_read(order[i], lines[n][i], strlen(lines[n][i])), OG_OK);
}

/* Returns the time of the n-th basket: a second passes after every eighth. */
static int64_t time_of(size_t n)
{
    return noon + (int64_t)(n / 8) * INT64_C(1000000000);
}

static void write_decision(struct og_decision d, char *to)
{
    size_t len;

    d.basket = 0; /* `basket` is the only member that a decision about a single order lacks */
    assert_int_equal(og_decision_write(&d, NULL, to, TEXT, &len), OG_OK);
}

/* Decide the orders of a basket one after the other; told[] has the decisions up to the first refusal.  Returns how
 * many were accepted before it. */
static size_t one_by_one(struct og_book *book, size_t n, og_ticket *ticket)
{
    struct og_decision d;

    read_basket(n);
    for (size_t i = 0; i < counts[n]; i++) {
        assert_int_equal(og_reserve(book, order[i], time_of(n), scratch[i], &d, &ticket[i]), OG_OK);
        if (d.accepted && strstr(lines[n][i], REPLACES)) /* only a basket refuses an order that replaces another one */
            return i;
        write_decision(d, told[i]);
        if (!d.accepted)
            return i;
    }
    return counts[n];
}

/* Returns a book with the accepted baskets before the n-th. */
static struct og_book *book_before(const char *facts, size_t n)
{
    struct og_book *book = book_new(facts);
    og_ticket ticket[ORDERS];

    for (size_t i = 0; i < n; i++)
        if (accepted[i])
            assert_int_equal(one_by_one(book, i, ticket), counts[i]);
    return book;
}

static bool finds(const struct og_decision *d, const char *reason)
{
    for (int i = 0; i < d->count; i++)
        if (strcmp(d->findings[i].reason, reason) == 0)
            return true;
    return false;
}

static bool is_refused_in_baskets(const struct og_decision *d)
{
    return finds(d, "basket-order");
}

static void like_one_by_one(const char *facts)
{
    struct og_book *book = book_new(facts), *other = book_new(facts);
    struct og_decision d[ORDERS], c[ORDERS];
    og_ticket ticket[ORDERS], alone[ORDERS];
    size_t full = 0, refused = 0, late = 0;

    for (size_t n = 0; n < BASKETS; n++) {
        size_t passed = one_by_one(other, n, alone);
        bool all = passed == counts[n];

        read_basket(n);
        assert_int_equal(og_check_basket(book, order, counts[n], time_of(n), scratch, c), OG_OK);
        all = c[0].accepted;
        assert_int_equal(og_reserve_basket(book, order, counts[n], time_of(n), scratch, d, ticket), OG_OK);
        assert_int_equal(d[0].accepted, all);
        for (size_t i = 0; i < counts[n]; i++) {
            assert_int_equal(d[i].accepted, d[0].accepted);
            assert_int_equal(ticket[i] != 0, d[0].accepted);
            assert_int_equal(d[i].basket, counts[n]);
            assert_int_equal(d[i].place, i);
            assert_true(d[i].accepted || d[i].count > 0);
            write_decision(d[i], text);
            if (d[i].accepted || (i == passed && !is_refused_in_baskets(&d[i]))) {
                assert_string_equal(text, told[i]);
                assert_true(!d[i].accepted || ticket[i] == alone[i]);
            } else if (i < passed) {
                assert_true(finds(&d[i], "basket-refused"));
            }
        }
        assert_int_equal(d[0].accepted, passed == counts[n]);
        accepted[n] = d[0].accepted;
        full += accepted[n] && counts[n] > 1;
        refused += !accepted[n];
        late += !accepted[n] && passed > 0;
        if (!accepted[n]) {
            og_book_free(other);
            other = book_before(facts, n);
        }
    }
    assert_true(full > 20 && refused > 100 && late > 20);
    og_book_free(other);
    og_book_free(book);
}

static void test_like_one_by_one(void **state)
{
    (void)state;
    like_one_by_one(FACTS);
}

/* The book meets the account by an order of it: after a refused basket the book must not know that account. */
static void test_like_one_by_one_without_facts(void **state)
{
    (void)state;
    like_one_by_one(NULL);
}

static void test_refusing_grows_nothing(void **state)
{
    struct og_book *book = book_new(FACTS);
    struct og_decision d[ORDERS];
    og_ticket ticket[ORDERS];
    long before;
    size_t n = 0;

    (void)state;
    for (size_t i = 0; i < BASKETS && n < 3; i++) { /* from these baskets the book knows the symbols */
        read_basket(i);
        assert_int_equal(og_check_basket(book, order, counts[i], noon, scratch, d), OG_OK);
    }
    for (int round = 0; round < 3; round++) {
        before = calls;
        for (size_t i = 0; i < BASKETS; i++) {
            read_basket(i);
            assert_int_equal(og_check_basket(book, order, counts[i], noon, scratch, d), OG_OK);
            if (!d[0].accepted)
                assert_int_equal(og_reserve_basket(book, order, counts[i], noon, scratch, d, ticket), OG_OK);
        }
    }
    assert_int_equal(calls - before, 0);
    og_book_free(book);
}

/* Reserve a basket of two orders, the second of which is refused for its id. */
static void refuse(struct og_book *book, const char *account, const char *id)
{
    struct og_decision d[2];
    og_ticket ticket[2];

    for (int i = 0; i < 2; i++) {
        snprintf(text, sizeof text,
                 "{\"clientOrderId\":\"%s\",\"orderQuantity\":20,\"timeInForce\":\"Day\",\"orderType\":\"Limit\","
                 "\"limitPrice\":1,\"securityType\":\"Stock\",\"symbol\":\"KO\",\"side\":\"Buy\",\"openClose\":"
                 "\"Open\"%s}",
                 id, account);
        assert_int_equal(og_order_read(order[i], text, strlen(text)), OG_OK);
    }
    assert_int_equal(og_reserve_basket(book, order, 2, noon, scratch, d, ticket), OG_OK);
    assert_true(!d[0].accepted && finds(&d[0], "basket-refused") && finds(&d[1], "basket-order"));
}

static void test_a_refused_basket_meets_no_account(void **state)
{
    struct og_book *book = book_new(NULL);
    struct og_decision d;

    (void)state;
    refuse(book, ",\"accountId\":\"L2\"", "t-9001");
    read_basket(0);
    og_check(book, order[0], noon, scratch[0], &d);
    assert_string_equal(d.account_id, "");
    og_book_free(book);
}

/* A row with the id of a refused basket is somebody's order, and counts. */
static void test_a_refused_basket_owns_no_id(void **state)
{
    static const char rows[] =
        "{\"asOf\":\"2026-01-15T17:00:01Z\",\"accountId\":\"L1\",\"orders\":[{\"clientOrderId\":\"t-9001\","
        "\"orderStatus\":"
        "\"New\","
        "\"symbol\":\"KO\",\"securityType\":\"Stock\",\"side\":\"Buy\",\"openClose\":\"Open\",\"orderType\":\"Limit\","
        "\"orderQuantity\":890,\"leavesQuantity\":890,\"limitPrice\":1,\"timeInForce\":\"Day\"}]}";
    struct og_book *book = book_new(FACTS);
    struct og_error err = { 0 };
    struct og_decision d;

    (void)state;
    refuse(book, "", "t-9001");
    assert_int_equal(og_book_apply(book, NULL, rows, sizeof rows - 1, "rows", &err), OG_OK);
    og_check(book, order[0], noon, scratch[0], &d);
    assert_true(finds(&d, "position-above-limit"));
    og_book_free(book);
}

/* The closes of more than is held count at the price of the dearest one, also after that is undone with its basket. */
static void test_a_refused_basket_leaves_no_dear_close(void **state)
{
    static const char *const line[] = {
        "{\"clientOrderId\":\"d-0\",\"limitPrice\":10,\"orderQuantity\":8000,",
        "{\"clientOrderId\":\"d-1\",\"limitPrice\":2000,\"orderQuantity\":10,",
        "{\"clientOrderId\":\"t-3\",\"limitPrice\":10,\"orderQuantity\":1,",
        "{\"clientOrderId\":\"d-2\",\"limitPrice\":10,\"orderQuantity\":30,",
    };
    struct og_book *book = book_new(FACTS);
    struct og_decision d[2];
    og_ticket ticket[2];

    (void)state;
    for (int i = 0; i < 4; i++) {
        snprintf(text, sizeof text,
                 "%s\"securityType\":\"Stock\",\"symbol\":\"AAPL\",\"side\":\"Sell\",\"openClose\":\"Close\","
                 "\"orderType\":\"Limit\",\"timeInForce\":\"Day\"}",
                 line[i]);
        assert_int_equal(og_order_read(order[i], text, strlen(text)), OG_OK);
    }
    assert_int_equal(og_reserve(book, order[3], noon, scratch[0], d, ticket), OG_OK);
    assert_true(d[0].accepted);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(og_check_basket(book, order, 1, noon, scratch, d), OG_OK);
        write_decision(d[0], told[i]);
        assert_int_equal(og_reserve_basket(book, order + 1, 2, noon, scratch, d, ticket), OG_OK);
        assert_false(d[0].accepted);
    }
    assert_non_null(strstr(told[0], "concentration-above-limit"));
    assert_string_equal(told[0], told[1]);
    og_book_free(book);
}

static void test_what_is_no_basket(void **state)
{
    struct og_book *book = book_new(FACTS);
    struct og_decision d[ORDERS];
    og_ticket ticket[ORDERS] = { 7, 7 };

    (void)state;
    read_basket(0);
    assert_int_equal(og_reserve_basket(book, order, 0, noon, scratch, d, ticket), OG_EINVAL);
    assert_int_equal(og_reserve_basket(book, order, 2, noon, scratch, d, NULL), OG_EINVAL);
    assert_int_equal(og_reserve_basket(book, order, 2, noon, NULL, d, ticket), OG_EINVAL);
    assert_false(d[0].accepted || d[1].accepted);
    assert_int_equal(ticket[0] + ticket[1], 0);
    og_book_free(book);
}

static int set_up(void **state)
{
    unsigned id = 0;

    (void)state;
    assert_true(og_time_read(NOON, strlen(NOON), &noon));
    for (size_t n = 0; n < BASKETS; n++) {
        counts[n] = 1 + below(ORDERS);
        for (size_t i = 0; i < counts[n]; i++)
            make_line(lines[n][i], id++);
    }
    for (size_t i = 0; i < ORDERS; i++) {
        order[i] = og_order_new();
        scratch[i] = og_scratch_new();
        assert_true(order[i] && scratch[i]);
    }
    count_calls();
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    for (size_t i = 0; i < ORDERS; i++) {
        og_order_free(order[i]);
        og_scratch_free(scratch[i]);
    }
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_like_one_by_one),
        cmocka_unit_test(test_like_one_by_one_without_facts),
        cmocka_unit_test(test_refusing_grows_nothing),
        cmocka_unit_test(test_a_refused_basket_meets_no_account),
        cmocka_unit_test(test_a_refused_basket_owns_no_id),
        cmocka_unit_test(test_a_refused_basket_leaves_no_dear_close),
        cmocka_unit_test(test_what_is_no_basket),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
