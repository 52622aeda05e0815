/*
 * Making policies, as the library itself does it.
 */
#ifndef OG_POLICY_LOAD_H
#define OG_POLICY_LOAD_H

#include "policy/files.h"
#include "policy/policy.h"

/* og_policy_load_all(), which also tells which files it looked for, whatever comes of it (NULL: nobody asks).
 * floor_path "": no floor is laid. */
enum og_status og_policy_make(const char *const *names, size_t count, const char *floor_path, struct og_files *files,
                              struct og_policy **policy, og_diagnostic_listener *listener, void *with,
                              struct og_error *err);
/* The same of one policy in memory, as og_policy_read() takes it. */
enum og_status og_policy_make_of(struct og_str bytes, const char *name, const char *floor_path,
                                 struct og_policy **policy, og_diagnostic_listener *listener, void *with,
                                 struct og_error *err);

extern const char og_policy_floor_path[]; /* of the machine */

#endif
