/*
 * Fills that positions lack: of orders of other programs, which the list of orders shows or does not show any more, and
 * of a run's own orders, of which the list does not say what filled.
 */
#include "gate.h"
#include "ordergate/requests.h"

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

/* Documents have what happened until the moment that they name. */
static struct gate open_exact(void)
{
    struct gate g = open_gate();

    assert_int_equal(og_book_settle_lag(g.book, 0), OG_OK);
    return g;
}

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
    assert_true(newer > -OG_SETTLE_LAG);
}

/* --- orders of other programs with the id of an order that was accepted here -------------------------------------- */

static void a_fill_of_a_namesake_counts(void **state)
{
    static const char *const others[][2] = { { "symbol", "\"MSFT\"" },        { "orderQuantity", "200" },
                                             { "side", "\"Sell\"" },          { "side", "\"SellShort\"" },
                                             { "openClose", "\"Close\"" },    { "orderType", "\"Market\"" },
                                             { "limitPrice", "191" },         { "securityType", "\"MLEG\"" },
                                             { "securityType", "\"Option\"" } };
    static const char filled[] = ",\"orderStatus\":\"Filled\",\"executed\":100" UPDATED("050");

    (void)state;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        struct gate g = open_exact();

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
        "[{\"symbol\":\"" CALL2 "\",\"side\":\"Sell\",\"qty\":5},{\"symbol\":\"" CALL
        "\",\"side\":\"Sell\",\"qty\":5}]",
        "[{\"symbol\":\"" CALL2 "\",\"side\":\"Sell\",\"qty\":5},{\"symbol\":\"" CALL2
        "\",\"side\":\"Sell\",\"qty\":5}]",
        "[{\"symbol\":\"" CALL2 "\",\"side\":\"Sell\",\"qty\":10},{\"symbol\":\"" CALL
        "\",\"side\":\"Buy\",\"qty\":5}]",
        "[{\"symbol\":\"" CALL2 "\",\"side\":\"Sell\",\"qty\":5,\"openClose\":\"Close\"},{\"symbol\":\"" CALL
        "\",\"side\":\"Buy\",\"qty\":5}]",
        "[{\"symbol\":\"" CALL "\",\"side\":\"Buy\",\"qty\":5}]",
    };
    static const char filled[] = ",\"orderStatus\":\"Filled\",\"executed\":5" UPDATED("050");

    (void)state;
    for (size_t i = 0; i <= sizeof legs / sizeof *legs; i++) {
        const bool own = i == sizeof legs / sizeof *legs;
        struct gate g = open_exact();

        apply(&g, FIRST);
        (void)reserve(&g, 1, SPREAD("a", "5"));
        LIST(&g, 100, spread, "legs", own ? spread[7][1] : legs[i], filled);
        lacks(&g, own ? NULL : "a");
        close_gate(&g);
    }
}

static void a_working_namesake_counts_beside_the_order(void **state)
{
    struct gate g = open_exact();

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
    struct gate g = open_exact();

    (void)state;
    apply(&g, FIRST);
    (void)reserve(&g, 1, STOCK("a", "Buy", "Open", "100", "190"));
    LIST(&g, 100, bought, "orderQuantity", "300",
         ",\"orderStatus\":\"Filled\",\"executed\":300" UPDATED(
             "050") "},{\"clientOrderId\":\"a\",\"orderStatus\":"
                    "\"New\",\"executed\":0,\"securityType\":\"Stock\",\"symbol\":\"AAPL\",\"side\":\"Buy\","
                    "\"openClose\":"
                    "\"Open\",\"orderType\":\"Limit\",\"limitPrice\":190,\"orderQuantity\":100");
    lacks(&g, "a");
    close_gate(&g);
}

