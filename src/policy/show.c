/*
 * Writes policies as YAML.  The output is a policy that makes the same decisions; the digest is computed from it.
 */
#include "policy/show.h"

#include "base/error.h"
#include "base/time.h"
#include "policy/overrides.h"
#include "policy/value.h"
#include "rules/limit.h"

static void put_reasons(struct og_buf *b, const char *indent, const struct og_rule *rule,
                        const struct og_rule_setting *s)
{
    const char *before = "";

    for (size_t i = 0; i < rule->reason_count; i++) {
        if (s->reason_level[i] < 0)
            continue;
        if (!before[0])
            og_buf_format(b, "%sreasons: {", indent);
        og_buf_format(b, "%s%s: %s", before, rule->reasons[i].id, og_level_name((enum og_level)s->reason_level[i]));
        before = ", ";
    }
    if (before[0])
        og_buf_text(b, "}\n");
}

/* Write one rule's setting.  mode: the mode that applies if the setting has no `mode`; this mode is not written. */
static void put_setting(struct og_buf *b, const char *indent, const struct og_rule *rule,
                        const struct og_rule_setting *s, enum og_mode mode)
{
    og_buf_format(b, "%slevel: %s\n%sunsure: %s\n", indent, og_level_name(s->level), indent,
                  og_unsure_names[s->unsure]);
    if (s->mode != mode)
        og_buf_format(b, "%smode: %s\n", indent, og_mode_names[s->mode]);
    put_reasons(b, indent, rule, s);
    for (size_t i = 0; s->settings && i < rule->param_count; i++) {
        og_buf_format(b, "%s%s: ", indent, rule->params[i].key);
        og_value_write(&rule->params[i], s->settings, b);
        og_buf_char(b, '\n');
    }
}

static void put_pattern(struct og_buf *b, const char **before, const char *key, const struct og_pattern *pattern)
{
    if (!pattern)
        return;
    og_buf_format(b, "%s%s: ", *before, key);
    og_value_text(b, og_pattern_text(pattern));
    *before = ", ";
}

static void put_bits(struct og_buf *b, const char **before, const char *key, unsigned bits, const char *const *words)
{
    const char *comma = "";

    if (!bits)
        return;
    og_buf_format(b, "%s%s: [", *before, key);
    for (size_t i = 1; words[i]; i++)
        if (bits >> i & 1) {
            og_buf_format(b, "%s%s", comma, words[i]);
            comma = ", ";
        }
    og_buf_char(b, ']');
    *before = ", ";
}

static void put_text(struct og_buf *b, const char *indent, const char *key, struct og_str text)
{
    if (!text.len)
        return;
    og_buf_format(b, "%s%s: ", indent, key);
    og_value_text(b, text);
    og_buf_char(b, '\n');
}

void og_show_match(struct og_buf *b, const struct og_override *o)
{
    const char *before = "";

    og_buf_char(b, '{');
    put_pattern(b, &before, "symbol", o->symbol);
    put_pattern(b, &before, "account", o->account);
    put_pattern(b, &before, "tag", o->tag);
    put_bits(b, &before, "securityType", o->securities, og_match_securities);
    put_bits(b, &before, "side", o->sides, og_match_sides);
    put_bits(b, &before, "orderType", o->types, og_match_types);
    og_buf_char(b, '}');
}

static void put_term(struct og_buf *b, const char **indent, const char *next, const struct og_term *term)
{
    if (term->until == OG_TIME_UNKNOWN)
        return;
    og_buf_format(b, "%suntil: %s\n%sreason: ", *indent, og_time_text(term->until).s, next);
    og_value_text(b, og_str_of(term->reason));
    og_buf_char(b, '\n');
    *indent = next;
}

static void put_override(struct og_buf *b, const struct og_rule *rule, const struct og_override *o, enum og_mode mode)
{
    const char *indent = "      - ", *next = "        ";
    bool matches = o->symbol || o->account || o->tag || o->securities || o->sides || o->types;

    if (matches || (!o->when_text.len && o->term.until == OG_TIME_UNKNOWN)) {
        og_buf_format(b, "%smatch: ", indent);
        og_show_match(b, o);
        og_buf_char(b, '\n');
        indent = next;
    }
    if (o->when_text.len) {
        put_text(b, indent, "when", o->when_text);
        indent = next;
    }
    put_term(b, &indent, next, &o->term);
    put_setting(b, next, rule, &o->setting, mode);
}

void og_show_ages(struct og_buf *b, const int64_t *max_age)
{
    og_buf_text(b, "max_age:\n");
    for (int kind = 0; kind < OG_FACT_KINDS; kind++)
        if (1U << kind != OG_FACT_ENVIRONMENT)
            og_buf_format(b, "  %s: %s\n", og_fact_name((enum og_fact)(1U << kind)),
                          max_age && max_age[kind] ? og_duration_text(max_age[kind]).s : "any");
}

