/*
 * Applies what the broker shows of an order (the end of its POST, frames, look-ups, lists) to its execution state,
 * and decides when the outcome is reported for the order's line: once, when the outcome is final or the wait is
 * over.
 */

#include "base/account_id.h"
#include "outcome/identity.h"
#include "send/denied.h"
#include "send/event.h"
#include "send/sender.h"
#include "wire/read.h"

bool og_send_is_pending(const struct og_tracked *o)
{
    return o->line.owed || o->post.under_way || o->cancel.state != OG_CANCEL_NONE;
}

bool og_send_is_gone(const struct og_tracked *o)
{
    return o->absence.state == OG_ABSENCE_PROVED && !og_state_is_final(o->execution.state);
}

/* --- the end of a line -------------------------------------------------------------------------------------------- */

void og_send_owe(struct og_tracked *o, struct og_origin origin, int64_t give_up_ms)
{
    o->line.origin = origin;
    o->line.owed = true;
    o->line.give_up_ms = give_up_ms;
}

bool og_send_is_followed(const struct og_tracked *o)
{
    return og_send_is_pending(o) || o->line.unknown || (o->execution.state == OG_OUTCOME_UNKNOWN && !o->external);
}

bool og_send_settles(const struct og_tracked *o)
{
    return o->line.unknown && (og_state_is_final(o->execution.state) || (o->execution.state == OG_WORKING && o->heard));
}

void og_send_was_unknown(struct og_tracked *o)
{
    if (o->line.unknown)
        return;
    o->line.unknown = !o->external; /* no run on this ledger is responsible for the outcome of somebody else's order */
    og_send_count_unknown(o->sender);
}

/* Call for an order whose outcome was reported as unknown: reports the outcome if it is known by now. source: where the
 * outcome was learned, if no event has reported it yet; otherwise NULL. */
static void settle_late(struct og_tracked *o, const char *source)
{
    if (!og_send_settles(o))
        return;
    if (source)
        og_send_tell_update(o, NULL, source);
    o->line.unknown = false;
    og_send_count_settled(o->sender, o->line.origin, og_state_name(o->execution.state));
}

static void conclude(struct og_tracked *o, const char *outcome)
{
    struct og_buf absent;

    o->line.owed = false;
    og_buf_init(&absent, 0);
    if (o->execution.state == OG_OUTCOME_UNKNOWN && o->absence.since != 0)
        og_send_write_absent(o, &absent);
    (void)og_send_record(o, "outcome", outcome,
                         absent.s ? (struct og_str){ absent.s, absent.len } : (struct og_str){ NULL, 0 });
    og_buf_clear(&absent);
    (o->recovered ? og_send_tell_resumed : og_send_tell_outcome)(o->sender, o->line.origin, o->account->id, o->id,
                                                                 &o->execution, outcome);
    if (strcmp(outcome, "unknown") == 0)
        og_send_was_unknown(o);
}

/* Returns the word for the order's final state. An order of an earlier run that was not sent, and that a cancel keeps
 * from being sent again, counts as canceled. */
static const char *final_name(const struct og_tracked *o)
{
    return o->recovered && og_send_is_withdrawn(o) ? "canceled" : og_state_name(o->execution.state);
}

bool og_send_is_denied(const struct og_tracked *o)
{
    return og_execution_is_denied(&o->execution) && o->post.attempts > 0;
}

void og_send_settle(struct og_tracked *o)
{
    enum og_state state = o->execution.state;

    if (o->post.under_way)
        return; /* no state is final before the answer to the POST */
    og_send_cancel_settle(o);
    if (o->line.owed &&
        (og_state_is_final(state) || (state == OG_WORKING && o->heard && !o->sender->options.until_final)))
        conclude(o, final_name(o));
    if (!og_send_is_pending(o) && og_state_is_final(state) && o->hold.ticket == 0 && !o->look.under_way &&
        !o->recovered && !o->external && !og_send_is_denied(o))
        /* only orders of this run are removed. Orders of earlier runs stay, since later lines may name them, even
         * several times; orders of somebody else stay, so that each is reported only once */
        og_orders_remove(o);
}

