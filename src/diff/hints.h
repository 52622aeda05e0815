/*
 * Values that the conditions of policies compare names with, and the slots of a probe that influence those names.
 *  Hints are only proposals: whether an override or a custom rule applies to a probe is asked of the policy.
 */
#pragma once

#include "diff/probe.h"
#include "policy/policy.h"

#define OG_HINTS_MOST 256 /* hints for one rule */

enum og_hint_kind {
    OG_HINT_ANY = 1, /* the slot influences a condition, but no value is named */
    OG_HINT_NUMBER,
    OG_HINT_LENGTH, /* length of a word: .number */
    OG_HINT_WORD,
    OG_HINT_SPAN,    /* .ns */
    OG_HINT_INSTANT, /* .ns */
    OG_HINT_LIKE     /* the value of another slot, times .number, plus .more */
};

struct og_hint {
    uint64_t slots; /* bit set of enum og_slot */
    enum og_hint_kind kind;
    struct og_money number, more;
    int64_t ns;
    enum og_slot like;
    char word[OG_SLOT_WORD_MOST];
};

struct og_hints {
    struct og_hint item[OG_HINTS_MOST];
    size_t count;
    uint64_t slots; /* union over all hints */
    uint64_t named; /* slots for which a value is known */
};

/* Add hints from an expression (NULL: none).  Words of lists that differ are added by og_hints_word(). */
void og_hints_expr(struct og_hints *h, const struct og_expr *e);
void og_hints_override(struct og_hints *h, const struct og_override *o);
void og_hints_term(struct og_hints *h, const struct og_term *term);
/* Add a word that only one of the two policies has in a list. */
void og_hints_word(struct og_hints *h, uint64_t slots, struct og_str word);
