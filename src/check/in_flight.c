/*
 * Buying power of orders that the sender's facts ("gate") list as in flight or unknown. The broker has not deducted
 * them from bp yet, so their cost is deducted here.  An order that is also in a list of orders is skipped, since
 * resting orders are deducted already.
 *
 * While the cost of an order is computed, the order already counts as working, and so as using up its own cover.  The
 * computed cost is therefore never too small, but may be too large if there is cover.
 */
#include "base/error.h"
#include "check/book.h"

static struct og_money cost_of(const struct og_book *b, size_t at, struct og_scratch *s)
{
    struct og_case c;
    int64_t as_of = 0;

    if (!og_facts_known(b->account[at], OG_FACT_GATE, &as_of) || as_of == OG_TIME_UNKNOWN)
        as_of = 0;
    b->order->account = og_facts_account_id(b->account[at]);
    /* decide at the time of the facts, so that their quotes count however old they are: they are better than none */
    og_book_case(b, b->order, as_of, s, &c);
    return og_book_cost(b, &c, s, true);
}

enum og_status og_book_reserve_in_flight(struct og_book *b, size_t at, const char *name, struct og_error *err)
{
    struct og_facts *f = b->account[at];
    const struct og_posted *p = og_facts_posted(f, NULL);
    struct og_scratch *s = p ? og_scratch_new() : NULL;
    enum og_status status = OG_OK;

    for (; p && s && status == OG_OK; p = og_facts_posted(f, p))
        if ((status = og_order_read(b->order, p->line.s, p->line.len)) == OG_OK && !b->order->fault &&
            !og_facts_reserve(f, cost_of(b, at, s)))
            status = og_fail(err, OG_EINVAL, "%s: the cost of the orders in flight is out of range", name);
    if (p && !s)
        status = OG_ENOMEM;
    og_scratch_free(s);
    return status;
}
