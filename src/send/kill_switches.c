/*
 * What stops a running sender: the flags of `ordergate halt`, and the dead man's switch. An order that was decided
 * before the halt is not sent: the flags are read again when its request is about to be sent (leave.c).
 *
 * The sentry's thread watches both as well, even while the sender's loop is blocked. A blocked loop posts nothing, and
 * a loop that goes on checks the flags itself before an order leaves. But a blocked loop cannot cancel either, so once
 * the dead man's switch is due, the sentry cancels over a connection of its own.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "order/order.h"
#include "send/denied.h"
#include "send/event.h"
#include "send/resume.h"
#include "send/sender.h"
#include "send/senders.h"

/* --- the halt ----------------------------------------------------------------------------------------------------- */

const char *og_send_halt_advice(const struct og_sender *s)
{
    return s->guard.halt == OG_TRADING_ON ? "" : "; ordergate resume lets orders go again";
}

/* Write to guard.halt_why since when, by whom and why trading is halted, or on again. */
static void explain(struct og_sender *s, const struct og_halt *halt, const struct og_error *fault)
{
    char *why = s->guard.halt_why;
    const size_t size = sizeof s->guard.halt_why;

    if (fault->status != OG_OK)
        snprintf(why, size, "%s", fault->text);
    else if (halt->trading != OG_TRADING_ON)
        snprintf(why, size, "trading is %s since %s (%s): %s", og_trading_name(halt->trading), halt->at, halt->by,
                 halt->reason[0] != '\0' ? halt->reason : "no reason given");
    else if (halt->at[0] != '\0')
        snprintf(why, size, "trading is on again since %s (%s): %s", halt->at, halt->by, halt->reason);
    else
        snprintf(why, size, "trading is on again: the flag that halted it is gone, which says neither who nor why");
}

static void record_halt(struct og_sender *s, const char *was, const struct og_halt *halt, const struct og_error *fault)
{
    const struct og_ledger_trading t = { .trading = og_trading_name(halt->trading),
                                         .was = was,
                                         .since = halt->at,
                                         .by = halt->by,
                                         .reason = fault->status != OG_OK ? fault->text : halt->reason,
                                         .flag = s->guard.halt_flag,
                                         .text = s->guard.halt_why };
    struct og_ledger_row row = { .at = og_clock_now(&s->clock) };
    struct og_error err = { 0 };
    struct og_buf detail;

    og_buf_init(&detail, 0);
    if (!og_ledger_trading_row(&row, &detail, &t))
        og_send_fatal(s, 4, (og_fail(&err, OG_ENOMEM, "out of memory"), &err));
    else if (og_send_append(s, &row))
        og_send_tell_trading(s, &t);
    og_buf_clear(&detail);
}

/* Record what a flag says now. If it lifts a halt, that is read from the flag that halted, as another one may
 * be the strictest now. */
static void note_halt(struct og_sender *s, const char *was, const struct og_sentry_seen *seen)
{
    struct og_halt halt = seen->halt, lifted;

    if (halt.trading != OG_TRADING_ON)
        snprintf(s->guard.halt_flag, sizeof s->guard.halt_flag, "%s", seen->flag ? seen->flag : "");
    else if (s->guard.halt_flag[0] != '\0' && og_halt_read(s->guard.halt_flag, &lifted, NULL) == OG_OK &&
             lifted.trading == OG_TRADING_ON)
        halt = lifted;
    explain(s, &halt, &seen->fault);
    record_halt(s, was, &halt, &seen->fault);
}

void og_send_halt_book(struct og_sender *s, enum og_trading trading)
{
    struct og_halt halt = s->guard.halted;

    halt.trading = trading;
    og_book_halt_by(s->book, &halt);
}

