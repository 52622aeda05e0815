/*
 * Tags (strategies) in a linked book: which one counts, that it stays with a reservation, and the limits of each
 * strategy against a count of all that was accepted.
 */
#include <stdio.h>
#include <stdlib.h>

#include "ordergate/ordergate.h"
#include "unit.h"

#define NOW    INT64_C(1768496400000000000) /* 2026-01-15T17:00:00Z */
#define SECOND INT64_C(1000000000)
#define ORDERS 3000

struct gate {
    struct og_book *book;
    struct og_order *order;
    struct og_scratch *scratch;
    struct og_decision d;
};

static struct gate open_gate(const char *rules)
{
    struct og_error err = { 0 };
    struct og_policy *policy = NULL;
    struct gate g = { .order = og_order_new(), .scratch = og_scratch_new() };
    char yaml[500];

    snprintf(yaml, sizeof yaml, "ordergate: 1\nname: t\nextends: []\nrules:\n%s", rules);
    if (og_policy_read(yaml, strlen(yaml), "t", &policy, NULL, NULL, &err))
        fail_msg("%s", err.text);
    assert_int_equal(og_book_new(policy, &g.book), OG_OK);
    assert_true(g.order && g.scratch);
    return g;
}

static void close_gate(struct gate *g)
{
    og_order_free(g->order);
    og_scratch_free(g->scratch);
    og_book_free(g->book);
}

static void read_order(struct gate *g, const char *id, const char *tag)
{
    char line[400];

    snprintf(line, sizeof line,
             "{\"securityType\":\"Stock\",\"symbol\":\"AAPL\",\"side\":\"Buy\",\"openClose\":\"Open\","
             "\"orderType\":\"Limit\",\"limitPrice\":100,\"orderQuantity\":10,\"timeInForce\":\"Day\","
             "\"clientOrderId\":\"%s\"%s%s%s}",
             id, tag ? ",\"tag\":\"" : "", tag ? tag : "", tag ? "\"" : "");
    assert_int_equal(og_order_read(g->order, line, strlen(line)), OG_OK);
}

static const char *tag_of(struct gate *g)
{
    og_check(g->book, g->order, NOW, g->scratch, &g->d);
    return g->d.tag;
}

static bool finds(const struct gate *g, const char *reason)
{
    for (int i = 0; i < g->d.count; i++)
        if (strcmp(g->d.findings[i].reason, reason) == 0)
            return true;
    return false;
}

static void the_client_counts(void **state)
{
    struct gate g = open_gate("  order-tag: refuse\n");
    char body[400], long_one[66];
    size_t len;

    (void)state;
    read_order(&g, "a", "alpha");
    assert_string_equal(tag_of(&g), "alpha");
    assert_int_equal(og_order_body(g.order, body, sizeof body, &len), OG_OK);
    assert_null(strstr(body, "tag"));
    assert_int_equal(og_order_line(g.order, body, sizeof body, &len), OG_OK);
    assert_non_null(strstr(body, "\"tag\":\"alpha\""));
    assert_int_equal(og_book_client_tag(g.book, "mm"), OG_OK);
    assert_string_equal(tag_of(&g), "mm");
    assert_true(finds(&g, "tag-conflict"));
    assert_int_equal(og_order_set_tag(g.order, "beta"), OG_OK);
    assert_string_equal(tag_of(&g), "beta");
    assert_true(g.d.accepted);
    assert_int_equal(og_order_set_tag(g.order, ""), OG_OK);
    assert_string_equal(tag_of(&g), "");
    assert_true(finds(&g, "tag-missing"));
    assert_int_equal(og_order_set_tag(g.order, NULL), OG_OK);
    assert_string_equal(tag_of(&g), "mm");
    read_order(&g, "b", NULL); /* the tag of a setter belongs only to the order for which it was called */
    assert_string_equal(tag_of(&g), "mm");
    memset(long_one, 'x', sizeof long_one);
    long_one[65] = '\0';
    assert_int_equal(og_book_client_tag(g.book, long_one), OG_EINVAL);
    long_one[64] = '\0';
    assert_int_equal(og_book_client_tag(g.book, long_one), OG_OK);
    assert_string_equal(tag_of(&g), long_one);
    assert_int_equal(og_book_client_tag(g.book, NULL), OG_OK);
    assert_string_equal(tag_of(&g), "");
    close_gate(&g);
}

/* A reservation keeps its tag, whether a setter or the line gave it, when its order is decided again. */
static void it_stays_with_the_reservation(void **state)
{
    struct gate g = open_gate("  order-tag: {level: refuse, from: client}\n");
    og_ticket ticket = 0;

    (void)state;
    read_order(&g, "a", "alpha");
    assert_int_equal(og_order_set_tag(g.order, "beta"), OG_OK);
    assert_int_equal(og_reserve(g.book, g.order, NOW, g.scratch, &g.d, &ticket), OG_OK);
    assert_true(ticket);
    assert_int_equal(og_reserve_again(g.book, ticket, NOW + SECOND, g.order, g.scratch, &g.d), OG_OK);
    assert_true(g.d.accepted);
    assert_string_equal(g.d.tag, "beta");
    assert_int_equal(og_book_client_tag(g.book, "mm"), OG_OK);
    read_order(&g, "b", "mm"); /* the line agrees with its client */
    assert_int_equal(og_reserve(g.book, g.order, NOW, g.scratch, &g.d, &ticket), OG_OK);
    assert_int_equal(og_book_client_tag(g.book, NULL), OG_OK);
    assert_int_equal(og_reserve_again(g.book, ticket, NOW + SECOND, g.order, g.scratch, &g.d), OG_OK);
    assert_false(g.d.accepted); /* the tag that the line gave is not taken for the client's, although a setter puts it
                                 * into the order again */
    assert_string_equal(g.d.tag, "");
    close_gate(&g);
}

