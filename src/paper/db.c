/*
 * Orders, accounts, lots, symbols and the rest in SQLite, by the tables of db_rows.c. Rejects a file of another format.
 * Nothing is answered before it is committed. With WAL and synchronous NORMAL no commit is lost if the process is
 * killed (kill -9), which is what is promised; if the machine crashes, the last commits may be lost.
 */
#include "paper/db.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/error.h"
#include "ordergate/file.h"
#include "paper/db_rows.h"
#include "paper/hours.h"

#define FORMAT 4

struct og_paper_db {
    sqlite3 *sql;
    sqlite3_stmt *insert[OG_TABLE_COUNT], *select[OG_TABLE_COUNT], *forget[OG_TABLE_COUNT], *begin, *commit;
    bool begun;
};

/* --- statements made from the tables ------------------------------------------------------------------------------ */

static void columns_text(const struct og_paper_table *t, struct og_buf *b, bool definitions)
{
    int i;

    for (i = 0; i < t->count; i++)
        og_buf_format(b, "%s%s%s", i ? "," : "", t->columns[i].name,
                      !definitions                             ? ""
                      : t->columns[i].kind == OG_COLUMN_NUMBER ? " INTEGER"
                                                               : " TEXT");
    if (t->account)
        og_buf_text(b, definitions ? ",account TEXT" : ",account");
    if (t->symbol)
        og_buf_text(b, definitions ? ",of_symbol TEXT" : ",of_symbol");
}

static bool prepare(struct og_paper_db *db, sqlite3_stmt **statement, const char *format, ...)
{
    va_list args;
    char *sql;
    bool ok;

    va_start(args, format);
    sql = sqlite3_vmprintf(format, args);
    va_end(args);
    ok = sql && sqlite3_prepare_v3(db->sql, sql, -1, SQLITE_PREPARE_PERSISTENT, statement, NULL) == SQLITE_OK;
    sqlite3_free(sql);
    return ok;
}

/* Create a table if it does not exist, and prepare its statements. */
static bool prepare_table(struct og_paper_db *db, enum og_paper_table_name name)
{
    const struct og_paper_table *t = &og_paper_tables[name];
    sqlite3_stmt *create = NULL;
    struct og_buf columns, names, marks;
    bool ok;

    og_buf_init(&columns, 0);
    og_buf_init(&names, 0);
    og_buf_init(&marks, 0);
    for (int i = 0; i < t->count + t->account + t->symbol; i++)
        og_buf_text(&marks, i ? ",?" : "?");
    columns_text(t, &columns, true);
    columns_text(t, &names, false);
    ok = !columns.bad && !names.bad && !marks.bad &&
         prepare(db, &create, "CREATE TABLE IF NOT EXISTS %s(%s%s%s%s)", t->name, columns.s,
                 t->unique ? ",PRIMARY KEY(" : "", t->unique ? t->unique : "", t->unique ? ")" : "") &&
         sqlite3_step(create) == SQLITE_DONE &&
         prepare(db, &db->insert[name], "INSERT OR REPLACE INTO %s(%s) VALUES(%s)", t->name, names.s, marks.s) &&
         prepare(db, &db->select[name], "SELECT %s FROM %s ORDER BY rowid", names.s, t->name) &&
         prepare(db, &db->forget[name], "DELETE FROM %s%s", t->name, t->account ? " WHERE account=?" : "");
    sqlite3_finalize(create);
    og_buf_clear(&columns);
    og_buf_clear(&names);
    og_buf_clear(&marks);
    return ok;
}

/* --- rows --------------------------------------------------------------------------------------------------------- */

static void bind_text(sqlite3_stmt *s, int at, struct og_str text)
{
    if (text.s)
        sqlite3_bind_text(s, at, text.s, (int)text.len, SQLITE_STATIC);
    else
        sqlite3_bind_null(s, at);
}

static bool run_once(sqlite3_stmt *s)
{
    int rc = sqlite3_step(s);

    sqlite3_reset(s);
    return rc == SQLITE_DONE;
}

static bool begin_transaction(struct og_paper_db *db)
{
    db->begun = db->begun || run_once(db->begin);
    return db->begun;
}

void og_paper_db_put(struct og_paper *p, enum og_paper_table_name name, const void *row,
                     const struct og_paper_account *account)
{
    const struct og_paper_table *t = &og_paper_tables[name];
    struct og_paper_symbol *symbol;
    sqlite3_stmt *s;
    int i;

    if (!p->db)
        return;
    s = p->db->insert[name];
    for (i = 0; i < t->count; i++) {
        const struct og_paper_column *c = &t->columns[i];
        const void *at = (const char *)row + c->at;

        if (c->kind == OG_COLUMN_NUMBER)
            sqlite3_bind_int64(s, i + 1, og_paper_row_number(row, c));
        else if (c->kind == OG_COLUMN_STR)
            bind_text(s, i + 1, *(const struct og_str *)at);
        else
            bind_text(s, i + 1, og_str_of(*(const char *const *)at));
    }
    if (t->account)
        bind_text(s, ++i, account->id);
    if (t->symbol) {
        memcpy(&symbol, (const char *)row + t->symbol_at, sizeof symbol);
        bind_text(s, ++i, symbol->name);
    }
    p->failed = p->failed || !begin_transaction(p->db) || !run_once(s);
}

