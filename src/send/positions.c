/*
 * Positions that changed without an order: an assignment, an exercise, an expiry, a trade made elsewhere.  What is held is
 * held against what was held before and what orders filled since.
 * It refuses to cry wolf: fills and positions come in either order, so a difference is told when two readings of positions
 * and orders agree on it and nothing of it may still be on its way.
 */
#include "send/sender.h"

#include <stdlib.h>

#include "text/doc.h"
#include "wire/read.h"

#include "base/banned.h"

#define BUCKETS 1024u
#define LAG_NS UINT64_C(3000000000) /* how far a fill and its position may be apart when they are heard */
#define LAG_LOOPBACK_NS UINT64_C(200000000)
#define LOOK_EVERY_MS 2000          /* while nothing else wants a reading */
#define IDLE_LOOK_MS 10000          /* when nobody asks for anything, and the stream told nothing */

/* What an order filled as far as was heard; only orders that filled. */
struct done {
    struct done *next;
    struct og_money executed;
    char id[];
};

/* A symbol: held at the last agreement, and since. */
struct held {
    struct held *next;
    struct og_money base, now;
    struct og_money moved; /* by orders of this run */
    struct og_money doubt; /* by orders of others, of which base may have some already */
    uint64_t moved_at;     /* uv_hrtime() */
    bool suspect;          /* the last reading did not agree */
    struct og_money suspect_now, suspect_moved;
    uint64_t suspect_at;
    char symbol[];
};

/* An order filled that does not say what of: a multi-leg order of the underlying, or ("") a short row. */
struct legs {
    struct legs *next;
    uint64_t at;
    char root[];
};

struct og_positions {
    struct held *held;
    struct legs *legs;
    struct done *done[BUCKETS];
    bool based; /* there was a first reading */
    bool due;   /* something changed that no reading agreed on yet */
    int64_t next_ms, idle_ms; /* loop time: of the next look when due, and when not */
};

static uint64_t lag_ns(const struct og_sender *s)
{
    return s->settings.loopback ? LAG_LOOPBACK_NS : LAG_NS;
}

static struct og_money plus(struct og_money a, struct og_money b)
{
    struct og_money sum;

    return og_money_add(a, b, &sum) ? sum : a;
}

static struct og_money minus(struct og_money a, struct og_money b)
{
    struct og_money rest;

    return og_money_sub(a, b, &rest) ? rest : a;
}

static bool same(struct og_money a, struct og_money b)
{
    return og_money_cmp(a, b) == 0;
}

static struct og_positions *positions_of(struct og_account_state *a)
{
    if (a->positions == NULL)
        a->positions = calloc(1, sizeof(*a->positions));
    return a->positions; /* without memory nothing is told */
}

static struct held *held_of(struct og_positions *p, struct og_str symbol)
{
    struct held *h = p->held;

    while (h != NULL && !og_str_is(symbol, h->symbol))
        h = h->next;
    if (h != NULL || (h = calloc(1, sizeof(*h) + symbol.len + 1)) == NULL)
        return h;
    memcpy(h->symbol, symbol.s, symbol.len);
    h->next = p->held;
    p->held = h;
    return h;
}

static struct og_str traded(const struct og_order_row *row)
{
    return row->traded_symbol.len > 0 ? row->traded_symbol : row->symbol;
}

/* --- what orders fill ------------------------------------------------------------------------------------------- */

/* How much more it filled than was heard before. */
static struct og_money news_of(struct og_positions *p, struct og_str id, struct og_money executed)
{
    struct done **at = &p->done[og_orders_hash(id) % BUCKETS], *d;
    struct og_money before;

    for (d = *at; d != NULL && !og_str_is(id, d->id); d = d->next)
        continue;
    if (d == NULL) {
        if ((d = calloc(1, sizeof(*d) + id.len + 1)) == NULL)
            return og_money_from(0);
        memcpy(d->id, id.s, id.len);
        d->next = *at;
        *at = d;
    }
    before = d->executed;
    if (og_money_cmp(executed, before) <= 0)
        return og_money_from(0);
    d->executed = executed;
    return minus(executed, before);
}

static void doubt_root(struct og_positions *p, struct og_str root)
{
    struct legs *l = p->legs;

    while (l != NULL && !og_str_is(root, l->root))
        l = l->next;
    if (l == NULL) {
        if ((l = calloc(1, sizeof(*l) + root.len + 1)) == NULL)
            return;
        if (root.len > 0)
            memcpy(l->root, root.s, root.len);
        l->next = p->legs;
        p->legs = l;
    }
    l->at = uv_hrtime();
}

void og_send_moved(struct og_account_state *a, const struct og_order_row *row)
{
    struct og_positions *p = positions_of(a);
    const struct og_tracked *o;
    struct og_money by;
    struct held *h;

    if (p == NULL || row->client_order_id.len == 0 || !row->has_executed || row->executed.coef <= 0)
        return;
    by = news_of(p, row->client_order_id, row->executed);
    if (by.coef == 0 || !p->based)
        return;
    p->due = true;
    if (row->leg_count > 0 || row->legs > 0 || row->mleg_id.len > 0 || row->side.len == 0 || traded(row).len == 0) {
        doubt_root(p, row->symbol); /* of a row that does not say its symbol: any */
        return;
    }
    if ((h = held_of(p, traded(row))) == NULL)
        return;
    h->moved_at = uv_hrtime();
    o = og_orders_of_row(a->sender, a, row->client_order_id);
    if (o == NULL || o->external || o->recovered)
        h->doubt = plus(h->doubt, by);
    else
        h->moved = og_str_is(row->side, "Buy") ? plus(h->moved, by) : minus(h->moved, by);
}

