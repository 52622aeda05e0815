/*
 * Reading ahead: a ring of batches between the thread that decodes and the one that decides; see tools/common/ahead.h.
 */
#include "tools/common/ahead.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* More than so many bytes are not worth waiting for more, nor keeping room for. */
#define BATCH_BYTES ((size_t)1 << 16)

static struct ahead_batch *filling(struct ahead *a)
{
    return &a->batch[a->filled % AHEAD_BATCHES];
}

/* Hand the batch over and wait for a free one: once there is none, for half of them, since each wait costs as much as
 * a batch does. */
static void hand_over(struct ahead *a)
{
    bool stopped;

    filling(a)->fresh = a->fresh;
    a->fresh = false;
    pthread_mutex_lock(&a->lock);
    a->filled++;
    pthread_cond_signal(&a->moved);
    if (a->filled - a->taken == AHEAD_BATCHES)
        while (a->filled - a->taken > AHEAD_BATCHES / 2 && !a->stopped)
            pthread_cond_wait(&a->moved, &a->lock);
    stopped = a->stopped;
    pthread_mutex_unlock(&a->lock);
    if (stopped)
        pthread_exit(NULL);
    filling(a)->count = 0;
    filling(a)->bytes = 0;
}

static void set_waits(struct ahead *a, bool waits)
{
    pthread_mutex_lock(&a->lock);
    a->waits = waits;
    pthread_cond_signal(&a->moved);
    pthread_mutex_unlock(&a->lock);
}

/* Nothing more has come: what has is not held back. */
static void input_waits(void *with)
{
    struct ahead *a = with;

    if (filling(a)->count)
        hand_over(a);
    set_waits(a, true);
    pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, NULL); /* only a read that waits is given up */
}

static void bytes_came(void *with)
{
    struct ahead *a = with;

    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
    a->fresh = true;
    if (a->waits) /* nobody else sets it */
        set_waits(a, false);
}

static bool keep_text(struct ahead_line *l, const char *text, size_t len)
{
    if (l->room < len) {
        char *more = realloc(l->text, len);

        if (!more)
            return false;
        l->text = more;
        l->room = len;
    }
    memcpy(l->text, text, len);
    l->len = len;
    return true;
}

static void drop(struct ahead_line *l)
{
    og_order_free(l->order);
    free(l->text);
    *l = (struct ahead_line){ .order = NULL };
}

/* A long line leaves large buffers: such in each slot would be much. */
static bool fit_order(struct ahead_line *l, size_t len)
{
    if (l->large)
        drop(l);
    if (!l->order)
        l->order = og_order_new();
    l->large = len > BATCH_BYTES;
    return l->order != NULL;
}

static bool decode(struct ahead *a, const char *text, size_t len)
{
    struct ahead_batch *b = filling(a);
    struct ahead_line *l = &b->line[b->count];

    if (!fit_order(l, len) || og_order_read(l->order, text, len))
        return false;
    if (og_order_op(l->order) != OG_OP_ORDER && !keep_text(l, text, len))
        return false;
    l->number = a->lines.number;
    b->count++;
    b->bytes += len;
    return true;
}

static void *read_all(void *with)
{
    struct ahead *a = with;
    const char *text;
    size_t len;
    enum lines_answer answer;

    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
    while ((answer = lines_next(&a->lines, &text, &len)) == LINES_LINE) {
        if (!decode(a, text, len)) {
            errno = ENOMEM;
            answer = LINES_FAILED;
            break;
        }
        if (filling(a)->count == AHEAD_LINES || filling(a)->bytes >= BATCH_BYTES)
            hand_over(a);
    }
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
    filling(a)->error = errno;
    filling(a)->answer = answer;
    hand_over(a);
    return NULL;
}

bool ahead_start(struct ahead *a, int fd, void (*before_wait)(void *with), void (*after_read)(void *with), void *with)
{
    memset(a, 0, sizeof *a);
    a->next = -1;
    a->before_wait = before_wait;
    a->after_read = after_read;
    a->with = with;
    for (int i = 0; i < AHEAD_BATCHES; i++)
        a->batch[i].answer = LINES_LINE;
    if (!lines_init(&a->lines, fd)) {
        errno = ENOMEM;
        return false;
    }
    a->lines.before_wait = input_waits;
    a->lines.after_read = bytes_came;
    a->lines.with = a;
    pthread_mutex_init(&a->lock, NULL);
    pthread_cond_init(&a->moved, NULL);
    errno = pthread_create(&a->thread, NULL, read_all, a);
    if (!errno)
        return true;
    pthread_cond_destroy(&a->moved);
    pthread_mutex_destroy(&a->lock);
    lines_clear(&a->lines);
    return false;
}

/* Wait for a batch; the caller hears of it when it is the input that is waited for. */
static void take_batch(struct ahead *a)
{
    bool told = false;

    pthread_mutex_lock(&a->lock);
    while (a->filled == a->taken) {
        if (a->waits && !told) {
            pthread_mutex_unlock(&a->lock);
            a->before_wait(a->with);
            told = true;
            pthread_mutex_lock(&a->lock);
        } else {
            pthread_cond_wait(&a->moved, &a->lock);
        }
    }
    pthread_mutex_unlock(&a->lock);
    a->next = 0;
}

static void give_back(struct ahead *a)
{
    a->next = -1;
    pthread_mutex_lock(&a->lock);
    a->taken++;
    if (a->filled - a->taken == AHEAD_BATCHES / 2)
        pthread_cond_signal(&a->moved);
    pthread_mutex_unlock(&a->lock);
}

enum lines_answer ahead_next(struct ahead *a, struct ahead_line **line)
{
    for (;;) {
        struct ahead_batch *b = &a->batch[a->taken % AHEAD_BATCHES];

        if (a->next < 0) {
            take_batch(a);
            if (b->fresh)
                a->after_read(a->with);
        }
        if (a->next < b->count) {
            *line = &b->line[a->next++];
            return LINES_LINE;
        }
        if (b->answer != LINES_LINE) {
            errno = b->error;
            return b->answer;
        }
        give_back(a);
    }
}

void ahead_stop(struct ahead *a)
{
    pthread_mutex_lock(&a->lock);
    a->stopped = true;
    pthread_cond_signal(&a->moved);
    pthread_mutex_unlock(&a->lock);
    pthread_cancel(a->thread);
    pthread_join(a->thread, NULL);
    pthread_cond_destroy(&a->moved);
    pthread_mutex_destroy(&a->lock);
    lines_clear(&a->lines);
    for (int i = 0; i < AHEAD_BATCHES; i++)
        for (int k = 0; k < AHEAD_LINES; k++)
            drop(&a->batch[i].line[k]);
}
