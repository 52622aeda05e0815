/*
 * Decides and reserves the orders of a basket, all or none.  Each accepted order is reserved before the next is
 * decided; if one is refused, the reservations are undone, so that the book is as it was.
 */
#include "ordergate/basket.h"

#include <stdio.h>

#include "check/book.h"

struct basket {
    struct og_book *book;
    struct og_order *const *order;
    size_t count;
    int64_t now;
    struct og_scratch *const *scratch;
    struct og_decision *decision;
    og_ticket ticket[OG_BASKET_MOST]; /* 0 for an order that is not reserved */
    struct og_sent_mark sent[OG_BASKET_MOST];
    struct og_dearest_mark dearest[OG_BASKET_MOST];
    char account[64]; /* of the first order; "" if not known */
};

/* Remember the account of the first order.  Returns false if this order is for another account than the first. */
static bool is_of_the_account(struct basket *k, size_t i)
{
    const char *account = k->decision[i].account_id;

    if (i == 0)
        snprintf(k->account, sizeof k->account, "%s", account);
    return og_same_account(og_str_of(k->account), og_str_of(account));
}

/* Returns true if an earlier order of the basket has the same id. */
static bool is_again(const struct basket *k, size_t i)
{
    const struct og_str id = k->order[i]->client_id;

    for (size_t n = 0; n < i && id.len > 0; n++)
        if (og_str_eq(k->order[n]->client_id, id))
            return true;
    return false;
}

/* Decide an order, with the reservations of the orders before it in force, and reserve it if it is accepted.
 * OG_ENOMEM: nothing is reserved for it. */
static enum og_status reserve_one(struct basket *k, size_t i)
{
    struct og_book *b = k->book;
    const struct og_order *o = k->order[i];
    struct og_scratch *s = k->scratch[i];
    struct og_decision *d = &k->decision[i];
    enum og_status status;
    struct og_case c;

    og_book_decide(b, o, k->now, s, k->scratch[0], d, &c);
    if (o->replaces.len > 0)
        og_check_not_in_basket(b->policy, &c, s, d, "/replaces", "it replaces another order, which must end first");
    if (is_again(k, i))
        og_check_not_in_basket(b->policy, &c, s, d, "/clientOrderId", "its id is that of an earlier order");
    if (!is_of_the_account(k, i))
        og_check_not_in_basket(b->policy, &c, s, d, "/accountId", "it is for another account than the first order");
    if (!d->accepted)
        return OG_OK;
    if ((status = og_book_meet(b, s, k->scratch[0], &c)) == OG_OK) {
        k->sent[i] = og_facts_sent_mark(c.facts, c.tag.is);
        og_facts_dearest(c.facts, o, &k->dearest[i]);
        status = og_book_reserve(b, &c, s, &k->ticket[i]);
    }
    if (status != OG_EINVAL)
        return status;
    og_check_unreserved(b->policy, &c, s, d);
    return OG_OK;
}

static void undo(struct basket *k, size_t accounts)
{
    for (size_t i = k->count; i-- > 0;)
        if (k->ticket[i])
            og_book_unreserve(k->book, k->order[i], &k->sent[i], &k->dearest[i]);
    og_book_unmeet(k->book, accounts);
}

/* Returns the reason for which an order is refused. */
static const char *reason_of(const struct og_decision *d)
{
    for (int i = 0; i < d->count; i++)
        if (d->findings[i].level == OG_LEVEL_REFUSE)
            return d->findings[i].reason;
    return "refused";
}

/* Refuse the accepted orders of the basket, since an order of the basket is refused. */
static void refuse_rest(struct basket *k, size_t refused)
{
    const char *reason = reason_of(&k->decision[refused]);
    struct og_case c;

    for (size_t i = 0; i < k->count; i++) {
        if (!k->decision[i].accepted)
            continue;
        og_book_case(k->book, k->order[i], k->now, k->scratch[i], &c);
        og_check_basket_refused(k->book->policy, &c, k->scratch[i], &k->decision[i], refused, reason);
    }
}

static void use_waivers(struct basket *k)
{
    struct og_case c;

    for (size_t i = 0; k->book->waivers && i < k->count; i++) {
        og_book_case(k->book, k->order[i], k->now, k->scratch[i], &c);
        og_book_waivers_used(k->book, &c, &k->decision[i]);
    }
}

/* Decide all orders.  The reservations are kept if all orders are accepted and `keep` is true; otherwise they are
 * undone. */
static enum og_status decide(struct basket *k, bool keep)
{
    struct og_book *b = k->book;
    const size_t accounts = b->accounts;
    enum og_status status = OG_OK;
    size_t refused = k->count;

    og_book_provenance(b, k->scratch[0], k->now);
    for (size_t i = 0; i < k->count && !status; i++) {
        status = reserve_one(k, i);
        if (!k->decision[i].accepted && refused == k->count)
            refused = i;
    }
    if (!status && refused == k->count && keep) {
        og_book_hear_clock(b, k->now);
        use_waivers(k);
        return OG_OK;
    }
    undo(k, accounts);
    if (!status && refused < k->count)
        refuse_rest(k, refused);
    return status;
}

/* Set the decisions to zero: nothing is accepted. */
static void clear(struct og_decision *d, size_t count)
{
    for (size_t i = 0; d && i < count && i < OG_BASKET_MOST; i++)
        d[i] = (struct og_decision){ .basket = count, .place = i };
}

static enum og_status basket(struct og_book *b, struct og_order *const *orders, size_t count, int64_t now,
                             struct og_scratch *const *scratch, struct og_decision *decisions, og_ticket *tickets)
{
    struct basket k = { .book = b, .order = orders, .count = count, .now = now, .scratch = scratch };
    enum og_status status;

    clear(decisions, count);
    if (!b || !orders || !scratch || !decisions || count == 0 || count > OG_BASKET_MOST)
        return OG_EINVAL;
    for (size_t i = 0; i < count; i++)
        if (!orders[i] || !scratch[i])
            return OG_EINVAL;
    k.decision = decisions;
    og_book_look_for_halt(b);
    pthread_rwlock_wrlock(&b->lock);
    status = decide(&k, tickets != NULL);
    pthread_rwlock_unlock(&b->lock);
    for (size_t i = 0; i < count; i++) {
        decisions[i].basket = count;
        decisions[i].place = i;
        decisions[i].accepted &= status == OG_OK;
    }
    if (tickets && !status && decisions[0].accepted)
        memcpy(tickets, k.ticket, count * sizeof *tickets);
    return status;
}

enum og_status og_reserve_basket(struct og_book *b, struct og_order *const *orders, size_t count, int64_t now,
                                 struct og_scratch *const *scratch, struct og_decision *decisions, og_ticket *tickets)
{
    for (size_t i = 0; orders && tickets && i < count && i < OG_BASKET_MOST; i++)
        tickets[i] = 0;
    if (!tickets) {
        clear(decisions, count);
        return OG_EINVAL;
    }
    return basket(b, orders, count, now, scratch, decisions, tickets);
}

enum og_status og_check_basket(struct og_book *b, struct og_order *const *orders, size_t count, int64_t now,
                               struct og_scratch *const *scratch, struct og_decision *decisions)
{
    return basket(b, orders, count, now, scratch, decisions, NULL);
}
