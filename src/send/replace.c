/*
 * An order that takes the place of another: the old order is canceled; once the broker shows it as Canceled, the new
 * order is decided and posted like any other. The new order is not posted while the old one may still fill, nor if the
 * old one filled meanwhile, nor if another order, made by any run on the ledger, took its place. The old order is not
 * canceled for a new one that could not be posted.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "order/order.h"
#include "order/request.h"
#include "ordergate/rules.h"
#include "send/event.h"
#include "send/ready.h"
#include "send/sender.h"

bool og_send_is_replace(const struct og_sender *s, const struct og_waiting *w)
{
    return !w->replaced && og_order_op(s->order) == OG_OP_ORDER && og_order_is_readable(s->order) &&
           s->order->replaces.len > 0;
}

bool og_send_replaces_refused(struct og_account_state *a)
{
    struct og_sender *s = a->sender;
    const struct og_str old = s->order->replaces;
    bool refused = false;

    return s->ledger && !s->options.dry_run && !og_orders_find(s, a, old) &&
           og_ledger_refused(s->ledger, og_str_of(a->id), old, &refused, NULL) == OG_OK && refused;
}

bool og_send_replaces(struct og_account_state *a, bool takes)
{
    struct og_sender *s = a->sender;
    struct og_ledger_row row = { .at = og_clock_now(&s->clock),
                                 .account = og_str_of(a->id),
                                 .id = og_str_of(og_order_client_id(s->order)),
                                 .record = "replace",
                                 .state = takes ? OG_INTENDED : OG_NOT_SENT,
                                 .text = s->order->replaces };

    if (s->order->replaces.len == 0 || s->options.dry_run || s->fatal != 0)
        return true;
    /* if the new order cannot be posted, the old one is not canceled */
    return !(takes && og_send_barred(s)) && og_send_append_replace(s, &row) && !(takes && og_send_barred(s));
}

bool og_send_replaced_by(struct og_account_state *a, char **by)
{
    struct og_sender *s = a->sender;
    struct og_error err = { 0 };
    struct og_buf b;
    bool ok = true;

    *by = NULL;
    og_buf_init(&b, 0);
    if (s->ledger && s->order->replaces.len > 0)
        ok = og_ledger_replaced_by(s->ledger, og_str_of(a->id), s->order->replaces,
                                   og_str_of(og_order_client_id(s->order)), &b, &err) == OG_OK;
    if (ok && b.len > 0)
        *by = b.s;
    else
        og_buf_clear(&b);
    /* in a dry run only the book knows which orders earlier lines replaced */
    if (ok && s->order->replaces.len > 0 && (*by || !s->options.dry_run) &&
        og_book_replaced(s->book, a->id, s->order->replaces.s, *by) != OG_OK) {
        og_fail(&err, OG_ENOMEM, "out of memory");
        free(*by);
        ok = false;
    }
    if (!ok)
        og_send_bar(s, &err);
    return ok;
}

/* Returns true if other orders may be the cause of the finding: its rule counts orders, or is a custom rule of the
 * policy, which may count them. */
static bool counts_others(const struct og_finding *f)
{
    const struct og_rule *rule = og_rules_find(f->rule);

    return !rule || og_rule_counts_working(rule);
}

bool og_send_counts_others(const struct og_decision *d)
{
    for (int i = 0; i < d->count; i++)
        if (d->findings[i].level == OG_LEVEL_REFUSE && counts_others(&d->findings[i]))
            return true;
    return false;
}

bool og_send_is_refused_alone(const struct og_decision *d)
{
    for (int i = 0; i < d->count; i++)
        if (d->findings[i].level == OG_LEVEL_REFUSE && !counts_others(&d->findings[i]))
            return true;
    return false;
}

/* Returns true if the order would be refused even if the old one were canceled. If the book cannot decide that, only
 * rules that count no other orders are considered. */
