/*
 * The limits of gates.c, stated from docs/ and rules/README.md alone: every count and sum is taken anew from the
 * world's orders and fills.
 */
#include <string.h>

#include "gates.h"

#define DAY_NS (INT64_C(86400) * OG_NS_PER_S)
#define HOUR   (INT64_C(3600) * OG_NS_PER_S)

const char *const rule_name[RULES] = {
    [TAG_LIMITS] = "tag-limits",
    [REPEATED_ORDER] = "repeated-order",
    [TRADED_LIMIT] = "traded-limit",
    [DAY_LOSS] = "day-loss",
    [REJECTION_STREAK] = "rejection-streak",
    [SYMBOL_STATUS] = "symbol-status",
    [PRICE_COLLAR] = "price-collar",
    [SELF_CROSS] = "self-cross",
    [SETTLED_CASH] = "settled-cash",
    [GROUP_LIMIT] = "group-limit",
    [OPEN_ORDERS] = "open-orders",
    [POSITION_LIMIT] = "position-limit",
};

int64_t day_of(int64_t at)
{
    return (at - 5 * HOUR) / DAY_NS;
}

int64_t session_of(int64_t at)
{
    return (at - 9 * HOUR) / DAY_NS;
}

int64_t filled(const struct order *o)
{
    int64_t sum = 0;

    for (int i = 0; i < o->fills; i++)
        sum += o->fill[i].quantity;
    return sum;
}

int64_t leaves(const struct order *o)
{
    return o->quantity - filled(o);
}

bool is_contract(int thing)
{
    return thing % CHAIN != 0;
}

bool has_limit(const struct order *o)
{
    return o->type == LIMIT || o->type == STOP_LIMIT;
}

bool has_stop(const struct order *o)
{
    return o->type == STOP || o->type == STOP_LIMIT;
}

/* Lower and upper bound; `loose`: there is no upper one. Most limits have one value, which is both. */
struct bounds {
    int64_t lo, hi;
    bool loose;
};

static enum verdict within(struct bounds b, int64_t most)
{
    if (most < 0)
        return SAFE;
    return b.lo > most ? EXCEEDS : b.loose || b.hi > most ? BETWEEN : SAFE;
}

static enum verdict worse(enum verdict a, enum verdict b)
{
    return a > b ? a : b;
}

static int stock_of(const struct order *o)
{
    return o->leg[0].thing / CHAIN;
}

/* --- what orders count -------------------------------------------------------------------------------------------- */

/* Count every accepted order of the strategy, whatever became of it. */
static enum verdict judge_tag(const struct world *w, const struct order *o)
{
    struct bounds minute = { 1, 1, false }, day = { 1, 1, false };

    if (o->tag == TAGS)
        return w->desk.untagged ? EXCEEDS : SAFE;
    for (int i = 0; i < w->orders; i++) {
        const struct order *x = &w->order[i];

        if (x->tag != o->tag)
            continue;
        minute.lo += w->now - x->at < 60 * OG_NS_PER_S;
        day.lo += day_of(x->at) == day_of(w->now);
    }
    minute.hi = minute.lo;
    day.hi = day.lo;
    return worse(within(minute, w->desk.a_minute[o->tag]), within(day, w->desk.a_day[o->tag]));
}

static bool has_same_legs(const struct order *a, const struct order *b, bool sides)
{
    if (a->legs != b->legs)
        return false;
    for (int i = 0; i < a->legs; i++)
        if (a->leg[i].thing != b->leg[i].thing || (sides && a->leg[i].buy != b->leg[i].buy))
            return false;
    return true;
}

static bool is_same(const struct order *a, const struct order *b, enum same by)
{
    if (by == SYMBOL)
        return !a->spread && has_same_legs(a, b, false);
    if (!has_same_legs(a, b, true))
        return false;
    return by == DIRECTION || (a->type == b->type && a->closes == b->closes && a->quantity == b->quantity &&
                               a->limit == b->limit && a->stop == b->stop && a->tag == b->tag);
}

