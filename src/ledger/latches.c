/*
 * Latches on record: a run writes a record when a latch trips, and a person's resume is a record too, so that every
 * sender of the ledger, and every later run, applies the same latches. The record's text describes the latch in words.
 * Its values are in the detail, because the columns for amounts hold those of an order.
 */
#include <stdio.h>

#include "base/error.h"
#include "base/json_write.h"
#include "base/money.h"
#include "ledger/schema.h"
#include "ledger/view.h"
#include "ordergate/time.h"
#include "text/doc.h"

#define BY_MOST     64
#define REASON_MOST 200

void og_ledger_write_latch(struct og_buf *b, const struct og_latch *l)
{
    og_member_str(b, "latch", og_str_of(l->name));
    og_member_money(b, "value", l->value);
    og_member_money(b, "limit", l->limit);
    og_member_str(b, "until", l->until_resumed ? OG_STR("resumed") : OG_STR("day"));
    og_member_key(b, "day");
    if (l->day != 0)
        og_buf_format(b, "\"%04d-%02d-%02d\"", l->day / 10000, l->day / 100 % 100, l->day % 100);
    else
        og_buf_text(b, "null");
    og_member_str(b, "since",
                  l->at_ns == OG_TIME_UNKNOWN ? (struct og_str){ NULL, 0 } : og_str_of(og_time_text(l->at_ns).s));
}

/* Returns the day as yyyymmdd; 0 if the text is not a date. */
static int read_day(struct og_str text)
{
    int year, month, day;

    if (text.len != 10 || sscanf(text.s, "%4d-%2d-%2d", &year, &month, &day) != 3)
        return 0;
    return year * 10000 + month * 100 + day;
}

static bool read_latch(const cJSON *doc, enum og_latch_kind *kind, struct og_latch *l)
{
    struct og_str name = { NULL, 0 }, until = { NULL, 0 }, day = { NULL, 0 }, since = { NULL, 0 };

    *l = (struct og_latch){ .at_ns = OG_TIME_UNKNOWN };
    (void)og_doc_str(doc, "latch", &name);
    (void)og_doc_str(doc, "until", &until);
    (void)og_doc_str(doc, "day", &day);
    (void)og_doc_str(doc, "since", &since);
    *kind = og_latch_find(name);
    if (*kind == OG_LATCHES || !og_doc_money(doc, "value", &l->value) || !og_doc_money(doc, "limit", &l->limit))
        return false;
    l->name = og_latch_names[*kind];
    l->until_resumed = !og_str_is(until, "day");
    l->day = day.len > 0 ? read_day(day) : 0;
    if (since.len == 0 || !og_time_read(since.s, since.len, &l->at_ns))
        l->at_ns = OG_TIME_UNKNOWN;
    return true;
}

static enum og_ledger_of_latch read_detail(struct og_str record, struct og_str detail, enum og_latch_kind *kind,
                                           struct og_latch *l)
{
    const bool trips = og_str_is(record, OG_LEDGER_LATCH);
    struct og_str name = { NULL, 0 };
    cJSON *doc = NULL;
    bool ok = detail.len > 0 && og_doc_read(detail.s, detail.len, "detail", &doc, NULL) == OG_OK;

    if (ok && trips) {
        ok = read_latch(doc, kind, l);
    } else if (ok) {
        (void)og_doc_str(doc, "latch", &name);
        *kind = og_latch_find(name);
        ok = *kind != OG_LATCHES;
    }
    cJSON_Delete(doc);
    return !ok ? OG_LEDGER_NO_LATCH : trips ? OG_LEDGER_TRIPPED : OG_LEDGER_RESUMED;
}

enum og_ledger_of_latch og_ledger_read_latch(const struct og_ledger_row *row, enum og_latch_kind *kind,
                                             struct og_latch *l)
{
    if (strcmp(row->record, OG_LEDGER_LATCH) != 0 && strcmp(row->record, OG_LEDGER_RESUME) != 0)
        return OG_LEDGER_NO_LATCH;
    return read_detail(og_str_of(row->record), row->detail, kind, l);
}

bool og_ledger_latch_row(struct og_ledger_row *row, struct og_buf *text, struct og_buf *detail,
                         const struct og_latch *l)
{
    og_buf_format(text, "%s of %s, the limit is %s: limits below %s count as exceeded until %s", l->name,
                  og_money_text(l->value).s, og_money_text(l->limit).s, og_money_text(l->value).s,
                  l->until_resumed ? "somebody resumes" : "the next session day");
    og_buf_text(detail, "{\"of\":\"latch\"");
    og_ledger_write_latch(detail, l);
    og_buf_char(detail, '}');
    row->record = OG_LEDGER_LATCH;
    row->state = OG_DONE;
    row->text = (struct og_str){ text->s, text->len };
    row->detail = (struct og_str){ detail->s, detail->len };
    return !text->bad && !detail->bad;
}

