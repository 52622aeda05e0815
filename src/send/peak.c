/*
 * Keeps the day's highest P&L of each account in the ledger, from which the rule day-loss measures a drawdown. Without
 * that record, a later run and other senders of the ledger would measure it only from the highest P&L that they saw
 * themselves.
 *
 * A reading that shows a higher P&L is recorded in the same iteration of the loop, before an order is decided with it,
 * so the peak with which a killed run decided is not lost. A peak that no reading showed stays unknown.
 */
#include "send/peak.h"

#include "base/error.h"

/* Give the book the peak that the ledger has for that day. */
static void tell_recorded(struct og_account_state *a, int day)
{
    struct og_sender *s = a->sender;
    struct og_pnl_peak known = { .day = day };
    struct og_error err = { 0 };
    enum og_status status = og_ledger_peak(s->ledger, og_str_of(a->id), day, &known.peak, &err);

    if (status == OG_OK && (status = og_book_raise_pnl_peak(s->book, a->id, &known)) != OG_OK)
        og_fail(&err, status, "out of memory");
    if (status != OG_OK)
        og_send_bar(s, &err);
    a->peak = known;
}

void og_send_pnl_read(struct og_account_state *a)
{
    struct og_sender *s = a->sender;
    struct og_pnl_peak seen;
    struct og_error err = { 0 };

    if (!s->ledger || og_book_pnl_peak(s->book, a->id, &seen) != OG_OK)
        return;
    if (seen.day != a->peak.day)
        tell_recorded(a, seen.day);
    if (og_money_cmp(seen.peak, a->peak.peak) <= 0 || s->fatal != 0)
        return;
    if (!s->options.dry_run) {
        if (s->records.behind)
            return; /* the next reading records the peak */
        if (og_ledger_begin(s->ledger, &err) != OG_OK) {
            og_send_unwritable(s, &err);
            return;
        }
        tell_recorded(a, seen.day); /* another sender may have recorded a higher peak since this sender last read the
                                     * records */
        if (og_money_cmp(seen.peak, a->peak.peak) <= 0 || s->fatal != 0)
            return;
        if (og_ledger_append_peak(s->ledger, og_str_of(a->id), og_clock_now(&s->clock), &seen, &err) != OG_OK) {
            og_send_unwritable(s, &err);
            return;
        }
    }
    a->peak = seen;
}

void og_send_peaks_lost(struct og_sender *s)
{
    for (struct og_account_state *a = s->accounts.first; a; a = a->next)
        a->peak = (struct og_pnl_peak){ 0 };
}

void og_send_peak_heard(struct og_account_state *a, const struct og_ledger_row *row)
{
    struct og_pnl_peak heard;

    /* ignore the peak of another day: once a reading belongs to that day, its peak is read from the ledger */
    if (!og_ledger_read_peak(row, &heard) || heard.day != a->peak.day || og_money_cmp(heard.peak, a->peak.peak) <= 0)
        return;
    a->peak = heard;
    if (og_book_raise_pnl_peak(a->sender->book, a->id, &heard) != OG_OK) {
        struct og_error err = { 0 };

        og_send_fatal(a->sender, 4, &err);
    }
}
