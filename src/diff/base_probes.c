/*
 * Finds base probes: probes whose order reaches a site of the target, which the policy itself decides.  Slots are
 * set to random values that the conditions mention until it does, for every template.  The number of trials is
 * limited; a site that is hard to reach is still reported by the comparison of settings.
 */
#include "diff/generator.h"

#define A_SCENE_MOST 2 /* base probes of one site for one template */
#define ROUNDS_MOST  120
#define ENOUGH       6

static bool plays(const struct og_target *target, const struct og_probe_template *scene)
{
    const struct og_rule *r = target->rule;

    if (!r)
        return !target->custom || !scene->request;
    if (!(og_rule_subjects(r) & scene->subject))
        return false;
    return scene->request || !r->securities || r->securities >> scene->security & 1;
}

/* Returns true if the order decided last reaches the site. */
static bool is_of(struct og_generator *m, const struct og_target *target, const struct og_site *site,
                  const struct og_probe *w)
{
    struct og_diff *d = m->d;
    struct og_case c;

    og_generator_case(m, w, site->side, &c);
    if (site->custom)
        return !og_term_is_over(&site->custom->term, c.now) &&
               (!site->custom->when || og_expr_truth(site->custom->when, &c, c.expr, NULL) != OG_TRUTH_FALSE);
    return og_check_setting(&d->policy[site->side]->rules[target->index], &c, d->scratch[site->side]->room) ==
           site->setting;
}

static struct og_base_probe *start_for(struct og_generator *m, int site, const struct og_probe_template *scene)
{
    for (size_t i = 0; i < m->starts; i++)
        if (m->start[i].site == site && m->start[i].world.scene == scene && !m->start[i].passes)
            return &m->start[i];
    return NULL;
}

static bool is_there(const struct og_generator *m, const struct og_probe *w)
{
    for (size_t i = 0; i < m->starts; i++)
        if (m->start[i].world.scene == w->scene && memcmp(m->start[i].world.v, w->v, sizeof w->v) == 0)
            return true;
    return false;
}

/* Keep a probe; one that passes replaces one that does not. */
static void keep(struct og_generator *m, struct og_target *target, int site, size_t scene, const struct og_probe *w,
                 bool passes)
{
    unsigned char *count = site < 0 ? NULL : &target->site[site].starts[scene];
    struct og_base_probe *to = passes && site >= 0 ? start_for(m, site, w->scene) : NULL;

    if (!to && count && *count == A_SCENE_MOST)
        return;
    if (!to && count)
        ++*count;
    if (is_there(m, w))
        return;
    if (!to && m->starts < OG_BASE_PROBES_MOST)
        to = &m->start[m->starts++];
    if (to)
        *to = (struct og_base_probe){ .world = *w, .site = site, .passes = passes };
}

static bool wants(const struct og_generator *m, const struct og_target *target, size_t scene)
{
    for (size_t i = 0; i < target->sites; i++) {
        if (target->site[i].starts[scene] < A_SCENE_MOST)
            return true;
        for (size_t k = 0; k < m->starts; k++)
            if (m->start[k].site == (int)i && m->start[k].world.scene == &og_probe_templates[scene] &&
                !m->start[k].passes)
                return true;
    }
    return false;
}

/* --- mixing ------------------------------------------------------------------------------------------------------- */

/* Choose a value of a slot; half of the time one that the policies name. */
static size_t choose(struct og_generator *m)
{
    const struct og_candidates *c = &m->candidates;
    enum og_candidate_rank most = og_generator_below(m, 2)   ? OG_RANKED_NAMED
                                  : og_generator_below(m, 3) ? OG_RANKED_BESIDE
                                                             : OG_RANKED_OTHER;
    size_t at = og_generator_below(m, c->count);

    for (size_t i = 0; i < c->count; i++)
        if (c->rank[(at + i) % c->count] <= most)
            return (at + i) % c->count;
    return at;
}

void og_base_probe_mix(struct og_generator *m, const struct og_target *target, struct og_probe *w)
{
    size_t rarely = 2 + og_generator_below(m, 3);
    /* a random slot comes first, so that a price may be set before the quantity computed from it, or after it */
    size_t first = og_generator_below(m, OG_SLOTS);

    for (size_t i = 0; i < OG_SLOTS; i++) {
        enum og_slot slot = (enum og_slot)((first + i) % OG_SLOTS);

        if (!(target->hints.slots >> slot & 1) || !og_generator_moves(m, slot))
            continue;
        if (target->hints.named >> slot & 1 ? og_generator_below(m, rarely) == 0 : og_generator_below(m, rarely) != 0)
            continue;
        og_candidates_hinted(w, slot, &target->hints, &m->candidates);
        if (m->candidates.count)
            og_probe_set(w, slot, &m->candidates.v[choose(m)]);
    }
}

/* --- trying ------------------------------------------------------------------------------------------------------- */

