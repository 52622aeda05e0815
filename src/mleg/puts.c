/*
 * The loss of written puts.  Puts of one expiry lose the most at a strike or at 0, which is exact.  A long put of a
 * later expiry covers too: for that, each short is paired with a long, the highest strikes first.  The smaller of the
 * two losses is the result.
 */
#include "mleg/puts.h"

#include "base/money.h"

void og_put_loses(int64_t strike, struct og_money premium, struct og_money *price)
{
    struct og_money most;

    *price = (struct og_money){ 0, 0 };
    if (!og_money_mul(og_money_from(strike), (struct og_money){ 1, 3 }, &most))
        return;
    if (!og_money_sub(most, premium, price)) /* too many decimals for an exact amount: do not deduct the premium */
        *price = most;
    if (price->coef < 0)
        *price = (struct og_money){ 0, 0 };
}

static bool is_before(const struct og_put_lot *a, const struct og_put_lot *b)
{
    return a->expiry != b->expiry ? a->expiry > b->expiry : a->strike > b->strike;
}

/* Sort by expiry, the latest first, and by strike, the highest first.  Insertion suffices, since there are few lots. */
static void sort(struct og_put_lot *lots, int count)
{
    for (int i = 1; i < count; i++)
        for (int k = i; k > 0 && is_before(&lots[k], &lots[k - 1]); k--) {
            const struct og_put_lot swap = lots[k];

            lots[k] = lots[k - 1];
            lots[k - 1] = swap;
        }
}

/* Returns what lots of one expiry lose if the underlying has that price. */
static og_wide lose_at(const struct og_put_lot *lots, int count, int64_t price)
{
    og_wide sum = 0;

    for (int i = 0; i < count && lots[i].strike > price; i++)
        sum += og_put_strikes(lots[i].strike - price, lots[i].shorts - lots[i].longs);
    return sum;
}

/* Returns the most that lots of one expiry can lose, covered by their own longs. */
static og_wide lose_of_expiry(const struct og_put_lot *lots, int count)
{
    og_wide most = lose_at(lots, count, 0), at;

    for (int i = 0; i < count; i++) {
        at = lose_at(lots, count, lots[i].strike);
        most = at > most ? at : most;
    }
    return most > 0 ? most : 0;
}

/* Returns the lot with the highest strike that still has longs for cover; NULL: none. */
static struct og_put_lot *highest(struct og_put_lot *lots, int count)
{
    struct og_put_lot *best = NULL;

    for (int i = 0; i < count; i++)
        if (lots[i].longs > 0 && (!best || lots[i].strike > best->strike))
            best = &lots[i];
    return best;
}

/* Returns what the shorts of lots first to count - 1 lose, paired with longs of all these lots, which it uses up. */
static og_wide lose_paired(struct og_put_lot *lots, int first, int count)
{
    og_wide sum = 0;

    for (int i = first; i < count; i++) {
        int64_t left = lots[i].shorts;

        while (left > 0) {
            struct og_put_lot *cover = highest(lots, count);
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
static int64_t shorts_of(const struct og_put_lot *lots, int count)
{
    int64_t sum = 0;

    for (int i = 0; i < count; i++)
        sum += lots[i].shorts;
    return sum;
}

og_wide og_puts_lose(struct og_put_lot *lots, int count)
{
    og_wide sum = 0, alone, paired;
    int64_t longs[OG_PUT_LOTS];

    sort(lots, count);
    for (int first = 0, next; first < count; first = next) {
        for (next = first + 1; next < count && lots[next].expiry == lots[first].expiry;)
            next++;
        if (!shorts_of(lots + first, next - first))
            continue; /* longs also cover the shorts of earlier expiries */
        for (int i = 0; i < next; i++)
            longs[i] = lots[i].longs;
        alone = lose_of_expiry(lots + first, next - first);
        paired = lose_paired(lots, first, next);
        sum += paired <= alone ? paired : alone;
        for (int i = 0; paired > alone && i < next; i++)
            lots[i].longs = i < first ? longs[i] : 0;
    }
    return sum;
}
