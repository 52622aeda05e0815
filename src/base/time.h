/*
 * US Eastern wall time, calendar arithmetic and durations.
 * Neither TZ nor a time zone database is read, so that a decision does not depend on the host's time zone.
 */
#pragma once

#include "ordergate/time.h"

/* The last instant that og_time_read() accepts; the first is 0. */
#define OG_TIME_LAST (INT64_C(7258118400) * OG_NS_PER_S - 1)
/* Returns the nearest instant within 1970 to 2199. Differences of two such instants, and sums of one and some years,
 * cannot overflow. */
static inline int64_t og_time_within(int64_t ns)
{
    return ns < 0 ? 0 : ns > OG_TIME_LAST ? OG_TIME_LAST : ns;
}

/* An instant on the wall clock of New York. */
struct og_eastern {
    int year, month, day; /* 2026, 1..12, 1..31 */
    int weekday;          /* 0 Sunday .. 6 Saturday */
    int64_t ns_of_day;    /* wall time since midnight, 0 .. 86399999999999 */
    int offset_hours;     /* -5 standard, -4 daylight */
    int date;             /* yyyymmdd */
};

/* Convert an instant to New York time.  Daylight saving is from the second Sunday of March to the first Sunday of
 * November, at 02:00, since 2007; before that, the rules of 1987 and 1967 apply. */
void og_eastern_from(int64_t ns, struct og_eastern *out);
/* Returns the time in New York, such as "2026-01-15 09:30:00"; "unknown" for OG_TIME_UNKNOWN. */
struct og_time_text og_eastern_text(int64_t ns);

/* Returns the first instant at which the clocks of New York show that time of that date; for a time in the hour that is
 * skipped in spring, the instant of the change. */
int64_t og_eastern_instant(int year, int month, int day, int64_t ns_of_day);

/* Convert a date of the proleptic Gregorian calendar to days since 1970-01-01 and back, within 300,000 years. */
int64_t og_days_from_civil(int year, int month, int day);
void og_civil_from_days(int64_t days, int *year, int *month, int *day);
bool og_date_exists(int year, int month, int day);

/* Returns a time of day as "HH:MM:SS", or "HH:MM:SS.mmm" if its milliseconds are not zero. */
struct og_time_text og_clock_text(int64_t ns_of_day);

#define OG_TIME_ROOM sizeof(((struct og_time_text *)0)->s)
/* Write og_time_text() without NUL to `to`, which has OG_TIME_ROOM bytes.  Returns the length. */
size_t og_time_put(char *to, int64_t ns);

/* Returns nanoseconds since the machine started, including time asleep. All processes have this same clock, and setting
 * the wall clock does not change it. It measures the age of facts and offers. */
uint64_t og_time_up(void);

struct og_time_text og_duration_text(int64_t ns); /* writes a duration in the largest unit that is exact: "90s", "5m" */
/* Returns a duration for people, rounded up so that an age never reads as younger than it is.  Units: tenths of a
 * second up to ten seconds, seconds up to two minutes, minutes up to ten hours, then hours: "2.6s", "61m". */
struct og_time_text og_age_text(int64_t ns);
