/*
 * The transition table of the proof of absence, complete: every pair of state and event has an entry.  Any row of the
 * order ends the proof, and PROVED is reached only after every step of the proof.
 */
#include "outcome/absence.h"

#include "base/time.h"
#include "base/timeouts.h"

#define C OG_ABSENCE_ACT_COUNT
#define L OG_ABSENCE_ACT_LATE
#define P OG_ABSENCE_ACT_PROVED
#define _ 0

static const struct og_step table[OG_ABSENCE_STATES][OG_ABSENCE_EVENTS] = {
    [OG_ABSENCE_NONE] = {
        [OG_ABSENCE_EV_ROW] = { OG_ABSENCE_NONE, _ },
        [OG_ABSENCE_EV_LOOK] = { OG_ABSENCE_NOT_FOUND, _ },
        [OG_ABSENCE_EV_LOOK_LATE] = { OG_ABSENCE_NOT_FOUND, _ },
        [OG_ABSENCE_EV_LIST] = { OG_ABSENCE_NOT_LISTED, _ },
        [OG_ABSENCE_EV_READ_AFTER_LOSS] = { OG_ABSENCE_NONE, _ },
        [OG_ABSENCE_EV_READ_AFTER_LOOK] = { OG_ABSENCE_NONE, _ },
    },
    [OG_ABSENCE_NOT_FOUND] = {
        [OG_ABSENCE_EV_ROW] = { OG_ABSENCE_NONE, _ },
        [OG_ABSENCE_EV_LOOK] = { OG_ABSENCE_NOT_FOUND, _ },
        [OG_ABSENCE_EV_LOOK_LATE] = { OG_ABSENCE_NOT_FOUND, _ },
        [OG_ABSENCE_EV_LIST] = { OG_ABSENCE_BOTH, _ },
        [OG_ABSENCE_EV_READ_AFTER_LOSS] = { OG_ABSENCE_NOT_FOUND, _ },
        [OG_ABSENCE_EV_READ_AFTER_LOOK] = { OG_ABSENCE_NOT_FOUND, _ },
    },
    [OG_ABSENCE_NOT_LISTED] = {
        [OG_ABSENCE_EV_ROW] = { OG_ABSENCE_NONE, _ },
        [OG_ABSENCE_EV_LOOK] = { OG_ABSENCE_BOTH, _ },
        [OG_ABSENCE_EV_LOOK_LATE] = { OG_ABSENCE_BOTH, _ },
        [OG_ABSENCE_EV_LIST] = { OG_ABSENCE_NOT_LISTED, _ },
        [OG_ABSENCE_EV_READ_AFTER_LOSS] = { OG_ABSENCE_NOT_LISTED, _ },
        [OG_ABSENCE_EV_READ_AFTER_LOOK] = { OG_ABSENCE_NOT_LISTED, _ },
    },
    [OG_ABSENCE_BOTH] = {
        [OG_ABSENCE_EV_ROW] = { OG_ABSENCE_NONE, _ },
        [OG_ABSENCE_EV_LOOK] = { OG_ABSENCE_BOTH, _ },
        [OG_ABSENCE_EV_LOOK_LATE] = { OG_ABSENCE_BOTH, _ },
        [OG_ABSENCE_EV_LIST] = { OG_ABSENCE_BOTH, _ },
        [OG_ABSENCE_EV_READ_AFTER_LOSS] = { OG_ABSENCE_COUNTED, C },
        [OG_ABSENCE_EV_READ_AFTER_LOOK] = { OG_ABSENCE_BOTH, _ },
    },
    [OG_ABSENCE_RESUMED] = {
        [OG_ABSENCE_EV_ROW] = { OG_ABSENCE_NONE, _ },
        [OG_ABSENCE_EV_LOOK] = { OG_ABSENCE_RESUMED, _ },
        [OG_ABSENCE_EV_LOOK_LATE] = { OG_ABSENCE_LATE, L },
        [OG_ABSENCE_EV_LIST] = { OG_ABSENCE_COUNTED, _ },
        [OG_ABSENCE_EV_READ_AFTER_LOSS] = { OG_ABSENCE_RESUMED, _ },
        [OG_ABSENCE_EV_READ_AFTER_LOOK] = { OG_ABSENCE_RESUMED, _ },
    },
    [OG_ABSENCE_COUNTED] = {
        [OG_ABSENCE_EV_ROW] = { OG_ABSENCE_NONE, _ },
        [OG_ABSENCE_EV_LOOK] = { OG_ABSENCE_COUNTED, _ },
        [OG_ABSENCE_EV_LOOK_LATE] = { OG_ABSENCE_LATE, L },
        [OG_ABSENCE_EV_LIST] = { OG_ABSENCE_COUNTED, _ },
        [OG_ABSENCE_EV_READ_AFTER_LOSS] = { OG_ABSENCE_COUNTED, _ },
        [OG_ABSENCE_EV_READ_AFTER_LOOK] = { OG_ABSENCE_COUNTED, _ },
    },
    [OG_ABSENCE_LATE] = {
        [OG_ABSENCE_EV_ROW] = { OG_ABSENCE_NONE, _ },
        [OG_ABSENCE_EV_LOOK] = { OG_ABSENCE_LATE, _ },
        [OG_ABSENCE_EV_LOOK_LATE] = { OG_ABSENCE_LATE, _ },
        [OG_ABSENCE_EV_LIST] = { OG_ABSENCE_LATE, _ },
        [OG_ABSENCE_EV_READ_AFTER_LOSS] = { OG_ABSENCE_LATE, _ },
        [OG_ABSENCE_EV_READ_AFTER_LOOK] = { OG_ABSENCE_PROVED, P },
    },
    [OG_ABSENCE_PROVED] = {
        [OG_ABSENCE_EV_ROW] = { OG_ABSENCE_NONE, _ },
        [OG_ABSENCE_EV_LOOK] = { OG_ABSENCE_PROVED, _ },
        [OG_ABSENCE_EV_LOOK_LATE] = { OG_ABSENCE_PROVED, _ },
        [OG_ABSENCE_EV_LIST] = { OG_ABSENCE_PROVED, _ },
        [OG_ABSENCE_EV_READ_AFTER_LOSS] = { OG_ABSENCE_PROVED, _ },
        [OG_ABSENCE_EV_READ_AFTER_LOOK] = { OG_ABSENCE_PROVED, _ },
    },
};

