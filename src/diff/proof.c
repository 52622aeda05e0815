/*
 * Which way the conditions of an own rule went, where that can be proved: that it finds all it found, or no more.
 * It refuses to guess: what it cannot prove may have gone either way.
 */
#include "diff/settings.h"
#include "lint/logic.h"
#include "policy/direction.h"

#include "base/banned.h"

#define STEPS 200000 /* some milliseconds */

/* Of an own rule: that it finds something, and that it does or nobody can tell. */
struct found {
    int surely, perhaps;
};

static struct found found_by(struct og_logic *g, const struct og_custom *c)
{
    int when = og_logic_expr(g, c->when), require = og_logic_expr(g, c->require);
    int breaks = og_logic_and(g, og_logic_is(g, when, OG_T), og_logic_is(g, require, OG_F));
    int doubt = og_logic_or(g, og_logic_is(g, when, OG_U),
                            og_logic_and(g, og_logic_is(g, when, OG_T), og_logic_is(g, require, OG_U)));

    return (struct found){ breaks, og_logic_or(g, breaks, doubt) };
}

/* Nothing that a finds, or may find, is less to b. */
static bool keeps(const struct og_custom *a, const struct og_custom *b, const char *environment, struct og_expr_room *room)
{
    struct og_universe u = { .environment = environment, .room = room };
    struct og_logic g;
    struct found of_a, of_b;
    long steps = STEPS;

    og_logic_begin(&g);
    of_a = found_by(&g, a);
    of_b = found_by(&g, b);
    return og_logic_never(&g, og_logic_and(&g, of_a.surely, og_logic_not(&g, of_b.surely)), OG_T, &u, &steps) == OG_PROVED &&
           og_logic_never(&g, og_logic_and(&g, of_a.perhaps, og_logic_not(&g, of_b.perhaps)), OG_T, &u, &steps) == OG_PROVED;
}

unsigned og_settings_proved(const struct og_settings_diff *d, const struct og_custom *before, const struct og_custom *after)
{
    const char *environment = strcmp(d->policy[0]->environment, d->policy[1]->environment) ? "" : d->policy[0]->environment;
    struct og_expr_room room = { .patterns = og_pattern_room_new() };
    bool not_looser, not_tighter;

    if (!room.patterns)
        return OG_WAY_EITHER;
    not_looser = keeps(before, after, environment, &room);
    not_tighter = keeps(after, before, environment, &room);
    og_pattern_room_free(room.patterns);
    return (not_looser ? 0 : OG_WAY_LOOSER) | (not_tighter ? 0 : OG_WAY_TIGHTER);
}
