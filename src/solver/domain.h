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
enum { OG_KNOWN = 1, OG_LACKS = 2, OG_DOUBT = 4, OG_EMPTY = 8, OG_ANY_STATE = 15 };
#define OG_HAS_VALUE (OG_KNOWN | OG_EMPTY)

/* Names of one group hang together: the rows of a group are the kinds of things they can all be of. */
enum og_group { OG_GROUP_ORDER, OG_GROUP_SESSION, OG_GROUP_LEG, OG_GROUP_ALONE };

/* Names of which more is known than their type. */
enum og_tells {
    OG_TELLS_OTHER,
    OG_TELLS_SECURITY,
    OG_TELLS_SYMBOL,
    OG_TELLS_SIDE,
    OG_TELLS_OPEN_CLOSE,
    OG_TELLS_TYPE,
    OG_TELLS_QUANTITY,
    OG_TELLS_CONTRACTS,
    OG_TELLS_TIF,
    OG_TELLS_LIMIT,
    OG_TELLS_STOP,
    OG_TELLS_LEGS,
    OG_TELLS_LEG_COUNT,
    OG_TELLS_ACTION,
    OG_TELLS_OPENS,
    OG_TELLS_REDUCES,
    OG_TELLS_PRICE,
    OG_TELLS_NOTIONAL,
    OG_TELLS_LIMIT_NOTIONAL,
    OG_TELLS_LEAST_PRICE,
    OG_TELLS_UNDERLYING,
    OG_TELLS_CONTRACT,
    OG_TELLS_RIGHT,
    OG_TELLS_EXPIRY,
    OG_TELLS_STRATEGY,
    OG_TELLS_DIRECTION,
    OG_TELLS_RESULT,
    OG_TELLS_TEXT,
    OG_TELLS_MAY_LACK,
    OG_TELLS_ENVIRONMENT,
    OG_TELLS_SESSION,
    OG_TELLS_KIND,
    OG_TELLS_EARLY,
    OG_TELLS_TO_CLOSE,
    OG_TELLS_FROM_OPEN,
    OG_TELLS_ACCOUNT_ID,
    OG_TELLS_NOW,
    OG_TELLS_DATE
};

struct og_domain {
    const char *name;
    enum og_tells subject;
    enum og_group group;
    const char *const *words; /* all it may be, NULL-ended; NULL: any */
    int64_t least, most;      /* of a number; OG_UNBOUNDED */
};
#define OG_UNBOUNDED INT64_MIN

/* What is taken for granted of orders and of what is known. */
struct og_universe {
    const char *environment;   /* of the account: "paper", "live"; "": either */
    bool clean;                /* an order says nothing that the service ignores on its kind */
    bool akin;                 /* comparisons that differ in their constants are held against each other (code.c) */
    bool informed;             /* all facts are known, and whole */
    int64_t since;             /* orders from then on, ns; 0: of any time */
    int64_t quote_age;         /* as old as quotes may be, ns; 0: of any age */
    struct og_expr_room *room; /* for functions and patterns */
    long *fuel;                /* steps through patterns that are left; NULL: some each time */
};

/* What one name is in one row of its group. */
struct og_about {
    unsigned states; /* OG_KNOWN ... */
    unsigned values; /* of a name with words, or of a truth (false, true): one bit each */
    struct og_range range;
};

extern const struct og_expr_named og_domain_leg_count; /* how many legs, which has no name of its own */
struct og_domain og_domain_of(const struct og_expr_named *name);
uint64_t og_group_rows(enum og_group group, const struct og_universe *u); /* all there are */
void og_about(const struct og_domain *d, const struct og_expr_named *name, int row, const struct og_universe *u,
              struct og_about *out);
/* Rows of orders of that kind. */
uint64_t og_rows_of_security(enum og_security security);
uint64_t og_rows_of_side(enum og_side side);
uint64_t og_rows_of_type(enum og_order_type type);
/* The kind of a row. */
void og_row_kind(int row, enum og_security *security, enum og_side *side, enum og_open_close *open_close,
                 enum og_order_type *type);
bool og_row_opens(int row);

/* The words a name may be, NULL-ended; NULL: any. */
const char *const *og_domain_words(const char *name);
/* It may also be "": an order of some kind has none. */
bool og_domain_lacks(const char *name);

/* --- limits: what one case demands of a name (limit.c) --- */

enum { OG_LIMIT_STATE = 200, OG_LIMIT_CALL, OG_LIMIT_PATTERN }; /* beside OG_OP_EQ to OG_OP_IN */

struct og_limit {
    const struct og_expr_named *name;
    struct og_domain domain;
    int instance;          /* leg fields of one loop share one; others by their group */
    unsigned states;       /* that the name may be in */
    unsigned char op, aux; /* name op value comes out as truth; OG_LIMIT_STATE: no more than states */
    bool truth;
    const struct og_expr_value *value; /* OG_OP_... */
    const struct og_expr *expr;        /* OG_LIMIT_CALL: of name and constants, the call at instr */
    const struct og_expr_instr *instr;
    const struct og_pattern *pattern; /* OG_LIMIT_PATTERN: of the whole text */
};

/* Keep what a limit of order leaves of numbers; others leave all. */
void og_limit_narrow(struct og_range *r, const struct og_limit *x);
/* Those of the rows in which some value of the name of limit[count - 1] meets every limit on it. */
uint64_t og_limit_rows(const struct og_limit *limit, int count, const struct og_universe *u, uint64_t rows);

#endif
