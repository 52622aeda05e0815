/*
 * What is known when deciding, for one account: the contents of the service's documents, each with its age. Counts and
 * times are facts too.  A fact that was not given is unknown, which is not the same as empty.  Loading allocates
 * memory; queries do not.
 */
#pragma once

#include "base/latches.h"
#include "base/str.h"
#include "base/string_set.h"
#include "facts/lookup_keys.h"
#include "facts/terms.h"
#include "mleg/mleg.h"
#include "mleg/own_cover.h"
#include "mleg/written.h"
#include "order/order.h"
#include "ordergate/calendar.h"
#include "ordergate/halt.h"
#include "ordergate/locate.h"
#include "ordergate/money.h"
#include "ordergate/symbol_status.h"
#include "ordergate/time.h"

enum og_fact_place {
#define OG_FACT_KIND(id, name, s) OG_FACT_AT_##id,
#include "facts/kinds.def"
    OG_FACT_KINDS
};
/* Kinds of facts, one bit each; a rule declares the kinds that it may read. */
enum og_fact {
#define OG_FACT_KIND(id, name, s) OG_FACT_##id = 1 << OG_FACT_AT_##id,
#include "facts/kinds.def"
    OG_FACT_GATE = OG_FACT_CALLS /* the sender's own counts ("gate"): orders sent, in flight and of unknown outcome;
                                  * whether trading is on */
};

/* The kinds whose facts have an age of their own for each symbol. */
#define OG_FACTS_BY_SYMBOL (OG_FACT_BORROW | OG_FACT_QUOTE | OG_FACT_SYMBOL_STATUS)

extern const int64_t og_fact_plausible_s[OG_FACT_KINDS]; /* greatest plausible age of each kind in seconds
                                                          * (facts/kinds.def); 0 means any age */
/* Returns the name of a kind of facts, as policies (max_age) and messages spell it: "account", "positions", ... */
const char *og_fact_name(enum og_fact kind);
struct og_str og_fact_word(enum og_fact kind); /* the same name as og_fact_name(), with its length */

enum og_environment { OG_ENV_UNKNOWN = 0, OG_ENV_PAPER, OG_ENV_LIVE };

struct og_account {
    struct og_str id, status, type; /* NUL-terminated; len is 0 if absent */
    bool has_bp, has_overnight_bp, has_available_cash, has_margin_deficit, has_maintenance_deficit, has_equity,
        has_sod_equity;
    struct og_money bp;             /* dollars: buying power as read last, less what accepted orders reserve */
    struct og_money overnight_bp;   /* dollars: overnight buying power as read last, less what accepted orders
                                     * reserve */
    struct og_money available_cash; /* dollars, as last read */
    struct og_money margin_deficit, maintenance_deficit, equity, sod_equity;
    int opt_level, option_trading_level; /* 0..4; -1 if absent */
    /* ns; OG_TIME_UNKNOWN if absent; from key "created" of the account document, which only ordergate uses */
    int64_t created;
    bool linked; /* key "linked", which only ordergate uses: the paper account is linked to a live one */
};

/* The working closes of one side, valued as opening orders: the part that exceeds the position does open one. */
struct og_closing {
    og_wide cents;
    int64_t most; /* value per unit of the dearest working close, in hundredths of a cent; 0 if there is none */
    int unpriced; /* number of working closing orders whose known value is only a lower bound */
    /* a close whose value is known only as a lower bound filled while other closes were left. It is counted as a close.
     * But the positions may already include the fill of another of these closes; then this one may have opened */
    bool unpriced_filled;
};
/* The value of what closing orders would open because they exceed the position.  It is known only if positions are
 * known. */
struct og_beyond {
    og_wide longs, shorts;         /* cents */
    int unpriced, unpriced_shorts; /* how many values are only lower bounds: unpriced: on both sides together;
                                    * unpriced_shorts: on the short side */
};

/* Everything known of one traded symbol (ticker or OCC symbol): positions and working orders, summed.  Orders that this
 * run accepted are included, and orders in flight count as working. */
