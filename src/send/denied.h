/*
 * Orders that the broker's answer denied: the answer to their POST (400, 401, 404) says that the POST had no effect,
 * but the broker may have taken the order all the same.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct og_tracked;

/* Returns true if an answer denied the order. If a list or a frame nevertheless shows the order, the order must still
 * be found here. */
bool og_send_is_denied(const struct og_tracked *o); /* defined in track.c */
/* Have a denied order canceled once the broker shows it as working (cancel.c). Lists of orders are read for that
 * purpose until loop time until_ms, and longer if none can be read. */
void og_send_cancel_if_shown(struct og_tracked *o, int64_t until_ms);
bool og_send_cancel_needs_list(const struct og_tracked *o); /* returns true if a list must be read to see whether a
                                                             * denied order works */
void og_send_cancel_shown(struct og_tracked *o);            /* note that the broker showed a denied order as working */
