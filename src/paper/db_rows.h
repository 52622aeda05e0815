/*
 * The tables of the database: which struct member is stored in which column, and how a stored row is loaded again.
 */
#pragma once

#include <sqlite3.h>

#include "paper/paper.h"

enum og_paper_column_kind { OG_COLUMN_NUMBER, OG_COLUMN_STR, OG_COLUMN_TEXT };

/* A member of a struct. Its size determines which type of number it is (bool, int or enum, int64_t). */
struct og_paper_column {
    const char *name;
    enum og_paper_column_kind kind;
    size_t at, size;
};

/* Adds a row to the service's state after it was loaded.  Returns false if out of memory. */
typedef bool og_paper_restore(struct og_paper *p, struct og_paper_account *account, void *row);

struct og_paper_table {
    const char *name, *unique;
    const struct og_paper_column *columns;
    int count;
    bool account, symbol; /* after the columns of the struct's members, the table has a column for the account, or for
                           * the symbol */
    size_t size;          /* size of the struct */
    size_t symbol_at;     /* offset of the symbol in the struct, if the table has a symbol column */
    bool freed;           /* each row is freed by itself; rows of other tables are freed with the arena */
    og_paper_restore *restore;
    /* Loads a row into an existing struct; NULL if a new struct is made for each row. */
    bool (*read)(struct og_paper *p, sqlite3_stmt *s, const struct og_paper_table *table);
};

/* The tables, indexed by enum og_paper_table_name (paper/db.h). */
extern const struct og_paper_table og_paper_tables[];

/* Load the current row of a statement.  Returns false if out of memory. */
bool og_paper_row_read(struct og_paper *p, sqlite3_stmt *s, const struct og_paper_table *table);
int64_t og_paper_row_number(const void *base, const struct og_paper_column *column);
