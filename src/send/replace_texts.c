/*
 * The texts about a replacement that does not work in the end. The orders may be the stop of a position, so a text says
 * whether the old order works, is canceled, or may be working, and what the user can do.
 */
#include <stdio.h>
#include <string.h>

#include "base/json_write.h"
#include "order/order.h"
#include "send/replace.h"
#include "send/sender.h"
#include "text/doc.h"

#define RESOLVE "look at the broker, and settle it: ordergate ledger resolve '%.64s' --as OUTCOME --reason TEXT"

/* An order that another one is to replace. */
struct old {
    struct og_buf id;
    enum og_state state; /* as this run or the ledger has it; OG_REFUSED if neither has the order */
    bool canceling;      /* its cancel is under way in this run */
    struct og_money executed;
};

static void keep_state(void *with, const struct og_ledger_row *row)
{
    struct old *old = with;

    old->state = row->state;
    old->executed = row->executed;
}

static void look_up(struct og_sender *s, struct og_str account, struct og_str id, struct old *old)
{
    old->state = OG_REFUSED;
    for (const struct og_account_state *a = s->accounts.first; a; a = a->next) {
        const struct og_tracked *o = og_str_is(account, a->id) ? og_orders_find(s, a, id) : NULL;

        if (!o)
            continue;
        old->state = o->execution.state;
        old->executed = o->execution.executed;
        old->canceling = o->cancel.state != OG_CANCEL_NONE;
        return;
    }
    if (s->ledger)
        (void)og_ledger_heard(s->ledger, account, id, keep_state, old, NULL);
}

static enum og_state state_of(struct og_sender *s, struct og_str account, struct og_str id)
{
    struct old old = { .canceling = false };

    look_up(s, account, id, &old);
    return old.state;
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

/* Write the line by which the old order can be sent again, under a new id; nothing if its body is not on record. */
static void write_line(struct og_sender *s, const char *account, struct og_str old, struct og_buf *line)
{
    struct og_buf body, tag;
    const cJSON *item;
    cJSON *doc = NULL;

    og_buf_init(&body, 0);
    og_buf_init(&tag, 0);
    if (og_ledger_body(s->ledger, og_str_of(account), old, &body, NULL) == OG_OK && !body.bad && body.len > 0 &&
        og_doc_read(body.s, body.len, "body", &doc, NULL) == OG_OK) {
        og_buf_text(line, "{\"accountId\":");
        og_buf_json_str(line, og_str_of(account));
        cJSON_ArrayForEach (item, doc)
            if (strcmp(item->string, "clientOrderId") != 0 && strcmp(item->string, "accountId") != 0) {
                og_member_key(line, item->string);
                line->bad |= !og_doc_text(item, line);
            }
        if (og_ledger_tag_of(s->ledger, og_str_of(account), old, &tag, NULL) == OG_OK && tag.len > 0)
            og_member_str(line, "tag", (struct og_str){ tag.s, tag.len });
        og_buf_char(line, '}');
    }
    cJSON_Delete(doc);
    og_buf_clear(&body);
    og_buf_clear(&tag);
}

static void write_restores(struct og_sender *s, const char *account, const struct old *old, char *to, size_t size)
{
    struct og_buf line;

    og_buf_init(&line, 0);
    write_line(s, account, (struct og_str){ old->id.s, old->id.len }, &line);
    if (!line.bad && line.len > 0 && line.len + 200 < size)
        snprintf(to, size, ". To have the old order again, under a new id%s%s%s, send the line %.*s",
                 old->executed.coef != 0 ? ", less the " : "",
                 old->executed.coef != 0 ? og_money_text(old->executed).s : "",
                 old->executed.coef != 0 ? " that it filled" : "", (int)line.len, line.s);
    else
        snprintf(to, size,
                 ". To have the old order again, send its terms under a new id; ordergate %s '%.64s' shows them",
                 line.len > 0 ? "ledger show" : "broker order", old->id.s);
    og_buf_clear(&line);
}

/* Append what becomes of the old order, after the one that was to replace it was canceled before it was posted. */
static void write_withdrawn(struct og_sender *s, const char *account, const struct old *old, char *to, size_t size)
{
    const char *name = old->id.s;
    int said = 0;

    if (old->state == OG_CANCELED)
        said =
            snprintf(to, size,
                     "the order '%.64s' that it replaces was canceled, and this one was never sent, so neither works: "
                     "if they are the stop of a position, it has none",
                     name);
    else if (old->canceling)
        said = snprintf(to, size,
                        "the order '%.64s' that it replaces is being canceled, and this one is never sent, so neither "
                        "works then: if they are the stop of a position, it has none",
                        name);
    else
        snprintf(to, size, "the order '%.64s' that it replaces is left as it is%s%s", name,
                 old->state == OG_REFUSED ? "" : ": ", old->state == OG_REFUSED ? "" : og_state_name(old->state));
    if (said > 0 && (size_t)said < size)
        write_restores(s, account, old, to + said, size - (size_t)said);
}

const char *og_send_end_text(struct og_sender *s, const char *account, const char *id, const char *outcome,
                             const char *text, char to[OG_END_TEXT_SIZE])
{
    const bool fails =
        strcmp(outcome, "unknown") == 0 || strcmp(outcome, "not-sent") == 0 || strcmp(outcome, "rejected") == 0;
    const bool withdrawn =
        strcmp(outcome, "canceled") == 0 && text && strcmp(text, OG_CANCELED_BEFORE) == 0; /* without its POST */
    const char *whole = text;
    struct old old = { .canceling = false };
    int said;

    if ((!fails && !withdrawn) || !s->ledger || s->options.dry_run || !account || !id || id[0] == '\0')
        return text;
    og_buf_init(&old.id, 0);
    if (og_ledger_replaces(s->ledger, og_str_of(account), og_str_of(id), &old.id, NULL) == OG_OK && !old.id.bad &&
        old.id.len > 0)
        look_up(s, og_str_of(account), (struct og_str){ old.id.s, old.id.len }, &old);
    if (old.id.len > 0 && !old.id.bad && (withdrawn || old.state == OG_CANCELED)) {
        said = snprintf(to, OG_END_TEXT_SIZE, "%.800s%s", text ? text : "", text && text[0] != '\0' ? "; " : "");
        if (withdrawn)
            write_withdrawn(s, account, &old, to + said, OG_END_TEXT_SIZE - (size_t)said);
        else
            write_end(id, old.id.s, outcome, to + said, OG_END_TEXT_SIZE - (size_t)said);
        whole = to;
    }
    og_buf_clear(&old.id);
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
