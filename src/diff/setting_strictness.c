/*
 * Decides whether each changed setting became stricter or looser, and whether, because of it, an order that was refused
 * may be accepted.  Conditions are compared only by proof.c: without a proof, and without an order that shows the
 * effect, a changed condition counts as possibly stricter and possibly looser.
 */
#include <limits.h>

#include "base/time.h"
#include "diff/settings.h"
#include "policy/groups.h"
#include "policy/overrides.h"
#include "policy/rule_entry.h"
#include "policy/strictness.h"

#define NO_LIMIT    INT64_C(1000000000) /* a value this large means no limit */
#define PROVED_MOST 40                  /* maximum number of overrides of one rule that are compared by proof */
#define WORDS_MOST  300                 /* for a list with more words, no proofs about conditions are tried */

/* Bit set: known to be stricter, known to be looser, may be either or both. */
enum { TIGHTER = 1, LOOSER = 2, UNCLEAR = 4 };

static unsigned bits_of(unsigned way)
{
    return way == OG_CHANGE_EITHER ? UNCLEAR : way;
}

static void conclude(struct og_setting_pair *p, unsigned bits, bool may_pass)
{
    p->what = bits & LOOSER ? OG_DIFF_LOOSENED : bits == TIGHTER ? OG_DIFF_TIGHTENED : OG_DIFF_NOTED;
    p->may_pass = may_pass && bits & (LOOSER | UNCLEAR);
}

/* --- parts of settings -------------------------------------------------------------------------------------------- */

static bool has_all(const struct og_string_set *all, const struct og_string_set *of)
{
    for (size_t i = 0; i < of->count; i++)
        if (!og_string_set_contains(all, of->word[i]))
            return false;
    return true;
}

/* Returns whether a changed list of words is stricter or looser. A list of allowed words that is empty allows
 * everything. */
static unsigned words_way(enum og_listing listing, const struct og_string_set *a, const struct og_string_set *b)
{
    bool allows = listing == OG_LISTING_ALLOWS;
    bool more = has_all(b, a), fewer = has_all(a, b);

    if (allows && a->count * b->count == 0)
        return a->count ? OG_CHANGE_LOOSER : OG_CHANGE_TIGHTER;
    if (more && fewer) /* the same words in another sequence */
        return 0;
    return more    ? allows ? OG_CHANGE_LOOSER : OG_CHANGE_TIGHTER
           : fewer ? allows ? OG_CHANGE_TIGHTER : OG_CHANGE_LOOSER
                   : OG_CHANGE_EITHER;
}

static unsigned part_way(const struct og_rule *rule, int part, const struct og_rule_setting *a,
                         const struct og_rule_setting *b)
{
    const struct og_param *p = part >= OG_ENTRY_PARTS ? &rule->params[part - OG_ENTRY_PARTS] : NULL;
    unsigned way = og_entry_part_change(rule, part, a, b);

    if (!way || !p || !p->listing)
        return way;
    return words_way(p->listing, (const void *)((const char *)a->settings + p->at),
                     (const void *)((const char *)b->settings + p->at));
}

/* --- whether rules apply ------------------------------------------------------------------------------------------ */

bool og_settings_refuses(const struct og_policy_rule *r)
{
    bool refuses = og_setting_refuses(r->rule, &r->setting);

    for (size_t k = 0; k < r->override_count; k++)
        refuses = refuses || og_setting_refuses(r->rule, &r->overrides[k].setting);
    return refuses;
}

static bool is_limit(const struct og_param *p, const void *settings)
{
    const char *at = (const char *)settings + p->at;
    struct og_money n = og_money_from(0);

    if (p->kind == OG_PARAM_INT)
        n = og_money_from(*(const int64_t *)(const void *)at);
    else if (p->kind == OG_PARAM_MONEY)
        n = *(const struct og_money *)(const void *)at;
    return og_money_cmp(n, og_money_from(NO_LIMIT)) < 0;
}

