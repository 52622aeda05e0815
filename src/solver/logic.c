/*
 * Proofs by cases: every way in which a formula can come out as demanded is a set of limits on names; when each set
 * leaves no kind of order, no session or no leg that could meet it, nothing meets the demand.
 * It refuses to claim what it could not go through within its steps.
 */
#include "solver/logic.h"

#include "base/banned.h"

#define TAKEN_MOST   40 /* limits in one case */
#define SETTLED_MOST 40

/* What something that is not understood comes to, in this case. */
struct settled {
    const struct og_node *node;
    unsigned set;
};

struct cases {
    const struct og_logic *g;
    const struct og_universe *u;
    struct og_limit taken[TAKEN_MOST];
    struct settled settled[SETTLED_MOST];
    int count, settled_count;
    uint64_t rows[OG_LOGIC_INSTANCES]; /* that are left, of each group */
    long steps;                        /* left */
    bool collect;                      /* all cases are gone through, for the rows that are left at their ends */
    uint64_t *left;
};

struct pending { /* demands not yet looked at */
    int node;
    unsigned set;
    const struct pending *next;
};

static bool may(struct cases *c, const struct pending *p);
static bool is_same(const struct og_node *x, const struct og_node *y);

/* --- limits --- */

static bool may_limit(struct cases *c, const struct og_limit *x, const struct pending *rest)
{
    uint64_t before = c->rows[x->instance], *rows = &c->rows[x->instance];
    bool answer;

    if (c->count == TAKEN_MOST)
        return may(c, rest); /* one demand less is a weaker claim */
    c->taken[c->count++] = *x;
    *rows = og_limit_rows(c->taken, c->count, c->u, x->domain.group == OG_GROUP_ALONE ? 1 : before);
    answer = *rows != 0 && may(c, rest);
    *rows = before;
    c->count--;
    return answer;
}

static bool may_state(struct cases *c, const struct og_limit *of, unsigned states, const struct pending *rest)
{
    struct og_limit x = *of;

    x.op = OG_LIMIT_STATE;
    x.states = states;
    return may_limit(c, &x, rest);
}

/* A limit is known where its name is, but that of a pattern, which is always. */
static bool may_leaf(struct cases *c, const struct og_node *n, unsigned set, const struct pending *rest)
{
    struct og_limit x = n->limit;
    bool always = x.op == OG_LIMIT_PATTERN;
    bool gives_up = x.op == OG_LIMIT_CALL && og_expr_functions[x.instr->arg].literal == OG_LITERAL_PATTERN;

    if ((set & OG_T) && (set & OG_F) && !always) {
        if (may_state(c, &x, OG_HAS_VALUE, rest))
            return true;
    } else {
        if ((set & OG_T) && may_limit(c, &x, rest))
            return true;
        x.truth = !x.truth;
        if ((set & OG_F) && may_limit(c, &x, rest))
            return true;
    }
    return (set & OG_U) && !always && may_state(c, &x, gives_up ? OG_ANY_STATE : OG_LACKS | OG_DOUBT, rest);
}

/* Where the same function of the same name was asked before, it comes to the same, a pattern that gives up too. */
static bool may_call(struct cases *c, const struct og_node *n, unsigned set, const struct pending *rest)
{
    int before = c->settled_count;
    bool answer = false;

    for (int i = 0; i < before; i++)
        if (c->settled[i].node->limit.op == OG_LIMIT_CALL && c->settled[i].node->limit.instance == n->limit.instance &&
            is_same(c->settled[i].node, n))
            set &= c->settled[i].set;
    if (before == SETTLED_MOST)
        return may_leaf(c, n, set, rest);
    for (unsigned one = OG_F; one <= OG_U && !answer; one <<= 1) {
        if (!(set & one))
            continue;
        c->settled[c->settled_count++] = (struct settled){ n, one };
        answer = may_leaf(c, n, one, rest);
        c->settled_count = before;
    }
    return answer;
}

static bool may_has(struct cases *c, const struct og_node *n, unsigned set, const struct pending *rest)
{
    unsigned states =
        (set & OG_T ? OG_KNOWN : 0) | (set & OG_F ? OG_LACKS | OG_EMPTY : 0) | (set & OG_U ? OG_DOUBT : 0);

    return may_state(c, &n->limit, states, rest);
}

