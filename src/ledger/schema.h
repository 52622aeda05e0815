/*
 * The ledger's tables.  A change of schema is a new number and a migration, never an edit of an old one.
 */
#ifndef OG_LEDGER_SCHEMA_H
#define OG_LEDGER_SCHEMA_H

#include "ordergate/status.h"

#include <sqlite3.h>

#define OG_LEDGER_APPLICATION 0x6f676c64 /* "ogld" */
#define OG_LEDGER_VERSION 1
#define OG_LEDGER_BUSY_MS 10000 /* how long another process may hold it */

/* Make the tables in an empty file, or see that they are ours.  OG_ELEDGER: it is something else, or newer. */
enum og_status og_ledger_prepare_schema(sqlite3 *db, const char *path, struct og_error *err);

/* The second half of that alone. */
enum og_status og_ledger_recognise(sqlite3 *db, const char *path, struct og_error *err);

#endif
