/*
 * The holes that are known: patterns of the names that the tests give them.  The table is to be empty.
 * It refuses to hide a hole that no pattern names.
 */
#include "holes.h"

#include <fnmatch.h>
#include <stddef.h>

#include "base/banned.h"

static const char *const known[] = {
    /* orders decided before the first facts of their account are forgotten when those come */
    "* +early*",
    /* facts that were read before a fill, or a quote, and are applied after it */
    "* +late*",
    /* facts that tell of a ticket's order count it twice; after a fill its row stays beside what is held */
    "safe * +overlap*",
    "exceeds exposure-gross * +overlap*",
    "exceeds uncovered * +overlap*",
    "outcome exposure-gross * +overlap*",
    /* a spread in flight as it was posted: its legs are of unknown size */
    "exceeds contracts-in-total spread-*",
    "exceeds concentration spread-*",
    "outcome contracts-in-total spread-*",
    "exceeds open-orders-symbol *",
    "safe *contracts*",
    /* without openClose, filled while the other side was held: counted as opened whole */
    "exceeds closable option-*",
    /* buying power of a buy stop or a short without a quote */
    "exceeds buying-power *",
    "unsure buying-power *",
    "a lower sell limit buying-power *",
    "a lower sell limit * option-none",
    /* a working spread told without its legs is worth its limit */
    "unsure * +blind*",
    "outcome exposure-*",
    "exceeds exposure-gross *",
    "unsure * +overlap*",
    "unsure concentration *",
    /* what is safe, and refused for a row or a quote that is not known, or a close that filled and still counts */
    "safe *",
    "unsure exposure-*",
    "safe buying-power *",
    "safe closable *",
    "safe concentration *",
    "safe exposure-*",
    "safe order-notional *",
    NULL,
};

bool hole_is_known(const char *name)
{
    for (size_t i = 0; known[i]; i++)
        if (fnmatch(known[i], name, 0) == 0)
            return true;
    return false;
}
