/*
 * Reads a demand for signatures, as a floor and a broker file write it:
 *
 *   require_signatures: {need: 2, keys: [ann.pub, ben.pub, eve.pub]}
 */
#pragma once

#include "text/yaml.h"

#define OG_SIGNERS_MOST 16

struct og_signers {
    size_t need;                /* number of the keys that must have signed: 1 to the number of keys */
    const struct og_yaml *keys; /* paths of public keys: a list of 1 to OG_SIGNERS_MOST different texts */
};

/* Returns NULL if the demand is valid; otherwise what is wrong, as the end of a sentence "'require_signatures' ...",
 * and sets *at to the node that is wrong. */
const char *og_signers_read(const struct og_yaml *node, struct og_signers *to, const struct og_yaml **at);
