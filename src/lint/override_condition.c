/*
 * The condition under which an override applies, as a formula: match, condition and end time.  At most 12 earlier
 * overrides are considered together.
 */
#include "lint/override_condition.h"

#define TOGETHER_MOST 12 /* maximum number of earlier overrides that are considered together */

static int kinds_formula(struct og_logic *g, unsigned bits, uint64_t (*of)(int))
{
    uint64_t kinds = 0;

    for (int i = 0; i < 8; i++)
        if (bits >> i & 1)
            kinds |= of(i);
    return og_logic_kinds(g, kinds);
}

static uint64_t of_security(int i)
{
    return og_order_kinds_of_security((enum og_security)i);
}

static uint64_t of_side(int i)
{
    return og_order_kinds_of_side((enum og_side)i);
}

static uint64_t of_type(int i)
{
    return og_order_kinds_of_type((enum og_order_type)i);
}

static int until_formula(struct og_lint_run *l, struct og_logic *g, int64_t ns)
{
    struct og_expr_value *v = og_arena_take(l->arena, sizeof *v);

    if (!v) {
        l->oom = true;
        return og_logic_true(g);
    }
    *v = og_expr_ns(ns);
    return og_logic_until(g, v);
}

static int match_formula(struct og_logic *g, int node, const struct og_override *o)
{
    if (o->securities)
        node = og_logic_and(g, node, kinds_formula(g, o->securities, of_security));
    if (o->sides)
        node = og_logic_and(g, node, kinds_formula(g, o->sides, of_side));
    if (o->types)
        node = og_logic_and(g, node, kinds_formula(g, o->types, of_type));
    if (o->symbol)
        node = og_logic_and(g, node, og_logic_pattern(g, "order.symbol", o->symbol));
    if (o->account)
        node = og_logic_and(g, node, og_logic_pattern(g, "account.id", o->account));
    if (o->tag)
        node = og_logic_and(g, node, og_logic_pattern(g, "order.tag", o->tag));
    return node;
}

int og_override_formula(struct og_lint_run *l, struct og_logic *g, const struct og_override *o, unsigned parts)
{
    int node = og_logic_true(g);

    if (parts & OG_OVERRIDE_MATCH)
        node = match_formula(g, node, o);
    if ((parts & OG_OVERRIDE_UNTIL) && o->term.until != OG_TIME_UNKNOWN)
        node = og_logic_and(g, node, until_formula(l, g, o->term.until));
    if ((parts & OG_OVERRIDE_WHEN) && o->when)
        node = og_logic_and(g, node, og_logic_expr(g, o->when));
    return node;
}

int og_override_formula_any_time(struct og_logic *g, const struct og_override *o)
{
    return og_logic_and(g, match_formula(g, og_logic_true(g), o), og_logic_expr(g, o->when));
}

int og_logic_securities(struct og_logic *g, unsigned securities)
{
    return kinds_formula(g, securities, of_security);
}

/* Returns a formula that is true for the orders to which the rule applies. */
static int rule_formula(struct og_logic *g, size_t rule)
{
    return og_rules[rule]->securities ? kinds_formula(g, og_rules[rule]->securities, of_security) : og_logic_true(g);
}

static const struct og_override *override_at(const struct og_lint_run *l, size_t rule, size_t k)
{
    return &l->policy->rules[rule].overrides[k];
}

enum og_proof og_override_never_applies(struct og_lint_run *l, size_t rule, size_t k, unsigned parts)
{
    struct og_logic *g = og_lint_logic(l);

    return og_lint_never(
        l, g, og_logic_and(g, rule_formula(g, rule), og_override_formula(l, g, override_at(l, rule, k), parts)), OG_T);
}

enum og_proof og_override_always_applies(struct og_lint_run *l, size_t rule, size_t k)
{
    struct og_logic *g = og_lint_logic(l);
    int node;

    node = og_logic_is(g, og_override_formula(l, g, override_at(l, rule, k), OG_OVERRIDE_ALL), OG_F | OG_U);
    return og_lint_never(l, g, og_logic_and(g, rule_formula(g, rule), node), OG_T);
}

/* Returns the literal text with which a pattern begins; *whole: set if the pattern consists of this text alone. */
static struct og_str literal_prefix(const struct og_pattern *p, bool *whole)
{
    struct og_str text = og_pattern_text(p), begins = { text.s, 0 };