static void obey(struct og_sender *s, const struct og_sentry_seen *seen)
{
    const struct og_halt *halt = &seen->halt;
    const enum og_trading was = s->guard.halt;

    if (halt->trading == was && (was == OG_TRADING_ON || strcmp(halt->at, s->guard.halted.at) == 0))
        return;
    s->guard.halt = halt->trading;
    if (halt->trading != OG_TRADING_ON)
        s->guard.halted = *halt;
    if (seen->fault.status != OG_OK)
        snprintf(s->guard.halted.reason, sizeof s->guard.halted.reason, "%s", seen->fault.text);
    note_halt(s, og_trading_name(was), seen);
    if (halt->trading == OG_TRADING_ON && seen->fault.status == OG_OK)
        og_send_say(s, "%s", s->guard.halt_why);
    else
        og_send_warn(s, "%s%s", s->guard.halt_why, og_send_halt_advice(s));
    og_send_halt_book(s, halt->trading);
}

/* Returns true if the flag that halted last still does, for runs that obey it. */
static bool still_halts(const struct og_sender *s)
{
    struct og_halt halt;

    return s->guard.halt_flag[0] != '\0' &&
           (og_halt_read(s->guard.halt_flag, &halt, NULL) != OG_OK || halt.trading != OG_TRADING_ON);
}

/* The run begins: if the ledger's newest record says that trading is halted, and it is not, record that, since the halt
 * ended while no run of this ledger saw it. */
static void begin_halts(struct og_sender *s, const struct og_sentry_seen *seen)
{
    char was[16];
    struct og_error err = { 0 };

    s->guard.halt_begun = true;
    if (!s->ledger || seen->halt.trading != OG_TRADING_ON)
        return;
    if (og_ledger_trading_of(s->ledger, was, sizeof was, s->guard.halt_flag, sizeof s->guard.halt_flag, &err) != OG_OK)
        og_send_bar(s, &err);
    else if (was[0] != '\0' && strcmp(was, og_trading_name(OG_TRADING_ON)) != 0 && !still_halts(s))
        note_halt(s, was, seen);
}

/* Obey the flags, after a halt that only the sentry's thread saw, because the loop was blocked. */
static void obey_both(struct og_sender *s, const struct og_sentry_seen *seen, const struct og_sentry_seen *missed)
{
    if (!s->guard.halt_begun)
        begin_halts(s, seen);
    if (missed->halt.trading != OG_TRADING_ON)
        obey(s, missed);
    obey(s, seen);
}

void og_send_look_for_halt(struct og_sender *s)
{
    struct og_sentry_seen seen, missed;

    (void)og_sentry_look(s->guard.sentry, &seen, &missed);
    obey_both(s, &seen, &missed);
}

static bool may_go(const void *order, enum og_trading trading)
{
    const struct og_tracked *o = order;

    trading = o->leave.halt > trading ? o->leave.halt : trading;
    return trading == OG_TRADING_ON || (o->leave.closes && trading != OG_TRADING_HALTED_ALL);
}

const char *og_send_halts(struct og_tracked *o, bool leaves)
{
    struct og_sender *s = o->sender;
    struct og_sentry_seen seen, missed;
    enum og_trading trading = leaves ? og_sentry_look_leaving(s->guard.sentry, may_go, o, &seen, &missed)
                                     : og_sentry_look(s->guard.sentry, &seen, &missed);

    obey_both(s, &seen, &missed);
    if (may_go(o, trading))
        return NULL;
    return trading == OG_TRADING_REDUCE_ONLY ? "trading became reduce-only after the order was decided"
                                             : "trading was halted after the order was decided";
}

/* --- own orders --------------------------------------------------------------------------------------------------- */

static bool is_set_up(const struct og_account_state *a)
{
    return a->step == OG_ACCOUNT_READY || a->step == OG_ACCOUNT_BLIND;
}

static void on_unsettled(void *with, const struct og_ledger_row *row)
{
    struct og_sender *s = with;

    for (struct og_account_state *a = s->accounts.first; a; a = a->next)
        if (og_str_is(row->account, a->id) && is_set_up(a))
            (void)og_send_from_ledger(a, row->id);
}

