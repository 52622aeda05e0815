/*
 * Which values the names of expressions can have in an order that the service accepts: for each kind of order, of
 * session and of leg, whether a name has a value there, and which.
 */
#pragma once

#include "base/range.h"
#include "expr/program.h"

/* State of a name for one order, as bits.  KNOWN: the name has a value.  ABSENT: the order has no such field.  UNKNOWN:
 * a fact is missing, there is no price to compute the value with, or the value overflows.  EMPTY: a text that the order
 * lacks, read as "".  BOUNDED: unknown, but with bounds, so that comparisons with the name may be known
 * (expr/ranges.c). */
enum {
    OG_NAME_KNOWN = 1,
    OG_NAME_ABSENT = 2,
    OG_NAME_UNKNOWN = 4,
    OG_NAME_EMPTY = 8,
    OG_NAME_BOUNDED = 16,
    OG_NAME_ANY_STATE = 31
};
#define OG_NAME_HAS_VALUE (OG_NAME_KNOWN | OG_NAME_EMPTY)
#define OG_NAME_NO_VALUE  (OG_NAME_ABSENT | OG_NAME_UNKNOWN | OG_NAME_BOUNDED)

/* Names of a group depend on one another.  Each group has up to 64 kinds (of orders, sessions, legs), kept as bit
 * sets. A name of OG_GROUP_ALONE depends on no other name. */
enum og_name_group { OG_GROUP_ORDER, OG_GROUP_SESSION, OG_GROUP_LEG, OG_GROUP_ALONE };

/* Names about which the solver knows more than their type. */
enum og_attribute {
    OG_ATTRIBUTE_OTHER,
    OG_ATTRIBUTE_SECURITY,
    OG_ATTRIBUTE_SYMBOL,
    OG_ATTRIBUTE_SIDE,
    OG_ATTRIBUTE_OPEN_CLOSE,
    OG_ATTRIBUTE_TYPE,
    OG_ATTRIBUTE_QUANTITY,
    OG_ATTRIBUTE_CONTRACTS,
    OG_ATTRIBUTE_TIF,
    OG_ATTRIBUTE_LIMIT,
    OG_ATTRIBUTE_STOP,
    OG_ATTRIBUTE_LEGS,
    OG_ATTRIBUTE_LEG_COUNT,
    OG_ATTRIBUTE_ACTION,
    OG_ATTRIBUTE_OPENS,
    OG_ATTRIBUTE_REDUCES,
    OG_ATTRIBUTE_PRICE,
    OG_ATTRIBUTE_NOTIONAL,
    OG_ATTRIBUTE_LIMIT_NOTIONAL,
    OG_ATTRIBUTE_LEAST_PRICE,
    OG_ATTRIBUTE_UNDERLYING,
    OG_ATTRIBUTE_CONTRACT,
    OG_ATTRIBUTE_RIGHT,
    OG_ATTRIBUTE_EXPIRY,
    OG_ATTRIBUTE_STRATEGY,
    OG_ATTRIBUTE_DIRECTION,
    OG_ATTRIBUTE_RESULT,
    OG_ATTRIBUTE_TEXT,
    OG_ATTRIBUTE_MAY_LACK,
    OG_ATTRIBUTE_ENVIRONMENT,
    OG_ATTRIBUTE_SESSION,
    OG_ATTRIBUTE_KIND,
    OG_ATTRIBUTE_EARLY,
    OG_ATTRIBUTE_TO_CLOSE,
    OG_ATTRIBUTE_FROM_OPEN,
    OG_ATTRIBUTE_ACCOUNT_ID,
    OG_ATTRIBUTE_NOW,
    OG_ATTRIBUTE_QUOTE_AGE,
    OG_ATTRIBUTE_DATE
};

/* What the solver knows about a name, from its columns in expr/names.def. */
struct og_domain {
    enum og_attribute attribute;
    enum og_name_group group;
    const char *const *words; /* all values that a text may have, NULL-terminated; NULL means any text */
    bool may_be_empty;        /* the text may also be "", because some kind of order lacks it */
    int64_t least, most;      /* bounds of a number, inclusive; OG_UNBOUNDED */
};
#define OG_UNBOUNDED INT64_MIN

/* Assumptions about orders and facts under which a proof is made. */
struct og_universe {
    const char *environment;   /* environment of the account: "paper" or "live"; "" means either */
    bool clean;                /* orders have only fields that the service reads in orders of their kind */
    bool monotone;             /* use the implications between comparisons that differ only in constants (monotone.c) */
    bool all_known;            /* all facts are known and complete */
    int64_t since;             /* orders are decided at this instant or later, ns; 0: at any time */
    int64_t quote_age;         /* the greatest age that a quote may have, ns; 0: any age */
    struct og_expr_room *room; /* memory to evaluate functions and patterns in */
    long *fuel;                /* steps that automata may still use; NULL: each automaton question gets a fixed number
                                * of steps */
};

/* The values of one name in one kind of its group. */
struct og_name_values {
    unsigned states; /* bits OG_NAME_* */
    unsigned values; /* for a bool (false, true) or a name with words: a bit for each value that the name may have */
    struct og_range range;
};

extern const struct og_expr_named og_domain_leg_count; /* size(order.legs), which the table of names does not have */
struct og_domain og_domain_of(const struct og_expr_named *name);
uint64_t og_group_kinds(enum og_name_group group, const struct og_universe *u); /* returns all kinds of the group */
void og_name_values(const struct og_domain *d, const struct og_expr_named *name, int kind, const struct og_universe *u,
                    struct og_name_values *out);
/* Returns the kinds of orders with this security type, side or order type. */
uint64_t og_order_kinds_of_security(enum og_security security);
uint64_t og_order_kinds_of_side(enum og_side side);
uint64_t og_order_kinds_of_type(enum og_order_type type);
/* What orders of a kind have in common. */
struct og_order_kind {
    enum og_security security;
    enum og_side side;
    enum og_open_close open_close;
    bool opens;
    bool ignored; /* openClose is given, but the service ignores the field */
    enum og_order_type type;
};
struct og_order_kind og_order_kind(int kind);
