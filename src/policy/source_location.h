/*
 * Where the parts of a policy were written.  Sources live as long as the policy, so that who looks at a compiled policy
 * can still show the line, and say at which byte of an expression something is.
 */
#ifndef OG_POLICY_SOURCE_LOCATION_H
#define OG_POLICY_SOURCE_LOCATION_H

#include "base/str.h"
#include "policy/files.h"
#include "text/yaml.h"

/* Where a line of a policy came from. */
struct og_policy_file {
    const char *name;         /* as messages call it: the caller's name, a path, "live" (shipped) */
    const char *folder;       /* relative names in it start here; "" is the working directory */
    struct og_file_mark mark; /* of a file; zeros: it is none */
    const char *why;          /* it could not be opened, completing "'name' ..."; NULL: it could */
    struct og_str bytes;
    int order; /* in which it was opened */
    bool open; /* being laid: naming it again is a cycle */
    struct og_policy_file *next;
};

struct og_srcloc {
    const struct og_policy_file *source; /* NULL: written nowhere, it is a default */
    int line, col;
    size_t offset; /* of a value: in source->bytes */
};

/* What of a rule, an override or a custom rule was written; the place is that of the value, of SELF that of the entry.
 * A setting has the index OG_ENTRY_PARTS + its place in rule->params. */
enum og_entry_part {
    OG_PART_SELF = 0,
    OG_PART_LEVEL,
    OG_PART_UNSURE,
    OG_PART_MODE,
    OG_PART_LOCK,
    OG_PART_REASONS,
    OG_PART_OVERRIDES,
    OG_PART_MATCH,
    OG_PART_WHEN,
    OG_PART_UNTIL,
    OG_PART_REASON, /* why it is temporary */
    OG_PART_REQUIRE,
    OG_PART_MESSAGE,
    OG_PART_HELP,
    OG_PART_ENVIRONMENT, /* of the policy */
    OG_ENTRY_PARTS
};

static inline struct og_srcloc og_srcloc_of(const struct og_policy_file *source, const struct og_yaml *node)
{
    return (struct og_srcloc){ source, node->line, node->col, node->at };
}
static inline struct og_srcloc og_srcloc_of_key(const struct og_policy_file *source, const struct og_yaml *node)
{
    return (struct og_srcloc){ source, node->key_line, node->key_col, 0 };
}

/* The place of byte `at` of the text of the scalar at `scalar`.  Exact for plain, quoted and literal scalars; where
 * folding makes it doubtful, the scalar's own place. */
struct og_srcloc og_srcloc_inside(struct og_srcloc scalar, size_t at);

#endif
