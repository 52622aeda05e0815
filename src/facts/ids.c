/*
 * The clientOrderIds that were used: by this run, by orders in documents, by the sender.  Entries are never deleted:
 * after an order is released, its id is free again, but the entry stays.
 */
#include "base/attributes.h"
#include "facts/data.h"
#include "facts/facts_book.h"

/* Continue the search after an entry that has the same hash and another id.  The position is passed by value, so that
 * callers keep it in a register. */
static OG_COLD struct og_id_entry *id_further(const struct og_facts_map *m, struct og_str id, uint64_t hash, size_t at)
{
    struct og_id_entry *e;

    while ((e = og_facts_map_walk(m, hash, &at)) && !og_str_same(og_facts_id_text(e), id))
        continue;
    return e;
}

static inline struct og_id_entry *id_in(const struct og_facts_map *m, struct og_str id, uint64_t hash, size_t *at)
{
    struct og_id_entry *e;

    *at = og_facts_map_first(m, hash);
    e = og_facts_map_walk(m, hash, at);
    return !e || og_str_same(og_facts_id_text(e), id) ? e : id_further(m, id, hash, *at);
}

OG_HOT struct og_id_entry *og_facts_id_find(const struct og_facts_map *m, struct og_str id, uint64_t hash)
{
    size_t at;

    return id_in(m, id, hash, &at);
}

OG_HOT struct og_id_entry *og_facts_id_entry(struct og_facts_map *m, struct og_str id, uint64_t hash)
{
    size_t at;
    struct og_id_entry *e = id_in(m, id, hash, &at);

    if (e)
        return e;
    e = id.len <= UINT32_MAX ? og_facts_map_add(m, hash, at, offsetof(struct og_id_entry, id) + id.len) : NULL;
    if (!e)
        return NULL;
    og_str_copy(e->id, id);
    e->len = (uint32_t)id.len;
    return e;
}

enum og_id_use og_facts_surer(enum og_id_use a, enum og_id_use b)
{
    if (a == OG_ID_FREE || b == OG_ID_FREE)
        return a == OG_ID_FREE ? b : a;
    return a < b ? a : b; /* the values of the enum are sorted from most to least certain */
}

/* Returns the entry of an id in the map of a part; NULL if the part lacks the id or is unknown. */
static inline const struct og_id_entry *told_by(const struct og_facts *f, int at, struct og_str id, uint64_t hash)
{
    return f->part[at] && f->part[at]->map.count ? og_facts_id_find(&f->part[at]->map, id, hash) : NULL;
}

static OG_HOT OG_NOINLINE enum og_id_use use_of(const struct og_facts *f, struct og_str id, uint64_t hash)
{
    const struct og_id_entry *e = f->ids.count ? og_facts_id_find(&f->ids, id, hash) : NULL;
    enum og_id_use use = !e ? OG_ID_FREE : e->effects ? OG_ID_ACCEPTED : e->use;

    if ((e = told_by(f, OG_AT_USED_IDS, id, hash)) != NULL)
        use = og_facts_surer(use, e->use);
    if ((e = told_by(f, OG_AT_CALLS, id, hash)) != NULL)
        use = og_facts_surer(use, e->use);
    return use;
}

OG_HOT enum og_id_use og_facts_id_by(const struct og_facts *f, struct og_str client_order_id, uint64_t hash)
{
    bool any = f->ids.count || f->known & (OG_FACT_USED_IDS | OG_FACT_CALLS);

    return any ? use_of(f, client_order_id, hash) : OG_ID_FREE;
}

enum og_id_use og_facts_id(const struct og_facts *f, struct og_str client_order_id)
{
    return og_facts_id_by(f, client_order_id, og_facts_map_hash(client_order_id));
}

const struct og_known_order *og_facts_order(const struct og_facts *f, struct og_str client_order_id)
{
    const struct og_part *p = f->part[OG_AT_ORDERS];
    const struct og_id_entry *e =
        p ? og_facts_id_find(&p->map, client_order_id, og_facts_map_hash(client_order_id)) : NULL;

    return e ? e->order : NULL;
}

