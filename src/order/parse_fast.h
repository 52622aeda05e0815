/*
 * The fast path of the order parser: reads orders in the form that programs mostly write.
 */
#pragma once

#include "order/order.h"

#define OG_PARSE_SPARE 32 /* zero bytes needed after the line, which is read in steps of 16 */

/* Parse o->line into o and o->keys, as far as it is an object of known keys, each once, with strings without escapes
 * and plain numbers.  Returns NULL if that is the whole line.  Otherwise returns the end of the last member that was
 * parsed: the full parser continues there, on a fresh copy of the rest, because bytes after it may have been
 * overwritten. */
char *og_order_parse_fast(struct og_order *o);
