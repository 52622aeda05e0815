/*
 * Orders that the book did not decide: what they reserve and count is added exactly once. Also the highest P&L of a
 * day that other senders saw.
 */
#include <stdio.h>

#include "ordergate/ordergate.h"
#include "unit.h"

#define NOW    INT64_C(1768496400000000000) /* 2026-01-15T17:00:00Z */
#define SECOND INT64_C(1000000000)
#define DAY    (86400 * SECOND)

struct gate {
    struct og_book *book;
    struct og_order *order;
    struct og_scratch *scratch;
    struct og_decision d;
};

static void apply(struct gate *g, const char *facts)
{
    struct og_error err = { 0 };

    if (og_book_apply(g->book, NULL, facts, strlen(facts), "t", &err))
        fail_msg("%s", err.text);
}

static struct gate open_gate(const char *rules, const char *facts)
{
    struct og_error err = { 0 };
    struct og_policy *policy = NULL;
    struct gate g = { .order = og_order_new(), .scratch = og_scratch_new() };
    char yaml[400];

    snprintf(yaml, sizeof yaml, "ordergate: 1\nname: t\nextends: []\nrules:\n%s", rules);
    if (og_policy_read(yaml, strlen(yaml), "t", &policy, NULL, NULL, &err))
        fail_msg("%s", err.text);
    assert_int_equal(og_book_new(policy, &g.book), OG_OK);
    assert_true(g.order && g.scratch);
    apply(&g, facts);
    return g;
}

static void close_gate(struct gate *g)
{
    og_order_free(g->order);
    og_scratch_free(g->scratch);
    og_book_free(g->book);
}

static void read_order(struct gate *g, const char *id)
{
    char line[300];

    snprintf(line, sizeof line,
             "{\"securityType\":\"Stock\",\"symbol\":\"AAPL\",\"side\":\"Buy\",\"openClose\":\"Open\","
             "\"orderType\":\"Limit\","
             "\"limitPrice\":100,\"orderQuantity\":10,\"timeInForce\":\"Day\",\"clientOrderId\":\"%s\"}",
             id);
    assert_int_equal(og_order_read(g->order, line, strlen(line)), OG_OK);
}

static bool passes(struct gate *g)
{
    read_order(g, "asked");
    og_check(g->book, g->order, NOW, g->scratch, &g->d);
    return g->d.accepted;
}

static void count(struct gate *g, int64_t at, enum og_sent_fate fate)
{
    read_order(g, "earlier");
    assert_int_equal(og_book_count_sent(g->book, g->order, at, fate, g->scratch), OG_OK);
}

static void rates(void **state)
{
    struct gate g = open_gate("  order-rate: {level: refuse, a_day: 3, a_minute: 2}\n", "{\"accountId\":\"A1\"}");

    (void)state;
    count(&g, NOW - DAY, OG_SENT_TAKEN); /* another day */
    count(&g, NOW - 120 * SECOND, OG_SENT_TAKEN);
    assert_true(passes(&g));
    count(&g, NOW - 59 * SECOND, OG_SENT_OPEN);
    assert_true(passes(&g));
    count(&g, NOW - 2 * SECOND, OG_SENT_REJECTED);
    assert_false(passes(&g)); /* the limits are three a day, and two a minute */
    assert_int_equal(g.d.count, 2);
    close_gate(&g);
}

/* Orders are sent one after the other by senders whose clocks differ, and each of them counts. */
static void clocks_that_differ(void **state)
{
    const int64_t midnight = NOW + 12 * 3600 * SECOND; /* midnight in New York */
    struct gate g = open_gate("  order-rate: {level: refuse, a_day: 3, a_minute: 3}\n", "{\"accountId\":\"A1\"}");

    (void)state;
    count(&g, NOW - 20 * SECOND, OG_SENT_TAKEN);
    count(&g, NOW - 90 * SECOND, OG_SENT_TAKEN);
    count(&g, NOW - 80 * SECOND, OG_SENT_TAKEN);
    assert_false(passes(&g));
    assert_int_equal(g.d.count, 2);
    close_gate(&g);
    g = open_gate("  order-rate: {level: refuse, a_day: 2}\n", "{\"accountId\":\"A1\"}");
    count(&g, midnight + SECOND, OG_SENT_TAKEN);
    count(&g, midnight - SECOND, OG_SENT_TAKEN); /* the same day goes on */
    read_order(&g, "asked");
    og_check(g.book, g.order, midnight + 2 * SECOND, g.scratch, &g.d);
    assert_false(g.d.accepted);
    close_gate(&g);
}

