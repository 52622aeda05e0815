/*
 * A secret is masked however an answer spells it, and nothing else is masked; lengths do not change, and JSON stays
 * JSON.
 */
#include <cjson/cJSON.h>
#include <stdio.h>

#include "base/mask.h"
#include "unit.h"

#define SECRET "n3w/Se+cr&t<\"42"

static const char *masked(const char *text, const char *secret)
{
    static char room[4096];
    size_t len = strlen(text);

    assert_true(len < sizeof room);
    memcpy(room, text, len + 1);
    og_mask(room, len, og_str_of(secret));
    assert_int_equal(strlen(room), len);
    return room;
}

static void every_spelling(void **state)
{
    static const char *const spelled[] = {
        SECRET,
        "n3w/Se+cr&t<\\\"42",
        "n3w\\/Se\\u002Bcr\\u0026t\\u003c\\u002242",
        "\\u006e3w/Se+cr&t<\\\"42",
        "n3w%2FSe%2bcr%26t%3C%2242",
        "%6E3w/Se+cr&t%3c\"42",
        "n3w/Se+cr&amp;t&lt;&quot;42",
        "n3w&#47;Se&#x2B;cr&#0038;t&LT;&quot;42" /* not an XML entity: unchanged */,
        "n3w&#47;Se&#x2b;cr&#0038;t&lt;&#34;42",
    };

    (void)state;
    for (size_t i = 0; i < sizeof spelled / sizeof spelled[0]; i++) {
        char text[256], expected[256], stars[64];
        size_t n = strlen(spelled[i]);

        snprintf(stars, sizeof stars, "%.*s", (int)n, "***********************************************************");
        snprintf(text, sizeof text, "begins %s ends %s.", spelled[i], spelled[i]);
        snprintf(expected, sizeof expected, "begins %s ends %s.", stars, stars);
        assert_string_equal(masked(text, SECRET), strstr(spelled[i], "&LT;") != NULL ? text : expected);
    }
}

static void base64(void **state)
{
    (void)state; /* the Base64 of "paper-secret", of "k:paper-secret" and of "ab:paper-secret!" */
    assert_string_equal(masked("[cGFwZXItc2VjcmV0]", "paper-secret"), "[****************]");
    assert_string_equal(masked("Basic azpwYXBlci1zZWNyZXQ=.", "paper-secret"), "Basic azp***************Q=.");
    assert_string_equal(masked("\"YWI6cGFwZXItc2VjcmV0IQ==\"", "paper-secret"), "\"YWI6****************IQ==\"");
    /* three '>' and three '?', twice, in both Base64 alphabets, and escaped */
    assert_string_equal(masked("Pj4+Pz8/Pj4+Pz8/", ">>>?\?\?>>>?\?\?"), "****************");
    assert_string_equal(masked("Pj4-Pz8_Pj4-Pz8_", ">>>?\?\?>>>?\?\?"), "****************");
    assert_string_equal(masked("Pj4\\u002bPz8\\/Pj4+Pz8/", ">>>?\?\?>>>?\?\?"), "**********************");
    assert_string_equal(masked("Pj4%2BPz8%2FPj4+Pz8/", ">>>?\?\?>>>?\?\?"), "********************");
}

static void json_stays_json(void **state)
{
    static const char *const texts[][2] = {
        { "{\"text\":\"line\\n3w-secret\"}", "n3w-secret" }, { "{\"text\":\"say \\\"3w-secret\"}", "\"3w-secret" },
        { "{\"text\":\"a \\\\n3w-secret\"}", "n3w-secret" }, { "{\"text\":\"w-secret3\\\\\"}", "w-secret3\\" },
        { "{\"text\":\"\\\\w-secret3\"}", "\\w-secret3" },   { "{\"text\":\"\\u002fw-secret\\/\"}", "/w-secret/" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        const char *seen = masked(texts[i][0], texts[i][1]);
        cJSON *doc = cJSON_Parse(seen);

        assert_non_null(strstr(seen, "********"));
        assert_null(strstr(seen, "w-secret"));
        assert_non_null(doc);
        cJSON_Delete(doc);
    }
}

static void what_was_cut_off(void **state)
{
    (void)state;
    assert_string_equal(masked("it is paper-sec", "paper-secret"), "it is *********");
    assert_string_equal(masked("it is paper%2Dsec", "paper-secret"), "it is ***********");
    assert_string_equal(masked("it is paper-s", "paper-secret"), "it is paper-s");
}

static void nothing_else(void **state)
{
    static const char *const texts[] = {
        "",
        "p",
        "paper-secreT",
        "paper-secre t",
        "paper secret",
        "PAPER-SECRET",
        "\\",
        "\\u",
        "\\u00",
        "%",
        "%2",
        "&",
        "&#",
        "&#x",
        "&#x;",
        "&#99999999999999;",
        "\\u4e2d\\u6587",
        "{\"a\":\"\\\\\\\"\"}",
        "%zz%7f",
        "100.00",
        "cGFwZXItc2Vj cmV0",
    };

    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        assert_string_equal(masked(texts[i], "paper-secret"), texts[i]);
    assert_string_equal(masked("{\"key\":\"seven77\"}", "seven77"), "{\"key\":\"seven77\"}"); /* too short */
    assert_string_equal(masked("abc", ""), "abc");
}

/* The secret is masked whatever is around it, at every place of a text. */
static void every_place(void **state)
{
    char text[300], secret[] = "aaaaaaab";

    (void)state;
    for (size_t at = 0; at + 8 <= 64; at++) {
        memset(text, 'a', 64);
        text[64] = '\0';
        memcpy(text + at, secret, 8);
        assert_null(strstr(masked(text, secret), secret));
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_spelling),   cmocka_unit_test(base64),       cmocka_unit_test(json_stays_json),
        cmocka_unit_test(what_was_cut_off), cmocka_unit_test(nothing_else), cmocka_unit_test(every_place),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
