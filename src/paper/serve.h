/*
 * The requests of the service by name.
 */
#ifndef OG_PAPER_SERVE_H
#define OG_PAPER_SERVE_H

#include <stddef.h>

/* "GET accounts", "POST order": as faults and limits name them, in the order of the buckets of a key; NULL past the
 * end. */
const char *og_paper_endpoint_name(size_t i);

#endif
