/*
 * Proofs about conditions, by cases: every way in which and-or-not can come out as demanded is a set of comparisons of
 * names with values, and when each set contradicts itself nothing meets the demand.
 * It refuses to understand more than that: whatever else an expression has may come out either way.
 */
#include "lint/logic.h"

#include <ctype.h>

#include "base/time.h"
#include "expr/program.h"
#include "lint/domain.h"

#include "base/banned.h"

#define NODES_MOST 400
#define TAKEN_MOST 40 /* comparisons in one case */

enum node_kind { NODE_OPAQUE, NODE_TRUTH, NODE_AND, NODE_OR, NODE_NOT, NODE_COMPARE, NODE_NAME, NODE_VALUE };

struct node {
    enum node_kind kind;
    bool truth;       /* TRUTH */
    unsigned char op; /* COMPARE: name op value */
    unsigned char aux;
    const struct og_expr_named *name;
    const struct og_expr_value *value;
    int a, b;
};

struct tree {
    struct node node[NODES_MOST];
    int count, stack[OG_EXPR_STACK], depth;
    bool failed;
};

/* --- from program to tree --- */

static void push(struct tree *t, struct node n)
{
    if (t->count == NODES_MOST || t->depth == OG_EXPR_STACK) {
        t->failed = true;
        return;
    }
    t->node[t->count] = n;
    t->stack[t->depth++] = t->count++;
}

static int pop(struct tree *t)
{
    if (t->depth == 0) {
        t->failed = true;
        return 0;
    }
    return t->stack[--t->depth];
}

static void drop(struct tree *t, int count)
{
    while (count-- > 0)
        (void)pop(t);
    push(t, (struct node){ .kind = NODE_OPAQUE });
}

/* value op name is name op' value. */
static unsigned char turned(unsigned char op)
{
    switch (op) {
    case OG_OP_LT:
        return OG_OP_GT;
    case OG_OP_LE:
        return OG_OP_GE;
    case OG_OP_GT:
        return OG_OP_LT;
    case OG_OP_GE:
        return OG_OP_LE;
    default:
        return op;
    }
}

static void compare(struct tree *t, unsigned char op, unsigned char aux)
{
    int b = pop(t), a = pop(t);
    const struct node *x = &t->node[a], *y = &t->node[b];

    if (x->kind == NODE_NAME && y->kind == NODE_VALUE)
        push(t, (struct node){ .kind = NODE_COMPARE, .op = op, .aux = aux, .name = x->name, .value = y->value });
    else if (x->kind == NODE_VALUE && y->kind == NODE_NAME && op != OG_OP_IN)
        push(t,
             (struct node){ .kind = NODE_COMPARE, .op = turned(op), .aux = aux, .name = y->name, .value = x->value });
    else
        push(t, (struct node){ .kind = NODE_OPAQUE });
}

static void join(struct tree *t, enum node_kind kind)
{
    int b = pop(t), a = pop(t);

    push(t, (struct node){ .kind = kind, .a = a, .b = b });
}

/* One instruction; the next to be read is answered. */
static size_t take(struct tree *t, const struct og_expr *e, size_t at)
{
    const struct og_expr_instr *i = &e->code[at];
    const struct og_expr_value *v;

    switch (i->op) {
    case OG_OP_CONST:
        push(t, (struct node){ .kind = NODE_VALUE, .value = &e->constants[i->arg] });
        break;
    case OG_OP_NAME:
        push(t, (struct node){ .kind = NODE_NAME, .name = &og_expr_named[i->arg] });
        break;
    case OG_OP_AND_JUMP:
    case OG_OP_OR_JUMP:
        break; /* only saves time */
    case OG_OP_AND:
        join(t, NODE_AND);
        break;
    case OG_OP_OR:
        join(t, NODE_OR);
        break;
    case OG_OP_NOT:
        push(t, (struct node){ .kind = NODE_NOT, .a = pop(t) });
        break;
    case OG_OP_EQ:
    case OG_OP_NE:
    case OG_OP_LT:
    case OG_OP_LE:
    case OG_OP_GT:
    case OG_OP_GE:
    case OG_OP_IN:
        compare(t, i->op, i->aux);
        break;
    case OG_OP_IN_WORDS:
        v = &e->constants[i->arg];
        push(t, (struct node){ .kind = NODE_VALUE, .value = v });
        compare(t, OG_OP_IN, OG_KIND_TEXT);
        break;
    case OG_OP_HAS_NAME:
    case OG_OP_ITEM:
    case OG_OP_LIST:
        push(t, (struct node){ .kind = NODE_OPAQUE });
        break;
    case OG_OP_LEG:
    case OG_OP_HAS_LEG:
    case OG_OP_NEGATE:
        drop(t, 1);
        break;
    case OG_OP_ADD:
    case OG_OP_SUB:
    case OG_OP_MUL:
    case OG_OP_DIV:
    case OG_OP_MOD:
    case OG_OP_INDEX:
        drop(t, 2);
        break;
    case OG_OP_CELL:
        (void)pop(t);
        break;
    case OG_OP_CALL:
        drop(t, i->count);
        break;
    case OG_OP_BRANCH:
    case OG_OP_LOOP:
        drop(t, 1);
        return (size_t)i->more; /* what comes of it, nobody asks */
    default:
        t->failed = true;
        break;
    }
    return at + 1;
}

