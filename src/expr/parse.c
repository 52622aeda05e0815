/*
 * The grammar (CEL specification, "Syntax"), by operator precedence.  Maps and messages are rejected, and nesting
 * beyond OG_EXPR_DEPTH_MOST.  A chain of operators of one precedence is not nesting.
 */
#include "base/utf8.h"
#include "expr/compile.h"

bool og_compile_next(struct og_compiler *c)
{
    if (c->failed)
        return false;
    if (!og_expr_lex(c->text, c->next, c->keep, &c->token, c->diagnostic)) {
        c->failed = true;
        return false;
    }
    c->next = c->token.end;
    return true;
}

bool og_compile_is(const struct og_compiler *c, int sign)
{
    return !c->failed && c->token.kind == OG_TOKEN_SIGN && c->token.sign == sign;
}

bool og_compile_unexpected(struct og_compiler *c, const char *wanted)
{
    const struct og_token *t = &c->token;

    if (t->kind == OG_TOKEN_END)
        return og_compile_fail(
            c, t->at, OG_EXPR_BAD_SYNTAX, "the expression ends where %s is expected%s", wanted,
            t->at && c->text.s[t->at - 1] == '%' ? ": '%' is the rest of a division, 5% is written 0.05" : "");
    if (t->kind == OG_TOKEN_IDENT && (og_str_is(t->text, "and") || og_str_is(t->text, "or")))
        return og_compile_fail(c, t->at, OG_EXPR_BAD_SYNTAX, "'%.*s' is not an operator: did you mean '%s'?",
                               (int)t->text.len, t->text.s, og_str_is(t->text, "or") ? "||" : "&&");
    return og_compile_fail(c, t->at, OG_EXPR_BAD_SYNTAX, "'%.*s' is found where %s is expected",
                           (int)(t->end - t->at < 40 ? t->end - t->at : 40), c->text.s + t->at, wanted);
}

bool og_compile_expect(struct og_compiler *c, int sign, const char *where)
{
    return og_compile_is(c, sign) ? og_compile_next(c) : og_compile_unexpected(c, where);
}

static bool enter_nesting(struct og_compiler *c)
{
    if (++c->nesting > OG_EXPR_DEPTH_MOST)
        return og_compile_fail(c, c->token.at, OG_EXPR_BAD_SIZE, "this is nested more than %d deep",
                               OG_EXPR_DEPTH_MOST);
    return !c->failed;
}

/* --- primaries ---------------------------------------------------------------------------------------------------- */

/* Read an int literal; negative: after a minus sign. */
static bool read_int(struct og_compiler *c, bool negative, struct og_operand *out)
{
    uint64_t n = c->token.magnitude, most = (uint64_t)INT64_MAX + negative;

    if (n > most)
        return og_compile_fail(c, c->token.at, OG_EXPR_BAD_VALUE, "this number is larger than an int holds");
    return og_operand_constant(c, out, og_expr_int((int64_t)(negative ? 0 - n : n)), OG_TYPE_INT) && og_compile_next(c);
}

static bool unify_item(struct og_compiler *c, const struct og_operand *item, int *type)
{
    int both = *type == OG_TYPE_ANY ? item->type : og_type_join(*type, item->type);

    if (item->type & OG_TYPE_LIST)
        return og_compile_fail(c, item->at, OG_EXPR_BAD_FEATURE, "the expression language has no lists of lists");
    if (both < 0)
        return og_compile_fail(
            c, item->at, OG_EXPR_BAD_TYPE,
            "the items of a list must have one type: this one is of type %s, those before are of type %s",
            og_expr_type_name(item->type), og_expr_type_name(*type));
    *type = both;
    return true;
}

struct items {
    struct og_expr_value *item;
    size_t count, room;
    int type;
    bool constant;
};

/* Read an item of a list.  Each item is evaluated into its own cell; lists inside an item may reuse the cells after
 * that cell. */
static bool read_item(struct og_compiler *c, int cell, struct items *items)
{
    struct og_operand item;

    c->cells = cell;
    if (!og_compile_expr(c, &item) || !unify_item(c, &item, &items->type))
        return false;
    if (items->count == OG_EXPR_ITEMS_MOST)
        return og_compile_fail(c, item.at, OG_EXPR_BAD_SIZE,
                               "this list has more than %d items: give them under 'lists'", OG_EXPR_ITEMS_MOST);
    items->item = og_compile_grow(c, items->item, items->count, &items->room, sizeof *items->item);
    if (!items->item)
        return false;
    items->constant = items->constant && item.constant;
    items->item[items->count++] = item.value;
    c->depth--;
    c->cost++;
    return true;
}