void og_send_conclude(struct og_tracked *o)
{
    enum og_state state = o->execution.state;

    if (o->line.owed)
        conclude(o, og_state_is_final(state)                              ? final_name(o)
                    : state == OG_OUTCOME_UNKNOWN || state == OG_INTENDED ? "unknown"
                                                                          : "working");
    og_send_settle(o);
}

void og_send_give_up(struct og_sender *s)
{
    struct og_tracked *o, *next;

    for (o = s->orders; o; o = next) {
        next = o->next;
        if (o->line.owed && !o->post.under_way && og_send_is_past(s, &o->line.give_up_ms))
            og_send_conclude(o);
    }
}

void og_send_hear_anew(struct og_tracked *o)
{
    o->heard = o->has_namesake = false;
}

/* --- what the broker shows of an order ---------------------------------------------------------------------------- */

/* An order, and whether the ledger already has its state. */
struct record_compared {
    const struct og_tracked *order;
    bool has;
};

/* Begin a JSON object with what the broker showed; the caller adds further members and the closing brace. */
static void write_heard(struct og_buf *b, struct og_str heard, const char *source)
{
    og_buf_init(b, 0);
    og_buf_text(b, "{\"heard\":");
    og_buf_json_str(b, heard);
    if (source)
        og_buf_format(b, ",\"source\":\"%s\"", source);
}

/* An og_ledger_seen callback: finds out whether the ledger already has this state of the order, or a later one. */
static void compare_record(void *with, const struct og_ledger_row *row)
{
    struct record_compared *c = with;
    const struct og_execution *f = &c->order->execution;

    c->has =
        row->seq > c->order->recovered_seq &&
        (og_state_is_final(row->state) || (row->state == f->state && og_money_cmp(row->executed, f->executed) >= 0));
}

/* Returns true if another sender, which also follows this order of an ended run, has recorded its present state. The
 * open transaction keeps others from recording the state after this call. */
static bool is_recorded(struct og_tracked *o)
{
    struct og_sender *s = o->sender;
    struct record_compared c = { .order = o };
    struct og_ledger_known known;

    if (!o->recovered || !s->ledger || s->options.dry_run || s->records.behind ||
        og_ledger_begin(s->ledger, NULL) != OG_OK)
        return false;
    (void)og_ledger_find(s->ledger, og_str_of(o->account->id), og_str_of(o->id), &known, compare_record, &c, NULL);
    return c.has;
}

/* Do what the step of the state machine requires: write a record, write an event, look the order up. heard: the row's
 * orderStatus, or a description of what happened; source: where that was seen, NULL if not at the broker; before: the
 * state that was assumed until now. */
static void act(struct og_tracked *o, struct og_step step, bool changed, struct og_str heard, const char *source,
                enum og_state before)
{
    bool anomaly = (step.actions & OG_ACT_ANOMALY) != 0;
    struct og_buf b;

    if (o->external && o->cancel.state == OG_CANCEL_NONE)
        return; /* somebody else's orders are not recorded */
    if (anomaly || ((step.actions & OG_ACT_RECORD) != 0 && changed && !is_recorded(o))) {
        write_heard(&b, heard, source);
        if (anomaly)
            og_buf_format(&b, ",\"believed\":\"%s\"", og_state_name(before));
        og_buf_char(&b, '}');
        if (anomaly)
            og_send_tell_anomaly(o, (struct og_str){ b.s, b.len },
                                 "the broker shows %.*s%s%s%s, which does not fit the state known so far: %s",
                                 (int)(heard.len < 30 ? heard.len : 30), heard.len > 0 ? heard.s : "",
                                 source ? " (" : "", source ? source : "", source ? ")" : "", og_state_name(before));
        else
            (void)og_send_record(o, "update", NULL, (struct og_str){ b.s, b.len });
        og_buf_clear(&b);
    }
    if ((step.actions & OG_ACT_ASK) != 0)
        og_send_ask_soon(o, 0);
}

/* Returns true if the order is counted by the account's facts alone, not by a reservation, as an order of somebody else
 * is. */
static bool counts_by_facts(const struct og_tracked *o, enum og_state before)
{
    return o->external || (o->recovered && before == OG_WORKING && o->hold.ticket == 0);
}

/* Note a change of an order that only the facts count. `known`: the order was known to be working before, and it is
 * known what changed. */
