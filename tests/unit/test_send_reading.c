/*
 * Which requests a sender makes next, and when: the parts of a reading in their order, look-ups of orders, and what
 * follows if answers do not come.
 */
#include "send_world.h"

#define ROW(id, status)                                       \
    "{\"clientOrderId\":\"" id "\",\"orderStatus\":\"" status \
    "\",\"symbol\":\"AAPL\",\"side\":\"Buy\",\"orderQuantity\":1}"
#define ORDER(id)                                                                                                  \
    "{\"clientOrderId\":\"" id "\",\"symbol\":\"AAPL\",\"securityType\":\"Stock\",\"side\":\"Buy\",\"openClose\":" \
    "\"Open\",\"orderType\":\"Limit\",\"limitPrice\":100,\"orderQuantity\":1,\"timeInForce\":\"Day\"}"

#define REPLACES(id, old)                                                                                           \
    "{\"clientOrderId\":\"" id "\",\"symbol\":\"AAPL\",\"securityType\":\"Stock\",\"side\":\"Buy\",\"openClose\":"  \
    "\"Open\",\"orderType\":\"Limit\",\"limitPrice\":100,\"orderQuantity\":1,\"timeInForce\":\"Day\",\"replaces\":" \
    "\"" old "\"}"

static void post_it(void)
{
    line(ORDER("a"));
    assert_int_equal(world.posts, 1);
}

/* --- readings ----------------------------------------------------------------------------------------------------- */

/* Orders are requested first, so that an order that fills in between counts twice rather than not at all. */
static void a_reading_asks_for_orders_first(void **state)
{
    (void)state;
    begin_sender(30);
    assert_int_equal(world.calls, 1);
    reply(waiting(OG_ENDPOINT_ACCOUNTS, ""), 200, "[{\"account\":\"PAPER0001\",\"accountType\":\"Paper\"}]");
    assert_non_null(world.events); /* the stream was opened */
    assert_int_equal(count_waiting(OG_ENDPOINT_ORDERS), 1);
    assert_int_equal(count_waiting(OG_ENDPOINT_POSITIONS), 0);
    assert_int_equal(count_waiting(OG_ENDPOINT_ACCOUNT), 0);
    assert_int_equal(count_waiting(OG_ENDPOINT_ROUTES), 1); /* a first reading also requests what later ones request now
                                                             * and then */
    reply(waiting(OG_ENDPOINT_ORDERS, ""), 200, "{\"orders\":[]}");
    assert_int_equal(count_waiting(OG_ENDPOINT_POSITIONS), 1);
    assert_int_equal(count_waiting(OG_ENDPOINT_ACCOUNT), 1);
    line(ORDER("a"));
    reply_account("");
    assert_int_equal(world.posts, 0); /* the stream has not signed in yet */
    pass(50);
    world.events->ready(world.with);
    fake_advance(0);
    assert_int_equal(world.posts, 1);
    pass(OG_READ_DIRTY_MS + OG_TICK_MOST_MS);
    assert_int_equal(count_waiting(OG_ENDPOINT_ORDERS), 1); /* a new reading: changes before the stream signed in were
                                                             * not seen */
    assert_int_equal(count_waiting(OG_ENDPOINT_ROUTES), 0);
    end_sender();
}

static void a_gap_of_the_stream_is_read_over(void **state)
{
    (void)state;
    begin_ready(30);
    assert_int_equal(count_waiting(OG_ENDPOINT_ORDERS), 0);
    world.events->down(world.with, "gone");
    pass(OG_READ_DIRTY_MS);
    reply_account("");
    world.events->ready(world.with);
    pass(OG_READ_DIRTY_MS);
    assert_int_equal(count_waiting(OG_ENDPOINT_ORDERS), 1);
    pass(10000);
    assert_int_equal(count_waiting(OG_ENDPOINT_ORDERS), 1); /* only one reading at a time */
    end_sender();
}

