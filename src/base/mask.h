/*
 * Masks a secret in text that came from outside, before the text is kept or shown.
 * Secrets of fewer than OG_MASK_LEAST bytes are not masked, since so short a text often occurs by chance.
 */
#pragma once

#include "base/str.h"

#define OG_MASK_LEAST 8

/* Replace each byte of the secret by an asterisk, wherever the secret occurs in the text: (a) literally; (b) with JSON
 * escapes, percent-encoded, or with HTML entities; (c) in Base64, alone or within a longer text; (d) with two of these
 * encodings, or one of them twice (Base64 is then masked as a whole). At the end of the text, a beginning of the secret
 * of at least OG_MASK_LEAST bytes is masked too, since the text may have been cut off.
 * The length does not change.  JSON stays valid unless the secret occurs outside a string, because an escape is
 * replaced as a whole.  For a secret over 1 KiB, Base64 is searched for its first KiB.  If the secret contains an
 * asterisk, another character that is not in the secret is used. */
void og_mask(char *text, size_t len, struct og_str secret);
