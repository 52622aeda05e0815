/*
 * Instants as the library takes them: nanoseconds since 1970-01-01T00:00:00Z, no leap seconds.
 * It refuses to look at TZ; Eastern time comes from the daylight-saving rule itself.
 * NULL where it is not allowed: OG_EINVAL; a function without a status answers as if there were nothing.
 */
#ifndef ORDERGATE_TIME_H
#define ORDERGATE_TIME_H

#include "ordergate/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define OG_NS_PER_S     INT64_C(1000000000)
#define OG_NS_PER_MS    INT64_C(1000000)
#define OG_TIME_UNKNOWN INT64_MIN /* "not known": a fact without an age */

struct og_time_text {
    char s[40];
};

/* Read RFC 3339 with offset ("2026-01-15T14:31:00Z", "...+00:00", 0 to 9 decimals of a second; more
 * decimals are cut, not rounded), years 1970 to 2199.  A date without time, or without offset, is refused.
 *   true   *ns is the instant
 *   false  anything else; *ns is OG_TIME_UNKNOWN */
OG_API OG_MUST_USE bool og_time_read(const char *text, size_t len, int64_t *ns);

/* RFC 3339 in UTC with as many decimals as needed, in groups of three: "2026-01-15T21:05:12Z",
 * "2026-01-15T21:05:12.250Z".  OG_TIME_UNKNOWN gives "unknown". */
OG_API struct og_time_text og_time_text(int64_t ns);

/* Read a duration, one whole number and one unit: "500ms", "2s", "5m", "1h".
 *   true   *ns is it
 *   false  anything else; *ns is 0 */
OG_API OG_MUST_USE bool og_duration_read(const char *text, size_t len, int64_t *ns);

/* The clock of the machine. */
OG_API int64_t og_time_now(void);

#ifdef __cplusplus
}
#endif
#endif
