/*
 * The ledger's tables.  Each change of the schema has a new number and a step from the schema before it; no step is
 * ever edited.  A new file is created by all steps in turn, so it gets the same tables as an upgraded one.
 */
#pragma once

#include <sqlite3.h>
#include <stdbool.h>

#include "base/timeouts.h"
#include "ordergate/status.h"

#define OG_LEDGER_APPLICATION 0x6f676c64 /* "ogld" */
#define OG_LEDGER_VERSION     7
/* The condition of the index on waivers; a query must use the same words for SQLite to use the index. */
#define OG_LEDGER_OF_WAIVERS "record IN ('waive', 'revoke')"
/* Records that have an order's id, and do not change its state. */
#define OG_LEDGER_BESIDE "'waive', 'revoke', 'replace', 'withdraw'"

/* States of an order that is not over.  Both are words of schema 6, and so may not change without a new one. */
#define OG_LEDGER_OPEN_STATES "'intended', 'posted', 'unknown', 'working'"
#define OG_LEDGER_NO_STATE    "'decision', 'cancel', " OG_LEDGER_BESIDE
/* Returns true if a record of this kind, with an order's id, says what state the order is in. */
bool og_ledger_is_state(const char *record);

/* Create the tables in an empty file, or bring those of an older ordergate up to date, in one transaction.
 * OG_ELEDGER  it is not a ledger, or newer, or damaged; nothing was changed */
enum og_status og_ledger_prepare_schema(sqlite3 *db, const char *path, struct og_error *err);

/* Check that the tables are those of a ledger; *version: its schema, which may be an older one. */
enum og_status og_ledger_recognise(sqlite3 *db, const char *path, int *version, struct og_error *err);
/* Returns true if the database has no table. */
bool og_ledger_is_blank(sqlite3 *db);

/* Returns advice about an error of SQLite, for messages; "" if there is none. */
const char *og_ledger_advice(int code);
