/*
 * Compiles the expressions of a policy when the lists that they name are final: after the last layer, or, for a locked
 * rule, after the layer that locks it.
 */
#pragma once

#include "policy/layers.h"

/* Call after a document is laid over the layers: compile the rules that it locked, and lock the lists that they
 * name. */
void og_policy_compile_locked(struct og_layers *l);
/* Call after the floor is laid over the policy: compile the floor's rules, which can only name the floor's own
 * lists. */
void og_policy_compile_floor(struct og_layers *l);
/* Compile the expressions that are not compiled yet. */
void og_policy_compile_all(struct og_layers *l);
