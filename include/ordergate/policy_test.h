/*
 * Tests of policies: files that say of orders what a policy is to make of them (man ordergate-test).
 * It refuses the clock, the floor and the halt flag of the host: a test decides the same everywhere and always.
 * Threads: a test and a coverage belong to one thread at a time.
 * NULL where it is not allowed: OG_EINVAL; a function without a status answers as if there were nothing.
 */
#ifndef ORDERGATE_POLICY_TEST_H
#define ORDERGATE_POLICY_TEST_H

#include "ordergate/decision.h"
#include "ordergate/policy.h"

#ifdef __cplusplus
extern "C" {
#endif

struct og_policy_test;     /* one test file, with the policy it is about */
struct og_policy_coverage; /* what tests have reached of their policies */

/* Read a test file ("-": stdin) and load its policy.  Every fault of both goes to listener (may be NULL), with its
 * place. OG_OK       *test is set; free with og_policy_test_free() OG_EPOLICY  the file or its policy has at least one
 * error; err holds the first; *test is NULL OG_EIO      the file cannot be read, or others may write it; *test is NULL
 *   OG_ENOMEM   *test is NULL */
OG_API OG_MUST_USE enum og_status og_policy_test_load(const char *path, struct og_policy_test **test,
                                                      og_diagnostic_listener *listener, void *with,
                                                      struct og_error *err);
/* The same of bytes in memory, called name: its folder is where the files it names are looked for. */
OG_API OG_MUST_USE enum og_status og_policy_test_read(const char *yaml, size_t len, const char *name,
                                                      struct og_policy_test **test, og_diagnostic_listener *listener,
                                                      void *with, struct og_error *err);
OG_API void og_policy_test_free(struct og_policy_test *test); /* NULL is allowed */

/* The file as it was named, what it says it is for ("" when nothing), and the policy with its digest. */
OG_API const char *og_policy_test_file(const struct og_policy_test *test);
OG_API const char *og_policy_test_description(const struct og_policy_test *test);
OG_API const char *og_policy_test_policy(const struct og_policy_test *test);

enum og_test_outcome {
    OG_TEST_PASSED = 0,
    OG_TEST_FAILED = 1,
    OG_TEST_UPDATED = 2, /* not as expected, and the expectation was rewritten */
    OG_TEST_UNUSABLE = 3 /* nothing was decided: its facts or its orders cannot be used; why says it */
};

/* One thing that is not as it was expected. */
struct og_policy_test_miss {
    int line, col;               /* of the expectation in the test file */
    const char *what;            /* "verdict", "reasons", ... */
    const char *expected, *seen; /* as a test file would write them */
    bool rewritten;              /* og_policy_test_save() writes seen in place of expected */
};

/* One decision and what became of it; all of it lives during the call. */
struct og_policy_test_result {
    const char *name; /* of the case */
    const char *part; /* "row 2", "step 3 (the cover)", "line 17"; "" when the case is one decision */
    int line, col;    /* of the case, row or step in the test file */
    enum og_test_outcome outcome;
    const char *why;                    /* OG_TEST_UNUSABLE: what is wrong; else "" */
    const char *order;                  /* what was decided, a line of JSON */
    const struct og_decision *decision; /* NULL: nothing was decided */
    const struct og_policy_test_miss *misses;
    size_t miss_count;
};
typedef void og_policy_test_listener(void *with, const struct og_policy_test_result *result);

struct og_policy_test_options {
    const char *filter; /* only cases whose name (or "name / part") has this in it, upper or lower case; NULL: all */
    bool update;        /* note rewritten expectations, for og_policy_test_save() */
    struct og_policy_coverage *coverage; /* counts what was reached; NULL: nobody asks */
};

/* Decide every case in the order of the file, and tell each result.
 *   OG_OK      all were told, whatever became of them
 *   OG_EIO     a file of orders cannot be read; err says which; the others were told
 *   OG_ENOMEM  it ended early */
OG_API OG_MUST_USE enum og_status og_policy_test_run(struct og_policy_test *test,
                                                     const struct og_policy_test_options *options,
                                                     og_policy_test_listener *listener, void *with,
                                                     struct og_error *err);

/* The cases, rows and steps as a list shows them; false past the end.  Of a file of orders the lines
 * are not listed.  filter as in the options. */
struct og_policy_test_entry {
    const char *name;
    char part[32]; /* "row 2"; "" when the case is one decision */
    int line, col;
};
OG_API bool og_policy_test_entry(const struct og_policy_test *test, size_t i, const char *filter,
                                 struct og_policy_test_entry *entry);

/* Write the file again with what og_policy_test_run() saw, if that changed anything (*changed): comments, order and
 * everything else stay as they are.
 *   OG_EIO     it cannot be written, and stands as it was;  OG_ENOMEM likewise */
OG_API OG_MUST_USE enum og_status og_policy_test_save(struct og_policy_test *test, bool *changed, struct og_error *err);

/* What is counted: what the policies named by the tests say in their own files (rules that are not off, reasons given a
 * level, overrides, rules of their own); all: everything that is in force, inherited or not.  NULL: out of memory. */
OG_API OG_MUST_USE struct og_policy_coverage *og_policy_coverage_new(bool all);
OG_API void og_policy_coverage_free(struct og_policy_coverage *coverage); /* NULL is allowed */

enum og_covered { OG_COVERED_RULE = 0, OG_COVERED_REASON = 1, OG_COVERED_OVERRIDE = 2, OG_COVERED_CUSTOM = 3 };
struct og_policy_coverage_item {
    enum og_covered kind;
    const char *name;  /* "order-notional", "order-notional/notional-above-limit", "override 2 of order-notional" */
    const char *file;  /* whose word it is: a file, or the name of a shipped policy */
    int line, col;     /* 0: it has no place of its own */
    long long reached; /* how many decisions */
};
/* Test by test, of each what its policies say: rules and their reasons, overrides, own rules; false past the end. */
OG_API bool og_policy_coverage_at(const struct og_policy_coverage *coverage, size_t i,
                                  struct og_policy_coverage_item *item);
/* "rules", "reasons", "overrides", "custom"; NULL past the end. */
OG_API const char *og_covered_name(enum og_covered kind);

#ifdef __cplusplus
}
#endif
#endif
