/*
 * Recovers what earlier runs left: orders whose outcome is unknown or still to come, and lines that an earlier run
 * read. If the id of a line is in the ledger, the line's order is not posted again, unless it was not sent and the user
 * asks for that.
 */
#include "send/resume.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "order/order.h"
#include "ordergate/order.h"
#include "send/event.h"
#include "send/sender.h"
#include "text/doc.h"

#define DIFFERENCE_SIZE 400

/* Returns the time by the broker's Date since which the order has been absent, according to the ledger's newest record
 * of it; 0 if the record does not say. */
static int64_t absent_since(const struct og_ledger_row *row)
{
    cJSON *doc = NULL;
    struct og_str since, by;
    int64_t at = 0;

    if (!og_state_is_final(row->state) && row->detail.len > 0 &&
        og_doc_read(row->detail.s, row->detail.len, "detail", &doc, NULL) == OG_OK &&
        og_doc_str(doc, "absentSince", &since) && og_doc_str(doc, "by", &by) && og_str_is(by, "broker") &&
        !og_time_read(since.s, since.len, &at))
        at = 0;
    cJSON_Delete(doc);
    return at;
}

/* An og_ledger_seen callback: copy the ledger's newest record of an order into the struct og_execution `with`. */
static void keep_execution(void *with, const struct og_ledger_row *row)
{
    struct og_execution *f = with;

    f->state = row->state;
    f->posts = 1;
    f->executed = row->executed;
    f->price_avg = row->price_avg;
    f->text = row->text.len > 0 ? strndup(row->text.s, row->text.len) : NULL;
    f->broker_id = row->broker_id.len > 0 ? strndup(row->broker_id.s, row->broker_id.len) : NULL;
    if (row->code.len < sizeof f->code && row->code.len > 0)
        memcpy(f->code, row->code.s, row->code.len);
}

void og_send_forget(struct og_tracked *o)
{
    og_send_unhold(o);
    og_execution_clear(&o->execution);
    o->recovered = false;
    og_send_set_external(o, false);
    og_send_hear_anew(o);
    og_send_ask_missing(o, false);
}

uint64_t og_send_up_at(struct og_sender *s, int64_t at)
{
    const int64_t now = og_clock_now(&s->clock);
    const uint64_t up = og_time_up(), age = at != OG_TIME_UNKNOWN && at < now ? (uint64_t)now - (uint64_t)at : 0;

    return age < up ? up - age : 0;
}

static void fill(struct og_tracked *o, const struct og_ledger_row *row)
{
    struct og_execution *f = &o->execution;

    og_send_forget(o);
    keep_execution(f, row); /* if the record lacks the broker's id of the order, look-ups use our own id */
    f->seen_as_own =
        !f->broker_id && f->state != OG_INTENDED && f->state != OG_OUTCOME_UNKNOWN && f->state != OG_NOT_SENT;
    og_orders_renamed(o);
    og_absence_resume(&o->absence, absent_since(row), og_time_up(), og_clock_date(&o->sender->clock));
    og_send_post_recall(o);
    o->recovered = true;
    o->recovered_seq = row->seq;
    og_send_hold_seen(o, og_send_up_at(o->sender, row->at));
}

void og_send_meant(struct og_tracked *o, const struct og_ledger_row *intent)
{
    /* otherwise this run made the order, and knows its state */
    if (o->external || o->recovered || o->execution.state == OG_NOT_SENT)
        fill(o, intent);
}

static int64_t wait_ms(const struct og_sender *s)
{
    int64_t wait = s->options.wait_ns / OG_NS_PER_MS;

    return s->options.recover && wait < OG_RECOVER_MS && !s->wait_given ? OG_RECOVER_MS : wait;
}

/* Returns true if the order may go on working after the day of its POST. */
static bool outlasts_its_day(struct og_account_state *a, struct og_str id)
{
    struct og_sender *s = a->sender;
    struct og_buf body;
    bool is = false;

    og_buf_init(&body, 0);
    if (og_ledger_body(s->ledger, og_str_of(a->id), id, &body, NULL) == OG_OK && body.len > 0 &&
        og_order_read(s->peers.order, body.s, body.len) == OG_OK)
        is = s->peers.order->tif == OG_GOOD_TILL_CANCEL || s->peers.order->tif == OG_GTC_PLUS;
    og_buf_clear(&body);
    return is;
}

/* Look up an order that an ended run left working and that the first list lacks: it may have ended while no run was
 * alive. Orders of the last day are looked up in any case (other_runs.c); older orders that were valid for one day are
 * over. */
static void look_up_left(struct og_account_state *a, const struct og_ledger_row *row)
{
    struct og_tracked *o;

    if (og_send_is_held(a, row->id) || !outlasts_its_day(a, row->id) || !(o = og_orders_add(a->sender, a, row->id)))
        return;
    fill(o, row);
    og_send_ask_missing(o, true);
}

