/*
 * Matches overrides in three steps: first the longest common sequence of overrides that apply to the same orders; then
 * those that apply to the same orders but moved; then, between the same matched neighbours, new overrides with old
 * ones, in sequence.  Long lists are not compared in the first step (CELLS_MOST), so overrides in their middle may
 * count as removed and added.
 */
#include "diff/align.h"

#include "policy/overrides.h"
#include "policy/rule_entry.h"
#include "policy/strictness.h"

#define CELLS_MOST 250000 /* maximum number of cells of the table for the longest common sequence */

struct aligning {
    const struct og_policy_rule *a, *b;
    int *other;  /* for each override of `a`: index of the override of `b` with which it is matched; -1 if there is
                  * none */
    int *twin;   /* for each override of `a`: index of the override of `b` with which it is matched; -1 if there is
                  * none */
    int *gap;    /* for each override, those of `a` first, then those of `b`: number of matched overrides up to and
                  * including this one */
    bool *moved; /* for each override of `b`: true if its place among the other overrides changed */
};

static bool same(const struct aligning *s, int i, int k)
{
    return og_override_same_orders(&s->a->overrides[i], &s->b->overrides[k]);
}

static void pair(struct aligning *s, int i, int k)
{
    s->other[i] = k;
    s->twin[k] = i;
}

/* Match the longest common sequence of the overrides from index `from` up to the two ends.  Returns false if memory
 * runs out. */
static bool in_order(struct aligning *s, int from, int a_end, int b_end, struct og_arena *arena)
{
    size_t rows = (size_t)(a_end - from) + 1, columns = (size_t)(b_end - from) + 1;
    uint16_t *most;

    if (rows * columns > CELLS_MOST)
        return true;
    most = og_arena_take(arena, rows * columns * sizeof *most);
    if (!most)
        return false;
    memset(most, 0, rows * columns * sizeof *most);
#define MOST(i, k) most[(size_t)((i)-from) * columns + (size_t)((k)-from)]
    for (int i = a_end - 1; i >= from; i--)
        for (int k = b_end - 1; k >= from; k--)
            MOST(i, k) = same(s, i, k)                     ? (uint16_t)(MOST(i + 1, k + 1) + 1)
                         : MOST(i + 1, k) > MOST(i, k + 1) ? MOST(i + 1, k)
                                                           : MOST(i, k + 1);
    for (int i = from, k = from; i < a_end && k < b_end;) {
        if (same(s, i, k))
            pair(s, i++, k++);
        else if (MOST(i + 1, k) >= MOST(i, k + 1))
            i++;
        else
            k++;
    }
#undef MOST
    return true;
}

static void count_gaps(struct aligning *s)
{
    int n = 0, as = (int)s->a->override_count;

    for (int i = 0; i < as; i++)
        s->gap[i] = s->other[i] >= 0 ? ++n : n;
    n = 0;
    for (int k = 0; k < (int)s->b->override_count; k++)
        s->gap[as + k] = s->twin[k] >= 0 ? ++n : n;
}

static void the_rest(struct aligning *s)
{
    int as = (int)s->a->override_count, bs = (int)s->b->override_count;

    count_gaps(s);
    for (int i = 0; i < as; i++)
        for (int k = 0; k < bs && s->other[i] < 0; k++)
            if (s->twin[k] < 0 && same(s, i, k)) {
                pair(s, i, k);
                s->moved[k] = true;
            }
    for (int i = 0, k = 0; i < as; i++) {
        while (s->other[i] < 0 && k < bs && (s->twin[k] >= 0 || s->gap[as + k] < s->gap[i]))
            k++;
        if (s->other[i] < 0 && k < bs && s->gap[as + k] == s->gap[i])
            pair(s, i, k);
    }
}

static bool twins_differ(const struct aligning *s, int i, int k)
{
    const struct og_override *a = &s->a->overrides[i], *b = &s->b->overrides[k];

    return s->moved[k] || !same(s, i, k) || a->term.until != b->term.until ||
           og_setting_differs(s->a->rule, &a->setting, &b->setting);
}

static void list(const struct aligning *s, struct og_alignment *to)
{
    for (int k = 0; k < (int)s->b->override_count; k++) {
        int i = s->twin[k];

        to->twins[to->count++] = (struct og_override_pair){ i, k, s->moved[k], i < 0 || twins_differ(s, i, k) };
    }
    for (int i = 0; i < (int)s->a->override_count; i++)
        if (s->other[i] < 0)
            to->twins[to->count++] = (struct og_override_pair){ i, -1, false, true };
}

bool og_align(const struct og_policy_rule *before, const struct og_policy_rule *after, struct og_arena *arena,
              struct og_alignment *to)
{
    int as = (int)before->override_count, bs = (int)after->override_count, from = 0, a_end = as, b_end = bs;
    size_t both = (size_t)as + (size_t)bs;
    struct aligning s = { .a = before, .b = after };

    *to = (struct og_alignment){ 0 };
    if (both == 0)
        return true;
    to->twins = og_arena_take(arena, both * sizeof *to->twins);
    s.other = og_arena_take(arena, 2 * both * sizeof *s.other);
    s.moved = og_arena_take(arena, both * sizeof *s.moved);
    if (!to->twins || !s.other || !s.moved)
        return false;
    s.twin = s.other + as;
    s.gap = s.other + both;
    memset(s.other, -1, both * sizeof *s.other);
    memset(s.moved, 0, both * sizeof *s.moved);
    for (; from < as && from < bs && same(&s, from, from); from++)
        pair(&s, from, from);
    for (; a_end > from && b_end > from && same(&s, a_end - 1, b_end - 1); a_end--, b_end--)
        pair(&s, a_end - 1, b_end - 1);
    if (a_end > from && b_end > from && !in_order(&s, from, a_end, b_end, arena))
        return false;
    the_rest(&s);
    list(&s, to);
    return true;
}
