/*
 * What a line waits for before it is decided: facts that are new enough, and that fewer than the maximum number of
 * POSTs are in flight (ready.c).
 */
#pragma once

#include "ordergate/order.h"
#include "ordergate/send.h"
#include "send/wait_reports.h"

struct og_account_state;
struct og_sender;
struct og_waiting;

/* Returns what the line (s->order) waits for, and requests it; OG_HELD_NOT if the line may be decided now. `taken` is
 * the number of orders that were decided in this iteration of the loop and will be posted. */
enum og_held_by og_send_line_waits(struct og_account_state *a, struct og_waiting *w, int taken);
/* while this many orders of an account are being canceled, no cancel of an unknown id is sent without a list; more
 * could not leave within their --wait, by the rate that the service allows */
#define OG_CANCELING_MOST 1000
/* Returns true if the cancel or replacement, whose order is not known, need not wait for a list of orders any longer:
 * one has come that was requested after the line was read; or none can be had, or none has come for too long, and fewer
 * than OG_CANCELING_MOST orders are being canceled. */
bool og_send_has_list(const struct og_account_state *a, const struct og_waiting *w);
/* Returns the og_time_up() at which the line was read or, if later, at which the order that the line's order replaces
 * ended. */
uint64_t og_send_since(const struct og_waiting *w);
/* Have a close decided with positions and orders of any age, provided that they were requested after the line was read.
 * Call this before the line's order is decided. */
void og_send_closes_by(const struct og_account_state *a, const struct og_waiting *w);
/* Returns true if a reading in the book is new enough: it began after `from`, and after the newest end of an order of
 * ours that did not fill, since an older reading would count that order as working. Also returns true if no newer
 * reading can be had: the newest one failed, and ended after `from`. Otherwise requests a newer one and returns
 * false. */
bool og_send_are_new_enough(struct og_account_state *a, uint64_t from);
/* Returns true if the line's order (s->order) opens, or may open, and somebody else's order has changed since the
 * account could last be read. The order is then not sent, even if the policy would accept it by the older facts. */
bool og_send_is_behind(const struct og_account_state *a, const struct og_waiting *w, const struct og_decision *d);
/* Returns true if an order that has waited for facts since og_time_up() `from` has waited for the longest time that a
 * close waits. A `from` of 0 means that the order does not wait. */
bool og_send_close_has_waited(const struct og_sender *s, uint64_t from);
/* Returns true if borrow checks and locates must be requested before the order is decided. */
bool og_send_borrows(const struct og_order *order);
