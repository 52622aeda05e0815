/*
 * The pull reader: JSON as RFC 8259 defines it is accepted, and other texts are rejected; some JSON is rejected too.
 * The cases follow the groups of Nicolas Seriot's JSONTestSuite (y_, n_, i_).
 */
#include <stdio.h>

#include "text/json.h"
#include "unit.h"

/* Returns the tokens of a text as one line: "{ k:a n:1 } ." or "... ! fault@4".  The bytes are in memory of exactly
 * their size, so that a sanitizer reports reads beyond it. */
static const char *tokens(struct og_str in)
{
    static char line[8192];
    static const char *const names[] = { "!", ".", "{", "}", "[", "]", "k:", "s:", "n:", "", "", "" };
    char *bytes = malloc(in.len + 1), *exact = bytes + 1, *room = malloc(in.len + 1);
    struct og_json r;
    enum og_json_kind kind;
    size_t at = 0;

    memcpy(exact, in.len ? in.s : "", in.len);
    og_json_init(&r, exact, in.len, room, in.len);
    do {
        kind = og_json_next(&r);
        at += (size_t)snprintf(line + at, sizeof line - at, "%s%s%.*s", at ? " " : "", names[kind], (int)r.text.len,
                               r.text.s ? r.text.s : "");
        if (at > sizeof line - 1024)
            fail_msg("too many tokens");
    } while (kind != OG_JSON_FAULT && kind != OG_JSON_END);
    if (kind == OG_JSON_FAULT) {
        snprintf(line + at, sizeof line - at, " %s@%zu", r.fault, r.fault_at);
        assert_true(r.fault_at <= in.len);
    }
    for (int i = 0; i < 3; i++) { /* further calls return the same token */
        const char *fault = r.fault;
        size_t fault_at = r.fault_at;

        assert_int_equal(og_json_next(&r), kind);
        assert_ptr_equal(r.fault, fault);
        assert_int_equal(r.fault_at, fault_at);
    }
    free(bytes);
    free(room);
    return line;
}

