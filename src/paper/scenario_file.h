/*
 * Scenario files: on disk, or shipped inside the program.
 */
#pragma once

#include "base/str.h"
#include "ordergate/policy.h"
#include "ordergate/status.h"

/* A scenario, given as bytes or by name: a path (it contains '/' or ends in .yaml or .yml), the name of a shipped
 * scenario, or - for stdin. */
struct og_paper_source {
    const char *name;
    struct og_str bytes; /* the bytes of the scenario; if .s is NULL, they are read from `name` */
};

/* Read a scenario, or a file that a scenario names. of: the scenario to whose folder a relative name is relative; NULL
 * if there is none. The caller frees *owned with free().
 *   OG_EIO     the file cannot be read, or is too large; err says why
 *   OG_ENOENT  there is no shipped scenario of this name
 *   OG_ENOMEM */
enum og_status og_paper_source_read(const char *name, const char *of, struct og_str *bytes, char **owned,
                                    struct og_error *err);
