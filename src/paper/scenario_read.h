/*
 * State and helpers shared by the files that read a scenario.
 */
#pragma once

#include "paper/paper.h"
#include "paper/scenario_settings.h"
#include "text/diagnostics.h"
#include "text/yaml.h"

struct og_paper_scenario_reader {
    struct og_paper *p;
    struct og_arena room; /* memory of parsed trees and diagnostics */
    struct og_diagnostics diagnostics;
    const char *name;                  /* name of the scenario; relative file names in it are relative to its folder */
    const struct og_yaml *root, *base; /* the document of the scenario, and that of the default scenario */
};

/* Arguments of og_diagnostic_here(): the line and column of a value (OG_AT), and those of its key (OG_AT_KEY). */
#define OG_AT(node)     (node)->line, (node)->col
#define OG_AT_KEY(node) (node)->key_line, (node)->key_col

bool og_paper_is_map(struct og_paper_scenario_reader *r, const struct og_yaml *node);
bool og_paper_is_list(struct og_paper_scenario_reader *r, const struct og_yaml *node);
/* Set `base` to a section's defaults, then read the section's settings from a map. Keys in `beside` are skipped, since
 * other code reads them. */
void og_paper_read_settings(struct og_paper_scenario_reader *r, const struct og_yaml *map,
                            enum og_paper_section_name section, void *base, const char *const *beside);
/* Add a diagnostic for each required key that a map lacks; `keys` ends with NULL.  Returns false if a key is
 * missing. */
bool og_paper_require_keys(struct og_paper_scenario_reader *r, const struct og_yaml *map, const char *const *keys);
#define OG_KEY_LIST(...) ((const char *const[]){ __VA_ARGS__, NULL })
/* Returns the value of a section in the scenario, or in the default scenario if the scenario does not have the section;
 * NULL if neither has it. Later diagnostics name the file that has the section. */
const struct og_yaml *og_paper_section_node(struct og_paper_scenario_reader *r, const char *key);
/* Returns memory for one struct of this size for each item of a list or map, and for one more at the end; NULL if
 * memory ran out, which is recorded. */
void *og_paper_take_items(struct og_paper_scenario_reader *r, const struct og_yaml *items, size_t size);
/* Record that memory ran out. */
bool og_paper_no_memory(struct og_paper_scenario_reader *r);

/* One function for each part of a scenario. */
void og_paper_read_routes(struct og_paper_scenario_reader *r);
void og_paper_read_symbols(struct og_paper_scenario_reader *r);
void og_paper_read_accounts(struct og_paper_scenario_reader *r);
void og_paper_read_keys(struct og_paper_scenario_reader *r);
