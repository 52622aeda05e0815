/*
 * What stops orders, as formulas: rules of the policy's own, and settings of the register's rules.
 */
#ifndef OG_LINT_RULE_PREDICATES_H
#define OG_LINT_RULE_PREDICATES_H

#include "lint/lint.h"

enum og_stop_exits { OG_EXITS_ARE_BOUND, OG_EXITS_BY_SETTING, OG_EXITS_ALWAYS_PASS };

/* A setting that refuses orders by a value, as an expression: true of what it refuses, false of what it does not, but
 * for what only reduces. */
struct og_stop_setting {
    const char *rule, *key;
    const char *text; /* {} stands for the value, or its words as a list */
    enum og_stop_exits exits;
    int choice;  /* it is about this choice alone; 0: it is a number or words */
    bool words;  /* an empty list refuses nothing; it refuses more than the text says */
    bool stale;  /* where it is unknown, the rule may refuse by what it knows all the same */
    bool unsure; /* where it is unknown, the rule finds that it cannot tell */
};
extern const struct og_stop_setting og_stop_settings[]; /* rule NULL ends them */

#define OG_STOPS_MOST 100

struct og_stop { /* one of them in force: of the rule itself (k -1), or of an override */
    size_t rule;
    int k;
    const struct og_stop_setting *setting;
    const struct og_expr *e;
    bool exits_pass;
};
struct og_stops {
    struct og_stop one[OG_STOPS_MOST];
    size_t count;
};

/* Those of a policy that refuse.  Rules with many overrides are left out. */
void og_stops_find(struct og_linting *l, struct og_stops *all);
/* The order is stopped by a rule's settings, for certain. */
int og_stop_by_rule(struct og_linting *l, struct og_logic *g, const struct og_stops *all, size_t rule);
/* It may be, by this one. */
int og_stop_perhaps(struct og_linting *l, struct og_logic *g, const struct og_stop *s);
/* It is of no contract that is over, which the register's rule of contracts refuses, where that does. */
int og_stop_unexpired(struct og_linting *l, struct og_logic *g);
/* A rule of the policy's own refuses it. */
int og_stop_by_custom(struct og_linting *l, struct og_logic *g, const struct og_custom *c);
bool og_stop_binds(const struct og_custom *c);

#endif
