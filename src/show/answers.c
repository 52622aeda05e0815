/*
 * Answers of the broker for people: each list has the columns below, in which a trader looks, and not all of its
 * members; an object is told member by member.  CSV and rows have every member.
 */
#include <stdio.h>

#include "base/time.h"
#include "ordergate/locate.h"
#include "show/view.h"
#include "text/csv.h"
#include "text/terms.h"

#define COLUMNS_WIDE 120
#define MEMBERS_MOST 64 /* columns of CSV, and lines of an object */

/* --- what is shown of a list -------------------------------------------------------------------------------------- */

enum kind {
    TEXT,
    NUMBER,
    GAIN,   /* a number that is red if it is below 0 */
    TIME,   /* an instant, as New York time */
    CLOCK,  /* an instant of today */
    DAY,    /* the day of a text such as "2026-01-15T00:00:00" */
    WORDS,  /* a list of texts */
    STATUS, /* of an order */
    LOCATE_STATUS,
    LOCATE_TYPE,
    SIDE, /* side and openClose of an order */
    PRICE /* of an order: limit and stop */
};
enum { ALWAYS, WIDE, NARROW }; /* on which terminals a column is shown */

struct column {
    const char *name, *key, *other; /* other: a second key; NULL if there is none */
    enum kind kind;
    int shown;
};
struct list {
    const char *key;  /* of the list */
    const char *none; /* what is said if it is empty */
    struct column column[OG_TABLE_COLUMNS + 1];
    const char *note;           /* key of a text below the row; NULL if there is none */
    int below;                  /* the column that stands below its row where it does not fit; 0: none */
    bool wraps;                 /* the last column goes on below itself where it does not fit */
    const char *flag, *flagged; /* key of a bool, and what is said below a row in which it is true; NULL: none */
};

