/*
 * Cancels: a DELETE is sent once, and the order is followed until it is over; the outcome of the cancel is the outcome
 * of the order.  The answer of a DELETE is not trusted.  An order that is over is not canceled (the reason of a
 * rejection would be lost), and a DELETE whose answer was lost is repeated only after a look-up has shown that the
 * order is still working.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "order/request.h"
#include "ordergate/order.h"
#include "send/denied.h"
#include "send/event.h"
#include "send/resume.h"
#include "send/sender.h"
#include "text/doc.h"
#include "wire/read.h"

/* --- the DELETE --------------------------------------------------------------------------------------------------- */

static struct og_origin origin_of(const struct og_tracked *o)
{
    return o->cancel.lines                     ? o->cancel.lines->origin
           : o->cancel.state == OG_CANCEL_OVER ? o->cancel.answered
                                               : o->line.origin;
}

/* Write why a line's cancel did not cancel the order, which state the order has, and what the user can do. */
static void say_helps(const struct og_tracked *o, const char *why, char *to, size_t size)
{
    const enum og_state state = o->execution.state;

    if (og_state_is_final(state))
        snprintf(to, size, "%s; the order is %s", why, og_state_name(state));
    else
        snprintf(to, size, "%s; the order %s: cancel it again, or have the broker cancel it", why,
                 state == OG_WORKING ? "is still working" : "may be working");
}

/* Report the outcome for the lines. `failed` says why the DELETE did not cancel the order; it is NULL if the DELETE
 * did, or if `text` is the reason. */
static void end_lines(struct og_tracked *o, const char *outcome, const char *failed, const char *text)
{
    struct og_cancel_line *c;
    char helps[300];

    if (failed) {
        say_helps(o, failed, helps, sizeof helps);
        text = helps;
    }
    o->cancel.until_ms = 0;
    if (o->cancel.lines)
        o->cancel.answered = o->cancel.lines->origin;
    while ((c = o->cancel.lines)) {
        o->cancel.lines = c->next;
        if (c->after)
            og_send_replace_after(o, c, outcome, failed);
        else
            og_send_tell_cancel_outcome(o->sender, c->origin, o->account->id, o->id, &o->execution, outcome, text);
        if (!c->after && strcmp(outcome, "unknown") == 0)
            og_send_was_unknown(o);
        free(c);
    }
}

/* Record the cancel of an order that may not have left yet, or that could be posted again. The sender that holds the
 * order reads this record before the order leaves, and ends the order; a run with --resend-not-sent does not post
 * it. */
static void record_withdrawal(struct og_tracked *o)
{
    const enum og_state state = o->execution.state;

    if (!o->external && !o->cancel.recorded &&
        (state == OG_INTENDED || state == OG_OUTCOME_UNKNOWN || state == OG_NOT_SENT))
        o->cancel.recorded = og_send_record(o, "withdraw", NULL, (struct og_str){ NULL, 0 });
}

void og_send_cancel_recorded(struct og_tracked *o)
{
    o->cancel.recorded = true;
}

bool og_send_is_withdrawn(const struct og_tracked *o)
{
    return o->cancel.recorded && o->execution.state == OG_NOT_SENT;
}

/* Apply an event to the cancel of an order. failed: why the DELETE did not cancel the order, NULL if it did; look_ms:
 * the pause before a look-up, if the event causes one. */
static void apply(struct og_tracked *o, enum og_cancel_event event, const char *failed, int64_t look_ms)
{
    const struct og_step step = og_cancel_step(o->cancel.state, event);
    const bool unsent = event == OG_CANCEL_EV_GIVE_UP && o->cancel.state == OG_CANCEL_DUE && o->cancel.failures == 0;

    o->account->canceling +=
        og_cancel_is_under_way((enum og_cancel_state)step.next) - og_cancel_is_under_way(o->cancel.state);
    o->cancel.state = (enum og_cancel_state)step.next;
    if ((step.actions & OG_CANCEL_ACT_LOOK) != 0)
        og_send_ask_soon(o, look_ms);
    if ((step.actions & OG_CANCEL_ACT_END) == 0)
        return;
    if (og_send_is_withdrawn(o))
        end_lines(o, "canceled", NULL, "the order was not sent, and will not be sent any more");
    else
        end_lines(o, og_cancel_outcome(event, o->execution.state, o->heard),
                  unsent ? "the cancel was not sent before the wait for it was over" : failed, NULL);
}

