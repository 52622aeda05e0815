/*
 * Own rules of a policy, made of expressions.  They run for orders, after the register's, in the order written.
 */
#ifndef OG_POLICY_CUSTOM_H
#define OG_POLICY_CUSTOM_H

#include "expr/expr.h"
#include "base/name_map.h"
#include "policy/rule_entry.h"

#define OG_CUSTOM_MOST    10000   /* rules of one policy */
#define OG_CUSTOM_STEPS   5000000 /* of all of them together over one order, at worst */
#define OG_CUSTOM_MESSAGE 512     /* bytes of a message */

struct og_layers;

struct og_customs {
    struct og_custom **item;
    size_t count, room;
    struct og_name_map index, taken; /* by id; ids of the register's rules and reasons */
    struct og_custom *stray;         /* those that cannot be laid, for what else is wrong with them */
};

/* Lay what a document says under 'custom'. */
void og_customs_lay(struct og_layers *l, struct og_entry_context *s, const struct og_yaml *node, bool floor);
/* Note where a rule that is locked in a policy laid by itself is looser where that lies over others. */
void og_customs_hold(struct og_layers *l, const struct og_layers *alone);
/* All layers are laid: what says nothing of unsure and mode is as the policy. */
void og_customs_branch(struct og_layers *l);
/* At least so: of the floor. */
void og_customs_tighten(struct og_layers *l, enum og_unsure_mode unsure, enum og_mode mode);
/* policy->custom: the rules as the engine runs them. */
void og_customs_finalize(struct og_layers *l);

/* The check of such a rule; settings is its struct og_custom. */
void og_custom_check(const struct og_case *c, const void *settings, struct og_sink *sink);

#endif
