/*
 * Standstills of the whole process: a laptop that sleeps, a machine that is moved, a ^Z.
 * It refuses to count them as time that was waited: what came meanwhile still lies in the sockets and pipes when the
 * timers fire, which libuv does first.
 */
#include "send/sender.h"

#include "base/banned.h"

#define LATE_MS (OG_TICK_MOST_MS + 250) /* between two ticks; more is a standstill */
#define ANEW_MS 2000                    /* for the answers that came meanwhile, and for asking once more */

/* A program that runs the loop seldom is no standstill each time. */
void og_send_pauses(struct og_sender *s)
{
    int64_t now = og_send_ms(s);
    bool late = s->ticked_ms != 0 && now - s->ticked_ms > LATE_MS;

    s->awake_ms = late && !s->late ? s->ticked_ms : now;
    s->late = late;
    s->ticked_ms = now;
}

bool og_send_is_past(const struct og_sender *s, int64_t *until_ms)
{
    int64_t now = og_send_ms(s);

    if (now < *until_ms)
        return false;
    if (*until_ms <= s->awake_ms)
        return true;
    *until_ms = now + ANEW_MS;
    return false;
}
