/*
 * Persistence: the state of the service in one SQLite file, so that it survives a restart.
 */
#pragma once

#include "ordergate/status.h"
#include "paper/paper.h"

/* Open or create the file, load its contents, and let the loaded working orders work again. OG_EIO: the file cannot be
 * used. */
enum og_status og_paper_db_open(struct og_paper *p, const char *file, struct og_error *err);
void og_paper_db_close(struct og_paper *p);

/* The tables, in the sequence in which they are loaded. */
enum og_paper_table_name {
    OG_TABLE_SYMBOLS,
    OG_TABLE_ACCOUNTS,
    OG_TABLE_LOTS,
    OG_TABLE_LIFECYCLES,
    OG_TABLE_TRADES,
    OG_TABLE_ORDERS,
    OG_TABLE_LOCATES,
    OG_TABLE_INVENTORY,
    OG_TABLE_CASH,
    OG_TABLE_COUNTERS,
    OG_TABLE_COUNT
};

/* og_paper_db_put(): insert or replace a row; `account` is required if the table has a column for it.
 * og_paper_db_forget(): delete the rows of an account. Both do nothing without a database; a failure sets p->failed. */
void og_paper_db_put(struct og_paper *p, enum og_paper_table_name name, const void *row,
                     const struct og_paper_account *account);
void og_paper_db_forget(struct og_paper *p, enum og_paper_table_name name, const struct og_paper_account *account);

/* Commit all rows passed to og_paper_db_put(), and the orders and accounts that changed.  Returns false on failure;
 * nothing may then be answered. */
bool og_paper_db_store(struct og_paper *p);
