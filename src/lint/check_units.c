/*
 * Checks units in expressions: an amount compared with a multiple that looks like a percentage, and a custom rule that
 * accepts no order worth more than one share.  Only plain multiples such as 3 * x are read, and bounds that a desk may
 * mean are not reported.
 */
#include <ctype.h>
#include <stdio.h>

#include "expr/program.h"
#include "lint/lint.h"
#include "lint/trial.h"
#include "lint/witness_search.h"
#include "solver/comparisons.h"
#include "solver/logic.h"

/* --- multiples ---------------------------------------------------------------------------------------------------- */

/* The product times * over / under. `over` or `under` is NULL if the product lacks this factor. */
struct multiple {
    const struct og_expr_name *over, *under;
    struct og_money times;
};

#define DEPTH_MOST 12

static bool multiply(const struct multiple *a, const struct multiple *b, bool divided, struct multiple *out)
{
    const struct og_expr_name *over = divided ? b->under : b->over, *under = divided ? b->over : b->under;

    if ((a->over && over) || (a->under && under))
        return false;
    out->over = a->over ? a->over : over;
    out->under = a->under ? a->under : under;
    return divided ? b->times.coef != 0 && og_expr_divide(a->times, b->times, &out->times)
                   : og_money_mul(a->times, b->times, &out->times);
}

static bool read_multiple(const struct og_expr_node *n, int depth, struct multiple *out)
{
    struct multiple a, b;

    if (depth > DEPTH_MOST)
        return false;
    *out = (struct multiple){ .times = og_money_from(1) };
    switch (n->op) {
    case OG_OP_NAME: out->over = &og_expr_named[n->arg].is; return true;
    case OG_OP_CONST: out->times = n->value->as.number; return true;
    case OG_OP_NEGATE: return read_multiple(n - 1, depth + 1, out) && og_money_times(out->times, -1, &out->times);
    case OG_OP_MUL:
    case OG_OP_DIV:
        return n->aux == OG_OPERAND_NUMBER && read_multiple(n - 1, depth + 1, &b) &&
               read_multiple(og_expr_operand(n, 0), depth + 1, &a) && multiply(&a, &b, n->op == OG_OP_DIV, out);
    default: return false;
    }
}

/* Read a comparison of `over` with times * `under`. */
static bool read_comparison(const struct og_expr_node *n, struct multiple *out)
{
    struct multiple left, right, ratio;

    if (!og_comparison_orders(n) || n->aux != OG_OPERAND_NUMBER || !read_multiple(n - 1, 0, &right) ||
        !read_multiple(og_expr_operand(n, 0), 0, &left) || !multiply(&right, &left, true, &ratio))
        return false;
    *out = (struct multiple){ .over = ratio.under, .under = ratio.over, .times = ratio.times };
    return out->over && out->under && out->times.coef != 0;
}

/* --- implausible multiples ---------------------------------------------------------------------------------------- */

static const struct plausibility {
    enum og_measure of, by;
    int most; /* the greatest multiple that is plausible */
    /* shown: a description of an implausible order that is shown as the witness; NULL if there is none */
    const char *why, *shown;
} plausibilities[] = {
    { OG_MEASURE_PRICE, OG_MEASURE_PRICE, 50, "no order is meant so far from the market", "at ten times the market" },
    { OG_MEASURE_SPREAD, OG_MEASURE_PRICE, 1, "no spread is wider than its price", "20 bid and 100 asked" },
    { OG_MEASURE_WORTH, OG_MEASURE_EQUITY, 10, "no account can hold ten times its equity", "eleven times the equity" },
    { OG_MEASURE_LOSS, OG_MEASURE_EQUITY, 1, "no account can lose more than it has", NULL },
    { OG_MEASURE_QUANTITY, OG_MEASURE_VOLUME, 1, "no order is more than the day's whole volume", "a million shares" },
};

static bool is_beyond(const struct multiple *m, const struct plausibility *s)
{
    struct og_money times = m->times;

    if (m->over->measure != s->of || m->under->measure != s->by ||
        (times.coef < 0 && !og_money_times(times, -1, &times)))
        return false;
    return og_money_cmp(times, og_money_from(s->most)) > 0;
}

