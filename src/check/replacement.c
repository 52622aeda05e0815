/*
 * Decides an order as if others were canceled already and filled no further, such as the one that it replaces: their
 * working parts are taken out of the sums for one check, and put back.  The bp in a document may already be lowered by
 * those orders.  So for the check bp is raised by the most that their cancels may give back: an order that exceeds even
 * this bp is refused.
 */
#include "base/money.h"
#include "check/book.h"
#include "ordergate/requests.h"

/* dollars: more than any order needs; used as the cost of the old order if its cost is not known */
#define UNKNOWN_COST INT64_C(1000000000000)

/* How the old order counts at present, and how it counts for the check. */
struct aside {
    struct og_facts *facts;
    struct og_str id;
    og_ticket owner; /* ticket of the old order; 0 if it has no ticket, and counts by its rows in documents */
    /* the amounts that the old order adds to the sums, at present and during the check; both effects use book->order */
    struct og_effect now, then;
    struct og_money back; /* dollars added to bp for the check */
};

/* Returns true if another ticket than the owner's is for an order with this id, so that it is unknown which of the two
 * orders the broker has. */
static bool is_doubtful(struct og_book *b, size_t account, struct og_str id, og_ticket owner)
{
    for (og_ticket t = 1; t <= b->tickets; t++) {
        const struct og_reservation *r = b->ticket[t - 1];
        const struct og_order *o = r && t != owner && r->account == account ? og_book_order(b, r) : NULL;

        if (o && og_str_eq(o->client_id, id))
            return true;
    }
    return false;
}

/* Returns the buying power that the old order needs: the larger of the reserved amount and what it would need at
 * present. */
static struct og_money cost_of(struct og_book *b, const struct og_reservation *r, const struct og_order *o, int64_t now,
                               struct og_scratch *s)
{
    struct og_case c;
    struct og_money cost;

    b->order->account = og_facts_account_id(b->account[r->account]);
    og_book_case(b, o, now, s, &c);
    cost = og_book_cost(b, &c, s, true);
    if (c.margin->state != OG_MARGIN_KNOWN && c.margin->state != OG_MARGIN_NOTHING)
        return og_money_from(UNKNOWN_COST);
    return og_money_cmp(cost, r->cost) < 0 ? r->cost : cost;
}

/* Prepare how an old order with a ticket is to count during the check.  Returns false if memory runs out. */
static bool plan_ticket(struct og_book *b, int64_t now, struct og_scratch *s, struct aside *a)
{
    const struct og_reservation *r = b->ticket[a->owner - 1];
    const struct og_order *o = r ? og_book_order(b, r) : NULL;
    struct og_counted left;

    if (!o)
        return false;
    left = og_book_counted_canceled(b, r, o->quantity, cost_of(b, r, o, now, s), &a->back);
    a->now = a->then = og_book_effect(r, o);
    a->then.done = o->quantity - (left.works + left.held - r->held);
    a->then.over = true;
    a->then.trades = (struct og_traded){ .cents = 0 };
    a->then.bp_cost = left.cost;
    return true;
}

static bool swap(struct og_facts *f, const struct og_effect *from, const struct og_effect *to)
{
    og_facts_remove(f, from);
    if (og_facts_add(f, to) == OG_OK)
        return true;
    (void)og_facts_add(f, from); /* cannot fail: the same amounts were in the sums before */
    return false;
}

static void put_back(struct og_book *b, struct aside *a)
{
    (void)og_facts_recost(a->facts, og_money_from(0), a->back);
    if (a->owner) {
        (void)og_book_order(b, b->ticket[a->owner - 1]); /* the effects use book->order, which may be another by now */
        (void)swap(a->facts, &a->then, &a->now);
    } else {
        og_facts_rows_back(a->facts, a->id);
    }
}

/* Take the old order out of the sums.  Returns false, and changes nothing, if it is not known how the old order
 * counts. */
static bool set_aside(struct og_book *b, struct og_facts *f, struct og_str id, int64_t now, struct og_scratch *s,
                      struct aside *a)
{
    *a = (struct aside){ .facts = f, .id = id, .owner = og_facts_owner(f, id) };
    if (is_doubtful(b, og_book_at(b, f), id, a->owner))
        return false;
    if (!a->owner && !og_facts_rows_cost(f, id, &a->back))
        a->back = og_money_from(UNKNOWN_COST);
    if (a->owner ? !plan_ticket(b, now, s, a) || !swap(f, &a->now, &a->then) : !og_facts_rows_aside(f, id))
        return false;
    if (og_facts_recost(f, a->back, og_money_from(0)))
        return true;
    a->back = og_money_from(0);
    put_back(b, a);
    return false;
}

