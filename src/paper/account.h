/*
 * An account of the paper brokerage: its figures, lots and orders, and the buying power in use.
 */
#pragma once

#include "paper/market.h"
#include "paper/order.h"
#include "wire/documents.h"
#include "wire/write.h"

/* The figures of an account. Those marked as computed are computed from others unless a control call pinned them. */
enum og_paper_figure {
    OG_FIG_CASH, /* availableCash: settled cash, changed by each fill */
    OG_FIG_BP,   /* buying power, before what lots and working orders use is deducted */
    OG_FIG_OVERNIGHT_BP,
    OG_FIG_EQUITY, /* computed unless pinned */
    OG_FIG_LEVERAGE,
    OG_FIG_MAINTENANCE_DEFICIT,
    OG_FIG_MARGIN_DEFICIT,
    OG_FIG_MARGIN_RATIO, /* computed unless pinned */
    OG_FIG_CONTRACTS_TRADED,
    OG_FIG_LEVEL,
    OG_FIG_OPTION_CASH, /* computed unless pinned */
    OG_FIG_REALIZED,
    OG_FIG_SHARES_TRADED,
    OG_FIG_SOD_EQUITY,
    OG_FIG_COMMISSIONS,
    OG_FIG_LOCATE_COSTS,
    OG_FIG_USED_LEVERAGE, /* computed unless pinned */
    OG_FIG_DAY_REALIZED,  /* from here on: counts of the current session; the account object shows those of the previous
                           * session */
    OG_FIG_DAY_SHARES,
    OG_FIG_DAY_CONTRACTS,
    OG_FIG_DAY_COMMISSIONS,
    OG_FIG_DAY_LOCATE_COSTS,
    OG_FIG_COUNT
};
/* The keys of the account object; NULL for a figure that it does not show. */
extern const char *const og_paper_figure_keys[OG_FIG_COUNT];

struct og_paper_lot {
    int64_t id;
    struct og_paper_symbol *symbol;
    bool is_long, overnight;
    int64_t shares;   /* above 0: millionths of a share, or contracts */
    int64_t cost;     /* shares x average price, without the multiplier */
    int64_t opened;   /* price per share at the beginning of the session in which the lot was opened */
    int64_t mark;     /* price per share at the beginning of the current session; only for lots held overnight */
    int64_t closed;   /* price of the last closing fill */
    int64_t tied;     /* buying power that the lot uses */
    int64_t realized; /* profit from closed parts of the lot, multiplier included */
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
    int64_t tied;             /* for an opening fill: the buying power that the lot uses from then on */
    int64_t commission, fees; /* charges of the fill */
};

struct og_paper_lifecycle;
struct og_paper_trade;

struct og_paper_initial_position;

struct og_paper_account {
    struct og_paper *service;
    struct og_str id, type, status;
    bool paper;
    bool linked, stored; /* linked: the account belongs to a live one, and so does not expire; stored: the account is in
                          * the database already */
    int64_t created;
    struct og_paper_timer expiry;
    int64_t start[OG_FIG_COUNT];                               /* figures of the first day, which a reset restores */
    const struct og_paper_initial_position *initial_positions; /* the positions of the first day */
    struct og_paper_cash *initial_cash;                        /* the rows of the cash ledger of the first day */
    size_t initial_position_count;
    /* true if the scenario gave this account routes of its own; false if it has the routes of its account type */
    bool own_routes;
    int64_t figure[OG_FIG_COUNT];
    bool pinned[OG_FIG_COUNT];
    const struct og_route_info *routes;
    size_t route_count;
    struct og_paper_lot *lots;                       /* open lots, oldest first */
    struct og_paper_lot *closed_lots;                /* lots closed in the current session, newest first */
    struct og_paper_lifecycle *lifecycles;           /* one lifecycle for each symbol and side with an open position */
    struct og_paper_lifecycle *closed, *last_closed; /* completed lifecycles, oldest first */
    struct og_paper_trade *trades, *last_trade;      /* the fills of a live account, oldest first */
    struct og_map ids;             /* the order of every id that was ever used; an order that was renamed has two ids */
    struct og_paper_order *orders; /* all orders, newest first */
    struct og_paper_order *working; /* orders that may fill, newest first */
    int64_t reserved;               /* buying power reserved by working orders */
    int64_t priced, priced_at; /* priced: value of the lots as equity shows it; priced_at: when it was computed, 0 if it
                                * was not */
    struct og_paper_inventory *inventory;   /* located shares, reusable ones first */
    struct og_paper_locate *locates;        /* rows of the locate history, newest first */
    struct og_paper_cash *cash, *last_cash; /* the cash ledger, oldest first */
    bool changed;                           /* the account has changes that are not in the database yet */
    struct og_paper_account *next;
};