static void the_own_fill_is_not_lacking(void **state)
{
    struct gate g = open_exact();
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

/* --- rows that do not say what has filled ------------------------------------------------------------------------- */

static const char *const unsaid[] = {
    "",
    ",\"executed\":null",
    ",\"executed\":\"40\"",
    ",\"executed\":{}",
    ",\"executed\":-1",
    ",\"executed\":-40",
    ",\"executed\":0.5",
    ",\"executed\":40.5",
    ",\"executed\":0,\"canceledQuantity\":60",
    ",\"executed\":0,\"leavesQuantity\":60",
    ",\"executed\":101", /* a row by itself is refused: TOO_MUCH */
    ",\"executed\":1e15",
};
enum { UNSAID = sizeof unsaid / sizeof *unsaid, TOO_MUCH = UNSAID - 2 };

/* Tell the book of a row of order 'a', by a list or by itself. */
static void tell(struct gate *g, int ms, bool listed, const char *status, const char *more)
{
    char row[600], json[700];
    struct og_error err = { 0 };
    og_ticket t;

    snprintf(row, sizeof row,
             "{\"clientOrderId\":\"a\",\"accountId\":\"L1\",\"orderStatus\":\"%s\"%s" UPDATED("050") "}", status, more);
    snprintf(json, sizeof json, "\"orders\":[%s]", row);
    if (listed)
        apply_at(g, ms, json);
    else if (og_book_row(g->book, "L1", row, strlen(row), START + ms * MS, &t, &err) && err.status != OG_EINVAL)
        fail_msg("%s: %s", row, err.text);
}

/* Make a book with an order that the broker has. */
static struct gate gate_with(const char *line)
{
    struct gate g = open_exact();

    assert_int_equal(og_book_settle_lag(g.book, 10 * MS), OG_OK);
    apply(&g, FIRST);
    og_ticket_sent(g.book, reserve(&g, 1, line), START + 2 * MS);
    return g;
}

static void an_end_that_does_not_say_what_filled_counts_as_working(void **state)
{
    static const char *const ends[] = { "Canceled", "Expired", "DoneForDay", "Rejected" };

    (void)state;
    for (int i = 0; i < UNSAID * 2 * 4; i++) {
        const int k = i / 8;
        const bool listed = i & 1, rejected = i / 2 % 4 == 3, ends_nothing = !listed && k >= TOO_MUCH;
        struct gate g = gate_with(STOCK("a", "Buy", "Open", "100", "190"));
        char more[200];

        snprintf(more, sizeof more, ",\"timeInForce\":\"Day\"%s%s",
                 strstr(unsaid[k], "1e") ? "" : ",\"orderQuantity\":100", unsaid[k]);
        if (!rejected || k > 1) { /* of a rejected order, nothing has filled if the row says nothing */
            tell(&g, 100, listed, ends[i / 2 % 4], more);
            holds(&g, "AAPL", "0 0, 100 0 0 0");
            apply_at(&g, 100, "\"positions\":[]"); /* may have been read before the end */
            holds(&g, "AAPL", "0 0, 100 0 0 0");
            if (listed) /* each list shows it again */
                tell(&g, 190, listed, ends[i / 2 % 4], more);
            apply_at(&g, 200, BP("100000") ",\"positions\":[]");
            holds(&g, "AAPL", ends_nothing ? "0 0, 100 0 0 0" : "0 0, 0 0 0 0");
        }
        close_gate(&g);
    }
}

static void what_it_says_later_counts(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++) {
        struct gate g = gate_with(STOCK("a", "Buy", "Open", "100", "190"));

        tell(&g, 100, i & 1, "Canceled", "");
        tell(&g, 110, i & 2, "Canceled", ",\"executed\":40,\"priceAvg\":190");
        holds(&g, "AAPL", "40 0, 0 0 0 0");
        close_gate(&g);
    }
}

