/*
 * The world of the adversary test: a market, accounts at a broker, the user's limits, and the facts that a gate was
 * given about all of these.
 *
 * Prices and shares are whole numbers of 1/10000, and an order's worth is its price times its shares, so all sums are
 * exact. It shares no code with the gate, and uses only the gate's public headers.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "chance.h"
#include "ordergate/ordergate.h"

typedef __int128 wide;

#define NO_BOUND ((wide)1 << 100)

#define SCALE INT64_C(10000)

/* Things that are traded: each stock is followed by its options, by expiry, calls before puts, sorted by strike, of
 * which the last one is far from the market.  The last stock is an index, which is not traded itself; its puts have
 * another root than its calls.  A chain is the contracts of one expiry; the last chain of a stock may have another root
 * (enum root). */
enum {
    STOCKS = 4,
    INDEX = STOCKS - 1,
    STRIKES = 4,
    FAR = STRIKES - 1,
    EXPIRIES = 2,
    CHAIN = 2 * STRIKES,
    CONTRACTS = EXPIRIES * CHAIN
};
enum { THINGS = STOCKS * (1 + CONTRACTS) };
enum { ACCOUNTS = 2, ORDERS_MOST = 160, LEGS_MOST = 4 };

/* --- what is traded ----------------------------------------------------------------------------------------------- */

/* The root of a contract: that of its stock; the ticker of a class share, whose contracts are the same ones (BRK.B for
 * BRKB); or that of an adjusted or flexible contract (AAPL1, 2AAPL), which may deliver 100 shares, more or none. */
enum root { ORDINARY, TICKER, DERIVED, ROOTS };

/* What kind of quote the gate was given last; only TOLD_GOOD is usable. */
enum told { TOLD_NOTHING, TOLD_GOOD, TOLD_OLD, TOLD_ZERO, TOLD_CROSSED, TOLD_TIMELESS, TOLD_FUTURE };

struct thing {
    char symbol[48], root[8];
    int stock; /* index of its stock; a stock has its own index */
    char type; /* 'C', 'P'; 0: stock */
    enum root kind;
    int expiry; /* of a contract: 0 is the earlier one */
    int64_t strike;
    int64_t bid, ask, last;
    enum told told;
    int64_t told_at;
    bool heard; /* the gate has been given a quote at least once */
};

/* --- orders ------------------------------------------------------------------------------------------------------- */

struct leg {
    int thing, ratio;
    bool buy;
    char effect; /* openClose: 'O', 'C', or 0 if absent: the broker decides by the position */
    wide each;   /* for a leg: worst-case worth of a share or contract; 0: unknown */
};

/* The part of facts that has an order: the order list, the orders in flight (as a row or as they were posted), or the
 * ids without an order. */
enum where { IN_ORDERS, IN_FLIGHT_ROW, IN_FLIGHT_BODY, UNKNOWN_ID };
enum form { STOCK, OPTION, SPREAD };
enum type { MARKET, LIMIT, STOP, STOP_LIMIT };

/* How a row spells `executed`: right, or so that it cannot be read, as no number, as -3, or as 10 million units. */
enum said { SAID, NOT_SAID, NULL_SAID, TEXT_SAID, HALF_SAID, NEGATIVE_SAID, TOO_MUCH_SAID, ZERO_SAID, WAYS_TO_SAY };

struct order {
    char id[40];
    int account;
    enum form form;
    enum type type;
    const char *tif, *route;
    int legs; /* 1 unless a spread */
    struct leg leg[LEGS_MOST];
    int64_t quantity, leaves;
    int64_t limit, stop;
    int64_t ignored; /* a limit that the broker shows for an order whose type has none */

