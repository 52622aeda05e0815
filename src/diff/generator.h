/*
 * Making orders, inside: what is probed, the worlds it is probed from, and how one is decided.
 */
#ifndef OG_DIFF_GENERATOR_H
#define OG_DIFF_GENERATOR_H

#include "diff/candidates.h"
#include "diff/diff.h"

#define OG_TEMPLATES_MOST   64
#define OG_SITES_MOST       48 /* of one target; what is beyond is not sought out */
#define OG_BASE_PROBES_MOST 192
#define OG_SYMBOLS_MOST     4 /* that differ, and are tried with everything else */

/* A place that the policies have differently: a rule as it stands, an override of it, a rule of their own. */
struct og_site {
    int side;                                /* whose it is */
    const struct og_rule_setting *setting;   /* a case is of it when this is what stands for the case */
    const struct og_custom *custom;          /* or: when its condition holds */
    const struct og_override *override;      /* setting is its; NULL: it is the rule's */
    unsigned char starts[OG_TEMPLATES_MOST]; /* found so far, by scene */
};

/* What is probed together: a rule, or a key of the policy. */
struct og_target {
    struct og_str name;         /* "rules.order-notional" */
    const struct og_rule *rule; /* of the register; NULL: it is none of it */
    size_t index;               /* of rule */
    bool custom;
    struct og_dictionary dictionary;
    struct og_hints hints;
    struct og_slot_value symbol[OG_SYMBOLS_MOST];
    size_t symbols;
    struct og_site site[OG_SITES_MOST];
    size_t sites;
};

/* A world to start from, in which some site of the target decides. */
struct og_base_probe {
    struct og_probe world;
    struct og_money required[2]; /* of buying power, by either policy */
    int site;                    /* that it was made for; -1: for none */
    bool passes;                 /* one of them accepts its order, or would but for the target */
};

struct og_generator {
    struct og_diff *d;
    uint64_t seed;
    int64_t now;
    bool own_account;                /* orders may be of any account: the caller named none */
    char account[OG_SLOT_WORD_MOST]; /* whose orders they are else */
    struct og_probe base[OG_TEMPLATES_MOST];
    struct og_buf line, facts, last, words;
    struct og_candidates candidates;
    struct og_base_probe start[OG_BASE_PROBES_MOST];
    size_t starts;
    struct og_str probed; /* id of the target's rule; len 0: it has none */
    size_t left;          /* of all that may be made */
    og_diff_listener *listener;
    void *with;
};

/* --- generator.c --- */
size_t og_generator_below(struct og_generator *m, size_t n);
/* Whether the slot may be changed at all. */
bool og_generator_moves(const struct og_generator *m, enum og_slot slot);
/* Decide one of those that may be made, and tell the listener; passes (NULL: not asked for) as in a start.  Statuses,
 * here and below: OG_EFACTS: there can be no such world; OG_ENOMEM. */
enum og_status og_generator_try(struct og_generator *m, const struct og_probe *w, bool *passes);
/* What the world's order takes of buying power. */
enum og_status og_generator_cost(struct og_generator *m, const struct og_probe *w, struct og_money required[2]);
/* Worlds of every scene, near the usual, that both policies accept where that can be had. */
enum og_status og_generator_begin(struct og_generator *m, struct og_dictionary *words);

/* --- solve.c --- */
/* Worlds, in those scenes, in which what the site's conditions demand is met, one demand after the other; found() is
 * told of each, and its status is passed on.  end: how many orders have to be left. */
typedef enum og_status og_found_probe(struct og_generator *m, struct og_target *target, size_t scene,
                                      const struct og_probe *w);
enum og_status og_solve(struct og_generator *m, struct og_target *target, const struct og_site *site,
                        const bool *scenes, size_t end, og_found_probe *found);
/* The case of the order decided last, as the side's policy has it. */
void og_generator_case(struct og_generator *m, const struct og_probe *w, int side, struct og_case *c);

/* --- base_probes.c --- */
/* The worlds of m->start for a target, with so many probes at most. */
enum og_status og_base_probes_find(struct og_generator *m, struct og_target *target, size_t most);
/* Move what the conditions name, some of it, each to a value they name or one beside it. */
void og_base_probe_mix(struct og_generator *m, const struct og_target *target, struct og_probe *w);

/* --- mutations.c --- */
enum og_status og_mutations_run(struct og_generator *m, const struct og_target *target, size_t share);

/* --- targets.c --- */
/* The next that the policies have differently, from *i on, which begins at 0; false past the last. */
bool og_target_next(const struct og_diff *d, size_t *i, struct og_target *target);
size_t og_target_count(const struct og_diff *d);
/* What both policies name anywhere, and nothing else. */
void og_target_whole(const struct og_diff *d, struct og_target *target);

#endif
