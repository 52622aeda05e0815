/*
 * Tickets: the reservations of accepted orders, updated when the outcome of an order becomes known.  A reservation that
 * cannot be subtracted exactly is kept.
 */
#include <stdlib.h>

#include "base/money.h"
#include "check/book.h"

static struct og_reservation *ticket_at(const struct og_book *b, og_ticket ticket)
{
    return ticket && ticket <= b->tickets ? b->ticket[ticket - 1] : NULL;
}

const struct og_order *og_book_order(struct og_book *b, const struct og_reservation *r)
{
    return og_order_unpack(b->order, r->kept, r->len) == OG_OK ? b->order : NULL;
}

/* Count the outcome of a reservation's order as unknown, or no longer. */
static void set_unknown(struct og_book *b, struct og_reservation *r, bool is)
{
    const struct og_order *o = r->unknown != is ? og_book_order(b, r) : NULL;

    if (!o)
        return; /* no change, or memory ran out: what counts as unknown stays */
    r->unknown = is;
    og_facts_unknown(b->account[r->account], o->client_id, is);
}

void og_book_is_sent(struct og_book *b, struct og_reservation *r)
{
    set_unknown(b, r, false);
    r->state = OG_TICKET_SENT;
}

static void drop(struct og_book *b, og_ticket ticket)
{
    struct og_reservation *r = b->ticket[ticket - 1];

    set_unknown(b, r, false);
    free(r->progress);
    og_slab_free(&b->slab, r);
    b->ticket[ticket - 1] = NULL;
}

void og_book_reservations_free(struct og_book *b)
{
    for (og_ticket t = 1; t <= b->tickets; t++)
        if (b->ticket[t - 1])
            free(b->ticket[t - 1]->progress);
    og_slab_clear(&b->slab);
    free(b->ticket);
}

static bool is_over(const struct og_reservation *r)
{
    return r->progress && r->progress->over;
}

struct og_effect og_book_effect(const struct og_reservation *r, const struct og_order *o)
{
    return (struct og_effect){ .order = o,
                               .done = o->quantity - r->works,
                               .bp_cost = r->counted,
                               .bound = r->bound,
                               .over = r->ended,
                               .value = r->value,
                               .sold = r->sold,
                               .paid = r->paid,
                               .trades = og_book_trades(r, o),
                               .closes = r->closes_at ? (const void *)(r->kept + r->closes_at) : NULL };
}

/* Returns by how many cents new fills raised the value of the position that the order opened. was: the value before
 * these fills, or OG_AT_LEAST() of a lower bound. */
static int64_t more_worth(const struct og_reservation *r, int64_t was)
{
    const int64_t now = r->progress->worth, most = now < 0 ? OG_AT_LEAST(now) : now,
                  before = was < 0 ? OG_AT_LEAST(was) : was;

    return now < 0 ? OG_AT_LEAST(most - before) : most - before;
}

/* Count what was paid for filled units that no longer count as working. works: units that count as working. */
static void pay(struct og_facts *f, struct og_reservation *r, const struct og_order *o, const struct og_counted *c,
                int64_t works)
{
    const struct og_effect e = og_book_effect(r, o);
    const int64_t units = c->unpaid - (works - c->rests), was = r->paid;

    r->paid = units > 0 ? og_facts_cash_of(&e, units).pays : 0;
    og_facts_repay(f, was, r->paid);
}

/* Add a reservation to the sums, which do not include it yet. Fills that close more than the known position still
 * count as working until the position is known. */
static enum og_status put(struct og_book *b, struct og_reservation *r, const struct og_order *o)
{
    struct og_facts *f = b->account[r->account];
    const struct og_counted c = og_book_counted(b, r, o->quantity);
    struct og_effect e;
    enum og_status s;
    int64_t held;

    og_book_value_other(b, r, o);
    r->works = c.works + c.held;
    r->open = og_book_open(r, o->quantity);
    r->counted = c.cost;
    r->ended = is_over(r);
    e = og_book_effect(r, o);
    s = og_facts_add(f, &e);
    held = s || !c.held ? 0 : og_facts_closable(f, &e, c.held);
    if (held && (s = og_facts_fill(f, &e, held, more_worth(r, 0))) == OG_OK) {
        r->held = held;
        r->works -= held;
    }
    if (!s)
        pay(f, r, o, &c, r->works);
    return s;
}

