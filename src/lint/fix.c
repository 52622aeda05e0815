/*
 * Edits that repair findings mechanically. An edit replaces some bytes, and the rest of the file stays as it is. A
 * finding with two possible repairs is not repaired, and no byte is changed twice in one run.
 */
#include <stdio.h>

#include "base/buf.h"
#include "lint/lint.h"

/* Returns the word at an offset: between quotes, or up to the end of a plain word. */
static struct og_str word_at(struct og_str bytes, size_t at, bool *quoted)
{
    size_t from = at, end;

    *quoted = at < bytes.len && (bytes.s[at] == '"' || bytes.s[at] == '\'');
    if (*quoted) {
        for (end = ++from; end < bytes.len && bytes.s[end] != bytes.s[at]; end++)
            if (bytes.s[end] == '\n' || bytes.s[end] == '\\')
                return (struct og_str){ 0 }; /* the word has an escape or a line end: its bytes differ from its text, so
                                              * it is not replaced */
    } else {
        for (end = from; end < bytes.len && !strchr(" \t\r\n:{}[]#", bytes.s[end]); end++)
            ;
        while (end > from && bytes.s[end - 1] == ',')
            end--;
    }
    return (struct og_str){ bytes.s + from, end - from };
}

/* Returns true if the message quotes the word: only such a word is replaced. */
static bool quotes(const char *text, struct og_str word)
{
    char quoted[80];

    if (word.len == 0 || word.len > 60)
        return false;
    snprintf(quoted, sizeof quoted, "'%.*s'", (int)word.len, word.s);
    return strstr(text, quoted) != NULL;
}

static void replace_word(struct og_lint_run *l, struct og_lint_finding *f, struct og_str word)
{
    size_t from = (size_t)(word.s - l->sources->bytes.s);
    const char *comma = memchr(word.s, ',', word.len);

    if (comma) /* the word is in a list in flow style: it ends before the comma */
        word.len = (size_t)(comma - word.s);
    if (!quotes(f->fault.text, word))
        return;
    og_lint_add_edit(l, f, from, from + word.len, og_lint_format(l, "%s", f->fault.meant),
                     og_lint_format(l, "'%.*s' becomes '%s'", (int)word.len, word.s, f->fault.meant));
}

static bool all_of(struct og_str word, const char *set)
{
    for (size_t i = 0; i < word.len; i++)
        if (!strchr(set, word.s[i]))
            return false;
    return word.len > 0;
}

static size_t digits_at(struct og_str word, size_t at)
{
    size_t n = 0;

    while (at + n < word.len && word.s[at + n] >= '0' && word.s[at + n] <= '9')
        n++;
    return n;
}

/* Returns true for numbers such as "50,000", "50_000" and "$50000.5": the same digits without separators are meant. */
static bool is_grouped(struct og_str word)
{
    size_t at = word.len && word.s[0] == '$', first = digits_at(word, at), groups = 0;

    for (at += first; at < word.len && (word.s[at] == ',' || word.s[at] == '_') && digits_at(word, at + 1) == 3;
         at += 4)
        groups++;
    if (at < word.len && word.s[at] == '.' && digits_at(word, at + 1) > 0)
        at += 1 + digits_at(word, at + 1);
    return at == word.len && first > 0 && (groups == 0 ? word.s[0] == '$' : first <= 3);
}

/* Replace the bytes from `from` to before `to`, a number with or without quotes, by its digits. */
static void plain_digits(struct og_lint_run *l, struct og_lint_finding *f, struct og_str word, size_t from, size_t to)
{
    size_t kept = 0;
    char digits[64];

    for (size_t i = 0; i < word.len; i++)
        if (!strchr("$,_", word.s[i]))
            digits[kept++] = word.s[i];
    digits[kept] = '\0';
    og_lint_add_edit(l, f, from, to, og_lint_format(l, "%s", digits),
                     og_lint_format(l, "'%.*s' becomes %s", (int)word.len, word.s, digits));
}

/* Replace a quoted number by its digits, where a number without quotes is expected. */
static void unquote(struct og_lint_run *l, struct og_lint_finding *f, struct og_str word)
{
    size_t from = (size_t)(word.s - l->sources->bytes.s) - 1;

    if (all_of(word, "0123456789.") || is_grouped(word))
        plain_digits(l, f, word, from, from + word.len + 2);
}

