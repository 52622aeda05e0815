/*
 * Values of names about the order and its legs.  A field of a wrong type has no value.  A price that depends on a quote
 * is known only if the quote is fresh.  A text that the order lacks is ""; a number or date that it lacks has no value,
 * since 0 would pass as less than a limit.
 */
#include <stdio.h>

#include "expr/names.h"
#include "margin/notional.h"
#include "order/symbol.h"
#include "rules/limit.h"

const char og_expr_absent_text[] = "";

static struct og_expr_value absent_text(void)
{
    return og_expr_string((struct og_str){ og_expr_absent_text, 0 });
}

static struct og_expr_value text_of(const struct og_field *field, const char *name)
{
    if (field->status == OG_ABSENT)
        return absent_text();
    if (field->status != OG_VALID && field->status != OG_WRONG_VALUE)
        return og_expr_error(OG_CAUSE_WRONG, name);
    return og_expr_string(field->text);
}

static struct og_expr_value number_of(const struct og_field *field, struct og_money value, const char *name)
{
    if (field->status == OG_VALID)
        return og_expr_number(value);
    return og_expr_error(field->status == OG_ABSENT ? OG_CAUSE_NO_VALUE : OG_CAUSE_WRONG, name);
}

static struct og_expr_value whole_of(const struct og_field *field, struct og_money value, const char *name)
{
    return field->status == OG_VALID && value.scale ? og_expr_error(OG_CAUSE_WRONG, name)
                                                    : number_of(field, value, name);
}

/* Returns the symbol in upper case, as the broker spells it: gme is compared as GME.  The text is made once for each
 * evaluation, so that an expression with many uses of the symbol does not run out of memory for texts. */
static struct og_expr_value symbol_value(struct og_expr_value v, struct og_expr_room *room)
{
    char capitals[OG_SYMBOL_FOLDED], *to;
    struct og_str symbol;

    if (v.state)
        return v;
    symbol = og_symbol_capitals(v.as.text, capitals);
    if (symbol.s != capitals)
        return v;
    to = memmem(room->text, room->text_len, symbol.s, symbol.len);
    if (to)
        return og_expr_string((struct og_str){ to, symbol.len });
    to = og_expr_room_take(room, symbol.len);
    if (!to)
        return og_expr_error(OG_CAUSE_TEXT, NULL);
    memcpy(to, symbol.s, symbol.len);
    return og_expr_string((struct og_str){ to, symbol.len });
}

OG_GETTER(og_expr_get_text)
{
    struct og_expr_value v = text_of(&c->order->field[name_->key], name_->is.name);

    return name_->key == OG_KEY_SYMBOL ? symbol_value(v, room) : v;
}

OG_GETTER(og_expr_get_quantity)
{
    (void)room;
    return whole_of(&c->order->field[OG_KEY_ORDER_QUANTITY], c->order->quantity_value, name_->is.name);
}

OG_GETTER(og_expr_get_price)
{
    const struct og_order *o = c->order;

    (void)room;
    return number_of(&o->field[name_->key], name_->key == OG_KEY_LIMIT_PRICE ? o->limit : o->stop, name_->is.name);
}

struct og_expr_value og_expr_leg_text(const struct og_leg *leg, struct og_expr_room *room, enum og_leg_key key,
                                      const char *name)
{
    struct og_expr_value v = leg->is_object ? text_of(&leg->field[key], name) : og_expr_error(OG_CAUSE_NO_VALUE, name);

    return key == OG_LEG_SYMBOL ? symbol_value(v, room) : v;
}

struct og_expr_value og_expr_leg_ratio(const struct og_leg *leg, const char *name)
{
    return whole_of(&leg->field[OG_LEG_RATIO], leg->ratio_value, name);
}

struct og_expr_value og_expr_action(enum og_side side, enum og_open_close open_close, const char *name)
{
    static const struct og_str actions[3][3] = {
        [OG_BUY] = { [OG_OPEN] = { "Buy", 3 }, [OG_CLOSE] = { "Cover", 5 } },
        [OG_SELL] = { [OG_OPEN] = { "Short", 5 }, [OG_CLOSE] = { "Sell", 4 } },
    };

