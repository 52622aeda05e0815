/*
 * What ordergate guard does for a run that is gone: it tells, halts trading, and cancels the orders that the run left.
 * Halting and canceling are done by ordergate halt and ordergate send. What send does there it records, and does not do
 * twice; so a guard that is killed leaves nothing half done, and the next one begins anew.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ordergate/broker.h"
#include "tools/common/child.h"
#include "tools/common/exit.h"
#include "tools/common/guard.h"
#include "tools/common/messages.h"
#include "tools/common/send_log.h"

#define DEEDS_MOST    64
#define AGAIN_MS      1000 /* pause before what failed is tried again; it doubles each time */
#define AGAIN_MOST_MS 60000
#define CHECK_MOST_S  15 /* how long the dry run at the start may take */

/* Something to be done, and to be tried again until it is. */
struct task {
    bool done;
    pid_t pid; /* the process that does it; 0: none is under way */
    int64_t next_ms, pause_ms;
};

/* A run that is gone, or whose sender gives no sign of life. */
struct deed {
    bool used;
    long long number;
    char run[64];
    bool gone; /* otherwise trading is halted, and nothing else is done */
    struct task halt, cancel;
};

static struct deed deeds[DEEDS_MOST];
static int settled;

static void put_off(struct task *t)
{
    t->pause_ms = t->pause_ms == 0 ? AGAIN_MS : t->pause_ms < AGAIN_MOST_MS / 2 ? 2 * t->pause_ms : AGAIN_MOST_MS;
    t->next_ms = guard_now_ms() + t->pause_ms;
}

/* Returns true if a task's process has ended, with its exit code. */
static bool has_ended(struct task *t, int *code)
{
    if (!t->pid || (*code = child_end(t->pid, false)) < 0)
        return false;
    t->pid = 0;
    return true;
}

/* Lines for a sender. */
struct cancel_lines {
    char *text;
    size_t len, count;
    FILE *to;
};

static int put_line(void *with, const char *json, size_t len)
{
    struct cancel_lines *l = with;

    l->count++;
    return fwrite(json, 1, len, l->to) == len && fputc('\n', l->to) != EOF ? 0 : -1;
}

/* Read the orders that the run left. Returns false after a message. */
static bool read_lines(struct og_run_watch *runs, const char *run, struct cancel_lines *l, int *unknown)
{
    struct og_error err = { 0 };
    enum og_status status = OG_ENOMEM;

    *l = (struct cancel_lines){ .to = open_memstream(&l->text, &l->len) };
    if (l->to) {
        status = og_runs_orders(runs, run, put_line, l, unknown, &err);
        if (fclose(l->to) != 0)
            status = OG_ENOMEM;
    }
    if (status == OG_OK)
        return true;
    send_log_error(&err, 0);
    free(l->text);
    l->text = NULL;
    return false;
}

static void add_options(const struct guard_options *o, struct child_args *args)
{
    child_add_option(args, "--ledger", o->ledger);
    for (int i = 0; i < o->send_count; i++)
        child_add(args, o->send_args[i]);
}

/* Check the settings with which the broker is reached; it is not asked. Returns 0, or the exit code after a message. */
static int check_settings(const struct guard_options *o)
{
    const struct og_client_options how = { .broker = o->broker, .account = o->account };
    struct og_client *client;
    struct og_error err = { 0 };
    const enum og_status status = og_client_open(&how, &client, &err);

    og_client_close(client);
    if (status == OG_OK)
        return 0;
    return send_log_error(&err, status == OG_EINVAL || status == OG_EIO ? EXIT_USAGE : EXIT_IO);
}

int guard_check(const struct guard_options *o, const volatile sig_atomic_t *stop)
{
    struct child_args args = { .count = 0 };
    int in, cause, code;
    pid_t pid;

    if (!o->cancel)
        return 0;
    if ((code = check_settings(o)) != 0)
        return code;
    child_add(&args, "--dry-run");
    add_options(o, &args);
    child_add(&args, "-");
    in = child_input("", 0);
    cause = in < 0 ? errno : child_start("send", &args, in, STDERR_FILENO, &pid);
    if (in >= 0)
        close(in);
    if (cause) {
        send_log(OG_LOG_ERROR, "ordergate-send cannot be run: %s", strerror(cause));
        return EXIT_IO;
    }
    code = child_end_within(pid, CHECK_MOST_S, stop);
    if (code < 0 && !*stop)
        send_log(OG_LOG_ERROR,
                 "the dry run of ordergate send did not end within %d s, and was ended: it is not known whether it can "
                 "cancel",
                 CHECK_MOST_S);
    if (code != EXIT_USAGE && code != EXIT_UNUSABLE)
        return 0; /* a broker that is away now may be there when it is needed */
    send_log(OG_LOG_ERROR, "ordergate send cannot run with these options, so it could cancel nothing");
    return code;
}

/* Returns the deed for a run, which is made if there is none; NULL if there is no room. */
static struct deed *deed_of(const struct guard_options *o, const struct og_run_seen *run, bool gone, bool *is_new)
{
    struct deed *room = NULL, *d;

