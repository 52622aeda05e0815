/*
 * Finds the targets: the settings that differ between two policies, rule by rule, with the values in them.  Every
 * difference is probed, whether it is stricter or looser.
 */
#include "diff/generator.h"
#include "policy/strictness.h"

/* maximum length in bytes of a setting in which values are searched: each value is searched in the other policy's
 * text */
#define TEXT_MOST 100000

/* --- lists that differ -------------------------------------------------------------------------------------------- */

static bool list_differs(const struct og_diff *d, struct og_str name)
{
    for (size_t i = 0; d->settings[0].lists_differ && i < d->settings[0].count; i++) {
        const struct og_setting_pair *p = &d->settings[0].pair[i];

        if (p->differs && p->path.len == 6 + name.len && memcmp(p->path.s, "lists.", 6) == 0 &&
            memcmp(p->path.s + 6, name.s, name.len) == 0)
            return true;
    }
    return false;
}

static bool names_what_differs(const struct og_diff *d, const struct og_expr *e)
{
    struct og_str name;

    for (size_t i = 0; e && (name = og_expr_list_used(e, i)).len; i++)
        if (list_differs(d, name))
            return true;
    return false;
}

/* Add the words that only one policy has in the list as hints. */
static void hint_words(const struct og_diff *d, struct og_hints *h, struct og_str name)
{
    const uint64_t texts = UINT64_C(1) << OG_AT_SYMBOL | UINT64_C(1) << OG_AT_ROOT | UINT64_C(1) << OG_AT_ACCOUNT |
                           UINT64_C(1) << OG_AT_ROUTE | UINT64_C(1) << OG_AT_ID | UINT64_C(1) << OG_AT_TAG;
    int found = 0;

    for (int side = 0; side < 2; side++) {
        const struct og_string_set *mine = og_settings_list(&d->settings[0], side, name);
        const struct og_string_set *other = og_settings_list(&d->settings[0], !side, name);

        for (size_t i = 0; i < mine->count && found < 16; i++)
            if (!og_string_set_contains(other, mine->word[i])) {
                og_hints_word(h, texts & h->slots, mine->word[i]);
                found++;
            }
    }
}

static void hint_expr(const struct og_diff *d, struct og_hints *h, const struct og_expr *e)
{
    struct og_str name;

    if (!e)
        return;
    og_hints_expr(h, e);
    for (size_t i = 0; (name = og_expr_list_used(e, i)).len; i++)
        if (list_differs(d, name))
            hint_words(d, h, name);
}

/* --- sites -------------------------------------------------------------------------------------------------------- */

static void add_site(struct og_target *t, struct og_site site)
{
    if (t->sites < OG_SITES_MOST)
        t->site[t->sites++] = site;
}

static void override_site(const struct og_diff *d, struct og_target *t, int side, int k)
{
    const struct og_override *o = &d->policy[side]->rules[t->index].overrides[k];

    add_site(t, (struct og_site){ .side = side, .setting = &o->setting, .override = o });
    og_hints_override(&t->hints, o);
    hint_expr(d, &t->hints, o->when);
}

/* Collect the sites of a rule of the register: the rule if it differs, and the overrides that differ. If an override
 * changed, the rule is a site as well, since orders that the override lost are decided by the rule. */
static void rule_sites(const struct og_diff *d, struct og_target *t)
{
    const struct og_policy_rule *a = &d->policy[0]->rules[t->index], *b = &d->policy[1]->rules[t->index];
    const struct og_alignment *all = &d->settings[0].overrides[t->index];

    if (og_setting_differs(t->rule, &a->setting, &b->setting)) {
        add_site(t, (struct og_site){ .side = 0, .setting = &a->setting });
        add_site(t, (struct og_site){ .side = 1, .setting = &b->setting });
    }
    for (size_t i = 0; i < all->count; i++) {
        const struct og_override_pair *w = &all->twins[i];

        if (!w->differs && !names_what_differs(d, a->overrides[w->before].when))
            continue;
        if (w->before >= 0)
            override_site(d, t, 0, w->before);
        if (w->after >= 0)
            override_site(d, t, 1, w->after);
    }
    /* take hints from the conditions of all overrides: a site may be reachable only if the other conditions are
     * false */
    for (int side = 0; side < 2; side++) {
        const struct og_policy_rule *r = side ? b : a;

        for (size_t k = 0; k < r->override_count; k++)
            og_hints_override(&t->hints, &r->overrides[k]);
    }
}