static void note_elsewhere(struct og_tracked *o, const struct og_order_row *row, const char *source, bool known,
                           struct og_money executed_before)
{
    if (o->execution.state == OG_REJECTED && o->execution.executed.coef == 0)
        return; /* the order has used up nothing */
    og_send_changed_elsewhere(o->account, row->symbol, row->side, source,
                              og_money_cmp(o->execution.executed, executed_before) != 0 ? OG_CHANGE_FILLS
                              : known && row->has_executed                              ? OG_CHANGE_FREES
                                                                                        : OG_CHANGE_TAKES,
                              o->recovered);
}

/* Note the row of an order that is not followed. */
static void note_stranger(struct og_account_state *a, const struct og_order_row *row, const char *source)
{
    og_send_changed_elsewhere(a, row->symbol, row->side, source,
                              row->has_executed && row->executed.coef > 0 ? OG_CHANGE_FILLS : OG_CHANGE_TAKES, false);
}

void og_send_take_row(struct og_tracked *o, const struct og_order_row *row, const char *source, bool adopt, uint64_t at)
{
    enum og_state before = o->execution.state;
    const struct og_money executed = o->execution.executed;
    const bool denied = og_execution_is_denied(&o->execution);
    const bool was_gone = og_send_is_gone(o) || denied;
    const bool by_facts = counts_by_facts(o, before);
    const bool known = (o->heard || o->recovered) && !og_state_is_final(before);
    bool changed;
    struct og_step step =
        og_execution_row(&o->execution, row, og_str_of(o->id), (struct og_str){ NULL, 0 }, adopt, at, &changed);

    o->heard = true;
    og_absence_row(&o->absence);
    og_orders_renamed(o);
    if (changed && o->recovered)
        og_send_count_shown(o);
    act(o, step, changed, row->status_text, source, before);
    if (changed || (step.actions & OG_ACT_ANOMALY) != 0)
        og_send_tell_update(o, row, source);
    settle_late(o, changed || (step.actions & OG_ACT_ANOMALY) != 0 ? NULL : source);
    if ((by_facts || (denied && o->hold.ticket == 0 && og_state_is_final(o->execution.state))) &&
        (changed || (step.actions & OG_ACT_ANOMALY) != 0))
        note_elsewhere(o, row, source, known && (step.actions & OG_ACT_ANOMALY) == 0, executed);
    if (changed && o->execution.state == before)
        og_send_account_dirty(o->account); /* a part of the order has filled */
    if (changed && (strcmp(source, "lookup") == 0 || strcmp(source, "list") == 0))
        og_send_heard_elsewhere(o->account);
    og_send_hold_moved(o, before);
    if (was_gone && o->hold.ticket == 0 && !og_state_is_final(o->execution.state))
        og_send_reserve_found(o);
    if (denied && !og_state_is_final(o->execution.state))
        og_send_cancel_shown(o);
    og_send_cancel_heard(
        o, row->status, at == o->execution.status_at && (strcmp(source, "lookup") == 0 || strcmp(source, "list") == 0));
    if (o->execution.state == OG_POSTED && before != OG_POSTED)
        og_send_ask_soon(o, o->account->stream.ready ? OG_FIRST_LOOK_STREAM_MS : OG_FIRST_LOOK_MS);
}

/* A row of somebody else's order under our id says nothing about our order. Rows are checked for that until the broker
 * has shown our order; the answer to our POST is always checked. */
bool og_send_is_of_namesake(struct og_tracked *o, const struct og_order_row *row, const char *source)
{
    bool open = o->execution.state == OG_INTENDED || o->execution.state == OG_OUTCOME_UNKNOWN ||
                og_execution_is_denied(&o->execution) || strcmp(source, "reply") == 0;
    struct og_buf why, detail;
    bool is;

    if (!open || o->external || !o->post.body)
        return false;
    og_buf_init(&why, 0);
    is = og_is_namesake((struct og_str){ o->post.body, o->post.len }, row, &why);
    if (is && !o->has_namesake) {
        struct og_str said = { why.s, why.len };

        o->has_namesake = true;
        write_heard(&detail, row->status_text, source);
        og_buf_text(&detail, ",\"namesake\":");
        og_buf_json_str(&detail, said);
        og_buf_char(&detail, '}');
        og_send_tell_anomaly(o, (struct og_str){ detail.s, detail.len },
                             "the broker has another order under this id (%s: %.*s); what it shows of that order is "
                             "not applied to ours",
                             source, (int)said.len, said.s);
        og_buf_clear(&detail);
    }
    og_buf_clear(&why);
    return is;
}

