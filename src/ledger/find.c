/*
 * Finds records: those of an id, of orders that are still open, and of other runs. A state that cannot be read never
 * counts as final.
 */
#include "base/error.h"
#include "ledger/inside.h"
#include "ledger/place.h"
#include "ledger/view.h"
#include "ordergate/time.h"

void og_ledger_read_row(sqlite3_stmt *s, struct og_ledger_row *row)
{
    static const unsigned char texts[] = { OG_LEDGER_AT,    OG_LEDGER_RUN,      OG_LEDGER_ACCOUNT,  OG_LEDGER_RECORD,
                                           OG_LEDGER_STATE, OG_LEDGER_EXECUTED, OG_LEDGER_PRICE_AVG };
    struct og_str field[OG_LEDGER_FIELDS];

    og_ledger_fields(s, field);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        if (!field[texts[i]].s)
            field[texts[i]] = OG_STR(""); /* the column is NULL only in a damaged file */
    *row = (struct og_ledger_row){ .seq = sqlite3_column_int64(s, OG_LEDGER_SEQ),
                                   .run = field[OG_LEDGER_RUN],
                                   .account = field[OG_LEDGER_ACCOUNT],
                                   .id = field[OG_LEDGER_ID],
                                   .record = field[OG_LEDGER_RECORD].s,
                                   .outcome = field[OG_LEDGER_OUTCOME],
                                   .broker_id = field[OG_LEDGER_BROKER_ID],
                                   .code = field[OG_LEDGER_CODE],
                                   .text = field[OG_LEDGER_TEXT],
                                   .detail = field[OG_LEDGER_DETAIL],
                                   .tag = field[OG_LEDGER_TAG] };
    if (!og_time_read(field[OG_LEDGER_AT].s, field[OG_LEDGER_AT].len, &row->at))
        row->at = OG_TIME_UNKNOWN; /* the record is used nevertheless: no decision depends on its time */
    if (!og_state_of(field[OG_LEDGER_STATE], &row->state))
        row->state = OG_OUTCOME_UNKNOWN; /* a name that is not a state, written by a newer ordergate, must not count as
                                          * a final state */
    if (!og_money_read(field[OG_LEDGER_EXECUTED].s, field[OG_LEDGER_EXECUTED].len, &row->executed))
        row->executed = og_money_from(0);
    if (!og_money_read(field[OG_LEDGER_PRICE_AVG].s, field[OG_LEDGER_PRICE_AVG].len, &row->price_avg))
        row->price_avg = og_money_from(0);
}

/* Prepare a query for one order; the caller resets it afterwards. Returns NULL if that fails, and err says why. */
static sqlite3_stmt *about(struct og_ledger *l, enum og_ledger_statement which, struct og_str account, struct og_str id,
                           struct og_error *err)
{
    sqlite3_stmt *s = og_ledger_prepared(l, which, err);

    if (s) {
        og_ledger_bind(s, 1, account);
        og_ledger_bind(s, 2, id);
    }
    return s;
}

static enum og_status first_row(struct og_ledger *l, enum og_ledger_statement which, struct og_str account,
                                struct og_str id, struct og_ledger_known *known, og_ledger_seen *seen, void *with,
                                struct og_error *err)
{
    sqlite3_stmt *s = about(l, which, account, id, err);
    enum og_status status = OG_OK;
    struct og_ledger_row row;

    if (og_ledger_next(l, s, &status, err)) {
        og_ledger_read_row(s, &row);
        known->state = row.state;
        if (seen)
            seen(with, &row);
    }
    sqlite3_reset(s);
    return status;
}

enum og_status og_ledger_find(struct og_ledger *l, struct og_str account, struct og_str id,
                              struct og_ledger_known *known, og_ledger_seen *newest, void *with, struct og_error *err)
{
    sqlite3_stmt *s = about(l, OG_LEDGER_FIND, account, id, err);
    enum og_status status = OG_OK;
    struct og_str digest;

