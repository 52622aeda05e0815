/*
 * A facts document is loaded as a whole or not at all: every key, every wrong type, ages, envelopes.
 */
#include <stdio.h>

#include "facts_doc.h"

static void test_nothing_is_known_at_first(void **state)
{
    struct og_facts *f = facts_of("{}");
    struct og_money m;
    int64_t age = 1;

    (void)state;
    for (int i = 0; i < OG_FACT_KINDS; i++) {
        assert_false(og_facts_known(f, (enum og_fact)(1 << i), &age));
        assert_int_equal(age, OG_TIME_UNKNOWN);
    }
    assert_null(og_facts_account(f));
    assert_null(og_facts_holding(f, OG_STR("AAPL")));
    assert_null(og_facts_contracts(f, OG_STR("AAPL")));
    assert_null(og_facts_route(f, OG_STR("SMART")));
    assert_null(og_facts_route_at(f, 0));
    assert_null(og_facts_quote(f, OG_STR("AAPL")));
    assert_null(og_facts_borrow(f, OG_STR("AAPL")));
    assert_false(og_facts_available(f, OG_STR("AAPL"), &m));
    assert_false(og_facts_lists_account(f, OG_STR(ACCOUNT)));
    assert_int_equal(og_facts_id(f, OG_STR("a1")), OG_ID_FREE);
    assert_int_equal(og_facts_environment(f), OG_ENV_UNKNOWN);
    assert_true(og_facts_put_reserve(f, 0, &m));
    assert_money(m, "0");
    assert_str(og_facts_account_id(f), ACCOUNT);
    og_facts_free(f);
    og_facts_free(NULL);
}

static void test_empty_is_not_unknown(void **state)
{
    static const enum og_fact kinds[] = { OG_FACT_POSITIONS, OG_FACT_ORDERS,   OG_FACT_ROUTES, OG_FACT_BORROW,
                                          OG_FACT_LOCATES,   OG_FACT_USED_IDS, OG_FACT_QUOTE,  OG_FACT_ACCOUNT_LIST };
    struct og_facts *f = facts_of("{\"positions\":[],\"orders\":[],\"routes\":[],\"borrow\":{},\"quotes\":{},"
                                  "\"locateInventory\":[],\"usedClientOrderIds\":[],\"accountList\":[]}");
    struct og_money m;
    int64_t age;

    (void)state;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        assert_true(og_facts_known(f, kinds[i], &age));
    assert_false(og_facts_known(f, OG_FACT_ACCOUNT, &age));
    assert_true(og_facts_available(f, OG_STR("GME"), &m));
    assert_money(m, "0");
    assert_false(og_facts_lists_account(f, OG_STR(ACCOUNT)));
    og_facts_free(f);
}

static void test_account(void **state)
{
    struct og_facts *f = facts_of(
        "{\"accountId\":\"live0001\",\"account\":{\"account\":\"LIVE0001\",\"accountStatus\":\"Active\","
        "\"accountType\":\"Live\","
        "\"bp\":1e5,\"overnightBp\":50000.25,\"availableCash\":-3,\"marginDeficit\":0,\"maintenanceDeficit\":0.10,"
        "\"optLevel\":3,\"optionTradingLevel\":2.0,\"created\":\"2026-01-01T00:00:00Z\",\"linked\":true,"
        "\"realized\":\"not looked at\",\"marginType\":null}}");
    const struct og_account *a = og_facts_account(f);

    (void)state;
    assert_non_null(a);
    assert_str(a->id, "LIVE0001");
    assert_str(a->status, "Active");
    assert_int_equal(a->status.s[a->status.len], '\0');
    assert_str(a->type, "Live");
    assert_true(a->has_bp && a->has_overnight_bp && a->has_available_cash && a->has_margin_deficit &&
                a->has_maintenance_deficit);
    assert_money(a->bp, "100000");
    assert_money(a->overnight_bp, "50000.25");
    assert_money(a->available_cash, "-3");
    assert_money(a->margin_deficit, "0");
    assert_money(a->maintenance_deficit, "0.1");
    assert_int_equal(a->opt_level, 3);
    assert_int_equal(a->option_trading_level, 2);
    assert_int_equal(a->created, instant("2026-01-01T00:00:00Z"));
    assert_true(a->linked);
    og_facts_free(f);
}

static void test_account_of_what_is_absent(void **state)
{
    struct og_facts *f = facts_of("{\"account\":{}}");
    const struct og_account *a = og_facts_account(f);

    (void)state;
    assert_non_null(a);
    assert_int_equal(a->id.len + a->status.len + a->type.len, 0);
    assert_false(a->has_bp || a->has_overnight_bp || a->has_available_cash || a->has_margin_deficit ||
                 a->has_maintenance_deficit || a->linked);
    assert_int_equal(a->opt_level, -1);
    assert_int_equal(a->option_trading_level, -1);
    assert_int_equal(a->created, OG_TIME_UNKNOWN);
    take(f, "{\"account\":{\"buyingPower\":7}}"); /* a row of the account list, given instead of the account's detail */
    assert_true(og_facts_account(f)->has_bp);
    assert_money(og_facts_account(f)->bp, "7");
    take(f, "{\"account\":{\"buyingPower\":7,\"bp\":8}}");
    assert_money(og_facts_account(f)->bp, "8");
    og_facts_free(f);
}

