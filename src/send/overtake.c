/*
 * Which lines are decided, and in which order: those that were read first, as long as none has to wait; cancels and
 * orders that only close before earlier lines that wait. No line is kept from being considered by lines that go on
 * waiting.
 */
#include "send/decide.h"
#include "send/ready.h"

/* maximum number of cancels, of cancels that were set aside, and of orders ahead of earlier lines that are considered
 * in one iteration of the loop; the next iteration follows at once, and goes on from there */
#define CONSIDER_MOST 64

static bool goes_on(const struct og_sender *s)
{
    return s->phase == OG_RUNNING && s->fatal == 0 && !s->told.deaf;
}

/* --- cancels ------------------------------------------------------------------------------------------------------ */

/* Decide the cancels that were set aside and need not wait any longer, and request lists for the others. If the order
 * of one has become known, it is considered together with the cancels that are not set aside. */
static void decide_aside(struct og_sender *s, struct og_batch *b)
{
    struct og_waiting *w, *next;
    int count = 0;

    og_send_put_back_known(s);
    for (w = s->lines.aside.first; w && goes_on(s); w = next) {
        next = w->next;
        if (!w->account)
            continue;
        if (!og_send_has_list(w->account, w)) {
            og_send_account_dirty(w->account);
            og_send_account_look(w->account);
        } else if (count++ < CONSIDER_MOST) {
            (void)og_send_take(s, w, b, OG_IN_TURN);
        } else {
            og_send_wake(s);
            return;
        }
    }
}

/* Decide the cancels that may go now, before lines that were read earlier and still wait. A dry run keeps the order of
 * the lines. */
static void overtake(struct og_sender *s, struct og_batch *b)
{
    struct og_waiting *w = s->options.dry_run ? NULL : s->lines.cancels.first, *next;
    bool more = false;

    for (int i = 0; w && i < CONSIDER_MOST && goes_on(s); i++, w = next) {
        next = w->next;
        more |= og_send_take(s, w, b, OG_IN_TURN) == OG_NEXT;
    }
    if (more && w)
        og_send_wake(s);
}

/* --- orders ------------------------------------------------------------------------------------------------------- */

/* Returns true if a cancel that was read before the line, and is not set aside, waits to be decided. */
static bool is_behind_a_cancel(const struct og_sender *s, const struct og_waiting *w)
{
    return s->lines.cancels.first && s->lines.cancels.first->number < w->number;
}

/* Returns the og_time_up() of the newest reading of any account. */
static uint64_t newest_reading(const struct og_sender *s)
{
    uint64_t newest = 0;

    for (const struct og_account_state *a = s->accounts.first; a; a = a->next)
        newest = a->readings.read_at > newest ? a->readings.read_at : newest;
    return newest;
}

/* All lines were considered that may be decided ahead of earlier ones. If the pass took several iterations, and a
 * reading has come meanwhile, the next one begins at once. */
static void end_pass(struct og_sender *s)
{
    const uint64_t reading = newest_reading(s);

    if (s->ahead.more && s->ahead.reading != reading)
        og_send_wake(s);
    s->ahead = (struct og_ahead){ .pass = s->ahead.pass + 1, .reading = reading };
}

/* Decide lines although the first one waits. An order that only closes does not wait for the first line, even if it
 * replaces another order, nor for cancels that are set aside. If the first line waits only for borrow checks or
 * locates, orders of other symbols do not wait either. The lines are considered in passes, of which one may take
 * several iterations of the loop. */
static void go_ahead(struct og_sender *s, struct og_batch *b)
{
    struct og_waiting *first = s->options.dry_run ? NULL : s->lines.others.first, *next;
    const bool tried = first && og_send_next_line(s) == first;
    struct og_waiting *w = tried ? first->next : first;
    const unsigned pass = s->ahead.pass + 1;
    bool only_borrow = tried && first->held_by == OG_HELD_BORROW, free;
    int count = 0;

    for (; w && goes_on(s) && !is_behind_a_cancel(s, w); w = next) {
        next = w->next;
        if (w->pass == pass) {
            only_borrow = only_borrow && w->held_by == OG_HELD_BORROW;
            continue;
        }
        free = only_borrow && w->trades != 0 && !og_send_is_behind_aside(s, w) && !og_send_is_entangled(first, w);
        if (!free && !w->closes) {
            only_borrow = false;
            continue;
        }
        if (count++ == CONSIDER_MOST) {
            s->ahead.more = true;
            og_send_wake(s);
            return;
        }
        w->pass = pass;
        if (!free && og_send_is_tied(s, first, w))
            only_borrow = false;
        else if (og_send_take(s, w, b, free ? OG_IN_TURN : OG_CLOSES_AHEAD) == OG_WAIT && w->held_by != OG_HELD_BORROW)
            only_borrow = false;
    }
    end_pass(s);
}

void og_send_decide_lines(struct og_sender *s, struct og_batch *b)
{
    struct og_waiting *w;

    decide_aside(s, b);
    while (goes_on(s) && (w = og_send_next_line(s)) && og_send_take(s, w, b, OG_IN_TURN) == OG_NEXT)
        continue;
    overtake(s, b);
    go_ahead(s, b);
}
