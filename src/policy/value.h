/*
 * Values of settings: from the text of a policy to the rule's memory and back.
 */
#ifndef OG_POLICY_VALUE_H
#define OG_POLICY_VALUE_H

#include "base/buf.h"
#include "policy/diagnostics.h"
#include "rules/rule.h"
#include "text/yaml.h"

/* Read what a policy gives for p into settings (memory of words: arena's).  false: a fault was noted, settings stay. */
bool og_value_read(const struct og_param *p, const struct og_yaml *node, struct og_arena *arena, void *settings,
                   struct og_diagnostics *faults, const struct og_policy_file *source);
/* The rule's own default; false when p has none (or, which a test refuses, one that cannot be read). */
bool og_value_fallback(const struct og_param *p, struct og_arena *arena, void *settings);

/* Order of p in two settings: below 0, 0, above 0; of words only 0 or not. */
int og_value_cmp(const struct og_param *p, const void *a, const void *b);
/* It is at the end of its bounds where it binds nothing: the widest limit, the most that may be chosen, no word. */
bool og_value_is_widest(const struct og_param *p, const void *settings);
void og_value_copy(const struct og_param *p, void *to, const void *from);
/* As a policy spells it; og_value_text(): any text (UTF-8), so that YAML reads it back as it was. */
void og_value_write(const struct og_param *p, const void *settings, struct og_buf *b);
void og_value_text(struct og_buf *b, struct og_str text);

#endif
