/*
 * Names the accounts of an account list in findings about an account that is not in it.
 */
#pragma once

#include "rules/rule.h"

#define OG_LISTED_MOST 3 /* maximum number of accounts that a finding names */

/* The arguments from {1} on of a message that ends in OG_LISTED_SAYS. */
#define OG_LISTED_SAYS "{1}{2}{3}{4}{5}{6}{7}"
#define OG_LISTED(found)                                                                          \
    og_a_text((found).before[0]), og_a_str((found).account[0]), og_a_text((found).before[1]),     \
        og_a_str((found).account[1]), og_a_text((found).before[2]), og_a_str((found).account[2]), \
        og_a_text((found).end)

struct og_listed {
    const char *before[OG_LISTED_MOST], *end;
    struct og_str account[OG_LISTED_MOST];
};

/* Returns the first accounts of the list of the facts (NULL: none are known). */
static inline struct og_listed og_listed_of(const struct og_facts *lister)
{
    struct og_listed l = { .before = { "", "", "" }, .end = "" };
    size_t count = 0;

    while (lister && count < OG_LISTED_MOST && (l.account[count] = og_facts_listed_account(lister, count)).len) {
        l.before[count] = count ? ", " : ", which has ";
        count++;
    }
    if (!count)
        l.end = ", which is empty";
    else if (count == OG_LISTED_MOST && og_facts_listed_account(lister, count).len)
        l.end = " and others";
    return l;
}
