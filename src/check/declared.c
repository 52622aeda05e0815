/*
 * What the caller declares about a book: environments of accounts, the account and the tag of orders that name none,
 * how long lists and fills take to arrive, and whether calls are paced.
 */
#include <stdlib.h>

#include "check/book.h"

enum og_status og_book_declare(struct og_book *b, const char *account_id, enum og_environment_declared environment)
{
    size_t at;
    enum og_status s;

    if (!b || !account_id || (unsigned)environment > OG_DECLARED_LIVE)
        return OG_EINVAL;
    pthread_rwlock_wrlock(&b->lock);
    s = og_book_account_of(b, og_str_of(account_id), &at);
    if (!s)
        og_facts_declare(b->account[at], environment == OG_DECLARED_LIVE    ? OG_ENV_LIVE
                                         : environment == OG_DECLARED_PAPER ? OG_ENV_PAPER
                                                                            : OG_ENV_UNKNOWN);
    pthread_rwlock_unlock(&b->lock);
    return s;
}

enum og_status og_book_list_lag(struct og_book *b, int64_t lag_ns)
{
    if (!b || lag_ns < 0 || (lag_ns > OG_SETTLE_MOST && lag_ns != OG_LIST_LAG_FOREVER))
        return OG_EINVAL;
    pthread_rwlock_wrlock(&b->lock);
    b->list_lag = lag_ns;
    pthread_rwlock_unlock(&b->lock);
    return OG_OK;
}

void og_book_paced(struct og_book *b, bool paced)
{
    if (!b)
        return;
    pthread_rwlock_wrlock(&b->lock);
    b->paced = paced;
    pthread_rwlock_unlock(&b->lock);
}

enum og_status og_book_settle_lag(struct og_book *b, int64_t lag_ns)
{
    if (!b || lag_ns < 0 || lag_ns > OG_SETTLE_MOST)
        return OG_EINVAL;
    pthread_rwlock_wrlock(&b->lock);
    b->settle = lag_ns;
    for (size_t i = 0; i < b->accounts; i++)
        og_facts_settle_lag(b->account[i], lag_ns);
    pthread_rwlock_unlock(&b->lock);
    return OG_OK;
}

enum og_status og_book_default_account(struct og_book *b, const char *account_id)
{
    char *copy;

    if (!b)
        return OG_EINVAL;
    copy = account_id ? strdup(account_id) : NULL;
    if (account_id && !copy)
        return OG_ENOMEM;
    pthread_rwlock_wrlock(&b->lock);
    free(b->default_account);
    b->default_account = copy;
    pthread_rwlock_unlock(&b->lock);
    return OG_OK;
}

enum og_status og_book_client_tag(struct og_book *b, const char *tag)
{
    char *copy;

    if (!b || (tag && strlen(tag) > OG_TAG_MOST))
        return OG_EINVAL;
    copy = tag ? strdup(tag) : NULL;
    if (tag && !copy)
        return OG_ENOMEM;
    pthread_rwlock_wrlock(&b->lock);
    free(b->client_tag);
    b->client_tag = copy;
    pthread_rwlock_unlock(&b->lock);
    return OG_OK;
}
