/*
 * Compares subtrees of expressions: whether they compute the same value, and, for comparisons that differ only in
 * constants, which implies the other.  "quote.spread <= quote.mid * 0.02" holds wherever "... * 0.01" does, since no
 * price is below 0. The effect of a constant is followed only through operations that are monotone in it.  Overflow is
 * not considered: a sum may be known with a smaller constant and overflow with a larger one.
 */
#include "solver/logic.h"

#define DEPTH_MOST 24

/* --- equal trees -------------------------------------------------------------------------------------------------- */

static bool same_value(const struct og_expr_value *a, const struct og_expr_value *b, int kind)
{
    if (a == b)
        return true;
    if (a->state != b->state)
        return false;
    if (kind & OG_OPERAND_LIST) {
        bool same = a->as.list.count == b->as.list.count;

        for (size_t i = 0; same && i < a->as.list.count; i++)
            same = same_value(&a->as.list.at[i], &b->as.list.at[i], kind & ~OG_OPERAND_LIST);
        return same;
    }
    switch (kind) {
    case OG_OPERAND_TEXT: return og_str_eq(a->as.text, b->as.text);
    case OG_OPERAND_TRUTH: return a->as.truth == b->as.truth;
    case OG_OPERAND_NS: return a->as.ns == b->as.ns;
    default: return a->as.number.coef == b->as.number.coef && a->as.number.scale == b->as.number.scale;
    }
}

/* Returns true if the constant is the pattern of a call in the tree. */
static bool is_pattern(const struct og_expr_node *n, const struct og_expr_node *root)
{
    return n < root && n[1].op == OG_OP_CALL && og_expr_functions[n[1].arg].literal == OG_LITERAL_PATTERN;
}

/* Returns true if the two nodes (of x and of y) compute the same result from their operands.  The trees may be from
 * different policies, so constants are compared by value. */
static bool same_node(const struct og_expr_node *a, const struct og_expr_node *x, const struct og_expr_node *b,
                      const struct og_expr_node *y)
{
    if (a->op != b->op || a->aux != b->aux || a->operands != b->operands)
        return false;
    if (a->op == OG_OP_ITEM)
        return false; /* items are not compared, because it is not recorded to which loop an item belongs */
    if (a->op != OG_OP_CONST)
        return a->arg == b->arg;
    if (is_pattern(a, x) != is_pattern(b, y))
        return false;
    return is_pattern(a, x) ? og_str_eq(og_pattern_text(a->value->as.pattern), og_pattern_text(b->value->as.pattern))
                            : same_value(a->value, b->value, a->aux);
}

bool og_tree_is_same(const struct og_expr_node *x, const struct og_expr_node *y)
{
    const struct og_expr_node *a = og_expr_first(x), *b = og_expr_first(y);

    for (; x->size == y->size && a <= x && same_node(a, x, b, y); a++)
        b++;
    return a > x;
}

/* --- equal except for constants ----------------------------------------------------------------------------------- */

enum { MINUS = 1, PLUS = 2, BOTH = 3 }; /* for a value: negative, positive; for a change: decrease, increase */

/* How one value differs between x and y. */
struct change {
    unsigned sign;      /* signs that the value may have; 0 if the value is zero */
    unsigned direction; /* ways in which the value may change from x to y; 0 if it does not change */
    unsigned factor;    /* the value is multiplied by a positive factor above 1 (PLUS) or below 1 (MINUS); 0 or BOTH:
                         * the factor is not known */
    bool constant;
};

struct comparing {
    const struct og_expr_node *x, *y;
    const struct og_universe *u;
    const uint64_t *kinds;
    struct change stack[DEPTH_MOST];
    int depth;
};

static unsigned negated(unsigned direction)
{
    return direction == MINUS ? PLUS : direction == PLUS ? MINUS : direction;
}

static unsigned sign_of_product(unsigned a, unsigned b)
{
    return (a & PLUS ? b : 0) | (a & MINUS ? negated(b) : 0);
}

