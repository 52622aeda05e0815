/*
 * Times as the service writes them. For its documents see wire/documents.h, for orders wire/row.h.
 */
#pragma once

#include "base/json_write.h"
#include "wire/row.h"

/* A time such as "2026-01-15T15:00:00.0000000+00:00": ISO 8601 with seven fractional digits, as in positions. */
struct og_wire_time {
    char s[48];
};
struct og_wire_time og_wire_time_utc(int64_t ns);
struct og_wire_time og_wire_time_eastern(int64_t ns);
/* Returns a text such as "Thu, 15 Jan 2026 15:00:00 GMT" (RFC 7231). */
struct og_wire_time og_wire_time_http(int64_t ns);
