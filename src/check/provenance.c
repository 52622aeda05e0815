/*
 * Writes into a decision what it is based on: account, policy, facts and time.  These values are copied, so that a
 * decision stays valid when the book changes.
 */
#include "base/attributes.h"
#include "base/time.h"
#include "check/book.h"

/* Copy the digests of facts and policy if they changed since the last copy. */
static void name(const struct og_book *b, struct og_common *k)
{
    if (k->facts_of != b->digest_serial) {
        memcpy(k->facts_digest, b->digest, sizeof k->facts_digest);
        k->facts_of = b->digest_serial;
        k->stamp_len = 0;
    }
    if (k->digest_of != b->policy->serial) {
        memcpy(k->policy_digest, b->policy->digest, sizeof k->policy_digest);
        k->digest_of = b->policy->serial;
        k->stamp_len = 0;
    }
}

void og_book_provenance(const struct og_book *b, struct og_scratch *first, int64_t now)
{
    struct og_common *k = &first->common;

    now = og_time_within(now);
    name(b, k);
    if (!k->stamp_len || k->stamp_of != now)
        k->stamp_len = og_decision_stamp(k->policy_digest, k->facts_digest, now, k->stamp, sizeof k->stamp);
    k->stamp_of = now;
}

OG_HOT void og_book_names(const struct og_book *b, const struct og_case *c, struct og_scratch *s,
                          struct og_scratch *first, struct og_decision *d)
{
    size_t n = c->account_id.len < sizeof s->account_id - 1 ? c->account_id.len : sizeof s->account_id - 1;
    struct og_common *k = &first->common;

    og_str_copy(s->account_id, (struct og_str){ c->account_id.s, n });
    s->account_id[n] = '\0';
    d->account_id = s->account_id;
    name(b, k);
    d->facts = k->facts_digest;
    d->policy = k->policy_digest;
    d->stamp = k->stamp_len && k->stamp_of == c->now ? k->stamp : NULL;
    d->stamp_len = k->stamp_len;
}
