/*
 * The sentry's thread. It listens on an abstract socket named after the user and the process. Such a socket depends on
 * no folder and no environment variable, needs no permission to write anywhere, and ends with the process. The thread
 * answers only its own user and root, as identified by the kernel, and does not wait long for either.
 */
#include "send/sentry.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/crypto.h"
#include "base/error.h"
#include "base/time.h"
#include "base/timeouts.h"
#include "send/senders.h"

#define NS_PER_MS   UINT64_C(1000000)
#define ASKERS_MOST 8

struct og_sentry {
    struct og_sentry_options options;
    pthread_t thread;
    pthread_mutex_t lock; /* protects the members from here to the blank line */
    pthread_cond_t changed;
    struct og_halt_watch *flags;
    struct og_error
        nowhere; /* why this user cannot have a halt flag (trading then counts as halted); status OG_OK if it can */
    /* the halt that `ordergate halt` sent to this process, kept until the flag file shows it */
    struct og_halt told;
    /* for each kind of halt: og_time_up() when a halt at least as strict was last seen; 0 if none was seen since the
     * last call of og_sentry_halted() */
    uint64_t seen_at[OG_TRADING_HALTED_ALL + 1];
    /* the strictest halt that this thread saw since the loop last looked; trading is on if it saw none */
    struct og_sentry_seen missed;
    bool leaving, over;
    char *snapshot; /* the newest snapshot, which was not sent yet; NULL if there is none */
    size_t snapshot_len;
    uint64_t turns;    /* number of iterations of the loop so far */
    uint64_t heard_at; /* og_time_up() of the newest line or heartbeat; 0 if the dead man's switch is off */
    int heard_from;    /* descriptor from which the next line is read; -1 if there is none */

    int socket, wake[2]; /* from here on only the sentry's thread uses the members; -1 means no descriptor */
    /* the connections that asked for a snapshot and wait for the loop to make it; fd is -1 in an unused element */
    struct {
        int fd;
        uint64_t until; /* og_time_up() at which the wait ends */
    } asker[ASKERS_MOST];
    char deaf[160];
    uint64_t looked_at;  /* og_time_up() of the last look at the loop */
    uint64_t turns_seen; /* value of `turns` at looked_at */
    int64_t stood_ms;    /* for how long, in ms, the process has run without a new iteration of the loop */
    bool acted;
};

static bool is_same_user(int fd)
{
    struct ucred who;
    socklen_t size = sizeof who;

    return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &size) == 0 && (who.uid == geteuid() || who.uid == 0);
}

/* --- the halt to obey (call with the lock held) ------------------------------------------------------------------- */

/* Returns the path of the first flag that says this; NULL if none does, or trading is on. */
static const char *flag_of(const struct og_sentry *s, enum og_trading trading)
{
    struct og_halt_seen flag;

    for (size_t i = 0; trading != OG_TRADING_ON && og_halt_watch_seen(s->flags, i, &flag); i++)
        if (flag.trading == trading)
            return flag.path;
    return NULL;
}

static void look_at_flags(struct og_sentry *s, struct og_sentry_seen *seen)
{
    enum og_trading trading;

    *seen = (struct og_sentry_seen){ .flag = NULL };
    trading = og_halt_watch_look(s->flags, &seen->halt, &seen->fault);
    seen->flag = flag_of(s, trading);
    if (s->told.trading > trading)
        *seen = (struct og_sentry_seen){ .halt = s->told };
    if (s->nowhere.status != OG_OK && seen->halt.trading != OG_TRADING_HALTED_ALL)
        *seen = (struct og_sentry_seen){ .halt = { .trading = OG_TRADING_HALTED }, .fault = s->nowhere };
}

static enum og_trading look(struct og_sentry *s, struct og_sentry_seen *seen)
{
    uint64_t now;

    look_at_flags(s, seen);
    now = og_time_up();
    for (int h = OG_TRADING_ON + 1; h <= (int)seen->halt.trading; h++)
        s->seen_at[h] = now;
    return seen->halt.trading;
}

