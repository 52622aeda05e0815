/*
 * Closures and early closes announced after the exchange calendar was written (key "calendar" of a facts document).
 * They can only close a day or shorten it, never open one.
 */
#pragma once

#include "facts/reader.h"
#include "ordergate/calendar.h"

struct og_closures {
    size_t count;
    struct og_closure {
        int date;
        struct og_day day;
    } row[];
};

/* Read {"closed":["2026-12-09"],"early":{"2026-12-10":"13:00"}}. The caller frees *out. */
bool og_facts_read_closures(struct og_facts_reader *r, const cJSON *item, struct og_closures **out);
struct og_closures *og_facts_closures_copy(const struct og_closures *c); /* returns NULL if memory runs out */
