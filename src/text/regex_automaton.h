/*
 * Sets of symbols as automata, made from patterns and words; finds whether the intersection of such sets is empty.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

#define OG_AUTOMATON_POSITIONS 192
#define OG_AUTOMATON_WORDS     (OG_AUTOMATON_POSITIONS / 64)

/* A set of positions in a pattern; a position is one character class (Glushkov's construction). */
struct og_position_set {
    uint64_t bit[OG_AUTOMATON_WORDS];
};
struct og_automaton {
    int count;
    bool nullable;                               /* the empty text "" is in the set */
    bool complement;                             /* the set holds the texts that the automaton's positions do not
                                                  * match */
    uint64_t letters[OG_AUTOMATON_POSITIONS][2]; /* by position: the bytes below 128 that the position matches */
    struct og_position_set first, last, follow[OG_AUTOMATON_POSITIONS];
};

/* Make the set of texts that a pattern matches. part false: the pattern must match the whole text; part true: it must
 * match some part of the text. Returns false if the pattern has a construct that is not supported, or is too large. */
bool og_automaton_of_pattern(struct og_str pattern, bool part, struct og_automaton *out);
/* Make the set of texts that contain a word. before, after: whether other text may stand before or after the word.
 * Returns false if the word is too long. */
bool og_automaton_of_word(struct og_str word, bool before, bool after, struct og_automaton *out);
/* Add a word to the set. */
bool og_automaton_add_word(struct og_automaton *to, struct og_str word);
/* Append to every text of the set each text that the pattern matches. */
bool og_automaton_append_pattern(struct og_automaton *to, struct og_str pattern);

/* Returns true if all sets have a text in common that consists of letters, digits, '.', '_' and '-' and is not empty,
 * or if the fuel does not suffice to find out.  The steps used are subtracted from *fuel. */
bool og_automata_intersect(const struct og_automaton *const *automaton, int count, long *fuel);
