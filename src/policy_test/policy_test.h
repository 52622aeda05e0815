/*
 * Internals of a test file: what each level (the file, a case, a row or a step) sets, what is expected, and what was
 * seen. Nodes belong to the YAML tree, which lives as long as the test.
 */
#pragma once

#include "base/arena.h"
#include "base/buf.h"
#include "check/check.h"
#include "order/order.h"
#include "ordergate/policy_test.h"
#include "policy/diagnostics.h"
#include "text/doc.h"
#include "text/yaml.h"

enum og_expectation {
    OG_EXPECT_VERDICT = 0,
    OG_EXPECT_REASONS, /* each expectation from REASONS to WAIVED is a complete list of reasons; REASONS: those of
                        * findings that refuse */
    OG_EXPECT_WARNS,
    OG_EXPECT_INFOS,
    OG_EXPECT_UNSURE,
    OG_EXPECT_SHADOW,   /* reasons of rules in mode shadow */
    OG_EXPECT_WAIVED,   /* reasons of findings that would refuse if there were no waiver */
    OG_EXPECT_INCLUDES, /* reasons that some finding must have, at any level */
    OG_EXPECT_EXCLUDES,
    OG_EXPECT_PREDICTS,
    OG_EXPECT_FINDINGS,
    OG_EXPECT_MARGIN, /* the expectations from MARGIN to SUGGEST are about figures */
    OG_EXPECT_STRATEGY,
    OG_EXPECT_SUGGEST,
    OG_EXPECTATIONS
};
extern const char *const og_test_expectation_keys[OG_EXPECTATIONS]; /* the keys of the expectations in a test file */

struct og_test_expect {
    const struct og_yaml *node[OG_EXPECTATIONS]; /* NULL if nothing is expected */
    /* expectations (a bit for each) that apply to several decisions, so that no single decision may rewrite them */
    unsigned shared;
    bool given;
};

/* The defaults that one level of a test file (file, case, row or step) sets; a member is NULL if the level does not set
 * it. */
struct og_test_level {
    const struct og_yaml *node, *name, *at, *account, *facts, *order, *request, *waivers;
    struct og_test_expect expect;
};

struct og_test_case {
    struct og_test_level level;
    const struct og_yaml *orders, *columns, *rows, *sequence; /* at most one of orders, table (columns and rows) and
                                                               * sequence is set; the others are NULL */
    bool independent;
};

/* A facts file, which is read once. */
struct og_test_facts_file {
    const char *name;
    cJSON *json;
    struct og_test_facts_file *next;
};

struct og_test_edit {
    size_t at, end;
    struct og_str text;
    struct og_test_edit *next; /* the next edit in the sequence of the file */
};

struct og_policy_test {
    struct og_arena arena;
    struct og_diagnostics diagnostics;
    struct og_policy_file source;
    const struct og_yaml *root;
    struct og_test_level level;
    struct og_test_case *cases;
    size_t count;
    const char *description;
    const char **names; /* names of the policy files to be loaded */
    size_t name_count;
    const char *floor;
    struct og_policy *policy;
    struct og_test_edit *edits, *last_edit;
    struct og_test_facts_file *docs;
};

/* --- values (json_value.c) ---------------------------------------------------------------------------------------- */

/* Returns the JSON of a node. A plain scalar that is a JSON number, true, false or null becomes that value; all other
 * scalars become strings. Returns NULL if memory ran out. */
cJSON *og_test_json(const struct og_yaml *node);
/* Merge `over` into base as a JSON merge patch (RFC 7396). Takes ownership of `over`. Returns false if memory ran out,
 * also if `over` is NULL because memory ran out before. */
bool og_test_merge_patch(cJSON *base, cJSON *over);
/* Set the value at a path such as quotes.AAPL.bid or positions.0.shares; a name that has dots is written in quotation
 * marks. A null removes the member. Takes ownership of value. */
bool og_test_set_path(cJSON *base, struct og_str path, cJSON *value);
/* Returns the first part of a path; *rest: the parts after it. */
struct og_str og_test_path_head(struct og_str path, struct og_str *rest);
/* Read an instant, or a time of day in New York on the day of `base` (OG_TIME_UNKNOWN if no day is known). */
bool og_test_read_time(struct og_str text, int64_t base, int64_t *ns);

/* --- reading (read.c, cases.c, expect.c) -------------------------------------------------------------------------- */

/* Returns the place at which a missing part is reported. */
struct og_srcloc og_test_start_loc(const struct og_policy_test *t);
/* Returns the index of the node's key in a list of keys. If the key is not in the list, reports that and returns -1. */
int og_test_key_index(struct og_policy_test *t, const struct og_yaml *n, const char *whose, const char *const *keys,
                      size_t count);
