/*
 * Splits a condition at its and, or and not into atoms, which are small expressions of their own, and lists its
 * implicants: the combinations of atoms being true or false that make the whole condition true, or false.
 */
#pragma once

#include "base/arena.h"
#include "diff/hints.h"
#include "expr/program.h"

#define OG_ATOMS_MOST 32

struct og_atom {
    struct og_expr expr;
    uint64_t slots; /* slots that influence it; 0: only the template does */
};

struct og_atoms {
    const struct og_expr_node *root; /* of the condition */
    struct og_atom atom[OG_ATOMS_MOST];
    int atoms;
};

/* An atom and the truth value it must have. */
struct og_atom_demand {
    int atom;
    bool truth;
};

/* Split an expression into atoms, with memory of the arena. Returns false if there are more than OG_ATOMS_MOST
 * atoms, or no memory. */
bool og_atoms_of(const struct og_expr *e, struct og_arena *arena, struct og_atoms *to);
/* Write the i-th implicant of the condition (truth) or of its negation.  Returns the number of demands, at most
 * OG_ATOMS_MOST, or -1 if there is no i-th implicant. */
int og_atoms_implicant(const struct og_atoms *atoms, bool truth, size_t i, struct og_atom_demand *demands);
