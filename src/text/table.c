/*
 * Tables for a terminal.  A column is as wide as its widest cell; the last column is cut where the line ends.
 * Widths of characters are those of blocks of Unicode, which suits what brokers, people and programs write here; marks
 * of scripts such as Devanagari are counted as characters of their own.
 */
#include "text/table.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/grow.h"

#define MARGIN     2  /* blanks before the first column */
#define GAP        2  /* blanks between columns */
#define TEXT_LEAST 8  /* columns to which a column of texts is cut at most if a table is too wide */
#define LAST_LEAST 16 /* columns that the last column gets if it needs so many, by cutting others */

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

/* Returns the code point of a character; U+FFFD if its bytes are none. */
static uint32_t code_of(const char *s, size_t len)
{
    const unsigned char *c = (const unsigned char *)s;

    switch (len) {
    case 1: return c[0] < 0x80 ? c[0] : 0xfffd;
    case 2: return (c[0] & 0x1fu) << 6 | (c[1] & 0x3fu);
    case 3: return (c[0] & 0xfu) << 12 | (c[1] & 0x3fu) << 6 | (c[2] & 0x3fu);
    default: return (c[0] & 0x7u) << 18 | (c[1] & 0x3fu) << 12 | (c[2] & 0x3fu) << 6 | (c[3] & 0x3fu);
    }
}

/* Blocks of characters that take 0 or 2 columns, in ascending order. */
static const struct block {
    uint32_t first, last;
    int width;
} blocks[] = {
    { 0x300, 0x36f, 0 },     { 0x483, 0x489, 0 },     { 0x591, 0x5bd, 0 },     { 0x610, 0x61a, 0 },
    { 0x64b, 0x65f, 0 },     { 0x1100, 0x115f, 2 },   { 0x1ab0, 0x1aff, 0 },   { 0x1dc0, 0x1dff, 0 },
    { 0x200b, 0x200f, 0 },   { 0x2060, 0x2064, 0 },   { 0x20d0, 0x20ff, 0 },   { 0x231a, 0x231b, 2 },
    { 0x23e9, 0x23ec, 2 },   { 0x2705, 0x2705, 2 },   { 0x274c, 0x274c, 2 },   { 0x2e80, 0x303e, 2 },
    { 0x3041, 0x33ff, 2 },   { 0x3400, 0x4dbf, 2 },   { 0x4e00, 0x9fff, 2 },   { 0xa000, 0xa4cf, 2 },
    { 0xa960, 0xa97f, 2 },   { 0xac00, 0xd7a3, 2 },   { 0xf900, 0xfaff, 2 },   { 0xfe00, 0xfe0f, 0 },
    { 0xfe20, 0xfe2f, 0 },   { 0xfe30, 0xfe6f, 2 },   { 0xfeff, 0xfeff, 0 },   { 0xff00, 0xff60, 2 },
    { 0xffe0, 0xffe6, 2 },   { 0x1f300, 0x1f64f, 2 }, { 0x1f680, 0x1f6ff, 2 }, { 0x1f900, 0x1f9ff, 2 },
    { 0x20000, 0x3fffd, 2 }, { 0xe0100, 0xe01ef, 0 },
};

static int character_width(const char *s, size_t len)
{
    const uint32_t code = code_of(s, len);

    for (size_t i = 0; i < sizeof blocks / sizeof *blocks && blocks[i].first <= code; i++)
        if (code <= blocks[i].last)
            return blocks[i].width;
    return 1;
}

int og_text_width(struct og_str text)
{
    int width = 0;

    for (size_t i = 0, n; i < text.len; i += n) {
        n = character(text.s + i, text.len - i);
        width += character_width(text.s + i, n);
    }
    return width;
}

static int width_of(const char *text)
{
    return og_text_width(og_str_of(text));
}

/* Write so much of the text as `most` columns hold; "..." stands for what is cut.  Returns the columns written. */
static int put_cut(struct og_buf *to, const char *text, int most)
{
    const size_t len = strlen(text);
    const bool cut = width_of(text) > most, dots = cut && most > 3;
    const int room = dots ? most - 3 : most;
    int width = 0;

    for (size_t i = 0, n; i < len; i += n) {
        n = character(text + i, len - i);
        if (width + character_width(text + i, n) > room)
            break;
        width += character_width(text + i, n);
        og_buf_bytes(to, text + i, n);
    }
    og_buf_text(to, dots ? "..." : "");
    return width + (dots ? 3 : 0);
}

