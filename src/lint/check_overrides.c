/*
 * Checks overrides of the linted file. Reports an override (a) that applies to no order; (b) whose orders are all
 * decided by earlier overrides; (c) that changes nothing; (d) whose end time has passed.
 */
#include <stdlib.h>

#include "base/time.h"
#include "facts/calendar.h"
#include "lint/lint.h"
#include "lint/override_condition.h"
#include "lint/override_match.h"
#include "lint/witness_search.h"
#include "policy/value.h"
#include "text/regex_automaton.h"

#define PAIRS_MOST 200 /* maximum number of overrides of one rule that are compared */
#define FAR_DAYS   400 /* an end time that is more days away than this is reported as a probable slip */
#define DAY        (86400 * OG_NS_PER_S)

void og_lint_check_end_date(struct og_lint_run *l, const struct og_term *term, struct og_srcloc at)
{
    struct og_eastern e;

    if (term->until == OG_TIME_UNKNOWN)
        return;
    og_eastern_from(term->until, &e);
    if (e.date > OG_CALENDAR_LAST)
        (void)og_lint_add_at_place(l, at, 10, "past-calendar",
                                   "this end time is after the exchange calendar, which ends " OG_CALENDAR_ENDS);
    else if (term->until - l->options.now > FAR_DAYS * DAY)
        (void)og_lint_add_at_place(
            l, at, 10, "until-far",
            "this ends %lld days from now: is the year right? an entry that lasts so long is hardly temporary",
            (long long)((term->until - l->options.now) / DAY));
}

static bool is_same_setting(const struct og_rule *rule, const struct og_rule_setting *a,
                            const struct og_rule_setting *b)
{
    if (a->level != b->level || a->unsure != b->unsure || a->mode != b->mode || !a->settings != !b->settings)
        return false;
    for (size_t i = 0; i < rule->reason_count; i++)
        if (a->reason_level[i] != b->reason_level[i])
            return false;
    OG_EACH_PARAM (p, rule)
        if (a->settings && og_value_cmp(p, a->settings, b->settings) != 0)
            return false;
    return true;
}

/* The search for an order that two overrides match, `later` and the earlier one at index `by`, and that override `by`
 * decides. */
struct shadowing {
    size_t rule;
    const struct og_override *later;
    int by;
};

static bool is_shadowed_order(struct og_lint_run *l, const struct og_decision *d, void *with)
{
    const struct shadowing *x = with;

    (void)d;
    return og_trial_override(l->trial, x->rule) == x->by &&
           (!x->later->when || og_trial_truth(l->trial, x->later->when) == OG_TRUTH_TRUE);
}

static const struct og_lint_witness *witness_shadowed(struct og_lint_run *l, size_t rule, size_t k, int by, int line)
{
    struct shadowing x = { rule, &l->policy->rules[rule].overrides[k], by };
    struct og_universe u = og_lint_universe(l);
    struct og_witness_search s;

    u.clean = true;
    og_witness_search_begin(&s, og_group_kinds(OG_GROUP_ORDER, &u), 100);
    og_witness_search_add_values(&s, x.later->when);
    og_witness_search_add_values(&s, l->policy->rules[rule].overrides[by].when);
    return og_witness_search_run(l, &s, x.later, is_shadowed_order, &x, NULL)
               ? og_trial_witness(l->trial, "matches here, and is decided by the override on line %d", line)
               : NULL;
}

static void report_shadowed(struct og_lint_run *l, size_t rule, size_t k, int by, enum og_proof proof,
                            const struct og_yaml *const *node)
{
    struct og_lint_finding *f;

    if (by < 0) {
        og_lint_add(
            l, node[k], "override-shadowed",
            "no order reaches this override%s: the overrides before it together match every order that it matches",
            og_lint_exception_text(proof));
        return;
    }
    f = og_lint_add(l, node[k], "override-shadowed",
                    "no order reaches this override%s: the override on line %d matches every order that it matches",
                    og_lint_exception_text(proof), node[by]->line);
    f->witness = witness_shadowed(l, rule, k, by, node[by]->line);
}

/* Returns true if every order would be decided the same without the override: by the rule, or by a later override
 * with the same values. */
static bool is_without_effect(struct og_lint_run *l, size_t rule, size_t k)
{
    const struct og_policy_rule *r = &l->policy->rules[rule];

    if (!is_same_setting(r->rule, &r->overrides[k].setting, &r->setting))
        return false;
    for (size_t i = k + 1; i < r->override_count; i++)
        if (!is_same_setting(r->rule, &r->overrides[i].setting, &r->setting) &&
            !og_overrides_are_disjoint(l, rule, k, i))
            return false;
    return true;
}

bool og_lint_check_when(struct og_lint_run *l, const struct og_expr *when, struct og_srcloc at, const char *never,
                        const char *always)
{
    struct og_condition is;

    if (!when)
        return true;
    if (og_lint_check_expression(l, when, at))
        return false; /* a wrong word is reported: other findings about the condition would only follow from it */
    (void)og_lint_check_multiples(l, when, at, NULL);
    is = og_lint_condition(l, when);
    if (is.is == OG_CONDITION_NEVER)
        (void)og_lint_add_at_place(l, at, (int)when->text.len, "condition-never", "this condition %s%s: %s%s",
                                   is.past ? "no longer holds, since its time is past" : "never holds",
                                   og_lint_exception_text(is.proof), never,
                                   is.may_be_unknown ? ", and for some it is unknown" : "");
    else if (is.is == OG_CONDITION_ALWAYS)
        (void)og_lint_add_at_place(
            l, at, (int)when->text.len, "condition-always", "this condition holds for every order%s%s: %s",
            is.may_be_unknown ? " for which it is known" : "", og_lint_exception_text(is.proof), always);
    return is.is != OG_CONDITION_NEVER;
}

