/*
 * Constraints on one name: what one branch of a proof demands of it, and the kinds in which some value meets them all.
 */
#ifndef OG_SOLVER_CONSTRAINT_H
#define OG_SOLVER_CONSTRAINT_H

#include "solver/domain.h"

enum { OG_CONSTRAINT_STATE = 200, OG_CONSTRAINT_CALL, OG_CONSTRAINT_PATTERN }; /* beside OG_OP_EQ to OG_OP_IN */

struct og_constraint {
    const struct og_expr_named *name;
    struct og_domain domain;
    int instance;          /* leg fields of one loop share one; others by their group */
    unsigned states;       /* that the name may be in */
    unsigned char op, aux; /* name op value comes out as truth; OG_CONSTRAINT_STATE: no more than states */
    bool truth;
    const struct og_expr_value *value; /* OG_OP_... */
    const struct og_expr *expr;        /* OG_CONSTRAINT_CALL: of name and constants, the call at instr */
    const struct og_expr_instr *instr;
    const struct og_pattern *pattern; /* OG_CONSTRAINT_PATTERN: of the whole text */
};

/* Keep what a limit of order leaves of numbers; others leave all. */
void og_constraint_narrow(struct og_range *r, const struct og_constraint *x);
/* Those of the rows in which some value of the name of limit[count - 1] meets every limit on it. */
uint64_t og_constraint_kinds(const struct og_constraint *constraint, int count, const struct og_universe *u,
                             uint64_t kinds);

#endif
