/*
 * Follows both sides of comparisons to the names and constants that their values come from.  Loops are walked as often
 * as they run at most, so the cost of an expression bounds the work.
 */
#include "expr/symbol_words.h"

#include "expr/program.h"

struct search {
    const char *name;
    void (*each)(void *with, const struct og_expr_compared *words);
    void *with;
};

/* Returns the list over which the loop of an ITEM goes. */
static const struct og_expr_node *list_of(const struct og_expr_node *item)
{
    const struct og_expr_node *n = item;

    while (n->op != OG_OP_LOOP || n->arg != item->arg)
        n += n->parent;
    return og_expr_operand(n, 0);
}

/* Returns the name of the symbol that the node's value always is, or that each item of it is; NULL if it may be
 * something else. */
static const char *symbol_in(const struct og_expr_node *n)
{
    const struct og_expr_named *name = n->op == OG_OP_NAME  ? &og_expr_named[n->arg]
                                       : n->op == OG_OP_LEG ? &og_expr_leg_fields[n->arg]
                                                            : NULL;
    const char *first = NULL, *found;

    switch (n->op) {
    case OG_OP_NAME:
    case OG_OP_LEG: return name->is.measure == OG_MEASURE_SYMBOL ? name->is.name : NULL;
    case OG_OP_ITEM: return symbol_in(list_of(n));
    case OG_OP_INDEX: return symbol_in(og_expr_operand(n, 0));
    case OG_OP_BRANCH:
    case OG_OP_LIST:
        for (int i = n->op == OG_OP_BRANCH; i < n->operands; i++)
            if (!(found = symbol_in(og_expr_operand(n, i))))
                return NULL;
            else if (!first)
                first = found;
        return first;
    default: return NULL;
    }
}

static void visit_words(const struct search *s, const struct og_expr_node *n)
{
    switch (n->op) {
    case OG_OP_CONST:
        if ((n->type & ~OG_TYPE_LIST) == OG_TYPE_STRING)
            s->each(s->with,
                    &(struct og_expr_compared){ .name = s->name,
                                                .items = n->type & OG_TYPE_LIST ? n->value->as.list.at : n->value,
                                                .count = n->type & OG_TYPE_LIST ? n->value->as.list.count : 1,
                                                .at = n->at });
        break;
    case OG_OP_ITEM: visit_words(s, list_of(n)); break;
    case OG_OP_INDEX: visit_words(s, og_expr_operand(n, 0)); break;
    case OG_OP_BRANCH:
    case OG_OP_LIST:
        for (int i = n->op == OG_OP_BRANCH; i < n->operands; i++)
            visit_words(s, og_expr_operand(n, i));
        break;
    default: break;
    }
}

void og_expr_symbol_words(const struct og_expr *e, void (*each)(void *with, const struct og_expr_compared *words),
                          void *with)
{
    struct search s = { .each = each, .with = with };

    for (const struct og_expr_node *n = og_expr_first(e->root); n <= e->root; n++) {
        if (n->op != OG_OP_EQ && n->op != OG_OP_NE && n->op != OG_OP_IN)
            continue;
        for (int i = 0; i < 2; i++)
            if ((s.name = symbol_in(og_expr_operand(n, i))) != NULL)
                visit_words(&s, og_expr_operand(n, 1 - i));
    }
}
