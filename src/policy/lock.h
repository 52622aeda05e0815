/*
 * Locks: other layers, above or below, may tighten what a layer locks, but never loosen it.
 */
#pragma once

#include "policy/layers.h"

/* Lay a later layer's entry over a locked rule; the entry's overrides go before the present ones.  Reports every change
 * that loosens the rule. */
void og_lock_lay(struct og_layers *l, struct og_entry_context *s, size_t rule, const struct og_rule_entry *entry,
                 const struct og_override_entries *fresh);

/* Call before and after a layer changes a rule that is not locked.  If a layer below locks any other rule, the settings
 * of this rule that other rules read (param->shared) must not become looser either.  og_lock_save() returns NULL if
 * there is nothing to check. */
struct og_lock_state; /* the state of a rule and its overrides at one time */
const struct og_lock_state *og_lock_save(struct og_layers *l, size_t rule);
void og_lock_check(struct og_layers *l, size_t rule, const struct og_lock_state *old);

/* Call after the policy of this source is laid over layers that it does not extend. Reports each rule that is locked by
 * the policy or by a policy that it extends, if the rule is looser here than if the policy is laid alone. */
void og_lock_check_below(struct og_layers *l, const struct og_policy_file *source);

/* Returns true if a later layer may set this key of the policy although a layer below locks a rule. If it may not,
 * reports that and returns false. */
bool og_lock_admits_exits(struct og_layers *l, struct og_srcloc at, int32_t exits);
bool og_lock_admits_unsure(struct og_layers *l, struct og_srcloc at, enum og_unsure_mode unsure);
bool og_lock_admits_mode(struct og_layers *l, struct og_srcloc at, enum og_mode mode);
bool og_lock_admits_age(struct og_layers *l, struct og_srcloc at, int kind, int64_t ns);
/* Call after the document of this source, which locks a rule, is laid. No layer above may lower the max_age that the
 * document sets for facts that show how much a close opens. */
void og_lock_ages(struct og_layers *l, const struct og_policy_file *source);
bool og_lock_admits_environment(struct og_layers *l, struct og_srcloc at, const char *environment);

/* Report "locked-loosened" at a place, with the place of the lock: "what 'name' is locked (file:line:col): how". */
void og_lock_report(struct og_layers *l, struct og_srcloc at, struct og_srcloc lock, const char *what, const char *name,
                    const char *how);

/* Returns true if some locked limit depends on which tag an order has: by an override, by the rule itself, or by an
 * expression. If none does, another layer may change how tags are found. */
bool og_lock_goes_by_tags(const struct og_layers *l);
/* Returns the settings of the rule that other rules use, one bit each. tags: a locked limit depends on tags. */
uint64_t og_lock_shared(const struct og_rule *rule, bool tags);
