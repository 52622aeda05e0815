/*
 * Loads a facts document: every part is read into new memory; at the end, when nothing can fail any more, the new parts
 * replace the old ones.  A document is loaded as a whole or not at all; unknown keys are rejected.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "facts/closures.h"
#include "facts/documents.h"
#include "facts/facts_book.h"

typedef bool row_reader(struct og_facts_reader *r, const cJSON *item, struct og_part *p);
typedef bool member_reader(struct og_facts_reader *r, struct og_str name, const cJSON *item, struct og_part *p);

/* Values of key.part for keys whose value goes into no part. NOT_KEPT: the value is ignored; CLOSURES: the value is
 * about the market, not the account, and has no age. */
enum { NOT_KEPT = -1, CLOSURES = -2 };

/* The keys of a facts document (docs/contract.md "Facts"). */
static const struct key {
    const char *name;
    enum og_facts_shape shape;
    int part;             /* index of the part that keeps the value; NOT_KEPT: only its type is checked; CLOSURES: it
                           * goes to `closures` */
    const char *envelope; /* key of the object that wraps the list in the service's answer; NULL if there is none */
    row_reader *row;
    member_reader *member;
    bool aged; /* the document's "ages" may have an entry for the key */
} keys[] = {
    { "asOf", OG_FACTS_TEXT, NOT_KEPT, NULL, NULL, NULL, false },
    { "accountId", OG_FACTS_TEXT, NOT_KEPT, NULL, NULL, NULL, false },
    { "op", OG_FACTS_TEXT, NOT_KEPT, NULL, NULL, NULL, false },
    { "ages", OG_FACTS_OBJECT, NOT_KEPT, NULL, NULL, NULL, false },
    { "gate", OG_FACTS_OBJECT, OG_AT_CALLS, NULL, og_facts_read_calls, NULL, true },
    { "pnl", OG_FACTS_OBJECT, OG_AT_PNL, NULL, og_facts_read_pnl, NULL, true },
    { "calendar", OG_FACTS_OBJECT, CLOSURES, NULL, NULL, NULL, false },
    { "account", OG_FACTS_OBJECT, OG_AT_ACCOUNT, NULL, og_facts_read_account, NULL, true },
    { "positions", OG_FACTS_LIST, OG_AT_POSITIONS, "positions", og_facts_read_position, NULL, true },
    { "orders", OG_FACTS_LIST, OG_AT_ORDERS, "orders", og_facts_read_order, NULL, true },
    { "routes", OG_FACTS_LIST, OG_AT_ROUTES, "routes", og_facts_read_route, NULL, true },
    { "accountList", OG_FACTS_LIST, OG_AT_ACCOUNT_LIST, "accounts", og_facts_read_list_row, NULL, true },
    { "locateInventory", OG_FACTS_LIST, OG_AT_LOCATES, "locateInventory", og_facts_read_locate, NULL, true },
    { "locateHistory", OG_FACTS_LIST, OG_AT_LOCATE_HISTORY, "locateHistory", og_facts_read_locate_history, NULL, true },
    { "usedClientOrderIds", OG_FACTS_LIST, OG_AT_USED_IDS, NULL, og_facts_read_used_id, NULL, true },
    { "borrow", OG_FACTS_MEMBERS, OG_AT_BORROW, NULL, NULL, og_facts_read_borrow, true },
    { "averageVolume", OG_FACTS_MEMBERS, OG_AT_VOLUME, NULL, NULL, og_facts_read_volume, true },
    { "quotes", OG_FACTS_MEMBERS, OG_AT_QUOTE, NULL, NULL, og_facts_read_quote, true },
    { "symbolStatus", OG_FACTS_MEMBERS, OG_AT_SYMBOL_STATUS, NULL, NULL, og_facts_read_symbol_status, true },
};
enum { KEYS = sizeof keys / sizeof *keys };

bool og_facts_key_at(size_t i, struct og_facts_key *key)
{
    if (i >= KEYS)
        return false;
    *key = (struct og_facts_key){ keys[i].name, keys[i].shape, keys[i].envelope, keys[i].aged };
    return true;
}

