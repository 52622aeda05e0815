/*
 * The worst case of an account's orders, for each limit, written from the manual and the service's document,
 * independently of the gate.
 *
 * There are two bounds: lo is an outcome that broker and market can bring about, and hi is the most that the manual
 * lets a gate assume. An accepted order whose lo exceeds a limit has broken it; an order whose hi is below the limit
 * by a margin is safe, and must be accepted. Every sum is computed anew from the orders; nothing is cached.
 */
#include <string.h>

#include "adversary.h"

bool closes_all(const struct order *o)
{
    for (int i = 0; i < o->legs; i++)
        if (o->leg[i].effect != 'C')
            return false;
    return true;
}

/* Returns how much legs of one kind in an order may still change a thing (a stock or contract), in shares or contracts
 * times SCALE. */
static int64_t moves(const struct order *o, int thing, bool buy, char effect)
{
    int64_t sum = 0;

    for (int i = 0; i < o->legs; i++)
        if (o->leg[i].thing == thing && o->leg[i].buy == buy && o->leg[i].effect == effect)
            sum += o->leg[i].ratio * o->leaves * SCALE;
    return sum;
}

/* Like moves(), for all working orders of the account but one. */
int64_t works(const struct world *w, const struct order *but, int thing, bool buy, char effect)
{
    const struct account *a = &w->account[but->account];
    int64_t sum = 0;

    for (int i = 0; i < a->orders; i++)
        if (a->order[i].live && &a->order[i] != but)
            sum += moves(&a->order[i], thing, buy, effect);
    return sum;
}

int64_t held(const struct world *w, const struct order *o, int thing, bool longs)
{
    return w->account[o->account].holding[thing].shares[longs];
}

bool fresh(const struct world *w, int64_t at)
{
    return at != OG_TIME_UNKNOWN && w->now - at <= w->desk.facts_age;
}

bool book_known(const struct world *w, const struct order *o)
{
    const struct account *a = &w->account[o->account];

    return fresh(w, a->positions_at) && fresh(w, a->orders_at) && !a->lacks;
}

/* Returns by how much a close exceeds the position that nothing else closes, in shares times SCALE; 0 if it only
 * closes. */
static int64_t beyond(const struct world *w, const struct order *o, bool others_maybe)
{
    int64_t most = 0, more;

    for (int i = 0; i < o->legs; i++) {
        const struct leg *l = &o->leg[i];

        more = moves(o, l->thing, l->buy, 'C') + works(w, o, l->thing, l->buy, 'C') - held(w, o, l->thing, !l->buy);
        if (others_maybe)
            more += works(w, o, l->thing, l->buy, 0) + w->account[o->account].holding[l->thing].doubt[!l->buy];
        most = more > most ? more : most;
    }
    return most;
}

bool only_reduces(const struct world *w, const struct order *o)
{
    return closes_all(o) && beyond(w, o, true) <= 0;
}

bool is_overclosed(const struct world *w, int account)
{
    const struct account *a = &w->account[account];

    for (int i = 0; i < a->orders; i++)
        if (a->order[i].live && beyond(w, &a->order[i], false) > 0)
            return true;
    return false;
}

/* Returns true if an order that is only partly known may affect this stock or a contract on it. */
static bool hidden(const struct world *w, const struct order *o, int stock)
{
    const struct account *a = &w->account[o->account];

    for (int i = 0; i < a->orders; i++)
        if (a->order[i].live &&
            (a->order[i].where == UNKNOWN_ID ||
             (a->order[i].blind && (stock < 0 || w->thing[a->order[i].leg[0].thing].stock == stock))))
            return true;
    return false;
}

/* --- positions and contracts -------------------------------------------------------------------------------------- */

/* Returns how many units of a thing may be held on one side in the end. */
static struct measure position(const struct world *w, const struct order *o, int thing, bool longs)
{
    int64_t there = held(w, o, thing, longs), other = held(w, o, thing, !longs);
    int64_t opens = moves(o, thing, longs, 'O') + works(w, o, thing, longs, 'O');
    int64_t maybe = moves(o, thing, longs, 0) + works(w, o, thing, longs, 0);
    int64_t closes = moves(o, thing, longs, 'C') + works(w, o, thing, longs, 'C');
    int64_t over = maybe + closes > other ? maybe + closes - other : 0;
    struct measure m = { .lo = there + opens + over, .hi = there + opens + maybe + (closes > other ? closes : 0) };

    m.dark = m.unknown = !book_known(w, o) || hidden(w, o, w->thing[thing].stock);
    m.loose = w->account[o->account].holding[thing].murky;
    return m;
}

static enum verdict verdict_of(const struct measure *m, wide most)
{
    if (m->lo > most && !m->dark)
        return EXCEEDS;
    if (m->unknown)
        return UNKNOWN;
    return !m->loose && m->hi * 100 <= most * 95 ? SAFE : BETWEEN;
}

static enum verdict worse(enum verdict a, enum verdict b)
{
    return a > b ? a : b;
}

/* Returns the verdict on the worst of the order's legs in stock, or in options. */
static enum verdict judge_position(const struct world *w, const struct order *o, bool options, int64_t most,
                                   struct measure *m)
{
    enum verdict v = SAFE, one;

    for (int i = 0; i < o->legs; i++) {
        const struct leg *l = &o->leg[i];
        struct measure of = position(w, o, l->thing, l->buy);

        if ((w->thing[l->thing].type != 0) != options || (l->effect == 'C' && beyond(w, o, false) <= 0))
            continue;
        one = verdict_of(&of, (wide)most * SCALE);
        if (one >= v)
            *m = of;
        v = worse(v, one);
    }
    return v;
}

static int64_t contracts_of(const struct world *w, const struct order *o, bool opening)
{
    int64_t sum = 0;

    for (int i = 0; i < o->legs; i++)
        if (w->thing[o->leg[i].thing].type && (!opening || o->leg[i].effect != 'C'))
            sum += o->leg[i].ratio * o->leaves;
    return sum;
}

static int64_t shares_of(const struct world *w, const struct order *o)
{
    int64_t sum = 0;

    for (int i = 0; i < o->legs; i++)
        if (!w->thing[o->leg[i].thing].type)
            sum += o->leg[i].ratio * o->leaves;
    return sum;
}

static struct measure contracts(const struct world *w, const struct order *o)
{
    const struct account *a = &w->account[o->account];
    bool dark = !book_known(w, o) || hidden(w, o, -1);
    struct measure m = { .dark = dark, .unknown = dark };

