/*
 * The orders that are followed, found by account and id.
 */
#include <stdlib.h>

#include "base/hash.h"
#include "send/sender.h"

#define BUCKETS_FIRST 256u

struct og_order_table {
    struct og_tracked **bucket;
    size_t buckets, count;
};

size_t og_orders_hash(struct og_str id)
{
    return (size_t)og_hash(id, 0);
}

struct og_order_table *og_orders_new(void)
{
    struct og_order_table *t = calloc(1, sizeof *t);

    if (!t || !(t->bucket = calloc(BUCKETS_FIRST, sizeof(struct og_tracked *)))) {
        free(t);
        return NULL;
    }
    t->buckets = BUCKETS_FIRST;
    return t;
}

void og_orders_free(struct og_order_table *t)
{
    if (!t)
        return;
    free(t->bucket);
    free(t);
}

static void grow(struct og_order_table *t)
{
    struct og_tracked **more = calloc(t->buckets * 2, sizeof(struct og_tracked *));

    if (!more)
        return; /* out of memory: keep the smaller table, in which chains are longer */
    for (size_t i = 0; i < t->buckets; i++) {
        struct og_tracked *o, *next;

        for (o = t->bucket[i]; o; o = next) {
            size_t at = og_orders_hash(og_str_of(o->id)) % (t->buckets * 2);

            next = o->next_in_bucket;
            o->next_in_bucket = more[at];
            more[at] = o;
        }
    }
    free(t->bucket);
    t->bucket = more;
    t->buckets *= 2;
}

struct og_tracked *og_orders_add(struct og_sender *s, struct og_account_state *a, struct og_str id)
{
    struct og_order_table *t = s->table;
    struct og_tracked *o = calloc(1, sizeof *o);
    size_t at;

    if (!o || !(o->id = strndup(id.s, id.len))) {
        free(o);
        return NULL;
    }
    if (t->count >= t->buckets)
        grow(t);
    at = og_orders_hash(id) % t->buckets;
    o->next_in_bucket = t->bucket[at];
    t->bucket[at] = o;
    t->count++;
    o->sender = s;
    o->account = a;
    o->line.give_up_ms = o->look.next_ms = INT64_MAX;
    o->at = &s->orders;
    o->next = s->orders;
    if (o->next)
        o->next->at = &o->next;
    s->orders = o;
    og_send_heard_of(s, a, id);
    return o;
}

struct og_tracked *og_orders_find(struct og_sender *s, const struct og_account_state *a, struct og_str id)
{
    struct og_tracked *o = s->table->bucket[og_orders_hash(id) % s->table->buckets];

    while (o && (o->account != a || !og_str_is(id, o->id)))
        o = o->next_in_bucket;
    return o;
}

void og_orders_renamed(struct og_tracked *o)
{
    o->sender->renamed |= o->execution.broker_id != NULL;
}

static struct og_tracked *find_adopted(struct og_account_state *a, struct og_str row_id)
{
    struct og_tracked *o = a->sender->renamed ? a->sender->orders : NULL;

    while (o && (o->account != a || !o->execution.broker_id || !og_str_is(row_id, o->execution.broker_id)))
        o = o->next;
    return o;
}

/* Find the order whose id the broker rewrote when it rejected the order, which is rare. If the row's id is that of a
 * followed order, the broker did not rewrite it. */
static struct og_tracked *find_rewritten(struct og_account_state *a, const struct og_order_row *row)
{
    struct og_tracked *o = a->sender->orders;

    if (row->status != OG_ST_REJECTED || !memmem(row->client_order_id.s, row->client_order_id.len, "INVALID", 7) ||
        og_send_is_known(a, row->client_order_id))
        return NULL;
    while (o && (o->account != a || o->external || !og_execution_owns(&o->execution, og_str_of(o->id), row)))
        o = o->next;
    return o;
}

struct og_tracked *og_orders_of_row(struct og_account_state *a, const struct og_order_row *row)
{
    struct og_tracked *by_id, *o = NULL;

    if (row->client_order_id.len == 0)
        return NULL;
    by_id = og_orders_find(a->sender, a, row->client_order_id);
    /* the order found by its id may be followed as somebody else's, because the broker gave our order that id */
    if (!by_id || by_id->external)
        o = find_adopted(a, row->client_order_id);
    if (!o)
        o = by_id;
    return o ? o : find_rewritten(a, row);
}

void og_orders_remove(struct og_tracked *o)
{
    struct og_order_table *t = o->sender->table;
    struct og_tracked **p = &t->bucket[og_orders_hash(og_str_of(o->id)) % t->buckets];

    while (*p != o)
        p = &(*p)->next_in_bucket;
    *p = o->next_in_bucket;
    t->count--;
    if (o->next)
        o->next->at = o->at;
    *o->at = o->next;
    og_execution_clear(&o->execution);
    free(o->id);
    free(o->post.traded);
    free(o->post.tag);
    free(o->post.body);
    free(o->leave.why);
    free(o);
}
