/*
 * Records as lines of output.  An intended order whose run is over is shown as unknown.
 */
#include "ledger/view.h"

#include "base/error.h"
#include "ledger/place.h"
#include "ordergate/time.h"
#include "text/doc.h"

enum { RUN_NUMBER = OG_LEDGER_FIELDS, HASH };

#define OF_ACCOUNT "(?1 IS NULL OR r.account = ?1 COLLATE NOCASE)"
/* Query for the newest record of each order.  Orders that were never accepted are not in the table of used ids.  A
 * record without an id counts as an order of its own, unless it records a new policy, a highest P&L or an accepted
 * damage. */
#define NEWEST_OF_EACH                                                                                       \
    "SELECT " OG_LEDGER_NEWEST_OF " FROM ids i"                                                              \
    " UNION ALL SELECT max(d.seq) FROM rows d WHERE d.id IS NOT NULL AND d.record NOT IN (" OG_LEDGER_BESIDE \
    ") AND NOT "                                                                                             \
    "EXISTS"                                                                                                 \
    " (SELECT 1 FROM ids u WHERE u.account = d.account AND u.id = d.id) GROUP BY d.account, d.id"            \
    " UNION ALL SELECT d.seq FROM rows d WHERE d.id IS NULL AND d.record NOT IN ('policy', '" OG_LEDGER_PEAK \
    "', '" OG_LEDGER_LATCH "', '" OG_LEDGER_RESUME "', '" OG_LEDGER_ACCEPTANCE "')"

static const char *const from[] = {
    [OG_LEDGER_LIST] = "rows r WHERE r.seq IN (" NEWEST_OF_EACH ") AND " OF_ACCOUNT " ORDER BY r.seq",
    [OG_LEDGER_OPEN] = "ids i JOIN rows r ON r.seq = " OG_LEDGER_NEWEST_OF
                       " WHERE r.state IN ('unknown', 'intended') AND " OF_ACCOUNT " ORDER BY r.seq",
    [OG_LEDGER_SHOW] = "rows r WHERE r.id = ?2 AND " OF_ACCOUNT " ORDER BY r.seq",
    [OG_LEDGER_EXPORT] = "rows r WHERE " OF_ACCOUNT " ORDER BY r.seq",
};
/* Condition that finds an order by the broker's id too. */
static const char by_broker_id[] =
    "rows r WHERE (r.account, r.id) IN (SELECT account, id FROM rows WHERE broker_id = ?2) AND " OF_ACCOUNT
    " ORDER BY r.seq";

static sqlite3_stmt *query(struct og_ledger *l, const char *what, struct og_error *err)
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

static enum og_status show(struct og_ledger *l, sqlite3_stmt *s, enum og_ledger_view view, og_ledger_viewer *viewer,
                           void *with, long long *count)
{
    struct og_ledger_seen_row seen;

    og_ledger_read_row(s, &seen.row);
    seen.alive = og_ledger_run_alive(l->runs, sqlite3_column_int64(s, RUN_NUMBER));
    seen.state = seen.row.state == OG_INTENDED && !seen.alive && strcmp(seen.row.record, "decision") != 0
                     ? OG_OUTCOME_UNKNOWN
                     : seen.row.state;
    seen.hash = og_ledger_column(s, HASH);
    if (view == OG_LEDGER_OPEN && seen.state != OG_OUTCOME_UNKNOWN)
        return OG_OK;
    ++*count;
    return viewer(with, &seen);
}

static enum og_status walk(struct og_ledger *l, const char *what, enum og_ledger_view view, const char *account,
                           const char *id, og_ledger_viewer *viewer, void *with, long long *count, struct og_error *err)
{
    sqlite3_stmt *s = query(l, what, err);
    enum og_status status = OG_OK;

    og_ledger_bind(s, 1, og_str_of(account));
    if (sqlite3_bind_parameter_count(s) > 1)
        og_ledger_bind(s, 2, og_str_of(id));
    while (status == OG_OK && og_ledger_next(l, s, &status, err))
        status = show(l, s, view, viewer, with, count);
    sqlite3_finalize(s);
    return status;
}

enum og_status og_ledger_walk(struct og_ledger *l, enum og_ledger_view view, const char *account, const char *id,
                              og_ledger_viewer *viewer, void *with, long long *count, struct og_error *err)
{
    enum og_status status;

    *count = 0;
    status = walk(l, from[view], view, account, id, viewer, with, count, err);
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

/* Write what an order is about, from its body; null for members that the body lacks, or if the body is unknown. */
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

/* Write the terms of the order that a record is about: as they were posted, or, if the order was refused, as they were
 * given. */
static enum og_status write_order(struct og_ledger *l, struct og_buf *b, const struct og_ledger_row *row,
                                  struct og_error *err)
{
    struct og_buf body;
    cJSON *doc = NULL;
    enum og_status status = OG_OK;
    bool refused = strcmp(row->record, "decision") == 0 && row->state == OG_REFUSED;
    struct og_str json = row->detail;

    og_buf_init(&body, 0);
    if (!refused) {
        status = og_ledger_body(l, row->account, row->id, &body, err);
        json = (struct og_str){ body.s, body.len };
    }
    if (status == OG_OK && json.len > 0 && !body.bad)
        b->bad |= og_doc_read(json.s, json.len, "detail", &doc, NULL) == OG_ENOMEM;
    b->bad |= body.bad;
    write_terms(b, refused ? og_doc_get(doc, "order") : doc);
    cJSON_Delete(doc);
    og_buf_clear(&body);
    return status;
}

struct printing {
    struct og_ledger *ledger;
    bool whole; /* write the members detail and hash in place of those about the order */
    og_ledger_listener *line;
    void *with;
    struct og_buf b;
    struct og_error *err;
};

static enum og_status print(void *with, const struct og_ledger_seen_row *seen)
{
    struct printing *p = with;
    enum og_status status = OG_OK;

    og_ledger_write_row(&p->b, &seen->row, p->whole ? seen->row.state : seen->state);
    if (p->whole) {
        if (og_ledger_is_line(seen->row.detail, &p->b)) {
            og_buf_text(&p->b, ",\"detail\":");
            og_buf_str(&p->b, seen->row.detail);
        } else {
            og_member_str(&p->b, "detail", seen->row.detail);
        }
        og_member_str(&p->b, "hash", seen->hash);
    } else {
        status = write_order(p->ledger, &p->b, &seen->row, p->err);
    }
    og_buf_char(&p->b, '}');
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
