/*
 * Positions that changed without an order: an assignment, an exercise, an expiry, a trade made elsewhere.  Positions
 * are compared with the earlier ones plus the fills since.  Fills and positions arrive in either order, so a difference
 * is reported only if two readings of positions and orders agree on it and no fill that is still to be reported can
 * explain a part of it.
 */
#include <stdlib.h>

#include "send/event.h"
#include "send/sender.h"
#include "text/doc.h"
#include "wire/read.h"

#define BUCKETS 1024u

/* The filled quantity of an order when a row last showed the order; kept for orders that have filled. */
struct done {
    struct done *next;
    struct og_money executed;
    char id[];
};

/* The known position of a symbol. base: the position when a reading last agreed with the fills; now: the position in
 * the newest reading. */
struct held {
    struct held *next;
    struct og_money base, now;
    struct og_money moved; /* quantity by which fills of this run's orders have changed the position since base */
    /* upper bound of the change by fills of other orders, and of legs; base may already include a part of that
     * change */
    struct og_money doubt;
    uint64_t moved_at; /* og_time_up() of the newest fill */
    bool suspect;      /* the newest reading did not agree with the fills */
    struct og_money suspect_now, suspect_moved;
    uint64_t suspect_at;
    char symbol[];
};

/* Root of a filled multi-leg order whose row does not show the symbols of its legs; "" if the row names no symbol at
 * all. */
struct legs {
    struct legs *next;
    uint64_t at;
    char root[];
};

struct og_position_watch {
    struct held *held;
    struct legs *legs;
    struct done *done[BUCKETS];
    bool based; /* a first reading was taken as the base of the comparison */
    bool due;   /* something changed after the last reading whose positions agreed with the fills: compare again */
    int64_t next_ms, idle_ms; /* loop time of the next comparison: next_ms if `due` is set, idle_ms if it is not */
};

