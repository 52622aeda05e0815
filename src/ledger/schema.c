/*
 * Creates, upgrades and recognizes the ledger's tables. A database that is not a ledger, or was written by a newer
 * version, is rejected and not changed.
 */
#include "ledger/schema.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "ledger/chain.h"

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

/* Schema 2: the chain. A trigger keeps an older ordergate, which may still be running on the file, from appending
 * records without a hash. */
static const char schema_2_opens[] =
    "DROP TRIGGER rows_stay;"
    "ALTER TABLE rows ADD COLUMN hash TEXT NOT NULL DEFAULT '';"
    "CREATE TABLE head(one INTEGER PRIMARY KEY CHECK(one = 1), seq INTEGER NOT NULL, hash TEXT NOT NULL) STRICT;";
static const char schema_2_ends[] =
    "INSERT INTO head SELECT 1, coalesce(max(seq), 0), coalesce((SELECT hash FROM rows ORDER BY seq DESC LIMIT 1), '')"
    " FROM rows;"
    "CREATE TRIGGER rows_stay BEFORE UPDATE ON rows BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;"
    "CREATE TRIGGER rows_chained BEFORE INSERT ON rows WHEN length(new.hash) <> 71"
    " BEGIN SELECT RAISE(ABORT, 'a newer ordergate has renewed this ledger; run that one'); END;"
    "CREATE TRIGGER head_keeps BEFORE DELETE ON head BEGIN SELECT RAISE(ABORT, 'the ledger has a head'); END;"
    "PRAGMA user_version = 2;";

/* Schema 3: an index for the waivers of an order, which are read before every decision. */
static const char schema_3[] = "CREATE INDEX rows_of_waivers ON rows(id, seq) WHERE " OG_LEDGER_OF_WAIVERS ";"
                               "PRAGMA user_version = 3;";

/* Schema 4: an index for the replacements of an order, which are read before the order is replaced. */
static const char schema_4[] = "CREATE INDEX rows_of_replaced ON rows(account, text, seq) WHERE record = 'replace';"
                               "PRAGMA user_version = 4;";

/* Schema 5: the tag of an order's strategy. An older ordergate that still runs on the file writes records without a
 * tag; the present version computes the same hashes for such records. */
static const char schema_5[] = "ALTER TABLE rows ADD COLUMN tag TEXT;"
                               "CREATE INDEX rows_of_tags ON rows(account, seq) WHERE tag IS NOT NULL;"
                               "PRAGMA user_version = 5;";

/* Schema 6: the table of open orders, which triggers keep up to date, so that listing open orders is fast in a ledger
 * of millions of records; and indexes for the records of a day, and for an order by the broker's id. A trigger selects
 * the same records as OG_LEDGER_NEWEST_OF. verify.c compares the table with the records. */
#define OF_STATE "new.id IS NOT NULL AND new.record NOT IN (" OG_LEDGER_NO_STATE ")"
static const char schema_6[] =
    "CREATE TABLE open_orders(account TEXT NOT NULL, id TEXT NOT NULL, seq INTEGER NOT NULL, PRIMARY KEY(account, id)) "
    "STRICT,"
    " WITHOUT ROWID;"
    "INSERT INTO open_orders SELECT i.account, i.id, r.seq FROM ids i JOIN rows r ON r.seq = (SELECT max(n.seq) FROM "
    "rows n"
    " WHERE n.account = i.account AND n.id = i.id AND n.seq >= i.seq AND n.record NOT IN (" OG_LEDGER_NO_STATE "))"
    " WHERE r.state IN (" OG_LEDGER_OPEN_STATES ");"
    "CREATE TRIGGER rows_open AFTER INSERT ON rows WHEN " OF_STATE " AND new.state IN (" OG_LEDGER_OPEN_STATES ")"
    " BEGIN INSERT INTO open_orders VALUES(new.account, new.id, new.seq)"
    " ON CONFLICT(account, id) DO UPDATE SET seq = excluded.seq; END;"
    "CREATE TRIGGER rows_over AFTER INSERT ON rows WHEN " OF_STATE " AND new.state NOT IN (" OG_LEDGER_OPEN_STATES ")"
    " BEGIN DELETE FROM open_orders WHERE account = new.account AND id = new.id; END;"
    "CREATE INDEX rows_of_time ON rows(at);"
    "CREATE INDEX rows_of_broker_ids ON rows(broker_id) WHERE broker_id <> id;"
    "PRAGMA user_version = 6;";

/* Schema 7: what an archive leaves (archive.c): a table of the ranges of removed records, each with the hash of its
 * last record; and the digests of lines whose decisions are archived. A single trigger now maintains the open orders,
 * since each trigger takes 12 microseconds for every record. */
