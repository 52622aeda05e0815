/*
 * Facts and orders of a decision, merged from the levels of a test file.
 */
#pragma once

#include "policy_test/policy_test.h"

/* The levels that apply to a decision, from the file inwards, and the row of a table. */
struct og_test_fixtures {
    const struct og_test_level *level[3];
    size_t count;
    const struct og_yaml *columns, *row; /* NULL if the case has no table */
    /* results, with a bit for each kind of facts. named: the kinds that the levels give; fresh: those among them that
     * are given without a time, and so count as current */
    unsigned named, fresh;
};

/* Write the facts document of one decision, merged from all levels; "" if no level gives facts.
 *   OG_EIO     a facts file cannot be read
 *   OG_EFACTS  a facts file is not JSON, or a table column names a path that cannot be set
 *   OG_ENOMEM */
enum og_status og_test_write_facts(struct og_policy_test *t, struct og_test_fixtures *g, int64_t now, struct og_buf *to,
                                   struct og_error *err);
/* Returns the node that gives the fact at the path with which a message begins ("positions[0].shares: ..."), or the
 * nearest node above it; NULL if no level gives facts. */
const struct og_yaml *og_test_facts_node(const struct og_test_fixtures *g, const char *path);
/* Write a facts document that dates the kinds of facts in `fresh` at `now`. Returns false if memory ran out. */
bool og_test_write_ages(unsigned fresh, int64_t now, struct og_buf *to);
/* Write the order or request as a line of JSON. Returns the statuses of og_test_write_facts(); also OG_EINVAL if the
 * order is written as a line of JSON and would have to be merged. */
enum og_status og_test_write_order(struct og_policy_test *t, const struct og_test_fixtures *g, struct og_buf *to,
                                   struct og_error *err);
