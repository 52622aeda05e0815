/*
 * Overrides that do not do what they were written for: never met, met by another first, without effect, or over.
 * It refuses to speak of overrides that another file wrote.
 */
#include "lint/lint.h"

#include <stdlib.h>

#include "base/time.h"
#include "facts/calendar.h"
#include "solver/regex_automaton.h"
#include "lint/override_match.h"
#include "lint/override_condition.h"
#include "lint/witness_search.h"
#include "policy/value.h"

#include "base/banned.h"

#define PAIRS_MOST 200 /* overrides of one rule that are held against each other */

void og_lint_term(struct og_linting *l, const struct og_term *term, struct og_srcloc at)
{
    struct og_eastern e;

    if (term->until == OG_TIME_UNKNOWN)
        return;
    og_eastern_from(term->until, &e);
    if (e.date > OG_CALENDAR_LAST)
        (void)og_lint_note_place(l, at, 10, "past-calendar",
                                 "what is temporary ends beyond the exchange calendar, which ends " OG_CALENDAR_ENDS);
}

static bool is_same(const struct og_rule *rule, const struct og_rule_setting *a, const struct og_rule_setting *b)
{
    if (a->level != b->level || a->unsure != b->unsure || a->mode != b->mode || !a->settings != !b->settings)
        return false;
    for (size_t i = 0; rule->reasons[i].id; i++)
        if (a->reason_level[i] != b->reason_level[i])
            return false;
    for (const struct og_param *p = rule->params; a->settings && p && p->key; p++)
        if (og_value_cmp(p, a->settings, b->settings) != 0)
            return false;
    return true;
}

/* An order for both, which the earlier one decides. */
struct shadow {
    size_t rule;
    const struct og_override *later;
    int by;
};

static bool shows_shadow(struct og_linting *l, const struct og_decision *d, void *with)
{
    const struct shadow *x = with;

    (void)d;
    return og_scene_override(l->scene, x->rule) == x->by &&
           (!x->later->when || og_scene_truth(l->scene, x->later->when) == OG_TRUTH_TRUE);
}

static const struct og_lint_witness *show_shadow(struct og_linting *l, size_t rule, size_t k, int by, int line)
{
    struct shadow x = { rule, &l->policy->rules[rule].overrides[k], by };
    struct og_universe u = og_lint_universe(l);
    struct og_seek s;

    u.clean = true;
    og_seek_begin(&s, og_group_rows(OG_GROUP_ORDER, &u), 100);
    og_seek_take(&s, x.later->when);
    og_seek_take(&s, l->policy->rules[rule].overrides[by].when);
    return og_seek_run(l, &s, x.later, shows_shadow, &x, NULL)
               ? og_scene_witness(l->scene, "matches here, and is decided by the override on line %d", line)
               : NULL;
}

static void say_shadowed(struct og_linting *l, size_t rule, size_t k, int by, enum og_proof proof,
                         const struct og_yaml *const *node)
{
    struct og_lint_finding *f;

    if (by < 0) {
        og_lint_note(l, node[k], "override-shadowed",
                     "no order comes to this override%s: those before it take together all that it matches",
                     og_lint_but_for(proof));
        return;
    }
    f = og_lint_note(l, node[k], "override-shadowed",
                     "no order comes to this override%s: the one on line %d takes all that it matches",
                     og_lint_but_for(proof), node[by]->line);
    f->witness = show_shadow(l, rule, k, by, node[by]->line);
}

/* Without it every order would be decided the same: as the rule itself, or as a later one that is no different. */
static bool is_without_effect(struct og_linting *l, size_t rule, size_t k)
{
    const struct og_policy_rule *r = &l->policy->rules[rule];

    if (!is_same(r->rule, &r->overrides[k].setting, &r->setting))
        return false;
    for (size_t i = k + 1; i < r->override_count; i++)
        if (!is_same(r->rule, &r->overrides[i].setting, &r->setting) && !og_pick_apart(l, rule, k, i))
            return false;
    return true;
}

/* false: nothing more is to be said of the override. */
static bool look_at_condition(struct og_linting *l, size_t rule, const struct og_override *o)
{
    struct og_srcloc at = o->where[OG_PART_WHEN];
    struct og_condition is;

    if (!o->when)
        return true;
    if (og_lint_expression(l, o->when, at))
        return false; /* what comes of the word, its repair shows */
    (void)og_lint_multiples(l, o->when, at, NULL);
    is = og_lint_condition(l, o->when);
    switch (is.is) {
    case OG_CONDITION_NEVER:
        (void)og_lint_note_place(l, at, (int)o->when_text.len, "condition-never",
                                 "this condition %s%s: no order comes to this override of rule '%s'%s",
                                 is.past ? "holds no more, for its time is past" : "never holds",
                                 og_lint_but_for(is.proof), og_rules[rule]->id,
                                 is.doubtful ? ", and of some it cannot be told" : "");
        return false;
    case OG_CONDITION_ALWAYS:
        (void)og_lint_note_place(l, at, (int)o->when_text.len, "condition-always",
                                 "this condition holds for every order%s%s: leave it out, or set the rule itself",
                                 is.doubtful ? " of which it can be told" : "", og_lint_but_for(is.proof));
        break;
    case OG_CONDITION_OPEN: break;
    }
    return true;
}

