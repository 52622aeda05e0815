/*
 * Checks for heads that one reader understands and others may not.
 */
#pragma once

#include "serve/head.h"

/* Check the bytes of a complete head, before og_serve_head_read() parses them. Returns NULL, or what is wrong with
 * them. */
const char *og_serve_strict_bytes(struct og_str bytes);
/* Check a head that was parsed. Returns NULL, or what is wrong with it. */
const char *og_serve_strict_head(const struct og_serve_head *head);
