/*
 * Compiles the expressions of custom rules, messages and overrides.  An error is reported at its byte in the file.
 */
#include "policy/compile.h"

#include "expr/symbol_words.h"
#include "policy/groups.h"
#include "policy/symbol_words.h"

struct compiling {
    struct og_layers *l;
    struct og_expr_names names;
    struct og_lists *lists;
    /* the lock of the rule being compiled; it also locks the lists that the rule's expressions name. .source is NULL if
     * the rule is not locked */
    struct og_srcloc lock;
};

static void note(struct og_layers *l, struct og_srcloc text, const struct og_expr_diagnostic *fault)
{
    if (!fault->code)
        l->faults.oom = true;
    else
        og_error_add(&l->faults, og_srcloc_inside(text, fault->at), fault->code, "%s", fault->text);
}

static void lock_list(struct compiling *c, struct og_str name)
{
    struct og_list_entry *list = og_map_get(&c->lists->index, name);

    if (list && !list->locked.source)
        list->locked = c->lock;
}

static void lock_lists(struct compiling *c, const struct og_expr *e)
{
    struct og_str name;

    for (size_t i = 0; c->lock.source && (name = og_expr_list_used(e, i)).len; i++)
        lock_list(c, name);
}

/* Lock the lists that the settings of a locked rule name. given: the settings that have a value, one bit each. */
static void lock_limited(struct compiling *c, const struct og_rule *rule, const void *settings, uint64_t given)
{
    for (size_t k = 0; k < rule->param_count; k++) {
        const struct og_param *p = &rule->params[k];
        const struct og_string_set *words = (const void *)((const char *)settings + p->at);

        for (size_t i = 0; og_words_are_limits(p->words) && given >> k & 1 && i < words->count; i++)
            lock_list(c, og_limit_word_name(words->word[i]));
    }
}

/* of_options: the condition is evaluated only for options. */
static const struct og_expr *condition(struct compiling *c, struct og_str text, struct og_srcloc at, bool of_options)
{
    struct og_policy *p = c->l->policy;
    struct og_expr_diagnostic fault;
    const struct og_expr *e = og_expr_compile(text, OG_EXPR_BOOL, &c->names, &p->arena, &p->patterns, &fault);

    if (!e) {
        note(c->l, at, &fault);
        return NULL;
    }
    lock_lists(c, e);
    og_symbol_words_check(c->l, e, at, &c->names, c->lists, of_options);
    return e;
}

/* Compile a rule unless it is compiled already or marked wrong. */
static void compile_rule(struct compiling *c, struct og_custom *custom)
{
    if (custom->require || custom->wrong)
        return;
    if (custom->when_text.len)
        custom->when = condition(c, custom->when_text, custom->where[OG_PART_WHEN], false);
    if (custom->require_text.len)
        custom->require = condition(c, custom->require_text, custom->where[OG_PART_REQUIRE],
                                    custom->when && og_expr_is_of_options(custom->when));
    custom->wrong = !custom->require || (custom->when_text.len && !custom->when);
}

/* Returns the offset after a wrong expression in a message, where the check continues; 0 if it cannot continue. */
static size_t behind(struct og_str text, const struct og_expr_diagnostic *fault)
{
    const char *brace =
        fault->code && fault->at < text.len ? memchr(text.s + fault->at, '}', text.len - fault->at) : NULL;

    return brace ? (size_t)(brace + 1 - text.s) : 0;
}

static void compile_message(struct compiling *c, struct og_custom *custom)
{
    const struct og_str text = custom->message_text;
    struct og_policy *p = c->l->policy;
    struct og_expr_diagnostic fault;

    if (custom->message || !text.len)
        return;
    custom->message = og_expr_message_compile(text, &c->names, &p->arena, &p->patterns, &fault);
    for (bool wrong = !custom->message; wrong;) {
        const size_t from = behind(text, &fault);
        const struct og_str rest = { text.s + from, text.len - from };

        note(c->l, custom->where[OG_PART_MESSAGE], &fault);
        wrong = from && !og_expr_message_compile(rest, &c->names, &p->arena, &p->patterns, &fault);
        fault.at += from;
    }
}

static void compile_override(struct compiling *c, struct og_override_entry *o)
{
    if (!o->match.when_text.len || o->match.when || o->wrong)
        return;
    o->match.when =
        condition(c, o->match.when_text, o->said.where[OG_PART_WHEN], o->match.securities == 1u << OG_OPTION);
    o->wrong = !o->match.when;
}

/* Compile the conditions of overrides. An override that was split off has the conditions of two overrides; an error in
 * one of these is reported only for the override in which it is written. */
static void compile_overrides(struct compiling *c, struct og_override_entries *all)
{
    size_t errors = c->l->faults.errors;

    for (size_t k = 0; k < all->count; k++)
        if (!all->item[k].over)
            compile_override(c, &all->item[k]);
    for (size_t k = 0; k < all->count && c->l->faults.errors == errors; k++)
        compile_override(c, &all->item[k]);
}

/* Compile the strays (rejected rules), so that errors in their expressions are reported; strays never run. */
static void compile_strays(struct compiling *c, bool floor)
{
    for (struct og_custom *custom = c->l->customs.stray; custom; custom = custom->next)
        if (custom->floor == floor) {
            compile_rule(c, custom);
            compile_message(c, custom);
        }
}

void og_policy_compile_locked(struct og_layers *l)
{
    struct compiling c = { .l = l, .lists = &l->lists };

    if (!l->locked.source || !og_lists_names(l, c.lists, &c.names))
        return;
    for (size_t i = 0; i < og_rules_size; i++) {
        c.lock = l->drafts[i].locked;
        if (!c.lock.source)
            continue;
        compile_overrides(&c, &l->overrides[i]);
        lock_limited(&c, og_rules[i], l->drafts[i].settings, l->drafts[i].given);
        for (size_t k = 0; k < l->overrides[i].count; k++)
            lock_limited(&c, og_rules[i], l->overrides[i].item[k].said.settings, l->overrides[i].item[k].said.given);
    }
    for (size_t i = 0; i < l->customs.count; i++) {
        c.lock = l->customs.item[i]->where[OG_PART_LOCK];
        if (l->customs.item[i]->entry.setting.locked)
            compile_rule(&c, l->customs.item[i]);
    }
}

void og_policy_compile_floor(struct og_layers *l)
{
    struct compiling c = { .l = l, .lists = &l->floor_lists };

    if (!og_lists_names(l, c.lists, &c.names))
        return;
    for (size_t i = 0; i < l->customs.count; i++)
        if (l->customs.item[i]->floor) {
            compile_rule(&c, l->customs.item[i]);
            compile_message(&c, l->customs.item[i]);
        }
    compile_strays(&c, true);
    og_symbol_words_finish(l, c.lists);
}

void og_policy_compile_all(struct og_layers *l)
{
    struct compiling c = { .l = l, .lists = &l->lists };

    if (!og_lists_names(l, c.lists, &c.names))
        return;
    for (size_t i = 0; i < og_rules_size; i++)
        compile_overrides(&c, &l->overrides[i]);
    for (size_t i = 0; i < l->customs.count; i++) {
        compile_rule(&c, l->customs.item[i]);
        compile_message(&c, l->customs.item[i]);
    }
    compile_strays(&c, false);
    og_symbol_words_finish(l, c.lists);
}