static bool may_self(struct cases *c, const struct og_node *n, unsigned set, const struct pending *rest)
{
    return ((set & n->set) && may_state(c, &n->limit, OG_HAS_VALUE, rest)) ||
           ((set & OG_U) && may_state(c, &n->limit, OG_LACKS | OG_DOUBT, rest));
}

static bool may_rows(struct cases *c, uint64_t of, const struct pending *rest)
{
    uint64_t before = c->rows[OG_GROUP_ORDER];
    bool answer;

    c->rows[OG_GROUP_ORDER] &= of;
    answer = c->rows[OG_GROUP_ORDER] != 0 && may(c, rest);
    c->rows[OG_GROUP_ORDER] = before;
    return answer;
}

/* --- what is not understood --- */

static struct og_code code_of(const struct og_node *n)
{
    return (struct og_code){ n->expr, n->from, n->to };
}

static bool is_same(const struct og_node *x, const struct og_node *y)
{
    return x == y || og_code_is_same(code_of(x), code_of(y));
}

static bool same_term(const struct og_node *x, const struct og_node *y)
{
    return x->kind == OG_NODE_TERM && y->kind == OG_NODE_TERM &&
           og_code_is_same((struct og_code){ x->expr, x->term, x->term_to },
                           (struct og_code){ y->expr, y->term, y->term_to });
}