enum og_status og_facts_use_id(struct og_facts *f, struct og_str id, enum og_id_use use)
{
    struct og_id_entry *e;

    if (!id.len || use == OG_ID_FREE)
        return OG_OK;
    e = og_facts_id_entry(&f->ids, id, og_facts_map_hash(id));
    if (!e)
        return OG_ENOMEM;
    e->use = og_facts_surer(e->use, use);
    e->pending = false;
    return OG_OK;
}

uint32_t og_facts_owner(const struct og_facts *f, struct og_str id)
{
    const struct og_id_entry *e = id.len ? og_facts_id_find(&f->ids, id, og_facts_map_hash(id)) : NULL;

    return e && e->ticket != OG_ROWS_OVER ? e->ticket : 0;
}

/* --- orders that were replaced ------------------------------------------------------------------------------------ */

struct og_str og_facts_replaced_by(const struct og_facts *f, struct og_str old)
{
    const struct og_replaced_entry *e = f->replaced.count ? og_facts_map_get(&f->replaced, old) : NULL;

    return e ? e->by : (struct og_str){ NULL, 0 };
}

/* Returns NULL if memory runs out. */
static struct og_replaced_entry *entry_of(struct og_facts *f, struct og_str old)
{
    const uint64_t hash = og_facts_map_hash(old);
    struct og_replaced_entry *e = og_facts_map_find(&f->replaced, old, hash);

    if (e || !(old = og_arena_copy(&f->arena, old)).s)
        return e;
    e = og_facts_map_add(&f->replaced, hash, og_facts_map_first(&f->replaced, hash), sizeof *e);
    if (e)
        *e = (struct og_replaced_entry){ .old = old };
    return e;
}

enum og_status og_facts_replaced(struct og_facts *f, struct og_str old, struct og_str by)
{
    struct og_replaced_entry *e;

    if (og_str_eq(og_facts_replaced_by(f, old), by))
        return OG_OK;
    if ((by.len && !(by = og_arena_copy(&f->arena, by)).s) || !(e = entry_of(f, old)))
        return OG_ENOMEM;
    e->by = by;
    return OG_OK;
}

enum og_status og_facts_cancel(struct og_facts *f, struct og_str id, int64_t executed)
{
    struct og_replaced_entry *e = entry_of(f, id);

    if (!e)
        return OG_ENOMEM;
    e->canceled = true;
    e->executed = executed;
    return OG_OK;
}

bool og_facts_canceled(const struct og_facts *f, struct og_str id, int64_t *executed)
{
    const struct og_replaced_entry *e = f->replaced.count ? og_facts_map_get(&f->replaced, id) : NULL;

    if (!e || !e->canceled)
        return false;
    *executed = e->executed;
    return true;
}

enum og_status og_facts_replaces(struct og_facts *f, const struct og_order *o)
{
    if (!o->replaces.len || !o->client_id.len || og_facts_replaced_by(f, o->replaces).len)
        return OG_OK;
    return og_facts_replaced(f, o->replaces, o->client_id);
}

void og_facts_replaces_not(struct og_facts *f, const struct og_order *o)
{
    if (o->replaces.len && og_str_eq(og_facts_replaced_by(f, o->replaces), o->client_id))
        (void)og_facts_replaced(f, o->replaces, (struct og_str){ NULL, 0 });
}

/* --- rows of orders that have a ticket ---------------------------------------------------------------------------- */

static bool count_row(struct og_facts *f, const struct og_change *c, int sign)
{
    const uint64_t symbol = og_facts_map_hash(c->traded);
    struct og_holding_entry *h = og_facts_holding_entry(f->sums, c->traded, symbol);
    struct og_duplicate_entry *twin = NULL;

    if (!h || (og_duplicate_key_is_set(&c->twin) &&
               !(twin = og_facts_duplicate_entry(f->sums, h, &c->twin, og_facts_duplicate_hash(&c->twin, symbol)))))
        return false;
    if (!og_facts_count(f->sums, h, c, sign))
        return false;
    if (twin)
        og_facts_duplicate_count(twin, sign);
    return true;
}