struct og_step og_absence_step(enum og_absence_state from, enum og_absence_event event)
{
    return table[from][event];
}

static unsigned step(struct og_absence *a, enum og_absence_event event)
{
    const struct og_step next = table[a->state][event];

    a->state = (enum og_absence_state)next.next;
    return next.actions;
}

/* Returns the latest time that a Date can stand for: it has whole seconds. */
static int64_t latest(int64_t date)
{
    return date + OG_NS_PER_S;
}

void og_absence_resume(struct og_absence *a, int64_t since, uint64_t now_up, int64_t date)
{
    og_absence_lost(a, now_up);
    if (since == 0 || date == OG_TIME_UNKNOWN || since > latest(date))
        return;
    a->state = OG_ABSENCE_RESUMED;
    a->since = since;
    a->by_broker = true;
}

void og_absence_lost(struct og_absence *a, uint64_t lost_up)
{
    *a = (struct og_absence){ .state = OG_ABSENCE_NONE, .lost_up = lost_up };
}

void og_absence_row(struct og_absence *a)
{
    og_absence_lost(a, a->lost_up);
}

/* Returns how much of the time between a good reading and a later moment counts. If there was no further good reading
 * for a long time, most of that time does not count: the broker may have been down, with the order waiting in it, or
 * this machine suspended, with the order in the kernel's buffers. */
static uint64_t counted(uint64_t read_up, uint64_t up)
{
    const uint64_t gap = up > read_up ? up - read_up : 0;

    return gap < OG_ABSENT_GAP_NS ? gap : OG_ABSENT_GAP_NS;
}

/* The sender's wall clock is never used, since it may be wrong, or may have been set. */
int64_t og_absence_for(const struct og_absence *a, const struct og_absence_moment *at, bool by_dates)
{
    const bool dated = a->by_broker && at->date != OG_TIME_UNKNOWN;

    if (a->since == 0)
        return 0;
    if (a->read_up != 0 && !(by_dates && dated))
        return (int64_t)(a->read_ns + counted(a->read_up, at->up));
    return dated ? at->date - a->since : 0;
}

void og_absence_look(struct og_absence *a, const struct og_absence_moment *began, bool by_dates)
{
    const bool late = og_absence_for(a, began, by_dates) >= OG_ABSENT_NS;

    if ((step(a, late ? OG_ABSENCE_EV_LOOK_LATE : OG_ABSENCE_EV_LOOK) & OG_ABSENCE_ACT_LATE) != 0)
        a->late_up = began->up;
}

void og_absence_list(struct og_absence *a)
{
    (void)step(a, OG_ABSENCE_EV_LIST);
}

unsigned og_absence_read(struct og_absence *a, uint64_t began_up, const struct og_absence_moment *before)
{
    unsigned actions = 0;

    if (a->late_up != 0 && a->late_up <= began_up)
        return step(a, OG_ABSENCE_EV_READ_AFTER_LOOK);
    if (before->up > a->lost_up && ((actions = step(a, OG_ABSENCE_EV_READ_AFTER_LOSS)) & OG_ABSENCE_ACT_COUNT) != 0) {
        a->by_broker = before->date != OG_TIME_UNKNOWN;
        a->since = a->by_broker ? latest(before->date) : before->at;
        a->read_up = before->up;
    }
    if (a->read_up != 0) {
        a->read_ns += counted(a->read_up, began_up);
        a->read_up = began_up;
    }
    return actions;
}

bool og_absence_is_unlisted(const struct og_absence *a)
{
    return a->state != OG_ABSENCE_NONE && a->state != OG_ABSENCE_NOT_FOUND && a->state != OG_ABSENCE_RESUMED;
}
