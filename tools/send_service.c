/*
 * ordergate send as a service; see tools/common/send_service.h.
 */
#include "tools/common/send_service.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define US_MOST INT64_C(1000000000000) /* more microseconds than a watchdog waits */

/* Returns the number of the variable; 0 if it is not set, or is no number from 1 to `most`. */
static long long number_of(const char *variable, long long most)
{
    const char *text = getenv(variable);
    char *end;
    long long n = text ? strtoll(text, &end, 10) : 0;

    return text && *end == '\0' && n > 0 && n <= most ? n : 0;
}

void send_service_environment(struct og_send_options *options)
{
    static const char *const variables[] = { "NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID" };
    static char name[256];
    const char *socket = getenv("NOTIFY_SOCKET");
    const long long us = number_of("WATCHDOG_USEC", US_MOST);

    if (socket && socket[0] != '\0') {
        snprintf(name, sizeof name, "%s", socket);
        options->notify_socket = name;
        /* the variable WATCHDOG_PID names the process that is watched, which may be another one */
        if (!getenv("WATCHDOG_PID") || number_of("WATCHDOG_PID", INT32_MAX) == getpid())
            options->watchdog_ns = us * 1000;
    }
    for (size_t i = 0; i < sizeof variables / sizeof variables[0]; i++)
        unsetenv(variables[i]);
}
