/*
 * ordergate guard: watches the senders of a ledger from a process of its own. This file has the options and the loop;
 * the library tells which runs there are (ordergate/runs.h).
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "ordergate/time.h"
#include "tools/common/exit.h"
#include "tools/common/guard.h"
#include "tools/common/json.h"
#include "tools/common/messages.h"
#include "tools/common/options.h"
#include "tools/common/secret.h"
#include "tools/common/send_alert.h"
#include "tools/common/send_log.h"
#include "tools/common/send_options.h"

#define LOOK_MS     100 /* how often the locks of runs are looked at */
#define FAULTS_MOST 10  /* looks that find a ledger unusable before that is told */

static const struct option_row rows[] = {
    OPTION_ROW("ledger", 0, "FILE", TEXT_AT(struct guard_options, ledger),
               "the ledger whose senders are watched (default: $XDG_STATE_HOME/ordergate/ledger.db); it may not be "
               "there yet"),
    OPTION_ROW("ledger-key", 0, "FILE", SET_BY(options_set_ledger_key, NULL),
               "key of a keyed ledger (default: ORDERGATE_LEDGER_KEY)"),
    OPTION_ROW("halt", 0, "none|reduce-only|halted|halted-all", CHOICE_AT(struct guard_options, halt),
               "when a sender is gone, or gives no sign of life, halt trading as ordergate halt does with "
               "--reduce-only, without it, and with --all (default: none)"),
    OPTION_ROW("cancel", 0, NULL, FLAG_AT(struct guard_options, cancel),
               "when a sender is gone, cancel the orders that it left working, stops and targets too: positions stay, "
               "without them"),
    OPTION_ROW("on-event", 0, "COMMAND", TEXT_AT(struct guard_options, on_event),
               "run this shell command, with the event on its standard input, for the events gone, silent, killed and "
               "failed"),
    OPTION_ROW("silent", 0, "DURATION", DURATION_AT(struct guard_options, silent_ns),
               "tell of a sender that is suspended or blocked, and gives no sign of life for so long (default: 10s)"),
    OPTION_ROW("kill", 0, NULL, FLAG_AT(struct guard_options, kill),
               "end such a sender by SIGKILL, so that it is gone"),
    OPTION_ROW("once", 0, NULL, FLAG_AT(struct guard_options, once),
               "end when all was done for a sender that was gone"),
    OPTION_END,
};

static const struct option_spec spec = {
    .program = "ordergate guard",
    .synopsis = "[options] [-- OPTION OF ordergate send...]",
    .about =
        "Watches the senders of a ledger from a process of its own, and acts when one is gone without having stopped: "
        "it was killed, crashed, or ran out of memory.  A sender's own dead man's switch ends with the sender; this "
        "one "
        "does not.  It tells by an event, and does what is chosen: it halts trading, and cancels the orders that the "
        "sender left, within seconds.  A sender that only gives no sign of life still has its orders: the guard tells "
        "of it and halts, and cancels nothing unless --kill ends that sender first.\n"
        "\n"
        "  ordergate guard --ledger day.db --halt halted --cancel -- -p live --broker broker.yaml\n"
        "  ordergate guard --on-event 'page-the-desk'      tell only\n"
        "\n"
        "Start it before the senders, from a service manager that starts it again.  Of several guards of a ledger one "
        "acts, and the next takes over when that one ends.\n",
    .rows = rows,
    .notes = "What stands after -- are options of ordergate send, with which cancels are sent: policy, broker file, "
             "account.  A file, or an option that would bring other lines, is refused.  They are tried by a dry run at "
             "the start.  No order is posted.",
    .exits = "0 stopped by SIGINT or SIGTERM, or --once and all was done; 2 usage, or a broker file cannot be used, 3 "
             "a policy cannot be used, 4 the ledger "
             "cannot be used, or it was stopped before all was done",
    .in_order = true,
};

static volatile sig_atomic_t stopped;

static void on_stop(int signal)
{
    (void)signal;
    stopped = 1;
}

int64_t guard_now_ms(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * INT64_C(1000) + t.tv_nsec / 1000000;
}

void guard_tell(const char *event, const char *run, const char *format, ...)
{
    char *text = NULL;
    size_t len;
    FILE *to = open_memstream(&text, &len);
    va_list args;

    if (!to)
        return;
    og_json(to, "{'event':%s,'at':%s", event, og_time_text(og_time_now()).s);
    if (run)
        og_json(to, ",'run':%s", run);
    va_start(args, format);
    og_json_list(to, format, args);
    va_end(args);
    fputc('}', to);
    if (fclose(to) == 0) {
        /* a reader that is gone is no reason to stop watching */
        if (og_print_line_now(NULL, text, len) != 0)
            send_log(OG_LOG_ERROR, "stdout: cannot be written: %s", strerror(errno));
        send_alert_event(text, len);
    }
    free(text);
}

/* --- the service manager ------------------------------------------------------------------------------------------ */

static struct {
    int socket; /* -1: none */
    struct sockaddr_un at;
    socklen_t size;
    int64_t every_ms, next_ms; /* of signs of life; 0: none are wanted */
} manager = { .socket = -1 };

static void notify(const char *text)
{
    if (manager.socket >= 0)
        (void)sendto(manager.socket, text, strlen(text), MSG_DONTWAIT | MSG_NOSIGNAL,
                     (const struct sockaddr *)&manager.at, manager.size);
}

