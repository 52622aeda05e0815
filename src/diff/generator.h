/*
 * Internals of the search for example orders: what is probed, the base probes that the search starts from, and how
 * one probe is decided.
 */
#pragma once

#include "diff/candidates.h"
#include "diff/diff.h"

#define OG_TEMPLATES_MOST   64
#define OG_SITES_MOST       48 /* most sites of one target; others are not searched for */
#define OG_BASE_PROBES_MOST 192
#define OG_SYMBOLS_MOST \
    4 /* most symbols that differ between the policies and are tried together with everything
       * else */

/* A place where the policies differ: a rule's settings, one of its overrides, or a custom rule. */
struct og_site {
    int side;                              /* the policy that has it: 0 before, 1 after */
    const struct og_rule_setting *setting; /* an order reaches the site if this setting is the one that applies to it */
    /* for a custom rule: an order reaches the site if the rule's condition holds */
    const struct og_custom *custom;
    const struct og_override *override;      /* the override to which the setting belongs; NULL: the rule itself */
    unsigned char starts[OG_TEMPLATES_MOST]; /* number of base probes found so far, by template */
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
    struct og_money required[2]; /* buying power that its order needs, by each policy */
    int site;                    /* index of the site for which it was made; -1: none */
    bool passes;                 /* one of the policies accepts its order, or would accept it without the target's
                                  * rule */
};

struct og_generator {
    struct og_diff *d;
    uint64_t seed;
    int64_t now;
    bool own_account;                           /* true if the caller named no account, so that orders may have any */
    char account[OG_SLOT_WORD_MOST];            /* if own_account is false, the account of every order */
    struct og_probe base[OG_TEMPLATES_MOST];    /* usual orders, by template */
    struct og_probe climber[OG_TEMPLATES_MOST]; /* probes from which the search for a site starts (reach.c) */
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
/* Decide one probe and report a difference to the listener. *passes (if not NULL) is set as in og_base_probe. Statuses
 *  of this function and the next ones: OG_EFACTS if the probe's facts cannot exist, OG_ENOMEM. */
enum og_status og_generator_try(struct og_generator *m, const struct og_probe *w, bool *passes);
/* Get the buying power that the probe's order needs, by each policy. */
enum og_status og_generator_cost(struct og_generator *m, const struct og_probe *w, struct og_money required[2]);
/* Make a probe for each template, near the usual values, that both policies accept where possible. */
enum og_status og_generator_begin(struct og_generator *m, struct og_hints *named);

/* --- reach.c ------------------------------------------------------------------------------------------------------ */
/* Find base probes for a target, with at most that many trials. */
enum og_status og_base_probes_find(struct og_generator *m, struct og_target *target, size_t most);
/* Set some of the slots that conditions mention to a value in the conditions, or to one just below or above it. */
void og_base_probe_mix(struct og_generator *m, const struct og_target *target, struct og_probe *w);

/* --- mutations.c -------------------------------------------------------------------------------------------------- */
enum og_status og_mutations_run(struct og_generator *m, const struct og_target *target, size_t share);

/* --- targets.c ---------------------------------------------------------------------------------------------------- */
/* Get the next target: settings that differ between the policies. *i begins at 0. Returns false if there are no
 * more. */
bool og_target_next(const struct og_diff *d, size_t *i, struct og_target *target);
size_t og_target_count(const struct og_diff *d);
/* Make a target of all settings of both policies, for the case that nothing else is found. */
void og_target_whole(const struct og_diff *d, struct og_target *target);
