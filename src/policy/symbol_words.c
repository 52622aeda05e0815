/*
 * Finds words that cannot be symbols, and the places where they are written.
 */
#include "policy/symbol_words.h"

#include <stdio.h>
#include <string.h>

#include "expr/symbol_words.h"
#include "order/occ.h"
#include "order/symbol_word.h"

/* maximum number of words of joined lists that are reported for one comparison: each is searched for */
#define JOINED_MOST   20
#define SEARCHED_MOST 500 /* maximum number of such words whose list is searched for, reported or not */
#define INDEXES_MOST  4   /* number of indexes of joined lists that are kept while an expression is checked */

void og_symbol_word_report(struct og_diagnostics *f, struct og_srcloc at, struct og_str word, const char *used)
{
    char meant[OG_SYMBOL_MEANT];
    const char *why = og_symbol_word_foreign(word, meant);

    if (!why)
        why = og_symbol_word_why(word, meant);
    f->meant = meant[0] ? og_arena_copy(f->arena, og_str_of(meant)).s : NULL;
    f->oom = f->oom || (meant[0] && !f->meant);
    if (og_list_is_header(word)) { /* the symbol would be SYMBOL or TICKER, which is not meant */
        f->meant = NULL;
        og_error_add(f, at, "symbol-never", "no symbol is '%s', %s: if it is the name of a column, leave it out",
                     og_see(word).s, used);
        return;
    }
    og_error_add(f, at, "symbol-never", "no symbol is '%s', %s: %s%s", og_see(word).s, used, why ? why : "",
                 meant[0]                        ? og_meant(meant).s
                 : memchr(word.s, ',', word.len) ? "; write one word for each symbol"
                                                 : "");
    f->meant = NULL; /* the hint is dropped if there are too many errors */
}

static bool is_none(struct og_str word)
{
    char meant[OG_SYMBOL_MEANT];

    return og_symbol_word_why(word, meant) != NULL;
}

/* --- names of lists ----------------------------------------------------------------------------------------------- */

static const char lists_prefix[] = "lists.";

/* Returns the name of the list that a word names, as `lists.name` or, in letters of any case, as `name`; empty if it
 * names none. */
static struct og_str list_named(const struct og_lists *lists, struct og_str word)
{
    const size_t prefix = sizeof lists_prefix - 1;

    if (word.len > prefix && memcmp(word.s, lists_prefix, prefix) == 0)
        return (struct og_str){ word.s + prefix, word.len - prefix };
    for (size_t i = 0; i < lists->count; i++)
        if (og_str_eq_folded(word, lists->item[i].name))
            return lists->item[i].name;
    return (struct og_str){ NULL, 0 };
}

bool og_symbol_word_report_list(struct og_layers *l, const struct og_lists *lists, struct og_srcloc at,
                                struct og_str word, const char *used)
{
    char capitals[OG_SYMBOL_FOLDED];
    const struct og_str name = og_symbol_capitals(word, capitals).s == word.s || l->faults.cut
                                   ? (struct og_str){ NULL, 0 }
                                   : list_named(lists, word);

    if (name.len) /* without a proposed word: no symbol was meant */
        og_error_add(&l->faults, at, "symbol-never",
                     "no symbol is '%s', %s: it is a list, and only an expression finds what is in a list: compare "
                     "with lists.%.*s",
                     og_see(word).s, used, (int)name.len, name.s);
    return name.len > 0;
}

/* Report the words of a setting that name lists: a setting's words are symbols, so a list of banned symbols would ban
 * none.  Inherited words (at.source is NULL) are reported where they are written. */
