/*
 * What is known when deciding, for one account: the service's documents as the rules ask of them, each with its age.
 * Counts and clocks are facts.  It refuses to guess: what was not given is unknown, which is not the same as empty.
 * Reading allocates; asking does not.
 */
#ifndef OG_FACTS_FACTS_H
#define OG_FACTS_FACTS_H

#include "base/str.h"
#include "facts/lookup_keys.h"
#include "mleg/mleg.h"
#include "ordergate/calendar.h"
#include "ordergate/halt.h"
#include "order/order.h"
#include "ordergate/locate.h"
#include "ordergate/money.h"
#include "ordergate/time.h"

/* Kinds of facts; a rule declares which it may ask for. */
enum og_fact {
    OG_FACT_ACCOUNT = 1 << 0,
    OG_FACT_POSITIONS = 1 << 1,
    OG_FACT_ORDERS = 1 << 2, /* working orders */
    OG_FACT_ROUTES = 1 << 3,
    OG_FACT_BORROW = 1 << 4,  /* by symbol */
    OG_FACT_LOCATES = 1 << 5, /* locate inventory */
    OG_FACT_QUOTE = 1 << 6,   /* by symbol */
    OG_FACT_USED_IDS = 1 << 7,
    OG_FACT_ACCOUNT_LIST = 1 << 8,
    OG_FACT_ENVIRONMENT = 1 << 9, /* what the user declared: paper or live */
    OG_FACT_LOCATE_HISTORY = 1 << 10,
    OG_FACT_CALLS = 1 << 11, /* the gate's own: gate.calls, gate.locateQuotes, gate.posted; and what it counted */
    OG_FACT_PNL = 1 << 12,
    OG_FACT_VOLUME = 1 << 13 /* average volumes: which symbols there are is for the rule to ask */
};
#define OG_FACT_GATE  OG_FACT_CALLS /* orders sent, in flight, unknown; whether trading is on */
#define OG_FACT_KINDS 14

const char *og_fact_name(
    enum og_fact kind); /* as in a policy's max_age and in messages: "account", "positions", "orders",
                                              * "routes", "borrow", "locates", "quotes", "usedClientOrderIds", ... */

struct og_str og_fact_word(enum og_fact kind); /* the same, with its length */

enum og_environment { OG_ENV_UNKNOWN = 0, OG_ENV_PAPER, OG_ENV_LIVE };

struct og_account {
    struct og_str id, status, type; /* NUL-terminated; len 0: absent */
    bool has_bp, has_overnight_bp, has_available_cash, has_margin_deficit, has_maintenance_deficit, has_equity,
        has_sod_equity;
    struct og_money bp;             /* as last read, less what tickets reserve: what a new order may use */
    struct og_money overnight_bp;   /* likewise */
    struct og_money available_cash; /* as last read */
    struct og_money margin_deficit, maintenance_deficit, equity, sod_equity;
    int opt_level, option_trading_level; /* 0..4; -1 absent */
    int64_t created;                     /* ns; OG_TIME_UNKNOWN; our key "created" of the account document */
    bool linked;                         /* our key "linked": a paper account tied to a live one */
};

/* For sums that cannot overflow: of contracts, of dollars in cents rounded up. */
__extension__ typedef __int128 og_wide;

/* What working closes of one side are worth, as orders that open: that is what they are beyond what is held. */
struct og_closing {
    og_wide cents;
    int64_t
        most; /* a share or contract of the dearest, in hundredths of a cent; of all since the last time none worked */
    int unpriced; /* of which no more is known than that they are at least so much */
};
/* What of an exposure is beyond what is held: positions tell that alone. */
struct og_beyond {
    og_wide longs, shorts;         /* cents */
    int unpriced, unpriced_shorts; /* on either side, and of these on the short one */
};

/* All that is known of one traded symbol (ticker or OCC contract): lots summed, working orders counted.
 * Accepted orders of this run are in it (orders in flight count as working). */
