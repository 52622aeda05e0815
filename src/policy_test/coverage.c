/*
 * Coverage: the parts of a policy, and how many decisions reached each of them. Parts that are off are not counted.
 * Inherited parts are not counted either, unless `all` is set: they should be reached by the tests of the policy from
 * which they are inherited.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/grow.h"
#include "policy/policy_file.h"
#include "policy_test/policy_test.h"

struct item {
    struct og_policy_coverage_item seen; /* the item's strings are in the arena */
    struct item *next;
};

/* A part of the current policy, and how a decision reaches it. */
struct target {
    struct item *item;
    const char *rule, *reason; /* a finding of this rule and reason reaches the part; if reason is NULL, any reason of
                                * the rule does */
    const struct og_policy_rule *of;       /* for an override: its rule */
    const struct og_rule_setting *setting; /* for an override: its setting */
};

struct og_policy_coverage {
    bool all, oom;
    struct og_arena arena;
    struct item *first, *last;
    struct target *target;
    size_t count, room;
    const struct og_policy *policy;
};

static const char *const names[] = { "rules", "reasons", "overrides", "custom" };

const char *og_covered_name(enum og_covered kind)
{
    return (unsigned)kind < sizeof names / sizeof *names ? names[kind] : NULL;
}

struct og_policy_coverage *og_policy_coverage_new(bool all)
{
    struct og_policy_coverage *c = calloc(1, sizeof *c);

    if (!c)
        return NULL;
    c->all = all;
    og_arena_init(&c->arena, 0);
    return c;
}

void og_policy_coverage_free(struct og_policy_coverage *c)
{
    if (!c)
        return;
    og_arena_clear(&c->arena);
    free(c->target);
    free(c);
}

/* --- parts of the policy ------------------------------------------------------------------------------------------ */

static struct item *find_item(const struct og_policy_coverage *c, const struct og_policy_coverage_item *like)
{
    struct item *i = c->first;

    while (i && !(i->seen.kind == like->kind && i->seen.line == like->line && i->seen.col == like->col &&
                  strcmp(i->seen.name, like->name) == 0 && strcmp(i->seen.file, like->file) == 0))
        i = i->next;
    return i;
}

static struct item *get_item(struct og_policy_coverage *c, const struct og_policy_coverage_item *like)
{
    struct item *i = find_item(c, like);

    if (i)
        return i;
    i = og_arena_take(&c->arena, sizeof *i);
    if (!i)
        return NULL;
    i->seen = *like;
    i->seen.name = og_arena_copy(&c->arena, og_str_of(like->name)).s;
    i->seen.file = og_arena_copy(&c->arena, og_str_of(like->file)).s;
    if (!i->seen.name || !i->seen.file)
        return NULL;
    if (c->last)
        c->last->next = i;
    else
        c->first = i;
    c->last = i;
    return i;
}

static void add_target(struct og_policy_coverage *c, enum og_covered kind, struct og_srcloc at, const struct target *m,
                       const char *name)
{
    struct og_policy_coverage_item like = { .kind = kind,
                                            .name = name,
                                            .file = at.source ? at.source->name : og_policy_name(c->policy),
                                            .line = at.line,
                                            .col = at.col };

    if (!OG_GROW(c->target, c->count, c->room, 64)) {
        c->oom = true;
        return;
    }
    c->target[c->count] = *m;
    c->target[c->count].item = get_item(c, &like);
    c->oom = c->oom || !c->target[c->count].item;
    c->count += c->target[c->count].item != NULL;
}

static void add_rule(struct og_policy_coverage *c, const struct og_policy_rule *pr, struct og_srcloc at)
{
    if (pr->setting.level != OG_LEVEL_OFF)
        add_target(c, OG_COVERED_RULE, at, &(struct target){ .rule = pr->rule->id }, pr->rule->id);
}

static void add_reason(struct og_policy_coverage *c, const struct og_policy_rule *pr, const struct og_reason *reason,
                       struct og_srcloc at)
{
    int own = pr->setting.reason_level[reason - pr->rule->reasons];
    char name[160];

    if (own == OG_LEVEL_OFF || (own < 0 && (pr->setting.level == OG_LEVEL_OFF || reason->level == OG_LEVEL_OFF)))
        return;
    snprintf(name, sizeof name, "%s/%s", pr->rule->id, reason->id);
    add_target(c, OG_COVERED_REASON, at, &(struct target){ .rule = pr->rule->id, .reason = reason->id }, name);
}

/* Returns true if the place is in one of the policy files that the test names. */
static bool is_in_test_files(const struct og_policy_coverage *c, const struct og_policy_test *t, struct og_srcloc at)
{
    bool own = c->all;

    for (size_t k = 0; k < t->name_count && at.source && !own; k++)
        own = strcmp(at.source->name, t->names[k]) == 0;
    return own;
}

static void add_overrides(struct og_policy_coverage *c, const struct og_policy_rule *pr, const struct og_policy_test *t)
{
    char name[160];

    for (size_t i = 0; i < pr->override_count; i++) {
        struct og_srcloc at = pr->overrides[i].where[OG_PART_SELF];

        snprintf(name, sizeof name, "override %zu of %s", i + 1, pr->rule->id);
        if (is_in_test_files(c, t, at) && !pr->overrides[i].split)
            add_target(c, OG_COVERED_OVERRIDE, at, &(struct target){ .of = pr, .setting = &pr->overrides[i].setting },
                       name);
    }
}

