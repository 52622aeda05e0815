/*
 * Watches the halt flags: the user's, the machine's, and one that an environment variable may name.  A flag's file is
 * read only if it changed.  A book checks the flags at most five times a second, before a decision.  A flag that cannot
 * be checked counts as a halt.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>

#include "base/attributes.h"
#include "base/error.h"
#include "check/book.h"
#include "ordergate/halt.h"

#define EVERY_NS    (OG_NS_PER_S / 5)
#define NEVER       INT64_MAX
#define PLACES_MOST 3

/* --- several flags ------------------------------------------------------------------------------------------------ */

struct place {
    char *path;
    bool named;             /* an environment variable names this flag: if its folder does not exist, nobody can write
                             * the flag */
    bool looked, was_there; /* looked: the last check of the file succeeded; was_there: that check found the file */
    struct stat was;
    struct og_halt halt;
    struct og_error fault;
};

struct og_halt_watch {
    struct place place[PLACES_MOST];
    size_t places;
};

static bool same_time(struct timespec a, struct timespec b)
{
    return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

static bool is_same(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino && a->st_size == b->st_size && a->st_mode == b->st_mode &&
           a->st_uid == b->st_uid && same_time(a->st_mtim, b->st_mtim) && same_time(a->st_ctim, b->st_ctim);
}

static bool has_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    char folder[PATH_MAX];
    struct stat st;
    int n = slash ? snprintf(folder, sizeof folder, "%.*s/", (int)(slash - path), path)
                  : snprintf(folder, sizeof folder, ".");

    return n > 0 && (size_t)n < sizeof folder && stat(folder, &st) == 0 && S_ISDIR(st.st_mode);
}

static enum og_status no_folder(const char *path, struct og_error *err)
{
    return og_fail(err, OG_EIO,
                   "'%s', which ORDERGATE_HALT_ALSO names, is in a folder that does not exist; trading is halted",
                   path);
}

/* Read a flag if its file changed, or if the last reading failed.  og_halt_read() is called for an absent file too: if
 * other users can write to the folder, one of them may have removed the flag. */
static void look_at(struct place *p)
{
    struct stat st = { 0 };
    bool is_there = lstat(p->path, &st) == 0 || (errno != ENOENT && errno != ENOTDIR);

    if (p->looked && is_there == p->was_there && is_same(&st, &p->was) &&
        (is_there || !p->named || has_folder(p->path)))
        return;
    p->halt = (struct og_halt){ .trading = OG_TRADING_ON };
    p->fault = (struct og_error){ .status = OG_OK };
    p->looked = false;
    if (!is_there && p->named && !has_folder(p->path)) {
        p->halt.trading = OG_TRADING_HALTED;
        no_folder(p->path, &p->fault);
        return;
    }
    p->looked = og_halt_read(p->path, &p->halt, &p->fault) == OG_OK;
    p->was_there = is_there;
    p->was = st;
}

static bool add(struct og_halt_watch *w, const char *path, bool named)
{
    for (size_t i = 0; i < w->places; i++)
        if (strcmp(w->place[i].path, path) == 0)
            return true;
    w->place[w->places].named = named;
    w->place[w->places].path = strdup(path);
    return w->place[w->places].path && ++w->places;
}

enum og_status og_halt_also(struct og_error *err)
{
    const char *also = getenv("ORDERGATE_HALT_ALSO");
    struct og_halt halt;

    if (!also || !also[0])
        return OG_OK;
    if (!has_folder(also))
        return no_folder(also, err);
    return og_halt_read(also, &halt, err) == OG_EIO ? OG_EIO : OG_OK;
}

enum og_status og_halt_watch_new(const char *path, struct og_halt_watch **watch, struct og_error *err)
{
    const char *also = getenv("ORDERGATE_HALT_ALSO");
    char room[PATH_MAX];
    struct og_halt_watch *w;
    enum og_status status;

    if (!watch)
        return og_missing(err);
    *watch = NULL;
    if (!path && (status = og_halt_path(room, sizeof room, err)))
        return status;
    path = path ? path : room;
    w = calloc(1, sizeof *w);
    if (!w || (path[0] && !add(w, path, false)) || !add(w, OG_HALT_MACHINE, false) ||
        (also && also[0] && !add(w, also, true))) {
        og_halt_watch_free(w);
        return og_fail(err, OG_ENOMEM, "out of memory");
    }
    *watch = w;
    return OG_OK;
}

void og_halt_watch_free(struct og_halt_watch *w)
{
    if (!w)
        return;
    for (size_t i = 0; i < w->places; i++)
        free(w->place[i].path);
    free(w);
}