static enum verdict judge_repeat(const struct world *w, const struct order *o)
{
    struct bounds b = { 1, 1, false };

    for (int i = 0; i < w->orders; i++) {
        const struct order *x = &w->order[i];
        bool same = is_same(x, o, w->desk.same), perhaps = same;

        if (w->now - x->at >= w->desk.repeat_window)
            continue;
        if (w->desk.same == SYMBOL && (x->spread || o->spread)) /* the documents do not say which symbol a spread has */
            perhaps = stock_of(x) == stock_of(o);
        if (w->desk.same == TERMS && has_same_legs(x, o, true) &&
            x->quantity == o->quantity) /* the documents do not say either whether the tag is one of the terms */
            perhaps =
                same || (x->type == o->type && x->limit == o->limit && x->stop == o->stop && x->closes == o->closes);
        b.lo += same;
        b.hi += perhaps;
    }
    return within(b, w->desk.repeat_most);
}

/* --- what is traded ----------------------------------------------------------------------------------------------- */

/* Returns the least and the greatest price at which a leg may trade at the worst, for one share or contract. A stop
 * that buys trades at its price or beyond; without a limit nothing in the order bounds how far. A stop that sells
 * trades near its price, if it triggers. */
static struct bounds price_of(const struct world *w, const struct order *o)
{
    const struct thing *t = &w->thing[o->leg[0].thing];
    const int64_t each = is_contract(o->leg[0].thing) ? 100 : 1, quote = o->leg[0].buy ? t->ask : t->bid;
    struct bounds b = { each * o->limit, each * o->limit, !has_limit(o) || !o->leg[0].buy };

    /* a market order may count at the quote of the time at which it was accepted, or was read */
    if (o->type == MARKET)
        b.lo = each * (o->live ? o->quoted : quote);
    if (o->type == STOP)
        b.lo = each * (!o->live && quote > o->stop ? quote : o->stop);
    if (o->type == STOP_LIMIT && !o->leg[0].buy && o->stop > o->limit)
        b.lo = each * o->stop;
    return b;
}

/* Add to *b what the order has traded since a time, and what it may still trade, in that unit. */
static void add_traded(const struct world *w, const struct order *o, bool works_now, int unit, int64_t since,
                       struct bounds *b)
{
    const int64_t works = works_now ? leaves(o) : 0;
    const struct bounds price = price_of(w, o);

    if (unit == DOLLARS && o->spread) { /* the net price of a spread does not tell what each leg trades for */
        b->loose = true;
        return;
    }
    for (int i = 0; i < o->legs; i++) {
        const int64_t each = is_contract(o->leg[i].thing) ? 100 : 1;
        int64_t done = 0, told = 0;

        if (unit != DOLLARS && is_contract(o->leg[i].thing) != (unit == CONTRACTS))
            continue;
        for (int k = 0; k < o->fills; k++) {
            done += o->fill[k].at > since ? o->fill[k].quantity : 0;
            told += o->fill[k].at > since || o->lumped > since ? o->fill[k].quantity : 0;
        }
        if (unit == DOLLARS) {
            b->lo += works * price.lo + done * o->price * each;
            b->hi += works * price.hi + told * o->price * each;
            b->loose = b->loose || (works && price.loose);
        } else {
            b->lo += (works + done) * o->leg[i].ratio;
            b->hi += (works + told) * o->leg[i].ratio;
        }
    }
}

static enum verdict judge_traded(const struct world *w, const struct order *o)
{
    const int64_t midnight = day_of(w->now) * DAY_NS + 5 * HOUR - 1;
    enum verdict v = SAFE;

