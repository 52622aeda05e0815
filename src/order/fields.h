/*
 * Sets the fields of an order from values whose JSON type is right; shared by the fast and the full parser.
 */
#pragma once

#include "order/order.h"

/* The keys whose values are numbers, and those whose numbers are whole, one bit each.  All other values are strings,
 * except legs. */
enum {
#define NUMBER_WORD   0
#define NUMBER_SYMBOL 0
#define NUMBER_TEXT   0
#define NUMBER_READ   0
#define NUMBER_OP     0
#define NUMBER_LEGS   0
#define NUMBER_WHOLE  3
#define NUMBER_NUMBER 1
    OG_NUMBER_KEYS = 0
#define OG_FIELD(id, name, second, sixth, leg, required, sent, kind, ...) | (NUMBER_##kind & 1) << OG_KEY_##id
#include "order/fields.def"
    ,
    OG_WHOLE_KEYS = 0
#define OG_FIELD(id, name, second, sixth, leg, required, sent, kind, ...) | NUMBER_##kind >> 1 << OG_KEY_##id
#include "order/fields.def"
    ,
    OG_LEG_NUMBER_KEYS = 0
#define OG_LEG_FIELD(id, name, kind, ...) | (NUMBER_##kind & 1) << OG_LEG_##id
#include "order/fields.def"
};

/* Returns value if it is an integer within 1..most, 0 if it is not. */
static inline int64_t og_field_whole(struct og_money value, int64_t most)
{
    return value.scale == 0 && value.coef >= 1 && value.coef <= most ? value.coef : 0;
}

/* Mark a cleared field as valid; the caller changes the status if the value turns out to be wrong. */
static inline void og_field_set(struct og_field *field, struct og_str text)
{
    field->status = OG_VALID;
    field->text = text;
}

#define STRING_TEXT(id, member) \
    case OG_KEY_##id:           \
        o->member = text;       \
        return true;
#define STRING_READ(id, member) \
    case OG_KEY_##id:           \
        o->member = text;       \
        return text.len > 0;
#define STRING_SYMBOL STRING_TEXT
#define STRING_WORD(...)
#define STRING_WHOLE(...)
#define STRING_NUMBER(...)
#define STRING_LEGS(...)
#define STRING_OP(...)
/* Set a field that may have any string.  Returns false if the key's value is not of this kind, or if the string is
 * empty and must not be. */
static inline bool og_field_set_string(struct og_order *o, unsigned key, struct og_str text)
{
    if (key == OG_KEY_SYMBOL)
        o->symbol_bytes = og_symbol_bytes(text);
    switch (key) {
#define OG_FIELD(id, name, second, sixth, leg, required, sent, kind, ...) STRING_##kind(id, __VA_ARGS__)
#include "order/fields.def"
    default: return false;
    }
}

static inline void og_field_set_leg_symbol(struct og_leg *leg, struct og_str text)
{
    leg->symbol = text;
    leg->symbol_bytes = og_symbol_bytes(text);
    og_occ_read(text, &leg->occ);
}

#define SET_WHOLE(id, member, most)              \
    case OG_KEY_##id:                            \
        o->member##_value = value;               \
        o->member = og_field_whole(value, most); \
        break;
#define SET_NUMBER(id, member) \
    case OG_KEY_##id:          \
        o->member = value;     \
        break;
#define SET_WORD(...)
#define SET_SYMBOL(...)
#define SET_TEXT(...)
#define SET_READ(...)
#define SET_LEGS(...)
#define SET_OP(...)
static inline void og_field_set_number(struct og_order *o, unsigned key, struct og_str text, struct og_money value)
{
    og_field_set(&o->field[key], text);
    switch (key) {
#define OG_FIELD(id, name, second, sixth, leg, required, sent, kind, ...) SET_##kind(id, __VA_ARGS__)
#include "order/fields.def"
    }
}

static inline void og_field_set_ratio(struct og_leg *leg, struct og_str text, struct og_money value)
{
    og_field_set(&leg->field[OG_LEG_RATIO], text);
    leg->ratio_value = value;
    leg->ratio = og_field_whole(value, 100);
}
