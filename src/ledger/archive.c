/*
 * Moves old records into a file of their own. The file gets every record up to a number, so its chain is complete. The
 * ledger keeps what sending always needs: used ids, and of every order the intent, the newest record, the fills, what
 * it replaced and whether it was withdrawn. It also keeps all records of orders that are open or have newer records.
 * Each range of removed records is listed in the table `gaps` with the hash of its last record, from which the hash of
 * the next record is computed.
 *
 * Before any record is removed, the file is complete, verified and on the disk. All records are removed in one
 * transaction.
 */
#include "ledger/archive.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/file.h"
#include "base/time.h"
#include "ledger/list.h"
#include "ledger/place.h"

/* minimum age of archived records: limits count what was sent within 25 hours */
#define AGE_LEAST (26 * 3600 * OG_NS_PER_S)

static const struct og_str nothing = { NULL, 0 };

struct archiving {
    struct og_ledger *l;
    const struct og_ledger_archive *asked;
    struct og_error *err;
    int64_t begins;               /* time of the first instant that is not archived, in ns */
    int64_t from, to;             /* numbers of the first and the last record that go into the file */
    struct og_digest_text before; /* hash of the record before `from`; "" if `from` is 1 */
    struct og_digest_text head;   /* hash of the record `to` */
    char file[PATH_MAX], temp[PATH_MAX];
    long long copied, removed;
    struct og_buf told;
};

/* Finds the records that the ledger does not need any more (see the comment at the top of this file). ?1: number of the
 * last record that may be removed; ?2: the first second of which no record may be removed. */
static const char going[] =
    "CREATE TEMP TABLE going(seq INTEGER PRIMARY KEY);"
    "CREATE TEMP TABLE fills(seq INTEGER PRIMARY KEY);"
    "INSERT INTO fills SELECT seq FROM (SELECT seq, executed, price_avg, lag(executed) OVER w AS e, lag(price_avg) "
    "OVER w"
    " AS p FROM rows WHERE id IS NOT NULL AND executed <> '0' AND record NOT IN ('decision', " OG_LEDGER_BESIDE ")"
    " WINDOW w AS (PARTITION BY account, id ORDER BY seq)) WHERE e IS NOT executed OR p IS NOT price_avg;";
static const char fill_going[] =
    "INSERT INTO going SELECT r.seq FROM rows r WHERE r.seq <= ?1 AND r.at < ?2 AND CASE WHEN r.id IS NULL THEN "
    "r.record IN"
    " ('decision', '" OG_LEDGER_PEAK "') ELSE r.record NOT IN ('intent', " OG_LEDGER_BESIDE ")"
    " AND r.seq NOT IN (SELECT seq FROM fills)"
    " AND NOT EXISTS (SELECT 1 FROM open_orders o WHERE o.account = r.account AND o.id = r.id)"
    " AND NOT EXISTS (SELECT 1 FROM rows m WHERE m.account = r.account AND m.id = r.id AND (m.seq > ?1 OR m.at >= ?2))"
    " AND r.seq IS NOT (SELECT max(n.seq) FROM rows n WHERE n.account = r.account AND n.id = r.id AND n.record NOT IN"
    " (" OG_LEDGER_NO_STATE "))"
    /* the record of the POST shows whether its answer was the rejection */
    " AND (r.record <> 'post' OR NOT EXISTS (SELECT 1 FROM rows n WHERE n.account = r.account AND n.id = r.id AND"
    " n.state = 'rejected')) END";
/* Keeps the digests of lines, with which a later run compares the lines that it reads. */
static const char keep_digests[] =
    "INSERT OR REPLACE INTO archived SELECT account, id, run, digest FROM (SELECT d.account, d.id, d.run,"
    " coalesce(d.detail ->> 'digest', '') AS digest, max(d.seq) FROM rows d WHERE d.seq IN (SELECT seq FROM going) AND"
    " d.record = 'decision' AND d.state = 'intended' AND d.id IS NOT NULL AND json_valid(d.detail) AND"
    " d.detail ->> 'op' IS NULL GROUP BY d.account, d.id, d.run)";
/* Finds the gaps after the removal, each with the hash of its last record. That record is still in the ledger, or ends
 * an older gap. ?1: as for `going`. */
