/*
 * Pairs what a spread writes with what it buys: first contracts with long ones that cover them, then calls with shares,
 * then contracts with long ones that only bound their loss.
 */
#include "mleg/own_cover.h"

#include "order/roots.h"

enum how { COVERS, BY_SHARES, BOUNDS, HOWS };

/* Returns true if what one leg buys covers in this way what the other one writes. */
static bool covers(const struct og_own_leg *bought, const struct og_own_leg *written, enum how how)
{
    const struct og_occ *l = bought->occ, *s = written->occ;

    if (how == BY_SHARES)
        return !l->is && s->type == 'C' && og_str_eq(bought->symbol, og_root_shares(s->root));
    if (!l->is || l->type != s->type || l->expiry < s->expiry || !og_str_eq(l->root, s->root))
        return false;
    return how == BOUNDS || (s->type == 'C' ? l->strike <= s->strike : l->strike >= s->strike);
}

/* Pair as much of the two legs as possible; left: what is left of the bought leg. */
static void pair(struct og_own_leg *bought, int64_t *left, struct og_own_leg *written, enum how how)
{
    const int64_t each = how == BY_SHARES ? 100 : 1,
                  bare = written->size - og_own_covered(&written->own) - written->own.bounded,
                  lots = *left / each < bare ? *left / each : bare;

    *left -= lots * each;
    *(how == COVERS      ? &written->own.by_longs
      : how == BY_SHARES ? &written->own.by_shares
                         : &written->own.bounded) += lots;
    bought->own.longs += how == BY_SHARES ? 0 : lots;
}

static void pair_all(struct og_own_leg *legs, int count, struct og_own_leg *bought, enum how how)
{
    int64_t left = bought->size - bought->own.longs;

    for (int i = 0; i < count; i++)
        if (legs[i].occ->is && !legs[i].buys && covers(bought, &legs[i], how))
            pair(bought, &left, &legs[i], how);
}

void og_own_cover_of(struct og_own_leg *legs, int count)
{
    for (int i = 0; i < count; i++)
        legs[i].own = (struct og_own_cover){ 0 };
    for (enum how how = COVERS; how < HOWS; how++)
        for (int i = 0; i < count; i++)
            if (legs[i].buys)
                pair_all(legs, count, &legs[i], how);
}
