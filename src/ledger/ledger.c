/*
 * The ledger on SQLite: WAL, synchronous=FULL, one transaction for records that belong together, every record chained
 * to the previous one. After a failed write nothing of the transaction is committed, so that every event reported is on
 * record. Nothing is appended if the last record does not match the head.
 */
#include "ledger/ledger.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "base/state_dir.h"
#include "base/timeouts.h"
#include "ledger/archive.h"
#include "ledger/place.h"
#include "ledger/schema.h"
#include "ordergate/time.h"

#define KEY_LEAST 16 /* minimum length of the chain's key, in bytes */
#define KEY_MOST  1024

static const char *const sql[OG_LEDGER_STATEMENTS] = {
    [OG_LEDGER_APPEND] = "INSERT INTO rows(seq, at, run, account, id, record, state, outcome, broker_id, executed, "
                         "price_avg, code, text, detail, tag, hash) VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
    [OG_LEDGER_USE_ID] = "INSERT INTO ids(account, id, digest, seq) VALUES(?,?,?,?)",
    [OG_LEDGER_FIND] =
        "SELECT i.digest, r.run, (SELECT n FROM runs WHERE run = r.run), (SELECT count(*) FROM rows c WHERE"
        " c.account = i.account AND c.id = i.id AND c.record = 'intent'), EXISTS (SELECT 1 FROM rows w WHERE"
        " w.account = i.account AND w.id = i.id AND w.record = 'withdraw') FROM ids i JOIN rows r ON r.seq ="
        " (SELECT max(m.seq) FROM rows m WHERE m.account = i.account AND m.id = i.id AND m.record = 'intent')"
        " WHERE i.account = ? AND i.id = ?",
    [OG_LEDGER_NEWEST] = "SELECT " OG_LEDGER_COLUMNS " FROM ids i JOIN rows r ON r.seq = " OG_LEDGER_NEWEST_OF
                         " WHERE i.account = ? AND i.id = ?",
    [OG_LEDGER_HEARD] = "SELECT " OG_LEDGER_COLUMNS " FROM rows r WHERE r.account = ? AND r.id = ? AND r.record NOT IN"
                        " ('decision', 'cancel', " OG_LEDGER_BESIDE ") ORDER BY r.seq DESC LIMIT 1",
    [OG_LEDGER_BY_ANSWER] =
        "SELECT 1 FROM rows p WHERE p.seq = (SELECT max(m.seq) FROM rows m WHERE m.account = ? AND m.id = ? AND"
        " m.record = 'post') AND p.state = 'intended' AND p.detail LIKE '{\"http\":400,%'",
    [OG_LEDGER_TAG_OF] = "SELECT r.tag FROM rows r WHERE r.account = ? AND r.id = ? AND r.record = 'intent'"
                         " ORDER BY r.seq DESC LIMIT 1",
    [OG_LEDGER_TERMS] =
        "SELECT r.tag, (SELECT CASE p.state WHEN 'intended' THEN p.text END FROM rows p WHERE p.account = r.account AND"
        " p.id = r.id AND p.record = 'replace' AND p.run = r.run AND p.seq < r.seq ORDER BY p.seq DESC LIMIT 1),"
        " coalesce((SELECT coalesce(d.detail ->> 'digest', '') FROM rows d WHERE d.account = r.account AND d.id = r.id "
        "AND"
        " d.record = 'decision' AND d.state = 'intended' AND d.run = r.run AND d.seq < r.seq AND json_valid(d.detail)"
        " AND d.detail ->> 'op' IS NULL ORDER BY d.seq DESC LIMIT 1), (SELECT a.digest FROM archived a WHERE"
        " a.account = r.account AND a.id = r.id AND a.run = r.run)) FROM rows r WHERE r.account = ? AND r.id = ? AND"
        " r.record = 'intent' ORDER BY r.seq DESC LIMIT 1",
    [OG_LEDGER_REPLACES] = "SELECT text FROM rows WHERE account = ? AND id = ? AND record = 'replace' ORDER BY seq DESC"
                           " LIMIT 1",
    [OG_LEDGER_BODY] = "SELECT detail FROM rows WHERE account = ? AND id = ? AND record = 'intent' ORDER BY seq DESC"
                       " LIMIT 1",
    [OG_LEDGER_UNSETTLED] =
        "SELECT " OG_LEDGER_COLUMNS ", (SELECT n FROM runs WHERE run = p.run), p.run FROM ids i JOIN rows r ON"
        " r.seq = " OG_LEDGER_NEWEST_OF " JOIN rows p ON p.seq = (SELECT max(m.seq) FROM rows m WHERE"
        " m.account = i.account AND m.id = i.id AND m.record = 'intent')"
        " WHERE r.state IN ('intended', 'posted', 'unknown', 'working') ORDER BY i.seq",
    [OG_LEDGER_SINCE] = "SELECT " OG_LEDGER_COLUMNS " FROM rows r WHERE r.seq > ? ORDER BY r.seq",
    [OG_LEDGER_WAIVERS] = og_ledger_waivers_sql,
    [OG_LEDGER_ADD_RUN] = "INSERT INTO runs(run) VALUES(?)",
    [OG_LEDGER_READ_HEAD] = "SELECT h.seq, h.hash, coalesce((SELECT max(seq) FROM rows), 0),"
                            " coalesce((SELECT hash FROM rows WHERE seq = h.seq), '') FROM head h",
    [OG_LEDGER_SET_HEAD] = "UPDATE head SET seq = ?, hash = ?",
};

