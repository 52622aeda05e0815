/*
 * Builds the tree: nodes, constants and operators.  Operators on constants are folded; a constant that can only fail is
 * an error.
 */
#include "expr/compile.h"

bool og_compile_no_memory(struct og_compiler *c)
{
    if (!c->failed)
        og_expr_fail(c->diagnostic, 0, NULL, "out of memory");
    c->failed = true;
    return false;
}

bool og_compile_fail(struct og_compiler *c, size_t at, const char *code, const char *format, ...)
{
    va_list args;

    if (c->failed)
        return false;
    c->failed = true;
    *c->diagnostic = (struct og_expr_diagnostic){ .at = at, .code = code };
    va_start(args, format);
    og_text_format(c->diagnostic->text, sizeof c->diagnostic->text, format, args);
    va_end(args);
    return false;
}

/* --- types -------------------------------------------------------------------------------------------------------- */

const char *og_expr_type_name(int type)
{
    static const char *const names[] = { "any", "bool", "int", "decimal", "string", "timestamp", "duration", "leg" };
    static const char *const lists[] = { "list",         "list(bool)",      "list(int)",      "list(decimal)",
                                         "list(string)", "list(timestamp)", "list(duration)", "list(leg)" };

    return type & OG_TYPE_LIST ? lists[type & 7] : names[type & 7];
}

bool og_type_fits(int type, int wanted)
{
    if (type == wanted || type == OG_TYPE_ANY || (wanted == OG_TYPE_DECIMAL && type == OG_TYPE_INT))
        return true;
    if (!(type & wanted & OG_TYPE_LIST))
        return false;
    return type == OG_TYPE_LIST || wanted == OG_TYPE_LIST || og_type_fits(type & ~OG_TYPE_LIST, wanted & ~OG_TYPE_LIST);
}

int og_type_join(int a, int b)
{
    return og_type_fits(a, b) ? (a == OG_TYPE_LIST || b != OG_TYPE_LIST ? b : a) : og_type_fits(b, a) ? a : -1;
}

static bool is_number(int type)
{
    return type == OG_TYPE_INT || type == OG_TYPE_DECIMAL;
}

/* --- nodes -------------------------------------------------------------------------------------------------------- */

void *og_compile_grow(struct og_compiler *c, void *items, size_t count, size_t *room, size_t size)
{
    void *more;

    if (c->failed || count < *room)
        return c->failed ? NULL : items;
    more = og_arena_take(&c->temporary, (*room ? 2 * *room : 16) * size);
    if (!more) {
        og_compile_no_memory(c);
        return NULL;
    }
    if (count)
        memcpy(more, items, count * size);
    *room = *room ? 2 * *room : 16;
    return more;
}

/* Add the value to the constants.  Returns the constant's index; 0 on failure. */
static int32_t add_constant(struct og_compiler *c, struct og_expr_value v)
{
    struct og_expr_value *all = og_compile_grow(c, c->constant, c->constants, &c->constant_room, sizeof *all);

    if (!all)
        return 0;
    c->constant = all;
    all[c->constants] = v;
    return (int32_t)c->constants++;
}

struct og_operand og_operand_begin(const struct og_compiler *c, size_t at)
{
    return (struct og_operand){ .at = at, .from = c->nodes, .cost_from = c->cost, .depth_from = c->depth };
}

void og_operand_undo(struct og_compiler *c, const struct og_operand *o)
{
    if (c->failed)
        return;
    c->nodes = o->from;
    c->cost = o->cost_from;
    c->depth = o->depth_from;
}

/* Make the node the parent of its operands, the subtrees from node `from` up to the node itself. */
static void adopt(struct og_expr_node *n, size_t from, struct og_expr_node *nodes, size_t count)
{
    n->size = (uint32_t)(count - from) + 1;
    n->operands = 0;
    for (size_t at = count; at > from; at -= nodes[at - 1].size)
        n->operands++;
    for (size_t at = count, number = n->operands; at > from; at -= nodes[at - 1].size) {
        nodes[at - 1].parent = (uint32_t)(count - at) + 1;
        nodes[at - 1].number = (unsigned short)--number;
    }
}

bool og_operand_node(struct og_compiler *c, struct og_operand *o, struct og_expr_node n, int type, unsigned cost)
{
    struct og_expr_node *all = og_compile_grow(c, c->node, c->nodes, &c->node_room, sizeof *all);

    if (!all)
        return false;
    c->node = all;
    n.type = (unsigned char)type;
    adopt(&n, o->from, all, c->nodes);
    all[c->nodes++] = n;
    c->depth = o->depth_from + 1;
    c->cost += cost;
    if (c->depth >= OG_EXPR_STACK)
        return og_compile_fail(c, n.at, OG_EXPR_BAD_SIZE,
                               "the expression needs too many values at once: at most %d are allowed", OG_EXPR_STACK);
    o->type = type;
    o->constant = o->selects = o->account = false;
    o->most = 0;
    o->words = NULL;
    return true;
}