    if (text.len && memchr(text.s, '|', text.len))
        return begins;
    while (begins.len < text.len && memchr("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", begins.s[begins.len], 36))
        begins.len++;
    *whole = begins.len == text.len;
    if (!*whole && begins.len && strchr("*?{", text.s[begins.len]))
        begins.len--;
    return begins;
}

/* Returns true if literal prefixes already show that no symbol matches both overrides. */
static bool differ_in_prefix(const struct og_override *a, const struct og_override *b)
{
    bool whole_a = false, whole_b = false;
    struct og_str x, y;
    size_t len;

    if (!a->symbol || !b->symbol)
        return false;
    x = literal_prefix(a->symbol, &whole_a);
    y = literal_prefix(b->symbol, &whole_b);
    len = x.len < y.len ? x.len : y.len;
    if (len && memcmp(x.s, y.s, len) != 0)
        return true;
    return (whole_a && y.len > x.len) || (whole_b && x.len > y.len);
}

/* Prove that the overrides from index `from` up to, but not including, `to` match every order that the k-th override
 * matches. */
static enum og_proof none_left(struct og_lint_run *l, size_t rule, size_t k, size_t from, size_t to)
{
    struct og_logic *g = og_lint_logic(l);
    int node;

    node = og_logic_and(g, rule_formula(g, rule),
                        og_logic_is(g, og_override_formula(l, g, override_at(l, rule, k), OG_OVERRIDE_ALL), OG_T));
    for (size_t i = from; i < to; i++)
        node = og_logic_and(
            g, og_logic_is(g, og_override_formula(l, g, override_at(l, rule, i), OG_OVERRIDE_ALL), OG_F | OG_U), node);
    return og_lint_never(l, g, node, OG_T);
}

enum og_proof og_override_is_within(struct og_lint_run *l, size_t rule, size_t a, size_t b)
{
    return none_left(l, rule, a, b, b + 1);
}

bool og_override_applies_to_requests(size_t rule, const struct og_override *o)
{
    return (og_rule_subjects(og_rules[rule]) & ~(unsigned)OG_SUBJECT_ORDER) && !o->securities && !o->sides &&
           !o->types && !o->symbol && !o->tag && !o->when;
}

static bool may_shadow(const struct og_lint_run *l, size_t rule, size_t i, size_t k)
{
    const struct og_override *a = override_at(l, rule, i), *b = override_at(l, rule, k);

    return !differ_in_prefix(a, b) &&
           (!og_override_applies_to_requests(rule, b) || og_override_applies_to_requests(rule, a));
}

/* Do what og_override_is_shadowed() does, considering only the overrides before index `before`. */
static enum og_proof is_shadowed(struct og_lint_run *l, size_t rule, size_t k, size_t before, int *by)
{
    enum og_proof proof;

    for (size_t i = 0; i < before; i++)
        if (may_shadow(l, rule, i, k) && (proof = none_left(l, rule, k, i, i + 1)) != OG_UNPROVED) {
            *by = (int)i;
            return proof;
        }
    *by = -1;
    return before >= 2 && before <= TOGETHER_MOST && !og_override_applies_to_requests(rule, override_at(l, rule, k))
               ? none_left(l, rule, k, 0, before)
               : OG_UNPROVED;
}

enum og_proof og_override_is_shadowed(struct og_lint_run *l, size_t rule, size_t k, int *by)
{
    return is_shadowed(l, rule, k, k, by);
}

enum og_proof og_override_is_shadowed_by_others(struct og_lint_run *l, size_t rule, size_t k)
{
    size_t before = k;
    int by;

    while (before > 0 && override_at(l, rule, before - 1)->split)
        before--;
    return is_shadowed(l, rule, k, before, &by);
}

bool og_overrides_are_disjoint(struct og_lint_run *l, size_t rule, size_t a, size_t b)
{
    struct og_logic *g = og_lint_logic(l);
    int node;

    if (differ_in_prefix(override_at(l, rule, a), override_at(l, rule, b)))
        return true;
    node = og_logic_and(
        g, og_logic_is(g, og_override_formula(l, g, override_at(l, rule, a), OG_OVERRIDE_ALL), OG_T | OG_U),
        og_logic_is(g, og_override_formula(l, g, override_at(l, rule, b), OG_OVERRIDE_ALL), OG_T | OG_U));
    return og_lint_never(l, g, node, OG_T) == OG_PROVED;
}
