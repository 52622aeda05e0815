/*
 * Makes, clears and frees orders, and sets and gets their fields.
 * Setters reject values that an enum does not have; other wrong values are reported by the rules.
 */
#include "order/order.h"

#include <stdlib.h>
#include <string.h>

#include "base/attributes.h"
#include "base/money.h"

struct og_order *og_order_new(void)
{
    struct og_order *o = calloc(1, sizeof *o);

    if (!o)
        return NULL;
    og_buf_init(&o->line, 0);
    og_buf_init(&o->spill, 0);
    og_arena_init(&o->texts, 0);
    return o;
}

void og_order_free(struct og_order *o)
{
    if (!o)
        return;
    og_buf_clear(&o->line);
    og_buf_clear(&o->spill);
    og_arena_clear(&o->texts);
    free(o);
}

OG_HOT void og_order_clear(struct og_order *o)
{
    if (!o)
        return;
    og_zero(o, offsetof(struct og_order, leg));
    o->in_digits = true;
    og_buf_reset(&o->line);
    if (o->texts.taken)
        og_arena_clear(&o->texts);
}

OG_HOT bool og_order_legs_may_open(const struct og_order *o)
{
    for (int i = 0; i < o->legs_kept; i++)
        if (og_opens(o->leg[i].open_close) != 0)
            return true;
    return o->legs_kept == 0 || o->leg_count > o->legs_kept;
}

/* Record that the order no longer equals the line that was read. */
static void mark_edited(struct og_order *o)
{
    o->edited = true;
    o->plain = false;
}

static enum og_status set_text(struct og_order *o, struct og_field *field, const char *text, struct og_str *into)
{
    struct og_str copy;

    mark_edited(o);
    if (!text) {
        *field = (struct og_field){ 0 };
        *into = (struct og_str){ 0 };
        return OG_OK;
    }
    copy = og_arena_copy(&o->texts, og_str_of(text));
    if (!copy.s)
        return OG_ENOMEM;
    *field = (struct og_field){ .status = OG_VALID, .text = copy };
    *into = copy;
    return OG_OK;
}

/* Set a field whose value is an enum's. Its text points to `name`, a static string. */
static enum og_status set_name(struct og_order *o, struct og_field *field, int value, const char *name)
{
    mark_edited(o);
    if (!value) {
        *field = (struct og_field){ 0 };
        return OG_OK;
    }
    if (!name[0])
        return OG_EINVAL;
    *field = (struct og_field){ .status = OG_VALID, .text = og_str_of(name) };
    return OG_OK;
}

/* Set a number, in normal form like parsed numbers: equal prices then have equal texts. */
static enum og_status set_money(struct og_order *o, struct og_field *field, struct og_money *value)
{
    struct og_money_text text;
    struct og_str copy;

    if (!og_money_is(*value) || !og_money_times(*value, 1, value))
        return OG_EINVAL;
    text = og_money_text(*value);
    copy = og_arena_copy(&o->texts, og_str_of(text.s));
    mark_edited(o);
    if (!copy.s)
        return OG_ENOMEM;
    *field = (struct og_field){ .status = OG_VALID, .text = copy };
    return OG_OK;
}

/* Parse the symbol as an option contract if it may be one, as og_order_read() does. */
static void read_occ(struct og_order *o)
{
    o->occ = (struct og_occ){ 0 };
    if (o->security == OG_STOCK || o->security == OG_OPTION)
        og_occ_read(o->symbol, &o->occ);
}

