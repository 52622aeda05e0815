/*
 * Writes synthetic orders.
 */
#include "order/synthetic.h"

#include <stdio.h>

#include "base/json_write.h"

void og_synthetic_option(struct og_str root, int expiry, char type, int64_t strike, char to[OG_SYNTHETIC_SYMBOL])
{
    snprintf(to, OG_SYNTHETIC_SYMBOL, "%.*s%06d%c%08lld", (int)root.len, root.s, expiry % 1000000, type,
             (long long)strike);
}

static void append_legs(const struct og_synthetic_order *o, struct og_buf *b)
{
    og_member_key(b, "legs");
    og_buf_char(b, '[');
    for (int i = 0; i < o->legs; i++) {
        og_member_key(b, NULL);
        og_buf_char(b, '{');
        og_member_text(b, "symbol", o->leg[i].symbol);
        og_member_text(b, "side", og_side_name(o->leg[i].side));
        og_member_int(b, "ratio", o->leg[i].ratio);
        og_member_text(b, "openClose", og_open_close_name(o->leg[i].open_close));
        og_buf_char(b, '}');
    }
    og_buf_char(b, ']');
}

void og_synthetic_write(const struct og_synthetic_order *o, struct og_buf *b)
{
    og_member_text(b, "securityType", og_security_name(o->security));
    og_member_text(b, "symbol", o->symbol);
    if (o->security != OG_MLEG) {
        og_member_text(b, "side", og_side_name(o->side));
        if (o->open_close != OG_OPEN_CLOSE_NONE)
            og_member_text(b, "openClose", og_open_close_name(o->open_close));
    }
    og_member_text(b, "orderType", o->type);
    og_member_money(b, "orderQuantity", o->quantity);
    og_member_text(b, "timeInForce", o->tif);
    if (strstr(o->type, "Limit"))
        og_member_money(b, "limitPrice", o->limit);
    if (strstr(o->type, "Stop"))
        og_member_money(b, "stopPrice", o->stop);
    if (o->client_id)
        og_member_text(b, "clientOrderId", o->client_id);
    if (o->route)
        og_member_text(b, "route", o->route);
    if (o->legs)
        append_legs(o, b);
    if (o->account)
        og_member_text(b, "accountId", o->account);
    if (o->tag)
        og_member_text(b, "tag", o->tag);
}