static enum og_cancel_event event_of(const struct og_call_reply *reply)
{
    if (reply->end == OG_CALL_UNSENT)
        return OG_CANCEL_EV_UNSENT;
    if (reply->end == OG_CALL_LOST)
        return OG_CANCEL_EV_LOST;
    switch (reply->status) {
    case 200: return OG_CANCEL_EV_TAKEN;
    case 400:
    case 401: return OG_CANCEL_EV_REFUSED;
    case 429: return OG_CANCEL_EV_UNSENT;
    default: return OG_CANCEL_EV_LOST;
    }
}

/* Returns the pause before the order is looked up, in ms. It grows with each successive DELETE that may not have
 * reached the broker. */
static int64_t look_after_ms(struct og_tracked *o, enum og_cancel_event event)
{
    const int64_t grown = o->cancel.failures * OG_CANCEL_AGAIN_MS;

    if (event != OG_CANCEL_EV_LOST)
        return o->account->stream.ready ? OG_READ_BACK_STREAM_MS : OG_READ_BACK_MS;
    o->cancel.failures++;
    return grown < OG_CANCEL_AGAIN_MOST_MS ? grown : OG_CANCEL_AGAIN_MOST_MS;
}

/* Write why the DELETE did not cancel the order. */
static void say_failed(const struct og_call_reply *reply, char *to, size_t size)
{
    if (reply->end == OG_CALL_UNSENT)
        snprintf(to, size, "the cancel was not sent (%.100s)", reply->error);
    else
        snprintf(to, size, "the broker answered HTTP %d to the cancel%s", reply->status,
                 reply->status == 429 ? " until --wait was over"
                                      : og_endpoint_denial(OG_ENDPOINT_CANCEL, reply->status));
}

static void on_delete(void *with, const struct og_call_reply *reply)
{
    struct og_tracked *o = with;
    struct og_sender *s = o->sender;
    struct og_order_row row = { .status_text = { NULL, 0 } };
    enum og_cancel_event event = event_of(reply);
    char why[240];
    cJSON *doc = NULL;

    og_clock_hear(&s->clock, reply->date_ns, reply->began_ns, reply->ended_ns);
    if (event == OG_CANCEL_EV_TAKEN && og_doc_read(reply->body, reply->len, "reply", &doc, NULL) == OG_OK)
        (void)og_wire_order(doc, &row);
    og_send_tell_cancel(o, origin_of(o), reply, row.status_text);
    cJSON_Delete(doc);
    if (event == OG_CANCEL_EV_TAKEN)
        og_send_keys_work(s);
    say_failed(reply, why, sizeof why);
    apply(o, event, why, look_after_ms(o, event));
    og_send_settle(o);
    og_send_wake(s);
}

/* Returns true if no DELETE is to be sent now: the order is over; or its POST is not answered and no row has shown the
 * order; or the order may not be registered yet, so that the answer would usually be 404. */
static bool is_held(const struct og_tracked *o)
{
    const enum og_state state = o->execution.state;
    const bool was_shown = state == OG_POSTED || state == OG_WORKING;

    return (o->post.under_way && !was_shown) || og_state_is_final(state) || (state == OG_INTENDED && !o->recovered) ||
           (state == OG_POSTED && og_send_ms(o->sender) < o->cancel.from_ms);
}

/* Returns true if neither the ledger nor the broker has shown that the order exists. Its cancel is sent because no list
 * could be read, and must not delay cancels of orders that exist. */
static bool is_doubtful(const struct og_tracked *o)
{
    return o->external && !o->heard;
}

