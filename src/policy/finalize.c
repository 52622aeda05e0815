/*
 * Turns the drafts of rules into the policy that the engine reads.  Rejects a rule that is on without a required
 * setting, and settings that contradict each other.
 */
#include "base/buf.h"
#include "policy/compile.h"
#include "policy/groups.h"
#include "policy/layers.h"
#include "policy/strictness.h"
#include "policy/symbol_words.h"
#include "policy/value.h"

/* Drop overrides from the end of the list if a later layer made the rule equal to them: they have no effect any
 * more. */
static void drop_overtaken(struct og_override_entries *o, const struct og_rule *rule, const struct og_draft *d)
{
    while (o->count && o->item[o->count - 1].overtaken &&
           !og_setting_differs(rule, &o->item[o->count - 1].draft.setting, &d->setting))
        o->count--;
}

void og_layers_branch(struct og_layers *l)
{
    for (size_t i = 0; i < og_rules_size; i++) {
        struct og_draft *rule = &l->drafts[i];

        if (!rule->setting.unsure) {
            rule->setting.unsure = l->policy->unsure;
            rule->from[OG_PART_UNSURE] = l->policy->where[OG_PART_UNSURE];
        }
        if (!rule->setting.mode) {
            rule->setting.mode = og_rules[i]->locked ? OG_MODE_ENFORCE : l->policy->mode;
            if (!og_rules[i]->locked)
                rule->from[OG_PART_MODE] = l->policy->where[OG_PART_MODE];
        }
        for (size_t k = 0; k < l->overrides[i].count; k++) {
            struct og_override_entry *o = &l->overrides[i].item[k];

            if (og_draft_copy(&o->draft, rule, og_rules[i], &l->policy->arena) &&
                og_draft_record(&o->draft, rule, og_rules[i], &l->policy->arena))
                og_draft_lay(&o->draft, og_rules[i], &o->said);
            else
                l->faults.oom = true;
        }
        drop_overtaken(&l->overrides[i], og_rules[i], rule);
    }
    og_customs_branch(l);
}

static bool has_all(struct og_diagnostics *faults, const struct og_rule *rule, const struct og_draft *d)
{
    bool all = true;

    for (size_t i = 0; i < rule->param_count; i++) {
        if (d->given >> i & 1)
            continue;
        all = false;
        if (d->setting.level != OG_LEVEL_OFF)
            og_error_add(faults, d->at, "setting-missing", "rule '%s' needs '%s' (%s); without it, turn the rule off",
                         rule->id, rule->params[i].key, rule->params[i].help);
    }
    return all;
}

/* Returns true if the rule would neither find nor predict anything: the rule and all its reasons are off, and no reason
 * predicts anything. */
static bool is_idle(const struct og_rule *rule, const struct og_rule_setting *s)
{
    bool idle = og_rule_is_local(rule) && s->level == OG_LEVEL_OFF;

    for (size_t i = 0; i < rule->reason_count; i++)
        idle = idle && s->reason_level[i] <= OG_LEVEL_OFF;
    return idle;
}

bool og_limits_nothing(const struct og_rule *rule, const struct og_rule_setting *s)
{
    size_t widest = 0;

    for (size_t i = 0; rule->limit && s->settings && i < rule->param_count; i++) {
        if (rule->params[i].aside)
            continue;
        if (!og_value_is_widest(&rule->params[i], s->settings))
            return false;
        widest++;
    }
    return widest > 0;
}

/* Returns true if no layer set a limit of the rule, so that every limit is at its widest. */
static bool is_unsaid(const struct og_rule *rule, const struct og_srcloc *where)
{
    for (size_t i = 0; i < rule->param_count; i++)
        if (!rule->params[i].aside && where[OG_ENTRY_PARTS + i].source)
            return false;
    return true;
}