static const char new_gaps[] =
    "CREATE TEMP TABLE made AS SELECT seq - 1 AS last, was + 1 AS first, coalesce((SELECT hash FROM rows WHERE seq ="
    " k.seq - 1), (SELECT hash FROM gaps WHERE last = k.seq - 1)) AS hash FROM (SELECT seq, lag(seq, 1, 0) OVER (ORDER "
    "BY"
    " seq) AS was FROM (SELECT seq FROM rows WHERE seq <= ?1 AND seq NOT IN (SELECT seq FROM going) UNION ALL SELECT"
    " ?1 + 1)) k WHERE was < seq - 1";
static const char remove_all[] =
    "DELETE FROM gaps; INSERT INTO gaps SELECT last, first, hash FROM made; DROP TRIGGER rows_keep;"
    "DELETE FROM rows WHERE seq IN (SELECT seq FROM going);"
    "CREATE TRIGGER rows_keep BEFORE DELETE ON rows BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;"
    "DROP TABLE made; DROP TABLE going; DROP TABLE fills;";

/* --- what an archive leaves --------------------------------------------------------------------------------------- */

static bool digest_rows(sqlite3 *db, const char *sql, struct og_buf *room, struct og_digest_text *digest)
{
    sqlite3_stmt *s = NULL;
    bool ok = sqlite3_prepare_v2(db, sql, -1, &s, NULL) == SQLITE_OK && og_digest("", 0, digest);
    int step = SQLITE_DONE;

    while (ok && (step = sqlite3_step(s)) == SQLITE_ROW) {
        og_buf_reset(room);
        og_buf_text(room, digest->s);
        og_buf_str(room, og_ledger_column(s, 0));
        ok = !room->bad && og_digest(room->s, room->len, digest);
    }
    sqlite3_finalize(s);
    return ok && step == SQLITE_DONE;
}

bool og_ledger_archive_digests(struct og_ledger *l, sqlite3 *db, struct og_digest_text *gaps,
                               struct og_digest_text *archived)
{
    return digest_rows(db, "SELECT first || ':' || last || ':' || hash FROM gaps ORDER BY last", &l->room, gaps) &&
           digest_rows(
               db,
               "SELECT quote(account) || quote(id) || quote(run) || quote(digest) FROM archived ORDER BY account,"
               " id, run",
               &l->room, archived);
}

enum og_status og_ledger_check_no_archive(struct og_ledger *l, const char *path, struct og_error *err)
{
    sqlite3_stmt *s = og_ledger_query(l, "SELECT record FROM rows ORDER BY seq DESC LIMIT 1", err);
    enum og_status status = OG_OK;

    if (og_ledger_next(l, s, &status, err) && og_str_is(og_ledger_column(s, 0), OG_LEDGER_ARCHIVED))
        status =
            og_fail(err, OG_ELEDGER,
                    "'%s' is an archive of a ledger, which is only read: it lacks the ids and orders of today; name"
                    " the ledger with --ledger",
                    path);
    sqlite3_finalize(s);
    return status;
}

/* Write the detail of an archive's record, which is the same in the ledger and in the file. */
static bool write_detail(struct archiving *a, sqlite3 *db, struct og_buf *b)
{
    struct og_digest_text gaps, archived;

    if (!og_ledger_archive_digests(a->l, db, &gaps, &archived))
        return false;
    og_buf_format(b, "{\"from\":%lld,\"to\":%lld", (long long)a->from, (long long)a->to);
    og_member_text(b, "before", og_time_text(a->begins).s);
    og_member_text(b, "file", a->file);
    og_member_text(b, "ledger", og_ledger_path(a->l));
    og_member_int(b, "copied", a->copied);
    og_member_int(b, "removed", a->removed);
    og_member_text(b, "head", a->head.s);
    og_member_text(b, "gaps", gaps.s);
    og_member_text(b, "archived", archived.s);
    og_member_text(b, "by", a->asked->by);
    og_buf_char(b, '}');
    return !b->bad;
}

/* --- the file ----------------------------------------------------------------------------------------------------- */

