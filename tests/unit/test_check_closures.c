/*
 * Closures announced in facts: loaded as a whole or not at all, and in force for every account, including those
 * added later.
 */
#include <stdio.h>

#include "facts_doc.h"
#include "ordergate/ordergate.h"

static struct og_day seen(const struct og_facts *f, int date)
{
    return og_facts_day(f, date, og_calendar_day(date));
}

static void what_is_announced_is_in_force(void **state)
{
    struct og_facts *f = facts_of(NULL);

    (void)state;
    assert_int_equal(seen(f, 20261209).kind, OG_DAY_FULL);
    take(f,
         "{\"calendar\":{\"closed\":[\"2026-12-09\"],\"early\":{\"2026-12-10\":\"13:00\",\"2026-12-11\":\"15:59\"}}}");
    assert_int_equal(seen(f, 20261209).kind, OG_DAY_CLOSED);
    assert_int_equal(seen(f, 20261210).kind, OG_DAY_EARLY);
    assert_int_equal(seen(f, 20261210).closes, 13 * INT64_C(3600) * OG_NS_PER_S);
    assert_int_equal(seen(f, 20261211).closes, (15 * INT64_C(60) + 59) * 60 * OG_NS_PER_S);
    assert_int_equal(seen(f, 20261208).kind, OG_DAY_FULL);
    take(f, "{\"quotes\":{}}");
    assert_int_equal(seen(f, 20261209).kind, OG_DAY_CLOSED);
    take(f, "{\"calendar\":{\"early\":{\"2026-12-25\":\"13:00\"}}}"); /* replaces what was announced before */
    assert_int_equal(seen(f, 20261209).kind, OG_DAY_FULL);
    assert_int_equal(seen(f, 20261225).kind, OG_DAY_CLOSED); /* a closed day stays closed */
    take(f, "{\"calendar\":{}}");
    assert_int_equal(seen(f, 20261210).kind, OG_DAY_FULL);
    og_facts_free(f);
}

static void what_is_wrong_is_refused_whole(void **state)
{
    static const char *const cases[][2] = {
        { "{\"calendar\":[]}", "calendar: expected an object, saw an array" },
        { "{\"calendar\":{\"open\":[]}}", "calendar.open: expected no key but \"closed\" and \"early\", saw an array" },
        { "{\"calendar\":{\"closed\":\"2026-12-09\"}}",
          "calendar.closed: expected an array of dates, saw \"2026-12-09\"" },
        { "{\"calendar\":{\"closed\":[\"2026-12-09\",\"2026-12-9\"]}}",
          "calendar.closed[1]: expected a date written YYYY-MM-DD, saw \"2026-12-9\"" },
        { "{\"calendar\":{\"closed\":[\"2026-02-29\"]}}",
          "calendar.closed[0]: expected a date written YYYY-MM-DD, saw \"2026-02-29\"" },
        { "{\"calendar\":{\"closed\":[\"2026-12-091\"]}}",
          "calendar.closed[0]: expected a date written YYYY-MM-DD, saw \"2026-12-091\"" },
        { "{\"calendar\":{\"closed\":[20261209]}}",
          "calendar.closed[0]: expected a date written YYYY-MM-DD, saw 20261209" },
        { "{\"calendar\":{\"early\":[]}}", "calendar.early: expected an object of dates with times, saw an array" },
        { "{\"calendar\":{\"early\":{\"tomorrow\":\"13:00\"}}}",
          "calendar.early.tomorrow: expected a key that is a date written YYYY-MM-DD, saw \"13:00\"" },
        { "{\"calendar\":{\"early\":{\"2026-12-10\":\"09:30\"}}}",
          "calendar.early.2026-12-10: expected a time from 09:31 to 15:59 written HH:MM, in New York, saw \"09:30\"" },
        { "{\"calendar\":{\"early\":{\"2026-12-10\":\"16:00\"}}}",
          "calendar.early.2026-12-10: expected a time from 09:31 to 15:59 written HH:MM, in New York, saw \"16:00\"" },
        { "{\"calendar\":{\"early\":{\"2026-12-10\":\"12:60\"}}}",
          "calendar.early.2026-12-10: expected a time from 09:31 to 15:59 written HH:MM, in New York, saw \"12:60\"" },
        { "{\"calendar\":{\"early\":{\"2026-12-10\":13}}}",
          "calendar.early.2026-12-10: expected a time from 09:31 to 15:59 written HH:MM, in New York, saw 13" },
        { "{\"ages\":{\"calendar\":\"2026-01-15T14:31:00Z\"}}", "ages.calendar: unknown key" },
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct og_facts *f = facts_of("{\"calendar\":{\"closed\":[\"2026-12-08\"]}}");
        struct og_error err = { 0 };

        assert_int_equal(take_err(f, cases[i][0], &err), OG_EFACTS);
        assert_non_null(strstr(err.text, cases[i][1]));
        assert_int_equal(seen(f, 20261208).kind, OG_DAY_CLOSED);
        assert_int_equal(seen(f, 20261209).kind, OG_DAY_FULL);
        og_facts_free(f);
    }
}

