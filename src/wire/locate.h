/*
 * Writers of the service's documents about locates and cash; see wire/write.h.
 */
#pragma once

#include "wire/write.h"

struct og_locate_row {
    struct og_str account_id, symbol, quote_id, text; /* text.s NULL: null is written */
    int64_t shares, filled;
    int status, type, error;
    struct og_money price;
    bool pre_borrow;
    struct og_str created, updated;
};
void og_locate_row_write(struct og_buf *b, const struct og_locate_row *row);

struct og_inventory_row {
    struct og_str account_id, symbol;
    int64_t available, sold, to_be_sold, unavailable;
    int type;
};
void og_inventory_row_write(struct og_buf *b, const struct og_inventory_row *row);

struct og_cash_row {
    struct og_str account_id, type, currency, date, note;
    struct og_money deposit, withdraw;
};
void og_cash_row_write(struct og_buf *b, const struct og_cash_row *row);
