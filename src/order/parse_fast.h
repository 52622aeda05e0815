/*
 * Orders as programs mostly write them, read in one go.
 */
#ifndef OG_ORDER_PARSE_FAST_H
#define OG_ORDER_PARSE_FAST_H

#include "order/order.h"

#define OG_PARSE_SPARE 32 /* bytes of 0 behind the line: it is read in steps */

/* Reads the line of o into o and o->keys: an object of known keys, each once, with strings without escapes and plain
 * numbers.  NULL: that was all.  Else it stopped before the first member that is anything else: the place behind the
 * one before it; of the line what follows may be spoilt. */
char *og_order_parse_fast(struct og_order *o);

#endif
