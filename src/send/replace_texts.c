/*
 * The texts about a replacement that does not work in the end. The orders may be the stop of a position, so a text says
 * whether the old order works, is canceled, or may be working, and what the user can do.
 */
#include <stdio.h>
#include <string.h>

#include "order/order.h"
#include "send/replace.h"
#include "send/sender.h"

#define RESOLVE "look at the broker, and settle it: ordergate ledger resolve '%.64s' --as OUTCOME --reason TEXT"

static void keep_state(void *with, const struct og_ledger_row *row)
{
    *(enum og_state *)with = row->state;
}

/* Returns the state of an order as this run or the ledger has it; OG_REFUSED if neither has the order. */
static enum og_state state_of(struct og_sender *s, struct og_str account, struct og_str id)
{
    enum og_state state = OG_REFUSED;

    for (const struct og_account_state *a = s->accounts.first; a; a = a->next) {
        const struct og_tracked *o = og_str_is(account, a->id) ? og_orders_find(s, a, id) : NULL;

        if (o)
            return o->execution.state;
    }
    if (s->ledger)
        (void)og_ledger_heard(s->ledger, account, id, keep_state, &state, NULL);
    return state;
}

/* Append how the order `id` ended, which replaces the canceled order `old`. */
static void write_end(const char *id, const char *old, const char *outcome, char *to, size_t size)
{
    if (strcmp(outcome, "unknown") == 0)
        snprintf(
            to, size,
            "the order '%.64s' that it replaces is canceled, and it is not known whether this one works: a position "
            "of which they are the stop may have none. It is looked up; " RESOLVE,
            old, id);
    else
        snprintf(
            to, size,
            "the order '%.64s' that it replaces is canceled, so neither works: if they are the stop of a position, "
            "it has none",
            old);
}

const char *og_send_end_text(struct og_sender *s, const char *account, const char *id, const char *outcome,
                             const char *text, char to[OG_END_TEXT_SIZE])
{
    const bool fails =
        strcmp(outcome, "unknown") == 0 || strcmp(outcome, "not-sent") == 0 || strcmp(outcome, "rejected") == 0;
    const char *whole = text;
    struct og_buf old;
    int said;

    if (!fails || !s->ledger || s->options.dry_run || !account || !id || id[0] == '\0')
        return text;
    og_buf_init(&old, 0);
    if (og_ledger_replaces(s->ledger, og_str_of(account), og_str_of(id), &old, NULL) == OG_OK && !old.bad &&
        old.len > 0 && state_of(s, og_str_of(account), (struct og_str){ old.s, old.len }) == OG_CANCELED) {
        said = snprintf(to, OG_END_TEXT_SIZE, "%.800s%s", text ? text : "", text && text[0] != '\0' ? "; " : "");
        write_end(id, old.s, outcome, to + said, OG_END_TEXT_SIZE - (size_t)said);
        whole = to;
    }
    og_buf_clear(&old);
    return whole;
}

const char *og_send_refused_text(struct og_account_state *a, const char *text, char to[OG_END_TEXT_SIZE])
{
    struct og_sender *s = a->sender;
    const char *id = og_order_client_id(s->order);

    /* if an earlier order has the same id, that order's state says nothing about this one */
    if (s->order->replaces.len == 0 || state_of(s, og_str_of(a->id), og_str_of(id)) != OG_REFUSED)
        return text;
    return og_send_end_text(s, a->id, id, "not-sent", text, to);
}

void og_send_say_second(struct og_account_state *a, const char *by, char *to, size_t size)
{
    const struct og_str old = a->sender->order->replaces;

    if (state_of(a->sender, og_str_of(a->id), og_str_of(by)) == OG_OUTCOME_UNKNOWN)
        snprintf(to, size,
                 "the order '%.*s' that it replaces was already replaced by '%.64s', and it is not known whether that "
                 "one works: a position of which they are the stop may have none. It is looked up; " RESOLVE,
                 (int)(old.len < 64 ? old.len : 64), old.s, by, by);
    else
        snprintf(to, size, "the order it replaces was already replaced by '%.64s': replace that one", by);
}

