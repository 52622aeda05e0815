/*
 * Reads the keys of a policy document, and lays them over the layers below; a floor tightens these layers instead.
 */
#include "base/time.h"
#include "policy/layers.h"
#include "policy/lock.h"
#include "policy/verify.h"
#include "rules/limit.h"

static const char *const keys[] = { "ordergate", "name",   "description",       "extends",     "unsure",
                                    "mode",      "exits",  "max_age",           "environment", "lists",
                                    "rules",     "custom", "require_signatures" };
#define KEYS (sizeof keys / sizeof keys[0])

static struct og_entry_context speaker(struct og_layers *l, const struct og_policy_file *source)
{
    return (struct og_entry_context){ .keep = &l->policy->arena, .faults = &l->faults, .source = source };
}

/* --- scalars ------------------------------------------------------------------------------------------------------ */

static bool is_scalar(struct og_layers *l, const struct og_policy_file *source, const struct og_yaml *node)
{
    if (node->kind == OG_YAML_SCALAR)
        return true;
    og_error_at(&l->faults, source, node, "wrong-type", "'%s' must be one value, here is a %s", og_see(node->key).s,
                node->kind == OG_YAML_MAP ? "map" : "list");
    return false;
}

bool og_name_char(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_' ||
           c == '-' || c == '+';
}

static void check_name(struct og_layers *l, const struct og_policy_file *source, const struct og_yaml *node)
{
    if (!is_scalar(l, source, node))
        return;
    for (size_t i = 0; i < node->text.len; i++)
        if (!og_name_char(node->text.s[i]))
            goto wrong;
    if (node->text.len > 0 && node->text.len <= OG_NAME_MOST)
        return;
wrong:
    og_error_at(
        &l->faults, source, node, "name-invalid",
        "'%s' is not a name: 1 to %d of letters, digits, '.', '_', '-' and '+', since it stands in every decision",
        og_see(node->text).s, OG_NAME_MOST);
}

static void keep_key(struct og_layers *l, const struct og_layer_key_value *key)
{
    l->faults.oom |= !og_layer_key_value_add(&l->policy->said, key, &l->policy->arena);
}

static void lay_environment(struct og_layers *l, const struct og_policy_file *source, const struct og_yaml *node)
{
    static const char *const words[] = { "paper", "live" };

    if (!is_scalar(l, source, node))
        return;
    for (int i = 0; i < 2; i++)
        if (og_str_is(node->text, words[i])) {
            if (!og_lock_admits_environment(l, og_srcloc_of(source, node), words[i]))
                return;
            keep_key(l, &(struct og_layer_key_value){
                            .part = OG_PART_ENVIRONMENT, .word = words[i], .at = og_srcloc_of(source, node) });
            l->policy->environment = words[i];
            l->policy->where[OG_PART_ENVIRONMENT] = og_srcloc_of(source, node);
            return;
        }
    og_error_at(&l->faults, source, node, "value-invalid", "'%s' is not an environment%s", og_see(node->text).s,
                og_diagnostic_hint(&l->faults, node->text, words, 2));
}

/* --- max_age ------------------------------------------------------------------------------------------------------ */

static int age_kind(struct og_str key)
{
    for (int kind = 0; kind < OG_FACT_KINDS; kind++)
        if (1U << kind != OG_FACT_ENVIRONMENT && og_str_is(key, og_fact_name((enum og_fact)(1U << kind))))
            return kind;
    return -1;
}

static void unknown_age(struct og_layers *l, const struct og_policy_file *source, const struct og_yaml *node)
{
    const char *names[OG_FACT_KINDS];
    size_t count = 0;

    for (int kind = 0; kind < OG_FACT_KINDS; kind++)
        if (1U << kind != OG_FACT_ENVIRONMENT)
            names[count++] = og_fact_name((enum og_fact)(1U << kind));
    og_error_at_key(&l->faults, source, node, "unknown-key", "no fact is called '%s'%s", og_see(node->key).s,
                    og_diagnostic_hint(&l->faults, node->key, names, count));
}

