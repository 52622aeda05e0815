/*
 * Tickets: what accepted orders reserve, moved on as their fate becomes known; and memory for more of them.
 * It refuses to lose a reservation: one that cannot be taken back exactly stays.
 */
#include "check/book.h"

#include <stdlib.h>

#include "base/banned.h"

static struct og_reservation *held(struct og_book *b, og_ticket ticket)
{
    return ticket && ticket <= b->tickets ? b->ticket[ticket - 1] : NULL;
}

/* The order of a reservation, read again into the book's own; NULL when out of memory. */
static const struct og_order *order_of(struct og_book *b, const struct og_reservation *r)
{
    return og_order_recall(b->order, r->kept, r->len) == OG_OK ? b->order : NULL;
}

static void end(struct og_book *b, og_ticket ticket)
{
    og_slab_free(&b->slab, b->ticket[ticket - 1]);
    b->ticket[ticket - 1] = NULL;
}

static struct og_effect effect_of(const struct og_reservation *r, const struct og_order *o)
{
    return (struct og_effect){ .order = o, .bp_cost = r->cost, .bound = r->bound, .value = r->value };
}

static enum og_status reapply_one(struct og_book *b, const struct og_reservation *r)
{
    const struct og_order *o = order_of(b, r);
    struct og_effect e = effect_of(r, o);
    enum og_status s = o ? og_facts_add(b->account[r->account], &e) : OG_ENOMEM;

    if (!s && r->state == OG_TICKET_FILLED)
        s = og_facts_fill(b->account[r->account], &e);
    return s;
}

enum og_status og_book_reapply(struct og_book *b, size_t account, bool positions_named)
{
    enum og_status s = OG_OK;

    for (og_ticket t = 1; t <= b->tickets && !s; t++) {
        struct og_reservation *r = held(b, t);

        if (!r || r->account != account)
            continue;
        if (r->state == OG_TICKET_FILLED && positions_named)
            end(b, t); /* the new positions have it */
        else
            s = reapply_one(b, r);
    }
    return s;
}

/* ---- room ---- */

enum { PIECES = 3 };

/* How many regions of a size are to be at hand: two maps may grow alike. */
static int count_of(size_t size, const size_t *bytes, int count)
{
    int all = size == OG_PAGES_SIZE ? PIECES : 0;

    for (int i = 0; i < count; i++)
        all += bytes[i] == size;
    return all;
}

/* Reservations and what facts keep of them grow by pieces of OG_PAGES_SIZE; maps double. */
bool og_book_make_room(struct og_book *b)
{
    size_t bytes[OG_FACTS_WANTS];
    int count = 0;
    bool made;

    pthread_rwlock_rdlock(&b->lock);
    for (size_t i = 0; i < b->accounts && !count; i++)
        count = og_facts_wants(b->account[i], bytes);
    pthread_rwlock_unlock(&b->lock);
    made = og_pages_make_ready(OG_PAGES_SIZE, PIECES);
    for (int i = 0; i < count && !made; i++)
        made = og_pages_make_ready(bytes[i], count_of(bytes[i], bytes, count));
    return made;
}

/* ---- bounds to amounts ---- */

static bool is_working(const struct og_reservation *r, size_t account)
{
    return r && r->account == account && r->state != OG_TICKET_FILLED;
}

static void take_back(struct og_book *b, const struct og_reservation *r)
{
    const struct og_order *o = order_of(b, r);
    const struct og_effect e = effect_of(r, o);

    if (o)
        og_facts_remove(b->account[r->account], &e);
}

static void put_exactly(struct og_book *b, struct og_reservation *r, struct og_scratch *s)
{
    const struct og_order *o = order_of(b, r);
    struct og_effect e = effect_of(r, o);
    struct og_case c;

    if (o && r->bound) {
        b->order->account = og_facts_account_id(b->account[r->account]);
        og_book_case(b, o, r->at, s, &c);
        e.bp_cost = r->cost = og_book_cost(b, &c, s, true);
        e.bound = r->bound = false;
    }
    if (o) /* it was there, so there is room, and it fits */
        (void)og_facts_add(b->account[r->account], &e);
}

void og_book_tighten(struct og_book *b, size_t account, struct og_scratch *s)
{
    for (og_ticket t = b->tickets; t > 0; t--)
        if (is_working(held(b, t), account))
            take_back(b, held(b, t));
    for (og_ticket t = 1; t <= b->tickets; t++)
        if (is_working(held(b, t), account))
            put_exactly(b, held(b, t), s);
    og_facts_tighten(b->account[account]);
}

/* What fills is held from then on, and what bounds stand for is to be told as it was before. */
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

/* ---- what becomes of them ---- */

void og_ticket_sent(struct og_book *b, og_ticket ticket)
{
    struct og_reservation *r;

    pthread_rwlock_wrlock(&b->lock);
    r = held(b, ticket);
    if (r && r->state == OG_TICKET_HELD) {
        r->state = OG_TICKET_SENT;
        og_facts_count_fate(b->account[r->account], false);
    }
    pthread_rwlock_unlock(&b->lock);
}

enum og_status og_ticket_fill(struct og_book *b, og_ticket ticket)
{
    struct og_reservation *r;
    const struct og_order *o;
    struct og_effect e;
    enum og_status s = OG_OK;

    pthread_rwlock_wrlock(&b->lock);
    r = held(b, ticket);
    if (r && r->state != OG_TICKET_FILLED && (s = tighten_for(b, r)) == OG_OK) {
        o = order_of(b, r);
        e = effect_of(r, o);
        s = o ? og_facts_fill(b->account[r->account], &e) : OG_ENOMEM;
        if (!s)
            r->state = OG_TICKET_FILLED;
    }
    pthread_rwlock_unlock(&b->lock);
    return s;
}

void og_ticket_rejected(struct og_book *b, og_ticket ticket)
{
    struct og_reservation *r;

    pthread_rwlock_wrlock(&b->lock);
    r = held(b, ticket);
    if (r && r->state != OG_TICKET_FILLED) {
        r->state = OG_TICKET_SENT; /* its id is used for good */
        og_facts_count_fate(b->account[r->account], true);
    }
    pthread_rwlock_unlock(&b->lock);
    og_ticket_release(b, ticket);
}

void og_ticket_release(struct og_book *b, og_ticket ticket)
{
    struct og_reservation *r;
    const struct og_order *o;

    pthread_rwlock_wrlock(&b->lock);
    r = held(b, ticket);
    o = r && r->state != OG_TICKET_FILLED ? order_of(b, r) : NULL;
    if (o && (r->state != OG_TICKET_SENT ||
              og_facts_use_id(b->account[r->account], o->client_id, OG_ID_ACCEPTED) == OG_OK)) {
        take_back(b, r);
        end(b, ticket);
    }
    pthread_rwlock_unlock(&b->lock);
}