static const struct list lists[] = {
    { .key = "accounts",
      .none = "the keys reach no account",
      .column = { { "ACCOUNT", "account", "accountId", TEXT, ALWAYS },
                  { "TYPE", "accountType", NULL, TEXT, ALWAYS },
                  { "STATUS", "accountStatus", NULL, TEXT, ALWAYS },
                  { "EQUITY", "equity", NULL, NUMBER, ALWAYS },
                  { "CASH", "availableCash", NULL, NUMBER, ALWAYS },
                  { "BUYING POWER", "buyingPower", "bp", NUMBER, ALWAYS },
                  { "OVERNIGHT", "overnightBp", NULL, NUMBER, WIDE },
                  { "REALIZED", "realized", NULL, GAIN, WIDE },
                  { "OPTIONS", "optionTradingLevel", "optLevel", NUMBER, WIDE } } },
    { .key = "positions",
      .none = "nothing is held",
      .column = { { "SYMBOL", "tradedSymbol", "symbol", TEXT, ALWAYS },
                  { "SIDE", "side", NULL, TEXT, ALWAYS },
                  { "QTY", "shares", NULL, NUMBER, ALWAYS },
                  { "AVERAGE", "priceAvg", NULL, NUMBER, ALWAYS },
                  { "OPENED AT", "priceOpen", NULL, NUMBER, WIDE },
                  { "TYPE", "securityType", NULL, TEXT, ALWAYS },
                  { "MARGIN", "marginRequirement", NULL, NUMBER, WIDE },
                  { "MAINTENANCE", "maintenanceRequirement", NULL, NUMBER, WIDE },
                  { "SINCE", "dayOvernight", NULL, TEXT, WIDE },
                  { "NEW YORK TIME", "updatedDate", NULL, TIME, ALWAYS } } },
    { .key = "positionPnl",
      .none = "nothing is held",
      .column = { { "SYMBOL", "tradedSymbol", "symbol", TEXT, ALWAYS },
                  { "SIDE", "side", NULL, TEXT, ALWAYS },
                  { "QTY", "shares", NULL, NUMBER, ALWAYS },
                  { "AVERAGE", "priceAvg", NULL, NUMBER, ALWAYS },
                  { "EXPOSURE", "exposure", NULL, NUMBER, ALWAYS },
                  { "UNREALIZED", "unrealizedPnL", NULL, GAIN, ALWAYS },
                  { "%", "pctPnLMove", NULL, GAIN, ALWAYS },
                  { "REALIZED", "realizedPnl", NULL, GAIN, WIDE },
                  { "UNREALIZED TODAY", "dayUnrealizedPnL", NULL, GAIN, WIDE },
                  { "REALIZED TODAY", "dayRealizedPnl", NULL, GAIN, WIDE } } },
    { .key = "closedPositions",
      .none = "no position was closed today",
      .column = { { "SYMBOL", "tradedSymbol", "symbol", TEXT, ALWAYS },
                  { "SIDE", "side", NULL, TEXT, ALWAYS },
                  { "IN", "sharesIn", NULL, NUMBER, ALWAYS },
                  { "OUT", "sharesOut", NULL, NUMBER, ALWAYS },
                  { "AVERAGE", "priceAvg", NULL, NUMBER, ALWAYS },
                  { "CLOSED AT", "priceClose", NULL, NUMBER, WIDE },
                  { "REALIZED", "realized", NULL, GAIN, ALWAYS },
                  { "NEW YORK TIME", "updatedDate", NULL, TIME, ALWAYS } } },
    { .key = "closedTotals",
      .none = "no position was closed today",
      .column = { { "SYMBOL", "tradedSymbol", "symbol", TEXT, ALWAYS },
                  { "SIDE", "side", NULL, TEXT, ALWAYS },
                  { "CLOSED", "records", NULL, NUMBER, ALWAYS },
                  { "IN", "sharesIn", NULL, NUMBER, ALWAYS },
                  { "OUT", "sharesOut", NULL, NUMBER, ALWAYS },
                  { "REALIZED", "realized", NULL, GAIN, ALWAYS },
                  { "NEW YORK TIME", "updatedDate", NULL, TIME, ALWAYS } } },
    { .key = "pnl",
      .none = "nothing is held",
      .column = { { "SYMBOL", "symbol", NULL, TEXT, ALWAYS },
                  { "EXPOSURE", "exposure", NULL, NUMBER, ALWAYS },
                  { "UNREALIZED", "unrealizedPnL", NULL, GAIN, ALWAYS },
                  { "REALIZED", "realizedPnl", NULL, GAIN, ALWAYS },
                  { "%", "pctPnLMove", NULL, GAIN, ALWAYS },
                  { "UNREALIZED TODAY", "dayUnrealizedPnL", NULL, GAIN, WIDE },
                  { "REALIZED TODAY", "dayRealizedPnl", NULL, GAIN, WIDE },
                  { "% TODAY", "dayPctPnLMove", NULL, GAIN, WIDE } } },
    { .key = "orders",
      .none = "no order of today",
      .note = "text",
      .below = 1,
      .column = { { "NEW YORK", "lastUpdated", NULL, CLOCK, ALWAYS },
                  { "ID", "clientOrderId", "userOrderId", TEXT, ALWAYS },
                  { "STATUS", "orderStatus", NULL, STATUS, ALWAYS },
                  { "SIDE", "side", NULL, SIDE, ALWAYS },
                  { "QTY", "orderQuantity", NULL, NUMBER, ALWAYS },
                  { "SYMBOL", "tradedSymbol", "symbol", TEXT, ALWAYS },
                  { "PRICE", "limitPrice", NULL, PRICE, ALWAYS },
                  { "FILLED", "executed", NULL, NUMBER, ALWAYS },
                  { "AT", "priceAvg", NULL, NUMBER, ALWAYS },
                  { "TIME IN FORCE", "timeInForce", NULL, TEXT, WIDE },
                  { "ROUTE", "route", NULL, TEXT, WIDE } } },
    { .key = "cashHistory",
      .none = "no entry in these days",
      .wraps = true,
      .column = { { "DAY", "entryDate", NULL, DAY, ALWAYS },
                  { "TYPE", "cashType", NULL, TEXT, ALWAYS },
                  { "DEPOSIT", "deposit", NULL, NUMBER, ALWAYS },
                  { "WITHDRAW", "withdraw", NULL, NUMBER, ALWAYS },
                  { "CURRENCY", "currency", NULL, TEXT, WIDE },
                  { "NOTE", "note", NULL, TEXT, ALWAYS } } },
    { .key = "routes",
      .none = "the account has no route",
      .below = 2,
      .wraps = true,
      .column = { { "ROUTE", "routeName", NULL, TEXT, ALWAYS },
                  { "SECURITIES", "securityTypes", NULL, WORDS, ALWAYS },
                  { "ORDER TYPES", "orderTypes", NULL, WORDS, ALWAYS },
                  { "TIMES IN FORCE", "timesInForce", NULL, WORDS, ALWAYS } } },
    { .key = "tradingHistory",
      .none = "no fill in these days",
      .note = "notes",
      .flag = "canceled",
      .flagged = "busted: it was canceled after the execution",
      .column = { { "DAY", "tradeDate", NULL, DAY, ALWAYS },
                  { "NEW YORK", "execTime", NULL, TEXT, ALWAYS },
                  { "SYMBOL", "symbol", NULL, TEXT, ALWAYS },
                  { "SIDE", "side", NULL, TEXT, ALWAYS },
                  { "QTY", "qty", NULL, NUMBER, ALWAYS },
                  { "PRICE", "price", NULL, NUMBER, ALWAYS },
                  { "NET", "netProceeds", NULL, NUMBER, ALWAYS },
                  { "COMMISSION", "commission", NULL, NUMBER, WIDE },
                  { "FEES", "totalFees", NULL, NUMBER, WIDE },
                  { "TRADE", "tradeId", NULL, TEXT, WIDE } } },
    { .key = "fills",
      .none = "no fill in these days",
      .flag = "canceled",
      .flagged = "busted: it was canceled after the execution",
      .column = { { "DAY", "tradeDate", NULL, DAY, ALWAYS },
                  { "NEW YORK", "execTime", NULL, TEXT, ALWAYS },
                  { "SYMBOL", "symbol", NULL, TEXT, ALWAYS },
                  { "SIDE", "side", NULL, TEXT, ALWAYS },
                  { "QTY", "qty", NULL, NUMBER, ALWAYS },
                  { "PRICE", "price", NULL, NUMBER, ALWAYS },
                  { "NET", "netProceeds", NULL, NUMBER, WIDE },
                  { "ORDER", "clientOrderId", NULL, TEXT, ALWAYS },
                  { "OR ONE OF", "candidates", NULL, WORDS, WIDE } } },
    { .key = "locateHistory",
      .none = "no locate of today",
      .note = "text",
      .below = 1,
      .column = { { "NEW YORK", "updatedDate", NULL, CLOCK, ALWAYS },
                  { "ID", "quoteReqID", NULL, TEXT, ALWAYS },
                  { "SYMBOL", "symbol", NULL, TEXT, ALWAYS },
                  { "STATUS", "locateStatus", NULL, LOCATE_STATUS, ALWAYS },
                  { "SHARES", "locateShares", NULL, NUMBER, ALWAYS },
                  { "FILLED", "filledShares", NULL, NUMBER, ALWAYS },
                  { "PRICE", "locatePrice", NULL, NUMBER, ALWAYS },
                  { "TYPE", "locateType", NULL, LOCATE_TYPE, WIDE } } },
    { .key = "locateInventory",
      .none = "no shares are located",
      .column = { { "SYMBOL", "symbol", NULL, TEXT, ALWAYS },
                  { "AVAILABLE", "available", NULL, NUMBER, ALWAYS },
                  { "SOLD", "sold", NULL, NUMBER, ALWAYS },
                  { "TO BE SOLD", "toBeSold", NULL, NUMBER, ALWAYS },
                  { "UNAVAILABLE", "unavailable", NULL, NUMBER, ALWAYS },
                  { "TYPE", "locateType", NULL, LOCATE_TYPE, ALWAYS } } },
};

