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
    int instance;          /* the loop, for a field of a leg; the group, for other names */
    unsigned states;       /* states that the name may be in, OG_NAME_* */
    unsigned char op, aux; /* "name op value" has this truth; OG_CONSTRAINT_STATE: only the states are constrained */
    bool truth;
    const struct og_expr_value *value; /* for OG_OP_EQ to OG_OP_IN */
    const struct og_expr_node *call;   /* OG_CONSTRAINT_CALL: of a function of the name and of constants */
    const struct og_pattern *pattern;  /* OG_CONSTRAINT_PATTERN: must match, or not match, the whole text */
};

/* Intersect r with the numbers that satisfy an ordering constraint (<, <=, >, >=).  Other constraints leave r as it
 * is. */
void og_constraint_narrow(struct og_range *r, const struct og_constraint *x);
/* Returns those of the given kinds in which the name of constraint[count - 1] has a value that satisfies all
 * constraints on it. */
uint64_t og_constraint_kinds(const struct og_constraint *constraint, int count, const struct og_universe *u,
                             uint64_t kinds);