/* Facts are at most OG_READ_OLD_MS old when they decide, and are read every OG_READ_EVERY_MS while lines come. */
static void facts_are_read_again_when_they_are_old(void **state)
{
    (void)state;
    begin_ready(30);
    pass(60000);
    reply_account(""); /* answer the reading that came due meanwhile */
    pass(OG_READ_OLD_MS + 100);
    line(ORDER("a"));
    assert_int_equal(world.posts, 0);
    assert_int_equal(count_waiting(OG_ENDPOINT_ORDERS), 1);
    reply_account("");
    assert_int_equal(world.posts, 1);
    end_sender();
}

static void a_reading_that_fails_leaves_the_older_facts(void **state)
{
    (void)state;
    begin_ready(30);
    pass(OG_READ_OLD_MS + 100);
    line(ORDER("a"));
    assert_int_equal(world.posts, 0);
    reply(waiting(OG_ENDPOINT_ORDERS, ""), 500, "");
    pass(50);
    assert_int_equal(world.posts, 1); /* decided by the facts at hand: the policy says how old they may be */
    end_sender();
}

/* Requests for routes and locates get no answer: orders are decided nevertheless, and later readings request both
 * again. */
static void what_a_reading_can_do_without_does_not_hold_it_up(void **state)
{
    static const enum og_endpoint extra[] = { OG_ENDPOINT_ROUTES, OG_ENDPOINT_INVENTORY };
    int i, orders;

    (void)state;
    begin_sender(30);
    reply(waiting(OG_ENDPOINT_ACCOUNTS, ""), 200, "[{\"account\":\"PAPER0001\",\"accountType\":\"Paper\"}]");
    orders = waiting(OG_ENDPOINT_ORDERS, "");
    for (size_t k = 0; k < 2; k++) {
        i = waiting(extra[k], "");
        assert_true(i >= 0 && world.call[i].wait_ms < world.call[orders].wait_ms);
        reply(i, 503, "");
    }
    reply_account("");
    pass(50);
    world.events->ready(world.with);
    line(ORDER("a"));
    assert_int_equal(world.posts, 1);
    for (int asked = 0; asked < 2; asked++) {
        pass(OG_READ_EVERY_MS);
        reply_account(""); /* a reading that began before they were due */
        pass(OG_READ_EVERY_MS);
        line(asked == 0 ? ORDER("b") : ORDER("c"));
        assert_int_equal(count_waiting(OG_ENDPOINT_ROUTES), 1);
        reply(waiting(OG_ENDPOINT_ROUTES, ""), asked == 0 ? 200 : 503, asked == 0 ? "not JSON" : "");
        reply_account("");
    }
    end_sender();
}

/* Once the old order is canceled, the reading that decides the new one is requested at once, however new the last one
 * is. */
static void a_replacement_is_read_for_at_once(void **state)
{
    (void)state;
    begin_ready(30);
    post_it();
    reply(waiting(OG_ENDPOINT_POST, ""), 200, ROW("a", "New"));
    pass(OG_READ_DIRTY_MS);
    reply_account(ROW("a", "New"));
    line(REPLACES("b", "a"));
    assert_int_equal(world.deletes, 1);
    reply(waiting(OG_ENDPOINT_CANCEL, "a"), 200, ROW("a", "PendingCancel"));
    while (waiting(OG_ENDPOINT_ORDER, "a") < 0)
        pass(50);
    reply_account(ROW("a", "PendingCancel"));
    pass(OG_READ_DIRTY_MS);
    og_send_account_dirty(world.s->accounts.chosen);
    og_send_account_look(world.s->accounts.chosen);
    reply_account(ROW("a", "PendingCancel")); /* the newest reading began just now */
    assert_int_equal(count_waiting(OG_ENDPOINT_ORDERS), 0);
    reply(waiting(OG_ENDPOINT_ORDER, "a"), 200, ROW("a", "Canceled"));
    assert_int_equal(count_waiting(OG_ENDPOINT_ORDERS), 1);
    end_sender();
}

/* --- look-ups ----------------------------------------------------------------------------------------------------- */

