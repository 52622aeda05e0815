/*
 * Protection of a process that holds a secret.
 */
#pragma once

#include "ordergate/broker.h"

/* Protect this process from others of the same user: no debugger can attach, its memory cannot be read, and it leaves
 * no core file.  Call it before a secret is read. */
void secret_guard(void);

/* Wipe the environment's copy of the broker's secret, after it was read. */
void secret_forget(void);

/* Open a client as og_client_open() does, for a process that opens only one, so that the environment's copy is not
 * needed again. Inline, because not every program links the library's online half. */
static inline enum og_status secret_client_open(const struct og_client_options *how, struct og_client **client,
                                                struct og_error *err)
{
    enum og_status status = og_client_open(how, client, err);

    secret_forget();
    return status;
}
