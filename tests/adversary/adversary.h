/*
 * The world of the adversary: a market, accounts at a broker, what the desk allows, and what a gate was told of it.
 * Prices and shares are whole numbers of 1/10000, worth is price times shares, so everything here is exact.
 * It shares no code with the gate, and refuses to look at anything of it but the public headers.
 */
#ifndef ADVERSARY_H
#define ADVERSARY_H

#include "ordergate/ordergate.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef __int128 wide;

#define SCALE INT64_C(10000)

/* Of each stock, by expiry, its calls and then its puts, by strike. */
enum { STOCKS = 3, STRIKES = 3, EXPIRIES = 2, CHAIN = 2 * STRIKES, CONTRACTS = EXPIRIES * CHAIN };
enum { THINGS = STOCKS * (1 + CONTRACTS) };
enum { ACCOUNTS = 2, ORDERS_MOST = 160, LEGS_MOST = 4 };

/* ---- chance: the same numbers for the same seed on every machine ---- */

struct chance {
    uint64_t state;
};
struct chance chance_of(uint64_t seed, uint64_t part);
uint64_t chance_bits(struct chance *c);
int64_t chance_to(struct chance *c, int64_t below); /* 0 to below - 1 */
bool chance_in(struct chance *c, int percent);

/* ---- text that grows ---- */

struct text {
    char *s;
    size_t len, room;
};
void text_put(struct text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_decimal(struct text *t, int64_t value); /* of 1/10000 */

/* ---- what is traded ---- */

/* How the gate was told of a quote last; all but GOOD are no quotes. */
enum told { TOLD_NOTHING, TOLD_GOOD, TOLD_OLD, TOLD_ZERO, TOLD_CROSSED, TOLD_TIMELESS, TOLD_FUTURE };

struct thing {
    char symbol[48], root[8];
    int stock;  /* index of its stock: itself for a stock */
    char type;  /* 'C', 'P'; 0: stock */
    int expiry; /* of a contract: 0 is the first */
    int64_t strike;
    int64_t bid, ask, last;
    enum told told;
    int64_t told_at;
    bool heard; /* the gate was told what told says */
};

/* ---- orders ---- */

struct leg {
    int thing, ratio;
    bool buy;
    char effect; /* 'O', 'C', or 0: the broker decides by what is held */
    wide each;   /* of a spread: what a share or contract of it is worth at the worst; 0: nobody knows */
};

/* Rows of the list, rows or bodies of orders in flight, ids that nobody knows more of. */
enum where { IN_ORDERS, IN_FLIGHT_ROW, IN_FLIGHT_BODY, UNKNOWN_ID };
enum form { STOCK, OPTION, SPREAD };
enum type { MARKET, LIMIT, STOP, STOP_LIMIT };

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

    /* at the broker and in the book */
    bool live;
    bool unseen;         /* a close that was let through though nobody knew what is held */
    bool external;       /* the gate knows it by facts alone */
    const char *status;  /* an external one's */
    bool blind;          /* told without its legs */
    enum where where;    /* in what facts an external one stands */
    og_ticket ticket;    /* 0: none, or over */
    bool sent, in_facts; /* its row stands in the facts that were taken last */
    int64_t told;        /* leaves in those */
    int64_t at;          /* decided, ns */
    int reads;           /* of positions, when it was decided */
    wide worth,
        worth_most; /* of one share, contract or spread: what it is worth by the page; with a margin for slips */
    bool unbounded; /* nothing that was known bounds it */
};
/* What a unit of it comes to in exposure, of all that it opens or of what it sells: for a spread the greater of what it
 * can lose and what those legs are worth. */
wide at_stake(const struct order *o, bool only_sells);
/* What those legs alone are worth, of a spread. */
wide legs_worth(const struct order *o, bool only_sells);
bool is_open_ended(const struct order *o); /* that is at least so much */
bool sells_to_open(const struct order *o);

/* ---- accounts ---- */

struct holding {
    int64_t shares[2]; /* short, long: 1/10000 of a share, or contracts times SCALE */
    wide value[2];
    bool unpriced;
    int untold; /* fills since positions were told of which the worth is not known */
    /* until positions are told: a spread that filled counts by what it can lose where that is more than its legs; and
     * of what filled after they were read nobody can say whether they had it */
    wide spread;
    int64_t doubt[2]; /* so much may be there twice, and is not to be closed */
    bool murky;
    bool freed; /* shorts were closed since the account was told: what that gave back is not in its bp */
};

