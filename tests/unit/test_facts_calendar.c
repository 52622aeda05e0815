/*
 * The exchange calendar compared with other sources: sessions per year, closures without a rule, early closes, third
 * Fridays, future years, and its first and last day.
 */
#include "base/time.h"
#include "facts/calendar.h"
#include "unit.h"

static struct og_day day(int date)
{
    return og_calendar_day(date);
}

/* The number of sessions in the years 1990 to 2025, as they were held. */
static const int sessions[] = { 253, 253, 254, 253, 252, 252, 254, 253, 252, 252, 252, 248,
                                252, 252, 252, 252, 251, 251, 253, 252, 252, 252, 250, 252,
                                252, 252, 252, 251, 251, 252, 253, 252, 251, 250, 252, 250 };

static int count_year(int year, enum og_day_kind kind)
{
    int64_t first = og_days_from_civil(year, 1, 1), past = og_days_from_civil(year + 1, 1, 1);
    int n = 0, y, m, d;

    for (int64_t i = first; i < past; i++) {
        og_civil_from_days(i, &y, &m, &d);
        n += day(y * 10000 + m * 100 + d).kind == kind;
    }
    return n;
}

static void sessions_a_year(void **state)
{
    (void)state;
    for (int year = 1990; year <= 2035; year++) {
        int n = count_year(year, OG_DAY_FULL) + count_year(year, OG_DAY_EARLY);

        if (year - 1990 < (int)COUNT(sessions))
            assert_int_equal(n, sessions[year - 1990]);
        assert_true((n >= 250 && n <= 254) || year == 2001);
        assert_int_equal(count_year(year, OG_DAY_UNKNOWN), 0);
    }
}

static void closures_that_no_rule_gives(void **state)
{
    static const int closed[] = { 19940427, 20010911, 20010912, 20010913, 20010914, 20040611,
                                  20070102, 20121029, 20121030, 20181205, 20250109 };

    (void)state;
    for (size_t i = 0; i < COUNT(closed); i++)
        assert_int_equal(day(closed[i]).kind, OG_DAY_CLOSED);
}

static void holidays_and_when_they_are_kept(void **state)
{
    static const struct {
        int date;
        enum og_day_kind kind;
    } days[] = {
        { 19971226, OG_DAY_EARLY },  { 19980119, OG_DAY_CLOSED },
        { 19970120, OG_DAY_FULL }, /* Martin Luther King Day, since 1998 */
        { 20210618, OG_DAY_FULL },   { 20220620, OG_DAY_CLOSED },
        { 20260619, OG_DAY_CLOSED }, /* Juneteenth, since 2022 */
        { 20211231, OG_DAY_FULL },   { 20220103, OG_DAY_FULL },
        { 19931231, OG_DAY_FULL }, /* New Year falls on a Saturday */
        { 19991231, OG_DAY_EARLY },  { 20041231, OG_DAY_FULL },
        { 20101231, OG_DAY_FULL },   { 20230102, OG_DAY_CLOSED },
        { 20060102, OG_DAY_CLOSED }, { 20060103, OG_DAY_FULL }, /* New Year falls on a Sunday */
        { 19991224, OG_DAY_CLOSED }, { 20041224, OG_DAY_CLOSED },
        { 20211224, OG_DAY_CLOSED }, /* Christmas falls on a Saturday */
        { 20221226, OG_DAY_CLOSED }, { 20081226, OG_DAY_FULL },
        { 20141226, OG_DAY_FULL },   { 20251226, OG_DAY_FULL },
        { 20031226, OG_DAY_EARLY },  { 20240329, OG_DAY_CLOSED },
        { 20240401, OG_DAY_FULL },   { 20180330, OG_DAY_CLOSED }, /* Good Friday is closed, Easter Monday is not */
        { 20260403, OG_DAY_CLOSED }, { 20270326, OG_DAY_CLOSED },
        { 19900413, OG_DAY_CLOSED }, { 20261012, OG_DAY_FULL },
        { 20261111, OG_DAY_FULL }, /* Columbus, Veterans */
        { 20200703, OG_DAY_CLOSED }, { 20210705, OG_DAY_CLOSED },
        { 20210702, OG_DAY_FULL },
    };

    (void)state;
    for (size_t i = 0; i < COUNT(days); i++) {
        if (day(days[i].date).kind != days[i].kind)
            print_message("%d\n", days[i].date);
        assert_int_equal(day(days[i].date).kind, days[i].kind);
    }
}

static void early_closes(void **state)
{
    static const int at_one[] = { 19931126, 20261127, 20271126, 20281124, 20261224, 20071224, 20141224,
                                  19950703, 19960705, 20020705, 20130703, 20140703, 20180703, 20280703,
                                  20250703, 19971226, 19991231, 20031226, 20241224 };
    static const int at_two[] = { 19901224, 19911224, 19921127, 19921224 };
    static const int full[] = { 19901123, 19911129, 19930702, 19940701, 20120702, 20130705,
                                19960703, 20020703, 20071226, 20261223, 20261231, 20190705 };

    (void)state;
    for (size_t i = 0; i < COUNT(at_one); i++) {
        if (day(at_one[i]).closes != 13 * INT64_C(3600) * OG_NS_PER_S)
            print_message("%d\n", at_one[i]);
        assert_int_equal(day(at_one[i]).kind, OG_DAY_EARLY);
        assert_int_equal(day(at_one[i]).closes, 13 * INT64_C(3600) * OG_NS_PER_S);
    }
    for (size_t i = 0; i < COUNT(at_two); i++)
        assert_int_equal(day(at_two[i]).closes, 14 * INT64_C(3600) * OG_NS_PER_S);
    for (size_t i = 0; i < COUNT(full); i++) {
        if (day(full[i]).kind != OG_DAY_FULL)
            print_message("%d\n", full[i]);
        assert_int_equal(day(full[i]).kind, OG_DAY_FULL);
        assert_int_equal(day(full[i]).closes, 16 * INT64_C(3600) * OG_NS_PER_S);
    }
}

