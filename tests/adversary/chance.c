/*
 * Random numbers from a seed, and texts that grow.  Ends the program if memory runs out.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adversary.h"

uint64_t chance_bits(struct chance *c)
{
    uint64_t z = c->state += UINT64_C(0x9e3779b97f4a7c15);

    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

struct chance chance_of(uint64_t seed, uint64_t part)
{
    struct chance c = { seed };
    uint64_t first = chance_bits(&c);

    c.state = first ^ (part * UINT64_C(0xd1342543de82ef95));
    (void)chance_bits(&c);
    return c;
}

int64_t chance_to(struct chance *c, int64_t below)
{
    return below <= 1 ? 0 : (int64_t)(chance_bits(c) % (uint64_t)below);
}

bool chance_in(struct chance *c, int percent)
{
    return chance_to(c, 100) < percent;
}

void text_put(struct text *t, const char *format, ...)
{
    va_list args;
    int n;

    va_start(args, format);
    n = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (t->len + (size_t)n + 1 > t->room) {
        t->room = 2 * (t->len + (size_t)n + 1);
        t->s = realloc(t->s, t->room);
        if (!t->s)
            abort();
    }
    va_start(args, format);
    vsnprintf(t->s + t->len, t->room - t->len, format, args);
    va_end(args);
    t->len += (size_t)n;
}

void text_decimal(struct text *t, int64_t value)
{
    int64_t whole = value / SCALE, part = value % SCALE;

    if (part == 0)
        text_put(t, "%lld", (long long)whole);
    else if (part % 100 == 0)
        text_put(t, "%lld.%02lld", (long long)whole, (long long)part / 100);
    else
        text_put(t, "%lld.%04lld", (long long)whole, (long long)part);
}
