/*
 * What covers the short options of one underlying root: long stock against calls, long contracts of the same or a later
 * expiry and no worse strike against both (docs/readings.md "Option levels").  Cash is not counted here.
 * Stock covers a root of its own ticker, or of class shares (BRK.B, BRKB); an index and an adjusted root are covered by
 * contracts alone.  Other aliases, and other roots on the same underlying, cover nothing.
 */
#ifndef OG_MARGIN_COVER_H
#define OG_MARGIN_COVER_H

#include "facts/facts.h"

/* Which of the order's effects are counted on top of what is held and working. */
enum og_cover_with { OG_COVER_AS_IS = 0, OG_COVER_CLOSES, OG_COVER_FILLED };

struct og_cover {
    int64_t shares;   /* held long, less what is about to be sold: may be below 0 */
    int64_t lots;     /* hundreds of them */
    int64_t longs;    /* contracts held long and not about to be sold, that pair with no short */
    int64_t unpaired; /* short contracts, and writes still working, that pair with no long */
    int64_t bare;     /* those beyond all longs that expire no earlier, of whichever strike: their loss has no bound */
};

/* The cover of one type of contract, 'C' or 'P', on root.  Pairing leaves as few shorts as can be.
 * false: more different contracts than are looked at (OG_COVER_MOST), or sizes beyond counting. */
#define OG_COVER_MOST 128
bool og_cover_of(const struct og_facts *f, struct og_str root, char type, const struct og_order *o,
                 enum og_cover_with with, struct og_cover *cover);

/* Calls covered by neither stock nor contracts. */
static inline int64_t og_cover_naked_calls(const struct og_cover *c)
{
    return c->unpaired > c->lots ? c->unpaired - c->lots : 0;
}

/* The same, where a long of any strike that outlives the call covers it. */
static inline int64_t og_cover_bare_calls(const struct og_cover *c)
{
    return c->bare > c->lots ? c->bare - c->lots : 0;
}

/* The smaller of optLevel and optionTradingLevel; -1 when the account says neither. */
static inline int og_option_level(const struct og_account *a)
{
    if (a->opt_level < 0 || a->option_trading_level < 0)
        return a->opt_level < 0 ? a->option_trading_level : a->opt_level;
    return a->opt_level < a->option_trading_level ? a->opt_level : a->option_trading_level;
}

#endif
