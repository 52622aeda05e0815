/*
 * The sender: its loop, its start and its end.  One function, the tick, checks everything that may be due.  A run
 * does not end while a line has no outcome.
 */
#include "send/sender.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/error.h"
#include "ordergate/order.h"
#include "send/event.h"
#include "send/reading_inputs.h"

#define IN_FLIGHT 10

static void tick(struct og_sender *s);

int64_t og_send_ms(const struct og_sender *s)
{
    return (int64_t)uv_now(&s->loop);
}

static void say(struct og_sender *s, enum og_log_level level, const char *format, va_list args)
{
    char text[640];

    if (!s->options.log && !s->options.word)
        return;
    vsnprintf(text, sizeof text, format, args);
    for (char *c = text; *c != '\0'; c++)
        if ((unsigned char)*c < 0x20 || *c == 0x7f)
            *c = ' ';
    if (s->options.log)
        s->options.log(s->options.with, level, text);
    else
        s->options.word(s->options.with, text);
}

void og_send_say(struct og_sender *s, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    say(s, OG_LOG_INFO, format, args);
    va_end(args);
}

void og_send_warn(struct og_sender *s, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    say(s, OG_LOG_WARNING, format, args);
    va_end(args);
}

static void on_tick(uv_timer_t *timer)
{
    tick(timer->data);
}

struct og_order *og_send_swap_line(struct og_sender *s, struct og_order *to)
{
    struct og_order *was = s->order;

    s->order = to;
    return was;
}

void og_send_wake(struct og_sender *s)
{
    if (s->phase != OG_ENDING && !uv_is_closing((uv_handle_t *)&s->tick))
        uv_timer_start(&s->tick, on_tick, 0, 0);
}

void og_send_run(struct og_sender *s)
{
    s->phase = OG_RUNNING;
}

static void begin_stop(struct og_sender *s)
{
    if (s->phase >= OG_STOPPING)
        return;
    s->phase = OG_STOPPING;
    s->stop_ms = og_send_ms(s) + OG_STOP_MS;
    og_send_notify_stopping(s);
    s->options.until_final = false; /* no longer wait until working orders end */
    og_send_wake(s);
}

void og_send_fatal(struct og_sender *s, int exit_code, const struct og_error *err)
{
    if (s->fatal == 0) {
        s->fatal = exit_code;
        s->fault = *err;
        og_fail(&s->fault, OG_ENOMEM, "out of memory"); /* has no effect if *err has an error */
    }
    begin_stop(s);
}

/* --- the tick ----------------------------------------------------------------------------------------------------- */

/* Returns true if the run must not end before this order is settled. In a run that has lines, an order of an earlier
 * run that no line names delays the end only until its first look-up. */
static bool holds_the_end(const struct og_sender *s, const struct og_tracked *o)
{
    if (!og_send_is_pending(o))
        return false;
    if (s->phase == OG_STOPPING)
        return o->line.origin.line > 0 || o->post.under_way || o->cancel.state != OG_CANCEL_NONE;
    if (o->cancel.state != OG_CANCEL_NONE)
        return true;
    return !(o->recovered && o->line.origin.line == 0 && !s->options.recover && s->had_lines && o->look.count > 0);
}

static bool anything_pending(const struct og_sender *s)
{
    for (const struct og_tracked *o = s->orders; o; o = o->next)
        if (holds_the_end(s, o))
            return true;
    return false;
}

static bool any_account_loading(const struct og_sender *s)
{
    for (const struct og_account_state *a = s->accounts.first; a; a = a->next)
        if (a->step == OG_ACCOUNT_LOADING)
            return true;
    return false;
}

static void conclude_all(struct og_sender *s)
{
    struct og_tracked *o, *next;

    for (o = s->orders; o; o = next) {
        next = o->next;
        og_send_post_stop(o);
        og_send_cancel_stop(o);
        if (o->line.owed)
            og_send_conclude(o);
    }
    for (o = s->orders; o; o = next) {
        next = o->next;
        og_send_cancel_conclude(o);
    }
}

static void stop_what_can_be(struct og_sender *s)
{
    struct og_tracked *o, *next;

    if (s->stopped)
        return;
    s->stopped = true;
    og_broker_stop_posting(s->broker);
    og_send_drop_lines(s);
    for (o = s->orders; o; o = next) {
        next = o->next;
        og_send_settle(o);
    }
}