static void test_environment(void **state)
{
    struct og_facts *f = facts_of("{\"account\":{\"accountType\":\"Paper\"}}");
    int64_t age;

    (void)state;
    assert_int_equal(og_facts_environment(f), OG_ENV_PAPER);
    take(f, "{\"account\":{\"accountType\":\"paper\"}}"); /* case matters: anything but "Paper" is live */
    assert_int_equal(og_facts_environment(f), OG_ENV_LIVE);
    take(f, "{\"account\":{\"accountType\":\"\"}}");
    assert_int_equal(og_facts_environment(f), OG_ENV_LIVE);
    take(f, "{\"account\":{}}");
    assert_int_equal(og_facts_environment(f), OG_ENV_UNKNOWN);
    take(f, "{\"accountList\":{\"accounts\":[{\"account\":\"OTHER\",\"accountType\":\"Live\"},"
            "{\"account\":\"live0001\",\"accountType\":\"Paper\",\"buyingPower\":1}]}}");
    assert_int_equal(og_facts_environment(f), OG_ENV_PAPER);
    assert_true(og_facts_lists_account(f, OG_STR("LIVE0001")));
    assert_true(og_facts_lists_account(f, OG_STR("Other")));
    assert_false(og_facts_lists_account(f, OG_STR("OTHER1")));
    assert_null(og_facts_account(f)->has_bp ? f : NULL);
    take(f, "{\"account\":{\"accountType\":\"Live\"}}"); /* the account's detail goes before the list */
    assert_int_equal(og_facts_environment(f), OG_ENV_LIVE);
    take(f, "{\"accountList\":[]}");
    assert_false(og_facts_lists_account(f, OG_STR("LIVE0001")));
    assert_false(og_facts_known(f, OG_FACT_ENVIRONMENT, &age));
    assert_int_equal(og_facts_declared(f), OG_ENV_UNKNOWN);
    og_facts_declare(f, OG_ENV_PAPER);
    assert_true(og_facts_known(f, OG_FACT_ENVIRONMENT, &age));
    assert_int_equal(og_facts_declared(f), OG_ENV_PAPER);
    assert_int_equal(og_facts_environment(f), OG_ENV_LIVE);
    og_facts_free(f);
}

static void test_routes(void **state)
{
    struct og_facts *f = facts_of(
        "{\"routes\":{\"routes\":[{\"routeName\":\"SMART\",\"securityTypes\":[\"Stock\"],\"useDisplayQty\":true,"
        "\"orderTypes\":[\"Market\"],\"timesInForce\":[\"Day\",\"GoodTillCancel\",\"NeverHeardOf\",\"GTC_Plus\"]},"
        "{\"routeName\":\"SMARTM\",\"securityTypes\":[\"Option\",\"MLEG\",\"Future\"],\"timesInForce\":[]},"
        "{\"routeName\":\"BARE\",\"securityTypes\":null},{\"routeName\":\"SMART\",\"securityTypes\":[\"Mleg\"]}]}}");
    const struct og_route *r = og_facts_route(f, OG_STR("SMART"));

    (void)state;
    assert_non_null(r);
    assert_true(r->has_securities && r->has_tifs);
    assert_int_equal(r->securities, 1U << OG_STOCK | 1U << OG_MLEG); /* two rows with the same name are one route */
    assert_int_equal(r->tifs, 1U << OG_DAY | 1U << OG_GOOD_TILL_CANCEL | 1U << OG_GTC_PLUS);
    assert_ptr_equal(og_facts_route_at(f, 0), r);
    r = og_facts_route_at(f, 1);
    assert_str(r->name, "SMARTM");
    assert_int_equal(r->securities, 1U << OG_OPTION | 1U << OG_MLEG);
    assert_true(r->has_tifs);
    assert_int_equal(r->tifs, 0);
    r = og_facts_route_at(f, 2);
    assert_str(r->name, "BARE");
    assert_false(r->has_securities || r->has_tifs);
    assert_null(og_facts_route_at(f, 3));
    assert_null(og_facts_route(f, OG_STR("smart")));
    og_facts_free(f);
}

static void test_borrow_and_quotes(void **state)
{
    struct og_facts *f = facts_of(
        "{\"asOf\":\"2026-01-15T14:31:00Z\",\"borrow\":{\"GME\":false,\"AAPL\":true,"
        "\"TSLA\":{\"easy\":true,\"asOf\":\"2026-01-15T14:00:00Z\"},\"AMC\":{\"isEasyToBorrow\":false}},"
        "\"quotes\":{\"AAPL\":{\"bid\":189.98,\"ask\":190.02,\"last\":190.00,\"asOf\":\"2026-01-15T14:30:59Z\"},"
        "\"ZERO\":{\"bid\":0,\"ask\":0,\"last\":0},\"NONE\":{\"bid\":null,\"ask\":null}}}");
    const struct og_quote *q = og_facts_quote(f, OG_STR("AAPL"));

    (void)state;
    assert_false(og_facts_borrow(f, OG_STR("GME"))->easy);
    assert_true(og_facts_borrow(f, OG_STR("AAPL"))->easy);
    assert_true(og_facts_borrow(f, OG_STR("TSLA"))->easy);
    assert_false(og_facts_borrow(f, OG_STR("AMC"))->easy);
    assert_null(og_facts_borrow(f, OG_STR("MSFT")));
    assert_int_equal(og_facts_borrow(f, OG_STR("GME"))->as_of, instant("2026-01-15T14:31:00Z"));
    assert_int_equal(og_facts_borrow(f, OG_STR("TSLA"))->as_of, instant("2026-01-15T14:00:00Z"));
    assert_true(q->has_bid && q->has_ask && q->has_last);
    assert_money(q->bid, "189.98");
    assert_money(q->ask, "190.02");
    assert_money(q->last, "190");
    assert_int_equal(q->as_of, instant("2026-01-15T14:30:59Z"));
    assert_null(og_facts_quote(f, OG_STR("ZERO")));
    q = og_facts_quote(f, OG_STR("NONE"));
    assert_false(q->has_bid || q->has_ask || q->has_last);
    take(f, "{\"quotes\":{\"MSFT\":{\"bid\":1}}}"); /* a key replaces all earlier values of that key */
    assert_null(og_facts_quote(f, OG_STR("AAPL")));
    assert_non_null(og_facts_borrow(f, OG_STR("GME")));
    og_facts_free(f);
}

static void test_locates(void **state)
{
    struct og_facts *f = facts_of(
        "{\"locateInventory\":{\"locateInventory\":[{\"accountId\":\"LIVE0001\",\"symbol\":\"GME\",\"available\":100,"
        "\"locateType\":3,\"sold\":5},{\"symbol\":\"GME\",\"available\":50.5,\"locateType\":\"4\"},"
        "{\"symbol\":\"AMC\",\"available\":0}]},\"locateHistory\":{\"locateHistory\":[]}}");
    struct og_money m;

    (void)state;
    assert_true(og_facts_available(f, OG_STR("GME"), &m));
    assert_money(m, "150.5");
    assert_true(og_facts_available(f, OG_STR("AMC"), &m));
    assert_money(m, "0");
    og_facts_free(f);
}

