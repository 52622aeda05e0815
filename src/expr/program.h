/*
 * A compiled expression: its tree, the instructions for a stack of values that are made of it, and the tables that
 * compiler and evaluator share.  Only OG_OP_NEXT jumps backwards, at most once for each item of a list.
 */
#pragma once

#include "expr/expr.h"

enum og_expr_op {
#define OG_OP(name, pops, pushes) OG_OP_##name,
#include "expr/opcodes.def"
#undef OG_OP
};

enum og_expr_macro { OG_MACRO_ALL, OG_MACRO_EXISTS, OG_MACRO_EXISTS_ONE };

/* How the operands of an operator are compared and computed: int and decimal as numbers, timestamp and duration as
 * ns. */
enum og_expr_operand_kind {
    OG_OPERAND_NUMBER,
    OG_OPERAND_TEXT,
    OG_OPERAND_TRUTH,
    OG_OPERAND_NS,
    OG_OPERAND_INT /* only for the division of ints */,
    OG_OPERAND_ACCOUNT, /* texts that are compared with an account's id: without regard to case */
    OG_OPERAND_LIST = 8
};

struct og_expr_instr {
    unsigned char op, aux;
    unsigned short count;
    int32_t arg, more;
};

/* A node of the tree of an expression. The nodes are an array in postorder: a node comes after its operands, and the
 * last operand is directly before it. So a subtree is a run of nodes that ends with the subtree's root. */
struct og_expr_node {
    /* the instruction that computes the node; BRANCH: a ? b : c; LOOP: a macro over a list, with a body */
    unsigned char op;
    unsigned char aux;               /* the `aux` of the instruction that computes the node */
    unsigned char type;              /* enum og_expr_type */
    unsigned short operands, number; /* operands: number of operands; number: which operand of its parent the node is,
                                      * from 0 */
    int32_t arg, more; /* as in the instruction; for IN, more: the number of the hash index of words (0 if there is
                        * none) */
    uint32_t at;       /* offset in the text */
    uint32_t size;     /* nodes of its subtree, itself included */
    uint32_t parent;   /* distance to the node's parent, which comes later in the array; 0 if the node is the root */
    const struct og_expr_value *value; /* value of a constant */
};

static inline const struct og_expr_node *og_expr_first(const struct og_expr_node *root)
{
    return root - root->size + 1;
}
/* Returns the i-th operand of a node, from 0. */
const struct og_expr_node *og_expr_operand(const struct og_expr_node *n, int i);

/* Visits a tree in the order of evaluation, without recursion: a chain of operators may be thousands of nodes deep. */
struct og_expr_visitor {
    void (*node)(void *with, const struct og_expr_node *n); /* called after its operands were visited */
    /* Called before operand i >= 1 of node `of`.  Returns false to skip that operand and those after it.  NULL: visit
     * all. */
    bool (*operand)(void *with, const struct og_expr_node *of, int i);
};
void og_expr_visit(const struct og_expr_node *root, const struct og_expr_visitor *visitor, void *with);
/* The greatest number of nodes that are visited while their parents are not yet: those whose values are on the stack,
 * in cells, in loops or in a list of constants, and two for each conditional. */
#define OG_EXPR_PENDING_MOST (OG_EXPR_STACK + OG_EXPR_CELLS + OG_EXPR_LOOPS + 1 + 2 * OG_EXPR_DEPTH_MOST)

struct og_expr_list_name {
    struct og_str name;
    struct og_list_age age;
    const char *whole; /* "lists.NAME" */
    const struct og_expr_list_name *next;
};

struct og_expr {
    struct og_str text;
    const struct og_expr_node *root;
    const struct og_expr_instr *code;
    size_t length;
    const struct og_expr_value *constants;
    int type;
    unsigned reads, cost;
    const struct og_expr_list_name *lists;
    bool ages; /* one of the lists has a limit on its age: the expression is unknown if that list is too old */
};

/* Emit the instructions of a tree.  Returns NULL if out of memory. */
const struct og_expr_instr *og_expr_emit(const struct og_expr_node *root, struct og_arena *keep, size_t *length);

/* --- values (operate.c) ------------------------------------------------------------------------------------------- */

struct og_expr_value og_expr_error(enum og_expr_cause cause, const char *name);
static inline struct og_expr_value og_expr_truth_value(bool truth)
{
    return (struct og_expr_value){ .as.truth = truth };
}
static inline struct og_expr_value og_expr_number(struct og_money m)
{
    return (struct og_expr_value){ .as.number = m };
}
static inline struct og_expr_value og_expr_int(int64_t n)
{
    return og_expr_number(og_money_from(n));
}
static inline struct og_expr_value og_expr_ns(int64_t ns)
{
    return (struct og_expr_value){ .as.ns = ns };
}
static inline struct og_expr_value og_expr_string(struct og_str s)
{
    return (struct og_expr_value){ .as.text = s };
}

