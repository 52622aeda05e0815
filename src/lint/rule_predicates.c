/*
 * Settings of rules, and custom rules, as formulas over the orders they refuse.  Settings that read something for which
 * expressions have no name are left out: future positions, windows of time, borrowing.
 */
#include "lint/rule_predicates.h"

#include "base/buf.h"
#include "lint/override_condition.h"

#define OVERRIDES_MOST 12
#define WORDS_MOST     200
#define TEXT_MOST      6000

/* --- the text of an expression ------------------------------------------------------------------------------------ */

static bool is_unlimited(const struct og_param *p, struct og_money value)
{
    struct og_money bound;
    bool high = p->tighter == OG_TIGHTER_HIGHER;
    const char *text = high ? p->least : p->most;

    return text && og_money_read(text, strlen(text), &bound) && og_money_cmp(value, bound) == 0;
}

static bool append_words(struct og_lint_run *l, size_t rule, int k, const struct og_param *p, struct og_buf *to)
{
    const char *settings = og_lint_setting(l, rule, k)->settings;
    const struct og_string_set *words = (const void *)(settings + p->at);

    if (words->count == 0 || words->count > WORDS_MOST)
        return false;
    for (size_t i = 0; i < words->count; i++) {
        og_buf_char(to, i ? ',' : '[');
        og_buf_json_str(to, words->word[i]);
    }
    og_buf_char(to, ']');
    return true;
}

static bool append_value(struct og_lint_run *l, const struct og_param *p, size_t rule, int k, struct og_buf *to)
{
    struct og_money value;

    if (p->kind == OG_PARAM_WORDS)
        return append_words(l, rule, k, p, to);
    if (!og_lint_value(l, rule, k, p->key, &value) || is_unlimited(p, value))
        return false;
    og_buf_money(to, value);
    return true;
}

/* Write the condition under which the setting refuses an order as an expression, with the value that applies.  Returns
 * false if the setting refuses nothing. */
static bool append_text(struct og_lint_run *l, const struct og_param *p, const struct og_refusal *r, size_t rule, int k,
                        struct og_buf *to)
{
    struct og_money choice;
    bool some = !r->choice || (og_lint_value(l, rule, k, p->key, &choice) && choice.coef == r->choice);

    for (const char *c = r->when; *c && some; c++)
        if (c[0] == '{')
            some = append_value(l, p, rule, k, to), c++;
        else
            og_buf_char(to, *c);
    return some && !to->bad;
}

static bool exits_pass(struct og_lint_run *l, const struct og_refusal *r, size_t rule, int k)
{
    struct og_money exits;

    if (r->exits == OG_EXITS_BY_SETTING)
        return !og_lint_value(l, rule, k, "exits", &exits) || exits.coef == 0;
    return r->exits == OG_EXITS_ALWAYS_PASS;
}

/* --- settings in force -------------------------------------------------------------------------------------------- */

static void add_predicate(struct og_lint_run *l, struct og_predicates *all, const struct og_param *p,
                          const struct og_refusal *r, size_t rule, int k)
{
    char text[TEXT_MOST];
    struct og_buf b;
    struct og_str kept;
    struct og_expr_diagnostic fault;
    struct og_patterns *patterns = NULL; /* expressions made here have no patterns */
    const struct og_expr *e;

    og_buf_init_fixed(&b, text, sizeof text);
    if (!og_lint_binds(l, rule, k) || all->count == OG_PREDICATES_MOST || !append_text(l, p, r, rule, k, &b))
        return;
    kept = og_arena_copy(l->arena, (struct og_str){ b.s, b.len });
    e = kept.s ? og_expr_compile(kept, OG_EXPR_BOOL, NULL, l->arena, &patterns, &fault) : NULL;
    l->oom = l->oom || !kept.s || (!e && !fault.code);
    if (e)
        all->one[all->count++] = (struct og_predicate){ rule, k, p, r, e, exits_pass(l, r, rule, k) };
}

static void add_setting(struct og_lint_run *l, struct og_predicates *all, const struct og_param *p,
                        const struct og_refusal *r, size_t rule)
{
    size_t count = l->policy->rules[rule].override_count;

    for (int k = -1; count <= OVERRIDES_MOST && k < (int)count; k++)
        add_predicate(l, all, p, r, rule, k);
}

void og_predicates_find(struct og_lint_run *l, struct og_predicates *all)
{
    all->count = 0;
    for (size_t rule = 0; rule < og_rules_size; rule++)
        OG_EACH_PARAM (p, og_rules[rule])
            for (const struct og_refusal *r = p->refuses; r && r->when; r++)
                add_setting(l, all, p, r, rule);
}

/* --- formulas ----------------------------------------------------------------------------------------------------- */

