/*
 * From lines to decisions, intents and POSTs: a batch is decided within one transaction of the ledger, and posted
 * once that is on the disk. A line waits for newer facts if they can be had; no order is posted unless it was
 * recorded.
 */
#include "send/decide.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "order/order.h"
#include "send/event.h"
#include "send/ready.h"
#include "send/resume.h"
#include "send/sender.h"

#define ASIDE_FULL \
    "cancels of orders that this run does not know, which wait for a list of orders, fill 32 MiB: give it again later"
#define ORPHANED "the dead man's switch fired while it waited to be decided (dead-man)"

static void pop(struct og_sender *s, struct og_waiting *w)
{
    free(og_send_take_out(s, w));
}

/* --- lines that are no orders ------------------------------------------------------------------------------------- */

/* Returns true if the line gets no answer: it has facts or quotes, and the sender accepts such lines (--trust-input).
 * Otherwise it is decided like an order, and so refused. */
static bool is_silent(const struct og_sender *s, enum og_op op)
{
    return og_op_is_facts(op) && s->options.trust_input;
}

enum og_status og_send_quote(struct og_sender *s, const char *line, size_t len, struct og_error *err)
{
    enum og_status status =
        og_book_quote_at(s->book, line, len, og_clock_now(&s->clock), og_clock_behind(&s->clock), err);

    bool *told;

    if (status != OG_OK || err->text[0] == '\0')
        return status;
    told = err->cause == ERANGE ? &s->quotes_ahead : &s->quotes_undated;
    if (*told)
        err->text[0] = '\0';
    *told = true;
    return status;
}

static bool is_news(struct og_sender *s, const struct og_waiting *w)
{
    enum og_op op = og_order_op(s->order);
    struct og_error err = { 0 };
    enum og_status status = OG_OK;

    if (!is_silent(s, op))
        return false;
    if (op == OG_OP_QUOTE)
        status = og_send_quote(s, w->bytes, w->len, &err);
    else if (op == OG_OP_FACTS)
        status = og_book_apply(s->book, NULL, w->bytes, w->len, "a line of facts", &err);
    if (status != OG_OK)
        og_send_warn(s, "line %lld: %s; ignored", w->origin.line, err.text);
    else if (err.text[0] != '\0')
        og_send_warn(s, "line %lld: %s", w->origin.line, err.text);
    if (op == OG_OP_FACTS)
        og_send_distrust_future(s);
    return true;
}

/* --- one order ---------------------------------------------------------------------------------------------------- */

struct og_account_state *og_send_account_of(struct og_sender *s)
{
    const char *said = og_order_account(s->order);

    if (s->accounts.chosen || said[0] == '\0')
        return s->accounts.chosen; /* the line may name another account than the chosen one: the book then refuses its
                                    * order */
    return og_send_account(s, said);
}

bool og_send_give_id(struct og_sender *s, struct og_waiting *w)
{
    struct og_ident id;
    bool ok = true;

    if (og_order_client_id(s->order)[0] != '\0' || og_order_op(s->order) != OG_OP_ORDER)
        return true;
    if (!og_send_batch_recall(s, w))
        return false;
    id = w->id;
    if (id.s[0] != '\0')
        ; /* nothing to do: the id was made from the line's terms when the line was read or first considered, and the
           * ledger may already have it */
    else
        ok = og_ident_new(&s->maker, og_time_now(), &id);
    w->id = id;
    return ok && og_order_set_client_id(s->order, id.s) == OG_OK;
}

/* Drop an order of which nothing was posted or recorded. */
static void forget(struct og_tracked *o)
{
    og_ticket_release(o->sender->book, o->hold.ticket);
    og_orders_remove(o);
}

/* Write the intent of an accepted order to the ledger, follow the order, and add it to the batch. Takes over body.
 * Returns false if the run ends. */
static bool take_order(struct og_sender *s, struct og_account_state *a, const struct og_waiting *w, og_ticket ticket,
                       char *body, size_t len, const char *digest, bool again, const struct og_decision *d,
                       struct og_batch *b)
{
    struct og_error err = { 0 };
    struct og_ledger_known known = { 0 };
    struct og_tracked *o = og_orders_add(s, a, og_str_of(og_order_client_id(s->order)));