    /* the order's state at the broker and in the book */
    bool live;
    bool beside;        /* accepted while writes_beside() */
    bool unseen;        /* a close that was accepted although the positions were unknown */
    bool external;      /* an order of another program, known from facts only */
    const char *status; /* status of an external order */
    const char *ended;  /* the status in which lists still show an order that has ended */
    enum said said;     /* how its rows spell what has filled */
    int64_t changed;    /* ns: its last change, if its rows tell the time; else 0 */
    bool blind;         /* facts show it without its legs */
    bool forgotten;     /* the worth by which its ticket counted is used until the gate gets the next list of orders */
    struct {
        bool unbounded;
        wide each[LEGS_MOST];
    } row;               /* the worth of its row, by the quotes when facts came last */
    enum where where;    /* the part of facts that has an external order */
    og_ticket ticket;    /* 0: none, or ended */
    bool sent, in_facts; /* facts that were loaded last contain its row */
    int64_t told;        /* unfilled quantity in those facts */
    int64_t at;          /* time of the decision, ns */
    int reads;           /* how often positions had been read before the decision */
    wide price; /* the worth of the position after a fill, per share or contract; unlike `worth`, it does not say how
                 * much the position can lose */
    wide worth,
        worth_most; /* worth of a share, contract or spread as documented; worth_most adds a margin for slippage */
    bool unbounded; /* nothing known bounds its worth */
    wide brings;    /* what a spread that is sold may bring: all that its legs can lose */
    wide taken;     /* the most buying power that the order could use when it was accepted; the order reserved that
                     * amount */
};
/* Returns the exposure of one unit: of all legs that open, or only of those that sell. For a spread it is the greater
 * of its maximum loss and the worth of these legs. */
struct world;
wide at_stake(const struct world *w, const struct order *o, bool only_sells);
/* For a spread: returns the worth of these legs, without its maximum loss. */
wide legs_worth(const struct order *o, bool only_sells);
/* Returns how much the options that one unit of a spread writes can lose beside the options that it buys, beyond the
 * worth of its legs. With `covered`, its calls lose nothing, because long calls in the account may cover them. */
wide lost_beyond_legs(const struct world *w, const struct order *o, bool covered);
bool is_open_ended(const struct order *o); /* at_stake() is only a lower bound */
bool sells_to_open(const struct order *o);

/* --- accounts ----------------------------------------------------------------------------------------------------- */

struct holding {
    int64_t shares[2]; /* short, long: in 1/10000 of a share, or contracts times SCALE */
    wide value[2];
    bool unpriced;
    int untold;     /* fills of unknown worth since positions were told */
    int64_t bought; /* contracts bought by orders of a single contract since positions were told */
    /* until positions are told again: by how much a spread's maximum loss exceeds the worth of its legs; positions may
     * or may not include what filled after they were read */
    wide spread;
    int64_t doubt[2]; /* quantity of each side that may be counted twice, and so must not be closed */
    bool murky;
    bool freed; /* a short was closed since the account was told: bp lacks the buying power that this gave back */
};

struct account {
    char id[16];
    bool live;
    struct holding holding[THINGS];
    struct order order[ORDERS_MOST];
    int orders;
    wide bp;               /* buying power after fills; working orders are not deducted */
    wide told_bp;          /* as the gate was told */
    wide taken_since;      /* upper bound of the buying power of orders decided since then */
    wide spent;            /* the amount that orders of this gate which filled since then have paid, by their worth */
    int64_t equity;        /* dollars */
    int64_t day_pnl, peak; /* peak: the highest that was told */
    int level;
    bool halted;
    int reads;                                   /* of positions */
    int64_t positions_at, orders_at, account_at; /* OG_TIME_UNKNOWN: never told */
    bool overlap;                                /* facts and tickets contain the same order */
    bool delayed;                                /* facts arrived late */
    bool lacks;    /* since positions were told, a list has shown fills of others, or that their orders are gone */
    bool may_lack; /* positions may count as lacking such fills although they have them */
    bool unheard;  /* a fill is reported late */
    bool blind;    /* the gate knows some order only by its id */
    bool early;    /* orders were decided before the first facts */
    int64_t sent_today, said_today; /* orders sent by others today, and how many of them the gate was told */
    int64_t decided[ORDERS_MOST];   /* times of decisions, the newest last */
    int decisions;
};

