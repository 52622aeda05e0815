/*
 * What holds up a line, an order that was decided, or a cancel. Whoever lets one wait says why; held.c tells it.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct og_sender;

/* One for each value of `reason` in the event "held" (held.c). */
enum og_held_by {
    OG_HELD_NOT = 0,
    OG_HELD_READING,   /* its account is to be read */
    OG_HELD_ELSEWHERE, /* the same, after an order made elsewhere has changed */
    OG_HELD_SETTLE,    /* a close: positions may lack the newest fill */
    OG_HELD_BORROW,    /* a short sale: borrow check, locates */
    OG_HELD_FACT,      /* decided again before it left, it lacked a fact, or is to wait for a limit in time */
    OG_HELD_IN_FLIGHT, /* other POSTs have no answer yet, or, of a cancel, that of its order */
    OG_HELD_RATE,      /* the budget of requests */
    OG_HELD_BUSY,      /* an answer 429 */
    OG_HELD_LEDGER,    /* the ledger cannot be written */
    OG_HELD_EARLIER,   /* a line that was read earlier is still to be decided */
    OG_HELD_CANCEL,    /* a replacement: its old order is being canceled */
    OG_HELD_UNKNOWN,   /* a cancel: what became of its order is looked up */
};

/* What was told of one that waits (held.c). */
struct og_held {
    enum og_held_by told; /* OG_HELD_NOT: nothing so far */
    uint64_t since;       /* og_time_up() when it was read or decided, or was told of last; 0: held.c has not seen it */
};

/* Tell what waits, and has waited for OG_HELD_TELL_NS without an event; once a tick. */
void og_send_tell_held(struct og_sender *s);
/* It got an event of another kind: it is told of again only after a further wait. */
void og_send_held_anew(struct og_held *h);