/* --- statements --------------------------------------------------------------------------------------------------- */

enum og_status og_ledger_failed(const struct og_ledger *l, const char *doing, struct og_error *err)
{
    int code = sqlite3_extended_errcode(l->db);

    return og_fail_because(err, OG_ELEDGER, code, "ledger: cannot %s: %s%s", doing, sqlite3_errmsg(l->db),
                           og_ledger_advice(code));
}

/* Prepare a statement. In a ledger from before schema 5, which is opened only for reading, the column of tags is
 * replaced by NULL. */
static int prepare(struct og_ledger *l, const char *text, unsigned flags, sqlite3_stmt **s)
{
    static const char column[] = "r.tag", none[] = "NULL ";
    char *older, *at;
    int code;

    if (l->version >= 5 || !strstr(text, column))
        return sqlite3_prepare_v3(l->db, text, -1, flags, s, NULL);
    if (!(older = strdup(text)))
        return SQLITE_NOMEM;
    while ((at = strstr(older, column)))
        memcpy(at, none, sizeof none - 1);
    code = sqlite3_prepare_v3(l->db, older, -1, flags, s, NULL);
    free(older);
    return code;
}

sqlite3_stmt *og_ledger_query(struct og_ledger *l, const char *text, struct og_error *err)
{
    sqlite3_stmt *s = NULL;

    if (prepare(l, text, 0, &s) != SQLITE_OK)
        og_ledger_failed(l, "read its tables", err);
    return s;
}

sqlite3_stmt *og_ledger_prepared(struct og_ledger *l, enum og_ledger_statement which, struct og_error *err)
{
    sqlite3_stmt **s = &l->statement[which];

    if (!*s && prepare(l, sql[which], SQLITE_PREPARE_PERSISTENT, s) != SQLITE_OK)
        og_ledger_failed(l, "read its tables", err);
    return *s;
}

void og_ledger_bind(sqlite3_stmt *s, int at, struct og_str text)
{
    if (!s)
        return;
    if (!text.s)
        sqlite3_bind_null(s, at);
    else
        sqlite3_bind_text64(s, at, text.s, text.len, SQLITE_TRANSIENT, SQLITE_UTF8);
}

struct og_str og_ledger_column(sqlite3_stmt *s, int at)
{
    const char *text = (const char *)sqlite3_column_text(s, at);

    return (struct og_str){ text, text ? (size_t)sqlite3_column_bytes(s, at) : 0 };
}

