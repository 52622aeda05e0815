/*
 * What an order is worth at the worst: the most the desk can have at stake when it fills, by its own prices and by the
 * market.  The one place where that is worked out: rules, reservations, buying power and expressions ask here.
 *
 *   order                              worth by                            without a fresh quote
 *   buy Limit, StopLimit               the limit                           the limit
 *   buy Market, Stop                   the greatest of ask, last and       not known
 *                                      stop, and the slippage beyond
 *   sell that opens, of any type       the greatest of limit, stop, bid,   not known: it fills at once at the bid,
 *                                      ask and last                        however low its limit
 *   sell or buy that closes            as above                            by what the position is carried at
 *   spread of a bounded loss           what its legs lose at expiry at     the same; without a limit not known
 *                                      the worst, with the net at its
 *                                      limit, or as its legs are quoted
 *   spread with a leg of stock         its limit, or as its legs are      the same; without a limit not known
 *                                      quoted, where that is more than
 *                                      what it can lose
 *   spread whose loss has no bound     the greater of its limit and what   not known
 *                                      the legs it sells are quoted at
 *   spread that only closes            its limit, or as its legs are       its limit; without one not known
 *                                      quoted
 *
 * All of it times quantity, and 100 for contracts and spreads.  It refuses to guess: what nothing bounds is not known.
 *
 * In exposure a single comes to the same.  A spread comes to more once it has filled: its legs are positions then, each
 * worth its own price whatever they cost together, so it comes to the greater of the above and of what the legs that
 * it opens are quoted at.  Nothing else bounds what a leg is worth: without a fresh quote of each that is not known.
 */
#ifndef OG_MARGIN_NOTIONAL_H
#define OG_MARGIN_NOTIONAL_H

#include "facts/facts.h"
#include "mleg/payoff.h"

enum og_worth {
    OG_WORTH_KNOWN = 1,
    OG_WORTH_NEEDS_QUOTE, /* only a fresh quote bounds it, of its symbol or of its legs */
    OG_WORTH_NONE,        /* no usable price, side or quantity: other rules say so */
    OG_WORTH_TOO_LARGE    /* larger than og_money holds */
};

/* What bounds an order beside its own prices. */
struct og_market {
    const struct og_facts *facts;        /* with the quotes of legs; NULL: none are known */
    const struct og_quote *quote;        /* of the order's symbol, of an age the policy allows; NULL: there is none */
    const struct og_holding *holding;    /* of the order's symbol; NULL: nothing is held or working */
    const struct og_mleg_payoff *result; /* of a spread; NULL: it is none */
    int64_t now, quote_age;              /* ns; older quotes of legs do not count; 0: any age */
    bool reduces;                        /* the order only closes, and no more than is held where that is known */
    int32_t slippage; /* basis points beyond what is asked, at which a market order or buy stop may fill */
    unsigned opens;   /* for og_spread_exposure(): legs of which some may open, 1 << index */
};

/* The price of a share at which the order is counted, in dollars; of a spread its limit without the sign, which is not
 * what it can lose. */
enum og_worth og_order_price(const struct og_order *o, const struct og_market *m, struct og_money *price);
/* What it is worth, in dollars.  NEEDS_QUOTE: at least *dollars, as its own prices say (0: nothing). */
enum og_worth og_order_notional(const struct og_order *o, const struct og_market *m, struct og_money *dollars);
#define OG_CENTS_SMALL INT64_C(1000000000000000) /* far below the most that og_cents_of() has */
/* The same in cents, rounded up.  m may be NULL for one that og_order_is_bounded(). */
struct og_own_worth;
enum og_worth og_order_cents(const struct og_order *o, const struct og_market *m, struct og_own_worth *w,
                             int64_t *cents);

/* What a spread comes to in exposure, in cents rounded up: by all legs that open, and by those of them that sell.  A
 * worth of OG_WORTH_NEEDS_QUOTE: at least that, and more is told by quotes alone.  OG_WORTH_TOO_LARGE is of both. */
struct og_exposure {
    int64_t gross, shorts;
    enum og_worth gross_is, shorts_is;
};
void og_spread_exposure(const struct og_order *o, const struct og_market *m, struct og_own_worth *w,
                        struct og_exposure *e);

/* The lowest price at which it can fill as far as is known, in dollars a share: a sell's limit; the least of a buy's
 * limit and the ask; a stop, and what is quoted beyond it.  NEEDS_QUOTE: no more than *price (0: nothing is known), and
 * without a fresh quote nothing says how much less.  Not for spreads: NONE. */
enum og_worth og_order_least_price(const struct og_order *o, const struct og_quote *quote, struct og_money *price);

/* By its limit alone, whatever is quoted, and without the sign of a spread's net: what the broker counts.  Worked out
 * when it is first asked, for an order that wants a limit. */
struct og_own_worth {
    enum og_worth is; /* 0: not asked yet */
    struct og_money dollars;
    enum og_worth worst_is; /* 0: not asked yet; of og_order_worst() */
    struct og_money worst;
};
void og_own_worth_work_out(struct og_own_worth *w, const struct og_order *o);
static inline enum og_worth og_own_worth(struct og_own_worth *w, const struct og_order *o)
{
    if (!w->is)
        og_own_worth_work_out(w, o);
    return w->is;
}

/* og_order_notional(), worked out when it is first asked: of one order beside one market. */
enum og_worth og_order_worst(const struct og_order *o, const struct og_market *m, struct og_own_worth *w,
                             struct og_money *dollars);

/* Its limit is the most that it is worth: no quote changes that. */
static inline bool og_order_is_bounded(const struct og_order *o)
{
    return o->side == OG_BUY && o->security != OG_MLEG && og_order_wants_limit(o);
}
/* How many contracts it trades, all legs together, and how many of them open. */
int64_t og_order_contracts(const struct og_order *o, int64_t *opening);

#endif
