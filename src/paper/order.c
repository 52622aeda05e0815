/*
 * The states of an order: placed, acknowledged or rejected, filled, canceled, ended. decide.c has already decided
 * whether the order is rejected; match.c decides when it fills.
 */
#include "paper/order.h"

#include <stdio.h>
#include <string.h>

#include "paper/hub.h"
#include "paper/match.h"
#include "paper/paper.h"
#include "paper/strategy.h"

#define RENAMED "INVALID"

/* --- creating orders ---------------------------------------------------------------------------------------------- */

static bool copy_texts(struct og_arena *arena, struct og_paper_ticket *t)
{
    int i;

    t->symbol = og_arena_copy(arena, t->symbol);
    t->id = og_arena_copy(arena, t->id);
    t->route = og_arena_copy(arena, t->route);
    for (i = 0; i < t->legs; i++) {
        t->leg[i].symbol = og_arena_copy(arena, t->leg[i].symbol);
        if (!t->leg[i].symbol.s)
            return false;
    }
    return t->symbol.s && t->id.s && t->route.s;
}

static struct og_paper_symbol *find_symbol(struct og_paper *p, struct og_str name, bool option)
{
    struct og_paper_symbol *s = og_paper_market_get(&p->market, name);

    return s && s->option == option ? s : NULL;
}

static void find_symbols(struct og_paper_order *o)
{
    int i;

    o->symbol = find_symbol(o->paper, o->ticket.symbol, o->ticket.security == OG_TICKET_OPTION);
    for (i = 0; i < o->ticket.legs; i++)
        o->leg[i].symbol = og_paper_market_get(&o->paper->market, o->ticket.leg[i].symbol);
}

/* Returns a new id: the next number that is not yet used as an id on this account. */
static struct og_str make_id(struct og_paper *p, const struct og_paper_account *account, char *room, size_t size)
{
    struct og_str id = { room, 0 };

    do {
        id.len = (size_t)snprintf(room, size, "%lld", (long long)++p->ids);
    } while (og_map_get(&account->ids, id));
    return id;
}

/* Returns true if o closes the multi-leg order `open`: o has the same legs with reversed sides, and no more units than
 * are still to be closed of `open`. */
static bool is_closed_by(const struct og_paper_order *o, const struct og_paper_order *open)
{
    int i, k;

    if (open->ticket.security != OG_TICKET_MLEG || open->ticket.legs != o->ticket.legs ||
        open->mleg_closed >= open->executed)
        return false;
    for (i = 0; i < o->ticket.legs; i++) {
        for (k = 0; k < open->ticket.legs; k++)
            if (open->leg[k].symbol == o->leg[i].symbol && open->ticket.leg[k].side != o->ticket.leg[i].side &&
                open->ticket.leg[k].effect == OG_TICKET_EFFECT_OPEN &&
                open->ticket.leg[k].ratio == o->ticket.leg[i].ratio)
                break;
        if (k == open->ticket.legs || o->ticket.leg[i].effect != OG_TICKET_EFFECT_CLOSE)
            return false;
    }
    return true;
}

static struct og_paper_order *opener(const struct og_paper_order *o)
{
    struct og_paper_order *other, *open = NULL;

    if (o->ticket.leg[0].effect == OG_TICKET_EFFECT_CLOSE)
        for (other = o->account->orders; other; other = other->older)
            if (is_closed_by(o, other))
                open = other;
    return open;
}

/* Count units of an opening order as closed; a negative quantity takes back the units of a close that did not fill. */
static void count_closed(struct og_paper_order *open, int64_t quantity)
{
    open->mleg_closed += quantity;
    og_paper_order_mark_changed(open);
}

/* Set the number of a multi-leg order: the number of the order that it closes, or a new number if it closes none. */
static void assign_mleg_number(struct og_paper_order *o)
{
    struct og_paper_order *open = opener(o);

    o->mleg_id = open ? open->mleg_id : ++o->paper->mlegs;
    if (open)
        count_closed(open, o->ticket.quantity);
}

static void release_closed(const struct og_paper_order *o)
{
    int64_t quantity = o->ticket.quantity - o->executed;
    struct og_paper_order *open = o->older;

    if (!o->mleg_id || !quantity || o->ticket.leg[0].effect != OG_TICKET_EFFECT_CLOSE)
        return;
    while (open && (open->mleg_id != o->mleg_id || open->ticket.leg[0].effect != OG_TICKET_EFFECT_OPEN))
        open = open->older;
    if (open)
        count_closed(open, -quantity);
}