static void lay_age(struct og_layers *l, const struct og_policy_file *source, const struct og_yaml *node, bool tighten)
{
    int kind = age_kind(node->key);
    int64_t ns = 0;

    if (kind < 0) {
        unknown_age(l, source, node);
        return;
    }
    if (!is_scalar(l, source, node))
        return;
    if (!og_str_is(node->text, "any") && (!og_duration_read(node->text.s, node->text.len, &ns) || ns <= 0)) {
        og_error_at(&l->faults, source, node, "value-invalid",
                    "'%s' takes a duration above zero (like 500ms, 2s, 5m or 1h) or any, here is '%s'",
                    og_see(node->key).s, og_see(node->text).s);
        return;
    }
    keep_key(l, &(struct og_layer_key_value){
                    .part = -1, .kind = kind, .floor = tighten, .value = ns, .at = og_srcloc_of(source, node) });
    if (!tighten && !og_lock_admits_age(l, og_srcloc_of(source, node), kind, ns))
        return;
    if (tighten && (ns == 0 || (l->policy->max_age[kind] != 0 && l->policy->max_age[kind] < ns)))
        return;
    l->policy->max_age[kind] = ns;
    l->policy->age_where[kind] = og_srcloc_of(source, node);
}

static void lay_ages(struct og_layers *l, const struct og_policy_file *source, const struct og_yaml *node, bool tighten)
{
    if (node->kind != OG_YAML_MAP) {
        og_error_at(&l->faults, source, node, "wrong-type",
                    "'max_age' must be a map of fact and duration (like {quotes: 2s})");
        return;
    }
    for (const struct og_yaml *n = node->first; n; n = n->next)
        lay_age(l, source, n, tighten);
}

/* --- rules -------------------------------------------------------------------------------------------------------- */

static int rule_index(struct og_str id)
{
    for (size_t i = 0; i < og_rules_size; i++)
        if (og_str_is(id, og_rules[i]->id))
            return (int)i;
    return -1;
}

static void unknown_rule(struct og_layers *l, const struct og_policy_file *source, const struct og_yaml *node)
{
    const char **ids = og_arena_take(&l->room, og_rules_size * sizeof *ids);

    if (!ids) {
        l->faults.oom = true;
        return;
    }
    for (size_t i = 0; i < og_rules_size; i++) {
        ids[i] = og_rules[i]->id;
        OG_EACH_REASON (r, og_rules[i])
            if (og_str_is(node->key, r->id)) {
                og_error_at_key(&l->faults, source, node, "unknown-rule",
                                "'%s' is a reason of rule '%s': write %s: {reasons: {%s: <level>}}", r->id,
                                og_rules[i]->id, og_rules[i]->id, r->id);
                return;
            }
    }
    og_error_at_key(&l->faults, source, node, "unknown-rule", "there is no rule '%s'%s", og_see(node->key).s,
                    og_diagnostic_hint(&l->faults, node->key, ids, og_rules_size));
}

/* Read a rule's entry into *entry, and its overrides into *fresh. */
static void say_rule(struct og_entry_context *s, struct og_policy *policy, const struct og_rule *rule,
                     const struct og_yaml *node, struct og_rule_entry *entry, struct og_override_entries *fresh,
                     bool floor)
{
    static const char *const known[] = { "lock", "overrides", NULL };
    struct og_yaml level = *node;

    if (node->kind != OG_YAML_MAP) { /* the short form, "rule: warn", stands for "rule: {level: warn}" */
        level.key = OG_STR("level");
        og_rule_entry_key(s, rule, &level, entry);
        return;
    }
    for (const struct og_yaml *n = node->first; n; n = n->next) {
        bool lock = og_str_is(n->key, "lock");

        if (og_rule_entry_key(s, rule, n, entry))
            continue;
        if (!lock && !og_str_is(n->key, "overrides")) {
            og_rule_entry_unknown(s, rule, n, known);
        } else if (floor) {
            og_error_at_key(s->faults, s->source, n, "floor-key",
                            lock ? "a floor is always locked: leave this out"
                                 : "a floor cannot have overrides: it is for every order");
        } else if (lock) {
            entry->lock = og_rule_entry_lock(s, n);
            entry->where[OG_PART_LOCK] = og_srcloc_of(s->source, n);
        } else {
            entry->where[OG_PART_OVERRIDES] = og_srcloc_of(s->source, n);
            og_overrides_read(s, policy, rule, n, fresh);
        }
    }
}

static void keep_said(struct og_layers *l, size_t i, const struct og_rule_entry *entry,
                      const struct og_override_entries *fresh, bool floor)
{
    bool ok =
        og_layer_value_add(&l->said[i], og_rules[i], entry, floor ? OG_LAYER_FLOOR : OG_LAYER_RULE, &l->policy->arena);

    for (size_t k = 0; k < fresh->count && ok; k++)
        ok = og_layer_value_add(&l->said[i], og_rules[i], &fresh->item[k].said, OG_LAYER_OVERRIDE, &l->policy->arena);
    l->faults.oom |= !ok;
}

