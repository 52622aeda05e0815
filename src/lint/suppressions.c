/*
 * Splits a file into lines, and reads the comments in it that silence warnings:
 *
 *     most: 100   # ordergate-lint: ignore unit-slip - a test account
 *
 * The comment may also be alone on the line above.  Errors are not silenced, and a comment that silences nothing is
 * reported.
 */
#include <stdio.h>

#include "lint/lint.h"
#include "text/pattern.h"

#define MARK "ordergate-lint:"

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static struct og_str trim(struct og_str s)
{
    while (s.len && is_blank(s.s[0]))
        s = (struct og_str){ s.s + 1, s.len - 1 };
    while (s.len && is_blank(s.s[s.len - 1]))
        s.len--;
    return s;
}

struct og_str og_lint_line(const struct og_lint_source *s, int line)
{
    struct og_str text = { 0 };

    if (line < 1 || line > s->lines)
        return text;
    text = (struct og_str){ s->bytes.s + s->line[line - 1], s->line[line] - s->line[line - 1] };
    while (text.len && (text.s[text.len - 1] == '\n' || text.s[text.len - 1] == '\r'))
        text.len--;
    return text;
}

size_t og_lint_offset(const struct og_lint_source *s, int line, int col)
{
    size_t at;

    if (line < 1 || line > s->lines || col < 1)
        return s->bytes.len;
    at = s->line[line - 1] + (size_t)(col - 1);
    if (line == 1 && s->bytes.len >= 3 && memcmp(s->bytes.s, "\xEF\xBB\xBF", 3) == 0)
        at += 3; /* a byte order mark comes before the text of line 1 */
    return at < s->bytes.len ? at : s->bytes.len;
}

/* Returns the text of a line's silencing comment, without '#'; len is 0 if there is none. */
static struct og_str comment_of(struct og_str line)
{
    for (size_t i = 0; i + sizeof MARK < line.len; i++) {
        struct og_str rest;

        if (line.s[i] != '#' || (i > 0 && !is_blank(line.s[i - 1])))
            continue;
        rest = trim((struct og_str){ line.s + i + 1, line.len - i - 1 });
        if (rest.len >= sizeof MARK - 1 && memcmp(rest.s, MARK, sizeof MARK - 1) == 0)
            return rest;
    }
    return (struct og_str){ 0 };
}

/* Returns the next line that is neither blank nor a comment: a silencing comment on a line of its own silences findings
 * of that next line. */
static int next_line_with_content(const struct og_lint_source *s, int line)
{
    for (line++; line <= s->lines; line++) {
        struct og_str text = trim(og_lint_line(s, line));

        if (text.len && text.s[0] != '#')
            return line;
    }
    return 0;
}

static void add_suppression(struct og_lint_run *l, struct og_lint_suppression ***tail, struct og_lint_suppression made)
{
    struct og_lint_suppression *i = og_arena_take(l->arena, sizeof *i);

    if (!i) {
        l->oom = true;
        return;
    }
    *i = made;
    **tail = i;
    *tail = &i->next;
}

/* Read "ignore CODE, CODE - REASON", the text after the mark. */
static void read_suppression(struct og_lint_run *l, struct og_lint_source *s, struct og_lint_suppression ***tail,
                             int line, struct og_str comment)
{
    struct og_str said = og_lint_line(s, line), rest = { comment.s + sizeof MARK - 1, comment.len - (sizeof MARK - 1) };
    bool alone = trim(said).s[0] == '#';
    const char *dash = NULL;
    struct og_lint_suppression made = { .line = alone ? next_line_with_content(s, line) : line,
                                        .at = line,
                                        .reason = "" };

    rest = trim(rest);
    if (rest.len >= 7 && memcmp(rest.s, "ignore ", 7) == 0)
        rest = (struct og_str){ rest.s + 7, rest.len - 7 };
    for (size_t i = 0; i < rest.len && !dash; i++)
        if (rest.s[i] == '-' && (i + 1 == rest.len || is_blank(rest.s[i + 1])) && (i == 0 || is_blank(rest.s[i - 1])))
            dash = rest.s + i;
    if (dash) {
        made.reason =
            og_arena_copy(l->arena, trim((struct og_str){ dash + 1, (size_t)(rest.s + rest.len - dash - 1) })).s;
        rest.len = (size_t)(dash - rest.s);
        made.reason = made.reason ? made.reason : "";
    }
    while (rest.len) {
        const char *comma = memchr(rest.s, ',', rest.len);
        size_t len = comma ? (size_t)(comma - rest.s) : rest.len;

        made.code = trim((struct og_str){ rest.s, len });
        made.col = (int)((made.code.len ? made.code.s : comment.s) - said.s) + 1;
        add_suppression(l, tail, made);
        len += comma != NULL;
        rest = (struct og_str){ rest.s + len, rest.len - len };
    }
}

