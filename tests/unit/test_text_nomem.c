/*
 * Every allocation of readers and writers fails once, in turn: the status is "out of memory", nothing leaks, and the
 * next attempt succeeds. (Allocations inside libyaml and PCRE2 do not fail.)
 */
#include "base/arena.h"
#include "base/buf.h"
#include "nomem.h"
#include "text/doc.h"
#include "text/pattern.h"
#include "text/yaml.h"
#include "unit.h"

/* 40 keys and texts: more than the memory that a writer begins with */
static void write_sample(struct og_buf *b)
{
    og_buf_text(b, "{\"list\":[1,\"a\\nb\",{}]");
    for (int i = 0; i < 100; i++)
        og_buf_format(b, ",\"key%d\":%d.5", i, i);
    og_buf_text(b, "}");
}

static void reading_a_document(void **state)
{
    struct og_buf b;
    cJSON *doc;
    long n = 1;

    (void)state;
    og_buf_init(&b, 0);
    write_sample(&b);
    for (;; n++) {
        struct og_error err = { 0 };
        enum og_status status;

        nomem_at(n);
        status = og_doc_read(b.s, b.len, "sample", &doc, &err);
        if (!nomem_hit()) {
            assert_int_equal(status, OG_OK);
            break;
        }
        assert_int_equal(status, OG_ENOMEM);
        assert_int_equal(err.status, OG_ENOMEM);
        assert_null(doc);
    }
    assert_true(n > 200);
    assert_int_equal(cJSON_GetArraySize(doc), 101);
    cJSON_Delete(doc);
    og_buf_clear(&b);
}

static cJSON *build(void)
{
    cJSON *doc = og_doc_object(), *list = og_doc_object();

    og_doc_put_str(doc, "s", OG_STR("text"));
    og_doc_put_money(doc, "m", og_money_from(5));
    og_doc_put(list, "inner", og_doc_object());
    og_doc_put(doc, "list", list);
    return doc;
}

static void building_a_document(void **state)
{
    struct og_buf b;
    long n = 1;

    (void)state;
    og_buf_init(&b, 0);
    for (;; n++) {
        cJSON *doc;
        bool ok;

        nomem_at(n);
        doc = build();
        ok = og_doc_text(doc, &b);
        cJSON_Delete(doc);
        if (!nomem_hit()) {
            assert_true(ok);
            break;
        }
        assert_false(ok);
        assert_int_equal(b.len, 0);
        og_buf_clear(&b);
    }
    assert_true(n > 10);
    assert_string_equal(b.s, "{\"s\":\"text\",\"m\":5,\"list\":{\"inner\":{}}}");
    og_buf_clear(&b);
}

static void ignore(void *with, int line, int col, const char *code, const char *text)
{
    (void)with, (void)line, (void)col, (void)code, (void)text;
}

static void reading_yaml(void **state)
{
    struct og_arena arena;
    struct og_yaml *root;
    struct og_buf b;
    long n = 1;

    (void)state;
    og_buf_init(&b, 0);
    for (int i = 0; i < 200; i++)
        og_buf_format(&b, "key%d: [a, b]\n", i);
    og_arena_init(&arena, 0);
    for (;; n++) {
        enum og_status status;

        nomem_at(n);
        status = og_yaml_read(b.s, b.len, &arena, ignore, NULL, &root);
        if (!nomem_hit()) {
            assert_int_equal(status, OG_OK);
            break;
        }
        assert_int_equal(status, OG_ENOMEM);
        assert_null(root);
        og_arena_clear(&arena);
    }
    assert_true(n > 5);
    assert_int_equal(root->count, 200);
    og_arena_clear(&arena);
    og_buf_clear(&b);
}

static void patterns_and_buffers(void **state)
{
    struct og_pattern *p;
    struct og_error err = { 0 };
    struct og_buf b;

    (void)state;
    nomem_at(1);
    assert_int_equal(og_pattern_read(OG_STR("a"), &p, &err), OG_ENOMEM);
    assert_null(p);
    nomem_at(1);
    assert_null(og_pattern_room_new());
    og_buf_init(&b, 0);
    og_buf_text(&b, "kept");
    nomem_at(1);
    for (int i = 0; i < 300; i++)
        og_buf_char(&b, 'x');
    assert_true(b.bad);
    assert_int_equal(b.len, 255);
    assert_memory_equal(b.s, "keptxxx", 7);
    og_buf_clear(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reading_a_document),
        cmocka_unit_test(building_a_document),
        cmocka_unit_test(reading_yaml),
        cmocka_unit_test(patterns_and_buffers),
    };

    return cmocka_run_group_tests(tests, nomem_in_cjson, NULL);
}
