/*
 * How much of a policy's limits is used up. `used` is computed by the code with which the rule decides: an order that
 * adds more than `allowed` less `used` is refused by that rule.
 *
 * Passing NULL where it is not allowed returns OG_EINVAL; a function that returns no status then does nothing and
 * returns an empty value (0, false, NULL or "").
 */
#ifndef ORDERGATE_USAGE_H
#define ORDERGATE_USAGE_H

#include "ordergate/book.h"
#include "ordergate/money.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a limit applies to. */
enum og_usage_of {
    OG_USAGE_ORDER = 1, /* each order by itself: nothing is used up */
    OG_USAGE_ACCOUNT,
    OG_USAGE_SYMBOL,     /* one traded symbol: a ticker or a contract */
    OG_USAGE_UNDERLYING, /* one underlying, including its contracts */
    OG_USAGE_LIST,       /* the symbols in a list of the policy */
    OG_USAGE_TAG         /* one strategy, by its tag */
};
OG_API const char *og_usage_of_name(enum og_usage_of of); /* such as "order" or "account"; static */

/* Units of used and allowed.  PERCENT: 2.5 is two and a half percent; NUMBER: as the setting's help says. */
enum og_usage_unit {
    OG_UNIT_DOLLARS = 1,
    OG_UNIT_SHARES,
    OG_UNIT_CONTRACTS,
    OG_UNIT_ORDERS,
    OG_UNIT_UNDERLYINGS,
    OG_UNIT_PERCENT,
    OG_UNIT_NUMBER
};
OG_API const char *og_usage_unit_name(enum og_usage_unit unit); /* such as "dollars"; static */

/* One limit, with the amount that counts towards it. Texts are valid during the call of the listener. */
struct og_usage {
    const char *account_id; /* "" if the facts name no account */
    const char *rule, *setting;
    const char *measure; /* which of several figures the setting limits, such as "gross" or "long"; "" if it limits only
                          * one */
    enum og_usage_of of;
    const char *name; /* symbol, underlying, list or tag. "" if the limit applies to the account or to each order, or if
                       * no symbol or tag of the account uses any of it yet */
    /* the conditions of the override that sets the limit, for orders that match them; "" if the limit applies to all
     * orders (of this name) */
    const char *only;
    enum og_usage_unit unit;
    /* has_used: `used` is known. sure: it is completely known and from fresh facts; otherwise the true amount may be
     * higher or lower than `used` */
    bool has_used, sure;
    bool least;   /* `allowed` is a minimum, not a maximum */
    bool refuses; /* the rule is in force and refuses; false if it only warns, or is in mode shadow */
    struct og_money used, allowed;
    int64_t window_ns; /* length of the sliding window over which `used` counts; 0 if there is none */
};

/* Returns used / allowed in basis points, rounded down, at most 1000000; 1000000 if nothing is allowed and something is
 * used; 0 if nothing is used, if `used` is not known, or if `least` is set. */
OG_API int og_usage_share(const struct og_usage *usage);

/* Called with one limit.  Returns 0 to go on; any other value ends the function with OG_EIO.  A listener may
 * be NULL. */
typedef int og_usage_listener(void *with, const struct og_usage *usage);

/* List the limits that the policy in force sets, as numbers, by account, in the sequence in which the rules run, each
 * with the amount of it that is used at now_ns. Limits of a symbol are listed for each symbol with a position or a
 * working order; those of an underlying also if it was traded; those of tags for the tags that rule order-tag knows,
 * and the client's. A limit that an override sets for a symbol, account or tag is listed in place of the rule's own;
 * one that depends on more conditions is listed in addition (`only`). account_id NULL: of all accounts.
 * The listener is called after the book is released, and may use it. The book is not changed. Reading locks the book
 * as a check does, for a time that grows with the number of symbols.
 *   OG_EINVAL  the book has no such account
 *   OG_EIO     the listener returned another value than 0
 *   OG_ENOMEM  no limit was listed */
OG_API OG_MUST_USE enum og_status og_book_usage(struct og_book *book, const char *account_id, int64_t now_ns,
                                                og_usage_listener *listener, void *with);

#ifdef __cplusplus
}
#endif
#endif
