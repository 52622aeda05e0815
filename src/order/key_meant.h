/*
 * Which key of an order was probably meant by one that is not known.
 */
#pragma once

#include "order/order.h"

/* Returns the enum og_key (of_leg: enum og_leg_key) that resembles a name which is no key, or -1.  A name resembles a
 * key if it differs from it in case and marks ("client_order_id") or a little more: by one letter in a name of up to
 * five, by two in a longer one.  replaces, accountId and tag are also found with other words around them
 * ("replacesOrderId", "account_number", "orderTag"), since the service never sees these keys and would not miss them.
 */
int og_key_meant(struct og_str name, bool of_leg);

/* Returns true if a key is read by the gate only, and never posted. */
static inline bool og_key_is_ours(int key)
{
    return key >= OG_KEY_ACCOUNT_ID;
}
