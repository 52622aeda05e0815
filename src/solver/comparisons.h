/*
 * Which constants an expression compares names with: words, symbols and dates.
 */
#pragma once

#include "solver/domain.h"

/* Returns the name, or the field of a leg, that the node compares with a constant; NULL if it is not such a
 * comparison.  *value is the constant or list, *at its offset in the text. */
const struct og_expr_named *og_comparison_at(const struct og_expr_node *n, const struct og_expr_value **value,
                                             size_t *at);
bool og_comparison_orders(const struct og_expr_node *n); /* it is <, <=, > or >= */
/* The values that such a node compares its name with: the constant, or the items of the list.  Returns their number. */
size_t og_comparison_values(const struct og_expr_node *n, const struct og_expr_value *v,
                            const struct og_expr_value **first);

/* A word that is compared with a name that can never equal it. */
struct og_comparison_unknown_word {
    const char *name;
    struct og_str word;
    size_t at;                /* offset of the word, or of its list, in the text */
    const char *const *words; /* all values of the name, NULL-terminated */
};
/* Get the i-th such word.  Returns false past the last; so do the functions below. */
bool og_comparison_unknown_word(const struct og_expr *e, size_t i, struct og_comparison_unknown_word *out);

/* The i-th symbol that order.symbol, order.underlying or the same of a leg is compared with.  *at is the offset of
 * the symbol, or of its list. */
bool og_comparison_symbol(const struct og_expr *e, size_t i, struct og_str *word, size_t *at);

/* The i-th such symbol with lower-case letters. */
bool og_comparison_lower_case_symbol(const struct og_expr *e, size_t i, struct og_str *word, size_t *at);

/* The i-th argument with lower-case letters of startsWith, endsWith or contains on a symbol. */
bool og_comparison_lower_case_part(const struct og_expr *e, size_t i, struct og_str *part, size_t *at);
/* If the node calls a function of a symbol with a constant: returns the constant and sets *at to its offset.  Else
 * returns NULL. */
const struct og_expr_value *og_comparison_symbol_call(const struct og_expr_node *n, size_t *at);

/* The i-th text that a date is compared with and that is not a date.  *at is the offset of the text, or of its list. */
bool og_comparison_invalid_date(const struct og_expr *e, size_t i, struct og_str *text, size_t *at);
/* The i-th Saturday or Sunday that a date is compared with for equality. */
bool og_comparison_weekend(const struct og_expr *e, size_t i, struct og_str *text, size_t *at);
/* The i-th date, or instant, after the end of the exchange calendar that a date or the time is compared with. */
bool og_comparison_date_past_calendar(const struct og_expr *e, size_t i, struct og_str *text, size_t *at);
bool og_comparison_instant_past_calendar(const struct og_expr *e, size_t i, size_t *at);
