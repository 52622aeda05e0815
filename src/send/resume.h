/*
 * Orders that earlier runs left, and lines that those runs read: what the ledger knows about the orders, and how this
 * run follows them (resume.c).
 */
#pragma once

#include "ledger/ledger.h"
#include "send/tracked.h"

struct og_sender;

/* Returns the value of og_time_up() when a record with the time `at` was written; the present value if `at` is unknown
 * or lies ahead. */
uint64_t og_send_up_at(struct og_sender *s, int64_t at);
/* Follow the orders that earlier runs left open in this account. */
void og_send_recover(struct og_account_state *a);
/* Another run has recorded an intent for an order that is followed here, either as not sent, or as somebody else's
 * because a line named its id before the intent was recorded. From now on, follow it as an open order of the ledger. */
void og_send_meant(struct og_tracked *o, const struct og_ledger_row *intent);
enum og_resume {
    OG_RESUME_NEW = 0,
    OG_RESUME_DONE,  /* nothing is left to do for the line */
    OG_RESUME_AGAIN, /* post the order again */
    OG_RESUME_USED,  /* the ledger has another order with the same id: the line's order must not be posted, whatever the
                      * policy decides */
    OG_RESUME_FAILED /* the ledger cannot be read, so the line waits */
};
/* Look the line's order (s->order) up in the ledger. Returns what is to be done with the line. */
enum og_resume og_send_resume(struct og_account_state *a, struct og_origin origin, const char *digest);
/* Take over an order and its ticket from a run that has ended: follow it as an order of an earlier run. Returns false
 * if that run is still alive, or the order is followed already. */
bool og_send_inherit(struct og_account_state *a, struct og_str id, og_ticket ticket);
/* Report the outcome of a line that this run will not decide, if the ledger has the line's order (s->order, whose body
 * has that digest). Returns false if the ledger does not have it. */
bool og_send_tell_known(struct og_sender *s, struct og_origin origin, const char *account, const char *digest);
/* Forget the state of an order that was followed as somebody else's, or that was followed although it never worked. */
void og_send_forget(struct og_tracked *o);
/* Follow an order that the ledger has. Returns NULL if the ledger does not have it, or the run ends. */
struct og_tracked *og_send_from_ledger(struct og_account_state *a, struct og_str id);
/* Give the book the list of used ids, with this id added; {NULL, 0} adds none. */
void og_send_used(struct og_account_state *a, struct og_str id);
