/*
 * What expressions of policies may name, for people and programs: what "ordergate explain order.limitPrice" prints.
 * The language itself is in ordergate-expressions(7).
 * NULL where it is not allowed: OG_EINVAL; a function without a status answers as if there were nothing.
 */
#ifndef ORDERGATE_EXPRESSIONS_H
#define ORDERGATE_EXPRESSIONS_H

#include "ordergate/status.h"

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define OG_NAME_FACTS_MOST 4

/* Texts are static. */
struct og_name_info {
    const char *name;  /* "order.limitPrice"; a field of a leg is "leg.strike" */
    const char *type;  /* "bool", "int", "decimal", "string", "timestamp", "duration", "list(leg)" */
    const char *unit;  /* "dollars a share"; "" for none */
    const char *field; /* JSON pointer of the field of the order it is made of; "" for none */
    const char *help;  /* one line */
    const char *facts[OG_NAME_FACTS_MOST + 1]; /* those it needs, as max_age calls them; NULL ends them */
};

/* The i-th name; false past the end. */
OG_API bool og_expression_name(size_t i, struct og_name_info *info);

#ifdef __cplusplus
}
#endif
#endif