/* Look in the sentry's thread, and keep a halt for the loop, which may be blocked until the halt is over. */
static enum og_trading look_for_loop(struct og_sentry *s, struct og_sentry_seen *seen)
{
    if (look(s, seen) != OG_TRADING_ON && seen->halt.trading >= s->missed.halt.trading)
        s->missed = *seen;
    return seen->halt.trading;
}

/* Wait a moment until requests that were allowed to leave have been sent. Returns false if one of them may still be
 * unsent. */
static bool wait_until_left(struct og_sentry *s)
{
    uint64_t until = og_time_up() + OG_SENTRY_LEAVES_MS * NS_PER_MS, now;

    while (s->leaving && !s->over && (now = og_time_up()) < until) {
        struct timespec t;

        clock_gettime(CLOCK_MONOTONIC, &t);
        t.tv_nsec += 10 * (long)NS_PER_MS;
        t.tv_sec += t.tv_nsec / OG_NS_PER_S;
        t.tv_nsec %= OG_NS_PER_S;
        (void)pthread_cond_timedwait(&s->changed, &s->lock, &t);
    }
    return !s->leaving;
}

/* --- questions ---------------------------------------------------------------------------------------------------- */

/* Do what ordergate halt --everywhere asks: write the halt into this process's flag, or keep it in memory if the flag
 * cannot be written. A stricter halt that is already in the flag stays, unless this halt is to replace it. */
static void be_told(struct og_sentry *s, struct og_halt *halt, bool replace)
{
    struct og_halt_seen own;
    struct og_halt stands;

    if (replace || halt->trading >= s->told.trading)
        s->told = *halt; /* keep it in memory before writing the flag, since the disk may be slow */
    if (s->nowhere.status == OG_OK && og_halt_watch_seen(s->flags, 0, &own) &&
        (replace ? og_halt_write(own.path, &s->told, NULL) : og_halt_add(own.path, &s->told, &stands, NULL)) == OG_OK)
        s->told.trading = OG_TRADING_ON;
}

static void write_answer(struct og_sentry *s, struct og_buf *b)
{
    struct og_sentry_seen now;
    enum og_trading trading = look_for_loop(s, &now);
    bool left = wait_until_left(s);
    struct og_halt_seen seen;

    og_buf_format(b, "{\"pid\":%ld,\"trading\":\"%s\",\"obeyed\":%s,\"flags\":[", (long)getpid(),
                  og_trading_name(trading), left ? "true" : "false");
    for (size_t i = 0; og_halt_watch_seen(s->flags, i, &seen); i++) {
        og_buf_text(b, i > 0 ? ",{\"path\":" : "{\"path\":");
        og_buf_json_str(b, og_str_of(seen.path));
        og_buf_format(b, ",\"device\":%llu,\"inode\":%llu,\"trading\":\"%s\"}", seen.device, seen.inode,
                      og_trading_name(seen.trading));
    }
    og_buf_text(b, "],\"fault\":");
    if (now.fault.status != OG_OK)
        og_buf_json_str(b, og_str_of(now.fault.text));
    else
        og_buf_text(b, "null");
    og_buf_char(b, '}');
}

/* --- snapshots ---------------------------------------------------------------------------------------------------- */

static void drop_snapshot(struct og_sentry *s)
{
    char *old;

    pthread_mutex_lock(&s->lock);
    old = s->snapshot;
    s->snapshot = NULL;
    pthread_mutex_unlock(&s->lock);
    free(old);
}

/* Keep the descriptor until the loop has made a snapshot. Returns false if too many wait already, or if this sender
 * gives no snapshots. */