static int between(const int64_t *at, const int *tag, int count, int of, int64_t since)
{
    int n = 0;

    for (int i = 0; i < count; i++)
        n += tag[i] == of && at[i] > since;
    return n;
}

/* Random orders of three strategies over two days: an order is refused exactly if its strategy has used up its
 * limits. */
static void limits_of_each(void **state)
{
    static const char *const tags[] = { "mm", "alpha", "beta" };
    static const int a_minute[] = { 5, 9, 3 }, a_day[] = { 200, 90, 1000 };
    static const int64_t midnight = INT64_C(1768539600000000000); /* 2026-01-16 in New York */
    struct gate g = open_gate("  tag-limits:\n    level: refuse\n    a_minute: 3\n    overrides:\n"
                              "      - {match: {tag: mm}, a_minute: 5, a_day: 200}\n"
                              "      - {match: {tag: alpha}, a_minute: 9, a_day: 90}\n"
                              "      - {match: {tag: beta}, a_minute: 3, a_day: 1000}\n");
    int64_t *at = calloc(ORDERS, sizeof *at), now = midnight - 3600 * SECOND;
    int *of = calloc(ORDERS, sizeof *of), count = 0, refused = 0;
    uint64_t seed = 7;

    (void)state;
    assert_true(at && of);
    for (int i = 0; i < ORDERS; i++) {
        int tag = (int)((seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407U) >> 60) % 3;
        bool fits;
        og_ticket ticket = 0;
        char id[24];

        now += (int64_t)(seed >> 20) % (6 * SECOND);
        snprintf(id, sizeof id, "o%d", i);
        read_order(&g, id, tags[tag]);
        fits = between(at, of, count, tag, now - 60 * SECOND) < a_minute[tag] &&
               between(at, of, count, tag, now < midnight ? 0 : midnight - 1) < a_day[tag];
        assert_int_equal(og_reserve(g.book, g.order, now, g.scratch, &g.d, &ticket), OG_OK);
        if (g.d.accepted != fits)
            fail_msg("order %d of '%s': %s", i, tags[tag], fits ? "refused" : "accepted");
        refused += !fits;
        if (fits) {
            at[count] = now;
            of[count++] = tag;
        }
    }
    assert_true(refused > 100 && count > 500 && now > midnight + 600 * SECOND);
    read_order(&g, "none", NULL);
    og_check(g.book, g.order, now, g.scratch, &g.d);
    assert_true(finds(&g, "tag-limits-without-tag") && !g.d.accepted);
    free(at);
    free(of);
    close_gate(&g);
}

/* Orders of other programs count with the tag that the caller gives, and an order that waits counts once, at its new
 * time. */
static void of_others_and_again(void **state)
{
    struct gate g = open_gate("  tag-limits: {level: refuse, a_minute: 2}\n");
    og_ticket ticket = 0, other = 0;

    (void)state;
    read_order(&g, "a", NULL);
    assert_int_equal(og_order_set_tag(g.order, "mm"), OG_OK);
    assert_int_equal(og_book_count_sent(g.book, g.order, NOW - 61 * SECOND, OG_SENT_TAKEN, g.scratch), OG_OK);
    read_order(&g, "b", NULL);
    assert_int_equal(og_order_set_tag(g.order, "mm"), OG_OK);
    assert_int_equal(og_reserve_sent(g.book, g.order, NOW - 30 * SECOND, g.scratch, &other), OG_OK);
    read_order(&g, "c", "mm");
    assert_int_equal(og_reserve(g.book, g.order, NOW, g.scratch, &g.d, &ticket), OG_OK);
    assert_true(g.d.accepted);
    read_order(&g, "d", "mm");
    og_check(g.book, g.order, NOW, g.scratch, &g.d);
    assert_true(finds(&g, "tag-orders-a-minute-above-limit"));
    read_order(&g, "e", "alpha");
    og_check(g.book, g.order, NOW, g.scratch, &g.d);
    assert_true(g.d.accepted);
    assert_int_equal(og_reserve_again(g.book, ticket, NOW + 20 * SECOND, g.order, g.scratch, &g.d), OG_OK);
    assert_true(g.d.accepted);
    read_order(&g, "f", "mm");
    og_check(g.book, g.order, NOW + 31 * SECOND, g.scratch, &g.d);
    assert_true(g.d.accepted);
    og_check(g.book, g.order, NOW + 29 * SECOND, g.scratch, &g.d);
    assert_false(g.d.accepted);
    close_gate(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_client_counts),
        cmocka_unit_test(it_stays_with_the_reservation),
        cmocka_unit_test(limits_of_each),
        cmocka_unit_test(of_others_and_again),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
