/*
 * Fills that positions lack: of orders of other programs, which the list of orders shows or does not show any more, and
 * of a run's own orders, of which the list does not say what filled.
 */
#include "gate.h"

#define FIRST "{\"asOf\":\"2026-01-15T17:00:00Z\",\"accountId\":\"L1\"," NOTHING "}"

/* The members of a row of 100 AAPL bought at 190. */
static const char *const bought[][2] = { { "securityType", "\"Stock\"" }, { "symbol", "\"AAPL\"" },
                                         { "side", "\"Buy\"" },           { "openClose", "\"Open\"" },
                                         { "orderType", "\"Limit\"" },    { "orderQuantity", "100" },
                                         { "limitPrice", "190" },         { "timeInForce", "\"Day\"" } };
/* The members of a row of 5 spreads of two calls bought at 2. */
static const char *const spread[][2] = {
    { "securityType", "\"MLEG\"" },
    { "symbol", "\"AAPL\"" },
    { "side", "\"Unknown\"" },
    { "orderType", "\"Limit\"" },
    { "orderQuantity", "5" },
    { "limitPrice", "2" },
    { "timeInForce", "\"Day\"" },
    { "legs", "[{\"symbol\":\"" CALL2 "\",\"side\":\"Sell\",\"qty\":5,\"openClose\":\"Open\"},"
              "{\"symbol\":\"" CALL "\",\"side\":\"Buy\",\"qty\":5,\"openClose\":\"Open\"}]" },
};

/* Load, `ms` after the start, a list with one row: the members, but that `key` has another value (NULL: no member has),
 * and `more`. */
static void list(struct gate *g, int ms, const char *const members[][2], size_t count, const char *key,
                 const char *value, const char *more)
{
    char json[1200];
    size_t n = (size_t)snprintf(json, sizeof json, "\"orders\":[{\"clientOrderId\":\"a\"");

    for (size_t i = 0; i < count; i++)
        n += (size_t)snprintf(json + n, sizeof json - n, ",\"%s\":%s", members[i][0],
                              key && strcmp(key, members[i][0]) == 0 ? value : members[i][1]);
    snprintf(json + n, sizeof json - n, "%s}]", more);
    apply_at(g, ms, json);
}
#define LIST(g, ms, members, ...) list(g, ms, members, sizeof(members) / sizeof *(members), __VA_ARGS__)

#define UPDATED(ms) ",\"lastUpdated\":\"2026-01-15T17:00:00." ms "Z\""

/* Assert which order positions may lack a fill of; NULL: of none; "": of one without id. */
static void lacks(const struct gate *g, const char *expected)
{
    struct og_str id = { NULL, 0 };
    int64_t newer = 0;
    char text[64];

    if (!og_facts_lacks_fill(facts(g), &id, &newer)) {
        if (expected)
            fail_msg("positions lack no fill of '%s'", expected);
        return;
    }
    snprintf(text, sizeof text, "%.*s", (int)id.len, id.len ? id.s : "");
    if (!expected)
        fail_msg("positions lack a fill of '%s'", text);
    assert_string_equal(text, expected);
    assert_true(newer > 0);
}

/* --- orders of other programs with the id of an order that was accepted here -------------------------------------- */

static void a_fill_of_a_namesake_counts(void **state)
{
    static const char *const others[][2] = { { "symbol", "\"MSFT\"" },
                                             { "orderQuantity", "200" },
                                             { "side", "\"Sell\"" },
                                             { "side", "\"SellShort\"" },
                                             { "openClose", "\"Close\"" },
                                             { "orderType", "\"Market\"" },
                                             { "limitPrice", "191" },
                                             { "securityType", "\"MLEG\"" },
                                             { "securityType", "\"Option\"" } };
    static const char filled[] = ",\"orderStatus\":\"Filled\",\"executed\":100" UPDATED("050");

    (void)state;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        struct gate g = open_gate();

        apply(&g, FIRST);
        (void)reserve(&g, 1, STOCK("a", "Buy", "Open", "100", "190"));
        LIST(&g, 100, bought, others[i][0], others[i][1], filled);
        lacks(&g, "a");
        holds(&g, "AAPL", "0 0, 100 0 0 0"); /* the order itself may still be sent */
        apply_at(&g, 101, "\"positions\":[]");
        lacks(&g, NULL);
        close_gate(&g);
    }
}

