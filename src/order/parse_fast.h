/*
 * The fast path of the order parser: reads orders in the form in which most programs write them.
 */
#pragma once

#include "order/order.h"

#define OG_PARSE_SPARE 32 /* the line is read in steps of 16 bytes, so this many zero bytes must follow it */

/* Parse o->line into o and o->keys, as far as the line is an object of known keys, each at most once, whose values are
 * strings without escapes and plain numbers. Returns NULL if the whole line is like that. If not, returns the end of
 * the last member that was parsed. The full parser continues there, on a fresh copy of the rest, because bytes after
 * that member may have been overwritten. */
char *og_order_parse_fast(struct og_order *o);
