/*
 * Why a policy's settings are what they are. For each rule: the settings in effect, the place in the policies that gave
 * each setting its value, the values that other layers give it, and the lock and the floor that keep it from being
 * loosened.
 * Threads: a report is constant once it is made, and threads may share it. It keeps copies: the policy may be freed.
 * Passing NULL where it is not allowed returns OG_EINVAL; a function that returns no status then does nothing and
 * returns an empty value (0, false, NULL or "").
 */
#ifndef ORDERGATE_ORIGINS_H
#define ORDERGATE_ORIGINS_H

#include "ordergate/book.h"

#ifdef __cplusplus
extern "C" {
#endif

struct og_origins;

enum og_origin_kind {
    OG_ORIGIN_DEFAULT = 0, /* no layer sets the value */
    OG_ORIGIN_POLICY,      /* a key of a whole policy: unsure, mode, environment, max_age */
    OG_ORIGIN_RULE,        /* the entry of the rule */
    OG_ORIGIN_OVERRIDE,    /* an override of the rule */
    OG_ORIGIN_FLOOR
};

/* A place in a policy that gives a setting a value, or locks it. */
struct og_origin_place {
    enum og_origin_kind kind;
    const char *value; /* the value written there, as `policy show` writes it; "" if it is a lock, not a value */
    const char *layer; /* the name of the policy; "" for a default */
    const char *file;  /* the file of the place, or the name of a shipped policy; "" for a default */
    int line, col;     /* place in the file, from 1; 0 for a default */
};

/* A setting in effect. */
struct og_origin_setting {
    const char *key;   /* such as "level", "reasons.order-notional", "most"; for the policy's own keys, such as
                        * "max_age.quotes" */
    const char *value; /* as `policy show` writes the value; NULL if the setting has none */
    struct og_origin_place from; /* the place that gave the setting its value */
    const struct og_origin_place
        *hides;    /* other places that give the setting a value, which has no effect: first later overrides that match
                    * too, then the layers from the last to the first */
    size_t hidden; /* number of places in hides */
    /* the value that the floor demands, even if it is not stricter; NULL if there is none */
    const struct og_origin_place *floor;
};

enum og_origin_applies { OG_ORIGIN_APPLIES = 1, OG_ORIGIN_MAY_APPLY = 2 };

/* A rule with its settings in effect; or one override of the rule, with the settings in effect for the orders that the
 * override matches. */
struct og_origin_rule {
    const char *rule; /* "" for the policy's own keys, which come first */
    bool custom;
    bool runs;     /* the rule may find something in orders; in a report on one order: in orders of its kind */
    bool fixed;    /* no policy can weaken the rule */
    long override; /* index of the override among those that `policy show` lists, from 0; -1 for the rule itself */
    struct og_origin_place at; /* the place of the override, or of the rule's last entry; its kind is DEFAULT if there
                                * is none */
    const char *match, *when, *until; /* conditions of the override; "" for a condition that it does not have */
    enum og_origin_applies applies;   /* MAY_APPLY: whether the override applies to the order is not known */
    const char *why;                  /* what is not known if MAY_APPLY; "" in all other cases */
    /* the lock, or the entry of the floor, that later layers cannot loosen; NULL if there is none */
    const struct og_origin_place *lock;
};

/* Report on a whole policy: each rule, followed by its overrides.
 *   OG_ENOMEM  *origins is NULL */
OG_API OG_MUST_USE enum og_status og_origins_all(const struct og_policy *policy, struct og_origins **origins);
/* Report on one order: each rule that decides orders of its kind, with the settings that og_check() uses for the order
 * at now_ns with the facts of the book. If it is not known whether an override of a rule applies, the rule is reported
 * once for each setting that may apply.
 *   OG_ENOMEM  *origins is NULL */
OG_API OG_MUST_USE enum og_status og_origins_order(struct og_book *book, const struct og_order *order, int64_t now_ns,
                                                   struct og_scratch *scratch, struct og_origins **origins);
OG_API void og_origins_free(struct og_origins *origins); /* NULL is allowed */

/* Get the i-th rule, or the k-th setting of the i-th rule; both live as long as the report.  Return false past the
 * end. */
OG_API bool og_origins_rule(const struct og_origins *origins, size_t i, struct og_origin_rule *rule);
OG_API bool og_origins_setting(const struct og_origins *origins, size_t i, size_t k, struct og_origin_setting *setting);

#ifdef __cplusplus
}
#endif
#endif