void og_sheet_ink(const struct og_sheet *p, enum og_ink ink, bool on)
{
    static const char *const codes[] = { "", "\033[1m", "\033[31m", "\033[33m", "\033[32m" };

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

/* Append a paragraph that has no characters to be masked, to a line that has `column` columns already. Blanks within a
 * line stay as they are. */
static void put_paragraph(const struct og_sheet *p, int column, int hang, enum og_ink ink, struct og_str words)
{
    bool begun = false;
    size_t len;

    for (size_t i = 0, blanks; i < words.len; i += blanks + len) {
        const char *end;
        int width;

        for (blanks = 0; i + blanks < words.len && words.s[i + blanks] == ' ';)
            blanks++;
        end = i + blanks < words.len ? memchr(words.s + i + blanks, ' ', words.len - i - blanks) : NULL;
        len = (end ? (size_t)(end - words.s) : words.len) - i - blanks;
        width = og_text_width((struct og_str){ words.s + i + blanks, len });
        if (len == 0)
            break;
        if (begun && column + (int)blanks + width > p->columns) {
            og_sheet_ink(p, ink, false);
            og_buf_format(p->to, "\n%*s", hang, "");
            column = hang;
            begun = false;
        }
        if (begun)
            og_buf_format(p->to, "%*s", (int)blanks, "");
        else
            og_sheet_ink(p, ink, true);
        column += (begun ? (int)blanks : 0) + width;
        begun = true;
        og_buf_bytes(p->to, words.s + i + blanks, len);
    }
    og_sheet_ink(p, begun ? ink : OG_INK_NONE, false);
    og_buf_char(p->to, '\n');
}

void og_sheet_words(const struct og_sheet *p, int indent, int hang, enum og_ink ink, struct og_str words)
{
    struct og_buf plain;

    og_buf_init(&plain, 0);
    og_plain(&plain, words);
    og_buf_format(p->to, "%*s", plain.len > 0 ? indent : 0, "");
    put_paragraph(p, indent, hang, ink, (struct og_str){ plain.s, plain.len });
    p->to->bad |= plain.bad;
    og_buf_clear(&plain);
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

void og_table_note(struct og_table *t, int indent, int hang, enum og_ink ink, struct og_str words)
{
    struct og_table_note *note;

    if (t->failed || t->rows == 0 || !OG_GROW(t->note, t->notes, t->note_room, 16)) {
        t->failed |= t->rows > 0;
        return;
    }
    note = &t->note[t->notes++];
    *note = (struct og_table_note){ .row = t->rows - 1, .indent = indent, .hang = hang, .ink = ink };
    og_buf_init(&note->text, 0);
    og_buf_str(&note->text, words);
}

/* Move a column behind the last one, where it is not printed. */
static void drop(struct og_table *t, int column)
{
    const size_t after = (size_t)(t->columns - column - 1);

    for (size_t r = 0; r < t->rows; r++) {
        const struct og_cell dropped = t->row[r][column];

        memmove(&t->row[r][column], &t->row[r][column + 1], after * sizeof dropped);
        t->row[r][t->columns - 1] = dropped;
    }
    t->columns--;
}

const char *og_table_drop_same(struct og_table *t, int column)
{
    static const size_t names = 1;

    for (size_t r = names + 1; r < t->rows; r++)
        if (strcmp(t->row[r][column].text, t->row[names][column].text) != 0)
            return NULL;
    if (t->rows <= names)
        return NULL;
    drop(t, column);
    t->below -= t->below > column;
    return t->row[names][t->columns].text;
}

#define WRAP_LEAST 20 /* columns in which a text is wrapped at least */

static void put_line(const struct og_sheet *p, const struct og_table *t, const struct og_cell *row, const int *width)
{
    int left = p->columns - MARGIN;

    og_buf_format(p->to, "%*s", MARGIN, "");
    for (int i = 0; i < t->columns && left > 0; i++) {
        const bool last = i == t->columns - 1;
        const int has = width_of(row[i].text), room = (last && !row[i].right) || width[i] > left ? left : width[i];
        int pad = has < room ? room - has : 0;

        if (last && t->wraps && has > left && left >= WRAP_LEAST) {
            put_paragraph(p, p->columns - left, p->columns - left, row[i].ink, og_str_of(row[i].text));
            return;
        }
        for (; row[i].right && pad > 0; pad--)
            og_buf_char(p->to, ' ');
        og_sheet_ink(p, row[i].ink, true);
        if (has > room)
            pad = room - put_cut(p->to, row[i].text, room);
        else
            og_buf_text(p->to, row[i].text);
        og_sheet_ink(p, row[i].ink, false);
        left -= room + GAP;
        for (int k = 0; !last && left > 0 && k < GAP + pad; k++)
            og_buf_char(p->to, ' ');
    }
    while (p->to->len && p->to->s[p->to->len - 1] == ' ')
        p->to->len--;
    og_buf_char(p->to, '\n');
}

/* Returns the column of texts that is widest, and may be cut; -1 if there is none.  The last one is cut where the line
 * ends. */
static int widest_text(const struct og_table *t, const int *width)
{
    const struct og_cell *row = t->row[t->rows - 1];
    int found = -1;

    for (int i = 0; i < t->columns - 1; i++)
        if (!row[i].right && !(t->whole >> i & 1u) && width[i] > TEXT_LEAST && (found < 0 || width[i] > width[found]))
            found = i;
    return found;
}

static void fit(const struct og_sheet *p, const struct og_table *t, int *width)
{
    int all = MARGIN + GAP * (t->columns - 1), cut;

    for (int i = 0; i < t->columns; i++)
        all += i == t->columns - 1 && width[i] > LAST_LEAST ? LAST_LEAST : width[i];
    for (; all > p->columns && (cut = widest_text(t, width)) >= 0; all--)
        width[cut]--;
}

/* Returns true if the column `below` does not fit into the line beside the others, and is therefore dropped. */
static bool moves_below(const struct og_sheet *p, struct og_table *t, int *width)
{
    int all = MARGIN + GAP * (t->columns - 1);

    for (int i = 0; i < t->columns; i++)
        all += width[i];
    if (t->below == 0 || all <= p->columns)
        return false;
    memmove(width + t->below, width + t->below + 1, (size_t)(t->columns - t->below - 1) * sizeof *width);
    drop(t, t->below);
    return true;
}

/* below: the text behind the last column stands below its row. */
static void put_rows(const struct og_sheet *p, const struct og_table *t, const int *width, size_t names, bool below)
{
    size_t k = 0;

    for (size_t r = 0; r < t->rows; r++) {
        put_line(p, t, t->row[r], width);
        if (below && r >= names && t->row[r][t->columns].text[0])
            og_sheet_words(p, OG_TABLE_INDENT, OG_TABLE_INDENT, OG_INK_NONE, og_str_of(t->row[r][t->columns].text));
        for (; k < t->notes && t->note[k].row == r; k++) {
            const struct og_table_note *note = &t->note[k];

            og_sheet_words(p, note->indent, note->hang, note->ink, (struct og_str){ note->text.s, note->text.len });
            p->to->bad |= note->text.bad;
        }
    }
}

void og_table_clear(struct og_table *t)
{
    for (size_t i = 0; i < t->notes; i++)
        og_buf_clear(&t->note[i].text);
    free(t->note);
    free(t->row);
    memset(t, 0, sizeof *t);
}

void og_table_put(const struct og_sheet *p, const char *heading, struct og_table *t, size_t names)
{
    struct og_table next = {
        .columns = t->columns, .whole = t->whole, .below = t->below, .wraps = t->wraps, .in_parts = true
    };
    int width[OG_TABLE_COLUMNS];
    const bool in_parts = t->in_parts, empty = t->rows <= names;

    memcpy(width, t->width, sizeof width);
    for (size_t r = 0; r < t->rows; r++)
        for (int i = 0; i < t->columns; i++) {
            const int has = width_of(t->row[r][i].text);

            if (r == 0 && names && t->rows > 1) /* align a column's name like the column */
                t->row[0][i].right = t->row[1][i].right;

            width[i] = has > width[i] ? has : width[i];
        }
    memcpy(next.width, width, sizeof width);
    if (!empty) {
        const bool below = moves_below(p, t, width);

        fit(p, t, width);
        if (heading)
            og_sheet_heading(p, heading);
        put_rows(p, t, width, names, below);
    }
    p->to->bad |= t->failed;
    og_table_clear(t);
    if (in_parts)
        *t = next;
}

void og_table_name(struct og_table *t, int columns, const char *const *names)
{
    struct og_cell *row = og_table_add(t);

    t->columns = columns;
    for (int i = 0; i < columns; i++)
        og_table_set_text(row, i, names[i]);
}
