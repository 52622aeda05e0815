/*
 * Sets of symbols, as patterns and words describe them: whether something is in some and not in others.
 */
#ifndef OG_SOLVER_REGEX_AUTOMATON_H
#define OG_SOLVER_REGEX_AUTOMATON_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

#define OG_AUTOMATON_POSITIONS 192
#define OG_AUTOMATON_WORDS     (OG_AUTOMATON_POSITIONS / 64)

/* Places in a pattern at which a letter stands, as an automaton: after which may follow which. */
struct og_position_set {
    uint64_t bit[OG_AUTOMATON_WORDS];
};
struct og_automaton {
    int count;
    bool nullable;                               /* "" is in it */
    bool complement;                             /* what is meant is all that is not in it */
    uint64_t letters[OG_AUTOMATON_POSITIONS][2]; /* that may stand there: bytes below 128 */
    struct og_position_set first, last, follow[OG_AUTOMATON_POSITIONS];
};

/* What a pattern matches as a whole; part: any text in which some part of it does.  false: it has parts that are not
 * understood, or is too large. */
bool og_automaton_of_pattern(struct og_str pattern, bool part, struct og_automaton *out);
/* Texts that have the word: before and after it may stand anything.  false: it is too long. */
bool og_automaton_of_word(struct og_str word, bool before, bool after, struct og_automaton *out);
/* Add a word to those that are in it. */
bool og_automaton_add_word(struct og_automaton *to, struct og_str word);
/* Put what a pattern matches behind all that is in it. */
bool og_automaton_append_pattern(struct og_automaton *to, struct og_str pattern);

/* Some text of letters, digits, '.', '_' and '-', not empty, is in all of them.  true also where that takes more than
 * the fuel, from which is taken. */
bool og_automata_intersect(const struct og_automaton *const *language, int count, long *fuel);

#endif
