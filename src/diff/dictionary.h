/*
 * Values found in the text of policies, sorted by what they look like; probes are made of them.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/str.h"
#include "ordergate/money.h"

#define OG_DICTIONARY_MOST 48 /* values of one kind */

struct og_dictionary {
    struct og_money number[OG_DICTIONARY_MOST];
    int32_t share[OG_DICTIONARY_MOST];   /* basis points */
    int64_t time[OG_DICTIONARY_MOST];    /* durations, ns */
    int64_t instant[OG_DICTIONARY_MOST]; /* ns */
    int64_t clock[OG_DICTIONARY_MOST];   /* ns of the day in New York */
    int date[OG_DICTIONARY_MOST];        /* yyyymmdd */
    struct og_str word[OG_DICTIONARY_MOST];
    size_t numbers, shares, times, instants, clocks, dates, words;
    size_t first_numbers, first_shares, first_times, first_words; /* this many come from settings that differ */
};

/* Add the values that text has and other does not (other NULL: all of them).  The texts must outlive the dictionary. */
void og_dictionary_add(struct og_dictionary *dictionary, struct og_str text, struct og_str other);
/* Record that everything added so far comes from settings that differ. */
void og_dictionary_mark(struct og_dictionary *dictionary);
/* Add values that lie between the two values of one setting. */
void og_dictionary_between(struct og_dictionary *dictionary, struct og_str a, struct og_str b);
