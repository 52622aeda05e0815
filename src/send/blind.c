/*
 * What a run does while the account list or an account cannot be read: cancels go, and so do orders that only reduce,
 * as far as the policy lets them; other orders are not sent.  What could not be read is asked for again.
 * Nothing is posted for an account of which the list has not said that it may be sent for.
 */
#include <stdlib.h>

#include "base/error.h"
#include "send/sender.h"

void og_send_blind(struct og_account_state *a, const char *why)
{
    struct og_sender *s = a->sender;

    a->stuck = a->dirty = true;
    a->next_reading_ms = og_send_ms(s) + OG_LIST_AGAIN_MS;
    s->blind = (struct og_error){ .status = OG_OK };
    og_fail(&s->blind, OG_ENET, "account '%s' cannot be read: %s", a->id, why);
    if (a->step == OG_ACCOUNT_LOADING)
        og_send_say(s, "%s; cancels and orders that only close go, others are not sent until it can be", s->blind.text);
    a->step = OG_ACCOUNT_BLIND;
}

/* The account as a line or the user spells it. */
struct og_account_state *og_send_unlisted(struct og_sender *s, const char *id)
{
    struct og_account_state *a = calloc(1, sizeof *a);
    struct og_error err = { 0 };

    if (!a || !(a->id = strdup(id))) {
        free(a);
        og_fail(&err, OG_ENOMEM, "out of memory");
        og_send_fatal(s, 4, &err);
        return NULL;
    }
    a->sender = s;
    a->unlisted = a->stuck = true;
    a->step = s->blind.status != OG_OK ? OG_ACCOUNT_BLIND : OG_ACCOUNT_LOADING;
    a->next = s->accounts;
    s->accounts = a;
    return a;
}

static void begin(struct og_sender *s)
{
    const char *wanted = s->options.account ? s->options.account : s->settings.account;
    struct og_error err = { 0 };

    if (s->phase != OG_STARTING)
        return;
    s->phase = OG_RUNNING;
    if (!wanted || !(s->account = og_send_unlisted(s, wanted)))
        return; /* each line says which */
    if (og_book_default_account(s->book, s->account->id) != OG_OK) {
        og_fail(&err, OG_ENOMEM, "out of memory");
        og_send_fatal(s, 4, &err);
    }
}

void og_send_list_failed(struct og_sender *s, const struct og_error *err)
{
    if (s->blind.status == OG_OK)
        og_send_say(s, "%s; cancels go, orders are not sent until the account list can be read", err->text);
    s->blind = *err;
    s->list_ms = og_send_ms(s) + OG_LIST_AGAIN_MS;
    begin(s);
    for (struct og_account_state *a = s->accounts; a; a = a->next)
        if (a->unlisted && a->step == OG_ACCOUNT_LOADING)
            a->step = OG_ACCOUNT_BLIND;
}

void og_send_list_due(struct og_sender *s)
{
    if (s->listed || s->options.dry_run || og_send_ms(s) < s->list_ms || s->phase > OG_RUNNING)
        return;
    if (s->listing)
        begin(s); /* it is still asked for; cancels have waited long enough */
    else
        og_send_start(s);
}

bool og_send_may_post(const struct og_account_state *a, bool reduces)
{
    return a->step == OG_ACCOUNT_READY || (a->step == OG_ACCOUNT_BLIND && !a->unlisted && reduces);
}

void og_send_end_blind(struct og_sender *s)
{
    bool any = !s->listed && s->blind.status != OG_OK;

    for (const struct og_account_state *a = s->accounts; a; a = a->next)
        any |= a->step == OG_ACCOUNT_BLIND;
    if (any)
        og_send_fatal(s, 4, &s->blind);
}
