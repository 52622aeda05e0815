/*
 * The exchange calendar as rules and exceptions: holidays by the exchanges' own rules with the years they hold, and the
 * days that no rule gives.  It refuses TZ, and an answer about a weekday outside 1990-01-01 to 2035-12-31.
 */
#include "facts/calendar.h"

#include "base/time.h"

#include "base/banned.h"

enum { FIRST = 19900101, SUNDAY = 0, MONDAY, TUESDAY, WEDNESDAY, THURSDAY, FRIDAY, SATURDAY };
enum { JANUARY = 1, FEBRUARY, MARCH, APRIL, MAY, JUNE, JULY, AUGUST, SEPTEMBER, OCTOBER, NOVEMBER, DECEMBER };

/* A weekday of a month, by the days of the month it can fall on. */
static const struct {
    int since, month, weekday, from, to;
} floating[] = {
    { 1998, JANUARY, MONDAY, 15, 21 },     /* Martin Luther King */
    { 1990, FEBRUARY, MONDAY, 15, 21 },    /* Washington */
    { 1990, MAY, MONDAY, 25, 31 },         /* Memorial Day */
    { 1990, SEPTEMBER, MONDAY, 1, 7 },     /* Labor Day */
    { 1990, NOVEMBER, THURSDAY, 22, 28 },  /* Thanksgiving */
};

/* A date: on a Sunday it is kept on the Monday, on a Saturday on the Friday; New Year on a Saturday not at all. */
static const struct {
    int since, month, day;
} fixed[] = {
    { 1990, JANUARY, 1 },
    { 2022, JUNE, 19 }, /* Juneteenth */
    { 1990, JULY, 4 },
    { 1990, DECEMBER, 25 },
};

static const int mourning_and_disaster[] = {
    19940427, 20010911, 20010912, 20010913, 20010914, 20040611, 20070102, 20121029, 20121030, 20181205, 20250109,
};

/* Early closes that no rule gives. */
static const int early[] = { 19960705, 19971226, 19991231, 20020705, 20031226 };

struct date {
    int year, month, day, weekday;
    int64_t days;
};

static bool split(int date, struct date *d)
{
    d->year = date / 10000;
    d->month = date / 100 % 100;
    d->day = date % 100;
    if (date < 0 || !og_date_exists(d->year, d->month, d->day))
        return false;
    d->days = og_days_from_civil(d->year, d->month, d->day);
    d->weekday = (int)((d->days % 7 + 11) % 7);
    return true;
}

/* Easter Sunday as a day of March (32 is 1 April): Gauss's rule, whose exceptions lie outside our years. */
static int easter(int year)
{
    int moon = (19 * (year % 19) + 24) % 30;

    return 22 + moon + (2 * (year % 4) + 4 * (year % 7) + 6 * moon + 5) % 7;
}

static bool is_good_friday(const struct date *d)
{
    int of_march = d->month == MARCH ? d->day : d->month == APRIL ? d->day + 31 : 0;

    return d->weekday == FRIDAY && of_march == easter(d->year) - 2;
}

static bool keeps(const struct date *d, int month, int day)
{
    if (month == JANUARY && day == 1) /* the Friday before is of another year, and its last session */
        return d->month == month && (d->day == 1 || (d->day == 2 && d->weekday == MONDAY));
    return d->month == month && (d->day == day || (d->day == day + 1 && d->weekday == MONDAY) ||
                                 (d->day == day - 1 && d->weekday == FRIDAY));
}

static bool is_listed(const int *list, size_t count, int date)
{
    for (size_t i = 0; i < count; i++)
        if (list[i] == date)
            return true;
    return false;
}
#define IS_LISTED(list, date) is_listed(list, sizeof(list) / sizeof(list)[0], date)

static bool is_holiday(const struct date *d)
{
    for (size_t i = 0; i < sizeof floating / sizeof floating[0]; i++)
        if (d->year >= floating[i].since && d->month == floating[i].month && d->weekday == floating[i].weekday &&
            d->day >= floating[i].from && d->day <= floating[i].to)
            return true;
    for (size_t i = 0; i < sizeof fixed / sizeof fixed[0]; i++)
        if (d->year >= fixed[i].since && keeps(d, fixed[i].month, fixed[i].day))
            return true;
    return is_good_friday(d);
}

/* The day after Thanksgiving, Christmas Eve and the day before Independence Day, each since it is one.  When the eve is a
 * Friday it is the holiday itself. */
static bool is_early(const struct date *d)
{
    if (d->month == NOVEMBER)
        return d->year >= 1992 && d->weekday == FRIDAY && d->day >= 23 && d->day <= 29;
    if (d->month == DECEMBER)
        return d->day == 24;
    return d->month == JULY && d->day == 3 && d->year >= (d->weekday == WEDNESDAY ? 2013 : 1995);
}

struct og_day og_calendar_day(int date)
{
    static const struct og_day closed = { OG_DAY_CLOSED, 0 }, full = { OG_DAY_FULL, OG_DAY_CLOSES };
    struct date d;

    if (!split(date, &d))
        return (struct og_day){ OG_DAY_UNKNOWN, 0 };
    if (d.weekday == SUNDAY || d.weekday == SATURDAY)
        return closed;
    if (date < FIRST || date > OG_CALENDAR_LAST)
        return (struct og_day){ OG_DAY_UNKNOWN, 0 };
    if (is_holiday(&d) || IS_LISTED(mourning_and_disaster, date))
        return closed;
    if (is_early(&d) || IS_LISTED(early, date))
        return (struct og_day){ OG_DAY_EARLY, d.year < 1993 ? OG_DAY_AT(14, 0) : OG_DAY_CLOSES_EARLY };
    return full;
}

int og_calendar_first(void)
{
    return FIRST;
}

int og_calendar_last(void)
{
    return OG_CALENDAR_LAST;
}

int og_calendar_weekday(int date)
{
    struct date d;

    return split(date, &d) ? d.weekday : SUNDAY;
}

int og_calendar_session_before(int date)
{
    struct og_day day;
    struct date d;
    int at;

    if (!split(date, &d))
        return 0;
    do {
        og_civil_from_days(--d.days, &d.year, &d.month, &d.day);
        at = d.year * 10000 + d.month * 100 + d.day;
        day = og_calendar_day(at);
    } while (day.kind == OG_DAY_CLOSED);
    return og_day_is_session(day) ? at : 0;
}
