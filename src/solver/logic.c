/*
 * Proofs by case distinction, in the manner of DPLL(T).  Every way in which a formula can get a demanded truth value is
 * a branch: a set of constraints on names.  If no branch leaves a possible kind of order, session or leg, no order
 * gives the formula that value.  If the limit of steps is reached, nothing is proved.
 */
#include "solver/logic.h"

#define CONSTRAINTS_MOST 40 /* maximum number of constraints in one branch */
#define ASSUMED_MOST     40

/* The truth values that this branch assumes for a node whose tree is not analysed. */
struct assumed {
    const struct og_node *node;
    unsigned set;
};

struct branch {
    const struct og_logic *g;
    const struct og_universe *u;
    struct og_constraint constraint[CONSTRAINTS_MOST];
    struct assumed assumed[ASSUMED_MOST];
    int count, assumed_count;
    uint64_t kinds[OG_LOGIC_INSTANCES]; /* for each group: the kinds that are still possible */
    long steps;                         /* steps left */
    bool collect; /* explore all branches, and collect the kinds that are left at their ends in *kinds_left */
    uint64_t *kinds_left;
};

struct demand { /* a linked list of the demands that are not explored yet */
    int node;
    unsigned set;
    const struct demand *next;
};

/* Returns true if the demands can be met on this branch, or if the steps do not suffice to decide.  The functions
 * sat_*() do the same for one node and the rest of the demands; each restores the branch before it returns. */
static bool sat(struct branch *c, const struct demand *p);
static bool is_same(const struct og_node *x, const struct og_node *y);

/* --- constraints -------------------------------------------------------------------------------------------------- */

static bool sat_constraint(struct branch *c, const struct og_constraint *x, const struct demand *rest)
{
    uint64_t before = c->kinds[x->instance], *kinds = &c->kinds[x->instance];
    bool answer;

    if (c->count == CONSTRAINTS_MOST)
        return sat(c, rest); /* there is no room for this constraint, so it is left out. More branches then seem
                              * possible: less is proved, but nothing false */
    c->constraint[c->count++] = *x;
    *kinds = og_constraint_kinds(c->constraint, c->count, c->u, x->domain.group == OG_GROUP_ALONE ? 1 : before);
    answer = *kinds != 0 && sat(c, rest);
    *kinds = before;
    c->count--;
    return answer;
}

static bool sat_state(struct branch *c, const struct og_constraint *of, unsigned states, const struct demand *rest)
{
    struct og_constraint x = *of;

    x.op = OG_CONSTRAINT_STATE;
    x.states = states;
    return sat_constraint(c, &x, rest);
}

/* Explore that a comparison is unknown: the name has no value, and its bounds, if it has some, leave the comparison
 * open. */
static bool sat_undecided(struct branch *c, const struct og_constraint *of, const struct demand *rest)
{
    struct og_constraint x = *of;

    x.undecided = true;
    x.states = OG_NAME_NO_VALUE;
    return sat_constraint(c, &x, rest);
}

static bool is_ordering_or_equality(const struct og_constraint *x)
{
    return x->op >= OG_OP_EQ && x->op <= OG_OP_IN;
}

/* Explore a constraint on a name, as sat() does. The constraint is unknown if the name has no value, unless it is a
 * comparison that the name's bounds decide. A pattern is unknown only if its match reaches the limit. */
static bool sat_leaf(struct branch *c, const struct og_node *n, unsigned set, const struct demand *rest)
{
    struct og_constraint x = n->constraint;
    bool always = x.op == OG_CONSTRAINT_PATTERN;
    bool gives_up = always ? og_pattern_may_give_up(x.pattern)
                           : x.op == OG_CONSTRAINT_CALL && og_expr_functions[x.call->arg].literal == OG_LITERAL_PATTERN;
    bool bounded = x.name->bounded && is_ordering_or_equality(&x);

    if (bounded)
        x.states |= OG_NAME_BOUNDED;
    if ((set & OG_T) && (set & OG_F) && !always) {
        if (sat_state(c, &x, x.states, rest))
            return true;
    } else {
        if ((set & OG_T) && sat_constraint(c, &x, rest))
            return true;
        x.truth = !x.truth;
        if ((set & OG_F) && sat_constraint(c, &x, rest))
            return true;
    }
    if (bounded)
        return (set & OG_U) && sat_undecided(c, &x, rest);
    return (set & OG_U) && (!always || gives_up) &&
           sat_state(c, &x, gives_up ? OG_NAME_ANY_STATE : OG_NAME_NO_VALUE, rest);
}

