/*
 * What the database keeps, table by table: which member of which struct stands in which column, and how a row that was
 * kept becomes part of the service again.
 */
#ifndef OG_PAPER_DB_ROWS_H
#define OG_PAPER_DB_ROWS_H

#include "paper/paper.h"

#include <sqlite3.h>

enum og_paper_column_kind { OG_COLUMN_NUMBER, OG_COLUMN_STR, OG_COLUMN_TEXT };

/* A member of a struct; numbers are told by their size (bool, int or enum, int64_t). */
struct og_paper_column {
    const char *name;
    enum og_paper_column_kind kind;
    size_t at, size;
};

struct og_paper_table {
    const char *name, *unique;
    bool account, symbol; /* columns behind those of the struct, for what it points to */
    const struct og_paper_column *columns;
    int count;
    bool (*read)(struct og_paper *p, sqlite3_stmt *s, const struct og_paper_table *table); /* false: out of memory */
};

/* By enum og_paper_table_name (paper/db.h), in the order in which they are read. */
extern const struct og_paper_table og_paper_tables[];

int64_t og_paper_row_number(const void *base, const struct og_paper_column *column);

#endif
