/*
 * Cancels orders without a sender.  If one cancel fails, the others are still sent.  An order of which the ledger has
 * the intent alone may still wait in its sender: its cancel is recorded too, and the sender then ends it.  The DELETEs
 * go first, since the ledger may be locked.
 */
#include "ordergate/emergency.h"

#include <stdlib.h>
#include <time.h>

#include "base/error.h"
#include "base/json_write.h"
#include "base/time.h"
#include "base/timeouts.h"
#include "broker/client.h"
#include "ledger/view.h"
#include "send/sender.h"

struct to_cancel {
    struct to_cancel *next;
    char *account, *id, *own; /* own: our id; id: the broker's, where it differs */
    bool open;                /* the order may not have left, or could be posted again */
    bool waits;               /* the order's sender runs, and has recorded nothing since the intent */
};

struct errand {
    struct og_client *client;
    /* the run whose orders are canceled, with those of ended runs; orders of other running senders stay. NULL: cancel
     * the orders of all runs */
    const char *run;
    og_emergency_listener *line;
    void *with;
    int failed;
    bool deaf;
    struct og_error *err;
    struct to_cancel *newest; /* orders of the ledger, the newest first */
    struct to_cancel *open;   /* orders whose cancel is to be recorded; the result of one that waits is reported
                               * later */
};

/* Report how one cancel ended. no_answer: why there is no answer at all. */
static void tell(struct errand *e, const char *account, const char *id, const struct og_answer *a,
                 const char *no_answer)
{
    struct og_buf b;

    if (a->kind != OG_ANSWER_OK && a->kind != OG_ANSWER_NOT_FOUND)
        e->failed++;
    og_buf_init(&b, 0);
    og_buf_char(&b, '{');
    og_member_text(&b, "accountId", account);
    og_member_text(&b, "clientOrderId", id && id[0] != '\0' ? id : NULL);
    if (a->http != 0)
        og_member_int(&b, "http", a->http);
    else
        og_member_text(&b, "http", NULL);
    og_member_text(&b, "kind", og_answer_kind_name(a->kind));
    og_member_text(&b, "text", a->text && a->text[0] != '\0' ? a->text : no_answer);
    og_buf_char(&b, '}');
    e->deaf |= b.bad || (e->line && e->line(e->with, b.s, b.len) != 0);
    og_buf_clear(&b);
}

/* Send a DELETE and report its result. found: report it only if the broker has the order. Returns true if the result
 * was reported. */
static bool cancel(struct errand *e, const struct to_cancel *c, bool found)
{
    struct og_order_detail detail = { 0 };
    struct og_error why = { 0 };
    bool told;

    if (og_client_cancel(e->client, c->account, c->id, &detail, &why) == OG_OK)
        why.text[0] = '\0';
    told = !found || detail.answer.kind != OG_ANSWER_NOT_FOUND;
    if (told)
        tell(e, c->account, c->id, &detail.answer, why.text);
    og_answer_clear(&detail.answer);
    return told;
}

static void discard(struct to_cancel *c)
{
    free(c->account);
    free(c->id);
    free(c->own);
    free(c);
}

static char *copy(struct og_str text)
{
    return strndup(text.s, text.len);
}

static enum og_status on_row(void *with, const struct og_ledger_seen_row *seen)
{
    struct errand *e = with;
    struct og_str id = seen->row.broker_id.len > 0 ? seen->row.broker_id : seen->row.id;
    struct to_cancel *c;

    if (og_state_is_final(seen->state) || id.len == 0 || (e->run && seen->alive && !og_str_is(seen->row.run, e->run)))
        return OG_OK;
    if (!(c = calloc(1, sizeof *c)) || !(c->account = copy(seen->row.account)) || !(c->id = copy(id)) ||
        !(c->own = copy(seen->row.id.len > 0 ? seen->row.id : id))) {
        if (c)
            discard(c);
        e->failed++;
        return OG_OK;
    }
    /* called by a sentry (run is set): its sender records the cancels itself once its loop goes on */
    c->open = !e->run && (seen->state == OG_INTENDED || seen->state == OG_OUTCOME_UNKNOWN);
    c->waits = c->open && seen->state == OG_INTENDED;
    c->next = e->newest;
    e->newest = c;
    return OG_OK;
}

/* Cancel the newest orders first: many of the older ones may be over, although the ledger has no record of that. */
static void cancel_newest_first(struct errand *e)
{
    struct to_cancel *c;

    while ((c = e->newest)) {
        e->newest = c->next;
        c->waits = !cancel(e, c, c->waits);
        if (c->open) {
            c->next = e->open;
            e->open = c;
        } else {
            discard(c);
        }
    }
}

/* --- orders that may not have left -------------------------------------------------------------------------------- */

static enum og_status record(struct errand *e, struct og_ledger *l)
{
    enum og_status status = og_ledger_begin(l, e->err);

    for (const struct to_cancel *c = e->open; c && status == OG_OK; c = c->next) {
        const struct og_ledger_row row = { .at = og_time_now(),
                                           .account = og_str_of(c->account),
                                           .id = og_str_of(c->own),
                                           .record = "withdraw",
                                           .state = c->waits ? OG_INTENDED : OG_OUTCOME_UNKNOWN };

        status = og_ledger_append(l, &row, e->err);
    }
    return status == OG_OK ? og_ledger_commit(l, e->err) : status;
}

