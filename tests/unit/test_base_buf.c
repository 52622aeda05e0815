/*
 * Buffers: growth, limits, fixed storage, JSON strings; arenas; appenders.
 */
#include <stdio.h>

#include "base/appender.h"
#include "base/arena.h"
#include "base/buf.h"
#include "unit.h"

static void grows_and_ends_in_nul(void **state)
{
    struct og_buf b;

    (void)state;
    og_buf_init(&b, 0);
    og_buf_bytes(&b, "", 0);
    og_buf_text(&b, "price ");
    og_buf_money(&b, (struct og_money){ -100005, 5 });
    og_buf_char(&b, ' ');
    og_buf_int(&b, INT64_MIN);
    og_buf_format(&b, " %s-%d", "x", 7);
    og_buf_str(&b, OG_STR("!"));
    og_buf_str(&b, (struct og_str){ NULL, 0 });
    assert_string_equal(b.s, "price -1.00005 -9223372036854775808 x-7!");
    assert_int_equal(b.len, strlen(b.s));
    for (int i = 0; i < 100000; i++)
        og_buf_format(&b, "%d", i % 10);
    assert_false(b.bad);
    assert_int_equal(b.len, 100040);
    assert_int_equal(b.s[b.len], 0);
    og_buf_reset(&b);
    assert_int_equal(b.len, 0);
    assert_string_equal(b.s, "");
    og_buf_clear(&b);
    assert_null(b.s);
}

static void keeps_its_limit(void **state)
{
    struct og_buf b;

    (void)state;
    og_buf_init(&b, 8);
    og_buf_text(&b, "12345678");
    assert_false(b.bad);
    og_buf_char(&b, '9');
    assert_true(b.bad);
    assert_string_equal(b.s, "12345678");
    og_buf_reset(&b);
    og_buf_text(&b, "again");
    og_buf_text(&b, "too long");
    og_buf_text(
        &b, "no"); /* it would fit, but after a failure nothing may be appended, because the text would have a gap */
    assert_true(b.bad);
    assert_string_equal(b.s, "again");
    og_buf_clear(&b);
    og_buf_format(&b, "%s", "123456789");
    assert_true(b.bad);
    og_buf_clear(&b);
    assert_false(b.bad);
    og_buf_json_str(&b, OG_STR("\x01\x01")); /* the limit is reached in the middle of the escapes */
    assert_true(b.bad);
    assert_int_equal(b.len, 0);
    og_buf_clear(&b);
}

static void fixed_storage_never_grows(void **state)
{
    char storage[6];
    struct og_buf b;

    (void)state;
    og_buf_init_fixed(&b, storage, sizeof storage);
    assert_string_equal(b.s, "");
    og_buf_text(&b, "12345");
    assert_false(b.bad);
    assert_ptr_equal(b.s, storage);
    og_buf_char(&b, '6');
    assert_true(b.bad);
    og_buf_clear(&b);
    og_buf_json_str(&b, OG_STR("abc"));
    assert_string_equal(b.s, "\"abc\"");
    og_buf_init_fixed(&b, NULL, 0);
    og_buf_char(&b, 'x');
    assert_true(b.bad);
}

static void json_strings(void **state)
{
    static const struct {
        const char *in, *out;
    } cases[] = {
        { "", "\"\"" },
        { "plain", "\"plain\"" },
        { "say \"hi\"\\", "\"say \\\"hi\\\"\\\\\"" },
        { "\b\f\n\r\t\x01\x0B\x1F\x7F", "\"\\b\\f\\n\\r\\t\\u0001\\u000b\\u001f\x7F\"" },
        { "G\xC3\xBC\xE2\x82\xAC\xF0\x9F\x98\x80", "\"G\xC3\xBC\xE2\x82\xAC\xF0\x9F\x98\x80\"" },
        { "a\xFF"
          "b",
          "\"a\xEF\xBF\xBD"
          "b\"" },
        { "\xC0\x80", "\"\xEF\xBF\xBD\xEF\xBF\xBD\"" },
        { "\xED\xA0\x80", "\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\"" },
        { "\xE2\x82", "\"\xEF\xBF\xBD\xEF\xBF\xBD\"" },
        { "0123456789abcdef0123456789abcdef\"", "\"0123456789abcdef0123456789abcdef\\\"\"" },
    };
    struct og_buf b;

    (void)state;
    og_buf_init(&b, 0);
    for (size_t i = 0; i < COUNT(cases); i++) {
        og_buf_reset(&b);
        og_buf_json_str(&b, og_str_of(cases[i].in));
        assert_string_equal(b.s, cases[i].out);
    }
    og_buf_reset(&b);
    og_buf_json_str(&b, (struct og_str){ NULL, 0 });
    assert_string_equal(b.s, "\"\"");
    og_buf_reset(&b);
    og_buf_json_str(&b, (struct og_str){ "a\0b", 3 });
    assert_string_equal(b.s, "\"a\\u0000b\"");
    og_buf_clear(&b);
}

