/*
 * What an order is worth in the worst case: the most that the desk can have at stake when it fills, by the order's own
 * prices and by the market.  Rules, reservations, buying power and expressions all use this one calculation.
 *
 *   order                              worth by                            without a fresh quote
 *   buy Limit, StopLimit               the limit                           the limit
 *   buy Market, Stop                   the greatest of ask, last and       not known
 *                                      stop, plus slippage
 *   sell that opens, of any type       the greatest of limit, stop, bid,   not known: it fills at once at the bid,
 *                                      ask and last                        however low its limit
 *   put that is written                the same, or if that is more the    the same: it is that loss at the least
 *                                      strike less the limit; at the
 *                                      market or a stop the strike
 *   call that is written beside        the same, or if that is more the    the same: it is that loss at the least
 *   long calls that cover it           width to these less the limit
 *   sell or buy that closes            as above                            by the position's price
 *   spread of bounded loss             the maximum loss of its legs at     the same; without a limit not known
 *                                      expiry, with the net at its limit,
 *                                      or as its legs are quoted
 *   spread with a leg of stock         its limit, or as its legs are      the same; without a limit not known
 *                                      quoted, if that is more than its
 *                                      maximum loss
 *   spread of unbounded loss           the greatest of its limit, of the   not known
 *                                      quotes of the legs it sells, and
 *                                      of what its puts can lose, or its
 *                                      calls beside long ones
 *   spread that only closes            its limit, or as its legs are       its limit; without one not known
 *                                      quoted
 *
 * All amounts times quantity, and times 100 for contracts and spreads.  What nothing bounds is not known.
 *
 * The exposure of a single-leg order is the same amount.  That of a spread may be larger: once it has filled, its legs
 * are positions that are each worth their own price, whatever they cost together, or what they can lose.  So it is the
 * greater of the above and of the quotes of the legs that it opens, raised to what they can lose; without a fresh quote
 * of each of these legs it is not known.
 */
#pragma once

#include "facts/facts.h"
#include "mleg/payoff.h"

enum og_worth {
    OG_WORTH_KNOWN = 1,
    OG_WORTH_NEEDS_QUOTE, /* the worth has no bound without a fresh quote of the order's symbol or of its legs */
    OG_WORTH_NONE,        /* the order lacks a usable price, side or quantity; other rules report that */
    OG_WORTH_TOO_LARGE    /* more than og_money can represent */
};

/* What bounds an order's worth in addition to the order's own prices. */
struct og_market {
    const struct og_facts *facts; /* facts with the quotes of legs; NULL if none are known */
    /* quote of the order's symbol, no older than the policy allows; NULL if there is none */
    const struct og_quote *quote;
    const struct og_holding *holding;    /* position and working orders in the order's symbol; NULL if there is none */
    const struct og_mleg_payoff *result; /* payoff of a spread; NULL for other orders */
    /* in ns; quotes of legs older than quote_age are ignored; quote_age 0 means any age */
    int64_t now, quote_age;
    bool reduces;     /* as far as is known, the order only closes, and closes no more than the position has */
    int32_t slippage; /* basis points by which a market order or buy stop may fill worse than the quote */
    unsigned opens;   /* for a spread: bit 1 << index for each leg that may open */
};

/* Set *price to the price per share at which the order is counted, in dollars.  For a spread this is its limit without
 * sign, which is not what the spread can lose. */
enum og_worth og_order_price(const struct og_order *o, const struct og_market *m, struct og_money *price);
/* Set *dollars to the order's worth.  If it returns NEEDS_QUOTE, *dollars is a lower bound of the worth, by the order's
 * own prices (0 if there is none). */
enum og_worth og_order_notional(const struct og_order *o, const struct og_market *m, struct og_money *dollars);
#define OG_CENTS_SMALL \
    INT64_C(1000000000000000) /* an amount of cents far below the greatest that og_cents_of()
                               * returns */
/* Set *cents to the order's worth, rounded up.  m may be NULL if og_order_is_bounded() returns true, or if w has the
 * worst worth already. */
struct og_own_worth;
enum og_worth og_order_cents(const struct og_order *o, const struct og_market *m, struct og_own_worth *w,
                             int64_t *cents);

/* The exposure of a spread in cents, rounded up.  gross: of all legs that open; shorts: of the legs that sell to
 * open. gross_is, shorts_is: OG_WORTH_NEEDS_QUOTE if the amount is a lower bound; OG_WORTH_TOO_LARGE always applies
 * to both. */
struct og_exposure {
    int64_t gross, shorts;
    enum og_worth gross_is, shorts_is;
};
void og_spread_exposure(const struct og_order *o, const struct og_market *m, struct og_own_worth *w,
                        struct og_exposure *e);
/* Set *cents to the most that a spread which may be for a credit can bring: what its legs can lose, since nobody pays
 * more for them than they can pay.  0 for other orders; also for spreads that only close and for those of unbounded
 * loss, whose worth includes the quotes of their legs.  Returns KNOWN or TOO_LARGE. */
enum og_worth og_spread_brings(const struct og_order *o, const struct og_market *m, int64_t *cents);
/* Set cents[] to the worth that each closing leg would have if it opened: (a) by its quote, or for a leg that would
 * write a put by the put's loss if that is more; (b) without a quote OG_AT_LEAST() of that loss. 0 for legs that do not
 * close.  Returns false if no leg closes. */
bool og_closing_legs_worth(const struct og_order *o, const struct og_market *m, int64_t cents[OG_LEGS_KEPT]);

/* Set *price to the lowest price at which the order can fill, as far as known, in dollars per share: of a sell its
 * limit; of a buy the smaller of its limit and the ask; of a stop the stop, or the quote if that is worse.
 * NEEDS_QUOTE: the price is at most *price (0 if nothing is known).  NONE for spreads. */
enum og_worth og_order_least_price(const struct og_order *o, const struct og_quote *quote, struct og_money *price);

/* The worth by the limit alone, without quotes, and without the sign of a spread's net price: as the broker computes
 * it.  It is computed on first use, for orders that need a limit. */
struct og_own_worth {
    enum og_worth is; /* state of the worth by the limit; 0 if not computed yet */
    struct og_money dollars;
    enum og_worth worst_is; /* state of `worst`, see og_order_worst(); 0 if not computed yet */
    struct og_money worst;
};
void og_own_worth_work_out(struct og_own_worth *w, const struct og_order *o);
static inline enum og_worth og_own_worth(struct og_own_worth *w, const struct og_order *o)
{
    if (!w->is)
        og_own_worth_work_out(w, o);
    return w->is;
}

/* Set *dollars as og_order_notional() does.  The result is kept in *w on first use, so a *w is for one order and one
 * market only. */
enum og_worth og_order_worst(const struct og_order *o, const struct og_market *m, struct og_own_worth *w,
                             struct og_money *dollars);

/* Returns true if the limit is an upper bound of the worth, whatever the quotes are. */
static inline bool og_order_is_bounded(const struct og_order *o)
{
    return o->side == OG_BUY && o->security != OG_MLEG && og_order_wants_limit(o);
}
/* Returns the number of contracts that the order trades over all legs. */
int64_t og_order_contracts(const struct og_order *o);
