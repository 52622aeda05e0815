/*
 * Documents arrive in another order than they were requested: the newest of each kind of facts is kept, the call
 * returns what was skipped, and nothing that was counted meanwhile is lost.
 */
#include "gate.h"

#define AAPL(shares) "\"positions\":[{\"symbol\":\"AAPL\",\"side\":\"Long\",\"shares\":" shares ",\"priceAvg\":100}]"
#define ROW(id, done)                                                                                                  \
    "{\"accountId\":\"L1\",\"clientOrderId\":\"" id "\",\"orderStatus\":\"New\",\"symbol\":\"AAPL\",\"securityType\":" \
    "\"Stock\",\"side\":\"Buy\",\"openClose\":\"Open\",\"orderQuantity\":10,\"executed\":" done ",\"limitPrice\":100}"

/* Returns the note of og_book_apply() for a document whose "asOf" is that many ms after the start. */
static const char *said(struct gate *g, int ms, const char *rest)
{
    static struct og_error err;
    char json[2048];

    memset(&err, 'x', sizeof err); /* a call that succeeds sets err, whatever it held */
    err.status = OG_OK;
    snprintf(json, sizeof json, "{\"asOf\":\"%s\",\"accountId\":\"L1\",%s}", og_time_text(START + ms * MS).s, rest);
    assert_int_equal(og_book_apply(g->book, NULL, json, strlen(json), "late.json", &err), OG_OK);
    if (err.text[0])
        assert_string_equal(err.source, "late.json");
    return err.text;
}

static void age_is(const struct gate *g, enum og_fact kind, int ms)
{
    int64_t as_of;

    assert_true(og_facts_known(facts(g), kind, &as_of));
    assert_int_equal(as_of, START + ms * MS);
}

#define LEFT_OUT ": not loaded, because newer facts were loaded before"

static void the_younger_stays_kind_by_kind(void **state)
{
    struct gate g = open_gate();

    (void)state;
    assert_string_equal(said(&g, 1000, AAPL("10") ",\"orders\":[]"), "");
    assert_string_equal(said(&g, 2000, AAPL("30")), "");
    assert_string_equal(said(&g, 1500, AAPL("20") ",\"orders\":[" ROW("e1", "0") "]," BP("5000")),
                        "positions" LEFT_OUT);
    holds(&g, "AAPL", "30 0, 10 0 0 0");
    bp_is(&g, "5000");
    age_is(&g, OG_FACT_POSITIONS, 2000);
    age_is(&g, OG_FACT_ORDERS, 1500);
    age_is(&g, OG_FACT_ACCOUNT, 1500);
    assert_string_equal(said(&g, 1400, AAPL("20") ",\"orders\":[]," BP("9000")), "account, positions, orders" LEFT_OUT);
    holds(&g, "AAPL", "30 0, 10 0 0 0");
    bp_is(&g, "5000");
    assert_string_equal(said(&g, 2500, AAPL("40") ",\"orders\":[]," BP("9000")), "");
    holds(&g, "AAPL", "40 0, 0 0 0 0");
    close_gate(&g);
}

static void of_one_age_the_last_counts(void **state)
{
    struct gate g = open_gate();

    (void)state;
    assert_string_equal(said(&g, 1000, AAPL("10")), "");
    assert_string_equal(said(&g, 1000, AAPL("20")), "");
    holds(&g, "AAPL", "20 0, 0 0 0 0");
    close_gate(&g);
}

/* A document without an age counts as if it had the greatest age, so every max_age rejects it; and facts older than
 * those that it replaced are still skipped. */
static void without_an_age_it_counts_as_it_comes(void **state)
{
    struct gate g = open_gate();
    int64_t as_of;

    (void)state;
    assert_string_equal(said(&g, 1000, AAPL("10")), "");
    apply(&g, "{\"accountId\":\"L1\"," AAPL("20") "}");
    holds(&g, "AAPL", "20 0, 0 0 0 0");
    assert_true(og_facts_known(facts(&g), OG_FACT_POSITIONS, &as_of));
    assert_int_equal(as_of, OG_TIME_UNKNOWN);
    assert_string_equal(said(&g, 900, AAPL("30")), "positions" LEFT_OUT);
    holds(&g, "AAPL", "20 0, 0 0 0 0");
    assert_string_equal(said(&g, 1100, AAPL("40")), "");
    holds(&g, "AAPL", "40 0, 0 0 0 0");
    close_gate(&g);
}