    for (int t = 0; t < THINGS; t++)
        if (w->thing[t].type)
            for (int side = 0; side < 2; side++) {
                int64_t other = held(w, o, t, !side), there = held(w, o, t, side);
                int64_t opens = moves(o, t, side, 'O') + works(w, o, t, side, 'O');
                int64_t maybe = moves(o, t, side, 0) + works(w, o, t, side, 0);
                int64_t closes = moves(o, t, side, 'C') + works(w, o, t, side, 'C');

                m.loose = m.loose || a->holding[t].murky;
                m.lo += there + opens + (other == 0 ? maybe : 0);
                m.hi += there + opens + maybe + (closes > other ? closes : 0);
            }
    return m;
}

/* --- worth -------------------------------------------------------------------------------------------------------- */

static bool opens_for_sure(const struct world *w, const struct order *o)
{
    for (int i = 0; i < o->legs; i++)
        if (o->leg[i].effect == 'O' || (o->leg[i].effect == 0 && held(w, o, o->leg[i].thing, !o->leg[i].buy) == 0))
            return true;
    return false;
}

/* Returns true if a close may open because other closes, including an order that is about to work, may fill before
 * it. */
static bool may_go_beyond(const struct world *w, const struct order *o, const struct order *with)
{
    for (int i = 0; i < o->legs && with != o; i++) {
        const struct leg *l = &o->leg[i];

        if (moves(with, l->thing, l->buy, 0) && moves(with, l->thing, l->buy, 0) + moves(o, l->thing, l->buy, 'C') +
                                                        works(w, o, l->thing, l->buy, 'C') +
                                                        works(w, o, l->thing, l->buy, 0) >
                                                    held(w, o, l->thing, !l->buy))
            return true;
    }
    return beyond(w, o, true) > 0;
}

static bool sells(const struct order *o)
{
    return o->form == SPREAD ? sells_to_open(o) : !o->leg[0].buy;
}

/* Returns true if an order of one contract writes calls that long calls may cover. It counts by the width to the long
 * calls as far as they were known when it was accepted, for which this model has no upper bound. */
bool writes_beside(const struct world *w, const struct order *o)
{
    const int stock = w->thing[o->leg[0].thing].stock;

    if (o->form != OPTION || o->leg[0].buy || w->thing[o->leg[0].thing].type != 'C' || o->leg[0].effect == 'C')
        return false;
    for (int k = 1; k <= CONTRACTS; k++)
        if (w->thing[stock + k].type == 'C' &&
            (held(w, o, stock + k, true) || w->account[o->account].holding[stock + k].murky))
            return true;
    return o->beside;
}

static void add_order(const struct world *w, const struct order *o, const struct order *with, bool only_sells,
                      struct measure *m)
{
    wide stake = at_stake(w, o, only_sells);

    if (o->external && o->where == UNKNOWN_ID)
        m->dark = m->unknown = true;
    if (closes_all(o) && !may_go_beyond(w, o, with))
        return;
    if (only_sells && !sells(o)) {
        m->loose = m->loose || o->form == SPREAD; /* a leg that closes more than the position may sell short */
        return;
    }
    m->hi += (o->worth_most > stake ? o->worth_most : stake) * o->leaves;
    if (opens_for_sure(w, o)) {
        /* short exposure counts the legs that the order sells, not the loss that it risks */
        m->lo += (only_sells && o->form == SPREAD ? legs_worth(o, true) : stake) * o->leaves;
        m->unknown = m->unknown || is_open_ended(o);
    }
    m->loose = m->loose || is_open_ended(o) || writes_beside(w, o) ||
               (o->external && (o->type != LIMIT || !o->leg[0].buy || o->form == SPREAD));
    if (o->external && o->blind)
        m->dark = m->unknown = true;
}

/* Returns the kind of the other root that the stock's last chain has, or ORDINARY. */
static enum root other_root(const struct world *w, int stock)
{
    return w->thing[stock + CONTRACTS].kind;
}

/* Returns true if contracts on the stock have such a root. Only contracts of one root cover each other. */
static bool has_root(const struct world *w, int stock, enum root root)
{
    return root == ORDINARY || root == other_root(w, stock);
}

/* Returns what the puts of one expiry lose if their stock is at `at` then; longs of later expiries are cover. */
static wide lose_at(const struct world *w, const struct holding *holding, int stock, enum root root, int expiry,
                    int64_t at, const int64_t *sold)
{
    wide sum = 0;

    for (int k = 1; k <= CONTRACTS; k++) {
        const struct thing *t = &w->thing[stock + k];
        const struct holding *h = &holding[stock + k];
        int64_t longs = h->shares[1] - sold[k - 1];

        if (t->type != 'P' || t->expiry < expiry || t->strike <= at || t->kind != root)
            continue;
        sum += (wide)(t->strike - at) * 100 * (t->expiry == expiry ? h->shares[0] : 0);
        sum -= (wide)(t->strike - at) * 100 * (longs > 0 ? longs : 0);
    }
    return sum;
}

/* Returns a loss less the price for which the contracts of a type were sold: that is not lost, and is counted
 * already. */
static wide less_price(const struct world *w, const struct holding *holding, int stock, enum root root, char type,
                       wide loss)
{
    for (int k = 1; k <= CONTRACTS; k++)
        if (w->thing[stock + k].type == type && w->thing[stock + k].kind == root)
            loss -= holding[stock + k].value[0] + (holding[stock + k].unpriced ? 0 : holding[stock + k].value[0]);
    return loss > 0 ? loss : 0;
}

wide puts_lose(const struct world *w, const struct holding *holding, int stock, const int64_t *sold)
{
    wide all = 0, sum, most, at;

    for (enum root root = 0; root < ROOTS; root++) {
        sum = 0;
        for (int expiry = 0; expiry < EXPIRIES && has_root(w, stock, root); expiry++) {
            most = lose_at(w, holding, stock, root, expiry, 0, sold);
            for (int k = 1; k <= CONTRACTS; k++) {
                at = lose_at(w, holding, stock, root, expiry, w->thing[stock + k].strike, sold);
                most = at > most ? at : most;
            }
            sum += most > 0 ? most : 0;
        }
        all += less_price(w, holding, stock, root, 'P', sum);
    }
    return all;
}

/* Returns how many contracts (times SCALE) the long shares cover, if each share covers a hundredth of a contract. If
 * shares covered only by the hundred, the first share sold would uncover a whole call: no part of a sale could pass
 * that is safe as a whole, and a part of a sale that passes would exceed a limit. */
static int64_t covered_by_shares(const struct holding *stock, int64_t sold)
{
    const int64_t shares = stock->shares[1] - stock->shares[0] - sold;

    return shares > 0 ? shares / SCALE * SCALE / 100 : 0;
}

/* Returns what the calls of one expiry lose if their stock is at `at` then. Shares cover their part of the calls, and
 * no more than the calls with the lowest strike lose. */
