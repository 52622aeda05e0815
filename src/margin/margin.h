/*
 * What an order takes of the account's buying power: the requirement of the book with the order less that without it,
 * the premium, and fees; the most over what working orders may become (GAP-23; docs/margin.md).  Buying power is
 * dollars of new positions (C7): stock counts in full, whatever its margin.
 * Contracts that do not deliver 100 shares are not modelled.  Where a price is missing and there is a bound without it,
 * the bound counts, and is marked as one.
 */
#ifndef OG_MARGIN_MARGIN_H
#define OG_MARGIN_MARGIN_H

#include "base/string_set.h"
#include "facts/facts.h"
#include "margin/notional.h"
#include "mleg/mleg.h"
#include "mleg/payoff.h"

enum og_margin_model { OG_MARGIN_BY_STRATEGY = 0, OG_MARGIN_BY_PAYOFF, OG_MARGIN_BY_BOTH /* the larger */ };

/* What a naked option takes of its underlying, in hundredths of a percent, by its root. */
struct og_margin_rates {
    int32_t rate, index_rate, floor;
    struct og_string_set index_roots, leveraged_2x, leveraged_3x;
};

/* As a policy has them. */
struct og_margin_settings {
    int32_t model;    /* enum og_margin_model */
    int32_t daytrade; /* enum og_daytrade */
    int32_t
        long_dated; /* of its premium, in hundredths of a percent: what an option bought takes that expires more than
                          * nine months from today */
    struct og_margin_rates rates;
    struct og_money fee_per_contract, fee_per_share, locate_cost; /* what the broker asks for, dollars */
};

struct og_margin_inputs; /* what a question is worked out in: some 350 KB, too much for the stack of many a thread */
struct og_margin_inputs *og_margin_room_new(void); /* NULL: out of memory */
void og_margin_room_free(struct og_margin_inputs *room);

struct og_margin_question {
    struct og_margin_inputs *room; /* used up */
    const struct og_order *order;
    const struct og_mleg *mleg;          /* of the order */
    const struct og_mleg_payoff *result; /* likewise; NULL: it is no Mleg */
    const struct og_facts *facts;
    const struct og_quote *quote; /* of the order's symbol; NULL: not known */
    struct og_own_worth *worth;   /* of the order */
    const struct og_margin_settings *settings;
    int64_t now, quote_age; /* ns; an older quote is not looked at; 0: any */
    int date;               /* yyyymmdd: today's */
    /* false: where a root has many contracts, a bound that the account can pay is answer enough: an order that opens
     * takes no more than by itself, one that closes no more than what it leaves uncovered.  The exact amount takes long
     * to find. */
    bool exact;
};

enum og_margin_state {
    OG_MARGIN_NOT_ASKED = 0,
    OG_MARGIN_NOTHING,      /* it closes, and what is left requires no more than before */
    OG_MARGIN_KNOWN,        /* required is dollars, or a bound above it: see needs and lonely */
    OG_MARGIN_NEEDS_QUOTE,  /* of needs */
    OG_MARGIN_NO_PRICE,     /* a spread without a limit, of legs without quotes */
    OG_MARGIN_NOT_MODELLED, /* why says what; NULL: the order is not well formed, as other rules say */
    OG_MARGIN_NO_BOUND,     /* a loss without end, by payoff */
    OG_MARGIN_OUT_OF_RANGE  /* larger than og_money holds */
};

/* By what it is counted. */
enum og_margin_binds {
    OG_BINDS_NONE = 0,
    OG_BINDS_NOTIONAL,
    OG_BINDS_CASH, /* a put secured by its strike */
    OG_BINDS_STRATEGY,
    OG_BINDS_PAYOFF
};
const char *og_margin_binds_name(enum og_margin_binds by); /* "notional", "cash-secured", ...; NULL for NONE */

/* What an order takes; before it was asked, state and exceeds (false) alone. */
struct og_margin {
    enum og_margin_state state;
    enum og_margin_binds model;      /* which binds */
    struct og_money required;        /* gross - proceeds: below 0 when it frees more than it takes */
    struct og_money gross, proceeds; /* of positions, premium and fees; of premium received */
    struct og_money taken;           /* what an accepted order reserves: not less than what it pays, nor than 0 */
    bool closes;                     /* every leg closes */
    bool lonely;                     /* positions are not known: as if nothing else were held, which is a bound */
    bool bounded;                    /* taken is a bound, as large as it may be: where the question is not exact */
    bool exceeds;                    /* the rule's: there is not enough */
    bool assumed;                    /* the limit may be a debit or a credit, and counts as paid */
    struct og_str needs;             /* whose quote would make a bound exact, or is needed; len 0: none */
    const char *why;
};

void og_margin_of(const struct og_margin_question *q, struct og_margin *m);

#endif