/* The document's counters already include these orders: those sent up to its time are in its number. */
static void counted_already(void **state)
{
    struct gate g = open_gate("  order-rate: {level: refuse, a_day: 3}\n",
                              "{\"accountId\":\"A1\",\"gate\":{\"asOf\":\"2026-01-15T16:00:00Z\",\"ordersToday\":2}}");

    (void)state;
    count(&g, NOW - 7200 * SECOND, OG_SENT_TAKEN);
    count(&g, NOW - 3601 * SECOND, OG_SENT_TAKEN);
    assert_true(passes(&g));
    count(&g, NOW - 3599 * SECOND, OG_SENT_TAKEN);
    assert_false(passes(&g));
    close_gate(&g);
}

static void repeats(void **state)
{
    struct gate g = open_gate("  repeated-order: {level: refuse, window: 10s}\n", "{\"accountId\":\"A1\"}");

    (void)state;
    count(&g, NOW - 11 * SECOND, OG_SENT_TAKEN);
    assert_true(passes(&g));
    count(&g, NOW - 9 * SECOND, OG_SENT_TAKEN);
    assert_false(passes(&g));
    close_gate(&g);
}

static void rejections(void **state)
{
    static const char rule[] = "  rejection-streak: {level: refuse, most: 1}\n";
    struct gate g = open_gate(rule, "{\"accountId\":\"A1\"}");

    (void)state;
    count(&g, NOW - 9 * SECOND, OG_SENT_REJECTED);
    count(&g, NOW - 8 * SECOND, OG_SENT_TAKEN);
    count(&g, NOW - 7 * SECOND, OG_SENT_REJECTED);
    count(&g, NOW - 6 * SECOND, OG_SENT_OPEN);
    assert_true(passes(&g));
    count(&g, NOW - 5 * SECOND, OG_SENT_REJECTED);
    assert_false(passes(&g));
    close_gate(&g);
    g = open_gate(rule, "{\"accountId\":\"A1\",\"gate\":{\"asOf\":\"2026-01-15T16:59:59Z\",\"rejectionsInARow\":0}}");
    count(&g, NOW - 9 * SECOND, OG_SENT_REJECTED);
    count(&g, NOW - 8 * SECOND, OG_SENT_REJECTED);
    assert_true(passes(&g)); /* the document's number counts these orders */
    close_gate(&g);
}

static void what_they_take(void **state)
{
    struct gate g = open_gate("  buying-power: refuse\n",
                              "{\"accountId\":\"A1\",\"asOf\":\"2026-01-15T16:59:59Z\",\"account\":{\"account\":\"A1\","
                              "\"bp\":1500},\"positions\":[],\"orders\":[]}");
    og_ticket ticket = 7;

    (void)state;
    assert_true(passes(&g));
    read_order(&g, "theirs");
    assert_int_equal(og_reserve_sent(g.book, g.order, NOW, g.scratch, &ticket), OG_OK);
    assert_false(passes(&g)); /* other programs' orders use 1000 of 1500 */
    og_ticket_release(g.book, ticket);
    assert_true(passes(&g));
    assert_int_equal(og_order_read(g.order, "{\"op\":\"heartbeat\"}", 18), OG_OK);
    assert_int_equal(og_reserve_sent(g.book, g.order, NOW, g.scratch, &ticket), OG_EINVAL);
    assert_int_equal(ticket, 0);
    assert_int_equal(og_book_count_sent(g.book, g.order, NOW, OG_SENT_TAKEN, g.scratch), OG_EINVAL);
    close_gate(&g);
}

/* Stock orders that may cost more than their limit says, or more than a market order would: they fill at the quote. */
static const char *const dearer[] = {
    "\"side\":\"Sell\",\"openClose\":\"Open\",\"orderType\":\"Limit\",\"limitPrice\":3.67",
    "\"side\":\"Sell\",\"openClose\":\"Open\",\"orderType\":\"StopLimit\",\"stopPrice\":3.7,\"limitPrice\":3.67",
    "\"side\":\"Sell\",\"openClose\":\"Open\",\"orderType\":\"Stop\",\"stopPrice\":3.7",
    "\"side\":\"Sell\",\"openClose\":\"Open\",\"orderType\":\"Market\"",
};

