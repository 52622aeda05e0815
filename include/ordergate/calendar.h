/*
 * The days of the New York exchanges, 1990 to 2035: sessions, early closes, closures.
 * A weekday outside these years is unknown.  Late openings and halts within a day are not modelled.
 * Passing NULL where it is not allowed returns OG_EINVAL; a function that returns no status then does nothing and
 * returns an empty value (0, false, NULL or "").
 */
#ifndef ORDERGATE_CALENDAR_H
#define ORDERGATE_CALENDAR_H

#include <stdint.h>

#include "ordergate/status.h"

#ifdef __cplusplus
extern "C" {
#endif

enum og_day_kind {
    OG_DAY_UNKNOWN = 0, /* a weekday outside the calendar's years, or not a date */
    OG_DAY_CLOSED = 1,
    OG_DAY_EARLY = 2, /* a session that ends before 16:00 */
    OG_DAY_FULL = 3
};

struct og_day {
    enum og_day_kind kind;
    int64_t closes; /* ns since midnight in New York; 0 if there is no session */
};

/* Return the kind of a day, and the calendar's first and last date. Dates are yyyymmdd. */
OG_API struct og_day og_calendar_day(int date);
OG_API int og_calendar_first(void);
OG_API int og_calendar_last(void);

#ifdef __cplusplus
}
#endif
#endif
