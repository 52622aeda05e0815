/*
 * Statistics for each run and in total: orders, outcomes, reject codes, reasons of refusals, and how long the broker
 * took to answer a POST. Answer times are kept in memory for one run at a time, except for the last line, which is
 * about all runs.
 */
#include <stdlib.h>

#include "base/error.h"
#include "base/grow.h"
#include "ledger/view.h"

/* Every query is sorted by run, so that the rows of all queries can be read run by run. If `run` is NULL, a query
 * counts all runs together. */
#define PER(run, what, where, rest) "SELECT " run ", " what " FROM " where " GROUP BY " rest
/* Records that people make belong to no run of send. They have the machine's time, while send may use the broker's. */
#define BY_HAND  "record IN ('resolve', 'waive', 'revoke', 'resume')"
#define OUTCOMES "rows r WHERE r.outcome IS NOT NULL AND r.record IN ('decision', 'outcome', 'resolve')"
#define CODES    "rows r WHERE r.code IS NOT NULL AND r.record = 'outcome'"
#define REASONS                                                                                     \
    "rows r, json_each(CASE WHEN json_valid(r.detail) THEN r.detail ELSE '{}' END, '$.findings') f" \
    " WHERE r.record = 'decision' AND r.state = 'refused' AND json_extract(f.value, '$.level') = 'refuse'"
#define SHADOWS                                                                                   \
    "rows r, json_each(CASE WHEN json_valid(r.detail) THEN r.detail ELSE '{}' END, '$.shadow') f" \
    " WHERE r.record = 'decision' AND json_extract(f.value, '$.level') = 'refuse'"
#define REASON "json_extract(f.value, '$.reason')"
#define TIMES                                                                                                    \
    "(SELECT run, json_extract(detail, '$.tookUs') AS us FROM rows WHERE record = 'post' AND json_valid(detail)" \
    " AND json_extract(detail, '$.http') BETWEEN 200 AND 299)"
#define SUMS                                                                                                           \
    "min(r.at), max(r.at), count(*), count(DISTINCT CASE WHEN r.record = 'intent' THEN r.account || ' ' || r.id END)," \
    " count(DISTINCT r.run)"

enum part { SUM, OUTCOME, CODE, REASON_OF, SHADOW_OF, TIME, PARTS };

static const char *const by_run[PARTS] = {
    [SUM] = PER("r.run", SUMS, "rows r WHERE NOT r." BY_HAND, "1 ORDER BY 1"),
    [OUTCOME] = PER("r.run", "r.outcome, count(*)", OUTCOMES " AND NOT r." BY_HAND, "1, 2 ORDER BY 1, 2"),
    [CODE] = PER("r.run", "r.code, count(*)", CODES, "1, 2 ORDER BY 1, 2"),
    [REASON_OF] = PER("r.run", REASON ", count(*)", REASONS, "1, 2 ORDER BY 1, 2"),
    [SHADOW_OF] = PER("r.run", REASON ", count(*)", SHADOWS, "1, 2 ORDER BY 1, 2"),
    [TIME] = "SELECT run, us FROM " TIMES " WHERE us IS NOT NULL ORDER BY 1, 2",
};
static const char *const in_all[PARTS] = {
    [SUM] = "SELECT NULL, " SUMS ", (SELECT count(*) FROM rows WHERE " BY_HAND ") FROM rows r WHERE NOT r." BY_HAND,
    [OUTCOME] = PER("NULL", "r.outcome, count(*)", OUTCOMES, "2 ORDER BY 2"),
    [CODE] = PER("NULL", "r.code, count(*)", CODES, "2 ORDER BY 2"),
    [REASON_OF] = PER("NULL", REASON ", count(*)", REASONS, "2 ORDER BY 2"),
    [SHADOW_OF] = PER("NULL", REASON ", count(*)", SHADOWS, "2 ORDER BY 2"),
    [TIME] = "SELECT NULL, us FROM " TIMES " WHERE us IS NOT NULL ORDER BY 2",
};

struct counting {
    struct og_ledger *l;
    og_ledger_listener *line;
    void *with;
    struct og_error *err;
    sqlite3_stmt *s[PARTS];
    int step[PARTS];
    struct og_buf b;
    int64_t *us; /* sorted answer times of the run whose line is being written */
    size_t count, room;
    long long states[OG_STATES];
};

static bool more(struct counting *c, enum part p)
{
    c->step[p] = sqlite3_step(c->s[p]);
    return c->step[p] == SQLITE_ROW;
}

/* Returns true if the current row of query p belongs to this run. */
static bool stands_at(struct counting *c, enum part p, struct og_str run)
{
    return c->step[p] == SQLITE_ROW && og_str_eq(og_ledger_column(c->s[p], 0), run);
}

static void write_counts(struct counting *c, enum part p, const char *key, struct og_str run)
{
    bool first = true;

    og_buf_format(&c->b, ",\"%s\":{", key);
    while (stands_at(c, p, run)) {
        og_buf_text(&c->b, first ? "" : ",");
        og_buf_json_str(&c->b, og_ledger_column(c->s[p], 1));
        og_buf_format(&c->b, ":%lld", (long long)sqlite3_column_int64(c->s[p], 2));
        first = false;
        (void)more(c, p);
    }
    og_buf_char(&c->b, '}');
}

