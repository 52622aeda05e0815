/*
 * An order as JSON: the body that would be posted, written from the decoded order (what was checked is what is sent).
 * It refuses an order with a field whose type or value the service does not know; keys that are not the service's,
 * and legs of a single-leg order (the service ignores them), are left out.
 */
#include "order/order.h"

#include "base/banned.h"

/* Keys as they are written after another one. */
#define KEY(name) OG_STR(",\"" name "\":")
static const struct og_str keys[OG_KEY_ACCOUNT_ID + 1] = {
    KEY("securityType"), KEY("symbol"),    KEY("side"),          KEY("openClose"), KEY("orderType"),
    KEY("orderQuantity"), KEY("timeInForce"), KEY("limitPrice"), KEY("stopPrice"), KEY("clientOrderId"),
    KEY("route"),        KEY("legs"),      KEY("accountId"),
};
static const struct og_str leg_keys[] = { KEY("symbol"), KEY("side"), KEY("ratio"), KEY("openClose") };

static void key(struct og_buf *b, struct og_str text, bool *first)
{
    size_t at = b->len;

    og_buf_str(b, text);
    if (*first && !b->bad)
        b->s[at] = '{';
    *first = false;
}

static bool write_leg(const struct og_leg *leg, struct og_buf *b)
{
    bool first = true;

    if (!leg->is_object)
        return false;
    for (int k = 0; k < OG_LEG_KEYS; k++) {
        if (leg->cell[k].shape == OG_ABSENT)
            continue;
        if (leg->cell[k].shape != OG_VALID)
            return false;
        key(b, leg_keys[k], &first);
        if (k == OG_LEG_RATIO)
            og_buf_money(b, leg->ratio_value);
        else
            og_buf_json_str(b, leg->cell[k].text);
    }
    if (first)
        og_buf_char(b, '{');
    og_buf_char(b, '}');
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
        if (!write_leg(&o->leg[i], b))
            return false;
    }
    og_buf_char(b, ']');
    return true;
}

static bool write_cell(const struct og_order *o, enum og_key k, struct og_buf *b)
{
    switch (k) {
    case OG_KEY_LEGS: return write_legs(o, b);
    case OG_KEY_ORDER_QUANTITY: og_buf_money(b, o->quantity_value); return true;
    case OG_KEY_LIMIT_PRICE: og_buf_money(b, o->limit); return true;
    case OG_KEY_STOP_PRICE: og_buf_money(b, o->stop); return true;
    default: og_buf_json_str(b, o->cell[k].text); return true;
    }
}

bool og_order_write(const struct og_order *o, bool with_account, struct og_buf *b)
{
    bool first = true;

    if (o->fault || o->op != OG_OP_ORDER)
        return false;
    for (int k = 0; k <= OG_KEY_ACCOUNT_ID; k++) {
        if (!og_order_has(o, (enum og_key)k) || (k == OG_KEY_ACCOUNT_ID && !with_account))
            continue;
        if (k == OG_KEY_LEGS && (o->security == OG_STOCK || o->security == OG_OPTION))
            continue;
        if (o->cell[k].shape != OG_VALID)
            return false;
        key(b, keys[k], &first);
        if (!write_cell(o, (enum og_key)k, b))
            return false;
    }
    if (first)
        og_buf_char(b, '{');
    og_buf_char(b, '}');
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
