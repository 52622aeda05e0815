/*
 * Decides, within the service's budgets, when an order is looked up, and when a list is requested instead because many
 * orders are open.  Also decides when an order that the broker does not show has been missing for long enough to count
 * as absent.  A single 404 is not enough: an id may not be registered yet, and a platform that is asleep answers 404
 * for every account.
 */
#include "base/json_write.h"
#include "send/denied.h"
#include "send/event.h"
#include "send/sender.h"
#include "text/doc.h"
#include "wire/read.h"

/* maximum number of look-ups of single orders in progress; if more orders wait, a list is requested */
#define AT_ONCE 2

void og_send_ask_soon(struct og_tracked *o, int64_t in_ms)
{
    int64_t at = og_send_ms(o->sender) + in_ms;

    if (at < o->look.next_ms)
        o->look.next_ms = at;
}

/* Returns true if the order is looked up rarely: look-ups show only somebody else's order with the same id, and no line
 * waits for the answer. Our order can be settled only by a person, or once the other order has ended. */
static bool is_rare(const struct og_tracked *o)
{
    return o->has_namesake && o->execution.state == OG_OUTCOME_UNKNOWN && !og_send_is_pending(o);
}

/* Returns the pause before the next look-up, in ms, after an answer that settled nothing. */
static int64_t pause_ms(const struct og_tracked *o)
{
    bool stream = o->account->stream.ready;
    int64_t rare = OG_LOOK_SELDOM_MS;

    if (is_rare(o)) {
        for (int i = 20; i < o->look.count && rare < OG_LOOK_RARE_MS; i += 5)
            rare *= 2;
        return rare < OG_LOOK_RARE_MS ? rare : OG_LOOK_RARE_MS;
    }

    if (o->execution.state == OG_WORKING && !og_cancel_is_under_way(o->cancel.state))
        return stream ? OG_LOOK_WORKING_STREAM_MS : OG_LOOK_SELDOM_MS;
    if (o->look.count < 4)
        return OG_LOOK_EARLY_MS;
    return stream || o->look.count > 20 ? OG_LOOK_SELDOM_MS : OG_LOOK_LATER_MS;
}

static void on_order(void *with, const struct og_call_reply *reply)
{
    struct og_tracked *o = with;
    struct og_account_state *a = o->account;
    struct og_sender *s = o->sender;
    struct og_order_row row;
    cJSON *doc = NULL;
    const struct og_absence_moment began = { .up = reply->began_ns, .date = o->look.date };

    og_clock_hear(&s->clock, reply->date_ns, reply->began_ns, reply->ended_ns);
    o->look.under_way = false;
    o->look.count++;
    if (reply->end == OG_CALL_ANSWERED && (reply->status == 200 || reply->status == 404))
        o->look.missed = false;
    if (og_send_is_followed(o) || o->look.missed)
        o->look.next_ms = og_send_ms(s) + pause_ms(o);
    if (reply->end == OG_CALL_ANSWERED && reply->status == 404) {
        og_absence_look(&o->absence, &began, s->clock.of_broker);
        og_send_cancel_unfound(o);
    }
    if (reply->end == OG_CALL_ANSWERED && reply->status == 200 &&
        og_doc_read(reply->body, reply->len, "look-up", &doc, NULL) == OG_OK && og_wire_order(doc, &row) &&
        og_send_row(a, &row, "lookup", reply->began_ns))
        o = NULL; /* the order may have been freed */
    cJSON_Delete(doc);
    if (o)
        og_send_settle(o);
    og_send_wake(s);
}

static void ask(struct og_tracked *o)
{
    o->look.next_ms = INT64_MAX;
    o->look.date = og_clock_date(&o->sender->clock);
    o->look.under_way = og_broker_call(o->sender->broker, OG_ENDPOINT_ORDER, og_str_of(o->account->id),
                                       og_execution_id(&o->execution, og_str_of(o->id)), NULL, 0, OG_LOOK_WAIT_MS,
                                       on_order, o, NULL) == OG_OK;
    if (!o->look.under_way)
        og_send_ask_soon(o, 500);
}

void og_send_ask_missing(struct og_tracked *o, bool missing)
{
    o->look.missed = missing;
    if (missing)
        og_send_ask_soon(o, 0);
}

static bool may_work(const struct og_tracked *o)
{
    return !og_send_is_gone(o) && (o->execution.state == OG_POSTED || o->execution.state == OG_WORKING);
}

void og_send_ask_missed(struct og_account_state *a, bool over_gap)
{
    for (struct og_tracked *o = a->sender->orders; o; o = o->next) {
        if (o->account != a || !og_absence_is_unlisted(&o->absence) || !may_work(o) || (o->external && !over_gap))
            continue;
        og_send_ask_missing(o, true);
    }
}

/* Returns true if the order is believed to be working and has a reservation, and the next answer to a look-up may show
 * its end. */