static void check_setting(struct og_layers *l, const struct og_param *p, const void *settings, struct og_srcloc at)
{
    const struct og_string_set *words = settings ? (const void *)((const char *)settings + p->at) : NULL;
    const char *no = p->listing == OG_LISTING_BARS ? "!(" : "", *end = *no ? ")" : "";

    for (size_t i = 0; words && at.source && i < words->count; i++) {
        const struct og_str word = words->word[i], name = list_named(&l->lists, word);

        if (!name.len)
            continue;
        if (p->listing)
            og_error_add(
                &l->faults, at, "symbol-never",
                "'%s' takes symbols, and '%s' is a list, in which it would not look: write a custom rule, when: "
                "order.opens, require: \"%sorder.underlying in lists.%.*s%s\"; if the symbol is meant, "
                "rename the list",
                p->key, og_see(word).s, no, (int)name.len, name.s, end);
        else
            og_error_add(&l->faults, at, "symbol-never",
                         "'%s' takes symbols, and '%s' is a list, in which it would not look: write the symbols "
                         "themselves; if the symbol is meant, rename the list",
                         p->key, og_see(word).s);
    }
}

void og_symbol_words_check_settings(struct og_layers *l)
{
    for (size_t i = 0; i < og_rules_size; i++)
        OG_EACH_PARAM (p, og_rules[i]) {
            const size_t part = OG_ENTRY_PARTS + (size_t)(p - og_rules[i]->params);

            if (p->words != OG_WORDS_SYMBOLS)
                continue;
            check_setting(l, p, l->drafts[i].settings, l->drafts[i].where[part]);
            for (size_t k = 0; k < l->overrides[i].count; k++)
                check_setting(l, p, l->overrides[i].item[k].said.settings, l->overrides[i].item[k].said.where[part]);
        }
}

/* --- places ------------------------------------------------------------------------------------------------------- */

static struct og_srcloc line_place(const struct og_list_entry *list, const struct og_list_line *line)
{
    return (struct og_srcloc){ .source = list->file, .line = line->line, .col = line->col };
}

struct og_srcloc og_symbol_word_place(const struct og_list_entry *list, struct og_str word)
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

/* Returns where a word of a literal is written: after a quote, at or after an offset of the expression; the offset
 * itself if the word is written with escapes. */
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
    og_symbol_word_report(f, og_symbol_word_place(list, word), symbol, used);
}

/* The words of the last comparisons with several lists, joined, with an index for each comparison. */
struct joined {
    const struct og_expr_value *items[INDEXES_MOST];
    struct og_string_set words[INDEXES_MOST];
    size_t made;
};

struct checked {
    struct og_layers *l;
    const struct og_expr *e;
    struct og_srcloc at;
    const struct og_expr_names *names;
    struct og_lists *lists;
    bool of_options;
    struct joined *joined;
};

/* Returns the list that has exactly the compared words; NULL if there is none. */
static struct og_list_entry *list_of(const struct checked *c, const struct og_expr_compared *words)
{
    for (size_t i = 0; i < c->names->count && words->count; i++)
        if (c->names->lists[i].values == words->items)
            return &c->lists->item[i];
    return NULL;
}

static bool is_root(const char *name)
{
    return strcmp(strchr(name, '.'), ".underlying") == 0;
}

/* --- other comparisons of the expression -------------------------------------------------------------------------- */

enum where { IN_BOTH, IN_SYMBOLS, IN_ROOTS };

/* A search for a word in the comparisons of an expression. */
struct sought {
    const struct checked *c;
    struct og_str word;
    const char *name; /* a name of the order or the leg: its symbol or its underlying */
    enum where where; /* search comparisons with the symbol, with the underlying, or with both `name` and the
                       * underlying */
    bool found;
};

static bool list_has(struct og_layers *l, struct og_list_entry *list, struct og_str word)
{
    if (!list->symbols.indexed) {
        list->symbols.indexed = true;
        l->faults.oom |= !og_string_set_index(&list->words, &l->policy->arena);
    }
    return og_string_set_contains(&list->words, word);
}

/* Returns the words of a comparison as a set with an index; the index is kept while the expression is checked. */
static const struct og_string_set *join(struct og_layers *l, struct joined *j, const struct og_expr_compared *words)
{
    struct og_string_set *set;
    struct og_str *word;

    for (size_t i = 0; i < INDEXES_MOST; i++)
        if (j->items[i] == words->items)
            return &j->words[i];
    j->items[j->made % INDEXES_MOST] = words->items;
    set = &j->words[j->made++ % INDEXES_MOST];
    word = og_arena_take(&l->room, (words->count + 1) * sizeof *word);
    *set = (struct og_string_set){ .word = word };
    for (size_t i = 0; word && i < words->count; i++)
        word[set->count++] = words->items[i].as.text;
    l->faults.oom |= !word || !og_string_set_index(set, &l->room);
    return set;
}

