/*
 * Which settings a lock protects although the lock is on another rule: settings that other rules use, and, if a locked
 * limit depends on orders' tags, settings that say which tag an order has.  A layer that finds tags elsewhere would
 * give an order another tag, or none, and with it another limit.
 */
#include "policy/custom.h"
#include "policy/lock.h"
#include "policy/overrides.h"

static const char *const tag_names[] = { "order.tag", NULL };

uint64_t og_lock_shared(const struct og_rule *rule, bool tags)
{
    uint64_t shared = 0;

    for (size_t i = 0; i < rule->param_count; i++)
        shared |= (uint64_t)(rule->params[i].shared || (tags && rule->params[i].tags)) << i;
    return shared;
}

static bool any_goes_by_tags(const struct og_override_entries *overrides)
{
    for (size_t k = 0; k < overrides->count; k++) {
        const struct og_override *match = &overrides->item[k].match;

        if (match->tag || og_expr_reads_one_of(match->when, tag_names))
            return true;
    }
    return false;
}

bool og_lock_goes_by_tags(const struct og_layers *l)
{
    for (size_t i = 0; i < og_rules_size; i++)
        if (l->drafts[i].locked.source && (og_rules[i]->by_tag || any_goes_by_tags(&l->overrides[i])))
            return true;
    for (size_t i = 0; i < l->customs.count; i++) {
        const struct og_custom *c = l->customs.item[i];

        if (c->entry.setting.locked &&
            (og_expr_reads_one_of(c->when, tag_names) || og_expr_reads_one_of(c->require, tag_names)))
            return true;
    }
    return false;
}
