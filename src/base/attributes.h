/*
 * Attributes by which the compiler places functions in the library: hot ones in one section, cold ones in another.  A
 * check calls about a hundred of a thousand functions.  Side by side they just fit into the processor's instruction
 * cache; scattered, they evict one another, which costs up to a tenth of the time of a decision.
 */
#pragma once

/* A function that most orders need. */
#define OG_HOT __attribute__((hot))
/* A function that few orders need; the compiler optimises its callers for the case in which they do not call it. */
#define OG_COLD __attribute__((noinline, cold))
/* A function that some orders need: it is not inlined, so that its callers need no stack frame when they do not call
 * it. */
#define OG_NOINLINE __attribute__((noinline))
