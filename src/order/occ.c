/*
 * OCC option symbols, parsed from the right: the last 15 bytes are fixed, the rest is the root.
 * It refuses to judge dates and strikes; see order/occ.h.
 */
#include "order/occ.h"

#include "base/often.h"
#include "base/time.h"

#include "base/banned.h"

enum { TAIL = 15, ROOT_MOST = 6 };

/* Eight bytes, the first the lowest. */
static uint64_t eight_of(const char *s)
{
    uint64_t v;

    memcpy(&v, s, sizeof v);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    v = __builtin_bswap64(v);
#endif
    return v;
}

/* Eight digits to a number: of each byte the upper half is 3 and the lower at most 9; then neighbours are added up to
 * pairs, fours, and all. */
static bool number_of(uint64_t v, uint32_t *n)
{
    const uint64_t upper = UINT64_C(0xF0F0F0F0F0F0F0F0), threes = UINT64_C(0x3030303030303030);

    if ((v & upper) != threes || ((v + UINT64_C(0x0606060606060606)) & upper) != threes)
        return false;
    v = (v & UINT64_C(0x0F0F0F0F0F0F0F0F)) * (1 + (UINT64_C(10) << 8)) >> 8;
    v = (v & UINT64_C(0x00FF00FF00FF00FF)) * (1 + (UINT64_C(100) << 16)) >> 16;
    *n = (uint32_t)((v & UINT64_C(0x0000FFFF0000FFFF)) * (1 + (UINT64_C(10000) << 32)) >> 32);
    return true;
}

OG_OFTEN void og_occ_read(struct og_str symbol, struct og_occ *occ)
{
    const char *tail;
    uint32_t date, strike;

    *occ = (struct og_occ){ 0 };
    if (symbol.len <= TAIL || symbol.len > TAIL + ROOT_MOST)
        return;
    tail = symbol.s + symbol.len - TAIL;
    if (tail[6] != 'C' && tail[6] != 'P')
        return;
    /* the date's six digits with two zeros before them, and the eight of the strike */
    if (!number_of(eight_of(tail) << 16 | UINT64_C(0x3030), &date) || !number_of(eight_of(tail + 7), &strike))
        return;
    occ->is = true;
    occ->type = tail[6];
    occ->expiry = (int)(20000000 + date);
    occ->date_exists = og_date_exists((int)(2000 + date / 10000), (int)(date / 100 % 100), (int)(date % 100));
    occ->strike = strike;
    occ->root = (struct og_str){ symbol.s, symbol.len - TAIL };
    occ->known = og_root_find(occ->root);
}