struct og_holding {
    struct og_str traded;
    struct og_occ occ;                     /* .is is true for contracts */
    struct og_money held_long, held_short; /* sizes; never negative */
    int lots;
    /* number of opening orders by side. Orders without _maybe are certainly working: New, PendingNew, Accepted,
     * PartiallyFilled.  _maybe: PendingCancel, GTC DoneForDay, unknown status */
    int opening_buys, opening_sells, opening_buys_maybe, opening_sells_maybe;
    /* unfilled quantities of working orders */
    /* quantities of orders that close held_long (sells) and held_short (buys) */
    struct og_money closing_sells, closing_buys;
    /* the part of closing_sells and closing_buys that may open instead, because openClose is missing; this part counts
     * as opening too */
    struct og_money either_sells, either_buys;
    struct og_closing sells_worth, buys_worth; /* values of orders that certainly close, as if they opened */
    struct og_beyond beyond;
    /* of stock: short sales, which need locates; of options: contracts that working orders will write */
    struct og_money opening_sell_leaves;
    struct og_money opening_buy_leaves;
    /* the part of opening_sell_leaves that working spreads cover by their own legs, and of opening_buy_leaves that
     * covers it (own_cover.h); of contracts only */
    struct og_own_cover own;
    int working;   /* number of working orders on the symbol */
    int unsized;   /* number of opening orders whose unfilled quantity is unknown */
    int over;      /* number of orders in `working` that have ended, and whose fills the documents may not show yet */
    int legless;   /* number of spreads on the symbol whose legs are unknown */
    int orders;    /* the part of og_totals.orders that is on this symbol: a spread is on its own symbol only */
    og_wide value; /* value, unpriced: as in og_totals, but for this symbol alone, and both sides together */
    og_wide sold;  /* the part of `value` on the short side */
    int unpriced;
    int at_least;    /* number of the orders in `unpriced` that `value` includes by a lower bound */
    og_wide carried; /* the part of `value` that is positions at their average price */
    int carried_unpriced;
    /* highest buy and lowest sell of the account's own working limit and stop limit orders; number of its own market
     * orders */
    struct og_money best_buy, best_sell;
    int limit_buys, limit_sells, market_buys, market_sells;
    int stop_buys, stop_sells;       /* number of its own working stops without a limit */
    int leg_buys, leg_sells;         /* number of legs of working spreads on the symbol, by side */
    struct og_holding *next_of_root; /* the next contract of the same root */
};

struct og_route {
    struct og_str name;
    unsigned securities;                      /* bit 1 << enum og_security */
    unsigned tifs;                            /* bit 1 << enum og_tif */
    unsigned types;                           /* bit 1 << enum og_order_type each */
    bool has_tifs, has_securities, has_types; /* false: the document does not have the list */
};

/* Why a quote is unusable. Of no market with both sides are such quotes: a feed sends them when it has just started, or
 * lost half of its lines. A bid of 0 is also what a feed sends for an option that nobody bids for. */
enum og_quote_fault { OG_QUOTE_SOUND = 0, OG_QUOTE_NO_BID, OG_QUOTE_NO_ASK, OG_QUOTE_CROSSED };

struct og_quote {
    enum og_quote_fault fault; /* unless it is OG_QUOTE_SOUND, og_facts_quote() does not return the quote */
    bool has_bid, has_ask, has_last;
    struct og_money bid, ask, last; /* dollars, above 0; bid and ask of an unusable quote may be 0 */
    int64_t as_of;                  /* OG_TIME_UNKNOWN if the age is unknown */
};

struct og_borrow {
    bool easy;
    int64_t as_of;
};

/* Set *over to the shares or contracts by which the working closes of a side, plus `more`, exceed the position. That is
 * the most that these closes may open on the other side, in addition to what already counts as opening. Returns false
 * if the number is out of range. */
bool og_holding_over(const struct og_holding *h, enum og_side side, struct og_money more, struct og_money *over);

/* Closes that together exceed the position open a new position with the excess. Set *cents to what one more close of
 * this size and value adds to the value of the excess. Returns false if only a lower bound is known; *cents is then
 * that bound. */
bool og_holding_beyond_more(const struct og_holding *h, enum og_side side, struct og_money size, int64_t worth,
                            og_wide *cents);

/* Closes that together exceed the position open a new position with the excess. An order of unknown openClose may close
 * the position before earlier closes of its side do, which then exceed it. Set *cents to the value that such an order,
 * of this size, adds to the excess. Returns false if only a lower bound is known; *cents is then that bound. */
bool og_holding_uses_up(const struct og_holding *h, enum og_side side, struct og_money size, og_wide *cents);

/* One row of the locate history. */
struct og_locate {
    struct og_str id, symbol; /* id: the quoteReqID; symbol: empty if the row has none */
    int64_t status, type;     /* -1 if not shown */
    bool has_shares, has_price;
    struct og_money shares, price;
    int64_t updated;              /* when the row reached its present status; OG_TIME_UNKNOWN if the row does not say */
    const struct og_locate *next; /* the next row in document order */
};

