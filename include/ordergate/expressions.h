/*
 * The names that expressions of policies may use, with their descriptions: what "ordergate explain order.limitPrice"
 * prints.  The language itself is described in ordergate-expressions(7).
 * Threads: any.  A function that is passed NULL returns what it returns for an index past the end.
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

/* One name.  The texts are static. */
struct og_name_info {
    const char *name;  /* such as "order.limitPrice"; for a field of a leg, such as "leg.strike" */
    const char *type;  /* "bool", "int", "decimal", "string", "timestamp", "duration", "list(leg)" */
    const char *unit;  /* unit of the value, such as "dollars a share"; "" if it has none */
    const char *field; /* JSON pointer to the order's field from which the value comes; "" if there is none */
    const char *help;  /* a description of one line */
    const char *facts[OG_NAME_FACTS_MOST + 1]; /* the facts that the name needs, spelled like the keys of max_age;
                                                * NULL-terminated */
};

/* Get the i-th name.  Returns false past the end. */
OG_API bool og_expression_name(size_t i, struct og_name_info *info);

#ifdef __cplusplus
}
#endif
#endif
