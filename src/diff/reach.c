/*
 * Finds base probes: probes whose order reaches a site of the target, so that the policy decides the order there.  The
 * search is hill climbing: the distance of a probe is the number of conditions of the site that it does not meet, and
 * the values in those conditions are tried in the slots that influence them.  If no value lowers the distance, the
 * search starts again from random values.  If it finds nothing, the comparison of settings still reports the site.
 */
#include "diff/generator.h"
#include "expr/program.h"

#define SAME_MOST   2  /* maximum number of base probes that one template gives for one site */
#define TRIES_MOST  80 /* maximum number of values of a slot that are tried in one step of the search */
#define ROUNDS_MOST 60
#define ENOUGH      6
#define ATOMS_MOST  64
#define NEAR_MOST \
    12             /* a template is dropped for a site if its probe does not meet this many conditions of the
                    * site */
#define NEVER 1000 /* distance of a probe from a site that no order of the probe's template can reach */

/* A maximal subexpression of a condition that contains no `and`, `or` or `not`, as an expression of its own. */
struct atom {
    struct og_expr expr;
    uint64_t slots; /* set of the slots that influence the atom's value; 0 if only the template does */
};

struct search {
    struct og_generator *m;
    struct og_target *target;
    const struct og_site *site;
    struct atom atom[ATOMS_MOST];
    int atoms;
    size_t end; /* the search ends when only this many trials are left */
};

static bool plays(const struct og_target *target, const struct og_probe_template *scene)
{
    const struct og_rule *r = target->rule;

    if (!r)
        return !target->custom || !scene->request;
    if (!(og_rule_subjects(r) & scene->subject))
        return false;
    return scene->request || !r->securities || r->securities >> scene->security & 1;
}

/* Make the case of the order that was decided last, as the policy of that side sees it. */
static void case_of(struct og_generator *m, const struct og_probe *w, int side, struct og_case *c)
{
    struct og_diff *d = m->d;

    d->book->policy = d->policy[side];
    og_book_case(d->book, w->scene->request ? d->request->order : d->order, w->v[OG_AT_NOW].ns, d->scratch[side], c);
    c->request = w->scene->request ? d->request : NULL;
}

/* Returns true if the order of the case reaches the site. */
static bool reaches(struct og_generator *m, const struct og_target *target, const struct og_site *site,
                    const struct og_case *c)
{
    if (site->custom)
        return !og_term_is_over(&site->custom->term, c->now) &&
               (!site->custom->when || og_expr_truth(site->custom->when, c, c->expr, NULL) != OG_TRUTH_FALSE);
    return og_check_setting(&m->d->policy[site->side]->rules[target->index], c, m->d->scratch[site->side]->room) ==
           site->setting;
}

/* --- the base probes ---------------------------------------------------------------------------------------------- */

static struct og_base_probe *refused_start(struct og_generator *m, int site, const struct og_probe_template *scene)
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