/* Reads the records of an account, the oldest first. */
enum og_status og_ledger_latches_of(struct og_ledger *l, struct og_str account, struct og_ledger_latched *to,
                                    struct og_error *err)
{
    /* the index by account and id is fast enough: few records of an account have no id */
    sqlite3_stmt *s = og_ledger_query(l,
                                      "SELECT seq, record, detail FROM rows WHERE account = ?1 COLLATE NOCASE AND"
                                      " id IS NULL AND record IN ('" OG_LEDGER_LATCH "', '" OG_LEDGER_RESUME "')"
                                      " ORDER BY seq",
                                      err);
    enum og_status status = OG_OK;

    memset(to, 0, sizeof *to);
    og_ledger_bind(s, 1, account);
    while (og_ledger_next(l, s, &status, err)) {
        enum og_latch_kind kind;
        struct og_latch one;

        switch (read_detail(og_ledger_column(s, 1), og_ledger_column(s, 2), &kind, &one)) {
        case OG_LEDGER_TRIPPED: og_latch_merge(&to->latch[kind], &one); break;
        case OG_LEDGER_RESUMED:
            to->latch[kind].name = NULL;
            to->resumed[kind] = sqlite3_column_int64(s, 0);
            break;
        case OG_LEDGER_NO_LATCH: break;
        }
    }
    sqlite3_finalize(s);
    return status;
}

/* --- listing ------------------------------------------------------------------------------------------------------ */

enum { DETAIL = OG_LEDGER_FIELDS, AGAIN, BY, REASON };

/* Query for the newest record of each latch and account, with the resume that came after it, if any. */
#define NEWEST                                                                                                    \
    "SELECT " OG_LEDGER_COLUMNS ", r.detail, n.at, n.detail ->> 'by', n.detail ->> 'reason' FROM rows r"          \
    " LEFT JOIN rows n ON n.seq = (SELECT max(m.seq) FROM rows m WHERE m.record = '" OG_LEDGER_RESUME             \
    "' AND m.id IS NULL AND m.account = r.account AND m.seq > r.seq AND json_valid(m.detail)"                     \
    " AND m.detail ->> 'latch' = r.detail ->> 'latch')"                                                           \
    " WHERE r.record = '" OG_LEDGER_LATCH "' AND r.id IS NULL AND json_valid(r.detail)"                           \
    " AND (?1 IS NULL OR r.account = ?1 COLLATE NOCASE) AND NOT EXISTS (SELECT 1 FROM rows k WHERE k.record = "   \
    "'" OG_LEDGER_LATCH "' AND k.id IS NULL AND k.account = r.account AND k.seq > r.seq AND json_valid(k.detail)" \
    " AND k.detail ->> 'latch' = r.detail ->> 'latch')"

static void write_line(struct og_buf *b, sqlite3_stmt *s, const struct og_latch *latch, bool resumed)
{
    og_buf_format(b, "{\"seq\":%lld", (long long)sqlite3_column_int64(s, OG_LEDGER_SEQ));
    og_member_str(b, "at", og_ledger_column(s, OG_LEDGER_AT));
    og_member_str(b, "accountId", og_ledger_column(s, OG_LEDGER_ACCOUNT));
    og_ledger_write_latch(b, latch);
    og_member_str(b, "state", resumed ? OG_STR("resumed") : OG_STR("tripped"));
    if (resumed) {
        og_member_str(b, "resumedAt", og_ledger_column(s, AGAIN));
        og_member_str(b, "by", og_ledger_column(s, BY));
        og_member_str(b, "reason", og_ledger_column(s, REASON));
    }
    og_buf_char(b, '}');
}

enum og_status og_ledger_latches(struct og_ledger *l, const char *account, bool all, og_ledger_listener *line,
                                 void *with, struct og_error *err)
{
    enum og_status status = OG_OK;
    sqlite3_stmt *s;
    struct og_buf b;

    if (!l)
        return og_missing(err);
    s = og_ledger_query(l, NEWEST " ORDER BY r.seq", err);
    og_ledger_bind(s, 1, og_str_of(account));
    og_buf_init(&b, 0);
    while (status == OG_OK && og_ledger_next(l, s, &status, err)) {
        const bool resumed = og_ledger_column(s, AGAIN).s;
        enum og_latch_kind kind;
        struct og_latch latch;

        if ((resumed && !all) ||
            read_detail(OG_STR(OG_LEDGER_LATCH), og_ledger_column(s, DETAIL), &kind, &latch) != OG_LEDGER_TRIPPED)
            continue;
        write_line(&b, s, &latch, resumed);
        status = og_ledger_tell(&b, line, with, err);
    }
    sqlite3_finalize(s);
    og_buf_clear(&b);
    return status;
}

