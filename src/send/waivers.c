/*
 * Gives the waivers on record to the book, for one decision at a time, so that a waiver given a moment ago counts, and
 * one withdrawn a moment ago does not. The book decides whether a rule can be waived.
 */
#include <stdlib.h>

#include "base/error.h"
#include "ordergate/order.h"
#include "send/sender.h"

struct telling {
    struct og_account_state *a;
    const char *id;
    bool any;
};

static void on_waiver(void *with, const struct og_ledger_waiver_row *row)
{
    struct telling *t = with;
    struct og_sender *s = t->a->sender;
    char *rule = strndup(row->rule.s, row->rule.len), *by = strndup(row->by.s, row->by.len);
    char *reason = strndup(row->reason.s, row->reason.len);
    char *digest = strndup(row->digest.s ? row->digest.s : "", row->digest.len);
    /* the end of a waiver is a time of the machine's clock, but the book decides by the sender's clock: convert it */
    struct og_waiver w = { .account_id = t->a->id,
                           .client_order_id = t->id,
                           .rule = rule,
                           .by = by,
                           .reason = reason,
                           .until_ns = og_clock_now(&s->clock) + (row->until - og_time_now()),
                           .digest = digest };
    struct og_error err = { 0 };

    if (!rule || !by || !reason || !digest)
        og_send_warn(s, "order '%s': its waiver has no effect: out of memory", w.client_order_id);
    else if (og_book_waive(s->book, &w, &err) != OG_OK)
        og_send_warn(s, "order '%s': its waiver has no effect: %s", w.client_order_id, err.text);
    else
        t->any = true;
    free(rule);
    free(by);
    free(reason);
    free(digest);
}

bool og_send_waive(struct og_account_state *a, const char *id, bool intended)
{
    struct og_sender *s = a->sender;
    struct og_error err = { 0 };
    struct telling t = { a, id, false };

    if (s->ledger && og_ledger_waivers_of(s->ledger, og_str_of(a->id), og_str_of(id), og_time_now(), intended,
                                          on_waiver, &t, &err) != OG_OK)
        og_send_warn(s, "%s; no waiver has an effect", err.text);
    return t.any;
}

void og_send_unwaive(struct og_sender *s)
{
    (void)og_book_revoke(s->book, NULL, NULL, NULL);
}
