/*
 * Checks named lists: lists that no expression and no limit uses, items that are in a list twice, files without a word,
 * or that begin with the name of a column, and lists older than their max_age.  Lint does not see uses of a list in
 * policies that extend the linted one.
 */
#include "base/time.h"
#include "lint/lint.h"
#include "policy/groups.h"
#include "policy/lists.h"

static bool message_names(const struct og_expr_message *m, struct og_str list)
{
    const struct og_expr *part;

    for (size_t i = 0; m && (part = og_expr_message_part(m, i)); i++)
        if (og_expr_reads_list(part, list))
            return true;
    return false;
}

static bool is_used(const struct og_policy *p, struct og_str list)
{
    for (size_t i = 0; i < p->custom_count; i++)
        if (og_expr_reads_list(p->custom[i]->when, list) || og_expr_reads_list(p->custom[i]->require, list) ||
            message_names(p->custom[i]->message, list))
            return true;
    for (size_t i = 0; i < og_rules_size; i++) {
        const struct og_policy_rule *r = &p->rules[i];

        if (og_limits_of_rule_name(r, list))
            return true;
        for (size_t k = 0; k < r->override_count; k++)
            if (og_expr_reads_list(r->overrides[k].when, list))
                return true;
    }
    return false;
}

/* Report a list that is older than its max_age, or dated in the future.  A list that must be of the current session is
 * not reported: it has an earlier date whenever lint runs outside a session. */
static void check_age(struct og_lint_run *l, const struct og_yaml *n)
{
    const struct og_yaml *most = n->kind == OG_YAML_MAP ? og_yaml_get(n, "max_age") : NULL;
    const struct og_expr_names *lists = &l->policy->lists;

    for (size_t i = 0; most && i < lists->count; i++) {
        const struct og_list_age *a = &lists->lists[i].age;

        if (!og_str_eq(lists->lists[i].name, n->key) || a->as_of == OG_TIME_UNKNOWN || !a->max_age)
            continue;
        if (a->as_of > l->options.now || l->options.now - a->as_of > a->max_age)
            og_lint_add_at_key(l, most, "list-old",
                               "the list is dated %s, which %s: what names it is unknown until a newer list is there",
                               og_time_text(a->as_of).s,
                               a->as_of > l->options.now
                                   ? "is in the future"
                                   : og_lint_format(l, "is more than %s ago", og_duration_text(a->max_age).s));
    }
}

/* Report a list whose file has no words, or a header. A list without words that is written in the policy itself is
 * meant so. */
static void check_words(struct og_lint_run *l, const struct og_yaml *n)
{
    const struct og_yaml *file = n->kind == OG_YAML_MAP ? og_yaml_get(n, "file") : NULL;
    const struct og_expr_names *lists = &l->policy->lists;

    for (size_t i = 0; file && i < lists->count; i++) {
        const struct og_string_set *words = &lists->lists[i].words;
        const int len = file->text.len < 60 ? (int)file->text.len : 60;

        if (!og_str_eq(lists->lists[i].name, n->key))
            continue;
        if (words->count == 0)
            og_lint_add(l, file, "list-empty", "'%.*s' has no words: nothing is in the list '%.*s'", len, file->text.s,
                        n->key.len < 60 ? (int)n->key.len : 60, n->key.s);
        else if (og_list_is_header(words->word[0]))
            og_lint_add(l, file, "list-header",
                        "'%.*s' begins with '%.*s', which is in the list: if it is the name of a column, delete the "
                        "line, or begin it with '#'",
                        len, file->text.s, (int)words->word[0].len, words->word[0].s);
    }
}

void og_lint_check_named_lists(struct og_lint_run *l)
{
    const struct og_yaml *lists = og_yaml_get(l->root, "lists");

    for (const struct og_yaml *n = lists && lists->kind == OG_YAML_MAP ? lists->first : NULL; n; n = n->next) {
        if (!is_used(l->policy, n->key))
            og_lint_add_at_key(l, n, "list-unused", "no expression and no limit uses the list '%.*s'",
                               n->key.len < 60 ? (int)n->key.len : 60, n->key.s);
        check_age(l, n);
        check_words(l, n);
        if (n->kind == OG_YAML_LIST)
            og_lint_check_duplicates(l, n, "list ");
        og_lint_check_symbol_list(l, n);
    }
}
