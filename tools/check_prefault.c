/*
 * A thread that maps and touches memory for accepted orders in advance, while another thread decides in sequence. It is
 * not started for few orders, nor on a machine with one processor.
 */
#include <semaphore.h>
#include <stdlib.h>

#include "tools/common/check.h"

/* The thread runs each time that so many more orders were decided, and then prepares memory for more orders than
 * that. */
enum { EVERY = 16384 };

struct prefault {
    pthread_t thread;
    sem_t more;
    atomic_bool over;
    struct og_book *book;
    long long due; /* number of decided orders at which the thread runs next */
};

static void *prefault_loop(void *with)
{
    struct prefault *a = with;

    for (;;) {
        while (sem_wait(&a->more) != 0) {
            /* a signal interrupted the wait: wait again */
        }
        while (!atomic_load(&a->over) && og_book_make_room(a->book)) {
            /* og_book_make_room() prepares one piece of memory: repeat until there is enough */
        }
        if (atomic_load(&a->over))
            return NULL;
    }
}

static struct prefault *begin(struct og_book *book)
{
    struct prefault *a = worker_pool_default_workers() > 1 ? calloc(1, sizeof *a) : NULL;

    if (!a)
        return NULL;
    a->book = book;
    if (sem_init(&a->more, 0, 0) != 0) {
        free(a);
        return NULL;
    }
    if (pthread_create(&a->thread, NULL, prefault_loop, a) != 0) {
        sem_destroy(&a->more);
        free(a);
        return NULL;
    }
    return a;
}

void check_prefault_more(struct check *c)
{
    if (c->independent || c->orders < EVERY || (c->prefault && c->orders < c->prefault->due))
        return;
    if (!c->prefault && !c->alone)
        c->prefault = begin(c->book);
    c->alone = !c->prefault; /* if the thread cannot be started, do not try again */
    if (!c->prefault)
        return;
    c->prefault->due = c->orders + EVERY;
    sem_post(&c->prefault->more);
}

void check_prefault_stop(struct check *c)
{
    struct prefault *a = c->prefault;

    if (!a)
        return;
    atomic_store(&a->over, true);
    sem_post(&a->more);
    pthread_join(a->thread, NULL);
    sem_destroy(&a->more);
    free(a);
    c->prefault = NULL;
}
