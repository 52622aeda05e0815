/*
 * The proof of absence: its table compared with one written here from docs/sending.md, every sequence of seven events,
 * and the moments that count.
 */
#include "unit.h"

#include "base/timeouts.h"
#include "outcome/absence.h"

/* One letter for each state, in their order; in a row below one for each event, in their order: the next state, in
 * capitals where something is done. */
static const char state_letters[] = "-fnbrctp";
static const char *const wanted[OG_ABSENCE_STATES] = {
    /* row, look-up, late look-up, list, reading after the loss, reading after the late look-up */
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

/* What docs/sending.md asks of a proof, looked for in the events themselves: since the last row, from the state
 * `first`, a look-up and a list that lack it and a reading after the loss, in that order (an earlier run's count stands
 * for them), then a late look-up, then a reading after it. */
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
                if (acted) /* what frees an order is this action alone */
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

/* Lost at 100 s; looked up and listed; the readings begin at 99, 105, 110, ... */
static struct og_absence counted_at_105(void)
{
    struct og_absence a = { .state = OG_ABSENCE_NONE };

    og_absence_lost(&a, 100 * SECOND);
    og_absence_look(&a, 101 * SECOND, 0);
    og_absence_list(&a);
    assert_int_equal(og_absence_read(&a, 105 * SECOND, 99 * SECOND, 5099), 0); /* before the loss */
    assert_int_equal(a.since, 0);
    assert_int_equal(og_absence_read(&a, 110 * SECOND, 105 * SECOND, 5105), OG_ABSENCE_ACT_COUNT);
    assert_int_equal(a.since, 5105);
    assert_int_equal(a.since_up, 105 * SECOND);
    return a;
}

static void the_minute_is_counted_from_a_reading_after_the_loss(void **state)
{
    struct og_absence a = counted_at_105();

    (void)state;
    assert_int_equal(og_absence_read(&a, 115 * SECOND, 110 * SECOND, 5110), 0);
    assert_int_equal(a.since, 5105); /* once */
    og_absence_look(&a, 165 * SECOND, OG_ABSENT_NS - 1);
    assert_int_equal(a.late_up, 0);
    assert_int_equal(og_absence_read(&a, 166 * SECOND, 164 * SECOND, 5164), 0);
    og_absence_look(&a, 170 * SECOND, OG_ABSENT_NS);
    og_absence_look(&a, 180 * SECOND, OG_ABSENT_NS + 10 * OG_NS_PER_S);
    assert_int_equal(a.late_up, 170 * SECOND); /* the first one counts */
    assert_int_equal(og_absence_read(&a, 169 * SECOND, 166 * SECOND, 5166), 0);
    assert_int_equal(og_absence_read(&a, 170 * SECOND, 169 * SECOND, 5169), OG_ABSENCE_ACT_PROVED);
    assert_int_equal(a.state, OG_ABSENCE_PROVED);
    assert_int_equal(og_absence_read(&a, 190 * SECOND, 170 * SECOND, 5170), 0); /* told once */
}

static void a_row_begins_anew(void **state)
{
    struct og_absence a = counted_at_105();

    (void)state;
    og_absence_look(&a, 170 * SECOND, OG_ABSENT_NS);
    og_absence_row(&a);
    assert_int_equal(a.state, OG_ABSENCE_NONE);
    assert_true(a.since == 0 && a.since_up == 0 && a.late_up == 0);
    assert_int_equal(og_absence_read(&a, 300 * SECOND, 200 * SECOND, 5200), 0);
    og_absence_look(&a, 301 * SECOND, 0);
    og_absence_list(&a);
    assert_int_equal(og_absence_read(&a, 310 * SECOND, 302 * SECOND, 5302), OG_ABSENCE_ACT_COUNT);
}

static void an_earlier_runs_count_goes_on(void **state)
{
    struct og_absence a;

    (void)state;
    og_absence_resume(&a, 0, SECOND);
    assert_int_equal(a.state, OG_ABSENCE_NONE);
    og_absence_resume(&a, 5000, SECOND);
    assert_int_equal(a.state, OG_ABSENCE_RESUMED);
    assert_false(og_absence_is_unlisted(&a));
    og_absence_look(&a, 10 * SECOND, OG_ABSENT_NS);
    assert_int_equal(og_absence_read(&a, 9 * SECOND, 8 * SECOND, 5900), 0); /* it began before the look-up */
    assert_int_equal(og_absence_read(&a, 11 * SECOND, 9 * SECOND, 5900), OG_ABSENCE_ACT_PROVED);
    assert_int_equal(a.since, 5000);
}

static void a_list_alone_is_told_apart(void **state)
{
    struct og_absence a = { .state = OG_ABSENCE_NONE };

    (void)state;
    assert_false(og_absence_is_unlisted(&a));
    og_absence_look(&a, SECOND, 0);
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
        cmocka_unit_test(an_earlier_runs_count_goes_on),
        cmocka_unit_test(a_list_alone_is_told_apart),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
