/*
 * Checks custom rules: conditions that never or always hold, rules that find nothing, and rules whose end time has
 * passed. Rules of other files are not checked.
 */
#include "base/buf.h"
#include "lint/lint.h"
#include "lint/rule_predicates.h"
#include "lint/trial.h"

static struct og_srcloc place_of(const struct og_custom *c, enum og_entry_part part)
{
    return c->where[part];
}

/* Attach an ordinary order that the rule refuses. */
static void witness_refused(struct og_lint_run *l, const struct og_custom *c, struct og_lint_finding *f)
{
    static const enum og_security kinds[] = { OG_STOCK, OG_OPTION, OG_MLEG };

    for (size_t i = 0; f && i < 3 && !f->witness; i++)
        for (int side = OG_BUY; side <= OG_SELL && !f->witness; side++) {
            struct og_trial_order p = og_trial_ordinary_order(l->trial, kinds[i], (enum og_side)side, OG_LIMIT);
            const struct og_finding *found = og_decision_finds(og_trial_decide(l->trial, &p), c->rule.id, NULL, true);

            if (found && !found->unsure)
                f->witness = og_trial_witness(l->trial, "refused by '%s'", c->rule.id);
        }
}

/* Checks whether the requirement always holds, never holds or is always unknown for orders that meet the rule's
 * `when`. */
static struct og_lint_finding *check_require_under_when(struct og_lint_run *l, const struct og_custom *c)
{
    struct og_srcloc at = place_of(c, OG_PART_REQUIRE);
    int width = (int)c->require_text.len;
    enum og_proof always = og_lint_follows(l, c->when, c->require, true),
                  never = og_lint_follows(l, c->when, c->require, false);
    bool may_be_unknown = always && !never && og_lint_may_be_unknown(l, c->when, c->require);

    if (always && never)
        return og_lint_add_at_place(
            l, at, width, "condition-never",
            "the requirement is never known where 'when' holds%s: rule '%s' is unsure about every order it applies to",
            og_lint_exception_text(always < never ? always : never), c->rule.id);
    if (always)
        return og_lint_add_at_place(l, at, width, "condition-always",
                                    "the requirement always holds where 'when' does%s%s: rule '%s' finds nothing%s",
                                    may_be_unknown ? " and it is known" : "", og_lint_exception_text(always),
                                    c->rule.id, may_be_unknown ? " for certain" : "");
    if (never)
        return og_lint_add_at_place(l, at, width, "condition-never",
                                    "the requirement never holds where 'when' does%s: rule '%s' finds every order it "
                                    "applies to; if that is meant, write require: false",
                                    og_lint_exception_text(never), c->rule.id);
    return NULL;
}

static bool reads_name(const struct og_custom *c, const char *name)
{
    const char *const names[] = { name, NULL };

    return (c->when && og_expr_reads_one_of(c->when, names)) || og_expr_reads_one_of(c->require, names);
}

/* Report a rule that refuses every opening order while the daily counters are 0 (or within a cent of 0): such a rule
 * stops all trading, because no order can pass and change the counters. */
static struct og_lint_finding *check_never_begins(struct og_lint_run *l, const struct og_custom *c)
{
    static const struct og_expr_value low = { .as.number = { -1, 2 } }, high = { .as.number = { 1, 2 } };
    const char *named = NULL;
    struct og_logic *g = og_custom_refuses(c) ? og_lint_logic(l) : NULL;
    enum og_proof proof;
    int node;

