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

/* Columns in the order of enum og_event.  A late answer to a POST changes nothing if the stream has already shown the
 * order.  If the broker shows an order that counted as not sent, the order gets the state shown, and an anomaly is
 * reported. */
static const struct og_step table[OG_STATES][OG_EVENTS] = {
    [OG_REFUSED] = {
        { OG_REFUSED, X }, { OG_REFUSED, X }, { OG_REFUSED, X }, { OG_REFUSED, _ },
        { OG_REFUSED, X }, { OG_REFUSED, X }, { OG_REFUSED, X }, { OG_REFUSED, X },
        { OG_REFUSED, X }, { OG_REFUSED, X }, { OG_REFUSED, X },
        { OG_REFUSED, X }, { OG_REFUSED, X }, { OG_REFUSED, X }, { OG_REFUSED, X } },
    [OG_INTENDED] = {
        { OG_NOT_SENT, R }, { OG_REJECTED, R }, { OG_OUTCOME_UNKNOWN, R | A }, { OG_OUTCOME_UNKNOWN, R | A },
        { OG_POSTED, R }, { OG_WORKING, R }, { OG_FILLED, R }, { OG_CANCELED, R },
        { OG_REJECTED, R }, { OG_EXPIRED, R }, { OG_DONE, R },
        { OG_REJECTED, R }, { OG_OUTCOME_UNKNOWN, R | A }, { OG_INTENDED, X }, { OG_INTENDED, X } },
    [OG_POSTED] = {
        { OG_POSTED, X }, { OG_POSTED, X }, { OG_POSTED, A }, { OG_POSTED, A },
        { OG_POSTED, _ }, { OG_WORKING, R }, { OG_FILLED, R }, { OG_CANCELED, R },
        { OG_REJECTED, R }, { OG_EXPIRED, R }, { OG_DONE, R },
        { OG_POSTED, X | A }, { OG_POSTED, A }, { OG_POSTED, X | A }, { OG_POSTED, X } },
    [OG_OUTCOME_UNKNOWN] = {
        { OG_OUTCOME_UNKNOWN, X | A }, { OG_OUTCOME_UNKNOWN, X | A },
        { OG_OUTCOME_UNKNOWN, A }, { OG_OUTCOME_UNKNOWN, A },
        { OG_POSTED, R }, { OG_WORKING, R }, { OG_FILLED, R }, { OG_CANCELED, R },
        { OG_REJECTED, R }, { OG_EXPIRED, R }, { OG_DONE, R },
        { OG_OUTCOME_UNKNOWN, A }, { OG_OUTCOME_UNKNOWN, A }, { OG_NOT_SENT, R }, { OG_OUTCOME_UNKNOWN, X } },
    [OG_NOT_SENT] = {
        { OG_NOT_SENT, _ }, { OG_NOT_SENT, _ }, { OG_NOT_SENT, X }, { OG_NOT_SENT, _ },
        { OG_POSTED, R | X }, { OG_WORKING, R | X }, { OG_FILLED, R | X }, { OG_CANCELED, R | X },
        { OG_REJECTED, R | X }, { OG_EXPIRED, R | X }, { OG_DONE, R | X },
        { OG_NOT_SENT, X }, { OG_NOT_SENT, X }, { OG_NOT_SENT, _ }, { OG_INTENDED, R } },
    [OG_WORKING] = {
        { OG_WORKING, X }, { OG_WORKING, X }, { OG_WORKING, _ }, { OG_WORKING, A },
        { OG_WORKING, _ }, { OG_WORKING, R }, { OG_FILLED, R }, { OG_CANCELED, R },
        { OG_REJECTED, R }, { OG_EXPIRED, R }, { OG_DONE, R },
        { OG_WORKING, X | A }, { OG_WORKING, A }, { OG_WORKING, X | A }, { OG_WORKING, X } },
    [OG_FILLED] = {
        { OG_FILLED, X }, { OG_FILLED, X }, { OG_FILLED, _ }, { OG_FILLED, _ },
        { OG_FILLED, _ }, { OG_FILLED, _ }, { OG_FILLED, _ }, { OG_FILLED, X },
        { OG_FILLED, X }, { OG_FILLED, X }, { OG_FILLED, X },
        { OG_FILLED, X }, { OG_FILLED, _ }, { OG_FILLED, _ }, { OG_FILLED, X } },
    [OG_CANCELED] = {
        { OG_CANCELED, X }, { OG_CANCELED, X }, { OG_CANCELED, _ }, { OG_CANCELED, _ },
        { OG_CANCELED, _ }, { OG_CANCELED, _ }, { OG_CANCELED, X }, { OG_CANCELED, _ },
        { OG_CANCELED, X }, { OG_CANCELED, X }, { OG_CANCELED, X },
        { OG_CANCELED, X }, { OG_CANCELED, _ }, { OG_CANCELED, _ }, { OG_CANCELED, X } },
    [OG_REJECTED] = { /* after R114, rows with the id may be rows of the order that used the id first */
        { OG_REJECTED, X }, { OG_REJECTED, _ }, { OG_REJECTED, _ }, { OG_REJECTED, _ },
        { OG_REJECTED, _ }, { OG_REJECTED, _ }, { OG_REJECTED, X }, { OG_REJECTED, X },
        { OG_REJECTED, _ }, { OG_REJECTED, X }, { OG_REJECTED, X },
        { OG_REJECTED, _ }, { OG_REJECTED, _ }, { OG_REJECTED, _ }, { OG_REJECTED, X } },
    [OG_EXPIRED] = {
        { OG_EXPIRED, X }, { OG_EXPIRED, X }, { OG_EXPIRED, _ }, { OG_EXPIRED, _ },
        { OG_EXPIRED, _ }, { OG_EXPIRED, _ }, { OG_EXPIRED, X }, { OG_EXPIRED, X },
        { OG_EXPIRED, X }, { OG_EXPIRED, _ }, { OG_EXPIRED, X },
        { OG_EXPIRED, X }, { OG_EXPIRED, _ }, { OG_EXPIRED, _ }, { OG_EXPIRED, X } },
    [OG_DONE] = {
        { OG_DONE, X }, { OG_DONE, X }, { OG_DONE, _ }, { OG_DONE, _ },
        { OG_DONE, _ }, { OG_DONE, _ }, { OG_DONE, X }, { OG_DONE, X },
        { OG_DONE, X }, { OG_DONE, X }, { OG_DONE, _ },
        { OG_DONE, X }, { OG_DONE, _ }, { OG_DONE, _ }, { OG_DONE, X } },
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
