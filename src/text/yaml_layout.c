/*
 * Formats a YAML document: libyaml's tokens show where each line begins and in which blocks it is.  A block (list or
 * map) is indented by two blanks more than the block around it; between two tokens of a line there is one blank or
 * none.  Before the result is returned, it is parsed and compared with the original, event by event.
 */
#include "text/yaml_layout.h"

#include <ctype.h>
#include <stdlib.h>
#include <yaml.h>

#include "base/grow.h"
#include "base/utf8.h"

enum { INDENT = 2, BLOCKS_MOST = 80 };

/* A list or map without brackets, with its old and its new column. */
struct block {
    int old, new;
    bool list;
    bool flush; /* a list whose dashes are in the column of the keys around it: libyaml reports neither its start nor
                 * its end */
};

/* A line of the result. */
struct row {
    int indent;
    size_t at, len;       /* layout.text[at..at + len) is the row's text */
    struct og_str remark; /* the row's comment, from its '#' */
    int remark_col;       /* old column of the comment */
    bool kept;            /* the row is part of a text over several lines: it stays even if it is blank */
};

/* An open bracket of the result. */
struct bracket {
    int base;   /* column of a line that closes the bracket */
    int column; /* column after the bracket */
    bool hangs; /* nothing follows the bracket on its line */
};

struct position {
    int line, col; /* line and column, from 0; col counts bytes */
};

struct layout {
    struct og_str *line; /* the original */
    int lines;
    struct block block[BLOCKS_MOST], before[BLOCKS_MOST]; /* the open blocks at present, and those when the last token
                                                           * was written */
    int depth, depth_before;
    struct bracket bracket[BLOCKS_MOST];
    int flow;      /* open brackets */
    bool row_flow; /* the current row began inside brackets */
    bool key;      /* the next token is a key */
    yaml_token_type_t last;
    struct position end; /* end of the last token */
    struct og_buf text;
    struct row *row;
    size_t rows, room;
    bool failed;
};

/* --- rows --------------------------------------------------------------------------------------------------------- */

static struct row *add_row(struct layout *l, int indent)
{
    if (!OG_GROW(l->row, l->rows, l->room, 256)) {
        l->failed = true;
        return NULL;
    }
    l->row[l->rows] = (struct row){ .indent = indent > 0 ? indent : 0, .at = l->text.len };
    return &l->row[l->rows++];
}

static void append(struct layout *l, const char *s, size_t len)
{
    og_buf_bytes(&l->text, s, len);
    if (l->rows)
        l->row[l->rows - 1].len = l->text.len - l->row[l->rows - 1].at;
}

/* --- lines of the original ---------------------------------------------------------------------------------------- */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static struct og_str trimmed(struct og_str s)
{
    while (s.len && is_blank(s.s[s.len - 1]))
        s.len--;
    return s;
}

static int indent_of(struct og_str s)
{
    size_t n = 0;

    while (n < s.len && is_blank(s.s[n]))
        n++;
    return (int)n;
}

static struct og_str rest_of(const struct layout *l, struct position at)
{
    struct og_str s = l->line[at.line];

    return (struct og_str){ s.s + at.col, s.len - (size_t)at.col };
}

/* Returns the position of a libyaml mark, which counts characters in a line, not bytes; a mark after the last line
 * break becomes the end of the last line. */
static struct position position_of(const struct layout *l, const yaml_mark_t *mark)
{
    struct position p = { (int)mark->line, 0 };
    struct og_str s;

    if (p.line >= l->lines)
        return (struct position){ l->lines - 1, (int)l->line[l->lines - 1].len };
    s = l->line[p.line];
    for (size_t i = 0; i < mark->column && (size_t)p.col < s.len; i++)
        p.col += (int)og_utf8_len(s.s + p.col, s.s + s.len);
    return p;
}

static struct og_str text_of(const struct layout *l, const struct row *row)
{
    return trimmed((struct og_str){ l->text.s + row->at, row->len });
}

/* Returns the number of columns of a row without its comment. */
static size_t width_of(const struct layout *l, const struct row *row)
{
    struct og_str s = text_of(l, row);
    size_t width = (size_t)row->indent;

    for (size_t i = 0; i < s.len; i++)
        width += ((unsigned char)s.s[i] & 0xC0) != 0x80;
    return width;
}