/* A document being loaded. */
struct take {
    struct og_facts_reader r;
    struct og_facts *f;
    struct og_part *part[OG_PARTS]; /* parts that were read from the document and are not in force yet */
    bool aged[OG_PARTS];            /* "ages" has an entry for the part */
    int64_t age[OG_PARTS];
    struct og_part *past; /* an order list that is skipped because it is too old; its ids still count as used */
    struct og_aggregates *sums;
    struct og_closures *closures; /* NULL if the document has none */
    unsigned older;               /* bits of the skipped parts, 1 << part */
};

static const struct key *key_of(const char *name)
{
    for (int i = 0; i < KEYS; i++)
        if (strcmp(keys[i].name, name) == 0)
            return &keys[i];
    return NULL;
}

static bool refuse_key(struct og_facts_reader *r, const char *name, bool ages)
{
    const char *known[KEYS];
    size_t count = 0;

    for (int i = 0; i < KEYS; i++)
        if (!ages || keys[i].aged)
            known[count++] = keys[i].name;
    return og_facts_refuse_key(r, ages ? "ages." : "", name, known, count);
}

static bool read_ages(struct take *t, const cJSON *ages)
{
    const struct key *k;
    const cJSON *item;
    size_t mark = og_facts_enter(&t->r, "ages");
    int64_t age;

    cJSON_ArrayForEach (item, ages) {
        /* policies call the locate inventory "locates": suggest the key that documents use */
        k = key_of(strcmp(item->string, og_fact_name(OG_FACT_LOCATES)) == 0 ? "locateInventory" : item->string);
        if (!k || !k->aged)
            return refuse_key(&t->r, item->string, true);
        if (!og_facts_read_time(&t->r, ages, item->string, &age))
            return false;
        if (k->part == NOT_KEPT)
            continue;
        t->aged[k->part] = true;
        t->age[k->part] = age;
    }
    og_facts_leave(&t->r, mark);
    return true;
}

static bool read_list(struct og_facts_reader *r, const struct key *k, const cJSON *list, struct og_part *p)
{
    const cJSON *row;
    size_t mark;
    bool ok = true;
    int i = 0;

    cJSON_ArrayForEach (row, list) {
        mark = og_facts_enter_row(r, i++);
        ok = ok && k->row(r, row, p);
        og_facts_leave(r, mark);
        if (!ok)
            break;
    }
    return ok;
}

static bool read_members(struct og_facts_reader *r, const struct key *k, const cJSON *object, struct og_part *p)
{
    const cJSON *item;
    size_t mark;
    bool ok = true;

    cJSON_ArrayForEach (item, object) {
        mark = og_facts_enter(r, item->string);
        ok = ok && k->member(r, og_str_of(item->string), item, p);
        og_facts_leave(r, mark);
    }
    return ok;
}

/* Returns the list itself, without an object that wraps it, and extends the path.  Returns NULL after an error. */
static const cJSON *list_of(struct og_facts_reader *r, const struct key *k, const cJSON *item)
{
    const cJSON *inner = k->envelope && cJSON_IsObject(item) ? og_doc_get(item, k->envelope) : NULL;
    char allowed[64];

    if (cJSON_IsArray(item))
        return item;
    if (inner) {
        (void)og_facts_enter(r, k->envelope);
        if (cJSON_IsArray(inner))
            return inner;
        og_facts_refuse(r, NULL, "an array", inner);
        return NULL;
    }
    snprintf(allowed, sizeof allowed, k->envelope ? "an array, or an object with \"%s\"" : "an array", k->envelope);
    og_facts_refuse(r, NULL, allowed, item);
    return NULL;
}

/* Check the type of a key whose value is not kept. */
static bool look(struct take *t, const struct key *k, const cJSON *item)
{
    if (k->shape == OG_FACTS_TEXT)
        return cJSON_IsString(item) || og_facts_refuse(&t->r, NULL, "a string", item);
    if (k->shape == OG_FACTS_OBJECT)
        return og_facts_read_object(&t->r, item);
    return list_of(&t->r, k, item) != NULL;
}

