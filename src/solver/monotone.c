/*
 * Compares parts of compiled expressions: whether they compute the same, and, for comparisons that differ only in
 * constants, which implies the other.  "quote.spread <= quote.mid * 0.02" holds wherever "... * 0.01" does, since no
 * price is below 0.
 * A constant is followed only through operations that are monotone in it.  Overflow is not considered: with a smaller
 * constant a sum may be known where it is not with a larger one.
 */
#include "solver/logic.h"

#define DEPTH_MOST 24

/* --- equal code --------------------------------------------------------------------------------------------------- */

static bool is_jump(unsigned op)
{
    return op == OG_OP_AND_JUMP || op == OG_OP_OR_JUMP || op == OG_OP_BRANCH || op == OG_OP_JUMP || op == OG_OP_LOOP ||
           op == OG_OP_NEXT;
}

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

/* Returns true if the constant at k is the pattern argument of the call after it. */
static bool is_pattern(const struct og_code_span *x, size_t k)
{
    const struct og_expr_instr *next = &x->expr->code[x->from + k + 1];

    return x->from + k + 1 < x->to && next->op == OG_OP_CALL &&
           og_expr_functions[next->arg].literal == OG_LITERAL_PATTERN;
}

/* The two may be from different policies, so the values are compared, not their addresses. */
static bool same_constant(const struct og_code_span *x, const struct og_code_span *y, size_t k)
{
    const struct og_expr_instr *i = &x->expr->code[x->from + k];
    const struct og_expr_value *a = &x->expr->constants[i->arg],
                               *b = &y->expr->constants[y->expr->code[y->from + k].arg];

    if (is_pattern(x, k) != is_pattern(y, k))
        return false;
    if (is_pattern(x, k))
        return og_str_eq(og_pattern_text(a->as.pattern), og_pattern_text(b->as.pattern));
    return same_value(a, b, i->op == OG_OP_IN_WORDS ? OG_OPERAND_TEXT | OG_OPERAND_LIST : i->aux);
}

static bool same_instr(const struct og_code_span *x, const struct og_code_span *y, size_t k)
{
    const struct og_expr_instr *a = &x->expr->code[x->from + k], *b = &y->expr->code[y->from + k];

    if (a->op != b->op || a->aux != b->aux || a->count != b->count)
        return false;
    if (a->op == OG_OP_CONST || a->op == OG_OP_IN_WORDS)
        return same_constant(x, y, k);
    if (a->op == OG_OP_ITEM)
        return false; /* the loop that the item belongs to is not tracked */
    if (is_jump(a->op))
        return a->arg - (int)x->from == b->arg - (int)y->from && a->more - (int)x->from == b->more - (int)y->from;
    return a->arg == b->arg && a->more == b->more;
}

bool og_code_is_same(struct og_code_span x, struct og_code_span y)
{
    if (x.to - x.from != y.to - y.from)
        return false;
    for (size_t k = 0; k < x.to - x.from; k++)
        if (!same_instr(&x, &y, k))
            return false;
    return true;
}

/* --- equal except for constants ----------------------------------------------------------------------------------- */

enum { MINUS = 1, PLUS = 2, BOTH = 3 }; /* of a value: negative, positive; of a change: decrease, increase */

/* How one value differs between x and y. */
struct change {
    unsigned sign;      /* signs it may have; 0: it is zero */
    unsigned direction; /* ways it may change from x to y; 0: it does not change */
    unsigned factor;    /* it changes by a positive factor above 1 (PLUS) or below 1 (MINUS); 0 or BOTH: not known */
    bool constant;
};

