/*
 * Patterns are anchored at both ends, and their cost is limited; the most similar word to a misspelt one.
 */
#include "text/pattern.h"
#include "unit.h"

static struct og_pattern *pattern_of(const char *text)
{
    struct og_error err = { 0 };
    struct og_pattern *p;

    if (og_pattern_read(og_str_of(text), &p, &err) != OG_OK)
        fail_msg("'%s': %s", text, err.text);
    return p;
}

static void matches_the_whole_subject(void **state)
{
    static const struct {
        const char *pattern, *subject;
        enum og_match answer;
    } cases[] = {
        { "AAPL", "AAPL", OG_MATCH_YES },
        { "AAPL", "AAPLX", OG_MATCH_NO },
        { "AAPL", "XAAPL", OG_MATCH_NO },
        { "AAPL", "AAPL\n", OG_MATCH_NO },
        { "^AAPL$", "AAPL\n", OG_MATCH_NO },
        { "^AAPL$", "AAPL", OG_MATCH_YES },
        { "(?m)^AAPL$", "AAPL\n", OG_MATCH_NO },
        { "AAPL\\Z", "AAPL\n", OG_MATCH_NO },
        { "(?s)AAPL.?", "AAPL\n", OG_MATCH_YES },
        { "^[a-zA-Z0-9._-]+$", "AAPL260116C00190000", OG_MATCH_YES },
        { "^[a-zA-Z0-9._-]+$", "AAPL ", OG_MATCH_NO },
        { "^[a-zA-Z0-9._-]+$", "", OG_MATCH_NO },
        { "SPY|QQQ", "QQQ", OG_MATCH_YES },
        { "SPY|QQQ", "SPYQ", OG_MATCH_NO }, /* anchors are around all alternatives together */
        { "SPY|QQQ", "XQQQ", OG_MATCH_NO },
        { "^(SPY|QQQ)$", "SPY", OG_MATCH_YES },
        { "A|AB", "AB", OG_MATCH_YES },
        { "", "", OG_MATCH_YES },
        { "", "x", OG_MATCH_NO },
        { ".", "\xE2\x82\xAC", OG_MATCH_NO }, /* a dot matches one byte */
        { "(a+)+[bd]", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaac", OG_MATCH_GAVE_UP },
        { "(x|xx)+[yz]", "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxc", OG_MATCH_GAVE_UP },
    };
    struct og_pattern_room *room = og_pattern_room_new();

    (void)state;
    assert_non_null(room);
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct og_pattern *p = pattern_of(cases[i].pattern);
        enum og_match answer = og_pattern_match(p, og_str_of(cases[i].subject), room);

        if (answer != cases[i].answer)
            fail_msg("'%s' on '%s' answers %d", cases[i].pattern, cases[i].subject, answer);
        assert_str(og_pattern_text(p), cases[i].pattern);
        og_pattern_free(p);
    }
    og_pattern_room_free(room);
}

static void finds_a_part_of_the_subject(void **state)
{
    static const struct {
        const char *pattern, *subject;
        enum og_match answer;
    } cases[] = {
        { "AP", "AAPL", OG_MATCH_YES },
        { "^AP", "AAPL", OG_MATCH_NO },
        { "PL$", "AAPL", OG_MATCH_YES },
        { "PL$", "AAPL\n", OG_MATCH_NO },
        { "", "x", OG_MATCH_YES },
        { "^.$", "\xE2\x82\xAC", OG_MATCH_YES }, /* a dot matches one code point */
        { "^..$", "\xE2\x82\xAC", OG_MATCH_NO },
        { "\\x{20AC}", "a\xE2\x82\xAC", OG_MATCH_YES },
        { "a",
          "\xFF"
          "a",
          OG_MATCH_YES }, /* bytes that are not text are skipped */
        { "^.",
          "\xFF"
          "a",
          OG_MATCH_NO },
        { "^(a+)+$", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaac", OG_MATCH_GAVE_UP },
    };
    struct og_pattern_room *room = og_pattern_room_new();
    struct og_error err = { 0 };
    struct og_pattern *p;

    (void)state;
    assert_non_null(room);
    for (size_t i = 0; i < COUNT(cases); i++) {
        enum og_match answer;

        assert_int_equal(og_pattern_read_part(og_str_of(cases[i].pattern), false, &p, &err), OG_OK);
        answer = og_pattern_match(p, og_str_of(cases[i].subject), room);
        if (answer != cases[i].answer)
            fail_msg("'%s' in '%s' answers %d", cases[i].pattern, cases[i].subject, answer);
        og_pattern_free(p);
    }
    assert_int_equal(og_pattern_read_part(OG_STR("(*NO_JIT)a"), false, &p, &err), OG_ESYNTAX);
    assert_null(p);
    assert_int_equal(err.col, 2);
    og_pattern_room_free(room);
}

static void absent_and_binary_subjects(void **state)
{
    struct og_pattern_room *room = og_pattern_room_new();
    struct og_pattern *any = pattern_of("(?s).*"), *a = pattern_of("a");

    (void)state;
    assert_int_equal(og_pattern_match(any, (struct og_str){ NULL, 0 }, room), OG_MATCH_YES);
    assert_int_equal(og_pattern_match(any, (struct og_str){ "\xff\0\x80", 3 }, room), OG_MATCH_YES);
    assert_int_equal(og_pattern_match(a, (struct og_str){ "a\0", 2 }, room), OG_MATCH_NO);
    og_pattern_free(any);
    og_pattern_free(a);
    og_pattern_free(NULL);
    og_pattern_room_free(room);
    og_pattern_room_free(NULL);
}

static void refuses_bad_patterns(void **state)
{
    static const struct {
        const char *text;
        int col;
    } cases[] = { { "(AAPL", 6 },   { "[a-", 4 }, { "*a", 1 }, { "a\\", 3 }, { "a(?<n>b)(?<n>c)", 14 },
                  { "(*UTF)a", 1 }, { "a\\C", 4 } };
    struct og_pattern *p;

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct og_error err = { 0 };

        p = (struct og_pattern *)&err;
        assert_int_equal(og_pattern_read(og_str_of(cases[i].text), &p, &err), OG_ESYNTAX);
        assert_null(p);
        if (cases[i].col > 1 && err.col != cases[i].col)
            fail_msg("'%s' is bad at %d: %s", cases[i].text, err.col, err.text);
        assert_true(err.col >= 1);
        assert_memory_equal(err.text, "bad pattern", 11);
    }
}

