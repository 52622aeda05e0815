/*
 * How much of the limits is used up (og_book_usage()): a rule lists each limit that several orders use up together,
 * with what counts against it now, which it computes by the functions that its check calls.
 */
#pragma once

#include "ordergate/usage.h"
#include "rules/limit.h"

struct og_limit_use {
    const char *setting; /* key of the setting */
    const char *measure; /* as in struct og_usage; NULL if there is none */
    enum og_usage_of of;
    struct og_str name; /* as in struct og_usage */
    enum og_usage_unit unit;
    struct og_money used, allowed;
    unsigned reads; /* OG_FACT_*: the facts that `used` is computed from */
    bool at_least;  /* `used` is only a part: some worth or size is not known */
    bool unknown;   /* `used` or `allowed` is not known */
    int64_t window_ns;
};

struct og_uses;

/* What a rule is given to list its limits. */
struct og_usage_case {
    const struct og_facts *facts;
    int64_t now; /* ns */
    const struct og_eastern *eastern;
    struct og_day today;
    const struct og_str *symbol, *underlying, *tag; /* the names for which limits are listed, sorted */
    size_t symbols, underlyings, tags;
    struct og_uses *uses;
    void (*put)(struct og_uses *uses, const struct og_limit_use *use);
};

static inline void og_use_put(const struct og_usage_case *u, const struct og_limit_use *use)
{
    u->put(u->uses, use);
}

/* List a limit in dollars of which this many cents are used.  unpriced: number of rows whose worth is only partly
 * known. */
static inline void og_use_cents(const struct og_usage_case *u, struct og_limit_use use, og_wide cents, int unpriced)
{
    use.unit = OG_UNIT_DOLLARS;
    use.used = og_dollars(cents);
    use.at_least = use.at_least || unpriced;
    og_use_put(u, &use);
}

static inline void og_use_number(const struct og_usage_case *u, struct og_limit_use use, og_wide used, int64_t allowed)
{
    use.used = og_money_from(used > INT64_MAX / 100 ? INT64_MAX / 100 : (int64_t)used);
    use.allowed = og_money_from(allowed);
    og_use_put(u, &use);
}

/* Iterate over a list of names, once with an empty name if the list is empty: a limit of symbols is listed even if
 * nothing uses it. */
#define OG_EACH_NAME(i, count) for (size_t i = 0; (i) < ((count) ? (count) : 1); (i)++)
static inline struct og_str og_use_name(const struct og_str *name, size_t count, size_t i)
{
    return i < count ? name[i] : (struct og_str){ NULL, 0 };
}
