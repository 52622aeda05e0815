/*
 * Checks that a policy whose limits are locked by a lower layer or by the floor does not turn off the rules about the
 * form of orders. A limit cannot count a malformed order: the limit refuses some such orders itself, but whoever locked
 * it relied on the form rules to refuse the others.
 */
#include "lint/lint.h"

/* Returns true if the rule refuses malformed orders, and a policy may turn it off. */
static bool is_form_rule(const struct og_rule *rule)
{
    return og_rule_is_of_form(rule) && !rule->locked && og_rule_subjects(rule) & OG_SUBJECT_ORDER;
}

static bool is_locked_elsewhere(const struct og_lint_run *l, const struct og_rule_setting *s,
                                const struct og_srcloc *where)
{
    return s->locked && s->level == OG_LEVEL_REFUSE && !og_lint_is_here(l, where[OG_PART_LOCK]);
}

/* Returns the id of the first limit or custom rule that another file locks; NULL if there is none.  *by: file and line
 * of the lock, as text. */
static const char *locked_limit(struct og_lint_run *l, const char **by)
{
    const struct og_policy_rule *found = NULL;
    const struct og_srcloc *at;

    for (size_t i = 0; i < og_rules_size && !found; i++)
        if (og_rules[i]->limit && is_locked_elsewhere(l, &l->policy->rules[i].setting, l->policy->rules[i].where))
            found = &l->policy->rules[i];
    for (size_t i = 0; i < l->policy->custom_count && !found; i++)
        if (is_locked_elsewhere(l, &l->policy->custom[i]->entry.setting, l->policy->custom[i]->where))
            found = &l->policy->custom[i]->entry;
    if (!found)
        return NULL;
    at = &found->where[OG_PART_LOCK];
    *by = at->source ? og_lint_format(l, "%s:%d:%d", at->source->name, at->line, at->col) : "the floor";
    return found->rule->id;
}

/* Returns the entry in this file that makes the rule refuse nothing; NULL if the rule refuses, or another file turns it
 * off. */
static const struct og_yaml *weakened_at(const struct og_lint_run *l, size_t i)
{
    const struct og_yaml *node = og_lint_rule_node(l, og_rules[i]->id), *extends = og_yaml_get(l->root, "extends");

    if (!og_lint_binds(l, i, -1))
        return node ? node : extends && extends->kind == OG_YAML_LIST && !extends->first ? extends : NULL;
    for (size_t k = 0; k < og_lint_override_count(l, i); k++)
        if (!og_lint_binds(l, i, (int)k))
            return og_lint_override_node(l, i, k);
    return NULL;
}

void og_lint_check_form_rules(struct og_lint_run *l)
{
    const char *by = NULL, *limit = locked_limit(l, &by);
    const struct og_yaml *at;
    struct og_lint_finding *f;

    for (size_t i = 0; limit && i < og_rules_size; i++) {
        if (!is_form_rule(og_rules[i]) || !(at = weakened_at(l, i)))
            continue;
        f = og_lint_add(l, at, "form-off",
                        "rule '%s' does not refuse malformed orders here, and '%s' is locked (%s): locked limits "
                        "refuse only those malformed orders that they cannot count; leave the rule on",
                        og_rules[i]->id, limit, by);
        if (l->options.floor)
            f->fault.severity = OG_ERROR;
    }
}
