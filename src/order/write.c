/*
 * An order as JSON: the body that would be posted, written from the decoded order (what was checked is what is sent).
 * It refuses an order with a field whose type or value the service does not know; keys that are not the service's,
 * and legs of a single-leg order (the service ignores them), are left out.
 */
#include "order/order.h"

#include "base/banned.h"

/* Keys as they are written after another one. */
#define KEY(name) OG_STR(",\"" name "\":")
static const struct og_str keys[OG_KEY_REPLACES + 1] = {
    KEY("securityType"), KEY("symbol"),    KEY("side"),          KEY("openClose"), KEY("orderType"),
    KEY("orderQuantity"), KEY("timeInForce"), KEY("limitPrice"), KEY("stopPrice"), KEY("clientOrderId"),
    KEY("route"),        KEY("legs"),      KEY("accountId"),     KEY("replaces"),
};
static const struct og_str leg_keys[] = { KEY("symbol"), KEY("side"), KEY("ratio"), KEY("openClose") };

/* The first key opens the object where others follow a comma; room for more bytes after it is made too. */
static bool key(struct og_buf *b, struct og_str text, bool *first, size_t more)
{
    size_t at = b->len;

    if (!og_buf_reserve(b, text.len + more))
        return false;
    og_buf_str(b, text);
    if (*first)
        b->s[at] = '{';
    *first = false;
    return true;
}

/* A key and a string; one read without escapes stands in the line as JSON wants it. */
static void put_string(const struct og_order *o, struct og_str name, struct og_str text, struct og_buf *b, bool *first)
{
    bool as_given = o->line.len > 0 && text.s >= o->line.s && text.s < o->line.s + o->line.len;
    char *to;

    if (!key(b, name, first, text.len + 2))
        return;
    if (!as_given || text.len == 0) {
        og_buf_json_str(b, text);
        return;
    }
    to = b->s + b->len;
    *to++ = '"';
    memcpy(to, text.s, text.len);
    memcpy(to + text.len, "\"", 2);
    b->len += text.len + 2;
}

static void put_number(struct og_str name, struct og_money value, struct og_buf *b, bool *first)
{
    if (key(b, name, first, 0))
        og_buf_money(b, value);
}

static void close_object(struct og_buf *b, bool empty)
{
    if (empty)
        og_buf_char(b, '{');
    og_buf_char(b, '}');
}

static bool write_leg(const struct og_order *o, const struct og_leg *leg, struct og_buf *b)
{
    bool first = true;

    if (!leg->is_object)
        return false;
    for (int k = 0; k < OG_LEG_KEYS; k++) {
        if (leg->cell[k].shape == OG_ABSENT)
            continue;
        if (leg->cell[k].shape != OG_VALID)
            return false;
        if (k == OG_LEG_RATIO)
            put_number(leg_keys[k], leg->ratio_value, b, &first);
        else
            put_string(o, leg_keys[k], leg->cell[k].text, b, &first);
    }
    close_object(b, first);
    return true;
}

static bool write_legs(const struct og_order *o, struct og_buf *b)
{
    if (o->leg_count > o->legs_kept)
        return false;
    og_buf_char(b, '[');
    for (int i = 0; i < o->leg_count; i++) {
        if (i)
            og_buf_char(b, ',');
        if (!write_leg(o, &o->leg[i], b))
            return false;
    }
    og_buf_char(b, ']');
    return true;
}

static bool write_cell(const struct og_order *o, enum og_key k, struct og_buf *b, bool *first)
{
    switch (k) {
    case OG_KEY_LEGS: return key(b, keys[k], first, 0) && write_legs(o, b);
    case OG_KEY_ORDER_QUANTITY: put_number(keys[k], o->quantity_value, b, first); return true;
    case OG_KEY_LIMIT_PRICE: put_number(keys[k], o->limit, b, first); return true;
    case OG_KEY_STOP_PRICE: put_number(keys[k], o->stop, b, first); return true;
    default: put_string(o, keys[k], o->cell[k].text, b, first); return true;
    }
}

bool og_order_write(const struct og_order *o, bool with_account, struct og_buf *b)
{
    bool first = true;

    if (o->fault || o->op != OG_OP_ORDER)
        return false;
    for (int k = 0; k <= OG_KEY_REPLACES; k++) {
        if (!og_order_has(o, (enum og_key)k) || (k >= OG_KEY_ACCOUNT_ID && !with_account))
            continue;
        if (k == OG_KEY_LEGS && (o->security == OG_STOCK || o->security == OG_OPTION))
            continue;
        if (o->cell[k].shape != OG_VALID || !write_cell(o, (enum og_key)k, b, &first))
            return false;
    }
    close_object(b, first);
    return !b->bad;
}

static enum og_status to_storage(const struct og_order *o, bool with_account, char *to, size_t size, size_t *len)
{
    struct og_buf b;
    bool written;

    *len = 0;
    og_buf_init_fixed(&b, to, size);
    if (og_order_write(o, with_account, &b)) {
        *len = b.len;
        return OG_OK;
    }
    og_buf_init(&b, 0); /* how much room it would take */
    written = og_order_write(o, with_account, &b);
    if (b.bad) {
        og_buf_clear(&b);
        return OG_ENOMEM;
    }
    if (written)
        *len = b.len;
    og_buf_clear(&b);
    return OG_EINVAL;
}

enum og_status og_order_body(const struct og_order *o, char *to, size_t size, size_t *len)
{
    return to_storage(o, false, to, size, len);
}

enum og_status og_order_line(const struct og_order *o, char *to, size_t size, size_t *len)
{
    return to_storage(o, true, to, size, len);
}