static void ages_of_single_kinds_count(void **state)
{
    struct gate g = open_gate();

    (void)state;
    assert_string_equal(said(&g, 1000, AAPL("10") ",\"orders\":[]"), "");
    assert_string_equal(said(&g, 2000, AAPL("20") ",\"ages\":{\"positions\":\"2020-01-01T00:00:00Z\"}"),
                        "positions" LEFT_OUT);
    holds(&g, "AAPL", "10 0, 0 0 0 0");
    /* the age of known facts may only become later */
    assert_string_equal(said(&g, 0, "\"ages\":{\"orders\":\"2026-01-15T17:00:05Z\"}"), "");
    age_is(&g, OG_FACT_ORDERS, 5000);
    assert_string_equal(said(&g, 0, "\"ages\":{\"orders\":\"2026-01-15T17:00:04Z\"}"), "orders" LEFT_OUT);
    age_is(&g, OG_FACT_ORDERS, 5000);
    close_gate(&g);
}

/* An order of another program filled between two readings. The first reading, whose answer arrives last, lacks the
 * fill. */
static void what_filled_between_stays_held(void **state)
{
    struct gate g = open_gate();

    (void)state;
    assert_string_equal(said(&g, 0, BP("100000") ",\"positions\":[],\"orders\":[" ROW("e1", "0") "]"), "");
    assert_string_equal(said(&g, 2000, BP("99000") "," AAPL("10") ",\"orders\":[]"), "");
    assert_string_equal(said(&g, 1000, BP("99000") ",\"positions\":[],\"orders\":[" ROW("e1", "0") "]"),
                        "account, positions, orders" LEFT_OUT);
    holds(&g, "AAPL", "10 0, 0 0 0 0");
    close_gate(&g);
}

/* A newer document ended a ticket. Only that document contains its fills, so no older document replaces it. */
static void what_a_ticket_did_stays_counted(void **state)
{
    struct gate g = open_gate();
    og_ticket t;

    (void)state;
    assert_string_equal(said(&g, 0, NOTHING), "");
    t = reserve(&g, 100, STOCK("o1", "Buy", "Open", "10", "100"));
    og_ticket_sent(g.book, t, START + 200 * MS);
    assert_int_equal(fill(&g, t, OG_FILL_WHOLE, "100", 300), OG_OK);
    assert_string_equal(said(&g, 4000, BP("99000") "," AAPL("10") ",\"orders\":[]"), "");
    assert_string_equal(said(&g, 150, NOTHING), "account, positions, orders" LEFT_OUT);
    holds(&g, "AAPL", "10 0, 0 0 0 0");
    bp_is(&g, "99000");
    /* an order that is still working keeps counting as working */
    t = reserve(&g, 4100, STOCK("o2", "Buy", "Open", "10", "100"));
    og_ticket_sent(g.book, t, START + 4200 * MS);
    assert_string_equal(said(&g, 3000, NOTHING), "account, positions, orders" LEFT_OUT);
    holds(&g, "AAPL", "10 0, 10 0 0 0");
    bp_is(&g, "98000");
    close_gate(&g);
}

static void ids_of_an_older_list_are_used(void **state)
{
    struct gate g = open_gate();

    (void)state;
    assert_string_equal(said(&g, 1000, "\"orders\":[]"), "");
    assert_int_equal(og_facts_id(facts(&g), OG_STR("e1")), OG_ID_FREE);
    assert_string_equal(said(&g, 0, "\"orders\":[" ROW("e1", "0") "]"), "orders" LEFT_OUT);
    assert_int_equal(og_facts_id(facts(&g), OG_STR("e1")), OG_ID_ACCEPTED);
    assert_null(og_facts_holding(facts(&g), OG_STR("AAPL"))); /* the order does not work any more */
    close_gate(&g);
}

