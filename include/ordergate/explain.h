/*
 * Explanations in words: what "ordergate explain" prints.
 * Threads: any.
 * Passing NULL where it is not allowed returns OG_EINVAL.
 */
#ifndef ORDERGATE_EXPLAIN_H
#define ORDERGATE_EXPLAIN_H

#include "ordergate/policy.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Explain a rule, a reason of a finding, a reject code of the broker, a code of lint, a name of expressions (such as
 * "order.notional"; "order" explains all its names), or a custom rule of the policy (which may be NULL).
 *   OG_OK      *text has lines that end in a line feed; the caller frees it with free()
 *   OG_ENOENT  there is nothing of that name; *text is NULL
 *   OG_ENOMEM  *text is NULL */
OG_API OG_MUST_USE enum og_status og_explain(const char *word, const struct og_policy *policy, char **text,
                                             struct og_error *err);

#ifdef __cplusplus
}
#endif
#endif