/* --- blanks between two tokens ------------------------------------------------------------------------------------ */

static int content_column(const struct layout *l)
{
    const struct block *b = l->depth ? &l->block[l->depth - 1] : NULL;

    return b ? b->new + (b->list ? INDENT : 0) : 0;
}

/* Returns the new column of a comment that has a line of its own. next: the old column of the token after the comment,
 * -1 if there is none; to: the new column of that token. A comment further to the right than that token belongs to a
 * block that ends before the token. */
static int comment_column(const struct layout *l, int old, int next, int to)
{
    if (old <= next)
        return to;
    for (int i = l->depth_before - 1; i >= 0; i--)
        if (l->before[i].old <= old)
            return l->before[i].new;
    return to;
}

static void add_remark(struct row *row, struct og_str from)
{
    int blanks = indent_of(from);

    row->remark = trimmed((struct og_str){ from.s + blanks, from.len - (size_t)blanks });
}

/* Add the comment after the last token, and the comments and blank lines before the next token. */
static void add_between(struct layout *l, int before, int next, int to)
{
    struct og_str rest = rest_of(l, l->end);

    if (l->rows && trimmed(rest).len) {
        l->row[l->rows - 1].remark_col = l->end.col + indent_of(rest);
        add_remark(&l->row[l->rows - 1], rest);
    }
    for (int i = l->rows ? l->end.line + 1 : 0; i < before; i++) {
        int old = indent_of(l->line[i]);
        struct row *row;

        if (!trimmed(l->line[i]).len)
            (void)add_row(l, 0);
        else if ((row = add_row(l, l->flow ? to : comment_column(l, old, next, to))))
            add_remark(row, l->line[i]);
    }
}

static bool is_opening(yaml_token_type_t type)
{
    return type == YAML_FLOW_SEQUENCE_START_TOKEN || type == YAML_FLOW_MAPPING_START_TOKEN;
}

static bool is_closing(yaml_token_type_t type)
{
    return type == YAML_FLOW_SEQUENCE_END_TOKEN || type == YAML_FLOW_MAPPING_END_TOKEN;
}

/* Returns the new column of a token that begins a line. */
static int column_for(const struct layout *l, yaml_token_type_t type)
{
    const struct block *b = l->depth ? &l->block[l->depth - 1] : NULL;

    if (type == YAML_DOCUMENT_START_TOKEN || type == YAML_DOCUMENT_END_TOKEN || type == YAML_VERSION_DIRECTIVE_TOKEN)
        return 0;
    if (is_closing(type))
        return l->bracket[l->flow].hangs ? l->bracket[l->flow].base : l->bracket[l->flow].column - 1;
    if (l->flow)
        return l->bracket[l->flow - 1].hangs ? l->bracket[l->flow - 1].base + INDENT : l->bracket[l->flow - 1].column;
    if (b && (l->key || type == YAML_BLOCK_ENTRY_TOKEN || type == YAML_VALUE_TOKEN || type == YAML_KEY_TOKEN))
        return b->new;
    return b ? b->new + INDENT : 0;
}

/* Begin a line, or write the blank between two tokens of a line. */
static void go_to(struct layout *l, yaml_token_type_t type, struct position at)
{
    if (!l->rows || at.line > l->end.line) {
        int to;

        if (is_opening(l->last) && l->flow + is_closing(type))
            l->bracket[l->flow + is_closing(type) - 1].hangs = true;
        to = column_for(l, type);
        add_between(l, at.line, at.col, is_closing(type) ? to + INDENT : to);
        (void)add_row(l, to);
        l->row_flow = l->flow > 0;
    } else if (!is_opening(l->last) && !is_closing(type) && type != YAML_FLOW_ENTRY_TOKEN && type != YAML_VALUE_TOKEN) {
        append(l, " ", 1);
    }
}

/* --- texts over several lines ------------------------------------------------------------------------------------- */

static void append_line(struct layout *l, struct og_str s, int indent)
{
    struct row *row = add_row(l, s.len ? indent : 0);

    if (row) {
        row->kept = true;
        append(l, s.s, s.len);
    }
}

