/*
 * How the sender's records get into the ledger, and what happens while it cannot be written: nothing is posted,
 * cancels are sent, and records are kept in memory until they can be written.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "ordergate/status.h"

struct og_sender;
struct og_ledger_row;
struct og_unwritten;

struct og_records {
    struct og_unwritten *first, *last; /* records that are not committed yet, oldest first */
    bool behind;                       /* the last attempt to write the rows failed: they wait for the next attempt */
    bool barred;                       /* this run posts nothing more, not even once the ledger can be written again */
    bool told;                         /* a person was told that the ledger cannot be written */
    uint64_t since;                    /* og_time_up() of the first attempt that failed */
    int64_t next_ms;                   /* loop time of the next attempt; no attempt is made before it */
    struct og_error why;               /* the error because of which nothing is posted */
};

/* Open the ledger. Call once, at the start. A dry run opens a ledger that exists, and only reads it. If another process
 * holds the ledger, or the ledger cannot be written, the run begins without a ledger, and only cancels.
 *   OG_ELEDGER  the ledger must not be used, may vanish, or is damaged and nobody accepted the damage
 *   OG_ENOMEM */
enum og_status og_send_open_ledger(struct og_sender *s, struct og_error *err);
/* Record the row in the open transaction. Without an open transaction, record it in one that the next og_send_commit()
 * ends. If the ledger cannot be written, the row is kept until it can be. Returns false only if memory ran out, and the
 * run ends. */
bool og_send_append(struct og_sender *s, const struct og_ledger_row *row);
/* As og_send_append(), for the intent of an order that is never posted (og_ledger_intend()), and for a record "replace"
 * (og_ledger_replace()). */
bool og_send_append_intent(struct og_sender *s, const struct og_ledger_row *row, const char *digest, bool again);
bool og_send_append_replace(struct og_sender *s, const struct og_ledger_row *row);
/* Begin the transaction in which lines are decided. Returns false if nothing may be posted, because the ledger cannot
 * be written, or because its path now names another file. */
bool og_send_may_record(struct og_sender *s);
/* Commit what was recorded. Returns false if the commit failed, so that the ledger lacks these records. */
bool og_send_commit(struct og_sender *s);
/* The intent of an order could not be written, so its whole transaction failed: none of the orders whose intents are in
 * it is posted. */
void og_send_unwritable(struct og_sender *s, const struct og_error *err);
/* The ledger cannot be read, or was moved: this run posts nothing more, and goes on with cancels. An error other than
 * OG_ELEDGER ends the run. */
void og_send_bar(struct og_sender *s, const struct og_error *err);
/* The ledger could not be opened for writing: this run only cancels. */
void og_send_without_ledger(struct og_sender *s, const struct og_error *err);
/* Returns why no order is posted at present; NULL if, as far as is known, the ledger has everything that was
 * recorded. */
const char *og_send_barred(const struct og_sender *s);
/* Returns true while lines wait for the ledger, which another process holds. */
bool og_send_waits_for_ledger(const struct og_sender *s);
/* Returns true if events are kept back for now, since the ledger may soon have the records that belong to them. */
bool og_send_keeps_events(const struct og_sender *s);
void og_send_records_due(struct og_sender *s);           /* once a tick: try again to write what the ledger lacks */
int64_t og_send_records_next(const struct og_sender *s); /* loop time of the next attempt; INT64_MAX if none is due */
/* The run ends: write the records that the ledger still lacks. If that is not possible by now, the run fails. */
void og_send_end_records(struct og_sender *s);
void og_send_records_free(struct og_sender *s);
