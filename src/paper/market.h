/*
 * The market of the paper brokerage: symbols, their quotes and borrow state, and computed prices of option contracts
 * that have no quote of their own.
 */
#pragma once

#include "base/arena.h"
#include "base/map.h"
#include "paper/clock.h"
#include "paper/decimal.h"
#include "paper/setting.h"

#define OG_NO_SIZE (-1) /* size of a side of a quote that fills any quantity */

struct og_paper_quote {
    int64_t bid, ask, last; /* in millionths */
    int64_t bid_size, ask_size;
};

enum og_paper_borrow { OG_BORROW_EASY, OG_BORROW_HARD, OG_BORROW_THRESHOLD, OG_BORROW_RESTRICTED };

/* A contract, from its compact OCC symbol, which is parsed from the right: root of 1 to 6 bytes, yymmdd, C or P, strike
 * in thousandths. */
struct og_paper_contract {
    struct og_str root;
    int date; /* expiry, yyyymmdd */
    bool call;
    int64_t strike; /* in millionths */
};
bool og_paper_contract_read(struct og_str symbol, struct og_paper_contract *contract);

enum og_paper_quote_state { OG_QUOTE_NONE, OG_QUOTE_SET, OG_QUOTE_REMOVED };

struct og_paper_order;

struct og_paper_symbol {
    struct og_str name;
    struct og_paper_symbol *root; /* a stock's root is the stock itself; a contract's root is its underlying */
    bool option;
    struct og_paper_contract contract;
    enum og_paper_quote_state state; /* OG_QUOTE_REMOVED: the symbol has no quote, and a contract is not priced from its
                                      * root either */
    struct og_paper_quote quote;
    int64_t opened; /* price at the beginning of the session of `day`, or the first price of that day */
    int day;        /* date in New York, yyyymmdd, on which the price last changed */
    enum og_paper_borrow borrow;
    int64_t available, available_single; /* shares that may be located: reusable ones, and single-use ones */
    int64_t locate_price, single_price;
    /* time value of the symbol's contracts, if a setting gives one; below 0 if it is computed from the surface */
    int64_t option_time;
    struct og_paper_order *first, *last; /* working orders in this root, oldest first */
};

/* How a contract without a quote of its own is priced; ratios are in millionths. */
struct og_paper_surface {
    bool priced;
    int64_t time, slope, least, spread, spread_share;
};

struct og_paper_market {
    struct og_paper_surface surface;
    struct og_map symbols;
    struct og_arena *arena;
    struct og_paper_clock *clock;
};

/* Make a market without symbols. */
void og_paper_market_init(struct og_paper_market *market, struct og_arena *arena, struct og_paper_clock *clock);
/* Returns the symbol of this name; NULL if it is unknown. A contract that has not expired is known if its root is. */
struct og_paper_symbol *og_paper_market_get(struct og_paper_market *market, struct og_str name);
/* Like og_paper_market_get(), but adds an unknown symbol, without a quote. Returns NULL if memory ran out. */
struct og_paper_symbol *og_paper_market_add(struct og_paper_market *market, struct og_str name);
/* Compute a quote from the previous one and the given prices (OG_UNSET: not given). If no last price is given, it is
 * the mid price. Returns false if the quote is crossed. */
bool og_paper_quote_next(const struct og_paper_quote *before, const struct og_paper_quote *given,
                         struct og_paper_quote *quote);
/* Get the symbol's quote. Returns false if it has none. */
bool og_paper_market_quote(struct og_paper_market *market, const struct og_paper_symbol *symbol,
                           struct og_paper_quote *quote);

/* Set a quote, and record the session's first price. Quotes must be set only by this function. */
void og_paper_market_set(struct og_paper_market *market, struct og_paper_symbol *symbol,
                         const struct og_paper_quote *quote);
/* Returns the price of a share or contract when the session began; 0 if it has no quote. */
int64_t og_paper_market_opened(struct og_paper_market *market, const struct og_paper_symbol *symbol);
