/*
 * Runs the command of --on-event; see tools/common/send_alert.h.  What is in an event comes from whoever writes orders,
 * and from the broker: it is given to the command on its standard input, and never stands in what the shell reads.
 */
#include "tools/common/send_alert.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/pidfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tools/common/child.h"
#include "tools/common/json.h"
#include "tools/common/send_log.h"

#define RUNS_MOST   4     /* commands at one time */
#define WAITS_MOST  100   /* alerts that wait for a place; further ones are dropped */
#define RUN_MOST_MS 30000 /* a command that takes longer is killed */
#define LOST_MS     30000 /* a stream is told of when it has been lost for so long */
#define END_MOST_MS 10000 /* how long the end of the run waits for commands */

struct alert {
    struct alert *next;
    const char *kind;
    char account[64]; /* of a stream that is lost */
    int64_t from_ms;  /* time before which the command is not run for it */
    size_t len;
    char event[];
};

struct child {
    pid_t pid; /* 0: no child */
    int watch; /* a pidfd */
    int in;    /* the command's standard input; -1 if all is written */
    size_t written;
    struct alert *alert;
    int64_t until_ms;
};

static struct {
    const char *command;
    pthread_t thread;
    int wake; /* an eventfd */
    pthread_mutex_t lock;
    struct alert *first; /* those that wait; guarded by `lock`, as what follows is */
    int waits, dropped;
    int64_t end_ms; /* when the thread ends at the latest; 0: not yet */
} alerts = { .lock = PTHREAD_MUTEX_INITIALIZER };

static int64_t now_ms(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * INT64_C(1000) + t.tv_nsec / 1000000;
}

/* --- which events ------------------------------------------------------------------------------------------------- */

/* Returns why the event is told; NULL if it is not. *lost: it is told only if it is not taken back for a while. */
static const char *kind_of(const char *event, bool *lost)
{
    static const char *const plain[] = { "dead-man", "latched", "anomaly", "gone", "silent", "killed", "failed" };
    char kind[24], state[24];

    *lost = false;
    if (!og_json_member(event, "\"event\":\"", kind, sizeof kind))
        return NULL;
    if (strcmp(kind, "outcome") == 0 && og_json_member(event, "\"outcome\":\"", state, sizeof state) &&
        strcmp(state, "unknown") == 0)
        return "unknown";
    if (strcmp(kind, "trading") == 0)
        return og_json_member(event, "\"trading\":\"", state, sizeof state) && strcmp(state, "on") == 0 ? NULL : "halt";
    for (size_t i = 0; i < sizeof plain / sizeof plain[0]; i++)
        if (strcmp(kind, plain[i]) == 0)
            return plain[i];
    if (strcmp(kind, "stream") == 0 && og_json_member(event, "\"state\":\"", state, sizeof state) &&
        strcmp(state, "down") == 0) {
        *lost = true;
        return "stream-lost";
    }
    return NULL;
}

/* Forget that the account's stream is lost, if its event says that it is back. The lock is held. */
static void forget_lost(const char *account)
{
    for (struct alert **at = &alerts.first, *a; (a = *at);) {
        if (strcmp(a->kind, "stream-lost") != 0 || strcmp(a->account, account) != 0) {
            at = &a->next;
            continue;
        }
        *at = a->next;
        alerts.waits--;
        free(a);
    }
}

static void wake(void)
{
    const uint64_t one = 1;

    (void)!write(alerts.wake, &one, sizeof one);
}

/* Queue the event behind the others. The lock is held. */
static void queue(const char *kind, const char *account, bool lost, const char *event, size_t len)
{
    struct alert **at = &alerts.first, *a = alerts.waits < WAITS_MOST ? malloc(sizeof *a + len + 1) : NULL;

    if (!a) {
        alerts.dropped++;
        return;
    }
    *a = (struct alert){ .kind = kind, .from_ms = lost ? now_ms() + LOST_MS : 0, .len = len + 1 };
    snprintf(a->account, sizeof a->account, "%s", account);
    memcpy(a->event, event, len);
    a->event[len] = '\n';
    while (*at)
        at = &(*at)->next;
    *at = a;
    alerts.waits++;
}