/* Returns the entry of the table whose greatest multiple is exceeded; NULL if none is. The multiple is looked up as
 * over/under, and, inverted, as under/over. */
static const struct plausibility *implausible_by(struct multiple *m)
{
    struct multiple other = { .over = m->under, .under = m->over };
    bool turned = og_expr_divide(og_money_from(1), m->times, &other.times);

    for (size_t i = 0; i < sizeof plausibilities / sizeof *plausibilities; i++) {
        if (is_beyond(m, &plausibilities[i]))
            return &plausibilities[i];
        if (turned && is_beyond(&other, &plausibilities[i])) {
            *m = other;
            return &plausibilities[i];
        }
    }
    return NULL;
}

/* --- witnesses ---------------------------------------------------------------------------------------------------- */

/* Attach an ordinary order that the rule refuses, or an implausible order that the rule accepts. */
static void witness_multiple(struct og_lint_run *l, const struct og_custom *c, const struct plausibility *s,
                             struct og_lint_finding *f)
{
    struct og_trial_order p = og_trial_ordinary_order(l->trial, OG_STOCK, OG_BUY, OG_LIMIT);
    const struct og_finding *found = og_decision_finds(og_trial_decide(l->trial, &p), c->rule.id, NULL, true);

    if (found && !found->unsure) {
        f->witness = og_trial_witness(l->trial, "an ordinary order, refused by '%s'", c->rule.id);
        return;
    }
    p.poor = true;
    p.price = og_money_from(100);
    p.bid = s->of == OG_MEASURE_PRICE    ? (struct og_money){ 999, 2 }
            : s->of == OG_MEASURE_SPREAD ? og_money_from(20)
                                         : p.bid;
    p.ask = s->of == OG_MEASURE_PRICE    ? (struct og_money){ 1001, 2 }
            : s->of == OG_MEASURE_SPREAD ? og_money_from(100)
                                         : p.ask;
    p.quantity = s->of == OG_MEASURE_WORTH ? 110000 : s->of == OG_MEASURE_QUANTITY ? 1000000 : 1;
    if (s->shown && og_trial_decide(l->trial, &p) && (!c->when || og_trial_truth(l->trial, c->when) == OG_TRUTH_TRUE) &&
        og_trial_truth(l->trial, c->require) == OG_TRUTH_TRUE)
        f->witness = og_trial_witness(l->trial, "%s, and within what '%s' requires", s->shown, c->rule.id);
}

/* Returns the offset of the factor in the text of a comparison with a multiple, such as the 3 of 3 * x: it is the last
 * number in the text.  *width: its length. */
static size_t place_of(const struct og_expr *e, const struct og_expr_node *comparison, int *width)
{
    const struct og_expr_node *n = comparison - 1;
    size_t at;

    while (n > og_expr_first(comparison) && n->op != OG_OP_CONST)
        n--;
    at = n->at;
    *width = 1;
    for (size_t i = at; i < e->text.len && (isdigit((unsigned char)e->text.s[i]) || e->text.s[i] == '.'); i++)
        *width = (int)(i - at) + 1;
    return at;
}

bool og_lint_check_multiples(struct og_lint_run *l, const struct og_expr *e, struct og_srcloc at,
                             const struct og_custom *c)
{
    for (const struct og_expr_node *n = og_expr_first(e->root); n <= e->root; n++) {
        struct og_money part;
        struct multiple m;
        const struct plausibility *s = read_comparison(n, &m) ? implausible_by(&m) : NULL;
        struct og_lint_finding *f;
        char per_cent[80] = "";
        size_t number;
        int width;

        if (!s)
            continue;
        if (og_expr_divide(m.times, og_money_from(100), &part))
            snprintf(per_cent, sizeof per_cent, ": %s%% is written %s", og_money_text(m.times).s,
                     og_money_text(part).s);
        number = place_of(e, n, &width);
        f = og_lint_add_at_place(l, og_srcloc_inside(at, number), width, "unit-slip",
                                 "%s is compared with %s times %s, and %s%s", m.over->name, og_money_text(m.times).s,
                                 m.under->name, s->why, per_cent);
        if (f && c)
            witness_multiple(l, c, s, f);
        return f != NULL;
    }
    return false;
}