static void read_line(struct gate *g, const char *terms, const char *id)
{
    char line[300];

    snprintf(line, sizeof line,
             "{\"accountId\":\"A1\",\"securityType\":\"Stock\",\"symbol\":\"AAPL\",%s,\"orderQuantity\":10,"
             "\"timeInForce\":\"Day\",\"clientOrderId\":\"%s\"}",
             terms, id);
    assert_int_equal(og_order_read(g->order, line, strlen(line)), OG_OK);
}

/* An order that was reserved before its account was known reserves its cost in the worst case, whether this book
 * accepted it or another program sent it. */
static void before_the_account_is_known(void **state)
{
    static const char *const bp[] = { "2009", "2010" }; /* the order takes 1010, the next one 1000 */
    static const char quote[] = "{\"symbol\":\"AAPL\",\"bid\":100,\"ask\":101,\"asOf\":\"2026-01-15T16:59:59Z\"}";
    char facts[200];
    og_ticket ticket;

    (void)state;
    for (size_t i = 0; i < 4 * sizeof dearer / sizeof dearer[0]; i++) {
        struct gate g = open_gate("  buying-power: {level: refuse, unsure: warn}\n", "{\"accountId\":\"A2\"}");

        assert_int_equal(og_book_quote(g.book, quote, strlen(quote), NULL), OG_OK);
        read_line(&g, dearer[i / 4], "first");
        if (i & 1) {
            assert_int_equal(og_reserve_sent(g.book, g.order, NOW, g.scratch, &ticket), OG_OK);
        } else {
            assert_int_equal(og_reserve(g.book, g.order, NOW, g.scratch, &g.d, &ticket), OG_OK);
            assert_true(g.d.accepted);
        }
        snprintf(facts, sizeof facts, "{\"accountId\":\"A1\",\"account\":{\"account\":\"A1\",\"bp\":%s}}",
                 bp[i >> 1 & 1]);
        apply(&g, facts);
        read_line(&g, "\"side\":\"Buy\",\"openClose\":\"Open\",\"orderType\":\"Limit\",\"limitPrice\":100", "asked");
        og_check(g.book, g.order, NOW, g.scratch, &g.d);
        assert_int_equal(g.d.accepted, i >> 1 & 1);
        close_gate(&g);
    }
}

/* Orders that were counted before their account was known still count afterwards. */
static void counted_before_the_account_is_known(void **state)
{
    struct gate g = open_gate("  order-rate: {level: refuse, a_day: 2}\n  rejection-streak: {level: refuse, most: 0}\n",
                              "{\"accountId\":\"A2\"}");

    (void)state;
    for (int i = 0; i < 2; i++) {
        read_line(&g, dearer[0], i ? "one" : "other");
        assert_int_equal(
            og_book_count_sent(g.book, g.order, NOW - 60 * SECOND, i ? OG_SENT_REJECTED : OG_SENT_TAKEN, g.scratch),
            OG_OK);
    }
    apply(&g, "{\"accountId\":\"A1\",\"account\":{\"account\":\"A1\",\"bp\":9999}}");
    read_line(&g, dearer[0], "asked");
    og_check(g.book, g.order, NOW, g.scratch, &g.d);
    assert_int_equal(g.d.count, 2);
    assert_string_equal(g.d.findings[0].reason, "orders-a-day-above-limit");
    assert_string_equal(g.d.findings[1].reason, "rejections-in-a-row");
    close_gate(&g);
}

/* Load P&L of AAPL's account with that age, or without one. */
static void pnl(struct gate *g, const char *account, const char *at, const char *members)
{
    char facts[200];

    snprintf(facts, sizeof facts, "{\"accountId\":\"%s\"%s%s%s,\"pnl\":{%s}}", account, at ? ",\"asOf\":\"" : "",
             at ? at : "", at ? "\"" : "", members);
    apply(g, facts);
}

static enum og_status raise_to(struct gate *g, const char *account, int day, int64_t dollars)
{
    struct og_pnl_peak peak = { .day = day, .peak = og_money_from(dollars) };

    return og_book_raise_pnl_peak(g->book, account, &peak);
}

/* Returns the peak that the book knows of the account; -1: none. */
static int64_t peak_of(struct gate *g, const char *account, int day)
{
    struct og_pnl_peak peak;

    if (og_book_pnl_peak(g->book, account, &peak))
        return -1;
    assert_int_equal(peak.day, day);
    return og_money_floor(peak.peak);
}

static const char drawdown[] = "  day-loss: {level: refuse, drawdown: 500}\n";

