/*
 * Buffered output: text is collected, and written to a descriptor in one piece. The first failed write is reported, and
 * nothing is written after it.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "ordergate/ordergate.h"

struct text {
    char *s;
    size_t len, room;
};

struct out {
    int fd;
    const char *name;
    bool failed;
};

/* Append a line with the decision, or with the order (the whole line, or only its body).  Returns false if out of
 * memory. If the order has a field whose type or value the service does not know, no order is appended, and *written is
 * set to false. */
bool text_decision(struct text *t, const struct og_decision *d, const struct og_source *source);
bool text_order(struct text *t, const struct og_order *order, bool body, bool *written);
/* Append a cancel as a line for send; account is "" if the line names no account.  Return false if out of memory. */
bool text_cancel(struct text *t, const char *id, const char *account);
bool text_heartbeat(struct text *t);
/* Append these bytes; append the text `from`, and clear it.  Return false if out of memory. */
bool text_bytes(struct text *t, const char *bytes);
bool text_move(struct text *t, struct text *from);

/* Write the text and clear it.  Returns false after a message on stderr. */
bool out_text(struct out *o, const char *program, struct text *t);
/* Write these bytes.  Returns false after a message on stderr. */
bool out_bytes(struct out *o, const char *program, const char *bytes, size_t len);
