/*
 * Mutates the base probes of a target: slots that may matter to it are set to the values that the policies name, and
 * to those just beyond.  The first half of the trials changes one slot; the second half changes two, or all slots
 * that conditions mention and one more.
 */
#include <stdlib.h>

#include "diff/generator.h"

struct probe {
    uint16_t start, candidate;
    uint8_t slot, rank; /* the lowest rank is tried first */
    uint32_t order;     /* order within the rank */
};

struct probes {
    struct og_generator *m;
    const struct og_target *target;
    struct probe *probe;
    size_t probes, room;
    /* For each slot, the first and the number of its mutations in by_slot, which are sorted by rank. */
    size_t slot_from[OG_SLOTS], slot_count[OG_SLOTS];
    struct probe *by_slot;
};

static bool matters(const struct og_target *target, const struct og_probe *w, enum og_slot slot)
{
    if (!og_probe_shows(w, slot))
        return false;
    return !target->rule || !og_slots[slot].reads || target->rule->reads & og_slots[slot].reads ||
           target->hints.slots >> slot & 1;
}

static bool keep(struct probes *s, struct probe p)
{
    if (s->probes == s->room) {
        size_t room = s->room ? 2 * s->room : 4096;
        struct probe *more = realloc(s->probe, room * sizeof *more);

        if (!more)
            return false;
        s->probe = more;
        s->room = room;
    }
    s->probe[s->probes++] = p;
    return true;
}

static void list_values(struct probes *s, const struct og_probe *w, enum og_slot slot,
                        const struct og_money required[2])
{
    og_candidates(w, slot, &s->target->dictionary, &s->target->hints, s->target->rule ? s->target->rule->reads : ~0U,
                  required, &s->m->candidates);
}

static bool list_start(struct probes *s, size_t start)
{
    const struct og_base_probe *from = &s->m->start[start];
    const struct og_candidates *c = &s->m->candidates;
    struct probe p = { .start = (uint16_t)start };

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

static int by_slot(const void *a, const void *b)
{
    const struct probe *x = a, *y = b;

    if (x->slot != y->slot)
        return x->slot < y->slot ? -1 : 1;
    return x->rank != y->rank ? (x->rank < y->rank ? -1 : 1) : x->order < y->order ? -1 : x->order > y->order;
}

/* Order the mutations of one rank so that the slots take turns, however many values each has. */
static bool take_turns(struct probes *s)
{
    uint32_t turn = 0;

    qsort(s->probe, s->probes, sizeof *s->probe, by_slot);
    s->by_slot = malloc((s->probes + 1) * sizeof *s->by_slot);
    if (!s->by_slot)
        return false;
    for (size_t i = 0; i < s->probes; i++) {
        struct probe *p = &s->probe[i];

        turn = i && p[-1].slot == p->slot && p[-1].rank == p->rank ? turn + 1 : 0;
        p->order = turn;
        if (s->slot_count[p->slot]++ == 0)
            s->slot_from[p->slot] = i;
        s->by_slot[i] = *p;
    }
    return true;
}

static int by_turn(const void *a, const void *b)
{
    const struct probe *x = a, *y = b;

    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    return x->order != y->order ? (x->order < y->order ? -1 : 1) : x->slot < y->slot ? -1 : x->slot > y->slot;
}

/* Choose a mutation of a random slot; low ranks are chosen more often. */
static struct probe pick(struct probes *s)
{
    size_t slot, i, k;

    do
        slot = og_generator_below(s->m, OG_SLOTS);
    while (s->slot_count[slot] == 0);
    i = og_generator_below(s->m, s->slot_count[slot]);
    k = og_generator_below(s->m, s->slot_count[slot]);
    return s->by_slot[s->slot_from[slot] + (i < k ? i : k)];
}

static void apply(struct probes *s, struct og_probe *w, struct probe p, const struct og_money required[2])
{
    list_values(s, w, (enum og_slot)p.slot, required);
    if (s->m->candidates.count)
        og_probe_set(w, (enum og_slot)p.slot, &s->m->candidates.v[p.candidate % s->m->candidates.count]);
}

/* Returns true if the slot influences how the order's buying power is judged. */
static bool is_power(const struct probes *s, int slot)
{
    return s->target->rule == og_rules[OG_ENGINE_MARGIN] || !s->target->rule || slot == OG_AT_BP ||
           slot == OG_AT_EQUITY || slot == OG_AT_SOD_EQUITY || slot == OG_AT_CASH;
}

/* If the policies need different buying power for the order, set buying power that is enough for only one of them. */
static enum og_status between(struct probes *s, struct og_probe *w, const struct og_money required[2])
{
    struct og_slot_value v = { .number = required[og_money_cmp(required[0], required[1]) > 0] };

    og_probe_set(w, OG_AT_BP, &v);
    return og_generator_try(s->m, w, NULL);
}

static enum og_status run_single(struct probes *s, struct probe p)
{
    struct og_probe w = s->m->start[p.start].world;
    struct og_money required[2];
    enum og_status status;

    apply(s, &w, p, s->m->start[p.start].required);
    if (s->target->rule != og_rules[OG_ENGINE_MARGIN])
        return og_generator_try(s->m, &w, NULL);
    status = og_generator_cost(s->m, &w, required);
    if (status == OG_OK && og_money_cmp(required[0], required[1]) != 0)
        return between(s, &w, required);
    return status ? status : og_generator_try(s->m, &w, NULL);
}

/* Try two mutations together; the second is computed from the order after the first. */
static enum og_status run_double(struct probes *s)
{
    struct probe first = pick(s), second = pick(s);
    struct og_probe w = s->m->start[first.start].world;
    struct og_money required[2] = { { 0, 0 }, { 0, 0 } };
    enum og_status status = OG_OK;

    if (s->target->hints.slots && og_generator_below(s->m, 2))
        og_base_probe_mix(s->m, s->target, &w);
    else
        apply(s, &w, first, s->m->start[first.start].required);
    if (is_power(s, second.slot)) {
        status = og_generator_cost(s->m, &w, required);
        if (status == OG_OK && og_money_cmp(required[0], required[1]) != 0)
            return between(s, &w, required);
    }
    apply(s, &w, second, required);
    return status ? status : og_generator_try(s->m, &w, NULL);
}

static enum og_status run(struct probes *s, size_t share)
{
    enum og_status status = OG_OK;
    size_t single = s->probes < share ? s->probes : share / 2 + (share & 1);

    qsort(s->probe, s->probes, sizeof *s->probe, by_turn);
    for (size_t i = 0; i < share && status == OG_OK; i++) {
        status = i < single ? run_single(s, s->probe[i]) : run_double(s);
        status = status == OG_EFACTS ? OG_OK : status;
    }
    return status;
}

enum og_status og_mutations_run(struct og_generator *m, const struct og_target *target, size_t share)
{
    struct probes s = { .m = m, .target = target };
    enum og_status status = OG_OK;

    for (size_t i = 0; i < m->starts && share && status == OG_OK; i++)
        status = list_start(&s, i) ? OG_OK : OG_ENOMEM;
    if (status == OG_OK && s.probes)
        status = take_turns(&s) ? run(&s, share) : OG_ENOMEM;
    free(s.probe);
    free(s.by_slot);
    return status;
}