/* Returns true if a size limit covers more orders than before: rules that refuse orders which no size limit covers may
 * then accept them. */
static bool covers_more(const struct og_settings_diff *d, const struct og_rule *rule, const struct og_rule_setting *a,
                        const struct og_rule_setting *b)
{
    bool more = !og_setting_refuses(rule, a), strict = false;

    if (rule->limits_size != OG_LIMITS_ORDERS || !og_setting_refuses(rule, b))
        return false;
    for (size_t i = 0; i < og_rules_size; i++)
        strict |= og_rules[i]->limits_size == OG_LIMITS_MISSING && og_settings_refuses(&d->policy[0]->rules[i]);
    for (size_t i = 0; a->settings && b->settings && i < rule->param_count; i++)
        more |= !is_limit(&rule->params[i], a->settings) && is_limit(&rule->params[i], b->settings);
    return strict && more;
}

bool og_param_is_shared(const struct og_rule *rule, const char *key)
{
    OG_EACH_PARAM (p, rule)
        if (p->shared && (!key || strcmp(p->key, key) == 0))
            return true;
    return false;
}

/* Returns the change of the settings that other rules use too, whatever the level of this rule is. If a rule has no
 * settings, other rules use the loosest value (check/worth.c). */
static unsigned shared_way(const struct og_rule *rule, const struct og_rule_setting *a, const struct og_rule_setting *b)
{
    unsigned bits = 0;

    if (!a->settings != !b->settings)
        return !og_param_is_shared(rule, NULL) ? 0 : a->settings ? LOOSER : TIGHTER;
    for (size_t i = 0; a->settings && i < rule->param_count; i++)
        if (rule->params[i].shared)
            bits |= bits_of(part_way(rule, (int)(OG_ENTRY_PARTS + i), a, b));
    return bits;
}

/* Returns whether the settings are stricter or looser, for orders to which a applied before and b applies now. */
static unsigned compare(const struct og_settings_diff *d, const struct og_rule *rule, const struct og_rule_setting *a,
                        const struct og_rule_setting *b)
{
    unsigned bits = shared_way(rule, a, b) | (covers_more(d, rule, a, b) ? UNCLEAR : 0);

    if (!og_setting_refuses(rule, a))
        return og_setting_refuses(rule, b) ? bits | TIGHTER : bits;
    if (!og_setting_refuses(rule, b))
        return bits | LOOSER;
    for (int part = OG_PART_LEVEL; part <= OG_PART_REASONS; part++)
        if (part != OG_PART_LOCK)
            bits |= bits_of(part_way(rule, part, a, b));
    for (size_t i = 0; a->settings && b->settings && i < rule->param_count; i++)
        bits |= bits_of(part_way(rule, (int)(OG_ENTRY_PARTS + i), a, b));
    return bits;
}

/* Turn LOOSER into UNCLEAR, for use when it is unknown which orders the change concerns. */
static unsigned doubted(unsigned bits)
{
    return bits & (LOOSER | UNCLEAR) ? UNCLEAR | (bits & TIGHTER) : bits;
}

static const struct og_override *override_of(const struct og_settings_diff *d, int rule, int side, int k)
{
    return &d->policy[side]->rules[rule].overrides[k];
}

static bool lasts_longer(const struct og_term *a, const struct og_term *b)
{
    return a->until != OG_TIME_UNKNOWN && (b->until == OG_TIME_UNKNOWN || b->until > a->until);
}

/* Returns true if the other override applies to every order to which o applies, and its end time is no earlier. */
static bool takes_all(const struct og_settings_diff *d, int rule, const struct og_override *o,
                      const struct og_override *other)
{
    bool few = d->overrides[rule].count <= PROVED_MOST;

    return !lasts_longer(&other->term, &o->term) && (few || og_override_same_orders(o, other)) &&
           og_settings_takes_all(d, rule, o, other);
}

