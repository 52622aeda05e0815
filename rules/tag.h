/*
 * Which tag (strategy) an order counts for: the settings of rule order-tag that the engine reads too.  Rules,
 * overrides, expressions, decisions and the ledger all use the tag that og_tag_of() returns.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/string_set.h"
#include "order/order.h"

#define OG_TAG_MOST 64 /* maximum number of bytes of a tag */
/* How an order gets its tag, for helps. */
#define OG_TAG_HELP                                                                                                \
    "give the order the key tag, as \"tag\":\"NAME\", or its client a tag, by --tag NAME of check and send; with " \
    "from: prefix, rule order-tag takes it from the clientOrderId"

enum og_tag_from { OG_TAG_FROM_KEY, OG_TAG_FROM_PREFIX, OG_TAG_FROM_CLIENT };

struct og_tag_settings {
    int32_t from, separator; /* enum og_tag_from; index in og_tag_separators */
    struct og_string_set known;
    int32_t exits;
};
extern const char og_tag_separators[];

/* What is wrong with the tag that an order gives.  An order with an unknown tag counts as one without a tag. */
enum og_tag_fault { OG_TAG_FINE = 0, OG_TAG_MISSING, OG_TAG_UNKNOWN, OG_TAG_CONFLICT };
struct og_tag {
    struct og_str is;    /* the tag; empty if the order has none. The text belongs to the order, to the settings, or to
                          * `client` */
    struct og_str given; /* the tag that is unknown, or that contradicts the client's */
    enum og_tag_fault fault;
};

/* Returns the order's tag.  client: the tag of whoever sends the orders, which no order can change; empty if it has
 * none.  settings NULL: there is no policy for it, and the order's own key counts. */
struct og_tag og_tag_of(const struct og_tag_settings *settings, const struct og_order *order, struct og_str client);
/* Returns false if og_tag_of() would find that the order gives no tag and its client has none: OG_TAG_MISSING. */
static inline bool og_tag_may_be(const struct og_tag_settings *settings, const struct og_order *order,
                                 const char *client)
{
    return order->tag_set || order->tag.len || (client && *client) ||
           (settings && settings->from == OG_TAG_FROM_PREFIX);
}