/* Count more units as working again: the order was reported as over, but more of it filled later. */
static enum og_status work_more(struct og_facts *f, struct og_effect *e, int64_t done)
{
    struct og_effect more = *e;
    enum og_status s;

    more.done = done;
    more.bp_cost = e->bp_cost = og_money_from(0); /* og_facts_recost() sets bp, so this effect has no cost */
    og_facts_remove(f, e);
    s = og_facts_add(f, &more);
    if (s)
        (void)og_facts_add(f, e); /* cannot fail: the same amounts were in the sums before */
    else
        *e = more;
    return s;
}

static enum og_status move_sums(struct og_book *b, struct og_reservation *r, const struct og_order *o,
                                int64_t worth_before)
{
    struct og_facts *f = b->account[r->account];
    const struct og_counted c = og_book_counted(b, r, o->quantity);
    struct og_effect e = og_book_effect(r, o);
    const int64_t more = og_facts_closable(f, &e, c.held - r->held), works = c.works + c.held - r->held - more;
    enum og_status s = OG_OK;

    if (!og_facts_recost(f, r->counted, c.cost))
        return OG_EINVAL;
    if (more + works > r->works && (s = work_more(f, &e, o->quantity - more - works)) != OG_OK) {
        (void)og_facts_recost(f, c.cost, r->counted);
        return s;
    }
    if (more > 0 && (s = og_facts_fill(f, &e, more, more_worth(r, worth_before))) != OG_OK) {
        (void)og_facts_recost(f, c.cost, r->counted);
        return s;
    }
    r->counted = c.cost;
    r->held += more;
    e.done += more;
    if (o->quantity - e.done > works)
        og_facts_end_rest(f, &e, o->quantity - e.done - works);
    r->works = o->quantity - e.done;
    pay(f, r, o, &c, r->works);
    if (r->ended == is_over(r))
        return OG_OK;
    e = og_book_effect(r, o);
    og_facts_remove(f, &e);
    r->ended = is_over(r);
    e.over = r->ended;
    return og_facts_add(f, &e);
}

/* Count the order by what is known about it now, no longer by what was known before: fewer units work, more may be
 * held. */
static enum og_status move(struct og_book *b, struct og_reservation *r, const struct og_order *o, int64_t worth_before)
{
    const enum og_status s = move_sums(b, r, o, worth_before);

    if (!s)
        og_book_retrade(b, r, o);
    return s;
}

/* End a reservation whose order is over: the documents show all its fills, or nothing filled. */
static void end(struct og_book *b, og_ticket ticket, const struct og_order *o, uint32_t rows)
{
    struct og_reservation *r = b->ticket[ticket - 1];
    struct og_facts *f = b->account[r->account];
    const struct og_effect e = og_book_effect(r, o);
    const bool owns = og_facts_owner(f, o->client_id) == ticket;

    og_facts_remove(f, &e);
    if (owns && rows == 0)
        og_facts_bound_rows(f, &e);
    if (owns)
        (void)og_facts_own_id(f, o->client_id, rows);
    drop(b, ticket);
}

/* --- documents ---------------------------------------------------------------------------------------------------- */

void og_book_own_row(struct og_book *b, og_ticket ticket)
{
    struct og_reservation *r = ticket_at(b, ticket);
    struct og_facts *f = b->account[r->account];
    const struct og_order *o = og_book_order(b, r);
    const struct og_known_order *known = o ? og_facts_order(f, o->client_id) : NULL;
    int64_t as_of;

    if (!o || og_facts_owner(f, o->client_id) || (known && og_book_is_other(known, o)) ||
        !og_facts_own_id(f, o->client_id, (uint32_t)ticket) || !known)
        return;
    (void)og_facts_known(f, OG_FACT_ORDERS, &as_of);
    if (og_book_hear_rows(b, r, o, known, as_of) == OG_OK)
        (void)move(b, r, o, 0);
    if (known->executed.coef)
        og_book_find_fills(b, r->account);
}

static enum og_status reapply_one(struct og_book *b, og_ticket t)
{
    struct og_reservation *r = ticket_at(b, t);
    struct og_facts *f = b->account[r->account];
    const struct og_order *o = og_book_order(b, r);
    enum og_status s;

