/*
 * One run of a test file: what it needs, one decision of it, and telling what became of that.
 */
#ifndef OG_POLICY_TEST_RUN_H
#define OG_POLICY_TEST_RUN_H

#include "ordergate/requests.h"
#include "policy_test/fixtures.h"
#include "text/pattern.h"

struct og_test_run {
    struct og_policy_test *t;
    const struct og_policy_test_options *o;
    og_policy_test_listener *listener;
    void *with;
    struct og_order *order;
    struct og_request *request;
    struct og_scratch *scratch;
    struct og_scratch *probes; /* of suggestions; the decision stays in scratch */
    struct og_margin_info margin;
    struct og_suggestion suggestion;
    struct og_pattern_room *room;
    struct og_buf line, facts;
    unsigned fresh;        /* facts of a sequence that are known anew at each step */
    struct og_arena arena; /* of one result */
    struct og_error *err;
    enum og_status status;
};

/* One decision that is to be made. */
struct og_test_unit {
    const struct og_test_case *c;
    struct og_test_fixtures from;
    struct og_test_level inner; /* of a row or a step; all NULL otherwise */
    const struct og_yaml *node; /* where it stands */
    const char *part;
    struct og_test_expect expect; /* the case's, and what the row or step says over it */
};

/* --- waivers.c --- */

/* The waivers of a level, into the book.  err is at the one that cannot be taken. */
enum og_status og_test_add_waivers(const struct og_policy_test *t, const struct og_test_level *level,
                                   struct og_book *book, int64_t now, struct og_error *err);

/* --- tell.c --- */

bool og_test_matches_filter(const char *filter, const char *name, const char *part);
/* Nothing was decided, and why. */
void og_test_report_unusable(struct og_test_run *r, const struct og_test_unit *u, const struct og_error *err);
/* What was decided, beside what is expected.  then: what was to become of it, moved: it did; NULL: nobody asked. */
void og_test_report(struct og_test_run *r, const struct og_test_unit *u, const struct og_decision *d,
                    const struct og_yaml *then, bool outcome_applied);

#endif