/* One row of the locate inventory. */
struct og_inventory {
    struct og_str symbol;
    int64_t type;                                 /* 1..4; 0 if the row has none */
    struct og_money available, sold, unavailable; /* unavailable: in use for short positions, or used up (CON-32) */
    const struct og_inventory *next;              /* the next row of the same symbol */
};

/* An action of the sender: a call of an endpoint, a request for a locate quote, or a posted order. */
struct og_call {
    struct og_str what; /* for a call its name, such as "GET orders"; for a quote its symbol; for a post the order's
                         * id */
    struct og_str id;   /* for a quote: the quoteReqID */
    int64_t at;
    const struct og_call *next; /* the next older entry of the list */
};
struct og_calls {
    /* false: the document does not have this list, which is not the same as an empty list */
    bool has_calls, has_quotes, has_posts;
    const struct og_call *calls, *quotes, *posts;
};

/* An order of the order list, found by its id. */
struct og_known_order {
    const struct og_known_order
        *other; /* the row before it with the same id that is not Rejected; NULL if there is none */
    /* traded: tradedSymbol, or symbol if the row has no tradedSymbol; empty if the row has neither */
    struct og_str status, traded;
    struct og_shown_terms terms;
    enum og_filled_shown filled;
    struct og_money executed, price; /* price: the average fill price; 0 if the row has none */
    bool limited;                    /* the order's type is one that the limit bounds */
    int64_t legs;                    /* of a spread: contracts in one unit; 0 if the row does not show it */
    int64_t updated;                 /* ns: the order's last change, OG_TIME_UNKNOWN if the row does not say */
    bool over, rejected;             /* over: the order has ended */
};

/* What became of the first order that used an id. */
enum og_id_use {
    OG_ID_FREE = 0,
    OG_ID_ACCEPTED, /* the order was not Rejected: if the id is used again, the broker rejects the order with R114 */
    OG_ID_REJECTED, /* the order was Rejected, or its outcome is unknown: if the id is used again, the broker may reject
                     * the order with R114 */
    OG_ID_OTHER_ACCOUNT /* an order of another account of the key pair */
};

/* What orders traded, or may still trade, at the worst.  Buys and sells count alike, and so do opening and closing. */
struct og_traded {
    og_wide cents;
    int64_t shares, contracts; /* fractions of a share are rounded up */
    /* number of orders whose dollars (unpriced), or whose shares or contracts (unsized), are known only in part */
    int unpriced, unsized;
};
static inline void og_traded_add(struct og_traded *sum, const struct og_traded *by, int sign)
{
    sum->cents += sign * by->cents;
    sum->shares += sign * by->shares;
    sum->contracts += sign * by->contracts;
    sum->unpriced += sign * by->unpriced;
    sum->unsized += sign * by->unsized;
}

/* Worst-case sums over the account: what is held, and what opening orders will add. Only opening orders that are
 * working, in flight or of unknown outcome count. Positions count at their average price, stock at the session's
 * opening price if that is higher; orders at their limit, their stop, or the price at which they were accepted. */
struct og_totals {
    og_wide longs, shorts;   /* value of long and of short positions, including what opening orders add; never
                              * negative */
    int unpriced;            /* number of positions and opening orders whose value is unknown */
    int unsized;             /* number of opening orders whose unfilled quantity is unknown */
    int legless;             /* number of orders of which not all symbols are known */
    int orders;              /* number of orders that are working, in flight or of unknown outcome */
    og_wide contracts;       /* option contracts held or to be opened by working orders, both sides */
    og_wide over;            /* contracts by which closes exceed the position; 0 if positions are unknown */
    og_wide written;         /* contracts held short */
    og_wide calls_written;   /* the calls among the contracts held short */
    og_wide calls_leaning;   /* calls that working orders will write and that only long calls held can cover
                              * (og_facts_leans()) */
    og_wide lose;            /* the part of what short contracts can lose that no position or order counts, in cents */
    struct og_beyond beyond; /* value of what closes open because they exceed the position */
    /* maximum loss of written puts in cents, premiums not deducted. Long puts held reduce it where they cover short
     * puts held; the puts that a working order buys reduce it where they cover the puts that this order will write */
    og_wide puts_lose;
    /* cents that working buys will pay, closes and spreads that write no puts included, plus cents that filled buys
     * have paid since the account was read. A close of puts that no long put covers counts only with what exceeds the
     * strikes that the close frees */
    og_wide buying;
    struct og_traded trading; /* what working orders may still trade */
};