static void peaks_that_others_saw(void **state)
{
    struct gate g = open_gate(drawdown, "{\"accountId\":\"A1\"}");

    (void)state;
    assert_int_equal(peak_of(&g, "A1", 0), -1);
    assert_int_equal(peak_of(&g, "A2", 0), -1);
    assert_int_equal(raise_to(&g, "A1", 20260115, 900), OG_OK); /* before any P&L is known */
    pnl(&g, "A1", "2026-01-15T16:59:00Z", "\"dayPnl\":399");
    assert_false(passes(&g));
    assert_int_equal(peak_of(&g, "A1", 20260115), 900);
    pnl(&g, "A1", "2026-01-15T16:59:01Z", "\"dayPnl\":400");
    assert_true(passes(&g));
    assert_int_equal(raise_to(&g, "A1", 20260115, 901), OG_OK);
    assert_false(passes(&g));
    assert_int_equal(raise_to(&g, "A1", 20260115, 5), OG_OK); /* it is never lowered */
    assert_int_equal(peak_of(&g, "A1", 20260115), 901);
    assert_int_equal(raise_to(&g, "A2", 20260115, 5000), OG_OK); /* another account */
    assert_int_equal(peak_of(&g, "A1", 20260115), 901);
    pnl(&g, "A1", "2026-01-15T16:59:02Z", "\"dayPnl\":10,\"dayPnlPeak\":2000"); /* the greater of the two counts */
    assert_int_equal(peak_of(&g, "A1", 20260115), 2000);
    close_gate(&g);
}

/* A day lasts from 04:00 until the next session begins; a clock that jumps ahead and back loses nothing. */
static void days_of_peaks(void **state)
{
    struct gate g = open_gate(drawdown, "{\"accountId\":\"A1\"}");

    (void)state;
    pnl(&g, "A1", "2026-01-16T08:59:59Z", "\"dayPnl\":900"); /* 03:59:59 on Friday */
    assert_int_equal(peak_of(&g, "A1", 20260115), 900);
    pnl(&g, "A1", "2026-01-16T09:00:00Z", "\"dayPnl\":-1");
    assert_int_equal(peak_of(&g, "A1", 20260116), 0);
    assert_int_equal(raise_to(&g, "A1", 20260115, 1000), OG_OK); /* a value for a day that is over */
    assert_int_equal(peak_of(&g, "A1", 20260116), 0);
    pnl(&g, "A1", "2026-01-18T17:00:00Z", "\"dayPnl\":70"); /* Sunday */
    assert_int_equal(peak_of(&g, "A1", 20260116), 70);
    pnl(&g, "A1", "2026-01-20T08:00:00Z", "\"dayPnl\":60"); /* the night after a holiday */
    assert_int_equal(peak_of(&g, "A1", 20260116), 70);
    assert_int_equal(raise_to(&g, "A1", 20260120, 40), OG_OK); /* another sender has read the new day already */
    assert_int_equal(peak_of(&g, "A1", 20260116), 70);
    pnl(&g, "A1", "2026-01-20T09:00:00Z", "\"dayPnl\":30");
    assert_int_equal(peak_of(&g, "A1", 20260120), 40);
    apply(&g, "{\"accountId\":\"A1\",\"ages\":{\"pnl\":\"2026-01-21T15:00:00Z\"}}"); /* the same figures, a day later */
    assert_int_equal(peak_of(&g, "A1", 20260121), 30);
    close_gate(&g);
}

static void clock_back(struct gate *g)
{
    og_ticket ticket;

    read_order(g, "now");
    assert_int_equal(og_reserve(g->book, g->order, NOW, g->scratch, &g->d, &ticket), OG_OK);
}

static void peaks_and_a_clock_that_jumps(void **state)
{
    struct gate g = open_gate(drawdown, "{\"accountId\":\"A1\"}");

    (void)state;
    pnl(&g, "A1", "2026-01-15T16:59:00Z", "\"dayPnl\":900");
    pnl(&g, "A1", "2026-01-16T16:59:00Z", "\"dayPnl\":800");
    clock_back(&g);
    pnl(&g, "A1", "2026-01-15T17:00:00Z", "\"dayPnl\":300");
    assert_int_equal(peak_of(&g, "A1", 20260115), 900);
    close_gate(&g);
    g = open_gate(drawdown, "{\"accountId\":\"A1\"}");
    pnl(&g, "A1", NULL, "\"dayPnl\":600"); /* without an age: counted for the day that is known */
    assert_int_equal(peak_of(&g, "A1", 0), -1);
    assert_int_equal(raise_to(&g, "A1", 20260115, 900), OG_OK);
    assert_int_equal(peak_of(&g, "A1", 20260115), 900);
    pnl(&g, "A1", NULL, "\"dayPnl\":399");
    assert_false(passes(&g));
    close_gate(&g);
}