    r->works = r->held = r->paid = 0;
    r->counted = (struct og_money){ 0, 0 };
    if (!o)
        return OG_ENOMEM;
    if (r->state == OG_TICKET_HELD && og_facts_taken(f, OG_FACT_GATE) == og_facts_takes(f) &&
        og_facts_owner(f, o->client_id) == t && og_facts_told_unknown(f, o->client_id))
        set_unknown(b, r, true);
    s = og_book_hear_list(b, t, o);
    if (s)
        return s;
    if (r->progress && og_facts_taken(f, OG_FACT_ACCOUNT) == og_facts_takes(f))
        r->progress->read_spent = r->progress->spent;
    if (!og_book_is_settled(b, r))
        return put(b, r, o);
    if ((s = og_book_trade_rest(b, r, o)) != OG_OK)
        return s;
    s = og_facts_use_id(f, o->client_id, OG_ID_ACCEPTED);
    if (og_facts_owner(f, o->client_id) == t)
        (void)og_facts_own_id(f, o->client_id, OG_ROWS_OVER);
    drop(b, t);
    return s;
}

enum og_status og_book_reapply(struct og_book *b, size_t account)
{
    enum og_status s = OG_OK;

    for (og_ticket t = 1; t <= b->tickets && !s; t++)
        if (ticket_at(b, t) && ticket_at(b, t)->account == account)
            s = reapply_one(b, t);
    return s ? s : og_book_trade_rows(b, account);
}

/* --- accounts that get facts after their orders ------------------------------------------------------------------- */

static bool is_for(const struct og_book *b, const struct og_order *o, size_t account)
{
    const struct og_str whose = o->account.len ? o->account : og_str_of(b->default_account);

    return og_same_account(whose, og_facts_account_id(b->account[account]));
}

static enum og_status adopt_one(struct og_book *b, og_ticket t, size_t account)
{
    struct og_reservation *r = ticket_at(b, t);
    const struct og_order *o = og_book_order(b, r);
    struct og_lookup_keys hashes = { .have = 0 };
    struct og_eastern when;
    struct og_effect e;
    enum og_status s;

    if (!o)
        return OG_ENOMEM;
    if (!is_for(b, o, account))
        return OG_OK;
    e = og_book_effect(r, o);
    og_facts_remove(b->account[0], &e);
    if (r->unknown) {
        og_facts_unknown(b->account[0], o->client_id, false);
        og_facts_unknown(b->account[account], o->client_id, true);
    }
    r->account = (uint32_t)account;
    r->made = og_facts_takes(b->account[account]);
    og_eastern_from(r->at, &when);
    s = og_facts_count_sent(b->account[account], o, og_book_tag(b, o), &hashes, r->at, when.date);
    if (!s)
        r->sent_at = og_facts_sent_at(b->account[account]);
    s = s ? s : og_facts_replaces(b->account[account], o);
    if (!s)
        s = og_book_trade_again(b, r, o);
    if (!s)
        s = reapply_one(b, t);
    if (!s && ticket_at(b, t))
        og_book_own_row(b, t);
    return s;
}

enum og_status og_book_adopt(struct og_book *b, size_t account)
{
    enum og_status s = OG_OK;

    for (og_ticket t = 1; t <= b->tickets && !s; t++)
        if (ticket_at(b, t) && ticket_at(b, t)->account == 0)
            s = adopt_one(b, t, account);
    return s;
}

/* --- reports on orders -------------------------------------------------------------------------------------------- */

/* Replace upper bounds by exact amounts before a fill is counted: the exact amounts depend on what was held before the
 * fill. */
static enum og_status tighten_for(struct og_book *b, const struct og_reservation *r)
{
    struct og_scratch *s;

    if (!og_facts_bounds(b->account[r->account]))
        return OG_OK;
    s = og_scratch_new();
    if (!s)
        return OG_ENOMEM;
    og_book_tighten(b, r->account, s);
    og_scratch_free(s);
    return OG_OK;
}

