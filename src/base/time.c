/*
 * Instants, civil dates and New York time, by arithmetic.
 * The early beginnings of daylight saving in 1974 and 1975 are not modelled.
 */
#include "base/time.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/attributes.h"
#include "base/digits.h"

#define NS_PER_DAY  (86400 * OG_NS_PER_S)
#define NS_PER_HOUR (3600 * OG_NS_PER_S)
#define NS_PER_MIN  (60 * OG_NS_PER_S)
#define LAST_SUNDAY 5

/* When clocks change: the nth Sunday of a month at 02:00 wall time. */
struct change {
    int month, nth;
};

struct rule_since {
    int since;
    struct change on, off;
};

static const struct rule_since rules[] = {
    { 2007, { 3, 2 }, { 11, 1 } },
    { 1987, { 4, 1 }, { 10, LAST_SUNDAY } },
    { 0, { 4, LAST_SUNDAY }, { 10, LAST_SUNDAY } },
};

static bool is_leap(int year)
{
    return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

static int days_in(int year, int month)
{
    static const int days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };

    return days[month - 1] + (month == 2 && is_leap(year));
}

static int64_t floor_div(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

/* Returns the remainder for floor_div(): 0 .. b - 1. */
static int64_t floor_rest(int64_t a, int64_t b)
{
    int64_t rest = a % b;

    return rest < 0 ? rest + b : rest;
}

/* Years are counted from 1 March, so that the leap day is the last day of a year, in eras of 400 years. */
int64_t og_days_from_civil(int year, int month, int day)
{
    int64_t y = (int64_t)year - (month <= 2);
    int64_t era = floor_div(y, 400), of_era = y - era * 400;
    int64_t of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;

    return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

/* The inverse of og_days_from_civil(), within 300,000 years; years are counted from 1 March of a year that long ago.
 * Counting in quarters of a day makes each division exact: 146097 days are four centuries, and 1461 days four years. */
OG_HOT void og_civil_from_days(int64_t days, int *year, int *month, int *day)
{
    uint32_t ago = 750;
    uint32_t quarters = (uint32_t)(days + 719468 + ago * INT64_C(146097)) * 4 + 3;
    uint32_t of_century = quarters % 146097 / 4 * 4 + 3;
    uint32_t of_year = of_century % 1461 / 4 * 5 + 2;
    uint32_t m = of_year / 153;

    *day = (int)(of_year % 153 / 5 + 1);
    *month = (int)(m < 10 ? m + 3 : m - 9);
    *year = (int)(quarters / 146097 * 100 + of_century / 1461 + (m >= 10)) - (int)(ago * 400);
}

OG_HOT bool og_date_exists(int year, int month, int day)
{
    return month >= 1 && month <= 12 && day >= 1 && day <= days_in(year, month);
}

static int weekday_of(int64_t days)
{
    return (int)floor_rest(days + 4, 7);
}

/* Returns the day of the month of a clock change, given a day of that month and its weekday. */
static int day_of_change(struct change c, int year, int day, int weekday)
{
    int first = (day - 1 - weekday + 35) % 7 + 1;

    return c.nth == LAST_SUNDAY ? first + (days_in(year, c.month) - first) / 7 * 7 : first + (c.nth - 1) * 7;
}

/* Returns true if daylight saving is in force at t, given in standard time, in which daylight saving ends at 01:00. */
static bool is_daylight(const struct og_eastern *t)
{
    const struct rule_since *s = rules;
    int day;

    while (t->year < s->since)
        s++;
    if (t->month == s->on.month) {
        day = day_of_change(s->on, t->year, t->day, t->weekday);
        return t->day > day || (t->day == day && t->ns_of_day >= 2 * NS_PER_HOUR);
    }
    if (t->month == s->off.month) {
        day = day_of_change(s->off, t->year, t->day, t->weekday);
        return t->day < day || (t->day == day && t->ns_of_day < 1 * NS_PER_HOUR);
    }
    return t->month > s->on.month && t->month < s->off.month;
}

static void set_date(struct og_eastern *t, int64_t days)
{
    og_civil_from_days(days, &t->year, &t->month, &t->day);
    t->weekday = weekday_of(days);
    t->date = t->year * 10000 + t->month * 100 + t->day;
}

void og_eastern_from(int64_t ns, struct og_eastern *out)
{
    int64_t days = floor_div(ns, NS_PER_DAY);

    out->ns_of_day = floor_rest(ns, NS_PER_DAY) - 5 * NS_PER_HOUR;
    if (out->ns_of_day < 0) {
        out->ns_of_day += NS_PER_DAY;
        days--;
    }
    out->offset_hours = -5;
    set_date(out, days);
    if (!is_daylight(out))
        return;
    out->offset_hours = -4;
    out->ns_of_day += NS_PER_HOUR;
    if (out->ns_of_day >= NS_PER_DAY) {
        out->ns_of_day -= NS_PER_DAY;
        set_date(out, days + 1);
    }
}

int64_t og_eastern_instant(int year, int month, int day, int64_t ns_of_day)
{
    int64_t midnight = og_days_from_civil(year, month, day) * NS_PER_DAY;
    int64_t saving = midnight + ns_of_day + 4 * NS_PER_HOUR, standard = saving + NS_PER_HOUR;
    struct og_eastern t;

    og_eastern_from(saving, &t);
    if (t.offset_hours == -4)
        return saving;
    og_eastern_from(standard, &t);
    if (t.offset_hours == -5)
        return standard;
    return midnight + 7 * NS_PER_HOUR; /* the time is in the skipped hour: return the instant of the change */
}

/* Write n in exactly `width` digits.  Returns the end. */
static char *put_digits(char *to, int64_t n, int width)
{
    for (int i = width - 1; i >= 0; i--) {
        to[i] = (char)('0' + n % 10);
        n /= 10;
    }
    return to + width;
}

static char *put_clock(char *to, int64_t of_day)
{
    uint32_t seconds = (uint32_t)of_day, minutes = seconds / 60, hours = minutes / 60;

    to = og_digits_two(to, hours);
    *to++ = ':';
    to = og_digits_two(to, minutes - hours * 60);
    *to++ = ':';
    return og_digits_two(to, seconds - minutes * 60);
}

/* Write a fraction of a second as 3, 6 or 9 digits after a point, as needed; nothing for 0. */
static char *put_fraction(char *to, int64_t ns)
{
    int width = 9;

    if (ns == 0)
        return to;
    for (; ns % 1000 == 0; width -= 3)
        ns /= 1000;
    *to++ = '.';
    return put_digits(to, ns, width);
}

struct og_time_text og_clock_text(int64_t ns_of_day)
{
    struct og_time_text text;
    char *to = put_clock(text.s, ns_of_day / OG_NS_PER_S);

    *put_fraction(to, ns_of_day % OG_NS_PER_S / OG_NS_PER_MS * OG_NS_PER_MS) = '\0';
    return text;
}

/* Without printf(), since this is called for every decision. */
OG_HOT size_t og_time_put(char *to, int64_t ns)
{
    int64_t days = floor_div(ns, NS_PER_DAY), rest = floor_rest(ns, NS_PER_DAY);
    char *at = to;
    int year, month, day;

    if (ns == OG_TIME_UNKNOWN) {
        memcpy(to, "unknown", 7);
        return 7;
    }
    og_civil_from_days(days, &year, &month, &day);
    at = og_digits_two(og_digits_two(at, (uint32_t)year / 100), (uint32_t)year % 100);
    *at++ = '-';
    at = og_digits_two(at, (uint32_t)month);
    *at++ = '-';
    at = og_digits_two(at, (uint32_t)day);
    *at++ = 'T';
    at = put_fraction(put_clock(at, rest / OG_NS_PER_S), rest % OG_NS_PER_S);
    *at++ = 'Z';
    return (size_t)(at - to);
}

struct og_time_text og_time_text(int64_t ns)
{
    struct og_time_text text;

    text.s[og_time_put(text.s, ns)] = '\0';
    return text;
}

static inline bool is_digit(char c)
{
    return (unsigned char)(c - '0') < 10;
}

/* Parse `width` digits at *p and a separator (0 if there is none), and move *p past both. */
static bool take_digits(const char **p, const char *end, int width, char separator, int *n)
{
    const char *at = *p;

    if (end - at < width + (separator != 0))
        return false;
    *n = 0;
    for (; width > 0; width--, at++) {
        if (!is_digit(*at))
            return false;
        *n = *n * 10 + (*at - '0');
    }
    if (separator && *at != separator && !(separator == 'T' && *at == 't'))
        return false;
    at += separator != 0;
    *p = at;
    return true;
}

/* Parse ".123456789..." at *p, if it is there. */
static bool take_fraction(const char **p, const char *end, int64_t *ns)
{
    int64_t unit = OG_NS_PER_S;
    const char *at = *p;

    *ns = 0;
    if (at == end || *at != '.')
        return true;
    for (at++; at < end && is_digit(*at); at++) {
        unit /= 10; /* 0 after nine digits: further digits are ignored */
        *ns += unit * (*at - '0');
    }
    if (at == *p + 1)
        return false;
    *p = at;
    return true;
}

/* Parse "Z" or "+hh:mm", which must be the end of the text. */
static bool take_offset(const char *p, const char *end, int64_t *ns)
{
    int sign, hour, minute;

    *ns = 0;
    if (end - p == 1)
        return *p == 'Z' || *p == 'z';
    if (p == end || (*p != '+' && *p != '-'))
        return false;
    sign = *p++ == '-' ? -1 : 1;
    if (!take_digits(&p, end, 2, ':', &hour) || !take_digits(&p, end, 2, 0, &minute) || hour > 23 || minute > 59)
        return false;
    *ns = sign * (hour * NS_PER_HOUR + minute * NS_PER_MIN);
    return p == end;
}

bool og_time_read(const char *text, size_t len, int64_t *ns)
{
    const char *p = text ? text : "", *end = p + (text ? len : 0); /* text may be NULL if len is 0 */
    int year, month, day, hour, minute, second;
    int64_t fraction, offset;

    if (!ns)
        return false;
    *ns = OG_TIME_UNKNOWN;
    if (!take_digits(&p, end, 4, '-', &year) || !take_digits(&p, end, 2, '-', &month) ||
        !take_digits(&p, end, 2, 'T', &day) || !take_digits(&p, end, 2, ':', &hour) ||
        !take_digits(&p, end, 2, ':', &minute) || !take_digits(&p, end, 2, 0, &second) ||
        !take_fraction(&p, end, &fraction) || !take_offset(p, end, &offset))
        return false;
    if (year < 1970 || year > 2199 || !og_date_exists(year, month, day) || hour > 23 || minute > 59 || second > 59)
        return false;
    *ns = og_days_from_civil(year, month, day) * NS_PER_DAY + hour * NS_PER_HOUR + minute * NS_PER_MIN +
          second * OG_NS_PER_S + fraction - offset;
    return true;
}

static bool read_date(const char *text, size_t len, int *year, int *month, int *day)
{
    const char *p = text, *end = p + len;

    return take_digits(&p, end, 4, '-', year) && take_digits(&p, end, 2, '-', month) &&
           take_digits(&p, end, 2, 0, day) && p == end && *year >= 1970 && *year <= 2199 &&
           og_date_exists(*year, *month, *day);
}

bool og_time_read_day(const char *text, size_t len, int64_t now, int64_t *begins, int64_t *ends)
{
    const bool today = text && len == 5 && memcmp(text, "today", len) == 0;
    const bool yesterday = text && len == 9 && memcmp(text, "yesterday", len) == 0;
    int year = 0, month = 0, day = 0;
    struct og_eastern t;

    if (!begins || !ends)
        return false;
    *begins = *ends = OG_TIME_UNKNOWN;
    if (today || yesterday) {
        og_eastern_from(og_time_within(now), &t);
        og_civil_from_days(og_days_from_civil(t.year, t.month, t.day) - yesterday, &year, &month, &day);
    } else if (!text || !read_date(text, len, &year, &month, &day)) {
        return false;
    }
    *begins = og_eastern_instant(year, month, day, 0);
    og_civil_from_days(og_days_from_civil(year, month, day) + 1, &year, &month, &day);
    *ends = og_eastern_instant(year, month, day, 0);
    return true;
}

int64_t og_time_now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_REALTIME, &t);
    return (int64_t)t.tv_sec * OG_NS_PER_S + t.tv_nsec;
}