static void a_spread_with_other_legs_is_another_order(void **state)
{
    static const char *const legs[] = {
        "[{\"symbol\":\"" CALL2 "\",\"side\":\"Sell\",\"qty\":5},{\"symbol\":\"" CALL "\",\"side\":\"Sell\",\"qty\":5}]",
        "[{\"symbol\":\"" CALL2 "\",\"side\":\"Sell\",\"qty\":5},{\"symbol\":\"" CALL2 "\",\"side\":\"Sell\",\"qty\":5}]",
        "[{\"symbol\":\"" CALL2 "\",\"side\":\"Sell\",\"qty\":10},{\"symbol\":\"" CALL "\",\"side\":\"Buy\",\"qty\":5}]",
        "[{\"symbol\":\"" CALL2 "\",\"side\":\"Sell\",\"qty\":5,\"openClose\":\"Close\"},{\"symbol\":\"" CALL
        "\",\"side\":\"Buy\",\"qty\":5}]",
        "[{\"symbol\":\"" CALL "\",\"side\":\"Buy\",\"qty\":5}]",
    };
    static const char filled[] = ",\"orderStatus\":\"Filled\",\"executed\":5" UPDATED("050");

    (void)state;
    for (size_t i = 0; i <= sizeof legs / sizeof *legs; i++) {
        const bool own = i == sizeof legs / sizeof *legs;
        struct gate g = open_gate();

        apply(&g, FIRST);
        (void)reserve(&g, 1, SPREAD("a", "5"));
        LIST(&g, 100, spread, "legs", own ? spread[7][1] : legs[i], filled);
        lacks(&g, own ? NULL : "a");
        close_gate(&g);
    }
}

static void a_working_namesake_counts_beside_the_order(void **state)
{
    struct gate g = open_gate();

    (void)state;
    apply(&g, FIRST);
    (void)reserve(&g, 1, STOCK("a", "Buy", "Open", "100", "190"));
    LIST(&g, 100, bought, NULL, NULL, ",\"orderStatus\":\"New\",\"executed\":0");
    holds(&g, "AAPL", "0 0, 100 0 0 0");
    LIST(&g, 101, bought, "orderType", "\"Market\"", ",\"orderStatus\":\"New\",\"executed\":0");
    holds(&g, "AAPL", "0 0, 200 0 0 0");
    close_gate(&g);
}

/* A list with two rows of one id, of which the newer one has the terms of the order. */
static void a_namesake_above_the_own_row_counts(void **state)
{
    struct gate g = open_gate();

    (void)state;
    apply(&g, FIRST);
    (void)reserve(&g, 1, STOCK("a", "Buy", "Open", "100", "190"));
    LIST(&g, 100, bought, "orderQuantity", "300",
         ",\"orderStatus\":\"Filled\",\"executed\":300" UPDATED("050") "},{\"clientOrderId\":\"a\",\"orderStatus\":"
         "\"New\",\"executed\":0,\"securityType\":\"Stock\",\"symbol\":\"AAPL\",\"side\":\"Buy\",\"openClose\":"
         "\"Open\",\"orderType\":\"Limit\",\"limitPrice\":190,\"orderQuantity\":100");
    lacks(&g, "a");
    close_gate(&g);
}

static void the_own_fill_is_not_lacking(void **state)
{
    struct gate g = open_gate();
    og_ticket t;

    (void)state;
    apply(&g, FIRST);
    t = reserve(&g, 1, STOCK("a", "Buy", "Open", "100", "190"));
    og_ticket_sent(g.book, t, START + 2 * MS);
    LIST(&g, 100, bought, NULL, NULL, ",\"orderStatus\":\"Filled\",\"executed\":100,\"priceAvg\":190" UPDATED("050"));
    lacks(&g, NULL);
    holds(&g, "AAPL", "100 0, 0 0 0 0");
    close_gate(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fill_of_a_namesake_counts),
        cmocka_unit_test(a_spread_with_other_legs_is_another_order),
        cmocka_unit_test(a_working_namesake_counts_beside_the_order),
        cmocka_unit_test(a_namesake_above_the_own_row_counts),
        cmocka_unit_test(the_own_fill_is_not_lacking),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
