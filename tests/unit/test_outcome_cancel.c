/*
 * The states of a cancel: the table is compared with one written here from docs/sending.md, over every sequence of six
 * events; and which outcome the waiting lines get.
 */
#include "outcome/cancel.h"
#include "unit.h"

/* State letters: one for each state, in their order. A row below has one letter for each event, in their order: the
 * next state, as a capital if the order is looked up. Where the lines are answered it is * if the cancel is over then,
 * and + if the DELETE is not answered yet. */
static const char state_letters[] = "-dsfuo";
static const char *const wanted[OG_CANCEL_STATES] = {
    /* columns: wanted, follow, sent, taken, refused, unsent, lost, works, over, give up, stop */
    [OG_CANCEL_NONE] = "dF---------",     [OG_CANCEL_DUE] = "ddsddddd**d",    [OG_CANCEL_SENT] = "sssF**Us+su",
    [OG_CANCEL_FOLLOWED] = "ffffffff**f", [OG_CANCEL_UNSURE] = "uuuuuuud**u", [OG_CANCEL_OVER] = "++o----o++*",
};

static char letter_of(struct og_step step)
{
    switch (step.actions) {
    case OG_CANCEL_ACT_LOOK: return step.next == OG_CANCEL_FOLLOWED ? 'F' : step.next == OG_CANCEL_UNSURE ? 'U' : '?';
    case OG_CANCEL_ACT_END: return step.next == OG_CANCEL_NONE ? '*' : step.next == OG_CANCEL_OVER ? '+' : '?';
    case 0: return state_letters[step.next];
    default: return '?';
    }
}

static void every_state_and_event(void **state)
{
    (void)state;
    assert_int_equal(strlen(state_letters), OG_CANCEL_STATES);
    for (int s = 0; s < OG_CANCEL_STATES; s++) {
        assert_int_equal(strlen(wanted[s]), OG_CANCEL_EVENTS);
        for (int e = 0; e < OG_CANCEL_EVENTS; e++) {
            struct og_step step = og_cancel_step((enum og_cancel_state)s, (enum og_cancel_event)e);

            if (letter_of(step) != wanted[s][e])
                fail_msg("state %c, event %d: %c instead of %c", state_letters[s], e, letter_of(step), wanted[s][e]);
            /* the waiting lines are answered when the cancel or the order ends, and only then */
            if (s != OG_CANCEL_NONE && s != OG_CANCEL_OVER)
                assert_int_equal(!og_cancel_is_under_way((enum og_cancel_state)step.next),
                                 (step.actions & OG_CANCEL_ACT_END) != 0);
        }
    }
}

#define LONGEST 6

/* At most one DELETE is on its way. After one whose answer was lost, another is sent only when the order was shown
 * working, or when the first cancel has ended and another one is wanted. */
static void no_delete_is_repeated_without_a_look_up(void **state)
{
    long sequences = 1, sent_again = 0;

    (void)state;
    for (int i = 0; i < LONGEST; i++)
        sequences *= OG_CANCEL_EVENTS;
    for (long n = 0; n < sequences; n++) {
        enum og_cancel_state now = OG_CANCEL_NONE;
        bool sent = false,
             free_again =
                 true; /* for the present cancel: whether a DELETE was sent, and whether a new one is allowed */
        long rest = n;

        for (int i = 0; i < LONGEST; i++, rest /= OG_CANCEL_EVENTS) {
            const enum og_cancel_event event = (enum og_cancel_event)(rest % OG_CANCEL_EVENTS);
            const struct og_step step = og_cancel_step(now, event);

            if (now != OG_CANCEL_SENT &&
                step.next == OG_CANCEL_SENT) { /* a DELETE may also be sent in state OVER, where the one before has no
                                                * answer */
                if (event != OG_CANCEL_EV_SENT || !free_again)
                    fail_msg("sequence %ld: a second DELETE", n);
                sent_again += sent;
                sent = true;
                free_again = false;
            }
            if (step.next == OG_CANCEL_NONE) {
                sent = false;
                free_again = true;
            } else if (now == OG_CANCEL_UNSURE && event == OG_CANCEL_EV_WORKS) {
                free_again = true;
            }
            now = (enum og_cancel_state)step.next;
        }
    }
    assert_true(sent_again > 0);
}

static void the_lines_are_told(void **state)
{
    (void)state;
    for (int s = 0; s < OG_STATES; s++) {
        const enum og_state order = (enum og_state)s;
        const char *known = og_state_is_final(order) ? og_state_name(order) : "unknown";

        assert_string_equal(og_cancel_outcome(OG_CANCEL_EV_REFUSED, order, true), "rejected");
        assert_string_equal(og_cancel_outcome(OG_CANCEL_EV_UNSENT, order, true), "not-sent");
        assert_string_equal(og_cancel_outcome(OG_CANCEL_EV_OVER, order, false), known);
        assert_string_equal(og_cancel_outcome(OG_CANCEL_EV_GIVE_UP, order, false), known);
        assert_string_equal(og_cancel_outcome(OG_CANCEL_EV_GIVE_UP, order, true),
                            order == OG_WORKING ? "working" : known);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_state_and_event),
        cmocka_unit_test(no_delete_is_repeated_without_a_look_up),
        cmocka_unit_test(the_lines_are_told),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