static wide calls_lose_at(const struct world *w, const struct holding *holding, int stock, enum root root, int expiry,
                          int64_t at, const int64_t *sold, int64_t covered)
{
    wide sum = 0, dearest = 0;

    for (int k = 1; k <= CONTRACTS; k++) {
        const struct thing *t = &w->thing[stock + k];
        const struct holding *h = &holding[stock + k];
        const int64_t longs = h->shares[1] > sold[k - 1] ? h->shares[1] - sold[k - 1] : 0;
        const wide each = (wide)(at - t->strike) * 100;

        if (t->type != 'C' || t->expiry < expiry || t->strike >= at || t->kind != root)
            continue;
        sum += each * ((t->expiry == expiry ? h->shares[0] : 0) - longs);
        dearest = t->expiry == expiry && h->shares[0] && each > dearest ? each : dearest;
    }
    return sum - dearest * covered;
}

/* Returns how many short calls of a root no long calls bound, which expire on or after an expiry, in contracts times
 * SCALE. */
static int64_t unbounded_from(const struct world *w, const struct holding *holding, int stock, enum root root,
                              int expiry, const int64_t *sold)
{
    int64_t bare = 0;

    for (int k = 1; k <= CONTRACTS; k++) {
        const struct thing *t = &w->thing[stock + k];
        const struct holding *h = &holding[stock + k];
        /* until positions are read, a written contract counts as its order did, perhaps without anything that
         * bounds its loss, and the gate may not know of a late fill */
        const int64_t longs = h->shares[1] - (h->doubt[1] > h->bought ? h->doubt[1] : h->bought);

        if (t->type == 'C' && t->kind == root && t->expiry >= expiry)
            bare += h->shares[0] - (longs > sold[k - 1] ? longs - sold[k - 1] : 0);
    }
    return bare;
}

/* Returns true if long calls and shares bound the loss of all short calls. Long calls bound those of their root alone,
 * and shares none of an adjusted or flexible root. */
static bool calls_are_bounded(const struct world *w, const struct holding *holding, int stock, const int64_t *sold,
                              int64_t covered)
{
    for (enum root root = 0; root < ROOTS; root++) {
        int64_t most = 0, bare;

        if (root == TICKER || !has_root(w, stock, root))
            continue;
        for (int expiry = 0; expiry < EXPIRIES; expiry++) {
            bare = unbounded_from(w, holding, stock, root, expiry, sold);
            most = bare > most ? bare : most;
        }
        if (root == DERIVED && most > 0)
            return false;
        covered -= root == DERIVED ? 0 : most;
    }
    return covered >= 0;
}

/* covered: contracts times SCALE that shares cover. What calls lose whose root is spelled like the ticker is not
 * measured: the same shares may cover them and those of the stock's own root. */
static wide calls_lose_beside(const struct world *w, const struct holding *holding, int stock, const int64_t *sold,
                              int64_t covered)
{
    wide all = 0, sum, most, at;

    if (!calls_are_bounded(w, holding, stock, sold, covered))
        return NO_BOUND; /* a call without a bound counts at its price; uncovered-options is the limit for its loss */
    for (enum root root = 0; root < ROOTS; root++) {
        sum = 0;
        for (int expiry = 0; expiry < EXPIRIES && root != TICKER && has_root(w, stock, root); expiry++) {
            most = 0;
            for (int k = 1; k <= CONTRACTS; k++) {
                at = calls_lose_at(w, holding, stock, root, expiry, w->thing[stock + k].strike, sold,
                                   root == ORDINARY ? covered : 0);
                most = at > most ? at : most;
            }
            sum += most;
        }
        all += less_price(w, holding, stock, root, 'C', sum);
    }
    return all;
}

wide calls_lose(const struct world *w, const struct holding *holding, int stock, const int64_t *sold, int64_t shares)
{
    return calls_lose_beside(w, holding, stock, sold, covered_by_shares(&holding[stock], shares));
}

/* Returns how much of a position the other working orders may sell, as far as the gate was told about them. */
static int64_t sold_by_others(const struct world *w, const struct order *but, int thing)
{
    const struct account *a = &w->account[but->account];
    int64_t sum = 0;

    for (int i = 0; i < a->orders; i++) {
        const struct order *o = &a->order[i];

        if (o->live && o != but && !(o->external && (o->blind || o->where == UNKNOWN_ID)))
            sum += moves(o, thing, false, 'C') + moves(o, thing, false, 0);
    }
    return sum;
}

static wide price_of(const struct order *o, int thing)
{
    for (int i = 0; i < o->legs; i++)
        if (o->form == SPREAD && o->leg[i].thing == thing)
            return o->leg[i].each;
    return o->price;
}

/* WITHOUT the order; WITH it, but without what a spread writes, whose loss is in at_stake(); WRITTEN: with all of
 * it. */
enum with { WITHOUT, WITH, WRITTEN };

/* A working order that writes calls, of which some fill first; no order: none does. */
struct earlier {
    const struct order *order;
    int64_t units;
};

static const struct earlier nothing = { NULL, 0 };

/* Set what is held of a stock and its contracts, and how much of the contracts is sold, for naked(). */
static void hold(const struct world *w, const struct order *o, int stock, enum with with, struct earlier earlier,
                 struct holding *holding, int64_t *sold)
{
    memcpy(holding, w->account[o->account].holding, THINGS * sizeof holding[0]);
    for (int k = 0; k < CONTRACTS; k++) {
        const int thing = stock + 1 + k;
        const int64_t back = with ? moves(o, thing, true, 'C') : 0;

        /* contracts that a close sells beyond the position count as written and uncovered until positions are read */
        holding[thing].shares[0] -=
            holding[thing].doubt[0] < holding[thing].shares[0] ? holding[thing].doubt[0] : holding[thing].shares[0];
        holding[thing].shares[0] -= back < holding[thing].shares[0] ? back : holding[thing].shares[0];
        if (with && (o->form == OPTION || with == WRITTEN) && w->thing[thing].type == 'C') {
            holding[thing].shares[0] += moves(o, thing, false, 'O'); /* a contract that the order writes counts by
                                                                      * its price too */
            holding[thing].value[0] += price_of(o, thing) * moves(o, thing, false, 'O') / SCALE;
        }
        if (earlier.order && earlier.order->leg[0].thing == thing) {
            holding[thing].shares[0] += earlier.units * SCALE;
            holding[thing].value[0] += earlier.order->price * earlier.units;
        }
        sold[k] = sold_by_others(w, o, thing) + (with ? moves(o, thing, false, 'C') + moves(o, thing, false, 0) : 0);
    }
}

/* Returns what the calls on the stock lose. What a spread buys covers the calls that it writes: where that leaves some
 * call without a bound, it bounds no other one. */
