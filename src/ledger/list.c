/*
 * Finds the orders whose newest records pass a filter. Candidates are found by the table of open orders or the index of
 * times if the filter allows that; everything else is compared order by order.
 */
#include "ledger/list.h"

#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

#include "base/error.h"
#include "base/time.h"
#include "ledger/flat.h"
#include "text/table.h"

/* number of rows printed as one table with common column widths: a list may have millions of rows */
#define TABLE_ROWS 1000

#define IN_TIME "at >= ?2 AND at < ?3"
#define ACTIVE  "record NOT IN (" OG_LEDGER_BESIDE ")"
/* Query for the newest records of those orders that have a record within the time. */
#define NEWEST_OF_TIME                                                                                         \
    "SELECT coalesce((SELECT " OG_LEDGER_NEWEST_OF " FROM ids i WHERE i.account = t.account AND i.id = t.id)," \
    " (SELECT max(d.seq) FROM rows d WHERE d.account = t.account AND d.id = t.id AND d." ACTIVE ")) FROM"      \
    " (SELECT DISTINCT account, id FROM rows WHERE " IN_TIME " AND id IS NOT NULL AND " ACTIVE ") t"           \
    " UNION ALL SELECT seq FROM rows WHERE " IN_TIME " AND id IS NULL AND NOT " OG_LEDGER_OF_NO_ORDER
#define OPEN_OF_TIME                                                                                                   \
    " AND EXISTS (SELECT 1 FROM rows t WHERE t.account = r.account AND t.id = r.id AND t." IN_TIME_OF " AND t." ACTIVE \
    ")"
#define IN_TIME_OF "at >= ?2 AND t.at < ?3"
/* Condition: a decision about the order has a finding of this rule or reason. */
#define FINDINGS(of) "json_each(CASE WHEN json_valid(" of ".detail) THEN " of ".detail ELSE '{}' END, '$.findings') f"
#define OF_RULE      "?4 IN (f.value ->> 'rule', f.value ->> 'reason')"
#define FOUND                                                                                                          \
    " AND (EXISTS (SELECT 1 FROM rows d, " FINDINGS("d") " WHERE d.account = r.account AND d.id = r.id AND d.record =" \
                                                         " 'decision' AND " OF_RULE                                    \
                                                         ") OR (r.id IS NULL AND EXISTS (SELECT 1 FROM " FINDINGS(     \
                                                             "r") " WHERE " OF_RULE ")))"

enum { ACCOUNT = 1, SINCE, UNTIL, RULE, OF_TAG };

/* --- the query ---------------------------------------------------------------------------------------------------- */

/* Bind a bound of time as text, cut to 19 bytes (whole seconds). As text it sorts like the records' times, which go on
 * with a fraction or Z. */
static void bind_second(sqlite3_stmt *s, int at, int64_t ns, bool up, const char *none)
{
    struct og_time_text text;

    if (ns == 0 || ns == OG_TIME_UNKNOWN) {
        og_ledger_bind(s, at, og_str_of(none));
        return;
    }
    if (up && ns % OG_NS_PER_S != 0)
        ns += OG_NS_PER_S;
    text = og_time_text(ns);
    og_ledger_bind(s, at, (struct og_str){ text.s, 19 });
}

void og_ledger_bind_time(sqlite3_stmt *s, int from, int64_t since, int64_t until)
{
    bind_second(s, from, since, false, "");
    bind_second(s, from + 1, until, true, "~");
}

static sqlite3_stmt *select_orders(struct og_ledger *l, const struct og_ledger_filter *f, struct og_error *err)
{
    const bool in_time = f->since != 0 || f->until != 0, open = f->open && l->version >= 6;
    sqlite3_stmt *s;
    struct og_buf b;

    og_buf_init(&b, 0);
    if (open)
        og_buf_text(&b, OG_LEDGER_OPEN_ORDERS " WHERE ");
    else
        og_buf_format(&b, "rows r WHERE r.seq IN (%s) AND ", in_time ? NEWEST_OF_TIME : OG_LEDGER_NEWEST_OF_EACH);
    og_buf_text(&b, OG_LEDGER_OF_ACCOUNT);
    if (open && in_time)
        og_buf_text(&b, OPEN_OF_TIME);
    if (f->tag)
        og_buf_text(&b, " AND r.tag = ?5");
    if (f->rule)
        og_buf_text(&b, FOUND);
    og_buf_text(&b, " ORDER BY r.seq");
    if (b.bad)
        og_fail(err, OG_ENOMEM, "out of memory");
    s = b.bad ? NULL : og_ledger_select(l, b.s, err);
    og_buf_clear(&b);
    og_ledger_bind(s, ACCOUNT, og_str_of(f->account));
    if (s && in_time)
        og_ledger_bind_time(s, SINCE, f->since, f->until);
    if (f->rule)
        og_ledger_bind(s, RULE, og_str_of(f->rule));
    if (f->tag)
        og_ledger_bind(s, OF_TAG, og_str_of(f->tag));
    return s;
}

