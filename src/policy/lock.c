/*
 * Locked rules.  Rejects every change by another layer that might let an order pass that the locked rule refuses.  For
 * a layer above the lock, the rule is compared before and after that layer is laid.  For layers below, the locking
 * policy is also laid alone: its locked rules must be at least as strict over the layers below as they are alone.
 */
#include "policy/lock.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "policy/groups.h"
#include "policy/lock_report.h"
#include "policy/strictness.h"
#include "policy/value.h"
#include "rules/limit.h"

/* The state of a rule and its overrides before a layer was laid over them. */
struct og_lock_state {
    struct og_draft rule;
    const struct og_override_entries *overrides;
    const struct og_draft *draft; /* drafts of the overrides */
    struct og_srcloc lock;        /* the lock that protects the rule; .source NULL means the rule's own lock */
    bool shared;                  /* only another rule is locked: compare only the settings that other rules use */
    bool tags;                    /* a locked limit depends on tags: also compare the settings that say which tag an
                                   * order has */
};

/* --- which of two settings is looser ------------------------------------------------------------------------------ */

/* Returns the draft's setting, with the policy's `unsure` and `mode` where the draft has none. */
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

    for (size_t i = 0; i < rule->reason_count; i++)
        silent = silent && d->setting.reason_level[i] <= OG_LEVEL_OFF;
    return silent;
}

/* Returns the first part in which `new` might let an order pass that `old` refuses; -1 if there is none.  The settings
 * that other rules use are compared even if the rule is off. */
static int looser(const struct og_layers *l, const struct og_rule *rule, const struct og_lock_state *state,
                  const struct og_draft *old, const struct og_draft *new)
{
    static const int parts[] = { OG_PART_LEVEL, OG_PART_UNSURE, OG_PART_MODE, OG_PART_REASONS };
    struct og_rule_setting before = whole_of(l, old), after = whole_of(l, new);
    bool shared = state->shared || is_silent(rule, old);

    for (size_t i = 0; i < sizeof parts / sizeof *parts && !shared; i++)
        if (og_entry_part_change(rule, parts[i], &before, &after) & OG_CHANGE_LOOSER)
            return parts[i];
    for (size_t i = 0; i < rule->param_count; i++)
        if ((old->given >> i & 1 || (state->tags && rule->params[i].tags)) &&
            (!shared || og_lock_shared(rule, state->tags) >> i & 1) &&
            og_entry_part_change(rule, (int)(OG_ENTRY_PARTS + i), &before, &after) & OG_CHANGE_LOOSER)
            return (int)(OG_ENTRY_PARTS + i);
    return -1;
}

/* Two drafts of a rule with a part in which they differ, and the place in which the older draft set that part. */
struct change {
    const struct og_draft *old, *new;
    struct og_srcloc from; /* .source is NULL if the part is a default */
    const struct og_lock_state *state;
};

static void report_text(struct og_layers *l, size_t i, const struct og_lock_state *state, struct og_srcloc at,
                        const char *how)
{
    char text[700];

    if (!state->shared) {
        og_lock_report(l, at, state->lock.source ? state->lock : l->drafts[i].locked, "rule", og_rules[i]->id, how);
        return;
    }
    snprintf(text, sizeof text, "their limits use settings of rule '%s', and %s", og_rules[i]->id, how);
    og_lock_refuse_under(l, at, state->lock, text);
}

static struct og_srcloc set_at(const struct og_draft *rule, const struct og_rule_entry *override, int part)
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
    default: og_value_write(&rule->params[part - OG_ENTRY_PARTS], d->settings, b); break;
    }
}

