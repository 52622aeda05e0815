/*
 * The latches: which quantities can stop trading until somebody looks (ordergate/book.h, struct og_latch).  The names
 * are stored in ledgers and never change.
 */
#pragma once

#include "base/str.h"
#include "ordergate/book.h"

enum og_latch_kind {
    OG_LATCH_LOSS,           /* dollars lost today */
    OG_LATCH_LOSS_OF_EQUITY, /* today's loss, in basis points of the day's first equity */
    OG_LATCH_DRAWDOWN,       /* dollars below the day's highest P&L */
    OG_LATCH_REJECTIONS,
    OG_LATCHES
};

extern const char *const og_latch_names[OG_LATCHES];
/* Returns the latch of that name; OG_LATCHES if there is none. */
enum og_latch_kind og_latch_find(struct og_str name);

/* Returns true if the latch is over on that session day (yyyymmdd): it is for one day only, and that day has passed. */
static inline bool og_latch_is_over(const struct og_latch *l, int day)
{
    return !l->until_resumed && l->day != 0 && day > l->day;
}
/* Returns true if the latch, which is not over, holds orders under a limit of `most`. */
static inline bool og_latch_covers(const struct og_latch *l, struct og_money most, bool until_resumed)
{
    return l->name && og_money_cmp(l->value, most) > 0 && (l->until_resumed || !until_resumed);
}
/* Merge a latch that another sender, or another setting, reports into *to: the greater value, the later day, and the
 * longer hold are kept.  If to->name is NULL, there was no latch. */
void og_latch_merge(struct og_latch *to, const struct og_latch *from);

/* The limits that are exceeded by the facts, by latch; at most one for each latch. */
struct og_trips {
    int count;
    struct og_trip {
        enum og_latch_kind kind;
        struct og_money value, limit;
        bool until_resumed;
    } trip[OG_LATCHES];
};
static inline void og_trip(struct og_trips *to, enum og_latch_kind kind, struct og_money value, struct og_money limit,
                           bool until_resumed)
{
    if (to->count < OG_LATCHES)
        to->trip[to->count++] = (struct og_trip){ kind, value, limit, until_resumed };
}
