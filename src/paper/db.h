/*
 * The service's memory over a restart: one SQLite file.
 */
#ifndef OG_PAPER_DB_H
#define OG_PAPER_DB_H

#include "ordergate/status.h"
#include "paper/paper.h"

/* Open (or make) the file, take in what it holds, and put orders back to work.  OG_EIO: it cannot be used. */
enum og_status og_paper_db_open(struct og_paper *p, const char *file, struct og_error *err);
void og_paper_db_close(struct og_paper *p);

/* What is kept, in the order in which it is read back. */
enum og_paper_table_name {
    OG_TABLE_SYMBOLS,
    OG_TABLE_ACCOUNTS,
    OG_TABLE_LOTS,
    OG_TABLE_LIVES,
    OG_TABLE_TRADES,
    OG_TABLE_ORDERS,
    OG_TABLE_LOCATES,
    OG_TABLE_POOLS,
    OG_TABLE_CASH,
    OG_TABLE_COUNTERS,
    OG_TABLE_COUNT
};

/* Keep a row as it is now; account and symbol where its table names them.  Fine without a database, as is forgetting
 * the rows of an account.  A failure is p->failed. */
void og_paper_db_put(struct og_paper *p, enum og_paper_table_name name, const void *row,
                     const struct og_paper_account *account, const struct og_paper_symbol *symbol);
void og_paper_db_forget(struct og_paper *p, enum og_paper_table_name name, const struct og_paper_account *account);

/* Commit what was put, and the orders and accounts that changed.  false: it failed, nothing may be answered. */
bool og_paper_db_store(struct og_paper *p);

#endif