static void put_way(struct og_buf *b, const struct og_rule *rule, int part)
{
    const struct og_param *p = part >= OG_ENTRY_PARTS ? &rule->params[part - OG_ENTRY_PARTS] : NULL;

    if (p && og_words_are_limits(p->words))
        og_buf_format(b, "'%s' must keep every limit, which may only become lower", p->key);
    else if (p && p->tighter == OG_TIGHTER_UNKNOWN)
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

/* Report a part that was loosened: "'most' may only become lower: it is 500 (firm.yaml:7:11), here 600". */
static void report(struct og_layers *l, size_t i, const struct og_rule_entry *said, int part, const struct change *c)
{
    const struct og_srcloc *at = said->where[part].source ? &said->where[part] : &said->at;
    const struct og_rule *rule = og_rules[i];
    char text[600];
    struct og_buf b;
    size_t reason = 0;

    while (part == OG_PART_REASONS && reason + 1 < rule->reason_count &&
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
    if (b.bad) { /* the lists have too many words for a message: leave the values out */
        og_buf_init_fixed(&b, text, sizeof text);
        put_way(&b, rule, part);
    }
    report_text(l, i, c->state, *at, b.s);
}

/* --- overrides ---------------------------------------------------------------------------------------------------- */

/* Returns true if the two entries are the same written override, or were split off the same two overrides. */
static bool same_override(const struct og_override_entry *a, const struct og_override_entry *b)
{
    return og_lock_same_place(a->said.at, b->said.at) && !a->over == !b->over &&
           (!a->over || same_override(a->over, b->over));
}

static bool covers(const struct og_override_entry *old, const struct og_override_entry *new)
{
    return og_override_covers(&old->match, &new->match) ||
           (!old->over && og_lock_same_place(old->said.at, new->said.at));
}

static bool draft_of(struct og_layers *l, size_t i, const struct og_draft *rule, const struct og_rule_entry *said,
                     struct og_draft *to)
{
    if (og_draft_copy(to, rule, og_rules[i], &l->room)) {
        og_draft_lay(to, og_rules[i], said);
        return true;
    }
    l->faults.oom = true;
    return false;
}

/* Check an override that now comes before the old overrides from index `first` on. It is compared with each of them
 * that may match the same orders, up to the first that matches all orders of the new one; if no old override does, it
 * is also compared with the rule. Report the new override if it is looser than any of these. */
static void check_override(struct og_layers *l, size_t i, const struct og_lock_state *old, size_t first,
                           const struct og_override_entry *new)
{
    const struct og_override_entry *against = NULL;
    struct og_draft draft;
    struct change c = { .new = &draft, .state = old };
    bool covered = false;
    int part = -1;

    if (!draft_of(l, i, &l->drafts[i], &new->said, &draft))
        return;
    for (size_t k = first; k < old->overrides->count && part < 0 && !covered; k++) {
        if (og_override_apart(&old->overrides->item[k].match, &new->match))
            continue;
        against = &old->overrides->item[k];
        c.old = &old->draft[k];
        part = looser(l, og_rules[i], old, c.old, &draft);
        covered = covers(&old->overrides->item[k], new);
    }
    if (part < 0 && !covered) {
        against = NULL;
        c.old = &old->rule;
        part = looser(l, og_rules[i], old, &old->rule, &draft);
    }
    if (part < 0)
        return;
    c.from = set_at(&old->rule, against ? &against->said : NULL, part);
    report(l, i, &new->said, part, &c);
}

/* Copy the state of the rule in the layers `of` to *old, in memory of l->room.  Returns false if out of memory. */
static bool save_state(struct og_layers *l, const struct og_layers *of, size_t i, struct og_lock_state *old)
{
    const struct og_override_entries *all = &of->overrides[i];
    size_t wheres = (OG_ENTRY_PARTS + og_rules[i]->param_count) * sizeof *old->rule.where;
    struct og_draft *drafts = og_arena_take(&l->room, (all->count + 1) * sizeof *drafts);
    struct og_override_entries *kept = og_arena_take(&l->room, sizeof *kept);
    bool ok = drafts && kept && og_draft_copy(&old->rule, &of->drafts[i], og_rules[i], &l->room) &&
              (old->rule.where = og_arena_take(&l->room, wheres));

    if (ok) {
        memcpy(old->rule.where, of->drafts[i].where, wheres);
        old->rule.setting = whole_of(of, &old->rule);
        *kept = *all;
        old->overrides = kept;
        old->draft = drafts;
    }
    for (size_t k = 0; ok && k < all->count; k++)
        ok = draft_of(l, i, &old->rule, &all->item[k].said, &drafts[k]);
    l->faults.oom = l->faults.oom || !ok;
    return ok;
}

void og_lock_lay(struct og_layers *l, struct og_entry_context *s, size_t i, const struct og_rule_entry *said,
                 const struct og_override_entries *fresh)
{
    struct og_override_entries *older = &l->overrides[i];
    struct og_lock_state old = { 0 };
    struct og_draft made;
    struct change c = { .old = &old.rule, .new = &l->drafts[i], .state = &old };
    int part;

    if (!save_state(l, l, i, &old))
        return;
    og_draft_lay(&l->drafts[i], og_rules[i], said);
    part = said->lock < 0 ? OG_PART_LOCK : looser(l, og_rules[i], &old, &old.rule, &l->drafts[i]);
    if (part == OG_PART_LOCK)
        og_lock_report(l, said->where[part], old.rule.locked, "rule", og_rules[i]->id,
                       "a later layer cannot unlock it");
    else if (part >= 0) {
        c.from = set_at(&old.rule, NULL, part);
        report(l, i, said, part, &c);
    }
    og_overrides_tighten(older, og_rules[i], said);
    /* overrides inherit from the rule: a change of the rule may make them looser */
    for (size_t k = 0; k < older->count && part < 0; k++)
        if (draft_of(l, i, &l->drafts[i], &older->item[k].said, &made) &&
            (part = looser(l, og_rules[i], &old, &old.draft[k], &made)) >= 0) {
            c = (struct change){
                .old = &old.draft[k], .new = &made, .from = set_at(&old.rule, &older->item[k].said, part), .state = &old
            };
            report(l, i, said, part, &c);
        }
    for (size_t k = 0; k < fresh->count; k++)
        check_override(l, i, &old, 0, &fresh->item[k]);
    og_overrides_put_before(s, l->policy, og_rules[i], fresh, older);
}

/* --- keys of the policy ------------------------------------------------------------------------------------------- */

bool og_lock_admits_unsure(struct og_layers *l, struct og_srcloc at, enum og_unsure_mode unsure)
{
    return !l->locked_below.source || unsure >= l->policy->unsure ||
           og_lock_refuse_change(l, at, l->locked_below, "unsure", og_unsure_names[l->policy->unsure],
                                 og_unsure_names[unsure]);
}

bool og_lock_admits_exits(struct og_layers *l, struct og_srcloc at, int32_t exits)
{
    return !l->locked_below.source || exits >= l->policy->exits ||
           og_lock_refuse_change(l, at, l->locked_below, "exits", og_exits[l->policy->exits], og_exits[exits]);
}

bool og_lock_admits_mode(struct og_layers *l, struct og_srcloc at, enum og_mode mode)
{
    return !l->locked_below.source || mode >= l->policy->mode ||
           og_lock_refuse_change(l, at, l->locked_below, "mode", og_mode_names[l->policy->mode], og_mode_names[mode]);
}

/* Returns true if the rule lets an order pass when a fact is too old: a lower max_age then makes the rule looser. */
static bool passes_when_unsure(const struct og_layers *l, const struct og_rule *rule, const struct og_draft *d)
{
    struct og_rule_setting whole = whole_of(l, d);

    return og_setting_passes_unsure(rule, &whole);
}

/* Returns the facts that the rule and the conditions of its overrides read. */
static unsigned reads_of(const struct og_layers *l, size_t i)
{
    unsigned reads = og_rules[i]->reads;

    for (size_t k = 0; k < l->overrides[i].count; k++)
        if (l->overrides[i].item[k].match.when)
            reads |= og_expr_reads(l->overrides[i].item[k].match.when);
    return reads;
}

/* Returns true if passes_when_unsure() is true for the rule or any of its overrides. */
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

/* Returns the id of a locked rule that becomes looser if this fact's max_age becomes lower; NULL if there is none. */
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

/* Returns true for facts that show how much of a close may open a position: without them, an order that says Close
 * counts as a close. */
static bool tells_closes(int kind)
{
    return (1U << kind & (OG_FACT_POSITIONS | OG_FACT_ORDERS)) != 0;
}

/* Returns true if the lock allows changing the max_age of the fact from `was` to the new value. If not, reports why
 * and returns false. own: the locking policy itself sets `was`. */
static bool admits_age(struct og_layers *l, struct og_srcloc at, struct og_srcloc lock, int kind, int64_t was,
                       int64_t ns, bool own)
{
    const char *fact = og_fact_name((enum og_fact)(1 << kind)), *rule;
    char why[160];

    if (ns == was)
        return true;
    if (ns == 0 || (was != 0 && ns > was))
        return og_lock_refuse_change(l, at, lock, fact, was ? og_duration_text(was).s : "any",
                                     ns ? og_duration_text(ns).s : "any");
    if (own && tells_closes(kind)) {
        snprintf(why, sizeof why,
                 "'%s' must stay as the policy with the lock sets it: if %s are too old, closes of more than is held "
                 "are accepted",
                 fact, fact);
        og_lock_refuse_under(l, at, lock, why);
        return false;
    }
    rule = weakened_by(l, kind);
    if (!rule)
        return true;
    snprintf(why, sizeof why, ", but '%s' is locked and does not refuse where this fact is too old", rule);
    return og_lock_refuse_key(l, at, lock, fact, why);
}

bool og_lock_admits_age(struct og_layers *l, struct og_srcloc at, int kind, int64_t ns)
{
    return !l->locked_below.source ||
           admits_age(l, at, l->locked_below, kind, l->policy->max_age[kind], ns, l->age_locked >> kind & 1);
}

void og_lock_ages(struct og_layers *l, const struct og_policy_file *source)
{
    for (int kind = 0; kind < OG_FACT_KINDS; kind++)
        if (l->policy->age_where[kind].source == source)
            l->age_locked |= 1U << kind;
}

bool og_lock_admits_environment(struct og_layers *l, struct og_srcloc at, const char *environment)
{
    for (size_t i = 0; i < og_rules_size; i++)
        if (og_rules[i]->environment && l->drafts[i].locked.source && l->policy->environment[0] &&
            strcmp(l->policy->environment, environment) != 0) {
            og_lock_report(l, at, l->drafts[i].locked, "rule", og_rules[i]->id,
                           "the environment it compares with cannot be changed");
            return false;
        }
    return true;
}

/* --- layers below a lock ------------------------------------------------------------------------------------------ */

#define ROOM_MOST ((size_t)256 << 20)

/* A policy laid alone, without the layers below it. */
struct alone {
    struct og_layers layers;
    struct og_policy *policy;
};

/* Returns the place that made the part looser: a place in the rule; if there is none, a place in the policy; if there
 * is neither, the last place that set anything in the rule. */
static struct og_srcloc said_below(const struct og_layers *l, const struct og_draft *d, int part)
{
    struct og_srcloc of_policy = part == OG_PART_UNSURE || part == OG_PART_MODE ? l->policy->where[part] : d->at;

    return d->where[part].source ? d->where[part] : of_policy.source ? of_policy : d->at;
}

/* Check the rule without its overrides. Returns false if it is looser. */
static bool check_rule(struct og_layers *l, size_t i, const struct og_lock_state *old)
{
    struct og_draft *now = &l->drafts[i];
    struct change c = { .old = &old->rule, .new = now, .state = old };
    int part = looser(l, og_rules[i], old, &old->rule, now);
    struct og_rule_entry below = { .where = now->where };

    if (part < 0)
        return true;
    below.at = said_below(l, now, part);
    below.at = below.at.source ? below.at : old->lock;
    c.from = old->rule.where[part];
    report(l, i, &below, part, &c);
    return false;
}

/* Check that all overrides of the locking policy are still present, in the same order, and as strict as before. Check
 * also that every other override is at least as strict as the overrides that come after it. */
static void check_all_overrides(struct og_layers *l, size_t i, const struct og_lock_state *old)
{
    const struct og_override_entries *now = &l->overrides[i], *was = old->overrides;
    struct og_srcloc at = l->drafts[i].where[OG_PART_OVERRIDES];
    struct og_draft draft;
    size_t next = 0; /* index of the locking policy's next override */

    for (size_t k = 0; k < now->count; k++) {
        const struct og_override_entry *o = &now->item[k];
        struct change c = { .new = &draft, .state = old };
        int part;

        if (next == was->count || !same_override(o, &was->item[next])) {
            check_override(l, i, old, next, o);
            continue;
        }
        if (!draft_of(l, i, &l->drafts[i], &o->said, &draft))
            return;
        c.old = &old->draft[next++];
        part = looser(l, og_rules[i], old, c.old, &draft);
        if (part < 0)
            continue;
        c.from = set_at(&old->rule, &o->said, part);
        report(l, i, &o->said, part, &c);
    }
    if (next < was->count) {
        char how[400];

        snprintf(how, sizeof how, "an override of it (%s:%d:%d) was taken away or moved",
                 was->item[next].said.at.source->name, was->item[next].said.at.line, was->item[next].said.at.col);
        report_text(l, i, old, at.source ? at : old->lock, how);
    }
}

static bool any_says(const struct og_override_entries *o, uint64_t settings)
{
    for (size_t k = 0; k < o->count; k++)
        if (o->item[k].said.given & settings)
            return true;
    return false;
}

const struct og_lock_state *og_lock_save(struct og_layers *l, size_t rule)
{
    struct og_lock_state *old;

    if (!l->locked_below.source || !og_lock_shared(og_rules[rule], l->tags_locked))
        return NULL;
    old = og_arena_take(&l->room, sizeof *old);
    l->faults.oom = l->faults.oom || !old;
    if (old)
        *old = (struct og_lock_state){ .lock = l->locked_below, .shared = true, .tags = l->tags_locked };
    return old && save_state(l, l, rule, old) ? old : NULL;
}

/* Check a rule, then its overrides. If the lock covers only the settings that other rules use, the overrides are
 * checked only if one of them changes such a setting: otherwise the overrides have the rule's own values of these
 * settings, and these values have just been checked. */
void og_lock_check(struct og_layers *l, size_t i, const struct og_lock_state *old)
{
    const uint64_t shared = old ? og_lock_shared(og_rules[i], old->tags) : 0;

    /* if the rule is looser, so are the overrides that inherit from it: do not report them as well */
    if (old && check_rule(l, i, old) &&
        (!old->shared || any_says(old->overrides, shared) || any_says(&l->overrides[i], shared)))
        check_all_overrides(l, i, old);
}

static void hold_lists(struct og_layers *l, const struct alone *a)
{
    for (size_t i = 0; i < a->layers.lists.count; i++) {
        const struct og_list_entry *was = &a->layers.lists.item[i];
        const struct og_list_entry *now = og_map_get(&l->lists.index, was->name);

        if (was->locked.source && now && !og_lists_same(was, now))
            og_lock_report(l, now->at, was->locked, "list", was->name.s, "a locked rule names it");
    }
}

static void hold_ages(struct og_layers *l, const struct alone *a, struct og_srcloc lock)
{
    for (int kind = 0; kind < OG_FACT_KINDS; kind++) {
        struct og_srcloc at = l->policy->age_where[kind];

        (void)admits_age(l, at.source ? at : lock, lock, kind, a->policy->max_age[kind], l->policy->max_age[kind],
                         a->layers.age_locked >> kind & 1);
    }
}

static void hold(struct og_layers *l, const struct alone *a, struct og_srcloc lock)
{
    struct og_srcloc at = l->policy->where[OG_PART_ENVIRONMENT];
    const bool tags = og_lock_goes_by_tags(&a->layers);

    for (size_t i = 0; i < og_rules_size; i++) {
        bool locked = a->layers.drafts[i].locked.source;
        struct og_lock_state old = { .lock = locked ? a->layers.drafts[i].locked : lock,
                                     .shared = !locked,
                                     .tags = tags };

        if ((!locked && !og_lock_shared(og_rules[i], tags)) || !save_state(l, &a->layers, i, &old))
            continue;
        og_lock_check(l, i, &old);
        if (locked && og_rules[i]->environment && a->policy->environment[0] &&
            strcmp(a->policy->environment, l->policy->environment) != 0)
            og_lock_report(l, at.source ? at : old.lock, old.lock, "rule", og_rules[i]->id,
                           "the environment it compares with cannot be changed");
    }
    og_customs_check_locks(l, &a->layers);
    hold_lists(l, a);
    hold_ages(l, a, lock);
}

void og_lock_check_below(struct og_layers *l, const struct og_policy_file *source)
{
    struct alone a = { .policy = calloc(1, sizeof *a.policy) };
    struct og_srcloc lock = l->lock_here;
    struct og_error err = { 0 };

    if (!a.policy) {
        l->faults.oom = true;
        return;
    }
    og_arena_init(&a.policy->arena, ROOM_MOST);
    if (og_layers_init(&a.layers, a.policy)) {
        og_layers_lay_alone(&a.layers, l, source);
        og_diagnostics_report(&a.layers.faults, OG_EPOLICY, NULL, NULL, &err);
        if (a.layers.faults.oom)
            l->faults.oom = true;
        else if (a.layers.faults.errors == 0)
            hold(l, &a, lock);
        else if (l->faults.errors == 0)
            og_error_add(&l->faults, lock, "lock-alone",
                         "a policy that locks has to load by itself, whatever it is laid over: %s", err.text);
    } else {
        l->faults.oom = true;
    }
    og_layers_clear(&a.layers);
    og_policy_free(a.policy);
}