#define ORDER                                                                                                      \
    "{\"accountId\":\"%s\",\"securityType\":\"Stock\",\"symbol\":\"SPY\",\"side\":\"Buy\",\"openClose\":\"Open\"," \
    "\"orderType\":\"Market\",\"orderQuantity\":1,\"timeInForce\":\"Day\"}"

static bool warned_of_holiday(struct og_book *book, const char *account)
{
    struct og_scratch *s = og_scratch_new();
    struct og_order *o = og_order_new();
    struct og_decision d;
    char line[512];
    int64_t noon = 0;
    bool found = false;

    assert_true(s && o && og_time_read("2026-12-09T17:00:00Z", 20, &noon));
    snprintf(line, sizeof line, ORDER, account);
    assert_int_equal(og_order_read(o, line, strlen(line)), OG_OK);
    og_check(book, o, noon, s, &d);
    for (int i = 0; i < d.count; i++)
        found |= strcmp(d.findings[i].reason, "market-holiday") == 0;
    og_order_free(o);
    og_scratch_free(s);
    return found;
}

static void tell(struct og_book *book, const char *facts)
{
    struct og_error err = { 0 };

    if (og_book_apply(book, NULL, facts, strlen(facts), "facts", &err))
        fail_msg("%s", err.text);
}

static void it_counts_for_every_account(void **state)
{
    static const char *const ways[] = {
        "{\"calendar\":{\"closed\":[\"2026-12-09\"]}}",
        "{\"accountId\":\"B\",\"calendar\":{\"closed\":[\"2026-12-09\"]}}",
        "{\"accountId\":\"B\",\"positions\":[],\"calendar\":{\"closed\":[\"2026-12-09\"]}}",
    };

    (void)state;
    for (size_t i = 0; i < COUNT(ways); i++) {
        struct og_error err = { 0 };
        struct og_policy *policy;
        struct og_book *book;

        assert_int_equal(og_policy_load("default", &policy, NULL, NULL, &err), OG_OK);
        assert_int_equal(og_book_new(policy, &book), OG_OK);
        tell(book, "{\"accountId\":\"A\",\"positions\":[]}");
        tell(book, "{\"accountId\":\"B\",\"positions\":[]}");
        assert_false(warned_of_holiday(book, "A"));
        tell(book, ways[i]);
        tell(book, "{\"accountId\":\"C\",\"positions\":[]}"); /* met later */
        assert_true(warned_of_holiday(book, "A"));
        assert_true(warned_of_holiday(book, "B"));
        assert_true(warned_of_holiday(book, "C"));
        assert_true(warned_of_holiday(book, "never-heard-of"));
        tell(book, "{\"accountId\":\"A\",\"calendar\":{}}");
        assert_false(warned_of_holiday(book, "C"));
        og_book_free(book);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_announced_is_in_force),
        cmocka_unit_test(what_is_wrong_is_refused_whole),
        cmocka_unit_test(it_counts_for_every_account),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
