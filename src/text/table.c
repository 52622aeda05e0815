/*
 * Tables for a terminal.  A column is as wide as its widest cell; the last column is cut where the line ends.
 */
#include "text/table.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/grow.h"

#define GAP 2 /* blanks between columns */
#define CUT 3 /* if a table is too wide, each column but the last is at most a CUT-th of the line wide */

/* --- text --------------------------------------------------------------------------------------------------------- */

/* Returns the length in bytes of the character at s; 1 for a byte that begins no character. */
static size_t character(const char *s, size_t len)
{
    const unsigned char c = (unsigned char)*s;
    const size_t want = c < 0xc0 ? 1 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;
    size_t n = 1;

    while (n < want && n < len && ((unsigned char)s[n] & 0xc0) == 0x80)
        n++;
    return n;
}

static bool is_control(const char *s, size_t len)
{
    const unsigned char c = (unsigned char)*s;

    return c < 0x20 || c == 0x7f || (len == 1 && c >= 0x80) || (len == 2 && c == 0xc2 && (unsigned char)s[1] < 0xa0) ||
           (len == 3 && c == 0xe2 && (unsigned char)s[1] == 0x80 && ((unsigned char)s[2] & 0xf0) >= 0xa0 &&
            ((unsigned char)s[2] >= 0xa8 && (unsigned char)s[2] <= 0xae)) ||
           (len == 3 && c == 0xe2 && (unsigned char)s[1] == 0x81 && (unsigned char)s[2] >= 0xa6);
}

void og_plain(struct og_buf *to, struct og_str text)
{
    for (size_t i = 0, n; i < text.len; i += n) {
        n = character(text.s + i, text.len - i);
        if (is_control(text.s + i, n))
            og_buf_char(to, '?');
        else
            og_buf_bytes(to, text.s + i, n);
    }
}

static int width_of(const char *text)
{
    const size_t len = strlen(text);
    int width = 0;

    for (size_t i = 0; i < len; i += character(text + i, len - i))
        width++;
    return width;
}

/* Write at most `most` characters of the text; "..." stands for what is cut. */
static void put_cut(struct og_buf *to, const char *text, int most)
{
    const size_t len = strlen(text);
    const bool cut = width_of(text) > most;
    int left = cut && most > 3 ? most - 3 : most;

    for (size_t i = 0, n; i < len && left > 0; i += n, left--) {
        n = character(text + i, len - i);
        og_buf_bytes(to, text + i, n);
    }
    if (cut && most > 3)
        og_buf_text(to, "...");
}

void og_sheet_ink(const struct og_sheet *p, enum og_ink ink, bool on)
{
    static const char *const codes[] = { "", "\033[1m", "\033[31m", "\033[33m" };

    if (p->colour && ink != OG_INK_NONE)
        og_buf_text(p->to, on ? codes[ink] : "\033[0m");
}

void og_sheet_heading(const struct og_sheet *p, const char *heading)
{
    og_buf_char(p->to, '\n');
    og_sheet_ink(p, OG_INK_BOLD, true);
    og_buf_text(p->to, heading);
    og_sheet_ink(p, OG_INK_BOLD, false);
    og_buf_char(p->to, '\n');
}

/* --- tables ------------------------------------------------------------------------------------------------------- */

struct og_cell *og_table_add(struct og_table *t)
{
    if (t->failed || !OG_GROW(t->row, t->rows, t->room, 16)) {
        t->failed = true;
        return NULL;
    }
    memset(t->row[t->rows], 0, sizeof t->row[0]);
    return t->row[t->rows++];
}

void og_table_set(struct og_cell *row, int column, struct og_str text, bool right, enum og_ink ink)
{
    struct og_buf b;

    if (!row)
        return;
    og_buf_init_fixed(&b, row[column].text, sizeof row[column].text - 1);
    for (size_t i = 0, n; i < text.len && b.len + 8 < sizeof row[column].text; i += n) {
        n = character(text.s + i, text.len - i);
        og_plain(&b, (struct og_str){ text.s + i, n });
    }
    row[column].text[b.len] = '\0';
    row[column].right = right;
    row[column].ink = ink;
}

void og_table_set_text(struct og_cell *row, int column, const char *text)
{
    og_table_set(row, column, og_str_of(text), false, OG_INK_NONE);
}

void og_table_set_int(struct og_cell *row, int column, int64_t n, enum og_ink ink)
{
    char text[32];

    snprintf(text, sizeof text, "%lld", (long long)n);
    og_table_set(row, column, og_str_of(text), true, ink);
}

static void put_line(const struct og_sheet *p, const struct og_table *t, const struct og_cell *row, const int *width)
{
    int left = p->columns - 2;

    og_buf_text(p->to, "  ");
    for (int i = 0; i < t->columns && left > 0; i++) {
        const bool last = i == t->columns - 1;
        const int has = width_of(row[i].text), room = (last && !row[i].right) || width[i] > left ? left : width[i];
        const int pad = has < room ? room - has : 0;

        for (int k = 0; row[i].right && k < pad; k++)
            og_buf_char(p->to, ' ');
        og_sheet_ink(p, row[i].ink, true);
        put_cut(p->to, row[i].text, room);
        og_sheet_ink(p, row[i].ink, false);
        left -= room;
        for (int k = 0; !last && k < GAP + (row[i].right ? 0 : pad) && (left > 0 || k < pad); k++)
            og_buf_char(p->to, ' ');
        left -= GAP;
    }
    while (p->to->len && p->to->s[p->to->len - 1] == ' ')
        p->to->len--;
    og_buf_char(p->to, '\n');
}

void og_table_put(const struct og_sheet *p, const char *heading, struct og_table *t, size_t names)
{
    int width[OG_TABLE_COLUMNS] = { 0 };

    for (size_t r = 0; r < t->rows; r++)
        for (int i = 0; i < t->columns; i++) {
            const int has = width_of(t->row[r][i].text);

            if (r == 0 && names && t->rows > 1) /* align a column's name like the column */
                t->row[0][i].right = t->row[1][i].right;

            width[i] = has > width[i] ? has : width[i];
        }
    for (int i = 0, all = 0; i < t->columns; i++) {
        all += width[i] + GAP;
        if (all > p->columns) /* the table is too wide: limit every column but the last */
            for (int k = 0; k < t->columns - 1; k++)
                width[k] = width[k] > p->columns / CUT ? p->columns / CUT : width[k];
    }
    if (t->rows > names && heading)
        og_sheet_heading(p, heading);
    for (size_t r = 0; r < t->rows && t->rows > names; r++)
        put_line(p, t, t->row[r], width);
    p->to->bad |= t->failed;
    free(t->row);
    memset(t, 0, sizeof *t);
}

void og_table_name(struct og_table *t, int columns, const char *const *names)
{
    struct og_cell *row = og_table_add(t);

    t->columns = columns;
    for (int i = 0; i < columns; i++)
        og_table_set_text(row, i, names[i]);
}