/* --- the desk's limits -------------------------------------------------------------------------------------------- */

enum limit {
    L_NOTIONAL,
    L_SHARES,
    L_CONTRACTS,
    L_GROSS,
    L_SHORT,
    L_POSITION_SHARES,
    L_POSITION_CONTRACTS,
    L_AN_ORDER,
    L_IN_TOTAL,
    L_CONCENTRATION,
    L_GROUP,    /* gross, of the stocks that is_grouped() tells */
    L_WEIGHTED, /* gross, of all stocks, by halves: 3 for those that is_grouped() tells, 1 for the others */
    L_UNCOVERED,
    L_SECURED,
    L_OPEN_TOTAL,
    L_OPEN_SYMBOL,
    L_SECOND,
    L_MINUTE,
    L_DAY,
    L_TRADED,
    L_TRADED_SHARES,
    L_TRADED_CONTRACTS,
    L_LOSS,
    L_DRAWDOWN,
    L_POWER,
    L_CLOSABLE,
    L_NO_SHORTS,
    L_SHORT_PRICE,
    L_FLOOR_STOCK,
    L_FLOOR_OPTION,
    L_BARRED,
    L_HALT,
    L_LEVEL,
    LIMITS
};

enum { NO_LIMIT = -1 };

struct desk {
    const char *base; /* the shipped policy that it extends */
    int64_t most[LIMITS];
    bool refuses[LIMITS]; /* unsure findings refuse */
    bool any_root;        /* opens contracts of adjusted and flexible roots */
    int special;          /* a stock with limits of its own, or -1 */
    int64_t special_most[LIMITS];
    int64_t quotes_age, facts_age; /* ns */
};

extern const char *const limit_rule[LIMITS];
extern const char *const limit_name[LIMITS];

/* A shipped policy without changes. */
enum base { DEFAULT, LIVE, CAUTIOUS, INCOME };
void desk_stand(struct desk *d, enum base base);
/* A random desk, and its policy. */
void desk_make(struct desk *d, struct chance *c);
void desk_make_of_dollars(struct desk *d, struct chance *c);
void desk_write(const struct desk *d, struct text *yaml);
/* Returns the limit that applies to an order: the user's general one, or that of a special stock. */
int64_t desk_most(const struct world *w, const struct order *o, enum limit l);

/* --- the world ---------------------------------------------------------------------------------------------------- */

struct world {
    int64_t now;
    struct thing thing[THINGS];
    struct account account[ACCOUNTS];
    int accounts;
    struct desk desk;
    int ids;
    bool leans; /* many orders write calls beside long ones that are held */
    uint64_t seed;
};

extern const int64_t world_start; /* on a Thursday morning during the session */

void world_make(struct world *w, uint64_t seed, struct chance *c);
/* Move the market. The quote that the gate gets may be right, missing or wrong; with `well` it is right. */
void world_tick(struct world *w, struct thing *t, struct chance *c, bool well);
bool world_quote(const struct world *w, int thing, struct text *json); /* returns false if the gate is given no quote */
bool quote_known(const struct world *w, int thing);
/* Make a random order, mostly a sensible one. */
void world_order(struct world *w, struct order *o, int account, struct chance *c);
void world_price(const struct world *w,
                 struct order *o); /* sets worth, worth_most and unbounded from what is known now */
/* Facts with rows of the account came: price orders anew that are known only by their row. For the other orders note
 * what their rows say. */
void world_price_rows(const struct world *w, struct account *a);
void world_price_row(const struct world *w, struct order *o); /* an order known only by its row */
/* Write the facts of an account; the world records what they say. */
enum parts { POSITIONS_ONLY = 1, ORDERS_ONLY = 2, ALL_PARTS = 3, NO_QUOTES = 4 };
void world_facts(struct world *w, int account, enum parts parts, struct chance *c, struct text *json);
/* Let others' orders on the account fill or end. To be called only before facts that report all of that. */
void world_others(struct world *w, int account, struct chance *c);
/* Let others' orders fill or end that the gate was told of, and go from the list or stay in it. To be called only
 * before a list that reports it without positions. Sets account.lacks if positions that were told before lack
 * something. */