struct og_paper;

void og_paper_account_clear(struct og_paper_account *account);
/* Returns the account with this id, compared without regard to case, as in the service's paths. NULL if there is
 * none. */
struct og_paper_account *og_paper_account_get(struct og_paper *p, struct og_str id);

/* og_paper_account_bp(): returns the free buying power, which is the maximum that one order may use.
 * og_paper_account_tied(): returns the buying power that lots and working orders use. */
int64_t og_paper_account_bp(const struct og_paper_account *account);
int64_t og_paper_account_tied(const struct og_paper_account *account);
int64_t og_paper_account_equity(struct og_paper *p, const struct og_paper_account *account);
/* og_paper_account_leverage(): returns exposure / equity, or 0 if there is no equity. og_paper_account_coverage():
 * returns equity / exposure, at most 1. */
int64_t og_paper_account_leverage(int64_t exposure, int64_t equity);
int64_t og_paper_account_coverage(int64_t exposure, int64_t equity);
/* Returns the shares or contracts held on one side of a symbol, summed over all lots. */
int64_t og_paper_account_held(const struct og_paper_account *account, const struct og_paper_symbol *symbol,
                              bool is_long);

const struct og_route_info *og_paper_account_route(const struct og_paper_account *account, struct og_str name);

void og_paper_account_fill(struct og_paper *p, struct og_paper_account *account, const struct og_paper_fill *fill);
struct og_paper_lot *og_paper_account_lot_add(struct og_paper *p, struct og_paper_account *account,
                                              struct og_paper_symbol *symbol, bool is_long);
/* Add a profit or loss to buying power, multiplied by the account's leverage. */
void og_paper_account_gain(struct og_paper_account *account, int64_t gain);
/* Put a lot that was read from the database into the list of open lots, or of lots closed in this session. */
bool og_paper_account_restore_lot(struct og_paper *p, struct og_paper_account *account, void *row);
void og_paper_account_lots_clear(struct og_paper_account *account);
/* Store all lots anew, after all of them were replaced or a session began. */
void og_paper_account_store_lots(struct og_paper *p, struct og_paper_account *account);
/* Begin a session: open lots become overnight lots, closed lots are dropped, and the counts of the session that ended
 * become those of the previous session. */
void og_paper_account_roll(struct og_paper *p, struct og_paper_account *account);

/* Returns the present price of a lot: the last price of its quote, or its average cost if there is no quote. */
int64_t og_paper_lot_mark(struct og_paper *p, const struct og_paper_lot *lot);

/* Write the document of an account. listed: write it as a row of the account list, where buying power has another
 * key. */
void og_paper_account_write(struct og_paper *p, struct og_paper_account *account, struct og_buf *b, bool listed);
/* Make the document of a lot; its texts are stored in `room`. */
struct og_paper_lot_room {
    char id[24];
    struct og_wire_time created, updated;
};
void og_paper_lot_row(const struct og_paper_account *account, const struct og_paper_lot *lot,
                      struct og_paper_lot_room *room, struct og_position_info *row);