struct comparing {
    struct og_code_span x, y;
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
        if (a.states & OG_NAME_KNOWN)
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

/* A quotient is rounded: it is monotone, but may become 0, so the factor is no longer known.  The divisor may change
 * only if it is a constant of one sign: otherwise it might be 0 on one side only. */
static bool change_of_quotient(struct change a, struct change b, struct change *out)
{
    if (b.direction && (!b.constant || !b.factor))
        return false;
    b.direction = negated(b.direction);
    *out = change_of_product(a, b);
    out->factor = 0;
    return true;
}

static bool change_of_operation(const struct og_expr_instr *i, struct change a, struct change b, struct change *out)
{
    switch (i->op) {
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
    default: *out = (struct change){ .sign = BOTH }; return i->op == OG_OP_MOD && !a.direction && !b.direction;
    }
}

static bool push_change(struct comparing *s, struct change v)
{
    if (s->depth == DEPTH_MOST)
        return false;
    s->stack[s->depth++] = v;
    return true;
}

static bool read_call(struct comparing *s, const struct og_expr_instr *i)
{
    bool moves = s->depth < i->count;

    for (int k = 0; k < i->count && !moves; k++)
        moves = s->stack[--s->depth].direction != 0;
    return !moves && push_change(s, (struct change){ .sign = BOTH });
}

/* Read one instruction of both.  Returns false if it is not arithmetic on numbers. */
static bool read_instruction(struct comparing *s, size_t k)
{
    const struct og_expr_instr *i = &s->x.expr->code[s->x.from + k], *other = &s->y.expr->code[s->y.from + k];
    struct change *top = s->depth ? &s->stack[s->depth - 1] : NULL, out;

    if (i->op == OG_OP_CONST && other->op == OG_OP_CONST && i->aux == other->aux &&
        (i->aux == OG_OPERAND_NUMBER || i->aux == OG_OPERAND_NS))
        return push_change(
            s, change_of_constants(&s->x.expr->constants[i->arg], &s->y.expr->constants[other->arg], i->aux));
    if (!same_instr(&s->x, &s->y, k))
        return false;
    switch (i->op) {
    case OG_OP_NAME: return push_change(s, (struct change){ .sign = sign_of_name(s, &og_expr_named[i->arg]) });
    case OG_OP_CONST: return push_change(s, (struct change){ .sign = BOTH });
    case OG_OP_NEGATE:
        if (!top)
            return false;
        *top =
            (struct change){ .sign = negated(top->sign), .direction = negated(top->direction), .factor = top->factor };
        return true;
    case OG_OP_CALL: return read_call(s, i);
    default:
        if (i->op < OG_OP_ADD || i->op > OG_OP_MOD || s->depth < 2 ||
            !change_of_operation(i, s->stack[s->depth - 2], s->stack[s->depth - 1], &out))
            return false;
        s->stack[--s->depth - 1] = out;
        return true;
    }
}

/* If the other operand's sign is fixed, assume that a product of unknown sign has the same sign: with the opposite
 * sign its magnitude cannot change the result. */
static unsigned direction_against(const struct change *v, const struct change *other)
{
    if (v->direction != BOTH || v->factor == BOTH || !v->factor || other->direction || other->sign == BOTH)
        return v->direction;
    return other->sign == MINUS ? negated(v->factor) : v->factor;
}

/* The comparison that holds where op does not. */
static unsigned char negated_comparison(unsigned char op)
{
    switch (op) {
    case OG_OP_LT: return OG_OP_GE;
    case OG_OP_LE: return OG_OP_GT;
    case OG_OP_GT: return OG_OP_LE;
    default: return OG_OP_LT;
    }
}

unsigned og_code_implies(struct og_code_span x, struct og_code_span y, const struct og_universe *u,
                         const uint64_t *kinds)
{
    struct comparing s = { .x = x, .y = y, .u = u, .kinds = kinds };
    const struct og_expr_instr *a = &x.expr->code[x.to - 1], *b = &y.expr->code[y.to - 1];
    bool rises = a->op == OG_OP_GT || a->op == OG_OP_GE, not = (b->op == OG_OP_GT || b->op == OG_OP_GE) != rises;
    unsigned char op = not ? negated_comparison(b->op) : b->op;
    unsigned left, right, moves;

    if (x.to - x.from != y.to - y.from || a->op < OG_OP_LT || a->op > OG_OP_GE || b->op < OG_OP_LT ||
        b->op > OG_OP_GE || a->aux != b->aux)
        return 0;
    for (size_t k = 0; k < x.to - x.from - 1; k++)
        if (!read_instruction(&s, k))
            return 0;
    if (s.depth != 2)
        return 0;
    left = direction_against(&s.stack[0], &s.stack[1]);
    right = direction_against(&s.stack[1], &s.stack[0]);
    moves = rises ? left | negated(right) : negated(left) | right; /* PLUS: y is true more often */
    if (a->op != op)
        moves |= op == OG_OP_LE || op == OG_OP_GE ? PLUS : MINUS;
    return moves == BOTH ? 0
                         : (moves & MINUS ? 0 : OG_IMPLIES_FORWARD) | (moves & PLUS ? 0 : OG_IMPLIES_BACKWARD) |
                               (not ? OG_IMPLIES_NEGATION : 0);
}
