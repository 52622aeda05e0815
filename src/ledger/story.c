/*
 * One order in words: what it is, how and by which policy it was decided, and every record since then. The facts of a
 * decision are not on record, only their digest, and the text says so.
 */
#include <stdlib.h>

#include "base/error.h"
#include "base/time.h"
#include "ledger/list.h"
#include "text/terms.h"

#define ACCOUNTS_MOST 16 /* maximum number of accounts that are shown for one id */

struct telling {
    struct og_sheet page;
    struct og_buf b;
    struct og_buf account[ACCOUNTS_MOST]; /* the accounts of the records with that id, the oldest first */
    int accounts;
    int64_t first;         /* number of the order's first record in the ledger; 0 if none was found */
    struct og_buf id;      /* clientOrderId of the first record */
    struct og_buf refused; /* detail of the newest decision that refused the order */
    struct og_buf newest;  /* state and figures of the newest record, in words */
    struct og_table table;
    bool found; /* a record with a state was found */
    struct og_error *err;
};

/* --- words -------------------------------------------------------------------------------------------------------- */

static void put_built(const struct og_sheet *p, int indent, struct og_buf *words)
{
    if (words->len > 0 || words->bad)
        og_sheet_words(p, indent, indent, OG_INK_NONE, (struct og_str){ words->s, words->len });
    p->to->bad |= words->bad;
    og_buf_clear(words);
}

static void put_terms(const struct og_sheet *p, const cJSON *body)
{
    static const char *const rest[] = { "securityType", "timeInForce", "route" };
    const cJSON *leg;
    struct og_buf b;

    og_buf_init(&b, 0);
    og_terms_member(&b, body, "side", "");
    og_terms_member(&b, body, "orderQuantity", b.len ? " " : "");
    og_terms_member(&b, body, "symbol", " ");
    og_terms_member(&b, body, "openClose", ", to ");
    og_terms_member(&b, body, "orderType", ", ");
    og_terms_member(&b, body, "limitPrice", ", limit ");
    og_terms_member(&b, body, "stopPrice", ", stop ");
    for (size_t i = 0; i < sizeof rest / sizeof *rest; i++)
        og_terms_member(&b, body, rest[i], ", ");
    og_terms_member(&b, body, "replaces", ", in place of order ");
    put_built(p, 2, &b);
    cJSON_ArrayForEach (leg, og_doc_get(body, "legs")) {
        og_terms_member(&b, leg, "side", "leg: ");
        og_terms_member(&b, leg, "ratio", " ");
        og_terms_member(&b, leg, "symbol", " ");
        og_terms_member(&b, leg, "openClose", ", to ");
        put_built(p, 4, &b);
    }
}

static void put_finding(const struct og_sheet *p, const cJSON *f)
{
    struct og_buf b;
    bool unsure = false;

    og_buf_init(&b, 0);
    (void)og_doc_bool(f, "unsure", &unsure);
    og_terms_member(&b, f, "level", "");
    og_terms_member(&b, f, "rule", " by rule ");
    og_terms_member(&b, f, "reason", ", ");
    og_terms_member(&b, f, "message", ": ");
    if (unsure)
        og_buf_text(&b, " (a fact was missing or too old)");
    og_terms_member(&b, og_doc_get(f, "waived"), "by", "; waived by ");
    og_terms_member(&b, og_doc_get(f, "waived"), "reason", ": ");
    put_built(p, 4, &b);
}

