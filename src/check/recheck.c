/*
 * Decides an accepted order once more before it leaves. This check leaves aside the order's own reservation and id,
 * its count as a sent order, and later reservations whose orders have not left either. So if nothing but these has
 * changed since the order was accepted, it is accepted again; if facts or policy have changed, the present ones
 * decide.
 */
#include "check/book.h"

/* What an accepted order uses of the account's sums at present. */
struct taking {
    struct og_money cost;
    bool bound;
    int64_t value, sold, may_trade;
    int64_t closes[OG_LEGS_KEPT];
};

/* Returns true if the reservation's order belongs to the same account and has not been sent yet either. */
static bool waits_too(const struct og_reservation *r, uint32_t account)
{
    return r && r->account == account && r->state == OG_TICKET_HELD && r->made && !r->let_go;
}

/* Take the orders that were reserved after the ticket and have not been sent yet out of the sums (sign -1), or add
 * them again (sign 1). */
static void count_later(struct og_book *b, og_ticket ticket, int sign)
{
    const uint32_t account = b->ticket[ticket - 1]->account;

    for (og_ticket t = ticket + 1; t <= b->tickets; t++) {
        const struct og_reservation *r = b->ticket[t - 1];
        const struct og_order *o = waits_too(r, account) ? og_book_order(b, r) : NULL;
        struct og_effect e;

        if (!o)
            continue;
        e = og_book_effect(r, o);
        if (sign < 0)
            og_facts_remove(b->account[account], &e);
        else
            (void)og_facts_add(b->account[account], &e); /* cannot fail: the same amounts were in the sums before */
    }
}

static void take_out(struct og_book *b, og_ticket ticket, const struct og_order *o)
{
    const struct og_reservation *r = b->ticket[ticket - 1];
    const struct og_effect e = og_book_effect(r, o);

    count_later(b, ticket, -1);
    og_facts_remove(b->account[r->account], &e);
    og_facts_sent_aside(b->account[r->account], r->sent_at);
}

static void put_back(struct og_book *b, og_ticket ticket, const struct og_order *o)
{
    const struct og_reservation *r = b->ticket[ticket - 1];
    const struct og_effect e = og_book_effect(r, o);

    og_facts_sent_back(b->account[r->account]);
    (void)og_facts_add(b->account[r->account], &e); /* cannot fail: the same amounts were in the sums before */
    count_later(b, ticket, 1);
}

/* Decide the order as if neither its own reservation nor later ones existed. If the order is accepted, record the
 * amounts that it reserves. */
static void decide(struct og_book *b, og_ticket ticket, const struct og_order *o, int64_t now, struct og_scratch *s,
                   struct og_case *c, struct og_decision *d, struct taking *t)
{
    take_out(b, ticket, o);
    og_book_case(b, o, now, s, c);
    c->again = true;
    og_check_case(b->policy, c, s, d);
    if (c->mleg->strategy != OG_STRATEGY_NONE)
        d->strategy = og_book_strategy(c, s);
    og_book_names(b, c, s, s, d);
    if (d->accepted) {
        t->cost = og_book_cost(b, c, s, false); /* sets c->margin->bounded */
        t->bound = c->margin->bounded;
        t->may_trade = og_book_amounts(c, &t->value, &t->sold);
        if (o->security == OG_MLEG)
            (void)og_book_closes(c, t->closes);
    }
    put_back(b, ticket, o);
}

static void take(struct og_reservation *r, const struct taking *t)
{
    r->cost = r->counted = t->cost;
    r->bound = t->bound;
    r->value = t->value;
    r->sold = t->sold;
    r->may_trade = t->may_trade;
    if (r->closes_at)
        memcpy(r->kept + r->closes_at, t->closes, sizeof t->closes);
}

/* Replace the amounts that the order reserved by those that it needs at present. OG_EINVAL: og_money cannot represent
 * a sum exactly; nothing changed. */