static void test_used_ids(void **state)
{
    struct og_facts *f = facts_of(
        "{\"usedClientOrderIds\":[\"a1\",{\"id\":\"r\",\"outcome\":\"rejected\"},"
        "{\"id\":\"u\",\"outcome\":\"unknown\"},{\"id\":\"o\",\"outcome\":\"otherAccount\"},"
        "{\"id\":\"k\"},{\"id\":\"c\",\"outcome\":\"accepted\"},{\"id\":\"a1\",\"outcome\":\"rejected\"},\"\"]}");

    (void)state;
    assert_int_equal(og_facts_id(f, OG_STR("a1")), OG_ID_ACCEPTED); /* the more certain use counts */
    assert_int_equal(og_facts_id(f, OG_STR("r")), OG_ID_REJECTED);
    assert_int_equal(og_facts_id(f, OG_STR("u")), OG_ID_REJECTED);
    assert_int_equal(og_facts_id(f, OG_STR("o")), OG_ID_OTHER_ACCOUNT);
    assert_int_equal(og_facts_id(f, OG_STR("k")), OG_ID_ACCEPTED);
    assert_int_equal(og_facts_id(f, OG_STR("c")), OG_ID_ACCEPTED);
    assert_int_equal(og_facts_id(f, OG_STR("A1")), OG_ID_FREE); /* same bytes */
    assert_int_equal(og_facts_id(f, OG_STR("")), OG_ID_FREE);
    take(f, "{\"usedClientOrderIds\":[]}");
    assert_int_equal(og_facts_id(f, OG_STR("a1")), OG_ID_FREE);
    assert_int_equal(og_facts_use_id(f, OG_STR("mine"), OG_ID_OTHER_ACCOUNT), OG_OK);
    assert_int_equal(og_facts_id(f, OG_STR("mine")), OG_ID_OTHER_ACCOUNT);
    assert_int_equal(og_facts_use_id(f, OG_STR("mine"), OG_ID_REJECTED), OG_OK);
    assert_int_equal(og_facts_id(f, OG_STR("mine")), OG_ID_REJECTED);
    assert_int_equal(og_facts_use_id(f, OG_STR("mine"), OG_ID_ACCEPTED), OG_OK);
    assert_int_equal(og_facts_use_id(f, OG_STR("mine"), OG_ID_REJECTED), OG_OK);
    assert_int_equal(og_facts_use_id(f, OG_STR(""), OG_ID_ACCEPTED), OG_OK);
    assert_int_equal(og_facts_id(f, OG_STR("")), OG_ID_FREE);
    take(f, "{\"usedClientOrderIds\":[]}");
    assert_int_equal(og_facts_id(f, OG_STR("mine")), OG_ID_ACCEPTED); /* the id can never be used again */
    og_facts_free(f);
}

static int64_t age_of(const struct og_facts *f, enum og_fact kind)
{
    int64_t age;

    assert_true(og_facts_known(f, kind, &age));
    return age;
}

static void test_ages(void **state)
{
    struct og_facts *f = facts_of(
        "{\"ages\":{\"positions\":\"2026-01-15T14:30:58Z\",\"gate\":\"2026-01-15T14:30:58Z\",\"locates\":\"2026-01-"
        "15T14:30:57Z\"},"
        "\"positions\":{\"positions\":[],\"asOf\":\"2026-01-15T14:30:01Z\"},"
        "\"orders\":{\"orders\":[],\"asOf\":\"2026-01-15T14:30:02Z\"},\"account\":{\"asOf\":\"2026-01-15T14:30:03Z\"},"
        "\"routes\":[],\"locateInventory\":[],\"asOf\":\"2026-01-15T14:31:00Z\"}");

    (void)state;
    assert_int_equal(age_of(f, OG_FACT_POSITIONS), instant("2026-01-15T14:30:58Z"));
    assert_int_equal(age_of(f, OG_FACT_ORDERS), instant("2026-01-15T14:30:02Z"));
    assert_int_equal(age_of(f, OG_FACT_ACCOUNT), instant("2026-01-15T14:30:03Z"));
    assert_int_equal(age_of(f, OG_FACT_ROUTES), instant("2026-01-15T14:31:00Z"));
    assert_int_equal(age_of(f, OG_FACT_LOCATES), instant("2026-01-15T14:30:57Z"));
    take(f, "{\"ages\":{\"orders\":\"2026-01-15T14:32:00Z\",\"accountList\":\"2026-01-15T14:32:00Z\"}}");
    assert_int_equal(age_of(f, OG_FACT_ORDERS), instant("2026-01-15T14:32:00Z")); /* the old values are known to be
                                                                                   * still current */
    assert_int_equal(age_of(f, OG_FACT_POSITIONS), instant("2026-01-15T14:30:58Z"));
    assert_false(og_facts_known(f, OG_FACT_ACCOUNT_LIST, &(int64_t){ 0 })); /* an age without values makes nothing
                                                                             * known */
    take(f, "{\"routes\":[]}");
    assert_int_equal(age_of(f, OG_FACT_ROUTES), OG_TIME_UNKNOWN);
    take(f, "{\"quotes\":{\"A\":{\"bid\":1,\"asOf\":\"2026-01-15T14:00:00Z\"}},\"borrow\":{\"A\":true},"
            "\"ages\":{\"quotes\":\"2026-01-15T14:00:05Z\"}}");
    assert_int_equal(og_facts_quote(f, OG_STR("A"))->as_of, instant("2026-01-15T14:00:05Z"));
    assert_int_equal(og_facts_borrow(f, OG_STR("A"))->as_of, OG_TIME_UNKNOWN);
    take(f, "{\"ages\":{\"borrow\":\"2026-01-15T14:00:06Z\"}}");
    assert_int_equal(og_facts_borrow(f, OG_STR("A"))->as_of, instant("2026-01-15T14:00:06Z"));
    og_facts_free(f);
}

