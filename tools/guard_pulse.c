/*
 * Signs of life: a thread asks the senders once a second, since one that is suspended keeps whoever asks it waiting. A
 * run that has its lock is never acted upon. If its sender gives no sign of life it is told of, and ended if that was
 * asked for: its lock is then released, and the run is gone.
 */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/pidfd.h>
#include <time.h>
#include <unistd.h>

#include "tools/common/guard.h"
#include "tools/common/send_log.h"

#define EVERY_MS   1000
#define WAIT_MS    2500 /* a sender whose loop is blocked says so after 2 s */
#define RUNS_MOST  256
#define ABSENCE_MS 2000 /* if this process did not run for so long, silence that was counted meanwhile is not */

struct beat {
    char run[64];              /* "": not used */
    long pid;                  /* 0: it has never answered */
    int process;               /* a pidfd, opened when it answered for the first time; -1: none */
    int64_t at_ms;             /* time of the newest answer, or of the first look */
    bool told, silent, killed; /* told: that it runs */
};

static struct beat beats[RUNS_MOST];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct beat *find(const char *run)
{
    for (struct beat *b = beats; b < beats + RUNS_MOST; b++)
        if (strcmp(b->run, run) == 0)
            return b;
    return NULL;
}

/* An og_pulse_listener. */
static void on_pulse(void *with, const struct og_sender_pulse *pulse)
{
    struct beat *b;

    (void)with;
    if (!pulse->turns)
        return;
    pthread_mutex_lock(&lock);
    if (pulse->run[0] != '\0' && (b = find(pulse->run))) { /* others are of another ledger */
        if (!b->pid)
            b->process = pidfd_open((pid_t)pulse->pid, 0);
        b->pid = pulse->pid;
        b->at_ms = guard_now_ms();
    }
    pthread_mutex_unlock(&lock);
}

static void *ask(void *with)
{
    const struct timespec pause = { .tv_sec = EVERY_MS / 1000 };

    for (;;) {
        struct og_error err = { 0 };

        if (og_senders_pulse(WAIT_MS, on_pulse, NULL, &err) != OG_OK)
            send_log_error(&err, 0);
        nanosleep(&pause, NULL);
    }
    return with;
}

bool guard_pulse_begin(void)
{
    sigset_t all, before;
    pthread_t thread;
    int cause;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before); /* signals are the main thread's */
    cause = pthread_create(&thread, NULL, ask, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (cause)
        send_log(OG_LOG_ERROR, "no thread can be started: %s", strerror(cause));
    else
        pthread_detach(thread);
    return cause == 0;
}

/* Count only silence that this process could have heard: it may have been suspended itself. The lock is held. */
static void forgive(int64_t now)
{
    static int64_t looked_ms;

    if (looked_ms && now - looked_ms > ABSENCE_MS)
        for (struct beat *b = beats; b < beats + RUNS_MOST; b++)
            b->at_ms = b->run[0] != '\0' ? now : b->at_ms;
    looked_ms = now;
}

void guard_pulse_look(const struct guard_options *o, const struct og_run_seen *run)
{
    const int64_t now = guard_now_ms(), most = o->silent_ns / 1000000;
    bool first = false, began = false, ended = false, killed = false;
    struct beat *b, seen = { .pid = 0 };

    pthread_mutex_lock(&lock);
    forgive(now);
    if (!(b = find(run->id)) && (b = find(""))) {
        *b = (struct beat){ .process = -1, .at_ms = now };
        snprintf(b->run, sizeof b->run, "%s", run->id);
    }
    if (b) {
        const bool silent = now - b->at_ms > most;

        first = b->pid && !b->told;
        b->told |= first;
        began = silent && !b->silent;
        ended = !silent && b->silent;
        b->silent = silent;
        killed =
            silent && o->kill && !b->killed && b->process >= 0 && pidfd_send_signal(b->process, SIGKILL, NULL, 0) == 0;
        b->killed |= killed;
        seen = *b;
    }
    pthread_mutex_unlock(&lock);
    if (first)
        guard_tell("runs", run->id, ",'pid':%lld", (long long)seen.pid);
    if (began) {
        guard_tell("silent", run->id, ",'pid':%lld,'forMs':%lld", (long long)seen.pid, (long long)(now - seen.at_ms));
        guard_act_on_silent(o, run);
    }
    if (ended)
        guard_tell("answers", run->id, ",'pid':%lld", (long long)seen.pid);
    if (killed)
        guard_tell("killed", run->id, ",'pid':%lld", (long long)seen.pid);
}

void guard_pulse_forget(const char *run)
{
    struct beat *b;

    pthread_mutex_lock(&lock);
    if ((b = find(run))) {
        if (b->process >= 0)
            close(b->process);
        *b = (struct beat){ .pid = 0 };
    }
    pthread_mutex_unlock(&lock);
}