/* Returns the line after the last one of a text that begins with | or >.  Blank lines at the end belong to the text
 * only if its indicator keeps them. */
static int end_of_block_text(const struct layout *l, struct position from, struct position to, bool keeps)
{
    int end = to.col > 0 ? to.line + 1 : to.line;

    while (!keeps && end > from.line + 1 && !trimmed(l->line[end - 1]).len)
        end--;
    return end > from.line ? end : from.line + 1;
}

/* Write a text that begins with | or >.  All its lines move by the same number of columns. */
static void put_block_text(struct layout *l, struct position from, struct position to)
{
    struct og_str head = trimmed(rest_of(l, from));
    const struct block *b = l->depth ? &l->block[l->depth - 1] : NULL;
    size_t mark = strcspn(head.len ? head.s : "", " \t#\n");
    bool keeps = memchr(head.s, '+', mark < head.len ? mark : head.len);
    int end = end_of_block_text(l, from, to, keeps), old = -1, by;

    append(l, head.s, head.len);
    for (int i = from.line + 1; i < end && old < 0; i++)
        if (trimmed(l->line[i]).len)
            old = indent_of(l->line[i]);
    if (head.len > 1 && (isdigit((unsigned char)head.s[1]) || (head.len > 2 && isdigit((unsigned char)head.s[2]))))
        by = b ? b->new - b->old : 0;
    else
        by = (b ? b->new : 0) + INDENT - old;
    for (int i = from.line + 1; i < end; i++) {
        struct og_str s = l->line[i];
        size_t blanks = 0;

        while (blanks < s.len && s.s[blanks] == ' ')
            blanks++;
        append_line(l, (struct og_str){ s.s + blanks, s.len - blanks }, (int)blanks + by);
        if (l->rows && blanks == s.len && (int)blanks > old && old >= 0) /* a line of blanks that is part of the text */
            l->row[l->rows - 1].indent = (int)blanks + by;
    }
    l->end = (struct position){ end - 1, (int)l->line[end - 1].len };
}

/* Write a plain or quoted text over several lines.  Blanks at the beginning of its lines have no meaning. */
static void put_folded_text(struct layout *l, struct position from, struct position to)
{
    const struct block *b = l->depth ? &l->block[l->depth - 1] : NULL;
    int indent = l->flow ? column_for(l, YAML_SCALAR_TOKEN) : b ? b->new + INDENT : 0;
    struct og_str s = rest_of(l, from);

    append(l, s.s, s.len);
    for (int i = from.line + 1; i <= to.line; i++) {
        int blanks;

        s = l->line[i];
        if (i == to.line)
            s.len = (size_t)to.col;
        blanks = indent_of(s);
        append_line(l, (struct og_str){ s.s + blanks, s.len - (size_t)blanks }, indent);
    }
    l->end = to;
}

/* --- tokens ------------------------------------------------------------------------------------------------------- */

static void open_block(struct layout *l, int old, bool list, bool flush)
{
    int new = l->depth ? l->block[l->depth - 1].new + INDENT : 0;

    if (l->depth == BLOCKS_MOST)
        l->failed = true;
    else
        l->block[l->depth++] = (struct block){ old, new, list, flush };
}

static void close_flush_list(struct layout *l)
{
    if (l->depth && l->block[l->depth - 1].flush)
        l->depth--;
}

static void open_bracket(struct layout *l)
{
    const struct row *row = l->rows ? &l->row[l->rows - 1] : NULL;

    if (l->flow == BLOCKS_MOST || !row)
        l->failed = true;
    else
        l->bracket[l->flow++] =
            (struct bracket){ .base = l->row_flow ? row->indent : content_column(l), .column = (int)width_of(l, row) };
}

static void put_token(struct layout *l, const yaml_token_t *t)
{
    struct position from = position_of(l, &t->start_mark), to = position_of(l, &t->end_mark);
    bool block_text = t->type == YAML_SCALAR_TOKEN && (t->data.scalar.style == YAML_LITERAL_SCALAR_STYLE ||
                                                       t->data.scalar.style == YAML_FOLDED_SCALAR_STYLE);
    struct og_str s = rest_of(l, from);

    l->flow -= is_closing(t->type);
    go_to(l, t->type, from);
    if (block_text) {
        put_block_text(l, from, to);
    } else if (to.line > from.line) {
        put_folded_text(l, from, to);
    } else {
        append(l, s.s, (size_t)(to.col - from.col));
        l->end = to;
    }
    if (is_opening(t->type))
        open_bracket(l);
    l->last = t->type;
    l->key = t->type == YAML_KEY_TOKEN;
    l->depth_before = l->depth;
    memcpy(l->before, l->block, sizeof l->before);
}

