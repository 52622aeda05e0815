/*
 * Hashes of an order's keys in facts, computed when first needed.  Before use for another order set have = 0, or the
 * old hashes are used again.
 */
#pragma once

#include <stdint.h>

#include "order/order.h"

/* The terms of a working order on a symbol, by which duplicates are found (duplicate_orders.c). */
enum og_duplicate_number { OG_DUPLICATE_QUANTITY, OG_DUPLICATE_LIMIT, OG_DUPLICATE_STOP, OG_DUPLICATE_NUMBERS };
struct og_duplicate_key {
    int64_t coef[OG_DUPLICATE_NUMBERS];
    signed char scale[OG_DUPLICATE_NUMBERS];
    /* code of side and openClose. A buy: 1 if it opens, 0 if it closes, -1 if that is unknown. A sell: the same number
     * less three */
    signed char says;
    int working; /* number of working orders with these terms; not part of the key */
};
#define OG_DUPLICATE_BYTES offsetof(struct og_duplicate_key, working)

/* Returns true if the order has a key for duplicates (every such key has a quantity). */
static inline bool og_duplicate_key_is_set(const struct og_duplicate_key *k)
{
    return k->coef[OG_DUPLICATE_QUANTITY] > 0;
}

enum og_hash_of { OG_HASH_OF_SYMBOL = 1, OG_HASH_OF_ID = 2, OG_HASH_OF_DUPLICATE = 4, OG_HASH_OF_LEGS = 8 };

struct og_lookup_keys {
    unsigned have; /* bit set of enum og_hash_of: which hashes are computed */
    uint64_t symbol, id, twin_hash, leg[OG_LEGS_KEPT];
    struct og_duplicate_key twin;
};

void og_lookup_keys_compute(struct og_lookup_keys *k, const struct og_order *o, enum og_hash_of which);

static inline void og_lookup_keys_need(struct og_lookup_keys *k, const struct og_order *o, enum og_hash_of which)
{
    if (!(k->have & which))
        og_lookup_keys_compute(k, o, which);
}
static inline uint64_t og_lookup_keys_id(struct og_lookup_keys *k, const struct og_order *o)
{
    og_lookup_keys_need(k, o, OG_HASH_OF_ID);
    return k->id;
}
static inline uint64_t og_lookup_keys_symbol(struct og_lookup_keys *k, const struct og_order *o)
{
    og_lookup_keys_need(k, o, OG_HASH_OF_SYMBOL);
    return k->symbol;
}
