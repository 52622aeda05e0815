/*
 * Instants and durations, in nanoseconds.  An instant counts from 1970-01-01T00:00:00Z, without leap seconds.
 * The environment variable TZ is never read; Eastern time is computed from the daylight-saving rule.
 * Threads: any; no function here has state.
 * Passing NULL where it is not allowed returns OG_EINVAL; a function that returns no status then does nothing and
 * returns an empty value (0, false, NULL or "").
 */
#ifndef ORDERGATE_TIME_H
#define ORDERGATE_TIME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ordergate/status.h"

#ifdef __cplusplus
extern "C" {
#endif

#define OG_NS_PER_S     INT64_C(1000000000)
#define OG_NS_PER_MS    INT64_C(1000000)
#define OG_TIME_UNKNOWN INT64_MIN /* stands for an instant or age that is not known */

struct og_time_text {
    char s[40];
};

/* Read an instant in RFC 3339 with offset ("2026-01-15T14:31:00Z", "...+00:00"), years 1970 to 2199.  Decimals of a
 * second after the ninth are cut off, not rounded.  Returns false, with *ns OG_TIME_UNKNOWN, for any other text, for
 * example a date without a time or an offset. */
OG_API OG_MUST_USE bool og_time_read(const char *text, size_t len, int64_t *ns);

/* Returns an instant in RFC 3339, in UTC, with 0, 3, 6 or 9 decimals as needed: "2026-01-15T21:05:12Z",
 * "2026-01-15T21:05:12.250Z".  OG_TIME_UNKNOWN gives "unknown". */
OG_API struct og_time_text og_time_text(int64_t ns);

/* Read a duration, one whole number and one unit: "500ms", "2s", "5m", "1h".  Returns false, with *ns 0, for any
 * other text. */
OG_API OG_MUST_USE bool og_duration_read(const char *text, size_t len, int64_t *ns);

/* Read a day of the exchange, from midnight to midnight in New York: "2026-01-15", or "today" or "yesterday" as seen
 * from `now`. *begins is its first instant, *ends the first of the next day, 23 to 25 hours later. Returns false, with
 * both OG_TIME_UNKNOWN, for any other text. */
OG_API OG_MUST_USE bool og_time_read_day(const char *text, size_t len, int64_t now, int64_t *begins, int64_t *ends);

/* Returns the present instant by the machine's clock. */
OG_API int64_t og_time_now(void);

#ifdef __cplusplus
}
#endif
#endif
