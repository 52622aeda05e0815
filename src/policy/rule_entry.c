/*
 * A rule's entry: reads it from YAML, and lays it over a draft or tightens the draft.
 * Rejects a value that weakens a rule, if no policy may weaken that rule; and a floor that would loosen the draft.
 */
#include "policy/rule_entry.h"

#include "base/time.h"
#include "policy/value.h"
#include "rules/limit.h"

#define ALL_LEVELS 4

const char *const og_unsure_names[] = { "", "warn", "refuse", NULL };
const char *const og_mode_names[] = { "", "shadow", "warn", "enforce", NULL };

size_t og_reason_part(const struct og_rule *rule, size_t reason)
{
    return OG_ENTRY_PARTS + rule->param_count + reason;
}

size_t og_where_count(const struct og_rule *rule)
{
    return og_reason_part(rule, rule->reason_count);
}

/* Returns the index of the scalar's word in the list; -1 after reporting an error. */
static int one_of(struct og_entry_context *s, const struct og_yaml *node, const char *what, const char *const *words,
                  int count)
{
    if (node->kind != OG_YAML_SCALAR) {
        og_error_at(s->faults, s->source, node, "wrong-type", "%s must be one word, here is a %s%s", what,
                    node->kind == OG_YAML_MAP ? "map" : "list",
                    og_diagnostic_hint(s->faults, (struct og_str){ 0 }, words, (size_t)count));
        return -1;
    }
    for (int i = 0; i < count; i++)
        if (og_str_is(node->text, words[i]))
            return i;
    og_error_at(s->faults, s->source, node, "value-invalid", "'%s' is no %s%s", og_see(node->text).s, what,
                og_diagnostic_hint(s->faults, node->text, words, (size_t)count));
    return -1;
}

int og_rule_entry_level(struct og_entry_context *s, const struct og_yaml *node, const char *what)
{
    const char *words[ALL_LEVELS];

    for (int i = 0; i < ALL_LEVELS; i++)
        words[i] = og_level_name((enum og_level)i);
    return one_of(s, node, what, words, ALL_LEVELS);
}

int og_rule_entry_unsure(struct og_entry_context *s, const struct og_yaml *node)
{
    return 1 + one_of(s, node, "answer to 'unsure'", og_unsure_names + 1, OG_UNSURE_REFUSE);
}

int og_rule_entry_mode(struct og_entry_context *s, const struct og_yaml *node)
{
    return 1 + one_of(s, node, "mode", og_mode_names + 1, OG_MODE_ENFORCE);
}

int og_rule_entry_exits(struct og_entry_context *s, const struct og_yaml *node)
{
    return one_of(s, node, "answer to 'exits'", og_exits, 2);
}

int og_rule_entry_lock(struct og_entry_context *s, const struct og_yaml *node)
{
    static const char *const words[] = { "false", "true" };
    int at = one_of(s, node, "answer to 'lock'", words, 2);

    return at < 0 ? 0 : at ? 1 : -1;
}

static void read_until(struct og_entry_context *s, const struct og_yaml *node, int64_t *until)
{
    if (node->kind == OG_YAML_SCALAR && og_time_read(node->text.s, node->text.len, until))
        return;
    *until = OG_TIME_UNKNOWN;
    og_error_at(s->faults, s->source, node, node->kind == OG_YAML_SCALAR ? "value-invalid" : "wrong-type",
                "'until' takes an instant with its offset (like 2026-12-01T16:00:00-05:00), here is %s%s%s",
                node->kind == OG_YAML_SCALAR ? "'" : "a ",
                node->kind == OG_YAML_SCALAR ? og_see(node->text).s
                : node->kind == OG_YAML_MAP  ? "map"
                                             : "list",
                node->kind == OG_YAML_SCALAR ? "'" : "");
}

bool og_rule_entry_term(struct og_entry_context *s, const struct og_yaml *node, struct og_term *term,
                        struct og_srcloc *where)
{
    bool until = og_str_is(node->key, "until");

    if (!until && !og_str_is(node->key, "reason"))
        return false;
    where[until ? OG_PART_UNTIL : OG_PART_REASON] = og_srcloc_of(s->source, node);
    if (until) {
        read_until(s, node, &term->until);
    } else if (node->kind != OG_YAML_SCALAR || node->text.len == 0) {
        og_error_at(s->faults, s->source, node, "wrong-type",
                    "'reason' must be a text: why this is temporary, and who asked for it");
    } else if (!(term->reason = og_arena_copy(s->keep, node->text).s)) {
        s->faults->oom = true;
    }
    return true;
}

