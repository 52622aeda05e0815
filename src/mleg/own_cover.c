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
        return s->type == 'C' && og_str_eq(bought->symbol, og_root_shares(s->root));
    if (l->type != s->type || l->expiry < s->expiry ||
        (how == COVERS && (s->type == 'C' ? l->strike > s->strike : l->strike < s->strike)))
        return false;
    return og_str_eq(l->root, s->root);
}

/* Pair as much of the two legs as possible; left: what is left of the bought leg. Returns how many contracts are
 * paired. */
static int64_t pair(struct og_own_leg *bought, int64_t *left, struct og_own_leg *written, enum how how)
{
    const int64_t each = how == BY_SHARES ? 100 : 1,
                  bare = written->size - og_own_covered(&written->own) - written->own.bounded,
                  lots = *left / each < bare ? *left / each : bare;

    *left -= lots * each;
    *(how == COVERS      ? &written->own.by_longs
      : how == BY_SHARES ? &written->own.by_shares
                         : &written->own.bounded) += lots;
    bought->own.longs += how == BY_SHARES ? 0 : lots;
    return lots;
}

static int64_t pair_all(struct og_own_leg *legs, int count, struct og_own_leg *bought, enum how how)
{
    int64_t left = bought->size - bought->own.longs, lots = 0;

    for (int i = 0; i < count; i++)
        if (legs[i].occ->is && !legs[i].buys && covers(bought, &legs[i], how))
            lots += pair(bought, &left, &legs[i], how);
    return lots;
}

void og_own_cover_of(struct og_own_leg *legs, int count)
{
    int64_t bare = 0; /* contracts written that are not paired yet */

    for (int i = 0; i < count; i++) {
        legs[i].own = (struct og_own_cover){ 0 };
        bare += legs[i].occ->is && !legs[i].buys ? legs[i].size : 0;
    }
    for (enum how how = COVERS; how < HOWS && bare > 0; how++)
        for (int i = 0; i < count; i++)
            if (legs[i].buys && legs[i].occ->is == (how != BY_SHARES))
                bare -= pair_all(legs, count, &legs[i], how);
}
