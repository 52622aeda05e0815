/*
 * The names that expressions of policies may use, for people and programs: what "ordergate explain order.limitPrice"
 * prints.  The language itself is described in ordergate-expressions(7).
 * Threads: any.  Passing NULL gives what an index past the end gives.
 */
#ifndef ORDERGATE_EXPRESSIONS_H
#define ORDERGATE_EXPRESSIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "ordergate/status.h"

#ifdef __cplusplus
extern "C" {
#endif

#define OG_NAME_FACTS_MOST 4

/* A name.  The texts are static. */
struct og_name_info {
    const char *name;  /* "order.limitPrice"; a field of a leg is "leg.strike" */
    const char *type;  /* "bool", "int", "decimal", "string", "timestamp", "duration", "list(leg)" */
    const char *unit;  /* "dollars a share"; "" for none */
    const char *field; /* JSON pointer of the order's field that the value comes from; "" for none */
    const char *help;  /* one line */
    const char *facts[OG_NAME_FACTS_MOST + 1]; /* the facts it needs, with the keys of max_age; NULL-terminated */
};

/* Get the i-th name.  Returns false past the end. */
OG_API bool og_expression_name(size_t i, struct og_name_info *info);

#ifdef __cplusplus
}
#endif
#endif
