/*
 * Named lists: one that nothing names, and one that names a word twice.  Facts: what rules ask for and a given facts
 * document does not have.
 * It refuses to call a list unused that a layer above may be there to name: only a policy that has expressions is
 * judged.
 */
#include "lint/lint.h"

#include "lint/scene.h"

#include "base/banned.h"

#define TWINS_MOST 2000

static bool names(const struct og_expr *e, struct og_str list)
{
    struct og_str used;

    for (size_t i = 0; e && (used = og_expr_list_used(e, i)).len; i++)
        if (og_str_eq(used, list))
            return true;
    return false;
}

static bool message_names(const struct og_expr_message *m, struct og_str list)
{
    const struct og_expr *part;

    for (size_t i = 0; m && (part = og_expr_message_part(m, i)); i++)
        if (names(part, list))
            return true;
    return false;
}

static bool is_used(const struct og_policy *p, struct og_str list)
{
    for (size_t i = 0; i < p->custom_count; i++)
        if (names(p->custom[i]->when, list) || names(p->custom[i]->require, list) ||
            message_names(p->custom[i]->message, list))
            return true;
    for (size_t i = 0; i < og_rules_size; i++)
        for (size_t k = 0; k < p->rules[i].override_count; k++)
            if (names(p->rules[i].overrides[k].when, list))
                return true;
    return false;
}

static void look_for_twins(struct og_linting *l, const struct og_yaml *list)
{
    size_t seen = 0;

    for (const struct og_yaml *n = list->first; n && seen < TWINS_MOST; n = n->next, seen++)
        for (const struct og_yaml *m = list->first; m != n; m = m->next)
            if (n->kind == OG_YAML_SCALAR && m->kind == OG_YAML_SCALAR && og_str_eq(n->text, m->text)) {
                og_lint_drop_item(l,
                                  og_lint_note(l, n, "duplicate-item",
                                               "'%.*s' stands in list '%.*s' twice, first on line %d",
                                               n->text.len < 60 ? (int)n->text.len : 60, n->text.s, (int)list->key.len,
                                               list->key.s, m->line),
                                  n);
                break;
            }
}

void og_lint_lists(struct og_linting *l)
{
    const struct og_yaml *lists = og_yaml_get(l->root, "lists");

    for (const struct og_yaml *n = lists && lists->kind == OG_YAML_MAP ? lists->first : NULL; n; n = n->next) {
        if (!is_used(l->policy, n->key))
            og_lint_note_key(l, n, "list-unused", "no expression names the list '%.*s'",
                             n->key.len < 60 ? (int)n->key.len : 60, n->key.s);
        if (n->kind == OG_YAML_LIST)
            look_for_twins(l, n);
    }
}

/* --- facts that were given --- */

static bool is_on(const struct og_policy_rule *r)
{
    bool on = r->setting.level != OG_LEVEL_OFF;

    for (size_t k = 0; k < r->override_count; k++)
        on = on || r->overrides[k].setting.level != OG_LEVEL_OFF;
    return on;
}

/* Kinds of facts that are there or not as a whole; what is not asked for of orders is left out. */
static void look_for_fact(struct og_linting *l, enum og_fact fact)
{
    const struct og_yaml *at = NULL;
    const char *first = NULL;

    for (size_t i = 0; i < og_rules_size; i++) {
        if (!(og_rules[i]->reads & fact) || !og_rules[i]->limit || !is_on(&l->policy->rules[i]))
            continue;
        first = first ? first : og_rules[i]->id;
        at = at ? at : og_lint_rule_node(l, og_rules[i]->id);
    }
    if (!first)
        return;
    at = at ? at : og_yaml_get(l->root, "extends") ? og_yaml_get(l->root, "extends") : l->root->first;
    og_lint_note_key(l, at, "facts-absent",
                     "rule '%s' asks for %s, which the facts given do not have: it is unsure of every order", first,
                     og_fact_name(fact));
}

void og_lint_facts(struct og_linting *l)
{
    static const enum og_fact facts[] = { OG_FACT_ACCOUNT, OG_FACT_POSITIONS, OG_FACT_ORDERS, OG_FACT_PNL,
                                          OG_FACT_VOLUME };
    struct og_probe p;

    if (!l->options.facts)
        return;
    p = og_scene_ordinary(l->scene, OG_STOCK, OG_BUY, OG_LIMIT);
    og_scene_decide(l->scene, &p);
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
        if (!og_scene_knows(l->scene, facts[i]))
            look_for_fact(l, facts[i]);
}
