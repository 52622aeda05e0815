/*
 * Fuzz: a line to an order.  Whatever bytes come, the reader ends; what it can write it reads again as the same order.
 */
#include "order/order.h"

#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool ok)
{
    if (!ok)
        abort();
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
    og_buf_clear(&first);
    og_buf_clear(&second);
    og_order_free(a);
    og_order_free(b);
    return 0;
}