static int tree_of(struct tree *t, const struct og_expr *e)
{
    size_t at = 0;

    t->depth = 0;
    while (at < e->length && !t->failed) {
        size_t next = take(t, e, at);

        t->failed = t->failed || next <= at;
        at = next;
    }
    return pop(t);
}

/* --- cases --- */

struct cases {
    const struct tree *tree;
    const char *environment;
    struct og_limit taken[TAKEN_MOST]; /* what this case demands of names */
    int count;
    long steps; /* left */
};

struct pending { /* demands not yet looked at */
    int node;
    bool truth;
    const struct pending *next;
};

static bool may(struct cases *c, const struct pending *p);

static bool may_compare(struct cases *c, const struct og_expr_named *name, unsigned char op, unsigned char aux,
                        const struct og_expr_value *value, bool truth, const struct pending *rest)
{
    bool answer;

    if (c->count == TAKEN_MOST)
        return true;
    c->taken[c->count++] = (struct og_limit){ .name = name, .op = op, .aux = aux, .truth = truth, .value = value };
    answer = og_limits_agree(c->taken, c->count, name, c->environment) && may(c, rest);
    c->count--;
    return answer;
}

static bool may(struct cases *c, const struct pending *p)
{
    static const struct og_expr_value yes = { .as.truth = true };
    const struct node *n;
    struct pending first, second;

    if (!p || --c->steps < 0)
        return true; /* it may be so, or it is not known */
    n = &c->tree->node[p->node];
    switch (n->kind) {
    case NODE_NOT:
        first = (struct pending){ n->a, !p->truth, p->next };
        return may(c, &first);
    case NODE_AND:
    case NODE_OR:
        first = (struct pending){ n->a, p->truth, p->next };
        if (p->truth == (n->kind == NODE_AND)) { /* both */
            second = (struct pending){ n->b, p->truth, &first };
            return may(c, &second);
        }
        second = (struct pending){ n->b, p->truth, p->next };
        return may(c, &first) || may(c, &second);
    case NODE_VALUE:
        return n->value->as.truth == p->truth && may(c, p->next);
    case NODE_NAME:
        return may_compare(c, n->name, OG_OP_EQ, OG_KIND_TRUTH, &yes, p->truth, p->next);
    case NODE_COMPARE:
        return may_compare(c, n->name, n->op, n->aux, n->value, p->truth, p->next);
    default:
        return may(c, p->next);
    }
}

bool og_logic_excludes(struct og_demand a, struct og_demand b, const char *environment, long *steps)
{
    struct tree tree = { .count = 0 };
    struct cases c = { .tree = &tree, .environment = environment };
    struct pending first, second;
    const struct pending *p = NULL;
    bool proved;

    if (a.expr) {
        first = (struct pending){ tree_of(&tree, a.expr), a.truth, p };
        p = &first;
    }
    if (b.expr) {
        second = (struct pending){ tree_of(&tree, b.expr), b.truth, p };
        p = &second;
    }
    c.steps = *steps - tree.count;
    proved = p && !tree.failed && c.steps > 0 && !may(&c, p) && c.steps >= 0;
    *steps = c.steps > 0 ? c.steps : 0;
    return proved;
}

/* --- words --- */

