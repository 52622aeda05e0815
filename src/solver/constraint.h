/*
 * Constraints on one name: what one branch of a proof requires of the name. Finds the kinds of order, session or leg
 * for which some value satisfies all of them.
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
    unsigned states; /* the states in which the name may be: bits OG_NAME_ */
    /* the requirement: "name op value" has the truth value `truth`; OG_CONSTRAINT_STATE: only the states are
     * restricted */
    unsigned char op, aux;
    bool truth;
    bool undecided; /* instead of the requirement: the comparison is unknown; if the name has bounds, they do not decide
                     * it */
    const struct og_expr_value *value; /* for OG_OP_EQ to OG_OP_IN */
    const struct og_expr_node *call;   /* OG_CONSTRAINT_CALL: the call of a function, on the name and constants */
    const struct og_pattern *pattern;  /* OG_CONSTRAINT_PATTERN: the whole text must match it (or must not) */
};

/* Restrict r to numbers that satisfy an ordering constraint (<, <=, >, >=).  For other constraints r does not
 * change. */
void og_constraint_narrow(struct og_range *r, const struct og_constraint *x);
/* Returns false if every number in the range compares in the same way with the value of the constraint; true also for
 * constraints that are no ordering. */
bool og_constraint_leaves_open(const struct og_range *r, const struct og_constraint *x);
/* Returns those of the given kinds in which the name of the last constraint can have a value that satisfies all
 * constraints on it. */
uint64_t og_constraint_kinds(const struct og_constraint *constraint, int count, const struct og_universe *u,
                             uint64_t kinds);
