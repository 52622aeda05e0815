/*
 * Policies: which rules apply, how strongly and with which settings (docs/contract.md "Policies").
 * A policy with an error in it is not loaded; every error is reported, not only the first.
 * Threads: a policy is constant once read and may be shared.
 * NULL where it is not allowed: OG_EINVAL; a function without a status answers as if there were nothing.
 */
#ifndef ORDERGATE_POLICY_H
#define ORDERGATE_POLICY_H

#include "ordergate/decision.h"
#include "ordergate/status.h"
#include "ordergate/time.h"

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct og_policy;

enum og_severity { OG_WARNING = 1, OG_ERROR = 2 };

/* One thing wrong with a policy. */
struct og_diagnostic {
    enum og_severity severity;
    const char *file;  /* as named by the caller, or the path of an extended policy */
    int line, col;     /* from 1; 0 when it has no place */
    const char *code;  /* "unknown-key", "value-out-of-bounds", ... : permanent */
    const char *text;  /* lower case, no full stop; names the value seen, the values allowed, the nearest neighbour */
    const char *meant; /* that neighbour: what the word here was likely meant to be; NULL: nobody knows */
};
/* Called for every fault in the order of the file; the strings live during the call. */
typedef void og_diagnostic_listener(void *with, const struct og_diagnostic *fault);

/* Read one policy by name: a path (contains '/' or ends in ".yaml" or ".yml"), or the name of a shipped policy.  "-" is
 * stdin.  listener may be NULL.
 *   OG_OK       *policy is set (there may have been warnings); free with og_policy_free()
 *   OG_EPOLICY  at least one error; err holds the first; *policy is NULL
 *   OG_EIO      the file cannot be read (missing, others may write it: err says which); *policy is NULL
 *   OG_ENOMEM   *policy is NULL */
OG_API OG_MUST_USE enum og_status og_policy_load(const char *name, struct og_policy **policy,
                                                 og_diagnostic_listener *listener, void *with, struct og_error *err);

/* Several lie over one another in order, later wins; count 0 is the built-in policy "default".  Then the floor
 * (/etc/ordergate/floor.yaml, or floor_path when not NULL; "": none) is laid over and can only tighten. */
OG_API OG_MUST_USE enum og_status og_policy_load_all(const char *const *names, size_t count, const char *floor_path,
                                                     struct og_policy **policy, og_diagnostic_listener *listener,
                                                     void *with, struct og_error *err);

/* Read from memory; name is what faults call the source, and its folder is where relative extends are looked for. */
OG_API OG_MUST_USE enum og_status og_policy_read(const char *yaml, size_t len, const char *name,
                                                 struct og_policy **policy, og_diagnostic_listener *listener,
                                                 void *with, struct og_error *err);

OG_API void og_policy_free(struct og_policy *policy); /* NULL is allowed */

OG_API const char *og_policy_name(const struct og_policy *policy);
/* "name@sha256:<64 hex>": the digest of the effective policy as og_policy_show() writes it. */
OG_API const char *og_policy_digest(const struct og_policy *policy);
/* What the policy says the account is ("environment: live"): "paper", "live", or "" when it does not say. */
OG_API const char *og_policy_environment(const struct og_policy *policy);
/* Whether a rule that is in force may ask for such a fact, by its name in a rule's list of facts: "pnl". */
OG_API bool og_policy_asks(const struct og_policy *policy, const char *fact);
/* Whether it locks a rule, of the register or its own, or a floor does: no waiver of such a rule counts.  false also
 * for a rule it does not know. */
OG_API bool og_policy_locks(const struct og_policy *policy, const char *rule);

/* A rule of the policy's own, as it is in force.  Strings live as long as the policy; "" is what was not given. */
struct og_custom_info {
    const char *id, *when, *require, *message, *help;
    enum og_level level;
    const char *unsure, *mode; /* "warn", "refuse"; "enforce", "warn", "shadow" */
    bool locked;
    int64_t until;         /* ns; OG_TIME_UNKNOWN: for good */
    const char *reason;    /* why it is temporary */
    const char *facts[32]; /* it may ask for, NULL-ended */
    const char *file;      /* where it was written last */
    int line, col;
};
/* The i-th, in the order they run; false past the end. */
OG_API bool og_policy_custom(const struct og_policy *policy, size_t i, struct og_custom_info *info);

/* The effective policy as YAML, every default spelled out, stable order; NUL-terminated when it fits.
 * OG_EINVAL: size is too small, *len is the size needed less 1. */
OG_API OG_MUST_USE enum og_status og_policy_show(const struct og_policy *policy, char *to, size_t size, size_t *len);
/* Every rule and setting at its default, with a comment each: reference.yaml. */
OG_API OG_MUST_USE enum og_status og_policy_reference(char *to, size_t size, size_t *len);
/* The i-th shipped policy's name, NULL past the end; and its YAML. */
OG_API const char *og_policy_shipped(size_t i);
OG_API const char *og_policy_shipped_text(const char *name, size_t *len);

#ifdef __cplusplus
}
#endif
#endif