static bool await_snapshot(struct og_sentry *s, int fd)
{
    drop_snapshot(s); /* an unsent snapshot may be old */
    for (int i = 0; s->options.snapshot && i < ASKERS_MOST; i++)
        if (s->asker[i].fd < 0) {
            s->asker[i].fd = fd;
            s->asker[i].until = og_time_up() + OG_SENTRY_STATUS_MS * NS_PER_MS;
            s->options.snapshot(s->options.with);
            return true;
        }
    return false;
}

/* Send the snapshot to all who wait for it. Those who have waited for too long are told that the loop does not make
 * one. */
static void answer_askers(struct og_sentry *s)
{
    const uint64_t now = og_time_up();
    char *snapshot, none[160];
    struct og_sentry_seen seen;
    enum og_trading trading;
    size_t len;
    int waiting = 0;

    for (int i = 0; i < ASKERS_MOST; i++)
        waiting += s->asker[i].fd >= 0;
    if (!waiting)
        return;
    pthread_mutex_lock(&s->lock);
    snapshot = s->snapshot;
    len = s->snapshot_len;
    s->snapshot = NULL;
    trading = look_for_loop(s, &seen);
    pthread_mutex_unlock(&s->lock);
    snprintf(none, sizeof none, "{\"pid\":%ld,\"stuck\":true,\"halt\":{\"trading\":\"%s\"}}", (long)getpid(),
             og_trading_name(trading));
    for (int i = 0; i < ASKERS_MOST; i++) {
        if (s->asker[i].fd < 0 || (!snapshot && now < s->asker[i].until))
            continue;
        (void)send(s->asker[i].fd, snapshot ? snapshot : none, snapshot ? len : strlen(none),
                   MSG_DONTWAIT | MSG_NOSIGNAL);
        close(s->asker[i].fd);
        s->asker[i].fd = -1;
    }
    free(snapshot);
}

void og_sentry_tell(struct og_sentry *s, const char *json, size_t len)
{
    char *copy = malloc(len ? len : 1), *old;

    if (!copy)
        return;
    memcpy(copy, json, len);
    pthread_mutex_lock(&s->lock);
    old = s->snapshot;
    s->snapshot = copy;
    s->snapshot_len = len;
    pthread_mutex_unlock(&s->lock);
    free(old);
    (void)!write(s->wake[1], "", 1);
}

/* Returns true if the descriptor is kept for a later answer. */
static bool answer(struct og_sentry *s, int fd)
{
    char question[OG_SENDERS_MOST];
    struct pollfd there = { .fd = fd, .events = POLLIN };
    enum og_senders_asks asks;
    struct og_halt halt;
    struct og_buf b;
    ssize_t len;

    if (!is_same_user(fd) || poll(&there, 1, OG_SENTRY_ASKED_MS) <= 0 ||
        (len = recv(fd, question, sizeof question, MSG_DONTWAIT)) <= 0 ||
        (asks = og_senders_read_question(question, (size_t)len, &halt)) == OG_SENDERS_ASKS_NOTHING)
        return false;
    if (asks == OG_SENDERS_ASKS_STATUS)
        return await_snapshot(s, fd);
    og_buf_init(&b, OG_SENDERS_MOST);
    pthread_mutex_lock(&s->lock);
    if (asks != OG_SENDERS_ASKS)
        be_told(s, &halt, asks == OG_SENDERS_REPLACES);
    write_answer(s, &b);
    pthread_mutex_unlock(&s->lock);
    if (!b.bad)
        (void)send(fd, b.s, b.len, MSG_DONTWAIT | MSG_NOSIGNAL);
    og_buf_clear(&b);
    return false;
}

/* --- the loop that is watched ------------------------------------------------------------------------------------- */

/* What the loop has done, copied under the lock. */
struct loop {
    uint64_t turns, heard_at;
    int heard_from;
};

static bool is_unread(int fd)
{
    struct pollfd there = { .fd = fd, .events = POLLIN };

    return fd >= 0 && poll(&there, 1, 0) > 0 && (there.revents & POLLIN) != 0;
}

