/*
 * Synthetic orders: lines of orders that nobody sent, which lint shows as witnesses and `policy diff --generate` probes
 * with.  Whatever is given is written: values may be invalid on purpose.
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
    enum og_side side;             /* of spreads, this and open_close are not written */
    enum og_open_close open_close; /* NONE: left out */
    const char *type, *tif;
    struct og_money quantity;
    struct og_money limit, stop;             /* each is written if the type has it */
    const char *client_id, *route, *account; /* NULL: left out */
    struct og_synthetic_leg leg[OG_SYNTHETIC_LEGS];
    int legs; /* 0: none are written */
};

/* Write the OCC symbol of a contract.  The root is written as given.  expiry: yyyymmdd; strike: in thousandths. */
void og_synthetic_option(struct og_str root, int expiry, char type, int64_t strike, char to[OG_SYNTHETIC_SYMBOL]);
/* Append the order's members, without braces. */
void og_synthetic_write(const struct og_synthetic_order *o, struct og_buf *b);
