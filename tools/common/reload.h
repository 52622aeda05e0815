/*
 * Loads a policy, and loads it again on SIGHUP and when one of its files changes.
 */
#pragma once

#include "ordergate/book.h"
#include "ordergate/source.h"
#include "tools/common/options.h"

enum { SIGNATURE_KEYS_MOST = 8 };

struct reload {
    const char *program; /* "ordergate check" */
    struct og_policy_source *source;
    char *digest;   /* digest of the policy in use */
    int64_t looked; /* when the files were last checked for changes: CLOCK_MONOTONIC, ns */
    bool changed;   /* a file has changed since the last load */
    bool failed;    /* the last load failed: an older policy is in use */
};

/* Load policies as og_policy_load_all() does, and print errors on stderr. Returns 0, and *policy for the caller to
 * free; or exit code 3. */
int load_policy(const char *program, const char *const *names, size_t count, struct og_policy **policy);
/* Make a source as og_policy_source_new() does, for policies that must have signatures of at least `need` of the keys;
 * 0 means of all keys.  Returns NULL if out of memory. */
struct og_policy_source *signed_source(const char *const *names, size_t count, const char *floor,
                                       const struct option_list *keys, int need);
/* Load the policies at the start of the program.  Returns 0, and *policy for the caller to free; or the exit code after
 * a message on stderr. */
int reload_begin(struct reload *r, const char *program, const struct option_list *names, const struct option_list *keys,
                 int need, struct og_policy **policy);
/* Install the handler of SIGHUP. */
void reload_on_hangup(void);
/* Returns true after SIGHUP, or if a file has changed; files are checked once a second. */
bool reload_wanted(struct reload *r);
/* Call between two orders: if reload_wanted(), load the policy again, and give the new one to the book. */
void reload_look(struct reload *r, struct og_book *book);
void reload_end(struct reload *r);
