/*
 * The proof of absence: its table is compared with one written here from docs/sending.md, over every sequence of seven
 * events; and the moments at which it counts.
 */
#include "base/timeouts.h"
#include "outcome/absence.h"
#include "unit.h"

/* State letters: one for each state, in their order. A row below has one letter for each event, in their order: the
 * next state, as a capital if an action follows. */
static const char state_letters[] = "-fnbrctp";
static const char *const wanted[OG_ABSENCE_STATES] = {
    /* columns: row, look-up, late look-up, list, reading after the loss, reading after the late look-up */
    [OG_ABSENCE_NONE] = "-ffn--", [OG_ABSENCE_NOT_FOUND] = "-ffbff", [OG_ABSENCE_NOT_LISTED] = "-bbnnn",
    [OG_ABSENCE_BOTH] = "-bbbCb", [OG_ABSENCE_RESUMED] = "-rTcrr",   [OG_ABSENCE_COUNTED] = "-cTccc",
    [OG_ABSENCE_LATE] = "-ttttP", [OG_ABSENCE_PROVED] = "-ppppp",
};

static char letter_of(struct og_step step)
{
    switch (step.actions) {
    case OG_ABSENCE_ACT_COUNT: return step.next == OG_ABSENCE_COUNTED ? 'C' : '?';
    case OG_ABSENCE_ACT_LATE: return step.next == OG_ABSENCE_LATE ? 'T' : '?';
    case OG_ABSENCE_ACT_PROVED: return step.next == OG_ABSENCE_PROVED ? 'P' : '?';
    case 0: return state_letters[step.next];
    default: return '?';
    }
}

static void every_state_and_event(void **state)
{
    (void)state;
    assert_int_equal(strlen(state_letters), OG_ABSENCE_STATES);
    for (int s = 0; s < OG_ABSENCE_STATES; s++) {
        assert_int_equal(strlen(wanted[s]), OG_ABSENCE_EVENTS);
        for (int e = 0; e < OG_ABSENCE_EVENTS; e++) {
            char letter = letter_of(og_absence_step((enum og_absence_state)s, (enum og_absence_event)e));

            if (letter != wanted[s][e])
                fail_msg("state %c, event %d: %c instead of %c", state_letters[s], e, letter, wanted[s][e]);
        }
    }
}

/* Whether the events prove absence as docs/sending.md requires: since the last row, from the state `first`, a look-up
 * and a list that lack the order and a reading after the loss, in that order (the count of an earlier run replaces
 * them), then a late look-up, and then a reading after it. */
static bool is_proof(enum og_absence_state first, const int *event, int count)
{
    bool found_not = false, listed_not = false, counted = first == OG_ABSENCE_RESUMED, late = false, proved = false;

    for (int i = 0; i < count; i++) {
        switch ((enum og_absence_event)event[i]) {
        case OG_ABSENCE_EV_ROW: found_not = listed_not = counted = late = proved = false; break;
        case OG_ABSENCE_EV_LOOK: found_not = true; break;
        case OG_ABSENCE_EV_LOOK_LATE:
            late = late || counted;
            found_not = true;
            break;
        case OG_ABSENCE_EV_LIST: listed_not = true; break;
        case OG_ABSENCE_EV_READ_AFTER_LOSS: counted = counted || (found_not && listed_not); break;
        case OG_ABSENCE_EV_READ_AFTER_LOOK: proved = proved || late; break;
        default: break;
        }
    }
    return proved;
}

#define LONGEST 7

static void only_a_whole_proof_proves(void **state)
{
    static const enum og_absence_state firsts[] = { OG_ABSENCE_NONE, OG_ABSENCE_RESUMED };
    long proofs = 0, sequences = 1;

    (void)state;
    for (int i = 0; i < LONGEST; i++)
        sequences *= OG_ABSENCE_EVENTS;
    for (size_t f = 0; f < sizeof firsts / sizeof firsts[0]; f++) {
        for (long n = 0; n < sequences; n++) {
            enum og_absence_state now = firsts[f];
            int event[LONGEST];
            bool acted = false, is;
            long rest = n;

            for (int i = 0; i < LONGEST; i++, rest /= OG_ABSENCE_EVENTS) {
                struct og_step step;

                event[i] = (int)(rest % OG_ABSENCE_EVENTS);
                step = og_absence_step(now, (enum og_absence_event)event[i]);
                acted = (step.actions & OG_ABSENCE_ACT_PROVED) != 0;
                if (acted) /* only this action ends the reservation of an order */
                    assert_true(is_proof(firsts[f], event, i + 1));
                now = (enum og_absence_state)step.next;
            }
            is = is_proof(firsts[f], event, LONGEST);
            if (is != (now == OG_ABSENCE_PROVED))
                fail_msg("sequence %ld from state %d ends in state %d", n, (int)firsts[f], (int)now);
            proofs += is;
        }
    }
    assert_true(proofs > 100);
}

