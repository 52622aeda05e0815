/*
 * Checks bans and limits on tickers that are compared with order.symbol, or matched by a pattern: the symbol of an
 * option is its contract, so that the ban or limit is not for options on these tickers.  A condition that reads what
 * tells options from stocks is not reported, since its author thought of options; nor is one whose options another rule
 * refuses.
 */
#include <stdio.h>
#include <stdlib.h>

#include "lint/rule_predicates.h"
#include "lint/trial.h"
#include "order/symbol_word.h"
#include "policy/rule_entry.h"
#include "policy/strictness.h"
#include "solver/comparisons.h"
#include "text/regex_automaton.h"
#include "text/regex_examples.h"

#define CODE        "symbol-misses-options"
#define STEPS_MOST  20000
#define BUDGET_LEFT 150000 /* microseconds of the budget that are left for other checks */

/* Names by which a condition says that it is about options, or that it is not. */
static const char *const about_options[] = { "order.securityType", "order.underlying", "order.right",
                                             "order.strike",       "order.expiry",     "order.daysToExpiry",
                                             "order.strategy",     "order.contracts",  NULL };
/* Names by which another rule may refuse every option. */
static const char *const refuse_options[] = { "order.securityType", "order.symbol", NULL };

/* Returns true if the words are symbols, none of which is a contract. */
static bool are_tickers(const struct og_expr_value *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (words[i].as.text.len == 0 || og_symbol_word_is_contract(words[i].as.text))
            return false;
    return count > 0;
}

#define CONTRACTS "[A-Za-z0-9._-]{1,6}[0-9]{6}[CP][0-9]{8}"

/* Returns true if the pattern matches no contract. part: it may match any part of a symbol. */
static bool matches_no_contract(struct og_str pattern, bool part)
{
    struct og_automaton *made = calloc(2, sizeof *made);
    const struct og_automaton *both[2] = { made, made ? &made[1] : NULL };
    long fuel = 20000;
    const bool none = made && og_automaton_of_pattern(OG_STR(CONTRACTS), false, &made[0]) &&
                      og_automaton_of_pattern(pattern, part, &made[1]) && !og_automata_intersect(both, 2, &fuel);

    free(made);
    return none;
}

/* Returns true if the pattern lists tickers. One for all tickers of some form is taken for one that means stocks. */
static bool lists_tickers(const struct og_pattern *p, bool part)
{
    const struct og_str pattern = og_pattern_text(p);
    struct og_regex_examples all;

    if (!og_regex_examples_of(pattern, &all) || !all.exact || all.count == 0)
        return false;
    for (int i = 0; i < all.count; i++)
        if (!all.text[i][0])
            return false;
    return matches_no_contract(pattern, part);
}

/* Returns true if the node is a call that matches order.symbol with a pattern of tickers. */
static bool is_match_of_tickers(const struct og_expr_node *n)
{
    return n->op == OG_OP_CALL && og_expr_functions[n->arg].literal == OG_LITERAL_PATTERN && n[-1].op == OG_OP_CONST &&
           n[-2].op == OG_OP_NAME && strcmp(og_expr_named[n[-2].arg].is.name, "order.symbol") == 0 &&
           lists_tickers(n[-1].value->as.pattern, true);
}

/* How the truth of a condition follows that of a comparison in it. */
enum sense { SENSE_SAME = 1, SENSE_OPPOSITE = 2, SENSE_EITHER = SENSE_SAME | SENSE_OPPOSITE };

static enum sense sense_in(const struct og_expr_node *n, const struct og_expr_node *root)
{
    bool opposite = n->op == OG_OP_NE;

    while (n != root) {
        const struct og_expr_node *of = n + n->parent;

        if (of->op == OG_OP_NOT)
            opposite = !opposite;
        else if (of->op != OG_OP_AND && of->op != OG_OP_OR && (of->op != OG_OP_BRANCH || n->number == 0))
            return SENSE_EITHER;
        n = of;
    }
    return opposite ? SENSE_OPPOSITE : SENSE_SAME;
}

/* Returns the offset of the tickers with which the expression compares or matches order.symbol in one of the senses;
 * the length of the text if it has no such comparison. */
static size_t find_tickers(const struct og_expr *e, unsigned senses)
{
    for (const struct og_expr_node *n = e ? og_expr_first(e->root) : NULL; n && n <= e->root; n++) {
        const struct og_expr_value *value, *words;
        size_t at, count;
        const struct og_expr_named *name =
            n->op == OG_OP_IN || n->op == OG_OP_EQ || n->op == OG_OP_NE ? og_comparison_at(n, &value, &at) : NULL;

        if (is_match_of_tickers(n) && sense_in(n, e->root) & senses)
            return n[-1].at;
        if (!name || strcmp(name->is.name, "order.symbol") != 0)
            continue;
        count = og_comparison_values(n, value, &words);
        if (are_tickers(words, count) && sense_in(n, e->root) & senses)
            return at;
    }
    return e ? e->text.len : 0;
}

/* Returns true if an order that opens an option position may meet the condition (NULL: every order does) and is not
 * refused by a rule that tells security types apart. */
