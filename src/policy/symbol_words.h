/*
 * Errors for words that are compared with symbols, or counted as symbols, and that cannot be symbols: a list with such
 * a word would bar, allow or count less than its author expects.
 */
#pragma once

#include "policy/layers.h"

/* Report the words with which the expression at a place compares symbols, and which cannot be symbols. A word of a
 * named list is reported where it is written, once for each list.  names, lists: those that the expression was compiled
 * with. of_options: the expression is evaluated only for options, whose symbols are contracts. */
void og_symbol_words_check(struct og_layers *l, const struct og_expr *e, struct og_srcloc at,
                           const struct og_expr_names *names, struct og_lists *lists, bool of_options);
/* Report the contracts of lists that are compared only with underlyings, once all expressions have been checked. */
void og_symbol_words_finish(struct og_layers *l, struct og_lists *lists);
/* In settings that take symbols, report the words that name a list instead. */
void og_symbol_words_check_settings(struct og_layers *l);
/* Report a word with small letters that is the name of a list and was written as a symbol, at its place. Returns false
 * if it is no such word.  used: as below. */
bool og_symbol_word_report_list(struct og_layers *l, const struct og_lists *lists, struct og_srcloc at,
                                struct og_str word, const char *used);
/* Report a word that cannot be a symbol, at its place.  used: what the symbol is for, as the rest of "no symbol is 'x',
 * ..." */
void og_symbol_word_report(struct og_diagnostics *f, struct og_srcloc at, struct og_str word, const char *used);
/* Returns where a word of the list (the item of list->words itself) is written; the list's own place if that cannot be
 * told. */
struct og_srcloc og_symbol_word_place(const struct og_list_entry *list, struct og_str word);
/* Report a word of a list where it is written.  word: the item of list->words itself; symbol: the part of it that
 * should be a symbol. */
void og_symbol_word_report_in(struct og_diagnostics *f, const struct og_list_entry *list, struct og_str word,
                              struct og_str symbol, const char *used);
/* Report a pattern for symbols that consists of plain words, one of which cannot be a symbol. */
void og_symbol_words_check_pattern(struct og_diagnostics *f, struct og_str pattern, struct og_srcloc at);
