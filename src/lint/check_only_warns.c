/*
 * Checks for settings beside 'level: refuse' that only warn. The level of a rule lowers the levels of its reasons and
 * raises none, so a reason whose own level is warn still warns. The reason's documentation page and `policy show` give
 * this own level.
 */
#include "lint/lint.h"
#include "lint/trial.h"

/* Returns the index of the reason with this id in the rule; -1 if the rule has no such reason. */
static int reason_of(const struct og_rule *rule, const char *id)
{
    for (int i = 0; id && i < (int)rule->reason_count; i++)
        if (strcmp(rule->reasons[i].id, id) == 0)
            return i;
    return -1;
}

/* Attach an order with a price far from the market, if the policy accepts the order and warns by this reason. */
static void witness_warning(struct og_lint_run *l, size_t rule, const char *reason, struct og_lint_finding *f)
{
    for (int security = OG_STOCK; security <= OG_OPTION && !f->witness; security++) {
        struct og_trial_order p = og_trial_ordinary_order(l->trial, (enum og_security)security, OG_BUY, OG_LIMIT);
        const struct og_decision *d;

        p.bid = (struct og_money){ 49, 2 };
        p.ask = (struct og_money){ 51, 2 };
        d = og_trial_decide(l->trial, &p);
        if (d->accepted && og_decision_finds(d, og_rules[rule]->id, reason, false))
            f->witness = og_trial_witness(l->trial, "accepted, since '%s' only warns", reason);
    }
}

/* Returns true if the extended policies already have the rule at refuse. An entry that repeats the level is then
 * expected to raise something, and is reported. If the rule was off or at a lower level there, the entry has an
 * effect. */
static bool is_repeated(struct og_lint_run *l, size_t rule)
{
    const struct og_policy *base = og_lint_extended(l);

    return base && base->rules[rule].setting.level == OG_LEVEL_REFUSE;
}

/* Report a setting whose reason only warns although the level of its rule is refuse. k: the override that has it; below
 * 0 means the rule itself. */
static void check_setting(struct og_lint_run *l, size_t rule, int k, const struct og_param *p)
{
    const struct og_yaml *set = og_lint_key_node(l, og_rules[rule]->id, k, p->key),
                         *level = og_lint_key_node(l, og_rules[rule]->id, k, "level");
    int i = reason_of(og_rules[rule], p->finds), weighs;
    struct og_lint_finding *f;

    if (i < 0 || !set || !level || !og_str_is(level->text, "refuse"))
        return;
    weighs = og_lint_setting(l, rule, k)->reason_level[i];
    if (weighs < 0)
        weighs = (int)og_rules[rule]->reasons[i].level;
    if (weighs >= OG_LEVEL_REFUSE || !is_repeated(l, rule))
        return;
    f = og_lint_add(
        l, set, "only-warns",
        "'level: refuse' does not raise the level of what this setting finds: '%s' is at %s; for it to refuse, "
        "add reasons: {%s: refuse}",
        p->finds, og_level_name((enum og_level)weighs), p->finds);
    witness_warning(l, rule, p->finds, f);
}

void og_lint_check_only_warns(struct og_lint_run *l)
{
    for (size_t i = 0; i < og_rules_size; i++) {
        size_t count = og_lint_override_count(l, i);

        OG_EACH_PARAM (p, og_rules[i])
            for (int k = -1; p->finds && k < (int)(count < 200 ? count : 200); k++)
                check_setting(l, i, k, p);
    }
}
