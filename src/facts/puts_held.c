/*
 * What the puts held short can lose, root by root: each counts with its strike less its average price, or less the
 * strike of a long put that covers it, so that it counts at no less than when it was written.  What filled since
 * positions were read goes on counting as the order did.  A long put that a working order may sell is no cover.
 */
#include "facts/data.h"

#define CONTRACTS_MOST INT64_C(1000000000000)

/* Returns how many contracts of a put can cover short puts. */
static int64_t covers(const struct og_holding_entry *h)
{
    const int64_t closing = og_money_floor(h->is.closing_sells);

    return h->puts_long > closing ? h->puts_long - closing : 0;
}

/* Set *shorts and *longs to the contracts of a put that an order changes when it fills: a sale may close longs; an
 * order that only closes buys shorts back. */
static void changes_of(const struct og_order *o, struct og_str traded, int64_t *shorts, int64_t *longs)
{
    *shorts = *longs = 0;
    for (int i = 0; o && i < og_order_trades(o); i++) {
        const struct og_trade t = og_order_trade(o, i);

        if (t.opens > 0 || !og_str_eq(t.symbol, traded))
            continue;
        if (t.side == OG_SELL)
            *longs += t.size;
        else if (t.side == OG_BUY && t.opens == 0)
            *shorts += t.size;
    }
}

/* Returns what the short puts of a root can lose in all, after the order (NULL: none) has filled.  With too many
 * contracts to pair, no long put counts as cover.  *counted: the value with which the short puts of the document of
 * positions count. */
static og_wide lose_on(const struct og_root_entry *root, const struct og_order *o, og_wide *counted)
{
    struct og_put_lot lot[OG_PUT_LOTS];
    og_wide strikes = 0;
    int64_t shorts, longs;
    int count = 0;

    *counted = 0;
    for (const struct og_holding *h = root->first ? &root->first->is : NULL; h; h = h->next_of_root) {
        const struct og_holding_entry *e = (const struct og_holding_entry *)h; /* `is` is the first member of struct
                                                                                * og_holding_entry */

        if (h->occ.type != 'P' || !(e->puts_short | e->puts_long))
            continue;
        strikes += og_put_strikes(h->occ.strike, e->puts_short);
        *counted += e->puts_premium + e->puts_value;
        changes_of(o, h->traded, &shorts, &longs);
        shorts = e->puts_short - shorts;
        longs = covers(e) - longs;
        if (count < OG_PUT_LOTS)
            lot[count] =
                (struct og_put_lot){ h->occ.strike, h->occ.expiry, shorts > 0 ? shorts : 0, longs > 0 ? longs : 0 };
        count++;
    }
    return count <= OG_PUT_LOTS ? og_puts_lose(lot, count) : strikes;
}

static og_wide beyond(og_wide loss, og_wide counted)
{
    return loss > counted ? loss - counted : 0;
}

static void work_out(struct og_aggregates *s, struct og_root_entry *root, bool filled)
{
    const og_wide was = root->puts_lose;
    og_wide counted = 0, loss = root->puts_short ? lose_on(root, NULL, &counted) : 0;

    root->puts_stale = false;
    root->puts_filled += filled ? beyond(loss, root->puts_loss) : 0;
    root->puts_loss = loss;
    root->puts_lose = beyond(loss, counted + root->puts_filled);
    s->totals.puts_lose += root->puts_lose - was;
}

/* Returns true for a row of the document of positions: of what is held, only the value of such a row may be raised. */
static bool is_position(const struct og_change *c)
{
    return c->lots && c->loose.coef;
}

/* Count contracts that are held short: more of them, or fewer. */
static void count_shorts(struct og_aggregates *s, struct og_holding_entry *h, int64_t contracts)
{
    h->puts_short += contracts;
    h->root->puts_short += contracts;
    s->totals.puts_short += contracts;
}

/* Some of the contracts held were closed.  The shorts that are left keep their part of the premium and of the value,
 * rounded down. */
static void close_some(struct og_aggregates *s, struct og_holding_entry *h, bool shorts, int64_t contracts)
{
    const int64_t held = shorts ? h->puts_short : h->puts_long, closed = contracts < held ? contracts : held;

    if (closed <= 0)
        return;
    if (!shorts) {
        h->puts_long -= closed;
        return;
    }
    h->puts_premium = h->puts_premium * (held - closed) / held;
    h->puts_value = h->puts_value * (held - closed) / held;
    count_shorts(s, h, -closed);
}

/* Returns the contracts of a change, but at most CONTRACTS_MOST, so that sums of them never overflow: nobody holds
 * more. */
static int64_t contracts_of(struct og_money by)
{
    const int64_t contracts = og_money_floor(by);

    return contracts < CONTRACTS_MOST ? contracts : CONTRACTS_MOST;
}

void og_facts_count_puts(struct og_aggregates *s, struct og_holding_entry *h, const struct og_change *c, int sign)
{
    for (int i = 0; i < c->sizes; i++) {
        const bool shorts = c->size[i].of == OG_HELD_SHORT;
        const int64_t contracts = contracts_of(c->size[i].by);

        if (!shorts && c->size[i].of != OG_HELD_LONG)
            continue;
        if (sign < 0)
            close_some(s, h, shorts, contracts);
        else if (shorts)
            count_shorts(s, h, contracts);
        else
            h->puts_long += contracts;
        if (shorts && is_position(c)) {
            h->puts_premium += c->least;
            h->puts_value += c->shorts;
        }
    }
    h->root->puts_stale = true;
    if (!s->puts_later)
        work_out(s, h->root, false);
}

void og_facts_puts_settle(struct og_aggregates *s)
{
    struct og_root_entry *root;
    size_t at = 0;

    s->puts_later = false;
    while ((root = og_facts_map_next(&s->roots, &at)) != NULL)
        if (root->puts_stale)
            work_out(s, root, false);
}

void og_facts_puts_filled(struct og_aggregates *s, struct og_holding_entry *h)
{
    if (h->root && h->root->puts_stale)
        work_out(s, h->root, true);
}

og_wide og_facts_uncovers(const struct og_facts *f, const struct og_order *o)
{
    og_wide more = 0, counted;

    for (int i = 0; i < og_order_trades(o); i++) {
        const struct og_trade t = og_order_trade(o, i);
        const struct og_root_entry *root;
        bool again = false;

        if (t.side != OG_SELL || t.opens > 0 || !t.occ->is || t.occ->type != 'P')
            continue;
        for (int k = 0; k < i; k++) /* each root is computed only once */
            again = again || (og_order_trade(o, k).occ->is && og_str_eq(og_order_trade(o, k).occ->root, t.occ->root) &&
                              og_order_trade(o, k).side == OG_SELL && og_order_trade(o, k).opens <= 0 &&
                              og_order_trade(o, k).occ->type == 'P');
        root = again ? NULL : og_facts_map_get(&f->sums->roots, t.occ->root);
        if (root && root->puts_short) {
            const og_wide loss = lose_on(root, o, &counted);

            more += beyond(beyond(loss, counted + root->puts_filled), root->puts_lose);
        }
    }
    return more;
}