/* --- what is compared order by order ------------------------------------------------------------------------------ */

static bool is_symbol(const cJSON *of, const char *symbol)
{
    struct og_str text;

    return og_doc_str(of, "symbol", &text) && text.len == strlen(symbol) && strncasecmp(text.s, symbol, text.len) == 0;
}

static bool has_symbol(const cJSON *body, const char *symbol)
{
    const cJSON *leg;
    bool found;

    if (!symbol)
        return true;
    found = is_symbol(body, symbol);
    cJSON_ArrayForEach (leg, og_doc_get(body, "legs"))
        found |= is_symbol(leg, symbol);
    return found;
}

static bool has_state(const struct og_ledger_filter *f, enum og_state state)
{
    bool found = f->state_count == 0;

    for (size_t i = 0; i < f->state_count; i++)
        found |= strcmp(f->states[i], og_state_name(state)) == 0;
    return found && (!f->open || (state != OG_NOT_SENT && state != OG_REFUSED && !og_state_is_final(state)));
}

static enum og_status check(const struct og_ledger_filter *f, struct og_error *err)
{
    enum og_state state;

    for (size_t i = 0; i < f->state_count; i++)
        if (!f->states || !f->states[i] || !og_state_of(og_str_of(f->states[i]), &state))
            return og_fail(err, OG_EINVAL,
                           "'%.40s' is not a state; states are refused, intended, posted, unknown, not-sent, working,"
                           " filled, canceled, rejected, expired and done",
                           f->states && f->states[i] ? f->states[i] : "");
    return OG_OK;
}

enum og_status og_ledger_orders(struct og_ledger *l, const struct og_ledger_filter *f, og_ledger_order_viewer *viewer,
                                void *with, struct og_error *err)
{
    enum og_status status = check(f, err);
    struct og_ledger_seen_row seen;
    sqlite3_stmt *s;
    const cJSON *body;
    cJSON *doc;

    if (status != OG_OK)
        return status;
    s = select_orders(l, f, err);
    while (status == OG_OK && og_ledger_next(l, s, &status, err)) {
        og_ledger_see(l, s, &seen);
        if (!has_state(f, seen.state))
            continue;
        status = og_ledger_order_of(l, &seen.row, &doc, &body, err);
        if (status == OG_OK && has_symbol(body, f->symbol))
            status = viewer(with, &seen, body);
        cJSON_Delete(doc);
    }
    sqlite3_finalize(s);
    return status;
}

struct printing {
    og_ledger_listener *line;
    void *with;
    struct og_buf b;
    struct og_error *err;
    struct og_sheet page;
    struct og_table table;
    bool csv;
};

static enum og_status print(void *with, const struct og_ledger_seen_row *seen, const cJSON *body)
{
    struct printing *p = with;

    og_ledger_write_listed(&p->b, seen, body);
    return og_ledger_tell(&p->b, p->line, p->with, p->err);
}

static enum og_status flatten(void *with, const struct og_ledger_seen_row *seen, const cJSON *body)
{
    struct printing *p = with;

    og_flat_row(&p->b, p->csv, seen, body);
    return og_ledger_tell(&p->b, p->line, p->with, p->err);
}

/* --- a table ------------------------------------------------------------------------------------------------------ */

static enum og_status put_table(struct printing *p)
{
    og_table_put(&p->page, NULL, &p->table, 1);
    if (p->b.len > 0 && p->b.s[p->b.len - 1] == '\n')
        p->b.len--; /* drop the last newline: the listener gets lines without one */
    return p->b.len > 0 || p->b.bad ? og_ledger_tell(&p->b, p->line, p->with, p->err) : OG_OK;
}

