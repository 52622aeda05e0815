/*
 * Orders, accounts, lots and symbols in SQLite: tables of columns say which member of which struct stands where, and
 * both directions read them.
 * It refuses a file of another format, and a reply before its order is committed: WAL with synchronous NORMAL outlives the
 * process, which is what the contract promises (kill -9), not the machine.
 */
#include "paper/db.h"

#include <sqlite3.h>
#include <stdlib.h>

#include "base/error.h"

#include "base/banned.h"

#define FORMAT 1
#define MOST_COLUMNS 80

enum kind { NUMBER, STR, TEXT };

/* A member of a struct; numbers are told by their size (bool, int or enum, int64_t). */
struct column {
    const char *name;
    enum kind kind;
    size_t at, size;
};

#define MEMBER(type, member, as, how) { as, how, offsetof(type, member), sizeof(((type *)0)->member) }
#define ORDER_N(member, as) MEMBER(struct og_paper_order, member, as, NUMBER)
#define ORDER_S(member, as) MEMBER(struct og_paper_order, member, as, STR)
#define ORDER_T(member, as) MEMBER(struct og_paper_order, member, as, TEXT)
#define ORDER_LEG(i)                                                                                            \
    ORDER_S(ticket.leg[i].symbol, "leg" #i "_symbol"), ORDER_N(ticket.leg[i].side, "leg" #i "_side"),           \
        ORDER_N(ticket.leg[i].effect, "leg" #i "_effect"), ORDER_N(ticket.leg[i].ratio, "leg" #i "_ratio"),     \
        ORDER_N(leg[i].filled, "leg" #i "_filled"), ORDER_N(leg[i].last_quantity, "leg" #i "_last_quantity"),   \
        ORDER_N(leg[i].last_price, "leg" #i "_last_price"), ORDER_N(leg[i].value, "leg" #i "_value")

static const struct column order_columns[] = {
    ORDER_N(number, "number"),
    ORDER_S(ticket.id, "id"),
    ORDER_N(status, "status"),
    ORDER_T(text, "text"),
    ORDER_T(fate, "fate"),
    ORDER_N(ticket.security, "security"),
    ORDER_S(ticket.symbol, "symbol"),
    ORDER_N(ticket.side, "side"),
    ORDER_N(ticket.effect, "effect"),
    ORDER_N(ticket.type, "type"),
    ORDER_N(ticket.tif, "tif"),
    ORDER_N(ticket.quantity, "quantity"),
    ORDER_N(ticket.has_limit, "has_limit"),
    ORDER_N(ticket.limit, "limit_price"),
    ORDER_N(ticket.has_stop, "has_stop"),
    ORDER_N(ticket.stop, "stop_price"),
    ORDER_S(ticket.route, "route"),
    ORDER_N(ticket.legs, "legs"),
    ORDER_LEG(0),
    ORDER_LEG(1),
    ORDER_LEG(2),
    ORDER_LEG(3),
    ORDER_N(executed, "executed"),
    ORDER_N(canceled, "canceled"),
    ORDER_N(last_price, "last_price"),
    ORDER_N(last_quantity, "last_quantity"),
    ORDER_N(value, "value"),
    ORDER_N(need, "need"),
    ORDER_N(mleg_id, "mleg_id"),
    ORDER_N(mleg_closed, "mleg_closed"),
    ORDER_N(triggered, "is_triggered"),
    ORDER_N(acknowledged, "acknowledged"),
    ORDER_N(started, "started"),
    ORDER_N(updated, "updated"),
};

#define ACCOUNT_F(figure, as) MEMBER(struct og_paper_account, figure, as, NUMBER)
#define FIGURE(i) ACCOUNT_F(figure[i], "figure" #i), ACCOUNT_F(pinned[i], "pinned" #i)
static const struct column account_columns[] = {
    MEMBER(struct og_paper_account, id, "id", STR),
    MEMBER(struct og_paper_account, type, "type", STR),
    MEMBER(struct og_paper_account, status, "status", STR),
    FIGURE(0), FIGURE(1), FIGURE(2), FIGURE(3), FIGURE(4), FIGURE(5), FIGURE(6), FIGURE(7), FIGURE(8), FIGURE(9),
    FIGURE(10), FIGURE(11), FIGURE(12), FIGURE(13), FIGURE(14), FIGURE(15), FIGURE(16), FIGURE(17), FIGURE(18),
};
_Static_assert(OG_FIG_COUNT == 19, "every figure has its columns");

#define LOT_N(member) MEMBER(struct og_paper_lot, member, #member, NUMBER)
static const struct column lot_columns[] = {
    LOT_N(id),   LOT_N(is_long), LOT_N(overnight), LOT_N(shares),       LOT_N(cost),    LOT_N(opened), LOT_N(mark),
    LOT_N(closed), LOT_N(tied),  LOT_N(realized),  LOT_N(day_realized), LOT_N(created), LOT_N(updated),
};

#define SYMBOL_N(member, as) MEMBER(struct og_paper_symbol, member, as, NUMBER)
static const struct column symbol_columns[] = {
    MEMBER(struct og_paper_symbol, name, "name", STR),
    SYMBOL_N(state, "state"),
    SYMBOL_N(quote.bid, "bid"),
    SYMBOL_N(quote.ask, "ask"),
    SYMBOL_N(quote.last, "last"),
    SYMBOL_N(quote.bid_size, "bid_size"),
    SYMBOL_N(quote.ask_size, "ask_size"),
    SYMBOL_N(borrow, "borrow"),
    SYMBOL_N(available, "available"),
    SYMBOL_N(available_single, "available_single"),
    SYMBOL_N(locate_price, "locate_price"),
    SYMBOL_N(single_price, "single_price"),
};

#define COUNTER(member) MEMBER(struct og_paper, member, #member, NUMBER)
static const struct column counter_columns[] = { COUNTER(orders), COUNTER(lots), COUNTER(ids), COUNTER(mlegs) };

enum { T_ORDERS, T_ACCOUNTS, T_LOTS, T_SYMBOLS, T_COUNTERS, T_COUNT };

/* extra: columns behind those of the struct, for what it points to. */
static const struct {
    const char *name, *unique, *extra[2];
    const struct column *columns;
    int count;
} tables[T_COUNT] = {
    { "orders", "number", { "account", NULL }, order_columns, sizeof(order_columns) / sizeof(order_columns[0]) },
    { "accounts", "id", { NULL, NULL }, account_columns, sizeof(account_columns) / sizeof(account_columns[0]) },
    { "lots", "id", { "account", "symbol" }, lot_columns, sizeof(lot_columns) / sizeof(lot_columns[0]) },
    { "symbols", "name", { NULL, NULL }, symbol_columns, sizeof(symbol_columns) / sizeof(symbol_columns[0]) },
    { "counters", NULL, { NULL, NULL }, counter_columns, sizeof(counter_columns) / sizeof(counter_columns[0]) },
};

struct og_paper_db {
    sqlite3 *sql;
    sqlite3_stmt *insert[T_COUNT], *forget_lots, *begin, *commit, *forget_counters;
};

/* ---- statements from the tables ---- */

static void columns_text(int t, struct og_buf *b, bool definitions)
{
    int i;

    for (i = 0; i < tables[t].count; i++)
        og_buf_format(b, "%s%s%s", i ? "," : "", tables[t].columns[i].name,
                      !definitions ? "" : tables[t].columns[i].kind == NUMBER ? " INTEGER" : " TEXT");
    for (i = 0; i < 2 && tables[t].extra[i]; i++)
        og_buf_format(b, ",%s%s", tables[t].extra[i], definitions ? " TEXT" : "");
}

static bool run(struct og_paper_db *db, const char *sql)
{
    return sqlite3_exec(db->sql, sql, NULL, NULL, NULL) == SQLITE_OK;
}

static bool create(struct og_paper_db *db, int t)
{
    struct og_buf b;
    bool ok;

    og_buf_init(&b, 0);
    og_buf_format(&b, "CREATE TABLE IF NOT EXISTS %s(", tables[t].name);
    columns_text(t, &b, true);
    if (tables[t].unique)
        og_buf_format(&b, ",PRIMARY KEY(%s)", tables[t].unique);
    og_buf_text(&b, ")");
    ok = !b.bad && run(db, b.s);
    og_buf_clear(&b);
    return ok;
}

static bool prepare(struct og_paper_db *db, const char *sql, sqlite3_stmt **statement)
{
    return sqlite3_prepare_v3(db->sql, sql, -1, SQLITE_PREPARE_PERSISTENT, statement, NULL) == SQLITE_OK;
}

static bool prepare_table(struct og_paper_db *db, int t, bool insert, sqlite3_stmt **statement)
{
    struct og_buf b;
    int i, extra = (tables[t].extra[0] != NULL) + (tables[t].extra[1] != NULL);
    bool ok;

    og_buf_init(&b, 0);
    if (insert)
        og_buf_format(&b, "INSERT OR REPLACE INTO %s(", tables[t].name);
    else
        og_buf_text(&b, "SELECT ");
    columns_text(t, &b, false);
    if (!insert) {
        og_buf_format(&b, " FROM %s ORDER BY rowid", tables[t].name);
    } else {
        og_buf_text(&b, ") VALUES(");
        for (i = 0; i < tables[t].count + extra; i++)
            og_buf_text(&b, i ? ",?" : "?");
        og_buf_char(&b, ')');
    }
    ok = !b.bad && prepare(db, b.s, statement);
    og_buf_clear(&b);
    return ok;
}

/* ---- members to values and back ---- */

static int64_t number_at(const void *base, const struct column *c)
{
    const char *at = (const char *)base + c->at;
    int64_t wide;
    int plain;
    bool flag;

    if (c->size == sizeof(wide)) {
        memcpy(&wide, at, sizeof(wide));
        return wide;
    }
    if (c->size == sizeof(plain)) {
        memcpy(&plain, at, sizeof(plain));
        return plain;
    }
    memcpy(&flag, at, sizeof(flag));
    return flag;
}

static void set_number(void *base, const struct column *c, int64_t value)
{
    char *at = (char *)base + c->at;
    int plain = (int)value;
    bool flag = value != 0;

    if (c->size == sizeof(value))
        memcpy(at, &value, sizeof(value));
    else if (c->size == sizeof(plain))
        memcpy(at, &plain, sizeof(plain));
    else
        memcpy(at, &flag, sizeof(flag));
}

static void bind_text(sqlite3_stmt *s, int at, struct og_str text)
{
    if (text.s)
        sqlite3_bind_text(s, at, text.s, (int)text.len, SQLITE_STATIC);
    else
        sqlite3_bind_null(s, at);
}

static bool put(struct og_paper_db *db, int t, const void *base, struct og_str extra0, struct og_str extra1)
{
    sqlite3_stmt *s = db->insert[t];
    int i, rc;

    for (i = 0; i < tables[t].count; i++) {
        const struct column *c = &tables[t].columns[i];
        const void *at = (const char *)base + c->at;

        if (c->kind == NUMBER)
            sqlite3_bind_int64(s, i + 1, number_at(base, c));
        else if (c->kind == STR)
            bind_text(s, i + 1, *(const struct og_str *)at);
        else
            bind_text(s, i + 1, og_str_of(*(const char *const *)at));
    }
    if (tables[t].extra[0])
        bind_text(s, i + 1, extra0);
    if (tables[t].extra[1])
        bind_text(s, i + 2, extra1);
    rc = sqlite3_step(s);
    sqlite3_reset(s);
    return rc == SQLITE_DONE;
}

static struct og_str column_text(sqlite3_stmt *s, int i)
{
    return (struct og_str){ (const char *)sqlite3_column_text(s, i), (size_t)sqlite3_column_bytes(s, i) };
}

static bool take(sqlite3_stmt *s, int t, void *base, struct og_arena *arena)
{
    struct og_str text;
    int i;

    for (i = 0; i < tables[t].count; i++) {
        const struct column *c = &tables[t].columns[i];
        void *at = (char *)base + c->at;

        if (c->kind == NUMBER) {
            set_number(base, c, sqlite3_column_int64(s, i));
            continue;
        }
        text = column_text(s, i);
        if (text.s && !(text = og_arena_copy(arena, text)).s)
            return false;
        if (c->kind == STR)
            *(struct og_str *)at = text;
        else
            *(const char **)at = text.s;
    }
    return true;
}

/* ---- taking in what the file holds ---- */

typedef bool row_reader(struct og_paper *p, sqlite3_stmt *s, int extra);

static bool read_symbol(struct og_paper *p, sqlite3_stmt *s, int extra)
{
    struct og_paper_symbol *symbol = og_paper_market_add(&p->market, column_text(s, 0));
    struct og_str name;

    (void)extra;
    if (!symbol)
        return false;
    name = symbol->name; /* the map's key */
    if (!take(s, T_SYMBOLS, symbol, &p->arena))
        return false;
    symbol->name = name;
    return true;
}

static bool read_account(struct og_paper *p, sqlite3_stmt *s, int extra)
{
    struct og_paper_account *a = og_paper_account_get(p, column_text(s, 0));

    (void)extra;
    if (!a)
        return true; /* of another scenario: kept in the file, not served */
    if (!take(s, T_ACCOUNTS, a, &p->arena))
        return false;
    og_paper_account_retype(a, a->type);
    return true;
}

static bool read_lot(struct og_paper *p, sqlite3_stmt *s, int extra)
{
    struct og_paper_account *a = og_paper_account_get(p, column_text(s, extra));
    struct og_paper_symbol *symbol = og_paper_market_add(&p->market, column_text(s, extra + 1));
    struct og_paper_lot *lot = a && symbol ? og_paper_account_lot_add(p, a, symbol, true) : NULL;

    if (!a)
        return true;
    return lot && take(s, T_LOTS, lot, &p->arena);
}

static bool read_order(struct og_paper *p, sqlite3_stmt *s, int extra)
{
    struct og_paper_account *a = og_paper_account_get(p, column_text(s, extra));
    struct og_paper_order *o;

    if (!a)
        return true;
    o = og_arena_take(&p->arena, sizeof(*o));
    if (!o || !take(s, T_ORDERS, o, &p->arena))
        return false;
    o->paper = p;
    o->account = a;
    return og_paper_order_resume(o);
}

static bool read_counters(struct og_paper *p, sqlite3_stmt *s, int extra)
{
    (void)extra;
    return take(s, T_COUNTERS, p, &p->arena);
}

static bool read_table(struct og_paper *p, int t, row_reader *reader)
{
    sqlite3_stmt *s = NULL;
    int rc = SQLITE_ERROR;
    bool ok = prepare_table(p->db, t, false, &s);

    while (ok && (rc = sqlite3_step(s)) == SQLITE_ROW)
        ok = reader(p, s, tables[t].count);
    sqlite3_finalize(s);
    return ok && rc == SQLITE_DONE;
}

static bool read_all(struct og_paper *p)
{
    return read_table(p, T_SYMBOLS, read_symbol) && read_table(p, T_ACCOUNTS, read_account) &&
           read_table(p, T_LOTS, read_lot) && read_table(p, T_ORDERS, read_order) &&
           read_table(p, T_COUNTERS, read_counters);
}

/* ---- the header's functions ---- */

static int version_of(struct og_paper_db *db)
{
    sqlite3_stmt *s = NULL;
    int version = -1;

    if (prepare(db, "PRAGMA user_version", &s) && sqlite3_step(s) == SQLITE_ROW)
        version = sqlite3_column_int(s, 0);
    sqlite3_finalize(s);
    return version;
}

static bool set_up(struct og_paper_db *db)
{
    int t;

    if (!run(db, "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA locking_mode=EXCLUSIVE"))
        return false;
    for (t = 0; t < T_COUNT; t++)
        if (!create(db, t) || !prepare_table(db, t, true, &db->insert[t]))
            return false;
    return run(db, "PRAGMA user_version=1") && prepare(db, "BEGIN IMMEDIATE", &db->begin) &&
           prepare(db, "COMMIT", &db->commit) && prepare(db, "DELETE FROM lots WHERE account=?", &db->forget_lots) &&
           prepare(db, "DELETE FROM counters", &db->forget_counters);
}

enum og_status og_paper_db_open(struct og_paper *p, const char *file, struct og_error *err)
{
    struct og_paper_db *db = calloc(1, sizeof(*db));
    int version;

    p->db = db;
    if (!db)
        return og_fail(err, OG_ENOMEM, "out of memory");
    if (sqlite3_open_v2(file, &db->sql, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL) != SQLITE_OK)
        return og_fail(err, OG_EIO, "cannot open the database '%s': %s", file, sqlite3_errmsg(db->sql));
    version = version_of(db);
    if (version != 0 && version != FORMAT)
        return og_fail(err, OG_EIO, "cannot use the database '%s': its format is %d, this program knows %d; name another file",
                       file, version, FORMAT);
    if (!set_up(db) || !read_all(p))
        return og_fail(err, OG_EIO, "cannot use the database '%s': %s", file, sqlite3_errmsg(db->sql));
    return OG_OK;
}

void og_paper_db_close(struct og_paper *p)
{
    int t;

    if (!p->db)
        return;
    for (t = 0; t < T_COUNT; t++)
        sqlite3_finalize(p->db->insert[t]);
    sqlite3_finalize(p->db->begin);
    sqlite3_finalize(p->db->commit);
    sqlite3_finalize(p->db->forget_lots);
    sqlite3_finalize(p->db->forget_counters);
    sqlite3_close(p->db->sql);
    free(p->db);
    p->db = NULL;
}

static bool once(sqlite3_stmt *s)
{
    int rc = sqlite3_step(s);

    sqlite3_reset(s);
    return rc == SQLITE_DONE;
}

static const struct og_str nothing;

static bool store_lots(struct og_paper_db *db, struct og_paper_account *a)
{
    const struct og_paper_lot *lot;

    bind_text(db->forget_lots, 1, a->id);
    if (!once(db->forget_lots))
        return false;
    for (lot = a->lots; lot; lot = lot->next)
        if (!put(db, T_LOTS, lot, a->id, lot->symbol->name))
            return false;
    a->lots_changed = false;
    return true;
}

static bool store_changes(struct og_paper *p)
{
    struct og_paper_account *a;
    struct og_paper_order *o;

    for (; (o = p->changed); p->changed = o->next_changed) {
        if (!put(p->db, T_ORDERS, o, o->account->id, nothing))
            return false;
        o->changed = false;
    }
    for (a = p->accounts; a; a = a->next) {
        if (a->lots_changed && !store_lots(p->db, a))
            return false;
        if (a->changed && !put(p->db, T_ACCOUNTS, a, nothing, nothing))
            return false;
        a->changed = false;
    }
    return once(p->db->forget_counters) && put(p->db, T_COUNTERS, p, nothing, nothing);
}

bool og_paper_db_store(struct og_paper *p)
{
    struct og_paper_account *a = p->accounts;

    while (a && !a->changed && !a->lots_changed)
        a = a->next;
    if (!p->changed && !a)
        return true;
    return once(p->db->begin) && store_changes(p) && once(p->db->commit);
}

bool og_paper_db_symbol(struct og_paper *p, const struct og_paper_symbol *symbol)
{
    return !p->db || put(p->db, T_SYMBOLS, symbol, nothing, nothing);
}
