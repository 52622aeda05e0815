/*
 * Prints the settings that differ between two policies.
 */
#pragma once

#include "ordergate/diff.h"

/* Which settings are printed: all that differ; or, of those that no order has shown, the ones that are looser, or the
 * ones that may be looser. */
enum diff_told { DIFF_TOLD_DIFFERS, DIFF_TOLD_LOOSER, DIFF_TOLD_PERHAPS };

bool diff_is_told(const struct og_diff_setting *s, enum diff_told told);
/* Print the settings to stdout, one a line after the title; the same change in several rules is one line. */
void diff_put_settings(const struct og_diff *d, enum diff_told told, const char *title);
