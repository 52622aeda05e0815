/*
 * A crew: several threads that take lines in batches, each its batch from the first byte to the last, so that what was
 * decoded is decided and written by the processor that has it at hand.  Steps that must keep the order of lines are
 * done in turn: reading always, and whatever lies between crew_wait() and crew_pass().
 * A line that has come is never held back for others to come: a batch ends where the input would be waited for.
 * It refuses to run far ahead: no thread reads a batch before it is done with the one before.
 */
#ifndef OG_TOOLS_CREW_H
#define OG_TOOLS_CREW_H

#include "tools/common/lines.h"

#include <pthread.h>
#include <stdatomic.h>

enum { CREW_LINES = 64, CREW_MOST = 8 };

/* What is done in turn, in this order. */
enum crew_step { CREW_DECIDE, CREW_WRITE, CREW_STEPS };

struct crew_line {
    size_t from, len; /* of the batch's text */
    long long number; /* from 1 */
};

struct crew_batch {
    unsigned long turn; /* from 0 */
    struct crew_line line[CREW_LINES];
    int count;
    bool fresh; /* bytes have come since the batch before */
    char *text; /* all lines */
    size_t len, room;
};

/* Batches handed on in one step.  Who waits looks for some time before it sleeps. */
struct crew_turn {
    atomic_ulong now;
    atomic_int asleep;
};

struct crew {
    struct lines lines;
    pthread_mutex_t reading; /* of lines, batches and what follows */
    unsigned long batches;
    long long reads;
    enum lines_answer answer; /* LINES_LINE, or how the input ended */
    int error;                /* errno of LINES_FAILED */
    struct crew_turn turn[CREW_STEPS];
    pthread_mutex_t lock; /* of those who sleep */
    pthread_cond_t moved;
    atomic_bool stopped;
    int wake; /* can be read once it is stopped */
    int hands;
    /* handle() deals with a whole batch and has then passed every step; own is the thread's, 0 to hands - 1. */
    void (*handle)(struct crew *, struct crew_batch *, void *own);
    void *own[CREW_MOST];
};

/* As many hands as there are processors for this process, CREW_MOST at most. */
int crew_hands(void);

/* Read fd to its end, or until crew_stop(); own, handle and hands are set by the caller, the rest is nothing.
 * The calling thread is the first hand; the others begin with the second batch.  The answer is LINES_END, or
 * LINES_FAILED with errno; ECANCELED: it was stopped. */
enum lines_answer crew_run(struct crew *c, int fd);

/* Inside handle(): wait until every batch before has passed the step.  false: stopped, the batch is given up. */
bool crew_wait(struct crew *c, enum crew_step step, const struct crew_batch *b);
/* The batch has passed it. */
void crew_pass(struct crew *c, enum crew_step step, const struct crew_batch *b);
/* Give up all that is not written. */
void crew_stop(struct crew *c);

#endif