static const char schema_7[] =
    "CREATE TABLE gaps(last INTEGER PRIMARY KEY, first INTEGER NOT NULL, hash TEXT NOT NULL) STRICT;"
    "CREATE TABLE archived(account TEXT NOT NULL, id TEXT NOT NULL, run TEXT NOT NULL, digest TEXT NOT NULL,"
    " PRIMARY KEY(account, id, run)) STRICT, WITHOUT ROWID;"
    "DROP TRIGGER rows_open; DROP TRIGGER rows_over;"
    "CREATE TRIGGER rows_open AFTER INSERT ON rows WHEN " OF_STATE " BEGIN"
    " INSERT INTO open_orders SELECT new.account, new.id, new.seq WHERE new.state IN (" OG_LEDGER_OPEN_STATES ")"
    " ON CONFLICT(account, id) DO UPDATE SET seq = excluded.seq;"
    " DELETE FROM open_orders WHERE account = new.account AND id = new.id AND new.state NOT IN"
    " (" OG_LEDGER_OPEN_STATES "); END;"
    "PRAGMA user_version = 7;";

static bool number(sqlite3 *db, const char *sql, int *n)
{
    sqlite3_stmt *s = NULL;
    bool ok = sqlite3_prepare_v2(db, sql, -1, &s, NULL) == SQLITE_OK && sqlite3_step(s) == SQLITE_ROW;

    if (ok)
        *n = sqlite3_column_int(s, 0);
    sqlite3_finalize(s);
    return ok;
}

const char *og_ledger_advice(int code)
{
    switch (code & 0xff) {
    case SQLITE_FULL: return "; make room on the disk";
    case SQLITE_IOERR:
        return "; the disk is full, over its quota or failing: make room, or name a file elsewhere with "
               "--ledger";
    case SQLITE_BUSY: return "; another process holds it";
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
    case SQLITE_PERM: return "; its folder must be writable by you, or name a file elsewhere with --ledger";
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
        return "; such damage cannot be accepted: keep the file and restore a copy, or name another with --ledger, "
               "which lacks the ids used here";
    default: return "";
    }
}

/* Set err to "ledger 'path' cannot be used: ...", with SQLite's message and advice on what to do. */
static enum og_status unusable(sqlite3 *db, const char *path, struct og_error *err)
{
    int code = sqlite3_extended_errcode(db);

    return og_fail_because(err, OG_ELEDGER, code, "ledger '%s' cannot be used: %s%s", path, sqlite3_errmsg(db),
                           og_ledger_advice(code));
}

bool og_ledger_is_blank(sqlite3 *db)
{
    int version;

    return number(db, "PRAGMA schema_version", &version) && version == 0;
}

enum og_status og_ledger_recognise(sqlite3 *db, const char *path, int *version, struct og_error *err)
{
    int application;

    if (!number(db, "PRAGMA application_id", &application) || !number(db, "PRAGMA user_version", version))
        return unusable(db, path, err);
    if (application != OG_LEDGER_APPLICATION || *version < 1)
        return og_fail(err, OG_ELEDGER, "'%s' is not a ledger of ordergate; name another file with --ledger", path);
    if (*version > OG_LEDGER_VERSION)
        return og_fail(err, OG_ELEDGER, "ledger '%s' has schema %d, this ordergate knows %d; use the newer ordergate",
                       path, *version, OG_LEDGER_VERSION);
    return OG_OK;
}

/* Begin the transaction. The WAL must have been turned on before. Two processes that start at once may both turn it on;
 * SQLite then reports "locked" to one of them without waiting for its busy timeout, so this function retries for as
 * long as that timeout. */
static int begin(sqlite3 *db)
{
    const uint64_t until = og_time_up() + (uint64_t)OG_LEDGER_BUSY_MS * (uint64_t)OG_NS_PER_MS;
    int code = SQLITE_BUSY;

    for (int i = 0; (i == 0 || og_time_up() < until) && (code & 0xff) == SQLITE_BUSY; i++) {
        if (i > 0)
            sqlite3_sleep(10);
        code = sqlite3_exec(db, "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;", NULL,
                            NULL, NULL);
        if (code == SQLITE_OK)
            code = sqlite3_exec(db, "BEGIN IMMEDIATE", NULL, NULL, NULL);
    }
    return code;
}

/* Read one record, compute its hash, and store the hash. *step is SQLite's result: SQLITE_ROW if there was a record. */
static bool chain_next(sqlite3_stmt *next, sqlite3_stmt *set, struct og_digest_text *hash, struct og_buf *room,
                       int *step)
{
    struct og_str field[OG_LEDGER_FIELDS];
    int64_t seq;
    bool ok;

    if ((*step = sqlite3_step(next)) != SQLITE_ROW)
        return *step == SQLITE_DONE;
    og_ledger_fields(next, field);
    seq = sqlite3_column_int64(next, OG_LEDGER_SEQ);
    ok = og_ledger_chain(og_str_of(hash->s), field, NULL, room, hash);
    sqlite3_reset(next);
    sqlite3_bind_int64(next, 1, seq);
    sqlite3_bind_text(set, 1, hash->s, -1, SQLITE_STATIC);
    sqlite3_bind_int64(set, 2, seq);
    ok = ok && sqlite3_step(set) == SQLITE_DONE;
    sqlite3_reset(set);
    return ok;
}