void send_alert_event(const char *event, size_t len)
{
    bool lost;
    const char *kind = alerts.command ? kind_of(event, &lost) : NULL;
    char name[24], account[64] = "";
    const bool of_stream = alerts.command && og_json_member(event, "\"event\":\"", name, sizeof name) &&
                           strcmp(name, "stream") == 0 &&
                           og_json_member(event, "\"accountId\":\"", account, sizeof account);

    if (!kind && !of_stream)
        return;
    pthread_mutex_lock(&alerts.lock);
    if (of_stream)
        forget_lost(account);
    if (kind)
        queue(kind, account, lost, event, len);
    pthread_mutex_unlock(&alerts.lock);
    wake();
}

/* --- the command -------------------------------------------------------------------------------------------------- */

/* Start the command with its standard input as fd, its output on our standard error, no other descriptor, and the kind
 * in its environment. Returns 0 or an errno. */
static int spawn(const char *kind, int fd, pid_t *pid)
{
    const char *const argv[] = { "sh", "-c", alerts.command, NULL };
    char name[48], **env;
    size_t count = 0;
    int cause;

    while (environ[count])
        count++;
    if (!(env = calloc(count + 2, sizeof *env)))
        return ENOMEM;
    count = 0;
    for (char **each = environ; *each; each++) /* a guard still has the secret, for the senders that it starts */
        if (strncmp(*each, "ORDERGATE_SECRET_KEY=", strlen("ORDERGATE_SECRET_KEY=")) != 0)
            env[count++] = *each;
    snprintf(name, sizeof name, "ORDERGATE_ALERT=%s", kind);
    env[count] = name;
    cause = child_spawn("/bin/sh", argv, env, fd, STDERR_FILENO, pid);
    free(env);
    return cause;
}

static void start(struct child *c, struct alert *a)
{
    int ends[2], cause = pipe2(ends, O_CLOEXEC) == 0 ? 0 : errno;

    if (cause == 0) {
        cause = fcntl(ends[1], F_SETFL, O_NONBLOCK) == 0 ? spawn(a->kind, ends[0], &c->pid) : errno;
        close(ends[0]);
        if (cause)
            close(ends[1]);
    }
    if (cause) {
        c->pid = 0;
        send_log(OG_LOG_WARNING, "--on-event: %s was not told: the command cannot be started: %s", a->kind,
                 strerror(cause));
        free(a);
        return;
    }
    c->watch = pidfd_open(c->pid, 0);
    c->in = ends[1];
    c->written = 0;
    c->alert = a;
    c->until_ms = now_ms() + RUN_MOST_MS;
}

static void give(struct child *c)
{
    ssize_t n = write(c->in, c->alert->event + c->written, c->alert->len - c->written);

    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    c->written += n > 0 ? (size_t)n : 0;
    if (n > 0 && c->written < c->alert->len)
        return;
    close(c->in); /* all is written, or the command does not read it, which is its choice */
    c->in = -1;
}

/* The command has ended, or is ended now. */
static void end(struct child *c, bool late)
{
    int status = 0;

    if (late)
        kill(-c->pid, SIGKILL);
    (void)waitpid(c->pid, &status, 0);
    if (late)
        send_log(OG_LOG_WARNING, "--on-event: the command for %s did not end in time, and was killed", c->alert->kind);
    else if (WIFSIGNALED(status))
        send_log(OG_LOG_WARNING, "--on-event: the command for %s ended by signal %d", c->alert->kind, WTERMSIG(status));
    else if (WEXITSTATUS(status) != 0)
        send_log(OG_LOG_WARNING, "--on-event: the command for %s ended with exit status %d", c->alert->kind,
                 WEXITSTATUS(status));
    if (c->in >= 0)
        close(c->in);
    if (c->watch >= 0)
        close(c->watch);
    free(c->alert);
    c->pid = 0;
}

/* --- the thread --------------------------------------------------------------------------------------------------- */

/* Take the first alert whose time has come out of the queue. *next_ms: when the next one's comes. */
static struct alert *take(int64_t now, int64_t *next_ms)
{
    struct alert *found = NULL;

