/*
 * The adversary: fills working orders one after another, in any order, partly or completely, at the worst price that
 * their type allows, as a broker would; then it measures the positions. With few orders it tries every subset in both
 * directions, whole, by halves and by random parts; with more orders random subsets. It uses no formulas, only fills.
 */
#include <string.h>

#include "adversary.h"

enum { FEW = 4, PICKED = 12, TALLIES = 5 };

/* Positions after some fills; a leg of a spread counts like any other position. The loss of written options is
 * measured in two ways. Apart: over the positions held before that are still there, and for each order that writes
 * options alone, since beside other orders that fill its options may be covered, which the manual does not count.
 * Beside: over the calls held before that are still there together with all calls that orders write, which those
 * orders may have been accepted for; of what orders buy, only spreads cover. A close of more than the position counts
 * the excess at its price until positions are read. */
struct outcome {
    struct holding holding[THINGS], left[THINGS], beside[THINGS];
    wide written, puts_written;
};

static const enum limit measured[TALLIES] = { L_GROSS, L_SHORT, L_POSITION_SHARES, L_POSITION_CONTRACTS, L_IN_TOTAL };

/* Returns true if long calls on the order's stock are held, which may cover calls that a spread writes. */
static bool calls_held(const struct world *w, const struct order *o)
{
    const int stock = w->thing[o->leg[0].thing].stock;
    bool any = false;

    for (int k = 1; k <= CONTRACTS; k++)
        any = any || (w->thing[stock + k].type == 'C' && held(w, o, stock + k, true));
    return any;
}

static void fill(const struct world *w, struct outcome *out, const struct order *o, int64_t quantity)
{
    for (int i = 0; i < o->legs; i++) {
        const struct leg *l = &o->leg[i];
        struct holding *h = &out->holding[l->thing], *left = &out->left[l->thing], *beside = &out->beside[l->thing];
        const wide price = o->form == SPREAD ? l->each : o->price;
        int64_t shares = quantity * l->ratio * SCALE;
        int64_t closed = l->effect == 'O' ? 0 : h->shares[!l->buy] < shares ? h->shares[!l->buy] : shares;
        int64_t taken = closed < left->shares[!l->buy] ? closed : left->shares[!l->buy];

        if (closed) {
            h->value[!l->buy] -= h->value[!l->buy] * closed / h->shares[!l->buy];
            h->shares[!l->buy] -= closed;
        }
        if (taken) {
            left->value[!l->buy] -= left->value[!l->buy] * taken / left->shares[!l->buy];
            left->shares[!l->buy] -= taken;
            beside->value[!l->buy] -= beside->value[!l->buy] * taken / beside->shares[!l->buy];
            beside->shares[!l->buy] -= taken;
        }
        if (w->thing[l->thing].type == 'C' && l->effect != 'C' && (!l->buy || o->form == SPREAD)) {
            beside->shares[l->buy] += shares - closed;
            beside->value[l->buy] += price * (shares - closed) / SCALE;
        } else if (w->thing[l->thing].type == 'P' && o->form != SPREAD) {
            out->puts_written += (o->worth - price) * (shares - closed) / SCALE;
        }
        h->shares[l->buy] += shares - closed;
        h->value[l->buy] += price * (shares - closed) / SCALE;
        out->written += o->form == SPREAD ? 0 : (o->worth - o->price) * (shares - closed) / SCALE;
    }
    out->written += o->form == SPREAD ? lost_beyond_legs(w, o, calls_held(w, o)) * quantity : 0;
}

/* Measure an outcome. `newest` is the order accepted last, if the outcome includes it. That an unbounded loss becomes
 * bounded does not count as breaking a limit. */
static void measure(const struct world *w, const struct outcome *out, bool newest, wide tally[TALLIES])
{
    static const int64_t nothing[CONTRACTS];
    wide spreads = 0, lost, calls, beside = out->puts_written, of_puts;

    memset(tally, 0, TALLIES * sizeof tally[0]);
    tally[0] = tally[1] = out->written;
    for (int t = 0; t < THINGS; t++)
        for (int side = 0; side < 2; side++) {
            const struct holding *h = &out->holding[t];
            int of = w->thing[t].type ? 3 : 2;

            tally[0] += h->value[side];
            beside += h->value[side];
            tally[1] += side ? 0 : h->value[0];
            spreads += side ? h->spread : 0;
            tally[of] = h->shares[side] > tally[of] ? h->shares[side] : tally[of];
            tally[4] += w->thing[t].type ? h->shares[side] : 0;
            if (side && t == w->thing[t].stock + CONTRACTS) {
                of_puts = puts_lose(w, out->left, w->thing[t].stock, nothing);
                lost = of_puts;
                calls = calls_lose(w, out->left, w->thing[t].stock, nothing, 0);
                lost = calls > lost && (calls < NO_BOUND || !newest) ? calls : lost;
                tally[0] += lost > spreads ? lost : spreads;
                tally[1] += lost;
                calls = calls_lose(w, out->beside, w->thing[t].stock, nothing, 0);
                lost = calls > of_puts && (calls < NO_BOUND || !newest) ? calls : of_puts;
                beside += lost > spreads ? lost : spreads;
                spreads = 0;
            }
        }
    tally[0] = beside > tally[0] ? beside : tally[0];
}

