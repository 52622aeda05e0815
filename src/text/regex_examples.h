/*
 * Example texts that a regular expression matches: some, or all of them.
 */
#pragma once

#include "base/str.h"

#define OG_REGEX_EXAMPLES_MOST 64
#define OG_REGEX_EXAMPLE_BYTES 40 /* bytes of one text, including its NUL */

struct og_regex_examples {
    char text[OG_REGEX_EXAMPLES_MOST][OG_REGEX_EXAMPLE_BYTES];
    int count;
    bool exact; /* these are all texts the pattern matches */
};

/* Returns false if the pattern has parts that this does not support. */
bool og_regex_examples_of(struct og_str pattern, struct og_regex_examples *out);