/* Begin a map for a list that has a date. */
static void put_age(struct og_buf *b, const struct og_list_age *age)
{
    if (age->as_of == OG_TIME_UNKNOWN)
        return;
    og_buf_format(b, "{dated: \"%s\", ", og_time_text(age->as_of).s);
    if (age->of_session)
        og_buf_text(b, "of: session, ");
    if (age->max_age)
        og_buf_format(b, "max_age: %s, ", og_duration_text(age->max_age).s);
    og_buf_text(b, "words: ");
}

/* list_signed: as in struct og_policy; NULL: write the words of all lists. */
static void put_lists(struct og_buf *b, const struct og_expr_names *lists, const char *const *list_signed)
{
    if (lists->count)
        og_buf_text(b, "lists:\n");
    for (size_t i = 0; i < lists->count; i++) {
        const struct og_expr_list *list = &lists->lists[i];

        if (list_signed && list_signed[i]) {
            og_buf_format(b, "  %s: %s\n", list->name.s, list_signed[i]);
            continue;
        }
        og_buf_format(b, "  %s: ", list->name.s);
        put_age(b, &list->age);
        og_buf_char(b, '[');
        for (size_t k = 0; k < list->words.count; k++) {
            og_buf_text(b, k ? ", " : "");
            og_value_text(b, list->words.word[k]);
        }
        og_buf_text(b, list->age.as_of == OG_TIME_UNKNOWN ? "]\n" : "]}\n");
    }
}

static void put_custom(struct og_buf *b, const struct og_custom *c, enum og_mode mode)
{
    const char *indent = "    ";

    og_buf_format(b, "  - id: %s\n", c->rule.id);
    put_text(b, indent, "when", c->when_text);
    put_text(b, indent, "require", c->require_text);
    put_setting(b, indent, &c->rule, &c->entry.setting, mode);
    put_text(b, indent, "message", c->message_text);
    put_text(b, indent, "help", c->help_text);
    put_term(b, &indent, indent, &c->term);
    if (c->entry.setting.locked)
        og_buf_format(b, "%slock: true\n", indent);
}

void og_show(const struct og_policy *p, bool as_signed, struct og_buf *b)
{
    og_buf_format(b, "ordergate: 1\nname: \"%s\"\ndescription: ", p->name);
    og_value_text(b, og_str_of(p->description));
    og_buf_format(b, "\nextends: []\nunsure: %s\n", og_unsure_names[p->unsure]);
    if (p->mode != OG_MODE_ENFORCE)
        og_buf_format(b, "mode: %s\n", og_mode_names[p->mode]);
    if (p->exits != OG_EXITS_PASS)
        og_buf_format(b, "exits: %s\n", og_exits[p->exits]);
    if (p->environment[0])
        og_buf_format(b, "environment: %s\n", p->environment);
    og_show_ages(b, p->max_age);
    put_lists(b, &p->lists, as_signed ? p->list_signed : NULL);
    og_buf_text(b, "rules:\n");
    for (size_t i = 0; i < og_rules_size; i++) {
        const struct og_policy_rule *r = &p->rules[i];

        og_buf_format(b, "  %s:\n", r->rule->id);
        put_setting(b, "    ", r->rule, &r->setting, r->rule->locked ? OG_MODE_ENFORCE : p->mode);
        if (r->setting.locked)
            og_buf_text(b, "    lock: true\n");
        if (r->override_count)
            og_buf_text(b, "    overrides:\n");
        for (size_t k = 0; k < r->override_count; k++)
            put_override(b, r->rule, &r->overrides[k], r->setting.mode);
    }
    if (p->custom_count)
        og_buf_text(b, "custom:\n");
    for (size_t i = 0; i < p->custom_count; i++)
        put_custom(b, p->custom[i], p->mode);
}

enum og_status og_show_out(struct og_buf *b, char *to, size_t size, size_t *len)
{
    enum og_status status = b->bad ? OG_ENOMEM : b->len < size ? OG_OK : OG_EINVAL;

    *len = b->bad ? 0 : b->len;
    if (status == OG_OK)
        memcpy(to, b->s, b->len + 1);
    og_buf_clear(b);
    return status;
}

enum og_status og_policy_show(const struct og_policy *policy, char *to, size_t size, size_t *len)
{
    struct og_buf b;

    if (!policy || !len)
        return OG_EINVAL;
    og_buf_init(&b, 0);
    og_show(policy, false, &b);
    return og_show_out(&b, to, size, len);
}
