/*
 * A thread beside the one that decides in sequence: it has the memory ready that accepted orders will take.
 * It refuses to begin for few orders, and where there is but one processor.
 */
#include "tools/common/check.h"

#include <semaphore.h>
#include <stdlib.h>

/* Orders from one look of the thread to the next: fewer than what it has ready is enough for. */
enum { EVERY = 16384 };

struct ahead {
    pthread_t thread;
    sem_t more;
    atomic_bool over;
    struct og_book *book;
    long long due; /* orders decided when it is to look again */
};

static void *look(void *with)
{
    struct ahead *a = with;

    for (;;) {
        while (sem_wait(&a->more) != 0) {
            /* a signal came between */
        }
        while (!atomic_load(&a->over) && og_book_make_room(a->book)) {
            /* there is more to do */
        }
        if (atomic_load(&a->over))
            return NULL;
    }
}

static struct ahead *begin(struct og_book *book)
{
    struct ahead *a = crew_hands() > 1 ? calloc(1, sizeof *a) : NULL;

    if (!a)
        return NULL;
    a->book = book;
    if (sem_init(&a->more, 0, 0) != 0) {
        free(a);
        return NULL;
    }
    if (pthread_create(&a->thread, NULL, look, a) != 0) {
        sem_destroy(&a->more);
        free(a);
        return NULL;
    }
    return a;
}

void check_look_ahead(struct check *c)
{
    if (c->independent || c->orders < EVERY || (c->ahead && c->orders < c->ahead->due))
        return;
    if (!c->ahead && !c->alone)
        c->ahead = begin(c->book);
    c->alone = !c->ahead; /* not to be tried again */
    if (!c->ahead)
        return;
    c->ahead->due = c->orders + EVERY;
    sem_post(&c->ahead->more);
}

void check_look_no_more(struct check *c)
{
    struct ahead *a = c->ahead;

    if (!a)
        return;
    atomic_store(&a->over, true);
    sem_post(&a->more);
    pthread_join(a->thread, NULL);
    sem_destroy(&a->more);
    free(a);
    c->ahead = NULL;
}