static bool is_refused_either_way(struct og_sender *s, struct og_decision *d)
{
    return og_check_replacement(s->book, s->order, og_clock_now(&s->clock), s->scratch, d)
               ? !d->accepted
               : og_send_is_refused_alone(d);
}

bool og_send_decides_again(struct og_account_state *a, struct og_waiting *w, const struct og_decision *d)
{
    if (d->accepted || w->again || a->sender->options.dry_run || og_send_is_refused_alone(d))
        return false;
    w->again = true;
    w->facts_from = og_time_up();
    return true;
}

bool og_send_refuses_in_place(struct og_account_state *a, struct og_decision *d)
{
    struct og_sender *s = a->sender;
    bool waived = og_send_waive(a, og_order_client_id(s->order), false), refused = is_refused_either_way(s, d);

    if (waived)
        og_send_unwaive(s);
    return refused;
}

static bool is_hopeless(struct og_account_state *a, struct og_decision *d)
{
    struct og_sender *s = a->sender;
    size_t len = 0;

    return og_send_refuses_in_place(a, d) || og_order_body(s->order, NULL, 0, &len) == OG_ENOMEM || len == 0;
}

/* Decide a cancel of the old order. Returns false if memory ran out. */
static bool decide_cancel(struct og_account_state *a, const struct og_waiting *w, struct og_decision *d)
{
    struct og_sender *s = a->sender;
    struct og_buf b;
    bool ok;

    og_buf_init(&b, 0);
    og_buf_text(&b, "{\"op\":\"cancel\",\"clientOrderId\":");
    og_buf_json_str(&b, s->order->replaces);
    og_buf_text(&b, ",\"accountId\":");
    og_buf_json_str(&b, og_str_of(a->id));
    og_buf_char(&b, '}');
    ok = !b.bad && og_request_read(s->request, b.s, b.len) == OG_OK;
    og_buf_clear(&b);
    if (!ok)
        return false;
    s->request->list = a->readings.read_at <= w->facts_from ? OG_LIST_BEFORE : OG_LIST_AFTER;
    og_check_cancel(s->book, s->request, og_clock_now(&s->clock), s->scratch, d);
    return true;
}

/* Returns true if the old order may be canceled. Also returns true, and sets *over, if the old order seems to be over
 * already; it is then looked up instead. If it returns false, `why` says that nothing was done, and which finding
 * refuses the cancel. */
static bool may_cancel(struct og_account_state *a, const struct og_waiting *w, bool *over, char *why, size_t size)
{
    struct og_sender *s = a->sender;
    struct og_decision d;

    *over = false;
    if (!decide_cancel(a, w, &d)) {
        og_send_say_untouched(a, NULL, why, size);
        return false;
    }
    for (int i = d.count - 1; i >= 0; i--)
        *over |= d.findings[i].level == OG_LEVEL_REFUSE && strcmp(d.findings[i].reason, "cancel-terminal") == 0;
    og_send_say_untouched(a, &d, why, size);
    if (d.accepted && !s->options.dry_run && !og_send_follow_listed(a, s->order->replaces, &d))
        return false;
    return d.accepted || *over;
}

static void refuse(struct og_sender *s, struct og_origin origin, const char *account, const char *id, const char *text)
{
    struct og_execution execution = { .text = (char *)(uintptr_t)text };

    og_send_tell_outcome(s, origin, account, id, &execution, "refused");
}

void og_send_refuse_line(struct og_account_state *a, struct og_origin origin, const char *text)
{
    struct og_sender *s = a->sender;
    struct og_decision d;

    og_check(s->book, s->order, og_clock_now(&s->clock), s->scratch, &d);
    if (og_send_tell_refusal(s, origin, &d, text))
        refuse(s, origin, a->id, og_order_client_id(s->order), text);
}

bool og_send_refuse_used(struct og_account_state *a, struct og_origin origin, og_ticket ticket)
{
    struct og_sender *s = a->sender;
    char text[240];

    og_ticket_release(s->book, ticket);
    if (!og_send_replaces(a, false))
        return false;
    snprintf(text, sizeof text,
             "clientOrderId '%.64s' was used before, which no policy allows: an id is used once, give this order a new "
             "one",
             og_order_client_id(s->order));
    og_send_refuse_line(a, origin, text);
    return true;
}

