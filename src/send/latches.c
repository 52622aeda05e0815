/*
 * Keeps the latches of each account in the ledger. A latch that tripped holds back orders in later runs and in the
 * other senders of the ledger, until a person resumes it; that resume is recorded too.
 *
 * The book trips a latch when it takes in a reading of the P&L or a rejection. The record is written in the same
 * iteration of the loop, before an order is decided with it. A loss that no reading showed trips nothing.
 */
#include "send/latches.h"

#include "base/error.h"
#include "send/sender.h"

/* Returns true if the recorded latch holds back all orders that the latch l holds back. */
static bool is_recorded(const struct og_latch *recorded, const struct og_latch *l)
{
    return og_latch_covers(recorded, l->limit, l->until_resumed) && !og_latch_is_over(recorded, l->day);
}

static void set(struct og_account_state *a, const struct og_latch *l)
{
    struct og_error err = { 0 };

    og_latch_merge(&a->latches.recorded[og_latch_find(og_str_of(l->name))], l);
    if (og_book_set_latch(a->sender->book, a->id, l) != OG_OK)
        og_send_fatal(a->sender, 4, &err);
}

void og_send_latches_begin(struct og_account_state *a)
{
    struct og_sender *s = a->sender;
    struct og_ledger_latched known = { .resumed = { 0 } };
    struct og_ledger_head head = { 0 };
    struct og_error err = { 0 };

    a->latches.begun = true;
    if (!s->ledger)
        return;
    if (og_ledger_head(s->ledger, &head, &err) != OG_OK ||
        og_ledger_latches_of(s->ledger, og_str_of(a->id), &known, &err) != OG_OK)
        og_send_bar(s, &err);
    a->latches.taken = head.seq;
    memcpy(a->latches.resumed, known.resumed, sizeof a->latches.resumed);
    for (int i = 0; i < OG_LATCHES; i++) {
        if (!known.latch[i].name)
            continue;
        set(a, &known.latch[i]);
        og_send_tell_latched(a, &known.latch[i], "ledger");
    }
}

bool og_send_is_resumed(const struct og_account_state *a, int64_t seq)
{
    return seq < a->latches.resumed[OG_LATCH_REJECTIONS];
}

static void look(struct og_account_state *a)
{
    struct og_sender *s = a->sender;
    struct og_latch l;

    for (int i = 0; i < OG_LATCHES && s->fatal == 0; i++) {
        if (og_book_latch(s->book, a->id, og_latch_names[i], og_clock_now(&s->clock), &l) != OG_OK ||
            is_recorded(&a->latches.recorded[i], &l))
            continue;
        og_latch_merge(&a->latches.recorded[i], &l);
        if (!og_send_record_latch(a, &l))
            return;
        og_send_tell_latched(a, &l, "here");
    }
}

void og_send_latches_due(struct og_sender *s)
{
    for (struct og_account_state *a = s->accounts.first; a; a = a->next)
        if (a->latches.begun)
            look(a);
}

bool og_send_has_latch(const struct og_sender *s)
{
    for (const struct og_account_state *a = s->accounts.first; a; a = a->next)
        for (int i = 0; i < OG_LATCHES; i++)
            if (a->latches.recorded[i].name)
                return true;
    return false;
}

void og_send_latch_heard(struct og_account_state *a, const struct og_ledger_row *row)
{
    struct og_sender *s = a->sender;
    struct og_error err = { 0 };
    enum og_latch_kind kind;
    struct og_latch l;

    if (!a->latches.begun || row->seq <= a->latches.taken)
        return; /* og_send_latches_begin() reads this record, or has read it */
    switch (og_ledger_read_latch(row, &kind, &l)) {
    case OG_LEDGER_NO_LATCH: return;
    case OG_LEDGER_TRIPPED:
        set(a, &l);
        og_send_tell_latched(a, &l, "ledger");
        return;
    case OG_LEDGER_RESUMED:
        a->latches.resumed[kind] = row->seq;
        a->latches.recorded[kind] = (struct og_latch){ .name = NULL };
        if (og_book_resume_latch(s->book, a->id, og_latch_names[kind]) == OG_ENOMEM)
            og_send_fatal(s, 4, &err);
        og_send_tell_unlatched(a, og_latch_names[kind], row->detail);
        return;
    }
}