enum og_trading og_halt_watch_look(struct og_halt_watch *w, struct og_halt *halt, struct og_error *err)
{
    const struct place *strictest;

    if (!w)
        return OG_TRADING_HALTED; /* a flag that cannot be read may say that trading is halted */
    strictest = &w->place[0];
    for (size_t i = 0; i < w->places; i++) {
        look_at(&w->place[i]);
        if (w->place[i].halt.trading > strictest->halt.trading)
            strictest = &w->place[i];
    }
    if (halt)
        *halt = strictest->halt;
    if (err)
        *err = strictest->fault;
    return strictest->halt.trading;
}

bool og_halt_watch_seen(const struct og_halt_watch *w, size_t index, struct og_halt_seen *seen)
{
    const struct place *p;

    if (!w || !seen || index >= w->places)
        return false;
    p = &w->place[index];
    *seen = (struct og_halt_seen){ .path = p->path, .trading = p->halt.trading };
    if (p->was_there) {
        seen->device = p->was.st_dev;
        seen->inode = p->was.st_ino;
    }
    return true;
}

/* --- the flags of a book ------------------------------------------------------------------------------------------ */

/* Returns the time of a clock that is coarse but takes only a few nanoseconds: it is read before every decision. */
static int64_t now_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC_COARSE, &t);
    return (int64_t)t.tv_sec * OG_NS_PER_S + t.tv_nsec;
}

/* Look at the flags (NULL: none) and obey the strictest. Call with the lock of the flags held. */
static void look(struct og_book *b, struct og_halt_watch *flags)
{
    struct og_halt halt = { .trading = OG_TRADING_ON };
    struct og_error fault = { .status = OG_OK };
    char since[OG_HALT_SINCE];

    if (flags)
        (void)og_halt_watch_look(flags, &halt, &fault);
    if (fault.status != OG_OK)
        snprintf(halt.reason, sizeof halt.reason, "%s", fault.text);
    og_halt_since(&halt, since);
    if (b->watch.trading == halt.trading && strcmp(b->watch.since, since) == 0)
        return;
    pthread_rwlock_wrlock(&b->lock);
    b->watch.trading = halt.trading;
    memcpy(b->watch.since, since, sizeof since);
    pthread_rwlock_unlock(&b->lock);
}

OG_HOT void og_book_look_for_halt(struct og_book *b)
{
    struct og_book_watch *w = &b->watch;
    int64_t due = atomic_load_explicit(&w->due, memory_order_relaxed), now;

    if (due == NEVER || (now = now_ns()) < due || !atomic_compare_exchange_strong(&w->due, &due, now + EVERY_NS))
        return; /* it is not yet time to read the flags, or another thread is reading them */
    pthread_mutex_lock(&w->lock);
    if (w->flags)
        look(b, w->flags);
    pthread_mutex_unlock(&w->lock);
}

/* Replace the flags that the book watches; the book owns the new ones.  flags NULL: the book watches none from now
 * on. */
static void watch(struct og_book *b, struct og_halt_watch *flags)
{
    struct og_book_watch *w = &b->watch;

    pthread_mutex_lock(&w->lock);
    og_halt_watch_free(w->flags);
    w->flags = flags;
    look(b, flags);
    atomic_store(&w->due, flags ? now_ns() + EVERY_NS : NEVER);
    pthread_mutex_unlock(&w->lock);
}

enum og_status og_book_halt_source(struct og_book *b, const char *path, struct og_error *err)
{
    struct og_halt_watch *flags = NULL;
    enum og_status status;

    if (!b)
        return og_missing(err);
    status = path && !path[0] ? OG_OK : og_halt_watch_new(path, &flags, err);
    if (!status)
        watch(b, flags);
    return status;
}

enum og_status og_book_watch_init(struct og_book *b)
{
    struct og_halt_watch *flags = NULL;
    enum og_status status;

    atomic_init(&b->watch.due, NEVER);
    if (pthread_mutex_init(&b->watch.lock, NULL))
        return OG_ENOMEM;
    status = og_halt_watch_new(NULL, &flags, NULL);
    if (status && status != OG_ENOMEM) /* no folder for the user's flag: watch the other flags */
        status = og_halt_watch_new("", &flags, NULL);
    if (!status)
        watch(b, flags);
    return status;
}

void og_book_watch_clear(struct og_book *b)
{
    og_halt_watch_free(b->watch.flags);
    pthread_mutex_destroy(&b->watch.lock);
}
