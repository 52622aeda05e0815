/*
 * Suspensions of the whole process: a laptop that sleeps, a machine that is migrated, a ^Z. Such time does not count as
 * waiting time. Input that arrived meanwhile is still in the sockets and pipes when the timers fire, since libuv runs
 * timers before it reads. An order that was decided before a suspension is not sent: market, account and time may have
 * changed.
 */
#include "send/event.h"
#include "send/sender.h"

#define NS_PER_MS UINT64_C(1000000)

/* If the process was suspended since the last call, add that time to stood_ns. This is called more often than once a
 * tick, since a POST may be sent before the first tick after a suspension. */
static void look_at_the_clock(struct og_sender *s)
{
    uint64_t now = og_time_up();

    if (s->suspend.up_ns != 0 && now - s->suspend.up_ns > OG_TICK_LATE_MS * NS_PER_MS)
        s->suspend.stood_ns += now - s->suspend.up_ns;
    s->suspend.up_ns = now;
}

void og_send_fresh(struct og_tracked *o)
{
    look_at_the_clock(o->sender);
    o->stood_ns = o->sender->suspend.stood_ns;
}

bool og_send_is_stale(const struct og_tracked *o)
{
    look_at_the_clock(o->sender);
    return o->sender->suspend.stood_ns - o->stood_ns > OG_STALE_NS;
}

/* Of several late ticks in a row only the first counts as a suspension: a program may simply run the loop seldom. */
void og_send_pauses(struct og_sender *s)
{
    int64_t now = og_send_ms(s);
    bool late = s->suspend.ticked_ms != 0 && now - s->suspend.ticked_ms > OG_TICK_LATE_MS;

    look_at_the_clock(s);
    s->suspend.awake_ms = late && !s->suspend.late ? s->suspend.ticked_ms : now;
    s->suspend.late = late;
    s->suspend.ticked_ms = now;
}

void og_send_compare_clocks(struct og_sender *s)
{
    const int64_t ahead = s->clock.ahead_ns, off = ahead < 0 ? -ahead : ahead;

    if (s->told.clock_off || s->clock.of_broker || off <= OG_CLOCK_OFF_NS)
        return;
    s->told.clock_off = true;
    og_send_tell_clock(s, ahead / OG_NS_PER_MS);
    og_send_warn(
        s,
        "the broker's clock is %lld.%lld s %s this machine's: hours, days and ages of quotes are judged by this"
        " machine's; set it by NTP",
        (long long)(off / OG_NS_PER_S), (long long)(off / (OG_NS_PER_S / 10) % 10), ahead > 0 ? "ahead of" : "behind");
}

bool og_send_is_past(const struct og_sender *s, int64_t *until_ms)
{
    int64_t now = og_send_ms(s);

    if (now < *until_ms)
        return false;
    if (*until_ms <= s->suspend.awake_ms)
        return true;
    *until_ms = now + OG_ANEW_MS;
    return false;
}