static bool is_over(struct og_sender *s)
{
    if (s->phase == OG_STARTING || (s->phase == OG_RUNNING && !s->accounts.list && s->accounts.blind.status == OG_OK))
        return false;
    /* the stop may have begun in this iteration: the lines that wait get their outcomes in the next one */
    if (s->phase == OG_STOPPING)
        return s->stopped && (!anything_pending(s) || og_send_is_past(s, &s->stop_ms));
    return og_send_inputs_are_over(s) && !og_send_first_line(s) && !any_account_loading(s) && !anything_pending(s);
}

static void schedule(struct og_sender *s)
{
    const int64_t due[] = { og_send_ask_next(s), og_send_decide_next(s), og_send_records_next(s),
                            og_send_notify_next(s) };
    int64_t now = og_send_ms(s), next = now + OG_TICK_MOST_MS;

    for (size_t i = 0; i < sizeof due / sizeof due[0]; i++)
        if (due[i] < next)
            next = due[i];
    /* the timer waits at least 1 ms: with 0 libuv would not poll its sockets */
    if (!uv_is_active((uv_handle_t *)&s->tick))
        uv_timer_start(&s->tick, on_tick, (uint64_t)(next > now ? next - now : 1), 0);
}

static void tick(struct og_sender *s)
{
    og_send_pauses(s);
    og_send_compare_clocks(s);
    og_send_guard(s);
    og_send_records_due(s);
    og_send_take_in_due(s);
    og_send_list_due(s);
    og_send_look_elsewhere(s);
    og_send_latches_due(s);
    og_send_leave_due(s);
    if (s->phase == OG_STOPPING)
        stop_what_can_be(s);
    og_send_begin_quotes(s);
    if (s->phase == OG_RUNNING) {
        og_send_reload_due(s);
        og_send_decide(s);
    }
    og_send_let_flow(s);
    og_send_tell_held(s);
    og_send_forecast(s);
    og_send_ask_due(s);
    og_send_give_up(s);
    og_send_cancel_due(s);
    og_send_notify_due(s);
    if (is_over(s)) {
        conclude_all(s);
        og_send_end_blind(s);
        if (s->phase < OG_STOPPING)
            og_send_notify_stopping(s);
        s->phase = OG_ENDING;
        uv_stop(&s->loop);
        return;
    }
    schedule(s);
}

/* Called before the loop waits: the records of this iteration go to the disk, then its events to the listener. */
static void on_prepare(uv_prepare_t *prepare)
{
    struct og_sender *s = prepare->data;

    og_sentry_turned(s->guard.sentry);
    og_send_flush(s);
}

static void on_stop(uv_async_t *async)
{
    begin_stop(async->data);
}

/* --- making a sender ---------------------------------------------------------------------------------------------- */

static bool copy(const char **text)
{
    return !*text || (*text = strdup(*text));
}

static bool copy_texts(struct og_send_options *o)
{
    const char **texts[] = {
        &o->broker, &o->account, &o->ledger, &o->quotes, &o->batch, &o->notify_socket, &o->intake
    };
    bool ok = true;

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        ok = copy(texts[i]) && ok;
    return ok;
}

static void free_texts(struct og_send_options *o)
{
    free((char *)(uintptr_t)o->broker);
    free((char *)(uintptr_t)o->account);
    free((char *)(uintptr_t)o->ledger);
    free((char *)(uintptr_t)o->quotes);
    free((char *)(uintptr_t)o->batch);
    free((char *)(uintptr_t)o->notify_socket);
    free((char *)(uintptr_t)o->intake);
}

static enum og_status check_options(struct og_sender *s, struct og_error *err)
{
    struct og_send_options *o = &s->options;

