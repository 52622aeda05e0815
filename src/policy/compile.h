/*
 * Compiles the expressions of a policy once the lists they name are final: after the last layer, or, for a locked rule,
 * after the layer that locks it.
 */
#pragma once

#include "policy/layers.h"

/* Call after a document is laid: compile the rules that it locked, and lock the lists that they name. */
void og_policy_compile_locked(struct og_layers *l);
/* Call after the floor is laid: compile its rules, which can only name the floor's own lists. */
void og_policy_compile_floor(struct og_layers *l);
/* Compile the remaining expressions. */
void og_policy_compile_all(struct og_layers *l);