    if (!g)
        return NULL;
    node = og_logic_and(g, og_logic_name(g, "order.opens"), og_logic_not(g, og_refused_by_custom(l, g, c)));
    for (const struct og_expr_named *n = og_expr_named; n < og_expr_leg_fields; n++)
        if (n->is.facts & (OG_FACT_PNL | OG_FACT_GATE) && reads_name(c, n->is.name)) {
            named = n->is.name;
            node = og_logic_and(g, og_logic_is(g, og_logic_number(g, named, OG_OP_LE, &high), OG_T),
                                og_logic_and(g, og_logic_is(g, og_logic_number(g, named, OG_OP_GE, &low), OG_T), node));
        }
    proof = named ? og_lint_never(l, g, node, OG_T) : OG_UNPROVED;
    if (!proof)
        return NULL;
    return og_lint_add_at_place(l, place_of(c, OG_PART_REQUIRE), (int)c->require_text.len, "never-begins",
                                "while %s is 0, as at the start of each day, no order that opens passes%s: is the "
                                "comparison the wrong way round?",
                                named, og_lint_exception_text(proof));
}

/* Check the rule's requirement. `require: false` is not reported, since it plainly says that no such order may pass.
 * Returns true if the requirement has a finding. */
static bool check_require(struct og_lint_run *l, const struct og_custom *c)
{
    struct og_srcloc at = place_of(c, OG_PART_REQUIRE);
    bool truth = true, plain = og_expr_is_constant(c->require, &truth);
    struct og_condition is;
    int width = (int)c->require_text.len;
    struct og_lint_finding *f = NULL;

    if (og_lint_check_expression(l, c->require, at))
        return true;
    if (plain && !truth) {
        og_lint_check_small_notional(l, c);
        return false;
    }
    is = og_lint_condition(l, c->require);
    if (is.is == OG_CONDITION_ALWAYS)
        f = og_lint_add_at_place(
            l, at, width, "condition-always", "the requirement always holds%s%s: rule '%s' finds nothing",
            is.may_be_unknown ? " where it is known" : "", og_lint_exception_text(is.proof), c->rule.id);
    else if (is.is == OG_CONDITION_NEVER)
        f = og_lint_add_at_place(
            l, at, width, "condition-never",
            "the requirement %s%s: rule '%s' finds every order it applies to; if that is meant, write require: false",
            is.past ? "no longer holds, since its time is past" : "never holds", og_lint_exception_text(is.proof),
            c->rule.id);
    else if (c->when)
        f = check_require_under_when(l, c);
    if (!f)
        f = check_never_begins(l, c);
    if (!f && !og_lint_check_multiples(l, c->require, at, c)) {
        og_lint_check_small_notional(l, c);
        og_lint_check_turned(l, c);
    }
    if (f && strcmp(f->fault.code, "condition-always") != 0)
        witness_refused(l, c, f);
    return f != NULL;
}

/* Returns true if the rule has a finding. */
static bool check_rule(struct og_lint_run *l, const struct og_custom *c)
{
    og_lint_check_end_date(l, &c->term, place_of(c, OG_PART_UNTIL));
    if (og_term_is_over(&c->term, l->options.now)) {
        (void)og_lint_add_at_place(l, place_of(c, OG_PART_UNTIL), 1, "until-past",
                                   "this rule ended at %s and no longer does anything: remove it",
                                   og_time_text(c->term.until).s);
        return true;
    }
    return !og_lint_check_when(l, c->when, place_of(c, OG_PART_WHEN),
                               og_lint_format(l, "rule '%s' applies to no order", c->rule.id), "leave it out") ||
           check_require(l, c);
}

void og_lint_check_custom_rules(struct og_lint_run *l)
{
    size_t count = l->policy->custom_count < OG_LINT_CUSTOMS ? l->policy->custom_count : OG_LINT_CUSTOMS;
    bool wrong[OG_LINT_CUSTOMS] = { false };

    for (size_t i = 0; i < count; i++) {
        const struct og_custom *c = l->policy->custom[i];
        bool here = og_lint_is_here(l, place_of(c, OG_PART_REQUIRE));

        wrong[i] = here && check_rule(l, c);
        if (here && !wrong[i]) {
            og_lint_check_undecidable_custom(l, c);
            og_lint_check_closes(l, c);
            og_lint_check_options_custom(l, c);
        }
    }
    if (count)
        og_lint_check_redundant_rules(l, wrong);
}
