/*
 * Records of replacements: which order replaces which. A run writes such a record before it cancels the old order, in
 * the transaction of the decision. It writes another one that withdraws the first if the new order is not to be posted.
 * The newest record of a pair of orders counts. This file also finds out whether an order with a given id was refused
 * and never sent, so that there is nothing to replace.
 */
#include "base/error.h"
#include "ledger/inside.h"
#include "ledger/place.h"

#define OF_PAIR "account = ?1 AND text = ?2 AND id = ?3 AND record = 'replace'"

static enum og_status newest_is(struct og_ledger *l, struct og_str account, struct og_str old, struct og_str id,
                                enum og_state state, bool *same, struct og_error *err)
{
    sqlite3_stmt *s = og_ledger_query(l, "SELECT state FROM rows WHERE " OF_PAIR " ORDER BY seq DESC LIMIT 1", err);
    enum og_status status = OG_OK;

    og_ledger_bind(s, 1, account);
    og_ledger_bind(s, 2, old);
    og_ledger_bind(s, 3, id);
    *same = og_ledger_next(l, s, &status, err) ? og_str_is(og_ledger_column(s, 0), og_state_name(state))
                                               : state == OG_NOT_SENT;
    sqlite3_finalize(s);
    return status;
}

enum og_status og_ledger_replace(struct og_ledger *l, const struct og_ledger_row *row, struct og_error *err)
{
    bool same = false;
    enum og_status status = OG_OK;

    /* only a withdrawal may be on record already: each run records a replacement anew, since a replacement ends with
     * its run */
    if (row->state == OG_NOT_SENT)
        status = newest_is(l, row->account, row->text, row->id, row->state, &same, err);
    return status != OG_OK || same ? status : og_ledger_append(l, row, err);
}

/* Returns true if the replacement in the query's current row has effect. It has none if the new order ended as not-sent
 * or rejected. If the new order has no intent, the replacement has effect only while its run is alive and has not
 * withdrawn it. */
static bool has_effect(struct og_ledger *l, sqlite3_stmt *s)
{
    struct og_str state = og_ledger_column(s, 3);

    if (state.s)
        return !og_str_is(state, og_state_name(OG_NOT_SENT)) && !og_str_is(state, og_state_name(OG_REJECTED));
    return !og_str_is(og_ledger_column(s, 4), og_state_name(OG_NOT_SENT)) &&
           (og_str_is(og_ledger_column(s, 1), l->run) || og_ledger_run_alive(l->runs, sqlite3_column_int64(s, 2)));
}

enum og_status og_ledger_replaced_by(struct og_ledger *l, struct og_str account, struct og_str old, struct og_str id,
                                     struct og_buf *by, struct og_error *err)
{
    sqlite3_stmt *s;
    enum og_status status = OG_OK;

    og_buf_reset(by);
    if (l->version < 4)
        return OG_OK; /* an older ledger, which is opened only for reading, has no such records */
    s = og_ledger_query(
        l,
        "SELECT r.id, r.run, (SELECT n FROM runs WHERE run = r.run),"
        " (SELECT o.state FROM ids i JOIN rows o ON o.seq = " OG_LEDGER_NEWEST_OF
        " WHERE i.account = r.account AND i.id = r.id), r.state FROM rows r WHERE r.account = ?1 AND"
        " r.text = ?2 AND r.id <> ?3 AND r.record = 'replace' AND r.seq = (SELECT max(p.seq) FROM rows p"
        " WHERE p.account = ?1 AND p.text = ?2 AND p.id = r.id AND p.record = 'replace')"
        " ORDER BY r.seq DESC",
        err);
    og_ledger_bind(s, 1, account);
    og_ledger_bind(s, 2, old);
    og_ledger_bind(s, 3, id);
    while (by->len == 0 && og_ledger_next(l, s, &status, err))
        if (has_effect(l, s))
            og_buf_str(by, og_ledger_column(s, 0));
    if (status == OG_OK && by->bad)
        status = og_fail(err, OG_ENOMEM, "out of memory");
    sqlite3_finalize(s);
    return status;
}

enum og_status og_ledger_refused(struct og_ledger *l, struct og_str account, struct og_str id, bool *refused,
                                 struct og_error *err)
{
    sqlite3_stmt *s = og_ledger_query(
        l,
        "SELECT 1 FROM rows r WHERE r.account = ?1 AND r.id = ?2 AND r.record = 'decision' AND r.state = 'refused'"
        " AND json_valid(r.detail) AND r.detail ->> 'op' IS NULL AND NOT EXISTS (SELECT 1 FROM rows o WHERE"
        " o.account = ?1 AND o.id = ?2 AND o.record NOT IN ('decision', " OG_LEDGER_BESIDE ")) LIMIT 1",
        err);
    enum og_status status = OG_OK;

    og_ledger_bind(s, 1, account);
    og_ledger_bind(s, 2, id);
    *refused = og_ledger_next(l, s, &status, err);
    sqlite3_finalize(s);
    return status;
}
