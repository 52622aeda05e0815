/*
 * Documents of the service as the structs of ordergate/broker.h, field by field from tables.
 * It refuses a row without the figures whose absence must not be taken for nothing; unknown fields are ignored.
 */
#ifndef OG_BROKER_TYPED_H
#define OG_BROKER_TYPED_H

#include "base/arena.h"
#include "ordergate/broker.h"
#include "text/doc.h"

enum og_typed {
    OG_TYPED_ACCOUNT = 0,
    OG_TYPED_PNL,
    OG_TYPED_LOT,
    OG_TYPED_POSITION,
    OG_TYPED_CLOSED,
    OG_TYPED_CASH,
    OG_TYPED_FILL,
    OG_TYPED_LOCATE,
    OG_TYPED_INVENTORY
};

/* What cannot be read: "'shares' of row 3". */
struct og_typed_fault {
    const char *key; /* NULL: out of memory */
    size_t row;      /* from 1; 0: the document itself */
};

/* One object into its zeroed struct; texts borrow from the tree.  false: fault->key. */
bool og_typed_row(enum og_typed what, const cJSON *object, void *row, struct og_typed_fault *fault);
/* An array of them, in the arena. */
bool og_typed_rows(enum og_typed what, const cJSON *list, struct og_arena *arena, const void **rows, size_t *count,
                   struct og_typed_fault *fault);
/* Orders, of either shape; a row without a status is a fault. */
bool og_typed_order(const cJSON *object, struct og_arena *arena, struct og_order_info *row,
                    struct og_typed_fault *fault);
bool og_typed_orders(const cJSON *list, struct og_arena *arena, const struct og_order_info **rows, size_t *count,
                     struct og_typed_fault *fault);
bool og_typed_routes(const cJSON *list, struct og_arena *arena, const struct og_route_info **rows, size_t *count,
                     struct og_typed_fault *fault);

#endif
