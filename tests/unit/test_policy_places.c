/*
 * Where the parts of a policy were written, and where in the file a byte of a text is.
 */
#include <stdio.h>

#include "policy/policy.h"
#include "unit.h"

static struct og_policy *read_policy(const char *yaml)
{
    struct og_policy *p;
    struct og_error err = { 0 };

    if (og_policy_read(yaml, strlen(yaml), "t.yaml", &p, NULL, NULL, &err) != OG_OK)
        fail_msg("%d:%d %s", err.line, err.col, err.text);
    return p;
}

static const struct og_policy_rule *rule_of(const struct og_policy *p, const char *id)
{
    for (size_t i = 0; i < og_rules_size; i++)
        if (strcmp(p->rules[i].rule->id, id) == 0)
            return &p->rules[i];
    fail_msg("no rule %s", id);
    return NULL;
}

static void at(struct og_srcloc place, const char *name, int line, int col)
{
    assert_non_null(place.source);
    assert_string_equal(place.source->name, name);
    assert_int_equal(place.line, line);
    assert_int_equal(place.col, col);
}

static void parts_are_where_they_were_written_last(void **state)
{
    struct og_policy *p = read_policy("ordergate: 1\n"
                                      "extends: [live]\n"
                                      "unsure: refuse\n"
                                      "mode: warn\n"
                                      "max_age: {quotes: 1s}\n"
                                      "rules:\n"
                                      "  price-collar:\n"
                                      "    mode: shadow\n"
                                      "    away: 3%\n"
                                      "    overrides:\n"
                                      "      - match: {symbol: A}\n"
                                      "        away: 4%\n");
    const struct og_policy_rule *r = rule_of(p, "price-collar");
    const struct og_override *o = &r->overrides[0];

    (void)state;
    at(p->where[OG_PART_UNSURE], "t.yaml", 3, 9);
    at(p->where[OG_PART_MODE], "t.yaml", 4, 7);
    at(p->age_where[__builtin_ctz(OG_FACT_QUOTE)], "t.yaml", 5, 19);
    assert_string_equal(p->age_where[__builtin_ctz(OG_FACT_ACCOUNT)].source->name, "live");
    assert_null(p->where[OG_PART_ENVIRONMENT].source);
    at(r->where[OG_PART_SELF], "t.yaml", 7, 3);
    at(r->where[OG_PART_MODE], "t.yaml", 8, 11);
    at(r->where[OG_ENTRY_PARTS + 0], "t.yaml", 9, 11);
    assert_null(r->where[OG_PART_UNSURE].source);
    assert_string_equal(r->where[OG_PART_LEVEL].source->name, "default");
    at(o->where[OG_PART_SELF], "t.yaml", 11, 9);
    at(o->where[OG_ENTRY_PARTS + 0], "t.yaml", 12, 15);
    assert_null(o->where[OG_PART_LEVEL].source);
    og_policy_free(p);
}

/* Assert that character c of the first scalar after "x: " is at this line and column. */
static void inside(const char *bytes, char c, int line, int col)
{
    struct og_arena arena;
    struct og_policy_file origin = { .name = "t", .bytes = og_str_of(bytes) };
    struct og_yaml *root = NULL;
    struct og_srcloc place;
    const char *found;

    og_arena_init(&arena, 0);
    assert_int_equal(og_yaml_read(bytes, strlen(bytes), &arena, NULL, NULL, &root), OG_OK);
    found = memchr(root->first->text.s, c, root->first->text.len);
    assert_non_null(found);
    place = og_srcloc_inside(og_srcloc_of(&origin, root->first), (size_t)(found - root->first->text.s));
    if (place.line != line || place.col != col)
        fail_msg("%s: %c is at %d:%d, not %d:%d", bytes, c, place.line, place.col, line, col);
    if (line != root->first->line || col != root->first->col)
        assert_int_equal(bytes[place.offset], c);
    og_arena_clear(&arena);
}

static void bytes_of_texts_are_found_in_the_file(void **state)
{
    (void)state;
    inside("x: abcZ\n", 'Z', 1, 7);
    inside("x: abcZ\n", 'a', 1, 4);
    inside("x: 'a''bZ'\n", 'Z', 1, 9);
    inside("x: \"a\\\"b\\u00e9\\x41Z\"\n", 'Z', 1, 19);
    inside("x: \"\xC3\xA4Z\"\n", 'Z', 1, 7); /* columns are bytes */
    inside("x: a b\n   Z c\n", 'Z', 2, 4);
    inside("x: 'a b  \n   Z c'\n", 'Z', 2, 4);
    inside("x: |\n  ab\n  Z\n", 'Z', 3, 3);
    inside("x: |-\n  ab\n\n    Z\n", 'Z', 4, 5);
    inside("x: >\n  ab\n  cZ\n", 'Z', 3, 4);
    inside("x: >-\n\n  abZ\n", 'Z', 1, 4); /* folded text: the place is where the scalar begins */
    inside("x: a\n\n   Z\n", 'Z', 1, 4);   /* likewise */
    inside("x: |2\n   abZ\n", 'Z', 1, 4);  /* the indentation is given explicitly */
    inside("x: >\n  ab\n    c\n  Z\n", 'Z', 1, 4);
}

static void an_end_is_a_place_too(void **state)
{
    struct og_policy_file origin = { .name = "t", .bytes = og_str_of("abc") };
    struct og_srcloc start = { .source = &origin, .line = 1, .col = 1 }, end = og_srcloc_inside(start, 3);

    (void)state;
    assert_int_equal(end.col, 4);
    assert_int_equal(og_srcloc_inside(start, 9).col, 1);                                      /* the text has no such
                                                                                               * byte */
    assert_int_equal(og_srcloc_inside((struct og_srcloc){ .line = 7, .col = 2 }, 1).line, 7); /* the place is in no
                                                                                               * file */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_are_where_they_were_written_last),
        cmocka_unit_test(bytes_of_texts_are_found_in_the_file),
        cmocka_unit_test(an_end_is_a_place_too),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