static wide naked_calls(const struct world *w, const struct order *o, int stock, enum with with, struct earlier earlier)
{
    const bool needs = o->form == SPREAD && with == WITH && naked_calls(w, o, stock, WRITTEN, earlier) == NO_BOUND;
    struct holding holding[THINGS];
    int64_t sold[CONTRACTS], shares, bought = with == WRITTEN ? moves(o, stock, true, 'O') / 100 : 0;

    hold(w, o, stock, with, earlier, holding, sold);
    for (int k = 0; with && !needs && k < CONTRACTS; k++)
        holding[stock + 1 + k].shares[1] += o->form == SPREAD ? moves(o, stock + 1 + k, true, 'O') : 0;
    shares = sold_by_others(w, o, stock) + (with ? moves(o, stock, false, 'C') + moves(o, stock, false, 0) : 0);
    return calls_lose_beside(w, holding, stock, sold, covered_by_shares(&holding[stock], shares) + bought);
}

/* Returns what the options on the stock can lose, if everything may fill that sells a long position: the working
 * orders, and this order. Its legs fill together: those that buy back shorts, those that buy more cover, and the calls
 * that a single order writes. Shares that a spread buys cover calls as soon as the calls that it writes count, whatever
 * else is held or sold of the stock: all other stock that counts is short or sold, and what calls lose when the stock
 * rises, the shares gain. Of calls and puts the larger loss counts, because the stock cannot be above all strikes and
 * below them at the same time. */
static wide naked_after(const struct world *w, const struct order *o, int stock, enum with with, struct earlier earlier)
{
    struct holding holding[THINGS];
    int64_t sold[CONTRACTS];
    wide puts, calls = naked_calls(w, o, stock, with, earlier);

    hold(w, o, stock, with, earlier, holding, sold);
    puts = puts_lose(w, holding, stock, sold);
    if (calls == NO_BOUND && with)
        calls = 0;
    return puts > calls ? puts : calls;
}

static wide naked(const struct world *w, const struct order *o, int stock, enum with with)
{
    return naked_after(w, o, stock, with, nothing);
}

/* Returns true if the order works, writes calls on the stock, and is known to the gate for what it is. */
static bool writes_calls(const struct order *o, int stock, const struct world *w)
{
    const struct thing *t = &w->thing[o->leg[0].thing];

    return o->live && o->form == OPTION && !o->leg[0].buy && o->leg[0].effect == 'O' && t->type == 'C' &&
           t->stock == stock && !(o->external && (o->blind || o->where == UNKNOWN_ID));
}

/* Returns by how much the order raises what the options on the stock can lose, at the most over what another working
 * order may have written before: all of its calls, or fewer, so that cover is left. */
static wide raises(const struct world *w, const struct order *o, int stock)
{
    const struct account *a = &w->account[o->account];
    wide most = naked(w, o, stock, WITH) - naked(w, o, stock, WITHOUT);

    for (int i = 0; i < a->orders; i++) {
        struct earlier earlier = { &a->order[i], a->order[i].leaves };

        if (&a->order[i] == o || !writes_calls(&a->order[i], stock, w))
            continue;
        for (; earlier.units > 0; earlier.units /= 2) {
            const wide one = naked_after(w, o, stock, WITH, earlier) - naked_after(w, o, stock, WITHOUT, earlier);

            most = one > most ? one : most;
        }
    }
    return most;
}

/* Returns true if short contracts of a type on the stock are held, or calls may be written by working orders, and the
 * order sells what may cover them. */
static bool sells_cover_of(const struct world *w, const struct order *o, char type)
{
    const int stock = w->thing[o->leg[0].thing].stock;
    bool written = false, sells = false;

    for (int k = 1; k <= CONTRACTS; k++)
        written = written || (w->thing[stock + k].type ==
                                  type && /* after a close has filled, positions are unknown until they are read */
                              (held(w, o, stock + k, false) || w->account[o->account].holding[stock + k].murky ||
                               (type == 'C' && works(w, o, stock + k, false, 'O') + works(w, o, stock + k, false, 0))));
    for (int i = 0; i < o->legs; i++) {
        const char of = w->thing[o->leg[i].thing].type;

        sells = sells || (!o->leg[i].buy && (of == type || (of == 0 && type == 'C')));
    }
    return written && sells;
}

bool sells_cover(const struct world *w, const struct order *o)
{
    return sells_cover_of(w, o, 'C') || sells_cover_of(w, o, 'P');
}

/* Returns the worth of the shares that a close sells, since they are gone when it has filled. */
static wide shares_gone(const struct world *w, const struct order *o)
{
    const int stock = w->thing[o->leg[0].thing].stock;
    const struct holding *h = &w->account[o->account].holding[stock];
    const int64_t sold = moves(o, stock, false, 'C');

    return h->shares[1] == 0 ? 0 : h->value[1] * (sold < h->shares[1] ? sold : h->shares[1]) / h->shares[1];
}

/* Returns how much more a spread's calls lose beside the account's positions than beside what the spread buys. */
static wide written_beside(const struct world *w, const struct order *o)
{
    const int stock = w->thing[o->leg[0].thing].stock;
    wide more;

    for (int i = 0; i < o->legs; i++)
        if (o->form != SPREAD || o->leg[i].effect != 'O' || o->leg[i].each == 0)
            return 0;
    more = naked(w, o, stock, WRITTEN) - naked(w, o, stock, WITH) - lost_beyond_legs(w, o, false) * o->leaves;
    return more > 0 ? more : 0;
}

/* Returns true if a stock is among those of a sum: one, those of the group, or all. */
static bool is_of(int stock, int sum)
{
    return sum == ALL_STOCKS || (sum == GROUPED ? is_grouped(stock) : stock == sum);
}

/* Returns the exposure of the whole account, of one stock with its options, or of the stocks of a group. */
static struct measure worth(const struct world *w, const struct order *o, int stock, bool only_sells)
{
    const struct account *a = &w->account[o->account];
    struct measure m = { .dark = !book_known(w, o), .unknown = !book_known(w, o) };
    wide lost = 0, spreads = 0;
    int written[2] = { 0 }; /* for calls and puts on the stock: bit 1 if some are short, bit 2 if some are long */

