/*
 * Decides an order as if orders that may count twice counted once. A document that was requested before the broker was
 * seen to have an order may show the order or not, so the order counts in addition to it until a later document comes.
 */
#include "check/book.h"
#include "ordergate/requests.h"

/* Make each order that may count twice count only once (sign -1), or restore its previous count (sign 1). Returns the
 * number of such orders. */
static int count_once(struct og_book *b, size_t account, og_ticket up_to, int sign)
{
    struct og_facts *f = b->account[account];
    int count = 0;

    for (og_ticket t = 1; t <= b->tickets && t <= up_to; t++) {
        const struct og_reservation *r = b->ticket[t - 1];
        struct og_effect now = { 0 }, once;
        const struct og_order *o;

        if (!r || r->account != account || !og_book_once(b, r, &now) || !(o = og_book_order(b, r)))
            continue;
        now = once = og_book_effect(r, o);
        (void)og_book_once(b, r, &once);
        og_facts_remove(f, sign < 0 ? &now : &once);
        (void)og_facts_add(f, sign < 0 ? &once : &now); /* cannot fail: no amount is above the one that the sums had
                                                         * before */
        count++;
    }
    return count;
}

static void decide(struct og_book *b, const struct og_order *o, int64_t now, og_ticket up_to, struct og_scratch *s,
                   struct og_case *c, struct og_decision *d)
{
    size_t account;

    og_book_case(b, o, now, s, c);
    account = og_book_at(b, c->facts);
    (void)count_once(b, account, up_to, -1);
    og_book_case(b, o, now, s, c);
    og_check_case(b->policy, c, s, d);
    og_book_names(b, c, s, s, d);
    (void)count_once(b, account, up_to, 1);
}

/* Returns true if an order of the case's account may count twice. */
static bool is_any_twice(const struct og_book *b, size_t account, og_ticket up_to)
{
    bool is = false;

    for (og_ticket t = 1; t <= b->tickets && t <= up_to && !is; t++) {
        const struct og_reservation *r = b->ticket[t - 1];
        struct og_effect e = { 0 };

        is = r && r->account == account && og_book_once(b, r, &e);
    }
    return is;
}

bool og_check_once(struct og_book *b, const struct og_order *o, int64_t now, struct og_scratch *s,
                   struct og_decision *d, og_ticket *up_to)
{
    struct og_case c;
    bool is;

    if (d)
        *d = (struct og_decision){ 0 };
    if (!b || !o || !s || !d || !up_to)
        return false;
    og_book_look_for_halt(b);
    pthread_rwlock_wrlock(&b->lock);
    if (*up_to == 0)
        *up_to = b->tickets;
    og_book_provenance(b, s, now);
    og_book_case(b, o, now, s, &c);
    if ((is = is_any_twice(b, og_book_at(b, c.facts), *up_to))) {
        decide(b, o, now, *up_to, s, &c, d);
        if (og_book_wants_exact(&c)) {
            og_book_tighten(b, og_book_at(b, c.facts), s);
            decide(b, o, now, *up_to, s, &c, d);
        }
    }
    pthread_rwlock_unlock(&b->lock);
    return is;
}
