/*
 * Internals of the search for example orders: what is probed, the base probes that the search starts from, and how
 * one probe is decided.
 */
#pragma once

#include "diff/candidates.h"
#include "diff/diff.h"

#define OG_TEMPLATES_MOST   64
#define OG_SITES_MOST       48 /* sites of one target; further ones are not searched for */
#define OG_BASE_PROBES_MOST 192
#define OG_SYMBOLS_MOST     4 /* symbols that differ and are tried with everything else */

/* A place where the policies differ: a rule's settings, one of its overrides, or a custom rule. */
struct og_site {
    int side;                              /* index of the policy that has it: 0 before, 1 after */
    const struct og_rule_setting *setting; /* an order reaches the site if this setting applies to it */
    /* for a custom rule: an order reaches the site if the rule's condition holds */
    const struct og_custom *custom;
    const struct og_override *override;      /* the override that setting belongs to; NULL: the rule itself */
    unsigned char starts[OG_TEMPLATES_MOST]; /* base probes found so far, by template */
};

/* What is probed together: one rule, or one key of the policy. */
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

/* A probe to start from, whose order reaches some site of the target. */
struct og_base_probe {
    struct og_probe world;
    struct og_money required[2]; /* buying power that its order needs, by either policy */
    int site;                    /* the site it was made for; -1: none */
    bool passes;                 /* one of the policies accepts its order, or would without the target */
};

struct og_generator {
    struct og_diff *d;
    uint64_t seed;
    int64_t now;
    bool own_account;                           /* true if the caller named no account, so that orders may have any */
    char account[OG_SLOT_WORD_MOST];            /* otherwise the account of every order */
    struct og_probe base[OG_TEMPLATES_MOST];    /* usual orders, by template */
    struct og_probe climber[OG_TEMPLATES_MOST]; /* where the search for a site begins (reach.c) */
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
/* Decide one probe and report a difference to the listener. *passes (if not NULL) is set as in og_base_probe.
 *  Statuses here and below: OG_EFACTS if these facts cannot exist, OG_ENOMEM. */
enum og_status og_generator_try(struct og_generator *m, const struct og_probe *w, bool *passes);
/* Get the buying power that the probe's order needs, by either policy. */
enum og_status og_generator_cost(struct og_generator *m, const struct og_probe *w, struct og_money required[2]);
/* Make a probe for each template, near the usual values, that both policies accept if possible. */
enum og_status og_generator_begin(struct og_generator *m, struct og_hints *named);

/* --- reach.c ------------------------------------------------------------------------------------------------------ */
/* Find base probes for a target, with at most that many trials. */
enum og_status og_base_probes_find(struct og_generator *m, struct og_target *target, size_t most);
/* Set some of the slots that conditions mention to a value they name, or to one beside it. */
void og_base_probe_mix(struct og_generator *m, const struct og_target *target, struct og_probe *w);

/* --- mutations.c -------------------------------------------------------------------------------------------------- */
enum og_status og_mutations_run(struct og_generator *m, const struct og_target *target, size_t share);

/* --- targets.c ---------------------------------------------------------------------------------------------------- */
/* Get the next target that the policies have differently. *i begins at 0. Returns false if there are no more. */
bool og_target_next(const struct og_diff *d, size_t *i, struct og_target *target);
size_t og_target_count(const struct og_diff *d);
/* Make a target with everything that both policies name, for the case that nothing else is found. */
void og_target_whole(const struct og_diff *d, struct og_target *target);
