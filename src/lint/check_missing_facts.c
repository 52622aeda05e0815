/*
 * Checks for facts that rules read but that are neither among the given facts nor read by `send`.  To find what a
 * missing fact does, orders of every kind are decided with the fact and without it.
 */
#include <stdio.h>

#include "expr/expr.h"
#include "lint/lint.h"
#include "lint/opening_kinds.h"

#define CUSTOM_MOST 100
#define COST        40 /* what deciding one order takes from the budget, in microseconds */

#define FROM_BROKER "send reads them from the broker, ordergate broker facts writes them down"

/* for each fact: the program or file that provides it */
static const struct {
    enum og_fact fact;
    bool by_symbol;
    const char *from;
} sources[] = {
    { OG_FACT_ACCOUNT, false, "send reads it from the broker, ordergate broker facts writes it down" },
    { OG_FACT_POSITIONS, false, FROM_BROKER },
    { OG_FACT_ORDERS, false, FROM_BROKER },
    { OG_FACT_ROUTES, false, FROM_BROKER },
    { OG_FACT_BORROW, true, "send asks the broker about each symbol, ordergate broker facts SYMBOL writes it down" },
    { OG_FACT_LOCATES, false, FROM_BROKER },
    { OG_FACT_QUOTE, true, "send takes them from --quotes, check from the facts" },
    { OG_FACT_USED_IDS, false, "send has them in its ledger, ordergate broker facts writes them down" },
    { OG_FACT_LOCATE_HISTORY, false, "ordergate broker facts writes it down" },
    { OG_FACT_GATE, false, "send counts for itself, check takes gate from the facts" },
    { OG_FACT_PNL, false, "send reads it from the broker, ordergate broker facts writes it down" },
    { OG_FACT_VOLUME, true, "send and check take it from the facts alone" },
    { OG_FACT_SYMBOL_STATUS, true, "send takes it from --quotes, check from the facts" },
};

#define SOURCES (sizeof sources / sizeof *sources)

/* The effect on one rule if one fact is missing. */
struct gap {
    /* kinds of opening orders that the rule can decide only if the fact is known */
    struct og_opening_kinds kinds;
    bool refuses;
    const struct og_lint_witness *witness;
};

struct search {
    struct og_lint_run *l;
    size_t rules; /* number of rules: those of the register, then custom rules */
    bool absent[SOURCES], old[SOURCES];
    struct gap *gap; /* by source of facts and by rule */
};

static bool is_for_send(const struct search *a)
{
    return a->l->options.use == OG_LINT_FOR_SEND;
}

static const char *id_of(const struct search *a, size_t rule)
{
    return rule < og_rules_size ? og_rules[rule]->id : a->l->policy->custom[rule - og_rules_size]->rule.id;
}

static bool is_on(const struct og_policy_rule *r)
{
    bool on = r->setting.level != OG_LEVEL_OFF;

    for (size_t k = 0; k < r->override_count; k++)
        on = on || r->overrides[k].setting.level != OG_LEVEL_OFF;
    return on;
}

/* Returns true if the rule reads the fact, is on, and either is a limit of the desk or has an entry in this file. */
static bool reads_fact(const struct search *a, size_t rule, enum og_fact fact)
{
    const struct og_custom *c;

    if (rule < og_rules_size)
        return og_rules[rule]->reads & fact && is_on(&a->l->policy->rules[rule]) &&
               (og_rules[rule]->limit || og_lint_rule_node(a->l, og_rules[rule]->id));
    c = a->l->policy->custom[rule - og_rules_size];
    return ((c->when ? og_expr_reads(c->when) : 0) | og_expr_reads(c->require)) & fact && is_on(&c->entry);
}

/* --- deciding with and without a fact ----------------------------------------------------------------------------- */

static const struct og_finding *unsure_finding_of(const struct og_decision *d, const char *rule)
{
    for (int i = 0; i < d->count; i++)
        if (d->findings[i].unsure && strcmp(d->findings[i].rule, rule) == 0)
            return &d->findings[i];
    return NULL;
}

static void decide_without(struct search *a, size_t source, struct og_trial_order p, const bool *unsure_anyway)
{
    const struct og_decision *d;

    p.without = sources[source].fact;
    if (!og_lint_spend(a->l, COST))
        return;
    d = og_trial_decide(a->l->trial, &p);
    for (size_t i = 0; i < a->rules; i++) {
        struct gap *w = &a->gap[source * a->rules + i];
        const struct og_finding *f =
            unsure_anyway[i] || !reads_fact(a, i, sources[source].fact) ? NULL : unsure_finding_of(d, id_of(a, i));

        if (!f)
            continue;
        og_opening_kinds_add(&w->kinds, &p);
        w->refuses = w->refuses || f->level == OG_LEVEL_REFUSE;
        if (f->level == OG_LEVEL_REFUSE && !w->witness)
            w->witness = og_trial_witness(a->l->trial, "refused by '%s', which is unsure without %s", f->rule,
                                          og_fact_name(sources[source].fact));
    }
}

