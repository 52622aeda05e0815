/*
 * Records as lines of output.  An intended order whose run is over is shown as unknown.
 */
#include "ledger/view.h"

#include "base/error.h"
#include "ledger/place.h"
#include "ordergate/time.h"

enum { RUN_NUMBER = OG_LEDGER_FIELDS, HASH };

#define UNKNOWN "WHERE r.state IN ('unknown', 'intended') AND " OG_LEDGER_OF_ACCOUNT " ORDER BY r.seq"
/* The accounts that have records. The index finds each account as the next one after the previous account. */
#define ACCOUNTS                                                                                             \
    "(WITH RECURSIVE a(x) AS (SELECT min(account) FROM rows UNION ALL SELECT (SELECT min(account) FROM rows" \
    " WHERE account > a.x) FROM a WHERE a.x IS NOT NULL) SELECT x FROM a WHERE x IS NOT NULL)"

static const char *const from[] = {
    [OG_LEDGER_LIST] =
        "rows r WHERE r.seq IN (" OG_LEDGER_NEWEST_OF_EACH ") AND " OG_LEDGER_OF_ACCOUNT " ORDER BY r.seq",
    [OG_LEDGER_OPEN] = OG_LEDGER_OPEN_ORDERS " " UNKNOWN,
    [OG_LEDGER_SHOW] =
        "rows r WHERE r.account IN " ACCOUNTS " AND r.id = ?2 AND " OG_LEDGER_OF_ACCOUNT " ORDER BY r.seq",
    [OG_LEDGER_EXPORT] = "rows r WHERE " OG_LEDGER_OF_ACCOUNT " ORDER BY r.seq",
};
/* The view OG_LEDGER_OPEN for a ledger from before schema 6, which has no table of open orders. */
static const char unknown_by_records[] = "ids i JOIN rows r ON r.seq = " OG_LEDGER_NEWEST_OF " " UNKNOWN;
/* What follows FROM in a query that finds an order by the broker's id. */
static const char by_broker_id[] =
    "rows r WHERE (r.account, r.id) IN (SELECT account, id FROM rows WHERE broker_id = ?2 AND broker_id <> id) AND"
    " " OG_LEDGER_OF_ACCOUNT " ORDER BY r.seq";

sqlite3_stmt *og_ledger_select(struct og_ledger *l, const char *what, struct og_error *err)
{
    char *sql = sqlite3_mprintf("SELECT " OG_LEDGER_COLUMNS ", (SELECT n FROM runs WHERE run = r.run), %s FROM %s",
                                l->version >= 2 ? "r.hash" : "NULL", what);
    sqlite3_stmt *s = NULL;

    if (!sql)
        og_fail(err, OG_ENOMEM, "out of memory");
    else
        s = og_ledger_query(l, sql, err);
    sqlite3_free(sql);
    return s;
}

void og_ledger_see(struct og_ledger *l, sqlite3_stmt *s, struct og_ledger_seen_row *seen)
{
    og_ledger_read_row(s, &seen->row);
    seen->alive = og_ledger_run_alive(l->runs, sqlite3_column_int64(s, RUN_NUMBER));
    seen->state = seen->row.state == OG_INTENDED && !seen->alive && strcmp(seen->row.record, "decision") != 0
                      ? OG_OUTCOME_UNKNOWN
                      : seen->row.state;
    seen->hash = og_ledger_column(s, HASH);
}

static enum og_status walk(struct og_ledger *l, const char *what, enum og_ledger_view view, const char *account,
                           const char *id, og_ledger_viewer *viewer, void *with, long long *count, struct og_error *err)
{
    sqlite3_stmt *s = og_ledger_select(l, what, err);
    enum og_status status = OG_OK;
    struct og_ledger_seen_row seen;

    og_ledger_bind(s, 1, og_str_of(account));
    if (sqlite3_bind_parameter_count(s) > 1)
        og_ledger_bind(s, 2, og_str_of(id));
    while (status == OG_OK && og_ledger_next(l, s, &status, err)) {
        og_ledger_see(l, s, &seen);
        if (view == OG_LEDGER_OPEN && seen.state != OG_OUTCOME_UNKNOWN)
            continue;
        ++*count;
        status = viewer(with, &seen);
    }
    sqlite3_finalize(s);
    return status;
}

