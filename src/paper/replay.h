/*
 * Playback of quotes from a file, on the service's clock.
 */
#pragma once

#include "text/diagnostics.h"

struct og_paper;

/* Read CSV (whose first line names the columns) or NDJSON; errors are added as diagnostics. Returns false if memory ran
 * out. */
bool og_paper_replay_read(struct og_paper *p, struct og_str bytes, struct og_diagnostics *diagnostics);
/* Start the playback; relative times in the file count from this moment. Returns false if memory ran out. */
bool og_paper_replay_start(struct og_paper *p);
void og_paper_replay_free(struct og_paper *p);
