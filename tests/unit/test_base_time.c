/*
 * Instants, New York's time and durations.  The whole program runs under several values of TZ.
 */
#include <time.h>

#include "base/time.h"
#include "unit.h"

static int64_t instant(const char *text)
{
    int64_t ns;

    if (!og_time_read(text, strlen(text), &ns))
        fail_msg("'%s' was not read", text);
    return ns;
}

static void reads_rfc3339(void **state)
{
    static const struct {
        const char *text;
        int64_t ns;
    } good[] = {
        { "1970-01-01T00:00:00Z", 0 },
        { "1970-01-01T00:00:00.000000001Z", 1 },
        { "1970-01-01T00:00:00.0000000019Z", 1 },
        { "1970-01-01T00:00:00.1234567891234567Z", 123456789 },
        { "1970-01-01T00:00:00.5+00:00", 500000000 },
        { "1970-01-01T00:00:00+01:00", -3600000000000 },
        { "1970-01-01T00:00:00-00:30", 1800000000000 },
        { "2026-01-15T14:31:00Z", 1768487460000000000 },
        { "2026-01-15t14:31:00z", 1768487460000000000 },
        { "2026-01-15T09:31:00-05:00", 1768487460000000000 },
        { "2024-02-29T23:59:59.999Z", 1709251199999000000 },
        { "2199-12-31T23:59:59.999999999Z", 7258118399999999999 },
    };
    static const char *const bad[] = {
        "",
        "2026-01-15",
        "2026-01-15T14:31:00",
        "2026-01-15T14:31Z",
        "2026-01-15 14:31:00Z",
        "2026-1-15T14:31:00Z",
        "2026-01-15T14:31:00.Z",
        "2026-01-15T14:31:00,5Z",
        "2026-01-15T24:00:00Z",
        "2026-01-15T14:60:00Z",
        "2026-01-15T14:31:60Z",
        "2026-13-01T00:00:00Z",
        "2026-00-01T00:00:00Z",
        "2026-02-29T00:00:00Z",
        "2100-02-29T00:00:00Z",
        "2026-04-31T00:00:00Z",
        "2026-01-00T00:00:00Z",
        "1969-12-31T23:59:59Z",
        "2200-01-01T00:00:00Z",
        "2026-01-15T14:31:00+0500",
        "2026-01-15T14:31:00+05",
        "2026-01-15T14:31:00+24:00",
        "2026-01-15T14:31:00+05:60",
        "2026-01-15T14:31:00ZZ",
        "2026-01-15T14:31:00Z ",
        " 2026-01-15T14:31:00Z",
        "+2026-01-15T14:31:00Z",
        "2026-01-15T14:31:00 Z",
        "2026-01-15T14:31:-1Z",
        "2026\r01-15T14:31:00Z",
        "2026-01-15T14\x1A:31:00Z",
        "2026-01-15T14\032\063:00Z",
        "1768487460",
    };
    int64_t ns;

    (void)state;
    for (size_t i = 0; i < COUNT(good); i++)
        assert_int_equal(instant(good[i].text), good[i].ns);
    for (size_t i = 0; i < COUNT(bad); i++) {
        ns = 5;
        if (og_time_read(bad[i], strlen(bad[i]), &ns))
            fail_msg("'%s' was read", bad[i]);
        assert_true(ns == OG_TIME_UNKNOWN);
    }
    for (size_t len = 0; len < 20; len++) /* a truncated time, at the very end of its memory */
    {
        char *cut = malloc(len + 1);

        memcpy(cut, "2026-01-15T14:31:00Z", len);
        assert_false(og_time_read(cut, len, &ns));
        free(cut);
    }
}

