/*
 * Reads a demand for signatures, as a floor and a broker file write it:
 *
 *   require_signatures: {need: 2, keys: [ann.pub, ben.pub, eve.pub]}
 */
#pragma once

#include "text/yaml.h"

#define OG_SIGNERS_MOST 16

struct og_signers {
    size_t need;                /* this many of the keys must have signed: 1 to the number of keys */
    const struct og_yaml *keys; /* paths of public keys: a list of 1 to OG_SIGNERS_MOST texts, none of them twice */
};

/* Returns NULL; or what is wrong, as the end of a sentence "'require_signatures' ...", with *at, the node to blame. */
const char *og_signers_read(const struct og_yaml *node, struct og_signers *to, const struct og_yaml **at);