struct og_holding {
    struct og_str traded;
    struct og_occ occ;                     /* .is for contracts */
    struct og_money held_long, held_short; /* sizes, never negative */
    int lots;
    /* working orders that open, by side: certain (New PendingNew Accepted PartiallyFilled), possible (PendingCancel,
     * GTC DoneForDay, status we do not know) */
    int opening_buys, opening_sells, opening_buys_maybe, opening_sells_maybe;
    /* leaves of working orders */
    struct og_money closing_sells, closing_buys; /* use up held_long, held_short */
    struct og_money either_sells, either_buys;   /* of these what may open instead, and is counted there too */
    struct og_closing sells_worth, buys_worth;   /* of those that close, and nothing else */
    struct og_beyond beyond;
    struct og_money opening_sell_leaves; /* stock: shorts that share the locate; option: written contracts to come */
    struct og_money opening_buy_leaves;
    int working;   /* all working orders on the symbol */
    int unsized;   /* opening ones whose leaves are not known */
    int over;      /* of working, those that ended, of which documents may lack what filled */
    int legless;   /* spreads on it whose legs are not known */
    og_wide value; /* as in og_totals, of this symbol alone, both sides */
    int unpriced;
    int at_least;    /* of the unpriced, those that count in value by what they are worth at the least */
    og_wide carried; /* of value, that of lots: what they were bought or sold at */
    int carried_unpriced;
    /* own working limits without a stop: the highest to buy, the lowest to sell; own market orders */
    struct og_money best_buy, best_sell;
    int limit_buys, limit_sells, market_buys, market_sells;
    struct og_holding *next_of_root; /* the next contract on the same underlying root */
};

struct og_route {
    struct og_str name;
    unsigned securities;           /* bit 1 << enum og_security */
    unsigned tifs;                 /* bit 1 << enum og_tif */
    bool has_tifs, has_securities; /* false: the document did not list them */
};

struct og_quote {
    bool is_none; /* a bid or an ask of 0, or a bid above the ask: og_facts_quote() does not give it */
    bool has_bid, has_ask, has_last;
    struct og_money bid, ask, last; /* dollars, above 0 */
    int64_t as_of;                  /* OG_TIME_UNKNOWN: no age known */
};

struct og_borrow {
    bool easy;
    int64_t as_of;
};

/* What working closes on that side, and more of them, take beyond what is held, in shares or contracts: the most that
 * they open on the other side beside what is counted as opening, which is all that may do either.  Returns false if it
 * is beyond counting. */
bool og_holding_over(const struct og_holding *h, enum og_side side, struct og_money more, struct og_money *over);

/* What a further close of so many shares or contracts, worth so many cents, would add to what closes of its side are
 * worth beyond what is held.  Returns false if that is not known, and *cents is at least as much as known. */
bool og_holding_beyond_more(const struct og_holding *h, enum og_side side, struct og_money size, int64_t worth,
                            og_wide *cents);

/* What working closes of its side would be worth more beyond what is held if so many shares or contracts, of which
 * nobody knows whether they open or close, closed before them.  Returns false if that is not known, and *cents is at
 * least as much as known. */
bool og_holding_uses_up(const struct og_holding *h, enum og_side side, struct og_money size, og_wide *cents);

/* A row of the locate history. */
struct og_locate {
    struct og_str id, symbol; /* quoteReqID; symbol len 0: not shown */
    int64_t status, type;     /* -1: not shown */
    bool has_shares, has_price;
    struct og_money shares, price;
    int64_t updated;              /* when it reached its status; OG_TIME_UNKNOWN */
    const struct og_locate *next; /* in the order of the document */
};

/* A row of the locate inventory. */
struct og_inventory {
    struct og_str symbol;
    int64_t type;                                 /* 1..4; 0: not shown */
    struct og_money available, sold, unavailable; /* unavailable: tied to shorts, or spent (CON-32) */
    const struct og_inventory *next;              /* of the same symbol */
};

/* What the gate did itself: a call to an endpoint, a locate quote, an order posted. */
struct og_call {
    struct og_str what; /* "GET orders"; the symbol of a quote; the id of an order */
    struct og_str id;   /* quoteReqID of a quote */
    int64_t at;
    const struct og_call *next; /* newest last, as given */
};
struct og_calls {
    bool has_calls, has_quotes, has_posts; /* false: not given, which is not the same as none */
    const struct og_call *calls, *quotes, *posts;
};

/* An order of the order list, known by its id. */
struct og_known_order {
    struct og_str status, traded;              /* traded: tradedSymbol, else symbol; len 0: not shown */
    struct og_money quantity, executed, price; /* 0 when the row does not show them; price: average of what filled */
    bool over, rejected;                       /* it is in no state that may fill */
};

