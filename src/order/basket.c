/*
 * Parses a line with a basket.  The order's parser reads the line first, and finds whether it is a JSON object without
 * duplicate keys; each order is then read from its part of the line.
 */
#include "order/basket.h"

#include <stdlib.h>

#include "text/json.h"

struct og_basket *og_basket_new(void)
{
    struct og_basket *b = calloc(1, sizeof *b);

    if (!b)
        return NULL;
    b->line = og_order_new();
    if (b->line)
        return b;
    free(b);
    return NULL;
}

void og_basket_free(struct og_basket *b)
{
    if (!b)
        return;
    og_order_free(b->line);
    for (size_t i = 0; i < OG_BASKET_MOST; i++)
        og_order_free(b->order[i]);
    free(b);
}

static void set_fault(struct og_basket *b, const char *text)
{
    b->count = 0;
    if (b->line->fault)
        return;
    b->line->fault = OG_FAULT_BASKET;
    b->line->fault_text = text;
}

static bool is_between(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == ',';
}

/* Read the order that ends at `to`; its bytes begin at `from` or behind it.  Returns false if out of memory. */
static bool read_order(struct og_basket *b, const char *bytes, size_t from, size_t to)
{
    const size_t i = b->count;

    while (from < to && is_between(bytes[from]))
        from++;
    while (to > from && is_between(bytes[to - 1]))
        to--;
    if (!b->order[i] && !(b->order[i] = og_order_new()))
        return false;
    b->end[i] = to;
    b->len[i] = to - from;
    b->count++;
    return og_order_read(b->order[i], bytes + from, to - from) == OG_OK;
}

/* Read the elements of the array, whose bracket was read last.  Returns false if out of memory. */
static bool read_orders(struct og_basket *b, struct og_json *json, const char *bytes)
{
    for (;;) {
        const size_t from = (size_t)(json->at - json->start);
        const enum og_json_kind kind = og_json_next(json);

        if (kind == OG_JSON_ARRAY_END)
            break;
        if (b->count == OG_BASKET_MOST) {
            set_fault(b, "it has more than 64 orders");
            return true;
        }
        if (!og_json_skip(json, kind)) {
            set_fault(b, "it is not JSON");
            return true;
        }
        if (!read_order(b, bytes, from, (size_t)(json->at - json->start)))
            return false;
    }
    if (b->count == 0)
        set_fault(b, "it has no orders");
    return true;
}

/* Read the members of an object in which the order's parser has found no fault.  Returns false if out of memory. */
static bool read_members(struct og_basket *b, const char *bytes, size_t len)
{
    char *spill = malloc(len + 1);
    struct og_json json;
    bool ok = spill != NULL;
    bool any = false;

    og_json_init(&json, bytes, len, spill, ok ? len + 1 : 0);
    (void)og_json_next(&json); /* skip the opening brace */
    while (ok && !b->line->fault && og_json_next(&json) == OG_JSON_KEY) {
        const bool op = og_str_is(json.text, "op"), orders = og_str_is(json.text, "orders");
        const enum og_json_kind kind = og_json_next(&json);

        if (!op && !orders)
            set_fault(b, "it has another key than op and orders");
        else if (orders && kind != OG_JSON_ARRAY)
            set_fault(b, "its orders are not a list");
        else if (orders)
            ok = read_orders(b, &json, bytes);
        else
            ok = og_json_skip(&json, kind);
        any |= orders;
    }
    if (ok && !any)
        set_fault(b, "it has no orders");
    free(spill);
    return ok;
}

enum og_status og_basket_read(struct og_basket *b, const char *bytes, size_t len)
{
    if (!b || !bytes)
        return OG_EINVAL;
    b->count = 0;
    if (og_order_read(b->line, bytes, len) != OG_OK)
        return OG_ENOMEM;
    if (b->line->fault)
        return OG_OK;
    if (b->line->op != OG_OP_BASKET) {
        set_fault(b, "its op is not basket");
        return OG_OK;
    }
    if (read_members(b, bytes, len))
        return OG_OK;
    b->count = 0;
    og_order_clear(b->line);
    return OG_ENOMEM;
}

size_t og_basket_count(const struct og_basket *b)
{
    return b ? b->count : 0;
}

struct og_order *const *og_basket_orders(const struct og_basket *b)
{
    return b && b->count ? b->order : NULL;
}

const struct og_order *og_basket_line(const struct og_basket *b)
{
    return b ? b->line : NULL;
}
