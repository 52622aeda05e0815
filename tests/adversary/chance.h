/*
 * Random numbers from a seed, the same on every machine, and texts that grow.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct chance {
    uint64_t state;
};
struct chance chance_of(uint64_t seed, uint64_t part);
uint64_t chance_bits(struct chance *c);
int64_t chance_to(struct chance *c, int64_t below); /* 0 to below - 1 */
bool chance_in(struct chance *c, int percent);

struct text {
    char *s;
    size_t len, room;
};
void text_put(struct text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_decimal(struct text *t, int64_t value); /* value is in 1/10000 */