/* What became of the first order that used an id. */
enum og_id_use {
    OG_ID_FREE = 0,
    OG_ID_ACCEPTED,     /* used by an order that was not Rejected: reuse is R114 for certain */
    OG_ID_REJECTED,     /* used by a Rejected order, or by one whose outcome is unknown: R114 possible */
    OG_ID_OTHER_ACCOUNT /* used on another account of the key */
};

/* Sums over the account, at the worst: what is held, and what opening orders that work, are in flight or unknown will
 * add.  Positions count at their average price, orders at their limit, their stop, or what they were accepted at. */
struct og_totals {
    og_wide longs, shorts;   /* value of each side, never negative */
    int unpriced;            /* positions and opening orders whose value is not known */
    int unsized;             /* opening orders whose leaves are not known */
    int legless;             /* orders of which it is not known what they trade */
    int orders;              /* that work, are in flight or unknown */
    og_wide contracts;       /* options held and still to be opened, either side */
    og_wide over;            /* contracts that closes take beyond what is held, where positions are known */
    struct og_beyond beyond; /* likewise what is opened so is worth */
};

enum og_span { OG_LAST_SECOND = 0, OG_LAST_MINUTE, OG_TODAY /* by New York's calendar */, OG_SPANS };

struct og_pnl {
    bool has_day;
    struct og_money day;  /* today's, realized and not */
    struct og_money peak; /* the highest that today's ever was, 0 at least */
};

struct og_facts; /* see facts/facts_book.h for making and changing one */

/* Presence and age.  as_of is OG_TIME_UNKNOWN when the document gave none. */
bool og_facts_known(const struct og_facts *f, enum og_fact kind, int64_t *as_of); /* not for BORROW and QUOTE */

/* The kinds, but for those by symbol, that are known and of an age the policy allows (ns by kind; 0: any); and until
 * when that is so, if nothing changes. */
unsigned og_facts_usable(const struct og_facts *f, int64_t now, const int64_t *max_age, int64_t *until);
/* Another number (base/generation.h) when a document changed what is known, or its age. */
uint64_t og_facts_serial(const struct og_facts *f);
/* Of a moment that is neither to come nor longer ago than most (0: any age). */
static inline bool og_fact_is_fresh(int64_t as_of, int64_t now, int64_t most)
{
    if (as_of == OG_TIME_UNKNOWN)
        return !most;
    return as_of <= now && (!most || now - as_of <= most);
}

struct og_str og_facts_account_id(const struct og_facts *f);
bool og_facts_is_listed(const struct og_facts *f);                   /* the account list has it, and og_symbol_fits() */
const struct og_account *og_facts_account(const struct og_facts *f); /* NULL when unknown */
/* accountType, from the detail or else the account list; UNKNOWN when neither says. */
enum og_environment og_facts_environment(const struct og_facts *f);
enum og_environment og_facts_declared(const struct og_facts *f);         /* by the user */
bool og_facts_lists_account(const struct og_facts *f, struct og_str id); /* ASCII case-insensitive */

const struct og_holding *og_facts_holding(const struct og_facts *f,
                                          struct og_str traded); /* NULL: nothing held or working */
/* All that is known of the contracts of an underlying root. */
struct og_root_sums {
    struct og_str root;
    int contracts;       /* held or working */
    og_wide calls, puts; /* short ones, held and still to be written by working orders */
    int64_t strike_most; /* no contract ever seen on it has a higher one, thousandths */
};
const struct og_root_sums *og_facts_root(const struct og_facts *f, struct og_str root); /* NULL: nothing seen on it */
/* Contracts held or working on an underlying root: follow next_of_root. */
const struct og_holding *og_facts_contracts(const struct og_facts *f, struct og_str root);
/* Short contracts of a root ('C' or 'P'), held and still to be written by working orders; INT64_MAX when more. */
int64_t og_facts_shorts(const struct og_facts *f, struct og_str root, char type);
/* What effects take of bp are exact amounts but for this many, which take no more than they count for. */
size_t og_facts_bounds(const struct og_facts *f);
/* Bounds were once in the way: from now on amounts are exact, until the account is read anew. */
bool og_facts_is_tight(const struct og_facts *f);
/* Sum over short puts held and working writes of puts: 100 x strike x contracts. false: out of range. */
bool og_facts_put_reserve(const struct og_facts *f, struct og_money *sum);

