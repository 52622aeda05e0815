/*
 * Decides requests that are not orders, with the same engine and the rules that check requests. A request of another
 * kind than the caller expects is rejected.
 */
#include "ordergate/requests.h"

#include "check/book.h"

static void decide(struct og_book *b, const struct og_request *r, unsigned subject, int64_t now, struct og_scratch *s,
                   struct og_decision *d)
{
    struct og_case c;

    if (d)
        *d = (struct og_decision){ 0 };
    if (!b || !r || !s || !d)
        return;
    pthread_rwlock_rdlock(&b->lock);
    og_book_case(b, r->order, now, s, &c);
    c.request = r->subject == subject ? r : NULL;
    c.tag = (struct og_tag){ .fault = OG_TAG_MISSING };
    og_check_case(b->policy, &c, s, d);
    og_book_names(b, &c, s, s, d);
    pthread_rwlock_unlock(&b->lock);
}

void og_check_cancel(struct og_book *b, const struct og_request *r, int64_t now, struct og_scratch *s,
                     struct og_decision *d)
{
    decide(b, r, OG_SUBJECT_CANCEL, now, s, d);
}

void og_check_locate(struct og_book *b, const struct og_request *r, int64_t now, struct og_scratch *s,
                     struct og_decision *d)
{
    decide(b, r, OG_SUBJECT_LOCATE, now, s, d);
}

void og_check_read(struct og_book *b, const struct og_request *r, int64_t now, struct og_scratch *s,
                   struct og_decision *d)
{
    decide(b, r, OG_SUBJECT_READ, now, s, d);
}
