/*
 * The buying power that an order needs, by its notional: stock, single options, debit spreads
 * (reasons buying-power-exceeded and cash-secured-put-buying-power).  Without a limit or a quote the cost
 * is unknown.  The full margin model is margin/margin.h.
 */
#pragma once

#include "facts/facts.h"
#include "margin/notional.h"
#include "mleg/mleg.h"

enum og_cost_kind {
    OG_COST_NONE = 0,    /* the order takes no buying power, because it closes */
    OG_COST_KNOWN,       /* *cost is in dollars; in the other cases it is 0 */
    OG_COST_NEEDS_QUOTE, /* a market or stop order whose quote lacks the price it needs; or a spread without a limit */
    /* credit spreads and written calls have no notional cost; or the order has no usable price or quantity */
    OG_COST_NOT_MODELLED,
    OG_COST_OUT_OF_RANGE /* the amount is more than og_money can represent */
};

/* Set *cost to the buying power that the order needs.  quote may be NULL; w belongs to the order.  By kind of order:
 * - opening stock buys and shorts: price x quantity;
 * - option buys: price x 100 x quantity;
 * - debit spreads: net x 100 x quantity;
 * - written puts: strike x 100 x quantity, the worst case whatever the option level.
 * The price is the limit.  Without a limit the price is the stop if the stop is above the quote; if it is not, the
 * ask to buy, the bid to sell short. */
enum og_cost_kind og_order_cost(const struct og_order *o, const struct og_mleg *m, const struct og_quote *quote,
                                struct og_own_worth *w, struct og_money *cost);

/* Set *dollars to the cash that secures a written put: strike x 100 x contracts.  Returns false if the amount is out of
 * range. */
bool og_put_secured_by(const struct og_occ *occ, int64_t contracts, struct og_money *dollars);
