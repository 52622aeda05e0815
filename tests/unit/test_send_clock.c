/*
 * The sender's clock: each answer gets a later time than the one before, although the broker's Date has whole
 * seconds and may go back, and although times before the first Date are the machine's.
 */
#include "base/time.h"
#include "send/clock.h"
#include "unit.h"

#define SECOND OG_NS_PER_S
#define DATE   (1768489200 * SECOND) /* 2026-01-15 15:00:00, before the machine's time */

static void goes_on_within_a_second(void **state)
{
    struct og_clock c;
    int64_t last, now;

    (void)state;
    og_clock_init(&c, true);
    og_clock_hear(&c, DATE + 600 * SECOND, og_time_up(), og_time_up());
    last = og_clock_now(&c);
    assert_true(last >= DATE + 600 * SECOND);
    for (int i = 0; i < 1000; i++) { /* answers whose Date is behind */
        og_clock_hear(&c, DATE, og_time_up(), og_time_up());
        now = og_clock_now(&c);
        assert_true(now > last && now < last + SECOND);
        last = now;
    }
    og_clock_hear(&c, DATE + 900 * SECOND, og_time_up(), og_time_up());
    assert_true(og_clock_now(&c) >= DATE + 900 * SECOND);
}

static void begins_anew_with_the_brokers_first_date(void **state)
{
    struct og_clock c;

    (void)state;
    og_clock_init(&c, true);
    assert_true(og_clock_now(&c) > DATE + 3600 * SECOND);
    og_clock_hear(&c, OG_TIME_UNKNOWN, og_time_up(), og_time_up());
    assert_true(og_clock_now(&c) > DATE + 3600 * SECOND);
    og_clock_hear(&c, DATE, og_time_up(), og_time_up());
    assert_true(og_clock_now(&c) < DATE + 60 * SECOND);
}

static void the_machines_goes_on_and_is_followed_far_back(void **state)
{
    struct og_clock c;
    int64_t last, now;

    (void)state;
    og_clock_init(&c, false);
    og_clock_hear(&c, DATE, og_time_up(), og_time_up()); /* a Date that is not newer changes nothing */
    c.last_ns = og_time_now() + SECOND;                  /* as if the machine's clock had been set back */
    last = c.last_ns;
    for (int i = 0; i < 1000; i++) {
        now = og_clock_now(&c);
        assert_true(now > last);
        last = now;
    }
    c.last_ns = og_time_now() + 3600 * SECOND;
    assert_true(og_clock_now(&c) < og_time_now() + 60 * SECOND);
}

/* A Date has whole seconds, so an event with the true time may be up to a second later. */
static void says_how_far_it_may_be_behind(void **state)
{
    struct og_clock c;

    (void)state;
    og_clock_init(&c, true);
    assert_int_equal(og_clock_behind(&c), SECOND / 10);
    og_clock_hear(&c, DATE, og_time_up(), og_time_up());
    assert_int_equal(og_clock_behind(&c), SECOND);
    og_clock_init(&c, false);
    og_clock_hear(&c, DATE, og_time_up(), og_time_up());
    assert_int_equal(og_clock_behind(&c), SECOND / 10);
}

/* The newest Date is returned as it was written, however much time has passed and whichever clock decides; an answer
 * without a Date changes nothing. */
static void tells_the_newest_date(void **state)
{
    const uint64_t up = 5000 * SECOND;
    struct og_clock c;

    (void)state;
    for (int of_broker = 0; of_broker < 2; of_broker++) {
        og_clock_init(&c, of_broker != 0);
        assert_true(og_clock_date(&c) == OG_TIME_UNKNOWN);
        og_clock_hear(&c, OG_TIME_UNKNOWN, up, up);
        assert_true(og_clock_date(&c) == OG_TIME_UNKNOWN);
        og_clock_hear(&c, DATE, up, up + 3 * SECOND);
        og_clock_hear(&c, OG_TIME_UNKNOWN, up + 4 * SECOND, up + 5 * SECOND);
        assert_int_equal(og_clock_date(&c), DATE);
        og_clock_hear(&c, DATE - SECOND, up + 6 * SECOND, up + 7 * SECOND);
        assert_int_equal(og_clock_date(&c), DATE - SECOND);
    }
}

/* Dates are rounded down: the clock follows the one that shows the latest time, and advances evenly. */
static void goes_evenly(void **state)
{
    const uint64_t began = og_time_up() - 20 * SECOND;
    struct og_clock c;

    (void)state;
    og_clock_init(&c, true);
    /* at 0.9 s of a second of the broker, at the beginning of the next one, and at 0.9 s of that */
    og_clock_hear(&c, DATE, began, began);
    og_clock_hear(&c, DATE + SECOND, began + SECOND / 10, began + SECOND / 10);
    og_clock_hear(&c, DATE + SECOND, began + SECOND, began + SECOND);
    assert_true(og_clock_at(&c, began + SECOND) >= DATE + SECOND * 19 / 10);
}

/* A broker's clock that was set back, or that is slow, is followed to within the second that a Date may hide. */
static void follows_a_slower_one(void **state)
{
    const uint64_t began = og_time_up() - 20 * SECOND;
    struct og_clock c;

    (void)state;
    og_clock_init(&c, true);
    for (int i = 0; i <= 10; i++) {
        const uint64_t at = began + (uint64_t)(i * SECOND);

        og_clock_hear(&c, DATE + i / 2 * SECOND, at, at);
    }
    assert_true(og_clock_at(&c, began + 10 * SECOND) < DATE + 13 * SECOND / 2);
    og_clock_hear(&c, DATE - 60 * SECOND, began + 10 * SECOND, began + 10 * SECOND);
    c.last_ns = INT64_MIN; /* otherwise the clock would not go back behind the times that it returned */
    assert_true(og_clock_at(&c, began + 10 * SECOND) < DATE - 59 * SECOND);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(goes_on_within_a_second),
        cmocka_unit_test(begins_anew_with_the_brokers_first_date),
        cmocka_unit_test(the_machines_goes_on_and_is_followed_far_back),
        cmocka_unit_test(tells_the_newest_date),
        cmocka_unit_test(goes_evenly),
        cmocka_unit_test(follows_a_slower_one),
        cmocka_unit_test(says_how_far_it_may_be_behind),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
