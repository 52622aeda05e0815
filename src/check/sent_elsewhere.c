/*
 * Adds orders that this book did not decide: of another process on the same account, or of an earlier run.  They are
 * not checked, since they have been sent already.  They use up buying power and other limits, and an order that one of
 * them replaced cannot be replaced again.  Also adds the highest P&L that those processes recorded.
 */
#include "base/money.h"
#include "base/time.h"
#include "check/book.h"

enum og_status og_reserve_sent(struct og_book *b, const struct og_order *o, int64_t at_ns, struct og_scratch *s,
                               og_ticket *ticket)
{
    struct og_case c;
    enum og_status status;

    if (!b || !o || !s || !ticket)
        return OG_EINVAL;
    *ticket = 0;
    if (o->fault || o->op != OG_OP_ORDER)
        return OG_EINVAL;
    pthread_rwlock_wrlock(&b->lock);
    og_book_case(b, o, at_ns, s, &c);
    status = og_book_meet(b, s, s, &c);
    if (!status)
        status = og_book_reserve_other(b, &c, s, ticket);
    og_book_trip(b); /* a list may show already that the order was rejected */
    pthread_rwlock_unlock(&b->lock);
    return status;
}

enum og_status og_book_count_sent(struct og_book *b, const struct og_order *o, int64_t at_ns, enum og_sent_fate fate,
                                  struct og_scratch *s)
{
    struct og_case c;
    enum og_status status;

    if (!b || !o || !s || (unsigned)fate > OG_SENT_REJECTED)
        return OG_EINVAL;
    if (o->fault || o->op != OG_OP_ORDER)
        return OG_EINVAL;
    pthread_rwlock_wrlock(&b->lock);
    og_book_case(b, o, at_ns, s, &c);
    status = og_book_meet(b, s, s, &c);
    if (!status)
        status = og_facts_count_before(b->account[og_book_at(b, c.facts)], o, c.tag.is, c.now, c.eastern.date, fate);
    og_book_trip(b);
    pthread_rwlock_unlock(&b->lock);
    return status;
}

enum og_status og_book_count_traded(struct og_book *b, const struct og_order *o, int64_t executed,
                                    struct og_money price, int64_t at_ns, struct og_scratch *s)
{
    struct og_case c;
    enum og_status status;

    if (!b || !o || !s || !og_money_is(price) || price.coef < 0 || o->fault || o->op != OG_OP_ORDER)
        return OG_EINVAL;
    if (executed == OG_FILL_WHOLE)
        executed = o->quantity;
    if (executed < 0 || executed > o->quantity)
        return OG_EINVAL;
    pthread_rwlock_wrlock(&b->lock);
    og_book_case(b, o, at_ns, s, &c);
    status = og_book_meet(b, s, s, &c);
    if (!status)
        status = og_book_trade_before(b, &c, executed, price);
    pthread_rwlock_unlock(&b->lock);
    return status;
}

enum og_status og_book_pnl_peak(struct og_book *b, const char *account_id, struct og_pnl_peak *peak)
{
    enum og_status status = OG_EINVAL;
    size_t at;

    if (peak)
        *peak = (struct og_pnl_peak){ 0 };
    if (!b || !account_id || !peak)
        return OG_EINVAL;
    pthread_rwlock_rdlock(&b->lock);
    at = og_book_find(b, og_str_of(account_id));
    if (at < b->accounts)
        status = og_facts_peak(b->account[at], peak) ? OG_OK : OG_ENOENT;
    pthread_rwlock_unlock(&b->lock);
    if (status == OG_ENOENT)
        *peak = (struct og_pnl_peak){ 0 };
    return status;
}

enum og_status og_book_raise_pnl_peak(struct og_book *b, const char *account_id, const struct og_pnl_peak *peak)
{
    enum og_status status;
    size_t at;

    if (!b || !account_id || !account_id[0] || !peak || !og_money_is(peak->peak) || peak->peak.coef < 0 ||
        peak->day < 0 || peak->day > 99991231 ||
        !og_date_exists(peak->day / 10000, peak->day / 100 % 100, peak->day % 100))
        return OG_EINVAL;
    pthread_rwlock_wrlock(&b->lock);
    status = og_book_account_of(b, og_str_of(account_id), &at);
    if (!status)
        og_facts_raise_peak(b->account[at], peak);
    og_book_trip(b);
    pthread_rwlock_unlock(&b->lock);
    return status;
}

enum og_status og_book_canceled(struct og_book *b, const char *account_id, const char *id, int64_t executed)
{
    const struct og_str canceled = og_str_of(id);
    enum og_status status;
    size_t at;

    if (!b || !account_id || !account_id[0] || !canceled.len || executed < 0)
        return OG_EINVAL;
    pthread_rwlock_wrlock(&b->lock);
    status = og_book_account_of(b, og_str_of(account_id), &at);
    if (!status)
        status = og_facts_cancel(b->account[at], canceled, executed);
    pthread_rwlock_unlock(&b->lock);
    return status;
}

enum og_status og_book_replaced(struct og_book *b, const char *account_id, const char *old_id, const char *by_id)
{
    const struct og_str old = og_str_of(old_id);
    enum og_status status;
    size_t at;

    if (!b || !account_id || !account_id[0] || !old.len || (by_id && !by_id[0]))
        return OG_EINVAL;
    pthread_rwlock_wrlock(&b->lock);
    status = og_book_account_of(b, og_str_of(account_id), &at);
    if (!status)
        status = og_facts_replaced(b->account[at], old, og_str_of(by_id));
    pthread_rwlock_unlock(&b->lock);
    return status;
}
