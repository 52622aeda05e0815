/*
 * The days of the New York exchanges, 1990 to 2035: sessions, early closes, closures.
 * It refuses to guess: beyond its last date a weekday is unknown.  Late openings and halts within a day are not in it.
 * NULL where it is not allowed: OG_EINVAL; a function without a status answers as if there were nothing.
 */
#ifndef ORDERGATE_CALENDAR_H
#define ORDERGATE_CALENDAR_H

#include "ordergate/status.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum og_day_kind {
    OG_DAY_UNKNOWN = 0, /* a weekday the calendar does not reach, or no date at all */
    OG_DAY_CLOSED = 1,
    OG_DAY_EARLY = 2, /* a session that ends before 16:00 */
    OG_DAY_FULL = 3
};

struct og_day {
    enum og_day_kind kind;
    int64_t closes; /* ns since midnight in New York; 0 when there is no session */
};

/* Dates are yyyymmdd. */
OG_API struct og_day og_calendar_day(int date);
OG_API int og_calendar_first(void);
OG_API int og_calendar_last(void);

#ifdef __cplusplus
}
#endif
#endif
