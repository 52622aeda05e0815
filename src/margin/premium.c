/*
 * Computes the amount that an order pays or receives, and the prices of the shorts that it writes. A spread is priced
 * only by its limit, or by the quotes of all of its legs.
 */
#include "base/attributes.h"
#include "margin/inputs.h"

static const struct og_money zero = { 0, 0 };

/* Set *price to the order's limit. Without a limit, set it to the price in the quote, or to the stop if that is higher.
 * Returns false if the quote is needed and lacks the price.  A close never counts as receiving more than the bid. */
static OG_HOT bool single_price(const struct og_margin_inputs *a, struct og_money *price)
{
    const struct og_order *o = a->q->order;
    const struct og_quote *quote = og_margin_own_quote(a->q);
    bool has = quote && (o->side == OG_BUY ? quote->has_ask : quote->has_bid);

    if (!og_order_wants_limit(o)) {
        if (has)
            *price = o->side == OG_BUY ? quote->ask : quote->bid;
        if (has && o->side == OG_BUY && o->type == OG_STOP && og_order_ok(o, OG_KEY_STOP_PRICE) &&
            og_money_cmp(o->stop, *price) > 0)
            *price = o->stop; /* the order does not fill below its stop */
        return has;
    }
    *price = o->limit;
    if (has && !a->parts.opens && o->side == OG_SELL && og_money_cmp(quote->bid, *price) < 0)
        *price = quote->bid;
    return true;
}

/* Returns true if the legs alone can lose at expiry; mirrored: if the opposite trade can.  Overwrites the book. */
static bool legs_lose(struct og_margin_inputs *a, bool mirrored)
{
    og_wide loss;

    a->book.count = 0;
    for (int i = 0; i < a->parts.count; i++) {
        const struct og_margin_part *x = &a->parts.part[i];
        struct og_margin_line *l = og_margin_line_for(a, x); /* never NULL if a book has room for the legs */

        *((x->side == OG_BUY) != mirrored ? &l->longs : &l->shorts) += x->size;
    }
    return !og_margin_loss(&a->book, &loss) || loss > 0;
}

/* Returns true if the order's net price is a credit. For a known strategy the table of strategies says so (mleg.h).
 * Other legs: if they can only lose at expiry, the net price is a credit; if they can only gain, it is a debit; if both
 * are possible, it counts as a debit, which is worse. */
static bool is_credit(struct og_margin_inputs *a)
{
    bool loses, gains;

    if (a->q->mleg->net != OG_NET_UNDETERMINED)
        return a->q->mleg->net == OG_CREDIT;
    loses = legs_lose(a, false);
    gains = legs_lose(a, true);
    a->m->assumed = loses && gains;
    return loses && !gains;
}

/* Set *net to the net price of one unit by the quotes of its legs: bought at the ask, sold at the bid. */
static bool net_of_quotes(const struct og_margin_inputs *a, struct og_money *net)
{
    const struct og_order *o = a->q->order;
    struct og_money more;

    *net = zero;
    for (int i = 0; i < o->leg_count; i++) {
        const struct og_leg *l = &o->leg[i];
        const struct og_quote *quote = og_margin_quote(a->q, l->symbol);
        bool buys = l->side == OG_BUY;

        if (!quote || !(buys ? quote->has_ask : quote->has_bid) ||
            !og_money_times(buys ? quote->ask : quote->bid, buys ? l->ratio : -l->ratio, &more) ||
            (!l->occ.is && !og_money_mul(more, (struct og_money){ 1, 2 }, &more)) || !og_money_add(*net, more, net))
            return false;
    }
    return true;
}

/* Set *price by the quotes of the symbols that the order trades. */
static bool quoted_price(struct og_margin_inputs *a, struct og_money *price)
{
    if (a->q->order->security != OG_MLEG) {
        if (single_price(a, price))
            return true;
        og_margin_needs_quote(a->m, a->q->order->symbol);
    } else {
        if (net_of_quotes(a, price))
            return true;
        og_margin_answer(a->m, OG_MARGIN_NO_PRICE, NULL);
    }
    return false;
}