static bool read_part(struct take *t, const struct key *k, const cJSON *item)
{
    struct og_part *p = t->part[k->part] = og_facts_part_new();
    const cJSON *list;
    int64_t beside = OG_TIME_UNKNOWN;

    if (!p)
        return og_facts_no_memory(&t->r);
    if (k->shape == OG_FACTS_OBJECT || (k->shape == OG_FACTS_LIST && cJSON_IsObject(item)))
        if (!og_facts_read_object(&t->r, item) || !og_facts_read_time(&t->r, item, "asOf", &beside))
            return false;
    p->as_of = beside != OG_TIME_UNKNOWN ? beside : t->r.as_of;
    if (k->shape == OG_FACTS_OBJECT)
        return k->row(&t->r, item, p);
    if (k->shape == OG_FACTS_MEMBERS)
        return og_facts_read_object(&t->r, item) && read_members(&t->r, k, item, p);
    list = list_of(&t->r, k, item);
    return list && read_list(&t->r, k, list, p);
}

static bool read_key(struct take *t, const struct key *k, const cJSON *item)
{
    if (k->part == CLOSURES)
        return og_facts_read_closures(&t->r, item, &t->closures);
    return k->part == NOT_KEPT ? look(t, k, item) : read_part(t, k, item);
}

static bool read_keys(struct take *t, const cJSON *doc)
{
    const cJSON *item;
    const struct key *k;
    size_t mark;
    bool ok = true;

    cJSON_ArrayForEach (item, doc) {
        k = key_of(item->string);
        if (!k)
            return refuse_key(&t->r, item->string, false);
        mark = og_facts_enter(&t->r, item->string);
        ok = ok && read_key(t, k, item);
        og_facts_leave(&t->r, mark);
    }
    return ok;
}

static const struct og_part *newest(const struct take *t, int at)
{
    return t->part[at] ? t->part[at] : t->f->part[at];
}

static bool count_twin(struct og_aggregates *s, struct og_holding_entry *h, const struct og_duplicate_key *key,
                       uint64_t symbol)
{
    struct og_duplicate_entry *e = og_facts_duplicate_entry(s, h, key, og_facts_duplicate_hash(key, symbol));

    if (e)
        og_facts_duplicate_count(e, 1);
    return e != NULL;
}

/* Returns true if this row of an order must be skipped because it is counted elsewhere:
 * (a) the sender's facts ("gate") list it as in flight, and the order list has it too;
 * (b) its order has a ticket, which is counted instead;
 * (c) its ticket has ended, and the row was read before that. */
static bool counts_elsewhere(const struct take *t, int at, const struct og_change *c)
{
    const struct og_part *orders = at == OG_AT_CALLS ? newest(t, OG_AT_ORDERS) : NULL;
    const uint64_t hash = c->id.len ? og_facts_map_hash(c->id) : 0;
    const struct og_id_entry *mine = c->id.len ? og_facts_id_find(&t->f->ids, c->id, hash) : NULL;

    return (mine && mine->ticket && (mine->ticket != OG_ROWS_OVER || !t->part[at])) ||
           (c->id.len && orders && og_facts_id_find(&orders->map, c->id, hash));
}

/* Set the value of a position, or of a working order whose own prices do not bound it. That is the value by the newest
 * quote; or the lower bound by the row's own prices, if that is higher or there is no quote. */
static void bound_loose(const struct og_part *quotes, struct og_change *c)
{
    const struct og_quote_entry *e =
        quotes ? og_facts_by_symbol(quotes, c->traded, og_facts_map_hash(c->traded)) : NULL;
    const struct og_quote *q =
        e && e->quote.fault == OG_QUOTE_SOUND && e->quote.as_of != OG_TIME_UNKNOWN ? &e->quote : NULL;
    const bool longs = og_facts_is_long(c);
    int64_t cents = -1, *own = longs ? &c->longs : &c->shorts;
    struct og_occ occ;

    og_occ_read(c->traded, &occ);
    if (q && (c->lots || (longs ? q->has_ask : q->has_bid)))
        cents = og_cents_of(c->loose, og_quote_most(q), occ.is);
    if (!c->lots && longs && og_duplicate_key_is_set(&c->twin)) /* an order that buys, but not a spread's leg */
        c->buys = cents > c->least ? cents : c->least;
    if (c->closes) {
        c->closes = cents < 0 && !c->sure ? OG_AT_LEAST(c->least) : cents > c->least ? cents : c->least;
        return;
    }
    c->unpriced = cents < 0 && !c->sure;
    if (cents >= 0 || !c->lots) /* a position without a quote keeps the worth that its row gives */
        *own = cents > c->least ? cents : c->least;
}

