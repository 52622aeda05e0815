/*
 * Custom rules: reads them, merges those of all layers, and makes each into a rule that the engine runs. Rejects an id
 * that a built-in rule or reason has. If a layer below has locked a rule, rejects every change that loosens it.
 */
#include "policy/custom.h"

#include <stdio.h>

#include "policy/layers.h"
#include "policy/lock.h"

#define ID_MOST 64

static const char *const keys[] = { "id",     "when", "require", "level", "message", "help",
                                    "unsure", "mode", "lock",    "until", "reason" };
#define KEYS (sizeof keys / sizeof keys[0])

/* --- reading ------------------------------------------------------------------------------------------------------ */

static bool is_kebab(struct og_str id)
{
    if (id.len == 0 || id.len > ID_MOST || id.s[0] < 'a' || id.s[0] > 'z' || id.s[id.len - 1] == '-')
        return false;
    for (size_t i = 0; i < id.len; i++)
        if (!((id.s[i] >= 'a' && id.s[i] <= 'z') || (id.s[i] >= '0' && id.s[i] <= '9') ||
              (id.s[i] == '-' && id.s[i - 1] != '-')))
            return false;
    return true;
}

/* Collect the ids of built-in rules and reasons. Custom rules cannot have these ids, because a finding is identified by
 * the id alone. */
static bool fill_taken(struct og_layers *l)
{
    struct og_map *taken = &l->customs.taken;

    for (size_t i = 0; i < og_rules_size && taken->count < og_rules_size; i++)
        if (!og_map_put(taken, &l->room, og_str_of(og_rules[i]->id), og_rules[i]))
            return false;
    for (size_t i = 0; i < og_rules_size; i++)
        OG_EACH_REASON (r, og_rules[i])
            if (!og_map_get(taken, og_str_of(r->id)) && !og_map_put(taken, &l->room, og_str_of(r->id), og_rules[i]))
                return false;
    return true;
}

static const struct og_yaml *read_id(struct og_layers *l, struct og_entry_context *s, const struct og_yaml *node)
{
    const struct og_yaml *id = og_yaml_get(node, "id");
    const struct og_rule *owner;

    if (!id) {
        og_error_at(s->faults, s->source, node, "key-missing", "this custom rule has no 'id': give it one");
        return NULL;
    }
    if (id->kind != OG_YAML_SCALAR || !is_kebab(id->text)) {
        og_error_at(
            s->faults, s->source, id, "name-invalid",
            "'%s' is not an id: lower-case letters, digits and single '-' between them, a letter first, at most %d",
            id->kind == OG_YAML_SCALAR ? og_see(id->text).s : "", ID_MOST);
        return NULL;
    }
    owner = og_map_get(&l->customs.taken, id->text);
    if (!owner)
        return id;
    og_error_at(s->faults, s->source, id, "id-taken",
                "'%s' is %s rule '%s' of the register: call this one something else", og_see(id->text).s,
                og_str_is(id->text, owner->id) ? "the id of" : "a reason of", owner->id);
    return NULL;
}

static void read_text(struct og_entry_context *s, const struct og_yaml *node, const char *form, struct og_str *to)
{
    if (node->kind != OG_YAML_SCALAR || node->text.len == 0)
        og_error_at(s->faults, s->source, node, "wrong-type", "'%s' must be %s", og_see(node->key).s, form);
    else if (!(*to = og_arena_copy(s->keep, node->text)).s)
        s->faults->oom = true;
}

/* Read one key.  Returns its enum og_entry_part; -1 if custom rules have no such key, or if the key was read before. */
static int read_part(struct og_entry_context *s, const struct og_yaml *n, struct og_custom_said *said)
{
    if (og_str_is(n->key, "when")) {
        read_text(s, n, "an expression (like order.action == \"Short\")", &said->when);
        return OG_PART_WHEN;
    }
    if (og_str_is(n->key, "require")) {
        read_text(s, n, "an expression (like order.limitPrice >= 5.0)", &said->require);
        return OG_PART_REQUIRE;
    }
    if (og_str_is(n->key, "message")) {
        read_text(s, n, "a text (like \"short of {order.symbol}\")", &said->message);
        return OG_PART_MESSAGE;
    }
    if (og_str_is(n->key, "help")) {
        read_text(s, n, "a text: what to do", &said->help);
        return OG_PART_HELP;
    }
    if (og_str_is(n->key, "level")) {
        said->level = og_rule_entry_level(s, n, "level");
        return OG_PART_LEVEL;
    }
    if (og_str_is(n->key, "unsure")) {
        said->unsure = og_rule_entry_unsure(s, n);
        return OG_PART_UNSURE;
    }
    if (og_str_is(n->key, "mode")) {
        said->mode = og_rule_entry_mode(s, n);
        return OG_PART_MODE;
    }
    if (og_str_is(n->key, "lock")) {
        said->lock = og_rule_entry_lock(s, n);
        return OG_PART_LOCK;
    }
    return -1;
}

