/*
 * Overrides of two policies are matched wherever they moved.
 */
#include <stdio.h>

#include "diff/align.h"
#include "ordergate/policy.h"
#include "unit.h"

static struct og_policy *read_policy(const char *overrides)
{
    struct og_policy *p = NULL;
    char text[1000];
    int n = snprintf(text, sizeof text,
                     "ordergate: 1\nname: x\nextends: [default]\nrules: {order-notional: {level: refuse, most: 9, "
                     "overrides: [%s]}}\n",
                     overrides);

    assert_int_equal(og_policy_read(text, (size_t)n, "x.yaml", &p, NULL, NULL, NULL), OG_OK);
    return p;
}

/* Assert how overrides are matched. "0-1" is a pair of matched overrides, "m" means moved, "=" means no difference. */
static void aligned(const char *before, const char *after, const char *wanted)
{
    struct og_policy *policy[2] = { read_policy(before), read_policy(after) };
    struct og_alignment all;
    struct og_arena arena;
    char told[200] = "";
    size_t rule = 0;

    while (strcmp(og_rules[rule]->id, "order-notional") != 0)
        rule++;
    og_arena_init(&arena, 0);
    assert_true(og_align(&policy[0]->rules[rule], &policy[1]->rules[rule], &arena, &all));
    for (size_t i = 0; i < all.count; i++) {
        size_t len = strlen(told);

        snprintf(told + len, sizeof told - len, "%s%d>%d%s%s", i ? " " : "", all.twins[i].before, all.twins[i].after,
                 all.twins[i].moved ? "m" : "", all.twins[i].differs ? "" : "=");
    }
    assert_string_equal(told, wanted);
    og_arena_clear(&arena);
    og_policy_free(policy[0]);
    og_policy_free(policy[1]);
}

#define A "{match: {symbol: A}, most: 1}"
#define B "{match: {symbol: B}, most: 2}"
#define C "{match: {symbol: C}, most: 3}"

static void alignment(void **state)
{
    (void)state;
    aligned("", "", "");
    aligned(A, A, "0>0=");
    aligned(A ", " B, A ", " C ", " B, "0>0= -1>1 1>2=");
    aligned(A ", " B ", " C, A ", " C, "0>0= 2>1= 1>-1");
    aligned(A ", " B, B ", " A, "1>0= 0>1m");
    aligned(A ", " B, A ", {match: {symbol: BB}, most: 2}", "0>0= 1>1");
    aligned(A, "{match: {symbol: A}, most: 7}", "0>0");
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(alignment) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