/* Record that the broker has had the order since `at`, and count the order by that. */
static void acknowledge(struct og_book *b, struct og_reservation *r, int64_t at)
{
    struct og_progress *p;
    const struct og_order *o;

    if (r->state == OG_TICKET_HELD)
        og_facts_count_fate(b->account[r->account], false);
    og_book_is_sent(b, r);
    if (at == OG_TIME_UNKNOWN || (r->progress && r->progress->acked != OG_TIME_UNKNOWN) || !(o = og_book_order(b, r)) ||
        !(p = og_book_progress(r, o->quantity)))
        return; /* while `acked` is unknown, the order's cost counts until the order ends */
    p->acked = at;
    (void)move(b, r, o, p->worth); /* also count the fills that documents of that age may not show yet */
}

static enum og_status fill(struct og_book *b, og_ticket ticket, int64_t executed, struct og_money price, int64_t from,
                           int64_t at)
{
    struct og_reservation *r = ticket_at(b, ticket);
    const struct og_order *o = og_book_order(b, r);
    struct og_progress before = { .quantity = o ? o->quantity : 0,
                                  .acked = OG_TIME_UNKNOWN,
                                  .vanished = OG_TIME_UNKNOWN };
    enum og_status s;

    if (!o)
        return OG_ENOMEM;
    if (executed == OG_FILL_WHOLE)
        executed = o->quantity;
    if (executed < 0 || executed > o->quantity || price.coef < 0)
        return OG_EINVAL;
    if (r->progress)
        before = *r->progress;
    if (executed <= before.executed)
        return og_book_heard_fill(b, r, o, executed, price, from, at);
    s = tighten_for(b, r);
    if (!s)
        s = (o = og_book_order(b, r)) != NULL ? og_book_heard_fill(b, r, o, executed, price, from, at) : OG_ENOMEM;
    if (s)
        return s;
    s = move(b, r, o, before.worth);
    if (s) { /* undo the change after a failure, as if the fill had not been reported */
        *r->progress = before;
        return s;
    }
    if (r->state == OG_TICKET_HELD)
        og_facts_count_fate(b->account[r->account], false);
    og_book_is_sent(b, r);
    return OG_OK;
}

static void end_if_settled(struct og_book *b, og_ticket ticket)
{
    struct og_reservation *r = ticket_at(b, ticket);
    const struct og_order *o = og_book_is_settled(b, r) ? og_book_order(b, r) : NULL;

    if (o)
        end(b, ticket, o, OG_ROWS_OVER);
}

enum og_status og_book_works(struct og_book *b, og_ticket ticket, int64_t executed, struct og_money price, int64_t from,
                             int64_t at)
{
    enum og_status s = fill(b, ticket, executed, price, from, at);

    if (s)
        return s;
    acknowledge(b, ticket_at(b, ticket), at);
    end_if_settled(b, ticket);
    return OG_OK;
}

/* Record that nothing more of an order will fill.  Returns false if memory runs out: the reservation stays. */
static bool finish(struct og_book *b, og_ticket ticket, bool rejected)
{
    struct og_reservation *r = ticket_at(b, ticket);
    const struct og_order *o = og_book_order(b, r);

    if (o && (rejected || r->state == OG_TICKET_HELD))
        og_facts_replaces_not(b->account[r->account], o);
    if (!o ||
        (r->state != OG_TICKET_HELD && og_facts_use_id(b->account[r->account], o->client_id, OG_ID_ACCEPTED) != OG_OK))
        return false;
    if (!r->progress || r->progress->executed == 0) {
        end(b, ticket, o, OG_ROWS_OVER);
        return true;
    }
    r->progress->over = true;
    (void)move(b, r, o, r->progress->worth);
    end_if_settled(b, ticket);
    return true;
}

enum og_status og_book_over(struct og_book *b, og_ticket ticket, int64_t executed, struct og_money price, int64_t from,
                            int64_t at, bool rejected)
{
    struct og_reservation *r = ticket_at(b, ticket);
    struct og_facts *f = b->account[r->account];
    const bool was_over = is_over(r);
    enum og_status s = fill(b, ticket, executed, price, from, at);

    if (s)
        return s;
    if (r->state == OG_TICKET_HELD && !rejected)
        og_facts_count_fate(f, false);
    og_book_is_sent(b, r); /* the id of the order can never be used again */
    if (was_over)
        end_if_settled(b, ticket);
    else if (!finish(b, ticket, rejected))
        return OG_ENOMEM;
    else if (rejected)
        og_facts_count_fate(f, true);
    return OG_OK;
}

