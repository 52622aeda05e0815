/*
 * Tests of policies: files that say how a policy must decide orders (man ordergate-test). The host's clock, floor and
 * halt flag are not used, so that a test decides the same on every host and at any time. Threads: a test and a coverage
 * belong to one thread at a time.
 * Passing NULL where it is not allowed returns OG_EINVAL; a function that returns no status returns what it returns for
 * an empty test.
 */
#ifndef ORDERGATE_POLICY_TEST_H
#define ORDERGATE_POLICY_TEST_H

#include "ordergate/decision.h"
#include "ordergate/policy.h"

#ifdef __cplusplus
extern "C" {
#endif

struct og_policy_test;     /* one test file, with the policy that it tests */
struct og_policy_coverage; /* counts which parts of policies the tests have reached */

/* Read a test file ("-": stdin) and load its policy. Each fault of the file and of the policy is passed to listener
 * (may be NULL), with its place.
 *   OG_OK       *test is set; free it with og_policy_test_free()
 *   OG_EPOLICY  the file or its policy has at least one error; err holds the first; *test is NULL
 *   OG_EIO      the file cannot be read, or others may write it; *test is NULL
 *   OG_ENOMEM   *test is NULL */
OG_API OG_MUST_USE enum og_status og_policy_test_load(const char *path, struct og_policy_test **test,
                                                      og_diagnostic_listener *listener, void *with,
                                                      struct og_error *err);
/* Like og_policy_test_load(), for bytes in memory. Files that the test names are searched in the folder of name, which
 * may be NULL. */
OG_API OG_MUST_USE enum og_status og_policy_test_read(const char *yaml, size_t len, const char *name,
                                                      struct og_policy_test **test, og_diagnostic_listener *listener,
                                                      void *with, struct og_error *err);
OG_API void og_policy_test_free(struct og_policy_test *test); /* NULL is allowed */

/* Return the file's name as it was given, its description ("" if it has none), and the policy's name with its
 * digest. */
OG_API const char *og_policy_test_file(const struct og_policy_test *test);
OG_API const char *og_policy_test_description(const struct og_policy_test *test);
OG_API const char *og_policy_test_policy(const struct og_policy_test *test);

enum og_test_outcome {
    OG_TEST_PASSED = 0,
    OG_TEST_FAILED = 1,
    OG_TEST_UPDATED = 2, /* the expectation was not met, and was rewritten */
    OG_TEST_UNUSABLE = 3 /* there was no decision, since facts or orders cannot be used; `why` says which */
};

/* An expectation that was not met. */
struct og_policy_test_miss {
    int line, col;               /* place of the expectation in the test file */
    const char *what;            /* what was expected: "verdict", "reasons", ... */
    const char *expected, *seen; /* the values, spelled as in a test file */
    bool rewritten;              /* og_policy_test_save() will write `seen` in place of `expected` */
};

/* One decision and its outcome. All members are valid until the listener returns. */
struct og_policy_test_result {
    const char *name; /* name of the case */
    const char *part; /* "row 2", "step 3 (the cover)", "line 17"; "" if the case is one decision */
    int line, col;    /* place of the case, row or step in the test file */
    enum og_test_outcome outcome;
    const char *why;                    /* the reason if OG_TEST_UNUSABLE; "" for other outcomes */
    const char *order;                  /* the order that was decided, a line of JSON */
    const struct og_decision *decision; /* NULL if nothing was decided */
    const struct og_policy_test_miss *misses;
    size_t miss_count;
};
typedef void og_policy_test_listener(void *with, const struct og_policy_test_result *result);

/* Which expectations that were not met og_policy_test_save() will rewrite. */
enum og_test_update {
    OG_TEST_UPDATE_NONE = 0,
    OG_TEST_UPDATE_OPEN = 1, /* only expectations that are left open: `...`, and cases that expect nothing */
    OG_TEST_UPDATE_ALL = 2   /* also expectations that are stated */
};

struct og_policy_test_options {
    /* run only cases whose name, or "name / part", contains this text in upper or lower case; NULL means all */
    const char *filter;
    enum og_test_update update;
    struct og_policy_coverage *coverage; /* counts what the decisions reached; NULL if that is not to be counted */
};

/* Decide every case, in the order of the file, and pass each result to the listener.
 *   OG_OK      all results were passed on, whatever their outcome
 *   OG_EIO     a file of orders cannot be read; err says which; all other results were passed on
 *   OG_ENOMEM  memory ran out: not all cases were decided */
OG_API OG_MUST_USE enum og_status og_policy_test_run(struct og_policy_test *test,
                                                     const struct og_policy_test_options *options,
                                                     og_policy_test_listener *listener, void *with,
                                                     struct og_error *err);

/* Get the i-th entry of the list of cases, rows and steps. The lines of a file of orders are not listed. filter: as in
 * struct og_policy_test_options. Returns false past the end. */
struct og_policy_test_entry {
    const char *name;
    char part[32]; /* "row 2"; "" if the case is one decision */
    int line, col;
};
OG_API bool og_policy_test_entry(const struct og_policy_test *test, size_t i, const char *filter,
                                 struct og_policy_test_entry *entry);

/* Write the file again with the expectations that og_policy_test_run() rewrote, if there are any; *changed says whether
 * there were. Comments, the sequence and everything else in the file are unchanged.
 *   OG_EIO, OG_ENOMEM  the file cannot be written, and is unchanged */
OG_API OG_MUST_USE enum og_status og_policy_test_save(struct og_policy_test *test, bool *changed, struct og_error *err);

/* Create a coverage, which counts how often tests reach rules that are not off, reasons with a level, overrides and
 * custom rules. Without `all`, only items that the tested policies set in their own files are counted; with `all`,
 * inherited ones are counted too. Returns NULL if memory ran out. */
OG_API OG_MUST_USE struct og_policy_coverage *og_policy_coverage_new(bool all);
OG_API void og_policy_coverage_free(struct og_policy_coverage *coverage); /* NULL is allowed */

enum og_covered { OG_COVERED_RULE = 0, OG_COVERED_REASON = 1, OG_COVERED_OVERRIDE = 2, OG_COVERED_CUSTOM = 3 };
struct og_policy_coverage_item {
    enum og_covered kind;
    const char *name;  /* "order-notional", "order-notional/notional-above-limit", "override 2 of order-notional" */
    const char *file;  /* the file that sets the item, or the name of a shipped policy */
    int line, col;     /* line is 0 if the item has no place of its own */
    long long reached; /* number of decisions that reached the item */
};
/* Get the i-th item. The sequence is test by test, then the rules of its policy, each with its reasons and overrides,
 * and custom rules. Returns false past the end. */
OG_API bool og_policy_coverage_at(const struct og_policy_coverage *coverage, size_t i,
                                  struct og_policy_coverage_item *item);
/* Returns "rules", "reasons", "overrides" or "custom"; NULL past the end. */
OG_API const char *og_covered_name(enum og_covered kind);

#ifdef __cplusplus
}
#endif
#endif
