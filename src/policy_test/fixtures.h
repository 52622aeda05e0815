/*
 * What a case decides by, gathered from its levels.
 */
#ifndef OG_POLICY_TEST_FIXTURES_H
#define OG_POLICY_TEST_FIXTURES_H

#include "policy_test/policy_test.h"

/* The levels from the file inwards, and of a table the row. */
struct og_test_fixtures {
    const struct og_test_level *level[3];
    size_t count;
    const struct og_yaml *columns, *row; /* NULL: no table */
    /* out, by place in the table of facts: those that were said, and those that did not say when they were known */
    unsigned named, fresh;
};

/* The facts document, "" when no level says any.
 *   OG_EIO     a facts file cannot be read
 *   OG_EFACTS  it is no JSON, or a cell has no place in it
 *   OG_ENOMEM */
enum og_status og_test_write_facts(struct og_policy_test *t, struct og_test_fixtures *g, int64_t now, struct og_buf *to,
                                   struct og_error *err);
/* Where a path of the facts ("positions[0].shares: ...") was said, or the nearest to it; NULL: no level has facts. */
const struct og_yaml *og_test_facts_node(const struct og_test_fixtures *g, const char *path);
/* A facts document by which those of fresh are known now. */
bool og_test_write_ages(unsigned fresh, int64_t now, struct og_buf *to);
/* The order or request, a line of JSON.  Statuses likewise; OG_EINVAL: a line of JSON and something to lay over it. */
enum og_status og_test_write_order(struct og_policy_test *t, const struct og_test_fixtures *g, struct og_buf *to,
                                   struct og_error *err);

#endif
