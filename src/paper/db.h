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

/* Write everything that changed, in one transaction.  false: it failed, nothing may be answered. */
bool og_paper_db_store(struct og_paper *p);
/* A symbol that a control call changed; fine without a database. */
bool og_paper_db_symbol(struct og_paper *p, const struct og_paper_symbol *symbol);

#endif