/* Returns an override before override k that applies to all orders to which override k applies; NULL if none does. */
static const struct og_override *idle_behind(const struct og_settings_diff *d, int rule, int side, int k)
{
    for (int i = 0; i < k; i++)
        if (takes_all(d, rule, override_of(d, rule, side, k), override_of(d, rule, side, i)))
            return override_of(d, rule, side, i);
    return NULL;
}

/* Returns the effect of adding or removing an override that applies to no order, because the override `behind` comes
 * first and applies to all of its orders.  If the override has a condition, it may still affect orders for which that
 * condition cannot be decided. */
static unsigned idly(const struct og_settings_diff *d, int rule, const struct og_override *o,
                     const struct og_override *behind, bool gone)
{
    if (!o->when)
        return 0;
    return doubted(gone ? compare(d, og_rules[rule], &o->setting, &behind->setting)
                        : compare(d, og_rules[rule], &behind->setting, &o->setting));
}

/* Returns the effect of an override that exists in only one policy, compared with the override or rule that applies to
 * its orders in the other policy. `gone`: only the policy `before` has it. */
static unsigned without(const struct og_settings_diff *d, int rule, int twin, bool gone)
{
    const struct og_alignment *all = &d->overrides[rule];
    const struct og_rule *r = og_rules[rule];
    int side = gone ? 0 : 1, k = gone ? all->twins[twin].before : all->twins[twin].after, taken = INT_MAX;
    const struct og_override *o = override_of(d, rule, side, k), *behind = idle_behind(d, rule, side, k);
    const struct og_rule_setting *mine = &o->setting, *rest = &d->policy[!side]->rules[rule].setting;
    unsigned bits = 0;

    if (behind)
        return idly(d, rule, o, behind, gone);
    /* first find the override that applies to all orders of o; then compare o with the overrides before that one */
    for (int turn = 0; turn < 2; turn++)
        for (size_t i = 0; i < all->count; i++) {
            int here = gone ? all->twins[i].before : all->twins[i].after,
                there = gone ? all->twins[i].after : all->twins[i].before;
            const struct og_override *other = there >= 0 && there < taken ? override_of(d, rule, !side, there) : NULL;

            if ((int)i == twin || !other || (here >= 0 && here < k) || og_override_apart(o, other))
                continue;
            if (turn && all->count <= PROVED_MOST && !og_settings_meet(d, rule, side, k, other))
                continue;
            if (turn)
                bits |= doubted(gone ? compare(d, r, mine, &other->setting) : compare(d, r, &other->setting, mine));
            else if (takes_all(d, rule, o, other))
                taken = there;
        }
    if (taken < INT_MAX)
        rest = &override_of(d, rule, !side, taken)->setting;
    return bits | (gone ? compare(d, r, mine, rest) : compare(d, r, rest, mine));
}

/* Returns the effect of an override that changed places with another, on orders to which both apply. */
static unsigned moved(const struct og_settings_diff *d, int rule, int twin)
{
    const struct og_alignment *all = &d->overrides[rule];
    const struct og_override_pair *t = &all->twins[twin];
    const struct og_override *old = override_of(d, rule, 0, t->before), *new = override_of(d, rule, 1, t->after);
    unsigned bits = 0;

    for (size_t i = 0; i < all->count; i++) {
        const struct og_override_pair *o = &all->twins[i];

        if ((int)i == twin || o->before < 0 || o->after < 0 ||
            og_override_apart(new, override_of(d, rule, 1, o->after)))
            continue;
        if (o->before < t->before && o->after > t->after)
            bits |= compare(d, og_rules[rule], &override_of(d, rule, 0, o->before)->setting, &new->setting);
        if (o->before > t->before && o->after < t->after)
            bits |= compare(d, og_rules[rule], &old->setting, &override_of(d, rule, 1, o->after)->setting);
    }
    return doubted(bits);
}

/* Returns the effect of an override that now applies to other orders: it may have lost some orders and gained others,
 * unless a proof shows that it did not. */
