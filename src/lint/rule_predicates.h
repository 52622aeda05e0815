/*
 * The orders that rules refuse, as formulas: for custom rules, and for settings of the register's rules.
 */
#ifndef OG_LINT_RULE_PREDICATES_H
#define OG_LINT_RULE_PREDICATES_H

#include "lint/lint.h"

enum og_predicate_exits { OG_EXITS_ARE_BOUND, OG_EXITS_BY_SETTING, OG_EXITS_ALWAYS_PASS };

/* A setting of a rule, as an expression that is true for the orders it refuses; orders that only reduce are apart. */
struct og_predicate_setting {
    const char *rule, *key;
    const char *text; /* {} stands for the value; for words, for the list of them */
    enum og_predicate_exits exits;
    int choice;  /* only if the setting has this choice; 0: a number or words */
    bool words;  /* a list of words: an empty one refuses nothing */
    bool stale;  /* if the expression is unknown, the rule may still refuse by older facts */
    bool unsure; /* if the expression is unknown, the rule's finding is unsure */
};
extern const struct og_predicate_setting og_predicate_settings[]; /* ends with rule NULL */

#define OG_PREDICATES_MOST 100

struct og_predicate { /* a setting in force: of the rule itself (k -1), or of override k */
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

/* Collect the settings of a policy that refuse orders.  Rules with more than 12 overrides are left out. */
void og_predicates_find(struct og_lint_run *l, struct og_predicates *all);
/* True if the rule's settings refuse the order for certain. */
int og_refused_by_rule(struct og_lint_run *l, struct og_logic *g, const struct og_predicates *all, size_t rule);
/* True if this setting may refuse the order. */
int og_refused_perhaps(struct og_lint_run *l, struct og_logic *g, const struct og_predicate *s);
/* True if the order is not for an expired contract, which occ-symbol refuses; true for all if occ-symbol does not
 * refuse. */
int og_order_unexpired(struct og_lint_run *l, struct og_logic *g);
/* True if the custom rule refuses the order. */
int og_refused_by_custom(struct og_lint_run *l, struct og_logic *g, const struct og_custom *c);
bool og_custom_refuses(const struct og_custom *c);

#endif