static enum og_status failed(struct archiving *a, sqlite3 *db, const char *doing)
{
    return og_fail_because(a->err, OG_ELEDGER, sqlite3_extended_errcode(db), "archive '%s': cannot %s: %s", a->file,
                           doing, sqlite3_errmsg(db));
}

/* Run a statement with ?1 bound to `one`, and ?2 bound to `text` or, if text.s is NULL, to `two`. Returns false on an
 * error. */
static bool run(sqlite3 *db, const char *sql, int64_t one, int64_t two, struct og_str text)
{
    sqlite3_stmt *s = NULL;
    bool ok = sqlite3_prepare_v2(db, sql, -1, &s, NULL) == SQLITE_OK;

    if (ok && sqlite3_bind_parameter_count(s) > 0)
        sqlite3_bind_int64(s, 1, one);
    if (ok && sqlite3_bind_parameter_count(s) > 1 && text.s)
        og_ledger_bind(s, 2, text);
    else if (ok && sqlite3_bind_parameter_count(s) > 1)
        sqlite3_bind_int64(s, 2, two);
    ok = ok && sqlite3_step(s) == SQLITE_DONE;
    sqlite3_finalize(s);
    return ok;
}

/* Append the record that ends the file. It has the digests of the tables, and makes senders reject the file as a
 * ledger. */
static bool close_chain(struct archiving *a, sqlite3 *db)
{
    struct og_time_text at = og_time_text(og_time_now());
    struct og_digest_text hash;
    struct og_str field[OG_LEDGER_FIELDS] = { { NULL, 0 } };
    struct og_buf detail;
    sqlite3_stmt *s = NULL;
    char seq[24];
    bool ok;

    snprintf(seq, sizeof seq, "%lld", (long long)a->to + 1);
    og_buf_init(&detail, 0);
    ok = write_detail(a, db, &detail);
    field[OG_LEDGER_SEQ] = og_str_of(seq);
    field[OG_LEDGER_AT] = og_str_of(at.s);
    field[OG_LEDGER_RUN] = og_str_of(a->l->run);
    field[OG_LEDGER_ACCOUNT] = OG_STR("");
    field[OG_LEDGER_RECORD] = OG_STR(OG_LEDGER_ARCHIVED);
    field[OG_LEDGER_STATE] = og_str_of(og_state_name(OG_DONE));
    field[OG_LEDGER_EXECUTED] = field[OG_LEDGER_PRICE_AVG] = OG_STR("0");
    field[OG_LEDGER_DETAIL] = (struct og_str){ detail.s, detail.len };
    ok = ok && og_ledger_chain(og_str_of(a->head.s), field, a->l->key, &a->l->room, &hash) &&
         sqlite3_prepare_v2(db,
                            "INSERT INTO rows(seq, at, run, account, id, record, state, outcome, broker_id, executed,"
                            " price_avg, code, text, detail, tag, hash) VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
                            -1, &s, NULL) == SQLITE_OK;
    if (ok) {
        sqlite3_bind_int64(s, 1, a->to + 1);
        for (int i = OG_LEDGER_AT; i < OG_LEDGER_FIELDS; i++)
            og_ledger_bind(s, i + 1, field[i]);
        og_ledger_bind(s, OG_LEDGER_FIELDS + 1, og_str_of(hash.s));
        ok =
            sqlite3_step(s) == SQLITE_DONE &&
            sqlite3_exec(db,
                         "UPDATE head SET seq = (SELECT max(seq) FROM rows), hash = (SELECT hash FROM rows ORDER BY seq"
                         " DESC LIMIT 1)",
                         NULL, NULL, NULL) == SQLITE_OK;
    }
    sqlite3_finalize(s);
    og_buf_clear(&detail);
    return ok;
}

