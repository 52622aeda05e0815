/*
 * Watches the runs of a ledger for another process (ordergate/runs.h). Of each run that has not ended it keeps an
 * entry; a look asks the kernel for the locks of these alone, so that it costs the same however many runs the ledger
 * has had.
 */
#include "ordergate/runs.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/grow.h"
#include "ledger/inside.h"
#include "ledger/place.h"
#include "ledger/run_marks.h"

/* A run is listed a moment before it has its lock: one that has neither lock nor mark is dropped after so many
 * looks. */
#define LOOKS_MOST 100

struct entry {
    int64_t n;
    bool is_new; /* it began after the watch was opened */
    int looks;   /* number of looks that found neither lock nor mark */
    char id[64];
};

struct og_run_watch {
    struct og_ledger *ledger;
    int marks; /* descriptor of <ledger>-runs, to write marks and to lock */
    struct stat file;
    int64_t newest; /* number of the newest run that was listed */
    bool begun;     /* the runs that are listed from now on are new */
    struct entry *entry;
    size_t count, room;
};

void og_runs_close(struct og_run_watch *r)
{
    if (!r)
        return;
    og_ledger_close(r->ledger);
    if (r->marks >= 0)
        close(r->marks);
    free(r->entry);
    free(r);
}

enum og_status og_runs_open(const char *ledger, bool is_new, struct og_run_watch **runs, struct og_error *err)
{
    enum og_status status;
    struct og_run_watch *r;

    if (!runs)
        return og_missing(err);
    *runs = NULL;
    if (!(r = calloc(1, sizeof *r)))
        return og_fail(err, OG_ENOMEM, "out of memory");
    r->marks = -1;
    r->begun = is_new;
    status = og_ledger_peek(ledger, &r->ledger, err);
    if (status == OG_OK && ((r->marks = og_ledger_runs_open(og_ledger_path(r->ledger), false)) < 0 ||
                            stat(og_ledger_path(r->ledger), &r->file) != 0))
        status = og_fail_because(err, OG_ELEDGER, og_ledger_code(errno), "'%s-runs' cannot be opened: %s",
                                 og_ledger_path(r->ledger), strerror(errno));
    if (status != OG_OK) {
        og_runs_close(r);
        return status;
    }
    *runs = r;
    return OG_OK;
}

bool og_runs_hold(struct og_run_watch *r)
{
    return r && og_ledger_watch_hold(r->marks);
}

/* --- which runs there are ----------------------------------------------------------------------------------------- */

static bool add(struct og_run_watch *r, int64_t n, struct og_str id)
{
    if (!OG_GROW(r->entry, r->count, r->room, 16))
        return false;
    r->entry[r->count] = (struct entry){ .n = n, .is_new = r->begun };
    snprintf(r->entry[r->count++].id, sizeof r->entry->id, "%.*s", (int)id.len, id.s);
    return true;
}

/* Returns true if a run that was listed when the watch was opened is none of its business: it has ended, or no watch
 * saw it running. */
static bool is_of_the_past(const struct og_run_watch *r, int64_t n)
{
    struct og_run_marks m;

    if (og_ledger_run_alive(r->marks, n))
        return false;
    og_ledger_read_marks(r->marks, n, &m);
    return m.run != OG_MARK_OPEN || m.watch != OG_WATCH_SEEN;
}

static enum og_status list_new(struct og_run_watch *r, struct og_error *err)
{
    sqlite3_stmt *s = og_ledger_query(r->ledger, "SELECT n, run FROM runs WHERE n > ? ORDER BY n", err);
    enum og_status status = OG_OK;

    if (!s)
        return OG_ELEDGER;
    sqlite3_bind_int64(s, 1, r->newest);
    while (status == OG_OK && og_ledger_next(r->ledger, s, &status, err)) {
        r->newest = sqlite3_column_int64(s, 0);
        if (!r->begun && is_of_the_past(r, r->newest))
            continue;
        if (!add(r, r->newest, og_ledger_column(s, 1)))
            status = og_fail(err, OG_ENOMEM, "out of memory");
    }
    sqlite3_finalize(s);
    r->begun |= status == OG_OK;
    return status;
}

