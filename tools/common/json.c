/*
 * Writes JSON to a stream; see tools/common/json.h.
 */
#include "tools/common/json.h"

#include <stdarg.h>
#include <stddef.h>
#include <string.h>

/* Returns the length of the UTF-8 sequence at s, 1 to 4; 0 if the bytes are not valid UTF-8. */
static size_t character(const unsigned char *s)
{
    static const unsigned least[] = { 0, 0, 0x80, 0x800, 0x10000 };
    size_t len = s[0] < 0x80 ? 1 : s[0] >> 5 == 6 ? 2 : s[0] >> 4 == 14 ? 3 : s[0] >> 3 == 30 ? 4 : 0;
    unsigned point = len == 1 ? s[0] : s[0] & (0x7fU >> len);

    for (size_t i = 1; i < len; i++) {
        if (s[i] >> 6 != 2)
            return 0;
        point = point << 6 | (s[i] & 0x3f);
    }
    return len && (point < least[len] || point > 0x10ffff || point >> 11 == 27) ? 0 : len; /* 27: surrogates */
}

void og_json_string(FILE *to, const char *text)
{
    const unsigned char *s = (const unsigned char *)text;

    if (!s) {
        fputs("null", to);
        return;
    }
    fputc('"', to);
    while (*s) {
        size_t len = character(s);

        if (len == 0)
            fputs("\\ufffd", to);
        else if (*s < 0x20)
            fprintf(to, "\\u%04x", *s);
        else if (*s == '"' || *s == '\\')
            fprintf(to, "\\%c", *s);
        else
            fwrite(s, 1, len, to);
        s += len ? len : 1;
    }
    fputc('"', to);
}

/* Write the argument for the conversion after a %. Returns the conversion's last letter. */
static const char *write_value(FILE *to, const char *at, va_list *args)
{
    int c;

    switch (*at) {
    case 's': og_json_string(to, va_arg(*args, const char *)); return at;
    case 'd': fprintf(to, "%d", va_arg(*args, int)); return at;
    case 'z': fprintf(to, "%zu", va_arg(*args, size_t)); return at + 1;
    case 'l': fprintf(to, "%lld", va_arg(*args, long long)); return at + 2;
    default:
        c = va_arg(*args, int);
        if (c)
            fputc(c, to);
        return at;
    }
}

void og_json_list(FILE *to, const char *format, va_list args)
{
    va_list own;

    va_copy(own, args);
    for (; *format; format++)
        if (*format == '%')
            format = write_value(to, format + 1, &own);
        else
            fputc(*format == '\'' ? '"' : *format, to);
    va_end(own);
}

void og_json(FILE *to, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    og_json_list(to, format, args);
    va_end(args);
}

bool og_json_member(const char *json, const char *key, char *to, size_t size)
{
    const char *at = strstr(json, key);
    size_t len = 0;

    if (!at)
        return false;
    for (at += strlen(key); *at && *at != '"' && len + 1 < size; at++) {
        if (*at == '\\' && at[1])
            at++;
        to[len++] = *at;
    }
    to[len] = '\0';
    return true;
}
