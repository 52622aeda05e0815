/*
 * The files a world is made of: on disk, or shipped inside the program.
 */
#ifndef OG_PAPER_SCENARIO_FILE_H
#define OG_PAPER_SCENARIO_FILE_H

#include "base/str.h"
#include "ordergate/status.h"

/* A scenario by name: a path (it contains '/' or ends in .yaml or .yml), the name of a shipped one, or - for stdin.
 * Bytes given are taken as they are. */
struct og_paper_source {
    const char *name;
    struct og_str bytes; /* s NULL: to be found by name */
};

/* One thing wrong with a file of the world. */
struct og_paper_finding {
    const char *file, *code, *text; /* code is permanent: "unknown-key"; text is lower case, without a full stop */
    int line, col;                  /* from 1 */
    struct og_paper_finding *next;
};
/* Called for every finding in the order of the files; its strings live during the call. */
typedef void og_paper_listener(void *with, const struct og_paper_finding *finding);

/* Bytes of a scenario, or of a file that one names (of: NULL, or the scenario; a relative name starts at its folder).
 * free() *owned when done.
 *   OG_EIO     it cannot be read, or it is too large; err says why
 *   OG_ENOENT  no shipped scenario is called so
 *   OG_ENOMEM */
enum og_status og_paper_source_read(const char *name, const char *of, struct og_str *bytes, char **owned,
                                    struct og_error *err);

#endif