static void test_quote_alone(void **state)
{
    struct og_facts *f = facts_of(NULL), *g = og_facts_new(OG_STR("OTHER"));
    struct og_error err = { 0 };
    cJSON *doc = doc_of(
        "{\"op\":\"quote\",\"symbol\":\"AAPL\",\"bid\":1.5,\"ask\":2,\"volume\":9,\"asOf\":\"2026-01-15T14:31:00Z\"}");
    cJSON *next = doc_of("{\"symbol\":\"AAPL\",\"ask\":3}");
    cJSON *bad = doc_of("{\"symbol\":\"AAPL\",\"bid\":-1}"), *nameless = doc_of("{\"bid\":1}");
    const struct og_quote *q;

    (void)state;
    assert_int_equal(og_facts_copy_market(g, f), OG_OK);
    assert_int_equal(og_facts_take_quote(f, doc, 0, 0, &err), OG_OK);
    assert_int_equal(og_facts_copy_market(g, f), OG_OK);
    assert_int_equal(og_facts_take_quote(f, next, 0, 0, &err), OG_OK);
    q = og_facts_quote(f, OG_STR("AAPL"));
    assert_false(q->has_bid); /* a new quote replaces the earlier one as a whole */
    assert_money(q->ask, "3");
    assert_int_equal(q->as_of, OG_TIME_UNKNOWN);
    q = og_facts_quote(g, OG_STR("AAPL"));
    assert_money(q->bid, "1.5");
    assert_int_equal(q->as_of, instant("2026-01-15T14:31:00Z"));
    assert_int_equal(og_facts_take_quote(f, bad, 0, 0, &err), OG_EFACTS);
    assert_string_equal(err.text, "bid: expected a number that is not negative, saw -1");
    assert_money(og_facts_quote(f, OG_STR("AAPL"))->ask, "3");
    err = (struct og_error){ 0 };
    assert_int_equal(og_facts_take_quote(f, nameless, 0, 0, &err), OG_EFACTS);
    assert_string_equal(err.text, "symbol: expected a string, saw nothing");
    cJSON_Delete(doc);
    cJSON_Delete(next);
    cJSON_Delete(bad);
    cJSON_Delete(nameless);
    og_facts_free(f);
    og_facts_free(g);
}

static void refuses(const char *json, const char *says)
{
    struct og_facts *f = facts_of(NULL);
    struct og_error err = { 0 };

    assert_int_equal(take_err(f, json, &err), OG_EFACTS);
    assert_string_equal(err.text, says);
    og_facts_free(f);
}

static enum og_status take_line(struct og_facts *f, const char *json, int64_t now, struct og_error *err)
{
    cJSON *doc = doc_of(json);
    const enum og_status status = og_facts_take_quote(f, doc, now, 0, err);

    cJSON_Delete(doc);
    return status;
}

static void test_status_of_a_symbol(void **state)
{
    struct og_facts *f = facts_of("{\"asOf\":\"2026-01-15T14:31:00Z\",\"symbolStatus\":{\"A\":{\"halted\":true,"
                                  "\"limitUp\":0,\"limitDown\":9.5},\"B\":{\"paused\":null}},"
                                  "\"quotes\":{\"A\":{\"bid\":1,\"ask\":2}}}"),
                    *g = og_facts_new(OG_STR("OTHER"));
    const struct og_symbol_status *s = og_facts_symbol_status(f, OG_STR("A"));
    struct og_error err = { 0 };

    (void)state;
    assert_int_equal(s->halted, OG_KNOWN_TRUE);
    assert_int_equal(s->paused, OG_NOT_KNOWN);
    assert_false(s->has_limit_up);
    assert_money(s->limit_down, "9.5");
    assert_int_equal(s->as_of, instant("2026-01-15T14:31:00Z"));
    assert_int_equal(og_facts_symbol_status(f, OG_STR("B"))->paused, OG_NOT_KNOWN);
    assert_null(og_facts_symbol_status(f, OG_STR("C")));
    assert_int_equal(og_facts_copy_market(g, f), OG_OK);
    /* a line without status leaves it, one without prices leaves those */
    assert_int_equal(take_line(f, "{\"symbol\":\"A\",\"bid\":3,\"ask\":4}", 0, &err), OG_OK);
    assert_int_equal(og_facts_symbol_status(f, OG_STR("A"))->halted, OG_KNOWN_TRUE);
    assert_int_equal(take_line(f,
                               "{\"symbol\":\"A\",\"status\":{\"halted\":false},"
                               "\"asOf\":\"2026-01-15T14:32:00Z\"}",
                               0, &err),
                     OG_OK);
    s = og_facts_symbol_status(f, OG_STR("A"));
    assert_int_equal(s->halted, OG_KNOWN_FALSE);
    assert_false(s->has_limit_down); /* the status is replaced as a whole */
    assert_int_equal(s->as_of, instant("2026-01-15T14:32:00Z"));
    assert_money(og_facts_quote(f, OG_STR("A"))->bid, "3");
    assert_int_equal(og_facts_symbol_status(g, OG_STR("A"))->halted, OG_KNOWN_TRUE);
    /* an older one changes nothing for a reader with a clock */
    assert_int_equal(take_line(f,
                               "{\"symbol\":\"A\",\"bid\":5,\"ask\":6,\"status\":{\"halted\":true,"
                               "\"asOf\":\"2026-01-15T14:31:30Z\"}}",
                               instant("2026-01-15T14:33:00Z"), &err),
                     OG_OK);
    assert_int_equal(og_facts_symbol_status(f, OG_STR("A"))->halted, OG_KNOWN_FALSE);
    assert_money(og_facts_quote(f, OG_STR("A"))->bid, "5");
    og_facts_free(f);
    og_facts_free(g);
}