struct recovery {
    struct og_account_state *a;
    bool failed;
};

static void on_unsettled(void *with, const struct og_ledger_row *row)
{
    struct recovery *r = with;
    struct og_sender *s = r->a->sender;
    struct og_tracked *o = og_orders_find(s, r->a, row->id);
    bool known = o && !o->external;

    if (!og_str_is(row->account, r->a->id) || (known && o->line.owed))
        return;
    if (row->state == OG_WORKING && !s->options.recover) {
        if (!o)
            look_up_left(r->a, row);
        return;
    }
    if (!o && !(o = og_orders_add(s, r->a, row->id))) {
        r->failed = true;
        return;
    }
    if (!known)
        fill(o, row);
    og_send_owe(o, o->line.origin, og_send_ms(s) + wait_ms(s));
}

/* An option --recover also follows unknown orders of running senders. It ends when they are settled, by whichever
 * sender. */
static void on_unknown_of_running(void *with, const struct og_ledger_row *row)
{
    const struct recovery *r = with;
    long pid;

    if (!og_str_is(row->account, r->a->id))
        return;
    pid = og_send_fellow(r->a);
    if (pid > 0)
        og_send_say(r->a->sender,
                    "order '%.*s' belongs to the running sender %ld, which looks it up; this run waits for its outcome",
                    (int)row->id.len, row->id.s, pid);
    else
        og_send_say(r->a->sender,
                    "order '%.*s' belongs to a running sender, which looks it up; this run waits for its outcome",
                    (int)row->id.len, row->id.s);
    on_unsettled(with, row);
}

void og_send_recover(struct og_account_state *a)
{
    struct og_sender *s = a->sender;
    struct recovery r = { a, false };
    struct og_error err = { 0 };
    struct og_tracked *o, *next;
    int count = 0;

    og_send_used(a, (struct og_str){ NULL, 0 });
    if (!s->ledger || s->options.dry_run)
        return;
    if (og_ledger_unsettled(s->ledger, on_unsettled, &r, &err) != OG_OK ||
        (s->options.recover && og_ledger_unknown_of_running(s->ledger, on_unknown_of_running, &r, &err) != OG_OK) ||
        r.failed) {
        og_send_bar(s, &err);
        return;
    }
    for (o = s->orders; o; o = next) {
        next = o->next;
        if (o->account == a && o->recovered && o->line.owed && o->line.origin.line == 0) {
            og_send_event_of(o, OG_EV_RESTART, (struct og_str){ NULL, 0 });
            count++;
        }
    }
    if (count > 0)
        og_send_say(s, "account '%s': asking about %d order%s of earlier runs", a->id, count, count == 1 ? "" : "s");
}

/* --- lines that an earlier run read ------------------------------------------------------------------------------- */

void og_send_used(struct og_account_state *a, struct og_str id)
{
    struct og_sender *s = a->sender;
    struct og_error err = { 0 };
    struct og_buf b;

    if (id.len > 0) {
        og_buf_json_str(&a->used, id);
        og_buf_char(&a->used, ',');
    }
    og_buf_init(&b, 0);
    og_buf_text(&b, "{\"usedClientOrderIds\":[");
    og_buf_bytes(&b, s->given_used.s ? s->given_used.s : "", s->given_used.len);
    og_buf_bytes(&b, a->used.s ? a->used.s : "", a->used.len);
    if (b.s[b.len - 1] == ',')
        b.s[--b.len] = '\0';
    og_buf_text(&b, "]}");
    if (b.bad || a->used.bad || og_book_apply(s->book, a->id, b.s, b.len, "the ledger's ids", &err) != OG_OK)
        og_send_fatal(s, 4, &err);
    og_buf_clear(&b);
}

struct finding {
    struct og_account_state *a;
    struct og_tracked *o;
};

static void on_newest(void *with, const struct og_ledger_row *row)
{
    struct finding *f = with;

    if (!(f->o = og_orders_find(f->a->sender, f->a, row->id)) && (f->o = og_orders_add(f->a->sender, f->a, row->id)))
        fill(f->o, row);
}

/* The run that made the order, while it is alive, is alone in believing rows that show the order in spite of the answer
 * 400. So keep here that only an answer rejected the order if that run has ended. */
static void keep_denial(struct og_tracked *o, const struct og_ledger_known *known)
{
    o->execution.by_answer = known->state == OG_REJECTED && known->by_answer && !known->alive;
}

struct og_tracked *og_send_from_ledger(struct og_account_state *a, struct og_str id)
{
    struct og_sender *s = a->sender;
    struct og_ledger_known known = { 0 };
    struct og_error err = { 0 };
    struct finding f = { a, NULL };

