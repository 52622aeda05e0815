/*
 * Decisions written behind: a thread of its own spells them, some dozens at a time and in their order, while the caller
 * makes the next.  What is to be seen at once is written by the caller itself, so that nobody waits for a thread to wake.
 * It refuses to run far behind: the caller waits when so many are not written yet.
 */
#ifndef OG_TOOLS_BEHIND_H
#define OG_TOOLS_BEHIND_H

#include "ordergate/ordergate.h"

#include <pthread.h>
#include <stdbool.h>

enum { BEHIND_SLOTS = 96, BEHIND_BATCH = 32 };

/* A decision and all it points to. */
struct behind_slot {
    struct og_scratch *scratch;
    struct og_order *order; /* the one decided; NULL: none yet */
    struct og_decision decision;
    struct og_source source;
    struct og_suggestion suggestion;
    struct og_margin_info margin;
};

struct behind {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t moved;     /* whatever of the following changed */
    unsigned handed, written; /* slots, since the beginning */
    bool stopped;
    /* the caller's */
    unsigned made, free_until; /* free_until: as many may be made without looking */
    void (*write)(void *with, struct behind_slot *slot);
    void *with;
    struct behind_slot slot[BEHIND_SLOTS];
};

/* write is called for one slot after another, on the thread or, in behind_drain(), on the caller's.  false: errno says why
 * nothing was begun. */
bool behind_start(struct behind *b, void (*write)(void *with, struct behind_slot *slot), void *with);
/* The slot to be filled, with its scratch.  NULL: out of memory. */
struct behind_slot *behind_next(struct behind *b);
/* It is filled. */
void behind_made(struct behind *b);
/* Come back when all that was made is written. */
void behind_drain(struct behind *b);
/* Write what there is, and end. */
void behind_stop(struct behind *b);

#endif
