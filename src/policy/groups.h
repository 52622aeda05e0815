/*
 * Limits that a policy writes as words (OG_WORDS_LIMITS): "semis gross 25%" is a list, a measure and an amount. The
 * lists of OG_WORDS_WEIGHTED have a number for each symbol, and perhaps one for all others: [NVDA=1.7, default=1].
 */
#pragma once

#include "policy/policy.h"
#include "rules/group.h"

struct og_layers;

#define OG_GROUP_MEMBERS_MOST 2000 /* maximum number of symbols of one group: each costs time in every check */

static inline bool og_words_are_limits(enum og_words words)
{
    return words == OG_WORDS_LIMITS || words == OG_WORDS_WEIGHTED;
}
/* Returns true if the rule's limits are on lists with weights. More words in such a list may make the limit looser: a
 * weight below the default, or a weight that moves a symbol to the other side. */
bool og_limits_are_weighted(const struct og_rule *rule);
/* Returns the name with which a limit begins: the list whose symbols are summed. */
struct og_str og_limit_word_name(struct og_str word);
/* Read the measure and the amount of a limit.  Returns false if the word is none. */
bool og_limit_word_read(struct og_str word, struct og_group_bound *limit);
/* Returns true if the words `now` keep every limit of the words `old`: a limit with the same name, measure and unit,
 * and with the same or a lower amount. */
bool og_limit_words_keep(const struct og_string_set *old, const struct og_string_set *now);
/* Returns true if a limit in the settings of a rule (NULL: it has none) begins with the name. */
bool og_limits_name(const struct og_rule *rule, const void *settings, struct og_str name);
/* Returns true if a limit of the rule, or of one of its overrides, begins with the name. */
bool og_limits_of_rule_name(const struct og_policy_rule *r, struct og_str name);
/* Make the groups of all rules from the policy's lists. Reports a word that is no limit; a limit whose list does not
 * exist, has no symbols or has too many; and a limit whose list needs weights but has a word that is no weight. */
void og_groups_finalize(struct og_layers *l);
