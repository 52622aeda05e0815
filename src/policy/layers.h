/*
 * Layers of a policy: files, shipped policies and bytes laid over one another, then the floor.
 *
 * What a policy extends lies under it, in the order it is named.  A base that several of them share is laid once, where
 * it is first needed, so that it never covers what already stands on it.  A policy that does not say what it extends
 * stands on `default` when nothing lies there yet.
 */
#ifndef OG_POLICY_LAYERS_H
#define OG_POLICY_LAYERS_H

#include "policy/custom.h"
#include "policy/lists.h"
#include "policy/policy_file.h"
#include "policy/overrides.h"
#include "policy/rule_entry.h"

#define OG_NAME_MOST 64 /* bytes of a policy's name */

struct og_layers {
    struct og_policy *policy;
    struct og_arena room; /* trees and what they say; freed when the policy is made */
    struct og_diagnostics faults;
    struct og_policy_file *sources, **next_source;
    int opened, laid;
    const struct og_layers *whole;         /* what is laid here is one policy of that, by itself; NULL: it is no such */
    struct og_srcloc lock_here;            /* the first lock that the document being laid says; .source NULL: none */
    struct og_files *files;                /* told of every file looked for; NULL: nobody asks */
    struct og_srcloc locked, locked_below; /* the first lock there is; the first that lies below the layer being laid */
    struct og_draft *drafts;               /* og_rules_size, in the register's order */
    struct og_override_entries *overrides; /* likewise */
    struct og_customs customs;
    struct og_lists lists, floor_lists;
};

bool og_layers_init(struct og_layers *l, struct og_policy *policy);
void og_layers_clear(struct og_layers *l);

/* Lay a policy the caller named.  Faults go to l->faults; OG_EIO when it cannot be read at all. */
enum og_status og_layers_lay_name(struct og_layers *l, const char *name, struct og_error *err);
void og_layers_lay_bytes(struct og_layers *l, struct og_str bytes, const char *name);
/* All layers are laid: every rule's overrides start from its own settings. */
void og_layers_branch(struct og_layers *l);
/* Then tighten all by the floor at path.  A missing floor is OG_EIO when it must be there. */
enum og_status og_layers_floor(struct og_layers *l, const char *path, bool must, struct og_error *err);
/* Last: note what rules still miss and settings that do not agree; fill in policy->rules. */
void og_layers_finalize(struct og_layers *l);

/* Inside: lay one policy of `whole` by itself, from the same bytes.  Clear what it is laid in, and free its policy. */
void og_layers_lay_alone(struct og_layers *l, const struct og_layers *whole, const struct og_policy_file *source);
/* Inside: open what a policy names, and note the file; as og_policy_file_open(). */
enum og_opening og_layers_open(struct og_layers *l, const char *name, const char *folder,
                               struct og_policy_file *source);
/* The same of a file of words, whatever it is called. */
enum og_opening og_layers_open_list(struct og_layers *l, const char *path, const char *folder,
                                    struct og_policy_file *source);
/* Inside: one document's keys (keys.c). */
void og_layers_keys(struct og_layers *l, const struct og_policy_file *source, const struct og_yaml *root, bool floor);
bool og_name_char(char c);

#endif
