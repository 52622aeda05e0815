/*
 * Writes JSON objects member by member, in compact form.
 */
#pragma once

#include "base/buf.h"

/* Each writes one member, after a comma if one is needed; key NULL writes an element of an array. */
void og_member_key(struct og_buf *b, const char *key);
void og_member_str(struct og_buf *b, const char *key, struct og_str s); /* if s.s is NULL, null is written */
void og_member_text(struct og_buf *b, const char *key, const char *s);  /* if s is NULL, null is written */
void og_member_money(struct og_buf *b, const char *key, struct og_money m);
void og_member_int(struct og_buf *b, const char *key, int64_t n);
void og_member_digits(struct og_buf *b, const char *key, struct og_str digits); /* digits: a number of any length */
void og_member_bool(struct og_buf *b, const char *key, bool v);
