/*
 * Where policies come from: files, stdin, what is compiled into the library.
 */
#ifndef OG_POLICY_POLICY_FILE_H
#define OG_POLICY_POLICY_FILE_H

#include "policy/diagnostics.h"

enum og_opening {
    OG_OPEN_OK = 0,
    OG_OPEN_NO_SUCH, /* no shipped policy has that name */
    OG_OPEN_UNSAFE,  /* another user could have written or replaced the file */
    OG_OPEN_TOO_LARGE,
    OG_OPEN_FAILED, /* errno says why */
    OG_OPEN_NO_MEMORY
};

bool og_policy_file_is_path(const char *name); /* contains '/' or ends in ".yaml" or ".yml" */
/* Open name as seen from folder and read all of it; memory is the arena's.  "-" is stdin when folder is NULL. */
enum og_opening og_policy_file_open(const char *name, const char *folder, struct og_arena *arena,
                                    struct og_policy_file *source);
/* Likewise, of a file whatever it is called. */
enum og_opening og_policy_file_open_path(const char *path, const char *folder, struct og_arena *arena,
                                         struct og_policy_file *source);
/* Of bytes the caller holds: they are copied. */
enum og_opening og_policy_file_of_bytes(struct og_str bytes, const char *name, struct og_arena *arena,
                                        struct og_policy_file *source);
bool og_policy_file_same(const struct og_policy_file *a, const struct og_policy_file *b);
/* What went wrong, completing "policy 'x' ..."; errno is still that of the opening. */
const char *og_opening_text(enum og_opening opening, const struct og_policy_file *source, char *to, size_t size);

#endif
