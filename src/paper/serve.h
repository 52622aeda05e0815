/*
 * Names of the service's endpoints.
 */
#ifndef OG_PAPER_SERVE_H
#define OG_PAPER_SERVE_H

#include <stddef.h>

/* The i-th name, such as "GET accounts" or "POST order", as faults and limits use it; in the order of a key's rate
 * buckets.  Returns NULL past the last. */
const char *og_paper_endpoint_name(size_t i);

#endif
