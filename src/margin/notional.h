/*
 * What an order is worth: price x quantity, x 100 for contracts and spreads, opening or closing (contract.md
 * "Policies").  It refuses to guess a price: without a limit, a stop or a quote the worth is unknown.
 */
#ifndef OG_MARGIN_NOTIONAL_H
#define OG_MARGIN_NOTIONAL_H

#include "facts/facts.h"

enum og_worth {
    OG_WORTH_KNOWN = 1,
    OG_WORTH_NEEDS_QUOTE, /* a market order without the quote side it needs; always so for spreads */
    OG_WORTH_NONE,        /* no usable price, side or quantity: other rules say so */
    OG_WORTH_TOO_LARGE    /* larger than og_money holds */
};

/* A price of one share: the limit, else the stop when it is above what the quote asks (bids), else that.  quote may be
 * NULL.  The net of a spread counts without its sign. */
enum og_worth og_order_price(const struct og_order *o, const struct og_quote *quote, struct og_money *price);
enum og_worth og_order_notional(const struct og_order *o, const struct og_quote *quote, struct og_money *dollars);
/* That of an order that wants a limit: worked out when it is first asked, for what it takes and what it reserves. */
struct og_own_worth {
    enum og_worth is; /* 0: not asked yet */
    struct og_money dollars;
};
void og_own_worth_work_out(struct og_own_worth *w, const struct og_order *o);
static inline enum og_worth og_own_worth(struct og_own_worth *w, const struct og_order *o)
{
    if (!w->is)
        og_own_worth_work_out(w, o);
    return w->is;
}
/* How many contracts it trades, all legs together, and how many of them open. */
int64_t og_order_contracts(const struct og_order *o, int64_t *opening);
/* In cents, rounded up; -1: not known. */
int64_t og_order_cents(const struct og_order *o, const struct og_quote *quote, struct og_own_worth *w);

#endif