enum og_span { OG_LAST_SECOND = 0, OG_LAST_MINUTE, OG_TODAY /* OG_TODAY: the day in New York */, OG_SPANS };

struct og_pnl {
    bool has_day;
    struct og_money day;   /* today's profit and loss, realised and unrealised */
    struct og_money given; /* the document's dayPnlPeak; 0 if it has none */
    struct og_money peak;  /* the highest known P&L of the session day; at least 0 */
};

struct og_facts; /* facts/facts_book.h has the functions that make and change it */

/* Returns what `units` units of the order trade. cents: the worth of the whole order, or OG_AT_LEAST(). */
struct og_traded og_facts_trades_of(const struct og_order *o, int64_t units, int64_t cents);
/* Set *sum to what orders traded after `since`, and what working orders may still trade. root: on the underlying of
 * this root or ticker alone; empty: in the account. */
void og_facts_traded_since(const struct og_facts *f, struct og_str root, int64_t since, struct og_traded *sum);
/* Like og_facts_traded_since(), for a day in New York (yyyymmdd). The account's sum includes the sender's own counts
 * ("gate"). */
void og_facts_traded_on(const struct og_facts *f, struct og_str root, int date, struct og_traded *sum);

/* Returns true if facts of this kind are known (not for BORROW and QUOTE, which are known by symbol). *as_of: set to
 * the time of these facts, or to OG_TIME_UNKNOWN if the document gave no age. */
bool og_facts_known(const struct og_facts *f, enum og_fact kind, int64_t *as_of);

bool og_facts_has_statuses(const struct og_facts *f); /* returns true if a document had statuses of symbols */

/* Returns the kinds of facts (except OG_FACTS_BY_SYMBOL) that are known and no older than the policy allows. max_age:
 * the greatest age of each kind in ns; 0 means any age. *until: the result stays the same up to this instant, unless a
 * document is loaded. */
unsigned og_facts_usable(const struct og_facts *f, int64_t now, const int64_t *max_age, int64_t *until);
/* Returns a number that changes (base/generation.h) whenever a loaded document changes what is known, or its age. */
uint64_t og_facts_serial(const struct og_facts *f);
/* Returns true if the time is not in the future and at most `most` ago (0 means any age). */
static inline bool og_fact_is_fresh(int64_t as_of, int64_t now, int64_t most)
{
    if (as_of == OG_TIME_UNKNOWN)
        return !most;
    return as_of <= now && (!most || now - as_of <= most);
}

/* Returns true if positions may lack a fill: lists of orders show a fill that is newer than they are, or older by less
 * than the settle lag, or an order that worked and is gone. Fills of orders that tickets are for do not count, since
 * the book has them. *id: the order; *newer: ns from the positions to the order's last change, or to the list that
 * lacks it. A fill of which neither its row nor an earlier list tells the time is taken to be in the positions. */
bool og_facts_lacks_fill(const struct og_facts *f, struct og_str *id, int64_t *newer);

struct og_str og_facts_account_id(const struct og_facts *f);
/* Returns true if nothing in the documents about the account prevents an order: the account is listed under an id that
 * og_symbol_fits(), is active, and has no deficit. */
bool og_facts_may_trade(const struct og_facts *f);
/* Each returns true if the account's document says so: that the account is active, or that it has a deficit of this
 * kind. */
static inline bool og_account_is_active(const struct og_account *a)
{
    return og_str_is(a->status, "Active");
}
static inline bool og_account_lacks_margin(const struct og_account *a)
{
    return a->has_margin_deficit && a->margin_deficit.coef > 0;
}
static inline bool og_account_lacks_maintenance(const struct og_account *a)
{
    return a->has_maintenance_deficit && a->maintenance_deficit.coef > 0;
}
const struct og_account *og_facts_account(const struct og_facts *f); /* NULL if unknown */
/* Returns the accountType of the account's detail, or, if it has none, that of the account list; UNKNOWN if neither has
 * it. */
enum og_environment og_facts_environment(const struct og_facts *f);
enum og_environment og_facts_declared(const struct og_facts *f);         /* the environment that the user declared */
bool og_facts_lists_account(const struct og_facts *f, struct og_str id); /* returns true if the account list has the id;
                                                                          * ASCII case is ignored */

/* Returns the i-th account of the account list, as the list spells it; len is 0 past the end. */
struct og_str og_facts_listed_account(const struct og_facts *f, size_t i);

const struct og_holding *og_facts_holding(const struct og_facts *f,
                                          struct og_str traded); /* NULL if nothing is held or working */
