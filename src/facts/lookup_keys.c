/*
 * Computes the hashes of an order's keys; see facts/lookup_keys.h.
 */
#include "facts/lookup_keys.h"

#include "base/attributes.h"
#include "facts/data.h"

OG_HOT void og_lookup_keys_compute(struct og_lookup_keys *k, const struct og_order *o, enum og_hash_of which)
{
    k->have |= which;
    switch (which) {
    case OG_HASH_OF_SYMBOL: k->symbol = og_facts_map_hash(o->symbol); break;
    case OG_HASH_OF_ID: k->id = og_facts_map_hash(o->client_id); break;
    case OG_HASH_OF_DUPLICATE:
        og_facts_duplicate_of(&k->twin, o);
        k->twin_hash =
            !og_duplicate_key_is_set(&k->twin) ? 0 : og_facts_duplicate_hash(&k->twin, og_lookup_keys_symbol(k, o));
        break;
    case OG_HASH_OF_LEGS:
        for (int i = 0; i < o->legs_kept; i++)
            k->leg[i] = og_facts_map_hash(o->leg[i].symbol);
        break;
    }
}