/* Returns true if the broker's order with the id of o is somebody else's, as far as is known. */
static bool is_of_others(const struct og_tracked *o)
{
    return o->external ||
           (o->has_namesake && (o->execution.state == OG_INTENDED || o->execution.state == OG_OUTCOME_UNKNOWN));
}

static int cancel_all_of(struct og_sender *s, const struct og_account_state *only, bool recovered, int64_t until_ms)
{
    struct og_tracked *o, *next;
    int count = 0;

    for (o = s->orders; o; o = next) {
        next = o->next;
        if (o->recovered != recovered || (only && o->account != only) || is_of_others(o))
            continue;
        if (og_state_is_final(o->execution.state) && !og_send_follow_shown(o)) {
            if (og_send_is_denied(o)) {
                og_send_cancel_if_shown(o, until_ms);
                og_send_account_dirty(o->account);
            }
            continue;
        }
        og_send_cancel(o, until_ms, true);
        count++;
    }
    return count;
}

/* Cancel the orders that are followed, and those of ended runs, but not those of somebody else. `only` is the account
 * to which this is restricted; NULL means all accounts. The DELETEs go before other cancels, and are repeated until
 * loop time until_ms. This run's orders come first, since many orders of earlier runs may be over although the ledger
 * has no record of that. Returns how many orders are canceled. */
static int cancel_own(struct og_sender *s, const struct og_account_state *only, int64_t until_ms)
{
    struct og_error err = { 0 };
    int count;

    if (s->ledger && og_ledger_unsettled(s->ledger, on_unsettled, s, &err) != OG_OK)
        og_send_warn(s, "%s; orders of earlier runs are not canceled", err.text);
    count = cancel_all_of(s, only, false, until_ms);
    return count + cancel_all_of(s, only, true, until_ms);
}

/* --- lines that wait ---------------------------------------------------------------------------------------------- */

/* Marks for lines that wait to be decided. */
struct mark {
    bool orphaned;
    uint64_t seen_at[OG_TRADING_HALTED_ALL + 1]; /* set by og_sentry_halted(): a halt does not apply to lines that were
                                                  * read after it was last seen */
};

/* Returns the strictest halt that was seen since og_time_up() `at`. */
static enum og_trading halt_since(const struct mark *m, uint64_t at)
{
    int h = OG_TRADING_HALTED_ALL;

    while (h > OG_TRADING_ON && (m->seen_at[h] == 0 || m->seen_at[h] < at))
        h--;
    return (enum og_trading)h;
}

static void mark_line(struct og_waiting *w, const struct mark *m)
{
    const enum og_trading halt = halt_since(m, w->at);

    w->orphaned = w->orphaned || m->orphaned;
    w->halt = halt > w->halt ? halt : w->halt;
}

/* Mark the orders that are followed, the lines in the queue, and the lines that wait until the order that they replace
 * is canceled. */
static void mark_lines(struct og_sender *s, const struct mark *m)
{
    for (struct og_waiting *w = s->lines.others.first; w; w = w->next)
        mark_line(w, m);
    for (struct og_tracked *o = s->orders; o; o = o->next) {
        og_send_leave_halted(o, halt_since(m, o->leave.line_at));
        for (struct og_cancel_line *c = o->cancel.lines; c; c = c->next)
            if (c->after)
                mark_line(c->after, m);
    }
}

/* A halt applies to each line that was read before the halt ended, and to the line's order, however short the halt was.
 * A halt that is loosened has ended for lines that are read afterwards, even if a less strict halt follows. */
static void mark_halted(struct og_sender *s)
{
    struct mark m = { .orphaned = false };

    if (og_sentry_halted(s->guard.sentry, m.seen_at))
        mark_lines(s, &m);
}

/* --- the dead man's switch ---------------------------------------------------------------------------------------- */

