/*
 * The recent refusals, counted by rule and reason.
 */
#include "base/error.h"
#include "ledger/view.h"

/* how many of the newest records are searched: older refusals are not recent, and a ledger may have millions of
 * records */
#define NEWEST "10000"

/* With max(), SQLite takes the other columns of a group from the row that has the greatest seq. */
static const char sql[] =
    "SELECT json_extract(f.value, '$.rule'), json_extract(f.value, '$.reason'), count(*), max(r.seq), r.at, r.account,"
    " r.id, json_extract(f.value, '$.message')"
    " FROM rows r, json_each(CASE WHEN json_valid(r.detail) THEN r.detail ELSE '{}' END, '$.findings') f"
    " WHERE r.seq > (SELECT max(seq) FROM rows) - " NEWEST " AND r.record = 'decision' AND r.state = 'refused'"
    " AND json_extract(f.value, '$.level') = 'refuse' AND (?1 IS NULL OR r.account = ?1 COLLATE NOCASE)"
    " GROUP BY 1, 2 ORDER BY 4 DESC LIMIT 50";

enum og_status og_ledger_refusals(struct og_ledger *l, const char *account, og_ledger_listener *line, void *with,
                                  struct og_error *err)
{
    static const char *const text[] = { "rule", "reason", NULL, NULL, "at", "accountId", "clientOrderId", "message" };
    enum og_status status = OG_OK;
    sqlite3_stmt *s;
    struct og_buf b;

    if (!l)
        return og_missing(err);
    s = og_ledger_query(l, sql, err);
    og_ledger_bind(s, 1, og_str_of(account));
    og_buf_init(&b, 0);
    while (status == OG_OK && og_ledger_next(l, s, &status, err)) {
        og_buf_char(&b, '{');
        for (int i = 0; i < (int)(sizeof text / sizeof text[0]); i++)
            if (text[i])
                og_member_str(&b, text[i], og_ledger_column(s, i));
        og_member_int(&b, "count", sqlite3_column_int64(s, 2));
        og_buf_char(&b, '}');
        status = og_ledger_tell(&b, line, with, err);
    }
    sqlite3_finalize(s);
    og_buf_clear(&b);
    return status;
}
