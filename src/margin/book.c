/*
 * Positions of a book of options, kept sorted, and conversions of decimal amounts to integers.  Amounts that are out of
 * range are rejected.
 */
#include <string.h>

#include "base/attributes.h"
#include "margin/requirement.h"

/* maximum price of a contract, in millionths of a dollar per share (a thousand million dollars): sums of such prices
 * cannot overflow */
#define PRICE_MOST INT64_C(1000000000000000)

static int order_of(const struct og_margin_line *l, int expiry, int64_t strike, char type)
{
    if (l->expiry != expiry)
        return l->expiry < expiry ? -1 : 1;
    if (l->strike != strike)
        return l->strike < strike ? -1 : 1;
    return l->type - type;
}

OG_HOT struct og_margin_line *og_margin_line_of(struct og_margin_book *b, int expiry, int64_t strike, char type)
{
    int low = 0, high = b->count;

    if (high && order_of(&b->line[high - 1], expiry, strike, type) < 0) /* contracts usually come in ascending sequence,
                                                                         * so the new line usually goes to the end */
        low = high;
    while (low < high) {
        int mid = (low + high) / 2;

        if (order_of(&b->line[mid], expiry, strike, type) < 0)
            low = mid + 1;
        else
            high = mid;
    }
    if (low < b->count && order_of(&b->line[low], expiry, strike, type) == 0)
        return &b->line[low];
    if (b->count == OG_MARGIN_MOST)
        return NULL;
    memmove(&b->line[low + 1], &b->line[low], (size_t)(b->count - low) * sizeof b->line[0]);
    og_zero(&b->line[low], sizeof b->line[low]);
    b->line[low].expiry = expiry;
    b->line[low].strike = strike;
    b->line[low].type = type;
    b->count++;
    return &b->line[low];
}

bool og_margin_millionths(struct og_money dollars, int64_t *millionths)
{
    struct og_money exact;

    if (!og_money_times(dollars, OG_MARGIN_DOLLAR, &exact) || exact.coef < 0 || og_money_floor(exact) > PRICE_MOST)
        return false;
    *millionths = og_money_floor(exact) + (exact.scale > 0);
    return true;
}

bool og_margin_dollars(og_wide millionths, struct og_money *dollars)
{
    /* convert millionths per share to dollars per contract of 100 shares, with four decimals */
    return millionths <= INT64_MAX && millionths >= INT64_MIN &&
           og_money_mul(og_money_from((int64_t)millionths), (struct og_money){ 1, 4 }, dollars);
}