/* Sums over the option contracts of one root. */
struct og_root_sums {
    struct og_str root;
    int contracts;       /* held or working */
    og_wide calls, puts; /* short contracts: held, and those that working orders will still write */
    int64_t strike_most; /* upper bound of the strikes of the root's contracts, in thousandths */
};
/* Returns the sums of a root; NULL if no contract on the root was ever loaded. */
const struct og_root_sums *og_facts_root(const struct og_facts *f, struct og_str root);
/* Returns the sums of the root of a holding; NULL if it is not of a contract. */
const struct og_root_sums *og_facts_root_of(const struct og_holding *h);
/* Returns the first contract of a root that is held or has working orders; next_of_root points to the next one. */
const struct og_holding *og_facts_contracts(const struct og_facts *f, struct og_str root);
/* Call each() with every root whose contracts may be on the underlying of this root: the root itself, class shares with
 * and without the point, and adjusted and flexible roots that have contracts.  Some of these roots may have no
 * contract, such as the other names of the stock. */
void og_facts_each_root_on(const struct og_facts *f, struct og_str root,
                           void (*each)(const struct og_facts *f, struct og_str root, void *with), void *with);
/* Returns true if some contract's root is another root's adjusted or flexible one, or is spelled like a ticker. */
bool og_facts_has_other_roots(const struct og_facts *f);
/* Returns the number of short contracts of a root ('C' or 'P'), held and to be written by working orders; at most
 * INT64_MAX. */
int64_t og_facts_shorts(const struct og_facts *f, struct og_str root, char type);
/* Returns how many accepted orders reserve an upper bound of bp, not the exact amount. */
size_t og_facts_bounds(const struct og_facts *f);
/* Returns true if the upper bounds that orders reserved have been replaced by exact amounts since the account was last
 * read: until it is read again, exact amounts are computed for further orders too. */
bool og_facts_is_tight(const struct og_facts *f);
/* Set *sum to 100 x strike x contracts over the short puts held and the puts that working orders will still write. Puts
 * that expired before `today` (20260116, a date in New York) are left out, for which every root is looked at; 0: none
 * is left out.  Returns false if the sum is out of range. */
bool og_facts_put_reserve(const struct og_facts *f, int today, struct og_money *sum);

/* Returns a day as a document announced it. If no document did, returns `by_calendar`, the day as the exchange calendar
 * has it. */
struct og_day og_facts_day(const struct og_facts *f, int date, struct og_day by_calendar);

const struct og_route *og_facts_route(const struct og_facts *f, struct og_str name);
/* Returns the i-th route, or NULL past the end; for messages that list the routes. */
const struct og_route *og_facts_route_at(const struct og_facts *f, size_t i);
/* Returns the quote of a symbol; NULL if the quote is unknown, or unusable (a bid or ask of 0, or the bid above the
 * ask). */
const struct og_quote *og_facts_quote(const struct og_facts *f, struct og_str symbol);
/* Does the same for a contract whose symbol has only capitals and digits (og_symbol_bytes() is 0). */
const struct og_quote *og_facts_contract_quote(const struct og_facts *f, struct og_str symbol);
/* Returns the quote of a symbol even if it is unusable; NULL if there is none. For messages, and for what refuses an
 * order: an unusable quote never admits one. */
const struct og_quote *og_facts_raw_quote(const struct og_facts *f, struct og_str symbol);
/* Look up the holding and the raw quote of one symbol, once each (NULL if there is none). hash: the symbol's hash;
 * contract: as for og_facts_contract_quote(). */
void og_facts_symbol(const struct og_facts *f, struct og_str symbol, uint64_t hash, bool contract,
                     const struct og_holding **holding, const struct og_quote **raw_quote);
/* A template that says why a quote is unusable, of its bid {0} and its ask {1}. */
extern const char *const og_quote_fault_says[];
/* Returns the highest price that a quote gives; 0 if it gives none. */
struct og_money og_quote_most(const struct og_quote *q);
const struct og_borrow *og_facts_borrow(const struct og_facts *f, struct og_str symbol);
const struct og_symbol_status *og_facts_symbol_status(const struct og_facts *f,
                                                      struct og_str symbol); /* NULL if unknown */
const struct og_borrow *og_facts_borrow_by(const struct og_facts *f, struct og_str symbol, uint64_t hash);
bool og_facts_available(const struct og_facts *f, struct og_str symbol,
                        struct og_money *shares); /* sets *shares to the sum over all locate types of the inventory;
                                                   * false: unknown */
enum og_id_use og_facts_id(const struct og_facts *f, struct og_str client_order_id);
enum og_id_use og_facts_id_by(const struct og_facts *f, struct og_str client_order_id,
                              uint64_t hash); /* og_lookup_keys_id() */
