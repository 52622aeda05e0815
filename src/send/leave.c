/*
 * Whether an order may be sent now. Between its decision and the first byte of its POST an order waits: for the
 * budget, for a connection, after a 429. Meanwhile prices, positions and the policy change, so the order is decided
 * once more, by what is known then, right before each of its requests is sent. Its own reservation does not count
 * against it.
 *
 * If it is refused then, it is not sent. If it is refused only because facts are too old, or because the policy limits
 * how many orders are sent within a time, the order waits until this reason has passed, but no longer than the time
 * allowed for its POST. Meanwhile it keeps its reservation.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "ordergate/rules.h"
#include "send/event.h"
#include "send/ready.h"
#include "send/sender.h"

enum answer { GO, STAY, END };

static bool is_waived(const struct og_decision *d)
{
    for (int i = 0; i < d->count; i++)
        if (d->findings[i].waived_by)
            return true;
    return false;
}

void og_send_leave_by(struct og_tracked *o, const struct og_decision *d)
{
    o->leave.closes = d->reduces;
    o->leave.waived = is_waived(d);
}

void og_send_leave_halted(struct og_tracked *o, enum og_trading halt)
{
    if (halt > o->leave.halt)
        o->leave.halt = halt;
}

void og_send_leave_line(struct og_tracked *o, uint64_t since, uint64_t waits_from)
{
    o->leave.line_at = since;
    o->leave.waits_from = waits_from;
}

void og_send_leave_begin(struct og_tracked *o)
{
    o->leave.turn = ++o->sender->turns;
    o->leave.held_by = OG_HELD_RATE;
    o->leave.asked_at = o->account->readings.read_at - 1; /* by this value the present reading is new enough for the
                                                           * order's second decision */
    o->leave.until_ms = og_send_ms(o->sender) + o->sender->options.wait_ns / OG_NS_PER_MS;
}

/* Record why the order may not be sent. `by` is what the order waits for; OG_HELD_NOT means that it will not be sent at
 * all. If memory runs out, the order's outcome has no text. */
static enum answer because(struct og_tracked *o, enum og_held_by by, const char *before, const char *why)
{
    o->leave.held_by = by;
    free(o->leave.why);
    o->leave.why = NULL;
    if (asprintf(&o->leave.why, "%s%s", before, why) < 0)
        o->leave.why = NULL;
    return by == OG_HELD_NOT ? END : STAY;
}

/* --- the decision before an order leaves -------------------------------------------------------------------------- */

/* Returns true if a later decision might not make this finding: it is due to a fact that is too old or missing, or to
 * too many orders within a time. */
static bool may_pass(const struct og_finding *f)
{
    return f->unsure || og_rule_passes_soon(og_rules_find(f->rule), f->reason);
}

/* Note which finding refuses the order. Returns true if a later decision may accept the order. */
static bool note_refusal(struct og_tracked *o, const struct og_decision *d)
{
    const struct og_finding *found = NULL;
    bool passes = !d->cut;
    char rule[80];

    for (int i = 0; i < d->count; i++) {
        if (d->findings[i].level != OG_LEVEL_REFUSE)
            continue;
        if (!found || (passes && !may_pass(&d->findings[i])))
            found = &d->findings[i];
        passes = passes && may_pass(&d->findings[i]);
    }
    snprintf(rule, sizeof rule, "decided again before it left: %s%s", found ? found->rule : "", found ? ": " : "");
    (void)because(o, OG_HELD_FACT, rule, found ? found->message : "refused");
    return found && passes;
}

/* Returns true, at most once for an order, if the order is to wait for a newer reading although it is refused: the
 * present reading may count twice the orders that were acknowledged or ended after it. */
static bool waits_for_a_reading(struct og_tracked *o, const struct og_decision *d)
{
    if (o->leave.facts_from != 0 || og_send_is_refused_alone(d))
        return false;
    o->leave.facts_from = og_time_up();
    o->leave.held_by = OG_HELD_READING;
    return true;
}

/* Decide the order once more; its own reservation does not count against it. last: the wait is over, so that any
 * refusal ends the order. */
static enum answer decide(struct og_tracked *o, bool last)
{
    struct og_sender *s = o->sender;
    const struct og_readings *r = &o->account->readings;
    const int64_t now = og_clock_now(&s->clock);
    struct og_decision d;
    enum og_status status;
    bool waived;