static bool copy_rows(struct archiving *a, sqlite3 *db)
{
    sqlite3_stmt *s = NULL;
    bool ok = sqlite3_exec(db, "BEGIN IMMEDIATE", NULL, NULL, NULL) == SQLITE_OK &&
              run(db,
                  "INSERT INTO rows(seq, at, run, account, id, record, state, outcome, broker_id, executed, price_avg,"
                  " code, text, detail, tag, hash) SELECT seq, at, run, account, id, record, state, outcome, broker_id,"
                  " executed, price_avg, code, text, detail, tag, hash FROM live.rows WHERE seq >= ?1 AND seq <= ?2"
                  " ORDER BY seq",
                  a->from, a->to, nothing);

    a->copied = ok ? sqlite3_changes(db) : 0;
    ok =
        ok && run(db, "INSERT INTO runs SELECT n, run FROM live.runs", 0, 0, nothing) &&
        run(db,
            "INSERT INTO ids SELECT i.account, i.id, i.digest, i.seq FROM live.ids i WHERE EXISTS (SELECT 1 FROM rows r"
            " WHERE r.account = i.account AND r.id = i.id AND r.record = 'intent')",
            0, 0, nothing);
    if (ok && a->from > 1) {
        ok = sqlite3_prepare_v2(db, "INSERT INTO gaps VALUES(?1, 1, ?2)", -1, &s, NULL) == SQLITE_OK;
        if (ok) {
            sqlite3_bind_int64(s, 1, a->from - 1);
            og_ledger_bind(s, 2, og_str_of(a->before.s));
            ok = sqlite3_step(s) == SQLITE_DONE;
        }
        sqlite3_finalize(s);
    }
    return ok && a->copied == a->to - a->from + 1 && close_chain(a, db) &&
           sqlite3_exec(db, "COMMIT", NULL, NULL, NULL) == SQLITE_OK;
}

static enum og_status write_file(struct archiving *a)
{
    struct og_file_why why;
    enum og_status status;
    sqlite3 *db = NULL;
    char *attach = sqlite3_mprintf("ATTACH %Q AS live", og_ledger_path(a->l));
    const int fd = og_file_try(a->temp, OG_FILE_MAKE, NULL, &why);

    if (fd < 0 || !attach) {
        sqlite3_free(attach);
        return og_fail_because(a->err, OG_ELEDGER, og_ledger_code(errno), "archive '%s' %s", a->temp,
                               fd < 0 ? why.text : "needs more memory");
    }
    close(fd);
    if (sqlite3_open_v2(a->temp, &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL) != SQLITE_OK)
        status = failed(a, db, "be opened");
    else if ((status = og_ledger_prepare_schema(db, a->temp, a->err)) == OG_OK &&
             (sqlite3_exec(db, attach, NULL, NULL, NULL) != SQLITE_OK || !copy_rows(a, db) ||
              sqlite3_exec(db, "DETACH live; PRAGMA journal_mode = DELETE", NULL, NULL, NULL) != SQLITE_OK))
        status = failed(a, db, "be written");
    sqlite3_close(db);
    sqlite3_free(attach);
    return status;
}

/* Open the file as any reader would, and verify it. */
static enum og_status verify_file(struct archiving *a)
{
    struct og_ledger *l = NULL;
    struct og_ledger_damage damage;
    enum og_status status = og_ledger_peek(a->temp, &l, a->err);

    if (status == OG_OK)
        status = og_ledger_damage(l, &damage, a->err);
    if (status == OG_OK && damage.faults > 0)
        status = og_fail(a->err, OG_ELEDGER, "archive '%s' has %lld faults: %s", a->temp, damage.faults, damage.first);
    og_ledger_close(l);
    return status;
}

/* Give the file its final name, and sync the file and its folder. */
static enum og_status name_file(struct archiving *a)
{
    struct og_file_why why;
    int fd = og_file_try(a->temp, OG_FILE_READ, NULL, &why);
    bool ok = fd >= 0 && fsync(fd) == 0 && link(a->temp, a->file) == 0 && unlink(a->temp) == 0;

    if (fd >= 0)
        close(fd);
    ok = ok && og_atomic_file_sync_folder(a->file);
    return ok ? OG_OK
              : og_fail_because(a->err, OG_ELEDGER, og_ledger_code(errno), "archive '%s': %s", a->file,
                                strerror(errno));
}

/* --- the ledger --------------------------------------------------------------------------------------------------- */

static enum og_status check_idle(struct archiving *a)
{
    sqlite3_stmt *s = og_ledger_query(a->l, "SELECT n, run FROM runs", a->err);
    enum og_status status = OG_OK;