/* Build a list: a constant if all items are constant; if not, a list made from its cells. */
static bool build_list(struct og_compiler *c, struct og_operand *out, const struct items *items)
{
    struct og_expr_value v = { .state = OG_EXPR_KNOWN }, *kept;
    size_t count = items->count;

    if (c->failed)
        return false;
    if (!items->constant) {
        if (!og_operand_node(
                c, out,
                (struct og_expr_node){ .op = OG_OP_LIST, .arg = c->cells - (int)count, .at = (uint32_t)out->at },
                OG_TYPE_LIST | items->type, (unsigned)count))
            return false;
        out->most = count;
        return true;
    }
    kept = og_arena_take(c->keep, (count + 1) * sizeof *kept);
    if (!kept)
        return og_compile_no_memory(c);
    if (count)
        memcpy(kept, items->item, count * sizeof *kept);
    v.as.list.at = kept;
    v.as.list.count = count;
    return og_operand_constant(c, out, v, OG_TYPE_LIST | items->type);
}

/* Read a list, from its bracket on. */
static bool read_list(struct og_compiler *c, struct og_operand *out)
{
    struct items items = { .type = OG_TYPE_ANY, .constant = true };
    int cells = c->cells;

    if (!og_compile_next(c) || (og_compile_is(c, ',') && (!og_compile_next(c) || !og_compile_is(c, ']'))))
        return c->failed ? false : og_compile_unexpected(c, "']'");
    while (!og_compile_is(c, ']')) {
        if (!read_item(c, cells + (int)items.count, &items))
            return false;
        if (og_compile_is(c, ',') ? !og_compile_next(c) : !og_compile_is(c, ']'))
            return c->failed ? false : og_compile_unexpected(c, "',' or ']'");
    }
    c->cells = items.constant ? cells : cells + (int)items.count;
    if (c->cells > OG_EXPR_CELLS)
        return og_compile_fail(c, out->at, OG_EXPR_BAD_SIZE,
                               "lists with items that are computed have more than %d of them in all", OG_EXPR_CELLS);
    return build_list(c, out, &items) && og_compile_next(c);
}

static bool read_word(struct og_compiler *c, bool root, struct og_operand *out)
{
    struct og_token word = c->token;

    if (word.kind != OG_TOKEN_IDENT)
        return og_compile_unexpected(c, "a name");
    if (!root && (og_str_is(word.text, "true") || og_str_is(word.text, "false"))) {
        return og_operand_constant(c, out, og_expr_truth_value(word.text.len == 4), OG_TYPE_BOOL) && og_compile_next(c);
    }
    if (og_str_is(word.text, "null"))
        return og_compile_fail(c, word.at, OG_EXPR_BAD_FEATURE,
                               "the expression language has no null: use has(...) to ask whether there is a value");
    if (og_expr_is_reserved(word.text, false))
        return og_compile_fail(c, word.at, OG_EXPR_BAD_SYNTAX, "'%.*s' is a reserved word", (int)word.text.len,
                               word.text.s);
    if (!og_compile_next(c))
        return false;
    return og_compile_is(c, '(') ? og_compile_call(c, word, NULL, out) : og_compile_name(c, word, root, out);
}

static bool read_primary(struct og_compiler *c, struct og_operand *out)
{
    const struct og_token *t = &c->token;

    *out = og_operand_begin(c, t->at);
    switch (t->kind) {
    case OG_TOKEN_INT: return read_int(c, false, out);
    case OG_TOKEN_DECIMAL:
        return og_operand_constant(c, out, og_expr_number(t->number), OG_TYPE_DECIMAL) && og_compile_next(c);
    case OG_TOKEN_STRING:
        return og_operand_constant(c, out, og_expr_string(t->text), OG_TYPE_STRING) && og_compile_next(c);
    case OG_TOKEN_IDENT: return read_word(c, false, out);
    default: break;
    }
    if (og_compile_is(c, '('))
        return og_compile_next(c) && og_compile_expr(c, out) && og_compile_expect(c, ')', "')'");
    if (og_compile_is(c, '['))
        return read_list(c, out);
    if (og_compile_is(c, '.'))
        return og_compile_next(c) && read_word(c, true, out);
    if (og_compile_is(c, '{'))
        return og_compile_fail(c, t->at, OG_EXPR_BAD_FEATURE, "the expression language has no maps");
    return og_compile_unexpected(c, "a value");
}

/* --- selectors, indices and calls --------------------------------------------------------------------------------- */

