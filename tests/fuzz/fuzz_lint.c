/*
 * Fuzz: bytes as a policy to lint.  Every finding has a page and a place, every fix lies within the bytes, and there
 * is an error exactly if the policy does not load.
 */
#include <string.h>

#include "fuzz.h"
#include "ordergate/lint.h"

#define NAME "/nowhere/fuzz.yaml" /* so that relative names lead nowhere */

static int lines_of(const char *s, size_t len)
{
    int lines = 1;

    for (size_t i = 0; i < len; i++)
        lines += s[i] == '\n';
    return lines;
}

static void demand_finding(const struct og_lint_finding *f, const char *bytes, size_t len)
{
    struct og_lint_page page;

    DEMAND(og_lint_page_of(f->fault.code, &page) && page.severity == f->fault.severity);
    DEMAND(f->fault.text[0] && strcspn(f->fault.text, "\n\r\033") == strlen(f->fault.text));
    DEMAND(f->width >= 1);
    if (strcmp(f->fault.file, NAME) == 0 && f->fault.line)
        DEMAND(f->fault.line <= lines_of(bytes, len) && f->fault.col >= 1);
    DEMAND(!f->ignored || f->fault.severity == OG_WARNING);
    if (f->edit)
        DEMAND(f->edit->from <= f->edit->to && f->edit->to <= len && f->edit->says[0]);
    if (f->witness)
        DEMAND(f->witness->order[0] == '{' && f->witness->at[0] && f->witness->shows[0]);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    static const struct og_lint_options options = { .now = INT64_C(1795186800000000000) };
    const struct og_lint_finding *f;
    struct og_lint_report *report;
    struct og_policy *policy;
    struct og_error err = { 0 };
    size_t fixed;
    int errors = 0;

    DEMAND(og_lint_read((const char *)bytes, len, NAME, &options, &report, &err) == OG_OK);
    for (size_t i = 0; (f = og_lint_at(report, i)); i++) {
        demand_finding(f, (const char *)bytes, len);
        errors += f->fault.severity == OG_ERROR;
    }
    DEMAND(og_lint_fixed(report, &fixed) != NULL);
    DEMAND(og_policy_read((const char *)bytes, len, NAME, &policy, NULL, NULL, NULL) == (errors ? OG_EPOLICY : OG_OK));
    og_policy_free(policy);
    og_lint_free(report);
    return 0;
}