    for (int t = 0; t < THINGS; t++) {
        const struct holding *h = &a->holding[t];
        /* positions count at the last quote if that is higher than their cost; that excess is not modelled here */
        bool held = h->shares[0] || h->shares[1], quoted = w->thing[t].heard;
        bool unpriced = h->unpriced || h->untold;

        m.loose = m.loose || h->murky || (held && (unpriced || quoted));
        if (!is_of(w->thing[t].stock, stock))
            continue;
        m.lo += h->value[0] + (only_sells ? 0 : h->value[1]);
        spreads += h->spread;
        if (!w->thing[t].type) { /* a filled spread may have both calls and puts: its loss counts once */
            lost = naked(w, o, t, WITH);
            written[0] = written[1] = 0;
        }
        if (w->thing[t].type) {
            int *of = &written[w->thing[t].type == 'P'];

            *of |= (h->shares[0] ? 1 : 0) | (h->shares[1] ? 2 : 0);
            m.loose = m.loose || *of == 3;
        }
        if (t == w->thing[t].stock + CONTRACTS) {
            m.lo += only_sells || lost > spreads ? lost : spreads;
            spreads = 0;
        }
        if (unpriced && (h->shares[0] || (h->shares[1] && !only_sells))) {
            m.unknown = m.unknown || h->untold || !quoted;
            m.lo -= h->value[0] + (only_sells ? 0 : h->value[1]);
        }
    }
    m.hi = m.lo;
    for (int i = 0; i < a->orders; i++)
        m.loose = m.loose || (a->order[i].live && is_open_ended(&a->order[i]) && !closes_all(&a->order[i]));
    for (int i = 0; i < a->orders; i++)
        if (a->order[i].live && a->order[i].where == UNKNOWN_ID) /* the order of which only the id is known may be for
                                                                  * anything */
            m.dark = m.unknown = true;
    for (int i = 0; i < a->orders; i++)
        if (a->order[i].live && &a->order[i] != o && is_of(w->thing[a->order[i].leg[0].thing].stock, stock))
            add_order(w, &a->order[i], o, only_sells, &m);
    if (is_of(w->thing[o->leg[0].thing].stock, stock)) {
        add_order(w, o, o, only_sells, &m);
        m.lo += only_sells ? 0 : written_beside(w, o);
    }
    return m;
}

/* Returns an amount of one stock by its weight; those of the group have another than the others. */
static wide by_weight(int stock, wide amount)
{
    return (is_grouped(stock) ? 3 : 1) * amount / 2;
}

/* Returns the exposure of the whole account by the weights of its stocks. */
static struct measure weighted_worth(const struct world *w, const struct order *o)
{
    struct measure m = worth(w, o, ALL_STOCKS, false);
    const struct measure grouped = worth(w, o, GROUPED, false);

    m.lo = (m.lo + 2 * grouped.lo) / 2;
    m.hi = (m.hi + 2 * grouped.hi + 1) / 2;
    m.unknown = m.unknown || grouped.unknown;
    m.loose = m.loose || grouped.loose;
    m.dark = m.dark || grouped.dark;
    return m;
}

/* --- cover -------------------------------------------------------------------------------------------------------- */

/* Expiries from which contracts of each root count; EXPIRIES: none of the root does. filled: spreads that buy shares
 * and write calls on them have filled, so that the shares cover these calls, but other orders may have sold them. */
struct since {
    int expiry[ROOTS];
    bool filled;
};

/* Returns true if the order buys shares of the stock, and writes no more calls than these cover. */
static bool is_buy_write(const struct world *w, const struct order *o, int stock)
{
    int64_t shares = 0, calls = 0;

    for (int i = 0; i < o->legs; i++) {
        const struct leg *l = &o->leg[i];

        if (w->thing[l->thing].stock != stock || l->effect != 'O')
            return false;
        shares += !w->thing[l->thing].type && l->buy ? l->ratio : 0;
        calls += w->thing[l->thing].type == 'C' && !l->buy ? l->ratio : 0;
    }
    return calls > 0 && shares >= 100 * calls;
}

static bool counts(const struct thing *t, int stock, char type, const struct since *since)
{
    return t->stock == stock && t->type == type && t->expiry >= since->expiry[t->kind];
}

/* Returns the shorts of a type that an order adds when it fills, less the longs, among those that count, in contracts
 * times SCALE; also the shares that it takes away and that may cover a call. */
static int64_t bares(const struct world *w, const struct order *o, int stock, char type, const struct since *since,
                     int64_t *shares)
{
    int64_t sum = 0;

    *shares = 0;
    for (int i = 0; i < o->legs; i++) {
        const struct thing *t = &w->thing[o->leg[i].thing];
        int64_t size = (o->leg[i].buy ? -1 : 1) * o->leg[i].ratio * o->leaves * SCALE;

        if (counts(t, stock, type, since))
            sum += size;
        else if (t->stock == stock && !t->type && type == 'C')
            *shares += size;
    }
    return sum;
}

/* Returns a lower bound of how many of the contracts of a type that count can be uncovered, however contracts of one
 * root are paired, if everything that sells fills. Shares cover by the hundred until none are left, less as many as are
 * held short; shares sold beyond that are short, and uncover no further call. */
static int64_t bare_from(const struct world *w, const struct order *o, bool with, int stock, char type,
                         const struct since *since, bool by_shares)
{
    const struct account *a = &w->account[o->account];
    int64_t sum = 0, shares = 0, one, sold;

    if (type == 'C' && by_shares)
        shares = a->holding[stock].shares[1] - a->holding[stock].shares[0];
    for (int t = stock + 1; t < stock + 1 + CONTRACTS; t++)
        if (counts(&w->thing[t], stock, type, since))
            sum += a->holding[t].shares[0] - a->holding[t].shares[1];
    for (int i = 0; i < a->orders; i++) {
        const struct order *other = &a->order[i];

        if (other == o || !other->live)
            continue;
        one = bares(w, other, stock, type, since, &sold);
        if (one + (by_shares ? sold / 100 : 0) > 0 || (since->filled && is_buy_write(w, other, stock))) {
            sum += one;
            shares -= sold;
        }
    }
    if (with) {
        sum += bares(w, o, stock, type, since, &sold);
        shares -= sold;
    }
    sum -= by_shares && shares > 0 ? shares / (100 * SCALE) * SCALE : 0;
    return sum > 0 ? sum : 0;
}

/* What adjusted and flexible contracts deliver: of each the hundred shares of the stock, or something else, which its
 * shares cover no part of. Either may be so. */
enum reading { A_HUNDRED, NO_SHARES, THEIR_OWN, READINGS = THEIR_OWN };

/* Returns the maximum over all expiries, because a long covers what expires with it or earlier. With THEIR_OWN only
 * adjusted and flexible contracts count, and shares do not cover; with NO_SHARES only the others. */
static int64_t bare_by(const struct world *w, const struct order *o, bool with, int stock, char type,
                       enum reading reading, bool filled)
{
    const enum root other = other_root(w, stock);
    int64_t most = 0, one;

    for (int own = 0; own <= EXPIRIES; own++)
        for (int of = other == ORDINARY ? EXPIRIES : 0; of <= EXPIRIES; of++) {
            struct since since = { { EXPIRIES, EXPIRIES, EXPIRIES }, filled };

            since.expiry[other] = of;
            since.expiry[ORDINARY] = reading == THEIR_OWN ? EXPIRIES : own;
            if (other == DERIVED && reading == NO_SHARES)
                since.expiry[other] = EXPIRIES;
            else if (other != DERIVED && reading == THEIR_OWN)
                return 0;
            one = bare_from(w, o, with, stock, type, &since, reading != THEIR_OWN);
            most = one > most ? one : most;
        }
    return most;
}

