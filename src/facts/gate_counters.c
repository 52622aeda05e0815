/*
 * Reads the sender's own facts ("gate"): orders sent, in flight and unknown, the streak of rejections, and whether
 * trading is on.  Unknown values of "trading" are rejected, since a halt must not be missed.
 */
#include "facts/documents.h"

static const char *const gate_keys[] = { "asOf",
                                         "trading",
                                         "ordersLastSecond",
                                         "ordersLastMinute",
                                         "ordersToday",
                                         "rejectionsInARow",
                                         "tradedToday",
                                         "sharesTradedToday",
                                         "contractsTradedToday",
                                         "inFlight",
                                         "unknown",
                                         "recent",
                                         "calls",
                                         "locateQuotes",
                                         "posted",
                                         "latches" };
#define GATE_KEYS (sizeof gate_keys / sizeof gate_keys[0])

const char *og_facts_gate_key(size_t i)
{
    return i < GATE_KEYS ? gate_keys[i] : NULL;
}

static bool know_keys(struct og_facts_reader *r, const cJSON *gate)
{
    const cJSON *item;

    cJSON_ArrayForEach (item, gate) {
        size_t i = 0;

        while (i < GATE_KEYS && strcmp(item->string, gate_keys[i]) != 0)
            i++;
        if (i == GATE_KEYS)
            return og_facts_refuse_key(r, "gate.", item->string, gate_keys, GATE_KEYS);
    }
    return true;
}

static bool read_trading(struct og_facts_reader *r, const cJSON *item, struct og_gate_counters *g)
{
    static const char *const names[] = { "on", "reduce-only", "halted", "halted-all" };
    struct og_str word;

    if (!og_facts_read_text(r, item, "trading", OG_MAY, &word))
        return false;
    for (int i = 0; i < 4; i++)
        if (!word.s || og_str_is(word, names[i])) {
            g->trading = (enum og_trading)i;
            return true;
        }
    return og_facts_refuse(r, "trading", "\"on\", \"reduce-only\", \"halted\" or \"halted-all\"",
                           og_doc_get(item, "trading"));
}

static bool read_count(struct og_facts_reader *r, const cJSON *item, const char *key, bool *has, int64_t *count)
{
    const cJSON *given = og_doc_get(item, key);

    *has = given != NULL;
    return !given || (og_item_int(given, count) && *count >= 0 && *count <= INT32_MAX) ||
           og_facts_refuse(r, key, "a whole number from 0 to 2147483647", given);
}

/* Read what was traded today.  Dollars are rounded up to a cent. */
static bool read_traded(struct og_facts_reader *r, const cJSON *item, struct og_gate_counters *g)
{
    bool has, has_shares, has_contracts;
    struct og_money dollars;
    int64_t cents = 0;

    if (!og_facts_read_size(r, item, "tradedToday", OG_MAY, &has, &dollars) ||
        !read_count(r, item, "sharesTradedToday", &has_shares, &g->traded.shares) ||
        !read_count(r, item, "contractsTradedToday", &has_contracts, &g->traded.contracts))
        return false;
    if (has && (cents = og_cents_of(og_money_from(1), dollars, false)) < 0)
        return og_facts_refuse(r, "tradedToday", "an amount in dollars", og_doc_get(item, "tradedToday"));
    g->traded.cents = cents;
    g->has_traded = has || has_shares || has_contracts;
    return true;
}

static bool read_counts(struct og_facts_reader *r, const cJSON *item, struct og_gate_counters *g)
{
    static const char *const keys[OG_SPANS] = { "ordersLastSecond", "ordersLastMinute", "ordersToday" };

    for (int i = 0; i < OG_SPANS; i++)
        if (!read_count(r, item, keys[i], &g->has_sent[i], &g->sent[i]))
            return false;
    return read_count(r, item, "rejectionsInARow", &g->has_rejections, &g->rejections) && read_traded(r, item, g);
}

/* Read an order of which only the id is known.  Its symbol is set to "?", which no symbol matches. */
static bool read_bare(struct og_facts_reader *r, const cJSON *item, struct og_part *p)
{
    struct og_change *c = og_arena_take(&p->arena, sizeof *c);

    if (!c)
        return og_facts_no_memory(r);
    *c = (struct og_change){
        .traded = OG_FACTS_ANY, .trades = true, .working = 1, .orders = 1, .unsized = 1, .unpriced = 1, .legless = 1
    };
    c->id = og_arena_copy(&p->arena, og_str_of(item->valuestring));
    c->next = p->changes;
    p->changes = c;
    return c->id.s || og_facts_no_memory(r);
}

static bool use_id(struct og_facts_reader *r, const cJSON *item, enum og_id_use use, struct og_part *p)
{
    struct og_str id = { NULL, 0 };
    struct og_id_entry *e;

    if (cJSON_IsString(item))
        id = og_str_of(item->valuestring);
    else
        (void)og_doc_str(item, "clientOrderId", &id);
    if (!id.len)
        return true;
    e = og_facts_id_entry(&p->map, id, og_facts_map_hash(id));
    if (e)
        e->use = use;
    return e || og_facts_no_memory(r);
}

