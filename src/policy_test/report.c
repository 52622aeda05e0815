/*
 * Reports the result of a decision to the listener. The filter is applied only here, since all steps of a sequence must
 * be decided, even those that are not reported.
 */
#include <ctype.h>
#include <stdio.h>

#include "base/error.h"
#include "policy_test/run.h"

static bool contains_folded(const char *in, const char *what)
{
    size_t len = strlen(what);

    for (; *in; in++) {
        size_t i = 0;

        while (i < len && tolower((unsigned char)in[i]) == tolower((unsigned char)what[i]))
            i++;
        if (i == len)
            return true;
    }
    return len == 0;
}

bool og_test_matches_filter(const char *filter, const char *name, const char *part)
{
    char both[1024];

    if (!filter)
        return true;
    snprintf(both, sizeof both, "%s%s%s", name, part[0] ? " / " : "", part);
    return contains_folded(both, filter);
}

static void report_result(struct og_test_run *r, const struct og_test_unit *u, const struct og_decision *d,
                          const char *why, const struct og_test_misses *judged)
{
    struct og_policy_test_result result = { .name = u->c->level.name->text.s,
                                            .part = u->part,
                                            .line = u->node->line,
                                            .col = u->node->col,
                                            .why = why,
                                            .order = r->line.len ? r->line.s : "",
                                            .decision = d,
                                            .misses = judged->miss,
                                            .miss_count = judged->count };

    result.outcome = d ? OG_TEST_PASSED : OG_TEST_UNUSABLE;
    for (size_t i = 0; i < judged->count && result.outcome != OG_TEST_FAILED; i++)
        result.outcome = judged->miss[i].rewritten ? OG_TEST_UPDATED : OG_TEST_FAILED;
    if (judged->oom)
        r->status = og_fail(r->err, OG_ENOMEM, "out of memory");
    else
        r->listener(r->with, &result);
}

void og_test_report_unusable(struct og_test_run *r, const struct og_test_unit *u, const struct og_error *err)
{
    struct og_test_misses none = { 0 };
    char text[600];

    if (err->status == OG_EIO || err->status == OG_ENOMEM) {
        if (r->status != OG_ENOMEM)
            r->status = err->status;
        og_fail_at(r->err, err->status, err->source[0] ? err->source : NULL, err->line, err->col, "%s", err->text);
    }
    if (err->status != OG_ENOMEM && og_test_matches_filter(r->o->filter, u->c->level.name->text.s, u->part))
        report_result(r, u, NULL, og_error_line(err, text, sizeof text), &none);
}

static void report_nothing_expected(struct og_test_run *r, const struct og_test_unit *u, const struct og_decision *d,
                                    struct og_test_misses *judged)
{
    const char *seen = og_test_expectation_text(d, &r->arena);
    struct og_buf key;
    bool written;

    og_buf_init(&key, 0);
    og_buf_format(&key, "expect: %s", seen ? seen : "");
    written = seen && !key.bad && r->o->update && u->node->kind == OG_YAML_MAP && og_test_add_key(r->t, u->node, key.s);
    judged->oom = judged->oom || !seen || key.bad;
    og_buf_clear(&key);
    og_test_add_miss(judged, u->node, "expect", "nothing is expected: give the case 'expect', or let --update write it",
                     seen ? seen : "", written);
}

void og_test_report(struct og_test_run *r, const struct og_test_unit *u, const struct og_decision *d,
                    const struct og_yaml *then, bool outcome_applied)
{
    struct og_test_misses judged = { .arena = &r->arena };

    if (r->o->coverage)
        og_test_coverage_add_decision(r->o->coverage, d);
    if (!og_test_matches_filter(r->o->filter, u->c->level.name->text.s, u->part))
        return;
    if (u->expect.given || then)
        og_test_compare(r->t, &u->expect, d, r->room, r->o->update, &judged);
    else
        report_nothing_expected(r, u, d, &judged);
    if (then && !outcome_applied)
        og_test_add_miss(&judged, then, "then", then->text.s, "the order was refused", false);
    report_result(r, u, d, "", &judged);
}