    for (int of_one = 0; of_one < 2; of_one++)
        for (int window = 0; window < 2; window++)
            for (int unit = 0; unit < UNITS; unit++) {
                const int64_t most = w->desk.traded[of_one][window][unit];
                const int64_t since = window ? w->now - w->desk.window : midnight;
                struct bounds b = { 0, 0, false }, own = { 0, 0, false };

                add_traded(w, o, true, unit, since, &own);
                if (most < 0 || (own.lo == 0 && !own.loose))
                    continue; /* the order trades nothing in that unit */
                for (int i = 0; i < w->orders; i++)
                    if (!of_one || stock_of(&w->order[i]) == stock_of(o))
                        add_traded(w, &w->order[i], w->order[i].live, unit, since, &b);
                b.lo += own.lo;
                b.hi += own.hi;
                b.loose = b.loose || own.loose;
                v = worse(v, within(b, unit == DOLLARS ? most * 100 : most));
            }
    return v;
}

/* Judge settled cash. Purchases since the world began are already deducted from w->cash; added here are the working
 * orders and this one. Proceeds of sales do not count, since they have not settled. */
static enum verdict judge_cash(const struct world *w, const struct order *o)
{
    struct bounds b = { 0, 0, false };

    if (!o->spread && !o->leg[0].buy && !is_contract(o->leg[0].thing))
        return BETWEEN; /* the order buys nothing */
    for (int i = 0; i <= w->orders; i++) {
        const struct order *x = i < w->orders ? &w->order[i] : o;
        const struct bounds price = price_of(w, x);

        if (x != o && !x->live && x->fills == 0)
            continue;
        if (x->spread || (!x->leg[0].buy && is_contract(x->leg[0].thing))) {
            b.loose = true;
        } else if (x->leg[0].buy) {
            b.lo += leaves(x) * (x == o || x->live ? price.lo : 0);
            b.hi += x->quantity * price.hi; /* a fill may count at the order's limit until the gates get newer cash */
            b.loose = b.loose || price.loose;
        }
    }
    for (int t = 0; t < THINGS; t++)
        b.loose = b.loose || w->thing[t].written;
    if (o->spread || (!o->leg[0].buy && is_contract(o->leg[0].thing)))
        return BETWEEN; /* for written options only a bound is known */
    return b.lo > w->cash + w->slipped ? EXCEEDS : b.loose || b.hi > w->cash ? BETWEEN : SAFE;
}

/* --- latches ------------------------------------------------------------------------------------------------------ */

static enum verdict held_by(bool tripped, int64_t day, enum latch kind, int64_t session)
{
    if (!tripped || kind == OFF)
        return SAFE;
    return kind == UNTIL_RESUMED || day == session ? EXCEEDS : SAFE;
}

static enum verdict judge_loss(const struct world *w)
{
    const struct desk *d = &w->desk;
    const int64_t session = session_of(w->now);
    enum verdict v = worse(held_by(w->loss_latch.tripped, w->loss_latch.day, d->loss_latch, session),
                           held_by(w->drawdown_latch.tripped, w->drawdown_latch.day, d->loss_latch, session));
    const bool beyond = (d->loss >= 0 && -w->pnl > d->loss) || (d->drawdown >= 0 && w->peak - w->pnl > d->drawdown);

    if (w->resumed_late || w->pnl_day != session) /* the documents do not say whether yesterday's figure trips the latch
                                                   * again */
        v = worse(v, BETWEEN);
    if (w->pnl_day != session)
        return v;
    return beyond ? EXCEEDS : v;
}

static enum verdict judge_streak(const struct world *w)
{
    const int64_t session = session_of(w->now);

    if (w->streak > w->desk.streak)
        return EXCEEDS;
    if (w->desk.streak_latch == DAY && w->streak_day == session) /* the documents do not say whether that trips the
                                                                  * latch for the day */
        return worse(BETWEEN, held_by(w->streak_latch.tripped, w->streak_latch.day, DAY, session));
    return held_by(w->streak_latch.tripped, w->streak_latch.day, w->desk.streak_latch, session);
}

/* --- the market --------------------------------------------------------------------------------------------------- */