static bool holds_for_options(struct og_lint_run *l, const struct og_expr *when, const struct og_custom *own)
{
    const struct og_universe u = og_lint_universe(l);
    struct og_predicates *all = og_arena_take(l->arena, sizeof *all);
    struct og_logic *g = og_lint_logic(l);
    long steps = STEPS_MOST;
    uint64_t left;
    int node = og_logic_is(g, og_logic_name(g, "order.opens"), OG_T);

    l->oom = l->oom || !all;
    if (!all || l->exhausted || l->budget < BUDGET_LEFT)
        return false;
    if (when)
        node = og_logic_and(g, node, og_logic_is(g, og_logic_expr(g, when), OG_T));
    og_predicates_find(l, all);
    for (size_t i = 0; i < all->count; i++)
        if (og_expr_reads_one_of(all->one[i].e, refuse_options) && og_lint_binds(l, all->one[i].rule, all->one[i].k))
            node = og_logic_and(g, node, og_logic_not(g, og_refused_by_rule(l, g, all, all->one[i].rule)));
    for (size_t i = 0; i < l->policy->custom_count; i++) {
        const struct og_custom *c = l->policy->custom[i];

        if (c != own && og_custom_refuses(c) && c->require && og_expr_reads_one_of(c->require, refuse_options))
            node = og_logic_and(g, node, og_logic_not(g, og_refused_by_custom(l, g, c)));
    }
    left = og_logic_kinds_left(g, node, OG_T, &u, &steps) & og_order_kinds_of_security(OG_OPTION);
    return og_lint_spend(l, (STEPS_MOST - steps) / 4 + 1) && left;
}

static void report(struct og_lint_run *l, struct og_srcloc at, size_t offset, const char *what)
{
    (void)og_lint_add_at_place(l, og_srcloc_inside(at, offset), 1, CODE,
                               "%s options on these tickers, whose symbols are contracts: compare with "
                               "order.underlying, or add order.securityType == \"Stock\" if stocks alone are meant",
                               what);
}

/* Returns how the override differs from its rule for orders in options, as OG_CHANGE_ bits. */
static unsigned change_by(const struct og_policy_rule *r, const struct og_override *o)
{
    unsigned change = 0;

    for (int part = OG_PART_LEVEL; part <= OG_PART_REASONS; part++)
        change |= og_entry_part_change(r->rule, part, &r->setting, &o->setting);
    for (size_t i = 0; r->setting.settings && o->setting.settings && i < r->rule->param_count; i++)
        if (!r->rule->params[i].of_shares)
            change |= og_entry_part_change(r->rule, OG_ENTRY_PARTS + (int)i, &r->setting, &o->setting);
    return change;
}

void og_lint_check_options_custom(struct og_lint_run *l, const struct og_custom *c)
{
    const size_t when = find_tickers(c->when, SENSE_SAME), require = find_tickers(c->require, SENSE_OPPOSITE);
    const bool in_when = c->when && when < c->when->text.len, in_require = require < c->require->text.len;

    if (l->recovered.len || (!in_when && !in_require) || c->entry.setting.level <= OG_LEVEL_INFO ||
        og_expr_reads_one_of(c->require, about_options) || (c->when && og_expr_reads_one_of(c->when, about_options)) ||
        !holds_for_options(l, in_when ? NULL : c->when, c))
        return;
    report(l, c->where[in_when ? OG_PART_WHEN : OG_PART_REQUIRE], in_when ? when : require,
           og_lint_format(l, "rule '%s' lets pass", c->rule.id));
}

/* Returns true if another override of the rule is for contracts on a ticker of this one's pattern. */
static bool has_other_for_options(struct og_lint_run *l, const struct og_policy_rule *r, const struct og_override *o)
{
    struct og_regex_examples all;
    char contract[OG_REGEX_EXAMPLE_BYTES + sizeof "270115C00010000"];

    if (!og_regex_examples_of(og_pattern_text(o->symbol), &all))
        return false;
    for (size_t i = 0; i < r->override_count; i++) {
        const struct og_pattern *p = r->overrides[i].symbol;

        for (int k = 0; p && k < all.count; k++) {
            snprintf(contract, sizeof contract, "%s270115C00010000", all.text[k]);
            if (og_pattern_match(p, og_str_of(contract), og_trial_pattern_room(l->trial)) != OG_MATCH_NO)
                return true;
        }
    }
    return false;
}

/* Report an override by which orders in some tickers are limited more, or orders in all others less. */
void og_lint_check_options_override(struct og_lint_run *l, size_t rule, size_t k)
{
    const struct og_policy_rule *r = &l->policy->rules[rule];
    const struct og_override *o = &r->overrides[k];
    const unsigned change = change_by(r, o), senses = (change & OG_CHANGE_TIGHTER ? SENSE_SAME : 0) |
                                                      (change & OG_CHANGE_LOOSER ? SENSE_OPPOSITE : 0);
    const size_t at = o->when && senses ? find_tickers(o->when, senses) : 0;
    const bool in_when = o->when && senses && at < o->when->text.len,
               in_match = o->symbol && senses & SENSE_SAME && !o->securities && lists_tickers(o->symbol, false) &&
                          !has_other_for_options(l, r, o);
    const char *what;

    if (l->recovered.len || !r->rule->limit || (!in_when && !in_match) ||
        (o->when && og_expr_reads_one_of(o->when, about_options)) || !(og_rule_kinds(r->rule) >> OG_OPTION & 1) ||
        (o->securities && !(o->securities >> OG_OPTION & 1)) || !holds_for_options(l, NULL, NULL))
        return;
    what = og_lint_format(l, "this override of rule '%s' is not for", r->rule->id);
    if (in_when)
        report(l, o->where[OG_PART_WHEN], at, what);
    else
        (void)og_lint_add_at_place(l, o->where[OG_PART_MATCH], 1, CODE,
                                   "%s options on these tickers, whose symbols are contracts: write `when` with "
                                   "order.underlying, or add securityType: Stock if stocks alone are meant",
                                   what);
}
