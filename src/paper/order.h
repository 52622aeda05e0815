/*
 * An order of the paper brokerage, from its placement to its end.
 */
#pragma once

#include "paper/market.h"
#include "paper/ticket.h"
#include "wire/write.h"

struct og_paper;
struct og_paper_account;

struct og_paper_leg_state {
    struct og_paper_symbol *symbol; /* NULL if the contract is not known */
    int64_t filled, last_quantity;  /* in whole shares or contracts */
    int64_t last_price, value;      /* in millionths; value is the sum of price x quantity */
};

struct og_paper_event {
    int64_t at;
    enum og_order_status status;
    const char *text;
    struct og_paper_event *older;
};

struct og_paper_order {
    struct og_paper *paper;
    struct og_paper_account *account;
    struct og_paper_ticket ticket; /* the order owns its texts; `id` is the order's present id */
    enum og_order_status status;
    const char *text;               /* NULL, or a text that is valid as long as the order */
    const char *late_rejection;     /* why the order will be rejected after routing; NULL if it will not be */
    struct og_paper_symbol *symbol; /* NULL if the symbol is unknown; for a multi-leg order, the underlying */
    struct og_paper_leg_state leg[OG_TICKET_LEGS];
    int64_t number;             /* sequence number by arrival */
    int64_t executed, canceled; /* in whole shares, contracts or units */
    int64_t last_price, last_quantity, value;
    int64_t need;     /* buying power that the whole quantity requires */
    int64_t reserved; /* buying power that the account reserves for the order now */
    int64_t mleg_id;
    int64_t mleg_closed; /* for an opening multi-leg order: number of its units that working or filled orders close */
    bool triggered;      /* the stop price was reached */
    bool acknowledged;
    bool unregistered; /* accepted, but not yet visible in look-ups, lists and streams */
    bool gone;         /* the account was reset: nothing is left of the order, except that its id counts as used */
    int64_t started, updated;
    /* step: timer of the registration, acknowledgement or first fill; cancel: timer of the venue's answer to a
     * cancel */
    struct og_paper_timer step, cancel;
    struct og_paper_event *history;                     /* events of the order, newest first; kept only with
                                                         * --control */
    struct og_paper_order *older;                       /* the next older order of the account */
    struct og_paper_order *work_prev, *work_next;       /* the neighbours in the list of the root's working orders,
                                                         * oldest first */
    struct og_paper_order *prev_working, *next_working; /* the neighbours in the list of the account's working orders,
                                                         * newest first */
    struct og_paper_order *next_changed;
    bool working, changed;
};

static inline bool og_paper_order_final(enum og_order_status s)
{
    return s == OG_ST_FILLED || s == OG_ST_CANCELED || s == OG_ST_REJECTED || s == OG_ST_EXPIRED;
}

/* Make an order from a ticket, in memory of the arena; its texts are copied. Returns NULL if memory ran out. */
struct og_paper_order *og_paper_order_new(struct og_paper *p, struct og_arena *arena, struct og_paper_account *account,
                                          const struct og_paper_ticket *ticket);
/* Mark the order's id as used, and give the order a new id, which is the old one with the suffix INVALID, as rejection
 * R118 does after routing. Returns false if memory ran out. */
bool og_paper_order_rename(struct og_paper_order *o);
/* Place an order: mark its id as used, list the order, and make it PendingNew or, if `rejected` is not NULL, Rejected
 * with that text. The order is registered after `late` nanoseconds: until then it uses buying power but is not visible;
 * a restart registers it at once. Returns false if memory ran out. */
bool og_paper_order_place(struct og_paper_order *o, const char *rejected, int64_t late);
/* Returns the service's leavesQuantity: 0 if the order can no longer fill. */
int64_t og_paper_order_leaves(const struct og_paper_order *o);
/* Returns the order that a look-up of the id finds. Returns NULL if there is none, or if the order is not registered
 * yet, was dropped by a reset, or was renamed. */
struct og_paper_order *og_paper_order_get(const struct og_paper_account *account, struct og_str id);

/* Try now to fill an order that is acknowledged and waits for its first try. Returns false for any other order. */
bool og_paper_order_first_try(struct og_paper_order *o);

/* Fill this quantity of the order at this price (per share; for a multi-leg order the net price of a unit), and publish
 * the change. */
void og_paper_order_fill(struct og_paper_order *o, int64_t quantity, int64_t price);

/* Change the status. This function and the two below set the time, store the order and publish it. */
void og_paper_order_set_status(struct og_paper_order *o, enum og_order_status status, const char *text);
/* does what og_paper_order_set_status() does, and cancels the quantity that did not fill */
void og_paper_order_end(struct og_paper_order *o, enum og_order_status status, const char *text);
void og_paper_order_request_cancel(struct og_paper_order *o);
/* Let an order that was read from the database work again. Returns false if memory ran out. */
bool og_paper_order_restore(struct og_paper *p, struct og_paper_account *account, void *row);

/* Store the order again, without publishing it. */
void og_paper_order_mark_changed(struct og_paper_order *o);

/* Make the order's document (a REST row). Its texts are stored in `room` and in the order. */
struct og_paper_order_room {
    struct og_wire_time started, started_et, updated;
    char mleg_id[24];
};
enum og_paper_view { OG_VIEW_ORDER, OG_VIEW_LIST };
void og_paper_order_row(struct og_paper_order *o, enum og_paper_view view, struct og_paper_order_room *room,
                        struct og_order_row *row);