    if (!o) {
        free(body);
        og_send_fatal(s, 4, &err);
        return false;
    }
    og_send_owe(o, w->origin, INT64_MAX);
    og_send_hold(o, ticket);
    og_send_post_is(o, body, len, digest, s->order, d);
    og_send_leave_line(o, og_send_since(w), w->waits_from);
    og_send_fresh(o);
    o->execution.state = OG_INTENDED;
    if (!og_send_intend(o, again, &err) ||
        og_ledger_find(s->ledger, og_str_of(a->id), og_str_of(o->id), &known, NULL, NULL, &err) != OG_OK) {
        og_send_unwritable(s, &err);
        forget(o); /* only the order is dropped: the line is still in the queue */
        return false;
    }
    o->execution.posts = known.posts;
    b->order[b->count++] = o;
    return true;
}

/* Write an event that an order was not sent, because this is a dry run, or its account cannot be read. */
static void tell_unsent(struct og_sender *s, struct og_origin origin, const struct og_account_state *a)
{
    char text[200] = "";
    struct og_execution execution = { .text = s->options.dry_run ? (char *)(uintptr_t)OG_DRY_SENT
                                                                 : s->accounts.blind.text };

    if (a && a->step == OG_ACCOUNT_READY && !s->options.dry_run) {
        og_send_say_elsewhere(a, text, sizeof text);
        execution.text = text;
    }
    og_send_tell_outcome(s, origin, a ? a->id : og_order_account(s->order), og_order_client_id(s->order), &execution,
                         "not-sent");
}

/* Decide the order with the waivers on record; if it is accepted, reserve what it may use. */
static enum og_status reserve(struct og_sender *s, struct og_account_state *a, struct og_decision *d, og_ticket *ticket)
{
    bool waived = a && og_send_waive(a, og_order_client_id(s->order), false);
    enum og_status status = og_reserve(s->book, s->order, og_clock_now(&s->clock), s->scratch, d, ticket);

    if (waived)
        og_send_unwaive(s);
    return status;
}

/* Returns true if the order that the line is to replace has not been replaced by another order. If it has been, or if
 * the run ends, returns false, and *answer says whether the line is dealt with or waits. */
static bool is_first(struct og_account_state *a, struct og_origin origin, enum og_line_answer *answer)
{
    char *by;

    *answer = OG_WAIT;
    if (!og_send_replaced_by(a, &by))
        return false;
    if (!by)
        return true;
    og_send_refuse_second(a, origin, by);
    *answer = OG_NEXT;
    return false;
}

/* Returns true if the order opens, or may open, and its account cannot be read. Its outcome is then not-sent, since a
 * refusal would only say that facts are missing. */
static bool is_blind(const struct og_sender *s, const struct og_account_state *a, const struct og_decision *d)
{
    return a && og_order_op(s->order) == OG_OP_ORDER && !s->options.dry_run && !og_send_may_post(a, d->reduces);
}

/* Decide the line's order. No order is posted for an account that the keys do not reach, whatever the policy says.
 * Returns OG_WAIT if the line stays in the queue. */
static enum og_line_answer decide_one(struct og_sender *s, struct og_account_state *a, struct og_waiting *w,
                                      struct og_batch *b)
{
    const struct og_origin origin = w->origin;
    struct og_decision d;
    og_ticket ticket = 0;
    char *body, digest[72];
    size_t len;
    bool blind;
    enum og_resume resume = OG_RESUME_NEW;
    enum og_line_answer answer;
    struct og_error err = { 0 };

