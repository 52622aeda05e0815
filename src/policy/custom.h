/*
 * Custom rules of a policy, made of expressions.  They run for orders, after the built-in rules, in the order written.
 */
#pragma once

#include "base/map.h"
#include "expr/expr.h"
#include "policy/rule_entry.h"

#define OG_CUSTOM_MOST    10000   /* maximum number of custom rules of one policy */
#define OG_CUSTOM_STEPS   5000000 /* maximum number of evaluation steps of all custom rules together, for one order */
#define OG_CUSTOM_MESSAGE 512     /* maximum length of a message in bytes */

struct og_layers;

/* What one layer sets for one custom rule, linked to what the layers below it set. */
struct og_custom_said {
    const struct og_custom_said *before; /* NULL if no layer below sets anything */
    bool floor;
    struct og_str when, require, message, help;
    int level, unsure, mode, lock; /* values as in struct og_rule_entry */
    struct og_term term;
    struct og_srcloc *where;
};

struct og_customs {
    struct og_custom **item;
    size_t count, room;
    struct og_map index;     /* by id: items */
    struct og_map taken;     /* built-in rules (struct og_rule), by their own id and by the ids of their reasons */
    struct og_custom *stray; /* rejected rules, kept so that errors in their expressions can be reported */
};

/* Lay the custom rules of a document over those of the layers below. */
void og_customs_lay(struct og_layers *l, struct og_entry_context *s, const struct og_yaml *node, bool floor);
/* `alone` is a policy of l laid without other layers. Report each rule that this policy locks and that is looser in
 * l. */
void og_customs_check_locks(struct og_layers *l, const struct og_layers *alone);
/* Call after all layers are laid: a rule without `unsure` or `mode` gets the policy's value. */
void og_customs_branch(struct og_layers *l);
/* Raise `unsure` and `mode` of every rule to at least those of the floor, which the floor sets at place `at`. */
void og_customs_tighten(struct og_layers *l, enum og_unsure_mode unsure, enum og_mode mode, struct og_srcloc at);
/* Make policy->custom: the custom rules in the form in which the engine runs them. */
void og_customs_finalize(struct og_layers *l);

/* The function that checks an order by a custom rule; settings is the rule's struct og_custom. */
void og_custom_check(const struct og_case *c, const void *settings, struct og_sink *sink);
