/*
 * The world of gates.c: orders and baskets of several strategies through two gates that share one record, by exact
 * prices in cents. It is smaller than that of adversary.h, so that for most limits the model says exactly which orders
 * a gate has to refuse.
 */
#pragma once

#include "chance.h"
#include "ordergate/ordergate.h"

/* Stock k is thing 4 k; two calls and a put on it follow. */
enum { STOCKS = 3, CHAIN = 4, THINGS = STOCKS * CHAIN, GATES = 2, ORDERS_MOST = 400, FILLS_MOST = 4, TAGS = 3 };

enum type { LIMIT, MARKET, STOP, STOP_LIMIT };

struct leg {
    int thing, ratio;
    bool buy;
};

struct fill {
    int64_t quantity, at;
};

struct order {
    char id[16];
    int tag; /* TAGS: none */
    bool spread, closes;
    int legs; /* 1 unless a spread */
    struct leg leg[2];
    enum type type;
    int64_t limit, stop, quantity; /* 0: it has no such price */
    bool triggered;                /* a stop: the market has come to its price */
    int64_t at;                    /* when the order was decided, and sent */
    int64_t quoted;                /* the lowest quote since then of what it buys or sells */
    bool live, rejected;
    struct fill fill[FILLS_MOST]; /* all at price */
    int fills;
    int64_t price;
    int64_t lumped; /* not 0: a gate that was restarted knows only that the fills were made by this time */
    og_ticket ticket[GATES];
};

struct thing {
    char symbol[24];
    int stock;
    int64_t bid, ask, last;
    /* told of a stock */
    bool halted, paused, restricted;
    int64_t down, up;   /* 0: no band */
    int64_t held, cost; /* shares or contracts long; their average price */
    int64_t written;    /* sold short by orders that filled */
    int64_t written_cost;
    int64_t closable; /* what a close may sell so that it surely closes only */
};

/* The limits, named by their findings; several limits of one rule share a verdict. */
enum rule {
    TAG_LIMITS,
    REPEATED_ORDER,
    TRADED_LIMIT,
    DAY_LOSS,
    REJECTION_STREAK,
    SYMBOL_STATUS,
    PRICE_COLLAR,
    SELF_CROSS,
    SETTLED_CASH,
    GROUP_LIMIT,
    OPEN_ORDERS,
    POSITION_LIMIT,
    RULES
};
extern const char *const rule_name[RULES];

enum { DOLLARS, SHARES, CONTRACTS, UNITS };
enum same { TERMS, DIRECTION, SYMBOL };
enum latch { OFF, DAY, UNTIL_RESUMED };
enum measure { GROSS, NET, LONG, SHORT, POSITIONS, ORDERS, MEASURES };

/* Limits of -1 are not set. */
struct desk {
    bool on[RULES];
    int64_t a_minute[TAGS], a_day[TAGS];
    bool untagged; /* orders without a tag are refused */
    int64_t repeat_window, repeat_most;
    enum same same;
    int64_t traded[2][2][UNITS], window; /* limits: of all or of one underlying; of a day or of the window; in each
                                          * unit */
    int64_t loss, drawdown, streak;
    enum latch loss_latch, streak_latch;
    bool with_last;
    int64_t away, cheap_below, cheap_away, before_open, after_close; /* hundredths of a percent, cents */
    int64_t group[MEASURES];                                         /* of stocks 0 and 2 */
    int64_t working;
    int64_t position[2]; /* shares, contracts */
    bool stops_cross;    /* what a plain stop may meet once it triggers is refused too */
};

struct world {
    uint64_t seed;
    int64_t now;
    struct desk desk;
    struct thing thing[THINGS];
    struct order order[ORDERS_MOST];
    int orders;
    int64_t cash;               /* settled cash, less what was bought; as the newest document says */
    int64_t slipped;            /* how much dearer that was than it counts until then */
    int64_t pnl, peak, pnl_day; /* as the gates were told; OG_TIME_UNKNOWN: not yet */
    bool resumed_late;          /* a latch was resumed while the figure was that of an earlier session day */
    int64_t streak;
    int64_t streak_day; /* the session day on which orders were sent while a streak of an earlier one was too long */
    struct {
        bool tripped;
        int64_t day;
    } loss_latch, drawdown_latch, streak_latch;
};

enum verdict { SAFE, BETWEEN, EXCEEDS };

/* Returns the verdict of a rule on an order that is not one of the world's orders yet. */
enum verdict judge(const struct world *w, const struct order *o, enum rule r);

/* Days in New York, which is five hours behind in that week: from midnight, and P&L's from 04:00. */
int64_t day_of(int64_t at);
int64_t session_of(int64_t at);
int64_t leaves(const struct order *o);
int64_t filled(const struct order *o);
bool is_contract(int thing);
bool has_limit(const struct order *o);
bool has_stop(const struct order *o);