static void test_status_that_is_none(void **state)
{
    struct og_facts *f = facts_of(NULL);
    struct og_error err = { 0 };

    (void)state;
    refuses("{\"symbolStatus\":{\"A\":{\"halted\":1}}}", "symbolStatus.A.halted: expected true or false, saw 1");
    refuses("{\"symbolStatus\":{\"A\":{\"Halted\":true}}}",
            "symbolStatus.A.Halted: unknown key; did you mean 'halted'?");
    refuses("{\"symbolStatus\":{\"A\":{\"limitDown\":2,\"limitUp\":1}}}",
            "symbolStatus.A.limitDown: expected a price not above limitUp, saw 2");
    refuses(
        "{\"quotes\":{\"A\":{\"bid\":1,\"status\":{\"halted\":true}}}}",
        "quotes.A.status: expected a quote without it, in a document that has it under symbolStatus, saw an object");
    assert_int_equal(take_line(f, "{\"symbol\":\"A\",\"status\":true}", 0, &err), OG_EFACTS);
    assert_string_equal(err.text, "status: expected an object, saw true");
    assert_null(og_facts_symbol_status(f, OG_STR("A")));
    og_facts_free(f);
}

static void test_document_account(void **state)
{
    static const char *const docs[][2] = { { "{\"accountId\":\"A\",\"account\":{\"account\":\"B\"}}", "A" },
                                           { "{\"account\":{\"account\":\"B\"}}", "B" },
                                           { "{\"accountId\":\"\",\"account\":{\"account\":\"B\"}}", "B" },
                                           { "{\"accountId\":5}", "" },
                                           { "{\"account\":{}}", "" },
                                           { "{}", "" },
                                           { "[]", "" } };

    (void)state;
    for (size_t i = 0; i < sizeof docs / sizeof *docs; i++) {
        cJSON *doc = doc_of(docs[i][0]);

        assert_str(og_facts_document_account(doc), docs[i][1]);
        cJSON_Delete(doc);
    }
}

