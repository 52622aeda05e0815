/*
 * Example texts that a regular expression matches: some of them, or all.
 */
#pragma once

#include "base/str.h"

#define OG_REGEX_EXAMPLES_MOST 64
#define OG_REGEX_EXAMPLE_BYTES 40 /* maximum length of one text in bytes, with its NUL */

struct og_regex_examples {
    char text[OG_REGEX_EXAMPLES_MOST][OG_REGEX_EXAMPLE_BYTES];
    int count;
    bool exact; /* the examples are all the texts that the pattern matches */
};

/* Returns false if the pattern has a construct that is not supported. */
bool og_regex_examples_of(struct og_str pattern, struct og_regex_examples *out);