static void a_lost_answer_is_looked_up_at_once_and_later_less_often(void **state)
{
    uint64_t pauses = 0;

    (void)state;
    begin_ready(30);
    post_it();
    reply(waiting(OG_ENDPOINT_POST, ""), 0, "");
    pass(50);
    for (int i = 0; i < 4; i++) {
        const uint64_t from = fake_loop.now_ms;

        reply(waiting(OG_ENDPOINT_ORDER, "a"), 404, "");
        while (waiting(OG_ENDPOINT_ORDER, "a") < 0) {
            pass(50);
            reply_account("");
        }
        if (i < 3)
            assert_in_range(fake_loop.now_ms - from, OG_LOOK_EARLY_MS, OG_LOOK_EARLY_MS + 50);
        else
            pauses = fake_loop.now_ms - from;
    }
    assert_in_range(pauses, OG_LOOK_SELDOM_MS, OG_LOOK_SELDOM_MS + 50);
    assert_int_equal(world.posts, 1);
    end_sender();
}

/* Answer all requests for that many ms, look-ups with `row`. Returns how many look-ups there were. */
static int look_ups_within(uint64_t ms, const char *row)
{
    int count = 0, i;

    for (uint64_t passed = 0; passed < ms; passed += 500) {
        pass(500);
        reply_account("");
        for (; (i = waiting(OG_ENDPOINT_ORDER, "")) >= 0; count++)
            reply(i, row ? 200 : 404, row ? row : "");
    }
    return count;
}

/* Somebody else's order has the id: the wait of the line ends, and our order is looked up ever more rarely. Once the
 * other order is gone, the absence of ours is proved nevertheless. */
static void an_id_that_somebody_else_uses_is_looked_up_less_and_less(void **state)
{
    static const char theirs[] = "{\"clientOrderId\":\"a\",\"orderStatus\":\"New\",\"symbol\":\"MSFT\",\"side\":"
                                 "\"Buy\",\"orderQuantity\":7}";

    (void)state;
    begin_ready(30);
    post_it();
    reply(waiting(OG_ENDPOINT_POST, ""), 0, "");
    assert_in_range(look_ups_within(30000, theirs), 12, 60);
    assert_string_equal(newest_outcome(), "a: unknown");
    (void)look_ups_within(300000, theirs);
    assert_in_range(look_ups_within(300000, theirs), 4, 6);
    (void)look_ups_within(240000, NULL);
    /* it is still followed: the broker may register it later */
    assert_int_equal(og_orders_find(world.s, world.s->accounts.chosen, OG_STR("a"))->execution.state, OG_NOT_SENT);
    end_sender();
}

static void two_are_looked_up_at_once_and_a_list_tells_of_more(void **state)
{
    static const char *const orders[] = { ORDER("a"), ORDER("b"), ORDER("c"), ORDER("d") };

    (void)state;
    begin_ready(30);
    for (size_t i = 0; i < COUNT(orders); i++)
        line(orders[i]);
    assert_int_equal(world.posts, 4);
    while (waiting(OG_ENDPOINT_POST, "") >= 0)
        reply(waiting(OG_ENDPOINT_POST, ""), 0, "");
    pass(OG_READ_DIRTY_MS + 50);
    assert_int_equal(count_waiting(OG_ENDPOINT_ORDER), 2);
    assert_int_equal(count_waiting(OG_ENDPOINT_ORDERS), 1);
    reply_account(ROW("a", "New") "," ROW("b", "New") "," ROW("c", "New") "," ROW("d", "New"));
    assert_int_equal(world.outcomes, 4);
    assert_string_equal(newest_outcome(), "d: working");
    end_sender();
}

/* --- absence ------------------------------------------------------------------------------------------------------ */

/* Answer all requests as a broker that does not have the order; returns the ms until an outcome is reported. */
static uint64_t until_outcome(void)
{
    const uint64_t from = fake_loop.now_ms;
    int i;

    while (world.outcomes == 0 && fake_loop.now_ms - from < 600000) {
        pass(50);
        while ((i = waiting(OG_ENDPOINT_ORDER, "a")) >= 0)
            reply(i, 404, "");
        reply_account("");
    }
    return fake_loop.now_ms - from;
}

