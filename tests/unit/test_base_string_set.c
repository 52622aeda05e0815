/*
 * String sets of any size give the same answers as a linear search.
 */
#include <stdio.h>

#include "base/string_set.h"
#include "unit.h"

#define MOST 600

static void every_length(void **state)
{
    struct og_str word[MOST];
    char text[MOST][16];
    struct og_arena arena;

    (void)state;
    for (int i = 0; i < MOST; i++) {
        snprintf(text[i], sizeof text[i], "%c%d", 'A' + i % 7, i / 3);
        word[i] = og_str_of(text[i]);
    }
    for (size_t count = 0; count <= MOST; count += count < 40 ? 1 : 93) {
        struct og_string_set words = { .word = word, .count = count };

        og_arena_init(&arena, 0);
        assert_true(og_string_set_index(&words, &arena));
        for (size_t i = 0; i < MOST; i++) {
            bool stands = false;

            for (size_t k = 0; k < count; k++)
                stands |= og_str_eq(word[k], word[i]);
            assert_int_equal(og_string_set_contains(&words, word[i]), stands);
        }
        assert_false(og_string_set_contains(&words, OG_STR("")));
        assert_false(og_string_set_contains(&words, (struct og_str){ NULL, 0 }));
        assert_false(og_string_set_contains(&words, OG_STR("A")));
        og_arena_clear(&arena);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_length),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