    if (!s->ledger)
        return NULL;
    if (og_ledger_find(s->ledger, og_str_of(a->id), id, &known, on_newest, &f, &err) != OG_OK) {
        og_send_bar(s, &err);
    } else if (f.o) {
        keep_denial(f.o, &known);
        if (!known.alive && f.o->execution.state != OG_WORKING)
            og_send_event_of(f.o, OG_EV_RESTART, (struct og_str){ NULL, 0 });
    }
    if (f.o && known.withdrawn)
        og_send_cancel_recorded(f.o);
    return f.o;
}

bool og_send_inherit(struct og_account_state *a, struct og_str id, og_ticket ticket)
{
    struct og_sender *s = a->sender;
    struct og_ledger_known known = { 0 };
    struct og_error err = { 0 };
    struct og_tracked *o;

    if (og_ledger_find(s->ledger, og_str_of(a->id), id, &known, NULL, NULL, &err) != OG_OK) {
        og_send_bar(s, &err);
        return false;
    }
    if (known.alive || !known.found)
        return false;
    if (!(o = og_orders_find(s, a, id)))
        o = og_send_from_ledger(a, id);
    else if (o->recovered && o->hold.ticket == 0)
        og_send_event_of(o, OG_EV_RESTART, (struct og_str){ NULL, 0 });
    else
        return false;
    if (!o)
        return false;
    og_send_say(s, "order '%s': the run that posted it is over; asking about it", o->id);
    og_send_hold(o, ticket);
    og_send_hold_seen(o, og_time_up());
    og_send_account_dirty(a);
    if (!o->line.unknown) /* a line has one outcome: if the order was reported as unknown, what becomes of it is
                           * reported as an update */
        og_send_owe(o, o->line.origin, og_send_ms(s) + wait_ms(s));
    og_send_ask_soon(o, 0);
    return true;
}

static void write_difference(struct og_str id, const char *member, struct og_str was, struct og_str now, char *to,
                             size_t size)
{
    const char *const quote_was = was.len > 0 ? "'" : "", *const quote_now = now.len > 0 ? "'" : "";
    const struct og_str none = OG_STR("none");

    was = was.len > 0 ? was : none;
    now = now.len > 0 ? now : none;
    snprintf(to, size,
             "clientOrderId '%.*s' was used before, by a line with another `%s`: there %s%.*s%s, here %s%.*s%s; an id "
             "is used once, give this order a new one",
             (int)(id.len < 64 ? id.len : 64), id.s, member, quote_was, (int)(was.len < 64 ? was.len : 64), was.s,
             quote_was, quote_now, (int)(now.len < 64 ? now.len : 64), now.s, quote_now);
}

/* Call for a line whose order (s->order) has the same body as the recorded one. Returns true if its `replaces` or `tag`
 * differs from that of the line that made the order; `text` then says which, and both values. Such a line must not take
 * the order over: the old order would stay, or the order would count for another strategy. */
static bool differs(struct og_sender *s, struct og_str account, const struct og_ledger_known *known, char *text,
                    size_t size)
{
    const struct og_str id = og_str_of(og_order_client_id(s->order));
    struct og_ledger_terms made;
    struct og_error err = { 0 };
    char digest[OG_ORDER_DIGEST_SIZE] = "";
    bool is = true, by_tag;

    og_buf_init(&made.replaces, 0);
    og_buf_init(&made.tag, 0);
    snprintf(text, size, "out of memory");
    if (og_ledger_terms_of(s->ledger, account, id, &made, &err) != OG_OK) {
        snprintf(text, size, "%s", err.text);
        og_send_bar(s, &err);
    } else if (!made.replaces.bad && !made.tag.bad && og_order_digest(s->order, digest) == OG_OK) {
        const struct og_str was = { made.replaces.s, made.replaces.len }, tag = { made.tag.s, made.tag.len };

        by_tag = og_str_eq(was, s->order->replaces);
        is = (made.decided || known->state != OG_CANCELED) && strcmp(digest, made.digest) != 0 &&
             (!by_tag || (!og_str_eq(tag, s->order->tag) && (s->order->tag.len > 0 || made.digest[0] != '\0')));
        write_difference(id, by_tag ? "tag" : "replaces", by_tag ? tag : was,
                         by_tag ? s->order->tag : s->order->replaces, text, size);
    }
    og_buf_clear(&made.replaces);
    og_buf_clear(&made.tag);
    return is;
}

