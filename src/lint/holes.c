/*
 * Holes: kinds of orders that no limit on size covers, in a policy that has such limits.
 * It refuses to guess: an order of each kind is tried, with the most that the broker takes.
 */
#include "lint/lint.h"

#include <stdio.h>

#include "base/buf.h"
#include "lint/scene.h"

#include "base/banned.h"

#define HUGE 1000000

static bool limits_size(size_t i)
{
    return og_rules[i]->sizes || strcmp(og_rules[i]->id, "position-limit") == 0 ||
           strcmp(og_rules[i]->id, "exposure") == 0;
}

/* The first rule in the linted file that limits the size of orders and refuses. */
static const struct og_yaml *first_limit(const struct og_linting *l)
{
    const struct og_yaml *rules = og_yaml_get(l->root, "rules");

    for (const struct og_yaml *n = rules && rules->kind == OG_YAML_MAP ? rules->first : NULL; n; n = n->next)
        for (size_t i = 0; i < og_rules_size; i++)
            if (og_str_is(n->key, og_rules[i]->id) && limits_size(i) && og_lint_binds(l, i, -1))
                return n;
    return NULL;
}

/* Some limit looked at the order: what it could not tell, the policy lets pass knowingly (unsure: warn). */
static bool was_looked_at(const struct og_decision *d)
{
    for (size_t i = 0; i < og_rules_size; i++)
        if (limits_size(i) && og_decision_finds(d, og_rules[i]->id, NULL, false))
            return true;
    return false;
}

/* Such orders pass when they are small, and when they are as large as the broker takes. */
static bool is_hole(struct og_linting *l, enum og_security security, enum og_side side, enum og_order_type type)
{
    struct og_probe p = og_scene_ordinary(l->scene, security, side, type);
    const struct og_decision *d;

    if (!og_scene_decide(l->scene, &p)->accepted)
        return false;
    p.quantity = HUGE;
    d = og_scene_decide(l->scene, &p);
    return d->accepted && !was_looked_at(d);
}

static void add_name(struct og_buf *b, enum og_security security, enum og_side side, enum og_order_type type)
{
    og_buf_format(b, "%s%s%s%s %s", b->len ? ", " : "", security == OG_MLEG ? "" : og_side_name(side),
                  security == OG_MLEG ? "" : " ", og_security_name(security), og_order_type_name(type));
}

void og_lint_holes(struct og_linting *l)
{
    const struct og_yaml *at = first_limit(l);
    const struct og_lint_witness *witness = NULL;
    struct og_lint_finding *f;
    char names[400];
    struct og_buf b;
    int holes = 0;

    if (!at)
        return;
    og_buf_init_fixed(&b, names, sizeof names);
    for (int security = OG_STOCK; security <= OG_MLEG; security++)
        for (int type = OG_MARKET; type <= OG_STOP_LIMIT; type++)
            for (int side = OG_BUY; side <= (security == OG_MLEG ? OG_BUY : OG_SELL); side++) {
                if (!is_hole(l, (enum og_security)security, (enum og_side)side, (enum og_order_type)type))
                    continue;
                if (holes++ == 0)
                    witness = og_scene_witness(l->scene, "accepted: an order of %d", HUGE);
                add_name(&b, (enum og_security)security, (enum og_side)side, (enum og_order_type)type);
            }
    if (holes == 0)
        return;
    f = og_lint_note_key(l, at, "size-hole", "orders are limited in size, but not these that open: %s", names);
    f->witness = witness;
}