/* Count every row of positions and orders, of old parts that stay and of new parts.  Returns false after an error. */
static bool sum(struct take *t)
{
    static const int counted[] = { OG_AT_POSITIONS, OG_AT_ORDERS, OG_AT_CALLS };

    t->sums = og_facts_aggregates_new();
    if (!t->sums)
        return og_facts_no_memory(&t->r);
    t->sums->written_later = true;
    for (size_t i = 0; i < sizeof counted / sizeof *counted; i++) {
        const struct og_part *p = newest(t, counted[i]);

        for (const struct og_change *c = p ? p->changes : NULL; c; c = c->next) {
            const uint64_t symbol = og_facts_map_hash(c->traded);
            struct og_change bounded = *c;
            struct og_holding_entry *h;

            if (counts_elsewhere(t, counted[i], c))
                continue;
            h = og_facts_holding_entry(t->sums, c->traded, symbol);
            if (!h || (og_duplicate_key_is_set(&c->twin) && !count_twin(t->sums, h, &c->twin, symbol)))
                return og_facts_no_memory(&t->r);
            if (c->loose.coef)
                bound_loose(newest(t, OG_AT_QUOTE), &bounded);
            if (!og_facts_count(t->sums, h, &bounded, 1)) {
                t->r.status = og_fail_at(
                    t->r.err, OG_EFACTS, t->r.name, 0, 0, "%s: the sizes of '%.24s' add up to more than 18 digits",
                    og_fact_name(counted[i] == OG_AT_POSITIONS ? OG_FACT_POSITIONS : OG_FACT_ORDERS), c->traded.s);
                return false;
            }
        }
    }
    og_facts_written_settle(t->sums);
    return true;
}

/* Make entries for the ids of the orders in the document; an id counts as used only when the document is in force. */
static bool room_for_ids(struct take *t)
{
    struct og_part *p = t->past ? t->past : t->part[OG_AT_ORDERS];
    struct og_id_entry *e;
    size_t at = 0;

    while (p && (e = og_facts_map_next(&p->map, &at)) != NULL)
        if (!og_facts_id_entry(&t->f->ids, og_facts_id_text(e), og_facts_map_hash(og_facts_id_text(e))))
            return og_facts_no_memory(&t->r);
    return true;
}

/* Mark the ids of listed orders as used: an id stays used after its order has left the list (P30, Q33). */
static void use_ids(struct og_facts *f, const struct og_part *orders)
{
    const struct og_id_entry *e;
    struct og_id_entry *mine;
    size_t at = 0;

    while ((e = og_facts_map_next(&orders->map, &at)) != NULL) {
        mine = og_facts_id_find(&f->ids, og_facts_id_text(e), og_facts_map_hash(og_facts_id_text(e)));
        if (mine->pending && e->use == OG_ID_REJECTED) /* the order itself, seen as PendingNew before, was rejected: no
                                                        * second order used the id */
            mine->use = OG_ID_FREE;
        mine->pending = e->pending && (mine->use == OG_ID_FREE || mine->pending);
        mine->use = og_facts_surer(mine->use, e->use);
    }
}