static unsigned for_others(const struct og_settings_diff *d, int rule, int twin)
{
    const struct og_override_pair *t = &d->overrides[rule].twins[twin];
    const struct og_override *before = override_of(d, rule, 0, t->before), *after = override_of(d, rule, 1, t->after);
    bool left = !og_settings_takes_all(d, rule, before, after), came = !og_settings_takes_all(d, rule, after, before);

    if (left && came)
        return doubted(without(d, rule, twin, true) | without(d, rule, twin, false));
    return left || came ? without(d, rule, twin, left) : 0;
}

static unsigned until(const struct og_settings_diff *d, int rule, int twin)
{
    const struct og_override_pair *t = &d->overrides[rule].twins[twin];
    bool longer = lasts_longer(&override_of(d, rule, 0, t->before)->term, &override_of(d, rule, 1, t->after)->term);

    return without(d, rule, twin, !longer);
}

static int part_of(const struct og_rule *rule, const char *key)
{
    static const struct {
        const char *key;
        int part;
    } parts[] = {
        { "level", OG_PART_LEVEL }, { "unsure", OG_PART_UNSURE }, { "mode", OG_PART_MODE }, { "lock", OG_PART_LOCK }
    };

    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (strcmp(key, parts[i].key) == 0)
            return parts[i].part;
    if (strncmp(key, "reasons.", 8) == 0)
        return OG_PART_REASONS;
    for (size_t i = 0; i < rule->param_count; i++)
        if (strcmp(key, rule->params[i].key) == 0)
            return (int)(OG_ENTRY_PARTS + i);
    return -1;
}

/* Decide whether the change of one part of a rule's settings is stricter or looser. A removed lock is looser: no order
 * passes because of it, but later layers can loosen the rule. */
static void weigh_part(const struct og_settings_diff *d, struct og_setting_pair *p, const struct og_rule *rule,
                       const struct og_rule_setting *a, const struct og_rule_setting *b)
{
    bool refuses = og_setting_refuses(rule, a), covers = covers_more(d, rule, a, b);
    int part = part_of(rule, p->key);
    bool lone = !a->settings != !b->settings;

    if (part >= OG_ENTRY_PARTS && og_param_is_shared(rule, lone ? NULL : p->key))
        conclude(p, shared_way(rule, a, b) | (covers ? UNCLEAR : 0), true);
    else if (part < 0 || (part >= OG_ENTRY_PARTS && !refuses && a->level == OG_LEVEL_OFF))
        conclude(p, 0, false);
    else if (part >= OG_ENTRY_PARTS && (!a->settings || !b->settings)) /* a rule does not run without the settings
                                                                        * that it needs */
        conclude(p, a->settings ? LOOSER : covers ? UNCLEAR : TIGHTER, refuses || covers);
    else
        conclude(p, bits_of(part_way(rule, part, a, b)) | (covers ? UNCLEAR : 0),
                 part == OG_PART_LOCK || refuses || covers);
}

/* Decide whether a changed setting of a rule of the register is stricter or looser. An override without a mode has the
 * mode of the rule. */
static void weigh_rule(const struct og_settings_diff *d, struct og_setting_pair *p)
{
    const struct og_policy_rule *a = &d->policy[0]->rules[p->rule], *b = &d->policy[1]->rules[p->rule];

    if (strcmp(p->key, "mode") == 0)
        conclude(p, og_change_of((int)a->setting.mode, (int)b->setting.mode), og_settings_refuses(a));
    else
        weigh_part(d, p, a->rule, &a->setting, &b->setting);
}

static void weigh_override(const struct og_settings_diff *d, struct og_setting_pair *p)
{
    const struct og_override_pair *t = &d->overrides[p->rule].twins[p->twin];

    if (t->before < 0 || t->after < 0)
        conclude(p, without(d, p->rule, p->twin, t->after < 0), true);
    else if (!*p->key)
        conclude(p, moved(d, p->rule, p->twin), true);
    else if (strncmp(p->key, "match", 5) == 0 || strcmp(p->key, "when") == 0)
        conclude(p, for_others(d, p->rule, p->twin), true);
    else if (strcmp(p->key, "until") == 0)
        conclude(p, until(d, p->rule, p->twin), true);
    else
        weigh_part(d, p, og_rules[p->rule], &override_of(d, p->rule, 0, t->before)->setting,
                   &override_of(d, p->rule, 1, t->after)->setting);
}

