/*
 * Locked rules.  It refuses every change of a later layer that lets an order pass that the locked rule refused, and
 * what it cannot tell.
 */
#include "policy/lock.h"

#include <stdio.h>

#include "policy/direction.h"
#include "policy/value.h"

#include "base/banned.h"

void og_lock_refuse(struct og_layers *l, struct og_place at, struct og_place lock, const char *what, const char *name,
                    const char *how)
{
    og_fault_add(&l->faults, OG_ERROR, at, "locked-loosened", "%s '%s' is locked (%s:%d:%d): %s", what, name,
                 lock.source->name, lock.line, lock.col, how);
}

/* --- which of two settings is looser ----------------------------------------------------------------------------- */

/* As it stands when what it does not say is as the policy's. */
static struct og_rule_setting whole_of(const struct og_layers *l, const struct og_draft *d)
{
    struct og_rule_setting whole = d->setting;

    whole.unsure = whole.unsure ? whole.unsure : l->policy->unsure;
    whole.mode = whole.mode ? whole.mode : l->policy->mode;
    whole.settings = d->settings;
    return whole;
}

static bool is_silent(const struct og_rule *rule, const struct og_draft *d)
{
    bool silent = d->setting.level == OG_LEVEL_OFF;

    for (size_t i = 0; rule->reasons[i].id; i++)
        silent = silent && d->setting.reason_level[i] <= OG_LEVEL_OFF;
    return silent;
}

/* The first part in which new would let pass what old does not; -1: none. */
static int looser(const struct og_layers *l, const struct og_rule *rule, const struct og_draft *old,
                  const struct og_draft *new)
{
    static const int parts[] = { OG_PART_LEVEL, OG_PART_UNSURE, OG_PART_MODE, OG_PART_REASONS };
    struct og_rule_setting before = whole_of(l, old), after = whole_of(l, new);

    if (is_silent(rule, old))
        return -1;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (og_part_way(rule, parts[i], &before, &after) & OG_WAY_LOOSER)
            return parts[i];
    for (size_t i = 0; i < og_param_count(rule); i++)
        if (old->given >> i & 1 && og_part_way(rule, (int)(OG_PARTS + i), &before, &after) & OG_WAY_LOOSER)
            return (int)(OG_PARTS + i);
    return -1;
}

/* Two drafts of a rule that differ in a part, and where the older one has it from. */
struct change {
    const struct og_draft *old, *new;
    struct og_place from; /* .source NULL: from nowhere */
};

static struct og_place from(const struct og_draft *rule, const struct og_said *override, int part)
{
    return override && override->where[part].source ? override->where[part] : rule->where[part];
}

static void put_level(struct og_buf *b, const struct og_draft *d, size_t reason)
{
    int level = d->setting.reason_level[reason];

    og_buf_text(b, level < 0 ? "as the rule's" : og_level_name((enum og_level)level));
}

static void put_part(struct og_buf *b, const struct og_layers *l, const struct og_rule *rule, const struct og_draft *d,
                     int part, size_t reason)
{
    struct og_rule_setting whole = whole_of(l, d);

    switch (part) {
    case OG_PART_LEVEL: og_buf_text(b, og_level_name(d->setting.level)); break;
    case OG_PART_UNSURE: og_buf_text(b, og_unsure_names[whole.unsure]); break;
    case OG_PART_MODE: og_buf_text(b, og_mode_names[whole.mode]); break;
    case OG_PART_REASONS: put_level(b, d, reason); break;
    default: og_value_write(&rule->params[part - OG_PARTS], d->settings, b); break;
    }
}

static void put_way(struct og_buf *b, const struct og_rule *rule, int part)
{
    const struct og_param *p = part >= OG_PARTS ? &rule->params[part - OG_PARTS] : NULL;

    if (p && p->tighter == OG_TIGHTER_UNKNOWN)
        og_buf_format(b, "'%s' has no stricter side and cannot be changed", p->key);
    else if (p && p->kind == OG_PARAM_CHOICE)
        og_buf_format(b, "'%s' may only become stricter", p->key);
    else if (p)
        og_buf_format(b, "'%s' may only become %s", p->key, p->tighter == OG_TIGHTER_LOWER ? "lower" : "higher");
    else
        og_buf_format(b, "its %s may only become stricter",
                      part == OG_PART_LEVEL    ? "level"
                      : part == OG_PART_UNSURE ? "'unsure'"
                      : part == OG_PART_MODE   ? "mode"
                                               : "levels of reasons");
}

