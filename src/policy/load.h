/*
 * Makes policies; the functions behind og_policy_load_all() and og_policy_read().
 */
#pragma once

#include "policy/files.h"
#include "policy/policy.h"

/* Load like og_policy_load_all(), and add every file that was looked for to *files (if not NULL), even if loading
 * fails. floor_path "": no floor. */
enum og_status og_policy_make(const char *const *names, size_t count, const char *floor_path, struct og_files *files,
                              struct og_policy **policy, og_diagnostic_listener *listener, void *with,
                              struct og_error *err);
/* Make a policy from bytes in memory, like og_policy_read(). */
enum og_status og_policy_make_of(struct og_str bytes, const char *name, const char *floor_path,
                                 struct og_policy **policy, og_diagnostic_listener *listener, void *with,
                                 struct og_error *err);

extern const char og_policy_floor_path[]; /* path of the machine's floor: "/etc/ordergate/floor.yaml" */