/* The order with the row's id ended as rejected or not sent here: note whether the broker nevertheless has a working
 * order with that id. */
static void note_shown(struct og_tracked *o, const struct og_order_row *row)
{
    o->shown =
        (o->execution.state == OG_REJECTED || o->execution.state == OG_NOT_SENT) && !og_send_is_over_there(row->status);
}

bool og_send_is_of(const struct og_account_state *a, const struct og_order_row *row)
{
    return !row->of_two_accounts && (row->account_id.len == 0 || og_same_account(row->account_id, og_str_of(a->id)));
}

bool og_send_row(struct og_account_state *a, const struct og_order_row *row, const char *source, uint64_t at)
{
    struct og_tracked *o = og_send_is_of(a, row) ? og_orders_of_row(a, row) : NULL;
    const bool ours = o && !o->external, listed = strcmp(source, "list") == 0;

    if (!og_send_is_of(a, row))
        return false;
    if (o && !o->external)
        note_shown(o, row);
    if (o && og_send_is_of_namesake(o, row, source)) {
        og_send_moved(a, NULL, row);
        if (!listed)
            note_stranger(a, row, source);
        return false;
    }
    og_send_moved(a, o, row);
    if (!o && !(o = og_send_external(a, row, listed))) {
        if (!listed && row->client_order_id.len == 0)
            note_stranger(a, row, source); /* the row has no id */
        return false;
    }
    if (!ours && !o->external) {
        note_shown(o, row);
        if (og_send_is_of_namesake(o, row, source))
            return false;
    }
    og_send_take_row(o, row, source, false, at);
    og_send_settle(o);
    return ours;
}

void og_send_adopt(struct og_tracked *o, const struct og_ledger_row *row)
{
    struct og_execution *f = &o->execution;
    enum og_state before = f->state;

    if ((before != OG_OUTCOME_UNKNOWN && (before != OG_INTENDED || !o->recovered)) || o->external ||
        o->post.under_way || (!og_state_is_final(row->state) && row->state != OG_WORKING))
        return; /* either the broker has shown the order since, which counts more than the record; or the record settles
                 * nothing */
    f->state = row->state;
    f->executed = row->executed;
    f->price_avg = row->price_avg;
    if (!f->text && row->text.len > 0)
        f->text = strndup(row->text.s, row->text.len);
    if (!f->broker_id && row->broker_id.len > 0)
        f->broker_id = strndup(row->broker_id.s, row->broker_id.len);
    og_orders_renamed(o);
    o->heard = true;
    og_send_say(o->sender, "order '%s' is %s by the ledger%s%.*s", o->id, og_state_name(row->state),
                row->text.len > 0 ? ": " : "", (int)row->text.len, row->text.s ? row->text.s : "");
    og_send_hold_moved(o, before);
    if (row->state == OG_WORKING)
        og_send_ask_soon(o, 0);
    settle_late(o, "ledger");
    og_send_settle(o);
}

void og_send_event_of(struct og_tracked *o, enum og_event event, struct og_str text)
{
    static const char *const words[OG_EVENTS] = {
        [OG_EV_UNSENT] = "not sent",
        [OG_EV_BAD] = "HTTP 400",
        [OG_EV_LOST] = "no answer",
        [OG_EV_RESTART] = "a restart",
        [OG_EV_ABSENT] = "its absence",
        [OG_EV_RESEND] = "a second sending",
        [OG_EV_CANCELED] = "a cancel before its POST",
    };
    enum og_state before = o->execution.state;
    struct og_step step = og_execution_event(&o->execution, event, text);

    if (o->execution.state == OG_OUTCOME_UNKNOWN && before != OG_OUTCOME_UNKNOWN)
        og_absence_lost(&o->absence, og_time_up());
    act(o, step, o->execution.state != before, og_str_of(words[event] ? words[event] : ""), NULL, before);
    og_send_hold_moved(o, before);
    settle_late(o, "absence");
    og_send_settle(o);
}
