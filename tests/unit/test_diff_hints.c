/*
 * The parts of the search for example orders: conditions are split into atoms and implicants, and overrides are
 * matched wherever they moved.
 */
#include "unit.h"

#include <stdio.h>

#include "diff/align.h"
#include "diff/atoms.h"
#include "ordergate/policy.h"

/* "!(a) b" for an implicant: its demands, in the order in which they were met. */
static void way_text(const struct og_atoms *atoms, const struct og_atom_demand *demands, int count, char *to,
                     size_t size)
{
    to[0] = '\0';
    for (int i = 0; i < count; i++) {
        const struct og_expr *e = &atoms->atom[demands[i].atom].expr;
        size_t len = strlen(to);

        snprintf(to + len, size - len, "%s%s%zu", i ? " " : "", demands[i].truth ? "" : "!", e->length);
    }
}

static void ways_of(const char *text, bool truth, const char *const *wanted)
{
    struct og_atom_demand demands[OG_ATOMS_MOST];
    struct og_patterns *patterns = NULL;
    struct og_expr_diagnostic fault;
    struct og_arena arena;
    static struct og_atoms atoms;
    const struct og_expr *e;
    char told[200];
    int count;
    size_t i = 0;

    og_arena_init(&arena, 0);
    e = og_expr_compile(og_str_of(text), OG_EXPR_BOOL, NULL, &arena, &patterns, &fault);
    assert_non_null(e);
    assert_true(og_atoms_of(e, &arena, &atoms));
    for (; (count = og_atoms_implicant(&atoms, truth, i, demands)) >= 0; i++) {
        way_text(&atoms, demands, count, told, sizeof told);
        assert_non_null(wanted[i]);
        assert_string_equal(told, wanted[i]);
    }
    assert_null(wanted[i]);
    og_arena_clear(&arena);
}

/* Atoms are told apart by how many instructions they are. */
static void ways(void **state)
{
    (void)state;
    ways_of("order.opens", true, (const char *const[]){ "1", NULL });
    ways_of("!order.opens", true, (const char *const[]){ "!1", NULL });
    ways_of("order.opens && order.limitPrice > 5.0", true, (const char *const[]){ "1 3", NULL });
    ways_of("order.opens && order.limitPrice > 5.0", false, (const char *const[]){ "!1", "!3", NULL });
    ways_of("order.opens || !(session.open && order.limitPrice * 2.0 > 5.0)", true,
            (const char *const[]){ "1", "!1", "!5", NULL });
    ways_of("order.opens || !(session.open && order.limitPrice * 2.0 > 5.0)", false,
            (const char *const[]){ "!1 1 5", NULL });
    ways_of("(order.opens ? order.limitPrice : 1.0) > 5.0 && session.open", true, (const char *const[]){ "7 1", NULL });
    ways_of("order.legs.all(l, l.ratio < 3 && l.strike > 5.0) && session.open", true,
            (const char *const[]){ "13 1", NULL });
}

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

/* "0-1" twins, "m" moved, "=" no different. */
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
    const struct CMUnitTest tests[] = { cmocka_unit_test(ways), cmocka_unit_test(alignment) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