static void lay_rule(struct og_layers *l, struct og_entry_context *s, size_t i, const struct og_rule_entry *entry,
                     const struct og_override_entries *fresh)
{
    struct og_draft *d = &l->drafts[i];
    const struct og_lock_state *stood;

    if (entry->lock > 0 && !l->lock_here.source)
        l->lock_here = entry->where[OG_PART_LOCK];
    if (d->locked.source) {
        og_lock_lay(l, s, i, entry, fresh);
        return;
    }
    stood = og_lock_save(l, i);
    og_draft_lay(d, og_rules[i], entry);
    og_overrides_tighten(&l->overrides[i], og_rules[i], entry);
    if (entry->where[OG_PART_OVERRIDES].source && fresh->count == 0)
        l->overrides[i] = (struct og_override_entries){ 0 }; /* `overrides: []` removes the overrides of the layers
                                                              * below */
    else
        og_overrides_put_before(s, l->policy, og_rules[i], fresh, &l->overrides[i]);
    og_lock_check(l, i, stood);
    if (entry->lock < 1)
        return;
    d->setting.locked = true;
    d->locked = entry->where[OG_PART_LOCK];
    if (!l->locked.source)
        l->locked = d->locked;
}

/* Tighten the rule and all its overrides by the floor; a rule that the floor names cannot be waived. */
static void tighten_rule(struct og_layers *l, struct og_entry_context *s, size_t i, const struct og_rule_entry *entry)
{
    og_draft_tighten(&l->drafts[i], og_rules[i], entry, s);
    l->drafts[i].setting.locked = true;
    l->drafts[i].from[OG_PART_LOCK] = entry->at;
    for (size_t k = 0; k < l->overrides[i].count; k++) {
        og_draft_tighten(&l->overrides[i].item[k].draft, og_rules[i], entry, s);
        l->overrides[i].item[k].draft.setting.locked = true;
    }
}

static void lay_rules(struct og_layers *l, const struct og_policy_file *source, const struct og_yaml *node, bool floor)
{
    struct og_entry_context s = speaker(l, source);

    if (node->kind != OG_YAML_MAP) {
        og_error_at(&l->faults, source, node, "wrong-type",
                    "'rules' must be a map of rule and level (like market-hours: refuse)");
        return;
    }
    for (const struct og_yaml *n = node->first; n; n = n->next) {
        int i = rule_index(n->key);
        struct og_override_entries fresh = { 0 };
        struct og_rule_entry entry;

        if (i < 0) {
            unknown_rule(l, source, n);
            continue;
        }
        if (!og_rule_entry_init(&s, og_rules[i], og_srcloc_of_key(source, n), &entry))
            return;
        say_rule(&s, l->policy, og_rules[i], n, &entry, &fresh, floor);
        if (floor && !entry.mode &&
            entry.level != OG_LEVEL_OFF) /* otherwise `mode: shadow` in a policy would make the floor's rule
                                          * ineffective */
            entry.mode = OG_MODE_ENFORCE;
        keep_said(l, (size_t)i, &entry, &fresh, floor);
        if (floor)
            tighten_rule(l, &s, (size_t)i, &entry);
        else
            lay_rule(l, &s, (size_t)i, &entry, &fresh);
    }
}

/* Raise `unsure` and `mode` of every rule and override to at least those of the floor, which the floor sets at place
 * `at`. */
static void tighten_keys(struct og_layers *l, enum og_unsure_mode unsure, enum og_mode mode, struct og_srcloc at)
{
    for (size_t i = 0; i < og_rules_size; i++) {
        og_draft_tighten_keys(&l->drafts[i], unsure, mode, at);
        for (size_t k = 0; k < l->overrides[i].count; k++)
            og_draft_tighten_keys(&l->overrides[i].item[k].draft, unsure, mode, at);
    }
    og_customs_tighten(l, unsure, mode, at);
}

static void lay_unsure(struct og_layers *l, struct og_entry_context *s, const struct og_yaml *node, bool floor)
{
    enum og_unsure_mode unsure = (enum og_unsure_mode)og_rule_entry_unsure(s, node);

    if (!unsure)
        return;
    keep_key(l, &(struct og_layer_key_value){
                    .part = OG_PART_UNSURE, .floor = floor, .value = unsure, .at = og_srcloc_of(s->source, node) });
    if (floor && unsure != OG_UNSURE_REFUSE)
        return;
    if (!floor && !og_lock_admits_unsure(l, og_srcloc_of(s->source, node), unsure))
        return;
    if (!floor || unsure != l->policy->unsure)
        l->policy->where[OG_PART_UNSURE] = og_srcloc_of(s->source, node);
    l->policy->unsure = unsure;
    if (floor)
        tighten_keys(l, unsure, OG_MODE_SHADOW, og_srcloc_of(s->source, node));
}

