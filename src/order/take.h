/*
 * What the value of a known key says, once it has the right JSON type: for both readers of orders.
 * It refuses to read JSON.
 */
#ifndef OG_ORDER_TAKE_H
#define OG_ORDER_TAKE_H

#include "order/order.h"

/* Keys whose values are numbers, a bit each; the others are strings, but for legs. */
#define OG_NUMBER_KEYS     (1u << OG_KEY_ORDER_QUANTITY | 1u << OG_KEY_LIMIT_PRICE | 1u << OG_KEY_STOP_PRICE)
#define OG_LEG_NUMBER_KEYS (1u << OG_LEG_RATIO)

/* The whole number within 1..most that value is, else 0. */
static inline int64_t og_take_whole(struct og_money value, int64_t most)
{
    return value.scale == 0 && value.coef >= 1 && value.coef <= most ? value.coef : 0;
}

static inline void og_take_enum(struct og_order *o, struct og_cell *cell, unsigned value)
{
    if (!value) {
        cell->shape = OG_WRONG_VALUE;
        o->plain = false;
    }
}

/* Of any key but legs, op and the numbers. */
static inline void og_take_text(struct og_order *o, unsigned key, struct og_str text)
{
    struct og_cell *cell = &o->cell[key];

    cell->shape = OG_VALID;
    cell->text = text;
    switch (key) {
    case OG_KEY_SECURITY_TYPE: og_take_enum(o, cell, o->security = og_security_of(text)); break;
    case OG_KEY_SYMBOL:
        o->symbol = text;
        o->symbol_bytes = og_symbol_bytes(text);
        break;
    case OG_KEY_SIDE: og_take_enum(o, cell, o->side = og_side_of(text)); break;
    case OG_KEY_OPEN_CLOSE: og_take_enum(o, cell, o->open_close = og_open_close_of(text)); break;
    case OG_KEY_ORDER_TYPE: og_take_enum(o, cell, o->type = og_order_type_of(text)); break;
    case OG_KEY_TIME_IN_FORCE: og_take_enum(o, cell, o->tif = og_tif_of(text)); break;
    case OG_KEY_CLIENT_ORDER_ID: o->client_id = text; break;
    case OG_KEY_ROUTE: o->route = text; break;
    case OG_KEY_ACCOUNT_ID: o->account = text; break;
    case OG_KEY_REPLACES: o->replaces = text; break;
    }
}

/* in_digits: it is written in digits alone. */
static inline void og_take_number(struct og_order *o, unsigned key, struct og_str text, struct og_money value,
                                  bool in_digits)
{
    o->cell[key].shape = OG_VALID;
    o->cell[key].text = text;
    if (key == OG_KEY_LIMIT_PRICE) {
        o->limit = value;
    } else if (key == OG_KEY_STOP_PRICE) {
        o->stop = value;
    } else {
        o->quantity_value = value;
        o->quantity = og_take_whole(value, 1000000);
        o->in_digits = in_digits;
    }
}

static inline void og_take_leg_text(struct og_order *o, struct og_leg *leg, unsigned key, struct og_str text)
{
    struct og_cell *cell = &leg->cell[key];

    cell->shape = OG_VALID;
    cell->text = text;
    switch (key) {
    case OG_LEG_SYMBOL:
        leg->symbol = text;
        leg->symbol_bytes = og_symbol_bytes(text);
        og_occ_read(text, &leg->occ);
        break;
    case OG_LEG_SIDE: og_take_enum(o, cell, leg->side = og_side_of(text)); break;
    case OG_LEG_OPEN_CLOSE: og_take_enum(o, cell, leg->open_close = og_open_close_of(text)); break;
    }
}

static inline void og_take_ratio(struct og_leg *leg, struct og_str text, struct og_money value)
{
    leg->cell[OG_LEG_RATIO].shape = OG_VALID;
    leg->cell[OG_LEG_RATIO].text = text;
    leg->ratio_value = value;
    leg->ratio = og_take_whole(value, 100);
}

#endif
