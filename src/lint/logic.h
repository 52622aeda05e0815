/*
 * What can be proved of a condition without an order: that it never holds, that it always does, that it names a word
 * its name never has.
 */
#ifndef OG_LINT_LOGIC_H
#define OG_LINT_LOGIC_H

#include "expr/expr.h"

/* One demand: an expression is to come out so.  expr NULL: nothing is demanded. */
struct og_demand {
    const struct og_expr *expr;
    bool truth;
};

/* No order of the service, in an account of that environment ("": of either), meets both demands.  false: not proved,
 * within so many steps; those taken are subtracted. */
bool og_logic_excludes(struct og_demand a, struct og_demand b, const char *environment, long *steps);

/* A word compared with a name that never has it. */
struct og_logic_word {
    const char *name;
    struct og_str word;
    size_t at;                /* of the word, or its list, in the text */
    const char *const *words; /* what the name may be, NULL-ended */
};
/* The i-th of them; false past the last. */
bool og_logic_word(const struct og_expr *e, size_t i, struct og_logic_word *out);

/* The i-th symbol that a symbol is compared with; at is of it or its list. */
bool og_logic_symbol(const struct og_expr *e, size_t i, struct og_str *word, size_t *at);

/* The i-th symbol in small letters that a symbol is compared with; at is of the symbol or its list. */
bool og_logic_small_symbol(const struct og_expr *e, size_t i, struct og_str *word, size_t *at);

/* The i-th text that a date is compared with and that is no date; at is of the text or its list. */
bool og_logic_odd_date(const struct og_expr *e, size_t i, struct og_str *text, size_t *at);

#endif
