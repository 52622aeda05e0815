/*
 * An order's value where the engine itself needs it: the slippage that applies to a case, and the dollars that an
 * accepted order adds to limits.  The calculation is in margin/notional.h.
 */
#include "check/book.h"

#include "base/attributes.h"
#include "rules/limit.h"
#include "rules/worth.h"

int32_t og_book_slippage(const struct og_book *b, const struct og_case *c, struct og_scratch *s)
{
    const struct og_worth_settings *found = og_check_setting(&b->policy->rules[OG_ENGINE_WORTH], c, s->room)->settings;

    return found ? found->slippage : 0;
}

OG_HOT int64_t og_book_value(const struct og_case *c, int64_t *sold)
{
    struct og_exposure e = { .gross_is = OG_WORTH_KNOWN };
    int64_t cents;
    enum og_worth worth;

    *sold = 0;
    if (c->order->security == OG_MLEG) {
        if (!og_case_reduces(c))
            og_case_spread(c, &e);
        worth = e.gross_is;
        cents = e.gross;
        *sold = e.gross == INT64_MAX ? 0 : e.shorts;
    } else {
        worth = og_case_cents_opening(c, &cents);
    }
    if (cents == INT64_MAX) /* the amount is larger than the member can hold */
        return OG_AT_LEAST(0);
    return worth == OG_WORTH_KNOWN ? cents : OG_AT_LEAST(cents);
}

bool og_book_closes(const struct og_case *c, int64_t cents[OG_LEGS_KEPT])
{
    const struct og_market m = og_case_market(c);
    struct og_money opening;

    if (!og_closing_legs_worth(c->order, &m, cents))
        return false;
    for (int i = 0; i < og_order_trades(c->order); i++)
        if (!og_case_opening(c, i, &opening) || opening.coef)
            cents[i] = 0;
    return true;
}
