/*
 * Protection of a process that holds a secret.
 */
#pragma once

#include "ordergate/broker.h"

/* Protect this process from others of the same user: no debugger can attach, its memory cannot be read, and it leaves
 * no core file.  Call it before a secret is read. */
void secret_guard(void);

/* Wipe the broker's secret in the environment, after it was read. */
void secret_forget(void);

/* Open a client as og_client_open() does, and wipe the secret in the environment: for a process that opens only one
 * client. Inline, because not every program is linked with the library's online half. */
static inline enum og_status secret_client_open(const struct og_client_options *how, struct og_client **client,
                                                struct og_error *err)
{
    enum og_status status = og_client_open(how, client, err);

    secret_forget();
    return status;
}