static int input_of(const struct og_sender *s)
{
    return og_send_intake_is_open(s) ? og_send_intake_fd(s) : s->file_now < s->files ? s->file[s->file_now].fd : -1;
}

void og_send_alive(struct og_sender *s)
{
    /* update the loop's time: after a suspension in this iteration, lines that came in time are read late */
    uv_update_time(&s->loop);
    s->guard.alive_ms = og_send_ms(s);
    s->guard.dead = false;
    if (s->guard.sentry)
        og_sentry_heard(s->guard.sentry, og_time_up(), input_of(s));
}

/* Returns true if input waits to be read. If the dead man's switch becomes due after a suspension, heartbeats that
 * came in time may still be unread; and while too many lines wait to be decided, nothing is read. */
static bool unread(const struct og_sender *s)
{
    const struct og_input *in = s->file_now < s->files ? s->file[s->file_now].input : NULL;

    return (in && og_input_waits(in)) || og_send_intake_waits(s);
}

static void tell_death(struct og_sender *s, int count, const char *why)
{
    og_send_tell_dead_man(s, count);
    og_send_warn(s, "dead man's switch: %s; canceling %d order%s", why, count, count == 1 ? "" : "s");
}

static void die(struct og_sender *s, int64_t silent_ms)
{
    const struct mark orphaned = { .orphaned = !s->options.dry_run };
    char why[80];

    s->guard.dead = true;
    mark_lines(s, &orphaned);
    for (struct og_account_state *a = s->accounts.first; a; a = a->next)
        a->cancel_own = !s->options.dry_run && !is_set_up(a);
    snprintf(why, sizeof why, "no line and no heartbeat for %lld ms", (long long)silent_ms);
    tell_death(s, cancel_own(s, NULL, og_send_ms(s) + s->options.wait_ns / OG_NS_PER_MS), why);
}

/* Cancel the earlier orders of an account that was still being set up when the dead man's switch fired. Lines that came
 * after it fired do not prevent that: they concern orders that are sent from now on. */
static void die_late(struct og_sender *s)
{
    for (struct og_account_state *a = s->accounts.first; a; a = a->next) {
        if (!a->cancel_own || !is_set_up(a))
            continue;
        a->cancel_own = false;
        tell_death(s, cancel_own(s, a, og_send_ms(s) + s->options.wait_ns / OG_NS_PER_MS),
                   "it fired before the account was read");
    }
}

static void look_for_life(struct og_sender *s)
{
    int64_t now = og_send_ms(s), most = s->options.dead_man_ns / OG_NS_PER_MS;

    if (most == 0 || s->guard.dead || s->phase != OG_RUNNING)
        return;
    if (s->guard.alive_ms == 0)
        og_send_alive(s); /* the run has just begun: measure the silence from now */
    if (now - s->guard.alive_ms >= most && !unread(s))
        die(s, most);
}

/* --- what the sentry did ------------------------------------------------------------------------------------------ */

/* What the sentry did while the loop was blocked. The loop writes the events about it later. */
struct og_sentry_deed {
    pthread_mutex_t lock;
    bool done;
    int64_t stood_ms;
    int asked, failed;
    struct og_error err;
};

/* Called in the sentry's thread. It reads only the options, the settings and the run's id, which do not change while
 * that thread runs. */
static void on_stuck(void *with, int64_t stood_ms)
{
    struct og_sender *s = with;
    struct og_sentry_deed deed = { .done = true, .stood_ms = stood_ms }, *d = s->guard.deed;

    (void)og_send_cancel_apart(&s->options, &s->settings, s->run.s, &deed.asked, &deed.failed, &deed.err);
    pthread_mutex_lock(&d->lock);
    d->done = true;
    d->stood_ms = stood_ms;
    d->asked = deed.asked;
    d->failed = deed.failed;
    d->err = deed.err;
    pthread_mutex_unlock(&d->lock);
}

