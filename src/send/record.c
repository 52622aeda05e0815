/*
 * How records get into the ledger, which cannot always be written: another process holds its lock, the disk is full,
 * the file was moved. An order is posted only when its intent is on the disk, so nothing is posted at such a time. But
 * a cancel needs no record, so the sender goes on: it sends DELETEs, follows its orders, and keeps the records of what
 * happened, in sequence, until they can be written. A decision that accepted an order is not kept, since the order is
 * not posted.
 *
 * A lock and a full disk are temporary: lines wait for the lock for a while, and orders are posted again once the
 * ledger can be written. After any other error the run posts nothing more, since other processes may not find what it
 * recorded.
 */
#include "send/record.h"

#include <stdlib.h>

#include "base/account_id.h"
#include "base/error.h"
#include "send/peak.h"
#include "send/sender.h"

enum kind { ROW, INTENT, REPLACE };

/* A record that is not committed. */
struct og_unwritten {
    struct og_unwritten *next;
    enum kind kind;
    bool again;      /* for an intent: the order was recorded as not sent before, and is to be posted again */
    bool dropped;    /* the record is not to be written any more */
    char digest[72]; /* digest of an intent's body */
    struct og_ledger_row row;
    char text[]; /* the row's texts, except row.record, which is a literal */
};

/* --- the records -------------------------------------------------------------------------------------------------- */

static void keep_text(struct og_str *text, char **to)
{
    if (!text->s)
        return;
    memcpy(*to, text->s, text->len);
    text->s = *to;
    *to += text->len;
}

static struct og_unwritten *copy(enum kind kind, const struct og_ledger_row *row, const char *digest, bool again)
{
    struct og_unwritten *u = malloc(sizeof *u + row->account.len + row->id.len + row->tag.len + row->outcome.len +
                                    row->broker_id.len + row->code.len + row->text.len + row->detail.len);
    char *to;

    if (!u)
        return NULL;
    *u = (struct og_unwritten){ .kind = kind, .row = *row, .again = again };
    u->row.run = (struct og_str){ NULL, 0 }; /* the ledger writes the id of its own run */
    if (digest)
        memcpy(u->digest, digest, sizeof u->digest);
    to = u->text;
    keep_text(&u->row.account, &to);
    keep_text(&u->row.id, &to);
    keep_text(&u->row.tag, &to);
    keep_text(&u->row.outcome, &to);
    keep_text(&u->row.broker_id, &to);
    keep_text(&u->row.code, &to);
    keep_text(&u->row.text, &to);
    keep_text(&u->row.detail, &to);
    return u;
}

static enum og_status write_one(struct og_ledger *l, const struct og_unwritten *u, struct og_error *err)
{
    switch (u->kind) {
    case INTENT: return og_ledger_intend(l, &u->row, u->digest, u->again, err);
    case REPLACE: return og_ledger_replace(l, &u->row, err);
    default: return og_ledger_append(l, &u->row, err);
    }
}

void og_send_records_free(struct og_sender *s)
{
    struct og_unwritten *u;

    while ((u = s->records.first)) {
        s->records.first = u->next;
        free(u);
    }
    s->records.last = NULL;
}

/* Drop the decisions that accepted an order: the intent was lost with the transaction, so the order is not posted. */
static void drop_accepted(struct og_records *r)
{
    struct og_unwritten **at = &r->first, *u;

    r->last = NULL;
    while ((u = *at)) {
        if (u->row.state == OG_INTENDED && strcmp(u->row.record, "decision") == 0) {
            *at = u->next;
            free(u);
            continue;
        }
        r->last = u;
        at = &u->next;
    }
}

/* --- while the ledger cannot be written --------------------------------------------------------------------------- */

/* The transaction failed: keep its records, to write them later. */
static void fall_behind(struct og_sender *s, const struct og_error *err)
{
    struct og_records *r = &s->records;

    if (s->ledger)
        og_ledger_rollback(s->ledger);
    if (!r->behind) {
        drop_accepted(r);
        r->behind = true;
        r->since = og_time_up();
    }
    if (!r->barred)
        r->why = *err;
    r->barred |= !og_ledger_is_held(err) && !og_ledger_is_full(err);
    r->next_ms = og_send_ms(s) + OG_LEDGER_AGAIN_MS;
    og_send_peaks_lost(s);
    og_send_wake(s);
}

void og_send_unwritable(struct og_sender *s, const struct og_error *err)
{
    if (err->status == OG_ELEDGER)
        fall_behind(s, err);
    else
        og_send_fatal(s, 4, err);
}

void og_send_bar(struct og_sender *s, const struct og_error *err)
{
    struct og_records *r = &s->records;

    if (err->status != OG_ELEDGER) {
        og_send_fatal(s, 4, err);
        return;
    }
    if (r->barred)
        return;
    r->barred = true;
    r->why = *err;
    og_send_wake(s);
}

void og_send_without_ledger(struct og_sender *s, const struct og_error *err)
{
    og_send_bar(s, err);
    s->records.behind = true;
    s->records.since = og_time_up();
    s->records.next_ms = INT64_MAX;
}

const char *og_send_barred(const struct og_sender *s)
{
    return s->records.barred || s->records.behind ? s->records.why.text : NULL;
}

/* Returns for how many ms the ledger has not been writable; 0 if it is writable. */
static int64_t behind_ms(const struct og_sender *s)
{
    return s->records.behind ? (int64_t)((og_time_up() - s->records.since) / (uint64_t)OG_NS_PER_MS) : 0;
}

