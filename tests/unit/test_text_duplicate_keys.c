/*
 * Keys chosen to collide: names that an FNV-1a table puts into one slot are found in as few steps as others, and a
 * document has a limited number of values.  Steps are counted, not timed.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/hash.h"
#include "text/doc.h"
#include "text/duplicate_keys.h"

#define KEYS 2000

static char names[KEYS][12];

static uint64_t fnv(const char *s)
{
    uint64_t h = UINT64_C(0xcbf29ce484222325);

    for (; *s; s++)
        h = (h ^ (unsigned char)*s) * UINT64_C(0x100000001b3);
    return h ^ h >> 32;
}

/* Names whose FNV-1a ends in twelve zero bits. */
static int choose(void **state)
{
    int count = 0;

    (void)state;
    for (unsigned i = 0; count < KEYS; i++) {
        snprintf(names[count], sizeof names[count], "%x", i);
        count += (fnv(names[count]) & 4095) == 0;
    }
    return 0;
}

static struct og_str name_of(int i)
{
    return og_str_of(names[i]);
}

static void chosen_keys_do_not_meet(void **state)
{
    struct og_seen_keys set;
    size_t away = 0, farthest = 0;

    (void)state;
    og_seen_keys_init(&set);
    (void)og_seen_keys_open(&set);
    for (int i = 0; i < KEYS; i++)
        assert_int_equal(og_seen_keys_add(&set, name_of(i)), OG_KEY_NEW);
    for (size_t slot = 0; slot < set.cap * 2; slot++) {
        size_t steps;

        if (!set.slots[slot])
            continue;
        steps = (slot - (size_t)set.entries[set.slots[slot] - 1].hash) & (set.cap * 2 - 1);
        away += steps;
        farthest = steps > farthest ? steps : farthest;
    }
    /* with the hash FNV all these keys would collide, and `away` would be some two million */
    assert_in_range(away, 0, 2 * KEYS);
    assert_in_range(farthest, 0, 200);
    og_seen_keys_clear(&set);
}

static void a_salt_is_another_function(void **state)
{
    int same = 0;

    (void)state;
    for (int i = 0; i < KEYS; i++) {
        assert_true(og_hash(name_of(i), 1) == og_hash(name_of(i), 1));
        same += (og_hash(name_of(i), 1) & 1023) == (og_hash(name_of(i), 2) & 1023);
    }
    assert_in_range(same, 0, 40);
    assert_true(og_hash(OG_STR("abcdefgh"), 0) != og_hash(OG_STR("abcdefgh\0"), 0));
    assert_true(og_hash_secret() != 0);
}

static void a_document_of_chosen_keys_is_read(void **state)
{
    struct og_buf b;
    cJSON *doc;

    (void)state;
    og_buf_init(&b, 0);
    for (int i = 0; i < KEYS; i++)
        og_buf_format(&b, "%c\"%s\":{\"%s\":%d}", i ? ',' : '{', names[i], names[i], i);
    og_buf_text(&b, "}");
    assert_int_equal(og_doc_read(b.s, b.len, "chosen", &doc, NULL), OG_OK);
    cJSON_Delete(doc);
    og_buf_reset(&b);
    og_buf_format(&b, "{\"%s\":1,\"%s\":2,\"%s\":3}", names[0], names[1], names[0]);
    assert_int_equal(og_doc_read(b.s, b.len, "chosen", &doc, NULL), OG_ESYNTAX);
    og_buf_clear(&b);
}

/* A document may have an array with the greatest allowed number of values, and not one more. */
static void a_document_has_so_many_values(void **state)
{
    const size_t len = (size_t)OG_DOC_VALUES * 2;
    char *json = malloc(len + 3);
    struct og_error err = { 0 };
    cJSON *doc;

    (void)state;
    assert_non_null(json);
    for (size_t i = 0; i < len + 2; i += 2)
        memcpy(json + i, "0,", 2);
    json[0] = '[';
    json[1] = '0';
    for (size_t i = 2; i < len; i++)
        json[i] = i % 2 ? '0' : ',';
    json[len - 2] = ']';
    assert_int_equal(og_doc_read(json, len - 1, "many", &doc, &err), OG_OK);
    cJSON_Delete(doc);
    json[len - 2] = ',';
    json[len - 1] = '0';
    json[len] = ']';
    assert_int_equal(og_doc_read(json, len + 1, "many", &doc, &err), OG_ESYNTAX);
    assert_non_null(strstr(err.text, "more values than a document may have"));
    free(json);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chosen_keys_do_not_meet),
        cmocka_unit_test(a_salt_is_another_function),
        cmocka_unit_test(a_document_of_chosen_keys_is_read),
        cmocka_unit_test(a_document_has_so_many_values),
    };

    return cmocka_run_group_tests(tests, choose, NULL);
}