/* "'most' may only become lower: it is 500 (firm.yaml:7:11), here 600" */
static void note(struct og_layers *l, size_t i, const struct og_said *said, int part, const struct change *c)
{
    const struct og_place *at = said->where[part].source ? &said->where[part] : &said->at;
    const struct og_rule *rule = og_rules[i];
    char text[600];
    struct og_buf b;
    size_t reason = 0;

    while (part == OG_PART_REASONS && rule->reasons[reason].id &&
           !og_reason_looser(&c->old->setting, &c->new->setting, reason))
        reason++;
    og_buf_init_fixed(&b, text, sizeof text);
    put_way(&b, rule, part);
    if (part == OG_PART_REASONS)
        og_buf_format(&b, ": '%s' is ", rule->reasons[reason].id);
    else
        og_buf_text(&b, ": it is ");
    put_part(&b, l, rule, c->old, part, reason);
    if (c->from.source)
        og_buf_format(&b, " (%s:%d:%d)", c->from.source->name, c->from.line, c->from.col);
    og_buf_text(&b, ", here ");
    put_part(&b, l, rule, c->new, part, reason);
    if (b.bad) { /* long lists of words */
        og_buf_init_fixed(&b, text, sizeof text);
        put_way(&b, rule, part);
    }
    og_lock_refuse(l, *at, l->drafts[i].locked, "rule", rule->id, b.s);
}

/* --- overrides ---------------------------------------------------------------------------------------------------- */

/* Old is in force for every order that new is for, whenever new is. */
static bool covers(const struct og_override *old, const struct og_override *new)
{
    return og_override_same_orders(old, new) &&
           (old->term.until == OG_TIME_UNKNOWN ||
            (new->term.until != OG_TIME_UNKNOWN &&new->term.until <= old->term.until));
}

static bool draft_of(struct og_layers *l, size_t i, const struct og_draft *rule, const struct og_said *said,
                     struct og_draft *to)
{
    if (og_draft_copy(to, rule, og_rules[i], &l->room)) {
        og_draft_lay(to, og_rules[i], said);
        return true;
    }
    l->faults.oom = true;
    return false;
}

/* A new override is as tight as all it could stand in front of: the older ones, up to one that covers it, and the
 * rule. */
static void check_override(struct og_layers *l, size_t i, const struct og_draft *rule, const struct og_draft *old,
                           const struct og_said_override *new)
{
    const struct og_said_overrides *older = &l->overrides[i];
    const struct og_said_override *against = NULL;
    struct og_draft draft;
    struct change c = { .new = &draft };
    bool covered = false;
    int part = -1;

    if (!draft_of(l, i, &l->drafts[i], &new->said, &draft))
        return;
    for (size_t k = 0; k < older->count && part < 0 && !covered; k++) {
        if (og_override_apart(&older->item[k].match, &new->match))
            continue;
        against = &older->item[k];
        c.old = &old[k];
        part = looser(l, og_rules[i], c.old, &draft);
        covered = covers(&older->item[k].match, &new->match);
    }
    if (part < 0 && !covered) {
        against = NULL;
        c.old = rule;
        part = looser(l, og_rules[i], rule, &draft);
    }
    if (part < 0)
        return;
    c.from = from(rule, against ? &against->said : NULL, part);
    note(l, i, &new->said, part, &c);
}

static void put_before(struct og_layers *l, size_t i, const struct og_said_overrides *fresh)
{
    struct og_said_overrides *all = &l->overrides[i];
    size_t count = fresh->count + all->count;
    struct og_said_override *item = og_arena_take(&l->room, count * sizeof *item);

    if (!item) {
        l->faults.oom = true;
        return;
    }
    memcpy(item, fresh->item, fresh->count * sizeof *item);
    if (all->count)
        memcpy(item + fresh->count, all->item, all->count * sizeof *item);
    *all = (struct og_said_overrides){ item, count };
}

void og_lock_lay(struct og_layers *l, struct og_speaker *s, size_t i, const struct og_said *said,
                 const struct og_said_overrides *fresh)
{
    struct og_said_overrides *older = &l->overrides[i];
    struct og_draft rule, made, *old = og_arena_take(&l->room, (older->count + 1) * sizeof *old);
    size_t wheres = (OG_PARTS + og_param_count(og_rules[i])) * sizeof *rule.where;
    struct change c = { .old = &rule, .new = &l->drafts[i] };
    int part;

    if (!old || !og_draft_copy(&rule, &l->drafts[i], og_rules[i], &l->room) ||
        !(rule.where = og_arena_take(&l->room, wheres))) {
        s->faults->oom = true;
        return;
    }
    memcpy(rule.where, l->drafts[i].where, wheres);
    for (size_t k = 0; k < older->count; k++)
        if (!draft_of(l, i, &rule, &older->item[k].said, &old[k]))
            return;
    og_draft_lay(&l->drafts[i], og_rules[i], said);
    part = said->lock < 0 ? OG_PART_LOCK : looser(l, og_rules[i], &rule, &l->drafts[i]);
    if (part == OG_PART_LOCK)
        og_lock_refuse(l, said->where[part], rule.locked, "rule", og_rules[i]->id, "a later layer cannot unlock it");
    else if (part >= 0) {
        c.from = from(&rule, NULL, part);
        note(l, i, said, part, &c);
    }
    for (size_t k = 0; k < older->count && part < 0; k++) /* what they take from the rule may loosen them */
        if (draft_of(l, i, &l->drafts[i], &older->item[k].said, &made) &&
            (part = looser(l, og_rules[i], &old[k], &made)) >= 0) {
            c = (struct change){ &old[k], &made, from(&rule, &older->item[k].said, part) };
            note(l, i, said, part, &c);
        }
    if (!fresh || fresh->count == 0)
        return;
    for (size_t k = 0; k < fresh->count; k++)
        check_override(l, i, &rule, old, &fresh->item[k]);
    put_before(l, i, fresh);
}