/* Returns true if the node is a scalar that is not empty, and reports any other node. */
bool og_test_is_word(struct og_policy_test *t, const struct og_yaml *node);
/* Returns a path that the test file names, made relative to the file's folder. dotted: the path gets a slash, so that
 * it is not taken for the name of a shipped policy. Returns NULL if memory ran out, which is recorded in t. */
const char *og_test_path(struct og_policy_test *t, const char *name, bool dotted);

/* Read a key that every level may have. Returns false for any other key. */
bool og_test_read_level(struct og_policy_test *t, const struct og_yaml *n, struct og_test_level *to);
void og_test_read_cases(struct og_policy_test *t, const struct og_yaml *node);
/* Get the time of a decision, from the innermost level that sets one.  Returns false if no level does. */
bool og_test_decided_at(const struct og_test_level *const *levels, size_t count, int64_t *ns);

int og_test_expectation_of(struct og_str key);           /* returns -1 if the key is not that of an expectation */
bool og_test_is_placeholder(const struct og_yaml *node); /* returns true for "...", which --update replaces */
/* Read an expectation. Reasons of custom rules are checked only if the policy was loaded. */
void og_test_read_expect(struct og_policy_test *t, const struct og_yaml *node, struct og_test_expect *to);
void og_test_read_expect_key(struct og_policy_test *t, enum og_expectation what, const struct og_yaml *node,
                             struct og_test_expect *to);

/* Check that a node is the id of a rule, built in or custom. */
void og_test_read_rule(struct og_policy_test *t, const struct og_yaml *node);
/* Check that a node is one of the words in the list. */
void og_test_read_word(struct og_policy_test *t, const struct og_yaml *node, const char *what, const char *const *words,
                       size_t count);
void og_test_read_waivers(struct og_policy_test *t, const struct og_yaml *waivers); /* defined in waivers.c */

/* --- margin, strategy and suggest (expected_figures.c) ------------------------------------------------------------ */

bool og_test_is_figures(enum og_expectation what);
/* Return the i-th allowed value of margin.model, strategy.name or strategy.direction; NULL past the end. */
const char *og_test_model_at(size_t i);
const char *og_test_strategy_at(size_t i);
const char *og_test_direction_at(size_t i);
void og_test_read_figures(struct og_policy_test *t, enum og_expectation what, const struct og_yaml *node);

/* --- comparing (compare.c) ---------------------------------------------------------------------------------------- */

struct og_test_misses {
    struct og_arena *arena; /* memory for the texts of unmet expectations */
    struct og_policy_test_miss *miss;
    size_t count, room;
    bool oom;
};
/* Compare a decision with its expectation. If `update` allows it, edits of the file are collected in t. */
void og_test_compare(struct og_policy_test *t, const struct og_test_expect *expect, const struct og_decision *d,
                     struct og_pattern_room *room, enum og_test_update update, struct og_test_misses *to);
void og_test_compare_figures(struct og_policy_test *t, enum og_expectation what, const struct og_test_expect *expect,
                             const struct og_decision *d, enum og_test_update update, struct og_test_misses *to);
void og_test_write_node(struct og_buf *b, const struct og_yaml *node); /* writes the node on one line */
void og_test_add_miss(struct og_test_misses *to, const struct og_yaml *node, const char *what, const char *expected,
                      const char *seen, bool rewritten);
/* Returns an expectation that the decision meets, such as "{verdict: refuse, reasons: [a, b]}", which is written into a
 * case that expects nothing yet. */
const char *og_test_expectation_text(const struct og_decision *d, struct og_arena *arena);

/* --- rewriting (update.c) ----------------------------------------------------------------------------------------- */

/* Collect the edit that replaces a node of the expectation by text. Returns false if this kind of update must not
 * rewrite the node, if the node applies to several decisions, or if the edit would lose a comment or overlap another
 * edit. */
bool og_test_rewrite(struct og_policy_test *t, enum og_test_update update, const struct og_test_expect *e,
                     enum og_expectation what, const struct og_yaml *node, const char *text);
/* Collect the edit that adds a key to a map. */
bool og_test_add_key(struct og_policy_test *t, const struct og_yaml *map, const char *text);

/* Write the file with all edits applied. */
void og_test_write_edited(const struct og_policy_test *t, struct og_buf *to);

/* --- coverage (coverage.c) ---------------------------------------------------------------------------------------- */

/* Make the policy of t the current policy of the coverage, and add the policy's parts. Returns false if memory ran
 * out. */
bool og_test_coverage_begin(struct og_policy_coverage *c, const struct og_policy_test *t);
void og_test_coverage_add_decision(struct og_policy_coverage *c, const struct og_decision *d);
void og_test_coverage_add_overrides(struct og_policy_coverage *c, const struct og_case *order,
                                    struct og_pattern_room *room);
