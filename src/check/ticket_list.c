/*
 * Lists the reservations by ticket number, each with the account for which it was made.
 */
#include "check/book.h"

static bool name_account(const struct og_book *b, const struct og_reservation *r, struct og_order *order)
{
    const struct og_str id = og_facts_account_id(b->account[r->account]);

    return !id.len || og_order_set_account(order, id.s) == OG_OK;
}

og_ticket og_book_tickets(struct og_book *b, og_ticket after, struct og_order *order, struct og_ticket_info *info)
{
    og_ticket t = after;
    const struct og_reservation *r;

    if (!b)
        return 0;
    pthread_rwlock_rdlock(&b->lock);
    while (t < b->tickets && !b->ticket[t])
        t++;
    r = t < b->tickets ? b->ticket[t++] : NULL;
    if (r && og_order_unpack(order, r->kept, r->len) == OG_OK && (order->account.len || name_account(b, r, order)))
        *info = (struct og_ticket_info){ .state = r->progress && r->progress->over ? OG_TICKET_OVER
                                                                                   : (enum og_ticket_state)r->state,
                                         .at_ns = r->at,
                                         .quantity = order->quantity,
                                         .executed = r->progress ? r->progress->executed : 0,
                                         .reserved = r->counted };
    else
        t = 0;
    pthread_rwlock_unlock(&b->lock);
    return t;
}