static bool keep_time(struct counting *c, int64_t us)
{
    if (!OG_GROW(c->us, c->count, c->room, 1024))
        return false;
    c->us[c->count++] = us;
    return true;
}

static bool write_times(struct counting *c, struct og_str run)
{
    c->count = 0;
    while (stands_at(c, TIME, run)) {
        if (!keep_time(c, sqlite3_column_int64(c->s[TIME], 1)))
            return false;
        (void)more(c, TIME);
    }
    og_buf_format(&c->b, ",\"answerUs\":{\"count\":%zu", c->count);
    if (c->count > 0)
        og_buf_format(&c->b, ",\"least\":%lld,\"median\":%lld,\"p99\":%lld,\"most\":%lld", (long long)c->us[0],
                      (long long)c->us[c->count / 2], (long long)c->us[c->count - 1 - c->count / 100],
                      (long long)c->us[c->count - 1]);
    og_buf_char(&c->b, '}');
    return true;
}

static void write_states(struct counting *c)
{
    const char *comma = "";

    og_buf_text(&c->b, ",\"states\":{");
    for (int i = 0; i < OG_STATES; i++) {
        if (c->states[i] == 0)
            continue;
        og_buf_format(&c->b, "%s\"%s\":%lld", comma, og_state_name((enum og_state)i), c->states[i]);
        comma = ",";
    }
    og_buf_char(&c->b, '}');
}

/* Write one line: for the run in the current row of query SUM, or (all) for all runs. */
static enum og_status write_line(struct counting *c, bool all)
{
    sqlite3_stmt *s = c->s[SUM];
    struct og_str run = og_ledger_column(s, 0);

    og_buf_text(&c->b, "{\"run\":");
    if (all)
        og_buf_format(&c->b, "null,\"runs\":%lld", (long long)sqlite3_column_int64(s, 5));
    else
        og_buf_json_str(&c->b, run);
    og_member_str(&c->b, "from", og_ledger_column(s, 1));
    og_member_str(&c->b, "to", og_ledger_column(s, 2));
    og_buf_format(&c->b, ",\"rows\":%lld,\"orders\":%lld", (long long)sqlite3_column_int64(s, 3),
                  (long long)sqlite3_column_int64(s, 4));
    if (all)
        og_buf_format(&c->b, ",\"byHand\":%lld", (long long)sqlite3_column_int64(s, 6));
    write_counts(c, OUTCOME, "outcomes", run);
    write_counts(c, CODE, "codes", run);
    write_counts(c, REASON_OF, "reasons", run);
    if (stands_at(c, SHADOW_OF, run))
        write_counts(c, SHADOW_OF, "shadow", run);
    if (!write_times(c, run))
        return og_fail(c->err, OG_ENOMEM, "out of memory");
    if (all)
        write_states(c);
    og_buf_char(&c->b, '}');
    return og_ledger_tell(&c->b, c->line, c->with, c->err);
}

static enum og_status count_by(struct counting *c, const char *const sql[PARTS], bool all)
{
    enum og_status status = OG_OK;

    for (int i = 0; i < PARTS && status == OG_OK; i++) {
        if (!(c->s[i] = og_ledger_query(c->l, sql[i], c->err)))
            status = OG_ELEDGER;
        else
            (void)more(c, (enum part)i);
    }
    while (status == OG_OK && c->step[SUM] == SQLITE_ROW) {
        status = write_line(c, all);
        (void)more(c, SUM);
    }
    for (int i = 0; i < PARTS; i++) {
        if (status == OG_OK && c->step[i] != SQLITE_DONE)
            status = og_ledger_failed(c->l, "read", c->err);
        sqlite3_finalize(c->s[i]);
        c->s[i] = NULL;
    }
    return status;
}

static enum og_status count_state(void *with, const struct og_ledger_seen_row *seen)
{
    struct counting *c = with;

    c->states[seen->state]++;
    return OG_OK;
}

enum og_status og_ledger_stats(struct og_ledger *l, og_ledger_listener *line, void *with, struct og_error *err)
{
    struct counting c = { .l = l, .line = line, .with = with, .err = err };
    long long count;
    enum og_status status;

    if (!l)
        return og_missing(err);
    if (sqlite3_exec(l->db, "BEGIN", NULL, NULL, NULL) != SQLITE_OK)
        return og_ledger_failed(l, "read", err);
    og_buf_init(&c.b, 0);
    if ((status = og_ledger_walk(l, OG_LEDGER_LIST, NULL, NULL, count_state, &c, &count, err)) == OG_OK &&
        (status = count_by(&c, by_run, false)) == OG_OK)
        status = count_by(&c, in_all, true);
    og_buf_clear(&c.b);
    free(c.us);
    sqlite3_exec(l->db, "COMMIT", NULL, NULL, NULL);
    return status;
}
