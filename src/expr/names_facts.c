/*
 * Values of names about account, positions, market, clock and counters.  A sum that includes an unknown value is an
 * error.  The evaluator has checked that facts are known and fresh, except where a getter checks that itself.
 */
#include <stdio.h>

#include "expr/names.h"
#include "facts/calendar.h"
#include "rules/limit.h"

#define NS_PER_MINUTE (60 * OG_NS_PER_S)

static struct og_expr_value text_or_none(struct og_str s, const char *name)
{
    return s.len ? og_expr_string(s) : og_expr_error(OG_CAUSE_NO_VALUE, name);
}

static struct og_expr_value option_level(int n, const char *name)
{
    return n >= 0 ? og_expr_int(n) : og_expr_error(OG_CAUSE_NO_VALUE, name);
}

static struct og_expr_value environment(const struct og_case *c, const struct og_expr_named *name)
{
    switch (c->facts ? og_facts_environment(c->facts) : OG_ENV_UNKNOWN) {
    case OG_ENV_PAPER: return og_expr_string(OG_STR("paper"));
    case OG_ENV_LIVE: return og_expr_string(OG_STR("live"));
    case OG_ENV_UNKNOWN: break;
    }
    return (struct og_expr_value){
        .state = OG_EXPR_UNKNOWN, .as.why = { .cause = OG_CAUSE_FACT, .fact = OG_FACT_ACCOUNT, .name = name->is.name }
    };
}

OG_GETTER(og_expr_get_account)
{
    const struct og_account *a = c->facts ? og_facts_account(c->facts) : NULL;
    const char *name = name_->is.name;

    (void)room;
    switch ((enum og_of_account)name_->key) {
    case OG_OF_ID: return text_or_none(c->account_id, name);
    case OG_OF_ENVIRONMENT: return environment(c, name_);
    case OG_OF_TYPE: return text_or_none(a->type, name);
    case OG_OF_STATUS: return text_or_none(a->status, name);
    case OG_OF_OPT_LEVEL: return option_level(a->opt_level, name);
    case OG_OF_TRADING_LEVEL: break;
    }
    return option_level(a->option_trading_level, name);
}