static bool is_same_constraint(const struct og_node *x, const struct og_node *y)
{
    const struct og_constraint *a = &x->constraint, *b = &y->constraint;

    if (x->kind != OG_NODE_CONSTRAINT || a->op != b->op || a->instance != b->instance)
        return false;
    return a->op == OG_CONSTRAINT_PATTERN
               ? a->name == b->name && og_str_eq(og_pattern_text(a->pattern), og_pattern_text(b->pattern))
               : is_same(x, y);
}

/* Explore a call or a pattern, as sat() does: on one branch, a call or pattern that occurs again for the same name has
 * the same value, even if its match reaches the limit. */
static bool sat_call(struct branch *c, const struct og_node *n, unsigned set, const struct demand *rest)
{
    int before = c->assumed_count;
    bool answer = false;

    for (int i = 0; i < before; i++)
        if (is_same_constraint(c->assumed[i].node, n))
            set &= c->assumed[i].set;
    if (before == ASSUMED_MOST)
        return sat_leaf(c, n, set, rest);
    for (unsigned one = OG_F; one <= OG_U && !answer; one <<= 1) {
        if (!(set & one))
            continue;
        c->assumed[c->assumed_count++] = (struct assumed){ n, one };
        answer = sat_leaf(c, n, one, rest);
        c->assumed_count = before;
    }
    return answer;
}

static bool sat_has(struct branch *c, const struct og_node *n, unsigned set, const struct demand *rest)
{
    unsigned states = (set & OG_T ? OG_NAME_KNOWN : 0) | (set & OG_F ? OG_NAME_ABSENT | OG_NAME_EMPTY : 0) |
                      (set & OG_U ? OG_NAME_UNKNOWN | OG_NAME_BOUNDED : 0);

    return sat_state(c, &n->constraint, states, rest);
}

static bool sat_self(struct branch *c, const struct og_node *n, unsigned set, const struct demand *rest)
{
    return ((set & n->set) && sat_state(c, &n->constraint, OG_NAME_HAS_VALUE, rest)) ||
           ((set & OG_U) && sat_state(c, &n->constraint, OG_NAME_NO_VALUE, rest));
}

static bool sat_kinds(struct branch *c, uint64_t of, const struct demand *rest)
{
    uint64_t before = c->kinds[OG_GROUP_ORDER];
    bool answer;

    c->kinds[OG_GROUP_ORDER] &= of;
    answer = c->kinds[OG_GROUP_ORDER] != 0 && sat(c, rest);
    c->kinds[OG_GROUP_ORDER] = before;
    return answer;
}

/* --- opaque trees ------------------------------------------------------------------------------------------------- */

static bool is_same(const struct og_node *x, const struct og_node *y)
{
    return x == y || (x->tree && y->tree && og_tree_is_same(x->tree, y->tree));
}

static bool is_same_term(const struct og_node *x, const struct og_node *y)
{
    return x->kind == OG_NODE_TERM && y->kind == OG_NODE_TERM && og_tree_is_same(x->term, y->term);
}

/* Returns true if the tree has a value only if every name in it has one, or bounds. */
static bool is_strict(const struct og_node *n)
{
    for (const struct og_expr_node *k = og_expr_first(n->tree); k <= n->tree; k++)
        switch (k->op) {
        case OG_OP_HAS_NAME:
        case OG_OP_HAS_LEG:
        case OG_OP_AND:
        case OG_OP_OR:
        case OG_OP_BRANCH:
        case OG_OP_LOOP:
        case OG_OP_ITEM: return false;
        default: break;
        }
    return true;
}

