/*
 * Computes how much an order opens in the worst case, from its sides and the positions.  The rules compare that with
 * limits.
 */
#include "base/attributes.h"
#include "rules/limit.h"

/* Set *size to the part of a closing trade that exceeds the position. Working closes, and earlier trades of this order
 * in the same symbol and direction, are deducted from the position first.  Returns false if *size is out of range. */
static bool excess(const struct og_case *c, int i, const struct og_trade *t, struct og_money *size)
{
    const struct og_holding *h = og_case_holding(c, t);
    const bool sells = t->side == OG_SELL;
    struct og_money held = !h ? og_money_from(0) : sells ? h->held_long : h->held_short;
    struct og_money taken = !h ? og_money_from(0) : sells ? h->closing_sells : h->closing_buys;
    int64_t want = t->size, over;

    for (int k = 0; k < i; k++) {
        const struct og_trade before = og_order_trade(c->order, k);

        if (before.side == t->side && og_trade_may_close(&before) && og_str_eq(before.symbol, t->symbol))
            want += before.size;
    }
    if (taken.scale == 0 && held.scale == 0 && !__builtin_add_overflow(taken.coef, want, &over) &&
        !__builtin_sub_overflow(over, held.coef, &over)) { /* as in most orders, both numbers are whole */
        *size = og_money_from(over < 0 ? 0 : over < t->size ? over : t->size);
        return true;
    }
    if (!og_money_add(taken, og_money_from(want), &taken) || !og_money_sub(taken, held, size))
        return false;
    if (size->coef < 0)
        *size = og_money_from(0);
    else if (og_money_cmp(*size, og_money_from(t->size)) > 0)
        *size = og_money_from(t->size);
    return true;
}

OG_HOT bool og_case_opening(const struct og_case *c, int i, struct og_money *size)
{
    const struct og_trade t = og_order_trade(c->order, i);
    int64_t as_of;

    *size = og_money_from(t.size);
    if (og_trade_may_open(&t))
        return true;
    if (og_facts_known(c->facts, OG_FACT_POSITIONS, &as_of) &&
        og_fact_is_fresh(as_of, c->facts_at, c->max_age[__builtin_ctz(OG_FACT_POSITIONS)]))
        return excess(c, i, &t, size);
    *size = og_money_from(0); /* assume that the order closes: stale or missing positions must not keep anyone in a
                               * position */
    return true;
}

OG_HOT OG_NOINLINE bool og_case_closes(const struct og_case *c)
{
    struct og_money opening;

    for (int i = 0; i < og_order_trades(c->order); i++)
        if (!og_case_opening(c, i, &opening) || opening.coef != 0 || og_order_trade(c->order, i).size <= 0)
            return false; /* the order has no valid size: it may close more than is held */
    return true;
}

OG_HOT bool og_case_sells_short(const struct og_case *c, int i)
{
    const struct og_trade t = og_order_trade(c->order, i);
    struct og_money opening;

    return t.side == OG_SELL && c->order->security != OG_OPTION && !t.occ->is && t.symbol.len &&
           (!og_case_opening(c, i, &opening) || opening.coef);
}

OG_HOT unsigned og_case_opening_legs(const struct og_case *c)
{
    struct og_money opening;
    unsigned legs = 0;

    for (int i = 0; i < c->order->legs_kept; i++)
        legs |=
            (unsigned)(og_opens(c->order->leg[i].open_close) != 0 || !og_case_opening(c, i, &opening) || opening.coef)
            << i;
    return legs;
}

/* Returns true if a leg and other orders together close more than is held: it is then not known which of them opens,
 * nor what the leg is worth. */
static bool closes_beyond(const struct og_case *c)
{
    struct og_money opening;

    for (int i = 0; i < og_order_trades(c->order); i++) {
        const struct og_trade t = og_order_trade(c->order, i);
        const struct og_holding *h = og_trade_may_open(&t) ? NULL : og_case_holding(c, &t);

        if (h && (t.side == OG_SELL ? h->closing_sells : h->closing_buys).coef &&
            (!og_case_opening(c, i, &opening) || opening.coef))
            return true;
    }
    return false;
}

/* The order does not say openClose, so it may close the position first, and then working orders that were to close it
 * would open. Add what those working orders would be worth. Returns false if that is not known. */
static bool add_used_up(const struct og_case *c, og_wide *cents)
{
    bool known = true;
    int64_t as_of;
    og_wide more;

    for (int i = 0; i < og_order_trades(c->order) && og_facts_known(c->facts, OG_FACT_POSITIONS, &as_of); i++) {
        const struct og_trade t = og_order_trade(c->order, i);
        const struct og_holding *h = og_trade_may_open(&t) && og_trade_may_close(&t) ? og_case_holding(c, &t) : NULL;

        if (!h)
            continue;
        known &= og_holding_uses_up(h, t.side, og_money_from(t.size), &more);
        *cents += more;
    }
    return known;
}

