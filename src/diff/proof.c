/*
 * Proves how conditions changed, where that is possible: that a custom rule makes at least, or at most, the findings it
 * made before; that one override applies to every order to which another applies.  Without a proof, the change counts
 * as possibly stricter and possibly looser.
 */
#include "diff/settings.h"
#include "lint/override_condition.h"
#include "policy/overrides.h"
#include "policy/strictness.h"

#define STEPS 200000 /* limit of proof steps; takes some milliseconds */

/* Formulas about a custom rule: (a) it certainly makes a finding; (b) it makes a finding or cannot be decided. */
struct found {
    int surely, perhaps;
};

static struct found found_by(struct og_logic *g, const struct og_custom *c)
{
    int when = og_logic_expr(g, c->when), require = og_logic_expr(g, c->require);

    /* a requirement that holds makes no finding, even if it is unknown whether the rule applies to the order */
    return (struct found){
        .surely = og_logic_and(g, og_logic_is(g, when, OG_T), og_logic_is(g, require, OG_F)),
        .perhaps = og_logic_and(g, og_logic_is(g, when, OG_T | OG_U), og_logic_is(g, require, OG_F | OG_U)),
    };
}

/* Memory and formulas of one proof. */
struct proving {
    struct og_expr_room room;
    struct og_universe u;
    struct og_logic g;
    long steps;
};

static bool begin(struct proving *p, const struct og_settings_diff *d)
{
    bool same = strcmp(d->policy[0]->environment, d->policy[1]->environment) == 0;

    p->room = (struct og_expr_room){ .patterns = og_pattern_room_new() };
    p->u = (struct og_universe){ .environment = same ? d->policy[0]->environment : "",
                                 .monotone = true,
                                 .room = &p->room };
    return p->room.patterns != NULL;
}

static void end(struct proving *p)
{
    og_pattern_room_free(p->room.patterns);
}

static void formula(struct proving *p)
{
    og_logic_begin(&p->g);
    p->steps = STEPS;
}

static bool never(struct proving *p, int node)
{
    return og_logic_never(&p->g, node, OG_T, &p->u, &p->steps) == OG_PROVED;
}

/* Returns true if it is proved that the second formula holds wherever the first one holds. */
static bool follows(struct proving *p, int from, int to)
{
    return never(p, og_logic_and(&p->g, from, og_logic_not(&p->g, to)));
}

/* --- custom rules ------------------------------------------------------------------------------------------------- */

/* Returns true if rule b makes a finding of at least the same level for every order for which rule a makes, or may
 * make, a finding. */
static bool keeps(struct proving *p, const struct og_custom *a, const struct og_custom *b, uint64_t orders)
{
    struct found of_a, of_b;
    int these;

    formula(p);
    of_a = found_by(&p->g, a);
    of_b = found_by(&p->g, b);
    these = og_logic_kinds(&p->g, orders);
    return follows(p, og_logic_and(&p->g, these, of_a.surely), of_b.surely) &&
           follows(p, og_logic_and(&p->g, these, of_a.perhaps), of_b.perhaps);
}

unsigned og_settings_proved(const struct og_settings_diff *d, const struct og_custom *before,
                            const struct og_custom *after, uint64_t orders)
{
    struct proving p;
    bool not_looser, not_tighter;

    if (!begin(&p, d))
        return OG_CHANGE_EITHER;
    not_looser = keeps(&p, before, after, orders);
    not_tighter = keeps(&p, after, before, orders);
    end(&p);
    return (not_looser ? 0 : OG_CHANGE_LOOSER) | (not_tighter ? 0 : OG_CHANGE_TIGHTER);
}

bool og_settings_never_finds(const struct og_settings_diff *d, const struct og_custom *c, uint64_t orders)
{
    struct proving p;
    bool proved;

    if (!begin(&p, d))
        return false;
    formula(&p);
    proved = never(&p, og_logic_and(&p.g, og_logic_kinds(&p.g, orders), found_by(&p.g, c).perhaps));
    end(&p);
    return proved;
}

/* --- overrides ---------------------------------------------------------------------------------------------------- */

/* Returns true if it is proved that b applies to every order to which a applies, and may apply wherever a may apply. */
static bool takes_all(struct proving *p, const struct og_override *a, const struct og_override *b)
{
    int of_a, of_b;

    formula(p);
    of_a = og_override_formula_any_time(&p->g, a);
    of_b = og_override_formula_any_time(&p->g, b);
    return follows(p, og_logic_is(&p->g, of_a, OG_T), og_logic_is(&p->g, of_b, OG_T)) &&
           follows(p, og_logic_is(&p->g, of_a, OG_T | OG_U), og_logic_is(&p->g, of_b, OG_T | OG_U));
}

bool og_settings_takes_all(const struct og_settings_diff *d, int rule, const struct og_override *a,
                           const struct og_override *b)
{
    struct proving p;
    bool proved;

    if (og_override_same_orders(a, b) && !(d->lists_differ && a->when && og_expr_list_used(a->when, 0).len))
        return true;
    if (og_override_applies_to_requests((size_t)rule, a) || !begin(&p, d))
        return false;
    proved = takes_all(&p, a, b);
    end(&p);
    return proved;
}

bool og_settings_never_applies(const struct og_settings_diff *d, const struct og_override *o, uint64_t orders)
{
    struct proving p;
    bool proved;
    int applies;

    if (!begin(&p, d))
        return false;
    formula(&p);
    applies = og_logic_is(&p.g, og_override_formula_any_time(&p.g, o), OG_T | OG_U);
    proved = never(&p, og_logic_and(&p.g, og_logic_kinds(&p.g, orders), applies));
    end(&p);
    return proved;
}

bool og_settings_meet(const struct og_settings_diff *d, int rule, int side, int k, const struct og_override *other)
{
    const struct og_policy_rule *all = &d->policy[side]->rules[rule];
    struct proving p;
    bool proved;
    int both;

    if (og_override_applies_to_requests((size_t)rule, &all->overrides[k]) || !begin(&p, d))
        return true;
    formula(&p);
    both = og_logic_and(&p.g, og_logic_is(&p.g, og_override_formula_any_time(&p.g, &all->overrides[k]), OG_T | OG_U),
                        og_logic_is(&p.g, og_override_formula_any_time(&p.g, other), OG_T | OG_U));
    for (int i = 0; i < k; i++)
        if (all->overrides[i].term.until == OG_TIME_UNKNOWN)
            both = og_logic_and(&p.g, both,
                                og_logic_is(&p.g, og_override_formula_any_time(&p.g, &all->overrides[i]), OG_F | OG_U));
    proved = never(&p, both);
    end(&p);
    return !proved;
}
