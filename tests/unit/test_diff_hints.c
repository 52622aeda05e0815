/*
 * The parts of the search for example orders: conditions are split into atoms and implicants, and overrides are
 * matched wherever they moved.
 */
#include "unit.h"

#include <stdio.h>

#include "diff/align.h"
#include "diff/atoms.h"
#include "ordergate/policy.h"

static struct og_patterns *patterns;
static struct og_arena memory; /* of the expressions of one case */

static const struct og_expr *compiled(const char *text)
{
    struct og_expr_diagnostic diagnostic;
    const struct og_expr *e = og_expr_compile(og_str_of(text), OG_EXPR_BOOL, NULL, &memory, &patterns, &diagnostic);

    assert_non_null(e);
    return e;
}

/* Returns true if two expressions have the same operations on the same names, one after the other. */
static bool is_same(const struct og_expr *a, const struct og_expr *b)
{
    for (size_t i = 0; i < a->length && i < b->length; i++)
        if (a->code[i].op != b->code[i].op || (a->code[i].op == OG_OP_NAME && a->code[i].arg != b->code[i].arg))
            return false;
    return a->length == b->length;
}

/* The letter of an atom: 'a' for the first of the expected texts. */
static char letter_of(const struct og_expr *atom, const char *const *texts)
{
    for (int i = 0; texts[i]; i++)
        if (is_same(atom, compiled(texts[i])))
            return (char)('a' + i);
    return '?';
}

/* Split `text` and compare its implicants: "a !b" demands that the first of the atoms is true and the second false. */
static void implicants_of(const char *text, bool truth, const char *const *atom_texts, const char *const *wanted)
{
    struct og_atom_demand demands[OG_ATOMS_MOST];
    static struct og_atoms atoms;
    int count;
    size_t i = 0;

    og_arena_init(&memory, 0);
    assert_true(og_atoms_of(compiled(text), &memory, &atoms));
    for (; (count = og_atoms_implicant(&atoms, truth, i, demands)) >= 0; i++) {
        char seen[200] = "";

        for (int k = 0; k < count; k++) {
            size_t len = strlen(seen);

            snprintf(seen + len, sizeof seen - len, "%s%s%c", k ? " " : "", demands[k].truth ? "" : "!",
                     letter_of(&atoms.atom[demands[k].atom].expr, atom_texts));
        }
        assert_non_null(wanted[i]);
        assert_string_equal(seen, wanted[i]);
    }
    assert_null(wanted[i]);
    og_arena_clear(&memory);
}

#define TEXTS(...) ((const char *const[]){ __VA_ARGS__, NULL })

static void implicants(void **state)
{
    const char *const opens_or = "order.opens || !(session.open && order.limitPrice * 2.0 > 5.0)";
    const char *const *three = TEXTS("order.opens", "session.open", "order.limitPrice * 2.0 > 5.0");
    const char *const choice = "(order.opens ? order.limitPrice : 1.0) > 5.0";
    const char *const loop = "order.legs.all(l, l.ratio < 3 && l.strike > 5.0)";
    char both[200];

    (void)state;
    implicants_of("order.opens", true, TEXTS("order.opens"), TEXTS("a"));
    implicants_of("!order.opens", true, TEXTS("order.opens"), TEXTS("!a"));
    implicants_of("order.opens && order.limitPrice > 5.0", true, TEXTS("order.opens", "order.limitPrice > 5.0"),
                  TEXTS("a b"));
    implicants_of("order.opens && order.limitPrice > 5.0", false, TEXTS("order.opens", "order.limitPrice > 5.0"),
                  TEXTS("!a", "!b"));
    implicants_of(opens_or, true, three, TEXTS("a", "!b", "!c"));
    implicants_of(opens_or, false, three, TEXTS("!a b c"));
    snprintf(both, sizeof both, "%s && session.open", choice);
    implicants_of(both, true, TEXTS(choice, "session.open"), TEXTS("a b"));
    snprintf(both, sizeof both, "%s && session.open", loop);
    implicants_of(both, true, TEXTS(loop, "session.open"), TEXTS("a b"));
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
    const struct CMUnitTest tests[] = { cmocka_unit_test(implicants), cmocka_unit_test(alignment) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