static void peaks_that_are_none(void **state)
{
    struct gate g = open_gate(drawdown, "{\"accountId\":\"A1\"}");
    const struct og_pnl_peak odd = { .day = 20260115, .peak = { 1, 19 } },
                             below = { .day = 20260115, .peak = { -1, 0 } };

    (void)state;
    assert_int_equal(raise_to(&g, "A1", 20260230, 1), OG_EINVAL);
    assert_int_equal(raise_to(&g, "A1", 0, 1), OG_EINVAL);
    assert_int_equal(raise_to(&g, "", 20260115, 1), OG_EINVAL);
    assert_int_equal(og_book_raise_pnl_peak(g.book, "A1", &odd), OG_EINVAL);
    assert_int_equal(og_book_raise_pnl_peak(g.book, "A1", &below), OG_EINVAL);
    assert_int_equal(og_book_raise_pnl_peak(g.book, "A1", NULL), OG_EINVAL);
    close_gate(&g);
}

/* --- the worth of a spread of another run ------------------------------------------------------------------------- */

#define P10 "F260220P00010000"
#define P11 "F260220P00011000"
#define C13 "F260220C00013000"
#define C14 "F260220C00014000"
#define LEG(symbol, side, what) \
    "{\"symbol\":\"" symbol "\",\"side\":\"" side "\",\"ratio\":1,\"openClose\":\"" what "\"}"
#define NO_FACTS                                                                                                \
    "{\"accountId\":\"A1\",\"asOf\":\"2026-01-15T17:00:00Z\",\"account\":{\"equity\":100000},\"positions\":[]," \
    "\"orders\":[]}"
#define HELD                                                                                                 \
    "{\"accountId\":\"A1\",\"asOf\":\"2026-01-15T17:00:00Z\",\"account\":{\"equity\":100000},\"orders\":[]," \
    "\"positions\":["                                                                                        \
    "{\"symbol\":\"F\",\"tradedSymbol\":\"" C13                                                              \
    "\",\"securityType\":\"Option\",\"side\":\"Long\",\"shares\":2,\"priceAvg\":1},"                         \
    "{\"symbol\":\"F\",\"tradedSymbol\":\"" C14                                                              \
    "\",\"securityType\":\"Option\",\"side\":\"Short\",\"shares\":2,\"priceAvg\":1}]}"

static const struct {
    const char *name, *facts, *type, *legs;
} spreads[] = {
    { "debit", NO_FACTS, "\"Limit\",\"limitPrice\":0.5", LEG(P11, "Buy", "Open") "," LEG(P10, "Sell", "Open") },
    { "credit", NO_FACTS, "\"Limit\",\"limitPrice\":0.5", LEG(P11, "Sell", "Open") "," LEG(P10, "Buy", "Open") },
    { "condor", NO_FACTS, "\"Limit\",\"limitPrice\":0.5",
      LEG(P10, "Buy", "Open") "," LEG(P11, "Sell", "Open") "," LEG(C13, "Sell", "Open") "," LEG(C14, "Buy", "Open") },
    { "strangle", NO_FACTS, "\"Limit\",\"limitPrice\":0.5", LEG(P11, "Buy", "Open") "," LEG(C13, "Buy", "Open") },
    { "at the market", NO_FACTS, "\"Market\"", LEG(P11, "Buy", "Open") "," LEG(P10, "Sell", "Open") },
    { "a close", HELD, "\"Limit\",\"limitPrice\":0.5", LEG(C13, "Sell", "Close") "," LEG(C14, "Buy", "Close") },
    { "a close of too much", NO_FACTS, "\"Limit\",\"limitPrice\":0.5",
      LEG(C13, "Sell", "Close") "," LEG(C14, "Buy", "Close") },
};

static void quote_all(struct gate *g)
{
    static const char *const at[][2] = {
        { P10, "0.2" }, { P11, "0.6" }, { C13, "0.5" }, { C14, "0.2" }, { "F", "12" }
    };
    struct og_error err = { 0 };
    char line[200];

    for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
        snprintf(line, sizeof line, "{\"symbol\":\"%s\",\"bid\":%s,\"ask\":%s,\"asOf\":\"2026-01-15T16:59:59Z\"}",
                 at[i][0], at[i][1], at[i][1]);
        assert_int_equal(og_book_quote(g->book, line, strlen(line), &err), OG_OK);
    }
}