const char *og_expr_cause_text(enum og_expr_cause cause); /* text of a cause, such as "division by zero" */
enum og_expr_operand_kind og_expr_operand_kind_of(int type);
/* Returns the result of an operator if one operand or both are not known: UNKNOWN goes before ERROR, then the left
 * operand's state. */
struct og_expr_value og_expr_propagate(struct og_expr_value a, struct og_expr_value b);
/* Three-valued logic: false decides `and`, true decides `or`, even if the other operand is not known. */
struct og_expr_value og_expr_and(struct og_expr_value a, struct og_expr_value b);
struct og_expr_value og_expr_or(struct og_expr_value a, struct og_expr_value b);
/* Apply one of the operators from OG_OP_ADD to OG_OP_IN.  If the result is a text, it is made in the room. */
struct og_expr_value og_expr_binary(unsigned char op, unsigned char kind, struct og_expr_value a,
                                    struct og_expr_value b, struct og_expr_room *room);
/* Apply one of the comparisons from OG_OP_EQ to OG_OP_IN to known values. */
bool og_expr_compare(unsigned char op, unsigned char kind, const struct og_expr_value *a,
                     const struct og_expr_value *b);
struct og_expr_value og_expr_unary(unsigned char op, struct og_expr_value a);
/* Apply an operator to two values on the stack of which at least one is unknown; a, b: bounds of those that are ranged.
 * The result replaces *x: an unknown number with bounds (then *a is set), the truth value that a comparison has for all
 * values within the bounds, or an unknown value. */
void og_expr_binary_ranged(const struct og_expr_instr *i, struct og_expr_value *x, struct og_range *a,
                           const struct og_expr_value *y, const struct og_range *b);
/* Write bounds as "at least 5", "at most 5" or "5 to 7". */
void og_expr_range_text(const struct og_range *r, struct og_buf *b);
int og_expr_text_cmp(struct og_str a, struct og_str b); /* compares bytes, which orders UTF-8 by code points */
bool og_expr_divide(struct og_money a, struct og_money b, struct og_money *quotient);

/* Take bytes that live until the room is used again.  Returns NULL if there is no more room. */
char *og_expr_room_take(struct og_expr_room *room, size_t len);
struct og_expr_value og_expr_room_text(struct og_expr_room *room, const char *text);

/* --- functions (functions.c) -------------------------------------------------------------------------------------- */

/* Which literal the last argument of a function must be; it is read when the expression is compiled. */
enum og_expr_literal {
    OG_LITERAL_NONE = 0,
    OG_LITERAL_PATTERN,
    OG_LITERAL_ZONE /* a time zone, which may be left out: then it is New York */
};

struct og_expr_function { /* one overload of a function */
    const char *name;
    bool method; /* called as receiver.name(...) */
    int args;    /* number of arguments, with the receiver */
    int type[2]; /* type of each argument; OG_TYPE_LIST: a list of any type */
    int result;
    unsigned cost;
    void (*call)(struct og_expr_room *room, struct og_expr_value *arg); /* replaces the first argument by the result */
    enum og_expr_literal literal;
    bool of_account; /* the overload for a receiver that is an account's id */
};
extern const struct og_expr_function og_expr_functions[]; /* ends with name NULL */
/* Read "America/New_York", "UTC" or "-05:00" as a value in ns.  Returns false if the zone is not known. */
bool og_expr_zone(struct og_str name, struct og_expr_value *zone);
#define OG_ZONE_EASTERN INT64_MAX

/* --- names (names.c) ---------------------------------------------------------------------------------------------- */

struct og_expr_named {
    struct og_expr_name is;
    /* writes to *to, so that the value is not copied */
    void (*get)(const struct og_case *c, struct og_expr_room *room, const struct og_expr_named *name,
                struct og_expr_value *to);
    int key;      /* key for the getter, which serves several names */
    unsigned may; /* the facts of is.facts that the getter itself checks */
    /* an unknown value may have bounds: those that the getter gives, or, if facts are missing, at least 0 */
    bool bounded;
};
/* The names, then the fields of a leg, in the sequence of expr/names.def. */
extern const struct og_expr_named og_expr_named[];
enum {
    OG_EXPR_NAMES = 0
#define OG_NAME(...) +1
#define OG_LEG_NAME(...)
#include "expr/names.def"
#undef OG_NAME
#undef OG_LEG_NAME
};
#define og_expr_leg_fields (og_expr_named + OG_EXPR_NAMES)
/* returns the entry of a name, such as "order.symbol", which must exist */
const struct og_expr_named *og_expr_name_called(const char *name);

/* Returns the value of a field of a leg. */
struct og_expr_value og_expr_leg_value(const struct og_case *c, struct og_expr_room *room, struct og_expr_value leg,
                                       const struct og_expr_named *field);
/* Returns true if the facts are known and fresh. If not, sets *v to an unknown value that names the first fact that is
 * missing or too old. */
bool og_expr_require_facts(const struct og_case *c, unsigned facts, const struct og_expr_named *name,
                           struct og_expr_value *v);