void og_send_refuse_second(struct og_account_state *a, struct og_origin origin, char *by)
{
    char text[600];

    og_send_say_second(a, by, text, sizeof text);
    free(by);
    og_send_refuse_line(a, origin, text); /* refused here, since the policy might lack the rule replace-order */
}

/* Refuse the line's order (s->order) for the reason `text`, although the policy may accept it. The decision that is
 * reported assumes that the old order is canceled. */
static void refuse_for(struct og_account_state *a, struct og_origin origin, const char *text)
{
    struct og_sender *s = a->sender;
    struct og_decision d;

    (void)og_send_refuses_in_place(a, &d);
    (void)og_send_tell_refusal(s, origin, &d, text); /* if it cannot be recorded, the run ends */
    refuse(s, origin, a->id, og_order_client_id(s->order), text);
}

/* The account cannot be read: do not send the order, and leave the one that it replaces as it is. */
static void leave_unsent(struct og_account_state *a, struct og_waiting *w, struct og_decision *d)
{
    struct og_sender *s = a->sender;
    char text[200];
    struct og_execution execution = { .text = NULL };

    if (og_send_is_behind(a, w, d)) {
        og_send_say_elsewhere(a, text, sizeof text);
        execution.text = text;
    }
    if (og_send_tell_refusal(s, w->origin, d, execution.text))
        og_send_tell_outcome(s, w->origin, a->id, og_order_client_id(s->order), &execution, "not-sent");
    free(w);
}

/* In a dry run, report that the order would replace the old one. Nothing is canceled, so later lines are decided as if
 * both orders were working. With `over` the old order does not count any more, so the new one is decided like any
 * other. Returns true. */
static bool tell_dry(struct og_account_state *a, struct og_waiting *w, bool over)
{
    struct og_sender *s = a->sender;
    const struct og_str old = s->order->replaces;
    struct og_error err = { 0 };
    struct og_decision d;
    char text[160];
    struct og_execution execution = { .text = text };
    og_ticket ticket;

    if (over) {
        w->replaced = true;
        og_send_put_back(s, w);
        return true;
    }
    (void)og_send_refuses_in_place(a, &d);
    snprintf(text, sizeof text, OG_DRY_SENT ", once the order '%.*s' that it replaces is canceled",
             (int)(old.len < 64 ? old.len : 64), old.s);
    if (og_send_tell_decision(s, w->origin, &d))
        og_send_tell_outcome(s, w->origin, a->id, og_order_client_id(s->order), &execution, "not-sent");
    if (og_reserve_sent(s->book, s->order, og_clock_now(&s->clock), s->scratch, &ticket) == OG_ENOMEM) {
        og_fail(&err, OG_ENOMEM, "out of memory");
        og_send_fatal(s, 4, &err);
    }
    free(w);
    return true;
}

/* Refuse the line if its order has nothing to replace, because another order (by) has already replaced the old one, or
 * the old one was itself refused. Frees by; also frees w if the line is refused. */
static bool refuses_at_once(struct og_account_state *a, struct og_waiting *w, char *by)
{
    const struct og_str old = a->sender->order->replaces;
    char text[400];

    if (by) {
        og_send_refuse_second(a, w->origin, by);
    } else if (og_send_replaces_refused(a)) {
        snprintf(text, sizeof text, "the order '%.*s' that it replaces was refused and never sent",
                 (int)(old.len < 64 ? old.len : 64), old.s);
        refuse_for(a, w->origin, text);
    } else {
        return false;
    }
    free(w);
    return true;
}

