/*
 * Documents: trees with raw numbers, duplicate keys rejected, writers that check for errors once.
 */
#include <stdio.h>
#include <time.h>

#include "text/doc.h"
#include "unit.h"

static cJSON *doc_of(const char *text)
{
    struct og_error err = { 0 };
    cJSON *doc;

    if (og_doc_read(text, strlen(text), "test", &doc, &err) != OG_OK)
        fail_msg("'%s': %s", text, err.text);
    return doc;
}

static void keeps_numbers_as_text(void **state)
{
    cJSON *doc = doc_of("{\"p\":1.00005,\"id\":9007199254740993,\"e\":1e2,\"big\":123456789012345678901234567890,"
                        "\"half\":0.5,\"s\":\"9\",\"t\":true,\"f\":false,\"n\":null,\"o\":{},\"a\":[1,-2]}");
    struct og_money m = { 0, 0 };
    struct og_str s;
    int64_t n = -1;
    bool b;

    (void)state;
    assert_true(og_doc_money(doc, "p", &m));
    assert_int_equal(m.coef, 100005);
    assert_int_equal(m.scale, 5);
    assert_true(og_doc_int(doc, "id", &n));
    assert_int_equal(n, 9007199254740993);
    assert_true(og_doc_int(doc, "e", &n));
    assert_int_equal(n, 100);
    assert_true(og_doc_id(doc, "id", &s));
    assert_str(s, "9007199254740993");
    assert_true(og_doc_id(doc, "s", &s));
    assert_str(s, "9");
    assert_true(og_doc_id(doc, "big", &s));
    assert_str(s, "123456789012345678901234567890");
    assert_true(og_doc_str(doc, "s", &s));
    assert_true(og_doc_bool(doc, "t", &b) && b);
    assert_true(og_doc_bool(doc, "f", &b) && !b);
    assert_true(og_item_is_number(og_doc_get(doc, "p")));
    assert_true(og_item_int(cJSON_GetArrayItem(og_doc_get(doc, "a"), 1), &n));
    assert_int_equal(n, -2);

    assert_false(og_doc_money(doc, "big", &m));
    assert_false(og_doc_int(doc, "big", &n));
    assert_false(og_doc_int(doc, "half", &n));
    assert_false(og_doc_int(doc, "s", &n));
    assert_false(og_doc_money(doc, "n", &m));
    assert_false(og_doc_str(doc, "p", &s));
    assert_false(og_doc_str(doc, "absent", &s));
    assert_false(og_doc_id(doc, "t", &s));
    assert_false(og_doc_bool(doc, "n", &b));
    assert_null(og_doc_get(doc, "P")); /* keys are case-sensitive */
    assert_null(og_doc_get(og_doc_get(doc, "a"), "p"));
    assert_null(og_doc_get(NULL, "p"));
    assert_false(og_doc_money(og_doc_get(doc, "s"), "p", &m));
    assert_false(og_item_is_number(og_doc_get(doc, "s")));
    cJSON_Delete(doc);
}

static void says_where_it_is_wrong(void **state)
{
    static const struct {
        const char *text;
        int line, col;
        const char *fault;
    } cases[] = {
        { "", 1, 1, "unexpected end" },
        { "{\n  \"a\": 01\n}", 2, 9, "bad number" },
        { "{\"a\":1,\n\"a\":2}", 2, 1, "duplicate key 'a'" },
        { "{\"a\":1,\"b\":{\"a\":1,\"b\":{\"a\":1}},\n \"\\u0061\":2}", 2, 2, "duplicate key 'a'" },
        { "[{\"x\":1},{\"x\":1,\"y\":[{\"x\":1}],\"x\":2}]", 1, 31, "duplicate key 'x'" },
        { "{\"\":1,\"\":2}", 1, 7, "duplicate key ''" },
        { "[1]\n\n[2]", 3, 1, "bytes after the value" },
        { "{\"a\":\"\\ud800\"}", 1, 7, "lone surrogate" },
        { "[\"\xff\"]", 1, 3, "not UTF-8" },
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct og_error err = { 0 };
        cJSON *doc = (cJSON *)&err;

        assert_int_equal(og_doc_read(cases[i].text, strlen(cases[i].text), "facts.json", &doc, &err), OG_ESYNTAX);
        assert_null(doc);
        assert_string_equal(err.text, cases[i].fault);
        assert_string_equal(err.source, "facts.json");
        assert_int_equal(err.line, cases[i].line);
        assert_int_equal(err.col, cases[i].col);
        assert_int_equal(og_doc_read(cases[i].text, strlen(cases[i].text), NULL, &doc, NULL), OG_ESYNTAX);
    }
}

static void takes_equal_keys_of_different_maps(void **state)
{
    cJSON_Delete(doc_of("{\"a\":{\"a\":{\"a\":1},\"b\":1},\"b\":[{\"a\":1},{\"a\":1}],\"A\":1,\"aa\":1,\"a \":1}"));
    (void)state;
}

