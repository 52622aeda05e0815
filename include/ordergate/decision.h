/*
 * Decisions: what og_check() and og_reserve() found, as structs and as JSON (docs/contract.md "Decision"). Threads:
 * any; no function here has state. Passing NULL where it is not allowed returns OG_EINVAL; a function that returns no
 * status then does nothing and returns an empty value (0, false, NULL or "").
 */
#ifndef ORDERGATE_DECISION_H
#define ORDERGATE_DECISION_H

#include <stdbool.h>
#include <stdint.h>

#include "ordergate/money.h"
#include "ordergate/order.h"
#include "ordergate/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a finding does.  A finding is never OFF. */
enum og_level { OG_LEVEL_OFF = 0, OG_LEVEL_INFO = 1, OG_LEVEL_WARN = 2, OG_LEVEL_REFUSE = 3 };

/* How the broker would answer (docs/contract.md "Predictions"). */
enum og_channel {
    OG_CHANNEL_NONE =
        0, /* no prediction: the finding is about a limit of the user's own, which the broker does not know */
    OG_CHANNEL_ACCEPTED = 1,
    OG_CHANNEL_HTTP_400 = 2,
    OG_CHANNEL_HTTP_400_JSON = 3,
    OG_CHANNEL_REJECTED = 4, /* 200 with status Rejected */
    OG_CHANNEL_ASYNC = 5,    /* PendingNew, then Rejected */
    OG_CHANNEL_REJECTED_OR_ASYNC = 6,
    OG_CHANNEL_UNKNOWN = 7, /* a fact on which the broker's answer depends is missing */
    /* only for requests other than orders */
    OG_CHANNEL_HTTP_404 = 8,  /* plain text */
    OG_CHANNEL_HTTP_429 = 9,  /* empty body */
    OG_CHANNEL_LATER = 10,    /* 200, but the history shows a rejection afterwards */
    OG_CHANNEL_NO_EFFECT = 11 /* 200, and the request changes nothing */
};

enum og_certainty { OG_CERTAINTY_NONE = 0, OG_STATED = 1, OG_READING = 2 };

struct og_prediction {
    enum og_channel channel;
    enum og_certainty certainty;
    const char *code;     /* code of the answer, such as "R78"; NULL if the answer has no code */
    const char *codes[3]; /* all possible codes if there are several, the likeliest first; NULLs in all other cases */
    const char *text; /* for http-400: of a finding, its line of the body; of a decision, the whole body; NULL if not
                       * known */
};

struct og_finding {
    const char *rule;   /* such as "market-hours" */
    const char *reason; /* such as "market-outside-hours" */
    enum og_level level;
    bool unsure;       /* it could not be decided whether the finding applies: a fact was missing or stale */
    bool stale;        /* the finding is unsure because a fact is older than the policy allows */
    const char *field; /* JSON pointer into the order, or "account/...", "facts/..." */
    const char *message;
    struct og_prediction predicts;
    const char *waived_by, *waived_because; /* who waived a finding that now only warns, and why; NULL if not waived */
    int64_t waived_until;                   /* when the waiver expires, in ns */
};

/* The strategy that an order's legs form, and the maximum loss and gain at expiry, in dollars, at the order's limit and
 * quantity, without other positions. If max_loss is below 0, even the worst result is a gain; if max_gain is below 0,
 * even the best result is a loss. */
struct og_strategy_info {
    const char *name;                /* such as "iron-condor" */
    const char *direction;           /* "debit", "credit" or "undetermined" */
    bool has_max_loss, has_max_gain; /* false: unbounded, or the price is not known */
    struct og_money max_loss, max_gain;
};

/* The buying power that an order requires, given positions and working orders.  Amounts are dollars. */
struct og_margin_info {
    bool known;               /* false: the amounts are not known (`why` says why); required, gross and proceeds are
                               * then 0 */
    bool bound;               /* required is an upper bound, because a fact is missing */
    struct og_money required; /* gross - proceeds; below 0 if the order frees more buying power than it requires */
    struct og_money gross, proceeds; /* gross: what positions require, premium paid and fees; proceeds: premium
                                      * received */
    bool has_stock;                  /* initial and maintenance are set: the order opens shares at a known price */
    /* Regulation T margin of those shares, and of the option that is traded with them */
    struct og_money initial, maintenance;
    bool has_available, has_overnight;
    struct og_money available, overnight; /* the account's bp and overnightBp, less the amounts that reservations
                                           * hold */
    const char *model; /* the model that determines required: "notional", "cash-secured", "strategy", "payoff",
                        * "closing"; NULL if not known */
    const char *why;   /* why required is not known: "needs a quote"; NULL if it is known */
    char needs[32];    /* the symbol whose quote is missing; "" if none is */
};