/* Returns the list that the answer has, and sets *rows; NULL if it has none that is known. */
static const struct list *list_of(const cJSON *answer, const cJSON **rows)
{
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        *rows = og_doc_get(answer, lists[i].key);
        if (cJSON_IsArray(*rows))
            return &lists[i];
    }
    *rows = NULL;
    return NULL;
}

/* --- cells -------------------------------------------------------------------------------------------------------- */

static const char *locate_status(int64_t status)
{
    switch (status) {
    case OG_LOCATE_NEW: return "new";
    case OG_LOCATE_FILLED: return "filled";
    case OG_LOCATE_CANCELED: return "canceled";
    case OG_LOCATE_PENDING: return "pending";
    case OG_LOCATE_REJECTED: return "rejected";
    case OG_LOCATE_OFFERED: return "offered";
    case OG_LOCATE_EXPIRED: return "expired";
    case OG_LOCATE_QUOTING: return "quoting";
    default: return NULL;
    }
}

static const char *locate_type(int64_t type)
{
    static const char *const words[] = { "", "locate", "locate", "pre-borrow", "single-use" }; /* J14 to J16 */

    return type >= 0 && type < (int64_t)(sizeof words / sizeof *words) ? words[type] : NULL;
}

static enum og_ink ink_of(struct og_str status)
{
    return og_str_is(status, "Rejected") ? OG_INK_RED : og_str_is(status, "Filled") ? OG_INK_GREEN : OG_INK_NONE;
}

