/*
 * A condition taken apart: what stands between its and, or and not, each a small expression of its own, and the ways in
 * which the whole comes out true or false.
 */
#ifndef OG_DIFF_ATOMS_H
#define OG_DIFF_ATOMS_H

#include "base/arena.h"
#include "diff/hints.h"
#include "expr/program.h"

#define OG_ATOMS_MOST 32

struct og_atom {
    struct og_expr expr;
    uint64_t slots; /* that bear on it; none: only the scene does */
};

enum og_atom_is { OG_ATOM_LEAF, OG_ATOM_AND, OG_ATOM_OR, OG_ATOM_NOT };

struct og_atom_node {
    enum og_atom_is is;
    int a, b; /* nodes; of a leaf a: the atom */
};

struct og_atoms {
    struct og_atom atom[OG_ATOMS_MOST];
    struct og_atom_node node[3 * OG_ATOMS_MOST];
    int atoms, nodes, root;
};

/* What is demanded of an atom. */
struct og_atom_demand {
    int atom;
    bool truth;
};

/* Memory of the expressions is the arena's.  false: it has more atoms than there is room for, or there is no memory. */
bool og_atoms_of(const struct og_expr *e, struct og_arena *arena, struct og_atoms *to);
/* The i-th way in which it comes out as truth: so many demands, OG_ATOMS_MOST at most; -1: there is none. */
int og_atoms_implicant(const struct og_atoms *atoms, bool truth, size_t i, struct og_atom_demand *demands);

#endif
