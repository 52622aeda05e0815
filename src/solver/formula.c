/*
 * Turns compiled expressions into formulas: and, or, not, conditionals and comparisons of names with constants, also
 * over legs.  All other code becomes an opaque node: it may have any value, but the same value wherever the same code
 * occurs.
 */
#include "solver/logic.h"

/* --- nodes -------------------------------------------------------------------------------------------------------- */

static int add_node(struct og_logic *g, struct og_node n)
{
    if (g->count == OG_LOGIC_NODES) {
        g->failed = true;
        return 0;
    }
    g->node[g->count] = n;
    return g->count++;
}

void og_logic_begin(struct og_logic *g)
{
    g->count = 0;
    g->instances = OG_GROUP_ALONE + 1;
    g->failed = false;
}

int og_logic_true(struct og_logic *g)
{
    static const struct og_expr_value yes = { .as.truth = true };

    return add_node(g, (struct og_node){ .kind = OG_NODE_CONST, .value = &yes });
}

int og_logic_and(struct og_logic *g, int a, int b)
{
    return add_node(g, (struct og_node){ .kind = OG_NODE_AND, .a = a, .b = b });
}

int og_logic_or(struct og_logic *g, int a, int b)
{
    return add_node(g, (struct og_node){ .kind = OG_NODE_OR, .a = a, .b = b });
}

int og_logic_not(struct og_logic *g, int a)
{
    return add_node(g, (struct og_node){ .kind = OG_NODE_NOT, .a = a });
}

int og_logic_is(struct og_logic *g, int a, unsigned set)
{
    return add_node(g, (struct og_node){ .kind = OG_NODE_IS, .a = a, .set = set });
}

int og_logic_kinds(struct og_logic *g, uint64_t kinds)
{
    return add_node(g, (struct og_node){ .kind = OG_NODE_KINDS, .kinds = kinds });
}

static struct og_constraint constraint_on(const struct og_expr_named *name, int instance)
{
    struct og_constraint x = { .name = name, .domain = og_domain_of(name), .truth = true, .states = OG_NAME_HAS_VALUE };

    x.instance = x.domain.group == OG_GROUP_LEG ? instance : (int)x.domain.group;
    return x;
}

int og_logic_name(struct og_logic *g, const char *name)
{
    return add_node(
        g, (struct og_node){ .kind = OG_NODE_NAME, .constraint = constraint_on(og_expr_name_called(name), 0) });
}

int og_logic_pattern(struct og_logic *g, const char *name, const struct og_pattern *p)
{
    struct og_constraint x = constraint_on(og_expr_name_called(name), 0);

    x.op = OG_CONSTRAINT_PATTERN;
    x.states = OG_NAME_ANY_STATE;
    x.pattern = p;
    return add_node(g, (struct og_node){ .kind = OG_NODE_CONSTRAINT, .constraint = x });
}

static int compare_name(struct og_logic *g, const char *name, unsigned char op, unsigned char kind,
                        const struct og_expr_value *v)
{
    struct og_constraint x = constraint_on(og_expr_name_called(name), 0);

    x.op = op;
    x.aux = kind;
    x.value = v;
    return add_node(g, (struct og_node){ .kind = OG_NODE_CONSTRAINT, .constraint = x });
}

int og_logic_number(struct og_logic *g, const char *name, unsigned char op, const struct og_expr_value *number)
{
    return compare_name(g, name, op, OG_OPERAND_NUMBER, number);
}

int og_logic_until(struct og_logic *g, const struct og_expr_value *ns)
{
    return compare_name(g, "now", OG_OP_LE, OG_OPERAND_NS, ns);
}

/* --- from code to formula ----------------------------------------------------------------------------------------- */

struct reader {
    struct og_logic *g;
    const struct og_expr *e;
    int stack[OG_EXPR_STACK], depth;
    int instance[OG_EXPR_LOOPS]; /* of the loops around this code */
    size_t cell[OG_EXPR_CELLS];  /* where the code of each list item begins */
};

static void push_node(struct reader *r, struct og_node n)
{
    n.expr = r->e;
    n.set = n.set ? n.set : OG_FTU;
    if (r->depth == OG_EXPR_STACK)
        r->g->failed = true;
    else
        r->stack[r->depth++] = add_node(r->g, n);
}

static int pop_node(struct reader *r)
{
    if (r->depth == 0) {
        r->g->failed = true;
        return 0;
    }
    return r->stack[--r->depth];
}