void og_case_spread(const struct og_case *c, struct og_exposure *e)
{
    struct og_market m = og_case_market(c);

    *c->asked |= OG_FACT_QUOTE;
    og_spread_exposure(c->order, &m, c->worth, e);
    if (e->gross_is == OG_WORTH_TOO_LARGE)
        *e = (struct og_exposure){ INT64_MAX, INT64_MAX, OG_WORTH_KNOWN, OG_WORTH_KNOWN };
}

static enum og_worth spread_adds(const struct og_case *c, bool shorts, og_wide *cents)
{
    struct og_exposure e;
    enum og_worth worth;

    og_case_spread(c, &e);
    *cents = shorts ? e.shorts : e.gross;
    worth = shorts ? e.shorts_is : e.gross_is;
    return worth == OG_WORTH_KNOWN && closes_beyond(c) ? OG_WORTH_NEEDS_QUOTE : worth;
}

/* Returns by how many cents exposure falls because the sold shares no longer count. At most `uncovering` shares are
 * counted: the order may fill for exactly that many, and further shares uncover no more options. */
static og_wide shares_gone(const struct og_case *c, int64_t uncovering)
{
    og_wide gone = 0;

    for (int i = 0; i < og_order_trades(c->order); i++) {
        const struct og_trade t = og_order_trade(c->order, i);
        const struct og_holding *h = og_case_holding(c, &t);
        const int64_t held = h && !t.occ->is && t.side == OG_SELL && t.opens == 0 ? og_money_floor(h->held_long) : 0;
        const int64_t size = t.size < uncovering ? t.size : uncovering;

        if (held > 0 && h->carried > 0 && h->carried <= INT64_MAX)
            gone += size < held ? (og_wide)((int64_t)h->carried / (held + 1)) * size
                                : (og_wide)((int64_t)h->carried / (held + 1) * held);
    }
    return gone;
}

static og_wide adds_by_uncovering(const struct og_case *c, bool shorts, const struct og_uncovered *u)
{
    const og_wide gone = u->more && !shorts && og_case_reduces(c) ? shares_gone(c, u->shares) : 0;

    return u->more > gone ? u->more - gone : 0;
}

/* if the facts are not fresh, nothing is set: a sale is not refused because a fact is missing */
bool og_case_uncovers(const struct og_case *c, struct og_uncovered *filled, struct og_uncovered *waiting)
{
    if (og_case_may_uncover(c) && og_has(c, OG_FACT_POSITIONS | OG_FACT_ORDERS))
        return og_facts_uncovers(c->facts, c->order, filled, waiting);
    *filled = *waiting = (struct og_uncovered){ 0, 0, 0 };
    return false;
}

bool og_case_uncovers_alone(const struct og_case *c, bool shorts)
{
    struct og_uncovered filled, waiting;

    return og_case_uncovers(c, &filled, &waiting) && adds_by_uncovering(c, shorts, &waiting) > 0;
}

static enum og_worth adds_by_opening(const struct og_case *c, bool shorts, og_wide *cents)
{
    const struct og_order *o = c->order;
    int64_t all = 0;
    enum og_worth worth;

    if (o->security == OG_MLEG) {
        worth = spread_adds(c, shorts, cents);
    } else {
        worth = og_case_cents_opening(c, &all);
        *cents = all;
    }
    if (!add_used_up(c, cents) && worth == OG_WORTH_KNOWN)
        worth = OG_WORTH_NEEDS_QUOTE;
    if (o->security == OG_MLEG || og_order_may_open(o) || worth != OG_WORTH_KNOWN || all == INT64_MAX)
        return worth;
    return og_holding_beyond_more(c->holding, o->side, og_money_from(o->quantity), all, cents) ? OG_WORTH_KNOWN
                                                                                               : OG_WORTH_NEEDS_QUOTE;
}

enum og_worth og_case_adds(const struct og_case *c, bool shorts, og_wide *cents)
{
    struct og_uncovered filled, waiting;
    enum og_worth worth = OG_WORTH_KNOWN;

    *cents = 0;
    if (!og_case_reduces(c))
        worth = adds_by_opening(c, shorts, cents);
    if (og_case_uncovers(c, &filled, &waiting))
        *cents += adds_by_uncovering(c, shorts, &filled);
    return worth;
}

struct og_adds og_case_adds_to(const struct og_case *c)
{
    struct og_adds a = { .shorts_is = OG_WORTH_KNOWN };

    a.is = og_case_adds(c, false, &a.longs);
    if (c->order->security == OG_MLEG) {
        a.shorts_is = og_case_adds(c, true, &a.shorts);
        a.longs -= a.shorts < a.longs ? a.shorts : a.longs;
    } else if (c->order->side == OG_SELL) {
        a.shorts = a.longs;
        a.shorts_is = a.is;
        a.longs = 0;
    }
    return a;
}
