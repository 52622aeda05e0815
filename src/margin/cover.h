/*
 * Cover of the short options of one root: long stock covers calls; long contracts of the same or a later expiry,
 * with the same or a better strike, cover both types (docs/readings.md "Option levels").  Cash is not counted here.
 *
 * Stock covers the root that equals its ticker, and class shares (BRK.B covers BRKB).  An index root and an adjusted
 * root are covered by contracts alone. But calls written on an adjusted or flexible root of the stock (AAPL1, 2AAPL)
 * take their shares first, 100 for each: og_cover_add_others().
 */
#pragma once

#include "facts/facts.h"

/* What is counted in addition to positions and working orders: effects of the order; and SPREADS, which may be added to
 * either: what working spreads write and cover by their own legs, with these legs.  Such a spread needs no other cover,
 * so it is left out without SPREADS.  But a sale of shares that are not held would take those that it buys. */
enum og_cover_with { OG_COVER_AS_IS = 0, OG_COVER_CLOSES = 1, OG_COVER_FILLED = 2, OG_COVER_SPREADS = 4 };

struct og_cover {
    int64_t shares; /* shares held long, less those that orders are selling; may be below 0 */
    int64_t lots;   /* hundreds of these shares */
    int64_t longs;  /* long contracts that are not paired with a short, less those that orders are selling */
    /* short contracts, and those that working orders will write, that are not paired with a long */
    int64_t unpaired;
    /* shorts that have no long of the same or a later expiry, whatever the strikes: their loss is unbounded */
    int64_t bare;
    int64_t others;     /* how many of the unpaired shorts are contracts of other roots on the same shares */
    int64_t derived;    /* how many of `others` are adjusted or flexible contracts, each of which may need more than 100
                      * shares */
    int64_t own;        /* contracts that working spreads write and cover, or bound, by their own legs */
    int64_t own_shares; /* shares that they buy for these; `shares` has them with OG_COVER_SPREADS */
};

/* Compute the cover of one contract type, 'C' or 'P', of a root.  The pairing leaves as few shorts unpaired as
 * possible.  today: the date in New York, as 20260116. Contracts that expired before that date are left out, since they
 * cover nothing and need no cover, although the broker may list them still; 0: all contracts count.  Returns false if
 * there are more than OG_COVER_MOST different contracts, or sizes out of range. */
#define OG_COVER_MOST 128
bool og_cover_of(const struct og_facts *f, struct og_str root, char type, const struct og_order *o, unsigned with,
                 int today, struct og_cover *cover);

/* Add the contracts of other roots that need shares of the same stock, for a root that shares cover; with the effects
 * of the order on these, too. */
void og_cover_add_others(const struct og_facts *f, struct og_str root, char type, const struct og_order *o,
                         unsigned with, int today, struct og_cover *cover);

/* Returns true if contracts of other roots may take the shares that cover contracts of this one. */
bool og_cover_is_shared(const struct og_facts *f, struct og_str root);
/* Returns the number of short contracts of the root, and of other roots that need shares of the same stock; expired
 * ones are included. */
int64_t og_cover_shorts(const struct og_facts *f, struct og_str root, char type);
int64_t og_cover_shorts_beside(const struct og_facts *f, struct og_str root, char type); /* of the other roots alone */

/* Returns the number of calls that neither stock nor contracts cover. */
static inline int64_t og_cover_naked_calls(const struct og_cover *c)
{
    return c->unpaired > c->lots ? c->unpaired - c->lots : 0;
}

/* Returns the number of calls with unbounded loss: they are not covered by stock, nor by a long call of any strike that
 * does not expire earlier. */
static inline int64_t og_cover_bare_calls(const struct og_cover *c)
{
    return c->bare > c->lots ? c->bare - c->lots : 0;
}

/* Returns the smaller of optLevel and optionTradingLevel; -1 if the account has neither. */
static inline int og_option_level(const struct og_account *a)
{
    if (a->opt_level < 0 || a->option_trading_level < 0)
        return a->opt_level < 0 ? a->option_trading_level : a->opt_level;
    return a->opt_level < a->option_trading_level ? a->opt_level : a->option_trading_level;
}
