/*
 * Keep-alive connections with one outstanding request each, all at the same time.
 */
#pragma once

#include "service.h"

/* Write the step-th request of a connection; returns its length. */
typedef size_t load_request(char *to, size_t size, int connection, long step);

struct load_result {
    double seconds;
    long errors; /* number of responses with another status than 200 */
};

struct load_result load_run(const struct service *s, int connections, long requests, load_request *next);

/* Reads and orders: an order that rests, its look-up and cancel, a purchase and its sale, and reads that show them. */
load_request load_mixed;
/* Requests that only read, and so change nothing in the service. */
load_request load_reads;