enum og_status og_ledger_walk(struct og_ledger *l, enum og_ledger_view view, const char *account, const char *id,
                              og_ledger_viewer *viewer, void *with, long long *count, struct og_error *err)
{
    enum og_status status;

    *count = 0;
    status = walk(l, view == OG_LEDGER_OPEN && l->version < 6 ? unknown_by_records : from[view], view, account, id,
                  viewer, with, count, err);
    if (status == OG_OK && *count == 0 && view == OG_LEDGER_SHOW)
        status = walk(l, by_broker_id, view, account, id, viewer, with, count, err);
    return status;
}

/* --- writing JSON ------------------------------------------------------------------------------------------------- */

bool og_ledger_is_line(struct og_str json, struct og_buf *b)
{
    cJSON *doc = NULL;
    enum og_status status = OG_ESYNTAX;

    if (json.len > 0 && !memchr(json.s, '\n', json.len) && !memchr(json.s, '\r', json.len))
        status = og_doc_read(json.s, json.len, "detail", &doc, NULL);
    b->bad |= status == OG_ENOMEM;
    cJSON_Delete(doc);
    return status == OG_OK;
}

void og_ledger_write_row(struct og_buf *b, const struct og_ledger_row *row, enum og_state state)
{
    og_buf_format(b, "{\"seq\":%lld", (long long)row->seq);
    og_member_str(b, "at", og_str_of(og_time_text(row->at).s));
    og_member_str(b, "run", row->run);
    og_member_str(b, "accountId", row->account.len > 0 ? row->account : (struct og_str){ NULL, 0 });
    og_member_str(b, "clientOrderId", row->id);
    if (row->tag.len > 0)
        og_member_str(b, "tag", row->tag);
    og_member_str(b, "record", og_str_of(row->record));
    og_member_str(b, "state", og_str_of(og_state_name(state)));
    og_member_str(b, "outcome", row->outcome);
    og_member_str(b, "brokerOrderId", row->broker_id);
    og_member_money(b, "executed", row->executed);
    og_member_money(b, "priceAvg", row->price_avg);
    og_member_str(b, "code", row->code);
    og_member_str(b, "text", row->text);
}

enum og_status og_ledger_tell(struct og_buf *b, og_ledger_listener *line, void *with, struct og_error *err)
{
    enum og_status status = OG_OK;

    if (b->bad)
        status = og_fail(err, OG_ENOMEM, "out of memory");
    else if (line && line(with, b->s, b->len) != 0)
        status = og_fail(err, OG_EIO, "the output cannot be written");
    og_buf_reset(b);
    return status;
}

/* Write the terms of an order, from its body; null for members that the body lacks, or if the body is unknown. */
static void write_terms(struct og_buf *b, const cJSON *body)
{
    static const char *const words[] = { "symbol", "side", "openClose" };
    const cJSON *legs = og_doc_get(body, "legs");
    struct og_money quantity;
    struct og_str word;

    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        og_member_str(b, words[i], og_doc_str(body, words[i], &word) ? word : (struct og_str){ NULL, 0 });
    if (og_doc_money(body, "orderQuantity", &quantity))
        og_member_money(b, "orderQuantity", quantity);
    else
        og_member_text(b, "orderQuantity", NULL);
    og_member_key(b, "legs");
    if (!legs)
        og_buf_text(b, "null");
    else
        b->bad |= !og_doc_text(legs, b);
}

enum og_status og_ledger_order_of(struct og_ledger *l, const struct og_ledger_row *row, cJSON **doc, const cJSON **body,
                                  struct og_error *err)
{
    struct og_buf posted;
    enum og_status status = OG_OK;
    bool refused = strcmp(row->record, "decision") == 0 && row->state == OG_REFUSED;
    struct og_str json = row->detail;

