/*
 * Finds where the settings in effect come from.  Values are read from the settings that the engine uses; the loader
 * recorded the place of each value (struct og_draft).  The entries of layers are used only for overridden values.
 */
#include "policy/origins.h"

#include "base/time.h"
#include "policy/custom.h"
#include "policy/layer_values.h"
#include "policy/overrides.h"
#include "policy/show.h"
#include "policy/value.h"
#include "rules/limit.h"

/* The part of a rule that is being reported. */
struct telling {
    struct og_origins *o;
    const struct og_origins_of *of;
    struct og_origin_setting *now;
};

static bool same_place(struct og_srcloc a, struct og_srcloc b)
{
    return a.source == b.source && a.line == b.line && a.col == b.col;
}

/* --- values ------------------------------------------------------------------------------------------------------- */

/* Returns the text of a part of an entry, or of a setting in effect, which has the same members.  NULL if the part is
 * not set. */
static const char *text_of(struct og_origins *o, const struct og_rule *rule, size_t part,
                           const struct og_rule_entry *said)
{
    const size_t params = OG_ENTRY_PARTS + rule->param_count;
    struct og_buf b;

    switch (part) {
    case OG_PART_LEVEL: return said->level < 0 ? NULL : og_level_name((enum og_level)said->level);
    case OG_PART_UNSURE: return said->unsure ? og_unsure_names[said->unsure] : NULL;
    case OG_PART_MODE: return said->mode ? og_mode_names[said->mode] : NULL;
    default: break;
    }
    if (part >= params) {
        int level = said->reason_level[part - params];

        return level < 0 ? NULL : og_level_name((enum og_level)level);
    }
    if (!(said->given >> (part - OG_ENTRY_PARTS) & 1))
        return NULL;
    og_buf_init(&b, 0);
    og_value_write(&rule->params[part - OG_ENTRY_PARTS], said->settings, &b);
    return og_origins_keep_buf(o, &b);
}

/* Returns a setting in effect as an entry. */
static struct og_rule_entry entry_of(const struct og_rule_setting *s)
{
    struct og_rule_entry e = { .level = (int)s->level,
                               .unsure = (int)s->unsure,
                               .mode = (int)s->mode,
                               .settings = (void *)s->settings,
                               .given = s->settings ? UINT64_MAX : 0 };

    memcpy(e.reason_level, s->reason_level, sizeof e.reason_level);
    return e;
}

static const char *key_of(struct og_origins *o, const struct og_rule *rule, size_t part)
{
    const size_t params = OG_ENTRY_PARTS + rule->param_count;
    struct og_buf b;

    switch (part) {
    case OG_PART_LEVEL: return "level";
    case OG_PART_UNSURE: return "unsure";
    case OG_PART_MODE: return "mode";
    default: break;
    }
    if (part < params)
        return rule->params[part - OG_ENTRY_PARTS].key;
    og_buf_init(&b, 0);
    og_buf_format(&b, "reasons.%s", rule->reasons[part - params].id);
    return og_origins_keep_buf(o, &b);
}

/* --- keys of the policy ------------------------------------------------------------------------------------------- */

static const char *age_text(struct og_origins *o, int64_t ns)
{
    return ns ? og_origins_keep(o, og_str_of(og_duration_text(ns).s)) : "any";
}

static const char *text_of_key(const struct og_layer_key_value *k, struct og_origins *o)
{
    if (k->part == OG_PART_UNSURE)
        return og_unsure_names[k->value];
    if (k->part == OG_PART_MODE)
        return og_mode_names[k->value];
    if (k->part == OG_PART_EXITS)
        return og_exits[k->value];
    return k->word ? k->word : age_text(o, k->value);
}

static bool is_key(const struct og_layer_key_value *k, int part, int kind)
{
    return k->part == part && (part >= 0 || k->kind == kind);
}

/* Report what the layers set for a key of the policy; all places are reported as hidden, except the one in effect. */
static void tell_keys(struct telling *t, int part, int kind, struct og_srcloc from)
{
    for (const struct og_layer_key_value *k = t->o->policy->said; k; k = k->before) {
        struct og_origin_place said;

        if (!is_key(k, part, kind))
            continue;
        said = og_origins_place(t->o, k->floor ? OG_ORIGIN_FLOOR : OG_ORIGIN_POLICY, k->at, text_of_key(k, t->o));
        if (k->floor && !t->now->floor)
            t->now->floor = og_origins_keep_place(t->o, said);
        if (same_place(k->at, from))
            t->now->from = said;
        else if (!k->floor)
            og_origins_hide(t->o, said);
    }
}

static void tell_key(struct telling *t, const char *key, const char *value, int part, int kind, struct og_srcloc from)
{
    if (!(t->now = og_origins_begin(t->o, key, value)))
        return;
    t->now->from = og_origins_place(t->o, OG_ORIGIN_POLICY, from, value);
    tell_keys(t, part, kind, from);
    og_origins_end(t->o, t->now);
}