static void all_of_a_filled_order_has_filled(void **state)
{
    static const char *const more[] = { ",\"executed\":0", ",\"executed\":40" };

    (void)state;
    for (int i = 0; i < 2 * (TOO_MUCH + 2); i++) {
        struct gate g = gate_with(STOCK("a", "Buy", "Open", "100", "190"));

        tell(&g, 100, i & 1, "Filled", i / 2 < TOO_MUCH ? unsaid[i / 2] : more[i / 2 - TOO_MUCH]);
        holds(&g, "AAPL", "100 0, 0 0 0 0");
        close_gate(&g);
    }
}

static void legs_say_that_a_spread_has_filled(void **state)
{
    static const char *const legs[] = { "\"qty\":5,\"lvsQty\":0,\"cxlQty\":3", "\"qty\":5,\"executed\":2" };

    (void)state;
    for (int i = 0; i < 4; i++) {
        struct gate g = gate_with(SPREAD("a", "5"));
        char more[400];

        snprintf(more, sizeof more,
                 ",\"executed\":0,\"orderQuantity\":5,\"legs\":[{\"symbol\":\"" CALL
                 "\",\"side\":\"Buy\",\"qty\":5},{\"symbol\":\"" CALL2 "\",\"side\":\"Sell\",%s}]",
                 legs[i / 2]);
        tell(&g, 100, i & 1, "Canceled", more);
        holds(&g, CALL, "0 0, 5 0 0 0");
        close_gate(&g);
    }
}

/* A list with two rows of the order: the older one comes last. */
static void an_older_row_takes_no_fill_back(void **state)
{
    struct gate g = gate_with(STOCK("a", "Buy", "Open", "100", "190"));

    (void)state;
    tell(&g, 100, true, "Filled",
         ",\"executed\":100},{\"clientOrderId\":\"a\",\"orderStatus\":\"Canceled\",\"executed\":0");
    holds(&g, "AAPL", "100 0, 0 0 0 0");
    close_gate(&g);
}

/* Rows of orders of other programs, which show that something has filled, or may have. */
static void positions_may_lack_what_is_not_said(void **state)
{
    static const char *const ends[] = { "Canceled", "Expired", "Filled" };

    (void)state;
    for (int i = 0; i < UNSAID * 3; i++) {
        struct gate g = open_exact();
        char more[200];

        snprintf(more, sizeof more, ",\"orderQuantity\":100%s", unsaid[i / 3]);
        apply(&g, FIRST);
        tell(&g, 100, true, ends[i % 3], more);
        lacks(&g, "a");
        close_gate(&g);
    }
}

static void a_working_row_shows_what_has_filled(void **state)
{
    static const struct {
        const char *status, *more;
        bool lacks;
    } rows[] = {
        { "New", ",\"executed\":0", false },
        { "New", "", false },
        { "New", ",\"leavesQuantity\":100", false },
        { "PartiallyFilled", ",\"executed\":0", true },
        { "PartiallyFilled", "", true },
        { "PartiallyFilled", ",\"leavesQuantity\":60", true },
        { "New", ",\"leavesQuantity\":60", true },
        { "New", ",\"executed\":0,\"leavesQuantity\":60", true },
        { "New", ",\"executed\":0,\"leavesQuantity\":60,\"canceledQuantity\":40", false },
        { "PendingCancel", "", true },
        { "PendingCancel", ",\"leavesQuantity\":100", false },
        { "Canceled", ",\"canceledQuantity\":100", false },
        { "Canceled", ",\"executed\":0", false },
        { "Rejected", "", false },
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct gate g = open_exact();
        char more[200];

        snprintf(more, sizeof more,
                 ",\"securityType\":\"Stock\",\"symbol\":\"AAPL\",\"side\":\"Buy\",\"openClose\":\"Open\","
                 "\"orderQuantity\":100%s",
                 rows[i].more);
        apply(&g, FIRST);
        tell(&g, 100, true, rows[i].status, more);
        lacks(&g, rows[i].lacks ? "a" : NULL);
        close_gate(&g);
    }
}

/* --- orders that a list shows no more ----------------------------------------------------------------------------- */