static void lay_mode(struct og_layers *l, struct og_entry_context *s, const struct og_yaml *node, bool floor)
{
    enum og_mode mode = (enum og_mode)og_rule_entry_mode(s, node);

    if (!mode)
        return;
    keep_key(l, &(struct og_layer_key_value){
                    .part = OG_PART_MODE, .floor = floor, .value = mode, .at = og_srcloc_of(s->source, node) });
    if (floor) /* otherwise `mode: shadow` in a policy, or in one of its rules, would make the floor ineffective */
        tighten_keys(l, OG_UNSURE_WARN, mode, og_srcloc_of(s->source, node));
    if (floor && mode <= l->policy->mode)
        return;
    if (!floor && !og_lock_admits_mode(l, og_srcloc_of(s->source, node), mode))
        return;
    l->policy->mode = mode;
    l->policy->where[OG_PART_MODE] = og_srcloc_of(s->source, node);
}

static void lay_exits(struct og_layers *l, struct og_entry_context *s, const struct og_yaml *node, bool floor)
{
    const int exits = og_rule_entry_exits(s, node);
    const struct og_srcloc at = og_srcloc_of(s->source, node);

    if (exits < 0)
        return;
    keep_key(l, &(struct og_layer_key_value){ .part = OG_PART_EXITS, .floor = floor, .value = exits, .at = at });
    if (!floor && !og_lock_admits_exits(l, at, exits))
        return;
    if (!floor || exits > l->policy->exits) {
        l->policy->exits = exits;
        l->policy->where[OG_PART_EXITS] = at;
    }
    for (size_t i = 0; i < og_rules_size; i++) {
        if (!floor)
            og_draft_exits(&l->drafts[i], og_rules[i], exits, at);
        else if (exits == OG_EXITS_BIND)
            og_draft_bind_exits(&l->drafts[i], og_rules[i], at);
        for (size_t k = 0; floor && exits == OG_EXITS_BIND && k < l->overrides[i].count; k++)
            og_draft_bind_exits(&l->overrides[i].item[k].draft, og_rules[i], at);
    }
}

static void lay_key(struct og_layers *l, const struct og_policy_file *source, const struct og_yaml *n, bool floor)
{
    struct og_entry_context s = speaker(l, source);
    bool stands_on = og_str_is(n->key, "extends") && !(n->kind == OG_YAML_LIST && !n->first);

    if (floor && (stands_on || og_str_is(n->key, "environment"))) {
        og_error_at_key(&l->faults, source, n, "floor-key", "a floor has no '%s'", og_see(n->key).s);
    } else if (og_str_is(n->key, "unsure")) {
        lay_unsure(l, &s, n, floor);
    } else if (og_str_is(n->key, "mode")) {
        lay_mode(l, &s, n, floor);
    } else if (og_str_is(n->key, "exits")) {
        lay_exits(l, &s, n, floor);
    } else if (og_str_is(n->key, "max_age")) {
        lay_ages(l, source, n, floor);
    } else if (og_str_is(n->key, "environment")) {
        lay_environment(l, source, n);
    } else if (og_str_is(n->key, "rules")) {
        lay_rules(l, source, n, floor);
    } else if (og_str_is(n->key, "lists")) {
        og_lists_lay(l, source, n, floor ? &l->floor_lists : &l->lists);
    } else if (og_str_is(n->key, "custom")) {
        og_customs_lay(l, &s, n, floor);
    } else if (og_str_is(n->key, "require_signatures")) {
        og_signing_demand_lay(l, source, n, floor);
    } else if (og_str_is(n->key, "description")) {
        is_scalar(l, source, n);
    } else if (og_str_is(n->key, "name")) {
        check_name(l, source, n);
    } else if (!og_str_is(n->key, "ordergate") && !og_str_is(n->key, "extends")) {
        og_error_at_key(&l->faults, source, n, "unknown-key", "a policy has no key '%s'%s", og_see(n->key).s,
                        og_diagnostic_hint(&l->faults, n->key, keys, KEYS));
    }
}

void og_layers_keys(struct og_layers *l, const struct og_policy_file *source, const struct og_yaml *root, bool floor)
{
    l->locked_below = l->locked;
    l->tags_locked = og_lock_goes_by_tags(l);
    l->lock_here = (struct og_srcloc){ 0 };
    for (const struct og_yaml *n = root->first; n; n = n->next)
        lay_key(l, source, n, floor);
}
