/*
 * Checks conditions of custom rules and overrides that are unknown for whole kinds of orders, if unsure findings
 * refuse. A kind is reported only with an order for which the condition is unknown although no fact is missing.
 */
#include <stdio.h>

#include "lint/override_condition.h"
#include "lint/override_match.h"
#include "lint/witness_search.h"

#define EARLIER_MOST 12
#define TRIES_MOST   16 /* number of orders of one kind that are tried */
#define BUDGET_LEFT  60000

/* A condition, and the findings about it so far. */
struct undecidable {
    const struct og_custom *custom; /* the custom rule with the condition; NULL if an override has it */
    const struct og_override *override;
    const struct og_expr *when, *require;
    char kind_names[240], why[200];
    const char *lacks; /* the name whose missing value makes the condition unknown; NULL if there is no such name */
    bool alone;        /* report only orders that no other rule refuses */
    const struct og_lint_witness *witness;
};

static bool refuses_unsure(const struct og_rule_setting *s)
{
    return s->level == OG_LEVEL_REFUSE && s->unsure == OG_UNSURE_REFUSE && s->mode == OG_MODE_ENFORCE;
}

/* Returns true if the expression reads a price or money. The price of a spread without a limit is unknown, and rules
 * about money may refuse such orders on purpose: such orders are reported only if no other rule refuses them. */
static bool reads_price(const struct og_expr *e)
{
    static const char *const priced[] = { "order.price", "order.notional", "order.maxLoss", "order.maxProfit", NULL };

    return og_expr_reads_one_of(e, priced);
}

/* --- orders for which the condition is unknown -------------------------------------------------------------------- */

static void note_reason(struct og_lint_run *l, struct undecidable *d, const struct og_expr *e)
{
    struct og_expr_why why;
    struct og_buf b;

    if (!e || d->why[0] || og_trial_truth_why(l->trial, e, &why) != OG_TRUTH_UNKNOWN)
        return;
    og_buf_init_fixed(&b, d->why, sizeof d->why);
    og_trial_why_text(l->trial, &why, &b);
    d->lacks = why.cause == OG_CAUSE_NO_VALUE ? why.name : NULL;
}

static bool is_refused_by_another(const struct og_decision *decision, const char *rule)
{
    for (int i = 0; i < decision->count; i++)
        if (decision->findings[i].level == OG_LEVEL_REFUSE && strcmp(decision->findings[i].rule, rule) != 0)
            return true;
    return false;
}

static bool is_undecided(struct og_lint_run *l, const struct og_decision *decision, void *with)
{
    struct undecidable *d = with;
    const struct og_finding *f = d->custom ? og_decision_finds(decision, d->custom->rule.id, NULL, true) : NULL;

    if (d->custom ? !f || !f->unsure : og_trial_truth(l->trial, d->when) != OG_TRUTH_UNKNOWN)
        return false;
    if (d->alone && (!d->custom || is_refused_by_another(decision, d->custom->rule.id)))
        return false;
    note_reason(l, d, d->when);
    note_reason(l, d, d->require);
    return true;
}

static void add_kind(struct undecidable *d, enum og_security security, enum og_order_type type, bool covered)
{
    size_t len = strlen(d->kind_names);

    snprintf(d->kind_names + len, sizeof d->kind_names - len, "%s%s %s%s", len ? ", " : "", og_security_name(security),
             og_order_type_name(type), covered ? " with a leg of stock" : "");
}

/* For each kind of order in `kinds`, search for an order for which the condition is unknown; note the kind if there is
 * one. */
static void try_kinds(struct og_lint_run *l, struct undecidable *d, uint64_t kinds)
{
    bool priced = reads_price(d->when) || reads_price(d->require);

    for (int security = OG_STOCK; security <= OG_MLEG; security++)
        for (int type = OG_MARKET; type <= OG_STOP_LIMIT; type++) {
            bool limited = type == OG_LIMIT || type == OG_STOP_LIMIT, covered;
            struct og_witness_search s;

            if (l->budget < BUDGET_LEFT)
                continue;
            d->alone = security == OG_MLEG && !limited && priced;
            og_witness_search_begin(&s,
                                    kinds & og_order_kinds_of_security((enum og_security)security) &
                                        og_order_kinds_of_type((enum og_order_type)type),
                                    TRIES_MOST);
            og_witness_search_add_values(&s, d->when);
            og_witness_search_add_values(&s, d->require);
            if (!s.kinds || !og_witness_search_run(l, &s, d->override, is_undecided, d, &covered))
                continue;
            if (!d->witness && d->custom)
                d->witness = og_trial_witness(l->trial, "refused by '%s', which is unsure", d->custom->rule.id);
            add_kind(d, (enum og_security)security, (enum og_order_type)type, covered);
        }
}

