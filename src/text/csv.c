/*
 * Cells of CSV; see text/csv.h.
 */
#include "text/csv.h"

#include "text/table.h"

/* Returns true if a spreadsheet may take the text for a formula, which may begin with blanks or with full-width
 * signs. */
static bool is_formula(struct og_str text)
{
    size_t i = 0;

    while (i < text.len && (text.s[i] == ' ' || text.s[i] == '\t' || text.s[i] == '\r' || text.s[i] == '\n'))
        i++;
    if (i < text.len && (strchr("=+-@", text.s[i]) || text.s[0] == '\t' || text.s[0] == '\r'))
        return true;
    /* the full-width signs =, +, - and @: U+FF1D, U+FF0B, U+FF0D, U+FF20 */
    return text.len - i >= 3 && memcmp(text.s + i, "\xef\xbc", 2) == 0 && strchr("\x9d\x8b\x8d\xa0", text.s[i + 2]);
}

void og_csv_text(struct og_buf *b, struct og_str text)
{
    struct og_buf plain;

    og_buf_init(&plain, 0);
    if (is_formula(text))
        og_buf_char(&plain, '\'');
    og_plain(&plain, text);
    og_buf_char(b, '"');
    for (size_t i = 0; i < plain.len; i++) {
        if (plain.s[i] == '"')
            og_buf_char(b, '"');
        og_buf_char(b, plain.s[i]);
    }
    og_buf_char(b, '"');
    b->bad |= plain.bad;
    og_buf_clear(&plain);
}