/* Report an override that applies to no order: because of its match, its condition, or both together. Returns true if
 * it was reported. */
static bool check_dead(struct og_lint_run *l, size_t rule, size_t k, const struct og_yaml *node)
{
    const struct og_override *o = &l->policy->rules[rule].overrides[k];
    const struct og_yaml *match = og_yaml_get(node, "match");
    const char *never = og_override_why_never(l, og_rules[rule], o);
    enum og_proof proof;

    if (never) {
        og_lint_add(l, match ? match : node, "override-dead", "no %s matches this: %s",
                    strstr(never, "symbol of an option") ? "option" : "order", never);
        return true;
    }
    proof = og_override_never_applies(l, rule, k, OG_OVERRIDE_MATCH | OG_OVERRIDE_UNTIL);
    if (proof) {
        og_lint_add(l, match ? match : node, "override-dead",
                    "no order matches this%s: such orders have no symbol that it matches",
                    og_lint_exception_text(proof));
        return true;
    }
    proof = o->when ? og_override_never_applies(l, rule, k, OG_OVERRIDE_ALL) : OG_UNPROVED;
    if (proof)
        og_lint_add(l, node, "override-dead",
                    "no order reaches this override%s: its condition holds for no order that its match allows",
                    og_lint_exception_text(proof));
    return proof != OG_UNPROVED;
}

/* Tickers of stock as exchanges spell them: capitals, perhaps a class after a point.  No option symbol has this
 * form. */
#define TICKERS "[A-Z]{1,6}([.][A-Z]{1,2})?"

static bool matches_tickers(const struct og_override *o)
{
    struct og_automaton *made = calloc(2, sizeof *made);
    const struct og_automaton *both[2] = { made, made ? &made[1] : NULL };
    long fuel = 20000;
    bool all = made && o->symbol && !o->account && !o->tag && !o->securities && !o->sides && !o->types &&
               og_automaton_of_pattern(OG_STR(TICKERS), false, &made[0]) &&
               og_automaton_of_pattern(og_pattern_text(o->symbol), false, &made[1]);

    if (all) {
        made[1].complement = true;
        all = !og_automata_intersect(both, 2, &fuel);
    }
    free(made);
    return all;
}

/* Report an override that always applies to every order, because its match matches all orders. */
static bool check_matches_all(struct og_lint_run *l, size_t rule, size_t k, const struct og_yaml *node)
{
    const struct og_override *o = &l->policy->rules[rule].overrides[k];
    const struct og_yaml *match = og_yaml_get(node, "match");
    bool all;

    if (!match || o->when || o->term.until != OG_TIME_UNKNOWN)
        return false;
    if (!match->first) /* the loader reports an empty match */
        return true;
    all = og_override_always_applies(l, rule, k) != OG_UNPROVED;
    if (all)
        og_lint_add(l, match, "override-matches-all",
                    "this match is for every order, so that rule '%s' itself applies to none: set the rule instead",
                    og_rules[rule]->id);
    else if (matches_tickers(o))
        og_lint_add(l, og_yaml_get(match, "symbol"), "override-matches-all",
                    "this pattern matches every ticker, so that rule '%s' itself applies to no stock and no spread: "
                    "match by securityType, or set the rule instead",
                    og_rules[rule]->id);
    return all;
}

static void check_override(struct og_lint_run *l, size_t rule, size_t k, const struct og_yaml *const *node)
{
    const struct og_override *o = &l->policy->rules[rule].overrides[k];
    bool parted = k > 0 && o[-1].split; /* the override before this one was split off from this one */
    enum og_proof proof;
    int by;

    if (!og_lint_check_when(l, o->when, o->where[OG_PART_WHEN],
                            og_lint_format(l, "no order reaches this override of rule '%s'", og_rules[rule]->id),
                            "leave it out, or set the rule itself"))
        return;
    og_lint_check_end_date(l, &o->term, o->where[OG_PART_UNTIL]);
    if (og_term_is_over(&o->term, l->options.now))
        og_lint_add(l, og_yaml_get(node[k], "until"), "until-past",
                    "this override ended at %s and no longer does anything: remove it", og_time_text(o->term.until).s);
    else if (check_dead(l, rule, k, node[k]))
        return;
    else if ((proof = og_override_is_shadowed(l, rule, k, &by)) != OG_UNPROVED) {
        while (by >= 0 && !node[by]) /* the override at `by` has no YAML of its own: name the one from which it was
                                      * split off */
            by++;
        if (!parted || (by >= 0 && by < (int)k))
            report_shadowed(l, rule, k, by, proof, node);
    } else if (!check_matches_all(l, rule, k, node[k]) && !parted && is_without_effect(l, rule, k))
        og_lint_add(l, node[k], "override-no-change",
                    "this override changes nothing: rule '%s' has the same settings without it", og_rules[rule]->id);
    else {
        og_lint_check_undecidable_override(l, rule, k);
        if (!parted)
            og_lint_check_options_override(l, rule, k);
    }
}

void og_lint_check_overrides(struct og_lint_run *l)
{
    const struct og_yaml *node[PAIRS_MOST];

    for (size_t i = 0; i < og_rules_size; i++) {
        size_t count = og_lint_override_count(l, i);

        count = count < PAIRS_MOST ? count : PAIRS_MOST;
        for (size_t k = 0; k < count; k++)
            node[k] = og_lint_override_node(l, i, k);
        for (size_t k = 0; k < count; k++)
            if (node[k] && node[k]->kind == OG_YAML_MAP)
                check_override(l, i, k, node);
    }
}
