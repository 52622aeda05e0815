/*
 * What names of expressions can be in an order that the service takes, and whether limits on one leave it anything.
 */
#ifndef OG_LINT_DOMAIN_H
#define OG_LINT_DOMAIN_H

#include "expr/program.h"

/* name op value comes out as truth. */
struct og_limit {
    const struct og_expr_named *name;
    unsigned char op, aux; /* OG_OP_EQ to OG_OP_IN; enum og_expr_kind */
    bool truth;
    const struct og_expr_value *value;
};

/* The words a name may be, NULL-ended; NULL: any. */
const char *const *og_domain_words(const char *name);

/* It may also be "": an order of some kind has none. */
bool og_domain_lacks(const char *name);

/* Some value of the name meets every limit on it.  true also where that is not known. */
bool og_limits_agree(const struct og_limit *limits, int count, const struct og_expr_named *name,
                     const char *environment);

#endif
