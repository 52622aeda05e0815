/*
 * Heads that one reader understands and others may not.
 */
#pragma once

#include "serve/head.h"

/* Check the bytes of a whole head, before og_serve_head_read() parses them.  Returns NULL, or what is wrong. */
const char *og_serve_strict_bytes(struct og_str bytes);
/* Check the head that was parsed.  Returns NULL, or what is wrong. */
const char *og_serve_strict_head(const struct og_serve_head *head);
