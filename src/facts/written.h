/*
 * The contracts of one root with which the loss of written options is computed, as they are held and as an order
 * changes them.
 */
#pragma once

#include "facts/data.h"

enum { WRITTEN_CALLS, WRITTEN_PUTS };

static inline int type_of(const struct og_occ *occ)
{
    return occ->type == 'P' ? WRITTEN_PUTS : WRITTEN_CALLS;
}

/* Returns by how much a loss is more than what counts of it already. */
static inline og_wide beyond(og_wide loss, og_wide counted)
{
    return loss > counted ? loss - counted : 0;
}

/* How an order changes a contract, or shares, when it fills. */
struct changed {
    int64_t shorts, longs, sold;
};

/* How other working orders count while an order is looked at: all that sell cover or use it up fill and none that add
 * cover, or the reverse. */
enum others { OTHERS_FILL, OTHERS_WAIT };

/* Contracts; if there are more than have room, only the count grows. */
struct lots {
    struct og_lot lot[OG_LOTS];
    int count;
};

/* Add a contract of which `longs` are held, or will be, and `sold` of them may be sold.  If there is no room for it,
 * only l->count grows. */
void og_facts_add_lot(struct lots *l, const struct og_occ *occ, int64_t shorts, int64_t longs, int64_t sold);
/* held: shares held long, before the order; bare: shares for which calls are held short that no long call covers. */
struct by_shares {
    int64_t held, bare;
};

/* Returns how many shares that are held long cover calls of a root, before the order: shares that are sold short as
 * well do not count. */
int64_t og_facts_shares_held(const struct og_aggregates *s, struct og_str root, enum others others);
/* Returns what calls can lose if shares cover some of them, less those `sold`. The computation is in shares, not in
 * contracts. */
og_wide og_facts_calls_lose(struct lots *lots, int64_t sold, struct by_shares *by);