/* Read what a service manager wants to be told (sd_notify(3)); processes that are started are not to tell it. */
static void notify_begin(void)
{
    const char *path = getenv("NOTIFY_SOCKET"), *us = getenv("WATCHDOG_USEC"), *pid = getenv("WATCHDOG_PID");
    const size_t len = path ? strlen(path) : 0;

    if (len > 0 && len < sizeof manager.at.sun_path) {
        manager.at.sun_family = AF_UNIX;
        memcpy(manager.at.sun_path, path, len);
        if (path[0] == '@')
            manager.at.sun_path[0] = '\0';
        manager.size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + len);
        manager.socket = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
        if (us && (!pid || strtol(pid, NULL, 10) == getpid()))
            manager.every_ms = strtoll(us, NULL, 10) / 1000 / 3;
    }
    unsetenv("NOTIFY_SOCKET");
    unsetenv("WATCHDOG_USEC");
    unsetenv("WATCHDOG_PID");
}

static void notify_alive(void)
{
    const int64_t now = guard_now_ms();

    if (manager.every_ms <= 0 || now < manager.next_ms)
        return;
    manager.next_ms = now + manager.every_ms;
    notify("WATCHDOG=1");
}

/* --- the loop ----------------------------------------------------------------------------------------------------- */

struct watch {
    const struct guard_options *o;
    struct og_run_watch *runs;
    bool is_missing;   /* there was no ledger when it was looked for last */
    bool acts;         /* this is the guard that acts */
    bool told_standby; /* another guard acts, which was told */
    int faults;        /* number of looks that found that fault */
    char fault[256];   /* why the ledger cannot be used at present; "" if it can */
};

static void on_run(void *with, const struct og_run_seen *run)
{
    struct watch *w = with;

    switch (run->state) {
    case OG_RUN_RUNS: guard_pulse_look(w->o, run); break;
    case OG_RUN_STOPPED:
        guard_pulse_forget(run->id);
        guard_tell("stopped", run->id, ",'exit':%d", run->exit_code);
        break;
    case OG_RUN_GONE:
        guard_pulse_forget(run->id);
        guard_act_on(w->o, w->runs, run);
        break;
    }
}

/* Say once why the ledger cannot be used. A file that is being made is no ledger for a moment. */
static void say_fault(struct watch *w, const struct og_error *err)
{
    if (strcmp(w->fault, err->text) != 0)
        w->faults = 0;
    snprintf(w->fault, sizeof w->fault, "%s", err->text);
    if (w->faults++ == (err->status == OG_ENOENT ? 0 : FAULTS_MOST))
        send_log(err->status == OG_ENOENT ? OG_LOG_INFO : OG_LOG_ERROR, "%s; waiting for it", err->text);
}

/* Open the watch, and become the guard that acts. Returns false if that is not possible now. */
static bool is_ready(struct watch *w)
{
    struct og_error err = { 0 };

    if (!w->runs) {
        const enum og_status status = og_runs_open(w->o->ledger, w->is_missing, &w->runs, &err);

        w->is_missing |= status == OG_ENOENT;
        if (status != OG_OK) {
            say_fault(w, &err);
            return false;
        }
    }
    w->is_missing = false;
    w->fault[0] = '\0';
    if (w->acts)
        return true;
    w->acts = og_runs_hold(w->runs);
    if (w->acts)
        guard_tell("watching", NULL, ",'ledger':%s", w->o->ledger);
    else if (!w->told_standby)
        guard_tell("standby", NULL, ",'ledger':%s", w->o->ledger);
    w->told_standby = !w->acts;
    return w->acts;
}

static void close_watch(struct watch *w)
{
    og_runs_close(w->runs);
    w->runs = NULL;
    w->acts = w->told_standby = false;
}

static void on_standby(void *with, const struct og_run_seen *run)
{
    (void)with;
    (void)run;
}

/* Look once. Returns for how many runs something is left to be done. */
static int look(struct watch *w)
{
    const bool acts = is_ready(w);
    struct og_error err = { 0 };

    if (!w->runs)
        return 0;
    /* a guard on standby looks too: it knows then which runs are newer than itself */
    if (og_runs_look(w->runs, acts ? on_run : on_standby, w, &err) != OG_OK) {
        say_fault(w, &err);
        close_watch(w);
        return 0;
    }
    return acts ? guard_act(w->o, w->runs) : 0;
}

static int watch(const struct guard_options *o)
{
    struct watch w = { .o = o };
    int left = 0;

    while (!stopped) {
        left = look(&w);
        if (w.runs)
            notify_alive();
        if (o->once && guard_acted() > 0 && left == 0)
            break;
        (void)poll(NULL, 0, LOOK_MS);
    }
    close_watch(&w);
    return left > 0 ? EXIT_IO : 0;
}

int main(int argc, char **argv)
{
    struct guard_options o = { .silent_ns = 10 * OG_NS_PER_S };
    struct send sends = { .until = 0 };
    struct sigaction action = { .sa_handler = on_stop };
    int code = options_read(&spec, &o, argc, argv);

    if (code >= 0)
        return code;
    if (optind < argc && (optind == 0 || strcmp(argv[optind - 1], "--") != 0))
        return options_misuse(&spec, "it takes no arguments; options of ordergate send stand after --");
    o.send_args = argv + optind;
    o.send_count = argc - optind;
    if ((code = send_options_read(&spec, &sends, o.send_count, o.send_args)) >= 0)
        return code;
    o.broker = sends.options.broker;
    o.account = sends.options.account;
    secret_guard();
    send_log_begin(spec.program, 0);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    action.sa_handler = SIG_IGN;
    sigaction(SIGPIPE, &action, NULL);
    notify_begin();
    if ((code = guard_check(&o, &stopped)) != 0 || stopped)
        return code;
    if (!send_alert_begin(o.on_event) || !guard_pulse_begin())
        return EXIT_IO;
    notify("READY=1");
    code = watch(&o);
    notify("STOPPING=1");
    send_alert_end();
    return code;
}
