/*
 * Named lists of words for expressions, written in the policy or read from a file.
 */
#pragma once

#include "base/map.h"
#include "expr/expr.h"
#include "policy/rule_entry.h"

#define OG_LISTS_MOST      1000
#define OG_LIST_WORDS_MOST 1000000 /* maximum number of words of all lists together */

struct og_list_entry {
    struct og_str name;
    struct og_string_set words;
    struct og_list_age age;
    /* for a list with its own key: the text that replaces the list's words in what signatures of the policy cover; NULL
     * if signatures cover the words */
    const char *signed_as;
    /* where the words are written: the first item, in the file of `at`, or a file of their own; the other is NULL */
    const struct og_yaml *items;
    const struct og_policy_file *file;
    /* results of the check of its words as symbols (symbol_words.h) */
    struct {
        bool checked;        /* the characters and lengths of its words were checked */
        bool foreign, told;  /* foreign: it has a spelling that no exchange uses, and lacks the symbol meant; told: that
                              * was reported */
        bool indexed;        /* `words` has an index, in which listed symbols are searched */
        bool of_symbols;     /* an expression compares it with the whole symbol of an order or a leg */
        const char *of_root; /* the name, never a contract, with which an expression compares it; NULL if none does */
    } symbols;
    struct og_srcloc at;
    struct og_srcloc locked; /* the lock of a rule that names the list; .source is NULL if no locked rule names it */
};

struct og_lists {
    struct og_list_entry *item;
    size_t count, words;
    bool partial;        /* lists are missing, or lack words, because of errors that were reported */
    struct og_map index; /* by name: items */
};

struct og_layers;

/* A word in a list's file, and where the next one is searched; begins as zeros. */
struct og_list_line {
    size_t next;   /* offset of the line after the word's line */
    int line, col; /* where the word is in the file */
    struct og_str word;
};
/* Get the next word of a list's file: '#' begins a comment, at the start of a line or after a space; a byte order mark
 * and carriage returns are ignored.  Returns false at the end. */
bool og_list_line_next(struct og_str bytes, struct og_list_line *at);

/* Returns true if a line, or its first field, is what the first column of a table is called: symbol, "Ticker",
 * SYMBOL=WEIGHT.  Such a line is a header, and no word of the list. */
bool og_list_is_header(struct og_str line);

/* Lay the lists of a document over those of the layers below; a list replaces an earlier one of the same name. */
void og_lists_lay(struct og_layers *l, const struct og_policy_file *source, const struct og_yaml *node,
                  struct og_lists *to);
/* Make *names from the lists, for the compiler of expressions; *names lives as long as the policy. */
bool og_lists_names(struct og_layers *l, const struct og_lists *lists, struct og_expr_names *names);
/* Add the floor's lists to the policy's; two lists of the same name must be equal. */
void og_lists_join(struct og_layers *l);
/* Returns true if both have the same words in the same order, the same date, and the same required age. */
bool og_lists_same(const struct og_list_entry *a, const struct og_list_entry *b);
/* Make policy->lists, and the arrays with the same indices. */
void og_lists_finalize(struct og_layers *l);
