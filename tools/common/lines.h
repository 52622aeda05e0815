/*
 * Reads lines from a descriptor with bounded memory, for the filters.
 * Of a line over LINES_MOST bytes only the beginning is kept.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* bytes of the longest line that is accepted, without its newline; docs/contract.md "Candidate orders" */
#define LINES_MOST ((size_t)1 << 20)

struct lines {
    int fd;
    int stop; /* a descriptor that ends every wait when it becomes readable; -1 if there is none */
    char *buffer;
    size_t from, to, room; /* buffer[from..to) is not read yet; room: size of the buffer */
    long long number;      /* number of the line that was returned last, from 1 */
    long long reads;       /* number of reads that returned bytes */
    bool ended;
};

enum lines_answer {
    LINES_LINE = 1,
    LINES_END,
    LINES_WAIT,   /* no line is complete yet */
    LINES_FAILED, /* reading failed with errno; ECANCELED: reading was stopped through `stop` */
};

bool lines_init(struct lines *l, int fd); /* returns false if out of memory */
void lines_clear(struct lines *l);        /* does not close fd */

/* Read the next line that is not blank, without newline, carriage return and (at the start) byte order mark.
 * Of a line over LINES_MOST the first LINES_MOST + 2 bytes are returned, and the rest is dropped.
 * LINES_WAIT is only returned if waiting is not allowed. */
enum lines_answer lines_next(struct lines *l, bool may_wait, const char **line, size_t *len);