enum og_status og_book_ended(struct og_book *b, og_ticket ticket, int64_t at, bool rejected)
{
    struct og_reservation *r = ticket_at(b, ticket);
    const struct og_order *o = r ? og_book_order(b, r) : NULL;
    struct og_progress *p = o ? og_book_progress(r, o->quantity) : NULL;

    if (!p)
        return r ? OG_ENOMEM : OG_OK; /* no ticket: all of the order had filled, and documents show it */
    if (!og_progress_ends(p, at))
        return OG_OK;
    if (r->state == OG_TICKET_HELD || rejected)
        og_facts_count_fate(b->account[r->account], rejected);
    og_book_is_sent(b, r);
    if (rejected)
        og_facts_replaces_not(b->account[r->account], o);
    (void)move(b, r, o, p->worth);
    return OG_OK;
}

void og_ticket_sent(struct og_book *b, og_ticket ticket, int64_t at_ns)
{
    if (!b)
        return;
    pthread_rwlock_wrlock(&b->lock);
    if (ticket_at(b, ticket))
        acknowledge(b, ticket_at(b, ticket), at_ns);
    pthread_rwlock_unlock(&b->lock);
}

void og_ticket_unknown(struct og_book *b, og_ticket ticket, bool is)
{
    if (!b)
        return;
    pthread_rwlock_wrlock(&b->lock);
    if (ticket_at(b, ticket) && ticket_at(b, ticket)->state == OG_TICKET_HELD)
        set_unknown(b, ticket_at(b, ticket), is);
    pthread_rwlock_unlock(&b->lock);
}

enum og_status og_ticket_fill(struct og_book *b, og_ticket ticket, int64_t executed, struct og_money price,
                              int64_t at_ns)
{
    enum og_status s = OG_OK;

    if (!b || !og_money_is(price))
        return OG_EINVAL;
    pthread_rwlock_wrlock(&b->lock);
    if (ticket_at(b, ticket))
        s = og_book_works(b, ticket, executed, price, at_ns, at_ns);
    pthread_rwlock_unlock(&b->lock);
    return s;
}

void og_ticket_rejected(struct og_book *b, og_ticket ticket)
{
    if (!b)
        return;
    pthread_rwlock_wrlock(&b->lock);
    if (ticket_at(b, ticket) && !is_over(ticket_at(b, ticket)))
        (void)og_book_over(b, ticket, 0, og_money_from(0), OG_TIME_UNKNOWN, OG_TIME_UNKNOWN, true);
    og_book_trip(b);
    pthread_rwlock_unlock(&b->lock);
}

void og_ticket_release(struct og_book *b, og_ticket ticket)
{
    if (!b)
        return;
    pthread_rwlock_wrlock(&b->lock);
    if (ticket_at(b, ticket) && !is_over(ticket_at(b, ticket)))
        (void)finish(b, ticket, false);
    pthread_rwlock_unlock(&b->lock);
}

/* Keep a reservation for the legs of its order, because the order's row in the documents does not show them. The
 * documents already include the order's cost. */
static void keep_legs(struct og_book *b, struct og_reservation *r, const struct og_order *o)
{
    struct og_facts *f = b->account[r->account];
    struct og_progress *p = r->progress;
    struct og_effect e = og_book_effect(r, o);

    og_facts_remove(f, &e);
    r->cost = r->counted = og_money_from(0);
    r->bound = false;
    for (int i = 0; p && i < p->marks; i++)
        p->mark[i].spent = og_money_from(0);
    if (p)
        p->spent = p->read_spent = og_money_from(0);
    e = og_book_effect(r, o);
    (void)og_facts_add(f, &e); /* cannot fail: the same amounts were in the sums before */
}

void og_ticket_forget(struct og_book *b, og_ticket ticket)
{
    struct og_reservation *r;
    const struct og_order *o;

    if (!b)
        return;
    pthread_rwlock_wrlock(&b->lock);
    r = ticket_at(b, ticket);
    o = r ? og_book_order(b, r) : NULL;
    if (o && og_facts_rows_lack_legs(b->account[r->account], o->client_id, (uint32_t)ticket))
        keep_legs(b, r, o);
    else if (o && og_facts_use_id(b->account[r->account], o->client_id, OG_ID_ACCEPTED) == OG_OK)
        end(b, ticket, o, 0);
    pthread_rwlock_unlock(&b->lock);
}