static int64_t bare(const struct world *w, const struct order *o, bool with, int stock, char type, enum reading reading,
                    bool filled)
{
    return bare_by(w, o, with, stock, type, reading, filled) +
           (reading == NO_SHARES ? bare_by(w, o, with, stock, type, THEIR_OWN, filled) : 0);
}

/* Returns how many calls need shares that are not of an adjusted or flexible root. */
static int64_t without_shares(const struct world *w, const struct order *o, bool with, int stock)
{
    int64_t most = 0, one;

    for (int own = 0; own < EXPIRIES; own++) {
        const struct since since = { { own, EXPIRIES, EXPIRIES }, false };

        one = bare_from(w, o, with, stock, 'C', &since, false);
        most = one > most ? one : most;
    }
    return most;
}

/* Returns true if an order writes calls that need shares while calls of an adjusted or flexible root are uncovered by
 * their own, which may need more than a hundred of these shares each. */
static bool may_need_more(const struct world *w, const struct order *o, int stock, char type)
{
    const struct thing *t = &w->thing[o->leg[0].thing];

    return type == 'C' && o->form == OPTION && t->kind != DERIVED && other_root(w, stock) == DERIVED &&
           bare_by(w, o, true, stock, type, THEIR_OWN, false) >= SCALE &&
           without_shares(w, o, true, stock) / SCALE > without_shares(w, o, false, stock) / SCALE;
}

/* Returns true if the order writes contracts of the type, or sells something that may cover them. */
static bool uncovers(const struct world *w, const struct order *o, char type, bool writes)
{
    for (int i = 0; i < o->legs; i++) {
        const struct leg *l = &o->leg[i];
        char of = w->thing[l->thing].type;

        if (l->buy || (of != type && (writes || of || type == 'P')))
            continue;
        if (!writes || l->effect == 'O' || (l->effect == 0 && held(w, o, l->thing, true) == 0))
            return true;
    }
    return false;
}

/* Returns true if the order leaves more contracts uncovered than before, whether working buy-writes have filled or not;
 * sets *after to the number after it. */
static bool leaves_more(const struct world *w, const struct order *o, int stock, char type, enum reading reading,
                        int64_t *after)
{
    for (int filled = 0; filled < 2; filled++) {
        const int64_t before = bare(w, o, false, stock, type, reading, filled);

        *after = bare(w, o, true, stock, type, reading, filled);
        if (*after / SCALE > before / SCALE && *after >= SCALE)
            return true;
    }
    return false;
}

static enum verdict judge_cover(const struct world *w, const struct order *o, int64_t allow, struct measure *m)
{
    int stock = w->thing[o->leg[0].thing].stock;
    bool short_sale = o->form == STOCK && o->leg[0].effect == 'O', doubt = w->account[o->account].may_lack;
    enum verdict v = SAFE;

    *m = (struct measure){ 0 };
    for (int k = 0; k < (allow == 2 ? 2 : 1); k++) {
        char type = "CP"[k];

        bool known = book_known(w, o) && !hidden(w, o, stock), writes = uncovers(w, o, type, true);

        /* an order that only sells cover must remain possible */
        if (!writes && (!known || (doubt && !short_sale) || !uncovers(w, o, type, false))) {
            v = worse(v, BETWEEN);
            continue;
        }
        for (enum reading reading = 0; reading < (other_root(w, stock) == DERIVED ? READINGS : 1); reading++) {
            int64_t after;

            if (leaves_more(w, o, stock, type, reading, &after)) {
                m->lo = after;
                return known ? EXCEEDS : UNKNOWN;
            }
        }
        if (writes && may_need_more(w, o, stock, type))
            v = worse(v, UNKNOWN);
        v = worse(v, !writes                                                           ? BETWEEN
                     : o->form != SPREAD && (!book_known(w, o) || hidden(w, o, stock)) ? UNKNOWN
                                                                                       : BETWEEN);
    }
    return v;
}

/* --- flow --------------------------------------------------------------------------------------------------------- */

static struct measure counted(const struct world *w, const struct order *o, bool of_symbol)
{
    const struct account *a = &w->account[o->account];
    struct measure m = { .lo = 1, .unknown = !fresh(w, a->orders_at) };
    int ids = 0; /* number of orders of which only the id is known */

    for (int i = 0; i < a->orders; i++) {
        const struct order *other = &a->order[i];

        if (!other->live || other == o)
            continue;
        if (of_symbol && other->where == UNKNOWN_ID) {
            ids++;
            continue;
        }
        if (!of_symbol || (other->form != SPREAD && o->form != SPREAD && other->leg[0].thing == o->leg[0].thing))
            m.lo++;
        else
            m.loose = m.loose || other->form == SPREAD || o->form == SPREAD;
    }
    m.hi = m.lo + ids;
    return m;
}

static struct measure rate(const struct world *w, const struct order *o, int64_t span)
{
    const struct account *a = &w->account[o->account];
    struct measure m = { .lo = 1 };

    for (int i = 0; i < a->decisions; i++)
        if (span == 0 || w->now - a->decided[i] < span)
            m.lo++;
    if (span == 0)
        m.lo += a->said_today;
    m.hi = a->early ? INT64_MAX : m.lo; /* orders in facts from before the first decision count for the whole span */
    return m;
}

/* What an order has traded and may still trade: shares or contracts of its legs in `units` units. */
static int64_t trades(const struct world *w, const struct order *o, bool options, int64_t units)
{
    int64_t sum = 0;

    for (int i = 0; i < o->legs; i++)
        sum += (w->thing[o->leg[i].thing].type != 0) == options ? o->leg[i].ratio * units : 0;
    return sum;
}

/* Returns the dollars, shares or contracts traded with this order: of each order of this gate, what has filled stays,
 * and what works may still fill.  The broker need not tell more of orders made elsewhere than what works of them.  Of
 * dollars, what filled is only a part of hi. */
static struct measure traded(const struct world *w, const struct order *o, enum limit l)
{
    const struct account *a = &w->account[o->account];
    struct measure m = { .dark = !fresh(w, a->orders_at), .loose = l == L_TRADED };

    m.unknown = m.dark || hidden(w, o, -1);
    for (int i = 0; i <= a->orders; i++) {
        const struct order *x = i < a->orders ? &a->order[i] : o;
        const int64_t left = x == o || x->live ? x->leaves : 0, done = x->external ? 0 : x->quantity - x->leaves;
        /* what closes trades for its price, whatever it would be worth if it opened */
        const wide each = closes_all(x) && x->price < x->worth ? x->price : x->brings > x->worth ? x->brings : x->worth;

        if (x->external && (x->blind || x->where == UNKNOWN_ID))
            continue;
        if (l == L_TRADED) {
            m.lo += x->external || x->unbounded || (x->form == SPREAD && closes_all(x)) ? 0 : each * left;
            m.unknown = m.unknown || (x == o && x->unbounded);
        } else {
            m.lo += trades(w, x, l == L_TRADED_CONTRACTS, left + done);
            m.hi += trades(w, x, l == L_TRADED_CONTRACTS, x->quantity);
        }
    }
    return m;
}

