/*
 * Numbers that name a state of something, so that what was told of it can be kept until it changes.
 */
#ifndef OG_BASE_SERIAL_H
#define OG_BASE_SERIAL_H

#include <stdint.h>

uint64_t og_serial(void); /* never the same twice, never 0; any thread */

#endif
