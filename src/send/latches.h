/*
 * The latches of an account (ordergate/book.h), in the ledger.
 */
#pragma once

#include "ledger/ledger.h"

struct og_sender;
struct og_account_state;

/* The latches of an account that the ledger has (latches.c). */
struct og_account_latches {
    struct og_latch recorded[OG_LATCHES]; /* a latch with .name NULL has not tripped, or was resumed */
    int64_t resumed[OG_LATCHES];          /* number of the record of each latch's newest resume; 0 if there is none */
    int64_t taken;                        /* number of the ledger's newest record when the latches were read */
    bool begun;                           /* the latches were read */
};

/* Give the book the latches that the ledger has of the account.  Call it before the orders of earlier runs are
 * counted. */
void og_send_latches_begin(struct og_account_state *a);
/* Returns true if the rejection recorded under the number seq came before the newest resume, so that it no longer
 * counts. */
bool og_send_is_resumed(const struct og_account_state *a, int64_t seq);
/* Record the latches that tripped since the last call, and write events about them; called once a tick, before other
 * events are written. */
void og_send_latches_due(struct og_sender *s);
/* Returns true if some latch is tripped, and so could be resumed by a person. */
bool og_send_has_latch(const struct og_sender *s);
/* take in another run's record of a latch */
void og_send_latch_heard(struct og_account_state *a, const struct og_ledger_row *row);

/* --- event.c ------------------------------------------------------------------------------------------------------ */
/* Write an event that a latch tripped.  source: "here", or "ledger" if another run, or an earlier one, recorded it. */
void og_send_tell_latched(struct og_account_state *a, const struct og_latch *latch, const char *source);
/* Record that a latch tripped. Returns false if it could not be recorded, and the run ends. */
bool og_send_record_latch(struct og_account_state *a, const struct og_latch *latch);
/* Write an event that a person resumed a latch. detail: the detail of the record, which says who did, and why. */
void og_send_tell_unlatched(struct og_account_state *a, const char *latch, struct og_str detail);
