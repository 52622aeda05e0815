/*
 * The theory solver: decides whether some value of a name satisfies all constraints on it, for each kind of its group.
 * For constraints on lists, and for texts between two bounds, it does not search, and answers that such a value may
 * exist.
 */
#include "solver/constraint.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/time.h"
#include "order/occ.h"
#include "order/symbol.h"
#include "text/regex_automaton.h"
#include "text/regex_examples.h"

#define CONSTRAINTS_MOST 40 /* maximum number of constraints on one name */

/* All constraints on one name, or on symbol and underlying together. */
struct gathered {
    const struct og_constraint *constraint[CONSTRAINTS_MOST], *undecided[CONSTRAINTS_MOST];
    int count, undecided_count;
    unsigned states;
};

static bool is_symbol(const struct og_constraint *x)
{
    return x->domain.attribute == OG_ATTRIBUTE_SYMBOL || x->domain.attribute == OG_ATTRIBUTE_UNDERLYING;
}

static void gather_constraints(struct gathered *g, const struct og_constraint *constraint, int count)
{
    const struct og_constraint *last = &constraint[count - 1];

    *g = (struct gathered){ .states = OG_NAME_ANY_STATE };
    for (int i = 0; i < count; i++) {
        const struct og_constraint *x = &constraint[i];

        if ((x->name != last->name || x->instance != last->instance) && (!is_symbol(x) || !is_symbol(last)))
            continue;
        if (x->name == last->name)
            g->states &= x->states;
        if (x->undecided && g->undecided_count < CONSTRAINTS_MOST)
            g->undecided[g->undecided_count++] = x;
        else if (!x->undecided && x->op != OG_CONSTRAINT_STATE && g->count < CONSTRAINTS_MOST)
            g->constraint[g->count++] = x;
    }
}

/* --- whether a value satisfies the constraints -------------------------------------------------------------------- */

static bool call_holds(const struct og_constraint *x, const struct og_expr_value *v, bool *truth,
                       const struct og_universe *u)
{
    struct og_expr_value arg[4] = { *v };

    if (!u->room || x->call->operands > 4)
        return false;
    for (int i = 1; i < x->call->operands; i++)
        arg[i] = *og_expr_operand(x->call, i)->value;
    u->room->text_len = 0;
    og_expr_functions[x->call->arg].call(u->room, arg);
    *truth = arg[0].as.truth;
    return arg[0].state == OG_EXPR_KNOWN;
}

/* Returns true if the value satisfies the constraint, or if a function or pattern in it cannot be evaluated. */
static bool satisfies(const struct og_constraint *x, const struct og_expr_value *v, const struct og_universe *u)
{
    bool truth = x->truth;
    enum og_match match;

    if (x->op == OG_CONSTRAINT_CALL)
        return !call_holds(x, v, &truth, u) || truth == x->truth;
    if (x->op == OG_CONSTRAINT_PATTERN) {
        match = u->room && u->room->patterns ? og_pattern_match(x->pattern, v->as.text, u->room->patterns)
                                             : OG_MATCH_GAVE_UP;
        return match == OG_MATCH_GAVE_UP || (match == OG_MATCH_YES) == x->truth;
    }
    return og_expr_compare(x->op, x->aux, v, x->value) == x->truth;
}

static bool satisfies_all(const struct gathered *g, const struct og_expr_value *v, const struct og_universe *u)
{
    for (int i = 0; i < g->count; i++)
        if (!satisfies(g->constraint[i], v, u))
            return false;
    return true;
}

/* Returns true if the constraint is satisfied only by values that it names itself. */
static bool is_exact(const struct og_constraint *x)
{
    return x->truth ? x->op == OG_OP_EQ || x->op == OG_OP_IN : x->op == OG_OP_NE;
}

static size_t values_of(const struct og_constraint *x, const struct og_expr_value **first)
{
    *first = x->op == OG_OP_IN ? x->value->as.list.at : x->value;
    return x->op == OG_OP_IN ? x->value->as.list.count : 1;
}

