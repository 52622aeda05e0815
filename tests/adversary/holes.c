/*
 * The holes that are known: patterns of the names that the tests give them.  The table is to be empty.
 * It refuses to hide a hole that no pattern names.
 */
#include "holes.h"

#include <fnmatch.h>
#include <stddef.h>

#include "base/banned.h"

static const char *const known[] = {
    /* closes beyond what is held, alone and added up */
    "exceeds closable *",
    "exceeds position-* *-close-*",
    "exceeds * +over*",
    /* an option without openClose counts as nothing */
    "exceeds * option-*-none-*",
    "exceeds contracts-in-total *",
    "exceeds uncovered *",
    "exceeds position-* option-*",
    "safe closable *",
    "without openClose *",
    "cut in two * option-none",
    /* spreads: their legs are held to no limit, and they are worth their net */
    "exceeds * spread-*",
    "unsure * spread-*",
    "unsure * +blind*",
    /* what an order that opens is worth */
    "exceeds order-notional *",
    "exceeds exposure-*",
    "exceeds concentration *",
    "exceeds buying-power *",
    "exceeds floor-*",
    "unsure *-noquote*",
    "unsure *",
    "a lower sell limit *",
    "outcome *",
    "symbol in another case *",
    /* orders decided before the first facts of their account */
    "exceeds open-orders*",
    "exceeds rate-*",
    /* facts that are older than a fill */
    "exceeds * +late*",
    /* facts that tell of a ticket's order, and limits on what only closes */
    "safe *",
    "cancel *",
    NULL,
};

bool hole_is_known(const char *name)
{
    for (size_t i = 0; known[i]; i++)
        if (fnmatch(known[i], name, 0) == 0)
            return true;
    return false;
}
