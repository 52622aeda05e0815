/*
 * A policy as text: the effective one, and the reference of all rules at their defaults.
 */
#pragma once

#include "base/buf.h"
#include "policy/policy.h"

/* Write the bytes that the digest covers. as_signed: write the bytes that signatures cover; if a list has its own key,
 * these bytes cannot be loaded as a policy. */
void og_show(const struct og_policy *policy, bool as_signed, struct og_buf *b);
void og_show_ages(struct og_buf *b, const int64_t *max_age);       /* max_age is NULL if no ages are set */
void og_show_match(struct og_buf *b, const struct og_override *o); /* writes {symbol: A.*, side: [Buy]}, on one line */
/* Copy b to the caller's storage, and clear b.  Returns the same statuses as og_policy_show(). */
enum og_status og_show_out(struct og_buf *b, char *to, size_t size, size_t *len);