static void try_delete(struct og_tracked *o)
{
    struct og_sender *s = o->sender;
    int64_t wait_ms = o->cancel.until_ms - og_send_ms(s);
    struct og_broker_request request = { .call = OG_ENDPOINT_CANCEL,
                                         .account = og_str_of(o->account->id),
                                         .other = og_execution_id(&o->execution, og_str_of(o->id)),
                                         .query = OG_STR(""),
                                         .wait_ms = wait_ms > 0 ? wait_ms : 0,
                                         .urgent = o->cancel.urgent,
                                         .last = !o->cancel.urgent && is_doubtful(o),
                                         .once = true };

    /* if out of memory, the next tick tries again */
    if (o->cancel.state == OG_CANCEL_DUE && !is_held(o) &&
        og_broker_start(s->broker, &request, on_delete, o, NULL) == OG_OK)
        apply(o, OG_CANCEL_EV_SENT, NULL, 0);
}

static void want(struct og_tracked *o, enum og_cancel_event event, int64_t until_ms, bool urgent)
{
    if (!og_cancel_is_under_way(o->cancel.state)) {
        o->cancel.began = og_time_up();
        o->cancel.failures = 0;
        o->cancel.from_ms = urgent ? 0 : og_send_ms(o->sender) + OG_REGISTERS_MS;
    }
    if (until_ms > o->cancel.until_ms)
        o->cancel.until_ms = until_ms;
    o->cancel.urgent |= urgent;
    record_withdrawal(o);
    apply(o, event, NULL, 0);
    try_delete(o);
    if (o->leave.waits)
        og_send_wake(o->sender); /* the order waits to be sent; the tick ends it */
}

void og_send_cancel(struct og_tracked *o, int64_t until_ms, bool urgent)
{
    want(o, OG_CANCEL_EV_WANTED, until_ms, urgent);
}

void og_send_cancel_if_shown(struct og_tracked *o, int64_t until_ms)
{
    o->cancel.if_shown = true;
    o->cancel.shown_until_ms = until_ms;
    o->cancel.shown_from = og_time_up();
}

bool og_send_cancel_needs_list(const struct og_tracked *o)
{
    return o->cancel.if_shown &&
           (og_send_ms(o->sender) < o->cancel.shown_until_ms || o->account->readings.good_at <= o->cancel.shown_from);
}

void og_send_cancel_shown(struct og_tracked *o)
{
    struct og_sender *s = o->sender;

    if (!o->cancel.if_shown)
        return;
    o->cancel.if_shown = false;
    og_send_cancel(o, og_send_ms(s) + s->options.wait_ns / OG_NS_PER_MS, true);
}

void og_send_cancel_heard(struct og_tracked *o, enum og_order_status status, bool asked)
{
    og_send_heard_of(o->sender, o->account, og_str_of(o->id));
    if (status != OG_ST_PENDING_CANCEL) {
        o->cancel.seen_at = 0;
    } else {
        o->account->pending_cancel_at = og_time_up();
        if (o->cancel.seen_at == 0)
            o->cancel.seen_at = o->account->pending_cancel_at;
    }
    if (asked && o->execution.state == OG_WORKING && status != OG_ST_PENDING_CANCEL)
        apply(o, OG_CANCEL_EV_WORKS, NULL, 0);
    try_delete(o);
}

void og_send_cancel_unfound(struct og_tracked *o)
{
    if (o->execution.state != OG_WORKING || !o->heard || o->cancel.seen_at != 0 || og_send_is_gone(o))
        return;
    apply(o, OG_CANCEL_EV_WORKS, NULL, 0);
    try_delete(o);
}

/* Print that cancels wait: once for each pause after an answer 429, whichever process got that answer, and from time to
 * time while the broker cannot be reached. */