/* --- bounds below the worth of one share -------------------------------------------------------------------------- */

static bool reads_notional(const struct og_expr *e)
{
    static const char *const worth[] = { "order.notional", NULL };

    return og_expr_reads_one_of(e, worth);
}

/* Returns a formula that is true for opening orders that pass the rule. more: orders worth at least `worth`; otherwise,
 * orders worth less. narrow: only orders to which the rule applies. */
static int passing_orders(struct og_logic *g, const struct og_custom *c, const struct og_expr_value *worth, bool more,
                          bool narrow)
{
    int of = og_logic_expr(g, c->when), required = og_logic_expr(g, c->require);
    int order = og_logic_and(g, og_logic_name(g, "order.opens"),
                             og_logic_number(g, "order.notional", more ? OG_OP_GE : OG_OP_LT, worth));

    if (narrow)
        return og_logic_and(
            g, order, og_logic_and(g, og_logic_is(g, of, OG_T), og_logic_is(g, required, more ? OG_T | OG_U : OG_T)));
    return og_logic_and(g, order,
                        og_logic_not(g, og_logic_and(g, og_logic_is(g, of, OG_T), og_logic_is(g, required, OG_F))));
}

static bool lets_pass_none(struct og_lint_run *l, const struct og_custom *c, int64_t least, bool narrow)
{
    struct og_expr_value worth = og_expr_int(least);
    struct og_logic *g = og_lint_logic(l);

    if (!og_lint_never(l, g, passing_orders(g, c, &worth, true, narrow), OG_T))
        return false;
    g = og_lint_logic(l);
    return !og_lint_never(l, g, passing_orders(g, c, &worth, false, narrow), OG_T) && !l->exhausted;
}

struct refused_by {
    const char *rule;
};

static bool is_refused_order(struct og_lint_run *l, const struct og_decision *d, void *with)
{
    const struct refused_by *by = with;
    const struct og_finding *f = og_decision_finds(d, by->rule, NULL, true);

    (void)l;
    return f && !f->unsure;
}

static void witness_small_notional(struct og_lint_run *l, const struct og_custom *c, struct og_lint_finding *f)
{
    uint64_t kinds = (og_order_kinds_of_security(OG_STOCK) | og_order_kinds_of_security(OG_OPTION)) &
                     og_order_kinds_of_type(OG_LIMIT),
             open = 0;
    struct refused_by by = { c->rule.id };
    struct og_witness_search s;

    for (uint64_t rest = kinds; rest; rest &= rest - 1)
        open |= og_order_kind(__builtin_ctzll(rest)).opens ? rest & -rest : 0;
    og_witness_search_begin(&s, open, 40);
    og_witness_search_add_values(&s, c->when);
    s.price[0] = og_money_from(600);
    s.prices = 1;
    s.quantities = s.worths = 0;
    if (og_witness_search_run(l, &s, NULL, is_refused_order, &by, NULL))
        f->witness = og_trial_witness(l->trial, "an ordinary order, refused by '%s'", c->rule.id);
}

/* Report a custom rule that accepts no opening order above the worth of one share, as check_settings.c reports such a
 * value of rule order-notional.  If the rule applies only to few orders, a lower worth is plausible too. */
void og_lint_check_small_notional(struct og_lint_run *l, const struct og_custom *c)
{
    int64_t least = 500;
    bool none;
    struct og_lint_finding *f;

    if (c->entry.setting.level < OG_LEVEL_WARN || !(reads_notional(c->when) || reads_notional(c->require)))
        return;
    none = lets_pass_none(l, c, least, false);
    if (!none && c->when && reads_notional(c->require)) {
        least /= 10;
        none = lets_pass_none(l, c, least, true);
    }
    if (!none)
        return;
    f = og_lint_add_at_place(l, c->where[OG_PART_REQUIRE], (int)c->require_text.len, "unit-slip",
                             "rule '%s' accepts no opening order%s that is worth %d or more, as one share of many "
                             "stocks and one contract of most options are: order.notional is in dollars",
                             c->rule.id, least < 500 ? ", of those it applies to," : "", (int)least);
    if (f)
        witness_small_notional(l, c, f);
}
