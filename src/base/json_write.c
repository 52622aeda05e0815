/*
 * Writes JSON objects member by member; a failed append marks the buffer as bad.
 */
#include "base/json_write.h"

void og_member_key(struct og_buf *b, const char *key)
{
    if (b->len > 0 && b->s[b->len - 1] != '{' && b->s[b->len - 1] != '[' && b->s[b->len - 1] != ':')
        og_buf_char(b, ',');
    if (!key)
        return;
    og_buf_char(b, '"');
    og_buf_text(b, key);
    og_buf_text(b, "\":");
}

void og_member_str(struct og_buf *b, const char *key, struct og_str s)
{
    og_member_key(b, key);
    if (s.s)
        og_buf_json_str(b, s);
    else
        og_buf_text(b, "null");
}

void og_member_text(struct og_buf *b, const char *key, const char *s)
{
    og_member_str(b, key, og_str_of(s));
}

void og_member_money(struct og_buf *b, const char *key, struct og_money m)
{
    og_member_key(b, key);
    og_buf_money(b, m);
}

void og_member_int(struct og_buf *b, const char *key, int64_t n)
{
    og_member_key(b, key);
    og_buf_int(b, n);
}

void og_member_digits(struct og_buf *b, const char *key, struct og_str digits)
{
    og_member_key(b, key);
    og_buf_str(b, digits);
}

void og_member_bool(struct og_buf *b, const char *key, bool v)
{
    og_member_key(b, key);
    og_buf_text(b, v ? "true" : "false");
}