    *is_new = false;
    for (d = deeds; d < deeds + DEEDS_MOST; d++) {
        if (d->used && d->number == run->number && d->gone == gone)
            return d;
        if (!d->used && !room)
            room = d;
    }
    if (!room)
        return NULL;
    *is_new = true;
    *room = (struct deed){ .used = true, .number = run->number, .gone = gone };
    room->halt.done = !o->halt;
    room->cancel.done = !o->cancel || !gone;
    snprintf(room->run, sizeof room->run, "%s", run->id);
    return room;
}

void guard_act_on(const struct guard_options *o, struct og_run_watch *runs, const struct og_run_seen *run)
{
    bool is_new;
    struct cancel_lines l;
    int unknown;

    if (!deed_of(o, run, true, &is_new) || !is_new)
        return; /* without room, it is reported again */
    if (read_lines(runs, run->id, &l, &unknown))
        guard_tell("gone", run->id, ",'orders':%zu,'unknown':%d", l.count, unknown);
    else
        guard_tell("gone", run->id, ",'orders':null,'unknown':null%c", 0);
    free(l.text);
}

void guard_act_on_silent(const struct guard_options *o, const struct og_run_seen *run)
{
    bool is_new;

    (void)deed_of(o, run, false, &is_new);
}

/* --- halting ------------------------------------------------------------------------------------------------------ */

static void fail(const struct deed *d, struct task *t, int code, size_t orders)
{
    if (t == &d->halt)
        guard_tell("failed", d->run, ",'what':'halt','exit':%d", code);
    else
        guard_tell("failed", d->run, ",'what':'cancel','exit':%d,'orders':%zu", code, orders);
    put_off(t);
}

static void start_halt(const struct guard_options *o, struct deed *d)
{
    struct child_args args = { .count = 0 };
    char reason[200];
    int cause;

    snprintf(reason, sizeof reason, "ordergate guard: the sender of run %s %s", d->run,
             d->gone ? "is gone and had not stopped" : "gives no sign of life");
    child_add_option(&args, "--reason", reason);
    if (o->halt == GUARD_HALT_REDUCE_ONLY)
        child_add(&args, "--reduce-only");
    if (o->halt == GUARD_HALT_ALL)
        child_add(&args, "--all");
    if (!(cause = child_start("halt", &args, -1, STDERR_FILENO, &d->halt.pid)))
        return;
    d->halt.pid = 0;
    send_log(OG_LOG_ERROR, "ordergate-halt cannot be run: %s", strerror(cause));
    fail(d, &d->halt, EXIT_IO, 0);
}

static void halt(const struct guard_options *o, struct deed *d)
{
    int code;

    if (!d->halt.pid) {
        if (guard_now_ms() >= d->halt.next_ms)
            start_halt(o, d);
        return;
    }
    if (!has_ended(&d->halt, &code))
        return;
    /* 1: the flag stands, and a sender did not say that it obeys, such as one that is suspended */
    d->halt.done = code <= EXIT_NO;
    if (d->halt.done)
        guard_tell("halted", d->run, ",'exit':%d", code);
    else
        fail(d, &d->halt, code, 0);
}

/* --- canceling ---------------------------------------------------------------------------------------------------- */

static void start_cancels(const struct guard_options *o, struct deed *d, const struct cancel_lines *l)
{
    struct child_args args = { .count = 0 };
    int in = child_input(l->text, l->len), cause;

    child_add(&args, "--recover");
    add_options(o, &args);
    child_add(&args, "-");
    cause = in < 0 ? errno : child_start("send", &args, in, -1, &d->cancel.pid);
    if (in >= 0)
        close(in);
    if (!cause)
        return;
    d->cancel.pid = 0;
    send_log(OG_LOG_ERROR, "ordergate-send cannot be run: %s", strerror(cause));
    fail(d, &d->cancel, EXIT_IO, l->count);
}

static void cancel(const struct guard_options *o, struct og_run_watch *runs, struct deed *d)
{
    const bool ran = d->cancel.pid != 0;
    struct cancel_lines l;
    int unknown, code = 0;

    if (ran ? !has_ended(&d->cancel, &code) : guard_now_ms() < d->cancel.next_ms)
        return;
    if (!read_lines(runs, d->run, &l, &unknown)) {
        fail(d, &d->cancel, EXIT_IO, 0);
        return;
    }
    d->cancel.done = l.count == 0;
    if (d->cancel.done)
        guard_tell("canceled", d->run, ",'exit':%d", code);
    else if (ran)
        fail(d, &d->cancel, code, l.count);
    else
        start_cancels(o, d, &l);
    free(l.text);
}

int guard_act(const struct guard_options *o, struct og_run_watch *runs)
{
    int left = 0;

    for (struct deed *d = deeds; d < deeds + DEEDS_MOST; d++) {
        if (!d->used)
            continue;
        if (!d->halt.done)
            halt(o, d);
        if (!d->cancel.done)
            cancel(o, runs, d);
        if (!d->halt.done || !d->cancel.done) {
            left++;
            continue;
        }
        if (d->gone)
            og_runs_settle(runs, d->number);
        settled += d->gone;
        d->used = false;
    }
    return left;
}

int guard_acted(void)
{
    return settled;
}