void og_rule_entry_term_end(struct og_entry_context *s, const struct og_srcloc *where)
{
    if (where[OG_PART_UNTIL].source && !where[OG_PART_REASON].source)
        og_error_add(s->faults, where[OG_PART_UNTIL], "key-missing",
                     "a temporary entry must have a 'reason': why, and who asked for it");
    if (where[OG_PART_REASON].source && !where[OG_PART_UNTIL].source)
        og_error_add(s->faults, where[OG_PART_REASON], "key-missing",
                     "a 'reason' says why something is temporary: it needs 'until'");
}

/* Returns true if the entry's level or mode (below 0 if not set) is below the minimum of a rule that no policy may
 * weaken; the error is then reported. */
static bool weakens(struct og_entry_context *s, const struct og_rule *rule, const struct og_yaml *node,
                    const char *what, int given, int least, const char *least_name)
{
    if (!rule->locked || given < 0 || given >= least)
        return false;
    og_error_at(s->faults, s->source, node, "rule-locked",
                "rule '%s' cannot be weakened or turned off: without it nobody knows what would be sent; "
                "%s here is '%s', allowed is '%s'",
                rule->id, what, og_see(node->text).s, least_name);
    return true;
}

static bool lowers_locked(struct og_entry_context *s, const struct og_rule *rule, const struct og_yaml *node, int level,
                          int least)
{
    return weakens(s, rule, node, "level", level, least, og_level_name((enum og_level)least));
}

static int reason_index(const struct og_rule *rule, struct og_str id)
{
    for (size_t i = 0; i < rule->reason_count; i++)
        if (og_str_is(id, rule->reasons[i].id))
            return (int)i;
    return -1;
}

static void unknown_reason(struct og_entry_context *s, const struct og_rule *rule, const struct og_yaml *node)
{
    const char *ids[OG_REASONS_MOST];
    size_t count = 0;

    for (size_t i = 0; i < og_rules_size; i++)
        if (reason_index(og_rules[i], node->key) >= 0) {
            og_error_at_key(s->faults, s->source, node, "unknown-reason", "'%s' is a reason of rule '%s', not of '%s'",
                            og_see(node->key).s, og_rules[i]->id, rule->id);
            return;
        }
    for (; count < rule->reason_count && count < OG_REASONS_MOST; count++)
        ids[count] = rule->reasons[count].id;
    og_error_at_key(s->faults, s->source, node, "unknown-reason", "rule '%s' has no reason '%s'%s", rule->id,
                    og_see(node->key).s, og_diagnostic_hint(s->faults, node->key, ids, count));
}

static void said_reasons(struct og_entry_context *s, const struct og_rule *rule, const struct og_yaml *node,
                         struct og_rule_entry *entry)
{
    if (node->kind != OG_YAML_MAP) {
        og_error_at(s->faults, s->source, node, "wrong-type",
                    "'reasons' must be a map of reason and level (like {%s: warn})", rule->reasons[0].id);
        return;
    }
    for (const struct og_yaml *n = node->first; n; n = n->next) {
        int i = reason_index(rule, n->key), level;

        if (i < 0) {
            unknown_reason(s, rule, n);
            continue;
        }
        level = og_rule_entry_level(s, n, "level");
        if (level < 0 || lowers_locked(s, rule, n, level, (int)rule->reasons[i].level))
            continue;
        entry->reason_level[i] = (signed char)level;
        entry->where[og_reason_part(rule, (size_t)i)] = og_srcloc_of(s->source, n);
    }
}

bool og_rule_entry_init(struct og_entry_context *s, const struct og_rule *rule, struct og_srcloc place,
                        struct og_rule_entry *entry)
{
    *entry = (struct og_rule_entry){ .at = place, .level = -1 };
    memset(entry->reason_level, -1, sizeof entry->reason_level);
    entry->where = og_arena_take(s->keep, og_where_count(rule) * sizeof *entry->where);
    if (rule->settings_size > 0)
        entry->settings = og_arena_take(s->faults->arena, rule->settings_size);
    if (!entry->where || (rule->settings_size > 0 && !entry->settings)) {
        s->faults->oom = true;
        return false;
    }
    entry->where[OG_PART_SELF] = place;
    return true;
}

