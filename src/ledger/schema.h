/*
 * The ledger's tables. Each change of the schema has a new number and a step from the previous schema; a step is never
 * edited. A new file is created by all steps in turn, so it gets the same tables as an upgraded one.
 */
#pragma once

#include <sqlite3.h>
#include <stdbool.h>

#include "base/timeouts.h"
#include "ordergate/status.h"

#define OG_LEDGER_APPLICATION 0x6f676c64 /* the letters "ogld" */
#define OG_LEDGER_VERSION     7
/* The condition of the index on waivers. SQLite uses that index only for queries with exactly this condition. */
#define OG_LEDGER_OF_WAIVERS "record IN ('waive', 'revoke')"
/* Records that have an order's id, and do not change its state. */
#define OG_LEDGER_BESIDE "'waive', 'revoke', 'replace', 'withdraw'"

/* States of an order that is not over, and records that do not change an order's state. Schema 6 contains both texts,
 * so a change of them requires a new schema. */
#define OG_LEDGER_OPEN_STATES "'intended', 'posted', 'unknown', 'working'"
#define OG_LEDGER_NO_STATE    "'decision', 'cancel', " OG_LEDGER_BESIDE
/* Returns true if a record of this kind, with an order's id, gives the order's state. */
bool og_ledger_is_state(const char *record);

/* Create the tables in an empty file, or upgrade those of an older ordergate, in one transaction.
 * OG_ELEDGER  the file is not a ledger, or newer, or damaged; nothing was changed */
enum og_status og_ledger_prepare_schema(sqlite3 *db, const char *path, struct og_error *err);

/* Check that the tables are those of a ledger. *version: their schema, which may be an older one. */
enum og_status og_ledger_recognise(sqlite3 *db, const char *path, int *version, struct og_error *err);
/* Returns true if the database has no table. */
bool og_ledger_is_blank(sqlite3 *db);

/* Returns advice about an error of SQLite, for messages; "" if there is none. */
const char *og_ledger_advice(int code);