/* --- custom rules ------------------------------------------------------------------------------------------------- */

const struct og_custom *og_settings_custom(const struct og_policy *policy, struct og_str id)
{
    for (size_t i = 0; i < policy->custom_count; i++)
        if (og_str_is(id, policy->custom[i]->rule.id))
            return policy->custom[i];
    return NULL;
}

static const struct og_custom *custom_of(const struct og_settings_diff *d, int side, struct og_str group)
{
    return og_settings_custom(d->policy[side], (struct og_str){ group.s + 7, group.len - 7 });
}

static unsigned given(const struct og_setting_pair *p, unsigned before_only, unsigned after_only)
{
    return !p->after.s ? before_only : !p->before.s ? after_only : UNCLEAR;
}

static void weigh_custom(const struct og_settings_diff *d, struct og_setting_pair *p)
{
    const struct og_custom *a = custom_of(d, 0, p->group), *b = custom_of(d, 1, p->group);
    bool refuses = a && og_setting_refuses(&a->rule, &a->entry.setting);

    if (!*p->key)
        conclude(p, given(p, LOOSER, TIGHTER), refuses);
    else if (strcmp(p->key, "when") == 0 && !(p->before.s && p->after.s))
        conclude(p, given(p, TIGHTER, LOOSER), refuses);
    else if (strcmp(p->key, "when") == 0 || strcmp(p->key, "require") == 0)
        conclude(p, bits_of(og_settings_proved(d, a, b, UINT64_MAX)), refuses);
    else if (strcmp(p->key, "until") == 0)
        conclude(p, lasts_longer(&a->term, &b->term) ? TIGHTER : LOOSER, refuses);
    else
        weigh_part(d, p, &a->rule, &a->entry.setting, &b->entry.setting);
}

/* --- keys of the policy ------------------------------------------------------------------------------------------- */

static bool rule_leans(const struct og_settings_diff *d, size_t rule, struct og_str list)
{
    bool leans = false;

    for (int side = 0; side < 2; side++) {
        const struct og_policy_rule *r = &d->policy[side]->rules[rule];

        leans = leans || og_limits_of_rule_name(r, list);
        for (size_t k = 0; k < r->override_count; k++)
            leans = leans || og_expr_reads_list(r->overrides[k].when, list);
    }
    return leans;
}

bool og_settings_leans(const struct og_settings_diff *d, struct og_str group, struct og_str list)
{
    int rule = og_settings_rule(group);

    for (int side = 0; side < 2; side++) {
        const struct og_custom *c =
            group.len > 7 && memcmp(group.s, "custom.", 7) == 0 ? custom_of(d, side, group) : NULL;

        if (c && (og_expr_reads_list(c->when, list) || og_expr_reads_list(c->require, list)))
            return true;
    }
    return rule >= 0 && rule_leans(d, (size_t)rule, list);
}

const struct og_string_set *og_settings_list(const struct og_settings_diff *d, int side, struct og_str name)
{
    static const struct og_string_set none;
    const struct og_expr_names *lists = &d->policy[side]->lists;

    for (size_t i = 0; i < lists->count; i++)
        if (og_str_eq(lists->lists[i].name, name))
            return &d->list[side][i];
    return &none;
}

/* The effect of a changed list: whether it became stricter or looser (bits), and whether an order may pass because of
 * it. */
struct leaning {
    unsigned bits;
    bool passes;
};

static void lean(struct leaning *l, unsigned bits, bool refuses)
{
    l->bits |= bits;
    l->passes |= refuses && bits & (LOOSER | UNCLEAR);
}

