/*
 * The reservation of an order in an account's buying power and positions: a ticket in the book, kept from the order's
 * decision until the facts include everything that became of the order. An order of an earlier run whose outcome is
 * unknown gets a ticket too (other_runs.c).
 */
#include "base/json_write.h"
#include "send/event.h"
#include "send/sender.h"

uint64_t og_send_settle_ns(const struct og_sender *s)
{
    return (uint64_t)og_settings_settle_ns(&s->settings);
}

bool og_send_is_in_facts(const struct og_tracked *o, uint64_t began)
{
    return og_state_is_final(o->execution.state) ? o->hold.seen_at + og_send_settle_ns(o->sender) <= began
                                                 : og_send_is_gone(o);
}

void og_send_hold(struct og_tracked *o, og_ticket ticket)
{
    o->hold.ticket = ticket;
    og_ticket_unknown(o->sender->book, ticket, o->execution.state == OG_OUTCOME_UNKNOWN);
}

void og_send_hold_seen(struct og_tracked *o, uint64_t at)
{
    o->hold.seen_at = at;
}

void og_send_filled(struct og_account_state *a)
{
    a->news.filled_at = og_time_up();
}

/* --- tickets ------------------------------------------------------------------------------------------------------ */

/* Release what the order's ticket reserves. The order was not sent, so it does not end a streak of rejections. Its id
 * stays used, because the ledger has it (resume.c). */
static void release(struct og_tracked *o)
{
    og_ticket_release(o->sender->book, o->hold.ticket);
    o->hold.ticket = 0;
}

/* Record and print, once, that the broker shows a filled quantity greater than the order's. The book goes on counting
 * the order as before; the account's next reading shows the position. */
static void tell_overfill(struct og_tracked *o)
{
    const struct og_execution *f = &o->execution;
    struct og_buf b;

    if (o->hold.overfilled)
        return;
    o->hold.overfilled = true;
    og_buf_init(&b, 0);
    og_buf_text(&b, "{\"heard\":\"a fill that is more than the order, or no amount\"");
    og_member_money(&b, "executed", f->executed);
    og_member_money(&b, "priceAvg", f->price_avg);
    og_buf_format(&b, ",\"believed\":\"%s\"}", og_state_name(f->state));
    og_send_tell_anomaly(o, (struct og_str){ b.s, b.len },
                         "the broker shows %s filled at %s, which is more than the order's quantity, or not an amount; "
                         "the position counts as the account's next reading shows it: compare it with the broker's",
                         og_money_text(f->executed).s, og_money_text(f->price_avg).s);
    og_buf_clear(&b);
    og_send_account_dirty(o->account);
}

/* Report to the book how much of the order has filled. Returns false if the book could not take the report in. */
static bool fill_ticket(struct og_tracked *o)
{
    const struct og_execution *f = &o->execution;
    const struct og_money price = f->price_avg.coef > 0 ? f->price_avg : og_money_from(0);
    const int64_t now = og_clock_now(&o->sender->clock);
    enum og_status told, whole;

    og_ticket_sent(o->sender->book, o->hold.ticket, now);
    told = og_ticket_fill(o->sender->book, o->hold.ticket, og_money_floor(f->executed), price, now);
    whole = f->state == OG_FILLED ? og_ticket_fill(o->sender->book, o->hold.ticket, OG_FILL_WHOLE, price, now) : told;
    if (told == OG_EINVAL || whole == OG_EINVAL)
        tell_overfill(o);
    return whole == OG_OK;
}

void og_send_hold_moved(struct og_tracked *o, enum og_state before)
{
    struct og_account_state *a = o->account;
    enum og_state now = o->execution.state;

    if (now == before) {
        if (o->hold.ticket != 0 && o->execution.executed.coef > 0 && now == OG_WORKING)
            (void)fill_ticket(o);
        return;
    }
    og_ticket_unknown(o->sender->book, o->hold.ticket, now == OG_OUTCOME_UNKNOWN);
    /* canceled before it was posted, so no facts will ever show it */
    if (now == OG_CANCELED && before == OG_INTENDED && !o->heard) {
        release(o);
        return;
    }
    if (now == OG_WORKING || now == OG_FILLED || now == OG_CANCELED || now == OG_EXPIRED || now == OG_DONE) {
        o->hold.seen_at = og_time_up();
        og_send_account_dirty(a);
        if (o->hold.ticket != 0 && now != OG_FILLED)
            (void)fill_ticket(o);
    }
    if (now == OG_CANCELED || now == OG_EXPIRED || now == OG_DONE)
        a->news.ended_at = o->hold.seen_at;
    if (now == OG_FILLED) {
        a->news.filled_at = o->hold.seen_at;
        if (fill_ticket(o))
            o->hold.ticket = 0; /* the book itself releases the ticket once its documents include the fill */
    } else if (now == OG_REJECTED) {
        og_ticket_rejected(o->sender->book, o->hold.ticket);
        o->hold.ticket = 0;
    } else if (now == OG_NOT_SENT) {
        release(o);
    }
}

bool og_send_counts_ended(const struct og_account_state *a, uint64_t by)
{
    for (const struct og_tracked *o = a->sender->orders; o; o = o->next)
        if (o->account == a && o->hold.ticket != 0 && og_state_is_final(o->execution.state) && o->hold.seen_at <= by)
            return true;
    return og_send_counts_ended_others(a, by);
}

void og_send_drop_holds(struct og_account_state *a, uint64_t began)
{
    struct og_sender *s = a->sender;
    struct og_tracked *o, *next;

    for (o = s->orders; o; o = next) {
        next = o->next;
        if (o->account != a || o->hold.ticket == 0 || !og_send_is_in_facts(o, began))
            continue;
        og_ticket_forget(s->book, o->hold.ticket);
        o->hold.ticket = 0;
        og_send_settle(o);
    }
}

void og_send_unhold(struct og_tracked *o)
{
    og_ticket_forget(o->sender->book, o->hold.ticket);
    o->hold.ticket = 0;
}
