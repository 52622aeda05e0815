/*
 * Lines from a descriptor, with bounded memory: what the filters read orders with.
 * It refuses to keep more than one line of LINES_MOST bytes; a longer one is told by its length alone.
 */
#ifndef OG_TOOLS_LINES_H
#define OG_TOOLS_LINES_H

#include <stdbool.h>
#include <stddef.h>

#define LINES_MOST ((size_t)1 << 20) /* without newline; docs/contract.md "Candidate orders" */

struct lines {
    int fd;
    int stop; /* a descriptor: once it can be read, nothing is waited for any more; -1: none */
    char *buffer;
    size_t from, to, room; /* unread bytes are buffer[from..to) */
    long long number;      /* of the line last given, from 1 */
    long long reads;       /* how often bytes have come */
    bool ended;
};

enum lines_answer {
    LINES_LINE = 1,
    LINES_END,
    LINES_WAIT,   /* what there is of the next line is kept */
    LINES_FAILED, /* errno; ECANCELED: it was stopped */
};

bool lines_init(struct lines *l, int fd); /* false: out of memory */
void lines_clear(struct lines *l);        /* does not close fd */

/* The next line that is not blank, without newline, carriage return and (at the start) byte order mark.
 * A line over LINES_MOST is given with its first LINES_MOST + 2 bytes; the rest of it is dropped.
 * LINES_WAIT is the answer only when it may not wait for more bytes. */
enum lines_answer lines_next(struct lines *l, bool may_wait, const char **line, size_t *len);

#endif