static uint64_t lag_ns(const struct og_sender *s)
{
    return OG_POSITION_LAG_NS + og_send_settle_ns(s) * 3 / 2;
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

static struct og_position_watch *positions_of(struct og_account_state *a)
{
    if (!a->positions)
        a->positions = calloc(1, sizeof *a->positions);
    return a->positions; /* NULL if out of memory: positions are then not compared */
}

static struct held *held_of(struct og_position_watch *p, struct og_str symbol)
{
    struct held *h = p->held;

    while (h && !og_str_is(symbol, h->symbol))
        h = h->next;
    if (h || !(h = calloc(1, sizeof *h + symbol.len + 1)))
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

/* --- what orders fill --------------------------------------------------------------------------------------------- */

/* Returns by how much the filled quantity of the order has grown, and keeps the new quantity. */
static struct og_money news_of(struct og_position_watch *p, struct og_str id, struct og_money executed)
{
    struct done **at = &p->done[og_orders_hash(id) % BUCKETS], *d;
    struct og_money before;

    for (d = *at; d && !og_str_is(id, d->id); d = d->next)
        continue;
    if (!d) {
        if (!(d = calloc(1, sizeof *d + id.len + 1)))
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

static void doubt_root(struct og_position_watch *p, struct og_str root)
{
    struct legs *l = p->legs;

    while (l && !og_str_is(root, l->root))
        l = l->next;
    if (!l) {
        if (!(l = calloc(1, sizeof *l + root.len + 1)))
            return;
        if (root.len > 0)
            memcpy(l->root, root.s, root.len);
        l->next = p->legs;
        p->legs = l;
    }
    l->at = og_time_up();
}

/* Count a fill of `by` units of this run's order as changes of the symbols of its legs. Returns false if its legs are
 * not known. */
static bool move_legs(struct og_position_watch *p, const struct og_tracked *o, struct og_money by)
{
    cJSON *doc = NULL;
    const cJSON *leg;
    bool any = false;

    if (!o || og_doc_read(o->post.body, o->post.len, "body", &doc, NULL) != OG_OK)
        return false;
    cJSON_ArrayForEach (leg, og_doc_get(doc, "legs")) {
        struct og_str symbol, side;
        struct og_money ratio, moved;
        struct held *h;

        if (!og_doc_str(leg, "symbol", &symbol) || !og_doc_str(leg, "side", &side) ||
            !og_doc_money(leg, "ratio", &ratio) || !og_money_mul(ratio, by, &moved) || !(h = held_of(p, symbol)))
            continue;
        h->moved = og_str_is(side, "Buy") ? plus(h->moved, moved) : minus(h->moved, moved);
        h->moved_at = og_time_up();
        any = true;
    }
    cJSON_Delete(doc);
    return any;
}

/* Add to `doubt` an upper bound of how much a fill of somebody else's order changed the symbols of its legs: a leg's
 * quantity for each filled unit. This bound holds whether that quantity is the leg's ratio or its total. Returns false
 * if the row does not name the symbols of all legs. */
static bool doubt_legs(struct og_position_watch *p, const struct og_order_row *row, struct og_money by)
{
    struct og_money most[OG_ROW_LEGS];
    struct held *h;

    if (row->legs == 0 || row->legs < row->leg_count) /* frames of the stream have no legCount */
        return false;
    for (int i = 0; i < row->legs; i++)
        if (row->leg[i].symbol.len == 0 || row->leg[i].qty.coef <= 0 || !og_money_mul(row->leg[i].qty, by, &most[i]))
            return false;
    for (int i = 0; i < row->legs; i++) {
        if (!(h = held_of(p, row->leg[i].symbol)))
            return false;
        h->doubt = plus(h->doubt, most[i]);
        h->moved_at = og_time_up();
    }
    return true;
}

/* Returns true if the row describes a single order, not a spread. In frames of the stream, a single order also has the
 * id of a spread: "0". */
static bool is_of_one_symbol(const struct og_order_row *row)
{
    return row->leg_count == 0 && row->legs == 0 && (row->mleg_id.len == 0 || og_str_is(row->mleg_id, "0")) &&
           !og_str_is(row->security_type, "MLEG") && row->side.len > 0 && traded(row).len > 0;
}

void og_send_moved(struct og_account_state *a, const struct og_tracked *o, const struct og_order_row *row)
{
    struct og_position_watch *p = positions_of(a);
    struct og_money by;
    struct held *h;

    if (!p || row->client_order_id.len == 0 || !row->has_executed || row->executed.coef <= 0)
        return;
    by = news_of(p, row->client_order_id, row->executed);
    if (by.coef == 0 || !p->based)
        return;
    p->due = true;
    og_send_filled(a); /* also for orders made elsewhere: positions that were requested before this moment may lack the
                        * fill */
    if (o && (o->external || o->recovered || !o->post.body))
        /* the filled quantity before this row is not known, so count the fill like one of somebody else's order */
        o = NULL;
    if (!is_of_one_symbol(row)) {
        if (!move_legs(p, o, by) && !doubt_legs(p, row, by))
            doubt_root(p, row->symbol); /* a row without a symbol may be of any root, and so counts for all */
        return;
    }
    if (!(h = held_of(p, traded(row))))
        return;
    h->moved_at = og_time_up();
    if (!o)
        h->doubt = plus(h->doubt, by);
    else
        h->moved = og_str_is(row->side, "Buy") ? plus(h->moved, by) : minus(h->moved, by);
}

uint64_t og_send_moved_at(const struct og_account_state *a, const char *symbol)
{
    const struct held *h = a->positions ? a->positions->held : NULL;

    while (h && strcmp(h->symbol, symbol) != 0)
        h = h->next;
    return h ? h->moved_at : 0;
}

/* --- positions that are held -------------------------------------------------------------------------------------- */

void og_send_held(struct og_account_state *a, const cJSON *list)
{
    struct og_position_watch *p = positions_of(a);
    const cJSON *item;

    if (!p || !list)
        return;
    for (struct held *h = p->held; h; h = h->next)
        h->now = og_money_from(0);
    cJSON_ArrayForEach (item, list) {
        struct og_str symbol = { NULL, 0 }, side = { NULL, 0 };
        struct og_money shares;
        struct held *h;

        if ((!og_doc_str(item, "tradedSymbol", &symbol) || symbol.len == 0) && !og_doc_str(item, "symbol", &symbol))
            continue;
        if (!og_doc_money(item, "shares", &shares) || !og_doc_str(item, "side", &side) || !(h = held_of(p, symbol)))
            continue;
        if (shares.coef < 0)
            shares = minus(og_money_from(0), shares);
        h->now = og_str_is(side, "Short") ? minus(h->now, shares) : plus(h->now, shares);
    }
}

/* --- whether positions agree with fills --------------------------------------------------------------------------- */

/* Returns true if an order of ours in the symbol may have filled, although no row has shown a fill yet. */
static bool may_have_filled(struct og_account_state *a, const struct held *h)
{
    bool may = false;

    for (struct og_tracked *o = a->sender->orders; o; o = o->next) {
        bool open = o->execution.state == OG_INTENDED || o->execution.state == OG_POSTED ||
                    o->execution.state == OG_OUTCOME_UNKNOWN ||
                    (o->execution.state == OG_WORKING && og_absence_is_unlisted(&o->absence));

        if (o->account != a || o->external || !open)
            continue;
        if (!o->post.traded || strcmp(o->post.traded, h->symbol) == 0)
            may = true;
    }
    return may;
}

/* Returns true if the symbol is one of the roots in p->legs, or a contract on one of them. */
static bool is_of_legs(const struct og_position_watch *p, const struct held *h)
{
    const struct legs *l = p->legs;

    while (l && strncmp(h->symbol, l->root, strlen(l->root)) != 0)
        l = l->next;
    return l != NULL;
}

static void agree(struct held *h)
{
    h->base = h->now;
    h->moved = h->doubt = og_money_from(0);
    h->suspect = false;
}

/* Note that a reading did not agree with the fills. Such a reading counts only if it began after quiet_from, since a
 * reading too soon after a fill may lack the fill. */
static void suspect(struct held *h, uint64_t began, uint64_t quiet_from)
{
    if (h->suspect && h->suspect_at > quiet_from && same(h->suspect_now, h->now) && same(h->suspect_moved, h->moved))
        return;
    h->suspect = true;
    h->suspect_now = h->now;
    h->suspect_moved = h->moved;
    h->suspect_at = began;
}

/* Compare one symbol. Returns false if only a later reading can tell whether its position agrees. */
static bool compare(struct og_account_state *a, struct held *h, uint64_t began)
{
    struct og_money off = minus(minus(h->now, h->base), h->moved);
    uint64_t quiet_from = h->moved_at + lag_ns(a->sender);

    /* multi-leg orders on that root may have caused any change: accept the new position once the reading cannot lack a
     * fill */
    if (is_of_legs(a->positions, h)) {
        if (quiet_from < began)
            agree(h);
        return quiet_from < began;
    }
    if (off.coef < 0)
        off = minus(og_money_from(0), off);
    if (og_money_cmp(off, h->doubt) <= 0) {
        if (h->doubt.coef != 0 && quiet_from >= began)
            return false;
        agree(h);
        return true;
    }
    suspect(h, began, quiet_from);
    if (h->suspect_at == began || quiet_from >= h->suspect_at || may_have_filled(a, h))
        return false;
    og_send_tell_position(a, h->symbol, h->base, h->moved, h->now);
    agree(h);
    return true;
}

static void forget_legs(struct og_position_watch *p, uint64_t quiet_before)
{
    struct legs **at = &p->legs;

    while (*at) {
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
    struct og_position_watch *p = positions_of(a);
    bool all = true, legs_said = true;

    if (!p)
        return;
    for (struct held *h = p->held; h; h = h->next) {
        bool said = true;

        if (p->based)
            said = compare(a, h, began);
        else
            agree(h);
        all = all && said;
        legs_said = legs_said && (said || !is_of_legs(p, h));
    }
    if (legs_said)
        forget_legs(p, began - lag_ns(a->sender));
    p->based = true;
    p->due = !all || p->legs;
    p->idle_ms = og_send_ms(a->sender) + OG_POSITIONS_IDLE_MS;
}

/* --- when positions are compared ---------------------------------------------------------------------------------- */

/* A position in a frame causes a reading, but the frame's values are not used. A frame has an id, a symbol and perhaps
 * signed shares (L8 to L11 of docs/readings.md), but not what facts need: the contract of an option, the average price,
 * the margin. The next reading begins within READ_DIRTY_MS. */
void og_send_position_pushed(struct og_account_state *a)
{
    struct og_position_watch *p = positions_of(a);

    if (p)
        p->due = true;
}

void og_send_look_at_positions(struct og_account_state *a)
{
    struct og_position_watch *p = a->positions;
    int64_t now = og_send_ms(a->sender);

    if (!p || !a->stream.ready || now < (p->due ? p->next_ms : p->idle_ms))
        return;
    p->next_ms = now + OG_POSITIONS_LOOK_MS;
    p->idle_ms = now + OG_POSITIONS_IDLE_MS;
    og_send_account_dirty(a);
    og_send_account_look(a);
}

void og_send_positions_free(struct og_account_state *a)
{
    struct og_position_watch *p = a->positions;

    if (!p)
        return;
    while (p->held) {
        struct held *h = p->held;

        p->held = h->next;
        free(h);
    }
    while (p->legs) {
        struct legs *l = p->legs;

        p->legs = l->next;
        free(l);
    }
    for (size_t i = 0; i < BUCKETS; i++)
        while (p->done[i]) {
            struct done *d = p->done[i];

            p->done[i] = d->next;
            free(d);
        }
    free(p);
}
