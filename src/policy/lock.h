/*
 * Locks: what a layer locked, other layers may tighten and never loosen, whether they lie over it or below.
 */
#ifndef OG_POLICY_LOCK_H
#define OG_POLICY_LOCK_H

#include "policy/layers.h"

/* Lay what a later layer says of a locked rule; its overrides go before those there are.  Every loosening is noted. */
void og_lock_lay(struct og_layers *l, struct og_entry_context *s, size_t rule, const struct og_rule_entry *said,
                 const struct og_override_entries *fresh);

/* A rule that is not locked, before a layer lays what it says of it, and after: while another one is locked below, no
 * setting of it that other rules count by may become looser.  NULL: there is nothing to hold. */
struct og_stood;
const struct og_stood *og_lock_remember(struct og_layers *l, size_t rule);
void og_lock_hold(struct og_layers *l, size_t rule, const struct og_stood *old);

/* The policy of this source is laid, over others than those it extends: note where what it locks, itself or in what it
 * extends, is looser than it is when that policy is laid by itself. */
void og_lock_hold_below(struct og_layers *l, const struct og_policy_file *source);

/* Keys of a later layer's document, while any rule is locked below it: whether they may be laid. */
bool og_lock_admits_unsure(struct og_layers *l, struct og_srcloc at, enum og_unsure_mode unsure);
bool og_lock_admits_mode(struct og_layers *l, struct og_srcloc at, enum og_mode mode);
bool og_lock_admits_age(struct og_layers *l, struct og_srcloc at, int kind, int64_t ns);
bool og_lock_admits_environment(struct og_layers *l, struct og_srcloc at, const char *environment);

/* "locked-loosened" at a place, with the place of the lock: "what '...' is locked (file:line:col): how". */
void og_lock_refuse(struct og_layers *l, struct og_srcloc at, struct og_srcloc lock, const char *what, const char *name,
                    const char *how);

#endif