bool og_ledger_next(struct og_ledger *l, sqlite3_stmt *s, enum og_status *status, struct og_error *err)
{
    int step = s ? sqlite3_step(s) : SQLITE_ERROR;

    if (!s)
        *status = OG_ELEDGER; /* og_ledger_prepared() failed, and err says why */
    else if (step != SQLITE_ROW && step != SQLITE_DONE)
        *status = og_ledger_failed(l, "read", err);
    return step == SQLITE_ROW;
}

/* Run a statement that changes the database and returns no rows. */
static enum og_status write_it(struct og_ledger *l, sqlite3_stmt *s, const char *doing, struct og_error *err)
{
    enum og_status status = OG_OK;

    if (sqlite3_step(s) != SQLITE_DONE) {
        status = og_ledger_failed(l, doing, err);
        l->spoilt = true;
    }
    sqlite3_reset(s);
    return status;
}

/* --- opening ------------------------------------------------------------------------------------------------------ */

static enum og_status register_run(struct og_ledger *l, struct og_str run, struct og_error *err)
{
    enum og_status status;
    sqlite3_stmt *s;

    if (run.len >= sizeof l->run)
        return og_fail(err, OG_EINVAL, "a run's name has at most %zu bytes", sizeof l->run - 1);
    memcpy(l->run, run.s, run.len);
    if (!(s = og_ledger_prepared(l, OG_LEDGER_ADD_RUN, err)) || (status = og_ledger_begin(l, err)) != OG_OK)
        return OG_ELEDGER;
    sqlite3_bind_text(s, 1, l->run, (int)run.len, SQLITE_STATIC);
    if ((status = write_it(l, s, "register this run", err)) != OG_OK || (status = og_ledger_commit(l, err)) != OG_OK)
        return status;
    l->n = sqlite3_last_insert_rowid(l->db);
    if (!og_ledger_run_hold(l->runs, l->n))
        return og_fail_because(err, OG_ELEDGER, og_ledger_code(errno), "ledger: cannot lock the entry of this run: %s",
                               strerror(errno));
    og_ledger_runs_mark(l->runs);
    return OG_OK;
}

/* Read the chain's key from the file that ORDERGATE_LEDGER_KEY names. Each program that opens a ledger does this. */
static enum og_status read_key(struct og_ledger *l, struct og_error *err)
{
    const char *path = getenv("ORDERGATE_LEDGER_KEY");
    char room[KEY_MOST + 2];
    enum og_status status;
    struct og_buf b;
    int fd;

    if (!path || path[0] == '\0')
        return OG_OK;
    if ((status = og_file_open(path, OG_FILE_SECRET, &fd, NULL, err)) != OG_OK)
        return status;
    og_buf_init_fixed(&b, room, sizeof room);
    if (!og_file_drain(fd, &b))
        status = og_fail_because(err, OG_EIO, errno, "key '%s' cannot be read: %s", path, strerror(errno));
    close(fd);
    while (b.len > 0 && (b.s[b.len - 1] == '\n' || b.s[b.len - 1] == '\r'))
        b.len--;
    if (status == OG_OK && (b.len < KEY_LEAST || b.len > KEY_MOST || memchr(b.s, '\0', b.len)))
        status =
            og_fail(err, OG_EIO,
                    "key '%s' has %zu bytes; it must be a text of %d to %d bytes; 'openssl rand -hex 32' makes one",
                    path, b.len, KEY_LEAST, KEY_MOST);
    if (status == OG_OK && !(l->key = og_secret_copy(b.s, b.len)))
        status = og_fail(err, OG_ENOMEM, "out of memory");
    og_wipe(room, sizeof room);
    return status;
}

/* Allocate a ledger. If *path is NULL, it is set to the default path, which is then kept in `room`. */
static enum og_status make(const char **path, bool look, char *room, size_t size, struct og_ledger **l,
                           struct og_error *err)
{
    enum og_status status;

    *l = calloc(1, sizeof(**l));
    if (!*l)
        return og_fail(err, OG_ENOMEM, "out of memory");
    (*l)->runs = -1;
    (*l)->wait_ms = OG_LEDGER_BUSY_MS;
    og_ledger_parts_init(&(*l)->parts);
    og_buf_init(&(*l)->room, 0);
    if ((status = read_key(*l, err)) != OG_OK)
        return status;
    if (*path)
        return OG_OK;
    *path = room;
    return look ? og_state_dir_path("ledger.db", room, size, err) : og_state_dir_file("ledger.db", room, size, err);
}

