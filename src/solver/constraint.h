/*
 * Constraints on one name: what a branch of a proof demands of it, and for which kinds of order, session or leg some
 * value satisfies all constraints.
 */
#pragma once

#include "solver/domain.h"

enum {
    OG_CONSTRAINT_STATE = 200,
    OG_CONSTRAINT_CALL,
    OG_CONSTRAINT_PATTERN
}; /* values of .op; others are OG_OP_EQ to OG_OP_IN */

struct og_constraint {
    const struct og_expr_named *name;
    struct og_domain domain;
    int instance;    /* for a field of a leg: its loop; for other names: their group */
    unsigned states; /* states that the name may be in: bits OG_NAME_* */
    /* what is required: "name op value" has the truth value `truth`; OG_CONSTRAINT_STATE: only the states are
     * constrained */
    unsigned char op, aux;
    bool truth;
    const struct og_expr_value *value; /* for OG_OP_EQ to OG_OP_IN */
    const struct og_expr_node *call;   /* OG_CONSTRAINT_CALL: the call of a function, on the name and constants */
    const struct og_pattern *pattern;  /* OG_CONSTRAINT_PATTERN: it must match the whole text, or must not */
};

/* Intersect r with the numbers that satisfy an ordering constraint (<, <=, >, >=).  Other constraints leave r as it
 * is. */
void og_constraint_narrow(struct og_range *r, const struct og_constraint *x);
/* Returns those of the given kinds in which the name of the last constraint has a value that satisfies all constraints
 * on it. */
uint64_t og_constraint_kinds(const struct og_constraint *constraint, int count, const struct og_universe *u,
                             uint64_t kinds);
