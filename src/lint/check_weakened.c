/*
 * Reports what a policy takes back from a policy for live accounts that it extends: a rule that is off, or that refuses
 * less by its level, its mode or its `unsure`, and an override that replaces one of the extended policies by a much
 * wider limit.  What a reason is set to by its own name is not reported: that is how one softens a single reason.
 */
#include "base/buf.h"
#include "lint/lint.h"
#include "lint/override_condition.h"
#include "policy/rule_entry.h"
#include "policy/strictness.h"
#include "policy/value.h"

#define OVERRIDES_MOST 200 /* maximum number of overrides of one rule that are looked at */
#define TIMES          2   /* an override that allows at most this many times as much is a desk's own number */

const struct og_policy *og_lint_live_base(struct og_lint_run *l)
{
    const struct og_policy *base = og_lint_extended(l);

    return base && base->unsure == OG_UNSURE_REFUSE ? base : NULL;
}

/* Returns true if the rule's entry in the file sets more than the level: check_settings.c then reports it
 * (setting-off). */
static bool has_values(const struct og_lint_run *l, const struct og_rule *rule)
{
    OG_EACH_PARAM (p, rule)
        if (og_lint_key_node(l, rule->id, -1, p->key))
            return true;
    return false;
}

static enum og_level level_of(const struct og_rule *rule, const struct og_rule_setting *s, size_t reason)
{
    const enum og_level natural = rule->reasons[reason].level;

    if (s->reason_level[reason] >= 0)
        return (enum og_level)s->reason_level[reason];
    return natural < s->level ? natural : s->level;
}

/* Returns true if orders that the rule refused under `before` are sent under `after`, and trade: the rule is a limit,
 * or the broker is not known to reject them. */
static bool lets_more_trade(const struct og_rule *rule, const struct og_rule_setting *before,
                            const struct og_rule_setting *after)
{
    for (size_t i = 0; i < rule->reason_count; i++) {
        const enum og_channel channel = rule->reasons[i].predicts.channel;

        if (level_of(rule, before, i) == OG_LEVEL_REFUSE && level_of(rule, after, i) < OG_LEVEL_REFUSE &&
            (rule->limit || channel == OG_CHANNEL_NONE || channel == OG_CHANNEL_ACCEPTED))
            return true;
    }
    return false;
}

/* Report an entry of a rule, or of its k-th override, that refuses less than `before` does. */
static void check_entry(struct og_lint_run *l, size_t rule, int k, const struct og_rule_setting *before)
{
    const struct og_rule *r = og_rules[rule];
    const struct og_rule_setting *now = og_lint_setting(l, rule, k);
    const struct og_yaml *level = og_lint_key_node(l, r->id, k, "level"), *mode = og_lint_key_node(l, r->id, k, "mode"),
                         *unsure = og_lint_key_node(l, r->id, k, "unsure");
    const char *whose = k < 0 ? "here" : "for these orders";

    if (before->level != OG_LEVEL_REFUSE || before->mode != OG_MODE_ENFORCE)
        return;
    if (level && now->level < OG_LEVEL_REFUSE &&
        (now->level > OG_LEVEL_OFF ? lets_more_trade(r, before, now) : k >= 0 || !has_values(l, r)))
        og_lint_add(l, level, "rule-weakened",
                    "rule '%s' %s %s, and the policies that this one extends refuse by it: what it refuses would be "
                    "sent",
                    r->id,
                    now->level == OG_LEVEL_OFF ? "is off"
                    : r->limit                 ? "refuses nothing"
                                               : "refuses less",
                    whose);
    if (mode && now->level == OG_LEVEL_REFUSE && now->mode != OG_MODE_ENFORCE)
        og_lint_add(l, mode, "rule-weakened",
                    "rule '%s' refuses nothing %s, in mode %.*s, and the policies that this one extends enforce it: "
                    "try out a stricter value in a custom rule, or in another policy",
                    r->id, whose, (int)mode->text.len, mode->text.s);
    if (unsure && now->level == OG_LEVEL_REFUSE && now->unsure == OG_UNSURE_WARN &&
        before->unsure == OG_UNSURE_REFUSE && r->reads)
        og_lint_add(l, unsure, "rule-weakened",
                    "rule '%s' lets orders pass %s while a fact is missing, and the policies that this one extends "
                    "refuse them",
                    r->id, whose);
}

