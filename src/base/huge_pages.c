/*
 * Aligned mappings, some of them touched in advance, and a slab allocator over them; see base/huge_pages.h.
 */
#include "base/huge_pages.h"

#include <pthread.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/mman.h>

static size_t rounded(size_t size)
{
    return (size + OG_HUGE_PAGE_SIZE - 1) / OG_HUGE_PAGE_SIZE * OG_HUGE_PAGE_SIZE;
}

static char *map(size_t whole, bool large)
{
    size_t before;
    char *p = mmap(NULL, whole + OG_HUGE_PAGE_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (p == MAP_FAILED)
        return NULL;
    before = (OG_HUGE_PAGE_SIZE - (uintptr_t)p % OG_HUGE_PAGE_SIZE) % OG_HUGE_PAGE_SIZE;
    if (before)
        (void)munmap(p, before);
    (void)munmap(p + before + whole, OG_HUGE_PAGE_SIZE - before);
    if (large)
        (void)madvise(p + before, whole, MADV_HUGEPAGE); /* may fail: the memory is then only slower */
    return p + before;
}

/* --- regions touched in advance ----------------------------------------------------------------------------------- */

static struct {
    pthread_mutex_t lock;
    atomic_int count;
    struct {
        char *pages;
        size_t size;
    } region[OG_HUGE_PAGES_READY];
} ready = { .lock = PTHREAD_MUTEX_INITIALIZER };

static char *take_ready(size_t whole)
{
    char *pages = NULL;

    if (!atomic_load(&ready.count)) /* read without the lock, since most programs never make such pages */
        return NULL;
    pthread_mutex_lock(&ready.lock);
    for (int i = 0; i < ready.count && !pages; i++)
        if (ready.region[i].size == whole) {
            pages = ready.region[i].pages;
            ready.region[i] = ready.region[--ready.count];
        }
    pthread_mutex_unlock(&ready.lock);
    return pages;
}

/* Returns true if fewer than `count` regions of this size are ready, and another may be kept ready. */
static bool is_wanted(size_t whole, int count)
{
    for (int i = 0; i < ready.count; i++)
        count -= ready.region[i].size == whole;
    return count > 0 && ready.count < OG_HUGE_PAGES_READY;
}

bool og_huge_pages_prefault(size_t size, int count)
{
    const size_t whole = rounded(size), small = 4096;
    volatile char *p;
    bool wanted;

    pthread_mutex_lock(&ready.lock);
    wanted = is_wanted(whole, count);
    pthread_mutex_unlock(&ready.lock);
    if (!wanted || !(p = map(whole, true)))
        return false;
    for (size_t at = 0; at < whole; at += small)
        p[at] = 0;
    pthread_mutex_lock(&ready.lock);
    wanted = is_wanted(whole, count); /* check again under the lock: another thread may have added a region */
    if (wanted) {
        ready.region[ready.count].pages = (char *)p;
        ready.region[ready.count++].size = whole;
    }
    pthread_mutex_unlock(&ready.lock);
    if (!wanted)
        og_huge_pages_free((char *)p, whole);
    return wanted;
}

void og_huge_pages_lock(void)
{
    pthread_mutex_lock(&ready.lock);
}

void og_huge_pages_unlock(void)
{
    pthread_mutex_unlock(&ready.lock);
}

/* --- allocations -------------------------------------------------------------------------------------------------- */

void *og_huge_pages_alloc(size_t size, bool large)
{
    char *p;

    if (size > SIZE_MAX / 2)
        return NULL;
    p = large ? take_ready(rounded(size)) : NULL;
    return p ? p : map(rounded(size), large);
}

void og_huge_pages_free(void *pages, size_t size)
{
    if (pages)
        (void)munmap(pages, rounded(size));
}

struct og_slab_chunk {
    struct og_slab_chunk *older, *newer;
    size_t used, live; /* bytes used; number of allocations that are not freed yet */
    alignas(max_align_t) char bytes[];
};

static struct og_slab_chunk *add_chunk(struct og_slab *s)
{
    struct og_slab_chunk *c = og_huge_pages_alloc(
        OG_HUGE_PAGE_SIZE, s->newest != NULL); /* the first chunk may stay nearly empty, so it gets no huge page */

    if (!c)
        return NULL;
    c->older = s->newest;
    if (c->older)
        c->older->newer = c;
    return s->newest = c;
}

void *og_slab_alloc(struct og_slab *s, size_t size)
{
    const size_t room = OG_HUGE_PAGE_SIZE - sizeof(struct og_slab_chunk), step = alignof(max_align_t);
    struct og_slab_chunk *c = s->newest;
    void *p;

    if (size > room - step)
        return NULL;
    size = (size + step - 1) / step * step;
    if (!c || room - c->used < size)
        c = add_chunk(s);
    if (!c)
        return NULL;
    p = c->bytes + c->used;
    c->used += size;
    c->live++;
    return p;
}

static void drop_chunk(struct og_slab *s, struct og_slab_chunk *c)
{
    if (c->older)
        c->older->newer = c->newer;
    if (c->newer)
        c->newer->older = c->older;
    else
        s->newest = c->older;
    og_huge_pages_free(c, OG_HUGE_PAGE_SIZE);
}

void og_slab_free(struct og_slab *s, void *p)
{
    struct og_slab_chunk *c = p ? (struct og_slab_chunk *)((uintptr_t)p / OG_HUGE_PAGE_SIZE * OG_HUGE_PAGE_SIZE) : NULL;

    if (!c || --c->live)
        return;
    if (c == s->newest) /* the newest chunk is kept for later allocations */
        c->used = 0;
    else
        drop_chunk(s, c);
}

void og_slab_clear(struct og_slab *s)
{
    while (s->newest)
        drop_chunk(s, s->newest);
}