    s->wait_given = o->wait_ns != 0;
    o->wait_ns = o->wait_ns != 0 ? o->wait_ns : OG_REQUEST_WAIT_NS;
    o->timeout_ns = o->timeout_ns != 0 ? o->timeout_ns : OG_REQUEST_TIMEOUT_NS;
    o->max_in_flight = o->max_in_flight != 0 ? o->max_in_flight : IN_FLIGHT;
    if (!o->policy)
        return og_fail(err, OG_EINVAL, "a sender needs a policy");
    if (o->wait_ns < 0 || o->timeout_ns < OG_NS_PER_MS || o->timeout_ns > 3600 * OG_NS_PER_S)
        return og_fail(err, OG_EINVAL, "the wait must not be negative, the timeout is 1ms to 1h");
    if (o->dead_man_ns < 0)
        return og_fail(err, OG_EINVAL, "the dead man's switch must not be negative");
    if (o->max_in_flight < 1 || o->max_in_flight > 1000)
        return og_fail(err, OG_EINVAL, "max-in-flight is %d, allowed are 1 to 1000", o->max_in_flight);
    return OG_OK;
}

static enum og_status make_loop(struct og_sender *s, struct og_error *err)
{
    if (uv_loop_init(&s->loop) != 0)
        return og_fail(err, OG_ENET, "libuv cannot be started");
    s->loop_made = true;
    uv_timer_init(&s->loop, &s->tick);
    uv_prepare_init(&s->loop, &s->prepare);
    if (uv_async_init(&s->loop, &s->stop, on_stop) != 0 ||
        uv_async_init(&s->loop, &s->reload, og_send_on_reload) != 0 ||
        uv_async_init(&s->loop, &s->report, og_send_on_report) != 0)
        return og_fail(err, OG_ENET, "libuv cannot be started");
    s->tick.data = s->prepare.data = s->stop.data = s->reload.data = s->report.data = s;
    return OG_OK;
}

static enum og_status make_parts(struct og_sender *s, struct og_error *err)
{
    enum og_status status = make_loop(s, err);

    if (status != OG_OK || (status = og_settings_read(&s->settings, s->options.broker, err)) != OG_OK ||
        (status = og_send_open_quotes(s, err)) != OG_OK || (status = og_send_notify_begin(s, err)) != OG_OK)
        return status;
    og_clock_init(&s->clock, s->settings.broker_clock);
    og_buf_init(&s->told.events, 0);
    og_buf_init(&s->told.writers, 0);
    og_buf_init(&s->given_used, 0);
    s->scratch = og_scratch_new();
    s->order = og_order_new();
    s->request = og_request_new();
    s->table = og_orders_new();
    if (!s->scratch || !s->order || !s->request || !s->table || !og_ident_new(&s->maker, og_time_now(), &s->run))
        return og_fail(err, OG_ENOMEM, "out of memory");
    status = og_broker_new(&s->loop, &s->settings, (long)(s->options.timeout_ns / OG_NS_PER_MS), &s->broker, err);
    if (status == OG_OK && (status = og_send_policy_begin(s, err)) == OG_OK)
        status = og_book_halt_source(s->book, "",
                                     err); /* no halt source for the book: kill_switches.c reads the halt flags */
    return status;
}

enum og_status og_sender_new(const struct og_send_options *options, struct og_sender **sender, struct og_error *err)
{
    struct og_sender *s;
    enum og_status status;

    if (!options || !sender)
        return og_missing(err);
    s = calloc(1, sizeof *s);
    *sender = NULL;
    if (!s)
        return og_fail(err, OG_ENOMEM, "out of memory");
    s->options = *options;
    status = copy_texts(&s->options) ? check_options(s, err) : og_fail(err, OG_ENOMEM, "out of memory");
    if (status == OG_OK)
        status = make_parts(s, err);
    if (status != OG_OK) {
        og_sender_free(s);
        s = NULL;
    }
    *sender = s;
    return status;
}

/* --- running ------------------------------------------------------------------------------------------------------ */

static enum og_status start(struct og_sender *s, struct og_error *err)
{
    enum og_status status = og_send_intake_open(s, err);

    if (status != OG_OK || (status = og_send_open_ledger(s, err)) != OG_OK ||
        (status = og_send_others_begin(s, err)) != OG_OK)
        return status;
    if (!og_send_watch_quotes(s))
        return og_fail(err, OG_ENOMEM, "out of memory");
    if (s->options.dead_man_ns != 0)
        og_send_say(s, "dead man's switch: send lines or heartbeats in time; it does not act if this process itself "
                       "ends (ordergate guard does)");
    if ((status = og_send_guard_begin(s, err)) != OG_OK)
        return status;
    uv_prepare_start(&s->prepare, on_prepare);
    og_send_start(s);
    og_send_wake(s);
    return OG_OK;
}