static bool read_index(struct og_compiler *c, struct og_operand *o)
{
    struct og_operand index;
    size_t at = c->token.at;
    int item = o->type & ~OG_TYPE_LIST;

    if (!(o->type & OG_TYPE_LIST))
        return og_compile_fail(c, at, OG_EXPR_BAD_TYPE, "type %s has no items", og_expr_type_name(o->type));
    if (!og_compile_next(c) || !og_compile_expr(c, &index))
        return false;
    if (index.type != OG_TYPE_INT)
        return og_compile_fail(c, index.at, OG_EXPR_BAD_TYPE, "an index must be of type int, and this is of type %s",
                               og_expr_type_name(index.type));
    if (item == OG_TYPE_ANY ||
        (o->constant && index.constant &&
         (index.value.as.number.coef < 0 || (uint64_t)index.value.as.number.coef >= o->value.as.list.count)))
        return og_compile_fail(c, index.at, OG_EXPR_BAD_VALUE, "this part of the expression always fails: %s",
                               og_expr_cause_text(OG_CAUSE_INDEX));
    if (o->constant && index.constant)
        og_operand_constant(c, o, o->value.as.list.at[index.value.as.number.coef], item);
    else
        og_operand_node(c, o, (struct og_expr_node){ .op = OG_OP_INDEX, .at = (uint32_t)at }, item, 1);
    return og_compile_expect(c, ']', "']'");
}

static bool read_selector(struct og_compiler *c, struct og_operand *o)
{
    struct og_token word;

    if (!og_compile_next(c))
        return false;
    word = c->token;
    if (word.kind != OG_TOKEN_IDENT || og_expr_is_reserved(word.text, true))
        return og_compile_unexpected(c, "the name of a field");
    if (!og_compile_next(c))
        return false;
    return og_compile_is(c, '(') ? og_compile_call(c, word, o, o) : og_compile_field(c, word, o);
}

static bool read_member(struct og_compiler *c, struct og_operand *out)
{
    if (!read_primary(c, out))
        return false;
    for (;;) {
        if (og_compile_is(c, '.')) {
            if (!read_selector(c, out))
                return false;
        } else if (og_compile_is(c, '[')) {
            if (!read_index(c, out))
                return false;
        } else if (og_compile_is(c, '{')) {
            return og_compile_fail(c, c->token.at, OG_EXPR_BAD_FEATURE, "the expression language has no messages");
        } else {
            return !c->failed;
        }
    }
}

/* --- operators ---------------------------------------------------------------------------------------------------- */

/* Read any number of ! or - signs.  The last minus before a number is part of the number. */
static bool read_unary(struct og_compiler *c, struct og_operand *out)
{
    size_t at = c->token.at, signs = 0;
    int sign = og_compile_is(c, '!') ? '!' : og_compile_is(c, '-') ? '-' : 0;

    if (!sign)
        return read_member(c, out);
    for (; og_compile_is(c, sign); signs++)
        if (!og_compile_next(c))
            return false;
    if (sign == '-' && c->token.kind == OG_TOKEN_INT && c->token.magnitude == (uint64_t)INT64_MAX + 1) {
        /* the number was INT64_MIN, which has no positive counterpart: its sign was read with it */
        *out = og_operand_begin(c, at);
        signs--;
        if (!read_int(c, true, out))
            return false;
    } else if (!read_member(c, out)) {
        return false;
    }
    if (sign == '!' && signs > 1 && out->type == OG_TYPE_BOOL)
        signs = 2 - signs % 2; /* drop pairs of ! */
    out->at = at;
    for (; signs; signs--)
        if (!og_operand_unary(c, sign == '!' ? OG_OP_NOT : OG_OP_NEGATE, at, out))
            return false;
    return true;
}

struct infix {
    const char *sign;
    unsigned char op;
    int precedence;
};
static const struct infix operators[] = {
    { "||", OG_OP_OR, 1 }, { "&&", OG_OP_AND, 2 }, { "==", OG_OP_EQ, 3 }, { "!=", OG_OP_NE, 3 }, { "<", OG_OP_LT, 3 },
    { "<=", OG_OP_LE, 3 }, { ">", OG_OP_GT, 3 },   { ">=", OG_OP_GE, 3 }, { "in", OG_OP_IN, 3 }, { "+", OG_OP_ADD, 4 },
    { "-", OG_OP_SUB, 4 }, { "*", OG_OP_MUL, 5 },  { "/", OG_OP_DIV, 5 }, { "%", OG_OP_MOD, 5 },
};

static const struct infix *infix_at(const struct og_compiler *c)
{
    const struct og_token *t = &c->token;

    for (size_t i = 0; !c->failed && i < sizeof operators / sizeof *operators; i++)
        if ((t->kind == OG_TOKEN_SIGN || t->kind == OG_TOKEN_IDENT) && og_str_is(t->text, operators[i].sign))
            return &operators[i];
    return NULL;
}

