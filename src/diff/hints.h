/*
 * What the conditions of policies name: values, and the slots of a world in which they may make a condition come out
 * otherwise.  They are proposals: whether an order is of an override is asked of the policy itself.
 */
#ifndef OG_DIFF_HINTS_H
#define OG_DIFF_HINTS_H

#include "diff/probe.h"
#include "policy/policy.h"

#define OG_HINTS_MOST 256 /* of one rule */

enum og_hint_kind {
    OG_HINT_ANY = 1, /* the slot matters; no value is named */
    OG_HINT_NUMBER,
    OG_HINT_LENGTH, /* of a word: .number */
    OG_HINT_WORD,
    OG_HINT_SPAN,    /* .ns */
    OG_HINT_INSTANT, /* .ns */
    OG_HINT_LIKE     /* what another slot has, times .number, and .more */
};

struct og_hint {
    uint64_t slots; /* bits by enum og_slot */
    enum og_hint_kind kind;
    struct og_money number, more;
    int64_t ns;
    enum og_slot like;
    char word[OG_SLOT_WORD_MOST];
};

struct og_hints {
    struct og_hint item[OG_HINTS_MOST];
    size_t count;
    uint64_t slots; /* of all */
    uint64_t named; /* of those with a value */
};

/* Of an expression; NULL: there is none.  What of its lists differs is given by og_hints_word(). */
void og_hints_expr(struct og_hints *h, const struct og_expr *e);
void og_hints_override(struct og_hints *h, const struct og_override *o);
void og_hints_term(struct og_hints *h, const struct og_term *term);
/* A word of a list that the two policies have differently. */
void og_hints_word(struct og_hints *h, uint64_t slots, struct og_str word);

#endif
