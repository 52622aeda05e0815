/*
 * Scenarios: YAML files that say what world the service starts with.
 */
#ifndef OG_PAPER_SCENARIO_H
#define OG_PAPER_SCENARIO_H

#include "paper/scenario_file.h"

struct og_paper;

/* Judge a scenario and make its world of a service whose arena, market, streams and faults are set up and empty; the
 * clock is set here.  Sections that are not in the file are those of the shipped default. OG_OK OG_ESYNTAX  listener
 * has heard of everything that is wrong; err has the first OG_EIO, OG_ENOENT  a file cannot be read OG_ENOMEM */
enum og_status og_paper_scenario_read(struct og_paper *p, const struct og_paper_source *source,
                                      og_paper_listener *listener, void *with, struct og_error *err);

#endif
