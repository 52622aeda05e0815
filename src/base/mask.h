/*
 * Masks a secret in text that came from outside, before the text is kept or shown.
 * Secrets of fewer than OG_MASK_LEAST bytes are not masked, since so short a text often occurs by chance.
 */
#pragma once

#include "base/str.h"

#define OG_MASK_LEAST 8

/* Replace each byte of secret in text by an asterisk, wherever the secret occurs: literally, with JSON escapes, percent
 * encoded, with HTML entities, and in Base64, alone or within a longer text, also where two of these were applied, one
 * upon the other or twice the same (Base64 is then masked whole); at the end of text also a beginning of the
 * secret of at least OG_MASK_LEAST bytes, since the text may have been cut off.  The length does not change.  JSON
 * stays valid unless the secret occurs outside a string, because an escape is replaced as a whole.  For a secret over
 * 1 KiB, Base64 is searched for its first KiB.  If the secret contains an asterisk, another character that it lacks is
 * used. */
void og_mask(char *text, size_t len, struct og_str secret);
