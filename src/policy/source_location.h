/*
 * Source locations of the parts of a policy.  Source files live as long as the policy, so that messages about a
 * compiled policy can show the line, and the place within an expression.
 */
#pragma once

#include "base/str.h"
#include "policy/files.h"
#include "text/yaml.h"

/* A source that was read: a file, stdin, bytes in memory or a shipped policy. */
struct og_policy_file {
    /* name of the source in messages: as the caller wrote it, a path, or "live" for a shipped policy */
    const char *name;
    const char *title;        /* the policy's own name; NULL before it is known, and for a file that is a list, not a
                               * policy */
    const char *folder;       /* the folder to which names in the policy are relative; "" means the working directory */
    struct og_file_mark mark; /* the file's status; zeros: the source is not a file */
    /* why the source could not be opened, as the rest of "'name' ..."; NULL if it was opened */
    const char *why;
    struct og_str bytes;
    int order; /* number of the source in the sequence in which sources were opened; diagnostics are sorted by it */
    /* the layers below the source are being read: a policy among them that extends this source makes a circle */
    bool open;
    struct og_policy_file *next;
};

struct og_srcloc {
    const struct og_policy_file *source; /* NULL if the value is a default, which is written nowhere */
    int line, col;                       /* from 1 */
    size_t offset;                       /* offset of a value in source->bytes */
};

/* The parts of a rule, override or custom rule whose locations are kept: the location of the part's value; for SELF,
 * that of the whole entry. A setting has the index OG_ENTRY_PARTS + its index in rule->params; after them come the
 * levels of single reasons, by their index in rule->reasons (og_reason_part()). */
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
    OG_PART_REASON, /* the reason why the entry is temporary */
    OG_PART_REQUIRE,
    OG_PART_MESSAGE,
    OG_PART_HELP,
    OG_PART_ENVIRONMENT, /* part of the whole policy, not of a rule */
    OG_PART_EXITS,       /* part of the whole policy, too */
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

/* Returns the location of byte `at` in the text of the scalar that begins at `scalar`.  The location is exact for
 * plain, quoted and literal scalars; if folding makes it ambiguous, the location is the beginning of the scalar. */
struct og_srcloc og_srcloc_inside(struct og_srcloc scalar, size_t at);