static enum og_status open_to_write(struct og_ledger *l, const char *path, struct og_str run, struct og_error *err)
{
    char real[PATH_MAX];
    enum og_status status = og_ledger_place(path, err);

    if (status != OG_OK || (status = og_ledger_name(path, real, err)) != OG_OK)
        return status;
    path = real;
    if (sqlite3_open_v2(path, &l->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL) != SQLITE_OK)
        return og_fail(err, OG_ELEDGER, "ledger '%s' cannot be opened: %s", path,
                       l->db ? sqlite3_errmsg(l->db) : "out of memory");
    if (og_ledger_is_cut(l->db, path))
        return og_fail_because(err, OG_ELEDGER, SQLITE_CORRUPT, "ledger '%s' was cut short%s", path,
                               og_ledger_advice(SQLITE_CORRUPT));
    sqlite3_busy_timeout(l->db, OG_LEDGER_BUSY_MS);
    if ((l->runs = og_ledger_runs_open(path, false)) < 0)
        return og_fail_because(err, OG_ELEDGER, og_ledger_code(errno), "'%s-runs' cannot be opened: %s%s", path,
                               strerror(errno), og_ledger_advice(SQLITE_CANTOPEN));
    l->version = OG_LEDGER_VERSION;
    /* The mark (og_ledger_runs_mark()) is read before the tables: a run that is creating the ledger writes its first
     * records before it sets the mark.  So a marked file without tables has lost its records: they were in the WAL of a
     * run that was killed. */
    if (og_ledger_runs_are_marked(l->runs) && og_ledger_is_blank(l->db))
        return og_ledger_lost(path, "has no records", err);
    if ((status = og_ledger_prepare_schema(l->db, path, err)) != OG_OK)
        return status;
    og_ledger_look_at_note(l);
    if ((status = og_ledger_check_no_archive(l, path, err)) != OG_OK || (status = register_run(l, run, err)) != OG_OK ||
        (status = og_ledger_parts_open(&l->parts, path, err)) != OG_OK)
        return status;
    return !l->key && og_ledger_keyed(l->head.hash.s)
               ? og_fail(err, OG_ELEDGER,
                         "ledger '%s' is keyed: name the file of its key with --ledger-key, or in ORDERGATE_LEDGER_KEY",
                         path)
               : OG_OK;
}

enum og_status og_ledger_open(const char *path, struct og_str run, struct og_ledger **ledger, struct og_error *err)
{
    char room[PATH_MAX];
    enum og_status status = make(&path, false, room, sizeof room, ledger, err);

    if (status == OG_OK)
        status = open_to_write(*ledger, path, run, err);
    if (status != OG_OK) {
        og_ledger_close(*ledger);
        *ledger = NULL;
    }
    return status;
}

static bool lies(const char *path, const char *suffix)
{
    char room[PATH_MAX + 8];
    int n = snprintf(room, sizeof room, "%s%s", path, suffix);

    return n > 0 && (size_t)n < sizeof room && access(room, F_OK) == 0;
}

/* Open a closed ledger in a folder that is not writable: it has no WAL, and SQLite cannot create one. It is opened as
 * immutable, since nobody can write to it there. */
static enum og_status open_unmoving(struct og_ledger *l, const char *path, struct og_error *err)
{
    char *uri = sqlite3_mprintf("file:%s?immutable=1", path);
    int code;

    if (!uri)
        return og_fail(err, OG_ENOMEM, "out of memory");
    sqlite3_close(l->db);
    l->db = NULL;
    code = !strpbrk(path, "?#%")
               ? sqlite3_open_v2(uri, &l->db, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_URI, NULL)
               : SQLITE_CANTOPEN;
    sqlite3_free(uri);
    if (code != SQLITE_OK)
        return og_fail(err, OG_ELEDGER,
                       "ledger '%s' cannot be read in a folder that is not writable; copy it to another folder", path);
    return og_ledger_recognise(l->db, path, &l->version, err);
}