static void add_words(struct og_buf *b, const cJSON *list)
{
    const cJSON *item;

    cJSON_ArrayForEach (item, list)
        if (cJSON_IsString(item))
            og_buf_format(b, "%s%s", b->len > 0 ? " " : "", item->valuestring);
}

/* Append an instant in New York: `from` is where it begins in "2026-01-15 09:30:00". A text that is no instant stays as
 * it is. */
static void add_time(struct og_buf *b, struct og_str text, size_t from)
{
    int64_t at;

    if (og_time_read(text.s, text.len, &at))
        og_buf_text(b, og_eastern_text(at).s + from);
    else
        og_buf_str(b, text);
}

static const char *key_of(const struct column *c, const cJSON *row)
{
    const cJSON *item = og_doc_get(row, c->key);

    return c->other && (!item || cJSON_IsNull(item)) ? c->other : c->key;
}

/* Append what the cell shows. */
static void add_cell(const struct og_show *v, struct og_buf *b, const struct column *c, const cJSON *row)
{
    const char *key = key_of(c, row), *word = NULL;
    const struct og_str text = og_doc_str_or_empty(row, key);
    int64_t n = 0;

    switch (c->kind) {
    case TIME: add_time(b, text, v->sheet.columns < COLUMNS_WIDE ? 5 : 0); return; /* without the year */
    case CLOCK: add_time(b, text, 11); return;
    case DAY: og_buf_bytes(b, text.s, text.len < 10 ? text.len : 10); return;
    case WORDS: add_words(b, og_doc_get(row, key)); return;
    case SIDE: og_terms_side(b, row); return;
    case PRICE: og_terms_price(b, row); return;
    case LOCATE_STATUS:
    case LOCATE_TYPE:
        if (og_doc_int(row, key, &n))
            word = c->kind == LOCATE_TYPE ? locate_type(n) : locate_status(n);
        if (word) {
            og_buf_text(b, word);
            return;
        }
        break;
    default: break;
    }
    og_terms_member(b, row, key, "");
}

static void set_cell(struct og_show *v, struct og_cell *cells, int column, const struct column *c, const cJSON *row)
{
    const bool right = c->kind == NUMBER || c->kind == GAIN;
    enum og_ink ink = OG_INK_NONE;
    struct og_money amount;
    struct og_buf b;

    og_buf_init(&b, 0);
    add_cell(v, &b, c, row);
    if (c->kind == GAIN && og_doc_money(row, key_of(c, row), &amount) && amount.coef < 0)
        ink = OG_INK_RED;
    if (c->kind == STATUS)
        ink = ink_of(og_show_str(&b));
    og_table_set(cells, column, og_show_str(&b), right, ink);
    v->text.bad |= b.bad;
    og_buf_clear(&b);
}

/* --- tables ------------------------------------------------------------------------------------------------------- */

static bool is_shown(const struct og_show *v, const struct column *c)
{
    return c->shown == ALWAYS || (c->shown == WIDE) == (v->sheet.columns >= COLUMNS_WIDE);
}

static void name_columns(const struct og_show *v, struct og_table *t, const struct list *l)
{
    const char *names[OG_TABLE_COLUMNS];
    int count = 0;

    for (int i = 0; l->column[i].name; i++) {
        if (!is_shown(v, &l->column[i]))
            continue;
        if (l->column[i].kind == TIME || l->column[i].kind == CLOCK || l->column[i].kind == DAY)
            t->whole |= 1u << count;
        if (i == l->below)
            t->below = count;
        names[count++] = l->column[i].name;
    }
    t->wraps = l->wraps;
    og_table_name(t, count, names);
}