    memset(known, 0, sizeof *known);
    if (og_ledger_next(l, s, &status, err)) {
        known->found = true;
        digest = og_ledger_column(s, 0);
        if (digest.len > 0 && digest.len < sizeof known->digest)
            memcpy(known->digest, digest.s, digest.len);
        known->same_run = og_str_is(og_ledger_column(s, 1), l->run);
        known->alive = !known->same_run && og_ledger_run_alive(l->runs, sqlite3_column_int64(s, 2));
        known->posts = sqlite3_column_int(s, 3);
        known->withdrawn = sqlite3_column_int(s, 4) != 0;
    }
    sqlite3_reset(s);
    if (status == OG_OK && known->found)
        status = first_row(l, OG_LEDGER_NEWEST, account, id, known, newest, with, err);
    if (status == OG_OK && known->state == OG_REJECTED) {
        s = about(l, OG_LEDGER_BY_ANSWER, account, id, err);
        known->by_answer = og_ledger_next(l, s, &status, err);
        sqlite3_reset(s);
    }
    return status;
}

enum og_status og_ledger_used_ids(struct og_ledger *l, const char *account, og_ledger_id *seen, void *with,
                                  struct og_error *err)
{
    sqlite3_stmt *s =
        og_ledger_query(l, "SELECT account, id FROM ids WHERE ?1 IS NULL OR account = ?1 COLLATE NOCASE", err);
    enum og_status status = OG_OK;

    og_ledger_bind(s, 1, og_str_of(account));
    while (og_ledger_next(l, s, &status, err))
        seen(with, og_ledger_column(s, 0), og_ledger_column(s, 1));
    sqlite3_finalize(s);
    return status;
}

enum og_status og_ledger_account_of(struct og_ledger *l, struct og_str id, struct og_buf *account, struct og_error *err)
{
    sqlite3_stmt *s =
        og_ledger_query(l, "SELECT min(account) FROM ids WHERE id = ?1 GROUP BY id HAVING count(*) = 1", err);
    enum og_status status = OG_OK;

    if (!s)
        return OG_ELEDGER;
    og_ledger_bind(s, 1, id);
    if (og_ledger_next(l, s, &status, err))
        og_buf_str(account, og_ledger_column(s, 0));
    sqlite3_finalize(s);
    return status;
}

enum og_status og_ledger_heard(struct og_ledger *l, struct og_str account, struct og_str id, og_ledger_seen *newest,
                               void *with, struct og_error *err)
{
    struct og_ledger_known known;

    return first_row(l, OG_LEDGER_HEARD, account, id, &known, newest, with, err);
}

enum og_status og_ledger_body(struct og_ledger *l, struct og_str account, struct og_str id, struct og_buf *body,
                              struct og_error *err)
{
    sqlite3_stmt *s = about(l, OG_LEDGER_BODY, account, id, err);
    enum og_status status = OG_OK;

    if (og_ledger_next(l, s, &status, err) && og_ledger_is_line(og_ledger_column(s, 0), body))
        og_buf_str(body, og_ledger_column(s, 0));
    sqlite3_reset(s);
    return status;
}

/* Append the text that a statement about an order returns; append nothing if it returns no row. */
static enum og_status text_about(struct og_ledger *l, enum og_ledger_statement which, struct og_str account,
                                 struct og_str id, struct og_buf *text, struct og_error *err)
{
    sqlite3_stmt *s = about(l, which, account, id, err);
    enum og_status status = OG_OK;

    if (og_ledger_next(l, s, &status, err))
        og_buf_str(text, og_ledger_column(s, 0));
    sqlite3_reset(s);
    return status;
}

enum og_status og_ledger_replaces(struct og_ledger *l, struct og_str account, struct og_str id, struct og_buf *old,
                                  struct og_error *err)
{
    return text_about(l, OG_LEDGER_REPLACES, account, id, old, err);
}

enum og_status og_ledger_tag_of(struct og_ledger *l, struct og_str account, struct og_str id, struct og_buf *tag,
                                struct og_error *err)
{
    return text_about(l, OG_LEDGER_TAG_OF, account, id, tag, err);
}

