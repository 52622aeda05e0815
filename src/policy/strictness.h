/*
 * Whether a change of a setting makes a policy stricter or looser.
 */
#pragma once

#include "policy/policy.h"

/* How a setting changed, as bits; 0 if it did not change. Both bits are set if neither value is the stricter one, or
 * if some parts became stricter and others looser. */
enum { OG_CHANGE_TIGHTER = 1, OG_CHANGE_LOOSER = 2, OG_CHANGE_EITHER = 3 };

unsigned og_change_of(int before, int after); /* compares two values; the higher one is stricter */
/* Returns how a part of a rule's entry changed.  part: OG_PART_LEVEL, _UNSURE, _MODE, _LOCK, _REASONS, or
 * OG_ENTRY_PARTS + the index of a setting that both have. */
unsigned og_entry_part_change(const struct og_rule *rule, int part, const struct og_rule_setting *before,
                              const struct og_rule_setting *after);
/* Returns true if the level of the i-th reason may be lower after the change. */
bool og_reason_looser(const struct og_rule_setting *before, const struct og_rule_setting *after, size_t i);
/* Returns true if the two differ in any part. */
bool og_setting_differs(const struct og_rule *rule, const struct og_rule_setting *a, const struct og_rule_setting *b);
/* Returns true if the rule can refuse an order under this setting. */
bool og_setting_refuses(const struct og_rule *rule, const struct og_rule_setting *setting);
/* Returns true if orders that the rule would refuse pass when a fact is missing or too old. */
bool og_setting_passes_unsure(const struct og_rule *rule, const struct og_rule_setting *setting);
/* Returns true if the rule is a limit on which the policy depends to refuse orders, and orders pass it when a fact is
 * missing or too old.  Overrides are not considered. */
bool og_limit_passes_unsure(const struct og_policy_rule *r);
