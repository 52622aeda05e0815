/*
 * A pool of threads that handle lines in batches.  One thread decodes, decides and writes all of a batch, so that its
 * data stays in the cache of one processor.  Steps that must keep the sequence of lines are done by one thread after
 * another: reading, and what lies between worker_pool_wait() and worker_pool_pass().  A batch ends where reading the
 * next line would block, so that a line is never held back; and a thread reads its next batch only when it has finished
 * the one before.
 */
#pragma once

#include <pthread.h>
#include <stdatomic.h>

#include "tools/common/lines.h"

enum { BATCH_LINES = 64, WORKERS_MOST = 8 };

/* The steps that batches do one after another, in this sequence. */
enum worker_step { STEP_DECIDE, STEP_WRITE, STEP_COUNT };

struct worker_line {
    size_t from, len; /* bytes of the line in the batch's text */
    long long number; /* line number, from 1 */
};

struct worker_batch {
    unsigned long turn; /* number of the batch, from 0; its turn comes after those of lower numbers */
    struct worker_line line[BATCH_LINES];
    int count;
    bool fresh; /* bytes were read from the descriptor for this batch; false if the batch comes from the buffer alone */
    char *text; /* all lines */
    size_t len, room;
};

/* Which batch may do a step: the one with the number `now`. Threads spin for a while before they sleep. */
struct worker_turn {
    atomic_ulong now;
    atomic_int asleep;
};

struct worker_pool {
    struct lines lines;
    pthread_mutex_t reading; /* guards the members up to `error` */
    unsigned long batches;
    long long reads;
    enum lines_answer answer; /* LINES_LINE while there is input; then how the input ended */
    int error;                /* errno of LINES_FAILED */
    struct worker_turn turn[STEP_COUNT];
    pthread_mutex_t lock; /* lock, moved: for threads that sleep until a batch may do a step */
    pthread_cond_t moved;
    atomic_bool stopped;
    int wake; /* eventfd that becomes readable when the pool is stopped */
    int workers;
    /* Handles a whole batch, and passes each of its steps; own: own[i] of worker i. */
    void (*handle)(struct worker_pool *, struct worker_batch *, void *own);
    void *own[WORKERS_MOST];
};

/* Returns how many processors this process may use, at most WORKERS_MOST. */
int worker_pool_default_workers(void);

/* Handle all lines of fd.  The caller sets own, handle and workers; all other members are zero.  The calling thread is
 * the first worker; the others start with the second batch.  Returns LINES_END, or LINES_FAILED with errno; ECANCELED
 * after worker_pool_stop(). */
enum lines_answer worker_pool_run(struct worker_pool *c, int fd);

/* Called by handle(): wait until all earlier batches have passed the step.  Returns false if the pool was stopped: the
 * batch must then be dropped. */
bool worker_pool_wait(struct worker_pool *c, enum worker_step step, const struct worker_batch *b);
/* Called by handle(): let the next batch do the step. */
void worker_pool_pass(struct worker_pool *c, enum worker_step step, const struct worker_batch *b);
/* Drop all batches that are not written yet.  Any thread may call this. */
void worker_pool_stop(struct worker_pool *c);
