/*
 * A policy in force that is read again while the program runs: on SIGHUP, and when one of its files changes.
 */
#ifndef OG_TOOLS_RELOAD_H
#define OG_TOOLS_RELOAD_H

#include "ordergate/book.h"
#include "tools/common/demands.h"

struct reload {
    const char *program; /* "ordergate check" */
    struct og_policy_source *source;
    char *digest;   /* in force */
    int64_t looked; /* CLOCK_MONOTONIC, ns */
    bool changed;   /* since it was loaded */
    bool failed;    /* the newest could not be loaded: an older one is in force */
};

/* The policies for a start; words on stderr.  0, or the exit code; *policy is the caller's. */
int reload_begin(struct reload *r, const char *program, const char *const *names, size_t count,
                 const struct demands *demands, struct og_policy **policy);
/* From now on SIGHUP asks for it. */
void reload_on_hangup(void);
/* Whether it was asked for, or a file changed (looked at once a second). */
bool reload_wanted(struct reload *r);
/* Between two orders: swap the policy when that is wanted. */
void reload_look(struct reload *r, struct og_book *book);
void reload_end(struct reload *r);

#endif