bool og_operand_constant(struct og_compiler *c, struct og_operand *o, struct og_expr_value v, int type)
{
    const char *room = c->room.text;

    if (type == OG_TYPE_STRING && v.as.text.len && v.as.text.s >= room && v.as.text.s < room + sizeof c->room.text) {
        /* the text is in the compiler's scratch memory, which will be used again */
        v.as.text = og_arena_copy(c->keep, v.as.text);
        if (!v.as.text.s)
            og_compile_no_memory(c);
    }
    c->room.text_len = 0;
    og_operand_undo(c, o);
    if (!og_operand_node(c, o,
                         (struct og_expr_node){ .op = OG_OP_CONST,
                                                .aux = (unsigned char)og_expr_operand_kind_of(type),
                                                .arg = add_constant(c, v),
                                                .at = (uint32_t)o->at },
                         type, 1))
        return false;
    o->constant = true;
    o->value = v;
    o->most = type & OG_TYPE_LIST ? v.as.list.count : 0;
    return true;
}

/* --- operators ---------------------------------------------------------------------------------------------------- */

/* Returns the type of a sum or difference; -1 if types a and b have none. */
static int sum_type(unsigned char op, int a, int b)
{
    if (is_number(a) && is_number(b))
        return a == b ? a : OG_TYPE_DECIMAL;
    if (op == OG_OP_ADD && a == OG_TYPE_STRING && b == OG_TYPE_STRING)
        return OG_TYPE_STRING;
    if (op == OG_OP_SUB && a == OG_TYPE_TIMESTAMP && b == OG_TYPE_TIMESTAMP)
        return OG_TYPE_DURATION;
    if (op == OG_OP_ADD && a == OG_TYPE_DURATION && b == OG_TYPE_TIMESTAMP)
        return OG_TYPE_TIMESTAMP;
    if ((op == OG_OP_ADD || op == OG_OP_SUB) && (a == OG_TYPE_TIMESTAMP || a == OG_TYPE_DURATION) &&
        b == OG_TYPE_DURATION)
        return a;
    if (op == OG_OP_ADD && a & b & OG_TYPE_LIST)
        return og_type_join(a, b);
    return -1;
}

static bool is_ordered(int type)
{
    return type != OG_TYPE_LEG && !(type & OG_TYPE_LIST);
}

static int result_type(unsigned char op, int a, int b)
{
    int both = og_type_join(a, b);

    a = a == OG_TYPE_ANY ? both : a; /* an item of the empty list [] may have any type */
    b = b == OG_TYPE_ANY ? both : b;
    switch (op) {
    case OG_OP_ADD:
    case OG_OP_SUB: return sum_type(op, a, b);
    case OG_OP_MUL:
    case OG_OP_DIV: return is_number(a) && is_number(b) ? both : -1;
    case OG_OP_MOD: return a == OG_TYPE_INT && b == OG_TYPE_INT ? OG_TYPE_INT : -1;
    case OG_OP_EQ:
    case OG_OP_NE: return both >= 0 && (both & ~OG_TYPE_LIST) != OG_TYPE_LEG ? OG_TYPE_BOOL : -1;
    case OG_OP_IN:
        return b & OG_TYPE_LIST && is_ordered(a) && (b == OG_TYPE_LIST || og_type_join(a, b & ~OG_TYPE_LIST) >= 0)
                   ? OG_TYPE_BOOL
                   : -1;
    default: return both >= 0 && is_ordered(both) ? OG_TYPE_BOOL : -1;
    }
}

static bool fail_types(struct og_compiler *c, const char *sign, size_t at, int a, int b)
{
    if (*sign == 'i' && !(b & OG_TYPE_LIST))
        return og_compile_fail(c, at, OG_EXPR_BAD_TYPE, "the right side of 'in' must be a list, and this is of type %s",
                               og_expr_type_name(b));
    return og_compile_fail(c, at, OG_EXPR_BAD_TYPE, "'%s' cannot be applied to %s and %s", sign, og_expr_type_name(a),
                           og_expr_type_name(b));
}

/* Concatenate two lists. That is possible only when the policy is loaded: at run time there is no memory for it. */
static bool concatenate_lists(struct og_compiler *c, size_t at, struct og_operand *a, const struct og_operand *b,
                              int type)
{
    size_t count = a->value.as.list.count + b->value.as.list.count;
    struct og_expr_value *items, v = { .state = OG_EXPR_KNOWN };

    if (!a->constant || !b->constant)
        return og_compile_fail(c, at, OG_EXPR_BAD_FEATURE, "only literal and named lists can be joined by '+'");
    items = og_arena_take(c->keep, (count + 1) * sizeof *items);
    if (!items)
        return og_compile_no_memory(c);
    for (size_t i = 0; i < count; i++)
        items[i] =
            i < a->value.as.list.count ? a->value.as.list.at[i] : b->value.as.list.at[i - a->value.as.list.count];
    v.as.list.at = items;
    v.as.list.count = count;
    return og_operand_constant(c, a, v, type);
}

