/*
 * A process that holds a secret.
 */
#ifndef OG_TOOLS_SECRET_H
#define OG_TOOLS_SECRET_H

#include "ordergate/broker.h"

/* Close this process to others of the same user: no debugger attaches, nothing reads its memory, and it leaves no core.
 * Call it first, before a secret is read. */
void secret_guard(void);

/* Wipe the environment's copy of the broker's secret, once it was read. */
void secret_forget(void);

/* og_client_open() for a process that opens one client: nobody reads the environment's copy again.  Inline, since not
 * every program is linked with the sending half. */
static inline enum og_status secret_client_open(const struct og_client_options *how, struct og_client **client,
                                                struct og_error *err)
{
    enum og_status status = og_client_open(how, client, err);

    secret_forget();
    return status;
}

#endif