bool og_origins_add_policy(struct og_origins *o)
{
    const struct og_policy *p = o->policy;
    struct og_origin_rule *to = og_origins_begin_rule(o);
    struct telling t = { .o = o };

    if (!to)
        return false;
    *to = (struct og_origin_rule){ .rule = "",
                                   .runs = true,
                                   .override = -1,
                                   .at = og_origins_place(o, OG_ORIGIN_DEFAULT, (struct og_srcloc){ 0 }, ""),
                                   .match = "",
                                   .when = "",
                                   .until = "",
                                   .why = "",
                                   .applies = OG_ORIGIN_APPLIES };
    if (p->locked.source)
        to->lock = og_origins_keep_place(o, og_origins_place(o, OG_ORIGIN_RULE, p->locked, ""));
    tell_key(&t, "unsure", og_unsure_names[p->unsure], OG_PART_UNSURE, 0, p->where[OG_PART_UNSURE]);
    tell_key(&t, "mode", og_mode_names[p->mode], OG_PART_MODE, 0, p->where[OG_PART_MODE]);
    tell_key(&t, "exits", og_exits[p->exits], OG_PART_EXITS, 0, p->where[OG_PART_EXITS]);
    tell_key(&t, "environment", p->environment[0] ? p->environment : NULL, OG_PART_ENVIRONMENT, 0,
             p->where[OG_PART_ENVIRONMENT]);
    for (int kind = 0; kind < OG_FACT_KINDS; kind++) {
        struct og_buf b;

        if (1U << kind == OG_FACT_ENVIRONMENT)
            continue;
        og_buf_init(&b, 0);
        og_buf_format(&b, "max_age.%s", og_fact_name((enum og_fact)(1U << kind)));
        tell_key(&t, og_origins_keep_buf(o, &b), age_text(o, p->max_age[kind]), -1, kind, p->age_where[kind]);
    }
    return !o->oom;
}

/* --- rules -------------------------------------------------------------------------------------------------------- */

static enum og_origin_kind kind_of(const struct og_layer_value *s)
{
    static const enum og_origin_kind kinds[] = {
        [OG_LAYER_RULE] = OG_ORIGIN_RULE, [OG_LAYER_OVERRIDE] = OG_ORIGIN_OVERRIDE, [OG_LAYER_FLOOR] = OG_ORIGIN_FLOOR
    };

    return kinds[s->by];
}

/* Returns true if the entry belongs to the override in effect, or to another override that matches the order. */
static bool is_matching(const struct og_origins_of *of, const struct og_layer_value *s)
{
    struct og_srcloc at = s->entry.where[OG_PART_SELF];

    if (of->override && same_place(of->override->where[OG_PART_SELF], at))
        return true;
    for (size_t i = 0; i < of->match_count; i++)
        if (same_place(of->matches[i]->where[OG_PART_SELF], at))
            return true;
    return false;
}

/* Returns the place that sets a part of an entry. If a floor's entry sets a mode without writing it, this is the place
 * of the whole entry. */
static struct og_srcloc place_in(const struct og_layer_value *s, size_t part)
{
    return s->entry.where[part].source ? s->entry.where[part] : s->entry.at;
}

/* Report what one entry sets for the part; from: the place of the value in effect. */
static void tell_said(struct telling *t, const struct og_layer_value *s, size_t part, struct og_srcloc from)
{
    const struct og_rule *rule = t->of->rule->rule;
    const bool lowers = part >= og_reason_part(rule, 0) && same_place(place_in(s, OG_PART_LEVEL), from);
    const char *text = text_of(t->o, rule, part, &s->entry);
    struct og_origin_place said;

    if (lowers) { /* a `level` in this entry lowered the reason's level */
        t->now->from = og_origins_place(t->o, kind_of(s), from, t->now->value);
        return;
    }
    if (!text)
        return;
    said = og_origins_place(t->o, kind_of(s), place_in(s, part), text);
    if (s->by == OG_LAYER_FLOOR)
        t->now->floor = og_origins_keep_place(t->o, said);
    if (same_place(place_in(s, part), from))
        t->now->from = said;
    else if (s->by != OG_LAYER_FLOOR)
        og_origins_hide(t->o, said);
}