static const struct og_constraint *exact_of(const struct gathered *g)
{
    const struct og_constraint *found = NULL;

    for (int i = 0; i < g->count; i++)
        if (is_exact(g->constraint[i]) && (!found || found->op == OG_OP_IN))
            found = g->constraint[i];
    return found;
}

/* --- words, bools and numbers ------------------------------------------------------------------------------------- */

static unsigned words_left(const struct gathered *g, const struct og_domain *d, const struct og_universe *u)
{
    unsigned bits = 0;

    for (unsigned i = 0; d->words ? d->words[i] != NULL : i < 2; i++) {
        struct og_expr_value v = d->words ? og_expr_string(og_str_of(d->words[i])) : og_expr_truth_value(i == 1);

        bits |= satisfies_all(g, &v, u) ? 1u << i : 0;
    }
    return bits;
}

static struct og_money number_of(const struct og_expr_value *v, int type)
{
    return type == OG_TYPE_TIMESTAMP || type == OG_TYPE_DURATION ? og_money_from(v->as.ns) : v->as.number;
}

void og_constraint_narrow(struct og_range *r, const struct og_constraint *x)
{
    static const unsigned char opposite[] = { OG_OP_GE, OG_OP_GT, OG_OP_LE,
                                              OG_OP_LT }; /* indexed by OG_OP_LT, LE, GT, GE */
    unsigned char op = x->op;
    struct og_money bound;

    if (op < OG_OP_LT || op > OG_OP_GE)
        return;
    bound = number_of(x->value, x->name ? x->name->is.type : OG_TYPE_DECIMAL);
    if (!x->truth)
        op = opposite[op - OG_OP_LT];
    if (op == OG_OP_LT || op == OG_OP_LE)
        og_range_lower(r, bound, op == OG_OP_LT);
    else
        og_range_raise(r, bound, op == OG_OP_GT);
}

/* The numbers that the constraints allow, not yet restricted to those that a kind of order can have. */
struct numbers {
    struct og_range range;
    const struct og_constraint *exact;
};

static void numbers_left(struct numbers *n, const struct gathered *g)
{
    *n = (struct numbers){ .exact = exact_of(g) };
    for (int i = 0; i < g->count; i++)
        og_constraint_narrow(&n->range, g->constraint[i]);
}

static bool some_number(const struct numbers *n, const struct gathered *g, const struct og_range *of_row, int type,
                        const struct og_universe *u)
{
    struct og_range r = n->range;
    const struct og_expr_value *values;
    struct og_expr_value only;
    size_t count = n->exact ? values_of(n->exact, &values) : 0;

    for (size_t i = 0; i < count; i++)
        if (og_range_has(of_row, number_of(&values[i], type)) && satisfies_all(g, &values[i], u))
            return true;
    if (n->exact)
        return false;
    og_range_meet(&r, of_row);
    if (type != OG_TYPE_DECIMAL)
        og_range_close(&r);
    if (og_range_is_empty(&r))
        return false;
    if (!og_range_is_point(&r))
        return true;
    only = type == OG_TYPE_INT || type == OG_TYPE_DECIMAL ? og_expr_number(r.low) : og_expr_ns(r.low.coef);
    return satisfies_all(g, &only, u);
}

/* Returns true if, in this kind of order, both names always have the same number: quantity and contracts of an option;
 * limit and price of a buy or a spread with a limit. */
static bool is_same_number(enum og_attribute a, enum og_attribute b, int kind)
{
    const struct og_order_kind of = og_order_kind(kind);

    if ((a == OG_ATTRIBUTE_QUANTITY && b == OG_ATTRIBUTE_CONTRACTS) ||
        (a == OG_ATTRIBUTE_CONTRACTS && b == OG_ATTRIBUTE_QUANTITY))
        return of.security == OG_OPTION;
    return ((a == OG_ATTRIBUTE_LIMIT && b == OG_ATTRIBUTE_PRICE) ||
            (a == OG_ATTRIBUTE_PRICE && b == OG_ATTRIBUTE_LIMIT)) &&
           (of.type == OG_LIMIT || of.type == OG_STOP_LIMIT) && of.side != OG_SELL;
}