bool og_send_replace(struct og_account_state *a, struct og_waiting *w)
{
    struct og_sender *s = a->sender;
    struct og_ledger_known known = { 0 };
    struct og_error err = { 0 };
    struct og_decision d;
    char *by = NULL, text[600];
    bool over;

    if (s->ledger && og_ledger_find(s->ledger, og_str_of(a->id), og_str_of(og_order_client_id(s->order)), &known, NULL,
                                    NULL, &err) != OG_OK) {
        og_send_bar(s, &err);
        og_send_put_back(s, w);
        return false;
    }
    /* the ledger has the new order: an earlier run posted it, or another order has its id; so the old order stays */
    if (known.found) {
        w->replaced = true;
        og_send_put_back(s, w);
        return true;
    }
    if (!og_send_replaced_by(a, &by)) {
        og_send_put_back(s, w);
        return false;
    }
    if (refuses_at_once(a, w, by))
        return true;
    if (is_hopeless(a, &d)) {
        if (og_send_decides_again(a, w, &d)) {
            og_send_put_back(s, w);
            return false;
        }
        if (og_send_tell_refusal(s, w->origin, &d, NULL)) {
            og_send_know(a, s->order->replaces);
            og_send_say_untouched(a, decide_cancel(a, w, &d) ? &d : NULL, text, sizeof text);
            refuse(s, w->origin, a->id, og_order_client_id(s->order), text);
        }
        free(w);
        return true;
    }
    if (!s->options.dry_run && (!og_send_may_post(a, d.reduces) || og_send_is_behind(a, w, &d))) {
        leave_unsent(a, w, &d);
        return true;
    }
    og_send_know(a, s->order->replaces);
    if (!may_cancel(a, w, &over, text, sizeof text)) {
        refuse_for(a, w->origin, text);
        free(w);
        return true;
    }
    if (s->options.dry_run)
        return tell_dry(a, w, over);
    if (!og_send_replaces(a, true) || !og_send_cancel_order(a, s->order->replaces, w->origin, w, over)) {
        og_send_put_back(s, w);
        return false;
    }
    return true;
}

/* Refuse the line's order, which was accepted when its old order's cancel began. */
static void refuse_after(struct og_account_state *a, struct og_waiting *w, const char *text)
{
    struct og_sender *s = a->sender;
    struct og_order *line = og_order_new(), *now = og_send_swap_line(s, line);

    if (!line || og_order_read(line, w->bytes, w->len) != OG_OK || !og_send_give_id(s, w)) {
        refuse(s, w->origin, a->id, w->id.s, text);
    } else {
        (void)og_send_replaces(a, false);
        refuse_for(a, w->origin, text);
    }
    og_order_free(og_send_swap_line(s, now));
}

/* The old order has ended, or the wait for its end is over. If the old order was canceled without a further fill, queue
 * the new one again; otherwise refuse it. */
void og_send_replace_after(struct og_tracked *o, const struct og_cancel_line *c, const char *outcome, const char *why)
{
    struct og_sender *s = o->sender;
    struct og_waiting *w = c->after;
    bool filled = og_money_cmp(o->execution.executed, c->executed) != 0;
    /* the old order no longer works */
    bool gone = strcmp(outcome, "canceled") == 0 || o->execution.state == OG_NOT_SENT;
    struct og_error err = { 0 };
    char text[600];

    if (gone && !filled && s->phase == OG_RUNNING && s->fatal == 0 && !s->guard.dead) {
        if (og_book_canceled(s->book, o->account->id, o->id, og_money_floor(o->execution.executed)) != OG_OK) {
            og_fail(&err, OG_ENOMEM, "out of memory");
            og_send_bar(s, &err);
        }
        w->replaced = true;
        w->again = false;
        og_send_held_begins(&w->held);
        w->facts_from = o->hold.seen_at;
        og_send_account_hurry(o->account); /* until the new order is posted, neither of the two orders works */
        og_send_put_back(s, w);
        og_send_wake(s);
        return;
    }
    og_send_say_not_replaced(o, outcome, filled, why, text, sizeof text);
    refuse_after(o->account, w, text);
    free(w);
}