/* Write what is on record about the facts of a decision: their digests, and the figures that the decision contains. */
static void put_known(const struct og_sheet *p, const cJSON *decision)
{
    const cJSON *predicts = og_doc_get(decision, "predicts"), *strategy = og_doc_get(decision, "strategy"),
                *margin = og_doc_get(decision, "margin");
    struct og_buf b;

    og_buf_init(&b, 0);
    og_terms_member(&b, decision, "policy", "policy ");
    put_built(p, 4, &b);
    og_terms_member(&b, decision, "facts", "facts ");
    if (b.len > 0)
        og_buf_text(&b, " (their digest: the ledger does not keep the facts themselves)");
    put_built(p, 4, &b);
    og_terms_member(&b, predicts, "channel", "the broker would answer: ");
    og_terms_member(&b, predicts, "code", ", ");
    og_terms_member(&b, predicts, "text", ", ");
    og_terms_member(&b, predicts, "certainty", ", which is ");
    put_built(p, 4, &b);
    og_terms_member(&b, strategy, "name", "strategy ");
    og_terms_member(&b, strategy, "direction", ", ");
    og_terms_member(&b, strategy, "maxLoss", ", can lose ");
    og_terms_member(&b, strategy, "maxGain", ", can gain ");
    put_built(p, 4, &b);
    og_terms_member(&b, margin, "required", "buying power needed ");
    put_built(p, 4, &b);
}

static void put_decision(struct telling *t, const struct og_ledger_row *row, const cJSON *decision)
{
    const struct og_sheet *p = &t->page;
    const cJSON *finding;
    struct og_buf b;

    og_buf_init(&b, 0);
    og_buf_format(&b, "%s %s", og_eastern_text(row->at).s, row->state == OG_REFUSED ? "refused" : "accepted");
    og_terms_member(&b, decision, "line", ", line ");
    og_buf_text(&b, ", run ");
    og_buf_str(&b, row->run);
    put_built(p, 2, &b);
    cJSON_ArrayForEach (finding, og_doc_get(decision, "findings"))
        put_finding(p, finding);
    put_known(p, decision);
}

/* --- records ------------------------------------------------------------------------------------------------------ */

/* The first pass: find the accounts. */
static enum og_status look_at(void *with, const struct og_ledger_seen_row *seen)
{
    struct telling *t = with;
    const struct og_ledger_row *row = &seen->row;
    int i = 0;

    if (t->id.len == 0) {
        og_buf_str(&t->id, row->id);
        t->first = row->seq;
    }
    t->b.bad |= t->id.bad;
    while (i < t->accounts && !og_str_eq((struct og_str){ t->account[i].s, t->account[i].len }, row->account))
        i++;
    if (i == t->accounts && i < ACCOUNTS_MOST) {
        og_buf_str(&t->account[i], row->account);
        t->b.bad |= t->account[i].bad;
        t->accounts++;
    }
    return OG_OK;
}

/* The second pass, for one account: find the newest state, and describe it. */
static enum og_status look_at_state(void *with, const struct og_ledger_seen_row *seen)
{
    struct telling *t = with;
    const struct og_ledger_row *row = &seen->row;

    if (strcmp(row->record, "decision") == 0 && row->state == OG_REFUSED) {
        og_buf_reset(&t->refused);
        og_buf_str(&t->refused, row->detail);
        t->b.bad |= t->refused.bad;
    }
    if (!og_ledger_is_state(row->record) && t->newest.len > 0 && row->state != OG_REFUSED)
        return OG_OK;
    if (!og_ledger_is_state(row->record) && t->found)
        return OG_OK; /* the record belongs to a later line with the same id */
    t->found |= og_ledger_is_state(row->record);
    og_buf_reset(&t->newest);
    og_buf_format(&t->newest, "%s", og_state_name(seen->state));
    if (row->executed.coef != 0) {
        og_buf_text(&t->newest, ", ");
        og_buf_money(&t->newest, row->executed);
        og_buf_text(&t->newest, " filled at ");
        og_buf_money(&t->newest, row->price_avg);
    }
    if (row->tag.len > 0) {
        og_buf_text(&t->newest, ", strategy ");
        og_plain(&t->newest, row->tag);
    }
    return OG_OK;
}

