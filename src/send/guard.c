/*
 * What stops a running sender: the flag of ordergate halt, and the dead man's switch.
 * It refuses to let an order leave that was decided before the halt, or before a standstill: each is asked again when
 * its request is about to go, and before it is posted again after a 429.
 */
#include "send/sender.h"

#include <stdlib.h>

#include "base/error.h"
#include "order/order.h"

#include "base/banned.h"

#define LOOK_EVERY_MS 100

/* --- the halt --------------------------------------------------------------------------------------------------- */

static void say_halt(struct og_sender *s, const struct og_halt *halt, const struct og_error *err)
{
    if (err->status != OG_OK)
        og_send_say(s, "%s", err->text);
    else if (halt->trading == OG_TRADING_ON)
        og_send_say(s, "trading is on again since %s (%s): %s", halt->at, halt->by, halt->reason);
    else
        og_send_say(s, "trading is %s since %s (%s): %s; ordergate resume lets orders go again",
                    og_trading_name(halt->trading), halt->at, halt->by,
                    halt->reason[0] != '\0' ? halt->reason : "no reason given");
}

static void look_for_halt(struct og_sender *s)
{
    struct og_halt halt;
    struct og_error err = { 0 };
    int64_t now = og_send_ms(s);

    if (now < s->halt_look_ms)
        return;
    s->halt_look_ms = now + LOOK_EVERY_MS;
    (void)og_halt_read(NULL, &halt, &err);
    if (halt.trading == s->halt)
        return;
    s->halt = halt.trading;
    og_book_halt(s->book, halt.trading);
    say_halt(s, &halt, &err);
}

const char *og_send_may_leave(void *with)
{
    struct og_tracked *o = with;
    struct og_sender *s = o->sender;

    look_for_halt(s);
    if (og_send_is_stale(o))
        return "this process stood still since it was decided";
    if (s->halt == OG_TRADING_ON || (o->closes && s->halt != OG_TRADING_HALTED_ALL))
        return NULL;
    return s->halt == OG_TRADING_REDUCE_ONLY ? "trading is reduce-only since it was decided"
                                             : "trading is halted since it was decided";
}

/* --- the dead man's switch -------------------------------------------------------------------------------------- */

static void on_unsettled(void *with, const struct og_ledger_row *row)
{
    struct og_sender *s = with;

    for (struct og_account_state *a = s->accounts; a != NULL; a = a->next)
        if (og_str_is(row->account, a->id) && a->step == OG_ACCOUNT_READY)
            (void)og_send_from_ledger(a, row->id);
}

/* Under that id the broker has an order that is not ours, as far as is known. */
static bool is_of_others(const struct og_tracked *o)
{
    return o->external || (o->has_namesake && (o->fate.state == OG_INTENDED || o->fate.state == OG_UNKNOWN));
}

int og_send_cancel_own(struct og_sender *s, int64_t until_ms)
{
    struct og_error err = { 0 };
    struct og_tracked *o, *next;
    int count = 0;

    if (s->ledger != NULL && og_ledger_unsettled(s->ledger, on_unsettled, s, &err) != OG_OK)
        og_send_say(s, "%s; orders of earlier runs are not canceled", err.text);
    for (o = s->orders; o != NULL; o = next) {
        next = o->next;
        if (is_of_others(o) || og_state_is_final(o->fate.state))
            continue;
        og_send_cancel(o, until_ms, true);
        count++;
    }
    return count;
}

void og_send_alive(struct og_sender *s)
{
    uv_update_time(&s->loop); /* a process that stood still since this turn began reads late what came in time */
    s->alive_ms = og_send_ms(s);
    s->dead = false;
}

/* A process that stood still itself finds its time over before it reads the heartbeats that came meanwhile. */
static bool unread(const struct og_sender *s)
{
    const struct og_input *in = s->file_now < s->files ? s->file[s->file_now].input : NULL;

    return in != NULL && og_input_waits(in);
}

static void look_for_life(struct og_sender *s)
{
    int64_t now = og_send_ms(s), most = s->options.dead_man_ns / OG_NS_PER_MS;
    int count;

    if (most == 0 || s->dead || s->phase != OG_RUNNING)
        return;
    if (s->alive_ms == 0 || s->first != NULL)
        og_send_alive(s); /* it began; or lines wait, and what comes behind them is not read yet */
    if (now - s->alive_ms < most || unread(s))
        return;
    s->dead = true;
    count = og_send_cancel_own(s, now + s->options.wait_ns / OG_NS_PER_MS);
    og_send_tell_dead_man(s, count);
    og_send_say(s, "dead man's switch: no line and no heartbeat for %lld ms; canceling %d order%s", (long long)most,
                count, count == 1 ? "" : "s");
}

void og_send_guard(struct og_sender *s)
{
    look_for_halt(s);
    look_for_life(s);
}
