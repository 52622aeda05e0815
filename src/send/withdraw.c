/*
 * The cancel of an order whose line still waits to be decided: the order is never posted. The ledger records its id as
 * that of a canceled order, so that the order is not posted when the same lines are read again.
 */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "order/order.h"
#include "send/event.h"
#include "send/sender.h"

/* A line whose order waits to be posted, or to replace another order. */
struct found {
    struct og_waiting *line;
    /* link to the line in the cancel of the order that it replaces; NULL if the line is in the queue */
    struct og_cancel_line **at;
};

/* Returns true if s->order names the account, or none. Where a run is given its account, it also gets the lines that
 * name another: these are refused, and neither cancel an order of the account nor are its orders. */
static bool names(const struct og_account_state *a)
{
    const char *account = og_order_account(a->sender->order);

    return !account || !*account || strcmp(account, a->id) == 0;
}

/* Returns true if the line makes an order with that id for the account, and the order can be posted. s->order is then
 * that order. */
static bool makes(struct og_account_state *a, struct og_waiting *w, struct og_str id)
{
    struct og_sender *s = a->sender;
    size_t len = 0;

    return w->makes == og_orders_hash(id) && og_order_read(s->order, w->bytes, w->len) == OG_OK &&
           og_send_account_of(s) == a && names(a) && og_send_give_id(s, w) &&
           og_str_is(id, og_order_client_id(s->order)) && og_order_body(s->order, NULL, 0, &len) != OG_ENOMEM &&
           len > 0;
}

static struct found find_replacing(struct og_account_state *a, struct og_str id)
{
    for (struct og_tracked *o = a->sender->orders; o; o = o->next)
        for (struct og_cancel_line **at = &o->cancel.lines; o->account == a && *at; at = &(*at)->next)
            if ((*at)->after && makes(a, (*at)->after, id))
                return (struct found){ (*at)->after, at };
    return (struct found){ NULL, NULL };
}

static struct found find(struct og_account_state *a, const struct og_waiting *cancel, struct og_str id)
{
    struct og_waiting *w = a->sender->lines.others.first;

    for (; w && w->number < cancel->number; w = w->next)
        if (makes(a, w, id))
            return (struct found){ w, NULL };
    return find_replacing(a, id);
}

/* Returns true if the broker may have an order with that id. A line with that id then only reports the order's outcome.
 * *again: the line asks for an order that was not sent to be posted once more. */
static bool is_posted(struct og_account_state *a, struct og_str id, bool *again)
{
    struct og_sender *s = a->sender;
    struct og_ledger_known known = { 0 };
    struct og_error err = { 0 };

    *again = false;
    if (!s->ledger)
        return true;
    if (og_ledger_find(s->ledger, og_str_of(a->id), id, &known, NULL, NULL, &err) != OG_OK) {
        og_send_bar(s, &err);
        return true;
    }
    *again = known.found && known.state == OG_NOT_SENT && !known.withdrawn && s->options.resend_not_sent;
    return known.found && !*again;
}

/* Remove the line from the queue, or from the cancel of the order that its order replaces. */
static void take_out(struct og_sender *s, const struct found *f)
{
    struct og_cancel_line *c;

    if (!f->at) {
        (void)og_send_take_out(s, f->line);
        return;
    }
    c = *f->at;
    *f->at = c->next;
    free(c);
}

/* Record the line's order (s->order) as canceled, and report that. Returns false if the run ends. */
static bool end_order(struct og_account_state *a, struct og_origin origin, bool again)
{
    struct og_sender *s = a->sender;
    struct og_error err = { 0 };
    char *body = NULL, digest[72];
    size_t len;
    struct og_tracked *o = NULL;

    if (!og_send_write_body(s, &body, &len, digest) || !body ||
        !(o = og_orders_add(s, a, og_str_of(og_order_client_id(s->order))))) {
        free(body);
        og_send_fatal(s, 4, &err);
        return false;
    }
    og_send_owe(o, origin, INT64_MAX);
    og_send_post_is(o, body, len, digest, s->order, NULL);
    o->execution.state = OG_INTENDED;
    if (!og_send_intend_later(o, again)) {
        og_orders_remove(o);
        return false;
    }
    (void)og_send_record(o, "cancel", NULL,
                         OG_STR("{\"http\":null,\"error\":\"" OG_CANCELED_BEFORE "\",\"attempts\":0}"));
    og_send_event_of(o, OG_EV_CANCELED, OG_STR(OG_CANCELED_BEFORE));
    return s->fatal == 0;
}

/* Read the cancel's line into s->order once more. */
static void read_again(struct og_sender *s, const struct og_waiting *cancel)
{
    struct og_error err = { 0 };

    if (og_order_read(s->order, cancel->bytes, cancel->len) == OG_OK)
        return;
    og_send_fatal(s, 4, &err);
}

static bool withdraw(struct og_account_state *a, const struct og_waiting *cancel, struct og_str id)
{
    struct og_sender *s = a->sender;
    struct found f = find(a, cancel, id);
    struct og_tracked *o = og_orders_find(s, a, id);
    bool again;

    if (!f.line || is_posted(a, id, &again))
        return false;
    if ((f.at || f.line->replaced) && !og_send_replaces(a, false))
        return false;
    take_out(s, &f);
    if (o && o->external) {
        struct og_execution execution = { .text = (char *)(uintptr_t) "somebody else's order has this id" };

        og_send_tell_outcome(s, f.line->origin, a->id, o->id, &execution, "refused");
        free(f.line);
        return false;
    }
    if (end_order(a, f.line->origin, again))
        og_send_tell_cancel_outcome(s, cancel->origin, a->id, id.s, NULL, "canceled", OG_CANCELED_BEFORE);
    else
        og_send_tell_outcome(s, f.line->origin, a->id, id.s, NULL, "not-sent");
    free(f.line);
    return s->fatal == 0;
}

bool og_send_withdraw(struct og_account_state *a, const struct og_waiting *cancel)
{
    struct og_sender *s = a->sender;
    struct og_buf id;
    bool done = false;

    og_buf_init(&id, 0);
    og_buf_text(&id, og_order_client_id(s->order));
    if (id.len > 0 && names(a) && !a->unlisted && !s->options.dry_run) {
        done = withdraw(a, cancel, (struct og_str){ id.s, id.len });
        read_again(s, cancel);
    }
    og_buf_clear(&id);
    return done;
}

bool og_send_is_withdrawable(struct og_account_state *a, const struct og_waiting *cancel)
{
    struct og_sender *s = a->sender;
    struct og_buf id;
    bool is = false;

    og_buf_init(&id, 0);
    og_buf_text(&id, og_order_client_id(s->order));
    if (id.len > 0 && names(a) && !a->unlisted && !s->options.dry_run) {
        is = find(a, cancel, (struct og_str){ id.s, id.len }).line != NULL;
        read_again(s, cancel);
    }
    og_buf_clear(&id);
    return is;
}
