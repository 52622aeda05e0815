/*
 * Descriptions of the service for people and programs: how paths are spelled, and the OpenAPI document.
 */
#pragma once

#include "base/endpoints.h"
#include "paper/paper.h"

struct og_paper_path {
    char s[128];
};

/* Returns the whole path of an endpoint, its variables in braces by what they are: {account}, {clientOrderId}, ... */
struct og_paper_path og_paper_path_of(enum og_endpoint e);
/* Returns the whole path of the control call with that number in the table (og_control_calls). */
struct og_paper_path og_paper_control_path(size_t call);
/* Write the OpenAPI 3.1 document of everything that is served. */
void og_paper_openapi(const struct og_paper *p, struct og_buf *b);
