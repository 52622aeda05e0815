/*
 * The POST of an order: its body, its intent in the ledger, the request (which is sent at most once), and what follows
 * from its end.
 */
#include <stdlib.h>

#include "base/crypto.h"
#include "order/order.h"
#include "send/event.h"
#include "send/ready.h"
#include "send/sender.h"
#include "text/doc.h"
#include "wire/read.h"

void og_send_post_is(struct og_tracked *o, char *body, size_t len, const char *digest, const struct og_order *order,
                     const struct og_decision *d)
{
    o->post.body = body;
    o->post.len = len;
    memcpy(o->post.digest, digest, sizeof o->post.digest);
    o->post.borrows = og_send_borrows(order);
    if (d)
        og_send_leave_by(o, d);
    if (d && d->tag && d->tag[0])
        o->post.tag = strdup(d->tag);
    if (og_order_security(order) != OG_MLEG)
        o->post.traded = strdup(og_order_symbol(order));
    o->post.sells = og_order_side(order) == OG_SELL;
}

static void recall_tag(struct og_tracked *o)
{
    struct og_error err = { 0 };
    struct og_buf tag;

    og_buf_init(&tag, 0);
    if (og_ledger_tag_of(o->sender->ledger, og_str_of(o->account->id), og_str_of(o->id), &tag, &err) != OG_OK)
        og_send_warn(o->sender, "order '%s': %s", o->id, err.text);
    if (tag.bad || tag.len == 0)
        og_buf_clear(&tag);
    free(o->post.tag);
    o->post.tag = tag.s;
}

void og_send_post_recall(struct og_tracked *o)
{
    struct og_error err = { 0 };
    struct og_str symbol;
    cJSON *doc = NULL;
    struct og_buf b;

    recall_tag(o);
    free(o->post.body);
    o->post.body = NULL;
    og_buf_init(&b, 0);
    if (og_ledger_body(o->sender->ledger, og_str_of(o->account->id), og_str_of(o->id), &b, &err) != OG_OK)
        og_send_warn(o->sender, "order '%s': %s", o->id, err.text);
    if (b.bad || b.len == 0) {
        og_buf_clear(&b);
        return;
    }
    o->post.body = b.s;
    o->post.len = b.len;
    if (!o->post.traded && og_doc_read(b.s, b.len, "body", &doc, NULL) == OG_OK && og_doc_str(doc, "symbol", &symbol))
        o->post.traded = strndup(symbol.s, symbol.len);
    cJSON_Delete(doc);
}

bool og_send_write_body(struct og_sender *s, char **body, size_t *len, char digest[72])
{
    struct og_digest_text d;

    *body = NULL;
    *len = 0;
    digest[0] = '\0';
    if (og_order_body(s->order, NULL, 0, len) == OG_ENOMEM)
        return false;
    if (*len == 0)
        return true;
    if (!(*body = malloc(*len + 1)))
        return false;
    if (og_order_body(s->order, *body, *len + 1, len) != OG_OK || !og_digest(*body, *len, &d)) {
        free(*body);
        *body = NULL;
        return false;
    }
    memcpy(digest, d.s, sizeof d.s);
    return true;
}

static struct og_ledger_row intent_of(const struct og_tracked *o)
{
    return (struct og_ledger_row){ .at = og_clock_now(&o->sender->clock),
                                   .account = og_str_of(o->account->id),
                                   .id = og_str_of(o->id),
                                   .tag = og_str_of(o->post.tag),
                                   .record = "intent",
                                   .state = OG_INTENDED,
                                   .detail = { o->post.body, o->post.len } };
}

bool og_send_intend(struct og_tracked *o, bool again, struct og_error *err)
{
    const struct og_ledger_row row = intent_of(o);

    return og_ledger_intend(o->sender->ledger, &row, o->post.digest, again, err) == OG_OK;
}

bool og_send_intend_later(struct og_tracked *o, bool again)
{
    const struct og_ledger_row row = intent_of(o);

    return og_send_append_intent(o->sender, &row, o->post.digest, again);
}

static enum og_event event_of_status(int status)
{
    switch (status) {
    case 400: return OG_EV_BAD;
    case 401:
    case 404:
    case 429: return OG_EV_UNSENT;
    default: return OG_EV_LOST; /* 3xx, 5xx, and statuses that the service's document does not name */
    }
}

/* Write why a POST brought no row that shows the order. */
static void reason_of(const struct og_call_reply *reply, struct og_buf *b)
{
    if (reply->end == OG_CALL_ANSWERED)
        og_wire_error_text(reply->content_type, reply->body, reply->len, b);
    else
        og_buf_text(b, reply->error);
    if (reply->end == OG_CALL_ANSWERED && (b->len == 0 || reply->status != 400)) {
        og_buf_reset(b);
        og_buf_format(b, "HTTP %d%s", reply->status, og_endpoint_denial(OG_ENDPOINT_POST, reply->status));
    }
}

