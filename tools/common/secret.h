/*
 * A process that holds a secret.
 */
#ifndef OG_TOOLS_SECRET_H
#define OG_TOOLS_SECRET_H

/* Close this process to others of the same user: no debugger attaches, nothing reads its memory, and it leaves no core.
 * Call it first, before a secret is read. */
void secret_guard(void);

/* Wipe the environment's copy of the broker's secret, once it was read. */
void secret_forget(void);

#endif