/* Each wrong type and value, with the complete error text. */
static void test_refusals(void **state)
{
    static const char *const cases[][2] = {
        { "[]", "expected an object, saw an array" },
        { "[{}]", "expected an object, saw an array" },
        { "[[{}]]", "expected an object, saw an array" },
        { "[null]", "expected an object, saw an array" },
        { "[{\"accountId\":\"A\"}]", "expected an object, saw an array" },
        { "null", "expected an object, saw null" },
        { "7", "expected an object, saw 7" },
        { "{\"posITions\":[]}", "posITions: unknown key; did you mean 'positions'?" },
        { "{\"xyzzyplugh\":[]}", "xyzzyplugh: unknown key" },
        { "{\"asOf\":5}", "asOf: expected a string, saw 5" },
        { "{\"asOf\":\"yesterday\"}",
          "asOf: expected a time with offset such as \"2026-01-15T14:31:00Z\", saw \"yesterday\"" },
        { "{\"accountId\":null}", "accountId: expected a string, saw null" },
        { "{\"accountId\":\"LIVE0002\"}",
          "accountId: expected \"LIVE0001\", the account that these facts belong to, saw \"LIVE0002\"" },
        { "{\"op\":{}}", "op: expected a string, saw an object" },
        { "{\"gate\":[]}", "gate: expected an object, saw an array" },
        { "{\"pnl\":true}", "pnl: expected an object, saw true" },
        { "{\"locateHistory\":{}}",
          "locateHistory: expected an array, or an object with \"locateHistory\", saw an object" },
        { "{\"ages\":[]}", "ages: expected an object, saw an array" },
        { "{\"ages\":{\"quote\":\"2026-01-15T14:31:00Z\"}}", "ages.quote: unknown key; did you mean 'quotes'?" },
        { "{\"ages\":{\"accountId\":\"2026-01-15T14:31:00Z\"}}",
          "ages.accountId: unknown key; did you mean 'account'?" },
        { "{\"ages\":{\"orders\":12}}", "ages.orders: expected a string, saw 12" },
        /* account */
        { "{\"account\":[]}", "account: expected an object, saw an array" },
        { "{\"account\":{\"account\":\"X\"}}",
          "account.account: expected \"LIVE0001\", the account that these facts belong to, saw \"X\"" },
        { "{\"account\":{\"accountStatus\":1}}", "account.accountStatus: expected a string, saw 1" },
        { "{\"account\":{\"accountType\":false}}", "account.accountType: expected a string, saw false" },
        { "{\"account\":{\"bp\":\"ten\"}}", "account.bp: expected a number, saw \"ten\"" },
        { "{\"account\":{\"bp\":null}}", "account.bp: expected a number, saw null" },
        { "{\"account\":{\"bp\":0.1234567890123456789012}}",
          "account.bp: expected a number of at most 18 digits, saw 0.1234567890123456789012" },
        { "{\"account\":{\"buyingPower\":{}}}", "account.buyingPower: expected a number, saw an object" },
        { "{\"account\":{\"overnightBp\":1e99}}",
          "account.overnightBp: expected a number of at most 18 digits, saw 1e99" },
        { "{\"account\":{\"availableCash\":[]}}", "account.availableCash: expected a number, saw an array" },
        { "{\"account\":{\"marginDeficit\":true}}", "account.marginDeficit: expected a number, saw true" },
        { "{\"account\":{\"maintenanceDeficit\":\"\"}}", "account.maintenanceDeficit: expected a number, saw \"\"" },
        { "{\"account\":{\"optLevel\":5}}", "account.optLevel: expected an option level, 0 to 4, saw 5" },
        { "{\"account\":{\"optLevel\":-1}}", "account.optLevel: expected an option level, 0 to 4, saw -1" },
        { "{\"account\":{\"optLevel\":2.5}}", "account.optLevel: expected an option level, 0 to 4, saw 2.5" },
        { "{\"account\":{\"optionTradingLevel\":\"2\"}}",
          "account.optionTradingLevel: expected an option level, 0 to 4, saw \"2\"" },
        { "{\"account\":{\"created\":\"2026-01-01\"}}",
          "account.created: expected a time with offset such as \"2026-01-15T14:31:00Z\", saw \"2026-01-01\"" },
        { "{\"account\":{\"linked\":1}}", "account.linked: expected true or false, saw 1" },
        { "{\"account\":{\"asOf\":1}}", "account.asOf: expected a string, saw 1" },
        /* account list */
        { "{\"accountList\":{}}", "accountList: expected an array, or an object with \"accounts\", saw an object" },
        { "{\"accountList\":{\"accounts\":{}}}", "accountList.accounts: expected an array, saw an object" },
        { "{\"accountList\":[\"A\"]}", "accountList[0]: expected an object, saw \"A\"" },
        { "{\"accountList\":[{\"account\":\"A\"},{}]}", "accountList[1].account: expected a string, saw nothing" },
        { "{\"accountList\":[{\"account\":\"\"}]}",
          "accountList[0].account: expected a string that is not empty, saw \"\"" },
        { "{\"accountList\":[{\"account\":\"A\",\"accountType\":3}]}",
          "accountList[0].accountType: expected a string, saw 3" },
        /* routes */
        { "{\"routes\":null}", "routes: expected an array, or an object with \"routes\", saw null" },
        { "{\"routes\":[[]]}", "routes[0]: expected an object, saw an array" },
        { "{\"routes\":[{}]}", "routes[0].routeName: expected a string, saw nothing" },
        { "{\"routes\":[{\"routeName\":\"A\",\"securityTypes\":\"Stock\"}]}",
          "routes[0].securityTypes: expected an array of strings, saw \"Stock\"" },
        { "{\"routes\":[{\"routeName\":\"A\",\"timesInForce\":[\"Day\",1]}]}",
          "routes[0].timesInForce[1]: expected a string, saw 1" },
        /* by symbol */
        { "{\"borrow\":[]}", "borrow: expected an object, saw an array" },
        { "{\"borrow\":{\"GME\":0}}", "borrow.GME: expected true, false or an object with \"easy\", saw 0" },
        { "{\"borrow\":{\"GME\":{}}}", "borrow.GME.easy: expected true or false, saw nothing" },
        { "{\"borrow\":{\"GME\":{\"easy\":\"no\"}}}", "borrow.GME.easy: expected true or false, saw \"no\"" },
        { "{\"borrow\":{\"GME\":{\"isEasyToBorrow\":null}}}",
          "borrow.GME.isEasyToBorrow: expected true or false, saw null" },
        { "{\"borrow\":{\"GME\":{\"easy\":true,\"asOf\":1}}}", "borrow.GME.asOf: expected a string, saw 1" },
        { "{\"quotes\":[]}", "quotes: expected an object, saw an array" },
        { "{\"quotes\":{\"AAPL\":5}}", "quotes.AAPL: expected an object, saw 5" },
        { "{\"quotes\":{\"AAPL\":{\"bid\":\"1\"}}}", "quotes.AAPL.bid: expected a number, saw \"1\"" },
        { "{\"quotes\":{\"AAPL\":{\"ask\":-0.01}}}",
          "quotes.AAPL.ask: expected a number that is not negative, saw -0.01" },
        { "{\"quotes\":{\"AAPL\":{\"last\":true}}}", "quotes.AAPL.last: expected a number, saw true" },
        { "{\"quotes\":{\"AAPL\":{\"asOf\":\"now\"}}}",
          "quotes.AAPL.asOf: expected a time with offset such as \"2026-01-15T14:31:00Z\", saw \"now\"" },
        { "{\"locateInventory\":5}",
          "locateInventory: expected an array, or an object with \"locateInventory\", saw 5" },
        { "{\"locateInventory\":[{}]}", "locateInventory[0].symbol: expected a string, saw nothing" },
        { "{\"locateInventory\":[{\"symbol\":\"GME\"}]}",
          "locateInventory[0].available: expected a number, saw nothing" },
        { "{\"locateInventory\":[{\"symbol\":\"GME\",\"available\":-1}]}",
          "locateInventory[0].available: expected a number that is not negative, saw -1" },
        { "{\"locateInventory\":[{\"accountId\":\"Z\",\"symbol\":\"GME\",\"available\":1}]}",
          "locateInventory[0].accountId: expected \"LIVE0001\", the account that these facts belong to, saw \"Z\"" },
        { "{\"locateInventory\":[{\"account\":\"Z\",\"symbol\":\"GME\",\"available\":1}]}",
          "locateInventory[0].account: expected \"LIVE0001\", the account that these facts belong to, saw \"Z\"" },
        { "{\"locateInventory\":[{\"symbol\":\"G\",\"available\":0.00000000000000001},{\"symbol\":\"G\",\"available\":"
          "1e16}]}",
          "locateInventory[1].available: expected a number whose sum over locate types has at most 18 digits, saw "
          "1e16" },
        { "{\"usedClientOrderIds\":{}}", "usedClientOrderIds: expected an array, saw an object" },
        { "{\"usedClientOrderIds\":[1]}", "usedClientOrderIds[0]: expected a string or an object with \"id\", saw 1" },
        { "{\"usedClientOrderIds\":[{}]}", "usedClientOrderIds[0].id: expected a string, saw nothing" },
        { "{\"usedClientOrderIds\":[{\"id\":\"a\",\"outcome\":\"filled\"}]}",
          "usedClientOrderIds[0].outcome: expected \"accepted\", \"rejected\", \"unknown\" or \"otherAccount\", saw "
          "\"filled\"" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        refused(cases[i][0], cases[i][1]);
}

static void test_long_values_are_shown_short(void **state)
{
    (void)state;
    refused("{\"account\":{\"bp\":\"0123456789012345678901234567890123456789X\"}}",
            "account.bp: expected a number, saw \"0123456789012345678901234567890123456789...\"");
    refused("{\"account\":{\"bp\":\"012345678901234567890123456789012345678\xC3\xA9\"}}",
            "account.bp: expected a number, saw \"012345678901234567890123456789012345678...\"");
}

/* If a document has a fault, it changes nothing, even by the keys before the fault. */
static void test_whole_or_not_at_all(void **state)
{
    struct og_facts *f =
        facts_of("{\"asOf\":\"2026-01-15T14:31:00Z\",\"account\":{\"bp\":5},\"positions\":[{\"symbol\":\"AAPL\","
                 "\"side\":\"Long\",\"shares\":10}],\"orders\":[],\"usedClientOrderIds\":[\"a1\"]}");
    struct og_error err = { 0 };

    (void)state;
    assert_int_equal(
        take_err(f,
                 "{\"asOf\":\"2026-01-15T15:00:00Z\",\"account\":{\"bp\":6},\"positions\":[],"
                 "\"usedClientOrderIds\":[],\"routes\":[],\"ages\":{\"orders\":\"2026-01-15T15:00:00Z\"},"
                 "\"orders\":[{\"orderStatus\":\"New\",\"clientOrderId\":\"n\",\"symbol\":\"AAPL\",\"side\":\"Buy\","
                 "\"openClose\":\"Open\",\"leavesQuantity\":1},{\"orderStatus\":7}]}",
                 &err),
        OG_EFACTS);
    assert_string_equal(err.text, "orders[1].orderStatus: expected a string, saw 7");
    assert_money(og_facts_account(f)->bp, "5");
    assert_money(og_facts_holding(f, OG_STR("AAPL"))->held_long, "10");
    assert_int_equal(og_facts_holding(f, OG_STR("AAPL"))->working, 0);
    assert_int_equal(og_facts_id(f, OG_STR("a1")), OG_ID_ACCEPTED);
    assert_int_equal(og_facts_id(f, OG_STR("n")), OG_ID_FREE);
    assert_int_equal(age_of(f, OG_FACT_ORDERS), instant("2026-01-15T14:31:00Z"));
    assert_false(og_facts_known(f, OG_FACT_ROUTES, &(int64_t){ 0 }));
    og_facts_free(f);
}

/* Wherever a row may name its account, a document is refused if the row names another one than the document does: the
 * row would else not count. Ids that differ by a blank or by a letter at their end are other accounts. */
static void test_rows_of_another_account(void **state)
{
    static const struct {
        const char *at, *before, *after; /* path of the row in the error; the document around the account's member */
    } rows[] = {
        { "account", "{\"account\":{", "}}" },
        { "pnl", "{\"pnl\":{", ",\"dayPnl\":1}}" },
        { "positions[0]", "{\"positions\":[{", ",\"symbol\":\"AAPL\",\"side\":\"Long\",\"shares\":1}]}" },
        { "orders[0]", "{\"orders\":[{", ",\"orderStatus\":\"Filled\"}]}" },
        { "orders.orders[1]", "{\"orders\":{\"orders\":[{\"orderStatus\":\"Filled\"},{",
          ",\"orderStatus\":\"New\",\"symbol\":\"AAPL\",\"side\":\"Buy\",\"openClose\":\"Open\",\"leavesQuantity\":90}]"
          "}}" },
        { "orders[0]", "{\"orders\":[{",
          ",\"orderStatus\":\"New\",\"securityType\":\"MLEG\",\"symbol\":\"AAPL\",\"leavesQuantity\":9}]}" },
        { "routes[0]", "{\"routes\":[{", ",\"routeName\":\"SMART\"}]}" },
        { "locateInventory[0]", "{\"locateInventory\":[{", ",\"symbol\":\"G\",\"available\":1}]}" },
        { "locateHistory[0]", "{\"locateHistory\":[{", ",\"quoteReqID\":\"q\",\"locateStatus\":65}]}" },
        { "usedClientOrderIds[0]", "{\"usedClientOrderIds\":[{", ",\"id\":\"a\"}]}" },
        { "gate.inFlight[0]", "{\"gate\":{\"inFlight\":[{",
          ",\"symbol\":\"AAPL\",\"side\":\"Buy\",\"openClose\":\"Open\",\"orderQuantity\":90}]}}" },
        { "gate.unknown[0]", "{\"gate\":{\"unknown\":[{",
          ",\"symbol\":\"AAPL\",\"side\":\"Buy\",\"openClose\":\"Open\",\"orderQuantity\":90}]}}" },
        { "gate.recent[0]", "{\"gate\":{\"recent\":[{", ",\"symbol\":\"AAPL\",\"at\":\"2026-01-15T14:31:00Z\"}]}}" },
        { "gate.posted[0]", "{\"gate\":{\"posted\":[{",
          ",\"clientOrderId\":\"a\",\"at\":\"2026-01-15T14:31:00Z\"}]}}" },
        { "gate.locateQuotes[0]", "{\"gate\":{\"locateQuotes\":[{",
          ",\"symbol\":\"AAPL\",\"at\":\"2026-01-15T14:31:00Z\"}]}}" },
        { "gate.latches[0]", "{\"gate\":{\"latches\":[{", ",\"latch\":\"loss\",\"value\":2,\"limit\":1}]}}" },
    };
    static const char *const keys[] = { "accountId", "account" };
    static const char *const others[] = { "DESK9", "LIVE0001 ", " LIVE0001", "LIVE0001X", "LIVE000" };
    static const char *const same[] = { "\"LIVE0001\"", "\"live0001\"", "\"\"" };
    struct og_facts *f = facts_of(NULL);
    char doc[512], said[256];

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (size_t k = i == 0; k < 2; k++) { /* in the account's own document, only "account" is the id */
            for (size_t o = 0; o < sizeof others / sizeof *others; o++) {
                snprintf(doc, sizeof doc, "%s\"%s\":\"%s\"%s", rows[i].before, keys[k], others[o], rows[i].after);
                snprintf(said, sizeof said,
                         "%s.%s: expected \"LIVE0001\", the account that these facts belong to, saw \"%s\"", rows[i].at,
                         keys[k], others[o]);
                refused(doc, said);
            }
            for (size_t o = 0; o < sizeof same / sizeof *same; o++) {
                snprintf(doc, sizeof doc, "%s\"%s\":%s%s", rows[i].before, keys[k], same[o], rows[i].after);
                take(f, doc);
            }
        }
    refused("{\"orders\":[{\"accountId\":7,\"orderStatus\":\"Filled\"}]}",
            "orders[0].accountId: expected a string, saw 7");
    refused(
        "{\"orders\":[{\"userOrderId\":\"DESK9:a\",\"orderStatus\":\"Filled\"}]}",
        "orders[0].userOrderId: expected \"LIVE0001:\" and the order's id, since these facts are of that account, saw "
        "\"DESK9:a\"");
    og_facts_free(f);
}

/* Facts without an account accept any row. */
static void test_nameless_facts(void **state)
{
    struct og_facts *f = og_facts_new((struct og_str){ NULL, 0 });

    (void)state;
    take(f,
         "{\"accountId\":\"A\",\"account\":{\"account\":\"B\"},\"positions\":[{\"accountId\":\"C\",\"symbol\":\"AAPL\","
         "\"side\":\"Long\",\"shares\":1}],\"orders\":[{\"accountId\":\"D\",\"clientOrderId\":\"x\",\"orderStatus\":"
         "\"Filled\"}]}");
    assert_int_equal(og_facts_account_id(f).len, 0);
    assert_non_null(og_facts_holding(f, OG_STR("AAPL")));
    assert_int_equal(og_facts_id(f, OG_STR("x")), OG_ID_ACCEPTED);
    og_facts_free(f);
}

static void test_gate_faults(void **state)
{
    (void)state;
    refuses("{\"gate\":{\"trading\":\"off\"}}",
            "gate.trading: expected \"on\", \"reduce-only\", \"halted\" or \"halted-all\", saw \"off\"");
    refuses("{\"gate\":{\"ordersToday\":1.5}}",
            "gate.ordersToday: expected a whole number from 0 to 2147483647, saw 1.5");
    refuses("{\"gate\":{\"rejectionsInARow\":-1}}",
            "gate.rejectionsInARow: expected a whole number from 0 to 2147483647, saw -1");
    refuses("{\"gate\":{\"ordersTody\":1}}", "gate.ordersTody: unknown key; did you mean 'ordersToday'?");
    refuses("{\"gate\":{\"inFlight\":{}}}",
            "gate.inFlight: expected an array of orders or of their ids, saw an object");
    refuses("{\"gate\":{\"unknown\":[7]}}", "gate.unknown[0]: expected an object, saw 7");
    refuses("{\"gate\":{\"recent\":[{\"symbol\":\"A\"}]}}",
            "gate.recent[0].at: expected a time with offset, saw nothing");
    refuses("{\"averageVolume\":{\"AAPL\":-1}}",
            "averageVolume.AAPL: expected a number of shares that is not negative, saw -1");
    refuses("{\"pnl\":{\"dayPnl\":\"up\"}}", "pnl.dayPnl: expected a number, saw \"up\"");
}

/* An order that is listed and in flight counts once, with the list's status; an id alone counts as an order too. */
static void test_in_flight(void **state)
{
    struct og_facts *f = facts_of(
        "{\"orders\":[{\"clientOrderId\":\"w\",\"orderStatus\":\"New\",\"symbol\":\"AAPL\",\"side\":\"Buy\","
        "\"openClose\":"
        "\"Open\",\"orderQuantity\":10,\"leavesQuantity\":4,\"limitPrice\":2.5}],"
        "\"gate\":{\"inFlight\":[{\"clientOrderId\":"
        "\"w\",\"symbol\":\"AAPL\",\"side\":\"Buy\",\"openClose\":\"Open\",\"orderQuantity\":10,\"limitPrice\":2.5},"
        "\"f\"],\"unknown\":[{\"clientOrderId\":\"u\",\"symbol\":\"AAPL\",\"side\":\"Sell\",\"openClose\":\"Open\","
        "\"orderQuantity\":3,\"limitPrice\":1.005}]}}");
    const struct og_totals *t = og_facts_totals(f);

    (void)state;
    assert_int_equal(t->orders, 3);
    assert_int_equal((int)t->longs, 1000);
    assert_int_equal((int)t->shorts, 302); /* 3.015, rounded up */
    assert_int_equal(t->unpriced, 2);      /* the order of which only the id is known, and the sell without a quote */
    assert_int_equal(og_facts_id(f, OG_STR("w")), OG_ID_ACCEPTED);
    assert_int_equal(og_facts_id(f, OG_STR("f")), OG_ID_ACCEPTED);
    assert_int_equal(og_facts_id(f, OG_STR("u")), OG_ID_REJECTED);
    take(f, "{\"gate\":{}}");
    assert_int_equal(og_facts_totals(f)->orders, 1);
    og_facts_free(f);
}

static void test_names(void **state)
{
    static const char *const names[OG_FACT_KINDS] = {
        "account", "positions",          "orders",      "routes",      "borrow",        "locates",
        "quotes",  "usedClientOrderIds", "accountList", "environment", "locateHistory", "calls",
        "pnl",     "averageVolume",      "symbolStatus"
    };

    (void)state;
    for (int i = 0; i < OG_FACT_KINDS; i++)
        assert_string_equal(og_fact_name((enum og_fact)(1 << i)), names[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing_is_known_at_first),
        cmocka_unit_test(test_empty_is_not_unknown),
        cmocka_unit_test(test_account),
        cmocka_unit_test(test_account_of_what_is_absent),
        cmocka_unit_test(test_environment),
        cmocka_unit_test(test_routes),
        cmocka_unit_test(test_borrow_and_quotes),
        cmocka_unit_test(test_locates),
        cmocka_unit_test(test_used_ids),
        cmocka_unit_test(test_ages),
        cmocka_unit_test(test_quote_alone),
        cmocka_unit_test(test_status_of_a_symbol),
        cmocka_unit_test(test_status_that_is_none),
        cmocka_unit_test(test_document_account),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_long_values_are_shown_short),
        cmocka_unit_test(test_whole_or_not_at_all),
        cmocka_unit_test(test_rows_of_another_account),
        cmocka_unit_test(test_nameless_facts),
        cmocka_unit_test(test_gate_faults),
        cmocka_unit_test(test_in_flight),
        cmocka_unit_test(test_names),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
