/*
 * Lists the orders of the ledger that pass a filter, for the commands that print orders.
 */
#pragma once

#include "ledger/view.h"
#include "ordergate/time.h"
#include "text/table.h"

/* Returns the sheet for this layout (width, colour), whose tables are written to `to`. */
struct og_sheet og_ledger_sheet(const struct og_ledger_look *look, struct og_buf *to);

/* Called for each order with its newest record. body: as it was posted or given; NULL if it is not on record. */
typedef enum og_status og_ledger_order_viewer(void *with, const struct og_ledger_seen_row *seen, const cJSON *body);
/* Call viewer for each order that passes the filter, those with the oldest records first. Returns the statuses of
 * og_ledger_list(). */
enum og_status og_ledger_orders(struct og_ledger *l, const struct og_ledger_filter *filter,
                                og_ledger_order_viewer *viewer, void *with, struct og_error *err);

/* Bind two bounds of time (0: no bound) to parameter number `from` and the next one, for `at >= ? AND at < ?`. */
void og_ledger_bind_time(sqlite3_stmt *s, int from, int64_t since, int64_t until);
