/*
 * Texts that a pattern matches: a few of them, or all there are.
 */
#ifndef OG_TEXT_SAMPLE_H
#define OG_TEXT_SAMPLE_H

#include "base/str.h"

#define OG_SAMPLES_MOST 64
#define OG_SAMPLE_MOST  40 /* bytes of one, with its NUL */

struct og_samples {
    char text[OG_SAMPLES_MOST][OG_SAMPLE_MOST];
    int count;
    bool exact; /* these are all that the pattern matches */
};

/* false: the pattern has parts that this does not understand; nothing is said then. */
bool og_samples_of(struct og_str pattern, struct og_samples *out);

#endif