static bool read_rule(struct og_entry_context *s, const struct og_yaml *node, struct og_custom_said *said)
{
    *said = (struct og_custom_said){ .level = -1, .term.until = OG_TIME_UNKNOWN };
    said->where = og_arena_take(s->keep, OG_ENTRY_PARTS * sizeof *said->where);
    if (!said->where) {
        s->faults->oom = true;
        return false;
    }
    said->where[OG_PART_SELF] = og_srcloc_of(s->source, node);
    for (const struct og_yaml *n = node->first; n; n = n->next) {
        int part = read_part(s, n, said);

        if (part >= 0)
            said->where[part] = og_srcloc_of(s->source, n);
        else if (!og_rule_entry_term(s, n, &said->term, said->where) && !og_str_is(n->key, "id"))
            og_error_at_key(s->faults, s->source, n, "unknown-key", "a custom rule has no key '%s'%s", og_see(n->key).s,
                            og_diagnostic_hint(s->faults, n->key, keys, KEYS));
    }
    og_rule_entry_term_end(s, said->where);
    return true;
}

/* --- laying rules over those of the layers below ------------------------------------------------------------------ */

static struct og_custom *new_rule(struct og_layers *l, struct og_entry_context *s, const struct og_yaml *id)
{
    struct og_customs *all = &l->customs;
    struct og_custom *c = og_arena_take(s->keep, sizeof *c);
    struct og_str kept = og_arena_copy(s->keep, id->text);

    if (all->count == OG_CUSTOM_MOST) {
        og_error_at(s->faults, s->source, id, "too-many", "a policy has at most %d custom rules", OG_CUSTOM_MOST);
        return NULL;
    }
    if (!all->item)
        all->item = og_arena_take(s->keep, OG_CUSTOM_MOST * sizeof *all->item);
    if (!c || !kept.s || !all->item || !(c->where = og_arena_take(s->keep, OG_ENTRY_PARTS * sizeof *c->where)) ||
        !og_map_put(&all->index, &l->room, kept, c)) {
        s->faults->oom = true;
        return NULL;
    }
    c->rule.id = kept.s;
    c->term.until = OG_TIME_UNKNOWN;
    c->entry.setting.level = OG_LEVEL_REFUSE;
    c->entry.where = c->where;
    all->item[all->count++] = c;
    return c;
}

static void take_text(struct og_str *to, struct og_str from)
{
    if (from.len)
        *to = from;
}

static void keep(struct og_layers *l, struct og_custom *c, const struct og_custom_said *said)
{
    struct og_custom_said *kept = og_arena_take(&l->policy->arena, sizeof *kept);

    if (!kept) {
        l->faults.oom = true;
        return;
    }
    *kept = *said;
    kept->before = c->said;
    c->said = kept;
}

static void lay(struct og_layers *l, struct og_custom *c, const struct og_custom_said *said)
{
    struct og_rule_setting *set = &c->entry.setting;
    struct og_srcloc lock = c->where[OG_PART_LOCK];

    if (said->lock > 0 && !l->lock_here.source)
        l->lock_here = said->where[OG_PART_LOCK];
    for (int i = 0; i < OG_ENTRY_PARTS; i++)
        if (said->where[i].source)
            c->where[i] = said->where[i];
    take_text(&c->when_text, said->when);
    take_text(&c->require_text, said->require);
    take_text(&c->message_text, said->message);
    take_text(&c->help_text, said->help);
    if (said->level >= 0)
        set->level = (enum og_level)said->level;
    if (said->unsure)
        set->unsure = (enum og_unsure_mode)said->unsure;
    if (said->mode)
        set->mode = (enum og_mode)said->mode;
    if (said->where[OG_PART_UNTIL].source)
        c->term = said->term;
    if (set->locked)
        c->where[OG_PART_LOCK] = lock;
    else if (said->lock > 0)
        set->locked = true;
    if (set->locked && !l->locked.source)
        l->locked = c->where[OG_PART_LOCK];
    keep(l, c, said);
}

