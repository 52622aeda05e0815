/*
 * Words of the library for the completion of shells: names of shipped policies, ids of rules and reasons.
 */
#include "tools/common/complete.h"

#include <string.h>

#include "ordergate/ordergate.h"

/* Returns the i-th id of the rules, each followed by the ids of its reasons. */
static const char *reason_at(size_t i)
{
    const struct og_rule *rule;
    struct og_reason_info reason;

    for (size_t at = 0; (rule = og_rules_at(at)); at++) {
        if (i-- == 0)
            return og_rule_id(rule);
        for (size_t k = 0; og_rule_reason(rule, k, &reason); k++)
            if (i-- == 0)
                return reason.id;
    }
    return NULL;
}

const char *complete_word(const char *value, size_t i)
{
    const struct og_rule *rule;

    if (strcmp(value, "POLICY") == 0)
        return og_policy_shipped(i);
    if (strcmp(value, "RULE") == 0)
        return (rule = og_rules_at(i)) ? og_rule_id(rule) : NULL;
    return strcmp(value, "REASON") == 0 ? reason_at(i) : NULL;
}