void og_paper_db_forget(struct og_paper *p, enum og_paper_table_name name, const struct og_paper_account *account)
{
    if (!p->db)
        return;
    if (account)
        bind_text(p->db->forget[name], 1, account->id);
    p->failed = p->failed || !begin_transaction(p->db) || !run_once(p->db->forget[name]);
}

static bool read_all(struct og_paper *p)
{
    bool ok = true;

    for (int t = 0; ok && t < OG_TABLE_COUNT; t++) {
        int rc = SQLITE_ERROR;

        while (ok && (rc = sqlite3_step(p->db->select[t])) == SQLITE_ROW)
            ok = og_paper_row_read(p, p->db->select[t], &og_paper_tables[t]);
        ok = ok && rc == SQLITE_DONE;
        sqlite3_reset(p->db->select[t]);
    }
    return ok;
}

/* --- opening, closing, storing ------------------------------------------------------------------------------------ */

static int version_of(struct og_paper_db *db)
{
    sqlite3_stmt *s = NULL;
    int version = -1;

    if (prepare(db, &s, "PRAGMA user_version") && sqlite3_step(s) == SQLITE_ROW)
        version = sqlite3_column_int(s, 0);
    sqlite3_finalize(s);
    return version;
}

static bool set_up(struct og_paper_db *db)
{
    bool ok = sqlite3_exec(db->sql, "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA locking_mode=EXCLUSIVE",
                           NULL, NULL, NULL) == SQLITE_OK;

    for (enum og_paper_table_name t = 0; ok && t < OG_TABLE_COUNT; t++)
        ok = prepare_table(db, t);
    return ok && sqlite3_exec(db->sql, "PRAGMA user_version=4", NULL, NULL, NULL) == SQLITE_OK &&
           prepare(db, &db->begin, "BEGIN IMMEDIATE") && prepare(db, &db->commit, "COMMIT");
}

enum og_status og_paper_db_open(struct og_paper *p, const char *file, struct og_error *err)
{
    struct og_paper_db *db = calloc(1, sizeof *db);
    enum og_status status;
    int version, fd;

    p->db = db;
    if (!db)
        return og_fail(err, OG_ENOMEM, "out of memory");
    if ((status = og_file_open(file, OG_FILE_MAKE, &fd, NULL, err)) != OG_OK)
        return status;
    close(fd); /* SQLite opens the file again by its name; nobody else can have replaced the file in between */
    if (sqlite3_open_v2(file, &db->sql, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL) != SQLITE_OK)
        return og_fail(err, OG_EIO, "cannot open the database '%s': %s", file, sqlite3_errmsg(db->sql));
    version = version_of(db);
    if (version != 0 && version != FORMAT)
        return og_fail(err, OG_EIO,
                       "cannot use the database '%s': its format is %d, this program knows %d; name another file", file,
                       version, FORMAT);
    if (!set_up(db) || !read_all(p))
        return og_fail(err, OG_EIO, "cannot use the database '%s': %s", file, sqlite3_errmsg(db->sql));
    og_paper_hours_catch_up(p);
    return OG_OK;
}

void og_paper_db_close(struct og_paper *p)
{
    int t;

    if (!p->db)
        return;
    for (t = 0; t < OG_TABLE_COUNT; t++) {
        sqlite3_finalize(p->db->insert[t]);
        sqlite3_finalize(p->db->select[t]);
        sqlite3_finalize(p->db->forget[t]);
    }
    sqlite3_finalize(p->db->begin);
    sqlite3_finalize(p->db->commit);
    sqlite3_close(p->db->sql);
    free(p->db);
    p->db = NULL;
}

bool og_paper_db_store(struct og_paper *p)
{
    struct og_paper_account *a;
    struct og_paper_order *o;

    for (; (o = p->changed); p->changed = o->next_changed) {
        og_paper_db_put(p, OG_TABLE_ORDERS, o, o->account);
        o->changed = false;
    }
    for (a = p->accounts; a; a = a->next) {
        if (a->changed)
            og_paper_db_put(p, OG_TABLE_ACCOUNTS, a, NULL);
        a->changed = false;
    }
    if (!p->db || !p->db->begun || p->failed)
        return !p->failed;
    og_paper_db_forget(p, OG_TABLE_COUNTERS, NULL);
    og_paper_db_put(p, OG_TABLE_COUNTERS, p, NULL);
    p->db->begun = false;
    return !p->failed && run_once(p->db->commit);
}
