/*
 * How a change of something locked is reported: "locked-loosened", at the place of the change, with the place of the
 * lock.
 */
#pragma once

#include "policy/layers.h"

bool og_lock_same_place(struct og_srcloc a, struct og_srcloc b);
/* Report a change of something that locked rules depend on, as "a layer below has locked rules (file:line:col):
 * how". */
void og_lock_refuse_under(struct og_layers *l, struct og_srcloc at, struct og_srcloc lock, const char *how);
/* Report that a key of the policy may only become stricter, with the reason `why`. _change(): gives as the reason the
 * locked value and the value set here. Both return false. */
bool og_lock_refuse_key(struct og_layers *l, struct og_srcloc at, struct og_srcloc lock, const char *key,
                        const char *why);
bool og_lock_refuse_change(struct og_layers *l, struct og_srcloc at, struct og_srcloc lock, const char *key,
                           const char *is, const char *here);
