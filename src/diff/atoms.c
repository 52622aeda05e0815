/*
 * Splits conditions by their compiled program.  For every value on its stack the instructions that computed it are
 * known; copied to the front, they form an expression.  Operands of ?: and loops are not split: each is one atom.
 */
#include "diff/atoms.h"

#define NO_NODE (-1)

struct made { /* a value on the stack: computed by the instructions [from, to) */
    size_t from, to;
    int node;
};

struct taking {
    struct og_atoms *to;
    struct og_arena *arena;
    const struct og_expr *e;
    struct made stack[OG_EXPR_STACK + 1];
    int depth;
    size_t cell[OG_EXPR_CELLS], loop[OG_EXPR_LOOPS]; /* where the computation of their contents began */
    struct {
        size_t from, end;
    } branch[OG_EXPR_DEPTH_MOST];
    int branches;
    bool failed;
};

static struct made pop(struct taking *t)
{
    if (t->depth)
        return t->stack[--t->depth];
    t->failed = true;
    return (struct made){ 0, 0, NO_NODE };
}

static void push(struct taking *t, size_t from, size_t to, int node)
{
    if (t->depth <= OG_EXPR_STACK)
        t->stack[t->depth++] = (struct made){ from, to, node };
    else
        t->failed = true;
}

static int add_node(struct taking *t, enum og_atom_is is, int a, int b)
{
    if (t->to->nodes == 3 * OG_ATOMS_MOST) {
        t->failed = true;
        return 0;
    }
    t->to->node[t->to->nodes] = (struct og_atom_node){ .is = is, .a = a, .b = b };
    return t->to->nodes++;
}

/* Move an instruction; jumps keep their targets. */
static void move(struct og_expr_instr *i, int32_t by)
{
    switch (i->op) {
    case OG_OP_AND_JUMP:
    case OG_OP_OR_JUMP:
    case OG_OP_JUMP: i->arg -= by; break;
    case OG_OP_BRANCH:
        i->arg -= by;
        i->more -= by;
        break;
    case OG_OP_LOOP:
    case OG_OP_NEXT: i->more -= by; break;
    default: break;
    }
}

static int add_atom(struct taking *t, const struct made *m)
{
    size_t length = m->to - m->from;
    struct og_expr_instr *code = og_arena_take(t->arena, length * sizeof *code);
    struct og_hints hints = { .count = 0 };
    struct og_atom *atom = &t->to->atom[t->to->atoms];

    if (!code || t->to->atoms == OG_ATOMS_MOST) {
        t->failed = true;
        return 0;
    }
    memcpy(code, t->e->code + m->from, length * sizeof *code);
    for (size_t i = 0; i < length; i++)
        move(&code[i], (int32_t)m->from);
    atom->expr = *t->e;
    atom->expr.code = code;
    atom->expr.length = length;
    og_hints_expr(&hints, &atom->expr);
    atom->slots = hints.slots;
    return add_node(t, OG_ATOM_LEAF, t->to->atoms++, 0);
}

static int node_of(struct taking *t, const struct made *m)
{
    return m->node != NO_NODE ? m->node : t->failed ? 0 : add_atom(t, m);
}

static void combine(struct taking *t, size_t at, enum og_atom_is is)
{
    struct made b = pop(t), a = pop(t);
    int left = node_of(t, &a), right = node_of(t, &b);

    push(t, a.from, at + 1, add_node(t, is, left, right));
}

static void take_many(struct taking *t, size_t at, int count)
{
    size_t from = at;

    while (count-- > 0)
        from = pop(t).from;
    push(t, from, at + 1, NO_NODE);
}

static void branch(struct taking *t, const struct og_expr_instr *i)
{
    struct made m = pop(t);

    if (i->op == OG_OP_JUMP && t->branches)
        t->branch[t->branches - 1].end = (size_t)i->arg;
    else if (i->op == OG_OP_BRANCH && t->branches < OG_EXPR_DEPTH_MOST) {
        t->branch[t->branches].from = m.from;
        t->branch[t->branches++].end = SIZE_MAX;
    } else {
        t->failed = true;
    }
}

/* A branch's value begins where its condition began. */
static void join(struct taking *t, size_t at)
{
    while (t->branches && t->branch[t->branches - 1].end == at && t->depth) {
        t->branches--;
        t->stack[t->depth - 1] = (struct made){ t->branch[t->branches].from, at, NO_NODE };
    }
}

static void step(struct taking *t, size_t at)
{
    const struct og_expr_instr *i = &t->e->code[at];
    struct made m;

    switch (i->op) {
    case OG_OP_NOT:
        m = pop(t);
        push(t, m.from, at + 1, add_node(t, OG_ATOM_NOT, node_of(t, &m), 0));
        return;
    case OG_OP_AND: combine(t, at, OG_ATOM_AND); return;
    case OG_OP_OR: combine(t, at, OG_ATOM_OR); return;
    case OG_OP_AND_JUMP:
    case OG_OP_OR_JUMP: return; /* these only skip work */
    case OG_OP_BRANCH:
    case OG_OP_JUMP: branch(t, i); return;
    case OG_OP_CELL: t->cell[i->arg] = pop(t).from; return;
    case OG_OP_LIST: push(t, i->count ? t->cell[i->arg] : at, at + 1, NO_NODE); return;
    case OG_OP_LOOP: t->loop[i->arg] = pop(t).from; return;
    case OG_OP_NEXT:
        (void)pop(t);
        push(t, t->loop[i->arg], at + 1, NO_NODE);
        return;
    default: take_many(t, at, og_expr_pops(i)); return;
    }
}

bool og_atoms_of(const struct og_expr *e, struct og_arena *arena, struct og_atoms *to)
{
    struct taking t = { .to = to, .arena = arena, .e = e };
    struct made all;

    *to = (struct og_atoms){ .atoms = 0 };
    for (size_t i = 0; i < e->length && !t.failed; i++) {
        join(&t, i);
        step(&t, i);
    }
    join(&t, e->length);
    all = pop(&t);
    to->root = node_of(&t, &all);
    return !t.failed && t.depth == 0;
}

/* --- implicants --------------------------------------------------------------------------------------------------- */

struct pending { /* nodes still to be looked at */
    int node;
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
    const struct og_atom_node *n;
    struct pending first, second;

    if (--w->steps < 0)
        return false;
    if (!p)
        return w->skip-- == 0;
    n = &w->atoms->node[p->node];
    switch (n->is) {
    case OG_ATOM_LEAF: return demand(w, n->a, p->truth, p->next);
    case OG_ATOM_NOT: first = (struct pending){ n->a, !p->truth, p->next }; return find(w, &first);
    case OG_ATOM_AND:
    case OG_ATOM_OR: break;
    }
    second = (struct pending){ n->b, p->truth, p->next };
    if (p->truth == (n->is == OG_ATOM_AND)) { /* both children are needed */
        first = (struct pending){ n->a, p->truth, &second };
        return find(w, &first);
    }
    first = (struct pending){ n->a, p->truth, p->next };
    return find(w, &first) || find(w, &second);
}

int og_atoms_implicant(const struct og_atoms *atoms, bool truth, size_t i, struct og_atom_demand *demands)
{
    struct pending all = { atoms->root, truth, NULL };
    struct ways w = { .atoms = atoms, .demands = demands, .skip = i, .steps = 10000 };

    return find(&w, &all) ? w.count : -1;
}
