/*
 * The constants that an expression compares names with: words, symbols and dates.
 */
#ifndef OG_SOLVER_COMPARISONS_H
#define OG_SOLVER_COMPARISONS_H

#include "solver/domain.h"

/* What a comparison at instruction i holds a name or a leg's field against: the value, or list, and where it stands in
 * the text; NULL: there is none. */
const struct og_expr_named *og_comparison_at(const struct og_expr *e, size_t i, const struct og_expr_value **value,
                                             size_t *at);

/* A word compared with a name that never has it. */
struct og_comparison_unknown_word {
    const char *name;
    struct og_str word;
    size_t at;                /* of the word, or its list, in the text */
    const char *const *words; /* what the name may be, NULL-ended */
};
/* The i-th of them; false past the last. */
bool og_comparison_unknown_word(const struct og_expr *e, size_t i, struct og_comparison_unknown_word *out);

/* The i-th symbol that a symbol is compared with; at is of it or its list. */
bool og_comparison_symbol(const struct og_expr *e, size_t i, struct og_str *word, size_t *at);

/* The i-th symbol in small letters that a symbol is compared with; at is of the symbol or its list. */
bool og_comparison_lower_case_symbol(const struct og_expr *e, size_t i, struct og_str *word, size_t *at);

/* The i-th part in small letters that a symbol is to begin with, end with or contain. */
bool og_comparison_lower_case_part(const struct og_expr *e, size_t i, struct og_str *part, size_t *at);
/* What the call at instruction k asks of a symbol: the constant and where it stands; NULL: it is no such call. */
const struct og_expr_value *og_comparison_symbol_call(const struct og_expr *e, size_t k, size_t *at);

/* The i-th text that a date is compared with and that is no date; at is of the text or its list. */
bool og_comparison_invalid_date(const struct og_expr *e, size_t i, struct og_str *text, size_t *at);
/* The i-th Saturday or Sunday that a date is said to be, or not to be. */
bool og_comparison_weekend(const struct og_expr *e, size_t i, struct og_str *text, size_t *at);
/* The i-th date, or instant, beyond the exchange calendar that a date or the time is compared with. */
bool og_comparison_date_past_calendar(const struct og_expr *e, size_t i, struct og_str *text, size_t *at);
bool og_comparison_instant_past_calendar(const struct og_expr *e, size_t i, size_t *at);

#endif