static void add_row(struct og_show *v, struct og_table *t, const struct list *l, const cJSON *row)
{
    struct og_cell *cells = og_table_add(t);
    const struct og_str note = l->note ? og_doc_str_or_empty(row, l->note) : OG_STR("");
    bool flagged = false;
    const cJSON *leg;
    struct og_buf b;
    int column = 0;

    for (int i = 0; l->column[i].name; i++)
        if (is_shown(v, &l->column[i]))
            set_cell(v, cells, column++, &l->column[i], row);
    cJSON_ArrayForEach (leg, og_doc_get(row, "legs")) {
        og_buf_init(&b, 0);
        og_buf_text(&b, "leg: ");
        og_terms_side(&b, leg);
        og_terms_member(&b, leg, og_doc_get(leg, "ratio") ? "ratio" : "qty", " ");
        og_terms_member(&b, leg, "symbol", " ");
        og_table_note(t, OG_TABLE_INDENT, OG_TABLE_INDENT, OG_INK_NONE, og_show_str(&b));
        v->text.bad |= b.bad;
        og_buf_clear(&b);
    }
    if (l->flag && og_doc_bool(row, l->flag, &flagged) && flagged)
        og_table_note(t, OG_TABLE_INDENT, OG_TABLE_INDENT, OG_INK_RED, og_str_of(l->flagged));
    if (note.len > 0)
        og_table_note(t, OG_TABLE_INDENT, OG_TABLE_INDENT, ink_of(og_doc_str_or_empty(row, "orderStatus")), note);
}

/* Write the members of an object, a line each; those of an object in it with its key before theirs. */
static void add_members(struct og_show *v, struct og_table *t, const cJSON *object, const char *before)
{
    const cJSON *item;

    cJSON_ArrayForEach (item, object) {
        const bool number = og_item_is_number(item);
        struct og_cell *row;
        char key[80];
        struct og_buf b;

        if (cJSON_IsArray(item) || cJSON_IsNull(item) || t->rows >= MEMBERS_MOST || !item->string)
            continue;
        snprintf(key, sizeof key, "%s%s%s", before, *before ? "." : "", item->string);
        if (cJSON_IsObject(item)) {
            if (!*before)
                add_members(v, t, item, item->string);
            continue;
        }
        row = og_table_add(t);
        og_buf_init(&b, 0);
        if (cJSON_IsBool(item))
            og_buf_text(&b, cJSON_IsTrue(item) ? "yes" : "no");
        else
            og_terms_member(&b, object, item->string, "");
        og_table_set_text(row, 0, key);
        og_table_set(row, 1, og_show_str(&b), false, number && b.len > 0 && b.s[0] == '-' ? OG_INK_RED : OG_INK_NONE);
        v->text.bad |= b.bad;
        og_buf_clear(&b);
    }
}

static void put_members(struct og_show *v, const cJSON *object)
{
    struct og_table t = { .columns = 2, .whole = 1u };

    add_members(v, &t, object, "");
    og_table_put(&v->sheet, NULL, &t, 0);
}

/* Say where the rows stand in the whole, if there are more. */
static void put_page(struct og_show *v, const cJSON *answer, int count)
{
    const cJSON *page = og_doc_get(answer, "pagination");
    const int64_t offset = og_doc_int_or_0(page, "currentOffset"), total = og_doc_int_or_0(page, "totalRecords");
    struct og_buf b;

    if (total <= count)
        return;
    og_buf_init(&b, 0);
    og_buf_format(&b, "%lld of %lld rows, from %lld on; --offset %lld shows the next, --all shows all",
                  (long long)count, (long long)total, (long long)offset, (long long)offset + count);
    og_buf_char(&v->text, '\n');
    og_sheet_words(&v->sheet, 0, 2, OG_INK_BOLD, og_show_str(&b));
    v->text.bad |= b.bad;
    og_buf_clear(&b);
}