static enum verdict judge_status(const struct world *w, const struct order *o)
{
    const struct thing *s = &w->thing[stock_of(o) * CHAIN], *t = &w->thing[o->leg[0].thing];
    const bool limited = has_limit(o), buys = o->leg[0].buy;

    if (o->spread || is_contract(o->leg[0].thing)) /* the documents do not say what the status of a stock means for its
                                                    * options */
        return s->halted || s->paused || s->restricted || s->down || s->up ? BETWEEN : SAFE;
    if (s->halted || s->paused)
        return EXCEEDS;
    if (limited && (buys ? s->up && o->limit > s->up : s->down && o->limit < s->down))
        return EXCEEDS;
    if (!buys && s->restricted && has_stop(o)) /* where the bid is when it triggers is not known */
        return BETWEEN;
    if (!buys && s->restricted && (!limited || o->limit <= t->bid))
        return EXCEEDS;
    return SAFE;
}

/* Returns true if the order's limit is beyond the price `from` by more than `away` hundredths of a percent. */
static bool is_beyond(const struct order *o, int64_t from, int64_t away)
{
    return o->leg[0].buy ? o->limit * 10000 > from * (10000 + away) : o->limit * 10000 < from * (10000 - away);
}

static enum verdict judge_collar(const struct world *w, const struct order *o)
{
    const struct thing *t = &w->thing[o->leg[0].thing];
    const struct desk *d = &w->desk;
    const int64_t ns = (w->now - 5 * HOUR) % DAY_NS;
    int64_t away = d->away, wide;
    bool beyond = false, wide_beyond = false, cheap = true, dear = true;
    const bool waits = o->type == STOP_LIMIT && (o->leg[0].buy ? o->stop > t->ask : o->stop < t->bid);
    const int64_t from[] = { waits ? o->stop : o->leg[0].buy ? t->ask : t->bid, t->last };
    const int64_t step = o->closes ? (is_contract(o->leg[0].thing) ? 5 : 1) : 0;
    struct order nearer = *o; /* the same order with a limit one price step nearer, since a close may be one step
                               * beyond */

    if (o->spread || !has_limit(o))
        return o->spread ? BETWEEN : SAFE; /* for a market order the rule only informs (market-without-quote) */
    away = ns < 9 * HOUR + HOUR / 2 && d->before_open > away ? d->before_open : away;
    away = ns >= 16 * HOUR && d->after_close > away ? d->after_close : away;
    wide = d->cheap_away > away ? d->cheap_away : away;
    nearer.limit += o->leg[0].buy ? -step : step;
    for (int i = 0; i < (d->with_last && !waits ? 2 : 1); i++) { /* where the market is at the stop, nobody knows */
        cheap = cheap && from[i] < d->cheap_below;
        dear = dear && from[i] >= d->cheap_below;
        beyond = beyond || is_beyond(o, from[i], away);
        wide_beyond = wide_beyond || is_beyond(&nearer, from[i], wide);
    }
    cheap = cheap && o->limit < d->cheap_below;
    dear = dear && o->limit >= d->cheap_below;
    if (step == 0 && (cheap || dear)) /* otherwise the documents do not say which of the prices must be the cheap one */
        return (cheap ? wide_beyond : beyond) ? EXCEEDS : SAFE;
    return wide_beyond ? EXCEEDS : beyond ? BETWEEN : SAFE;
}

/* What a stop without a limit may meet where the desk has that refused. When it triggers, whatever is nearer to the
 * market has filled, market orders too, and a stop the other way is not in the market. */
static enum verdict crosses_stop(const struct desk *d, const struct order *stop, const struct order *other)
{
    if (!d->stops_cross || (!other->spread && !has_limit(other)))
        return SAFE;
    if (other->spread || (stop->leg[0].buy ? other->limit >= stop->stop : other->limit <= stop->stop))
        return EXCEEDS;
    return stop->fills ? BETWEEN : SAFE; /* it has triggered, which is not said of */
}