static void report_no_limit(struct og_layers *l, const struct og_rule *rule, struct og_srcloc at, const char *which)
{
    struct og_buf names;
    char text[200];

    og_buf_init_fixed(&names, text, sizeof text);
    for (size_t k = 0; k < rule->param_count; k++)
        if (!rule->params[k].aside)
            og_buf_format(&names, "%s'%s'", names.len ? " or " : "", rule->params[k].key);
    og_error_add(&l->faults, at, "setting-missing",
                 "%s '%s' is on and limits nothing: give it %s; otherwise turn the rule off", which, rule->id,
                 names.bad ? "its settings" : names.s);
}

/* Report a limit rule that is on, by itself or in an override, although neither the rule nor the override sets the
 * value of a limit. */
static void check_limits(struct og_layers *l, size_t i)
{
    const struct og_draft *d = &l->drafts[i];
    const struct og_rule *rule = og_rules[i];
    const struct og_override_entry *on = NULL;

    if (!og_limits_nothing(rule, &d->setting) || !is_unsaid(rule, d->where))
        return;
    for (size_t k = 0; k < l->overrides[i].count; k++) {
        const struct og_override_entry *o = &l->overrides[i].item[k];

        if (!is_unsaid(rule, o->said.where)) {
            if (!d->setting.idle)
                return;
        } else if (!on && !o->match.split && o->said.level > OG_LEVEL_OFF) {
            on = o;
        }
    }
    if (!d->setting.idle)
        report_no_limit(l, rule, d->at.source ? d->at : d->where[OG_PART_LEVEL], "rule");
    else if (on)
        report_no_limit(l, rule, on->said.where[OG_PART_LEVEL], "for these orders rule");
}

void og_draft_finish(struct og_draft *d, const struct og_rule *rule, struct og_diagnostics *faults)
{
    struct og_error err = { 0 };

    d->setting.idle = is_idle(rule, &d->setting);
    if (rule->settings_size == 0)
        return;
    if (!has_all(faults, rule, d)) {
        d->setting.settings = NULL;
        return;
    }
    if (rule->settings_agree && d->at.source && !rule->settings_agree(d->settings, &err))
        og_error_add(faults, d->at, "settings-disagree", "rule '%s': %s", rule->id, err.text);
}

/* Split a message template into pieces. Returns false, with count 0, if there are too many pieces. */
static bool take_apart(struct og_template *t, const char *text)
{
    for (const char *at = text;;) {
        const char *end = strchrnul(at, '{');
        const bool value = *end && end[1] >= '0' && end[1] <= '9' && end[2] == '}';

        end = value ? end : at + strlen(at);
        if (t->count == OG_PIECES_MOST || end - text > UINT16_MAX) {
            t->count = 0;
            return false;
        }
        t->piece[t->count++] = (struct og_piece){ (uint16_t)(at - text), (uint16_t)(end - at),
                                                  value ? (uint16_t)(end[1] - '0') : OG_PIECE_LAST };
        if (!value)
            return true;
        at = end + 3;
    }
}

/* Returns the messages of a rule's reasons, split into pieces; NULL if memory runs out. */
static const struct og_template *take_apart_all(const struct og_rule *rule, struct og_arena *arena)
{
    struct og_template *all = og_arena_take(arena, rule->reason_count * sizeof *all);

    for (size_t i = 0; all && i < rule->reason_count; i++)
        if (rule->reasons[i].says)
            (void)take_apart(&all[i], rule->reasons[i].says);
    return all;
}

static void finalize_overrides(struct og_layers *l, size_t i, struct og_policy_rule *to)
{
    const struct og_override_entries *written = &l->overrides[i];
    struct og_override *made = written->count ? og_arena_take(&l->policy->arena, written->count * sizeof *made) : NULL;

    if (!made) {
        l->faults.oom = l->faults.oom || written->count > 0;
        return;
    }
    for (size_t k = 0; k < written->count; k++) {
        og_draft_finish(&written->item[k].draft, og_rules[i], &l->faults);
        made[k] = written->item[k].match;
        made[k].setting = written->item[k].draft.setting;
        made[k].setting.says = to->setting.says;
        made[k].where = written->item[k].said.where;
        made[k].from = written->item[k].draft.from;
    }
    to->overrides = made;
    to->override_count = written->count;
}