    return actions[side][open_close].len ? og_expr_string(actions[side][open_close])
                                         : og_expr_error(OG_CAUSE_NO_VALUE, name);
}

struct og_expr_value og_expr_contract(const struct og_case *c, struct og_expr_room *room, const struct og_occ *occ,
                                      enum og_of_contract what, const char *name)
{
    char date[16];
    struct og_money strike;

    if (!occ || !occ->is || ((what == OG_OF_EXPIRY || what == OG_OF_DAYS) && !occ->date_exists))
        return og_expr_error(OG_CAUSE_NO_VALUE, name);
    switch (what) {
    case OG_OF_RIGHT: return og_expr_string(occ->type == 'C' ? OG_STR("Call") : OG_STR("Put"));
    case OG_OF_STRIKE: /* the strike has eight digits, in thousandths: it always fits */
        return og_money_mul(og_money_from(occ->strike), (struct og_money){ 1, 3 }, &strike)
                   ? og_expr_number(strike)
                   : og_expr_error(OG_CAUSE_WRONG, name);
    case OG_OF_DAYS:
        return og_expr_int(og_days_from_civil(occ->expiry / 10000, occ->expiry / 100 % 100, occ->expiry % 100) -
                           og_days_from_civil(c->eastern.year, c->eastern.month, c->eastern.day));
    case OG_OF_ROOT: return symbol_value(og_expr_string(occ->root), room);
    case OG_OF_EXPIRY: break;
    }
    snprintf(date, sizeof date, "%04d-%02d-%02d", occ->expiry / 10000 % 10000, occ->expiry / 100 % 100,
             occ->expiry % 100);
    return og_expr_room_text(room, date);
}

/* Get a value of the order's contract; for a spread, the expiry of its first leg that is a contract, which is the same
 * for all legs. */
OG_GETTER(og_expr_get_contract)
{
    const struct og_order *o = c->order;
    const struct og_occ *occ = &o->occ;

    if (name_->key == OG_OF_RIGHT && !occ->is && (o->security == OG_STOCK || o->security == OG_MLEG))
        return absent_text();
    if (o->security == OG_MLEG) {
        occ = NULL;
        for (int i = o->legs_kept; i > 0; i--)
            if (o->leg[i - 1].occ.is && (name_->key == OG_OF_EXPIRY || name_->key == OG_OF_DAYS))
                occ = &o->leg[i - 1].occ;
    }
    return og_expr_contract(c, room, occ, (enum og_of_contract)name_->key, name_->is.name);
}

static struct og_expr_value worth_value(enum og_worth known, struct og_money m, const char *name)
{
    switch (known) {
    case OG_WORTH_KNOWN: return og_expr_number(m);
    case OG_WORTH_TOO_LARGE: return og_expr_error(OG_CAUSE_OVERFLOW, name);
    case OG_WORTH_NEEDS_QUOTE:
    case OG_WORTH_NONE: break;
    }
    return og_expr_error(OG_CAUSE_PRICE, name);
}

/* Returns what `ask` computes: the order's price, worth or lowest price in the worst case. If that depends on a quote,
 * the quote must be fresh; if it is not, the value is unknown, but has a bound from the order's own prices: an upper
 * bound for the lowest price (high: true), a lower bound for price and worth. */
static struct og_expr_value price_of(const struct og_case *c, struct og_expr_room *room,
                                     const struct og_expr_named *name, bool high,
                                     enum og_worth (*ask)(const struct og_order *, const struct og_market *,
                                                          struct og_money *))
{
    const struct og_market m = og_case_market(c);
    struct og_expr_value v;
    struct og_money dollars;
    enum og_worth known = ask(c->order, &m, &dollars);

    if (known != OG_WORTH_NEEDS_QUOTE)
        return worth_value(known, dollars, name->is.name);
    if (c->order->security == OG_MLEG || og_expr_require_facts(c, OG_FACT_QUOTE, name, &v))
        v = worth_value(known, dollars, name->is.name);
    if (c->order->security == OG_MLEG && ask == og_order_price)
        return v; /* a spread without a limit has no price: the price of its legs is no bound of it */
    room->given = (struct og_range){ .has_low = true, .has_high = high && dollars.coef > 0, .high = dollars };
    if (!high)
        room->given.low = dollars;
    v.ranged = true;
    return v;
}

