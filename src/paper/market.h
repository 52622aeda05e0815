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

#define OG_NO_SIZE (-1) /* size of a quote that fills any quantity */

struct og_paper_quote {
    int64_t bid, ask, last; /* millionths */
    int64_t bid_size, ask_size;
};

enum og_paper_borrow { OG_BORROW_EASY, OG_BORROW_HARD, OG_BORROW_THRESHOLD, OG_BORROW_RESTRICTED };

/* An option in compact OCC form, parsed from the right: root of 1 to 6 bytes, yymmdd, C or P, strike in thousandths. */
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
    struct og_paper_symbol *root; /* of a stock the symbol itself, of a contract its underlying */
    bool option;
    struct og_paper_contract contract;
    enum og_paper_quote_state state; /* OG_QUOTE_REMOVED: a contract is not priced from its root either */
    struct og_paper_quote quote;
    int64_t opened; /* price when the session of `day` opened, or the first price of that day */
    int day;        /* yyyymmdd in New York; if earlier than today, the price has not changed since then */
    enum og_paper_borrow borrow;
    int64_t available, available_single; /* shares that may be located, reusable and for single use */
    int64_t locate_price, single_price;
    int64_t option_time;                 /* time value of its contracts, as a setting gives it; below 0: computed by the
                                          * surface */
    struct og_paper_order *first, *last; /* working orders on this root, oldest first */
};

/* How a contract without a quote of its own is priced; ratios in millionths. */
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
/* Returns the symbol of that name; NULL if it is unknown. An unexpired contract is known if its root is. */
struct og_paper_symbol *og_paper_market_get(struct og_paper_market *market, struct og_str name);
/* As og_paper_market_get(), but adds an unknown symbol, without a quote.  Returns NULL if out of memory. */
struct og_paper_symbol *og_paper_market_add(struct og_paper_market *market, struct og_str name);
/* Compute a quote from the one before and the prices given (those not given are OG_UNSET). If the last price is not
 * given, it is the middle.  Returns false if the quote is crossed. */
bool og_paper_quote_next(const struct og_paper_quote *before, const struct og_paper_quote *given,
                         struct og_paper_quote *quote);
/* Get the symbol's quote. Returns false if there is none. */
bool og_paper_market_quote(struct og_paper_market *market, const struct og_paper_symbol *symbol,
                           struct og_paper_quote *quote);

/* Set a quote and record the session's first price; every quote must be set with this. */
void og_paper_market_set(struct og_paper_market *market, struct og_paper_symbol *symbol,
                         const struct og_paper_quote *quote);
/* Returns the price of a share or contract when the session opened; 0 if there is no quote. */
int64_t og_paper_market_opened(struct og_paper_market *market, const struct og_paper_symbol *symbol);