    o->leave.asked_at = og_time_up(); /* a later decision needs a reading that begins after this moment, or one that is
                                       * recent enough then */
    waived = o->leave.waived && og_send_waive(o->account, o->id, true);
    /* decide a close by facts read before its line as if they were new. If they refuse it, the close waits for newer
     * facts, except while the account cannot be read */
    og_scratch_read_since(s->scratch, !r->stuck || r->read_at > o->leave.line_at);
    status = og_reserve_again(s->book, o->hold.ticket, now, s->order, s->scratch, &d);
    og_scratch_read_since(s->scratch, false);
    if (waived)
        og_send_unwaive(s);
    if (status != OG_OK)
        return because(o, OG_HELD_FACT, "",
                       status == OG_ENOMEM ? "out of memory" : "the book already knows that the broker has the order");
    o->leave.closes = d.reduces;
    if (d.accepted && og_send_may_post(o->account, d.reduces)) {
        free(o->leave.why);
        o->leave.why = NULL;
        o->leave.facts_from = 0;
        o->leave.held_by = OG_HELD_NOT;
        return GO;
    }
    if (d.accepted)
        return because(o, OG_HELD_NOT, "", s->accounts.blind.text);
    if ((note_refusal(o, &d) || waits_for_a_reading(o, &d)) && !last)
        return STAY;
    (void)og_send_tell_refused_later(o, &d);
    return END;
}

/* Returns true if the order only closes, and the facts include what somebody else's orders may have closed of the same
 * position: either everything they closed; or, if such orders change all the time, what they closed before the newest
 * reading, which must have begun after the order's line was read. */
static bool knows_what_is_left(const struct og_tracked *o)
{
    const struct og_account_state *a = o->account;

    return o->leave.closes &&
           (og_send_knows_takings_of(a, o->post.traded, o->post.sells) || og_send_knows_takings(a, o->leave.line_at));
}

/* Returns true if the order may be decided as far as orders of somebody else are concerned: the facts have all
 * changes of those orders, or all changes seen before our order began to wait for a reading. An order that only
 * closes does not wait while the account cannot be read, nor for changes of orders of other symbols. If the order
 * must wait, requests a reading and returns false. */
static bool knows_elsewhere(struct og_tracked *o)
{
    struct og_account_state *a = o->account;
    char why[200];

    if (a->readings.read_at >= a->elsewhere.changed_at || knows_what_is_left(o))
        o->leave.elsewhere_from = 0;
    else if (o->leave.elsewhere_from == 0 || a->readings.stuck)
        o->leave.elsewhere_from = og_time_up();
    if (o->leave.elsewhere_from == 0 || a->readings.read_at > o->leave.elsewhere_from ||
        (a->readings.stuck && (o->leave.closes || a->readings.read_at >= a->elsewhere.taken_at)))
        return true;
    og_send_account_dirty(a);
    og_send_account_look(a);
    og_send_say_elsewhere(a, why, sizeof why);
    (void)because(o, OG_HELD_ELSEWHERE, "", why);
    return false;
}

/* Returns what must be read before the order is decided, and requests it. Returns OG_HELD_NOT if the account's facts
 * are new enough. */
static enum og_held_by lacks_facts(struct og_tracked *o)
{
    struct og_account_state *a = o->account;

    if (!og_send_account_ready(a, o->leave.asked_at))
        return OG_HELD_READING;
    if (!knows_elsewhere(o))
        return OG_HELD_ELSEWHERE;
    if (o->leave.facts_from != 0 && !og_send_are_new_enough(a, o->leave.facts_from))
        return OG_HELD_READING;
    return o->post.borrows && o->post.traded &&
                   (!og_send_borrow_known(a, o->post.traded, o->leave.asked_at) ||
                    !og_send_locates_known(a, o->leave.asked_at))
               ? OG_HELD_BORROW
               : OG_HELD_NOT;
}

/* Like lacks_facts(), but an order that only closes waits no longer than other closes do. */
static enum og_held_by facts_wait(struct og_tracked *o)
{
    const enum og_held_by by = lacks_facts(o);
    const struct og_account_state *a = o->account;

    if (by == OG_HELD_NOT)
        return by;
    if (o->leave.facts_from == 0 && og_send_close_has_waited(o->sender, o->leave.waits_from) &&
        a->step == OG_ACCOUNT_READY && knows_what_is_left(o))
        return OG_HELD_NOT;
    if (o->leave.waits_from == 0)
        o->leave.waits_from = og_time_up();
    return by;
}

/* Returns why the order must not leave any more, whatever the policy decides; NULL if nothing prevents it. */
static const char *what_ends(struct og_tracked *o)
{
    struct og_sender *s = o->sender;
    struct og_error err = { 0 };

    if (og_send_is_stale(o))
        return "this process stood still after the order was decided";
    if (s->ledger && og_ledger_stays(s->ledger, &err) != OG_OK) {
        og_send_bar(s, &err);
        return "the ledger's file was moved after the order was decided";
    }
    if (o->execution.state != OG_INTENDED)
        return "the broker already has the order";
    if (s->fatal != 0)
        return s->fault.text;
    if (o->leave.withdrawn || (o->cancel.state == OG_CANCEL_DUE && (o->leave.waits || o->cancel.urgent))) {
        o->leave.canceled = true;
        return OG_CANCELED_BEFORE;
    }
    if (og_send_barred(s) && !og_send_waits_for_ledger(s))
        return og_send_barred(s);
    return og_send_halts(o, false);
}

