/*
 * Proof of absence: which answers are needed, and in which order, before an order counts as not-sent although the
 * answer of its POST was lost, or as ended although it was seen working.  One 404 proves nothing, since the order may
 * not be registered yet; nor does one list, since lists leave out orders that are over.  This file has the states, the
 * table of their transitions and the moments that are compared; no I/O and no clock.
 */
#pragma once

#include "outcome/state.h"

enum og_absence_state {
    OG_ABSENCE_NONE = 0,   /* no answer has lacked the order since it was last seen */
    OG_ABSENCE_NOT_FOUND,  /* a look-up was answered 404 */
    OG_ABSENCE_NOT_LISTED, /* a list of orders lacks it */
    OG_ABSENCE_BOTH,       /* a look-up was answered 404, and a list lacks the order */
    OG_ABSENCE_RESUMED,    /* an earlier run counted the order absent; no list of this run has lacked it yet */
    OG_ABSENCE_COUNTED, /* the order is counted absent since a good reading of the account that began after the answer
                         * was lost */
    OG_ABSENCE_LATE,    /* as COUNTED, and a look-up that began OG_ABSENT_NS or more after that reading was answered
                         * 404 */
    OG_ABSENCE_PROVED,  /* as LATE, and a good reading that began after that look-up lacks the order */
    OG_ABSENCE_STATES
};

enum og_absence_event {
    OG_ABSENCE_EV_ROW = 0, /* an answer or a frame of the broker showed the order */
    OG_ABSENCE_EV_LOOK,    /* a look-up was answered 404 */
    /* a look-up was answered 404 that began OG_ABSENT_NS or more after the order was first counted absent */
    OG_ABSENCE_EV_LOOK_LATE,
    OG_ABSENCE_EV_LIST,            /* a list of orders lacks the order */
    OG_ABSENCE_EV_READ_AFTER_LOSS, /* a good reading ended, and the good one before it began after the POST's answer was
                                    * lost */
    OG_ABSENCE_EV_READ_AFTER_LOOK, /* a good reading ended that began after the look-up of OG_ABSENCE_LATE */
    OG_ABSENCE_EVENTS
};

enum og_absence_action {
    /* the order counts as absent from now on: record that, so that a later run can continue the count */
    OG_ABSENCE_ACT_COUNT = 1 << 0,
    OG_ABSENCE_ACT_LATE = 1 << 1,  /* keep the moment of the look-up */
    OG_ABSENCE_ACT_PROVED = 1 << 2 /* the absence is proved */
};

struct og_step og_absence_step(enum og_absence_state from, enum og_absence_event event);

/* When a request began, by each of the clocks.  A Date is used as the broker wrote it, never moved by the time that
 * passed here: either clock may have jumped meanwhile. */
struct og_absence_moment {
    uint64_t up;  /* by og_time_up() */
    int64_t at;   /* of a reading: when it began, by the sender's wall clock */
    int64_t date; /* of a look-up: the newest Date that had been received when it was requested; of a reading: the
                   * newest Date of its own answers; OG_TIME_UNKNOWN: none */
};

struct og_absence {
    enum og_absence_state state;
    uint64_t lost_up; /* og_time_up() when the answer of its POST was lost, or an earlier run's order was recovered */
    int64_t since;    /* when the reading began from which the order is counted absent; 0: none */
    bool by_broker;   /* true: `since` is a time by the broker's Date, the latest possible; false: by the sender's
                       * clock */
    uint64_t read_up; /* og_time_up() when the newest good reading began; 0: the count began in an earlier run */
    uint64_t read_ns; /* the time from `since` to that reading, without what exceeds OG_ABSENT_GAP_NS between two */
    uint64_t late_up; /* og_time_up() when the look-up of OG_ABSENCE_LATE began; 0: none */
};

/* Begin for an order of an earlier run, recovered at now_up.  since: the time, by the broker's Date, from which the
 * ledger's record counts it absent.  0: the record does not count it absent, or only by that run's clock, which may
 * have been wrong by more than a minute.  date: the broker's newest Date; OG_TIME_UNKNOWN: none.  The count continues
 * if that is not before since; else it begins anew. */
void og_absence_resume(struct og_absence *a, int64_t since, uint64_t now_up, int64_t date);
/* Begin the proof anew, because the answer of a POST was lost: whatever was answered before says nothing of that
 * POST. */
void og_absence_lost(struct og_absence *a, uint64_t lost_up);
void og_absence_row(struct og_absence *a);
/* Returns for how many ns, at least, the order had been counted absent when a look-up began at this moment; 0 or less:
 * not known, or not counted.  by_dates: for the time counted in this run too, measure by the broker's Date instead of
 * og_time_up(). */
int64_t og_absence_for(const struct og_absence *a, const struct og_absence_moment *at, bool by_dates);
/* Record that a look-up which began at this moment was answered 404. */
void og_absence_look(struct og_absence *a, const struct og_absence_moment *began, bool by_dates);
void og_absence_list(struct og_absence *a);
/* Record that a good reading, which began at began_up, has ended; `before`: the good one before it. Returns enum
 * og_absence_action: COUNT, PROVED or 0. */
unsigned og_absence_read(struct og_absence *a, uint64_t began_up, const struct og_absence_moment *before);
/* Returns true if a list lacks the order, or the look-up of OG_ABSENCE_LATE was answered 404. */
bool og_absence_is_unlisted(const struct og_absence *a);