static bool chain_all(sqlite3 *db)
{
    sqlite3_stmt *next = NULL, *set = NULL;
    struct og_digest_text hash = { "" };
    struct og_buf room;
    int step = SQLITE_ROW;
    bool ok;

    og_buf_init(&room, 0);
    ok = sqlite3_prepare_v2(db, "SELECT " OG_LEDGER_COLUMNS_4 ", NULL FROM rows r WHERE seq > ? ORDER BY seq LIMIT 1",
                            -1, &next, NULL) == SQLITE_OK &&
         sqlite3_prepare_v2(db, "UPDATE rows SET hash = ? WHERE seq = ?", -1, &set, NULL) == SQLITE_OK;
    if (ok)
        sqlite3_bind_int64(next, 1, INT64_MIN);
    while (ok && step == SQLITE_ROW)
        ok = chain_next(next, set, &hash, &room, &step);
    sqlite3_finalize(next);
    sqlite3_finalize(set);
    og_buf_clear(&room);
    return ok;
}

static bool renew(sqlite3 *db, int version)
{
    if (version < 1 && sqlite3_exec(db, schema_1, NULL, NULL, NULL) != SQLITE_OK)
        return false;
    if (version < 2 && (sqlite3_exec(db, schema_2_opens, NULL, NULL, NULL) != SQLITE_OK || !chain_all(db) ||
                        sqlite3_exec(db, schema_2_ends, NULL, NULL, NULL) != SQLITE_OK))
        return false;
    if (version < 3 && sqlite3_exec(db, schema_3, NULL, NULL, NULL) != SQLITE_OK)
        return false;
    if (version < 4 && sqlite3_exec(db, schema_4, NULL, NULL, NULL) != SQLITE_OK)
        return false;
    if (version < 5 && sqlite3_exec(db, schema_5, NULL, NULL, NULL) != SQLITE_OK)
        return false;
    if (version < 6 && sqlite3_exec(db, schema_6, NULL, NULL, NULL) != SQLITE_OK)
        return false;
    return version >= 7 || sqlite3_exec(db, schema_7, NULL, NULL, NULL) == SQLITE_OK;
}

/* Returns true for a database of another program. This is checked before the WAL is turned on, because turning it on
 * would already change the file. */
static bool is_foreign(sqlite3 *db)
{
    int tables, application;

    return number(db, "SELECT count(*) FROM sqlite_master", &tables) && tables > 0 &&
           number(db, "PRAGMA application_id", &application) && application != OG_LEDGER_APPLICATION;
}

/* Check the structure of the database: writing to a damaged database damages it further, and ids and open orders hidden
 * by the damage would be missed.  Records that do not match their hashes are found by verify.c. */
static enum og_status check_structure(sqlite3 *db, const char *path, struct og_error *err)
{
    sqlite3_stmt *s = NULL;
    int code = sqlite3_prepare_v2(db, "PRAGMA integrity_check(1)", -1, &s, NULL);
    enum og_status status = OG_OK;
    const char *said;
    char first[128];

    if (code == SQLITE_OK)
        code = sqlite3_step(s);
    said = code == SQLITE_ROW ? (const char *)sqlite3_column_text(s, 0) : NULL;
    if (said && strcmp(said, "ok") != 0) {
        snprintf(first, sizeof first, "%s", said);
        for (char *c = first; *c != '\0'; c++)
            if ((unsigned char)*c < 0x20)
                *c = ' ';
        status = og_fail_because(err, OG_ELEDGER, SQLITE_CORRUPT, "ledger '%s' is damaged in its structure: %s%s", path,
                                 first, og_ledger_advice(SQLITE_CORRUPT));
    } else if ((code & 0xff) == SQLITE_CORRUPT || (code & 0xff) == SQLITE_NOTADB) {
        status = unusable(db, path, err);
    }
    sqlite3_finalize(s);
    return status; /* other errors, such as a busy database, are reported at the first write */
}

enum og_status og_ledger_prepare_schema(sqlite3 *db, const char *path, struct og_error *err)
{
    enum og_status status = OG_OK;
    int tables, version = 0;

    if (is_foreign(db))
        return og_ledger_recognise(db, path, &version, err);
    if ((status = check_structure(db, path, err)) != OG_OK)
        return status;
    if (begin(db) != SQLITE_OK)
        return unusable(db, path, err);
    if (!number(db, "SELECT count(*) FROM sqlite_master", &tables))
        status = unusable(db, path, err);
    else if (tables > 0)
        status = og_ledger_recognise(db, path, &version, err);
    if (status == OG_OK && (!renew(db, version) || sqlite3_exec(db, "COMMIT", NULL, NULL, NULL) != SQLITE_OK))
        status = unusable(db, path, err);
    if (status != OG_OK)
        sqlite3_exec(db, "ROLLBACK", NULL, NULL, NULL);
    return status;
}

bool og_ledger_is_state(const char *record)
{
    static const char words[] = OG_LEDGER_NO_STATE;
    const char *at = strstr(words, record);

    return !at || at == words || at[-1] != '\'' || at[strlen(record)] != '\'';
}