static void read_spread(struct gate *g, size_t i)
{
    char line[800];

    snprintf(line, sizeof line,
             "{\"securityType\":\"Mleg\",\"symbol\":\"F\",\"orderType\":%s,\"orderQuantity\":2,\"timeInForce\":\"Day\","
             "\"clientOrderId\":\"s1\",\"legs\":[%s]}",
             spreads[i].type, spreads[i].legs);
    assert_int_equal(og_order_read(g->order, line, strlen(line)), OG_OK);
}

#define EXPOSURE "  exposure: {level: refuse, gross: %lld}\n"

/* Returns up to which exposure in dollars an order of 1000 dollars still passes beside the spread; 0 if it does not
 * pass at all. */
static int64_t exposure_beside(struct gate *g)
{
    int64_t least = 0;
    char rules[100];

    for (int64_t most = 1; most <= 1 << 20 && !least; most += most < 4000 ? 1 : most) {
        struct og_error err = { 0 };
        struct og_policy *policy = NULL;
        char yaml[200];

        snprintf(rules, sizeof rules, EXPOSURE, (long long)most);
        snprintf(yaml, sizeof yaml, "ordergate: 1\nname: t\nextends: []\nunsure: refuse\nrules:\n%s", rules);
        assert_int_equal(og_policy_read(yaml, strlen(yaml), "t", &policy, NULL, NULL, &err), OG_OK);
        og_book_swap_policy(g->book, policy);
        least = passes(g) ? most : 0;
    }
    return least;
}

enum quotes { BEFORE, AFTER, AFTER_AND_READ };

/* A spread of another program counts like one of this book, whether its quotes came before it or after it. */
static void a_spread_is_worth_what_an_own_one_is(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof spreads / sizeof *spreads; i++) {
        struct gate own = open_gate("  exposure: off\n", spreads[i].facts);
        og_ticket t;
        int64_t most;

        quote_all(&own);
        read_spread(&own, i);
        assert_int_equal(og_reserve(own.book, own.order, NOW, own.scratch, &own.d, &t), OG_OK);
        assert_true(own.d.accepted);
        most = exposure_beside(&own);
        assert_true(most >= 1000);
        close_gate(&own);
        for (enum quotes when = BEFORE; when <= AFTER_AND_READ; when++) {
            struct gate g = open_gate("  exposure: off\n", spreads[i].facts);

            if (when == BEFORE)
                quote_all(&g);
            read_spread(&g, i);
            assert_int_equal(og_reserve_sent(g.book, g.order, NOW - 60 * SECOND, g.scratch, &t), OG_OK);
            if (when == AFTER || when == AFTER_AND_READ)
                quote_all(&g);
            if (when != AFTER)
                apply(&g, spreads[i].facts);
            if (exposure_beside(&g) != most)
                fail_msg("%s, quotes %d: %lld beside another run's, %lld beside an own one", spreads[i].name, (int)when,
                         (long long)exposure_beside(&g), (long long)most);
            close_gate(&g);
        }
    }
}

/* Without quotes the rule is unsure, since no value is assumed. */
static void without_quotes_its_worth_is_not_known(void **state)
{
    struct gate g = open_gate("  exposure: off\n", NO_FACTS);
    og_ticket t;

    (void)state;
    read_spread(&g, 4);
    assert_int_equal(og_reserve_sent(g.book, g.order, NOW - 60 * SECOND, g.scratch, &t), OG_OK);
    apply(&g, NO_FACTS);
    assert_int_equal(exposure_beside(&g), 0);
    quote_all(&g);
    assert_true(exposure_beside(&g) > 0);
    close_gate(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rates),
        cmocka_unit_test(clocks_that_differ),
        cmocka_unit_test(counted_already),
        cmocka_unit_test(repeats),
        cmocka_unit_test(rejections),
        cmocka_unit_test(what_they_take),
        cmocka_unit_test(before_the_account_is_known),
        cmocka_unit_test(counted_before_the_account_is_known),
        cmocka_unit_test(peaks_that_others_saw),
        cmocka_unit_test(days_of_peaks),
        cmocka_unit_test(peaks_and_a_clock_that_jumps),
        cmocka_unit_test(peaks_that_are_none),
        cmocka_unit_test(a_spread_is_worth_what_an_own_one_is),
        cmocka_unit_test(without_quotes_its_worth_is_not_known),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
