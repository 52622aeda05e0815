/*
 * Orders that pass a filter, for those who print them.
 */
#pragma once

#include "ledger/view.h"

/* Called for an order with its newest record; body: as it was posted or given, NULL if it is not on record. */
typedef enum og_status og_ledger_order_viewer(void *with, const struct og_ledger_seen_row *seen, const cJSON *body);
/* Call viewer for each order that passes the filter, oldest record first.  Statuses as of og_ledger_list(). */
enum og_status og_ledger_orders(struct og_ledger *l, const struct og_ledger_filter *filter,
                                og_ledger_order_viewer *viewer, void *with, struct og_error *err);

/* Bind two bounds of time (0: none) to the parameters `from` and the next one, for `at >= ? AND at < ?`. */
void og_ledger_bind_time(sqlite3_stmt *s, int from, int64_t since, int64_t until);