static void put_list(struct og_show *v, const cJSON *answer, const struct list *l, const cJSON *rows)
{
    struct og_table t = { .rows = 0 };
    const cJSON *row;

    if (!rows->child)
        og_buf_format(&v->text, "%s\n", l->none);
    name_columns(v, &t, l);
    cJSON_ArrayForEach (row, rows)
        add_row(v, &t, l, row);
    og_table_put(&v->sheet, NULL, &t, 1);
    put_page(v, answer, cJSON_GetArraySize(rows));
    if (strcmp(l->key, "pnl") == 0) {
        og_buf_char(&v->text, '\n');
        put_members(v, answer); /* the totals */
    }
}

/* Write one order: as a row of the list of orders, with its legs, and then all its members. */
static void put_order(struct og_show *v, const cJSON *order)
{
    struct og_table t = { .rows = 0 };

    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        if (strcmp(lists[i].key, "orders") != 0)
            continue;
        name_columns(v, &t, &lists[i]);
        add_row(v, &t, &lists[i], order);
    }
    og_table_put(&v->sheet, NULL, &t, 1);
    og_buf_char(&v->text, '\n');
    put_members(v, order);
}

static void put_table(struct og_show *v, const cJSON *answer)
{
    const cJSON *rows;
    const struct list *l = list_of(answer, &rows);

    if (l)
        put_list(v, answer, l, rows);
    else if (og_doc_get(answer, "orderStatus"))
        put_order(v, answer);
    else
        put_members(v, answer);
}

/* --- CSV and rows ------------------------------------------------------------------------------------------------- */

/* The keys of all rows, in order of first occurrence. */
struct keys {
    const char *key[MEMBERS_MOST];
    int count;
};

static void collect(struct keys *k, const cJSON *row)
{
    const cJSON *item;

    cJSON_ArrayForEach (item, row) {
        int i = 0;

        while (i < k->count && strcmp(k->key[i], item->string) != 0)
            i++;
        if (i == k->count && i < MEMBERS_MOST)
            k->key[k->count++] = item->string;
    }
}

static void put_value(struct og_show *v, const cJSON *row, const char *key)
{
    const cJSON *item = og_doc_get(row, key);
    struct og_buf b;

    if (cJSON_IsString(item)) {
        og_csv_text(&v->text, og_str_of(item->valuestring));
    } else if (cJSON_IsArray(item) || cJSON_IsObject(item)) {
        og_buf_init(&b, 0);
        v->text.bad |= !og_doc_text(item, &b);
        og_csv_text(&v->text, og_show_str(&b));
        og_buf_clear(&b);
    } else if (item && !cJSON_IsNull(item)) {
        v->text.bad |= !og_doc_text(item, &v->text);
    }
}

static void put_csv(struct og_show *v, const struct keys *k, const cJSON *row)
{
    for (int i = 0; i < k->count; i++) {
        og_buf_text(&v->text, i > 0 ? "," : "");
        if (row)
            put_value(v, row, k->key[i]);
        else
            og_csv_text(&v->text, og_str_of(k->key[i]));
    }
    og_buf_char(&v->text, '\n');
}

static void put_rows(struct og_show *v, const cJSON *answer)
{
    const cJSON *list, *row = list_of(answer, &list) ? list->child : answer;
    const bool csv = v->format == OG_SHOW_CSV;
    struct keys k = { .count = 0 };

    for (const cJSON *at = row; at && csv; at = list ? at->next : NULL)
        collect(&k, at);
    if (csv && k.count > 0)
        put_csv(v, &k, NULL);
    for (; row; row = list ? row->next : NULL) {
        if (csv) {
            put_csv(v, &k, row);
        } else {
            v->text.bad |= !og_doc_text(row, &v->text);
            og_buf_char(&v->text, '\n');
        }
    }
}

enum og_status og_show_answer(struct og_show *v, const char *json, size_t len)
{
    cJSON *answer = NULL;
    enum og_status status;

    if (!v || !json)
        return OG_EINVAL;
    og_show_begin(v, true);
    status = og_doc_read(json, len, "answer", &answer, NULL);
    if (status == OG_OK && v->format == OG_SHOW_TABLE)
        put_table(v, answer);
    else if (status == OG_OK)
        put_rows(v, answer);
    cJSON_Delete(answer);
    return status;
}
