/*
 * Making and recognising the ledger's tables.
 * It refuses to touch a database of somebody else and one a newer ordergate wrote.
 */
#include "ledger/schema.h"

#include "base/error.h"

#include "base/banned.h"

static const char schema_1[] =
    "CREATE TABLE rows(seq INTEGER PRIMARY KEY, at TEXT NOT NULL, run TEXT NOT NULL, account TEXT NOT NULL, id TEXT,"
    " record TEXT NOT NULL, state TEXT NOT NULL, outcome TEXT, broker_id TEXT, executed TEXT NOT NULL,"
    " price_avg TEXT NOT NULL, code TEXT, text TEXT, detail TEXT) STRICT;"
    "CREATE INDEX rows_of_order ON rows(account, id, seq);"
    "CREATE TABLE ids(account TEXT NOT NULL, id TEXT NOT NULL, digest TEXT NOT NULL, seq INTEGER NOT NULL,"
    " PRIMARY KEY(account, id)) STRICT, WITHOUT ROWID;"
    "CREATE TABLE runs(n INTEGER PRIMARY KEY, run TEXT NOT NULL UNIQUE) STRICT;"
    "CREATE TRIGGER rows_stay BEFORE UPDATE ON rows BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;"
    "CREATE TRIGGER rows_keep BEFORE DELETE ON rows BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;"
    "CREATE TRIGGER ids_stay BEFORE UPDATE ON ids BEGIN SELECT RAISE(ABORT, 'an id is used once'); END;"
    "CREATE TRIGGER ids_keep BEFORE DELETE ON ids BEGIN SELECT RAISE(ABORT, 'an id is used once'); END;"
    "PRAGMA application_id = 1869048932;"
    "PRAGMA user_version = 1;";

_Static_assert(OG_LEDGER_APPLICATION == 1869048932, "the number in the schema is ours");

static int number(sqlite3 *db, const char *sql)
{
    sqlite3_stmt *s = NULL;
    int n = -1;

    if (sqlite3_prepare_v2(db, sql, -1, &s, NULL) == SQLITE_OK && sqlite3_step(s) == SQLITE_ROW)
        n = sqlite3_column_int(s, 0);
    sqlite3_finalize(s);
    return n;
}

static enum og_status failed(sqlite3 *db, const char *path, struct og_error *err)
{
    return og_fail_because(err, OG_ELEDGER, sqlite3_extended_errcode(db), "ledger '%s' cannot be used: %s", path,
                           sqlite3_errmsg(db));
}

enum og_status og_ledger_recognise(sqlite3 *db, const char *path, struct og_error *err)
{
    int version = number(db, "PRAGMA user_version");

    if (number(db, "PRAGMA application_id") != OG_LEDGER_APPLICATION)
        return og_fail(err, OG_ELEDGER, "'%s' is no ledger of ordergate; name another file with --ledger", path);
    if (version != OG_LEDGER_VERSION)
        return og_fail(err, OG_ELEDGER, "ledger '%s' has schema %d, this ordergate knows %d; use the newer ordergate", path,
                       version, OG_LEDGER_VERSION);
    return OG_OK;
}

/* The WAL must be on before the transaction; two processes that start at once both come through here.  While one turns
 * it on, SQLite tells the other "locked" without asking its busy timeout: so it is asked again, for as long. */
static int begin(sqlite3 *db)
{
    int code = SQLITE_BUSY;

    for (int i = 0; i < OG_LEDGER_BUSY_MS / 10 && (code & 0xff) == SQLITE_BUSY; i++) {
        if (i > 0)
            sqlite3_sleep(10);
        code = sqlite3_exec(db, "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;", NULL,
                            NULL, NULL);
        if (code == SQLITE_OK)
            code = sqlite3_exec(db, "BEGIN IMMEDIATE", NULL, NULL, NULL);
    }
    return code;
}

enum og_status og_ledger_prepare_schema(sqlite3 *db, const char *path, struct og_error *err)
{
    int tables;

    if (begin(db) != SQLITE_OK)
        return failed(db, path, err);
    tables = number(db, "SELECT count(*) FROM sqlite_master");
    if (tables == 0 && sqlite3_exec(db, schema_1, NULL, NULL, NULL) != SQLITE_OK) {
        enum og_status status = failed(db, path, err);

        sqlite3_exec(db, "ROLLBACK", NULL, NULL, NULL);
        return status;
    }
    if (sqlite3_exec(db, "COMMIT", NULL, NULL, NULL) != SQLITE_OK)
        return failed(db, path, err);
    return og_ledger_recognise(db, path, err);
}
