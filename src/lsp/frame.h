/*
 * The frame of an LSP message: header lines, among them Content-Length, and the body.
 */
#pragma once

#include "base/str.h"

/* Find the message at the beginning of the bytes. Returns its length including its header, and sets *body. Returns 0 if
 * the message is not complete yet, or, with *why set, if no message can begin with these bytes. */
size_t og_lsp_frame(struct og_str bytes, struct og_str *body, const char **why);
