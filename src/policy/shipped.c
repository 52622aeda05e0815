/*
 * The shipped policies: the files of policies/, compiled into the library, so that no file is read for them.
 */
#include <string.h>

#include "ordergate/policy.h"

struct shipped {
    const char *name, *text;
    size_t len;
};

#include "policy/shipped_text.inc"

#define COUNT (sizeof shipped / sizeof shipped[0])

const char *og_policy_shipped(size_t i)
{
    return i < COUNT ? shipped[i].name : NULL;
}

const char *og_policy_shipped_text(const char *name, size_t *len)
{
    if (!len)
        return NULL;
    for (size_t i = 0; name && i < COUNT; i++)
        if (strcmp(shipped[i].name, name) == 0) {
            *len = shipped[i].len;
            return shipped[i].text;
        }
    *len = 0;
    return NULL;
}