/* Replace the last count values by one opaque node for their code up to `to`. */
static void push_opaque(struct reader *r, int count, size_t at, size_t to)
{
    size_t from = at;

    for (; count > 0; count--)
        from = r->g->node[pop_node(r)].from;
    push_node(r, (struct og_node){ .kind = OG_NODE_OPAQUE, .from = from, .to = to });
}

/* "value op name" is "name mirrored(op) value". */
static unsigned char mirrored(unsigned char op)
{
    switch (op) {
    case OG_OP_LT: return OG_OP_GT;
    case OG_OP_LE: return OG_OP_GE;
    case OG_OP_GT: return OG_OP_LT;
    case OG_OP_GE: return OG_OP_LE;
    default: return op;
    }
}

static bool is_list(const struct og_node *n)
{
    return n->constraint.name->is.type & OG_TYPE_LIST;
}

/* A number computed from constants and from two names or more, or from a name by a function. */
static bool is_term(const struct reader *r, const struct og_node *n)
{
    int names = 0, calls = 0;

    if (n->kind != OG_NODE_OPAQUE)
        return false;
    for (size_t k = n->from; k < n->to; k++) {
        unsigned op = r->e->code[k].op;

        names += op == OG_OP_NAME;
        calls += op == OG_OP_CALL;
        if (op != OG_OP_NAME && op != OG_OP_CONST && op != OG_OP_CALL && (op < OG_OP_NEGATE || op > OG_OP_MOD))
            return false;
    }
    return names >= 2 || (names && calls);
}

static bool is_one_name(const struct og_node *x, const struct og_node *y)
{
    return x->kind == OG_NODE_NAME && y->kind == OG_NODE_NAME && x->constraint.name == y->constraint.name &&
           x->constraint.instance == y->constraint.instance && !is_list(x);
}

static bool chooses_between_constants(const struct reader *r, const struct og_node *choice)
{
    return r->g->node[choice->b].kind == OG_NODE_CONST && r->g->node[choice->c].kind == OG_NODE_CONST;
}

/* "name op value" for one branch of a conditional. */
static int compare_name_with_node(struct reader *r, const struct og_node *name, int value, unsigned char op,
                                  unsigned char aux)
{
    struct og_constraint x = name->constraint;

    x.op = op;
    x.aux = aux;
    x.value = r->g->node[value].value;
    return add_node(r->g, (struct og_node){ .kind = OG_NODE_CONSTRAINT, .constraint = x });
}

static void read_comparison(struct reader *r, unsigned char op, unsigned char aux, const struct og_expr_value *words,
                            size_t at)
{
    int b = words ? -1 : pop_node(r), a = pop_node(r);
    struct og_node x = r->g->node[a],
                   y = b < 0 ? (struct og_node){ .kind = OG_NODE_CONST, .value = words } : r->g->node[b];
    bool turn = (x.kind == OG_NODE_CONST || x.kind == OG_NODE_CHOICE) &&
                (y.kind == OG_NODE_NAME || y.kind == OG_NODE_OPAQUE) && op != OG_OP_IN;
    struct og_node *name = turn ? &y : &x, *value = turn ? &x : &y;
    unsigned itself = op == OG_OP_EQ || op == OG_OP_LE || op == OG_OP_GE ? OG_T : OG_F;

    if (name->kind == OG_NODE_NAME && value->kind == OG_NODE_CONST && !is_list(name)) {
        name->constraint.op = turn ? mirrored(op) : op;
        name->constraint.aux = aux;
        name->constraint.value = value->value;
        push_node(r, (struct og_node){
                         .kind = OG_NODE_CONSTRAINT, .constraint = name->constraint, .from = x.from, .to = at + 1 });
        return;
    }
    if (name->kind == OG_NODE_NAME && value->kind == OG_NODE_CHOICE && !is_list(name) && op != OG_OP_IN &&
        chooses_between_constants(r, value)) {
        struct og_node made = *value;

        made.b = compare_name_with_node(r, name, value->b, turn ? mirrored(op) : op, aux);
        made.c = compare_name_with_node(r, name, value->c, turn ? mirrored(op) : op, aux);
        made.from = x.from;
        made.to = at + 1;
        push_node(r, made);
        return;
    }
    if (op != OG_OP_IN && is_one_name(&x, &y)) {
        push_node(r,
                  (struct og_node){
                      .kind = OG_NODE_SELF, .constraint = x.constraint, .set = itself, .from = x.from, .to = at + 1 });
        return;
    }
    if (op != OG_OP_IN &&
        og_code_is_same((struct og_code_span){ r->e, x.from, x.to }, (struct og_code_span){ r->e, y.from, y.to })) {
        push_node(r, (struct og_node){ .kind = OG_NODE_OPAQUE, .set = itself | OG_U, .from = x.from, .to = at + 1 });
        return;
    }
    if (value->kind == OG_NODE_CONST && aux == OG_OPERAND_NUMBER && op != OG_OP_IN && is_term(r, name)) {
        struct og_constraint term = { .op = turn ? mirrored(op) : op, .aux = aux, .value = value->value };

        push_node(r, (struct og_node){ .kind = OG_NODE_TERM,
                                       .constraint = term,
                                       .term = name->from,
                                       .term_to = name->to,
                                       .from = x.from,
                                       .to = at + 1 });
        return;
    }
    push_node(r, (struct og_node){ .kind = OG_NODE_OPAQUE, .from = x.from, .to = at + 1 });
}