static bool has_word(struct sought *s, const struct og_expr_compared *words)
{
    struct og_list_entry *list = list_of(s->c, words);

    if (list)
        return list_has(s->c->l, list, s->word);
    if (words->count > JOINED_MOST)
        return og_string_set_contains(join(s->c->l, s->c->joined, words), s->word);
    for (size_t i = 0; i < words->count; i++)
        if (og_str_eq(words->items[i].as.text, s->word))
            return true;
    return false;
}

static void look_in(void *with, const struct og_expr_compared *words)
{
    struct sought *s = with;
    const bool root = is_root(words->name);

    if (!s->found && strncmp(s->name, words->name, strcspn(s->name, ".") + 1) == 0 &&
        (s->where == IN_BOTH ? root || !is_root(s->name) : root == (s->where == IN_ROOTS)))
        s->found = has_word(s, words);
}

static bool is_compared(const struct checked *c, const char *name, struct og_str word, enum where where)
{
    struct sought s = { .c = c, .word = word, .name = name, .where = where };

    og_expr_symbol_words(c->e, look_in, &s);
    return s.found;
}

/* Returns true for a spelling that no exchange uses, unless the expression also compares with the listed symbol: then
 * it lists several spellings on purpose. */
static bool is_foreign(const struct checked *c, const char *name, struct og_str word)
{
    char meant[OG_SYMBOL_MEANT];

    return og_symbol_word_foreign(word, meant) && !is_compared(c, name, og_str_of(meant), IN_BOTH);
}

/* --- lists -------------------------------------------------------------------------------------------------------- */

/* Call `each` for the words of a list, with their places, in one pass, since a list may have a million words.  A
 * written word that is not among list->words was rejected when it was read, and is skipped. */
static void visit_list(const struct og_list_entry *list, void (*each)(void *with, struct og_srcloc at, struct og_str),
                       void *with)
{
    const struct og_str *word = list->words.word, *end = word + list->words.count;
    struct og_list_line line = { 0 };

    for (const struct og_yaml *n = list->items; n && word < end; n = n->next)
        if (n->kind == OG_YAML_SCALAR && og_str_eq(n->text, *word))
            each(with, og_srcloc_of(list->at.source, n), *word++);
    while (list->file && word < end && og_list_line_next(list->file->bytes, &line))
        if (line.word.s == word->s)
            each(with, line_place(list, &line), *word++);
}

/* A pass over a list. */
struct pass {
    const struct checked *c;
    struct og_list_entry *list;
    const char *name, *used;
};

static void check_none(void *with, struct og_srcloc at, struct og_str word)
{
    struct pass *p = with;
    char meant[OG_SYMBOL_MEANT];

    if (is_none(word)) {
        if (!og_symbol_word_report_list(p->c->l, p->c->lists, at, word, p->used))
            og_symbol_word_report(&p->c->l->faults, at, word, p->used);
    } else if (!p->list->symbols.foreign && og_symbol_word_foreign(word, meant)) {
        p->list->symbols.foreign = !list_has(p->c->l, p->list, og_str_of(meant));
    }
}

static void check_foreign(void *with, struct og_srcloc at, struct og_str word)
{
    struct pass *p = with;
    char meant[OG_SYMBOL_MEANT];

    if (p->c->l->faults.cut || is_none(word) || !og_symbol_word_foreign(word, meant) ||
        list_has(p->c->l, p->list, og_str_of(meant)) || !is_foreign(p->c, p->name, word))
        return;
    p->list->symbols.told = true;
    og_symbol_word_report(&p->c->l->faults, at, word, p->used);
}

/* Report a list without any contract that is compared with the symbol of an option, unless the list is compared with
 * the option's underlying too. */
