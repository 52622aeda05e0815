/*
 * Locations inside YAML scalars: finds the byte of the file from which a byte of the scalar's text comes.
 * If the text was folded in a way that this code does not follow, the location found is the beginning of the scalar.
 */
#include "policy/source_location.h"

struct walk {
    const char *p, *end;
    size_t left; /* bytes of the text to skip before the wanted byte */
    int indent;  /* for a block scalar: spaces that are removed from each line */
};

static int hex_digits(char c)
{
    return c == 'x' ? 2 : c == 'u' ? 4 : c == 'U' ? 8 : 0;
}

/* Returns the number of bytes of text that an escape in double quotes stands for; *written: the length of the
 * escape. */
static size_t escape(const struct walk *w, size_t *written)
{
    char c = w->p + 1 < w->end ? w->p[1] : '\0';
    int digits = hex_digits(c);
    unsigned long point = 0;

    *written = 2 + (size_t)digits;
    for (int i = 0; i < digits && w->p + 2 + i < w->end; i++) {
        char d = w->p[2 + i];

        point = point << 4 | (unsigned long)(d <= '9' ? d - '0' : (d | 0x20) - 'a' + 10);
    }
    if (c == 'N' || c == '_')
        return 2;
    if (c == 'L' || c == 'P')
        return 3;
    return point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
}

/* Returns 1 for white space with one line break, which becomes one space of the text; 0 if there is no line break; -1
 * if there are several. */
static int folded(const struct walk *w, size_t *written)
{
    const char *p = w->p;
    int breaks = 0;

    while (p < w->end && (*p == ' ' || *p == '\t' || *p == '\r' || *p == '\n'))
        breaks += *p++ == '\n';
    *written = (size_t)(p - w->p);
    return breaks > 1 ? -1 : breaks;
}

/* Advance by one step in a plain or quoted scalar.  Returns false if this code does not follow the folding. */
static bool step_flow(struct walk *w, char quote)
{
    size_t written = 1, made = 1;
    int fold = folded(w, &written);

    if (fold < 0)
        return false;
    if (fold == 0) {
        written = 1;
        if (quote == '"' && *w->p == '\\')
            made = escape(w, &written);
        else if (quote == '\'' && *w->p == '\'')
            written = 2;
    }
    if (made > w->left) /* the wanted byte is one of those that this escape stands for */
        made = w->left;
    w->left -= made;
    w->p += written;
    return w->p <= w->end;
}

static bool walk_flow(struct walk *w)
{
    char quote = *w->p == '"' || *w->p == '\'' ? *w->p : '\0';

    w->p += quote != '\0';
    while (w->left > 0 && w->p < w->end)
        if (!step_flow(w, quote))
            return false;
    return w->left == 0;
}

static bool skip_indent(struct walk *w)
{
    for (int i = 0; i < w->indent; i++, w->p++)
        if (w->p >= w->end || *w->p != ' ')
            return w->p < w->end && *w->p == '\n'; /* an empty line may have fewer spaces than the indentation */
    return true;
}

/* Walk a literal block, or a folded block without empty or more indented lines: each line break is one byte of the
 * text. */
static bool walk_block(struct walk *w)
{
    bool fold = *w->p == '>';
    const char *line = memchr(w->p, '\n', (size_t)(w->end - w->p));

    for (const char *p = w->p + 1; line && p < line && *p != ' ' && *p != '#' && *p != '\r'; p++)
        if (*p >= '0' && *p <= '9') /* this code does not follow an explicit indentation */
            return false;
    if (!line)
        return false;
    w->p = ++line;
    while (line + w->indent < w->end && line[w->indent] == ' ')
        w->indent++;
    if (line + w->indent >= w->end || line[w->indent] == '\n' || !skip_indent(w))
        return false;
    for (; w->left > 0 && w->p < w->end; w->left--)
        if (*w->p++ == '\n' && (!skip_indent(w) || (fold && w->p < w->end && (*w->p == '\n' || *w->p == ' '))))
            return false;
    return w->left == 0;
}

struct og_srcloc og_srcloc_inside(struct og_srcloc scalar, size_t at)
{
    const struct og_str bytes = scalar.source ? scalar.source->bytes : (struct og_str){ 0 };
    struct walk w = { .left = at };
    struct og_srcloc place = scalar;

    if (scalar.offset >= bytes.len)
        return scalar;
    w.p = bytes.s + scalar.offset;
    w.end = bytes.s + bytes.len;
    if (*w.p == '|' || *w.p == '>' ? !walk_block(&w) : !walk_flow(&w))
        return scalar;
    for (const char *p = bytes.s + scalar.offset; p < w.p; p++) {
        place.col++;
        if (*p == '\n') {
            place.line++;
            place.col = 1;
        }
    }
    place.offset = (size_t)(w.p - bytes.s);
    return place;
}
