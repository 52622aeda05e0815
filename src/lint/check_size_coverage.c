/*
 * Checks for kinds of orders that no size limit covers, in a policy that has size limits or extends one that has.
 * Orders of each kind are tried with the largest quantity that the broker takes, and so are orders of each kind to
 * which an override applies. A kind is not reported if the size limits of the extended policies do not cover it
 * either.
 */
#include <stdio.h>

#include "base/buf.h"
#include "check/check.h"
#include "lint/lint.h"
#include "lint/opening_kinds.h"
#include "lint/override_match.h"
#include "solver/comparisons.h"
#include "solver/logic.h"

#define LARGEST_QUANTITY 1000000
#define OVERRIDES_MOST   60 /* maximum number of overrides of one rule that are tried */
#define SYMBOLS_MOST     8  /* maximum number of symbols that are tried; they are taken from all conditions together */
#define COST             20 /* what deciding one order takes from the budget, in microseconds */

struct coverage {
    struct og_lint_run *l;
    struct og_lint_run extended;       /* the policies that the file extends; .policy NULL if they have no size limit */
    struct og_opening_kinds uncovered; /* kinds that no limit covers, for any symbol */
    struct og_str symbol[SYMBOLS_MOST];
    int symbols;
};

static bool limits_size(size_t i)
{
    return i < og_rules_size && og_rule_limits_size(og_rules[i]);
}

static bool is_about_size(size_t i)
{
    return og_rules[i]->limits_size != OG_LIMITS_NO_SIZE;
}

static bool has_size_limits(const struct og_lint_run *l)
{
    for (size_t i = 0; l->policy && i < og_rules_size; i++)
        for (int k = -1; limits_size(i) && k < (int)l->policy->rules[i].override_count; k++)
            if (og_lint_binds(l, i, k))
                return true;
    return false;
}

/* --- one kind of order -------------------------------------------------------------------------------------------- */

/* Returns true if a size limit is unsure about the order (which is accepted nevertheless, by unsure: warn). */
static bool is_size_unsure(const struct og_decision *d)
{
    for (int i = 0; i < d->count; i++)
        if (d->findings[i].unsure && limits_size(og_lint_rule_index(d->findings[i].rule)))
            return true;
    return false;
}

/* Returns true if the finding refuses by a limit of the desk, not by a rule of the broker. */
static bool is_desk_refusal(const struct og_finding *f)
{
    const struct og_rule *rule = og_rules_find(f->rule);

    return (!rule || rule->limit) && f->level == OG_LEVEL_REFUSE;
}

/* Returns true if a rule of the desk refuses the order with the largest quantity, but accepts it with its own
 * quantity. */
static bool is_limited(struct og_lint_run *l, struct og_trial_order p)
{
    const char *small[OG_FINDINGS_MOST];
    const struct og_decision *d = og_trial_decide(l->trial, &p);
    int count = 0, k;

    for (int i = 0; i < d->count; i++)
        if (is_desk_refusal(&d->findings[i]))
            small[count++] = og_policy_rule_id(l->policy, d->findings[i].rule);
    p.quantity = LARGEST_QUANTITY;
    d = og_trial_decide(l->trial, &p);
    for (int i = 0; i < d->count; i++) {
        for (k = 0; k < count && strcmp(small[k], d->findings[i].rule) != 0; k++)
            ;
        if (k == count && is_desk_refusal(&d->findings[i]))
            return true;
    }
    return false;
}

static bool largest_passes(struct og_lint_run *l, struct og_trial_order p)
{
    const struct og_decision *d;

    p.quantity = LARGEST_QUANTITY;
    d = og_trial_decide(l->trial, &p);
    return d->accepted && !is_size_unsure(d);
}

/* Returns true if no size limit covers the order: it passes as it is, with the largest quantity, at 1000 times the
 * price, and from a small account. The last decision made is that of the order with the largest quantity. */