static void tell_wait(struct og_sender *s)
{
    const int64_t now = og_send_ms(s);
    const struct og_tracked *one = NULL;
    const char *why;
    int64_t wait;
    int count = 0;

    if (now < s->cancels_told_ms)
        return;
    for (const struct og_tracked *o = s->orders; o; o = o->next) {
        if (o->cancel.state != OG_CANCEL_SENT)
            continue;
        one = o;
        count++;
    }
    if (count == 0 || (wait = og_broker_wait(s->broker, OG_ENDPOINT_CANCEL)) < OG_CANCEL_TELL_MS)
        return;
    why = og_broker_failure(s->broker, OG_ENDPOINT_CANCEL);
    s->cancels_told_ms = now + (why ? OG_CANCEL_AGAIN_MOST_MS : wait);
    og_send_warn(s,
                 "%d cancel%s wait%s, such as that of order '%s': the broker %s%s and is asked again in %s; "
                 "until then the orders to be canceled may fill",
                 count, count == 1 ? "" : "s", count == 1 ? "s" : "", one->id,
                 why ? "cannot be reached: " : "answered 429", why ? why : "", og_age_text(wait * OG_NS_PER_MS).s);
}

uint64_t og_send_cancel_began(const struct og_tracked *o)
{
    if (og_cancel_is_under_way(o->cancel.state))
        return o->cancel.began;
    return o->execution.state == OG_WORKING ? o->cancel.seen_at : 0;
}

const struct og_tracked *og_send_being_canceled(const struct og_account_state *a, uint64_t before)
{
    const bool any =
        a->canceling > 0 || (a->pending_cancel_at != 0 && og_time_up() - a->pending_cancel_at <= OG_CANCEL_ENDS_NS);
    const struct og_tracked *last = NULL;

    for (const struct og_tracked *o = any ? a->sender->orders : NULL; o; o = o->next) {
        const uint64_t began = o->account == a ? og_send_cancel_began(o) : 0;

        if (began != 0 && began <= before && (!last || began > og_send_cancel_began(last)))
            last = o;
    }
    return last;
}

void og_send_cancel_due(struct og_sender *s)
{
    struct og_tracked *o, *next;

    tell_wait(s);
    for (o = s->orders; o; o = next) {
        next = o->next;
        if (o->cancel.state == OG_CANCEL_OVER && /* the order is over: take back its queued DELETE; this may free o */
            og_broker_take_back(s->broker, OG_ENDPOINT_CANCEL, o, "the order is over"))
            continue;
        if (!og_cancel_is_under_way(o->cancel.state) || (o->cancel.state == OG_CANCEL_DUE && og_send_take_back(o)))
            continue;
        try_delete(o);
        if (o->cancel.state != OG_CANCEL_SENT && og_send_is_past(s, &o->cancel.until_ms))
            og_send_cancel_conclude(o);
    }
}

void og_send_cancel_settle(struct og_tracked *o)
{
    if (og_state_is_final(o->execution.state))
        apply(o, OG_CANCEL_EV_OVER, NULL, 0);
}

void og_send_cancel_conclude(struct og_tracked *o)
{
    if (o->cancel.state == OG_CANCEL_NONE)
        return;
    apply(o, OG_CANCEL_EV_GIVE_UP, NULL, 0);
    og_send_settle(o);
}

void og_send_cancel_stop(struct og_tracked *o)
{
    apply(o, OG_CANCEL_EV_STOP, NULL, 0);
}

void og_send_cancel_free(struct og_tracked *o)
{
    struct og_cancel_line *c;

    while ((c = o->cancel.lines)) {
        o->cancel.lines = c->next;
        free(c->after);
        free(c);
    }
}

/* --- the lines ---------------------------------------------------------------------------------------------------- */

/* Find the order that a line names, or begin to follow it in the state that the ledger has. An order that the ledger
 * lacks is followed as somebody else's. Returns NULL if memory ran out or the run ends. */
static struct og_tracked *order_of(struct og_account_state *a, struct og_str id)
{
    struct og_sender *s = a->sender;
    struct og_tracked *o = og_orders_find(s, a, id);

