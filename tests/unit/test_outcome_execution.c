/*
 * The state table compared with one written here, and what rows do to an order's quantities, reason and id.
 */
#include "outcome/execution.h"
#include "unit.h"

/* One letter for each state. A row below is for one state, with one column for each event, in their order; written
 * from docs/contract.md "What the end of a POST means", not from the table. */
static const char letters[] = "fipunwFcred";
static const struct {
    const char *next, *asks; /* next: one letter for each event; asks: the events after which the broker is asked */
} wanted[OG_STATES] = {
    /*                  sent bad lost start pend work fill canc rej exp done dup coll absent again */
    [OG_REFUSED] = { "fffffffffffffff", "" },     [OG_INTENDED] = { "nruupwFcredruii", "lsC" },
    [OG_POSTED] = { "pppppwFcredpppp", "lsDCA" }, [OG_OUTCOME_UNKNOWN] = { "uuuupwFcreduunu", "ublsDC" },
    [OG_NOT_SENT] = { "nnnnpwFcrednnni", "" },    [OG_WORKING] = { "wwwwwwFcredwwww", "sDCA" },
    [OG_FILLED] = { "FFFFFFFFFFFFFFF", "" },      [OG_CANCELED] = { "ccccccccccccccc", "" },
    [OG_REJECTED] = { "rrrrrrrrrrrrrrr", "" },    [OG_EXPIRED] = { "eeeeeeeeeeeeeee", "" },
    [OG_DONE] = { "ddddddddddddddd", "" },
};
static const char event_letters[] = "ublspwfcredDCAR";

static void every_state_and_event(void **state)
{
    (void)state;
    assert_int_equal(strlen(letters), OG_STATES);
    assert_int_equal(strlen(event_letters), OG_EVENTS);
    for (int s = 0; s < OG_STATES; s++) {
        for (int e = 0; e < OG_EVENTS; e++) {
            struct og_step step = og_state_step((enum og_state)s, (enum og_event)e);
            bool asks = strchr(wanted[s].asks, event_letters[e]) != NULL;

            if (letters[step.next] != wanted[s].next[e] || asks != ((step.actions & OG_ACT_ASK) != 0))
                fail_msg("%s and event %c: %c, asks %d", og_state_name((enum og_state)s), event_letters[e],
                         letters[step.next], (step.actions & OG_ACT_ASK) != 0);
            if (step.next != s) /* a change of state is always recorded */
                assert_true((step.actions & OG_ACT_RECORD) != 0);
            if (step.next == OG_OUTCOME_UNKNOWN && s != OG_OUTCOME_UNKNOWN)
                assert_true((step.actions & OG_ACT_ASK) != 0);
        }
    }
}

static void names_go_both_ways(void **state)
{
    enum og_state s;

    (void)state;
    for (int i = 0; i < OG_STATES; i++) {
        assert_true(og_state_of(og_str_of(og_state_name((enum og_state)i)), &s));
        assert_int_equal(s, i);
    }
    assert_false(og_state_of(OG_STR("Filled"), &s));
    assert_false(og_state_of(OG_STR(""), &s));
}

static struct og_order_row row_of(const char *id, const char *status, int executed, const char *text)
{
    struct og_order_row row = { .client_order_id = og_str_of(id),
                                .status_text = og_str_of(status),
                                .status = og_order_status_of(og_str_of(status)),
                                .has_executed = true,
                                .executed = og_money_from(executed),
                                .has_price_avg = true,
                                .price_avg = og_money_from(190) };

    if (text != NULL)
        row.text = og_str_of(text);
    return row;
}

static uint64_t moment;

static bool hear(struct og_execution *execution, struct og_order_row row, bool adopt)
{
    bool changed;

    (void)og_execution_row(execution, &row, OG_STR("a1"), OG_STR(""), adopt, ++moment, &changed);
    return changed;
}

static void figures_never_fall(void **state)
{
    struct og_execution execution = { .state = OG_INTENDED, .posts = 1 };

    (void)state;
    assert_true(hear(&execution, row_of("a1", "PartiallyFilled", 7, NULL), true));
    assert_false(hear(&execution, row_of("a1", "PendingNew", 0, NULL), false)); /* an older row that comes late */
    assert_false(hear(&execution, row_of("a1", "PartiallyFilled", 4, NULL), false));
    assert_int_equal(execution.executed.coef, 7);
    assert_int_equal(execution.state, OG_WORKING);
    assert_true(hear(&execution, row_of("a1", "Canceled", 8, NULL), false));
    assert_int_equal(execution.state, OG_CANCELED);
    assert_false(hear(&execution, row_of("a1", "Filled", 10, NULL), false)); /* a final state does not change */
    assert_int_equal(execution.executed.coef, 8);
    assert_string_equal(execution.status, "Canceled");
    og_execution_clear(&execution);
}

