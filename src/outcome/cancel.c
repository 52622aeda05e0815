/*
 * The transition table of a cancel, complete: every pair of state and event has an entry. A DELETE is sent only in the
 * state DUE, and after a DELETE whose answer was lost only the event WORKS leads back to DUE.
 */
#include "outcome/cancel.h"

#define L OG_CANCEL_ACT_LOOK
#define E OG_CANCEL_ACT_END
#define _ 0

/* While a DELETE is under way (SENT, OVER), only its answer ends that state, whatever other event comes; the time-out
 * of the client's request queue limits the wait. The lines do not wait for that answer once the order has ended: a
 * replacement of the order can then be sent. */
static const struct og_step table[OG_CANCEL_STATES][OG_CANCEL_EVENTS] = {
    [OG_CANCEL_NONE] = {
        [OG_CANCEL_EV_WANTED] = { OG_CANCEL_DUE, _ },
        [OG_CANCEL_EV_FOLLOW] = { OG_CANCEL_FOLLOWED, L },
        [OG_CANCEL_EV_SENT] = { OG_CANCEL_NONE, _ },
        [OG_CANCEL_EV_TAKEN] = { OG_CANCEL_NONE, _ },
        [OG_CANCEL_EV_REFUSED] = { OG_CANCEL_NONE, _ },
        [OG_CANCEL_EV_UNSENT] = { OG_CANCEL_NONE, _ },
        [OG_CANCEL_EV_LOST] = { OG_CANCEL_NONE, _ },
        [OG_CANCEL_EV_WORKS] = { OG_CANCEL_NONE, _ },
        [OG_CANCEL_EV_OVER] = { OG_CANCEL_NONE, _ },
        [OG_CANCEL_EV_GIVE_UP] = { OG_CANCEL_NONE, _ },
        [OG_CANCEL_EV_STOP] = { OG_CANCEL_NONE, _ },
    },
    [OG_CANCEL_DUE] = {
        [OG_CANCEL_EV_WANTED] = { OG_CANCEL_DUE, _ },
        [OG_CANCEL_EV_FOLLOW] = { OG_CANCEL_DUE, _ },
        [OG_CANCEL_EV_SENT] = { OG_CANCEL_SENT, _ },
        [OG_CANCEL_EV_TAKEN] = { OG_CANCEL_DUE, _ },
        [OG_CANCEL_EV_REFUSED] = { OG_CANCEL_DUE, _ },
        [OG_CANCEL_EV_UNSENT] = { OG_CANCEL_DUE, _ },
        [OG_CANCEL_EV_LOST] = { OG_CANCEL_DUE, _ },
        [OG_CANCEL_EV_WORKS] = { OG_CANCEL_DUE, _ },
        [OG_CANCEL_EV_OVER] = { OG_CANCEL_NONE, E },
        [OG_CANCEL_EV_GIVE_UP] = { OG_CANCEL_NONE, E },
        [OG_CANCEL_EV_STOP] = { OG_CANCEL_DUE, _ },
    },
    [OG_CANCEL_SENT] = {
        [OG_CANCEL_EV_WANTED] = { OG_CANCEL_SENT, _ },
        [OG_CANCEL_EV_FOLLOW] = { OG_CANCEL_SENT, _ },
        [OG_CANCEL_EV_SENT] = { OG_CANCEL_SENT, _ },
        [OG_CANCEL_EV_TAKEN] = { OG_CANCEL_FOLLOWED, L },
        [OG_CANCEL_EV_REFUSED] = { OG_CANCEL_NONE, E },
        [OG_CANCEL_EV_UNSENT] = { OG_CANCEL_NONE, E },
        [OG_CANCEL_EV_LOST] = { OG_CANCEL_UNSURE, L },
        [OG_CANCEL_EV_WORKS] = { OG_CANCEL_SENT, _ },
        [OG_CANCEL_EV_OVER] = { OG_CANCEL_OVER, E },
        [OG_CANCEL_EV_GIVE_UP] = { OG_CANCEL_SENT, _ },
        [OG_CANCEL_EV_STOP] = { OG_CANCEL_UNSURE, _ },
    },
    [OG_CANCEL_FOLLOWED] = {
        [OG_CANCEL_EV_WANTED] = { OG_CANCEL_FOLLOWED, _ },
        [OG_CANCEL_EV_FOLLOW] = { OG_CANCEL_FOLLOWED, _ },
        [OG_CANCEL_EV_SENT] = { OG_CANCEL_FOLLOWED, _ },
        [OG_CANCEL_EV_TAKEN] = { OG_CANCEL_FOLLOWED, _ },
        [OG_CANCEL_EV_REFUSED] = { OG_CANCEL_FOLLOWED, _ },
        [OG_CANCEL_EV_UNSENT] = { OG_CANCEL_FOLLOWED, _ },
        [OG_CANCEL_EV_LOST] = { OG_CANCEL_FOLLOWED, _ },
        [OG_CANCEL_EV_WORKS] = { OG_CANCEL_FOLLOWED, _ },
        [OG_CANCEL_EV_OVER] = { OG_CANCEL_NONE, E },
        [OG_CANCEL_EV_GIVE_UP] = { OG_CANCEL_NONE, E },
        [OG_CANCEL_EV_STOP] = { OG_CANCEL_FOLLOWED, _ },
    },
    [OG_CANCEL_UNSURE] = {
        [OG_CANCEL_EV_WANTED] = { OG_CANCEL_UNSURE, _ },
        [OG_CANCEL_EV_FOLLOW] = { OG_CANCEL_UNSURE, _ },
        [OG_CANCEL_EV_SENT] = { OG_CANCEL_UNSURE, _ },
        [OG_CANCEL_EV_TAKEN] = { OG_CANCEL_UNSURE, _ },
        [OG_CANCEL_EV_REFUSED] = { OG_CANCEL_UNSURE, _ },
        [OG_CANCEL_EV_UNSENT] = { OG_CANCEL_UNSURE, _ },
        [OG_CANCEL_EV_LOST] = { OG_CANCEL_UNSURE, _ },
        [OG_CANCEL_EV_WORKS] = { OG_CANCEL_DUE, _ },
        [OG_CANCEL_EV_OVER] = { OG_CANCEL_NONE, E },
        [OG_CANCEL_EV_GIVE_UP] = { OG_CANCEL_NONE, E },
        [OG_CANCEL_EV_STOP] = { OG_CANCEL_UNSURE, _ },
    },
    [OG_CANCEL_OVER] = {
        [OG_CANCEL_EV_WANTED] = { OG_CANCEL_OVER, E },
        [OG_CANCEL_EV_FOLLOW] = { OG_CANCEL_OVER, E },
        [OG_CANCEL_EV_SENT] = { OG_CANCEL_OVER, _ },
        [OG_CANCEL_EV_TAKEN] = { OG_CANCEL_NONE, _ },
        [OG_CANCEL_EV_REFUSED] = { OG_CANCEL_NONE, _ },
        [OG_CANCEL_EV_UNSENT] = { OG_CANCEL_NONE, _ },
        [OG_CANCEL_EV_LOST] = { OG_CANCEL_NONE, _ },
        [OG_CANCEL_EV_WORKS] = { OG_CANCEL_OVER, _ },
        [OG_CANCEL_EV_OVER] = { OG_CANCEL_OVER, E },
        [OG_CANCEL_EV_GIVE_UP] = { OG_CANCEL_OVER, E },
        [OG_CANCEL_EV_STOP] = { OG_CANCEL_NONE, E },
    },
};

struct og_step og_cancel_step(enum og_cancel_state from, enum og_cancel_event event)
{
    return table[from][event];
}

const char *og_cancel_outcome(enum og_cancel_event event, enum og_state order, bool heard)
{
    if (event == OG_CANCEL_EV_REFUSED)
        return "rejected";
    if (event == OG_CANCEL_EV_UNSENT)
        return "not-sent";
    if (og_state_is_final(order))
        return og_state_name(order);
    return order == OG_WORKING && heard ? "working" : "unknown";
}
