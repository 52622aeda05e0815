/*
 * Orders that no run on this ledger made, and which of their changes the facts of an account have (external.c).
 */
#pragma once

#include "send/tracked.h"
#include "wire/read.h"

/* When orders of somebody else last changed, as og_time_up() (external.c). */
struct og_account_elsewhere {
    uint64_t changed_at; /* the newest change: only facts from after it have it; 0: none was heard of */
    uint64_t taken_at;   /* the newest that can take room: a new order, or a fill */
    uint64_t reading;    /* read_at of the newest reading, once it was looked at by a tick */
    uint64_t until;      /* changed_at then: see og_send_knows_elsewhere() */
};

/* Follow an order that no run on this ledger made. listed: the row is from a list, which has orders of the past too.
 * Returns NULL if the order is ours, if it is listed and over, or if out of memory. */
struct og_tracked *og_send_external(struct og_account_state *a, const struct og_order_row *row, bool listed);
void og_send_say_externals(struct og_account_state *a);
void og_send_set_external(struct og_tracked *o, bool external); /* set whether somebody else made the order */
/* Note that an order of somebody else has changed. source: as of og_send_row(); frees: it may have
 * ended, but nothing of it filled, so that facts which lack this change still count what it took. */
void og_send_changed_elsewhere(struct og_account_state *a, const char *source, bool frees);
void og_send_look_elsewhere(struct og_sender *s); /* once a tick, before orders are decided */
/* Returns true if the account's facts have all changes of orders of somebody else that must be known to decide a line
 * read at that og_time_up(): all that were heard of so far; or, if the newest reading began after the line was read,
 * all that were heard of until that reading ended. Its answers may lack some of the latter, but if lines waited for
 * those too, orders of somebody else that change all the time would hold up our own forever. */
bool og_send_knows_elsewhere(const struct og_account_state *a, uint64_t line_at);
/* The same for those changes alone that can take room, a new order or a fill: without them nothing is decided that may
 * open. */
bool og_send_knows_takings(const struct og_account_state *a, uint64_t line_at);
/* Returns true if the account cannot be read at present, although that was tried since the newest of those changes, or
 * since that og_time_up(). */
bool og_send_cannot_know(const struct og_account_state *a, uint64_t from);
/* Write into `to` why an order is not sent: the facts lack such a change. */
void og_send_say_elsewhere(const struct og_account_state *a, char *to, size_t size);