/* Returns a formula that is true if override k decides the order; k -1: if no override decides it. */
static int override_decides(struct og_lint_run *l, struct og_logic *g, size_t rule, int k, unsigned taken,
                            unsigned passed)
{
    const struct og_policy_rule *r = &l->policy->rules[rule];
    int node = og_logic_true(g);

    for (int i = 0; i < (k < 0 ? (int)r->override_count : k); i++)
        node =
            og_logic_and(g, node, og_logic_is(g, og_override_formula(l, g, &r->overrides[i], OG_OVERRIDE_ALL), passed));
    if (k >= 0)
        node =
            og_logic_and(g, node, og_logic_is(g, og_override_formula(l, g, &r->overrides[k], OG_OVERRIDE_ALL), taken));
    return node;
}

/* Returns a formula that is true if the setting's expression has one of the truth values in set; if exits pass the
 * setting, the formula is false for orders that only reduce a position. */
static int predicate_is(struct og_logic *g, const struct og_predicate *s, unsigned set, unsigned reduces)
{
    int node = og_logic_is(g, og_logic_expr(g, s->e), set);

    return s->exits_pass ? og_logic_and(g, og_logic_is(g, og_logic_name(g, "order.reduces"), reduces), node) : node;
}

/* Returns a formula for the orders that a rule refuses for certain, and for the opening orders that the rule refuses
 * because its finding is unsure. */
static int refused_or_unsure(struct og_logic *g, int certain, int unsure)
{
    return og_logic_or(g, certain, og_logic_and(g, og_logic_is(g, og_logic_name(g, "order.opens"), OG_T), unsure));
}

int og_refused_by_rule(struct og_lint_run *l, struct og_logic *g, const struct og_predicates *all, size_t rule)
{
    int any = og_logic_not(g, og_logic_true(g));

    for (size_t i = 0; i < all->count; i++) {
        const struct og_predicate *s = &all->one[i];
        int refused;

        if (s->rule != rule)
            continue;
        refused = predicate_is(g, s, OG_T, OG_F);
        if (s->refusal->unsure && og_lint_setting(l, rule, s->k)->unsure == OG_UNSURE_REFUSE)
            refused = refused_or_unsure(g, refused, predicate_is(g, s, OG_T | OG_U, OG_F));
        any = og_logic_or(g, any, og_logic_and(g, override_decides(l, g, rule, s->k, OG_T, OG_F), refused));
    }
    return any;
}

/* Returns a formula that is true if the expression has one of the truth values in set. */
static int text_is(struct og_lint_run *l, struct og_logic *g, const char *text, unsigned set)
{
    struct og_expr_diagnostic fault = { 0 };
    struct og_patterns *patterns = NULL;
    const struct og_expr *e = og_expr_compile(og_str_of(text), OG_EXPR_BOOL, NULL, l->arena, &patterns, &fault);

    l->oom = l->oom || !e;
    return e ? og_logic_is(g, og_logic_expr(g, e), set) : og_logic_true(g);
}

int og_refused_perhaps(struct og_lint_run *l, struct og_logic *g, const struct og_predicate *s)
{
    int refuses;
    bool unsure = s->refusal->stale || og_lint_setting(l, s->rule, s->k)->unsure == OG_UNSURE_REFUSE;

    refuses = predicate_is(g, s, unsure ? OG_T | OG_U : OG_T, OG_F | OG_U);
    if (s->refusal->more)
        refuses = og_logic_or(g, refuses, text_is(l, g, s->refusal->more, OG_T));
    return og_logic_and(g, override_decides(l, g, s->rule, s->k, OG_T | OG_U, OG_F | OG_U), refuses);
}

int og_refused_by_no_form(struct og_lint_run *l, struct og_logic *g)
{
    int node = og_logic_true(g);

    for (size_t i = 0; i < og_rules_size; i++)
        if (og_rules[i]->refuses && og_lint_binds(l, i, -1) && !l->policy->rules[i].override_count)
            node = og_logic_and(g, node, text_is(l, g, og_rules[i]->refuses, OG_F | OG_U));
    return node;
}

bool og_custom_refuses(const struct og_custom *c)
{
    const struct og_rule_setting *s = &c->entry.setting;

    return s->level == OG_LEVEL_REFUSE && s->mode == OG_MODE_ENFORCE;
}

int og_refused_by_custom(struct og_lint_run *l, struct og_logic *g, const struct og_custom *c)
{
    const struct og_override as = { .term = c->term };
    int when = og_logic_expr(g, c->when), require = og_logic_expr(g, c->require);
    int refused = og_logic_and(g, og_logic_is(g, when, OG_T), og_logic_is(g, require, OG_F));

    if (c->entry.setting.unsure == OG_UNSURE_REFUSE)
        refused = refused_or_unsure(
            g, refused, og_logic_and(g, og_logic_is(g, when, OG_T | OG_U), og_logic_is(g, require, OG_F | OG_U)));
    return og_logic_and(g, og_override_formula(l, g, &as, OG_OVERRIDE_UNTIL), refused);
}