/* Test-case minimisation: set slots back to their defaults as long as the order still reaches the site. */
static enum og_status simplify(struct og_generator *m, const struct og_target *target, const struct og_site *site,
                               const struct og_probe *usual, struct og_probe *w, bool *passes)
{
    enum og_status status = OG_OK;

    for (int slot = 0; slot < OG_SLOTS && status == OG_OK; slot++) {
        struct og_probe simpler = *w;
        bool simpler_passes;

        if (!(w->set >> slot & 1))
            continue;
        simpler.v[slot] = usual->v[slot];
        simpler.set &= ~(UINT64_C(1) << slot);
        status = og_generator_try(m, &simpler, &simpler_passes);
        if (status == OG_OK && simpler_passes >= *passes && is_of(m, target, site, &simpler)) {
            *w = simpler;
            *passes = simpler_passes;
        }
        status = status == OG_EFACTS ? OG_OK : status;
    }
    return status;
}

static enum og_status try(struct og_generator *m, struct og_target *target, size_t scene, const struct og_probe *w)
{
    bool passes, of[OG_SITES_MOST];
    enum og_status status = og_generator_try(m, w, &passes);

    if (status != OG_OK)
        return status == OG_EFACTS ? OG_OK : status;
    for (size_t i = 0; i < target->sites; i++)
        of[i] = is_of(m, target, &target->site[i], w);
    for (size_t i = 0; i < target->sites && status == OG_OK; i++) {
        struct og_probe simple = *w;
        bool simple_passes = passes;

        if (!of[i])
            continue;
        if (target->site[i].starts[scene] == 0)
            status = simplify(m, target, &target->site[i], &m->base[scene], &simple, &simple_passes);
        keep(m, target, (int)i, scene, &simple, simple_passes);
    }
    return status;
}

/* --- all of them -------------------------------------------------------------------------------------------------- */

/* Try a template with its defaults, and with the symbols that differ. end: the number of trials that must be left. */
static enum og_status plain(struct og_generator *m, struct og_target *target, size_t scene, size_t end)
{
    enum og_status status = m->left > end ? try(m, target, scene, &m->base[scene]) : OG_OK;

    if (target->sites == 0 || m->left <= end)
        keep(m, target, -1, scene, &m->base[scene], true);
    for (size_t i = 0; i < target->symbols; i++) {
        struct og_probe w = m->base[scene];

        og_probe_set(&w, OG_AT_SYMBOL, &target->symbol[i]);
        keep(m, target, -1, scene, &w, true);
    }
    return status;
}

/* Try random probes of the values that conditions mention, for the templates and sites that have no base probe yet. */
static enum og_status mixed(struct og_generator *m, struct og_target *target, size_t end)
{
    enum og_status status = OG_OK;
    bool wanted = target->hints.slots != 0;

    for (int round = 0; round < ROUNDS_MOST && wanted && status == OG_OK; round++) {
        wanted = false;
        for (size_t i = 0; i < og_probe_templates_count && m->left > end && status == OG_OK; i++) {
            struct og_probe w = m->base[i];

            if (!plays(target, &og_probe_templates[i]) || !wants(m, target, i))
                continue;
            wanted = true;
            og_base_probe_mix(m, target, &w);
            status = try(m, target, i, &w);
        }
    }
    return status;
}

static enum og_status solved(struct og_generator *m, struct og_target *target, size_t end)
{
    enum og_status status = OG_OK;
    bool scenes[OG_TEMPLATES_MOST];

    for (size_t i = 0; i < target->sites && status == OG_OK; i++) {
        for (size_t scene = 0; scene < og_probe_templates_count; scene++)
            scenes[scene] = plays(target, &og_probe_templates[scene]) && target->site[i].starts[scene] < A_SCENE_MOST;
        status = og_solve(m, target, &target->site[i], scenes,
                          m->left > end ? m->left - (m->left - end) / (target->sites - i) : end, try);
    }
    return status;
}

/* If enough base probes pass, drop those that are refused for other reasons. */
static void prefer(struct og_generator *m)
{
    size_t passing = 0;

    for (size_t i = 0; i < m->starts; i++)
        passing += m->start[i].passes;
    if (passing < ENOUGH)
        return;
    passing = 0;
    for (size_t i = 0; i < m->starts; i++)
        if (m->start[i].passes)
            m->start[passing++] = m->start[i];
    m->starts = passing;
}

enum og_status og_base_probes_find(struct og_generator *m, struct og_target *target, size_t most)
{
    size_t end = m->left > most ? m->left - most : 0;
    enum og_status status = OG_OK;

    m->starts = 0;
    m->probed = (struct og_str){ NULL, 0 };
    if (target->rule)
        m->probed = og_str_of(target->rule->id);
    else if (target->custom)
        m->probed = (struct og_str){ target->name.s + 7, target->name.len - 7 };
    for (size_t i = 0; i < og_probe_templates_count && status == OG_OK; i++)
        if (plays(target, &og_probe_templates[i]))
            status = plain(m, target, i, end);
    if (status == OG_OK)
        status = solved(m, target, end + (m->left > end ? (m->left - end) / 3 : 0));
    if (status == OG_OK)
        status = mixed(m, target, end);
    for (size_t i = 0; m->starts == 0 && i < og_probe_templates_count; i++)
        if (plays(target, &og_probe_templates[i]))
            keep(m, target, -1, i, &m->base[i], true);
    prefer(m);
    for (size_t i = 0; i < m->starts && status == OG_OK; i++)
        status = og_generator_cost(m, &m->start[i].world, m->start[i].required);
    return status;
}