static void an_order_that_nobody_has_is_not_sent_after_a_minute(void **state)
{
    (void)state;
    begin_ready(300);
    post_it();
    reply(waiting(OG_ENDPOINT_POST, ""), 0, "");
    assert_in_range(until_outcome(), OG_ABSENT_NS / 1000000, OG_ABSENT_NS / 1000000 + 15000);
    assert_string_equal(newest_outcome(), "a: not-sent");
    pass(60000);
    assert_true(world.posts == 1 && world.outcomes == 1);
    end_sender();
}

/* A row comes in the 59th second: the order exists, and the minute of absence no longer matters. */
static void one_that_is_seen_meanwhile_is_believed(void **state)
{
    int i;

    (void)state;
    begin_ready(300);
    post_it();
    reply(waiting(OG_ENDPOINT_POST, ""), 0, "");
    for (const uint64_t from = fake_loop.now_ms; fake_loop.now_ms - from < OG_ABSENT_NS / 1000000 - 1000;) {
        pass(50);
        while ((i = waiting(OG_ENDPOINT_ORDER, "a")) >= 0)
            reply(i, 404, "");
        reply_account("");
    }
    assert_int_equal(world.outcomes, 0);
    while ((i = waiting(OG_ENDPOINT_ORDER, "a")) < 0)
        pass(50);
    reply(i, 200, ROW("a", "New"));
    assert_string_equal(newest_outcome(), "a: working");
    assert_int_equal(world.posts, 1);
    end_sender();
}

/* If no look-up is answered, lists alone never prove that the order is absent. */
static void lists_alone_prove_nothing(void **state)
{
    int i;

    (void)state;
    begin_ready(200);
    post_it();
    reply(waiting(OG_ENDPOINT_POST, ""), 0, "");
    for (const uint64_t from = fake_loop.now_ms; fake_loop.now_ms - from < 199000;) {
        pass(50);
        while ((i = waiting(OG_ENDPOINT_ORDER, "a")) >= 0)
            reply(i, 503, "");
        reply_account("");
    }
    assert_int_equal(world.outcomes, 0);
    assert_string_equal((pass(3000), newest_outcome()), "a: unknown");
    end_sender();
}

/* --- cancels ------------------------------------------------------------------------------------------------------ */

static void a_lost_cancel_is_sent_again_once_the_order_is_seen_at_work(void **state)
{
    (void)state;
    begin_ready(60);
    post_it();
    line("{\"op\":\"cancel\",\"clientOrderId\":\"a\"}");
    assert_int_equal(world.deletes, 0); /* the POST of the order is not answered */
    reply(waiting(OG_ENDPOINT_POST, ""), 200, ROW("a", "PendingNew"));
    assert_int_equal(world.deletes, 0); /* as far as is known, the order is not registered */
    reply(waiting(OG_ENDPOINT_ORDER, "a") >= 0 ? waiting(OG_ENDPOINT_ORDER, "a")
                                               : (pass(OG_FIRST_LOOK_STREAM_MS + 50), waiting(OG_ENDPOINT_ORDER, "a")),
          200, ROW("a", "New"));
    assert_int_equal(world.deletes, 1);
    reply(waiting(OG_ENDPOINT_CANCEL, "a"), 0, "");
    pass(100);
    reply(waiting(OG_ENDPOINT_ORDER, "a"), 404, "");
    assert_int_equal(world.deletes, 2); /* the order has been shown at work, and look-ups do not show it */
    reply(waiting(OG_ENDPOINT_CANCEL, "a"), 0, "");
    pass(5000);
    reply_account("");
    assert_int_equal(world.deletes, 2);
    reply(waiting(OG_ENDPOINT_ORDER, "a"), 200, ROW("a", "PendingCancel"));
    assert_int_equal(world.deletes, 2); /* it is being canceled */
    while (waiting(OG_ENDPOINT_ORDER, "a") < 0)
        pass(50);
    reply(waiting(OG_ENDPOINT_ORDER, "a"), 200, ROW("a", "New"));
    assert_int_equal(world.deletes, 3);
    reply(waiting(OG_ENDPOINT_CANCEL, "a"), 200, ROW("a", "PendingCancel"));
    while (waiting(OG_ENDPOINT_ORDER, "a") < 0)
        pass(50);
    reply(waiting(OG_ENDPOINT_ORDER, "a"), 200, ROW("a", "Canceled"));
    assert_string_equal(newest_outcome(), "a: canceled");
    assert_int_equal(world.deletes, 3);
    end_sender();
}