struct account {
    char id[16];
    bool live;
    struct holding holding[THINGS];
    struct order order[ORDERS_MOST];
    int orders;
    wide bp;          /* less what filled; what works is not taken off */
    wide told_bp;     /* as the gate was told */
    wide taken_since; /* by what was decided since then, at the most */
    int64_t equity;   /* dollars */
    int64_t day_pnl;
    int level;
    bool halted;
    int reads;                                   /* of positions */
    int64_t positions_at, orders_at, account_at; /* OG_TIME_UNKNOWN: never told */
    bool overlap;                                /* facts and tickets tell of the same order */
    bool delayed;                                /* facts came late */
    bool unheard;                                /* a fill is heard late */
    bool blind;                                  /* an order is known by its id alone */
    bool early;                                  /* orders were decided before its first facts */
    int64_t sent_today, said_today;              /* by others; of those the gate was told */
    int64_t decided[ORDERS_MOST];                /* when, newest last */
    int decisions;
};

/* ---- what the desk allows ---- */

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
    L_UNCOVERED,
    L_OPEN_TOTAL,
    L_OPEN_SYMBOL,
    L_SECOND,
    L_MINUTE,
    L_DAY,
    L_LOSS,
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
    const char *base; /* the shipped policy it stands on */
    int64_t most[LIMITS];
    bool refuses[LIMITS]; /* what is not known is refused */
    int special;          /* a stock whose orders have limits of their own, or -1 */
    int64_t special_most[LIMITS];
    int64_t quotes_age, facts_age; /* ns */
};

extern const char *const limit_rule[LIMITS];
extern const char *const limit_name[LIMITS];

/* A shipped policy as it is. */
enum base { DEFAULT, LIVE, CAUTIOUS };
void desk_stand(struct desk *d, enum base base);
/* A random desk, and its policy. */
void desk_make(struct desk *d, struct chance *c);
void desk_write(const struct desk *d, struct text *yaml);
/* What binds an order: the desk's limit, or its special one. */
struct world;
int64_t desk_most(const struct world *w, const struct order *o, enum limit l);

/* ---- the world ---- */

struct world {
    int64_t now;
    struct thing thing[THINGS];
    struct account account[ACCOUNTS];
    int accounts;
    struct desk desk;
    int ids;
    uint64_t seed;
};

extern const int64_t world_start; /* a Thursday morning in session */

void world_make(struct world *w, uint64_t seed, struct chance *c);
/* The market moves, and quotes are told of it, or not, or wrongly. */
void world_tick(struct world *w, struct thing *t, struct chance *c, bool well);
bool world_quote(const struct world *w, int thing, struct text *json); /* false: nothing is told of it */
bool quote_known(const struct world *w, int thing);
/* An order that makes sense here, more or less. */
void world_order(struct world *w, struct order *o, int account, struct chance *c);
void world_price(const struct world *w, struct order *o);     /* worth, worth_most, unbounded: by what is known now */
void world_price_row(const struct world *w, struct order *o); /* the same of one that is known by its row alone */
/* The facts of an account; what they tell is noted. */
enum parts { POSITIONS_ONLY = 1, ORDERS_ONLY = 2, ALL_PARTS = 3, NO_QUOTES = 4 };
void world_facts(struct world *w, int account, enum parts parts, struct chance *c, struct text *json);
/* What others do on the account: their orders fill or end.  For facts that tell all of it. */
void world_others(struct world *w, int account, struct chance *c);
void order_row(const struct world *w, const struct order *o, struct text *json); /* as the broker tells it */
/* The order as a line, in one of the spellings the service takes. */
void order_write(const struct world *w, const struct order *o, struct chance *c, struct text *json);
/* So many of an order fill at a price the market and its terms allow. */
void world_fill(struct world *w, struct order *o, int64_t quantity, struct chance *c);

/* ---- the model ---- */

enum verdict { SAFE, BETWEEN, UNKNOWN, EXCEEDS };

struct measure {
    wide lo, hi;  /* some outcome comes to lo; none beyond hi */
    bool unknown; /* what is not known may add to lo */
    bool loose;   /* hi is not told */
    bool dark;    /* what is held or works is not known at all */
};

/* Whether an order only closes what is held and not being closed. */
bool only_reduces(const struct world *w, const struct order *o);
bool closes_all(const struct order *o); /* by its words */
/* Some thing is being closed by more than is held of it. */
bool book_known(const struct world *w, const struct order *o);  /* told of not too long ago */
wide least_taken(const struct world *w, const struct order *o); /* of buying power, by what works of it */
wide most_taken(const struct world *w, const struct order *o);
bool may_have_shorts(const struct world *w, const struct order *o);
enum verdict judge_power(const struct world *w, const struct order *o, struct measure *m);
bool fresh(const struct world *w, int64_t at); /* told of not too long ago */
/* Shares, or contracts times SCALE: held, and what all that works but one still may do. */
int64_t held(const struct world *w, const struct order *o, int thing, bool longs);
int64_t works(const struct world *w, const struct order *but, int thing, bool buy, char effect);
bool is_overclosed(const struct world *w, int account);
enum verdict judge(const struct world *w, const struct order *o, enum limit l, struct measure *m);

/* ---- the adversary ---- */

/* A limit that fills of what works can break, and would not without the orders that the gate accepted; LIMITS: none. */
enum limit outcome_breaks(const struct world *w, int account, struct chance *c);

#endif