    if (!o && !(o = og_send_from_ledger(a, id)) && s->fatal == 0 && (o = og_orders_add(s, a, id))) {
        og_send_set_external(o, true);
        og_absence_lost(&o->absence, og_time_up());
    }
    return o;
}

bool og_send_cancel_order(struct og_account_state *a, struct og_str id, struct og_origin origin,
                          struct og_waiting *after, bool over)
{
    struct og_sender *s = a->sender;
    struct og_cancel_line *c = calloc(1, sizeof *c), **last;
    struct og_tracked *o = c ? order_of(a, id) : NULL;
    struct og_error err = { 0 };

    if (!o) {
        free(c);
        if (s->fatal == 0)
            og_send_fatal(s, 4, &err);
        return false;
    }
    *c = (struct og_cancel_line){ .origin = origin, .after = after, .executed = o->execution.executed };
    for (last = &o->cancel.lines; *last; last = &(*last)->next)
        continue;
    *last = c;
    want(o, over ? OG_CANCEL_EV_FOLLOW : OG_CANCEL_EV_WANTED, og_send_ms(s) + s->options.wait_ns / OG_NS_PER_MS, false);
    og_send_settle(o); /* an order that is over is not canceled: report the line's outcome now */
    return true;
}

static bool ended_without_working(enum og_state state)
{
    return state == OG_REJECTED || state == OG_NOT_SENT;
}

bool og_send_never_worked(struct og_account_state *a, struct og_str id)
{
    struct og_sender *s = a->sender;
    const struct og_tracked *o = og_orders_find(s, a, id);
    struct og_ledger_known known = { 0 };

    if (o)
        return !o->external && !og_send_is_pending(o) && ended_without_working(o->execution.state);
    return s->ledger && og_ledger_find(s->ledger, og_str_of(a->id), id, &known, NULL, NULL, NULL) == OG_OK &&
           known.found && ended_without_working(known.state);
}

/* The order ended without working, but the broker has another order with its id: follow the broker's order as somebody
 * else's. */
static void follow_other(struct og_tracked *o)
{
    og_send_warn(o->sender,
                 "order '%s': it ended as %s, but the broker has another order of that id; canceling that one", o->id,
                 og_state_name(o->execution.state));
    og_send_forget(o);
    og_send_set_external(o, true);
    og_absence_lost(&o->absence, og_time_up());
}

bool og_send_follow_shown(struct og_tracked *o)
{
    if (!o->shown || o->has_namesake || o->execution.state != OG_REJECTED ||
        strcmp(o->execution.code, OG_DUPLICATE_ID) == 0)
        return false;
    follow_other(o);
    return true;
}

bool og_send_follow_listed(struct og_account_state *a, struct og_str id, const struct og_decision *d)
{
    struct og_sender *s = a->sender;
    struct og_tracked *o;

    if (!d->accepted || !og_send_never_worked(a, id))
        return s->fatal == 0;
    if (!(o = og_orders_find(s, a, id)) && !(o = og_send_from_ledger(a, id)))
        return s->fatal == 0;
    if (!o->shown && strcmp(o->execution.code, OG_DUPLICATE_ID) != 0)
        return true;
    follow_other(o);
    return s->fatal == 0;
}

bool og_send_is_known(struct og_account_state *a, struct og_str id)
{
    struct og_sender *s = a->sender;
    struct og_ledger_known known = { 0 };

    return og_orders_find(s, a, id) ||
           (s->ledger && og_ledger_find(s->ledger, og_str_of(a->id), id, &known, NULL, NULL, NULL) == OG_OK &&
            known.found);
}

/* Returns true if the book knows the order because this run made it. The book forgets an order that was not sent. */
static bool is_in_book(const struct og_tracked *o)
{
    return !o->external && !o->recovered && o->execution.state != OG_NOT_SENT;
}

/* Tell the book that the id of an order is used, because the ledger or a row of the broker shows the id. The broker's
 * list need not show the order: it may have dropped the order, or not have it yet. The book already knows the orders
 * that this run made. */