static void read_token(struct layout *l, const yaml_token_t *t)
{
    bool written = t->end_mark.index > t->start_mark.index;

    switch (t->type) {
    case YAML_STREAM_START_TOKEN: break;
    case YAML_STREAM_END_TOKEN: add_between(l, l->lines, -1, 0); break;
    case YAML_BLOCK_SEQUENCE_START_TOKEN:
    case YAML_BLOCK_MAPPING_START_TOKEN:
        open_block(l, position_of(l, &t->start_mark).col, t->type == YAML_BLOCK_SEQUENCE_START_TOKEN, false);
        break;
    case YAML_BLOCK_END_TOKEN:
        close_flush_list(l);
        l->depth -= l->depth > 0;
        break;
    case YAML_KEY_TOKEN:
        if (!l->flow)
            close_flush_list(l);
        l->key = true;
        if (written)
            put_token(l, t);
        break;
    case YAML_BLOCK_ENTRY_TOKEN:
        if (l->depth && !l->block[l->depth - 1].list)
            open_block(l, position_of(l, &t->start_mark).col, true, true);
        put_token(l, t);
        break;
    default:
        if (written)
            put_token(l, t);
    }
}

static bool begin_parser(yaml_parser_t *parser, struct og_str bytes)
{
    if (!yaml_parser_initialize(parser))
        return false;
    yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(parser, (const unsigned char *)bytes.s, bytes.len);
    return true;
}

static bool read_tokens(struct layout *l, struct og_str bytes)
{
    yaml_parser_t parser;
    yaml_token_t token;
    bool ok = true, done = false;

    if (!begin_parser(&parser, bytes))
        return false;
    while (ok && !done && !l->failed && (ok = yaml_parser_scan(&parser, &token))) {
        read_token(l, &token);
        done = token.type == YAML_STREAM_END_TOKEN;
        yaml_token_delete(&token);
    }
    yaml_parser_delete(&parser);
    return ok && !l->failed && !l->text.bad;
}

/* --- the result --------------------------------------------------------------------------------------------------- */

static bool is_aligned(const struct row *a, const struct row *b)
{
    return a->len && b->len && a->remark.len && b->remark.len && a->remark_col == b->remark_col;
}

/* Consecutive rows whose comments were in one column, and will be in one again; perhaps a single row. */
struct run {
    size_t end; /* index of the first row after the run */
    size_t column;
};

/* Returns the column for the comment of row i: one blank after the longest text of its run.  Call for the rows in their
 * sequence, with a run that is { 0 } at first. */
static size_t remark_column(const struct layout *l, size_t i, struct run *run)
{
    if (i < run->end)
        return run->column;
    run->column = width_of(l, &l->row[i]) + 1;
    for (run->end = i + 1; run->end < l->rows && is_aligned(&l->row[run->end - 1], &l->row[run->end]); run->end++)
        if (width_of(l, &l->row[run->end]) >= run->column)
            run->column = width_of(l, &l->row[run->end]) + 1;
    return run->column;
}

static void put_blanks(struct og_buf *to, size_t count)
{
    while (count-- > 0)
        og_buf_char(to, ' ');
}

static bool is_empty(const struct row *row)
{
    return !row->len && !row->remark.len;
}

static void put_rows(const struct layout *l, struct og_buf *to)
{
    size_t count = l->rows;
    struct run run = { 0 };
    bool blank = true; /* the previous row was blank, or there is none */

    while (count && is_empty(&l->row[count - 1]) && !l->row[count - 1].kept)
        count--;
    for (size_t i = 0; i < count; i++) {
        const struct row *row = &l->row[i];
        struct og_str s = row->kept ? (struct og_str){ l->text.s + row->at, row->len } : text_of(l, row);

        if (is_empty(row) && !row->kept && blank)
            continue;
        blank = is_empty(row) && !row->kept;
        put_blanks(to, (size_t)(is_empty(row) && !row->kept ? 0 : row->indent));
        og_buf_str(to, s);
        if (row->len && row->remark.len)
            put_blanks(to, remark_column(l, i, &run) - width_of(l, row));
        og_buf_str(to, row->remark);
        og_buf_char(to, '\n');
    }
}