static void ungroup(struct og_lint_run *l, struct og_lint_finding *f, struct og_str word)
{
    size_t from = (size_t)(word.s - l->sources->bytes.s);

    if (quotes(f->fault.text, word) && is_grouped(word))
        plain_digits(l, f, word, from, from + word.len);
}

/* Put the rest of the line, up to a comment, in quotes: it is an expression that YAML reads as something else.  Not
 * done if the expression has open brackets, since it continues in the next line, or if it has single quotes. */
static void quote_rest(struct og_lint_run *l, struct og_lint_finding *f)
{
    struct og_str bytes = l->sources->bytes;
    size_t from = og_lint_offset(l->sources, f->fault.line, f->fault.col), end = from;
    int open = 0;

    while (end < bytes.len && bytes.s[end] != '\n' && !(bytes.s[end] == '#' && bytes.s[end - 1] == ' ')) {
        open += strchr("([", bytes.s[end]) ? 1 : strchr(")]", bytes.s[end]) ? -1 : 0;
        if (bytes.s[end++] == '\'')
            return;
    }
    while (end > from && strchr(" \t\r", bytes.s[end - 1]))
        end--;
    if (open == 0 && end > from)
        og_lint_add_edit(l, f, from, end, og_lint_format(l, "'%.*s'", (int)(end - from), bytes.s + from),
                         "the expression is quoted");
}

struct og_str og_lint_quoted_word(struct og_str bytes, size_t at, const char *text)
{
    const char *word = strchr(text, '\'');
    size_t len = 0;

    if (!word++)
        return (struct og_str){ 0 };
    if (at < bytes.len && (bytes.s[at] == '"' || bytes.s[at] == '\'') && *word != bytes.s[at])
        at++;
    while (at + len < bytes.len && word[len] && bytes.s[at + len] == word[len])
        len++;
    while (len && word[len] != '\'')
        len--;
    return (struct og_str){ bytes.s + at, len };
}

static void replace_symbol(struct og_lint_run *l, struct og_lint_finding *f)
{
    const size_t at = og_lint_offset(l->sources, f->fault.line, f->fault.col);
    const struct og_str bytes = l->sources->bytes, word = og_lint_quoted_word(bytes, at, f->fault.text);
    const size_t from = (size_t)(word.s - bytes.s);

    if (word.len && f->fault.meant)
        og_lint_add_edit(l, f, from, from + word.len, og_lint_format(l, "%s", f->fault.meant),
                         og_lint_format(l, "'%.*s' becomes '%s'", (int)word.len, word.s, f->fault.meant));
}

void og_lint_fix_fault(struct og_lint_run *l, struct og_lint_finding *f)
{
    struct og_str bytes = l->sources->bytes, word;
    const char *code = f->fault.code;
    bool quoted;

    if (f->fault.line < 1)
        return;
    if (strcmp(code, "yaml-tag") == 0 && strstr(f->fault.text, "in quotes"))
        quote_rest(l, f);
    if (strcmp(code, "symbol-never") == 0) {
        replace_symbol(l, f);
        return;
    }
    word = word_at(bytes, og_lint_offset(l->sources, f->fault.line, f->fault.col), &quoted);
    if (word.len == 0 || word.len > 60)
        return;
    if (f->fault.meant)
        replace_word(l, f, word);
    else if (quoted && (strcmp(code, "wrong-type") == 0 || strcmp(code, "format-unknown") == 0) &&
             strstr(f->fault.text, " a text"))
        unquote(l, f, word);
    else if (!quoted && strcmp(code, "value-invalid") == 0 &&
             (strstr(f->fault.text, "takes money") || strstr(f->fault.text, "takes a whole number")))
        ungroup(l, f, word);
}

