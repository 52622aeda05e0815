/*
 * Expressions of a policy, compiled when the names they use are settled: at the end of all layers, or, where a lock
 * keeps them as they are, at the end of theirs.
 */
#ifndef OG_POLICY_COMPILE_H
#define OG_POLICY_COMPILE_H

#include "policy/layers.h"

/* A document is laid: compile what it locked, and lock the lists that are named. */
void og_policy_compile_locked(struct og_layers *l);
/* The floor is laid: its rules know its own lists alone. */
void og_policy_compile_floor(struct og_layers *l);
/* Compile all that is left. */
void og_policy_compile_all(struct og_layers *l);

#endif
