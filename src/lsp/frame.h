/*
 * The framing of LSP: a head of lines, with Content-Length, and the body.
 */
#pragma once

#include "base/str.h"

/* Find the message at the beginning of the bytes.  Returns its length with the head, with *body in it; 0 if it is not
 * complete yet, or, with *why, if no message can begin like this. */
size_t og_lsp_frame(struct og_str bytes, struct og_str *body, const char **why);