static bool is_uncovered(struct og_lint_run *l, const struct og_trial_order *p)
{
    struct og_trial_order dear = *p, poor = *p;

    if (!og_lint_spend(l, COST) || !largest_passes(l, *p) || !og_trial_decide(l->trial, p)->accepted)
        return false;
    poor.poor = true;
    if (!og_money_times(p->price, 1000, &dear.price) || is_limited(l, dear) || is_limited(l, poor))
        return false;
    return largest_passes(l, *p);
}

/* Returns true if no size limit of this policy covers the order, although the extended policies, if they limit size,
 * cover it. */
static bool is_uncovered_here(struct coverage *h, const struct og_trial_order *p)
{
    return is_uncovered(h->l, p) && !(h->extended.policy && is_uncovered(&h->extended, p)) && largest_passes(h->l, *p);
}

/* --- kinds of orders ---------------------------------------------------------------------------------------------- */

static const struct og_lint_witness *witness_uncovered(struct coverage *h)
{
    return og_trial_witness(h->l->trial, "accepted: an order of %d", LARGEST_QUANTITY);
}

/* Get an order of the next kind. Skips kinds that are already known to be covered by no limit, whatever the symbol.
 * Returns false after the last kind. */
static bool next_kind(const struct coverage *h, int *n, struct og_trial_order *p)
{
    while (og_opening_kind_next(h->l, n, p))
        if (!og_opening_kinds_have(&h->uncovered, p))
            return true;
    return false;
}

/* A report of kinds without a size limit. names: the kinds, as text; "" if there is none. */
struct coverage_report {
    const struct og_lint_witness *witness;
    char names[400];
    struct og_buf b;
};

/* Returns true if the order is decided by an override of this file, of one of the first `rules` rules: the kind is then
 * reported at the override. */
static bool is_reported_at_override(const struct coverage *h, size_t rules)
{
    for (size_t i = 0; i < rules; i++) {
        int k = is_about_size(i) ? og_trial_override(h->l->trial, i) : -1;

        if (k >= 0 && k < OVERRIDES_MOST &&
            og_lint_is_here(h->l, h->l->policy->rules[i].overrides[k].where[OG_PART_SELF]))
            return true;
    }
    return false;
}

static void check_all_symbols(struct coverage *h, struct coverage_report *t)
{
    struct og_opening_kinds f = { .count = 0 };
    struct og_trial_order p;

    for (int n = 0; next_kind(h, &n, &p);)
        if (is_uncovered_here(h, &p) && !is_reported_at_override(h, og_rules_size)) {
            t->witness = t->witness ? t->witness : witness_uncovered(h);
            og_opening_kinds_add(&f, &p);
        }
    og_opening_kinds_name(&t->b, &f);
    h->uncovered = f;
}

static void set_symbol(const struct coverage *h, struct og_trial_order *p, struct og_str symbol)
{
    if (p->security == OG_OPTION)
        og_trial_option_symbol(h->l->trial, symbol, 'C', 100, p->symbol);
    else
        snprintf(p->symbol, sizeof p->symbol, "%.*s", (int)symbol.len, symbol.s);
}

static void check_named_symbols(struct coverage *h, struct coverage_report *t)
{
    struct og_trial_order p;

    for (int i = 0; i < h->symbols; i++) {
        struct og_opening_kinds f = { .symbol = h->symbol[i] };

        for (int n = 0; next_kind(h, &n, &p);) {
            set_symbol(h, &p, h->symbol[i]);
            if (!is_uncovered_here(h, &p) || is_reported_at_override(h, og_rules_size))
                continue;
            t->witness = t->witness ? t->witness : witness_uncovered(h);
            og_opening_kinds_add(&f, &p);
        }
        og_opening_kinds_name(&t->b, &f);
    }
}

/* Returns true if a large order that the override decides is accepted. Orders with the symbols that conditions name are
 * tried too. */
