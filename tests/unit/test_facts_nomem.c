/*
 * Facts when memory runs out: at every allocation in turn, a document or an effect is rejected and nothing is changed.
 */
#include "facts_doc.h"
#include "nomem.h"

static const char document[] =
    "{\"accountId\":\"LIVE0001\",\"account\":{\"account\":\"LIVE0001\",\"accountStatus\":\"Active\",\"bp\":5},"
    "\"positions\":[{\"symbol\":\"AAPL260116P00140000\",\"side\":\"Short\",\"shares\":1}],"
    "\"orders\":[{\"clientOrderId\":\"w\",\"orderStatus\":\"New\",\"symbol\":\"AAPL\",\"side\":\"Buy\",\"openClose\":"
    "\"Open\"}],"
    "\"routes\":[{\"routeName\":\"SMART\"}],\"accountList\":[{\"account\":\"LIVE0001\",\"accountType\":\"Paper\"}],"
    "\"borrow\":{\"GME\":true},\"quotes\":{\"AAPL\":{\"bid\":1}},\"locateInventory\":[{\"symbol\":\"GME\","
    "\"available\":1}],"
    "\"gate\":{\"inFlight\":[\"f\",{\"clientOrderId\":\"g\",\"symbol\":\"GME\",\"side\":\"Buy\",\"openClose\":\"Open\","
    "\"orderQuantity\":1,\"limitPrice\":2}],\"recent\":[{\"at\":\"2026-01-15T14:59:59Z\",\"symbol\":\"GME\"}]},"
    "\"pnl\":{\"dayPnl\":-1},\"averageVolume\":{\"GME\":5},"
    "\"usedClientOrderIds\":[\"u\"],\"calendar\":{\"closed\":[\"2026-12-09\"]}}";
static const char order[] = "{\"securityType\":\"Option\",\"symbol\":\"AAPL260116P00145000\",\"side\":\"Sell\","
                            "\"openClose\":\"Open\",\"orderQuantity\":1,\"clientOrderId\":\"n\"}";

static bool knows_closure(const struct og_facts *f)
{
    return og_facts_day(f, 20261209, og_calendar_day(20261209)).kind == OG_DAY_CLOSED;
}

static bool knows_all(const struct og_facts *f)
{
    return og_facts_account(f) && og_facts_holding(f, OG_STR("AAPL")) && og_facts_contracts(f, OG_STR("AAPL")) &&
           og_facts_route(f, OG_STR("SMART")) && og_facts_borrow(f, OG_STR("GME")) &&
           og_facts_quote(f, OG_STR("AAPL")) && og_facts_id(f, OG_STR("u")) && og_facts_id(f, OG_STR("w")) &&
           og_facts_lists_account(f, OG_STR(ACCOUNT)) && knows_closure(f) && og_facts_pnl(f) &&
           og_facts_id(f, OG_STR("f")) && og_facts_volume(f, OG_STR("GME"), &(struct og_money){ 0, 0 });
}

static bool knows_any(const struct og_facts *f)
{
    return og_facts_account(f) || og_facts_holding(f, OG_STR("AAPL")) || og_facts_contracts(f, OG_STR("AAPL")) ||
           og_facts_route(f, OG_STR("SMART")) || og_facts_borrow(f, OG_STR("GME")) ||
           og_facts_quote(f, OG_STR("AAPL")) || og_facts_id(f, OG_STR("u")) || og_facts_id(f, OG_STR("w")) ||
           og_facts_lists_account(f, OG_STR(ACCOUNT)) || knows_closure(f) || og_facts_pnl(f) ||
           og_facts_id(f, OG_STR("f")) || og_facts_volume(f, OG_STR("GME"), &(struct og_money){ 0, 0 });
}

static void test_new(void **state)
{
    struct og_facts *f = NULL;
    long n = 0;

    (void)state;
    do {
        assert_null(f);
        nomem_at(++n);
        f = og_facts_new(OG_STR(ACCOUNT));
    } while (nomem_hit());
    assert_true(n > 2);
    og_facts_free(f);
}

static void test_take(void **state)
{
    cJSON *doc = doc_of(document);
    struct og_facts *f;
    struct og_error err;
    enum og_status s;
    long n = 0;
    bool hit;

    (void)state;
    do {
        f = facts_of(NULL);
        err = (struct og_error){ 0 };
        nomem_at(++n);
        s = og_facts_load(f, doc, "facts.json", &err);
        hit = nomem_hit();
        assert_int_equal(s, hit ? OG_ENOMEM : OG_OK);
        assert_int_equal(err.status, s);
        assert_true(hit ? !knows_any(f) : knows_all(f));
        if (hit) { /* the same document can be loaded later */
            assert_int_equal(og_facts_load(f, doc, "facts.json", NULL), OG_OK);
            assert_true(knows_all(f));
        }
        og_facts_free(f);
    } while (hit);
    assert_true(n > 20);
    cJSON_Delete(doc);
}

static void test_effect(void **state)
{
    struct og_order *o = order_of(order);
    struct og_effect e = { .order = o };
    struct og_facts *f;
    enum og_status s;
    long n = 0;
    bool hit;

    (void)state;
    do {
        f = facts_of(NULL);
        nomem_at(++n);
        s = og_facts_add(f, &e);
        hit = nomem_hit();
        assert_int_equal(s, hit ? OG_ENOMEM : OG_OK);
        assert_int_equal(og_facts_holding(f, o->symbol) != NULL, !hit);
        assert_int_equal(og_facts_contracts(f, OG_STR("AAPL")) != NULL, !hit);
        assert_int_equal(og_facts_id(f, OG_STR("n")), hit ? OG_ID_FREE : OG_ID_ACCEPTED);
        if (!hit) { /* without a fault, neither moving the effect to held nor a query allocates */
            nomem_at(1);
            assert_int_equal(og_facts_fill(f, &e, o->quantity, 0), OG_OK);
            assert_int_equal(og_facts_id(f, OG_STR("n")), OG_ID_ACCEPTED);
            assert_non_null(og_facts_holding(f, o->symbol));
            assert_null(og_facts_quote(f, o->symbol));
            assert_false(nomem_hit());
        }
        og_facts_free(f);
    } while (hit);
    assert_true(n > 2);
    og_order_free(o);
}

static void test_quote_and_id(void **state)
{
    cJSON *doc = doc_of("{\"symbol\":\"AAPL\",\"bid\":1}");
    struct og_facts *f, *g;
    enum og_status s;
    long n = 0;
    bool hit;

    (void)state;
    do {
        f = facts_of(NULL);
        g = facts_of(NULL);
        nomem_at(++n);
        s = og_facts_take_quote(f, doc, 0, 0, NULL);
        if (!s)
            s = og_facts_copy_market(g, f);
        if (!s)
            s = og_facts_use_id(f, OG_STR("x"), OG_ID_ACCEPTED);
        hit = nomem_hit();
        assert_int_equal(s, hit ? OG_ENOMEM : OG_OK);
        assert_int_equal(og_facts_id(f, OG_STR("x")) == OG_ID_ACCEPTED, !hit);
        og_facts_free(f);
        og_facts_free(g);
    } while (hit);
    assert_true(n > 6);
    cJSON_Delete(doc);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_new),
        cmocka_unit_test(test_take),
        cmocka_unit_test(test_effect),
        cmocka_unit_test(test_quote_and_id),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
