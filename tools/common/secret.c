/*
 * Protection of a process that holds a secret; see tools/common/secret.h.
 */
#include "tools/common/secret.h"

#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif

void secret_guard(void)
{
    const struct rlimit none = { 0, 0 };

    (void)setrlimit(RLIMIT_CORE, &none);
#ifndef SANITIZED /* the leak checker needs to trace its own process */
    (void)prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
#endif
}

void secret_forget(void)
{
    static const char name[] = "ORDERGATE_SECRET_KEY";
    char *value = getenv(name);

    if (value) {
        explicit_bzero(value, strlen(value)); /* /proc/PID/environ shows the bytes of the environment: wipe them */
        unsetenv(name);
    }
}
