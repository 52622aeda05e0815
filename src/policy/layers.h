/*
 * Layers of a policy: files, shipped policies and bytes laid over one another, then the floor.
 *
 * The policies that a policy extends are laid before it, in the order named. If several policies extend the same one,
 * it is laid only once, before the first of them, so that it overrides none of them. A first policy without `extends`
 * is laid over `default`.
 */
#pragma once

#include "policy/custom.h"
#include "policy/layer_values.h"
#include "policy/lists.h"
#include "policy/overrides.h"
#include "policy/policy_file.h"
#include "policy/rule_entry.h"

#define OG_NAME_MOST 64 /* maximum length of a policy's name, in bytes */

struct og_layers {
    struct og_policy *policy;
    struct og_arena room; /* memory of YAML trees and of entries read from them; freed when the policy is made */
    struct og_diagnostics faults;
    struct og_policy_file *sources, **next_source;
    int opened, laid;
    /* NULL, unless these layers are a single policy laid alone for a comparison: then the full layers to which that
     * policy belongs */
    const struct og_layers *whole;
    /* the first lock in the document that is being laid; .source is NULL if there is none */
    struct og_srcloc lock_here;
    struct og_files *files; /* collects every file that is looked for; NULL: files are not collected */
    /* locked: the first lock in all layers; locked_below: the first lock in the layers below the one being laid */
    struct og_srcloc locked, locked_below;
    bool tags_locked;        /* a limit that depends on orders' tags is locked in the layers below the one being laid */
    unsigned age_locked;     /* for each kind of fact, a bit: a document that has a lock sets the fact's max_age */
    struct og_draft *drafts; /* one for each built-in rule, in the register's order */
    struct og_override_entries *overrides; /* the overrides of each built-in rule, in the same order */
    const struct og_layer_value **said;    /* for each built-in rule, in the same order: the values that layers give
                                            * to its settings */
    struct og_customs customs;
    struct og_lists lists, floor_lists;
};

bool og_layers_init(struct og_layers *l, struct og_policy *policy);
void og_layers_clear(struct og_layers *l);

/* Lay a policy that the caller named over the layers so far.  Errors go to l->faults; returns OG_EIO if the policy
 * cannot be read. */
enum og_status og_layers_lay_name(struct og_layers *l, const char *name, struct og_error *err);
void og_layers_lay_bytes(struct og_layers *l, struct og_str bytes, const char *name);
/* Call after all layers are laid: each override inherits its rule's settings where it sets none of its own. */
void og_layers_branch(struct og_layers *l);
/* Call after og_layers_branch(): tighten everything by the floor at `path`.  Returns OG_EIO if the floor cannot be
 * read, or if `must` is set and it is missing. */
enum og_status og_layers_floor(struct og_layers *l, const char *path, bool must, struct og_error *err);
/* Call last: report missing and contradictory settings, and make policy->rules. */
void og_layers_finalize(struct og_layers *l);

/* Internal: lay one policy of `whole` alone, from the same bytes.  The caller clears *l and frees its policy. */
void og_layers_lay_alone(struct og_layers *l, const struct og_layers *whole, const struct og_policy_file *source);
/* Internal: open the file of a list, which may have any name, and add it to l->files. */
enum og_opening og_layers_open_list(struct og_layers *l, const char *path, const char *folder,
                                    struct og_policy_file *source);
/* Internal: lay the keys of one document over the layers below (parse.c). */
void og_layers_keys(struct og_layers *l, const struct og_policy_file *source, const struct og_yaml *root, bool floor);
bool og_name_char(char c);