static void posted_without_row(struct og_tracked *o, const struct og_call_reply *reply)
{
    enum og_event event = o->post.taken_back || o->leave.canceled ? OG_EV_CANCELED
                          : reply->end == OG_CALL_UNSENT          ? OG_EV_UNSENT
                          : reply->end == OG_CALL_LOST            ? OG_EV_LOST
                                                                  : event_of_status(reply->status);
    struct og_buf reason;

    og_buf_init(&reason, 0);
    reason_of(reply, &reason);
    og_send_tell_posted(o, reply, (struct og_str){ NULL, 0 },
                        event == OG_EV_BAD ? (struct og_str){ reason.s, reason.len } : (struct og_str){ NULL, 0 });
    /* the broker has shown the order, although the request counts as unsent */
    if (reply->end == OG_CALL_UNSENT && o->execution.state != OG_INTENDED) {
        og_send_settle(o);
        og_buf_clear(&reason);
        return;
    }
    if (event == OG_EV_LOST) {
        int64_t least = og_send_ms(o->sender) + OG_AFTER_LOSS_MS;

        og_send_warn(o->sender, "order '%s': its answer was lost (%s); looking it up", o->id, reason.s ? reason.s : "");
        if (o->line.give_up_ms < least)
            og_send_owe(o, o->line.origin, least);
    }
    og_send_event_of(o, event, (struct og_str){ reason.s, reason.len });
    og_buf_clear(&reason);
}

/* Determine from the end of the POST what became of the order. */
static void end_post(struct og_tracked *o, const struct og_call_reply *reply)
{
    struct og_sender *s = o->sender;
    struct og_call_reply all = *reply;
    struct og_order_row row;
    cJSON *doc = NULL;

    all.attempts = o->post.attempts;
    o->post.under_way = false;
    s->posting--;
    if (reply->end == OG_CALL_ANSWERED && reply->status >= 200 && reply->status < 300 &&
        og_doc_read(reply->body, reply->len, "reply", &doc, NULL) == OG_OK && og_wire_order(doc, &row) &&
        og_send_is_of(o->account, &row) &&
        (row.client_order_id.len == 0 || og_execution_is_named(og_str_of(o->id), row.client_order_id)) &&
        !og_send_is_of_namesake(o, &row, "reply")) {
        og_send_tell_posted(o, &all, row.status_text, (struct og_str){ NULL, 0 });
        og_send_moved(o->account, o, &row);
        og_send_take_row(o, &row, "reply", true, reply->began_ns);
        og_send_settle(o);
    } else {
        posted_without_row(o, &all);
    }
    cJSON_Delete(doc);
    og_send_wake(s);
}

static void on_posted(void *with, const struct og_call_reply *reply)
{
    struct og_tracked *o = with;

    og_clock_hear(&o->sender->clock, reply->date_ns, reply->began_ns, reply->ended_ns);
    if (reply->attempts > 0 && o->post.attempts > 0)
        o->execution.posts++;
    o->post.attempts += reply->attempts;
    o->post.busy += reply->attempts > 0 && reply->end == OG_CALL_ANSWERED && reply->status == 429;
    if (!og_send_stays(o, reply))
        end_post(o, reply);
}

void og_send_post_ends(struct og_tracked *o, const char *why)
{
    const bool busy = !why && o->post.busy > 0;
    const struct og_call_reply reply = { .end = busy ? OG_CALL_ANSWERED : OG_CALL_UNSENT,
                                         .status = busy ? 429 : 0,
                                         .content_type = "",
                                         .body = "",
                                         .error = why ? why : "",
                                         .date_ns = OG_TIME_UNKNOWN };

    end_post(o, &reply);
}

/* After an answer 429 the order waits here (leave.c), not in the queue of requests, because it must be decided once
 * more before it is sent. */
void og_send_post_again(struct og_tracked *o)
{
    struct og_sender *s = o->sender;
    struct og_error err = { 0 };

    if (og_broker_start(s->broker,
                        &(struct og_broker_request){ .call = OG_ENDPOINT_POST,
                                                     .account = og_str_of(o->account->id),
                                                     .other = OG_STR(""),
                                                     .query = OG_STR(""),
                                                     .body = o->post.body,
                                                     .len = o->post.len,
                                                     .busy_answers = o->post.busy,
                                                     .before_send = og_send_may_leave },
                        on_posted, o, &err) != OG_OK)
        og_send_post_ends(o, err.text);
}

void og_send_post(struct og_tracked *o)
{
    struct og_sender *s = o->sender;

    og_send_owe(o, o->line.origin, og_send_ms(s) + s->options.wait_ns / OG_NS_PER_MS);
    o->post.under_way = true;
    s->posting++;
    og_send_leave_begin(o);
    og_send_post_again(o);
}

bool og_send_take_back(struct og_tracked *o)
{
    if (!o->post.under_way || o->execution.state != OG_INTENDED)
        return false;
    o->post.taken_back = true; /* set first, since the call below may call on_posted() at once, which may free the
                                * order */
    if (og_send_leave_ends(o, OG_CANCELED_BEFORE) ||
        og_broker_take_back(o->sender->broker, OG_ENDPOINT_POST, o, OG_CANCELED_BEFORE))
        return true;
    o->post.taken_back = false;
    return false;
}

void og_send_post_stop(struct og_tracked *o)
{
    o->post.under_way = false;
}
