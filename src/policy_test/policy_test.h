/*
 * A test file inside: what is said at each level (the file, a case, a row or a step), what is expected, what was seen.
 * Nodes are the tree's, which lives as long as the test.
 */
#ifndef OG_POLICY_TEST_POLICY_TEST_H
#define OG_POLICY_TEST_POLICY_TEST_H

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
    OG_EXPECT_REASONS, /* exactly those that refuse; WARNS to WAIVED likewise */
    OG_EXPECT_WARNS,
    OG_EXPECT_INFOS,
    OG_EXPECT_UNSURE,
    OG_EXPECT_SHADOW,   /* of rules that are only watched */
    OG_EXPECT_WAIVED,   /* that would refuse without a waiver */
    OG_EXPECT_INCLUDES, /* at whatever level */
    OG_EXPECT_EXCLUDES,
    OG_EXPECT_PREDICTS,
    OG_EXPECT_FINDINGS,
    OG_EXPECT_MARGIN, /* figures: MARGIN to SUGGEST */
    OG_EXPECT_STRATEGY,
    OG_EXPECT_SUGGEST,
    OG_EXPECTATIONS
};
extern const char *const og_test_expectation_keys[OG_EXPECTATIONS]; /* their keys */

struct og_test_expect {
    const struct og_yaml *node[OG_EXPECTATIONS]; /* NULL: not asked */
    unsigned shared; /* bits: said for several decisions, so that no one of them may rewrite it */
    bool given;
};

/* What is said at one level; NULL: nothing. */
struct og_test_level {
    const struct og_yaml *node, *name, *at, *account, *facts, *order, *request, *waivers;
    struct og_test_expect expect;
};

struct og_test_case {
    struct og_test_level level;
    const struct og_yaml *orders, *columns, *rows, *sequence; /* at most one kind; NULL */
    bool independent;
};

/* A facts file, read once. */
struct og_test_facts_file {
    const char *name;
    cJSON *json;
    struct og_test_facts_file *next;
};

struct og_test_edit {
    size_t at, end;
    struct og_str text;
    struct og_test_edit *next; /* in the order of the file */
};

struct og_policy_test {
    struct og_arena arena;
    struct og_diagnostics faults;
    struct og_policy_file source;
    const struct og_yaml *root;
    struct og_test_level level;
    struct og_test_case *cases;
    size_t count;
    const char *description;
    const char **names; /* of its policies, as they are opened */
    size_t name_count;
    const char *floor;
    struct og_policy *policy;
    struct og_test_edit *edits, *last_edit;
    struct og_test_facts_file *docs;
};

/* --- values (value.c) --- */

/* The JSON of a node: a plain scalar that JSON would read as a number, true, false or null is that, others are strings.
 * NULL: out of memory. */
cJSON *og_test_json(const struct og_yaml *node);
/* Lay over upon base as a JSON merge patch (RFC 7396); takes over.  false: out of memory, also when over is
 * NULL. */
bool og_test_merge_patch(cJSON *base, cJSON *over);
/* Set what a path like quotes.AAPL.bid or positions.0.shares names (a name with dots stands in quotation marks); takes
 * value, and null removes. */
bool og_test_set_path(cJSON *base, struct og_str path, cJSON *value);
/* The first name of a path. */
struct og_str og_test_path_head(struct og_str path, struct og_str *rest);
/* An instant, or a time of day in New York on the day of base (OG_TIME_UNKNOWN: there is none). */
bool og_test_read_time(struct og_str text, int64_t base, int64_t *ns);

/* --- reading (read.c, cases.c, expect.c) --- */

struct og_srcloc og_test_loc(const struct og_policy_test *t, const struct og_yaml *node);
struct og_srcloc og_test_key_loc(const struct og_policy_test *t, const struct og_yaml *node);
struct og_srcloc og_test_start_loc(const struct og_policy_test *t); /* of what is missing */
/* Which of the keys n has; -1 is none of them, and a fault. */
int og_test_key_index(struct og_policy_test *t, const struct og_yaml *n, const char *whose, const char *const *keys,
                      size_t count);
