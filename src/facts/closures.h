/*
 * Days that are not as the exchange calendar has them: closures and early closes announced after it was written
 * (a facts document's key "calendar").  It refuses to open a day that the calendar has closed.
 */
#ifndef OG_FACTS_CLOSURES_H
#define OG_FACTS_CLOSURES_H

#include "facts/reader.h"
#include "ordergate/calendar.h"

struct og_closures {
    size_t count;
    struct og_closure {
        int date;
        struct og_day day;
    } row[];
};

/* {"closed":["2026-12-09"],"early":{"2026-12-10":"13:00"}}: *out is the caller's to free. */
bool og_facts_read_closures(struct og_facts_reader *r, const cJSON *item, struct og_closures **out);
struct og_closures *og_facts_closures_copy(const struct og_closures *c); /* NULL: out of memory */

#endif