OG_HOT bool og_margin_pay(struct og_margin_inputs *a)
{
    const struct og_order *o = a->q->order;
    const bool limited = og_order_wants_limit(o), single = o->security != OG_MLEG;
    bool credit = single && o->side == OG_SELL, counted;
    struct og_money price;

    if (limited && (!og_order_ok(o, OG_KEY_LIMIT_PRICE) || o->limit.coef <= 0)) {
        og_margin_answer(a->m, OG_MARGIN_NOT_MODELLED, NULL);
        return false;
    }
    if (limited && (!single || a->parts.opens)) {
        credit = single ? credit : is_credit(a);
        counted = og_own_worth(a->q->worth, o) == OG_WORTH_KNOWN;
        a->cash = a->q->worth->dollars;
        a->cash.coef = credit ? -a->cash.coef : a->cash.coef;
    } else {
        if (!quoted_price(a, &price))
            return false;
        counted = og_money_times(price, (credit ? -OG_CONTRACT : OG_CONTRACT) * o->quantity, &a->cash);
    }
    if (!counted)
        og_margin_answer(a->m, OG_MARGIN_OUT_OF_RANGE, NULL);
    return counted;
}

/* --- the premium of the order's own shorts ------------------------------------------------------------------------ */

static bool price_as(struct og_margin_line *l, struct og_money price, bool shared)
{
    l->priced = !shared;
    l->shared = shared;
    return og_margin_millionths(price, &l->price);
}

/* Give each leg the price of its own quote if all legs have quotes; the premium is then not counted twice. */
static void price_by_quotes(struct og_margin_inputs *a)
{
    for (int i = 0; i < a->parts.count; i++) {
        const struct og_margin_part *x = &a->parts.part[i];
        const struct og_holding nothing = { .traded = x->symbol, .unpriced = 1 };
        struct og_margin_line *l = x->occ->is ? og_margin_line_for(a, x) : NULL;

        if (l && x->side == OG_SELL && x->opens && !l->priced)
            og_margin_price(a->q, &nothing, l);
    }
}

/* Returns true if every leg writes one contract per unit: the sum of the legs' premiums is then known, though perhaps
 * not each premium. */
static bool is_written(const struct og_margin_inputs *a)
{
    for (int i = 0; i < a->parts.count; i++) {
        const struct og_margin_part *x = &a->parts.part[i];

        if (!x->occ->is || x->side != OG_SELL || !x->opens || x->size != a->q->order->quantity)
            return false;
    }
    return true;
}

/* Returns true if the legs' own prices are known, and their sum is at least the order's limit. */
static bool fetches(struct og_margin_inputs *a, struct og_money limit)
{
    int64_t sum = 0, least;

    for (int i = 0; i < a->parts.count; i++) {
        const struct og_margin_line *l = og_margin_line_for(a, &a->parts.part[i]);

        if (!l->priced)
            return false;
        sum += l->price;
    }
    return og_margin_millionths(limit, &least) && sum >= least;
}

bool og_margin_price_written(struct og_margin_inputs *a)
{
    const struct og_order *o = a->q->order;
    struct og_money price;

    if (o->security == OG_OPTION)
        return o->side != OG_SELL || !a->parts.opens ||
               (single_price(a, &price) && price_as(og_margin_line_for(a, &a->parts.part[0]), price, false));
    price_by_quotes(a);
    if (o->security != OG_MLEG || !og_order_wants_limit(o) || !is_written(a) || fetches(a, o->limit))
        return true;
    for (int i = 0; i < a->parts.count; i++) /* it is not known which leg the premium is for: all of it may be for any
                                              * one of the legs */
        if (!price_as(og_margin_line_for(a, &a->parts.part[i]), o->limit, true))
            return false;
    return true;
}
