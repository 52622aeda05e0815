/*
 * The exchange calendar as rules and exceptions: holidays by the exchanges' own rules with the years in which they
 * apply, and a list of days without a rule.  It does not depend on TZ, and knows weekdays from 1990-01-01 to
 * 2035-12-31 only.
 */
#include "facts/calendar.h"

#include "base/attributes.h"
#include "base/time.h"

enum { FIRST = 19900101, SUNDAY = 0, MONDAY, TUESDAY, WEDNESDAY, THURSDAY, FRIDAY, SATURDAY };
enum { JANUARY = 1, FEBRUARY, MARCH, APRIL, MAY, JUNE, JULY, AUGUST, SEPTEMBER, OCTOBER, NOVEMBER, DECEMBER };

/* Days on which the exchanges were closed without a rule for that. Both lists are ascending. */
static const int mourning_and_disaster[] = {
    19940427, 20010911, 20010912, 20010913, 20010914, 20040611, 20070102, 20121029, 20121030, 20181205, 20250109,
};

/* Early closes that no rule gives. */
static const int early[] = { 19960705, 19971226, 19991231, 20020705, 20031226 };

struct date {
    int year, month, day, weekday;
};

/* Returns the weekday of a date. The calendar repeats every 400 years; adding 400 keeps all terms positive. */
static int weekday_of(int year, int month, int day)
{
    static const unsigned char ahead[] = {
        0, 3, 2, 5, 0, 3, 5, 1, 4, 6, 2, 4
    }; /* days from the beginning of March to the first day of each month */
    unsigned y = (unsigned)(year + 400 - (month < MARCH)), centuries = y / 100;

    return (int)((y + y / 4 - centuries + centuries / 4 + ahead[month - 1] + (unsigned)day) % 7);
}

static bool split(int date, struct date *d)
{
    d->year = date / 10000;
    d->month = date / 100 % 100;
    d->day = date % 100;
    if (date < 0 || !og_date_exists(d->year, d->month, d->day))
        return false;
    d->weekday = weekday_of(d->year, d->month, d->day);
    return true;
}

/* Returns Easter Sunday as a day of March (32 is 1 April) by Gauss's rule; the rule has exceptions, but none in the
 * years of this calendar. */
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

/* Returns true if the date is the given weekday, and its day of the month lies between `from` and `to`. */
static bool falls(const struct date *d, int weekday, int from, int to)
{
    return d->weekday == weekday && d->day >= from && d->day <= to;
}

/* Returns true if a holiday on that day of the month is observed on the date: a holiday on a Sunday is observed on
 * Monday, one on a Saturday on Friday. */
static bool keeps(const struct date *d, int day)
{
    return d->day == day || (d->day == day + 1 && d->weekday == MONDAY) || (d->day == day - 1 && d->weekday == FRIDAY);
}

/* Returns true if New Year is observed on the date.  If it falls on a Saturday it is not observed: the Friday before is
 * the last session of the old year. */
static bool keeps_new_year(const struct date *d)
{
    return d->day == 1 || (d->day == 2 && d->weekday == MONDAY);
}

static bool is_listed(const int *list, size_t count, int date)
{
    if (date > list[count - 1])
        return false;
    for (size_t i = 0; i < count; i++)
        if (list[i] == date)
            return true;
    return false;
}
#define IS_LISTED(list, date) is_listed(list, sizeof(list) / sizeof(list)[0], date)

static bool is_holiday(const struct date *d)
{
    switch (d->month) {
    case JANUARY: return keeps_new_year(d) || (d->year >= 1998 && falls(d, MONDAY, 15, 21)); /* Martin Luther King */
    case FEBRUARY: return falls(d, MONDAY, 15, 21);                                          /* Washington */
    case MARCH:
    case APRIL: return is_good_friday(d);
    case MAY: return falls(d, MONDAY, 25, 31);         /* Memorial Day */
    case JUNE: return d->year >= 2022 && keeps(d, 19); /* Juneteenth */
    case JULY: return keeps(d, 4);                     /* Independence Day */
    case SEPTEMBER: return falls(d, MONDAY, 1, 7);     /* Labor Day */
    case NOVEMBER: return falls(d, THURSDAY, 22, 28);  /* Thanksgiving */
    case DECEMBER: return keeps(d, 25);                /* Christmas */
    default: return false;
    }
}

/* Returns true for the day after Thanksgiving, Christmas Eve and the day before Independence Day, each since the year
 * in which it became an early close.  If Christmas Eve or the day before Independence Day is a Friday, the holiday
 * itself is observed on it. */
static bool is_early(const struct date *d)
{
    if (d->month == NOVEMBER)
        return d->year >= 1992 && d->weekday == FRIDAY && d->day >= 23 && d->day <= 29;
    if (d->month == DECEMBER)
        return d->day == 24;
    return d->month == JULY && d->day == 3 && d->year >= (d->weekday == WEDNESDAY ? 2013 : 1995);
}

OG_HOT struct og_day og_calendar_look(int date, int *weekday)
{
    static const struct og_day closed = { OG_DAY_CLOSED, 0 }, full = { OG_DAY_FULL, OG_DAY_CLOSES };
    struct date d;

    *weekday = SUNDAY;
    if (!split(date, &d))
        return (struct og_day){ OG_DAY_UNKNOWN, 0 };
    *weekday = d.weekday;
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

struct og_day og_calendar_day(int date)
{
    int weekday;

    return og_calendar_look(date, &weekday);
}

int og_calendar_first(void)
{
    return FIRST;
}

int og_calendar_last(void)
{
    return OG_CALENDAR_LAST;
}

int og_calendar_session_before(int date)
{
    struct og_day day;
    struct date d;
    int64_t days;
    int at;

    if (!split(date, &d))
        return 0;
    days = og_days_from_civil(d.year, d.month, d.day);
    do {
        og_civil_from_days(--days, &d.year, &d.month, &d.day);
        at = d.year * 10000 + d.month * 100 + d.day;
        day = og_calendar_day(at);
    } while (day.kind == OG_DAY_CLOSED);
    return og_day_is_session(day) ? at : 0;
}