/* Returns `kinds` without options whose openClose is missing: users who leave it out know that the effect of the order
 * is unknown. */
static uint64_t without_missing_open_close(uint64_t kinds)
{
    uint64_t all = 0;

    for (uint64_t left = kinds; left; left &= left - 1) {
        const struct og_order_kind kind = og_order_kind(__builtin_ctzll(left));

        if (kind.security != OG_OPTION || kind.open_close != OG_OPEN_CLOSE_NONE)
            all |= left & -left;
    }
    return all;
}

/* Returns the kinds of orders for which the formula may be true although all facts are known. */
static uint64_t undecidable_kinds(struct og_lint_run *l, const struct og_logic *g, int node)
{
    struct og_universe u = og_lint_universe(l);
    long steps = 20000, fuel = 60000;
    uint64_t kinds;

    u.all_known = true;
    u.fuel = &fuel;
    kinds = og_logic_kinds_left(g, node, OG_T, &u, &steps);
    return og_lint_spend(l, (20000 - steps) / 4 + (60000 - fuel) / 8 + 1) ? without_missing_open_close(kinds) : 0;
}

/* --- custom rules ------------------------------------------------------------------------------------------------- */

static const char *advice(struct og_lint_run *l, const struct undecidable *d)
{
    if (!d->lacks)
        return "ask with has() or narrow 'when'";
    if (strncmp(d->lacks, "leg.", 4) == 0)
        return og_lint_format(l, "for each leg l, write 'has(l.%s) &&' or '!has(l.%s) ||' before it", d->lacks + 4,
                              d->lacks + 4);
    if (d->override)
        return og_lint_format(l, "write 'has(%s) &&' before it", d->lacks);
    return og_lint_format(l, "narrow 'when' by has(%s), or allow !has(%s) in 'require'", d->lacks, d->lacks);
}

void og_lint_check_undecidable_custom(struct og_lint_run *l, const struct og_custom *c)
{
    struct undecidable d = { .custom = c, .when = c->when, .require = c->require };
    struct og_logic *g = refuses_unsure(&c->entry.setting) && !l->options.facts ? og_lint_logic(l) : NULL;
    struct og_lint_finding *f;
    int when, require;

    if (!g)
        return;
    when = og_logic_expr(g, c->when);
    require = og_logic_expr(g, c->require);
    try_kinds(
        l, &d,
        undecidable_kinds(
            l, g,
            og_logic_and(g, og_logic_and(g, og_logic_is(g, when, OG_T | OG_U), og_logic_is(g, require, OG_F | OG_U)),
                         og_logic_or(g, og_logic_is(g, when, OG_U), og_logic_is(g, require, OG_U)))));
    if (!d.kind_names[0])
        return;
    f = og_lint_add_at_place(l, c->where[OG_PART_REQUIRE], (int)c->require_text.len, "condition-unsure",
                             "rule '%s' is always unsure about such orders, and refuses them: %s (%s); %s", c->rule.id,
                             d.kind_names, d.why, advice(l, &d));
    if (f)
        f->witness = d.witness;
}

/* --- overrides ---------------------------------------------------------------------------------------------------- */

void og_lint_check_undecidable_override(struct og_lint_run *l, size_t rule, size_t k)
{
    const struct og_policy_rule *r = &l->policy->rules[rule];
    const struct og_override *o = &r->overrides[k];
    struct undecidable d = { .override = o, .when = o->when };
    bool refuses = refuses_unsure(&o->setting) || refuses_unsure(&r->setting);
    struct og_logic *g = o->when && refuses && !l->options.facts && k <= EARLIER_MOST ? og_lint_logic(l) : NULL;
    int node;

    if (!g)
        return;
    node = og_logic_is(g, og_override_formula(l, g, o, OG_OVERRIDE_ALL), OG_U);
    for (size_t i = 0; i < k; i++)
        node = og_logic_and(g, node,
                            og_logic_is(g, og_override_formula(l, g, &r->overrides[i], OG_OVERRIDE_ALL), OG_F | OG_U));
    if (og_rules[rule]->securities)
        node = og_logic_and(g, og_logic_securities(g, og_rules[rule]->securities), node);
    try_kinds(l, &d, undecidable_kinds(l, g, node));
    if (d.kind_names[0])
        (void)og_lint_add_at_place(l, o->where[OG_PART_WHEN], (int)o->when_text.len, "condition-unsure",
                                   "whether this override of rule '%s' applies to such orders is unknown, so findings "
                                   "that depend on it are unsure, and refuse the order: %s (%s); %s",
                                   og_rules[rule]->id, d.kind_names, d.why, advice(l, &d));
}
