/*
 * Visits the tree of an expression, and emits its instructions.  The length of a jump is known before it is emitted: it
 * is the length of the operands that it skips.
 */
#include "expr/program.h"

const struct og_expr_node *og_expr_operand(const struct og_expr_node *n, int i)
{
    const struct og_expr_node *operand = n - 1;

    for (int last = n->operands - 1; last > i; last--)
        operand -= operand->size;
    return operand;
}

void og_expr_visit(const struct og_expr_node *root, const struct og_expr_visitor *visitor, void *with)
{
    const struct og_expr_node *n = og_expr_first(root), *parent;

    for (;; n++) {
        visitor->node(with, n);
        if (n == root)
            return;
        parent = n + n->parent;
        if (n + 1 != parent && visitor->operand && !visitor->operand(with, parent, n->number + 1))
            n = parent - 1;
    }
}

/* --- instructions ------------------------------------------------------------------------------------------------- */

/* Returns how many instructions a node adds to those of its operands. */
static size_t own_length(const struct og_expr_node *n)
{
    switch (n->op) {
    case OG_OP_AND:
    case OG_OP_OR:
    case OG_OP_BRANCH:
    case OG_OP_LOOP: return 2;
    case OG_OP_LIST: return 1 + (size_t)n->operands;
    case OG_OP_IN: return n->more ? 0 : 1; /* a list that has an index is not pushed, so it takes no instruction */
    default: return 1;
    }
}

static int32_t length_of(const struct og_expr_node *root)
{
    size_t length = 0;

    for (const struct og_expr_node *n = og_expr_first(root); n <= root; n++)
        length += own_length(n);
    return (int32_t)length;
}

struct emitter {
    struct og_expr_instr *code;
    int32_t length;
};

static void emit(struct emitter *to, const struct og_expr_node *of, unsigned char op, int32_t arg, int32_t more)
{
    to->code[to->length++] =
        (struct og_expr_instr){ .op = op, .aux = of->aux, .count = of->operands, .arg = arg, .more = more };
}

static bool emit_before_operand(void *with, const struct og_expr_node *of, int i)
{
    struct emitter *to = with;
    int32_t after = to->length + 2 + length_of(og_expr_operand(of, i)); /* target after the operand and one further
                                                                         * instruction */

    switch (of->op) {
    case OG_OP_AND: emit(to, of, OG_OP_AND_JUMP, after, 0); break;
    case OG_OP_OR: emit(to, of, OG_OP_OR_JUMP, after, 0); break;
    case OG_OP_BRANCH:
        if (i == 1)
            emit(to, of, OG_OP_BRANCH, after, after + length_of(of - 1));
        else
            emit(to, of, OG_OP_JUMP, after - 1, 0);
        break;
    case OG_OP_LOOP: emit(to, of, OG_OP_LOOP, of->arg, after); break;
    case OG_OP_LIST: emit(to, of, OG_OP_CELL, of->arg + i - 1, 0); break;
    case OG_OP_IN: return !of->more;
    default: break;
    }
    return true;
}

static void emit_node(void *with, const struct og_expr_node *n)
{
    struct emitter *to = with;

    if (n->op == OG_OP_LIST)
        emit(to, n, OG_OP_CELL, n->arg + n->operands - 1, 0);
    if (n->op == OG_OP_LOOP)
        emit(to, n, OG_OP_NEXT, n->arg, to->length - length_of(n - 1));
    else if (n->op == OG_OP_IN && n->more)
        emit(to, n, OG_OP_IN_WORDS, n[-1].arg, n->more);
    else if (n->op != OG_OP_BRANCH)
        emit(to, n, n->op, n->arg, 0);
}

const struct og_expr_instr *og_expr_emit(const struct og_expr_node *root, struct og_arena *keep, size_t *length)
{
    static const struct og_expr_visitor visitor = { emit_node, emit_before_operand };
    struct emitter to = { .length = 0 };

    *length = (size_t)length_of(root);
    to.code = og_arena_take(keep, *length * sizeof *to.code);
    if (to.code)
        og_expr_visit(root, &visitor, &to);
    return to.code;
}