/* Returns true if the key is one that every rule has, such as level, and not a setting; sets *part. */
static bool said_part(struct og_entry_context *s, const struct og_rule *rule, const struct og_yaml *node,
                      struct og_rule_entry *entry, enum og_entry_part *part)
{
    if (og_str_is(node->key, "level")) {
        int level = og_rule_entry_level(s, node, "level");

        if (!lowers_locked(s, rule, node, level, OG_LEVEL_REFUSE))
            entry->level = level;
        *part = OG_PART_LEVEL;
    } else if (og_str_is(node->key, "unsure")) {
        entry->unsure = og_rule_entry_unsure(s, node);
        *part = OG_PART_UNSURE;
    } else if (og_str_is(node->key, "mode")) {
        entry->mode = og_rule_entry_mode(s, node);
        if (weakens(s, rule, node, "mode", entry->mode ? entry->mode : -1, OG_MODE_ENFORCE, "enforce"))
            entry->mode = 0;
        *part = OG_PART_MODE;
    } else if (og_str_is(node->key, "reasons")) {
        said_reasons(s, rule, node, entry);
        *part = OG_PART_REASONS;
    } else {
        return false;
    }
    return true;
}

bool og_rule_entry_key(struct og_entry_context *s, const struct og_rule *rule, const struct og_yaml *node,
                       struct og_rule_entry *entry)
{
    enum og_entry_part part;

    if (said_part(s, rule, node, entry, &part)) {
        entry->where[part] = og_srcloc_of(s->source, node);
        return true;
    }
    for (size_t i = 0; i < rule->param_count; i++)
        if (og_str_is(node->key, rule->params[i].key)) {
            entry->where[OG_ENTRY_PARTS + i] = og_srcloc_of(s->source, node);
            if (og_value_read(&rule->params[i], node, s->keep, entry->settings, s->faults, s->source))
                entry->given |= UINT64_C(1) << i;
            return true;
        }
    return false;
}

/* Returns the offset of a place in a file; the file's length if the file has no such place. */
static size_t offset_of(struct og_str bytes, int line, int col)
{
    size_t at = 0;

    for (; line > 1 && at < bytes.len; at++)
        line -= bytes.s[at] == '\n';
    at += (size_t)(col - 1);
    return at < bytes.len ? at : bytes.len;
}

/* Returns true if the key was meant as the part of a number after a comma: YAML reads the 000 of {most: 50,000} as a
 * key. digits: gets the number without commas. */
static bool is_cut_number(const struct og_policy_file *source, const struct og_yaml *node, char *digits, size_t size)
{
    struct og_str bytes = source->bytes;
    size_t from, end, kept = 0;

    if (node->key.len != 3 || strspn(node->key.s, "0123456789") != 3)
        return false;
    from = offset_of(bytes, node->key_line, node->key_col);
    if (from == 0 || from + 3 > bytes.len || memcmp(bytes.s + from, node->key.s, 3) != 0)
        return false;
    for (end = from + 3; end + 3 < bytes.len && bytes.s[end] == ',' && strspn(bytes.s + end + 1, "0123456789") >= 3;)
        end += 4;
    while (from > 0 && strchr("0123456789,", bytes.s[from - 1]))
        from--;
    for (; from < end && kept + 1 < size; from++)
        if (bytes.s[from] != ',')
            digits[kept++] = bytes.s[from];
    digits[kept] = '\0';
    return kept > 3;
}

void og_rule_entry_unknown(struct og_entry_context *s, const struct og_rule *rule, const struct og_yaml *node,
                           const char *const *extra)
{
    const char *known[OG_PARAMS_MOST + 12];
    size_t count = 0;
    char digits[40];

    if (is_cut_number(s->source, node, digits, sizeof digits)) {
        og_error_at_key(s->faults, s->source, node, "unknown-key",
                        "a number has no commas, which end the value here: write %s", digits);
        return;
    }
    for (size_t i = 0; i < rule->param_count && i < OG_PARAMS_MOST; i++)
        known[count++] = rule->params[i].key;
    known[count++] = "level";
    known[count++] = "unsure";
    known[count++] = "mode";
    known[count++] = "reasons";
    for (; *extra; extra++)
        known[count++] = *extra;
    og_error_at_key(s->faults, s->source, node, "unknown-key", "rule '%s' has no setting '%s'%s", rule->id,
                    og_see(node->key).s, og_diagnostic_hint(s->faults, node->key, known, count));
}

