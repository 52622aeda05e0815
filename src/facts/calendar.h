/*
 * Internals of the exchange calendar, in addition to the public functions in ordergate/calendar.h.
 */
#pragma once

#include "ordergate/calendar.h"
#include "ordergate/time.h"

#define OG_CALENDAR_LAST 20351231
#define OG_CALENDAR_ENDS "2035-12-31" /* the calendar's last date as text */

#define OG_DAY_AT(h, m)     (((h)*INT64_C(3600) + (m)*INT64_C(60)) * OG_NS_PER_S)
#define OG_DAY_OPENS        OG_DAY_AT(9, 30)
#define OG_DAY_CLOSES       OG_DAY_AT(16, 0)
#define OG_DAY_CLOSES_EARLY OG_DAY_AT(13, 0)

static inline bool og_day_is_session(struct og_day d)
{
    return d.kind == OG_DAY_EARLY || d.kind == OG_DAY_FULL;
}

/* Returns the last session before a date; 0 if that session is not in the calendar. */
int og_calendar_session_before(int date);
/* Returns og_calendar_day() of a date that exists, and sets *weekday (0 Sunday .. 6 Saturday). */
struct og_day og_calendar_look(int date, int *weekday);

/* A small cache of days that were looked up; a new day replaces another one.  Initialise with zeros. */
struct og_days_seen {
    struct {
        int date, weekday;
        struct og_day day;
    } of[16];
};
/* Returns og_calendar_look() through the cache: orders ask for the same few expiries again and again. */
static inline struct og_day og_calendar_look_again(struct og_days_seen *seen, int date, int *weekday)
{
    const unsigned at = (unsigned)date % (sizeof seen->of / sizeof seen->of[0]);

    if (seen->of[at].date != date) {
        seen->of[at].day = og_calendar_look(date, &seen->of[at].weekday);
        seen->of[at].date = date;
    }
    *weekday = seen->of[at].weekday;
    return seen->of[at].day;
}
