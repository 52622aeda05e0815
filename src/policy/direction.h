/*
 * Which way a setting went: whether what stands in a policy now is stricter than what stood there.
 */
#ifndef OG_POLICY_DIRECTION_H
#define OG_POLICY_DIRECTION_H

#include "policy/policy.h"

/* Bits; 0: it is the same.  Both: it has no stricter side, or parts of it went either way. */
enum { OG_WAY_TIGHTER = 1, OG_WAY_LOOSER = 2, OG_WAY_EITHER = 3 };

unsigned og_way_of(int before, int after); /* of what is stricter the higher it is */
/* Of a part of how a rule stands: LEVEL, UNSURE, MODE, LOCK, REASONS, or OG_PARTS + the place of a setting, which both
 * have. */
unsigned og_part_way(const struct og_rule *rule, int part, const struct og_rule_setting *before,
                     const struct og_rule_setting *after);
/* The i-th reason may weigh less. */
bool og_reason_looser(const struct og_rule_setting *before, const struct og_rule_setting *after, size_t i);
/* Some part of the two differs. */
bool og_setting_differs(const struct og_rule *rule, const struct og_rule_setting *a, const struct og_rule_setting *b);
/* Under it the rule may find what refuses an order. */
bool og_setting_refuses(const struct og_rule *rule, const struct og_rule_setting *setting);
/* What it would refuse, it lets pass where a fact is missing or too old. */
bool og_setting_passes_unsure(const struct og_rule *rule, const struct og_rule_setting *setting);

#endif