    if (!og_send_write_body(s, &body, &len, digest)) {
        og_send_fatal(s, 4, &err);
        return OG_WAIT;
    }
    if (a && body && s->ledger && og_order_op(s->order) == OG_OP_ORDER &&
        ((resume = og_send_resume(a, origin, digest)) == OG_RESUME_DONE || resume == OG_RESUME_FAILED)) {
        free(body);
        return resume == OG_RESUME_DONE ? OG_NEXT : OG_WAIT;
    }
    if (a && og_order_op(s->order) == OG_OP_ORDER && !is_first(a, origin, &answer)) {
        free(body);
        return answer;
    }
    if (reserve(s, a, &d, &ticket) != OG_OK)
        d.accepted = false; /* nothing is reserved, so the order must not be sent */
    if (d.accepted && resume == OG_RESUME_USED) {
        free(body);
        return og_send_refuse_used(a, origin, ticket) ? OG_NEXT : OG_WAIT;
    }
    if (a && w->replaced && og_send_decides_again(a, w, &d)) {
        free(body);
        return OG_WAIT;
    }
    blind = body && (is_blind(s, a, &d) || (d.accepted && og_send_is_behind(a, w, &d)));
    if (!blind && !og_send_tell_decision(s, origin, &d)) {
        free(body);
        return OG_NEXT;
    }
    if (d.accepted && a && body && !s->options.dry_run && !blind)
        return take_order(s, a, w, ticket, body, len, digest, resume == OG_RESUME_AGAIN, &d, b) ? OG_NEXT : OG_WAIT;
    if (a && !og_send_replaces(a, false)) {
        free(body);
        return OG_WAIT;
    }
    if (blind || (d.accepted && body && a))
        tell_unsent(s, origin, a);
    else
        og_send_tell_refused(s, origin, a, &d, w->halt > s->guard.halt && s->guard.halt == OG_TRADING_ON);
    if (!s->options.dry_run)
        og_ticket_release(s->book, ticket);
    free(body);
    return OG_NEXT;
}

/* Returns the id of the line's account as far as the line and the settings give it, without asking the broker; "" if
 * they do not. */
static const char *said_account(const struct og_sender *s)
{
    const char *said = og_order_account(s->order);

    return s->accounts.chosen    ? s->accounts.chosen->id
           : said[0] != '\0'     ? said
           : s->options.account  ? s->options.account
           : s->settings.account ? s->settings.account
                                 : "";
}

/* Report the outcome that the ledger has of the line's order. (An order that was posted must not be reported as
 * not-sent only because this run cannot look it up.) Returns false if the ledger does not have the order. */
static bool is_known(struct og_sender *s, struct og_origin origin)
{
    char *body, digest[72];
    const char *account = said_account(s);
    struct og_buf only;
    size_t len;
    bool is;

    if (!og_send_write_body(s, &body, &len, digest))
        return false;
    free(body);
    og_buf_init(&only, 0);
    if (account[0] == '\0' && s->ledger &&
        og_ledger_account_of(s->ledger, og_str_of(og_order_client_id(s->order)), &only, NULL) == OG_OK && only.len > 0)
        account = only.s;
    is = og_send_tell_known(s, origin, account, digest);
    og_buf_clear(&only);
    return is;
}

/* Returns true if the account list cannot be read, so that it is not known whether orders may be sent for the
 * account. */
static bool is_unlisted(const struct og_sender *s, const struct og_account_state *a)
{
    return og_order_op(s->order) == OG_OP_ORDER && og_order_is_readable(s->order) && !s->options.dry_run &&
           (a ? a->unlisted : !s->accounts.list);
}

/* Write the outcome of a line that makes an order which is not posted, whatever the policy would decide. */
static enum og_line_answer tell_dropped(struct og_sender *s, struct og_waiting *w, const char *why)
{
    struct og_execution execution = { .text = (char *)(uintptr_t)why };
    struct og_account_state *a = og_send_account_of(s);

    if (s->fatal != 0 || !og_send_give_id(s, w))
        return OG_WAIT;
    s->had_lines = true;
    if (a && !og_send_replaces(a, false))
        return OG_WAIT;
    if (!is_known(s, w->origin))
        og_send_tell_outcome(s, w->origin, a ? a->id : og_order_account(s->order), og_order_client_id(s->order),
                             &execution, "not-sent");
    pop(s, w);
    return OG_NEXT;
}

static enum og_line_answer tell_undecided(struct og_sender *s, struct og_origin origin,
                                          const struct og_account_state *a)
{
    if (!is_known(s, origin))
        tell_unsent(s, origin, a);
    return OG_NEXT;
}

/* Returns true if the order of the line (s->order) may be decided although lines that were read earlier wait: it only
 * closes, and is accepted. */