/* A hundred thousand keys of which the last is a duplicate: it is found without comparing each with each. */
static void many_keys(void **state)
{
    struct og_buf b;
    struct og_error err = { 0 };
    cJSON *doc;
    clock_t begun;

    (void)state;
    og_buf_init(&b, 0);
    for (int i = 0; i < 100000; i++)
        og_buf_format(&b, "%s\"key%d\":{\"key%d\":%d}", i ? ",\n" : "{", i, i + 1, i);
    og_buf_text(&b, "}");
    begun = clock();
    assert_int_equal(og_doc_read(b.s, b.len, "many", &doc, &err), OG_OK);
    assert_true(clock() - begun < 20 * CLOCKS_PER_SEC); /* comparing each with each would take minutes */
    assert_int_equal(cJSON_GetArraySize(doc), 100000);
    cJSON_Delete(doc);
    b.s[b.len - 1] = ',';
    og_buf_text(&b, "\n\"key77\":0}");
    assert_int_equal(og_doc_read(b.s, b.len, "many", &doc, &err), OG_ESYNTAX);
    assert_string_equal(err.text, "duplicate key 'key77'");
    assert_int_equal(err.line, 100001);
    og_buf_clear(&b);
}

static void depth_is_bounded(void **state)
{
    char text[100];
    struct og_error err = { 0 };
    cJSON *doc;

    (void)state;
    memset(text, '[', 50);
    memset(text + 32, ']', 32);
    assert_int_equal(og_doc_read(text, 64, "deep", &doc, &err), OG_OK);
    cJSON_Delete(doc);
    memset(text, '[', 50);
    assert_int_equal(og_doc_read(text, 50, "deep", &doc, &err), OG_ESYNTAX);
    assert_int_equal(err.col, 33);
}

static void comes_back_as_it_was(void **state)
{
    static const char text[] =
        "{\"a\":[1.00005,1e2,-0,100.0,{}],\"b\":\"\\u0001\\\"\\\\\xC3\xA9\",\"\":null,\"t\":[true,false,[]]}";
    cJSON *doc = doc_of(text);
    struct og_buf b;

    (void)state;
    og_buf_init(&b, 0);
    og_buf_text(&b, "> ");
    assert_true(og_doc_text(doc, &b));
    assert_string_equal(b.s + 2, text);
    og_buf_clear(&b);
    og_buf_init(&b, 10);
    assert_false(og_doc_text(doc, &b));
    og_buf_clear(&b);
    cJSON_Delete(doc);
}

static void builds(void **state)
{
    cJSON *doc = og_doc_object(), *list = og_doc_array(), *row = og_doc_object();
    struct og_buf b;

    (void)state;
    og_doc_put_str(row, "symbol", OG_STR("AAPL"));
    og_doc_put_money(row, "limitPrice", (struct og_money){ 100005, 5 });
    cJSON_AddItemToArray(list, row);
    og_doc_put(doc, "orders", list);
    og_doc_put_int(doc, "id", INT64_C(9007199254740993));
    og_doc_put_text(doc, "text", "R118: \"stop\"\n");
    og_doc_put_text(doc, "absent", NULL);
    og_doc_put_str(doc, "bad", (struct og_str){ "a\xFF\0z\xE2\x82\xAC", 7 });
    og_doc_put_str(doc, "empty", OG_STR(""));
    og_buf_init(&b, 0);
    assert_true(og_doc_text(doc, &b));
    assert_string_equal(b.s, "{\"orders\":[{\"symbol\":\"AAPL\",\"limitPrice\":1.00005}],\"id\":9007199254740993,"
                             "\"text\":\"R118: \\\"stop\\\"\\n\",\"absent\":null,"
                             "\"bad\":\"a\xEF\xBF\xBD\xEF\xBF\xBDz\xE2\x82\xAC\",\"empty\":\"\"}");
    og_buf_clear(&b);
    cJSON_Delete(doc);
}

/* One NULL in a part makes the whole text fail, and leaks nothing. */
static void a_failed_builder_shows_at_the_end(void **state)
{
    struct og_buf b;

    (void)state;
    og_buf_init(&b, 0);
    for (int which = 0; which < 3; which++) {
        cJSON *doc = og_doc_object(), *list = og_doc_array(), *row = og_doc_object();

        og_doc_put_int(row, "n", 1);
        if (which == 0)
            og_doc_put(row, "lost", NULL);
        cJSON_AddItemToArray(list, row);
        og_doc_put(doc, "list", list);
        if (which == 1)
            og_doc_put(doc, "lost", NULL);
        if (which == 2)
            og_doc_put(list, "a key in an array", og_doc_object());
        og_doc_put_int(row, "late", 2);
        og_doc_put_text(doc, "late", "x");
        assert_false(og_doc_text(doc, &b));
        assert_int_equal(b.len, 0);
        cJSON_Delete(doc);
    }
    og_doc_put_text(NULL, "k", "x");
    assert_false(og_doc_text(NULL, &b));
    og_buf_clear(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keeps_numbers_as_text),
        cmocka_unit_test(says_where_it_is_wrong),
        cmocka_unit_test(takes_equal_keys_of_different_maps),
        cmocka_unit_test(many_keys),
        cmocka_unit_test(depth_is_bounded),
        cmocka_unit_test(comes_back_as_it_was),
        cmocka_unit_test(builds),
        cmocka_unit_test(a_failed_builder_shows_at_the_end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
