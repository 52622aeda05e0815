/*
 * Fuzz: bytes of a writer, which arrive in pieces, as lines. The first byte is the size of a piece. Whatever the pieces
 * are, the lines are those that a plain reading of the whole has, with the same numbers.
 */
#include <string.h>

#include "fuzz.h"
#include "send/lines.h"

struct expected {
    const char *at, *end; /* the rest of the input */
    long long number;
};

static bool is_blank(const char *s, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if (!strchr(" \t\r", s[i]) || s[i] == '\0')
            return false;
    return true;
}

/* Find the next line that is not blank. Returns false if there is none. */
static bool next(struct expected *e, const char **line, size_t *len)
{
    while (e->at < e->end) {
        const char *newline = memchr(e->at, '\n', (size_t)(e->end - e->at)), *to = newline ? newline : e->end;

        *line = e->at;
        e->at = newline ? newline + 1 : e->end;
        if (++e->number == 1 && to - *line >= 3 && memcmp(*line, "\xEF\xBB\xBF", 3) == 0)
            *line += 3;
        *len = (size_t)(to - *line);
        if (*len > 0 && (*line)[*len - 1] == '\r')
            --*len;
        if (!is_blank(*line, *len))
            return true;
    }
    return false;
}

static void on_line(void *with, long long number, const char *line, size_t len)
{
    struct expected *e = with;
    const char *wanted;
    size_t wanted_len;

    DEMAND(next(e, &wanted, &wanted_len));
    DEMAND(number == e->number && len == wanted_len && memcmp(line, wanted, len) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    struct expected e;
    struct og_lines lines;
    const char *rest;
    size_t piece, left;

    if (len == 0)
        return 0;
    piece = (size_t)bytes[0] + 1;
    e = (struct expected){ (const char *)bytes + 1, (const char *)bytes + len, 0 };
    og_lines_init(&lines);
    for (size_t at = 1; at < len; at += piece)
        og_lines_push(&lines, (const char *)bytes + at, len - at < piece ? len - at : piece, on_line, &e);
    og_lines_end(&lines, on_line, &e);
    og_lines_clear(&lines);
    DEMAND(!next(&e, &rest, &left));
    return 0;
}