unsigned og_rule_kinds(const struct og_rule *rule)
{
    unsigned subjects = og_rule_subjects(rule), kinds = subjects >> 1 << (OG_MLEG + 1);

    if (subjects & OG_SUBJECT_ORDER) /* a rule for orders also checks orders without a security type */
        kinds |= rule->securities ? rule->securities | 1u << OG_SECURITY_NONE : (1u << (OG_MLEG + 1)) - 1;
    return kinds;
}

/* Returns true if the override depends on nothing but the security type. */
static bool is_for_all(const struct og_override *o)
{
    return !o->symbol && !o->account && !o->tag && !o->sides && !o->types && !o->when_text.len && !o->when &&
           o->term.until == OG_TIME_UNKNOWN;
}

/* Returns the setting that applies to every case of a kind; NULL if the setting depends on more than the kind. */
static const struct og_rule_setting *setting_of(const struct og_policy_rule *pr, unsigned kind)
{
    for (size_t i = 0; i < pr->override_count; i++) {
        const struct og_override *o = &pr->overrides[i];

        if (kind > OG_MLEG) /* this kind is a request other than an order */
            return NULL;
        if (o->securities && !(o->securities >> kind & 1))
            continue;
        return is_for_all(o) ? &o->setting : NULL;
    }
    return &pr->setting;
}

/* Returns true if the rule is off, or cannot run because a required value is not set. */
static bool is_off(const struct og_rule *rule, const struct og_rule_setting *s)
{
    return s->idle || (rule->settings_size && !s->settings);
}

/* Returns true if the rule is off for every case of the kind: it is then left out of the run, which saves time. */
static bool is_left_out(const struct og_policy_rule *pr, const struct og_rule_setting *only)
{
    bool off = is_off(pr->rule, only ? only : &pr->setting);

    for (size_t k = 0; !only && k < pr->override_count; k++)
        off = off && is_off(pr->rule, &pr->overrides[k].setting);
    return off;
}

/* Returns false for a size limit whose setting refuses no order: rule size-limit does not count such a limit. */
static bool counts(const struct og_rule *rule, const struct og_rule_setting *s)
{
    return rule->limits_size != OG_LIMITS_ORDERS || (s->level == OG_LEVEL_REFUSE && s->mode == OG_MODE_ENFORCE);
}

static void make_run(struct og_run_list *all, const struct og_policy_rule *pr, unsigned kind)
{
    const struct og_rule_setting *only = setting_of(pr, kind), *usual = only ? only : &pr->setting;

    if (is_left_out(pr, only))
        return;
    all->run[all->count++] = (struct og_run){ .rule = pr->rule,
                                              .setting = usual,
                                              .settings = usual->settings,
                                              .check = pr->rule->check,
                                              .varies = only && counts(pr->rule, only) ? NULL : pr };
}

/* Returns the kinds of facts that the policy's expressions may read when this rule runs. */
static unsigned expr_reads_of(const struct og_run *run)
{
    unsigned reads = run->rule->code ? 0 : run->rule->reads; /* a custom rule has no code: its expressions say which
                                                              * facts they read */

    for (size_t i = 0; run->varies && i < run->varies->override_count; i++)
        if (run->varies->overrides[i].when)
            reads |= og_expr_reads(run->varies->overrides[i].when);
    return reads;
}

static unsigned only_under(const struct og_rule *rule, const struct og_rule_setting *s, unsigned kind)
{
    return rule->only | (s->settings ? rule->only_by(s->settings, (enum og_security)kind) : 0);
}

/* Returns the traits that an order of the kind must have so that the run can find something, whichever of the rule's
 * settings applies. */
static unsigned only_of(const struct og_run *run, unsigned kind)
{
    const struct og_policy_rule *pr = run->varies;
    unsigned only;

    if (!run->rule->only_by)
        return run->rule->only;
    only = only_under(run->rule, run->setting, kind);
    for (size_t i = 0; pr && i < pr->override_count; i++)
        only &= only_under(run->rule, &pr->overrides[i].setting, kind);
    return pr ? only & only_under(run->rule, &pr->setting, kind) : only;
}

