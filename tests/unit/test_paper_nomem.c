/*
 * Setting up a scenario when memory runs out: at every allocation in turn the scenario is not served, and nothing
 * leaks.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "nomem.h"
#include "paper/paper.h"

/* Read a scenario and start the service. Returns the first status that is not OG_OK. */
static enum og_status begin(const struct og_paper_source *source, struct og_error *err)
{
    static const struct og_paper_options options = { .prefix = { "SVC", 3 }, .clock = { "2026-01-15T15:00:00Z", 20 } };
    struct og_paper p;
    enum og_status status = og_paper_init(&p, &options, source, NULL, NULL, err);

    if (status == OG_OK && !og_paper_start(&p))
        status = OG_ENOMEM;
    og_paper_clear(&p);
    return status;
}

static void fails_at_every_allocation(const struct og_paper_source *source)
{
    struct og_error err;
    enum og_status status;
    long n = 0;
    bool hit;

    do {
        err = (struct og_error){ .status = OG_OK };
        nomem_at(++n);
        status = begin(source, &err);
        hit = nomem_hit();
        assert_int_equal(status, hit ? OG_ENOMEM : OG_OK);
    } while (hit);
    assert_true(n > 10);
}

static void test_shipped(void **state)
{
    (void)state;
    fails_at_every_allocation(&(struct og_paper_source){ .name = "default" });
    fails_at_every_allocation(&(struct og_paper_source){ .name = "flaky" });
    fails_at_every_allocation(&(struct og_paper_source){ .name = "opening" });
    fails_at_every_allocation(&(struct og_paper_source){ .name = "small-cash-account" });
}

static void test_every_key(void **state)
{
    (void)state;
    fails_at_every_allocation(&(struct og_paper_source){ .name = OG_TESTS "/fuzz/corpus/scenario/every-key.yaml" });
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shipped),
        cmocka_unit_test(test_every_key),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
