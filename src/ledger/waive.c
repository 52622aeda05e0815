/*
 * Waivers on record: who allows which order to pass which rule, why and until when; and how they are revoked. An order
 * that was already posted cannot get a waiver. Records are never changed: revoking a waiver adds a record.
 */
#include "base/error.h"
#include "ledger/schema.h"
#include "ledger/view.h"
#include "ordergate/time.h"

#define BY_MOST      64
#define REASON_MOST  200
#define FOR_LEAST_NS OG_NS_PER_S
#define FOR_MOST_NS  (24 * 3600 * OG_NS_PER_S)

enum { RULE = OG_LEDGER_FIELDS, BY, REASON, UNTIL, INTENT, DIGEST, BODY, STRANGE, REFUSED_YET };

/* Query for the newest record (waive or revoke) of each order and rule, with the newest intent of that order; `more`
 * names further columns. */
#define NEWEST_WITH(more)                                                                                 \
    "SELECT " OG_LEDGER_COLUMNS                                                                           \
    ", r.detail ->> 'rule', r.detail ->> 'by', r.detail ->> 'reason', r.detail ->> 'until',"              \
    " (SELECT max(i.seq) FROM rows i WHERE i.account = r.account AND i.id = r.id AND i.record = 'intent'" \
    " AND (?3 IS NULL OR i.run <> ?3)),"                                                                  \
    " r.detail ->> 'digest', r.detail -> 'order'" more " FROM rows r WHERE r." OG_LEDGER_OF_WAIVERS       \
    " AND json_valid(r.detail) AND NOT EXISTS"                                                            \
    " (SELECT 1 FROM rows n WHERE n." OG_LEDGER_OF_WAIVERS                                                \
    " AND n.id = r.id AND n.seq > r.seq AND n.account = r.account"                                        \
    " AND json_valid(n.detail) AND n.detail ->> 'rule' = r.detail ->> 'rule')"
/* NEWEST_WITH() with the columns for warnings: the known accounts, if the waiver's account is not one of them; and the
 * last refusal of the order by the rule since the waiver was given. */
#define NEWEST                                                                                                        \
    NEWEST_WITH(                                                                                                      \
        ", CASE WHEN NOT EXISTS (SELECT 1 FROM rows k WHERE k.account = r.account AND NOT k." OG_LEDGER_OF_WAIVERS    \
        ") THEN (SELECT coalesce(group_concat(account, ', '), '') FROM (" OG_LEDGER_ACCOUNTS " ORDER BY 1)) END,"     \
        " (SELECT f.value ->> 'message' FROM rows d, json_each(CASE WHEN json_valid(d.detail) THEN d.detail ELSE "    \
        "'{}' END,"                                                                                                   \
        " '$.findings') f WHERE d.account = r.account AND d.id = r.id AND d.seq > r.seq AND d.record = 'decision'"    \
        " AND f.value ->> 'rule' = r.detail ->> 'rule' AND f.value ->> 'level' = 'refuse' ORDER BY d.seq DESC LIMIT " \
        "1)")

const char og_ledger_waivers_sql[] = NEWEST_WITH("") " AND r.id = ?1 AND r.account = ?2 COLLATE NOCASE ORDER BY r.seq";

enum standing { LIVE, USED, REVOKED, EXPIRED };

/* A waiver that ends more than FOR_MOST_NS from now counts as expired. Otherwise it would last longer if the clock were
 * set back. */
static enum standing standing_of(sqlite3_stmt *s, int64_t now, struct og_ledger_waiver_row *w)
{
    struct og_str until = og_ledger_column(s, UNTIL);

    *w = (struct og_ledger_waiver_row){ .rule = og_ledger_column(s, RULE),
                                        .by = og_ledger_column(s, BY),
                                        .reason = og_ledger_column(s, REASON),
                                        .digest = og_ledger_column(s, DIGEST) };
    if (og_str_is(og_ledger_column(s, OG_LEDGER_RECORD), "revoke"))
        return REVOKED;
    if (sqlite3_column_int64(s, INTENT) > sqlite3_column_int64(s, OG_LEDGER_SEQ))
        return USED;
    if (!og_time_read(until.s, until.len, &w->until) || now >= w->until || w->until - now > FOR_MOST_NS)
        return EXPIRED;
    return LIVE;
}

