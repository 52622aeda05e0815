/*
 * Keep-alive connections that ask the service, one request each at a time, all at once.
 */
#ifndef TESTS_BENCH_LOAD_H
#define TESTS_BENCH_LOAD_H

#include "service.h"

/* Write the step-th request of a connection; its length. */
typedef size_t load_request(char *to, size_t size, int connection, long step);

struct load_result {
    double seconds;
    long errors; /* answers other than 200 */
};

struct load_result load_run(const struct service *s, int connections, long requests, load_request *next);

/* Reads and orders: an order that rests, its look-up and cancel, a purchase and its sale, and what reads show of
 * them. */
load_request load_mixed;
/* Reads alone: what is asked leaves nothing behind. */
load_request load_reads;

#endif