/* Close everything that is on the loop; og_sender_free() frees the rest. */
static void tear_down(struct og_sender *s)
{
    uv_async_t *const asyncs[] = { &s->stop, &s->reload, &s->report };

    if (!s->loop_made)
        return;
    s->loop_made = false;
    og_send_unread_inputs(s);
    og_send_intake_close(s);
    og_send_notify_end(s);
    og_broker_free(s->broker);
    og_send_accounts_free(s);
    uv_timer_stop(&s->tick);
    uv_close((uv_handle_t *)&s->tick, NULL);
    uv_close((uv_handle_t *)&s->prepare, NULL);
    for (size_t i = 0; i < sizeof asyncs / sizeof asyncs[0]; i++)
        if (uv_handle_get_type((uv_handle_t *)asyncs[i]) == UV_ASYNC)
            uv_close((uv_handle_t *)asyncs[i], NULL);
    uv_run(&s->loop, UV_RUN_DEFAULT);
    uv_loop_close(&s->loop);
}

static int exit_code(const struct og_sender *s)
{
    if (s->told.unknown > 0)
        return 5;
    if (s->fatal != 0)
        return s->fatal;
    return s->told.not_sent ? 4 : s->told.refused ? 1 : 0;
}

enum og_status og_sender_start(struct og_sender *s, struct og_error *err)
{
    enum og_status status;

    if (!s)
        return og_missing(err);
    status = start(s, &s->fault);
    s->begun = status == OG_OK;
    if (status == OG_OK)
        return OG_OK;
    s->fatal = 4;
    s->phase = OG_ENDING;
    if (err)
        *err = s->fault;
    return status;
}

int og_sender_fd(const struct og_sender *s)
{
    return s ? uv_backend_fd(&s->loop) : -1;
}

int og_sender_timeout_ms(struct og_sender *s)
{
    if (!s)
        return -1;
    uv_update_time(&s->loop);
    return uv_backend_timeout(&s->loop);
}

bool og_sender_step(struct og_sender *s)
{
    if (!s)
        return false;
    if (s->phase != OG_ENDING)
        uv_run(&s->loop, UV_RUN_NOWAIT);
    og_send_flush(s); /* commit now: the caller may take long until it runs the loop again */
    return s->phase != OG_ENDING;
}

enum og_status og_sender_finish(struct og_sender *s, int *code, struct og_error *err)
{
    if (!s || !code)
        return og_missing(err);
    og_send_flush(s);
    if (s->begun) {
        og_send_end_records(s);
        og_send_flush(s);
    }
    og_send_say_end(s);
    *code = exit_code(s);
    if (s->ledger)
        og_ledger_run_ends(s->ledger, *code);
    if (s->fatal == 0)
        return OG_OK;
    if (err)
        *err = s->fault;
    return s->fault.status != OG_OK ? s->fault.status : OG_EIO;
}

enum og_status og_sender_run(struct og_sender *s, int *code, struct og_error *err)
{
    if (!s || !code)
        return og_missing(err);
    if (og_sender_start(s, err) == OG_OK)
        uv_run(&s->loop, UV_RUN_DEFAULT);
    return og_sender_finish(s, code, err);
}

void og_sender_free(struct og_sender *s)
{
    if (!s)
        return;
    og_send_guard_end(s); /* first end the sentry's thread, which reads memory that is freed below */
    tear_down(s);
    while (s->orders) {
        og_send_cancel_free(s->orders);
        og_orders_remove(s->orders);
    }
    og_send_free_lines(s);
    og_send_others_free(s);
    og_orders_free(s->table);
    og_send_records_free(s);
    og_ledger_close(s->ledger);
    og_book_free(s->book);
    og_scratch_free(s->scratch);
    og_order_free(s->order);
    og_request_free(s->request);
    for (int i = 0; i < s->files; i++)
        free(s->file[i].name);
    free(s->file);
    free(s->accounts.list);
    og_buf_clear(&s->given_used);
    og_buf_clear(&s->told.events);
    og_buf_clear(&s->told.writers);
    og_send_close_quotes(s);
    og_settings_clear(&s->settings);
    free(s->policy.digest);
    free_texts(&s->options);
    free(s);
}
