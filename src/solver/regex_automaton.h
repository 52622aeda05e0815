/*
 * Sets of symbols, as patterns and words describe them: whether something is in some and not in others.
 */
#ifndef OG_SOLVER_REGEX_AUTOMATON_H
#define OG_SOLVER_REGEX_AUTOMATON_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

#define OG_LANGUAGE_POSITIONS 192
#define OG_LANGUAGE_WORDS     (OG_LANGUAGE_POSITIONS / 64)

/* Places in a pattern at which a letter stands, as an automaton: after which may follow which. */
struct og_places {
    uint64_t bit[OG_LANGUAGE_WORDS];
};
struct og_language {
    int count;
    bool nullable;                              /* "" is in it */
    bool without;                               /* what is meant is all that is not in it */
    uint64_t letters[OG_LANGUAGE_POSITIONS][2]; /* that may stand there: bytes below 128 */
    struct og_places first, last, follow[OG_LANGUAGE_POSITIONS];
};

/* What a pattern matches as a whole; part: any text in which some part of it does.  false: it has parts that are not
 * understood, or is too large. */
bool og_language_of_pattern(struct og_str pattern, bool part, struct og_language *out);
/* Texts that have the word: before and after it may stand anything.  false: it is too long. */
bool og_language_of_word(struct og_str word, bool before, bool after, struct og_language *out);
/* Add a word to those that are in it. */
bool og_language_add(struct og_language *to, struct og_str word);
/* Put what a pattern matches behind all that is in it. */
bool og_language_append(struct og_language *to, struct og_str pattern);

/* Some text of letters, digits, '.', '_' and '-', not empty, is in all of them.  true also where that takes more than
 * the fuel, from which is taken. */
bool og_languages_meet(const struct og_language *const *language, int count, long *fuel);

#endif