uint64_t og_time_up(void)
{
    struct timespec t = { 0, 0 };

    clock_gettime(CLOCK_BOOTTIME, &t);
    return (uint64_t)t.tv_sec * (uint64_t)OG_NS_PER_S + (uint64_t)t.tv_nsec;
}

static const struct {
    const char *name;
    int64_t ns;
} units[] = { { "h", NS_PER_HOUR }, { "m", NS_PER_MIN }, { "s", OG_NS_PER_S }, { "ms", OG_NS_PER_MS } };

bool og_duration_read(const char *text, size_t len, int64_t *ns)
{
    size_t digits = 0;
    int64_t n = 0;

    if (!text || !ns)
        return false;
    *ns = 0;
    for (; digits < len && is_digit(text[digits]); digits++)
        if (__builtin_mul_overflow(n, 10, &n) || __builtin_add_overflow(n, text[digits] - '0', &n))
            return false;
    if (digits == 0)
        return false;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        size_t unit = strlen(units[i].name);

        if (len - digits == unit && memcmp(text + digits, units[i].name, unit) == 0)
            return !__builtin_mul_overflow(n, units[i].ns, ns) || (*ns = 0, false);
    }
    return false;
}

struct og_time_text og_duration_text(int64_t ns)
{
    struct og_time_text text = { "0s" };
    int64_t ms = ns / OG_NS_PER_MS, n; /* parts of a millisecond are cut off */
    char *to = text.s;
    size_t i = 0;
    int width = 1;

