/*
 * Mutates the base probes of a target: slots (values of a probe) that may influence the target are set to values that
 * the policies name, and to the values next to those.  The first half of the trials changes one slot; the second half
 * changes two slots, or one slot and some of the slots that conditions read.
 */
#include <stdlib.h>

#include "base/grow.h"
#include "diff/generator.h"

struct mutation {
    uint16_t start, candidate;
    uint8_t slot, rank; /* rank: mutations with the lowest rank are tried first */
    uint32_t order;     /* the mutation's place within its rank */
};

#define RANKS (2 * (OG_RANKED_OTHER + 1))

struct mutations {
    struct og_generator *m;
    const struct og_target *target;
    struct mutation *one;
    size_t count, room;
    size_t *by_slot; /* indexes of the mutations, slot by slot */
    size_t slot_from[OG_SLOTS], slot_count[OG_SLOTS];
};

static bool matters(const struct og_target *target, const struct og_probe *w, enum og_slot slot)
{
    if (!og_probe_shows(w, slot))
        return false;
    return !target->rule || !og_slots[slot].reads || target->rule->reads & og_slots[slot].reads ||
           target->hints.slots >> slot & 1;
}

static bool keep(struct mutations *s, struct mutation p)
{
    if (!OG_GROW(s->one, s->count, s->room, 4096))
        return false;
    s->one[s->count++] = p;
    return true;
}

static void list_values(struct mutations *s, const struct og_probe *w, enum og_slot slot,
                        const struct og_money required[2])
{
    og_candidates(w, slot, &s->target->hints, s->target->rule ? s->target->rule->reads : ~0U, required,
                  &s->m->candidates);
}

static bool list_start(struct mutations *s, size_t start)
{
    const struct og_base_probe *from = &s->m->start[start];
    const struct og_candidates *c = &s->m->candidates;
    struct mutation p = { .start = (uint16_t)start };

    for (int slot = 0; slot < OG_SLOTS; slot++) {
        if (!matters(s->target, &from->world, (enum og_slot)slot) || !og_generator_moves(s->m, (enum og_slot)slot))
            continue;
        list_values(s, &from->world, (enum og_slot)slot, from->required);
        p.slot = (uint8_t)slot;
        for (size_t i = 0; i < c->count; i++) {
            p.candidate = (uint16_t)i;
            p.rank = (uint8_t)(2 * c->rank[i] + !og_slots[slot].reads);
            p.order = (uint32_t)og_generator_below(s->m, UINT32_MAX);
            if (!keep(s, p))
                return false;
        }
    }
    return true;
}

static int by_order(const void *a, const void *b)
{
    const struct mutation *x = a, *y = b;

    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    return x->order != y->order ? (x->order < y->order ? -1 : 1) : x->slot < y->slot ? -1 : x->slot > y->slot;
}

/* Sort the mutations of one rank so that each slot gets its turn: a slot with many values does not use up the
 * trials. */
static void take_turns(struct mutations *s)
{
    uint32_t turn[RANKS][OG_SLOTS] = { { 0 } };

    qsort(s->one, s->count, sizeof *s->one, by_order);
    for (size_t i = 0; i < s->count; i++)
        s->one[i].order = turn[s->one[i].rank][s->one[i].slot]++;
    qsort(s->one, s->count, sizeof *s->one, by_order);
}

static bool index_slots(struct mutations *s)
{
    size_t count = 0;

    s->by_slot = malloc((s->count + 1) * sizeof *s->by_slot);
    for (int slot = 0; s->by_slot && slot < OG_SLOTS; slot++) {
        s->slot_from[slot] = count;
        for (size_t i = 0; i < s->count; i++)
            if (s->one[i].slot == slot)
                s->by_slot[count++] = i;
        s->slot_count[slot] = count - s->slot_from[slot];
    }
    return s->by_slot != NULL;
}

/* Choose a mutation of a random slot; low ranks are chosen more often. */
static const struct mutation *pick(struct mutations *s)
{
    size_t slot, i, k;

    do
        slot = og_generator_below(s->m, OG_SLOTS);
    while (s->slot_count[slot] == 0);
    i = og_generator_below(s->m, s->slot_count[slot]);
    k = og_generator_below(s->m, s->slot_count[slot]);
    return &s->one[s->by_slot[s->slot_from[slot] + (i < k ? i : k)]];
}

static void apply(struct mutations *s, struct og_probe *w, const struct mutation *p, const struct og_money required[2])
{
    list_values(s, w, (enum og_slot)p->slot, required);
    if (s->m->candidates.count)
        og_probe_set(w, (enum og_slot)p->slot, &s->m->candidates.v[p->candidate % s->m->candidates.count]);
}

/* Returns true if the slot is an amount of buying power; if the target is not a rule of the register, returns true for
 * every slot. */
static bool is_power(const struct mutations *s, int slot)
{
    return !s->target->rule || slot == OG_AT_BP || slot == OG_AT_EQUITY || slot == OG_AT_SOD_EQUITY ||
           slot == OG_AT_CASH;
}

/* Try one mutation, or two together; the second (NULL if there is none) is computed from the probe that the first made.
 * If the order needs different buying power under the two policies, the probe gets an amount that suffices under one
 * policy only. */
static enum og_status run_one(struct mutations *s, const struct mutation *first, const struct mutation *second)
{
    struct og_probe w = s->m->start[first->start].world;
    struct og_money required[2] = { { 0, 0 }, { 0, 0 } };
    enum og_status status = OG_OK;

    if (second && s->target->hints.slots && og_generator_below(s->m, 2))
        og_base_probe_mix(s->m, s->target, &w);
    else
        apply(s, &w, first, s->m->start[first->start].required);
    if (s->target->rule == og_rules[OG_ENGINE_MARGIN] || (second && is_power(s, second->slot)))
        status = og_generator_cost(s->m, &w, required);
    if (og_money_cmp(required[0], required[1]) != 0)
        og_probe_set(&w, OG_AT_BP,
                     &(struct og_slot_value){ .number = required[og_money_cmp(required[0], required[1]) > 0] });
    else if (second)
        apply(s, &w, second, required);
    return status ? status : og_generator_try(s->m, &w, NULL);
}

enum og_status og_mutations_run(struct og_generator *m, const struct og_target *target, size_t share)
{
    struct mutations s = { .m = m, .target = target };
    enum og_status status = OG_OK;
    size_t single;

    for (size_t i = 0; i < m->starts && share && status == OG_OK; i++)
        status = list_start(&s, i) ? OG_OK : OG_ENOMEM;
    if (status == OG_OK && s.count) {
        take_turns(&s);
        status = index_slots(&s) ? OG_OK : OG_ENOMEM;
    }
    single = s.count < share ? s.count : share / 2 + (share & 1);
    for (size_t i = 0; i < share && s.count && status == OG_OK; i++) {
        const struct mutation *first = i < single ? &s.one[i] : pick(&s), *second = i < single ? NULL : pick(&s);

        status = run_one(&s, first, second);
        status = status == OG_EFACTS ? OG_OK : status;
    }
    free(s.one);
    free(s.by_slot);
    return status;
}
