/*
 * Fuzz: bytes as a policy.  Errors have a code and a place inside the file, there is an error exactly if there is no
 * policy, and what `policy show` writes is the same policy again.
 */
#include <string.h>

#include "fuzz.h"
#include "policy/policy.h"

#define NAME "/nowhere/fuzz.yaml" /* so that relative names lead nowhere */

struct seen {
    int lines, errors;
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

static char *show(const struct og_policy *policy, size_t *len)
{
    char *text;

    DEMAND(og_policy_show(policy, NULL, 0, len) == OG_EINVAL);
    text = malloc(*len + 1);
    DEMAND(text && og_policy_show(policy, text, *len + 1, len) == OG_OK);
    return text;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    struct seen seen = { .lines = 1 }, none = { .lines = 1 << 30 };
    struct og_policy *policy, *again;
    struct og_error err = { 0 };
    enum og_status status;
    size_t shown_len;
    char *shown;

    for (size_t i = 0; i < len; i++)
        seen.lines += bytes[i] == '\n';
    status = og_policy_read((const char *)bytes, len, NAME, &policy, hear, &seen, &err);
    DEMAND(status == OG_OK || status == OG_EPOLICY);
    DEMAND((status == OG_OK) == (seen.errors == 0) && (status == OG_OK) == (policy != NULL));
    DEMAND((status == OG_OK) == (err.status == OG_OK));
    if (!policy)
        return 0;
    shown = show(policy, &shown_len);
    DEMAND(og_policy_read(shown, shown_len, NAME, &again, hear, &none, NULL) == OG_OK);
    DEMAND(strcmp(og_policy_digest(policy), og_policy_digest(again)) == 0);
    free(shown);
    og_policy_free(policy);
    og_policy_free(again);
    return 0;
}