/* --- locked rules ------------------------------------------------------------------------------------------------- */

static bool changes(struct og_str now, struct og_str said)
{
    return said.len && !og_str_eq(now, said);
}

#define HOW_MOST 400

/* Write how a change loosens a rule: "its level may only become stricter: it is refuse (firm.yaml:8:12), here warn".
 * Returns that text. */
static const char *looser(char how[HOW_MOST], const char *what, struct og_srcloc from, const char *is, const char *here)
{
    char place[300] = "";

    if (from.source)
        snprintf(place, sizeof place, " (%s:%d:%d)", from.source->name, from.line, from.col);
    snprintf(how, HOW_MOST, "its %s may only become stricter: it is %s%s, here %s", what, is, place, here);
    return how;
}

/* Returns why an entry must not be laid over a locked rule; NULL if it may.  *part: the part of the rule that the entry
 * changes. */
static const char *loosens(const struct og_layers *l, const struct og_custom *c, const struct og_custom_said *said,
                           enum og_entry_part *part, char how[HOW_MOST])
{
    const struct og_rule_setting *set = &c->entry.setting;
    enum og_unsure_mode unsure = set->unsure ? set->unsure : l->policy->unsure;
    enum og_mode mode = set->mode ? set->mode : l->policy->mode;

    if (*part = OG_PART_LOCK, said->lock < 0)
        return "a later layer cannot unlock it";
    if (*part = OG_PART_WHEN, changes(c->when_text, said->when))
        return "its 'when' cannot be changed";
    if (*part = OG_PART_REQUIRE, changes(c->require_text, said->require))
        return "its 'require' cannot be changed";
    if (*part = OG_PART_LEVEL, said->level >= 0 && said->level < (int)set->level)
        return looser(how, "level", c->where[*part], og_level_name(set->level),
                      og_level_name((enum og_level)said->level));
    if (*part = OG_PART_UNSURE, said->unsure && said->unsure < (int)unsure)
        return looser(how, "'unsure'", c->where[*part], og_unsure_names[unsure], og_unsure_names[said->unsure]);
    if (*part = OG_PART_MODE, said->mode && said->mode < (int)mode)
        return looser(how, "mode", c->where[*part], og_mode_names[mode], og_mode_names[said->mode]);
    if (*part = OG_PART_UNTIL, said->where[OG_PART_UNTIL].source && said->term.until != OG_TIME_UNKNOWN &&
                                   (c->term.until == OG_TIME_UNKNOWN || said->term.until < c->term.until))
        return "it cannot end sooner";
    return NULL;
}

static void lay_over(struct og_layers *l, struct og_custom *c, const struct og_custom_said *said)
{
    bool below = c->entry.setting.locked && c->where[OG_PART_LOCK].source != said->where[OG_PART_SELF].source;
    enum og_entry_part part;
    char text[HOW_MOST];
    const char *how = below ? loosens(l, c, said, &part, text) : NULL;

    if (how)
        og_lock_report(l, said->where[part], c->where[OG_PART_LOCK], "rule", c->rule.id, how);
    else
        lay(l, c, said);
}

void og_customs_check_locks(struct og_layers *l, const struct og_layers *alone)
{
    for (size_t i = 0; i < alone->customs.count; i++) {
        const struct og_custom *was = alone->customs.item[i];
        const struct og_custom *now = og_map_get(&l->customs.index, og_str_of(was->rule.id));
        const struct og_rule_setting *set;
        enum og_entry_part part;
        const char *how;
        char text[HOW_MOST];

        if (!was->entry.setting.locked || !now)
            continue;
        set = &now->entry.setting;
        how = loosens(alone, was,
                      &(struct og_custom_said){ .when = now->when_text,
                                                .require = now->require_text,
                                                .level = (int)set->level,
                                                .unsure = (int)(set->unsure ? set->unsure : l->policy->unsure),
                                                .mode = (int)(set->mode ? set->mode : l->policy->mode),
                                                .term = now->term,
                                                .where = now->where },
                      &part, text);
        if (how)
            og_lock_report(l, now->where[now->where[part].source ? part : OG_PART_SELF], was->where[OG_PART_LOCK],
                           "rule", was->rule.id, how);
    }
}