struct og_paper_order *og_paper_order_new(struct og_paper *p, struct og_arena *arena, struct og_paper_account *account,
                                          const struct og_paper_ticket *ticket)
{
    struct og_paper_order *o = og_arena_take(arena, sizeof *o);
    char room[24];

    if (!o)
        return NULL;
    o->paper = p;
    o->account = account;
    o->ticket = *ticket;
    if (!o->ticket.id.len)
        o->ticket.id = make_id(p, account, room, sizeof room);
    if (!copy_texts(arena, &o->ticket))
        return NULL;
    find_symbols(o);
    return o;
}

/* --- lists and reserved buying power ------------------------------------------------------------------------------ */

static bool reserves(const struct og_paper_order *o)
{
    /* an order that will be rejected reserves nothing */
    return o->working && o->status != OG_ST_DONE_FOR_DAY && !o->late_rejection && o->paper->margin.working;
}

static void reserve(struct og_paper_order *o)
{
    int64_t left = o->ticket.quantity - o->executed - o->canceled;
    int64_t now = reserves(o) ? og_dec_share(o->need, left, o->ticket.quantity) : 0;

    o->account->reserved = og_dec_add(o->account->reserved, now - o->reserved);
    o->reserved = now;
}

static void link_working(struct og_paper_order *o)
{
    struct og_paper_symbol *root = o->symbol ? o->symbol->root : NULL;

    o->working = true;
    o->next_working = o->account->working;
    if (o->next_working)
        o->next_working->prev_working = o;
    o->account->working = o;
    if (!root)
        return;
    o->work_prev = root->last;
    if (root->last)
        root->last->work_next = o;
    else
        root->first = o;
    root->last = o;
}

static void unlink_working(struct og_paper_order *o)
{
    struct og_paper_symbol *root = o->symbol ? o->symbol->root : NULL;

    if (!o->working)
        return;
    o->working = false;
    *(o->prev_working ? &o->prev_working->next_working : &o->account->working) = o->next_working;
    if (o->next_working)
        o->next_working->prev_working = o->prev_working;
    if (!root)
        return;
    *(o->work_prev ? &o->work_prev->work_next : &root->first) = o->work_next;
    *(o->work_next ? &o->work_next->work_prev : &root->last) = o->work_prev;
    o->work_prev = o->work_next = NULL;
}

static void publish_change(struct og_paper_order *o)
{
    struct og_paper *p = o->paper;
    struct og_paper_event *event;

    o->updated = og_paper_clock_now(&p->clock);
    og_paper_order_mark_changed(o);
    if (p->options.control && (event = og_arena_take(&p->arena, sizeof *event))) {
        *event = (struct og_paper_event){ o->updated, o->status, o->text, o->history };
        o->history = event;
    }
    if (!o->unregistered)
        og_paper_hub_order(p, o);
}

/* --- timers ------------------------------------------------------------------------------------------------------- */

static void schedule(struct og_paper_order *o, struct og_paper_timer *timer, int64_t delay)
{
    og_paper_clock_set(&o->paper->clock, timer, og_paper_clock_now(&o->paper->clock) + delay);
}

static int64_t first_step(const struct og_paper_order *o)
{
    return o->late_rejection ? o->paper->delays.reject : o->paper->delays.acknowledge;
}

/* Make a registered order visible in its present state, and set the timer of its next step. */
static void register_order(struct og_paper_order *o)
{
    o->unregistered = false;
    og_paper_hub_order(o->paper, o);
    if (o->working)
        schedule(o, &o->step, first_step(o));
}

/* Returns the text that the simulated venue adds to an accepted order; NULL if it adds none, which is the default. */
static const char *accepted_text(const struct og_paper_order *o)
{
    const struct og_str *words = &o->paper->switches.placeholder;

    return o->account->paper && words->len ? words->s : NULL;
}

static void try_first(struct og_paper_order *o)
{
    if (o->status == OG_ST_ACCEPTED)
        og_paper_order_set_status(o, OG_ST_NEW, accepted_text(o));
    og_paper_match_order(o, true);
}

bool og_paper_order_first_try(struct og_paper_order *o)
{
    if (!o->acknowledged || !og_paper_clock_unset(&o->paper->clock, &o->step))
        return false;
    try_first(o);
    return true;
}

