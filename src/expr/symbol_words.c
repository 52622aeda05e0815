/*
 * Follows both sides of comparisons to the names and constants that their values come from.  A loop is followed as
 * often as it can run, so the cost limit of expressions also limits this search.
 */
#include "expr/symbol_words.h"

#include <string.h>

#include "expr/program.h"

/* maximum number of conditions that are followed in one expression; each is followed again for every comparison */
#define CONDITIONS_MOST 8

/* Comparisons that show whether the order, or a leg, is an option. */
struct conditions {
    const struct og_expr_node *at[CONDITIONS_MOST];
    int count;
};

struct search {
    struct conditions options;
    bool of_options;
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
                                                .at = n->at,
                                                .of_options = s->of_options });
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

/* --- options ------------------------------------------------------------------------------------------------------ */

/* Returns the leg of which the node, or an operand of it, is a field; NULL if there is none. */
static const struct og_expr_node *leg_of(const struct og_expr_node *n)
{
    for (int i = 0; n->op != OG_OP_LEG && i < n->operands; i++)
        if (og_expr_operand(n, i)->op == OG_OP_LEG)
            return og_expr_operand(og_expr_operand(n, i), 0);
    return n->op == OG_OP_LEG ? og_expr_operand(n, 0) : NULL;
}

/* Returns true for == and != of securityType with Option, or of an order's or a leg's right with Call or Put. */
static bool says_option(const struct og_expr_node *n)
{
    static const struct {
        const char *name, *word;
    } said[] = { { "order.securityType", "Option" },
                 { "order.right", "Call" },
                 { "order.right", "Put" },
                 { "leg.right", "Call" },
                 { "leg.right", "Put" } };

    for (int i = 0; (n->op == OG_OP_EQ || n->op == OG_OP_NE) && i < 2; i++) {
        const struct og_expr_node *a = og_expr_operand(n, i), *b = og_expr_operand(n, 1 - i);
        const char *name = a->op == OG_OP_NAME  ? og_expr_named[a->arg].is.name
                           : a->op == OG_OP_LEG ? og_expr_leg_fields[a->arg].is.name
                                                : "";

        for (size_t k = 0; b->op == OG_OP_CONST && b->type == OG_TYPE_STRING && k < sizeof said / sizeof *said; k++)
            if (strcmp(name, said[k].name) == 0 && og_str_is(b->value->as.text, said[k].word))
                return true;
    }
    return false;
}

static void find_conditions(const struct og_expr *e, struct conditions *to)
{
    to->count = 0;
    for (const struct og_expr_node *n = og_expr_first(e->root); n <= e->root && to->count < CONDITIONS_MOST; n++)
        if (says_option(n))
            to->at[to->count++] = n;
}

/* Follow a condition upwards through !, && and ||: to the root, or to the last node whose subtree does not contain
 * `other` (may be NULL). Sets *truth to the value of that node which shows that there is an option. Returns NULL if
 * neither value shows it. */
static const struct og_expr_node *follow(const struct og_expr_node *n, const struct og_expr_node *root,
                                         const struct og_expr_node *other, bool *truth)
{
    *truth = n->op == OG_OP_EQ;
    while (n != root) {
        const struct og_expr_node *up = n + n->parent;

        if (other && up - up->size < other && other <= up)
            return n;
        if (up->op == OG_OP_NOT)
            *truth = !*truth;
        else if ((up->op != OG_OP_AND && up->op != OG_OP_OR) || *truth != (up->op == OG_OP_AND))
            return NULL;
        n = up;
    }
    return n;
}

/* Returns true if a comparison matters only where a condition of the same order or leg says that there is an option. */
static bool is_of_options(const struct conditions *options, const struct og_expr_node *n,
                          const struct og_expr_node *symbol)
{
    const struct og_expr_node *leg = symbol->op == OG_OP_LEG ? og_expr_operand(symbol, 0) : NULL;
    const struct og_expr_node *root = n;

    if (symbol->op != OG_OP_LEG && symbol->op != OG_OP_NAME)
        return false;
    while (root->parent)
        root += root->parent;
    for (int i = 0; i < options->count; i++) {
        const struct og_expr_node *of = leg_of(options->at[i]), *below, *up;
        bool truth;

        if (!of != !leg || (of && (of->op != OG_OP_ITEM || leg->op != OG_OP_ITEM || of->arg != leg->arg)))
            continue;
        below = follow(options->at[i], root, n, &truth);
        if (!below || below == root)
            continue;
        up = below + below->parent;
        if ((up->op == OG_OP_AND && truth) || (up->op == OG_OP_OR && !truth) ||
            (up->op == OG_OP_BRANCH && below->number == 0 &&
             (truth ? n <= og_expr_operand(up, 1) : n > og_expr_operand(up, 1))))
            return true;
    }
    return false;
}

/* --- words -------------------------------------------------------------------------------------------------------- */

void og_expr_symbol_words(const struct og_expr *e, void (*each)(void *with, const struct og_expr_compared *words),
                          void *with)
{
    struct search s = { .each = each, .with = with };

    find_conditions(e, &s.options);
    for (const struct og_expr_node *n = og_expr_first(e->root); n <= e->root; n++) {
        if (n->op != OG_OP_EQ && n->op != OG_OP_NE && n->op != OG_OP_IN)
            continue;
        for (int i = 0; i < 2; i++)
            if ((s.name = symbol_in(og_expr_operand(n, i))) != NULL) {
                s.of_options = is_of_options(&s.options, n, og_expr_operand(n, i));
                visit_words(&s, og_expr_operand(n, 1 - i));
            }
    }
}

bool og_expr_is_of_options(const struct og_expr *e)
{
    struct conditions options;
    bool truth;

    find_conditions(e, &options);
    for (int i = 0; i < options.count; i++)
        if (!leg_of(options.at[i]) && follow(options.at[i], e->root, NULL, &truth) && truth)
            return true;
    return false;
}