static void tell_that(struct errand *e, struct to_cancel *c, const char *what)
{
    const struct og_answer none = { .http = 404, .kind = OG_ANSWER_NOT_FOUND };

    tell(e, c->account, c->id, &none, what);
    c->waits = false;
}

/* The cancel of the order is on record. Returns true if the order's sender may not have read that record yet. */
static bool still_waits(struct errand *e, struct og_ledger *l, struct to_cancel *c)
{
    struct og_ledger_known known = { 0 };

    if (og_ledger_find(l, og_str_of(c->account), og_str_of(c->own), &known, NULL, NULL, e->err) != OG_OK)
        return true;
    if (og_state_is_final(known.state))
        tell_that(e, c, known.state == OG_CANCELED ? "canceled before it was posted" : og_state_name(known.state));
    else if (!known.alive || known.state != OG_INTENDED) /* the order had left before its cancel was recorded */
        c->waits = !cancel(e, c, known.alive);
    return c->waits;
}

/* Wait until the senders have read the recorded cancels of their waiting orders. Cancel and report orders that had left
 * before. */
static void follow(struct errand *e, struct og_ledger *l)
{
    const uint64_t until = og_time_up() + OG_WITHDRAW_WAIT_NS;
    const struct timespec pause = { .tv_nsec = OG_PEERS_LOOK_MS * OG_NS_PER_MS };
    bool wait = true;

    while (wait && og_time_up() < until) {
        wait = false;
        for (struct to_cancel *c = e->open; c; c = c->next)
            wait |= c->waits && still_waits(e, l, c);
        if (wait)
            nanosleep(&pause, NULL);
    }
}

static enum og_status record_and_follow(struct errand *e, const char *path)
{
    struct og_ledger *l = NULL;
    struct to_cancel *c;
    enum og_status status = OG_OK;

    if (e->open && (status = og_ledger_open_to_say(path, "halt", &l, e->err)) == OG_OK &&
        (status = record(e, l)) == OG_OK)
        follow(e, l);
    og_ledger_close(l);
    while ((c = e->open)) {
        e->open = c->next;
        if (c->waits) {
            tell_that(e, c, "its sender has not ended the order, which may have left");
            e->failed++;
        }
        discard(c);
    }
    return status;
}

static enum og_status end(const struct errand *e, enum og_status status, int *failed)
{
    *failed = e->failed;
    return status == OG_OK && e->deaf ? og_fail(e->err, OG_EIO, "the results of the cancels cannot be written")
                                      : status;
}

static enum og_status cancel_own(struct errand *e, const char *path, const char *account, int *failed)
{
    struct og_ledger *ledger;
    long long count;
    enum og_status status, recorded;

    *failed = 0;
    if ((status = og_ledger_peek(path, &ledger, e->err)) != OG_OK)
        return status;
    status = og_ledger_walk(ledger, OG_LEDGER_LIST, account, NULL, on_row, e, &count, e->err);
    og_ledger_close(ledger);
    cancel_newest_first(e);
    recorded = record_and_follow(e, path);
    return end(e, status != OG_OK ? status : recorded, failed);
}

enum og_status og_emergency_cancel_own(struct og_client *client, const char *path, const char *account,
                                       og_emergency_listener *line, void *with, int *failed, struct og_error *err)
{
    struct errand e = { .client = client, .line = line, .with = with, .err = err };

    if (!client || !failed)
        return og_missing(err);
    return cancel_own(&e, path, account, failed);
}

static int count_line(void *with, const char *json, size_t len)
{
    (void)json;
    (void)len;
    ++*(int *)with;
    return 0;
}

enum og_status og_send_cancel_apart(const struct og_send_options *o, const struct og_settings *settings,
                                    const char *run, int *asked, int *failed, struct og_error *err)
{
    struct og_client_options how = { .account = o->account, .urgent = true };
    struct errand e = { .run = run, .line = count_line, .with = asked, .err = err };
    enum og_status status;

    *asked = *failed = 0;
    if ((status = og_client_open_as(&how, settings, &e.client, err)) != OG_OK)
        return status;
    status = cancel_own(&e, o->ledger, o->account, failed);
    og_client_close(e.client);
    return status;
}

static void cancel_account(struct errand *e, const char *account)
{
    struct og_answer answer = { 0 };
    struct og_error why = { 0 };

    if (og_client_cancel_all(e->client, account, NULL, &answer, &why) == OG_OK)
        why.text[0] = '\0';
    tell(e, account, NULL, &answer, why.text);
    og_answer_clear(&answer);
}

enum og_status og_emergency_cancel_all(struct og_client *client, const char *account, og_emergency_listener *line,
                                       void *with, int *failed, struct og_error *err)
{
    struct errand e = { .client = client, .line = line, .with = with, .err = err };
    struct og_accounts accounts = { 0 };
    enum og_status status;

    if (!client || !failed)
        return og_missing(err);
    *failed = 0;
    if (account) {
        cancel_account(&e, account);
        return end(&e, OG_OK, failed);
    }
    if ((status = og_client_accounts(client, &accounts, err)) == OG_OK)
        for (size_t i = 0; i < accounts.count; i++)
            cancel_account(&e, accounts.row[i].account);
    og_answer_clear(&accounts.answer);
    return end(&e, status, failed);
}
