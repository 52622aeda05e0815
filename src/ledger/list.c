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
#include "text/terms.h"

/* number of rows printed as one table with common column widths: a list may have millions of rows */
#define TABLE_ROWS 1000

#define IN_TIME "at >= ?2 AND at < ?3"
#define ACTIVE  "record NOT IN (" OG_LEDGER_BESIDE ")"
/* Condition: the record is a recent one. A ledger may have millions of records. */
#define RECENT "seq > (SELECT max(seq) FROM rows) - 10000"
/* Query for the newest records of those orders that have a record which meets the condition. */
#define NEWEST_OF(condition)                                                                                   \
    "SELECT coalesce((SELECT " OG_LEDGER_NEWEST_OF " FROM ids i WHERE i.account = t.account AND i.id = t.id)," \
    " (SELECT max(d.seq) FROM rows d WHERE d.account = t.account AND d.id = t.id AND d." ACTIVE ")) FROM"      \
    " (SELECT DISTINCT account, id FROM rows WHERE " condition " AND id IS NOT NULL AND " ACTIVE ") t"         \
    " UNION ALL SELECT seq FROM rows WHERE " condition " AND id IS NULL AND NOT " OG_LEDGER_OF_NO_ORDER
/* Condition: the record is of the account, or about a halt, which is of all accounts. */
#define OF_ACCOUNT_OR_ALL "(r.record = '" OG_LEDGER_TRADING "' OR " OG_LEDGER_OF_ACCOUNT ")"
#define OPEN_OF_TIME                                                                                                   \
    " AND EXISTS (SELECT 1 FROM rows t WHERE t.account = r.account AND t.id = r.id AND t." IN_TIME_OF " AND t." ACTIVE \
    ")"
#define IN_TIME_OF    "at >= ?2 AND t.at < ?3"
#define HALTS         "SELECT seq FROM rows WHERE " OG_LEDGER_OF_HALTS
#define HALTS_OF_TIME HALTS " AND " IN_TIME
/* Condition: a decision about the order has a finding of this rule or reason. */
#define FINDINGS(of) "json_each(CASE WHEN json_valid(" of ".detail) THEN " of ".detail ELSE '{}' END, '$.findings') f"
#define OF_RULE      "?4 IN (f.value ->> 'rule', f.value ->> 'reason')"
#define FOUND                                                                                                          \
    " AND (EXISTS (SELECT 1 FROM rows d, " FINDINGS("d") " WHERE d.account = r.account AND d.id = r.id AND d.record =" \
                                                         " 'decision' AND " OF_RULE                                    \
                                                         ") OR (r.id IS NULL AND EXISTS (SELECT 1 FROM " FINDINGS(     \
                                                             "r") " WHERE " OF_RULE ")))"

enum { ACCOUNT = 1, SINCE, UNTIL, RULE, OF_TAG, NEWEST };

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

/* Returns true if a condition is set that only orders meet. */
static bool wants_orders(const struct og_ledger_filter *f)
{
    return f->state_count > 0 || f->symbol || f->tag || f->rule || f->open;
}