/* What a comparison at instruction i holds a name or a leg's field against: the value and where it stands. */
static const struct og_expr_named *compared(const struct og_expr *e, size_t i, const struct og_expr_value **value,
                                            size_t *at)
{
    const struct og_expr_instr *code = &e->code[i];
    const struct og_expr_instr *name = NULL, *constant = NULL;

    if (code->op == OG_OP_IN_WORDS && i >= 1) {
        name = code - 1;
        constant = code;
    } else if (code->op >= OG_OP_EQ && code->op <= OG_OP_IN && i >= 2) {
        bool last = code[-1].op == OG_OP_CONST;

        constant = last ? code - 1 : code - 2;
        name = last ? code - 2 : code - 1;
    }
    if (!constant || (constant->op != OG_OP_CONST && constant->op != OG_OP_IN_WORDS))
        return NULL;
    *value = &e->constants[constant->arg];
    *at = constant->at;
    return name->op == OG_OP_NAME  ? &og_expr_named[name->arg]
           : name->op == OG_OP_LEG ? &og_expr_leg_fields[name->arg]
                                   : NULL;
}

/* Its texts: one, or those of the list. */
static size_t texts_of(const struct og_expr_instr *i, const struct og_expr_value *v, const struct og_expr_value **first)
{
    bool list = i->op == OG_OP_IN || i->op == OG_OP_IN_WORDS;

    *first = list ? v->as.list.at : v;
    return list ? v->as.list.count : 1;
}

static bool has(const char *const *words, struct og_str word)
{
    for (; *words; words++)
        if (og_str_is(word, *words))
            return true;
    return false;
}

bool og_logic_word(const struct og_expr *e, size_t i, struct og_logic_word *out)
{
    for (size_t k = 0; k < e->length; k++) {
        const struct og_expr_value *value, *text;
        size_t at, count;
        const struct og_expr_named *name = compared(e, k, &value, &at);
        const char *const *words = name ? og_domain_words(name->is.name) : NULL;

        count =
            words && (e->code[k].op < OG_OP_LT || e->code[k].op > OG_OP_GE) ? texts_of(&e->code[k], value, &text) : 0;
        for (size_t n = 0; n < count; n++)
            if (!has(words, text[n].as.text) && !(text[n].as.text.len == 0 && og_domain_lacks(name->is.name)) && i-- == 0) {
                *out = (struct og_logic_word){ name->is.name, text[n].as.text, at, words };
                return true;
            }
    }
    return false;
}

static bool is_small(struct og_str word)
{
    for (size_t i = 0; i < word.len; i++)
        if (islower((unsigned char)word.s[i]))
            return true;
    return false;
}

static bool is_odd_date(struct og_str word)
{
    static const char form[] = "9999-99-99";
    int part[3] = { 0 }, at = 0;

    if (word.len != sizeof form - 1)
        return true;
    for (size_t i = 0; i < word.len; i++) {
        if (form[i] == '-' ? word.s[i] != '-' : word.s[i] < '0' || word.s[i] > '9')
            return true;
        if (form[i] == '-')
            at++;
        else
            part[at] = part[at] * 10 + (word.s[i] - '0');
    }
    return !og_date_exists(part[0], part[1], part[2]);
}

static bool is_one_of(const char *name, const char *const *names)
{
    for (; *names; names++)
        if (strcmp(name, *names) == 0)
            return true;
    return false;
}

/* The i-th text that one of the names is held against and that is odd. */
static bool odd_text(const struct og_expr *e, size_t i, const char *const *names, bool (*odd)(struct og_str),
                     struct og_str *word, size_t *at)
{
    for (size_t k = 0; k < e->length; k++) {
        const struct og_expr_value *value, *text;
        const struct og_expr_named *name = compared(e, k, &value, at);
        size_t count = name && is_one_of(name->is.name, names) ? texts_of(&e->code[k], value, &text) : 0;

        for (size_t n = 0; n < count; n++)
            if (odd(text[n].as.text) && i-- == 0) {
                *word = text[n].as.text;
                return true;
            }
    }
    return false;
}

static bool is_any(struct og_str word)
{
    return word.len > 0;
}

static const char *const symbols[] = { "order.symbol", "order.underlying", "leg.symbol", "leg.underlying", NULL };

bool og_logic_symbol(const struct og_expr *e, size_t i, struct og_str *word, size_t *at)
{
    return odd_text(e, i, symbols, is_any, word, at);
}

bool og_logic_small_symbol(const struct og_expr *e, size_t i, struct og_str *word, size_t *at)
{
    return odd_text(e, i, symbols, is_small, word, at);
}

bool og_logic_odd_date(const struct og_expr *e, size_t i, struct og_str *text, size_t *at)
{
    static const char *const dates[] = { "session.date", "order.expiry", "leg.expiry", NULL };

    return odd_text(e, i, dates, is_odd_date, text, at);
}
