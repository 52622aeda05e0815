/*
 * What an order is looked up by in facts: each key is hashed once, when it is first asked for.
 * It refuses to notice that the order changed: who decides another one begins anew (have = 0).
 */
#ifndef OG_FACTS_HASHES_H
#define OG_FACTS_HASHES_H

#include "order/order.h"

#include <stdint.h>

/* What an order on some symbol says, among those that say the same (twins.c). */
enum og_twin_number { OG_TWIN_QUANTITY, OG_TWIN_LIMIT, OG_TWIN_STOP, OG_TWIN_NUMBERS };
struct og_twin_key {
    int64_t coef[OG_TWIN_NUMBERS];
    signed char scale[OG_TWIN_NUMBERS];
    signed char says; /* side and openClose: a buy that opens 1, that closes 0, -1 not known; three less: a sell */
    int working;      /* how many do: no part of what is said */
};
#define OG_TWIN_BYTES offsetof(struct og_twin_key, working)

/* Others are compared with none. */
static inline bool og_twin_is(const struct og_twin_key *k)
{
    return k->coef[OG_TWIN_QUANTITY] > 0;
}

enum og_hash_of { OG_HASH_OF_SYMBOL = 1, OG_HASH_OF_ID = 2, OG_HASH_OF_TWIN = 4, OG_HASH_OF_LEGS = 8 };

struct og_hashes {
    unsigned have; /* enum og_hash_of */
    uint64_t symbol, id, twin_hash, leg[OG_LEGS_KEPT];
    struct og_twin_key twin;
};

void og_hashes_work_out(struct og_hashes *k, const struct og_order *o, enum og_hash_of which);

static inline void og_hashes_need(struct og_hashes *k, const struct og_order *o, enum og_hash_of which)
{
    if (!(k->have & which))
        og_hashes_work_out(k, o, which);
}
static inline uint64_t og_hashes_id(struct og_hashes *k, const struct og_order *o)
{
    og_hashes_need(k, o, OG_HASH_OF_ID);
    return k->id;
}
static inline uint64_t og_hashes_symbol(struct og_hashes *k, const struct og_order *o)
{
    og_hashes_need(k, o, OG_HASH_OF_SYMBOL);
    return k->symbol;
}

#endif