static void writes_rfc3339(void **state)
{
    static const struct {
        int64_t ns;
        const char *text;
    } cases[] = {
        { 0, "1970-01-01T00:00:00Z" },
        { 1768511112250000000, "2026-01-15T21:05:12.250Z" },
        { 1768511112000000000, "2026-01-15T21:05:12Z" },
        { 1768511112000001000, "2026-01-15T21:05:12.000001Z" },
        { 1768511112000000001, "2026-01-15T21:05:12.000000001Z" },
        { -1, "1969-12-31T23:59:59.999999999Z" },
        { OG_TIME_UNKNOWN, "unknown" },
        { INT64_MAX, "2262-04-11T23:47:16.854775807Z" },
        { INT64_MIN + 1, "1677-09-21T00:12:43.145224193Z" },
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        assert_string_equal(og_time_text(cases[i].ns).s, cases[i].text);
}

/* Dates of 700 years, compared with counting day by day. */
static void civil_dates(void **state)
{
    int year = 1600, month = 1, day = 1;

    (void)state;
    for (int64_t days = og_days_from_civil(1600, 1, 1); year < 2300; days++) {
        int y, m, d;

        og_civil_from_days(days, &y, &m, &d);
        if (y != year || m != month || d != day || og_days_from_civil(year, month, day) != days)
            fail_msg("day %lld is %d-%d-%d, not %d-%d-%d", (long long)days, y, m, d, year, month, day);
        if (og_date_exists(year, month, ++day))
            continue;
        day = 1;
        if (++month > 12) {
            month = 1;
            year++;
        }
    }
    assert_int_equal(og_days_from_civil(1970, 1, 1), 0);
    assert_int_equal(og_days_from_civil(2000, 3, 1), 11017);
    assert_true(og_date_exists(2000, 2, 29));
    assert_false(og_date_exists(1900, 2, 29));
    assert_false(og_date_exists(2026, 0, 1));
    assert_false(og_date_exists(2026, 13, 1));
    assert_false(og_date_exists(2026, 6, 0));
}

/* New York's time to the millisecond at open and close, in summer and winter, on and around both days of the clock
 * change. */
static void eastern_to_the_millisecond(void **state)
{
    static const struct {
        const char *utc;
        int date, weekday;
        const char *clock;
        int offset;
    } cases[] = {
        { "2026-01-15T14:29:59.999Z", 20260115, 4, "09:29:59.999", -5 },
        { "2026-01-15T14:30:00.000Z", 20260115, 4, "09:30:00", -5 },
        { "2026-01-15T20:59:59.999Z", 20260115, 4, "15:59:59.999", -5 },
        { "2026-01-15T21:00:00.000Z", 20260115, 4, "16:00:00", -5 },
        { "2026-07-15T13:29:59.999Z", 20260715, 3, "09:29:59.999", -4 },
        { "2026-07-15T13:30:00.000Z", 20260715, 3, "09:30:00", -4 },
        { "2026-07-15T19:59:59.999Z", 20260715, 3, "15:59:59.999", -4 },
        { "2026-07-15T20:00:00.000Z", 20260715, 3, "16:00:00", -4 },
        /* clocks go forward on 8 March */
        { "2026-03-06T14:29:59.999Z", 20260306, 5, "09:29:59.999", -5 },
        { "2026-03-06T14:30:00Z", 20260306, 5, "09:30:00", -5 },
        { "2026-03-08T06:59:59.999Z", 20260308, 0, "01:59:59.999", -5 },
        { "2026-03-08T07:00:00Z", 20260308, 0, "03:00:00", -4 },
        { "2026-03-08T13:29:59.999Z", 20260308, 0, "09:29:59.999", -4 },
        { "2026-03-08T13:30:00Z", 20260308, 0, "09:30:00", -4 },
        { "2026-03-08T19:59:59.999Z", 20260308, 0, "15:59:59.999", -4 },
        { "2026-03-08T20:00:00Z", 20260308, 0, "16:00:00", -4 },
        { "2026-03-09T13:30:00Z", 20260309, 1, "09:30:00", -4 },
        /* clocks go back on 1 November */
        { "2026-10-30T13:30:00Z", 20261030, 5, "09:30:00", -4 },
        { "2026-11-01T05:00:00Z", 20261101, 0, "01:00:00", -4 },
        { "2026-11-01T05:59:59.999Z", 20261101, 0, "01:59:59.999", -4 },
        { "2026-11-01T06:00:00Z", 20261101, 0, "01:00:00", -5 },
        { "2026-11-01T14:29:59.999Z", 20261101, 0, "09:29:59.999", -5 },
        { "2026-11-01T14:30:00Z", 20261101, 0, "09:30:00", -5 },
        { "2026-11-01T20:59:59.999Z", 20261101, 0, "15:59:59.999", -5 },
        { "2026-11-01T21:00:00Z", 20261101, 0, "16:00:00", -5 },
        /* around midnight and New Year */
        { "2026-07-16T03:59:59.999Z", 20260715, 3, "23:59:59.999", -4 },
        { "2026-07-16T04:00:00Z", 20260716, 4, "00:00:00", -4 },
        { "2026-08-01T03:59:59.999Z", 20260731, 5, "23:59:59.999", -4 },
        { "2026-08-01T04:00:00Z", 20260801, 6, "00:00:00", -4 },
        { "2027-01-01T04:59:59.999Z", 20261231, 4, "23:59:59.999", -5 },
        { "2027-01-01T05:00:00Z", 20270101, 5, "00:00:00", -5 },
    };
    static const char *const zones[] = {
        "Asia/Tokyo", "America/New_York", "Pacific/Kiritimati", ":/nonexistent", "XXX+23:59:59YYY,0/0,J365/24", ""
    };

    (void)state;
    for (size_t z = 0; z < COUNT(zones); z++) {
        setenv("TZ", zones[z], 1);
        tzset();
        for (size_t i = 0; i < COUNT(cases); i++) {
            struct og_eastern t;

            og_eastern_from(instant(cases[i].utc), &t);
            assert_string_equal(og_clock_text(t.ns_of_day).s, cases[i].clock);
            assert_int_equal(t.date, cases[i].date);
            assert_int_equal(t.year * 10000 + t.month * 100 + t.day, cases[i].date);
            assert_int_equal(t.weekday, cases[i].weekday);
            assert_int_equal(t.offset_hours, cases[i].offset);
        }
    }
    unsetenv("TZ");
}

/* The clock changes of New York, by the tz database (zdump), as MMDDHH in UTC. */
static const struct {
    int year, on, off;
} changes[] = {
    { 1967, 43007, 102906 }, { 1968, 42807, 102706 }, { 1969, 42707, 102606 }, { 1970, 42607, 102506 },
    { 1971, 42507, 103106 }, { 1972, 43007, 102906 }, { 1973, 42907, 102806 }, { 1976, 42507, 103106 },
    { 1977, 42407, 103006 }, { 1978, 43007, 102906 }, { 1979, 42907, 102806 }, { 1980, 42707, 102606 },
    { 1981, 42607, 102506 }, { 1982, 42507, 103106 }, { 1983, 42407, 103006 }, { 1984, 42907, 102806 },
    { 1985, 42807, 102706 }, { 1986, 42707, 102606 }, { 1987, 40507, 102506 }, { 1988, 40307, 103006 },
    { 1989, 40207, 102906 }, { 1990, 40107, 102806 }, { 1991, 40707, 102706 }, { 1992, 40507, 102506 },
    { 1993, 40407, 103106 }, { 1994, 40307, 103006 }, { 1995, 40207, 102906 }, { 1996, 40707, 102706 },
    { 1997, 40607, 102606 }, { 1998, 40507, 102506 }, { 1999, 40407, 103106 }, { 2000, 40207, 102906 },
    { 2001, 40107, 102806 }, { 2002, 40707, 102706 }, { 2003, 40607, 102606 }, { 2004, 40407, 103106 },
    { 2005, 40307, 103006 }, { 2006, 40207, 102906 }, { 2007, 31107, 110406 }, { 2008, 30907, 110206 },
    { 2009, 30807, 110106 }, { 2010, 31407, 110706 }, { 2011, 31307, 110606 }, { 2012, 31107, 110406 },
    { 2013, 31007, 110306 }, { 2014, 30907, 110206 }, { 2015, 30807, 110106 }, { 2016, 31307, 110606 },
    { 2017, 31207, 110506 }, { 2018, 31107, 110406 }, { 2019, 31007, 110306 }, { 2020, 30807, 110106 },
    { 2021, 31407, 110706 }, { 2022, 31307, 110606 }, { 2023, 31207, 110506 }, { 2024, 31007, 110306 },
    { 2025, 30907, 110206 }, { 2026, 30807, 110106 }, { 2027, 31407, 110706 }, { 2028, 31207, 110506 },
    { 2029, 31107, 110406 }, { 2030, 31007, 110306 }, { 2031, 30907, 110206 }, { 2032, 31407, 110706 },
    { 2033, 31307, 110606 }, { 2034, 31207, 110506 }, { 2035, 31107, 110406 }, { 2036, 30907, 110206 },
    { 2037, 30807, 110106 },
};

static void switches_of_many_years(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(changes); i++) {
        int moments[2] = { changes[i].on, changes[i].off };

        for (int k = 0; k < 2; k++) {
            int64_t ns = og_days_from_civil(changes[i].year, moments[k] / 10000, moments[k] / 100 % 100) * 86400;
            struct og_eastern before, after;

            ns = (ns + moments[k] % 100 * 3600) * OG_NS_PER_S;
            og_eastern_from(ns - 1, &before);
            og_eastern_from(ns, &after);
            if (before.offset_hours != (k ? -4 : -5) || after.offset_hours != (k ? -5 : -4))
                fail_msg("%d: %06d is no switch: %d, %d", changes[i].year, moments[k], before.offset_hours,
                         after.offset_hours);
        }
    }
}