static enum og_status open_to_look(struct og_ledger *l, const char *path, struct og_error *err)
{
    char real[PATH_MAX];
    struct og_error first = { 0 };
    enum og_status status;

    if (access(path, F_OK) != 0 && errno == ENOENT)
        return og_fail(err, OG_ENOENT, "there is no ledger '%s'; name one with --ledger", path);
    if ((status = og_ledger_look(path, err)) != OG_OK || (status = og_ledger_name(path, real, err)) != OG_OK)
        return status;
    path = real;
    if (sqlite3_open_v2(path, &l->db, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, NULL) != SQLITE_OK)
        return og_fail(err, OG_ELEDGER, "ledger '%s' cannot be read: %s", path,
                       l->db ? sqlite3_errmsg(l->db) : "out of memory");
    sqlite3_busy_timeout(l->db, OG_LEDGER_BUSY_MS);
    l->runs = og_ledger_runs_open(path, true);
    status = og_ledger_recognise(l->db, path, &l->version, &first);
    if (status == OG_OK) {
        og_ledger_look_at_note(l);
        return status;
    }
    if (((first.cause & 0xff) == SQLITE_CANTOPEN || (first.cause & 0xff) == SQLITE_READONLY) && !lies(path, "-wal"))
        return open_unmoving(l, path, err);
    return og_fail_because(err, first.status, first.cause, "%s", first.text);
}

enum og_status og_ledger_peek(const char *path, struct og_ledger **ledger, struct og_error *err)
{
    char room[PATH_MAX];
    enum og_status status;

    if (!ledger)
        return og_missing(err);
    status = make(&path, true, room, sizeof room, ledger, err);
    if (status == OG_OK)
        status = open_to_look(*ledger, path, err);
    if (status != OG_OK) {
        og_ledger_close(*ledger);
        *ledger = NULL;
    }
    return status;
}

void og_ledger_close(struct og_ledger *l)
{
    if (!l)
        return;
    og_ledger_rollback(l);
    for (int i = 0; i < OG_LEDGER_STATEMENTS; i++)
        sqlite3_finalize(l->statement[i]);
    sqlite3_close(l->db);
    og_secret_free(l->key);
    if (l->runs >= 0)
        close(l->runs);
    og_ledger_parts_close(&l->parts);
    og_buf_clear(&l->room);
    free(l);
}

const char *og_ledger_path(const struct og_ledger *l)
{
    return sqlite3_db_filename(l->db, "main");
}

enum og_status og_ledger_stays(const struct og_ledger *l, struct og_error *err)
{
    return og_ledger_parts_stay(&l->parts, og_ledger_path(l), err);
}

/* --- transactions ------------------------------------------------------------------------------------------------- */

static enum og_status read_head(struct og_ledger *l, struct og_ledger_head *head, struct og_error *err)
{
    sqlite3_stmt *s = og_ledger_prepared(l, OG_LEDGER_READ_HEAD, err);
    enum og_status status = OG_OK;
    struct og_str hash;
    int step;

    if (!s)
        return OG_ELEDGER;
    memset(head, 0, sizeof *head);
    if ((step = sqlite3_step(s)) == SQLITE_DONE) {
        status = og_fail(err, OG_ELEDGER, "ledger: its head is gone; see ordergate ledger verify, and restore a copy");
    } else if (step != SQLITE_ROW) {
        status = og_ledger_failed(l, "read its head", err);
    } else {
        int64_t newest = sqlite3_column_int64(s, 2);

        head->seq = sqlite3_column_int64(s, 0);
        hash = og_ledger_column(s, 1);
        if (newest != head->seq || !og_str_eq(hash, og_ledger_column(s, 3)) || hash.len >= sizeof head->hash.s)
            status = og_fail(
                err, OG_ELEDGER,
                "ledger: its head says %lld records, its newest is %lld: some were cut off, inserted or changed; see"
                " ordergate ledger verify, keep the file, and restore a copy",
                (long long)head->seq, (long long)newest);
        else if (hash.len > 0)
            memcpy(head->hash.s, hash.s, hash.len);
    }
    sqlite3_reset(s);
    return status;
}

