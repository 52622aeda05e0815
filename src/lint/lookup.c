/*
 * Finds the YAML node that sets something in the linted file, and the value that applies in the end.  Other files are
 * linted on their own.
 */
#include "base/buf.h"
#include "lint/lint.h"
#include "policy/load.h"

struct og_yaml *og_lint_rule_node(const struct og_lint_run *l, const char *rule)
{
    return og_yaml_get(og_yaml_get(l->root, "rules"), rule);
}

struct og_yaml *og_lint_override_node(const struct og_lint_run *l, size_t rule, size_t k)
{
    const struct og_yaml *list = og_yaml_get(og_lint_rule_node(l, og_rules[rule]->id), "overrides");
    const struct og_override *o = l->policy->rules[rule].overrides;
    struct og_yaml *node = list && list->kind == OG_YAML_LIST ? list->first : NULL;

    for (size_t i = 0; node && i < k; i++)
        node = o[i].split ? node : node->next;
    return o[k].split ? NULL : node;
}

struct og_yaml *og_lint_key_node(const struct og_lint_run *l, const char *rule, int k, const char *key)
{
    struct og_yaml *node =
        k < 0 ? og_lint_rule_node(l, rule) : og_lint_override_node(l, og_lint_rule_index(rule), (size_t)k);

    return node && node->kind != OG_YAML_MAP && strcmp(key, "level") == 0 ? node : og_yaml_get(node, key);
}

size_t og_lint_override_count(const struct og_lint_run *l, size_t rule)
{
    const struct og_yaml *list = og_yaml_get(og_lint_rule_node(l, og_rules[rule]->id), "overrides");
    const struct og_policy_rule *r = &l->policy->rules[rule];
    size_t written = list && list->kind == OG_YAML_LIST ? list->count : 0, count = 0;

    for (; written && count < r->override_count; count++)
        written -= !r->overrides[count].split;
    return count;
}

size_t og_lint_rule_index(const char *rule)
{
    size_t i = 0;

    while (i < og_rules_size && strcmp(og_rules[i]->id, rule) != 0)
        i++;
    return i;
}

const struct og_rule_setting *og_lint_setting(const struct og_lint_run *l, size_t rule, int k)
{
    const struct og_policy_rule *r = &l->policy->rules[rule];

    return k < 0 ? &r->setting : &r->overrides[k].setting;
}

bool og_lint_binds(const struct og_lint_run *l, size_t rule, int k)
{
    const struct og_rule_setting *s = og_lint_setting(l, rule, k);

    if (s->level != OG_LEVEL_REFUSE || s->mode != OG_MODE_ENFORCE || (og_rules[rule]->settings_size && !s->settings))
        return false;
    for (size_t i = 0; i < og_rules[rule]->reason_count; i++)
        if (s->reason_level[i] >= 0 && s->reason_level[i] < OG_LEVEL_REFUSE &&
            og_rules[rule]->reasons[i].level == OG_LEVEL_REFUSE)
            return false;
    return true;
}

bool og_lint_number(const struct og_param *p, const void *settings, struct og_money *value)
{
    const void *at = (const char *)settings + p->at;

    switch (p->kind) {
    case OG_PARAM_INT:
    case OG_PARAM_DURATION: *value = og_money_from(*(const int64_t *)at); return true;
    case OG_PARAM_MONEY: *value = *(const struct og_money *)at; return true;
    case OG_PARAM_BPS: *value = (struct og_money){ *(const int32_t *)at, 2 }; return true;
    case OG_PARAM_CHOICE: *value = og_money_from(*(const int32_t *)at); return true;
    case OG_PARAM_WORDS: break;
    }
    return false;
}

bool og_lint_value(const struct og_lint_run *l, size_t rule, int k, const char *key, struct og_money *value)
{
    const void *settings = og_lint_setting(l, rule, k)->settings;

    OG_EACH_PARAM (p, og_rules[rule])
        if (settings && strcmp(p->key, key) == 0)
            return og_lint_number(p, settings, value);
    return false;
}

static void ignore_fault(void *with, const struct og_diagnostic *fault)
{
    (void)with, (void)fault; /* does nothing: faults were reported when the policy was loaded */
}

const struct og_policy *og_lint_extended(struct og_lint_run *l)
{
    const struct og_yaml *extends = og_yaml_get(l->root, "extends");
    struct og_buf text;

    if (l->extended)
        return l->extended;
    og_buf_init(&text, 0);
    og_buf_text(&text, "ordergate: 1\n");
    if (extends) {
        og_buf_text(&text, "extends:\n");
        for (int i = 1; i < extends->col; i++) /* indent the key as `extends` is indented, so that the dashes of a list
                                                * stay in one column */
            og_buf_char(&text, ' ');
        og_buf_str(&text, (struct og_str){ l->sources->bytes.s + extends->at, extends->end - extends->at });
        og_buf_char(&text, '\n');
    }
    if (text.bad || og_policy_make_of((struct og_str){ text.s, text.len }, l->sources->name, "", &l->extended,
                                      ignore_fault, NULL, NULL) == OG_ENOMEM)
        l->oom = true;
    og_buf_clear(&text);
    return l->extended;
}
