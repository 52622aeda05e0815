/*
 * Policies by the names they were given: signed, loaded only when they are signed, and loaded again when a file
 * changes.  A signature is of what policies come to (og_policy_show()) before the floor of the machine, so that a
 * changed file they stand on is seen too, and a policy signed elsewhere holds here, where a floor may tighten it.
 * Threads: a source belongs to one thread at a time.
 * NULL where it is not allowed: OG_EINVAL; a function without a status answers as if there were nothing.
 */
#ifndef ORDERGATE_SOURCE_H
#define ORDERGATE_SOURCE_H

#include "ordergate/policy.h"

#ifdef __cplusplus
extern "C" {
#endif

struct og_policy_source;

/* Names, count and floor_path as in og_policy_load_all(); key_path: the public key (PEM, Ed25519) whose signature they
 * must bear, NULL: none is asked for.  Strings are copied.  NULL when out of memory. */
OG_API OG_MUST_USE struct og_policy_source *og_policy_source_new(const char *const *names, size_t count,
                                                                 const char *floor_path, const char *key_path);
/* From now on it is loaded only when it is signed for this key too: all that were named must have signed.
 *   OG_EINVAL  16 other keys are named already; as before
 *   OG_ENOMEM  as before */
OG_API OG_MUST_USE enum og_status og_policy_source_require(struct og_policy_source *source, const char *key_path);
OG_API void og_policy_source_free(struct og_policy_source *source); /* NULL is allowed; policies loaded stay */

/* Load it, the first time or again.
 *   OG_OK       *policy is the caller's, to be freed with og_policy_free()
 *   OG_EPOLICY  an error in it, or its signature is missing or wrong: faults tell (signature-missing, signature-wrong,
 *               signature-unreadable, signature-of-another, key-unusable)
 *   OG_EIO      a file cannot be read, or the policy was read from stdin and cannot be read again
 *   OG_ENOMEM   In all of these *policy is NULL. */
OG_API OG_MUST_USE enum og_status og_policy_source_load(struct og_policy_source *source, struct og_policy **policy,
                                                        og_diagnostic_listener *listener, void *with,
                                                        struct og_error *err);

/* Whether a file that was looked for when it was last loaded (the policies, what they stand on, the floor, signature
 * and key) is another one now, has come or has gone.  A look at each file's status: no file is read. */
OG_API bool og_policy_source_changed(const struct og_policy_source *source);

/* Sign what the policies come to with a private key (PEM, Ed25519, without a passphrase, its owner's alone) into a
 * file: beside the last of them that is one, its name with ".sig" behind it, or to out_path when not NULL.  Signatures
 * of the same policy that are there stay; those of another are replaced.
 * *signed_path (NULL: not asked) is that file's name, to be freed with free().
 *   OG_EPOLICY  an error in the policy; faults tell
 *   OG_EINVAL   none of the policies is a file
 *   OG_EIO      policy or key cannot be read, others may read the key, or the signature cannot be written
 *   OG_ENOMEM */
OG_API OG_MUST_USE enum og_status og_policy_sign(const char *const *names, size_t count, const char *key_path,
                                                 const char *out_path, char **signed_path,
                                                 og_diagnostic_listener *listener, void *with, struct og_error *err);

#ifdef __cplusplus
}
#endif
#endif
