/*
 * Text for people: replaces control characters, and cuts a long text without splitting a character.
 */
#include "base/str.h"

#include <stdio.h>

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
    size_t cut = size - 4;

    if (len < 0)
        to[0] = '\0';
    if (len >= 0 && (size_t)len >= size) {
        while (cut > 0 && ((unsigned char)to[cut] & 0xC0) == 0x80)
            cut--;
        memcpy(to + cut, "...", 4);
    }
    og_text_mask(to);
}