/* Measure how long the loop has been blocked. Only time in which this thread itself ran counts, so that after a
 * suspension of the whole process the loop has time for an iteration before it counts as stuck. */
static void look_at_the_loop(struct og_sentry *s, const struct loop *l)
{
    const struct og_sentry_options *o = &s->options;
    uint64_t now = og_time_up(), since = (now - s->looked_at) / NS_PER_MS;

    s->looked_at = now;
    if (l->turns != s->turns_seen || since > OG_SENTRY_LATE_MS) {
        s->turns_seen = l->turns;
        s->stood_ms = 0;
        s->acted = false;
        return;
    }
    s->stood_ms += (int64_t)since;
    if (o->silent_ms == 0 || s->acted || l->heard_at == 0 || s->stood_ms < o->stuck_ms ||
        now - l->heard_at < (uint64_t)o->silent_ms * NS_PER_MS ||
        (s->stood_ms < o->silent_ms && is_unread(l->heard_from)))
        return;
    s->acted = true;
    o->stuck(o->with, s->stood_ms);
}

static void *run(void *with)
{
    struct og_sentry *s = with;
    struct pollfd there[2] = { { .fd = s->wake[0], .events = POLLIN }, { .fd = s->socket, .events = POLLIN } };
    struct og_sentry_seen seen;
    bool over = false;
    struct loop loop;
    char drained[64];
    int fd;

    while (!over) {
        int n = poll(there, 2, OG_SENTRY_LOOK_MS);

        if (n > 0 && there[1].revents != 0 && (fd = accept4(s->socket, NULL, NULL, SOCK_CLOEXEC)) >= 0 &&
            !answer(s, fd))
            close(fd);
        if (n > 0 && there[0].revents != 0)
            (void)!read(s->wake[0], drained, sizeof drained);
        answer_askers(s);
        pthread_mutex_lock(&s->lock);
        (void)look_for_loop(s, &seen);
        loop = (struct loop){ s->turns, s->heard_at, s->heard_from };
        over = s->over;
        pthread_mutex_unlock(&s->lock);
        look_at_the_loop(s, &loop);
    }
    return NULL;
}

/* --- the object --------------------------------------------------------------------------------------------------- */

static void listen_for_halts(struct og_sentry *s)
{
    struct sockaddr_un at;
    uint64_t random = 0;
    socklen_t size;

    (void)og_random(&random, sizeof random);
    size = og_senders_address(&at, (unsigned long)geteuid(), (long)getpid(), (unsigned long long)random);
    s->socket = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (s->socket >= 0 && bind(s->socket, (const struct sockaddr *)&at, size) == 0 && listen(s->socket, 16) == 0)
        return;
    snprintf(s->deaf, sizeof s->deaf, "ordergate halt cannot find this process (%s); it obeys the flags all the same",
             strerror(errno));
    if (s->socket >= 0)
        close(s->socket);
    s->socket = -1;
}

static bool make_lock(struct og_sentry *s)
{
    pthread_condattr_t clock;
    bool ok;

    if (pthread_condattr_init(&clock) != 0)
        return false;
    ok = pthread_condattr_setclock(&clock, CLOCK_MONOTONIC) == 0 && pthread_cond_init(&s->changed, &clock) == 0;
    pthread_condattr_destroy(&clock);
    return ok && pthread_mutex_init(&s->lock, NULL) == 0;
}

/* Start the thread with all signals blocked, so that the loop's thread gets them. */
static bool start(struct og_sentry *s)
{
    sigset_t all, before;
    bool ok;

    sigfillset(&all);
    if (pthread_sigmask(SIG_SETMASK, &all, &before) != 0)
        return false;
    ok = pthread_create(&s->thread, NULL, run, s) == 0;
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    return ok;
}