/* Match and condition together, and each alone, leave no order.  false: some may be left. */
static bool look_at_dead(struct og_linting *l, size_t rule, size_t k, const struct og_yaml *node)
{
    const struct og_override *o = &l->policy->rules[rule].overrides[k];
    const struct og_yaml *match = og_yaml_get(node, "match");
    const char *never = og_match_never(og_rules[rule], o);
    enum og_proof proof;

    if (never) {
        og_lint_note(l, match ? match : node, "override-dead", "no %s matches this: %s",
                     strstr(never, "symbol of an option") ? "option" : "order", never);
        return true;
    }
    proof = og_pick_never(l, rule, k, OG_PICK_MATCH | OG_PICK_UNTIL);
    if (proof) {
        og_lint_note(l, match ? match : node, "override-dead",
                     "no order matches this%s: no symbol of such orders is as it asks", og_lint_but_for(proof));
        return true;
    }
    proof = o->when ? og_pick_never(l, rule, k, OG_PICK_ALL) : OG_UNPROVED;
    if (proof)
        og_lint_note(l, node, "override-dead",
                     "no order comes to this override%s: its condition holds for none that its match takes",
                     og_lint_but_for(proof));
    return proof != OG_UNPROVED;
}

/* Capital letters, perhaps a class behind a point: stock as the exchanges spell it, and no contract. */
#define TICKERS "[A-Z]{1,6}([.][A-Z]{1,2})?"

static bool takes_tickers(const struct og_override *o)
{
    struct og_language *made = calloc(2, sizeof *made);
    const struct og_language *both[2] = { made, made ? &made[1] : NULL };
    long fuel = 20000;
    bool all = made && o->symbol && !o->account && !o->securities && !o->sides && !o->types &&
               og_language_of_pattern(OG_STR(TICKERS), false, &made[0]) &&
               og_language_of_pattern(og_pattern_text(o->symbol), false, &made[1]);

    if (all) {
        made[1].without = true;
        all = !og_languages_meet(both, 2, &fuel);
    }
    free(made);
    return all;
}

/* It is for every order, for good, and says so by a match that takes everything. */
static bool look_at_all(struct og_linting *l, size_t rule, size_t k, const struct og_yaml *node)
{
    const struct og_override *o = &l->policy->rules[rule].overrides[k];
    const struct og_yaml *match = og_yaml_get(node, "match");
    bool all;

    if (!match || o->when || o->term.until != OG_TIME_UNKNOWN)
        return false;
    if (!match->first) /* an empty one; loading says so */
        return true;
    all = og_pick_always(l, rule, k) != OG_UNPROVED;
    if (all)
        og_lint_note(l, match, "override-matches-all",
                     "this match takes every order, so that rule '%s' itself is for none: set the rule instead",
                     og_rules[rule]->id);
    else if (takes_tickers(o))
        og_lint_note(
            l, og_yaml_get(match, "symbol"), "override-matches-all",
            "this pattern takes every ticker, so that rule '%s' itself is for no stock and no spread: say it by "
            "securityType, or set the rule instead",
            og_rules[rule]->id);
    return all;
}

static void look_at(struct og_linting *l, size_t rule, size_t k, const struct og_yaml *const *node)
{
    const struct og_override *o = &l->policy->rules[rule].overrides[k];
    bool parted = k > 0 && o[-1].split; /* what stands before it does so in its name */
    enum og_proof proof;
    int by;

    if (!look_at_condition(l, rule, o))
        return;
    og_lint_term(l, &o->term, o->where[OG_PART_UNTIL]);
    if (og_term_is_over(&o->term, l->options.now))
        og_lint_note(l, og_yaml_get(node[k], "until"), "until-past",
                     "this override ended at %s and does nothing any more: take it out", og_time_text(o->term.until).s);
    else if (look_at_dead(l, rule, k, node[k]))
        return;
    else if ((proof = og_pick_shadowed(l, rule, k, &by)) != OG_UNPROVED) {
        while (by >= 0 && !node[by]) /* the one it was split off */
            by++;
        if (!parted || (by >= 0 && by < (int)k))
            say_shadowed(l, rule, k, by, proof, node);
    } else if (!look_at_all(l, rule, k, node[k]) && !parted && is_without_effect(l, rule, k))
        og_lint_note(l, node[k], "override-no-change",
                     "this override changes nothing: all it sets is what rule '%s' has without it", og_rules[rule]->id);
    else
        og_lint_doubt_of_override(l, rule, k);
}

void og_lint_overrides(struct og_linting *l)
{
    const struct og_yaml *node[PAIRS_MOST];

    for (size_t i = 0; i < og_rules_size; i++) {
        size_t count = og_lint_override_count(l, i);

        count = count < PAIRS_MOST ? count : PAIRS_MOST;
        for (size_t k = 0; k < count; k++)
            node[k] = og_lint_override_node(l, i, k);
        for (size_t k = 0; k < count; k++)
            if (node[k] && node[k]->kind == OG_YAML_MAP)
                look_at(l, i, k, node);
    }
}