/* Make the list of the runs that can find something in a case with these traits.  Returns false if memory runs out. */
static bool make_list(struct og_arena *arena, struct og_run_list *to, const struct og_run_list *all, unsigned traits,
                      unsigned kind)
{
    to->run = og_arena_take(arena, (all->count + 1) * sizeof *to->run);
    for (size_t i = 0; to->run && i < all->count; i++)
        if (!(only_of(&all->run[i], kind) & ~traits))
            to->run[to->count++] = all->run[i];
    return to->run != NULL;
}

/* Make the lists for all sets of traits.  Sets that differ only in traits on which no run depends share one list.
 * Returns false if memory runs out. */
static bool make_lists(struct og_arena *arena, struct og_runs *runs, unsigned kind)
{
    const struct og_run_list *all = &runs->of[OG_TRAIT_ALL];
    unsigned matter = 0;

    for (size_t i = 0; i < all->count; i++)
        matter |= only_of(&all->run[i], kind);
    for (unsigned traits = 0; traits < OG_TRAIT_ALL; traits++)
        if (traits & ~matter)
            runs->of[traits] = runs->of[traits & matter];
        else if (!make_list(arena, &runs->of[traits], all, traits, kind))
            return false;
    return true;
}

static void make_runs(struct og_layers *l, unsigned kind)
{
    struct og_runs *runs = &l->policy->runs[kind];
    struct og_run_list *all = &runs->of[OG_TRAIT_ALL];

    size_t customs = kind <= OG_MLEG ? l->policy->custom_count : 0; /* custom rules are for orders only */

    all->run = og_arena_take(&l->policy->arena, (og_rules_size + customs) * sizeof *all->run);
    if (!all->run) {
        l->faults.oom = true;
        return;
    }
    for (size_t i = 0; i < og_rules_size; i++)
        if (og_rule_kinds(og_rules[i]) >> kind & 1)
            make_run(all, &l->policy->rules[i], kind);
    for (size_t i = 0; i < customs; i++)
        make_run(all, &l->policy->custom[i]->entry, kind);
    for (size_t i = 0; i < all->count; i++) {
        runs->expr_reads |= expr_reads_of(&all->run[i]);
        l->policy->reads |= all->run[i].rule->reads;
        runs->varies |= all->run[i].varies != NULL;
    }
    l->policy->reads |= runs->expr_reads;
    if (kind <= OG_MLEG && !make_lists(&l->policy->arena, runs, kind))
        l->faults.oom = true;
}

void og_layers_finalize(struct og_layers *l)
{
    struct og_policy *p = l->policy;

    p->locked = l->locked;
    og_policy_compile_all(l);
    og_symbol_words_check_settings(l);
    p->rules = og_arena_take(&p->arena, og_rules_size * sizeof *p->rules);
    if (!p->rules) {
        l->faults.oom = true;
        return;
    }
    for (size_t i = 0; i < og_rules_size; i++) {
        og_draft_finish(&l->drafts[i], og_rules[i], &l->faults);
        if (l->drafts[i].locked.source)
            l->drafts[i].from[OG_PART_LOCK] = l->drafts[i].locked;
        p->rules[i] = (struct og_policy_rule){ .rule = og_rules[i],
                                               .setting = l->drafts[i].setting,
                                               .where = l->drafts[i].where,
                                               .from = l->drafts[i].from,
                                               .said = l->said[i] };
        p->rules[i].setting.says = take_apart_all(og_rules[i], &p->arena);
        l->faults.oom |= !p->rules[i].setting.says;
        finalize_overrides(l, i, &p->rules[i]);
        check_limits(l, i);
    }
    og_customs_finalize(l);
    og_lists_finalize(l);
    if (!l->faults.oom)
        og_groups_finalize(l);
    if (l->faults.errors || l->faults.oom) /* an error was reported: the policy will not be used */
        return;
    for (unsigned kind = 0; kind < OG_RUN_KINDS; kind++)
        make_runs(l, kind);
}