/* --- resuming ----------------------------------------------------------------------------------------------------- */

static bool is_word(const char *text, size_t most)
{
    size_t len = text ? strlen(text) : 0;

    for (size_t i = 0; i < len; i++)
        if ((unsigned char)text[i] < 0x20 || text[i] == 0x7f)
            return false;
    return len <= most && text && text[strspn(text, " ")] != '\0';
}

static enum og_status fail_no_latch(const char *word, struct og_error *err)
{
    struct og_buf names;
    enum og_status status;

    og_buf_init(&names, 0);
    for (int i = 0; i < OG_LATCHES; i++)
        og_buf_format(&names, "%s%s", names.len > 0 ? ", " : "", og_latch_names[i]);
    status = og_fail(err, OG_EINVAL,
                     "'%s' is not a latch: expected %s; ordergate ledger latches lists those that are tripped", word,
                     names.s ? names.s : "");
    og_buf_clear(&names);
    return status;
}

static enum og_status check_words(const struct og_ledger_resumption *r, struct og_error *err)
{
    if (!r->latch || og_latch_find(og_str_of(r->latch)) == OG_LATCHES)
        return fail_no_latch(r->latch ? r->latch : "", err);
    if (!is_word(r->by, BY_MOST))
        return og_fail(err, OG_EINVAL, "the resume must name who resumes: 1 to %d bytes, no control characters",
                       BY_MOST);
    if (!is_word(r->reason, REASON_MOST))
        return og_fail(err, OG_EINVAL, "the resume must give a reason: 1 to %d bytes, no control characters",
                       REASON_MOST);
    return OG_OK;
}

/* Find the account whose latch is tripped: the named one, in the ledger's spelling; if none is named, the only such
 * account. */
static enum og_status find_account(struct og_ledger *l, const struct og_ledger_resumption *r, struct og_buf *account,
                                   struct og_error *err)
{
    sqlite3_stmt *s = og_ledger_query(
        l, "SELECT DISTINCT account FROM (" NEWEST " AND n.seq IS NULL AND r.detail ->> 'latch' = ?2)", err);
    enum og_status status;
    int count;

    og_ledger_bind(s, 1, og_str_of(r->account));
    og_ledger_bind(s, 2, og_str_of(r->latch));
    status = og_ledger_accounts(l, s, account, &count, err);
    if (status != OG_OK || count == 1)
        return status;
    return count == 0
               ? og_fail(err, OG_EBUSY, "latch '%s' is not tripped%s%s: there is nothing to resume", r->latch,
                         r->account ? " for account " : "", r->account ? r->account : "")
               : og_fail(err, OG_EINVAL, "latch '%s' is tripped for several accounts (%s): name one with --account",
                         r->latch, account->s);
}

static enum og_status append(struct og_ledger *l, const struct og_ledger_resumption *r, struct og_str account,
                             struct og_error *err)
{
    struct og_ledger_row row = {
        .at = og_time_now(), .account = account, .record = OG_LEDGER_RESUME, .state = OG_DONE
    };
    struct og_buf detail, text;
    enum og_status status;

    og_buf_init(&detail, 0);
    og_buf_init(&text, 0);
    og_buf_text(&detail, "{\"of\":\"latch\"");
    og_member_str(&detail, "latch", og_str_of(r->latch));
    og_member_str(&detail, "by", og_str_of(r->by));
    og_member_str(&detail, "reason", og_str_of(r->reason));
    og_buf_char(&detail, '}');
    og_buf_format(&text, "latch %s is resumed by %s: %s", r->latch, r->by, r->reason);
    row.text = (struct og_str){ text.s, text.len };
    row.detail = (struct og_str){ detail.s, detail.len };
    status = detail.bad || text.bad ? og_fail(err, OG_ENOMEM, "out of memory") : og_ledger_append(l, &row, err);
    og_buf_clear(&detail);
    og_buf_clear(&text);
    return status;
}

enum og_status og_ledger_resume(const char *path, const struct og_ledger_resumption *r, og_ledger_listener *line,
                                void *with, struct og_error *err)
{
    struct og_ledger *l = NULL;
    struct og_buf account;
    enum og_status status;

    if (!r)
        return og_missing(err);
    og_buf_init(&account, 0);
    status = check_words(r, err);
    if (status == OG_OK && (status = og_ledger_open_to_say(path, "resume", &l, err)) == OG_OK &&
        (status = og_ledger_begin(l, err)) == OG_OK && (status = find_account(l, r, &account, err)) == OG_OK &&
        (status = append(l, r, (struct og_str){ account.s, account.len }, err)) == OG_OK &&
        (status = og_ledger_commit(l, err)) == OG_OK)
        status = og_ledger_latches(l, account.s, true, line, with, err);
    og_ledger_close(l);
    og_buf_clear(&account);
    return status;
}
