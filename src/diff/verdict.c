/*
 * One verdict for each kind of order: by the settings that concern it, compared in both directions, and by the orders
 * decided so far.  A setting that is looser when the two policies are swapped is tighter.
 */
#include <stdio.h>

#include "diff/diff.h"
#include "policy/strictness.h"

void og_diff_count(struct og_diff *d, enum og_diff_what what)
{
    const struct og_order *order = d->order;
    bool request = order->op == OG_OP_CANCEL || order->op == OG_OP_REQUEST;
    struct og_kind_count *of = &d->seen[og_diff_kind_of(order, request ? d->request : NULL)];

    of->orders++;
    of->loosened += what == OG_DIFF_LOOSENED;
    of->tightened += what == OG_DIFF_TIGHTENED;
}

/* Find out, once, which kinds each changed setting concerns, in both directions. */
static void find_concerns(struct og_diff *d)
{
    int proofs = OG_KIND_PROOFS;

    for (int way = 0; way < 2 && !d->concerns_known; way++) {
        const struct og_settings_diff *s = &d->settings[way];

        for (size_t i = 0; i < s->differ; i++)
            d->concerns[way][i] = og_settings_concerns(s, &s->pair[s->differs[i]], &proofs);
    }
    d->concerns_known = true;
}

/* Returns true if the changed setting can affect the rule of that group: it is a setting of the rule, a list that the
 * rule names, or a key of the policy, which can affect every rule. */
static bool is_of_rule(const struct og_settings_diff *s, const struct og_setting_pair *p, struct og_str group)
{
    bool list = strncmp(p->path.s, "lists.", 6) == 0;

    if (list)
        return og_settings_leans(s, group, (struct og_str){ p->path.s + 6, p->path.len - 6 });
    return og_str_eq(p->group, group) || (p->rule < 0 && strncmp(p->path.s, "custom.", 7) != 0);
}

/* Count a rule that can refuse orders of the kind, and count it as proved if the effect of each of its changes is
 * known. */
static void count_rule(const struct og_diff *d, enum og_diff_kind kind, const char *prefix, const char *id,
                       struct og_diff_verdict *v)
{
    char name[160];
    int n = snprintf(name, sizeof name, "%s.%s", prefix, id);
    struct og_str group = { name, (size_t)n };

    v->rules++;
    for (int way = 0; way < 2; way++)
        for (size_t i = 0; i < d->settings[way].differ; i++) {
            const struct og_setting_pair *p = &d->settings[way].pair[d->settings[way].differs[i]];

            if (p->what == OG_DIFF_NOTED && d->concerns[way][i] >> kind & 1 && is_of_rule(&d->settings[way], p, group))
                return;
        }
    v->rules_proved++;
}

static bool custom_refuses(const struct og_policy *p, const char *id)
{
    const struct og_custom *c = og_settings_custom(p, og_str_of(id));

    return c && og_setting_refuses(&c->rule, &c->entry.setting);
}

static void count_rules(const struct og_diff *d, enum og_diff_kind kind, struct og_diff_verdict *v)
{
    struct og_policy *const *p = d->policy;

    for (size_t i = 0; i < og_rules_size; i++)
        if (og_diff_kinds_of_rule(og_rules[i]) >> kind & 1 &&
            (og_settings_refuses(&p[0]->rules[i]) || og_settings_refuses(&p[1]->rules[i])))
            count_rule(d, kind, "rules", og_rules[i]->id, v);
    for (int side = 0; side < 2 && kind <= OG_KIND_REPLACE; side++)
        for (size_t i = 0; i < p[side]->custom_count; i++) {
            const char *id = p[side]->custom[i]->rule.id;

            if ((custom_refuses(p[0], id) || custom_refuses(p[1], id)) &&
                (side == 0 || !og_settings_custom(p[0], og_str_of(id))))
                count_rule(d, kind, "custom", id, v);
        }
}

bool og_diff_verdict(struct og_diff *d, size_t kind, struct og_diff_verdict *v)
{
    bool known[2] = { false, false }, maybe[2] = { false, false };

    if (!d || !v || kind >= OG_DIFF_KINDS)
        return false;
    find_concerns(d);
    *v = (struct og_diff_verdict){ .kind = og_diff_kind_names[kind],
                                   .orders = d->seen[kind].orders,
                                   .loosened = d->seen[kind].loosened,
                                   .tightened = d->seen[kind].tightened };
    for (size_t i = 0; i < OG_DIFF_KINDS; i++) { /* an example that changed for an order also counts for a replacement,
                                                  * whose new order may be the same */
        bool counts = i == kind || (kind == OG_KIND_REPLACE && i < kind);

        known[0] |= counts && d->seen[i].loosened > 0;
        known[1] |= counts && d->seen[i].tightened > 0;
    }
    for (int way = 0; way < 2; way++)
        for (size_t i = 0; i < d->settings[way].differ; i++) {
            const struct og_setting_pair *p = &d->settings[way].pair[d->settings[way].differs[i]];

            if (!(d->concerns[way][i] >> kind & 1))
                continue;
            known[way] |= p->what == OG_DIFF_LOOSENED;
            maybe[way] |= p->what != OG_DIFF_LOOSENED;
        }
    v->perhaps_looser = maybe[0] && !known[0];
    v->perhaps_tighter = maybe[1] && !known[1];
    v->proved = !v->perhaps_looser && !v->perhaps_tighter;
    v->way = known[0]   ? known[1] ? OG_DIFF_WAY_NEITHER : OG_DIFF_WAY_LOOSER
             : known[1] ? OG_DIFF_WAY_TIGHTER
                        : OG_DIFF_WAY_SAME;
    count_rules(d, (enum og_diff_kind)kind, v);
    return true;
}