enum og_status og_ledger_terms_of(struct og_ledger *l, struct og_str account, struct og_str id,
                                  struct og_ledger_terms *terms, struct og_error *err)
{
    sqlite3_stmt *s = about(l, OG_LEDGER_TERMS, account, id, err);
    enum og_status status = OG_OK;
    struct og_str digest;

    memset(terms->digest, 0, sizeof terms->digest);
    terms->decided = false;
    if (og_ledger_next(l, s, &status, err)) {
        og_buf_str(&terms->tag, og_ledger_column(s, 0));
        og_buf_str(&terms->replaces, og_ledger_column(s, 1));
        digest = og_ledger_column(s, 2);
        terms->decided = digest.s != NULL;
        if (digest.len > 0 && digest.len < sizeof terms->digest)
            memcpy(terms->digest, digest.s, digest.len);
    }
    sqlite3_reset(s);
    return status;
}

/* Report the orders whose state is not final and whose last intent belongs to another run. That run must be over, or,
 * if `alive` is true, still running. */
static enum og_status unsettled(struct og_ledger *l, bool alive, og_ledger_seen *seen, void *with, struct og_error *err)
{
    sqlite3_stmt *s = og_ledger_prepared(l, OG_LEDGER_UNSETTLED, err);
    enum og_status status = OG_OK;
    struct og_ledger_row row;

    while (og_ledger_next(l, s, &status, err)) {
        og_ledger_read_row(s, &row);
        if (!og_str_is(og_ledger_column(s, OG_LEDGER_FIELDS + 1), l->run) &&
            og_ledger_run_alive(l->runs, sqlite3_column_int64(s, OG_LEDGER_FIELDS)) == alive &&
            (!alive || row.state == OG_OUTCOME_UNKNOWN))
            seen(with, &row);
    }
    sqlite3_reset(s);
    return status;
}

enum og_status og_ledger_unsettled(struct og_ledger *l, og_ledger_seen *seen, void *with, struct og_error *err)
{
    return unsettled(l, false, seen, with, err);
}

enum og_status og_ledger_unknown_of_running(struct og_ledger *l, og_ledger_seen *seen, void *with, struct og_error *err)
{
    return unsettled(l, true, seen, with, err);
}

enum og_status og_ledger_since(struct og_ledger *l, int64_t seq, int64_t *newest, og_ledger_seen *seen, void *with,
                               struct og_error *err)
{
    sqlite3_stmt *s = og_ledger_prepared(l, OG_LEDGER_SINCE, err);
    enum og_status status = OG_OK;
    struct og_ledger_row row;

    *newest = seq;
    if (!s)
        return OG_ELEDGER;
    sqlite3_bind_int64(s, 1, seq);
    while (og_ledger_next(l, s, &status, err)) {
        *newest = sqlite3_column_int64(s, OG_LEDGER_SEQ);
        if (og_str_is(og_ledger_column(s, OG_LEDGER_RUN), l->run))
            continue;
        og_ledger_read_row(s, &row);
        seen(with, &row);
    }
    sqlite3_reset(s);
    return status;
}

/* Returns true if the current record proves that all earlier records were written before `since`: it is dated before
 * `since`, and its run is over. While a run is alive, the date proves nothing, since the run's clock may be far
 * behind. */
static bool is_before(struct og_ledger *l, sqlite3_stmt *s, int64_t since)
{
    const struct og_str text = og_ledger_column(s, 1);
    int64_t at;

    return og_time_read(text.s, text.len, &at) && at < since &&
           !og_ledger_run_alive(l->runs, sqlite3_column_int64(s, 2));
}

/* Set *first to the seq of the oldest record that may have been written at or after `since`. */
static enum og_status first_since(struct og_ledger *l, int64_t since, int64_t *first, struct og_error *err)
{
    sqlite3_stmt *s = og_ledger_query(
        l, "SELECT seq, at, (SELECT n FROM runs WHERE run = rows.run) FROM rows ORDER BY seq DESC", err);
    enum og_status status = OG_OK;

