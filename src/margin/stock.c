/*
 * Regulation T and FINRA 4210 for stock: half of its value is required when it is bought, a quarter while it is held,
 * and less while options bound the loss. Options do not lower the initial requirement.
 */
#include "margin/stock.h"

#define DOLLARS(n) ((int64_t)(n)*OG_MARGIN_DOLLAR)

static int64_t percent(int64_t amount, int n)
{
    return (int64_t)(((og_wide)amount * n + 99) / 100);
}

static int64_t less(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t more(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* Returns by how much a written put is in the money. */
static int64_t put_in(const struct og_margin_stock *s)
{
    return s->put ? more(0, s->put - s->price) : 0;
}

int64_t og_margin_stock_initial(const struct og_margin_stock *s)
{
    return s->is_short ? percent(s->price, 150) + put_in(s) : percent(s->price, 50);
}

/* Returns the requirement of short shares while they are held.  Below 5 dollars per share: the whole price, at least
 * 2.50. */
static int64_t short_held(const struct og_margin_stock *s)
{
    if (s->call && s->call == s->put) /* a reverse conversion (call and put have the same strike): the short shares are
                                       * bought back at the strike, whatever the price is */
        return s->put + percent(s->put, 10);
    if (s->price < DOLLARS(5))
        return s->price + more(DOLLARS(5) / 2, s->price) + put_in(s);
    return s->price + more(DOLLARS(5), percent(s->price, 30)) + put_in(s);
}

int64_t og_margin_stock_held(const struct og_margin_stock *s)
{
    int64_t quarter = percent(s->price, 25), protected;

    if (s->is_short)
        return short_held(s);
    /* a written call without a put: the stock's value above the call's strike belongs to the holder of the call */
    if (!s->put)
        return s->call ? percent(less(s->price, s->call), 25) : quarter;
    if (s->call == s->put) /* a conversion */
        return percent(s->put, 10);
    protected = percent(s->put, 10) + more(0, s->price - s->put);
    return less(protected, s->call ? percent(s->call, 25) : quarter);
}
