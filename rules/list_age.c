/*
 * Tells whether a named list is as young as the policy demands.
 */
#include "rules/list_age.h"

bool og_list_is_young(const struct og_list_age *a, int64_t now, const struct og_eastern *eastern, struct og_day today)
{
    struct og_eastern of;

    if (a->max_age && (a->as_of > now || now - a->as_of > a->max_age))
        return false;
    if (!a->of_session)
        return true;
    og_eastern_from(a->as_of, &of);
    if (today.kind == OG_DAY_UNKNOWN || of.date > eastern->date)
        return false;
    return of.date >= (og_day_is_session(today) ? eastern->date : og_calendar_session_before(eastern->date));
}