    *first = INT64_MAX;
    while (og_ledger_next(l, s, &status, err) && !is_before(l, s, since))
        *first = sqlite3_column_int64(s, 0);
    sqlite3_finalize(s);
    return status;
}

static struct og_money money_in(sqlite3_stmt *s, int column)
{
    const struct og_str text = og_ledger_column(s, column);
    struct og_money amount;

    return og_money_read(text.s, text.len, &amount) ? amount : og_money_from(0);
}

static int64_t time_in(sqlite3_stmt *s, int column)
{
    const struct og_str text = og_ledger_column(s, column);
    int64_t at;

    return og_time_read(text.s, text.len, &at) ? at : OG_TIME_UNKNOWN;
}

enum og_status og_ledger_sent_since(struct og_ledger *l, struct og_str account, int64_t since, og_ledger_sent *seen,
                                    void *with, struct og_error *err)
{
    int64_t first;
    enum og_status status = first_since(l, since, &first, err);
    struct og_ledger_sent_row row;
    sqlite3_stmt *s;

    if (status != OG_OK)
        return status;
    s = og_ledger_query(
        l,
        "SELECT " OG_LEDGER_COLUMNS ", (SELECT n FROM runs WHERE run = r.run), n.state, n.seq, n.at,"
        " (SELECT max(p.at) FROM rows p WHERE p.account = r.account AND p.id = r.id AND p.seq > r.seq"
        " AND p.record = 'post'), n.text, n.executed, n.price_avg FROM"
        " rows r, rows n WHERE n.seq = (SELECT max(seq) FROM rows WHERE account = r.account AND id = r.id"
        " AND seq >= r.seq AND record NOT IN ('decision', 'cancel', " OG_LEDGER_BESIDE "))"
        " AND r.seq >= ?1 AND r.account = ?2 AND r.record = 'intent' ORDER BY r.seq",
        err);
    if (!s)
        return OG_ELEDGER;
    sqlite3_bind_int64(s, 1, first);
    og_ledger_bind(s, 2, account);
    while (og_ledger_next(l, s, &status, err)) {
        og_ledger_read_row(s, &row.intent);
        if (!og_state_of(og_ledger_column(s, OG_LEDGER_FIELDS + 1), &row.intent.state))
            row.intent.state = OG_OUTCOME_UNKNOWN;
        row.intent.executed = money_in(s, OG_LEDGER_FIELDS + 6);
        row.intent.price_avg = money_in(s, OG_LEDGER_FIELDS + 7);
        row.alive = og_ledger_run_alive(l->runs, sqlite3_column_int64(s, OG_LEDGER_FIELDS));
        row.newest = sqlite3_column_int64(s, OG_LEDGER_FIELDS + 2);
        row.at = time_in(s, OG_LEDGER_FIELDS + 3);
        row.left = time_in(s, OG_LEDGER_FIELDS + 4);
        row.never_left = row.intent.state == OG_CANCELED && row.left == OG_TIME_UNKNOWN &&
                         og_str_is(og_ledger_column(s, OG_LEDGER_FIELDS + 5), OG_CANCELED_BEFORE);
        if (!og_str_is(row.intent.run, l->run) && row.intent.at != OG_TIME_UNKNOWN)
            seen(with, &row);
    }
    sqlite3_finalize(s);
    return status;
}

enum og_status og_ledger_accounts(struct og_ledger *l, sqlite3_stmt *s, struct og_buf *names, int *count,
                                  struct og_error *err)
{
    enum og_status status = OG_OK;

    og_buf_reset(names);
    for (*count = 0; og_ledger_next(l, s, &status, err); ++*count) {
        og_buf_text(names, *count > 0 ? ", " : "");
        og_buf_str(names, og_ledger_column(s, 0));
    }
    if (status == OG_OK && names->bad)
        status = og_fail(err, OG_ENOMEM, "out of memory");
    sqlite3_finalize(s);
    return status;
}