/* What that day is: as announced, else as the exchange calendar has it. */
struct og_day og_facts_day(const struct og_facts *f, int date, struct og_day by_calendar);

const struct og_route *og_facts_route(const struct og_facts *f, struct og_str name);
/* The i-th route, NULL past the end: for messages that list what exists. */
const struct og_route *og_facts_route_at(const struct og_facts *f, size_t i);
/* NULL: not known, or what was told is no quote: a bid or an ask of 0, or crossed. */
const struct og_quote *og_facts_quote(const struct og_facts *f, struct og_str symbol);
/* Both of one symbol, looked for once. */
void og_facts_symbol(const struct og_facts *f, struct og_str symbol, uint64_t hash, const struct og_holding **holding,
                     const struct og_quote **quote);
/* The greatest of what a quote says that its symbol may trade at; 0: it says nothing. */
struct og_money og_quote_most(const struct og_quote *q);
const struct og_borrow *og_facts_borrow(const struct og_facts *f, struct og_str symbol);
const struct og_borrow *og_facts_borrow_by(const struct og_facts *f, struct og_str symbol, uint64_t hash);
bool og_facts_available(const struct og_facts *f, struct og_str symbol,
                        struct og_money *shares); /* inventory, all types */
enum og_id_use og_facts_id(const struct og_facts *f, struct og_str client_order_id);
enum og_id_use og_facts_id_by(const struct og_facts *f, struct og_str client_order_id,
                              uint64_t hash); /* og_lookup_keys_id() */
/* The order of the list with that id on this account; NULL: none. */
const struct og_known_order *og_facts_order(const struct og_facts *f, struct og_str client_order_id);
const struct og_locate *og_facts_locates(const struct og_facts *f); /* the first row; NULL: none */
const struct og_inventory *og_facts_inventory(const struct og_facts *f, struct og_str symbol); /* likewise */
const struct og_calls *og_facts_calls(const struct og_facts *f);                               /* never NULL */
/* A worth in cents of which no more is known than that it is at least so much. */
#define OG_AT_LEAST(cents) (-1 - (cents))
/* What shares or contracts are worth at a price, in cents, rounded up; -1: more than one row can be. */
int64_t og_cents_of(struct og_money shares, struct og_money price, bool contract);
const struct og_totals *og_facts_totals(const struct og_facts *f);
/* What is held and what orders may open is worth, each side: with what closes take beyond what is held, where that is
 * known; and of how much of it no more is known than what it is worth at the least. */
struct og_beyond og_facts_exposure(const struct og_facts *f);
/* Some working order may trade what nobody knows on that root or ticker: a spread whose legs are not known, or an order
 * of which there is the id alone. */
bool og_facts_has_legless(const struct og_facts *f, struct og_str root);
/* The value of an underlying: its stock and every contract on its root. */
og_wide og_facts_value_on(const struct og_facts *f, struct og_str root, int *unpriced);

enum og_trading og_facts_trading(const struct og_facts *f); /* ON when nobody says */
/* Orders sent within the span that ends now, which is on date (yyyymmdd): those that gate facts tell of, and those this
 * book accepted since.  Of the last second and minute at most OG_SENT_MOST of the book's own are known. */
#define OG_SENT_MOST 8192
int64_t og_facts_sent(const struct og_facts *f, enum og_span span, int64_t now, int date);
/* How many orders of the same terms (all but the id) this book accepted, or gate facts list, since then. */
int og_facts_repeats(const struct og_facts *f, const struct og_order *o, struct og_lookup_keys *k, int64_t since);
int64_t og_facts_rejections(const struct og_facts *f);                                         /* in a row, up to now */
const struct og_pnl *og_facts_pnl(const struct og_facts *f);                                   /* NULL when unknown */
bool og_facts_volume(const struct og_facts *f, struct og_str symbol, struct og_money *shares); /* a day, on average */

/* An order will be decided: have what grows with every order at hand, first where it stands, and some time later what
 * stands there.  Nothing changes that can be seen. */
void og_facts_expect(const struct og_facts *f, const struct og_order *o, struct og_lookup_keys *k);
void og_facts_fetch(const struct og_facts *f, const struct og_order *o, struct og_lookup_keys *k);
/* How many working orders say what this one does: symbol, side, openClose, quantity, prices.  0 for spreads. */
int og_facts_duplicates(const struct og_facts *f, const struct og_order *o, struct og_lookup_keys *k);

#endif
