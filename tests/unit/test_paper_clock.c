/*
 * The service's clock: timers fire in order, equal ones in the order in which they were set, and time never goes back.
 * Also how it rounds.
 */
#include "base/time.h"
#include "paper/clock.h"
#include "paper/decimal.h"
#include "unit.h"

#define MOST 2000

static struct og_paper_clock one_clock;
static int64_t seen_at[MOST];
static int seen[MOST], seen_count;

static void note(void *with)
{
    seen_at[seen_count] = og_paper_clock_now(&one_clock);
    seen[seen_count++] = (int)(intptr_t)with;
}

static void start(const char *text)
{
    seen_count = 0;
    if (!og_paper_clock_read(&one_clock, og_str_of(text)))
        fail_msg("'%s' is a clock", text);
}

static void reads_clocks(void **state)
{
    static const char *const bad[] = { "",
                                       "Real",
                                       "now",
                                       "2026-01-15",
                                       "2026-01-15T15:00:00Z@",
                                       "2026-01-15T15:00:00Z@0",
                                       "2026-01-15T15:00:00Z@-1",
                                       "2026-01-15T15:00:00Z@x",
                                       "2026-01-15T15:00:00Z@99999999" };
    struct og_paper_clock clock;
    size_t i;

    (void)state;
    for (i = 0; i < COUNT(bad); i++)
        assert_false(og_paper_clock_read(&clock, og_str_of(bad[i])));
    assert_true(og_paper_clock_read(&clock, OG_STR("2026-01-15T15:00:00Z@0.5")));
    assert_int_equal(clock.speed, 500);
    assert_true(og_paper_clock_read(&clock, OG_STR("real")));
}

static void timers_fire_in_order(void **state)
{
    struct og_paper_timer timers[MOST];
    int64_t from;
    int i;

    (void)state;
    start("2026-01-15T15:00:00Z");
    from = og_paper_clock_now(&one_clock);
    for (i = 0; i < MOST; i++) {
        timers[i] = (struct og_paper_timer){ .fire = note, .with = (void *)(intptr_t)i };
        assert_true(og_paper_clock_set(&one_clock, &timers[i], from + (i * 7919 % 100) * OG_NS_PER_MS));
    }
    for (i = 0; i < MOST; i += 3)
        og_paper_clock_unset(&one_clock, &timers[i]);
    assert_true(og_paper_clock_step(&one_clock, from + OG_NS_PER_S));
    assert_int_equal(seen_count, MOST - (MOST + 2) / 3);
    for (i = 0; i < seen_count; i++) {
        assert_int_equal(seen_at[i], timers[seen[i]].due);
        assert_int_not_equal(seen[i] % 3, 0);
        if (i > 0)
            assert_true(seen_at[i - 1] < seen_at[i] || (seen_at[i - 1] == seen_at[i] && seen[i - 1] < seen[i]));
    }
    assert_int_equal(og_paper_clock_now(&one_clock), from + OG_NS_PER_S);
    assert_false(og_paper_clock_step(&one_clock, from));
    og_paper_clock_clear(&one_clock);
}

/* A timer sets the next one: the chain runs to the end of the step, each timer at its own instant. */
static struct og_paper_timer chain;
static void link_up(void *with)
{
    note(with);
    og_paper_clock_set(&one_clock, &chain, og_paper_clock_now(&one_clock) + OG_NS_PER_MS);
}

static void chains_run_within_one_step(void **state)
{
    int64_t from;

    (void)state;
    start("2026-01-15T15:00:00Z");
    from = og_paper_clock_now(&one_clock);
    chain = (struct og_paper_timer){ .fire = link_up };
    og_paper_clock_set(&one_clock, &chain, from);
    assert_int_equal(og_paper_clock_wait_us(&one_clock), -1);
    assert_true(og_paper_clock_step(&one_clock, from + 10 * OG_NS_PER_MS));
    assert_int_equal(seen_count, 11);
    assert_int_equal(seen_at[10], from + 10 * OG_NS_PER_MS);
    og_paper_clock_clear(&one_clock);
}

static void a_running_clock_stands_until_it_begins(void **state)
{
    int64_t real = og_time_now(), from;

    (void)state;
    start("2026-01-15T15:00:00Z@1000");
    from = og_paper_clock_now(&one_clock);
    while (og_time_now() == real) /* wait for the next nanosecond of the machine's clock */
        ;
    assert_int_equal(og_paper_clock_now(&one_clock), from);
    og_paper_clock_begin(&one_clock);
    while (og_paper_clock_now(&one_clock) == from)
        ;
    assert_true(og_paper_clock_now(&one_clock) > from);
    og_paper_clock_clear(&one_clock);
}

static void a_running_clock_waits_its_share(void **state)
{
    struct og_paper_timer timer = { .fire = note };
    int64_t wait;

    (void)state;
    start("2026-01-15T15:00:00Z@1000");
    assert_int_equal(og_paper_clock_wait_us(&one_clock), -1);
    og_paper_clock_set(&one_clock, &timer, og_paper_clock_now(&one_clock) + 3600 * OG_NS_PER_S);
    wait = og_paper_clock_wait_us(&one_clock);
    assert_in_range(wait, 1, 3600001);
    og_paper_clock_clear(&one_clock);
}

static void arithmetic_rounds_and_saturates(void **state)
{
    struct og_money m;
    int64_t v = 0;

    (void)state;
    assert_int_equal(og_dec_times(OG_DEC(3), 1500000), 4500000);
    assert_int_equal(og_dec_divide(OG_DEC(1), OG_DEC(3)), 333333);
    assert_int_equal(og_dec_divide(OG_DEC(2), OG_DEC(3)), 666667);
    assert_int_equal(og_dec_divide(OG_DEC(-2), OG_DEC(3)), -666667);
    assert_int_equal(og_dec_divide(OG_DEC(2), OG_DEC(-3)), -666667);
    assert_int_equal(og_dec_divide(1, 0), 0);
    assert_int_equal(og_dec_round(15000, OG_DEC_CENT), 20000);
    assert_int_equal(og_dec_round(-15000, OG_DEC_CENT), -20000);
    assert_int_equal(og_dec_round(14999, OG_DEC_CENT), 10000);
    assert_int_equal(og_dec_add(INT64_MAX, 1), INT64_MAX);
    assert_int_equal(og_dec_scale(INT64_MAX, -2), -INT64_MAX);
    assert_string_equal(og_money_text(og_dec_money(190010000)).s, "190.01");
    assert_string_equal(og_money_text(og_dec_money(-1)).s, "-0.000001");
    assert_string_equal(og_money_text(og_dec_money(0)).s, "0");
    assert_true(og_money_read("0.0000005", 9, &m) && og_dec_from(m, &v));
    assert_int_equal(v, 1);
    assert_true(og_money_read("-0.00000049", 11, &m) && og_dec_from(m, &v));
    assert_int_equal(v, 0);
    assert_true(og_money_read("99999999999999999", 17, &m));
    assert_false(og_dec_from(m, &v));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_clocks),
        cmocka_unit_test(timers_fire_in_order),
        cmocka_unit_test(chains_run_within_one_step),
        cmocka_unit_test(a_running_clock_stands_until_it_begins),
        cmocka_unit_test(a_running_clock_waits_its_share),
        cmocka_unit_test(arithmetic_rounds_and_saturates),
    };

    return cmocka_run_group_tests_name("paper_clock", tests, NULL, NULL);
}