#define WORKS(id, rest)                                                                                             \
    "{" id "\"orderStatus\":\"New\",\"securityType\":\"Stock\",\"symbol\":\"AAPL\",\"side\":\"Buy\",\"openClose\":" \
    "\"Open\",\"orderQuantity\":100" rest "}"
#define W    WORKS("\"clientOrderId\":\"w\",", "")
#define NONE "\"orders\":[]"

static void an_order_that_is_gone_may_have_filled(void **state)
{
    static const char *const rows[] = { W, WORKS("", ""), WORKS("\"userOrderId\":\"L1:w\",", ",\"executed\":40") };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct gate g = open_exact();
        const char *id = i == 1 ? "" : "w";
        char json[400];

        snprintf(json, sizeof json, BP("100000") ",\"positions\":[],\"orders\":[%s]", rows[i]);
        apply_at(&g, 0, json);
        apply_at(&g, 10, json);
        lacks(&g, NULL);
        apply_at(&g, 20, NONE);
        lacks(&g, id);
        apply_at(&g, 30, NONE); /* another list says nothing new of it */
        lacks(&g, id);
        apply_at(&g, 19, "\"positions\":[]");
        lacks(&g, id);
        apply_at(&g, 20, "\"positions\":[]");
        lacks(&g, NULL);
        apply_at(&g, 40, NONE);
        lacks(&g, NULL);
        close_gate(&g);
    }
}

static void an_order_that_stays_is_not_gone(void **state)
{
    static const char *const lists[] = { "\"orders\":[" W "]", "\"orders\":[" WORKS("", "") "]" };

    (void)state;
    for (int i = 0; i < 2; i++) {
        struct gate g = open_exact();

        apply(&g, FIRST);
        apply_at(&g, 10, lists[i]);
        apply_at(&g, 20, lists[i]);
        lacks(&g, NULL);
        close_gate(&g);
    }
}

/* Positions and the list are those of one document. */
static void a_whole_reading_lacks_nothing(void **state)
{
    struct gate g = open_exact();

    (void)state;
    apply(&g, FIRST);
    apply_at(&g, 10, "\"orders\":[" W "]");
    apply_at(&g, 20, BP("100000") ",\"positions\":[]," NONE);
    lacks(&g, NULL);
    close_gate(&g);
}

/* Positions may lack a fill that is older than they are by less than the lag, unless the broker's clock is ahead: then
 * they have what a list shows that is no newer. */
static void positions_lag(void **state)
{
    const struct {
        int filled, positions, listed; /* ms */
        bool lacks, lags;
    } of[] = { { 100, 50, 150, true, true },
               { 100, 2099, 2099, false, true },
               { 100, 2100, 2100, false, false },
               { 3000, 2100, 2100, false, true },
               { 5000, 2100, 2100, false, false } };

    (void)state;
    for (size_t i = 0; i < sizeof of / sizeof *of; i++)
        for (int lag = 0; lag < 2; lag++) {
            struct gate g = lag ? open_gate() : open_exact();
            char row[400];

            snprintf(row, sizeof row,
                     "\"orders\":[{\"clientOrderId\":\"a\",\"accountId\":\"L1\",\"orderStatus\":\"Filled\","
                     "\"executed\":100,\"lastUpdated\":\"%s\"}]",
                     og_time_text(START + of[i].filled * MS).s);
            apply(&g, FIRST);
            apply_at(&g, of[i].positions, "\"positions\":[]");
            apply_at(&g, of[i].listed, row);
            lacks(&g, (lag ? of[i].lags : of[i].lacks) ? "a" : NULL);
            close_gate(&g);
        }
}

static void a_fill_that_is_shown_no_more_is_lacking_still(void **state)
{
    struct gate g = open_exact();

    (void)state;
    apply(&g, FIRST);
    tell(&g, 100, true, "Filled", ",\"executed\":100");
    lacks(&g, "a");
    apply_at(&g, 110, NONE);
    lacks(&g, "a");
    apply_at(&g, 60, "\"positions\":[]");
    lacks(&g, NULL);
    close_gate(&g);
}

