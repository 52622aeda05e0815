/*
 * Two clocks behind one question.
 * It refuses to go back: a fact read a moment ago must not lie in the future of the next decision.
 */
#include "send/clock.h"

#include "base/time.h"

#include "base/banned.h"

void og_clock_init(struct og_clock *c, bool of_broker)
{
    *c = (struct og_clock){ .of_broker = of_broker };
}

void og_clock_hear(struct og_clock *c, int64_t date_ns, uint64_t at)
{
    if (date_ns == OG_TIME_UNKNOWN)
        return;
    c->told_ns = date_ns;
    c->told_at = at;
    c->heard = true;
}

int64_t og_clock_now(struct og_clock *c)
{
    int64_t now = c->of_broker && c->heard ? c->told_ns + (int64_t)(og_time_up() - c->told_at) : og_time_now();

    if (c->of_broker && c->heard && now < c->last_ns)
        return c->last_ns;
    c->last_ns = now;
    return now;
}

int64_t og_clock_at(struct og_clock *c, uint64_t at)
{
    uint64_t now = og_time_up();

    return og_clock_now(c) - (int64_t)(now > at ? now - at : 0);
}
