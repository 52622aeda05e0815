/*
 * Checks pairs of overrides that match some of the same orders. The earlier override is used for such orders; if it is
 * looser, the stricter values of the later one do not apply to them. A pair is reported only with an order that both
 * overrides match. If the later override matches every order of the earlier one, the pair is not reported: that is how
 * an exception is written. At most OVERRIDES_MOST overrides of a rule are compared.
 */
#include <stdio.h>

#include "lint/lint.h"
#include "lint/override_condition.h"
#include "lint/override_match.h"
#include "lint/witness_search.h"
#include "policy/rule_entry.h"
#include "policy/strictness.h"
#include "policy/value.h"

#define OVERRIDES_MOST 60   /* maximum number of overrides of one rule whose pairs are compared */
#define TRIES_MOST     1500 /* maximum number of orders that are tried for one pair */

/* Two overrides of one rule, by their index. */
struct pair {
    size_t rule;
    int first, later;
};

static const struct og_override *override_at(const struct og_lint_run *l, const struct pair *p, int k)
{
    return &l->policy->rules[p->rule].overrides[k];
}

/* --- which settings are looser ------------------------------------------------------------------------------------ */

static const char *part_key(const struct og_rule *rule, int part)
{
    switch (part) {
    case OG_PART_LEVEL: return "level";
    case OG_PART_UNSURE: return "unsure";
    case OG_PART_MODE: return "mode";
    case OG_PART_REASONS: return "reasons";
    default: return rule->params[part - OG_ENTRY_PARTS].key;
    }
}

/* Returns the first setting that the later override sets and that is looser in the earlier one; -1 if there is none. */
static int looser_part(const struct og_lint_run *l, const struct pair *p)
{
    static const int parts[] = { OG_PART_LEVEL, OG_PART_UNSURE, OG_PART_MODE, OG_PART_REASONS };
    const struct og_rule *rule = og_rules[p->rule];
    const struct og_override *first = override_at(l, p, p->first), *later = override_at(l, p, p->later);
    size_t count = later->setting.settings && first->setting.settings ? rule->param_count : 0;

    for (size_t i = 0; i < 4 + count; i++) {
        int part = i < 4 ? parts[i] : (int)(OG_ENTRY_PARTS + i - 4);

        if (later->where[part].source &&
            og_entry_part_change(rule, part, &later->setting, &first->setting) == OG_CHANGE_LOOSER)
            return part;
    }
    return -1;
}

/* Write a setting's value as a message quotes it; write nothing if the value has no short form. */
static void write_value(const struct og_rule *rule, int part, const struct og_rule_setting *s, struct og_buf *b)
{
    switch (part) {
    case OG_PART_LEVEL: og_buf_format(b, " %s", og_level_name(s->level)); break;
    case OG_PART_UNSURE: og_buf_format(b, " %s", og_unsure_names[s->unsure]); break;
    case OG_PART_MODE: og_buf_format(b, " %s", og_mode_names[s->mode]); break;
    case OG_PART_REASONS: break;
    default: og_buf_char(b, ' '); og_value_write(&rule->params[part - OG_ENTRY_PARTS], s->settings, b);
    }
}

/* --- an order that both overrides match --------------------------------------------------------------------------- */

/* Returns true if the later override matches the order decided last, but the order is decided by the earlier override
 * or by a piece that was split off from the earlier one. */
static bool takes_first(struct og_lint_run *l, const struct og_decision *d, void *with)
{
    const struct pair *p = with;
    int by = og_trial_override(l->trial, p->rule);

    (void)d;
    while (by >= 0 && by < p->first && override_at(l, p, by)->split)
        by++;
    return by == p->first && og_trial_matches(l->trial, p->rule, (size_t)p->later);
}

static bool find_order(struct og_lint_run *l, struct pair *p)
{
    struct og_universe u = og_lint_universe(l);
    struct og_witness_search s;

    u.clean = true;
    og_witness_search_begin(&s, og_group_kinds(OG_GROUP_ORDER, &u), TRIES_MOST);
    s.also = override_at(l, p, p->later);
    og_witness_search_add_values(&s, override_at(l, p, p->first)->when);
    og_witness_search_add_values(&s, s.also->when);
    return og_witness_search_run(l, &s, override_at(l, p, p->first), takes_first, p, NULL);
}

static void report(struct og_lint_run *l, const struct pair *p, int part, const struct og_yaml *const *node)
{
    const struct og_rule *rule = og_rules[p->rule];
    const struct og_yaml *set = og_yaml_get(node[p->later], part_key(rule, part));
    const struct og_lint_witness *witness = og_trial_witness(
        l->trial, "both overrides match it, and it is decided by the one on line %d", node[p->first]->line);
    char one[120], other[120];
    struct og_buf here, there;

    og_buf_init_fixed(&here, one, sizeof one);
    og_buf_init_fixed(&there, other, sizeof other);
    write_value(rule, part, &override_at(l, p, p->later)->setting, &here);
    write_value(rule, part, &override_at(l, p, p->first)->setting, &there);
    og_lint_add(l, set ? set : node[p->later], "override-overlap",
                "the override on line %d matches some of these orders too, and is used for them as it comes first: its "
                "'%s'%s is looser than%s here; put the stricter one first",
                node[p->first]->line, part_key(rule, part), there.bad ? "" : there.s,
                here.bad || !here.len ? "" : here.s)
        ->witness = witness;
}

/* Returns true if the later override is for a whole class of orders, such as stock, and the earlier one is an exception
 * to it: it names a symbol, an account or a condition. The exception may match other orders too: a pattern for SPY also
 * matches spreads on SPY. */
static bool is_exception_to(const struct og_override *first, const struct og_override *later)
{
    return !later->symbol && !later->account && !later->tag && !later->when && !later->sides && !later->types &&
           (first->symbol || first->account || first->tag || first->when);
}

static bool is_over(const struct og_lint_run *l, const struct og_override *o)
{
    return og_term_is_over(&o->term, l->options.now);
}

/* Report the later override of a pair if the earlier one is looser for some order that both match. Returns true if it
 * was reported. */
static bool check_pair(struct og_lint_run *l, struct pair *p, const struct og_yaml *const *node)
{
    int part = looser_part(l, p);

    if (part < 0 || is_exception_to(override_at(l, p, p->first), override_at(l, p, p->later)) ||
        og_overrides_are_disjoint(l, p->rule, (size_t)p->first, (size_t)p->later) || !find_order(l, p))
        return false;
    if (og_override_is_within(l, p->rule, (size_t)p->first, (size_t)p->later) != OG_UNPROVED)
        return false;
    if (og_override_is_shadowed_by_others(l, p->rule, (size_t)p->later) != OG_UNPROVED || !find_order(l, p))
        return false;
    report(l, p, part, node);
    return true;
}

void og_lint_check_override_overlap(struct og_lint_run *l)
{
    const struct og_yaml *node[OVERRIDES_MOST];

    for (size_t i = 0; i < og_rules_size; i++) {
        int count = (int)og_lint_override_count(l, i);

        count = count < OVERRIDES_MOST ? count : OVERRIDES_MOST;
        for (int k = 0; k < count; k++) {
            node[k] = og_lint_override_node(l, i, (size_t)k);
            if (!node[k] || node[k]->kind != OG_YAML_MAP || is_over(l, &l->policy->rules[i].overrides[k]))
                node[k] = NULL;
        }
        for (int k = 1; k < count; k++)
            for (int first = 0; node[k] && first < k; first++)
                if (node[first] && check_pair(l, &(struct pair){ i, first, k }, node))
                    break;
    }
}