static enum og_worth least_price(const struct og_order *o, const struct og_market *m, struct og_money *price)
{
    return og_order_least_price(o, m->quote, price);
}

/* Returns the worth by the order's own limit, whatever the quote. */
static struct og_expr_value limit_worth(const struct og_case *c, const char *name)
{
    const struct og_field *field = &c->order->field[OG_KEY_LIMIT_PRICE];

    if (!og_order_wants_limit(c->order) || field->status == OG_ABSENT)
        return og_expr_error(OG_CAUSE_NO_VALUE, name);
    return worth_value(og_own_worth(c->worth, c->order), c->worth->dollars, name);
}

/* Returns whether the order only reduces a position. Positions are needed only if every part of the order closes. */
static struct og_expr_value reduces_value(const struct og_case *c, const struct og_expr_named *name)
{
    struct og_expr_value v;

    if (!og_order_may_open(c->order) && !og_expr_require_facts(c, OG_FACT_POSITIONS | OG_FACT_ORDERS, name, &v))
        return v;
    return og_expr_truth_value(og_case_reduces(c));
}

static struct og_expr_value payoff_value(const struct og_case *c, bool best, const char *name)
{
    const struct og_mleg_payoff *r = c->result;
    struct og_money m;

    if (!r || (best ? !r->has_best : !r->has_worst))
        return og_expr_error(OG_CAUSE_NO_VALUE, name);
    if (best)
        return og_expr_number(r->best);
    return og_money_sub(og_money_from(0), r->worst, &m) ? og_expr_number(m) : og_expr_error(OG_CAUSE_OVERFLOW, name);
}

static struct og_expr_value text_value(const char *s)
{
    return og_expr_string(og_str_of(s));
}

OG_GETTER(og_expr_get_order)
{
    const struct og_order *o = c->order;
    const struct og_str root = o->security == OG_OPTION && o->occ.is ? o->occ.root : o->symbol;
    const char *strategy = o->security == OG_MLEG ? og_strategy_name(c->mleg->strategy) : "";

    switch ((enum og_of_order)name_->key) {
    case OG_OF_ACTION: /* without openClose the brokerage decides what an option order does */
        return o->security == OG_MLEG ? absent_text() : og_expr_action(o->side, o->open_close, name_->is.name);
    case OG_OF_OPENS: return og_expr_truth_value(og_order_may_open(o));
    case OG_OF_REDUCES: return reduces_value(c, name_);
    case OG_OF_CONTRACTS_TRADED: return o->quantity ? og_expr_int(og_order_contracts(o)) : OG_NO_VALUE;
    case OG_OF_PRICE: return price_of(c, room, name_, false, og_order_price);
    case OG_OF_NOTIONAL: return price_of(c, room, name_, false, og_order_notional);
    case OG_OF_LEAST_PRICE: return price_of(c, room, name_, true, least_price);
    case OG_OF_LIMIT_NOTIONAL: return limit_worth(c, name_->is.name);
    case OG_OF_UNDERLYING:
        if (o->field[OG_KEY_SYMBOL].status == OG_ABSENT)
            return absent_text();
        return root.len ? symbol_value(og_expr_string(root), room) : OG_NO_VALUE;
    case OG_OF_STRATEGY: return text_value(*strategy ? strategy : "none");
    case OG_OF_TAG: return c->tag.is.len ? og_expr_string(c->tag.is) : absent_text();
    case OG_OF_DIRECTION: return text_value(og_net_name(o->security == OG_MLEG ? c->mleg->net : OG_NET_UNDETERMINED));
    case OG_OF_MAX_LOSS: return payoff_value(c, false, name_->is.name);
    case OG_OF_MAX_PROFIT: return payoff_value(c, true, name_->is.name);
    case OG_OF_LEGS: break;
    }
    if (o->legs_kept != o->leg_count) /* the order has more legs than are stored */
        return og_expr_error(OG_CAUSE_WRONG, name_->is.name);
    return (struct og_expr_value){ .as.list = { NULL, (size_t)o->legs_kept } };
}