/* Do what sat() does, assuming that all names of the tree, from node `at` to its root, have values or bounds. */
static bool sat_known(struct branch *c, const struct og_expr_node *root, const struct og_expr_node *at,
                      const struct demand *rest)
{
    for (; at <= root; at++) {
        const struct og_expr_named *name = at->op == OG_OP_NAME ? &og_expr_named[at->arg] : NULL;
        struct og_constraint x = { .name = name };
        uint64_t before;
        bool answer;

        if (!name || (name->is.type & OG_TYPE_LIST))
            continue;
        x.domain = og_domain_of(name);
        x.instance = (int)x.domain.group;
        x.op = OG_CONSTRAINT_STATE;
        x.states = name->bounded ? OG_NAME_HAS_VALUE | OG_NAME_BOUNDED : OG_NAME_HAS_VALUE;
        if (c->count == CONSTRAINTS_MOST)
            return sat(c, rest);
        before = c->kinds[x.instance];
        c->constraint[c->count++] = x;
        c->kinds[x.instance] =
            og_constraint_kinds(c->constraint, c->count, c->u, x.domain.group == OG_GROUP_ALONE ? 1 : before);
        answer = c->kinds[x.instance] != 0 && sat_known(c, root, at + 1, rest);
        c->kinds[x.instance] = before;
        c->count--;
        return answer;
    }
    return sat(c, rest);
}

static unsigned negated(unsigned set)
{
    return (set & OG_U) | (set & OG_T ? OG_F : 0) | (set & OG_F ? OG_T : 0);
}

/* Returns the truth values that a comparison can have, given those of another one and the implications between the two.
 * bounded: a name in them may have bounds, which may decide only one of the two; without such a name, either both are
 * known or both are unknown. */
static unsigned implied_by(unsigned given, unsigned implied, bool bounded)
{
    const bool forward = implied & OG_IMPLIES_FORWARD, backward = implied & OG_IMPLIES_BACKWARD;
    const unsigned other = bounded ? OG_FTU : OG_T | OG_F;
    unsigned set = 0;

    if (given & OG_T)
        set |= forward ? OG_T : other;
    if (given & OG_F)
        set |= backward ? OG_F : other;
    if (given &
        OG_U) /* the other comparison is then not false if the implication holds forward, and not true if it holds
               * backward */
        set |= bounded ? OG_FTU & ~(forward ? (unsigned)OG_F : 0) & ~(backward ? (unsigned)OG_T : 0) : OG_U;
    return implied & OG_IMPLIES_NEGATION ? negated(set) : set;
}

/* Returns true if the tree names a number that can have bounds while its value is unknown. */
static bool has_bounded_name(const struct og_expr_node *root)
{
    for (const struct og_expr_node *n = og_expr_first(root); n <= root; n++)
        if (n->op == OG_OP_NAME && og_expr_named[n->arg].bounded)
            return true;
    return false;
}

/* Returns the truth values that n can have, given the comparisons assumed so far and the implications between them. */
static unsigned set_left_by_implication(const struct branch *c, const struct og_node *n)
{
    unsigned left = OG_FTU;

    for (int i = 0; c->u->monotone && i < c->assumed_count; i++) {
        const struct assumed *s = &c->assumed[i];
        unsigned implied = s->node->kind == OG_NODE_OPAQUE || s->node->kind == OG_NODE_TERM
                               ? og_tree_implies(s->node->tree, n->tree, c->u, c->kinds)
                               : 0;

        if (implied)
            left &= implied_by(s->set, implied, has_bounded_name(n->tree));
    }
    return left;
}

static bool sat_opaque(struct branch *c, const struct og_node *n, unsigned set, const struct demand *rest)
{
    bool answer;
    int before = c->assumed_count;

    set &= n->set & set_left_by_implication(c, n);
    for (int i = 0; i < before; i++)
        if (is_same(c->assumed[i].node, n))
            set &= c->assumed[i].set;
    if (!set)
        return false;
    if (before < ASSUMED_MOST)
        c->assumed[c->assumed_count++] = (struct assumed){ n, set };
    answer = !(set & OG_U) && is_strict(n) ? sat_known(c, n->tree, og_expr_first(n->tree), rest) : sat(c, rest);
    c->assumed_count = before;
    return answer;
}

