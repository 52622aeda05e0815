/*
 * What names of expressions can be in an order that the service takes: which kinds of order carry them, and with which
 * values.
 */
#ifndef OG_SOLVER_DOMAIN_H
#define OG_SOLVER_DOMAIN_H

#include "expr/program.h"
#include "solver/range.h"

/* Of one order a name is known; or lacks a value; or nobody can tell it: a fact is missing, there is nothing to count
 * it by, it is beyond counting; or it is a text that the order lacks, and so "". */
enum { OG_NAME_KNOWN = 1, OG_NAME_ABSENT = 2, OG_NAME_UNKNOWN = 4, OG_NAME_EMPTY = 8, OG_NAME_ANY_STATE = 15 };
#define OG_NAME_HAS_VALUE (OG_NAME_KNOWN | OG_NAME_EMPTY)

/* Names of one group hang together: the rows of a group are the kinds of things they can all be of. */
enum og_name_group { OG_GROUP_ORDER, OG_GROUP_SESSION, OG_GROUP_LEG, OG_GROUP_ALONE };

/* Names of which more is known than their type. */
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
    OG_ATTRIBUTE_DATE
};

struct og_domain {
    const char *name;
    enum og_attribute attribute;
    enum og_name_group group;
    const char *const *words; /* all it may be, NULL-ended; NULL: any */
    int64_t least, most;      /* of a number; OG_UNBOUNDED */
};
#define OG_UNBOUNDED INT64_MIN

/* What is taken for granted of orders and of what is known. */
struct og_universe {
    const char *environment;   /* of the account: "paper", "live"; "": either */
    bool clean;                /* an order says nothing that the service ignores on its kind */
    bool monotone;             /* comparisons that differ in their constants are held against each other (code.c) */
    bool all_known;            /* all facts are known, and whole */
    int64_t since;             /* orders from then on, ns; 0: of any time */
    int64_t quote_age;         /* as old as quotes may be, ns; 0: of any age */
    struct og_expr_room *room; /* for functions and patterns */
    long *fuel;                /* steps through patterns that are left; NULL: some each time */
};

/* What one name is in one row of its group. */
struct og_name_values {
    unsigned states; /* OG_NAME_KNOWN ... */
    unsigned values; /* of a name with words, or of a truth (false, true): one bit each */
    struct og_range range;
};

extern const struct og_expr_named og_domain_leg_count; /* how many legs, which has no name of its own */
struct og_domain og_domain_of(const struct og_expr_named *name);
uint64_t og_group_kinds(enum og_name_group group, const struct og_universe *u); /* all there are */
void og_name_values(const struct og_domain *d, const struct og_expr_named *name, int kind, const struct og_universe *u,
                    struct og_name_values *out);
/* Rows of orders of that kind. */
uint64_t og_order_kinds_of_security(enum og_security security);
uint64_t og_order_kinds_of_side(enum og_side side);
uint64_t og_order_kinds_of_type(enum og_order_type type);
/* The kind of a row. */
void og_order_kind(int kind, enum og_security *security, enum og_side *side, enum og_open_close *open_close,
                   enum og_order_type *type);
bool og_order_kind_opens(int kind);

/* The words a name may be, NULL-ended; NULL: any. */
const char *const *og_domain_words(const char *name);
/* It may also be "": an order of some kind has none. */
bool og_domain_may_be_empty(const char *name);

#endif
