/*
 * A watch's readings of its account: orders and positions, as one snapshot.  Orders that were shown, may still change
 * and are missing in the list, which may leave out what has ended, are looked up one after the other.
 *
 * The service's positions may lack a fill for the settle lag.  A fill in a gap has no frame either, so where there is
 * a lag, the account is read once more after it, and that snapshot is given if its positions differ.
 */
#pragma once

#include <uv.h>

#include "broker/settings.h"
#include "send/watch_orders.h"

struct og_watch_reading;

struct og_watch_reading_events {
    /* json: {"asOf":...,"orders":[...],"positions":[...],"unknown":[...]}; NULL if nothing has changed since the
     * snapshot before.  asOf: when the first request began; what happened earlier is in the snapshot. */
    void (*taken)(void *with, const char *json, size_t len);
    void (*failed)(void *with, const char *why); /* the account is read again after a pause */
};

/* settings, account, orders and events are not copied.  The rows of a snapshot are noted in `orders` when it is given.
 * Returns OG_OK, OG_ENOMEM, OG_ENET. */
enum og_status og_watch_reading_new(uv_loop_t *loop, const struct og_settings *settings, const char *account,
                                    struct og_watch_orders *orders, const struct og_watch_reading_events *events,
                                    void *with, struct og_watch_reading **reading, struct og_error *err);
/* Begin to read, by requests that begin from now on; answers to earlier ones are dropped. */
void og_watch_reading_begin(struct og_watch_reading *reading);
/* Drop the answers that are still to come, and read no more until og_watch_reading_begin(). */
void og_watch_reading_drop(struct og_watch_reading *reading);
bool og_watch_reading_is_under_way(const struct og_watch_reading *reading);
/* Its handles close while the loop runs. NULL is allowed. */
void og_watch_reading_free(struct og_watch_reading *reading);
