/*
 * Formulas over conditions, overrides and rules, and proofs that no order makes one of them true.
 */
#pragma once

#include "solver/constraint.h"

/* Truth values of a formula, as bits: false, true, unknown. */
enum { OG_F = 1, OG_T = 2, OG_U = 4, OG_FTU = 7 };

#define OG_LOGIC_NODES 1000
#define OG_LOGIC_INSTANCES \
    16 /* maximum number of groups of names: one each for the order, the session and names without a group, and one for
        * the legs of each loop */

enum og_node_kind {
    OG_NODE_OPAQUE,     /* a tree that is not analysed: its truth value is one of `set`, the same wherever the tree
                         * occurs */
    OG_NODE_CONST,      /* a constant, of type bool or another */
    OG_NODE_NAME,       /* the value of a name */
    OG_NODE_ITEM,       /* the item of a loop */
    OG_NODE_CONSTRAINT, /* a constraint on one name; unknown if the name has no value */
    OG_NODE_TERM,       /* a constraint on a number that the tree `term` computes from several names */
    OG_NODE_HAS,
    OG_NODE_AND,
    OG_NODE_OR,
    OG_NODE_NOT,
    OG_NODE_CHOICE, /* a ? b : c */
    OG_NODE_LOOP,   /* all() or exists() over the legs; `a` is its condition */
    OG_NODE_SELF,   /* a name compared with itself: if the name has a value, the truth value is one of `set` */
    OG_NODE_KINDS,  /* the order is of one of these kinds */
    OG_NODE_IS      /* `a` has one of the truth values in `set`; never unknown */
};

struct og_node {
    enum og_node_kind kind;
    int a, b, c, instance;
    unsigned set;
    uint64_t kinds;
    unsigned char macro;
    const struct og_expr_node *tree, *term; /* tree: the expression that the node was made from */
    const struct og_expr_value *value;
    struct og_constraint constraint;
};

/* Formulas under construction; each is an index of node.  The struct is large, so lint keeps one and reuses it. */
struct og_logic {
    struct og_node node[OG_LOGIC_NODES];
    int count, instances;
    bool failed; /* there was no room, or a tree could not be translated: nothing can be proved */
};

void og_logic_begin(struct og_logic *g);
int og_logic_expr(struct og_logic *g, const struct og_expr *e); /* NULL makes the formula true */
int og_logic_true(struct og_logic *g);
int og_logic_and(struct og_logic *g, int a, int b);
int og_logic_or(struct og_logic *g, int a, int b);
int og_logic_not(struct og_logic *g, int a);
int og_logic_is(struct og_logic *g, int a, unsigned set);
int og_logic_kinds(struct og_logic *g, uint64_t kinds);
int og_logic_name(struct og_logic *g, const char *name); /* a name of type bool */
/* Make the formula that the whole text of a name matches the pattern. Its truth value is unknown only if the match may
 * reach its limit. */
int og_logic_pattern(struct og_logic *g, const char *name, const struct og_pattern *p);
/* Compare a name with a number by OG_OP_LT to OG_OP_GE. */
int og_logic_number(struct og_logic *g, const char *name, unsigned char op, const struct og_expr_value *number);
/* Make the formula that the time of the decision is not after ns. */
int og_logic_until(struct og_logic *g, const struct og_expr_value *ns);

enum og_proof {
    OG_UNPROVED = 0,
    OG_PROVED_CLEAN, /* proved for clean orders only (struct og_universe) */
    OG_PROVED
};

/* Prove that no order of the universe gives the node a truth value in set.  Returns OG_UNPROVED also if the steps do
 * not suffice; subtracts the steps used from *steps. */
enum og_proof og_logic_never(const struct og_logic *g, int node, unsigned set, const struct og_universe *u,
                             long *steps);
/* Returns the kinds of clean orders for which og_logic_never() proved nothing. */
uint64_t og_logic_kinds_left(const struct og_logic *g, int node, unsigned set, const struct og_universe *u,
                             long *steps);

/* Returns true if both trees compute the same value (monotone.c). */
bool og_tree_is_same(const struct og_expr_node *x, const struct og_expr_node *y);
/* If x and y are the same comparison except for constants, returns the implications between them; 0 for other
 * comparisons. If the result is not 0, then either both are known or both are unknown, unless a name in them has
 * bounds: the bounds may decide one of them alone, and the implications then hold where both are decided.  kinds: by
 * group, the kinds that are still possible. */
enum {
    OG_IMPLIES_FORWARD = 1,  /* where x is true, y is true */
    OG_IMPLIES_BACKWARD = 2, /* where y is true, x is true */
    OG_IMPLIES_NEGATION = 4  /* the implications hold between x and the negation of y, as for "a > b" and "a <= b" */
};
unsigned og_tree_implies(const struct og_expr_node *x, const struct og_expr_node *y, const struct og_universe *u,
                         const uint64_t *kinds);