static bool is_missed(const struct og_tracked *o)
{
    return o->look.missed && may_work(o) && (o->hold.ticket != 0 || og_send_is_held(o->account, og_str_of(o->id)));
}

bool og_send_is_being_settled(const struct og_account_state *a)
{
    const struct og_sender *s = a->sender;
    const struct og_absence_moment now = { .up = og_time_up(), .date = og_clock_date(&s->clock) };

    for (const struct og_tracked *o = s->orders; o; o = o->next) {
        if (o->account != a || o->external)
            continue;
        if (is_missed(o) ||
            (o->execution.state == OG_OUTCOME_UNKNOWN && og_send_is_followed(o) &&
             (o->look.count == 0 || og_absence_for(&o->absence, &now, s->clock.of_broker) >= OG_ABSENT_NS)))
            return true;
    }
    return false;
}

void og_send_ask_due(struct og_sender *s)
{
    int64_t now = og_send_ms(s);
    int under_way = 0;

    for (struct og_account_state *a = s->accounts.first; a; a = a->next) {
        og_send_stream_look(a);
        og_send_look_at_positions(a);
        if (a->stream.ready && a->readings.good_at < a->stream.gap_at)
            og_send_account_look(a); /* the stream may have missed frames, so the whole account is read */
    }
    for (struct og_tracked *o = s->orders; o; o = o->next) {
        under_way += o->look.under_way;
        if (og_send_cancel_needs_list(o))
            og_send_account_look(o->account);
        if (og_send_is_followed(o) && o->execution.state == OG_OUTCOME_UNKNOWN && (!is_rare(o) || o->look.under_way))
            og_send_account_look(o->account); /* to prove that the order is absent, readings of the account must also
                                               * succeed */
    }
    for (struct og_tracked *o = s->orders; o; o = o->next) {
        if (o->look.under_way || o->look.next_ms > now)
            continue;
        if ((!og_send_is_followed(o) && !o->look.missed) || o->post.under_way) {
            o->look.next_ms = o->post.under_way ? now + 100 : INT64_MAX;
        } else if (under_way < AT_ONCE) {
            ask(o);
            under_way++;
        } else {
            og_send_account_dirty(o->account); /* one request of the list of orders is the look-up of all these
                                                * orders */
            og_send_account_look(o->account);
            o->look.next_ms = now + 250;
        }
    }
}

int64_t og_send_ask_next(const struct og_sender *s)
{
    int64_t next = INT64_MAX;

    for (const struct og_tracked *o = s->orders; o; o = o->next)
        if (!o->look.under_way && o->look.next_ms < next)
            next = o->look.next_ms;
    return next;
}

/* Write an event that the order is gone: the broker had shown it as working, and its absence is now proved. The next
 * reading ends its reservation. */
static void gone(struct og_tracked *o)
{
    og_send_account_dirty(o->account);
    og_send_warn(o->sender,
                 "order '%s': it was accepted, and is absent from look-up, list and stream for 60 s; how it ended is "
                 "not known, and it is not counted any more",
                 o->id);
}

/* Write since when the order counts as absent. A later run continues from that time if the time is by the broker's
 * Date. */
void og_send_write_absent(const struct og_tracked *o, struct og_buf *b)
{
    og_buf_text(b, "{\"absentSince\":");
    og_buf_json_str(b, og_str_of(og_time_text(o->absence.since).s));
    og_member_str(b, "by", o->absence.by_broker ? OG_STR("broker") : OG_STR("machine"));
    og_buf_char(b, '}');
}

static void record_absent(struct og_tracked *o)
{
    struct og_buf b;

    og_buf_init(&b, 0);
    og_send_write_absent(o, &b);
    (void)og_send_record(o, "update", NULL, (struct og_str){ b.s, b.len });
    og_buf_clear(&b);
}

static void consider_absence(struct og_tracked *o, const struct og_absence_moment *before, uint64_t at)
{
    unsigned actions;

    if ((o->execution.state != OG_OUTCOME_UNKNOWN && !may_work(o)) || o->external || o->post.under_way)
        return;
    actions = og_absence_read(&o->absence, at, before);
    if ((actions & OG_ABSENCE_ACT_COUNT) != 0)
        record_absent(o);
    if ((actions & OG_ABSENCE_ACT_PROVED) == 0)
        return;
    if (o->execution.state == OG_OUTCOME_UNKNOWN)
        og_send_event_of(o, OG_EV_ABSENT, OG_STR("absent from look-up, list and stream for 60 s: it was not received"));
    else
        gone(o);
}

void og_send_account_was_good(struct og_account_state *a, const struct og_absence_moment *before, uint64_t at)
{
    struct og_tracked *o, *next;

    for (o = a->sender->orders; o; o = next) {
        next = o->next;
        if (o->account == a)
            consider_absence(o, before, at);
    }
}