/* Report one part of a rule: what overrides set, in the sequence in which they are tried, then what the layers set. */
static void tell_part(struct telling *t, const struct og_rule_entry *is, const struct og_srcloc *from, size_t part)
{
    const struct og_rule *rule = t->of->rule->rule;
    const struct og_layer_value *said = t->of->rule->said;
    const char *value = text_of(t->o, rule, part, is);
    const bool of_policy = value && part == OG_ENTRY_PARTS + og_exits_param(rule);

    if (!(t->now = og_origins_begin(t->o, key_of(t->o, rule, part), value)))
        return;
    t->now->from = og_origins_place(t->o, OG_ORIGIN_RULE, value ? from[part] : (struct og_srcloc){ 0 }, value);
    for (const struct og_layer_value *s = said; s; s = s->before)
        if (s->by == OG_LAYER_OVERRIDE && is_matching(t->of, s))
            tell_said(t, s, part, from[part]);
    for (const struct og_layer_value *s = said; s; s = s->before)
        if (s->by != OG_LAYER_OVERRIDE)
            tell_said(t, s, part, from[part]);
    if (part == OG_PART_UNSURE || (part == OG_PART_MODE && !rule->locked))
        tell_keys(t, (int)part, 0, from[part]);
    if (of_policy)
        tell_keys(t, OG_PART_EXITS, 0, from[part]);
    og_origins_end(t->o, t->now);
}

static void tell_parts(struct telling *t)
{
    const struct og_policy_rule *r = t->of->rule;
    const struct og_rule_setting *set = t->of->override ? &t->of->override->setting : &r->setting;
    const struct og_srcloc *from = t->of->override ? t->of->override->from : r->from;
    const struct og_rule_entry is = entry_of(set);

    for (size_t part = OG_PART_LEVEL; part <= OG_PART_MODE; part++)
        tell_part(t, &is, from, part);
    for (size_t i = 0; i < r->rule->reason_count; i++)
        if (set->reason_level[i] >= 0)
            tell_part(t, &is, from, og_reason_part(r->rule, i));
    for (size_t i = 0; i < r->rule->param_count; i++)
        tell_part(t, &is, from, OG_ENTRY_PARTS + i);
}

/* --- custom rules ------------------------------------------------------------------------------------------------- */

static const char *text_in(const struct og_str *text)
{
    return text->len ? text->s : NULL;
}

static const char *text_of_custom(struct og_origins *o, const struct og_custom_said *s, int part)
{
    switch (part) {
    case OG_PART_LEVEL: return s->level < 0 ? NULL : og_level_name((enum og_level)s->level);
    case OG_PART_UNSURE: return s->unsure ? og_unsure_names[s->unsure] : NULL;
    case OG_PART_MODE: return s->mode ? og_mode_names[s->mode] : NULL;
    case OG_PART_WHEN: return text_in(&s->when);
    case OG_PART_REQUIRE: return text_in(&s->require);
    case OG_PART_MESSAGE: return text_in(&s->message);
    case OG_PART_HELP: return text_in(&s->help);
    case OG_PART_UNTIL:
        return s->term.until == OG_TIME_UNKNOWN ? NULL : og_origins_keep(o, og_str_of(og_time_text(s->term.until).s));
    default: return s->term.reason;
    }
}

static struct og_custom_said custom_of(const struct og_custom *c)
{
    return (struct og_custom_said){ .when = c->when_text,
                                    .require = c->require_text,
                                    .message = c->message_text,
                                    .help = c->help_text,
                                    .level = (int)c->entry.setting.level,
                                    .unsure = (int)c->entry.setting.unsure,
                                    .mode = (int)c->entry.setting.mode,
                                    .term = c->term };
}

static void tell_custom_part(struct telling *t, int part, const char *key)
{
    const struct og_custom *c = t->of->custom;
    const struct og_custom_said is = custom_of(c);
    struct og_srcloc from = c->where[part];
    const char *value = text_of_custom(t->o, &is, part);

    if (!value || !(t->now = og_origins_begin(t->o, key, og_origins_keep(t->o, og_str_of(value)))))
        return;
    t->now->from = og_origins_place(t->o, OG_ORIGIN_RULE, from, t->now->value);
    for (const struct og_custom_said *s = c->said; s; s = s->before) {
        const char *text = text_of_custom(t->o, s, part);
        struct og_origin_place said;

        if (!text)
            continue;
        said = og_origins_place(t->o, s->floor ? OG_ORIGIN_FLOOR : OG_ORIGIN_RULE,
                                s->where[part].source ? s->where[part] : s->where[OG_PART_SELF],
                                og_origins_keep(t->o, og_str_of(text)));
        if (s->floor)
            t->now->floor = og_origins_keep_place(t->o, said);
        if (same_place(s->where[part], from))
            t->now->from = said;
        else if (!s->floor)
            og_origins_hide(t->o, said);
    }
    if (part == OG_PART_UNSURE || part == OG_PART_MODE)
        tell_keys(t, part, 0, from);
    og_origins_end(t->o, t->now);
}