bool og_draft_init(struct og_draft *d, const struct og_rule *rule, struct og_arena *keep)
{
    *d = (struct og_draft){ .setting.level = rule->locked ? OG_LEVEL_REFUSE : OG_LEVEL_OFF };
    memset(d->setting.reason_level, -1, sizeof d->setting.reason_level);
    d->where = og_arena_take(keep, og_where_count(rule) * sizeof *d->where);
    if (!d->where || !og_draft_record(d, NULL, rule, keep))
        return false;
    if (rule->settings_size == 0)
        return true;
    d->setting.settings = d->settings = og_arena_take(keep, rule->settings_size);
    if (!d->settings)
        return false;
    for (size_t i = 0; i < rule->param_count; i++)
        if (og_value_fallback(&rule->params[i], keep, d->settings))
            d->given |= UINT64_C(1) << i;
        else if (rule->params[i].fallback)
            return false; /* the defaults are valid: a failure means that memory ran out */
    return true;
}

bool og_draft_copy(struct og_draft *to, const struct og_draft *from, const struct og_rule *rule, struct og_arena *keep)
{
    *to = *from;
    to->where = to->from = NULL; /* an override records its own places, not those of the rule's values */
    if (rule->settings_size == 0)
        return true;
    to->setting.settings = to->settings = og_arena_take(keep, rule->settings_size);
    if (!to->settings)
        return false;
    memcpy(to->settings, from->settings, rule->settings_size);
    return true;
}

bool og_draft_record(struct og_draft *d, const struct og_draft *below, const struct og_rule *rule,
                     struct og_arena *keep)
{
    size_t size = og_where_count(rule) * sizeof *d->from;

    d->from = og_arena_take(keep, size);
    if (d->from && below)
        memcpy(d->from, below->from, size);
    return d->from != NULL;
}

/* Record that a part of the entry gave this part of the draft its value.  If a floor sets a part without writing it,
 * the recorded place is that of the whole entry. */
static void record(struct og_draft *d, size_t part, const struct og_rule_entry *entry, size_t by)
{
    if (d->from)
        d->from[part] = entry->where[by].source ? entry->where[by] : entry->at;
}

void og_draft_lay(struct og_draft *d, const struct og_rule *rule, const struct og_rule_entry *entry)
{
    d->at = entry->at;
    for (size_t i = 0; i < og_where_count(rule); i++) {
        if (d->where && entry->where[i].source)
            d->where[i] = entry->where[i];
        if (entry->where[i].source)
            record(d, i, entry, i);
    }
    for (size_t i = 0; i < rule->reason_count; i++) {
        if (entry->level >= 0 && d->setting.reason_level[i] > entry->level) {
            d->setting.reason_level[i] = (signed char)entry->level;
            if (entry->reason_level[i] < 0)
                record(d, og_reason_part(rule, i), entry, OG_PART_LEVEL);
        }
        if (entry->reason_level[i] >= 0)
            d->setting.reason_level[i] = entry->reason_level[i];
    }
    if (entry->level >= 0)
        d->setting.level = (enum og_level)entry->level;
    if (entry->unsure)
        d->setting.unsure = (enum og_unsure_mode)entry->unsure;
    if (entry->mode)
        d->setting.mode = (enum og_mode)entry->mode;
    for (size_t i = 0; i < rule->param_count; i++)
        if (entry->given >> i & 1)
            og_value_copy(&rule->params[i], d->settings, entry->settings);
    d->given |= entry->given;
}

static void tighten_reasons(struct og_draft *d, const struct og_rule *rule, const struct og_rule_entry *entry)
{
    for (size_t i = 0; i < rule->reason_count; i++) {
        int natural = (int)rule->reasons[i].level;
        int floor = entry->level < natural ? entry->level : natural; /* -1 if no level is set */
        int now = d->setting.reason_level[i];
        size_t part = og_reason_part(rule, i);

        if (now >= 0 && now < floor) {
            d->setting.reason_level[i] = (signed char)floor;
            record(d, part, entry, OG_PART_LEVEL);
        }
        if (entry->reason_level[i] < 0)
            continue;
        if (now < 0) /* no level is set: use the natural level, but at most the rule's level */
            now = natural < (int)d->setting.level ? natural : (int)d->setting.level;
        if (now < entry->reason_level[i]) {
            d->setting.reason_level[i] = entry->reason_level[i];
            record(d, part, entry, part);
        }
    }
}

