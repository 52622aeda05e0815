/*
 * What a line waits for before it is decided: facts that are new enough, and a place for its POST (ready.c).
 */
#pragma once

#include "ordergate/order.h"
#include "ordergate/send.h"
#include "send/wait_reports.h"

struct og_account_state;
struct og_sender;
struct og_waiting;

/* Returns what the line (s->order) waits for; OG_HELD_NOT: it may be decided now. Asks for what it waits for. taken:
 * number of orders that were decided in this iteration of the loop, and are to be posted. */
enum og_held_by og_send_line_waits(struct og_account_state *a, struct og_waiting *w, int taken);
/* Returns og_time_up() when the line was read, or when the order that it replaces ended, if that was later. */
uint64_t og_send_since(const struct og_waiting *w);
/* Let positions and orders that were read after the line decide a close, however old they are; call before the line's
 * order is decided. */
void og_send_closes_by(const struct og_account_state *a, const struct og_waiting *w);
/* Returns true if a reading in the book began after `from`, and after the newest end of an order of ours that did not
 * fill: an older reading would count that order as working. Also returns true if no newer reading can be had. Otherwise
 * it asks for a newer one. */
bool og_send_are_new_enough(struct og_account_state *a, uint64_t from);
/* Returns true if the line's order (s->order) opens, or may open, and the facts lack a change of somebody else's order,
 * since the account could not be read. It is then not sent, whatever the policy accepts by older facts. */
bool og_send_is_behind(const struct og_account_state *a, const struct og_waiting *w, const struct og_decision *d);
/* Returns true if an order that waits for facts since og_time_up() `from` has waited for as long as a close waits; 0:
 * it does not wait. */
bool og_send_close_has_waited(const struct og_sender *s, uint64_t from);
/* Returns true if borrow checks and locates must be requested before the order is decided. */
bool og_send_borrows(const struct og_order *order);
