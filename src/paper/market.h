/*
 * The market of the paper brokerage: symbols, their quotes, their borrow state, and prices of option contracts
 * worked out from the underlying where nobody set any.
 */
#ifndef OG_PAPER_MARKET_H
#define OG_PAPER_MARKET_H

#include "base/arena.h"
#include "paper/clock.h"
#include "paper/decimal.h"
#include "paper/hash_map.h"
#include "paper/setting.h"

#define OG_NO_SIZE (-1) /* a quote without a size takes any quantity */

struct og_paper_quote {
    int64_t bid, ask, last; /* millionths */
    int64_t bid_size, ask_size;
};

enum og_paper_borrow { OG_BORROW_EASY, OG_BORROW_HARD, OG_BORROW_THRESHOLD, OG_BORROW_RESTRICTED };

/* A contract in compact OCC form, read from the right: root of 1 to 6 bytes, yymmdd, C or P, strike in thousandths. */
struct og_paper_contract {
    struct og_str root;
    int date; /* yyyymmdd */
    bool call;
    int64_t strike; /* millionths */
};
bool og_paper_contract_read(struct og_str symbol, struct og_paper_contract *contract);

enum og_paper_quote_state { OG_QUOTE_NONE, OG_QUOTE_SET, OG_QUOTE_REMOVED };

struct og_paper_order;

struct og_paper_symbol {
    struct og_str name;
    struct og_paper_symbol *root; /* itself for stock, the underlying of a contract */
    bool option;
    struct og_paper_contract contract;
    enum og_paper_quote_state state; /* REMOVED: a contract that is not priced from its root either */
    struct og_paper_quote quote;
    int64_t opened; /* its price when the session of that day opened, or the first there was */
    int day;        /* yyyymmdd in New York; of an earlier one: it has not moved since */
    enum og_paper_borrow borrow;
    int64_t available, available_single; /* locate pools, shares */
    int64_t locate_price, single_price;
    int64_t option_time;                 /* of the surface, for its contracts; below 0: the market's */
    struct og_paper_order *first, *last; /* working orders on this root, oldest first */
};

/* How a contract without a quote of its own is priced; shares in millionths of one. */
struct og_paper_surface {
    bool priced;
    int64_t time, slope, least, spread, spread_share;
};

struct og_paper_market {
    struct og_paper_surface surface;
    struct og_paper_map symbols;
    struct og_arena *arena;
    struct og_paper_clock *clock;
};

/* Without symbols. */
void og_paper_market_init(struct og_paper_market *market, struct og_arena *arena, struct og_paper_clock *clock);
/* A symbol that is known; of contracts also every unexpired one whose root is.  NULL: unknown. */
struct og_paper_symbol *og_paper_market_get(struct og_paper_market *market, struct og_str name);
/* The same, and where it is unknown it becomes known, without a quote.  NULL: out of memory. */
struct og_paper_symbol *og_paper_market_add(struct og_paper_market *market, struct og_str name);
/* The quote that follows one where some of its prices are given, the others being OG_UNSET: a last price is the middle
 * unless told.  false: crossed. */
bool og_paper_quote_next(const struct og_paper_quote *before, const struct og_paper_quote *given,
                         struct og_paper_quote *quote);
/* false: there is no quote. */
bool og_paper_market_quote(struct og_paper_market *market, const struct og_paper_symbol *symbol,
                           struct og_paper_quote *quote);

/* Every quote is set by this, so that the session's first price is known. */
void og_paper_market_set(struct og_paper_market *market, struct og_paper_symbol *symbol,
                         const struct og_paper_quote *quote);
/* What a share or contract cost when the session opened; 0: there is no quote. */
int64_t og_paper_market_opened(struct og_paper_market *market, const struct og_paper_symbol *symbol);

#endif