static void lean_limits(struct leaning *l, const struct og_rule *rule, const struct og_rule_setting *a,
                        const struct og_rule_setting *b, struct og_str list, unsigned way)
{
    if (og_limits_name(rule, a->settings, list) && og_limits_name(rule, b->settings, list))
        lean(l, og_limits_are_weighted(rule) ? UNCLEAR : way, og_setting_refuses(rule, a));
}

/* Returns the effect of a changed list on the custom rules, overrides and limits that name the list and exist in both
 * policies; those that only one policy has are reported as added or removed. A limit on a group becomes stricter if the
 * group gets more symbols, since more counts towards it. was, now: the list in either policy. */
static struct leaning lean_on(const struct og_settings_diff *d, struct og_str list, const struct og_string_set *was,
                              const struct og_string_set *now)
{
    const unsigned way = has_all(now, was) ? TIGHTER : has_all(was, now) ? LOOSER : TIGHTER | LOOSER;
    const bool short_enough = was->count <= WORDS_MOST && now->count <= WORDS_MOST;
    struct og_custom *const *custom = d->policy[0]->custom;
    struct leaning l = { 0, false };

    for (size_t i = 0; i < d->policy[0]->custom_count; i++) {
        const struct og_custom *a = custom[i], *b = og_settings_custom(d->policy[1], og_str_of(a->rule.id));

        if (b && (og_expr_reads_list(a->when, list) || og_expr_reads_list(a->require, list) ||
                  og_expr_reads_list(b->when, list) || og_expr_reads_list(b->require, list)))
            lean(&l, short_enough ? bits_of(og_settings_proved(d, a, b, UINT64_MAX)) : UNCLEAR,
                 og_setting_refuses(&a->rule, &a->entry.setting));
    }
    for (size_t i = 0; i < og_rules_size; i++) {
        lean_limits(&l, og_rules[i], &d->policy[0]->rules[i].setting, &d->policy[1]->rules[i].setting, list, way);
        for (size_t k = 0; k < d->overrides[i].count; k++) {
            const struct og_override_pair *t = &d->overrides[i].twins[k];
            const struct og_override *a = t->before >= 0 ? override_of(d, (int)i, 0, t->before) : NULL,
                                     *b = t->after >= 0 ? override_of(d, (int)i, 1, t->after) : NULL;

            if (!a || !b)
                continue;
            if (og_expr_reads_list(a->when, list) || og_expr_reads_list(b->when, list))
                lean(&l, short_enough ? for_others(d, (int)i, (int)k) : UNCLEAR, true);
            lean_limits(&l, og_rules[i], &a->setting, &b->setting, list, way);
        }
    }
    return l;
}

static const struct og_list_age *age_of(const struct og_policy *p, struct og_str name)
{
    static const struct og_list_age none = { .as_of = OG_TIME_UNKNOWN };

    for (size_t i = 0; i < p->lists.count; i++)
        if (og_str_eq(p->lists.lists[i].name, name))
            return &p->lists.lists[i].age;
    return &none;
}

static bool is_of_one_age(const struct og_settings_diff *d, struct og_str list)
{
    const struct og_list_age *a = age_of(d->policy[0], list), *b = age_of(d->policy[1], list);

    return a->as_of == b->as_of && a->max_age == b->max_age && a->of_session == b->of_session;
}

static void weigh_list(const struct og_settings_diff *d, struct og_setting_pair *p)
{
    const char *dot = memchr(p->path.s + 6, '.', p->path.len - 6); /* lists.NAME.words */
    struct og_str list = { p->path.s + 6, dot ? (size_t)(dot - p->path.s) - 6 : p->path.len - 6 };
    const struct og_string_set *a = og_settings_list(d, 0, list), *b = og_settings_list(d, 1, list);
    struct leaning l = { 0, false };

    if (!is_of_one_age(d, list)) /* whether orders pass depends on when the policies are used */
        l = (struct leaning){ UNCLEAR, true };
    else if (!has_all(a, b) || !has_all(b, a)) /* the same items in another sequence are the same list */
        l = lean_on(d, list, a, b);
    conclude(p, l.bits, l.passes);
}