/* --- keys of the policy ------------------------------------------------------------------------------------------- */

static bool refuse_key(struct og_layers *l, struct og_place at, const char *key, const char *why)
{
    og_fault_add(&l->faults, OG_ERROR, at, "locked-loosened",
                 "a layer below has locked rules (%s:%d:%d): '%s' may only become stricter%s",
                 l->locked_below.source->name, l->locked_below.line, l->locked_below.col, key, why);
    return false;
}

static bool refuse_change(struct og_layers *l, struct og_place at, const char *key, const char *is, const char *here)
{
    char why[100];

    snprintf(why, sizeof why, ": it is %s, here %s", is, here);
    return refuse_key(l, at, key, why);
}

bool og_lock_admits_unsure(struct og_layers *l, struct og_place at, enum og_unsure_mode unsure)
{
    return !l->locked_below.source || unsure >= l->policy->unsure ||
           refuse_change(l, at, "unsure", og_unsure_names[l->policy->unsure], og_unsure_names[unsure]);
}

bool og_lock_admits_mode(struct og_layers *l, struct og_place at, enum og_mode mode)
{
    return !l->locked_below.source || mode >= l->policy->mode ||
           refuse_change(l, at, "mode", og_mode_names[l->policy->mode], og_mode_names[mode]);
}

/* Where an old fact is no refusal, to ask for younger ones is to let orders pass. */
static bool passes_when_unsure(const struct og_layers *l, const struct og_rule *rule, const struct og_draft *d)
{
    struct og_rule_setting whole = whole_of(l, d);

    return og_setting_passes_unsure(rule, &whole);
}

/* Facts that a rule reads, and the conditions of its overrides. */
static unsigned reads_of(const struct og_layers *l, size_t i)
{
    unsigned reads = og_rules[i]->reads;

    for (size_t k = 0; k < l->overrides[i].count; k++)
        if (l->overrides[i].item[k].match.when)
            reads |= og_expr_reads(l->overrides[i].item[k].match.when);
    return reads;
}

/* The rule, or an override of it. */
static bool rule_passes(struct og_layers *l, size_t i)
{
    bool passes = passes_when_unsure(l, og_rules[i], &l->drafts[i]);
    struct og_draft draft;

    for (size_t k = 0; k < l->overrides[i].count && !passes; k++)
        passes = draft_of(l, i, &l->drafts[i], &l->overrides[i].item[k].said, &draft) &&
                 passes_when_unsure(l, og_rules[i], &draft);
    return passes;
}

static bool custom_passes(const struct og_layers *l, const struct og_custom *c, int kind)
{
    const struct og_rule_setting *set = &c->entry.setting;
    unsigned reads = c->require ? og_expr_reads(c->require) : 0;

    if (c->when)
        reads |= og_expr_reads(c->when);
    return set->locked && reads >> kind & 1 && set->level == OG_LEVEL_REFUSE &&
           (set->unsure ? set->unsure : l->policy->unsure) != OG_UNSURE_REFUSE;
}

/* The locked rule that would let orders pass if this fact had to be younger; NULL: none. */
static const char *weakened_by(struct og_layers *l, int kind)
{
    for (size_t i = 0; i < og_rules_size; i++)
        if (l->drafts[i].locked.source && reads_of(l, i) >> kind & 1 && rule_passes(l, i))
            return og_rules[i]->id;
    for (size_t i = 0; i < l->customs.count; i++)
        if (custom_passes(l, l->customs.item[i], kind))
            return l->customs.item[i]->rule.id;
    return NULL;
}

bool og_lock_admits_age(struct og_layers *l, struct og_place at, int kind, int64_t ns)
{
    const char *fact = og_fact_name((enum og_fact)(1 << kind)), *rule;
    int64_t now = l->policy->max_age[kind];
    char why[160];

    if (!l->locked_below.source || ns == now)
        return true;
    if (ns == 0 || (now != 0 && ns > now))
        return refuse_change(l, at, fact, now ? og_duration_text(now).s : "any", ns ? og_duration_text(ns).s : "any");
    rule = weakened_by(l, kind);
    if (!rule)
        return true;
    snprintf(why, sizeof why, ", but '%s' is locked and does not refuse where this fact is too old", rule);
    return refuse_key(l, at, fact, why);
}

bool og_lock_admits_environment(struct og_layers *l, struct og_place at, const char *environment)
{
    for (size_t i = 0; i < og_rules_size; i++)
        if (og_rules[i]->code == OG_CODE_account && l->drafts[i].locked.source && l->policy->environment[0] &&
            strcmp(l->policy->environment, environment) != 0) {
            og_lock_refuse(l, at, l->drafts[i].locked, "rule", og_rules[i]->id,
                           "the environment it compares with cannot be changed");
            return false;
        }
    return true;
}
