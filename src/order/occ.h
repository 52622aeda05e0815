/*
 * OCC option symbols in the compact form: root (1-6), YYMMDD, C or P, strike x 1000 in 8 digits (readings D21).  They
 * are parsed from the right.  Only the form is checked here; the rules check whether date and strike are possible.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"
#include "order/roots.h"

struct og_occ {
    bool is;                     /* the symbol has the form; if not, all other members are 0 */
    bool date_exists;            /* YYMMDD is a date of the calendar */
    char type;                   /* 'C' or 'P' */
    int expiry;                  /* yyyymmdd, century 20 */
    int64_t strike;              /* thousandths of a dollar */
    struct og_str root;          /* the root; points into the symbol */
    const struct og_root *known; /* the root's entry in the table of roots; NULL means an ordinary root */
};

void og_occ_read(struct og_str symbol, struct og_occ *occ);
