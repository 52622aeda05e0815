/*
 * Bytes on their way to a descriptor: text is gathered in one piece and put there whole.
 * It refuses to go on after a write that failed: it says so once.
 */
#ifndef OG_TOOLS_OUT_H
#define OG_TOOLS_OUT_H

#include "ordergate/ordergate.h"

#include <stdbool.h>
#include <stddef.h>

struct text {
    char *s;
    size_t len, room;
};

struct out {
    int fd;
    const char *name;
    bool failed;
};

/* A line with the decision, or the order (whole, or its body alone).  false: out of memory.  Not written: the order has
 * a field whose type or value the service does not know. */
bool text_decision(struct text *t, const struct og_decision *d, const struct og_source *source);
bool text_order(struct text *t, const struct og_order *order, bool body, bool *written);

/* Write the text and empty it; false, with words on stderr, when it cannot be. */
bool out_text(struct out *o, const char *program, struct text *t);

#endif
