/*
 * A scenario being read: what its parts share.
 */
#ifndef OG_PAPER_SCENARIO_READ_H
#define OG_PAPER_SCENARIO_READ_H

#include "paper/diagnostics.h"
#include "paper/paper.h"
#include "paper/scenario_settings.h"

struct og_paper_scenario_reader {
    struct og_paper *p;
    struct og_arena room; /* trees and findings */
    struct og_paper_diagnostics diagnostics;
    const char *name;                  /* of the scenario: files it names are found from there */
    const struct og_yaml *root, *base; /* the document, and the default's */
};

/* Findings at a value or at its key. */
#define OG_AT(node)     (node)->line, (node)->col
#define OG_AT_KEY(node) (node)->key_line, (node)->key_col

bool og_paper_is_map(struct og_paper_scenario_reader *r, const struct og_yaml *node);
bool og_paper_is_list(struct og_paper_scenario_reader *r, const struct og_yaml *node);
/* Take the settings of a map into base, which begins with their defaults; children named in `beside` are others'. */
void og_paper_read_settings(struct og_paper_scenario_reader *r, const struct og_yaml *map,
                            enum og_paper_section_name section, void *base, const char *const *beside);
/* A finding for each key that a map lacks; keys end with NULL.  false: there was one. */
bool og_paper_require_keys(struct og_paper_scenario_reader *r, const struct og_yaml *map, const char *const *keys);
#define OG_KEY_LIST(...) ((const char *const[]){ __VA_ARGS__, NULL })
/* The value a section has: the file's, else the default scenario's; NULL: neither.  Findings are that file's from here
 * on. */
const struct og_yaml *og_paper_section_node(struct og_paper_scenario_reader *r, const char *key);
/* Out of memory: remembered. */
bool og_paper_no_memory(struct og_paper_scenario_reader *r);

/* The parts. */
void og_paper_read_routes(struct og_paper_scenario_reader *r);
void og_paper_read_symbols(struct og_paper_scenario_reader *r);
void og_paper_read_accounts(struct og_paper_scenario_reader *r);
void og_paper_read_keys(struct og_paper_scenario_reader *r);

#endif