void og_lint_fix_drop_item(struct og_lint_run *l, struct og_lint_finding *f, const struct og_yaml *item)
{
    struct og_str bytes = l->sources->bytes;
    size_t from = item->at, to = item->end;
    const char *says =
        og_lint_format(l, "the second '%.*s' is removed", item->text.len < 60 ? (int)item->text.len : 60, item->text.s);

    while (from > 0 && strchr(" \t\r\n", bytes.s[from - 1]))
        from--;
    if (from > 0 && bytes.s[from - 1] == ',') {
        og_lint_add_edit(l, f, from - 1, to, "", says);
        return;
    }
    if (from == 0 || bytes.s[from - 1] != '-')
        return;
    for (from--; from > 0 && (bytes.s[from - 1] == ' ' || bytes.s[from - 1] == '\t'); from--)
        ;
    while (to < bytes.len && bytes.s[to] != '\n')
        to++;
    if (from > 0 && bytes.s[from - 1] == '\n' && to < bytes.len) /* the item is alone on its line: remove the whole
                                                                  * line */
        og_lint_add_edit(l, f, from, to + 1, "", says);
}

/* --- keys --------------------------------------------------------------------------------------------------------- */

/* Returns the map in which a key is at this place; NULL if no key is. at: the offset of the place. */
static const struct og_yaml *map_of_key(const struct og_yaml *n, const struct og_diagnostic *f, size_t at)
{
    const struct og_yaml *found = NULL;

    for (const struct og_yaml *c = n ? n->first : NULL; c && !found; c = c->next)
        found = n->kind == OG_YAML_MAP && c->key_line == f->line && c->key_col == f->col ? n
                : c->at <= at && at < c->end                                             ? map_of_key(c, f, at)
                                                                                         : NULL;
    return found;
}

/* Returns the map whose key a finding's edit replaces by the word that was meant; NULL if the edit does something
 * else. */
static const struct og_yaml *renamed_in(const struct og_lint_run *l, const struct og_yaml *root,
                                        const struct og_lint_finding *f)
{
    if (!f->edit || f->ignored || !f->fault.meant || strcmp(f->edit->text, f->fault.meant) != 0)
        return NULL;
    return map_of_key(root, &f->fault, og_lint_offset(l->sources, f->fault.line, f->fault.col));
}

static void ignore_fault(void *with, int line, int col, const char *code, const char *text)
{
    (void)with, (void)line, (void)col, (void)code, (void)text; /* it is reported already */
}

/* Drop the edits that would give a map a key that it has already, or that an edit before gives it: which of the two is
 * meant is not certain, and a file with both does not load. */
static void drop_second_keys(struct og_lint_run *l)
{
    struct og_lint_report *r = l->report;
    struct og_yaml *root = NULL;

    if (og_yaml_read(l->sources->bytes.s, l->sources->bytes.len, l->arena, ignore_fault, NULL, &root) == OG_ENOMEM)
        l->oom = true;
    for (size_t i = 0; i < r->count; i++) {
        const struct og_yaml *map = renamed_in(l, root, &r->finding[i]);
        bool second = map && og_yaml_get(map, r->finding[i].fault.meant);

        for (size_t k = 0; k < i && map && !second; k++)
            second = renamed_in(l, root, &r->finding[k]) == map &&
                     strcmp(r->finding[k].fault.meant, r->finding[i].fault.meant) == 0;
        if (second)
            r->finding[i].edit = NULL;
    }
}

void og_lint_apply_fixes(struct og_lint_run *l)
{
    struct og_lint_report *r = l->report;
    struct og_str bytes = l->sources->bytes;
    struct og_buf b;
    size_t done = 0;

    drop_second_keys(l);
    r->text = r->fixed = bytes;
    og_buf_init(&b, 0);
    for (size_t i = 0; i < r->count; i++) {
        const struct og_lint_edit *e = r->finding[i].edit;

        if (!e || r->finding[i].ignored)
            continue;
        if (e->from < done) { /* the edit overlaps an earlier one: it is left for the next run */
            r->finding[i].edit = NULL;
            continue;
        }
        og_buf_bytes(&b, bytes.s + done, e->from - done);
        og_buf_text(&b, e->text);
        done = e->to;
    }
    og_buf_bytes(&b, bytes.s + done, bytes.len - done);
    if (done > 0)
        r->fixed = og_arena_copy(l->arena, (struct og_str){ b.s, b.len });
    l->oom = l->oom || b.bad || !r->fixed.s;
    og_buf_clear(&b);
}