static void gives_tokens(void **state)
{
    static const char *const cases[][2] = {
        { "{}", "{ } ." },
        { " \t\r\n{ \"a\" : [ 1 , -2.5e+3,true,false , null,\"x\" ] , \"b\" : {} } \n",
          "{ k:a [ n:1 n:-2.5e+3 true false null s:x ] k:b { } } ." },
        { "[]", "[ ] ." },
        { "[[],[[]],{\"\":[]}]", "[ [ ] [ [ ] ] { k: [ ] } ] ." },
        { "1", "n:1 ." },
        { "\"\"", "s: ." },
        { "true", "true ." },
        { "null ", "null ." },
        { "[1.00005,1e2,100.0,12345678901234567890123]", "[ n:1.00005 n:1e2 n:100.0 n:12345678901234567890123 ] ." },
        { "[0,-0,0.0,-0e-0,1E5]", "[ n:0 n:-0 n:0.0 n:-0e-0 n:1E5 ] ." },
        { "\"\\\"\\\\\\/\\u0041\\u00e9\\u20AC\\uD83D\\uDE00.\"", "s:\"\\/A\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80. ." },
        { "\"a\\b\\f\\n\\r\\tz\"", "s:a\b\f\n\r\tz ." },
        { "\"\xC2\x80\xDF\xBF\xE0\xA0\x80\xED\x9F\xBF\xEE\x80\x80\xEF\xBF\xBF\xF0\x90\x80\x80\xF4\x8F\xBF\xBF\"",
          "s:\xC2\x80\xDF\xBF\xE0\xA0\x80\xED\x9F\xBF\xEE\x80\x80\xEF\xBF\xBF\xF0\x90\x80\x80\xF4\x8F\xBF\xBF ." },
        { "\"\x7F\"", "s:\x7F ." },
        { "\"\\uFFFF\\u0001\"", "s:\xEF\xBF\xBF\x01 ." },
        { "{\"a\":1,\"a\":2}", "{ k:a n:1 k:a n:2 } ." }, /* the caller has to reject duplicate keys */
        { "{\"sy\\u006dbol\":\"AAPL\"}", "{ k:symbol s:AAPL } ." },
        { "\"0123456789abcdef0123456789abcde\xC3\xA9 0123456789abcdef\\n0123456789abcdef\"",
          "s:0123456789abcdef0123456789abcde\xC3\xA9 0123456789abcdef\n0123456789abcdef ." },
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        assert_string_equal(tokens(og_str_of(cases[i][0])), cases[i][1]);
}

static void names_the_fault_and_its_place(void **state)
{
    static const char *const cases[][2] = {
        /* structure */
        { "", "! unexpected end@0" },
        { "  ", "! unexpected end@2" },
        { "[", "[ ! unexpected end@1" },
        { "[1", "[ n:1 ! unexpected end@2" },
        { "[1,", "[ n:1 ! unexpected end@3" },
        { "{", "{ ! unexpected end@1" },
        { "{\"a\"", "{ ! unexpected end@4" },
        { "{\"a\":", "{ k:a ! unexpected end@5" },
        { "{\"a\":1", "{ k:a n:1 ! unexpected end@6" },
        { "{\"a\":1,", "{ k:a n:1 ! unexpected end@7" },
        { "[1,]", "[ n:1 ! expected a value@3" },
        { "[,1]", "[ ! expected a value@1" },
        { "[1,,2]", "[ n:1 ! expected a value@3" },
        { "[1 2]", "[ n:1 ! expected ',' or ']'@3" },
        { "[\"a\" \"b\"]", "[ s:a ! expected ',' or ']'@5" },
        { "[1:2]", "[ n:1 ! expected ',' or ']'@2" },
        { "[1}", "[ n:1 ! expected ',' or ']'@2" },
        { "{\"a\":1]", "{ k:a n:1 ! expected ',' or '}'@6" },
        { "{\"a\":1,}", "{ k:a n:1 ! expected a key@7" },
        { "{,}", "{ ! expected a key or '}'@1" },
        { "{1:1}", "{ ! expected a key or '}'@1" },
        { "{a:1}", "{ ! expected a key or '}'@1" },
        { "{'a':1}", "{ ! expected a key or '}'@1" },
        { "{\"a\" 1}", "{ ! expected ':'@5" },
        { "{\"a\",1}", "{ ! expected ':'@4" },
        { "{\"a\"::1}", "{ k:a ! expected a value@5" },
        { "{\"a\":1 \"b\":2}", "{ k:a n:1 ! expected ',' or '}'@7" },
        { "{\"a\":}", "{ k:a ! expected a value@5" },
        { "{\"a\"}", "{ ! expected ':'@4" },
        { "{} {}", "{ } ! bytes after the value@3" },
        { "[]]", "[ ] ! bytes after the value@2" },
        { "1 1", "n:1 ! bytes after the value@2" },
        { "\"a\"x", "s:a ! bytes after the value@3" },
        { "{}#", "{ } ! bytes after the value@2" },
        { "]", "! expected a value@0" },
        { ",", "! expected a value@0" },
        { ":", "! expected a value@0" },
        { "*", "! expected a value@0" },
        { "/**/1", "! expected a value@0" },
        { "[1]//x", "[ n:1 ] ! bytes after the value@3" },
        { "[1,/**/2]", "[ n:1 ! expected a value@3" },
        { "\xEF\xBB\xBF{}", "! expected a value@0" },
        { "\xFF\xFE[\0", "! expected a value@0" },
        { "\xC2\xA0"
          "1",
          "! expected a value@0" },
        { "\f1", "! expected a value@0" },
        { "\v1", "! expected a value@0" },
        { "1\xE2\x80\xA8", "n:1 ! bytes after the value@1" },
        /* words */
        { "tru", "! expected a value@0" },
        { "True", "! expected a value@0" },
        { "truex", "! expected a value@0" },
        { "nul", "! expected a value@0" },
        { "nulll", "! expected a value@0" },
        { "TRUE", "! expected a value@0" },
        { "falsey", "! expected a value@0" },
        { "true1", "! expected a value@0" },
        { "undefined", "! expected a value@0" },
        { "NaN", "! expected a value@0" },
        { "[Infinity]", "[ ! expected a value@1" },
        { "-Infinity", "! bad number@1" },
        { "[-NaN]", "[ ! bad number@2" },
        /* numbers */
        { "+1", "! expected a value@0" },
        { "-", "! bad number@1" },
        { "--1", "! bad number@1" },
        { "-+1", "! bad number@1" },
        { "- 1", "! bad number@1" },
        { "01", "! bad number@1" },
        { "-01", "! bad number@2" },
        { "00", "! bad number@1" },
        { "012.5", "! bad number@1" },
        { "1.", "! bad number@2" },
        { "1.e1", "! bad number@2" },
        { ".5", "! expected a value@0" },
        { "-.5", "! bad number@1" },
        { "1e", "! bad number@2" },
        { "1e+", "! bad number@3" },
        { "1e-x", "! bad number@3" },
        { "1e1.5", "! bad number@3" },
        { "1eE2", "! bad number@2" },
        { "1.2.3", "! bad number@3" },
        { "0x10", "! bad number@1" },
        { "1_000", "! bad number@1" },
        { "1f", "! bad number@1" },
        { "1-2", "! bad number@1" },
        { "1+2", "! bad number@1" },
        { "[1,000]", "[ n:1 ! bad number@4" },
        { "\xEF\xBC\x91", "! expected a value@0" },
        { "1\xEF\xBC\x91", "n:1 ! bytes after the value@1" },
        /* strings */
        { "\"", "! unterminated string@1" },
        { "\"a", "! unterminated string@2" },
        { "\"\\", "! unterminated string@2" },
        { "\"\\\"", "! unterminated string@3" },
        { "'a'", "! expected a value@0" },
        { "\"a\nb\"", "! control character in a string@2" },
        { "\"\t\"", "! control character in a string@1" },
        { "\"\x1f\"", "! control character in a string@1" },
        { "\"0123456789abcdef\x01\"", "! control character in a string@17" },
        { "\"\\x41\"", "! bad escape@1" },
        { "\"\\a\"", "! bad escape@1" },
        { "\"\\'\"", "! bad escape@1" },
        { "\"\\0\"", "! bad escape@1" },
        { "\"\\U0041\"", "! bad escape@1" },
        { "\"\\\n\"", "! bad escape@1" },
        { "\"\\\xC3\xA9\"", "! bad escape@1" },
        { "\"\\u\"", "! bad escape@1" },
        { "\"\\u00\"", "! bad escape@1" },
        { "\"\\u004\"", "! bad escape@1" },
        { "\"\\u00G1\"", "! bad escape@1" },
        { "\"\\u-041\"", "! bad escape@1" },
        { "\"\\u 041\"", "! bad escape@1" },
        { "\"\\u004", "! bad escape@1" },
        { "\"\\u0000\"", "! NUL in a string@1" },
        { "\"AAPL\\u0000\"", "! NUL in a string@5" },
        { "\"\\uD800\"", "! lone surrogate@1" },
        { "\"\\uD83D\\u0041\"", "! lone surrogate@1" },
        { "\"\\uD83D\\uD83D\\uDE00\"", "! lone surrogate@1" },
        { "\"\\uD83D\\n\"", "! lone surrogate@1" },
        { "\"\\uD83Dx\"", "! lone surrogate@1" },
        { "\"\\uD83D\\uDE0\"", "! lone surrogate@1" },
        { "\"ab\\uDE00\"", "! lone surrogate@3" },
        { "\"\\uDE00\\uD83D\"", "! lone surrogate@1" },
        { "\"\\uD83D", "! lone surrogate@1" },
        { "{\"\\uD800\":1}", "{ ! lone surrogate@2" },
        /* UTF-8 */
        { "\"\x80\"", "! not UTF-8@1" },
        { "\"\xBF\"", "! not UTF-8@1" },
        { "\"\xC0\x80\"", "! not UTF-8@1" },
        { "\"\xC1\xBF\"", "! not UTF-8@1" },
        { "\"\xC2\"", "! not UTF-8@1" },
        { "\"\xC2x\"", "! not UTF-8@1" },
        { "\"\xC2", "! not UTF-8@1" },
        { "\"\xE0\x9F\xBF\"", "! not UTF-8@1" },
        { "\"\xE2\x82\"", "! not UTF-8@1" },
        { "\"\xE2\x82", "! not UTF-8@1" },
        { "\"\xE2\"", "! not UTF-8@1" },
        { "\"\xED\xA0\x80\"", "! not UTF-8@1" },
        { "\"\xED\xBF\xBF\"", "! not UTF-8@1" },
        { "\"\xED\xA0\xBD\xED\xB8\x80\"", "! not UTF-8@1" },
        { "\"\xF0\x8F\xBF\xBF\"", "! not UTF-8@1" },
        { "\"\xF0\x9F\x98\"", "! not UTF-8@1" },
        { "\"\xF0\x9F\x98", "! not UTF-8@1" },
        { "\"\xF4\x90\x80\x80\"", "! not UTF-8@1" },
        { "\"\xF5\x80\x80\x80\"", "! not UTF-8@1" },
        { "\"\xF8\x88\x80\x80\x80\"", "! not UTF-8@1" },
        { "\"\xFE\xFF\"", "! not UTF-8@1" },
        { "\"caf\xE9\"", "! not UTF-8@4" },
        { "{\"k\xFF\":1}", "{ ! not UTF-8@3" },
        { "[\"a\",\xFF]", "[ s:a ! expected a value@5" },
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        assert_string_equal(tokens(og_str_of(cases[i][0])), cases[i][1]);
    assert_string_equal(tokens((struct og_str){ "\"a\0b\"", 5 }), "! NUL in a string@2");
    assert_string_equal(tokens((struct og_str){ "\"\\\0\"", 4 }), "! bad escape@1");
    assert_string_equal(tokens((struct og_str){ "1\0", 2 }), "n:1 ! bytes after the value@1");
    assert_string_equal(tokens((struct og_str){ "\0", 1 }), "! expected a value@0");
    assert_string_equal(tokens((struct og_str){ "[1\0]", 4 }), "[ n:1 ! expected ',' or ']'@2");
    assert_string_equal(tokens((struct og_str){ NULL, 0 }), "! unexpected end@0");
}

static void bounds_depth(void **state)
{
    char text[200001];
    struct og_json r;
    int opened = 0;

    (void)state;
    memset(text, '[', OG_JSON_DEPTH);
    memset(text + OG_JSON_DEPTH, ']', OG_JSON_DEPTH);
    og_json_init(&r, text, 2 * OG_JSON_DEPTH, NULL, 0);
    assert_true(og_json_skip(&r, og_json_next(&r)));
    assert_int_equal(og_json_next(&r), OG_JSON_END);

    memset(text, '[', 200000);
    og_json_init(&r, text, 200000, NULL, 0);
    while (og_json_next(&r) == OG_JSON_ARRAY)
        opened++;
    assert_int_equal(opened, OG_JSON_DEPTH);
    assert_string_equal(r.fault, "nesting deeper than 32");
    assert_int_equal(r.fault_at, 32);

    for (int i = 0; i < 32; i++)
        memcpy(text + 5 * i, "{\"a\":", 5);
    og_json_init(&r, text, 160, NULL, 0);
    for (int i = 0; i < 32; i++) {
        assert_int_equal(og_json_next(&r), OG_JSON_OBJECT);
        assert_int_equal(og_json_next(&r), OG_JSON_KEY);
    }
    assert_int_equal(og_json_next(&r), OG_JSON_FAULT);
    memcpy(text + 160, "[", 1);
    og_json_init(&r, text, 161, NULL, 0);
    while (og_json_next(&r) != OG_JSON_FAULT)
        ;
    assert_string_equal(r.fault, "nesting deeper than 32");
}

/* Objects and arrays alternate: the reader stores for each depth which one it is in. */
static void remembers_its_containers(void **state)
{
    (void)state;
    assert_string_equal(tokens(OG_STR("[{\"a\":[{\"b\":[1]}]},[{}],{\"c\":{\"d\":[]}},2]")),
                        "[ { k:a [ { k:b [ n:1 ] } ] } [ { } ] { k:c { k:d [ ] } } n:2 ] .");
    assert_string_equal(tokens(OG_STR("[{\"a\":[1}]")), "[ { k:a [ n:1 ! expected ',' or ']'@8");
    assert_string_equal(tokens(OG_STR("{\"a\":[1],\"b\":{\"c\":2]}")),
                        "{ k:a [ n:1 ] k:b { k:c n:2 ! expected ',' or '}'@19");
}

static void skips_values(void **state)
{
    static const char text[] = "{\"a\":{\"x\":[1,{\"y\":2}]},\"b\":7,\"c\":[],\"d\":[[}";
    struct og_json r;

    (void)state;
    og_json_init(&r, text, strlen(text), NULL, 0);
    assert_int_equal(og_json_next(&r), OG_JSON_OBJECT);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(og_json_next(&r), OG_JSON_KEY);
        assert_int_equal(r.text.s[0], 'a' + i);
        assert_true(og_json_skip(&r, og_json_next(&r)));
    }
    assert_int_equal(og_json_next(&r), OG_JSON_KEY);
    assert_int_equal(r.token_at, strlen("{\"a\":{\"x\":[1,{\"y\":2}]},\"b\":7,\"c\":[],"));
    assert_false(og_json_skip(&r, og_json_next(&r)));
    assert_int_equal(r.fault_at, strlen(text) - 1);
    assert_false(og_json_skip(&r, OG_JSON_FAULT));
}

static void spills_only_what_was_escaped(void **state)
{
    static const char text[] = "[\"plain\",\"a\\nb\",\"c\\td\"]";
    char room[8];
    struct og_json r;
    struct og_str first;

    (void)state;
    og_json_init(&r, text, strlen(text), room, 6);
    og_json_next(&r);
    assert_int_equal(og_json_next(&r), OG_JSON_STRING);
    assert_ptr_equal(r.text.s, text + 2);
    assert_int_equal(og_json_next(&r), OG_JSON_STRING);
    assert_ptr_equal(r.text.s, room);
    first = r.text;
    assert_int_equal(og_json_next(&r), OG_JSON_STRING);
    assert_str(r.text, "c\td");
    assert_str(first, "a\nb"); /* still there */
    og_json_init(&r, text, strlen(text), room, 5);
    while (og_json_next(&r) != OG_JSON_FAULT)
        ;
    assert_string_equal(r.fault, "no room for an escaped string");
}

/* A quote, an escape and an invalid byte are tried at every place of a block of 16. */
static void strings_of_every_length(void **state)
{
    (void)state;
    for (size_t len = 0; len < 80; len++) {
        char text[100], want[100];

        memset(text, 'x', sizeof text);
        memset(want, 'x', sizeof want);
        text[0] = text[len + 1] = '"';
        memcpy(want, "s:", 2);
        memcpy(want + 2 + len, " .", 3);
        assert_string_equal(tokens((struct og_str){ text, len + 2 }), want);

        memcpy(text + len + 1, "\\n\"", 3);
        memcpy(want + 2 + len, "\n .", 4);
        assert_string_equal(tokens((struct og_str){ text, len + 4 }), want);

        memcpy(text + len + 1, "\xFF\"", 2);
        snprintf(want, sizeof want, "! not UTF-8@%zu", len + 1);
        assert_string_equal(tokens((struct og_str){ text, len + 3 }), want);
    }
}

static void type_names(void **state)
{
    static const char *const whole[] = { "0",      "-0",        "1",       "-17",   "1e2",
                                         "100.0",  "1.5e1",     "0.0",     "0e-5",  "1.250e2",
                                         "100e-2", "-12.50e+2", "0.001e3", "1e400", "1e99999999999999999999",
                                         "0.0e-9" };
    static const char *const broken[] = { "0.5",     "1.5",    "1e-1",    "10e-2",
                                          "1.25e1",  "-0.001", "1.00005", "1e-99999999999999999999",
                                          "100.5e0", "120e-2" };

    (void)state;
    for (size_t i = 0; i < COUNT(whole); i++)
        if (strcmp(og_json_type_name(OG_JSON_NUMBER, og_str_of(whole[i])), "integer") != 0)
            fail_msg("'%s' is an integer", whole[i]);
    for (size_t i = 0; i < COUNT(broken); i++)
        if (strcmp(og_json_type_name(OG_JSON_NUMBER, og_str_of(broken[i])), "number") != 0)
            fail_msg("'%s' is no integer", broken[i]);
    assert_string_equal(og_json_type_name(OG_JSON_OBJECT, OG_STR("")), "object");
    assert_string_equal(og_json_type_name(OG_JSON_ARRAY, OG_STR("")), "array");
    assert_string_equal(og_json_type_name(OG_JSON_STRING, OG_STR("1")), "string");
    assert_string_equal(og_json_type_name(OG_JSON_TRUE, OG_STR("")), "boolean");
    assert_string_equal(og_json_type_name(OG_JSON_FALSE, OG_STR("")), "boolean");
    assert_string_equal(og_json_type_name(OG_JSON_NULL, OG_STR("")), "null");
}

static void places(void **state)
{
    static const char text[] = "{\n \"a\":\r\n\n  x}";
    int line, col;

    (void)state;
    og_json_place(text, strlen(text), 0, &line, &col);
    assert_true(line == 1 && col == 1);
    og_json_place(text, strlen(text), 1, &line, &col);
    assert_true(line == 1 && col == 2);
    og_json_place(text, strlen(text), 3, &line, &col);
    assert_true(line == 2 && col == 2);
    og_json_place(text, strlen(text), 12, &line, &col);
    assert_true(line == 4 && col == 3);
    og_json_place(text, strlen(text), 999, &line, &col);
    assert_true(line == 4 && col == 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gives_tokens),
        cmocka_unit_test(names_the_fault_and_its_place),
        cmocka_unit_test(bounds_depth),
        cmocka_unit_test(remembers_its_containers),
        cmocka_unit_test(skips_values),
        cmocka_unit_test(spills_only_what_was_escaped),
        cmocka_unit_test(strings_of_every_length),
        cmocka_unit_test(type_names),
        cmocka_unit_test(places),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