/* Write what a record's detail adds to the row: where it comes from, how a request ended, who made the record. */
static void set_source(struct og_cell *cells, int column, const cJSON *detail)
{
    static const char *const keys[][2] = {
        { "source", "" },      { "heard", " " }, { "http", "http " }, { "error", " " }, { "attempts", ", attempt " },
        { "tookUs", ", us " }, { "by", "by " },  { "reason", ": " }
    };
    struct og_buf b;

    og_buf_init(&b, 0);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        og_terms_member(&b, detail, keys[i][0], b.len ? keys[i][1] : keys[i][1] + (keys[i][1][0] == ' '));
    og_table_set(cells, column, b.bad ? OG_STR("") : (struct og_str){ b.s, b.len }, false, OG_INK_NONE);
    og_buf_clear(&b);
}

static void add_record(struct telling *t, const struct og_ledger_seen_row *seen, const cJSON *detail)
{
    const struct og_ledger_row *row = &seen->row;
    const bool filled = row->executed.coef != 0;
    struct og_cell *cells;

    if (t->table.rows == 0)
        OG_TABLE_NAMES(&t->table, "NEW YORK TIME", "RECORD", "STATE", "FROM", "FILLED", "AT", "TEXT");
    t->table.whole = 1u; /* the time */
    cells = og_table_add(&t->table);
    og_table_set_text(cells, 0, og_eastern_text(row->at).s);
    og_table_set_text(cells, 1, row->record);
    og_table_set_text(cells, 2, og_state_name(row->state));
    set_source(cells, 3, detail);
    og_table_set(cells, 4, filled ? og_str_of(og_money_text(row->executed).s) : OG_STR(""), true, OG_INK_NONE);
    og_table_set(cells, 5, filled ? og_str_of(og_money_text(row->price_avg).s) : OG_STR(""), true, OG_INK_NONE);
    og_table_set(cells, 6, row->text.s ? row->text : row->code, false, OG_INK_NONE);
}

/* The third pass: write decisions as text, other records as rows of a table. */
static enum og_status tell(void *with, const struct og_ledger_seen_row *seen)
{
    struct telling *t = with;
    cJSON *detail = NULL;
    enum og_status status = OG_OK;

    if (seen->row.detail.len > 0)
        status = og_doc_read(seen->row.detail.s, seen->row.detail.len, "detail", &detail, NULL);
    if (status == OG_ENOMEM)
        return og_fail(t->err, OG_ENOMEM, "out of memory");
    if (strcmp(seen->row.record, "decision") == 0) {
        put_decision(t, &seen->row, detail);
    } else {
        add_record(t, seen, strcmp(seen->row.record, "intent") == 0 ? NULL : detail);
    }
    cJSON_Delete(detail);
    return OG_OK;
}

/* --- the story ---------------------------------------------------------------------------------------------------- */

/* Write the order's terms as they were posted or, if the order was not posted, as they were refused. */
static enum og_status put_body(struct og_ledger *l, struct telling *t, struct og_str account, struct og_str id)
{
    struct og_buf body;
    enum og_status status;
    cJSON *doc = NULL;

    og_buf_init(&body, 0);
    status = og_ledger_body(l, account, id, &body, t->err);
    if (status == OG_OK && body.len > 0 && og_doc_read(body.s, body.len, "body", &doc, NULL) == OG_OK)
        put_terms(&t->page, doc);
    else if (status == OG_OK && t->refused.len > 0 &&
             og_doc_read(t->refused.s, t->refused.len, "detail", &doc, NULL) == OG_OK)
        put_terms(&t->page, og_doc_get(doc, "order"));
    cJSON_Delete(doc);
    t->b.bad |= body.bad;
    og_buf_clear(&body);
    return status;
}

static enum og_status tell_one(struct og_ledger *l, struct telling *t, const char *account, const char *id)
{
    const struct og_str of = og_str_of(account), named = { t->id.s ? t->id.s : "", t->id.len };
    enum og_status status;
    long long count;

