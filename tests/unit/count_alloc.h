/*
 * Counts in `calls` every call of the allocator in the process, including those by libc and PCRE2, once count_calls()
 * was called. A sanitizer has an allocator of its own, whose hooks then count; otherwise the malloc of this file
 * replaces that of the C library.
 */
#pragma once

#include <stdatomic.h>

#include "unit.h"

static atomic_long calls;

#if OG_SANITIZED /* defined by CMake: 0 or 1 */
int __sanitizer_install_malloc_and_free_hooks(void (*on_malloc)(const volatile void *, size_t),
                                              void (*on_free)(const volatile void *));

static void count_malloc(const volatile void *p, size_t size)
{
    (void)p;
    (void)size;
    calls++;
}

static void count_free(const volatile void *p)
{
    calls += p != NULL;
}

static void count_calls(void)
{
    assert_true(__sanitizer_install_malloc_and_free_hooks(count_malloc, count_free) > 0);
}
#else
#define EXPORTED __attribute__((visibility("default"))) /* visible, so that shared libraries call these functions too */

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *p, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *p);

EXPORTED void *malloc(size_t size)
{
    calls++;
    return __libc_malloc(size);
}

EXPORTED void *calloc(size_t count, size_t size)
{
    calls++;
    return __libc_calloc(count, size);
}

EXPORTED void *realloc(void *p, size_t size)
{
    calls++;
    return __libc_realloc(p, size);
}

EXPORTED void *aligned_alloc(size_t alignment, size_t size)
{
    calls++;
    return __libc_memalign(alignment, size);
}

EXPORTED void free(void *p)
{
    calls += p != NULL;
    __libc_free(p);
}

static void count_calls(void)
{
}
#endif