enum og_status og_ledger_waivers_of(struct og_ledger *l, struct og_str account, struct og_str id, int64_t now,
                                    bool intended, og_ledger_waived *seen, void *with, struct og_error *err)
{
    sqlite3_stmt *s = og_ledger_prepared(l, OG_LEDGER_WAIVERS, err);
    enum og_status status = OG_OK;
    struct og_ledger_waiver_row waiver;

    og_ledger_bind(s, 1, id);
    og_ledger_bind(s, 2, account);
    og_ledger_bind(s, 3, intended ? og_str_of(l->run) : (struct og_str){ NULL, 0 });
    while (og_ledger_next(l, s, &status, err))
        if (standing_of(s, now, &waiver) == LIVE)
            seen(with, &waiver);
    sqlite3_reset(s);
    return status;
}

/* --- listing ------------------------------------------------------------------------------------------------------ */

/* Write why a valid waiver may have no effect. */
static void write_warning(struct og_buf *b, sqlite3_stmt *s)
{
    struct og_str strange = og_ledger_column(s, STRANGE), refused = og_ledger_column(s, REFUSED_YET);
    struct og_str account = og_ledger_column(s, OG_LEDGER_ACCOUNT);
    struct og_buf text;

    if (!strange.s && !refused.s)
        return;
    og_buf_init(&text, 0);
    if (refused.s)
        og_buf_format(&text, "the rule refused the order all the same: %.*s", (int)refused.len, refused.s);
    else if (strange.len > 0)
        og_buf_format(&text, "nothing was sent for account '%.*s' yet; known accounts: %.*s", (int)account.len,
                      account.s, (int)strange.len, strange.s);
    else
        og_buf_format(&text, "nothing was sent for account '%.*s' yet, nor for any other", (int)account.len, account.s);
    b->bad |= text.bad;
    og_member_str(b, "warning", (struct og_str){ text.s, text.len });
    og_buf_clear(&text);
}

static void write_body(struct og_buf *b, struct og_str body)
{
    og_buf_text(b, ",\"order\":");
    og_buf_str(b, body.len > 0 ? body : OG_STR("null"));
}

static void write_waiver(struct og_buf *b, sqlite3_stmt *s, enum standing standing)
{
    static const char *const names[] = { "live", "used", "revoked", "expired" };

    og_buf_format(b, "{\"seq\":%lld", (long long)sqlite3_column_int64(s, OG_LEDGER_SEQ));
    og_member_str(b, "at", og_ledger_column(s, OG_LEDGER_AT));
    og_member_str(b, "accountId", og_ledger_column(s, OG_LEDGER_ACCOUNT));
    og_member_str(b, "clientOrderId", og_ledger_column(s, OG_LEDGER_ID));
    og_member_str(b, "rule", og_ledger_column(s, RULE));
    og_member_str(b, "by", og_ledger_column(s, BY));
    og_member_str(b, "reason", og_ledger_column(s, REASON));
    og_member_str(b, "until", og_ledger_column(s, UNTIL));
    og_member_str(b, "digest", og_ledger_column(s, DIGEST));
    write_body(b, og_ledger_column(s, BODY));
    og_member_str(b, "state", og_str_of(names[standing]));
    if (standing == LIVE)
        write_warning(b, s);
    og_buf_char(b, '}');
}

/* Write all waivers of a query, or only those in force. Finalizes the query. */
static enum og_status tell_all(struct og_ledger *l, sqlite3_stmt *s, bool all, og_ledger_listener *line, void *with,
                               struct og_error *err)
{
    enum og_status status = OG_OK;
    struct og_ledger_waiver_row waiver;
    int64_t now = og_time_now();
    struct og_buf b;

    og_buf_init(&b, 0);
    while (status == OG_OK && og_ledger_next(l, s, &status, err)) {
        enum standing standing = standing_of(s, now, &waiver);

        if (standing != LIVE && !all)
            continue;
        write_waiver(&b, s, standing);
        status = og_ledger_tell(&b, line, with, err);
    }
    sqlite3_finalize(s);
    og_buf_clear(&b);
    return status;
}

