/*
 * JSON on a stream, for documents made of a few known keys; and one text out of a line of such.
 */
#ifndef OG_TOOLS_JSON_H
#define OG_TOOLS_JSON_H

#include <stdbool.h>
#include <stdio.h>

/* A JSON string with quotes, or null for NULL; bytes that are not UTF-8 become U+FFFD. */
void og_json_string(FILE *to, const char *text);
/* ,"key":"text" (before says what stands before the key: ",", "{" or "") */
void og_json_pair(FILE *to, const char *before, const char *key, const char *text);
/* The text of a member of a line that was written a moment ago, copied for people; key with its quotes: "key":" .
 * Of escapes, quotes and backslashes alone are undone. */
bool og_json_member(const char *json, const char *key, char *to, size_t size);

#endif
