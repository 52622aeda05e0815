/*
 * Time inside the house: US Eastern wall time by the rule of 2007, calendar arithmetic, durations.
 * It refuses to read TZ or a zone database: a host set to Tokyo decides the same.
 */
#ifndef OG_BASE_TIME_H
#define OG_BASE_TIME_H

#include "ordergate/time.h"

/* The last instant that og_time_read() reads; the first is 0. */
#define OG_TIME_LAST (INT64_C(7258118400) * OG_NS_PER_S - 1)
/* The nearest of those: the difference of any two of them is an int64_t, as is any of them and some years more. */
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
    int date;             /* yyyymmdd, for comparing */
};

/* Second Sunday of March 02:00 to first Sunday of November 02:00 (2007 on; the earlier rules of
 * 1987 and 1967 before that). */
void og_eastern_from(int64_t ns, struct og_eastern *out);

/* The first instant at which New York's wall clock shows that time of that date; for a time in the hour it skips,
 * the moment of the skip. */
int64_t og_eastern_instant(int year, int month, int day, int64_t ns_of_day);

/* Days since 1970-01-01 of a civil date and back, within 300,000 years; proleptic Gregorian. */
int64_t og_days_from_civil(int year, int month, int day);
void og_civil_from_days(int64_t days, int *year, int *month, int *day);
bool og_date_exists(int year, int month, int day);

/* "HH:MM:SS" with ".mmm" when the milliseconds are not zero ("09:29:59.999"), of a time of day. */
struct og_time_text og_clock_text(int64_t ns_of_day);

#define OG_TIME_ROOM sizeof(((struct og_time_text *)0)->s)
/* og_time_text() without its NUL, in OG_TIME_ROOM bytes; its length. */
size_t og_time_put(char *to, int64_t ns);

/* Nanoseconds since the machine started, those it slept through included; the same for every process, and no setting of
 * the clock moves it.  What ages while nobody runs, a fact or an offer, is measured by it. */
uint64_t og_time_up(void);

struct og_time_text og_duration_text(int64_t ns); /* largest unit that is exact: "90s", "5m" */

#endif