/* End && or || after its right operand; folds constant operands. */
static bool build_logic(struct og_compiler *c, const struct infix *o, size_t at, struct og_operand *left,
                        const struct og_operand *right)
{
    bool decides = o->op == OG_OP_OR; /* the value that decides the result alone: true for ||, false for && */

    if (left->type != OG_TYPE_BOOL || right->type != OG_TYPE_BOOL)
        return og_compile_fail(c, at, OG_EXPR_BAD_TYPE, "'%s' cannot be applied to %s and %s", o->sign,
                               og_expr_type_name(left->type), og_expr_type_name(right->type));
    if ((left->constant && left->value.as.truth == decides) || (right->constant && right->value.as.truth == decides))
        return og_operand_constant(c, left, og_expr_truth_value(decides), OG_TYPE_BOOL);
    if (right->constant) { /* this constant does not decide the result alone: the result is the left operand */
        og_operand_undo(c, right);
        return true;
    }
    return og_operand_node(c, left, (struct og_expr_node){ .op = o->op, .at = (uint32_t)at }, OG_TYPE_BOOL, 1);
}

static bool read_binary(struct og_compiler *c, int precedence, struct og_operand *out);

static bool read_logic(struct og_compiler *c, const struct infix *o, size_t at, struct og_operand *left)
{
    bool decides = o->op == OG_OP_OR;
    struct og_operand right, before = *left;

    if (left->constant && left->type == OG_TYPE_BOOL && left->value.as.truth != decides) {
        og_operand_undo(c, left); /* true && x is x, false || x is x */
        if (!read_binary(c, o->precedence + 1, left))
            return false;
        if (left->type != OG_TYPE_BOOL)
            return og_compile_fail(c, at, OG_EXPR_BAD_TYPE, "'%s' cannot be applied to %s and %s", o->sign,
                                   og_expr_type_name(before.type), og_expr_type_name(left->type));
        left->selects = false;
        left->at = before.at;
        return true;
    }
    c->cost++; /* cost of the jump that skips the right operand */
    return read_binary(c, o->precedence + 1, &right) && build_logic(c, o, at, left, &right);
}

static bool read_binary(struct og_compiler *c, int precedence, struct og_operand *out)
{
    const struct infix *o;

    if (precedence > 5)
        return read_unary(c, out);
    if (!read_binary(c, precedence + 1, out))
        return false;
    while ((o = infix_at(c)) && o->precedence == precedence) {
        size_t at = c->token.at;
        struct og_operand right;

        if (!og_compile_next(c))
            return false;
        if (o->op == OG_OP_AND || o->op == OG_OP_OR) {
            if (!read_logic(c, o, at, out))
                return false;
        } else if (!read_binary(c, precedence + 1, &right) || !og_operand_binary(c, o->op, o->sign, at, out, &right)) {
            return false;
        }
    }
    return !c->failed;
}

/* Read the rest of a conditional, from its question mark on. */
static bool read_condition(struct og_compiler *c, struct og_operand *o)
{
    size_t at = c->token.at;
    struct og_operand yes, no;
    int type;

    if (o->type != OG_TYPE_BOOL)
        return og_compile_fail(c, at, OG_EXPR_BAD_TYPE,
                               "the condition before '?' must be of type bool, and this is of type %s",
                               og_expr_type_name(o->type));
    c->depth--;
    c->cost++;
    if (!og_compile_next(c) || !read_binary(c, 1, &yes) || !og_compile_is(c, ':'))
        return c->failed ? false : og_compile_unexpected(c, "':'");
    c->depth--;
    if (!og_compile_next(c) || !og_compile_expr(c, &no))
        return false;
    type = og_type_join(yes.type, no.type);
    if (type < 0)
        return og_compile_fail(c, at, OG_EXPR_BAD_TYPE, "both sides of ':' must have one type: these are %s and %s",
                               og_expr_type_name(yes.type), og_expr_type_name(no.type));
    if (o->constant && yes.constant && no.constant)
        return og_operand_constant(c, o, o->value.as.truth ? yes.value : no.value, type);
    if (!og_operand_node(c, o, (struct og_expr_node){ .op = OG_OP_BRANCH, .at = (uint32_t)at }, type, 1))
        return false;
    o->most = yes.most > no.most ? yes.most : no.most;
    return true;
}

bool og_compile_expr(struct og_compiler *c, struct og_operand *out)
{
    if (!enter_nesting(c) || !read_binary(c, 1, out) || (og_compile_is(c, '?') && !read_condition(c, out)))
        return false;
    c->nesting--;
    return !c->failed;
}
