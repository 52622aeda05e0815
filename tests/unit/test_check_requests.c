/*
 * Requests through the public API: their account and kind; a request of the wrong kind is never accepted.
 */
#include "ordergate/ordergate.h"
#include "unit.h"

#define AT INT64_C(1768489200000000000) /* 2026-01-15T15:00:00Z */

struct gate {
    struct og_book *book;
    struct og_request *request;
    struct og_order *order;
    struct og_scratch *scratch;
};

static void gate_open(struct gate *g)
{
    static const char *const facts[] = {
        "{\"accountId\":\"L1\",\"orders\":[{\"clientOrderId\":\"a1\",\"symbol\":\"F\",\"securityType\":\"Stock\","
        "\"side\":\"Buy\",\"openClose\":\"Open\",\"orderStatus\":\"New\",\"orderQuantity\":1,\"leavesQuantity\":1}]}",
        "{\"accountId\":\"L2\",\"orders\":[],\"account\":{\"accountType\":\"Paper\"}}",
    };
    struct og_policy *policy;

    assert_int_equal(og_policy_load("default", &policy, NULL, NULL, NULL), OG_OK);
    assert_int_equal(og_book_new(policy, &g->book), OG_OK);
    for (size_t i = 0; i < COUNT(facts); i++)
        assert_int_equal(og_book_apply(g->book, NULL, facts[i], strlen(facts[i]), "facts", NULL), OG_OK);
    g->request = og_request_new();
    g->order = og_order_new();
    g->scratch = og_scratch_new();
    assert_true(g->request && g->order && g->scratch);
}

static void gate_close(struct gate *g)
{
    og_request_free(g->request);
    og_request_free(NULL);
    og_order_free(g->order);
    og_scratch_free(g->scratch);
    og_book_free(g->book);
}

typedef void check(struct og_book *, const struct og_request *, int64_t, struct og_scratch *, struct og_decision *);

static struct og_decision decide(struct gate *g, check *how, const char *line)
{
    struct og_decision d;

    assert_int_equal(og_request_read(g->request, line, strlen(line)), OG_OK);
    how(g->book, g->request, AT, g->scratch, &d);
    return d;
}

static bool finds(const struct og_decision *d, const char *reason)
{
    for (int i = 0; i < d->count; i++)
        if (strcmp(d->findings[i].reason, reason) == 0)
            return true;
    return false;
}

static void each_kind_has_its_function(void **state)
{
    static const struct {
        const char *line;
        enum og_request_kind kind;
        int how; /* 0: a cancel, 1: a locate, 2: a read */
    } lines[] = {
        { "{\"op\":\"cancel\",\"clientOrderId\":\"a1\",\"accountId\":\"L1\"}", OG_REQUEST_CANCEL, 0 },
        { "{\"op\":\"locate-quote\",\"account\":\"L1\",\"symbol\":\"F\",\"quantity\":100,\"quoteReqID\":\"q\"}",
          OG_REQUEST_LOCATE_QUOTE, 1 },
        { "{\"op\":\"locate-accept\",\"accountId\":\"L1\",\"quoteReqID\":\"q\"}", OG_REQUEST_LOCATE_ACCEPT, 1 },
        { "{\"op\":\"locate-sell\",\"account\":\"L1\",\"quoteReqID\":\"q\",\"locateType\":\"Locate\",\"quantity\":100}",
          OG_REQUEST_LOCATE_SELL, 1 },
        { "{\"op\":\"locate-cancel\",\"accountId\":\"L1\",\"quoteReqID\":\"q\"}", OG_REQUEST_LOCATE_CANCEL, 1 },
        { "{\"op\":\"read\",\"accountId\":\"L1\",\"endpoint\":\"GET orders\"}", OG_REQUEST_READ, 2 },
    };
    static check *const checks[] = { og_check_cancel, og_check_locate, og_check_read };
    struct gate g;

    (void)state;
    gate_open(&g);
    for (size_t i = 0; i < COUNT(lines); i++)
        for (int how = 0; how < 3; how++) {
            struct og_decision d = decide(&g, checks[how], lines[i].line);

            assert_int_equal(og_request_what(g.request), lines[i].kind);
            assert_int_equal(d.accepted, how == lines[i].how);
            assert_int_equal(finds(&d, "op-not-an-order"), how != lines[i].how);
            assert_int_equal(d.op != NULL, how == lines[i].how);
        }
    gate_close(&g);
}

