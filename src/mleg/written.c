/*
 * The maximum loss of written options. Puts that expire together lose the most at a strike or at 0, so their maximum
 * loss is exact; long puts of later expiries cover too. If puts of several expiries are short, those of a later expiry
 * must not use up the cover of an earlier one. The loss is then computed in two ways: with only the longs that expire
 * with the shorts, and with each short paired with a long, the highest strikes first. The smaller result is used. The
 * loss of calls is computed like that of puts whose strikes are the distances from the highest strike.
 */
#include "mleg/written.h"

#include <limits.h>

#include "base/money.h"

void og_put_loses(int64_t strike, struct og_money premium, struct og_money *price)
{
    struct og_money most;

    *price = (struct og_money){ 0, 0 };
    if (!og_money_mul(og_money_from(strike), (struct og_money){ 1, 3 }, &most))
        return;
    if (!og_money_sub(most, premium, price)) /* the exact difference has too many decimals: deduct no premium */
        *price = most;
    if (price->coef < 0)
        *price = (struct og_money){ 0, 0 };
}

static bool is_before(const struct og_lot *a, const struct og_lot *b)
{
    return a->expiry != b->expiry ? a->expiry > b->expiry : a->strike > b->strike;
}

/* Sort by expiry, the latest first, then by strike, the highest first.  There are few lots, so an insertion sort
 * suffices. */
static void sort(struct og_lot *lots, int count)
{
    for (int i = 1; i < count; i++)
        for (int k = i; k > 0 && is_before(&lots[k], &lots[k - 1]); k--) {
            const struct og_lot swap = lots[k];

            lots[k] = lots[k - 1];
            lots[k - 1] = swap;
        }
}

/* Returns what the shorts of lots first to count - 1 lose at this price of the underlying. The longs of lots `from` to
 * count - 1, which expire with them or later, cover the shorts. */
static og_wide lose_at(const struct og_lot *lots, int from, int first, int count, int64_t price)
{
    og_wide sum = 0;

    for (int i = from; i < count; i++)
        if (lots[i].strike > price)
            sum += og_put_strikes(lots[i].strike - price, (i < first ? 0 : lots[i].shorts) - lots[i].longs);
    return sum;
}

/* Returns the maximum loss of the shorts of lots first to count - 1 together. */
static og_wide lose_together(const struct og_lot *lots, int from, int first, int count)
{
    og_wide most = lose_at(lots, from, first, count, 0), at;

    for (int i = from; i < count; i++) {
        at = lose_at(lots, from, first, count, lots[i].strike);
        most = at > most ? at : most;
    }
    return most > 0 ? most : 0;
}

/* Returns the lot with the highest strike that still has longs to cover with; NULL if there is none. */
static struct og_lot *highest(struct og_lot *lots, int count)
{
    struct og_lot *best = NULL;

    for (int i = 0; i < count; i++)
        if (lots[i].longs > 0 && (!best || lots[i].strike > best->strike))
            best = &lots[i];
    return best;
}

/* Returns what the shorts of lots first to count - 1 lose if each is paired with a long of any of these lots; uses up
 * the longs. */
static og_wide lose_paired(struct og_lot *lots, int first, int count)
{
    og_wide sum = 0;

    for (int i = first; i < count; i++) {
        int64_t left = lots[i].shorts;

        while (left > 0) {
            struct og_lot *cover = highest(lots, count);
            const int64_t pairs = !cover ? left : cover->longs < left ? cover->longs : left;
            const int64_t rest = lots[i].strike - (cover ? cover->strike : 0);

            if (cover)
                cover->longs -= pairs;
            if (rest > 0)
                sum += og_put_strikes(rest, pairs);
            left -= pairs;
        }
    }
    return sum;
}

/* Returns the number of shorts. */
static int64_t shorts_of(const struct og_lot *lots, int count)
{
    int64_t sum = 0;

    for (int i = 0; i < count; i++)
        sum += lots[i].shorts;
    return sum;
}

/* Returns true if the lots are the usual ones: as many of one contract short as of another one long. *sum: what the
 * shorts lose. */
static bool is_pair(const struct og_lot *lots, int count, og_wide *sum)
{
    const struct og_lot *s = lots, *l = lots + 1;
    int64_t width;

    if (count != 2)
        return false;
    if (!s->shorts) {
        s = lots + 1;
        l = lots;
    }
    width = s->strike - (l->expiry >= s->expiry ? l->strike : 0);
    *sum = width > 0 ? og_put_strikes(width, s->shorts) : 0;
    return s->shorts == l->longs && !s->longs && !l->shorts;
}

og_wide og_puts_lose(struct og_lot *lots, int count)
{
    og_wide sum, together, paired;
    int64_t longs[OG_LOTS];

    if (is_pair(lots, count, &sum))
        return sum;
    sum = 0;
    sort(lots, count);
    for (int first = 0, next; first < count; first = next) {
        bool last; /* no short of an earlier expiry remains: all remaining longs may cover these shorts */

        for (next = first + 1; next < count && lots[next].expiry == lots[first].expiry;)
            next++;
        if (!shorts_of(lots + first, next - first))
            continue; /* keep the longs of this expiry, which also cover shorts of earlier expiries */
        last = !shorts_of(lots + next, count - next);
        for (int i = 0; i < next; i++)
            longs[i] = lots[i].longs;
        together = lose_together(lots, last ? 0 : first, first, next);
        paired = lose_paired(lots, first, next);
        sum += paired <= together ? paired : together;
        for (int i = 0; paired > together && i < next; i++)
            lots[i].longs = i < first ? longs[i] : 0;
    }
    return sum;
}

/* Take away up to `count` shorts of lots, those with the lowest strikes first.  Returns how many could not be taken. */
static int64_t take_lowest(struct og_lot *lots, int number, int64_t count)
{
    while (count > 0) {
        struct og_lot *lowest = NULL;
        int64_t taken;

        for (int i = 0; i < number; i++)
            if (lots[i].shorts > 0 && (!lowest || lots[i].strike < lowest->strike))
                lowest = &lots[i];
        if (!lowest)
            break;
        taken = lowest->shorts < count ? lowest->shorts : count;
        lowest->shorts -= taken;
        count -= taken;
    }
    return count;
}

int64_t og_calls_take_bare(struct og_lot *lots, int count)
{
    int64_t longs = 0, bare = 0, over;

    sort(lots, count);
    for (int first = 0, next; first < count; first = next) {
        for (next = first; next < count && lots[next].expiry == lots[first].expiry; next++)
            longs += lots[next].longs + lots[next].maybe;
        over = shorts_of(lots + first, next - first) - longs;
        if (over > 0) {
            (void)take_lowest(lots + first, next - first, over);
            bare += over;
        }
        longs -= shorts_of(lots + first, next - first);
    }
    return bare;
}

og_wide og_calls_lose(struct og_lot *lots, int count, int64_t by_shares, int64_t *bare)
{
    int64_t highest_strike = 0;
    int expiry = INT_MAX;

    *bare = og_calls_take_bare(lots, count);
    (void)take_lowest(lots, count, by_shares - *bare); /* shares first cover shorts that no long covers, then those with
                                                        * the lowest strikes */
    for (int i = 0; i < count; i++)
        expiry = lots[i].shorts && lots[i].expiry < expiry ? lots[i].expiry : expiry;
    for (int i = 0; i < count; i++)
        if (lots[i].expiry >= expiry && lots[i].strike > highest_strike)
            highest_strike = lots[i].strike;
    for (int i = 0; i < count; i++)
        lots[i].strike = highest_strike - lots[i].strike;
    return og_puts_lose(lots, count);
}