static void custom_sites(const struct og_diff *d, struct og_target *t)
{
    struct og_str id = { t->name.s + 7, t->name.len - 7 };

    t->custom = true;
    for (int side = 0; side < 2; side++) {
        const struct og_custom *c = og_settings_custom(d->policy[side], id);

        if (!c)
            continue;
        add_site(t, (struct og_site){ .side = side, .custom = c });
        hint_expr(d, &t->hints, c->when);
        hint_expr(d, &t->hints, c->require);
        og_hints_term(&t->hints, &c->term);
    }
}

/* --- targets ------------------------------------------------------------------------------------------------------ */

static void take(struct og_hints *h, const struct og_setting_pair *p)
{
    struct og_str none = { NULL, 0 };

    if (p->before.len > TEXT_MOST || p->after.len > TEXT_MOST)
        return;
    if (!p->differs) {
        og_hints_setting(h, p->before, none, true);
        return;
    }
    og_hints_setting(h, p->before, p->after, false);
    og_hints_setting(h, p->after, p->before, false);
    og_hints_between(h, p->before, p->after);
}

/* Add values to the target, first those of settings that differ, because the room is limited. */
static void fill(const struct og_settings_diff *s, struct og_str name, struct og_target *t)
{
    for (int differs = 1; differs >= 0; differs--)
        for (size_t i = 0; i < s->count; i++)
            if (s->pair[i].differs == differs && (!name.s || og_str_eq(s->pair[i].group, name)))
                take(&t->hints, &s->pair[i]);
    for (size_t i = 0; i < t->hints.count && t->symbols < OG_SYMBOLS_MOST; i++) {
        const struct og_hint *h = &t->hints.item[i];

        if (h->kind == OG_HINT_WORD && h->setting && !h->rest && og_may_be(OG_AT_SYMBOL, og_str_of(h->word)) &&
            og_slot_read(OG_AT_SYMBOL, og_str_of(h->word), &t->symbol[t->symbols]))
            t->symbols++;
    }
}

void og_target_whole(const struct og_diff *d, struct og_target *t)
{
    *t = (struct og_target){ .rule = NULL };
    fill(&d->settings[0], (struct og_str){ NULL, 0 }, t);
}

/* Returns the end of the group of pairs that begins at from; *differs: some pair of the group differs. */
static size_t group_end(const struct og_settings_diff *s, size_t from, bool *differs)
{
    size_t end = from;

    *differs = false;
    for (; end < s->count && og_str_eq(s->pair[end].group, s->pair[from].group); end++)
        *differs |= s->pair[end].differs;
    return end;
}

/* Returns true if conditions of the group name a list that differs. */
static bool leans_on_lists(const struct og_diff *d, struct og_str group)
{
    for (size_t i = 0; d->settings[0].lists_differ && i < d->settings[0].count; i++) {
        const struct og_setting_pair *p = &d->settings[0].pair[i];

        if (p->differs && p->path.len > 6 && memcmp(p->path.s, "lists.", 6) == 0 &&
            og_settings_leans(&d->settings[0], group, (struct og_str){ p->path.s + 6, p->path.len - 6 }))
            return true;
    }
    return false;
}

static bool next_group(const struct og_diff *d, size_t *i, struct og_str *group)
{
    const struct og_settings_diff *s = &d->settings[0];
    bool differs;

    while (*i < s->count) {
        *group = s->pair[*i].group;
        *i = group_end(s, *i, &differs);
        if (!og_str_is(*group, "lists") && (differs || leans_on_lists(d, *group)))
            return true;
    }
    return false;
}

size_t og_target_count(const struct og_diff *d)
{
    struct og_str group;
    size_t count = 0;

    for (size_t i = 0; next_group(d, &i, &group);)
        count++;
    return count;
}

bool og_target_next(const struct og_diff *d, size_t *i, struct og_target *t)
{
    struct og_str group;
    int rule;

    if (!next_group(d, i, &group))
        return false;
    *t = (struct og_target){ .name = group };
    rule = og_settings_rule(group);
    if (rule >= 0) {
        t->index = (size_t)rule;
        t->rule = og_rules[rule];
    }
    fill(&d->settings[0], group, t);
    if (t->rule)
        rule_sites(d, t);
    else if (group.len > 7 && memcmp(group.s, "custom.", 7) == 0)
        custom_sites(d, t);
    return true;
}