static void what_is_no_request_is_refused(void **state)
{
    static const char *const lines[] = { "",
                                         "[]",
                                         "{",
                                         "{}",
                                         "{\"op\":\"order\"}",
                                         "{\"op\":\"quote\"}",
                                         "{\"op\":7}",
                                         "{\"op\":\"cancel\",\"op\":\"cancel\"}",
                                         "{\"securityType\":\"Stock\",\"symbol\":\"F\"}" };
    struct gate g;

    (void)state;
    gate_open(&g);
    for (size_t i = 0; i < COUNT(lines); i++) {
        struct og_decision d = decide(&g, og_check_cancel, lines[i]);

        assert_int_equal(og_request_what(g.request), OG_REQUEST_NONE);
        assert_false(d.accepted);
        assert_string_equal(d.findings[0].rule, "order-form");
    }
    gate_close(&g);
}

/* If the caller waits for the budgets, rule rate-budget is not unsure when the facts lack the calls; when the facts
 * have them, the rule decides by them. */
static void budgets_of_a_caller_that_waits(void **state)
{
    static const char cancel[] = "{\"op\":\"cancel\",\"clientOrderId\":\"a1\",\"accountId\":\"L1\"}";
    static const char read[] = "{\"op\":\"read\",\"accountId\":\"L1\",\"endpoint\":\"GET orders\"}";
    static const char odd[] = "{\"op\":\"read\",\"accountId\":\"L1\",\"endpoint\":\"GET everything\"}";
    static const char told[] = "{\"accountId\":\"L1\",\"gate\":{\"calls\":{\"GET orders\":"
                               "[\"2026-01-15T15:00:00Z\",\"2026-01-15T15:00:00Z\"]}}}";
    struct gate g;
    struct og_decision d;

    (void)state;
    gate_open(&g);
    for (int paced = 0; paced < 2; paced++) {
        og_book_paced(g.book, paced);
        d = decide(&g, og_check_cancel, cancel);
        assert_true(d.accepted);
        assert_int_equal(finds(&d, "rate-budget-exhausted"), !paced);
        d = decide(&g, og_check_read, read);
        assert_true(d.accepted);
        assert_int_equal(finds(&d, "rate-budget-exhausted"), !paced);
        d = decide(&g, og_check_read, odd);
        assert_true(!d.accepted && finds(&d, "read-endpoint-unknown"));
    }
    assert_int_equal(og_book_apply(g.book, NULL, told, strlen(told), "facts", NULL), OG_OK);
    d = decide(&g, og_check_read, read);
    assert_true(!d.accepted && finds(&d, "rate-budget-exhausted"));
    og_book_paced(NULL, true);
    gate_close(&g);
}

static void whose_it_is(void **state)
{
    struct gate g;
    struct og_decision d;

    (void)state;
    gate_open(&g);
    d = decide(&g, og_check_cancel, "{\"op\":\"cancel\",\"clientOrderId\":\"a1\"}");
    assert_true(!d.accepted && finds(&d, "account-open"));
    d = decide(&g, og_check_cancel, "{\"op\":\"cancel\",\"clientOrderId\":\"a1\",\"accountId\":\"L2\"}");
    assert_true(!d.accepted && finds(&d, "cancel-unknown-id")); /* the id belongs to an order of the other account */
    d = decide(&g, og_check_locate,
               "{\"op\":\"locate-quote\",\"account\":\"l2\",\"symbol\":\"F\",\"quantity\":100,\"quoteReqID\":\"q\"}");
    assert_string_equal(d.account_id, "L2");
    assert_true(finds(&d, "locate-paper"));
    assert_int_equal(og_book_default_account(g.book, "L1"), OG_OK);
    d = decide(&g, og_check_cancel, "{\"op\":\"cancel\",\"clientOrderId\":\"a1\"}");
    assert_true(d.accepted);
    assert_string_equal(d.client_order_id, "a1");
    assert_string_equal(d.op, "cancel");
    d = decide(&g, og_check_locate,
               "{\"op\":\"locate-quote\",\"account\":\"L2\",\"symbol\":\"F\",\"quantity\":100,\"quoteReqID\":\"q\"}");
    assert_true(finds(&d, "account-conflict"));
    gate_close(&g);
}

static void a_cancel_is_no_order_to_reserve(void **state)
{
    static const char line[] = "{\"op\":\"cancel\",\"clientOrderId\":\"a1\",\"accountId\":\"L1\"}";
    struct gate g;
    struct og_decision d;
    og_ticket ticket;

    (void)state;
    gate_open(&g);
    assert_int_equal(og_order_read(g.order, line, sizeof line - 1), OG_OK);
    assert_int_equal(og_reserve(g.book, g.order, AT, g.scratch, &d, &ticket), OG_OK);
    assert_true(!d.accepted && !ticket && finds(&d, "op-not-an-order"));
    gate_close(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_kind_has_its_function),      cmocka_unit_test(what_is_no_request_is_refused),
        cmocka_unit_test(budgets_of_a_caller_that_waits),  cmocka_unit_test(whose_it_is),
        cmocka_unit_test(a_cancel_is_no_order_to_reserve),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
