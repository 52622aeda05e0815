/*
 * The buying power that an order needs: the requirement of the book with the order, less the requirement without it,
 * plus premium and fees. It is the maximum over the possible fills of working orders (GAP-23; docs/margin.md).  Buying
 * power here limits the dollar value of new positions, not their margin, so stock counts at its full price (C7).
 *
 * Contracts that do not deliver 100 shares are not modelled.  If a price is missing but the amount is bounded without
 * it, the bound is used and marked.
 */
#pragma once

#include "base/string_set.h"
#include "facts/facts.h"
#include "margin/notional.h"
#include "mleg/mleg.h"
#include "mleg/payoff.h"

enum og_margin_model {
    OG_MARGIN_BY_STRATEGY = 0,
    OG_MARGIN_BY_PAYOFF,
    OG_MARGIN_BY_BOTH /* larger of both */
};

/* The part of the underlying's price that a naked option requires, by root, in hundredths of a percent. */
struct og_margin_rates {
    int32_t rate, index_rate, floor;
    struct og_string_set index_roots, leveraged_2x, leveraged_3x;
};

/* The settings of rule buying-power, as in a policy. */
struct og_margin_settings {
    int32_t model;      /* enum og_margin_model */
    int32_t daytrade;   /* enum og_daytrade */
    int32_t long_dated; /* for a bought option that expires in more than nine months: the part of its premium that
                         * counts, in hundredths of a percent */
    struct og_margin_rates rates;
    struct og_money fee_per_contract, fee_per_share, locate_cost; /* the broker's fees, in dollars */
};

struct og_margin_inputs; /* working memory for one question: some 350 KB, too large for the stacks of many threads */
struct og_margin_inputs *og_margin_room_new(void); /* returns NULL if memory runs out */
void og_margin_room_free(struct og_margin_inputs *room);

struct og_margin_question {
    struct og_margin_inputs *room; /* working memory, overwritten */
    const struct og_order *order;
    const struct og_mleg *mleg;          /* the legs of the order */
    const struct og_mleg_payoff *result; /* payoff of the order; NULL if it is not a spread */
    const struct og_facts *facts;
    const struct og_holding *holding; /* holding of the order's symbol, or NULL: it is then searched in the facts */
    const struct og_quote *quote;     /* quote of the order's symbol; NULL if unknown */
    struct og_own_worth *worth;       /* worth of the order, computed on first use */
    const struct og_margin_settings *settings;
    int64_t now, quote_age; /* in ns; quotes older than quote_age are ignored; quote_age 0: quotes of any age are
                             * used */
    int date;               /* today in New York, yyyymmdd; contracts that expired before it do not count */
    /* false: on a root with many contracts, an upper bound suffices as the result if the account can pay it, because
     * the exact amount takes long to compute. The bound of an opening order is the amount that it needs alone; the
     * bound of a closing order is the requirement of the contracts that it uncovers. */
    bool exact;
};

enum og_margin_state {
    OG_MARGIN_NOT_ASKED = 0,
    OG_MARGIN_NOTHING,     /* the order closes, and the remaining positions need no more than before */
    OG_MARGIN_KNOWN,       /* `required` is in dollars; it is exact, or an upper bound if `needs` or `lonely` says so */
    OG_MARGIN_NEEDS_QUOTE, /* the quote of the symbol `needs` is missing */
    OG_MARGIN_NO_PRICE,    /* a spread without a limit, whose legs have no quotes */
    /* `why` names the part that is not modelled; it is NULL if the order is malformed, which other rules report */
    OG_MARGIN_NOT_MODELLED,
    OG_MARGIN_NO_BOUND,    /* the payoff model finds an unbounded loss */
    OG_MARGIN_OUT_OF_RANGE /* more than og_money can represent */
};

/* The model that determines the amount. */
enum og_margin_binds {
    OG_BINDS_NONE = 0,
    OG_BINDS_NOTIONAL,
    OG_BINDS_CASH, /* a written put secured by its strike in cash */
    OG_BINDS_STRATEGY,
    OG_BINDS_PAYOFF
};
/* Returns the name of a model: "notional", "cash-secured", ...; NULL for NONE. */
const char *og_margin_binds_name(enum og_margin_binds by);

/* The buying power that an order takes.  Until it is computed, only state and exceeds (false) are set. */
struct og_margin {
    enum og_margin_state state;
    enum og_margin_binds model; /* the model that determines the amount */
    struct og_money required;   /* dollars: gross - proceeds; negative if the order frees more than it needs */
    /* gross: what positions require, premium paid and fees; proceeds: premium received */
    struct og_money gross, proceeds;
    struct og_money taken; /* buying power that an accepted order reserves: at least what the order pays, and at
                            * least 0 */
    bool closes;           /* every leg closes */
    bool lonely;           /* positions are unknown: the amount is computed as if none were held, which is an upper
                            * bound */
    bool bounded;          /* taken is an upper bound; never set if the exact amount was asked for */
    bool exceeds;          /* set by the rule: there is not enough buying power */
    bool assumed;          /* the limit may be a debit or a credit, and is taken for a debit, which costs more */
    /* symbol whose quote is needed for an amount, or for an exact amount; len is 0 if there is none */
    struct og_str needs;
    const char *why;
};

void og_margin_of(const struct og_margin_question *q, struct og_margin *m);
