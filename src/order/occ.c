/*
 * OCC option symbols, parsed from the right: the last 15 bytes are fixed, the rest is the root.
 * It refuses to judge dates and strikes; see order/occ.h.
 */
#include "order/occ.h"

#include "base/time.h"

#include "base/banned.h"

enum { TAIL = 15, ROOT_MOST = 6 };

/* Digits to a number; -1 when a byte is no digit. */
static int64_t digits(const char *s, size_t n)
{
    int64_t v = 0;

    for (size_t i = 0; i < n; i++) {
        if (s[i] < '0' || s[i] > '9')
            return -1;
        v = v * 10 + (s[i] - '0');
    }
    return v;
}

void og_occ_read(struct og_str symbol, struct og_occ *occ)
{
    const char *tail;
    int64_t date, strike;

    *occ = (struct og_occ){ 0 };
    if (symbol.len <= TAIL || symbol.len > TAIL + ROOT_MOST)
        return;
    tail = symbol.s + symbol.len - TAIL;
    if (tail[6] != 'C' && tail[6] != 'P')
        return;
    date = digits(tail, 6);
    strike = digits(tail + 7, 8);
    if (date < 0 || strike < 0)
        return;
    occ->is = true;
    occ->type = tail[6];
    occ->expiry = (int)(20000000 + date);
    occ->date_exists = og_date_exists((int)(2000 + date / 10000), (int)(date / 100 % 100), (int)(date % 100));
    occ->strike = strike;
    occ->root = (struct og_str){ symbol.s, symbol.len - TAIL };
    occ->known = og_root_find(occ->root);
}