static void eastern_and_back(void **state)
{
    const int64_t ms = OG_NS_PER_MS, hour = 3600 * OG_NS_PER_S;

    (void)state;
    for (int64_t ns = instant("2005-01-01T00:00:00Z"); ns < instant("2030-01-01T00:00:00Z");
         ns += 47 * 60 * OG_NS_PER_S + ms) {
        struct og_eastern t;
        int64_t back;

        og_eastern_from(ns, &t);
        back = og_eastern_instant(t.year, t.month, t.day, t.ns_of_day);
        if (back != ns && back != ns - hour) /* a time in the repeated hour is converted to its first occurrence */
            fail_msg("%s came back as %s", og_time_text(ns).s, og_time_text(back).s);
        if (back != ns)
            assert_true(t.weekday == 0 && t.ns_of_day >= hour && t.ns_of_day < 2 * hour && t.offset_hours == -5);
    }
    assert_int_equal(og_eastern_instant(2026, 1, 15, 34200 * OG_NS_PER_S), instant("2026-01-15T14:30:00Z"));
    assert_int_equal(og_eastern_instant(2026, 3, 8, 2 * hour), instant("2026-03-08T07:00:00Z"));
    assert_int_equal(og_eastern_instant(2026, 3, 8, 2 * hour + hour / 2), instant("2026-03-08T07:00:00Z"));
    assert_int_equal(og_eastern_instant(2026, 3, 8, 3 * hour), instant("2026-03-08T07:00:00Z"));
    assert_int_equal(og_eastern_instant(2026, 3, 8, 2 * hour - 1), instant("2026-03-08T06:59:59.999999999Z"));
    assert_int_equal(og_eastern_instant(2026, 11, 1, hour), instant("2026-11-01T05:00:00Z"));
    assert_int_equal(og_eastern_instant(2026, 11, 1, 2 * hour), instant("2026-11-01T07:00:00Z"));
    assert_int_equal(og_eastern_instant(2026, 11, 1, 0), instant("2026-11-01T04:00:00Z"));
}