/* Returns the order with this id in the account's order list, or NULL. */
const struct og_known_order *og_facts_order(const struct og_facts *f, struct og_str client_order_id);
/* Returns the id of the order that replaced `old`; empty if there is none. Either this book accepted the replacing
 * order, and it was neither rejected nor released, or og_book_replaced() named it. */
struct og_str og_facts_replaced_by(const struct og_facts *f, struct og_str old);
/* Returns true if og_book_canceled() reported the order, and sets *executed to the units that it had filled. */
bool og_facts_canceled(const struct og_facts *f, struct og_str id, int64_t *executed);
const struct og_locate *og_facts_locates(const struct og_facts *f); /* the first row, or NULL */
const struct og_inventory *og_facts_inventory(const struct og_facts *f, struct og_str symbol); /* first row or NULL */
const struct og_calls *og_facts_calls(const struct og_facts *f);                               /* never NULL */
/* Marks a value in cents as a lower bound. */
#define OG_AT_LEAST(cents) (-1 - (cents))
/* Returns the value of shares or contracts at a price, in cents rounded up; -1 if the value is above OG_CENTS_MOST, the
 * largest value of one row. */
int64_t og_cents_of(struct og_money shares, struct og_money price, bool contract);
const struct og_totals *og_facts_totals(const struct og_facts *f);
/* Returns the value of positions and of what working orders may open, by side, and how many of these values are only
 * lower bounds.  If positions are known, the value includes what closes open because they exceed the position. */
struct og_beyond og_facts_exposure(const struct og_facts *f);
/* Returns true if some working order may trade on this root or ticker although its row does not show that: the row is a
 * spread without legs, or only the order's id is known. */
bool og_facts_has_legless(const struct og_facts *f, struct og_str root);
/* What an order uncovers by selling long contracts or shares that cover, or may cover, options held short. */
struct og_uncovered {
    /* cents by which the loss of the uncovered options can grow beyond the loss that is counted already. A call that
     * loses its last cover has an unbounded loss, and adds nothing here */
    og_wide more;
    og_wide worth;  /* the same growth, but counted as if the order wrote the uncovered options now */
    int64_t shares; /* at most this many of the shares that the order sells uncover something; the order may fill in
                     * part */
};
/* Set what the order uncovers in two cases: every other working order has filled before, or no other one has. Returns
 * false if it sells no cover. */
bool og_facts_uncovers(const struct og_facts *f, const struct og_order *o, struct og_uncovered *filled,
                       struct og_uncovered *waiting);
/* Returns what puts can lose (as og_totals.puts_lose) after the order has filled: the longs held cover the puts that it
 * writes; longs that it sells no longer cover, and shorts that it buys back no longer lose. */
og_wide og_facts_puts_lose(const struct og_facts *f, const struct og_order *o);
/* Returns how much less that is (o may be NULL: without an order) if puts that expired before `today` (20260116, a date
 * in New York) are left out: the broker may list them still, but they can neither lose nor cover.  Looks at every root:
 * for cold paths. */
og_wide og_facts_puts_expired(const struct og_facts *f, const struct og_order *o, int today);
/* Returns, in cents, the most that the puts written by this many units of the order can lose. Puts that the order buys
 * count as cover. */
og_wide og_facts_order_puts(const struct og_order *o, int64_t units);
/* Returns true if the order sells puts on a root on which working orders write puts. When those orders were accepted,
 * long puts may have covered them. The order may sell those long puts, or it may write puts that the same long puts
 * would have to cover. */
bool og_facts_sells_puts_beside(const struct og_facts *f, const struct og_order *o);
/* Returns the cents by which an order that only opens raises what calls can lose, by the calls that it writes. Long
 * calls of the order and long calls held cover these. 0 if the order writes no calls, or no long call covers them.
 * premium: for each trade of the order, the cents to deduct for all its contracts. */
og_wide og_facts_writes(const struct og_facts *f, const struct og_order *o, const og_wide *premium);
/* Returns true if, of the options that a spread writes, either the calls can lose or the puts, but not both. */
bool og_facts_loses_once(const struct og_facts *f, const struct og_order *o);
/* Find the first symbol, by name, with a position or working order whose value is unknown or known only as a lower
 * bound. root: search only on the underlying of this root; empty means everywhere. *id: the id of the working order, or
 * empty if no document shows one; *legless: the document shows this order without its legs. Returns false if no such
 * symbol exists. */