static unsigned sign_of_name(const struct comparing *s, const struct og_expr_named *name)
{
    struct og_domain d = og_domain_of(name);
    const struct og_money nothing = og_money_from(0);
    unsigned sign = 0;

    for (uint64_t rest = s->kinds[d.group]; rest && sign != BOTH; rest &= rest - 1) {
        struct og_name_values a;

        og_name_values(&d, name, __builtin_ctzll(rest), s->u, &a);
        if (a.states & (OG_NAME_KNOWN | OG_NAME_BOUNDED))
            sign |= (!a.range.has_low || og_money_cmp(a.range.low, nothing) < 0 ? MINUS : 0) |
                    (!a.range.has_high || og_money_cmp(a.range.high, nothing) > 0 ? PLUS : 0);
    }
    return sign;
}

static int sign_of(const struct og_expr_value *v, unsigned char kind)
{
    int64_t n = kind == OG_OPERAND_NS ? v->as.ns : v->as.number.coef;

    return (n > 0) - (n < 0);
}

static struct change change_of_constants(const struct og_expr_value *a, const struct og_expr_value *b,
                                         unsigned char kind)
{
    int of_a = sign_of(a, kind), of_b = sign_of(b, kind);
    struct change out = { .constant = true };

    out.sign = (of_a > 0 || of_b > 0 ? PLUS : 0) | (of_a < 0 || of_b < 0 ? MINUS : 0);
    out.direction = og_expr_compare(OG_OP_LT, kind, a, b) ? PLUS : og_expr_compare(OG_OP_GT, kind, a, b) ? MINUS : 0;
    if (of_a && of_a == of_b)
        out.factor = of_a > 0 ? out.direction : negated(out.direction);
    return out;
}

static struct change change_of_product(struct change a, struct change b)
{
    struct change out = { .sign = sign_of_product(a.sign, b.sign),
                          .direction = sign_of_product(b.sign, a.direction) | sign_of_product(a.sign, b.direction) };

    if ((a.factor || !a.direction) && (b.factor || !b.direction))
        out.factor = a.factor | b.factor;
    return out;
}

/* Get the change of a / b. A quotient is rounded: it is monotone, but may become 0, so the factor is no longer known.
 * The divisor may change only if it is a constant of one sign: a divisor that changes its sign might be 0 in one of
 * the two expressions only. Returns false if nothing is known about the change. */
static bool change_of_quotient(struct change a, struct change b, struct change *out)
{
    if (b.direction && (!b.constant || !b.factor))
        return false;
    b.direction = negated(b.direction);
    *out = change_of_product(a, b);
    out->factor = 0;
    return true;
}

static bool change_of_operation(const struct og_expr_node *n, struct change a, struct change b, struct change *out)
{
    switch (n->op) {
    case OG_OP_SUB:
        b.sign = negated(b.sign);
        b.direction = negated(b.direction);
        *out = (struct change){ .sign = a.sign | b.sign, .direction = a.direction | b.direction };
        return true;
    case OG_OP_ADD:
        *out = (struct change){ .sign = a.sign | b.sign, .direction = a.direction | b.direction };
        return true;
    case OG_OP_MUL: *out = change_of_product(a, b); return true;
    case OG_OP_DIV: return change_of_quotient(a, b, out);
    default: *out = (struct change){ .sign = BOTH }; return n->op == OG_OP_MOD && !a.direction && !b.direction;
    }
}

static bool push_change(struct comparing *s, struct change v)
{
    if (s->depth == DEPTH_MOST)
        return false;
    s->stack[s->depth++] = v;
    return true;
}

static bool read_call(struct comparing *s, const struct og_expr_node *n)
{
    bool moves = s->depth < n->operands;

    for (int k = 0; k < n->operands && !moves; k++)
        moves = s->stack[--s->depth].direction != 0;
    return !moves && push_change(s, (struct change){ .sign = BOTH });
}

