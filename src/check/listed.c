/*
 * Applies what a list of orders shows of the orders that have tickets.
 */
#include "check/book.h"

int64_t og_book_told_by(const struct og_book *b, int64_t as_of)
{
    int64_t at;

    if (as_of == OG_TIME_UNKNOWN || __builtin_add_overflow(as_of, b->settle, &at))
        return OG_TIME_UNKNOWN;
    return b->told_at != OG_TIME_UNKNOWN && b->told_at > at ? b->told_at : at;
}

bool og_progress_ends(struct og_progress *p, int64_t at)
{
    if (p->over || (p->ended && p->vanished != OG_TIME_UNKNOWN))
        return false;
    p->ended = true;
    p->vanished = at;
    if (p->acked == OG_TIME_UNKNOWN)
        p->acked = at;
    return true;
}

/* Record what filled of an order according to its row. Returns OG_EINVAL, and changes nothing, if that is more than the
 * order's quantity. */
static enum og_status hear_fill(struct og_book *b, struct og_reservation *r, const struct og_order *o,
                                const struct og_known_order *known, int64_t at)
{
    const int64_t executed = known->filled == OG_FILLED_WHOLE ? o->quantity : known->executed.coef;

    if (known->filled != OG_FILLED_WHOLE && known->executed.scale != 0)
        return OG_EINVAL;
    return og_book_heard_fill(b, r, o, executed, known->price, OG_TIME_UNKNOWN, at);
}

static enum og_status hear_row(struct og_book *b, struct og_reservation *r, const struct og_order *o,
                               const struct og_known_order *known, int64_t as_of)
{
    const int64_t at = og_book_told_by(b, as_of);
    const bool over = known->over || known->rejected;
    struct og_progress *p = og_book_progress(r, o->quantity);
    enum og_status s;

    if (!p)
        return OG_ENOMEM;
    if (r->state == OG_TICKET_HELD)
        og_facts_count_fate(b->account[r->account], known->rejected);
    og_book_is_sent(b, r);
    if (known->rejected)
        og_facts_replaces_not(b->account[r->account], o);
    if (p->acked == OG_TIME_UNKNOWN)
        p->acked = at;
    s = hear_fill(b, r, o, known, at);
    if (s != OG_OK && s != OG_EINVAL)
        return s;
    if (over && (s == OG_EINVAL || known->filled == OG_FILLED_UNSAID)) {
        (void)og_progress_ends(p, at);
    } else {
        p->ended = false;
        p->vanished = OG_TIME_UNKNOWN;
        p->over |= over;
    }
    return OG_OK;
}

enum og_status og_book_hear_rows(struct og_book *b, struct og_reservation *r, const struct og_order *o,
                                 const struct og_known_order *known, int64_t as_of)
{
    enum og_status s = OG_OK;

    for (; known && !s; known = known->other)
        s = hear_row(b, r, o, known, as_of);
    return s;
}

enum og_status og_book_hear_list(struct og_book *b, og_ticket t, const struct og_order *o)
{
    struct og_reservation *r = b->ticket[t - 1];
    struct og_facts *f = b->account[r->account];
    const struct og_known_order *known = og_facts_order(f, o->client_id);
    const int64_t lag = b->list_lag < 0 ? b->settle : b->list_lag;
    struct og_progress *p = r->progress;
    int64_t as_of, seen;

    if (og_facts_taken(f, OG_FACT_ORDERS) != og_facts_takes(f) || !og_facts_known(f, OG_FACT_ORDERS, &as_of) ||
        og_facts_owner(f, o->client_id) != t)
        return OG_OK;
    if (known && og_book_is_other(known, o)) {
        (void)og_facts_own_id(f, o->client_id, 0);
        return OG_OK;
    }
    if (known)
        return og_book_hear_rows(b, r, o, known, as_of);
    if (p && p->vanished == OG_TIME_UNKNOWN && p->acked != OG_TIME_UNKNOWN && as_of != OG_TIME_UNKNOWN &&
        lag != OG_LIST_LAG_FOREVER && !__builtin_add_overflow(p->acked, lag, &seen) && as_of >= seen)
        p->vanished = og_book_told_by(b, as_of);
    return OG_OK;
}