/* Returns the list of changes that has the rows of an id: the order list's if it has the id; if not, the list of the
 * sender's own counts; NULL if neither has the id. */
static struct og_change *rows_with(const struct og_facts *f, struct og_str id)
{
    const struct og_part *orders = f->part[OG_AT_ORDERS];
    const bool listed = orders && og_facts_id_find(&orders->map, id, og_facts_map_hash(id));
    const struct og_part *p = listed ? orders : f->part[OG_AT_CALLS];

    return p ? p->changes : NULL;
}

bool og_facts_rows_lack_legs(const struct og_facts *f, struct og_str id, uint32_t ticket)
{
    const struct og_change *c = og_facts_owner(f, id) == ticket ? rows_with(f, id) : NULL;

    while (c && !(c->legless && og_str_eq(c->id, id)))
        c = c->next;
    return c != NULL;
}

static bool count_rows(struct og_facts *f, struct og_str id, int sign)
{
    for (const struct og_change *c = rows_with(f, id); c; c = c->next)
        if (og_str_eq(c->id, id) && !count_row(f, c, sign))
            return false;
    return true;
}

bool og_facts_own_id(struct og_facts *f, struct og_str id, uint32_t ticket)
{
    struct og_id_entry *e = id.len ? og_facts_id_find(&f->ids, id, og_facts_map_hash(id)) : NULL;

    if (!e || e->ticket == ticket)
        return true;
    if (e->ticket == 0 && !count_rows(f, id, -1))
        return false;
    if (ticket == 0 && !count_rows(f, id, 1))
        return false;
    e->ticket = ticket;
    return true;
}

/* --- rows of orders that had a ticket ----------------------------------------------------------------------------- */

/* Returns how many units of the order are still working according to this row; 0 if the row does not show it. */
static int64_t units_of(const struct og_order *o, const struct og_change *c)
{
    for (int i = 0; c->sizes && i < og_order_trades(o); i++) {
        const struct og_trade t = og_order_trade(o, i);
        const int64_t each = t.size / o->quantity, size = og_money_floor(c->size[0].by) + (c->size[0].by.scale > 0);

        if (each > 0 && og_str_eq(t.symbol, c->traded))
            return (size + each - 1) / each;
    }
    return 0;
}

/* Returns the greater of two values of the same order (cents, or OG_AT_LEAST()); the result is exact if either value
 * is. */
static int64_t greater(int64_t a, int64_t b)
{
    const int64_t least_a = a < 0 ? OG_AT_LEAST(a) : a, least_b = b < 0 ? OG_AT_LEAST(b) : b,
                  most = least_a > least_b ? least_a : least_b;

    return a < 0 && b < 0 ? OG_AT_LEAST(most) : most;
}

/* Raise the value at which a row counts to at least `value`; the row closes, or is the only row of its order. */
static void bound_row(struct og_change *c, int64_t value)
{
    int64_t *own = og_facts_is_long(c) ? &c->longs : &c->shorts, now;

    if (c->closes)
        now = c->closes = greater(c->closes, value);
    else
        og_facts_worth(c, own == &c->longs, now = greater(c->unpriced ? OG_AT_LEAST(*own) : *own, value));
    if (own == &c->longs && og_duplicate_key_is_set(&c->twin))
        c->buys = now < 0 ? OG_AT_LEAST(now) : now;
    c->sure = c->sure || value >= 0;
    c->least = now < 0 ? OG_AT_LEAST(now) : now;
}

/* Raise the values of a spread's rows until their sum is `value`; the difference is added to the row of the
 * underlying. */
