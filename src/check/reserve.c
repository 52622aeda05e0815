/*
 * Makes a reservation: the amounts that an order uses until it ends, be it accepted here or sent by another program.
 * Also prepares memory for more reservations.  A reservation is made as a whole or not at all.
 */
#include "base/grow.h"
#include "check/book.h"

/* Append the values of the closing legs to the packed order, aligned.  *len: length of the packed order without these
 * values. Returns false if memory runs out. */
static bool keep_closes(struct og_buf *kept, const int64_t *closes, size_t *len)
{
    static const char nothing[sizeof *closes];
    const size_t over = (offsetof(struct og_reservation, kept) + kept->len) % sizeof *closes;

    *len = kept->len;
    if (!closes)
        return true;
    if (over)
        og_buf_bytes(kept, nothing, sizeof *closes - over);
    og_buf_bytes(kept, (const char *)closes, OG_LEGS_KEPT * sizeof *closes);
    return !kept->bad;
}

/* What an accepted order needs; `effect` points to `cash` and `closes`. */
struct needs {
    struct og_effect effect;
    struct og_order_cash cash;
    int64_t may_trade, closes[OG_LEGS_KEPT];
};

static void needs_of(const struct og_book *b, const struct og_case *c, struct og_scratch *scratch, struct needs *n)
{
    int64_t value, sold;
    const int64_t may_trade = og_book_amounts(c, &value, &sold);
    const struct og_money cost = og_book_cost(b, c, scratch, false); /* sets c->margin->bounded */

    n->may_trade = may_trade;
    n->effect = (struct og_effect){ .order = c->order,
                                    .bp_cost = cost,
                                    .bound = c->margin->bounded,
                                    .value = value,
                                    .sold = sold,
                                    .trades = og_facts_trades_of(c->order, c->order->quantity, may_trade),
                                    .hashes = c->hashes,
                                    .holding = c->holding,
                                    .cash = &n->cash,
                                    .mleg = c->mleg };
    if (c->order->security == OG_MLEG && !c->mleg->all_open && og_book_closes(c, n->closes))
        n->effect.closes = n->closes;
    n->cash = og_facts_cash_of(&n->effect, c->order->quantity);
}

/* Make the reservation of an order. made: as in struct og_reservation; 0 if loaded documents may show the order
 * already. */
static enum og_status reserve_one(struct og_book *b, const struct og_case *c, struct og_scratch *scratch, uint32_t made,
                                  og_ticket *ticket)
{
    struct og_reservation *r = NULL;
    struct needs n;
    struct og_effect *const effect = &n.effect;
    size_t len;
    enum og_status s = OG_ENOMEM;

    needs_of(b, c, scratch, &n);
    effect->ticket = made ? (uint32_t)(b->tickets + 1) : 0;
    og_buf_reset(&b->kept);
    if (og_order_pack(c->order, &b->kept) && keep_closes(&b->kept, effect->closes, &len) &&
        OG_GROW(b->ticket, b->tickets, b->ticket_room, 64) &&
        (r = og_slab_alloc(&b->slab, offsetof(struct og_reservation, kept) + b->kept.len))) {
        r->state = OG_TICKET_HELD;
        r->account = (uint32_t)og_book_at(b, c->facts);
        r->cost = effect->bp_cost;
        r->bound = effect->bound;
        r->ended = r->let_go = r->unknown = false;
        r->at = c->now;
        r->progress = NULL;
        r->counted = r->cost;
        r->works = r->open = c->order->quantity;
        r->may_trade = n.may_trade;
        r->held = r->paid = 0;
        r->pays = n.cash.pays != 0;
        r->made = made;
        r->value = effect->value;
        r->sold = effect->sold;
        r->len = (uint32_t)len;
        r->closes_at = effect->closes ? (uint32_t)(b->kept.len - sizeof n.closes) : 0;
        r->bits = og_working_bits(c->order, c->hashes);
        memcpy(r->kept, b->kept.s, b->kept.len);
        s = og_facts_add(b->account[r->account], effect);
    }
    if (!s && ((s = og_facts_replaces(b->account[r->account], c->order)) != OG_OK ||
               (s = og_facts_date_fills(b->account[r->account], c->now)) != OG_OK ||
               (s = og_facts_count_sent(b->account[r->account], c->order, c->tag.is, c->hashes, c->now,
                                        c->eastern.date)) != OG_OK)) {
        og_facts_replaces_not(b->account[r->account], c->order);
        og_facts_remove(b->account[r->account], effect);
    }
    if (s) {
        og_slab_free(&b->slab, r);
        return s;
    }
    r->sent_at = og_facts_sent_at(b->account[r->account]);
    b->ticket[b->tickets++] = r;
    og_book_note_symbols(b, c->order, c->hashes);
    *ticket = b->tickets;
    return OG_OK;
}

enum og_status og_book_reserve(struct og_book *b, const struct og_case *c, struct og_scratch *scratch,
                               og_ticket *ticket)
{
    return reserve_one(b, c, scratch, og_facts_takes(c->facts), ticket);
}

enum og_status og_book_reserve_other(struct og_book *b, const struct og_case *c, struct og_scratch *scratch,
                                     og_ticket *ticket)
{
    enum og_status s = reserve_one(b, c, scratch, 0, ticket);

    if (!s) {
        og_book_value_new(b, *ticket);
        og_book_own_row(b, *ticket);
    }
    return s;
}

void og_book_unreserve(struct og_book *b, const struct og_order *o, const struct og_sent_mark *sent,
                       const struct og_dearest_mark *dearest)
{
    struct og_reservation *r = b->ticket[b->tickets - 1];
    struct og_facts *f = b->account[r->account];
    const struct og_effect e = og_book_effect(r, o);

    og_facts_remove(f, &e);
    og_facts_dearest_back(f, o, dearest);
    (void)og_facts_own_id(f, o->client_id, 0); /* cannot fail: an order is not accepted if a row has its id */
    og_facts_uncount_sent(f, sent);
    og_slab_free(&b->slab, r);
    b->ticket[--b->tickets] = NULL;
}

/* --- preparing memory --------------------------------------------------------------------------------------------- */

enum { PIECES = 3 };

/* Returns how many regions of this size to prepare: two maps may grow to the same size. */
static int count_of(size_t size, const size_t *bytes, int count)
{
    int all = size == OG_HUGE_PAGE_SIZE ? PIECES : 0;

    for (int i = 0; i < count; i++)
        all += bytes[i] == size;
    return all;
}

/* Prepare memory for the growth to come: the memory of reservations, and of what facts record for each, grows by pieces
 * of OG_HUGE_PAGE_SIZE; maps double. */
bool og_book_make_room(struct og_book *b)
{
    size_t bytes[OG_FACTS_WANTS];
    int count = 0;
    bool made;

    if (!b)
        return false;
    pthread_rwlock_rdlock(&b->lock);
    for (size_t i = 0; i < b->accounts && !count; i++)
        count = og_facts_wants(b->account[i], bytes);
    pthread_rwlock_unlock(&b->lock);
    made = og_huge_pages_prefault(OG_HUGE_PAGE_SIZE, PIECES);
    for (int i = 0; i < count && !made; i++)
        made = og_huge_pages_prefault(bytes[i], count_of(bytes[i], bytes, count));
    return made;
}