    t->found = false;
    og_buf_reset(&t->refused);
    og_buf_reset(&t->newest);
    if ((status = og_ledger_walk(l, OG_LEDGER_SHOW, account, id, look_at_state, t, &count, t->err)) != OG_OK)
        return status;
    og_sheet_ink(&t->page, OG_INK_BOLD, true);
    og_buf_text(&t->b, "order ");
    og_plain(&t->b, named);
    og_buf_text(&t->b, " of account ");
    og_plain(&t->b, of);
    og_buf_text(&t->b, ": ");
    og_buf_bytes(&t->b, t->newest.s ? t->newest.s : "", t->newest.len);
    og_sheet_ink(&t->page, OG_INK_BOLD, false);
    og_buf_char(&t->b, '\n');
    status = put_body(l, t, of, named);
    og_sheet_heading(&t->page, "DECIDED, AND WHAT WAS KNOWN");
    if (status == OG_OK)
        status = og_ledger_walk(l, OG_LEDGER_SHOW, account, id, tell, t, &count, t->err);
    og_table_put(&t->page, "RECORDS", &t->table, 1);
    return status;
}

/* Name the archives that may have more records of the order: those that were made after its first record in the
 * ledger. */
static enum og_status put_archives(struct og_ledger *l, struct telling *t)
{
    /* this query uses the index of orders: few records have neither an account nor an id */
    sqlite3_stmt *s = og_ledger_query(l,
                                      "SELECT detail ->> 'file', detail ->> 'to' FROM rows WHERE account = '' AND id IS"
                                      " NULL AND record = '" OG_LEDGER_ARCHIVE "' AND json_valid(detail) ORDER BY seq",
                                      t->err);
    enum og_status status = OG_OK;
    bool any = false;

    while (og_ledger_next(l, s, &status, t->err)) {
        if (t->first > sqlite3_column_int64(s, 1))
            continue;
        if (!any)
            og_buf_text(&t->b, "\nOther records of it may have been moved to these archives:\n");
        any = true;
        og_buf_text(&t->b, "  ordergate ledger --ledger ");
        og_plain(&t->b, og_ledger_column(s, 0));
        og_buf_text(&t->b, " show ID\n");
    }
    sqlite3_finalize(s);
    return status;
}

static enum og_status tell_all(struct og_ledger *l, struct telling *t, const char *account, const char *id)
{
    long long count;
    enum og_status status = og_ledger_walk(l, OG_LEDGER_SHOW, account, id, look_at, t, &count, t->err);

    if (status == OG_OK && count == 0)
        status = og_fail(t->err, OG_ENOENT, "no record of an order '%s'%s%s", id, account ? " of account " : "",
                         account ? account : "");
    for (int i = 0; i < t->accounts && status == OG_OK; i++) {
        if (i > 0)
            og_buf_char(&t->b, '\n');
        status = tell_one(l, t, t->account[i].s ? t->account[i].s : "", id);
    }
    return status == OG_OK && l->version >= 7 ? put_archives(l, t) : status;
}

enum og_status og_ledger_story(struct og_ledger *l, const char *account, const char *id,
                               const struct og_ledger_look *look, og_ledger_listener *line, void *with,
                               struct og_error *err)
{
    struct telling t = { .page = og_ledger_sheet(look, &t.b), .err = err };
    enum og_status status;

    if (!l || !id)
        return og_missing(err);
    og_buf_init(&t.b, 0);
    og_buf_init(&t.newest, 0);
    og_buf_init(&t.id, 0);
    og_buf_init(&t.refused, 0);
    for (int i = 0; i < ACCOUNTS_MOST; i++)
        og_buf_init(&t.account[i], 0);
    status = tell_all(l, &t, account, id);
    if (t.b.len > 0)
        t.b.len--; /* drop the last newline: the listener gets lines without one */
    if (status == OG_OK)
        status = og_ledger_tell(&t.b, line, with, err);
    for (int i = 0; i < ACCOUNTS_MOST; i++)
        og_buf_clear(&t.account[i]);
    og_table_clear(&t.table);
    og_buf_clear(&t.newest);
    og_buf_clear(&t.id);
    og_buf_clear(&t.refused);
    og_buf_clear(&t.b);
    return status;
}
