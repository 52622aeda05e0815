/*
 * Verifies the ledger: every hash follows from its record and the previous hash, no record is missing, and the tables
 * of used ids and of runs list exactly those that the records mention. If the newest records were cut off, or the file
 * was rewritten completely, only a comparison with a head kept elsewhere reveals that: a head in the file <path>-runs,
 * or one that the user kept.
 */
#include <stdio.h>

#include "base/error.h"
#include "ledger/archive.h"
#include "ledger/place.h"
#include "ledger/view.h"
#include "text/doc.h"

#define TOLD_MOST 1000 /* maximum number of faults that are reported; further ones are only counted */

struct checking {
    struct og_ledger *l;
    og_ledger_listener *line;
    void *with;
    struct og_error *err;
    struct og_str expected; /* the hash of a record that the caller expects in the chain; s is NULL if the caller
                             * expects none */
    int64_t expected_seq;   /* seq of the record with that hash; 0 if there is none */
    int64_t locked;         /* seq of the first record whose hash needs a key that was not given; 0 if there is none */
    int64_t seq;            /* seq of the newest record seen */
    struct og_digest_text hash;
    struct og_digest_text accepted; /* digest of the faults that the newest acceptance on record accepts */
    sqlite3_stmt *gap; /* query for the gaps that archives left, in sequence; NULL if there are no more, or the ledger
                        * cannot have any */
    bool is_archive;   /* the newest record ends an archive, so the file is an archive */
    struct og_digest_text gaps, archived; /* digests of the two tables in the newest record of an archive; "" if there
                                           * is none */
    long long rows, faults;
    struct og_buf b;
    enum og_status status; /* status of reporting a fault to the listener */
};