/* Look at one run, and report it. Returns false if it is to be forgotten. */
static bool look_at(struct og_run_watch *r, struct entry *e, og_runs_listener *seen, void *with)
{
    struct og_run_seen run = { .id = e->id, .number = e->n };
    const bool alive = og_ledger_run_alive(r->marks, e->n); /* before the marks: a run marks its end, then unlocks */
    struct og_run_marks m;

    og_ledger_read_marks(r->marks, e->n, &m);
    if (m.run == OG_MARK_NONE)
        return alive || (e->is_new && e->looks++ < LOOKS_MOST);
    if (m.run != OG_MARK_OPEN) {
        if (alive)
            return true;
        run.state = OG_RUN_STOPPED;
        run.exit_code = m.run - OG_MARK_CODE;
        seen(with, &run);
        return false;
    }
    if (m.watch == OG_WATCH_SETTLED)
        return false;
    if (m.watch == OG_WATCH_NONE)
        og_ledger_mark_watch(r->marks, e->n, OG_WATCH_SEEN);
    run.state = alive ? OG_RUN_RUNS : OG_RUN_GONE;
    seen(with, &run);
    return true;
}

enum og_status og_runs_look(struct og_run_watch *r, og_runs_listener *seen, void *with, struct og_error *err)
{
    enum og_status status;
    struct stat now;
    size_t kept = 0;

    if (!r || !seen)
        return og_missing(err);
    if (stat(og_ledger_path(r->ledger), &now) != 0 || now.st_ino != r->file.st_ino || now.st_dev != r->file.st_dev)
        return og_fail(err, OG_ELEDGER, "ledger '%s' was renamed, replaced or deleted", og_ledger_path(r->ledger));
    if ((status = list_new(r, err)) != OG_OK)
        return status;
    for (size_t i = 0; i < r->count; i++)
        if (look_at(r, &r->entry[i], seen, with))
            r->entry[kept++] = r->entry[i];
    r->count = kept;
    return OG_OK;
}

void og_runs_settle(struct og_run_watch *r, long long number)
{
    if (r)
        og_ledger_mark_watch(r->marks, number, OG_WATCH_SETTLED);
}

/* --- what a run left ---------------------------------------------------------------------------------------------- */

enum og_status og_runs_orders(struct og_run_watch *r, const char *run, og_ledger_listener *line, void *with,
                              int *unknown, struct og_error *err)
{
    enum og_status status = OG_OK;
    sqlite3_stmt *s;
    struct og_buf b;

    if (!r || !run)
        return og_missing(err);
    if (unknown)
        *unknown = 0;
    s = og_ledger_query(r->ledger,
                        "SELECT i.account, i.id, r.state FROM " OG_LEDGER_OPEN_ORDERS
                        " JOIN rows p ON p.seq = (SELECT max(m.seq) FROM rows m WHERE m.account = i.account AND"
                        " m.id = i.id AND m.record = 'intent') WHERE p.run = ?1 ORDER BY i.seq",
                        err);
    og_ledger_bind(s, 1, og_str_of(run));
    og_buf_init(&b, 0);
    while (status == OG_OK && og_ledger_next(r->ledger, s, &status, err)) {
        const struct og_str state = og_ledger_column(s, 2);

        b.len = 0;
        og_buf_text(&b, "{\"op\":\"cancel\"");
        og_member_str(&b, "clientOrderId", og_ledger_column(s, 1));
        og_member_str(&b, "accountId", og_ledger_column(s, 0));
        og_buf_char(&b, '}');
        if (unknown)
            *unknown += !og_str_is(state, og_state_name(OG_WORKING));
        if (b.bad)
            status = og_fail(err, OG_ENOMEM, "out of memory");
        else if (line && line(with, b.s, b.len) != 0)
            status = og_fail(err, OG_EIO, "the line cannot be written");
    }
    og_buf_clear(&b);
    sqlite3_finalize(s);
    return status;
}