/* The list of 10 ms comes after that of 20 ms. */
static void a_late_list_shows_what_was(void **state)
{
    static const char filled[] =
        "{\"clientOrderId\":\"w\",\"orderStatus\":\"Filled\",\"lastUpdated\":\"2026-01-15T17:00:00.005Z\"}";

    (void)state;
    for (int i = 0; i < 3; i++) {
        struct gate g = open_exact();
        char json[400];

        snprintf(json, sizeof json, "\"orders\":[%s]", i == 0 ? W : i == 1 ? filled : "");
        apply(&g, FIRST);
        apply_at(&g, 20, NONE);
        lacks(&g, NULL);
        apply_at(&g, 10, json);
        lacks(&g, i < 2 ? "w" : NULL);
        apply_at(&g, 20, "\"positions\":[]");
        lacks(&g, NULL);
        close_gate(&g);
    }
}

static void a_fill_between_two_lists_needs_no_time(void **state)
{
    static const struct {
        const char *first, *second;
        bool lacks;
    } rows[] = {
        { W, "{\"clientOrderId\":\"w\",\"orderStatus\":\"Filled\"}", true },
        { "", "{\"clientOrderId\":\"w\",\"orderStatus\":\"Filled\"}", true },
        { WORKS("\"clientOrderId\":\"w\",", ",\"leavesQuantity\":60"),
          WORKS("\"clientOrderId\":\"w\",", ",\"leavesQuantity\":40"), true },
        { WORKS("\"clientOrderId\":\"w\",", ",\"leavesQuantity\":60"),
          "{\"clientOrderId\":\"w\",\"orderStatus\":\"Canceled\"}", true },
        { "{\"clientOrderId\":\"w\",\"orderStatus\":\"Canceled\"}",
          "{\"clientOrderId\":\"w\",\"orderStatus\":\"Canceled\"}", false },
        { W, "{\"clientOrderId\":\"w\",\"orderStatus\":\"Canceled\",\"executed\":1}", true },
        { W, "{\"clientOrderId\":\"w\",\"orderStatus\":\"Canceled\"}", true },
        { W, "{\"clientOrderId\":\"w\",\"orderStatus\":\"Canceled\",\"executed\":0}", false },
        { W, WORKS("\"clientOrderId\":\"w\",", ",\"executed\":40"), true },
        { W, WORKS("\"clientOrderId\":\"w\",", ",\"executed\":40,\"lastUpdated\":\"2026-01-15T16:59:59Z\""), true },
        { WORKS("\"clientOrderId\":\"w\",", ",\"executed\":40"), WORKS("\"clientOrderId\":\"w\",", ",\"executed\":40"),
          false },
        { "", WORKS("\"clientOrderId\":\"w\",", ",\"executed\":40,\"lastUpdated\":\"2026-01-15T16:59:59Z\""), false },
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct gate g = open_exact();
        char json[400];

        snprintf(json, sizeof json, BP("100000") ",\"positions\":[],\"orders\":[%s]", rows[i].first);
        apply_at(&g, 10, json);
        lacks(&g, NULL);
        snprintf(json, sizeof json, "\"orders\":[%s]", rows[i].second);
        apply_at(&g, 20, json);
        lacks(&g, rows[i].lacks ? "w" : NULL);
        apply_at(&g, 20, "\"positions\":[]");
        lacks(&g, NULL);
        close_gate(&g);
    }
}

/* A run's own order is followed by its reports. */
static void a_run_s_own_order_that_is_gone_is_counted_by_its_ticket(void **state)
{
    struct gate g = gate_with(STOCK("a", "Buy", "Open", "100", "190"));

    (void)state;
    LIST(&g, 100, bought, NULL, NULL, ",\"orderStatus\":\"New\",\"executed\":0");
    apply_at(&g, 200, NONE);
    lacks(&g, NULL);
    holds(&g, "AAPL", "0 0, 100 0 0 0");
    close_gate(&g);
}