bool og_send_tell_known(struct og_sender *s, struct og_origin origin, const char *account, const char *digest)
{
    const char *id = og_order_client_id(s->order), *outcome;
    char text[DIFFERENCE_SIZE];
    struct og_ledger_known known = { 0 };
    struct og_error err = { 0 };
    struct og_execution execution = { 0 };

    if (!s->ledger || account[0] == '\0' || id[0] == '\0' || s->options.dry_run ||
        og_ledger_find(s->ledger, og_str_of(account), og_str_of(id), &known, keep_execution, &execution, &err) !=
            OG_OK ||
        !known.found || known.same_run || strcmp(known.digest, digest) != 0 ||
        differs(s, og_str_of(account), &known, text, sizeof text)) {
        og_execution_clear(&execution);
        return false;
    }
    /* whether an intended order was posted is not known, since no answer is recorded */
    outcome = execution.state == OG_INTENDED                      ? "unknown"
              : execution.state == OG_POSTED                      ? "working"
              : execution.state == OG_NOT_SENT && known.withdrawn ? "canceled"
                                                                  : og_state_name(execution.state);
    og_send_tell_resumed(s, origin, account, id, &execution, outcome);
    if (strcmp(outcome, "unknown") == 0)
        og_send_count_unknown(s);
    og_execution_clear(&execution);
    return true;
}

/* The line names an order that another run made: report its outcome, or follow it. While that run is still alive
 * (`alive`), only that run learns how the POST ended, so a look-up that finds no order proves nothing. */
static enum og_resume follow(struct og_tracked *o, struct og_origin origin, bool alive)
{
    struct og_sender *s = o->sender;

    og_send_owe(o, origin, og_send_ms(s) + wait_ms(s));
    if (og_state_is_final(o->execution.state))
        og_send_settle(o);
    else if (!alive && o->look.count == 0 && !o->look.under_way && o->execution.state != OG_WORKING)
        og_send_event_of(o, OG_EV_RESTART, (struct og_str){ NULL, 0 });
    else
        og_send_ask_soon(o, 0);
    return OG_RESUME_DONE;
}

/* In a dry run, report what would become of a line whose order another run has made. */
static enum og_resume tell_dry(struct og_account_state *a, struct og_origin origin, const struct og_ledger_known *known)
{
    struct og_sender *s = a->sender;
    const enum og_state state = known->state;
    char text[160] = OG_DRY_SENT " again: another run has it as not-sent";
    struct og_execution execution = { .text = text };

    if (state != OG_NOT_SENT)
        snprintf(text, sizeof text, "dry run: would not be sent again: another run has it as %s%s",
                 og_state_name(state == OG_INTENDED ? OG_OUTCOME_UNKNOWN : state),
                 og_state_is_final(state) ? "" : "; it would be looked up");
    else if (known->withdrawn)
        snprintf(text, sizeof text, "dry run: would not be sent: the order was canceled before it was posted");
    else if (!s->options.resend_not_sent)
        snprintf(text, sizeof text,
                 "dry run: would not be sent: another run has it as not-sent; --resend-not-sent would send it");
    og_send_tell_outcome(s, origin, a->id, og_order_client_id(s->order), &execution, "not-sent");
    return OG_RESUME_DONE;
}

enum og_resume og_send_resume(struct og_account_state *a, struct og_origin origin, const char *digest)
{
    struct og_sender *s = a->sender;
    struct og_str id = og_str_of(og_order_client_id(s->order));
    struct og_tracked *mine = og_orders_find(s, a, id);
    struct og_ledger_known known;
    struct og_error err = { 0 };
    struct finding f = { a, NULL };
    char text[DIFFERENCE_SIZE];

    if (og_ledger_find(s->ledger, og_str_of(a->id), id, &known, NULL, NULL, &err) != OG_OK) {
        og_send_bar(s, &err);
        return OG_RESUME_FAILED;
    }
    if (!known.found)
        return OG_RESUME_NEW;
    if (known.same_run || strcmp(known.digest, digest) != 0 || (mine && mine->line.origin.line != 0)) {
        og_send_used(a, id);
        return OG_RESUME_USED;
    }
    if (differs(s, og_str_of(a->id), &known, text, sizeof text)) {
        if (og_send_barred(s))
            return OG_RESUME_FAILED;
        og_send_used(a, id);
        og_send_refuse_line(a, origin, text);
        return OG_RESUME_DONE;
    }
    if (s->options.dry_run)
        return tell_dry(a, origin, &known);
    if (!og_send_replaces(a, true))
        return OG_RESUME_FAILED;
    if (known.state == OG_NOT_SENT && !known.withdrawn && s->options.resend_not_sent)
        return OG_RESUME_AGAIN;
    if (og_ledger_find(s->ledger, og_str_of(a->id), id, &known, on_newest, &f, &err) != OG_OK || !f.o) {
        og_send_bar(s, &err);
        return OG_RESUME_FAILED;
    }
    keep_denial(f.o, &known);
    if (known.withdrawn)
        og_send_cancel_recorded(f.o);
    return follow(f.o, origin, known.alive);
}