/* Read one node of both trees.  Returns false if the node is not arithmetic on numbers. */
static bool read_node(struct comparing *s, const struct og_expr_node *n, const struct og_expr_node *other)
{
    struct change *top = s->depth ? &s->stack[s->depth - 1] : NULL, out;

    if (n->op == OG_OP_CONST && other->op == OG_OP_CONST && n->aux == other->aux &&
        (n->aux == OG_OPERAND_NUMBER || n->aux == OG_OPERAND_NS))
        return push_change(s, change_of_constants(n->value, other->value, n->aux));
    if (!same_node(n, s->x, other, s->y))
        return false;
    switch (n->op) {
    case OG_OP_NAME: return push_change(s, (struct change){ .sign = sign_of_name(s, &og_expr_named[n->arg]) });
    case OG_OP_CONST: return push_change(s, (struct change){ .sign = BOTH });
    case OG_OP_NEGATE:
        if (!top)
            return false;
        *top =
            (struct change){ .sign = negated(top->sign), .direction = negated(top->direction), .factor = top->factor };
        return true;
    case OG_OP_CALL: return read_call(s, n);
    default:
        if (n->op < OG_OP_ADD || n->op > OG_OP_MOD || s->depth < 2 ||
            !change_of_operation(n, s->stack[s->depth - 2], s->stack[s->depth - 1], &out))
            return false;
        s->stack[--s->depth - 1] = out;
        return true;
    }
}

/* Returns the direction in which a change of this operand moves the comparison. A product of unknown sign could move it
 * in either direction. If the other operand has a fixed sign, the product is assumed to have that sign too: with
 * different signs, the signs alone would decide the comparison, whatever the size of the product. */
static unsigned direction_against(const struct change *v, const struct change *other)
{
    if (v->direction != BOTH || v->factor == BOTH || !v->factor || other->direction || other->sign == BOTH)
        return v->direction;
    return other->sign == MINUS ? negated(v->factor) : v->factor;
}

/* Returns the comparison that holds exactly where op does not. */
static unsigned char negated_comparison(unsigned char op)
{
    switch (op) {
    case OG_OP_LT: return OG_OP_GE;
    case OG_OP_LE: return OG_OP_GT;
    case OG_OP_GT: return OG_OP_LE;
    default: return OG_OP_LT;
    }
}

static bool is_ordering(const struct og_expr_node *n)
{
    return n->op >= OG_OP_LT && n->op <= OG_OP_GE;
}

unsigned og_tree_implies(const struct og_expr_node *x, const struct og_expr_node *y, const struct og_universe *u,
                         const uint64_t *kinds)
{
    struct comparing s = { .x = x, .y = y, .u = u, .kinds = kinds };
    const struct og_expr_node *a = og_expr_first(x), *b = og_expr_first(y);
    bool rises = x->op == OG_OP_GT || x->op == OG_OP_GE, not = (y->op == OG_OP_GT || y->op == OG_OP_GE) != rises;
    unsigned char op = not ? negated_comparison(y->op) : y->op;
    unsigned left, right, moves;

    if (x->size != y->size || !is_ordering(x) || !is_ordering(y) || x->aux != y->aux)
        return 0;
    for (; a < x; a++, b++)
        if (!read_node(&s, a, b))
            return 0;
    if (s.depth != 2)
        return 0;
    left = direction_against(&s.stack[0], &s.stack[1]);
    right = direction_against(&s.stack[1], &s.stack[0]);
    /* PLUS: the comparison may become true from x to y; MINUS: it may become false */
    moves = rises ? left | negated(right) : negated(left) | right;
    if (x->op != op)
        moves |= op == OG_OP_LE || op == OG_OP_GE ? PLUS : MINUS;
    return moves == BOTH ? 0
                         : (moves & MINUS ? 0 : OG_IMPLIES_FORWARD) | (moves & PLUS ? 0 : OG_IMPLIES_BACKWARD) |
                               (not ? OG_IMPLIES_NEGATION : 0);
}