static void check_options(const struct checked *c, const struct og_list_entry *list,
                          const struct og_expr_compared *words)
{
    for (size_t i = 0; i < list->words.count; i++)
        if (og_symbol_word_is_contract(list->words.word[i]))
            return;
    if (list->words.count && !is_compared(c, words->name, list->words.word[0], IN_ROOTS))
        og_error_add(&c->l->faults, og_srcloc_inside(c->at, words->at), "symbol-never",
                     "no option has a symbol of list '%s', which has no contract (like AAPL260116C00190000): compare "
                     "the list with %.*s.underlying",
                     list->name.s, (int)strcspn(words->name, "."), words->name);
}

static void check_list(const struct checked *c, struct og_list_entry *list, const struct og_expr_compared *words,
                       const char *used)
{
    struct pass p = { c, list, words->name, used };

    if (!list->symbols.checked)
        visit_list(list, check_none, &p);
    list->symbols.checked = true;
    if (list->symbols.foreign && !list->symbols.told)
        visit_list(list, check_foreign, &p);
    if (is_root(words->name))
        list->symbols.of_root = words->name;
    else
        list->symbols.of_symbols = true;
    if (words->of_options && !is_root(words->name))
        check_options(c, list, words);
}

/* Returns the list that holds this very word, not an equal one; NULL if the word is a literal. */
static const struct og_list_entry *owner_of(const struct og_lists *lists, struct og_str word)
{
    for (size_t i = 0; i < lists->count; i++)
        for (size_t k = 0; k < lists->item[i].words.count; k++)
            if (lists->item[i].words.word[k].s == word.s)
                return &lists->item[i];
    return NULL;
}

static void report_contract(struct og_diagnostics *f, struct og_srcloc at, struct og_str word, const char *name)
{
    const int of = (int)strcspn(name, ".");
    struct og_occ occ;

    og_occ_read(word, &occ);
    og_error_add(f, at, "symbol-never",
                 "no underlying is '%s', with which %s is compared: it is a contract; compare it with %.*s.symbol, or "
                 "write '%.*s' for all contracts on that",
                 og_see(word).s, name, of, name, (int)occ.root.len, occ.root.s);
}

static void check_contract(void *with, struct og_srcloc at, struct og_str word)
{
    const struct pass *p = with;

    if (og_symbol_word_is_contract(word))
        report_contract(&p->c->l->faults, at, word, p->name);
}

void og_symbol_words_finish(struct og_layers *l, struct og_lists *lists)
{
    const struct checked c = { .l = l };

    for (size_t i = 0; i < lists->count; i++) {
        struct og_list_entry *list = &lists->item[i];
        struct pass p = { &c, list, list->symbols.of_root, NULL };

        if (list->symbols.of_root && !list->symbols.of_symbols)
            visit_list(list, check_contract, &p);
        list->symbols.of_root = NULL;
    }
}

/* --- literals ----------------------------------------------------------------------------------------------------- */

/* Report a word that is a symbol of another kind than the name has.  Returns false if the name may be this symbol. */
static bool check_kind(const struct checked *c, const struct og_expr_compared *words, struct og_str word,
                       struct og_srcloc at)
{
    const bool contract = og_symbol_word_is_contract(word);
    const int of = (int)strcspn(words->name, ".");

    if (contract && is_root(words->name) && !is_compared(c, words->name, word, IN_SYMBOLS))
        report_contract(&c->l->faults, at, word, words->name);
    else if (!contract && words->of_options && !is_root(words->name) && word.len &&
             !is_compared(c, words->name, word, IN_ROOTS))
        og_error_add(&c->l->faults, at, "symbol-never",
                     "no option has the symbol '%s', with which %s is compared: it is no contract (like "
                     "AAPL260116C00190000); compare it with %.*s.underlying",
                     og_see(word).s, words->name, of, words->name);
    else
        return false;
    return true;
}

