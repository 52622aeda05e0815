/*
 * The orders that a watch has shown: what the newest row of each said, by which a row that tells nothing new is known,
 * and which of them may still change, so that one which a list leaves out is looked up.
 */
#pragma once

#include <stdint.h>

#include "base/map.h"
#include "wire/row.h"

struct og_watch_order {
    char *id; /* owned */
    enum og_order_status status;
    struct og_money executed;
    int64_t updated; /* lastUpdated in ns; OG_TIME_UNKNOWN if the row did not have it */
    bool shown;      /* some row was shown; false: only the memory for it was made */
    bool listed;     /* the newest list had it */
    bool absent;     /* the newest list lacked it, and a look-up did not find it */
};

struct og_watch_orders { /* zeros: empty */
    struct og_map map;
};

/* Note a row. *news: false if the row is one that was shown already, or is older than what was shown: an order that is
 * over does not change any more, what has filled stays filled, lastUpdated does not go back, and no order returns to
 * PendingNew. A row without an id is always news. Returns false if out of memory. */
bool og_watch_orders_note(struct og_watch_orders *orders, const struct og_order_row *row, bool *news);

/* Before a list is read: forget which orders the list before it had. */
void og_watch_orders_begin_list(struct og_watch_orders *orders);
/* The list has this row. */
bool og_watch_orders_list(struct og_watch_orders *orders, const struct og_order_row *row);
/* Returns the next order, from slot *at on, that may still change but is not in the list; NULL if there is none. */
struct og_watch_order *og_watch_orders_unlisted(const struct og_watch_orders *orders, size_t *at);
/* Forget the orders that are absent: that was told, and they are not to be looked up after each gap. */
void og_watch_orders_forget_absent(struct og_watch_orders *orders);

void og_watch_orders_clear(struct og_watch_orders *orders);
