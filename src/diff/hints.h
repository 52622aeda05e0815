/*
 * Values that policies name: (a) values with which conditions compare names, with the slots (values of a probe) that
 * influence these names; (b) values of settings.  Hints are only proposals: whether an override or a custom rule
 * applies to a probe is decided by the policy.
 */
#pragma once

#include "diff/probe.h"
#include "policy/policy.h"

#define OG_HINTS_MOST 512 /* maximum number of hints for one rule */

enum og_hint_kind {
    OG_HINT_ANY = 1, /* conditions read the slot, but compare it with no constant */
    OG_HINT_NUMBER,
    OG_HINT_LENGTH, /* .number: the length of a word */
    OG_HINT_WORD,
    OG_HINT_SPAN,    /* .ns */
    OG_HINT_INSTANT, /* .ns */
    OG_HINT_CLOCK,   /* .ns: a time of day in New York */
    OG_HINT_SHARE,   /* .ns: basis points */
    OG_HINT_LIKE     /* the value of another slot, times .number, plus .more */
};

struct og_hint {
    uint64_t slots; /* bit set of enum og_slot */
    enum og_hint_kind kind;
    struct og_money number, more;
    int64_t ns;
    enum og_slot like;
    bool setting; /* the value is from a setting, not from a condition: it is tried in every slot that can hold a value
                   * of its kind */
    bool rest;    /* the value is from a setting that is the same in both policies */
    char word[OG_SLOT_WORD_MOST];
};

struct og_hints {
    struct og_hint item[OG_HINTS_MOST];
    size_t count;
    uint64_t slots; /* set of the slots that conditions read */
    uint64_t named; /* set of the slots that conditions compare with a constant */
};

void og_hints_add(struct og_hints *h, struct og_hint hint);
/* Add hints from an expression (NULL if there is none).  The words of lists that differ are added by og_hints_word()
 * instead. */
void og_hints_expr(struct og_hints *h, const struct og_expr *e);
void og_hints_override(struct og_hints *h, const struct og_override *o);
void og_hints_term(struct og_hints *h, const struct og_term *term);
/* Add a word that only one of the two policies has in a list, as a value to try in these slots (a bit each). */
void og_hints_word(struct og_hints *h, uint64_t slots, struct og_str word);

/* --- setting_values.c --------------------------------------------------------------------------------------------- */
/* Add the values in the text of a setting that are not in the text `other` (other.s NULL means all values). */
void og_hints_setting(struct og_hints *h, struct og_str text, struct og_str other, bool rest);
/* Add a value that lies between the values of a setting in the two policies. */
void og_hints_between(struct og_hints *h, struct og_str a, struct og_str b);