void og_send_know(struct og_account_state *a, struct og_str id)
{
    struct og_tracked *o = og_orders_find(a->sender, a, id);

    if (id.len == 0 || (o && (o->in_book || is_in_book(o))) || !og_send_is_known(a, id))
        return;
    og_send_used(a, id);
    if (o)
        o->in_book = true;
}

static void keep_end(void *with, const struct og_ledger_row *row)
{
    struct og_execution *f = with;

    f->state = row->state;
    f->executed = row->executed;
    f->price_avg = row->price_avg;
}

/* If the ledger has the order as canceled, which happens when the same lines are read again, report the cancel's
 * outcome: nothing is left to decide. Returns false if the ledger does not have the order as canceled, or if the run
 * ends. */
static bool is_canceled_already(struct og_account_state *a, struct og_origin origin, struct og_str id)
{
    struct og_sender *s = a->sender;
    struct og_execution execution = { .state = OG_REFUSED };
    struct og_error err = { 0 };

    if (id.len == 0 || s->options.dry_run || !s->ledger)
        return false;
    if (og_ledger_heard(s->ledger, og_str_of(a->id), id, keep_end, &execution, &err) != OG_OK)
        og_send_bar(s, &err);
    if (s->fatal != 0 || execution.state != OG_CANCELED)
        return false;
    og_send_tell_cancel_outcome(s, origin, a->id, id.s, &execution, "canceled", NULL);
    return true;
}

/* Returns true if the cancel is refused only because the order is over. */
static bool is_over(const struct og_decision *d)
{
    bool over = false;

    for (int i = 0; i < d->count; i++) {
        if (d->findings[i].level != OG_LEVEL_REFUSE)
            continue;
        if (strcmp(d->findings[i].reason, "cancel-terminal") != 0)
            return false;
        over = true;
    }
    return over;
}

/* Returns true if the ledger has the order as one that may still be working. An earlier run may have sent this cancel,
 * and been killed before it recorded the order's end. */
static bool is_open(struct og_account_state *a, struct og_str id)
{
    struct og_sender *s = a->sender;
    struct og_ledger_known known = { 0 };

    return s->ledger && !s->options.dry_run &&
           og_ledger_find(s->ledger, og_str_of(a->id), id, &known, NULL, NULL, NULL) == OG_OK && known.found &&
           !og_state_is_final(known.state);
}

bool og_send_cancel_line(struct og_sender *s, struct og_account_state *a, const struct og_waiting *w)
{
    struct og_error err = { 0 };
    struct og_decision d;
    struct og_str id;

    if (a && og_send_withdraw(a, w))
        return true;
    id = og_str_of(og_order_client_id(s->order));
    if (s->fatal != 0)
        return false;
    if (a && is_canceled_already(a, w->origin, id))
        return true;
    if (og_request_read(s->request, w->bytes, w->len) != OG_OK) {
        og_send_fatal(s, 4, &err);
        return false;
    }
    if (a)
        s->request->list = a->readings.read_at <= w->facts_from ? OG_LIST_BEFORE : OG_LIST_AFTER;
    if (a)
        og_send_know(a, id);
    if (s->fatal != 0)
        return false;
    og_check_cancel(s->book, s->request, og_clock_now(&s->clock), s->scratch, &d);
    if (a && is_over(&d) && is_open(a, id))
        return og_send_cancel_order(a, id, w->origin, NULL, true);
    if (!og_send_tell_decision(s, w->origin, &d))
        return true;
    if (d.accepted && a && !s->options.dry_run)
        return og_send_follow_listed(a, id, &d) && og_send_cancel_order(a, id, w->origin, NULL, false);
    og_send_tell_cancel_outcome(s, w->origin, a ? a->id : og_order_account(s->order), id.s, NULL,
                                d.accepted && (a || !s->accounts.list) ? "not-sent" : "refused",
                                !a && !s->accounts.list ? s->accounts.blind.text
                                : a && d.accepted       ? OG_DRY_SENT
                                                        : NULL);
    return true;
}