bool og_send_waits_for_ledger(const struct og_sender *s)
{
    return s->records.behind && !s->records.barred && og_ledger_is_held(&s->records.why) &&
           behind_ms(s) < OG_LEDGER_BUSY_MS;
}

bool og_send_keeps_events(const struct og_sender *s)
{
    return og_send_waits_for_ledger(s) && behind_ms(s) < OG_LEDGER_KEEP_MS && s->phase != OG_ENDING;
}

/* Another run has used the intent's id meanwhile, so the ledger has that run's order: drop all our records of an order
 * with that id. */
static void give_way(struct og_unwritten *intent)
{
    for (struct og_unwritten *u = intent; u; u = u->next)
        u->dropped |= og_same_account(u->row.account, intent->row.account) && og_str_eq(u->row.id, intent->row.id);
}

static enum og_status write_all(struct og_sender *s, struct og_error *err)
{
    enum og_status status = og_ledger_begin(s->ledger, err);

    for (struct og_unwritten *u = s->records.first; u && status == OG_OK; u = u->next) {
        if (u->dropped)
            continue;
        if ((status = write_one(s->ledger, u, err)) == OG_EBUSY) {
            give_way(u);
            *err = (struct og_error){ 0 };
            status = OG_OK;
        }
    }
    return status == OG_OK ? og_ledger_commit(s->ledger, err) : status;
}

/* Write all records that are kept. Returns false if that failed. */
static bool catch_up(struct og_sender *s)
{
    struct og_records *r = &s->records;
    struct og_error err = { 0 };

    if (!s->ledger)
        return false;
    if (write_all(s, &err) != OG_OK) {
        og_send_unwritable(s, &err);
        return false;
    }
    if (r->told && r->first) {
        og_send_say(s, "the ledger can be written again, and the events of the meantime are now recorded%s",
                    r->barred ? "; this run posts nothing more" : "");
        r->told = false;
    }
    og_send_records_free(s);
    r->behind = false;
    return true;
}

static void say(struct og_sender *s)
{
    struct og_records *r = &s->records;

    if (r->told || !og_send_barred(s) || og_send_keeps_events(s))
        return;
    r->told = true;
    og_send_warn(s, "%s; %s, cancels are sent%s", r->why.text,
                 r->barred ? "this run posts nothing more" : "nothing is posted until it can be written",
                 r->behind ? ", and are not recorded yet" : "");
}

void og_send_records_due(struct og_sender *s)
{
    /* only between two batches: all intents of a batch must be in one transaction */
    if (s->records.behind && og_send_ms(s) >= s->records.next_ms)
        (void)catch_up(s);
    say(s);
}

int64_t og_send_records_next(const struct og_sender *s)
{
    return s->records.behind ? s->records.next_ms : INT64_MAX;
}

void og_send_end_records(struct og_sender *s)
{
    struct og_records *r = &s->records;
    const int64_t wait = OG_LEDGER_BUSY_MS - behind_ms(s);

    if (r->behind && s->ledger) {
        og_ledger_wait(s->ledger, wait > OG_LEDGER_BUSY_AGAIN_MS ? (int)wait : OG_LEDGER_BUSY_AGAIN_MS);
        (void)catch_up(s);
    }
    if (r->behind || r->barred)
        og_send_fatal(s, 4, &r->why);
    if (r->behind)
        og_send_warn(s, "the ledger lacks the records of the events with \"recorded\":false");
}

/* --- recording ---------------------------------------------------------------------------------------------------- */

static bool record(struct og_sender *s, enum kind kind, const struct og_ledger_row *row, const char *digest, bool again)
{
    struct og_records *r = &s->records;
    struct og_error err = { 0 };
    struct og_unwritten *u;

    if (s->options.dry_run || !s->ledger)
        return true;
    if (kind == INTENT)
        og_ledger_run_opens(s->ledger);
    if (!(u = copy(kind, row, digest, again))) {
        og_fail(&err, OG_ENOMEM, "out of memory");
        og_send_fatal(s, 4, &err);
        return false;
    }
    *(r->last ? &r->last->next : &r->first) = u;
    r->last = u;
    if (r->behind || (og_ledger_begin(s->ledger, &err) == OG_OK && write_one(s->ledger, u, &err) == OG_OK))
        return true;
    og_send_unwritable(s, &err);
    return err.status == OG_ELEDGER;
}

bool og_send_append(struct og_sender *s, const struct og_ledger_row *row)
{
    return record(s, ROW, row, NULL, false);
}

bool og_send_append_intent(struct og_sender *s, const struct og_ledger_row *row, const char *digest, bool again)
{
    return record(s, INTENT, row, digest, again);
}

bool og_send_append_replace(struct og_sender *s, const struct og_ledger_row *row)
{
    return record(s, REPLACE, row, NULL, false);
}

bool og_send_may_record(struct og_sender *s)
{
    struct og_error err = { 0 };

    if (!s->records.barred && s->ledger && og_ledger_stays(s->ledger, &err) != OG_OK)
        og_send_bar(s, &err);
    if (og_send_barred(s))
        return false;
    if (og_ledger_begin(s->ledger, &err) == OG_OK)
        return true;
    og_send_unwritable(s, &err);
    return false;
}

bool og_send_commit(struct og_sender *s)
{
    const bool writes = s->records.first != NULL;
    const uint64_t began = og_time_up();
    struct og_error err = { 0 };

    if (!s->ledger || s->options.dry_run || s->records.behind)
        return !s->records.behind;
    if (og_ledger_commit(s->ledger, &err) != OG_OK) {
        og_send_unwritable(s, &err);
        return false;
    }
    if (writes)
        og_send_count_commit(s, og_time_up() - began);
    og_send_records_free(s);
    return true;
}