/* Two single orders meet where their limits do; a leg of a spread has no price and meets every single order on the
 * other side of its contract. A stop with a limit counts as if it had triggered. */
static enum verdict crosses(const struct desk *d, const struct order *a, const struct order *b)
{
    enum verdict v = SAFE;

    for (int i = 0; i < a->legs; i++)
        for (int k = 0; k < b->legs; k++) {
            const struct order *buyer = a->leg[i].buy ? a : b, *seller = a->leg[i].buy ? b : a;

            if (a->leg[i].thing != b->leg[k].thing || a->leg[i].buy == b->leg[k].buy)
                continue;
            if (a->spread && b->spread)
                v = worse(v, BETWEEN);
            else if (a->type == STOP || b->type == STOP)
                v = worse(v, a->type == STOP ? crosses_stop(d, a, b) : crosses_stop(d, b, a));
            else if (a->spread || b->spread || buyer->type == MARKET || seller->type == MARKET ||
                     buyer->limit >= seller->limit)
                v = EXCEEDS;
        }
    return v;
}

static enum verdict judge_cross(const struct world *w, const struct order *o)
{
    enum verdict v = SAFE;

    for (int i = 0; i < w->orders; i++)
        if (w->order[i].live)
            v = worse(v, crosses(&w->desk, o, &w->order[i]));
    return v;
}

/* --- groups ------------------------------------------------------------------------------------------------------- */

static bool is_grouped(int stock)
{
    return stock != 1;
}

/* Add a working order to the sums of one side. Options and spreads have no upper bound in this model. */
static void add_side(const struct world *w, const struct order *o, struct bounds side[2])
{
    const struct bounds price = price_of(w, o);
    const bool buys = o->leg[0].buy;

    if (o->spread) {
        side[0].loose = side[1].loose = true;
        return;
    }
    if (o->closes)
        return;
    if (is_contract(o->leg[0].thing) && !buys) { /* a written put may count as long of its stock */
        side[0].loose = side[1].loose = true;
        return;
    }
    if (is_contract(o->leg[0].thing)) {
        side[0].loose = side[1].loose = true;
        return;
    }
    side[buys].lo += leaves(o) * price.lo;
    side[buys].hi += leaves(o) * price.hi;
    side[buys].loose = side[buys].loose || price.loose;
}

/* Judge one side of the group. An order that adds nothing to that side is not refused for it. */
static enum verdict judge_side(const struct order *o, bool longs, struct bounds b, int64_t most)
{
    const enum verdict v = within(b, most < 0 ? -1 : most * 100);

    if (o->leg[0].buy == longs && !o->spread)
        return v;
    return v == SAFE || (!o->spread && !is_contract(o->leg[0].thing)) ? SAFE : BETWEEN;
}

static enum verdict judge_group(const struct world *w, const struct order *o)
{
    const int64_t *most = w->desk.group;
    struct bounds side[2] = { { 0, 0, false }, { 0, 0, false } }, gross, net, orders = { 1, 1, false };
    bool there[STOCKS] = { false }, own;
    struct bounds underlyings = { 0, 0, false };
    int64_t offset[2] = { 0, 0 };

