/*
 * Clients of the Portfolio stream, each of which gets its own copy of every frame.
 */
#pragma once

#include "service.h"

struct listen_result {
    double seconds; /* from the placing of the first order until the last frame was read */
    long pushes;    /* number of frames received by all clients together */
    long bytes;
};

/* Let `clients` clients subscribe to the orders of one account, and place `orders` orders. Every client must get the
 * same frames in the same order; otherwise the program ends. */
struct listen_result listen_run(const struct service *s, int clients, int orders);

/* Let a client sign in and disconnect. */
void listen_once(const struct service *s);