/* Report a fault of a record; seq 0 stands for a fault of the file itself. */
static void fault(struct checking *c, int64_t seq, const char *kind, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
static void fault(struct checking *c, int64_t seq, const char *kind, const char *format, ...)
{
    char text[400];
    va_list args;

    if (++c->faults > TOLD_MOST || c->status != OG_OK)
        return;
    va_start(args, format);
    og_text_format(text, sizeof text, format, args);
    va_end(args);
    og_buf_text(&c->b, "{\"seq\":");
    if (seq != 0)
        og_buf_int(&c->b, seq);
    else
        og_buf_text(&c->b, "null");
    og_member_str(&c->b, "fault", og_str_of(kind));
    og_member_str(&c->b, "message", og_str_of(text));
    og_buf_char(&c->b, '}');
    c->status = og_ledger_tell(&c->b, c->line, c->with, c->err);
}

/* Call `look` for each row of a query; an error of SQLite is reported as a fault. */
static void each(struct checking *c, const char *sql, void (*look)(struct checking *c, sqlite3_stmt *s))
{
    sqlite3_stmt *s = NULL;
    int step = sqlite3_prepare_v2(c->l->db, sql, -1, &s, NULL);

    if (step == SQLITE_OK)
        while ((step = sqlite3_step(s)) == SQLITE_ROW && c->status == OG_OK)
            look(c, s);
    if (step != SQLITE_DONE && step != SQLITE_ROW)
        fault(c, 0, "damaged", "the file cannot be read after record %lld: %s", (long long)c->seq,
              sqlite3_errmsg(c->l->db));
    sqlite3_finalize(s);
}

static void look_at_page(struct checking *c, sqlite3_stmt *s)
{
    struct og_str said = og_ledger_column(s, 0);

    if (!og_str_is(said, "ok"))
        fault(c, 0, "damaged", "%.*s", (int)(said.len < 300 ? said.len : 300), said.s ? said.s : "");
}

/* Note an acceptance of damage. Call only for a record whose own hash is correct. */
static void look_at_acceptance(struct checking *c, const struct og_str field[OG_LEDGER_FIELDS])
{
    struct og_str digest = field[OG_LEDGER_CODE];

    if (!og_str_is(field[OG_LEDGER_RECORD], OG_LEDGER_ACCEPTANCE) || digest.len >= sizeof c->accepted.s)
        return;
    memset(&c->accepted, 0, sizeof c->accepted);
    if (digest.len > 0)
        memcpy(c->accepted.s, digest.s, digest.len);
}

/* If gaps begin right after the newest record seen, go on from the end of each gap, with the hash that the table has
 * for it. */
static void pass_gaps(struct checking *c)
{
    while (c->gap && sqlite3_column_int64(c->gap, 1) <= c->seq + 1) {
        if (sqlite3_column_int64(c->gap, 1) == c->seq + 1) {
            const struct og_str hash = og_ledger_column(c->gap, 2);

            c->seq = sqlite3_column_int64(c->gap, 0);
            memset(&c->hash, 0, sizeof c->hash);
            if (hash.len > 0 && hash.len < sizeof c->hash.s)
                memcpy(c->hash.s, hash.s, hash.len);
            if (c->expected.s && og_str_eq(hash, c->expected))
                c->expected_seq = c->seq;
        }
        if (sqlite3_step(c->gap) != SQLITE_ROW) {
            sqlite3_finalize(c->gap);
            c->gap = NULL;
        }
    }
}

/* Keep the digests of the tables that a record of an archive has. */
static void look_at_archive(struct checking *c, const struct og_str field[OG_LEDGER_FIELDS])
{
    const struct og_str detail = field[OG_LEDGER_DETAIL];
    struct og_str text;
    cJSON *doc = NULL;

    c->is_archive = og_str_is(field[OG_LEDGER_RECORD], OG_LEDGER_ARCHIVED);
    if ((!c->is_archive && !og_str_is(field[OG_LEDGER_RECORD], OG_LEDGER_ARCHIVE)) || detail.len == 0 ||
        og_doc_read(detail.s, detail.len, "detail", &doc, NULL) != OG_OK)
        return;
    if (og_doc_str(doc, "gaps", &text))
        snprintf(c->gaps.s, sizeof c->gaps.s, "%.*s", (int)(text.len < 71 ? text.len : 71), text.s);
    if (og_doc_str(doc, "archived", &text))
        snprintf(c->archived.s, sizeof c->archived.s, "%.*s", (int)(text.len < 71 ? text.len : 71), text.s);
    cJSON_Delete(doc);
}

static void look_at_record(struct checking *c, sqlite3_stmt *s)
{
    struct og_str field[OG_LEDGER_FIELDS], stored = og_ledger_column(s, OG_LEDGER_FIELDS);
    struct og_digest_text hash;
    int64_t seq = sqlite3_column_int64(s, OG_LEDGER_SEQ);
    bool keyed = stored.s && og_ledger_keyed(stored.s);

    og_ledger_fields(s, field);
    c->rows++;
    pass_gaps(c);
    look_at_archive(c, field);
    if (seq == c->seq + 2)
        fault(c, c->seq + 1, "missing", "record %lld was taken out", (long long)c->seq + 1);
    else if (seq != c->seq + 1)
        fault(c, c->seq + 1, "missing", "records %lld to %lld were taken out, or record %lld was inserted",
              (long long)c->seq + 1, (long long)seq - 1, (long long)seq);
    else if (!keyed && og_ledger_keyed(c->hash.s))
        fault(c, seq, "unkeyed", "record %lld has no keyed hash, the one before it has: it was written without the key",
              (long long)seq);
    else if (keyed && !c->l->key)
        c->locked += c->locked == 0 ? seq : 0;
    else if (!og_ledger_chain(og_str_of(c->hash.s), field, keyed ? c->l->key : NULL, &c->l->room, &hash))
        c->status = og_fail(c->err, OG_ENOMEM, "out of memory");
    else if (!og_str_is(stored, hash.s))
        fault(c, seq, "changed",
              "record %lld does not match its hash: %sthis record or the one before it was changed, inserted or moved",
              (long long)seq, keyed ? "the ledger key is another one, or " : "");
    else
        look_at_acceptance(c, field);
    c->seq = seq;
    memset(&c->hash, 0, sizeof c->hash);
    if (stored.len > 0 && stored.len < sizeof c->hash.s)
        memcpy(c->hash.s, stored.s, stored.len);
    if (c->expected.s && og_str_eq(stored, c->expected))
        c->expected_seq = seq;
}

static void look_at_head(struct checking *c, sqlite3_stmt *s)
{
    int64_t seq = sqlite3_column_int64(s, 0);

    if (sqlite3_column_type(s, 0) == SQLITE_NULL)
        fault(c, 0, "head", "the head is gone");
    else if (seq != c->seq)
        fault(c, seq < c->seq ? seq + 1 : c->seq + 1, "head", "the head says %lld records, the newest is %lld: %s",
              (long long)seq, (long long)c->seq, seq > c->seq ? "the tail was cut off" : "records were added after it");
    else if (!og_str_is(og_ledger_column(s, 1), c->hash.s))
        fault(c, seq, "head", "the head's hash is not that of record %lld", (long long)seq);
}

static void look_at_used(struct checking *c, sqlite3_stmt *s)
{
    struct og_str account = og_ledger_column(s, 0), id = og_ledger_column(s, 1), body = og_ledger_column(s, 4);
    int64_t seq = sqlite3_column_int64(s, 3);
    struct og_digest_text digest;

    if (sqlite3_column_type(s, 3) == SQLITE_NULL)
        fault(c, 0, "id", "id '%.*s' of account '%.*s' is among the used ids, but there is no record of it",
              (int)id.len, id.s, (int)account.len, account.s);
    else if (body.s && og_digest(body.s, body.len, &digest) && !og_str_is(og_ledger_column(s, 2), digest.s))
        fault(c, seq, "id", "id '%.*s' is among the used ids with another order body than record %lld has", (int)id.len,
              id.s, (long long)seq);
}

static void look_at_unused(struct checking *c, sqlite3_stmt *s)
{
    struct og_str account = og_ledger_column(s, 0), id = og_ledger_column(s, 1);

    fault(c, sqlite3_column_int64(s, 2), "id",
          "id '%.*s' of account '%.*s' was used, but is missing among the used ids", (int)id.len, id.s,
          (int)account.len, account.s);
}

static void look_at_run(struct checking *c, sqlite3_stmt *s)
{
    struct og_str run = og_ledger_column(s, 0);

    fault(c, sqlite3_column_int64(s, 1), "run", "run '%.*s' wrote records, and is not among the runs", (int)run.len,
          run.s);
}

static void look_at_waived(struct checking *c, sqlite3_stmt *s)
{
    struct og_str id = og_ledger_column(s, 1), rule = og_ledger_column(s, 2);

    fault(c, sqlite3_column_int64(s, 0), "waiver",
          "order '%.*s' went through rule '%.*s' by a waiver that is not recorded", (int)id.len, id.s ? id.s : "",
          (int)rule.len, rule.s ? rule.s : "");
}

static void look_at_open(struct checking *c, sqlite3_stmt *s)
{
    struct og_str account = og_ledger_column(s, 0), id = og_ledger_column(s, 1);

    fault(c, sqlite3_column_int64(s, 2), "open", "order '%.*s' of account '%.*s' is %s", (int)id.len, id.s,
          (int)account.len, account.s,
          sqlite3_column_int(s, 3) ? "open by its records, and not among the open orders"
                                   : "among the open orders, and not open by its records");
}

static void look_at_guards(struct checking *c, sqlite3_stmt *s)
{
    const int all = c->l->version >= 7 ? 7 : c->l->version == 6 ? 8 : 6;

    if (sqlite3_column_int(s, 0) != all)
        fault(c, 0, "guard", "only %d of the %d triggers that keep records from being changed exist",
              sqlite3_column_int(s, 0), all);
}

/* The note is read before the ledger. The record that it names was committed before the note was written, so a ledger
 * that is read afterwards must have the record. */
void og_ledger_look_at_note(struct og_ledger *l)
{
    struct og_ledger_head noted = { 0 };
    sqlite3_stmt *s = NULL;
    int step;

    l->lacked.seq = 0;
    if (l->version < 2 || !og_ledger_runs_noted(l->runs, &noted.seq, &noted.hash) ||
        sqlite3_prepare_v2(l->db, "SELECT hash FROM rows WHERE seq = ?", -1, &s, NULL) != SQLITE_OK)
        return;
    sqlite3_bind_int64(s, 1, noted.seq);
    step = sqlite3_step(s); /* a record that cannot be read is reported by the other checks */
    if (step == SQLITE_DONE || (step == SQLITE_ROW && !og_str_is(og_ledger_column(s, 0), noted.hash.s)))
        l->lacked = noted;
    sqlite3_finalize(s);
}

static void look_at_lacked(struct checking *c, const struct og_ledger_head *lacked)
{
    if (lacked->seq > c->seq)
        fault(c, c->seq + 1, "older",
              "records %lld to %lld, noted in the file -runs, are missing: this is an older copy of the ledger, and "
              "does not"
              " know the ids and orders in them; the newest has the hash %s",
              (long long)c->seq + 1, (long long)lacked->seq, lacked->hash.s);
    else
        fault(c, lacked->seq, "older",
              "record %lld differs from the one noted in the file -runs: this is a copy to which other records were "
              "added, or the record was written again; the noted one has the hash %s",
              (long long)lacked->seq, lacked->hash.s);
}

static void begin_gaps(struct checking *c)
{
    if (c->l->version < 7)
        return;
    if (sqlite3_prepare_v2(c->l->db, "SELECT last, first, hash FROM gaps ORDER BY last", -1, &c->gap, NULL) ==
            SQLITE_OK &&
        sqlite3_step(c->gap) == SQLITE_ROW)
        return;
    sqlite3_finalize(c->gap); /* gap is NULL after an error, which the digest of the table reveals */
    c->gap = NULL;
}

/* Compare the tables that archives leave with their digests in the newest record of an archive. */
static void look_at_tables(struct checking *c)
{
    static struct og_digest_text none = { "" };
    struct og_digest_text gaps, archived;

    sqlite3_finalize(c->gap);
    c->gap = NULL;
    if (c->l->version < 7)
        return;
    if (none.s[0] == '\0' && !og_digest("", 0, &none))
        c->status = og_fail(c->err, OG_ENOMEM, "out of memory");
    if (!og_ledger_archive_digests(c->l, c->l->db, &gaps, &archived))
        fault(c, 0, "archive", "what the archives left cannot be read");
    else if (strcmp(gaps.s, c->gaps.s[0] ? c->gaps.s : none.s) != 0)
        fault(c, 0, "archive", "the gaps are not those that the newest archive left: records may have been taken out");
    else if (strcmp(archived.s, c->archived.s[0] ? c->archived.s : none.s) != 0)
        fault(c, 0, "archive", "the digests of archived orders are not those that the newest archive left");
}

static void check_all(struct checking *c)
{
    each(c, "PRAGMA integrity_check(10)", look_at_page);
    begin_gaps(c);
    each(c, "SELECT " OG_LEDGER_COLUMNS ", r.hash FROM rows r NOT INDEXED ORDER BY r.seq", look_at_record);
    look_at_tables(c);
    if (c->locked != 0)
        fault(c, c->locked, "keyed", "records from %lld on are keyed: name the file of their key with --ledger-key",
              (long long)c->locked);
    if (c->l->key && c->seq != 0 && !og_ledger_keyed(c->hash.s))
        fault(c, c->seq, "unkeyed", "the newest record has no keyed hash: the ledger was written without the key");
    each(c, "SELECT h.seq, h.hash FROM (SELECT 1) LEFT JOIN head h", look_at_head);
    each(
        c,
        c->is_archive /* an archive has only the ids of its own records, and an id's first record may be in an earlier
                       * archive */
            ? "SELECT i.account, i.id, i.digest, r.seq, r.detail FROM ids i LEFT JOIN rows r ON r.seq = i.seq AND"
              " r.record = 'intent' AND r.account = i.account AND r.id = i.id WHERE i.seq > (SELECT coalesce(max(last),"
              " 0) FROM gaps)"
            : "SELECT i.account, i.id, i.digest, r.seq, r.detail FROM ids i LEFT JOIN rows r ON r.seq = i.seq AND"
              " r.record = 'intent' AND r.account = i.account AND r.id = i.id",
        look_at_used);
    each(c,
         "SELECT r.account, r.id, min(r.seq) FROM rows r WHERE r.record = 'intent' AND NOT EXISTS (SELECT 1 FROM ids i"
         " WHERE i.account = r.account AND i.id = r.id) GROUP BY 1, 2 ORDER BY 3",
         look_at_unused);
    each(c, "SELECT run, min(seq) FROM rows WHERE run NOT IN (SELECT run FROM runs) GROUP BY 1 ORDER BY 2",
         look_at_run);
    if (!c->is_archive || c->rows == c->seq) /* otherwise waivers may be in an earlier archive */
        each(c,
             "SELECT d.seq, d.id, f.value ->> 'rule' FROM rows d, json_each(CASE WHEN json_valid(d.detail) THEN "
             "d.detail ELSE '{}'"
             " END, '$.findings') f WHERE d.record = 'decision' AND d.detail LIKE '%\"waived\":{%' AND f.value -> "
             "'waived' NOTNULL"
             " AND NOT EXISTS (SELECT 1 FROM rows w WHERE w.record = 'waive' AND w.id = d.id AND w.seq < d.seq AND"
             " w.account = d.account COLLATE NOCASE AND json_valid(w.detail) AND w.detail ->> 'rule' = f.value ->> "
             "'rule' AND (d.detail ->> 'digest' IS NULL OR w.detail ->> 'digest' = d.detail ->> 'digest'))",
             look_at_waived);
    if (c->l->version >= 6)
        each(c,
             "SELECT i.account, i.id, r.seq, 1 FROM ids i JOIN rows r ON r.seq = " OG_LEDGER_NEWEST_OF
             " WHERE r.state IN (" OG_LEDGER_OPEN_STATES ") AND NOT EXISTS (SELECT 1 FROM open_orders o WHERE"
             " o.account = i.account AND o.id = i.id AND o.seq = r.seq) UNION ALL SELECT i.account, i.id, o.seq, 0"
             " FROM open_orders o JOIN ids i ON i.account = o.account AND i.id = o.id WHERE NOT EXISTS (SELECT 1 FROM "
             "rows r"
             " WHERE r.seq = o.seq AND r.seq = " OG_LEDGER_NEWEST_OF " AND r.state IN (" OG_LEDGER_OPEN_STATES "))",
             look_at_open);
    each(c,
         "SELECT count(*) FROM sqlite_master WHERE type = 'trigger' AND name IN"
         " ('rows_stay', 'rows_keep', 'rows_chained', 'ids_stay', 'ids_keep', 'head_keeps', 'rows_open', 'rows_over')",
         look_at_guards);
    if (c->expected.s && c->expected_seq == 0)
        fault(c, 0, "expected-head",
              "no record has the hash %s: the newest records were cut off, or that record was written again",
              c->expected.s);
    if (c->l->lacked.seq != 0)
        look_at_lacked(c, &c->l->lacked);
}

static void tell_sum(struct checking *c)
{
    og_buf_format(&c->b, "{\"rows\":%lld,\"seq\":%lld", c->rows, (long long)c->seq);
    og_member_str(&c->b, "head", c->hash.s[0] != '\0' ? og_str_of(c->hash.s) : (struct og_str){ NULL, 0 });
    if (c->expected_seq != 0)
        og_buf_format(&c->b, ",\"expectedSeq\":%lld", (long long)c->expected_seq);
    og_buf_format(&c->b, ",\"faults\":%lld}", c->faults);
    if (c->status == OG_OK)
        c->status = og_ledger_tell(&c->b, c->line, c->with, c->err);
}

/* Check everything within one read transaction, so that all queries see the same state. */
static enum og_status check(struct checking *c, bool sum)
{
    if (sqlite3_exec(c->l->db, "BEGIN", NULL, NULL, NULL) != SQLITE_OK)
        return og_ledger_failed(c->l, "read", c->err);
    og_buf_init(&c->b, 0);
    check_all(c);
    if (sum)
        tell_sum(c);
    og_buf_clear(&c->b);
    sqlite3_exec(c->l->db, "COMMIT", NULL, NULL, NULL);
    return c->status;
}

enum og_status og_ledger_verify(struct og_ledger *l, const char *expected, og_ledger_listener *line, void *with,
                                long long *faults, struct og_error *err)
{
    struct checking c = { .l = l, .line = line, .with = with, .err = err };
    enum og_status status;
    char hash[80];

    if (!l || !faults)
        return og_missing(err);
    *faults = 0;
    if (l->version < 2)
        return og_fail(err, OG_ELEDGER,
                       "the ledger has schema %d, without hashes; the next run of ordergate send upgrades it",
                       l->version);
    if (expected) {
        snprintf(hash, sizeof hash, "%s%s", strchr(expected, ':') ? "" : "sha256:", expected);
        c.expected = og_str_of(hash);
    }
    status = check(&c, true);
    *faults = c.faults;
    return status;
}

static int keep_fault(void *with, const char *json, size_t len)
{
    struct og_buf *b = with;

    og_buf_bytes(b, json, len);
    og_buf_char(b, '\n');
    return 0;
}

/* Copy the message of the first fault, cut to the size of the struct member. */
static void read_first(const struct og_buf *faults, struct og_ledger_damage *damage)
{
    cJSON *doc = NULL;
    struct og_str message;

    if (og_doc_read(faults->s, strcspn(faults->s, "\n"), "fault", &doc, NULL) == OG_OK &&
        og_doc_str(doc, "message", &message))
        snprintf(damage->first, sizeof damage->first, "%.*s", (int)message.len, message.s);
    cJSON_Delete(doc);
}

enum og_status og_ledger_damage(struct og_ledger *l, struct og_ledger_damage *damage, struct og_error *err)
{
    struct og_buf faults;
    struct checking c = { .l = l, .line = keep_fault, .with = &faults, .err = err };
    enum og_status status;

    memset(damage, 0, sizeof *damage);
    if (l->version < 2)
        return OG_OK;
    og_buf_init(&faults, 0);
    status = check(&c, false);
    damage->faults = c.faults;
    if (status == OG_OK && c.faults > 0) {
        /* the count is a part of the digest, because further faults may not have been reported */
        og_buf_int(&faults, c.faults);
        if (faults.bad || !og_digest(faults.s, faults.len, &damage->digest))
            status = og_fail(err, OG_ENOMEM, "out of memory");
        else
            read_first(&faults, damage);
        damage->accepted = strcmp(c.accepted.s, damage->digest.s) == 0;
    }
    og_buf_clear(&faults);
    return status;
}