enum og_status og_ledger_head(struct og_ledger *l, struct og_ledger_head *head, struct og_error *err)
{
    if (!l->begun)
        return read_head(l, head, err);
    *head = l->stored;
    return OG_OK;
}

enum og_status og_ledger_begin(struct og_ledger *l, struct og_error *err)
{
    enum og_status status;

    if (l->begun)
        return OG_OK;
    if (sqlite3_exec(l->db, "BEGIN IMMEDIATE", NULL, NULL, NULL) != SQLITE_OK) {
        status = og_ledger_failed(l, "begin", err);
        sqlite3_busy_timeout(l->db, OG_LEDGER_BUSY_AGAIN_MS);
        return status;
    }
    sqlite3_busy_timeout(l->db, l->wait_ms);
    l->begun = true;
    if ((status = read_head(l, &l->stored, err)) != OG_OK)
        og_ledger_rollback(l);
    l->head = l->stored;
    return status;
}

void og_ledger_wait(struct og_ledger *l, int ms)
{
    l->wait_ms = ms;
    sqlite3_busy_timeout(l->db, ms);
}

bool og_ledger_is_held(const struct og_error *err)
{
    return err->status == OG_ELEDGER && (err->cause & 0xff) == SQLITE_BUSY;
}

bool og_ledger_is_full(const struct og_error *err)
{
    return err->status == OG_ELEDGER && (err->cause & 0xff) == SQLITE_FULL;
}

bool og_ledger_is_unwritable(const struct og_error *err)
{
    const int code = err->cause & 0xff;

    return err->status == OG_ELEDGER &&
           (code == SQLITE_FULL || code == SQLITE_READONLY || code == SQLITE_IOERR || code == SQLITE_CANTOPEN);
}

static enum og_status write_head(struct og_ledger *l, struct og_error *err)
{
    sqlite3_stmt *s;

    if (l->head.seq == l->stored.seq)
        return OG_OK;
    if (!(s = og_ledger_prepared(l, OG_LEDGER_SET_HEAD, err)))
        return OG_ELEDGER;
    sqlite3_bind_int64(s, 1, l->head.seq);
    og_ledger_bind(s, 2, og_str_of(l->head.hash.s));
    return write_it(l, s, "commit", err);
}

enum og_status og_ledger_commit(struct og_ledger *l, struct og_error *err)
{
    enum og_status status;

    if (!l->begun)
        return OG_OK;
    if (l->spoilt || sqlite3_get_autocommit(l->db))
        status = og_fail(err, OG_ELEDGER, "ledger: nothing was recorded, because one write of the transaction failed");
    else if ((status = write_head(l, err)) == OG_OK && sqlite3_exec(l->db, "COMMIT", NULL, NULL, NULL) != SQLITE_OK)
        status = og_ledger_failed(l, "commit", err);
    if (status != OG_OK)
        og_ledger_rollback(l);
    else if (l->head.seq != l->stored.seq && l->lacked.seq == 0)
        og_ledger_runs_note(l->runs, l->head.seq, l->head.hash.s);
    l->begun = false;
    return status;
}

void og_ledger_rollback(struct og_ledger *l)
{
    if (l->begun && !sqlite3_get_autocommit(l->db))
        sqlite3_exec(l->db, "ROLLBACK", NULL, NULL, NULL);
    l->begun = l->spoilt = false;
}

/* --- writing ------------------------------------------------------------------------------------------------------ */

/* Append a record. Its hash is computed over the fields in the form in which they are stored. */
static enum og_status append_fields(struct og_ledger *l, const struct og_str field[OG_LEDGER_FIELDS],
                                    struct og_error *err)
{
    sqlite3_stmt *s = og_ledger_prepared(l, OG_LEDGER_APPEND, err);
    struct og_digest_text hash;
    enum og_status status;

