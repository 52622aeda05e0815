/*
 * Settings of two policies that differ, as text.
 */
#ifndef TOOLS_COMMON_DIFF_H
#define TOOLS_COMMON_DIFF_H

#include "ordergate/diff.h"

/* Settings that are told: all that differ; or of what no order showed, those that are known to be looser, or not known
 * to be no looser. */
enum diff_told { DIFF_TOLD_DIFFERS, DIFF_TOLD_LOOSER, DIFF_TOLD_PERHAPS };

bool diff_is_told(const struct og_diff_setting *s, enum diff_told told);
/* Each on a line, behind the title; what many rules say alike is one.  To stdout. */
void diff_put_settings(const struct og_diff *d, enum diff_told told, const char *title);

#endif
