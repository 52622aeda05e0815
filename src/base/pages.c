/*
 * Aligned mappings, and a slab of them; see base/pages.h.
 */
#include "base/pages.h"

#include <stdalign.h>
#include <stdint.h>
#include <sys/mman.h>

#include "base/banned.h"

static size_t rounded(size_t size)
{
    return (size + OG_PAGES_SIZE - 1) / OG_PAGES_SIZE * OG_PAGES_SIZE;
}

void *og_pages_take(size_t size, bool large)
{
    size_t whole, before;
    char *p;

    if (size > SIZE_MAX / 2)
        return NULL;
    whole = rounded(size);
    p = mmap(NULL, whole + OG_PAGES_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED)
        return NULL;
    before = (OG_PAGES_SIZE - (uintptr_t)p % OG_PAGES_SIZE) % OG_PAGES_SIZE;
    if (before)
        (void)munmap(p, before);
    (void)munmap(p + before + whole, OG_PAGES_SIZE - before);
    if (large)
        (void)madvise(p + before, whole, MADV_HUGEPAGE); /* without them it is only slower */
    return p + before;
}

void og_pages_free(void *pages, size_t size)
{
    if (pages)
        (void)munmap(pages, rounded(size));
}

struct og_slab_chunk {
    struct og_slab_chunk *older, *newer;
    size_t used, live; /* bytes, things */
    alignas(max_align_t) char bytes[];
};

static struct og_slab_chunk *add_chunk(struct og_slab *s)
{
    struct og_slab_chunk *c = og_pages_take(OG_PAGES_SIZE, s->newest != NULL); /* the first may stay nearly empty */

    if (!c)
        return NULL;
    c->older = s->newest;
    if (c->older)
        c->older->newer = c;
    return s->newest = c;
}

void *og_slab_take(struct og_slab *s, size_t size)
{
    const size_t room = OG_PAGES_SIZE - sizeof(struct og_slab_chunk), step = alignof(max_align_t);
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
    og_pages_free(c, OG_PAGES_SIZE);
}

void og_slab_free(struct og_slab *s, void *p)
{
    struct og_slab_chunk *c = p ? (struct og_slab_chunk *)((uintptr_t)p / OG_PAGES_SIZE * OG_PAGES_SIZE) : NULL;

    if (!c || --c->live)
        return;
    if (c == s->newest) /* the next go there */
        c->used = 0;
    else
        drop_chunk(s, c);
}

void og_slab_clear(struct og_slab *s)
{
    while (s->newest)
        drop_chunk(s, s->newest);
}
