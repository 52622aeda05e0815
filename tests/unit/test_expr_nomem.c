/*
 * Every allocation of compiling an expression and a message fails once, in turn: the status is "out of memory",
 * reported without a code, and nothing leaks.  (PCRE2's own allocations do not fail.)
 */
#include "expr/expr.h"
#include "nomem.h"
#include "unit.h"

static const char text[] = "order.symbol in lists.meme + [\"X\"] && [order.side, \"a\\tb\"].exists(x, "
                           "x.matches(\"^S\") || "
                           "x in [\"a\", \"b\", \"c\", \"d\", \"e\", \"f\", \"g\", \"h\", \"i\"]) && order.limitPrice "
                           "* 2 + 1 > order.stopPrice / 3.5 - 4 && order.symbol + \"a\" + \"b\" != \"\"";
static const char message[] = "short of {order.symbol + \"s\"} below {lists.meme[0]}";

static struct og_arena arena;
static struct og_patterns *patterns;
static struct og_expr_diagnostic fault;
static struct og_str words[] = { { "GME", 3 }, { "AMC", 3 } };

static const void *make_expr(const struct og_expr_names *names)
{
    return og_expr_compile(OG_STR(text), OG_EXPR_BOOL, names, &arena, &patterns, &fault);
}

static const void *make_message(const struct og_expr_names *names)
{
    return og_expr_message_compile(OG_STR(message), names, &arena, &patterns, &fault);
}

static void fail_each(const void *(*make)(const struct og_expr_names *), long least)
{
    long n = 1;
    bool done = false;

    for (; !done; n++) {
        struct og_expr_list list = { .name = OG_STR("meme"), .words = { .word = words, .count = 2 } };
        struct og_expr_names names = { &list, 1 };
        const void *made;

        og_arena_init(&arena, 0);
        patterns = NULL;
        nomem_at(n);
        made = make(&names);
        done = !nomem_hit();
        if (done) {
            assert_non_null(made);
        } else {
            assert_null(made);
            assert_null(fault.code);
            assert_string_equal(fault.text, "out of memory");
        }
        for (; patterns; patterns = patterns->next)
            og_pattern_free(patterns->pattern);
        og_arena_clear(&arena);
    }
    assert_true(n > least);
}

static void test_an_expression(void **state)
{
    (void)state;
    fail_each(make_expr, 4);
}

static void test_a_message(void **state)
{
    (void)state;
    fail_each(make_message, 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_an_expression), cmocka_unit_test(test_a_message) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