static void tell_custom(struct telling *t)
{
    static const struct {
        int part;
        const char *key;
    } parts[] = { { OG_PART_LEVEL, "level" }, { OG_PART_UNSURE, "unsure" },   { OG_PART_MODE, "mode" },
                  { OG_PART_WHEN, "when" },   { OG_PART_REQUIRE, "require" }, { OG_PART_MESSAGE, "message" },
                  { OG_PART_HELP, "help" },   { OG_PART_UNTIL, "until" },     { OG_PART_REASON, "reason" } };

    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        tell_custom_part(t, parts[i].part, parts[i].key);
}

/* --- a rule or an override ---------------------------------------------------------------------------------------- */

static void tell_conditions(struct og_origins *o, const struct og_override *override, struct og_origin_rule *to)
{
    struct og_buf b;

    if (override->symbol || override->account || override->tag || override->securities || override->sides ||
        override->types) {
        og_buf_init(&b, 0);
        og_show_match(&b, override);
        to->match = og_origins_keep_buf(o, &b);
    }
    to->when = og_origins_keep(o, override->when_text);
    if (override->term.until != OG_TIME_UNKNOWN)
        to->until = og_origins_keep(o, og_str_of(og_time_text(override->term.until).s));
}

static const struct og_origin_place *lock_of(struct og_origins *o, const struct og_origins_of *of)
{
    struct og_srcloc at = of->custom ? of->custom->where[OG_PART_LOCK] : of->rule->from[OG_PART_LOCK];
    bool floor = false;

    if (!of->rule->setting.locked)
        return NULL;
    if (of->custom && of->custom->floor) {
        floor = true;
        at = of->custom->said->where[OG_PART_SELF];
    }
    for (const struct og_layer_value *s = of->custom ? NULL : of->rule->said; s; s = s->before)
        floor = floor || (s->by == OG_LAYER_FLOOR && same_place(s->entry.at, at));
    return og_origins_keep_place(o, og_origins_place(o, floor ? OG_ORIGIN_FLOOR : OG_ORIGIN_RULE, at, ""));
}

/* Returns the place of the override; if there is none, the place of the rule's last entry. */
static struct og_origin_place place_of(struct og_origins *o, const struct og_origins_of *of)
{
    if (of->override)
        return og_origins_place(o, OG_ORIGIN_OVERRIDE, of->override->where[OG_PART_SELF], "");
    return og_origins_place(o, OG_ORIGIN_RULE, (of->custom ? of->custom->where : of->rule->where)[OG_PART_SELF], "");
}

bool og_origins_add(struct og_origins *o, const struct og_origins_of *of)
{
    struct og_origin_rule *to = og_origins_begin_rule(o);
    struct telling t = { .o = o, .of = of };

    if (!to)
        return false;
    *to = (struct og_origin_rule){ .rule = og_origins_keep(o, og_str_of(of->rule->rule->id)),
                                   .custom = of->custom != NULL,
                                   .runs = of->runs,
                                   .fixed = of->rule->rule->locked,
                                   .override = of->override ? of->override - of->rule->overrides : -1,
                                   .at = place_of(o, of),
                                   .match = "",
                                   .when = "",
                                   .until = "",
                                   .why = of->why ? og_origins_keep(o, og_str_of(of->why)) : "",
                                   .applies = of->why ? OG_ORIGIN_MAY_APPLY : OG_ORIGIN_APPLIES,
                                   .lock = lock_of(o, of) };
    if (of->override)
        tell_conditions(o, of->override, to);
    if (of->custom)
        tell_custom(&t);
    else
        tell_parts(&t);
    return !o->oom;
}

/* Returns true if the rule can find something with this setting. */
static bool may_find(const struct og_rule *rule, const struct og_rule_setting *s)
{
    return !s->idle && (!rule->settings_size || s->settings);
}

enum og_status og_origins_all(const struct og_policy *p, struct og_origins **origins)
{
    struct og_origins *o;
    bool ok;

    if (!p || !origins)
        return OG_EINVAL;
    *origins = NULL;
    o = og_origins_new(p);
    ok = o && og_origins_add_policy(o);
    for (size_t i = 0; i < og_rules_size && ok; i++) {
        const struct og_policy_rule *r = &p->rules[i];

        ok = og_origins_add(o, &(struct og_origins_of){ .rule = r, .runs = may_find(r->rule, &r->setting) });
        for (size_t k = 0; k < r->override_count && ok; k++)
            ok = og_origins_add(o, &(struct og_origins_of){ .rule = r,
                                                            .override = &r->overrides[k],
                                                            .runs = may_find(r->rule, &r->overrides[k].setting) });
    }
    for (size_t i = 0; i < p->custom_count && ok; i++)
        ok = og_origins_add(o, &(struct og_origins_of){ .rule = &p->custom[i]->entry,
                                                        .custom = p->custom[i],
                                                        .runs = !p->custom[i]->entry.setting.idle });
    if (!o || !og_origins_finish(o))
        return OG_ENOMEM;
    *origins = o;
    return OG_OK;
}
