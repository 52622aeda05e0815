/*
 * The fast path of the order parser: reads orders in the form in which most programs write them.
 */
#pragma once

#include "order/order.h"

#define OG_PARSE_SPARE 32 /* bytes of zero that must follow the line, which is read in steps of 16 bytes */

/* Parse o->line into o and o->keys, as far as it is an object of known keys, each once, whose values are strings
 * without escapes and plain numbers.  Returns NULL if the whole line is like that.  Otherwise returns the end of the
 * last member that was parsed: the full parser continues there, on a fresh copy of the rest, because bytes after it may
 * have been overwritten. */
char *og_order_parse_fast(struct og_order *o);
