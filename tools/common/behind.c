/*
 * Writing behind: a ring of slots between the thread that decides and the one that writes; see tools/common/behind.h.
 */
#include "tools/common/behind.h"

#include <errno.h>
#include <string.h>

static void write_slots(struct behind *b, unsigned from, unsigned to)
{
    for (; from != to; from++)
        b->write(b->with, &b->slot[from % BEHIND_SLOTS]);
}

static void *write_all(void *with)
{
    struct behind *b = with;

    pthread_mutex_lock(&b->lock);
    for (;;) {
        unsigned from = b->written, to = b->handed;

        if (from != to) {
            pthread_mutex_unlock(&b->lock);
            write_slots(b, from, to);
            pthread_mutex_lock(&b->lock);
            b->written = to;
            pthread_cond_signal(&b->moved);
        } else if (b->stopped) {
            break;
        } else {
            pthread_cond_wait(&b->moved, &b->lock);
        }
    }
    pthread_mutex_unlock(&b->lock);
    return NULL;
}

bool behind_start(struct behind *b, void (*write)(void *with, struct behind_slot *slot), void *with)
{
    memset(b, 0, sizeof *b);
    b->free_until = BEHIND_SLOTS;
    b->write = write;
    b->with = with;
    pthread_mutex_init(&b->lock, NULL);
    pthread_cond_init(&b->moved, NULL);
    errno = pthread_create(&b->thread, NULL, write_all, b);
    if (!errno)
        return true;
    pthread_cond_destroy(&b->moved);
    pthread_mutex_destroy(&b->lock);
    return false;
}

/* Wait until few enough are not written that a batch may be made without looking again. */
static void wait_for_room(struct behind *b)
{
    pthread_mutex_lock(&b->lock);
    while (b->made - b->written > BEHIND_SLOTS - BEHIND_BATCH)
        pthread_cond_wait(&b->moved, &b->lock);
    b->free_until = b->written + BEHIND_SLOTS;
    pthread_mutex_unlock(&b->lock);
}

struct behind_slot *behind_next(struct behind *b)
{
    struct behind_slot *slot;

    if (b->made == b->free_until)
        wait_for_room(b);
    slot = &b->slot[b->made % BEHIND_SLOTS];
    if (!slot->scratch)
        slot->scratch = og_scratch_new();
    return slot->scratch ? slot : NULL;
}

void behind_made(struct behind *b)
{
    b->made++;
    if (b->made % BEHIND_BATCH != 0)
        return;
    pthread_mutex_lock(&b->lock);
    b->handed = b->made;
    pthread_cond_signal(&b->moved);
    pthread_mutex_unlock(&b->lock);
}

void behind_drain(struct behind *b)
{
    pthread_mutex_lock(&b->lock);
    while (b->written != b->handed)
        pthread_cond_wait(&b->moved, &b->lock);
    pthread_mutex_unlock(&b->lock);
    write_slots(b, b->written, b->made); /* the thread waits, and nothing is handed to it */
    pthread_mutex_lock(&b->lock);
    b->handed = b->written = b->made;
    pthread_mutex_unlock(&b->lock);
    b->free_until = b->made + BEHIND_SLOTS;
}

void behind_stop(struct behind *b)
{
    behind_drain(b);
    pthread_mutex_lock(&b->lock);
    b->stopped = true;
    pthread_cond_signal(&b->moved);
    pthread_mutex_unlock(&b->lock);
    pthread_join(b->thread, NULL);
    pthread_cond_destroy(&b->moved);
    pthread_mutex_destroy(&b->lock);
    for (int i = 0; i < BEHIND_SLOTS; i++) {
        og_scratch_free(b->slot[i].scratch);
        og_order_free(b->slot[i].order);
    }
}
