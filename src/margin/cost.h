/*
 * What an order takes of the account's buying power, by notional: stock, single options, debit spreads
 * (reasons buying-power-exceeded and cash-secured-put-buying-power).  Without a limit or a quote the cost
 * is unknown.  The full margin model is margin/margin.h.
 */
#ifndef OG_MARGIN_COST_H
#define OG_MARGIN_COST_H

#include "facts/facts.h"
#include "margin/notional.h"
#include "mleg/mleg.h"

enum og_cost_kind {
    OG_COST_NONE = 0,     /* takes nothing: it closes */
    OG_COST_KNOWN,        /* *cost is dollars; else it is 0 */
    OG_COST_NEEDS_QUOTE,  /* a market or stop order without the quote side it needs; always so for spreads */
    OG_COST_NOT_MODELLED, /* credit spreads, calls written: no notional model; no usable price or quantity */
    OG_COST_OUT_OF_RANGE  /* larger than og_money holds */
};

/* quote may be NULL; w is of the order.  Opening stock buys and shorts: price x quantity; option buys: price x 100 x
 * quantity; debit spreads: net x 100 x quantity; puts written: strike x 100 x quantity, the worst case whatever the
 * level.
 * Price: the limit, else the stop when it is higher than the quote, else ask to buy, bid to sell short. */
enum og_cost_kind og_order_cost(const struct og_order *o, const struct og_mleg *m, const struct og_quote *quote,
                                struct og_own_worth *w, struct og_money *cost);

/* What secures a put written: strike x 100 x contracts.  false: out of range. */
bool og_put_secured_by(const struct og_occ *occ, int64_t contracts, struct og_money *dollars);

#endif