/* Decide an order of each kind with each fact and without it. unsure_anyway[rule]: set if the rule is unsure even with
 * all facts. */
static void decide_kinds(struct search *a, bool *unsure_anyway)
{
    struct og_trial_order p;

    for (int n = 0; og_opening_kind_next(a->l, &n, &p);) {
        const struct og_decision *d;

        p.made = true;
        d = og_trial_decide(a->l->trial, &p);
        for (size_t i = 0; i < a->rules; i++)
            unsure_anyway[i] = unsure_finding_of(d, id_of(a, i)) != NULL;
        for (size_t s = 0; s < SOURCES; s++)
            if (a->absent[s])
                decide_without(a, s, p, unsure_anyway);
    }
}

/* --- reporting ---------------------------------------------------------------------------------------------------- */

static struct og_lint_finding *add_finding(struct search *a, size_t rule, const char *text)
{
    const struct og_yaml *node;
    const struct og_custom *c;

    if (rule >= og_rules_size) {
        c = a->l->policy->custom[rule - og_rules_size];
        return og_lint_add_at_place(a->l, c->where[OG_PART_REQUIRE], (int)c->require_text.len, "facts-absent", "%s",
                                    text);
    }
    node = og_lint_rule_node(a->l, og_rules[rule]->id);
    if (!node)
        node = og_yaml_get(a->l->root, "extends") ? og_yaml_get(a->l->root, "extends") : a->l->root->first;
    return og_lint_add_at_key(a->l, node, "facts-absent", "%s", text);
}

/* Returns true if the rule never fires without the fact: volume-share without average volumes. No such thing is known
 * of other rules: a rule that did not fire on the trial orders may fire on other orders. */
static bool never_fires(size_t rule, enum og_fact fact)
{
    return fact == OG_FACT_VOLUME && rule < og_rules_size && og_rules[rule]->reads == (unsigned)fact;
}

static void report_gap(struct search *a, size_t source, size_t rule)
{
    const struct gap *w = &a->gap[source * a->rules + rule];
    enum og_fact fact = sources[source].fact;
    char kinds[200] = "", text[600];
    struct og_lint_finding *f;
    struct og_buf b;

    if (w->kinds.count == 0 && !never_fires(rule, fact))
        return;
    og_buf_init_fixed(&b, kinds, sizeof kinds);
    og_opening_kinds_name(&b, &w->kinds);
    snprintf(text, sizeof text, "rule '%s' needs %s, which %s (%s): without them it %s%s%s", id_of(a, rule),
             og_fact_name(fact),
             is_for_send(a)   ? "the broker does not have"
             : a->old[source] ? "are older in the facts given than max_age allows"
                              : "the facts given do not have",
             sources[source].from, w->kinds.count ? "is unsure about " : "finds nothing", kinds,
             w->refuses       ? ", and refuses (unsure: refuse)"
             : w->kinds.count ? ", and accepts them with a warning"
                              : "");
    f = add_finding(a, rule, text);
    if (f)
        f->witness = w->witness;
}

/* Returns true if the facts given include this fact, and it is not older than the policy's max_age. */
static bool is_given(struct search *a, size_t source)
{
    bool fresh, known;

    if (!a->l->options.facts)
        return false;
    known = og_trial_has_fact(a->l->trial, sources[source].fact, &fresh);
    a->old[source] = known && !fresh && !sources[source].by_symbol;
    return known && !a->old[source];
}

static bool find_absent(struct search *a)
{
    struct og_trial_order p = og_trial_ordinary_order(a->l->trial, OG_STOCK, OG_BUY, OG_LIMIT);
    bool any = false;

    (void)og_trial_decide(a->l->trial, &p);
    for (size_t s = 0; s < SOURCES; s++) {
        bool reads = sources[s].fact != OG_FACT_QUOTE && sources[s].fact != OG_FACT_VOLUME;

        a->absent[s] = !is_given(a, s) && !(is_for_send(a) && reads);
        any = any || a->absent[s];
    }
    return any;
}

void og_lint_check_missing_facts(struct og_lint_run *l)
{
    size_t own = l->policy->custom_count < CUSTOM_MOST ? l->policy->custom_count : CUSTOM_MOST;
    struct search a = { .l = l, .rules = og_rules_size + own };
    bool *unsure_anyway;

    if ((!l->options.facts && l->options.use == OG_LINT_FOR_ANY) || !find_absent(&a))
        return;
    a.gap = og_arena_take(l->arena, SOURCES * a.rules * sizeof *a.gap);
    unsure_anyway = og_arena_take(l->arena, a.rules * sizeof *unsure_anyway);
    if (!a.gap || !unsure_anyway) {
        l->oom = true;
        return;
    }
    decide_kinds(&a, unsure_anyway);
    for (size_t i = 0; i < a.rules; i++)
        for (size_t s = 0; s < SOURCES; s++)
            if (a.absent[s] && reads_fact(&a, i, sources[s].fact))
                report_gap(&a, s, i);
}