bool og_facts_unpriced(const struct og_facts *f, struct og_str root, struct og_str *symbol, struct og_str *id,
                       bool *legless);
/* Find the first symbol, by name, with a position or working order on an underlying that is none of `names`
 * (og_underlying_name()). Returns false if no such symbol exists. */
bool og_facts_unnamed(const struct og_facts *f, const struct og_string_set *names, struct og_str *symbol);
/* Walk the traded symbols with a position or a working order, in no fixed sequence: start with *at 0; NULL after the
 * last. */
const struct og_holding *og_facts_holding_next(const struct og_facts *f, size_t *at);
/* Walk the underlyings that orders traded lately, in no fixed sequence: start with *at NULL; empty after the last. */
struct og_turnover;
struct og_str og_facts_traded_next(const struct og_facts *f, const struct og_turnover **at);
/* Returns true if for some working order the symbol that it trades is unknown. */
bool og_facts_has_unknown_symbol(const struct og_facts *f);
/* Returns the value in cents on the underlying of a root or ticker: its stock in every spelling, and all contracts on
 * it, whatever their root. By the table of roots (order/roots.h), SPXW and SPX have one underlying, and AAPL1 and AAPL
 * too. *unpriced: number of rows of unknown value. */
og_wide og_facts_value_on(const struct og_facts *f, struct og_str root, int *unpriced);
/* The positions and working orders on one underlying (see og_facts_value_on()), in cents. */
struct og_on_underlying {
    og_wide longs, shorts; /* value of positions and of what working orders may open, by side */
    int unpriced;          /* number of rows of unknown value */
    int orders;            /* number of orders that are working, in flight or of unknown outcome */
    bool some;             /* there is a position, or a working order that may open one */
    /* value of stock that is held long or short and that no working order closes, at the lower of its average price and
     * its quote: the value by which this stock certainly offsets the other side */
    og_wide held_longs, held_shorts;
};
/* Add the positions and working orders on the underlying of a root or ticker to *sum. Orders of unknown symbol are not
 * counted. */
void og_facts_add_on(const struct og_facts *f, struct og_str root, struct og_on_underlying *sum);
/* Returns the name that a ticker, contract or root has in common with all others on the same underlying: capitals, with
 * points. It is in `to`; a name that is too long for a symbol is returned unchanged. */
struct og_str og_underlying_name(struct og_str symbol, char to[OG_SYMBOL_FOLDED]);

/* Returns true if the account has a position or working order in a stock whose name may have other spellings
 * (OG_BYTE_SPELLING). */
bool og_facts_spelled(const struct og_facts *f);
/* Says whether sums over a stock would miss a part because its symbol has several spellings. bytes: og_symbol_bytes()
 * of the symbol. *meant: set to the spelling that the broker uses; it lives in `to` or in the facts. */
enum og_misspelled {
    OG_SPELLED_WELL = 0,
    OG_HELD_OTHERWISE, /* the position or working order has the spelling *meant */
    OG_WITHOUT_POINT   /* no position, working order or quote has this spelling; the service writes the symbol with a
                        * point, as *meant */
};
enum og_misspelled og_facts_misspelled(const struct og_facts *f, struct og_str symbol, unsigned bytes,
                                       char to[OG_SYMBOL_FOLDED], struct og_str *meant);

enum og_trading og_facts_trading(const struct og_facts *f); /* returns ON if no document says otherwise */
/* Returns the number of orders sent within the span that ends at now, on date (yyyymmdd): the number under "gate" in
 * the facts, plus the orders that this book accepted later.  For the last second and minute, only the newest
 * OG_SENT_MOST of the book's own orders are counted. */
#define OG_SENT_MOST 8192
int64_t og_facts_sent(const struct og_facts *f, enum og_span span, int64_t now, int date);
/* As og_facts_sent(), for orders of one strategy: orders that this book accepted or learned of, and orders of that tag
 * that the facts list under "gate" in "recent". */
int64_t og_facts_sent_of_tag(const struct og_facts *f, struct og_str tag, enum og_span span, int64_t now, int date);
/* What makes two orders the same: all terms except id, account and route; symbol and side (of a spread, its legs and
 * their sides); or the symbol. */
enum og_same { OG_SAME_TERMS, OG_SAME_DIRECTION, OG_SAME_SYMBOL };
/* Returns how many orders like this one (in the sense of `same`) were sent since `since`: orders that this book
 * accepted, and orders that the facts list under "gate". */
int og_facts_repeats(const struct og_facts *f, const struct og_order *o, struct og_lookup_keys *k, enum og_same same,
                     int64_t since);