static void discard(struct og_sentry *s)
{
    for (int i = 0; i < 2; i++)
        if (s->wake[i] >= 0)
            close(s->wake[i]);
    for (int i = 0; i < ASKERS_MOST; i++)
        if (s->asker[i].fd >= 0)
            close(s->asker[i].fd);
    free(s->snapshot);
    if (s->socket >= 0)
        close(s->socket);
    og_halt_watch_free(s->flags);
    free(s);
}

enum og_status og_sentry_new(const struct og_sentry_options *options, struct og_sentry **sentry, struct og_error *err)
{
    struct og_sentry *s = calloc(1, sizeof *s);
    enum og_status status;

    *sentry = NULL;
    if (!s)
        return og_fail(err, OG_ENOMEM, "out of memory");
    s->options = *options;
    s->socket = s->wake[0] = s->wake[1] = -1;
    for (int i = 0; i < ASKERS_MOST; i++)
        s->asker[i].fd = -1;
    s->looked_at = og_time_up();
    status = og_halt_watch_new(NULL, &s->flags, &s->nowhere);
    if (status == OG_EIO)
        status = og_halt_watch_new("", &s->flags, NULL);
    if (status != OG_OK || !make_lock(s)) {
        discard(s);
        return og_fail(err, OG_ENOMEM, "out of memory");
    }
    if (options->is_told)
        listen_for_halts(s);
    if (pipe2(s->wake, O_CLOEXEC | O_NONBLOCK) != 0 || !start(s)) {
        status = og_fail_because(err, OG_EIO, errno, "the thread that watches for halts cannot be started");
        discard(s);
        return status;
    }
    *sentry = s;
    return OG_OK;
}

void og_sentry_free(struct og_sentry *s)
{
    if (!s)
        return;
    pthread_mutex_lock(&s->lock);
    s->over = true;
    pthread_mutex_unlock(&s->lock);
    (void)!write(s->wake[1], "", 1);
    pthread_join(s->thread, NULL);
    pthread_cond_destroy(&s->changed);
    pthread_mutex_destroy(&s->lock);
    discard(s);
}

enum og_trading og_sentry_look_leaving(struct og_sentry *s, bool (*may_go)(const void *order, enum og_trading),
                                       const void *order, struct og_sentry_seen *seen, struct og_sentry_seen *missed)
{
    struct og_sentry_seen now;
    enum og_trading trading;

    pthread_mutex_lock(&s->lock);
    trading = look(s, &now);
    if (may_go && may_go(order, trading))
        s->leaving = true;
    if (missed) {
        *missed = s->missed;
        s->missed = (struct og_sentry_seen){ .flag = NULL };
    }
    pthread_mutex_unlock(&s->lock);
    if (seen)
        *seen = now;
    return trading;
}

enum og_trading og_sentry_look(struct og_sentry *s, struct og_sentry_seen *seen, struct og_sentry_seen *missed)
{
    return og_sentry_look_leaving(s, NULL, NULL, seen, missed);
}

bool og_sentry_halted(struct og_sentry *s, uint64_t seen_at[OG_TRADING_HALTED_ALL + 1])
{
    pthread_mutex_lock(&s->lock);
    memcpy(seen_at, s->seen_at, sizeof s->seen_at);
    memset(s->seen_at, 0, sizeof s->seen_at);
    pthread_mutex_unlock(&s->lock);
    return seen_at[OG_TRADING_ON + 1] != 0;
}

void og_sentry_turned(struct og_sentry *s)
{
    pthread_mutex_lock(&s->lock);
    s->turns++;
    if (s->leaving) {
        s->leaving = false;
        pthread_cond_broadcast(&s->changed);
    }
    pthread_mutex_unlock(&s->lock);
}

void og_sentry_heard(struct og_sentry *s, uint64_t at, int fd)
{
    pthread_mutex_lock(&s->lock);
    s->heard_at = at;
    s->heard_from = fd;
    pthread_mutex_unlock(&s->lock);
}

const char *og_sentry_deaf(const struct og_sentry *s)
{
    return s->deaf[0] != '\0' ? s->deaf : NULL;
}
