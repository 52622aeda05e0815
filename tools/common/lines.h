/*
 * Lines from a descriptor, with bounded memory: what the filters read orders with.
 * It refuses to keep more than one line of LINES_MOST bytes; a longer one is told by its length alone.
 */
#ifndef OG_TOOLS_LINES_H
#define OG_TOOLS_LINES_H

#include <stdbool.h>
#include <stddef.h>

#define LINES_MOST ((size_t)1 << 20) /* without the newline; contract.md "Candidate orders" */

struct lines {
    int fd;
    char *buffer;
    size_t from, to, room; /* unread bytes are buffer[from..to) */
    long long number;      /* of the line last given, from 1 */
    bool ended;
    /* called before a read that may wait: the place to flush; may be NULL */
    void (*before_wait)(void *with);
    /* called when bytes have come: the place to look at files that may have changed meanwhile; may be NULL */
    void (*after_read)(void *with);
    void *with;
};

enum lines_answer { LINES_LINE = 1, LINES_END, LINES_FAILED /* errno */ };

bool lines_init(struct lines *l, int fd); /* false: out of memory */
void lines_clear(struct lines *l);        /* does not close fd */

/* The next line that is not blank, without newline, carriage return and (at the start) byte order mark.
 * A line over LINES_MOST is given with its first LINES_MOST + 1 bytes; the rest of it is dropped. */
enum lines_answer lines_next(struct lines *l, const char **line, size_t *len);

#endif