enum og_status og_ledger_waivers(struct og_ledger *l, const char *account, bool all, og_ledger_listener *line,
                                 void *with, struct og_error *err)
{
    sqlite3_stmt *s;

    if (!l)
        return og_missing(err);
    s = og_ledger_query(l, NEWEST " AND (?1 IS NULL OR r.account = ?1 COLLATE NOCASE) ORDER BY r.seq", err);
    og_ledger_bind(s, 1, og_str_of(account));
    return tell_all(l, s, all, line, with, err);
}

/* --- checks before a waiver is recorded --------------------------------------------------------------------------- */

struct saying {
    const struct og_ledger_waiver *said;
    struct og_ledger *l;
    struct og_buf account;
    struct og_str id;
    int64_t now;
    enum og_state state; /* state of the order; OG_REFUSED if it was never accepted */
    struct og_buf digest, body;
    struct og_error *err;
};

static bool is_word(const char *text, size_t most)
{
    size_t len = text ? strlen(text) : 0;

    for (size_t i = 0; i < len; i++)
        if ((unsigned char)text[i] < 0x20 || text[i] == 0x7f)
            return false;
    return len <= most && text && text[strspn(text, " ")] != '\0';
}

static enum og_status check_words(const struct og_ledger_waiver *w, bool gives, struct og_error *err)
{
    if (!is_word(w->id, 256))
        return og_fail(err, OG_EINVAL, "the waiver has no clientOrderId: give the id of the order it is for");
    if (!is_word(w->by, BY_MOST))
        return og_fail(err, OG_EINVAL, "the waiver must name who gives it: 1 to %d bytes, no control characters",
                       BY_MOST);
    if ((gives || w->reason) && !is_word(w->reason, REASON_MOST))
        return og_fail(err, OG_EINVAL, "the waiver must give a reason: 1 to %d bytes, no control characters",
                       REASON_MOST);
    if (gives && !is_word(w->rule, 64))
        return og_fail(err, OG_EINVAL, "the waiver names no rule: give the rule that the order may pass");
    if (gives && (w->for_ns < FOR_LEAST_NS || w->for_ns > FOR_MOST_NS))
        return og_fail(err, OG_EINVAL, "the time of the waiver must be from 1s to 24h");
    return OG_OK;
}

static enum og_status ask_accounts(struct saying *s, const char *sql, const char *text, int *count)
{
    sqlite3_stmt *q = og_ledger_query(s->l, sql, s->err);

    og_ledger_bind(q, 1, og_str_of(text));
    return og_ledger_accounts(s->l, q, &s->account, count, s->err);
}

/* Find the order's account: the named one, in the ledger's spelling; if none is named, the only possible one. */
static enum og_status find_account(struct saying *s)
{
    const struct og_ledger_waiver *w = s->said;
    enum og_status status;
    int count = 0;

    if (w->account) {
        status = ask_accounts(s, OG_LEDGER_ACCOUNTS " AND account = ? COLLATE NOCASE LIMIT 1", w->account, &count);
        if (status == OG_OK && count == 0)
            og_buf_text(&s->account, w->account);
        return status;
    }
    status = ask_accounts(s, OG_LEDGER_ACCOUNTS " AND id = ? ORDER BY 1", w->id, &count);
    if (status == OG_OK && count == 0)
        status = ask_accounts(s, OG_LEDGER_ACCOUNTS " ORDER BY 1", NULL, &count);
    if (status != OG_OK || count == 1)
        return status;
    return count == 0
               ? og_fail(s->err, OG_EINVAL, "the ledger has no account yet: name the order's account with --account")
               : og_fail(s->err, OG_EINVAL, "the order may belong to several accounts (%s): name one with --account",
                         s->account.s);
}

static enum og_status check_order(struct saying *s)
{
    struct og_ledger_known known;
    enum og_status status =
        og_ledger_find(s->l, (struct og_str){ s->account.s, s->account.len }, s->id, &known, NULL, NULL, s->err);

    if (status != OG_OK)
        return status;
    s->state = known.found ? known.state : OG_REFUSED;
    if (known.found && known.state != OG_NOT_SENT)
        return og_fail(s->err, OG_EBUSY, "order '%s' is %s: it was accepted already, and needs no waiver", s->said->id,
                       og_state_name(known.state));
    return OG_OK;
}

