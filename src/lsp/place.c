/*
 * Reads a YAML document up to an offset, line by line, using only indentation, dashes, colons and brackets. Unlike the
 * reader of policies (text/yaml.h), this one reads incomplete text as far as possible.
 */
#include "lsp/place.h"

#include <ctype.h>

struct reader {
    struct og_str text;
    size_t at, offset; /* at: offset of the next byte to read; offset: the place that is searched for */
    struct og_lsp_place *place;
    bool found;
};

static char peek(const struct reader *r, size_t at)
{
    return at < r->text.len ? r->text.s[at] : '\n';
}

static bool is_break(char c)
{
    return c == '\n' || c == '\r';
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static bool is_one_of(char c, const char *set)
{
    return c && strchr(set, c);
}

/* --- steps -------------------------------------------------------------------------------------------------------- */

static void push(struct reader *r, struct og_lsp_step step)
{
    if (r->place->depth < OG_LSP_STEPS_MOST)
        r->place->step[r->place->depth++] = step;
    else
        r->found = true; /* the document is nested too deep: end the search without a place */
}

static struct og_lsp_step *top(const struct reader *r)
{
    return r->place->depth ? &r->place->step[r->place->depth - 1] : NULL;
}

/* Leave the containers that began at the column or to the right of it. dash: an item comes next, which may begin in the
 * column of the list's key. */
static void pop_to(struct reader *r, size_t column, bool dash)
{
    const struct og_lsp_step *t;

    while ((t = top(r)) && (t->column > column || (t->column == column && !dash)))
        r->place->depth--;
}

static void find(struct reader *r, enum og_lsp_at at, size_t from, size_t to)
{
    r->place->at = at;
    r->place->from = from;
    r->place->to = to;
    r->found = true;
}

/* Record the place as found if it is in [from, to]. */
static bool find_in(struct reader *r, enum og_lsp_at at, size_t from, size_t to)
{
    if (r->offset < from || r->offset > to)
        return false;
    find(r, at, from, to);
    return true;
}

/* --- words -------------------------------------------------------------------------------------------------------- */

static size_t end_of_quoted(const struct reader *r, size_t at)
{
    char quote = r->text.s[at++];

    for (; at < r->text.len; at++) {
        if (quote == '"' && r->text.s[at] == '\\')
            at++;
        else if (r->text.s[at] == quote && quote == '\'' && peek(r, at + 1) == '\'')
            at++;
        else if (r->text.s[at] == quote)
            return at + 1;
    }
    return r->text.len;
}

/* Returns the end of a plain word; if `flow`, a bracket or a comma ends the word too. */
static size_t end_of_plain(const struct reader *r, size_t from, bool flow)
{
    size_t at = from;

    for (; at < r->text.len && !is_break(r->text.s[at]); at++) {
        char c = r->text.s[at], after = peek(r, at + 1);

        if (c == ':' && (is_blank(after) || is_break(after) || (flow && is_one_of(after, ",[]{}"))))
            break;
        if ((c == '#' && at > from && is_blank(r->text.s[at - 1])) || (flow && is_one_of(c, ",[]{}")))
            break;
    }
    while (at > from && is_blank(r->text.s[at - 1]))
        at--;
    return at;
}

static size_t end_of_word(const struct reader *r, size_t at, bool flow)
{
    char c = peek(r, at);

    return c == '"' || c == '\'' ? end_of_quoted(r, at) : end_of_plain(r, at, flow);
}

static struct og_str unquoted(const struct reader *r, size_t from, size_t to)
{
    bool quoted = to - from >= 2 && (r->text.s[from] == '"' || r->text.s[from] == '\'');

    return (struct og_str){ r->text.s + from + quoted, to - from - 2 * quoted };
}

/* --- brackets ----------------------------------------------------------------------------------------------------- */

/* Skip blanks, line ends and comments inside of brackets. If the searched place is among them, record it as found. */
static void skip_flow(struct reader *r, enum og_lsp_at at)
{
    size_t from = r->at;

    for (;;) {
        while (r->at < r->text.len && (is_blank(r->text.s[r->at]) || is_break(r->text.s[r->at])))
            r->at++;
        if (peek(r, r->at) != '#' || r->at >= r->text.len ||
            (r->at > from && !isspace((unsigned char)r->text.s[r->at - 1])))
            break;
        from = r->at;
        while (r->at < r->text.len && !is_break(r->text.s[r->at]))
            r->at++;
        if (r->offset > from && r->offset <= r->at) {
            find(r, OG_LSP_NOWHERE, r->offset, r->offset);
            return;
        }
    }
    if (r->offset < r->at && r->offset >= from)
        find(r, at, r->offset, r->offset);
}

/* Returns whether a word at this place in brackets would be a key, a value or an item. */
static enum og_lsp_at flow_state(const struct reader *r)
{
    return top(r)->kind == OG_LSP_FLOW_MAP ? OG_LSP_EITHER : OG_LSP_VALUE;
}

static void leave_key(struct reader *r)
{
    if (top(r) && top(r)->kind == OG_LSP_FLOW_KEY)
        r->place->depth--;
}

/* Read one bracket or comma. Returns false if the character is neither. */
static bool take_bracket(struct reader *r, char c)
{
    if (c == '{')
        push(r, (struct og_lsp_step){ .kind = OG_LSP_FLOW_MAP });
    else if (c == '[')
        push(r, (struct og_lsp_step){ .kind = OG_LSP_FLOW_ITEM });
    else if (c == '}' || c == ']' || c == ',')
        leave_key(r);
    else
        return false;
    if (c == ',' && top(r)->kind == OG_LSP_FLOW_ITEM)
        top(r)->index++;
    if (c == '}' || c == ']')
        r->place->depth--;
    r->at++;
    return true;
}

static void take_flow_word(struct reader *r)
{
    size_t from = r->at, to = end_of_word(r, from, true), colon;
    bool is_key;

    for (colon = to; is_blank(peek(r, colon)) && colon < r->text.len; colon++)
        ;
    is_key = colon < r->text.len && r->text.s[colon] == ':' && top(r)->kind != OG_LSP_FLOW_KEY;
    if (find_in(r, is_key ? OG_LSP_KEY : flow_state(r), from, to))
        return;
    r->at = to > from ? to : from + 1;
    if (is_key) {
        push(r, (struct og_lsp_step){ .key = unquoted(r, from, to), .kind = OG_LSP_FLOW_KEY });
        r->at = colon + 1;
    }
}

/* Read the text in brackets up to its end, which may be on a later line. */
static void read_flow(struct reader *r)
{
    size_t depth = r->place->depth;

    do {
        if (!take_bracket(r, peek(r, r->at)))
            take_flow_word(r);
        if (r->found || r->place->depth <= depth)
            return;
        skip_flow(r, flow_state(r));
        if (!r->found && r->offset == r->at && is_one_of(peek(r, r->at), "]},"))
            find(r, flow_state(r), r->offset, r->offset);
    } while (!r->found && r->at < r->text.len);
    if (!r->found)
        find(r, flow_state(r), r->offset, r->offset);
}

/* --- lines -------------------------------------------------------------------------------------------------------- */

static size_t line_end(const struct reader *r, size_t at)
{
    while (at < r->text.len && !is_break(r->text.s[at]))
        at++;
    return at;
}

/* Read the lines of a block scalar, which are indented more than its key. */
static void read_block(struct reader *r, size_t column)
{
    size_t from = r->at = line_end(r, r->at), to = from;

    while (r->at < r->text.len) {
        size_t line = r->at + 1, text = line;

        while (is_blank(peek(r, text)) && text < r->text.len)
            text++;
        if (!is_break(peek(r, text)) && text - line <= column)
            break;
        to = r->at = line_end(r, text);
    }
    if (r->offset > from)
        (void)find_in(r, OG_LSP_VALUE, from, to);
}

/* Read the rest of a line after a value: blanks and a comment. */
static void read_rest(struct reader *r)
{
    size_t end = line_end(r, r->at);

    if (r->offset >= r->at && r->offset <= end)
        find(r, memchr(r->text.s + r->at, '#', r->offset - r->at) ? OG_LSP_NOWHERE : OG_LSP_VALUE, r->offset,
             r->offset);
    r->at = end;
}

static void read_value(struct reader *r, size_t column)
{
    size_t from = r->at, to;

    while (is_blank(peek(r, r->at)) && r->at < r->text.len)
        r->at++;
    if (r->offset >= from && r->offset < r->at) {
        find(r, OG_LSP_VALUE, r->offset, r->offset);
        return;
    }
    if (is_one_of(peek(r, r->at), "{[")) {
        read_flow(r);
    } else if (is_one_of(peek(r, r->at), "|>")) {
        read_block(r, column);
    } else if (peek(r, r->at) != '#') {
        to = end_of_word(r, r->at, false);
        if (peek(r, to) == ':') /* a colon inside of a value: ignored here, an error for the reader of policies */
            to = line_end(r, to);
        if (find_in(r, OG_LSP_VALUE, r->at, to))
            return;
        r->at = to;
    }
    if (!r->found)
        read_rest(r);
}

/* Read the text of a line after its blanks and dashes. */
static void read_content(struct reader *r, size_t column)
{
    size_t from = r->at, to, colon;

    if (is_one_of(peek(r, from), "{[")) {
        read_flow(r);
        if (!r->found)
            read_rest(r);
        return;
    }
    to = end_of_word(r, from, false);
    for (colon = to; is_blank(peek(r, colon)) && colon < r->text.len; colon++)
        ;
    if (colon >= r->text.len || r->text.s[colon] != ':') {
        if (!find_in(r, OG_LSP_EITHER, from, to)) {
            r->at = to;
            read_rest(r);
        }
        return;
    }
    if (find_in(r, OG_LSP_KEY, from, to))
        return;
    push(r, (struct og_lsp_step){ .key = unquoted(r, from, to), .column = column, .kind = OG_LSP_BLOCK_KEY });
    r->at = colon + 1;
    if (!r->found)
        read_value(r, column);
}

/* Read the dashes at the beginning of a line. Returns the column of the text after them. */
static size_t take_dashes(struct reader *r, size_t start)
{
    while (peek(r, r->at) == '-' && r->at < r->text.len &&
           (is_blank(peek(r, r->at + 1)) || is_break(peek(r, r->at + 1)))) {
        size_t column = r->at - start;

        pop_to(r, column, true);
        if (top(r) && top(r)->kind == OG_LSP_BLOCK_ITEM && top(r)->column == column)
            top(r)->index++;
        else
            push(r, (struct og_lsp_step){ .column = column, .kind = OG_LSP_BLOCK_ITEM });
        r->at++;
        while (is_blank(peek(r, r->at)) && r->at < r->text.len && r->at < r->offset)
            r->at++;
        if (r->found || r->at >= r->offset)
            break;
    }
    return r->at - start;
}

static void read_line(struct reader *r)
{
    size_t start = r->at, end = line_end(r, start);

    while (is_blank(peek(r, r->at)) && r->at < end)
        r->at++;
    if (r->offset <= end && (r->at == end || r->offset < r->at)) { /* the place is in the blanks that begin a line */
        pop_to(r, r->offset - start, false);
        find(r, OG_LSP_EITHER, r->offset, r->offset);
    } else if (peek(r, r->at) == '#') {
        if (r->offset <= end)
            find(r, OG_LSP_NOWHERE, r->offset, r->offset);
        r->at = end;
    } else if (r->at < end) {
        size_t column = take_dashes(r, start);

        pop_to(r, column, false);
        if (r->offset >= start && r->offset <= r->at && (r->at == end || is_blank(r->text.s[r->at])))
            find(r, OG_LSP_EITHER, r->offset, r->offset);
        else if (r->at < end && !r->found)
            read_content(r, column);
    }
}

void og_lsp_place_find(struct og_str text, size_t offset, struct og_lsp_place *place)
{
    struct reader r = { .text = text, .offset = offset, .place = place };

    place->depth = 0;
    place->at = OG_LSP_NOWHERE;
    place->from = place->to = offset;
    if (text.len >= 3 && memcmp(text.s, "\xEF\xBB\xBF", 3) == 0)
        r.at = 3;
    while (!r.found && r.at <= offset && r.at <= text.len) {
        read_line(&r);
        r.at = line_end(&r, r.at) + 1;
    }
}

const struct og_lsp_step *og_lsp_place_last(const struct og_lsp_place *place)
{
    size_t i = place->depth;

    while (i > 0 && place->step[i - 1].kind == OG_LSP_FLOW_MAP)
        i--;
    return i ? &place->step[i - 1] : NULL;
}

static bool is_word(char c, const char *more)
{
    return isalnum((unsigned char)c) || is_one_of(c, more);
}

struct og_str og_lsp_word(struct og_str text, size_t offset, const char *more)
{
    size_t from = offset, to = offset;

    while (from > 0 && is_word(text.s[from - 1], more))
        from--;
    while (to < text.len && is_word(text.s[to], more))
        to++;
    return (struct og_str){ text.s + from, to - from };
}
