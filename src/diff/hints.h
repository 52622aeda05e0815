/*
 * Values that policies name: those that conditions compare names with, with the slots of a probe that influence those
 * names, and those of settings.  Hints are only proposals: whether an override or a custom rule applies to a probe is
 * asked of the policy.
 */
#pragma once

#include "diff/probe.h"
#include "policy/policy.h"

#define OG_HINTS_MOST 512 /* hints for one rule */

enum og_hint_kind {
    OG_HINT_ANY = 1, /* the slot influences a condition, but no value is named */
    OG_HINT_NUMBER,
    OG_HINT_LENGTH, /* length of a word: .number */
    OG_HINT_WORD,
    OG_HINT_SPAN,    /* .ns */
    OG_HINT_INSTANT, /* .ns */
    OG_HINT_CLOCK,   /* .ns of the day in New York */
    OG_HINT_SHARE,   /* .ns: basis points */
    OG_HINT_LIKE     /* the value of another slot, times .number, plus .more */
};

struct og_hint {
    uint64_t slots; /* bit set of enum og_slot */
    enum og_hint_kind kind;
    struct og_money number, more;
    int64_t ns;
    enum og_slot like;
    bool setting; /* the value of a setting, for whatever slot it fits: no condition names it */
    bool rest;    /* the value is of a setting that is the same in both policies */
    char word[OG_SLOT_WORD_MOST];
};

struct og_hints {
    struct og_hint item[OG_HINTS_MOST];
    size_t count;
    uint64_t slots; /* slots that conditions mention */
    uint64_t named; /* slots for which a condition has a value */
};

void og_hints_add(struct og_hints *h, struct og_hint hint);
/* Add hints from an expression (NULL: none).  Words of lists that differ are added by og_hints_word(). */
void og_hints_expr(struct og_hints *h, const struct og_expr *e);
void og_hints_override(struct og_hints *h, const struct og_override *o);
void og_hints_term(struct og_hints *h, const struct og_term *term);
/* Add a word that only one of the two policies has in a list. */
void og_hints_word(struct og_hints *h, uint64_t slots, struct og_str word);

/* --- setting_values.c --------------------------------------------------------------------------------------------- */
/* Add the values that the text of a setting has and other has not (other.s NULL: all of them). */
void og_hints_setting(struct og_hints *h, struct og_str text, struct og_str other, bool rest);
/* Add a value that lies between the two values of one setting. */
void og_hints_between(struct og_hints *h, struct og_str a, struct og_str b);