static sqlite3_stmt *select_orders(struct og_ledger *l, const struct og_ledger_filter *f, struct og_error *err)
{
    const bool in_time = f->since != 0 || f->until != 0, open = f->open && l->version >= 6;
    const bool orders = f->halts != OG_LEDGER_HALTS_ONLY, halts = f->halts != OG_LEDGER_NO_HALTS && !wants_orders(f);
    sqlite3_stmt *s;
    struct og_buf b;

    og_buf_init(&b, 0);
    og_buf_text(&b, open ? OG_LEDGER_OPEN_ORDERS " WHERE " : "rows r WHERE r.seq IN (");
    if (!open && orders)
        og_buf_text(&b, in_time ? NEWEST_OF(IN_TIME) : f->newest ? NEWEST_OF(RECENT) : OG_LEDGER_NEWEST_OF_EACH);
    if (halts && orders)
        og_buf_text(&b, " UNION ALL ");
    if (halts)
        og_buf_text(&b, in_time ? HALTS_OF_TIME : HALTS);
    if (!open)
        og_buf_text(&b, ") AND ");
    og_buf_text(&b, halts ? OF_ACCOUNT_OR_ALL : OG_LEDGER_OF_ACCOUNT);
    if (open && in_time)
        og_buf_text(&b, OPEN_OF_TIME);
    if (f->tag)
        og_buf_text(&b, " AND r.tag = ?5");
    if (f->rule)
        og_buf_text(&b, FOUND);
    og_buf_text(&b, f->newest ? " ORDER BY r.seq DESC LIMIT ?6" : " ORDER BY r.seq");
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
    if (s && f->newest)
        sqlite3_bind_int(s, NEWEST, f->newest);
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
    if ((unsigned)f->halts > OG_LEDGER_HALTS_ONLY)
        return og_fail(err, OG_EINVAL, "%d is not one of og_ledger_halts", (int)f->halts);
    if (f->newest < 0 || (f->newest > 0 && (wants_orders(f) || f->since || f->until || f->halts)))
        return og_fail(err, OG_EINVAL, "newest is a positive number, and goes with account alone");
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

    if (status != OG_OK || (f->halts == OG_LEDGER_HALTS_ONLY && wants_orders(f)))
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
    char account[200];          /* the account that all rows before are of; "" if they are of several */
    long long count[OG_STATES]; /* orders of the table, by state */
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

#define COLUMNS_WIDE 120 /* lines that have room for a column for each term of an order */

enum { TIME, OF_ACCOUNT, ORDER, STATE, TERMS }; /* the first columns */

static bool is_wide(const struct printing *p)
{
    return p->page.columns >= COLUMNS_WIDE;
}

/* Write the rows.  The account stands above them if they have the same. */
static enum og_status put_table(struct printing *p)
{
    const char *account = og_table_drop_same(&p->table, OF_ACCOUNT);

    p->table.whole = 1u << TIME | (account ? 0u : 1u << OF_ACCOUNT);
    if (account && strcmp(account, p->account) != 0) {
        snprintf(p->account, sizeof p->account, "%s", account);
        og_sheet_ink(&p->page, OG_INK_BOLD, true);
        og_buf_format(&p->b, "account %s", account);
        og_sheet_ink(&p->page, OG_INK_BOLD, false);
        og_buf_char(&p->b, '\n');
    }
    og_table_put(&p->page, NULL, &p->table, 1);
    if (p->b.len > 0 && p->b.s[p->b.len - 1] == '\n')
        p->b.len--; /* drop the last newline: the listener gets lines without one */
    return p->b.len > 0 || p->b.bad ? og_ledger_tell(&p->b, p->line, p->with, p->err) : OG_OK;
}

/* Write how many orders there are in each state, and what to do about unknown ones. */
static enum og_status put_counts(struct printing *p)
{
    const char *before = ": ";
    long long all = 0;
    struct og_buf b;

    for (int i = 0; i < OG_STATES; i++)
        all += p->count[i];
    if (all == 0)
        return OG_OK;
    og_buf_init(&b, 0);
    og_buf_format(&b, "%lld order%s", all, all == 1 ? "" : "s");
    for (int i = 0; i < OG_STATES; i++) {
        if (p->count[i] == 0)
            continue;
        og_buf_format(&b, "%s%lld %s", before, p->count[i], og_state_name((enum og_state)i));
        before = ", ";
    }
    if (p->count[OG_OUTCOME_UNKNOWN] > 0)
        og_buf_text(&b, "; `ordergate send --recover` asks the broker about unknown ones");
    og_buf_char(&p->b, '\n');
    og_sheet_words(&p->page, 0, 2, OG_INK_BOLD, (struct og_str){ b.s, b.len });
    p->b.len -= p->b.len > 0;
    p->b.bad |= b.bad;
    og_buf_clear(&b);
    return og_ledger_tell(&p->b, p->line, p->with, p->err);
}

static void set_words(struct printing *p, struct og_cell *row, int column, struct og_buf *words, bool right)
{
    p->b.bad |= words->bad;
    og_table_set(row, column, words->len > 0 ? (struct og_str){ words->s, words->len } : OG_STR(""), right,
                 OG_INK_NONE);
    og_buf_reset(words);
}

/* Set the order's terms: in a column each, or all in one. */
static int set_terms(struct printing *p, struct og_cell *row, int column, const cJSON *body)
{
    const int legs = cJSON_GetArraySize(og_doc_get(body, "legs"));
    struct og_buf b;

    og_buf_init(&b, 0);
    if (!is_wide(p)) {
        og_terms(&b, body);
    } else {
        og_terms_side(&b, body);
        set_words(p, row, column++, &b, false);
        og_terms_member(&b, body, "orderQuantity", "");
        set_words(p, row, column++, &b, true);
        og_terms_member(&b, body, "symbol", "");
    }
    if (legs > 0)
        og_buf_format(&b, ", %d leg%s", legs, legs == 1 ? "" : "s");
    set_words(p, row, column++, &b, false);
    if (is_wide(p)) {
        og_terms_price(&b, body);
        set_words(p, row, column++, &b, false);
    }
    og_buf_clear(&b);
    return column;
}

/* Returns the column after the last that it set, as set_terms() does. */
static int set_filled(struct printing *p, struct og_cell *row, int column, const struct og_ledger_row *r)
{
    struct og_buf b;

    og_buf_init(&b, 0);
    if (r->executed.coef != 0) {
        og_buf_money(&b, r->executed);
        if (is_wide(p))
            set_words(p, row, column++, &b, true);
        else
            og_buf_text(&b, " at ");
        og_buf_money(&b, r->price_avg);
    } else if (is_wide(p)) {
        set_words(p, row, column++, &b, true);
    }
    set_words(p, row, column++, &b, is_wide(p));
    og_buf_clear(&b);
    return column;
}

static enum og_ink ink_of(enum og_state state)
{
    switch (state) {
    case OG_OUTCOME_UNKNOWN:
    case OG_REJECTED: return OG_INK_RED;
    case OG_REFUSED:
    case OG_NOT_SENT: return OG_INK_YELLOW;
    case OG_FILLED: return OG_INK_GREEN;
    default: return OG_INK_NONE;
    }
}

static void name_columns(struct printing *p)
{
    if (is_wide(p))
        OG_TABLE_NAMES(&p->table, "NEW YORK TIME", "ACCOUNT", "ID", "STATE", "SIDE", "QTY", "SYMBOL", "PRICE", "FILLED",
                       "AT", "STRATEGY");
    else
        OG_TABLE_NAMES(&p->table, "NEW YORK TIME", "ACCOUNT", "ID", "STATE", "ORDER", "FILLED");
    p->table.below = is_wide(p) ? 0 : TERMS;
}

/* Returns the detail of the record of a halt, which the caller frees; NULL if it cannot be read. */
static cJSON *detail_of(const struct og_ledger_row *halt)
{
    cJSON *doc = NULL;

    if (halt->detail.len > 0)
        (void)og_doc_read(halt->detail.s, halt->detail.len, "detail", &doc, NULL);
    return doc;
}

/* Set a cell to what the record of a halt is about. */
static void set_halt(struct og_cell *row, int column, const struct og_ledger_row *halt, const cJSON *detail)
{
    struct og_str word;

    if (!og_doc_str(detail, "trading", &word))
        word = og_str_of(halt->record);
    og_table_set(row, column, word, false,
                 og_str_is(word, "on") || og_str_is(word, OG_LEDGER_RESUME) ? OG_INK_NONE : OG_INK_RED);
}

static enum og_status tabulate(void *with, const struct og_ledger_seen_row *seen, const cJSON *body)
{
    struct printing *p = with;
    const struct og_ledger_row *row = &seen->row;
    const struct og_time_text at = og_eastern_text(row->at);
    const struct og_str text = row->text.len > 0 ? row->text : row->code;
    const bool halt = og_ledger_is_halt(row);
    cJSON *detail = halt ? detail_of(row) : NULL;
    enum og_status status = OG_OK;
    struct og_cell *cells;
    int column;

    if (p->table.rows >= TABLE_ROWS)
        status = put_table(p);
    if (p->table.rows == 0)
        name_columns(p);
    cells = og_table_add(&p->table);
    og_table_set_text(cells, TIME, is_wide(p) || strlen(at.s) < 19 ? at.s : at.s + 5); /* without the year */
    og_table_set(cells, ORDER, row->id.s ? row->id : OG_STR("-"), false, OG_INK_NONE);
    if (halt) {
        og_table_set(cells, OF_ACCOUNT, row->account.len > 0 ? row->account : OG_STR("all"), false, OG_INK_NONE);
        set_halt(cells, STATE, row, detail);
    } else {
        p->count[seen->state]++;
        og_table_set(cells, OF_ACCOUNT, row->account, false, OG_INK_NONE);
        og_table_set(cells, STATE, og_str_of(og_state_name(seen->state)), false, ink_of(seen->state));
    }
    column = set_filled(p, cells, set_terms(p, cells, TERMS, body), row);
    if (is_wide(p))
        og_table_set(cells, column, row->tag, false, OG_INK_NONE);
    if (text.len > 0)
        og_table_note(&p->table, OG_TABLE_INDENT, OG_TABLE_INDENT, halt ? OG_INK_NONE : ink_of(seen->state), text);
    cJSON_Delete(detail);
    return status;
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
    if (status == OG_OK && table)
        status = put_counts(&p);
    og_table_clear(&p.table);
    og_buf_clear(&p.b);
    return status;
}
