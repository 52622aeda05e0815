/*
 * Ids of the lines of a batch (--batch) that have none (batch.c). An id depends on the order's terms, and not on where
 * its line stands, so that a line keeps its id if other lines or files are added, left out or moved.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct og_sender;
struct og_waiting;

/* A number for each key; zeros: empty. Nothing is removed. */
struct og_tally {
    struct og_tally_slot {
        uint64_t key; /* 0 if the slot is free */
        unsigned number;
    } * slot;
    size_t cap, count; /* number of slots, a power of two, and of keys */
};

struct og_batch_ids {
    struct og_tally lines; /* for the og_hash() of an order's terms: how many lines with these terms were read */
    /* for the og_hash() of each id that the ledger had when the run began, if it is as long as ids of batches are: 1,
     * or 0 once a line of this run has got that id */
    struct og_tally used;
    /* for the og_hash() of an order's body without clientOrderId: 1 if the ledger has such an order under an id that an
     * earlier version may have made for a batch */
    struct og_tally older;
    bool read;        /* `used` and `older` were read from the ledger */
    bool older_lacks; /* `older` lacks an order, since its body cannot be read */
};

/* Make the id (w->id) of the line's order (s->order), which has none. Returns false if out of memory. */
bool og_send_batch_id(struct og_sender *s, struct og_waiting *w);
/* If an earlier version sent the line's order (s->order) in this batch, replace w->id by the id that this version made.
 * Call this before the id is used; it has no effect while the ledger is not open, or once it was called for the line.
 * Returns false if the run ends. */
bool og_send_batch_recall(struct og_sender *s, struct og_waiting *w);
void og_batch_ids_clear(struct og_batch_ids *b);
