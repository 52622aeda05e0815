/*
 * What the limits of a policy have used up.  A rule computes `used` here by the code by which it decides: an order that
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

/* What a limit is about. */
enum og_usage_of {
    OG_USAGE_ORDER = 1, /* each order by itself: nothing is used up */
    OG_USAGE_ACCOUNT,
    OG_USAGE_SYMBOL,     /* one traded symbol: a ticker or a contract */
    OG_USAGE_UNDERLYING, /* one underlying, with its contracts */
    OG_USAGE_LIST,       /* a list of the policy */
    OG_USAGE_TAG         /* one strategy */
};
OG_API const char *og_usage_of_name(enum og_usage_of of); /* "order", "account"; static */

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
OG_API const char *og_usage_unit_name(enum og_usage_unit unit); /* "dollars"; static */

/* One limit with what counts towards it.  Texts are valid during the call of the listener. */
struct og_usage {
    const char *account_id; /* "" for facts that name no account */
    const char *rule, *setting;
    const char *measure; /* which of several figures the setting limits: "gross", "long"; "" if it limits one */
    enum og_usage_of of;
    const char *name; /* symbol, underlying, list or tag; "" if the limit is about the account or each order, or if the
                       * account has no symbol or tag yet that uses any of it */
    /* the conditions of the override that sets the limit, for orders that match them; "" if the limit holds for all
     * orders (of this name) */
    const char *only;
    enum og_usage_unit unit;
    /* has_used: how much is used up is known.  sure: it is all known and fresh; otherwise `used` is what is known, and
     * more may be used, or less */
    bool has_used, sure;
    bool least;   /* `allowed` is the least allowed, not the most */
    bool refuses; /* the rule is in force and refuses; false: it only warns, or is in mode shadow */
    struct og_money used, allowed;
    int64_t window_ns; /* over which time `used` counts; 0 if over no sliding window */
};

/* Returns used / allowed in basis points, rounded down, at most 1000000; 1000000 if nothing is allowed and something is
 * used; 0 if nothing is used, or if it is not known.  A limit whose `least` is set has none. */
OG_API int og_usage_share(const struct og_usage *usage);

/* Called with one limit.  Returns 0 to go on; any other value ends the function with OG_EIO.  A listener may
 * be NULL. */
typedef int og_usage_listener(void *with, const struct og_usage *usage);

/* List the limits that the policy in force sets, as numbers, by account, in the order in which the rules run, each with
 * what is used of it at now_ns.  Limits of a symbol are listed for each symbol with a position or a working order;
 * those of an underlying also where it was traded; those of tags for the tags that rule order-tag knows, and the
 * client's.  A limit that an override sets for a symbol, account or tag is listed in place of the rule's own; one that
 * depends on more than these is listed beside it (`only`).  account_id NULL: of all accounts.
 * The listener is called after the book is released, and may use it.  The book is not changed.  Reading takes the lock
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