/* Returns true if a document has "gate", rejections were counted, an outcome is unknown, or a latch is tripped. If not,
 * the rules about the sender's counts find nothing. */
bool og_facts_has_gate(const struct og_facts *f);
int64_t og_facts_rejections(const struct og_facts *f);       /* rejections in a row until now */
int64_t og_facts_unknown_outcomes(const struct og_facts *f); /* number of orders of unknown outcome */
/* Set id[] to ids of orders of unknown outcome, at most `room`. Returns how many were set. */
int og_facts_unknown_ids(const struct og_facts *f, struct og_str *id, int room);
const struct og_pnl *og_facts_pnl(const struct og_facts *f); /* NULL if unknown */
/* Returns the session day of an instant, yyyymmdd, as of og_book_pnl_peak(); 0 if the instant is unknown. */
int og_facts_session_day(int64_t at);
/* Returns the account's latch if it is tripped and not over at `now`; NULL if not. */
const struct og_latch *og_facts_latched_at(const struct og_facts *f, enum og_latch_kind kind, int64_t now);
bool og_facts_has_latch(const struct og_facts *f); /* returns true if some latch is tripped, even one that is over */
/* average shares per day */
bool og_facts_volume(const struct og_facts *f, struct og_str symbol, struct og_money *shares);

/* Prefetch memory for an order that will be decided soon, from the tables that grow with every order. The first
 * function fetches the slots of the tables; the second, called some time later, fetches the entries.  Neither changes
 * any result. */
void og_facts_expect(const struct og_facts *f, const struct og_order *o, struct og_lookup_keys *k);
void og_facts_fetch(const struct og_facts *f, const struct og_order *o, struct og_lookup_keys *k);
/* Find the order nearest to the price `from` among the account's own working stops without a limit (stops), or among
 * its working limit and stop limit orders. If `buys`, it is the highest buy at or below `from`; if not, the lowest sell
 * at or above `from`. A stop counts at its stop price, other orders at their limit. Returns false if there is none. */
bool og_facts_nearest(const struct og_holding *h, bool buys, bool stops, struct og_money from, struct og_money *at);
/* Which working orders a finding is about. The orders on the symbol and side (NONE: either side) of struct
 * og_working_of count, and of these: */
enum og_working_kind {
    OG_WORKING_ANY,     /* all orders */
    OG_WORKING_CLOSES,  /* orders and legs of spreads that close, or may close */
    OG_WORKING_SAME,    /* orders with the terms of og_facts_duplicates() */
    OG_WORKING_MARKET,  /* market orders */
    OG_WORKING_LIMIT,   /* orders with this limit */
    OG_WORKING_STOP,    /* stops at this price, without a limit */
    OG_WORKING_NOW,     /* market orders and orders with a limit: orders that are no stops */
    OG_WORKING_LEG,     /* legs of spreads */
    OG_WORKING_OPENS,   /* orders and legs of spreads that certainly work and open */
    OG_WORKING_MAY_OPEN /* orders and legs that open, but may work no longer, and those that may open */
};
struct og_working_of {
    enum og_working_kind kind;
    struct og_str symbol;
    enum og_side side;
    struct og_money price;       /* the price, for OG_WORKING_LIMIT and OG_WORKING_STOP */
    struct og_duplicate_key key; /* the terms, for OG_WORKING_SAME: og_facts_duplicate_of() */
};
/* Returns true if `of` describes the order. Only the values of the order that og_order_peek() sets are read. */
bool og_working_is(const struct og_working_of *of, const struct og_order *o);
/* An order whose bits lack some of the bits of `of` is not one that `of` describes. */
uint64_t og_working_bits_of(const struct og_working_of *of);
uint64_t og_working_bits(const struct og_order *o, struct og_lookup_keys *k);
/* A row of a document with a working order that a finding is about. */
struct og_working_at {
    const struct og_change *row;
    bool in_flight;   /* the row comes from the sender's own counts, not from the order list */
    struct og_str id; /* empty if the row has none */
    uint32_t ticket;  /* the ticket that owns the id, which knows whether the order still works; 0: none does */
};
/* Walk the rows of the working orders that `of` describes, in the reverse of their documents' sequence: start with *at
 * all 0. Returns false after the last. */
bool og_facts_working_next(const struct og_facts *f, const struct og_working_of *of, struct og_working_at *at);
/* Returns the number of working orders with the same symbol, side, openClose, quantity and prices; 0 for spreads. */
int og_facts_duplicates(const struct og_facts *f, const struct og_order *o, struct og_lookup_keys *k);