static void the_first_reason_stays(void **state)
{
    struct og_execution execution = { .state = OG_POSTED, .posts = 1 };

    (void)state;
    assert_true(hear(&execution, row_of("a1", "Rejected", 0, "R24: no shares"), false));
    hear(&execution, row_of("a1", "Rejected", 0, "R130: cancel rejected"), false);
    assert_string_equal(execution.code, "R24");
    assert_string_equal(execution.text, "R24: no shares");
    og_execution_clear(&execution);
    execution = (struct og_execution){ .state = OG_INTENDED, .posts = 1 };
    (void)og_execution_event(&execution, OG_EV_BAD, OG_STR("- symbol: no"));
    assert_int_equal(execution.state, OG_REJECTED);
    assert_string_equal(execution.text, "- symbol: no");
    assert_string_equal(execution.code, "");
    og_execution_clear(&execution);
}

/* Each event for an order that only the answer 400 rejected, and the same once a row has rejected it too. */
static void only_an_answer_is_corrected_by_rows(void **state)
{
    static const struct {
        const char *status, *text;
        enum og_state after_answer;
    } cases[] = {
        { "PendingNew", NULL, OG_POSTED },
        { "New", NULL, OG_WORKING },
        { "Suspended", NULL, OG_WORKING },
        { "Filled", NULL, OG_FILLED },
        { "Canceled", NULL, OG_CANCELED },
        { "Expired", NULL, OG_EXPIRED },
        { "DoneForDay", NULL, OG_DONE },
        { "Rejected", "R24: no shares", OG_REJECTED },
        { "Rejected", "R114: Invalid duplicate UserOrderId", OG_REJECTED },
    };

    (void)state;
    for (int by_row = 0; by_row < 2; by_row++) {
        for (size_t i = 0; i < COUNT(cases); i++) {
            struct og_execution execution = { .state = OG_INTENDED, .posts = 1 };
            bool rejected = by_row || cases[i].after_answer == OG_REJECTED;

            (void)og_execution_event(&execution, OG_EV_BAD, OG_STR("- symbol: no"));
            assert_true(og_execution_is_denied(&execution));
            if (by_row)
                assert_false(hear(&execution, row_of("a1", "Rejected", 0, "R24: no shares"), false));
            assert_true(hear(&execution, row_of("a1", cases[i].status, 0, cases[i].text), false) == !rejected);
            assert_int_equal(execution.state, rejected ? OG_REJECTED : cases[i].after_answer);
            assert_true(rejected ==
                        (execution.text != NULL)); /* an order that took effect has no reason for a rejection */
            assert_false(og_execution_is_denied(&execution));
            og_execution_clear(&execution);
        }
    }
}

static void a_late_answer_is_not_believed(void **state)
{
    struct og_execution execution = { .state = OG_INTENDED, .posts = 1 };

    (void)state;
    hear(&execution, row_of("a1", "Rejected", 0, "R24: no shares"), false);
    (void)og_execution_event(&execution, OG_EV_BAD, OG_STR("- symbol: no"));
    assert_false(og_execution_is_denied(&execution));
    hear(&execution, row_of("a1", "Filled", 10, NULL), false);
    assert_int_equal(execution.state, OG_REJECTED);
    og_execution_clear(&execution);
}

static void a_duplicate_is_no_news_of_the_order(void **state)
{
    struct og_execution execution = { .state = OG_WORKING, .posts = 1 };

    (void)state;
    hear(&execution, row_of("a1", "Rejected", 0, "R114: Invalid duplicate UserOrderId"), false);
    assert_int_equal(execution.state, OG_WORKING);
    assert_null(execution.text);
    execution.state = OG_INTENDED;
    hear(&execution, row_of("a1", "Rejected", 0, "R114: Invalid duplicate UserOrderId"), true);
    assert_int_equal(execution.state, OG_REJECTED); /* this was our only POST, so somebody else has the id */
    og_execution_clear(&execution);
    execution = (struct og_execution){ .state = OG_INTENDED, .posts = 2 };
    hear(&execution, row_of("a1", "Rejected", 0, "R114: Invalid duplicate UserOrderId"), true);
    assert_int_equal(execution.state, OG_OUTCOME_UNKNOWN); /* an earlier POST may have reached the broker */
    og_execution_clear(&execution);
}