/* Check literals, and words of several lists that are joined. */
static void check_items(const struct checked *c, const struct og_expr_compared *words, const char *used)
{
    int found = 0, searched = 0;

    for (size_t i = 0; i < words->count && found < JOINED_MOST && searched < SEARCHED_MOST; i++) {
        const struct og_str word = words->items[i].as.text;
        const bool none = is_none(word), never = none || is_foreign(c, words->name, word);
        const struct og_list_entry *list = never ? owner_of(c->lists, word) : NULL;
        struct og_srcloc at;

        searched += never;
        if (list && (none ? list->symbols.checked : list->symbols.told)) /* the word was reported with its list */
            continue;
        at = place_of_literal(og_expr_text(c->e), c->at, words->at, word);
        if (list)
            og_symbol_word_report_in(&c->l->faults, list, word, word, used);
        else if (never && !og_symbol_word_report_list(c->l, c->lists, at, word, used))
            og_symbol_word_report(&c->l->faults, at, word, used);
        found += never || check_kind(c, words, word, at);
    }
}

static void check_words(void *with, const struct og_expr_compared *words)
{
    const struct checked *c = with;
    struct og_expr_compared of = *words;
    struct og_list_entry *list = list_of(c, words);
    char used[80];

    of.of_options = words->of_options || (c->of_options && strncmp(words->name, "order.", 6) == 0);
    snprintf(used, sizeof used, "with which %s is compared", words->name);
    if (list)
        check_list(c, list, &of, used);
    else
        check_items(c, &of, used);
}

void og_symbol_words_check(struct og_layers *l, const struct og_expr *e, struct og_srcloc at,
                           const struct og_expr_names *names, struct og_lists *lists, bool of_options)
{
    struct joined joined = { .made = 0 };

    og_expr_symbol_words(e, check_words, &(struct checked){ l, e, at, names, lists, of_options, &joined });
}

/* --- patterns ----------------------------------------------------------------------------------------------------- */

/* Returns true for a word of a pattern that cannot be a symbol. A '.' may stand for any character: a word with a '.'
 * may have any length, and may begin or end with it. */
static bool is_never_in_pattern(struct og_str word)
{
    const bool point = word.len && memchr(word.s, '.', word.len);
    char meant[OG_SYMBOL_MEANT], capitals[OG_SYMBOL_FOLDED];

    if (!point)
        return is_none(word) || og_symbol_word_foreign(word, meant);
    if (!og_symbol_fits(word) || og_symbol_capitals(word, capitals).s == capitals)
        return true;
    return og_symbol_names_country(word) && og_symbol_word_foreign(word, meant) && word.len == strlen(meant) + 3;
}

/* Get the next word after `word` of a pattern of plain words.  Returns false at the end. */
static bool next_word(struct og_str pattern, struct og_str *word)
{
    /* the characters between the words of such a pattern; a '.' belongs to a word */
    static const char marks[] = "^$|()";
    size_t from = word->s ? (size_t)(word->s - pattern.s) + word->len + 1 : 0, end = from;

    while (end < pattern.len && !memchr(marks, pattern.s[end], sizeof marks - 1))
        end++;
    *word = (struct og_str){ pattern.s + from, end - from };
    return from < pattern.len;
}

static bool has_listed(struct og_str pattern, struct og_str foreign)
{
    struct og_str word = { NULL, 0 };
    char meant[OG_SYMBOL_MEANT];

    if (og_symbol_word_foreign(foreign, meant))
        while (next_word(pattern, &word))
            if (og_str_is(word, meant))
                return true;
    return false;
}

void og_symbol_words_check_pattern(struct og_diagnostics *f, struct og_str pattern, struct og_srcloc at)
{
    struct og_str word = { NULL, 0 };

    for (size_t i = 0; i < pattern.len; i++)
        if (memchr("\\[]{}*+?", pattern.s[i], 8))
            return;
    while (next_word(pattern, &word))
        if (is_never_in_pattern(word) && !has_listed(pattern, word)) {
            og_symbol_word_report(f, og_srcloc_inside(at, (size_t)(word.s - pattern.s)), word,
                                  "which the pattern asks for");
            return;
        }
}
