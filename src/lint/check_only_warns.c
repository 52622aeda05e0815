/*
 * Checks for settings that only warn although 'level: refuse' is beside them. The level of a rule lowers the levels of
 * its reasons and raises none, so a reason whose own level is warn still warns. The reason's documentation page and
 * `policy show` give this own level.  Also checks for latches that refuse nothing, and for latches that refuse closes
 * too.
 */
#include "base/latches.h"
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

/* Returns true if the extended policies already have the rule at level refuse. Repeating that level changes nothing, so
 * the author probably expects it to raise the reason's level: this is reported. If the rule was off or at a lower level
 * there, the entry has an effect. */
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

/* Returns the rule's reason that a tripped latch gives; -1 if it has none. */
static int latched_reason_of(const struct og_rule *rule)
{
    static const char ending[] = "-latched";

    for (int i = 0; i < (int)rule->reason_count; i++) {
        size_t len = strlen(rule->reasons[i].id);

        if (len >= sizeof ending && strcmp(rule->reasons[i].id + len - (sizeof ending - 1), ending) == 0)
            return i;
    }
    return -1;
}

/* Report a latch that refuses no order even when tripped, since its reason is below refuse at the level in force. */
static void check_latch(struct og_lint_run *l, size_t rule, int k)
{
    const struct og_yaml *set = og_lint_key_node(l, og_rules[rule]->id, k, "latch");
    int i = latched_reason_of(og_rules[rule]), weighs;
    const struct og_rule_setting *in_force;

    if (i < 0 || !set || og_str_is(set->text, "off"))
        return;
    in_force = og_lint_setting(l, rule, k);
    weighs = in_force->reason_level[i] < 0 ? (int)in_force->level : (int)in_force->reason_level[i];
    if (in_force->level == OG_LEVEL_OFF || weighs >= OG_LEVEL_REFUSE)
        return;
    (void)og_lint_add(l, set, "only-warns",
                      "a latch refuses nothing here: '%s' is at %s, so orders pass while the latch is tripped; "
                      "for it to refuse, set level: refuse, or leave 'latch' out",
                      og_rules[rule]->reasons[i].id, og_level_name((enum og_level)weighs));
}

/* Returns a close of a position that is held. */
static struct og_trial_order close_of(struct og_lint_run *l)
{
    struct og_trial_order p = og_trial_ordinary_order(l->trial, OG_STOCK, OG_SELL, OG_LIMIT);

    p.open_close = OG_CLOSE;
    p.held = p.made = true;
    return p;
}

/* Decide closes of a position while a latch is tripped.  Returns true if the rule refuses one by this reason. */
static bool refuses_a_close(struct og_lint_run *l, size_t rule, const char *reason)
{
    for (int latch = 0; latch < OG_LATCHES; latch++) {
        struct og_trial_order p = close_of(l);
        const struct og_decision *d;

        p.latch = og_latch_names[latch];
        d = og_trial_decide(l->trial, &p);
        if (d->reduces && og_decision_finds(d, og_rules[rule]->id, reason, true))
            return true;
    }
    return false;
}

/* Returns where this policy says whether the rule binds closes: in the rule, or for all rules. NULL: in neither. */
static const struct og_yaml *exits_node(const struct og_lint_run *l, size_t rule, int k)
{
    const struct og_yaml *own = og_lint_key_node(l, og_rules[rule]->id, k, "exits");

    return own ? own : og_yaml_get(l->root, "exits");
}

/* Report a latch that, once tripped, also refuses orders that only close, since 'exits: bind' applies to the latch as
 * well. */
static void check_latched_exits(struct og_lint_run *l, size_t rule, int k)
{
    const struct og_yaml *set = og_lint_key_node(l, og_rules[rule]->id, k, "latch"), *exits = exits_node(l, rule, k);
    int i = latched_reason_of(og_rules[rule]);
    struct og_money binds, trips;
    struct og_lint_finding *f;

    if (i < 0 || k >= 0 || (!set && !exits) || !og_lint_value(l, rule, k, "exits", &binds) || binds.coef == 0 ||
        !og_lint_value(l, rule, k, "latch", &trips) || trips.coef == 0 ||
        !refuses_a_close(l, rule, og_rules[rule]->reasons[i].id))
        return;
    f = og_lint_add(l, set ? set : exits, "latch-binds-exits",
                    "once the latch of '%s' is tripped, orders that only close are refused too, since 'exits' is bind: "
                    "a position can then not be closed; leave the latch to orders that open (exits: pass)",
                    og_rules[rule]->id);
    if (f)
        f->witness = og_trial_witness(l->trial, "only closes, while the latch is tripped, and is refused by '%s'",
                                      og_rules[rule]->id);
}

/* Report a limit on the day's loss that, once it is exceeded, refuses orders that only close. */
static void check_lost_exits(struct og_lint_run *l, size_t rule)
{
    const struct og_yaml *exits = exits_node(l, rule, -1);
    struct og_money binds, trips;
    struct og_trial_order p;
    const struct og_decision *d;
    struct og_lint_finding *f;

    if (latched_reason_of(og_rules[rule]) < 0 || !exits || !og_lint_value(l, rule, -1, "exits", &binds) ||
        binds.coef == 0 || !og_lint_value(l, rule, -1, "latch", &trips) || trips.coef != 0)
        return;
    p = close_of(l);
    p.lost = true;
    d = og_trial_decide(l->trial, &p);
    if (!d->reduces || !og_decision_finds(d, og_rules[rule]->id, NULL, true))
        return;
    f = og_lint_add(l, exits, "loss-binds-exits",
                    "once the limit of '%s' is exceeded, orders that only close are refused too: a position that loses "
                    "could not be closed; leave the limit to orders that open (exits: pass)",
                    og_rules[rule]->id);
    f->witness = og_trial_witness(l->trial, "only closes, after a loss, and is refused by '%s'", og_rules[rule]->id);
}

void og_lint_check_only_warns(struct og_lint_run *l)
{
    for (size_t i = 0; i < og_rules_size; i++) {
        size_t count = og_lint_override_count(l, i);

        for (int k = -1; k < (int)(count < 200 ? count : 200); k++)
            check_latch(l, i, k);
        check_latched_exits(l, i, -1);
        check_lost_exits(l, i);
        OG_EACH_PARAM (p, og_rules[i])
            for (int k = -1; p->finds && k < (int)(count < 200 ? count : 200); k++)
                check_setting(l, i, k, p);
    }
}