/* --- the floor ---------------------------------------------------------------------------------------------------- */

static bool is_identical(const struct og_custom *c, const struct og_custom_said *said)
{
    return og_str_eq(c->when_text, said->when) && og_str_eq(c->require_text, said->require) &&
           c->term.until == said->term.until &&
           c->entry.setting.level == (said->level < 0 ? OG_LEVEL_REFUSE : (enum og_level)said->level);
}

static void lay_floor(struct og_layers *l, struct og_custom *c, bool fresh, struct og_custom_said *said)
{
    struct og_rule_setting *set = &c->entry.setting;
    enum og_unsure_mode unsure = set->unsure;
    enum og_mode mode = set->mode;
    struct og_srcloc unsure_at = c->where[OG_PART_UNSURE], mode_at = c->where[OG_PART_MODE];

    if (!fresh && !is_identical(c, said)) {
        og_error_add(&l->faults, said->where[OG_PART_SELF], "floor-conflict",
                     "the floor and the policy have different custom rules '%s': call one of them something else",
                     c->rule.id);
        return;
    }
    if (said->lock)
        og_error_add(&l->faults, said->where[OG_PART_LOCK], "floor-key", "a floor is always locked: leave this out");
    said->lock = 0;
    if (!said->mode)
        said->mode = OG_MODE_ENFORCE;
    if (!unsure) {
        unsure = l->policy->unsure;
        unsure_at = l->policy->where[OG_PART_UNSURE];
    }
    said->floor = true;
    lay(l, c, said);
    c->where[OG_PART_MODE] = said->where[OG_PART_MODE];
    if (set->unsure <= unsure) {
        set->unsure = unsure;
        c->where[OG_PART_UNSURE] = unsure_at;
    }
    if (set->mode <= mode) {
        set->mode = mode;
        c->where[OG_PART_MODE] = mode_at;
    }
    c->floor = set->locked = true; /* rules of the floor cannot be waived */
    c->require = c->when = NULL;   /* og_policy_compile_floor() will compile the expressions with the floor's lists */
    c->message = NULL;
    c->wrong = false;
}

/* Add a rejected rule to the strays: its expressions are still compiled, so that one run reports all errors. */
static void lay_aside(struct og_layers *l, struct og_entry_context *s, const struct og_custom_said *said, bool floor)
{
    struct og_custom *c = og_arena_take(s->keep, sizeof *c);

    if (!c) {
        s->faults->oom = true;
        return;
    }
    c->when_text = said->when;
    c->require_text = said->require;
    c->message_text = said->message;
    c->where = said->where;
    c->floor = floor;
    c->next = l->customs.stray;
    l->customs.stray = c;
}

static void lay_one(struct og_layers *l, struct og_entry_context *s, const struct og_yaml *node, bool floor)
{
    const struct og_yaml *id;
    struct og_custom *c = NULL;
    struct og_custom_said said;
    bool fresh = false;

    if (node->kind != OG_YAML_MAP) {
        og_error_at(s->faults, s->source, node, "wrong-type",
                    "a custom rule must be a map of 'id', 'require' and more");
        return;
    }
    id = read_id(l, s, node);
    if (!read_rule(s, node, &said))
        return;
    if (id && !(c = og_map_get(&l->customs.index, id->text))) {
        fresh = true;
        c = new_rule(l, s, id);
    }
    if (c && !fresh && c->where[OG_PART_SELF].source == s->source) {
        og_error_at(s->faults, s->source, id, "id-twice", "custom rule '%s' is here for the second time: keep one",
                    c->rule.id);
        c = NULL;
    } else if (c && fresh && !said.where[OG_PART_REQUIRE].source) {
        og_error_add(s->faults, said.where[OG_PART_SELF], "key-missing",
                     "custom rule '%s' has no 'require', here or in a layer below", c->rule.id);
        c = NULL;
    }
    if (!c)
        lay_aside(l, s, &said, floor);
    else if (floor)
        lay_floor(l, c, fresh, &said);
    else
        lay_over(l, c, &said);
}