#define SECOND UINT64_C(1000000000)
#define NS     OG_NS_PER_S

/* Returns the moment of this second; the sender's clock is 1,000 s ahead, and the broker's Date 5,000 s. */
static struct og_absence_moment at(int second)
{
    return (struct og_absence_moment){ .up = (uint64_t)second * SECOND,
                                       .at = (1000 + second) * NS,
                                       .date = (5000 + second) * NS };
}

static void look(struct og_absence *a, int second)
{
    const struct og_absence_moment began = at(second);

    og_absence_look(a, &began, false);
}

static unsigned reading(struct og_absence *a, int began, int before)
{
    const struct og_absence_moment m = at(before);

    return og_absence_read(a, (uint64_t)began * SECOND, &m);
}

/* Good readings begin every five seconds. */
static void readings(struct og_absence *a, int first, int last)
{
    for (int second = first; second <= last; second += 5)
        assert_int_equal(reading(a, second, second - 5), 0);
}

/* Returns the state of an order lost at 100 s that was looked up and missing in the list, with readings that began at
 * 99, 105, 110, ... */
static struct og_absence counted_at_105(void)
{
    struct og_absence a = { .state = OG_ABSENCE_NONE };

    og_absence_lost(&a, 100 * SECOND);
    look(&a, 101);
    og_absence_list(&a);
    assert_int_equal(reading(&a, 105, 99), 0); /* the reading began before the loss */
    assert_int_equal(a.since, 0);
    assert_int_equal(reading(&a, 110, 105), OG_ABSENCE_ACT_COUNT);
    assert_true(a.since == 5106 * NS && a.by_broker);
    assert_true(a.read_up == 110 * SECOND && a.read_ns == 5 * SECOND);
    return a;
}

static void the_minute_is_counted_from_a_reading_after_the_loss(void **state)
{
    struct og_absence a = counted_at_105();

    (void)state;
    readings(&a, 115, 160);
    assert_int_equal(a.since, 5106 * NS); /* the time is set only once */
    look(&a, 164);
    assert_int_equal(a.late_up, 0);
    assert_int_equal(reading(&a, 165, 160), 0);
    look(&a, 165);
    look(&a, 180);
    assert_int_equal(a.late_up, 165 * SECOND); /* only the first one is stored */
    assert_int_equal(reading(&a, 164, 163), 0);
    assert_int_equal(reading(&a, 165, 164), OG_ABSENCE_ACT_PROVED);
    assert_int_equal(a.state, OG_ABSENCE_PROVED);
    assert_int_equal(reading(&a, 190, 170), 0); /* the proof is reported only once */
}

static void a_row_begins_anew(void **state)
{
    struct og_absence a = counted_at_105();

    (void)state;
    readings(&a, 115, 165);
    look(&a, 170);
    assert_int_equal(a.state, OG_ABSENCE_LATE);
    og_absence_row(&a);
    assert_int_equal(a.state, OG_ABSENCE_NONE);
    assert_true(a.since == 0 && a.read_up == 0 && a.read_ns == 0 && a.late_up == 0 && !a.by_broker);
    assert_int_equal(a.lost_up, 100 * SECOND);
    assert_int_equal(reading(&a, 300, 200), 0);
    look(&a, 301);
    og_absence_list(&a);
    assert_int_equal(reading(&a, 310, 302), OG_ABSENCE_ACT_COUNT);
    assert_int_equal(a.read_ns, 8 * SECOND);
}

/* A second POST starts the proof again, at whatever step the first one's was. */
static void a_second_post_begins_anew(void **state)
{
    (void)state;
    for (int second = 110; second <= 175; second += 5) {
        struct og_absence a = counted_at_105();

        readings(&a, 115, second < 165 ? second : 165);
        look(&a, second);
        assert_int_equal(a.state, second < 165 ? OG_ABSENCE_COUNTED : OG_ABSENCE_LATE);
        if (second == 175)
            assert_int_equal(reading(&a, 176, 170), OG_ABSENCE_ACT_PROVED);
        og_absence_lost(&a, 180 * SECOND);
        assert_true(a.state == OG_ABSENCE_NONE && a.lost_up == 180 * SECOND && a.since == 0 && a.late_up == 0);
        look(&a, 181);
        og_absence_list(&a);
        assert_int_equal(reading(&a, 185, 176), 0); /* the reading before it began before the loss */
        assert_int_equal(reading(&a, 190, 185), OG_ABSENCE_ACT_COUNT);
        readings(&a, 195, 240);
        look(&a, 244);
        assert_int_equal(a.state, OG_ABSENCE_COUNTED);
        look(&a, 245);
        assert_int_equal(a.state, OG_ABSENCE_LATE);
    }
}

