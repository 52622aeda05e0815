/*
 * How old a named list may be, for expressions and limits that use it.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/time.h"
#include "facts/calendar.h"

/* When a named list was made, and how old the policy allows it to be. */
struct og_list_age {
    int64_t as_of;   /* the instant at which the list was made, or the start of that day in New York; OG_TIME_UNKNOWN if
                      * the list does not say */
    int64_t max_age; /* ns; 0: any age */
    bool of_session; /* the list must be of today; on a day without a session it may be as old as the last session */
};
static inline bool og_list_must_be_young(const struct og_list_age *a)
{
    return a->max_age || a->of_session;
}
/* Returns true if the list is as young as the policy demands.  today: what kind of day `now` is in New York. */
bool og_list_is_young(const struct og_list_age *a, int64_t now, const struct og_eastern *eastern, struct og_day today);
