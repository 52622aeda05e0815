/*
 * Tables for a terminal, as wide as the terminal.  Text from outside is written so that it cannot move the cursor.
 */
#pragma once

#include "base/buf.h"

#define OG_TABLE_COLUMNS 12

/* Colours, by meaning; the meaning is always written in words too, so that nothing depends on colour. */
enum og_ink { OG_INK_NONE, OG_INK_BOLD, OG_INK_RED, OG_INK_YELLOW, OG_INK_GREEN };

struct og_cell {
    char text[200];
    bool right; /* aligned to the right */
    enum og_ink ink;
};
/* A paragraph below a row. */
struct og_table_note {
    size_t row;
    int indent, hang; /* blanks before its first line, and before the others */
    enum og_ink ink;
    struct og_buf text;
};
struct og_table {
    struct og_cell (*row)[OG_TABLE_COLUMNS];
    size_t rows, room;
    int columns;    /* number of columns of each row; the last is cut where the line ends */
    unsigned whole; /* bits of the columns of texts that are never cut to make the table fit, such as times */
    bool wraps;     /* texts of the last column that do not fit go on below themselves */
    int below;      /* number of the column whose texts stand below their rows if the table is too wide; 0: none */
    bool failed;    /* out of memory; og_table_put() then marks the sheet's buffer as bad */
    /* the table is printed in parts, with one og_table_put() each; only the first part has a row of names. Columns stay
     * at least as wide as they were in the parts before, `width` */
    bool in_parts;
    int width[OG_TABLE_COLUMNS];
    struct og_table_note *note;
    size_t notes, note_room;
};

/* The output to which tables are written. */
struct og_sheet {
    struct og_buf *to;
    int columns; /* width of a line; a wide character, as in Chinese, takes two columns */
    bool colour;
};

/* Returns how many columns a text takes: 2 for a wide character, 0 for one that is combined with the one before. */
int og_text_width(struct og_str text);

/* Append text in which every control character, and every character that changes the direction of text, is '?'. */
void og_plain(struct og_buf *to, struct og_str text);
/* Append the escape sequence that begins (on) or ends a colour; nothing if the sheet has no colours. */
void og_sheet_ink(const struct og_sheet *p, enum og_ink ink, bool on);
/* Append a heading, after an empty line. */
void og_sheet_heading(const struct og_sheet *p, const char *heading);
/* Append a paragraph, made plain. Its first line begins with `indent` blanks, the others with `hang`; long lines are
 * broken at blanks. */
void og_sheet_words(const struct og_sheet *p, int indent, int hang, enum og_ink ink, struct og_str words);

/* Add a row.  Returns NULL if out of memory; the setters accept NULL. */
struct og_cell *og_table_add(struct og_table *t);
void og_table_set(struct og_cell *row, int column, struct og_str text, bool right, enum og_ink ink);
void og_table_set_text(struct og_cell *row, int column, const char *text);
void og_table_set_int(struct og_cell *row, int column, int64_t n, enum og_ink ink);
/* Add a paragraph below the last row. */
void og_table_note(struct og_table *t, int indent, int hang, enum og_ink ink, struct og_str words);
/* Set the number of columns, and add the row of their names. */
void og_table_name(struct og_table *t, int columns, const char *const *names);
#define OG_TABLE_NAMES(t, ...)                                                          \
    og_table_name((t), (int)(sizeof((const char *[]){ __VA_ARGS__ }) / sizeof(char *)), \
                  (const char *const[]){ __VA_ARGS__ })
#define OG_TABLE_INDENT 4 /* blanks before texts below rows */
/* Remove a column whose cells all have the same text, or are empty, but for the row of names.  Returns that text, valid
 * until the table is changed; NULL if the texts differ, or there is no row. */
const char *og_table_drop_same(struct og_table *t, int column);
/* Write a table under its heading (NULL: none), and free it; nothing is written if it has no row but that of its column
 * names.  names: 1 if it has such a row, else 0.  If a table is too wide, the widest texts are cut first, and no number
 * (a cell that is aligned to the right).  Of a table in parts, columns, widths
 * and these choices stay. */
void og_table_put(const struct og_sheet *p, const char *heading, struct og_table *t, size_t names);
/* Free a table that is not written. */
void og_table_clear(struct og_table *t);
