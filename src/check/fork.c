/*
 * Keeps books usable in a child of fork(): no book is in use while the process forks, and the child's locks are
 * initialized anew. Without that, the child would inherit locks held by threads that it does not have.
 */
#include "check/book.h"

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards books */
static struct og_book *books;
static bool ready;

/* Take all locks in the sequence in which they are always taken: each book's flags and the book, then huge pages. */
static void quiet(void)
{
    pthread_mutex_lock(&lock);
    for (struct og_book *b = books; b; b = b->next_book) {
        pthread_mutex_lock(&b->watch.lock);
        pthread_rwlock_wrlock(&b->lock);
    }
    og_huge_pages_lock();
}

static void go_on(void)
{
    og_huge_pages_unlock();
    for (struct og_book *b = books; b; b = b->next_book) {
        pthread_rwlock_unlock(&b->lock);
        pthread_mutex_unlock(&b->watch.lock);
    }
    pthread_mutex_unlock(&lock);
}

/* Initialize the child's locks anew: a lock records the thread that holds it, and the child's only thread has another
 * id. */
static void begin(void)
{
    og_huge_pages_unlock();
    for (struct og_book *b = books; b; b = b->next_book) {
        (void)pthread_rwlock_init(&b->lock, NULL); /* neither call can fail on Linux, where each only writes to the
                                                    * lock */
        (void)pthread_mutex_init(&b->watch.lock, NULL);
    }
    pthread_mutex_unlock(&lock);
}

static void set_up(void)
{
    ready = pthread_atfork(quiet, go_on, begin) == 0;
}

bool og_book_survives_fork(struct og_book *b)
{
    (void)pthread_once(&once, set_up);
    if (!ready)
        return false;
    pthread_mutex_lock(&lock);
    b->next_book = books;
    b->at_book = &books;
    if (books)
        books->at_book = &b->next_book;
    books = b;
    pthread_mutex_unlock(&lock);
    return true;
}

void og_book_forks_no_more(struct og_book *b)
{
    pthread_mutex_lock(&lock);
    if (b->at_book) {
        *b->at_book = b->next_book;
        if (b->next_book)
            b->next_book->at_book = b->at_book;
    }
    pthread_mutex_unlock(&lock);
}