/* Numbers of the account, each with the flag that says whether the account document has it. */
static const struct {
    size_t value, has;
} numbers[] = {
#define NUMBER(field)                                                                \
    {                                                                                \
        offsetof(struct og_account, field), offsetof(struct og_account, has_##field) \
    }
    NUMBER(bp),         NUMBER(overnight_bp),   NUMBER(available_cash),      NUMBER(equity),
    NUMBER(sod_equity), NUMBER(margin_deficit), NUMBER(maintenance_deficit),
#undef NUMBER
};

OG_GETTER(og_expr_get_account_number)
{
    const char *a = (const char *)og_facts_account(c->facts);

    (void)room;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (numbers[i].value == (size_t)name_->key && *(const bool *)(a + numbers[i].has))
            return og_expr_number(*(const struct og_money *)(const void *)(a + numbers[i].value));
    return OG_NO_VALUE;
}

/* --- positions and the book --------------------------------------------------------------------------------------- */

#define LEAST_OF_LARGE INT64_C(1000000000000000) /* an amount or count that overflows is larger than this */

/* Returns the unknown value of a sum that is at least `least`, and gives this bound for a name that may have bounds. */
static struct og_expr_value at_least(struct og_expr_room *room, struct og_money least, enum og_expr_cause cause,
                                     const char *name)
{
    struct og_expr_value v = og_expr_error(cause, name);

    room->given = (struct og_range){ .has_low = true, .low = least };
    v.ranged = least.coef >= 0;
    return v;
}

/* Returns cents as dollars.  If a part of the amount is unknown, or the amount overflows, the value is an error with a
 * lower bound: rules compare such a bound with their limits, so expressions do too. */
static struct og_expr_value dollars_value(struct og_expr_room *room, og_wide cents, int unknown, const char *name)
{
    const enum og_expr_cause cause = unknown ? OG_CAUSE_UNPRICED : OG_CAUSE_OVERFLOW;
    struct og_money m;

    if (cents > INT64_MAX || cents < INT64_MIN ||
        !og_money_mul(og_money_from((int64_t)cents), (struct og_money){ 1, 2 }, &m))
        return at_least(room, og_money_from(cents > 0 ? LEAST_OF_LARGE : -1), cause, name);
    return unknown ? at_least(room, m, cause, name) : og_expr_number(m);
}

static struct og_expr_value count_value(struct og_expr_room *room, og_wide n, int unknown, const char *name)
{
    const struct og_money m = og_money_from(n > INT64_MAX ? LEAST_OF_LARGE : (int64_t)n);

    if (unknown)
        return at_least(room, m, OG_CAUSE_UNPRICED, name);
    return n > INT64_MAX ? at_least(room, m, OG_CAUSE_OVERFLOW, name) : og_expr_number(m);
}

/* Returns a quantity of working orders; a lower bound if some of them are of unknown size. */
static struct og_expr_value leaves_value(struct og_expr_room *room, const struct og_holding *h, struct og_money leaves,
                                         const char *name)
{
    return h->unsized ? at_least(room, leaves, OG_CAUSE_UNPRICED, name) : og_expr_number(leaves);
}

OG_GETTER(og_expr_get_position)
{
    static const struct og_holding nothing;
    const struct og_holding *h = c->holding ? c->holding : &nothing;
    struct og_money net;

    switch ((enum og_of_position)name_->key) {
    case OG_OF_LONG: return og_expr_number(h->held_long);
    case OG_OF_SHORT: return og_expr_number(h->held_short);
    case OG_OF_NET:
        return og_money_sub(h->held_long, h->held_short, &net) ? og_expr_number(net)
                                                               : og_expr_error(OG_CAUSE_OVERFLOW, name_->is.name);
    case OG_OF_BUYING: return leaves_value(room, h, h->opening_buy_leaves, name_->is.name);
    case OG_OF_SELLING: return leaves_value(room, h, h->opening_sell_leaves, name_->is.name);
    case OG_OF_BUYING_TO_CLOSE: return leaves_value(room, h, h->closing_buys, name_->is.name);
    case OG_OF_SELLING_TO_CLOSE: return leaves_value(room, h, h->closing_sells, name_->is.name);
    case OG_OF_WORKING: return og_expr_int(h->working);
    case OG_OF_VALUE: break;
    }
    return dollars_value(room, h->value, h->unpriced, name_->is.name);
}

OG_GETTER(og_expr_get_book)
{
    const struct og_order *o = c->order;
    const struct og_totals *t = og_facts_totals(c->facts);
    const struct og_beyond at = og_facts_exposure(c->facts);
    const struct og_str root = o->security == OG_OPTION && o->occ.is ? o->occ.root : o->symbol;
    const char *name = name_->is.name;
    int unpriced = 0;
    og_wide value;

    switch ((enum og_of_book)name_->key) {
    case OG_OF_GROSS: return dollars_value(room, at.longs + at.shorts, at.unpriced, name);
    case OG_OF_BOOK_NET: return dollars_value(room, at.longs - at.shorts, at.unpriced, name);
    case OG_OF_LONGS: return dollars_value(room, at.longs, at.unpriced, name);
    case OG_OF_SHORTS: return dollars_value(room, at.shorts, at.unpriced_shorts, name);
    case OG_OF_ORDERS: return og_expr_int(t->orders);
    case OG_OF_CONTRACTS: return count_value(room, t->contracts, t->unsized, name);
    case OG_OF_ON_UNDERLYING:
        value = og_facts_value_on(c->facts, root, &unpriced);
        return dollars_value(room, value, unpriced, name);
    case OG_OF_SHORT_CALLS: return count_value(room, og_facts_shorts(c->facts, root, 'C'), t->unsized, name);
    case OG_OF_SHORT_PUTS: break;
    }
    return count_value(room, og_facts_shorts(c->facts, root, 'P'), t->unsized, name);
}

/* --- the market --------------------------------------------------------------------------------------------------- */

static struct og_expr_value mid_or_spread(const struct og_quote *q, bool mid, const char *name)
{
    struct og_money m;

    if (!q->has_bid || !q->has_ask)
        return og_expr_error(OG_CAUSE_NO_VALUE, name);
    if (mid ? og_money_add(q->bid, q->ask, &m) && og_money_mul(m, (struct og_money){ 5, 1 }, &m)
            : og_money_sub(q->ask, q->bid, &m))
        return og_expr_number(m);
    return og_expr_error(OG_CAUSE_OVERFLOW, name);
}

OG_GETTER(og_expr_get_quote)
{
    const struct og_quote *q = c->quote;
    const char *name = name_->is.name;

    (void)room;
    switch ((enum og_of_quote)name_->key) {
    case OG_OF_BID: return q->has_bid ? og_expr_number(q->bid) : OG_NO_VALUE;
    case OG_OF_ASK: return q->has_ask ? og_expr_number(q->ask) : OG_NO_VALUE;
    case OG_OF_LAST: return q->has_last ? og_expr_number(q->last) : OG_NO_VALUE;
    case OG_OF_MID: return mid_or_spread(q, true, name);
    case OG_OF_SPREAD: return mid_or_spread(q, false, name);
    case OG_OF_AGE: break;
    }
    return q->as_of == OG_TIME_UNKNOWN ? OG_NO_VALUE : og_expr_ns(c->facts_at - q->as_of);
}

static struct og_expr_value known_value(enum og_known known, const char *name)
{
    return known == OG_NOT_KNOWN ? og_expr_error(OG_CAUSE_NO_VALUE, name) : og_expr_truth_value(known == OG_KNOWN_TRUE);
}

OG_GETTER(og_expr_get_status)
{
    const struct og_symbol_status *s = og_facts_symbol_status(c->facts, c->order->symbol);
    const char *name = name_->is.name;

    (void)room;
    switch ((enum og_of_symbol_status)name_->key) {
    case OG_OF_HALTED: return known_value(s->halted, name);
    case OG_OF_PAUSED: return known_value(s->paused, name);
    case OG_OF_RESTRICTED: return known_value(s->short_sale_restricted, name);
    case OG_OF_LIMIT_DOWN: return s->has_limit_down ? og_expr_number(s->limit_down) : OG_NO_VALUE;
    case OG_OF_LIMIT_UP: return s->has_limit_up ? og_expr_number(s->limit_up) : OG_NO_VALUE;
    case OG_OF_STATUS_AGE: break;
    }
    return s->as_of == OG_TIME_UNKNOWN ? OG_NO_VALUE : og_expr_ns(c->facts_at - s->as_of);
}

OG_GETTER(og_expr_get_borrow)
{
    (void)room;
    (void)name_;
    return og_expr_truth_value(og_facts_borrow(c->facts, c->order->symbol)->easy);
}

OG_GETTER(og_expr_get_locates)
{
    struct og_money shares;

    (void)room;
    (void)name_;
    return og_facts_available(c->facts, c->order->symbol, &shares) ? og_expr_number(shares) : og_expr_int(0);
}

OG_GETTER(og_expr_get_volume)
{
    struct og_money shares;

    (void)room;
    return og_facts_volume(c->facts, c->order->symbol, &shares) ? og_expr_number(shares) : OG_NO_VALUE;
}

/* --- the clock ---------------------------------------------------------------------------------------------------- */

static int64_t whole_minutes(int64_t ns)
{
    return ns / NS_PER_MINUTE - (ns % NS_PER_MINUTE < 0);
}

OG_GETTER(og_expr_get_session)
{
    const struct og_day day = c->today;
    const struct og_eastern *e = &c->eastern;
    bool session = og_day_is_session(day);
    char date[16];

    if (name_->key == OG_OF_DATE) {
        snprintf(date, sizeof date, "%04d-%02d-%02d", e->year % 10000, e->month, e->day);
        return og_expr_room_text(room, date);
    }
    if (day.kind == OG_DAY_UNKNOWN)
        return og_expr_error(OG_CAUSE_CALENDAR, name_->is.name);
    switch ((enum og_of_session)name_->key) {
    case OG_OF_OPEN: return og_expr_truth_value(session && e->ns_of_day >= OG_DAY_OPENS && e->ns_of_day < day.closes);
    case OG_OF_KIND:
        return og_expr_string(day.kind == OG_DAY_FULL    ? OG_STR("full")
                              : day.kind == OG_DAY_EARLY ? OG_STR("early")
                                                         : OG_STR("closed"));
    case OG_OF_EARLY: return og_expr_truth_value(day.kind == OG_DAY_EARLY);
    case OG_OF_TO_CLOSE: return session ? og_expr_int(whole_minutes(day.closes - e->ns_of_day)) : OG_NO_VALUE;
    case OG_OF_FROM_OPEN: return session ? og_expr_int(whole_minutes(e->ns_of_day - OG_DAY_OPENS)) : OG_NO_VALUE;
    case OG_OF_DATE: break;
    }
    return OG_NO_VALUE;
}

OG_GETTER(og_expr_get_now)
{
    (void)room;
    (void)name_;
    return og_expr_ns(c->now);
}

/* --- counters ----------------------------------------------------------------------------------------------------- */

/* Returns true if the sender's own counts are known.  Without a document they are known; but a document that has them
 * (key "gate") and is too old makes them unknown. */
static bool gate_is_fresh(const struct og_case *c, const struct og_expr_named *name, struct og_expr_value *v)
{
    int64_t as_of;

    return !og_facts_known(c->facts, OG_FACT_GATE, &as_of) || og_expr_require_facts(c, OG_FACT_GATE, name, v);
}

OG_GETTER(og_expr_get_sent)
{
    struct og_expr_value v;

    (void)room;
    if (!gate_is_fresh(c, name_, &v))
        return v;
    return og_expr_int(og_facts_sent(c->facts, (enum og_span)name_->key, c->now, c->eastern.date));
}

OG_GETTER(og_expr_get_traded)
{
    struct og_expr_value v;
    struct og_traded t;

    if (!gate_is_fresh(c, name_, &v))
        return v;
    og_facts_traded_on(c->facts, (struct og_str){ NULL, 0 }, c->eastern.date, &t);
    if (name_->key == OG_OF_DOLLARS)
        return dollars_value(room, t.cents, t.unpriced, name_->is.name);
    return count_value(room, name_->key == OG_OF_SHARES_TRADED ? t.shares : t.contracts, t.unsized, name_->is.name);
}

OG_GETTER(og_expr_get_rejections)
{
    struct og_expr_value v;

    (void)room;
    return gate_is_fresh(c, name_, &v) ? og_expr_int(og_facts_rejections(c->facts)) : v;
}

OG_GETTER(og_expr_get_latched)
{
    struct og_expr_value v;

    (void)room;
    if (!gate_is_fresh(c, name_, &v))
        return v;
    return og_expr_truth_value(og_facts_latched_at(c->facts, (enum og_latch_kind)name_->key, c->now) != NULL);
}

OG_GETTER(og_expr_get_pnl)
{
    const struct og_pnl *pnl = og_facts_pnl(c->facts);
    struct og_money fallen;

    (void)room;
    if (!pnl->has_day)
        return OG_NO_VALUE;
    if (name_->key == OG_OF_DAY_PNL)
        return og_expr_number(pnl->day);
    if (name_->key == OG_OF_PEAK)
        return og_expr_number(pnl->peak);
    return og_money_sub(pnl->peak, pnl->day, &fallen) ? og_expr_number(fallen)
                                                      : og_expr_error(OG_CAUSE_OVERFLOW, name_->is.name);
}
