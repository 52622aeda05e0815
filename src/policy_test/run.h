/*
 * State of a run of a test file, the unit for which one decision is made, and the report of its result.
 */
#pragma once

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
    struct og_scratch *probes; /* a second scratch for suggestions, since using the first one would overwrite the
                                * decision */
    struct og_margin_info margin;
    struct og_suggestion suggestion;
    struct og_pattern_room *room;
    struct og_buf line, facts;
    unsigned fresh;        /* kinds of facts of a sequence (a bit for each) that get the time of each step */
    struct og_arena arena; /* memory for the result that is being reported */
    struct og_error *err;
    enum og_status status;
};

/* One decision to make. */
struct og_test_unit {
    const struct og_test_case *c;
    struct og_test_fixtures from;
    struct og_test_level inner; /* the row or step; all members are NULL if the case has neither */
    const struct og_yaml *node; /* the YAML node of the case, row or step, which gives its place in the file */
    const char *part;
    struct og_test_expect expect; /* the case's expectation, with parts replaced by those of the row or step */
};

/* --- waivers.c ---------------------------------------------------------------------------------------------------- */

/* Add the waivers of a level to the book. On failure, err names the place of the waiver that could not be added. */
enum og_status og_test_add_waivers(const struct og_policy_test *t, const struct og_test_level *level,
                                   struct og_book *book, int64_t now, struct og_error *err);

/* --- report.c ----------------------------------------------------------------------------------------------------- */

bool og_test_matches_filter(const char *filter, const char *name, const char *part);
/* Report that no decision was made, and why. */
void og_test_report_unusable(struct og_test_run *r, const struct og_test_unit *u, const struct og_error *err);
/* Report a decision. then: what the test says happens to the order after the decision; NULL if nothing does.
 * outcome_applied: whether the book accepted that. */
void og_test_report(struct og_test_run *r, const struct og_test_unit *u, const struct og_decision *d,
                    const struct og_yaml *then, bool outcome_applied);