static bool passes_with_override(struct coverage *h, size_t rule, size_t k, struct og_trial_order *p)
{
    const struct og_override *o = &h->l->policy->rules[rule].overrides[k];
    struct og_trial_order kind = *p;

    if (!og_override_fit_order(h->l, o, p) || p->security != kind.security || p->type != kind.type ||
        p->side != kind.side)
        return false;
    for (int i = -1; i < (o->when ? h->symbols : 0); i++) {
        bool passes;

        if (i >= 0)
            set_symbol(h, p, h->symbol[i]);
        passes = largest_passes(h->l, *p);
        if (og_trial_override(h->l->trial, rule) == (int)k)
            return passes;
    }
    return false;
}

static void check_override(struct coverage *h, size_t rule, size_t k)
{
    struct og_srcloc at = h->l->policy->rules[rule].overrides[k].where[OG_PART_SELF];
    const struct og_lint_witness *witness = NULL;
    struct og_lint_finding *made;
    struct og_opening_kinds f = { .count = 0 };
    char names[400];
    struct og_buf b;
    struct og_trial_order p;

    for (int n = 0; og_lint_is_here(h->l, at) && next_kind(h, &n, &p);) {
        if (!passes_with_override(h, rule, k, &p) || !is_uncovered_here(h, &p) || is_reported_at_override(h, rule))
            continue;
        witness = witness ? witness : witness_uncovered(h);
        og_opening_kinds_add(&f, &p);
    }
    if (!f.count)
        return;
    og_buf_init_fixed(&b, names, sizeof names);
    og_opening_kinds_name(&b, &f);
    made = og_lint_add_at_place(h->l, at, 1, "size-hole",
                                "opening orders are limited in size, but not these, to which this override applies: %s",
                                names);
    if (made)
        made->witness = witness;
}

/* --- symbols that conditions name --------------------------------------------------------------------------------- */

static void add_symbol(struct coverage *h, struct og_str word)
{
    int known = 0;

    while (known < h->symbols && !og_str_eq(h->symbol[known], word))
        known++;
    if (known == h->symbols && h->symbols < SYMBOLS_MOST && word.len > 0 && word.len <= 6)
        h->symbol[h->symbols++] = word;
}

static void add_symbols(struct coverage *h, const struct og_expr *e)
{
    for (const struct og_expr_node *n = e ? og_expr_first(e->root) : NULL; n && n <= e->root; n++) {
        const struct og_expr_value *value, *first;
        size_t at;
        const struct og_expr_named *name = og_comparison_at(n, &value, &at);
        size_t count = name && name->is.measure == OG_MEASURE_SYMBOL ? og_comparison_values(n, value, &first) : 0;

        for (size_t i = 0; i < count; i++)
            add_symbol(h, first[i].as.text);
    }
}

static void gather_symbols(struct coverage *h)
{
    const struct og_policy *policy = h->l->policy;

    for (size_t i = 0; i < og_rules_size; i++)
        for (size_t k = 0; is_about_size(i) && k < policy->rules[i].override_count; k++)
            add_symbols(h, policy->rules[i].overrides[k].when);
    for (size_t i = 0; i < policy->custom_count; i++) {
        add_symbols(h, policy->custom[i]->when);
        add_symbols(h, policy->custom[i]->require);
    }
}

/* Prepare to decide orders by the policies that the file extends, if they limit size. */
static void load_extended(struct coverage *h, struct og_error *err)
{
    bool extends = og_yaml_get(h->l->root, "extends") && og_lint_extended(h->l);

    h->extended = *h->l;
    h->extended.policy = extends ? h->l->extended : NULL;
    h->extended.trial = NULL;
    h->extended.options.no_witness = true;
    if (!has_size_limits(&h->extended) || og_trial_new(&h->extended, &h->extended.trial, err) != OG_OK)
        h->extended.policy = NULL;
}