/* Find the body to which the waiver is bound: the one with the given digest; if no digest is given, the newest body
 * that was refused. */
static enum og_status find_body(struct saying *s)
{
    enum og_status status = OG_OK;
    sqlite3_stmt *q;
    bool found;

    if (s->said->digest) {
        og_buf_text(&s->digest, s->said->digest);
        return OG_OK;
    }
    q = og_ledger_query(s->l,
                        "SELECT detail ->> 'digest', detail -> 'order' FROM rows WHERE account = ?1 AND id = ?2 AND"
                        " record = 'decision' AND state = 'refused' AND json_valid(detail) AND"
                        " detail ->> 'digest' NOTNULL AND json_type(detail, '$.order') = 'object'"
                        " ORDER BY seq DESC LIMIT 1",
                        s->err);
    og_ledger_bind(q, 1, (struct og_str){ s->account.s, s->account.len });
    og_ledger_bind(q, 2, s->id);
    if ((found = og_ledger_next(s->l, q, &status, s->err))) {
        og_buf_str(&s->digest, og_ledger_column(q, 0));
        og_buf_str(&s->body, og_ledger_column(q, 1));
    }
    sqlite3_finalize(q);
    if (s->digest.bad || s->body.bad)
        return og_fail(s->err, OG_ENOMEM, "out of memory");
    return found || status != OG_OK
               ? status
               : og_fail(s->err, OG_EINVAL,
                         "no refused order '%s' of account '%s' is on record: a waiver is bound to the body of one "
                         "order, so send the order first, or give the digest of its body with --digest",
                         s->said->id, s->account.s);
}

/* Check that a decision about the order names the rule, if the rule is not in the register: it may be a custom rule. */
static enum og_status check_rule(struct saying *s)
{
    enum og_status status = OG_OK;
    sqlite3_stmt *q;
    bool found;

    if (!s->said->refused_by)
        return OG_OK;
    q = og_ledger_query(s->l,
                        "SELECT 1 FROM rows r, json_each(CASE WHEN json_valid(r.detail) THEN r.detail ELSE '{}' END,"
                        " '$.findings') f WHERE r.account = ?1 AND r.id = ?2 AND r.record = 'decision'"
                        " AND f.value ->> 'rule' = ?3 LIMIT 1",
                        s->err);
    og_ledger_bind(q, 1, (struct og_str){ s->account.s, s->account.len });
    og_ledger_bind(q, 2, s->id);
    og_ledger_bind(q, 3, og_str_of(s->said->rule));
    found = og_ledger_next(s->l, q, &status, s->err);
    sqlite3_finalize(q);
    return found || status != OG_OK ? status
                                    : og_fail(s->err, OG_EINVAL,
                                              "'%s' is not a rule of ordergate, and no recorded decision about order"
                                              " '%s' names it (ordergate rules lists them)",
                                              s->said->rule, s->said->id);
}

static enum og_status append(struct saying *s, const char *record, struct og_str rule, int64_t until)
{
    struct og_str reason = s->said->reason ? og_str_of(s->said->reason) : OG_STR("no reason given");
    struct og_ledger_row row = {
        .at = s->now, .account = { s->account.s, s->account.len }, .id = s->id, .record = record, .state = s->state
    };
    struct og_buf detail, text;
    enum og_status status;

    og_buf_init(&detail, 0);
    og_buf_init(&text, 0);
    og_buf_text(&detail, "{\"rule\":");
    og_buf_json_str(&detail, rule);
    og_member_str(&detail, "by", og_str_of(s->said->by));
    og_member_str(&detail, "reason", reason);
    og_buf_format(&text, "rule %.*s ", (int)rule.len, rule.s);
    if (until != 0) {
        og_member_str(&detail, "until", og_str_of(og_time_text(until).s));
        og_member_str(&detail, "digest", (struct og_str){ s->digest.s, s->digest.len });
        if (s->body.len > 0)
            write_body(&detail, (struct og_str){ s->body.s, s->body.len });
        og_buf_format(&text, "is waived by %s until %s: ", s->said->by, og_time_text(until).s);
    } else {
        og_buf_format(&text, "is not waived any more, says %s: ", s->said->by);
    }
    og_buf_char(&detail, '}');
    og_buf_str(&text, reason);
    row.text = (struct og_str){ text.s, text.len };
    row.detail = (struct og_str){ detail.s, detail.len };
    status =
        detail.bad || text.bad ? og_fail(s->err, OG_ENOMEM, "out of memory") : og_ledger_append(s->l, &row, s->err);
    og_buf_clear(&detail);
    og_buf_clear(&text);
    return status;
}

