/*
 * Clients of the Portfolio stream, each of which gets its own copy of every frame.
 */
#pragma once

#include "service.h"

struct listen_result {
    double seconds; /* from the first order to the last frame read */
    long pushes;    /* over all clients */
    long bytes;
};

/* That many clients subscribe to the orders of one account, and that many orders are placed.  Every client must get
 * the same frames in the same order; otherwise the program ends. */
struct listen_result listen_run(const struct service *s, int clients, int orders);

/* A client that signs in and disconnects. */
void listen_once(const struct service *s);
