/*
 * The ledger on SQLite: WAL, synchronous=FULL, one transaction for what belongs together.
 * It refuses to go on after a failed write: the caller gets SQLite's words and nothing counts as recorded.
 */
#include "ledger/ledger.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/error.h"
#include "ledger/place.h"
#include "ledger/schema.h"
#include "ordergate/time.h"

#include "base/banned.h"

#define RUN_NUMBER 14 /* the column behind those of a row */

enum statement { APPEND, USE_ID, FIND, NEWEST, UNSETTLED, ADD_RUN, STATEMENTS };

#define COLUMNS "r.seq, r.at, r.run, r.account, r.id, r.record, r.state, r.outcome, r.broker_id, r.executed, r.price_avg," \
                " r.code, r.text, r.detail"
/* A decision about another line with a used id is no news of the order: it never counts as newest. */
#define NEWEST_OF "(SELECT max(n.seq) FROM rows n WHERE n.account = i.account AND n.id = i.id AND n.seq >= i.seq" \
                  " AND n.record <> 'decision')"

static const char *const sql[STATEMENTS] = {
    [APPEND] = "INSERT INTO rows(at, run, account, id, record, state, outcome, broker_id, executed, price_avg, code, text,"
               " detail) VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?)",
    [USE_ID] = "INSERT INTO ids(account, id, digest, seq) VALUES(?,?,?,?)",
    [FIND] = "SELECT i.digest, r.run, (SELECT n FROM runs WHERE run = r.run), (SELECT count(*) FROM rows c WHERE"
             " c.account = i.account AND c.id = i.id AND c.record = 'intent') FROM ids i JOIN rows r ON r.seq ="
             " (SELECT max(m.seq) FROM rows m WHERE m.account = i.account AND m.id = i.id AND m.record = 'intent')"
             " WHERE i.account = ? AND i.id = ?",
    [NEWEST] = "SELECT " COLUMNS ", NULL FROM ids i JOIN rows r ON r.seq = " NEWEST_OF " WHERE i.account = ? AND i.id = ?",
    [UNSETTLED] = "SELECT " COLUMNS ", (SELECT n FROM runs WHERE run = r.run) FROM ids i JOIN rows r ON r.seq = " NEWEST_OF
                  " WHERE r.state IN ('intended', 'posted', 'unknown', 'working') ORDER BY i.seq",
    [ADD_RUN] = "INSERT INTO runs(run) VALUES(?)",
};

struct og_ledger {
    sqlite3 *db;
    sqlite3_stmt *statement[STATEMENTS];
    int runs; /* descriptor of the run locks */
    bool begun;
    char run[64];
};

static enum og_status failed(const struct og_ledger *l, const char *doing, struct og_error *err)
{
    int code = sqlite3_extended_errcode(l->db);
    const char *advice = (code & 0xff) == SQLITE_FULL    ? "; make room on the disk"
                         : (code & 0xff) == SQLITE_BUSY  ? "; another process holds it"
                         : (code & 0xff) == SQLITE_CORRUPT || (code & 0xff) == SQLITE_NOTADB
                             ? "; keep the file for inspection and name another with --ledger"
                             : "";

    return og_fail_because(err, OG_ELEDGER, code, "ledger: cannot %s: %s%s", doing, sqlite3_errmsg(l->db), advice);
}

static enum og_status prepare_all(struct og_ledger *l, struct og_error *err)
{
    for (int i = 0; i < STATEMENTS; i++)
        if (sqlite3_prepare_v3(l->db, sql[i], -1, SQLITE_PREPARE_PERSISTENT, &l->statement[i], NULL) != SQLITE_OK)
            return failed(l, "read its tables", err);
    return OG_OK;
}

static enum og_status register_run(struct og_ledger *l, struct og_str run, struct og_error *err)
{
    sqlite3_stmt *s = l->statement[ADD_RUN];

    if (run.len >= sizeof(l->run))
        return og_fail(err, OG_EINVAL, "a run's name has at most %zu bytes", sizeof(l->run) - 1);
    memcpy(l->run, run.s, run.len);
    sqlite3_bind_text(s, 1, l->run, (int)run.len, SQLITE_STATIC);
    if (sqlite3_step(s) != SQLITE_DONE) {
        enum og_status status = failed(l, "register this run", err);

        sqlite3_reset(s);
        return status;
    }
    sqlite3_reset(s);
    if (!og_ledger_run_hold(l->runs, sqlite3_last_insert_rowid(l->db)))
        return og_fail_because(err, OG_ELEDGER, errno, "ledger: cannot lock its run: %s", strerror(errno));
    return OG_OK;
}

enum og_status og_ledger_open(const char *path, struct og_str run, struct og_ledger **ledger, struct og_error *err)
{
    struct og_ledger *l = calloc(1, sizeof(*l));
    enum og_status status;

