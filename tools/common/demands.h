/*
 * The public keys of a command line; policies must be signed for all of them.
 */
#ifndef OG_TOOLS_DEMANDS_H
#define OG_TOOLS_DEMANDS_H

#include "ordergate/source.h"

#define SIGNATURE_KEYS_MOST 8

struct demands {
    const char *key[SIGNATURE_KEYS_MOST];
    size_t count;
};

/* Returns false if there are SIGNATURE_KEYS_MOST already. */
static inline bool demand(struct demands *d, const char *key)
{
    if (d->count == SIGNATURE_KEYS_MOST)
        return false;
    d->key[d->count++] = key;
    return true;
}

/* og_policy_source_new() with all of the keys.  Returns NULL if out of memory. */
static inline struct og_policy_source *demanded_source(const char *const *names, size_t count, const char *floor,
                                                       const struct demands *d)
{
    struct og_policy_source *source = og_policy_source_new(names, count, floor, NULL);

    for (size_t i = 0; source && i < d->count; i++)
        if (og_policy_source_require(source, d->key[i])) {
            og_policy_source_free(source);
            source = NULL;
        }
    return source;
}

#endif
