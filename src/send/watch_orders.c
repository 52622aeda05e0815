/*
 * Notes the rows of orders by their ids, and compares a row with the newest one that was shown.
 */
#include "send/watch_orders.h"

#include <stdlib.h>

#include "base/time.h"

static bool is_over(enum og_order_status s)
{
    return s == OG_ST_FILLED || s == OG_ST_CANCELED || s == OG_ST_REJECTED || s == OG_ST_EXPIRED;
}

static struct og_watch_order *find_or_make(struct og_watch_orders *orders, struct og_str id)
{
    struct og_watch_order *o = og_map_get(&orders->map, id);

    if (o)
        return o;
    o = calloc(1, sizeof *o);
    if (o && !(o->id = strndup(id.s, id.len))) {
        free(o);
        return NULL;
    }
    if (o && !og_map_put(&orders->map, NULL, og_str_of(o->id), o)) {
        free(o->id);
        free(o);
        return NULL;
    }
    return o;
}

static int64_t updated_of(const struct og_order_row *row)
{
    int64_t at;

    return row->last_updated.len > 0 && og_time_read(row->last_updated.s, row->last_updated.len, &at) ? at
                                                                                                      : OG_TIME_UNKNOWN;
}

/* Returns true if the row says nothing that was not shown: it is the same as the newest row, or older. */
static bool is_behind(const struct og_watch_order *o, const struct og_order_row *row, int64_t updated)
{
    const int more = row->has_executed ? og_money_cmp(row->executed, o->executed) : 0;
    const bool timed = updated != OG_TIME_UNKNOWN && o->updated != OG_TIME_UNKNOWN;

    if (!o->shown || more > 0 || row->status == OG_ST_UNKNOWN)
        return false;
    if (is_over(o->status) || more < 0 || row->status == OG_ST_PENDING_NEW)
        return true;
    if (is_over(row->status) || (timed && updated > o->updated))
        return false;
    return row->status == o->status || (timed && updated < o->updated);
}

bool og_watch_orders_note(struct og_watch_orders *orders, const struct og_order_row *row, bool *news)
{
    struct og_watch_order *o;
    const int64_t updated = updated_of(row);

    *news = true;
    if (row->client_order_id.len == 0)
        return true;
    o = find_or_make(orders, row->client_order_id);
    if (!o)
        return false;
    *news = !is_behind(o, row, updated);
    if (!*news)
        return true;
    o->shown = true;
    o->status = row->status;
    if (row->has_executed)
        o->executed = row->executed;
    o->updated = updated;
    return true;
}

/* Returns the next order from slot *at on; NULL if there is none. */
static struct og_watch_order *next(const struct og_watch_orders *orders, size_t *at)
{
    while (*at < orders->map.cap) {
        const void *value = orders->map.slot[(*at)++].value;

        if (value)
            return (struct og_watch_order *)(uintptr_t)value;
    }
    return NULL;
}

void og_watch_orders_begin_list(struct og_watch_orders *orders)
{
    struct og_watch_order *o;

    for (size_t at = 0; (o = next(orders, &at));)
        o->listed = o->absent = false;
}

bool og_watch_orders_list(struct og_watch_orders *orders, const struct og_order_row *row)
{
    struct og_watch_order *o;

    if (row->client_order_id.len == 0)
        return true;
    o = find_or_make(orders, row->client_order_id);
    if (o)
        o->listed = true;
    return o != NULL;
}

struct og_watch_order *og_watch_orders_unlisted(const struct og_watch_orders *orders, size_t *at)
{
    struct og_watch_order *o;

    while ((o = next(orders, at)) && (!o->shown || o->listed || is_over(o->status)))
        ;
    return o;
}

void og_watch_orders_forget_absent(struct og_watch_orders *orders)
{
    struct og_watch_order *o;

    for (size_t at = 0; (o = next(orders, &at));)
        o->shown &= !o->absent;
}

void og_watch_orders_clear(struct og_watch_orders *orders)
{
    struct og_watch_order *o;

    for (size_t at = 0; (o = next(orders, &at));) {
        free(o->id);
        free(o);
    }
    og_map_clear(&orders->map);
}
