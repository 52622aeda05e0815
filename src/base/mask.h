/*
 * Masking a secret in text that came from outside, before anything is kept or shown of it.
 * It does not look for secrets of fewer than OG_MASK_LEAST bytes: such a text stands in many an answer by chance.
 */
#ifndef OG_BASE_MASK_H
#define OG_BASE_MASK_H

#include "base/str.h"

#define OG_MASK_LEAST 8

/* Put asterisks in the place of each byte of secret, wherever it stands in text: as it is, with JSON escapes, percent
 * encoded, with HTML entities, and in Base64 by itself or within something longer; also a beginning of it, at least
 * OG_MASK_LEAST bytes, where the text was cut off.  The length stays, and JSON stays JSON unless the secret stood
 * outside a string: of an escape of which some is hidden all is.  Of a secret over 1 KiB Base64 is looked for by its
 * first KiB.  A secret that has an asterisk itself is hidden behind another character that it lacks. */
void og_mask(char *text, size_t len, struct og_str secret);

#endif
