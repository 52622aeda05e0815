/*
 * Text for people: replaces control characters, and cuts a long text without splitting a character.
 */
#include "base/str.h"

#include <stdio.h>

#include "base/utf8.h"

void og_text_mask(char *s)
{
    for (unsigned char *p = (unsigned char *)s; *p; p++) {
        if (*p < 0x20 || *p == 0x7F)
            *p = '?';
        else if (p[0] == 0xC2 && p[1] >= 0x80 && p[1] < 0xA0) /* C1 controls in UTF-8 */
            p[0] = p[1] = '?';
    }
}

void og_text_format(char *to, size_t size, const char *format, va_list args)
{
    int len = vsnprintf(to, size, format, args);

    if (len < 0)
        to[0] = '\0';
    if (len >= 0 && (size_t)len >= size)
        memcpy(to + og_utf8_cut(to, size - 1, size - 4), "...", 4);
    og_text_mask(to);
}
