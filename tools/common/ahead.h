/*
 * Orders read ahead: a thread of its own splits lines and decodes them, some dozens at a time, while the caller decides
 * those before.  The order of lines is kept, and a line that has come is never held back for others to come.
 * It refuses to read without bound: no more than a few batches wait to be decided.
 */
#ifndef OG_TOOLS_AHEAD_H
#define OG_TOOLS_AHEAD_H

#include "ordergate/order.h"
#include "tools/common/lines.h"

#include <pthread.h>

enum { AHEAD_BATCHES = 8, AHEAD_LINES = 32 };

/* One line, decoded. */
struct ahead_line {
    struct og_order *order;
    long long number; /* from 1 */
    char *text;       /* the line itself, where its op is not an order's; else of no meaning */
    size_t len, room;
    bool large; /* what it holds took much room */
};

struct ahead_batch {
    struct ahead_line line[AHEAD_LINES];
    int count;
    size_t bytes;
    bool fresh;               /* bytes have come since the batch before */
    enum lines_answer answer; /* LINES_LINE, or how the input ended behind these lines */
    int error;                /* errno of LINES_FAILED */
};

struct ahead {
    struct lines lines;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t moved; /* whatever of the following changed */
    unsigned filled, taken; /* batches handed over, and given back, since the beginning */
    bool stopped;           /* the caller wants no more */
    bool waits;             /* the input has nothing more at the moment */
    bool fresh;             /* the thread's: for the batch being filled */
    struct ahead_batch batch[AHEAD_BATCHES];
    /* the caller's */
    int next;           /* line of the batch taken; -1: none is */
    void (*before_wait)(void *with);
    void (*after_read)(void *with);
    void *with;
};

/* Begin to read fd.  before_wait is called when the caller would wait for input, after_read when a batch begins before
 * which bytes have come: both in ahead_next(), on the caller's thread.  false: errno says why nothing was begun. */
bool ahead_start(struct ahead *a, int fd, void (*before_wait)(void *with), void (*after_read)(void *with), void *with);
/* The next line, the caller's until the next call.  LINES_FAILED sets errno. */
enum lines_answer ahead_next(struct ahead *a, struct ahead_line **line);
/* End it, wherever it is: a read that waits is given up. */
void ahead_stop(struct ahead *a);

#endif
