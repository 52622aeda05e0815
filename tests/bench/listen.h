/*
 * Clients of the Portfolio stream, each with its own copy of what was sent.
 */
#ifndef TESTS_BENCH_LISTEN_H
#define TESTS_BENCH_LISTEN_H

#include "service.h"

struct listen_result {
    double seconds; /* from the first order to the last push read */
    long pushes;    /* over all clients */
    long bytes;
};

/* So many clients subscribe to the orders of one account, and that many orders are placed: every client must hear of
 * each, in order, in the same bytes; ends the program where one does not. */
struct listen_result listen_run(const struct service *s, int clients, int orders);

/* A client that signs in and goes. */
void listen_once(const struct service *s);

#endif