/* --- prices ------------------------------------------------------------------------------------------------------- */

/* Judge each opening leg of a spread at its quote, because a broker may fill it there. */
static enum verdict judge_floor_of_legs(const struct world *w, const struct order *o, bool options, int64_t floor)
{
    enum verdict v = BETWEEN;

    for (int i = 0; i < o->legs; i++) {
        const struct thing *t = &w->thing[o->leg[i].thing];

        if ((t->type != 0) != options || o->leg[i].effect != 'O')
            continue;
        if (quote_known(w, o->leg[i].thing))
            v = worse(v, (o->leg[i].buy ? t->ask : t->bid) < floor ? EXCEEDS : BETWEEN);
        else
            v = worse(v, UNKNOWN);
    }
    return v;
}

static enum verdict judge_floor(const struct world *w, const struct order *o, bool options, int64_t most,
                                struct measure *m)
{
    const struct thing *t = &w->thing[o->leg[0].thing];
    bool known = quote_known(w, o->leg[0].thing), limited = o->type == LIMIT || o->type == STOP_LIMIT;
    int64_t floor = most * 100, price = known ? o->leg[0].buy ? t->ask : t->bid : 0;

    if (o->form == SPREAD)
        return judge_floor_of_legs(w, o, options, floor);
    if ((t->type != 0) != options || o->leg[0].effect != 'O')
        return BETWEEN;
    *m = (struct measure){ .lo = price, .unknown = !known };
    if (limited && o->leg[0].buy && o->limit < floor)
        return EXCEEDS;
    if (known && o->type == LIMIT && o->leg[0].buy && o->limit >= price)
        return price < floor ? EXCEEDS : t->bid >= floor && o->limit >= floor && t->last >= floor ? SAFE : BETWEEN;
    if (known && o->type == MARKET)
        return price < floor ? EXCEEDS : t->bid >= floor && t->last >= floor ? SAFE : BETWEEN;
    return BETWEEN;
}

/* --- all limits --------------------------------------------------------------------------------------------------- */

static enum verdict judge_closable(const struct world *w, const struct order *o, struct measure *m)
{
    bool closes = false;

    for (int i = 0; i < o->legs; i++)
        closes = closes || o->leg[i].effect == 'C';
    if (!closes)
        return SAFE;
    *m = (struct measure){ .lo = beyond(w, o, false), .unknown = !book_known(w, o) || hidden(w, o, -1) };
    if (m->unknown)
        return BETWEEN; /* a close must remain possible */
    return m->lo > 0 ? EXCEEDS : beyond(w, o, true) <= 0 ? SAFE : BETWEEN;
}

/* Returns true if stock is sold that is not held, whatever the order's openClose is. */
static bool sells_short(const struct world *w, const struct order *o)
{
    for (int i = 0; i < o->legs; i++) {
        const struct leg *l = &o->leg[i];

        if (w->thing[l->thing].type || l->buy)
            continue;
        if (l->effect != 'C' ||
            moves(o, l->thing, false, 'C') + works(w, o, l->thing, false, 'C') > held(w, o, l->thing, true))
            return true;
    }
    return false;
}

static enum verdict judge_one(const struct world *w, const struct order *o, enum limit l, int64_t most,
                              struct measure *m)
{
    const struct account *a = &w->account[o->account];
    int stock = w->thing[o->leg[0].thing].stock;

    switch (l) {
    case L_NOTIONAL:
        *m = (struct measure){ .lo = o->worth * o->quantity,
                               .hi = o->worth_most * o->quantity,
                               .unknown = o->unbounded,
                               .loose = writes_beside(w, o) };
        return verdict_of(m, (wide)most * SCALE * SCALE);
    case L_SHARES: return shares_of(w, o) > most ? EXCEEDS : SAFE;
    case L_CONTRACTS: return o->form == STOCK ? SAFE : o->quantity > most ? EXCEEDS : SAFE;
    case L_GROSS: *m = worth(w, o, ALL_STOCKS, false); return verdict_of(m, (wide)most * SCALE * SCALE);
    case L_SHORT:
        if (!sells(o))
            return o->form == SPREAD ? BETWEEN : SAFE;
        *m = worth(w, o, ALL_STOCKS, true);
        return verdict_of(m, (wide)most * SCALE * SCALE);
    case L_CONCENTRATION:
        *m = worth(w, o, stock, false);
        m->unknown = m->unknown || !fresh(w, a->account_at);
        return verdict_of(m, (wide)a->equity * most * SCALE * SCALE / 10000);
    case L_GROUP:
        if (!is_grouped(stock))
            return SAFE;
        *m = worth(w, o, GROUPED, false);
        return verdict_of(m, (wide)most * SCALE * SCALE);
    case L_WEIGHTED: *m = weighted_worth(w, o); return verdict_of(m, (wide)most * SCALE * SCALE);
    case L_POSITION_SHARES:
    case L_POSITION_CONTRACTS: return judge_position(w, o, l == L_POSITION_CONTRACTS, most, m);
    case L_AN_ORDER: return contracts_of(w, o, false) > most ? EXCEEDS : SAFE;
    case L_IN_TOTAL:
        if (contracts_of(w, o, true) == 0)
            return SAFE;
        *m = contracts(w, o);
        return verdict_of(m, (wide)most * SCALE);
    case L_UNCOVERED: return judge_cover(w, o, most, m);
    case L_OPEN_TOTAL:
    case L_OPEN_SYMBOL:
        *m = counted(w, o, l == L_OPEN_SYMBOL);
        m->unknown = m->unknown || m->hi > most;
        if (m->lo > most && fresh(w, a->orders_at))
            return EXCEEDS;
        return m->unknown ? UNKNOWN : m->loose ? BETWEEN : SAFE;
    case L_SECOND:
    case L_MINUTE:
    case L_DAY:
        *m = rate(w, o, l == L_SECOND ? OG_NS_PER_S : l == L_MINUTE ? 60 * OG_NS_PER_S : 0);
        return m->lo > most ? EXCEEDS : m->hi <= most ? SAFE : BETWEEN;
    case L_TRADED: *m = traded(w, o, l); return verdict_of(m, (wide)most * SCALE * SCALE);
    case L_TRADED_SHARES:
    case L_TRADED_CONTRACTS:
        if (trades(w, o, l == L_TRADED_CONTRACTS, 1) == 0)
            return SAFE;
        *m = traded(w, o, l);
        return verdict_of(m, most);
    case L_LOSS:
    case L_DRAWDOWN:
        if (!fresh(w, a->account_at))
            return UNKNOWN;
        return (l == L_LOSS ? 0 : a->peak) - a->day_pnl > most * SCALE ? EXCEEDS : SAFE;
    case L_POWER: return judge_power(w, o, m);
    case L_NO_SHORTS: return sells_short(w, o) ? EXCEEDS : may_go_beyond(w, o, o) ? BETWEEN : SAFE;
    case L_SHORT_PRICE: return BETWEEN;
    case L_FLOOR_STOCK:
    case L_FLOOR_OPTION: return judge_floor(w, o, l == L_FLOOR_OPTION, most, m);
    case L_BARRED: return stock == most * (1 + CONTRACTS) ? EXCEEDS : SAFE;
    case L_HALT: return a->halted && a->account_at != OG_TIME_UNKNOWN ? EXCEEDS : SAFE;
    case L_LEVEL:
        if (!fresh(w, a->account_at))
            return BETWEEN;
        if (o->form == STOCK || a->level > 0)
            return SAFE;
        return opens_for_sure(w, o) && fresh(w, a->account_at) && book_known(w, o) ? EXCEEDS : BETWEEN;
    default: return judge_closable(w, o, m);
    }
}