/* A clock that was an hour fast is set back: the first decision shows it, and later readings are loaded again. */
static void a_clock_set_back_keeps_nothing_out(void **state)
{
    enum { HOUR = 3600 * 1000 };
    struct gate g = open_gate();

    (void)state;
    assert_string_equal(said(&g, HOUR, BP("100000") "," AAPL("10") ",\"orders\":[]"), "");
    assert_string_equal(said(&g, 1000, AAPL("20")), "positions" LEFT_OUT);
    (void)reserve(&g, 2000, STOCK("o1", "Buy", "Open", "1", "100"));
    assert_string_equal(said(&g, 1500, AAPL("30")),
                        "positions" LEFT_OUT); /* before that decision nothing shows that the clock is wrong */
    (void)reserve(&g, 3000, STOCK("o2", "Buy", "Open", "1", "100"));
    assert_string_equal(said(&g, 3000, AAPL("40")), "");
    assert_string_equal(said(&g, 2900, AAPL("50")), "positions" LEFT_OUT);
    holds(&g, "AAPL", "40 0, 2 0 0 0");
    close_gate(&g);
}

/* A decision made before the newer document says nothing about the clock, and neither does one made within a minute of
 * it. */
static void decisions_before_it_do_not_doubt_a_document(void **state)
{
    struct gate g = open_gate();

    (void)state;
    assert_string_equal(said(&g, 0, NOTHING), "");
    (void)reserve(&g, 100, STOCK("o1", "Buy", "Open", "1", "100"));
    assert_string_equal(said(&g, 600 * 1000, AAPL("10")), "");
    assert_string_equal(said(&g, 500 * 1000, AAPL("20")), "positions" LEFT_OUT);
    (void)reserve(&g, 541 * 1000, STOCK("o2", "Buy", "Open", "1", "100"));
    assert_string_equal(said(&g, 599 * 1000, AAPL("30")), "positions" LEFT_OUT);
    close_gate(&g);
}

/* The row of an order whose ticket is over does not count until a list that was read later still has it. */
static void rows_of_what_is_over_wait_for_a_list(void **state)
{
    struct gate g = open_gate();
    og_ticket t;

    (void)state;
    assert_string_equal(said(&g, 0, NOTHING), "");
    t = reserve(&g, 100, STOCK("o1", "Buy", "Open", "10", "100"));
    og_ticket_sent(g.book, t, START + 200 * MS);
    assert_string_equal(said(&g, 3000, "\"orders\":[" ROW("o1", "0") "]"), "");
    holds(&g, "AAPL", "0 0, 10 0 0 0");
    og_ticket_release(g.book, t);
    assert_null(og_facts_holding(facts(&g), OG_STR("AAPL")));
    assert_string_equal(said(&g, 4000, BP("100000")), ""); /* the document has no list of orders */
    assert_null(og_facts_holding(facts(&g), OG_STR("AAPL")));
    assert_string_equal(said(&g, 2000, "\"orders\":[" ROW("o1", "0") "]"), "orders" LEFT_OUT);
    assert_null(og_facts_holding(facts(&g), OG_STR("AAPL")));
    assert_string_equal(said(&g, 5000, "\"orders\":[" ROW("o1", "0") "]"),
                        ""); /* the broker shows it as working after all */
    holds(&g, "AAPL", "0 0, 10 0 0 0");
    close_gate(&g);
}

/* An order in flight that is over is in no list of orders; it does not count again until newer facts of the gate have
 * it. */
static void an_order_in_flight_that_is_over_waits_for_the_gate(void **state)
{
    struct gate g = open_gate();
    og_ticket t;

    (void)state;
    assert_string_equal(said(&g, 0, NOTHING), "");
    t = reserve(&g, 100, STOCK("o1", "Buy", "Open", "10", "100"));
    assert_string_equal(
        said(&g, 200, "\"gate\":{\"inFlight\":[" STOCK("o1", "Buy", "Open", "10", "100") "],\"unknown\":[]}"), "");
    og_ticket_sent(g.book, t, START + 300 * MS);
    og_ticket_release(g.book, t);
    assert_null(og_facts_holding(facts(&g), OG_STR("AAPL")));
    assert_string_equal(said(&g, 4000, NOTHING), "");
    assert_null(og_facts_holding(facts(&g), OG_STR("AAPL")));
    close_gate(&g);
}