static void on_step(void *with)
{
    struct og_paper_order *o = with;
    struct og_paper_clock *clock = &o->paper->clock;

    if (o->unregistered) {
        register_order(o);
        return;
    }
    if (o->acknowledged) {
        try_first(o);
        return;
    }
    o->acknowledged = true;
    if (o->late_rejection) {
        og_paper_order_end(o, OG_ST_REJECTED, o->late_rejection);
        return;
    }
    if (o->status == OG_ST_PENDING_NEW)
        og_paper_order_set_status(o, o->paper->switches.accepted ? OG_ST_ACCEPTED : OG_ST_NEW, accepted_text(o));
    og_paper_clock_set(clock, &o->step, og_paper_clock_now(clock) + o->paper->delays.fill);
}

static void cancel_done(void *with)
{
    og_paper_order_end(with, OG_ST_CANCELED, NULL);
}

static void init_timers(struct og_paper_order *o)
{
    o->step = (struct og_paper_timer){ .fire = on_step, .with = o };
    o->cancel = (struct og_paper_timer){ .fire = cancel_done, .with = o };
}

/* --- public functions --------------------------------------------------------------------------------------------- */

bool og_paper_order_place(struct og_paper_order *o, const char *rejected, int64_t late)
{
    struct og_paper_account *account = o->account;

    if (!og_map_put(&account->ids, NULL, o->ticket.id, o))
        return false;
    o->number = ++o->paper->orders;
    o->older = account->orders;
    account->orders = o;
    o->started = og_paper_clock_now(&o->paper->clock);
    init_timers(o);
    o->unregistered = late > 0;
    if (rejected) {
        og_paper_order_end(o, OG_ST_REJECTED, rejected);
        if (late > 0)
            schedule(o, &o->step, late);
        return true;
    }
    if (o->ticket.legs)
        assign_mleg_number(o);
    link_working(o);
    o->status = OG_ST_PENDING_NEW;
    reserve(o);
    publish_change(o);
    schedule(o, &o->step, late > 0 ? late : first_step(o));
    return true;
}

void og_paper_order_mark_changed(struct og_paper_order *o)
{
    if (o->changed)
        return;
    o->changed = true;
    o->next_changed = o->paper->changed;
    o->paper->changed = o;
}

/* Mark the order's id as used; if the order was renamed, also the id under which it was sent. */
static bool use_ids(struct og_paper_order *o)
{
    const size_t suffix = sizeof(RENAMED) - 1;
    struct og_str plain = o->ticket.id;

    if (o->late_rejection && strncmp(o->late_rejection, "R118", 4) == 0 && plain.len > suffix &&
        memcmp(plain.s + plain.len - suffix, RENAMED, suffix) == 0)
        plain.len -= suffix;
    return og_map_put(&o->account->ids, NULL, plain, o) && og_map_put(&o->account->ids, NULL, o->ticket.id, o);
}

bool og_paper_order_restore(struct og_paper *p, struct og_paper_account *account, void *row)
{
    struct og_paper_delays *delays = &p->delays;
    struct og_paper_order *o = row;

    o->paper = p;
    o->account = account;
    find_symbols(o);
    init_timers(o);
    if (!use_ids(o))
        return false;
    if (o->gone)
        return true;
    o->older = o->account->orders;
    o->account->orders = o;
    if (og_paper_order_final(o->status) || (o->status == OG_ST_DONE_FOR_DAY && !og_paper_order_leaves(o)))
        return true;
    link_working(o);
    reserve(o);
    if (o->status != OG_ST_DONE_FOR_DAY)
        schedule(o, &o->step, o->acknowledged ? delays->fill : first_step(o));
    if (o->status == OG_ST_PENDING_CANCEL)
        schedule(o, &o->cancel, delays->cancel);
    return true;
}

bool og_paper_order_rename(struct og_paper_order *o)
{
    struct og_arena *arena = &o->paper->arena;
    struct og_buf b;
    bool ok;

    if (!og_map_put(&o->account->ids, NULL, o->ticket.id, o))
        return false;
    og_buf_init(&b, 0);
    og_buf_str(&b, o->ticket.id);
    og_buf_text(&b, RENAMED);
    ok = !b.bad;
    /* if another order has the new id, this order keeps its own */
    if (ok && !og_map_get(&o->account->ids, (struct og_str){ b.s, b.len }))
        o->ticket.id = og_arena_copy(arena, (struct og_str){ b.s, b.len });
    og_buf_clear(&b);
    return ok && o->ticket.id.s;
}

