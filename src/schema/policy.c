/*
 * The settings of rules in the schema of policies, for editors: keys, choices, bounds and help, from the register.  The
 * schema accepts everything that the loader accepts, and more: expressions, patterns, locks, and bounds of values with
 * a unit are checked only by the loader and lint.
 */
#include "ordergate/rules.h"
#include "schema/schema.h"

#define DURATION "^[0-9]+(ms|s|m|h)$"

/* Write "description": the setting's help, its default, bounds that a pattern cannot express, and which direction is
 * stricter. */
static void put_help(struct og_buf *b, const struct og_param *p)
{
    struct og_buf text;

    og_buf_text(b, "\"description\": ");
    og_buf_init(&text, 0);
    og_buf_text(&text, p->help);
    if (p->fallback)
        og_buf_format(&text, "; default %s", p->fallback[0] ? p->fallback : "none");
    if (p->kind == OG_PARAM_DURATION || p->kind == OG_PARAM_BPS) {
        if (p->least)
            og_buf_format(&text, "; least %s", p->least);
        if (p->most)
            og_buf_format(&text, "; most %s", p->most);
    }
    if (p->tighter)
        og_buf_format(&text, "; %s is stricter",
                      p->kind == OG_PARAM_CHOICE
                          ? (p->tighter == OG_TIGHTER_HIGHER ? "a later choice" : "an earlier one")
                      : p->tighter == OG_TIGHTER_HIGHER ? "higher"
                                                        : "lower");
    if (text.bad)
        b->bad = true;
    else
        og_buf_json_str(b, og_str_of(text.s));
    og_buf_clear(&text);
}

static void put_words_of(struct og_buf *b, const char *text)
{
    og_buf_char(b, '[');
    for (const char *at = text; *at;) {
        size_t len = strcspn(at, ",");

        og_buf_text(b, at == text ? "" : ", ");
        og_buf_json_str(b, (struct og_str){ at, len });
        at += len;
        at += strspn(at, ", ");
    }
    og_buf_char(b, ']');
}

/* Write an example: the default as policies spell it, or a typical value. */
static void put_example(struct og_buf *b, const struct og_param *p)
{
    static const char *const own[] = { [OG_PARAM_INT] = "100",
                                       [OG_PARAM_MONEY] = "50000",
                                       [OG_PARAM_BPS] = "\"5%\"",
                                       [OG_PARAM_DURATION] = "\"5s\"",
                                       [OG_PARAM_WORDS] = "[\"AAPL\"]" };
    const char *value = p->fallback;

    og_buf_text(b, ", \"examples\": [");
    if (p->kind == OG_PARAM_WORDS && value && value[0])
        put_words_of(b, value);
    else if (!value || p->kind == OG_PARAM_WORDS)
        og_buf_text(b, p->kind == OG_PARAM_CHOICE ? "" : own[p->kind]);
    else if (p->kind == OG_PARAM_INT || p->kind == OG_PARAM_MONEY)
        og_buf_text(b, value);
    else
        og_buf_json_str(b, og_str_of(value));
    og_buf_char(b, ']');
}

static void put_bounds(struct og_buf *b, const struct og_param *p)
{
    if (p->least)
        og_buf_format(b, ", \"minimum\": %s", p->least);
    if (p->most)
        og_buf_format(b, ", \"maximum\": %s", p->most);
}

static bool is_ten_power(const char *percent, int *zeros)
{
    *zeros = (int)strspn(percent + 1, "0");
    return percent[0] == '1' && strcmp(percent + 1 + *zeros, "%") == 0;
}

/* Write the pattern of a percentage with at most two decimals. The pattern includes the upper bound if the bound is a
 * power of ten. */