static void decide(const struct gate *g, const char *line, bool accepted, const char *message)
{
    struct og_decision d;
    bool said = false;

    assert_int_equal(og_order_read(g->order, line, strlen(line)), OG_OK);
    og_check(g->book, g->order, START + 200 * MS, g->scratch, &d);
    for (int i = 0; i < d.count; i++)
        said |= message && strcmp(d.findings[i].message, message) == 0;
    if (d.accepted != accepted || (message && !said))
        fail_msg("accepted: %d, %s", d.accepted, d.count ? d.findings[0].message : "no finding");
}

static void only_what_opens_is_refused(void **state)
{
    static const char yaml[] = "ordergate: 1\nname: t\nextends: []\nunsure: refuse\nrules:\n"
                               "  position-limit: {level: refuse, shares: 1000}\n";
    static const char held[] = "\"positions\":[{\"symbol\":\"AAPL\",\"securityType\":\"Stock\",\"side\":\"Long\","
                               "\"shares\":100,\"priceAvg\":100}]",
                      cancel[] = "{\"op\":\"cancel\",\"accountId\":\"L1\",\"clientOrderId\":\"w\"}";
    struct og_request *request = og_request_new();
    struct gate g = open_exact();
    struct og_policy *policy;
    struct og_decision d;
    char json[600];

    (void)state;
    og_book_free(g.book);
    assert_int_equal(og_policy_read(yaml, sizeof yaml - 1, "t", &policy, NULL, NULL, NULL), OG_OK);
    assert_int_equal(og_book_new(policy, &g.book), OG_OK);
    assert_int_equal(og_book_settle_lag(g.book, 0), OG_OK);
    assert_int_equal(og_book_halt_source(g.book, "", NULL), OG_OK);
    snprintf(json, sizeof json, "%s,\"orders\":[" W "]", held);
    apply_at(&g, 0, json);
    decide(&g, STOCK("o", "Buy", "Open", "100", "190"), true, NULL);
    apply_at(&g, 100, NONE);
    decide(&g, STOCK("o", "Buy", "Open", "100", "190"), false,
           "position-above-limit not decided: positions may lack a fill of order 'w', which is 100ms newer");
    decide(&g, STOCK("c", "Sell", "Close", "100", "190"), true, NULL);
    assert_int_equal(og_request_read(request, cancel, sizeof cancel - 1), OG_OK);
    og_check_cancel(g.book, request, START + 200 * MS, g.scratch, &d);
    assert_true(d.accepted);
    apply_at(&g, 100, held);
    decide(&g, STOCK("o", "Buy", "Open", "100", "190"), true, NULL);
    og_request_free(request);
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
        cmocka_unit_test(an_end_that_does_not_say_what_filled_counts_as_working),
        cmocka_unit_test(what_it_says_later_counts),
        cmocka_unit_test(all_of_a_filled_order_has_filled),
        cmocka_unit_test(legs_say_that_a_spread_has_filled),
        cmocka_unit_test(an_older_row_takes_no_fill_back),
        cmocka_unit_test(positions_may_lack_what_is_not_said),
        cmocka_unit_test(a_working_row_shows_what_has_filled),
        cmocka_unit_test(an_order_that_is_gone_may_have_filled),
        cmocka_unit_test(an_order_that_stays_is_not_gone),
        cmocka_unit_test(a_whole_reading_lacks_nothing),
        cmocka_unit_test(positions_lag),
        cmocka_unit_test(a_fill_that_is_shown_no_more_is_lacking_still),
        cmocka_unit_test(a_late_list_shows_what_was),
        cmocka_unit_test(a_fill_between_two_lists_needs_no_time),
        cmocka_unit_test(a_run_s_own_order_that_is_gone_is_counted_by_its_ticket),
        cmocka_unit_test(only_what_opens_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