/* The gate counts positions at the higher of their cost and the last usable quote that it was told, which is near the
 * market. */
wide raised_by_quotes(const struct world *w, const struct order *o, int stock, bool shorts)
{
    wide sum = 0;

    for (int i = 0; i < THINGS; i++) {
        const struct thing *t = &w->thing[i];
        const struct holding *h = &w->account[o->account].holding[i];
        const int64_t most = t->ask > t->last ? t->ask : t->last;

        if (!t->heard || !is_of(t->stock, stock))
            continue;
        for (int side = 0; side < (shorts ? 1 : 2); side++) {
            const wide value = (wide)most * h->shares[side] * (t->type ? 100 : 1);

            sum += value > h->value[side] ? value - h->value[side] : 0;
        }
    }
    return sum;
}

/* Judge a close that may take the account from within a limit to beyond it. If quotes have taken it beyond already,
 * the close may add to a loss no more than the quotes count by now. */
static enum verdict judge_sale_of_cover(const struct world *w, const struct order *o, enum limit l, int64_t most,
                                        struct measure *m)
{
    const int stock = w->thing[o->leg[0].thing].stock;
    const wide naked_more = naked(w, o, stock, WITH) - naked(w, o, stock, WITHOUT),
               adds = l == L_WEIGHTED ? by_weight(stock, naked_more) : naked_more,
               gone = l == L_WEIGHTED ? by_weight(stock, shares_gone(w, o)) : shares_gone(w, o),
               of_all = raised_by_quotes(w, o, ALL_STOCKS, l == L_SHORT),
               of_group = raised_by_quotes(w, o, GROUPED, l == L_SHORT),
               raised = l == L_CONCENTRATION ? raised_by_quotes(w, o, stock, false)
                        : l == L_GROUP       ? of_group
                        : l == L_WEIGHTED    ? (of_all + 2 * of_group + 1) / 2
                                             : of_all,
               limit = l == L_CONCENTRATION ? (wide)w->account[o->account].equity * most * SCALE * SCALE / 10000
                                            : (wide)most * SCALE * SCALE;

    return adds > 0 && judge_one(w, o, l, most, m) == EXCEEDS && m->lo - gone > limit && m->lo - adds + raised <= limit
               ? EXCEEDS
               : BETWEEN;
}

/* Returns true if short contracts on the stock, held or written by the order, expire on several days. Their cover then
 * counts for each day, so that the loss is only a lower bound, and a difference of two losses is no bound at all. */
static bool has_several_expiries(const struct world *w, const struct order *o, int stock)
{
    const struct thing *own = &w->thing[o->leg[0].thing];
    unsigned expiries = own->type && writes_beside(w, o) ? 1u << own->expiry : 0;

    for (int k = 1; k <= CONTRACTS; k++)
        expiries |= held(w, o, stock + k, false) ? 1u << w->thing[stock + k].expiry : 0;
    return (expiries & (expiries - 1)) != 0;
}

/* An order's worth is at least the loss of the options that it uncovers, or that it writes beside their cover: one
 * order could not have opened such a position for less. */
static enum verdict judge_notional(const struct world *w, const struct order *o, int64_t most, struct measure *m)
{
    const int stock = w->thing[o->leg[0].thing].stock;
    const enum verdict v = closes_all(o) ? SAFE : judge_one(w, o, L_NOTIONAL, most, m);
    wide adds;

    if (v == EXCEEDS || (!sells_cover(w, o) && !writes_beside(w, o)))
        return v;
    /* while it is open whether positions have a fill, this limit counts an order by its price, as with old ones */
    if (!book_known(w, o) || w->account[o->account].may_lack || hidden(w, o, -1))
        return v == UNKNOWN ? v : BETWEEN;
    adds = raises(w, o, stock);
    /* contracts that it writes count by their price too, which the difference deducted twice */
    if (adds > 0 && writes_beside(w, o) && o->leg[0].effect == 'O')
        adds += o->price * o->quantity;
    if (adds <= (wide)most * SCALE * SCALE || has_several_expiries(w, o, stock))
        return v == UNKNOWN ? v : BETWEEN;
    *m = (struct measure){ .lo = adds, .hi = adds };
    return EXCEEDS;
}

enum verdict judge(const struct world *w, const struct order *o, enum limit l, struct measure *m)
{
    int64_t most = desk_most(w, o, l);

    *m = (struct measure){ 0 };
    if (most == NO_LIMIT)
        return BETWEEN;
    if (l == L_CLOSABLE)
        return judge_closable(w, o, m);
    if (l == L_SECURED)
        return judge_secured(w, o, book_known(w, o) && fresh(w, w->account[o->account].account_at) && !hidden(w, o, -1),
                             m);
    if (l == L_NOTIONAL && (!closes_all(o) || only_reduces(w, o)))
        return judge_notional(w, o, most, m);
    if (closes_all(o)) { /* an order that only reduces is neither limited, nor stopped because positions are unknown */
        if (!book_known(w, o) || hidden(w, o, -1))
            return BETWEEN;
        if (l == L_UNCOVERED && may_have_shorts(w, o)) /* what it sells may be cover */
            return judge_one(w, o, l, most, m);
        if ((l == L_GROSS || l == L_SHORT || l == L_CONCENTRATION || l == L_GROUP || l == L_WEIGHTED) &&
            sells_cover(w, o))
            return judge_sale_of_cover(w, o, l, most, m);
        if (beyond(w, o, true) <= 0)
            return l == L_POWER && may_have_shorts(w, o) ? BETWEEN : SAFE;
        if ((l != L_POSITION_SHARES && l != L_POSITION_CONTRACTS && l != L_NO_SHORTS) || beyond(w, o, false) <= 0)
            return BETWEEN;
    }
    return judge_one(w, o, l, most, m);
}
