/*
 * Writes JSON with a few known keys to a stream, and finds one text in such a line.
 */
#pragma once

#include <stdbool.h>
#include <stdio.h>

/* Write a JSON string with quotes, or null for NULL; bytes that are not UTF-8 become U+FFFD. */
void og_json_string(FILE *to, const char *text);
/* Write `"key":"text"` after `before`, which is ",", "{" or "". */
void og_json_pair(FILE *to, const char *before, const char *key, const char *text);
/* Copy the text of a member of a line that this program has written, for a message.  key has its quotes: "key":" .
 * Only the escapes of quotes and backslashes are undone. */
bool og_json_member(const char *json, const char *key, char *to, size_t size);