struct og_paper_order *og_paper_order_get(const struct og_paper_account *account, struct og_str id)
{
    struct og_paper_order *o = og_map_get(&account->ids, id);

    if (!o || o->gone || o->unregistered || !og_str_eq(o->ticket.id, id))
        return NULL;
    if (o->paper->delays.known && og_paper_clock_now(&o->paper->clock) < o->started + o->paper->delays.known)
        return NULL;
    return o;
}

int64_t og_paper_order_leaves(const struct og_paper_order *o)
{
    if (og_paper_order_final(o->status) || (o->status == OG_ST_DONE_FOR_DAY && !og_paper_tif_lasts(o->ticket.tif)))
        return 0;
    return o->ticket.quantity - o->executed - o->canceled;
}

static int64_t average(const struct og_paper_order *o)
{
    return o->executed ? og_dec_round(o->value / o->executed, OG_DEC_TICK) : 0;
}

/* Returns true if a multi-leg order has been processed far enough for look-ups to show its legs. */
static bool legs_shown(struct og_paper_order *o)
{
    return o->ticket.security == OG_TICKET_MLEG && o->acknowledged &&
           og_paper_clock_now(&o->paper->clock) >= o->started + o->paper->delays.legs;
}

void og_paper_order_fill(struct og_paper_order *o, int64_t quantity, int64_t price)
{
    o->executed += quantity;
    o->last_quantity = quantity;
    o->last_price = price;
    o->value = og_dec_add(o->value, og_dec_scale(price, quantity));
    if (o->executed == o->ticket.quantity)
        og_paper_order_end(o, OG_ST_FILLED, NULL);
    else
        og_paper_order_set_status(o, o->status == OG_ST_PENDING_CANCEL ? o->status : OG_ST_PARTIALLY_FILLED, NULL);
}

void og_paper_order_set_status(struct og_paper_order *o, enum og_order_status status, const char *text)
{
    o->status = status;
    o->text = text && *text ? text : NULL; /* a rejection may come without a text */
    reserve(o);
    publish_change(o);
}

void og_paper_order_end(struct og_paper_order *o, enum og_order_status status, const char *text)
{
    og_paper_clock_unset(&o->paper->clock, &o->step);
    og_paper_clock_unset(&o->paper->clock, &o->cancel);
    unlink_working(o);
    release_closed(o);
    o->canceled = o->ticket.quantity - o->executed;
    og_paper_order_set_status(o, status, text);
}

void og_paper_order_request_cancel(struct og_paper_order *o)
{
    if (o->status == OG_ST_PENDING_CANCEL)
        return;
    og_paper_order_set_status(o, OG_ST_PENDING_CANCEL, NULL);
    schedule(o, &o->cancel, o->paper->delays.cancel);
}

/* --- the REST row ------------------------------------------------------------------------------------------------- */

static struct og_money money_of(int64_t n)
{
    return og_money_from(n);
}

/* Returns the openClose of the order; for a multi-leg order, the openClose of its legs if all have the same one. */
static enum og_paper_effect effect_of(const struct og_paper_ticket *t)
{
    enum og_paper_effect effect = t->leg[0].effect;
    int i;

    if (t->security != OG_TICKET_MLEG)
        return t->effect;
    for (i = 1; i < t->legs; i++)
        if (t->leg[i].effect != effect)
            return OG_TICKET_EFFECT_INVALID;
    return effect;
}

static struct og_str side_of(struct og_paper_order *o, enum og_paper_view view, bool shown)
{
    const struct og_paper_ticket *t = &o->ticket;

    if (t->security == OG_TICKET_MLEG)
        return shown ? og_str_of(og_paper_sides[og_paper_strategy_net(t)]) : OG_STR("Unknown");
    if (view == OG_VIEW_LIST && t->security == OG_TICKET_STOCK && t->side == OG_TICKET_SIDE_SELL &&
        t->effect == OG_TICKET_EFFECT_OPEN)
        return OG_STR("SellShort");
    return og_str_of(og_paper_sides[t->side]);
}

/* Returns true if the order was rejected before its symbol was looked up. */
static bool unresolved(const struct og_paper_order *o)
{
    return o->status == OG_ST_REJECTED && !o->acknowledged && !o->symbol;
}

