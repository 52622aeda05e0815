/*
 * Policy sources: load policies by name, check their signatures, load them again when a file changes, and sign them. A
 * signature covers the effective policy (og_policy_show()) before the machine's floor. So a change in a policy that is
 * extended invalidates it, and a policy that was signed on another machine is valid here, where a floor may tighten it.
 * For a list with a key of its own (lists: {name: {file: f, key: k}}) the signature covers that key, and not the
 * entries of the list; such a list loads only with a signature by that key, whichever function loads the policy.
 * Signatures that a floor demands (require_signatures) are checked only by sources, not by og_policy_load_all(), which
 * can therefore load policies that are not signed yet, for inspection.
 * Threads: a source belongs to one thread at a time.
 * Passing NULL where it is not allowed returns OG_EINVAL; a function that returns no status then does nothing and
 * returns an empty value (0, false, NULL or "").
 */
#ifndef ORDERGATE_SOURCE_H
#define ORDERGATE_SOURCE_H

#include "ordergate/policy.h"

#ifdef __cplusplus
extern "C" {
#endif

struct og_policy_source;

/* Make a source. names, count and floor_path are as for og_policy_load_all(). key_path: a public key (PEM, Ed25519);
 * the policies must be signed by its private key. If key_path is NULL, no signature is needed. Strings are copied.
 * Returns NULL if memory ran out. */
OG_API OG_MUST_USE struct og_policy_source *og_policy_source_new(const char *const *names, size_t count,
                                                                 const char *floor_path, const char *key_path);
/* Require the signature of one more key, in addition to what was required before.
 *   OG_EINVAL  16 other keys, or groups of keys, are required already
 *   OG_ENOMEM  In both nothing changed. */
OG_API OG_MUST_USE enum og_status og_policy_source_require(struct og_policy_source *source, const char *key_path);
/* Require that at least `need` of these keys have signed, in addition to what was required before: each requirement
 * must be met by itself, and so must the floor's requirement. A key counts once, even if it or a copy of it is named
 * several times.
 *   OG_EINVAL  need is 0 or above count, count is above 16, or 16 other keys, or groups of keys, are required already
 *   OG_ENOMEM  In both nothing changed. */
OG_API OG_MUST_USE enum og_status og_policy_source_require_some(struct og_policy_source *source,
                                                                const char *const *key_paths, size_t count,
                                                                size_t need);
OG_API void og_policy_source_free(struct og_policy_source *source); /* NULL is allowed; loaded policies stay valid */

/* Load the policy, the first time or again.
 *   OG_OK       *policy is set; the caller frees it with og_policy_free()
 *   OG_EPOLICY  the policy has an error, or a signature is missing or wrong: diagnostics say which (signature-missing,
 *               signature-wrong, signatures-too-few, signature-unreadable, signature-of-another, key-unusable,
 *               keys-too-few)
 *   OG_EIO      a file cannot be read, or the policy came from stdin and cannot be read again
 *   OG_ENOMEM   In all of these *policy is NULL. */
OG_API OG_MUST_USE enum og_status og_policy_source_load(struct og_policy_source *source, struct og_policy **policy,
                                                        og_diagnostic_listener *listener, void *with,
                                                        struct og_error *err);

/* Returns true if a file that the last load looked for has changed, appeared or disappeared: the policies, those they
 * extend, their lists, the floor, signatures and keys.  It compares the files' status and reads none of them. */
OG_API bool og_policy_source_changed(const struct og_policy_source *source);

/* Sign the effective policy with a private key (PEM, Ed25519, without a passphrase, readable by its owner only).  The
 * signature is written to out_path, or, if that is NULL, beside the last of the names that is a file, with ".sig" added
 * to its name.  Signatures of the same policy in that file are kept, those of another policy are replaced.
 * *signed_path is the file's name, which the caller frees with free(); signed_path may be NULL.
 *   OG_EPOLICY  an error in the policy; diagnostics say which
 *   OG_EINVAL   none of the names is a file
 *   OG_EIO      the policy or the key cannot be read, others may read the key, or the signature cannot be written
 *   OG_ENOMEM */
OG_API OG_MUST_USE enum og_status og_policy_sign(const char *const *names, size_t count, const char *key_path,
                                                 const char *out_path, char **signed_path,
                                                 og_diagnostic_listener *listener, void *with, struct og_error *err);

/* Sign the file of a list that has a key of its own, as og_policy_sign() signs a policy. The signature covers the bytes
 * and the name of the file, without its folder, and is written beside the file if out_path is NULL.
 *   OG_EIO      the list or the key cannot be read, others may read the key, the file's name cannot be signed, or the
 *               signature cannot be written
 *   OG_ENOMEM */
OG_API OG_MUST_USE enum og_status og_list_sign(const char *list_path, const char *key_path, const char *out_path,
                                               char **signed_path, struct og_error *err);

#ifdef __cplusplus
}
#endif
#endif