/* --- giving and revoking ------------------------------------------------------------------------------------------ */

static enum og_status give(struct saying *s)
{
    enum og_status status = check_rule(s);

    if (status == OG_OK)
        status = find_body(s);
    return status != OG_OK ? status : append(s, "waive", og_str_of(s->said->rule), s->now + s->said->for_ns);
}

struct rules {
    struct og_buf b; /* ids of the rules whose waivers are to be revoked, each followed by a NUL */
    const char *only;
};

static void on_live(void *with, const struct og_ledger_waiver_row *w)
{
    struct rules *r = with;

    if (!r->only || og_str_is(w->rule, r->only)) {
        og_buf_str(&r->b, w->rule);
        og_buf_bytes(&r->b, "", 1);
    }
}

static enum og_status take_back(struct saying *s)
{
    struct rules r = { .only = s->said->rule };
    enum og_status status;

    og_buf_init(&r.b, 0);
    status = og_ledger_waivers_of(s->l, (struct og_str){ s->account.s, s->account.len }, s->id, s->now, false, on_live,
                                  &r, s->err);
    if (status == OG_OK && r.b.bad)
        status = og_fail(s->err, OG_ENOMEM, "out of memory");
    if (status == OG_OK && r.b.len == 0)
        status = og_fail(s->err, OG_EBUSY, "order '%s' has no valid waiver%s%s: there is nothing to revoke",
                         s->said->id, r.only ? " and rule " : "", r.only ? r.only : "");
    for (size_t at = 0; status == OG_OK && at < r.b.len; at += strlen(r.b.s + at) + 1)
        status = append(s, "revoke", og_str_of(r.b.s + at), 0);
    og_buf_clear(&r.b);
    return status;
}

static enum og_status record(struct saying *s, enum og_status (*what)(struct saying *s))
{
    enum og_status status = og_ledger_begin(s->l, s->err);

    if (status == OG_OK && (status = find_account(s)) == OG_OK && (status = check_order(s)) == OG_OK)
        status = what(s);
    return status == OG_OK ? og_ledger_commit(s->l, s->err) : status;
}

static enum og_status say(const char *path, const struct og_ledger_waiver *said,
                          enum og_status (*what)(struct saying *s), og_ledger_listener *line, void *with,
                          struct og_error *err)
{
    struct saying s = { .said = said, .id = og_str_of(said->id), .now = og_time_now(), .err = err };
    enum og_status status = check_words(said, what == give, err);
    sqlite3_stmt *q;

    og_buf_init(&s.account, 0);
    og_buf_init(&s.digest, 0);
    og_buf_init(&s.body, 0);
    if (status == OG_OK && (status = og_ledger_open_to_say(path, "waive", &s.l, err)) == OG_OK &&
        (status = record(&s, what)) == OG_OK) {
        q = og_ledger_query(s.l, NEWEST " AND r.run = ?1 ORDER BY r.seq", err);
        og_ledger_bind(q, 1, og_str_of(s.l->run));
        status = tell_all(s.l, q, true, line, with, err);
    }
    og_ledger_close(s.l);
    og_buf_clear(&s.account);
    og_buf_clear(&s.digest);
    og_buf_clear(&s.body);
    return status;
}

enum og_status og_ledger_waive(const char *path, const struct og_ledger_waiver *waiver, og_ledger_listener *line,
                               void *with, struct og_error *err)
{
    if (!waiver)
        return og_missing(err);
    return say(path, waiver, give, line, with, err);
}

enum og_status og_ledger_revoke(const char *path, const struct og_ledger_waiver *waiver, og_ledger_listener *line,
                                void *with, struct og_error *err)
{
    if (!waiver)
        return og_missing(err);
    return say(path, waiver, take_back, line, with, err);
}