/* --- overrides ---------------------------------------------------------------------------------------------------- */

/* Returns true if the override is for a whole kind of orders.  One for single symbols, accounts or strategies, or with
 * a condition, is an exception that its author makes for these. */
static bool is_for_a_kind(const struct og_override *o)
{
    return !o->symbol && !o->account && !o->tag && !o->when && !o->split;
}

/* Returns true if what the setting limits refuses under `s`. */
static bool refuses_by(const struct og_rule *rule, const struct og_param *p, const struct og_rule_setting *s)
{
    for (size_t i = 0; i < rule->reason_count; i++)
        if (p->finds && strcmp(rule->reasons[i].id, p->finds) == 0)
            return level_of(rule, s, i) == OG_LEVEL_REFUSE;
    return s->level == OG_LEVEL_REFUSE;
}

/* Returns true if value a of the setting allows more than TIMES as much as value b, which is a number above 0. */
static bool is_much_wider(const struct og_param *p, const void *a, const void *b)
{
    struct og_money wide, narrow;

    if (p->tighter != OG_TIGHTER_LOWER || p->kind == OG_PARAM_CHOICE || !og_lint_number(p, a, &wide) ||
        !og_lint_number(p, b, &narrow) || narrow.coef <= 0)
        return false;
    return (p->zero_is_none && wide.coef == 0) ||
           (og_money_times(narrow, TIMES, &narrow) && og_money_cmp(wide, narrow) > 0);
}

/* Report values of an override that are much wider than those of the extended override that it replaces. */
static void check_values(struct og_lint_run *l, size_t rule, size_t k, const struct og_rule_setting *before)
{
    const struct og_rule_setting *now = og_lint_setting(l, rule, (int)k);
    char text[200];
    struct og_buf was;

    if (!before->settings || !now->settings || before->mode != OG_MODE_ENFORCE)
        return;
    OG_EACH_PARAM (p, og_rules[rule]) {
        const struct og_yaml *set = og_lint_key_node(l, og_rules[rule]->id, (int)k, p->key);

        if (!set || !refuses_by(og_rules[rule], p, before) || !is_much_wider(p, now->settings, before->settings))
            continue;
        og_buf_init_fixed(&was, text, sizeof text);
        og_value_write(p, before->settings, &was);
        og_lint_add(l, set, "rule-weakened",
                    "'%s' is %.*s for these orders, and %s in the policies that this one extends: what that refuses "
                    "would be sent",
                    p->key, (int)set->text.len, set->text.s, was.bad ? "less" : was.s);
    }
}

static void check_overrides(struct og_lint_run *l, size_t rule, const struct og_policy_rule *base)
{
    const size_t own = og_lint_override_count(l, rule);
    const struct og_policy_rule *r = &l->policy->rules[rule];

    for (size_t k = 0; k < own && k < OVERRIDES_MOST; k++) {
        bool replaces = false;

        if (!is_for_a_kind(&r->overrides[k]) || !og_lint_override_node(l, rule, k))
            continue;
        for (size_t j = own; j < r->override_count && r->override_count - own == base->override_count; j++) {
            if (!is_for_a_kind(&r->overrides[j]) || og_override_is_within(l, rule, j, k) == OG_UNPROVED)
                continue;
            check_entry(l, rule, (int)k, &base->overrides[j - own].setting);
            check_values(l, rule, k, &base->overrides[j - own].setting);
            replaces = true;
            break;
        }
        if (!replaces)
            check_entry(l, rule, (int)k, &base->setting);
    }
}

void og_lint_check_weakened(struct og_lint_run *l)
{
    const struct og_policy *base = og_lint_live_base(l);

    for (size_t i = 0; base && i < og_rules_size; i++) {
        check_entry(l, i, -1, &base->rules[i].setting);
        check_overrides(l, i, &base->rules[i]);
    }
}
