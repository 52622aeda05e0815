/*
 * The terms of an order in a few words; see text/terms.h.
 */
#include "text/terms.h"

void og_terms_member(struct og_buf *b, const cJSON *object, const char *key, const char *before)
{
    struct og_str text;
    struct og_money amount;
    const bool is_text = og_doc_str(object, key, &text);

    if (!is_text && !og_doc_money(object, key, &amount))
        return;
    og_buf_text(b, before);
    if (is_text)
        og_buf_str(b, text);
    else
        og_buf_money(b, amount);
}

void og_terms_side(struct og_buf *b, const cJSON *body)
{
    const struct og_str effect = og_doc_str_or_empty(body, "openClose");

    og_buf_str(b, og_doc_str_or_empty(body, "side"));
    if (effect.len > 0)
        og_buf_text(b, og_str_is(effect, "Open") ? " open" : og_str_is(effect, "Close") ? " close" : " ?");
}

/* Append the member of a price that the order has: rows of the broker have 0 for none. */
static void add_price(struct og_buf *b, const cJSON *body, const char *key, const char *before)
{
    struct og_money amount;

    if (og_doc_money(body, key, &amount) && amount.coef == 0 && og_doc_get(body, "orderStatus"))
        return;
    og_terms_member(b, body, key, before);
}

void og_terms_price(struct og_buf *b, const cJSON *body)
{
    const struct og_str type = og_doc_str_or_empty(body, "orderType");

    if (og_str_is(type, "Market")) {
        og_buf_text(b, "market");
    } else if (type.len > 0 && !og_str_is(type, "Limit") && !og_str_is(type, "Stop") && !og_str_is(type, "StopLimit")) {
        og_buf_char(b, '\'');
        og_buf_str(b, type);
        og_buf_char(b, '\'');
    }
    add_price(b, body, "limitPrice", b->len > 0 ? " " : "");
    add_price(b, body, "stopPrice", b->len > 0 ? ", stop " : "stop ");
    add_price(b, body, "priceStop", b->len > 0 ? ", stop " : "stop ");
}

void og_terms(struct og_buf *b, const cJSON *body)
{
    char price[80];
    struct og_buf p;

    og_buf_init_fixed(&p, price, sizeof price);
    og_terms_price(&p, body);
    og_terms_side(b, body);
    og_terms_member(b, body, "orderQuantity", b->len > 0 ? " " : "");
    og_terms_member(b, body, "symbol", " ");
    if (!p.bad && p.len > 0) {
        og_buf_char(b, ' ');
        og_buf_bytes(b, p.s, p.len);
    }
}