bool og_test_is_word(struct og_policy_test *t, const struct og_yaml *node); /* else a fault */
/* A path as the test file means it, from its own folder; dotted: with a slash in it, so that it is no shipped policy.
 * NULL: out of memory, which is noted. */
const char *og_test_path(struct og_policy_test *t, const char *name, bool dotted);

/* A key that every level may have; false: it is another. */
bool og_test_read_level(struct og_policy_test *t, const struct og_yaml *n, struct og_test_level *to);
void og_test_read_cases(struct og_policy_test *t, const struct og_yaml *node);
/* The clock of a case, row or step: the innermost that is said. */
bool og_test_decided_at(const struct og_test_level *const *levels, size_t count, int64_t *ns);

int og_test_expectation_of(struct og_str key);           /* enum og_expectation; -1: none */
bool og_test_is_placeholder(const struct og_yaml *node); /* written as ..., for --update to fill in */
/* What is expected, looked through; reasons that only a policy has are known when it is loaded. */
void og_test_read_expect(struct og_policy_test *t, const struct og_yaml *node, struct og_test_expect *to);
void og_test_read_expect_key(struct og_policy_test *t, enum og_expectation what, const struct og_yaml *node,
                             struct og_test_expect *to);

/* The id of a rule, of the register or the policy's own. */
void og_test_read_rule(struct og_policy_test *t, const struct og_yaml *node);
/* One of some words. */
void og_test_read_word(struct og_policy_test *t, const struct og_yaml *node, const char *what, const char *const *words,
                       size_t count);
void og_test_read_waivers(struct og_policy_test *t, const struct og_yaml *waivers); /* waivers.c */

/* --- margin, strategy and suggest (figures.c) --- */

bool og_test_is_figures(enum og_expectation what);
/* The words that figures may be: of .model, .name, .direction; NULL past the end. */
const char *og_test_model_at(size_t i);
const char *og_test_strategy_at(size_t i);
const char *og_test_direction_at(size_t i);
void og_test_read_figures(struct og_policy_test *t, enum og_expectation what, const struct og_yaml *node);

/* --- judging (judge.c) --- */

struct og_test_misses {
    struct og_arena *arena; /* what texts are made in */
    struct og_policy_test_miss *miss;
    size_t count, room;
    bool oom;
};
/* Compare a decision with what is expected of it; update: note edits in t. */
void og_test_compare(struct og_policy_test *t, const struct og_test_expect *expect, const struct og_decision *d,
                     struct og_pattern_room *room, bool update, struct og_test_misses *to);
void og_test_compare_figures(struct og_policy_test *t, enum og_expectation what, const struct og_test_expect *expect,
                             const struct og_decision *d, bool update, struct og_test_misses *to);
void og_test_write_node(struct og_buf *b, const struct og_yaml *node); /* as it could be written in one line */
void og_test_add_miss(struct og_test_misses *to, const struct og_yaml *node, const char *what, const char *expected,
                      const char *seen, bool rewritten);
/* "{verdict: refuse, reasons: [a, b]}" of a decision, for a case that expects nothing yet. */
const char *og_test_expectation_text(const struct og_decision *d, struct og_arena *arena);

/* --- rewriting (update.c) --- */

/* Note that a node is to be text; false when it cannot be written there without harm. */
bool og_test_rewrite_node(struct og_policy_test *t, const struct og_yaml *node, const char *text);
/* Note one more key of a map. */
bool og_test_add_key(struct og_policy_test *t, const struct og_yaml *map, const char *text);

/* The bytes of the file with what was noted. */
void og_test_write_edited(const struct og_policy_test *t, struct og_buf *to);

/* --- coverage (reach.c) --- */

/* From now on the policy of t is meant; what there is to reach in it is added.  false: out of memory. */
bool og_test_coverage_begin(struct og_policy_coverage *c, const struct og_policy_test *t);
void og_test_coverage_add_decision(struct og_policy_coverage *c, const struct og_decision *d);
void og_test_coverage_add_overrides(struct og_policy_coverage *c, const struct og_case *order,
                                    struct og_pattern_room *room);

#endif