/* Skip keys whose values are older than the loaded ones: they lack later events. */
static void leave_older(struct take *t)
{
    for (int i = 0; i < OG_PARTS; i++) {
        const int64_t age = t->aged[i] ? t->age[i] : t->part[i] ? t->part[i]->as_of : OG_TIME_UNKNOWN;

        if (age == OG_TIME_UNKNOWN || age >= t->f->newest[i]) /* a value of unknown age is kept too: OG_TIME_UNKNOWN is
                                                               * the smallest value */
            continue;
        if (i == OG_AT_ORDERS)
            t->past = t->part[i];
        else
            og_facts_part_free(t->part[i]);
        t->part[i] = NULL;
        t->aged[i] = false;
        t->older |= 1u << i;
    }
}

/* Keep known borrow states and statuses that are newer than those of the document, or of the same time and stricter. */
static bool keep_newer(struct take *t)
{
    const int at = OG_AT_SYMBOL_STATUS;

    if (t->part[OG_AT_BORROW] && t->f->part[OG_AT_BORROW] && !t->aged[OG_AT_BORROW])
        og_facts_keep_borrow(t->part[OG_AT_BORROW], t->f->part[OG_AT_BORROW]);
    return !t->part[at] || og_facts_keep_statuses(t->part[at], t->aged[at] ? &t->age[at] : NULL, t->f->part[at]) ||
           og_facts_no_memory(&t->r);
}

static bool has_rows(const struct og_part *p, struct og_str id)
{
    return p && og_facts_id_find(&p->map, id, og_facts_map_hash(id));
}

/* Drop all effects.  Rows of an order whose ticket has ended count again if their part is new, but not if it is an old
 * part. */
static void drop_effects(struct og_facts *f, const struct og_part *kept_orders, const struct og_part *kept_gate)
{
    struct og_id_entry *e;
    size_t at = 0;

    while ((e = og_facts_map_next(&f->ids, &at)) != NULL) {
        e->effects = 0;
        if (e->ticket == OG_ROWS_OVER && !has_rows(kept_orders, og_facts_id_text(e)) &&
            !has_rows(kept_gate, og_facts_id_text(e)))
            e->ticket = 0;
    }
    f->reserved = (struct og_money){ 0, 0 };
    f->bounds = 0;
    if (f->part[OG_AT_ACCOUNT])
        f->account = *f->part[OG_AT_ACCOUNT]->is.account;
}

static void find_listed(struct og_facts *f)
{
    const struct og_part *p = f->part[OG_AT_ACCOUNT_LIST];

    f->listed = p ? p->is.list : NULL;
    while (f->listed && !og_same_account(f->listed->account, f->account_id))
        f->listed = f->listed->next;
}

/* Store in each row the value with which it is counted, so that exactly this value can be subtracted later. */
static void keep_bounds(struct take *t, int at)
{
    struct og_part *p = t->part[at] ? t->part[at] : t->f->part[at];

    for (struct og_change *c = p ? p->changes : NULL; c; c = c->next)
        if (c->loose.coef)
            bound_loose(newest(t, OG_AT_QUOTE), c);
}

static void tell_gate(struct og_facts *f)
{
    og_facts_sent_told(&f->sent, f->part[OG_AT_CALLS]);
    og_facts_latches_told(f, f->part[OG_AT_CALLS]->gate);
}

/* Put the new parts in force, which cannot fail.  The old parts are left in t, to be freed. */
static void put_in_force(struct take *t)
{
    struct og_facts *f = t->f;
    struct og_aggregates *sums = f->sums;

    bool gate = t->part[OG_AT_CALLS], pnl = t->part[OG_AT_PNL] || t->aged[OG_AT_PNL], account = t->part[OG_AT_ACCOUNT],
         orders = t->part[OG_AT_ORDERS];

    if (t->part[OG_AT_ORDERS] || t->past)
        use_ids(f, t->past ? t->past : t->part[OG_AT_ORDERS]);
    keep_bounds(t, OG_AT_ORDERS);
    keep_bounds(t, OG_AT_CALLS);
    f->takes++;
    for (int i = 0; i < OG_PARTS; i++) {
        struct og_part *old = f->part[i];
        const bool came = t->part[i];

        if (came) {
            f->part[i] = t->part[i];
            t->part[i] = old;
        }
        if (t->aged[i] && f->part[i])
            og_facts_set_age(f->part[i], i, t->age[i]);
        if (f->part[i] && (came || t->aged[i])) {
            f->part[i]->taken = f->takes;
            if (f->part[i]->as_of > f->newest[i])
                f->newest[i] = f->part[i]->as_of;
        }
    }
    if (gate)
        tell_gate(f);
    if (pnl && f->part[OG_AT_PNL])
        og_facts_pnl_told(f);
    if (account)
        f->tight = false;
    f->sums = t->sums;
    t->sums = sums;
    if (t->closures) {
        free(f->closures);
        f->closures = t->closures;
        t->closures = NULL;
    }
    f->older = t->older;
    find_listed(f);
    drop_effects(f, orders ? NULL : f->part[OG_AT_ORDERS], gate ? NULL : f->part[OG_AT_CALLS]);
    if (orders || t->past)
        og_facts_find_filled(f, NULL, NULL);
    og_facts_told(f);
}

