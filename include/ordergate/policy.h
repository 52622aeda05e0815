/*
 * Policies: which rules apply, how strongly and with which settings (docs/contract.md "Policies").
 * A policy with an error is not loaded; every error is reported, not only the first.
 * Threads: a policy is constant once it is loaded, and threads may share it.
 * Passing NULL where it is not allowed returns OG_EINVAL; a function that returns no status then does nothing and
 * returns an empty value (0, false, NULL or "").
 */
#ifndef ORDERGATE_POLICY_H
#define ORDERGATE_POLICY_H

#include <stdbool.h>
#include <stddef.h>

#include "ordergate/decision.h"
#include "ordergate/status.h"
#include "ordergate/time.h"

#ifdef __cplusplus
extern "C" {
#endif

struct og_policy;

enum og_severity { OG_WARNING = 1, OG_ERROR = 2 };

/* An error or a warning about a policy. */
struct og_diagnostic {
    enum og_severity severity;
    const char *file;  /* the file as the caller named it, or the path of an extended policy */
    int line, col;     /* from 1; 0 if the fault has no place in the file */
    const char *code;  /* "unknown-key", "value-out-of-bounds", ...: permanent */
    const char *text;  /* lower case, no full stop; names the value seen, the values allowed and the likely spelling */
    const char *meant; /* the likely spelling of the word at this place; NULL if none is near */
};
/* Called for every diagnostic, in the sequence of the file; the strings are valid during the call. */
typedef void og_diagnostic_listener(void *with, const struct og_diagnostic *fault);

/* Load one policy by name: a path (if it contains '/' or ends in ".yaml" or ".yml"), the name of a shipped policy, or
 * "-" for stdin.  listener may be NULL.
 *   OG_OK       *policy is set (there may have been warnings); free it with og_policy_free()
 *   OG_EPOLICY  at least one error; err holds the first; *policy is NULL
 *   OG_EIO      the file is missing, cannot be read, or may be written by others; err says which; *policy is NULL
 *   OG_ENOMEM   *policy is NULL */
OG_API OG_MUST_USE enum og_status og_policy_load(const char *name, struct og_policy **policy,
                                                 og_diagnostic_listener *listener, void *with, struct og_error *err);

/* Load several policies as layers of one policy: a later layer overrides those before it. count 0 means the shipped
 * policy "default". The floor is then laid over the layers, and can only tighten them: /etc/ordergate/floor.yaml, or
 * the file at floor_path if that is not NULL ("" means no floor). Signatures that the floor demands are not checked: a
 * program that decides by the policy loads it by og_policy_source_load(). Returns the statuses of og_policy_load(). */
OG_API OG_MUST_USE enum og_status og_policy_load_all(const char *const *names, size_t count, const char *floor_path,
                                                     struct og_policy **policy, og_diagnostic_listener *listener,
                                                     void *with, struct og_error *err);

/* Load a policy from memory.  name is what diagnostics call it, and may be NULL; relative paths under extends are
 * relative to the folder of name. */
OG_API OG_MUST_USE enum og_status og_policy_read(const char *yaml, size_t len, const char *name,
                                                 struct og_policy **policy, og_diagnostic_listener *listener,
                                                 void *with, struct og_error *err);

OG_API void og_policy_free(struct og_policy *policy); /* NULL is allowed */

OG_API const char *og_policy_name(const struct og_policy *policy);
/* Returns "name@sha256:<64 hex>": the digest of the effective policy as og_policy_show() writes it. */
OG_API const char *og_policy_digest(const struct og_policy *policy);
/* Returns the environment that the policy declares ("environment: live"): "paper", "live", or "" if it declares
 * none. */
OG_API const char *og_policy_environment(const struct og_policy *policy);
/* Returns true if a rule in force may use the fact, which is named as in a rule's list of facts, such as "pnl". */
OG_API bool og_policy_asks(const struct og_policy *policy, const char *fact);
/* Returns true if the policy or a floor locks the rule, built in or custom: a waiver of it has no effect.  Returns
 * false for an unknown rule. */
OG_API bool og_policy_locks(const struct og_policy *policy, const char *rule);
/* Returns the id of a limit that the policy sets and that orders pass with a warning when a fact it needs, such as a
 * quote, is missing or too old; NULL if the policy refuses such orders, or sets no such limit.  policy may be NULL. */
OG_API const char *og_policy_passes_unsure(const struct og_policy *policy);
/* Returns true if the floor demands signatures (require_signatures) and they were not checked, because the policy was
 * not loaded by og_policy_source_load(). Such a policy is only for inspection, and a sender rejects it. */
OG_API bool og_policy_unsigned(const struct og_policy *policy);

/* A custom rule in force.  Strings live as long as the policy; they are "" for keys that are not set. */
struct og_custom_info {
    const char *id, *when, *require, *message, *help;
    enum og_level level;
    const char *unsure, *mode; /* unsure: "warn" or "refuse"; mode: "enforce", "warn" or "shadow" */
    bool locked;
    int64_t until;         /* when the rule ends, in ns; OG_TIME_UNKNOWN if it does not end */
    const char *reason;    /* why the rule is temporary */
    const char *facts[32]; /* facts that the rule may use; NULL-terminated */
    const char *file;      /* the layer that set the rule last, and the place in its file */
    int line, col;
};
/* Get the i-th custom rule, in the sequence in which they run.  Returns false past the end. */
OG_API bool og_policy_custom(const struct og_policy *policy, size_t i, struct og_custom_info *info);

/* Write the effective policy as YAML, with every default and in a fixed sequence; NUL-terminated if it fits.
 *   OG_EINVAL  size is too small: *len + 1 is the size needed */
OG_API OG_MUST_USE enum og_status og_policy_show(const struct og_policy *policy, char *to, size_t size, size_t *len);
/* Write the reference policy: every rule and setting at its default, each with a comment.  Statuses as of
 * og_policy_show(). */
OG_API OG_MUST_USE enum og_status og_policy_reference(char *to, size_t size, size_t *len);
/* Lay out a policy, a file of policy tests or another YAML document in the usual way: two blanks for each level of
 * nesting, one between words, none inside brackets, at most one blank line. Values, their quoting and order, line
 * breaks and comments stay, and a policy keeps its digest. name is what diagnostics call the document; listener may be
 * NULL.
 *   OG_OK      *to holds *to_len bytes and a NUL; the caller frees it with free()
 *   OG_ESYNTAX the text is not YAML as policies use it, or (without a diagnostic) its new layout would change its
 *              meaning; err holds the first error; *to is NULL
 *   OG_ENOMEM  *to is NULL */
OG_API OG_MUST_USE enum og_status og_yaml_format(const char *yaml, size_t len, const char *name, char **to,
                                                 size_t *to_len, og_diagnostic_listener *listener, void *with,
                                                 struct og_error *err);
/* og_policy_shipped() returns the name of the i-th shipped policy, NULL past the end. og_policy_shipped_text() returns
 * the YAML of the shipped policy with that name, NULL if there is none. */
OG_API const char *og_policy_shipped(size_t i);
OG_API const char *og_policy_shipped_text(const char *name, size_t *len);

#ifdef __cplusplus
}
#endif
#endif
