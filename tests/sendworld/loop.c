/*
 * Time: the sender's timers and the world's actions happen one after the other, each at its moment.
 */
#include <stdlib.h>

#include "../unit/fake_loop.h"
#include "world.h"

#define DEEDS_MOST 4096

static struct {
    uint64_t ms, turn;
    deed *what;
    int number;
    void *with;
} agenda[DEEDS_MOST];
static int deeds;
static uint64_t turns;

void clock_begin(void)
{
    memset(&fake_loop, 0, sizeof fake_loop);
    fake_loop.now_ms = 1000000;
    deeds = 0;
    turns = 0;
}

uint64_t now_ms(void)
{
    return fake_loop.now_ms;
}

void at(uint64_t ms, deed *what, int number, void *with)
{
    if (deeds == DEEDS_MOST) {
        fprintf(stderr, "world %llu: too much is going on\n", (unsigned long long)w.number);
        abort();
    }
    agenda[deeds].ms = ms < now_ms() ? now_ms() : ms;
    agenda[deeds].turn = turns++;
    agenda[deeds].what = what;
    agenda[deeds].number = number;
    agenda[deeds++].with = with;
}

/* Returns the action that is due first; of several at once, the one that was planned first; -1 if there is none. */
static int first_deed(void)
{
    int first = -1;

    for (int i = 0; i < deeds; i++)
        if (first < 0 || agenda[i].ms < agenda[first].ms ||
            (agenda[i].ms == agenda[first].ms && agenda[i].turn < agenda[first].turn))
            first = i;
    return first;
}

bool next_deed(uint64_t by_ms, unsigned char random)
{
    const int i = first_deed(), t = fake_next(i >= 0 && agenda[i].ms < by_ms ? agenda[i].ms : by_ms);

    fake_loop.random = random;
    if (t >= 0) {
        if (fake_loop.timer[t].due_ms > fake_loop.now_ms)
            fake_loop.now_ms = fake_loop.timer[t].due_ms;
        fake_loop.timer[t].active = false;
        fake_loop.timer[t].cb(fake_loop.timer[t].timer);
        return true;
    }
    if (i < 0 || agenda[i].ms > by_ms) {
        if (by_ms > now_ms())
            fake_advance(by_ms - now_ms());
        return false;
    }
    fake_loop.now_ms = agenda[i].ms;
    deed *what = agenda[i].what;
    const int number = agenda[i].number;
    void *with = agenda[i].with;

    agenda[i] = agenda[--deeds];
    what(number, with);
    return true;
}
