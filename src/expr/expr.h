/*
 * Expressions of policies: a typed subset of the Common Expression Language over one order and the facts of its
 * account, with exact decimals instead of doubles (manual: tools/ordergate-expressions.7).
 * An expression is compiled once, to a flat program whose worst-case cost is known.  Evaluation allocates nothing, and
 * loops only over legs and lists.  A value that is not known is UNKNOWN, which is neither true nor false.
 */
#pragma once

#include "base/arena.h"
#include "base/buf.h"
#include "base/range.h"
#include "rules/list_age.h"
#include "rules/rule.h"
#include "text/pattern.h"

/* --- types and values --------------------------------------------------------------------------------------------- */

/* Types.  A list is OG_TYPE_LIST | type of its items; the empty list is OG_TYPE_LIST alone. */
enum og_expr_type {
    OG_TYPE_ANY = 0, /* type of the items of the empty list [] */
    OG_TYPE_BOOL,
    OG_TYPE_INT,     /* 64 bits */
    OG_TYPE_DECIMAL, /* og_money; an int may be used in place of a decimal */
    OG_TYPE_STRING,
    OG_TYPE_TIMESTAMP,
    OG_TYPE_DURATION,
    OG_TYPE_LEG,
    OG_TYPE_LIST = 16
};
const char *og_expr_type_name(int type); /* name of a type, such as "decimal" or "list(string)"; static */

enum og_expr_state { OG_EXPR_KNOWN = 0, OG_EXPR_UNKNOWN, /* a fact is missing or too old */ OG_EXPR_ERROR };

/* Why a value is not known. */
enum og_expr_cause {
    OG_CAUSE_NONE = 0,
    OG_CAUSE_FACT,     /* .fact is missing, too old or dated in the future */
    OG_CAUSE_NO_VALUE, /* the order or document has no such value */
    OG_CAUSE_WRONG,    /* the value has another type, or overflows */
    OG_CAUSE_PRICE,    /* the order has no price */
    OG_CAUSE_UNPRICED, /* the value or size of a position or working order is unknown */
    OG_CAUSE_LIST,     /* a named list is older than the policy allows */
    OG_CAUSE_CALENDAR, /* the day is after the end of the calendar */
    OG_CAUSE_OVERFLOW,
    OG_CAUSE_ZERO, /* division by zero */
    OG_CAUSE_INDEX,
    OG_CAUSE_CONVERSION,
    OG_CAUSE_PATTERN, /* the pattern reached its match limit */
    OG_CAUSE_TEXT     /* the text is longer than the room for it */
};

struct og_expr_value {
    enum og_expr_state state;
    /* The number is unknown, but has bounds: they are in `range` of the room, at the value's place on the stack.  Set
     * only by the evaluator. */
    bool ranged;
    union {
        bool truth;
        struct og_money number; /* int: scale 0 */
        int64_t ns;             /* timestamp since 1970, or duration */
        struct og_str text;
        const struct og_leg *leg;
        const struct og_pattern *pattern; /* pattern and words are owned by the program */
        const struct og_string_set *words;
        struct {
            const struct og_expr_value *at; /* the items of a list; NULL stands for the order's legs */
            size_t count;
        } list;
        struct {
            enum og_expr_cause cause;
            enum og_fact fact;
            /* the name without a value, such as "order.limitPrice"; NULL if the cause is not a name */
            const char *name;
        } why; /* why the value is not known; only if state is not KNOWN */
    } as;
};

/* --- compiling ---------------------------------------------------------------------------------------------------- */

struct og_expr; /* a compiled expression in an arena; constant, so threads may share it */

/* A named list, lists.NAME.  `values` is NULL until an expression uses the list.  Then `values` and the index of the
 * words are in the arena of that expression, so all expressions that use the list must share one arena. */
struct og_expr_list {
    struct og_str name; /* NUL-terminated */
    struct og_string_set words;
    struct og_list_age age;
    const struct og_expr_value *values;
};
struct og_expr_names {
    struct og_expr_list *lists;
    size_t count;
};

enum og_expr_want { OG_EXPR_BOOL = 1, OG_EXPR_ANY };

/* Why a text is not an expression.  code: "expression-syntax", "expression-type", "expression-unknown-name",
 * "expression-unsupported", "expression-value", "expression-pattern", "expression-too-large"; NULL if out of memory. */
struct og_expr_diagnostic {
    size_t at; /* byte offset in the text */
    const char *code;
    char text[300]; /* lower case; names what was found, what is allowed, and the nearest name */
};

#define OG_EXPR_BYTES_MOST 16384  /* maximum length of one expression in bytes */
#define OG_EXPR_DEPTH_MOST 64     /* maximum nesting of parentheses, calls, lists and conditionals */
#define OG_EXPR_ITEMS_MOST 1000   /* maximum number of items of a list literal */
#define OG_EXPR_COST_MOST  100000 /* maximum number of steps that an expression may take, with loops multiplied out */

/* Compile an expression.  Returns NULL on failure; diagnostic says why.  names may be NULL if there are no named
 * lists. Patterns are added at the front of the list *patterns, which the owner of the arena frees. All other memory
 * is in the arena, or in the named lists. */
const struct og_expr *og_expr_compile(struct og_str text, enum og_expr_want want, const struct og_expr_names *names,
                                      struct og_arena *keep, struct og_patterns **patterns,
                                      struct og_expr_diagnostic *diagnostic);