static int weekday(int date)
{
    int weekday;

    (void)og_calendar_look(date, &weekday);
    return weekday;
}

/* Compare the weekdays of 1,200 years, day by day. */
static void weekdays(void **state)
{
    int64_t from = og_days_from_civil(1300, 1, 1), to = og_days_from_civil(2500, 1, 1);
    int year, month, at;

    (void)state;
    for (int64_t days = from; days < to; days++) {
        og_civil_from_days(days, &year, &month, &at);
        assert_int_equal(weekday(year * 10000 + month * 100 + at), ((days + 4) % 7 + 7) % 7);
    }
}

/* From 2014 on every third Friday is a session, except these nine, whose contracts expire on the Thursday before. */
static void third_fridays(void **state)
{
    static const int holidays[] = { 20140418, 20190419, 20220415, 20250418, 20260619,
                                    20270618, 20300419, 20320618, 20330415 };
    size_t found = 0;

    (void)state;
    for (int year = 2014; year <= 2033; year++)
        for (int month = 1; month <= 12; month++) {
            int first = weekday(year * 10000 + month * 100 + 1);
            int date = year * 10000 + month * 100 + (5 - first + 7) % 7 + 15;

            assert_int_equal(weekday(date), 5);
            if (day(date).kind != OG_DAY_CLOSED)
                continue;
            assert_true(found < COUNT(holidays));
            assert_int_equal(date, holidays[found++]);
            assert_int_equal(og_calendar_session_before(date), date - 1);
        }
    assert_int_equal(found, COUNT(holidays));
}

static void the_years_to_come(void **state)
{
    static const int closed_2026[] = { 20260101, 20260119, 20260216, 20260403, 20260525,
                                       20260619, 20260703, 20260907, 20261126, 20261225 };
    static const int closed_2027[] = { 20270101, 20270118, 20270215, 20270326, 20270531,
                                       20270618, 20270705, 20270906, 20271125, 20271224 };
    static const int closed_2028[] = { 20280117, 20280221, 20280414, 20280529, 20280619,
                                       20280704, 20280904, 20281123, 20281225 };

    (void)state;
    for (size_t i = 0; i < COUNT(closed_2026); i++)
        assert_int_equal(day(closed_2026[i]).kind, OG_DAY_CLOSED);
    for (size_t i = 0; i < COUNT(closed_2027); i++)
        assert_int_equal(day(closed_2027[i]).kind, OG_DAY_CLOSED);
    for (size_t i = 0; i < COUNT(closed_2028); i++)
        assert_int_equal(day(closed_2028[i]).kind, OG_DAY_CLOSED);
    assert_int_equal(count_year(2026, OG_DAY_CLOSED), 104 + COUNT(closed_2026));
    assert_int_equal(count_year(2027, OG_DAY_CLOSED), 104 + COUNT(closed_2027));
    assert_int_equal(count_year(2028, OG_DAY_CLOSED), 106 + COUNT(closed_2028));
    assert_int_equal(count_year(2026, OG_DAY_EARLY), 2);
    assert_int_equal(count_year(2027, OG_DAY_EARLY), 1);
    assert_int_equal(count_year(2028, OG_DAY_EARLY), 2);
}

static void its_ends(void **state)
{
    (void)state;
    assert_int_equal(og_calendar_first(), 19900101);
    assert_int_equal(og_calendar_last(), 20351231);
    assert_string_equal(OG_CALENDAR_ENDS, "2035-12-31");
    assert_int_equal(day(20351231).kind, OG_DAY_FULL);
    assert_int_equal(day(20360101).kind, OG_DAY_UNKNOWN);
    assert_int_equal(day(20360105).kind, OG_DAY_CLOSED); /* a Saturday */
    assert_int_equal(day(19891229).kind, OG_DAY_UNKNOWN);
    assert_int_equal(day(20260230).kind, OG_DAY_UNKNOWN);
    assert_int_equal(day(-1).kind, OG_DAY_UNKNOWN);
    assert_int_equal(day(0).kind, OG_DAY_UNKNOWN);
    assert_int_equal(og_calendar_session_before(20360101), 20351231);
    assert_int_equal(og_calendar_session_before(20360103), 0);
    assert_int_equal(og_calendar_session_before(20260230), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sessions_a_year),
        cmocka_unit_test(closures_that_no_rule_gives),
        cmocka_unit_test(holidays_and_when_they_are_kept),
        cmocka_unit_test(early_closes),
        cmocka_unit_test(weekdays),
        cmocka_unit_test(third_fridays),
        cmocka_unit_test(the_years_to_come),
        cmocka_unit_test(its_ends),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
