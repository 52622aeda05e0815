/*
 * Hashes of what an order is looked up by; see facts/hashes.h.
 */
#include "facts/hashes.h"

#include "base/attributes.h"
#include "facts/data.h"

#include "base/banned.h"

OG_HOT void og_hashes_work_out(struct og_hashes *k, const struct og_order *o, enum og_hash_of which)
{
    k->have |= which;
    switch (which) {
    case OG_HASH_OF_SYMBOL: k->symbol = og_facts_map_hash(o->symbol); break;
    case OG_HASH_OF_ID: k->id = og_facts_map_hash(o->client_id); break;
    case OG_HASH_OF_TWIN:
        og_facts_twin_of(&k->twin, o);
        k->twin_hash = !og_twin_is(&k->twin) ? 0 : og_facts_twin_hash(&k->twin, og_hashes_symbol(k, o));
        break;
    case OG_HASH_OF_LEGS:
        for (int i = 0; i < o->legs_kept; i++)
            k->leg[i] = og_facts_map_hash(o->leg[i].symbol);
        break;
    }
}