/* --- comparing ---------------------------------------------------------------------------------------------------- */

static bool is_same_event(const yaml_event_t *a, const yaml_event_t *b)
{
    if (a->type != b->type)
        return false;
    switch (a->type) {
    case YAML_SCALAR_EVENT:
        return a->data.scalar.style == b->data.scalar.style && a->data.scalar.length == b->data.scalar.length &&
               memcmp(a->data.scalar.value, b->data.scalar.value, a->data.scalar.length) == 0;
    case YAML_SEQUENCE_START_EVENT: return a->data.sequence_start.style == b->data.sequence_start.style;
    case YAML_MAPPING_START_EVENT: return a->data.mapping_start.style == b->data.mapping_start.style;
    default: return true;
    }
}

/* Read the next event of both parsers.  Returns 1 if the events are the same, 0 if both parsers are at their end, -1 if
 * the events differ. */
static int next_events(yaml_parser_t *one, yaml_parser_t *other)
{
    yaml_event_t a, b;
    bool same, end;

    if (!yaml_parser_parse(one, &a))
        return -1;
    if (!yaml_parser_parse(other, &b)) {
        yaml_event_delete(&a);
        return -1;
    }
    same = is_same_event(&a, &b);
    end = a.type == YAML_STREAM_END_EVENT;
    yaml_event_delete(&a);
    yaml_event_delete(&b);
    return !same ? -1 : !end;
}

/* Returns OG_OK if libyaml reads the same events from both texts. */
static enum og_status compare(struct og_str one, struct og_str other)
{
    yaml_parser_t a, b;
    int next = 1;

    if (!begin_parser(&a, one))
        return OG_ENOMEM;
    if (!begin_parser(&b, other)) {
        yaml_parser_delete(&a);
        return OG_ENOMEM;
    }
    while (next > 0)
        next = next_events(&a, &b);
    yaml_parser_delete(&a);
    yaml_parser_delete(&b);
    return next == 0 ? OG_OK : OG_ESYNTAX;
}

/* --- the whole document ------------------------------------------------------------------------------------------- */

/* Copy the document with LF at the end of each line, and find its lines.  Returns false if out of memory. */
static bool split_lines(struct layout *l, struct og_str bytes, struct og_buf *copy)
{
    size_t lines = 1, start = 0;

    for (size_t i = 0; i < bytes.len; i++)
        if (bytes.s[i] != '\r' || i + 1 == bytes.len || bytes.s[i + 1] != '\n') {
            og_buf_char(copy, bytes.s[i]);
            lines += bytes.s[i] == '\n';
        }
    if (!copy->len || copy->bad || !(l->line = calloc(lines, sizeof *l->line)))
        return false;
    for (size_t i = 0; i <= copy->len; i++)
        if (i == copy->len ? start < i : copy->s[i] == '\n') {
            l->line[l->lines++] = (struct og_str){ copy->s + start, i - start };
            start = i + 1;
        }
    return true;
}

enum og_status og_yaml_layout(const char *bytes, size_t len, struct og_buf *to)
{
    struct layout l = { 0 };
    struct og_buf copy;
    size_t start = to->len;
    enum og_status status = OG_ENOMEM;

    if (len >= 3 && memcmp(bytes, "\xEF\xBB\xBF", 3) == 0) {
        bytes += 3;
        len -= 3;
    }
    og_buf_init(&copy, 0);
    og_buf_init(&l.text, 0);
    if (split_lines(&l, (struct og_str){ bytes, len }, &copy) && read_tokens(&l, (struct og_str){ copy.s, copy.len })) {
        put_rows(&l, to);
        if (!to->bad)
            status = compare((struct og_str){ copy.s, copy.len }, (struct og_str){ to->s + start, to->len - start });
    }
    free(l.line);
    free(l.row);
    og_buf_clear(&l.text);
    og_buf_clear(&copy);
    return status;
}