/* --- the stream --------------------------------------------------------------------------------------------------- */

/* Four orders whose answers were lost are shown as working by a list. */
static void learn_by_asking(void)
{
    static const char *const orders[] = { ORDER("a"), ORDER("b"), ORDER("c"), ORDER("d") };

    for (size_t i = 0; i < COUNT(orders); i++)
        line(orders[i]);
    while (waiting(OG_ENDPOINT_POST, "") >= 0)
        reply(waiting(OG_ENDPOINT_POST, ""), 0, "");
    pass(OG_READ_DIRTY_MS + OG_TICK_MOST_MS);
    reply_account(ROW("a", "New") "," ROW("b", "New") "," ROW("c", "New") "," ROW("d", "New"));
    assert_int_equal(world.outcomes, 4);
}

static void a_stream_that_tells_nothing_is_signed_in_to_again(void **state)
{
    (void)state;
    begin_ready(60);
    learn_by_asking();
    pass(OG_DEAF_MS - OG_TICK_MOST_MS);
    assert_int_equal(world.restarts, 0);
    pass(2 * OG_TICK_MOST_MS);
    assert_int_equal(world.restarts, 1);
    pass(60000);
    assert_int_equal(world.restarts, 1);
    end_sender();
}

static void one_that_tells_anything_is_left_alone(void **state)
{
    const struct og_frame frame = { .kind = OG_FRAME_OTHER };

    (void)state;
    begin_ready(60);
    learn_by_asking();
    world.events->frame(world.with, &frame);
    pass(60000);
    assert_int_equal(world.restarts, 0);
    end_sender();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_reading_asks_for_orders_first, set_up, tear_down_all),
        cmocka_unit_test_setup_teardown(a_gap_of_the_stream_is_read_over, set_up, tear_down_all),
        cmocka_unit_test_setup_teardown(facts_are_read_again_when_they_are_old, set_up, tear_down_all),
        cmocka_unit_test_setup_teardown(a_reading_that_fails_leaves_the_older_facts, set_up, tear_down_all),
        cmocka_unit_test_setup_teardown(what_a_reading_can_do_without_does_not_hold_it_up, set_up, tear_down_all),
        cmocka_unit_test_setup_teardown(a_replacement_is_read_for_at_once, set_up, tear_down_all),
        cmocka_unit_test_setup_teardown(a_lost_answer_is_looked_up_at_once_and_later_less_often, set_up, tear_down_all),
        cmocka_unit_test_setup_teardown(an_id_that_somebody_else_uses_is_looked_up_less_and_less, set_up,
                                        tear_down_all),
        cmocka_unit_test_setup_teardown(two_are_looked_up_at_once_and_a_list_tells_of_more, set_up, tear_down_all),
        cmocka_unit_test_setup_teardown(an_order_that_nobody_has_is_not_sent_after_a_minute, set_up, tear_down_all),
        cmocka_unit_test_setup_teardown(one_that_is_seen_meanwhile_is_believed, set_up, tear_down_all),
        cmocka_unit_test_setup_teardown(lists_alone_prove_nothing, set_up, tear_down_all),
        cmocka_unit_test_setup_teardown(a_lost_cancel_is_sent_again_once_the_order_is_seen_at_work, set_up,
                                        tear_down_all),
        cmocka_unit_test_setup_teardown(a_stream_that_tells_nothing_is_signed_in_to_again, set_up, tear_down_all),
        cmocka_unit_test_setup_teardown(one_that_tells_anything_is_left_alone, set_up, tear_down_all),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