#define LINEAR_SEARCH_MOST 8 /* a list of at most this many texts is searched linearly, which is as fast as hashing */

static const struct og_string_set *words_of(struct og_compiler *c, const struct og_expr_value *list)
{
    struct og_string_set *words = og_arena_take(c->keep, sizeof *words);
    struct og_str *word = og_arena_take(c->keep, list->as.list.count * sizeof *word);

    if (!words || !word)
        return NULL;
    for (size_t i = 0; i < list->as.list.count; i++)
        word[i] = list->as.list.at[i].as.text;
    *words = (struct og_string_set){ .word = word, .count = list->as.list.count };
    return og_string_set_index(words, c->keep) ? words : NULL;
}

/* Build the test whether a text is in a constant list of many texts: by a hash index. */
static bool build_in_words(struct og_compiler *c, size_t at, unsigned char kind, struct og_operand *a,
                           const struct og_operand *b)
{
    struct og_expr_value v = { .as.words = b->words ? b->words : words_of(c, &b->value) };

    if (!v.as.words)
        return og_compile_no_memory(c);
    c->cost = b->cost_from; /* the list is not pushed on the stack, so it costs nothing */
    return og_operand_node(
        c, a, (struct og_expr_node){ .op = OG_OP_IN, .aux = kind, .more = add_constant(c, v), .at = (uint32_t)at },
        OG_TYPE_BOOL, 4);
}

/* Replace the operand by its constant value. */
static bool fold_constant(struct og_compiler *c, size_t at, struct og_operand *o, struct og_expr_value v, int type)
{
    if (v.state != OG_EXPR_KNOWN)
        return og_compile_fail(c, at, OG_EXPR_BAD_VALUE, "this part of the expression always fails: %s",
                               og_expr_cause_text(v.as.why.cause));
    return og_operand_constant(c, o, v, type);
}

static unsigned cost_of(unsigned char op, const struct og_operand *b)
{
    return op == OG_OP_IN || b->type & OG_TYPE_LIST ? 1 + (unsigned)b->most : 1;
}

bool og_operand_binary(struct og_compiler *c, unsigned char op, const char *sign, size_t at, struct og_operand *a,
                       const struct og_operand *b)
{
    int type = c->failed ? -1 : result_type(op, a->type, b->type);
    int kind_type = op == OG_OP_IN ? b->type & ~OG_TYPE_LIST : og_type_join(a->type, b->type);
    unsigned char kind = (unsigned char)og_expr_operand_kind_of(kind_type < 0 ? a->type : kind_type);

    if (type < 0)
        return fail_types(c, sign, at, a->type, b->type);
    if (type & OG_TYPE_LIST)
        return concatenate_lists(c, at, a, b, type);
    if (op == OG_OP_DIV && type == OG_TYPE_INT)
        kind = OG_OPERAND_INT;
    if (op >= OG_OP_EQ && kind == OG_OPERAND_TEXT && (a->account || b->account))
        kind = OG_OPERAND_ACCOUNT;
    if (a->constant && b->constant)
        return fold_constant(c, at, a, og_expr_binary(op, kind, a->value, b->value, &c->room), type);
    if ((op == OG_OP_DIV || op == OG_OP_MOD) && b->constant && b->value.as.number.coef == 0)
        return og_compile_fail(c, at, OG_EXPR_BAD_VALUE, "this part of the expression always fails: %s",
                               og_expr_cause_text(OG_CAUSE_ZERO));
    if (op == OG_OP_IN && b->constant && (kind == OG_OPERAND_TEXT || kind == OG_OPERAND_ACCOUNT) &&
        b->most > LINEAR_SEARCH_MOST)
        return build_in_words(c, at, kind, a, b);
    return og_operand_node(c, a, (struct og_expr_node){ .op = op, .aux = kind, .at = (uint32_t)at }, type,
                           cost_of(op, b));
}

bool og_operand_unary(struct og_compiler *c, unsigned char op, size_t at, struct og_operand *o)
{
    bool not = op == OG_OP_NOT;

    if (c->failed)
        return false;
    if (o->type != OG_TYPE_ANY && (not ? o->type != OG_TYPE_BOOL : !is_number(o->type)))
        return og_compile_fail(c, at, OG_EXPR_BAD_TYPE, "'%s' cannot be applied to %s", not ? "!" : "-",
                               og_expr_type_name(o->type));
    if (o->constant)
        return fold_constant(c, at, o, og_expr_unary(op, o->value), o->type);
    return og_operand_node(c, o, (struct og_expr_node){ .op = op, .at = (uint32_t)at }, o->type, 1);
}