/* Restrict r by the constraints on other names that have the same value in this kind of order. */
static void narrow_by_same_number(struct og_range *r, const struct og_constraint *constraint, int count, int kind)
{
    const struct og_constraint *last = &constraint[count - 1];

    for (int i = 0; i < count; i++) {
        struct og_constraint x = constraint[i];

        if (x.undecided || x.domain.group != OG_GROUP_ORDER || last->domain.group != OG_GROUP_ORDER ||
            x.op > OG_OP_GE || !is_same_number(x.domain.attribute, last->domain.attribute, kind))
            continue;
        if ((x.op == OG_OP_EQ && x.truth) || (x.op == OG_OP_NE && !x.truth)) {
            og_range_raise(r, x.value->as.number, false);
            og_range_lower(r, x.value->as.number, false);
        }
        og_constraint_narrow(r, &x);
    }
}

/* --- texts -------------------------------------------------------------------------------------------------------- */

/* A finite set of texts: the texts that a constraint names, or all texts that its pattern matches. */
struct texts {
    struct og_expr_value one[OG_REGEX_EXAMPLES_MOST];
    const struct og_expr_value *at;
    size_t count;
    struct og_regex_examples samples;
};

static bool texts_of(const struct og_constraint *x, struct texts *w)
{
    if (is_exact(x)) {
        w->count = values_of(x, &w->at);
        return true;
    }
    if (x->op != OG_CONSTRAINT_PATTERN || !x->truth ||
        !og_regex_examples_of(og_pattern_text(x->pattern), &w->samples) || !w->samples.exact)
        return false;
    for (int i = 0; i < w->samples.count; i++)
        w->one[i] = og_expr_string(og_str_of(w->samples.text[i]));
    w->at = w->one;
    w->count = (size_t)w->samples.count;
    return true;
}

/* Returns true if some pattern must both match and not match, or must not match although it matches every text. */
static bool patterns_contradict(const struct gathered *g)
{
    for (int i = 0; i < g->count; i++) {
        const struct og_constraint *x = g->constraint[i];

        if (x->op != OG_CONSTRAINT_PATTERN || x->truth)
            continue;
        if (og_str_is(og_pattern_text(x->pattern), ".*"))
            return true;
        for (int k = 0; k < g->count; k++)
            if (g->constraint[k]->op == OG_CONSTRAINT_PATTERN && g->constraint[k]->truth &&
                g->constraint[k]->name == x->name &&
                og_str_eq(og_pattern_text(g->constraint[k]->pattern), og_pattern_text(x->pattern)))
                return true;
    }
    return false;
}

static bool some_text(const struct gathered *g, const struct og_universe *u)
{
    struct texts w;

    for (int i = 0; i < g->count; i++) {
        if (!texts_of(g->constraint[i], &w))
            continue;
        for (size_t k = 0; k < w.count; k++)
            if (satisfies_all(g, &w.at[k], u))
                return true;
        return false;
    }
    return !patterns_contradict(g);
}

/* Returns true if some date that the constraints name is not before u->since in New York. Dates are compared as
 * texts. */
static bool some_date(const struct gathered *g, const struct og_universe *u)
{
    char text[16];
    struct og_str today = { text, 10 };
    struct og_eastern e;

    og_eastern_from(u->since, &e);
    snprintf(text, sizeof text, "%04d-%02d-%02d", e.year % 10000, e.month, e.day);
    for (int i = 0; i < g->count; i++) {
        const struct og_constraint *x = g->constraint[i];
        const struct og_expr_value *values;
        size_t count = is_exact(x) ? values_of(x, &values) : 0, past = 0;

        for (size_t k = 0; k < count; k++)
            past += og_expr_text_cmp(values[k].as.text, today) < 0;
        if (count && past == count)
            return false;
    }
    return true;
}