    *ledger = NULL;
    if (l == NULL)
        return og_fail(err, OG_ENOMEM, "out of memory");
    l->runs = -1;
    if ((status = og_ledger_place(path, err)) != OG_OK)
        goto out;
    if (sqlite3_open_v2(path, &l->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL) != SQLITE_OK) {
        status = og_fail(err, OG_ELEDGER, "ledger '%s' cannot be opened: %s", path,
                         l->db != NULL ? sqlite3_errmsg(l->db) : "out of memory");
        goto out;
    }
    sqlite3_busy_timeout(l->db, OG_LEDGER_BUSY_MS);
    if ((l->runs = og_ledger_runs_open(path)) < 0) {
        status = og_fail_because(err, OG_ELEDGER, errno, "'%s-runs' cannot be opened: %s", path, strerror(errno));
        goto out;
    }
    if ((status = og_ledger_prepare_schema(l->db, path, err)) != OG_OK || (status = prepare_all(l, err)) != OG_OK)
        goto out;
    status = register_run(l, run, err);
out:
    if (status != OG_OK) {
        og_ledger_close(l);
        l = NULL;
    }
    *ledger = l;
    return status;
}

enum og_status og_ledger_peek(const char *path, struct og_ledger **ledger, struct og_error *err)
{
    struct og_ledger *l = NULL;
    enum og_status status;

    *ledger = NULL;
    if (access(path, F_OK) != 0)
        return OG_ENOENT;
    if ((l = calloc(1, sizeof(*l))) == NULL)
        return og_fail(err, OG_ENOMEM, "out of memory");
    l->runs = -1;
    if (sqlite3_open_v2(path, &l->db, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, NULL) != SQLITE_OK)
        status = og_fail(err, OG_ELEDGER, "ledger '%s' cannot be read: %s", path, l->db != NULL ? sqlite3_errmsg(l->db) : "");
    else if ((status = og_ledger_recognise(l->db, path, err)) == OG_OK)
        status = prepare_all(l, err);
    if (status != OG_OK) {
        og_ledger_close(l);
        l = NULL;
    }
    *ledger = l;
    return status;
}

void og_ledger_close(struct og_ledger *l)
{
    if (l == NULL)
        return;
    og_ledger_rollback(l);
    for (int i = 0; i < STATEMENTS; i++)
        sqlite3_finalize(l->statement[i]);
    sqlite3_close(l->db);
    if (l->runs >= 0)
        close(l->runs);
    free(l);
}

enum og_status og_ledger_begin(struct og_ledger *l, struct og_error *err)
{
    if (l->begun)
        return OG_OK;
    if (sqlite3_exec(l->db, "BEGIN IMMEDIATE", NULL, NULL, NULL) != SQLITE_OK)
        return failed(l, "begin", err);
    l->begun = true;
    return OG_OK;
}

enum og_status og_ledger_commit(struct og_ledger *l, struct og_error *err)
{
    enum og_status status = OG_OK;

    if (!l->begun)
        return OG_OK;
    if (sqlite3_exec(l->db, "COMMIT", NULL, NULL, NULL) != SQLITE_OK) {
        status = failed(l, "commit", err);
        og_ledger_rollback(l);
    }
    l->begun = false;
    return status;
}

void og_ledger_rollback(struct og_ledger *l)
{
    if (l->begun)
        sqlite3_exec(l->db, "ROLLBACK", NULL, NULL, NULL);
    l->begun = false;
}

static void bind(sqlite3_stmt *s, int at, struct og_str text)
{
    if (text.s == NULL)
        sqlite3_bind_null(s, at);
    else
        sqlite3_bind_text(s, at, text.s, (int)text.len, SQLITE_TRANSIENT);
}

enum og_status og_ledger_append(struct og_ledger *l, const struct og_ledger_row *row, struct og_error *err)
{
    sqlite3_stmt *s = l->statement[APPEND];
    struct og_time_text at = og_time_text(row->at);
    struct og_money_text executed = og_money_text(row->executed), price = og_money_text(row->price_avg);
    enum og_status status = OG_OK;

    bind(s, 1, og_str_of(at.s));
    bind(s, 2, og_str_of(l->run));
    bind(s, 3, row->account.s != NULL ? row->account : OG_STR(""));
    bind(s, 4, row->id);
    bind(s, 5, og_str_of(row->record));
    bind(s, 6, og_str_of(og_state_name(row->state)));
    bind(s, 7, row->outcome);
    bind(s, 8, row->broker_id);
    bind(s, 9, og_str_of(executed.s));
    bind(s, 10, og_str_of(price.s));
    bind(s, 11, row->code);
    bind(s, 12, row->text);
    bind(s, 13, row->detail);
    if (sqlite3_step(s) != SQLITE_DONE)
        status = failed(l, "append", err);
    sqlite3_reset(s);
    return status;
}

static enum og_status use_id(struct og_ledger *l, const struct og_ledger_row *row, const char *digest, struct og_error *err)
{
    sqlite3_stmt *s = l->statement[USE_ID];
    enum og_status status = OG_OK;

