/*
 * Solves the conditions of a site.  Each implicant is a list of demands on names; slot by slot, the values that
 * conditions name are tried until each demand is met.  There is no backtracking: a demand that can be met only by
 * giving up another stays unmet, and the random search may meet it.
 */
#include <stdlib.h>

#include "diff/atoms.h"
#include "diff/generator.h"

#define WAYS_MOST  6  /* implicants of one condition */
#define TRIES_MOST 80 /* trials of one slot */

enum demand_is {
    DEMAND_ATOM = 1,
    DEMAND_SYMBOL,
    DEMAND_ACCOUNT,
    DEMAND_SECURITY,
    DEMAND_SIDE,
    DEMAND_TYPE,
    DEMAND_TIME
};

struct demand {
    enum demand_is is;
    uint64_t slots; /* 0: only the template can meet it */
    const struct og_atom *atom;
    bool truth;
};
#define DEMANDS_MOST (2 * OG_ATOMS_MOST + 6)

struct solving {
    struct og_generator *m;
    const struct og_target *target;
    const struct og_site *site;
    size_t end;
    struct og_atoms when, require;
    struct demand demand[DEMANDS_MOST];
    int count;
};

void og_generator_case(struct og_generator *m, const struct og_probe *w, int side, struct og_case *c)
{
    struct og_diff *d = m->d;

    d->book->policy = d->policy[side];
    og_book_case(d->book, w->scene->request ? d->request->order : d->order, w->v[OG_AT_NOW].ns, d->scratch[side], c);
    c->request = w->scene->request ? d->request : NULL;
}

/* --- demands ------------------------------------------------------------------------------------------------------ */

static bool is_met(const struct solving *s, const struct demand *d, const struct og_case *c)
{
    const struct og_override *o = s->site->override;
    struct og_pattern_room *room = s->m->d->scratch[s->site->side]->room;
    const struct og_term *term = o ? &o->term : &s->site->custom->term;

    switch (d->is) {
    case DEMAND_ATOM:
        return og_expr_truth(&d->atom->expr, c, c->expr, NULL) == (d->truth ? OG_TRUTH_TRUE : OG_TRUTH_FALSE);
    case DEMAND_SYMBOL: return og_pattern_match(o->symbol, c->order->symbol, room) == OG_MATCH_YES;
    case DEMAND_ACCOUNT: return og_pattern_match(o->account, c->account_id, room) == OG_MATCH_YES;
    case DEMAND_SECURITY: return o->securities >> c->order->security & 1;
    case DEMAND_SIDE: return o->sides >> c->order->side & 1;
    case DEMAND_TYPE: return o->types >> c->order->type & 1;
    case DEMAND_TIME: return !og_term_is_over(term, c->now);
    }
    return false;
}

static void add(struct solving *s, enum demand_is is, uint64_t slots)
{
    s->demand[s->count++] = (struct demand){ .is = is, .slots = slots };
}

/* Add the demands of the i-th implicant of an expression.  Returns false if it has none.  Without an expression
 * there is one implicant, with no demands. */
static bool add_way(struct solving *s, const struct og_atoms *atoms, bool truth, size_t i)
{
    struct og_atom_demand demands[OG_ATOMS_MOST];
    int count = atoms->atoms ? og_atoms_implicant(atoms, truth, i, demands) : i == 0 ? 0 : -1;

    for (int k = 0; k < count; k++) {
        const struct og_atom *atom = &atoms->atom[demands[k].atom];

        s->demand[s->count++] =
            (struct demand){ .is = DEMAND_ATOM, .slots = atom->slots, .atom = atom, .truth = demands[k].truth };
    }
    return count >= 0;
}

static void add_match(struct solving *s)
{
    const struct og_override *o = s->site->override;
    const struct og_term *term = o ? &o->term : &s->site->custom->term;

    s->count = 0;
    if (o && o->securities)
        add(s, DEMAND_SECURITY, 0);
    if (o && o->sides)
        add(s, DEMAND_SIDE, 0);
    if (o && o->types)
        add(s, DEMAND_TYPE, UINT64_C(1) << OG_AT_TYPE);
    if (o && o->symbol)
        add(s, DEMAND_SYMBOL, UINT64_C(1) << OG_AT_SYMBOL | UINT64_C(1) << OG_AT_ROOT);
    if (o && o->account)
        add(s, DEMAND_ACCOUNT, UINT64_C(1) << OG_AT_ACCOUNT);
    if (term->until != OG_TIME_UNKNOWN)
        add(s, DEMAND_TIME, UINT64_C(1) << OG_AT_NOW);
}