/* Names that must be known for the piece of code to come to anything: it has no other way round them. */
static bool is_strict(const struct og_node *n)
{
    for (size_t k = n->from; k < n->to; k++)
        switch (n->expr->code[k].op) {
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

static bool may_known(struct cases *c, const struct og_node *n, size_t at, const struct pending *rest)
{
    for (; at < n->to; at++) {
        const struct og_expr_named *name = &og_expr_named[n->expr->code[at].arg];
        struct og_limit x = { .name = name };
        uint64_t before;
        bool answer;

        if (n->expr->code[at].op != OG_OP_NAME || (name->is.type & OG_TYPE_LIST))
            continue;
        x.domain = og_domain_of(name);
        x.instance = (int)x.domain.group;
        x.op = OG_LIMIT_STATE;
        x.states = OG_HAS_VALUE;
        if (c->count == TAKEN_MOST)
            return may(c, rest);
        before = c->rows[x.instance];
        c->taken[c->count++] = x;
        c->rows[x.instance] = og_limit_rows(c->taken, c->count, c->u, x.domain.group == OG_GROUP_ALONE ? 1 : before);
        answer = c->rows[x.instance] != 0 && may_known(c, n, at + 1, rest);
        c->rows[x.instance] = before;
        c->count--;
        return answer;
    }
    return may(c, rest);
}

static unsigned turned(unsigned set)
{
    return (set & OG_U) | (set & OG_T ? OG_F : 0) | (set & OG_F ? OG_T : 0);
}

/* What is left of a comparison by those of its kin that were settled. */
static unsigned left_by_kin(const struct cases *c, const struct og_node *n)
{
    unsigned left = OG_FTU;

    for (int i = 0; c->u->akin && i < c->settled_count; i++) {
        const struct settled *s = &c->settled[i];
        unsigned akin = s->node->kind == OG_NODE_OPAQUE || s->node->kind == OG_NODE_TERM
                            ? og_code_akin(code_of(s->node), code_of(n), c->u, c->rows)
                            : 0;
        unsigned given;

        if (!akin)
            continue;
        given = (s->set & OG_U) | (s->set & OG_T ? (akin & OG_AKIN_FORTH ? OG_T : OG_T | OG_F) : 0) |
                (s->set & OG_F ? (akin & OG_AKIN_BACK ? OG_F : OG_T | OG_F) : 0);
        left &= akin & OG_AKIN_NOT ? turned(given) : given;
    }
    return left;
}

static bool may_opaque(struct cases *c, const struct og_node *n, unsigned set, const struct pending *rest)
{
    bool answer;
    int before = c->settled_count;

    set &= n->set & left_by_kin(c, n);
    for (int i = 0; i < before; i++)
        if (is_same(c->settled[i].node, n))
            set &= c->settled[i].set;
    if (!set)
        return false;
    if (before < SETTLED_MOST)
        c->settled[c->settled_count++] = (struct settled){ n, set };
    answer = !(set & OG_U) && is_strict(n) ? may_known(c, n, n->from, rest) : may(c, rest);
    c->settled_count = before;
    return answer;
}

/* What a function gives, whatever it is asked of. */
static struct og_range range_of(const struct og_node *n)
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
    const struct og_expr_instr *last = &n->expr->code[n->term_to - 1];
    const struct og_expr_function *f = last->op == OG_OP_CALL ? &og_expr_functions[last->arg] : NULL;
    struct og_range r = { .has_low = false };

    for (size_t i = 0; f && i < sizeof known / sizeof *known; i++)
        if (strcmp(f->name, known[i].name) == 0 && f->type[0] == known[i].of) {
            og_range_raise(&r, og_money_from(known[i].low), false);
            og_range_lower(&r, og_money_from(known[i].high), false);
        }
    if (f && strcmp(f->name, "size") == 0)
        og_range_raise(&r, og_money_from(0), false);
    return r;
}

static void narrow(struct og_range *r, const struct og_limit *x)
{
    if ((x->op == OG_OP_EQ && x->truth) || (x->op == OG_OP_NE && !x->truth)) {
        og_range_raise(r, x->value->as.number, false);
        og_range_lower(r, x->value->as.number, false);
    }
    og_limit_narrow(r, x);
}

/* What the demands made so far leave of a term; one of them is known exactly when the others are. */
static bool some_number(const struct cases *c, const struct og_node *n, bool unknown)
{
    struct og_range r = range_of(n);

    for (int i = 0; i < c->settled_count; i++) {
        const struct settled *s = &c->settled[i];
        struct og_limit x = s->node->limit;

        if (!same_term(s->node, n))
            continue;
        if ((s->set == OG_U) != unknown)
            return false;
        x.truth = s->set == OG_T;
        if (!unknown)
            narrow(&r, &x);
    }
    return !og_range_is_empty(&r);
}

static bool may_term(struct cases *c, const struct og_node *n, unsigned set, const struct pending *rest)
{
    bool answer = false;

    if (c->settled_count == SETTLED_MOST)
        return may(c, rest);
    set &= left_by_kin(c, n);
    for (unsigned one = OG_F; one <= OG_U && !answer; one <<= 1) {
        if (!(set & one))
            continue;
        c->settled[c->settled_count++] = (struct settled){ n, one };
        answer = some_number(c, n, one == OG_U) && (one == OG_U ? may(c, rest) : may_known(c, n, n->from, rest));
        c->settled_count--;
    }
    return answer;
}

/* --- cases --- */

/* Both demands, then the rest. */
static bool both(struct cases *c, int a, unsigned of_a, int b, unsigned of_b, const struct pending *rest)
{
    struct pending second = { b, of_b, rest }, first = { a, of_a, &second };

    return may(c, &first);
}

static bool one(struct cases *c, int a, unsigned set, const struct pending *rest)
{
    struct pending first = { a, set, rest };

    return may(c, &first);
}

/* Of an `and`; an `or` is one with its truths changed: strong decides alone, weak needs both. */
static bool may_join(struct cases *c, const struct og_node *n, unsigned set, unsigned strong, unsigned weak,
                     const struct pending *rest)
{
    if ((set & strong) && (set & OG_U) && (set & weak))
        return may(c, rest);
    if (set & strong) {
        unsigned either = strong | (set & OG_U);

        if (one(c, n->a, either, rest) || one(c, n->b, either, rest))
            return true;
        return (set & weak) && both(c, n->a, weak, n->b, weak, rest);
    }
    if (set & weak) /* weak, or weak and unknown */
        return both(c, n->a, weak | (set & OG_U), n->b, weak | (set & OG_U), rest);
    return both(c, n->a, OG_U, n->b, weak | OG_U, rest) || both(c, n->a, weak, n->b, OG_U, rest);
}

/* What a loop comes to needs a leg that does, or none.  Of an order whose legs the service ignores nothing is said. */
static bool may_loop(struct cases *c, const struct og_node *n, unsigned set, const struct pending *rest)
{
    unsigned empty = n->macro == OG_MACRO_ALL ? OG_T : OG_F;
    uint64_t before = c->rows[OG_GROUP_ORDER];
    bool answer = false;

    if (!c->u->clean)
        return may(c, rest);
    if (set & empty) {
        c->rows[OG_GROUP_ORDER] = before & ~og_rows_of_security(OG_MLEG);
        answer = c->rows[OG_GROUP_ORDER] && may(c, rest);
    }
    c->rows[OG_GROUP_ORDER] = before & og_rows_of_security(OG_MLEG);
    if (!answer && c->rows[OG_GROUP_ORDER])
        answer = one(c, n->a, set, rest);
    c->rows[OG_GROUP_ORDER] = before;
    return answer;
}

static bool may_is(struct cases *c, const struct og_node *n, unsigned set, const struct pending *rest)
{
    unsigned inner = (set & OG_T ? n->set : 0) | (set & OG_F ? ~n->set & OG_FTU : 0);

    return inner && one(c, n->a, inner, rest);
}

static bool may_choose(struct cases *c, const struct og_node *n, unsigned set, const struct pending *rest)
{
    return both(c, n->a, OG_T, n->b, set, rest) || both(c, n->a, OG_F, n->c, set, rest) ||
           ((set & OG_U) && one(c, n->a, OG_U, rest));
}

static bool at_the_end(struct cases *c)
{
    if (!c->collect)
        return true;
    *c->left |= c->rows[OG_GROUP_ORDER];
    return false;
}

static bool may(struct cases *c, const struct pending *p)
{
    const struct og_node *n;
    unsigned set;

    if (!p)
        return at_the_end(c);
    if (--c->steps < 0)
        return true; /* it is not known */
    n = &c->g->node[p->node];
    set = p->set;
    if (set == OG_FTU && n->kind != OG_NODE_CONST)
        return may(c, p->next);
    switch (n->kind) {
    case OG_NODE_CONST: return (set & (n->value->as.truth ? OG_T : OG_F)) && may(c, p->next);
    case OG_NODE_NAME: { /* a truth */
        static const struct og_expr_value yes = { .as.truth = true };
        struct og_node leaf = *n;

        leaf.limit.op = OG_OP_EQ;
        leaf.limit.aux = OG_KIND_TRUTH;
        leaf.limit.value = &yes;
        return may_leaf(c, &leaf, set, p->next);
    }
    case OG_NODE_LEAF:
        return n->limit.op == OG_LIMIT_CALL ? may_call(c, n, set, p->next) : may_leaf(c, n, set, p->next);
    case OG_NODE_TERM: return may_term(c, n, set, p->next);
    case OG_NODE_HAS: return may_has(c, n, set, p->next);
    case OG_NODE_AND: return may_join(c, n, set, OG_F, OG_T, p->next);
    case OG_NODE_OR: return may_join(c, n, set, OG_T, OG_F, p->next);
    case OG_NODE_NOT: return one(c, n->a, turned(set), p->next);
    case OG_NODE_CHOICE: return may_choose(c, n, set, p->next);
    case OG_NODE_LOOP: return may_loop(c, n, set, p->next);
    case OG_NODE_SELF: return may_self(c, n, set, p->next);
    case OG_NODE_ROWS: /* true, or false */
        return ((set & OG_T) && may_rows(c, n->rows, p->next)) || ((set & OG_F) && may_rows(c, ~n->rows, p->next));
    case OG_NODE_IS: return may_is(c, n, set, p->next);
    case OG_NODE_OPAQUE:
    case OG_NODE_ITEM: break;
    }
    return may_opaque(c, n, set, p->next);
}

static void begin(struct cases *c, const struct og_logic *g, const struct og_universe *u, long steps)
{
    *c = (struct cases){ .g = g, .u = u, .steps = steps };
    for (int i = 0; i < OG_LOGIC_INSTANCES; i++)
        c->rows[i] = og_group_rows(i <= OG_GROUP_ALONE ? (enum og_group)i : OG_GROUP_LEG, u);
}

static bool is_never(const struct og_logic *g, int node, unsigned set, const struct og_universe *u, long *steps)
{
    struct cases c;
    struct pending p = { node, set, NULL };
    bool proved;

    if (g->failed || *steps <= 0)
        return false;
    begin(&c, g, u, *steps - g->count / 8);
    proved = c.steps > 0 && !may(&c, &p) && c.steps >= 0;
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

uint64_t og_logic_rows_left(const struct og_logic *g, int node, unsigned set, const struct og_universe *u, long *steps)
{
    struct og_universe narrow = *u;
    struct cases c;
    struct pending p = { node, set, NULL };
    uint64_t left = 0;

    narrow.clean = true;
    begin(&c, g, &narrow, *steps);
    c.collect = true;
    c.left = &left;
    if (g->failed || may(&c, &p) || c.steps < 0)
        left = og_group_rows(OG_GROUP_ORDER, &narrow);
    *steps = c.steps > 0 ? c.steps : 0;
    return left;
}
