/*
 * Compares settings part by part, for locks and for `policy diff`.
 * A change of a setting whose descriptor names no stricter side counts as OG_CHANGE_EITHER.
 */
#include "policy/strictness.h"

#include "policy/groups.h"
#include "policy/rule_entry.h"
#include "policy/value.h"

unsigned og_change_of(int before, int after)
{
    return after > before ? OG_CHANGE_TIGHTER : after < before ? OG_CHANGE_LOOSER : 0;
}

/* Returns true if the i-th reason became looser.  The reason has the level that is set for it. If none is set, it has
 * its natural level (which the rule may change for an order), but at most the rule's level. */
bool og_reason_looser(const struct og_rule_setting *old, const struct og_rule_setting *new, size_t i)
{
    int before = old->reason_level[i], after = new->reason_level[i];

    if (after >= 0)
        return after < (before >= 0 ? before : (int)old->level);
    return before > OG_LEVEL_OFF;
}

static unsigned reasons_way(const struct og_rule *rule, const struct og_rule_setting *before,
                            const struct og_rule_setting *after)
{
    unsigned way = 0;

    for (size_t i = 0; i < rule->reason_count; i++) {
        if (before->reason_level[i] == after->reason_level[i])
            continue;
        way |= og_reason_looser(before, after, i) ? OG_CHANGE_LOOSER : 0;
        way |= og_reason_looser(after, before, i) ? OG_CHANGE_TIGHTER : 0;
    }
    return way;
}

/* Returns how limits that are written as words changed: an added or lowered limit is stricter. */
static unsigned limits_way(const struct og_string_set *before, const struct og_string_set *after)
{
    const bool kept = og_limit_words_keep(before, after), fewer = og_limit_words_keep(after, before);

    return kept ? fewer ? 0 : OG_CHANGE_TIGHTER : fewer ? OG_CHANGE_LOOSER : OG_CHANGE_EITHER;
}

static unsigned value_way(const struct og_param *p, const void *before, const void *after)
{
    int side = og_value_cmp(p, after, before);

    if (side == 0)
        return 0;
    if (og_words_are_limits(p->words))
        return limits_way((const void *)((const char *)before + p->at), (const void *)((const char *)after + p->at));
    switch (p->tighter) {
    case OG_TIGHTER_LOWER: return og_change_of(side, 0);
    case OG_TIGHTER_HIGHER: return og_change_of(0, side);
    case OG_TIGHTER_UNKNOWN: break;
    }
    return OG_CHANGE_EITHER;
}

unsigned og_entry_part_change(const struct og_rule *rule, int part, const struct og_rule_setting *before,
                              const struct og_rule_setting *after)
{
    switch (part) {
    case OG_PART_LEVEL: return og_change_of((int)before->level, (int)after->level);
    case OG_PART_UNSURE: return og_change_of((int)before->unsure, (int)after->unsure);
    case OG_PART_MODE: return og_change_of((int)before->mode, (int)after->mode);
    case OG_PART_LOCK: return og_change_of(before->locked, after->locked);
    case OG_PART_REASONS: return reasons_way(rule, before, after);
    default: return value_way(&rule->params[part - OG_ENTRY_PARTS], before->settings, after->settings);
    }
}

bool og_setting_differs(const struct og_rule *rule, const struct og_rule_setting *a, const struct og_rule_setting *b)
{
    for (int part = OG_PART_LEVEL; part <= OG_PART_REASONS; part++)
        if (og_entry_part_change(rule, part, a, b))
            return true;
    if (!a->settings || !b->settings)
        return a->settings != b->settings;
    for (size_t i = 0; i < rule->param_count; i++)
        if (og_entry_part_change(rule, (int)(OG_ENTRY_PARTS + i), a, b))
            return true;
    return false;
}

bool og_setting_refuses(const struct og_rule *rule, const struct og_rule_setting *s)
{
    if (s->mode != OG_MODE_ENFORCE || (rule->settings_size && !s->settings))
        return false;
    for (size_t i = 0; i < rule->reason_count; i++)
        if ((s->reason_level[i] >= 0 ? s->reason_level[i] : (int)s->level) == OG_LEVEL_REFUSE)
            return true;
    return false;
}

bool og_setting_passes_unsure(const struct og_rule *rule, const struct og_rule_setting *s)
{
    const struct og_reason *r = rule->reasons;
    bool lifted = s->unsure == OG_UNSURE_REFUSE;

    for (size_t k = 0; k < rule->reason_count; k++) {
        bool own = s->reason_level[k] >= 0;
        int level = own ? s->reason_level[k] : (int)s->level;

        if (level == OG_LEVEL_REFUSE &&
            (!lifted || (r[k].undecided == OG_LEVEL_OFF && (own || (int)r[k].level == level))))
            return true;
    }
    return false;
}

bool og_limit_passes_unsure(const struct og_policy_rule *r)
{
    return (!r->rule->code || r->rule->limit) && r->rule->reads && og_setting_refuses(r->rule, &r->setting) &&
           og_setting_passes_unsure(r->rule, &r->setting);
}

const char *og_policy_passes_unsure(const struct og_policy *policy)
{
    if (!policy || policy->unsure == OG_UNSURE_REFUSE)
        return NULL;
    for (size_t i = 0; i < og_rules_size; i++)
        if (og_limit_passes_unsure(&policy->rules[i]))
            return policy->rules[i].rule->id;
    for (size_t i = 0; i < policy->custom_count; i++)
        if (og_limit_passes_unsure(&policy->custom[i]->entry))
            return policy->custom[i]->rule.id;
    return NULL;
}