static void add_custom_rules(struct og_policy_coverage *c, const struct og_policy_test *t)
{
    for (size_t i = 0; i < c->policy->custom_count; i++) {
        const struct og_policy_rule *pr = &c->policy->custom[i]->entry;

        if (pr->setting.level != OG_LEVEL_OFF && is_in_test_files(c, t, pr->where[OG_PART_SELF]))
            add_target(c, OG_COVERED_CUSTOM, pr->where[OG_PART_SELF], &(struct target){ .rule = pr->rule->id },
                       pr->rule->id);
    }
}

static void add_all(struct og_policy_coverage *c)
{
    for (size_t i = 0; i < og_rules_size; i++) {
        const struct og_policy_rule *pr = &c->policy->rules[i];

        add_rule(c, pr, pr->where[OG_PART_SELF]);
        OG_EACH_REASON (r, pr->rule)
            add_reason(c, pr, r, pr->where[OG_PART_SELF]);
    }
}

static void ignore_fault(void *with, int line, int col, const char *code, const char *text)
{
    (void)with;
    (void)line;
    (void)col;
    (void)code;
    (void)text;
}

/* Add the parts that one file sets for one rule. */
static void add_rule_entry(struct og_policy_coverage *c, const struct og_policy_file *source,
                           const struct og_yaml *node)
{
    const struct og_yaml *reasons = og_yaml_get(node, "reasons");
    const struct og_policy_rule *pr = c->policy->rules;

    while (pr < c->policy->rules + og_rules_size && !og_str_is(node->key, pr->rule->id))
        pr++;
    if (pr == c->policy->rules + og_rules_size)
        return;
    add_rule(c, pr, og_srcloc_of_key(source, node));
    for (const struct og_yaml *n = reasons ? reasons->first : NULL; n; n = n->next)
        OG_EACH_REASON (r, pr->rule)
            if (og_str_is(n->key, r->id))
                add_reason(c, pr, r, og_srcloc_of_key(source, n));
}

static void add_file(struct og_policy_coverage *c, const char *name, struct og_arena *room)
{
    struct og_policy_file source = { 0 };
    struct og_yaml *root = NULL;
    const struct og_yaml *rules;

    /* the policy was loaded from this file earlier; if the file cannot be read now, it has changed, and is not
     * counted */
    if (og_policy_file_open(name, NULL, room, &source) != OG_OPEN_OK ||
        og_yaml_read(source.bytes.s, source.bytes.len, room, ignore_fault, NULL, &root) != OG_OK)
        return;
    rules = og_yaml_get(root, "rules");
    for (const struct og_yaml *n = rules ? rules->first : NULL; n; n = n->next)
        add_rule_entry(c, &source, n);
}

bool og_test_coverage_begin(struct og_policy_coverage *c, const struct og_policy_test *t)
{
    struct og_arena room;

    c->count = 0;
    c->policy = t->policy;
    og_arena_init(&room, 0);
    if (c->all)
        add_all(c);
    for (size_t i = 0; i < t->name_count && !c->all; i++)
        add_file(c, t->names[i], &room);
    for (size_t i = 0; i < og_rules_size; i++)
        add_overrides(c, &c->policy->rules[i], t);
    add_custom_rules(c, t);
    og_arena_clear(&room);
    return !c->oom;
}

/* --- parts that were reached -------------------------------------------------------------------------------------- */

static bool finding_reaches(const struct og_finding *f, const struct target *m)
{
    return m->rule && strcmp(f->rule, m->rule) == 0 && (!m->reason || strcmp(f->reason, m->reason) == 0);
}

void og_test_coverage_add_decision(struct og_policy_coverage *c, const struct og_decision *d)
{
    for (size_t i = 0; i < c->count; i++) {
        bool reached = false;

        for (int k = 0; k < d->count && !reached; k++)
            reached = finding_reaches(&d->findings[k], &c->target[i]);
        for (int k = 0; k < d->shadow_count && !reached; k++)
            reached = finding_reaches(&d->shadow[k], &c->target[i]);
        c->target[i].item->seen.reached += reached;
    }
}

/* Returns the setting of the override as it was written in the file, since merging layers may have split the
 * override. */
static const struct og_rule_setting *written_setting(const struct og_policy_rule *pr,
                                                     const struct og_rule_setting *setting)
{
    bool found = false;

    for (size_t k = 0; k < pr->override_count; k++) {
        found = found || &pr->overrides[k].setting == setting;
        if (found && !pr->overrides[k].split)
            return &pr->overrides[k].setting;
    }
    return setting;
}

void og_test_coverage_add_overrides(struct og_policy_coverage *c, const struct og_case *order,
                                    struct og_pattern_room *room)
{
    for (size_t i = 0; i < c->count; i++)
        if (c->target[i].of &&
            written_setting(c->target[i].of, og_check_setting(c->target[i].of, order, room)) == c->target[i].setting)
            c->target[i].item->seen.reached++;
}

bool og_policy_coverage_at(const struct og_policy_coverage *c, size_t i, struct og_policy_coverage_item *item)
{
    const struct item *at;

    if (!c)
        return false;
    at = c->first;
    while (at && i--)
        at = at->next;
    if (at)
        *item = at->seen;
    return at != NULL;
}