static void quotes_of_an_older_document_stay_away(void **state)
{
    struct gate g = open_gate();
    struct og_error err = { 0 };
    static const char alone[] = "{\"symbol\":\"AAPL\",\"bid\":90,\"ask\":91}";

    (void)state;
    assert_string_equal(said(&g, 0, NOTHING), "");
    assert_string_equal(said(&g, 2000, "\"quotes\":{\"AAPL\":{\"bid\":100,\"ask\":101}}"), "");
    assert_string_equal(said(&g, 1000, "\"quotes\":{\"AAPL\":{\"bid\":50,\"ask\":51}}"), "quotes" LEFT_OUT);
    assert_string_equal(og_money_text(og_facts_quote(facts(&g), OG_STR("AAPL"))->ask).s, "101");
    /* a single quote comes from a stream, and is always loaded */
    assert_int_equal(og_book_quote(g.book, alone, sizeof alone - 1, &err), OG_OK);
    assert_string_equal(og_money_text(og_facts_quote(facts(&g), OG_STR("AAPL"))->ask).s, "91");
    close_gate(&g);
}

static const char *ask_after(struct gate *g, const char *quote)
{
    static char text[32];
    struct og_error err = { 0 };

    assert_int_equal(og_book_quote_at(g->book, quote, strlen(quote), START + 60 * OG_NS_PER_S, 0, &err), OG_OK);
    snprintf(text, sizeof text, "%s", og_money_text(og_facts_quote(facts(g), OG_STR("AAPL"))->ask).s);
    return text;
}

static void a_quotes_time_decides(void **state)
{
    struct gate g = open_gate();

    (void)state;
    assert_string_equal(said(&g, 0, NOTHING), "");
#define QUOTE(ask, at) "{\"symbol\":\"AAPL\",\"bid\":1,\"ask\":" ask at "}"
#define AT(time)       ",\"asOf\":\"2026-01-15T17:00:" time "Z\""
    assert_string_equal(ask_after(&g, QUOTE("100", AT("10"))), "100");
    assert_string_equal(ask_after(&g, QUOTE("200", AT("05"))), "100"); /* the quote arrives late */
    assert_string_equal(ask_after(&g, QUOTE("0", AT("09.999999999"))), "100");
    assert_string_equal(ask_after(&g, QUOTE("101", AT("10"))), "101"); /* of two quotes with the same time, the one that
                                                                        * arrives later counts */
    assert_string_equal(ask_after(&g, QUOTE("102", AT("10.000000001"))), "102");
    assert_string_equal(ask_after(&g, QUOTE("103", "")), "103"); /* a quote without a time is too old for every
                                                                  * max_age */
    assert_string_equal(ask_after(&g, QUOTE("104", AT("01"))), "104");
    assert_string_equal(ask_after(&g, QUOTE("105", ",\"asOf\":\"2026-01-15T19:00:00Z\"")), "105");
    assert_string_equal(ask_after(&g, QUOTE("106", AT("02"))), "106"); /* the present quote is dated in the future */
    close_gate(&g);
}

/* Every account skips market facts that are older than its own; an account added later gets those that the others
 * have. */
static void all_accounts_leave_it_out(void **state)
{
    struct gate g = open_gate();
    struct og_error err = { 0 };
    static const char newer[] = "{\"asOf\":\"2026-01-15T17:00:02Z\",\"borrow\":{\"GME\":false}}",
                      older[] = "{\"asOf\":\"2026-01-15T17:00:01Z\",\"borrow\":{\"GME\":true}}",
                      other[] = "{\"asOf\":\"2026-01-15T17:00:00Z\",\"accountId\":\"L2\",\"positions\":[]}";

    (void)state;
    assert_string_equal(said(&g, 0, NOTHING), "");
    assert_int_equal(og_book_apply(g.book, NULL, newer, sizeof newer - 1, "n", &err), OG_OK);
    assert_int_equal(og_book_apply(g.book, NULL, other, sizeof other - 1, "o", &err), OG_OK);
    assert_int_equal(og_book_apply(g.book, NULL, older, sizeof older - 1, "p", NULL), OG_OK); /* err may be NULL */
    assert_int_equal(og_book_apply(g.book, NULL, older, sizeof older - 1, "p", &err), OG_OK);
    assert_string_equal(err.text, "borrow" LEFT_OUT);
    for (size_t i = 0; i < g.book->accounts; i++)
        assert_false(og_facts_borrow(g.book->account[i], OG_STR("GME"))->easy);
    close_gate(&g);
}

/* Load a quote dated so many ms after the start, at the start, while the clock may be `behind`. Returns the quote's
 * age in ms, below 0 if it is dated in the future. */
