/*
 * Reports changes that loosen something locked.
 */
#include "policy/lock_report.h"

#include <stdio.h>

#include "base/error.h"
#include "policy/lock.h"

void og_lock_report(struct og_layers *l, struct og_srcloc at, struct og_srcloc lock, const char *what, const char *name,
                    const char *how)
{
    og_error_add(&l->faults, at, "locked-loosened", "%s '%s' is locked (%s:%d:%d): %s", what, name, lock.source->name,
                 lock.line, lock.col, how);
}

bool og_lock_same_place(struct og_srcloc a, struct og_srcloc b)
{
    return a.source && b.source && a.line == b.line && a.col == b.col && strcmp(a.source->name, b.source->name) == 0;
}

void og_lock_refuse_under(struct og_layers *l, struct og_srcloc at, struct og_srcloc lock, const char *how)
{
    og_error_add(&l->faults, at, "locked-loosened", "a layer %s has locked rules (%s:%d:%d): %s",
                 og_lock_same_place(lock, l->locked_below) ? "below" : "over it", lock.source->name, lock.line,
                 lock.col, how);
}

bool og_lock_refuse_key(struct og_layers *l, struct og_srcloc at, struct og_srcloc lock, const char *key,
                        const char *why)
{
    char how[300];

    snprintf(how, sizeof how, "'%s' may only become stricter%s", key, why);
    og_lock_refuse_under(l, at, lock, how);
    return false;
}

bool og_lock_refuse_change(struct og_layers *l, struct og_srcloc at, struct og_srcloc lock, const char *key,
                           const char *is, const char *here)
{
    char why[100];

    snprintf(why, sizeof why, ": it is %s, here %s", is, here);
    return og_lock_refuse_key(l, at, lock, key, why);
}
