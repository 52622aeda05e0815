/*
 * An order at the paper brokerage, from its acceptance to its end.
 */
#ifndef OG_PAPER_ORDER_H
#define OG_PAPER_ORDER_H

#include "paper/market.h"
#include "paper/ticket.h"
#include "wire/write.h"

struct og_paper;
struct og_paper_account;

struct og_paper_leg_state {
    struct og_paper_symbol *symbol; /* NULL when the contract is unknown */
    int64_t filled, last_quantity;  /* whole */
    int64_t last_price, value;      /* millionths; value = sum of price x quantity */
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
    struct og_paper_ticket ticket; /* its texts belong to the order; id is the one it answers to */
    enum og_order_status status;
    const char *text;               /* NULL, or lives as long as the order */
    const char *late_rejection;     /* why it will be rejected once routed; NULL: it will not */
    struct og_paper_symbol *symbol; /* what is traded; NULL when unknown; of multi-leg the underlying */
    struct og_paper_leg_state leg[OG_TICKET_LEGS];
    int64_t number;             /* order of arrival */
    int64_t executed, canceled; /* whole */
    int64_t last_price, last_quantity, value;
    int64_t need;     /* buying power of the whole quantity */
    int64_t reserved; /* of it, what the account holds for this order now */
    int64_t mleg_id;
    int64_t mleg_closed; /* of an open envelope: what closes, at work or filled, have taken */
    bool triggered;      /* a stop that went off */
    bool acknowledged;
    bool unregistered; /* taken, and neither look-ups nor lists nor the streams know of it yet */
    bool gone;         /* the account was reset: only its id is left */
    int64_t started, updated;
    struct og_paper_timer step, cancel; /* registration, acknowledgement, first fill; the venue's answer to a cancel */
    struct og_paper_event *history;     /* newest first; kept with --control only */
    struct og_paper_order *older;       /* of the account */
    struct og_paper_order *work_prev, *work_next;       /* of the root symbol, oldest first */
    struct og_paper_order *prev_working, *next_working; /* of the account, newest first */
    struct og_paper_order *next_changed;
    bool working, changed;
};

static inline bool og_paper_order_final(enum og_order_status s)
{
    return s == OG_ST_FILLED || s == OG_ST_CANCELED || s == OG_ST_REJECTED || s == OG_ST_EXPIRED;
}

/* Make an order of a ticket in that arena, its texts copied.  NULL: out of memory. */
struct og_paper_order *og_paper_order_new(struct og_paper *p, struct og_arena *arena, struct og_paper_account *account,
                                          const struct og_paper_ticket *ticket);
/* Use up its id and go on under that id with INVALID behind it: a routed R118.  false: out of memory. */
bool og_paper_order_rename(struct og_paper_order *o);
/* Take it in: its id is used, it is listed; PendingNew, or Rejected at once with that text.  It registers so much
 * later: until then it ties up buying power and is nowhere to be seen, and a restart registers it.  false: out of
 * memory. */
bool og_paper_order_place(struct og_paper_order *o, const char *rejected, int64_t late);
/* What the client calls leaves: 0 when it can no longer fill. */
int64_t og_paper_order_leaves(const struct og_paper_order *o);
/* The order an id names for look-ups; an id that is only used up names none. */
struct og_paper_order *og_paper_order_get(const struct og_paper_account *account, struct og_str id);

/* A fill of so many at that price (per share; of multi-leg the net): the order's side of it, pushed. */
void og_paper_order_fill(struct og_paper_order *o, int64_t quantity, int64_t price);

/* Changes of state; each stamps, stores, pushes. */
void og_paper_order_set_status(struct og_paper_order *o, enum og_order_status status, const char *text);
/* the rest is canceled */
void og_paper_order_end(struct og_paper_order *o, enum og_order_status status, const char *text);
void og_paper_order_request_cancel(struct og_paper_order *o);
/* Take an order back after a restart: its members are as they were stored.  false: out of memory. */
bool og_paper_order_restore(struct og_paper_order *o);

/* Have it stored again: something nobody is told of has changed. */
void og_paper_order_mark_changed(struct og_paper_order *o);

/* Its document.  Texts live in the room and the order. */
struct og_paper_order_room {
    struct og_wire_time started, started_et, updated;
    char mleg_id[24];
};
enum og_paper_view { OG_VIEW_ORDER, OG_VIEW_LIST };
void og_paper_order_row(struct og_paper_order *o, enum og_paper_view view, struct og_paper_order_room *room,
                        struct og_order_row *row);

#endif
