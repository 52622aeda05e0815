/*
 * Replaces the upper bounds of buying power that reservations hold by exact amounts.  A bound is quick to compute, and
 * exact amounts are only needed when an order exceeds buying power, or before a fill is counted.
 */
#include "check/book.h"

static bool is_of(const struct og_reservation *r, size_t account)
{
    return r && r->account == account;
}

static void take_back(struct og_book *b, const struct og_reservation *r)
{
    const struct og_order *o = og_book_order(b, r);
    struct og_effect e;

    if (!o)
        return;
    e = og_book_effect(r, o);
    og_facts_remove(b->account[r->account], &e);
}

static void put_exactly(struct og_book *b, struct og_reservation *r, struct og_scratch *s)
{
    const struct og_order *o = og_book_order(b, r);
    struct og_money exact;
    struct og_effect e;
    struct og_case c;

    if (!o)
        return;
    if (r->bound) { /* a reservation still has a bound only if no unit of its order has filled: see tighten_for() */
        b->order->account = og_facts_account_id(b->account[r->account]);
        og_book_case(b, o, r->at, s, &c);
        exact = og_book_cost_again(b, &c, s);
        if (og_money_cmp(exact, r->cost) < 0) /* lower the cost, but never raise it: an exact amount above the bound
                                               * comes from quotes and positions that are newer than the bound */
            r->cost = exact;
        r->bound = false;
        r->counted = og_book_counted(b, r, o->quantity).cost;
    }
    e = og_book_effect(r, o);
    (void)og_facts_add(b->account[r->account], &e); /* cannot fail: the same amounts were in the sums before */
}

void og_book_tighten(struct og_book *b, size_t account, struct og_scratch *s)
{
    for (og_ticket t = b->tickets; t > 0; t--)
        if (is_of(b->ticket[t - 1], account))
            take_back(b, b->ticket[t - 1]);
    for (og_ticket t = 1; t <= b->tickets; t++)
        if (is_of(b->ticket[t - 1], account))
            put_exactly(b, b->ticket[t - 1], s);
    og_facts_tighten(b->account[account]);
}