/* A single change by which a refused order would be accepted: of one value, or of the time, or the name of a working
 * order that it replaces. */
enum og_suggested {
    OG_SUGGEST_NONE = 0,
    OG_SUGGEST_QUANTITY, /* the largest quantity */
    OG_SUGGEST_LIMIT,    /* a limit price; og_suggest() says which */
    OG_SUGGEST_STOP,
    OG_SUGGEST_AT,      /* the earliest time */
    OG_SUGGEST_REPLACES /* `replaces` with the id of a working order, which closes what the order closes */
};
#define OG_SUGGESTED_ID_MOST 63 /* bytes of the longest id that is suggested */
struct og_suggestion {
    enum og_suggested what;
    int64_t quantity;
    struct og_money price;                   /* the suggested price, for OG_SUGGEST_LIMIT and OG_SUGGEST_STOP */
    int64_t at;                              /* the time of OG_SUGGEST_AT, in ns */
    char replaces[OG_SUGGESTED_ID_MOST + 1]; /* the id of OG_SUGGEST_REPLACES */
};

/* A decision.  All it points to is valid until the scratch it was made with is used again, or its order is changed or
 * freed. */
struct og_decision {
    bool accepted;
    struct og_prediction predicts;
    const struct og_finding *findings; /* findings at all levels, in the sequence of the rules */
    int count;
    bool cut; /* there were more than 64 findings; `accepted` is also based on those that were left out */
    const struct og_finding *shadow; /* findings of rules in mode shadow, at the level they would have; they have no
                                      * effect on the decision */
    int shadow_count;
    bool shadow_cut;                         /* there were more than 64 shadow findings */
    int64_t at;                              /* the instant of the decision, in ns */
    const char *policy;                      /* name and digest: "live@sha256:..." */
    const char *facts;                       /* digest of the facts documents loaded so far; "" if there were none */
    const char *account_id;                  /* "" if the account is not known */
    const char *client_order_id;             /* "" if the order has none */
    const char *tag;                         /* the strategy for which the order counts; "" if it has none */
    const struct og_strategy_info *strategy; /* NULL if not a multi-leg order, or not a known strategy */
    const struct og_margin_info *margin;     /* set by the caller, from og_margin_ask(); NULL if not written */
    const char *op;                          /* "cancel", "locate-quote", ...; NULL if the line is an order */
    const struct og_suggestion *suggest;     /* set by the caller, from og_suggest(); NULL if not written */
    size_t basket, place; /* basket: number of orders in the order's basket, 0 for a line that is not in a basket;
                           * place: index of the order in the basket, from 0 */
    bool readable;        /* false: the bytes were not an order */
    /* every leg closes, and as far as is known no leg exceeds what is left of its position after other orders that
     * close */
    bool reduces;
    /* private: policy, facts and at as JSON, shared between decisions; NULL if not written yet.  A caller that changes
     * one of the three sets it to NULL */
    const char *stamp;
    size_t stamp_len;
};

/* Where an order came from, for the written decision. Members that are zero are not written. */
struct og_source {
    long long line;   /* number of the line, from 1 */
    const char *file; /* name of the input; NULL if it has none */
};

/* Return the spelling of an enum's value: "refuse", "http-400", "stated". Static; "" for a number that is not a
 * value. */
OG_API const char *og_level_name(enum og_level level);
OG_API const char *og_channel_name(enum og_channel channel);
OG_API const char *og_certainty_name(enum og_certainty certainty);

/* Write the decision as one JSON object without newline (docs/contract.md "Decision"), NUL-terminated if it fits.
 * source may be NULL.
 *   OG_OK      written; *len is its length without the NUL
 *   OG_EINVAL  size is too small; *len is a size to try next */
OG_API OG_MUST_USE enum og_status og_decision_write(const struct og_decision *decision, const struct og_source *source,
                                                    char *to, size_t size, size_t *len);
/* Write the members of the decision without the braces, for an object with more keys ("verdict":...,"at":"..."). */
OG_API OG_MUST_USE enum og_status og_decision_write_members(const struct og_decision *decision, char *to, size_t size,
                                                            size_t *len);

#ifdef __cplusplus
}
#endif
#endif