static bool owns(const struct og_execution *execution, const char *id, const char *row_id, const char *status)
{
    struct og_order_row row = row_of(row_id, status, 0, NULL);

    return og_execution_owns(execution, og_str_of(id), &row);
}

static void ids(void **state)
{
    static const char longer[] = "0123456789-0123456789-0123456789-0123456789";
    struct og_execution execution = { .state = OG_INTENDED, .posts = 1 };

    (void)state;
    assert_true(owns(&execution, "a1", "a1", "New"));
    assert_true(owns(&execution, "a1", "a1INVALID-7", "Rejected"));
    assert_false(owns(&execution, "a1", "a11INVALID", "Rejected"));
    assert_false(owns(&execution, "a1", "INVALID", "Rejected"));
    assert_false(owns(&execution, "a1", "a", "Rejected"));
    assert_false(owns(&execution, "a1", "", "Rejected"));
    assert_true(owns(&execution, longer, "0123456789-0123456789-0123456789-012INVALID", "Rejected"));
    assert_false(owns(&execution, longer, "0123456789INVALID", "Rejected"));
    for (const char *const *s = (const char *const[]){ "PendingNew", "New", "Canceled", "Filled", "Expired", NULL }; *s;
         s++)
        assert_false(owns(&execution, "a1", "a1INVALID", *s)); /* the row is of another order, whose own id that is */
    hear(&execution, row_of("other", "PendingNew", 0, NULL), true); /* an answer with this id is not about our order */
    assert_str(og_execution_id(&execution, OG_STR("a1")), "a1");
    assert_false(owns(&execution, "a1", "other", "Rejected"));
    hear(&execution, row_of("a1INVALID", "PendingNew", 0, NULL), true); /* this row is the answer to our POST */
    assert_str(og_execution_id(&execution, OG_STR("a1")), "a1INVALID");
    assert_true(owns(&execution, "a1", "a1INVALID", "New"));
    assert_false(owns(&execution, "a1", "a1INVALID2", "Rejected"));
    og_execution_clear(&execution);
    execution = (struct og_execution){ .state = OG_INTENDED, .posts = 1 };
    hear(&execution, row_of("a1", "PendingNew", 0, NULL), false);
    assert_false(owns(&execution, "a1", "a1INVALID", "Rejected")); /* the broker has shown our order under its own id */
    og_execution_clear(&execution);
}

static void events_of_rows(void **state)
{
    static const struct {
        const char *status, *tif;
        enum og_event event;
    } cases[] = {
        { "PendingNew", "", OG_EV_PENDING },    { "Accepted", "", OG_EV_WORKING },
        { "New", "", OG_EV_WORKING },           { "PartiallyFilled", "", OG_EV_WORKING },
        { "Filled", "", OG_EV_FILLED },         { "Canceled", "", OG_EV_CANCELED },
        { "PendingCancel", "", OG_EV_WORKING }, { "Expired", "", OG_EV_EXPIRED },
        { "DoneForDay", "Day", OG_EV_DONE },    { "Rejected", "", OG_EV_REJECTED },
        { "Suspended", "", OG_EV_WORKING },     { "DoneForDay", "GoodTillCancel", OG_EV_WORKING },
        { "filled", "", OG_EV_WORKING },        { "DoneForDay", "GTC_Plus", OG_EV_WORKING },
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct og_order_row row = row_of("a1", cases[i].status, 0, NULL);

        assert_int_equal(og_event_of_row(&row, og_str_of(cases[i].tif), 1), cases[i].event);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_state_and_event),
        cmocka_unit_test(names_go_both_ways),
        cmocka_unit_test(figures_never_fall),
        cmocka_unit_test(the_first_reason_stays),
        cmocka_unit_test(ids),
        cmocka_unit_test(only_an_answer_is_corrected_by_rows),
        cmocka_unit_test(a_late_answer_is_not_believed),
        cmocka_unit_test(a_duplicate_is_no_news_of_the_order),
        cmocka_unit_test(events_of_rows),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