    while (status == OG_OK && og_ledger_next(a->l, s, &status, a->err))
        if (!og_str_is(og_ledger_column(s, 1), a->l->run) &&
            og_ledger_run_alive(a->l->runs, sqlite3_column_int64(s, 0)))
            status = og_fail(a->err, OG_EBUSY,
                             "a sender has the ledger open: end it first, since its orders would wait while records are"
                             " moved");
    sqlite3_finalize(s);
    return status;
}

static enum og_status read_int(struct archiving *a, const char *sql, struct og_str bound, int64_t *n)
{
    sqlite3_stmt *s = og_ledger_query(a->l, sql, a->err);
    enum og_status status = OG_OK;

    if (s && bound.s)
        og_ledger_bind(s, 1, bound);
    *n = og_ledger_next(a->l, s, &status, a->err) ? sqlite3_column_int64(s, 0) : 0;
    sqlite3_finalize(s);
    return status;
}

static enum og_status read_hash(struct archiving *a, int64_t seq, struct og_digest_text *hash)
{
    sqlite3_stmt *s = og_ledger_query(
        a->l, "SELECT hash FROM rows WHERE seq = ?1 UNION ALL SELECT hash FROM gaps WHERE last = ?1", a->err);
    enum og_status status = OG_OK;

    memset(hash, 0, sizeof *hash);
    if (s)
        sqlite3_bind_int64(s, 1, seq);
    if (og_ledger_next(a->l, s, &status, a->err))
        snprintf(hash->s, sizeof hash->s, "%.*s", (int)og_ledger_column(s, 0).len, og_ledger_column(s, 0).s);
    sqlite3_finalize(s);
    return status;
}

/* Find which records go into the file: those after the last archive, up to the newest one that is dated before the day.
 * If clocks of senders differ, some of them may be dated later: such records go into the file, and stay in the ledger
 * too. */
static enum og_status find_range(struct archiving *a)
{
    struct og_time_text day = og_time_text(a->begins);
    enum og_status status = read_int(a, "SELECT coalesce(max(seq), 0) FROM rows INDEXED BY rows_of_time WHERE at < ?1",
                                     (struct og_str){ day.s, 19 }, &a->to);

    if (status == OG_OK)
        status = read_int(a,
                          "SELECT coalesce(max(detail ->> 'to'), 0) + 1 FROM rows WHERE account = '' AND id IS NULL "
                          "AND record = '" OG_LEDGER_ARCHIVE "' AND json_valid(detail)",
                          nothing, &a->from);
    if (status == OG_OK && a->to < a->from)
        status = og_fail(a->err, OG_ENOENT, "no record of before that day is left to archive");
    if (status == OG_OK && a->from > 1)
        status = read_hash(a, a->from - 1, &a->before);
    return status == OG_OK ? read_hash(a, a->to, &a->head) : status;
}

static bool take_out(struct archiving *a)
{
    const struct og_time_text day = og_time_text(a->begins);
    sqlite3 *db = a->l->db;
    int64_t removed;

    if (sqlite3_exec(db, going, NULL, NULL, NULL) != SQLITE_OK ||
        !run(db, fill_going, a->to, 0, (struct og_str){ day.s, 19 }) ||
        read_int(a, "SELECT count(*) FROM going", nothing, &removed) != OG_OK)
        return false;
    a->removed = removed;
    return run(db, keep_digests, 0, 0, nothing) && run(db, new_gaps, a->to, 0, nothing) &&
           sqlite3_exec(db, remove_all, NULL, NULL, NULL) == SQLITE_OK;
}

static enum og_status remove_records(struct archiving *a)
{
    struct og_ledger_row row = { .at = og_time_now(),
                                 .account = OG_STR(""),
                                 .record = OG_LEDGER_ARCHIVE,
                                 .state = OG_DONE,
                                 .text = og_str_of(a->file) };
    enum og_status status = og_ledger_begin(a->l, a->err);
    struct og_buf detail;