    if (!s || !l->begun || l->spoilt || sqlite3_get_autocommit(l->db)) {
        l->spoilt = true;
        return og_fail(err, OG_ELEDGER, "ledger: cannot append, because an earlier write of the transaction failed");
    }
    if (!l->key && og_ledger_keyed(l->head.hash.s)) {
        l->spoilt = true;
        return og_fail(err, OG_ELEDGER, "the ledger's records are keyed: name the file of their key with --ledger-key");
    }
    if (!og_ledger_chain(og_str_of(l->head.hash.s), field, l->key, &l->room, &hash)) {
        l->spoilt = true;
        return og_fail(err, OG_ENOMEM, "out of memory");
    }
    sqlite3_bind_int64(s, 1, l->head.seq + 1);
    for (int i = OG_LEDGER_AT; i < OG_LEDGER_FIELDS; i++)
        og_ledger_bind(s, i + 1, field[i]);
    og_ledger_bind(s, OG_LEDGER_FIELDS + 1, og_str_of(hash.s));
    if ((status = write_it(l, s, "append", err)) != OG_OK)
        return status;
    l->head.seq++;
    l->head.hash = hash;
    return OG_OK;
}

enum og_status og_ledger_append(struct og_ledger *l, const struct og_ledger_row *row, struct og_error *err)
{
    struct og_time_text at = og_time_text(row->at);
    struct og_money_text executed = og_money_text(row->executed), price = og_money_text(row->price_avg);
    char seq[24];
    struct og_str field[OG_LEDGER_FIELDS] = {
        [OG_LEDGER_AT] = og_str_of(at.s),
        [OG_LEDGER_RUN] = og_str_of(l->run),
        [OG_LEDGER_ACCOUNT] = row->account.s ? row->account : OG_STR(""),
        [OG_LEDGER_ID] = row->id,
        [OG_LEDGER_RECORD] = og_str_of(row->record),
        [OG_LEDGER_STATE] = og_str_of(og_state_name(row->state)),
        [OG_LEDGER_OUTCOME] = row->outcome,
        [OG_LEDGER_BROKER_ID] = row->broker_id,
        [OG_LEDGER_EXECUTED] = og_str_of(executed.s),
        [OG_LEDGER_PRICE_AVG] = og_str_of(price.s),
        [OG_LEDGER_CODE] = row->code,
        [OG_LEDGER_TEXT] = row->text,
        [OG_LEDGER_DETAIL] = row->detail,
        [OG_LEDGER_TAG] = row->tag.len ? row->tag : (struct og_str){ NULL, 0 },
    };

    if (strcmp(row->record, OG_LEDGER_ACCEPTANCE) == 0)
        l->lacked.seq = 0; /* a person accepted that the record is missing */
    snprintf(seq, sizeof seq, "%lld", (long long)l->head.seq + 1);
    field[OG_LEDGER_SEQ] = og_str_of(seq);
    return append_fields(l, field, err);
}

static enum og_status use_id(struct og_ledger *l, const struct og_ledger_row *row, const char *digest,
                             struct og_error *err)
{
    sqlite3_stmt *s = og_ledger_prepared(l, OG_LEDGER_USE_ID, err);

    if (!s)
        return OG_ELEDGER;
    og_ledger_bind(s, 1, row->account);
    og_ledger_bind(s, 2, row->id);
    og_ledger_bind(s, 3, og_str_of(digest));
    sqlite3_bind_int64(s, 4, l->head.seq);
    return write_it(l, s, "use up an id", err);
}

enum og_status og_ledger_intend(struct og_ledger *l, const struct og_ledger_row *row, const char *digest, bool again,
                                struct og_error *err)
{
    struct og_ledger_known known;
    enum og_status status = og_ledger_find(l, row->account, row->id, &known, NULL, NULL, err);

    if (status != OG_OK)
        return status;
    if (known.found && (!again || known.state != OG_NOT_SENT || known.withdrawn || strcmp(known.digest, digest) != 0))
        return og_fail(err, OG_EBUSY, "clientOrderId '%.*s' was used before", (int)row->id.len, row->id.s);
    status = og_ledger_append(l, row, err);
    if (status == OG_OK && !known.found)
        status = use_id(l, row, digest, err);
    return status;
}