static void tell_deed(struct og_sender *s)
{
    struct og_sentry_deed *d = s->guard.deed, was = { .done = false };

    pthread_mutex_lock(&d->lock);
    if (d->done) {
        was.stood_ms = d->stood_ms;
        was.asked = d->asked;
        was.failed = d->failed;
        was.err = d->err;
        was.done = true;
        d->done = false;
    }
    pthread_mutex_unlock(&d->lock);
    if (!was.done)
        return;
    og_send_warn(s,
                 "this process was blocked for %lld ms and read no line; meanwhile it canceled %d order%s over another "
                 "connection%s%s",
                 (long long)was.stood_ms, was.asked - was.failed, was.asked - was.failed == 1 ? "" : "s",
                 was.err.status != OG_OK ? ": "
                 : was.failed > 0        ? ", and some cancels failed"
                                         : "",
                 was.err.status != OG_OK ? was.err.text : "");
    if (!s->guard.dead)
        die(s, s->options.dead_man_ns / OG_NS_PER_MS);
}

/* --- snapshots for `ordergate status` ----------------------------------------------------------------------------- */

/* Called in the sentry's thread: has the loop make a snapshot. */
static void ask_for_snapshot(void *with)
{
    struct og_sender *s = with;

    uv_async_send(&s->guard.snapshot);
}

static void on_snapshot(uv_async_t *async)
{
    struct og_sender *s = async->data;
    struct og_buf b;

    if (!s->guard.sentry)
        return;
    og_buf_init(&b, OG_SENDERS_SNAPSHOT_MOST);
    og_send_snapshot(s, &b);
    if (!b.bad)
        og_sentry_tell(s->guard.sentry, b.s, b.len);
    og_buf_clear(&b);
}

enum og_status og_send_guard_begin(struct og_sender *s, struct og_error *err)
{
    struct og_sentry_options options = {
        .is_told = !s->options.dry_run, .stuck = on_stuck, .snapshot = ask_for_snapshot, .with = s
    };
    enum og_status status = og_halt_also(err);

    if (status != OG_OK)
        return status;
    s->guard.began_ns = og_time_now();
    if (uv_async_init(&s->loop, &s->guard.snapshot, on_snapshot) != 0)
        return og_fail(err, OG_ENET, "libuv cannot be started");
    s->guard.snapshot.data = s;
    s->guard.asks_snapshot = true;
    if (!(s->guard.deed = calloc(1, sizeof *s->guard.deed)) || pthread_mutex_init(&s->guard.deed->lock, NULL) != 0) {
        free(s->guard.deed);
        s->guard.deed = NULL;
        return og_fail(err, OG_ENOMEM, "out of memory");
    }
    if (s->options.dead_man_ns != 0 && !s->options.dry_run) {
        options.silent_ms = s->options.dead_man_ns / OG_NS_PER_MS;
        options.stuck_ms = OG_STUCK_MS;
    }
    if ((status = og_sentry_new(&options, &s->guard.sentry, err)) == OG_OK && og_sentry_deaf(s->guard.sentry))
        og_send_warn(s, "%s", og_sentry_deaf(s->guard.sentry));
    return status;
}

void og_send_guard_end(struct og_sender *s)
{
    og_sentry_free(s->guard.sentry);
    s->guard.sentry = NULL;
    if (s->guard.asks_snapshot)
        uv_close((uv_handle_t *)&s->guard.snapshot, NULL);
    s->guard.asks_snapshot = false;
    if (s->guard.deed)
        pthread_mutex_destroy(&s->guard.deed->lock);
    free(s->guard.deed);
    s->guard.deed = NULL;
}

void og_send_guard(struct og_sender *s)
{
    og_send_look_for_halt(s);
    if (s->phase != OG_RUNNING)
        og_sentry_heard(s->guard.sentry, 0, -1);
    mark_halted(s);
    tell_deed(s);
    look_for_life(s);
    die_late(s);
}