static bool may_go_ahead(struct og_sender *s, const struct og_account_state *a, const struct og_waiting *w)
{
    const int64_t now = og_clock_now(&s->clock);
    struct og_decision d;

    if (!a)
        return false;
    if (og_send_is_replace(s, w)) /* decided as if the old order were already canceled */
        return og_check_replacement(s->book, s->order, now, s->scratch, &d) && d.accepted && d.reduces;
    og_check(s->book, s->order, now, s->scratch, &d);
    return d.accepted && d.reduces;
}

/* Returns true if the line may be decided now. Sets *a to its account; NULL if there is none, and the book then says
 * what is wrong. */
static bool may_be_decided(struct og_sender *s, struct og_waiting *w, const struct og_batch *b, enum og_turn turn,
                           struct og_account_state **a)
{
    if ((*a = og_send_account_of(s))) {
        og_send_closes_by(*a, w);
        w->held_by = b->count < OG_BATCH_MOST || w->cancels ? og_send_line_waits(*a, w, b->count) : OG_HELD_EARLIER;
    } else /* the account list is not known: wait for it */
        w->held_by = s->accounts.list || s->accounts.blind.status != OG_OK ? OG_HELD_NOT : OG_HELD_READING;
    if (turn == OG_CLOSES_AHEAD && w->held_by == OG_HELD_NOT && !may_go_ahead(s, *a, w))
        w->held_by = OG_HELD_EARLIER;
    return w->held_by == OG_HELD_NOT;
}

/* Read what other processes wrote to the ledger. Returns true if they wrote about orders: the caller must then check
 * again whether the line may be decided, since the facts may lack these orders, their fills or their ends. A run that
 * follows no order reads the ledger only here, so the records may be old. */
static bool hears_of_orders(struct og_sender *s)
{
    const uint64_t before = s->peers.news;

    og_send_take_in(s);
    return s->peers.news != before;
}

/* Decide the line's order (s->order) by the strictest halt seen since the line was read, even if trading was resumed
 * meanwhile. Takes the line out of the queue if it is decided. */
static enum og_line_answer decide_as_halted(struct og_sender *s, struct og_account_state *a, struct og_waiting *w,
                                            struct og_batch *b)
{
    const bool halted = w->halt > s->guard.halt;
    enum og_line_answer answer;

    if (halted)
        og_send_halt_book(s, w->halt);
    if (a && og_send_is_replace(s, w)) {
        answer = og_send_replace(a, og_send_take_out(s, w)) ? OG_NEXT : OG_WAIT;
    } else {
        answer = decide_one(s, a, w, b);
        if (s->fatal == 0 && answer == OG_NEXT)
            pop(s, w);
    }
    if (halted)
        og_send_halt_book(s, s->guard.halt);
    return answer;
}

/* Set a cancel aside that waits for the list of orders, or of accounts, so that other lines do not wait for it. If too
 * many are set aside already, report that it is not sent. */
static enum og_line_answer set_aside(struct og_sender *s, struct og_account_state *a, struct og_waiting *w)
{
    if (s->options.dry_run || w->aside || s->fatal != 0)
        return OG_WAIT;
    if (og_send_set_aside(s, a, w))
        return OG_NEXT;
    s->had_lines = true;
    og_send_tell_cancel_outcome(s, w->origin, a ? a->id : og_order_account(s->order), og_order_client_id(s->order),
                                NULL, "not-sent", ASIDE_FULL);
    pop(s, w);
    return OG_NEXT;
}

static enum og_line_answer take_read(struct og_sender *s, struct og_waiting *w, struct og_batch *b, enum og_turn turn)
{
    struct og_account_state *a = NULL;
    enum og_line_answer answer;
    bool cancel;

