/*
 * Names of keys to keys, for the reader of orders.  It refuses other cases, as the service does.
 */
#ifndef OG_ORDER_KEYS_H
#define OG_ORDER_KEYS_H

#include "order/order.h"

#define OG_KEY_IS(literal) (memcmp(k.s, literal, sizeof(literal) - 1) == 0)

static inline int og_leg_key_of(struct og_str k)
{
    switch (k.len) {
    case 4: return OG_KEY_IS("side") ? OG_LEG_SIDE : -1;
    case 5: return OG_KEY_IS("ratio") ? OG_LEG_RATIO : -1;
    case 6: return OG_KEY_IS("symbol") ? OG_LEG_SYMBOL : -1;
    case 9: return OG_KEY_IS("openClose") ? OG_LEG_OPEN_CLOSE : -1;
    default: return -1;
    }
}

static inline __attribute__((always_inline)) int og_key_of(struct og_str k)
{
    switch (k.len) {
    case 2: return OG_KEY_IS("op") ? OG_KEY_OP : -1;
    case 4: return OG_KEY_IS("side") ? OG_KEY_SIDE : OG_KEY_IS("legs") ? OG_KEY_LEGS : -1;
    case 5: return OG_KEY_IS("route") ? OG_KEY_ROUTE : -1;
    case 6: return OG_KEY_IS("symbol") ? OG_KEY_SYMBOL : -1;
    case 8: return OG_KEY_IS("replaces") ? OG_KEY_REPLACES : -1;
    case 9:
        return OG_KEY_IS("openClose")   ? OG_KEY_OPEN_CLOSE
               : OG_KEY_IS("orderType") ? OG_KEY_ORDER_TYPE
               : OG_KEY_IS("accountId") ? OG_KEY_ACCOUNT_ID
               : OG_KEY_IS("stopPrice") ? OG_KEY_STOP_PRICE
                                 : -1;
    case 10: return OG_KEY_IS("limitPrice") ? OG_KEY_LIMIT_PRICE : -1;
    case 11: return OG_KEY_IS("timeInForce") ? OG_KEY_TIME_IN_FORCE : -1;
    case 12: return OG_KEY_IS("securityType") ? OG_KEY_SECURITY_TYPE : -1;
    case 13: return OG_KEY_IS("orderQuantity") ? OG_KEY_ORDER_QUANTITY
                                               : OG_KEY_IS("clientOrderId") ? OG_KEY_CLIENT_ORDER_ID : -1;
    default: return -1;
    }
}

#undef OG_KEY_IS
#endif
