/*
 * The transition table, complete: every pair of state and event has an entry.  A final state never changes, and R114
 * never changes the state of an order that was seen accepted.
 */
#include "outcome/state.h"

static const char *const names[OG_STATES] = {
    [OG_REFUSED] = "refused",   [OG_INTENDED] = "intended", [OG_POSTED] = "posted", [OG_OUTCOME_UNKNOWN] = "unknown",
    [OG_NOT_SENT] = "not-sent", [OG_WORKING] = "working",   [OG_FILLED] = "filled", [OG_CANCELED] = "canceled",
    [OG_REJECTED] = "rejected", [OG_EXPIRED] = "expired",   [OG_DONE] = "done",
};

#define R OG_ACT_RECORD
#define A OG_ACT_ASK
#define X OG_ACT_ANOMALY
#define _ OG_ACT_NONE

/* A late answer to a POST changes nothing if the stream has already shown the order.  If the broker shows an order that
 * counted as not sent, the order gets the state shown, and an anomaly is reported. */
static const struct og_step table[OG_STATES][OG_EVENTS] = {
    [OG_REFUSED] = {
        [OG_EV_UNSENT] = { OG_REFUSED, X }, [OG_EV_BAD] = { OG_REFUSED, X }, [OG_EV_LOST] = { OG_REFUSED, X },
        [OG_EV_RESTART] = { OG_REFUSED, _ }, [OG_EV_PENDING] = { OG_REFUSED, X }, [OG_EV_WORKING] = { OG_REFUSED, X },
        [OG_EV_FILLED] = { OG_REFUSED, X }, [OG_EV_CANCELED] = { OG_REFUSED, X }, [OG_EV_REJECTED] = { OG_REFUSED, X },
        [OG_EV_EXPIRED] = { OG_REFUSED, X }, [OG_EV_DONE] = { OG_REFUSED, X }, [OG_EV_DUPLICATE] = { OG_REFUSED, X },
        [OG_EV_COLLISION] = { OG_REFUSED, X }, [OG_EV_ABSENT] = { OG_REFUSED, X }, [OG_EV_RESEND] = { OG_REFUSED, X } },
    [OG_INTENDED] = {
        [OG_EV_UNSENT] = { OG_NOT_SENT, R }, [OG_EV_BAD] = { OG_REJECTED, R },
        [OG_EV_LOST] = { OG_OUTCOME_UNKNOWN, R | A }, [OG_EV_RESTART] = { OG_OUTCOME_UNKNOWN, R | A },
        [OG_EV_PENDING] = { OG_POSTED, R }, [OG_EV_WORKING] = { OG_WORKING, R }, [OG_EV_FILLED] = { OG_FILLED, R },
        [OG_EV_CANCELED] = { OG_CANCELED, R }, [OG_EV_REJECTED] = { OG_REJECTED, R },
        [OG_EV_EXPIRED] = { OG_EXPIRED, R }, [OG_EV_DONE] = { OG_DONE, R }, [OG_EV_DUPLICATE] = { OG_REJECTED, R },
        [OG_EV_COLLISION] = { OG_OUTCOME_UNKNOWN, R | A }, [OG_EV_ABSENT] = { OG_INTENDED, X },
        [OG_EV_RESEND] = { OG_INTENDED, X } },
    [OG_POSTED] = {
        [OG_EV_UNSENT] = { OG_POSTED, X }, [OG_EV_BAD] = { OG_POSTED, X }, [OG_EV_LOST] = { OG_POSTED, A },
        [OG_EV_RESTART] = { OG_POSTED, A }, [OG_EV_PENDING] = { OG_POSTED, _ }, [OG_EV_WORKING] = { OG_WORKING, R },
        [OG_EV_FILLED] = { OG_FILLED, R }, [OG_EV_CANCELED] = { OG_CANCELED, R },
        [OG_EV_REJECTED] = { OG_REJECTED, R }, [OG_EV_EXPIRED] = { OG_EXPIRED, R }, [OG_EV_DONE] = { OG_DONE, R },
        [OG_EV_DUPLICATE] = { OG_POSTED, X | A }, [OG_EV_COLLISION] = { OG_POSTED, A },
        [OG_EV_ABSENT] = { OG_POSTED, X | A }, [OG_EV_RESEND] = { OG_POSTED, X } },
    [OG_OUTCOME_UNKNOWN] = {
        [OG_EV_UNSENT] = { OG_OUTCOME_UNKNOWN, X | A }, [OG_EV_BAD] = { OG_OUTCOME_UNKNOWN, X | A },
        [OG_EV_LOST] = { OG_OUTCOME_UNKNOWN, A }, [OG_EV_RESTART] = { OG_OUTCOME_UNKNOWN, A },
        [OG_EV_PENDING] = { OG_POSTED, R }, [OG_EV_WORKING] = { OG_WORKING, R }, [OG_EV_FILLED] = { OG_FILLED, R },
        [OG_EV_CANCELED] = { OG_CANCELED, R }, [OG_EV_REJECTED] = { OG_REJECTED, R },
        [OG_EV_EXPIRED] = { OG_EXPIRED, R }, [OG_EV_DONE] = { OG_DONE, R },
        [OG_EV_DUPLICATE] = { OG_OUTCOME_UNKNOWN, A }, [OG_EV_COLLISION] = { OG_OUTCOME_UNKNOWN, A },
        [OG_EV_ABSENT] = { OG_NOT_SENT, R }, [OG_EV_RESEND] = { OG_OUTCOME_UNKNOWN, X } },
    [OG_NOT_SENT] = {
        [OG_EV_UNSENT] = { OG_NOT_SENT, _ }, [OG_EV_BAD] = { OG_NOT_SENT, _ }, [OG_EV_LOST] = { OG_NOT_SENT, X },
        [OG_EV_RESTART] = { OG_NOT_SENT, _ }, [OG_EV_PENDING] = { OG_POSTED, R | X },
        [OG_EV_WORKING] = { OG_WORKING, R | X }, [OG_EV_FILLED] = { OG_FILLED, R | X },
        [OG_EV_CANCELED] = { OG_CANCELED, R | X }, [OG_EV_REJECTED] = { OG_REJECTED, R | X },
        [OG_EV_EXPIRED] = { OG_EXPIRED, R | X }, [OG_EV_DONE] = { OG_DONE, R | X },
        [OG_EV_DUPLICATE] = { OG_NOT_SENT, X }, [OG_EV_COLLISION] = { OG_NOT_SENT, X },
        [OG_EV_ABSENT] = { OG_NOT_SENT, _ }, [OG_EV_RESEND] = { OG_INTENDED, R } },
    [OG_WORKING] = {
        [OG_EV_UNSENT] = { OG_WORKING, X }, [OG_EV_BAD] = { OG_WORKING, X }, [OG_EV_LOST] = { OG_WORKING, _ },
        [OG_EV_RESTART] = { OG_WORKING, A }, [OG_EV_PENDING] = { OG_WORKING, _ }, [OG_EV_WORKING] = { OG_WORKING, R },
        [OG_EV_FILLED] = { OG_FILLED, R }, [OG_EV_CANCELED] = { OG_CANCELED, R },
        [OG_EV_REJECTED] = { OG_REJECTED, R }, [OG_EV_EXPIRED] = { OG_EXPIRED, R }, [OG_EV_DONE] = { OG_DONE, R },
        [OG_EV_DUPLICATE] = { OG_WORKING, X | A }, [OG_EV_COLLISION] = { OG_WORKING, A },
        [OG_EV_ABSENT] = { OG_WORKING, X | A }, [OG_EV_RESEND] = { OG_WORKING, X } },
    [OG_FILLED] = {
        [OG_EV_UNSENT] = { OG_FILLED, X }, [OG_EV_BAD] = { OG_FILLED, X }, [OG_EV_LOST] = { OG_FILLED, _ },
        [OG_EV_RESTART] = { OG_FILLED, _ }, [OG_EV_PENDING] = { OG_FILLED, _ }, [OG_EV_WORKING] = { OG_FILLED, _ },
        [OG_EV_FILLED] = { OG_FILLED, _ }, [OG_EV_CANCELED] = { OG_FILLED, X }, [OG_EV_REJECTED] = { OG_FILLED, X },
        [OG_EV_EXPIRED] = { OG_FILLED, X }, [OG_EV_DONE] = { OG_FILLED, X }, [OG_EV_DUPLICATE] = { OG_FILLED, X },
        [OG_EV_COLLISION] = { OG_FILLED, _ }, [OG_EV_ABSENT] = { OG_FILLED, _ }, [OG_EV_RESEND] = { OG_FILLED, X } },
    [OG_CANCELED] = {
        [OG_EV_UNSENT] = { OG_CANCELED, X }, [OG_EV_BAD] = { OG_CANCELED, X }, [OG_EV_LOST] = { OG_CANCELED, _ },
        [OG_EV_RESTART] = { OG_CANCELED, _ }, [OG_EV_PENDING] = { OG_CANCELED, _ },
        [OG_EV_WORKING] = { OG_CANCELED, _ }, [OG_EV_FILLED] = { OG_CANCELED, X },
        [OG_EV_CANCELED] = { OG_CANCELED, _ }, [OG_EV_REJECTED] = { OG_CANCELED, X },
        [OG_EV_EXPIRED] = { OG_CANCELED, X }, [OG_EV_DONE] = { OG_CANCELED, X },
        [OG_EV_DUPLICATE] = { OG_CANCELED, X }, [OG_EV_COLLISION] = { OG_CANCELED, _ },
        [OG_EV_ABSENT] = { OG_CANCELED, _ }, [OG_EV_RESEND] = { OG_CANCELED, X } },
    [OG_REJECTED] = { /* after R114, rows with the id may be rows of the order that used the id first */
        [OG_EV_UNSENT] = { OG_REJECTED, X }, [OG_EV_BAD] = { OG_REJECTED, _ }, [OG_EV_LOST] = { OG_REJECTED, _ },
        [OG_EV_RESTART] = { OG_REJECTED, _ }, [OG_EV_PENDING] = { OG_REJECTED, _ },
        [OG_EV_WORKING] = { OG_REJECTED, _ }, [OG_EV_FILLED] = { OG_REJECTED, X },
        [OG_EV_CANCELED] = { OG_REJECTED, X }, [OG_EV_REJECTED] = { OG_REJECTED, _ },
        [OG_EV_EXPIRED] = { OG_REJECTED, X }, [OG_EV_DONE] = { OG_REJECTED, X },
        [OG_EV_DUPLICATE] = { OG_REJECTED, _ }, [OG_EV_COLLISION] = { OG_REJECTED, _ },
        [OG_EV_ABSENT] = { OG_REJECTED, _ }, [OG_EV_RESEND] = { OG_REJECTED, X } },
    [OG_EXPIRED] = {
        [OG_EV_UNSENT] = { OG_EXPIRED, X }, [OG_EV_BAD] = { OG_EXPIRED, X }, [OG_EV_LOST] = { OG_EXPIRED, _ },
        [OG_EV_RESTART] = { OG_EXPIRED, _ }, [OG_EV_PENDING] = { OG_EXPIRED, _ }, [OG_EV_WORKING] = { OG_EXPIRED, _ },
        [OG_EV_FILLED] = { OG_EXPIRED, X }, [OG_EV_CANCELED] = { OG_EXPIRED, X }, [OG_EV_REJECTED] = { OG_EXPIRED, X },
        [OG_EV_EXPIRED] = { OG_EXPIRED, _ }, [OG_EV_DONE] = { OG_EXPIRED, X }, [OG_EV_DUPLICATE] = { OG_EXPIRED, X },
        [OG_EV_COLLISION] = { OG_EXPIRED, _ }, [OG_EV_ABSENT] = { OG_EXPIRED, _ }, [OG_EV_RESEND] = { OG_EXPIRED, X } },
    [OG_DONE] = {
        [OG_EV_UNSENT] = { OG_DONE, X }, [OG_EV_BAD] = { OG_DONE, X }, [OG_EV_LOST] = { OG_DONE, _ },
        [OG_EV_RESTART] = { OG_DONE, _ }, [OG_EV_PENDING] = { OG_DONE, _ }, [OG_EV_WORKING] = { OG_DONE, _ },
        [OG_EV_FILLED] = { OG_DONE, X }, [OG_EV_CANCELED] = { OG_DONE, X }, [OG_EV_REJECTED] = { OG_DONE, X },
        [OG_EV_EXPIRED] = { OG_DONE, X }, [OG_EV_DONE] = { OG_DONE, _ }, [OG_EV_DUPLICATE] = { OG_DONE, X },
        [OG_EV_COLLISION] = { OG_DONE, _ }, [OG_EV_ABSENT] = { OG_DONE, _ }, [OG_EV_RESEND] = { OG_DONE, X } },
};

