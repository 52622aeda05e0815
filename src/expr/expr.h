/*
 * Expressions of policies: a typed subset of the Common Expression Language over one order and what is known of its
 * account, with exact decimals in place of doubles (tools/ordergate-expressions.7 is the manual).
 * Compiled once to a flat program whose worst cost is known; evaluating it allocates nothing and has no loop but over
 * legs and lists.  It refuses to guess: what is not known is UNKNOWN, which is neither true nor false.
 */
#ifndef OG_EXPR_EXPR_H
#define OG_EXPR_EXPR_H

#include "base/arena.h"
#include "base/buf.h"
#include "rules/rule.h"
#include "text/pattern.h"

/* --- types and values ------------------------------------------------------------------------------------------- */

/* Types; a list of one is OG_TYPE_LIST | it, the empty list OG_TYPE_LIST alone. */
enum og_expr_type {
    OG_TYPE_ANY = 0, /* of the elements of [] */
    OG_TYPE_BOOL,
    OG_TYPE_INT,     /* 64 bits */
    OG_TYPE_DECIMAL, /* og_money; an int stands wherever a decimal may */
    OG_TYPE_STRING,
    OG_TYPE_TIMESTAMP,
    OG_TYPE_DURATION,
    OG_TYPE_LEG,
    OG_TYPE_LIST = 16
};
const char *og_expr_type_name(int type); /* "decimal", "list(string)"; static */

enum og_expr_state { OG_EXPR_KNOWN = 0, OG_EXPR_UNKNOWN, /* a fact is missing or too old */ OG_EXPR_ERROR };

/* Why a value is not known. */
enum og_expr_cause {
    OG_CAUSE_NONE = 0,
    OG_CAUSE_FACT,     /* .fact is missing, stale, or of a moment to come */
    OG_CAUSE_NO_VALUE, /* the order, or the document, has no such value */
    OG_CAUSE_WRONG,    /* it has one of another type, or beyond counting */
    OG_CAUSE_PRICE,    /* the order has no price to count it by */
    OG_CAUSE_UNPRICED, /* some position or working order has no known value or size */
    OG_CAUSE_CALENDAR, /* the day is beyond the calendar */
    OG_CAUSE_OVERFLOW,
    OG_CAUSE_ZERO, /* division by zero */
    OG_CAUSE_INDEX,
    OG_CAUSE_CONVERSION,
    OG_CAUSE_PATTERN, /* the pattern gave up at its limits */
    OG_CAUSE_TEXT     /* more text than there is room for */
};

struct og_expr_value {
    enum og_expr_state state;
    union {
        bool truth;
        struct og_money number; /* int: scale 0 */
        int64_t ns;             /* timestamp since 1970, or duration */
        struct og_str text;
        const struct og_leg *leg;
        const struct og_pattern *pattern; /* these two are the program's own */
        const struct og_string_set *words;
        struct {
            const struct og_expr_value *at; /* of legs: NULL, and they are the order's */
            size_t count;
        } list;
        struct {
            enum og_expr_cause cause;
            enum og_fact fact;
            const char *name; /* "order.limitPrice"; NULL: no name's */
        } why;                /* not KNOWN */
    } as;
};

/* --- compiling -------------------------------------------------------------------------------------------------- */

struct og_expr; /* compiled; constant, shared between threads; lives in the arena */

/* A named list, lists.NAME.  values is NULL until it is first named; then it, and the index of the words, live in the
 * arena of the expression that did, which all that share the lists have to share too. */
struct og_expr_list {
    struct og_str name; /* NUL-terminated */
    struct og_string_set words;
    const struct og_expr_value *values;
};
struct og_expr_names {
    struct og_expr_list *lists;
    size_t count;
};

enum og_expr_want { OG_EXPR_BOOL = 1, OG_EXPR_ANY };

/* Why a text is no expression.  code: "expression-syntax", "expression-type", "expression-unknown-name",
 * "expression-unsupported", "expression-value", "expression-pattern", "expression-too-large"; NULL: out of memory. */
struct og_expr_fault {
    size_t at; /* byte offset in the text */
    const char *code;
    char text[300]; /* lower case; names what is there, what may be, and the nearest neighbour */
};

#define OG_EXPR_BYTES_MOST 16384  /* of one expression */
#define OG_EXPR_DEPTH_MOST 64     /* parentheses, calls, lists and conditions in one another */
#define OG_EXPR_ITEMS_MOST 1000   /* of a list written out */
#define OG_EXPR_COST_MOST  100000 /* steps at worst, legs and lists multiplied */

/* NULL: fault says why.  names may be NULL: there are no lists.  Patterns made are put before *patterns, for the owner
 * of the arena to free; what the expression points to is the arena's, and the lists'. */
