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

/* --- encodings within encodings ----------------------------------------------------------------------------------- */

enum { PLAIN_JSON, SLASHED_JSON, UNICODE_JSON, PERCENT, ALL_PERCENT, HTML, BASE64, URL_BASE64, ENCODINGS };
static const char *const encodings[] = { "JSON",        "JSON with \\/", "JSON of \\u", "percent",
                                         "all percent", "HTML",          "Base64",      "Base64 for URLs" };

static void put_base64(const char *s, char *to, bool for_urls)
{
    const char *digits = for_urls ? "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
                                  : "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    size_t len = strlen(s);
    unsigned bits = 0;
    int have = 0;

    for (size_t i = 0; i < len; i++)
        for (bits = bits << 8 | (unsigned char)s[i], have += 8; have >= 6; have -= 6)
            *to++ = digits[bits >> (have - 6) & 63];
    if (have)
        *to++ = digits[bits << (6 - have) & 63];
    *to = '\0';
}

static void encode(int how, const char *s, char *to)
{
    if (how >= BASE64) {
        put_base64(s, to, how == URL_BASE64);
        return;
    }
    for (*to = '\0'; *s; s++, to += strlen(to)) {
        const bool word = (*s >= '0' && *s <= '9') || ((*s | 32) >= 'a' && (*s | 32) <= 'z');

        if (how == UNICODE_JSON && !word)
            sprintf(to, "\\u%04x", (unsigned)(unsigned char)*s);
        else if (how <= SLASHED_JSON && (*s == '"' || *s == '\\' || (*s == '/' && how == SLASHED_JSON)))
            sprintf(to, "\\%c", *s);
        else if (how == ALL_PERCENT || (how == PERCENT && !word))
            sprintf(to, "%%%02X", (unsigned)(unsigned char)*s);
        else if (how == HTML && strchr("&<>\"'", *s))
            sprintf(to, "%s", *s == '&' ? "&amp;" : *s == '<' ? "&lt;" : *s == '>' ? "&gt;" : "&#34;");
        else
            sprintf(to, "%c", *s);
    }
}

static unsigned seed = 1;

static void put_random(char *to, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        seed = seed * 1103515245 + 12345;
        to[i] = (seed >> 16) % 2 ? "\\/\"%&<>+=-_;#u "[(seed >> 17) % 15] : (char)(' ' + (seed >> 17) % 95);
        if (to[i] == '\'') /* HTML has several names for it */
            to[i] = 'q';
    }
    to[len] = '\0';
}

/* Encode a text by one code after the other. */
static void encode_all(const int *how, int levels, const char *text, char *to)
{
    static char room[2][60000];

    strcpy(room[0], text);
    for (int i = 0; i < levels; i++)
        encode(how[i], room[i % 2], room[(i + 1) % 2]);
    strcpy(to, room[levels % 2]);
}

/* Whatever a secret is, and whichever two encodings it has gone through, none of it is left but the characters at its
 * ends that Base64 shares with what stands beside it. */
static void encoded_twice(void **state)
{
    static char whole[60000], upto[60000], from[60000], text[600], seen[60000];
    char secret[50], before[20], after[20];

    (void)state;
    for (int n = 0; n < ENCODINGS * ENCODINGS * 50; n++) {
        const int how[] = { n % ENCODINGS, n / ENCODINGS % ENCODINGS };
        const size_t edge = how[0] >= BASE64 || how[1] >= BASE64 ? 12 : 0;
        size_t begins, ends, left = 0;

        put_random(secret, 24 + seed % 20);
        /* a part of an escape at either end may be left, which is no part of the secret */
        secret[0] = secret[strlen(secret) - 1] = 'Z';
        put_random(before, (seed >> 8) % 15);
        put_random(after, (seed >> 8) % 15);
        snprintf(text, sizeof text, "%s%s%s", before, secret, after);
        encode_all(how, 2, text, whole);
        encode_all(how, 2, before, from);
        snprintf(text, sizeof text, "%s%s", before, secret);
        encode_all(how, 2, text, upto);
        begins = strlen(from);
        ends = strlen(upto);
        strcpy(seen, whole);
        og_mask(seen, strlen(seen), og_str_of(secret));
        for (size_t i = begins + edge; i + edge < ends; i++)
            left += seen[i] == whole[i];
        if (left || strlen(seen) != strlen(whole))
            fail_msg("%zu left of '%s' in %s of %s: %s is masked as %s", left, secret, encodings[how[1]],
                     encodings[how[0]], whole, seen);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_spelling),   cmocka_unit_test(base64),       cmocka_unit_test(json_stays_json),
        cmocka_unit_test(what_was_cut_off), cmocka_unit_test(nothing_else), cmocka_unit_test(every_place),
        cmocka_unit_test(encoded_twice),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