/* --- symbols ------------------------------------------------------------------------------------------------------ */

#define OCC_TAIL     "[0-9]{6}[CP][0-9]{8}"
#define OCC_FORM     "[A-Za-z0-9._-]{1,6}" OCC_TAIL
#define MEMBERS_MOST 8
#define WORDS_MOST   30 /* maximum number of words of a list for which an automaton is made */

/* Returns true if the text has the form of a symbol in an order of this security type. */
static bool has_form(struct og_str symbol, enum og_security security)
{
    struct og_occ occ;

    if (!og_symbol_fits(symbol))
        return false;
    og_occ_read(symbol, &occ);
    return occ.is == (security == OG_OPTION) || security == OG_MLEG;
}

/* Returns true if the symbol satisfies all constraints. Those on the underlying apply to the symbol of stock and
 * spreads, and to the root of an option. */
static bool symbol_satisfies(const struct gathered *g, struct og_str symbol, enum og_security security,
                             const struct og_universe *u)
{
    struct og_expr_value v = og_expr_string(symbol), under = v;
    struct og_occ occ;

    og_occ_read(symbol, &occ);
    if (security == OG_OPTION && occ.is)
        under = og_expr_string(occ.root);
    for (int i = 0; i < g->count; i++)
        if (!satisfies(g->constraint[i], g->constraint[i]->domain.attribute == OG_ATTRIBUTE_SYMBOL ? &v : &under, u))
            return false;
    return has_form(symbol, security);
}

static bool is_called(const struct og_constraint *x, const char *name)
{
    return x->op == OG_CONSTRAINT_CALL && x->call->operands == 2 &&
           strcmp(og_expr_functions[x->call->arg].name, name) == 0;
}

/* Make the automaton of the symbols that satisfy a constraint; if of_root is set, of the contracts whose root satisfies
 * it. Returns false if no automaton can be made: any symbol must then be assumed to satisfy the constraint. */
static bool automaton_of(const struct og_constraint *x, bool of_root, struct og_automaton *to)
{
    const struct og_expr_value *word = x->op == OG_CONSTRAINT_CALL ? x->call[-1].value : NULL;
    bool made = false;

    if (!of_root && x->op == OG_CONSTRAINT_PATTERN)
        made = og_automaton_of_pattern(og_pattern_text(x->pattern), false, to);
    else if (!of_root && is_called(x, "matches"))
        made = og_automaton_of_pattern(og_pattern_text(word->as.pattern), true, to);
    else if (is_called(x, "startsWith"))
        made = og_automaton_of_word(word->as.text, false, true, to);
    else if (!of_root && (is_called(x, "endsWith") || is_called(x, "contains")))
        made = og_automaton_of_word(word->as.text, true, is_called(x, "contains"), to);
    else if (x->op == OG_OP_EQ || x->op == OG_OP_NE || x->op == OG_OP_IN) {
        const struct og_expr_value *values;
        size_t count = values_of(x, &values);

        made = count > 0 && count <= WORDS_MOST;
        for (size_t i = 0; i < count && made; i++)
            made = i == 0 ? og_automaton_of_word(values[0].as.text, false, false, to)
                          : og_automaton_add_word(to, values[i].as.text);
        made = made && (!of_root || og_automaton_append_pattern(to, OG_STR(OCC_TAIL)));
    }
    to->complement = (x->op == OG_OP_NE) == x->truth;
    /* the set of contracts may be too large, and its complement then too small: it could lack symbols that satisfy the
     * constraint */
    return made && !(of_root && to->complement);
}

/* Returns true if some constraint has a pattern.  Automata are made only in this case, since contradictions between
 * plain texts are easily seen by the policy's author. */
