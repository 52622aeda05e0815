/*
 * Parts of rule price-collar: its settings, what is wrong with a quote, and the check of spreads.
 */
#pragma once

#include "rules/sides.h"

struct og_collar {
    int32_t away;           /* allowed distance, in basis points of the quote */
    int32_t stock_leg_away; /* allowed distance of a spread with a leg of stock, if it is less than `away` */
    int32_t stop_away;      /* allowed distance of a stop, in basis points of the higher of stop and market */
    int32_t stale_away;     /* allowed distance, in basis points, from a doubtful quote */
    int32_t widest;         /* how far the ask may be above the bid, in basis points of their middle */
    int32_t quote;
    int32_t against;
    struct og_money cheap_below;  /* price below which cheap_away is allowed; 0: at no price */
    int32_t cheap_away;           /* allowed distance in basis points, if it is more than `away`; 0: none */
    int32_t pre_away, after_away; /* before and after the session: allowed distance, if more than `away`; 0: none */
};

enum { OG_COLLAR_QUOTE_OPTIONAL, OG_COLLAR_QUOTE_REQUIRED };

enum og_collar_reason { OG_COLLAR_AWAY, OG_COLLAR_STOP, OG_COLLAR_NO_QUOTE, OG_COLLAR_UNHELD, OG_COLLAR_WIDE };
extern const struct og_reason *const og_collar_reasons; /* the rule's reasons, by enum og_collar_reason */

/* Returns true if the time of a quote is known, and no older than the policy allows. */
bool og_collar_is_fresh(const struct og_case *c, const struct og_quote *q);
/* Returns true if a quote reveals a misplaced decimal point: it is fresh, or of the last hour of trading, or no more
 * than five minutes ahead of the clock. */
bool og_collar_is_recent(const struct og_case *c, const struct og_quote *q);
/* Append to the message of the last finding what is wrong with a quote: its age, its time, or its prices. symbol: the
 * leg that has the quote; empty for the order's own. */
void og_collar_add_doubt(const struct og_case *c, const struct og_quote *q, struct og_str symbol, struct og_sink *sink)
    __attribute__((cold));
/* Which price of a quote an order is compared with. */
enum og_collar_price { OG_COLLAR_ASK, OG_COLLAR_BID, OG_COLLAR_LAST, OG_COLLAR_NO_PRICE };

/* What a doubtful quote says of the price at which an order, or a leg, of one side trades. */
struct og_collar_guess {
    enum og_collar_price of;
    struct og_money price;
    bool alone; /* the only price there is, and that of the other side: the ask for a sell, the bid for a buy */
};

/* Guess the price. That of a buy is the ask, else the bid, or the last trade if there is none; for what only reduces,
 * the higher of bid and last. That of a sell is the bid, else the lower of last trade and ask. A crossed quote has a
 * wrong price, which must not keep an order that only reduces from its way out: that is compared with the middle one of
 * bid, ask and last, which two of the three support, or without a last trade with the one of bid and ask that allows
 * more. */
struct og_collar_guess og_collar_guess(const struct og_case *c, const struct og_quote *q, enum og_side side);
/* Returns the distance that is allowed from a doubtful price, in basis points. Where the price of the other side is all
 * that is known (`alone`), an order that only reduces is refused only for a slipped decimal point: nobody knows how
 * wide the market is. rises: a price above it is the worse one. */
int32_t og_collar_doubtful_away(const struct og_case *c, const struct og_collar *s, bool alone, bool rises);
/* Report a market order, or a stop without a limit, that opens where the ask is too far above the bid. Returns true if
 * so. */
bool og_collar_check_width(const struct og_case *c, const struct og_collar *s, struct og_str symbol,
                           const struct og_quote *q, struct og_sink *sink);

/* Returns the distance that is allowed at this time of the day, in basis points. */
int32_t og_collar_away_now(const struct og_case *c, const struct og_collar *s);
/* Returns true if the order only reduces and its limit is no more than a price step beyond the market: a cent for a
 * share, a nickel for an option or a spread.  For cheap ones a step is more than any percentage that a desk allows:
 * they could not be closed.  beyond: dollars per share by which the limit is on the wrong side. */
bool og_collar_is_last_step(const struct og_case *c, struct og_money beyond);
/* Report a limit that is more than `away` above or below (`from`) the price `at`. */
void og_collar_found_away(const struct og_case *c, int32_t away, const char *from, struct og_money at,
                          struct og_sink *sink) __attribute__((cold));

/* Check limit and stop of a spread, or of its market order. */
void og_collar_check_spread(const struct og_case *c, const struct og_collar *s, struct og_sink *sink);
void og_collar_check_market_spread(const struct og_case *c, const struct og_collar *s, struct og_sink *sink);
/* Report that there is no quote to trade at, for a market order. */
void og_collar_say_unbounded(struct og_str symbol, enum og_side side, struct og_sink *sink);