/* The byte to be escaped is at every place within a block of 16. */
static void json_strings_at_every_offset(void **state)
{
    struct og_buf b;

    (void)state;
    og_buf_init(&b, 0);
    for (size_t len = 1; len < 70; len++) {
        for (size_t at = 0; at < len; at++) {
            char in[70], want[80];

            memset(in, 'x', len);
            in[at] = '\n';
            memset(want, 'x', sizeof want);
            want[0] = '"';
            memcpy(want + 1 + at, "\\n", 2);
            memcpy(want + 2 + len, "\"", 2);
            og_buf_reset(&b);
            og_buf_json_str(&b, (struct og_str){ in, len });
            assert_string_equal(b.s, want);
        }
    }
    og_buf_clear(&b);
}

static void arena_hands_out_zeroed_memory(void **state)
{
    static uint32_t place[3000];
    struct og_arena a;
    char *last = NULL;

    (void)state;
    og_arena_init(&a, 0);
    for (size_t i = 0; i < 3000; i++) {
        char *p = og_arena_take(&a, i);

        assert_non_null(p);
        assert_ptr_not_equal(p, last);
        place[i] = og_arena_place(&a, p);
        assert_int_not_equal(place[i], 0);
        assert_ptr_equal(og_arena_at(&a, place[i]), p);
        assert_int_equal((uintptr_t)p % sizeof(max_align_t) % 16, 0);
        for (size_t j = 0; j < i; j++)
            assert_int_equal(p[j], 0);
        memset(p, 0xFF, i);
        if (i >= sizeof i)
            memcpy(p, &i, sizeof i);
        last = p;
    }
    for (size_t i = sizeof i, is; i < 3000; i++) { /* an allocation stays where it is, whatever is allocated later */
        memcpy(&is, og_arena_at(&a, place[i]), sizeof is);
        assert_int_equal(is, i);
    }
    assert_null(og_arena_take(&a, SIZE_MAX));
    og_arena_clear(&a);
    assert_int_equal(a.taken, 0);
    assert_non_null(og_arena_take(&a, 1000000));
    og_arena_clear(&a);
}

static void arena_keeps_its_limit(void **state)
{
    struct og_arena a;
    struct og_str copy;

    (void)state;
    og_arena_init(&a, 64);
    copy = og_arena_copy(&a, OG_STR("borrowed"));
    assert_string_equal(copy.s, "borrowed");
    assert_int_equal(copy.len, 8);
    copy = og_arena_copy(&a, (struct og_str){ NULL, 0 });
    assert_string_equal(copy.s, "");
    assert_null(og_arena_take(&a, 64));
    assert_non_null(og_arena_take(&a, 32));
    assert_null(og_arena_copy(&a, OG_STR("x")).s);
    og_arena_clear(&a);
    assert_non_null(og_arena_take(&a, 64));
    og_arena_clear(&a);
}

/* Short texts of every length are copied completely, and nothing beyond them. */
static void short_texts(void **state)
{
    const char text[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMN";

    (void)state;
    for (size_t len = 0; len < sizeof text; len++) {
        char copy[sizeof text + 1];
        struct og_str a = { text, len }, b = { copy + 1, len };

        memset(copy, '.', sizeof copy);
        og_str_copy(copy + 1, a);
        assert_memory_equal(copy + 1, text, len);
        assert_int_equal(copy[0], '.');
        assert_int_equal(copy[len + 1], '.');
        assert_true(og_str_same(a, b));
        for (size_t i = 1; i <= len; i++) {
            copy[i] ^= 0x20;
            assert_false(og_str_same(a, b));
            copy[i] ^= 0x20;
        }
        if (len)
            assert_false(og_str_same(a, (struct og_str){ copy + 1, len - 1 }));
    }
}

/* og_append_shown() is given each byte value at each place, in texts of each length, some of which are shortened. */
static void texts_for_a_person(void **state)
{
    char text[60], expected[64], storage[64];
    size_t len;

    (void)state;
    for (size_t n = 0; n <= sizeof text; n++)
        for (size_t at = 0; at < n || at == 0; at++)
            for (int byte = 0; byte < 256; byte++) {
                const size_t shown = n > OG_SHOWN_ROOM - 3 ? OG_SHOWN_ROOM - 3 : n;

                memset(text, 'A' + (int)(n % 26), sizeof text);
                text[at] = (char)byte;
                for (size_t i = 0; i < shown; i++)
                    expected[i] = text[i] < ' ' || text[i] > '~' ? '?' : text[i];
                snprintf(expected + shown, sizeof "...", "%s", shown < n ? "..." : "");
                assert_true(og_appender_end(
                    og_append_shown(og_appender_over(storage, sizeof storage), (struct og_str){ text, n }), storage,
                    sizeof storage, &len));
                assert_string_equal(storage, expected);
                assert_int_equal(len, strlen(expected));
            }
    for (size_t size = 0; size <= sizeof "short";
         size++) /* after a text that does not fit, an appender writes nothing more */
        assert_int_equal(
            og_appender_end(og_append_short(og_appender_over(storage, size), OG_STR("short")), storage, size, &len),
            size == sizeof "short");
    assert_null(og_append_short((struct og_appender){ NULL, 0 }, OG_STR("")).to);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grows_and_ends_in_nul),        cmocka_unit_test(keeps_its_limit),
        cmocka_unit_test(fixed_storage_never_grows),    cmocka_unit_test(json_strings),
        cmocka_unit_test(json_strings_at_every_offset), cmocka_unit_test(arena_hands_out_zeroed_memory),
        cmocka_unit_test(arena_keeps_its_limit),        cmocka_unit_test(short_texts),
        cmocka_unit_test(texts_for_a_person),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