static int64_t age_of_quote(struct gate *g, int ms, int64_t behind)
{
    struct og_error err;
    char json[200];

    snprintf(json, sizeof json, "{\"symbol\":\"AAPL\",\"bid\":99,\"ask\":100,\"asOf\":\"%s\"}",
             og_time_text(START + ms * MS).s);
    assert_int_equal(og_book_quote_at(g->book, json, strlen(json), START, behind, &err), OG_OK);
    return (START - og_facts_quote(facts(g), OG_STR("AAPL"))->as_of) / MS;
}

static void a_clock_that_is_behind_takes_quotes_ahead_of_it(void **state)
{
    struct gate g = open_gate();
    struct og_error err;

    (void)state;
    apply(&g, "{\"accountId\":\"L1\"," BP("5000") "}");
    assert_int_equal(age_of_quote(&g, 1, OG_NS_PER_S), 0);
    assert_int_equal(age_of_quote(&g, 1000, OG_NS_PER_S), 0);
    assert_int_equal(age_of_quote(&g, 1001, OG_NS_PER_S), -1001); /* the quote is not used until its time has come */
    assert_int_equal(age_of_quote(&g, -500, OG_NS_PER_S), 500);
    assert_int_equal(age_of_quote(&g, 0, 0), 0);
    assert_int_equal(age_of_quote(&g, 1, 0), -1);
    assert_int_equal(og_book_quote_at(g.book, "{}", 2, START, -1, &err), OG_EINVAL);
    assert_int_equal(og_book_quote_at(g.book, "{}", 2, START, 10 * OG_NS_PER_S + 1, &err), OG_EINVAL);
    close_gate(&g);
}

static void what_is_dated_in_the_future_keeps_nothing_out(void **state)
{
    static const char borrow[] = "\"borrow\":{\"AAPL\":true}";
    struct gate g = open_gate();
    struct og_error err = { 0 };

    (void)state;
    assert_string_equal(said(&g, 0, AAPL("10") ",\"orders\":[]"), "");
    assert_string_equal(said(&g, 40000, AAPL("20") "," BP("5000")), "");
    assert_string_equal(said(&g, 40000, borrow), "");
    assert_string_equal(said(&g, 100, AAPL("30")), "positions" LEFT_OUT);
    assert_false(og_book_distrust_future(g.book, START + 39000 * MS, &err)); /* a date up to a second ahead is
                                                                              * accepted */
    assert_string_equal(err.text, "");
    assert_true(og_book_distrust_future(g.book, START + 38999 * MS, &err));
    assert_string_equal(err.text,
                        "account, positions, borrow: dated in the future, so any other document replaces this");
    assert_false(og_book_distrust_future(g.book, START, &err)); /* the facts are named only once */
    assert_string_equal(said(&g, 200, AAPL("40") "," BP("9000")), "");
    assert_string_equal(said(&g, 200, borrow), "");
    holds(&g, "AAPL", "40 0, 0 0 0 0");
    bp_is(&g, "9000");
    age_is(&g, OG_FACT_POSITIONS, 200);
    assert_string_equal(said(&g, 100, AAPL("50")), "positions" LEFT_OUT);
    assert_false(og_book_distrust_future(NULL, START, &err));
    close_gate(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_younger_stays_kind_by_kind),
        cmocka_unit_test(of_one_age_the_last_counts),
        cmocka_unit_test(without_an_age_it_counts_as_it_comes),
        cmocka_unit_test(ages_of_single_kinds_count),
        cmocka_unit_test(what_filled_between_stays_held),
        cmocka_unit_test(what_a_ticket_did_stays_counted),
        cmocka_unit_test(ids_of_an_older_list_are_used),
        cmocka_unit_test(a_clock_set_back_keeps_nothing_out),
        cmocka_unit_test(decisions_before_it_do_not_doubt_a_document),
        cmocka_unit_test(rows_of_what_is_over_wait_for_a_list),
        cmocka_unit_test(an_order_in_flight_that_is_over_waits_for_the_gate),
        cmocka_unit_test(quotes_of_an_older_document_stay_away),
        cmocka_unit_test(a_quotes_time_decides),
        cmocka_unit_test(all_accounts_leave_it_out),
        cmocka_unit_test(a_clock_that_is_behind_takes_quotes_ahead_of_it),
        cmocka_unit_test(what_is_dated_in_the_future_keeps_nothing_out),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
