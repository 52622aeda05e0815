/*
 * What can be proved of conditions, overrides and rules without an order: that no order makes a formula over them true.
 */
#ifndef OG_SOLVER_LOGIC_H
#define OG_SOLVER_LOGIC_H

#include "solver/constraint.h"

/* What a formula comes to, as sets. */
enum { OG_F = 1, OG_T = 2, OG_U = 4, OG_FTU = 7 };

#define OG_LOGIC_NODES     1000
#define OG_LOGIC_INSTANCES 16 /* of groups: the order, the session, what stands alone, legs of a loop each */

enum og_node_kind {
    OG_NODE_OPAQUE,     /* bytes of a program: whatever it comes to, one of set, it does everywhere */
    OG_NODE_CONST,      /* a truth, or a value */
    OG_NODE_NAME,       /* a value */
    OG_NODE_ITEM,       /* the leg of a loop */
    OG_NODE_CONSTRAINT, /* a limit on a name; unknown where the name is not known */
    OG_NODE_TERM,       /* a limit on a number made of several names, by code [term, term_to) */
    OG_NODE_HAS,
    OG_NODE_AND,
    OG_NODE_OR,
    OG_NODE_NOT,
    OG_NODE_CHOICE, /* a ? b : c */
    OG_NODE_LOOP,   /* a over legs, by macro op */
    OG_NODE_SELF,   /* a name held against itself: one of set, where it is known */
    OG_NODE_KINDS,  /* the order is of these rows */
    OG_NODE_IS      /* a comes to one of a set: true or false, never unknown */
};

struct og_node {
    enum og_node_kind kind;
    int a, b, c, instance;
    unsigned set;
    uint64_t kinds;
    unsigned char macro;
    const struct og_expr *expr; /* OPAQUE, ITEM and all else made of code: it is [from, to) of it */
    size_t from, to, term, term_to;
    const struct og_expr_value *value;
    struct og_constraint constraint;
};

/* Formulas under construction, each a number.  It is large: lint keeps one and begins it anew. */
struct og_logic {
    struct og_node node[OG_LOGIC_NODES];
    int count, instances;
    bool failed; /* there was no room, or a program was not understood: nothing is proved */
};

void og_logic_begin(struct og_logic *g);
int og_logic_expr(struct og_logic *g, const struct og_expr *e); /* NULL: true */
int og_logic_true(struct og_logic *g);
int og_logic_and(struct og_logic *g, int a, int b);
int og_logic_or(struct og_logic *g, int a, int b);
int og_logic_not(struct og_logic *g, int a);
int og_logic_is(struct og_logic *g, int a, unsigned set);
int og_logic_kinds(struct og_logic *g, uint64_t kinds);
int og_logic_name(struct og_logic *g, const char *name); /* of a truth */
/* The text of a name as a whole matches; never unknown. */
int og_logic_pattern(struct og_logic *g, const char *name, const struct og_pattern *p);
/* A name against a number, by OG_OP_LT to OG_OP_GE. */
int og_logic_number(struct og_logic *g, const char *name, unsigned char op, const struct og_expr_value *number);
/* It is not yet later than that. */
int og_logic_until(struct og_logic *g, const struct og_expr_value *ns);

enum og_proof {
    OG_UNPROVED = 0,
    OG_PROVED_CLEAN, /* but an order could that says what the service ignores on its kind, as a limit on a Market one */
    OG_PROVED
};

/* No order of that universe makes it one of the set.  Unproved too: not within so many
 * steps; those taken are subtracted. */
enum og_proof og_logic_never(const struct og_logic *g, int node, unsigned set, const struct og_universe *u,
                             long *steps);
/* Rows of orders of which that was not proved, of those that carry what their kind does. */
uint64_t og_logic_kinds_left(const struct og_logic *g, int node, unsigned set, const struct og_universe *u,
                             long *steps);

/* Pieces of programs (monotone.c): they do the same. */
struct og_code_span {
    const struct og_expr *expr;
    size_t from, to;
};
bool og_code_is_same(struct og_code_span x, struct og_code_span y);
/* They are the same comparison but for constants, so that where the one is true the other is; each is known where the
 * other is.  rows: that are left of each group. */
enum {
    OG_IMPLIES_FORWARD = 1,  /* where x is true, y is */
    OG_IMPLIES_BACKWARD = 2, /* where y is, x is */
    OG_IMPLIES_NEGATION = 4  /* all that is said of what y is not: "a > b" of "a <= b" */
};
unsigned og_code_implies(struct og_code_span x, struct og_code_span y, const struct og_universe *u,
                         const uint64_t *kinds);

#endif
