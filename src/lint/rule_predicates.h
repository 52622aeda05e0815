/*
 * What stops orders, as formulas: rules of the policy's own, and settings of the register's rules.
 */
#ifndef OG_LINT_RULE_PREDICATES_H
#define OG_LINT_RULE_PREDICATES_H

#include "lint/lint.h"

enum og_predicate_exits { OG_EXITS_ARE_BOUND, OG_EXITS_BY_SETTING, OG_EXITS_ALWAYS_PASS };

/* A setting that refuses orders by a value, as an expression: true of what it refuses, false of what it does not, but
 * for what only reduces. */
struct og_predicate_setting {
    const char *rule, *key;
    const char *text; /* {} stands for the value, or its words as a list */
    enum og_predicate_exits exits;
    int choice;  /* it is about this choice alone; 0: it is a number or words */
    bool words;  /* an empty list refuses nothing; it refuses more than the text says */
    bool stale;  /* where it is unknown, the rule may refuse by what it knows all the same */
    bool unsure; /* where it is unknown, the rule finds that it cannot tell */
};
extern const struct og_predicate_setting og_predicate_settings[]; /* rule NULL ends them */

#define OG_PREDICATES_MOST 100

struct og_predicate { /* one of them in force: of the rule itself (k -1), or of an override */
    size_t rule;
    int k;
    const struct og_predicate_setting *setting;
    const struct og_expr *e;
    bool exits_pass;
};
struct og_predicates {
    struct og_predicate one[OG_PREDICATES_MOST];
    size_t count;
};

/* Those of a policy that refuse.  Rules with many overrides are left out. */
void og_predicates_find(struct og_lint_run *l, struct og_predicates *all);
/* The order is stopped by a rule's settings, for certain. */
int og_refused_by_rule(struct og_lint_run *l, struct og_logic *g, const struct og_predicates *all, size_t rule);
/* It may be, by this one. */
int og_refused_perhaps(struct og_lint_run *l, struct og_logic *g, const struct og_predicate *s);
/* It is of no contract that is over, which the register's rule of contracts refuses, where that does. */
int og_order_unexpired(struct og_lint_run *l, struct og_logic *g);
/* A rule of the policy's own refuses it. */
int og_refused_by_custom(struct og_lint_run *l, struct og_logic *g, const struct og_custom *c);
bool og_custom_refuses(const struct og_custom *c);

#endif