#define SETTER_WORD(id, member, e)                                                                         \
    enum og_status og_order_set_##member(struct og_order *o, enum og_##e v)                                \
    {                                                                                                      \
        enum og_status s = !o ? OG_EINVAL : set_name(o, &o->field[OG_KEY_##id], (int)v, og_##e##_name(v)); \
                                                                                                           \
        if (!s)                                                                                            \
            o->member = v;                                                                                 \
        if (!s && OG_KEY_##id == OG_KEY_SECURITY_TYPE)                                                     \
            read_occ(o);                                                                                   \
        return s;                                                                                          \
    }
#define SETTER_TEXT(id, member)                                                                 \
    enum og_status og_order_set_##member(struct og_order *o, const char *v)                     \
    {                                                                                           \
        enum og_status s = !o ? OG_EINVAL : set_text(o, &o->field[OG_KEY_##id], v, &o->member); \
                                                                                                \
        if (!s && OG_KEY_##id == OG_KEY_TAG)                                                    \
            o->tag_set = v != NULL;                                                             \
        return s;                                                                               \
    }
#define SETTER_SYMBOL(id, member)                                                               \
    enum og_status og_order_set_##member(struct og_order *o, const char *v)                     \
    {                                                                                           \
        enum og_status s = !o ? OG_EINVAL : set_text(o, &o->field[OG_KEY_##id], v, &o->member); \
                                                                                                \
        if (s)                                                                                  \
            return s;                                                                           \
        o->member##_bytes = og_symbol_bytes(o->member);                                         \
        read_occ(o);                                                                            \
        return OG_OK;                                                                           \
    }
#define SETTER_NUMBER(id, member)                                                     \
    enum og_status og_order_set_##member(struct og_order *o, struct og_money v)       \
    {                                                                                 \
        enum og_status s = !o ? OG_EINVAL : set_money(o, &o->field[OG_KEY_##id], &v); \
                                                                                      \
        if (!s)                                                                       \
            o->member = v;                                                            \
        return s;                                                                     \
    }
/* a value beyond 10^15 is a mistake in the caller's code, not an order to be refused */
#define SETTER_WHOLE(id, member, most)                                                           \
    enum og_status og_order_set_##member(struct og_order *o, int64_t v)                          \
    {                                                                                            \
        struct og_money value = og_money_from(v);                                                \
        enum og_status s = !o || v > INT64_C(1000000000000000) || v < -INT64_C(1000000000000000) \
                               ? OG_EINVAL                                                       \
                               : set_money(o, &o->field[OG_KEY_##id], &value);                   \
                                                                                                 \
        if (s)                                                                                   \
            return s;                                                                            \
        o->member##_value = value;                                                               \
        o->member = v >= 1 && v <= (most) ? v : 0;                                               \
        if (OG_KEY_##id == OG_KEY_ORDER_QUANTITY)                                                \
            o->in_digits = true;                                                                 \
        return OG_OK;                                                                            \
    }
#define SETTER_READ(...)
#define SETTER_LEGS(...)
#define SETTER_OP(...)
#define OG_FIELD(id, name, second, sixth, leg, required, sent, kind, ...) SETTER_##kind(id, __VA_ARGS__)
#include "order/fields.def"

enum og_status og_order_set_leg(struct og_order *o, int i, const char *symbol, enum og_side side, int64_t ratio,
                                enum og_open_close open_close)
{
    struct og_leg leg;
    enum og_status s;

    if (!o)
        return OG_EINVAL;
    leg = (struct og_leg){ .is_object = true, .json_type = "object", .ratio_value = og_money_from(ratio) };
    if (i < 0 || i >= OG_LEGS_KEPT || i > o->leg_count || !symbol || ratio > 1000000 || ratio < -1000000)
        return OG_EINVAL;
    s = set_name(o, &leg.field[OG_LEG_SIDE], (int)side, og_side_name(side));
    if (!s)
        s = set_name(o, &leg.field[OG_LEG_OPEN_CLOSE], (int)open_close, og_open_close_name(open_close));
    if (!s)
        s = set_text(o, &leg.field[OG_LEG_SYMBOL], symbol, &leg.symbol);
    if (!s)
        s = set_money(o, &leg.field[OG_LEG_RATIO], &leg.ratio_value);
    if (s)
        return s;
    leg.side = side;
    leg.open_close = open_close;
    leg.ratio = ratio >= 1 && ratio <= 100 ? ratio : 0;
    leg.symbol_bytes = og_symbol_bytes(leg.symbol);
    og_occ_read(leg.symbol, &leg.occ);
    o->leg[i] = leg;
    if (i == o->leg_count)
        o->leg_count = o->legs_kept = i + 1;
    o->field[OG_KEY_LEGS] = (struct og_field){ .status = OG_VALID };
    return OG_OK;
}

static const char *text_or_empty(struct og_str s)
{
    return s.len ? s.s : "";
}

enum og_op og_order_op(const struct og_order *o)
{
    return o && !o->fault ? o->op : OG_OP_OTHER;
}

const char *og_order_client_id(const struct og_order *o)
{
    return o ? text_or_empty(o->client_id) : "";
}

const char *og_order_account(const struct og_order *o)
{
    return o ? text_or_empty(o->account) : "";
}

const char *og_order_symbol(const struct og_order *o)
{
    return o ? text_or_empty(o->symbol) : "";
}

enum og_security og_order_security(const struct og_order *o)
{
    return o ? o->security : OG_SECURITY_NONE;
}

enum og_side og_order_side(const struct og_order *o)
{
    return o ? o->side : OG_SIDE_NONE;
}

enum og_open_close og_order_open_close(const struct og_order *o)
{
    return o ? o->open_close : OG_OPEN_CLOSE_NONE;
}

int og_order_is_readable(const struct og_order *o)
{
    return o ? o->fault == OG_FAULT_NONE : 0;
}