/* For a minute and more no reading succeeded, because the broker was down or this machine suspended. Look-ups that are
 * answered 404 right afterwards then prove nothing, since the order may still be on its way. */
static void a_time_without_good_readings_is_not_a_minute(void **state)
{
    struct og_absence a = counted_at_105();

    (void)state;
    look(&a, 3600);
    assert_int_equal(reading(&a, 3601, 110), 0);
    look(&a, 3602);
    assert_int_equal(reading(&a, 3603, 3601), 0);
    assert_int_equal(a.state, OG_ABSENCE_COUNTED);
    assert_int_equal(a.read_ns, 5 * SECOND + OG_ABSENT_GAP_NS + 2 * SECOND);
    readings(&a, 3605, 3645);
    look(&a, 3645);
    assert_int_equal(a.late_up, 0);
    look(&a, 3646); /* 43 s later */
    assert_int_equal(a.late_up, 3646 * SECOND);
    assert_int_equal(reading(&a, 3650, 3645), OG_ABSENCE_ACT_PROVED);
}

/* The sender counts by the broker's Dates, and og_time_up() jumps by a minute that the broker did not have: between
 * the loss and the reading from which the order counts as absent, within that reading, after it, and before the
 * look-up. No jump counts as a minute of absence, and a minute by the Dates counts whenever the jump is. */
static void a_leap_of_the_time_here_is_no_time_of_the_broker(void **state)
{
    static const struct {
        const char *what;
        int read[2], look; /* read: when two readings began, by og_time_up(); look: when the look-up began */
    } cases[] = {
        { "never", { 105, 110 }, 112 },
        { "before the reading that counts", { 165, 170 }, 172 },
        { "between that reading and its end", { 105, 170 }, 172 },
        { "before the look-up", { 105, 110 }, 172 },
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        for (int date = 5108; date <= 5167; date++) {
            const struct og_absence_moment before = { .up = (uint64_t)cases[i].read[0] * SECOND, .date = 5106 * NS },
                                           began = { .up = (uint64_t)cases[i].look * SECOND, .date = date * NS };
            struct og_absence a = { .state = OG_ABSENCE_NONE };

            og_absence_lost(&a, 100 * SECOND);
            look(&a, 101);
            og_absence_list(&a);
            assert_int_equal(og_absence_read(&a, (uint64_t)cases[i].read[1] * SECOND, &before), OG_ABSENCE_ACT_COUNT);
            assert_int_equal(a.since, 5107 * NS);
            og_absence_look(&a, &began, true);
            if ((a.state == OG_ABSENCE_LATE) != (date >= 5167))
                fail_msg("it leaps %s: state %d by Date %d", cases[i].what, (int)a.state, date);
        }
    }
}

static void an_earlier_runs_count_goes_on_by_the_brokers_date(void **state)
{
    const struct og_absence_moment now = at(1);
    struct og_absence a;

    (void)state;
    og_absence_resume(&a, 0, now.up, now.date);
    assert_int_equal(a.state, OG_ABSENCE_NONE);
    og_absence_resume(&a, 5000 * NS, now.up, now.date);
    assert_int_equal(a.state, OG_ABSENCE_RESUMED);
    assert_int_equal(a.lost_up, SECOND);
    assert_false(og_absence_is_unlisted(&a));
    look(&a, 59);
    assert_int_equal(a.late_up, 0);
    look(&a, 60);
    assert_int_equal(a.late_up, 60 * SECOND);
    assert_int_equal(reading(&a, 59, 58), 0); /* the reading began before the look-up */
    assert_int_equal(reading(&a, 61, 59), OG_ABSENCE_ACT_PROVED);
    assert_true(a.since == 5000 * NS && a.by_broker);
}

/* The count of an earlier run is not continued if this run has no Date, or if its Date is before that count because the
 * broker's clock was set back. */
static void an_earlier_runs_count_that_cannot_be_compared_begins_anew(void **state)
{
    const struct og_absence_moment now = at(1);
    struct og_absence a;

    (void)state;
    og_absence_resume(&a, 5002 * NS, now.up, now.date); /* the earlier run had the same Date, which is good for a
                                                         * second */
    assert_int_equal(a.state, OG_ABSENCE_RESUMED);
    og_absence_resume(&a, 5002 * NS + 1, now.up, now.date);
    assert_true(a.state == OG_ABSENCE_NONE && a.since == 0);
    og_absence_resume(&a, 4999 * NS, now.up, OG_TIME_UNKNOWN);
    assert_true(a.state == OG_ABSENCE_NONE && a.since == 0);
    look(&a, 3600);
    og_absence_list(&a);
    assert_int_equal(reading(&a, 10, 5), OG_ABSENCE_ACT_COUNT); /* counted from this run's reading */
    readings(&a, 15, 60);
    look(&a, 64);
    assert_int_equal(a.late_up, 0);
    look(&a, 65);
    assert_int_equal(a.late_up, 65 * SECOND);
}

