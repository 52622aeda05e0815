/*
 * Ids of accounts.  The service ignores their case and answers with capitals, so all code that compares ids uses the
 * functions here.
 */
#pragma once

#include "base/str.h"

/* Returns true if both ids name the same account: the case of ASCII letters is ignored (A13). */
static inline bool og_same_account(struct og_str a, struct og_str b)
{
    /* one of these tests usually decides: the lengths differ, or both ids are the same memory */
    if (a.len != b.len || a.len == 0 || a.s == b.s)
        return a.len == b.len;
    return memcmp(a.s, b.s, a.len) == 0 || og_str_eq_folded(a, b);
}