static bool has_pattern(const struct gathered *g)
{
    for (int i = 0; i < g->count; i++)
        if (g->constraint[i]->op == OG_CONSTRAINT_PATTERN || is_called(g->constraint[i], "matches"))
            return true;
    return false;
}

static bool some_symbol_in_all(const struct gathered *g, enum og_security security, const struct og_universe *u)
{
    struct og_automaton *made = calloc(MEMBERS_MOST, sizeof *made);
    const struct og_automaton *member[MEMBERS_MOST];
    long fuel = 20000;
    int count = 0;
    bool answer;

    if (!made)
        return true;
    if (security == OG_OPTION && og_automaton_of_pattern(OG_STR(OCC_FORM), false, &made[0]))
        member[count++] = &made[0];
    for (int i = 0; i < g->count && count < MEMBERS_MOST; i++) {
        const struct og_constraint *x = g->constraint[i];

        member[count] = &made[count];
        count += automaton_of(x, security == OG_OPTION && x->domain.attribute == OG_ATTRIBUTE_UNDERLYING, &made[count]);
    }
    answer = og_automata_intersect(member, count, u->fuel ? u->fuel : &fuel);
    free(made);
    return answer;
}

/* Returns true if the constraint asks for a prefix, suffix or part with a character that symbols cannot have. */
static bool wants_impossible_part(const struct og_constraint *x)
{
    struct og_str part;

    if (!x->truth || !(is_called(x, "startsWith") || is_called(x, "endsWith") || is_called(x, "contains")))
        return false;
    part = x->call[-1].value->as.text;
    return part.len > 0 && !og_symbol_fits(part);
}

static bool some_symbol(const struct gathered *g, enum og_security security, const struct og_universe *u)
{
    struct texts w;

    for (int i = 0; i < g->count; i++) {
        const struct og_constraint *x = g->constraint[i];

        if (wants_impossible_part(x))
            return false;
        if ((security == OG_OPTION && x->domain.attribute == OG_ATTRIBUTE_UNDERLYING) || !texts_of(x, &w))
            continue; /* the constraint names a root, which has many contracts */
        for (size_t k = 0; k < w.count; k++)
            if (symbol_satisfies(g, w.at[k].as.text, security, u))
                return true;
        return false;
    }
    return !patterns_contradict(g) && (!has_pattern(g) || some_symbol_in_all(g, security, u));
}

static uint64_t kinds_of_symbol(const struct gathered *g, const struct og_universe *u, uint64_t kinds)
{
    for (int security = OG_STOCK; security <= OG_MLEG; security++) {
        uint64_t of = og_order_kinds_of_security((enum og_security)security);

        if ((kinds & of) && !some_symbol(g, (enum og_security)security, u))
            kinds &= ~of;
    }
    return kinds;
}

/* --- constraints on a name, for all kinds ------------------------------------------------------------------------- */

static bool is_enumerated(const struct og_constraint *x)
{
    return x->domain.words || x->name->is.type == OG_TYPE_BOOL;
}

static bool is_number(int type)
{
    return type == OG_TYPE_INT || type == OG_TYPE_DECIMAL || type == OG_TYPE_TIMESTAMP || type == OG_TYPE_DURATION;
}

/* The values that the constraints on a name allow, not yet restricted to those that a kind of order can have. */
struct remaining {
    struct numbers numbers;
    unsigned bits;
    bool text, empty;     /* text: a text that is not empty is allowed; empty: "" is allowed */
    bool has_same_number; /* another name may have the same value */
};

