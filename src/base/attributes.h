/*
 * Which functions stand together in the library.  A check goes through a hundred functions of a thousand: side by side
 * they just fit the processor's cache of code, anywhere else they push each other out of it (a tenth of the time of a
 * decision, more or less by chance of the link).  The compiler puts what is hot into one section, and what is cold into
 * another.
 */
#pragma once

/* Of a function that most orders come to. */
#define OG_HOT __attribute__((hot))
/* Of one that few come to; its callers are made for the others. */
#define OG_COLD __attribute__((noinline, cold))
/* Of one that some come to: what its callers do for the others then needs no frame. */
#define OG_NOINLINE __attribute__((noinline))