static void finds_the_nearest_word(void **state)
{
    static const char *const rules[] = { "market-hours", "order-notional", "symbol-pattern",
                                         "price-collar", "Level",          "level" };
    static const struct {
        const char *word, *nearest;
    } cases[] = {
        { "market-hour", "market-hours" },
        { "makret-hours", "market-hours" },
        { "MARKET-HOURS", "market-hours" },
        { "order_notional", "order-notional" },
        { "ordernotional", "order-notional" },
        { "price-colar", "price-collar" },
        { "levle", "level" },
        { "lvel", "level" },
        { "LEVEL", "Level" },
        { "Levl", "Level" },
        { "x", NULL },
        { "", NULL },
        { "completely-else", NULL },
        { "price-xxxxxx", NULL },
        { "price-coxxxx", "price-collar" },
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        const char *found = og_nearest(og_str_of(cases[i].word), rules, COUNT(rules));

        if (!cases[i].nearest) {
            if (found)
                fail_msg("'%s' is near '%s'", cases[i].word, found);
        } else {
            assert_string_equal(found ? found : "(none)", cases[i].nearest);
        }
    }
    assert_null(
        og_nearest(OG_STR("0123456789012345678901234567890123456789012345678901234567890123"), rules, COUNT(rules)));
    assert_null(og_nearest(OG_STR("level"), rules, 0));
}

static void finds_the_only_word_that_is_meant(void **state)
{
    static const char *const words[] = { "Stop", "StopLimit", "Day", "Way", "Level", "level", "" };
    static const struct {
        const char *word, *only;
    } cases[] = {
        { "stop", "Stop" },  { "Stopp", "Stop" }, { "Sotp", "Stop" }, { "STOPLIMT", "StopLimit" },
        { "StpLmit", NULL }, { "day", "Day" },    { "Bay", NULL },    { "Days", "Day" },
        { "LEVEL", NULL },   { "Stxpx", NULL },   { "", "" },
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        const char *only = og_nearest_only(og_str_of(cases[i].word), words, COUNT(words));

        if ((!only != !cases[i].only) || (only && strcmp(only, cases[i].only) != 0))
            fail_msg("'%s' is taken for '%s'", cases[i].word, only ? only : "(none)");
    }
}

static void test_which_may_reach_the_limit(void **state)
{
    static const struct {
        const char *pattern;
        bool may;
    } cases[] = {
        { "AAPL", false },
        { "AAPL|MSFT|^GME$", false },
        { ".*", false },
        { "[A-Z]{1,6}([.][A-Z]{1,2})?", false },
        { "[A-Z.]{6}[0-9]{6}[CP][0-9]{8}", false },
        { "SPXW?.*[CP]\\d+", false },
        { "(?:A|B)(C|D).*", false },
        { "[(+*|]]+", false },
        { "[]+)]*A\\+\\)", false },
        { "([A-Z]+)+X", true },
        { "(A|AB)*C", true },
        { "((A+)+)+B|A*Q", true },
        { "(A|AA){2,}B", true },
        { "A*A*A*A*B", true },
        { "(A)\\1*", true },
        { "(?i)a", true },
        { "(*LIMIT_MATCH=1)A*B", true },
        { "\\Q)\\E+", true },
        { "(?=A*)B", true },
        { "[[:alpha:]]+", true },
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct og_pattern *p;

        assert_int_equal(og_pattern_read(og_str_of(cases[i].pattern), &p, NULL), OG_OK);
        if (og_pattern_may_give_up(p) != cases[i].may)
            fail_msg("'%s': %d", cases[i].pattern, !cases[i].may);
        og_pattern_free(p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_which_may_reach_the_limit),
        cmocka_unit_test(matches_the_whole_subject),
        cmocka_unit_test(finds_a_part_of_the_subject),
        cmocka_unit_test(absent_and_binary_subjects),
        cmocka_unit_test(refuses_bad_patterns),
        cmocka_unit_test(finds_the_nearest_word),
        cmocka_unit_test(finds_the_only_word_that_is_meant),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
