/*
 * An account of the paper brokerage: its figures, its lots, its orders and what they tie up.
 */
#ifndef OG_PAPER_ACCOUNT_H
#define OG_PAPER_ACCOUNT_H

#include "paper/market.h"
#include "paper/order.h"
#include "wire/write.h"

/* Figures an account is set up with; those marked may also be pinned by a control call, else they are worked out. */
enum og_paper_figure {
    OG_FIG_CASH, /* availableCash: settled, moves with fills */
    OG_FIG_BP,   /* before what lots and working orders tie up */
    OG_FIG_OVERNIGHT_BP,
    OG_FIG_EQUITY, /* worked out unless pinned */
    OG_FIG_LEVERAGE,
    OG_FIG_MAINTENANCE_DEFICIT,
    OG_FIG_MARGIN_DEFICIT,
    OG_FIG_MARGIN_RATIO, /* worked out unless pinned */
    OG_FIG_CONTRACTS_TRADED,
    OG_FIG_LEVEL,
    OG_FIG_OPTION_CASH, /* worked out unless pinned */
    OG_FIG_REALIZED,
    OG_FIG_SHARES_TRADED,
    OG_FIG_SOD_EQUITY,
    OG_FIG_COMMISSIONS,
    OG_FIG_LOCATE_COSTS,
    OG_FIG_USED_LEVERAGE, /* worked out unless pinned */
    OG_FIG_DAY_REALIZED,  /* live counters, not in the detail object: it shows those of the session before */
    OG_FIG_DAY_SHARES,
    OG_FIG_DAY_CONTRACTS,
    OG_FIG_DAY_COMMISSIONS,
    OG_FIG_DAY_LOCATE_COSTS,
    OG_FIG_COUNT
};
/* The keys of the account object; NULL where the figure has none. */
extern const char *const og_paper_figure_keys[OG_FIG_COUNT];

struct og_paper_lot {
    int64_t id;
    struct og_paper_symbol *symbol;
    bool is_long, overnight;
    int64_t shares;   /* above 0, millionths; contracts for options */
    int64_t cost;     /* shares x average price, without multiplier */
    int64_t opened;   /* what a share cost when the session in which the lot was made opened */
    int64_t mark;     /* what it was worth a share when the session opened; for carried lots */
    int64_t closed;   /* price of the last closing fill */
    int64_t tied;     /* buying power it holds */
    int64_t realized; /* by closing parts of it, multiplier included */
    int64_t day_realized;
    int64_t created, updated;
    struct og_paper_lot *next;
};

struct og_paper_inventory;
struct og_paper_locate;
struct og_paper_cash;

/* One fill of a symbol. */
struct og_paper_fill {
    struct og_paper_symbol *symbol;
    bool buy, open;
    int64_t shares, price;
    int64_t tied;             /* the buying power an opening fill holds from now on */
    int64_t commission, fees; /* what it costs */
};

struct og_paper_lifecycle;
struct og_paper_trade;

struct og_paper_initial_position;

struct og_paper_account {
    struct og_paper *service;
    struct og_str id, type, status;
    bool paper;
    bool linked, stored; /* to a live account: it does not expire; in the database already */
    int64_t created;
    struct og_paper_timer expiry;
    int64_t start[OG_FIG_COUNT];                               /* figures of the first day */
    const struct og_paper_initial_position *initial_positions; /* positions of the first day */
    struct og_paper_cash *initial_cash;                        /* and rows of the ledger */
    size_t initial_position_count;
    bool own_routes; /* not those of its type */
    int64_t figure[OG_FIG_COUNT];
    bool pinned[OG_FIG_COUNT];
    const struct og_wire_route *routes;
    size_t route_count;
    struct og_paper_lot *lots;                       /* oldest first */
    struct og_paper_lot *closed_lots;                /* of this session, newest first */
    struct og_paper_lifecycle *lifecycles;           /* of what is held */
    struct og_paper_lifecycle *closed, *last_closed; /* completed, oldest first */
    struct og_paper_trade *trades, *last_trade;      /* fills of a live account, oldest first */
    struct og_paper_map ids;                         /* every id ever used: its order, or the order that used it up */
    struct og_paper_order *orders;                   /* newest first */
    struct og_paper_order *working;                  /* those that may fill, newest first */
    int64_t reserved;                                /* by working orders */
    int64_t priced, priced_at;              /* what the lots were worth, as equity shows it, and when; 0: not known */
    struct og_paper_inventory *inventory;   /* shares located, reusable ones first */
    struct og_paper_locate *locates;        /* newest first */
    struct og_paper_cash *cash, *last_cash; /* the ledger, oldest first */
    bool changed;                           /* not yet in the database */
    struct og_paper_account *next;
};

struct og_paper;

void og_paper_account_clear(struct og_paper_account *account);
/* Case-insensitive, as paths name accounts. */
struct og_paper_account *og_paper_account_get(struct og_paper *p, struct og_str id);

/* What may still be tied up; and for how much one order of the account is good. */
int64_t og_paper_account_bp(const struct og_paper_account *account);
int64_t og_paper_account_tied(const struct og_paper_account *account);
int64_t og_paper_account_equity(struct og_paper *p, const struct og_paper_account *account);
/* Exposure by equity, 0 without any; and how much of it equity covers, 1 at most. */
int64_t og_paper_account_leverage(int64_t exposure, int64_t equity);
int64_t og_paper_account_coverage(int64_t exposure, int64_t equity);
/* Shares or contracts held on one side of a symbol, all lots. */
int64_t og_paper_account_held(const struct og_paper_account *account, const struct og_paper_symbol *symbol,
                              bool is_long);

const struct og_wire_route *og_paper_account_route(const struct og_paper_account *account, struct og_str name);

void og_paper_account_fill(struct og_paper *p, struct og_paper_account *account, const struct og_paper_fill *fill);
struct og_paper_lot *og_paper_account_lot_add(struct og_paper *p, struct og_paper_account *account,
                                              struct og_paper_symbol *symbol, bool is_long);
/* Money won or lost moves buying power by the account's leverage. */
void og_paper_account_gain(struct og_paper_account *account, int64_t gain);
/* A lot as it was stored: listed, or among those closed in this session. */
void og_paper_account_restore_lot(struct og_paper_account *account, struct og_paper_lot *lot);
void og_paper_account_lots_clear(struct og_paper_account *account);
/* Every lot was replaced, or the session began: all of them are stored anew. */
void og_paper_account_store_lots(struct og_paper *p, struct og_paper_account *account);
/* The session begins: lots are carried, those closed leave, the counters of the day become those of the session
 * before. */
void og_paper_account_roll(struct og_paper *p, struct og_paper_account *account);

/* The price a lot is worth now: last of its quote, else what it cost. */
int64_t og_paper_lot_mark(struct og_paper *p, const struct og_paper_lot *lot);

/* Documents of it.  The lot's texts live in the room. */
struct og_paper_lot_room {
    char id[24];
    struct og_wire_time created, updated;
};
void og_paper_account_row(struct og_paper *p, struct og_paper_account *account, struct og_account_row *row);
void og_paper_lot_row(const struct og_paper_account *account, const struct og_paper_lot *lot,
                      struct og_paper_lot_room *room, struct og_position_row *row);

#endif