static void bound_spread(struct og_change *rows, const struct og_effect *e, int64_t units)
{
    const int64_t value = og_facts_part_worth(e->value, units, e->order->quantity),
                  sold = og_facts_part_worth(e->sold, units, e->order->quantity);
    og_wide longs = value < 0 ? OG_AT_LEAST(value) : value, shorts = sold < longs ? sold : (int64_t)longs;
    struct og_change *whole = NULL;

    longs -= shorts;
    for (struct og_change *c = rows; c; c = c->next) {
        if (!og_str_eq(c->id, e->order->client_id))
            continue;
        longs -= c->longs;
        shorts -= c->shorts;
        whole = c->orders ? c : whole;
        if (value >= 0) {
            c->sure = true;
            c->unpriced = 0;
        }
    }
    if (whole && shorts > 0)
        whole->shorts += (int64_t)shorts;
    if (whole && longs > 0)
        whole->longs += (int64_t)longs;
}

static void bound_closes(struct og_change *rows, const struct og_effect *e, int64_t units)
{
    for (int i = 0; e->closes && i < og_order_trades(e->order); i++)
        for (struct og_change *c = rows; c; c = c->next)
            if (c->closes && og_str_eq(c->id, e->order->client_id) &&
                og_str_eq(c->traded, og_order_trade(e->order, i).symbol))
                bound_row(c, og_facts_part_worth(e->closes[i], units, e->order->quantity));
}

void og_facts_bound_rows(struct og_facts *f, const struct og_effect *e)
{
    const struct og_order *o = e->order;
    struct og_change *rows = rows_with(f, o->client_id);
    int64_t units = 0, one;

    for (const struct og_change *c = rows; c; c = c->next) {
        one = og_str_eq(c->id, o->client_id) ? units_of(o, c) : 0;
        units = one > units ? one : units;
    }
    if (units == 0 || units > o->quantity)
        return;
    if (o->security == OG_MLEG) {
        bound_closes(rows, e, units);
        bound_spread(rows, e, units);
        return;
    }
    for (struct og_change *c = rows; c; c = c->next)
        if (og_str_eq(c->id, o->client_id))
            bound_row(c, og_facts_part_worth(e->value, units, o->quantity));
}

/* --- rows that are set aside -------------------------------------------------------------------------------------- */

static bool has_rows_that_count(const struct og_facts *f, struct og_str id)
{
    const struct og_id_entry *e = id.len ? og_facts_id_find(&f->ids, id, og_facts_map_hash(id)) : NULL;

    return id.len && (!e || e->ticket == 0);
}

/* Count the rows of an id again, up to the row `end` (NULL: all rows).  They were counted before, so no sum can
 * overflow. */
static void back_before(struct og_facts *f, struct og_str id, const struct og_change *end)
{
    for (const struct og_change *c = rows_with(f, id); c && c != end; c = c->next)
        if (og_str_eq(c->id, id))
            (void)count_row(f, c, 1);
}

bool og_facts_rows_aside(struct og_facts *f, struct og_str id)
{
    if (!has_rows_that_count(f, id))
        return true;
    for (const struct og_change *c = rows_with(f, id); c; c = c->next)
        if (og_str_eq(c->id, id) && !count_row(f, c, -1)) {
            back_before(f, id, c);
            return false;
        }
    return true;
}

void og_facts_rows_back(struct og_facts *f, struct og_str id)
{
    if (has_rows_that_count(f, id))
        back_before(f, id, NULL);
}

bool og_facts_rows_cost(const struct og_facts *f, struct og_str id, struct og_money *most)
{
    const struct og_part *orders = f->part[OG_AT_ORDERS];
    int64_t cents = 0;
    int rows = 0;

    for (const struct og_change *c = orders ? orders->changes : NULL; c; c = c->next) {
        if (!og_str_eq(c->id, id))
            continue;
        rows++;
        if (c->unpriced || c->legless || c->shorts || (c->longs && c->loose.coef) ||
            __builtin_add_overflow(cents, c->longs, &cents))
            return false;
    }
    *most = (struct og_money){ cents, 2 };
    return rows > 0 && og_money_add(*most, og_money_from(0), most); /* adding 0 normalizes the number */
}
