/*
 * Scenarios: YAML files that define the state in which the service starts.
 */
#pragma once

#include "paper/scenario_file.h"

struct og_paper;

/* Check a scenario and set up the service from it. The arena, market, streams and faults of *p must be set up and
 * empty; the clock is set by this function. Sections that the file does not have are taken from the shipped default
 * scenario.
 *   OG_OK
 *   OG_ESYNTAX  listener was called for every diagnostic; err has the first
 *   OG_EIO, OG_ENOENT  a file cannot be read
 *   OG_ENOMEM */
enum og_status og_paper_scenario_read(struct og_paper *p, const struct og_paper_source *source,
                                      og_diagnostic_listener *listener, void *with, struct og_error *err);
