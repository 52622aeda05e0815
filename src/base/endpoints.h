/*
 * The endpoints of the service: names, paths and request limits, made from base/endpoints.def, for the client, the
 * rules and the paper brokerage.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/str.h"

#define OG_API_PREFIX "/v1/api/"

enum og_endpoint {
#define OG_ENDPOINT(id, method, name, path, rate, burst, limits) OG_ENDPOINT_##id,
#include "base/endpoints.def"
#undef OG_ENDPOINT
    OG_ENDPOINTS
};

struct og_endpoint_spec {
    /* name of the endpoint, such as "GET history"; users write it in requests, budgets, limits and faults */
    const char *name;
    const char *method;
    const char *path;    /* path after OG_API_PREFIX; {a}: the account, {i}: the other variable */
    int64_t rate, burst; /* rate: requests a second; burst: requests that may be sent at once */
    /* true if the service states rate and burst; false if they are taken from similar endpoints */
    bool has_stated_limit;
};

extern const struct og_endpoint_spec og_endpoints[OG_ENDPOINTS];

/* Returns the endpoint with that name; OG_ENDPOINTS if there is none. */
enum og_endpoint og_endpoint_find(struct og_str name);
/* Returns true if a call may be repeated after a lost answer: it is a read, or a cancel, which has no effect the second
 * time. */
bool og_endpoint_is_repeatable(enum og_endpoint call);
/* Returns what an answer with this status may say about the keys and the path of base_url, by the service's document,
 * and how to find out, as a text to be put behind the status; "" if it says nothing about them. */
const char *og_endpoint_denial(enum og_endpoint call, int status);
/* Append a path variable, percent-encoded except for bytes that are always safe. */
void og_endpoint_segment(struct og_str s, struct og_buf *to);
/* Append the path of a call with its variables encoded; a variable that consists of dots cannot become "..". */
void og_endpoint_path(enum og_endpoint call, struct og_str account, struct og_str other, struct og_buf *to);