static enum og_status reserve(struct og_book *b, struct og_reservation *r, const struct og_order *o,
                              const struct taking *now)
{
    struct og_facts *f = b->account[r->account];
    struct taking before = {
        .cost = r->cost, .bound = r->bound, .value = r->value, .sold = r->sold, .may_trade = r->may_trade
    };
    struct og_effect e = og_book_effect(r, o);
    enum og_status status;

    if (r->closes_at)
        memcpy(before.closes, r->kept + r->closes_at, sizeof before.closes);
    og_facts_remove(f, &e);
    take(r, now);
    e = og_book_effect(r, o);
    status = og_facts_add(f, &e);
    if (status) {
        take(r, &before);
        e = og_book_effect(r, o);
        (void)og_facts_add(f, &e); /* cannot fail: the same amounts were in the sums before */
    }
    return status;
}

static enum og_status decide_again(struct og_book *b, og_ticket ticket, const struct og_order *o, int64_t now,
                                   struct og_scratch *s, struct og_decision *d)
{
    struct og_reservation *r = b->ticket[ticket - 1];
    enum og_status status;
    struct og_case c;
    struct taking t;

    decide(b, ticket, o, now, s, &c, d, &t);
    if (og_book_wants_exact(&c)) {
        og_book_tighten(b, r->account, s);
        decide(b, ticket, o, now, s, &c, d, &t);
    }
    if (!d->accepted)
        return OG_OK;
    if ((status = reserve(b, r, o, &t)) == OG_EINVAL) {
        og_check_unreserved(b->policy, &c, s, d);
        return OG_OK;
    }
    if (status) {
        d->accepted = false;
        return status;
    }
    r->at = c.now;
    r->made = og_facts_takes(b->account[r->account]); /* no document that is loaded now can show the order */
    r->let_go = true;
    og_facts_sent_anew(b->account[r->account], o, &s->hashes, &r->sent_at, c.now, c.eastern.date);
    return OG_OK;
}

static enum og_status read_order(const struct og_book *b, const struct og_reservation *r, struct og_order *o)
{
    const struct og_str account = og_facts_account_id(b->account[r->account]);

    if (og_order_unpack(o, r->kept, r->len) != OG_OK)
        return OG_ENOMEM;
    return o->account.len || !account.len ? OG_OK : og_order_set_account(o, account.s);
}

enum og_status og_reserve_again(struct og_book *b, og_ticket ticket, int64_t now, struct og_order *o,
                                struct og_scratch *s, struct og_decision *d)
{
    const struct og_reservation *r;
    enum og_status status = OG_EINVAL;

    if (d)
        *d = (struct og_decision){ 0 };
    if (!b || !o || !s || !d)
        return OG_EINVAL;
    og_book_look_for_halt(b);
    pthread_rwlock_wrlock(&b->lock);
    r = ticket && ticket <= b->tickets ? b->ticket[ticket - 1] : NULL;
    if (r && r->state == OG_TICKET_HELD && !r->progress && (status = read_order(b, r, o)) == OG_OK) {
        og_book_hear_clock(b, now);
        og_book_provenance(b, s, now);
        status = decide_again(b, ticket, o, now, s, d);
    }
    pthread_rwlock_unlock(&b->lock);
    return status;
}

static void count_from(struct og_book *b, struct og_reservation *r, int64_t at)
{
    const struct og_order *o = og_book_order(b, r);
    struct og_lookup_keys hashes = { .have = 0 };
    struct og_eastern when;

    if (!o)
        return;
    og_eastern_from(at, &when);
    og_facts_sent_anew(b->account[r->account], o, &hashes, &r->sent_at, at, when.date);
}

void og_ticket_left(struct og_book *b, og_ticket ticket, int64_t at)
{
    struct og_reservation *r;

    if (!b || at == OG_TIME_UNKNOWN)
        return;
    pthread_rwlock_wrlock(&b->lock);
    r = ticket && ticket <= b->tickets ? b->ticket[ticket - 1] : NULL;
    if (r && og_time_within(at) > r->sent_at)
        count_from(b, r, og_time_within(at));
    pthread_rwlock_unlock(&b->lock);
}

void og_ticket_stays(struct og_book *b, og_ticket ticket)
{
    if (!b)
        return;
    pthread_rwlock_wrlock(&b->lock);
    if (ticket && ticket <= b->tickets && b->ticket[ticket - 1])
        b->ticket[ticket - 1]->let_go = false;
    pthread_rwlock_unlock(&b->lock);
}