/* Keep a probe as a base probe. A probe that passes replaces one that does not. */
static void keep(struct og_generator *m, struct og_target *target, int site, const struct og_probe *w, bool passes)
{
    unsigned char *count = site < 0 ? NULL : &target->site[site].starts[w->scene - og_probe_templates];
    struct og_base_probe *to = passes && site >= 0 ? refused_start(m, site, w->scene) : NULL;

    if (!to && count && *count == SAME_MOST)
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

/* Simplify a base probe: set slots back to their defaults as long as the order still reaches the site. */
static enum og_status simplify(struct og_generator *m, const struct og_target *target, const struct og_site *site,
                               struct og_probe *w, bool *passes)
{
    const struct og_probe *usual = &m->base[w->scene - og_probe_templates];
    enum og_status status = OG_OK;
    struct og_case c;

    for (int slot = 0; slot < OG_SLOTS && status == OG_OK; slot++) {
        struct og_probe simpler = *w;
        bool simpler_passes;

        if (!(w->set >> slot & 1))
            continue;
        simpler.v[slot] = usual->v[slot];
        simpler.set &= ~(UINT64_C(1) << slot);
        status = og_generator_try(m, &simpler, &simpler_passes);
        case_of(m, &simpler, site->side, &c);
        if (status == OG_OK && simpler_passes >= *passes && reaches(m, target, site, &c)) {
            *w = simpler;
            *passes = simpler_passes;
        }
        status = status == OG_EFACTS ? OG_OK : status;
    }
    return status;
}

/* Decide a probe, and keep it as a base probe of each site that its order reaches. */
static enum og_status try(struct og_generator *m, struct og_target *target, const struct og_probe *w)
{
    bool passes, of[OG_SITES_MOST];
    enum og_status status = og_generator_try(m, w, &passes);
    struct og_case c;

    if (status != OG_OK)
        return status == OG_EFACTS ? OG_OK : status;
    for (size_t i = 0; i < target->sites; i++) {
        case_of(m, w, target->site[i].side, &c);
        of[i] = reaches(m, target, &target->site[i], &c);
    }
    for (size_t i = 0; i < target->sites && status == OG_OK; i++) {
        struct og_probe simple = *w;
        bool simple_passes = passes;

        if (!of[i])
            continue;
        if (target->site[i].starts[w->scene - og_probe_templates] == 0)
            status = simplify(m, target, &target->site[i], &simple, &simple_passes);
        keep(m, target, (int)i, &simple, simple_passes);
    }
    return status;
}

/* --- the distance to a site --------------------------------------------------------------------------------------- */

static bool is_logic(const struct og_expr_node *n)
{
    return n->op == OG_OP_AND || n->op == OG_OP_OR || n->op == OG_OP_NOT;
}

/* Split an expression into atoms: the largest subtrees whose operator is not `and`, `or` or `not`.  Returns false if
 * there are too many of them, or no memory. */
static bool split(struct search *s, const struct og_expr *e)
{
    for (size_t left = e ? e->root->size : 0; left > 0;) {
        const struct og_expr_node *n = og_expr_first(e->root) + left - 1;
        struct og_hints hints = { .count = 0 };
        struct atom *atom = &s->atom[s->atoms];

        left -= is_logic(n) ? 1 : n->size;
        if (is_logic(n))
            continue;
        if (s->atoms == ATOMS_MOST)
            return false;
        atom->expr = *e;
        atom->expr.root = n;
        atom->expr.code = og_expr_emit(n, &s->m->d->arena, &atom->expr.length);
        if (!atom->expr.code)
            return false;
        og_hints_expr(&hints, &atom->expr);
        atom->slots = hints.slots;
        s->atoms++;
    }
    return true;
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

/* Returns the distance that one condition adds: 0 if it is met; 1 if some slot influences it; NEVER in all other cases.
 * Adds the slots in `of` to *slots if the condition is not met. */
static int count_unmet(bool met, uint64_t of, uint64_t *slots)
{
    *slots |= met ? 0 : of;
    return met ? 0 : of ? 1 : NEVER;
}

/* Returns how many atoms must change their value so that the subtree evaluates to `truth`.  Adds the slots that
 * influence these atoms to *slots. */
static int unmet(const struct search *s, const struct og_expr_node *n, bool truth, const struct og_case *c,
                 uint64_t *slots)
{
    const struct atom *atom = s->atom;
    int a, b;

    if (n->op == OG_OP_NOT)
        return unmet(s, n - 1, !truth, c, slots);
    if (is_logic(n)) {
        a = unmet(s, og_expr_operand(n, 0), truth, c, slots);
        b = unmet(s, n - 1, truth, c, slots);
        return truth == (n->op == OG_OP_AND) ? a + b : least(a, b);
    }
    while (atom->expr.root != n)
        atom++;
    return count_unmet(og_expr_truth(&atom->expr, c, c->expr, NULL) == (truth ? OG_TRUTH_TRUE : OG_TRUTH_FALSE),
                       atom->slots, slots);
}

static int unmet_match(const struct og_override *o, const struct og_case *c, struct og_pattern_room *room,
                       uint64_t *slots)
{
    const struct og_order *order = c->order;
    const uint64_t type = UINT64_C(1) << OG_AT_TYPE, account = UINT64_C(1) << OG_AT_ACCOUNT,
                   tag = UINT64_C(1) << OG_AT_TAG | UINT64_C(1) << OG_AT_ID,
                   symbol = UINT64_C(1) << OG_AT_SYMBOL | UINT64_C(1) << OG_AT_ROOT;

    return count_unmet(!o->securities || o->securities >> order->security & 1, 0, slots) +
           count_unmet(!o->sides || o->sides >> order->side & 1, 0, slots) +
           count_unmet(!o->types || o->types >> order->type & 1, type, slots) +
           count_unmet(!o->symbol || og_pattern_match(o->symbol, order->symbol, room) == OG_MATCH_YES, symbol, slots) +
           count_unmet(!o->account || og_pattern_match(o->account, c->account_id, room) == OG_MATCH_YES, account,
                       slots) +
           count_unmet(!o->tag || og_pattern_match(o->tag, c->tag.is, room) == OG_MATCH_YES, tag, slots);
}

/* Decide the probe, and compute its distance from the site.  *slots: the slots whose change may reduce the distance. */
static enum og_status look(struct search *s, const struct og_probe *w, int *distance, uint64_t *slots)
{
    const struct og_site *site = s->site;
    const struct og_term *term = site->custom ? &site->custom->term : site->override ? &site->override->term : NULL;
    const struct og_expr *when = site->custom ? site->custom->when : site->override ? site->override->when : NULL;
    enum og_status status = og_generator_try(s->m, w, NULL);
    struct og_case c;

    *distance = NEVER;
    *slots = 0;
    if (status != OG_OK)
        return status == OG_EFACTS ? OG_OK : status;
    case_of(s->m, w, site->side, &c);
    *distance = site->override ? unmet_match(site->override, &c, s->m->d->scratch[site->side]->room, slots) : 0;
    if (term)
        *distance += count_unmet(!og_term_is_over(term, c.now), UINT64_C(1) << OG_AT_NOW, slots);
    if (when)
        *distance += unmet(s, when->root, true, &c, slots);
    if (site->custom)
        *distance += unmet(s, site->custom->require->root, false, &c, slots);
    else if (*distance == 0) /* the order meets all conditions, but another override may decide it instead */
        *distance = count_unmet(reaches(s->m, s->target, site, &c), s->target->hints.slots, slots);
    return OG_OK;
}

/* --- climbing ----------------------------------------------------------------------------------------------------- */

/* Choose a value of a slot; half of the time, one that the policies name. */
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
    /* start from a random slot: a price is then sometimes set before, and sometimes after, the quantity that is
     * computed from it */
    size_t first = og_generator_below(m, OG_SLOTS);

    for (size_t i = 0; i < OG_SLOTS; i++) {
        enum og_slot slot = (enum og_slot)((first + i) % OG_SLOTS);

        if (!(target->hints.slots >> slot & 1) || !og_generator_moves(m, slot))
            continue;
        if (target->hints.named >> slot & 1 ? og_generator_below(m, rarely) == 0 : og_generator_below(m, rarely) != 0)
            continue;
        og_candidates(w, slot, &target->hints, 0, NULL, &m->candidates);
        if (m->candidates.count)
            og_probe_set(w, slot, &m->candidates.v[choose(m)]);
    }
}

/* Set one slot so that the distance to the site becomes smaller.  *distance does not change if no value makes it
 * smaller. */
static enum og_status step(struct search *s, struct og_probe *w, int *distance, uint64_t *slots)
{
    const struct og_candidates *c = &s->m->candidates;
    enum og_status status = OG_OK;
    uint64_t of;
    int now;

    for (int slot = 0; slot < OG_SLOTS; slot++) {
        if (!(*slots >> slot & 1) || !og_generator_moves(s->m, (enum og_slot)slot))
            continue;
        og_candidates(w, (enum og_slot)slot, &s->target->hints, 0, NULL, &s->m->candidates);
        for (size_t i = 0; i < c->count && i < TRIES_MOST && s->m->left > s->end && status == OG_OK; i++) {
            struct og_probe other = *w;

            og_probe_set(&other, (enum og_slot)slot, &c->v[i]);
            status = look(s, &other, &now, &of);
            if (status != OG_OK || now >= *distance)
                continue;
            *w = other;
            *distance = now;
            *slots = of;
            return OG_OK;
        }
    }
    return status;
}

static enum og_status climb(struct search *s, struct og_probe w)
{
    uint64_t slots;
    int distance, before = NEVER;
    enum og_status status = look(s, &w, &distance, &slots);

    while (status == OG_OK && distance > 0 && distance < before) {
        before = distance;
        status = step(s, &w, &distance, &slots);
    }
    return status == OG_OK && distance == 0 && s->m->left > s->end ? try(s->m, s->target, &w) : status;
}

/* Search for the site from every template, those at the least distance first. */
static enum og_status climb_to_site(struct search *s, bool mixed)
{
    struct og_generator *m = s->m;
    enum og_status status = OG_OK;
    struct og_probe *start = m->climber;
    int distance[OG_TEMPLATES_MOST];
    uint64_t slots;

    for (size_t i = 0; i < og_probe_templates_count && status == OG_OK; i++) {
        start[i] = m->base[i];
        distance[i] = NEVER;
        if (!plays(s->target, start[i].scene) || s->site->starts[i] == SAME_MOST || m->left <= s->end)
            continue;
        if (mixed)
            og_base_probe_mix(m, s->target, &start[i]);
        status = look(s, &start[i], &distance[i], &slots);
    }
    for (int near = 0; near < NEAR_MOST; near++)
        for (size_t i = 0; i < og_probe_templates_count && m->left > s->end && status == OG_OK; i++)
            if (distance[i] == near)
                status = climb(s, start[i]);
    return status;
}

/* Share the remaining trials among the sites, and search for each site with its share. */
static enum og_status climb_to_sites(struct search *s, bool mixed)
{
    const size_t left = s->m->left, end = s->end;
    enum og_status status = OG_OK;

    for (size_t k = 0; k < s->target->sites && status == OG_OK; k++) {
        s->site = &s->target->site[k];
        s->atoms = 0;
        s->end = left - (left - end) * (k + 1) / s->target->sites;
        if (s->site->custom ? split(s, s->site->custom->when) && split(s, s->site->custom->require)
                            : !s->site->override || split(s, s->site->override->when))
            status = climb_to_site(s, mixed);
    }
    s->end = end;
    return status;
}

/* --- all targets -------------------------------------------------------------------------------------------------- */

/* Try a template with its default values, and then with each symbol that only one of the policies names. end: number of
 * trials to leave for other searches. */
static enum og_status plain(struct og_generator *m, struct og_target *target, const struct og_probe *base, size_t end)
{
    enum og_status status = m->left > end ? try(m, target, base) : OG_OK;

    if (target->sites == 0 || m->left <= end)
        keep(m, target, -1, base, true);
    for (size_t i = 0; i < target->symbols; i++) {
        struct og_probe w = *base;

        og_probe_set(&w, OG_AT_SYMBOL, &target->symbol[i]);
        keep(m, target, -1, &w, true);
    }
    return status;
}

/* If at least ENOUGH base probes pass, drop the base probes that do not pass. */
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
    struct search s = { .m = m, .target = target, .end = m->left > most ? m->left - most : 0 };
    enum og_status status = OG_OK;

    m->starts = 0;
    m->probed = (struct og_str){ NULL, 0 };
    if (target->rule)
        m->probed = og_str_of(target->rule->id);
    else if (target->custom)
        m->probed = (struct og_str){ target->name.s + 7, target->name.len - 7 };
    for (size_t i = 0; i < og_probe_templates_count && status == OG_OK; i++)
        if (plays(target, &og_probe_templates[i]))
            status = plain(m, target, &m->base[i], s.end);
    for (int round = 0; round < ROUNDS_MOST && target->hints.slots && m->left > s.end && status == OG_OK; round++)
        status = climb_to_sites(&s, round > 0);
    for (size_t i = 0; m->starts == 0 && i < og_probe_templates_count; i++)
        if (plays(target, &og_probe_templates[i]))
            keep(m, target, -1, &m->base[i], true);
    prefer(m);
    for (size_t i = 0; i < m->starts && status == OG_OK; i++)
        status = og_generator_cost(m, &m->start[i].world, m->start[i].required);
    return status;
}