static enum answer ask(struct og_tracked *o)
{
    const char *end;
    enum og_held_by by;

    og_send_take_in(o->sender);
    if ((end = what_ends(o)))
        return because(o, OG_HELD_NOT, "", end);
    if (og_send_barred(o->sender))
        return because(o, OG_HELD_LEDGER, "", og_send_barred(o->sender));
    if ((by = facts_wait(o)) == OG_HELD_NOT)
        return decide(o, false);
    o->leave.held_by = by;
    return o->leave.why ? STAY : because(o, by, "", "its account was not read again before its wait was over");
}

const char *og_send_may_leave(void *with)
{
    struct og_tracked *o = with;
    enum answer answer = ask(o);

    o->leave.held = answer == STAY;
    return answer == GO ? og_send_halts(o, true) : o->leave.why ? o->leave.why : "it may not leave";
}

void og_send_leave_withdrawn(struct og_tracked *o)
{
    o->leave.withdrawn = true;
    og_send_wake(o->sender);
}

/* --- the wait ----------------------------------------------------------------------------------------------------- */

bool og_send_stays(struct og_tracked *o, const struct og_call_reply *reply)
{
    struct og_sender *s = o->sender;
    const bool busy = reply->end == OG_CALL_ANSWERED && reply->status == 429, held = o->leave.held;

    o->leave.held = false;
    if (!(busy || (held && reply->end == OG_CALL_UNSENT)) || s->phase != OG_RUNNING || s->fatal != 0 ||
        o->execution.state != OG_INTENDED ||
        og_send_ms(s) + (busy ? og_broker_wait(s->broker, OG_ENDPOINT_POST) : 0) > o->leave.until_ms)
        return false;
    og_ticket_stays(s->book, o->hold.ticket);
    o->leave.waits = true;
    if (busy) {
        o->leave.waits_from = 0;
        o->leave.elsewhere_from = 0; /* changes of other orders between now and the next request must be read too */
        o->leave.asked_at = og_time_up();
        o->leave.held_by = OG_HELD_BUSY;
    }
    s->staying++;
    og_send_wake(s);
    return true;
}

static void leave_off(struct og_tracked *o)
{
    o->leave.waits = false;
    o->sender->staying--;
}

static void end_wait(struct og_tracked *o)
{
    leave_off(o);
    og_send_post_ends(o, o->leave.why);
}

bool og_send_leave_ends(struct og_tracked *o, const char *why)
{
    if (!o->leave.waits)
        return false;
    (void)because(o, OG_HELD_NOT, "", why);
    end_wait(o);
    return true;
}

/* Returns the waiting order with the lowest turn above `turn`; NULL if there is none. */
static struct og_tracked *next_after(const struct og_sender *s, uint64_t turn)
{
    struct og_tracked *next = NULL;

    for (struct og_tracked *o = s->orders; o; o = o->next)
        if (o->leave.waits && o->leave.turn > turn && (!next || o->leave.turn < next->leave.turn))
            next = o;
    return next;
}

static void look_at(struct og_tracked *o, bool may_post)
{
    enum answer answer;

    if (og_send_is_past(o->sender, &o->leave.until_ms)) {
        if (o->leave.why && facts_wait(o) == OG_HELD_NOT)
            (void)decide(o, true);
        end_wait(o);
        return;
    }
    if (!may_post && o->cancel.state == OG_CANCEL_NONE && o->execution.state == OG_INTENDED)
        return;
    answer = ask(o);
    if (answer == END) {
        end_wait(o);
    } else if (answer == GO) {
        leave_off(o);
        og_send_post_again(o);
    }
}

/* The run stops: end all orders that wait to leave. */
static void stop(struct og_sender *s)
{
    struct og_tracked *o;

    while (s->staying > 0 && (o = next_after(s, 0)))
        end_wait(o);
}

/* End orders whose cancel another run has recorded, if they wait in this sender or for the request budget. */
static void end_withdrawn(struct og_sender *s)
{
    struct og_tracked *o, *next;

    for (o = s->orders; o; o = next) {
        next = o->next;
        if (o->leave.withdrawn)
            (void)og_send_take_back(o);
    }
}

void og_send_leave_due(struct og_sender *s)
{
    const bool may_post = s->staying > 0 && og_broker_wait(s->broker, OG_ENDPOINT_POST) == 0;
    uint64_t last = 0;
    struct og_tracked *o;

    end_withdrawn(s);
    if (s->phase == OG_STOPPING)
        stop(s);
    while (s->staying > 0 && s->fatal == 0 && (o = next_after(s, last))) {
        last = o->leave.turn;
        look_at(o, may_post);
    }
}