static void set_member(struct og_cell *row, int column, const cJSON *body, const char *key)
{
    struct og_str text;

    if (og_doc_str(body, key, &text))
        og_table_set(row, column, text, false, OG_INK_NONE);
}

static void set_money(struct og_cell *row, int column, bool known, struct og_money amount)
{
    if (known)
        og_table_set(row, column, og_str_of(og_money_text(amount).s), true, OG_INK_NONE);
    else
        og_table_set(row, column, OG_STR(""), true, OG_INK_NONE);
}

static enum og_status tabulate(void *with, const struct og_ledger_seen_row *seen, const cJSON *body)
{
    struct printing *p = with;
    const struct og_ledger_row *row = &seen->row;
    const bool bad = seen->state == OG_OUTCOME_UNKNOWN;
    enum og_status status = OG_OK;
    struct og_money quantity = { 0, 0 };
    struct og_cell *cells;

    if (p->table.rows >= TABLE_ROWS)
        status = put_table(p);
    if (p->table.rows == 0)
        OG_TABLE_NAMES(&p->table, "NEW YORK TIME", "ACCOUNT", "ORDER", "STATE", "SIDE", "QTY", "SYMBOL", "FILLED", "AT",
                       "TEXT");
    p->table.whole = 1u; /* the time */
    cells = og_table_add(&p->table);
    og_table_set_text(cells, 0, og_ledger_eastern(row->at).s);
    og_table_set(cells, 1, row->account, false, OG_INK_NONE);
    og_table_set(cells, 2, row->id.s ? row->id : OG_STR("-"), false, OG_INK_NONE);
    og_table_set(cells, 3, og_str_of(og_state_name(seen->state)), false, bad ? OG_INK_RED : OG_INK_NONE);
    set_member(cells, 4, body, "side");
    set_money(cells, 5, og_doc_money(body, "orderQuantity", &quantity), quantity);
    set_member(cells, 6, body, "symbol");
    set_money(cells, 7, row->executed.coef != 0, row->executed);
    set_money(cells, 8, row->executed.coef != 0, row->price_avg);
    og_table_set(cells, 9, row->text.s ? row->text : row->code, false, OG_INK_NONE);
    return status;
}

struct og_time_text og_ledger_eastern(int64_t at)
{
    struct og_time_text text = { "unknown" };
    struct og_eastern t;

    if (at == OG_TIME_UNKNOWN)
        return text;
    og_eastern_from(og_time_within(at), &t);
    snprintf(text.s, sizeof text.s, "%04d-%02d-%02d %.8s", t.year % 10000, t.month % 100, t.day % 100,
             og_clock_text(t.ns_of_day).s);
    return text;
}

struct og_sheet og_ledger_sheet(const struct og_ledger_look *look, struct og_buf *to)
{
    return (struct og_sheet){ .to = to,
                              .columns = !look                ? 80
                                         : look->columns < 40 ? 40
                                                              : look->columns,
                              .colour = look && look->colour };
}

enum og_status og_ledger_list(struct og_ledger *l, const struct og_ledger_filter *filter,
                              const struct og_ledger_look *look, og_ledger_listener *line, void *with,
                              struct og_error *err)
{
    static const struct og_ledger_filter all;
    struct printing p = { .line = line, .with = with, .err = err, .page = og_ledger_sheet(look, &p.b) };
    const enum og_ledger_format format = look ? look->format : OG_LEDGER_JSON;
    const bool table = format == OG_LEDGER_TABLE, flat = format == OG_LEDGER_CSV || format == OG_LEDGER_FLAT;
    enum og_status status = OG_OK;

    if (!l)
        return og_missing(err);
    if (!table && !flat && format != OG_LEDGER_JSON)
        return og_fail(err, OG_EINVAL, "%d is not a format of a list", (int)format);
    og_buf_init(&p.b, 0);
    p.csv = format == OG_LEDGER_CSV;
    if (p.csv) {
        og_flat_names(&p.b);
        status = og_ledger_tell(&p.b, line, with, err);
    }
    if (status == OG_OK)
        status = og_ledger_orders(l, filter ? filter : &all, table ? tabulate : flat ? flatten : print, &p, err);
    if (status == OG_OK && table)
        status = put_table(&p);
    og_table_clear(&p.table);
    og_buf_clear(&p.b);
    return status;
}
