/*
 * Reads the bytes of policies from files, stdin, and shipped policies, which are compiled into the library.
 */
#pragma once

#include "policy/diagnostics.h"

enum og_opening {
    OG_OPEN_OK = 0,
    OG_OPEN_NO_SUCH, /* no shipped policy has that name */
    OG_OPEN_UNSAFE,  /* another user could have written or replaced the file */
    OG_OPEN_TOO_LARGE,
    OG_OPEN_FAILED, /* errno says why */
    OG_OPEN_NO_MEMORY
};

bool og_policy_file_is_path(const char *name); /* returns true if name contains '/' or ends in ".yaml" or ".yml" */
/* Open the policy `name`, relative to `folder`, and read all of it into the arena.  If folder is NULL, "-" is stdin. */
enum og_opening og_policy_file_open(const char *name, const char *folder, struct og_arena *arena,
                                    struct og_policy_file *source);
/* Open and read a file of any name, as og_policy_file_open() does. */
enum og_opening og_policy_file_open_path(const char *path, const char *folder, struct og_arena *arena,
                                         struct og_policy_file *source);
/* Returns the path of a file that a policy in that folder (NULL if there is none) names; NULL if out of memory. */
char *og_policy_file_beside(const char *name, const char *folder, struct og_arena *arena);
/* Make a source from bytes in memory; the bytes are copied. */
enum og_opening og_policy_file_of_bytes(struct og_str bytes, const char *name, struct og_arena *arena,
                                        struct og_policy_file *source);
bool og_policy_file_same(const struct og_policy_file *a, const struct og_policy_file *b);
/* Returns why a source was not opened, as the rest of a message "policy 'x' ...".  errno must still have the value that
 * og_policy_file_open() left. */
const char *og_opening_text(enum og_opening opening, const struct og_policy_file *source, char *to, size_t size);