static void put_percent(struct og_buf *b, const struct og_param *p)
{
    const char *sign = p->least && p->least[0] != '-' ? "" : "-?";
    int zeros;

    og_buf_text(b, ", \"type\": \"string\", \"pattern\": \"^");
    if (p->most && is_ten_power(p->most, &zeros))
        og_buf_format(b, "(%s0*[0-9]{1,%d}([.][0-9]{1,2}0*)?|0*1%.*s([.]0+)?)%%$\"", sign, zeros, zeros, p->most + 1);
    else
        og_buf_format(b, "%s[0-9]+([.][0-9]{1,2}0*)?%%$\"", sign);
}

static void put_param(struct og_buf *b, const struct og_param *p)
{
    og_buf_format(b, "\"%s\": {", p->key);
    put_help(b, p);
    switch (p->kind) {
    case OG_PARAM_INT:
    case OG_PARAM_MONEY:
        og_buf_text(b, p->kind == OG_PARAM_INT ? ", \"type\": \"integer\"" : ", \"type\": \"number\"");
        put_bounds(b, p);
        break;
    case OG_PARAM_BPS: put_percent(b, p); break;
    case OG_PARAM_DURATION:
        og_buf_format(b, ", \"type\": \"string\", \"pattern\": \"%s\"",
                      p->least && p->least[0] != '0' ? OG_SCHEMA_LASTING : DURATION);
        break;
    case OG_PARAM_WORDS:
        og_buf_text(b, ", \"type\": \"array\", \"items\": {" OG_SCHEMA_TEXT ", \"minLength\": 1}");
        break;
    case OG_PARAM_CHOICE:
        og_buf_text(b, ", \"enum\": [");
        for (size_t i = 0; p->choices[i]; i++) {
            og_buf_text(b, i ? ", " : "");
            og_buf_json_str(b, og_str_of(p->choices[i]));
        }
        og_buf_char(b, ']');
        break;
    }
    put_example(b, p);
    og_buf_char(b, '}');
}

/* Write the keys that a rule and its overrides may have. */
void og_schema_put_settings(struct og_buf *b, const struct og_schema_place *at)
{
    const struct og_rule *rule = at->rule;

    og_buf_format(b, "\"level\": {\"$ref\": \"#/$defs/%s\"}", rule->locked ? "locked" : "level");
    og_schema_next(b, false, at);
    og_buf_text(b, "\"unsure\": {\"$ref\": \"#/$defs/unsure\"}");
    og_schema_next(b, false, at);
    og_buf_text(b, "\"mode\": {\"$ref\": \"#/$defs/mode\"}");
    og_schema_next(b, false, at);
    og_buf_text(b, "\"reasons\": {\"description\": \"levels of single reasons\", \"type\": \"object\", "
                   "\"additionalProperties\": false, \"properties\": {");
    OG_EACH_REASON (r, rule) {
        og_schema_next(b, r == rule->reasons, NULL);
        og_buf_format(b, "\"%s\": {\"$ref\": \"#/$defs/level\"}", r->id);
    }
    og_buf_text(b, "}}");
    OG_EACH_PARAM (p, rule) {
        og_schema_next(b, false, at);
        put_param(b, p);
    }
}

void og_schema_put_rule_settings(struct og_buf *b, const struct og_schema_place *at)
{
    for (size_t i = 0; i < og_rules_size; i++) {
        og_schema_next(b, i == 0, at);
        og_schema_write(b, "policy_rule", og_rules[i]);
    }
}

/* Write the keys of max_age: every kind of fact has an age, except the environment, which is not a fact of an
 * account. */
void og_schema_put_max_ages(struct og_buf *b, const struct og_schema_place *at)
{
    (void)at;
    for (int kind = 0; kind < OG_FACT_KINDS; kind++)
        if (1U << kind != OG_FACT_ENVIRONMENT) {
            og_schema_next(b, kind == 0, NULL);
            og_buf_format(b, "\"%s\": {\"$ref\": \"#/$defs/age\"}", og_fact_name((enum og_fact)(1U << kind)));
        }
}
