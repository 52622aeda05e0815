/*
 * Synthetic orders: lines of orders that nobody sent. Lint shows them as witnesses, and `policy diff --generate` uses
 * them as probes.  Every given value is written, even one that is invalid on purpose.
 */
#pragma once

#include "base/buf.h"
#include "order/order.h"

#define OG_SYNTHETIC_SYMBOL 80 /* bytes of a symbol, with its NUL */
#define OG_SYNTHETIC_LEGS   4

struct og_synthetic_leg {
    char symbol[OG_SYNTHETIC_SYMBOL];
    enum og_side side;
    enum og_open_close open_close;
    int ratio;
};

struct og_synthetic_order {
    enum og_security security;
    const char *symbol;
    enum og_side side;             /* for spreads, this member and open_close are not written */
    enum og_open_close open_close; /* NONE: left out */
    const char *type, *tif;
    struct og_money quantity;
    struct og_money limit, stop;                   /* limit and stop: each is written if the order type has it */
    const char *client_id, *route, *account, *tag; /* NULL: left out */
    struct og_synthetic_leg leg[OG_SYNTHETIC_LEGS];
    int legs; /* number of legs that are written */
};

/* Write the OCC symbol of a contract.  The root is written unchanged.  expiry: yyyymmdd; strike: in thousandths. */
void og_synthetic_option(struct og_str root, int expiry, char type, int64_t strike, char to[OG_SYNTHETIC_SYMBOL]);
/* Append the order's members, without braces. */
void og_synthetic_write(const struct og_synthetic_order *o, struct og_buf *b);
