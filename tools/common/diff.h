/*
 * Prints the settings that differ between two policies, and the verdict on each kind of orders.
 */
#pragma once

#include "ordergate/diff.h"

/* Which settings are printed: all that differ; or only those that no order has shown and that are looser, or may be
 * looser. */
enum diff_told { DIFF_TOLD_DIFFERS, DIFF_TOLD_LOOSER, DIFF_TOLD_PERHAPS };

bool diff_is_told(const struct og_diff_setting *s, enum diff_told told);
/* Print the settings to stdout below the title, one a line; if several rules have the same change, it is one line. */
void diff_put_settings(const struct og_diff *d, enum diff_told told, const char *title);
/* Print a line for each kind of orders, below a line of headings; as JSON: an array. */
void diff_put_verdicts(struct og_diff *d);
void diff_put_verdicts_json(struct og_diff *d);