/* Take the orders with these ids out of the sums.  Returns how many were taken out before one could not be. */
static int set_all_aside(struct og_book *b, struct og_facts *f, const struct og_str *ids, int count, int64_t now,
                         struct og_scratch *s, struct aside *a)
{
    int done = 0;

    while (done < count && set_aside(b, f, ids[done], now, s, &a[done]))
        done++;
    return done;
}

/* Returns how much of the old order has not filled, by what the broker reported of it since it was accepted; INT64_MAX
 * if no fill was reported. */
static int64_t left_of(const struct og_book *b, const struct aside *a)
{
    const struct og_reservation *r = a->owner ? b->ticket[a->owner - 1] : NULL;
    const struct og_progress *p = r ? r->progress : NULL;

    return p && p->executed > 0 ? p->quantity - p->executed : INT64_MAX;
}

/* Decide the order. Returns false if an order with one of these ids was still counted during the decision. */
static bool decide(struct og_book *b, const struct og_order *o, const struct og_str *ids, int count, int64_t now,
                   struct og_scratch *s, struct og_case *c, struct og_decision *d)
{
    struct aside a[OG_WITHOUT_MOST];
    int done;

    og_book_case(b, o, now, s, c);
    done = set_all_aside(b, b->account[og_book_at(b, c->facts)], ids, count, now, s, a);
    og_book_case(b, o, now, s, c);
    c->aside = ids;
    c->asides = done;
    c->in_place = done == count && count == 1 && og_str_eq(ids[0], o->replaces);
    c->replaced_left = c->in_place ? left_of(b, &a[0]) : INT64_MAX;
    og_check_case(b->policy, c, s, d);
    if (c->mleg->strategy != OG_STRATEGY_NONE)
        d->strategy = og_book_strategy(c, s);
    og_book_names(b, c, s, s, d);
    for (int i = done; i-- > 0;)
        put_back(b, &a[i]);
    return done == count;
}

static bool check_without(struct og_book *b, const struct og_order *o, const struct og_str *ids, int count, int64_t now,
                          struct og_scratch *s, struct og_decision *d)
{
    struct og_case c;
    bool alone;

    og_book_look_for_halt(b);
    pthread_rwlock_wrlock(&b->lock);
    og_book_provenance(b, s, now);
    alone = decide(b, o, ids, count, now, s, &c, d);
    if (og_book_wants_exact(&c)) {
        og_book_tighten(b, og_book_at(b, c.facts), s);
        alone = decide(b, o, ids, count, now, s, &c, d);
    }
    pthread_rwlock_unlock(&b->lock);
    return alone;
}

bool og_check_replacement(struct og_book *b, const struct og_order *o, int64_t now, struct og_scratch *s,
                          struct og_decision *d)
{
    if (d)
        *d = (struct og_decision){ 0 };
    return b && o && s && d && check_without(b, o, &o->replaces, 1, now, s, d);
}

bool og_replaced_works(struct og_book *b, const struct og_order *o, int64_t now, struct og_scratch *s)
{
    const struct og_known_order *old;
    struct og_case c;
    bool works;

    if (!b || !o || !s || o->fault || o->replaces.len == 0)
        return false;
    pthread_rwlock_rdlock(&b->lock);
    og_book_case(b, o, now, s, &c);
    old = og_facts_order(c.facts, o->replaces);
    works = old && !old->over && !old->rejected;
    pthread_rwlock_unlock(&b->lock);
    return works;
}

bool og_check_without(struct og_book *b, const struct og_order *o, const char *const *ids, int count, int64_t now,
                      struct og_scratch *s, struct og_decision *d)
{
    struct og_str id[OG_WITHOUT_MOST];

    if (d)
        *d = (struct og_decision){ 0 };
    if (!b || !o || !ids || !s || !d || count < 0 || count > OG_WITHOUT_MOST)
        return false;
    for (int i = 0; i < count; i++) {
        if (!ids[i])
            return false;
        id[i] = og_str_of(ids[i]);
    }
    return check_without(b, o, id, count, now, s, d);
}
