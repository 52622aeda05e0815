/*
 * The paper brokerage as a separate process.
 */
#pragma once

#include <stddef.h>
#include <sys/types.h>

struct service {
    pid_t pid;
    int port;
};

/* Start it on a free port, without rate limits and control calls.  Ends the program if that fails. */
void service_start(struct service *s, const char *program);
void service_stop(struct service *s);
size_t service_resident(const struct service *s); /* bytes */
int service_connect(const struct service *s);     /* returns a connected, blocking socket */

void __attribute__((noreturn, format(printf, 1, 2))) stop(const char *format, ...);
double seconds_now(void);