static wide most_of(const struct world *w, enum limit l)
{
    return (wide)w->desk.most[l] * SCALE * (l == L_GROSS || l == L_SHORT ? SCALE : 1);
}

enum part { WHOLE, HALF, SOME, PARTS };

/* Choose how much of each order fills; 0 of those that the subset lacks. */
static void choose(const struct order *const *live, int count, unsigned long subset, enum part part, struct chance *c,
                   int64_t *quantity)
{
    for (int k = 0; k < count; k++) {
        const int64_t leaves = live[k]->leaves;

        quantity[k] = !(subset >> k & 1) ? 0
                      : part == WHOLE    ? leaves
                      : part == HALF     ? (leaves + 1) / 2
                                         : (leaves > 0 ? 1 + chance_to(c, leaves) : 0);
    }
}

/* Fill some of each order in one direction. Returns the limit that this breaks but that would not be broken
 * without the order accepted last; LIMITS if there is none. */
static enum limit try(const struct world *w, const struct account *a, const struct order *const *live, int count,
                      const int64_t *quantity, bool backwards)
{
    const struct order *newest = &a->order[a->orders - 1];
    struct outcome with, without;
    wide after[TALLIES], before[TALLIES];

    memcpy(with.holding, a->holding, sizeof with.holding);
    for (int t = 0; t < THINGS; t++)
        if (with.holding[t].unpriced) /* the gate was never told its cost, which is at least 0 */
            with.holding[t].value[0] = with.holding[t].value[1] = 0;
    memcpy(with.left, with.holding, sizeof with.left);
    for (int t = 0; t < THINGS; t++) /* written by a close beyond the position: it counts as uncovered */
        with.left[t].shares[0] -=
            with.left[t].doubt[0] < with.left[t].shares[0] ? with.left[t].doubt[0] : with.left[t].shares[0];
    memcpy(with.beside, with.left, sizeof with.beside);
    with.written = with.puts_written = 0;
    without = with;
    for (int k = 0; k < count; k++) {
        const int of = backwards ? count - 1 - k : k;
        const struct order *o = live[of];

        if (quantity[of] <= 0)
            continue;
        fill(w, &with, o, quantity[of]);
        if (o != newest)
            fill(w, &without, o, quantity[of]);
        if (o->external && (o->blind || o->where == UNKNOWN_ID))
            return LIMITS; /* it is unknown what the order trades */
    }
    measure(w, &with, true, after);
    measure(w, &without, false, before);
    for (int i = 0; i < TALLIES; i++) {
        enum limit l = measured[i];

        if (closes_all(newest) &&
            (l == L_GROSS || l == L_SHORT)) /* if quotes took the account beyond the limit, the order may close */
            before[i] += raised_by_quotes(w, newest, -1, l == L_SHORT);
        if (w->desk.most[l] != NO_LIMIT && w->desk.refuses[l] && after[i] > most_of(w, l) && before[i] <= most_of(w, l))
            return l;
    }
    return LIMITS;
}

enum limit outcome_breaks(const struct world *w, int account, struct chance *c)
{
    const struct account *a = &w->account[account];
    const struct order *newest = &a->order[a->orders - 1], *live[ORDERS_MOST];
    enum limit l = LIMITS;
    int64_t quantity[ORDERS_MOST];
    int count = 0;

    /* Closing must stay possible, whatever is unknown. An order that buys back a written option loses what that was
     * sold for; this was received before, so it is no reason to keep the option. */
    if (newest->unseen || (only_reduces(w, newest) && !sells_cover(w, newest)))
        return LIMITS;
    for (int i = 0; i < a->orders; i++)
        if (a->order[i].live)
            live[count++] = &a->order[i];
    if (count <= FEW) {
        for (unsigned long subset = newest->live ? 1ul << (count - 1) : 1; subset < 1ul << count && l == LIMITS;
             subset++)
            for (int way = 0; way < 2 * PARTS && l == LIMITS; way++) {
                choose(live, count, subset, (enum part)(way / 2), c, quantity);
                l = try(w, a, live, count, quantity, way & 1);
            }
        return l;
    }
    for (int i = 0; i < PICKED && l == LIMITS; i++) {
        choose(live, count, i == 0 ? ~0ul : chance_bits(c) | chance_bits(c), (enum part)chance_to(c, PARTS), c,
               quantity);
        l = try(w, a, live, count, quantity, chance_in(c, 50));
    }
    return l;
}