/* --- meeting them ------------------------------------------------------------------------------------------------- */

/* Find which demands the probe meets; none if its facts cannot exist. */
static enum og_status look(struct solving *s, const struct og_probe *w, bool met[DEMANDS_MOST])
{
    struct og_case c;
    enum og_status status = og_generator_try(s->m, w, NULL);

    memset(met, 0, DEMANDS_MOST * sizeof *met);
    if (status != OG_OK)
        return status == OG_EFACTS ? OG_OK : status;
    og_generator_case(s->m, w, s->site->side, &c);
    for (int i = 0; i < s->count; i++)
        met[i] = is_met(s, &s->demand[i], &c);
    return OG_OK;
}

static bool is_over(const struct solving *s)
{
    return s->m->left <= s->end;
}

/* Returns true if the change meets the demand and keeps those that were met before. */
static bool is_better(const struct solving *s, const bool *before, const bool *now, int demand)
{
    for (int i = 0; i < s->count; i++)
        if (before[i] && !now[i])
            return false;
    return now[demand];
}

static enum og_status meet(struct solving *s, struct og_probe *w, int demand, bool met[DEMANDS_MOST])
{
    const struct og_candidates *c = &s->m->candidates;
    enum og_status status = OG_OK;
    bool now[DEMANDS_MOST];

    for (int slot = 0; slot < OG_SLOTS && !met[demand]; slot++) {
        if (!(s->demand[demand].slots >> slot & 1) || !og_generator_moves(s->m, (enum og_slot)slot))
            continue;
        og_candidates_hinted(w, (enum og_slot)slot, &s->target->hints, &s->m->candidates);
        for (size_t i = 0; i < c->count && i < TRIES_MOST && !met[demand] && !is_over(s) && status == OG_OK; i++) {
            struct og_probe other = *w;

            og_probe_set(&other, (enum og_slot)slot, &c->v[i]);
            status = look(s, &other, now);
            if (!is_better(s, met, now, demand))
                continue;
            *w = other;
            memcpy(met, now, sizeof now);
        }
    }
    return status;
}

static enum og_status solve_way(struct solving *s, struct og_target *target, size_t scene, og_found_probe *found)
{
    struct og_probe w = s->m->base[scene];
    bool met[DEMANDS_MOST];
    enum og_status status = look(s, &w, met);

    for (int i = 0; i < s->count; i++)
        if (!met[i] && !s->demand[i].slots) /* no order of this template meets it */
            return status;
    for (int i = 0; i < s->count && status == OG_OK; i++) {
        if (!met[i])
            status = meet(s, &w, i, met);
        if (!met[i])
            return status;
    }
    return status == OG_OK && !is_over(s) ? found(s->m, target, scene, &w) : status;
}

/* Split the site's conditions.  One with too many parts is left to the random search. */
static bool take_apart(struct solving *s)
{
    const struct og_custom *custom = s->site->custom;
    const struct og_override *o = s->site->override;
    const struct og_expr *when = custom ? custom->when : o->when;

    return (!when || og_atoms_of(when, &s->m->d->arena, &s->when)) &&
           (!custom || og_atoms_of(custom->require, &s->m->d->arena, &s->require));
}

static enum og_status solve(struct solving *s, struct og_target *target, size_t scene, og_found_probe *found)
{
    enum og_status status = OG_OK;

    for (size_t i = 0; i < WAYS_MOST && status == OG_OK; i++)
        for (size_t k = 0; k < WAYS_MOST && status == OG_OK && !is_over(s); k++) {
            add_match(s);
            if (!add_way(s, &s->when, true, i))
                return status;
            if (!add_way(s, &s->require, false, k))
                break;
            status = solve_way(s, target, scene, found);
        }
    return status;
}

enum og_status og_solve(struct og_generator *m, struct og_target *target, const struct og_site *site,
                        const bool *scenes, size_t end, og_found_probe *found)
{
    struct solving *s;
    enum og_status status = OG_OK;

    if (!site->custom && !site->override)
        return OG_OK;
    s = calloc(1, sizeof *s);
    if (!s)
        return OG_ENOMEM;
    *s = (struct solving){ .m = m, .target = target, .site = site, .end = end };
    if (take_apart(s))
        for (size_t scene = 0; scene < og_probe_templates_count && status == OG_OK && m->left > end; scene++)
            if (scenes[scene] && !og_probe_templates[scene].request)
                status = solve(s, target, scene, found);
    free(s);
    return status;
}