static bool find_lines(struct og_lint_run *l, struct og_lint_source *s)
{
    size_t count = 1;

    for (size_t i = 0; i < s->bytes.len; i++)
        count += s->bytes.s[i] == '\n';
    s->line = og_arena_take(l->arena, (count + 1) * sizeof *s->line);
    if (!s->line)
        return false;
    for (size_t i = 0; i < s->bytes.len; i++)
        if (s->bytes.s[i] == '\n')
            s->line[++s->lines] = i + 1;
    s->line[++s->lines] = s->bytes.len;
    return true;
}

struct og_lint_source *og_lint_source_make(struct og_lint_run *l, const char *name, struct og_str bytes)
{
    struct og_lint_source *s = og_arena_take(l->arena, sizeof *s), **end = &l->sources;
    struct og_lint_suppression **tail;

    if (s)
        *s = (struct og_lint_source){ .name = og_arena_copy(l->arena, og_str_of(name)).s,
                                      .bytes = og_arena_copy(l->arena, bytes) };
    if (!s || !s->name || !s->bytes.s || !find_lines(l, s)) {
        l->oom = true;
        return NULL;
    }
    tail = &s->suppressions;
    for (int line = 1; line <= s->lines; line++) {
        struct og_str comment = comment_of(og_lint_line(s, line));

        if (comment.len)
            read_suppression(l, s, &tail, line, comment);
    }
    while (*end)
        end = &(*end)->next;
    *end = s;
    return s;
}

static void suppress_by(struct og_lint_run *l, struct og_lint_source *s, struct og_lint_suppression *i)
{
    for (struct og_lint_entry *n = l->first; n; n = n->next) {
        struct og_lint_finding *f = &n->finding;

        if (f->fault.severity != OG_WARNING || f->fault.line != i->line || !og_str_is(i->code, f->fault.code) ||
            strcmp(f->fault.file, s->name) != 0)
            continue;
        f->ignored = i->reason;
        i->used = true;
    }
}

/* Report a comment that silences nothing, if it is in the linted file: comments in lower layers may be meant for other
 * policies. */
static void check_suppression(struct og_lint_run *l, const struct og_lint_suppression *i)
{
    const char *codes[200], *nearest;
    struct og_lint_page page;
    char code[64];
    size_t count = 0;
    int width = i->code.len ? (int)i->code.len : 1;

    snprintf(code, sizeof code, "%.*s", i->code.len < 60 ? (int)i->code.len : 60, i->code.len ? i->code.s : "");
    og_text_mask(code);
    if (!i->reason[0])
        og_lint_add_at(l, i->at, i->col, width, "ignore-reason",
                       "no reason is given for silencing '%s': write # " MARK " ignore %s - REASON", code, code);
    if (i->used)
        return;
    for (size_t k = 0; k < 200 && og_lint_page_at(k, &page); k++)
        codes[count++] = page.code;
    if (!og_lint_page_of(code, &page)) {
        nearest = og_nearest(og_str_of(code), codes, count);
        og_lint_add_at(l, i->at, i->col, width, "ignore-unused", "there is no finding '%s'%s", code,
                       nearest ? og_meant(nearest).s : ": see ordergate lint --list");
    } else if (page.severity == OG_ERROR) {
        og_lint_add_at(l, i->at, i->col, width, "ignore-unused",
                       "'%s' is an error: the policy does not load with it, so it cannot be silenced", code);
    } else if (l->policy &&
               !l->recovered.len) { /* the policy does not load: the silenced warning may be one that was not checked
                                     * for */
        og_lint_add_at(l, i->at, i->col, width, "ignore-unused",
                       "there is no '%s' here to silence: remove this comment", code);
    }
}

void og_lint_suppress(struct og_lint_run *l)
{
    for (struct og_lint_source *s = l->sources; s; s = s->next)
        for (struct og_lint_suppression *i = s->suppressions; i; i = i->next)
            if (i->line)
                suppress_by(l, s, i);
    for (const struct og_lint_suppression *i = l->sources->suppressions; i; i = i->next)
        check_suppression(l, i);
}
