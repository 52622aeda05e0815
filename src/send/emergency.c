/*
 * Cancels orders without a sender.  If one cancel fails, the others are still sent.
 */
#include "ordergate/emergency.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/json_write.h"
#include "broker/client.h"
#include "ledger/view.h"
#include "send/sender.h"

struct to_cancel {
    struct to_cancel *next;
    char *account, *id;
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

static void cancel(struct errand *e, const char *account, const char *id)
{
    struct og_order_detail detail = { 0 };
    struct og_error why = { 0 };

    if (og_client_cancel(e->client, account, id, &detail, &why) == OG_OK)
        why.text[0] = '\0';
    tell(e, account, id, &detail.answer, why.text);
    og_answer_clear(&detail.answer);
}

static enum og_status on_row(void *with, const struct og_ledger_seen_row *seen)
{
    struct errand *e = with;
    struct og_str id = seen->row.broker_id.len > 0 ? seen->row.broker_id : seen->row.id;
    struct to_cancel *c;

    if (og_state_is_final(seen->state) || id.len == 0 || (e->run && seen->alive && !og_str_is(seen->row.run, e->run)))
        return OG_OK;
    c = calloc(1, sizeof *c);
    if (!c || !(c->account = strndup(seen->row.account.s, seen->row.account.len)) || !(c->id = strndup(id.s, id.len))) {
        if (c)
            free(c->account);
        free(c);
        e->failed++;
        return OG_OK;
    }
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
        cancel(e, c->account, c->id);
        free(c->account);
        free(c->id);
        free(c);
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
    enum og_status status;

    *failed = 0;
    if ((status = og_ledger_peek(path, &ledger, e->err)) != OG_OK)
        return status;
    status = og_ledger_walk(ledger, OG_LEDGER_LIST, account, NULL, on_row, e, &count, e->err);
    og_ledger_close(ledger);
    cancel_newest_first(e);
    return end(e, status, failed);
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
