/*
 * Finds words that no symbol can be, and the places where they are written.
 */
#include "policy/symbol_words.h"

#include <stdio.h>

#include "expr/symbol_words.h"
#include "order/symbol_word.h"

#define JOINED_MOST 20 /* most words of joined lists that are reported for one comparison: each is searched for */

void og_symbol_word_report(struct og_diagnostics *f, struct og_srcloc at, struct og_str word, const char *used)
{
    char meant[OG_SYMBOL_MEANT];
    const char *why = og_symbol_word_why(word, meant);

    f->meant = meant[0] ? og_arena_copy(f->arena, og_str_of(meant)).s : NULL;
    f->oom = f->oom || (meant[0] && !f->meant);
    og_error_add(f, at, "symbol-never", "no symbol is '%s', %s: %s%s", og_see(word).s, used, why ? why : "",
                 meant[0]                        ? og_meant(meant).s
                 : memchr(word.s, ',', word.len) ? "; write one word for each symbol"
                                                 : "");
    f->meant = NULL; /* not used if there are too many errors */
}

static bool is_none(struct og_str word)
{
    char meant[OG_SYMBOL_MEANT];

    return og_symbol_word_why(word, meant) != NULL;
}

/* --- places ------------------------------------------------------------------------------------------------------- */

static struct og_srcloc line_place(const struct og_list_entry *list, const struct og_list_line *line)
{
    return (struct og_srcloc){ .source = list->file, .line = line->line, .col = line->col };
}

/* Returns where a word of the list is written; the list's own place if that cannot be told. */
static struct og_srcloc place_in(const struct og_list_entry *list, struct og_str word)
{
    struct og_list_line line = { 0 };

    for (const struct og_yaml *n = list->items; n; n = n->next)
        if (n->kind == OG_YAML_SCALAR && og_str_eq(n->text, word))
            return og_srcloc_of(list->at.source, n);
    while (list->file && og_list_line_next(list->file->bytes, &line))
        if (line.word.s == word.s)
            return line_place(list, &line);
    return list->at;
}

/* Returns where a word of a literal is: behind a quote, from an offset of the expression on; the offset itself if the
 * word is written with escapes. */
static struct og_srcloc place_of_literal(struct og_str text, struct og_srcloc at, size_t from, struct og_str word)
{
    for (size_t i = from; i + word.len + 1 < text.len; i++)
        if ((text.s[i] == '"' || text.s[i] == '\'') && memcmp(text.s + i + 1, word.s, word.len) == 0 &&
            text.s[i + 1 + word.len] == text.s[i])
            return og_srcloc_inside(at, i + 1);
    return og_srcloc_inside(at, from);
}

/* --- lists and expressions ---------------------------------------------------------------------------------------- */

void og_symbol_word_report_in(struct og_diagnostics *f, const struct og_list_entry *list, struct og_str word,
                              struct og_str symbol, const char *used)
{
    og_symbol_word_report(f, place_in(list, word), symbol, used);
}

struct checked {
    struct og_layers *l;
    const struct og_expr *e;
    struct og_srcloc at;
    const struct og_expr_names *names;
    struct og_lists *lists;
};

/* Report the words of a list that no symbol can be, with all places in one pass, since a list may have a million words.
 * What is written and is not among the words is reported already. */
static void check_list(struct og_layers *l, struct og_list_entry *list, const char *used)
{
    const struct og_str *word = list->words.word, *end = word + list->words.count;
    struct og_list_line line = { 0 };

    if (list->symbols_checked)
        return;
    list->symbols_checked = true;
    for (const struct og_yaml *n = list->items; n && word < end; n = n->next)
        if (n->kind == OG_YAML_SCALAR && og_str_eq(n->text, *word) && is_none(*word++))
            og_symbol_word_report(&l->faults, og_srcloc_of(list->at.source, n), n->text, used);
    while (list->file && word < end && og_list_line_next(list->file->bytes, &line))
        if (line.word.s == word->s && is_none(*word++))
            og_symbol_word_report(&l->faults, line_place(list, &line), line.word, used);
}

/* Returns the list that has this very word, not a copy; NULL if it is a literal. */
static const struct og_list_entry *owner_of(const struct og_lists *lists, struct og_str word)
{
    for (size_t i = 0; i < lists->count; i++)
        for (size_t k = 0; k < lists->item[i].words.count; k++)
            if (lists->item[i].words.word[k].s == word.s)
                return &lists->item[i];
    return NULL;
}

/* Check literals, and words of several lists that are joined. */
static void check_items(const struct checked *c, const struct og_expr_compared *words, const char *used)
{
    int found = 0;

    for (size_t i = 0; i < words->count && found < JOINED_MOST; i++) {
        const struct og_str word = words->items[i].as.text;
        const struct og_list_entry *list;

        if (!is_none(word))
            continue;
        list = owner_of(c->lists, word);
        if (list && list->symbols_checked) /* reported with the others of its list */
            continue;
        found++;
        if (list)
            og_symbol_word_report_in(&c->l->faults, list, word, word, used);
        else
            og_symbol_word_report(&c->l->faults, place_of_literal(og_expr_text(c->e), c->at, words->at, word), word,
                                  used);
    }
}

static void check_words(void *with, const struct og_expr_compared *words)
{
    const struct checked *c = with;
    char used[80];

    snprintf(used, sizeof used, "with which %s is compared", words->name);
    for (size_t i = 0; i < c->names->count && words->count; i++)
        if (c->names->lists[i].values == words->items) {
            check_list(c->l, &c->lists->item[i], used);
            return;
        }
    check_items(c, words, used);
}

void og_symbol_words_check(struct og_layers *l, const struct og_expr *e, struct og_srcloc at,
                           const struct og_expr_names *names, struct og_lists *lists)
{
    og_expr_symbol_words(e, check_words, &(struct checked){ l, e, at, names, lists });
}

/* --- patterns ----------------------------------------------------------------------------------------------------- */

void og_symbol_words_check_pattern(struct og_diagnostics *f, struct og_str pattern, struct og_srcloc at)
{
    /* what a pattern of plain words has besides the words, in which '.' may stand for itself */
    static const char marks[] = "^$|()";

    for (size_t i = 0; i < pattern.len; i++)
        if (memchr("\\[]{}*+?", pattern.s[i], 8))
            return;
    for (size_t i = 0, end; i < pattern.len; i = end + 1) {
        for (end = i; end < pattern.len && !memchr(marks, pattern.s[end], sizeof marks - 1);)
            end++;
        if (is_none((struct og_str){ pattern.s + i, end - i })) {
            og_symbol_word_report(f, og_srcloc_inside(at, i), (struct og_str){ pattern.s + i, end - i },
                                  "which the pattern asks for");
            return;
        }
    }
}
