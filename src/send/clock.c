/*
 * One clock from two sources. It never goes back and never stands still. A fact that was read a moment ago must not lie
 * in the future of the next decision, and the times given to the book must show which came first: the request of a
 * document, or a fill. The broker's Date has whole seconds, so a clock that took over each Date would stand still for
 * the rest of the second.
 */
#include "send/clock.h"

#include "base/time.h"

#define SET_BACK_NS (2 * OG_NS_PER_S)

void og_clock_init(struct og_clock *c, bool of_broker)
{
    *c = (struct og_clock){ .of_broker = of_broker };
}

/* Returns by how much `now` must be moved to lie between `earliest` and `latest`: positive if `now` is too early,
 * negative if it is too late, 0 if it lies between them. */
static int64_t ahead(int64_t earliest, int64_t latest, int64_t now)
{
    return earliest > now ? earliest - now : latest < now ? latest - now : 0;
}

/* A Date is the broker's time rounded down to a second. The clock follows the Date that shows the latest time, so it
 * is soon within a fraction of a second of the broker's, and then advances evenly; the settle lag is measured by it.
 * If the broker's clock is certainly behind, because it was set back or is slow, the clock starts anew. */
static void adjust(struct og_clock *c, int64_t date_ns, uint64_t asked_at, uint64_t at)
{
    if (c->heard && c->told_ns + (int64_t)(at - c->told_at) >= date_ns &&
        c->told_ns + (int64_t)(asked_at - c->told_at) <= date_ns + OG_NS_PER_S)
        return;
    c->told_ns = date_ns;
    c->told_at = at;
}

void og_clock_hear(struct og_clock *c, int64_t date_ns, uint64_t asked_at, uint64_t at)
{
    if (date_ns == OG_TIME_UNKNOWN)
        return;
    if (!c->heard && c->of_broker)
        c->last_ns = INT64_MIN; /* until now the clock showed the machine's time, which may be ahead of the broker's:
                                 * let it go back this once */
    adjust(c, date_ns, asked_at, at);
    c->date_ns = date_ns;
    c->heard = true;
    c->ahead_ns = ahead(date_ns, date_ns + OG_NS_PER_S + (int64_t)(at - asked_at), og_time_now());
}

bool og_clock_is_set(const struct og_clock *c)
{
    return c->heard || !c->of_broker;
}

int64_t og_clock_now(struct og_clock *c)
{
    const bool by_broker = c->of_broker && c->heard;
    int64_t now = by_broker ? c->told_ns + (int64_t)(og_time_up() - c->told_at) : og_time_now();

    /* if the machine's clock was set back by SET_BACK_NS or more, go back with it */
    if (now <= c->last_ns && (by_broker || c->last_ns - now < SET_BACK_NS))
        now = c->last_ns + 1;
    c->last_ns = now;
    return now;
}

int64_t og_clock_behind(const struct og_clock *c)
{
    return c->of_broker && c->heard ? OG_NS_PER_S : OG_NS_PER_S / 10;
}

int64_t og_clock_at(struct og_clock *c, uint64_t at)
{
    uint64_t now = og_time_up();

    return og_clock_now(c) - (int64_t)(now > at ? now - at : 0);
}

int64_t og_clock_date(const struct og_clock *c)
{
    return c->heard ? c->date_ns : OG_TIME_UNKNOWN;
}
