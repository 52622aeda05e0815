/*
 * Parses OCC option symbols from the right: the last 15 bytes have a fixed form, the rest is the root.
 */
#include "order/occ.h"

#include "base/attributes.h"
#include "base/digits.h"
#include "base/time.h"

enum { TAIL = 15, ROOT_MOST = 6 };

/* Converts eight digits to a number.  Returns false unless the upper half of each byte is 3 and the lower half at most
 * 9. */
static bool number_of(uint64_t v, uint32_t *n)
{
    const uint64_t upper = UINT64_C(0xF0F0F0F0F0F0F0F0), threes = UINT64_C(0x3030303030303030);

    if ((v & upper) != threes || ((v + UINT64_C(0x0606060606060606)) & upper) != threes)
        return false;
    *n = og_digits_number(v ^ threes);
    return true;
}

OG_HOT void og_occ_read(struct og_str symbol, struct og_occ *occ)
{
    const char *tail;
    uint32_t date, strike;

    *occ = (struct og_occ){ 0 };
    if (symbol.len <= TAIL || symbol.len > TAIL + ROOT_MOST)
        return;
    tail = symbol.s + symbol.len - TAIL;
    if (tail[6] != 'C' && tail[6] != 'P')
        return;
    /* the six digits of the date, with two leading zeros; then the eight digits of the strike */
    if (!number_of(og_digits_eight(tail) << 16 | UINT64_C(0x3030), &date) ||
        !number_of(og_digits_eight(tail + 7), &strike))
        return;
    occ->is = true;
    occ->type = tail[6];
    occ->expiry = (int)(20000000 + date);
    occ->date_exists = og_date_exists((int)(2000 + date / 10000), (int)(date / 100 % 100), (int)(date % 100));
    occ->strike = strike;
    occ->root = (struct og_str){ symbol.s, symbol.len - TAIL };
    occ->known = og_root_find(occ->root);
}
