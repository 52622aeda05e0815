/*
 * The tables of columns, which are used for writing and reading, and for each table a function that adds a loaded row
 * to the service's state. Rows of accounts that are not in the scenario stay in the file unchanged.
 */
#include "paper/db_rows.h"

#include <stddef.h>
#include <stdlib.h>

#include "paper/account_setup.h"
#include "paper/cash.h"
#include "paper/history.h"
#include "paper/lifecycle.h"
#include "paper/locate.h"

#define MEMBER(type, member, as, how)                                \
    {                                                                \
        as, how, offsetof(type, member), sizeof(((type *)0)->member) \
    }
#define ORDER_N(member, as) MEMBER(struct og_paper_order, member, as, OG_COLUMN_NUMBER)
#define ORDER_S(member, as) MEMBER(struct og_paper_order, member, as, OG_COLUMN_STR)
#define ORDER_T(member, as) MEMBER(struct og_paper_order, member, as, OG_COLUMN_TEXT)
#define ORDER_LEG(i)                                                                                          \
    ORDER_S(ticket.leg[i].symbol, "leg" #i "_symbol"), ORDER_N(ticket.leg[i].side, "leg" #i "_side"),         \
        ORDER_N(ticket.leg[i].effect, "leg" #i "_effect"), ORDER_N(ticket.leg[i].ratio, "leg" #i "_ratio"),   \
        ORDER_N(leg[i].filled, "leg" #i "_filled"), ORDER_N(leg[i].last_quantity, "leg" #i "_last_quantity"), \
        ORDER_N(leg[i].last_price, "leg" #i "_last_price"), ORDER_N(leg[i].value, "leg" #i "_value")

static const struct og_paper_column order_columns[] = {
    ORDER_N(number, "number"),
    ORDER_S(ticket.id, "id"),
    ORDER_N(status, "status"),
    ORDER_T(text, "text"),
    ORDER_T(late_rejection, "fate"),
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
    ORDER_N(gone, "is_gone"),
    ORDER_N(started, "started"),
    ORDER_N(updated, "updated"),
};

#define ACCOUNT_F(figure, as) MEMBER(struct og_paper_account, figure, as, OG_COLUMN_NUMBER)
#define FIGURE(i)             ACCOUNT_F(figure[i], "figure" #i), ACCOUNT_F(pinned[i], "pinned" #i)
static const struct og_paper_column account_columns[] = {
    MEMBER(struct og_paper_account, id, "id", OG_COLUMN_STR),
    MEMBER(struct og_paper_account, type, "type", OG_COLUMN_STR),
    MEMBER(struct og_paper_account, status, "status", OG_COLUMN_STR),
    MEMBER(struct og_paper_account, linked, "is_linked", OG_COLUMN_NUMBER),
    MEMBER(struct og_paper_account, created, "created", OG_COLUMN_NUMBER),
    FIGURE(0),
    FIGURE(1),
    FIGURE(2),
    FIGURE(3),
    FIGURE(4),
    FIGURE(5),
    FIGURE(6),
    FIGURE(7),
    FIGURE(8),
    FIGURE(9),
    FIGURE(10),
    FIGURE(11),
    FIGURE(12),
    FIGURE(13),
    FIGURE(14),
    FIGURE(15),
    FIGURE(16),
    FIGURE(17),
    FIGURE(18),
    FIGURE(19),
    FIGURE(20),
    FIGURE(21),
};
_Static_assert(OG_FIG_COUNT == 22, "every figure has its columns");

#define LOT_N(member) MEMBER(struct og_paper_lot, member, #member, OG_COLUMN_NUMBER)
static const struct og_paper_column lot_columns[] = {
    LOT_N(id),     LOT_N(is_long), LOT_N(overnight), LOT_N(shares),       LOT_N(cost),    LOT_N(opened),  LOT_N(mark),
    LOT_N(closed), LOT_N(tied),    LOT_N(realized),  LOT_N(day_realized), LOT_N(created), LOT_N(updated),
};

#define LIFECYCLE_N(member, as) MEMBER(struct og_paper_lifecycle, member, as, OG_COLUMN_NUMBER)
static const struct og_paper_column lifecycle_columns[] = {
    LIFECYCLE_N(id, "id"),
    LIFECYCLE_N(is_long, "is_long"),
    LIFECYCLE_N(overnight, "overnight"),
    LIFECYCLE_N(again, "again"),
    LIFECYCLE_N(entered, "entered"),
    LIFECYCLE_N(entered_value, "entered_value"),
    LIFECYCLE_N(left, "left_shares"),
    LIFECYCLE_N(left_value, "left_value"),
    LIFECYCLE_N(charges, "charges"),
    LIFECYCLE_N(created, "created"),
    LIFECYCLE_N(updated, "updated"),
    LIFECYCLE_N(record_at, "record_at"),
};

#define TRADE_N(member) MEMBER(struct og_paper_trade, member, #member, OG_COLUMN_NUMBER)
static const struct og_paper_column trade_columns[] = {
    TRADE_N(id),   TRADE_N(buy), TRADE_N(quantity), TRADE_N(price),   TRADE_N(commission),
    TRADE_N(fees), TRADE_N(at),  TRADE_N(entered),  TRADE_N(mleg_id), TRADE_N(busted),
};

#define SYMBOL_N(member, as) MEMBER(struct og_paper_symbol, member, as, OG_COLUMN_NUMBER)
static const struct og_paper_column symbol_columns[] = {
    MEMBER(struct og_paper_symbol, name, "name", OG_COLUMN_STR),
    SYMBOL_N(state, "state"),
    SYMBOL_N(quote.bid, "bid"),
    SYMBOL_N(quote.ask, "ask"),
    SYMBOL_N(quote.last, "last"),
    SYMBOL_N(quote.bid_size, "bid_size"),
    SYMBOL_N(quote.ask_size, "ask_size"),
    SYMBOL_N(opened, "opened"),
    SYMBOL_N(day, "day"),
    SYMBOL_N(borrow, "borrow"),
    SYMBOL_N(available, "available"),
    SYMBOL_N(available_single, "available_single"),
    SYMBOL_N(locate_price, "locate_price"),
    SYMBOL_N(single_price, "single_price"),
};

#define COUNTER(member)  MEMBER(struct og_paper, member, #member, OG_COLUMN_NUMBER)
#define LOCATE_N(member) MEMBER(struct og_paper_locate, member, #member, OG_COLUMN_NUMBER)
#define LOCATE_S(member) MEMBER(struct og_paper_locate, member, #member, OG_COLUMN_STR)
static const struct og_paper_column locate_columns[] = {
    LOCATE_N(number),  LOCATE_N(pair),
    LOCATE_S(name),    LOCATE_S(id),
    LOCATE_N(shares),  LOCATE_N(filled),
    LOCATE_N(status),  LOCATE_N(type),
    LOCATE_N(error),   LOCATE_N(price),
    LOCATE_N(created), LOCATE_N(updated),
    LOCATE_N(due),     MEMBER(struct og_paper_locate, text, "text", OG_COLUMN_TEXT),
};

#define INVENTORY_N(member) MEMBER(struct og_paper_inventory, member, #member, OG_COLUMN_NUMBER)
static const struct og_paper_column inventory_columns[] = {
    INVENTORY_N(type), INVENTORY_N(day),         INVENTORY_N(available),  INVENTORY_N(sold),
    INVENTORY_N(paid), INVENTORY_N(unavailable), INVENTORY_N(to_be_sold),
};

#define CASH_N(member) MEMBER(struct og_paper_cash, member, #member, OG_COLUMN_NUMBER)
#define CASH_S(member) MEMBER(struct og_paper_cash, member, #member, OG_COLUMN_STR)
static const struct og_paper_column cash_columns[] = {
    CASH_N(number), CASH_S(type), CASH_S(note), CASH_N(deposit), CASH_N(withdraw), CASH_N(day), CASH_N(shown),
};

#define RATE(member) MEMBER(struct og_paper, rates.member, "rate_" #member, OG_COLUMN_NUMBER)
static const struct og_paper_column counter_columns[] = {
    COUNTER(orders), COUNTER(lots),  COUNTER(ids), COUNTER(mlegs),   COUNTER(session_at), COUNTER(trades),
    RATE(share),     RATE(contract), RATE(sale),   COUNTER(locates), COUNTER(cash_rows),
};

#define COLUMNS(list) .columns = list, .count = sizeof(list) / sizeof(list[0])

/* --- struct members and column values ----------------------------------------------------------------------------- */

int64_t og_paper_row_number(const void *base, const struct og_paper_column *c)
{
    const char *at = (const char *)base + c->at;
    int64_t wide;
    int plain;
    bool flag;

    if (c->size == sizeof wide) {
        memcpy(&wide, at, sizeof wide);
        return wide;
    }
    if (c->size == sizeof plain) {
        memcpy(&plain, at, sizeof plain);
        return plain;
    }
    memcpy(&flag, at, sizeof flag);
    return flag;
}

static void set_number(void *base, const struct og_paper_column *c, int64_t value)
{
    char *at = (char *)base + c->at;
    int plain = (int)value;
    bool flag = value != 0;

    if (c->size == sizeof value)
        memcpy(at, &value, sizeof value);
    else if (c->size == sizeof plain)
        memcpy(at, &plain, sizeof plain);
    else
        memcpy(at, &flag, sizeof flag);
}

static struct og_str text_of(sqlite3_stmt *s, int i)
{
    return (struct og_str){ (const char *)sqlite3_column_text(s, i), (size_t)sqlite3_column_bytes(s, i) };
}

/* Set the members of a struct from the columns of a row. */
static bool read_members(sqlite3_stmt *s, const struct og_paper_table *t, void *base, struct og_arena *arena)
{
    struct og_str text;
    int i;

    for (i = 0; i < t->count; i++) {
        const struct og_paper_column *c = &t->columns[i];
        void *at = (char *)base + c->at;

        if (c->kind == OG_COLUMN_NUMBER) {
            set_number(base, c, sqlite3_column_int64(s, i));
            continue;
        }
        text = text_of(s, i);
        if (text.s && !(text = og_arena_copy(arena, text)).s)
            return false;
        if (c->kind == OG_COLUMN_STR)
            *(struct og_str *)at = text;
        else
            *(const char **)at = text.s;
    }
    return true;
}

/* --- loading rows ------------------------------------------------------------------------------------------------- */

static bool read_symbol(struct og_paper *p, sqlite3_stmt *s, const struct og_paper_table *t)
{
    struct og_paper_symbol *symbol = og_paper_market_add(&p->market, text_of(s, 0));

    return symbol && read_members(s, t, symbol, &p->arena);
}

static bool read_account(struct og_paper *p, sqlite3_stmt *s, const struct og_paper_table *t)
{
    struct og_paper_account *a = og_paper_account_get(p, text_of(s, 0));

    if (!a)
        return true; /* the account is not in this scenario: its row stays in the file, and the account is not served */
    if (!read_members(s, t, a, &p->arena))
        return false;
    og_paper_account_retype(p, a, a->type);
    a->stored = true;
    return true;
}

static bool read_counters(struct og_paper *p, sqlite3_stmt *s, const struct og_paper_table *t)
{
    return read_members(s, t, p, &p->arena);
}

bool og_paper_row_read(struct og_paper *p, sqlite3_stmt *s, const struct og_paper_table *t)
{
    struct og_paper_account *a;
    struct og_paper_symbol *symbol = NULL;
    void *row;

    if (t->read)
        return t->read(p, s, t);
    a = og_paper_account_get(p, text_of(s, t->count));
    if (!a)
        return true;
    row = t->freed ? calloc(1, t->size) : og_arena_take(&p->arena, t->size);
    if (!row)
        return false;
    if ((!t->symbol || (symbol = og_paper_market_add(&p->market, text_of(s, t->count + 1)))) &&
        read_members(s, t, row, &p->arena)) {
        if (symbol)
            memcpy((char *)row + t->symbol_at, &symbol, sizeof symbol);
        return t->restore(p, a, row);
    }
    if (t->freed)
        free(row);
    return false;
}

/* --- the tables --------------------------------------------------------------------------------------------------- */

/* A table whose rows belong to an account; with OF_SYMBOL, each also belongs to a symbol. */
#define OF_ACCOUNT(list, of, function) .account = true, .size = sizeof(struct of), .restore = function, COLUMNS(list)
#define OF_SYMBOL(list, of, function) \
    OF_ACCOUNT(list, of, function), .symbol = true, .symbol_at = offsetof(struct of, symbol)

const struct og_paper_table og_paper_tables[] = {
    { "symbols", "name", COLUMNS(symbol_columns), .read = read_symbol },
    { "accounts", "id", COLUMNS(account_columns), .read = read_account },
    { "lots", "id", OF_SYMBOL(lot_columns, og_paper_lot, og_paper_account_restore_lot), .freed = true },
    { "lives", "id", OF_SYMBOL(lifecycle_columns, og_paper_lifecycle, og_paper_lifecycle_restore), .freed = true },
    { "trades", "id", OF_SYMBOL(trade_columns, og_paper_trade, og_paper_history_restore) },
    { "orders", "number", OF_ACCOUNT(order_columns, og_paper_order, og_paper_order_restore) },
    { "locates", "number", OF_ACCOUNT(locate_columns, og_paper_locate, og_paper_locate_restore) },
    { "pools", "account,of_symbol,type", OF_SYMBOL(inventory_columns, og_paper_inventory, og_paper_inventory_restore) },
    { "cash", "number", OF_ACCOUNT(cash_columns, og_paper_cash, og_paper_cash_restore) },
    { "counters", NULL, COLUMNS(counter_columns), .read = read_counters },
};