void world_others_unread(struct world *w, int account, struct chance *c);
void order_row(const struct world *w, const struct order *o, struct text *json); /* as the broker shows it */
/* Write the order as a line, in one of the spellings that the service accepts. */
void order_write(const struct world *w, const struct order *o, struct chance *c, struct text *json);
/* Fill this much of an order, at a price that the market and its terms allow. */
void world_fill(struct world *w, struct order *o, int64_t quantity, struct chance *c);

/* --- the model ---------------------------------------------------------------------------------------------------- */

enum verdict { SAFE, BETWEEN, UNKNOWN, EXCEEDS };

struct measure {
    wide lo, hi;  /* lo: some outcome reaches it; hi: no outcome exceeds it */
    bool unknown; /* unknown facts may add to lo */
    bool loose;   /* hi is not known */
    bool dark;    /* positions or working orders are not known at all */
};

/* Returns true if an order only closes positions that no other order closes already. */
bool only_reduces(const struct world *w, const struct order *o);
bool closes_all(const struct order *o); /* by its openClose */
/* Returns true if short contracts are held, and the order sells something that may cover them. */
bool sells_cover(const struct world *w, const struct order *o);
bool book_known(const struct world *w, const struct order *o); /* returns true if the gate got these facts recently
                                                                * enough */
/* Returns a lower bound of the buying power that the working part of the order uses. */
wide least_taken(const struct world *w, const struct order *o);
wide most_taken(const struct world *w, const struct order *o);
/* Returns how much the short puts on a stock can lose at expiry beyond the price by which they count, if `sold` of
 * each contract (by place after the stock, in contracts times SCALE) is sold before. A long put covers puts that
 * expire with it or earlier. */
wide puts_lose(const struct world *w, const struct holding *holding, int stock, const int64_t *sold);
/* Like puts_lose(), for calls: long shares cover some of them, except the `shares` that are sold before. Returns
 * NO_BOUND if the loss is unbounded, which counts as nothing. */
wide calls_lose(const struct world *w, const struct holding *holding, int stock, const int64_t *sold, int64_t shares);
bool may_have_shorts(const struct world *w, const struct order *o);
bool buys_at_worth(const struct order *o); /* a single order that buys, and pays what it is worth */
enum verdict judge_power(const struct world *w, const struct order *o, struct measure *m);
enum verdict judge_secured(const struct world *w, const struct order *o, bool known, struct measure *m);
bool fresh(const struct world *w, int64_t at); /* returns true if the gate got facts of that time recently enough */
/* Return, in shares or in contracts times SCALE, the position, and what all working orders but one may still do. */
int64_t held(const struct world *w, const struct order *o, int thing, bool longs);
int64_t works(const struct world *w, const struct order *but, int thing, bool buy, char effect);
bool is_overclosed(const struct world *w, int account);
bool writes_beside(const struct world *w, const struct order *o);
enum verdict judge(const struct world *w, const struct order *o, enum limit l, struct measure *m);
/* Returns by how much the quotes that the gate got raise the account's positions above their cost. stock: only those of
 * this stock, of the group or of all are counted. */
wide raised_by_quotes(const struct world *w, const struct order *o, int stock, bool shorts);
/* All stocks, or those of the desk's group: the second one and the index. */
enum { ALL_STOCKS = -1, GROUPED = -2 };
bool is_grouped(int stock);

/* --- the adversary ------------------------------------------------------------------------------------------------ */

/* Returns a limit that fills of working orders can break, but could not without the orders that the gate accepted;
 * LIMITS if there is none. */
enum limit outcome_breaks(const struct world *w, int account, struct chance *c);
