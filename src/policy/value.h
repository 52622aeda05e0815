/*
 * Values of settings: reads them from a policy into the rule's settings struct, and writes them as text.
 */
#pragma once

#include "base/buf.h"
#include "policy/diagnostics.h"
#include "rules/rule.h"
#include "text/yaml.h"

/* Returns a hint for a number that is written with commas between thousands (": write 1000000"), in `to`; "" for any
 * other text. */
#define OG_COMMAS_HINT 48
const char *og_value_commas_hint(struct og_str text, char to[OG_COMMAS_HINT]);

/* Read the value of setting p into `settings`; words are stored in the arena.  Returns false after reporting an error;
 * `settings` is then unchanged. */
bool og_value_read(const struct og_param *p, const struct og_yaml *node, struct og_arena *arena, void *settings,
                   struct og_diagnostics *faults, const struct og_policy_file *source);
/* Set setting p to its default.  Returns false if it has no default, or if out of memory. */
bool og_value_fallback(const struct og_param *p, struct og_arena *arena, void *settings);

/* Compare setting p in two structs: below 0, 0 or above 0; for lists of words only 0 or not 0. */
int og_value_cmp(const struct og_param *p, const void *a, const void *b);
/* Returns true if setting p has the value that limits nothing: the widest limit, the widest choice, no words. */
bool og_value_is_widest(const struct og_param *p, const void *settings);
void og_value_copy(const struct og_param *p, void *to, const void *from);
/* Write the value as a policy spells it. og_value_text() writes any UTF-8 text in a form that YAML reads as the same
 * text. */
void og_value_write(const struct og_param *p, const void *settings, struct og_buf *b);
void og_value_text(struct og_buf *b, struct og_str text);
