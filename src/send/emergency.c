/*
 * Cancels orders without a sender. If one cancel fails, the others are still sent. An order of which the ledger has
 * only the intent may still wait in its sender: its cancel is recorded too, and its sender then ends it. The DELETEs
 * are sent first, since the ledger may be locked.
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
#include "outcome/identity.h"
#include "send/sender.h"

struct to_cancel {
    struct to_cancel *next;
    char *account, *id, *own; /* own: our id; id: the broker's id, if it differs */
    bool open;                /* the order may not have left, or could be posted again */
    bool waits;               /* the order's sender runs, and has recorded nothing since the intent */
};

struct account {
    struct account *next;
    char id[];
};

struct errand {
    struct og_client *client;
    /* cancel the orders of this run and of runs that have ended, but not those of other runs that are alive. NULL:
     * cancel the orders of all runs */
    const char *run;
    og_emergency_listener *line;
    void *with;
    int failed;
    bool deaf;
    struct og_error *err;
    struct to_cancel *newest; /* orders of the ledger, the newest first */
    struct account *unworked; /* accounts of orders in the ledger that ended without having worked */
    struct to_cancel *open;   /* orders whose cancel is to be recorded; the result for an order that waits in its sender
                               * is reported later */
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

/* Send a DELETE and report its result. If `found` is true, nothing is reported if the broker does not have the order.
 * Returns true if the result was reported. */
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

static bool ended_without_working(enum og_state state)
{
    return state == OG_REJECTED || state == OG_NOT_SENT;
}

static void note_unworked(struct errand *e, struct og_str account)
{
    struct account *a = e->unworked;

    while (a && !og_str_is(account, a->id))
        a = a->next;
    if (a || account.len == 0)
        return;
    if (!(a = calloc(1, sizeof *a + account.len + 1))) {
        e->failed++;
        return;
    }
    memcpy(a->id, account.s, account.len);
    a->next = e->unworked;
    e->unworked = a;
}

static enum og_status on_row(void *with, const struct og_ledger_seen_row *seen)
{
    struct errand *e = with;
    struct og_str id = seen->row.broker_id.len > 0 ? seen->row.broker_id : seen->row.id;
    struct to_cancel *c;

    if (ended_without_working(seen->state))
        note_unworked(e, seen->row.account);
    if (og_state_is_final(seen->state) || id.len == 0 || (e->run && seen->alive && !og_str_is(seen->row.run, e->run)))
        return OG_OK;
    if (!(c = calloc(1, sizeof *c)) || !(c->account = copy(seen->row.account)) || !(c->id = copy(id)) ||
        !(c->own = copy(seen->row.id.len > 0 ? seen->row.id : id))) {
        if (c)
            discard(c);
        e->failed++;
        return OG_OK;
    }
    /* if `run` is set, the caller is a sentry: its sender records the cancels itself once its loop goes on */
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

/* Call after the cancel of the order was recorded. Returns true if the order's sender may not have read that record
 * yet. */
static bool still_waits(struct errand *e, struct og_ledger *l, struct to_cancel *c)
{
    struct og_ledger_known known = { 0 };

    if (og_ledger_find(l, og_str_of(c->account), og_str_of(c->own), &known, NULL, NULL, e->err) != OG_OK)
        return true;
    if (og_state_is_final(known.state))
        tell_that(e, c, known.state == OG_CANCELED ? OG_CANCELED_BEFORE : og_state_name(known.state));
    else if (!known.alive || known.state != OG_INTENDED) /* the order had left before its cancel was recorded */
        c->waits = !cancel(e, c, known.alive);
    return c->waits;
}

/* Wait until the senders have read the recorded cancels of their waiting orders. An order that had left before is
 * canceled by a DELETE, and that result is reported. */
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

/* --- orders that work although they were recorded as ended -------------------------------------------------------- */

/* What the newest record says about an order. */
struct newest {
    const char *run;
    bool of_run, is_duplicate; /* of_run: the record belongs to that run; is_duplicate: the order was rejected because
                                * another one has its id */
};

static void on_newest(void *with, const struct og_ledger_row *row)
{
    struct newest *n = with;

    n->of_run = !n->run || og_str_is(row->run, n->run);
    n->is_duplicate = og_str_is(row->code, OG_DUPLICATE_ID);
}

/* Returns true if the row may show the ledger's order; compares the row with what was posted. */
static bool may_be_ours(struct og_ledger *l, const char *account, const struct og_order_info *row)
{
    const struct og_order_row shown = { .security_type = og_str_of(row->security_type),
                                        .symbol = og_str_of(row->symbol),
                                        .traded_symbol = og_str_of(row->traded_symbol),
                                        .side = og_str_of(row->side),
                                        .quantity = row->quantity,
                                        .limit_price = row->limit_price,
                                        .price_stop = row->stop_price };
    struct og_buf body, why;
    bool may;

    og_buf_init(&body, 0);
    og_buf_init(&why, 0);
    may = og_ledger_body(l, og_str_of(account), og_str_of(row->client_order_id), &body, NULL) == OG_OK &&
          body.len > 0 && !og_is_namesake((struct og_str){ body.s, body.len }, &shown, &why);
    og_buf_clear(&body);
    og_buf_clear(&why);
    return may;
}

/* Returns true if the broker shows as working an order that the ledger has as rejected or not sent. */
static bool works_all_the_same(const struct errand *e, struct og_ledger *l, const char *account,
                               const struct og_order_info *row)
{
    struct newest newest = { .run = e->run };
    struct og_ledger_known known = { 0 };

    return !row->terminal && row->client_order_id &&
           og_ledger_find(l, og_str_of(account), og_str_of(row->client_order_id), &known, on_newest, &newest, NULL) ==
               OG_OK &&
           known.found && ended_without_working(known.state) && !newest.is_duplicate &&
           (newest.of_run || !known.alive) && may_be_ours(l, account, row);
}

/* Cancel the account's orders that the broker's list shows as working, although the answers to their POSTs had said
 * that the POSTs had no effect. */
static void cancel_what_works(struct errand *e, struct og_ledger *l, const char *account)
{
    struct og_orders_today orders = { 0 };
    struct og_error why = { 0 };

    if (og_client_orders(e->client, account, &orders, &why) == OG_OK) {
        for (size_t i = 0; i < orders.count; i++) {
            char *id = (char *)(uintptr_t)orders.row[i].client_order_id;

            if (works_all_the_same(e, l, account, &orders.row[i]))
                (void)cancel(e, &(struct to_cancel){ .account = (char *)(uintptr_t)account, .id = id }, false);
        }
    } else if (orders.answer.kind != OG_ANSWER_NO_KEYS && orders.answer.kind != OG_ANSWER_NOT_FOUND) {
        const struct og_answer unread = { .http = orders.answer.http, .kind = orders.answer.kind };

        tell(
            e, account, NULL, &unread,
            "the list of orders cannot be read: orders that are recorded as rejected or not sent may still be working");
    }
    og_answer_clear(&orders.answer);
}

static void cancel_unworked(struct errand *e, struct og_ledger *l)
{
    struct account *a;

    while ((a = e->unworked)) {
        e->unworked = a->next;
        cancel_what_works(e, l, a->id);
        free(a);
    }
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
    cancel_newest_first(e);
    recorded = record_and_follow(e, path);
    cancel_unworked(e, ledger);
    og_ledger_close(ledger);
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
