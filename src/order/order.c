/*
 * Makes, clears and frees orders, and sets and gets their fields.
 * Setters reject values outside the enums; all other wrong values are left to the rules.
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

/* Note that the order no longer equals the line that was read. */
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

/* Set the field of an enum; its text is the static spelling. */
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

/* Set a number in normal form, as parsed numbers are: equal prices then have equal texts. */
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

enum og_status og_order_set_security(struct og_order *o, enum og_security security)
{
    enum og_status s;

    if (!o)
        return OG_EINVAL;
    s = set_name(o, &o->field[OG_KEY_SECURITY_TYPE], (int)security, og_security_name(security));
    if (s)
        return s;
    o->security = security;
    read_occ(o);
    return OG_OK;
}

enum og_status og_order_set_symbol(struct og_order *o, const char *symbol)
{
    enum og_status s;

    if (!o)
        return OG_EINVAL;
    s = set_text(o, &o->field[OG_KEY_SYMBOL], symbol, &o->symbol);
    if (s)
        return s;
    o->symbol_bytes = og_symbol_bytes(o->symbol);
    read_occ(o);
    return OG_OK;
}

enum og_status og_order_set_side(struct og_order *o, enum og_side side)
{
    enum og_status s;

    if (!o)
        return OG_EINVAL;
    s = set_name(o, &o->field[OG_KEY_SIDE], (int)side, og_side_name(side));
    if (!s)
        o->side = side;
    return s;
}

enum og_status og_order_set_open_close(struct og_order *o, enum og_open_close open_close)
{
    enum og_status s;

    if (!o)
        return OG_EINVAL;
    s = set_name(o, &o->field[OG_KEY_OPEN_CLOSE], (int)open_close, og_open_close_name(open_close));
    if (!s)
        o->open_close = open_close;
    return s;
}

enum og_status og_order_set_type(struct og_order *o, enum og_order_type type)
{
    enum og_status s;

    if (!o)
        return OG_EINVAL;
    s = set_name(o, &o->field[OG_KEY_ORDER_TYPE], (int)type, og_order_type_name(type));
    if (!s)
        o->type = type;
    return s;
}

enum og_status og_order_set_tif(struct og_order *o, enum og_tif tif)
{
    enum og_status s;

    if (!o)
        return OG_EINVAL;
    s = set_name(o, &o->field[OG_KEY_TIME_IN_FORCE], (int)tif, og_tif_name(tif));
    if (!s)
        o->tif = tif;
    return s;
}

enum og_status og_order_set_quantity(struct og_order *o, int64_t quantity)
{
    struct og_money value = og_money_from(quantity);
    enum og_status s;

    /* such a quantity is an error of the caller, not an order to be refused */
    if (quantity > INT64_C(1000000000000000) || quantity < -INT64_C(1000000000000000))
        return OG_EINVAL;
    s = set_money(o, &o->field[OG_KEY_ORDER_QUANTITY], &value);
    if (s)
        return s;
    o->quantity_value = value;
    o->quantity = quantity >= 1 && quantity <= 1000000 ? quantity : 0;
    o->in_digits = true;
    return OG_OK;
}

enum og_status og_order_set_limit(struct og_order *o, struct og_money limit)
{
    enum og_status s;

    if (!o)
        return OG_EINVAL;
    s = set_money(o, &o->field[OG_KEY_LIMIT_PRICE], &limit);
    if (!s)
        o->limit = limit;
    return s;
}

enum og_status og_order_set_stop(struct og_order *o, struct og_money stop)
{
    enum og_status s;

    if (!o)
        return OG_EINVAL;
    s = set_money(o, &o->field[OG_KEY_STOP_PRICE], &stop);
    if (!s)
        o->stop = stop;
    return s;
}

enum og_status og_order_set_client_id(struct og_order *o, const char *client_order_id)
{
    if (!o)
        return OG_EINVAL;
    return set_text(o, &o->field[OG_KEY_CLIENT_ORDER_ID], client_order_id, &o->client_id);
}

enum og_status og_order_set_route(struct og_order *o, const char *route)
{
    if (!o)
        return OG_EINVAL;
    return set_text(o, &o->field[OG_KEY_ROUTE], route, &o->route);
}

enum og_status og_order_set_account(struct og_order *o, const char *account_id)
{
    if (!o)
        return OG_EINVAL;
    return set_text(o, &o->field[OG_KEY_ACCOUNT_ID], account_id, &o->account);
}

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