    if (is_news(s, w)) {
        pop(s, w);
        return OG_NEXT;
    }
    cancel = og_order_op(s->order) == OG_OP_CANCEL;
    if (w->orphaned && og_order_op(s->order) == OG_OP_ORDER)
        return tell_dropped(s, w, ORPHANED);
    if (!cancel && og_send_barred(s)) {
        w->held_by = OG_HELD_LEDGER;
        return og_send_waits_for_ledger(s) ? OG_WAIT : tell_dropped(s, w, og_send_barred(s));
    }
    if (og_order_is_readable(s->order) && !may_be_decided(s, w, b, turn, &a))
        return cancel ? set_aside(s, a, w) : OG_WAIT;
    if (s->fatal != 0 || !og_send_give_id(s, w))
        return OG_WAIT;
    if (!s->options.dry_run && !og_send_may_record(s) && !cancel)
        return OG_WAIT;
    if (hears_of_orders(s) && !cancel && og_order_is_readable(s->order) && !may_be_decided(s, w, b, turn, &a))
        return OG_WAIT;
    og_send_look_for_halt(s); /* the wait for the ledger's lock may have taken long: check the halt flags again */
    if (s->fatal != 0 || (!cancel && og_send_barred(s)))
        return OG_WAIT;
    s->had_lines = true;
    if (cancel)
        answer = og_send_cancel_line(s, a, w) ? OG_NEXT : OG_WAIT;
    else if (is_unlisted(s, a))
        answer = tell_undecided(s, w->origin, a);
    else
        return decide_as_halted(s, a, w, b);
    if (s->fatal == 0 && answer == OG_NEXT)
        pop(s, w);
    return answer;
}

enum og_line_answer og_send_take(struct og_sender *s, struct og_waiting *w, struct og_batch *b, enum og_turn turn)
{
    struct og_error err = { 0 };
    enum og_line_answer answer;

    if (og_order_read(s->order, w->bytes, w->len) != OG_OK) {
        og_send_fatal(s, 4, &err);
        return OG_WAIT;
    }
    answer = take_read(s, w, b, turn);
    og_scratch_read_since(s->scratch, false); /* og_send_closes_by() set this for one line only */
    return answer;
}

/* --- posting ------------------------------------------------------------------------------------------------------ */

/* The intents of the batch did not reach the disk: write that its orders were not sent. */
static void undo(struct og_batch *b)
{
    for (int i = 0; i < b->count; i++) {
        struct og_tracked *o = b->order[i];
        const struct og_sender *s = o->sender;
        struct og_execution execution = { .text = (char *)(uintptr_t)(s->fatal != 0 ? s->fault.text
                                                                                    : s->records.why.text) };

        og_send_tell_outcome(o->sender, o->line.origin, o->account->id, o->id, &execution, "not-sent");
        forget(o);
    }
}

void og_send_decide(struct og_sender *s)
{
    struct og_batch b = { .count = 0 };

    og_send_decide_lines(s, &b);
    if ((s->fatal != 0 || !og_send_commit(s)) && b.count > 0) {
        if (s->ledger)
            og_ledger_rollback(s->ledger);
        undo(&b);
        return;
    }
    for (int i = 0; i < b.count; i++)
        og_send_post(b.order[i]);
}

int64_t og_send_decide_next(struct og_sender *s)
{
    int64_t wait = s->broker ? og_broker_wait(s->broker, OG_ENDPOINT_POST) : 0;

    return (!s->lines.others.first && s->staying == 0) || wait == 0 ? INT64_MAX : og_send_ms(s) + wait;
}

void og_send_drop_lines(struct og_sender *s)
{
    struct og_execution execution = { .text = s->fatal != 0 ? s->fault.text : (char *)(uintptr_t)og_send_barred(s) };

    struct og_waiting *w;

    while ((w = og_send_first_line(s))) {
        const char *id = "";
        bool cancel = false;

        if (og_order_read(s->order, w->bytes, w->len) == OG_OK) {
            enum og_op op = og_order_op(s->order);

            if (is_silent(s, op)) {
                pop(s, w);
                continue;
            }
            id = og_order_client_id(s->order);
            cancel = op == OG_OP_CANCEL;
        }
        if (cancel)
            og_send_tell_cancel_outcome(s, w->origin,
                                        s->accounts.chosen ? s->accounts.chosen->id : og_order_account(s->order), id,
                                        NULL, "not-sent", execution.text);
        else if (id[0] == '\0' || !is_known(s, w->origin))
            og_send_tell_outcome(s, w->origin, s->accounts.chosen ? s->accounts.chosen->id : og_order_account(s->order),
                                 id, &execution, "not-sent");
        pop(s, w);
    }
}