/* How many seconds count as certain absence when a clock jumps: in this run or an earlier one, counted by the broker's
 * Date or by the sender's clock, looked up by a run with Dates or without. */
static void no_clock_that_jumps_makes_a_minute(void **state)
{
    static const struct {
        int passed, sender, broker; /* seconds since the order was counted absent, by og_time_up() and by these two
                                     * clocks */
        bool counted_dated, dated, earlier, by_dates;
        int64_t wanted;
    } cases[] = {
        { 30, 30, 30, true, true, false, false, 30 },      /* nothing jumps */
        { 30, 150, 30, true, true, false, false, 30 },     /* the sender's clock jumped ahead */
        { 30, -90, 30, true, true, false, false, 30 },     /* the sender's clock jumped back */
        { 30, 30, 150, true, true, false, false, 30 },     /* the broker's clock jumped ahead: within a run, only the
                                                            * time that passed here counts */
        { 30, 30, 150, true, true, false, true, 149 },     /* except if the sender decides by the broker's Date */
        { 30, 30, -90, true, true, false, true, -91 },     /* */
        { 90, 90, 90, true, false, false, true, 90 },      /* the broker sends no Date any more */
        { 30, 150, 150, false, true, false, true, 30 },    /* the broker had sent no Date before */
        { 30, 150, 150, false, false, false, true, 30 },   /* the broker never sends a Date */
        { 90, -90, 90, false, false, false, false, 90 },   /* */
        { 30, 150, 30, true, true, true, false, 29 },      /* counted by an earlier run */
        { 30, 150, 30, true, true, true, true, 29 },       /* */
        { 90, -30, 90, true, true, true, false, 89 },      /* */
        { 30, 150, 150, true, false, true, false, 0 },     /* without a Date, the time of an earlier run's count is not
                                                            * known */
        { 30, 150, 150, false, true, true, false, 0 },     /* the time is not known either if the earlier run counted by
                                                            * its own clock */
        { 150, 150, 150, false, true, true, true, 0 },     /* */
        { 150, 150, 150, false, false, true, false, 0 },   /* */
        { 30, 26 * 3600, 30, true, true, true, true, 29 }, /* */
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        const struct og_absence_moment then = at(100);
        const uint64_t passed = (uint64_t)cases[i].passed * SECOND;
        struct og_absence a = { .since = cases[i].counted_dated ? then.date + NS : then.at,
                                .by_broker = cases[i].counted_dated,
                                .read_up = cases[i].earlier ? 0 : then.up + passed - SECOND,
                                .read_ns = cases[i].earlier ? 0 : passed - SECOND };
        struct og_absence_moment now = at(100 + cases[i].broker);
        int64_t seconds;

        now.up = then.up + passed;
        now.at = then.at + cases[i].sender * NS;
        now.date = cases[i].dated ? now.date : OG_TIME_UNKNOWN;
        seconds = og_absence_for(&a, &now, cases[i].by_dates) / NS;
        if (seconds != cases[i].wanted)
            fail_msg("case %zu: %lld s instead of %lld", i, (long long)seconds, (long long)cases[i].wanted);
    }
}

static void a_list_alone_is_told_apart(void **state)
{
    struct og_absence a = { .state = OG_ABSENCE_NONE };

    (void)state;
    assert_false(og_absence_is_unlisted(&a));
    look(&a, 1);
    assert_false(og_absence_is_unlisted(&a));
    og_absence_list(&a);
    assert_true(og_absence_is_unlisted(&a));
    og_absence_row(&a);
    og_absence_list(&a);
    assert_true(og_absence_is_unlisted(&a));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_state_and_event),
        cmocka_unit_test(only_a_whole_proof_proves),
        cmocka_unit_test(the_minute_is_counted_from_a_reading_after_the_loss),
        cmocka_unit_test(a_row_begins_anew),
        cmocka_unit_test(a_second_post_begins_anew),
        cmocka_unit_test(a_time_without_good_readings_is_not_a_minute),
        cmocka_unit_test(a_leap_of_the_time_here_is_no_time_of_the_broker),
        cmocka_unit_test(an_earlier_runs_count_goes_on_by_the_brokers_date),
        cmocka_unit_test(an_earlier_runs_count_that_cannot_be_compared_begins_anew),
        cmocka_unit_test(no_clock_that_jumps_makes_a_minute),
        cmocka_unit_test(a_list_alone_is_told_apart),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
