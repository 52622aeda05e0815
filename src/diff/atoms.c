/*
 * Splits conditions: the atoms are the greatest subtrees that are not and, or or not.  Operands of ?: and loops are not
 * split: each is one atom.
 */
#include "diff/atoms.h"

static bool is_logic(const struct og_expr_node *n)
{
    return n->op == OG_OP_AND || n->op == OG_OP_OR || n->op == OG_OP_NOT;
}

static bool add_atom(struct og_atoms *to, const struct og_expr *e, const struct og_expr_node *n, struct og_arena *arena)
{
    struct og_hints hints = { .count = 0 };
    struct og_atom *atom = &to->atom[to->atoms];

    if (to->atoms == OG_ATOMS_MOST)
        return false;
    atom->expr = *e;
    atom->expr.root = n;
    atom->expr.code = og_expr_emit(n, arena, &atom->expr.length);
    if (!atom->expr.code)
        return false;
    og_hints_expr(&hints, &atom->expr);
    atom->slots = hints.slots;
    to->atoms++;
    return true;
}

bool og_atoms_of(const struct og_expr *e, struct og_arena *arena, struct og_atoms *to)
{
    *to = (struct og_atoms){ .root = e->root };
    for (size_t left = e->root->size; left > 0;) {
        const struct og_expr_node *n = og_expr_first(e->root) + left - 1;

        if (!is_logic(n) && !add_atom(to, e, n, arena))
            return false;
        left -= is_logic(n) ? 1 : n->size;
    }
    return true;
}

/* --- implicants --------------------------------------------------------------------------------------------------- */

struct pending { /* nodes still to be looked at */
    const struct og_expr_node *node;
    bool truth;
    const struct pending *next;
};

struct ways {
    const struct og_atoms *atoms;
    struct og_atom_demand *demands;
    int count;
    size_t skip;
    long steps;
};

static bool find(struct ways *w, const struct pending *p);

static int atom_of(const struct og_atoms *atoms, const struct og_expr_node *n)
{
    int i = 0;

    while (atoms->atom[i].expr.root != n)
        i++;
    return i;
}

static bool demand(struct ways *w, int atom, bool truth, const struct pending *rest)
{
    for (int i = 0; i < w->count; i++)
        if (w->demands[i].atom == atom)
            return w->demands[i].truth == truth && find(w, rest);
    w->demands[w->count++] = (struct og_atom_demand){ atom, truth };
    if (find(w, rest))
        return true;
    w->count--;
    return false;
}

static bool find(struct ways *w, const struct pending *p)
{
    const struct og_expr_node *n;
    struct pending first, second;

    if (--w->steps < 0)
        return false;
    if (!p)
        return w->skip-- == 0;
    n = p->node;
    if (!is_logic(n))
        return demand(w, atom_of(w->atoms, n), p->truth, p->next);
    if (n->op == OG_OP_NOT) {
        first = (struct pending){ n - 1, !p->truth, p->next };
        return find(w, &first);
    }
    second = (struct pending){ n - 1, p->truth, p->next };
    if (p->truth == (n->op == OG_OP_AND)) { /* both operands are needed */
        first = (struct pending){ og_expr_operand(n, 0), p->truth, &second };
        return find(w, &first);
    }
    first = (struct pending){ og_expr_operand(n, 0), p->truth, p->next };
    return find(w, &first) || find(w, &second);
}

int og_atoms_implicant(const struct og_atoms *atoms, bool truth, size_t i, struct og_atom_demand *demands)
{
    struct pending all = { atoms->root, truth, NULL };
    struct ways w = { .atoms = atoms, .demands = demands, .skip = i, .steps = 10000 };

    return find(&w, &all) ? w.count : -1;
}