    *doc = NULL;
    og_buf_init(&posted, 0);
    if (!refused) {
        status = og_ledger_body(l, row->account, row->id, &posted, err);
        json = (struct og_str){ posted.s, posted.len };
    }
    if (status == OG_OK &&
        (posted.bad || (json.len > 0 && og_doc_read(json.s, json.len, "detail", doc, NULL) == OG_ENOMEM)))
        status = og_fail(err, OG_ENOMEM, "out of memory");
    *body = refused ? og_doc_get(*doc, "order") : *doc;
    og_buf_clear(&posted);
    return status;
}

bool og_ledger_is_halt(const struct og_ledger_row *row)
{
    static const char *const kinds[] = { OG_LEDGER_TRADING, OG_LEDGER_LATCH, OG_LEDGER_RESUME };
    bool is = false;

    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        is |= strcmp(row->record, kinds[i]) == 0;
    return is && !row->id.s;
}

static void write_detail(struct og_buf *b, struct og_str detail)
{
    if (og_ledger_is_line(detail, b)) {
        og_buf_text(b, ",\"detail\":");
        og_buf_str(b, detail);
    } else {
        og_member_str(b, "detail", detail);
    }
}

void og_ledger_write_listed(struct og_buf *b, const struct og_ledger_seen_row *seen, const cJSON *body)
{
    og_ledger_write_row(b, &seen->row, seen->state);
    write_terms(b, body);
    if (og_ledger_is_halt(&seen->row))
        write_detail(b, seen->row.detail);
    og_buf_char(b, '}');
}

/* Write a record with its detail and hash. */
static void write_whole(struct og_buf *b, const struct og_ledger_seen_row *seen)
{
    og_ledger_write_row(b, &seen->row, seen->row.state);
    write_detail(b, seen->row.detail);
    og_member_str(b, "hash", seen->hash);
    og_buf_char(b, '}');
}

struct printing {
    struct og_ledger *ledger;
    bool whole; /* write the members detail and hash instead of those about the order */
    og_ledger_listener *line;
    void *with;
    struct og_buf b;
    struct og_error *err;
};

static enum og_status print(void *with, const struct og_ledger_seen_row *seen)
{
    struct printing *p = with;
    enum og_status status = OG_OK;
    const cJSON *body;
    cJSON *doc;

    if (p->whole) {
        write_whole(&p->b, seen);
    } else {
        if ((status = og_ledger_order_of(p->ledger, &seen->row, &doc, &body, p->err)) == OG_OK)
            og_ledger_write_listed(&p->b, seen, body);
        cJSON_Delete(doc);
    }
    if (status != OG_OK)
        return status;
    return og_ledger_tell(&p->b, p->line, p->with, p->err);
}

enum og_status og_ledger_print(struct og_ledger *l, enum og_ledger_view view, const char *account, const char *id,
                               og_ledger_listener *line, void *with, struct og_error *err)
{
    struct printing p = {
        .ledger = l, .whole = view == OG_LEDGER_SHOW || view == OG_LEDGER_EXPORT, .line = line, .with = with, .err = err
    };
    enum og_status status;
    long long count;

    if (!l || (view == OG_LEDGER_SHOW && !id))
        return og_missing(err);
    if (view < OG_LEDGER_LIST || view > OG_LEDGER_EXPORT)
        return og_fail(err, OG_EINVAL, "%d is not a view of a ledger", (int)view);
    og_buf_init(&p.b, 0);
    status = og_ledger_walk(l, view, account, id, print, &p, &count, err);
    og_buf_clear(&p.b);
    if (status == OG_OK && count == 0 && view == OG_LEDGER_SHOW)
        return og_fail(err, OG_ENOENT, "no record of an order '%s'%s%s", id, account ? " of account " : "",
                       account ? account : "");
    return status;
}