/* Returns the account, other than `a`, in which the sender follows a working order of that id; NULL if none. */
static const struct og_account_state *account_with(const struct og_account_state *a, struct og_str id)
{
    for (const struct og_account_state *other = a->sender->accounts.first; other; other = other->next) {
        const struct og_tracked *o = other == a ? NULL : og_orders_find(a->sender, other, id);

        if (o && o->execution.state == OG_WORKING)
            return other;
    }
    return NULL;
}

void og_send_say_untouched(struct og_account_state *a, const struct og_decision *d, char *to, size_t size)
{
    const struct og_str old = a->sender->order->replaces;
    const struct og_account_state *other = account_with(a, old);
    const struct og_finding *why = NULL;

    for (int i = 0; d && i < d->count; i++)
        if (d->findings[i].level == OG_LEVEL_REFUSE ? !why || why->level != OG_LEVEL_REFUSE
                                                    : !why && d->findings[i].predicts.channel == OG_CHANNEL_HTTP_404)
            why = &d->findings[i];
    /* the old order may be one that an earlier line of this dry run would have sent */
    if (a->sender->options.dry_run && why && why->level != OG_LEVEL_REFUSE)
        snprintf(to, size, "nothing was canceled and nothing sent");
    else if (other && why)
        snprintf(to, size,
                 "the order '%.*s' that it replaces works in account %.64s, and not in %.64s: nothing was canceled and "
                 "nothing sent",
                 (int)(old.len < 64 ? old.len : 64), old.s, other->id, a->id);
    else if (why)
        snprintf(to, size, "the order '%.*s' that it replaces %s: %.300s; nothing was canceled and nothing sent",
                 (int)(old.len < 64 ? old.len : 64), old.s,
                 why->level == OG_LEVEL_REFUSE ? "cannot be canceled" : "was not found", why->message);
    else
        snprintf(to, size, "the order '%.*s' that it replaces is left as it is: nothing was canceled and nothing sent",
                 (int)(old.len < 64 ? old.len : 64), old.s);
}

/* Write why the old order is not replaced, if its cancel did not end it. */
static void write_not_over(const struct og_tracked *o, const char *outcome, char *to, size_t size)
{
    if (strcmp(outcome, "unknown") == 0 && !o->external)
        snprintf(to, size,
                 "is of an outcome that is not known: a position of which it is the stop may have none. It is looked "
                 "up; " RESOLVE,
                 o->id);
    else
        snprintf(to, size,
                 "%s, although its cancel was sent: if it is canceled later and is the stop of a position, it has none "
                 "then. Give the replacement again",
                 o->execution.state == OG_WORKING ? "still works" : "may still work");
}

void og_send_say_not_replaced(const struct og_tracked *o, const char *outcome, bool filled, const char *why, char *to,
                              size_t size)
{
    const enum og_state state = o->execution.state;
    const bool canceled = strcmp(outcome, "canceled") == 0;
    const int said = snprintf(to, size, "the order '%.64s' that it replaces ", o->id);
    char *rest = to + said;

    size -= (size_t)said;
    if (why && !canceled && og_state_is_final(state))
        snprintf(rest, size, "is not canceled: %s; it is %s", why, og_state_name(state));
    else if (why && !canceled)
        snprintf(rest, size, "is not canceled: %s; it %s: give the replacement again", why,
                 state == OG_WORKING ? "still works" : "may still work");
    else if (canceled && filled)
        snprintf(rest, size, "has filled since, and is canceled: give a new order for what is left");
    else if (canceled)
        snprintf(rest, size, "is canceled, %s: if it is the stop of a position, it has none",
                 o->sender->guard.dead ? "by the dead man's switch" : "and this run ends");
    else if (og_state_is_final(state))
        snprintf(rest, size, "is %s", outcome);
    else
        write_not_over(o, outcome, rest, size);
}