    if (ms == 0)
        return text;
    while (ms * OG_NS_PER_MS % units[i].ns != 0)
        i++;
    n = ms * OG_NS_PER_MS / units[i].ns;
    if (n < 0) {
        *to++ = '-';
        n = -n;
    }
    for (int64_t rest = n; rest >= 10; rest /= 10)
        width++;
    to = put_digits(to, n, width);
    memcpy(to, units[i].name, strlen(units[i].name) + 1);
    return text;
}

struct og_time_text og_age_text(int64_t ns)
{
    const int64_t second = OG_NS_PER_S, unit = ns < second           ? OG_NS_PER_MS
                                               : ns < 10 * second    ? second / 10
                                               : ns < 120 * second   ? second
                                               : ns < 36000 * second ? 60 * second
                                                                     : 3600 * second;
    const int64_t up = ns > 0 && ns < INT64_MAX - unit ? (ns / unit + (ns % unit != 0)) * unit : ns;
    struct og_time_text text;

    if (unit != second / 10 || up % second == 0)
        return og_duration_text(up);
    text.s[0] = (char)('0' + up / second);
    text.s[1] = '.';
    text.s[2] = (char)('0' + up % second / unit);
    text.s[3] = 's';
    text.s[4] = '\0';
    return text;
}

struct og_time_text og_eastern_text(int64_t ns)
{
    struct og_time_text text = { "unknown" };
    struct og_eastern t;

    if (ns == OG_TIME_UNKNOWN)
        return text;
    og_eastern_from(og_time_within(ns), &t);
    snprintf(text.s, sizeof text.s, "%04d-%02d-%02d %.8s", t.year % 10000, t.month % 100, t.day % 100,
             og_clock_text(t.ns_of_day).s);
    return text;
}
