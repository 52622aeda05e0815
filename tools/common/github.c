/*
 * Prints annotations of a GitHub workflow; see tools/common/github.h.
 */
#include "tools/common/github.h"

#include <string.h>

/* In a workflow command, line ends must be escaped; in its properties, also ',' and ':'. */
static void put_escaped(FILE *to, const char *s, const char *escaped)
{
    for (; *s; s++)
        if (*s == '%' || *s == '\r' || *s == '\n' || strchr(escaped, *s))
            fprintf(to, "%%%02X", (unsigned char)*s);
        else
            fputc(*s, to);
}

void og_github_begin(FILE *to, const char *severity, const char *file, int line, int col, const char *title)
{
    fprintf(to, "::%s file=", severity);
    put_escaped(to, file, ":,");
    if (line > 0)
        fprintf(to, ",line=%d,col=%d", line, col);
    fputs(",title=", to);
    put_escaped(to, title, ":,");
    fputs("::", to);
}

void og_github_text(FILE *to, const char *text)
{
    put_escaped(to, text, "");
}