struct og_step og_state_step(enum og_state from, enum og_event event)
{
    return table[from][event];
}

bool og_state_is_final(enum og_state s)
{
    return s != OG_INTENDED && s != OG_POSTED && s != OG_OUTCOME_UNKNOWN && s != OG_WORKING;
}

const char *og_state_name(enum og_state s)
{
    return names[s];
}

bool og_state_of(struct og_str name, enum og_state *s)
{
    for (int i = 0; i < OG_STATES; i++) {
        if (og_str_is(name, names[i])) {
            *s = (enum og_state)i;
            return true;
        }
    }
    return false;
}

/* Returns true if an order that is DoneForDay continues in the next session: GoodTillCancel and GTC_Plus
 * (docs/readings.md, M9). */
static bool comes_back(struct og_str tif)
{
    return og_str_is(tif, "GoodTillCancel") || og_str_is(tif, "GTC_Plus");
}

enum og_event og_event_of_row(const struct og_order_row *row, struct og_str tif, int posts)
{
    switch (row->status) {
    case OG_ST_PENDING_NEW: return OG_EV_PENDING;
    case OG_ST_FILLED: return OG_EV_FILLED;
    case OG_ST_CANCELED: return OG_EV_CANCELED;
    case OG_ST_EXPIRED: return OG_EV_EXPIRED;
    case OG_ST_DONE_FOR_DAY: return comes_back(tif.len > 0 ? tif : row->time_in_force) ? OG_EV_WORKING : OG_EV_DONE;
    case OG_ST_REJECTED:
        if (!og_str_is(og_reject_code(row->text), "R114"))
            return OG_EV_REJECTED;
        return posts > 1 ? OG_EV_COLLISION : OG_EV_DUPLICATE;
    case OG_ST_ACCEPTED:
    case OG_ST_NEW:
    case OG_ST_PARTIALLY_FILLED:
    case OG_ST_PENDING_CANCEL:
    case OG_ST_UNKNOWN:
    default: return OG_EV_WORKING;
    }
}