/* A function that returns a bool, called on a name with constants. */
static void read_call(struct reader *r, const struct og_expr_instr *i, size_t at)
{
    struct og_node first = i->count && r->depth >= i->count ? r->g->node[r->stack[r->depth - i->count]]
                                                            : (struct og_node){ .kind = OG_NODE_OPAQUE };
    bool plain = first.kind == OG_NODE_NAME && !is_list(&first) && og_expr_functions[i->arg].result == OG_TYPE_BOOL;

    for (int k = 1; k < i->count && plain; k++)
        plain = r->e->code[at - (size_t)k].op == OG_OP_CONST;
    if (first.kind == OG_NODE_NAME && first.constraint.domain.attribute == OG_ATTRIBUTE_LEGS && i->count == 1 &&
        strcmp(og_expr_functions[i->arg].name, "size") == 0) {
        (void)pop_node(r);
        push_node(r, (struct og_node){ .kind = OG_NODE_NAME,
                                       .constraint = constraint_on(&og_domain_leg_count, 0),
                                       .from = first.from,
                                       .to = at + 1 });
        return;
    }
    if (!plain) {
        push_opaque(r, i->count, at, at + 1);
        return;
    }
    for (int k = 0; k < i->count; k++)
        (void)pop_node(r);
    first.constraint.op = OG_CONSTRAINT_CALL;
    first.constraint.expr = r->e;
    first.constraint.instr = i;
    push_node(r, (struct og_node){
                     .kind = OG_NODE_CONSTRAINT, .constraint = first.constraint, .from = first.from, .to = at + 1 });
}

static void read_and_or(struct reader *r, enum og_node_kind kind, size_t at)
{
    int b = pop_node(r), a = pop_node(r);

    push_node(r, (struct og_node){ .kind = kind, .a = a, .b = b, .from = r->g->node[a].from, .to = at + 1 });
}

static void read_code(struct reader *r, size_t from, size_t to);

/* Read code that leaves one value. */
static int read_piece(struct reader *r, size_t from, size_t to)
{
    int depth = r->depth;

    read_code(r, from, to);
    if (r->depth != depth + 1)
        r->g->failed = true;
    return r->g->failed ? 0 : pop_node(r);
}

static void read_choice(struct reader *r, const struct og_expr_instr *i, size_t at)
{
    size_t otherwise = (size_t)i->arg, end = (size_t)i->more;
    int a = pop_node(r), b, c;

    if (otherwise <= at + 1 || r->e->code[otherwise - 1].op != OG_OP_JUMP) {
        r->g->failed = true;
        return;
    }
    b = read_piece(r, at + 1, otherwise - 1);
    c = read_piece(r, otherwise, end);
    push_node(
        r, (struct og_node){ .kind = OG_NODE_CHOICE, .a = a, .b = b, .c = c, .from = r->g->node[a].from, .to = end });
}

