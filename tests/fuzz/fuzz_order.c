/*
 * Fuzz: a line as an order.  The reader terminates on any bytes; an order that can be written is read back as the
 * same order, and its packed form has the same terms.
 */
#include <stdint.h>
#include <stdlib.h>

#include "order/order.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool ok)
{
    if (!ok)
        abort();
}

static void same_text(struct og_str a, struct og_str b)
{
    must(og_str_eq(a, b));
}

static void same_leg(const struct og_leg *a, const struct og_leg *b)
{
    must(a->is_object == b->is_object && a->side == b->side && a->open_close == b->open_close && a->ratio == b->ratio);
    must(og_money_cmp(a->ratio_value, b->ratio_value) == 0 && a->symbol_bytes == b->symbol_bytes);
    must(a->occ.is == b->occ.is && a->occ.strike == b->occ.strike && a->occ.type == b->occ.type);
    same_text(a->symbol, b->symbol);
    for (int k = 0; k < OG_LEG_KEYS; k++)
        must(a->field[k].status == b->field[k].status);
}

static void same_order(const struct og_order *a, const struct og_order *b)
{
    must(a->fault == b->fault && a->op == b->op && a->security == b->security && a->side == b->side &&
         a->open_close == b->open_close && a->type == b->type && a->tif == b->tif);
    must(og_money_cmp(a->quantity_value, b->quantity_value) == 0 && og_money_cmp(a->limit, b->limit) == 0 &&
         og_money_cmp(a->stop, b->stop) == 0);
    must(a->quantity == b->quantity && a->in_digits == b->in_digits && a->symbol_bytes == b->symbol_bytes);
    must(a->occ.is == b->occ.is && a->occ.strike == b->occ.strike && a->leg_count == b->leg_count);
    same_text(a->symbol, b->symbol);
    same_text(a->client_id, b->client_id);
    same_text(a->route, b->route);
    same_text(a->account, b->account);
    same_text(a->replaces, b->replaces);
    for (int k = 0; k < OG_KEYS; k++)
        must(a->field[k].status == b->field[k].status);
    for (int i = 0; i < a->legs_kept; i++)
        same_leg(&a->leg[i], &b->leg[i]);
}

static void keeps(const struct og_order *a, struct og_order *b)
{
    struct og_buf kept;

    og_buf_init(&kept, 0);
    if (og_order_pack(a, &kept)) {
        must(og_order_unpack(b, kept.s, kept.len) == OG_OK);
        same_order(a, b);
    }
    og_buf_clear(&kept);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct og_order *a = og_order_new(), *b = og_order_new();
    struct og_buf first, second;

    must(a && b);
    og_buf_init(&first, 0);
    og_buf_init(&second, 0);
    must(og_order_read(a, (const char *)data, size) == OG_OK);
    if (og_order_write(a, true, &first)) {
        must(og_order_read(b, first.s, first.len) == OG_OK);
        must(b->fault == OG_FAULT_NONE && b->unknown_count == 0);
        must(og_order_write(b, true, &second));
        must(first.len == second.len && memcmp(first.s, second.s, first.len) == 0);
        must(og_money_cmp(a->limit, b->limit) == 0 && og_money_cmp(a->stop, b->stop) == 0);
        must(a->quantity == b->quantity);
    }
    keeps(a, b);
    og_buf_clear(&first);
    og_buf_clear(&second);
    og_order_free(a);
    og_order_free(b);
    return 0;
}
