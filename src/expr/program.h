/*
 * A compiled expression from the inside: instructions over a stack of values, and the tables that compiler and
 * evaluator share.  It refuses loops but those of OG_OP_NEXT, whose rounds are bounded by the length of a list.
 */
#ifndef OG_EXPR_PROGRAM_H
#define OG_EXPR_PROGRAM_H

#include "expr/expr.h"

enum og_expr_op {
    OG_OP_CONST,    /* push constant[arg], of kind aux */
    OG_OP_NAME,     /* push name arg */
    OG_OP_HAS_NAME, /* push whether it has a value */
    OG_OP_ITEM,     /* push the item of loop arg */
    OG_OP_LEG,      /* pop a leg, push its field arg */
    OG_OP_HAS_LEG,
    OG_OP_NOT,
    OG_OP_NEGATE,
    OG_OP_ADD, /* ADD to IN have in aux the kind of their values */
    OG_OP_SUB,
    OG_OP_MUL,
    OG_OP_DIV,
    OG_OP_MOD,
    OG_OP_EQ,
    OG_OP_NE,
    OG_OP_LT,
    OG_OP_LE,
    OG_OP_GT,
    OG_OP_GE,
    OG_OP_IN,       /* aux: of the items */
    OG_OP_IN_WORDS, /* in the list of constant[arg], by the words of constant[more]; pops the value alone */
    OG_OP_AND_JUMP, /* false on top: to arg */
    OG_OP_AND,
    OG_OP_OR_JUMP, /* true on top: to arg */
    OG_OP_OR,
    OG_OP_BRANCH, /* pop a condition: true goes on, false to arg, else it is the result, at more */
    OG_OP_JUMP,   /* to arg */
    OG_OP_CELL,   /* pop into cell arg */
    OG_OP_LIST,   /* push the list of count cells from arg */
    OG_OP_INDEX,  /* pop index and list, push the item; aux: 1 for legs */
    OG_OP_LOOP,   /* aux: enum og_expr_macro; pop a list, begin loop arg; an empty one goes to more */
    OG_OP_NEXT,   /* pop what the round came to; to more for the next, else push the loop's result */
    OG_OP_CALL    /* function arg over count values */
};

enum og_expr_macro { OG_MACRO_ALL, OG_MACRO_EXISTS, OG_MACRO_EXISTS_ONE };

/* How values are compared and counted: int and decimal are numbers, timestamp and duration ns. */
enum og_expr_operand_kind {
    OG_OPERAND_NUMBER,
    OG_OPERAND_TEXT,
    OG_OPERAND_TRUTH,
    OG_OPERAND_NS,
    OG_OPERAND_INT /* of / alone */,
    OG_OPERAND_LIST = 8
};

struct og_expr_instr {
    unsigned char op, aux;
    unsigned short count;
    int32_t arg, more;
    uint32_t at; /* offset in the text */
};

struct og_expr_list_name {
    struct og_str name;
    const struct og_expr_list_name *next;
};

struct og_expr {
    struct og_str text;
    const struct og_expr_instr *code;
    size_t length;
    const struct og_expr_value *constants;
    int type;
    unsigned reads, cost;
    const struct og_expr_list_name *lists;
};

/* --- values (operate.c) --- */

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

const char *og_expr_cause_text(enum og_expr_cause cause); /* "division by zero" */
enum og_expr_operand_kind og_expr_operand_kind_of(int type);
/* Of two of which one is not known, that one; of two, a missing fact before an error, and the left before the right. */
struct og_expr_value og_expr_propagate(struct og_expr_value a, struct og_expr_value b);
/* Three-valued, either side absorbing. */
struct og_expr_value og_expr_and(struct og_expr_value a, struct og_expr_value b);
struct og_expr_value og_expr_or(struct og_expr_value a, struct og_expr_value b);
/* OG_OP_ADD to OG_OP_IN over two values; text is made in room. */
struct og_expr_value og_expr_binary(unsigned char op, unsigned char kind, struct og_expr_value a,
                                    struct og_expr_value b, struct og_expr_room *room);
/* Of OG_OP_EQ to OG_OP_IN, when both are known. */
bool og_expr_compare(unsigned char op, unsigned char kind, const struct og_expr_value *a,
                     const struct og_expr_value *b);
struct og_expr_value og_expr_unary(unsigned char op, struct og_expr_value a);
int og_expr_text_cmp(struct og_str a, struct og_str b); /* by bytes, which of UTF-8 is by code points */
bool og_expr_divide(struct og_money a, struct og_money b, struct og_money *quotient);

/* Bytes that live until the room is used again; NULL: no more room. */
char *og_expr_room_take(struct og_expr_room *room, size_t len);
struct og_expr_value og_expr_room_text(struct og_expr_room *room, const char *text);

/* --- functions (functions.c) --- */

/* A last argument that must be written out, and is read when the expression is. */
enum og_expr_literal { OG_LITERAL_NONE = 0, OG_LITERAL_PATTERN, OG_LITERAL_ZONE /* may be left out: New York */ };

struct og_expr_function { /* one overload */
    const char *name;
    bool method; /* receiver.name(...) */
    int args;    /* the receiver counts */
    int type[2]; /* of each; of any list: OG_TYPE_LIST */
    int result;
    unsigned cost;
    void (*call)(struct og_expr_room *room, struct og_expr_value *arg); /* what it comes to replaces the first */
    enum og_expr_literal literal;
};
extern const struct og_expr_function og_expr_functions[]; /* name NULL ends them */
/* "America/New_York", "UTC", "-05:00" as a value of ns; false: no zone we know. */
bool og_expr_zone(struct og_str name, struct og_expr_value *zone);
#define OG_ZONE_EASTERN INT64_MAX
bool og_expr_duration_read(struct og_str s, int64_t *ns); /* "1h30m", "-1.5h", "0" */

/* --- names (names.c) --- */

struct og_expr_named {
    struct og_expr_name is;
    /* writes where the value is wanted: copying what was just written waits for it */
    void (*get)(const struct og_case *c, struct og_expr_room *room, const struct og_expr_named *name,
                struct og_expr_value *to);
    int key;      /* get's own */
    unsigned may; /* facts get asks for by itself: is.facts has them too */
};
extern const struct og_expr_named og_expr_named[], og_expr_leg_fields[];
extern const size_t og_expr_named_count;

/* A field of a leg. */
struct og_expr_value og_expr_leg_value(const struct og_case *c, struct og_expr_room *room, struct og_expr_value leg,
                                       const struct og_expr_named *field);
/* The facts are known and fresh; false: *v says which is not. */
bool og_expr_require_facts(const struct og_case *c, unsigned facts, const struct og_expr_named *name,
                           struct og_expr_value *v);

#endif