/* Returns the range of a function's result, whatever its argument. */
static struct og_range range_of_call(const struct og_expr_function *f)
{
    static const struct {
        const char *name;
        int of, low, high;
    } known[] = {
        { "getMonth", OG_TYPE_TIMESTAMP, 0, 11 },         { "getDate", OG_TYPE_TIMESTAMP, 1, 31 },
        { "getDayOfMonth", OG_TYPE_TIMESTAMP, 0, 30 },    { "getDayOfWeek", OG_TYPE_TIMESTAMP, 0, 6 },
        { "getDayOfYear", OG_TYPE_TIMESTAMP, 0, 365 },    { "getHours", OG_TYPE_TIMESTAMP, 0, 23 },
        { "getMinutes", OG_TYPE_TIMESTAMP, 0, 59 },       { "getSeconds", OG_TYPE_TIMESTAMP, 0, 59 },
        { "getMilliseconds", OG_TYPE_TIMESTAMP, 0, 999 },
    };
    struct og_range r = { .has_low = false };

    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(f->name, known[i].name) == 0 && f->type[0] == known[i].of) {
            og_range_raise(&r, og_money_from(known[i].low), false);
            og_range_lower(&r, og_money_from(known[i].high), false);
        }
    if (strcmp(f->name, "size") == 0)
        og_range_raise(&r, og_money_from(0), false);
    return r;
}

#define TERM_DEPTH_MOST 8

/* Returns the range of a computed number, from the ranges of the functions in it; other names may have any value. */
static struct og_range range_of(const struct og_expr_node *n, int depth)
{
    struct og_range none = { .has_low = false }, a, b;

    if (depth > TERM_DEPTH_MOST)
        return none;
    switch (n->op) {
    case OG_OP_CALL: return range_of_call(&og_expr_functions[n->arg]);
    case OG_OP_CONST:
        if (n->type == OG_TYPE_INT || n->type == OG_TYPE_DECIMAL) {
            og_range_raise(&none, n->value->as.number, false);
            og_range_lower(&none, n->value->as.number, false);
        }
        return none;
    case OG_OP_ADD:
    case OG_OP_SUB:
    case OG_OP_MUL:
        if (n->aux != OG_OPERAND_NUMBER)
            return none;
        a = range_of(og_expr_operand(n, 0), depth + 1);
        b = range_of(n - 1, depth + 1);
        return n->op == OG_OP_MUL ? og_range_product(&a, &b) : og_range_sum(&a, &b, n->op == OG_OP_SUB);
    default: return none;
    }
}

static void narrow_term(struct og_range *r, const struct og_constraint *x)
{
    if ((x->op == OG_OP_EQ && x->truth) || (x->op == OG_OP_NE && !x->truth)) {
        og_range_raise(r, x->value->as.number, false);
        og_range_lower(r, x->value->as.number, false);
    }
    og_constraint_narrow(r, x);
}

/* Returns true if the term can have some value under the assumptions so far.  unknown: the newest assumption is that a
 * comparison with the term is unknown.  Comparisons with one term are then all unknown, unless names in the term have
 * bounds: bounds decide the comparisons that are known, and leave the unknown ones open. */
static bool some_number(const struct branch *c, const struct og_node *n, bool unknown)
{
    struct og_range r = range_of(n->term, 0), bounds = { .has_low = false };
    const bool bounded = has_bounded_name(n->term);

    for (int i = 0; i < c->assumed_count; i++) {
        const struct assumed *s = &c->assumed[i];
        struct og_constraint x = s->node->constraint;

        if (!is_same_term(s->node, n))
            continue;
        if ((s->set == OG_U) != unknown && !bounded)
            return false;
        x.truth = s->set == OG_T;
        if (s->set != OG_U) {
            narrow_term(&r, &x);
            narrow_term(&bounds, &x);
        }
    }
    for (int i = 0; i < c->assumed_count; i++)
        if (is_same_term(c->assumed[i].node, n) && c->assumed[i].set == OG_U &&
            !og_constraint_leaves_open(&bounds, &c->assumed[i].node->constraint))
            return false;
    return !og_range_is_empty(&r);
}