    og_buf_init(&detail, 0);
    if (status == OG_OK && (status = check_idle(a)) == OG_OK && !take_out(a))
        status = og_ledger_failed(a->l, "take out records", a->err);
    if (status == OG_OK && !write_detail(a, a->l->db, &detail))
        status = og_fail(a->err, OG_ENOMEM, "out of memory");
    row.detail = (struct og_str){ detail.s, detail.len };
    if (status == OG_OK && (status = og_ledger_append(a->l, &row, a->err)) == OG_OK)
        status = og_ledger_commit(a->l, a->err);
    if (status != OG_OK)
        og_ledger_rollback(a->l);
    else
        sqlite3_exec(a->l->db, "VACUUM", NULL, NULL, NULL); /* gives the freed pages back to the file system; otherwise
                                                             * SQLite would only use them again */
    og_buf_str(&a->told, row.detail);
    a->told.bad |= detail.bad;
    og_buf_clear(&detail);
    return status;
}

/* --- the archive -------------------------------------------------------------------------------------------------- */

static enum og_status set_names(struct archiving *a)
{
    const char *path = og_ledger_path(a->l);
    struct og_eastern t;
    int n;

    og_eastern_from(a->begins, &t);
    if (a->asked->to)
        n = snprintf(a->file, sizeof a->file, "%s", a->asked->to);
    else
        n = snprintf(a->file, sizeof a->file, "%.*s-before-%04d-%02d-%02d.db",
                     (int)(strlen(path) - (strlen(path) > 3 && strcmp(path + strlen(path) - 3, ".db") == 0 ? 3 : 0)),
                     path, t.year, t.month, t.day);
    if (n < 0 || (size_t)n + 5 >= sizeof a->file)
        return og_fail(a->err, OG_EINVAL, "the archive's path is too long");
    snprintf(a->temp, sizeof a->temp, "%.*s.new", (int)(sizeof a->temp - 5), a->file);
    if (access(a->file, F_OK) == 0)
        return og_fail(a->err, OG_EBUSY,
                       "'%s' is there already; name another file with --to. If it was left by an archive that was"
                       " interrupted, its records are still in the ledger, and it may be deleted",
                       a->file);
    (void)unlink(a->temp); /* may be left of an archive that was interrupted */
    return OG_OK;
}

static enum og_status check_ledger(struct archiving *a)
{
    struct og_ledger_damage damage;
    enum og_status status = og_ledger_damage(a->l, &damage, a->err);

    if (status == OG_OK && damage.faults > 0)
        status = og_fail(a->err, OG_ELEDGER, "the ledger has %lld faults, which ordergate ledger verify lists: %s",
                         damage.faults, damage.first);
    return status;
}

static enum og_status archive(struct archiving *a, const char *path)
{
    enum og_status status = og_ledger_open_to_say(path, "archive", &a->l, a->err);

    if (status == OG_OK && (status = set_names(a)) == OG_OK && (status = check_idle(a)) == OG_OK &&
        (status = check_ledger(a)) == OG_OK && (status = find_range(a)) == OG_OK && (status = write_file(a)) == OG_OK &&
        (status = verify_file(a)) == OG_OK && (status = name_file(a)) == OG_OK)
        status = remove_records(a);
    if (status != OG_OK && a->temp[0] != '\0')
        (void)unlink(a->temp);
    return status;
}

enum og_status og_ledger_archive(const char *path, const struct og_ledger_archive *asked, og_ledger_listener *line,
                                 void *with, struct og_error *err)
{
    struct archiving a = { .asked = asked, .err = err };
    int64_t ends;
    enum og_status status;

    if (!asked || !asked->before)
        return og_missing(err);
    if (!og_time_read_day(asked->before, strlen(asked->before), og_time_now(), &a.begins, &ends))
        return og_fail(err, OG_EINVAL, "'%.40s' is not a day: 2026-01-15", asked->before);
    if (og_time_now() - a.begins < AGE_LEAST)
        return og_fail(
            err, OG_EINVAL,
            "'%s' began less than 26 hours ago: limits count what was sent within 25 hours; name a day before",
            asked->before);
    og_buf_init(&a.told, 0);
    status = archive(&a, path);
    if (status == OG_OK)
        status = og_ledger_tell(&a.told, line, with, err);
    og_buf_clear(&a.told);
    og_ledger_close(a.l);
    return status;
}
