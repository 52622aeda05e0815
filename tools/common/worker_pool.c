/*
 * Worker threads, the steps that they do one after another, and the reading of batches.
 */
#include "tools/common/worker_pool.h"

#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

/* A batch ends after this many bytes; a larger buffer, made for a long line, is freed afterwards. */
#define BATCH_BYTES ((size_t)1 << 16)
/* How often a thread spins before it sleeps: for some microseconds, about as long as it takes to sleep and wake up. */
#define SPINS 500

static void relax(void)
{
#if defined __x86_64__ || defined __i386__
    __builtin_ia32_pause();
#endif
}

int worker_pool_default_workers(void)
{
    cpu_set_t set;
    int n = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;

    return n < 1 ? 1 : n > WORKERS_MOST ? WORKERS_MOST : n;
}

/* --- steps in turn ------------------------------------------------------------------------------------------------ */

static bool is_turn(struct worker_pool *c, enum worker_step step, unsigned long turn)
{
    return atomic_load(&c->turn[step].now) == turn || atomic_load(&c->stopped);
}

bool worker_pool_wait(struct worker_pool *c, enum worker_step step, const struct worker_batch *b)
{
    for (int i = 0; i < SPINS && !is_turn(c, step, b->turn); i++)
        relax();
    if (!is_turn(c, step, b->turn)) {
        pthread_mutex_lock(&c->lock);
        atomic_fetch_add(&c->turn[step].asleep, 1);
        while (!is_turn(c, step, b->turn))
            pthread_cond_wait(&c->moved, &c->lock);
        atomic_fetch_sub(&c->turn[step].asleep, 1);
        pthread_mutex_unlock(&c->lock);
    }
    return !atomic_load(&c->stopped);
}

static void wake_all(struct worker_pool *c)
{
    pthread_mutex_lock(&c->lock);
    pthread_cond_broadcast(&c->moved);
    pthread_mutex_unlock(&c->lock);
}

void worker_pool_pass(struct worker_pool *c, enum worker_step step, const struct worker_batch *b)
{
    atomic_store(&c->turn[step].now, b->turn + 1);
    if (atomic_load(&c->turn[step].asleep))
        wake_all(c);
}

void worker_pool_stop(struct worker_pool *c)
{
    const uint64_t one = 1;

    atomic_store(&c->stopped, true);
    wake_all(c);
    if (write(c->wake, &one, sizeof one) < 0) {
        /* the write can fail only if another thread has made `wake` readable before */
    }
}

/* --- reading ------------------------------------------------------------------------------------------------------ */

static bool append_line(struct worker_batch *b, const char *text, size_t len)
{
    struct worker_line *l = &b->line[b->count];

    if (b->room - b->len < len) {
        char *more = realloc(b->text, b->len + len);

        if (!more)
            return false;
        b->text = more;
        b->room = b->len + len;
    }
    memcpy(b->text + b->len, text, len);
    l->from = b->len;
    l->len = len;
    b->len += len;
    return true;
}

/* Empty the batch, so that lines can be read into it.  A buffer that a long line made large is freed. */
static bool reset_batch(struct worker_batch *b)
{
    b->count = 0;
    b->len = 0;
    if (b->room == 2 * BATCH_BYTES)
        return true;
    free(b->text);
    b->text = malloc(2 * BATCH_BYTES);
    b->room = b->text ? 2 * BATCH_BYTES : 0;
    return b->text != NULL;
}

static enum lines_answer read_line(struct worker_pool *c, struct worker_batch *b)
{
    const char *text;
    size_t len;
    enum lines_answer answer = lines_next(&c->lines, b->count == 0, &text, &len);

    if (answer != LINES_LINE)
        return answer;
    if (!append_line(b, text, len)) {
        errno = ENOMEM;
        return LINES_FAILED;
    }
    b->line[b->count++].number = c->lines.number;
    return LINES_LINE;
}

/* Read the next batch and number it: results are written in the sequence of the numbers.  Returns false if there is
 * none. */
static bool read_batch(struct worker_pool *c, struct worker_batch *b)
{
    enum lines_answer answer = LINES_LINE;

    if (c->answer != LINES_LINE || atomic_load(&c->stopped))
        return false;
    if (!reset_batch(b)) {
        errno = ENOMEM;
        answer = LINES_FAILED;
    }
    while (answer == LINES_LINE && b->count < BATCH_LINES && b->len < BATCH_BYTES)
        answer = read_line(c, b);
    if (answer == LINES_FAILED)
        c->error = errno;
    if (answer != LINES_WAIT)
        c->answer = answer;
    b->fresh = c->reads != c->lines.reads;
    c->reads = c->lines.reads;
    b->turn = c->batches;
    c->batches += b->count != 0;
    return b->count != 0;
}

/* --- workers ------------------------------------------------------------------------------------------------------ */

struct worker {
    pthread_t thread;
    struct worker_pool *pool;
    void *own;
    struct worker_batch batch;
};

static void *work(void *with)
{
    struct worker *w = with;
    struct worker_pool *c = w->pool;

    for (;;) {
        bool have;

        pthread_mutex_lock(&c->reading);
        have = read_batch(c, &w->batch);
        pthread_mutex_unlock(&c->reading);
        if (!have)
            return NULL;
        c->handle(c, &w->batch, w->own);
    }
}

/* Start the other threads; if one cannot be created, the pool works with fewer.  Returns the number of workers. */
static int start_others(struct worker *worker, int workers)
{
    int begun = 1;

    while (begun < workers && pthread_create(&worker[begun].thread, NULL, work, &worker[begun]) == 0)
        begun++;
    return begun;
}

static void run_all(struct worker_pool *c, struct worker *worker)
{
    int begun = 1;

    if (read_batch(c, &worker->batch)) {
        if (worker->batch.count == BATCH_LINES) /* the batch is full: it is worth starting other threads */
            begun = start_others(worker, c->workers);
        c->handle(c, &worker->batch, worker->own);
        work(worker);
    }
    for (int i = 1; i < begun; i++)
        pthread_join(worker[i].thread, NULL);
}

enum lines_answer worker_pool_run(struct worker_pool *c, int fd)
{
    struct worker *worker = calloc((size_t)c->workers, sizeof *worker);

    c->answer = LINES_LINE;
    c->wake = eventfd(0, EFD_CLOEXEC);
    if (!worker || c->wake < 0 || !lines_init(&c->lines, fd)) {
        c->error = errno;
        c->answer = LINES_FAILED;
    } else {
        c->lines.stop = c->wake;
        pthread_mutex_init(&c->reading, NULL);
        pthread_mutex_init(&c->lock, NULL);
        pthread_cond_init(&c->moved, NULL);
        for (int i = 0; i < c->workers; i++) {
            worker[i].pool = c;
            worker[i].own = c->own[i];
        }
        run_all(c, worker);
        pthread_cond_destroy(&c->moved);
        pthread_mutex_destroy(&c->lock);
        pthread_mutex_destroy(&c->reading);
    }
    for (int i = 0; worker && i < c->workers; i++)
        free(worker[i].batch.text);
    free(worker);
    lines_clear(&c->lines);
    if (c->wake >= 0)
        close(c->wake);
    if (atomic_load(&c->stopped)) {
        errno = ECANCELED;
        return LINES_FAILED;
    }
    errno = c->error;
    return c->answer;
}
