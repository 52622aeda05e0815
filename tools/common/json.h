/*
 * Writes JSON to a stream by a format, and finds one member's text in such JSON.
 */
#pragma once

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

/* Write a JSON string with quotes, or null for NULL; bytes that are not UTF-8 become U+FFFD. */
void og_json_string(FILE *to, const char *text);
/* Write JSON by a format, in which ' stands for ".  %s writes a text as og_json_string() does; %c a character, or
 * nothing if it is 0; %d, %lld and %zu a number.  No other character may follow a %. */
void og_json(FILE *to, const char *format, ...) __attribute__((format(printf, 2, 3)));
void og_json_list(FILE *to, const char *format, va_list args) __attribute__((format(printf, 2, 0)));
/* Copy the text of a member from a line of JSON that this program wrote, to use it in a message.  key: the member's
 * name with quotes and colon, as in "key": .  Only escaped quotes and backslashes are unescaped. */
bool og_json_member(const char *json, const char *key, char *to, size_t size);