static void find_remaining(struct remaining *remaining, const struct gathered *g, const struct og_constraint *last,
                           const struct og_universe *u)
{
    struct og_expr_value nothing = { .as.text = OG_STR("") };
    int type = last->name->is.type;

    *remaining = (struct remaining){ .bits = ~0u, .text = true, .empty = true };
    remaining->has_same_number =
        last->domain.attribute == OG_ATTRIBUTE_QUANTITY || last->domain.attribute == OG_ATTRIBUTE_CONTRACTS ||
        last->domain.attribute == OG_ATTRIBUTE_LIMIT || last->domain.attribute == OG_ATTRIBUTE_PRICE;
    if (!g->count)
        return;
    if (is_enumerated(last))
        remaining->bits = words_left(g, &last->domain, u);
    else if (is_number(type))
        numbers_left(&remaining->numbers, g);
    else if (type == OG_TYPE_STRING && !is_symbol(last))
        remaining->text =
            some_text(g, u) && (last->domain.attribute != OG_ATTRIBUTE_DATE || !u->since || some_date(g, u));
    if (type == OG_TYPE_STRING)
        remaining->empty = satisfies_all(g, &nothing, u);
}

bool og_constraint_leaves_open(const struct og_range *r, const struct og_constraint *x)
{
    struct og_constraint is = *x;
    struct og_range holds = *r, fails = *r;

    if (x->op < OG_OP_LT || x->op > OG_OP_GE)
        return true;
    is.truth = true;
    og_constraint_narrow(&holds, &is);
    is.truth = false;
    og_constraint_narrow(&fails, &is);
    return !og_range_is_empty(&holds) && !og_range_is_empty(&fails);
}

/* Returns true if a number of unknown value can have bounds that satisfy the constraints: bounds that decide every
 * comparison in g->constraint as demanded, and leave open every comparison in g->undecided. */
static bool some_bounds(const struct gathered *g, const struct og_range *of_row)
{
    struct og_range r = { .has_low = false };

    for (int i = 0; i < g->count; i++) {
        if (is_exact(g->constraint[i]))
            return false; /* the number is unknown, so bounds cannot show that it equals a value */
        og_constraint_narrow(&r, g->constraint[i]);
    }
    for (int i = 0; i < g->undecided_count; i++)
        if (!og_constraint_leaves_open(&r, g->undecided[i]))
            return false;
    og_range_meet(&r, of_row);
    return !og_range_is_empty(&r);
}

static bool some_value(const struct remaining *remaining, const struct gathered *g, const struct og_name_values *a,
                       const struct og_constraint *last, const struct og_universe *u)
{
    unsigned states = a->states & g->states;
    int type = last->name->is.type;

    if ((states & OG_NAME_BOUNDED) && some_bounds(g, &a->range))
        return true;
    states &= ~(unsigned)OG_NAME_BOUNDED;
    if (!g->count || !(states & OG_NAME_KNOWN))
        return (states & ~(unsigned)OG_NAME_EMPTY) || ((states & OG_NAME_EMPTY) && remaining->empty);
    if ((states & OG_NAME_EMPTY) && remaining->empty)
        return true;
    if (is_enumerated(last))
        return (remaining->bits & a->values) != 0;
    return is_number(type) ? some_number(&remaining->numbers, g, &a->range, type, u) : remaining->text;
}

uint64_t og_constraint_kinds(const struct og_constraint *constraint, int count, const struct og_universe *u,
                             uint64_t kinds)
{
    const struct og_constraint *last = &constraint[count - 1];
    struct gathered g;
    struct remaining remaining;

    gather_constraints(&g, constraint, count);
    find_remaining(&remaining, &g, last, u);
    for (uint64_t rest = kinds; rest; rest &= rest - 1) {
        struct og_name_values a;

        og_name_values(&last->domain, last->name, __builtin_ctzll(rest), u, &a);
        if (remaining.has_same_number)
            narrow_by_same_number(&a.range, constraint, count, __builtin_ctzll(rest));
        if (!some_value(&remaining, &g, &a, last, u))
            kinds &= ~(rest & -rest);
    }
    return g.count && is_symbol(last) ? kinds_of_symbol(&g, u, kinds) : kinds;
}
