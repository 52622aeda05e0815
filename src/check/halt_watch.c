/*
 * A book's own look at the halt flag: five times a second at most, when it is asked to decide, and the file is read
 * only when it is another one than before.
 * It refuses to take a flag that cannot be looked at for none.
 */
#include "check/book.h"
#include "base/often.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <time.h>

#include "base/error.h"
#include "base/state.h"
#include "ordergate/halt.h"

#include "base/banned.h"

#define EVERY_NS (OG_NS_PER_S / 5)
#define NEVER    INT64_MAX

/* A few nanoseconds: it is asked before every decision. */
static int64_t now_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC_COARSE, &t);
    return (int64_t)t.tv_sec * OG_NS_PER_S + t.tv_nsec;
}

static bool same_time(struct timespec a, struct timespec b)
{
    return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

static bool is_same(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino && a->st_size == b->st_size && a->st_mode == b->st_mode &&
           a->st_uid == b->st_uid && same_time(a->st_mtim, b->st_mtim) && same_time(a->st_ctim, b->st_ctim);
}

static void obey(struct og_book *b, enum og_trading trading)
{
    pthread_rwlock_wrlock(&b->lock);
    b->watch.trading = trading;
    pthread_rwlock_unlock(&b->lock);
}

/* The watch's lock is held. */
static void look(struct og_book *b)
{
    struct og_halt_watch *w = &b->watch;
    struct og_halt halt = { .trading = OG_TRADING_ON };
    struct stat st = { 0 };
    bool is_there = stat(w->path, &st) == 0 || (errno != ENOENT && errno != ENOTDIR);

    if (w->looked && is_there == w->was_there && is_same(&st, &w->was))
        return;
    w->looked = !is_there || og_halt_read(w->path, &halt, NULL) == OG_OK; /* what failed may go well the next time */
    w->was_there = is_there;
    w->was = st;
    obey(b, halt.trading);
}

OG_OFTEN void og_book_look_for_halt(struct og_book *b)
{
    struct og_halt_watch *w = &b->watch;
    int64_t due = atomic_load_explicit(&w->due, memory_order_relaxed), now;

    if (due == NEVER || (now = now_ns()) < due || !atomic_compare_exchange_strong(&w->due, &due, now + EVERY_NS))
        return; /* too early, or another thread looks */
    pthread_mutex_lock(&w->lock);
    if (w->path)
        look(b);
    pthread_mutex_unlock(&w->lock);
}

/* Takes the path. */
static void watch(struct og_book *b, char *path)
{
    struct og_halt_watch *w = &b->watch;

    pthread_mutex_lock(&w->lock);
    free(w->path);
    w->path = path;
    w->looked = false;
    if (path)
        look(b);
    else
        obey(b, OG_TRADING_ON);
    atomic_store(&w->due, path ? now_ns() + EVERY_NS : NEVER);
    pthread_mutex_unlock(&w->lock);
}

enum og_status og_book_halt_source(struct og_book *b, const char *path, struct og_error *err)
{
    char room[PATH_MAX], *copy;
    enum og_status status;

    if (!path && (status = og_state_path(OG_HALT_FILE, room, sizeof room, err)))
        return status;
    if (path && !path[0]) {
        watch(b, NULL);
        return OG_OK;
    }
    copy = strdup(path ? path : room);
    if (!copy)
        return og_fail(err, OG_ENOMEM, "out of memory");
    watch(b, copy);
    return OG_OK;
}

enum og_status og_book_watch_init(struct og_book *b)
{
    atomic_init(&b->watch.due, NEVER);
    if (pthread_mutex_init(&b->watch.lock, NULL))
        return OG_ENOMEM;
    /* without a place for state there is no flag */
    return og_book_halt_source(b, NULL, NULL) == OG_ENOMEM ? OG_ENOMEM : OG_OK;
}

void og_book_watch_clear(struct og_book *b)
{
    free(b->watch.path);
    pthread_mutex_destroy(&b->watch.lock);
}
