/*
 * What becomes of orders: fills and cancels; and of the account: its day's profit, and latches that are resumed.
 */
#include <stdio.h>

#include "gates_run.h"

static void add_position(const struct order *o, int leg, int64_t quantity)
{
    struct thing *t = &w.thing[o->leg[leg].thing];
    const int64_t price = o->spread ? t->last : o->price, size = quantity * o->leg[leg].ratio;

    if (o->closes) {
        t->held -= size;
    } else if (o->leg[leg].buy) {
        t->cost = (t->cost * t->held + price * size) / (t->held + size);
        t->held += size;
    } else {
        t->written_cost = (t->written_cost * t->written + price * size) / (t->written + size);
        t->written += size;
    }
}

/* The market comes to the price of a stop, and somewhat beyond. Returns false if that is too far away. */
static bool trigger(struct order *o, struct chance *c)
{
    struct thing *t = &w.thing[o->leg[0].thing];
    const int64_t beyond = 5 * chance_to(c, 4);

    if (o->stop > 2 * t->ask)
        return false;
    t->last = o->leg[0].buy ? o->stop + beyond : o->stop - beyond;
    t->last = t->last < 50 ? 50 : t->last;
    t->bid = t->last - 5 * chance_to(c, 2);
    t->ask = t->last + 5 * (1 + chance_to(c, 2));
    for (int g = 0; g < GATES; g++)
        tell_quote(g, o->leg[0].thing);
    o->triggered = true;
    if (tells)
        printf("  %s triggered\n", o->id);
    return true;
}

/* Returns a price at which an order may trade now. A stop without a limit may find nobody near the quote. */
static int64_t price_now(const struct order *o, struct chance *c)
{
    const struct thing *t = &w.thing[o->leg[0].thing];
    const bool buys = o->leg[0].buy;
    const int64_t quote = buys ? t->ask : t->bid, far = o->type == STOP ? 5 * chance_to(c, 12) : 0;

    if (!has_limit(o))
        return buys ? quote + far : quote > far ? quote - far : 1;
    if (o->spread || chance_in(c, 50))
        return o->limit;
    return buys ? (quote < o->limit ? quote : o->limit) : quote > o->limit ? quote : o->limit;
}

static void step_fill(struct order *o, struct chance *c)
{
    const bool whole = o->fills == FILLS_MOST - 1 || chance_in(c, 40);
    const int64_t quantity = whole ? leaves(o) : 1 + chance_to(c, leaves(o));

    if (o->fills == 0)
        o->price = price_now(o, c);
    o->fill[o->fills++] = (struct fill){ quantity, w.now };
    for (int i = 0; i < o->legs; i++)
        add_position(o, i, quantity);
    if (!o->spread && o->leg[0].buy) {
        const int64_t each = is_contract(o->leg[0].thing) ? 100 : 1, counts = o->type == STOP ? o->stop : o->quoted;

        w.cash -= quantity * o->price * each;
        /* a fill counts as an order that works until the account is read */
        w.slipped += !has_limit(o) && o->price > counts ? quantity * (o->price - counts) * each : 0;
    }
    for (int g = 0; g < GATES; g++)
        must(og_ticket_fill(book[g], o->ticket[g], leaves(o) ? filled(o) : OG_FILL_WHOLE,
                            (struct og_money){ o->price, 2 }, w.now),
             NULL);
    o->live = leaves(o) > 0;
    if (tells)
        printf("  %s filled to %lld at %lld\n", o->id, (long long)filled(o), (long long)o->price);
}

void step_outcome(struct chance *c)
{
    const int from = w.orders ? (int)chance_to(c, w.orders) : 0;

    for (int i = 0; i < w.orders; i++) {
        struct order *o = &w.order[(from + i) % w.orders];

        if (!o->live)
            continue;
        if (chance_in(c, 65)) {
            if (has_stop(o) && !o->triggered && !trigger(o, c))
                continue;
            if (o->type != STOP_LIMIT || o->fills || chance_in(c, 60)) /* it may rest at its limit */
                step_fill(o, c);
        } else {
            for (int g = 0; g < GATES; g++)
                og_ticket_release(book[g], o->ticket[g]);
            o->live = false;
            if (o->closes)
                w.thing[o->leg[0].thing].closable += leaves(o);
            if (tells)
                printf("  %s canceled\n", o->id);
        }
        return;
    }
}

static void trip_loss(void)
{
    if (w.desk.loss >= 0 && -w.pnl > w.desk.loss) {
        w.loss_latch.tripped = true;
        w.loss_latch.day = w.pnl_day;
    }
    if (w.desk.drawdown >= 0 && w.peak - w.pnl > w.desk.drawdown) {
        w.drawdown_latch.tripped = true;
        w.drawdown_latch.day = w.pnl_day;
    }
}

/* Draw the day's P&L, and give it to the gates. A latch stays tripped by the figure of a day, and may trip again on a
 * later one. */
void step_pnl(struct chance *c)
{
    const int64_t session = session_of(w.now);
    const struct desk *d = &w.desk;

    if (w.pnl_day != session)
        w.peak = 0;
    w.pnl_day = session;
    w.pnl = chance_to(c, 2000) - 1000;
    if (chance_in(c, 30)) /* at the limit, or beyond it by a dollar */
        w.pnl = (d->drawdown >= 0 && chance_in(c, 50) ? w.peak - d->drawdown : -d->loss) - chance_to(c, 2);
    w.peak = w.pnl > w.peak ? w.pnl : w.peak;
    for (int g = 0; g < GATES; g++)
        apply_pnl(g);
    trip_loss();
}

void step_resume(struct chance *c)
{
    static const char *const names[] = { "loss", "drawdown", "consecutive-rejections" };
    const int which = (int)chance_to(c, 3);

    for (int g = 0; g < GATES; g++) {
        const enum og_status s = og_book_resume_latch(book[g], "L1", names[which]);

        if (s != OG_ENOENT)
            must(s, NULL);
    }
    if (which == 0)
        w.loss_latch.tripped = false;
    if (which == 1)
        w.drawdown_latch.tripped = false;
    if (which == 2) {
        w.streak_latch.tripped = false;
        w.streak = 0;
        w.streak_day = 0;
        resumed_at = w.orders;
    }
    if (w.pnl_day == session_of(w.now))
        trip_loss(); /* the latch trips again if the figure is still beyond the limit */
    else if (which < 2)
        w.resumed_late = true;
    if (tells)
        printf("  resumed %s\n", names[which]);
}
