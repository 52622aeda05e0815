/*
 * Fuzz: bytes as a file of `ordergate test`.  Errors have a place inside the file; it runs or has a reason not to;
 * and after its expectations are rewritten it is a test file that has nothing left to rewrite.
 */
#include <string.h>

#include "fuzz.h"
#include "policy_test/policy_test.h"

#define NAME "/nowhere/fuzz_test.yaml" /* so that relative names lead nowhere */

struct seen {
    int lines, errors;
    size_t failed, rewritten;
};

static void hear(void *with, const struct og_diagnostic *fault)
{
    struct seen *s = with;

    DEMAND(fault->code[0] && fault->text[0]);
    DEMAND(strcspn(fault->text, "\n\r\033") == strlen(fault->text));
    if (strcmp(fault->file, NAME) == 0)
        DEMAND(fault->line >= 1 && fault->line <= s->lines && fault->col >= 1);
    s->errors += fault->severity == OG_ERROR;
}

static void hear_result(void *with, const struct og_policy_test_result *t)
{
    struct seen *s = with;

    DEMAND(t->name && t->part && t->line >= 1 && t->line <= s->lines && t->col >= 1);
    DEMAND((t->outcome == OG_TEST_UNUSABLE) == (t->decision == NULL) && (t->decision || t->why[0]));
    DEMAND((t->miss_count == 0) == (t->outcome == OG_TEST_PASSED || t->outcome == OG_TEST_UNUSABLE));
    s->failed += t->outcome == OG_TEST_FAILED;
    for (size_t i = 0; i < t->miss_count; i++) {
        DEMAND(t->misses[i].line >= 1 && t->misses[i].line <= s->lines && t->misses[i].expected && t->misses[i].seen);
        s->rewritten += t->misses[i].rewritten;
    }
}

static int lines_of(const char *s, size_t len)
{
    int lines = 1;

    for (size_t i = 0; i < len; i++)
        lines += s[i] == '\n';
    return lines;
}

/* Read and run it, and return what it is rewritten to.  Returns false if it is not a test file. */
static bool run(const char *bytes, size_t len, struct seen *seen, struct og_buf *to)
{
    struct og_policy_test_options options = { .update = true, .coverage = og_policy_coverage_new(true) };
    struct og_policy_test *test;
    struct og_error err = { 0 };
    enum og_status status;

    seen->lines = lines_of(bytes, len);
    status = og_policy_test_read(bytes, len, NAME, &test, hear, seen, &err);
    DEMAND(options.coverage && (status == OG_OK || status == OG_EPOLICY));
    DEMAND((status == OG_OK) == (seen->errors == 0) && (status == OG_OK) == (test != NULL));
    DEMAND((status == OG_OK) == (err.status == OG_OK));
    if (test) {
        status = og_policy_test_run(test, &options, hear_result, seen, &err);
        DEMAND(status == OG_OK || status == OG_EIO);
        og_test_write_edited(test, to);
        DEMAND(!to->bad);
    }
    og_policy_coverage_free(options.coverage);
    og_policy_test_free(test);
    return status != OG_EPOLICY;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    struct seen first = { 0 }, second = { 0 };
    struct og_buf rewritten, again;

    og_buf_init(&rewritten, 0);
    og_buf_init(&again, 0);
    if (run((const char *)bytes, len, &first, &rewritten) && first.rewritten) {
        DEMAND(run(rewritten.s, rewritten.len, &second, &again));
        DEMAND(second.rewritten == 0 && second.failed <= first.failed);
        DEMAND(again.len == rewritten.len && memcmp(again.s, rewritten.s, again.len) == 0);
    }
    og_buf_clear(&rewritten);
    og_buf_clear(&again);
    return 0;
}