/* Keep the bytes of an order: how much buying power it needs depends on the policy, and is computed later. */
static bool keep(struct og_facts_reader *r, const cJSON *item, struct og_part *p)
{
    struct og_posted *order = og_arena_take(&p->arena, sizeof *order);
    struct og_str id = { NULL, 0 };
    struct og_buf text;
    bool ok;

    og_buf_init(&text, 0);
    ok = order && og_doc_text(item, &text);
    if (ok) {
        (void)og_doc_str(item, "clientOrderId", &id);
        order->id = og_arena_copy(&p->arena, id);
        order->line = og_arena_copy(&p->arena, (struct og_str){ text.s, text.len });
        order->next = p->gate->posted;
        p->gate->posted = order;
        ok = order->line.s && (order->id.s || !id.len);
    }
    og_buf_clear(&text);
    return ok || og_facts_no_memory(r);
}

/* Keep the ids of the orders of unknown outcome, for rules that count and name them. */
static bool keep_unknown(struct og_facts_reader *r, const cJSON *list, struct og_part *p)
{
    struct og_gate_counters *g = p->gate;
    const cJSON *item;

    g->unknown = og_arena_take(&p->arena, ((size_t)cJSON_GetArraySize(list) + 1) * sizeof *g->unknown);
    if (!g->unknown)
        return og_facts_no_memory(r);
    cJSON_ArrayForEach (item, list) {
        struct og_str id = { NULL, 0 };

        if (cJSON_IsString(item))
            id = og_str_of(item->valuestring);
        else
            (void)og_doc_str(item, "clientOrderId", &id);
        if (id.len && !(id = og_arena_copy(&p->arena, id)).s)
            return og_facts_no_memory(r);
        g->unknown[g->unknown_count++] = id;
    }
    return true;
}

/* Read "inFlight" or "unknown": a list of rows of the service, orders as they were posted, or ids alone. */
static bool read_orders(struct og_facts_reader *r, const cJSON *list, enum og_id_use use, struct og_part *p)
{
    const cJSON *item;
    size_t mark;
    int i = 0;

    if (!list)
        return true;
    if (!cJSON_IsArray(list))
        return og_facts_refuse(r, NULL, "an array of orders or of their ids", list);
    cJSON_ArrayForEach (item, list) {
        mark = og_facts_enter_row(r, i++);
        if (!(cJSON_IsString(item) ? read_bare(r, item, p) : og_facts_read_order(r, item, p) && keep(r, item, p)) ||
            !use_id(r, item, use, p))
            return false;
        og_facts_leave(r, mark);
    }
    return true;
}

/* Read "recent": a list of orders as they were posted, each with the key "at". */
static bool read_recent(struct og_facts_reader *r, const cJSON *list, struct og_part *p)
{
    struct og_gate_counters *g = p->gate;
    const cJSON *item;
    size_t mark;

    if (!list)
        return true;
    if (!cJSON_IsArray(list))
        return og_facts_refuse(r, NULL, "an array of orders, each with \"at\"", list);
    g->recent = og_arena_take(&p->arena, ((size_t)cJSON_GetArraySize(list) + 1) * sizeof *g->recent);
    if (!g->recent)
        return og_facts_no_memory(r);
    cJSON_ArrayForEach (item, list) {
        struct og_sent_row *row = &g->recent[g->recent_count];

        mark = og_facts_enter_row(r, (int)g->recent_count++);
        if (!og_facts_read_object(r, item) || !og_facts_read_own_row(r, item) ||
            !og_facts_read_time(r, item, "at", &row->at))
            return false;
        if (row->at == OG_TIME_UNKNOWN)
            return og_facts_refuse(r, "at", "a time with offset", NULL);
        if (!og_facts_sent_read(item, row))
            return og_facts_no_memory(r);
        og_facts_leave(r, mark);
    }
    return true;
}

const struct og_posted *og_facts_posted(const struct og_facts *f, const struct og_posted *after)
{
    const struct og_part *gate = f->part[OG_AT_CALLS], *orders = f->part[OG_AT_ORDERS];
    const struct og_posted *p = after ? after->next : gate ? gate->gate->posted : NULL;

    while (p && p->id.len &&
           (og_facts_owner(f, p->id) || (orders && og_facts_id_find(&orders->map, p->id, og_facts_map_hash(p->id)))))
        p = p->next;
    return p;
}

bool og_facts_read_gate_counters(struct og_facts_reader *r, const cJSON *item, struct og_part *p)
{
    size_t mark = og_facts_enter(r, "inFlight");
    bool ok;

    p->gate = og_arena_take(&p->arena, sizeof *p->gate);
    if (!p->gate)
        return og_facts_no_memory(r);
    r->in_flight = true;
    ok = know_keys(r, item) && read_orders(r, og_doc_get(item, "inFlight"), OG_ID_ACCEPTED, p);
    og_facts_leave(r, mark);
    (void)og_facts_enter(r, "unknown");
    ok = ok && read_orders(r, og_doc_get(item, "unknown"), OG_ID_REJECTED, p) &&
         keep_unknown(r, og_doc_get(item, "unknown"), p);
    r->in_flight = false;
    og_facts_leave(r, mark);
    (void)og_facts_enter(r, "recent");
    ok = ok && read_recent(r, og_doc_get(item, "recent"), p);
    og_facts_leave(r, mark);
    (void)og_facts_enter(r, "latches");
    ok = ok && og_facts_read_latches(r, og_doc_get(item, "latches"), p->gate->latch);
    og_facts_leave(r, mark);
    return ok && read_trading(r, item, p->gate) && read_counts(r, item, p->gate);
}
