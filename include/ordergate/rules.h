/*
 * The register of built-in rules: what "ordergate rules" and "ordergate explain" print.
 * All texts are static.  Threads: any; no function here has state.
 * Passing NULL where it is not allowed returns OG_EINVAL; a function that returns no status then does nothing and
 * returns an empty value (0, false, NULL or "").
 */
#ifndef ORDERGATE_RULES_H
#define ORDERGATE_RULES_H

#include <stddef.h>

#include "ordergate/decision.h"

#ifdef __cplusplus
extern "C" {
#endif

struct og_rule; /* constant, static storage */

struct og_setting_info {
    const char *key, *kind, *fallback, *least, *most, *help; /* NULL if the setting does not have one */
    const char *const *choices; /* the values of a setting of kind "choice", NULL-terminated; NULL for other kinds */
    const char *tighter; /* the direction in which values are stricter: "lower" or "higher"; NULL if there is none */
};
struct og_reason_info {
    const char *id;
    enum og_level level;     /* the level, unless a policy sets another one */
    enum og_level undecided; /* the level of a finding that cannot be decided because a fact is missing; OFF if there is
                              * no such finding */
    struct og_prediction predicts;
    const char *says;  /* message template: {0} stands for a value */
    const char *help;  /* what the reason means and what to do; NULL: `says` is enough */
    const char *where; /* rows of docs/readings.md ("Q12, Y24"), or "policy" for a limit that is the desk's own */
    /* of an order that only reduces what is held, the finding is at most a warning, whatever the level */
    bool spares_exits;
};

OG_API size_t og_rules_count(void);
OG_API const struct og_rule *og_rules_at(size_t i); /* rule i in the sequence in which rules run; NULL past the end */
OG_API const struct og_rule *og_rules_find(const char *id);
OG_API int og_rule_code(const struct og_rule *rule);
OG_API const char *og_rule_id(const struct og_rule *rule);
OG_API const char *og_rule_summary(const struct og_rule *rule);
OG_API const char *og_rule_because(const struct og_rule *rule);
OG_API const char *og_rule_stage(const struct og_rule *rule);
OG_API bool og_rule_is_locked(const struct og_rule *rule);     /* returns true if no policy can weaken the rule */
OG_API bool og_rule_may_be_waived(const struct og_rule *rule); /* returns true if a waiver may let one order pass the
                                                                * rule (og_book_waive()) */
/* Returns true if the rule may refuse an order because of another working order, so that it may pass once that working
 * order is canceled.  Returns false for NULL. */
OG_API bool og_rule_counts_working(const struct og_rule *rule);
/* Returns true if the rule refuses malformed orders, whatever is known of the account.  Returns false for NULL, and for
 * the desk's own limits. */
OG_API bool og_rule_is_of_form(const struct og_rule *rule);
/* Returns true if an order that the rule refuses for this reason may pass a little later: the reason depends on
 * recently sent orders, or on a fact that is missing or too old.  Returns false for NULL, and for a reason of another
 * rule. */
OG_API bool og_rule_passes_soon(const struct og_rule *rule, const char *reason);
OG_API const char *og_rule_reads(const struct og_rule *rule, size_t i); /* returns the name of the i-th kind of facts
                                                                         * that the rule reads; NULL past the end */
/* Get the i-th setting, and the i-th reason.  Return false past the end. */
OG_API bool og_rule_setting(const struct og_rule *rule, size_t i, struct og_setting_info *info);
OG_API bool og_rule_reason(const struct og_rule *rule, size_t i, struct og_reason_info *info);
/* Returns the meaning of a reject code ("R78"); NULL if the code is unknown. */
OG_API const char *og_reject_code_meaning(const char *code);
OG_API const char *og_reject_code_at(size_t i); /* returns the i-th reject code; NULL past the end */

/* Returns the i-th kind of request that the rule decides: "order", "cancel", "locate", "read"; NULL past the end. */
OG_API const char *og_rule_subject(const struct og_rule *rule, size_t i);

/* Returns the JSON Schema (draft 2020-12) of a "decision", an "order", "facts", a "policy", a policy "test" file or the
 * "status", made from the tables that its reader or writer uses. The caller frees it with free(). Returns NULL if there
 * is no schema of that name, or if memory ran out. */
OG_API OG_MUST_USE char *og_schema(const char *name);
OG_API const char *og_schema_at(size_t i); /* returns the name of the i-th schema; NULL past the end */

/* Returns the candidate that is most similar to a mistyped word, for "did you mean"; NULL if none is similar. */
OG_API const char *og_nearest_word(const char *word, const char *const *candidates, size_t count);

#ifdef __cplusplus
}
#endif
#endif