/* What happens to an order if only one of the policies considers a fact too old. */
struct stale {
    bool refused; /* the policy that considers the fact too old refuses the order */
    bool passes;  /* the policy that considers the fact too old accepts the order, although the other policy refuses
                   * it */
};

static void add_stale(struct stale *s, const struct og_rule *rule, const struct og_rule_setting *setting,
                      unsigned reads, int kind)
{
    bool undecided = false;

    if (!(reads >> kind & 1) || !og_setting_refuses(rule, setting))
        return;
    for (size_t i = 0; i < rule->reason_count; i++)
        undecided |= rule->reasons[i].undecided == OG_LEVEL_REFUSE;
    s->refused |= undecided || setting->unsure == OG_UNSURE_REFUSE;
    s->passes |= og_setting_passes_unsure(rule, setting);
}

static struct stale stale_by(const struct og_policy *p, int kind)
{
    struct stale s = { false, false };

    for (size_t i = 0; i < og_rules_size; i++) {
        const struct og_policy_rule *r = &p->rules[i];

        add_stale(&s, r->rule, &r->setting, r->rule->reads, kind);
        for (size_t k = 0; k < r->override_count; k++)
            add_stale(&s, r->rule, &r->overrides[k].setting,
                      r->rule->reads | (r->overrides[k].when ? og_expr_reads(r->overrides[k].when) : 0), kind);
    }
    for (size_t i = 0; i < p->custom_count; i++) {
        const struct og_custom *c = p->custom[i];

        add_stale(&s, &c->rule, &c->entry.setting, og_expr_reads(c->require) | (c->when ? og_expr_reads(c->when) : 0),
                  kind);
    }
    return s;
}

/* Decide whether a changed max_age is stricter or looser. A fact that is too old counts as missing. Rules that refuse
 * without it become looser if facts may be older; rules that pass without it become stricter. */
static void weigh_age(const struct og_settings_diff *d, struct og_setting_pair *p)
{
    for (int kind = 0; kind < OG_FACT_KINDS; kind++) {
        int64_t a = d->policy[0]->max_age[kind], b = d->policy[1]->max_age[kind];
        bool longer = b == 0 || (a != 0 && b > a);
        struct stale s;

        if (strcmp(p->key, og_fact_name((enum og_fact)(1U << kind))) != 0)
            continue;
        s = stale_by(d->policy[longer ? 0 : 1], kind);
        if (longer)
            conclude(p, s.refused ? LOOSER : TIGHTER, true);
        else
            conclude(p, s.passes ? UNCLEAR : TIGHTER, true);
        return;
    }
}

static void weigh_key(const struct og_settings_diff *d, struct og_setting_pair *p)
{
    const struct og_policy *a = d->policy[0], *b = d->policy[1];

    if (strncmp(p->path.s, "max_age.", 8) == 0)
        weigh_age(d, p);
    else if (strncmp(p->path.s, "lists.", 6) == 0)
        weigh_list(d, p);
    else if (og_str_is(p->path, "mode"))
        conclude(p, og_change_of((int)a->mode, (int)b->mode), true);
    else if (og_str_is(p->path, "exits")) /* as for `unsure`: each rule that changes is reported separately */
        conclude(p, og_change_of(a->exits, b->exits), false);
    else if (og_str_is(p->path, "unsure"))
        /* only the change of `unsure` itself, because each rule that it changes is reported separately */
        conclude(p, og_change_of((int)a->unsure, (int)b->unsure), false);
    else
        conclude(p, UNCLEAR, true);
}

void og_settings_set_strictness(const struct og_settings_diff *d, struct og_setting_pair *p)
{
    if (p->rule >= 0 && p->twin >= 0)
        weigh_override(d, p);
    else if (p->rule >= 0)
        weigh_rule(d, p);
    else if (p->path.len > 7 && memcmp(p->path.s, "custom.", 7) == 0)
        weigh_custom(d, p);
    else
        weigh_key(d, p);
}