static void clocks_and_durations(void **state)
{
    static const struct {
        const char *text;
        int64_t ns;
        const char *back;
    } good[] = {
        { "500ms", 500000000, "500ms" },
        { "2s", 2000000000, "2s" },
        { "5m", 300000000000, "5m" },
        { "1h", 3600000000000, "1h" },
        { "90s", 90000000000, "90s" },
        { "60s", 60000000000, "1m" },
        { "0s", 0, "0s" },
        { "1000ms", 1000000000, "1s" },
        { "1001ms", 1001000000, "1001ms" },
        { "120m", 7200000000000, "2h" },
        { "2562047h", 9223369200000000000, "2562047h" },
    };
    static const char *const bad[] = { "",     "s",    "5",    "5 s",   "5S",       "-5s",
                                       "+5s",  "1.5s", "5sec", "1h30m", "5d",       "5ms ",
                                       " 5ms", "1e3s", "5mss", "0x5s",  "2562048h", "99999999999999999999ms" };
    int64_t ns;

    (void)state;
    assert_string_equal(og_clock_text(34199999 * OG_NS_PER_MS).s, "09:29:59.999");
    assert_string_equal(og_clock_text(34199999 * OG_NS_PER_MS + 999999).s, "09:29:59.999");
    assert_string_equal(og_clock_text(34200 * OG_NS_PER_S + 999999).s, "09:30:00");
    assert_string_equal(og_clock_text(86399 * OG_NS_PER_S + 5 * OG_NS_PER_MS).s, "23:59:59.005");
    for (size_t i = 0; i < COUNT(good); i++) {
        assert_true(og_duration_read(good[i].text, strlen(good[i].text), &ns));
        assert_int_equal(ns, good[i].ns);
        assert_string_equal(og_duration_text(ns).s, good[i].back);
    }
    for (size_t i = 0; i < COUNT(bad); i++) {
        ns = 5;
        if (og_duration_read(bad[i], strlen(bad[i]), &ns))
            fail_msg("'%s' was read", bad[i]);
        assert_int_equal(ns, 0);
    }
    assert_string_equal(og_duration_text(-1500 * OG_NS_PER_MS).s, "-1500ms");
    assert_string_equal(og_duration_text(1234567).s, "1ms");
    assert_string_equal(og_duration_text(INT64_MIN).s, "-9223372036854ms");
}