const struct og_expr *og_expr_compile(struct og_str text, enum og_expr_want want, const struct og_expr_names *names,
                                      struct og_arena *keep, struct og_patterns **patterns,
                                      struct og_expr_fault *fault);

int og_expr_type_of(const struct og_expr *e);
unsigned og_expr_reads(const struct og_expr *e); /* OG_FACT_* it may ask for */
unsigned og_expr_cost(const struct og_expr *e);  /* steps at worst */
/* The pointer of the first field of the order it reads; "" when it reads none. */
const char *og_expr_field(const struct og_expr *e);
struct og_str og_expr_text(const struct og_expr *e); /* as written */
/* The i-th name it reads, in the order of the table; NULL past the end.  "order.symbol" */
const char *og_expr_name_used(const struct og_expr *e, size_t i);
/* It reads one of the names, which end with NULL; no expression (NULL) reads none. */
bool og_expr_reads_one_of(const struct og_expr *e, const char *const *names);
/* The i-th named list, in the order written; len 0 past the end. */
struct og_str og_expr_list_used(const struct og_expr *e, size_t i);
bool og_expr_reads_list(const struct og_expr *e, struct og_str list); /* e may be NULL */
/* It is the same for every order: *truth says which.  Of OG_EXPR_BOOL. */
bool og_expr_is_constant(const struct og_expr *e, bool *truth);

/* --- evaluating ------------------------------------------------------------------------------------------------- */

#define OG_EXPR_STACK 96
#define OG_EXPR_CELLS 256
#define OG_EXPR_LOOPS 8
#define OG_EXPR_TEXT  4096

struct og_expr_loop {
    const struct og_expr_value *at;
    size_t i, count, found, text_len;
    struct og_expr_value result, item;
};

/* What one thread needs; no part of it has to be set but patterns. */
struct og_expr_room {
    struct og_pattern_room *patterns;
    struct og_expr_value stack[OG_EXPR_STACK], cell[OG_EXPR_CELLS];
    struct og_expr_loop loop[OG_EXPR_LOOPS];
    size_t text_len;
    char text[OG_EXPR_TEXT];
};

struct og_expr_why {
    enum og_expr_state state; /* UNKNOWN or ERROR */
    enum og_expr_cause cause;
    enum og_fact fact;
    const char *name;
};

enum og_truth { OG_TRUTH_FALSE = 0, OG_TRUTH_TRUE, OG_TRUTH_UNKNOWN };

/* Of an OG_EXPR_BOOL.  why may be NULL; it is set when the answer is UNKNOWN.  Facts it asks for are marked in
 * c->asked. */
enum og_truth og_expr_truth(const struct og_expr *e, const struct og_case *c, struct og_expr_room *room,
                            struct og_expr_why *why);
/* Texts and lists of the value live until the room is used again. */
struct og_expr_value og_expr_value_of(const struct og_expr *e, const struct og_case *c, struct og_expr_room *room);
/* "quotes of GME not known", "quotes is 5s old, 2s is the most allowed", "the order has no order.limitPrice". */
void og_expr_why_text(const struct og_expr_why *why, const struct og_case *c, struct og_buf *b);
/* As in a message: text from outside is masked and shortened; what is not known is "?". */
void og_expr_value_text(struct og_expr_value v, int type, struct og_buf *b);

/* --- messages --------------------------------------------------------------------------------------------------- */

/* Text with expressions in braces: "short of {order.symbol} (limit {order.limitPrice})"; "{{" and "}}" are braces. */
struct og_expr_message;

/* As og_expr_compile(). */
const struct og_expr_message *og_expr_message_compile(struct og_str text, const struct og_expr_names *names,
                                                      struct og_arena *keep, struct og_patterns **patterns,
                                                      struct og_expr_fault *fault);
/* Never fails: a part that is not known is "?". */
void og_expr_message_render(const struct og_expr_message *m, const struct og_case *c, struct og_expr_room *room,
                            struct og_buf *b);
/* The expressions in it; NULL past the end. */
const struct og_expr *og_expr_message_part(const struct og_expr_message *m, size_t i);

/* --- names ------------------------------------------------------------------------------------------------------ */

/* What an expression may name, for the manual, the schema, completion and lint. */
struct og_expr_name {
    const char *name; /* "order.limitPrice"; of a leg: "leg.symbol" */
    int type;
    const char *unit;  /* "dollars"; "" for none */
    unsigned facts;    /* OG_FACT_* it needs */
    const char *field; /* pointer of the field of the order it is made of; "" for none */
    const char *help;  /* one line, no full stop */
};
const struct og_expr_name *og_expr_name_at(size_t i); /* NULL past the end */

#endif