static void fill_prices(const struct og_paper_order *o, struct og_order_row *row)
{
    const struct og_paper_ticket *t = &o->ticket;
    bool limited = t->type == OG_TICKET_TYPE_LIMIT || t->type == OG_TICKET_TYPE_STOP_LIMIT;
    bool stopped = t->type == OG_TICKET_TYPE_STOP || t->type == OG_TICKET_TYPE_STOP_LIMIT;

    if (limited)
        row->limit_price = og_dec_money(t->limit);
    /* for a market spread, the net price at which it filled */
    else if (t->security == OG_TICKET_MLEG && t->type == OG_TICKET_TYPE_MARKET)
        row->limit_price = og_dec_money(average(o));
    if (stopped)
        row->price_stop = og_dec_money(t->stop);
    row->price_avg = og_dec_money(average(o));
    row->last_price = og_dec_money(o->last_price);
    row->strike_price = og_dec_money(o->symbol && o->symbol->option ? o->symbol->contract.strike : 0);
    row->maintenance_requirement = row->margin_requirement = og_dec_money(o->need);
}

static void fill_legs(struct og_paper_order *o, struct og_order_row *row)
{
    const struct og_paper_ticket *t = &o->ticket;
    int64_t leaves = og_paper_order_leaves(o);
    int i;

    row->leg_count = row->legs = t->legs;
    for (i = 0; i < t->legs; i++) {
        const struct og_paper_leg_state *leg = &o->leg[i];

        row->leg[i] = (struct og_leg_row){
            .index = i,
            .symbol = t->leg[i].symbol,
            .side = og_str_of(og_paper_sides[t->leg[i].side]),
            .open_close = og_str_of(t->leg[i].effect == OG_TICKET_EFFECT_CLOSE ? "Close" : "Open"),
            .qty = money_of(t->leg[i].ratio * t->quantity),
            .leaves = money_of(t->leg[i].ratio * leaves),
            .last_qty = money_of(leg->last_quantity),
            .last_px = og_dec_money(leg->last_price),
            .avg_px = og_dec_money(leg->filled ? og_dec_round(leg->value / leg->filled, OG_DEC_TICK) : 0),
            .canceled = money_of(t->leg[i].ratio * o->canceled),
        };
    }
}

static void fill_stamps(struct og_paper_order *o, struct og_paper_order_room *room, struct og_order_row *row)
{
    room->started = og_wire_time_utc(o->started);
    room->started_et = og_wire_time_eastern(o->started);
    room->updated = og_wire_time_utc(o->updated);
    snprintf(room->mleg_id, sizeof room->mleg_id, "%lld", (long long)o->mleg_id);
    row->start_time = og_str_of(room->started.s);
    row->start_time_et = og_str_of(room->started_et.s);
    row->last_updated = og_str_of(room->updated.s);
    row->mleg_id = og_str_of(room->mleg_id);
}

void og_paper_order_row(struct og_paper_order *o, enum og_paper_view view, struct og_paper_order_room *room,
                        struct og_order_row *row)
{
    const struct og_paper_ticket *t = &o->ticket;
    bool shown = legs_shown(o);
    enum og_paper_effect effect = effect_of(t);

    *row = (struct og_order_row){
        .account_id = o->account->id,
        .client_order_id = t->id,
        .status_text = og_str_of(og_order_status_name(o->status)),
        .text = og_str_of(o->text),
        .executed = money_of(o->executed),
        .leaves = money_of(og_paper_order_leaves(o)),
        .canceled = money_of(o->canceled),
        .quantity = money_of(t->quantity),
        .last_quantity = money_of(o->last_quantity),
        .peg_offset_type = OG_STR("None"),
        .open_close = effect == OG_TICKET_EFFECT_OPEN || effect == OG_TICKET_EFFECT_CLOSE
                          ? og_str_of(og_paper_effects[effect])
                          : OG_STR("Unknown"),
        .order_type = og_str_of(og_paper_types[t->type]),
        .security_type = t->security == OG_TICKET_MLEG ? OG_STR("MLEG") : og_str_of(og_paper_securities[t->security]),
        .side = side_of(o, view, shown),
        .symbol = o->symbol ? o->symbol->root->name : t->symbol,
        .traded_symbol = unresolved(o) ? (struct og_str){ NULL, 0 } : t->symbol,
        .time_in_force = og_str_of(og_paper_tifs[t->tif]),
        .route = t->route.len ? t->route : OG_STR("<no value>"),
        .account_type = o->account->type,
        .source_system = OG_STR("PAPER"),
    };
    fill_prices(o, row);
    fill_stamps(o, room, row);
    if (shown)
        fill_legs(o, row);
}