static void read_loop(struct reader *r, const struct og_expr_instr *i, size_t at)
{
    int list = pop_node(r), body;
    size_t end = (size_t)i->more;
    struct og_node over = r->g->node[list];

    if (over.kind != OG_NODE_NAME || i->aux == OG_MACRO_EXISTS_ONE || r->g->instances == OG_LOGIC_INSTANCES) {
        push_node(r, (struct og_node){ .kind = OG_NODE_OPAQUE, .from = over.from, .to = end });
        return;
    }
    r->instance[i->arg] = r->g->instances++;
    body = read_piece(r, at + 1, end - 1);
    push_node(r, (struct og_node){ .kind = OG_NODE_LOOP, .a = body, .macro = i->aux, .from = over.from, .to = end });
}

static void read_field(struct reader *r, const struct og_expr_instr *i, enum og_node_kind kind, size_t at)
{
    struct og_node item = r->g->node[pop_node(r)];

    if (item.kind == OG_NODE_ITEM)
        push_node(r, (struct og_node){ .kind = kind,
                                       .constraint = constraint_on(&og_expr_leg_fields[i->arg], item.instance),
                                       .from = item.from,
                                       .to = at + 1 });
    else
        push_node(r, (struct og_node){ .kind = OG_NODE_OPAQUE, .from = item.from, .to = at + 1 });
}

/* Read one instruction.  Returns the index of the next one to read. */
static size_t read_instruction(struct reader *r, size_t at)
{
    const struct og_expr_instr *i = &r->e->code[at];

    switch (i->op) {
    case OG_OP_CONST:
        push_node(
            r, (struct og_node){ .kind = OG_NODE_CONST, .value = &r->e->constants[i->arg], .from = at, .to = at + 1 });
        break;
    case OG_OP_NAME:
    case OG_OP_HAS_NAME:
        push_node(r, (struct og_node){ .kind = i->op == OG_OP_NAME ? OG_NODE_NAME : OG_NODE_HAS,
                                       .constraint = constraint_on(&og_expr_named[i->arg], 0),
                                       .from = at,
                                       .to = at + 1 });
        break;
    case OG_OP_ITEM:
        push_node(r,
                  (struct og_node){ .kind = OG_NODE_ITEM, .instance = r->instance[i->arg], .from = at, .to = at + 1 });
        break;
    case OG_OP_LEG: read_field(r, i, OG_NODE_NAME, at); break;
    case OG_OP_HAS_LEG: read_field(r, i, OG_NODE_HAS, at); break;
    case OG_OP_AND_JUMP:
    case OG_OP_OR_JUMP: break; /* an optimisation without effect on the value */
    case OG_OP_AND: read_and_or(r, OG_NODE_AND, at); break;
    case OG_OP_OR: read_and_or(r, OG_NODE_OR, at); break;
    case OG_OP_NOT: {
        int a = pop_node(r);

        push_node(r, (struct og_node){ .kind = OG_NODE_NOT, .a = a, .from = r->g->node[a].from, .to = at + 1 });
        break;
    }
    case OG_OP_EQ:
    case OG_OP_NE:
    case OG_OP_LT:
    case OG_OP_LE:
    case OG_OP_GT:
    case OG_OP_GE:
    case OG_OP_IN: read_comparison(r, i->op, i->aux, NULL, at); break;
    case OG_OP_IN_WORDS: read_comparison(r, OG_OP_IN, OG_OPERAND_TEXT, &r->e->constants[i->arg], at); break;
    case OG_OP_CALL: read_call(r, i, at); break;
    case OG_OP_BRANCH: read_choice(r, i, at); return (size_t)i->more;
    case OG_OP_LOOP: read_loop(r, i, at); return (size_t)i->more;
    case OG_OP_CELL: r->cell[i->arg] = r->g->node[pop_node(r)].from; break;
    case OG_OP_LIST:
        push_node(r, (struct og_node){ .kind = OG_NODE_OPAQUE, .from = i->count ? r->cell[i->arg] : at, .to = at + 1 });
        break;
    case OG_OP_JUMP: /* these two are read with their branch and loop */
    case OG_OP_NEXT: r->g->failed = true; break;
    default: push_opaque(r, og_expr_pops(i), at, at + 1); break;
    }
    return at + 1;
}

static void read_code(struct reader *r, size_t from, size_t to)
{
    while (from < to && !r->g->failed) {
        size_t next = read_instruction(r, from);

        r->g->failed = r->g->failed || next <= from || next > to;
        from = next;
    }
}

int og_logic_expr(struct og_logic *g, const struct og_expr *e)
{
    struct reader r = { .g = g, .e = e };

    return e ? read_piece(&r, 0, e->length) : og_logic_true(g);
}