void og_customs_lay(struct og_layers *l, struct og_entry_context *s, const struct og_yaml *node, bool floor)
{
    if (node->kind != OG_YAML_LIST) {
        og_error_at(s->faults, s->source, node, "wrong-type", "'custom' must be a list; each item begins with '- id:'");
        return;
    }
    if (node->count > OG_CUSTOM_MOST) { /* report too many rules before any of them is read */
        og_error_at(s->faults, s->source, node, "too-many", "here are %zu custom rules, a policy has at most %d",
                    node->count, OG_CUSTOM_MOST);
        return;
    }
    if (!l->customs.taken.count && !fill_taken(l)) {
        s->faults->oom = true;
        return;
    }
    for (const struct og_yaml *n = node->first; n; n = n->next)
        lay_one(l, s, n, floor);
}

/* --- after all layers are laid ------------------------------------------------------------------------------------ */

void og_customs_branch(struct og_layers *l)
{
    for (size_t i = 0; i < l->customs.count; i++) {
        struct og_custom *c = l->customs.item[i];
        struct og_rule_setting *set = &c->entry.setting;

        if (!set->unsure) {
            set->unsure = l->policy->unsure;
            c->where[OG_PART_UNSURE] = l->policy->where[OG_PART_UNSURE];
        }
        if (!set->mode) {
            set->mode = l->policy->mode;
            c->where[OG_PART_MODE] = l->policy->where[OG_PART_MODE];
        }
    }
}

void og_customs_tighten(struct og_layers *l, enum og_unsure_mode unsure, enum og_mode mode, struct og_srcloc at)
{
    for (size_t i = 0; i < l->customs.count; i++) {
        struct og_custom *c = l->customs.item[i];
        struct og_rule_setting *set = &c->entry.setting;

        if (unsure > set->unsure) {
            set->unsure = unsure;
            c->where[OG_PART_UNSURE] = at;
        }
        if (mode > set->mode) {
            set->mode = mode;
            c->where[OG_PART_MODE] = at;
        }
    }
}

static void make(struct og_custom *c)
{
    struct og_rule_setting *set = &c->entry.setting;
    unsigned reads = og_expr_reads(c->require) | (c->when ? og_expr_reads(c->when) : 0);
    const struct og_expr *part;

    for (size_t i = 0; c->message && (part = og_expr_message_part(c->message, i)); i++)
        reads |= og_expr_reads(part);
    c->reason = (struct og_reason){ .id = c->rule.id,
                                    .level = set->level,
                                    .undecided = set->level < OG_LEVEL_WARN ? set->level : OG_LEVEL_WARN,
                                    .says = "{0}",
                                    .help = c->help_text.s,
                                    .where = "custom" };
    c->rule = (struct og_rule){ .id = c->rule.id,
                                .summary = "a rule of this policy",
                                .because = "the policy asks for it",
                                .stage = OG_STAGE_FLOW,
                                .local = true,
                                .reads = reads,
                                .reasons = &c->reason,
                                .reason_count = 1,
                                .check = og_custom_check };
    c->field = og_expr_field(c->require);
    memset(set->reason_level, -1, sizeof set->reason_level);
    set->settings = c;
    set->idle = set->level == OG_LEVEL_OFF;
    c->entry.rule = &c->rule;
}

void og_customs_finalize(struct og_layers *l)
{
    uint64_t steps = 0;

    l->policy->custom = l->customs.item;
    l->policy->custom_count = l->customs.count;
    for (size_t i = 0; i < l->customs.count; i++) {
        struct og_custom *c = l->customs.item[i];

        if (!c->require || c->wrong)
            continue; /* the rule's error is already reported */
        make(c);
        steps += og_expr_cost(c->require) + (c->when ? og_expr_cost(c->when) : 0);
        if (steps > OG_CUSTOM_STEPS) {
            og_error_add(&l->faults, c->where[OG_PART_SELF], "expression-too-large",
                         "custom rules up to this one take more than %d steps over one order, at worst",
                         OG_CUSTOM_STEPS);
            return;
        }
    }
}
