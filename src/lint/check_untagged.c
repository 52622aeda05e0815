/*
 * Checks for limits by orders' tags that an order escapes by having no tag: only overrides for tags set a limit, and no
 * other rule refuses an order without a tag.  Whoever writes the orders could then leave the tag out.  Reported only if
 * a trial order without a tag is accepted.
 */
#include <stdio.h>

#include "lint/lint.h"
#include "lint/override_match.h"
#include "policy/rule_entry.h"

#define OVERRIDES_MOST 200 /* maximum number of overrides of one rule that are tried */
#define COST           40  /* what deciding one order takes from the budget, in microseconds */

/* Returns true if the override is for tags and can refuse an order. */
static bool limits_tags(const struct og_lint_run *l, size_t rule, size_t k)
{
    static const char *const tag_names[] = { "order.tag", NULL };
    const struct og_override *o = &l->policy->rules[rule].overrides[k];

    return (o->tag || og_expr_reads_one_of(o->when, tag_names)) && og_lint_binds(l, rule, (int)k) &&
           !og_limits_nothing(og_rules[rule], &o->setting);
}

/* Decide an order of this kind that differs from the override's orders only by having no tag. Returns true if the order
 * is accepted. */
static bool accepts_untagged(struct og_lint_run *l, const struct og_override *o, enum og_security security,
                             enum og_side side)
{
    struct og_trial_order p = og_trial_ordinary_order(l->trial, security, side, OG_LIMIT);

    p.made = true;
    if (!og_override_fit_order(l, o, &p))
        return false;
    p.tag[0] = '\0';
    snprintf(p.client_id, sizeof p.client_id, "lint1"); /* an id without punctuation has no prefix that could be a
                                                         * tag */
    return og_lint_spend(l, COST) && og_trial_decide(l->trial, &p)->accepted;
}

/* Returns true if the override was reported. */
static bool check_override(struct og_lint_run *l, size_t rule, size_t k, const struct og_yaml *node)
{
    const struct og_override *o = &l->policy->rules[rule].overrides[k];
    const struct og_yaml *match = og_yaml_get(node, "match"), *tag = match ? og_yaml_get(match, "tag") : NULL;
    struct og_lint_finding *f;
    bool escapes = false;

    for (int kind = 0; kind < 4 && !escapes; kind++)
        escapes = accepts_untagged(l, o, kind < 2 ? OG_STOCK : OG_OPTION, kind % 2 ? OG_SELL : OG_BUY);
    if (!escapes)
        return false;
    f = og_lint_add(l, tag ? tag : node, "untagged-escapes",
                    "an order without a tag escapes this limit, and rule '%s' sets none for it: give the rule itself a "
                    "limit, or add order-tag: refuse",
                    og_rules[rule]->id);
    f->witness = og_trial_witness(l->trial, "accepted: it has no tag");
    return true;
}

void og_lint_check_untagged(struct og_lint_run *l)
{
    for (size_t i = 0; i < og_rules_size; i++) {
        size_t count = og_rules[i]->by_tag ? og_lint_override_count(l, i) : 0, k = 0;

        count = count < OVERRIDES_MOST ? count : OVERRIDES_MOST;
        while (k < count && !(limits_tags(l, i, k) && og_lint_override_node(l, i, k) &&
                              check_override(l, i, k, og_lint_override_node(l, i, k))))
            k++;
    }
}
