/*
 * JSON on a stream, for documents made of a few known keys.
 */
#ifndef OG_TOOLS_JSON_H
#define OG_TOOLS_JSON_H

#include <stdio.h>

/* A JSON string with quotes, or null for NULL; bytes that are not UTF-8 become U+FFFD. */
void og_json_string(FILE *to, const char *text);
/* ,"key":"text" (before says what stands before the key: ",", "{" or "") */
void og_json_pair(FILE *to, const char *before, const char *key, const char *text);

#endif
