/*
 * Turns the trees of expressions into formulas: and, or, not, conditionals and comparisons of names with constants,
 * also over legs.  Every other tree becomes an opaque node: it may have any value, but the same tree has the same
 * value everywhere.
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

/* --- from tree to formula ----------------------------------------------------------------------------------------- */

struct reader {
    struct og_logic *g;
    int stack[OG_EXPR_PENDING_MOST], depth;
    int instance[OG_EXPR_LOOPS]; /* number of each loop that encloses the current node; 0 if the loop is opaque */
};

static void push_node(struct reader *r, const struct og_expr_node *tree, struct og_node n)
{
    n.tree = tree;
    n.set = n.set ? n.set : OG_FTU;
    r->stack[r->depth++] = add_node(r->g, n);
}

static int pop_node(struct reader *r)
{
    return r->stack[--r->depth];
}

static void push_opaque(struct reader *r, const struct og_expr_node *tree, unsigned set)
{
    push_node(r, tree, (struct og_node){ .kind = OG_NODE_OPAQUE, .set = set });
}

/* Returns the comparison with its sides exchanged: "value op name" is "name mirrored(op) value". */
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

/* Returns true if the node is a number that arithmetic and functions compute from two or more names, or that a function
 * computes from one name. */
static bool is_term(const struct og_node *n)
{
    int names = 0, calls = 0;

    if (n->kind != OG_NODE_OPAQUE)
        return false;
    for (const struct og_expr_node *k = og_expr_first(n->tree); k <= n->tree; k++) {
        names += k->op == OG_OP_NAME;
        calls += k->op == OG_OP_CALL;
        if (k->op != OG_OP_NAME && k->op != OG_OP_CONST && k->op != OG_OP_CALL &&
            (k->op < OG_OP_NEGATE || k->op > OG_OP_MOD))
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

/* Returns the constraint "name op value". */
static struct og_node compared_with(const struct og_node *name, const struct og_node *value, unsigned char op,
                                    unsigned char aux)
{
    struct og_node n = { .kind = OG_NODE_CONSTRAINT, .constraint = name->constraint };

    n.constraint.op = op;
    n.constraint.aux = aux;
    n.constraint.value = value->value;
    return n;
}

static void read_comparison(struct reader *r, const struct og_expr_node *n)
{
    const struct og_node y = r->g->node[pop_node(r)], x = r->g->node[pop_node(r)];
    bool in = n->op == OG_OP_IN, turn = (x.kind == OG_NODE_CONST || x.kind == OG_NODE_CHOICE) &&
                                        (y.kind == OG_NODE_NAME || y.kind == OG_NODE_OPAQUE) && !in;
    const struct og_node *name = turn ? &y : &x, *value = turn ? &x : &y;
    unsigned char op = turn ? mirrored(n->op) : n->op;
    bool plain = name->kind == OG_NODE_NAME && !is_list(name);
    unsigned itself = n->op == OG_OP_EQ || n->op == OG_OP_LE || n->op == OG_OP_GE ? OG_T : OG_F;

    if (plain && value->kind == OG_NODE_CONST) {
        push_node(r, n, compared_with(name, value, op, n->aux));
    } else if (plain && value->kind == OG_NODE_CHOICE && !in && chooses_between_constants(r, value)) {
        struct og_node choice = *value;

        choice.b = add_node(r->g, compared_with(name, &r->g->node[value->b], op, n->aux));
        choice.c = add_node(r->g, compared_with(name, &r->g->node[value->c], op, n->aux));
        push_node(r, n, choice);
    } else if (!in && is_one_name(&x, &y)) {
        push_node(r, n, (struct og_node){ .kind = OG_NODE_SELF, .constraint = x.constraint, .set = itself });
    } else if (!in && og_tree_is_same(x.tree, y.tree)) {
        push_opaque(r, n, itself | OG_U);
    } else if (value->kind == OG_NODE_CONST && n->aux == OG_OPERAND_NUMBER && !in && is_term(name)) {
        struct og_constraint term = { .op = op, .aux = n->aux, .value = value->value };

        push_node(r, n, (struct og_node){ .kind = OG_NODE_TERM, .constraint = term, .term = name->tree });
    } else {
        push_opaque(r, n, OG_FTU);
    }
}

/* Read a call. A function that returns a bool, called with a name and constants, becomes a constraint; size(order.legs)
 * becomes a name; any other call is opaque. */
static void read_call(struct reader *r, const struct og_expr_node *n)
{
    const struct og_expr_function *f = &og_expr_functions[n->arg];
    struct og_node first = r->g->node[r->stack[r->depth -= n->operands]];
    bool plain = first.kind == OG_NODE_NAME && !is_list(&first) && f->result == OG_TYPE_BOOL;

    for (int i = 1; i < n->operands && plain; i++)
        plain = og_expr_operand(n, i)->op == OG_OP_CONST;
    if (first.kind == OG_NODE_NAME && first.constraint.domain.attribute == OG_ATTRIBUTE_LEGS && n->operands == 1 &&
        strcmp(f->name, "size") == 0) {
        push_node(r, n, (struct og_node){ .kind = OG_NODE_NAME, .constraint = constraint_on(&og_domain_leg_count, 0) });
    } else if (plain) {
        first.constraint.op = OG_CONSTRAINT_CALL;
        first.constraint.call = n;
        push_node(r, n, (struct og_node){ .kind = OG_NODE_CONSTRAINT, .constraint = first.constraint });
    } else {
        push_opaque(r, n, OG_FTU);
    }
}

/* Begin an operand of a loop: all() and exists() over the legs become formulas; the condition of any other loop is
 * skipped. */
static bool begin_operand(void *with, const struct og_expr_node *of, int i)
{
    struct reader *r = with;

    (void)i;
    if (of->op != OG_OP_LOOP || r->g->failed)
        return true;
    r->instance[of->arg] = 0;
    if (r->g->node[r->stack[r->depth - 1]].kind == OG_NODE_NAME && of->aux != OG_MACRO_EXISTS_ONE &&
        r->g->instances < OG_LOGIC_INSTANCES)
        r->instance[of->arg] = r->g->instances++;
    return r->instance[of->arg] != 0;
}

static void read_loop(struct reader *r, const struct og_expr_node *n)
{
    bool is_read = r->instance[n->arg] != 0;
    int body = pop_node(r);

    if (!is_read) {
        push_opaque(r, n, OG_FTU);
        return;
    }
    (void)pop_node(r); /* drop the list */
    push_node(r, n, (struct og_node){ .kind = OG_NODE_LOOP, .a = body, .macro = n->aux });
}

static void read_field(struct reader *r, const struct og_expr_node *n)
{
    const struct og_node *item = &r->g->node[pop_node(r)];

    if (item->kind == OG_NODE_ITEM)
        push_node(r, n,
                  (struct og_node){ .kind = n->op == OG_OP_LEG ? OG_NODE_NAME : OG_NODE_HAS,
                                    .constraint = constraint_on(&og_expr_leg_fields[n->arg], item->instance) });
    else
        push_opaque(r, n, OG_FTU);
}

static void read_node(void *with, const struct og_expr_node *n)
{
    struct reader *r = with;
    struct og_node made = { .a = 0 };

    if (r->g->failed)
        return;
    switch (n->op) {
    case OG_OP_CONST: push_node(r, n, (struct og_node){ .kind = OG_NODE_CONST, .value = n->value }); break;
    case OG_OP_NAME:
    case OG_OP_HAS_NAME:
        push_node(r, n,
                  (struct og_node){ .kind = n->op == OG_OP_NAME ? OG_NODE_NAME : OG_NODE_HAS,
                                    .constraint = constraint_on(&og_expr_named[n->arg], 0) });
        break;
    case OG_OP_ITEM: push_node(r, n, (struct og_node){ .kind = OG_NODE_ITEM, .instance = r->instance[n->arg] }); break;
    case OG_OP_LEG:
    case OG_OP_HAS_LEG: read_field(r, n); break;
    case OG_OP_AND:
    case OG_OP_OR:
        made.kind = n->op == OG_OP_AND ? OG_NODE_AND : OG_NODE_OR;
        made.b = pop_node(r);
        made.a = pop_node(r);
        push_node(r, n, made);
        break;
    case OG_OP_NOT: push_node(r, n, (struct og_node){ .kind = OG_NODE_NOT, .a = pop_node(r) }); break;
    case OG_OP_BRANCH:
        made.kind = OG_NODE_CHOICE;
        made.c = pop_node(r);
        made.b = pop_node(r);
        made.a = pop_node(r);
        push_node(r, n, made);
        break;
    case OG_OP_EQ:
    case OG_OP_NE:
    case OG_OP_LT:
    case OG_OP_LE:
    case OG_OP_GT:
    case OG_OP_GE:
    case OG_OP_IN: read_comparison(r, n); break;
    case OG_OP_CALL: read_call(r, n); break;
    case OG_OP_LOOP: read_loop(r, n); break;
    default:
        r->depth -= n->operands;
        push_opaque(r, n, OG_FTU);
        break;
    }
}

int og_logic_expr(struct og_logic *g, const struct og_expr *e)
{
    static const struct og_expr_visitor visitor = { read_node, begin_operand };
    struct reader r = { .g = g };

    if (!e)
        return og_logic_true(g);
    og_expr_visit(e->root, &visitor, &r);
    return g->failed ? 0 : pop_node(&r);
}
