/*
 * Internals of the search for example orders: what is probed, the base probes that the search starts from, and how
 * one probe is decided.
 */
#pragma once

#include "diff/candidates.h"
#include "diff/diff.h"

#define OG_TEMPLATES_MOST   64
#define OG_SITES_MOST       48 /* maximum number of sites of one target; further sites are not searched for */
#define OG_BASE_PROBES_MOST 192
#define OG_SYMBOLS_MOST \
    4 /* maximum number of symbols, each named by only one policy, that are tried together with all other values */

/* A place where the policies differ (in a rule's settings, in one of its overrides, or in a custom rule); an order
 * reaches the site if the policy decides it by that place. */
struct og_site {
    int side;                              /* the policy that has the site: 0 before, 1 after */
    const struct og_rule_setting *setting; /* an order reaches the site if this setting is the one that applies to it */
    /* for a custom rule: an order reaches the site if the rule's condition holds */
    const struct og_custom *custom;
    const struct og_override *override;      /* the override to which the setting belongs; NULL means the rule itself */
    unsigned char starts[OG_TEMPLATES_MOST]; /* for each template: number of base probes found so far */
};

/* What is probed together: the settings of one rule, or one key of the policy. */
struct og_target {
    struct og_str name;         /* "rules.order-notional" */
    const struct og_rule *rule; /* rule of the register; NULL for a custom rule or a key of the policy */
    size_t index;               /* index of rule in the register */
    bool custom;
    struct og_hints hints;
    struct og_slot_value symbol[OG_SYMBOLS_MOST];
    size_t symbols;
    struct og_site site[OG_SITES_MOST];
    size_t sites;
};

/* A probe from which mutations start; its order reaches some site of the target. */
struct og_base_probe {
    struct og_probe world;
    struct og_money required[2]; /* buying power that the probe's order needs by each policy */
    int site;                    /* index of the site for which the probe was made; -1 if there is none */
    bool passes;                 /* one of the policies accepts the probe's order, or would accept it without the
                                  * target's rule */
};

struct og_generator {
    struct og_diff *d;
    uint64_t seed;
    int64_t now;
    bool own_account;                           /* the caller named no account: an order may be of any account */
    char account[OG_SLOT_WORD_MOST];            /* if own_account is false: the account of every order */
    struct og_probe base[OG_TEMPLATES_MOST];    /* for each template: a probe with an ordinary order */
    struct og_probe climber[OG_TEMPLATES_MOST]; /* for each template: the probe from which the search for a site
                                                 * starts (reach.c) */
    struct og_buf line, facts, last, words;
    struct og_candidates candidates;
    struct og_base_probe start[OG_BASE_PROBES_MOST];
    size_t starts;
    struct og_str probed; /* id of the target's rule; empty if it has none */
    size_t left;          /* number of probes that may still be decided */
    og_diff_listener *listener;
    void *with;
};

/* --- generator.c -------------------------------------------------------------------------------------------------- */
size_t og_generator_below(struct og_generator *m, size_t n);
/* Returns true if the search may change the slot. */
bool og_generator_moves(const struct og_generator *m, enum og_slot slot);
/* Decide one probe and report a difference to the listener. If passes is not NULL, *passes gets the meaning of
 * og_base_probe.passes. This function and the next ones return OG_EFACTS if the probe's facts cannot exist, OG_ENOMEM
 * if memory runs out. */
enum og_status og_generator_try(struct og_generator *m, const struct og_probe *w, bool *passes);
/* Get the buying power that the probe's order needs by each policy. */
enum og_status og_generator_cost(struct og_generator *m, const struct og_probe *w, struct og_money required[2]);
/* Make a probe of each template with nearly the usual values; if possible, one that both policies accept. */
enum og_status og_generator_begin(struct og_generator *m, struct og_hints *named);

/* --- reach.c ------------------------------------------------------------------------------------------------------ */
/* Find base probes for a target, with at most `most` trials. */
enum og_status og_base_probes_find(struct og_generator *m, struct og_target *target, size_t most);
/* Choose some of the slots that conditions read, and set each to a constant of the conditions, or to a value just below
 * or above one. */
void og_base_probe_mix(struct og_generator *m, const struct og_target *target, struct og_probe *w);

/* --- mutations.c -------------------------------------------------------------------------------------------------- */
enum og_status og_mutations_run(struct og_generator *m, const struct og_target *target, size_t share);

/* --- targets.c ---------------------------------------------------------------------------------------------------- */
/* Get the next target: settings that differ between the policies. *i begins at 0. Returns false if there are no
 * more. */
bool og_target_next(const struct og_diff *d, size_t *i, struct og_target *target);
size_t og_target_count(const struct og_diff *d);
/* Make a target of all settings of both policies; used if there is no other target. */
void og_target_whole(const struct og_diff *d, struct og_target *target);
