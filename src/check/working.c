/*
 * Names the working orders that a finding is about: rows of documents, and the orders of this book's tickets, which
 * documents may not show yet.
 */
#include "check/book.h"
#include "facts/map.h"

struct names {
    const struct og_case *c;
    struct og_str *id;
    int room, named, count;
};

static bool is_aside(const struct og_case *c, struct og_str id)
{
    for (int i = 0; i < c->asides; i++)
        if (og_str_eq(c->aside[i], id))
            return true;
    return c->again && og_str_eq(id, c->order->client_id);
}

static void put(struct names *n, struct og_str id)
{
    if (id.len && is_aside(n->c, id))
        return;
    n->count++;
    for (int i = 0; i < n->named; i++) {
        if (og_str_eq(n->id[i], id)) { /* another leg of the same spread */
            n->count--;
            return;
        }
    }
    if (id.len && n->named < n->room)
        n->id[n->named++] = id;
}

static bool works(const struct og_reservation *r, size_t account)
{
    return r && r->account == account && r->works > 0 && !r->ended;
}

/* Returns true if the ticket's order is a working order of the account. */
static bool is_working(const struct og_book *b, og_ticket ticket, size_t account)
{
    return ticket && ticket <= b->tickets && works(b->ticket[ticket - 1], account);
}

static uint64_t *bits_on(struct og_book *b, size_t block, uint64_t symbol)
{
    return &b->on_symbol.block[block % OG_TICKET_BLOCKS][symbol % OG_SYMBOL_HASHES];
}

void og_book_note_symbols(struct og_book *b, const struct og_order *o, struct og_lookup_keys *k)
{
    const size_t index = b->tickets - 1, block = index / 64;
    const uint64_t bit = UINT64_C(1) << index % 64;
    bool unsaid = o->security != OG_MLEG && og_opens(o->open_close) < 0;

    if (index % 64 == 0) /* the block has bits of older tickets */
        memset(bits_on(b, block, 0), 0, sizeof b->on_symbol.block[0]);
    *bits_on(b, block, og_lookup_keys_symbol(k, o)) |= bit;
    if (o->security == OG_MLEG) {
        og_lookup_keys_need(k, o, OG_HASH_OF_LEGS);
        for (int i = 0; i < o->legs_kept; i++) {
            *bits_on(b, block, k->leg[i]) |= bit;
            unsaid |= og_opens(o->leg[i].open_close) < 0;
        }
    }
    if (unsaid)
        b->on_symbol.unsaid = b->tickets;
}

/* Returns true if the search may end: the number of orders is known, and all are found or `room` of them are named; or
 * more were found than are counted. */
static bool is_enough(const struct names *n, int64_t count)
{
    return count < 0 ? n->count > OG_WORKING_COUNTED : n->named == n->room || n->count >= count;
}

/* Put the order of a ticket if it works, `of` describes it, and documents do not show it. */
static void put_ticket(struct names *n, const struct og_working_of *of, const struct og_reservation *r, size_t account)
{
    struct og_order o;

    if (works(r, account) && og_order_peek(&o, r->kept) && og_working_is(of, &o) &&
        !og_facts_order(n->c->facts, o.client_id))
        put(n, o.client_id);
}

/* Put the orders of the newest tickets that documents do not show. */
static void put_tickets(struct names *n, const struct og_working_of *of, int64_t count, size_t account)
{
    const struct og_book *b = n->c->book;
    const size_t all = b->tickets, first = all > OG_TICKETS_SEARCHED ? all - OG_TICKETS_SEARCHED : 0;
    const size_t end = of->kind == OG_WORKING_MAY_OPEN && b->on_symbol.unsaid < all ? b->on_symbol.unsaid : all;
    uint64_t bits, symbol;

    if (end <= first)
        return;
    bits = og_working_bits_of(of);
    symbol = og_facts_map_hash(of->symbol);
    for (size_t block = (end + 63) / 64; block-- > first / 64;) {
        uint64_t left = b->on_symbol.block[block % OG_TICKET_BLOCKS][symbol % OG_SYMBOL_HASHES];

        while (left) {
            const unsigned bit = 63 - (unsigned)__builtin_clzll(left);
            const size_t i = block * 64 + bit;
            const struct og_reservation *r = i >= first && i < end ? b->ticket[i] : NULL;

            left &= ~(UINT64_C(1) << bit);
            if (!r || bits & ~r->bits)
                continue;
            if (is_enough(n, count))
                return;
            put_ticket(n, of, r, account);
        }
    }
}

int og_check_working(const struct og_case *c, const struct og_working_of *of, int64_t count, struct og_str *id,
                     int room, int *named)
{
    struct names n = { .c = c, .id = id, .room = room };
    struct og_working_at at = { .row = NULL };
    const size_t account = og_book_at(c->book, c->facts);

    while (!is_enough(&n, count) && og_facts_working_next(c->facts, of, &at))
        if (!at.ticket || (!at.in_flight && is_working(c->book, at.ticket, account)))
            put(&n, at.id);
    put_tickets(&n, of, count, account);
    *named = n.named;
    return n.count;
}