static bool sat_term(struct branch *c, const struct og_node *n, unsigned set, const struct demand *rest)
{
    bool answer = false;

    if (c->assumed_count == ASSUMED_MOST)
        return sat(c, rest);
    set &= set_left_by_implication(c, n);
    for (unsigned one = OG_F; one <= OG_U && !answer; one <<= 1) {
        if (!(set & one))
            continue;
        c->assumed[c->assumed_count++] = (struct assumed){ n, one };
        answer = some_number(c, n, one == OG_U) &&
                 (one == OG_U ? sat(c, rest) : sat_known(c, n->tree, og_expr_first(n->tree), rest));
        c->assumed_count--;
    }
    return answer;
}

/* --- branches ----------------------------------------------------------------------------------------------------- */

/* Do what sat() does, with two more demands: node a has one of the truth values of_a, and node b has one of of_b. */
static bool sat_both(struct branch *c, int a, unsigned of_a, int b, unsigned of_b, const struct demand *rest)
{
    struct demand second = { b, of_b, rest }, first = { a, of_a, &second };

    return sat(c, &first);
}

static bool sat_one(struct branch *c, int a, unsigned set, const struct demand *rest)
{
    struct demand first = { a, set, rest };

    return sat(c, &first);
}

/* Explore an `and`, as sat() does; for `or`, the caller exchanges true and false. strong: the result that one operand
 * alone forces (false for `and`); weak: the result that both operands must have. */
static bool sat_and_or(struct branch *c, const struct og_node *n, unsigned set, unsigned strong, unsigned weak,
                       const struct demand *rest)
{
    if ((set & strong) && (set & OG_U) && (set & weak))
        return sat(c, rest);
    if (set & strong) {
        unsigned either = strong | (set & OG_U);

        if (sat_one(c, n->a, either, rest) || sat_one(c, n->b, either, rest))
            return true;
        return (set & weak) && sat_both(c, n->a, weak, n->b, weak, rest);
    }
    if (set & weak) /* the demanded result can be the weak value, perhaps also unknown */
        return sat_both(c, n->a, weak | (set & OG_U), n->b, weak | (set & OG_U), rest);
    return sat_both(c, n->a, OG_U, n->b, weak | OG_U, rest) || sat_both(c, n->a, weak, n->b, OG_U, rest);
}

/* Explore a loop over the legs, as sat() does: either some leg gives the result, or there are no legs.  Nothing is
 * concluded for orders whose legs the service ignores. */
static bool sat_loop(struct branch *c, const struct og_node *n, unsigned set, const struct demand *rest)
{
    unsigned empty = n->macro == OG_MACRO_ALL ? OG_T : OG_F;
    uint64_t before = c->kinds[OG_GROUP_ORDER];
    bool answer = false;

    if (!c->u->clean)
        return sat(c, rest);
    if (set & empty) {
        c->kinds[OG_GROUP_ORDER] = before & ~og_order_kinds_of_security(OG_MLEG);
        answer = c->kinds[OG_GROUP_ORDER] && sat(c, rest);
    }
    c->kinds[OG_GROUP_ORDER] = before & og_order_kinds_of_security(OG_MLEG);
    if (!answer && c->kinds[OG_GROUP_ORDER])
        answer = sat_one(c, n->a, set, rest);
    c->kinds[OG_GROUP_ORDER] = before;
    return answer;
}

static bool sat_is(struct branch *c, const struct og_node *n, unsigned set, const struct demand *rest)
{
    unsigned inner = (set & OG_T ? n->set : 0) | (set & OG_F ? ~n->set & OG_FTU : 0);

    return inner && sat_one(c, n->a, inner, rest);
}

static bool sat_choice(struct branch *c, const struct og_node *n, unsigned set, const struct demand *rest)
{
    return sat_both(c, n->a, OG_T, n->b, set, rest) || sat_both(c, n->a, OG_F, n->c, set, rest) ||
           ((set & OG_U) && sat_one(c, n->a, OG_U, rest));
}

static bool branch_is_open(struct branch *c)
{
    if (!c->collect)
        return true;
    *c->kinds_left |= c->kinds[OG_GROUP_ORDER];
    return false;
}

