/*
 * The constants with which an expression compares symbols.
 */
#pragma once

#include "expr/expr.h"

/* Texts that are compared with a symbol by ==, != or in. */
struct og_expr_compared {
    const char *name;                  /* the symbol that they are compared with: "order.symbol" */
    const struct og_expr_value *items; /* for a named list, the `values` of its struct og_expr_list */
    size_t count;
    size_t at;       /* offset of the text or list in the text of the expression */
    bool of_options; /* the comparison matters only for the symbol of an option */
};

/* Call `each` for all texts with which the expression compares a symbol, wherever they are written: on either side, in
 * a list, in the arms of a conditional, as the items of a loop.  A text that is compared with something that need not
 * be a symbol is left out. */
void og_expr_symbol_words(const struct og_expr *e, void (*each)(void *with, const struct og_expr_compared *words),
                          void *with);
/* Returns true if the expression can be true only for an option. */
bool og_expr_is_of_options(const struct og_expr *e);