    pthread_mutex_lock(&alerts.lock);
    for (struct alert **at = &alerts.first, *a; (a = *at) && !found; at = &(*at)->next) {
        if (a->from_ms > now) {
            *next_ms = a->from_ms < *next_ms ? a->from_ms : *next_ms;
            continue;
        }
        found = a;
        *at = a->next;
        alerts.waits--;
        break;
    }
    pthread_mutex_unlock(&alerts.lock);
    return found;
}

static void say_dropped(void)
{
    int dropped;

    pthread_mutex_lock(&alerts.lock);
    dropped = alerts.dropped;
    alerts.dropped = 0;
    pthread_mutex_unlock(&alerts.lock);
    if (dropped)
        send_log(OG_LOG_WARNING, "--on-event: the command was not run for %d events, since too many waited", dropped);
}

/* Wait until something happens, at most until next_ms, and deal with the children. */
static void wait_for_children(struct child child[RUNS_MOST], int64_t next_ms)
{
    struct pollfd p[1 + 2 * RUNS_MOST] = { { .fd = alerts.wake, .events = POLLIN } };
    int64_t now = now_ms();
    uint64_t count;

    for (int i = 0; i < RUNS_MOST; i++) {
        p[1 + 2 * i] = (struct pollfd){ .fd = child[i].pid ? child[i].watch : -1, .events = POLLIN };
        p[2 + 2 * i] = (struct pollfd){ .fd = child[i].pid ? child[i].in : -1, .events = POLLOUT };
        if (child[i].pid && child[i].until_ms < next_ms)
            next_ms = child[i].until_ms;
    }
    if (poll(p, 1 + 2 * RUNS_MOST, next_ms == INT64_MAX ? -1 : next_ms > now ? (int)(next_ms - now) : 0) > 0) {
        if (p[0].revents)
            (void)!read(alerts.wake, &count, sizeof count);
        for (int i = 0; i < RUNS_MOST; i++) {
            if (p[2 + 2 * i].revents)
                give(&child[i]);
            if (p[1 + 2 * i].revents)
                end(&child[i], false);
        }
    }
    now = now_ms();
    for (int i = 0; i < RUNS_MOST; i++)
        if (child[i].pid && now >= child[i].until_ms)
            end(&child[i], true);
}

static void *run(void *with)
{
    struct child child[RUNS_MOST] = { { 0 } };
    int64_t end_ms, next_ms;
    int runs;

    (void)with;
    for (;;) {
        struct alert *a;

        runs = 0;
        next_ms = INT64_MAX;
        for (int i = 0; i < RUNS_MOST; i++) {
            if (!child[i].pid && (a = take(now_ms(), &next_ms)))
                start(&child[i], a);
            runs += child[i].pid != 0;
        }
        if (runs < RUNS_MOST)
            say_dropped();
        pthread_mutex_lock(&alerts.lock);
        end_ms = alerts.end_ms;
        pthread_mutex_unlock(&alerts.lock);
        if (end_ms && runs == 0)
            return NULL;
        for (int i = 0; i < RUNS_MOST; i++)
            if (child[i].pid && end_ms && child[i].until_ms > end_ms)
                child[i].until_ms = end_ms;
        wait_for_children(child, next_ms);
    }
}

bool send_alert_begin(const char *command)
{
    sigset_t all, before;
    int cause;

    if (!command)
        return true;
    sigfillset(&all);
    alerts.command = command;
    alerts.wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    pthread_sigmask(SIG_SETMASK, &all, &before); /* signals are the main thread's */
    cause = alerts.wake < 0 ? errno : pthread_create(&alerts.thread, NULL, run, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (cause) {
        alerts.command = NULL;
        send_log(OG_LOG_ERROR, "--on-event: no thread can be started: %s", strerror(cause));
        return false;
    }
    return true;
}

void send_alert_end(void)
{
    if (!alerts.command)
        return;
    pthread_mutex_lock(&alerts.lock);
    alerts.end_ms = now_ms() + END_MOST_MS;
    pthread_mutex_unlock(&alerts.lock);
    wake();
    pthread_join(alerts.thread, NULL);
    while (alerts.first) {
        struct alert *a = alerts.first;

        alerts.first = a->next;
        free(a);
    }
    close(alerts.wake);
    alerts.command = NULL;
}
