/*
 * Prints the settings that differ between two policies, and the verdict on each kind of orders.
 */
#pragma once

#include "ordergate/diff.h"

/* Which settings are printed: all that differ; or, of those whose effect no decided order has shown, only the looser
 * ones, or only the ones that may be looser. */
enum diff_told { DIFF_TOLD_DIFFERS, DIFF_TOLD_LOOSER, DIFF_TOLD_PERHAPS };

bool diff_is_told(const struct og_diff_setting *s, enum diff_told told);
/* Print the settings to stdout below the title, one a line; a change that many rules have in common is one line. */
void diff_put_settings(const struct og_diff *d, enum diff_told told, const char *title);
/* Print the verdict on each kind of orders: as a table with headings, or as a JSON array. */
void diff_put_verdicts(struct og_diff *d);
void diff_put_verdicts_json(struct og_diff *d);
