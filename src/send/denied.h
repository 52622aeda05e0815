/*
 * Orders that the broker's answer denied: it answered their POST as one without effect (400, 401, 404), and may have
 * taken them all the same.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct og_tracked;

/* Returns true if an answer denied the order. If a list or a frame shows the order all the same, it must be found
 * here. */
bool og_send_is_denied(const struct og_tracked *o); /* track.c */
/* Have such an order canceled once the broker shows it at work (cancel.c). Lists of orders are read for that until loop
 * time until_ms, and longer if none can be read. */
void og_send_cancel_if_shown(struct og_tracked *o, int64_t until_ms);
bool og_send_cancel_needs_list(const struct og_tracked *o); /* returns true if a list is to be read for that */
void og_send_cancel_shown(struct og_tracked *o);            /* the broker has shown a denied order at work */
