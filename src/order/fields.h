/*
 * Sets the fields of an order from values of the right JSON type; shared by the fast and the full parser.
 */
#pragma once

#include "order/order.h"

/* Keys whose values are numbers, one bit each.  The others are strings, except legs. */
#define OG_NUMBER_KEYS     (1u << OG_KEY_ORDER_QUANTITY | 1u << OG_KEY_LIMIT_PRICE | 1u << OG_KEY_STOP_PRICE)
#define OG_LEG_NUMBER_KEYS (1u << OG_LEG_RATIO)
/* Returns value if it is an integer within 1..most, else 0. */
static inline int64_t og_field_whole(struct og_money value, int64_t most)
{
    return value.scale == 0 && value.coef >= 1 && value.coef <= most ? value.coef : 0;
}

/* Mark a cleared field as valid; the caller changes the status if the value is wrong. */
static inline void og_field_set(struct og_field *field, struct og_str text)
{
    field->status = OG_VALID;
    field->text = text;
}

/* Set a field that may have any string.  Returns false if the key is of another kind. */
static inline bool og_field_set_string(struct og_order *o, unsigned key, struct og_str text)
{
    switch (key) {
    case OG_KEY_SYMBOL:
        o->symbol = text;
        o->symbol_bytes = og_symbol_bytes(text);
        break;
    case OG_KEY_CLIENT_ORDER_ID: o->client_id = text; break;
    case OG_KEY_ROUTE: o->route = text; break;
    case OG_KEY_ACCOUNT_ID: o->account = text; break;
    case OG_KEY_REPLACES: o->replaces = text; break;
    default: return false;
    }
    return true;
}

static inline void og_field_set_leg_symbol(struct og_leg *leg, struct og_str text)
{
    leg->symbol = text;
    leg->symbol_bytes = og_symbol_bytes(text);
    og_occ_read(text, &leg->occ);
}

static inline void og_field_set_number(struct og_order *o, unsigned key, struct og_str text, struct og_money value)
{
    og_field_set(&o->field[key], text);
    if (key == OG_KEY_LIMIT_PRICE) {
        o->limit = value;
    } else if (key == OG_KEY_STOP_PRICE) {
        o->stop = value;
    } else {
        o->quantity_value = value;
        o->quantity = og_field_whole(value, 1000000);
    }
}

static inline void og_field_set_ratio(struct og_leg *leg, struct og_str text, struct og_money value)
{
    og_field_set(&leg->field[OG_LEG_RATIO], text);
    leg->ratio_value = value;
    leg->ratio = og_field_whole(value, 100);
}
