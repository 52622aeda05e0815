/*
 * Seeded text: random numbers by splitmix64, and a buffer that grows.
 */
#include "maker.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static uint64_t next(struct maker *m)
{
    uint64_t z = m->state += UINT64_C(0x9E3779B97F4A7C15);

    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

uint64_t below(struct maker *m, uint64_t n)
{
    return next(m) % n;
}

void *need(void *p)
{
    if (!p) {
        fputs("bench: out of memory\n", stderr);
        exit(4);
    }
    return p;
}

void put(struct maker *m, const char *format, ...)
{
    va_list args;
    int n;

    if (m->room - m->len < 1024) {
        m->room = m->room * 2 + 65536;
        m->bytes = need(realloc(m->bytes, m->room));
    }
    va_start(args, format);
    n = vsnprintf(m->bytes + m->len, m->room - m->len, format, args);
    va_end(args);
    m->len += n > 0 ? (size_t)n : 0;
}
