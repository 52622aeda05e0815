/*
 * Checks limits on named lists, as rules group-limit and weighted-exposure have them: amounts of a few dollars, which
 * are probably meant as a part of the equity, and lists of weights without a default.
 */
#include "base/money.h"
#include "lint/lint.h"
#include "policy/groups.h"

#define DOLLARS_LEAST 100 /* no desk limits what it has in a group to less */

static const struct og_group *group_named(const struct og_groups *all, struct og_str name)
{
    for (size_t i = 0; all && i < all->count; i++)
        if (og_str_eq(all->group[i].name, name))
            return &all->group[i];
    return NULL;
}

/* Report an amount of less than 100 dollars. Below 1 it looks like a fraction, else like a percentage. */
static void check_amount(struct og_lint_run *l, const struct og_yaml *word, const struct og_group_bound *to)
{
    struct og_money percent = to->most, part;

    if (to->percent || to->of >= OG_GROUP_POSITIONS || to->most.coef == 0 ||
        og_money_cmp(to->most, og_money_from(DOLLARS_LEAST)) >= 0)
        return;
    if (og_money_cmp(to->most, og_money_from(1)) < 0 && og_money_times(to->most, 100, &part))
        percent = part;
    og_lint_add(l, word, "unit-slip",
                "'%.*s' is a limit of %s dollars, less than a share of many stocks: %s%% of the equity is written %s%%",
                word->text.len < 60 ? (int)word->text.len : 60, word->text.s, og_money_text(to->most).s,
                og_money_text(percent).s, og_money_text(percent).s);
}

/* Report a list of weights without a default, if orders of symbols that it does not have pass unlimited. */
static void check_default(struct og_lint_run *l, const struct og_yaml *word, const struct og_group *g,
                          const struct og_rule_setting *set)
{
    if (!g->weight || g->has_others || (set->level == OG_LEVEL_REFUSE && set->unsure == OG_UNSURE_REFUSE))
        return;
    og_lint_add(l, word, "weight-default-missing",
                "list '%.*s' has no default: what a symbol outside it adds is unknown, so no limit on it refuses an "
                "order of one; add default=1, or set unsure: refuse",
                g->name.len < 60 ? (int)g->name.len : 60, g->name.s);
}

static bool is_named_before(const struct og_yaml *list, const struct og_yaml *word)
{
    for (const struct og_yaml *n = list->first; n != word; n = n->next)
        if (og_str_eq(og_limit_word_name(n->text), og_limit_word_name(word->text)))
            return true;
    return false;
}

static void check_limits(struct og_lint_run *l, size_t rule, int k, const struct og_yaml *list)
{
    const struct og_rule_setting *set = og_lint_setting(l, rule, k);
    const struct og_groups *all =
        set && set->settings
            ? *(const struct og_groups *const *)((const char *)set->settings + og_rules[rule]->groups_at)
            : NULL;

    if (!all || set->level < OG_LEVEL_WARN || list->kind != OG_YAML_LIST)
        return;
    for (const struct og_yaml *n = list->first; n; n = n->next) {
        const struct og_group *g = group_named(all, og_limit_word_name(n->text));
        struct og_group_bound to;

        if (!g || !og_limit_word_read(n->text, &to))
            continue;
        check_amount(l, n, &to);
        if (!is_named_before(list, n))
            check_default(l, n, g, set);
    }
}

void og_lint_check_group_limits(struct og_lint_run *l)
{
    for (size_t i = 0; i < og_rules_size; i++) {
        const size_t count = og_rules[i]->groups_at ? og_lint_override_count(l, i) : 0;

        for (int k = -1; og_rules[i]->groups_at && k < (int)count; k++)
            OG_EACH_PARAM (p, og_rules[i]) {
                const struct og_yaml *list =
                    og_words_are_limits(p->words) ? og_lint_key_node(l, og_rules[i]->id, k, p->key) : NULL;

                if (list)
                    check_limits(l, i, k, list);
            }
    }
}