static void now_is_now(void **state)
{
    int64_t a = og_time_now(), b = (int64_t)time(NULL) * OG_NS_PER_S;

    (void)state;
    assert_true(b - a < 60 * OG_NS_PER_S && a - b < 60 * OG_NS_PER_S);
}

static void ages_are_rounded_up_for_people(void **state)
{
    static const struct {
        int64_t ms;
        const char *text;
    } ages[] = {
        { 0, "0s" },         { 1, "1ms" },        { 999, "999ms" },    { 1000, "1s" },     { 1001, "1.1s" },
        { 2569, "2.6s" },    { 9999, "10s" },     { 10000, "10s" },    { 10001, "11s" },   { 60000, "1m" },
        { 60001, "61s" },    { 119999, "2m" },    { 120001, "3m" },    { 3600001, "61m" }, { 7200034, "121m" },
        { 35999000, "10h" }, { 36000001, "11h" }, { 86400000, "24h" },
    };

    (void)state;
    for (size_t i = 0; i < COUNT(ages); i++)
        assert_string_equal(og_age_text(ages[i].ms * OG_NS_PER_MS).s, ages[i].text);
    assert_string_equal(og_age_text(2001 * OG_NS_PER_MS + 1).s, "2.1s");
    assert_string_equal(og_age_text(1).s, "1ms");
    assert_string_equal(og_age_text(INT64_MAX).s, og_duration_text(INT64_MAX).s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_rfc3339),
        cmocka_unit_test(writes_rfc3339),
        cmocka_unit_test(civil_dates),
        cmocka_unit_test(eastern_to_the_millisecond),
        cmocka_unit_test(switches_of_many_years),
        cmocka_unit_test(eastern_and_back),
        cmocka_unit_test(clocks_and_durations),
        cmocka_unit_test(now_is_now),
        cmocka_unit_test(ages_are_rounded_up_for_people),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