/* Returns the entry at which a finding is reported: a size limit that refuses; if there is none, an entry that turns a
 * size limit off. */
static const struct og_yaml *place_of(const struct og_lint_run *l)
{
    const struct og_yaml *rules = og_yaml_get(l->root, "rules"), *other = NULL;

    for (const struct og_yaml *n = rules && rules->kind == OG_YAML_MAP ? rules->first : NULL; n; n = n->next)
        for (size_t i = 0; i < og_rules_size; i++) {
            if (!og_str_is(n->key, og_rules[i]->id) || !is_about_size(i))
                continue;
            if (limits_size(i) && og_lint_binds(l, i, -1))
                return n;
            if (!other || !limits_size(i))
                other = n;
        }
    return other;
}

static void check_kinds(struct coverage *h, const struct og_yaml *at)
{
    struct coverage_report t = { .witness = NULL };

    og_buf_init_fixed(&t.b, t.names, sizeof t.names);
    gather_symbols(h);
    check_all_symbols(h, &t);
    for (size_t i = 0; i < og_rules_size; i++)
        for (size_t k = 0; is_about_size(i) && k < h->l->policy->rules[i].override_count && k < OVERRIDES_MOST; k++)
            check_override(h, i, k);
    check_named_symbols(h, &t);
    if (t.b.len)
        og_lint_add_at_key(h->l, at, "size-hole", "opening orders are limited in size, but not these: %s", t.names)
            ->witness = t.witness;
}

/* --- orders that are refused for want of a limit ------------------------------------------------------------------ */

static bool lacks_limit(struct og_lint_run *l, const struct og_rule *rule, const struct og_trial_order *p)
{
    return og_decision_finds(og_trial_decide(l->trial, p), rule->id, NULL, true);
}

/* Report kinds of opening orders that are refused since no limit on their size refuses, if the extended policies have
 * such a limit; without extended policies that limit size, only if every opening order is refused so. The finding is at
 * an entry of such a limit if the file has one. */
static void check_refused(struct coverage *h, const struct og_yaml *at)
{
    const struct og_rule *rule = NULL;
    struct og_lint_run *l = h->l;
    struct og_opening_kinds refused = { .count = 0 };
    struct og_trial_order p;
    char names[400];
    struct og_buf b;
    int kinds = 0;

    for (size_t i = 0; i < og_rules_size; i++) {
        const struct og_yaml *level =
            og_rules[i]->limits_size == OG_LIMITS_ORDERS ? og_lint_key_node(l, og_rules[i]->id, -1, "level") : NULL;

        at = level ? level : at;
        if (og_rules[i]->limits_size == OG_LIMITS_MISSING && og_lint_binds(l, i, -1))
            rule = og_rules[i];
    }
    for (int n = 0; rule && og_opening_kind_next(l, &n, &p); kinds++)
        if (og_lint_spend(l, COST) && lacks_limit(l, rule, &p) &&
            !(h->extended.policy && lacks_limit(&h->extended, rule, &p)))
            og_opening_kinds_add(&refused, &p);
    if (!refused.count || (!h->extended.policy && refused.count < kinds))
        return;
    og_buf_init_fixed(&b, names, sizeof names);
    og_opening_kinds_name(&b, &refused);
    (void)og_lint_add(
        l, at, "size-unlimited",
        "rule '%s' refuses opening orders whose size no limit refuses, here: %s; only limits at level refuse "
        "and mode enforce count",
        rule->id, names);
}

void og_lint_check_size_coverage(struct og_lint_run *l)
{
    const struct og_yaml *at = place_of(l);
    struct coverage h = { .l = l };
    struct og_error err = { 0 };

    if (!at)
        return;
    load_extended(&h, &err);
    check_refused(&h, at);
    if (has_size_limits(l) || h.extended.policy)
        check_kinds(&h, at);
    l->oom = l->oom || h.extended.oom;
    og_trial_free(h.extended.trial);
}