/* --- what is held ----------------------------------------------------------------------------------------------- */

void og_send_held(struct og_account_state *a, const cJSON *list)
{
    struct og_positions *p = positions_of(a);
    const cJSON *item;

    if (p == NULL || list == NULL)
        return;
    for (struct held *h = p->held; h != NULL; h = h->next)
        h->now = og_money_from(0);
    cJSON_ArrayForEach(item, list)
    {
        struct og_str symbol = { NULL, 0 }, side = { NULL, 0 };
        struct og_money shares;
        struct held *h;

        if ((!og_doc_str(item, "tradedSymbol", &symbol) || symbol.len == 0) && !og_doc_str(item, "symbol", &symbol))
            continue;
        if (!og_doc_money(item, "shares", &shares) || !og_doc_str(item, "side", &side) || (h = held_of(p, symbol)) == NULL)
            continue;
        if (shares.coef < 0)
            shares = minus(og_money_from(0), shares);
        h->now = og_str_is(side, "Short") ? minus(h->now, shares) : plus(h->now, shares);
    }
}

/* --- do they agree? --------------------------------------------------------------------------------------------- */

/* An order of ours on the symbol whose fills may not have been heard: it is asked about. */
static bool may_have_filled(struct og_account_state *a, const struct held *h)
{
    bool may = false;

    for (struct og_tracked *o = a->sender->orders; o != NULL; o = o->next) {
        bool open = o->fate.state == OG_INTENDED || o->fate.state == OG_POSTED || o->fate.state == OG_UNKNOWN ||
                    (o->fate.state == OG_WORKING && o->absent_listed);

        if (o->account != a || o->external || !open)
            continue;
        if (o->traded == NULL || strcmp(o->traded, h->symbol) == 0)
            may = true;
    }
    return may;
}

/* An underlying's contracts, and itself. */
static bool is_of_legs(const struct og_positions *p, const struct held *h)
{
    const struct legs *l = p->legs;

    while (l != NULL && strncmp(h->symbol, l->root, strlen(l->root)) != 0)
        l = l->next;
    return l != NULL;
}

static void agree(struct held *h)
{
    h->base = h->now;
    h->moved = h->doubt = og_money_from(0);
    h->suspect = false;
}

static void suspect(struct held *h, uint64_t began)
{
    if (h->suspect && same(h->suspect_now, h->now) && same(h->suspect_moved, h->moved))
        return;
    h->suspect = true;
    h->suspect_now = h->now;
    h->suspect_moved = h->moved;
    h->suspect_at = began;
}

/* false: a later reading has to say. */
static bool compare(struct og_account_state *a, struct held *h, uint64_t began)
{
    struct og_money off = minus(minus(h->now, h->base), h->moved);
    uint64_t quiet_from = h->moved_at + lag_ns(a->sender);

    if (is_of_legs(a->positions, h)) { /* whatever they did */
        h->base = minus(h->now, h->moved);
        return true;
    }
    if (off.coef < 0)
        off = minus(og_money_from(0), off);
    if (og_money_cmp(off, h->doubt) <= 0) {
        if (h->doubt.coef != 0 && quiet_from >= began)
            return false;
        agree(h);
        return true;
    }
    suspect(h, began);
    if (h->suspect_at == began || quiet_from >= h->suspect_at || may_have_filled(a, h))
        return false;
    og_send_tell_position(a, h->symbol, h->base, h->moved, h->now);
    agree(h);
    return true;
}

static void forget_legs(struct og_positions *p, uint64_t quiet_before)
{
    struct legs **at = &p->legs;

    while (*at != NULL) {
        struct legs *l = *at;

        if (l->at >= quiet_before) {
            at = &l->next;
            continue;
        }
        *at = l->next;
        free(l);
    }
}

void og_send_compare_positions(struct og_account_state *a, uint64_t began)
{
    struct og_positions *p = positions_of(a);
    bool all = true;

    if (p == NULL)
        return;
    for (struct held *h = p->held; h != NULL; h = h->next) {
        if (p->based)
            all = compare(a, h, began) && all;
        else
            agree(h);
    }
    forget_legs(p, began - lag_ns(a->sender));
    p->based = true;
    p->due = !all || p->legs != NULL;
    p->idle_ms = og_send_ms(a->sender) + IDLE_LOOK_MS;
}

/* --- when to look ----------------------------------------------------------------------------------------------- */

void og_send_position_pushed(struct og_account_state *a)
{
    struct og_positions *p = positions_of(a);

    if (p != NULL)
        p->due = true;
}

void og_send_look_at_positions(struct og_account_state *a)
{
    struct og_positions *p = a->positions;
    int64_t now = og_send_ms(a->sender);

    if (p == NULL || !a->stream_ready || now < (p->due ? p->next_ms : p->idle_ms))
        return;
    p->next_ms = now + LOOK_EVERY_MS;
    p->idle_ms = now + IDLE_LOOK_MS;
    a->dirty = true;
    og_send_account_look(a);
}

void og_send_positions_free(struct og_account_state *a)
{
    struct og_positions *p = a->positions;

    if (p == NULL)
        return;
    while (p->held != NULL) {
        struct held *h = p->held;

        p->held = h->next;
        free(h);
    }
    while (p->legs != NULL) {
        struct legs *l = p->legs;

        p->legs = l->next;
        free(l);
    }
    for (size_t i = 0; i < BUCKETS; i++)
        while (p->done[i] != NULL) {
            struct done *d = p->done[i];

            p->done[i] = d->next;
            free(d);
        }
    free(p);
}