/* Compare the list of orders with the one that is in force; either may be the older one. */
static bool remember_older(struct take *t)
{
    struct og_part *known = t->f->part[OG_AT_ORDERS], *came = t->part[OG_AT_ORDERS] ? t->part[OG_AT_ORDERS] : t->past;
    struct og_two_lists of;

    if (!known || !came)
        return true;
    of = (struct og_two_lists){ known, came, known->as_of, t->aged[OG_AT_ORDERS] ? t->age[OG_AT_ORDERS] : came->as_of };
    if (t->past)
        of = (struct og_two_lists){ came, known, came->as_of, known->as_of };
    return og_facts_remember_older(&t->r, t->f, &of);
}

static bool read_document(struct take *t, const cJSON *doc)
{
    const cJSON *ages = og_doc_get(doc, "ages");

    if (!og_facts_read_object(&t->r, doc) || !og_facts_read_time(&t->r, doc, "asOf", &t->r.as_of) ||
        !og_facts_read_own(&t->r, doc, "accountId"))
        return false;
    if (!read_keys(t, doc) || (ages && !read_ages(t, ages)))
        return false;
    leave_older(t);
    return keep_newer(t) && sum(t) && room_for_ids(t) && remember_older(t);
}

static enum og_status load(struct og_facts *f, const cJSON *doc, const char *name, bool answers, struct og_error *err)
{
    struct take t = { .f = f };

    og_facts_reader_init(&t.r, name, err);
    t.r.account = f->account_id;
    t.r.answers = answers;
    if (read_document(&t, doc))
        put_in_force(&t);
    for (int i = 0; i < OG_PARTS; i++)
        og_facts_part_free(t.part[i]);
    og_facts_part_free(t.past);
    og_facts_aggregates_free(t.sums);
    free(t.closures);
    return t.r.status;
}

enum og_status og_facts_load(struct og_facts *f, const cJSON *doc, const char *name, struct og_error *err)
{
    return load(f, doc, name, false, err);
}

enum og_status og_facts_load_answers(struct og_facts *f, const cJSON *doc, const char *name, struct og_error *err)
{
    return load(f, doc, name, true, err);
}

bool og_facts_name_account(struct og_facts *f, struct og_str account_id)
{
    struct og_str copy = og_arena_copy(&f->arena, account_id);

    if (!copy.s)
        return false;
    f->account_id = copy;
    f->account_fits = og_symbol_fits(copy);
    find_listed(f);
    og_facts_told(f);
    return true;
}

struct og_str og_facts_document_account(const cJSON *doc)
{
    struct og_str id;

    if (og_doc_str(doc, "accountId", &id) && id.len)
        return id;
    if (og_doc_str(og_doc_get(doc, "account"), "account", &id) && id.len)
        return id;
    return (struct og_str){ NULL, 0 };
}

enum og_status og_facts_copy_closures(struct og_facts *to, const struct og_facts *from)
{
    struct og_closures *copy = from->closures ? og_facts_closures_copy(from->closures) : NULL;

    if (from->closures && !copy)
        return OG_ENOMEM;
    free(to->closures);
    to->closures = copy;
    return OG_OK;
}

void og_facts_declare(struct og_facts *f, enum og_environment environment)
{
    f->declared = environment;
}
