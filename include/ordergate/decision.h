/*
 * Decisions: what og_check() and og_reserve() found, as structs and as JSON (docs/contract.md "Decision").
 * NULL where it is not allowed: OG_EINVAL; a function without a status answers as if there were nothing.
 */
#ifndef ORDERGATE_DECISION_H
#define ORDERGATE_DECISION_H

#include "ordergate/money.h"
#include "ordergate/order.h"
#include "ordergate/status.h"

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How much a finding weighs.  OFF never stands in a finding. */
enum og_level { OG_LEVEL_OFF = 0, OG_LEVEL_INFO = 1, OG_LEVEL_WARN = 2, OG_LEVEL_REFUSE = 3 };

/* Which way the broker would answer (docs/contract.md "Predictions"). */
enum og_channel {
    OG_CHANNEL_NONE = 0, /* a local finding: no prediction */
    OG_CHANNEL_ACCEPTED = 1,
    OG_CHANNEL_HTTP_400 = 2,
    OG_CHANNEL_HTTP_400_JSON = 3,
    OG_CHANNEL_REJECTED = 4, /* 200, Rejected at once */
    OG_CHANNEL_ASYNC = 5,    /* PendingNew, then Rejected */
    OG_CHANNEL_REJECTED_OR_ASYNC = 6,
    OG_CHANNEL_UNKNOWN = 7, /* a fact is missing that decides it */
    /* requests that are no orders */
    OG_CHANNEL_HTTP_404 = 8,  /* plain text */
    OG_CHANNEL_HTTP_429 = 9,  /* empty body */
    OG_CHANNEL_LATER = 10,    /* 200; its refusal stands in the history afterwards */
    OG_CHANNEL_NO_EFFECT = 11 /* 200, and nothing happens */
};

enum og_certainty { OG_CERTAINTY_NONE = 0, OG_STATED = 1, OG_READING = 2 };

struct og_prediction {
    enum og_channel channel;
    enum og_certainty certainty;
    const char *code;     /* "R78"; NULL when none is shown */
    const char *codes[3]; /* when two are possible: all, the likelier first; else NULLs */
    const char *text;     /* http-400: the line, or for a decision the whole body; NULL when not known */
};

struct og_finding {
    const char *rule;   /* "market-hours" */
    const char *reason; /* "market-outside-hours" */
    enum og_level level;
    bool unsure;       /* a fact was missing or stale */
    const char *field; /* JSON pointer into the order, "account/...", "facts/..." */
    const char *message;
    struct og_prediction predicts;
    const char *waived_by, *waived_because; /* it would have refused, and warns; NULL: not waived */
    int64_t waived_until;                   /* ns */
};

/* Which strategy the legs of an order are, and what they come to at its limit and quantity: dollars, at expiry, the
 * legs alone.  A loss that cannot happen is negative, as is a gain that cannot. */
struct og_strategy_info {
    const char *name;                /* "iron-condor" */
    const char *direction;           /* "debit", "credit", "undetermined" */
    bool has_max_loss, has_max_gain; /* false: without bound, or the price is not known */
    struct og_money max_loss, max_gain;
};

/* What an order takes of buying power, alone or against what is held and working: dollars. */
struct og_margin_info {
    bool known;                           /* false: why says why not; required, gross and proceeds are 0 then */
    bool bound;                           /* required is the most it can be: a fact was missing that would tell */
    struct og_money required;             /* gross - proceeds: below 0 when it frees more than it takes */
    struct og_money gross, proceeds;      /* of positions, premium and fees; of premium received */
    bool has_stock;                       /* it opens a position of shares, whose price is known */
    struct og_money initial, maintenance; /* margin of those shares with the option beside them, by Regulation T */
    bool has_available, has_overnight;
    struct og_money available, overnight; /* bp and overnightBp, less what accepted orders reserve */
    const char *model; /* which binds: "notional", "cash-secured", "strategy", "payoff", "closing"; NULL when not
                        * known */
    const char *why;   /* "needs a quote"; NULL when known */
    char needs[32];    /* the symbol whose quote is missing; "" when none is */
};

/* What would pass in place of an order that is refused: one of its values changed, or a later time. */
enum og_suggested {
    OG_SUGGEST_NONE = 0,
    OG_SUGGEST_QUANTITY, /* the largest */
    OG_SUGGEST_LIMIT,    /* the nearest */
    OG_SUGGEST_STOP,
    OG_SUGGEST_AT /* the earliest */
};
struct og_suggestion {
    enum og_suggested what;
    int64_t quantity;
    struct og_money price; /* of LIMIT and STOP */
    int64_t at;            /* ns */
};

/* Valid until a scratch it was made with is used again, or its order is changed or freed. */
struct og_decision {
    bool accepted;
    struct og_prediction predicts;
    const struct og_finding *findings; /* refusals and notes in the order of the rules */
    int count;
    bool cut;                        /* there were more findings than a scratch holds (64); those cut weigh too */
    const struct og_finding *shadow; /* of rules in mode shadow, with the level they would have: they do not count */
    int shadow_count;
    bool shadow_cut;                         /* there were more (64) */
    int64_t at;                              /* the clock it was decided by, ns */
    const char *policy;                      /* "live@sha256:..." */
    const char *facts;                       /* "sha256:...", of the documents taken so far; "" when there were none */
    const char *account_id;                  /* "" when not known */
    const char *client_order_id;             /* "" when absent */
    const struct og_strategy_info *strategy; /* NULL: no multi-leg order, or of no known shape */
    const struct og_margin_info *margin;     /* the caller's, from og_margin_ask(); NULL: not written */
    const char *op;                          /* "cancel", "locate-quote", ...; NULL: an order */
    const struct og_suggestion *suggest;     /* the caller's, from og_suggest(); NULL: not written */
    bool readable;                           /* false: the bytes were no order */
    bool reduces; /* it closes all it trades, and no more than is held and other orders leave, where that is known */
    /* ordergate's own: policy, facts and at as they are written, where decisions share them; NULL: not spelled yet, as
     * who changes one of the three sets it */
    const char *stamp;
    size_t stamp_len;
};

/* Where an order came from, for the written decision; zeros leave the keys out. */
struct og_source {
    long long line;   /* from 1 */
    const char *file; /* NULL: not named */
};

/* Spellings: "refuse", "http-400", "stated"; static. */
OG_API const char *og_level_name(enum og_level level);
OG_API const char *og_channel_name(enum og_channel channel);
OG_API const char *og_certainty_name(enum og_certainty certainty);

/* The decision as one JSON object without newline (docs/contract.md "Decision").  NUL-terminated when it fits.
 *   OG_OK      written, *len without NUL
 *   OG_EINVAL  size is too small; *len is a size to try next */
OG_API OG_MUST_USE enum og_status og_decision_write(const struct og_decision *decision, const struct og_source *source,
                                                    char *to, size_t size, size_t *len);
/* The same without its braces, for a line that carries more keys ("verdict":...,"at":"..."). */
OG_API OG_MUST_USE enum og_status og_decision_write_members(const struct og_decision *decision, char *to, size_t size,
                                                            size_t *len);

#ifdef __cplusplus
}
#endif
#endif
