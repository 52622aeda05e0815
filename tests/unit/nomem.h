/*
 * For test_*_nomem programs, whose calls of malloc, calloc and realloc are redirected here: the nth call from now
 * fails, once.
 */
#pragma once

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdlib.h>

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *p, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *p, size_t size);

static long nomem_left; /* the allocation that fails, counted from now; 0: none fails */

static bool nomem_now(void)
{
    return nomem_left > 0 && --nomem_left == 0;
}

void *__wrap_malloc(size_t size)
{
    return nomem_now() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return nomem_now() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *p, size_t size)
{
    return nomem_now() ? NULL : __real_realloc(p, size);
}

/* Let the nth allocation fail; nomem_hit() then returns whether there were so many. */
static void nomem_at(long n)
{
    nomem_left = n;
}

static bool nomem_hit(void)
{
    bool hit = nomem_left == 0;

    nomem_left = 0;
    return hit;
}

static inline void *nomem_malloc(size_t size)
{
    return malloc(size);
}

/* Setup of a group of tests: cJSON's allocations are redirected too. */
static inline int nomem_in_cjson(void **state)
{
    cJSON_Hooks hooks = { nomem_malloc, free };

    (void)state;
    cJSON_InitHooks(&hooks);
    return 0;
}