static bool sat(struct branch *c, const struct demand *p)
{
    const struct og_node *n;
    unsigned set;

    if (!p)
        return branch_is_open(c);
    if (--c->steps < 0)
        return true; /* no steps are left: undecided */
    n = &c->g->node[p->node];
    set = p->set;
    if (set == OG_FTU && n->kind != OG_NODE_CONST)
        return sat(c, p->next);
    switch (n->kind) {
    case OG_NODE_CONST: return (set & (n->value->as.truth ? OG_T : OG_F)) && sat(c, p->next);
    case OG_NODE_NAME: { /* a name of type bool */
        static const struct og_expr_value yes = { .as.truth = true };
        struct og_node leaf = *n;

        leaf.constraint.op = OG_OP_EQ;
        leaf.constraint.aux = OG_OPERAND_TRUTH;
        leaf.constraint.value = &yes;
        return sat_leaf(c, &leaf, set, p->next);
    }
    case OG_NODE_CONSTRAINT:
        return n->constraint.op == OG_CONSTRAINT_CALL || n->constraint.op == OG_CONSTRAINT_PATTERN
                   ? sat_call(c, n, set, p->next)
                   : sat_leaf(c, n, set, p->next);
    case OG_NODE_TERM: return sat_term(c, n, set, p->next);
    case OG_NODE_HAS: return sat_has(c, n, set, p->next);
    case OG_NODE_AND: return sat_and_or(c, n, set, OG_F, OG_T, p->next);
    case OG_NODE_OR: return sat_and_or(c, n, set, OG_T, OG_F, p->next);
    case OG_NODE_NOT: return sat_one(c, n->a, negated(set), p->next);
    case OG_NODE_CHOICE: return sat_choice(c, n, set, p->next);
    case OG_NODE_LOOP: return sat_loop(c, n, set, p->next);
    case OG_NODE_SELF: return sat_self(c, n, set, p->next);
    case OG_NODE_KINDS: /* true or false, never unknown */
        return ((set & OG_T) && sat_kinds(c, n->kinds, p->next)) || ((set & OG_F) && sat_kinds(c, ~n->kinds, p->next));
    case OG_NODE_IS: return sat_is(c, n, set, p->next);
    case OG_NODE_OPAQUE:
    case OG_NODE_ITEM: break;
    }
    return sat_opaque(c, n, set, p->next);
}

static void begin_branch(struct branch *c, const struct og_logic *g, const struct og_universe *u, long steps)
{
    *c = (struct branch){ .g = g, .u = u, .steps = steps };
    for (int i = 0; i < OG_LOGIC_INSTANCES; i++)
        c->kinds[i] = og_group_kinds(i <= OG_GROUP_ALONE ? (enum og_name_group)i : OG_GROUP_LEG, u);
}

static bool is_never(const struct og_logic *g, int node, unsigned set, const struct og_universe *u, long *steps)
{
    struct branch c;
    struct demand p = { node, set, NULL };
    bool proved;

    if (g->failed || *steps <= 0)
        return false;
    begin_branch(&c, g, u, *steps - g->count / 8);
    proved = c.steps > 0 && !sat(&c, &p) && c.steps >= 0;
    *steps = c.steps > 0 ? c.steps : 0;
    return proved;
}

enum og_proof og_logic_never(const struct og_logic *g, int node, unsigned set, const struct og_universe *u, long *steps)
{
    struct og_universe narrow = *u;

    narrow.clean = true;
    if (!is_never(g, node, set, &narrow, steps))
        return OG_UNPROVED;
    return u->clean || !is_never(g, node, set, u, steps) ? OG_PROVED_CLEAN : OG_PROVED;
}

uint64_t og_logic_kinds_left(const struct og_logic *g, int node, unsigned set, const struct og_universe *u, long *steps)
{
    struct og_universe narrow = *u;
    struct branch c;
    struct demand p = { node, set, NULL };
    uint64_t left = 0;

    narrow.clean = true;
    begin_branch(&c, g, &narrow, *steps);
    c.collect = true;
    c.kinds_left = &left;
    if (g->failed || sat(&c, &p) || c.steps < 0)
        left = og_group_kinds(OG_GROUP_ORDER, &narrow);
    *steps = c.steps > 0 ? c.steps : 0;
    return left;
}
