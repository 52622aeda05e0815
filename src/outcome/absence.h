/*
 * Proof of absence: which answers are needed, and in which order, before an order counts as not-sent although the
 * answer of its POST was lost, or as ended although it was seen working.  One 404 proves nothing, since the order may
 * not be registered yet. One list proves nothing either, since lists leave out orders that are over.  This file has
 * the states, the table of their transitions and the moments that are compared; no I/O and no clock.
 */
#pragma once

#include "outcome/state.h"

enum og_absence_state {
    OG_ABSENCE_NONE = 0,   /* no answer since the order was last seen has lacked it */
    OG_ABSENCE_NOT_FOUND,  /* a look-up was answered 404 */
    OG_ABSENCE_NOT_LISTED, /* a list of orders lacks the order */
    OG_ABSENCE_BOTH,       /* a look-up was answered 404, and a list lacks the order */
    /* an earlier run counted the order as absent; every list of this run so far shows the order, or there was no
     * list */
    OG_ABSENCE_RESUMED,
    /* the order counts as absent since a certain good reading, which began after the POST's answer was lost */
    OG_ABSENCE_COUNTED,
    /* like COUNTED; in addition, a look-up that began OG_ABSENT_NS or more after that reading was answered 404 */
    OG_ABSENCE_LATE,
    OG_ABSENCE_PROVED, /* like LATE; in addition, a good reading that began after the look-up does not show the order */
    OG_ABSENCE_STATES
};

enum og_absence_event {
    OG_ABSENCE_EV_ROW = 0, /* an answer or a frame of the broker showed the order */
    OG_ABSENCE_EV_LOOK,    /* a look-up was answered 404 */
    /* a look-up was answered 404; it began OG_ABSENT_NS or more after the order first counted as absent */
    OG_ABSENCE_EV_LOOK_LATE,
    OG_ABSENCE_EV_LIST, /* a list of orders lacks the order */
    /* a good reading ended; the good reading before it began after the POST's answer was lost */
    OG_ABSENCE_EV_READ_AFTER_LOSS,
    OG_ABSENCE_EV_READ_AFTER_LOOK, /* a good reading ended that began after the look-up which led to OG_ABSENCE_LATE */
    OG_ABSENCE_EVENTS
};

enum og_absence_action {
    /* the order counts as absent from now on: write this into the ledger, so that a later run can continue the count */
    OG_ABSENCE_ACT_COUNT = 1 << 0,
    OG_ABSENCE_ACT_LATE = 1 << 1,  /* remember the moment of the look-up */
    OG_ABSENCE_ACT_PROVED = 1 << 2 /* the absence is proved */
};

struct og_step og_absence_step(enum og_absence_state from, enum og_absence_event event);

/* When a request began, by each of the clocks. A Date is used as the broker wrote it, and never extrapolated by time
 * that passed here, since either clock may have jumped meanwhile. */
struct og_absence_moment {
    uint64_t up; /* time by og_time_up() */
    int64_t at;  /* only for a reading: when it began, by the sender's wall clock */
    /* of a look-up: the newest Date that had been received when the look-up was requested; of a reading: the newest
     * Date of the reading's own answers; OG_TIME_UNKNOWN if no Date came */
    int64_t date;
};

struct og_absence {
    enum og_absence_state state;
    uint64_t lost_up; /* og_time_up() when the answer to the order's POST was lost, or when an earlier run's order was
                       * recovered */
    int64_t since;    /* when the first reading that counts the order as absent began; 0 if no reading does */
    bool by_broker;   /* true: `since` is the latest possible time by the broker's Date; false: it is by the sender's
                       * clock */
    uint64_t read_up; /* og_time_up() when the newest good reading began; 0 if the count began in an earlier run */
    uint64_t read_ns; /* counted time from `since` to that reading, in ns; of a gap between two good readings, at most
                       * OG_ABSENT_GAP_NS counts */
    uint64_t late_up; /* og_time_up() when the look-up began that led to OG_ABSENCE_LATE; 0 if there is none */
};

/* Begin for an order of an earlier run, which this run recovered at now_up. since: the time, by the broker's Date,
 * from which the ledger's record counts the order as absent. since is 0 if the record does not count the order as
 * absent, or counts only by that run's clock, which may have been wrong by more than a minute. date: the broker's
 * newest Date, or OG_TIME_UNKNOWN if there is none. The count continues if date is not before since; in all other cases
 * it begins anew. */
void og_absence_resume(struct og_absence *a, int64_t since, uint64_t now_up, int64_t date);
/* Begin the proof anew, because the answer of a POST was lost: no earlier answer says anything about that POST. */
void og_absence_lost(struct og_absence *a, uint64_t lost_up);
void og_absence_row(struct og_absence *a);
/* Returns for how many ns, at least, the order had counted as absent when a look-up began at this moment; 0 or less if
 * that is not known, or if the order does not count as absent. by_dates: also measure the time counted in this run by
 * the broker's Date instead of og_time_up(). */
int64_t og_absence_for(const struct og_absence *a, const struct og_absence_moment *at, bool by_dates);
/* Record that a look-up which began at this moment was answered 404. */
void og_absence_look(struct og_absence *a, const struct og_absence_moment *began, bool by_dates);
void og_absence_list(struct og_absence *a);
/* Record that a good reading, which began at began_up, has ended. before: the good reading before this one. Returns a
 * value of enum og_absence_action (COUNT or PROVED), or 0. */
unsigned og_absence_read(struct og_absence *a, uint64_t began_up, const struct og_absence_moment *before);
/* Returns true if a list lacks the order, or if the look-up that led to OG_ABSENCE_LATE was answered 404. */
bool og_absence_is_unlisted(const struct og_absence *a);
