/*
 * Moves the values of an override that applies to every order into its rule.  Done only if no decision changes and no
 * comment is lost. So it is not done (a) if the rule has other overrides, which inherit its values; (b) if the rule
 * sets the same key; (c) for values of several lines.
 */
#include "base/buf.h"
#include "lint/lint.h"

static size_t key_at(const struct og_lint_run *l, const struct og_yaml *n)
{
    return og_lint_offset(l->sources, n->key_line, n->key_col);
}

/* Append the override's keys as lines of the rule, or as entries of its flow map. */
static bool append_keys(const struct og_lint_run *l, const struct og_yaml *rule, const struct og_yaml *item,
                        const struct og_yaml *overrides, struct og_buf *b)
{
    struct og_str bytes = l->sources->bytes;

    for (const struct og_yaml *n = item->first; n; n = n->next) {
        size_t from = key_at(l, n);

        if (og_str_is(n->key, "match"))
            continue;
        if (og_yaml_get(rule, n->key.s) || from >= n->end || memchr(bytes.s + from, '\n', n->end - from))
            return false;
        if (b->len && rule->flow)
            og_buf_text(b, ", ");
        else if (b->len)
            og_buf_format(b, "\n%*s", overrides->key_col - 1, "");
        og_buf_bytes(b, bytes.s + from, n->end - from);
    }
    return b->len > 0 && !b->bad;
}

static void inline_override(struct og_lint_run *l, struct og_lint_finding *f, const struct og_yaml *rule,
                            const struct og_yaml *overrides)
{
    char text[500];
    const char *kept;
    struct og_buf b;

    og_buf_init_fixed(&b, text, sizeof text);
    if (overrides->count != 1 ||
        memchr(l->sources->bytes.s + key_at(l, overrides), '#', overrides->end - key_at(l, overrides)) ||
        !append_keys(l, rule, overrides->first, overrides, &b))
        return;
    kept = og_arena_copy(l->arena, (struct og_str){ b.s, b.len }).s;
    if (kept)
        og_lint_add_edit(
            l, f, key_at(l, overrides), overrides->end, kept,
            og_lint_format(l, "its settings move into rule '%.*s' itself", (int)rule->key.len, rule->key.s));
    else
        l->oom = true;
}

/* Returns true if the finding is about the match of this override. */
static bool is_at(const struct og_yaml *match, const struct og_lint_finding *f)
{
    return match && match->line == f->fault.line && match->col == f->fault.col;
}

void og_lint_fix_inline_overrides(struct og_lint_run *l)
{
    const struct og_yaml *rules = og_yaml_get(l->root, "rules");

    for (struct og_lint_entry *n = l->first; n; n = n->next) {
        if (strcmp(n->finding.fault.code, "override-matches-all") != 0 ||
            strcmp(n->finding.fault.file, l->sources->name) != 0)
            continue;
        for (const struct og_yaml *rule = rules && rules->kind == OG_YAML_MAP ? rules->first : NULL; rule;
             rule = rule->next) {
            const struct og_yaml *overrides = og_yaml_get(rule, "overrides");

            if (overrides && overrides->kind == OG_YAML_LIST && overrides->first &&
                is_at(og_yaml_get(overrides->first, "match"), &n->finding))
                inline_override(l, &n->finding, rule, overrides);
        }
    }
}