int og_expr_type_of(const struct og_expr *e);
unsigned og_expr_reads(const struct og_expr *e); /* returns OG_FACT_* of all facts that an evaluation may read */
unsigned og_expr_cost(const struct og_expr *e);  /* returns the maximum number of steps of an evaluation */
/* Returns the JSON pointer of the first field of the order that the expression reads; "" if it reads none. */
const char *og_expr_field(const struct og_expr *e);
struct og_str og_expr_text(const struct og_expr *e); /* the source text */
/* Returns the i-th name that the expression reads, such as "order.symbol", in the sequence of the table of names; NULL
 * past the end. */
const char *og_expr_name_used(const struct og_expr *e, size_t i);
/* Returns true if the expression (NULL if there is none) reads one of the names, which end with NULL. */
bool og_expr_reads_one_of(const struct og_expr *e, const char *const *names);
/* Returns the i-th named list that the expression uses, in the sequence of the text; len 0 past the end. */
struct og_str og_expr_list_used(const struct og_expr *e, size_t i);
bool og_expr_reads_list(const struct og_expr *e, struct og_str list); /* e may be NULL */
/* Returns true if an OG_EXPR_BOOL is the same for every order; *truth is its value. */
bool og_expr_is_constant(const struct og_expr *e, bool *truth);

/* --- evaluating --------------------------------------------------------------------------------------------------- */

#define OG_EXPR_STACK 96
#define OG_EXPR_CELLS 256
#define OG_EXPR_LOOPS 8
#define OG_EXPR_TEXT  4096

struct og_expr_loop {
    const struct og_expr_value *at;
    size_t i, count, found, text_len;
    struct og_expr_value result, item;
};

/* Scratch memory for evaluation, one for each thread.  Only the member `patterns` has to be set. */
struct og_expr_room {
    struct og_pattern_room *patterns;
    struct og_expr_value stack[OG_EXPR_STACK], cell[OG_EXPR_CELLS];
    struct og_expr_loop loop[OG_EXPR_LOOPS];
    struct og_range range[OG_EXPR_STACK]; /* bounds of the values on the stack that are ranged */
    struct og_range given;                /* bounds of the value that a getter returned, if that value is ranged */
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

/* Evaluate an OG_EXPR_BOOL.  *why (why may be NULL) is set if the value is UNKNOWN.  Facts that are read are added to
 * *c->asked. */
enum og_truth og_expr_truth(const struct og_expr *e, const struct og_case *c, struct og_expr_room *room,
                            struct og_expr_why *why);
/* Evaluate an expression of any type. Texts and lists of the value live until the room is used again. */
struct og_expr_value og_expr_value_of(const struct og_expr *e, const struct og_case *c, struct og_expr_room *room);
/* Write why a value is unknown: "quotes of GME not known", "quotes is 5s old, 2s is the most allowed", "there is no
 * order.limitPrice". */
void og_expr_why_text(const struct og_expr_why *why, const struct og_case *c, struct og_buf *b);
/* Returns true if a value is unknown because a fact is older than the policy allows. */
bool og_expr_why_is_stale(const struct og_expr_why *why, const struct og_case *c);
/* Write a value as in a message: text from outside is masked and shortened; an unknown value is "?". */
void og_expr_value_text(struct og_expr_value v, int type, struct og_buf *b);

/* --- messages ----------------------------------------------------------------------------------------------------- */

/* A text with expressions in braces: "short of {order.symbol} (limit {order.limitPrice})".  "{{" and "}}" are
 * braces. */
struct og_expr_message;

/* Compile a message; arguments and result are like those of og_expr_compile(). */
const struct og_expr_message *og_expr_message_compile(struct og_str text, const struct og_expr_names *names,
                                                      struct og_arena *keep, struct og_patterns **patterns,
                                                      struct og_expr_diagnostic *diagnostic);
/* Write the message.  Never fails: an unknown value is "?", or its bounds ("at least 5"). */
void og_expr_message_render(const struct og_expr_message *m, const struct og_case *c, struct og_expr_room *room,
                            struct og_buf *b);
/* Returns the i-th expression in the message; NULL past the end. */
const struct og_expr *og_expr_message_part(const struct og_expr_message *m, size_t i);

/* --- names -------------------------------------------------------------------------------------------------------- */

enum og_measure {
    OG_MEASURE_NONE,
    OG_MEASURE_PRICE,
    OG_MEASURE_SPREAD,
    OG_MEASURE_WORTH,
    OG_MEASURE_EQUITY, /* dollars: the equity of an account */
    OG_MEASURE_LOSS,
    OG_MEASURE_QUANTITY,
    OG_MEASURE_VOLUME,
    OG_MEASURE_SYMBOL,
    OG_MEASURE_DATE,
    OG_MEASURE_TIME
};

/* A name that expressions may use, for the manual, the schema, completion and lint. */
struct og_expr_name {
    const char *name; /* "order.limitPrice"; for a leg "leg.symbol" */
    int type;
    const char *unit; /* "dollars"; "" for none */
    enum og_measure measure;
    unsigned facts;    /* OG_FACT_* that the value needs */
    const char *field; /* JSON pointer of the order's field that the value comes from; "" for none */
    const char *help;  /* one line, no full stop */
};
const struct og_expr_name *og_expr_name_at(size_t i); /* NULL past the end */