static void tighten_setting(struct og_draft *d, const struct og_rule *rule, size_t i, const struct og_rule_entry *entry,
                            struct og_entry_context *s)
{
    const struct og_param *p = &rule->params[i];
    int side = d->given >> i & 1 ? og_value_cmp(p, entry->settings, d->settings) : 0;
    bool wins = p->tighter == OG_TIGHTER_LOWER ? side < 0 : p->tighter == OG_TIGHTER_HIGHER ? side > 0 : side != 0;
    struct og_draft fresh;

    if (wins && p->tighter == OG_TIGHTER_UNKNOWN) {
        if (!og_draft_init(&fresh, rule, s->faults->arena)) {
            s->faults->oom = true;
            return;
        }
        if (!(fresh.given >> i & 1) || og_value_cmp(p, fresh.settings, d->settings) != 0) {
            og_error_add(
                s->faults, entry->at, "floor-conflict",
                "the floor and the policy set '%s' of rule '%s' to different values, and neither is the stricter "
                "one: take it out of one of them",
                p->key, rule->id);
            return;
        }
    }
    if (wins || !(d->given >> i & 1)) {
        og_value_copy(p, d->settings, entry->settings);
        record(d, OG_ENTRY_PARTS + i, entry, OG_ENTRY_PARTS + i);
    }
    d->given |= UINT64_C(1) << i;
}

void og_draft_tighten(struct og_draft *d, const struct og_rule *rule, const struct og_rule_entry *entry,
                      struct og_entry_context *s)
{
    if (entry->level > (int)d->setting.level) {
        d->setting.level = (enum og_level)entry->level;
        record(d, OG_PART_LEVEL, entry, OG_PART_LEVEL);
    }
    tighten_reasons(d, rule, entry);
    if (entry->unsure > (int)d->setting.unsure) {
        d->setting.unsure = (enum og_unsure_mode)entry->unsure;
        record(d, OG_PART_UNSURE, entry, OG_PART_UNSURE);
    }
    if (entry->mode > (int)d->setting.mode) {
        d->setting.mode = (enum og_mode)entry->mode;
        record(d, OG_PART_MODE, entry, OG_PART_MODE);
    }
    for (size_t i = 0; d->where && i < og_where_count(rule); i++)
        if (entry->where[i].source && !d->where[i].source)
            d->where[i] = entry->where[i];
    for (size_t i = 0; i < rule->param_count; i++)
        if (entry->given >> i & 1)
            tighten_setting(d, rule, i, entry, s);
}

void og_draft_tighten_keys(struct og_draft *d, enum og_unsure_mode unsure, enum og_mode mode, struct og_srcloc at)
{
    const struct og_rule_entry entry = { .at = at, .where = &at };

    if (unsure > d->setting.unsure) {
        d->setting.unsure = unsure;
        record(d, OG_PART_UNSURE, &entry, 0);
    }
    if (mode > d->setting.mode) {
        d->setting.mode = mode;
        record(d, OG_PART_MODE, &entry, 0);
    }
}

size_t og_exits_param(const struct og_rule *rule)
{
    size_t i = 0;

    while (i < rule->param_count && strcmp(rule->params[i].key, "exits") != 0)
        i++;
    return i;
}

static void set_exits(struct og_draft *d, const struct og_rule *rule, size_t i, int32_t exits, struct og_srcloc at)
{
    *(int32_t *)((char *)d->settings + rule->params[i].at) = exits;
    d->from[OG_ENTRY_PARTS + i] = at;
}

void og_draft_exits(struct og_draft *d, const struct og_rule *rule, int32_t exits, struct og_srcloc at)
{
    const size_t i = og_exits_param(rule);

    if (i < rule->param_count && !d->where[OG_ENTRY_PARTS + i].source)
        set_exits(d, rule, i, exits, at);
}

void og_draft_bind_exits(struct og_draft *d, const struct og_rule *rule, struct og_srcloc at)
{
    const size_t i = og_exits_param(rule);

    if (i < rule->param_count && *(const int32_t *)((const char *)d->settings + rule->params[i].at) != OG_EXITS_BIND)
        set_exits(d, rule, i, OG_EXITS_BIND, at);
}