    bind(s, 1, row->account);
    bind(s, 2, row->id);
    bind(s, 3, og_str_of(digest));
    sqlite3_bind_int64(s, 4, sqlite3_last_insert_rowid(l->db));
    if (sqlite3_step(s) != SQLITE_DONE)
        status = failed(l, "use up an id", err);
    sqlite3_reset(s);
    return status;
}

enum og_status og_ledger_intend(struct og_ledger *l, const struct og_ledger_row *row, const char *digest, bool again,
                                struct og_error *err)
{
    struct og_ledger_known known;
    enum og_status status = og_ledger_find(l, row->account, row->id, &known, NULL, NULL, err);

    if (status != OG_OK)
        return status;
    if (known.found && (!again || known.state != OG_NOT_SENT || strcmp(known.digest, digest) != 0))
        return og_fail(err, OG_EBUSY, "clientOrderId '%.*s' was used before", (int)row->id.len, row->id.s);
    status = og_ledger_append(l, row, err);
    if (status == OG_OK && !known.found)
        status = use_id(l, row, digest, err);
    return status;
}

static struct og_str column(sqlite3_stmt *s, int at)
{
    const char *text = (const char *)sqlite3_column_text(s, at);

    return (struct og_str){ text, text != NULL ? (size_t)sqlite3_column_bytes(s, at) : 0 };
}

static void read_row(sqlite3_stmt *s, struct og_ledger_row *row)
{
    struct og_str text;

    *row = (struct og_ledger_row){ .seq = sqlite3_column_int64(s, 0),
                                   .run = column(s, 2),
                                   .account = column(s, 3),
                                   .id = column(s, 4),
                                   .record = column(s, 5).s,
                                   .outcome = column(s, 7),
                                   .broker_id = column(s, 8),
                                   .code = column(s, 11),
                                   .text = column(s, 12),
                                   .detail = column(s, 13) };
    text = column(s, 1);
    if (!og_time_read(text.s, text.len, &row->at))
        row->at = OG_TIME_UNKNOWN; /* nothing is decided by it */
    if (!og_state_of(column(s, 6), &row->state))
        row->state = OG_UNKNOWN; /* a word we do not know must not look settled */
    text = column(s, 9);
    if (!og_money_read(text.s, text.len, &row->executed))
        row->executed = og_money_from(0);
    text = column(s, 10);
    if (!og_money_read(text.s, text.len, &row->price_avg))
        row->price_avg = og_money_from(0);
}

static enum og_status newest_row(struct og_ledger *l, struct og_str account, struct og_str id, struct og_ledger_known *known,
                                 og_ledger_seen *seen, void *with, struct og_error *err)
{
    sqlite3_stmt *s = l->statement[NEWEST];
    enum og_status status = OG_OK;
    struct og_ledger_row row;
    int step;

    bind(s, 1, account);
    bind(s, 2, id);
    if ((step = sqlite3_step(s)) == SQLITE_ROW) {
        read_row(s, &row);
        known->state = row.state;
        if (seen != NULL)
            seen(with, &row);
    } else if (step != SQLITE_DONE) {
        status = failed(l, "read", err);
    }
    sqlite3_reset(s);
    return status;
}

enum og_status og_ledger_find(struct og_ledger *l, struct og_str account, struct og_str id, struct og_ledger_known *known,
                              og_ledger_seen *newest, void *with, struct og_error *err)
{
    sqlite3_stmt *s = l->statement[FIND];
    enum og_status status = OG_OK;
    struct og_str digest;
    int step;

    memset(known, 0, sizeof(*known));
    bind(s, 1, account);
    bind(s, 2, id);
    if ((step = sqlite3_step(s)) == SQLITE_ROW) {
        known->found = true;
        digest = column(s, 0);
        if (digest.len < sizeof(known->digest))
            memcpy(known->digest, digest.s, digest.len);
        known->same_run = og_str_is(column(s, 1), l->run);
        known->alive = !known->same_run && og_ledger_run_alive(l->runs, sqlite3_column_int64(s, 2));
        known->posts = sqlite3_column_int(s, 3);
    } else if (step != SQLITE_DONE) {
        status = failed(l, "read", err);
    }
    sqlite3_reset(s);
    if (status == OG_OK && known->found)
        status = newest_row(l, account, id, known, newest, with, err);
    return status;
}

enum og_status og_ledger_unsettled(struct og_ledger *l, og_ledger_seen *seen, void *with, struct og_error *err)
{
    sqlite3_stmt *s = l->statement[UNSETTLED];
    enum og_status status = OG_OK;
    struct og_ledger_row row;
    int step;

    while ((step = sqlite3_step(s)) == SQLITE_ROW) {
        read_row(s, &row);
        if (!og_str_is(row.run, l->run) && !og_ledger_run_alive(l->runs, sqlite3_column_int64(s, RUN_NUMBER)))
            seen(with, &row);
    }
    if (step != SQLITE_DONE)
        status = failed(l, "read", err);
    sqlite3_reset(s);
    return status;
}