    if (!is_grouped(stock_of(o)))
        return SAFE;
    for (int t = 0; t < THINGS; t++) {
        const struct thing *h = &w->thing[t];

        if (!is_grouped(t / CHAIN) || (h->held == 0 && h->written == 0))
            continue;
        there[t / CHAIN] = true;
        side[0].loose = side[1].loose = true; /* the upper bound is unknown, since positions count at the higher of cost
                                               * and quote */
        if (is_contract(t))
            continue;
        side[1].lo += h->held * h->cost;
        side[0].lo += h->written * h->written_cost;
        offset[1] += h->held * (h->cost > h->ask ? h->cost : h->ask);
        offset[0] += h->written * (h->written_cost > h->ask ? h->written_cost : h->ask);
    }
    own = there[stock_of(o)];
    for (int i = 0; i < w->orders; i++)
        own = own || (w->order[i].live && !w->order[i].closes && stock_of(&w->order[i]) == stock_of(o));
    for (int i = 0; i <= w->orders; i++) {
        const struct order *x = i < w->orders ? &w->order[i] : o;

        if (!is_grouped(stock_of(x)) || (x != o && !x->live))
            continue;
        add_side(w, x, side);
        orders.lo += x != o;
        there[stock_of(x)] = there[stock_of(x)] || !x->closes;
    }
    orders.hi = orders.lo;
    for (int i = 0; i < STOCKS; i++)
        underlyings.lo += there[i];
    underlyings.hi = underlyings.lo;
    gross = (struct bounds){ side[0].lo + side[1].lo, side[0].hi + side[1].hi, side[0].loose || side[1].loose };
    net = gross; /* the net is at most the gross */
    net.lo = side[1].lo - offset[0] > side[0].lo - offset[1] ? side[1].lo - offset[0] : side[0].lo - offset[1];
    if (side[0].loose || side[1].loose) /* positions that offset may count at more than this model knows */
        net.lo = offset[0] || offset[1] ? 0 : net.lo;
    return worse(worse(worse(within(gross, most[GROSS] < 0 ? -1 : most[GROSS] * 100),
                             within(net, most[NET] < 0 ? -1 : most[NET] * 100)),
                       worse(judge_side(o, true, side[1], most[LONG]), judge_side(o, false, side[0], most[SHORT]))),
                 worse(own ? SAFE : within(underlyings, most[POSITIONS]), within(orders, most[ORDERS])));
}

static enum verdict judge_working(const struct world *w)
{
    struct bounds b = { 1, 1, false };

    for (int i = 0; i < w->orders; i++)
        b.lo += w->order[i].live;
    b.hi = b.lo;
    return within(b, w->desk.working);
}

/* What is held on a side, what works to add to it, and the order, of each symbol that it opens. */
static enum verdict judge_position(const struct world *w, const struct order *o)
{
    enum verdict v = SAFE;

    for (int i = 0; i < o->legs; i++) {
        const int t = o->leg[i].thing;
        const bool buys = o->leg[i].buy;
        struct bounds b = { buys ? w->thing[t].held : w->thing[t].written, 0, false };

        for (int k = 0; k <= w->orders; k++) {
            const struct order *x = k < w->orders ? &w->order[k] : o;

            if (x->closes && x->leg[0].thing == t) /* its fills may count as held until positions are read */
                b.hi += filled(x);
            for (int n = 0; n < x->legs && (x == o || x->live) && !x->closes; n++)
                if (x->leg[n].thing == t && x->leg[n].buy == buys)
                    b.lo += leaves(x) * x->leg[n].ratio;
        }
        b.hi += b.lo;
        v = worse(v, within(b, w->desk.position[is_contract(t)]));
    }
    return v;
}

enum verdict judge(const struct world *w, const struct order *o, enum rule r)
{
    if (!w->desk.on[r] || (o->closes && r != PRICE_COLLAR)) /* a close of what is held passes every limit */
        return SAFE;
    switch (r) {
    case TAG_LIMITS: return judge_tag(w, o);
    case REPEATED_ORDER: return judge_repeat(w, o);
    case TRADED_LIMIT: return judge_traded(w, o);
    case DAY_LOSS: return judge_loss(w);
    case REJECTION_STREAK: return judge_streak(w);
    case SYMBOL_STATUS: return judge_status(w, o);
    case PRICE_COLLAR: return judge_collar(w, o);
    case SELF_CROSS: return judge_cross(w, o);
    case SETTLED_CASH: return judge_cash(w, o);
    case GROUP_LIMIT: return judge_group(w, o);
    case OPEN_ORDERS: return judge_working(w);
    case POSITION_LIMIT: return judge_position(w, o);
    case RULES: break;
    }
    return BETWEEN;
}
