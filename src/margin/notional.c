/*
 * The worth of an order.  It refuses to say that an order closes, or what it may cost: that is cost.c.
 */
#include "margin/notional.h"

#include "base/often.h"

#include "base/banned.h"

#define CENTS_SMALL INT64_C(1000000000000000) /* far below the most that og_cents_of() has */

static const struct og_money zero = { 0, 0 };

static enum og_worth limit_of(const struct og_order *o, struct og_money *price)
{
    const struct og_cell *cell = &o->cell[OG_KEY_LIMIT_PRICE];

    if (cell->shape == OG_TOO_LARGE)
        return OG_WORTH_TOO_LARGE;
    if (cell->shape != OG_VALID || o->limit.coef == INT64_MIN)
        return OG_WORTH_NONE;
    *price = o->limit;
    if (price->coef < 0)
        price->coef = -price->coef;
    return OG_WORTH_KNOWN;
}

OG_OFTEN enum og_worth og_order_price(const struct og_order *o, const struct og_quote *quote, struct og_money *price)
{
    bool has = quote && (o->side == OG_BUY ? quote->has_ask : quote->has_bid);

    *price = zero;
    if (og_order_wants_limit(o))
        return limit_of(o, price);
    if (o->type == OG_TYPE_NONE || (o->security != OG_MLEG && o->side == OG_SIDE_NONE))
        return OG_WORTH_NONE;
    if (o->security == OG_MLEG) /* a spread's legs have no common quote */
        return OG_WORTH_NEEDS_QUOTE;
    if (has)
        *price = o->side == OG_BUY ? quote->ask : quote->bid;
    if (o->type == OG_STOP && og_order_ok(o, OG_KEY_STOP_PRICE) && og_money_cmp(o->stop, *price) > 0) {
        *price = o->stop;
        return OG_WORTH_KNOWN;
    }
    return has ? OG_WORTH_KNOWN : OG_WORTH_NEEDS_QUOTE;
}

static inline enum og_worth worth_at(const struct og_order *o, struct og_money price, struct og_money *dollars)
{
    if (o->quantity == 0 || o->security == OG_SECURITY_NONE)
        return OG_WORTH_NONE;
    return og_money_times(price, o->quantity * (o->security == OG_STOCK ? 1 : 100), dollars) ? OG_WORTH_KNOWN
                                                                                             : OG_WORTH_TOO_LARGE;
}

enum og_worth og_order_notional(const struct og_order *o, const struct og_quote *quote, struct og_money *dollars)
{
    struct og_money price;
    enum og_worth worth = og_order_price(o, quote, &price);

    *dollars = zero;
    return worth == OG_WORTH_KNOWN ? worth_at(o, price, dollars) : worth;
}

OG_OFTEN void og_own_worth_work_out(struct og_own_worth *w, const struct og_order *o)
{
    struct og_money price;

    w->is = limit_of(o, &price);
    if (w->is == OG_WORTH_KNOWN)
        w->is = worth_at(o, price, &w->dollars);
}

static OG_APART int64_t cents_by_price(const struct og_order *o, const struct og_quote *quote)
{
    struct og_money price;

    if (og_order_price(o, quote, &price) != OG_WORTH_KNOWN)
        return -1;
    return og_cents_of(og_money_from(o->quantity), price, o->security != OG_STOCK);
}

/* What has a limit is worth the same whatever is quoted. */
OG_OFTEN int64_t og_order_cents(const struct og_order *o, const struct og_quote *quote, struct og_own_worth *w)
{
    static const int64_t cents[] = { 100, 10, 1 };

    if (og_order_wants_limit(o) && og_own_worth(w, o) == OG_WORTH_KNOWN && w->dollars.scale <= 2 &&
        w->dollars.coef <= CENTS_SMALL)
        return w->dollars.coef * cents[w->dollars.scale];
    return cents_by_price(o, quote);
}

int64_t og_order_contracts(const struct og_order *o, int64_t *opening)
{
    int64_t all = 0;

    *opening = 0;
    for (int i = 0; o->security != OG_STOCK && i < og_order_trades(o); i++) {
        const struct og_trade t = og_order_trade(o, i);

        if (o->security == OG_OPTION || t.occ->is) {
            all += t.size;
            *opening += og_trade_may_open(&t) ? t.size : 0;
        }
    }
    return all;
}
